/* Rules of curves, lanes and axis; colours are the kit's variables and --sl-card, what they stand on. */

export const TIMELINE_CSS = `
.sl-timeline .sl-bar-row{margin:6px 0;gap:8px 10px}
.sl-timeline .sl-formula{flex:1 1 260px;min-width:0}
.sl-plot{position:relative;user-select:none;-webkit-user-select:none}
.sl-chart{position:relative;cursor:ew-resize;touch-action:pan-y}
.sl-curves{display:block}
.sl-curves text{font:12px Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--sl-muted)}
.sl-curves .sl-name{font-weight:600;paint-order:stroke;stroke:var(--sl-card);stroke-width:9px;stroke-linejoin:round}
.sl-curves .sl-name{cursor:pointer}
.sl-curves .sl-tight .sl-name{font-size:11px;stroke-width:3px}
.sl-curves .sl-level-name{font-size:11px;paint-order:stroke;stroke:var(--sl-card);stroke-width:3px}
.sl-leader{fill:none;stroke-width:1;stroke-dasharray:1 3;opacity:.8}
.sl-curves .sl-grid{stroke:var(--sl-line);stroke-width:1}
.sl-curves .sl-dot{stroke:var(--sl-card);stroke-width:1.5}
.sl-curves .sl-dot.sl-short{fill:var(--sl-card);stroke:var(--own);stroke-width:2}
.sl-bands{position:absolute;inset:0 0 44px;pointer-events:none}
.sl-bands i{position:absolute;top:20px;bottom:0;border-left:1.5px dashed var(--sl-control);box-sizing:border-box}
.sl-bands i.sl-wide{background:color-mix(in srgb,var(--sl-control) 16%,transparent);border-right:1.5px dashed var(--sl-control)}
.sl-lane{position:relative;height:24px}
.sl-changes{height:26px}
.sl-lanes{border-top:1px solid var(--sl-line)}
.sl-lanes .sl-lane+.sl-lane{border-top:1px solid var(--sl-track)}
.sl-lane button.sl-lane-name{right:0;width:calc(var(--right) - 10px);top:0;transform:none;text-align:left;font-size:12px;color:var(--own-text);white-space:nowrap;
  overflow:hidden;text-overflow:ellipsis}
.sl-lane button.sl-lane-name[aria-pressed=true]{font-weight:650;text-decoration:underline}
.sl-narrow .sl-lane button.sl-lane-name{left:var(--left);right:0;width:auto;font-size:11px;height:16px;line-height:16px}
.sl-narrow .sl-lanes .sl-lane{height:40px}
.sl-narrow .sl-lanes .sl-marks{top:16px}
.sl-narrow .sl-delay.sl-beside-name{top:-16px}
.sl-marks{position:absolute;inset:0;pointer-events:none}
.sl-lane button{position:absolute;transform:translateX(-50%);padding:0;border:0;background:none;cursor:pointer;pointer-events:auto;color:var(--own,var(--sl-text));
  line-height:24px;height:24px;border-radius:6px}
.sl-lane button.sl-number{width:24px;border-radius:12px;background:var(--sl-text);color:var(--sl-card);font-size:13px;font-weight:650}
.sl-lane button.sl-mark{width:24px;font-size:15px}
/* so many stand on one place */
.sl-lane button.sl-mark[data-count]::after{content:attr(data-count);position:absolute;left:20px;top:-4px;font-size:10px;font-weight:650}
.sl-lane button.sl-small{width:9px;font-size:14px}
.sl-lane button.sl-small:empty::after{content:"";position:absolute;left:3.5px;top:7px;width:2px;height:10px;background:currentColor;opacity:.75}
.sl-lane button.sl-stub:empty::after{top:10px;height:4px}
.sl-way{position:absolute;top:11px;height:2px;background:var(--own);border-radius:1px}
.sl-delay{position:absolute;z-index:3;top:4px;padding:0 2px;margin-left:-2px;border-radius:3px;background:var(--sl-card);font-size:11px;color:var(--own-text);white-space:nowrap;line-height:16px}
.sl-playhead{position:absolute;left:-1px;top:0;bottom:38px;width:2px;background:var(--sl-accent);pointer-events:none;z-index:2}
.sl-axis-rows{position:relative;height:20px;font-size:12px;color:var(--sl-muted);margin-top:6px;overflow:hidden}
.sl-axis-rows span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.sl-axis-rows span.sl-last{transform:none;left:auto!important;right:0}
.sl-lane-key{display:flex;flex-wrap:wrap;gap:0 12px;margin:4px 0 0 var(--left);min-height:16px;line-height:16px;font-size:11px}
`;

/** The whole run in a strip, wherever it stands. */
export const OVERVIEW_CSS = `
.sl-overview{position:relative;height:36px;margin:8px var(--right) 6px var(--left);border-radius:8px;background:var(--sl-track);box-shadow:inset 0 0 0 1px var(--sl-line);
  touch-action:none}
.sl-small-curves{position:absolute;inset:0;display:block;overflow:hidden}
.sl-small-curves .sl-drift{stroke:var(--sl-text);stroke-width:1;stroke-dasharray:3 2}
.sl-overview .sl-edge{position:absolute;right:0;top:0;bottom:0;display:grid;place-items:center;font-size:10px;line-height:1.1;text-align:center;
  color:var(--sl-muted);border-left:1px dashed var(--sl-control);pointer-events:none}
.sl-overview .sl-edge[hidden]{display:none}
.sl-overview .sl-went{position:absolute;left:0;bottom:0;height:3px;border-radius:2px;background:var(--sl-accent);opacity:.5;pointer-events:none}
.sl-window{position:absolute;top:0;bottom:0;display:none;border-radius:8px;background:color-mix(in srgb,var(--sl-accent) 14%,transparent);
  box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--sl-accent) 45%,transparent);pointer-events:none}
.sl-part .sl-window{display:block}
.sl-overview input{position:absolute;inset:0;width:100%;height:36px;margin:0;background:none;-webkit-appearance:none;appearance:none;cursor:ew-resize}
.sl-overview input:disabled{cursor:default}
.sl-overview input::-webkit-slider-runnable-track{height:36px;background:none}
.sl-overview input::-webkit-slider-thumb{-webkit-appearance:none;width:2px;height:36px;opacity:0}
.sl-overview input::-moz-range-thumb{width:2px;height:36px;border:0;opacity:0}
.sl-overview input:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:8px}
.sl-head{position:absolute;left:-7px;top:-4px;width:14px;height:44px;pointer-events:none}
.sl-head::before{content:"";position:absolute;left:6px;top:4px;bottom:4px;width:2px;background:var(--sl-accent)}
.sl-head::after{content:"";position:absolute;left:0;top:0;width:14px;height:16px;border-radius:4px 4px 7px 7px;background:var(--sl-accent);
  border:2px solid var(--sl-card)}
.sl-grip{position:absolute;display:none;top:0;bottom:0;width:8px;cursor:col-resize;touch-action:none}
.sl-part .sl-grip{display:block}
.sl-grip::after{content:"";position:absolute;left:3px;top:10px;bottom:10px;width:2px;border-radius:1px;background:var(--sl-accent)}
.sl-grip-middle{top:auto;height:9px;cursor:grab}
.sl-grip-middle::after{content:none}
`;

/** What the live page has beside them: headings, the playhead as a handle. */
export const LIVE_CSS = `
.sl-timeline{--sl-card:#fff;background:var(--sl-card);border:1px solid var(--sl-line);border-radius:12px;padding:12px 14px}
.sl-timeline.sl-dark{--sl-card:#1b1e23}
.sl-timeline [hidden]{display:none}
.sl-timeline.sl-unmeasured{visibility:hidden}
.sl-timeline select,.sl-small-button{height:36px;padding:0 8px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-card);
  color:var(--sl-text);max-width:100%;font-size:13px}
.sl-timeline select[aria-label=Measure]{font-weight:600}
.sl-small-button{cursor:pointer;padding:0 12px}
.sl-small-button:hover{background:var(--sl-track)}
.sl-timeline :is(select,button,.sl-figures):focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-timeline .sl-bar-row{min-height:36px}
.sl-seen-note{margin-left:auto;white-space:nowrap}
.sl-figures{border-radius:6px;touch-action:pan-y}
.sl-timeline .sl-chart{cursor:crosshair}
.sl-chart-title{margin:8px 0 0 var(--left);font-weight:600}
.sl-timeline .sl-bands{inset:0 0 26px}
.sl-timeline .sl-bands i.sl-under-way{border-left:0}
.sl-timeline .sl-bands i{top:26px}
.sl-timeline .sl-playhead{bottom:24px;left:-9px;width:18px;background:none;pointer-events:auto;cursor:ew-resize;touch-action:none}
.sl-timeline .sl-playhead::after{content:"";position:absolute;left:8px;top:0;bottom:0;width:2px;background:var(--sl-accent)}
.sl-cross{position:absolute;left:0;top:26px;bottom:26px;width:1px;background:var(--sl-control);pointer-events:none}
@media (max-width:520px){.sl-timeline{padding:10px;display:flex;flex-direction:column}.sl-timeline>.sl-bar-row{order:1;margin:8px 0 0}.sl-timeline>.sl-foot{order:2}.sl-seen-note{margin-left:0}.sl-timeline>.sl-bar-row select{flex:1 1 40%;min-width:0}.sl-timeline .sl-formula{flex-basis:100%;order:1}}
@container page (min-width:1060px){.sl-timeline>.sl-bar-row{position:absolute;z-index:4;top:-32px;right:0;padding:0;margin:0;min-height:0;flex-wrap:nowrap}
  .sl-timeline>.sl-bar-row select,.sl-timeline>.sl-bar-row .sl-small-button{height:30px;max-width:180px}
  .sl-timeline>.sl-bar-row :is(.sl-formula,.sl-seen-note){display:none}}
`;

/** Rules of a timeline on a screen that shows everything at once. */
export const WHOLE_CSS = `
.sl-whole.sl-timeline{padding:0;border:0;background:none}
.sl-whole .sl-chart{height:var(--sl-curve)}.sl-whole .sl-curves{overflow:visible}
.sl-whole .sl-chart~.sl-chart{height:calc(.6 * var(--sl-curve))}
.sl-whole .sl-changes{position:absolute;left:0;right:0;top:0;height:20px;z-index:3;pointer-events:none}
.sl-whole .sl-changes button{pointer-events:auto}
.sl-whole .sl-lane button.sl-number{width:18px;height:18px;line-height:18px;font-size:11px}
.sl-whole .sl-lanes .sl-lane{height:12px}
.sl-whole .sl-lanes .sl-marks{top:0}
.sl-whole .sl-lanes .sl-lane button{height:12px;line-height:12px;font-size:11px}
.sl-whole .sl-lanes .sl-lane button.sl-small:empty::after{top:2px;height:8px}
.sl-whole .sl-lanes .sl-lane button.sl-stub:empty::after{top:5px;height:3px}
.sl-whole .sl-lane-key{margin-top:0;min-height:0;height:14px;line-height:14px;overflow:hidden}
.sl-whole .sl-lane button.sl-lane-name{font-size:11px}
.sl-whole .sl-way{top:5px}.sl-whole .sl-delay{top:0;line-height:12px}
.sl-whole .sl-axis-rows{height:14px;margin-top:1px;font-size:11px;line-height:14px}
.sl-whole .sl-bands{inset:0 0 15px}.sl-whole .sl-bands i{top:18px}
.sl-whole .sl-playhead{bottom:15px}.sl-whole .sl-cross{top:0;bottom:15px}
.sl-whole .sl-overview{height:16px;margin:2px var(--right) 1px var(--left)}
.sl-whole .sl-overview input,.sl-whole .sl-overview input::-webkit-slider-runnable-track{height:16px}
.sl-whole .sl-head{top:-3px;height:22px}.sl-whole .sl-head::after{height:12px}
.sl-whole .sl-grip::after{top:3px;bottom:3px}.sl-whole .sl-grip-middle{height:5px}
.sl-whole .sl-foot{display:none}
.sl-help{display:none}.sl-whole .sl-help{display:inline-block;min-width:30px;padding:0}
@media (max-width:520px){.sl-help{display:inline-block;min-width:40px}.sl-timeline:not(.sl-explained) .sl-foot>.sl-muted{display:none}}
.sl-whole.sl-explained .sl-foot{display:block;position:absolute;z-index:7;right:0;bottom:calc(100% + 38px);width:min(720px,100%);max-height:46vh;overflow:auto;
  padding:10px 14px;border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-card);box-shadow:var(--sl-shadow)}
.sl-projected.sl-timeline>:is(.sl-bar-row,.sl-overview,.sl-foot),.sl-projected :is(.sl-lanes,.sl-lane-key,.sl-fork-here){display:none}
.sl-projected .sl-axis-rows::after{content:attr(data-what);position:absolute;right:0;top:14px;white-space:nowrap}
.sl-projected .sl-axis-rows{height:28px;z-index:4}.sl-projected .sl-axis-rows span{background:var(--sl-paper)}
@container style(--sl-wide:1){.sl-projected .sl-axis-rows{height:14px}.sl-projected .sl-axis-rows::after{top:0}}
.sl-projected .sl-curves path[stroke-width="2.25"]{stroke-width:3.5}
.sl-fork-here{position:absolute;z-index:4;left:0;bottom:0;height:24px;padding:0 8px;border:1px solid var(--sl-accent);border-radius:12px;background:var(--sl-card);
  color:var(--sl-accent);font-size:12px;cursor:pointer;white-space:nowrap}
.sl-fork-here:hover{background:var(--sl-track)}
.sl-whole .sl-fork-here{bottom:-3px;height:20px;font-size:11px}
`;
