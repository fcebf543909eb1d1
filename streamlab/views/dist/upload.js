/*! streamlab upload, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function h(o,t={},r=[]){let s=document.createElement(o);for(let[a,i]of Object.entries(t))a==="text"?s.textContent=i:i===!0?s.setAttribute(a,""):i!==!1&&i!=null&&s.setAttribute(a,i);return s.append(...r),s}function S(o,t){o.textContent!==t&&(o.textContent=t)}var G={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function R(o,t){let r={},s=0;for(let[a,i,d,p]of o){let c=new G[i](t,s,d);Array.isArray(p)?p.forEach((u,m)=>{r[u]=Uint8Array.from(c,w=>w>>m&1)}):r[a]=p===1?c:Float32Array.from(c,u=>u/p),s+=c.byteLength}return r}var K=500;function F(o,t,r){var c,u,m,w,g,f;let s=!0,a=0,i=n=>{if(((n==null?void 0:n.kind)==="frame"||(n==null?void 0:n.kind)==="heard")&&clearInterval(a),(n==null?void 0:n.kind)!=="frame")return;let{spec:k,buffer:v,...b}=n;r({...b,...R(k,v)}),o.send_msg({kind:"received",number:b.number})},d=()=>o.send_msg({kind:"ready"});o.on("msg:custom",i);let p=()=>{clearInterval(a),s&&(d(),a=setInterval(d,K))};return(m=(u=(c=t==null?void 0:t.model)==null?void 0:c.document)==null?void 0:u.on_event)==null||m.call(u,"client_reconnected",p),(f=(g=(w=t==null?void 0:t.model)==null?void 0:w.document)==null?void 0:g.on_event)==null||f.call(g,"connection_lost",()=>clearInterval(a)),p(),()=>{s=!1,clearInterval(a),o.off("msg:custom",i)}}function V(o){var t,r,s,a;for(let i of(r=(t=o==null?void 0:o.references)==null?void 0:t.call(o))!=null?r:[])(a=(s=o.document)==null?void 0:s._new_models)==null||a.delete(i)}function I(o,t,r){var s;V(t.model),(s=t.__streamlab_dispose)==null||s.call(t),t.__streamlab_dispose=r(),o.on("lifecycle:remove",()=>{var a;(a=t.__streamlab_dispose)==null||a.call(t),t.__streamlab_dispose=void 0})}var W={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},X={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Z=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],N=o=>[`--sl-text:${o.ink}`,...Z.map(t=>`--sl-${t}:${o[t]}`)].join(";"),D=`.sl-view{${N(W)}}
.sl-view.sl-dark{${N(X)}}
`;var A='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',ie=`12px ${A}`,ce=`600 12px ${A}`,pe=`11px ${A}`;var H=`${D}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${A};
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
`;var q=1<<20,J=4<<20,Q=`${H}
.sl-upload .sl-drop{display:flex;align-items:center;justify-content:center;gap:6px;min-height:32px;padding:2px 8px;cursor:pointer;
  border:1px dashed var(--sl-control);border-radius:4px;color:var(--sl-accent);font-size:12px;text-align:center}
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
`,j=o=>o<1e7?(o/1e6).toFixed(1):Math.round(o/1e6).toLocaleString("en");function ee(o,t){let r=h("input",{type:"file",multiple:!0}),s=h("span"),a=h("label",{class:"sl-drop",title:"Choose a file, or drop one anywhere on the page"},[s,r]),i=h("span",{class:"sl-muted",role:"status"}),d=h("span",{class:"sl-muted"}),p=h("progress",{max:"1","aria-label":"Upload"}),c=h("button",{type:"button",text:"Cancel"}),u=h("div",{class:"sl-going",hidden:!0},[i,d,p,c]),m=h("div",{class:"sl-view sl-upload"},[a,u]);o.append(h("style",{text:Q}),m);let w=new AbortController,g=(e,l,y)=>e.addEventListener(l,y,{signal:w.signal}),f=Math.floor(Math.random()*2**40),n=[],k=0,v=0,b=0,z=!1,x={state:"idle",busy:"",share:null};function _(){let e=n.length>0,l=n.length===1?n[0].name:`${n.length} files`;u.hidden=!e&&!x.busy,S(i,e?`Uploading ${l}`:x.busy),S(d,e?`${j(b)} of ${j(k)} MB`:"");let y=e?b/(k||1):x.share;y==null?p.removeAttribute("value"):p.value=y,c.hidden=!e}function E(e){n=[...e],n.length&&(f+=1,k=n.reduce((l,y)=>l+y.size,0),v=b=0,t({kind:"files",upload:f,files:n.map(l=>[l.name,l.size])}),_())}function M(){n=[],r.value="",_()}function U(){let e=v;for(let l of n){if(e<l.size)return l.slice(e,Math.min(e+q,l.size));e-=l.size}return null}async function $(){if(z)return;z=!0;let e=f;try{for(;n.length&&f===e&&v<k&&v-b<J;){let l=await U().arrayBuffer();if(!n.length||f!==e)break;v+=l.byteLength,t({kind:"piece",upload:f,data:l})}}catch(l){t({kind:"cancel"}),M(),x={...x,busy:`The browser cannot read the file: ${l.message}`,share:0},_()}z=!1,f!==e&&n.length&&$()}function B(e){x=e,m.classList.toggle("sl-dark",e.dark),S(s,e.label),r.accept!==e.accept&&(r.accept=e.accept),n.length&&e.upload===f&&(b=e.received,e.state==="going"?$():M()),_()}let O=e=>{var T,C;let l=e.composedPath();return(l.includes(a)||x.anywhere&&!l.some(P=>{var L;return(L=P.classList)==null?void 0:L.contains("sl-drop")}))&&[...(C=(T=e.dataTransfer)==null?void 0:T.types)!=null?C:[]].includes("Files")};g(r,"change",()=>E(r.files)),g(c,"click",()=>{t({kind:"cancel"}),M(),r.focus()});for(let e of["dragenter","dragover"])g(window,e,l=>{O(l)&&(l.preventDefault(),l.dataTransfer.dropEffect="copy",a.classList.add("sl-over"))});g(window,"dragleave",e=>{e.relatedTarget||a.classList.remove("sl-over")}),g(window,"drop",e=>{O(e)&&(e.preventDefault(),a.classList.remove("sl-over"),E(e.dataTransfer.files))});function Y(){n.length&&(M(),x={...x,busy:"The connection was lost: choose the file once more.",share:0},_())}return{update:B,lost:Y,setDark:e=>m.classList.toggle("sl-dark",e),destroy:()=>{w.abort(),o.replaceChildren()}}}function be({model:o,el:t,view:r}){I(o,r,()=>{var i,d,p;let s=ee(t,c=>o.send_msg(c));s.setDark(o.dark);let a=F(o,r,c=>s.update(c));return(p=(d=(i=r==null?void 0:r.model)==null?void 0:i.document)==null?void 0:d.on_event)==null||p.call(d,"client_reconnected",()=>s.lost()),()=>{a(),s.destroy()}})}export{ee as createUpload,be as render};
