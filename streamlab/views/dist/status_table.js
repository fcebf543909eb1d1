/*! streamlab status_table, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function e(t,o={},a=[]){let s=document.createElement(t);for(let[n,l]of Object.entries(o))n==="text"?s.textContent=l:l===!0?s.setAttribute(n,""):l!==!1&&l!=null&&s.setAttribute(n,l);return s.append(...a),s}function k(t,o){t.textContent!==o&&(t.textContent=o)}var R=new Intl.NumberFormat("en",{maximumFractionDigits:0}),D=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),J=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),C=t=>t.replace("-","−");function M(t){return C(R.format(t))}function $(t){return Math.abs(t)<100?C(D.format(t)):M(t)}var L={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function z(t,o){let a={},s=0;for(let[n,l,m,d]of t){let f=new L[l](o,s,m);Array.isArray(d)?d.forEach((u,b)=>{a[u]=Uint8Array.from(f,v=>v>>b&1)}):a[n]=d===1?f:Float32Array.from(f,u=>u/d),s+=f.byteLength}return a}var H=500;function N(t,o,a){var f,u,b,v,y,S;let s=!0,n=0,l=p=>{if(((p==null?void 0:p.kind)==="frame"||(p==null?void 0:p.kind)==="heard")&&clearInterval(n),(p==null?void 0:p.kind)!=="frame")return;let{spec:r,buffer:i,...c}=p;a({...c,...z(r,i)}),t.send_msg({kind:"received",number:c.number})},m=()=>t.send_msg({kind:"ready"});t.on("msg:custom",l);let d=()=>{clearInterval(n),s&&(m(),n=setInterval(m,H))};return(b=(u=(f=o==null?void 0:o.model)==null?void 0:f.document)==null?void 0:u.on_event)==null||b.call(u,"client_reconnected",d),(S=(y=(v=o==null?void 0:o.model)==null?void 0:v.document)==null?void 0:y.on_event)==null||S.call(y,"connection_lost",()=>clearInterval(n)),d(),()=>{s=!1,clearInterval(n),t.off("msg:custom",l)}}function j(t){var o,a,s,n;for(let l of(a=(o=t==null?void 0:t.references)==null?void 0:o.call(t))!=null?a:[])(n=(s=t.document)==null?void 0:s._new_models)==null||n.delete(l)}function O(t,o,a){var s;j(o.model),(s=o.__streamlab_dispose)==null||s.call(o),o.__streamlab_dispose=a(),t.on("lifecycle:remove",()=>{var n;(n=o.__streamlab_dispose)==null||n.call(o),o.__streamlab_dispose=void 0})}var B={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},U={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Y=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],F=t=>[`--sl-text:${t.ink}`,...Y.map(o=>`--sl-${o}:${t[o]}`)].join(";"),I=`.sl-view{${F(B)}}
.sl-view.sl-dark{${F(U)}}
`;var _='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',rt=`12px ${_}`,st=`600 12px ${_}`,nt=`11px ${_}`;var T=`${I}
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
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px}
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
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var P=300,V=`${T}
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
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
`;function G(t){return t?t<1e3?`${t} B`:t<1e6?`${$(t/1e3)} kB`:`${$(t/1e6)} MB`:"–"}function K(t){let o=e("tr"),a=e("tbody"),s=e("div"),n=new Map,l=e("tbody"),m=e("p",{class:"sl-muted",text:"Nothing has happened yet: drifts, changed parameters and structural events will stand here."}),d=e("div",{class:"sl-scroll sl-log",tabindex:"0",role:"region","aria-label":"Events",hidden:!0},[e("table",{},[e("thead",{},[e("tr",{},["Instance","Learner","Event","What"].map((r,i)=>e("th",{text:r,scope:"col",class:i?"sl-left":""})))]),l])]),f=e("p",{class:"sl-muted"}),u=e("div",{class:"sl-view sl-board"},[e("div",{class:"sl-scroll",tabindex:"0",role:"region","aria-label":"Learners now"},[e("table",{},[e("thead",{},[o]),a])]),f,e("h3",{text:"The latest instance"}),s,e("h3",{text:"Events"}),m,d]);t.append(e("style",{text:V}),u);let b="";function v(r){let i=r.join();i!==b&&(b=i,n.clear(),a.replaceChildren(),o.replaceChildren(...["Learner",...r,"Instances/s","Memory"].map(c=>e("th",{text:c,scope:"col"}))))}function y(r){if(!n.has(r.name)){let i=e("span",{class:"sl-swatch",style:`border-top-style:${r.line};border-color:${r.colour}`}),c=e("th",{scope:"row"},[i,e("span",{text:r.name})]),x=[...r.values,0,0].map(()=>e("td"));a.append(e("tr",{},[c,...x])),n.set(r.name,x)}return n.get(r.name)}function S(r,i){let c=(h,g)=>h.map(w=>e("span",{class:`sl-chip ${g(w)}`,text:w})),x=(h,g)=>e("div",{class:"sl-chips"},[e("span",{class:"sl-who",text:h}),...g]),E=JSON.stringify([r,i.map(h=>h.predicted)]);if(s.dataset.key===E)return;if(s.dataset.key=E,!r){s.replaceChildren(e("p",{class:"sl-muted",text:"No instance yet."}));return}let A=h=>h.length?h:[e("span",{class:"sl-muted",text:"no label"})];s.replaceChildren(x("truth",A(c(r,()=>""))),...i.map(({name:h,predicted:g})=>x(h,A(c((g!=null?g:[]).map(w=>`${r.includes(w)?"✓":"✗"} ${w}`),w=>w.startsWith("✓")?"sl-right":"sl-wrong")))))}function p(r){r.restarted&&l.replaceChildren(),v(r.measures);for(let i of r.learners){let c=y(i);i.values.forEach((x,E)=>k(c[E],x==null?"–":x.toFixed(3))),k(c[i.values.length],i.rate?M(i.rate):"–"),k(c[i.values.length+1],G(i.bytes))}k(f,r.foot),S(r.truth,r.learners);for(let i of r.events)l.prepend(e("tr",{},[e("td",{text:M(i[0])}),e("td",{class:"sl-left",text:i[1]||"stream"}),e("td",{class:"sl-left",text:i[2]}),e("td",{class:"sl-words",text:i[3]})]));for(;l.childElementCount>P;)l.lastElementChild.remove();d.hidden=l.childElementCount===0,m.hidden=!d.hidden}return{update:p,setDark:r=>u.classList.toggle("sl-dark",r),destroy:()=>t.replaceChildren()}}function ht({model:t,el:o,view:a}){O(t,a,()=>{let s=K(o);s.setDark(t.dark),t.on("dark",()=>s.setDark(t.dark));let n=N(t,a,l=>s.update(l));return()=>{n(),s.destroy()}})}export{K as createStatusTable,ht as render};
