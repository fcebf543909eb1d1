/* All of the kit, for pictures of this package and of others. */
export * from "./camera.js";
export * from "./canvas_view.js";
export * from "./controls.js";
export * from "./dom.js";
export * from "./drawloop.js";
export * from "./duties.js";
export { FoldingView } from "./families.js";
export * from "./format.js";
export { Marked, MarkedView } from "./marked_view.js";
export * from "./palette.js";
export * from "./panel.js";
export * from "./paper.js";
export * from "./style.js";
export * from "./table.js";
export * from "./text.js";
export * from "./tooltip.js";
export * from "./tween.js";
