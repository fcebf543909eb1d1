/* The nodes on screen, kept by id between frames, and the frame of view that fits all of them. */
import { clamp } from "../../../kit/js/dom.js";
import { SoloGlide, THERE, Tween } from "../../../kit/js/tween.js";
import { often } from "./words.js";

/**
 * What glides, of a node: its place in node distances and rows, a leaf's filling, the weight that sets its edge's width, the share
 * of an answer that it gives itself, the share of the evidence for its split that the leaf has that splits next.
 */
export const X = 1, Y = 2, FILL = 3, WEIGHT = 4, SHARE = 5, READY = 6;
/** What glides, of the fitted view: pixels per node distance and per row, pixels of the origin. */
export const STEP_X = 0, STEP_Y = 1, LEFT = 2, TOP = 3;
/** Rows of nodes at least so far from each other, px, have a second line of words below a leaf. */
export const LEAST_ROW_WITH_WORDS = 46;
/** Bounds of a node distance and of a row in CSS pixels when the whole tree is shown. */
const LOW = 160, FIT = { x: [5, 128], y: [12, 96] };
/** What the deepest leaf takes below its middle with two lines of words, px. */
export const WORDS = 57;
/** Bounds of what is left free beside the outermost nodes, px. */
const SIDE = [26, 56];
/** Of a tree that lies on its side, px: what is left free beside its root and its deepest leaves, bounds of a level. */
const LYING = { left: 42, right: 48, level: [20, 88] };

export class Scene extends Tween {
  constructor() {
    super(7);
    this.placed = [];
    this.order = [];
    this.view = new SoloGlide([1, 1, 0, 0]);
  }

  /** Takes a frame as the new goal; parents come before their children in it. */
  take(frame, now) {
    const heaviest = frame.weight.reduce((most, weight) => Math.max(most, weight), 0);
    const placed = [];
    this.aim(frame.id, now, (node, i) => {
      const above = placed[frame.parent[i]] ?? null, rival = placed[frame.rival[i]] ?? null;
      Object.assign(node, {
        above, rival, isLeaf: Boolean(frame.is_leaf[i]), isGhost: Boolean(frame.background[i]), isActive: Boolean(frame.active[i]),
        folded: frame.folded[i], isMixed: Boolean(frame.share_first),
      });
      const { at, to } = node;
      to[X] = frame.x[i];
      to[Y] = frame.y[i];
      // a dot or a ring tells something where words beside one of them say what
      to[FILL] = often(frame.error[i]) && clamp(frame.error[i], 0, 1);
      to[WEIGHT] = heaviest > 0 ? Math.sqrt(clamp(frame.weight[i] / heaviest, 0, 1)) : 0;
      // what those above leave: a leaf gives all of it, a test's node its share; an alternate's is not yet of the tree
      const left = above?.left ?? 1, own = node.isLeaf ? 1 : (frame.share_first?.[i] ?? NaN), didMix = node.mixes ?? false;
      node.mixes = node.isMixed && !node.isGhost && !Number.isNaN(own);
      node.left = node.mixes ? left * (1 - own) : left;
      to[SHARE] = node.part = left - node.left;
      if (node.mixes && !didMix) at[SHARE] = to[SHARE];
      node.isNext = frame.id[i] === frame.wait?.leaf && !node.isMixed;
      to[READY] = node.isNext ? clamp(frame.readiness[i], 0, 1) : 0;
      placed.push(node);
    }, {
      begin({ above, rival, at }) {
        const origin = (above ?? rival)?.at;
        if (origin) [at[X], at[Y]] = [origin[X], origin[Y]];
      },
      leave(node) {
        // What is gone shrinks into the nearest ancestor that is still there.
        let refuge = node.above ?? node.rival;
        while (refuge && refuge.row < 0) refuge = refuge.above ?? refuge.rival;
        if (refuge) [node.to[X], node.to[Y]] = [refuge.to[X], refuge.to[Y]];
      },
    });
    this.placed = placed;
    this.sort();
    makeRoom(placed);
  }

  /** What leaves is drawn first, under what stays; parents before their children. */
  sort() {
    const gone = [...this.items.values()].filter((node) => node.row < 0);
    this.order = gone.concat(this.placed);
  }

  drop(there) {
    const before = this.items.size;
    super.drop(there);
    if (this.items.size < before && this.placed.length) this.sort();
  }

  get leaving() {
    return this.items.size - this.placed.length;
  }
}

/** Who is beside each node in its row. */
function makeRoom(nodes) {
  const rows = new Map();
  for (const node of nodes) {
    if (!rows.has(node.to[Y])) rows.set(node.to[Y], []);
    rows.get(node.to[Y]).push(node);
  }
  for (const row of rows.values()) {
    row.sort((a, b) => a.to[X] - b.to[X]);
    row.forEach((node, i) => {
      node.before = row[i - 1] ?? null;
      node.after = row[i + 1] ?? null;
    });
  }
}

/** [stepX, stepY, left, top] that show every node, across and down, whether it stands or lies on its side, the root on the left, or has little height (`isLow`): as large as fits, in bounds; too large a tree is shown from its root on. */
export function wholeTree(frame, width, height, lies = false, isLow = height < LOW) {
  let left = 0, right = 0, bottom = 0;
  for (let i = 0; i < frame.id.length; i++) {
    left = Math.min(left, frame.x[i]);
    right = Math.max(right, frame.x[i]);
    bottom = Math.max(bottom, frame.y[i]);
  }
  if (lies) {
    const stepX = clamp((width - LYING.left - LYING.right) / Math.max(bottom, 1e-6), ...LYING.level);
    const stepY = clamp((height - 2 * SIDE[0]) / Math.max(right - left, 1e-6), ...FIT.x);
    const fits = (right - left) * stepY <= height - 2 * SIDE[0] + 1;
    return [stepX, stepY, LYING.left, height / 2 - (fits ? ((left + right) / 2) * stepY : 0)];
  }
  // half a column, in bounds: a leaf there has what the others have
  const side = clamp(width / (2 * (right - left + 1)), ...SIDE);
  // a low picture, as on a projector, gives its height to the rows
  const above = isLow ? 15 : 28, stepFor = (below) => clamp((height - above - below) / Math.max(bottom, 1e-6), ...FIT.y);
  // where rows are too near for two lines below leaves there is one, and takes less room
  const hasWords = stepFor(WORDS) >= LEAST_ROW_WITH_WORDS, below = hasWords ? WORDS : isLow ? 29 : 36;
  const stepY = hasWords ? stepFor(below) : Math.min(stepFor(below), LEAST_ROW_WITH_WORDS - 1);
  const stepX = clamp((width - 2 * side) / Math.max(right - left, 1e-6), ...FIT.x);
  const fits = (right - left) * stepX <= width - 2 * side + 1;
  const spare = Math.max(0, height - above - below - bottom * stepY);
  return [stepX, stepY, width / 2 - (fits ? ((left + right) / 2) * stepX : 0), above + spare * 0.4];
}
