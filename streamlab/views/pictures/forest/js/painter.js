/* Draws cells by colour, not by place: one style change per colour rather than two per cell. */
import { ramp } from "../../../kit/js/palette.js";
import { NAME_FONT } from "../../../kit/js/text.js";
import { BAR, HEAT, LEFT, RIGHT, THERE } from "./scene.js";

export const COLOURS = 48;
const DIM = 0.25;

export class Painter {
  constructor() {
    this.groups = Array.from({ length: COLOURS }, () => []);
  }

  setTheme(theme) {
    this.theme = theme;
    this.colours = ramp(theme, COLOURS);
  }

  /** Every cell's box in whole device pixels, so that edges are sharp at any zoom; width 0 where it is too thin to see. */
  measure(cells, grid, ratio, { k, x, y }) {
    const line = Math.max(1, Math.round(ratio));
    const height = Math.max(1, Math.round(grid.row * k * ratio) - line);
    for (const group of this.groups) group.length = 0;
    for (const cell of cells.items.values()) {
      const { at } = cell, start = grid.x(cell.tree);
      const left = Math.round(((start + at[LEFT] * grid.width) * k + x) * ratio);
      const width = Math.round(((start + at[RIGHT] * grid.width) * k + x) * ratio) - left;
      cell.left = left;
      cell.top = Math.round(((grid.y(cell.tree) + grid.top + cell.depth * grid.row) * k + y) * ratio);
      // A gap between neighbours, but never at the price of the cell itself.
      cell.width = Math.max(0, width > 3 * line ? width - line : width);
      cell.height = height;
      this.groups[Math.round(at[HEAT] * (COLOURS - 1))].push(cell);
    }
  }

  draw(context, { cells, grid, ratio, camera, trees, selected, cursor, isDim }) {
    this.measure(cells, grid, ratio, camera);
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.groups.forEach((group, colour) => {
      if (!group.length) return;
      context.fillStyle = this.colours.tint[colour];
      for (const cell of group) this.fill(context, cell, 1, isDim(cell.id));
      context.fillStyle = this.colours.solid[colour];
      for (const cell of group) this.fill(context, cell, cell.at[BAR], isDim(cell.id));
    });
    context.globalAlpha = 1;
    this.outline(context, cells.get(cursor), ratio, this.theme.accent);
    this.outline(context, cells.get(selected), ratio, this.theme.strong);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.nameStrips(context, grid, camera, trees);
  }

  /** Fills the cell from its bottom up to a share of its height. */
  fill(context, cell, share, isDim) {
    const height = Math.round(cell.height * share);
    if (height === 0 || cell.width === 0) return;
    context.globalAlpha = cell.at[THERE] * (isDim ? DIM : 1);
    context.fillRect(cell.left, cell.top + cell.height - height, cell.width, height);
  }

  outline(context, cell, ratio, colour) {
    if (!cell) return;
    const pen = Math.max(1, Math.round(ratio));
    for (const [style, thickness] of [[this.theme.halo, 4 * pen], [colour, 2 * pen]]) {
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.strokeRect(cell.left - pen, cell.top - pen, cell.width + 2 * pen, cell.height + 2 * pen);
    }
  }

  nameStrips(context, grid, { k, x, y }, trees) {
    context.font = NAME_FONT;
    context.fillStyle = this.theme.muted;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (let tree = 0; tree < trees; tree++) context.fillText(`Tree ${tree + 1}`, grid.x(tree) * k + x, (grid.y(tree) + grid.top) * k + y - 6);
  }
}
