/* Rules of the replay's page; colours are the kit's variables. */
import { DARK, LIGHT } from "../../../kit/js/palette.js";
import { AT_ONCE } from "../../../kit/js/room.js";
import { SHARED_CSS } from "../../../kit/js/style.js";
import { CARD } from "../../../timeline/js/colours.js";
import { TIMELINE_CSS } from "../../../timeline/js/style.js";

export const REPLAY_CSS = `${SHARED_CSS}
${TIMELINE_CSS}
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
.sl-replay .sl-story{font-size:23px;font-weight:600;line-height:1.3;min-height:2.6em;overflow-wrap:anywhere;text-wrap:balance}
.sl-replay .sl-story i{font-style:normal}
.sl-replay .sl-chart{height:var(--sl-curve,230px)}
.sl-replay .sl-timeline .sl-bar-row{margin:6px 0;gap:8px 10px}.sl-replay .sl-formula{flex:1 1 260px;min-width:0}
.sl-replay :is(.sl-playhead,.sl-bands){bottom:42px}
.sl-track{position:relative;height:14px;margin:4px var(--right) 0 var(--left);cursor:ew-resize;touch-action:none;border-radius:7px;background:var(--sl-track);
  border:1px solid var(--sl-control)}
.sl-track .sl-fill{position:absolute;left:0;top:0;bottom:0;background:var(--sl-accent);opacity:.45;border-radius:6px}
.sl-track .sl-thumb{position:absolute;left:-11px;top:-6px;width:22px;height:24px;border-radius:8px;background:var(--sl-accent);border:2px solid var(--sl-card);box-sizing:border-box}
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
.sl-replay .sl-foot{color:var(--sl-muted);font-size:13px}
.sl-replay .sl-tip{z-index:9}
@media ${AT_ONCE}{.sl-replay{--sl-fill:1;--sl-curve:clamp(76px,calc(33vh - 162px),220px);box-sizing:border-box;max-width:none;height:100vh;
    padding:6px 16px;gap:6px 12px;
    grid-template:"top top" auto "story story" auto "stage cards" minmax(0,1fr) "transport transport" auto "time time" auto/minmax(0,1fr) 248px}
  .sl-replay .sl-top{grid-area:top;align-items:center}.sl-replay .sl-top>div{display:flex;gap:4px 14px;align-items:baseline;min-width:0}
  .sl-replay h1{flex:none;max-width:45%;font-size:17px}.sl-replay .sl-intro{font-size:13px;max-width:none;max-height:2.8em;line-height:1.4;overflow:hidden}
  .sl-replay .sl-story{grid-area:story;max-height:2.6em;min-height:0;overflow:hidden}
  .sl-replay .sl-pictures{grid-area:stage;position:relative;min-height:0;padding:4px 10px;display:flex;flex-direction:column}
  .sl-replay .sl-pictures>[role=tabpanel]{flex:1 1 0;min-height:0;display:flex;flex-direction:column;overflow:auto}
  .sl-replay .sl-pictures .sl-fold{margin:0 0 4px}.sl-replay .sl-tabs{margin-bottom:4px}.sl-replay .sl-tabs button{height:30px}
  .sl-replay .sl-pair{flex:1 1 0;min-height:180px}.sl-replay .sl-slot{min-height:0;overflow:auto}
  .sl-replay .sl-learners{grid-area:cards;grid-template-columns:minmax(0,1fr);gap:8px;align-content:start;min-height:0;overflow-y:auto;scrollbar-width:thin}
  .sl-replay .sl-learner{padding:6px 10px;border-radius:8px}.sl-replay .sl-learner .sl-score{font-size:18px}.sl-replay .sl-learner p{font-size:13px}
  .sl-replay .sl-learner .sl-last{min-height:0}
  .sl-replay .sl-transport-row{grid-area:transport;position:static;padding:0}.sl-replay .sl-transport-row :is(.sl-play,.sl-round){height:34px}
  .sl-replay .sl-timeline{grid-area:time;padding:4px 10px}.sl-replay .sl-timeline>.sl-bar-row{margin:0}
  .sl-replay .sl-timeline .sl-track{margin-top:2px}.sl-replay .sl-timeline select{height:28px}
  .sl-replay .sl-pictures .sl-choice{position:absolute;top:2px;right:10px;margin:0;padding:0}.sl-replay .sl-choice select{height:28px}
.sl-replay>.sl-foot{display:none}}
@container (min-width:900px){.sl-pair.sl-two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
@container (max-width:560px){.sl-replay .sl-story{min-height:5.2em;font-size:18px}.sl-replay .sl-transport-row{gap:2px 8px;padding:4px 0}}
@media (max-width:560px){.sl-replay{padding:10px 10px 16px}.sl-replay .sl-card{padding:10px}.sl-replay h1{font-size:18px}}
`;
