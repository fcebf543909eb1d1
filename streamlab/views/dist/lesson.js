/*! streamlab lesson, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function r(o,n={},l=[]){let i=document.createElement(o);for(let[d,p]of Object.entries(n))d==="text"?i.textContent=p:p===!0?i.setAttribute(d,""):p!==!1&&p!=null&&i.setAttribute(d,p);return i.append(...l),i}var ue="http://www.w3.org/2000/svg";function Q(o,n={},l=[]){let i=document.createElementNS(ue,o);for(let[d,p]of Object.entries(n))i.setAttribute(d,p);return i.append(...l),i}function f(o,n){o.textContent!==n&&(o.textContent=n)}function W(o,n,l){return o<n?n:o>l?l:o}function fe(o){var n,l,i,d;for(let p of(l=(n=o==null?void 0:o.references)==null?void 0:n.call(o))!=null?l:[])(d=(i=o.document)==null?void 0:i._new_models)==null||d.delete(p)}function ee(o,n,l){var i;fe(n.model),(i=n.__streamlab_dispose)==null||i.call(n),n.__streamlab_dispose=l(),o.on("lifecycle:remove",()=>{var d;(d=n.__streamlab_dispose)==null||d.call(n),n.__streamlab_dispose=void 0})}var he={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},xe={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var ge=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],se=o=>[`--sl-text:${o.ink}`,...ge.map(n=>`--sl-${n}:${o[n]}`)].join(";"),te=`.sl-view{${se(he)}}
.sl-view.sl-dark{${se(xe)}}
`;var P='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Ee=`12px ${P}`,ze=`600 12px ${P}`,Le=`11px ${P}`;var oe=`${te}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${P};
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
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var q=340,j=200,H=30,J=12,M=14,ne=26,le={ArrowUp:.02,ArrowDown:-.02,ArrowRight:.02,ArrowLeft:-.02,PageUp:.1,PageDown:-.1},k=(o,n={},l="")=>Q(o,n,l?[l]:[]);function re(o,n){let l=k("svg",{viewBox:`0 0 ${q} ${j}`,role:"group"}),i=r("button",{class:"sl-button sl-main sl-commit",type:"button",text:"This is my line"}),d=r("p",{class:"sl-muted"}),p=r("p",{class:"sl-muted",text:"Drag in the empty part, or focus a point and press ↑ or ↓."});o.append(l,d,p,i);let s=null,u=[],x=!1,L="",T=[],C=null,O=!1,g=t=>H+(t-s.from)/(s.to-s.from)*(q-H-J),b=t=>M+(1-t)*(j-M-ne),E=(t,a)=>t.map((c,h)=>`${g(c).toFixed(1)},${b(a[h]).toFixed(1)}`).join(" "),F=()=>s.values.length?s.values[s.values.length-1]:0,S=t=>t.toLocaleString("en");function N(){C.setAttribute("points",E([s.now,...s.handles],[F(),...u])),T.forEach((t,a)=>{t.setAttribute("cx",g(s.handles[a])),t.setAttribute("cy",b(u[a])),t.setAttribute("aria-valuenow",u[a].toFixed(2)),t.setAttribute("aria-valuetext",`${s.measure} ${u[a].toFixed(2)} at row ${S(Math.round(s.handles[a]))}`)})}function R(t,a){u[t]=W(Math.round(a*100)/100,0,1),N()}function D(){T=s.handles.map((c,h)=>{let A=k("circle",{r:6,class:"sl-handle",role:"slider",tabindex:x?"0":"-1","aria-orientation":"vertical","aria-valuemin":"0","aria-valuemax":"1","aria-disabled":String(!x),"aria-label":`Your line at row ${S(Math.round(c))}`});return A.addEventListener("keydown",_=>{if(_.stopPropagation(),!x)return;let U=_.key in le?u[h]+le[_.key]:{Home:0,End:1}[_.key];U!==void 0&&(_.preventDefault(),R(h,U))}),A}),C=k("polyline",{class:"sl-guess"});let t=[0,.5,1].flatMap(c=>[k("line",{x1:H,x2:q-J,y1:b(c),y2:b(c),class:"sl-grid"}),k("text",{x:H-5,y:b(c)+4,"text-anchor":"end"},String(c))]),a=[[s.from,"start"],[s.now,"middle"],[s.to,"end"]].map(([c,h])=>k("text",{x:g(c),y:j-8,"text-anchor":h},S(c)));l.replaceChildren(k("rect",{x:g(s.now),y:M,width:g(s.to)-g(s.now),height:b(0)-M,class:"sl-open"}),...t,...a,k("line",{x1:g(s.now),x2:g(s.now),y1:M,y2:b(0),class:"sl-now"}),k("polyline",{points:E(s.rows,s.values),class:"sl-known"}),C,...T,k("polyline",{points:E([s.now,...s.true_rows],[F(),...s.true_values]),class:"sl-truth"})),l.setAttribute("aria-label",`${s.measure} of ${s.learner}, rows ${S(s.from)} to ${S(s.to)}`),N()}function B(t){let a=l.getBoundingClientRect(),c=s.from+((t.clientX-a.left)/a.width*q-H)/(q-H-J)*(s.to-s.from),h=1-((t.clientY-a.top)/a.height*j-M)/(j-M-ne);return[c,h]}function z(t){let[a,c]=B(t),h=(s.to-s.now)/s.handles.length,A=s.handles.findIndex(_=>Math.abs(_-a)<=h/2);A>=0&&R(A,c)}l.addEventListener("pointerdown",t=>{x&&(O=!0,l.setPointerCapture(t.pointerId),t.preventDefault(),z(t))}),l.addEventListener("pointermove",t=>O&&z(t));for(let t of["pointerup","pointercancel"])l.addEventListener(t,()=>{O=!1});return i.addEventListener("click",()=>x&&n([...u])),{update(t,a){if(o.hidden=!t,!t){L="";return}let c=JSON.stringify([t,a]);if(c===L)return;let h=!s||!L||t.learner!==s.learner||t.now!==s.now||t.to!==s.to;L=c,s=t,x=a,t.drawn?u=[...t.drawn]:h&&(u=t.handles.map(()=>Math.round(F()*100)/100)),D();let A=s.true_rows.length>0;l.classList.toggle("sl-asked",x),l.classList.toggle("sl-unguessed",!x&&!t.drawn),f(d,A?"Solid: what happened. Dashed: your line.":`${s.measure} of ${s.learner}; the run stands at row ${S(s.now)}.`),i.hidden=p.hidden=!x}}}var ie=`
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
`;var be=new Set(["p","ul","ol","li","strong","em","a","br","code","blockquote"]),me=/^(https:\/\/|[a-z_]+(\?|$))/;function ae(o){if(typeof o=="string")return document.createTextNode(o);let[n,{href:l},...i]=o;if(!be.has(n))return document.createTextNode("");let d=r(n,{},i.map(ae));if(n==="a"&&me.test(l!=null?l:"")&&(d.setAttribute("href",l),l.startsWith("https:")))for(let[p,s]of[["target","_blank"],["rel","noopener noreferrer"]])d.setAttribute(p,s);return d}function K(o,n){o.replaceChildren(...n.map(ae))}function we(o,n){let l=(e,v,m="")=>{let w=r("button",{class:`sl-button ${m}`,type:"button",text:v});return w.addEventListener("click",()=>n(e,null)),w},i=r("p",{class:"sl-lesson-name"}),d=r("p",{class:"sl-count"}),p=r("i"),s=r("div",{class:"sl-progress","aria-hidden":"true"},[p]),u=r("button",{class:"sl-fold",type:"button","aria-expanded":"true",text:"Hide the text"}),x=r("h2",{tabindex:"-1"}),L=r("div",{class:"sl-prose"}),T=r("p",{class:"sl-question",id:"sl-question"}),C=r("div",{class:"sl-options",role:"group","aria-labelledby":"sl-question"}),O=r("div",{class:"sl-chart"}),g=l("pass","Show me without a guess","sl-quiet"),b=r("p",{class:"sl-verdict"}),E=r("div",{class:"sl-prose"}),F=r("div",{class:"sl-answer","aria-live":"polite"},[b,E]),S=r("p",{class:"sl-busy",role:"status"}),N=r("p",{class:"sl-wrong",role:"alert"}),R=r("p",{class:"sl-following"}),D=r("div",{class:"sl-read",tabindex:"0",role:"group","aria-label":"What this step says"},[x,L,T,C,O,g,F,S,N,R]),B=l("back","Back"),z=l("play","","sl-main"),t=l("skip","Skip ahead"),a=l("do",""),c=l("next","Next","sl-main"),h=l("again","Begin this step again","sl-quiet"),A=l("leave","Leave the lesson","sl-quiet"),_=r("header",{},[r("div",{class:"sl-where"},[i,d,u]),s]),U=r("footer",{},[r("div",{class:"sl-acts"},[B,a,t,z,c]),r("div",{class:"sl-rest"},[h,A])]),Y=r("section",{class:"sl-lesson"},[_,D,U]),X=r("div",{class:"sl-view"},[Y]);o.append(r("style",{text:`${oe}${ie}`}),X);let ce=re(O,e=>n("draw",e)),I={},Z="",G=!1;D.addEventListener("keydown",e=>{["ArrowDown","ArrowUp","PageDown","PageUp","Home","End"," "].includes(e.key)&&e.stopPropagation()}),Y.addEventListener("keydown",e=>{e.target.closest("button")&&e.stopPropagation()}),u.addEventListener("click",()=>{let e=Y.classList.toggle("sl-folded");u.setAttribute("aria-expanded",String(!e)),f(u,e?"Show the text":"Hide the text")});let $=(e,v)=>{e.hidden!==v&&(e.hidden=v)};function de(e){let v=JSON.stringify([e.lesson,e.number,e.options]);v!==Z&&(Z=v,C.replaceChildren(...e.options.map((m,w)=>{let y=r("button",{class:"sl-option",type:"button"},[r("span",{class:"sl-letter","aria-hidden":"true",text:String.fromCharCode(65+w)}),r("span",{text:m}),r("span",{class:"sl-mark"})]);return y.addEventListener("click",()=>I.asked&&n("pick",w)),y}))),[...C.children].forEach((m,w)=>{let y=e.answer===w,V=e.picked===w;m.setAttribute("aria-pressed",String(V)),m.setAttribute("aria-disabled",String(!e.asked)),m.classList.toggle("sl-true",y),m.classList.toggle("sl-false",V&&e.answer!==null&&!y),f(m.lastChild,y?"✓ true":V?e.answer===null?"your guess":"✗ your guess":"")})}function pe(e){if(!e||!e.total)return;let v=e.number!==I.number||e.lesson!==I.lesson,m=I.number===void 0;I=e,Y.setAttribute("aria-label",`Lesson: ${e.lesson}`),f(i,e.lesson),f(d,`Step ${e.number} of ${e.total}`),p.style.width=`${100*e.number/e.total}%`,v&&(f(x,e.title),K(L,e.body),D.scrollTop=0,G=!1),f(T,e.question),$(T,!e.question),de(e),ce.update(e.chart,e.asked),$(g,!e.asked||!e.question),f(b,e.verdict),$(b,!e.verdict);let w=JSON.stringify(e.reveal);E.dataset.key!==w&&(E.dataset.key=w,K(E,e.reveal)),f(S,e.busy),f(N,e.error),$(N,!e.error);let y=e.number===e.total;$(R,!(y&&e.following.length)),y&&e.following.length&&R.replaceChildren("Next lesson: ",r("a",{href:`?lesson=${encodeURIComponent(e.following[0])}`,text:e.following[1]})),B.disabled=e.number===1,f(z,e.play),$(z,!e.play),z.disabled=e.playing,e.playing&&e.play&&f(z,"Playing …"),$(t,!e.play),f(a,e.do),$(a,!e.do),f(c,y?"Finish":"Next"),$(c,!!e.play),c.setAttribute("aria-disabled",String(!e.over)),c.classList.toggle("sl-main",e.over),c.title=e.over?"":"This step is not over yet",v&&!m&&x.focus({preventScroll:!0}),e.over&&!G&&(e.verdict||e.reveal.length)&&F.scrollIntoView({block:"nearest"}),G=e.over}return{update:pe,setDark:e=>X.classList.toggle("sl-dark",e),stats:()=>({...I})}}function Ye({model:o,el:n,view:l}){ee(o,l,()=>{let i=we(n,(s,u)=>o.send_msg({kind:"command",name:s,value:u})),d=()=>i.update(o.step),p=()=>i.setDark(o.dark);return o.on("step",d),o.on("dark",p),p(),d(),window.__streamlab_lesson=i,()=>n.replaceChildren()})}export{we as createLesson,Ye as render};
