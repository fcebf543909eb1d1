/* The figures of a position and what is told there. */
import { lastUpTo } from "../../../kit/js/search.js";

/** Two decimals, as everywhere on the page; a dash where there is no number. */
export const score = (value) => (Number.isFinite(value) ? value.toFixed(2) : "–");

/** Up to a position the rows and values of a curve that one concludes from: a last point of few rows is one with the point before it. */
export function pointsUpTo(curve, { over, measure }, position) {
  const last = lastUpTo(curve.positions, position), values = curve.values[over][measure];
  const [rows, found] = [Array.from(curve.positions.subarray(0, last + 1)), Array.from(values.subarray(0, last + 1))];
  const whole = over === "chunk" && last === curve.positions.length - 1 ? curve.whole?.[measure] ?? null : null;
  if (whole === null) return { positions: rows, values: found };
  return { positions: [...rows.slice(0, -2), rows[last]], values: [...found.slice(0, -2), whole] };
}

/** The figure of a curve at a position, {value, from, to}: that of its last point so far, of the rows `from` to `to`. */
export function figureAt(curve, chosen, position) {
  const { positions, values } = pointsUpTo(curve, chosen, position);
  const last = positions.length - 1;
  return last < 0 ? { value: NaN, from: 1, to: 0 } : { value: values[last], from: (positions[last - 1] ?? 0) + 1, to: positions[last] };
}

/** The story at a position, {head, tail}: what the live page tells there. */
export function story({ head, stories, chosen, position }) {
  const { at, text } = stories[chosen.over][chosen.measure];
  const [headline, rest] = head.texts[text[Math.max(0, lastUpTo(at, position))]];
  return { head: headline, tail: rest };
}
