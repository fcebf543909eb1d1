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

/**
 * The points [row, value] that a curve is drawn through, of these of its points. Where the stream changed amid the rows that a point is of, the
 * value before is held up to the change: no curve falls before what made it fall.
 * @param {number[]} changes rows where the stream changed, ascending
 */
export function pointsOf({ positions, values }, places, changes = []) {
  return places.flatMap((k) => {
    const at = changes[lastUpTo(changes, positions[k - 1] ?? Infinity) + 1];
    return [...(at < positions[k] && Number.isFinite(values[k - 1]) ? [[at, values[k - 1]]] : []), [positions[k], values[k]]];
  });
}

/** The path through points; where one has no value it begins again. */
export function pathOf(points, x, y) {
  let path = "", isOn = false;
  for (const [at, value] of points) {
    const isKnown = Number.isFinite(value);
    if (isKnown) path += `${isOn ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    isOn = isKnown;
  }
  return path;
}

/** The value of a curve at a row, between its points and beyond them; NaN where none is known. */
export function valueAt(points, at) {
  const known = points.filter(([, value]) => Number.isFinite(value)), next = known.findIndex(([row]) => row > at);
  const [from, before] = known.at(next < 0 ? -1 : Math.max(0, next - 1)) ?? [at, NaN], [to, after] = known[Math.max(0, next)] ?? [at, NaN];
  return next > 0 ? before + ((after - before) * (at - from)) / (to - from) : before;
}

/**
 * What a curve lost: its points from a row on, none better than the level before, until it is back there; [] if it did not fall.
 * @param {{from: number, to: number, level: number, sign: number}} loss between which rows; `sign`: 1 where more is better, else -1
 */
export function lossOf(points, { from, to, level, sign }) {
  const found = [];
  let under = 0;
  for (const [at, value] of points) {
    if (at < from || at > to || !Number.isFinite(value)) continue;
    const now = sign * (level - value);
    if (under > 0 && now <= 0) {
      const [before] = found.at(-1);
      return [...found, [before + ((at - before) * under) / (under - now), level]];
    }
    found.push([at, now > 0 ? value : level]);
    under = now;
  }
  return under > 0 ? found : [];
}

/** How large the area between points and a level is. */
export const sizeOf = (points, level) => points.slice(1).reduce((sum, [x, y], k) => sum + (x - points[k][0]) * Math.abs((y + points[k][1]) / 2 - level), 0);

/** How near to the words a curve may come, px. */
const CLEAR = 4;

/**
 * Whether words from `x` on, so `wide`, with their foot at `y`, cross no curve.
 * @param {[number, number][][]} curves points in px, ascending
 */
export function isFree(curves, { x, y, wide }) {
  const [begin, end] = [x - CLEAR, x + wide + CLEAR];
  return curves.every((points) => points.every(([right, b], k) => {
    const [left, a] = points[k - 1] ?? [right, b];
    if (right < begin || left > end) return true;
    const at = (place) => (right > left ? a + ((b - a) * (Math.min(Math.max(place, left), right) - left)) / (right - left) : b);
    const [one, other] = [at(begin), at(end)];
    return Math.max(one, other) < y - 10 - CLEAR || Math.min(one, other) > y + 3 + CLEAR;
  }));
}

/** How far words in an area move at a time, and how high it is where they stand, px. */
const STEP = 8, LEAST_HIGH = 20;

/** Where words so wide stand in the area between a level and a curve below or above it, deepest first: [{x, y, wide}], in px. */
export function roomsIn(points, level, wide) {
  const heights = (from, to) => [valueAt(points, from), valueAt(points, to), ...points.filter(([x]) => x > from && x < to).map(([, y]) => y)]
    .map((y) => y - level).sort((a, b) => Math.abs(a) - Math.abs(b));
  const rooms = [];
  const [begin, end] = [points[0]?.[0], points.at(-1)?.[0]];
  for (let x = begin + STEP; x + wide <= end; x += STEP) {
    const [high] = heights(x, x + wide);
    if (Math.abs(high) < LEAST_HIGH) continue;
    const [top, foot] = [Math.min(level, level + high) + 15, Math.max(level, level + high) - 5];
    for (const y of [(top + foot) / 2, top, foot]) rooms.push({ x, y, wide, high: Math.abs(high) });
  }
  return rooms.sort((one, other) => other.high - one.high);
}

/** Words and marks nearer to each other than this, px. */
const BESIDE = 15;

/** Which of its texts, the first that fits, stands behind each mark at the top: up to the next mark, or the end; null: there is no room. */
export function wordsBehind(marks, end) {
  return marks.map(({ x, texts }, i) => {
    const room = (marks[i + 1]?.x ?? end + BESIDE) - x - 2 * BESIDE;
    return texts.find(({ wide }) => wide <= room)?.text ?? null;
  });
}

/** Items in order of place, those closer than `gap` to the first of a group together. */
export function grouped(items, gap) {
  const groups = [];
  for (const item of [...items].sort((one, other) => one.x - other.x)) {
    const last = groups.at(-1);
    if (last && item.x - last.x < gap) last.items.push(item);
    else groups.push({ x: item.x, items: [item] });
  }
  return groups;
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
