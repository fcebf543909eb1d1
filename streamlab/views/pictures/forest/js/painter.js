/*
 * Draws the large tree, the cells of the latest row, and the bars of all trees; all but the words are in pixels of the device. Evidence has two
 * fills, the same for every learner: solid for what came after the mark, hatched for what is from before it.
 */
import { Painter } from "../../../kit/js/marks.js";
import { DARK, evidenceOf } from "../../../kit/js/palette.js";
import { BOLD_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { FILL, LEFT, OLD, RIGHT, levelAt } from "./scene.js";

const TILE = 6, THICK = 0.46;

/** Slanted lines through a square of `size`, that go on where the next square begins. */
function slants(painter, size) {
  const ends = [-1, 0, 1].map((shift) => [shift * size - size / 2, size * 1.5, shift * size + size * 1.5, -size / 2]);
  painter.links(ends, evidenceOf(painter.theme).old, size * THICK * Math.SQRT1_2 * 1.2);
}

/** The hatching as a pattern in device pixels, for a context to fill with. */
function hatching(theme, ratio, filled) {
  const tile = document.createElement("canvas");
  const size = Math.max(4, Math.round(TILE * ratio));
  tile.width = tile.height = size;
  const painter = new Painter().on(tile.getContext("2d"), { theme });
  painter.rect(0, 0, size, size, theme.surface);
  slants(painter, size);
  return filled.createPattern(tile, "repeat");
}

/** A part of the first cell has room for words from this height on, px, and this far from its edge. */
const LEAST_OF_WORDS = 17, INSET = 10;
const DIM = 0.25;

export class ForestPainter extends Painter {
  setTheme(theme) {
    super.setTheme(theme);
    this.hatched = {};
  }

  /** The hatching of this theme at this resolution. */
  hatch() {
    const { context, ratio, theme } = this;
    if (this.hatched.context !== context || this.hatched.ratio !== ratio) this.hatched = { context, ratio, pattern: hatching(theme, ratio, context) };
    return this.hatched.pattern;
  }

  /** Every cell's box in whole device pixels, so that edges are sharp at any zoom; width 0 where it is too thin to see. */
  measure(cells) {
    const { stage, ratio, camera: { k, x, y } } = this, line = Math.max(1, Math.round(ratio));
    for (const cell of cells.items.values()) {
      const left = Math.round(((stage.x + cell.at[LEFT] * stage.width) * k + x) * ratio);
      const width = Math.round(((stage.x + cell.at[RIGHT] * stage.width) * k + x) * ratio) - left;
      cell.left = left;
      const [top, high] = levelAt(stage, cell.depth);
      cell.top = Math.round((top * k + y) * ratio);
      // A gap between neighbours, but never at the price of the cell itself.
      cell.width = Math.max(0, width > 3 * line ? width - line : width);
      cell.height = Math.max(1, Math.round(high * k * ratio) - 2 * line);
    }
  }

  /** It is `on` a context with {stage, ratio, camera}. */
  draw({ cells, totals, tree, selected, cursor, pointed, fall, words, isDim }) {
    const { context, theme } = this;
    this.measure(cells);
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const cell of cells.items.values()) {
      if (!cell.width || cell.depth >= this.stage.levels) continue;
      context.globalAlpha = cell.at[THERE] * (isDim(cell.id) ? DIM : 1);
      this.evidence(cell, cell.at[FILL], cell.at[OLD]);
    }
    context.globalAlpha = 1;
    const at = this.way(cells.way(), fall);
    this.frame(cells.get(cursor), theme.strong);
    this.frame(cells.get(selected), theme.accent);
    if (this.stage.hasBars) this.bars(totals, tree, pointed, words.tree);
    this.write(cells, words);
    if (at) this.aside(at[2] ? words.way : words.row, at);
  }

  /** A box filled from its bottom: hatched as high as the old evidence, solid above it as high as all. */
  evidence({ left, top, width, height }, share, old) {
    const filled = Math.round(height * share), hatched = Math.round(height * old);
    this.rect(left, top, width, height - filled, this.theme.track);
    this.rect(left, top + height - filled, width, filled - hatched, evidenceOf(this.theme).fresh);
    if (hatched) this.rect(left, top + height - hatched, width, hatched, this.hatch());
  }

  /** The cells that the latest row passed are framed, with a dot in the last; when it has come to the lowest drawn, returns where that is, and whether it goes on below. */
  way(cells, fall) {
    if (!cells.length) return null;
    const { theme, ratio, stage: { levels } } = this, depth = fall * (cells[cells.length - 1].depth + 1);
    const seen = cells.filter((cell) => cell.depth < levels), passed = seen.filter((cell) => cell.depth < depth);
    const pen = Math.max(2, Math.round(2 * ratio)), half = pen / 2;
    for (const { left, top, width, height } of passed) this.box(left + half, top + half, width - 2 * half, height - 2 * half, theme.strong, pen);
    if (!passed.length) return null;
    const { left, top, width, height } = passed.at(-1), end = [left + width / 2, top + height / 2];
    for (const [style, r] of [[theme.halo, 7], [theme.strong, 4.75]]) this.dot(...end, r * ratio, style);
    return passed.length < seen.length ? null : [...end, seen.length < cells.length];
  }

  /** A plate with words at a point, in device pixels. */
  aside(words, [x, y]) {
    const { context, ratio, stage } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.plate(words, x / ratio, y / ratio, { most: stage.x + stage.width, tall: stage.row });
  }

  /** A sign around a cell, if it is there; at the picture's edges within it. */
  frame(cell, colour) {
    if (!cell) return;
    const { left, top, width, height } = cell, pen = Math.max(1, Math.round(this.ratio));
    const from = Math.max(left - pen, 2 * pen), to = Math.min(left + width + pen, this.context.canvas.width - 2 * pen);
    for (const [style, thickness] of [[this.theme.halo, 4 * pen], [colour, 2.5 * pen]]) this.box(from, top - pen, to - from, height + 2 * pen, style, thickness);
  }

  /** What the two fills are, in the first cell, each where its part is high and wide enough; what width and height are, in the widest ones below it. */
  write(cells, { fresh, old, width, height }) {
    const { context, ratio, theme } = this, onFresh = { colour: theme === DARK ? "#06231f" : "#fff" }, onOld = { colour: theme.ink, halo: 5 };
    const [root, second, third] = [0, 1, 2].map((level) => [...cells.items.values()].filter(({ depth, row }) => depth === level && row >= 0)
      .reduce((widest, cell) => (cell.width > (widest?.width ?? 0) ? cell : widest), null));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const put = (words, cell, [from, high], look) => {
      const fits = words && cell && high / ratio >= LEAST_OF_WORDS && cell.width / ratio >= this.texts.width(words, BOLD_FONT) + 2 * INSET;
      if (fits) this.text(words, cell.left / ratio + INSET, (from + high / 2) / ratio, { font: BOLD_FONT, ...look });
      return fits;
    };
    const freshOf = ({ top, height: tall, at }) => [top + tall * (1 - at[FILL]), tall * (at[FILL] - at[OLD])], oldOf = ({ top, height: tall, at }) => [top + tall * (1 - at[OLD]), tall * at[OLD]];
    if (!root) return;
    put(fresh, root, freshOf(root), onFresh);
    put(old, root, oldOf(root), onOld);
    for (const [words, cell] of [[second && width(second.at[RIGHT] - second.at[LEFT]), second], [height, third]]) if (cell && !put(words, cell, freshOf(cell), onFresh)) put(words, cell, oldOf(cell), onOld);
  }

  /** A bar for each tree, behind the words which one is large; that one is framed. */
  bars(totals, tree, pointed, words) {
    const { context, theme, ratio, stage, camera: { k, x, y } } = this;
    const { x: from, top, height, step, gap } = stage.bars;
    const box = (i) => ({
      left: Math.round(((from + i * step) * k + x) * ratio), top: Math.round((top * k + y) * ratio),
      width: Math.max(1, Math.round((step - gap) * k * ratio)), height: Math.round(height * k * ratio),
    });
    totals.forEach(({ fill, before }, i) => this.evidence(box(i), fill, fill * before));
    if (pointed >= 0 && pointed !== tree) this.frame(box(pointed), theme.muted);
    if (tree < totals.length) this.frame(box(tree), theme.accent);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.text(words, stage.x * k + x, (top + height / 2) * k + y, { font: BOLD_FONT, colour: theme.accent });
  }
}
