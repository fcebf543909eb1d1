/*! streamlab lesson, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function o(l,n={},r=[]){let a=document.createElement(l);for(let[i,p]of Object.entries(n))i==="text"?a.textContent=p:p===!0?a.setAttribute(i,""):p!==!1&&p!=null&&a.setAttribute(i,p);return a.append(...r),a}var ye="http://www.w3.org/2000/svg";function re(l,n={},r=[]){let a=document.createElementNS(ye,l);for(let[i,p]of Object.entries(n))a.setAttribute(i,p);return a.append(...r),a}function x(l,n){l.textContent!==n&&(l.textContent=n)}function J(l,n,r){return l<n?n:l>r?r:l}function ke(l){var n,r,a,i;for(let p of(r=(n=l==null?void 0:l.references)==null?void 0:n.call(l))!=null?r:[])(i=(a=l.document)==null?void 0:a._new_models)==null||i.delete(p)}function ae(l,n,r){var a;ke(n.model),(a=n.__streamlab_dispose)==null||a.call(n),n.__streamlab_dispose=r(),l.on("lifecycle:remove",()=>{var i;(i=n.__streamlab_dispose)==null||i.call(n),n.__streamlab_dispose=void 0})}var Se={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},Ae={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var _e=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],ie=l=>[`--sl-text:${l.ink}`,..._e.map(n=>`--sl-${n}:${l[n]}`)].join(";"),de=`.sl-view{${ie(Se)}}
.sl-view.sl-dark{${ie(Ae)}}
`;var B='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',qe=`12px ${B}`,De=`600 12px ${B}`,Ie=`11px ${B}`;var ce=`${de}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${B};
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
`;var U=340,Y=200,q=30,X=12,O=14,pe=26,ue={ArrowUp:.02,ArrowDown:-.02,ArrowRight:.02,ArrowLeft:-.02,PageUp:.1,PageDown:-.1},S=(l,n={},r="")=>re(l,n,r?[r]:[]);function he(l,n){let r=S("svg",{viewBox:`0 0 ${U} ${Y}`,role:"group"}),a=o("button",{class:"sl-button sl-main sl-commit",type:"button",text:"This is my line"}),i=o("p",{class:"sl-muted"}),p=o("p",{class:"sl-muted",text:"Drag in the empty part, or focus a point and press ↑ or ↓."});l.append(r,i,p,a);let s=null,h=[],f=!1,L="",M=[],T=null,P=!1,v=t=>q+(t-s.from)/(s.to-s.from)*(U-q-X),y=t=>O+(1-t)*(Y-O-pe),$=(t,d)=>t.map((c,u)=>`${v(c).toFixed(1)},${y(d[u]).toFixed(1)}`).join(" "),N=()=>s.values.length?s.values[s.values.length-1]:0,A=t=>t.toLocaleString("en");function R(){T.setAttribute("points",$([s.now,...s.handles],[N(),...h])),M.forEach((t,d)=>{t.setAttribute("cx",v(s.handles[d])),t.setAttribute("cy",y(h[d])),t.setAttribute("aria-valuenow",h[d].toFixed(2)),t.setAttribute("aria-valuetext",`${s.measure} ${h[d].toFixed(2)} at row ${A(Math.round(s.handles[d]))}`)})}function F(t,d){h[t]=J(Math.round(d*100)/100,0,1),R()}function D(){M=s.handles.map((c,u)=>{let _=S("circle",{r:6,class:"sl-handle",role:"slider",tabindex:f?"0":"-1","aria-orientation":"vertical","aria-valuemin":"0","aria-valuemax":"1","aria-disabled":String(!f),"aria-label":`Your line at row ${A(Math.round(c))}`});return _.addEventListener("keydown",E=>{if(E.stopPropagation(),!f)return;let V=E.key in ue?h[u]+ue[E.key]:{Home:0,End:1}[E.key];V!==void 0&&(E.preventDefault(),F(u,V))}),_}),T=S("polyline",{class:"sl-guess"});let t=[0,.5,1].flatMap(c=>[S("line",{x1:q,x2:U-X,y1:y(c),y2:y(c),class:"sl-grid"}),S("text",{x:q-5,y:y(c)+4,"text-anchor":"end"},String(c))]),d=[[s.from,"start"],[s.now,"middle"],[s.to,"end"]].map(([c,u])=>S("text",{x:v(c),y:Y-8,"text-anchor":u},A(c)));r.replaceChildren(S("rect",{x:v(s.now),y:O,width:v(s.to)-v(s.now),height:y(0)-O,class:"sl-open"}),...t,...d,S("line",{x1:v(s.now),x2:v(s.now),y1:O,y2:y(0),class:"sl-now"}),S("polyline",{points:$(s.rows,s.values),class:"sl-known"}),T,...M,S("polyline",{points:$([s.now,...s.true_rows],[N(),...s.true_values]),class:"sl-truth"})),r.setAttribute("aria-label",`${s.measure} of ${s.learner}, rows ${A(s.from)} to ${A(s.to)}`),R()}function I(t){let d=r.getBoundingClientRect(),c=s.from+((t.clientX-d.left)/d.width*U-q)/(U-q-X)*(s.to-s.from),u=1-((t.clientY-d.top)/d.height*Y-O)/(Y-O-pe);return[c,u]}function H(t){let[d,c]=I(t),u=(s.to-s.now)/s.handles.length,_=s.handles.findIndex(E=>Math.abs(E-d)<=u/2);_>=0&&F(_,c)}r.addEventListener("pointerdown",t=>{f&&(P=!0,r.setPointerCapture(t.pointerId),t.preventDefault(),H(t))}),r.addEventListener("pointermove",t=>P&&H(t));for(let t of["pointerup","pointercancel"])r.addEventListener(t,()=>{P=!1});return a.addEventListener("click",()=>f&&n([...h])),{update(t,d){if(l.hidden=!t,!t){L="";return}let c=JSON.stringify([t,d]);if(c===L)return;let u=!s||!L||t.learner!==s.learner||t.now!==s.now||t.to!==s.to;L=c,s=t,f=d,t.drawn?h=[...t.drawn]:u&&(h=t.handles.map(()=>Math.round(N()*100)/100)),D();let _=s.true_rows.length>0;r.classList.toggle("sl-asked",f),r.classList.toggle("sl-unguessed",!f&&!t.drawn),x(i,_?"Solid: what happened. Dashed: your line.":`${s.measure} of ${s.learner}; the run stands at row ${A(s.now)}.`),a.hidden=p.hidden=!f}}}var xe=`
.sl-view:has(.sl-lesson){font-size:14.5px;line-height:1.5}
.sl-lesson{display:flex;flex-direction:column;height:calc(100dvh - 92px);min-height:340px;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-paper);
  overflow:hidden}
.sl-lesson :is(h2,p){margin:0}
.sl-lesson [hidden]{display:none!important}
.sl-lesson header{padding:12px 18px 0}
.sl-lesson .sl-where{display:flex;gap:10px;align-items:baseline;justify-content:space-between}
.sl-lesson .sl-lesson-name{font-size:12.5px;color:var(--sl-muted);min-width:0;overflow-wrap:anywhere}
.sl-lesson .sl-count{font-size:12.5px;color:var(--sl-muted);white-space:nowrap;font-variant-numeric:tabular-nums}
.sl-lesson .sl-fold{display:none;white-space:nowrap;border:0;background:none;color:var(--sl-accent);font-size:12.5px;padding:4px;min-height:28px;cursor:pointer;
  text-decoration:underline}
.sl-lesson .sl-progress{height:4px;border-radius:2px;background:var(--sl-track);margin-top:8px;overflow:hidden}
.sl-lesson .sl-progress i{display:block;height:100%;background:var(--sl-accent);border-radius:2px}
.sl-lesson .sl-read{flex:1 1 auto;min-height:0;overflow-y:auto;overflow-x:hidden;padding:14px 18px 16px;overscroll-behavior:contain}
.sl-lesson .sl-read:focus-visible{outline:2px solid var(--sl-accent);outline-offset:-2px}
.sl-lesson h2{font-size:19px;font-weight:650;line-height:1.3;margin-bottom:10px;outline-offset:4px;border-radius:2px}
.sl-lesson h2:focus:not(:focus-visible){outline:none}
.sl-lesson .sl-prose>*{margin:0 0 10px}
.sl-lesson .sl-prose :is(ul,ol){padding-left:20px}
.sl-lesson .sl-prose li{margin:0 0 4px}
.sl-lesson .sl-prose li>p{margin:0}
.sl-lesson .sl-prose code{font:12.5px ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--sl-track);padding:1px 4px;border-radius:4px}
.sl-lesson .sl-prose blockquote{margin-left:0;padding-left:12px;border-left:3px solid var(--sl-line)}
.sl-lesson a{color:var(--sl-accent)}
.sl-lesson .sl-recap{border-top:1px solid var(--sl-line);padding-top:10px} .sl-lesson .sl-was{font-weight:600}
.sl-lesson .sl-question{font-weight:600;margin:6px 0 10px}
.sl-lesson .sl-options{display:grid;gap:8px;margin-bottom:10px}
.sl-lesson .sl-option{display:flex;gap:10px;align-items:center;min-height:44px;padding:8px 12px;text-align:left;border:1px solid var(--sl-control);
  border-radius:8px;background:none;color:var(--sl-text);cursor:pointer;font-size:14px;line-height:1.35}
.sl-lesson .sl-option:hover:not([aria-disabled=true]){background:var(--sl-track)}
.sl-lesson .sl-option[aria-disabled=true]{cursor:default}
.sl-lesson .sl-option[aria-pressed=true]{border-width:2px;border-color:var(--sl-accent);padding:7px 11px}
.sl-lesson .sl-option.sl-true{border:2px solid var(--sl-up);padding:7px 11px;font-weight:600}
.sl-lesson .sl-option.sl-false{border-color:var(--sl-down)}
.sl-lesson .sl-letter{flex:none;width:24px;height:24px;border-radius:12px;background:var(--sl-track);display:inline-flex;align-items:center;
  justify-content:center;font-size:12px;font-weight:600}
.sl-lesson .sl-mark{margin-left:auto;font-size:12px;font-weight:600;white-space:nowrap;color:var(--sl-muted)}
.sl-lesson .sl-true .sl-mark{color:var(--sl-up)}
.sl-lesson .sl-false .sl-mark{color:var(--sl-down)}
.sl-lesson .sl-verdict{font-weight:650;margin:4px 0 6px}
.sl-lesson .sl-answer:has(.sl-verdict:not([hidden])){border-left:3px solid var(--sl-accent);padding-left:12px;margin-top:10px}
.sl-lesson .sl-busy{color:var(--sl-muted);font-size:12.5px;min-height:1.4em}
.sl-lesson .sl-wrong{color:var(--sl-down);font-weight:600;overflow-wrap:anywhere}
.sl-lesson footer{padding:10px 18px 8px;border-top:1px solid var(--sl-line)}
.sl-lesson .sl-acts{display:flex;flex-wrap:wrap;gap:6px;align-items:center;min-height:44px}
.sl-lesson .sl-acts .sl-button{padding:0 11px}
.sl-lesson .sl-acts>:first-child{margin-right:auto}
.sl-lesson .sl-button{min-height:40px;padding:0 14px;border:1px solid var(--sl-control);border-radius:20px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap;font-size:14px}
.sl-lesson .sl-button:hover:not(:disabled,[aria-disabled=true]){background:var(--sl-track)}
.sl-lesson .sl-button:disabled{opacity:.5;cursor:default}
.sl-lesson .sl-button[aria-disabled=true]{color:var(--sl-muted);border-color:var(--sl-line);cursor:default}
.sl-lesson .sl-main{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);font-weight:600}
.sl-lesson .sl-main:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.08)}
.sl-lesson .sl-rest{display:flex;justify-content:space-between;gap:10px;margin-top:4px}
.sl-lesson .sl-quiet{border:0;padding:0 2px;min-height:28px;color:var(--sl-muted);font-size:12.5px;text-decoration:underline;border-radius:4px}
.sl-lesson .sl-chart{margin:2px 0 8px}
.sl-lesson .sl-chart svg{display:block;width:100%;height:auto;touch-action:pan-y}
.sl-lesson .sl-chart svg.sl-asked{cursor:crosshair;touch-action:none}
.sl-lesson .sl-chart text{font-size:11px;fill:var(--sl-muted)}
.sl-lesson .sl-chart .sl-grid{stroke:var(--sl-line);stroke-width:1}
.sl-lesson .sl-chart .sl-open{fill:var(--sl-track);stroke:var(--sl-line)}
.sl-lesson .sl-chart .sl-now{stroke:var(--sl-text);stroke-width:1.5}
.sl-lesson .sl-chart polyline{fill:none;stroke-linejoin:round}
.sl-lesson .sl-chart .sl-known,.sl-lesson .sl-chart .sl-truth{stroke:var(--sl-text);stroke-width:2.5}
.sl-lesson .sl-chart .sl-guess{stroke:var(--sl-guess);stroke-width:2.5;stroke-dasharray:6 5}
.sl-lesson .sl-chart .sl-handle{fill:var(--sl-paper);stroke:var(--sl-guess);stroke-width:2.5}
.sl-lesson .sl-chart .sl-handle:focus-visible{outline:none;fill:var(--sl-guess);r:8px}
.sl-lesson .sl-chart svg:not(.sl-asked) .sl-handle{display:none}
.sl-lesson .sl-chart svg.sl-unguessed .sl-guess{display:none}
.sl-lesson .sl-chart .sl-commit{margin-top:8px}
.sl-lesson .sl-commit{display:block}
@media (max-width:1000px){
  .sl-lesson{height:50dvh;border-radius:0 0 12px 12px;border-width:0 0 1px;box-shadow:var(--sl-shadow)}
  .sl-lesson .sl-fold{display:inline-block}
  .sl-lesson .sl-where{align-items:center}
  .sl-lesson header{padding:6px 14px 0}
  .sl-lesson .sl-read{padding:10px 14px}
  .sl-lesson h2{font-size:17px;margin-bottom:6px}
  .sl-lesson footer{padding:6px 14px 2px}
  .sl-lesson .sl-button{padding:0 12px}
  .sl-lesson .sl-chart svg{max-width:420px}
  .sl-lesson.sl-folded{height:auto;min-height:0}
  .sl-lesson.sl-folded :is(.sl-read,.sl-rest){display:none}
}
@container style(--streamlab-projected:1){
  .sl-view:has(.sl-lesson){font-size:17.3px;line-height:1.25}
  .sl-lesson{display:grid;grid-template:minmax(0,1fr)/minmax(0,1fr) auto;height:var(--sl-lesson);min-height:0;border:0;border-radius:0;box-shadow:none;background:none}
  .sl-lesson :is(header,.sl-rest){display:none}
  .sl-lesson .sl-read{padding:8px 0 4px 17px}
  .sl-lesson .sl-prose{font-size:14.6px}
  .sl-lesson .sl-read:has(.sl-option,.sl-chart svg){display:grid;grid-template-columns:minmax(0,1fr) 282px;column-gap:14px;align-content:start}
  .sl-lesson .sl-read>:is(.sl-options,.sl-chart){grid-area:1/2/span 12;margin:0}
  .sl-lesson .sl-read:not(:has(.sl-option))>.sl-options,.sl-lesson .sl-read>.sl-quiet,.sl-lesson .sl-read:has(>.sl-question:not([hidden]))>h2,
  .sl-lesson .sl-read:has(.sl-verdict:not([hidden]))>:is(h2+.sl-prose,.sl-question){display:none}
  .sl-lesson .sl-read:has(.sl-option,.sl-chart svg) .sl-prose{font-size:12.6px}
  .sl-lesson .sl-chart svg{width:auto;height:86px;margin:auto;overflow:visible}.sl-lesson .sl-chart text{font-size:20px}
  .sl-lesson .sl-chart p{display:none}.sl-lesson .sl-chart .sl-commit{margin:2px auto 0}
  .sl-lesson .sl-options{gap:3px;align-content:start}
  .sl-lesson .sl-question{font-size:14.6px}
  .sl-lesson h2:focus-visible{outline:none}
  .sl-lesson h2{font-size:17.3px;line-height:1.25;margin-bottom:2px}
  .sl-lesson :is(.sl-prose>*,.sl-question){margin:0 0 4px}
  .sl-lesson .sl-option,.sl-lesson .sl-option:is(.sl-true,[aria-pressed=true]){min-height:28px;padding:1px 8px}
  .sl-lesson footer{padding:8px 17px;border:0}
  .sl-lesson .sl-acts{flex-direction:column;align-items:stretch}
  .sl-lesson .sl-acts>:first-child{margin:0}
  .sl-lesson .sl-button{min-height:32px}
}
`;var Ee=new Set(["p","ul","ol","li","strong","em","a","br","code","blockquote"]),ze=/^(https:\/\/|[a-z_]+(\?|$))/;function fe(l){if(typeof l=="string")return document.createTextNode(l);let[n,{href:r},...a]=l;if(!Ee.has(n))return document.createTextNode("");let i=o(n,{},a.map(fe));if(n==="a"&&ze.test(r!=null?r:"")&&(i.setAttribute("href",r),r.startsWith("https:")))for(let[p,s]of[["target","_blank"],["rel","noopener noreferrer"]])i.setAttribute(p,s);return i}function Z(l,n){l.replaceChildren(...n.map(fe))}var $e={ArrowRight:1,PageDown:1,ArrowLeft:-1,PageUp:-1},Le="input,textarea,select,[role=listbox],[role=dialog]";function Me(l,n){let r=(e,g,m="")=>{let b=o("button",{class:`sl-button ${m}`,type:"button",text:g});return b.addEventListener("click",()=>n(e,null)),b},a=o("p",{class:"sl-lesson-name"}),i=o("p",{class:"sl-count"}),p=o("i"),s=o("div",{class:"sl-progress","aria-hidden":"true"},[p]),h=o("button",{class:"sl-fold",type:"button","aria-expanded":"true",text:"Hide the text"}),f=o("h2",{tabindex:"-1"}),L=o("div",{class:"sl-prose"}),M=o("p",{class:"sl-question",id:"sl-question"}),T=o("div",{class:"sl-options",role:"group","aria-labelledby":"sl-question"}),P=o("div",{class:"sl-chart"}),v=r("pass","Show me without a guess","sl-quiet"),y=o("p",{class:"sl-verdict"}),$=o("div",{class:"sl-prose"}),N=o("div",{class:"sl-answer","aria-live":"polite"},[y,$]),A=o("p",{class:"sl-busy",role:"status"}),R=o("p",{class:"sl-wrong",role:"alert"}),F=o("div",{class:"sl-prose sl-recap"}),D=o("p",{class:"sl-following"}),I=o("div",{class:"sl-read",tabindex:"0",role:"group","aria-label":"What this step says"},[f,L,M,T,P,v,N,A,R,F,D]),H=r("back","Back"),t=r("play","","sl-main"),d=r("skip","Skip ahead"),c=r("do",""),u=r("next","Next","sl-main"),_=r("again","Begin this step again","sl-quiet"),E=r("leave","Leave the lesson","sl-quiet"),V=o("header",{},[o("div",{class:"sl-where"},[a,i,h]),s]),ge=o("footer",{},[o("div",{class:"sl-acts"},[H,c,d,t,u]),o("div",{class:"sl-rest"},[_,E])]),j=o("section",{class:"sl-lesson"},[V,I,ge]),Q=o("div",{class:"sl-view"},[j]);l.append(o("style",{text:`${ce}${xe}`}),Q);let me=he(P,e=>n("draw",e)),z={},ee="",G=!1;I.addEventListener("keydown",e=>{["ArrowDown","ArrowUp","PageDown","PageUp","Home","End"," "].includes(e.key)&&e.stopPropagation()}),j.addEventListener("keydown",e=>{e.target.closest("button")&&e.stopPropagation()});let se=e=>{var oe,ne,le;let g=$e[e.key],m=document.documentElement.style.getPropertyValue("--streamlab-projected")==="1";if(!g||!m||!j.checkVisibility()||(ne=(oe=e.composedPath()[0]).closest)!=null&&ne.call(oe,Le))return;e.preventDefault(),e.stopPropagation();let{over:b,asked:w,playing:C,number:W}=z,K=g<0?[[W>1,"back"]]:[[b,"next"],[z.do,"do"],[z.play&&!C,"play"],[w,"pass"]],[,te]=(le=K.find(([ve])=>ve))!=null?le:[];te&&n(te,null)};document.addEventListener("keydown",se,!0),h.addEventListener("click",()=>{let e=j.classList.toggle("sl-folded");h.setAttribute("aria-expanded",String(!e)),x(h,e?"Show the text":"Hide the text")});let k=(e,g)=>{e.hidden!==g&&(e.hidden=g)};function be(e){let g=JSON.stringify([e.lesson,e.number,e.options]);g!==ee&&(ee=g,T.replaceChildren(...e.options.map((m,b)=>{let w=o("button",{class:"sl-option",type:"button"},[o("span",{class:"sl-letter","aria-hidden":"true",text:String.fromCharCode(65+b)}),o("span",{text:m}),o("span",{class:"sl-mark"})]);return w.addEventListener("click",()=>z.asked&&n("pick",b)),w}))),[...T.children].forEach((m,b)=>{let w=e.answer===b,C=e.picked===b;m.setAttribute("aria-pressed",String(C)),m.setAttribute("aria-disabled",String(!e.asked)),m.classList.toggle("sl-true",w),m.classList.toggle("sl-false",C&&e.answer!==null&&!w),x(m.lastChild,w?"✓ true":C?e.answer===null?"your guess":"✗ your guess":"")})}function we(e){if(!e||!e.total)return;let g=e.number!==z.number||e.lesson!==z.lesson,m=z.number===void 0;z=e,j.setAttribute("aria-label",`Lesson: ${e.lesson}`),x(a,e.lesson),x(i,`Step ${e.number} of ${e.total}`),p.style.width=`${100*e.number/e.total}%`,g&&(x(f,e.title),Z(L,e.body),I.scrollTop=0,G=!1),x(M,e.question),k(M,!e.question),be(e),me.update(e.chart,e.asked),k(v,!e.asked||!e.question),x(y,e.verdict),k(y,!e.verdict);let b=JSON.stringify(e.reveal);$.dataset.key!==b&&($.dataset.key=b,Z($,e.reveal)),x(A,e.busy),x(R,e.error),k(R,!e.error);let w=e.number===e.total;k(F,!e.recap.length),e.recap.length&&F.replaceChildren(o("b",{text:"What you predicted, and what happened"}),...e.recap.map(([C,W,K])=>o("p",{},[o("span",{text:C}),o("br"),`${W}. `,o("span",{class:"sl-was",text:K})]))),k(D,!(w&&e.following.length)),w&&e.following.length&&D.replaceChildren("Next lesson: ",o("a",{href:`?lesson=${encodeURIComponent(e.following[0])}`,text:e.following[1]})),H.disabled=e.number===1,x(t,e.play),k(t,!e.play),t.disabled=e.playing,e.playing&&e.play&&x(t,"Playing …"),k(d,!e.play),x(c,e.do),k(c,!e.do),x(u,w?"Finish":"Next"),k(u,!!e.play),u.setAttribute("aria-disabled",String(!e.over)),u.classList.toggle("sl-main",e.over),u.title=e.over?"":"This step is not over yet",g&&!m&&f.focus({preventScroll:!0}),e.over&&!G&&(e.verdict||e.reveal.length)&&N.scrollIntoView({block:"nearest"}),G=e.over}return{update:we,setDark:e=>Q.classList.toggle("sl-dark",e),stats:()=>({...z}),destroy:()=>document.removeEventListener("keydown",se,!0)}}function ts({model:l,el:n,view:r}){ae(l,r,()=>{let a=Me(n,(s,h)=>l.send_msg({kind:"command",name:s,value:h})),i=()=>a.update(l.step),p=()=>a.setDark(l.dark);return l.on("step",i),l.on("dark",p),p(),i(),window.__streamlab_lesson=a,()=>{a.destroy(),n.replaceChildren()}})}export{Me as createLesson,ts as render};
