/* The cells on screen: what of a node glides, and what its age and weight look like. */
import { clamp } from "../../../kit/js/dom.js";
import { THERE, Tween } from "../../../kit/js/tween.js";

export { THERE };
/** What glides, per cell, beside how much of it is there. */
export const LEFT = 1, RIGHT = 2, HEAT = 3, BAR = 4;
const TWEEN_MS = 200, FAINT = 0.15;
/** The age, in half-lives, at which a cell has the last colour: 1/16 of the weight it had is left. */
const OLDEST = 4;
/** Bars are logarithmic, so that a node left alone shrinks by equal steps per half-life; under this share the bar is empty. */
export const LEAST_KEPT = 0.001;

/**
 * Place on the colour scale, 0 fresh to 1 stale: the root of the age in half-lives, for most ages are small. A learner that
 * never fades has no half-life, so there the age counts as a share of the stream so far.
 */
export function heatOf(age, frame) {
  const oldest = frame.half_life ? OLDEST * frame.half_life : Math.max(frame.now, 1);
  return Math.sqrt(clamp(age / oldest, 0, 1));
}

export function barOf(kept) {
  return kept <= LEAST_KEPT ? 0 : Math.min(1, 1 - Math.log(kept) / Math.log(LEAST_KEPT));
}

export class Cells extends Tween {
  constructor() {
    super(5, { duration: TWEEN_MS, faint: FAINT });
  }

  take(frame, now) {
    this.aim(frame.id, now, (cell, i) => {
      const { to } = cell;
      to[LEFT] = frame.x0[i];
      to[RIGHT] = frame.x1[i];
      to[HEAT] = heatOf(frame.age[i], frame);
      to[BAR] = barOf(frame.retained[i]);
      if (!cell.isNew) return;
      cell.tree = frame.tree[i];
      cell.depth = frame.depth[i];
      cell.at.set(to);
      cell.at[THERE] = 0;
    });
  }
}

/** Per tree: nodes drawn, the root's share kept, and over the nodes without a drawn child the weighted age and stale weight. */
export function treeTotals(frame) {
  const totals = Array.from({ length: frame.n_trees }, () => ({ nodes: 0, kept: 0, weight: 0, age: 0, stale: 0 }));
  const middle = (i) => (frame.x0[i] + frame.x1[i]) / 2;
  const level = (i, below) => frame.tree[i] * 256 + frame.depth[i] + below;
  const middles = new Map();
  for (let i = 0; i < frame.id.length; i++) {
    if (!middles.has(level(i, 0))) middles.set(level(i, 0), []);
    middles.get(level(i, 0)).push(middle(i));
  }
  for (let i = 0; i < frame.id.length; i++) {
    const total = totals[frame.tree[i]];
    total.nodes++;
    if (frame.depth[i] === 0) total.kept = frame.retained[i];
    if (middles.get(level(i, 1))?.some((x) => frame.x0[i] <= x && x <= frame.x1[i])) continue;
    total.weight += frame.weight[i];
    total.age += frame.weight[i] * frame.age[i];
    if (heatOf(frame.age[i], frame) >= 1) total.stale += frame.weight[i];
  }
  return totals;
}
