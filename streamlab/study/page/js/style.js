/* Rules of a study's page: type of 23, 18 and 14 px, axes 11. */
import { TIMELINE_CSS } from "../../../views/timeline/js/style.js";

export const STUDY_CSS = `${TIMELINE_CSS}
.sl-study{--sl-card:var(--sl-surface);font-size:14px} .sl-study [hidden]{display:none!important}
.sl-study :is(p,h2){margin:0} .sl-study .sl-areas{display:grid;gap:8px;grid-template-columns:minmax(0,1fr)} .sl-study .sl-area{min-width:0}
.sl-study .sl-area-story{align-self:center} .sl-study .sl-area-story p{font-size:23px;line-height:1.3;font-weight:600;text-wrap:balance;overflow-wrap:anywhere}
.sl-study .sl-area-story b{font-weight:600} .sl-study code{font-size:18px;padding:1px 6px;border-radius:4px;background:var(--sl-track)} .sl-study code:empty{display:none}
.sl-study .sl-choices{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:space-between;min-height:36px}
.sl-study h2{display:flex;flex-wrap:wrap;gap:2px 6px;align-items:baseline;font-size:18px;font-weight:400;min-width:0}
.sl-study select{max-width:100%;min-height:32px;padding:0 2px;border:0;border-bottom:1.5px solid var(--sl-control);background:none;color:var(--sl-text);font-weight:600;cursor:pointer}
.sl-study select option{background:var(--sl-paper);font-size:14px}
.sl-words{position:relative;display:flex;gap:4px;margin-right:-10px} .sl-words button{min-height:32px;padding:0 10px;border:0;border-radius:8px;background:none;color:inherit;cursor:pointer}
.sl-words button:is(:hover,[aria-expanded=true]){background:var(--sl-track)} .sl-words [aria-pressed=true]{font-weight:600;box-shadow:inset 0 -2px var(--sl-accent);border-radius:0}
.sl-popup{position:absolute;z-index:20;right:0;top:38px;width:min(400px,calc(100vw - 32px));max-height:min(480px,60vh);overflow:auto;padding:12px 14px;
  border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-popup p+p{margin-top:8px}
.sl-popup fieldset{border:0;margin:0 0 8px;padding:0;min-width:0;display:grid} .sl-popup legend{padding:0;color:var(--sl-muted)}
.sl-chip-choice{display:flex;align-items:center;gap:8px;min-height:30px;cursor:pointer;overflow-wrap:anywhere} .sl-chip-choice input{margin:0;accent-color:var(--sl-accent)}
.sl-words .sl-plain{justify-self:start;padding:0;color:var(--sl-accent);text-decoration:underline}
.sl-study .sl-swatch{flex:none;display:inline-block;vertical-align:middle;margin-right:8px}
/* the ranks: a line for each learner, and brackets beside those whose order may be chance */
.sl-ranks{display:grid;grid-template-columns:fit-content(280px) minmax(0,1fr) auto;grid-template-rows:28px repeat(var(--sl-lines),minmax(40px,150px)) auto;column-gap:28px;
  flex:1;min-height:0;overflow:auto;scrollbar-width:thin;align-content:start}
.sl-rank-axis,.sl-rank-line{grid-column:1/3;display:grid;grid-template-columns:subgrid;align-items:center}
.sl-rank-axis span{grid-column:2;position:relative;height:20px;margin:0 12px;color:var(--sl-muted);white-space:nowrap}
.sl-rank-axis i{position:absolute;font-style:normal;transform:translateX(-4px)} .sl-rank-axis i:last-child:not(:first-child){transform:translateX(calc(-100% + 4px))}
.sl-rank-line b{font-size:18px;font-weight:600;overflow-wrap:anywhere;line-height:1.2} .sl-rank-line b:not(:last-child){padding-bottom:14px}
.sl-lane{position:relative;height:100%;min-height:40px;margin:0 12px} .sl-lane::before{content:"";position:absolute;left:-12px;right:-12px;top:calc(50% - 7px);border-top:1px solid var(--sl-line)}
.sl-lane>*{position:absolute;transform:translate(-50%,-50%)}
.sl-lane i{top:calc(50% - 7px);width:20px;height:20px;border-radius:10px;border:3px solid var(--own);background:var(--own)} .sl-so-far .sl-lane i{background:var(--sl-paper)}
.sl-lane strong{top:calc(50% - 7px);font-size:23px;font-weight:600;line-height:1;padding:0 4px;background:var(--sl-surface);transform:translate(16px,-50%)}
.sl-lane strong.sl-leftwards{transform:translate(calc(-100% - 16px),-50%)}
.sl-lane a{top:calc(50% + 13px);width:11px;height:18px} .sl-lane a::before{content:"";position:absolute;left:1px;top:5px;width:8px;height:8px;border-radius:4px;background:var(--own);opacity:.6}
.sl-lane a:hover::before{opacity:1;outline:2px solid var(--own);outline-offset:1px}
.sl-alike{grid-column:3;position:relative;width:10px}
.sl-alike{--of:var(--sl-control)} .sl-alike.sl-said{margin-right:20px} .sl-alike.sl-better{--of:var(--sl-text)}
.sl-alike::before{content:"";position:absolute;inset:calc(50%/var(--sl-joined) - 7px) 0 calc(50%/var(--sl-joined) + 6px);border-right:2px solid var(--of)}
.sl-alike i{position:absolute;right:0;top:calc(100%*(var(--at) + .5)/var(--sl-joined) - 8px);width:10px;height:2px;background:var(--of)}
.sl-alike span{position:absolute;inset:0 auto 0 calc(100% + 2px);margin:-7px 0 7px;display:grid;place-items:center;writing-mode:vertical-rl;line-height:14px;white-space:nowrap;font-size:13px;color:var(--sl-muted)}
.sl-better span{color:var(--sl-text);font-weight:600}
.sl-study .sl-key{grid-column:1/-1;display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 24px;padding:4px 0 8px;color:var(--sl-muted)}
.sl-progress{display:flex;flex-wrap:wrap;gap:6px;padding-bottom:14px} .sl-progress i{width:18px;height:18px;border-radius:4px;border:2px solid var(--sl-control)}
.sl-progress .sl-begun{background:linear-gradient(to right,var(--sl-control) 50%,transparent 50%)} .sl-progress .sl-ended{background:var(--sl-control)}
/* the table */
.sl-table-host,.sl-curve-host{position:relative} .sl-curve-host{flex:1;min-height:0}
.sl-study .sl-scroll{max-height:none;overflow-x:auto;overflow-y:hidden;border:0;margin:0}
.sl-study table{font-size:14px;width:100%} .sl-study :is(th,td){padding:0 4px;height:36px}
.sl-study thead th{background:var(--sl-surface);vertical-align:bottom;white-space:normal}
.sl-study thead th:first-child,.sl-study tbody th{position:sticky;left:0;z-index:1;background:var(--sl-surface);text-align:left;white-space:normal;min-width:130px;
  max-width:240px;overflow-wrap:anywhere}
.sl-study thead th button{min-height:32px;padding:4px 6px;border:0;background:none;color:inherit;font:inherit;cursor:pointer;text-align:inherit;overflow-wrap:anywhere}
.sl-study tr>:first-child{padding-left:0} .sl-study thead th:first-child button{padding-left:0}
.sl-study thead th button:hover{text-decoration:underline} .sl-study thead th[aria-sort] button{color:var(--sl-text);font-weight:600}
.sl-study :is(th,td):last-child{padding-right:0} .sl-study thead th:last-child button{padding-right:0} .sl-study td:last-child a{margin-right:-8px}
.sl-study td a{display:inline-block;min-height:30px;line-height:30px;padding:0 8px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-study td a:hover{background:var(--sl-track);text-decoration:underline} .sl-study td a.sl-best{font-weight:700} .sl-study td a.sl-word{color:var(--sl-muted)}
.sl-study td a[aria-current]{outline:2px solid var(--sl-accent)}
.sl-study .sl-chart{cursor:pointer;border-radius:6px} .sl-study .sl-chart:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-study p.sl-axis-title{margin:2px 0 0;text-align:center;max-width:none;font-size:11px}
@container style(--sl-projected:1){.sl-study .sl-area-story p{font-size:18.5px} .sl-study h2{font-size:14px} .sl-study .sl-words{display:none} .sl-study .sl-choices{min-height:0}
  .sl-rank-line b{font-size:16px} .sl-lane strong{font-size:19.6px} .sl-study table{font-size:13px} .sl-study :is(th,td){height:24px} .sl-study td a{min-height:22px;line-height:22px}
  .sl-study thead th button{min-height:22px;padding:0 6px} .sl-ranks{grid-template-rows:22px repeat(var(--sl-lines),minmax(36px,110px)) auto} .sl-lane{min-height:36px}}
@container (max-width:640px){.sl-study .sl-area-story p{font-size:18px} .sl-study code{font-size:14px}
  .sl-ranks{grid-template-columns:minmax(0,1fr) auto;column-gap:8px;grid-template-rows:24px repeat(var(--sl-lines),auto) auto} .sl-rank-axis,.sl-rank-line{display:block;grid-column:1}
  .sl-rank-line{padding-top:6px} .sl-lane{display:block;height:44px} .sl-rank-axis span{display:block} .sl-alike{grid-column:2} .sl-alike::before{inset:calc(100%/var(--sl-joined) - 30px) 0 28px} .sl-alike i{top:calc(100%*(var(--at) + 1)/var(--sl-joined) - 30px)} .sl-alike span{margin:0} .sl-rank-line b:not(:last-child){display:block;padding:0} .sl-rank-axis i:not(:first-child,:last-child){display:none}
  .sl-progress{padding:6px 0 4px}
  .sl-study :is(th,td){padding:0 1px} .sl-study :is(thead th:first-child,tbody th){min-width:76px;max-width:96px} .sl-study thead th button{padding:4px 1px} .sl-study td a{padding:0 1px} .sl-study td:last-child a{margin-right:0}}
@container (max-width:640px){.sl-study .sl-ranks{margin-top:8px} .sl-study .sl-key{padding-top:8px} .sl-study .sl-key span{text-wrap:balance}
  .sl-study :is(td,thead th:not(:first-child)){min-width:56px} .sl-study td a{padding:0} .sl-study tbody th{line-height:1.3;padding:4px 0}}
`;
