/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function l(t,e={},s=[]){let r=document.createElement(t);for(let[a,o]of Object.entries(e))a==="text"?r.textContent=o:o===!0?r.setAttribute(a,""):o!==!1&&o!=null&&r.setAttribute(a,o);return r.append(...s),r}function m(t,e){t.textContent!==e&&(t.textContent=e)}function C(t,e,s){return t<e?e:t>s?s:t}var W=new Intl.NumberFormat("en",{maximumFractionDigits:0}),lt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),At=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2});function _(t){return W.format(t)}function G(t){return Math.abs(t)<100?lt.format(t):W.format(t)}var ct={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function q(t,e){let s={},r=0;for(let[a,o,d,f]of t){let p=new ct[o](e,r,d);Array.isArray(f)?f.forEach((u,b)=>{s[u]=Uint8Array.from(p,h=>h>>b&1)}):s[a]=f===1?p:Float32Array.from(p,u=>u/f),r+=p.byteLength}return s}var pt=500;function J(t,e,s){var f,p,u;let r=!0,a=0,o=b=>{if((b==null?void 0:b.kind)!=="frame")return;clearInterval(a);let{spec:h,buffer:w,...k}=b;s({...k,...q(h,w)}),t.send_msg({kind:"received",number:k.number})},d=()=>r&&t.send_msg({kind:"ready"});return t.on("msg:custom",o),(u=(p=(f=e==null?void 0:e.model)==null?void 0:f.document)==null?void 0:p.on_event)==null||u.call(p,"client_reconnected",d),d(),a=setInterval(d,pt),()=>{r=!1,clearInterval(a),t.off("msg:custom",o)}}function X(t,e,s){var r;(r=e.__streamlab_dispose)==null||r.call(e),e.__streamlab_dispose=s(),t.on("lifecycle:remove",()=>{var a;(a=e.__streamlab_dispose)==null||a.call(e),e.__streamlab_dispose=void 0})}var dt={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},ut={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var ft=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],Q=t=>[`--sl-text:${t.ink}`,...ft.map(e=>`--sl-${e}:${t[e]}`)].join(";"),Z=`.sl-view{${Q(dt)}}
.sl-view.sl-dark{${Q(ut)}}
`;var A='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Nt=`12px ${A}`,Pt=`600 12px ${A}`,Rt=`11px ${A}`;var tt=`${Z}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${A};
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
`;var bt=5e3,xt=8e3,ht="Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon as the connection is back. If it was stopped, the run is gone.",et="The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page to begin another.",gt=600,F={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},nt={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},mt=`${tt}
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
.sl-transport .sl-banner{overflow-wrap:anywhere}
.sl-transport .sl-banner[hidden],.sl-transport .sl-banner button[hidden]{display:none}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-row+.sl-track+.sl-muted{overflow-wrap:anywhere}
@media (max-width:520px){.sl-transport .sl-state{margin-left:0;align-items:flex-start;width:100%}.sl-transport .sl-wide{display:none}}
`;function wt(t){let e=document.createElementNS("http://www.w3.org/2000/svg","svg");e.setAttribute("viewBox","0 0 24 24"),e.setAttribute("aria-hidden","true");let s=document.createElementNS("http://www.w3.org/2000/svg","path");return s.setAttribute("d",nt[t]),e.append(s),e}function M(t,e,s,r){return l("button",{type:"button","aria-label":e,title:r,class:`sl-${t}`},[wt(t),...s?[l("span",{text:s,class:"sl-wide"})]:[]])}function vt(t,e){let s=M("play","Play","Play","Play or pause (Space)"),r=M("step","Step one instance","1 instance","One instance (right arrow)"),a=M("chunk","Step one chunk","1 chunk","One chunk (Page Down)"),o=M("restart","Start again","Restart","Start again from the first instance"),d=l("select",{"aria-label":"Speed"});e.rates.forEach(([i,c],x)=>d.append(l("option",{value:String(x),text:i})));let f=l("b",{text:F.loading}),p=l("span"),u=l("div",{class:"sl-fill"}),b=l("div",{class:"sl-marks","aria-hidden":"true"}),h=l("div",{class:"sl-track",role:"progressbar","aria-label":"Position in the stream","aria-valuemin":"0"},[u,b]),w=l("div",{class:"sl-muted"}),k=l("span",{role:"alert"}),z=l("button",{type:"button",class:"sl-reload",text:"Reload the page",hidden:!0});z.addEventListener("click",()=>window.location.reload());let O=l("div",{class:"sl-banner",hidden:!0},[k,z]),T=l("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),D=l("div",{class:"sl-view sl-transport",role:"group","aria-label":"Playback"},[l("div",{class:"sl-row"},[s,r,a,...e.restart?[o]:[],l("label",{},[l("span",{text:"Speed"}),d]),l("div",{class:"sl-state"},[f,p])]),h,w,O,T]);t.append(l("style",{text:mt}),D);for(let i of[s,r,a,o])i.disabled=!0;let n=null,g=null,S=0,I=0,L=0,H=0,N=performance.now(),v=(i,c,x)=>{i&&i.setAttribute("aria-busy","true"),e.onCommand(c,x)},j=()=>{n&&!s.disabled&&v(s,n.state==="playing"?"pause":"play")};s.addEventListener("click",j),r.addEventListener("click",()=>v(r,"step",1)),a.addEventListener("click",()=>v(a,"step",null)),o.addEventListener("click",()=>v(o,"restart")),d.addEventListener("change",()=>e.onCommand("rate",Number(d.value)));let B=i=>{let c=i.composedPath()[0];if(!(c instanceof Element&&c.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||i.ctrlKey||i.metaKey||i.altKey||i.defaultPrevented)){if(i.key===" ")j();else if(i.key==="ArrowRight"&&!r.disabled)v(r,"step",1);else if(i.key==="PageDown"&&!a.disabled)v(a,"step",null);else return;i.preventDefault()}};document.addEventListener("keydown",B);let rt=i=>{let c=performance.now();i===T.textContent||c-I<bt&&(n==null?void 0:n.state)==="playing"||(I=c,m(T,i))};function st(){let i=n.n_rows||n.position,c=`${i}|${n.marks.map(x=>x[0]+x[1]).join()}`;b.dataset.key!==c&&(b.dataset.key=c,b.replaceChildren(...i?n.marks.map(([x,y])=>l("i",{class:y==="drift"?"sl-drift":"",style:`left:${C(100*x/i,0,100)}%`})):[]))}function ot(i){var Y,V;let c=n==null?void 0:n.state;n=i,L+=1;let x=performance.now();x-N>1e3&&(H=1e3*L/(x-N),L=0,N=x);for(let R of[s,r,a,o])R.removeAttribute("aria-busy");let y=n.state==="playing",at=n.state==="finished"||n.state==="failed";c!==n.state&&(s.querySelector("path").setAttribute("d",nt[y?"pause":"play"]),s.setAttribute("aria-label",y?"Pause":"Play"),m(s.querySelector("span"),y?"Pause":"Play"),s.disabled=r.disabled=a.disabled=at,o.disabled=!1),document.activeElement!==d&&(d.value=String(n.rate_index)),m(f,(Y=F[n.state])!=null?Y:n.state);let U=n.n_rows?`${_(n.position)} of ${_(n.n_rows)} instances`:`${_(n.position)} instances`;m(p,y?`${G(n.speed)} instances/s`:U);let K=n.n_rows?n.position/n.n_rows:0;u.classList.toggle("sl-unknown",!n.n_rows&&n.position>0),u.style.width=n.n_rows?`${100*K}%`:"";let P=n.marks.filter(([R])=>R<=n.position),$=P.length?P[P.length-1]:null,it=$?` · ${$[2]} at ${_($[0])}`:"";m(w,`${U}${n.n_rows?` · ${(100*K).toFixed(0)} %`:""}${it}`),n.n_rows&&(h.setAttribute("aria-valuemax",String(n.n_rows)),h.setAttribute("aria-valuenow",String(n.position))),h.setAttribute("aria-valuetext",w.textContent),st(),E(),(c!==n.state||$)&&rt(`${(V=F[n.state])!=null?V:n.state}. ${w.textContent}`)}function E(){var c;let i=(c=g!=null?g:n==null?void 0:n.message)!=null?c:"";O.hidden=!i,z.hidden=g===null,m(k,i)}return{update:ot,setDark:i=>D.classList.toggle("sl-dark",i),setLost:()=>{clearTimeout(S),g=ht,E()},setBack:()=>{clearTimeout(S),S=setTimeout(()=>{g=et,E()},xt)},setFound:()=>{clearTimeout(S),g=null,E()},stats:()=>({frames_per_second:H,state:n==null?void 0:n.state,position:n==null?void 0:n.position}),destroy:()=>{clearTimeout(S),e.page&&g!==null&&kt(),document.removeEventListener("keydown",B),t.replaceChildren()}}}function yt(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),s=new URL(window.location.href).searchParams.get("theme"),r=s==="dark"||s!=="light"&&e.matches;r!==t.dark&&(t.dark=r);let a=()=>{let o=new URL(window.location.href);t.dark===e.matches?o.searchParams.delete("theme"):o.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",o)};return t.on("dark",a),()=>t.off("dark",a)}function kt(){let t=l("button",{type:"button",class:"sl-reload",text:"Reload the page"});t.addEventListener("click",()=>window.location.reload());let e=l("div",{class:"sl-gone",role:"alert"},[l("span",{text:et}),t]);e.style.cssText="position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere",t.style.cssText="margin-left:12px;padding:4px 12px;font:inherit",document.body.append(e)}function St(t){let e=()=>{let r=document.body.dataset.jpThemeLight;r!==void 0&&r==="false"!==t.dark&&(t.dark=r==="false")},s=new MutationObserver(e);return s.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),e(),()=>s.disconnect()}function Ut({model:t,el:e,view:s}){X(t,s,()=>{var f,p;let r=vt(e,{rates:t.rates,restart:t.restart,page:t.page,onCommand:(u,b=null)=>t.send_msg({kind:"command",name:u,value:b})});r.setDark(t.dark),t.on("dark",()=>r.setDark(t.dark));let a=null,o=s.model.document;(f=o==null?void 0:o.on_event)==null||f.call(o,"connection_lost",()=>r.setLost()),(p=o==null?void 0:o.on_event)==null||p.call(o,"client_reconnected",()=>{r.setBack(),t.send_msg({kind:"ready"})});let d=J(t,s,u=>{r.setFound(),r.update(u),a||(t.page&&(t.narrow=window.innerWidth<gt),a=t.page?yt(t):St(t))});return window.__streamlab_transport=r,()=>{a==null||a(),d(),r.destroy()}})}export{vt as createTransport,Ut as render};
