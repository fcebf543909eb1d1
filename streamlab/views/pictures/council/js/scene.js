/* Where the parts of a council's picture stand. Lengths are CSS pixels. */
import { roundStep } from "../../../kit/js/numbers.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatSigned } from "../../../kit/js/format.js";

/** From this width the votes on the row stand beside the lines, else below them. */
const BESIDE = 720;
const GAP = 36, AXIS = 22, ABOVE = 40, HEAD = 84, LEAST_LINES = 150, ROW = { least: 18, most: 38 }, CELL = { least: 10, most: 46 };
const LONGEST_NAME = 140;
/** Right of the votes: what became of the council's answer. */
const OUTCOME = 84;
/** Labels of the latest row that have room: those that were answered, or are true, are few. */
const OF_ROW = 12;
/** A change of trust that is told: what two decimals show. */
const LEAST_MOVED = 0.005;

/**
 * Places for a width.
 * @param {object} sizes width; tall: the height there is; experts: how many, without the labels' shares; labels: how many; longestEnd,
 *   longestLabel: of the names, px; fills: whether the height is kept to; isAlone: the lines have all of it; shared: the curves' axis
 */
export function stageLayout({ width, tall, experts, labels, longestEnd, longestLabel, fills, isAlone, shared = null }) {
  const isBeside = width >= BESIDE || isAlone, ends = Math.min(longestEnd + 14, 0.34 * width);
  const whole = isBeside && !isAlone ? Math.round(width * 0.6) : width;
  const begin = shared?.left ?? 34, lines = { x: begin, y: ABOVE, width: (shared?.right ?? whole - ends) - begin, height: isBeside ? tall - ABOVE - AXIS : Math.max(LEAST_LINES, tall * (fills ? 0.4 : 0.5)) };
  const left = isBeside ? whole + GAP : 0, top = isBeside ? 0 : lines.y + lines.height + AXIS + 12;
  const names = Math.min(longestLabel + 12, LONGEST_NAME, width * 0.24), y = top + HEAD, most = Math.min(labels, OF_ROW);
  const cell = clamp((width - left - names - OUTCOME) / experts, CELL.least, CELL.most), space = isBeside || fills ? Math.max(tall - y, ROW.least) : 26 * most;
  const row = clamp(space / most, ROW.least, ROW.most), rows = isAlone ? 0 : Math.min(most, Math.max(1, Math.floor(space / row)));
  const table = { x: left + names, y, cell, count: experts };
  const beside = isBeside && !isAlone ? Math.round(width - whole + ends) : 0;
  return { width, isBeside, isAlone, shared, beside, lines, left, top, rows, row, names, ends, table, right: table.x + cell * experts + OUTCOME, total: Math.max(lines.y + lines.height + AXIS, isBeside ? tall : y + row * rows + 4) };
}

/**
 * Whom the sentence names and the lines show: `ranked`, the experts by trust; `second`, where nothing changed the stream; else
 * `gains` since that `mark`, and who `gained` and who `lost` most. -1: nobody.
 */
export function whoMatters({ trust, noted, values, drifts, now }) {
  const count = trust.length, ranked = [...trust.keys()].slice(1).sort((a, b) => trust[b] - trust[a]);
  const mark = drifts.filter(({ row }) => row >= noted[0] && row < now).at(-1);
  if (!mark || count < 3) return { ranked, gains: null, second: ranked[1] ?? -1, gained: -1, lost: -1 };
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
