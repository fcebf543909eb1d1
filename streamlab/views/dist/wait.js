/*! streamlab wait, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function l(t,e={},n=[]){let o=document.createElement(t);for(let[s,r]of Object.entries(e))s==="text"?o.textContent=r:r===!0?o.setAttribute(s,""):r!==!1&&r!=null&&o.setAttribute(s,r);return o.append(...n),o}function F(t,e,n={}){let o=l("button",{type:"button",text:t,...n});return o.addEventListener("click",e),o}function S(t,e){t.textContent!==e&&(t.textContent=e)}var C=t=>t.ctrlKey||t.metaKey||t.altKey,X="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function R(t,e=X){let[n]=t.composedPath();return n instanceof Element&&n.closest(e)!==null}function L(){let t=new URL(window.location.href).searchParams.get("theme");return t==="dark"||t!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function D(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),n=L();n!==t.dark&&(t.dark=n);let o=()=>{let s=new URL(window.location.href);t.dark===e.matches?s.searchParams.delete("theme"):s.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",s)};return t.on("dark",o),()=>t.off("dark",o)}var Z=new Intl.NumberFormat("en",{maximumFractionDigits:0}),mt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),gt=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),Q=t=>t.replace("-","−");function O(t){return Q(Z.format(t))}var tt={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},et={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var rt=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],H=t=>[`--sl-text:${t.ink}`,...rt.map(e=>`--sl-${e}:${t[e]}`)].join(";"),j=`.sl-view{${H(tt)}}
.sl-view.sl-dark{${H(et)}}
`;var y='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',St=`13px ${y}`,At=`600 13px ${y}`,_t=`600 18px ${y}`,Et=`11px ${y}`;var ot=0,A=typeof document>"u"?void 0:document.fonts,K;(K=A==null?void 0:A.addEventListener)==null||K.call(A,"loadingdone",()=>ot++);var U=`${j}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${y};
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
@media (max-width:520px){.sl-view{display:flex;flex-direction:column}.sl-view>.sl-bar-row:has(.sl-search){order:1;margin:24px 0 0;padding-right:0;gap:8px 6px}
  .sl-view>details{order:2;margin-top:0}.sl-search{flex:1 1 100px}.sl-search input{flex:1 1 100px}.sl-segments button{padding:0 8px;min-width:32px}
  @container style(--sl-first:1){.sl-view:has(.sl-tools):not(:focus-within)>:is(.sl-bar-row,details:not([open])){display:none}}}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var nt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function st(t,e){let n={},o=0;for(let[s,r,h,c]of t){let i=new nt[r](e,o,h);Array.isArray(c)?c.forEach((d,f)=>{n[d]=Uint8Array.from(i,m=>m>>f&1)}):n[s]=c===1?i:Float32Array.from(i,d=>d/c),o+=i.byteLength}return n}var at=500;function it(t,e,n){var i,d,f,m,g,_;let o=!0,s=0,r=p=>{if(((p==null?void 0:p.kind)==="frame"||(p==null?void 0:p.kind)==="heard")&&clearInterval(s),(p==null?void 0:p.kind)!=="frame")return;let{spec:x,buffer:E,...v}=p;n({...v,...st(x,E)}),t.send_msg({kind:"received",number:v.number})},h=()=>t.send_msg({kind:"ready"});t.on("msg:custom",r);let c=()=>{clearInterval(s),o&&(h(),s=setInterval(h,at))};return(f=(d=(i=e==null?void 0:e.model)==null?void 0:i.document)==null?void 0:d.on_event)==null||f.call(d,"client_reconnected",c),(_=(g=(m=e==null?void 0:e.model)==null?void 0:m.document)==null?void 0:g.on_event)==null||_.call(g,"connection_lost",()=>clearInterval(s)),c(),()=>{o=!1,clearInterval(s),t.off("msg:custom",r)}}function lt(t){var e,n,o,s;for(let r of(n=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?n:[])(s=(o=t.document)==null?void 0:o._new_models)==null||s.delete(r)}function ct(t,e,n){var o;lt(e.model),(o=e.__streamlab_dispose)==null||o.call(e),e.__streamlab_dispose=n(),t.on("lifecycle:remove",()=>{var s;(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=void 0})}var B=t=>({model:e,el:n,view:o})=>{ct(e,o,()=>{let s=new AbortController,r=t({model:e,view:o,el:n,send:i=>e.send_msg(i),signal:s.signal});n.append(l("style",{text:U+r.css}),r.box);let h=()=>{var i;r.box.classList.toggle("sl-dark",!!e.dark),(i=r.setDark)==null||i.call(r,e.dark)};for(let[i,d]of Object.entries({dark:h,...r.follows}))e.on(i,d),d();r.hear&&e.on("msg:custom",r.hear);let c=r.update&&it(e,o,r.update);return()=>{var i;s.abort(),c==null||c(),r.hear&&e.off("msg:custom",r.hear),(i=r.destroy)==null||i.call(r),n.replaceChildren()}})};var dt=`
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
.sl-wait .sl-sees{font-size:15px;line-height:1.6}
.sl-wait .sl-sees li{padding-left:1.2em;text-indent:-1.2em}
.sl-wait .sl-below{position:sticky;bottom:0;display:flex;background:inherit;flex-wrap:wrap;gap:8px 14px;align-items:center}
.sl-wait .sl-below button{min-height:36px;padding:0 18px;border:1px solid var(--sl-accent);border-radius:18px;background:var(--sl-accent);color:var(--sl-on);
  font-weight:600;cursor:pointer}
.sl-wait .sl-below .sl-back{background:none;color:var(--sl-accent)}
.sl-wait .sl-below button small{font-size:inherit;font-weight:400}
@media (prefers-reduced-motion:reduce){.sl-wait .sl-bar i{transition:none}}
@media (max-width:600px){.sl-wait{min-height:calc(100dvh - 100px)}.sl-wait .sl-below button{min-height:44px}.sl-wait .sl-told{align-self:end;padding:12px}}
`,pt=new Intl.ListFormat("en-GB");function Y(t){if(t>=90)return`${Math.round(t/60)} minutes`;let e=t>20?5*Math.ceil(t/5):Math.max(1,Math.ceil(t));return`${e} second${e===1?"":"s"}`}function ut(t){if(t.state==="replaying")return[`The saved run is replayed from its first row: ${`row ${O(t.done)} of ${O(t.of)}`}, about ${Y(t.seconds)} more.`,"Then it stands where it was saved."];if(t.state!=="waiting")return["The stream is being opened.",""];let e=t.names.length?pt.format(t.names):"What measures",n=t.names.length>1?"are":"is";return[`${e} ${n} being made ready for this machine, once: about ${Y(t.seconds)} more.`,"Then the stream plays."]}var Rt=B(({model:t,el:e,send:n,signal:o})=>{let s=l("b"),r=l("span"),h=l("p",{role:"status"},[s," ",r]),c=l("i"),i=l("div",{class:"sl-bar",role:"progressbar","aria-label":"Made ready","aria-valuemin":"0","aria-valuemax":"100"},[c]),d=l("b",{text:"What you will see"}),f=l("ul",{class:"sl-sees"}),m=l("div",{class:"sl-told"},[i,d,f]),g=l("div",{class:"sl-place"},[m]),_=l("small",{text:"when ready"}),p=l("span"),x=l("button",{type:"button",class:"sl-later","aria-pressed":"false"},[p," ",_]),E=F("Back to the run",()=>n({kind:"back"}),{class:"sl-back"}),v=l("span",{class:"sl-muted"}),u=l("div",{class:"sl-view sl-wait",role:"region","aria-label":"The run is made ready",hidden:!0},[h,g,l("div",{class:"sl-below"},[x,E,v])]),w=!1,$=!1,M=!1,b=null;function T(){S(p,w?"▶ Plays":"▶ Play"),x.setAttribute("aria-pressed",String(w)),x.setAttribute("aria-label",w?"Plays when ready: press to wait instead":"Play when ready")}function I(){w=!w,T(),n({kind:"play",on:w})}x.addEventListener("click",I),u.addEventListener("focusin",()=>{M=!0});let W=a=>{u.hidden||a.key!==" "||C(a)||R(a)||(a.preventDefault(),a.stopImmediatePropagation(),a.repeat||I())};window.addEventListener("keydown",W,{capture:!0,signal:o}),window.addEventListener("streamlab:run",a=>{b=a.detail,$&&N()},{signal:o});function N(){let a=M&&(u.contains(e.getRootNode().activeElement)||[null,document.body].includes(document.activeElement));u.hidden=!0,a&&(b==null||b.play.focus({preventScroll:!0})),M=!1}let k=null;function G(a){var z;if(k??=D(t),a.state==="over"){$=!0,b&&N();return}if(a.state==="hidden"){u.hidden=!0;return}(u.hidden||$)&&([w,$,b,M]=[!1,!1,null,!1],T()),u.hidden=!1;let[J,V]=ut(a);S(s,J),S(r,V);let P=Math.round(100*((z=a.share)!=null?z:0));c.style.width=`${P}%`,i.setAttribute("aria-valuenow",String(P)),d.hidden=!a.sees.length,f.childElementCount!==a.sees.length&&f.replaceChildren(...a.sees.map(q=>l("li",{text:q}))),x.hidden=a.state==="replaying",S(v,a.state==="replaying"?"":a.n_rows?`row 0 of ${O(a.n_rows)}`:"row 0"),E.hidden=!a.back}return{box:u,css:dt,update:G,follows:{dark:()=>u.classList.toggle("sl-dark",k?t.dark:L())},destroy:()=>k==null?void 0:k()}});export{Y as aboutSeconds,Rt as render,ut as sentence};
