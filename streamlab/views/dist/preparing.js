/*! streamlab preparing, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function u(e,t={},s=[]){let r=document.createElement(e);for(let[n,o]of Object.entries(t))n==="text"?r.textContent=o:o===!0?r.setAttribute(n,""):o!==!1&&o!=null&&r.setAttribute(n,o);return r.append(...s),r}function m(e,t){e.textContent!==t&&(e.textContent=t)}var M={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function w(e,t){let s={},r=0;for(let[n,o,d,p]of e){let l=new M[o](t,r,d);Array.isArray(p)?p.forEach((a,x)=>{s[a]=Uint8Array.from(l,i=>i>>x&1)}):s[n]=p===1?l:Float32Array.from(l,a=>a/p),r+=l.byteLength}return s}var O=500;function v(e,t,s){var l,a,x,i,h,g;let r=!0,n=0,o=c=>{if(((c==null?void 0:c.kind)==="frame"||(c==null?void 0:c.kind)==="heard")&&clearInterval(n),(c==null?void 0:c.kind)!=="frame")return;let{spec:E,buffer:z,...b}=c;s({...b,...w(E,z)}),e.send_msg({kind:"received",number:b.number})},d=()=>e.send_msg({kind:"ready"});e.on("msg:custom",o);let p=()=>{clearInterval(n),r&&(d(),n=setInterval(d,O))};return(x=(a=(l=t==null?void 0:t.model)==null?void 0:l.document)==null?void 0:a.on_event)==null||x.call(a,"client_reconnected",p),(g=(h=(i=t==null?void 0:t.model)==null?void 0:i.document)==null?void 0:h.on_event)==null||g.call(h,"connection_lost",()=>clearInterval(n)),p(),()=>{r=!1,clearInterval(n),e.off("msg:custom",o)}}function R(e){var t,s,r,n;for(let o of(s=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?s:[])(n=(r=e.document)==null?void 0:r._new_models)==null||n.delete(o)}function y(e,t,s){var r;R(t.model),(r=t.__streamlab_dispose)==null||r.call(t),t.__streamlab_dispose=s(),e.on("lifecycle:remove",()=>{var n;(n=t.__streamlab_dispose)==null||n.call(t),t.__streamlab_dispose=void 0})}var $={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},I={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var C=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],k=e=>[`--sl-text:${e.ink}`,...C.map(t=>`--sl-${t}:${e[t]}`)].join(";"),_=`.sl-view{${k($)}}
.sl-view.sl-dark{${k(I)}}
`;var f='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',V=`12px ${f}`,G=`600 12px ${f}`,K=`11px ${f}`;var A=`${_}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${f};
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
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px}
.sl-view table{border-collapse:collapse;width:100%;font-size:12px}
.sl-view th,.sl-view td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--sl-line);font-weight:400;white-space:nowrap}
.sl-view thead th{position:sticky;top:0;background:var(--sl-paper);color:var(--sl-muted)}
.sl-view :is(th,td):first-child,.sl-view .sl-left{text-align:left}
.sl-view tbody tr:last-child>*{border-bottom:0}
.sl-view td button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;text-decoration:underline}
.sl-view.sl-whole{min-height:var(--sl-room)}
.sl-whole>.sl-bar-row{margin:4px 0 0;gap:4px 10px;padding-right:76px}
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,details),.sl-whole .sl-because{display:none}
  .sl-stage.sl-empty-stage{min-height:0}}
.sl-whole .sl-search{flex:1 1 120px}.sl-whole .sl-search input{height:26px}.sl-whole .sl-segments button{min-height:24px;min-width:28px}
.sl-whole .sl-legend{margin-bottom:4px;gap:0 12px;font-size:11px}
.sl-whole>details{margin-top:0}
.sl-whole>details:not([open]){position:absolute;right:8px;bottom:0}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>details:not([open]){top:-4px;bottom:auto}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>.sl-summary{padding-right:76px}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var F=250,S=.9,N=`${A}
.sl-preparing{position:fixed;z-index:1200;right:16px;bottom:16px;width:min(420px,calc(100vw - 32px));padding:12px 14px;border-radius:10px;
  border:1px solid var(--sl-line);background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-preparing[hidden]{display:none}
.sl-preparing p{margin:0 0 6px;overflow-wrap:anywhere}
.sl-preparing div{display:flex;gap:12px;align-items:center}
.sl-preparing progress{flex:1 1 auto;min-width:0;accent-color:var(--sl-accent)}
.sl-preparing button{min-height:32px;padding:0 12px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap}
.sl-preparing button:hover{background:var(--sl-track)}
@media (max-width:600px){.sl-preparing{bottom:84px}}
`,T=(e,t)=>e<t?S*e/t:1-(1-S)*(t/e);function H(e,t){let s=u("p",{role:"status"}),r=u("progress",{max:"1","aria-label":"Preparing"}),n=u("button",{type:"button",text:"Go on without it"}),o=u("div",{class:"sl-view sl-preparing",hidden:!0},[s,u("div",{},[r,n])]);e.append(u("style",{text:N}),o);let d=0,p=0,l=0,a=()=>{r.value=T((performance.now()-d)/1e3,p)};n.addEventListener("click",()=>t({kind:"without"}));function x(i){clearInterval(l),o.classList.toggle("sl-dark",i.dark),o.hidden=!i.text,m(s,i.text),n.hidden=!i.optional,i.text&&(d=performance.now()-1e3*i.passed,p=i.expected,a(),l=setInterval(a,F))}return{update:x,destroy:()=>{clearInterval(l),e.replaceChildren()}}}function et({model:e,el:t,view:s}){y(e,s,()=>{let r=H(t,o=>e.send_msg(o)),n=v(e,s,o=>r.update(o));return()=>{n(),r.destroy()}})}export{H as createPreparing,et as render,T as shareAfter};
