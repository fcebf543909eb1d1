/*! streamlab latest_row, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function i(e,t={},n=[]){let r=document.createElement(e);for(let[s,o]of Object.entries(t))s==="text"?r.textContent=o:o===!0?r.setAttribute(s,""):o!==!1&&o!=null&&r.setAttribute(s,o);return r.append(...n),r}var $=(e,t,n="")=>i("div",{class:`sl-scroll${n&&` ${n}`}`,tabindex:"0",role:"region","aria-label":e},[i("table",{},t)]),E=(e,t=()=>({}))=>i("tr",{},e.map((n,r)=>i("th",{text:n,scope:"col",...t(r)})));function v(e,t){e.textContent!==t&&(e.textContent=t)}function C(e,t){let n=e.scrollHeight>e.clientHeight+1;for(let[r,s]of[["tabindex","0"],["role","region"],["aria-label",t]])n?e.setAttribute(r,s):e.removeAttribute(r)}var R=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Z=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),q=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),D=e=>e.replace("-","−");function S(e){return D(R.format(e))}var H={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},P={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var j=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],O=e=>[`--sl-text:${e.ink}`,...j.map(t=>`--sl-${t}:${e[t]}`)].join(";"),M=`.sl-view{${O(H)}}
.sl-view.sl-dark{${O(P)}}
`;var g='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',rt=`13px ${g}`,nt=`600 13px ${g}`,st=`600 18px ${g}`,it=`11px ${g}`;var K=0,k=typeof document>"u"?void 0:document.fonts,z;(z=k==null?void 0:k.addEventListener)==null||z.call(k,"loadingdone",()=>K++);var F=`${M}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${g};
  font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:break-word;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,a,code,pre,.sl-scroll,.sl-list,.sl-diagram):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
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
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,details),.sl-whole .sl-because{display:none}
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
.sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:13px;overflow-wrap:anywhere}
.sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var B={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function U(e,t){let n={},r=0;for(let[s,o,h,p]of e){let a=new B[o](t,r,h);Array.isArray(p)?p.forEach((c,f)=>{n[c]=Uint8Array.from(a,l=>l>>f&1)}):n[s]=p===1?a:Float32Array.from(a,c=>c/p),r+=a.byteLength}return n}var Y=500;function V(e,t,n){var a,c,f,l,m,b;let r=!0,s=0,o=d=>{if(((d==null?void 0:d.kind)==="frame"||(d==null?void 0:d.kind)==="heard")&&clearInterval(s),(d==null?void 0:d.kind)!=="frame")return;let{spec:u,buffer:y,...x}=d;n({...x,...U(u,y)}),e.send_msg({kind:"received",number:x.number})},h=()=>e.send_msg({kind:"ready"});e.on("msg:custom",o);let p=()=>{clearInterval(s),r&&(h(),s=setInterval(h,Y))};return(f=(c=(a=t==null?void 0:t.model)==null?void 0:a.document)==null?void 0:c.on_event)==null||f.call(c,"client_reconnected",p),(b=(m=(l=t==null?void 0:t.model)==null?void 0:l.document)==null?void 0:m.on_event)==null||b.call(m,"connection_lost",()=>clearInterval(s)),p(),()=>{r=!1,clearInterval(s),e.off("msg:custom",o)}}function G(e){var t,n,r,s;for(let o of(n=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?n:[])(s=(r=e.document)==null?void 0:r._new_models)==null||s.delete(o)}function W(e,t,n){var r;G(t.model),(r=t.__streamlab_dispose)==null||r.call(t),t.__streamlab_dispose=n(),e.on("lifecycle:remove",()=>{var s;(s=t.__streamlab_dispose)==null||s.call(t),t.__streamlab_dispose=void 0})}var N=e=>({model:t,el:n,view:r})=>{W(t,r,()=>{let s=new AbortController,o=e({model:t,view:r,el:n,send:a=>t.send_msg(a),signal:s.signal});n.append(i("style",{text:F+o.css}),o.box);let h=()=>{var a;o.box.classList.toggle("sl-dark",!!t.dark),(a=o.setDark)==null||a.call(o,t.dark)};for(let[a,c]of Object.entries({dark:h,...o.follows}))t.on(a,c),c();o.hear&&t.on("msg:custom",o.hear);let p=o.update&&V(t,r,o.update);return()=>{var a;s.abort(),p==null||p(),o.hear&&t.off("msg:custom",o.hear),(a=o.destroy)==null||a.call(o),n.replaceChildren()}})};var J=`
.sl-latest-row h3{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;margin:4px 0 8px;min-height:36px;font-size:15px;font-weight:600}
.sl-latest-row h3 b{font-weight:600;overflow-wrap:anywhere}
.sl-latest-row dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:6px 14px;margin:0 0 8px;align-items:baseline}
.sl-latest-row dt{color:var(--sl-muted);overflow-wrap:anywhere;max-width:180px}
.sl-latest-row dt i{display:inline-block;width:18px;height:0;margin-right:6px;vertical-align:middle;border-top:3px solid}
.sl-latest-row dd{display:flex;flex-wrap:wrap;gap:4px 6px;margin:0;min-height:22px}
.sl-latest-row .sl-chip.sl-missed{color:var(--sl-muted);border-style:dotted;text-decoration:line-through}
.sl-latest-row .sl-row-why p{margin:0 0 6px;font-size:14px;overflow-wrap:anywhere}
.sl-latest-row td{white-space:normal;overflow-wrap:anywhere}
@container (max-width:300px){.sl-latest-row dl{grid-template-columns:1fr;gap:2px}.sl-latest-row dt{max-width:none}.sl-latest-row dd{margin-bottom:4px}}
`,w=(e,t="",n="")=>i("span",{class:`sl-chip ${t}`,text:e,title:n||!1}),I=e=>e.length?e:[w("nothing")],gt=N(({el:e})=>{let t,n=i("b"),r=i("b"),s=i("dl"),o=i("div",{class:"sl-row-why"}),h=i("p",{class:"sl-muted",text:"No row has come yet: press play."}),p=i("tbody"),a=$("Values of the latest row",[i("thead",{},[E(["Feature","Value"])]),p]);a.hidden=!0;let c=i("section",{class:"sl-view sl-latest-row","aria-label":"The latest row"},[i("h3",{},[n,r]),s,o,h,a]);function f(l){var d;if(l.error){v(h,l.error);return}({row:t}=l),v(n,`Row ${S(t+1)}`),v(r,l.title);let m=l.more?[w(`and ${S(l.more)} more`)]:[],b=[[i("dt",{text:l.heading}),i("dd",{},[...I(l.truth.map(u=>w(u))),...m])]];for(let{name:u,colour:y,labels:x,missed:T}of l.answers){let L=x===null?[w("has not answered yet")]:I([...x.map(([_,A])=>w(_,A?"sl-right":"sl-wrong",A?"right":"wrong")),...T.map(_=>w(_,"sl-missed","not answered"))]);b.push([i("dt",{},[i("i",{style:`border-color:${y}`}),u]),i("dd",{},L)])}s.replaceChildren(...b.flat()),o.replaceChildren(...((d=l.why)!=null?d:[]).map(u=>i("p",{text:u}))),v(h,l.told),a.hidden=l.values.length===0,p.replaceChildren(...l.values.map(([u,y])=>i("tr",{},[u,y].map(x=>i("td",{text:x}))))),C(a,"Values of the latest row")}return e.__latest_stats=()=>({row:t}),{box:c,css:J,update:f}});export{gt as render};
