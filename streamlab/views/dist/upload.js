/*! streamlab upload, built by npm run build; with d3-color 3.1.1, d3-interpolate 3.0.2, d3-scale-chromatic 3.1.1: LICENSES.txt */
function u(r,t={},s=[]){let n=document.createElement(r);for(let[l,a]of Object.entries(t))l==="text"?n.textContent=a:a===!0?n.setAttribute(l,""):a!==!1&&a!=null&&n.setAttribute(l,a);return n.append(...s),n}function z(r,t){r.textContent!==t&&(r.textContent=t)}var U={f8:Float64Array,f4:Float32Array,u4:Uint32Array,i4:Int32Array,u2:Uint16Array,i2:Int16Array,u1:Uint8Array};function T(r,t){let s={},n=0;for(let[l,a,p,d]of r){let c=new U[a](t,n,p);Array.isArray(d)?d.forEach((f,h)=>{s[f]=Uint8Array.from(c,x=>x>>h&1)}):s[l]=d===1?c:Float32Array.from(c,f=>f/d),n+=c.byteLength}return s}var j=500;function C(r,t,s){var d,c,f;let n=!0,l=0,a=h=>{if((h==null?void 0:h.kind)!=="frame")return;clearInterval(l);let{spec:x,buffer:g,...i}=h;s({...i,...T(x,g)}),r.send_msg({kind:"received",number:i.number})},p=()=>n&&r.send_msg({kind:"ready"});return r.on("msg:custom",a),(f=(c=(d=t==null?void 0:t.model)==null?void 0:d.document)==null?void 0:c.on_event)==null||f.call(c,"client_reconnected",p),p(),l=setInterval(p,j),()=>{n=!1,clearInterval(l),r.off("msg:custom",a)}}function L(r,t,s){var n;(n=t.__streamlab_dispose)==null||n.call(t),t.__streamlab_dispose=s(),r.on("lifecycle:remove",()=>{var l;(l=t.__streamlab_dispose)==null||l.call(t),t.__streamlab_dispose=void 0})}var B={surface:"#fff",paper:"#fff",ink:"#1f2328",muted:"#57606a",line:"#d5d9df",track:"#eceef1",control:"#7c838d",accent:"#1565c0",up:"#00609c",down:"#a84300",bar:"#5b8db8",strong:"#000",halo:"rgba(255,255,255,.9)",shadow:"0 2px 10px rgba(0,0,0,.18)",edge:"#b3bac4",ghost:"#8a93a0",outline:"#6b7480",link:"rgba(87,96,106,.32)",lit:"#b36b00",glow:"rgba(255,193,7,.42)",path:"#1f2328",guess:"#c04e00",on:"#fff",hues:["#0072b2","#d55e00","#00875f","#b8578f","#a67000","#3d93c4","#a0522d"]},P={surface:"#121212",paper:"#26292e",ink:"#e6e8eb",muted:"#a8b0ba",line:"#3a3f47",track:"#272b31",control:"#868e99",accent:"#90caf9",up:"#7cc4f0",down:"#ffa45c",bar:"#5c97c7",strong:"#fff",halo:"rgba(0,0,0,.75)",shadow:"0 2px 12px rgba(0,0,0,.6)",edge:"#525a65",ghost:"#7f8894",outline:"#8d96a2",link:"rgba(168,176,186,.3)",lit:"#ffd166",glow:"rgba(255,209,102,.3)",path:"#fff",guess:"#ffa45c",on:"#10151b",hues:["#4ba3e3","#f0883e","#2fc394","#e08fbf","#e0b040","#8fd0f5","#cf9368"]};var Y=["surface","paper","muted","line","track","control","accent","up","down","bar","shadow","path","guess","on"],O=r=>[`--sl-text:${r.ink}`,...Y.map(t=>`--sl-${t}:${r[t]}`)].join(";"),F=`.sl-view{${O(B)}}
.sl-view.sl-dark{${O(P)}}
`;var k='system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif',re=`12px ${k}`,oe=`600 12px ${k}`,ne=`11px ${k}`;var R=`${F}
.sl-view{position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;font-family:${k};
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
`;var G=1<<20,K=4<<20,V=`${R}
.sl-upload .sl-drop{display:flex;align-items:center;justify-content:center;gap:6px;min-height:44px;padding:6px 12px;cursor:pointer;
  border:1px dashed var(--sl-control);border-radius:8px;color:var(--sl-accent);font-weight:600;text-align:center}
.sl-upload .sl-drop:hover,.sl-upload .sl-over{background:var(--sl-track)}
.sl-upload .sl-over{border-style:solid;border-color:var(--sl-accent)}
.sl-upload .sl-drop:focus-within{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-upload .sl-drop input{position:absolute;width:1px;height:1px;opacity:0;overflow:hidden}
.sl-upload .sl-going{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:4px 10px;align-items:center;margin-top:8px}
.sl-upload .sl-going[hidden]{display:none}
.sl-upload .sl-going span{overflow-wrap:anywhere}
.sl-upload progress{width:100%;accent-color:var(--sl-accent);grid-column:1}
.sl-upload .sl-going button{grid-column:2;min-height:30px;padding:0 10px;border:1px solid var(--sl-control);border-radius:6px;background:none;
  color:var(--sl-text);cursor:pointer}
`,D=r=>r<1e7?(r/1e6).toFixed(1):Math.round(r/1e6).toLocaleString("en");function W(r,t){let s=u("input",{type:"file",multiple:!0}),n=u("label",{class:"sl-drop"},[u("span",{text:"Upload a stream: drop a file, or choose one"}),s]),l=u("span",{class:"sl-muted",role:"status"}),a=u("span",{class:"sl-muted"}),p=u("progress",{max:"1","aria-label":"Upload"}),d=u("button",{type:"button",text:"Cancel"}),c=u("div",{class:"sl-going",hidden:!0},[l,a,p,d]),f=u("div",{class:"sl-view sl-upload"},[n,c]);r.append(u("style",{text:V}),f);let h=new AbortController,x=(e,o,m)=>e.addEventListener(o,m,{signal:h.signal}),g=Math.floor(Math.random()*2**40),i=[],_=0,v=0,w=0,E=!1,b={state:"idle",busy:"",share:null};function y(){let e=i.length>0,o=i.length===1?i[0].name:`${i.length} files`;c.hidden=!e&&!b.busy,z(l,e?`Uploading ${o}`:b.busy),z(a,e?`${D(w)} of ${D(_)} MB`:"");let m=e?w/(_||1):b.share;m==null?p.removeAttribute("value"):p.value=m,d.hidden=!e}function M(e){i=[...e],i.length&&(g+=1,_=i.reduce((o,m)=>o+m.size,0),v=w=0,t({kind:"files",upload:g,files:i.map(o=>[o.name,o.size])}),y())}function A(){i=[],s.value="",y()}function I(){let e=v;for(let o of i){if(e<o.size)return o.slice(e,Math.min(e+G,o.size));e-=o.size}return null}async function S(){if(E)return;E=!0;let e=g;try{for(;i.length&&g===e&&v<_&&v-w<K;){let o=await I().arrayBuffer();if(!i.length||g!==e)break;v+=o.byteLength,t({kind:"piece",upload:g,data:o})}}catch(o){t({kind:"cancel"}),A(),b={...b,busy:`The browser cannot read the file: ${o.message}`,share:0},y()}E=!1,g!==e&&i.length&&S()}function H(e){b=e,f.classList.toggle("sl-dark",e.dark),s.accept!==e.accept&&(s.accept=e.accept),i.length&&e.upload===g&&(w=e.received,e.state==="going"?S():A()),y()}let $=e=>{var o,m;return[...(m=(o=e.dataTransfer)==null?void 0:o.types)!=null?m:[]].includes("Files")};x(s,"change",()=>M(s.files)),x(d,"click",()=>{t({kind:"cancel"}),A(),s.focus()});for(let e of["dragenter","dragover"])x(window,e,o=>{$(o)&&(o.preventDefault(),o.dataTransfer.dropEffect="copy",n.classList.add("sl-over"))});x(window,"dragleave",e=>{e.relatedTarget||n.classList.remove("sl-over")}),x(window,"drop",e=>{$(e)&&(e.preventDefault(),n.classList.remove("sl-over"),M(e.dataTransfer.files))});function N(){i.length&&(A(),b={...b,busy:"The connection was lost: choose the file once more.",share:0},y())}return{update:H,lost:N,setDark:e=>f.classList.toggle("sl-dark",e),destroy:()=>{h.abort(),r.replaceChildren()}}}function ue({model:r,el:t,view:s}){L(r,s,()=>{var a,p,d;let n=W(t,c=>r.send_msg(c));n.setDark(r.dark);let l=C(r,s,c=>n.update(c));return(d=(p=(a=s==null?void 0:s.model)==null?void 0:a.document)==null?void 0:p.on_event)==null||d.call(p,"client_reconnected",()=>n.lost()),()=>{l(),n.destroy()}})}export{W as createUpload,ue as render};
