/* Rules of the replay's page; colours are the kit's variables. */
import { DARK, LIGHT } from "../../../kit/js/palette.js";
import { SHARED_CSS } from "../../../kit/js/style.js";
import { CARD } from "../../../timeline/js/colours.js";

export const REPLAY_CSS = `${SHARED_CSS}
html{background:${LIGHT.track};color-scheme:light}
html.sl-dark{background:${DARK.surface};color-scheme:dark}
body{margin:0}
.sl-replay{--sl-card:${CARD.light};max-width:1440px;margin:0 auto;padding:16px 20px 24px;font-size:14px;overflow-wrap:anywhere;display:grid;gap:12px;
  grid-template-columns:minmax(0,1fr)}
.sl-replay.sl-dark{--sl-card:${CARD.dark}}
.sl-replay .sl-view{font-size:13px}
.sl-replay :is(h1,h2,h3,p){margin:0}
.sl-replay [hidden]{display:none}
.sl-replay .sl-top{display:flex;gap:16px;align-items:flex-start;justify-content:space-between}
.sl-replay h1{font-size:20px;line-height:1.3;overflow-wrap:anywhere}
.sl-replay .sl-intro{color:var(--sl-muted);max-width:76em;overflow-wrap:anywhere}
.sl-replay .sl-card{background:var(--sl-card);border:1px solid var(--sl-line);border-radius:12px;padding:12px 14px;min-width:0}
.sl-replay select{height:36px;padding:0 8px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-card);color:var(--sl-text);max-width:100%}
.sl-replay :is(button,select,input,[role=slider],[role=tab]):focus-visible{outline:3px solid var(--sl-accent);outline-offset:2px}
.sl-replay .sl-theme{flex:none;height:36px;padding:0 12px;border:1px solid var(--sl-control);border-radius:18px;background:none;color:var(--sl-text);cursor:pointer}
.sl-replay .sl-transport-row{position:sticky;top:0;z-index:6;display:flex;flex-wrap:wrap;gap:8px 10px;align-items:center;padding:8px 0;
  background:${LIGHT.track}}
.sl-replay.sl-dark .sl-transport-row{background:${DARK.surface}}
.sl-replay .sl-play,.sl-replay .sl-round{display:inline-flex;align-items:center;justify-content:center;gap:6px;height:44px;min-width:44px;cursor:pointer;
  border:1px solid var(--sl-control);border-radius:22px;background:var(--sl-card);color:var(--sl-text);padding:0 10px}
.sl-replay .sl-play{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);font-weight:600;min-width:112px;padding:0 20px 0 14px}
.sl-replay :is(.sl-play,.sl-round) svg{width:22px;height:22px;fill:currentColor;flex:none}
.sl-replay input[type=range]{flex:1 1 140px;min-width:100px;height:44px;margin:0 4px;accent-color:var(--sl-accent)}
.sl-replay .sl-place{margin-left:auto;font-size:15px;white-space:nowrap}
.sl-replay .sl-story{font-size:16px;line-height:1.4;min-height:2.8em;overflow-wrap:anywhere}
.sl-replay .sl-story b{font-weight:650}
.sl-timeline .sl-bar-row{margin:0 0 6px;gap:8px 10px}
.sl-timeline .sl-formula{flex:1 1 260px;min-width:0}
.sl-plot{position:relative;user-select:none;-webkit-user-select:none}
.sl-chart{position:relative;cursor:ew-resize;touch-action:pan-y}
.sl-curves{display:block}
.sl-curves text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--sl-muted)}
.sl-curves .sl-name{font-weight:600;paint-order:stroke;stroke:var(--sl-card);stroke-width:4px;stroke-linejoin:round}
.sl-curves .sl-grid{stroke:var(--sl-line);stroke-width:1}
.sl-curves .sl-dot{stroke:var(--sl-card);stroke-width:1.5}
.sl-bands{position:absolute;inset:0 0 44px;pointer-events:none}
.sl-bands i{position:absolute;top:20px;bottom:0;border-left:1.5px dashed var(--sl-control);box-sizing:border-box}
.sl-bands i.sl-wide{background:color-mix(in srgb,var(--sl-control) 16%,transparent);border-right:1.5px dashed var(--sl-control)}
.sl-lane{position:relative;height:24px}
.sl-changes{height:26px}
.sl-lanes{border-top:1px solid var(--sl-line)}
.sl-lanes .sl-lane+.sl-lane{border-top:1px solid var(--sl-track)}
.sl-lane-name{position:absolute;right:0;width:calc(var(--right) - 10px);top:3px;font-size:12px;color:var(--own-text);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.sl-narrow .sl-lane-name{left:var(--left);right:0;width:auto;top:0;font-size:11px}
.sl-narrow .sl-lanes .sl-lane{height:40px}
.sl-narrow .sl-lanes .sl-marks{top:16px}
.sl-marks{position:absolute;inset:0;pointer-events:none}
.sl-lane button{position:absolute;transform:translateX(-50%);padding:0;border:0;background:none;cursor:pointer;pointer-events:auto;color:var(--own,var(--sl-text));
  line-height:24px;height:24px;border-radius:6px}
.sl-lane button.sl-number{width:24px;border-radius:12px;background:var(--sl-text);color:var(--sl-card);font-size:13px;font-weight:650}
.sl-lane button.sl-mark{width:24px;font-size:15px}
.sl-lane button.sl-small{width:9px;font-size:14px}
.sl-lane button.sl-small:empty::after{content:"";position:absolute;left:3.5px;top:7px;width:2px;height:10px;background:currentColor;opacity:.75}
.sl-way{position:absolute;top:11px;height:2px;background:var(--own);border-radius:1px}
.sl-delay{position:absolute;z-index:3;top:4px;padding:0 2px;margin-left:-2px;border-radius:3px;background:var(--sl-card);font-size:11px;color:var(--own-text);white-space:nowrap;line-height:16px}
.sl-playhead{position:absolute;left:-1px;top:0;bottom:38px;width:2px;background:var(--sl-accent);pointer-events:none;z-index:2}
.sl-track{position:relative;height:14px;margin:4px var(--right) 0 var(--left);cursor:ew-resize;touch-action:none;border-radius:7px;background:var(--sl-track);
  border:1px solid var(--sl-control)}
.sl-track .sl-fill{position:absolute;left:0;top:0;bottom:0;background:var(--sl-accent);opacity:.45;border-radius:6px}
.sl-track .sl-thumb{position:absolute;left:-11px;top:-6px;width:22px;height:24px;border-radius:8px;background:var(--sl-accent);border:2px solid var(--sl-card);box-sizing:border-box}
.sl-axis-rows{position:relative;height:20px;font-size:12px;color:var(--sl-muted);margin-top:6px;overflow:hidden}
.sl-axis-rows span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.sl-axis-rows span.sl-last{transform:none;left:auto!important;right:0}
.sl-lane-key{margin-top:6px}
.sl-learners{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(260px,100%),1fr));gap:12px}
.sl-learner{border-left:4px solid var(--own)!important}
.sl-learner h3{display:flex;gap:8px;align-items:center;font-size:14px;min-width:0}
.sl-learner h3 span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-learner h3 svg{flex:none;stroke:var(--own)}
.sl-learner p{font-size:13px;color:var(--sl-muted);overflow-wrap:anywhere}
.sl-learner .sl-numbers b{color:var(--sl-text)}
.sl-learner .sl-score{font-size:24px;letter-spacing:-.01em}
.sl-learner .sl-last{margin-top:4px;min-height:2.9em}
.sl-tabs{display:flex;flex-wrap:wrap;gap:4px;margin-bottom:8px;border-bottom:1px solid var(--sl-line)}
.sl-tabs button{height:40px;padding:0 14px;border:0;border-bottom:3px solid transparent;background:none;color:var(--sl-muted);cursor:pointer}
.sl-tabs [aria-selected=true]{color:var(--sl-text);font-weight:600;border-color:var(--sl-accent)}
.sl-choice label{display:inline-flex;gap:8px;align-items:center;color:var(--sl-muted);font-size:13px;min-width:0;max-width:100%;white-space:nowrap}
.sl-choice select{min-width:0;flex:0 1 auto}
.sl-pair{display:grid;gap:20px;grid-template-columns:minmax(0,1fr)}
.sl-slot{min-width:0}
.sl-slot h3{font-size:15px;overflow-wrap:anywhere}
.sl-replay .sl-fold{margin:0 0 10px}
.sl-help{max-width:72em}
.sl-replay .sl-foot{color:var(--sl-muted);font-size:12px}
.sl-replay .sl-tip{z-index:9}
@container (min-width:900px){.sl-pair.sl-two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
@container (max-width:560px){.sl-replay .sl-story{min-height:5.6em;font-size:15px}.sl-replay .sl-transport-row{gap:2px 8px;padding:4px 0}}
@media (max-width:560px){.sl-replay{padding:10px 10px 16px}.sl-replay .sl-card{padding:10px}.sl-replay h1{font-size:18px}}
`;
