/* The classes as a tree from left to right, or as an outline. */
import { BOLD_FONT, SMALL_FONT, fontOf } from "../../../kit/js/text.js";
import { TRUNK } from "./layout.js";
import { ClassPainter, DIM, score } from "./paint.js";

const DISC = { least: 4, most: 12, tiny: 2 };
/** Rows closer than this, px, have no names, but for the paths of the latest instance. */
export const LEGIBLE = 7;

export class TreePainter extends ClassPainter {
  /** @param {Array<[number, number]>} extra rows of further parents; @param {Array<[number, string]>} marked rows and colours */
  draw(extra, marked) {
    const { context, theme, rows } = this;
    context.lineJoin = "round";
    context.beginPath();
    for (const row of rows) this.elbow(row, 0);
    // of hundreds in a small place the lines are a haze, and the discs a strip of colours
    this.stroke(theme.edge, Math.min(1.25, Math.max(this.layout.places[0].room / LEGIBLE, 0.3)));
    if (!this.layout.narrow) this.drawExtra(extra);
    for (const [flag, colour, dash, shift] of [["true", theme.path, [], -2], ["predicted", theme.guess, [6, 4], 2]]) {
      for (const row of rows) {
        if (!this.isLit(row, flag)) continue;
        context.beginPath();
        this.elbow(row, shift);
        this.stroke(colour, 3, dash);
      }
    }
    const seen = rows.filter((row) => this.isInSight(row));
    for (const row of seen) this.drawClass(row);
    for (const [row, colour] of marked) this.outline(row, colour);
    for (const row of seen) if (this.hasName(row)) this.drawCaption(row);
  }

  hasName(row) {
    const { room, isOuter, gap } = this.layout.places[row];
    return room >= LEGIBLE || this.isOnPath(row) || (!isOuter && gap >= 2 * LEGIBLE);
  }

  isInSight(row) {
    const { y } = this.layout.places[row];
    return y > -40 && y < this.height + 40;
  }

  radius(row) {
    const { room, isOuter } = this.layout.places[row];
    const share = this.heaviest > 0 ? this.frame.weight[row] / this.heaviest : 0;
    const most = Math.min(DISC.most, Math.max(room * (isOuter ? 0.46 : 0.6), DISC.tiny)), least = Math.min(DISC.least, 0.4 * most);
    return least + (most - least) * Math.sqrt(share);
  }

  /** From the parent's place down (or up) its trunk and along to the class; `shift` puts it beside the plain edge. */
  elbow(row, shift) {
    const { context, frame, layout } = this;
    const { x, y } = layout.places[row];
    const parent = frame.parent[row];
    const above = parent >= 0 ? layout.places[parent] : null;
    if (layout.narrow) {
      if (!above) return;
      context.moveTo(above.x + shift, above.y);
      context.lineTo(above.x + shift, y + shift);
      context.lineTo(x, y + shift);
      return;
    }
    const from = above ?? { x: 10, y: this.middle() };
    const trunk = above ? from.x + TRUNK : TRUNK;
    const corner = Math.min(6, Math.abs(y - from.y) / 2);
    const [start, end, bend] = [from.y + shift, y + shift, Math.sign(y - from.y) * corner];
    context.moveTo(from.x, start);
    context.lineTo(trunk + shift - corner, start);
    context.quadraticCurveTo(trunk + shift, start, trunk + shift, start + bend);
    context.lineTo(trunk + shift, end - bend);
    context.quadraticCurveTo(trunk + shift, end, trunk + shift + corner, end);
    context.lineTo(x, end);
  }

  /** Where the trunk of the top-level classes begins. */
  middle() {
    const tops = this.layout.places.filter((_, row) => this.frame.parent[row] < 0);
    return (tops[0].y + tops[tops.length - 1].y) / 2;
  }

  drawExtra(extra) {
    const { context, layout } = this;
    context.beginPath();
    for (const [row, parent] of extra) {
      const to = layout.places[row], from = layout.places[parent];
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo((from.x + to.x) / 2, to.y, to.x, to.y);
    }
    this.stroke(this.theme.outline, 1, [2, 4]);
  }

  drawClass(row) {
    const { context, theme } = this;
    const { x, y } = this.layout.places[row];
    const r = this.radius(row);
    context.globalAlpha = this.isDim(row) ? DIM : 1;
    this.dot(x, y, r, this.colour(row));
    if (r >= 3) this.stroke(theme.outline, 1.5, Number.isNaN(this.frame.hf[row]) ? [2, 2] : []);
    // solid for the true path, dashed outside of it for the predicted one
    const isTrue = this.isLit(row, "true");
    if (isTrue) this.ring(x, y, r + 3, theme.path, 2);
    if (this.isLit(row, "predicted")) this.ring(x, y, r + 3 + (isTrue ? 2.5 : 0), theme.guess, 2, [4, 3]);
    context.globalAlpha = 1;
  }

  drawCaption(row) {
    const { x, y, isOuter } = this.layout.places[row];
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    if (isOuter) this.captionBeside(row, x, y, this.radius(row));
    else this.captionBefore(row, x, y, this.radius(row));
    this.context.globalAlpha = 1;
  }

  /** Name, hF and distance to the right of a class: numbers in columns of their own at the right edge. */
  captionBeside(row, x, y, r) {
    const { texts, theme } = this;
    const right = this.width - 10;
    const fitted = (font) => fontOf(font, Math.max(this.layout.places[row].room, LEGIBLE + 3));
    this.note(score(this.frame.hf[row]), right, y + 0.5, { font: fitted(SMALL_FONT), align: "right" });
    const distance = this.distance(row), taken = distance ? texts.width(distance, BOLD_FONT) + 8 : 0;
    const left = x + r + 10, font = fitted(this.font(row));
    const text = texts.fit(this.label(row), font, right - 32 - taken - left);
    this.text(text, left, y + 0.5, { font });
    if (distance) this.text(distance, left + texts.width(text, font) + 8, y + 0.5, { font: fitted(BOLD_FONT), colour: theme.guess });
  }

  /** The name of an inner class over the edge that leads to it, its numbers below, where there is room. */
  captionBefore(row, x, y, r) {
    const { texts, theme, layout } = this;
    const parent = this.frame.parent[row];
    const right = x - r - 8;
    const free = right - 4 - (parent >= 0 ? layout.places[parent].x + TRUNK : TRUNK);
    const font = this.font(row);
    this.text(texts.fit(this.label(row), font, free), right, y - 6, { font, align: "right", base: "alphabetic" });
    if (layout.places[row].gap < 32) return;
    const distance = this.distance(row);
    const hasRoom = distance && texts.width(distance, BOLD_FONT) + 34 <= free;
    this.note(score(this.frame.hf[row]), right, y + 6, { align: "right", base: "top" });
    if (hasRoom) this.text(distance, right - 32, y + 6, { font: BOLD_FONT, colour: theme.guess, align: "right", base: "top" });
  }

  outline(row, colour) {
    const { x, y } = this.layout.places[row], r = this.radius(row) + 6;
    this.frameAround({ x: x - r, y: y - r, width: 2 * r, height: 2 * r }, colour, 6);
  }
}
