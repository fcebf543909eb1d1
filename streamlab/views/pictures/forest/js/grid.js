/* Where the strips of the trees stand, and what can be asked of a frame's rows. */

/** Room around the strips, in CSS pixels, for the outline of a cell at the edge. */
const MARGIN = 3;

/**
 * Places of the strips for a width in CSS pixels: as many columns as fit, evened out so that the last row is not ragged.
 * @returns {{columns, width, height, x: (tree) => number, y: (tree) => number, row: number, top: number, total: number}}
 */
export function gridLayout(width, trees, depths) {
  const isSmall = width < 640;
  const gap = isSmall ? 14 : 24;
  const fitting = Math.max(1, Math.floor((width + gap) / ((isSmall ? 150 : 230) + gap)));
  const rows = Math.ceil(trees / Math.min(fitting, trees));
  const columns = Math.ceil(trees / rows);
  const strip = Math.max(1, Math.floor((width - 2 * MARGIN - gap * (columns - 1)) / columns));
  const row = isSmall ? 11 : 14;
  const top = 20;
  const block = top + row * depths;
  const step = block + (isSmall ? 14 : 18);
  return {
    columns, row, top, width: strip, height: block, total: rows * step - (step - block) + MARGIN,
    x: (tree) => MARGIN + (tree % columns) * (strip + gap),
    y: (tree) => Math.floor(tree / columns) * step,
  };
}

/** Who is where, whose parent is whom. Linear scans: they run on a key or a pointer only. */
export const Rows = {
  /** The row for which `score` is lowest; rows scored null are out. */
  best(frame, score) {
    let [found, lowest] = [-1, Infinity];
    for (let i = 0; i < frame.id.length; i++) {
      const value = score(i);
      if (value !== null && value < lowest) [found, lowest] = [i, value];
    }
    return found;
  },

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
