/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function i(t,n={},o=[]){let s=document.createElement(t);for(let[l,a]of Object.entries(n))l==="text"?s.textContent=a:a===!0?s.setAttribute(l,""):a!==!1&&a!=null&&s.setAttribute(l,a);return s.append(...o),s}function v(t,n){t.textContent!==n&&(t.textContent=n)}function H(t,n,o){return t<n?n:t>o?o:t}var Z=new Intl.NumberFormat("en",{maximumFractionDigits:0}),ht=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),Ct=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2});function S(t){return Z.format(t)}function tt(t){return Math.abs(t)<100?ht.format(t):Z.format(t)}var xt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function et(t,n){let o={},s=0;for(let[l,a,b,u]of t){let d=new xt[a](n,s,b);Array.isArray(u)?u.forEach((h,x)=>{o[h]=Uint8Array.from(d,k=>k>>x&1)}):o[l]=u===1?d:Float32Array.from(d,h=>h/u),s+=d.byteLength}return o}var gt=500;function nt(t,n,o){var u,d,h;let s=!0,l=0,a=x=>{if((x==null?void 0:x.kind)!=="frame")return;clearInterval(l);let{spec:k,buffer:y,..._}=x;o({..._,...et(k,y)}),t.send_msg({kind:"received",number:_.number})},b=()=>s&&t.send_msg({kind:"ready"});return t.on("msg:custom",a),(h=(d=(u=n==null?void 0:n.model)==null?void 0:u.document)==null?void 0:d.on_event)==null||h.call(d,"client_reconnected",b),b(),l=setInterval(b,gt),()=>{s=!1,clearInterval(l),t.off("msg:custom",a)}}function rt(t,n,o){var s;(s=n.__streamlab_dispose)==null||s.call(n),n.__streamlab_dispose=o(),t.on("lifecycle:remove",()=>{var l;(l=n.__streamlab_dispose)==null||l.call(n),n.__streamlab_dispose=void 0})}var mt={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},wt={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var vt=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],st=t=>[`--sl-text:${t.ink}`,...vt.map(n=>`--sl-${n}:${t[n]}`)].join(";"),ot=`.sl-view{${st(mt)}}
.sl-view.sl-dark{${st(wt)}}
`;var L='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Bt=`12px ${L}`,Ut=`600 12px ${L}`,Yt=`11px ${L}`;var at=`${ot}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${L};
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
`;var kt=5e3,yt=8e3,St="Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon as the connection is back. If it was stopped, the run is gone.",it="The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page to begin another.",_t=600,Et=60,At=500,$t=[[0,"off"],[200,"last 200 rows"],[1e3,"last 1,000 rows"],[5e3,"last 5,000 rows"]],j={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},lt={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",live:"M4 5v14l9-7zM14 5v14l7-7z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},Mt=`${at}
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
.sl-transport .sl-time{position:relative;height:24px;display:flex;align-items:center}
.sl-transport .sl-time input{position:absolute;inset:0;width:100%;height:24px;margin:0;background:none;-webkit-appearance:none;appearance:none;
  cursor:pointer}
.sl-transport .sl-time input:disabled{cursor:default}
.sl-transport .sl-time input::-webkit-slider-runnable-track{height:24px;background:none}
.sl-transport .sl-time input::-webkit-slider-thumb{-webkit-appearance:none;width:18px;height:18px;margin-top:3px;border-radius:9px;
  background:var(--sl-paper);border:3px solid var(--sl-accent)}
.sl-transport .sl-time input::-moz-range-thumb{width:12px;height:12px;border-radius:9px;background:var(--sl-paper);border:3px solid var(--sl-accent)}
.sl-transport .sl-time input:disabled::-webkit-slider-thumb{opacity:0}
.sl-transport .sl-time input:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:8px}
.sl-transport .sl-went{position:absolute;left:0;top:0;bottom:0;border-radius:5px;background:var(--sl-accent);opacity:.3;width:0}
.sl-transport .sl-live[hidden]{display:none}
.sl-transport .sl-track{position:relative;width:100%;height:10px;border-radius:5px;background:var(--sl-track);border:1px solid var(--sl-line)}
.sl-transport .sl-fill{position:absolute;left:0;top:0;bottom:0;border-radius:5px;background:var(--sl-accent);width:0}
.sl-transport .sl-marks{position:absolute;inset:-4px 0}
.sl-transport .sl-marks i{position:absolute;top:0;bottom:0;width:2px;margin-left:-1px;background:var(--sl-text)}
.sl-transport .sl-marks i.sl-drift{background:none;border-left:2px dashed var(--sl-down)}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text)}
.sl-transport .sl-banner{overflow-wrap:anywhere}
.sl-transport .sl-banner[hidden],.sl-transport .sl-banner button[hidden]{display:none}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-time+.sl-muted{overflow-wrap:anywhere}
@media (max-width:520px){.sl-transport .sl-state{margin-left:0;align-items:flex-start;width:100%}.sl-transport .sl-wide{display:none}}
`;function Lt(t){let n=document.createElementNS("http://www.w3.org/2000/svg","svg");n.setAttribute("viewBox","0 0 24 24"),n.setAttribute("aria-hidden","true");let o=document.createElementNS("http://www.w3.org/2000/svg","path");return o.setAttribute("d",lt[t]),n.append(o),n}function T(t,n,o,s){return i("button",{type:"button","aria-label":n,title:s,class:`sl-${t}`},[Lt(t),...o?[i("span",{text:o,class:"sl-wide"})]:[]])}function Tt(t,n){let o=T("play","Play","Play","Play or pause (Space)"),s=T("step","Step one instance","1 instance","One instance (right arrow)"),l=T("chunk","Step one chunk","1 chunk","One chunk (Page Down)"),a=T("restart","Start again","Restart","Start again from the first instance"),b=T("live","Back to the newest row","Live","Go on where the run ends (L)");b.hidden=!0;let u=i("select",{"aria-label":"Play rows again and again"});for(let[r,c]of $t)u.append(i("option",{value:String(r),text:c}));let d=i("select",{"aria-label":"Speed"});n.rates.forEach(([r,c],p)=>d.append(i("option",{value:String(p),text:r})));let h=i("b",{text:j.loading}),x=i("span"),k=i("div",{class:"sl-fill"}),y=i("div",{class:"sl-marks","aria-hidden":"true"}),_=i("div",{class:"sl-went"}),f=i("input",{type:"range",min:"0",max:"1",value:"0",step:"1","aria-label":"Position in the stream: go back in time"});f.disabled=!0;let ct=i("div",{class:"sl-time"},[i("div",{class:"sl-track"},[_,k,y]),f]),z=i("div",{class:"sl-muted"}),B=i("span",{role:"alert"}),C=i("button",{type:"button",class:"sl-reload",text:"Reload the page",hidden:!0});C.addEventListener("click",()=>window.location.reload());let U=i("div",{class:"sl-banner",hidden:!0},[B,C]),O=i("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),Y=i("div",{class:"sl-view sl-transport",role:"group","aria-label":"Playback"},[i("div",{class:"sl-row"},[o,s,l,b,...n.restart?[a]:[],i("label",{},[i("span",{text:"Speed"}),d]),i("label",{},[i("span",{text:"Loop"}),u]),i("div",{class:"sl-state"},[h,x])]),ct,z,U,O]);t.append(i("style",{text:Mt}),Y);for(let r of[o,s,l,a])r.disabled=!0;let e=null,m=null,E=0,V=0,F=0,K=0,D=performance.now(),w=(r,c,p)=>{r&&r.setAttribute("aria-busy","true"),n.onCommand(c,p)},G=()=>{e&&!o.disabled&&w(o,e.state==="playing"?"pause":"play")};o.addEventListener("click",G),s.addEventListener("click",()=>w(s,"step",1)),l.addEventListener("click",()=>w(l,"step",null)),a.addEventListener("click",()=>w(a,"restart")),d.addEventListener("change",()=>n.onCommand("rate",Number(d.value))),b.addEventListener("click",()=>w(b,"live")),u.addEventListener("change",()=>n.onCommand("loop",Number(u.value)));let A=!1,W=0,N=0,q=0,dt=()=>{clearTimeout(N),W=performance.now(),n.onCommand("drag",Number(f.value))};f.addEventListener("input",()=>{e&&(A=!0,Number(f.value)>e.end&&(f.value=String(e.end)),Q(Number(f.value)),clearTimeout(N),N=setTimeout(dt,Math.max(0,Et-(performance.now()-W))))}),f.addEventListener("change",()=>{var r;clearTimeout(N),n.onCommand("seek",Math.min(Number(f.value),(r=e==null?void 0:e.end)!=null?r:0)),A=!1});let J=r=>{let c=r.composedPath()[0];if(!(c instanceof Element&&c.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||r.ctrlKey||r.metaKey||r.altKey||r.defaultPrevented)){if(r.key===" ")G();else if(r.key==="ArrowRight"&&!s.disabled)w(s,"step",1);else if(r.key==="PageDown"&&!l.disabled)w(l,"step",null);else if((r.key==="l"||r.key==="L")&&!b.hidden)w(b,"live");else return;r.preventDefault()}};document.addEventListener("keydown",J);let pt=r=>{let c=performance.now();r===O.textContent||c-V<kt&&(e==null?void 0:e.state)==="playing"||(V=c,v(O,r))};function ut(){let r=e.n_rows||e.position,c=`${r}|${e.marks.map(p=>p[0]+p[1]).join()}`;y.dataset.key!==c&&(y.dataset.key=c,y.replaceChildren(...r?e.marks.map(([p,g])=>i("i",{class:g==="drift"?"sl-drift":"",style:`left:${H(100*p/r,0,100)}%`})):[]))}function ft(r){var M,R;let c=e==null?void 0:e.state;e=r,F+=1;let p=performance.now();p-D>1e3&&(K=1e3*F/(p-D),F=0,D=p);for(let bt of[o,s,l,a])bt.removeAttribute("aria-busy");let g=e.state==="playing",I=e.state==="finished"||e.state==="failed";c!==e.state&&(o.querySelector("path").setAttribute("d",lt[g?"pause":"play"]),o.setAttribute("aria-label",g?"Pause":"Play"),v(o.querySelector("span"),g?"Pause":"Play"),o.disabled=s.disabled=l.disabled=I,u.disabled=e.state==="failed",a.disabled=!1),document.activeElement!==d&&(d.value=String(e.rate_index)),v(h,(M=j[e.state])!=null?M:e.state);let $=e.n_rows||Math.max(e.end,1);b.hidden=e.live,f.disabled!==(e.end===0)&&(f.disabled=e.end===0),f.max!==String($)&&(f.max=String($)),!A&&f.value!==String(e.position)&&(f.value=String(e.position)),_.style.width=`${100*e.end/$}%`,A||Q(e.position),v(x,g?`${tt(e.speed)} instances/s`:X(e.position)),ut(),P(),pt(`${(R=j[e.state])!=null?R:e.state}. ${z.textContent}`)}let X=r=>e.n_rows?`${S(r)} of ${S(e.n_rows)} instances`:`${S(r)} instances`;function Q(r){let c=e.n_rows||Math.max(e.end,1);k.style.width=`${100*r/c}%`;let p=e.marks.filter(([R])=>R<=r),g=p.length?p[p.length-1]:null,I=g?` · ${g[2]} at ${S(g[0])}`:"",$=r<e.end?` · looking back; the run has come to ${S(e.end)}`:"";v(z,`${X(r)}${e.n_rows?` · ${(100*r/c).toFixed(0)} %`:""}${$}${I}`);let M=performance.now();(e.state!=="playing"||A||M-q>At)&&(q=M,f.setAttribute("aria-valuetext",z.textContent))}function P(){var c;let r=(c=m!=null?m:e==null?void 0:e.message)!=null?c:"";U.hidden=!r,C.hidden=m===null,v(B,r)}return{update:ft,setDark:r=>Y.classList.toggle("sl-dark",r),setLost:()=>{clearTimeout(E),m=St,P()},setBack:()=>{clearTimeout(E),E=setTimeout(()=>{m=it,P()},yt)},setFound:()=>{clearTimeout(E),m=null,P()},stats:()=>({frames_per_second:K,state:e==null?void 0:e.state,position:e==null?void 0:e.position}),destroy:()=>{clearTimeout(E),n.page&&m!==null&&Nt(),document.removeEventListener("keydown",J),t.replaceChildren()}}}function zt(t){let n=window.matchMedia("(prefers-color-scheme: dark)"),o=new URL(window.location.href).searchParams.get("theme"),s=o==="dark"||o!=="light"&&n.matches;s!==t.dark&&(t.dark=s);let l=()=>{let a=new URL(window.location.href);t.dark===n.matches?a.searchParams.delete("theme"):a.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",a)};return t.on("dark",l),()=>t.off("dark",l)}function Nt(){let t=i("button",{type:"button",class:"sl-reload",text:"Reload the page"});t.addEventListener("click",()=>window.location.reload());let n=i("div",{class:"sl-gone",role:"alert"},[i("span",{text:it}),t]);n.style.cssText="position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere",t.style.cssText="margin-left:12px;padding:4px 12px;font:inherit",document.body.append(n)}function Pt(t){let n=()=>{let s=document.body.dataset.jpThemeLight;s!==void 0&&s==="false"!==t.dark&&(t.dark=s==="false")},o=new MutationObserver(n);return o.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),n(),()=>o.disconnect()}function Zt({model:t,el:n,view:o}){rt(t,o,()=>{var u,d;let s=Tt(n,{rates:t.rates,restart:t.restart,page:t.page,onCommand:(h,x=null)=>t.send_msg({kind:"command",name:h,value:x})});s.setDark(t.dark),t.on("dark",()=>s.setDark(t.dark));let l=null,a=o.model.document;(u=a==null?void 0:a.on_event)==null||u.call(a,"connection_lost",()=>s.setLost()),(d=a==null?void 0:a.on_event)==null||d.call(a,"client_reconnected",()=>{s.setBack(),t.send_msg({kind:"ready"})});let b=nt(t,o,h=>{s.setFound(),s.update(h),l||(t.page&&(t.narrow=window.innerWidth<_t),l=t.page?zt(t):Pt(t))});return window.__streamlab_transport=s,()=>{l==null||l(),b(),s.destroy()}})}export{Tt as createTransport,Zt as render};
