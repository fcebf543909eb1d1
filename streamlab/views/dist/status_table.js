/*! streamlab status_table, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function r(t,e={},i=[]){let n=document.createElement(t);for(let[a,o]of Object.entries(e))a==="text"?n.textContent=o:o===!0?n.setAttribute(a,""):o!==!1&&o!=null&&n.setAttribute(a,o);return n.append(...i),n}var A=(t,e,i="")=>r("div",{class:`sl-scroll${i&&` ${i}`}`,tabindex:"0",role:"region","aria-label":t},[r("table",{},e)]),C=(t,e=()=>({}))=>r("tr",{},t.map((i,n)=>r("th",{text:i,scope:"col",...e(n)})));function O(t,e){t.textContent!==e&&(t.textContent=e)}var R=new Intl.NumberFormat("en",{maximumFractionDigits:0}),D=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),Q=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2}),N=t=>t.replace("-","−");function _(t){return N(R.format(t))}function M(t){return Math.abs(t)<100?N(D.format(t)):_(t)}var H={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},P={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var j=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],z=t=>[`--sl-text:${t.ink}`,...j.map(e=>`--sl-${e}:${t[e]}`)].join(";"),F=`.sl-view{${z(H)}}
.sl-view.sl-dark{${z(P)}}
`;var k='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',nt=`13px ${k}`,st=`600 13px ${k}`,it=`600 18px ${k}`,at=`11px ${k}`;var B=0,S=typeof document>"u"?void 0:document.fonts,I;(I=S==null?void 0:S.addEventListener)==null||I.call(S,"loadingdone",()=>B++);var L=`${F}
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
`;var K={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function U(t,e){let i={},n=0;for(let[a,o,m,p]of t){let c=new K[o](e,n,m);Array.isArray(p)?p.forEach((d,b)=>{i[d]=Uint8Array.from(c,v=>v>>b&1)}):i[a]=p===1?c:Float32Array.from(c,d=>d/p),n+=c.byteLength}return i}var Y=500;function G(t,e,i){var c,d,b,v,y,E;let n=!0,a=0,o=h=>{if(((h==null?void 0:h.kind)==="frame"||(h==null?void 0:h.kind)==="heard")&&clearInterval(a),(h==null?void 0:h.kind)!=="frame")return;let{spec:s,buffer:l,...f}=h;i({...f,...U(s,l)}),t.send_msg({kind:"received",number:f.number})},m=()=>t.send_msg({kind:"ready"});t.on("msg:custom",o);let p=()=>{clearInterval(a),n&&(m(),a=setInterval(m,Y))};return(b=(d=(c=e==null?void 0:e.model)==null?void 0:c.document)==null?void 0:d.on_event)==null||b.call(d,"client_reconnected",p),(E=(y=(v=e==null?void 0:e.model)==null?void 0:v.document)==null?void 0:y.on_event)==null||E.call(y,"connection_lost",()=>clearInterval(a)),p(),()=>{n=!1,clearInterval(a),t.off("msg:custom",o)}}function V(t){var e,i,n,a;for(let o of(i=(e=t==null?void 0:t.references)==null?void 0:e.call(t))!=null?i:[])(a=(n=t.document)==null?void 0:n._new_models)==null||a.delete(o)}function W(t,e,i){var n;V(e.model),(n=e.__streamlab_dispose)==null||n.call(e),e.__streamlab_dispose=i(),t.on("lifecycle:remove",()=>{var a;(a=e.__streamlab_dispose)==null||a.call(e),e.__streamlab_dispose=void 0})}var T=t=>({model:e,el:i,view:n})=>{W(e,n,()=>{let a=new AbortController,o=t({model:e,view:n,el:i,send:c=>e.send_msg(c),signal:a.signal});i.append(r("style",{text:L+o.css}),o.box);let m=()=>{var c;o.box.classList.toggle("sl-dark",!!e.dark),(c=o.setDark)==null||c.call(o,e.dark)};for(let[c,d]of Object.entries({dark:m,...o.follows}))e.on(c,d),d();o.hear&&e.on("msg:custom",o.hear);let p=o.update&&G(e,n,o.update);return()=>{var c;a.abort(),p==null||p(),o.hear&&e.off("msg:custom",o.hear),(c=o.destroy)==null||c.call(o),i.replaceChildren()}})};var J=300,X=`
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
.sl-board .sl-later td{color:var(--sl-muted)}.sl-board .sl-later td:nth-child(3)::after{content:" (later)"}
.sl-board h3{font-size:13px;font-weight:600;margin:16px 0 6px}
.sl-board .sl-swatch{display:inline-block;vertical-align:middle;width:22px;height:3px;margin-right:6px}
.sl-board .sl-chips{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:baseline;margin:2px 0 6px}
.sl-board .sl-chips{padding-left:128px;text-indent:0}
.sl-board .sl-who{width:120px;margin-left:-128px;color:var(--sl-muted);font-size:13px}
.sl-board tbody th{white-space:normal;overflow-wrap:anywhere;min-width:120px}
.sl-board td.sl-words{overflow-wrap:anywhere;white-space:normal;text-align:left;min-width:180px}
`;function Z(t){return t?t<1e3?`${t} B`:t<1e6?`${M(t/1e3)} kB`:`${M(t/1e6)} MB`:"–"}var bt=T(()=>{let t=r("thead"),e=r("tbody"),i=r("div"),n=r("tbody"),a=new Map,o=r("p",{class:"sl-muted",text:"Nothing has happened yet: drifts, changed parameters and structural events will stand here."}),m=C(["Instance","Learner","Event","What"],s=>({class:s?"sl-left":""})),p=A("Events",[r("thead",{},[m]),n],"sl-log");p.hidden=!0;let c=r("p",{class:"sl-muted"}),d=r("div",{class:"sl-view sl-board"},[A("Learners now",[t,e]),c,r("h3",{text:"The latest instance"}),i,r("h3",{text:"Events"}),o,p]),b="";function v(s){let l=s.join();l!==b&&(b=l,a.clear(),e.replaceChildren(),t.replaceChildren(C(["Learner",...s,"Instances/s","Memory"])))}function y(s){if(!a.has(s.name)){let l=r("span",{class:"sl-swatch",style:`${s.line};color:${s.colour}`}),f=r("th",{scope:"row"},[l,r("span",{text:s.name})]),u=[...s.values,0,0].map(()=>r("td"));e.append(r("tr",{},[f,...u])),a.set(s.name,u)}return a.get(s.name)}function E(s,l){let f=JSON.stringify([s,l.map(x=>x.predicted)]);if(i.dataset.key===f)return;if(i.dataset.key=f,!s){i.replaceChildren(r("p",{class:"sl-muted",text:"No instance yet."}));return}let u=(x,g)=>r("div",{class:"sl-chips"},[r("span",{class:"sl-who",text:x}),...g.length?g:[r("span",{class:"sl-muted",text:"no label"})]]),w=(x,g)=>r("span",{class:`sl-chip ${g}`,text:x});i.replaceChildren(u("truth",s.map(x=>w(x,""))),...l.map(({name:x,predicted:g})=>u(x,(g!=null?g:[]).map($=>s.includes($)?w(`✓ ${$}`,"sl-right"):w(`✗ ${$}`,"sl-wrong")))))}function h(s){s.restarted&&n.replaceChildren(),v(s.measures);for(let l of s.learners){let f=[...l.values.map(u=>u==null?"–":u.toFixed(3)),l.rate?_(l.rate):"–",Z(l.bytes)];y(l).forEach((u,w)=>O(u,f[w]))}O(c,s.foot),E(s.truth,s.learners);for(let[l,f,u,w]of s.events)n.prepend(r("tr",{"data-at":l},[r("td",{text:_(l)}),r("td",{class:"sl-left",text:f||"stream"}),r("td",{class:"sl-left",text:u}),r("td",{class:"sl-words",text:w})]));for(;n.childElementCount>J;)n.lastElementChild.remove();for(let l of n.children)l.classList.toggle("sl-later",Number(l.dataset.at)>s.position);p.hidden=n.childElementCount===0,o.hidden=!p.hidden}return{box:d,css:X,update:h}});export{bt as render};
