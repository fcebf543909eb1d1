/*! streamlab wait, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function L(){let t=new URL(window.location.href).searchParams.get("theme");return t==="dark"||t!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function B(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),o=L();o!==t.dark&&(t.dark=o);let r=()=>{let s=new URL(window.location.href);t.dark===e.matches?s.searchParams.delete("theme"):s.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",s)};return t.on("dark",r),()=>t.off("dark",r)}function i(t,e={},o=[]){let r=document.createElement(t);for(let[s,a]of Object.entries(e))s==="text"?r.textContent=a:a===!0?r.setAttribute(s,""):a!==!1&&a!=null&&r.setAttribute(s,a);return r.append(...o),r}function y(t,e){t.textContent!==e&&(t.textContent=e)}var J=new Intl.NumberFormat("en",{maximumFractionDigits:0}),ft=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),xt=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),Q=t=>t.replace("-","−");function A(t){return Q(J.format(t))}var tt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function U(t,e){let o={},r=0;for(let[s,a,p,u]of t){let h=new tt[a](e,r,p);Array.isArray(u)?u.forEach((d,x)=>{o[d]=Uint8Array.from(h,m=>m>>x&1)}):o[s]=u===1?h:Float32Array.from(h,d=>d/u),r+=h.byteLength}return o}var et=500;function K(t,e,o){var h,d,x,m,v,O;let r=!0,s=0,a=c=>{if(((c==null?void 0:c.kind)==="frame"||(c==null?void 0:c.kind)==="heard")&&clearInterval(s),(c==null?void 0:c.kind)!=="frame")return;let{spec:F,buffer:g,...k}=c;o({...k,...U(F,g)}),t.send_msg({kind:"received",number:k.number})},p=()=>t.send_msg({kind:"ready"});t.on("msg:custom",a);let u=()=>{clearInterval(s),r&&(p(),s=setInterval(p,et))};return(x=(d=(h=e==null?void 0:e.model)==null?void 0:h.document)==null?void 0:d.on_event)==null||x.call(d,"client_reconnected",u),(O=(v=(m=e==null?void 0:e.model)==null?void 0:m.document)==null?void 0:v.on_event)==null||O.call(v,"connection_lost",()=>clearInterval(s)),u(),()=>{r=!1,clearInterval(s),t.off("msg:custom",a)}}function nt(t){var e,o,r,s;for(let a of(o=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?o:[])(s=(r=t.document)==null?void 0:r._new_models)==null||s.delete(a)}function W(t,e,o){var r;nt(e.model),(r=e.__streamlab_dispose)==null||r.call(e),e.__streamlab_dispose=o(),t.on("lifecycle:remove",()=>{var s;(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=void 0})}var rt={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},st={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var ot=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],Y=t=>[`--sl-text:${t.ink}`,...ot.map(e=>`--sl-${e}:${t[e]}`)].join(";"),G=`.sl-view{${Y(rt)}}
.sl-view.sl-dark{${Y(st)}}
`;var z='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',St=`12px ${z}`,$t=`600 12px ${z}`,Mt=`11px ${z}`;var V=`${G}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${z};
  font-size:13px;font-variant-numeric:tabular-nums;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,.sl-scroll,.sl-list):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-muted{color:var(--sl-muted);font-size:12px}
.sl-summary{min-height:1.45em}
.sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0 10px}
.sl-search{display:flex;flex:1 1 230px;gap:10px;align-items:center;min-width:0}
.sl-search .sl-muted{white-space:nowrap}
.sl-search input{font-size:13px;color:inherit;background:transparent;flex:0 1 240px;min-width:0;height:30px;padding:0 10px;
  border:1px solid var(--sl-control);border-radius:6px}
.sl-search input::placeholder{color:var(--sl-muted);opacity:1}
.sl-segments{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-segments button{min-width:34px;min-height:28px;padding:0 10px;border:0;background:none;color:var(--sl-text);cursor:pointer;font-size:12px}
.sl-segments button+button{border-left:1px solid var(--sl-control)}
.sl-segments button:hover{background:var(--sl-track)}
.sl-segments button:focus-visible{outline-offset:-3px}
.sl-segments button[aria-pressed=true]{background:var(--sl-track);font-weight:600}
.sl-legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin-bottom:8px;font-size:12px;line-height:20px;color:var(--sl-muted)}
.sl-legend>span{display:inline-flex;align-items:center;gap:6px}
.sl-legend i{display:inline-block}
.sl-stage{position:relative;outline:none;border-radius:8px;touch-action:pan-y}
.sl-stage.sl-empty-stage{min-height:160px}
.sl-stage.sl-zoomed{touch-action:none;cursor:grab}
.sl-stage.sl-over{cursor:pointer}
.sl-stage.sl-dragging{cursor:grabbing}
.sl-stage canvas{border-radius:8px}
.sl-stage:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-tip{position:absolute;z-index:5;left:0;top:0;max-width:min(310px,100%);padding:8px 10px;border-radius:6px;pointer-events:none;
  background:var(--sl-paper);border:1px solid var(--sl-line);box-shadow:var(--sl-shadow);font-size:12px;white-space:pre-line}
.sl-tip[hidden],.sl-empty[hidden]{display:none}
.sl-tip b{display:block;font-size:13px;font-weight:600}
.sl-empty{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;color:var(--sl-muted);text-align:center;
  border:1px dashed var(--sl-line);border-radius:8px;padding:12px}
.sl-view details{margin-top:12px}
.sl-view summary{display:inline-flex;align-items:center;gap:6px;min-height:28px;padding:0 8px;margin-left:-8px;border-radius:4px;
  cursor:pointer;color:var(--sl-muted);font-size:12px;list-style:none}
.sl-view summary::-webkit-details-marker{display:none}
.sl-view summary::before{content:"\\25B8";font-size:11px}
.sl-view details[open]>summary::before{content:"\\25BE"}
.sl-view summary:hover{color:var(--sl-text)}
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px;
  /* a shade at a side on which there is more */
  --sl-shade:color-mix(in srgb,var(--sl-text) 26%,transparent);background:linear-gradient(to right,var(--sl-card) 50%,transparent) 0 0/28px 100% no-repeat local,
  linear-gradient(to left,var(--sl-card) 50%,transparent) 100% 0/28px 100% no-repeat local,
  linear-gradient(to right,var(--sl-shade),transparent) 0 0/12px 100% no-repeat,linear-gradient(to left,var(--sl-shade),transparent) 100% 0/12px 100% no-repeat}
.sl-view table{border-collapse:collapse;width:100%;font-size:12px}
.sl-view th,.sl-view td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--sl-line);font-weight:400;white-space:nowrap}
.sl-view thead th{position:sticky;top:0;background:var(--sl-paper);color:var(--sl-muted)}
.sl-view :is(th,td):first-child,.sl-view .sl-left{text-align:left}
.sl-view tbody tr:last-child>*{border-bottom:0}
.sl-view td button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;text-decoration:underline}
.sl-view.sl-whole{min-height:var(--sl-room)}
.sl-whole>.sl-bar-row{margin:4px 0 0;gap:4px 10px;padding-right:76px}
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,.sl-summary,details),.sl-whole .sl-because{display:none}
  .sl-stage.sl-empty-stage{min-height:0}}
.sl-whole .sl-search{flex:1 1 120px}.sl-whole .sl-search input{height:26px}.sl-whole .sl-segments button{min-height:24px;min-width:28px}
.sl-whole .sl-legend{margin-bottom:4px;gap:0 12px;font-size:11px}
.sl-whole>details{margin-top:0}
.sl-whole>details:not([open]){position:absolute;right:8px;bottom:0}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>details{position:absolute;z-index:6;top:-4px;right:8px;bottom:auto;max-width:100%}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>details[open]{display:flex;flex-direction:column;align-items:flex-end}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>details>.sl-scroll{max-width:100%;max-height:min(320px,calc(var(--sl-room) - 60px));
  background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>.sl-summary{padding-right:76px}
/* on a phone what is looked at comes before what searches it and takes it away */
@media (max-width:520px){.sl-view{display:flex;flex-direction:column}.sl-view>.sl-bar-row:has(.sl-search){order:1;margin:8px 0 0;padding-right:0}}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var it=`${V}
.sl-wait{position:absolute;inset:0;min-height:calc(100dvh - 60px);display:grid;grid-template-rows:auto minmax(0,1fr) auto;gap:8px;padding:8px 16px;
  pointer-events:auto;background:var(--sl-surface);container-type:normal;overflow:auto}
.sl-wait[hidden]{display:none}
.sl-wait p{margin:0;font-size:16px;line-height:1.35;overflow-wrap:anywhere}
.sl-wait p span{color:var(--sl-muted)}
.sl-wait .sl-place{position:relative;overflow:hidden;display:grid;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-surface)}
.sl-wait .sl-still{position:absolute;inset:0;width:100%;height:100%;object-fit:contain;object-position:center top;opacity:.3}
.sl-wait .sl-told{position:relative;align-self:center;justify-self:center;display:grid;gap:12px;justify-items:center;width:min(560px,100%);padding:20px;
  border-radius:12px;background:var(--sl-surface);box-shadow:0 0 28px 28px var(--sl-surface)}
.sl-wait .sl-bar{width:100%;max-width:420px;height:6px;border-radius:3px;background:var(--sl-line);overflow:hidden}
.sl-wait .sl-bar i{display:block;height:100%;background:var(--sl-accent);transition:width .3s linear}
.sl-wait ul{margin:0;padding:0;list-style:none}
.sl-wait .sl-who li{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline;justify-content:center;min-height:28px;font-size:14px}
.sl-wait .sl-who button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);text-decoration:underline;cursor:pointer}
.sl-wait .sl-sees{font-size:15px;line-height:1.6}
.sl-wait .sl-sees li{padding-left:1.2em;text-indent:-1.2em}
.sl-wait .sl-below{position:sticky;bottom:0;display:flex;background:inherit;flex-wrap:wrap;gap:8px 14px;align-items:center}
.sl-wait .sl-below button{min-height:36px;padding:0 18px;border:1px solid var(--sl-accent);border-radius:18px;background:var(--sl-accent);color:var(--sl-on);
  font-weight:600;cursor:pointer}
.sl-wait .sl-below .sl-back{background:none;color:var(--sl-accent)}
.sl-wait .sl-below button small{font-size:inherit;font-weight:400}
@media (prefers-reduced-motion:reduce){.sl-wait .sl-bar i{transition:none}}
@media (max-width:600px){.sl-wait{min-height:calc(100dvh - 100px)}.sl-wait .sl-below button{min-height:44px}.sl-wait .sl-told{align-self:end;padding:12px}
  .sl-wait .sl-still{opacity:.6}}
`,at="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]",lt=t=>[t.slice(0,-1).join(", "),...t.slice(-1)].filter(Boolean).join(" and ");function X(t){if(t>=90)return`${Math.round(t/60)} minutes`;let e=t>20?5*Math.ceil(t/5):Math.max(1,Math.ceil(t));return`${e} second${e===1?"":"s"}`}function ct({state:t,spent:e,of:o}){return t==="ready"?"ready":t==="next"?`next, ${Math.ceil(o)} s`:`${Math.floor(e)} of ${Math.ceil(o)} s`}function pt(t){if(t.state==="replaying")return[`The saved run is replayed from its first row: ${`row ${A(t.done)} of ${A(t.of)}`}, about ${X(t.seconds)} more.`,"Then it stands where it was saved."];if(t.state!=="waiting")return["The stream is being opened.",""];let e=t.names.length?lt(t.names):"What measures",o=t.names.length>1?"are":"is";return[`${e} ${o} being made ready for this machine, once: about ${X(t.seconds)} more.`,"Then the stream plays."]}function dt(t,e){let o=i("b"),r=i("span"),s=i("p",{role:"status"},[o," ",r]),a=i("img",{class:"sl-still",alt:""}),p=i("i"),u=i("div",{class:"sl-bar",role:"progressbar","aria-label":"Made ready","aria-valuemin":"0","aria-valuemax":"100"},[p]),h=i("ul",{class:"sl-who"}),d=i("b",{text:"What you will see"}),x=i("ul",{class:"sl-sees"}),m=i("span",{class:"sl-muted"}),v=i("div",{class:"sl-told"},[u,h,d,x,m]),O=i("div",{class:"sl-place"},[a,v]),c=i("small",{text:"when ready"}),F=i("span"),g=i("button",{type:"button",class:"sl-later","aria-pressed":"false"},[F," ",c]),k=i("button",{type:"button",class:"sl-back",text:"Back to the run"}),N=i("span",{class:"sl-muted"}),f=i("div",{class:"sl-view sl-wait",role:"region","aria-label":"The run is made ready",hidden:!0},[s,O,i("div",{class:"sl-below"},[g,k,N])]);t.append(i("style",{text:it}),f);let _=new Map,w=!1,R=!1,T=!1,S=null;function D(){y(F,w?"▶ Plays":"▶ Play"),g.setAttribute("aria-pressed",String(w)),g.setAttribute("aria-label",w?"Plays when ready: press to wait instead":"Play when ready")}function I(){w=!w,D(),e({kind:"play",on:w})}g.addEventListener("click",I),k.addEventListener("click",()=>e({kind:"back"})),f.addEventListener("focusin",()=>{T=!0});let P=n=>{if(f.hidden||n.key!==" "||n.ctrlKey||n.metaKey||n.altKey)return;let $=n.composedPath()[0];$ instanceof Element&&$.closest(at)||(n.preventDefault(),n.stopImmediatePropagation(),n.repeat||I())};window.addEventListener("keydown",P,!0);let j=n=>{S=n.detail,R&&H()};window.addEventListener("streamlab:run",j);function H(){let n=T&&(f.contains(t.getRootNode().activeElement)||[null,document.body].includes(document.activeElement));f.hidden=!0,n&&(S==null||S.play.focus({preventScroll:!0})),T=!1}function Z(n){let $=new Set(n.map(({name:l})=>l));for(let[l,b]of _)$.has(l)||(b.row.remove(),_.delete(l));for(let l of n){if(!_.has(l.name)){let E=i("span",{class:"sl-muted"}),M=i("button",{type:"button",text:"begin without it","aria-label":`Begin without ${l.name}`});M.addEventListener("click",()=>e({kind:"without",name:l.name}));let C=i("li",{},[i("b",{text:l.name}),E,M]);_.set(l.name,{row:C,far:E,without:M}),h.append(C)}let b=_.get(l.name);y(b.far,ct(l)),b.without.hidden=!l.optional}}function q(n){var E,M;if(n.state==="over"){R=!0,S&&H();return}if(n.state==="hidden"){f.hidden=!0;return}(f.hidden||R)&&([w,R,S,T]=[!1,!1,null,!1],D()),f.hidden=!1;let[$,l]=pt(n);y(o,$),y(r,l);let b=Math.round(100*((E=n.share)!=null?E:0));p.style.width=`${b}%`,u.setAttribute("aria-valuenow",String(b)),Z((M=n.learners)!=null?M:[]),d.hidden=!n.sees.length,x.childElementCount!==n.sees.length&&x.replaceChildren(...n.sees.map(C=>i("li",{text:C}))),y(m,n.row&&a.src?`Behind this: a picture of row ${A(n.row)} of an earlier run`:""),g.hidden=n.state==="replaying",y(N,n.state==="replaying"?"":n.n_rows?`row 0 of ${A(n.n_rows)}`:"row 0"),k.hidden=!n.back}return{update:q,setDark:n=>f.classList.toggle("sl-dark",n),setStill:n=>{a.hidden=!n,n?a.src=n:a.removeAttribute("src")},destroy:()=>{window.removeEventListener("keydown",P,!0),window.removeEventListener("streamlab:run",j),t.replaceChildren()}}}function Lt({model:t,el:e,view:o}){W(t,o,()=>{let r=dt(e,p=>t.send_msg(p));r.setDark(L()),t.on("dark",()=>r.setDark(t.dark)),r.setStill(t.still),t.on("still",()=>r.setStill(t.still));let s=null,a=K(t,o,p=>{r.update(p),s??=B(t)});return()=>{a(),s==null||s(),r.destroy()}})}export{X as aboutSeconds,dt as createWait,ct as howFar,Lt as render,pt as sentence};
