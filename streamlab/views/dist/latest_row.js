/*! streamlab latest_row, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function s(e,t={},o=[]){let r=document.createElement(e);for(let[a,n]of Object.entries(t))a==="text"?r.textContent=n:n===!0?r.setAttribute(a,""):n!==!1&&n!=null&&r.setAttribute(a,n);return r.append(...o),r}function L(e,t,o={}){let r=s("button",{type:"button",text:e,...o});return r.addEventListener("click",t),r}var M=(e,t,o="")=>s("div",{class:`sl-scroll${o&&` ${o}`}`,tabindex:"0",role:"region","aria-label":e},[s("table",{},t)]),R=(e,t=()=>({}))=>s("tr",{},e.map((o,r)=>s("th",{text:o,scope:"col",...t(r)})));function f(e,t){e.textContent!==t&&(e.textContent=t)}function I(e,t){let o=e.scrollHeight>e.clientHeight+1;for(let[r,a]of[["tabindex","0"],["role","region"],["aria-label",t]])o?e.setAttribute(r,a):e.removeAttribute(r)}var B=new Intl.NumberFormat("en",{maximumFractionDigits:0}),rt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),nt=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),K=e=>e.replace("-","−");function k(e){return K(B.format(e))}var Y={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},V={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var G=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],N=e=>[`--sl-text:${e.ink}`,...G.map(t=>`--sl-${t}:${e[t]}`)].join(";"),F=`.sl-view{${N(Y)}}
.sl-view.sl-dark{${N(V)}}
`;var S='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',pt=`13px ${S}`,ct=`600 13px ${S}`,dt=`11px ${S}`;var W=0,_=typeof document>"u"?void 0:document.fonts,T;(T=_==null?void 0:_.addEventListener)==null||T.call(_,"loadingdone",()=>W++);var D=`${F}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${S};
  font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:break-word;container-type:inline-size}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-view :is(button,input,select){font:inherit}
.sl-view :is(summary,button,input,select,a,code,pre,.sl-scroll,.sl-list,.sl-diagram):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-muted{color:var(--sl-muted);font-size:12px}
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
  .sl-view>details{order:2;margin-top:0}.sl-search{flex:1 1 100px}.sl-search input{flex:1 1 100px}.sl-segments button{padding:0 8px;min-width:32px}}
.sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px;overflow-wrap:anywhere}
.sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var J={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function X(e,t){let o={},r=0;for(let[a,n,d,p]of e){let l=new J[n](t,r,d);Array.isArray(p)?p.forEach((c,g)=>{o[c]=Uint8Array.from(l,m=>m>>g&1)}):o[a]=p===1?l:Float32Array.from(l,c=>c/p),r+=l.byteLength}return o}var Z=500;function q(e,t,o){var l,c,g,m,x,A;let r=!0,a=0,n=u=>{if(((u==null?void 0:u.kind)==="frame"||(u==null?void 0:u.kind)==="heard")&&clearInterval(a),(u==null?void 0:u.kind)!=="frame")return;let{spec:E,buffer:i,...w}=u;o({...w,...X(E,i)}),e.send_msg({kind:"received",number:w.number})},d=()=>e.send_msg({kind:"ready"});e.on("msg:custom",n);let p=()=>{clearInterval(a),r&&(d(),a=setInterval(d,Z))};return(g=(c=(l=t==null?void 0:t.model)==null?void 0:l.document)==null?void 0:c.on_event)==null||g.call(c,"client_reconnected",p),(A=(x=(m=t==null?void 0:t.model)==null?void 0:m.document)==null?void 0:x.on_event)==null||A.call(x,"connection_lost",()=>clearInterval(a)),p(),()=>{r=!1,clearInterval(a),e.off("msg:custom",n)}}function Q(e){var t,o,r,a;for(let n of(o=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?o:[])(a=(r=e.document)==null?void 0:r._new_models)==null||a.delete(n)}function tt(e,t,o){var r;Q(t.model),(r=t.__streamlab_dispose)==null||r.call(t),t.__streamlab_dispose=o(),e.on("lifecycle:remove",()=>{var a;(a=t.__streamlab_dispose)==null||a.call(t),t.__streamlab_dispose=void 0})}var P=e=>({model:t,el:o,view:r})=>{tt(t,r,()=>{let a=new AbortController,n=e({model:t,view:r,el:o,send:l=>t.send_msg(l),signal:a.signal});o.append(s("style",{text:D+n.css}),n.box);let d=()=>{var l;n.box.classList.toggle("sl-dark",!!t.dark),(l=n.setDark)==null||l.call(n,t.dark)};for(let[l,c]of Object.entries({dark:d,...n.follows}))t.on(l,c),c();n.hear&&t.on("msg:custom",n.hear);let p=n.update&&q(t,r,n.update);return()=>{var l;a.abort(),p==null||p(),n.hear&&t.off("msg:custom",n.hear),(l=n.destroy)==null||l.call(n),o.replaceChildren()}})};var et=`
.sl-latest-row h3{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;margin:4px 0 8px;min-height:36px;font-size:15px;font-weight:600}
.sl-latest-row h3 b{font-weight:600;overflow-wrap:anywhere}
.sl-latest-row h3 .sl-muted{font-size:13px;font-weight:400}
.sl-latest-row .sl-hear{min-height:32px;padding:0 12px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  font-size:13px;cursor:pointer}
.sl-latest-row .sl-hear:hover{background:var(--sl-track)}
.sl-latest-row dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:6px 14px;margin:0 0 8px;align-items:baseline}
.sl-latest-row dt{color:var(--sl-muted);overflow-wrap:anywhere;max-width:180px}
.sl-latest-row dt i{display:inline-block;width:18px;height:0;margin-right:6px;vertical-align:middle;border-top:3px solid}
.sl-latest-row dd{display:flex;flex-wrap:wrap;gap:4px 6px;margin:0;min-height:22px}
.sl-latest-row .sl-chip.sl-missed{color:var(--sl-muted);border-style:dotted;text-decoration:line-through}
.sl-latest-row .sl-row-why p{margin:0 0 6px;font-size:14px;overflow-wrap:anywhere}
.sl-latest-row td{white-space:normal;overflow-wrap:anywhere}
@container (max-width:300px){.sl-latest-row dl{grid-template-columns:1fr;gap:2px}.sl-latest-row dt{max-width:none}.sl-latest-row dd{margin-bottom:4px}}
`,y=(e,t="",o="")=>s("span",{class:`sl-chip ${t}`,text:e,title:o||!1}),j=e=>e.length?e:[y("nothing")],kt=P(({el:e,send:t})=>{let o,r=null,a=s("b"),n=s("b"),d=s("span",{class:"sl-muted",role:"status"}),p=L("♪ Play it",()=>{f(d,"One moment …"),t({kind:"sound",row:o})},{class:"sl-hear",hidden:!0}),l=s("dl"),c=s("div",{class:"sl-row-why"}),g=s("p",{class:"sl-muted",text:"No row has come yet: press play."}),m=s("tbody"),x=M("Values of the latest row",[s("thead",{},[R(["Feature","Value"])]),m]);x.hidden=!0;let A=s("section",{class:"sl-view sl-latest-row","aria-label":"The latest row"},[s("h3",{},[a,n,p,d]),l,c,g,x]);function u(i){var b;if(i.error){f(g,i.error);return}({row:o}=i),f(a,`Row ${k(o+1)}`),f(n,i.title),p.hidden=!i.has_sound,p.setAttribute("aria-label",`Play row ${k(o+1)}${i.title?`, ${i.title}`:""}`);let w=i.more?[y(`and ${k(i.more)} more`)]:[],v=[[s("dt",{text:i.heading}),s("dd",{},[...j(i.truth.map(h=>y(h))),...w])]];for(let{name:h,colour:O,labels:$,missed:U}of i.answers){let H=$===null?[y("has not answered yet")]:j([...$.map(([C,z])=>y(C,z?"sl-right":"sl-wrong",z?"right":"wrong")),...U.map(C=>y(C,"sl-missed","not answered"))]);v.push([s("dt",{},[s("i",{style:`border-color:${O}`}),h]),s("dd",{},H)])}l.replaceChildren(...v.flat()),c.replaceChildren(...((b=i.why)!=null?b:[]).map(h=>s("p",{text:h}))),f(g,i.told),x.hidden=i.values.length===0,m.replaceChildren(...i.values.map(([h,O])=>s("tr",{},[h,O].map($=>s("td",{text:$}))))),I(x,"Values of the latest row")}async function E({row:i,wav:w,error:v}){if(v){f(d,`It cannot be played: ${v}`);return}let b=URL.createObjectURL(new Blob([w],{type:"audio/wav"})),h=new Audio(b);h.addEventListener("ended",()=>URL.revokeObjectURL(b));try{await h.play(),f(d,`Row ${k(i+1)} is playing`),r=i}catch{URL.revokeObjectURL(b),f(d,"This browser does not play it")}}return e.__latest_stats=()=>({row:o,played:r}),{box:A,css:et,update:u,hear:i=>(i==null?void 0:i.kind)==="sound"&&E(i)}});export{kt as render};
