/*! streamlab why, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function w(e,t={},i=[]){let n=document.createElement(e);for(let[a,o]of Object.entries(t))a==="text"?n.textContent=o:o===!0?n.setAttribute(a,""):o!==!1&&o!=null&&n.setAttribute(a,o);return n.append(...i),n}function E(e,t,i={}){let n=w("button",{type:"button",text:e,...i});return n.addEventListener("click",t),n}var k=e=>e.currentCSSZoom||1;var _=e=>e.ctrlKey||e.metaKey||e.altKey,F="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function A(e,t=F){let[i]=e.composedPath();return i instanceof Element&&i.closest(t)!==null}var D={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},j={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var B=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],O=e=>[`--sl-text:${e.ink}`,...B.map(t=>`--sl-${t}:${e[t]}`)].join(";"),C=`.sl-view{${O(D)}}
.sl-view.sl-dark{${O(j)}}
`;var b='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',st=`13px ${b}`,it=`600 13px ${b}`,lt=`600 18px ${b}`,at=`11px ${b}`;var K=0,y=typeof document>"u"?void 0:document.fonts,M;(M=y==null?void 0:y.addEventListener)==null||M.call(y,"loadingdone",()=>K++);var T=`${C}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${b};
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
`;var V={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function Y(e,t){let i={},n=0;for(let[a,o,f,u]of e){let c=new V[o](t,n,f);Array.isArray(u)?u.forEach((d,x)=>{i[d]=Uint8Array.from(c,h=>h>>x&1)}):i[a]=u===1?c:Float32Array.from(c,d=>d/u),n+=c.byteLength}return i}var U=500;function W(e,t,i){var c,d,x,h,m,r;let n=!0,a=0,o=l=>{if(((l==null?void 0:l.kind)==="frame"||(l==null?void 0:l.kind)==="heard")&&clearInterval(a),(l==null?void 0:l.kind)!=="frame")return;let{spec:s,buffer:p,...g}=l;i({...g,...Y(s,p)}),e.send_msg({kind:"received",number:g.number})},f=()=>e.send_msg({kind:"ready"});e.on("msg:custom",o);let u=()=>{clearInterval(a),n&&(f(),a=setInterval(f,U))};return(x=(d=(c=t==null?void 0:t.model)==null?void 0:c.document)==null?void 0:d.on_event)==null||x.call(d,"client_reconnected",u),(r=(m=(h=t==null?void 0:t.model)==null?void 0:h.document)==null?void 0:m.on_event)==null||r.call(m,"connection_lost",()=>clearInterval(a)),u(),()=>{n=!1,clearInterval(a),e.off("msg:custom",o)}}function G(e){var t,i,n,a;for(let o of(i=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?i:[])(a=(n=e.document)==null?void 0:n._new_models)==null||a.delete(o)}function q(e,t,i){var n;G(t.model),(n=t.__streamlab_dispose)==null||n.call(t),t.__streamlab_dispose=i(),e.on("lifecycle:remove",()=>{var a;(a=t.__streamlab_dispose)==null||a.call(t),t.__streamlab_dispose=void 0})}var R=e=>({model:t,el:i,view:n})=>{q(t,n,()=>{let a=new AbortController,o=e({model:t,view:n,el:i,send:c=>t.send_msg(c),signal:a.signal});i.append(w("style",{text:T+o.css}),o.box);let f=()=>{var c;o.box.classList.toggle("sl-dark",!!t.dark),(c=o.setDark)==null||c.call(o,t.dark)};for(let[c,d]of Object.entries({dark:f,...o.follows}))t.on(c,d),d();o.hear&&t.on("msg:custom",o.hear);let u=o.update&&W(t,n,o.update);return()=>{var c;a.abort(),u==null||u(),o.hear&&t.off("msg:custom",o.hear),(c=o.destroy)==null||c.call(o),i.replaceChildren()}})};var z="(min-width:1100px) and (min-height:620px)";var X=300,P=330,J=380,S=16,Z=56,Q="[role=listbox],[role=presentation].MuiPopover-root,.MuiModal-root,.MuiPopper-root",tt=`
.sl-view.sl-why-bar{width:32px}
.sl-why-bar button{width:32px;height:32px;border:0;border-radius:16px;background:none;color:var(--sl-muted);font-size:18px;cursor:pointer}
.sl-why-bar button:hover{background:var(--sl-track)}
.sl-why-bar button:focus-visible{outline:2px solid var(--sl-accent)}
`,L="streamlab_figures",N=e=>{try{return e===void 0?localStorage.getItem(L)==="on":localStorage.setItem(L,e?"on":"off")}catch{return!1}},vt=R(({model:e,el:t,send:i,signal:n})=>{let a=()=>i({kind:"command",name:"figures",value:null}),o=N()&&!e.figures;o&&setTimeout(a,400),e.on("figures",()=>{N(e.figures),e.figures&&!o&&!window.matchMedia(z).matches&&setTimeout(()=>{var r;return(r=f())==null?void 0:r.scrollIntoView({block:"nearest"})},X),o=!1});let f=()=>{var l;let r=[];for(let s=t.getRootNode();s;s=(l=s.host)==null?void 0:l.getRootNode())r.push(s,...[...s.querySelectorAll("*")].flatMap(({shadowRoot:p})=>p!=null?p:[]));return r.map(s=>s.querySelector("[data-area=figures]")).find(Boolean)},u=()=>i({kind:"command",name:"close",value:null}),c=E("×",u,{"aria-label":"Close",title:"Close (Escape)"}),d=w("div",{class:"sl-view sl-why-bar"},[c]),x=()=>{var l,s;let r=t;for(;r&&((l=r.dataset)==null?void 0:l.area)!=="note";)r=(s=r.parentNode)!=null?s:r.host;return r},h=()=>{var r;return d.offsetParent!==null||((r=x())==null?void 0:r.offsetParent)!==null||d.getClientRects().length>0},m=(r,l)=>{let{style:s}=document.documentElement,p=k(d)||1,[g,I]=[innerWidth/p,innerHeight/p],[v,$]=[r/p,l/p],H=v+S+P<g?v+S:Math.max(8,v-S-P);s.setProperty("--sl-why-left",`${Math.round(H)}px`),s.setProperty("--sl-why-top",`${Math.round(Math.max(Z,Math.min($-40,I-J)))}px`)};return document.addEventListener("pointerdown",r=>{let l=r.composedPath(),s=x();s&&l.includes(s)||l.some(p=>{var g;return(g=p.matches)==null?void 0:g.call(p,Q)})||(h()&&u(),m(r.clientX,r.clientY))},{signal:n,capture:!0}),document.addEventListener("keydown",r=>{var l;if(r.key==="Escape"&&h())u(),r.preventDefault();else if(r.key.toLowerCase()==="f"&&!A(r,"input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]")&&!_(r))a();else if(r.key==="Enter"||r.key===" "){let s=document.activeElement;for(;(l=s==null?void 0:s.shadowRoot)!=null&&l.activeElement;)s=s.shadowRoot.activeElement;let p=s==null?void 0:s.getBoundingClientRect();p&&!h()&&m(innerWidth,p.top+40)}},{signal:n,capture:!0}),{box:d,css:tt}});export{vt as render};
