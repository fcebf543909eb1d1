/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function l(t,e={},r=[]){let n=document.createElement(t);for(let[a,i]of Object.entries(e))a==="text"?n.textContent=i:i===!0?n.setAttribute(a,""):i!==!1&&i!=null&&n.setAttribute(a,i);return n.append(...r),n}function x(t,e){t.textContent!==e&&(t.textContent=e)}function P(t,e,r){return t<e?e:t>r?r:t}var U=new Intl.NumberFormat("en",{maximumFractionDigits:0}),rt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),xt=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2});function v(t){return U.format(t)}function B(t){return Math.abs(t)<100?rt.format(t):U.format(t)}var st={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function K(t,e){let r={},n=0;for(let[a,i,c,p]of t){let f=new st[i](e,n,c);Array.isArray(p)?p.forEach((m,b)=>{r[m]=Uint8Array.from(f,h=>h>>b&1)}):r[a]=p===1?f:Float32Array.from(f,m=>m/p),n+=f.byteLength}return r}var nt=500;function Y(t,e,r){let n=!0,a=0,i=p=>{if(p?.kind!=="frame")return;clearInterval(a);let{spec:f,buffer:m,...b}=p;r({...b,...K(f,m)}),t.send_msg({kind:"received",number:b.number})},c=()=>n&&t.send_msg({kind:"ready"});return t.on("msg:custom",i),e?.model?.document?.on_event?.("client_reconnected",c),c(),a=setInterval(c,nt),()=>{n=!1,clearInterval(a),t.off("msg:custom",i)}}function V(t,e,r){e.__streamlab_dispose?.(),e.__streamlab_dispose=r(),t.on("lifecycle:remove",()=>{e.__streamlab_dispose?.(),e.__streamlab_dispose=void 0})}var ot={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},at={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var it=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],W=t=>[`--sl-text:${t.ink}`,...it.map(e=>`--sl-${e}:${t[e]}`)].join(";"),q=`.sl-view{${W(ot)}}
.sl-view.sl-dark{${W(at)}}
`;var y='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',_t=`12px ${y}`,St=`600 12px ${y}`,At=`11px ${y}`;var G=`${q}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${y};
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
`;var lt=5e3,ct=600,C={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},J={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},pt=`${G}
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
`;function dt(t){let e=document.createElementNS("http://www.w3.org/2000/svg","svg");e.setAttribute("viewBox","0 0 24 24"),e.setAttribute("aria-hidden","true");let r=document.createElementNS("http://www.w3.org/2000/svg","path");return r.setAttribute("d",J[t]),e.append(r),e}function S(t,e,r,n){return l("button",{type:"button","aria-label":e,title:n,class:`sl-${t}`},[dt(t),...r?[l("span",{text:r,class:"sl-wide"})]:[]])}function ut(t,e){let r=S("play","Play","Play","Play or pause (Space)"),n=S("step","Step one instance","1 instance","One instance (right arrow)"),a=S("chunk","Step one chunk","1 chunk","One chunk (Page Down)"),i=S("restart","Start again","Restart","Start again from the first instance"),c=l("select",{"aria-label":"Speed"});e.rates.forEach(([o,d],u)=>c.append(l("option",{value:String(u),text:o})));let p=l("b",{text:C.loading}),f=l("span"),m=l("div",{class:"sl-fill"}),b=l("div",{class:"sl-marks","aria-hidden":"true"}),h=l("div",{class:"sl-track",role:"progressbar","aria-label":"Position in the stream","aria-valuemin":"0"},[m,b]),k=l("div",{class:"sl-muted"}),A=l("div",{class:"sl-banner",role:"alert",hidden:!0}),$=l("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),F=l("div",{class:"sl-view sl-transport",role:"group","aria-label":"Playback"},[l("div",{class:"sl-row"},[r,n,a,...e.restart?[i]:[],l("label",{},[l("span",{text:"Speed"}),c]),l("div",{class:"sl-state"},[p,f])]),h,k,A,$]);t.append(l("style",{text:pt}),F);for(let o of[r,n,a,i])o.disabled=!0;let s=null,N=!1,R=0,E=0,T=0,M=performance.now(),g=(o,d,u)=>{o&&o.setAttribute("aria-busy","true"),e.onCommand(d,u)},O=()=>{s&&!r.disabled&&g(r,s.state==="playing"?"pause":"play")};r.addEventListener("click",O),n.addEventListener("click",()=>g(n,"step",1)),a.addEventListener("click",()=>g(a,"step",null)),i.addEventListener("click",()=>g(i,"restart")),c.addEventListener("change",()=>e.onCommand("rate",Number(c.value)));let D=o=>{let d=o.composedPath()[0];if(!(d instanceof Element&&d.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)){if(o.key===" ")O();else if(o.key==="ArrowRight"&&!n.disabled)g(n,"step",1);else if(o.key==="PageDown"&&!a.disabled)g(a,"step",null);else return;o.preventDefault()}};document.addEventListener("keydown",D);let X=o=>{let d=performance.now();o===$.textContent||d-R<lt&&s?.state==="playing"||(R=d,x($,o))};function Q(){let o=s.n_rows||s.position,d=`${o}|${s.marks.map(u=>u[0]+u[1]).join()}`;b.dataset.key!==d&&(b.dataset.key=d,b.replaceChildren(...o?s.marks.map(([u,w])=>l("i",{class:w==="drift"?"sl-drift":"",style:`left:${P(100*u/o,0,100)}%`})):[]))}function Z(o){let d=s?.state;s=o,E+=1;let u=performance.now();u-M>1e3&&(T=1e3*E/(u-M),E=0,M=u);for(let L of[r,n,a,i])L.removeAttribute("aria-busy");let w=s.state==="playing",tt=s.state==="finished"||s.state==="failed";d!==s.state&&(r.querySelector("path").setAttribute("d",J[w?"pause":"play"]),r.setAttribute("aria-label",w?"Pause":"Play"),x(r.querySelector("span"),w?"Pause":"Play"),r.disabled=n.disabled=a.disabled=tt,i.disabled=!1),document.activeElement!==c&&(c.value=String(s.rate_index)),x(p,C[s.state]??s.state);let H=s.n_rows?`${v(s.position)} of ${v(s.n_rows)} instances`:`${v(s.position)} instances`;x(f,w?`${B(s.speed)} instances/s`:H);let j=s.n_rows?s.position/s.n_rows:0;m.classList.toggle("sl-unknown",!s.n_rows&&s.position>0),m.style.width=s.n_rows?`${100*j}%`:"";let z=s.marks.filter(([L])=>L<=s.position),_=z.length?z[z.length-1]:null,et=_?` · ${_[2]} at ${v(_[0])}`:"";x(k,`${H}${s.n_rows?` · ${(100*j).toFixed(0)} %`:""}${et}`),s.n_rows&&(h.setAttribute("aria-valuemax",String(s.n_rows)),h.setAttribute("aria-valuenow",String(s.position))),h.setAttribute("aria-valuetext",k.textContent),Q(),I(),(d!==s.state||_)&&X(`${C[s.state]??s.state}. ${k.textContent}`)}function I(){let o=N?"Connection lost. Trying to reach the server again; the run goes on there.":s?.message??"";A.hidden=!o,x(A,o)}return{update:Z,setDark:o=>F.classList.toggle("sl-dark",o),setLost:o=>{N=o,I()},stats:()=>({frames_per_second:T,state:s?.state,position:s?.position}),destroy:()=>{document.removeEventListener("keydown",D),t.replaceChildren()}}}function ft(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),r=new URL(window.location.href).searchParams.get("theme"),n=r==="dark"||r!=="light"&&e.matches;n!==t.dark&&(t.dark=n);let a=()=>{let i=new URL(window.location.href);t.dark===e.matches?i.searchParams.delete("theme"):i.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",i)};return t.on("dark",a),()=>t.off("dark",a)}function mt(t){let e=()=>{let n=document.body.dataset.jpThemeLight;n!==void 0&&n==="false"!==t.dark&&(t.dark=n==="false")},r=new MutationObserver(e);return r.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),e(),()=>r.disconnect()}function Nt({model:t,el:e,view:r}){V(t,r,()=>{let n=ut(e,{rates:t.rates,restart:t.restart,onCommand:(p,f=null)=>t.send_msg({kind:"command",name:p,value:f})});n.setDark(t.dark),t.on("dark",()=>n.setDark(t.dark));let a=null,i=r.model.document;i?.on_event?.("connection_lost",()=>n.setLost(!0)),i?.on_event?.("client_reconnected",()=>n.setLost(!1));let c=Y(t,r,p=>{n.setLost(!1),n.update(p),a||(t.page&&(t.narrow=window.innerWidth<ct),a=t.page?ft(t):mt(t))});return window.__streamlab_transport=n,()=>{a?.(),c(),n.destroy()}})}export{ut as createTransport,Nt as render};
