/* The classes and the latest row in words. In a frame a class stands before all below it. */
import { formatCount, formatNumber, fromBefore, plural } from "../../../kit/js/format.js";

const OF_LEARNER = ["hf", "hp", "hr", "was", "predicted"];

export const score = (value) => (Number.isNaN(value) ? "–" : value.toFixed(2));
/** As a column has it, and heads have theirs. */
export const shortScore = (value) => score(value).replace(/^0/, "");

/** What each learner answers, {name, colour, before, hf, hp, hr, was, predicted}, columns but for the first three. */
export function answersOf(frame) {
  const learners = frame.learners ?? [{ name: frame.subject ?? "" }];
  return learners.map((learner, i) => ({ ...learner, ...Object.fromEntries(OF_LEARNER.map((name) => [name, frame[`${i ? "other_" : ""}${name}`]])) }));
}

const rowsOf = (frame) => Array.from(frame.id, (_, row) => row);

/** The latest row as a frame has it: ids of its classes, and of those that each learner answered. */
export function litBy(frame) {
  const marked = (flags) => new Set(rowsOf(frame).filter((row) => flags[row]).map((row) => frame.id[row]));
  return { now: frame.now, true: marked(frame.true), predicted: answersOf(frame).map(({ predicted }) => marked(predicted)) };
}

/** Rows whose ids are among these, and none of whose children's are: where a way ends. */
export function ends(frame, ids) {
  const rows = rowsOf(frame).filter((row) => ids.has(frame.id[row])), continued = new Set(rows.map((row) => frame.parent[row]));
  return rows.filter((row) => !continued.has(row));
}

/** The rows from the top down to one. */
export function line(frame, row) {
  const rows = [];
  for (let at = row; at >= 0; at = frame.parent[at]) rows.unshift(at);
  return rows;
}

/** What became of the latest row, {learner, row, words, short, isRight} for each end of a learner's way: where it left the true way is named. */
export function verdicts(frame, lit, name) {
  const right = ends(frame, lit.true), isTrue = (row) => lit.true.has(frame.id[row]);
  return lit.predicted.flatMap((predicted, learner) => {
    const found = ends(frame, predicted).map((row) => {
      if (isTrue(row) && right.includes(row)) return { learner, row, words: frame.folded[row] ? "✓ so far" : "✓ right", short: "✓", isRight: true };
      if (isTrue(row)) return { learner, row, words: `stopped at ${name(row)}`, short: "stopped", isRight: false };
      const left = line(frame, row).find((each) => !isTrue(each));
      const other = rowsOf(frame).find((each) => frame.parent[each] === frame.parent[left] && isTrue(each));
      return { learner, row, words: other === undefined ? `✕ ${name(left)}` : `${name(left)}, not ${name(other)}`, short: `✕ ${name(left)}`, isRight: false };
    });
    return found.length || !right.length ? found : [{ learner, row: right[0], words: "no answer", short: "no answer", isRight: false }];
  });
}

/** What became of a row's class at the latest row, for a learner; "" if nothing. */
export function onPath(frame, lit, row, learner) {
  const id = frame.id[row], isTrue = lit?.true.has(id), isPredicted = lit?.predicted[learner]?.has(id);
  if (isTrue) return isPredicted ? "true and predicted" : "true, not predicted";
  return isPredicted ? "predicted, not true" : "";
}

/** Title and lines about a row. */
export function describe(frame, lit, row, name) {
  const lines = frame.parent[row] >= 0 ? [line(frame, row).map(name).join(" › ")] : [], answers = answersOf(frame);
  answers.forEach(({ name: learner, hf, hp, hr, was }, i) => {
    const known = Number.isNaN(hf[row]) ? "none came or was predicted lately" : `F1 lately ${score(hf[row])} (precision ${score(hp[row])}, recall ${score(hr[row])})`;
    const before = was && !Number.isNaN(was[row]) ? `, ${score(was[row])} before the change` : "", latest = onPath(frame, lit, row, i);
    lines.push(`${answers.length > 1 ? `${learner}: ` : ""}${known}${before}${latest && `; latest row: ${latest}`}`);
  });
  lines.push(`${formatCount(frame.arrivals[row])} came in all, ${formatNumber(frame.weight[row])} recently`);
  if (frame.folded[row]) lines.push(`${formatCount(frame.folded[row])} more below, ${frame.collapsed[row] ? "folded" : "not drawn"}`);
  return { title: name(row), lines };
}

/** How much of its F1 a learner has lost since the mark at a row; NaN where that is not known. */
export const lostAt = ({ hf, was }, row) => (was ? was[row] - hf[row] : NaN);

/** The rows that have bars: groups of leaves, leaves that are in none, and what is folded. */
export function unitsOf({ parent, is_leaf: isLeaf }) {
  const below = Array.from(parent, () => []);
  parent.forEach((above, row) => below[above]?.push(row));
  const isGroup = (row) => below[row]?.length > 0 && below[row].every((each) => isLeaf[each]);
  return [...below.keys()].filter((row) => isGroup(row) || (!below[row].length && !(isLeaf[row] && isGroup(parent[row]))));
}

/** The row of the highest mean over the learners of what `value(answer, row)` says, or -1; NaN is out. */
export function highest(rows, answers, value) {
  const mean = (row) => answers.reduce((sum, answer) => sum + value(answer, row), 0) / answers.length;
  return rows.filter((row) => !Number.isNaN(mean(row))).reduce((most, row) => (most < 0 || mean(row) > mean(most) ? row : most), -1);
}

/** A sentence about all classes. */
export function summarise(frame, name, lit = null) {
  const shown = frame.id.length, inAll = frame.n_nodes ?? shown, answers = answersOf(frame);
  const all = inAll > shown ? `${formatCount(shown)} of ${formatCount(inAll)} classes drawn` : `${formatCount(shown)} ${shown === 1 ? "class" : "classes"}`;
  const levels = plural(Math.max(0, ...frame.depth) + 1, "level");
  const leaves = rowsOf(frame).filter((row) => frame.is_leaf[row]);
  const told = answers.map(({ name: learner, before, hf }) => {
    const worst = highest(leaves, [{ hf }], (answer, row) => -answer.hf[row]);
    return `${fromBefore(before)}${worst < 0 ? "" : `Lowest recent hF${answers.length > 1 ? ` of ${learner}` : ""}: ${name(worst)}, ${score(hf[worst])}. `}`;
  });
  const latest = lit && frame.now > 0 ? verdicts(frame, lit, name).map(({ learner, words }) => `${answers[learner].name}: ${words}`).join("; ") : "";
  const who = answers.map((each) => each.name).filter(Boolean).join(" and ");
  return `${who && `${who}: `}${all} on ${levels}, after ${plural(frame.now, "row")}. ${told.join("")}${latest && `Row ${formatCount(lit.now)}: ${latest}.`}`.trim();
}
