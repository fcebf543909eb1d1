/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function ut(){let t=new URL(window.location.href).searchParams.get("theme");return t==="dark"||t!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function G(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),r=ut();r!==t.dark&&(t.dark=r);let s=()=>{let n=new URL(window.location.href);t.dark===e.matches?n.searchParams.delete("theme"):n.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",n)};return t.on("dark",s),()=>t.off("dark",s)}function T(t){let e=new URL(window.location.href),r=e.searchParams.get("theme");e.search=t,r&&e.searchParams.set("theme",r),e.href!==window.location.href&&window.history.replaceState(null,"",e)}function p(t,e={},r=[]){let s=document.createElement(t);for(let[n,l]of Object.entries(e))n==="text"?s.textContent=l:l===!0?s.setAttribute(n,""):l!==!1&&l!=null&&s.setAttribute(n,l);return s.append(...r),s}var ht="http://www.w3.org/2000/svg";function I(t,e={},r=[]){let s=document.createElementNS(ht,t);for(let[n,l]of Object.entries(e))s.setAttribute(n,l);return s.append(...r),s}function k(t,e){t.textContent!==e&&(t.textContent=e)}var ft=new Intl.NumberFormat("en",{maximumFractionDigits:0}),xt=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),Ft=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),W=t=>t.replace("-","−");function S(t){return W(ft.format(t))}function J(t){return Math.abs(t)<100?W(xt.format(t)):S(t)}var gt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function X(t,e){let r={},s=0;for(let[n,l,c,i]of t){let d=new gt[l](e,s,c);Array.isArray(i)?i.forEach((u,m)=>{r[u]=Uint8Array.from(d,x=>x>>m&1)}):r[n]=i===1?d:Float32Array.from(d,u=>u/i),s+=d.byteLength}return r}var mt=500;function Z(t,e,r){var d,u,m,x,g,E;let s=!0,n=0,l=f=>{if(((f==null?void 0:f.kind)==="frame"||(f==null?void 0:f.kind)==="heard")&&clearInterval(n),(f==null?void 0:f.kind)!=="frame")return;let{spec:$,buffer:_,...O}=f;r({...O,...X($,_)}),t.send_msg({kind:"received",number:O.number})},c=()=>t.send_msg({kind:"ready"});t.on("msg:custom",l);let i=()=>{clearInterval(n),s&&(c(),n=setInterval(c,mt))};return(m=(u=(d=e==null?void 0:e.model)==null?void 0:d.document)==null?void 0:u.on_event)==null||m.call(u,"client_reconnected",i),(E=(g=(x=e==null?void 0:e.model)==null?void 0:x.document)==null?void 0:g.on_event)==null||E.call(g,"connection_lost",()=>clearInterval(n)),i(),()=>{s=!1,clearInterval(n),t.off("msg:custom",l)}}function bt(t){var e,r,s,n;for(let l of(r=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?r:[])(n=(s=t.document)==null?void 0:s._new_models)==null||n.delete(l)}function Q(t,e,r){var s;bt(e.model),(s=e.__streamlab_dispose)==null||s.call(e),e.__streamlab_dispose=r(),t.on("lifecycle:remove",()=>{var n;(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=void 0})}var tt="streamlab.recent";function wt(){var t;try{let e=JSON.parse((t=window.localStorage.getItem(tt))!=null?t:"[]");return Array.isArray(e)?e:[]}catch{return[]}}var P=class{constructor(){this.id=`${Date.now()} ${Math.random()}`,this.due=0}keep(e,r,s){if(!e||performance.now()<this.due&&!s)return;this.due=performance.now()+2e3;let n=new URL(window.location.href);n.searchParams.delete("theme"),n.searchParams.has("lesson")||n.searchParams.set("at",String(r));let l=n.pathname.slice(n.pathname.lastIndexOf("/")+1),c={id:this.id,page:l,query:n.search.slice(1),about:e,position:r,at:Date.now()},i=wt().filter(d=>(d==null?void 0:d.id)!==this.id);try{window.localStorage.setItem(tt,JSON.stringify([c,...i].slice(0,6)))}catch{}}};var et="(min-width:1100px) and (min-height:620px)";var yt={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},vt={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var kt=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],st=t=>[`--sl-text:${t.ink}`,...kt.map(e=>`--sl-${e}:${t[e]}`)].join(";"),nt=`.sl-view{${st(yt)}}
.sl-view.sl-dark{${st(vt)}}
`;var L='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Wt=`12px ${L}`,Jt=`600 12px ${L}`,Xt=`11px ${L}`;var rt=`${nt}
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
`;var St=5e3,Et=8e3,_t="Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon as the connection is back. If it was stopped, the run is gone.",ot="The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page to begin another.",At=20,Lt=[[0,"No loop"],[200,"Loop: last 200 rows"],[1e3,"Loop: last 1,000 rows"],[5e3,"Loop: last 5,000 rows"]],j={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},at={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",live:"M4 5v14l9-7zM14 5v14l7-7z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},Mt=`${rt}
.sl-transport{--sl-tall:32px;container:sl-transport/inline-size;display:flex;flex-direction:column;gap:6px}
.sl-transport .sl-row{display:flex;flex-wrap:wrap;align-items:center;gap:8px 10px}
.sl-transport button{display:inline-flex;align-items:center;justify-content:center;gap:6px;height:var(--sl-tall);min-width:var(--sl-tall);padding:0 6px;
  border:1px solid var(--sl-line);border-radius:22px;background:transparent;color:var(--sl-text);font:inherit;cursor:pointer}
.sl-transport button:hover:not(:disabled){background:var(--sl-track)}
.sl-transport button:disabled{opacity:.45;cursor:default}
.sl-transport button[aria-busy=true]{border-style:dashed}
.sl-transport button svg{width:18px;height:18px;fill:currentColor;flex:none}
.sl-transport .sl-play{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);padding:0 16px 0 10px;font-weight:600;min-width:94px}
.sl-transport .sl-play:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.1)}
.sl-transport select{height:var(--sl-tall);padding:0 10px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit}
.sl-transport select:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-transport .sl-state{display:flex;gap:8px;align-items:baseline;font-size:12px;color:var(--sl-muted);white-space:nowrap}
.sl-transport .sl-state b{color:var(--sl-text);font-weight:600}
.sl-transport .sl-live[hidden]{display:none}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text)}
.sl-transport .sl-banner{overflow-wrap:anywhere}
.sl-transport .sl-banner[hidden],.sl-transport .sl-banner button[hidden]{display:none}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-place{flex:1 1 auto;display:flex;white-space:nowrap}
.sl-transport .sl-besides{flex:1 1 0;min-width:0;contain:inline-size;display:flex;flex-wrap:wrap;height:1.45em;overflow:hidden}
.sl-transport .sl-besides::before{content:"";width:1px;height:1.45em}
.sl-transport .sl-besides span{white-space:pre}
.sl-transport button:not(.sl-play,.sl-live) .sl-wide{display:none}
@container page (min-width:1060px){.sl-transport .sl-row{flex-wrap:nowrap;margin-right:492px}.sl-transport .sl-row select{max-width:152px}
  .sl-transport .sl-row .sl-loop{width:98px}
  @container sl-transport (max-width:1030px){.sl-transport .sl-row .sl-loop{display:none}}}
.sl-transport .sl-keys{display:none}
@media (pointer:coarse){.sl-transport{--sl-tall:44px}}
@media not all and ${et}{.sl-docked{width:calc(100% + 32px);margin-left:-16px;gap:4px;padding:8px 12px 6px;background:var(--sl-paper);
    border-top:1px solid var(--sl-line);box-shadow:0 -4px 12px rgb(0 0 0/.12)}}
@media (max-width:1099px) and (max-height:619px){.sl-docked .sl-loop{display:none}}
@media (max-width:520px){.sl-transport{--sl-tall:44px}.sl-transport .sl-place{flex-basis:100%}
  .sl-transport .sl-row{gap:6px 8px}.sl-transport .sl-state{margin-left:0;flex-direction:row;gap:8px;align-items:baseline;width:100%}
  .sl-transport .sl-wide,.sl-transport .sl-loop,.sl-transport:not(.sl-playing) .sl-state span{display:none}
  .sl-transport .sl-play{min-width:56px;padding:0 12px}.sl-transport select{padding:0 4px;max-width:124px}}
@container style(--sl-projected:1){.sl-transport .sl-row>:is(button:not(.sl-play),select,.sl-state){display:none}
  .sl-transport{--sl-tall:32px}.sl-docked{width:100%;margin:0;padding:0;border:0;box-shadow:none;background:none}
  .sl-transport .sl-row{flex-wrap:nowrap;margin:0}.sl-transport .sl-keys{display:inline;font-size:12px}
  .sl-transport .sl-place{flex-basis:auto;font-size:13px}
  .sl-transport .sl-play{min-width:94px;padding:0 16px 0 10px}.sl-transport .sl-play .sl-wide{display:inline}}
`,$t=t=>I("svg",{viewBox:"0 0 24 24","aria-hidden":"true"},[I("path",{d:at[t]})]);function M(t,e,r,s){return p("button",{type:"button","aria-label":e,title:s,class:`sl-${t}`},[$t(t),...r?[p("span",{text:r,class:"sl-wide"})]:[]])}function Ot(t,e){let r=M("play","Play","Play","Play or pause (Space)"),s=M("step","Step one instance","One instance","One instance (right arrow)"),n=M("chunk","Step one chunk","One chunk","One chunk (Page Down)"),l=M("restart","Start again","Start again","Start again from the first instance"),c=M("live","Back to the newest row","Live","Go on where the run ends (L)");c.hidden=!0;let i=p("select",{class:"sl-loop","aria-label":"Play rows again and again"});for(let[a,h]of Lt)i.append(p("option",{value:String(a),text:h}));let d=p("select",{"aria-label":"Speed"});e.rates.forEach(([a,h],b)=>d.append(p("option",{value:String(b),text:a})));let u=p("b",{text:j.loading}),m=p("span"),x=p("span"),g=[p("span"),p("span"),p("span")],E=p("span",{class:"sl-besides"},g),f=p("div",{class:"sl-muted sl-place"},[x,E]),$=p("span",{role:"alert"}),_=p("button",{type:"button",class:"sl-reload",text:"Reload the page",hidden:!0});_.addEventListener("click",()=>window.location.reload());let O=p("span",{class:"sl-muted sl-keys","aria-hidden":"true",text:"← → steps · Space plays · Esc leaves"}),H=p("div",{class:"sl-banner",hidden:!0},[$,_]),C=p("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),R=p("div",{class:`sl-view sl-transport${e.page?" sl-docked":""}`,role:"group","aria-label":"Playback"},[H,p("div",{class:"sl-row"},[r,s,n,c,...e.restart?[l]:[],d,i,f,p("div",{class:"sl-state"},[u,m]),O]),C]);t.append(p("style",{text:Mt}),R);for(let a of[r,s,n,l])a.disabled=!0;let o=null,w=null,A=0,B=0,N=0,V=0,F=performance.now(),y=(a,h,b)=>{a&&a.setAttribute("aria-busy","true"),e.onCommand(h,b)},Y=()=>{o&&!r.disabled&&y(r,o.state==="playing"?"pause":"play")};r.addEventListener("click",Y),s.addEventListener("click",()=>y(s,"step",1)),n.addEventListener("click",()=>y(n,"step",null)),l.addEventListener("click",()=>y(l,"restart")),d.addEventListener("change",()=>e.onCommand("rate",Number(d.value))),c.addEventListener("click",()=>y(c,"live")),i.addEventListener("change",()=>e.onCommand("loop",Number(i.value)));let U=a=>{let h=a.composedPath()[0];if(!(h instanceof Element&&h.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)){if(a.key===" ")Y();else if(a.key==="ArrowRight"&&!s.disabled)y(s,"step",1);else if(a.key==="PageDown"&&!n.disabled)y(n,"step",null);else if((a.key==="l"||a.key==="L")&&!c.hidden)y(c,"live");else return;a.preventDefault()}};document.addEventListener("keydown",U);let lt=a=>{let h=performance.now();a===C.textContent||h-B<St&&(o==null?void 0:o.state)==="playing"||(B=h,k(C,a))};function it(a){var q,K;let h=o==null?void 0:o.state;o=a,N+=1;let b=performance.now();b-F>1e3&&(V=1e3*N/(b-F),N=0,F=b);for(let dt of[r,s,n,l])dt.removeAttribute("aria-busy");let v=o.state==="playing",D=o.state==="finished"||o.state==="failed";h!==o.state&&(r.querySelector("path").setAttribute("d",at[v?"pause":"play"]),r.setAttribute("aria-label",v?"Pause":"Play"),k(r.querySelector("span"),v?"Pause":"Play"),R.classList.toggle("sl-playing",v),r.disabled=o.state==="failed",s.disabled=n.disabled=D,i.disabled=o.state==="failed",l.disabled=!1),document.activeElement!==d&&(d.value=String(o.rate_index)),k(u,(q=j[o.state])!=null?q:o.state),u.classList.toggle("sl-hidden",v||o.state==="paused"),c.hidden=o.live,ct(o.position),k(m,v?`${J(o.speed)} rows/s`:""),z(),lt(`${(K=j[o.state])!=null?K:o.state}. ${f.textContent}`)}let pt=a=>o.n_rows?`${S(a)} of ${S(o.n_rows)} rows`:`${S(a)} rows`;function ct(a){let h=o.mark?` · ${o.mark[1]} at ${S(o.mark[0])}`:"",b=a<o.end?` · looking back; the run has come to ${S(o.end)}`:"";k(x,`${pt(a)}${o.n_rows?` · ${(100*a/o.n_rows).toFixed(0)} %`:""}`),[b,o.pace?` · ${o.pace}`:"",h].forEach((v,D)=>k(g[D],v))}function z(){var h;let a=(h=w!=null?w:o==null?void 0:o.message)!=null?h:"";H.hidden=!a,_.hidden=w===null,k($,a)}return{update:it,setDark:a=>R.classList.toggle("sl-dark",a),setLost:()=>{clearTimeout(A),w=_t,z()},setBack:()=>{clearTimeout(A),A=setTimeout(()=>{w=ot,z()},Et)},setFound:()=>{clearTimeout(A),w=null,z()},stats:()=>({frames_per_second:V,state:o==null?void 0:o.state,position:o==null?void 0:o.position,isLost:w!==null}),destroy:()=>{clearTimeout(A),e.page&&w!==null&&zt(),document.removeEventListener("keydown",U),t.replaceChildren()}}}function zt(){if(document.querySelector(".sl-gone"))return;let t=p("button",{type:"button",class:"sl-reload",text:"Reload the page"});t.addEventListener("click",()=>window.location.reload());let e=p("div",{class:"sl-gone",role:"alert"},[p("span",{text:ot}),t]);e.style.cssText="position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere",t.style.cssText="margin-left:12px;padding:4px 12px;font:inherit",document.body.append(e)}function Tt(t,e){let r=(l,c)=>{document.cookie=`streamlab_left=${l};path=/;max-age=${c};samesite=strict`};r("",0);let s=l=>{let{position:c,state:i,isLost:d}=e.stats();t.own&&c&&!d&&l.preventDefault();let u=c+(i==="finished");t.way!==""&&T(`${t.way}&at=${u}`.replace(/^&/,"")),r(`${window.__streamlab_afresh?".":""}${t.secret}:${u}`,At)},n=l=>l.persisted&&window.location.reload();return window.addEventListener("beforeunload",s),window.addEventListener("pageshow",n),()=>{window.removeEventListener("beforeunload",s),window.removeEventListener("pageshow",n)}}function Pt(t){let e=()=>{let s=document.body.dataset.jpThemeLight;s!==void 0&&s==="false"!==t.dark&&(t.dark=s==="false")},r=new MutationObserver(e);return r.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),e(),()=>r.disconnect()}function Ct(t){document.activeElement&&document.activeElement!==document.body||(t.tabIndex=-1,t.focus({preventScroll:!0}),t.blur(),t.removeAttribute("tabindex"))}function pe({model:t,el:e,view:r}){Q(t,r,()=>{var u,m;let s=Ot(e,{rates:t.rates,restart:t.restart,page:t.page,onCommand:(x,g=null)=>t.send_msg({kind:"command",name:x,value:g})});s.setDark(t.dark),t.on("dark",()=>s.setDark(t.dark));let n=null,l=new P,c=!1,i=r.model.document;(u=i==null?void 0:i.on_event)==null||u.call(i,"connection_lost",()=>s.setLost()),(m=i==null?void 0:i.on_event)==null||m.call(i,"client_reconnected",()=>s.setBack());let d=Z(t,r,x=>{var g;if(s.setFound(),s.update(x),c||=x.state==="playing",t.page&&c&&l.keep(t.about,x.position,x.state!=="playing"),!n){t.page&&(T(t.query),t.on("query",()=>T(t.query)),Ct((g=e.querySelector(".sl-transport"))!=null?g:e),window.dispatchEvent(new CustomEvent("streamlab:run",{detail:{play:e.querySelector(".sl-play")}})));let E=t.page?[G(t),Tt(t,s)]:[Pt(t)];n=()=>E.forEach(f=>f())}});return window.__streamlab_transport=s,()=>{n==null||n(),d(),s.destroy()}})}export{Ot as createTransport,pe as render};
