/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function p(e,t={},n=[]){let o=document.createElement(e);for(let[r,a]of Object.entries(t))r==="text"?o.textContent=a:a===!0?o.setAttribute(r,""):a!==!1&&a!=null&&o.setAttribute(r,a);return o.append(...n),o}function R(e,t,n={}){let o=p("button",{type:"button",text:e,...n});return o.addEventListener("click",t),o}function U(e,t,n,o={}){let r=p("select",{"aria-label":e,...o});return Re(r,t),r.addEventListener("change",()=>n(r.value)),r}function Re(e,t,n=e.value){let o=JSON.stringify(t),r=e.slKey!==o;return e.slKey=o,r&&e.replaceChildren(...t.map(([a,d])=>p("option",{value:String(a),text:d}))),e.value!==String(n)&&(e.value=String(n)),e.selectedIndex<0&&(e.selectedIndex=0),r}var Ne="http://www.w3.org/2000/svg";function Y(e,t={},n=[]){let o=document.createElementNS(Ne,e);for(let[r,a]of Object.entries(t))o.setAttribute(r,a);return o.append(...n),o}function v(e,t){e.textContent!==t&&(e.textContent=t)}var q=e=>e.ctrlKey||e.metaKey||e.altKey,W="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function pe(e,t=W){let[n]=e.composedPath();return n instanceof Element&&n.closest(t)!==null}function Ie(){let e=new URL(window.location.href).searchParams.get("theme");return e==="dark"||e!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function de(e){let t=window.matchMedia("(prefers-color-scheme: dark)"),n=Ie();n!==e.dark&&(e.dark=n);let o=()=>{let r=new URL(window.location.href);e.dark===t.matches?r.searchParams.delete("theme"):r.searchParams.set("theme",e.dark?"dark":"light"),window.history.replaceState(null,"",r)};return e.on("dark",o),()=>e.off("dark",o)}function I(e){let t=new URL(window.location.href),n=t.searchParams.get("theme");t.search=e,n&&t.searchParams.set("theme",n),t.href!==window.location.href&&window.history.replaceState(null,"",t)}var ce="streamlab.recent",je=6,Fe=2e3;function De(){var e;try{let t=JSON.parse((e=window.localStorage.getItem(ce))!=null?e:"[]");return Array.isArray(t)?t:[]}catch{return[]}}var N=class{constructor(){this.id=`${Date.now()} ${Math.random()}`,this.due=0}keep(t,n,o){if(!t||performance.now()<this.due&&!o)return;this.due=performance.now()+Fe;let r=new URL(window.location.href);r.searchParams.delete("theme"),r.searchParams.has("lesson")||r.searchParams.set("at",String(n));let a=r.pathname.slice(r.pathname.lastIndexOf("/")+1),d={id:this.id,page:a,query:r.search.slice(1),about:t,position:n,at:Date.now()},c=De().filter(i=>(i==null?void 0:i.id)!==this.id);try{window.localStorage.setItem(ce,JSON.stringify([d,...c].slice(0,je)))}catch{}}};var Be=new Intl.NumberFormat("en",{maximumFractionDigits:0}),He=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),ut=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),he=e=>e.replace("-","−");function z(e){return he(Be.format(e))}function G(e){return Math.abs(e)<100?he(He.format(e)):z(e)}var ue={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",back:"M18 5v14l-9-7zM5 5h3v14H5z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",live:"M4 5v14l9-7zM14 5v14l7-7z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"};function xe(e,t,n,o=[]){let r=R(null,t,n);return r.append(Y("svg",{viewBox:"0 0 24 24","aria-hidden":"true"},[Y("path",{d:ue[e]})]),...o),r}var fe=(e,t)=>e.querySelector("path").setAttribute("d",ue[t]);var Ve={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},Ke={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Ue=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],ge=e=>[`--sl-text:${e.ink}`,...Ue.map(t=>`--sl-${t}:${e[t]}`)].join(";"),be=`.sl-view{${ge(Ve)}}
.sl-view.sl-dark{${ge(Ke)}}
`;var L='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',yt=`13px ${L}`,kt=`600 13px ${L}`,St=`11px ${L}`;var Ye=0,C=typeof document>"u"?void 0:document.fonts,me;(me=C==null?void 0:C.addEventListener)==null||me.call(C,"loadingdone",()=>Ye++);var we=`${be}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${L};
  font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:break-word;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,a,code,pre,.sl-scroll,.sl-list,.sl-diagram):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-muted{color:var(--sl-muted);font-size:12px}
.sl-summary{min-height:1.45em}
.sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0 10px}
.sl-tools{display:contents}
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
.sl-whole>.sl-bar-row{margin:4px 0 0;gap:4px 10px}
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,.sl-summary,details),.sl-whole .sl-because{display:none}
  .sl-stage.sl-empty-stage{min-height:0}}
.sl-whole .sl-search{flex:1 1 120px}.sl-whole .sl-search input{height:26px}.sl-whole .sl-segments button{min-height:24px;min-width:28px}
.sl-whole .sl-legend{margin-bottom:4px;gap:0 12px;font-size:11px}
.sl-whole>details{margin-top:0}
.sl-whole>details:not([open]){position:absolute;right:8px;bottom:0}
.sl-whole:has(.sl-tools)>details{position:absolute;z-index:6;top:var(--sl-tools-top,-4px);right:8px;bottom:auto;max-width:100%}
.sl-whole:has(.sl-tools)>.sl-summary{padding-right:76px}
.sl-whole:has(.sl-tools)>details[open]{display:flex;flex-direction:column;align-items:flex-end}
.sl-whole:has(.sl-tools)>details>.sl-scroll{max-width:100%;max-height:min(320px,calc(var(--sl-room) - 60px));
  background:var(--sl-paper);box-shadow:var(--sl-shadow)}
/* as on Plotly's charts, tools come when the picture is pointed at, or by the keyboard; where nothing can be pointed at they stay */
@media (hover:hover){.sl-whole .sl-tools{position:absolute;z-index:6;margin-right:64px;display:flex;align-items:center;gap:6px}
  .sl-whole:has(.sl-tools)>.sl-summary{padding-right:0}
  .sl-whole:has(.sl-tools) :is(.sl-tools,.sl-view>details){top:var(--sl-tools-top,-4px);right:0;background:var(--sl-paper);opacity:0;transition:opacity .12s}
  .sl-whole .sl-tools .sl-search{flex:none;flex-direction:row-reverse}.sl-whole .sl-tools input{width:140px;transition:width .12s}
  .sl-whole .sl-tools input:placeholder-shown:not(:focus){width:70px;padding:0 4px 0 8px;text-overflow:ellipsis}
  .sl-whole:is(:hover,:focus-within,:has(details[open]),:has(input:not(:placeholder-shown))) :is(.sl-tools,.sl-view>details){opacity:1}}
/* on a phone what is looked at comes before what searches it and takes it away */
@media (max-width:520px){.sl-view{display:flex;flex-direction:column}.sl-view>.sl-bar-row:has(.sl-search){order:1;margin:8px 0 0;padding-right:0;gap:8px 6px}
  .sl-view>details{order:2;margin-top:0}.sl-search{flex:1 1 100px}.sl-search input{flex:1 1 100px}.sl-segments button{padding:0 8px;min-width:32px}}
.sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px;overflow-wrap:anywhere}
.sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var qe={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function We(e,t){let n={},o=0;for(let[r,a,d,c]of e){let i=new qe[a](t,o,d);Array.isArray(c)?c.forEach((h,b)=>{n[h]=Uint8Array.from(i,y=>y>>b&1)}):n[r]=c===1?i:Float32Array.from(i,h=>h/c),o+=i.byteLength}return n}var Ge=500;function Je(e,t,n){var i,h,b,y,m,E;let o=!0,r=0,a=x=>{if(((x==null?void 0:x.kind)==="frame"||(x==null?void 0:x.kind)==="heard")&&clearInterval(r),(x==null?void 0:x.kind)!=="frame")return;let{spec:_,buffer:O,...A}=x;n({...A,...We(_,O)}),e.send_msg({kind:"received",number:A.number})},d=()=>e.send_msg({kind:"ready"});e.on("msg:custom",a);let c=()=>{clearInterval(r),o&&(d(),r=setInterval(d,Ge))};return(b=(h=(i=t==null?void 0:t.model)==null?void 0:i.document)==null?void 0:h.on_event)==null||b.call(h,"client_reconnected",c),(E=(m=(y=t==null?void 0:t.model)==null?void 0:y.document)==null?void 0:m.on_event)==null||E.call(m,"connection_lost",()=>clearInterval(r)),c(),()=>{o=!1,clearInterval(r),e.off("msg:custom",a)}}function Xe(e){var t,n,o,r;for(let a of(n=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?n:[])(r=(o=e.document)==null?void 0:o._new_models)==null||r.delete(a)}function Ze(e,t,n){var o;Xe(t.model),(o=t.__streamlab_dispose)==null||o.call(t),t.__streamlab_dispose=n(),e.on("lifecycle:remove",()=>{var r;(r=t.__streamlab_dispose)==null||r.call(t),t.__streamlab_dispose=void 0})}var ve=e=>({model:t,el:n,view:o})=>{Ze(t,o,()=>{let r=new AbortController,a=e({model:t,view:o,el:n,send:i=>t.send_msg(i),signal:r.signal});n.append(p("style",{text:we+a.css}),a.box);let d=()=>{var i;a.box.classList.toggle("sl-dark",!!t.dark),(i=a.setDark)==null||i.call(a,t.dark)};for(let[i,h]of Object.entries({dark:d,...a.follows}))t.on(i,h),h();a.hear&&t.on("msg:custom",a.hear);let c=a.update&&Je(t,o,a.update);return()=>{var i;r.abort(),c==null||c(),a.hear&&t.off("msg:custom",a.hear),(i=a.destroy)==null||i.call(a),n.replaceChildren()}})};var ye="(min-width:1100px) and (min-height:620px)";var ke=`
.sl-overview{position:relative;height:36px;margin:8px var(--right) 6px var(--left);border-radius:8px;background:var(--sl-track);box-shadow:inset 0 0 0 1px var(--sl-line);
  touch-action:none}
.sl-small-curves{position:absolute;inset:0;display:block;overflow:hidden}
.sl-small-curves .sl-drift{stroke:var(--sl-text);stroke-width:1;stroke-dasharray:3 2}
.sl-overview .sl-edge{position:absolute;right:0;top:0;bottom:0;display:grid;place-items:center;font-size:10px;line-height:1.1;text-align:center;
  color:var(--sl-muted);border-left:1px dashed var(--sl-control);pointer-events:none}
.sl-overview .sl-edge[hidden]{display:none}
.sl-overview .sl-went{position:absolute;left:0;bottom:0;height:3px;border-radius:2px;background:var(--sl-accent);opacity:.5;pointer-events:none}
.sl-window{position:absolute;top:0;bottom:0;display:none;border-radius:8px;background:color-mix(in srgb,var(--sl-accent) 14%,transparent);
  box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--sl-accent) 45%,transparent);pointer-events:none}
.sl-part .sl-window{display:block}
.sl-overview input{position:absolute;inset:0;width:100%;height:36px;margin:0;background:none;-webkit-appearance:none;appearance:none;cursor:ew-resize}
.sl-overview input:disabled{cursor:default}
.sl-overview input::-webkit-slider-runnable-track{height:36px;background:none}
.sl-overview input::-webkit-slider-thumb{-webkit-appearance:none;width:2px;height:36px;opacity:0}
.sl-overview input::-moz-range-thumb{width:2px;height:36px;border:0;opacity:0}
.sl-overview input:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:8px}
.sl-head{position:absolute;left:-7px;top:-4px;width:14px;height:44px;pointer-events:none}
.sl-head::before{content:"";position:absolute;left:6px;top:4px;bottom:4px;width:2px;background:var(--sl-accent)}
.sl-head::after{content:"";position:absolute;left:0;top:0;width:14px;height:16px;border-radius:4px 4px 7px 7px;background:var(--sl-accent);
  border:2px solid var(--sl-card)}
.sl-grip{position:absolute;display:none;top:0;bottom:0;width:8px;cursor:col-resize;touch-action:none}
.sl-part .sl-grip{display:block}
.sl-grip::after{content:"";position:absolute;left:3px;top:10px;bottom:10px;width:2px;border-radius:1px;background:var(--sl-accent)}
.sl-grip-middle{top:auto;height:9px;cursor:grab}
.sl-grip-middle::after{content:none}
`;var Qe=5e3,et=8e3,tt="Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon as the connection is back. If it was stopped, the run is gone.",Se="The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page to begin another.",st=20,ot=[[0,"No loop"],[200,"Loop: last 200 rows"],[1e3,"Loop: last 1,000 rows"],[5e3,"Loop: last 5,000 rows"]],J={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},rt=`${ke}
.sl-transport .sl-overview{--sl-card:var(--sl-paper);margin:0}.sl-transport .sl-overview path{stroke-width:1.8}.sl-strip:empty,.sl-transport :is(.sl-window,.sl-grip){display:none!important}
.sl-strip-key{display:flex;flex-wrap:wrap;gap:0 10px;max-height:32px;overflow:hidden;white-space:nowrap;font-size:11px;line-height:16px;font-weight:600}
.sl-strip-key span{min-width:0;overflow:hidden;text-overflow:ellipsis}.sl-strip-key .sl-muted{flex:none;margin-left:auto;font-size:11px;font-weight:400}
.sl-transport{--sl-tall:32px;container:sl-transport/inline-size;display:flex;flex-direction:column;gap:6px}
.sl-transport .sl-row{display:flex;flex-wrap:wrap;align-items:center;gap:8px 10px}
.sl-transport button{display:inline-flex;align-items:center;justify-content:center;gap:6px;height:var(--sl-tall);min-width:var(--sl-tall);padding:0 6px;
  border:1px solid var(--sl-line);border-radius:22px;background:transparent;color:var(--sl-text);font:inherit;cursor:pointer}
.sl-transport button:hover:not(:disabled){background:var(--sl-track)}
.sl-transport button:disabled{opacity:.45;cursor:default}
.sl-transport button[aria-busy=true]{border-style:dashed}
.sl-transport button svg{width:18px;height:18px;fill:currentColor;flex:none}
.sl-transport .sl-play{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);padding:0 16px 0 10px;font-weight:600;min-width:94px}
.sl-transport .sl-play:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.1)}
.sl-transport select{height:var(--sl-tall);padding:0 10px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit}
.sl-transport .sl-state{display:flex;gap:8px;align-items:baseline;font-size:12px;color:var(--sl-muted);white-space:nowrap}
.sl-transport .sl-state b{color:var(--sl-text);font-weight:600}
.sl-transport .sl-live[hidden]{display:none}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text)}
.sl-transport .sl-banner{overflow-wrap:anywhere}
.sl-transport .sl-banner[hidden],.sl-transport .sl-banner button[hidden]{display:none}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-place{flex:1 1 auto;display:flex;white-space:nowrap}
.sl-transport .sl-besides{flex:1 1 0;min-width:0;contain:inline-size;display:flex;flex-wrap:wrap;height:1.45em;overflow:hidden}
.sl-transport .sl-besides::before{content:"";width:1px;height:1.45em}
.sl-transport .sl-besides span{white-space:pre}
.sl-transport button:not(.sl-play,.sl-live) .sl-wide{display:none}
@container page (min-width:1060px){.sl-transport .sl-row{flex-wrap:nowrap;margin-right:492px}.sl-transport .sl-row select{max-width:152px}
  .sl-transport .sl-row .sl-loop{width:98px}
  @container sl-transport (max-width:1030px){.sl-transport .sl-row .sl-loop{display:none}}}
.sl-transport .sl-keys{display:none}
@media (pointer:coarse){.sl-transport{--sl-tall:44px}}
@media not all and ${ye}{.sl-docked{width:calc(100% + 32px);margin-left:-16px;gap:4px;padding:8px 12px 6px;background:var(--sl-paper);
    border-top:1px solid var(--sl-line);box-shadow:0 -4px 12px rgb(0 0 0/.12)}}
@media (max-width:1099px) and (max-height:619px){.sl-docked .sl-loop{display:none}}
@media (max-width:520px){.sl-transport{--sl-tall:44px}
  /* the strip says the row: beside it stands only why the run waits, or that one looks back */
  .sl-strip:not(:empty)~.sl-row :is(.sl-state,.sl-place>span:first-child,.sl-besides>span:last-child){display:none}
  .sl-strip:not(:empty)~.sl-row .sl-place{flex-basis:100%}
  .sl-strip:not(:empty)~.sl-row .sl-place:not(:has(.sl-besides>span:not(:last-child,:empty))){display:none}
  .sl-transport .sl-row{gap:6px 8px}
  .sl-transport .sl-wide,.sl-transport .sl-loop,.sl-transport:not(.sl-playing) .sl-state span{display:none}
  .sl-transport .sl-play{min-width:56px;padding:0 12px}.sl-transport select{padding:0 4px;max-width:124px}}
@container style(--sl-projected:1){.sl-transport .sl-row>:is(button:not(.sl-play),select,.sl-state){display:none}
  .sl-transport{--sl-tall:32px}.sl-docked{width:100%;margin:0;padding:0;border:0;box-shadow:none;background:none}
  .sl-transport .sl-row{flex-wrap:nowrap;margin:0}.sl-transport .sl-keys{display:inline;font-size:12px}
  .sl-transport .sl-place{flex-basis:auto;font-size:13px}
  .sl-transport .sl-play{min-width:94px;padding:0 16px 0 10px}.sl-transport .sl-play .sl-wide{display:inline}}
`,ze=()=>R("Reload the page",()=>window.location.reload(),{class:"sl-reload"}),Ht=ve(({model:e,el:t,view:n,send:o,signal:r})=>{var ae,ie;let a=(s,u=null)=>o({kind:"command",name:s,value:u}),d=(s,u,f)=>{s.setAttribute("aria-busy","true"),a(u,f)},c=(s,u,f,g,k)=>{let T=p("span",{text:f,class:"sl-wide"}),$=xe(s,()=>k($),{"aria-label":u,title:g,class:`sl-${s}`},[T]);return $},i=c("play","Play","Play","Play or pause (Space)",()=>oe()),h=c("step","Step one instance","One instance","One instance (right arrow)",s=>d(s,"step",1)),b=c("chunk","Step one chunk","One chunk","One chunk (Page Down)",s=>d(s,"step")),y=c("restart","Start again","Start again","Start again from the first instance",s=>d(s,"restart")),m=c("live","Back to the newest row","Live","Go on where the run ends (L)",s=>d(s,"live"));m.hidden=!0;let E=U("Play rows again and again",ot,s=>a("loop",Number(s)),{class:"sl-loop"}),x=U("Speed",e.rates.map(([s],u)=>[u,s]),s=>a("rate",Number(s))),_=p("b",{text:J.loading}),O=p("span"),A=p("span"),X=[p("span"),p("span"),p("span")],Ee=p("span",{class:"sl-besides"},X),Z=p("div",{class:"sl-muted sl-place"},[A,Ee]),Q=p("span",{role:"alert"}),j=ze();j.hidden=!0;let _e=p("span",{class:"sl-muted sl-keys","aria-hidden":"true",text:"← → steps · Space plays · Esc leaves"}),ee=p("div",{class:"sl-banner",hidden:!0},[Q,j]),F=e.page?p("div",{class:"sl-strip"}):null,D=p("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),B=p("div",{class:`sl-view sl-transport${e.page?" sl-docked":""}`,role:"group","aria-label":"Playback"},[ee,...F?[F]:[],p("div",{class:"sl-row"},[i,h,b,m,...e.restart?[y]:[],x,E,Z,p("div",{class:"sl-state"},[_,O]),_e]),D]);for(let s of[i,h,b,y])s.disabled=!0;let l=null,S=null,M=0,te=0,H=0,se=0,V=performance.now(),oe=()=>{l&&!i.disabled&&d(i,l.state==="playing"?"pause":"play")};document.addEventListener("keydown",s=>{if(!(pe(s,`${W},.sl-stage,.jp-Notebook`)||q(s)||s.defaultPrevented)){if(s.key===" ")oe();else if(s.key==="ArrowRight"&&!h.disabled)d(h,"step",1);else if(s.key==="PageDown"&&!b.disabled)d(b,"step");else if((s.key==="l"||s.key==="L")&&!m.hidden)d(m,"live");else return;s.preventDefault()}},{signal:r});let Ae=s=>{let u=performance.now();s===D.textContent||u-te<Qe&&(l==null?void 0:l.state)==="playing"||(te=u,v(D,s))};function $e(s){var T,$;let u=l==null?void 0:l.state;l=s,H+=1;let f=performance.now();f-V>1e3&&(se=1e3*H/(f-V),H=0,V=f);for(let Te of[i,h,b,y])Te.removeAttribute("aria-busy");let g=l.state==="playing",k=l.state==="finished"||l.state==="failed";u!==l.state&&(fe(i,g?"pause":"play"),i.setAttribute("aria-label",g?"Pause":"Play"),v(i.querySelector("span"),g?"Pause":"Play"),B.classList.toggle("sl-playing",g),i.disabled=l.state==="failed",h.disabled=b.disabled=k,E.disabled=l.state==="failed",y.disabled=!1),l.rate_index<0&&(x.querySelector("[value='-1']")||x.append(p("option",{value:"-1",hidden:!0})),v(x.lastElementChild,`${G(l.rate)} a second`)),document.activeElement!==x&&(x.value=String(l.rate_index)),v(_,(T=J[l.state])!=null?T:l.state),_.classList.toggle("sl-hidden",g||l.state==="paused"),m.hidden=l.live,Le(l.position),v(O,g?`${G(l.speed)} rows/s`:""),re(),Ae(`${($=J[l.state])!=null?$:l.state}. ${Z.textContent}`)}let Ce=s=>l.n_rows?`${z(s)} of ${z(l.n_rows)} rows`:`${z(s)} rows`;function Le(s){let u=l.mark?` · ${l.mark[1]} at ${z(l.mark[0])}`:"",f=s<l.end?` · looking back; the run has come to ${z(l.end)}`:"";v(A,`${Ce(s)}${l.n_rows?` · ${(100*s/l.n_rows).toFixed(0)} %`:""}`),[f,l.pace?` · ${l.pace}`:"",u].forEach((g,k)=>v(X[k],g))}function re(){var u;let s=(u=S!=null?S:l==null?void 0:l.message)!=null?u:"";ee.hidden=!s,j.hidden=S===null,v(Q,s)}let K=s=>{clearTimeout(M),S=s,re()},ne=()=>({frames_per_second:se,state:l==null?void 0:l.state,position:l==null?void 0:l.position,isLost:S!==null}),P=null,Oe=new N,le=!1,w=n.model.document;(ae=w==null?void 0:w.on_event)==null||ae.call(w,"connection_lost",(s,u)=>{var g,k;let f=(k=(g=u==null?void 0:u.connection)==null?void 0:g.deref)==null?void 0:k.call(g);f!=null&&f._receiver&&(f._receiver=new f._receiver.constructor),K(tt)}),(ie=w==null?void 0:w.on_event)==null||ie.call(w,"client_reconnected",()=>{clearTimeout(M),M=setTimeout(()=>K(Se),et)});let Me=()=>e.page?(I(e.query),e.on("query",()=>I(e.query)),it(B),window.dispatchEvent(new CustomEvent("streamlab:run",{detail:{play:i}})),[de(e),lt(e,ne)]):[at(e)],Pe=s=>{K(null),$e(s),le||=s.state==="playing",e.page&&le&&Oe.keep(e.about,s.position,s.state!=="playing"),P??=Me()};return window.__streamlab_transport={strip:F,stats:ne},{box:B,css:rt,update:Pe,destroy:()=>{clearTimeout(M),e.page&&S!==null&&nt(),P==null||P.forEach(s=>s())}}});function nt(){if(document.querySelector(".sl-gone"))return;let e=ze(),t=p("div",{class:"sl-gone",role:"alert"},[p("span",{text:Se}),e]);t.style.cssText="position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere",e.style.cssText="margin-left:12px;padding:4px 12px;font:inherit",document.body.append(t)}function lt(e,t){let n=(a,d)=>{document.cookie=`streamlab_left=${a};path=/;max-age=${d};samesite=strict`};n("",0);let o=a=>{let{position:d,state:c,isLost:i}=t();e.own&&d&&!i&&a.preventDefault();let h=d+(c==="finished");e.way!==""&&I(`${e.way}&at=${h}`.replace(/^&/,"")),n(`${window.__streamlab_afresh?".":""}${e.secret}:${h}`,st)},r=a=>a.persisted&&window.location.reload();return window.addEventListener("beforeunload",o),window.addEventListener("pageshow",r),()=>{window.removeEventListener("beforeunload",o),window.removeEventListener("pageshow",r)}}function at(e){let t=()=>{let o=document.body.dataset.jpThemeLight;o!==void 0&&o==="false"!==e.dark&&(e.dark=o==="false")},n=new MutationObserver(t);return n.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),t(),()=>n.disconnect()}function it(e){document.activeElement&&document.activeElement!==document.body||(e.tabIndex=-1,e.focus({preventScroll:!0}),e.blur(),e.removeAttribute("tabindex"))}export{Ht as render};
