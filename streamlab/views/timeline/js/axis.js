/* Round numbers on axes. */
import { element } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";

/** Room that a row's number takes, and half of one, px. */
const ROOM = 90, EDGE = 28;

/** The least of 1, 2, 5, 10, 20, … times a power of ten that is at least `rough`. */
export function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power;
}

/** Multiples of a round step within [from, to], at most about `most` of them; with `least` no step is smaller. */
export function ticksOf(from, to, most, least = 0) {
  if (!(to > from)) return [from];
  const step = Math.max(least, roundStep((to - from) / Math.max(1, most)));
  const found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) found.push(k * step);
  return found;
}

/** Digits behind the point that tell such ticks apart. */
export const digitsOf = (ticks) => (ticks.length < 2 ? 1 : Math.max(1, Math.ceil(-Math.log10(ticks[1] - ticks[0]) - 1e-9)));

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
