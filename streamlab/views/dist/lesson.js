/*! streamlab lesson, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
var J=`
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
@media (max-width:1000px){
  .sl-lesson{height:50dvh;border-radius:0 0 12px 12px;border-width:0 0 1px;box-shadow:var(--sl-shadow)}
  .sl-lesson .sl-fold{display:inline-block}
  .sl-lesson .sl-where{align-items:center}
  .sl-lesson header{padding:6px 14px 0}
  .sl-lesson .sl-read{padding:10px 14px}
  .sl-lesson h2{font-size:17px;margin-bottom:6px}
  .sl-lesson footer{padding:6px 14px 2px}
  .sl-lesson .sl-button{padding:0 12px}
  .sl-lesson.sl-folded{height:auto;min-height:0}
  .sl-lesson.sl-folded :is(.sl-read,.sl-rest){display:none}
}
@container style(--streamlab-projected:1){
  .sl-view:has(.sl-lesson){font-size:17.3px;line-height:1.25}
  .sl-lesson{display:grid;grid-template:minmax(0,1fr)/minmax(0,1fr) auto;height:var(--sl-lesson);min-height:0;border:0;border-radius:0;box-shadow:none;background:none}
  .sl-lesson :is(header,.sl-rest){display:none}
  .sl-lesson .sl-read{padding:8px 0 4px 17px}
  .sl-lesson .sl-prose{font-size:14.6px}
  .sl-lesson .sl-read:has(.sl-option){display:grid;grid-template-columns:minmax(0,1fr) 282px;column-gap:14px;align-content:start}
  .sl-lesson .sl-read>.sl-options{grid-area:1/2/span 12;margin:0}
  .sl-lesson .sl-read:not(:has(.sl-option))>.sl-options,.sl-lesson .sl-read>.sl-quiet,.sl-lesson .sl-read:has(>.sl-question:not([hidden]))>h2,
  .sl-lesson .sl-read:has(.sl-verdict:not([hidden]))>:is(h2+.sl-prose,.sl-question){display:none}
  .sl-lesson .sl-read:has(.sl-option) .sl-prose{font-size:13px}
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
`;function t(o,s={},i=[]){let l=document.createElement(o);for(let[r,n]of Object.entries(s))r==="text"?l.textContent=n:n===!0?l.setAttribute(r,""):n!==!1&&n!=null&&l.setAttribute(r,n);return l.append(...i),l}function N(o,s,i={}){let l=t("button",{type:"button",text:o,...i});return l.addEventListener("click",s),l}function u(o,s){o.textContent!==s&&(o.textContent=s)}var he={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},xe={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var fe=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],X=o=>[`--sl-text:${o.ink}`,...fe.map(s=>`--sl-${s}:${o[s]}`)].join(";"),Z=`.sl-view{${X(he)}}
.sl-view.sl-dark{${X(xe)}}
`;var z='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',$e=`13px ${z}`,Ne=`600 13px ${z}`,Pe=`600 18px ${z}`,Me=`11px ${z}`;var ge=0,$=typeof document>"u"?void 0:document.fonts,Q;(Q=$==null?void 0:$.addEventListener)==null||Q.call($,"loadingdone",()=>ge++);var ee=`${Z}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${z};
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
`;var be={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function me(o,s){let i={},l=0;for(let[r,n,g,c]of o){let a=new be[n](s,l,g);Array.isArray(c)?c.forEach((p,v)=>{i[p]=Uint8Array.from(a,k=>k>>v&1)}):i[r]=c===1?a:Float32Array.from(a,p=>p/c),l+=a.byteLength}return i}var we=500;function ve(o,s,i){var a,p,v,k,y,A;let l=!0,r=0,n=h=>{if(((h==null?void 0:h.kind)==="frame"||(h==null?void 0:h.kind)==="heard")&&clearInterval(r),(h==null?void 0:h.kind)!=="frame")return;let{spec:C,buffer:_,...O}=h;i({...O,...me(C,_)}),o.send_msg({kind:"received",number:O.number})},g=()=>o.send_msg({kind:"ready"});o.on("msg:custom",n);let c=()=>{clearInterval(r),l&&(g(),r=setInterval(g,we))};return(v=(p=(a=s==null?void 0:s.model)==null?void 0:a.document)==null?void 0:p.on_event)==null||v.call(p,"client_reconnected",c),(A=(y=(k=s==null?void 0:s.model)==null?void 0:k.document)==null?void 0:y.on_event)==null||A.call(y,"connection_lost",()=>clearInterval(r)),c(),()=>{l=!1,clearInterval(r),o.off("msg:custom",n)}}function ye(o){var s,i,l,r;for(let n of(i=(s=o==null?void 0:o.references)==null?void 0:s.call(o))!=null?i:[])(r=(l=o.document)==null?void 0:l._new_models)==null||r.delete(n)}function ke(o,s,i){var l;ye(s.model),(l=s.__streamlab_dispose)==null||l.call(s),s.__streamlab_dispose=i(),o.on("lifecycle:remove",()=>{var r;(r=s.__streamlab_dispose)==null||r.call(s),s.__streamlab_dispose=void 0})}var se=o=>({model:s,el:i,view:l})=>{ke(s,l,()=>{let r=new AbortController,n=o({model:s,view:l,el:i,send:a=>s.send_msg(a),signal:r.signal});i.append(t("style",{text:ee+n.css}),n.box);let g=()=>{var a;n.box.classList.toggle("sl-dark",!!s.dark),(a=n.setDark)==null||a.call(n,s.dark)};for(let[a,p]of Object.entries({dark:g,...n.follows}))s.on(a,p),p();n.hear&&s.on("msg:custom",n.hear);let c=n.update&&ve(s,l,n.update);return()=>{var a;r.abort(),c==null||c(),n.hear&&s.off("msg:custom",n.hear),(a=n.destroy)==null||a.call(n),i.replaceChildren()}})};var Se=new Set(["p","ul","ol","li","strong","em","a","br","code","blockquote"]),Ae=/^(https:\/\/|[a-z_]+(\?|$))/;function oe(o){if(typeof o=="string")return document.createTextNode(o);let[s,{href:i},...l]=o;if(!Se.has(s))return document.createTextNode("");let r=t(s,{},l.map(oe));if(s==="a"&&Ae.test(i!=null?i:"")&&(r.setAttribute("href",i),i.startsWith("https:")))for(let[n,g]of[["target","_blank"],["rel","noopener noreferrer"]])r.setAttribute(n,g);return r}function te(o,s){o.replaceChildren(...s.map(oe))}var _e={ArrowRight:1,PageDown:1,ArrowLeft:-1,PageUp:-1},Ee="input,textarea,select,[role=listbox],[role=dialog]",Ye=se(({model:o,send:s,signal:i})=>{let l=(e,d)=>s({kind:"command",name:e,value:d}),r=(e,d,x="")=>N(d,()=>l(e,null),{class:`sl-button ${x}`}),n=t("p",{class:"sl-lesson-name"}),g=t("p",{class:"sl-count"}),c=t("i"),a=t("div",{class:"sl-progress","aria-hidden":"true"},[c]),p=N("Hide the text",()=>{let e=T.classList.toggle("sl-folded");p.setAttribute("aria-expanded",String(!e)),u(p,e?"Show the text":"Hide the text")},{class:"sl-fold","aria-expanded":"true"}),v=t("h2",{tabindex:"-1"}),k=t("div",{class:"sl-prose"}),y=t("p",{class:"sl-question",id:"sl-question"}),A=t("div",{class:"sl-options",role:"group","aria-labelledby":"sl-question"}),h=r("pass","Show me without a guess","sl-quiet"),C=t("p",{class:"sl-verdict"}),_=t("div",{class:"sl-prose"}),O=t("div",{class:"sl-answer","aria-live":"polite"},[C,_]),H=t("p",{class:"sl-busy",role:"status"}),P=t("p",{class:"sl-wrong",role:"alert"}),M=t("div",{class:"sl-prose sl-recap"}),R=t("p",{class:"sl-following"}),q=t("div",{class:"sl-read",tabindex:"0",role:"group","aria-label":"What this step says"},[v,k,y,A,h,O,H,P,M,R]),B=r("back","Back"),L=r("play","","sl-main"),K=r("skip","Skip ahead"),I=r("do",""),E=r("next","Next","sl-main"),ne=r("again","Begin this step again","sl-quiet"),re=r("leave","Leave the lesson","sl-quiet"),le=t("header",{},[t("div",{class:"sl-where"},[n,g,p]),a]),ie=t("footer",{},[t("div",{class:"sl-acts"},[B,I,K,L,E]),t("div",{class:"sl-rest"},[ne,re])]),T=t("section",{class:"sl-lesson"},[le,q,ie]),ae=t("div",{class:"sl-view"},[T]),w={},U="",F=!1;q.addEventListener("keydown",e=>{["ArrowDown","ArrowUp","PageDown","PageUp","Home","End"," "].includes(e.key)&&e.stopPropagation()}),T.addEventListener("keydown",e=>{e.target.closest("button")&&e.stopPropagation()});let pe=e=>{var V,W,G;let d=_e[e.key],x=document.documentElement.style.getPropertyValue("--streamlab-projected")==="1";if(!d||!x||!T.checkVisibility()||(W=(V=e.composedPath()[0]).closest)!=null&&W.call(V,Ee))return;e.preventDefault(),e.stopPropagation();let{over:m,asked:f,playing:S,number:j}=w,D=d<0?[[j>1,"back"]]:[[m,"next"],[w.do,"do"],[w.play&&!S,"play"],[f,"pass"]],[,Y]=(G=D.find(([ue])=>ue))!=null?G:[];Y&&l(Y,null)};document.addEventListener("keydown",pe,{capture:!0,signal:i});let b=(e,d)=>{e.hidden!==d&&(e.hidden=d)};function de(e){let d=JSON.stringify([e.lesson,e.number,e.options]);d!==U&&(U=d,A.replaceChildren(...e.options.map((x,m)=>{let f=N(null,()=>w.asked&&l("pick",m),{class:"sl-option"});return f.append(t("span",{class:"sl-letter","aria-hidden":"true",text:String.fromCharCode(65+m)}),t("span",{text:x}),t("span",{class:"sl-mark"})),f}))),[...A.children].forEach((x,m)=>{let f=e.answer===m,S=e.picked===m;x.setAttribute("aria-pressed",String(S)),x.setAttribute("aria-disabled",String(!e.asked)),x.classList.toggle("sl-true",f),x.classList.toggle("sl-false",S&&e.answer!==null&&!f),u(x.lastChild,f?"✓ true":S?e.answer===null?"your guess":"✗ your guess":"")})}function ce(){let{step:e}=o;if(!e||!e.total)return;let d=e.number!==w.number||e.lesson!==w.lesson,x=w.number===void 0;w=e,T.setAttribute("aria-label",`Lesson: ${e.lesson}`),u(n,e.lesson),u(g,`Step ${e.number} of ${e.total}`),c.style.width=`${100*e.number/e.total}%`,d&&(u(v,e.title),te(k,e.body),q.scrollTop=0,F=!1),u(y,e.question),b(y,!e.question),de(e),b(h,!e.asked||!e.question),u(C,e.verdict),b(C,!e.verdict);let m=JSON.stringify(e.reveal);_.dataset.key!==m&&(_.dataset.key=m,te(_,e.reveal)),u(H,e.busy),u(P,e.error),b(P,!e.error);let f=e.number===e.total;b(M,!e.recap.length),e.recap.length&&M.replaceChildren(t("b",{text:"What you predicted, and what happened"}),...e.recap.map(([S,j,D])=>t("p",{},[t("span",{text:S}),t("br"),`${j}. `,t("span",{class:"sl-was",text:D})]))),b(R,!(f&&e.following.length)),f&&e.following.length&&R.replaceChildren("Next lesson: ",t("a",{href:`?lesson=${encodeURIComponent(e.following[0])}`,text:e.following[1]})),B.disabled=e.number===1,u(L,e.play),b(L,!e.play),L.disabled=e.playing,e.playing&&e.play&&u(L,"Playing …"),b(K,!e.play),u(I,e.do),b(I,!e.do),u(E,f?"Finish":"Next"),b(E,!!e.play),E.setAttribute("aria-disabled",String(!e.over)),E.classList.toggle("sl-main",e.over),E.title=e.over?"":"This step is not over yet",d&&!x&&v.focus({preventScroll:!0}),e.over&&!F&&(e.verdict||e.reveal.length)&&O.scrollIntoView({block:"nearest"}),F=e.over}return window.__streamlab_lesson={stats:()=>({...w})},{box:ae,css:J,follows:{step:ce}}});export{Ye as render};
