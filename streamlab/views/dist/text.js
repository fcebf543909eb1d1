/*! streamlab text, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function h(t,e={},o=[]){let s=document.createElement(t);for(let[r,i]of Object.entries(e))r==="text"?s.textContent=i:i===!0?s.setAttribute(r,""):i!==!1&&i!=null&&s.setAttribute(r,i);return s.append(...o),s}function m(t,e){t.textContent!==e&&(t.textContent=e)}var _=t=>t.currentCSSZoom||1;var M={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},R={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var T=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],S=t=>[`--sl-text:${t.ink}`,...T.map(e=>`--sl-${e}:${t[e]}`)].join(";"),A=`.sl-view{${S(M)}}
.sl-view.sl-dark{${S(R)}}
`;var f='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',q=`13px ${f}`,Q=`600 13px ${f}`,tt=`600 18px ${f}`,et=`11px ${f}`;var L=0,x=typeof document>"u"?void 0:document.fonts,E;(E=x==null?void 0:x.addEventListener)==null||E.call(x,"loadingdone",()=>L++);var w=`${A}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${f};
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
`;var $={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function N(t,e){let o={},s=0;for(let[r,i,d,a]of t){let p=new $[i](e,s,d);Array.isArray(a)?a.forEach((l,n)=>{o[l]=Uint8Array.from(p,u=>u>>n&1)}):o[r]=a===1?p:Float32Array.from(p,l=>l/a),s+=p.byteLength}return o}var I=500;function P(t,e,o){var p,l,n,u,g,v;let s=!0,r=0,i=c=>{if(((c==null?void 0:c.kind)==="frame"||(c==null?void 0:c.kind)==="heard")&&clearInterval(r),(c==null?void 0:c.kind)!=="frame")return;let{spec:C,buffer:z,...k}=c;o({...k,...N(C,z)}),t.send_msg({kind:"received",number:k.number})},d=()=>t.send_msg({kind:"ready"});t.on("msg:custom",i);let a=()=>{clearInterval(r),s&&(d(),r=setInterval(d,I))};return(n=(l=(p=e==null?void 0:e.model)==null?void 0:p.document)==null?void 0:l.on_event)==null||n.call(l,"client_reconnected",a),(v=(g=(u=e==null?void 0:e.model)==null?void 0:u.document)==null?void 0:g.on_event)==null||v.call(g,"connection_lost",()=>clearInterval(r)),a(),()=>{s=!1,clearInterval(r),t.off("msg:custom",i)}}function F(t){var e,o,s,r;for(let i of(o=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?o:[])(r=(s=t.document)==null?void 0:s._new_models)==null||r.delete(i)}function H(t,e,o){var s;F(e.model),(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=o(),t.on("lifecycle:remove",()=>{var r;(r=e.__streamlab_dispose)==null||r.call(e),e.__streamlab_dispose=void 0})}function O(t){return Object.assign(({model:o,el:s,view:r})=>H(o,r,()=>{var l;let i=["labels","dark","picture_height",...(l=t.parameters)!=null?l:[]],d=Object.fromEntries([...i,"empty_text"].map(n=>[n,o[n]])),a=new t(s,{...d,onSelect:n=>{o.selected=n},onChange:(n,u)=>{o[n]=u},onMessage:n=>o.send_msg(n)});a.select(o.selected),o.on("selected",()=>a.select(o.selected));for(let n of i)o.on(n,()=>a.set(n,o[n]));let p=P(o,r,n=>a.update(n));return()=>{p(),a.destroy()}}),{View:t})}var j=180,D=80,B=t=>Number(getComputedStyle(t).getPropertyValue("--sl-least-room"))||j,K=t=>getComputedStyle(t).getPropertyValue("--sl-fill").trim()==="1",Y=t=>getComputedStyle(t).getPropertyValue("--sl-projected").trim()==="1";function b(t){t.part??=U(t.root),t.part&&t.observer.observe(t.part),t.fills=!!t.part&&K(t.part),t.wrapper.classList.toggle("sl-whole",t.fills),t.low=t.fills?0:Number(getComputedStyle(t.wrapper).getPropertyValue("--sl-low")),t.tall=t.fills?V(t):t.low||t.usual,t.resize()}function U(t){var o,s;let e=t;for(;e&&((o=e.dataset)==null?void 0:o.part)!=="picture";)e=(s=e.parentNode)!=null?s:e.host;return e}function V({part:t,wrapper:e,stage:o,table:s}){let r=n=>n.getBoundingClientRect(),i=_(t),d=n=>n.offsetParent!==null&&getComputedStyle(n).position!=="absolute",a=s.open&&d(s.node)?r(s.node).height-r(s.node.firstElementChild).height:0,p=Math.max(...[...e.children].filter(d).map(n=>r(n).bottom)),l=r(t).bottom-i-t.scrollTop;return e.style.setProperty("--sl-room",`${Math.floor((l-r(e).top)/i)}px`),Math.max(Y(t)?D:B(t),Math.floor((l-r(o).top-(p-r(o).bottom-a))/i))}var G=`${w}
.sl-text pre{margin:6px 0 0;padding:10px 12px;overflow:auto;border:1px solid var(--sl-line);border-radius:8px;
  font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;tab-size:4}
`,y=class{constructor(e,o={}){var s;this.root=e,this.usual=(s=o.picture_height)!=null?s:440,this.summary=h("div",{class:"sl-summary sl-muted",text:o.empty_text}),this.stage=h("pre",{tabindex:"0",role:"region","aria-label":"What the model says",hidden:!0}),this.wrapper=h("section",{class:"sl-view sl-text","aria-label":"In words"},[h("style",{text:G}),this.summary,this.stage]),this.table={open:!1},e.append(this.wrapper),this.observer=new ResizeObserver(()=>b(this)),this.observer.observe(this.wrapper),this.set("dark",o.dark),b(this),e.__text_stats=()=>{var r,i;return{lines:(i=(r=this.frame)==null?void 0:r.lines.length)!=null?i:0,tall:this.tall}}}select(){}set(e,o){e==="dark"&&this.wrapper.classList.toggle("sl-dark",!!o),e==="picture_height"&&(this.usual=o,b(this))}resize(){this.stage.style.maxHeight=`${this.tall}px`}update(e){this.frame=e,this.stage.hidden=!e.lines.length,m(this.summary,e.said),m(this.stage,e.lines.join(`
`))}destroy(){this.observer.disconnect(),this.wrapper.remove()}},xt=O(y);export{xt as render};
