/* The classes and the latest instance in words. In a frame a class stands before all below it. */
import { formatCount, formatNumber, fromBefore, plural } from "../../../kit/js/format.js";
import { distanceText, score } from "./painter.js";

/** Rows with a flag whose children do not have it: where a path ends. */
export function ends(frame, flag) {
  const continued = new Set();
  for (let i = 0; i < frame.id.length; i++) if (flag[i] && frame.parent[i] >= 0) continued.add(frame.parent[i]);
  return Array.from(frame.id, (_, i) => i).filter((i) => flag[i] && !continued.has(i));
}

/** The rows from the top down to one. */
export function line(frame, row) {
  const rows = [];
  for (let at = row; at >= 0; at = frame.parent[at]) rows.unshift(at);
  return rows;
}

const MOST_CANDIDATES = 6;

/** What became of a row's class at the latest instance; "" if nothing. */
export function onPath(lit, row) {
  if (!lit) return "";
  if (lit.true[row] && lit.predicted[row]) return "true and predicted";
  if (lit.true[row]) return "true, not predicted";
  return lit.predicted[row] ? "predicted, not true" : lit.tied[row] ? "too close to call" : "";
}

/** Title and lines about a row. */
export function describe(frame, lit, row, name) {
  const lines = [];
  if (frame.parent[row] >= 0) lines.push(line(frame, row).map(name).join(" › "));
  const hf = frame.hf[row];
  lines.push(Number.isNaN(hf) ? "none came or was predicted lately" : `recent hF ${score(hf)} (hP ${score(frame.hp[row])}, hR ${score(frame.hr[row])})`);
  lines.push(`${formatCount(frame.arrivals[row])} came in all, ${formatNumber(frame.weight[row])} recently`);
  if (frame.held[row] >= 0) lines.push(`${plural(frame.held[row], "example")} kept`);
  if (lit && !Number.isNaN(lit.distance[row])) lines.push(`distance to the latest row ${distanceText(lit.distance[row])}`);
  if (onPath(lit, row)) lines.push(`latest row: ${onPath(lit, row)}`);
  if (frame.folded[row]) lines.push(`${formatCount(frame.folded[row])} more below, ${frame.collapsed[row] ? "folded" : "not drawn"}`);
  return { title: name(row), lines };
}

/** A sentence about all classes. */
export function summarise(frame, name, lit = null) {
  const shown = frame.id.length, inAll = frame.n_nodes ?? shown;
  const all = inAll > shown ? `${formatCount(shown)} of ${formatCount(inAll)} classes drawn` : `${formatCount(shown)} ${shown === 1 ? "class" : "classes"}`;
  let deepest = 0, worst = -1;
  for (let i = 0; i < shown; i++) {
    deepest = Math.max(deepest, frame.depth[i]);
    if (frame.is_leaf[i] && !Number.isNaN(frame.hf[i]) && (worst < 0 || frame.hf[i] < frame.hf[worst])) worst = i;
  }
  const lowest = worst < 0 ? "" : ` Lowest recent hF: ${name(worst)}, ${score(frame.hf[worst])}.`;
  return `${fromBefore(frame.before)}${frame.subject ? `${frame.subject}: ` : ""}${all} on ${plural(deepest + 1, "level")}, after ${plural(frame.now, "row")}.${lowest}${latest(frame, lit, name)}`;
}

/** What became of the latest row, and between which classes its walk decided. */
function latest(frame, lit, name) {
  if (!lit || frame.now === 0) return "";
  const [, why] = decision(frame, lit, name);
  return ` Row ${formatCount(lit.now)}: ${verdict(frame, lit)}${why && `; ${why}`}.`;
}

/** What became of the latest instance. */
export function verdict(frame, lit) {
  let [wrong, missed, hits, top] = [0, 0, 0, Infinity];
  for (let i = 0; i < frame.id.length; i++) {
    const isTrue = Boolean(lit.true[i]), isPredicted = Boolean(lit.predicted[i]);
    hits += isTrue && isPredicted;
    wrong += isPredicted && !isTrue;
    missed += isTrue && !isPredicted;
    if (isTrue !== isPredicted) top = Math.min(top, frame.depth[i]);
  }
  if (!wrong && !missed) return "right on every level";
  if (!wrong && hits) return "right as far as it goes";
  if (!wrong) return "nothing predicted";
  return `wrong from level ${top + 1} on`;
}

/** Between which classes the walk decided last: a term and its words. */
export function decision(frame, lit, name) {
  const rows = Array.from(frame.id, (_, i) => i).filter((i) => lit.compared[i] && !Number.isNaN(lit.distance[i]));
  if (!rows.length) return ["", ""];
  rows.sort((a, b) => lit.distance[a] - lit.distance[b]);
  const shown = rows.slice(0, MOST_CANDIDATES).map((i) => `${name(i)} ${distanceText(lit.distance[i])}`);
  const more = rows.length > MOST_CANDIDATES ? `, and ${rows.length - MOST_CANDIDATES} more` : "";
  const parent = frame.parent[rows[0]];
  const where = parent >= 0 ? `under ${name(parent)}` : "at the top";
  const tied = rows.filter((i) => lit.tied[i]).length;
  const why = rows.some((i) => lit.stopped[i]) ? `stopped ${where}, ${tied} about as near: ` : `last step ${where}: `;
  return ["distances", `${why}${shown.join(", ")}${more}`];
}
