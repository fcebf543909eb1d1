/* The axis of rows. */
import { ticksOf } from "../../kit/js/axis.js";
import { element } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";

/** Room that a row's number takes, and half of one, px. */
const ROOM = 90, EDGE = 28;

/** The numbers of rows under a plot: spans, placed in px. */
export function rowTicks({ width, left, right }, [from, to]) {
  const place = (at) => left + ((at - from) / (to - from)) * (width - left - right);
  return ticksOf(from, to, Math.max(2, Math.floor((width - left - right) / ROOM)), 1).map((at) => {
    const x = place(at);
    // the last one ends where the page does
    return element("span", {
      text: at ? formatCount(at) : "row 0", class: x > width - EDGE ? "sl-last" : null, style: `left:${Math.min(x, width - 1).toFixed(1)}px`,
    });
  });
}
