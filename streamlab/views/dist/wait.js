/*! streamlab wait, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function i(t,e={},r=[]){let n=document.createElement(t);for(let[s,o]of Object.entries(e))s==="text"?n.textContent=o:o===!0?n.setAttribute(s,""):o!==!1&&o!=null&&n.setAttribute(s,o);return n.append(...r),n}function F(t,e,r={}){let n=i("button",{type:"button",text:t,...r});return n.addEventListener("click",e),n}function k(t,e){t.textContent!==e&&(t.textContent=e)}var R=t=>t.ctrlKey||t.metaKey||t.altKey,et="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function U(t,e=et){let[r]=t.composedPath();return r instanceof Element&&r.closest(e)!==null}function D(){let t=new URL(window.location.href).searchParams.get("theme");return t==="dark"||t!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function Y(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),r=D();r!==t.dark&&(t.dark=r);let n=()=>{let s=new URL(window.location.href);t.dark===e.matches?s.searchParams.delete("theme"):s.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",s)};return t.on("dark",n),()=>t.off("dark",n)}var rt=new Intl.NumberFormat("en",{maximumFractionDigits:0}),kt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),St=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),ot=t=>t.replace("-","−");function P(t){return ot(rt.format(t))}var nt={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},st={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var at=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],W=t=>[`--sl-text:${t.ink}`,...at.map(e=>`--sl-${e}:${t[e]}`)].join(";"),G=`.sl-view{${W(nt)}}
.sl-view.sl-dark{${W(st)}}
`;var S='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',Mt=`13px ${S}`,Ot=`600 13px ${S}`,Ct=`600 18px ${S}`,Lt=`11px ${S}`;var it=0,O=typeof document>"u"?void 0:document.fonts,J;(J=O==null?void 0:O.addEventListener)==null||J.call(O,"loadingdone",()=>it++);var V=`${G}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${S};
  font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:break-word;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,a,code,pre,.sl-scroll):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-muted{color:var(--sl-muted);font-size:13px}
.sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0 10px}
.sl-tools{display:contents}
.sl-search{display:flex;flex:1 1 230px;gap:10px;align-items:center;min-width:0}
.sl-search .sl-muted{white-space:nowrap}
.sl-search input{font-size:13px;color:inherit;background:transparent;flex:0 1 240px;min-width:0;height:30px;padding:0 10px;
  border:1px solid var(--sl-control);border-radius:6px}
.sl-search input::placeholder{color:var(--sl-muted);opacity:1}
.sl-segments{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-segments button{min-width:34px;min-height:28px;padding:0 10px;border:0;background:none;color:var(--sl-text);cursor:pointer;font-size:13px}
.sl-segments button+button{border-left:1px solid var(--sl-control)}
.sl-segments button:hover{background:var(--sl-track)}
.sl-segments button:focus-visible{outline-offset:-3px}
.sl-segments button[aria-pressed=true]{background:var(--sl-track);font-weight:600}
.sl-stage{position:relative;outline:none;border-radius:8px;touch-action:pan-y}
.sl-stage.sl-empty-stage{min-height:160px}
.sl-stage.sl-zoomed{touch-action:none;cursor:grab}
.sl-stage.sl-over{cursor:pointer}
.sl-stage.sl-dragging{cursor:grabbing}
.sl-stage canvas{border-radius:8px}
.sl-stage:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-tip{position:absolute;z-index:5;left:0;top:0;max-width:min(310px,100%);padding:8px 10px;border-radius:6px;pointer-events:none;
  background:var(--sl-paper);border:1px solid var(--sl-line);box-shadow:var(--sl-shadow);font-size:13px;white-space:pre-line}
.sl-tip[hidden],.sl-empty[hidden]{display:none}
.sl-tip b{display:block;font-size:13px;font-weight:600}
.sl-empty{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;color:var(--sl-muted);text-align:center;
  border:1px dashed var(--sl-line);border-radius:8px;padding:12px}
.sl-view details{margin-top:12px}
.sl-view summary{display:inline-flex;align-items:center;gap:6px;min-height:28px;padding:0 8px;margin-left:-8px;border-radius:4px;
  cursor:pointer;color:var(--sl-muted);font-size:13px;list-style:none}
.sl-view summary::-webkit-details-marker{display:none}
.sl-view summary::before{content:"\\25B8";font-size:11px}
.sl-view details[open]>summary::before{content:"\\25BE"}
.sl-view summary:hover{color:var(--sl-text)}
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px;
  /* a shade at a side on which there is more */
  --sl-shade:color-mix(in srgb,var(--sl-text) 26%,transparent);background:linear-gradient(to right,var(--sl-card) 50%,transparent) 0 0/28px 100% no-repeat local,
  linear-gradient(to left,var(--sl-card) 50%,transparent) 100% 0/28px 100% no-repeat local,
  linear-gradient(to right,var(--sl-shade),transparent) 0 0/12px 100% no-repeat,linear-gradient(to left,var(--sl-shade),transparent) 100% 0/12px 100% no-repeat}
.sl-view table{border-collapse:collapse;width:100%;font-size:13px}
.sl-view th,.sl-view td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--sl-line);font-weight:400;white-space:nowrap}
.sl-view thead th{position:sticky;top:0;background:var(--sl-paper);color:var(--sl-muted)}
.sl-view :is(th,td):first-child,.sl-view .sl-left{text-align:left}
.sl-view tbody tr:last-child>*{border-bottom:0}
.sl-view td button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;text-decoration:underline}
.sl-view.sl-whole{min-height:var(--sl-room)}
.sl-whole>.sl-bar-row{margin:4px 0 0;gap:4px 10px}
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,details){display:none}
  .sl-stage.sl-empty-stage{min-height:0}}
.sl-whole .sl-search{flex:1 1 120px}.sl-whole .sl-search input{height:26px}.sl-whole .sl-segments button{min-height:24px;min-width:28px}
.sl-whole>details{margin-top:0}
.sl-whole>details:not([open]){position:absolute;right:8px;bottom:0}
.sl-whole:has(.sl-tools)>details{position:absolute;z-index:6;top:var(--sl-tools-top,-4px);right:8px;bottom:auto;max-width:100%}
.sl-whole:has(.sl-tools)>details[open]{display:flex;flex-direction:column;align-items:flex-end}
.sl-whole:has(.sl-tools)>details>.sl-scroll{max-width:100%;max-height:min(320px,calc(var(--sl-room) - 60px));
  background:var(--sl-paper);box-shadow:var(--sl-shadow)}
/* as on Plotly's charts, tools come when the picture is pointed at, or by the keyboard; where nothing can be pointed at they stay */
@media (hover:hover){.sl-whole .sl-tools{position:absolute;z-index:6;margin-right:64px;display:flex;align-items:center;gap:6px}
  .sl-whole:has(.sl-tools) :is(.sl-tools,.sl-view>details){top:var(--sl-tools-top,-4px);right:0;background:var(--sl-paper);opacity:0;transition:opacity .12s}
  .sl-whole .sl-tools .sl-search{flex:none;flex-direction:row-reverse}.sl-whole .sl-tools input{width:140px;transition:width .12s}
  .sl-whole .sl-tools input:placeholder-shown:not(:focus){width:70px;padding:0 4px 0 8px;text-overflow:ellipsis}
  .sl-whole:is(:hover,:focus-within,:has(details[open]),:has(input:not(:placeholder-shown))) :is(.sl-tools,.sl-view>details){opacity:1}}
/* on a phone what is looked at comes before what searches it and takes it away */
@media (max-width:520px){.sl-view{display:flex;flex-direction:column}.sl-view>.sl-bar-row:has(.sl-search){order:1;margin:8px 0 0;padding-right:0;gap:8px 6px}
  .sl-view>details{order:2;margin-top:0}.sl-search{flex:1 1 100px}.sl-search input{flex:1 1 100px}.sl-segments button{padding:0 8px;min-width:32px}
  @container style(--sl-first:1){.sl-view:has(.sl-tools):not(:focus-within)>:is(.sl-bar-row,details:not([open])){display:none}}}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var lt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function ct(t,e){let r={},n=0;for(let[s,o,f,d]of t){let l=new lt[o](e,n,f);Array.isArray(d)?d.forEach((p,w)=>{r[p]=Uint8Array.from(l,x=>x>>w&1)}):r[s]=d===1?l:Float32Array.from(l,p=>p/d),n+=l.byteLength}return r}var dt=500;function pt(t,e,r){var l,p,w,x,y,C;let n=!0,s=0,o=u=>{if(((u==null?void 0:u.kind)==="frame"||(u==null?void 0:u.kind)==="heard")&&clearInterval(s),(u==null?void 0:u.kind)!=="frame")return;let{spec:L,buffer:m,...$}=u;r({...$,...ct(L,m)}),t.send_msg({kind:"received",number:$.number})},f=()=>t.send_msg({kind:"ready"});t.on("msg:custom",o);let d=()=>{clearInterval(s),n&&(f(),s=setInterval(f,dt))};return(w=(p=(l=e==null?void 0:e.model)==null?void 0:l.document)==null?void 0:p.on_event)==null||w.call(p,"client_reconnected",d),(C=(y=(x=e==null?void 0:e.model)==null?void 0:x.document)==null?void 0:y.on_event)==null||C.call(y,"connection_lost",()=>clearInterval(s)),d(),()=>{n=!1,clearInterval(s),t.off("msg:custom",o)}}function ut(t){var e,r,n,s;for(let o of(r=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?r:[])(s=(n=t.document)==null?void 0:n._new_models)==null||s.delete(o)}function ht(t,e,r){var n;ut(e.model),(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=r(),t.on("lifecycle:remove",()=>{var s;(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=void 0})}var q=t=>({model:e,el:r,view:n})=>{ht(e,n,()=>{let s=new AbortController,o=t({model:e,view:n,el:r,send:l=>e.send_msg(l),signal:s.signal});r.append(i("style",{text:V+o.css}),o.box);let f=()=>{var l;o.box.classList.toggle("sl-dark",!!e.dark),(l=o.setDark)==null||l.call(o,e.dark)};for(let[l,p]of Object.entries({dark:f,...o.follows}))e.on(l,p),p();o.hear&&e.on("msg:custom",o.hear);let d=o.update&&pt(e,n,o.update);return()=>{var l;s.abort(),d==null||d(),o.hear&&e.off("msg:custom",o.hear),(l=o.destroy)==null||l.call(o),r.replaceChildren()}})};var ft=`
.sl-wait{position:absolute;inset:0;min-height:calc(100dvh - 60px);display:grid;grid-template-rows:auto minmax(0,1fr) auto;gap:8px;padding:8px 16px;
  pointer-events:auto;background:var(--sl-surface);container-type:normal;overflow:auto}
.sl-wait[hidden]{display:none}
.sl-wait p{margin:0;font-size:16px;line-height:1.35;overflow-wrap:anywhere}
.sl-wait p span{color:var(--sl-muted)}
.sl-wait .sl-place{position:relative;overflow:hidden;display:grid;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-surface)}
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
@media (max-width:600px){.sl-wait{min-height:calc(100dvh - 100px)}.sl-wait .sl-below button{min-height:44px}.sl-wait .sl-told{align-self:end;padding:12px}}
`,xt=new Intl.ListFormat("en-GB");function X(t){if(t>=90)return`${Math.round(t/60)} minutes`;let e=t>20?5*Math.ceil(t/5):Math.max(1,Math.ceil(t));return`${e} second${e===1?"":"s"}`}function wt({state:t,spent:e,of:r}){return t==="ready"?"ready":t==="next"?`next, ${Math.ceil(r)} s`:`${Math.floor(e)} of ${Math.ceil(r)} s`}function mt(t){if(t.state==="replaying")return[`The saved run is replayed from its first row: ${`row ${P(t.done)} of ${P(t.of)}`}, about ${X(t.seconds)} more.`,"Then it stands where it was saved."];if(t.state!=="waiting")return["The stream is being opened.",""];let e=t.names.length?xt.format(t.names):"What measures",r=t.names.length>1?"are":"is";return[`${e} ${r} being made ready for this machine, once: about ${X(t.seconds)} more.`,"Then the stream plays."]}var Bt=q(({model:t,el:e,send:r,signal:n})=>{let s=i("b"),o=i("span"),f=i("p",{role:"status"},[s," ",o]),d=i("i"),l=i("div",{class:"sl-bar",role:"progressbar","aria-label":"Made ready","aria-valuemin":"0","aria-valuemax":"100"},[d]),p=i("ul",{class:"sl-who"}),w=i("b",{text:"What you will see"}),x=i("ul",{class:"sl-sees"}),y=i("div",{class:"sl-told"},[l,p,w,x]),C=i("div",{class:"sl-place"},[y]),u=i("small",{text:"when ready"}),L=i("span"),m=i("button",{type:"button",class:"sl-later","aria-pressed":"false"},[L," ",u]),$=F("Back to the run",()=>r({kind:"back"}),{class:"sl-back"}),j=i("span",{class:"sl-muted"}),h=i("div",{class:"sl-view sl-wait",role:"region","aria-label":"The run is made ready",hidden:!0},[f,C,i("div",{class:"sl-below"},[m,$,j])]),A=new Map,g=!1,T=!1,I=!1,v=null;function H(){k(L,g?"▶ Plays":"▶ Play"),m.setAttribute("aria-pressed",String(g)),m.setAttribute("aria-label",g?"Plays when ready: press to wait instead":"Play when ready")}function K(){g=!g,H(),r({kind:"play",on:g})}m.addEventListener("click",K),h.addEventListener("focusin",()=>{I=!0});let Z=a=>{h.hidden||a.key!==" "||R(a)||U(a)||(a.preventDefault(),a.stopImmediatePropagation(),a.repeat||K())};window.addEventListener("keydown",Z,{capture:!0,signal:n}),window.addEventListener("streamlab:run",a=>{v=a.detail,T&&B()},{signal:n});function B(){let a=I&&(h.contains(e.getRootNode().activeElement)||[null,document.body].includes(document.activeElement));h.hidden=!0,a&&(v==null||v.play.focus({preventScroll:!0})),I=!1}function Q(a){let z=new Set(a.map(({name:c})=>c));for(let[c,b]of A)z.has(c)||(b.row.remove(),A.delete(c));for(let c of a){if(!A.has(c.name)){let E=i("span",{class:"sl-muted"}),M=F("begin without it",()=>r({kind:"without",name:c.name}),{"aria-label":`Begin without ${c.name}`}),N=i("li",{},[i("b",{text:c.name}),E,M]);A.set(c.name,{row:N,far:E,without:M}),p.append(N)}let b=A.get(c.name);k(b.far,wt(c)),b.without.hidden=!c.optional}}let _=null;function tt(a){var E,M;if(_??=Y(t),a.state==="over"){T=!0,v&&B();return}if(a.state==="hidden"){h.hidden=!0;return}(h.hidden||T)&&([g,T,v,I]=[!1,!1,null,!1],H()),h.hidden=!1;let[z,c]=mt(a);k(s,z),k(o,c);let b=Math.round(100*((E=a.share)!=null?E:0));d.style.width=`${b}%`,l.setAttribute("aria-valuenow",String(b)),Q((M=a.learners)!=null?M:[]),w.hidden=!a.sees.length,x.childElementCount!==a.sees.length&&x.replaceChildren(...a.sees.map(N=>i("li",{text:N}))),m.hidden=a.state==="replaying",k(j,a.state==="replaying"?"":a.n_rows?`row 0 of ${P(a.n_rows)}`:"row 0"),$.hidden=!a.back}return{box:h,css:ft,update:tt,follows:{dark:()=>h.classList.toggle("sl-dark",_?t.dark:D())},destroy:()=>_==null?void 0:_()}});export{X as aboutSeconds,wt as howFar,Bt as render,mt as sentence};
