/* Where the parts of a council's picture stand. Lengths are CSS pixels. */
import { roundStep } from "../../../kit/js/axis.js";
import { clamp } from "../../../kit/js/dom.js";

/** From this width the table of labels stands beside the lines, else below them. */
const BESIDE = 720;
const GAP = 26, AXIS = 20, HEAD = 36, ABOVE = 44, ABOVE_ALONE = 30, LEAST_ROW = 13, MOST_ROW = 22, TITLE = 16, LEAST_LINES = 150;
const LONGEST_NAME = 140, LONGEST_END = 190;
/** Beside a name at a line's end: the line to it, its number and the trust; at the right the sign of what is answered; below, the table's button. */
const BESIDE_END = 66, ANSWER = 12, BUTTON = 18;

/**
 * Places for a width.
 * @param {object} sizes width; tall: the height there is; experts: how many, without the labels' shares; labels: rows of the table;
 *   longestEnd, longestLabel: of the names, px; fills: whether the height is kept to;
 *   isAlone: the lines have all of it, as before a class, where few labels would have room
 */
export function stageLayout({ width, tall, experts, labels, longestEnd, longestLabel, fills, isAlone }) {
  const isBeside = width >= BESIDE || isAlone;
  const ends = Math.min(longestEnd + BESIDE_END, LONGEST_END, width * 0.4);
  const whole = isBeside && !isAlone ? Math.round(width * 0.47) : width;
  const above = isAlone ? ABOVE_ALONE : ABOVE;
  const lines = { x: 38, y: above, width: whole - ends - 38, height: isBeside ? tall - above - AXIS : Math.max(LEAST_LINES, tall * 0.45, 14 * (experts + 1)) };
  const names = Math.min(longestLabel + 8, LONGEST_NAME, width * 0.24);
  const left = isBeside ? whole + GAP : 0;
  const top = isBeside ? 0 : lines.y + lines.height + AXIS + 12;
  const room = width - left - names - GAP / 2 - ANSWER;
  // the columns of scores are wider: their bars have to be told apart
  const unit = room / ((experts + 1) + 1.7 * (experts + 1));
  const heat = clamp(unit, 6, 24), said = clamp((room - heat * (experts + 1)) / (experts + 1), 8, 50);
  const first = top + HEAD + TITLE;
  const space = isBeside || fills ? Math.max(tall - first - BUTTON, 3 * LEAST_ROW) : Math.max(tall * 0.6, 12 * LEAST_ROW);
  const fit = Math.max(1, Math.floor(space / LEAST_ROW));
  const rows = isAlone ? 0 : labels <= fit ? labels : Math.max(1, fit - 1);
  const row = clamp(space / Math.max(rows + (labels > rows ? 1 : 0), 1), LEAST_ROW, MOST_ROW);
  const heatX = left + names, saidX = heatX + heat * (experts + 1) + GAP / 2;
  return {
    width, isBeside, isAlone, lines, left, top, first, rows, row, names, ends,
    heat: { x: heatX, cell: heat }, said: { x: saidX, cell: said, end: saidX + said * (experts + 1) },
    total: Math.max(lines.y + lines.height + AXIS, isBeside ? tall : first + row * (rows + (labels > rows ? 1 : 0)) + 4),
  };
}

/** The trust at both ends of the axis: round steps around all values and 0. */
export function trustEnds(values) {
  const low = values.reduce((least, value) => Math.min(least, value), 0), high = values.reduce((most, value) => Math.max(most, value), 0.1);
  const step = Math.max(0.05, roundStep((high - low) / 6));
  return { low: Math.floor(low / step + 1e-6) * step, high: Math.ceil(high / step - 1e-6) * step, step };
}
