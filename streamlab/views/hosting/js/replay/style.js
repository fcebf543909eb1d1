/* Rules of the replay's page beside those of the live page's parts; colours are the kit's variables. */
import { DARK, LIGHT } from "../../../kit/js/palette.js";
import { AT_ONCE } from "../../../kit/js/room.js";
import { SHARED_CSS } from "../../../kit/js/style.js";

export const REPLAY_CSS = `${SHARED_CSS}
html{background:${LIGHT.surface};color-scheme:light}
html.sl-dark{background:${DARK.surface};color-scheme:dark}
body{margin:0}
.sl-view.sl-replay{container:page/inline-size}
.sl-replay :is(h1,p){margin:0}
.sl-replay .sl-top{display:flex;gap:16px;align-items:center;justify-content:space-between;height:48px;padding:0 28px}
.sl-replay h1{font-size:15px;font-weight:600;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-replay .sl-theme{flex:none;height:36px;padding:0 12px;border:1px solid var(--sl-control);border-radius:18px;background:none;color:var(--sl-text);cursor:pointer}
.sl-replay .sl-story{font-size:23px;font-weight:600;line-height:1.3;padding:0 2px;overflow-wrap:anywhere;text-wrap:balance}
.sl-replay .sl-story i{font-style:normal}
.sl-replay .sl-add{display:none}
.sl-replay .sl-transport-area{background:var(--sl-surface)}
.sl-replay .sl-pair{display:grid;gap:28px;grid-template-columns:repeat(auto-fit,minmax(min(var(--least,430px),100%),1fr))}
.sl-slot{min-width:0}
.sl-heads{display:flex;gap:4px 12px;align-items:baseline;min-height:40px}
.sl-heads>div{flex:1 1 auto;min-width:0} .sl-when{flex:none}
.sl-heads select{border:0;background:none;color:var(--sl-muted);font-size:13px;cursor:pointer} .sl-heads option{background:var(--sl-paper);color:var(--sl-text)}
.sl-about{max-width:76em;padding:16px 28px 24px;display:grid;gap:8px;overflow-wrap:anywhere}
@media ${AT_ONCE}{
  .sl-stage-area{position:relative;display:flex;flex-direction:column}
  .sl-replay .sl-pair{flex:1 1 0;min-height:0;grid-template-rows:minmax(0,1fr)} .sl-slot{display:flex;flex-direction:column;min-height:0;overflow:auto}
  .sl-place-of{flex:1 1 0;min-height:0} .sl-slot:last-child .sl-heads{padding-right:330px}
  .sl-words{position:absolute;right:0;top:4px;z-index:7}
}
@media (max-width:640px){.sl-replay .sl-top,.sl-about{padding-left:16px;padding-right:16px} .sl-replay .sl-story{font-size:18px}}
`;
