/* Where the parts of a picture of naive Bayes stand, the scale of a strip, and what decided the latest row. Lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatNumber } from "../../../kit/js/format.js";
import { stepsOfSum } from "../../../kit/js/marks.js";

/** From these widths on strips and lists stand beside each other, or the lists do, below the strips. */
const WIDE = 980, MIDDLE = 620;
const GAP = 28, HEAD = 22, ROW = 17, LEAST_ROW = 15, MOST_ROW = 22, STRIP = 88, LEAST_STRIP = 74, MOST_STRIP = 170;
/** Rows of a sum beside its listed values: how frequent the classes are, the other values, the sum, and what decided. */
const BESIDE = 4;
/** Deviations of a curve that are drawn, in deviations that are at most so many times the usual one. */
const REACH = 3, WIDEST = 2;
/** A curve is drawn up to so many times the usual height. */
const HIGHEST = 2.5;
/** A value that is further away than so much of a strip's width stands at its edge. */
const BEYOND = 0.5;

/**
 * Places for a width.
 * @param {object} sizes width; tall: the height there is; strips, classes, steps: how many; cut: whether there are more classes
 */
export function stageLayout({ width, tall, strips, classes, steps, cut }) {
  const columns = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1;
  const beside = Math.min(columns, 2), half = (width - GAP) / 2;
  const strips_width = columns === 3 ? (width - GAP) * 0.62 : width, lines = Math.ceil(strips / beside);
  const rows = classes + steps + BESIDE, heads = 2 * HEAD + 14 + (cut ? ROW : 0);
  // beside the strips the lists share the height that there is
  const row = columns === 3 ? clamp((tall - heads) / rows, LEAST_ROW, MOST_ROW) : ROW;
  const listed = HEAD + row * classes + (cut ? row : 0), summed = HEAD + row * (steps + BESIDE);
  const room = Math.max(tall, listed + summed + 14) - HEAD;
  const height = columns === 3 ? clamp(room / Math.max(lines, 1), LEAST_STRIP, MOST_STRIP) : STRIP;
  const list = { x: columns === 3 ? strips_width + GAP : 0, y: 0, width: columns === 3 ? width - strips_width - GAP : columns === 2 ? half : width, row };
  const sum = { ...list };
  // on a phone the list comes first, for it says whose colours these are
  const area = { x: 0, y: columns === 1 ? listed + 10 : 0, width: strips_width, row: height };
  const end = area.y + HEAD + height * lines;
  if (columns === 3) sum.y = listed + 14;
  else sum.y = end + 10;
  if (columns === 2) [list.y, sum.x] = [end + 10, half + GAP];
  const each = (strips_width - (beside - 1) * GAP) / beside;
  const boxes = Array.from({ length: strips }, (_, i) => ({ x: area.x + (i % beside) * (each + GAP), y: area.y + HEAD + Math.floor(i / beside) * height, width: each, height }));
  return { columns, head: HEAD, area, boxes, list, sum, total: Math.max(end, list.y + listed, sum.y + summed) + 4 };
}

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** The density of a Gaussian. */
export const density = (mean, deviation, x) => Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));

/** The curves of a strip, one for each class: {mean, deviation, before: {mean, deviation} | null, likelihood}. */
export function curvesOf(frame, strip) {
  const count = frame.strip.length;
  return Array.from(frame.id, (_, row) => {
    const k = row * count + strip, isMarked = !Number.isNaN(frame.mean_before[k]);
    const before = isMarked ? { mean: frame.mean_before[k], deviation: frame.deviation_before[k] } : null;
    return { mean: frame.mean[k], deviation: frame.deviation[k], before, likelihood: frame.likelihood[k] };
  });
}

/**
 * What a strip shows: {low, high} of its values, and the density at its top; `beyond` is -1 or 1 where the row's value is further out.
 * One class that is very wide, or very narrow, does not make all others unreadable: it is cut.
 */
export function stripScale(curves, value) {
  const seen = curves.filter(({ mean, deviation }) => Number.isFinite(mean) && Number.isFinite(deviation));
  if (!seen.length) return { low: 0, high: 1, top: 1, beyond: 0 };
  const wide = seen.map(({ deviation }) => deviation).filter((deviation) => deviation > 0), usual = wide.length ? middle(wide) : 0;
  let low = Math.min(...seen.map(({ mean, deviation }) => mean - REACH * Math.min(deviation, WIDEST * usual)));
  let high = Math.max(...seen.map(({ mean, deviation }) => mean + REACH * Math.min(deviation, WIDEST * usual)));
  const width = high - low || Math.abs(low) || 1;
  if (!(high > low)) [low, high] = [low - width / 2, high + width / 2];
  const beyond = value < low - BEYOND * width ? -1 : value > high + BEYOND * width ? 1 : 0;
  if (Number.isFinite(value) && !beyond) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const peaks = seen.filter(({ deviation }) => deviation > 0).map(({ mean, deviation }) => density(mean, deviation, mean));
  const top = peaks.length ? Math.min(Math.max(...peaks), HIGHEST * middle([...peaks])) : 1;
  return { low, high, top, beyond };
}

/** The row of the answered class, or -1. */
export const answeredOf = (frame) => frame.answered.findIndex(Boolean);

/** The row of the class that the answered one is compared with: the chosen one, else the true one, else the next; or -1. */
export function rivalOf(frame, chosen) {
  const answered = answeredOf(frame), carried = frame.carried.findIndex(Boolean);
  if (answered < 0) return -1;
  if (chosen >= 0 && chosen !== answered) return chosen;
  if (carried >= 0 && carried !== answered) return carried;
  let next = -1;
  frame.id.forEach((_, row) => {
    if (row !== answered && (next < 0 || frame.total[row] < frame.total[next])) next = row;
  });
  return next;
}

/** The steps from no difference to that of the answered class above another. */
export const stepsOf = (frame, rival) => stepsOfSum(frame, rival, { words: "how frequent", adds: frame.prior[rival] }, frame.step_value, (value) => ` ${formatNumber(value)}`);

/** How many times as likely a difference of logarithms is, in words. */
export function timesOf(difference) {
  const times = Math.exp(Math.abs(difference));
  if (times >= 1e6) return "over a million times";
  return times < 1.05 ? "about" : `${times < 100 ? formatNumber(Number(times.toPrecision(2))) : formatCount(Number(times.toPrecision(2)))} times`;
}

/** What decided, in words. */
export function verdict(frame, rival, nameOf) {
  const answered = answeredOf(frame), isRight = Boolean(frame.carried[answered]), isKnown = frame.carried.some(Boolean);
  const whose = frame.carried[rival] ? ", its class" : "";
  const said = isKnown ? `${isRight ? "rightly" : "wrongly"} answered: ` : "";
  return `${said}${timesOf(frame.total[rival])} as likely as ${nameOf(rival)}${whose}`;
}
