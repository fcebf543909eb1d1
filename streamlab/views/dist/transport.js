/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function l(t,r={},n=[]){let s=document.createElement(t);for(let[i,o]of Object.entries(r))i==="text"?s.textContent=o:o===!0?s.setAttribute(i,""):o!==!1&&o!=null&&s.setAttribute(i,o);return s.append(...n),s}function g(t,r){t.textContent!==r&&(t.textContent=r)}function P(t,r,n){return t<r?r:t>n?n:t}var K=new Intl.NumberFormat("en",{maximumFractionDigits:0}),nt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),mt=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2});function k(t){return K.format(t)}function Y(t){return Math.abs(t)<100?nt.format(t):K.format(t)}var ot={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function V(t,r){let n={},s=0;for(let[i,o,d,f]of t){let p=new ot[o](r,s,d);Array.isArray(f)?f.forEach((u,b)=>{n[u]=Uint8Array.from(p,h=>h>>b&1)}):n[i]=f===1?p:Float32Array.from(p,u=>u/f),s+=p.byteLength}return n}var at=500;function W(t,r,n){var f,p,u;let s=!0,i=0,o=b=>{if((b==null?void 0:b.kind)!=="frame")return;clearInterval(i);let{spec:h,buffer:m,...w}=b;n({...w,...V(h,m)}),t.send_msg({kind:"received",number:w.number})},d=()=>s&&t.send_msg({kind:"ready"});return t.on("msg:custom",o),(u=(p=(f=r==null?void 0:r.model)==null?void 0:f.document)==null?void 0:p.on_event)==null||u.call(p,"client_reconnected",d),d(),i=setInterval(d,at),()=>{s=!1,clearInterval(i),t.off("msg:custom",o)}}function q(t,r,n){var s;(s=r.__streamlab_dispose)==null||s.call(r),r.__streamlab_dispose=n(),t.on("lifecycle:remove",()=>{var i;(i=r.__streamlab_dispose)==null||i.call(r),r.__streamlab_dispose=void 0})}var it={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},lt={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var ct=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],G=t=>[`--sl-text:${t.ink}`,...ct.map(r=>`--sl-${r}:${t[r]}`)].join(";"),J=`.sl-view{${G(it)}}
.sl-view.sl-dark{${G(lt)}}
`;var _='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',At=`12px ${_}`,$t=`600 12px ${_}`,Et=`11px ${_}`;var X=`${J}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${_};
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
.sl-view .sl-chosen>*{background:var(--sl-track)}
`;var pt=5e3,dt=600,C={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},Q={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},ut=`${X}
.sl-transport{display:flex;flex-direction:column;gap:10px}
.sl-transport .sl-row{display:flex;flex-wrap:wrap;align-items:center;gap:8px 10px}
.sl-transport button{display:inline-flex;align-items:center;justify-content:center;gap:6px;height:44px;min-width:44px;padding:0 10px;
  border:1px solid var(--sl-line);border-radius:22px;background:transparent;color:var(--sl-text);font:inherit;cursor:pointer}
.sl-transport button:hover:not(:disabled){background:var(--sl-track)}
.sl-transport button:disabled{opacity:.45;cursor:default}
.sl-transport button[aria-busy=true]{border-style:dashed}
.sl-transport button svg{width:22px;height:22px;fill:currentColor;flex:none}
.sl-transport .sl-play{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);padding:0 20px 0 14px;font-weight:600;min-width:112px}
.sl-transport .sl-play:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.1)}
.sl-transport label{display:inline-flex;align-items:center;gap:6px;color:var(--sl-muted);font-size:12px}
.sl-transport select{height:44px;padding:0 10px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit}
.sl-transport select:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-transport .sl-state{margin-left:auto;display:flex;flex-direction:column;align-items:flex-end;font-size:12px;color:var(--sl-muted)}
.sl-transport .sl-state b{font-size:14px;color:var(--sl-text);font-weight:600}
.sl-transport .sl-track{position:relative;height:10px;border-radius:5px;background:var(--sl-track);border:1px solid var(--sl-line)}
.sl-transport .sl-fill{position:absolute;left:0;top:0;bottom:0;border-radius:5px;background:var(--sl-accent);width:0}
.sl-transport .sl-fill.sl-unknown{width:100%;opacity:.35}
.sl-transport .sl-marks{position:absolute;inset:-4px 0}
.sl-transport .sl-marks i{position:absolute;top:0;bottom:0;width:2px;margin-left:-1px;background:var(--sl-text)}
.sl-transport .sl-marks i.sl-drift{background:none;border-left:2px dashed var(--sl-down)}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text)}
.sl-transport .sl-banner[hidden]{display:none}
@media (max-width:520px){.sl-transport .sl-state{margin-left:0;align-items:flex-start;width:100%}.sl-transport .sl-wide{display:none}}
`;function ft(t){let r=document.createElementNS("http://www.w3.org/2000/svg","svg");r.setAttribute("viewBox","0 0 24 24"),r.setAttribute("aria-hidden","true");let n=document.createElementNS("http://www.w3.org/2000/svg","path");return n.setAttribute("d",Q[t]),r.append(n),r}function A(t,r,n,s){return l("button",{type:"button","aria-label":r,title:s,class:`sl-${t}`},[ft(t),...n?[l("span",{text:n,class:"sl-wide"})]:[]])}function bt(t,r){let n=A("play","Play","Play","Play or pause (Space)"),s=A("step","Step one instance","1 instance","One instance (right arrow)"),i=A("chunk","Step one chunk","1 chunk","One chunk (Page Down)"),o=A("restart","Start again","Restart","Start again from the first instance"),d=l("select",{"aria-label":"Speed"});r.rates.forEach(([a,c],x)=>d.append(l("option",{value:String(x),text:a})));let f=l("b",{text:C.loading}),p=l("span"),u=l("div",{class:"sl-fill"}),b=l("div",{class:"sl-marks","aria-hidden":"true"}),h=l("div",{class:"sl-track",role:"progressbar","aria-label":"Position in the stream","aria-valuemin":"0"},[u,b]),m=l("div",{class:"sl-muted"}),w=l("div",{class:"sl-banner",role:"alert",hidden:!0}),$=l("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),N=l("div",{class:"sl-view sl-transport",role:"group","aria-label":"Playback"},[l("div",{class:"sl-row"},[n,s,i,...r.restart?[o]:[],l("label",{},[l("span",{text:"Speed"}),d]),l("div",{class:"sl-state"},[f,p])]),h,m,w,$]);t.append(l("style",{text:ut}),N);for(let a of[n,s,i,o])a.disabled=!0;let e=null,F=!1,R=0,E=0,T=0,M=performance.now(),v=(a,c,x)=>{a&&a.setAttribute("aria-busy","true"),r.onCommand(c,x)},O=()=>{e&&!n.disabled&&v(n,e.state==="playing"?"pause":"play")};n.addEventListener("click",O),s.addEventListener("click",()=>v(s,"step",1)),i.addEventListener("click",()=>v(i,"step",null)),o.addEventListener("click",()=>v(o,"restart")),d.addEventListener("change",()=>r.onCommand("rate",Number(d.value)));let D=a=>{let c=a.composedPath()[0];if(!(c instanceof Element&&c.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)){if(a.key===" ")O();else if(a.key==="ArrowRight"&&!s.disabled)v(s,"step",1);else if(a.key==="PageDown"&&!i.disabled)v(i,"step",null);else return;a.preventDefault()}};document.addEventListener("keydown",D);let Z=a=>{let c=performance.now();a===$.textContent||c-R<pt&&(e==null?void 0:e.state)==="playing"||(R=c,g($,a))};function tt(){let a=e.n_rows||e.position,c=`${a}|${e.marks.map(x=>x[0]+x[1]).join()}`;b.dataset.key!==c&&(b.dataset.key=c,b.replaceChildren(...a?e.marks.map(([x,y])=>l("i",{class:y==="drift"?"sl-drift":"",style:`left:${P(100*x/a,0,100)}%`})):[]))}function et(a){var U,B;let c=e==null?void 0:e.state;e=a,E+=1;let x=performance.now();x-M>1e3&&(T=1e3*E/(x-M),E=0,M=x);for(let L of[n,s,i,o])L.removeAttribute("aria-busy");let y=e.state==="playing",rt=e.state==="finished"||e.state==="failed";c!==e.state&&(n.querySelector("path").setAttribute("d",Q[y?"pause":"play"]),n.setAttribute("aria-label",y?"Pause":"Play"),g(n.querySelector("span"),y?"Pause":"Play"),n.disabled=s.disabled=i.disabled=rt,o.disabled=!1),document.activeElement!==d&&(d.value=String(e.rate_index)),g(f,(U=C[e.state])!=null?U:e.state);let H=e.n_rows?`${k(e.position)} of ${k(e.n_rows)} instances`:`${k(e.position)} instances`;g(p,y?`${Y(e.speed)} instances/s`:H);let j=e.n_rows?e.position/e.n_rows:0;u.classList.toggle("sl-unknown",!e.n_rows&&e.position>0),u.style.width=e.n_rows?`${100*j}%`:"";let z=e.marks.filter(([L])=>L<=e.position),S=z.length?z[z.length-1]:null,st=S?` · ${S[2]} at ${k(S[0])}`:"";g(m,`${H}${e.n_rows?` · ${(100*j).toFixed(0)} %`:""}${st}`),e.n_rows&&(h.setAttribute("aria-valuemax",String(e.n_rows)),h.setAttribute("aria-valuenow",String(e.position))),h.setAttribute("aria-valuetext",m.textContent),tt(),I(),(c!==e.state||S)&&Z(`${(B=C[e.state])!=null?B:e.state}. ${m.textContent}`)}function I(){var c;let a=F?"Connection lost. Trying to reach the server again; the run goes on there.":(c=e==null?void 0:e.message)!=null?c:"";w.hidden=!a,g(w,a)}return{update:et,setDark:a=>N.classList.toggle("sl-dark",a),setLost:a=>{F=a,I()},stats:()=>({frames_per_second:T,state:e==null?void 0:e.state,position:e==null?void 0:e.position}),destroy:()=>{document.removeEventListener("keydown",D),t.replaceChildren()}}}function xt(t){let r=window.matchMedia("(prefers-color-scheme: dark)"),n=new URL(window.location.href).searchParams.get("theme"),s=n==="dark"||n!=="light"&&r.matches;s!==t.dark&&(t.dark=s);let i=()=>{let o=new URL(window.location.href);t.dark===r.matches?o.searchParams.delete("theme"):o.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",o)};return t.on("dark",i),()=>t.off("dark",i)}function ht(t){let r=()=>{let s=document.body.dataset.jpThemeLight;s!==void 0&&s==="false"!==t.dark&&(t.dark=s==="false")},n=new MutationObserver(r);return n.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),r(),()=>n.disconnect()}function Tt({model:t,el:r,view:n}){q(t,n,()=>{var f,p;let s=bt(r,{rates:t.rates,restart:t.restart,onCommand:(u,b=null)=>t.send_msg({kind:"command",name:u,value:b})});s.setDark(t.dark),t.on("dark",()=>s.setDark(t.dark));let i=null,o=n.model.document;(f=o==null?void 0:o.on_event)==null||f.call(o,"connection_lost",()=>s.setLost(!0)),(p=o==null?void 0:o.on_event)==null||p.call(o,"client_reconnected",()=>s.setLost(!1));let d=W(t,n,u=>{s.setLost(!1),s.update(u),i||(t.page&&(t.narrow=window.innerWidth<dt),i=t.page?xt(t):ht(t))});return window.__streamlab_transport=s,()=>{i==null||i(),d(),s.destroy()}})}export{bt as createTransport,Tt as render};
