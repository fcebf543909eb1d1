/*! streamlab lesson, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function o(n,l={},r=[]){let i=document.createElement(n);for(let[a,p]of Object.entries(l))a==="text"?i.textContent=p:p===!0?i.setAttribute(a,""):p!==!1&&p!=null&&i.setAttribute(a,p);return i.append(...r),i}var xe="http://www.w3.org/2000/svg";function Q(n,l={},r=[]){let i=document.createElementNS(xe,n);for(let[a,p]of Object.entries(l))i.setAttribute(a,p);return i.append(...r),i}function h(n,l){n.textContent!==l&&(n.textContent=l)}function V(n,l,r){return n<l?l:n>r?r:n}function ge(n){var l,r,i,a;for(let p of(r=(l=n==null?void 0:n.references)==null?void 0:l.call(n))!=null?r:[])(a=(i=n.document)==null?void 0:i._new_models)==null||a.delete(p)}function ee(n,l,r){var i;ge(l.model),(i=l.__streamlab_dispose)==null||i.call(l),l.__streamlab_dispose=r(),n.on("lifecycle:remove",()=>{var a;(a=l.__streamlab_dispose)==null||a.call(l),l.__streamlab_dispose=void 0})}var be={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},me={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var we=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],se=n=>[`--sl-text:${n.ink}`,...we.map(l=>`--sl-${l}:${n[l]}`)].join(";"),te=`.sl-view{${se(be)}}
.sl-view.sl-dark{${se(me)}}
`;var j='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Te=`12px ${j}`,Ce=`600 12px ${j}`,Me=`11px ${j}`;var oe=`${te}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${j};
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
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px}
.sl-view table{border-collapse:collapse;width:100%;font-size:12px}
.sl-view th,.sl-view td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--sl-line);font-weight:400;white-space:nowrap}
.sl-view thead th{position:sticky;top:0;background:var(--sl-paper);color:var(--sl-muted)}
.sl-view :is(th,td):first-child,.sl-view .sl-left{text-align:left}
.sl-view tbody tr:last-child>*{border-bottom:0}
.sl-view td button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;text-decoration:underline}
.sl-view.sl-whole{min-height:var(--sl-room)}
.sl-whole>.sl-bar-row{margin:4px 0 0;gap:4px 10px;padding-right:76px}
@container style(--sl-projected:1){.sl-whole>:is(.sl-bar-row,details),.sl-whole .sl-because{display:none}}
.sl-whole .sl-search{flex:1 1 120px}.sl-whole .sl-search input{height:26px}.sl-whole .sl-segments button{min-height:24px;min-width:28px}
.sl-whole .sl-legend{margin-bottom:4px;gap:0 12px;font-size:11px}
.sl-whole>details{margin-top:0}
.sl-whole>details:not([open]){position:absolute;right:8px;bottom:0}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>details:not([open]){top:-4px;bottom:auto}
.sl-whole:has(>.sl-bar-row~:is(.sl-stage,.sl-halves))>.sl-summary{padding-right:76px}
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var B=340,U=200,I=30,J=12,C=14,ne=26,le={ArrowUp:.02,ArrowDown:-.02,ArrowRight:.02,ArrowLeft:-.02,PageUp:.1,PageDown:-.1},S=(n,l={},r="")=>Q(n,l,r?[r]:[]);function re(n,l){let r=S("svg",{viewBox:`0 0 ${B} ${U}`,role:"group"}),i=o("button",{class:"sl-button sl-main sl-commit",type:"button",text:"This is my line"}),a=o("p",{class:"sl-muted"}),p=o("p",{class:"sl-muted",text:"Drag in the empty part, or focus a point and press ↑ or ↓."});n.append(r,a,p,i);let s=null,f=[],x=!1,z="",L=[],T=null,M=!1,g=t=>I+(t-s.from)/(s.to-s.from)*(B-I-J),b=t=>C+(1-t)*(U-C-ne),E=(t,c)=>t.map((d,u)=>`${g(d).toFixed(1)},${b(c[u]).toFixed(1)}`).join(" "),O=()=>s.values.length?s.values[s.values.length-1]:0,A=t=>t.toLocaleString("en");function F(){T.setAttribute("points",E([s.now,...s.handles],[O(),...f])),L.forEach((t,c)=>{t.setAttribute("cx",g(s.handles[c])),t.setAttribute("cy",b(f[c])),t.setAttribute("aria-valuenow",f[c].toFixed(2)),t.setAttribute("aria-valuetext",`${s.measure} ${f[c].toFixed(2)} at row ${A(Math.round(s.handles[c]))}`)})}function N(t,c){f[t]=V(Math.round(c*100)/100,0,1),F()}function H(){L=s.handles.map((d,u)=>{let _=S("circle",{r:6,class:"sl-handle",role:"slider",tabindex:x?"0":"-1","aria-orientation":"vertical","aria-valuemin":"0","aria-valuemax":"1","aria-disabled":String(!x),"aria-label":`Your line at row ${A(Math.round(d))}`});return _.addEventListener("keydown",$=>{if($.stopPropagation(),!x)return;let Y=$.key in le?f[u]+le[$.key]:{Home:0,End:1}[$.key];Y!==void 0&&($.preventDefault(),N(u,Y))}),_}),T=S("polyline",{class:"sl-guess"});let t=[0,.5,1].flatMap(d=>[S("line",{x1:I,x2:B-J,y1:b(d),y2:b(d),class:"sl-grid"}),S("text",{x:I-5,y:b(d)+4,"text-anchor":"end"},String(d))]),c=[[s.from,"start"],[s.now,"middle"],[s.to,"end"]].map(([d,u])=>S("text",{x:g(d),y:U-8,"text-anchor":u},A(d)));r.replaceChildren(S("rect",{x:g(s.now),y:C,width:g(s.to)-g(s.now),height:b(0)-C,class:"sl-open"}),...t,...c,S("line",{x1:g(s.now),x2:g(s.now),y1:C,y2:b(0),class:"sl-now"}),S("polyline",{points:E(s.rows,s.values),class:"sl-known"}),T,...L,S("polyline",{points:E([s.now,...s.true_rows],[O(),...s.true_values]),class:"sl-truth"})),r.setAttribute("aria-label",`${s.measure} of ${s.learner}, rows ${A(s.from)} to ${A(s.to)}`),F()}function D(t){let c=r.getBoundingClientRect(),d=s.from+((t.clientX-c.left)/c.width*B-I)/(B-I-J)*(s.to-s.from),u=1-((t.clientY-c.top)/c.height*U-C)/(U-C-ne);return[d,u]}function P(t){let[c,d]=D(t),u=(s.to-s.now)/s.handles.length,_=s.handles.findIndex($=>Math.abs($-c)<=u/2);_>=0&&N(_,d)}r.addEventListener("pointerdown",t=>{x&&(M=!0,r.setPointerCapture(t.pointerId),t.preventDefault(),P(t))}),r.addEventListener("pointermove",t=>M&&P(t));for(let t of["pointerup","pointercancel"])r.addEventListener(t,()=>{M=!1});return i.addEventListener("click",()=>x&&l([...f])),{update(t,c){if(n.hidden=!t,!t){z="";return}let d=JSON.stringify([t,c]);if(d===z)return;let u=!s||!z||t.learner!==s.learner||t.now!==s.now||t.to!==s.to;z=d,s=t,x=c,t.drawn?f=[...t.drawn]:u&&(f=t.handles.map(()=>Math.round(O()*100)/100)),H();let _=s.true_rows.length>0;r.classList.toggle("sl-asked",x),r.classList.toggle("sl-unguessed",!x&&!t.drawn),h(a,_?"Solid: what happened. Dashed: your line.":`${s.measure} of ${s.learner}; the run stands at row ${A(s.now)}.`),i.hidden=p.hidden=!x}}}var ie=`
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
`;var ve=new Set(["p","ul","ol","li","strong","em","a","br","code","blockquote"]),ye=/^(https:\/\/|[a-z_]+(\?|$))/;function ae(n){if(typeof n=="string")return document.createTextNode(n);let[l,{href:r},...i]=n;if(!ve.has(l))return document.createTextNode("");let a=o(l,{},i.map(ae));if(l==="a"&&ye.test(r!=null?r:"")&&(a.setAttribute("href",r),r.startsWith("https:")))for(let[p,s]of[["target","_blank"],["rel","noopener noreferrer"]])a.setAttribute(p,s);return a}function K(n,l){n.replaceChildren(...l.map(ae))}function ke(n,l){let r=(e,y,m="")=>{let w=o("button",{class:`sl-button ${m}`,type:"button",text:y});return w.addEventListener("click",()=>l(e,null)),w},i=o("p",{class:"sl-lesson-name"}),a=o("p",{class:"sl-count"}),p=o("i"),s=o("div",{class:"sl-progress","aria-hidden":"true"},[p]),f=o("button",{class:"sl-fold",type:"button","aria-expanded":"true",text:"Hide the text"}),x=o("h2",{tabindex:"-1"}),z=o("div",{class:"sl-prose"}),L=o("p",{class:"sl-question",id:"sl-question"}),T=o("div",{class:"sl-options",role:"group","aria-labelledby":"sl-question"}),M=o("div",{class:"sl-chart"}),g=r("pass","Show me without a guess","sl-quiet"),b=o("p",{class:"sl-verdict"}),E=o("div",{class:"sl-prose"}),O=o("div",{class:"sl-answer","aria-live":"polite"},[b,E]),A=o("p",{class:"sl-busy",role:"status"}),F=o("p",{class:"sl-wrong",role:"alert"}),N=o("div",{class:"sl-prose sl-recap"}),H=o("p",{class:"sl-following"}),D=o("div",{class:"sl-read",tabindex:"0",role:"group","aria-label":"What this step says"},[x,z,L,T,M,g,O,A,F,N,H]),P=r("back","Back"),t=r("play","","sl-main"),c=r("skip","Skip ahead"),d=r("do",""),u=r("next","Next","sl-main"),_=r("again","Begin this step again","sl-quiet"),$=r("leave","Leave the lesson","sl-quiet"),Y=o("header",{},[o("div",{class:"sl-where"},[i,a,f]),s]),ce=o("footer",{},[o("div",{class:"sl-acts"},[P,d,c,t,u]),o("div",{class:"sl-rest"},[_,$])]),G=o("section",{class:"sl-lesson"},[Y,D,ce]),X=o("div",{class:"sl-view"},[G]);n.append(o("style",{text:`${oe}${ie}`}),X);let de=re(M,e=>l("draw",e)),R={},Z="",W=!1;D.addEventListener("keydown",e=>{["ArrowDown","ArrowUp","PageDown","PageUp","Home","End"," "].includes(e.key)&&e.stopPropagation()}),G.addEventListener("keydown",e=>{e.target.closest("button")&&e.stopPropagation()}),f.addEventListener("click",()=>{let e=G.classList.toggle("sl-folded");f.setAttribute("aria-expanded",String(!e)),h(f,e?"Show the text":"Hide the text")});let v=(e,y)=>{e.hidden!==y&&(e.hidden=y)};function pe(e){let y=JSON.stringify([e.lesson,e.number,e.options]);y!==Z&&(Z=y,T.replaceChildren(...e.options.map((m,w)=>{let k=o("button",{class:"sl-option",type:"button"},[o("span",{class:"sl-letter","aria-hidden":"true",text:String.fromCharCode(65+w)}),o("span",{text:m}),o("span",{class:"sl-mark"})]);return k.addEventListener("click",()=>R.asked&&l("pick",w)),k}))),[...T.children].forEach((m,w)=>{let k=e.answer===w,q=e.picked===w;m.setAttribute("aria-pressed",String(q)),m.setAttribute("aria-disabled",String(!e.asked)),m.classList.toggle("sl-true",k),m.classList.toggle("sl-false",q&&e.answer!==null&&!k),h(m.lastChild,k?"✓ true":q?e.answer===null?"your guess":"✗ your guess":"")})}function ue(e){if(!e||!e.total)return;let y=e.number!==R.number||e.lesson!==R.lesson,m=R.number===void 0;R=e,G.setAttribute("aria-label",`Lesson: ${e.lesson}`),h(i,e.lesson),h(a,`Step ${e.number} of ${e.total}`),p.style.width=`${100*e.number/e.total}%`,y&&(h(x,e.title),K(z,e.body),D.scrollTop=0,W=!1),h(L,e.question),v(L,!e.question),pe(e),de.update(e.chart,e.asked),v(g,!e.asked||!e.question),h(b,e.verdict),v(b,!e.verdict);let w=JSON.stringify(e.reveal);E.dataset.key!==w&&(E.dataset.key=w,K(E,e.reveal)),h(A,e.busy),h(F,e.error),v(F,!e.error);let k=e.number===e.total;v(N,!e.recap.length),e.recap.length&&N.replaceChildren(o("b",{text:"What you predicted, and what happened"}),...e.recap.map(([q,fe,he])=>o("p",{},[o("span",{text:q}),o("br"),`${fe}. `,o("span",{class:"sl-was",text:he})]))),v(H,!(k&&e.following.length)),k&&e.following.length&&H.replaceChildren("Next lesson: ",o("a",{href:`?lesson=${encodeURIComponent(e.following[0])}`,text:e.following[1]})),P.disabled=e.number===1,h(t,e.play),v(t,!e.play),t.disabled=e.playing,e.playing&&e.play&&h(t,"Playing …"),v(c,!e.play),h(d,e.do),v(d,!e.do),h(u,k?"Finish":"Next"),v(u,!!e.play),u.setAttribute("aria-disabled",String(!e.over)),u.classList.toggle("sl-main",e.over),u.title=e.over?"":"This step is not over yet",y&&!m&&x.focus({preventScroll:!0}),e.over&&!W&&(e.verdict||e.reveal.length)&&O.scrollIntoView({block:"nearest"}),W=e.over}return{update:ue,setDark:e=>X.classList.toggle("sl-dark",e),stats:()=>({...R})}}function Ve({model:n,el:l,view:r}){ee(n,r,()=>{let i=ke(l,(s,f)=>n.send_msg({kind:"command",name:s,value:f})),a=()=>i.update(n.step),p=()=>i.setDark(n.dark);return n.on("step",a),n.on("dark",p),p(),a(),window.__streamlab_lesson=i,()=>l.replaceChildren()})}export{ke as createLesson,Ve as render};
