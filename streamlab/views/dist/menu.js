/*! streamlab menu, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function c(t,e={},s=[]){let o=document.createElement(t);for(let[n,r]of Object.entries(e))n==="text"?o.textContent=r:r===!0?o.setAttribute(n,""):r!==!1&&r!=null&&o.setAttribute(n,r);return o.append(...s),o}function w(t,e,s={}){let o=c("button",{type:"button",text:t,...s});return o.addEventListener("click",e),o}var v=t=>t.ctrlKey||t.metaKey||t.altKey;function y(t){window.__streamlab_afresh=!(v(t)||t.shiftKey)}var R={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},z={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var M=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],k=t=>[`--sl-text:${t.ink}`,...M.map(e=>`--sl-${e}:${t[e]}`)].join(";"),S=`.sl-view{${k(R)}}
.sl-view.sl-dark{${k(z)}}
`;var x='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',V=`13px ${x}`,G=`600 13px ${x}`,W=`600 18px ${x}`,q=`11px ${x}`;var $=0,b=typeof document>"u"?void 0:document.fonts,_;(_=b==null?void 0:b.addEventListener)==null||_.call(b,"loadingdone",()=>$++);var A=`${S}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${x};
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
`,E=`
.sl-view:has(.sl-header-button){width:auto;container-type:normal}
.sl-view .sl-header-button{min-height:32px;padding:0 10px;border:1px solid transparent;border-radius:8px;background:none;color:inherit;cursor:pointer;
  font:inherit;font-size:13px;white-space:nowrap}
.sl-view .sl-header-button:is(:hover,[aria-pressed=true]){background:var(--sl-track);color:var(--sl-text)}
`;var I={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function P(t,e){let s={},o=0;for(let[n,r,p,a]of t){let i=new I[r](e,o,p);Array.isArray(a)?a.forEach((l,u)=>{s[l]=Uint8Array.from(i,h=>h>>u&1)}):s[n]=a===1?i:Float32Array.from(i,l=>l/a),o+=i.byteLength}return s}var T=500;function N(t,e,s){var i,l,u,h,f,m;let o=!0,n=0,r=d=>{if(((d==null?void 0:d.kind)==="frame"||(d==null?void 0:d.kind)==="heard")&&clearInterval(n),(d==null?void 0:d.kind)!=="frame")return;let{spec:C,buffer:L,...g}=d;s({...g,...P(C,L)}),t.send_msg({kind:"received",number:g.number})},p=()=>t.send_msg({kind:"ready"});t.on("msg:custom",r);let a=()=>{clearInterval(n),o&&(p(),n=setInterval(p,T))};return(u=(l=(i=e==null?void 0:e.model)==null?void 0:i.document)==null?void 0:l.on_event)==null||u.call(l,"client_reconnected",a),(m=(f=(h=e==null?void 0:e.model)==null?void 0:h.document)==null?void 0:f.on_event)==null||m.call(f,"connection_lost",()=>clearInterval(n)),a(),()=>{o=!1,clearInterval(n),t.off("msg:custom",r)}}function D(t){var e,s,o,n;for(let r of(s=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?s:[])(n=(o=t.document)==null?void 0:o._new_models)==null||n.delete(r)}function F(t,e,s){var o;D(e.model),(o=e.__streamlab_dispose)==null||o.call(e),e.__streamlab_dispose=s(),t.on("lifecycle:remove",()=>{var n;(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=void 0})}var O=t=>({model:e,el:s,view:o})=>{F(e,o,()=>{let n=new AbortController,r=t({model:e,view:o,el:s,send:i=>e.send_msg(i),signal:n.signal});s.append(c("style",{text:A+r.css}),r.box);let p=()=>{var i;r.box.classList.toggle("sl-dark",!!e.dark),(i=r.setDark)==null||i.call(r,e.dark)};for(let[i,l]of Object.entries({dark:p,...r.follows}))e.on(i,l),l();r.hear&&e.on("msg:custom",r.hear);let a=r.update&&N(e,o,r.update);return()=>{var i;n.abort(),a==null||a(),r.hear&&e.off("msg:custom",r.hear),(i=r.destroy)==null||i.call(r),s.replaceChildren()}})};var H=`${E}
.sl-menu{position:relative;display:inline-block}
.sl-menu [hidden]{display:none!important}
.sl-menu ul{position:absolute;left:0;top:40px;z-index:1300;width:min(400px,calc(100vw - 24px));max-height:calc(100dvh - 80px);overflow:auto;
  margin:0;padding:6px;list-style:none;border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);box-shadow:var(--sl-shadow);
  text-align:left}
.sl-menu a{display:block;padding:8px 12px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-menu a:hover{background:var(--sl-track)}
.sl-view .sl-menu a:focus-visible{outline-offset:-2px}
.sl-menu a[aria-current]{box-shadow:inset 3px 0 0 var(--sl-accent)}
.sl-menu b{font-weight:600;font-size:14px}
.sl-menu small{color:var(--sl-muted);font-size:13px;margin-left:8px;white-space:nowrap}
.sl-menu span{display:block;color:var(--sl-muted);font-size:13px;line-height:1.4}
.sl-menu ul.sl-leftwards{left:auto;right:0}
@media (max-width:760px){.sl-menu ul,.sl-menu ul.sl-leftwards{position:fixed;left:12px;right:12px;top:50px;width:auto}}
`,le=O(({model:t,signal:e})=>{let s=c("ul",{hidden:!0,"aria-label":t.label}),o=w(t.label,()=>r(s.hidden),{class:"sl-header-button","aria-expanded":"false"}),n=c("nav",{class:"sl-menu","aria-label":t.label},[o,s]),r=a=>{s.classList.toggle("sl-leftwards",o.getBoundingClientRect().left>window.innerWidth/2),a&&p(),s.hidden=!a,o.setAttribute("aria-expanded",String(a))},p=()=>{let a=new URL(window.location.href).searchParams.get("theme");s.replaceChildren(...t.links.map(([i,l,u,h])=>{let f=a===null?"":`${i.includes("?")?"&":"?"}theme=${encodeURIComponent(a)}`,m=c("a",{href:i+f,"aria-current":i===t.current?"true":null},[c("b",{text:l}),...u?[c("small",{text:u})]:[],c("span",{text:h})]);return m.addEventListener("click",y),c("li",{},[m])})),n.hidden=!t.links.length};return n.addEventListener("keydown",a=>{a.stopPropagation(),a.key==="Escape"&&(r(!1),o.focus())}),document.addEventListener("pointerdown",a=>a.composedPath().includes(n)||r(!1),{signal:e}),{box:c("div",{class:"sl-view"},[n]),css:H,follows:{links:p,current:p}}});export{le as render};
