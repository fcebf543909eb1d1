/* Draws the large tree, the way of the latest row, and the bars of all trees. */
import { NAME_FONT } from "../../../kit/js/text.js";
import { fillsOf, hatching } from "./fills.js";
import { FILL, LEFT, OLD, RIGHT, THERE } from "./scene.js";

const DIM = 0.25;

export class Painter {
  setTheme(theme) {
    this.theme = theme;
    this.hatched = {};
  }

  /** The hatching of this theme at this resolution. */
  hatch(context, ratio) {
    if (this.hatched.context !== context || this.hatched.ratio !== ratio) {
      this.hatched = { context, ratio, pattern: hatching(this.theme, ratio, context) };
    }
    return this.hatched.pattern;
  }

  /** Every cell's box in whole device pixels, so that edges are sharp at any zoom; width 0 where it is too thin to see. */
  measure(cells, stage, ratio, { k, x, y }) {
    const line = Math.max(1, Math.round(ratio));
    const height = Math.max(1, Math.round(stage.row * k * ratio) - 2 * line);
    for (const cell of cells.items.values()) {
      const left = Math.round(((stage.x + cell.at[LEFT] * stage.width) * k + x) * ratio);
      const width = Math.round(((stage.x + cell.at[RIGHT] * stage.width) * k + x) * ratio) - left;
      cell.left = left;
      cell.top = Math.round(((stage.y + cell.depth * stage.row) * k + y) * ratio);
      // A gap between neighbours, but never at the price of the cell itself.
      cell.width = Math.max(0, width > 3 * line ? width - line : width);
      cell.height = height;
    }
  }

  draw(context, { cells, stage, ratio, camera, totals, tree, selected, cursor, pointed, fall, caption, isDim }) {
    this.measure(cells, stage, ratio, camera);
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const cell of cells.items.values()) {
      if (!cell.width) continue;
      context.globalAlpha = cell.at[THERE] * (isDim(cell.id) ? DIM : 1);
      this.fill(context, cell, cell.at[FILL], cell.at[OLD], ratio);
    }
    context.globalAlpha = 1;
    this.way(context, cells.way(), ratio, fall);
    this.outline(context, cells.get(cursor), ratio, this.theme.strong);
    this.outline(context, cells.get(selected), ratio, this.theme.accent);
    if (stage.hasBars) this.bars(context, { stage, ratio, camera, totals, tree, pointed, caption });
  }

  /** A box filled from its bottom: hatched as high as the old evidence, solid above it as high as all. */
  fill(context, { left, top, width, height }, share, old, ratio) {
    const filled = Math.round(height * share), hatched = Math.round(height * old);
    context.fillStyle = this.theme.track;
    context.fillRect(left, top, width, height - filled);
    context.fillStyle = fillsOf(this.theme).fresh;
    context.fillRect(left, top + height - filled, width, filled - hatched);
    if (!hatched) return;
    context.fillStyle = this.hatch(context, ratio);
    context.fillRect(left, top + height - hatched, width, hatched);
  }

  /** The cells that the latest row passed are framed, and a line falls through them. */
  way(context, cells, ratio, fall) {
    if (!cells.length) return;
    const deepest = cells[cells.length - 1].depth + 1;
    const depth = fall * deepest;
    const passed = cells.filter((cell) => cell.depth < depth);
    const points = passed.map((cell) => [cell.left + cell.width / 2, cell.top + cell.height / 2]);
    context.lineJoin = "round";
    context.strokeStyle = this.theme.strong;
    context.lineWidth = Math.max(1, Math.round(ratio));
    const half = context.lineWidth / 2;
    for (const { left, top, width, height } of passed) context.strokeRect(left + half, top + half, width - 2 * half, height - 2 * half);
    if (!points.length) return;
    for (const [style, thickness] of [[this.theme.halo, 4], [this.theme.strong, 1.75]]) {
      context.strokeStyle = context.fillStyle = style;
      context.lineWidth = thickness * ratio;
      context.beginPath();
      points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.stroke();
      context.beginPath();
      context.arc(...points[points.length - 1], (thickness + 3) * ratio, 0, 2 * Math.PI);
      context.fill();
    }
  }

  outline(context, cell, ratio, colour) {
    if (cell) this.frame(context, cell, ratio, colour);
  }

  frame(context, { left, top, width, height }, ratio, colour) {
    const pen = Math.max(1, Math.round(ratio));
    for (const [style, thickness] of [[this.theme.halo, 4 * pen], [colour, 2.5 * pen]]) {
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.strokeRect(left - pen, top - pen, width + 2 * pen, height + 2 * pen);
    }
  }

  /** A bar for each tree, the large one's framed. */
  bars(context, { stage, ratio, camera: { k, x, y }, totals, tree, pointed, caption }) {
    const { top, height, step, gap, caption: line } = stage.bars;
    const box = (i) => ({
      left: Math.round(((stage.x + i * step) * k + x) * ratio), top: Math.round((top * k + y) * ratio),
      width: Math.max(1, Math.round((step - gap) * k * ratio)), height: Math.round(height * k * ratio),
    });
    totals.forEach(({ fill, before }, i) => this.fill(context, box(i), fill, fill * before, ratio));
    if (pointed >= 0 && pointed !== tree) this.frame(context, box(pointed), ratio, this.theme.muted);
    if (tree < totals.length) this.frame(context, box(tree), ratio, this.theme.accent);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = NAME_FONT;
    context.fillStyle = this.theme.muted;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillText(caption, stage.x * k + x, line * k + y);
  }
}
