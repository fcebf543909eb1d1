/*! streamlab lesson, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function i(t,s={},l=[]){let a=document.createElement(t);for(let[r,n]of Object.entries(s))r==="text"?a.textContent=n:n===!0?a.setAttribute(r,""):n!==!1&&n!=null&&a.setAttribute(r,n);return a.append(...l),a}function H(t,s,l={}){let a=i("button",{type:"button",text:t,...l});return a.addEventListener("click",s),a}var ze="http://www.w3.org/2000/svg";function E(t,s={},l=[]){let a=document.createElementNS(ze,t);for(let[r,n]of Object.entries(s))a.setAttribute(r,n);return a.append(...l),a}function re(t,s){for(let[l,a]of Object.entries(s))t.getAttribute(l)!==String(a)&&t.setAttribute(l,a)}function b(t,s){t.textContent!==s&&(t.textContent=s)}function Z(t,s,l){return t<s?s:t>l?l:t}function le(t,s,l,a=()=>{}){let r=null;t.addEventListener("pointerdown",n=>{r=n.button===0?s(n):null,r!==null&&(t.setPointerCapture(n.pointerId),n.preventDefault())}),t.addEventListener("pointermove",n=>{r&&t.hasPointerCapture(n.pointerId)&&l(n,r)}),t.addEventListener("pointerup",n=>{r&&t.hasPointerCapture(n.pointerId)&&a(n,r)})}var Ce=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Ye=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),Ge=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),Te=t=>t.replace("-","−");function P(t){return Te(Ce.format(t))}var U=340,K=200,q=30,Q=12,F=14,ae=26,ie={ArrowUp:.02,ArrowDown:-.02,ArrowRight:.02,ArrowLeft:-.02,PageUp:.1,PageDown:-.1};function pe(t,s){let l=E("svg",{viewBox:`0 0 ${U} ${K}`,role:"group"}),a=H("This is my line",()=>c&&s([...h]),{class:"sl-button sl-main sl-commit"}),r=i("p",{class:"sl-muted"}),n=i("p",{class:"sl-muted",text:"Drag in the empty part, or focus a point and press ↑ or ↓."});t.append(l,r,n,a);let o=null,h=[],c=!1,x="",S=[],$=null,f=p=>q+(p-o.from)/(o.to-o.from)*(U-q-Q),v=p=>F+(1-p)*(K-F-ae),g=(p,u)=>p.map((d,m)=>`${f(d).toFixed(1)},${v(u[m]).toFixed(1)}`).join(" "),L=()=>o.values.length?o.values[o.values.length-1]:0;function M(){$.setAttribute("points",g([o.now,...o.handles],[L(),...h])),S.forEach((p,u)=>{let d=h[u].toFixed(2),m=`${o.measure} ${d} at row ${P(o.handles[u])}`;re(p,{cx:f(o.handles[u]),cy:v(h[u]),"aria-valuenow":d,"aria-valuetext":m})})}function _(p,u){h[p]=Z(Math.round(u*100)/100,0,1),M()}function G(){S=o.handles.map((d,m)=>{let y=E("circle",{r:6,class:"sl-handle",role:"slider",tabindex:c?"0":"-1","aria-orientation":"vertical","aria-valuemin":"0","aria-valuemax":"1","aria-disabled":String(!c),"aria-label":`Your line at row ${P(d)}`});return y.addEventListener("keydown",z=>{if(z.stopPropagation(),!c)return;let I=z.key in ie?h[m]+ie[z.key]:{Home:0,End:1}[z.key];I!==void 0&&(z.preventDefault(),_(m,I))}),y}),$=E("polyline",{class:"sl-guess"});let p=[0,.5,1].flatMap(d=>[E("line",{x1:q,x2:U-Q,y1:v(d),y2:v(d),class:"sl-grid"}),E("text",{x:q-5,y:v(d)+4,"text-anchor":"end"},[String(d)])]),u=[[o.from,"start"],[o.now,"middle"],[o.to,"end"]].map(([d,m])=>E("text",{x:f(d),y:K-8,"text-anchor":m},[P(d)]));l.replaceChildren(E("rect",{x:f(o.now),y:F,width:f(o.to)-f(o.now),height:v(0)-F,class:"sl-open"}),...p,...u,E("line",{x1:f(o.now),x2:f(o.now),y1:F,y2:v(0),class:"sl-now"}),E("polyline",{points:g(o.rows,o.values),class:"sl-known"}),$,...S,E("polyline",{points:g([o.now,...o.true_rows],[L(),...o.true_values]),class:"sl-truth"})),l.setAttribute("aria-label",`${o.measure} of ${o.learner}, rows ${P(o.from)} to ${P(o.to)}`),M()}function W(p){let u=l.getBoundingClientRect(),d=o.from+((p.clientX-u.left)/u.width*U-q)/(U-q-Q)*(o.to-o.from),m=1-((p.clientY-u.top)/u.height*K-F)/(K-F-ae);return[d,m]}function D(p){let[u,d]=W(p),m=(o.to-o.now)/o.handles.length,y=o.handles.findIndex(z=>Math.abs(z-u)<=m/2);y>=0&&_(y,d)}return le(l,p=>c?(D(p),{}):null,D),{update(p,u){if(t.hidden=!p,!p){x="";return}let d=JSON.stringify([p,u]);if(d===x)return;let m=!o||!x||p.learner!==o.learner||p.now!==o.now||p.to!==o.to;x=d,o=p,c=u,p.drawn?h=[...p.drawn]:m&&(h=p.handles.map(()=>Math.round(L()*100)/100)),G();let y=o.true_rows.length>0;l.classList.toggle("sl-asked",c),l.classList.toggle("sl-unguessed",!c&&!p.drawn),b(r,y?"Solid: what happened. Dashed: your line.":`${o.measure} of ${o.learner}; the run stands at row ${P(o.now)}.`),a.hidden=n.hidden=!c}}}var ce=`
.sl-view:has(.sl-lesson){font-size:14.5px;line-height:1.5}
.sl-lesson{display:flex;flex-direction:column;height:calc(100dvh - 92px);min-height:340px;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-paper);
  overflow:hidden}
.sl-lesson :is(h2,p){margin:0}
.sl-lesson [hidden]{display:none!important}
.sl-lesson header{padding:12px 18px 0}
.sl-lesson .sl-where{display:flex;gap:10px;align-items:baseline;justify-content:space-between}
.sl-lesson .sl-lesson-name{font-size:13px;color:var(--sl-muted);min-width:0;overflow-wrap:anywhere}
.sl-lesson .sl-count{font-size:13px;color:var(--sl-muted);white-space:nowrap;font-variant-numeric:tabular-nums}
.sl-lesson .sl-fold{display:none;white-space:nowrap;border:0;background:none;color:var(--sl-accent);font-size:13px;padding:4px;min-height:28px;cursor:pointer;
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
  justify-content:center;font-size:13px;font-weight:600}
.sl-lesson .sl-mark{margin-left:auto;font-size:13px;font-weight:600;white-space:nowrap;color:var(--sl-muted)}
.sl-lesson .sl-true .sl-mark{color:var(--sl-up)}
.sl-lesson .sl-false .sl-mark{color:var(--sl-down)}
.sl-lesson .sl-verdict{font-weight:650;margin:4px 0 6px}
.sl-lesson .sl-answer:has(.sl-verdict:not([hidden])){border-left:3px solid var(--sl-accent);padding-left:12px;margin-top:10px}
.sl-lesson .sl-busy{color:var(--sl-muted);font-size:13px;min-height:1.4em}
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
.sl-lesson .sl-quiet{border:0;padding:0 2px;min-height:28px;color:var(--sl-muted);font-size:13px;text-decoration:underline;border-radius:4px}
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
  .sl-lesson .sl-read:has(.sl-option,.sl-chart svg) .sl-prose{font-size:13px}
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
`;var Oe={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},Le={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Me=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],de=t=>[`--sl-text:${t.ink}`,...Me.map(s=>`--sl-${s}:${t[s]}`)].join(";"),ue=`.sl-view{${de(Oe)}}
.sl-view.sl-dark{${de(Le)}}
`;var j='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',ss=`13px ${j}`,ts=`600 13px ${j}`,os=`600 18px ${j}`,ns=`11px ${j}`;var Ne=0,Y=typeof document>"u"?void 0:document.fonts,he;(he=Y==null?void 0:Y.addEventListener)==null||he.call(Y,"loadingdone",()=>Ne++);var xe=`${ue}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${j};
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
`;var Pe={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function Fe(t,s){let l={},a=0;for(let[r,n,o,h]of t){let c=new Pe[n](s,a,o);Array.isArray(h)?h.forEach((x,S)=>{l[x]=Uint8Array.from(c,$=>$>>S&1)}):l[r]=h===1?c:Float32Array.from(c,x=>x/h),a+=c.byteLength}return l}var De=500;function Ie(t,s,l){var c,x,S,$,f,v;let a=!0,r=0,n=g=>{if(((g==null?void 0:g.kind)==="frame"||(g==null?void 0:g.kind)==="heard")&&clearInterval(r),(g==null?void 0:g.kind)!=="frame")return;let{spec:L,buffer:M,..._}=g;l({..._,...Fe(L,M)}),t.send_msg({kind:"received",number:_.number})},o=()=>t.send_msg({kind:"ready"});t.on("msg:custom",n);let h=()=>{clearInterval(r),a&&(o(),r=setInterval(o,De))};return(S=(x=(c=s==null?void 0:s.model)==null?void 0:c.document)==null?void 0:x.on_event)==null||S.call(x,"client_reconnected",h),(v=(f=($=s==null?void 0:s.model)==null?void 0:$.document)==null?void 0:f.on_event)==null||v.call(f,"connection_lost",()=>clearInterval(r)),h(),()=>{a=!1,clearInterval(r),t.off("msg:custom",n)}}function Re(t){var s,l,a,r;for(let n of(l=(s=t==null?void 0:t.references)==null?void 0:s.call(t))!=null?l:[])(r=(a=t.document)==null?void 0:a._new_models)==null||r.delete(n)}function He(t,s,l){var a;Re(s.model),(a=s.__streamlab_dispose)==null||a.call(s),s.__streamlab_dispose=l(),t.on("lifecycle:remove",()=>{var r;(r=s.__streamlab_dispose)==null||r.call(s),s.__streamlab_dispose=void 0})}var fe=t=>({model:s,el:l,view:a})=>{He(s,a,()=>{let r=new AbortController,n=t({model:s,view:a,el:l,send:c=>s.send_msg(c),signal:r.signal});l.append(i("style",{text:xe+n.css}),n.box);let o=()=>{var c;n.box.classList.toggle("sl-dark",!!s.dark),(c=n.setDark)==null||c.call(n,s.dark)};for(let[c,x]of Object.entries({dark:o,...n.follows}))s.on(c,x),x();n.hear&&s.on("msg:custom",n.hear);let h=n.update&&Ie(s,a,n.update);return()=>{var c;r.abort(),h==null||h(),n.hear&&s.off("msg:custom",n.hear),(c=n.destroy)==null||c.call(n),l.replaceChildren()}})};var qe=new Set(["p","ul","ol","li","strong","em","a","br","code","blockquote"]),je=/^(https:\/\/|[a-z_]+(\?|$))/;function me(t){if(typeof t=="string")return document.createTextNode(t);let[s,{href:l},...a]=t;if(!qe.has(s))return document.createTextNode("");let r=i(s,{},a.map(me));if(s==="a"&&je.test(l!=null?l:"")&&(r.setAttribute("href",l),l.startsWith("https:")))for(let[n,o]of[["target","_blank"],["rel","noopener noreferrer"]])r.setAttribute(n,o);return r}function ge(t,s){t.replaceChildren(...s.map(me))}var Be={ArrowRight:1,PageDown:1,ArrowLeft:-1,PageUp:-1},Ue="input,textarea,select,[role=listbox],[role=dialog]",gs=fe(({model:t,send:s,signal:l})=>{let a=(e,w)=>s({kind:"command",name:e,value:w}),r=(e,w,k="")=>H(w,()=>a(e,null),{class:`sl-button ${k}`}),n=i("p",{class:"sl-lesson-name"}),o=i("p",{class:"sl-count"}),h=i("i"),c=i("div",{class:"sl-progress","aria-hidden":"true"},[h]),x=H("Hide the text",()=>{let e=B.classList.toggle("sl-folded");x.setAttribute("aria-expanded",String(!e)),b(x,e?"Show the text":"Hide the text")},{class:"sl-fold","aria-expanded":"true"}),S=i("h2",{tabindex:"-1"}),$=i("div",{class:"sl-prose"}),f=i("p",{class:"sl-question",id:"sl-question"}),v=i("div",{class:"sl-options",role:"group","aria-labelledby":"sl-question"}),g=i("div",{class:"sl-chart"}),L=r("pass","Show me without a guess","sl-quiet"),M=i("p",{class:"sl-verdict"}),_=i("div",{class:"sl-prose"}),G=i("div",{class:"sl-answer","aria-live":"polite"},[M,_]),W=i("p",{class:"sl-busy",role:"status"}),D=i("p",{class:"sl-wrong",role:"alert"}),p=i("div",{class:"sl-prose sl-recap"}),u=i("p",{class:"sl-following"}),d=i("div",{class:"sl-read",tabindex:"0",role:"group","aria-label":"What this step says"},[S,$,f,v,g,L,G,W,D,p,u]),m=r("back","Back"),y=r("play","","sl-main"),z=r("skip","Skip ahead"),I=r("do",""),R=r("next","Next","sl-main"),be=r("again","Begin this step again","sl-quiet"),we=r("leave","Leave the lesson","sl-quiet"),ve=i("header",{},[i("div",{class:"sl-where"},[n,o,x]),c]),ye=i("footer",{},[i("div",{class:"sl-acts"},[m,I,z,y,R]),i("div",{class:"sl-rest"},[be,we])]),B=i("section",{class:"sl-lesson"},[ve,d,ye]),ke=i("div",{class:"sl-view"},[B]),Se=pe(g,e=>a("draw",e)),O={},ee="",V=!1;d.addEventListener("keydown",e=>{["ArrowDown","ArrowUp","PageDown","PageUp","Home","End"," "].includes(e.key)&&e.stopPropagation()}),B.addEventListener("keydown",e=>{e.target.closest("button")&&e.stopPropagation()});let Ae=e=>{var te,oe,ne;let w=Be[e.key],k=document.documentElement.style.getPropertyValue("--streamlab-projected")==="1";if(!w||!k||!B.checkVisibility()||(oe=(te=e.composedPath()[0]).closest)!=null&&oe.call(te,Ue))return;e.preventDefault(),e.stopPropagation();let{over:T,asked:A,playing:N,number:J}=O,X=w<0?[[J>1,"back"]]:[[T,"next"],[O.do,"do"],[O.play&&!N,"play"],[A,"pass"]],[,se]=(ne=X.find(([_e])=>_e))!=null?ne:[];se&&a(se,null)};document.addEventListener("keydown",Ae,{capture:!0,signal:l});let C=(e,w)=>{e.hidden!==w&&(e.hidden=w)};function $e(e){let w=JSON.stringify([e.lesson,e.number,e.options]);w!==ee&&(ee=w,v.replaceChildren(...e.options.map((k,T)=>{let A=H(null,()=>O.asked&&a("pick",T),{class:"sl-option"});return A.append(i("span",{class:"sl-letter","aria-hidden":"true",text:String.fromCharCode(65+T)}),i("span",{text:k}),i("span",{class:"sl-mark"})),A}))),[...v.children].forEach((k,T)=>{let A=e.answer===T,N=e.picked===T;k.setAttribute("aria-pressed",String(N)),k.setAttribute("aria-disabled",String(!e.asked)),k.classList.toggle("sl-true",A),k.classList.toggle("sl-false",N&&e.answer!==null&&!A),b(k.lastChild,A?"✓ true":N?e.answer===null?"your guess":"✗ your guess":"")})}function Ee(){let{step:e}=t;if(!e||!e.total)return;let w=e.number!==O.number||e.lesson!==O.lesson,k=O.number===void 0;O=e,B.setAttribute("aria-label",`Lesson: ${e.lesson}`),b(n,e.lesson),b(o,`Step ${e.number} of ${e.total}`),h.style.width=`${100*e.number/e.total}%`,w&&(b(S,e.title),ge($,e.body),d.scrollTop=0,V=!1),b(f,e.question),C(f,!e.question),$e(e),Se.update(e.chart,e.asked),C(L,!e.asked||!e.question),b(M,e.verdict),C(M,!e.verdict);let T=JSON.stringify(e.reveal);_.dataset.key!==T&&(_.dataset.key=T,ge(_,e.reveal)),b(W,e.busy),b(D,e.error),C(D,!e.error);let A=e.number===e.total;C(p,!e.recap.length),e.recap.length&&p.replaceChildren(i("b",{text:"What you predicted, and what happened"}),...e.recap.map(([N,J,X])=>i("p",{},[i("span",{text:N}),i("br"),`${J}. `,i("span",{class:"sl-was",text:X})]))),C(u,!(A&&e.following.length)),A&&e.following.length&&u.replaceChildren("Next lesson: ",i("a",{href:`?lesson=${encodeURIComponent(e.following[0])}`,text:e.following[1]})),m.disabled=e.number===1,b(y,e.play),C(y,!e.play),y.disabled=e.playing,e.playing&&e.play&&b(y,"Playing …"),C(z,!e.play),b(I,e.do),C(I,!e.do),b(R,A?"Finish":"Next"),C(R,!!e.play),R.setAttribute("aria-disabled",String(!e.over)),R.classList.toggle("sl-main",e.over),R.title=e.over?"":"This step is not over yet",w&&!k&&S.focus({preventScroll:!0}),e.over&&!V&&(e.verdict||e.reveal.length)&&G.scrollIntoView({block:"nearest"}),V=e.over}return window.__streamlab_lesson={stats:()=>({...O})},{box:ke,css:ce,follows:{step:Ee}}});export{gs as render};
