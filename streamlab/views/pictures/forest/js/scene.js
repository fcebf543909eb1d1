/* Where the large tree and the small bars stand, its cells on their way, the way of the latest row, and what can be asked of a frame's rows. */
import { clamp } from "../../../kit/js/dom.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { THERE, Tween } from "../../../kit/js/tween.js";

/** Room above and below the cells, in CSS pixels, for the outline of a cell at the edge; at the sides they stand below what is above the picture. */
const MARGIN = 2;
const NARROW = 480, APART = 10, BAR = 36, LOW_BAR = 24, CAPTION_GAP = 12, LEAST_LEVEL = 10, LEAST_OF_FEW = 20, LEAST_BESIDE_BARS = 18, LEAST_FILLING = 6, MOST_LEVEL = 64;
/** The first cell has words: one line of them for what is new, one for what is old. */
const WITH_WORDS = 38;

/**
 * Places for a width in CSS pixels: one tree of `levels` lines, under it a bar for each tree behind `caption` px of words; `fills`: as high as
 * may be; `low`: no higher than that, and only the `levels` from the root on that can be read there.
 */
export function stageLayout(width, trees, all, tall, fills, caption = 0, low = false) {
  const inner = Math.max(1, width), bar = low ? LOW_BAR : BAR, isTight = fills || low;
  const levels = low ? clamp(1 + Math.floor((tall - 2 * MARGIN - (trees > 1 ? APART + bar : 0) - WITH_WORDS) / LEAST_OF_FEW), 1, all) : all;
  // on a phone nothing fills the screen
  const roomBeside = (under) => (width < NARROW && !isTight ? 0.5 : 1) * (tall - under - 2 * MARGIN);
  // before a class the bars give way to the large tree
  const hasBars = trees > 1 && !(fills && roomBeside(APART + bar) < LEAST_BESIDE_BARS * levels);
  const room = roomBeside(hasBars || (trees <= 1 && !low) ? APART + bar : 0);
  const [least, even] = [fills ? LEAST_FILLING : LEAST_LEVEL, room / levels];
  const first = Math.floor(clamp(Math.min(WITH_WORDS, room - least * (levels - 1)), clamp(even, least, MOST_LEVEL), MOST_LEVEL));
  const row = levels > 1 ? Math.floor(clamp((room - first) / (levels - 1), least, MOST_LEVEL)) : first;
  const height = first + row * (levels - 1);
  const top = MARGIN + height + APART;
  const before = caption && caption + CAPTION_GAP;
  const broad = (inner - before) / Math.max(trees, 1), gap = broad > 8 ? 3 : broad > 3 ? 1 : 0;
  return {
    x: 0, y: MARGIN, width: inner, first, row, height, levels, bottom: MARGIN + height,
    bars: { x: before, top, height: bar, step: broad + gap / Math.max(trees, 1), gap },
    hasBars, total: hasBars ? top + bar + MARGIN : MARGIN + height + MARGIN,
  };
}

/** Where a level is: its top and its height. */
export const levelAt = ({ y, first, row }, depth) => (depth ? [y + first + (depth - 1) * row, row] : [y, first]);

/** The level at a height. */
export const depthAt = ({ y, first, row }, at) => (at - y < first ? Math.floor((at - y) / first) : 1 + Math.floor((at - y - first) / row));

/** Who is where, whose parent is whom. Linear scans: they run on a key or a pointer only. */
export const Rows = {
  /** The row for which `score` is lowest; rows scored null are out. */
  best: (frame, score) => nearestOf(frame.id, (_, i) => score(i)),

  middle: (frame, i) => (frame.x0[i] + frame.x1[i]) / 2,

  root: (frame, tree) => Rows.best(frame, (i) => (frame.tree[i] === tree ? frame.depth[i] : null)),

  parent(frame, row) {
    const x = Rows.middle(frame, row);
    return Rows.best(frame, (i) => (
      frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] - 1 && frame.x0[i] <= x && x <= frame.x1[i] ? 0 : null));
  },

  child(frame, row) {
    return Rows.best(frame, (i) => {
      const x = Rows.middle(frame, i);
      const isBelow = frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] + 1;
      return isBelow && frame.x0[row] <= x && x <= frame.x1[row] ? x : null;
    });
  },

  neighbour(frame, row, direction) {
    const here = Rows.middle(frame, row);
    return Rows.best(frame, (i) => {
      const away = (Rows.middle(frame, i) - here) * direction;
      return i !== row && frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] && away > 0 ? away : null;
    });
  },

  /** The root of the nearest tree before or after that has a cell at all. */
  nextTree(frame, row, direction) {
    const tree = Rows.best(frame, (i) => {
      const away = (frame.tree[i] - frame.tree[row]) * direction;
      return away > 0 ? away : null;
    });
    return tree < 0 ? -1 : Rows.root(frame, frame.tree[tree]);
  },
};

/** What glides, per cell, beside how much of it is there; OLD is a share of the cell's height, as FILL is. */
export const LEFT = 1, RIGHT = 2, FILL = 3, OLD = 4;
const TWEEN_MS = 200, FAINT = 0.15;
/** How long a row falls, and how rarely rows must come for that to be seen. */
const FALL_MS = 700, RARE_MS = 450;

export class Cells extends Tween {
  constructor() {
    super(5, { duration: TWEEN_MS, faint: FAINT });
  }

  /** Takes the cells of one tree as the goal. */
  take(frame, tree, now) {
    const rows = [];
    for (let i = 0; i < frame.id.length; i++) if (frame.tree[i] === tree) rows.push(i);
    this.aim(rows.map((row) => frame.id[row]), now, (cell, i) => {
      const row = rows[i], { to } = cell;
      to[LEFT] = frame.x0[row];
      to[RIGHT] = frame.x1[row];
      to[FILL] = frame.fill[row];
      to[OLD] = frame.fill[row] * frame.before[row];
      cell.lit = Boolean(frame.lit[row]);
      // what is kept is of this row at once, as in the caption and the small bars: only places glide
      cell.at[FILL] = to[FILL];
      cell.at[OLD] = to[OLD];
      cell.depth = frame.depth[row];
    });
  }

  /** The cells that the latest row passed, from the root down. */
  way() {
    return Array.from(this.items.values()).filter((cell) => cell.row >= 0 && cell.lit).sort((a, b) => a.depth - b.depth);
  }
}

/** How far down the latest row has fallen, 0..1: at once while rows come often, else slowly enough to be followed. */
export class Fall {
  constructor() {
    Object.assign(this, { start: -Infinity, last: -Infinity, row: -1, at: 1 });
  }

  take(row, now, jump) {
    if (row === this.row) return;
    if (!jump && now - this.last > RARE_MS && row > this.row) this.start = now;
    else this.start = -Infinity;
    Object.assign(this, { row, last: now });
    this.advance(now);
  }

  advance(now) {
    this.at = clamp((now - this.start) / FALL_MS, 0, 1);
  }

  finish() {
    Object.assign(this, { start: -Infinity, at: 1 });
  }

  get moving() {
    return this.at < 1;
  }
}

/** The tree that holds most, which stays the one that is large until another holds twice as much. */
export function fullest(totals, large) {
  const most = totals.reduce((best, { weight }, tree) => (weight > totals[best].weight ? tree : best), 0);
  return 2 * (totals[large]?.weight ?? 0) > (totals[most]?.weight ?? 0) ? large : most;
}

/** Per tree: its root's row, fill, share from before the mark and evidence, and how many cells are drawn. */
export function treeTotals(frame) {
  const totals = Array.from({ length: frame.n_trees }, () => ({ row: -1, fill: 0, before: 0, weight: 0, cells: 0 }));
  for (let i = 0; i < frame.id.length; i++) {
    const total = totals[frame.tree[i]];
    if (!total) continue;
    total.cells++;
    if (frame.depth[i] === 0) Object.assign(total, { row: i, fill: frame.fill[i], before: frame.before[i], weight: frame.weight[i] });
  }
  return totals;
}
