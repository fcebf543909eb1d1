/*! streamlab text, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function h(e,t={},s=[]){let o=document.createElement(e);for(let[r,i]of Object.entries(t))r==="text"?o.textContent=i:i===!0?o.setAttribute(r,""):i!==!1&&i!=null&&o.setAttribute(r,i);return o.append(...s),o}function w(e,t){e.textContent!==t&&(e.textContent=t)}var _=e=>e.currentCSSZoom||1;var R={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},T={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var L=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],S=e=>[`--sl-text:${e.ink}`,...L.map(t=>`--sl-${t}:${e[t]}`)].join(";"),A=`.sl-view{${S(R)}}
.sl-view.sl-dark{${S(T)}}
`;var x='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',J=`12px ${x}`,Q=`600 12px ${x}`,tt=`11px ${x}`;var $=0,u=typeof document>"u"?void 0:document.fonts,E;(E=u==null?void 0:u.addEventListener)==null||E.call(u,"loadingdone",()=>$++);var y=`${A}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${x};
  font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:break-word;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,.sl-scroll,.sl-list):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
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
`;var I={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function C(e,t){let s={},o=0;for(let[r,i,l,c]of e){let p=new I[i](t,o,l);Array.isArray(c)?c.forEach((n,a)=>{s[n]=Uint8Array.from(p,f=>f>>a&1)}):s[r]=c===1?p:Float32Array.from(p,n=>n/c),o+=p.byteLength}return s}var N=500;function P(e,t,s){var p,n,a,f,g,v;let o=!0,r=0,i=d=>{if(((d==null?void 0:d.kind)==="frame"||(d==null?void 0:d.kind)==="heard")&&clearInterval(r),(d==null?void 0:d.kind)!=="frame")return;let{spec:z,buffer:M,...k}=d;s({...k,...C(z,M)}),e.send_msg({kind:"received",number:k.number})},l=()=>e.send_msg({kind:"ready"});e.on("msg:custom",i);let c=()=>{clearInterval(r),o&&(l(),r=setInterval(l,N))};return(a=(n=(p=t==null?void 0:t.model)==null?void 0:p.document)==null?void 0:n.on_event)==null||a.call(n,"client_reconnected",c),(v=(g=(f=t==null?void 0:t.model)==null?void 0:f.document)==null?void 0:g.on_event)==null||v.call(g,"connection_lost",()=>clearInterval(r)),c(),()=>{o=!1,clearInterval(r),e.off("msg:custom",i)}}function F(e){var t,s,o,r;for(let i of(s=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?s:[])(r=(o=e.document)==null?void 0:o._new_models)==null||r.delete(i)}function H(e,t,s){var o;F(t.model),(o=t.__streamlab_dispose)==null||o.call(t),t.__streamlab_dispose=s(),e.on("lifecycle:remove",()=>{var r;(r=t.__streamlab_dispose)==null||r.call(t),t.__streamlab_dispose=void 0})}var O=e=>({model:t,el:s,view:o})=>{H(t,o,()=>{var p;let r=["labels","dark","picture_height",...(p=e.parameters)!=null?p:[]],i=Object.fromEntries([...r,"empty_text"].map(n=>[n,t[n]])),l=new e(s,{...i,onSelect:n=>{t.selected=n},onChange:(n,a)=>{t[n]=a},onMessage:n=>t.send_msg(n)});l.select(t.selected),t.on("selected",()=>l.select(t.selected));for(let n of r)t.on(n,()=>l.set(n,t[n]));let c=P(t,o,n=>l.update(n));return()=>{c(),l.destroy()}})};var j=180,D=80,B=e=>Number(getComputedStyle(e).getPropertyValue("--sl-least-room"))||j,K=e=>getComputedStyle(e).getPropertyValue("--sl-fill").trim()==="1",V=e=>getComputedStyle(e).getPropertyValue("--sl-projected").trim()==="1";function m(e){e.part??=Y(e.root),e.part&&e.observer.observe(e.part),e.fills=!!e.part&&K(e.part),e.wrapper.classList.toggle("sl-whole",e.fills),e.tall=e.fills?U(e):e.usual,e.resize()}function Y(e){var s,o;let t=e;for(;t&&((s=t.dataset)==null?void 0:s.part)!=="picture";)t=(o=t.parentNode)!=null?o:t.host;return t}function U({part:e,wrapper:t,stage:s,table:o}){let r=a=>a.getBoundingClientRect(),i=_(e),l=a=>a.offsetParent!==null&&getComputedStyle(a).position!=="absolute",c=o.open&&l(o.node)?r(o.node).height-r(o.node.firstElementChild).height:0,p=Math.max(...[...t.children].filter(l).map(a=>r(a).bottom)),n=r(e).bottom-i-e.scrollTop;return t.style.setProperty("--sl-room",`${Math.floor((n-r(t).top)/i)}px`),Math.max(V(e)?D:B(e),Math.floor((n-r(s).top-(p-r(s).bottom-c))/i))}var G=`${y}
.sl-text pre{margin:6px 0 0;padding:10px 12px;overflow:auto;border:1px solid var(--sl-line);border-radius:8px;
  font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;tab-size:4}
.sl-text pre:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
`,b=class{constructor(t,s={}){var o;this.root=t,this.usual=(o=s.picture_height)!=null?o:440,this.summary=h("div",{class:"sl-summary sl-muted",text:s.empty_text}),this.stage=h("pre",{tabindex:"0",role:"region","aria-label":"What the model says",hidden:!0}),this.wrapper=h("section",{class:"sl-view sl-text","aria-label":"In words"},[h("style",{text:G}),this.summary,this.stage]),this.table={open:!1},t.append(this.wrapper),this.observer=new ResizeObserver(()=>m(this)),this.observer.observe(this.wrapper),this.set("dark",s.dark),m(this),t.__text_stats=()=>{var r,i;return{lines:(i=(r=this.frame)==null?void 0:r.lines.length)!=null?i:0,tall:this.tall}}}select(){}set(t,s){t==="dark"&&this.wrapper.classList.toggle("sl-dark",!!s),t==="picture_height"&&(this.usual=s,m(this))}resize(){this.stage.style.maxHeight=`${this.tall}px`}update(t){this.frame=t,this.stage.hidden=!t.lines.length,w(this.summary,t.said),w(this.stage,t.lines.join(`
`))}destroy(){this.observer.disconnect(),this.wrapper.remove()}},gt=(e,t)=>new b(e,t),mt=O(b);export{gt as createTextView,mt as render};
