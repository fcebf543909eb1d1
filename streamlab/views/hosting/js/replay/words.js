/* What the replay says in words, out of curves and events, by plain rules. */
import { formatCount, numbered } from "../../../kit/js/format.js";
import { lastUpTo } from "../../../kit/js/search.js";

/** A measure moved if by more than this; it is back when it lacks less than this share of what it lost. */
const MOVED = 0.03, BACK = 0.25;
/** Learners that the story tells of. */
const MOST_TOLD = 4;
/** Kinds of events that a person made. */
const BY_HAND = ["tuned", "put in", "forked", "joined"];

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

/**
 * What happened to one learner since a drift, as a sentence, or "" while there is too little to say: `drift` has the row it begins `at` and
 * the learner's `level` before it; that nothing fell is said after `judgedFrom` points.
 */
export function since(drift, position, name, positions, values, higherIsBetter, judgedFrom = 1) {
  const sign = higherIsBetter ? 1 : -1;
  const first = lastUpTo(positions, drift.at), last = lastUpTo(positions, position);
  if (first < 0 || last <= first) return "";
  const after = Array.from(values.slice(first + 1, last + 1)).filter(Number.isFinite);
  const before = drift.level;
  if (!Number.isFinite(before) || !after.length) return "";
  const worst = sign * Math.min(...after.map((value) => sign * value)), now = after[after.length - 1];
  const lost = sign * (before - worst);
  if (lost < MOVED && after.length < judgedFrom) return "";
  if (lost < MOVED) return `${name} was hardly affected (${score(before)} before, ${score(now)} now).`;
  const fell = `${name} ${higherIsBetter ? "fell" : "rose"} from ${score(before)} to ${score(worst)}`;
  const missing = sign * (before - now);
  if (sign * (now - worst) < MOVED) return `${fell}${now === worst ? "" : ` and is at ${score(now)}`}.`;
  return missing < BACK * lost ? `${fell} and is back at ${score(now)}.` : `${fell} and has come back to ${score(now)} so far.`;
}

/** What was last done by hand since a position: a setting changed, a fork, a drift put in; or "". */
function byHand(head, after, position) {
  const isOne = ([at, , kind]) => at >= after && at <= position && BY_HAND.includes(head.kinds[kind].name);
  const last = head.events.filter(isOne).pop();
  if (!last) return "";
  const [at, who, kind, message] = last;
  const whose = who < 0 || head.kinds[kind].name !== "tuned" ? "" : `${head.learners[who].name}, `;
  return `By hand at row ${formatCount(at)}: ${whose}${message}.`;
}

/** The row at which a learner came, or left another; 0: it was there from the first. */
const beganAt = ({ events, kinds }, learner) => events.reduce((last, [at, who, kind]) => (
  who === learner && ["forked", "joined"].includes(kinds[kind].name) ? Math.max(last, at) : last), 0);

/** The story at a position: {head, tail} of sentences. */
export function story({ head, curves, chosen, position }) {
  const { drifts, learners, measures } = head;
  const place = lastUpTo(drifts.map(({ at }) => at), position - 1e-9);
  if (place < 0) {
    const [next] = drifts;
    const done = byHand(head, 0, position);
    const hope = next ? `Until row ${formatCount(next.at)} the stream stays as it is; then comes change ${numbered(1)}.`
      : "No change of the stream is known. The curves show how good the learners' answers were, row by row.";
    return { head: "", tail: [hope, done].filter(Boolean).join(" ") };
  }
  const drift = drifts[place];
  const over = drift.width > 1 ? `From row ${formatCount(drift.at)} to ${formatCount(drift.at + drift.width)}` : `At row ${formatCount(drift.at)}`;
  const told = learners.map(({ name }, i) => {
    // what a fork's curve shows before the fork is another's
    if (beganAt(head, i) > drift.at) return "";
    const { positions, values } = pointsUpTo(curves[i], chosen, position), level = curves[i].levels[chosen.over][chosen.measure][place];
    return since({ at: drift.at, level }, position, name, positions, values, measures[chosen.measure].higher_is_better, head.judged_from);
  });
  return { head: `${numbered(place + 1)} ${over}, ${drift.what}.`, tail: [...told.filter(Boolean).slice(0, MOST_TOLD), byHand(head, drift.at, position)].filter(Boolean).join(" ") };
}
