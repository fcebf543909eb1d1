/* Rules of a study's page. */
import { TIMELINE_CSS } from "../../../views/timeline/js/style.js";

export const STUDY_CSS = `${TIMELINE_CSS}
.sl-study{--sl-card:#fff;font-size:14px} .sl-study.sl-dark{--sl-card:#1b1e23}
.sl-study p{margin:0 0 8px;max-width:90ch}
.sl-study .sl-table-host{margin-bottom:8px}
.sl-study .sl-area{margin-bottom:12px;min-width:0}
.sl-study h2{font-size:14px;font-weight:650;margin:0}
.sl-study .sl-how{columns:260px auto;column-gap:24px;margin-top:10px}
.sl-study .sl-how p{font-size:13px;line-height:1.4;break-inside:avoid}
.sl-study .sl-tests{min-height:90px;overflow:auto;scrollbar-width:thin}
.sl-study .sl-tests p{margin:4px 0 0;color:var(--sl-muted);font-size:13px;line-height:1.4}
.sl-study .sl-tests h2+div p:first-child{color:var(--sl-text);font-weight:600}
.sl-study .sl-area-story :is(b,p){display:inline;margin-right:6px} .sl-study .sl-area-story b:empty{display:none}
.sl-study .sl-area-timeline section+section{margin-top:12px}
.sl-study [aria-label=Ranks]>p{margin:2px 0 0;font-size:12px}
.sl-study .sl-area-timeline section{display:flex;flex-direction:column;min-width:0;min-height:0}
.sl-study :is(.sl-area-stage,.sl-area-timeline>section){box-sizing:border-box;background:var(--sl-card);border:1px solid var(--sl-line);border-radius:10px;
  padding:8px 12px}
.sl-study code{font-size:13px;padding:1px 6px;border-radius:4px;background:var(--sl-track);overflow-wrap:anywhere}
.sl-study .sl-choices{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;margin:0 0 4px}
.sl-study label.sl-field{display:inline-flex;flex-wrap:wrap;gap:4px 8px;align-items:center;max-width:100%}
.sl-study select{height:30px;padding:0 8px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-card);color:var(--sl-text);
  max-width:100%;font-weight:600;font-size:13px}
.sl-study fieldset{border:0;margin:0 0 6px;padding:0;min-width:0;display:flex;flex-wrap:wrap;gap:4px 6px;align-items:center}
.sl-study legend{float:left;padding:0;width:100%;color:var(--sl-muted);font-size:12px}
.sl-chip-choice{display:inline-flex;align-items:center;gap:6px;min-height:26px;padding:0 8px;font-size:13px;border:1px solid var(--sl-control);border-radius:15px;cursor:pointer;
  max-width:100%;overflow-wrap:anywhere}
.sl-chip-choice:has(:checked){background:var(--sl-track)}
.sl-chip-choice:not(:has(:checked)){border-style:dashed;color:var(--sl-muted)}
.sl-chip-choice input{margin:0;accent-color:var(--sl-accent)}
.sl-study .sl-plain{min-height:30px;padding:0 10px;border:0;background:none;color:var(--sl-accent);text-decoration:underline;cursor:pointer}
.sl-study [hidden]{display:none!important}
.sl-study .sl-swatch{flex:none;display:inline-block;vertical-align:middle;margin-right:6px}
.sl-study .sl-scroll{max-height:none;overflow-x:auto;overflow-y:hidden}
.sl-study table{font-size:14px} .sl-study .sl-scroll{width:fit-content;max-width:100%}
.sl-study :is(th,td){padding:0 4px;height:38px}
.sl-study thead th{background:var(--sl-card);vertical-align:bottom;white-space:normal;min-width:92px}
.sl-study thead th:first-child,.sl-study tbody th{position:sticky;left:0;z-index:1;background:var(--sl-card);text-align:left;white-space:normal;min-width:130px;
  max-width:240px;overflow-wrap:anywhere}
.sl-study thead th button{min-height:32px;padding:4px 6px;border:0;background:none;color:inherit;font:inherit;cursor:pointer;text-align:inherit;overflow-wrap:anywhere}
.sl-study thead th button:hover{text-decoration:underline}
.sl-study thead th[aria-sort] button{color:var(--sl-text);font-weight:650}
.sl-study td a{display:inline-block;min-height:30px;line-height:30px;padding:0 8px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-study td a:hover{background:var(--sl-track);text-decoration:underline} .sl-study td a.sl-best{font-weight:700}
.sl-study td a.sl-word{color:var(--sl-muted);text-decoration:underline dotted;text-underline-offset:4px}
.sl-study td a[aria-current]{outline:2px solid var(--sl-accent)}
.sl-study td small{display:block;font-size:11px;line-height:12px;color:var(--sl-muted);padding:0 8px 4px}
@media (max-width:520px){.sl-study table{font-size:13px} .sl-study :is(th,td){padding:0 1px}
.sl-study thead th{min-width:52px;font-size:12px} .sl-study :is(thead th:first-child,tbody th){min-width:76px} .sl-study thead th button{padding:4px 1px}
.sl-study td a{padding:0 1px} .sl-study tbody .sl-swatch{display:block} .sl-study td small{font-size:10px;padding:0 1px 2px}}
.sl-table-host,.sl-curve-host{position:relative} .sl-study .sl-chart{cursor:pointer;border-radius:6px}
.sl-study .sl-chart:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-diagram{overflow-x:auto;max-width:100%} .sl-diagram svg{display:block;overflow:visible}
.sl-diagram text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.sl-study p.sl-axis-title{margin:2px 0 0;text-align:center;max-width:none}
`;
