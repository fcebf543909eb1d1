/* Where the parts of a council's picture stand. Lengths are CSS pixels. */
import { roundStep } from "../../../kit/js/numbers.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatSigned } from "../../../kit/js/format.js";

/** From this width the votes on the row stand beside the lines, else below them. */
const BESIDE = 720;
const GAP = 36, AXIS = 22, ABOVE = 40, HEAD = 56, LEAST_LINES = 150, ROW = { least: 14, small: 26, most: 48 }, CELL = { least: 54, most: 76 };
/** The lines' share of the width where the votes stand beside them. */
const WHOLE = 0.7;
/** Labels of the latest row that have room: those that were answered, or are true, are few. */
const OF_ROW = 12;
/** A change of trust that is told: what two decimals show. */
const LEAST_MOVED = 0.005;

/**
 * Places for a width.
 * @param {object} sizes width; tall: the height there is; experts, labels: how many; longestEnd: of the words at lines'
 *   ends, and longestName: of the names, px; fills: whether the height is kept to; isAlone: the lines have all of it; shared: the curves' axis
 */
export function stageLayout({ width, tall, experts, labels, longestEnd, longestName, fills, isAlone, shared = null }) {
  const isBeside = width >= BESIDE || isAlone, ends = Math.min(longestEnd + 14, 0.34 * width);
  const whole = isBeside && !isAlone ? Math.round(width * WHOLE) : width;
  const begin = shared?.left ?? 34, lines = { x: begin, y: ABOVE, width: (shared?.right ?? whole - ends) - begin, height: isBeside ? tall - ABOVE - AXIS : Math.max(LEAST_LINES, tall * (fills ? 0.4 : 0.5)) };
  const left = isBeside ? whole + GAP : 0, top = isBeside ? 0 : lines.y + lines.height + AXIS + 12;
  const names = Math.min(longestName + 12, 0.3 * width), y = top + HEAD, space = width - left - names;
  // a line for the council and one for each expert, a column for each label
  const columns = isAlone ? 0 : clamp(Math.floor(space / CELL.least), 1, Math.min(labels, OF_ROW)), cell = clamp(space / columns, CELL.least, CELL.most);
  const row = isBeside || fills ? clamp((tall - y) / (experts + 1), ROW.least, ROW.most) : ROW.small;
  const table = { x: left + names, y, cell, row, columns, bottom: y + row * (experts + 1) };
  const beside = isBeside && !isAlone ? Math.round(width - whole + ends) : 0;
  return { width, isBeside, isAlone, shared, beside, lines, left, top, names, end: whole, table, total: Math.max(lines.y + lines.height + AXIS, isBeside ? tall : table.bottom + 4) };
}

/**
 * Whom the lines show: `ranked`, the experts by trust; `second`, where nothing changed the stream; else
 * `gains` since that `mark`, and who `gained` and who `lost` most. -1: nobody.
 */
export function whoMatters({ trust, noted, values, drifts, now }) {
  const count = trust.length, ranked = [...trust.keys()].sort((a, b) => trust[b] - trust[a]);
  const mark = drifts.filter(({ row }) => row >= noted[0] && row < now).at(-1);
  if (!mark || count < 2) return { ranked, gains: null, second: ranked[1] ?? -1, gained: -1, lost: -1 };
  const note = Math.max(0, noted.findLastIndex((row) => row <= mark.row)), gains = trust.map((value, row) => value - values[note * count + row]);
  const least = ranked.reduce((a, b) => (gains[b] < gains[a] ? b : a)), most = ranked.reduce((a, b) => (gains[b] > gains[a] ? b : a));
  return { ranked, mark, gains, second: -1, gained: gains[most] > LEAST_MOVED ? most : -1, lost: gains[least] < -LEAST_MOVED ? least : -1 };
}

/** The trust at both ends of the axis: round steps around all values and 0. */
export function trustEnds(values) {
  const low = values.reduce((least, value) => Math.min(least, value), 0), high = values.reduce((most, value) => Math.max(most, value), 0.1);
  const step = Math.max(0.05, roundStep((high - low) / 6));
  return { low: Math.floor(low / step + 1e-6) * step, high: Math.ceil(high / step - 1e-6) * step, step };
}

/** A change of trust in words. */
export const formatGain = (gain) => `${gain < 0 ? "" : "+"}${formatSigned(gain)}`;
