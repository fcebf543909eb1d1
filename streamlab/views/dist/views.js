/*! streamlab views, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function h(t,e={},n=[]){let r=document.createElement(t);for(let[s,o]of Object.entries(e))s==="text"?r.textContent=o:o===!0?r.setAttribute(s,""):o!==!1&&o!=null&&r.setAttribute(s,o);return r.append(...n),r}function v(t,e,n={}){let r=h("button",{type:"button",text:t,...n});return r.addEventListener("click",e),r}function y(t,e,n=t.value){let r=JSON.stringify(e),s=t.slKey!==r;return t.slKey=r,s&&t.replaceChildren(...e.map(([o,p])=>h("option",{value:String(o),text:p}))),t.value!==String(n)&&(t.value=String(n)),t.selectedIndex<0&&(t.selectedIndex=0),s}var C={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},M={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var R=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],k=t=>[`--sl-text:${t.ink}`,...R.map(e=>`--sl-${e}:${t[e]}`)].join(";"),_=`.sl-view{${k(C)}}
.sl-view.sl-dark{${k(M)}}
`;var g='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',W=`13px ${g}`,G=`600 13px ${g}`,V=`600 18px ${g}`,q=`11px ${g}`;var N=0,w=typeof document>"u"?void 0:document.fonts,A;(A=w==null?void 0:w.addEventListener)==null||A.call(w,"loadingdone",()=>N++);var S=`${_}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${g};
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
`;var L={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function T(t,e){let n={},r=0;for(let[s,o,p,c]of t){let i=new L[o](e,r,p);Array.isArray(c)?c.forEach((a,d)=>{n[a]=Uint8Array.from(i,u=>u>>d&1)}):n[s]=c===1?i:Float32Array.from(i,a=>a/c),r+=i.byteLength}return n}var $=500;function I(t,e,n){var i,a,d,u,x,b;let r=!0,s=0,o=l=>{if(((l==null?void 0:l.kind)==="frame"||(l==null?void 0:l.kind)==="heard")&&clearInterval(s),(l==null?void 0:l.kind)!=="frame")return;let{spec:f,buffer:z,...m}=l;n({...m,...T(f,z)}),t.send_msg({kind:"received",number:m.number})},p=()=>t.send_msg({kind:"ready"});t.on("msg:custom",o);let c=()=>{clearInterval(s),r&&(p(),s=setInterval(p,$))};return(d=(a=(i=e==null?void 0:e.model)==null?void 0:i.document)==null?void 0:a.on_event)==null||d.call(a,"client_reconnected",c),(b=(x=(u=e==null?void 0:e.model)==null?void 0:u.document)==null?void 0:x.on_event)==null||b.call(x,"connection_lost",()=>clearInterval(s)),c(),()=>{r=!1,clearInterval(s),t.off("msg:custom",o)}}function F(t){var e,n,r,s;for(let o of(n=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?n:[])(s=(r=t.document)==null?void 0:r._new_models)==null||s.delete(o)}function H(t,e,n){var r;F(e.model),(r=e.__streamlab_dispose)==null||r.call(e),e.__streamlab_dispose=n(),t.on("lifecycle:remove",()=>{var s;(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=void 0})}var O=t=>({model:e,el:n,view:r})=>{H(e,r,()=>{let s=new AbortController,o=t({model:e,view:r,el:n,send:i=>e.send_msg(i),signal:s.signal});n.append(h("style",{text:S+o.css}),o.box);let p=()=>{var i;o.box.classList.toggle("sl-dark",!!e.dark),(i=o.setDark)==null||i.call(o,e.dark)};for(let[i,a]of Object.entries({dark:p,...o.follows}))e.on(i,a),a();o.hear&&e.on("msg:custom",o.hear);let c=o.update&&I(e,r,o.update);return()=>{var i;s.abort(),c==null||c(),o.hear&&e.off("msg:custom",o.hear),(i=o.destroy)==null||i.call(o),n.replaceChildren()}})};var E=4,P=2,j=1100,D=`
.sl-view.sl-views{flex-direction:row} .sl-views{display:flex;justify-content:flex-end;gap:2px;width:max-content;font-size:13px}
.sl-views :is(button,select){white-space:nowrap;height:30px;padding:0 10px;border:0;border-radius:15px;background:none;color:var(--sl-muted);font:inherit;cursor:pointer}
.sl-views select{appearance:none;padding:0 10px;max-width:130px;field-sizing:content}
.sl-views :is(button,select):hover{background:var(--sl-track)}
.sl-views .sl-on{background:var(--sl-text);color:var(--sl-paper)}
.sl-views .sl-on:is(button,select):hover{background:var(--sl-text)}
.sl-views option{background:var(--sl-paper);color:var(--sl-text)}
.sl-views :focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-view.sl-views{flex-direction:row;gap:0;container-type:normal}
.sl-view.sl-views :is(button,select){padding:0 8px}
/* its words end where the picture does */
.sl-views>:last-child:not(.sl-on){margin-right:-8px}
@container style(--sl-projected:1){.sl-views{display:none}}
`,se=O(({model:t})=>{let e=h("nav",{class:"sl-view sl-views","aria-label":"Pictures"}),n=h("select",{"aria-label":"More"});n.addEventListener("change",()=>{n.value!==""&&(t.active=Number(n.value))});let r=()=>e.getRootNode().host,s=()=>{var a;return(a=r())==null?void 0:a.getRootNode().host},o=()=>{var a;return t.heads>1&&((a=s())==null?void 0:a.offsetWidth)<j&&getComputedStyle(r()).position==="absolute"?P:E},p=E,c=new ResizeObserver(()=>{o()!==p&&i()}),i=()=>{let{titles:a,active:d}=t;p=o();let u=a.length>p?a.slice(0,p-1):a,x=u.map((l,f)=>v(l,()=>{t.active=f},{"aria-pressed":String(f===d),class:f===d?"sl-on":""})),b=a.slice(u.length).map((l,f)=>[f+u.length,l]);y(n,[["","More ▾"],...b],d>=u.length?d:""),n.classList.toggle("sl-on",d>=u.length),e.replaceChildren(...x,...b.length?[n]:[]),requestAnimationFrame(()=>{let l=s();l&&(l.style.setProperty("--sl-words-wide",`${e.offsetWidth+16}px`),c.observe(l))})};return{box:e,css:D,follows:{titles:i,active:i,heads:i},destroy:()=>c.disconnect()}});export{se as render};
