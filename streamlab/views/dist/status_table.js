/*! streamlab status_table, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function e(t,r={},i=[]){let o=document.createElement(t);for(let[a,l]of Object.entries(r))a==="text"?o.textContent=l:l===!0?o.setAttribute(a,""):l!==!1&&l!=null&&o.setAttribute(a,l);return o.append(...i),o}function k(t,r){t.textContent!==r&&(t.textContent=r)}var R=new Intl.NumberFormat("en",{maximumFractionDigits:0}),D=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),J=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),C=t=>t.replace("-","−");function M(t){return C(R.format(t))}function $(t){return Math.abs(t)<100?C(D.format(t)):M(t)}var L={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function N(t,r){let i={},o=0;for(let[a,l,m,d]of t){let f=new L[l](r,o,m);Array.isArray(d)?d.forEach((h,g)=>{i[h]=Uint8Array.from(f,v=>v>>g&1)}):i[a]=d===1?f:Float32Array.from(f,h=>h/d),o+=f.byteLength}return i}var H=500;function O(t,r,i){var f,h,g,v,y,S;let o=!0,a=0,l=p=>{if(((p==null?void 0:p.kind)==="frame"||(p==null?void 0:p.kind)==="heard")&&clearInterval(a),(p==null?void 0:p.kind)!=="frame")return;let{spec:s,buffer:n,...c}=p;i({...c,...N(s,n)}),t.send_msg({kind:"received",number:c.number})},m=()=>t.send_msg({kind:"ready"});t.on("msg:custom",l);let d=()=>{clearInterval(a),o&&(m(),a=setInterval(m,H))};return(g=(h=(f=r==null?void 0:r.model)==null?void 0:f.document)==null?void 0:h.on_event)==null||g.call(h,"client_reconnected",d),(S=(y=(v=r==null?void 0:r.model)==null?void 0:v.document)==null?void 0:y.on_event)==null||S.call(y,"connection_lost",()=>clearInterval(a)),d(),()=>{o=!1,clearInterval(a),t.off("msg:custom",l)}}function j(t){var r,i,o,a;for(let l of(i=(r=t==null?void 0:t.references)==null?void 0:r.call(t))!=null?i:[])(a=(o=t.document)==null?void 0:o._new_models)==null||a.delete(l)}function z(t,r,i){var o;j(r.model),(o=r.__streamlab_dispose)==null||o.call(r),r.__streamlab_dispose=i(),t.on("lifecycle:remove",()=>{var a;(a=r.__streamlab_dispose)==null||a.call(r),r.__streamlab_dispose=void 0})}var B={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},U={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Y=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],F=t=>[`--sl-text:${t.ink}`,...Y.map(r=>`--sl-${r}:${t[r]}`)].join(";"),I=`.sl-view{${F(B)}}
.sl-view.sl-dark{${F(U)}}
`;var _='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',st=`12px ${_}`,ot=`600 12px ${_}`,nt=`11px ${_}`;var T=`${I}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${_};
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
`;var P=300,V=`${T}
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
.sl-board .sl-later td{color:var(--sl-muted)}.sl-board .sl-later td:nth-child(3)::after{content:" (later)"}
.sl-board h3{font-size:13px;font-weight:600;margin:16px 0 6px}
.sl-board .sl-swatch{display:inline-block;vertical-align:middle;width:22px;height:0;margin-right:6px;border-top:3px solid}
.sl-board .sl-chips{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:baseline;margin:2px 0 6px}
.sl-board .sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px}
.sl-board .sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-board .sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-board .sl-chips{padding-left:128px;text-indent:0}
.sl-board .sl-who{width:120px;margin-left:-128px;color:var(--sl-muted);font-size:12px}
.sl-board .sl-chip{overflow-wrap:anywhere}
.sl-board tbody th{white-space:normal;overflow-wrap:anywhere;min-width:120px}
.sl-board td.sl-words{overflow-wrap:anywhere;white-space:normal;text-align:left;min-width:180px}
`;function W(t){return t?t<1e3?`${t} B`:t<1e6?`${$(t/1e3)} kB`:`${$(t/1e6)} MB`:"–"}function G(t){let r=e("tr"),i=e("tbody"),o=e("div"),a=new Map,l=e("tbody"),m=e("p",{class:"sl-muted",text:"Nothing has happened yet: drifts, changed parameters and structural events will stand here."}),d=e("div",{class:"sl-scroll sl-log",tabindex:"0",role:"region","aria-label":"Events",hidden:!0},[e("table",{},[e("thead",{},[e("tr",{},["Instance","Learner","Event","What"].map((s,n)=>e("th",{text:s,scope:"col",class:n?"sl-left":""})))]),l])]),f=e("p",{class:"sl-muted"}),h=e("div",{class:"sl-view sl-board"},[e("div",{class:"sl-scroll",tabindex:"0",role:"region","aria-label":"Learners now"},[e("table",{},[e("thead",{},[r]),i])]),f,e("h3",{text:"The latest instance"}),o,e("h3",{text:"Events"}),m,d]);t.append(e("style",{text:V}),h);let g="";function v(s){let n=s.join();n!==g&&(g=n,a.clear(),i.replaceChildren(),r.replaceChildren(...["Learner",...s,"Instances/s","Memory"].map(c=>e("th",{text:c,scope:"col"}))))}function y(s){if(!a.has(s.name)){let n=e("span",{class:"sl-swatch",style:`border-top-style:${s.line};border-color:${s.colour}`}),c=e("th",{scope:"row"},[n,e("span",{text:s.name})]),x=[...s.values,0,0].map(()=>e("td"));i.append(e("tr",{},[c,...x])),a.set(s.name,x)}return a.get(s.name)}function S(s,n){let c=(u,b)=>u.map(w=>e("span",{class:`sl-chip ${b(w)}`,text:w})),x=(u,b)=>e("div",{class:"sl-chips"},[e("span",{class:"sl-who",text:u}),...b]),E=JSON.stringify([s,n.map(u=>u.predicted)]);if(o.dataset.key===E)return;if(o.dataset.key=E,!s){o.replaceChildren(e("p",{class:"sl-muted",text:"No instance yet."}));return}let A=u=>u.length?u:[e("span",{class:"sl-muted",text:"no label"})];o.replaceChildren(x("truth",A(c(s,()=>""))),...n.map(({name:u,predicted:b})=>x(u,A(c((b!=null?b:[]).map(w=>`${s.includes(w)?"✓":"✗"} ${w}`),w=>w.startsWith("✓")?"sl-right":"sl-wrong")))))}function p(s){s.restarted&&l.replaceChildren(),v(s.measures);for(let n of s.learners){let c=y(n);n.values.forEach((x,E)=>k(c[E],x==null?"–":x.toFixed(3))),k(c[n.values.length],n.rate?M(n.rate):"–"),k(c[n.values.length+1],W(n.bytes))}k(f,s.foot),S(s.truth,s.learners);for(let n of s.events)l.prepend(e("tr",{"data-at":n[0]},[e("td",{text:M(n[0])}),e("td",{class:"sl-left",text:n[1]||"stream"}),e("td",{class:"sl-left",text:n[2]}),e("td",{class:"sl-words",text:n[3]})]));for(;l.childElementCount>P;)l.lastElementChild.remove();for(let n of l.children)n.classList.toggle("sl-later",Number(n.dataset.at)>s.position);d.hidden=l.childElementCount===0,m.hidden=!d.hidden}return{update:p,setDark:s=>h.classList.toggle("sl-dark",s),destroy:()=>t.replaceChildren()}}function ut({model:t,el:r,view:i}){z(t,i,()=>{let o=G(r);o.setDark(t.dark),t.on("dark",()=>o.setDark(t.dark));let a=O(t,i,l=>o.update(l));return()=>{a(),o.destroy()}})}export{G as createStatusTable,ut as render};
