/* Where the parts of a picture of weights stand, and the steps of a row's sum. Lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { formatSigned } from "../../../kit/js/format.js";
import { stepsOfSum } from "../../../kit/js/marks.js";

/** From these widths on all three parts stand beside each other, or the first above the others, which stand beside each other. */
const WIDE = 980, MIDDLE = 620;
const GAP = 28, HEAD = 22, LEAST_ROW = 13, MOST_ROW = 26, BAR_ROW = 17, MOST_BAR = 23, MOST_NAME = 150, MOST_CELL = 22, LEAST_CELL = 5;
/** Room for the names of features, upright below the heat, where its cells are wide enough for them. */
const NAMES_BELOW = 74, NAMED_CELL = 11;
/** Rows of the heat where the lists stand below it. */
const MOST_ROWS = 24;

/**
 * Places for a width.
 * @param {object} sizes width; tall: the height there is; labels, features: of the heat; bars, steps, moved: rows of these lists;
 *   longestLabel: of the names, px; cut: whether there are more labels than are drawn
 */
export function stageLayout({ width, tall, labels, features, bars, steps, moved, longestLabel, cut }) {
  const columns = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1;
  const part = columns === 3 ? [0.4, 0.28, 0.32].map((share) => share * (width - 2 * GAP)) : columns === 2 ? [width, (width - GAP) / 2, (width - GAP) / 2] : [width, width, width];
  const name = Math.min(longestLabel + 20, MOST_NAME, part[0] * 0.36);
  const cell = features ? clamp((part[0] - name) / features, LEAST_CELL, MOST_CELL) : MOST_CELL;
  const below = cell >= NAMED_CELL ? NAMES_BELOW : 6;
  // three parts beside each other share the height that there is
  const bar = columns === 3 ? clamp((tall - (moved ? 2 * HEAD + 8 : HEAD)) / Math.max(bars, steps + 4 + moved), BAR_ROW, MOST_BAR) : BAR_ROW;
  const lists = HEAD + bar * bars, sums = HEAD + bar * (steps + 4), moves = moved ? HEAD + 8 + bar * moved : 0;
  const least = columns === 3 ? Math.max(tall, lists, sums + moves) : Math.max(tall * 0.55, HEAD + below + 14 + LEAST_ROW * Math.min(labels, MOST_ROWS));
  const room = Math.max(least - HEAD - below - (cut ? 14 : 0), LEAST_ROW * 3);
  const fit = Math.max(1, Math.floor(room / LEAST_ROW)), rows = Math.min(labels, fit);
  const row = clamp(room / Math.max(rows, 1), LEAST_ROW, MOST_ROW);
  const heat = { x: name, y: HEAD, cell, row, rows, name, width: part[0], below, end: HEAD + row * rows + below + (rows < labels || cut ? 14 : 0) };
  const second = columns === 3 ? [part[0] + GAP, 0] : [0, heat.end + 14];
  const third = columns === 3 ? [part[0] + part[1] + 2 * GAP, 0] : columns === 2 ? [part[1] + GAP, heat.end + 14] : [0, second[1] + lists + 14];
  const list = { x: second[0], y: second[1], width: part[1], row: bar };
  const sum = { x: third[0], y: third[1], width: part[2], row: bar };
  const moves_at = { x: third[0], y: third[1] + sums + 8, width: part[2], row: bar };
  return { columns, width, heat, list, sum, moves: moves_at, head: HEAD, total: Math.max(heat.end, list.y + lists, sum.y + sums + moves) + 4 };
}

/** The steps of a label's sum for the latest row: what a value adds is its weight times it. */
export const stepsOf = (frame, label) => stepsOfSum(frame, label, { words: "begins with", adds: frame.intercept[label] }, frame.scaled, (value) => ` × ${formatSigned(value)}`);

/** The sum at which a score is as high as a threshold; null where there is none. */
export const sumAt = (threshold) => (threshold > 0 && threshold < 1 ? Math.log(threshold / (1 - threshold)) : null);

/** What decided whether a label is answered. */
export function verdict(frame, label, nameOf) {
  const isAnswered = Boolean(frame.answered[label]), threshold = frame.threshold[label];
  const isRight = isAnswered === Boolean(frame.carried[label]);
  const said = `${isRight ? "rightly" : "wrongly"} ${isAnswered ? "" : "not "}answered`;
  if (frame.noun === "class" && !isAnswered) {
    const best = frame.score.indexOf(Math.max(...frame.score));
    return `${said}: ${nameOf(best)} has ${frame.score[best].toFixed(2)}`;
  }
  if (frame.best) return `${said}: ${isAnswered ? "" : "not "}${frame.best}`;
  if (Number.isNaN(threshold)) return said;
  return `${said}: ${isAnswered ? "" : "not "}above ${threshold === 0.5 ? "one half" : threshold.toFixed(2)}`;
}
