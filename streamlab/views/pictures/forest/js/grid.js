/* Where the large tree and the small bars stand, and what can be asked of a frame's rows. */
import { clamp } from "../../../kit/js/dom.js";
import { nearestOf } from "../../../kit/js/search.js";

/** Room around the cells, in CSS pixels, for the outline of a cell at the edge. */
const MARGIN = 4;
const NARROW = 480, CAPTION = 30, BAR = 38, LEAST_LEVEL = 10, LEAST_FILLING = 6, MOST_LEVEL = 56;

/** Places for a width in CSS pixels: one tree of `levels` lines, under it a line of words and a bar for each tree; `fills`: as high as may be. */
export function stageLayout(width, trees, levels, tall, fills) {
  const inner = Math.max(1, width - 2 * MARGIN);
  const roomBeside = (under) => (width < NARROW && !fills ? 0.8 : 1) * (tall - under - 2 * MARGIN);
  // before a class the bars give way to the large tree
  const hasBars = trees > 1 && !(fills && roomBeside(CAPTION + BAR) < LEAST_LEVEL * levels);
  const room = roomBeside(hasBars || trees <= 1 ? CAPTION + BAR : 0);
  const row = Math.floor(clamp(room / levels, fills ? LEAST_FILLING : LEAST_LEVEL, MOST_LEVEL));
  const height = row * levels;
  const top = MARGIN + height + CAPTION;
  const step = Math.min(inner / Math.max(trees, 1), 40);
  return {
    x: MARGIN, y: MARGIN, width: inner, row, height, bottom: MARGIN + height,
    bars: { top, height: BAR, step, gap: step > 8 ? 3 : step > 3 ? 1 : 0, caption: top - 9 },
    hasBars, total: hasBars ? top + BAR + MARGIN : MARGIN + height + MARGIN,
  };
}

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
