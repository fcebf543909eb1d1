/*! streamlab upload, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function u(o,e={},c=[]){let n=document.createElement(o);for(let[a,r]of Object.entries(e))a==="text"?n.textContent=r:r===!0?n.setAttribute(a,""):r!==!1&&r!=null&&n.setAttribute(a,r);return n.append(...c),n}function R(o,e,c={}){let n=u("button",{type:"button",text:o,...c});return n.addEventListener("click",e),n}function C(o,e){o.textContent!==e&&(o.textContent=e)}var U={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},Y={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var G=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],F=o=>[`--sl-text:${o.ink}`,...G.map(e=>`--sl-${e}:${o[e]}`)].join(";"),N=`.sl-view{${F(U)}}
.sl-view.sl-dark{${F(Y)}}
`;var _='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',ae=`13px ${_}`,le=`600 13px ${_}`,ce=`600 18px ${_}`,pe=`11px ${_}`;var V=0,E=typeof document>"u"?void 0:document.fonts,D;(D=E==null?void 0:E.addEventListener)==null||D.call(E,"loadingdone",()=>V++);var H=`${N}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${_};
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
`;var J={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function W(o,e){let c={},n=0;for(let[a,r,h,p]of o){let l=new J[r](e,n,h);Array.isArray(p)?p.forEach((d,w)=>{c[d]=Uint8Array.from(l,v=>v>>w&1)}):c[a]=p===1?l:Float32Array.from(l,d=>d/p),n+=l.byteLength}return c}var X=500;function Z(o,e,c){var l,d,w,v,x,f;let n=!0,a=0,r=s=>{if(((s==null?void 0:s.kind)==="frame"||(s==null?void 0:s.kind)==="heard")&&clearInterval(a),(s==null?void 0:s.kind)!=="frame")return;let{spec:k,buffer:y,...b}=s;c({...b,...W(k,y)}),o.send_msg({kind:"received",number:b.number})},h=()=>o.send_msg({kind:"ready"});o.on("msg:custom",r);let p=()=>{clearInterval(a),n&&(h(),a=setInterval(h,X))};return(w=(d=(l=e==null?void 0:e.model)==null?void 0:l.document)==null?void 0:d.on_event)==null||w.call(d,"client_reconnected",p),(f=(x=(v=e==null?void 0:e.model)==null?void 0:v.document)==null?void 0:x.on_event)==null||f.call(x,"connection_lost",()=>clearInterval(a)),p(),()=>{n=!1,clearInterval(a),o.off("msg:custom",r)}}function q(o){var e,c,n,a;for(let r of(c=(e=o==null?void 0:o.references)==null?void 0:e.call(o))!=null?c:[])(a=(n=o.document)==null?void 0:n._new_models)==null||a.delete(r)}function Q(o,e,c){var n;q(e.model),(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=c(),o.on("lifecycle:remove",()=>{var a;(a=e.__streamlab_dispose)==null||a.call(e),e.__streamlab_dispose=void 0})}var P=o=>({model:e,el:c,view:n})=>{Q(e,n,()=>{let a=new AbortController,r=o({model:e,view:n,el:c,send:l=>e.send_msg(l),signal:a.signal});c.append(u("style",{text:H+r.css}),r.box);let h=()=>{var l;r.box.classList.toggle("sl-dark",!!e.dark),(l=r.setDark)==null||l.call(r,e.dark)};for(let[l,d]of Object.entries({dark:h,...r.follows}))e.on(l,d),d();r.hear&&e.on("msg:custom",r.hear);let p=r.update&&Z(e,n,r.update);return()=>{var l;a.abort(),p==null||p(),r.hear&&e.off("msg:custom",r.hear),(l=r.destroy)==null||l.call(r),c.replaceChildren()}})};var ee=1<<20,te=4<<20,oe=`
.sl-upload .sl-drop{display:flex;align-items:center;justify-content:center;gap:6px;min-height:32px;padding:2px 8px;cursor:pointer;
  border:1px dashed var(--sl-control);border-radius:4px;color:var(--sl-accent);font-size:13px;text-align:center}
.sl-upload .sl-drop:hover,.sl-upload .sl-over{background:var(--sl-track)}
.sl-upload .sl-over{border-style:solid;border-color:var(--sl-accent)}
.sl-upload .sl-drop:focus-within{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-upload .sl-drop input{position:absolute;width:1px;height:1px;opacity:0;overflow:hidden}
.sl-upload .sl-going{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:4px 10px;align-items:center;margin-top:8px}
.sl-upload .sl-going[hidden]{display:none}
.sl-upload .sl-going span{overflow-wrap:anywhere}
.sl-upload progress{width:100%;accent-color:var(--sl-accent);grid-column:1}
.sl-upload .sl-going button{grid-column:2;min-height:30px;padding:0 10px;border:1px solid var(--sl-control);border-radius:6px;background:none;
  color:var(--sl-text);cursor:pointer}
`,j=o=>o<1e7?(o/1e6).toFixed(1):Math.round(o/1e6).toLocaleString("en"),ve=P(({view:o,send:e,signal:c})=>{var $,O,I;let n=u("input",{type:"file",multiple:!0}),a=u("span",{text:"Upload a stream"}),r=u("label",{class:"sl-drop",title:"Choose a file, or drop one anywhere on the page"},[a,n]),h=u("span",{class:"sl-muted",role:"status"}),p=u("span",{class:"sl-muted"}),l=u("progress",{max:"1","aria-label":"Upload"}),d=R("Cancel",()=>{e({kind:"cancel"}),S(),n.focus()}),w=u("div",{class:"sl-going",hidden:!0},[h,p,l,d]),v=u("div",{class:"sl-view sl-upload"},[r,w]),x=(t,i,g)=>t.addEventListener(i,g,{signal:c}),f=Math.floor(Math.random()*2**40),s=[],k=0,y=0,b=0,z=!1,m={state:"idle",busy:"",share:null};function A(){let t=s.length>0,i=s.length===1?s[0].name:`${s.length} files`;w.hidden=!t&&!m.busy,C(h,t?`Uploading ${i}`:m.busy),C(p,t?`${j(b)} of ${j(k)} MB`:"");let g=t?b/(k||1):m.share;g==null?l.removeAttribute("value"):l.value=g,d.hidden=!t}function M(t){s=[...t],s.length&&(f+=1,k=s.reduce((i,g)=>i+g.size,0),y=b=0,e({kind:"files",upload:f,files:s.map(i=>[i.name,i.size])}),A())}function S(){s=[],n.value="",A()}function B(){let t=y;for(let i of s){if(t<i.size)return i.slice(t,Math.min(t+ee,i.size));t-=i.size}return null}async function T(){if(z)return;z=!0;let t=f;try{for(;s.length&&f===t&&y<k&&y-b<te;){let i=await B().arrayBuffer();if(!s.length||f!==t)break;y+=i.byteLength,e({kind:"piece",upload:f,data:i})}}catch(i){e({kind:"cancel"}),S(),m={...m,busy:`The browser cannot read the file: ${i.message}`,share:0},A()}z=!1,f!==t&&s.length&&T()}function K(t){m=t,v.classList.toggle("sl-dark",t.dark),n.accept!==t.accept&&(n.accept=t.accept),s.length&&t.upload===f&&(b=t.received,t.state==="going"?T():S()),A()}let L=t=>{var i,g;return[...(g=(i=t.dataTransfer)==null?void 0:i.types)!=null?g:[]].includes("Files")};x(n,"change",()=>M(n.files));for(let t of["dragenter","dragover"])x(window,t,i=>{L(i)&&(i.preventDefault(),i.dataTransfer.dropEffect="copy",r.classList.add("sl-over"))});return x(window,"dragleave",t=>{t.relatedTarget||r.classList.remove("sl-over")}),x(window,"drop",t=>{L(t)&&(t.preventDefault(),r.classList.remove("sl-over"),M(t.dataTransfer.files))}),(I=(O=($=o==null?void 0:o.model)==null?void 0:$.document)==null?void 0:O.on_event)==null||I.call(O,"client_reconnected",()=>{s.length&&(S(),m={...m,busy:"The connection was lost: choose the file once more.",share:0},A())}),{box:v,css:oe,update:K}});export{ve as render};
