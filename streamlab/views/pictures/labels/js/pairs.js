/* Pairs of labels, numbered row by row in the lower triangle without its diagonal: (1, 0), (2, 0), (2, 1), (3, 0), ... */
import { clamp } from "../../../kit/js/dom.js";
import { nearestOf } from "../../../kit/js/search.js";

/** Number of a pair, whichever comes first. */
export const pairOf = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

/** The labels [a, b] of a pair, a > b. */
export function labelsOf(pair) {
  const a = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
  return [a, pair - (a * (a - 1)) / 2];
}

/** Share of the instances with either label that have both. */
export function jaccard(frame, a, b) {
  const joint = frame.together[pairOf(a, b)];
  const either = frame.recent[a] + frame.recent[b] - joint;
  return either > 0 ? clamp(joint / either, 0, 1) : 0;
}

/** The label that comes most often with this one, or -1. */
export const partnerOf = (frame, label) => nearestOf(frame.recent, (_, other) => {
  const together = other === label ? 0 : frame.together[pairOf(label, other)];
  return together > 0 ? -together : null;
});
