/* The axis of rows. */
import { ticksOf } from "../../kit/js/axis.js";
import { element } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";

/** Room that a row's number takes, and half of one, px. */
const ROOM = 90, EDGE = 28;

/** Where a row stands on a plot, px; `drawn` has the plot's frame {width, left, right} and its axis, the rows [from, to] that are seen. */
export const placeOf = ({ frame: { width, left, right }, axis: [from, to] }, at) => left + ((at - from) / (to - from)) * (width - left - right);

/** The row at a place of a plot. */
export const rowAt = ({ frame: { width, left, right }, axis: [from, to] }, x) => from + ((x - left) / (width - left - right)) * (to - from);

/** The numbers of rows under a plot: spans, placed in px. */
export function rowTicks(frame, axis) {
  const { width, left, right } = frame;
  return ticksOf(...axis, Math.max(3, Math.floor((width - left - right) / ROOM)), 1).map((at) => {
    const x = placeOf({ frame, axis }, at);
    // the last one ends where the page does
    return element("span", {
      text: at ? formatCount(at) : "row 0", class: x > width - EDGE ? "sl-last" : null, style: `left:${Math.min(x, width - 1).toFixed(1)}px`,
    });
  });
}
