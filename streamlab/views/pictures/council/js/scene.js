/* Where the parts of a council's picture stand. Lengths are CSS pixels. */
import { roundStep } from "../../../kit/js/numbers.js";
import { NARROW } from "../../../kit/js/canvas_view.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatSigned } from "../../../kit/js/format.js";

/** From this width the table of labels stands beside the lines, else below them. */
const BESIDE = 720;
const GAP = 26, AXIS = 20, HEAD = 52, ABOVE = 44, ABOVE_ALONE = 30, MOST_ROW = 24, LEAST_LINES = 150;
const LONGEST_NAME = 140, LONGEST_END = 260, LIST_ROW = 20;
/** Beside a name: its number and the trust, and what that changed; right of the council's scores what became of its answer; below, the table's button. */
const BESIDE_END = 66, CHANGE = 48, TAGGED = 28, OUTCOME = 64, BUTTON = 18;
/** Labels of the latest row that have room at least: those that were answered, or are true, are few. */
const OF_ROW = 12;
/** A change of trust that is told: what two decimals show. */
const LEAST_MOVED = 0.005;

/**
 * Places for a width. On a phone names stand below the lines.
 * @param {object} sizes width; tall: the height there is; experts: how many, without the labels' shares; labels: rows of the table;
 *   longestEnd, longestWords, longestLabel: of the names, and of what is said of them, px; fills: whether the height is kept to; hasChange: whether
 *   a change of trust is told; ofRow: whether the table is of the latest row, else trust by label; isAlone: the lines have all of it, as before a
 *   class, where few labels would have room
 */
export function stageLayout({ width, tall, experts, labels, longestEnd, longestWords, longestLabel, fills, hasChange, ofRow, isAlone }) {
  const isBeside = width >= BESIDE || isAlone, isNarrow = width < NARROW && !fills && !isAlone, count = experts + 1;
  // before a class what an expert is says more than two numbers that the lines show
  const isTold = isAlone && longestWords > 0, change = hasChange && !isTold ? CHANGE : 0;
  const beside = isTold ? longestEnd + TAGGED + longestWords : Math.max(longestEnd + BESIDE_END + change, longestWords + TAGGED);
  const ends = isNarrow ? BUTTON + 8 : Math.min(beside, isTold ? 0.5 * width : Math.min(LONGEST_END, 0.4 * width));
  const whole = isBeside && !isAlone ? Math.round(width * 0.6) : width;
  const above = isAlone ? ABOVE_ALONE : ABOVE;
  const lines = { x: 38, y: above, width: whole - ends - 38, height: isBeside ? tall - above - AXIS : Math.max(LEAST_LINES, tall * (fills ? 0.36 : 0.45), 14 * count) };
  const list = lines.y + lines.height + AXIS + 16;
  const names = Math.min(longestLabel + 8, LONGEST_NAME, width * 0.24);
  const left = isBeside ? whole + GAP : 0;
  const top = isBeside ? 0 : list + (isNarrow ? count * LIST_ROW + 8 : -4);
  const x = left + names, room = width - x, first = top + HEAD, least = isNarrow ? 16 : 13;
  // the council's own bars come first, and are the widest
  const council = { x, width: clamp(room * 0.24, 40, 100), outcome: OUTCOME };
  const saidX = x + council.width + OUTCOME;
  const table = ofRow ? { x: saidX, y: first, cell: clamp((width - saidX) / experts, 6, 50), count: experts } : { x, y: first, cell: Math.min(room / count, 50), count };
  const most = ofRow ? Math.min(labels, OF_ROW) : labels;
  const space = isBeside || fills ? Math.max(tall - first - BUTTON, 3 * least) : least * Math.min(most + 1, 40);
  const fit = Math.max(1, Math.floor(space / least));
  const rows = isAlone ? 0 : most <= fit ? most : Math.max(1, fit - 1);
  const row = clamp(space / Math.max(rows + (labels > rows ? 1 : 0), 1), least, MOST_ROW);
  const high = row * (rows + (labels > rows ? 1 : 0));
  return {
    width, isBeside, isAlone, isNarrow, isTold, ofRow, lines, left, rows, row, names, ends, change, table, council, right: table.x + table.cell * table.count,
    list: (k) => ({ x: 0, y: list + 14 + k * LIST_ROW, width, isFirst: k === 0 }),
    total: Math.max(lines.y + lines.height + AXIS, isBeside ? tall : first + high + 4),
  };
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

/** The place of an expert among the columns: the labels' shares stand last. */
export const columnOf = (row, count) => (row || count) - 1;

/** A change of trust in words. */
export const formatGain = (gain) => `${gain < 0 ? "" : "+"}${formatSigned(gain)}`;
