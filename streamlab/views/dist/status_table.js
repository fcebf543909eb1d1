/*! streamlab status_table, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function t(e,o={},l=[]){let n=document.createElement(e);for(let[i,a]of Object.entries(o))i==="text"?n.textContent=a:a===!0?n.setAttribute(i,""):a!==!1&&a!=null&&n.setAttribute(i,a);return n.append(...l),n}function w(e,o){e.textContent!==o&&(e.textContent=o)}var A=new Intl.NumberFormat("en",{maximumFractionDigits:0}),L=new Intl.NumberFormat("en",{maximumSignificantDigits:3}),K=new Intl.NumberFormat("en",{minimumFractionDigits:2,maximumFractionDigits:2});function _(e){return A.format(e)}function E(e){return Math.abs(e)<100?L.format(e):A.format(e)}var R={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function S(e,o){let l={},n=0;for(let[i,a,c,p]of e){let d=new R[a](o,n,c);Array.isArray(p)?p.forEach((x,m)=>{l[x]=Uint8Array.from(d,y=>y>>m&1)}):l[i]=p===1?d:Float32Array.from(d,x=>x/p),n+=d.byteLength}return l}var B=500;function C(e,o,l){let n=!0,i=0,a=p=>{if(p?.kind!=="frame")return;clearInterval(i);let{spec:d,buffer:x,...m}=p;l({...m,...S(d,x)}),e.send_msg({kind:"received",number:m.number})},c=()=>n&&e.send_msg({kind:"ready"});return e.on("msg:custom",a),o?.model?.document?.on_event?.("client_reconnected",c),c(),i=setInterval(c,B),()=>{n=!1,clearInterval(i),e.off("msg:custom",a)}}function M(e,o,l){o.__streamlab_dispose?.(),o.__streamlab_dispose=l(),e.on("lifecycle:remove",()=>{o.__streamlab_dispose?.(),o.__streamlab_dispose=void 0})}var H={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},j={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var U=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],N=e=>[`--sl-text:${e.ink}`,...U.map(o=>`--sl-${o}:${e[o]}`)].join(";"),z=`.sl-view{${N(H)}}
.sl-view.sl-dark{${N(j)}}
`;var v='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',re=`12px ${v}`,se=`600 12px ${v}`,ne=`11px ${v}`;var F=`${z}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${v};
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
`;var P=300,Y=`${F}
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
.sl-board h3{font-size:13px;font-weight:600;margin:16px 0 6px}
.sl-board .sl-swatch{display:inline-block;vertical-align:middle;width:22px;height:0;margin-right:6px;border-top:3px solid}
.sl-board .sl-chips{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:baseline;margin:2px 0 6px}
.sl-board .sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px}
.sl-board .sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-board .sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-board .sl-chips{padding-left:128px;text-indent:0}
.sl-board .sl-who{width:120px;margin-left:-128px;color:var(--sl-muted);font-size:12px}
.sl-board td.sl-words{white-space:normal;text-align:left;min-width:180px}
`;function V(e){return e?e<1e3?`${e} B`:e<1e6?`${E(e/1e3)} kB`:`${E(e/1e6)} MB`:"–"}function W(e,o){let l=t("tr"),n=t("tbody"),i=t("div"),a=new Map,c=t("tbody"),p=t("p",{class:"sl-muted",text:"Nothing has happened yet: drifts, changed parameters and structural events will stand here."}),d=t("div",{class:"sl-scroll sl-log",tabindex:"0",role:"region","aria-label":"Events",hidden:!0},[t("table",{},[t("thead",{},[t("tr",{},["Instance","Learner","Event","What"].map((r,s)=>t("th",{text:r,scope:"col",class:s?"sl-left":""})))]),c])]),x=t("p",{class:"sl-muted"}),m=t("div",{class:"sl-view sl-board"},[t("div",{class:"sl-scroll",tabindex:"0",role:"region","aria-label":"Learners now"},[t("table",{},[t("thead",{},[l]),n])]),x,t("h3",{text:"The latest instance"}),i,t("h3",{text:"Events"}),p,d]);e.append(t("style",{text:Y}),m);let y="";function O(r){let s=r.join();s!==y&&(y=s,a.clear(),n.replaceChildren(),l.replaceChildren(...["Learner",...r,"Instances/s","Memory"].map(u=>t("th",{text:u,scope:"col"}))))}function T(r){if(!a.has(r.name)){let s=t("span",{class:"sl-swatch",style:`border-top-style:${r.line};border-color:${r.colour}`}),u=t("th",{scope:"row"},[s,t("span",{text:r.name})]),h=[...r.values,0,0].map(()=>t("td"));n.append(t("tr",{},[u,...h])),a.set(r.name,h)}return a.get(r.name)}function I(r,s){let u=(f,g)=>f.map(b=>t("span",{class:`sl-chip ${g(b)}`,text:b})),h=(f,g)=>t("div",{class:"sl-chips"},[t("span",{class:"sl-who",text:f}),...g]),k=JSON.stringify([r,s.map(f=>f.predicted)]);if(i.dataset.key===k)return;if(i.dataset.key=k,!r){i.replaceChildren(t("p",{class:"sl-muted",text:"No instance yet."}));return}let $=f=>f.length?f:[t("span",{class:"sl-muted",text:"no label"})];i.replaceChildren(h("truth",$(u(r,()=>""))),...s.map(({name:f,predicted:g})=>h(f,$(u((g??[]).map(b=>`${r.includes(b)?"✓":"✗"} ${b}`),b=>b.startsWith("✓")?"sl-right":"sl-wrong")))))}function D(r){r.restarted&&c.replaceChildren(),O(r.measures);for(let s of r.learners){let u=T(s);s.values.forEach((h,k)=>w(u[k],h==null?"–":h.toFixed(3))),w(u[s.values.length],s.rate?_(s.rate):"–"),w(u[s.values.length+1],V(s.bytes))}w(x,r.foot),I(r.truth,r.learners);for(let s of r.events)c.prepend(t("tr",{},[t("td",{text:_(s[0])}),t("td",{class:"sl-left",text:s[1]||"stream"}),t("td",{class:"sl-left",text:s[2]}),t("td",{class:"sl-words",text:s[3]})]));for(;c.childElementCount>P;)c.lastElementChild.remove();d.hidden=c.childElementCount===0,p.hidden=!d.hidden}return{update:D,setDark:r=>m.classList.toggle("sl-dark",r),destroy:()=>e.replaceChildren()}}function fe({model:e,el:o,view:l}){M(e,l,()=>{let n=W(o,{});n.setDark(e.dark),e.on("dark",()=>n.setDark(e.dark));let i=C(e,l,a=>n.update(a));return()=>{i(),n.destroy()}})}export{W as createBoard,fe as render};
