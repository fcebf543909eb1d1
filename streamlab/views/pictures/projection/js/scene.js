/* What is drawn: instances by number and class means by label, each gliding, and what the fitted view shows. */
import { has } from "../../../kit/js/families.js";
import { SoloGlide, THERE, Tween } from "../../../kit/js/tween.js";

/** What glides, of an instance or a mean: its place in the plane. */
export const X = 1, Y = 2;
/** The fitted view moves when what it should show leaves the picture, or fills less than this share of it. */
const TOO_SMALL = 0.72;
const PADDING = 26;

const aimAt = ({ to }, x, y) => { [to[X], to[Y]] = [x, y]; };

export class Scene {
  constructor() {
    this.points = new Tween(3);
    this.means = new Tween(3);
    /** [x, y, pixels per unit] of the fitted view. */
    this.view = new SoloGlide([0, 0, 1]);
    this.clear();
  }

  clear() {
    this.points.clear();
    this.means.clear();
  }

  take(frame, now) {
    this.points.aim(frame.row, now, (mark, i) => aimAt(mark, frame.x[i], frame.y[i]));
    const known = Array.from(frame.mean_x, (_, label) => label).filter((label) => !Number.isNaN(frame.mean_x[label]) && !Number.isNaN(frame.mean_y[label]));
    this.means.aim(known, now, (mark, i) => aimAt(mark, frame.mean_x[known[i]], frame.mean_y[known[i]]));
    // a mean that is no longer known goes at once
    for (const mark of [...this.means.items.values()]) if (mark.row < 0) this.means.items.delete(mark.id);
  }

  /** Sends the view to where it shows the bounds, unless it does so well enough and need not (`must`). */
  aimView([left, right, low, high], width, height, now, jump, must) {
    const edge = Math.min(PADDING, 0.07 * height), fit = Math.min((width - 2 * edge) / Math.max(right - left, 1e-9), (height - 2 * edge) / Math.max(high - low, 1e-9));
    const step = Number.isFinite(fit) && fit < 1e8 ? fit : 1;
    const [cx, cy, stepNow] = this.view.to;
    const isIn = (x, y) => Math.abs(x - cx) * stepNow <= width / 2 - 8 && Math.abs(y - cy) * stepNow <= height / 2 - 8;
    if (!must && isIn(left, low) && isIn(right, high) && stepNow > TOO_SMALL * step) return;
    // a little smaller than it could be: then it need not move again at once
    this.view.aim([(left + right) / 2, (low + high) / 2, step * (must ? 0.97 : 0.9)], now, jump);
  }
}

/**
 * What the neighbours of the row of the links say of it, {words, isWrong, by}: where rows have one class, that of most of them, the rows `by`.
 * Of one that has been learned it is what they say now, not what it was answered by.
 */
export function saidOf(frame, oldTo, name) {
  const { truth: [own, ...more], link_row: links, row, target } = frame, voters = Array.from(links, (each) => row.indexOf(each)).filter((i) => i >= 0);
  if (own === undefined || more.length || !voters.length) return { words: "this row", isWrong: false };
  const labels = Array.from({ length: frame.n_labels }, (_, k) => k), of = (k) => voters.filter((i) => has(frame, i, k)).map((i) => row[i]);
  const most = labels.reduce((top, k) => (of(k).length > of(top).length ? k : top)), by = of(most), isOld = by.filter((each) => each < oldTo).length * 2 > by.length;
  if (most === own) return { words: `this row: ${name(own)}, as its neighbours say`, isWrong: false, by };
  return { words: `this row: ${name(own)}; ${isOld ? "old " : ""}neighbours say ${name(most)}`, isWrong: true, by };
}
