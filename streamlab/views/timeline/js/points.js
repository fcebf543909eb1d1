/* The axis of rows, and many points on few pixels: what of a curve can be seen. */
import { element } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";
import { lastUpTo, ticksOf } from "../../kit/js/numbers.js";

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

/** Points a pixel from which on only the lowest and the highest of each pixel are drawn. */
const CROWDED = 2;

/**
 * The places of a curve's points to draw between two positions: those within, and one on either side. Where they crowd, for each
 * pixel the first, the lowest, the highest and the last, so that the line looks the same.
 */
export function visiblePlaces(positions, values, [from, to], pixels) {
  const first = Math.max(0, lastUpTo(positions, from)), last = Math.min(positions.length - 1, lastUpTo(positions, to) + 1);
  const all = [];
  if (last - first + 1 <= CROWDED * pixels) {
    for (let k = first; k <= last; k++) all.push(k);
    return all;
  }
  const width = (to - from) / pixels;
  let k = first;
  while (k <= last) {
    const bucket = Math.floor((positions[k] - from) / width);
    let [low, high, end] = [k, k, k + 1];
    for (; end <= last && Math.floor((positions[end] - from) / width) === bucket; end++) {
      if (!(values[end] >= values[low])) low = end;
      if (!(values[end] <= values[high])) high = end;
    }
    all.push(...new Set([k, low, high, end - 1].sort((a, b) => a - b)));
    k = end;
  }
  return all;
}

/** The path of a curve through these of its points; where one has no value it begins again. */
export function pathOf({ positions, values }, places, x, y) {
  let path = "", isOn = false;
  for (const k of places) {
    const isKnown = Number.isFinite(values[k]);
    if (isKnown) path += `${isOn ? "L" : "M"}${x(positions[k]).toFixed(1)} ${y(values[k]).toFixed(1)}`;
    isOn = isKnown;
  }
  return path;
}

/** How near to the words a curve may come, and how far the words move at a time, px. */
const CLEAR = 6, STEP = 12;

/**
 * The place {x, y} of words that end at x, where no curve crosses them: at the first of these heights that has one, as far to the
 * right as may be; null where there is none.
 * @param {{curves: [number, number][][], wide: number, begin: number, end: number, heights: number[]}} sizes `wide`: the words', px;
 *   `begin`, `end`: between which they stand
 */
export function freePlace({ curves, wide, begin, end, heights }) {
  const isFree = (x, y) => curves.every((points) => points.every(([right, b], k) => {
    const [left, a] = points[k - 1] ?? [right, b];
    if (right < x - wide - CLEAR || left > x + CLEAR) return true;
    const at = (place) => (right > left ? a + ((b - a) * (Math.min(Math.max(place, left), right) - left)) / (right - left) : b);
    const [one, other] = [at(x - wide - CLEAR), at(x + CLEAR)];
    return Math.max(one, other) < y - 9 - CLEAR || Math.min(one, other) > y + 3 + CLEAR;
  }));
  for (const y of heights) for (let x = end; x - wide >= begin; x -= STEP) if (isFree(x, y)) return { x, y };
  return null;
}

/** Rows after which half of a faded figure (each row counts .995 of the next) is of rows since. */
const FADED_ROWS = 139;

/** The place of the last point up to the row where a fork left its origin: its curve begins there. */
export const startOf = (positions, fork) => Math.max(0, lastUpTo(positions, fork));

/**
 * The row from which on most of what a fork's figure counts is its own; 0 without a fork. A point per chunk counts the rows since the point
 * before it.
 */
export function ownFrom(positions, fork, over) {
  if (fork === undefined) return 0;
  if (over !== "chunk") return over === "faded" ? fork + FADED_ROWS : 2 * fork;
  return positions.find((_, k) => k > 0 && positions[k - 1] >= fork) ?? Infinity;
}
