/*! streamlab why, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function m(e,t={},s=[]){let n=document.createElement(e);for(let[i,o]of Object.entries(t))i==="text"?n.textContent=o:o===!0?n.setAttribute(i,""):o!==!1&&o!=null&&n.setAttribute(i,o);return n.append(...s),n}function k(e,t,s={}){let n=m("button",{type:"button",text:e,...s});return n.addEventListener("click",t),n}var E=e=>e.currentCSSZoom||1;var _=e=>e.ctrlKey||e.metaKey||e.altKey,$="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function A(e,t=$){let[s]=e.composedPath();return s instanceof Element&&s.closest(t)!==null}var H={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},N={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var D=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],S=e=>[`--sl-text:${e.ink}`,...D.map(t=>`--sl-${t}:${e[t]}`)].join(";"),O=`.sl-view{${S(H)}}
.sl-view.sl-dark{${S(N)}}
`;var g='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',et=`13px ${g}`,ot=`600 13px ${g}`,rt=`600 18px ${g}`,nt=`11px ${g}`;var F=0,w=typeof document>"u"?void 0:document.fonts,C;(C=w==null?void 0:w.addEventListener)==null||C.call(w,"loadingdone",()=>F++);var M=`${O}
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
@media (max-width:520px){.sl-view{display:flex;flex-direction:column}.sl-view>.sl-bar-row:has(.sl-search){order:1;margin:8px 0 0;padding-right:0;gap:8px 6px}
  .sl-view>details{order:2;margin-top:0}.sl-search{flex:1 1 100px}.sl-search input{flex:1 1 100px}.sl-segments button{padding:0 8px;min-width:32px}
  @container style(--sl-first:1){.sl-view:has(.sl-tools):not(:focus-within)>:is(.sl-bar-row,details:not([open])){display:none}}}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var j={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function K(e,t){let s={},n=0;for(let[i,o,h,p]of e){let l=new j[o](t,n,h);Array.isArray(p)?p.forEach((d,f)=>{s[d]=Uint8Array.from(l,r=>r>>f&1)}):s[i]=p===1?l:Float32Array.from(l,d=>d/p),n+=l.byteLength}return s}var B=500;function Y(e,t,s){var l,d,f,r,u,c;let n=!0,i=0,o=a=>{if(((a==null?void 0:a.kind)==="frame"||(a==null?void 0:a.kind)==="heard")&&clearInterval(i),(a==null?void 0:a.kind)!=="frame")return;let{spec:x,buffer:y,...b}=a;s({...b,...K(x,y)}),e.send_msg({kind:"received",number:b.number})},h=()=>e.send_msg({kind:"ready"});e.on("msg:custom",o);let p=()=>{clearInterval(i),n&&(h(),i=setInterval(h,B))};return(f=(d=(l=t==null?void 0:t.model)==null?void 0:l.document)==null?void 0:d.on_event)==null||f.call(d,"client_reconnected",p),(c=(u=(r=t==null?void 0:t.model)==null?void 0:r.document)==null?void 0:u.on_event)==null||c.call(u,"connection_lost",()=>clearInterval(i)),p(),()=>{n=!1,clearInterval(i),e.off("msg:custom",o)}}function U(e){var t,s,n,i;for(let o of(s=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?s:[])(i=(n=e.document)==null?void 0:n._new_models)==null||i.delete(o)}function W(e,t,s){var n;U(t.model),(n=t.__streamlab_dispose)==null||n.call(t),t.__streamlab_dispose=s(),e.on("lifecycle:remove",()=>{var i;(i=t.__streamlab_dispose)==null||i.call(t),t.__streamlab_dispose=void 0})}var z=e=>({model:t,el:s,view:n})=>{W(t,n,()=>{let i=new AbortController,o=e({model:t,view:n,el:s,send:l=>t.send_msg(l),signal:i.signal});s.append(m("style",{text:M+o.css}),o.box);let h=()=>{var l;o.box.classList.toggle("sl-dark",!!t.dark),(l=o.setDark)==null||l.call(o,t.dark)};for(let[l,d]of Object.entries({dark:h,...o.follows}))t.on(l,d),d();o.hear&&t.on("msg:custom",o.hear);let p=o.update&&Y(t,n,o.update);return()=>{var l;i.abort(),p==null||p(),o.hear&&t.off("msg:custom",o.hear),(l=o.destroy)==null||l.call(o),s.replaceChildren()}})};var R=330,G=380,v=16,V=56,X="[role=listbox],[role=presentation].MuiPopover-root,.MuiModal-root,.MuiPopper-root",J=`
.sl-view.sl-why-bar{width:32px}
.sl-why-bar button{width:32px;height:32px;border:0;border-radius:16px;background:none;color:var(--sl-muted);font-size:18px;cursor:pointer}
.sl-why-bar button:hover{background:var(--sl-track)}
.sl-why-bar button:focus-visible{outline:2px solid var(--sl-accent)}
`,T="streamlab_figures",I=e=>{try{return e===void 0?localStorage.getItem(T)==="on":localStorage.setItem(T,e?"on":"off")}catch{return!1}},ft=z(({model:e,el:t,send:s,signal:n})=>{let i=()=>s({kind:"command",name:"figures",value:null});I()&&!e.figures&&setTimeout(i,400),e.on("figures",()=>I(e.figures));let o=()=>s({kind:"command",name:"close",value:null}),h=k("×",o,{"aria-label":"Close",title:"Close (Escape)"}),p=m("div",{class:"sl-view sl-why-bar"},[h]),l=()=>{var u,c;let r=t;for(;r&&((u=r.dataset)==null?void 0:u.area)!=="note";)r=(c=r.parentNode)!=null?c:r.host;return r},d=()=>{var r;return p.offsetParent!==null||((r=l())==null?void 0:r.offsetParent)!==null||p.getClientRects().length>0},f=(r,u)=>{let{style:c}=document.documentElement,a=E(p)||1,[x,y]=[innerWidth/a,innerHeight/a],[b,L]=[r/a,u/a],P=b+v+R<x?b+v:Math.max(8,b-v-R);c.setProperty("--sl-why-left",`${Math.round(P)}px`),c.setProperty("--sl-why-top",`${Math.round(Math.max(V,Math.min(L-40,y-G)))}px`)};return document.addEventListener("pointerdown",r=>{let u=r.composedPath(),c=l();c&&u.includes(c)||u.some(a=>{var x;return(x=a.matches)==null?void 0:x.call(a,X)})||(d()&&o(),f(r.clientX,r.clientY))},{signal:n,capture:!0}),document.addEventListener("keydown",r=>{var u;if(r.key==="Escape"&&d())o(),r.preventDefault();else if(r.key.toLowerCase()==="f"&&!A(r,"input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]")&&!_(r))i();else if(r.key==="Enter"||r.key===" "){let c=document.activeElement;for(;(u=c==null?void 0:c.shadowRoot)!=null&&u.activeElement;)c=c.shadowRoot.activeElement;let a=c==null?void 0:c.getBoundingClientRect();a&&!d()&&f(innerWidth,a.top+40)}},{signal:n,capture:!0}),{box:p,css:J}});export{ft as render};
