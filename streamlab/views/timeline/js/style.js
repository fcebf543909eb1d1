/* Rules of curves, marks and axis; colours are the kit's variables and --sl-card, what they stand on. */

export const TIMELINE_CSS = `
.sl-plot{position:relative;user-select:none;-webkit-user-select:none}
.sl-chart{position:relative;cursor:ew-resize;touch-action:pan-y}
.sl-curves{display:block;overflow:visible}
.sl-curves text{font:11px Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--sl-muted)}
.sl-curves :is(.sl-name,.sl-lost){font-size:14px;font-weight:650;paint-order:stroke;stroke:var(--sl-card);stroke-width:5px;stroke-linejoin:round}
.sl-curves .sl-name{cursor:pointer}
.sl-curves .sl-name:is(:hover,:focus-visible){text-decoration:underline;outline:0}
.sl-curves .sl-lost{stroke-width:3px;pointer-events:none}
.sl-curves .sl-before{font-size:13px;font-weight:600;fill:var(--sl-muted);pointer-events:none;paint-order:stroke;stroke:var(--sl-card);stroke-width:3px}
.sl-curves :is(.sl-value,.sl-does){font-weight:500}
.sl-leader{fill:none;stroke-width:1;stroke-dasharray:1 3;opacity:.8}
.sl-curves .sl-grid{stroke:var(--sl-line);stroke-width:1}
.sl-curves .sl-dot{stroke:var(--sl-card);stroke-width:1.5}
.sl-curves .sl-dot.sl-short{fill:var(--sl-card);stroke:var(--own);stroke-width:2}
.sl-level{opacity:.7}
.sl-bands{position:absolute;inset:0 0 20px;pointer-events:none}
.sl-bands i{position:absolute;top:22px;bottom:0;border-left:1.5px dashed var(--sl-muted);box-sizing:border-box}
.sl-bands i.sl-wide{background:color-mix(in srgb,var(--sl-control) 16%,transparent);border-right:1.5px dashed var(--sl-control)}
.sl-bands i.sl-under-way{border-left:0}
.sl-marks{position:absolute;inset:0;z-index:3;pointer-events:none}
.sl-marks button{position:absolute;display:grid;place-items:center;width:24px;height:24px;margin:-12px 0 0 -12px;padding:0;border:0;border-radius:12px;background:none;
  color:var(--own,var(--sl-text));cursor:pointer;pointer-events:auto;font-size:14px;line-height:1}
.sl-marks .sl-number::before{content:"";position:absolute;inset:2px;border-radius:10px;background:var(--sl-text);z-index:-1}
.sl-marks .sl-number{min-width:24px;width:max-content;margin-left:0;padding:0 8px;transform:translateX(-50%);color:var(--sl-card);font-size:13px;font-weight:700;z-index:1}
.sl-marks .sl-alarm{margin-top:-22px;align-items:end;text-shadow:0 0 3px var(--sl-card),0 0 3px var(--sl-card)}
.sl-marks .sl-of-several{background:var(--several);background-clip:text;color:transparent;text-shadow:none;font-size:17px;filter:drop-shadow(0 0 1px var(--sl-card)) drop-shadow(0 0 1px var(--sl-card))}
.sl-marks .sl-small{width:16px;height:16px;margin:-8px 0 0 -8px}
.sl-marks .sl-small::after{content:"";width:9px;height:9px;border-radius:2px;transform:rotate(45deg);background:currentColor;box-shadow:0 0 0 1.5px var(--sl-card)}
.sl-marks .sl-bar::after{width:3px;height:10px;border-radius:1px;transform:none}
.sl-brief{position:absolute;top:2px;font-size:14px;font-weight:600;line-height:20px;white-space:nowrap}
.sl-delay{position:absolute;font-size:13px;font-weight:600;line-height:18px;white-space:nowrap;color:var(--own-text)}
.sl-delay.sl-shared{color:var(--sl-text)}
.sl-joins{position:absolute;inset:0;width:100%;height:100%;opacity:.7}
.sl-playhead{position:absolute;left:-9px;width:18px;top:20px;bottom:20px;z-index:2;cursor:ew-resize;touch-action:none}
.sl-playhead::after{content:"";position:absolute;left:8px;top:0;bottom:0;width:2px;background:var(--sl-text)}
.sl-axis-rows{position:relative;height:20px;font-size:11px;line-height:20px;color:var(--sl-muted);overflow:hidden}
.sl-axis-rows span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.sl-axis-rows span.sl-last{transform:none;left:auto!important;right:0}
`;

/** What the live page has beside them. --sl-time is the height of all of it, the axis too. */
export const LIVE_CSS = `
.sl-timeline{--sl-card:var(--sl-surface);display:flex;flex-direction:column;height:var(--sl-time,calc(var(--sl-curve,196px) + 40px))}
.sl-timeline.sl-narrow{height:var(--sl-time,200px)}
.sl-timeline [hidden]{display:none}
.sl-timeline.sl-unmeasured{visibility:hidden}
.sl-timeline :is(select,button,.sl-figures,.sl-playhead):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-timeline .sl-plot{flex:1 1 0;min-height:0;display:flex;flex-direction:column}
.sl-figures{flex:1 1 0;min-height:0;display:flex;flex-direction:column;border-radius:6px;touch-action:pan-y}
.sl-timeline .sl-chart{flex:1 1 0;min-height:0;cursor:crosshair}
.sl-timeline .sl-chart~.sl-chart{flex-grow:.6}
.sl-chart-title{flex:none;font-size:14px;font-weight:600}
.sl-timeline .sl-measure{position:absolute;z-index:4;left:0;top:0;height:24px;max-width:60%;padding:0 16px 0 0;border:0;border-radius:4px;font-size:14px;font-weight:650;
  color:var(--sl-text);cursor:pointer;-webkit-appearance:none;appearance:none;field-sizing:content;text-overflow:ellipsis;
  background:linear-gradient(45deg,transparent 50%,currentColor 50%) calc(100% - 5px) 10px/5px 5px no-repeat,
  linear-gradient(-45deg,transparent 50%,currentColor 50%) 100% 10px/5px 5px no-repeat}
.sl-timeline .sl-measure option{background:var(--sl-paper);font-weight:400}
.sl-axis-rows{flex:none}
.sl-cross{position:absolute;left:0;top:22px;bottom:20px;width:1px;background:var(--sl-control);pointer-events:none}
.sl-timeline :is(.sl-add,.sl-fork-here,.sl-follow){border:1px solid var(--sl-control);border-radius:12px;background:var(--sl-card);color:var(--sl-text);cursor:pointer;white-space:nowrap}
.sl-timeline :is(.sl-add,.sl-fork-here,.sl-follow):hover{background:var(--sl-track)}
.sl-timeline .sl-add{position:absolute;z-index:4;right:0;bottom:0;width:24px;height:24px;padding:0;font-size:14px;line-height:1}
.sl-fork-here{position:absolute;z-index:4;left:0;bottom:22px;height:24px;padding:0 8px;font-size:13px}
.sl-follow{position:absolute;z-index:4;right:32px;bottom:0;height:24px;padding:0 8px;font-size:13px}
.sl-overview{position:relative;flex:none;height:28px;margin:2px var(--right) 0 var(--left);border-radius:6px;background:var(--sl-track);touch-action:none;cursor:grab}
.sl-small-curves{position:absolute;inset:0;display:block;overflow:hidden}
.sl-small-curves .sl-drift{stroke:var(--sl-text);stroke-width:1;stroke-dasharray:3 2}
.sl-window{position:absolute;top:0;bottom:0;border-radius:6px;background:color-mix(in srgb,var(--sl-text) 10%,transparent);pointer-events:none}
.sl-projected :is(.sl-add,.sl-fork-here,.sl-follow),.sl-projected .sl-overview{display:none}
.sl-projected :is(.sl-axis-rows,.sl-tick){font-size:13px!important}
.sl-projected .sl-curves path[stroke-width="2.5"]{stroke-width:3}
`;
