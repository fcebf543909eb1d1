/*! streamlab transport, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function xe(){let e=new URL(window.location.href).searchParams.get("theme");return e==="dark"||e!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function J(e){let t=window.matchMedia("(prefers-color-scheme: dark)"),r=xe();r!==e.dark&&(e.dark=r);let s=()=>{let o=new URL(window.location.href);e.dark===t.matches?o.searchParams.delete("theme"):o.searchParams.set("theme",e.dark?"dark":"light"),window.history.replaceState(null,"",o)};return e.on("dark",s),()=>e.off("dark",s)}function C(e){let t=new URL(window.location.href),r=t.searchParams.get("theme");t.search=e,r&&t.searchParams.set("theme",r),t.href!==window.location.href&&window.history.replaceState(null,"",t)}function i(e,t={},r=[]){let s=document.createElement(e);for(let[o,l]of Object.entries(t))o==="text"?s.textContent=l:l===!0?s.setAttribute(o,""):l!==!1&&l!=null&&s.setAttribute(o,l);return s.append(...r),s}var fe="http://www.w3.org/2000/svg";function D(e,t={},r=[]){let s=document.createElementNS(fe,e);for(let[o,l]of Object.entries(t))s.setAttribute(o,l);return s.append(...r),s}function v(e,t){e.textContent!==t&&(e.textContent=t)}var ge=new Intl.NumberFormat("en",{maximumFractionDigits:0}),be=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),je=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),X=e=>e.replace("-","−");function S(e){return X(ge.format(e))}function V(e){return Math.abs(e)<100?X(be.format(e)):S(e)}var me={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function Z(e,t){let r={},s=0;for(let[o,l,c,p]of e){let d=new me[l](t,s,c);Array.isArray(p)?p.forEach((h,b)=>{r[h]=Uint8Array.from(d,f=>f>>b&1)}):r[o]=p===1?d:Float32Array.from(d,h=>h/p),s+=d.byteLength}return r}var we=500;function Q(e,t,r){var d,h,b,f,g,E;let s=!0,o=0,l=x=>{if(((x==null?void 0:x.kind)==="frame"||(x==null?void 0:x.kind)==="heard")&&clearInterval(o),(x==null?void 0:x.kind)!=="frame")return;let{spec:M,buffer:z,...$}=x;r({...$,...Z(M,z)}),e.send_msg({kind:"received",number:$.number})},c=()=>e.send_msg({kind:"ready"});e.on("msg:custom",l);let p=()=>{clearInterval(o),s&&(c(),o=setInterval(c,we))};return(b=(h=(d=t==null?void 0:t.model)==null?void 0:d.document)==null?void 0:h.on_event)==null||b.call(h,"client_reconnected",p),(E=(g=(f=t==null?void 0:t.model)==null?void 0:f.document)==null?void 0:g.on_event)==null||E.call(g,"connection_lost",()=>clearInterval(o)),p(),()=>{s=!1,clearInterval(o),e.off("msg:custom",l)}}function ve(e){var t,r,s,o;for(let l of(r=(t=e==null?void 0:e.references)==null?void 0:t.call(e))!=null?r:[])(o=(s=e.document)==null?void 0:s._new_models)==null||o.delete(l)}function ee(e,t,r){var s;ve(t.model),(s=t.__streamlab_dispose)==null||s.call(t),t.__streamlab_dispose=r(),e.on("lifecycle:remove",()=>{var o;(o=t.__streamlab_dispose)==null||o.call(t),t.__streamlab_dispose=void 0})}var te="streamlab.recent";function ye(){var e;try{let t=JSON.parse((e=window.localStorage.getItem(te))!=null?e:"[]");return Array.isArray(t)?t:[]}catch{return[]}}var T=class{constructor(){this.id=`${Date.now()} ${Math.random()}`,this.due=0}keep(t,r,s){if(!t||performance.now()<this.due&&!s)return;this.due=performance.now()+2e3;let o=new URL(window.location.href);o.searchParams.delete("theme"),o.searchParams.has("lesson")||o.searchParams.set("at",String(r));let l=o.pathname.slice(o.pathname.lastIndexOf("/")+1),c={id:this.id,page:l,query:o.search.slice(1),about:t,position:r,at:Date.now()},p=ye().filter(d=>(d==null?void 0:d.id)!==this.id);try{window.localStorage.setItem(te,JSON.stringify([c,...p].slice(0,6)))}catch{}}};var se="(min-width:1100px) and (min-height:620px)";var ke={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#8b939f",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},Se={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Ee=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],oe=e=>[`--sl-text:${e.ink}`,...Ee.map(t=>`--sl-${t}:${e[t]}`)].join(";"),re=`.sl-view{${oe(ke)}}
.sl-view.sl-dark{${oe(Se)}}
`;var L='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',Xe=`12px ${L}`,Ze=`600 12px ${L}`,Qe=`11px ${L}`;var ne=`${re}
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
`;var ae=`
.sl-overview{position:relative;height:36px;margin:8px var(--right) 6px var(--left);border-radius:8px;background:var(--sl-track);box-shadow:inset 0 0 0 1px var(--sl-line);
  touch-action:none}
.sl-small-curves{position:absolute;inset:0;display:block;overflow:hidden}
.sl-small-curves .sl-drift{stroke:var(--sl-text);stroke-width:1;stroke-dasharray:3 2}
.sl-overview .sl-went{position:absolute;left:0;bottom:0;height:3px;border-radius:2px;background:var(--sl-accent);opacity:.5;pointer-events:none}
.sl-window{position:absolute;top:0;bottom:0;display:none;border-radius:8px;background:color-mix(in srgb,var(--sl-accent) 14%,transparent);
  box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--sl-accent) 45%,transparent);pointer-events:none}
.sl-part .sl-window{display:block}
.sl-overview input{position:absolute;inset:0;width:100%;height:36px;margin:0;background:none;-webkit-appearance:none;appearance:none;cursor:ew-resize}
.sl-overview input:disabled{cursor:default}
.sl-overview input::-webkit-slider-runnable-track{height:36px;background:none}
.sl-overview input::-webkit-slider-thumb{-webkit-appearance:none;width:2px;height:36px;opacity:0}
.sl-overview input::-moz-range-thumb{width:2px;height:36px;border:0;opacity:0}
.sl-overview input:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:8px}
.sl-head{position:absolute;left:-7px;top:-4px;width:14px;height:44px;pointer-events:none}
.sl-head::before{content:"";position:absolute;left:6px;top:4px;bottom:4px;width:2px;background:var(--sl-accent)}
.sl-head::after{content:"";position:absolute;left:0;top:0;width:14px;height:16px;border-radius:4px 4px 7px 7px;background:var(--sl-accent);
  border:2px solid var(--sl-card)}
.sl-grip{position:absolute;display:none;top:0;bottom:0;width:8px;cursor:col-resize;touch-action:none}
.sl-part .sl-grip{display:block}
.sl-grip::after{content:"";position:absolute;left:3px;top:10px;bottom:10px;width:2px;border-radius:1px;background:var(--sl-accent)}
.sl-grip-middle{top:auto;height:9px;cursor:grab}
.sl-grip-middle::after{content:none}
`;var ze=5e3,_e=8e3,Le="Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon as the connection is back. If it was stopped, the run is gone.",le="The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page to begin another.",Ae=20,Me=[[0,"No loop"],[200,"Loop: last 200 rows"],[1e3,"Loop: last 1,000 rows"],[5e3,"Loop: last 5,000 rows"]],H={paused:"Paused",playing:"Playing",finished:"Finished",failed:"Stopped by an error",loading:"Loading…"},ie={play:"M8 5v14l11-7z",pause:"M6 5h4v14H6zm8 0h4v14h-4z",step:"M6 5v14l9-7zm10 0h3v14h-3z",chunk:"M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z",live:"M4 5v14l9-7zM14 5v14l7-7z",restart:"M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z"},$e=`${ne}${ae}
.sl-transport .sl-overview{--sl-card:var(--sl-paper);margin:0}.sl-transport .sl-overview path{stroke-width:1.8}.sl-strip:empty,.sl-transport :is(.sl-window,.sl-grip){display:none!important}
.sl-strip-key{display:flex;gap:0 10px;overflow:hidden;white-space:nowrap;font-size:11px;line-height:16px;font-weight:600}
.sl-strip-key span{min-width:0;overflow:hidden;text-overflow:ellipsis}
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
@media not all and ${se}{.sl-docked{width:calc(100% + 32px);margin-left:-16px;gap:4px;padding:8px 12px 6px;background:var(--sl-paper);
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
`,Oe=e=>D("svg",{viewBox:"0 0 24 24","aria-hidden":"true"},[D("path",{d:ie[e]})]);function A(e,t,r,s){return i("button",{type:"button","aria-label":t,title:s,class:`sl-${e}`},[Oe(e),...r?[i("span",{text:r,class:"sl-wide"})]:[]])}function Ce(e,t){let r=A("play","Play","Play","Play or pause (Space)"),s=A("step","Step one instance","One instance","One instance (right arrow)"),o=A("chunk","Step one chunk","One chunk","One chunk (Page Down)"),l=A("restart","Start again","Start again","Start again from the first instance"),c=A("live","Back to the newest row","Live","Go on where the run ends (L)");c.hidden=!0;let p=i("select",{class:"sl-loop","aria-label":"Play rows again and again"});for(let[a,u]of Me)p.append(i("option",{value:String(a),text:u}));let d=i("select",{"aria-label":"Speed"});t.rates.forEach(([a,u],m)=>d.append(i("option",{value:String(m),text:a})));let h=i("b",{text:H.loading}),b=i("span"),f=i("span"),g=[i("span"),i("span"),i("span")],E=i("span",{class:"sl-besides"},g),x=i("div",{class:"sl-muted sl-place"},[f,E]),M=i("span",{role:"alert"}),z=i("button",{type:"button",class:"sl-reload",text:"Reload the page",hidden:!0});z.addEventListener("click",()=>window.location.reload());let $=i("span",{class:"sl-muted sl-keys","aria-hidden":"true",text:"← → steps · Space plays · Esc leaves"}),B=i("div",{class:"sl-banner",hidden:!0},[M,z]),P=t.page?i("div",{class:"sl-strip"}):null,R=i("div",{class:"sl-hidden",role:"status","aria-live":"polite"}),N=i("div",{class:`sl-view sl-transport${t.page?" sl-docked":""}`,role:"group","aria-label":"Playback"},[B,...P?[P]:[],i("div",{class:"sl-row"},[r,s,o,c,...t.restart?[l]:[],d,p,x,i("div",{class:"sl-state"},[h,b]),$]),R]);e.append(i("style",{text:$e}),N);for(let a of[r,s,o,l])a.disabled=!0;let n=null,w=null,_=0,U=0,I=0,Y=0,F=performance.now(),y=(a,u,m)=>{a&&a.setAttribute("aria-busy","true"),t.onCommand(u,m)},q=()=>{n&&!r.disabled&&y(r,n.state==="playing"?"pause":"play")};r.addEventListener("click",q),s.addEventListener("click",()=>y(s,"step",1)),o.addEventListener("click",()=>y(o,"step",null)),l.addEventListener("click",()=>y(l,"restart")),d.addEventListener("change",()=>t.onCommand("rate",Number(d.value))),c.addEventListener("click",()=>y(c,"live")),p.addEventListener("change",()=>t.onCommand("loop",Number(p.value)));let K=a=>{let u=a.composedPath()[0];if(!(u instanceof Element&&u.closest("input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox],.sl-stage,.jp-Notebook")||a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)){if(a.key===" ")q();else if(a.key==="ArrowRight"&&!s.disabled)y(s,"step",1);else if(a.key==="PageDown"&&!o.disabled)y(o,"step",null);else if((a.key==="l"||a.key==="L")&&!c.hidden)y(c,"live");else return;a.preventDefault()}};document.addEventListener("keydown",K);let pe=a=>{let u=performance.now();a===R.textContent||u-U<ze&&(n==null?void 0:n.state)==="playing"||(U=u,v(R,a))};function de(a){var W,G;let u=n==null?void 0:n.state;n=a,I+=1;let m=performance.now();m-F>1e3&&(Y=1e3*I/(m-F),I=0,F=m);for(let ue of[r,s,o,l])ue.removeAttribute("aria-busy");let k=n.state==="playing",j=n.state==="finished"||n.state==="failed";u!==n.state&&(r.querySelector("path").setAttribute("d",ie[k?"pause":"play"]),r.setAttribute("aria-label",k?"Pause":"Play"),v(r.querySelector("span"),k?"Pause":"Play"),N.classList.toggle("sl-playing",k),r.disabled=n.state==="failed",s.disabled=o.disabled=j,p.disabled=n.state==="failed",l.disabled=!1),n.rate_index<0&&(d.querySelector("[value='-1']")||d.append(i("option",{value:"-1",hidden:!0})),v(d.lastElementChild,`${V(n.rate)} a second`)),document.activeElement!==d&&(d.value=String(n.rate_index)),v(h,(W=H[n.state])!=null?W:n.state),h.classList.toggle("sl-hidden",k||n.state==="paused"),c.hidden=n.live,he(n.position),v(b,k?`${V(n.speed)} rows/s`:""),O(),pe(`${(G=H[n.state])!=null?G:n.state}. ${x.textContent}`)}let ce=a=>n.n_rows?`${S(a)} of ${S(n.n_rows)} rows`:`${S(a)} rows`;function he(a){let u=n.mark?` · ${n.mark[1]} at ${S(n.mark[0])}`:"",m=a<n.end?` · looking back; the run has come to ${S(n.end)}`:"";v(f,`${ce(a)}${n.n_rows?` · ${(100*a/n.n_rows).toFixed(0)} %`:""}`),[m,n.pace?` · ${n.pace}`:"",u].forEach((k,j)=>v(g[j],k))}function O(){var u;let a=(u=w!=null?w:n==null?void 0:n.message)!=null?u:"";B.hidden=!a,z.hidden=w===null,v(M,a)}return{strip:P,update:de,setDark:a=>N.classList.toggle("sl-dark",a),setLost:()=>{clearTimeout(_),w=Le,O()},setBack:()=>{clearTimeout(_),_=setTimeout(()=>{w=le,O()},_e)},setFound:()=>{clearTimeout(_),w=null,O()},stats:()=>({frames_per_second:Y,state:n==null?void 0:n.state,position:n==null?void 0:n.position,isLost:w!==null}),destroy:()=>{clearTimeout(_),t.page&&w!==null&&Te(),document.removeEventListener("keydown",K),e.replaceChildren()}}}function Te(){if(document.querySelector(".sl-gone"))return;let e=i("button",{type:"button",class:"sl-reload",text:"Reload the page"});e.addEventListener("click",()=>window.location.reload());let t=i("div",{class:"sl-gone",role:"alert"},[i("span",{text:le}),e]);t.style.cssText="position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere",e.style.cssText="margin-left:12px;padding:4px 12px;font:inherit",document.body.append(t)}function Pe(e,t){let r=(l,c)=>{document.cookie=`streamlab_left=${l};path=/;max-age=${c};samesite=strict`};r("",0);let s=l=>{let{position:c,state:p,isLost:d}=t.stats();e.own&&c&&!d&&l.preventDefault();let h=c+(p==="finished");e.way!==""&&C(`${e.way}&at=${h}`.replace(/^&/,"")),r(`${window.__streamlab_afresh?".":""}${e.secret}:${h}`,Ae)},o=l=>l.persisted&&window.location.reload();return window.addEventListener("beforeunload",s),window.addEventListener("pageshow",o),()=>{window.removeEventListener("beforeunload",s),window.removeEventListener("pageshow",o)}}function Re(e){let t=()=>{let s=document.body.dataset.jpThemeLight;s!==void 0&&s==="false"!==e.dark&&(e.dark=s==="false")},r=new MutationObserver(t);return r.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-light"]}),t(),()=>r.disconnect()}function Ne(e){document.activeElement&&document.activeElement!==document.body||(e.tabIndex=-1,e.focus({preventScroll:!0}),e.blur(),e.removeAttribute("tabindex"))}function ut({model:e,el:t,view:r}){ee(e,r,()=>{var h,b;let s=Ce(t,{rates:e.rates,restart:e.restart,page:e.page,onCommand:(f,g=null)=>e.send_msg({kind:"command",name:f,value:g})});s.setDark(e.dark),e.on("dark",()=>s.setDark(e.dark));let o=null,l=new T,c=!1,p=r.model.document;(h=p==null?void 0:p.on_event)==null||h.call(p,"connection_lost",()=>s.setLost()),(b=p==null?void 0:p.on_event)==null||b.call(p,"client_reconnected",()=>s.setBack());let d=Q(e,r,f=>{var g;if(s.setFound(),s.update(f),c||=f.state==="playing",e.page&&c&&l.keep(e.about,f.position,f.state!=="playing"),!o){e.page&&(C(e.query),e.on("query",()=>C(e.query)),Ne((g=t.querySelector(".sl-transport"))!=null?g:t),window.dispatchEvent(new CustomEvent("streamlab:run",{detail:{play:t.querySelector(".sl-play")}})));let E=e.page?[J(e),Pe(e,s)]:[Re(e)];o=()=>E.forEach(x=>x())}});return window.__streamlab_transport=s,()=>{o==null||o(),d(),s.destroy()}})}export{Ce as createTransport,ut as render};
