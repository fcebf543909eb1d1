/*! streamlab asking, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function u(e,t={},n=[]){let o=document.createElement(e);for(let[a,r]of Object.entries(t))a==="text"?o.textContent=r:r===!0?o.setAttribute(a,""):r!==!1&&r!=null&&o.setAttribute(a,r);return o.append(...n),o}function w(e,t,n={}){let o=u("button",{type:"button",text:e,...n});return o.addEventListener("click",t),o}var v=e=>e.ctrlKey||e.metaKey||e.altKey;function k(e){window.__streamlab_afresh=!(v(e)||e.shiftKey)}var R={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},$={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var M=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],y=e=>[`--sl-text:${e.ink}`,...M.map(t=>`--sl-${t}:${e[t]}`)].join(";"),S=`.sl-view{${y(R)}}
.sl-view.sl-dark{${y($)}}
`;var x='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',X=`13px ${x}`,Z=`600 13px ${x}`,Q=`600 18px ${x}`,ee=`11px ${x}`;var z=0,g=typeof document>"u"?void 0:document.fonts,_;(_=g==null?void 0:g.addEventListener)==null||_.call(g,"loadingdone",()=>z++);var A=`${S}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${x};
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
.sl-stage canvas{border-radius:8px}
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
`;var I={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function L(e,t){let n={},o=0;for(let[a,r,h,l]of e){let s=new I[r](t,o,h);Array.isArray(l)?l.forEach((i,p)=>{n[i]=Uint8Array.from(s,f=>f>>p&1)}):n[a]=l===1?s:Float32Array.from(s,i=>i/l),o+=s.byteLength}return n}var P=500;function N(e,t,n){var s,i,p,f,d,b;let o=!0,a=0,r=c=>{if(((c==null?void 0:c.kind)==="frame"||(c==null?void 0:c.kind)==="heard")&&clearInterval(a),(c==null?void 0:c.kind)!=="frame")return;let{spec:O,buffer:C,...m}=c;n({...m,...L(O,C)}),e.send_msg({kind:"received",number:m.number})},h=()=>e.send_msg({kind:"ready"});e.on("msg:custom",r);let l=()=>{clearInterval(a),o&&(h(),a=setInterval(h,P))};return(p=(i=(s=t==null?void 0:t.model)==null?void 0:s.document)==null?void 0:i.on_event)==null||p.call(i,"client_reconnected",l),(b=(d=(f=t==null?void 0:t.model)==null?void 0:f.document)==null?void 0:d.on_event)==null||b.call(d,"connection_lost",()=>clearInterval(a)),l(),()=>{o=!1,clearInterval(a),e.off("msg:custom",r)}}function T(e){var t,n,o,a;for(let r of(n=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?n:[])(a=(o=e.document)==null?void 0:o._new_models)==null||a.delete(r)}function D(e,t,n){var o;T(t.model),(o=t.__streamlab_dispose)==null||o.call(t),t.__streamlab_dispose=n(),e.on("lifecycle:remove",()=>{var a;(a=t.__streamlab_dispose)==null||a.call(t),t.__streamlab_dispose=void 0})}var E=e=>({model:t,el:n,view:o})=>{D(t,o,()=>{let a=new AbortController,r=e({model:t,view:o,el:n,send:s=>t.send_msg(s),signal:a.signal});n.append(u("style",{text:A+r.css}),r.box);let h=()=>{var s;r.box.classList.toggle("sl-dark",!!t.dark),(s=r.setDark)==null||s.call(r,t.dark)};for(let[s,i]of Object.entries({dark:h,...r.follows}))t.on(s,i),i();r.hear&&t.on("msg:custom",r.hear);let l=r.update&&N(t,o,r.update);return()=>{var s;a.abort(),l==null||l(),r.hear&&t.off("msg:custom",r.hear),(s=r.destroy)==null||s.call(r),n.replaceChildren()}})};var F="streamlab_asks",H=365*24*3600,j=`
.sl-asking{padding:2px 2px 4px;font:15px/1.33 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--sl-text)}
.sl-asking:focus{outline:none}
.sl-asking:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:6px}
.sl-asking p{margin:0 0 5px;max-width:140ch;overflow-wrap:anywhere}
.sl-asking b{font-weight:650}
.sl-asking .sl-row{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:center}
.sl-asking :is(button,a){box-sizing:border-box;min-height:30px;padding:4px 12px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit;font-size:13px;line-height:20px;text-align:left;text-decoration:none;cursor:pointer}
.sl-asking :is(button,a):hover{background:var(--sl-track)}
.sl-asking .sl-first{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);font-weight:600}
.sl-asking .sl-first:hover{background:var(--sl-accent);filter:brightness(1.1)}
.sl-asking .sl-quiet{border-color:transparent;background:none;color:var(--sl-muted);text-decoration:underline}
@media (pointer:coarse){.sl-asking :is(button,a){min-height:44px;line-height:34px}}
`;function q(e,t){return t===null?{words:e.question,verdict:"What happened?",buttons:e.answers.map((n,o)=>["answer",n,o])}:e.ahead&&e.judged===null?{words:"Play on and see.",verdict:`You said: ${e.answers[t]}.`,buttons:[]}:{words:e.why,verdict:t===e.right?"Right.":`Not quite: ${e.answers[e.right]}.`,buttons:[]}}function K(){var t;let e=document.activeElement;for(;(t=e==null?void 0:e.shadowRoot)!=null&&t.activeElement;)e=e.shadowRoot.activeElement;return e}var U=e=>{document.cookie=`${F}=${e?"on":"off"};path=/;max-age=${H};samesite=strict`},de=E(({model:e,send:t})=>{let n=u("section",{class:"sl-view sl-asking","aria-label":"A question on what happened",tabindex:"-1",hidden:!0}),o=null,a=null,r=s=>{a=s,t({kind:"answer",answer:s}),h(),n.focus({preventScroll:!0})},h=()=>{let{words:s,verdict:i,buttons:p}=q(o,a),f=[w("Play on",()=>t({kind:"play"}),{class:a===null?"sl-quiet":"sl-first"}),w("Do not ask again",()=>t({kind:"off"}),{class:"sl-quiet"})],d=o.lesson&&u("a",{href:o.lesson[0],text:o.lesson[1],class:a===null?"sl-quiet":""});d==null||d.addEventListener("click",k),n.replaceChildren(u("p",{"aria-live":"polite"},[u("b",{text:`${i} `}),u("span",{text:s})]),u("div",{class:"sl-row"},[...p.map(([,b,c])=>w(b,()=>r(c))),...d?[d]:[],...f]))},l=s=>{let i=s.question&&!(o&&o.question);if(o=s,n.hidden=!s.question,n.hidden&&n.replaceChildren(),!i)return;a=s.judged,h();let p=K();(!p||p===document.body||p.closest(".sl-transport"))&&n.focus({preventScroll:!0})};return e.on("asks",()=>U(e.asks)),{box:n,css:j,update:l}});export{de as render,q as said};
