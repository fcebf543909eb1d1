/*! streamlab wait, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function a(t,e={},r=[]){let n=document.createElement(t);for(let[i,o]of Object.entries(e))i==="text"?n.textContent=o:o===!0?n.setAttribute(i,""):o!==!1&&o!=null&&n.setAttribute(i,o);return n.append(...r),n}function R(t,e,r={}){let n=a("button",{type:"button",text:t,...r});return n.addEventListener("click",e),n}function y(t,e){t.textContent!==e&&(t.textContent=e)}var D=t=>t.ctrlKey||t.metaKey||t.altKey,ot="input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";function W(t,e=ot){let[r]=t.composedPath();return r instanceof Element&&r.closest(e)!==null}function j(){let t=new URL(window.location.href).searchParams.get("theme");return t==="dark"||t!=="light"&&window.matchMedia("(prefers-color-scheme: dark)").matches}function G(t){let e=window.matchMedia("(prefers-color-scheme: dark)"),r=j();r!==t.dark&&(t.dark=r);let n=()=>{let i=new URL(window.location.href);t.dark===e.matches?i.searchParams.delete("theme"):i.searchParams.set("theme",t.dark?"dark":"light"),window.history.replaceState(null,"",i)};return t.on("dark",n),()=>t.off("dark",n)}var nt=new Intl.NumberFormat("en",{maximumFractionDigits:0}),At=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),_t=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),st=t=>t.replace("-","−");function C(t){return st(nt.format(t))}var it={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},at={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var lt=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],J=t=>[`--sl-text:${t.ink}`,...lt.map(e=>`--sl-${e}:${t[e]}`)].join(";"),V=`.sl-view{${J(it)}}
.sl-view.sl-dark{${J(at)}}
`;var k='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',Lt=`13px ${k}`,Tt=`600 13px ${k}`,It=`600 18px ${k}`,Nt=`11px ${k}`;var ct=0,L=typeof document>"u"?void 0:document.fonts,q;(q=L==null?void 0:L.addEventListener)==null||q.call(L,"loadingdone",()=>ct++);var X=`${V}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${k};
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
`;var dt={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function pt(t,e){let r={},n=0;for(let[i,o,f,c]of t){let l=new dt[o](e,n,f);Array.isArray(c)?c.forEach((p,w)=>{r[p]=Uint8Array.from(l,m=>m>>w&1)}):r[i]=c===1?l:Float32Array.from(l,p=>p/c),n+=l.byteLength}return r}var ut=500;function ht(t,e,r){var l,p,w,m,x,S;let n=!0,i=0,o=u=>{if(((u==null?void 0:u.kind)==="frame"||(u==null?void 0:u.kind)==="heard")&&clearInterval(i),(u==null?void 0:u.kind)!=="frame")return;let{spec:P,buffer:z,...$}=u;r({...$,...pt(P,z)}),t.send_msg({kind:"received",number:$.number})},f=()=>t.send_msg({kind:"ready"});t.on("msg:custom",o);let c=()=>{clearInterval(i),n&&(f(),i=setInterval(f,ut))};return(w=(p=(l=e==null?void 0:e.model)==null?void 0:l.document)==null?void 0:p.on_event)==null||w.call(p,"client_reconnected",c),(S=(x=(m=e==null?void 0:e.model)==null?void 0:m.document)==null?void 0:x.on_event)==null||S.call(x,"connection_lost",()=>clearInterval(i)),c(),()=>{n=!1,clearInterval(i),t.off("msg:custom",o)}}function ft(t){var e,r,n,i;for(let o of(r=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?r:[])(i=(n=t.document)==null?void 0:n._new_models)==null||i.delete(o)}function xt(t,e,r){var n;ft(e.model),(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=r(),t.on("lifecycle:remove",()=>{var i;(i=e.__streamlab_dispose)==null||i.call(e),e.__streamlab_dispose=void 0})}var Z=t=>({model:e,el:r,view:n})=>{xt(e,n,()=>{let i=new AbortController,o=t({model:e,view:n,el:r,send:l=>e.send_msg(l),signal:i.signal});r.append(a("style",{text:X+o.css}),o.box);let f=()=>{var l;o.box.classList.toggle("sl-dark",!!e.dark),(l=o.setDark)==null||l.call(o,e.dark)};for(let[l,p]of Object.entries({dark:f,...o.follows}))e.on(l,p),p();o.hear&&e.on("msg:custom",o.hear);let c=o.update&&ht(e,n,o.update);return()=>{var l;i.abort(),c==null||c(),o.hear&&e.off("msg:custom",o.hear),(l=o.destroy)==null||l.call(o),r.replaceChildren()}})};var wt=`
.sl-wait{position:absolute;inset:0;min-height:calc(100dvh - 60px);display:grid;grid-template-rows:auto minmax(0,1fr) auto;gap:8px;padding:8px 16px;
  pointer-events:auto;background:var(--sl-surface);container-type:normal;overflow:auto}
.sl-wait[hidden]{display:none}
.sl-wait p{margin:0;font-size:16px;line-height:1.35;overflow-wrap:anywhere}
.sl-wait p span{color:var(--sl-muted)}
.sl-wait .sl-place{position:relative;overflow:hidden;display:grid;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-surface)}
.sl-wait .sl-still{position:absolute;inset:0;width:100%;height:100%;object-fit:contain;object-position:center top;opacity:.3}
.sl-wait .sl-told{position:relative;align-self:center;justify-self:center;display:grid;gap:12px;justify-items:center;width:min(560px,100%);padding:20px;
  border-radius:12px;background:var(--sl-surface);box-shadow:0 0 28px 28px var(--sl-surface)}
.sl-wait .sl-bar{width:100%;max-width:420px;height:6px;border-radius:3px;background:var(--sl-line);overflow:hidden}
.sl-wait .sl-bar i{display:block;height:100%;background:var(--sl-accent);transition:width .3s linear}
.sl-wait ul{margin:0;padding:0;list-style:none}
.sl-wait .sl-who li{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline;justify-content:center;min-height:28px;font-size:14px}
.sl-wait .sl-who button{min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);text-decoration:underline;cursor:pointer}
.sl-wait .sl-sees{font-size:15px;line-height:1.6}
.sl-wait .sl-sees li{padding-left:1.2em;text-indent:-1.2em}
.sl-wait .sl-below{position:sticky;bottom:0;display:flex;background:inherit;flex-wrap:wrap;gap:8px 14px;align-items:center}
.sl-wait .sl-below button{min-height:36px;padding:0 18px;border:1px solid var(--sl-accent);border-radius:18px;background:var(--sl-accent);color:var(--sl-on);
  font-weight:600;cursor:pointer}
.sl-wait .sl-below .sl-back{background:none;color:var(--sl-accent)}
.sl-wait .sl-below button small{font-size:inherit;font-weight:400}
@media (prefers-reduced-motion:reduce){.sl-wait .sl-bar i{transition:none}}
@media (max-width:600px){.sl-wait{min-height:calc(100dvh - 100px)}.sl-wait .sl-below button{min-height:44px}.sl-wait .sl-told{align-self:end;padding:12px}
  .sl-wait .sl-still{opacity:.6}}
`,mt=new Intl.ListFormat("en-GB");function Q(t){if(t>=90)return`${Math.round(t/60)} minutes`;let e=t>20?5*Math.ceil(t/5):Math.max(1,Math.ceil(t));return`${e} second${e===1?"":"s"}`}function gt({state:t,spent:e,of:r}){return t==="ready"?"ready":t==="next"?`next, ${Math.ceil(r)} s`:`${Math.floor(e)} of ${Math.ceil(r)} s`}function bt(t){if(t.state==="replaying")return[`The saved run is replayed from its first row: ${`row ${C(t.done)} of ${C(t.of)}`}, about ${Q(t.seconds)} more.`,"Then it stands where it was saved."];if(t.state!=="waiting")return["The stream is being opened.",""];let e=t.names.length?mt.format(t.names):"What measures",r=t.names.length>1?"are":"is";return[`${e} ${r} being made ready for this machine, once: about ${Q(t.seconds)} more.`,"Then the stream plays."]}var Wt=Z(({model:t,el:e,send:r,signal:n})=>{let i=a("b"),o=a("span"),f=a("p",{role:"status"},[i," ",o]),c=a("img",{class:"sl-still",alt:""}),l=a("i"),p=a("div",{class:"sl-bar",role:"progressbar","aria-label":"Made ready","aria-valuemin":"0","aria-valuemax":"100"},[l]),w=a("ul",{class:"sl-who"}),m=a("b",{text:"What you will see"}),x=a("ul",{class:"sl-sees"}),S=a("span",{class:"sl-muted"}),u=a("div",{class:"sl-told"},[p,w,m,x,S]),P=a("div",{class:"sl-place"},[c,u]),z=a("small",{text:"when ready"}),$=a("span"),A=a("button",{type:"button",class:"sl-later","aria-pressed":"false"},[$," ",z]),H=R("Back to the run",()=>r({kind:"back"}),{class:"sl-back"}),B=a("span",{class:"sl-muted"}),h=a("div",{class:"sl-view sl-wait",role:"region","aria-label":"The run is made ready",hidden:!0},[f,P,a("div",{class:"sl-below"},[A,H,B])]),_=new Map,g=!1,T=!1,I=!1,v=null;function K(){y($,g?"▶ Plays":"▶ Play"),A.setAttribute("aria-pressed",String(g)),A.setAttribute("aria-label",g?"Plays when ready: press to wait instead":"Play when ready")}function U(){g=!g,K(),r({kind:"play",on:g})}A.addEventListener("click",U),h.addEventListener("focusin",()=>{I=!0});let tt=s=>{h.hidden||s.key!==" "||D(s)||W(s)||(s.preventDefault(),s.stopImmediatePropagation(),s.repeat||U())};window.addEventListener("keydown",tt,{capture:!0,signal:n}),window.addEventListener("streamlab:run",s=>{v=s.detail,T&&Y()},{signal:n});function Y(){let s=I&&(h.contains(e.getRootNode().activeElement)||[null,document.body].includes(document.activeElement));h.hidden=!0,s&&(v==null||v.play.focus({preventScroll:!0})),I=!1}function et(s){let F=new Set(s.map(({name:d})=>d));for(let[d,b]of _)F.has(d)||(b.row.remove(),_.delete(d));for(let d of s){if(!_.has(d.name)){let M=a("span",{class:"sl-muted"}),O=R("begin without it",()=>r({kind:"without",name:d.name}),{"aria-label":`Begin without ${d.name}`}),N=a("li",{},[a("b",{text:d.name}),M,O]);_.set(d.name,{row:N,far:M,without:O}),w.append(N)}let b=_.get(d.name);y(b.far,gt(d)),b.without.hidden=!d.optional}}let E=null;function rt(s){var M,O;if(E??=G(t),s.state==="over"){T=!0,v&&Y();return}if(s.state==="hidden"){h.hidden=!0;return}(h.hidden||T)&&([g,T,v,I]=[!1,!1,null,!1],K()),h.hidden=!1;let[F,d]=bt(s);y(i,F),y(o,d);let b=Math.round(100*((M=s.share)!=null?M:0));l.style.width=`${b}%`,p.setAttribute("aria-valuenow",String(b)),et((O=s.learners)!=null?O:[]),m.hidden=!s.sees.length,x.childElementCount!==s.sees.length&&x.replaceChildren(...s.sees.map(N=>a("li",{text:N}))),y(S,s.row&&c.src?`Behind this: a picture of row ${C(s.row)} of an earlier run`:""),A.hidden=s.state==="replaying",y(B,s.state==="replaying"?"":s.n_rows?`row 0 of ${C(s.n_rows)}`:"row 0"),H.hidden=!s.back}return{box:h,css:wt,update:rt,follows:{still:()=>{c.hidden=!t.still,t.still?c.src=t.still:c.removeAttribute("src")},dark:()=>h.classList.toggle("sl-dark",E?t.dark:j())},destroy:()=>E==null?void 0:E()}});export{Q as aboutSeconds,gt as howFar,Wt as render,bt as sentence};
