/*! streamlab projector, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function h(o,e={},r=[]){let n=document.createElement(o);for(let[s,t]of Object.entries(e))s==="text"?n.textContent=t:t===!0?n.setAttribute(s,""):t!==!1&&t!=null&&n.setAttribute(s,t);return n.append(...r),n}function v(o,e,r={}){let n=h("button",{type:"button",text:o,...r});return n.addEventListener("click",e),n}var $="http://www.w3.org/2000/svg";function g(o,e={},r=[]){let n=document.createElementNS($,o);for(let[s,t]of Object.entries(e))n.setAttribute(s,t);return n.append(...r),n}var y=o=>o.ctrlKey||o.metaKey||o.altKey,L="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function k(o,e=L){let[r]=o.composedPath();return r instanceof Element&&r.closest(e)!==null}var R={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},I={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var H=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],_=o=>[`--sl-text:${o.ink}`,...H.map(e=>`--sl-${e}:${o[e]}`)].join(";"),E=`.sl-view{${_(R)}}
.sl-view.sl-dark{${_(I)}}
`;var u='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',X=`13px ${u}`,Z=`600 13px ${u}`,q=`600 18px ${u}`,Q=`11px ${u}`;var N=0,f=typeof document>"u"?void 0:document.fonts,S;(S=f==null?void 0:f.addEventListener)==null||S.call(f,"loadingdone",()=>N++);var A=`${E}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${u};
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
`,O=`
.sl-view:has(.sl-header-button){width:auto;container-type:normal}
.sl-view .sl-header-button{min-height:32px;padding:0 10px;border:1px solid transparent;border-radius:8px;background:none;color:inherit;cursor:pointer;
  font:inherit;font-size:13px;white-space:nowrap}
.sl-view .sl-header-button:is(:hover,[aria-pressed=true]){background:var(--sl-track);color:var(--sl-text)}
`;var P={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function j(o,e){let r={},n=0;for(let[s,t,p,i]of o){let a=new P[t](e,n,p);Array.isArray(i)?i.forEach((l,d)=>{r[l]=Uint8Array.from(a,x=>x>>d&1)}):r[s]=i===1?a:Float32Array.from(a,l=>l/i),n+=a.byteLength}return r}var F=500;function D(o,e,r){var a,l,d,x,b,m;let n=!0,s=0,t=c=>{if(((c==null?void 0:c.kind)==="frame"||(c==null?void 0:c.kind)==="heard")&&clearInterval(s),(c==null?void 0:c.kind)!=="frame")return;let{spec:z,buffer:T,...w}=c;r({...w,...j(z,T)}),o.send_msg({kind:"received",number:w.number})},p=()=>o.send_msg({kind:"ready"});o.on("msg:custom",t);let i=()=>{clearInterval(s),n&&(p(),s=setInterval(p,F))};return(d=(l=(a=e==null?void 0:e.model)==null?void 0:a.document)==null?void 0:l.on_event)==null||d.call(l,"client_reconnected",i),(m=(b=(x=e==null?void 0:e.model)==null?void 0:x.document)==null?void 0:b.on_event)==null||m.call(b,"connection_lost",()=>clearInterval(s)),i(),()=>{n=!1,clearInterval(s),o.off("msg:custom",t)}}function K(o){var e,r,n,s;for(let t of(r=(e=o==null?void 0:o.references)==null?void 0:e.call(o))!=null?r:[])(s=(n=o.document)==null?void 0:n._new_models)==null||s.delete(t)}function B(o,e,r){var n;K(e.model),(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=r(),o.on("lifecycle:remove",()=>{var s;(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=void 0})}var C=o=>({model:e,el:r,view:n})=>{B(e,n,()=>{let s=new AbortController,t=o({model:e,view:n,el:r,send:a=>e.send_msg(a),signal:s.signal});r.append(h("style",{text:A+t.css}),t.box);let p=()=>{var a;t.box.classList.toggle("sl-dark",!!e.dark),(a=t.setDark)==null||a.call(t,e.dark)};for(let[a,l]of Object.entries({dark:p,...t.follows}))e.on(a,l),l();t.hear&&e.on("msg:custom",t.hear);let i=t.update&&D(e,n,t.update);return()=>{var a;s.abort(),i==null||i(),t.hear&&e.off("msg:custom",t.hear),(a=t.destroy)==null||a.call(t),r.replaceChildren()}})};var M=[1280*13/18,720*13/18],Y=`${O}
@media (max-width:600px){.sl-view .sl-projector{display:none}}
`,U="input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]",pe=C(({send:o,signal:e})=>{let r=!1,n=()=>{let{style:i}=document.documentElement,a=r?String(Math.min(innerWidth/M[0],innerHeight/M[1])):"";i.zoom=a;for(let[l,d]of[["larger",a],["projected",r?"1":""],["aside",r?"none":""]])d?i.setProperty(`--streamlab-${l}`,d):i.removeProperty(`--streamlab-${l}`);t.setAttribute("aria-pressed",String(r))},s=()=>{r=!r,n(),o({kind:"projector",on:r})},t=v(null,s,{class:"sl-header-button sl-projector","aria-pressed":"false","aria-label":"Projector",title:"For a class: one story, one picture, one curve, large (P)"});t.append(g("svg",{viewBox:"0 0 24 24",width:18,height:18,"aria-hidden":"true",fill:"none",stroke:"currentColor","stroke-width":2},[g("path",{d:"M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"})])),document.addEventListener("keydown",i=>{!(i.key.toLowerCase()==="p"||r&&i.key==="Escape")||k(i,U)||y(i)||i.defaultPrevented||(i.preventDefault(),s())},{signal:e}),window.addEventListener("resize",()=>r&&n(),{signal:e});let p=()=>{r=!1,n()};return{box:h("div",{class:"sl-view"},[t]),css:Y,destroy:p}});export{pe as render};
