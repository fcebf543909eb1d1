/*! streamlab own_data, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function s(o,e={},r=[]){let l=document.createElement(o);for(let[a,n]of Object.entries(e))a==="text"?l.textContent=n:n===!0?l.setAttribute(a,""):n!==!1&&n!=null&&l.setAttribute(a,n);return l.append(...r),l}function N(o,e,r={}){let l=s("button",{type:"button",text:o,...r});return l.addEventListener("click",e),l}function H(o,e,r,l={}){let a=s("select",{"aria-label":o,...l});return Q(a,e),a.addEventListener("change",()=>r(a.value)),a}function Q(o,e,r=o.value){let l=JSON.stringify(e),a=o.slKey!==l;return o.slKey=l,a&&o.replaceChildren(...e.map(([n,w])=>s("option",{value:String(n),text:w}))),o.value!==String(r)&&(o.value=String(r)),o.selectedIndex<0&&(o.selectedIndex=0),a}var B=(o,e,r="")=>s("div",{class:`sl-scroll${r&&` ${r}`}`,tabindex:"0",role:"region","aria-label":o},[s("table",{},e)]);async function K(o){try{return await navigator.clipboard.writeText(o),!0}catch{return!1}}function y(o,e){o.textContent!==e&&(o.textContent=e)}var ee={surface:"#fbfaf8",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#89919d",ghost:"#89919d",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#96308a",on:"#fff",faint:.55,band:.26,hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},te={surface:"#14171a",paper:"#1e2226",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#69727e",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ee9ade",on:"#10151b",faint:.62,band:.34,hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var oe=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],Y=o=>[`--sl-text:${o.ink}`,...oe.map(e=>`--sl-${e}:${o[e]}`)].join(";"),U=`.sl-view{${Y(ee)}}
.sl-view.sl-dark{${Y(te)}}
`;var C='Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif',be=`13px ${C}`,ge=`600 13px ${C}`,me=`600 18px ${C}`,ve=`11px ${C}`;var se=0,M=typeof document>"u"?void 0:document.fonts,q;(q=M==null?void 0:M.addEventListener)==null||q.call(M,"loadingdone",()=>se++);var G=`${U}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${C};
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
`;var ne={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function re(o,e){let r={},l=0;for(let[a,n,w,u]of o){let c=new ne[n](e,l,w);Array.isArray(u)?u.forEach((p,k)=>{r[p]=Uint8Array.from(c,S=>S>>k&1)}):r[a]=u===1?c:Float32Array.from(c,p=>p/u),l+=c.byteLength}return r}var le=500;function ae(o,e,r){var c,p,k,S,m,A;let l=!0,a=0,n=f=>{if(((f==null?void 0:f.kind)==="frame"||(f==null?void 0:f.kind)==="heard")&&clearInterval(a),(f==null?void 0:f.kind)!=="frame")return;let{spec:R,buffer:E,...O}=f;r({...O,...re(R,E)}),o.send_msg({kind:"received",number:O.number})},w=()=>o.send_msg({kind:"ready"});o.on("msg:custom",n);let u=()=>{clearInterval(a),l&&(w(),a=setInterval(w,le))};return(k=(p=(c=e==null?void 0:e.model)==null?void 0:c.document)==null?void 0:p.on_event)==null||k.call(p,"client_reconnected",u),(A=(m=(S=e==null?void 0:e.model)==null?void 0:S.document)==null?void 0:m.on_event)==null||A.call(m,"connection_lost",()=>clearInterval(a)),u(),()=>{l=!1,clearInterval(a),o.off("msg:custom",n)}}function ie(o){var e,r,l,a;for(let n of(r=(e=o==null?void 0:o.references)==null?void 0:e.call(o))!=null?r:[])(a=(l=o.document)==null?void 0:l._new_models)==null||a.delete(n)}function ce(o,e,r){var l;ie(e.model),(l=e.__streamlab_dispose)==null||l.call(e),e.__streamlab_dispose=r(),o.on("lifecycle:remove",()=>{var a;(a=e.__streamlab_dispose)==null||a.call(e),e.__streamlab_dispose=void 0})}var W=o=>({model:e,el:r,view:l})=>{ce(e,l,()=>{let a=new AbortController,n=o({model:e,view:l,el:r,send:c=>e.send_msg(c),signal:a.signal});r.append(s("style",{text:G+n.css}),n.box);let w=()=>{var c;n.box.classList.toggle("sl-dark",!!e.dark),(c=n.setDark)==null||c.call(n,e.dark)};for(let[c,p]of Object.entries({dark:w,...n.follows}))e.on(c,p),p();n.hear&&e.on("msg:custom",n.hear);let u=n.update&&ae(e,l,n.update);return()=>{var c;a.abort(),u==null||u(),n.hear&&e.off("msg:custom",n.hear),(c=n.destroy)==null||c.call(n),r.replaceChildren()}})};var pe=`
dialog.sl-own{width:min(1180px,calc(100vw - 24px));max-width:none;max-height:calc(100dvh - 24px);padding:0;overflow:hidden;
  border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);color:var(--sl-text);margin:auto}
dialog.sl-own[open]{display:flex;flex-direction:column}
dialog.sl-own::backdrop{background:rgb(0 0 0 / 45%)}
.sl-own :is(h2,h3,p){margin:0}
.sl-own h2{font-size:17px;font-weight:600;overflow-wrap:anywhere}
.sl-own h3{font-size:13px;font-weight:600;margin:14px 0 6px}
.sl-own header,.sl-own footer{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;justify-content:space-between;padding:12px 18px}
.sl-own header{border-bottom:1px solid var(--sl-line)}
.sl-own footer{border-top:1px solid var(--sl-line)}
.sl-own .sl-talk{flex:1 1 auto;min-height:0;overflow:auto;padding:4px 18px 14px}
.sl-own .sl-written{display:flex;flex-wrap:wrap;gap:8px 18px;margin-top:10px}
.sl-own label{display:inline-flex;gap:6px;align-items:center;font-size:13px;color:var(--sl-muted)}
.sl-own select{min-height:30px;padding:2px 4px;border:1px solid var(--sl-control);border-radius:6px;background:var(--sl-paper);color:var(--sl-text);
  font-size:13px;cursor:pointer}
.sl-own .sl-asked{list-style:none;margin:8px 0 0;padding:0;display:grid;gap:4px}
.sl-own .sl-asked li{padding-left:20px;position:relative;overflow-wrap:anywhere}
.sl-own .sl-asked li::before{content:"·";position:absolute;left:6px;font-weight:700}
.sl-own .sl-asked li.sl-stops{font-weight:600}
.sl-own .sl-asked li.sl-stops::before{content:"?"}
.sl-own .sl-wrong{color:var(--sl-down);font-weight:600;overflow-wrap:anywhere;margin-top:10px}
.sl-own .sl-rows{max-height:min(46vh,480px);margin-top:0}
.sl-own .sl-rows :is(td,th){max-width:190px;overflow:hidden;text-overflow:ellipsis;text-align:left}
.sl-own .sl-rows tbody th{max-width:none;color:var(--sl-muted);text-align:right}
.sl-own .sl-rows thead th{vertical-align:bottom;color:var(--sl-text);z-index:1}
.sl-own .sl-rows thead th:first-child{color:var(--sl-muted)}
.sl-own .sl-head{display:grid;gap:3px;min-width:104px}
.sl-own .sl-head b{font-weight:600;font-size:13px;overflow:hidden;text-overflow:ellipsis}
.sl-own .sl-head small{font-size:11px;color:var(--sl-muted);overflow:hidden;min-height:2.5em;line-height:1.25;white-space:normal;
  overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.sl-own .sl-head .sl-why{font-style:italic}
.sl-own [data-role=label],.sl-own [data-role=class],.sl-own [data-role=tags],.sl-own [data-role=path],.sl-own [data-role=vector]{
  background:color-mix(in srgb,var(--sl-accent) 13%,var(--sl-paper))}
.sl-own [data-role=label] select,.sl-own [data-role=class] select,.sl-own [data-role=tags] select,.sl-own [data-role=path] select,.sl-own [data-role=vector] select{font-weight:600;border-width:2px}
.sl-own :is([data-role=ignore],[data-role=time]):is(td){opacity:.75;text-decoration:line-through}
.sl-own .sl-python{display:flex;gap:8px;align-items:center;margin-top:4px}
.sl-own code{flex:1 1 auto;min-width:0;overflow-x:auto;white-space:pre;padding:8px 10px;border:1px solid var(--sl-line);border-radius:6px;
  font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.sl-own .sl-button{min-height:34px;padding:0 14px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap}
.sl-own .sl-button:hover:not([disabled]){background:var(--sl-track)}
.sl-own .sl-start{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-paper);font-weight:600}
.sl-own .sl-start:hover:not([disabled]){background:var(--sl-accent);filter:brightness(1.08)}
.sl-own .sl-start[disabled]{background:none;color:var(--sl-muted);border-color:var(--sl-line);cursor:not-allowed}
.sl-own progress{width:160px;accent-color:var(--sl-accent)}
@media (max-width:600px){
  dialog.sl-own{width:100vw;max-height:100dvh;height:100dvh;border:0;border-radius:0}
  .sl-own :is(header,footer){padding:10px 12px}
  .sl-own .sl-talk{padding:2px 12px 10px}
  .sl-own .sl-python{flex-wrap:wrap}
  .sl-own code{flex-basis:100%}
}
`,de={separator:["Cells are separated by",{",":"a comma",";":"a semicolon","	":"a tab","|":"a bar |"," ":"a blank"}],decimal:["Decimals",{".":"1.5",",":"1,5"}],encoding:["Letters",{}],header:["First row",{true:"names",false:"data"}]},he=["utf-8","cp1252","iso8859-15","cp1250","cp1251","utf-16","utf-16-le","utf-16-be","shift_jis","gb18030"],Te=W(({send:o,el:e})=>{let r=(t,d=null)=>o({kind:"command",name:t,value:d}),l=s("h2",{id:"sl-own-title"}),a=N("Close",()=>r("close"),{class:"sl-button"}),n=s("div",{class:"sl-written"}),w=s("p",{class:"sl-wrong",role:"alert"}),u=s("ul",{class:"sl-asked","aria-live":"polite","aria-label":"What is unclear"}),c=s("tr"),p=s("tbody"),k=B("First rows",[s("thead",{},[c]),p],"sl-rows"),S=s("p",{class:"sl-muted"}),m=s("code",{tabindex:"0","aria-label":"The same in Python"}),A=N("Copy",async()=>{let t=await K(m.textContent);t||getSelection().selectAllChildren(m),y(A,t?"Copied":"Selected"),setTimeout(()=>y(A,"Copy"),1500)},{class:"sl-button"}),f=N("Start with these",()=>r("start"),{class:"sl-button sl-start"}),R=s("span",{class:"sl-muted",role:"status"}),E=s("progress",{hidden:!0,max:"1","aria-label":"Reading the file"}),O=s("div",{},[s("h3",{text:"The same in Python"}),s("div",{class:"sl-python"},[m,A])]),F=s("div",{class:"sl-talk"},[w,u,n,s("h3",{text:"First rows: choose what each column is; what is neither a label nor left out is a feature"}),k,S,O]),v=s("dialog",{class:"sl-own","aria-labelledby":"sl-own-title"},[s("header",{},[l,a]),F,s("footer",{},[s("span",{},[R,E]),f])]),I=s("div",{class:"sl-view"},[v]),D="",$=[],z=[];v.addEventListener("cancel",t=>{t.preventDefault(),r("close")}),v.addEventListener("keydown",t=>t.stopPropagation());function P(t,d,x,_){let g=Object.keys(d).includes(String(x))?d:{[x]:String(x),...d},i=H(t,Object.entries(g),_);return i.value=String(x),i}function J(t){n.hidden=!t,t&&n.replaceChildren(...Object.entries(de).map(([d,[x,_]])=>{let g=d==="encoding"?Object.fromEntries(he.map(i=>[i,i])):_;return s("label",{},[x,P(x,g,t[d],i=>r("layout",[d,d==="header"?i==="true":i]))])}))}function V(t,d,x){$=[],z=[];let _=t.map(([g,i,h,b,T])=>{let Z=Object.fromEntries(T.map(L=>[L,x[L][0]])),j=P(`Role of ${i}`,Z,h,L=>r("role",[g,L]));return $.push(j),z.push(s("small",{class:"sl-why"})),s("th",{scope:"col","data-role":h},[s("div",{class:"sl-head"},[s("b",{text:i,title:i}),j,s("small",{text:b,title:b}),z.at(-1)])])});c.replaceChildren(s("th",{text:"row",scope:"col"}),..._),p.replaceChildren(...d.map((g,i)=>s("tr",{},[s("th",{scope:"row",text:String(i+1)}),...g.map((h,b)=>s("td",{text:h,title:h.length>20?h:null,"data-role":t[b][2]}))])))}function X(t){var x,_,g;let d=JSON.stringify([t.number_of_file,t.layout,t.columns.map(([i,h,,b,T])=>[i,h,b,T])]);if(d!==D){let i=(_=(x=e.getRootNode().activeElement)==null?void 0:x.getAttribute)==null?void 0:_.call(x,"aria-label");D=d,J(t.layout),V(t.columns,t.rows,t.titles),i&&((g=[...I.querySelectorAll("select")].find(h=>h.getAttribute("aria-label")===i))==null||g.focus())}t.columns.forEach(([,,i,,,h],b)=>{$[b].value=i,y(z[b],h),z[b].title=h,c.children[b+1].dataset.role=i;for(let T of p.children)T.children[b+1].dataset.role=i}),y(l,t.name),y(w,t.error),w.hidden=!t.error,u.replaceChildren(...t.questions.map(([i,h])=>s("li",{text:i,class:h?"sl-stops":""}))),y(S,t.more),S.hidden=!t.more,y(m,t.python),O.hidden=!t.python,k.hidden=!t.columns.length,F.querySelector("h3").hidden=k.hidden,f.disabled=!t.ready||!!t.busy,y(R,t.busy||(t.ready?"":t.waits)),E.hidden=!t.busy,t.share==null?E.removeAttribute("value"):E.value=t.share;for(let i of I.querySelectorAll("select"))i.disabled=!!t.busy;t.open&&!v.open&&v.showModal(),!t.open&&v.open&&v.close()}return{box:I,css:pe,update:X,destroy:()=>v.open&&v.close()}});export{Te as render};
