/* Draws the memory: points by age and standing, the strip of sizes below. All lengths are CSS pixels of the fitted picture. */
import { formatCount, formatNumber } from "../../../kit/js/format.js";
import { tint } from "../../../kit/js/palette.js";
import { NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { AGE, HIGH, roundUp } from "./scene.js";

const LEFT = 46, RIGHT = 16, TOP = 14, STRIP = 40, BETWEEN = 40, BOTTOM = 34;
const DIM = 0.15;
/** A fall of the memory's size by more than this share of it is marked. */
const CUT = 0.08;
/** A fall is marked where so many rows, at least, went. */
const LEAST_CUT = 5;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

export class Painter {
  constructor(texts) {
    this.texts = texts;
  }

  fit(width, height, isNarrow) {
    Object.assign(this, { width, height, isNarrow, radius: isNarrow ? 2.6 : 3.4 });
    this.floor = height - BOTTOM - STRIP - BETWEEN;
    this.stripFloor = height - BOTTOM;
  }

  x(span, age) {
    return this.width - RIGHT - (age / span) * (this.width - LEFT - RIGHT);
  }

  place(span, age, share) {
    return [this.x(span, age), this.floor - share * (this.floor - TOP)];
  }

  at(mark) {
    return this.place(this.span, mark.at[AGE], mark.at[HIGH]);
  }

  /** @param {{theme, colour, isFilled, isDim, marked: Array<[id, colour]>}} view */
  draw(context, scene, frame, view) {
    Object.assign(this, { context, theme: view.theme, span: scene.span.at[0] });
    this.drawAxes(frame);
    this.drawStrip(frame);
    context.save();
    context.beginPath();
    context.rect(LEFT - 6, 0, this.width - LEFT + 6, this.floor + BETWEEN - 6);
    context.clip();
    this.drawLinks(scene, frame);
    this.drawPoints(scene, view);
    this.drawAsked(scene, frame);
    for (const [id, colour] of view.marked) {
      const mark = scene.marks.get(id);
      if (mark) this.ring(mark, colour, 2.25, 5);
    }
    context.restore();
  }

  drawAxes(frame) {
    const { context, theme } = this;
    context.textBaseline = "middle";
    context.font = SMALL_FONT;
    const right = this.width - RIGHT;
    for (const share of SHARES) {
      const y = Math.round(this.floor - share * (this.floor - TOP)) + 0.5;
      context.fillStyle = share === 0 ? theme.control : theme.line;
      context.fillRect(LEFT, y - 0.5, right - LEFT, 1);
      context.fillStyle = theme.muted;
      context.textAlign = "right";
      context.fillText(formatNumber(frame.worst + share * (frame.best - frame.worst)), LEFT - 6, y);
    }
    context.textAlign = "left";
    context.fillStyle = theme.muted;
    context.fillText(frame.measure, LEFT + 4, TOP + 9);
    context.fillText("forgotten below", LEFT + 4, this.floor + 10);
    const ticks = this.isNarrow ? 2 : 4;
    for (let i = 0; i <= ticks; i++) {
      const age = Math.round((this.span * i) / ticks), x = this.x(this.span, age);
      context.textAlign = i === 0 ? "right" : i === ticks ? "left" : "center";
      context.fillText(i === 0 ? "now" : `${formatCount(age)}${i === ticks ? " rows ago" : ""}`, i === 0 ? x + 6 : i === ticks ? x - 6 : x, this.height - BOTTOM + 12);
    }
  }

  /** How many rows were remembered, at the same ages. */
  drawStrip(frame) {
    const { context, theme } = this;
    const { sizes } = frame;
    const n = sizes.length, floor = this.stripFloor;
    if (!n) return;
    const first = Math.max(0, n - 1 - Math.ceil(this.span));
    const top = roundUp(sizes.reduce((most, size, i) => (i < first ? most : Math.max(most, size)), 1));
    const y = (size) => floor - (size / top) * STRIP;
    context.beginPath();
    context.moveTo(this.x(this.span, n - 1 - first), floor);
    for (let i = first; i < n; i++) context.lineTo(this.x(this.span, n - 1 - i), y(sizes[i]));
    context.lineTo(this.x(this.span, 0), floor);
    context.fillStyle = tint(theme, theme.bar, 0.28);
    context.fill();
    context.fillStyle = theme.line;
    context.fillRect(LEFT, floor - STRIP, this.width - RIGHT - LEFT, 1);
    context.fillStyle = theme.control;
    context.fillRect(LEFT, floor, this.width - RIGHT - LEFT, 1);
    context.strokeStyle = theme.bar;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let i = first; i < n; i++) context.lineTo(this.x(this.span, n - 1 - i), y(sizes[i]));
    context.stroke();
    this.drawCuts(sizes, first, y);
    context.fillStyle = theme.muted;
    context.font = SMALL_FONT;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(formatCount(top), LEFT - 6, floor - STRIP);
    context.fillText("0", LEFT - 6, floor);
    context.textAlign = "left";
    context.fillText("rows remembered", LEFT + 4, floor - STRIP - 8);
  }

  /** Where a part of the memory was dropped at once: a line down to what was left, and how many went. */
  drawCuts(sizes, first, y) {
    const { context, theme } = this;
    let free = Infinity;
    context.font = SMALL_FONT;
    for (let i = sizes.length - 1; i > first; i--) {
      const gone = sizes[i - 1] - sizes[i];
      if (gone < LEAST_CUT || gone < CUT * sizes[i - 1]) continue;
      const x = this.x(this.span, sizes.length - 1 - i);
      context.strokeStyle = theme.down;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x, y(sizes[i - 1]));
      context.lineTo(x, y(sizes[i]));
      context.stroke();
      const text = `−${formatCount(gone)}`, width = this.texts.width(text, SMALL_FONT);
      // not on the name of the strip, nor on the number of a later cut
      if (x + 3 + width > Math.min(free, this.width) || x < LEFT + 110) continue;
      context.fillStyle = theme.down;
      context.textAlign = "left";
      context.textBaseline = "middle";
      context.fillText(text, x + 3, this.stripFloor - STRIP - 8);
      free = x - 4;
    }
  }

  dot(mark, radius) {
    const [x, y] = this.at(mark);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  /** Hollow and grey, or filled and larger: told apart by more than a hue. What leaves is seen leaving. */
  drawPoints(scene, { colour, isFilled, isDim }) {
    const { context, theme, radius } = this;
    const filled = [];
    context.lineWidth = 1;
    for (const mark of scene.marks.items.values()) {
      const alpha = mark.at[0] * (isDim(mark.id) ? DIM : 1);
      if (mark.row >= 0 && isFilled(mark.row)) {
        filled.push([mark, alpha]);
        continue;
      }
      context.strokeStyle = mark.row < 0 ? theme.down : theme.ghost;
      context.lineWidth = mark.row < 0 ? 2 : 1;
      this.dot(mark, radius * 0.8);
      context.globalAlpha = alpha * (mark.row < 0 ? 1 : 0.85);
      context.stroke();
    }
    context.lineWidth = 1;
    context.fillStyle = colour;
    context.strokeStyle = theme.surface;
    for (const [mark, alpha] of filled) {
      this.dot(mark, radius * 1.12);
      context.globalAlpha = alpha;
      context.fill();
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawLinks(scene, frame) {
    const { context, theme } = this;
    const newest = scene.marks.get(frame.id[frame.id.length - 1]);
    if (!newest) return;
    const [x, y] = this.at(newest);
    context.strokeStyle = theme.lit;
    context.globalAlpha = 0.75;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let row = 0; row < frame.id.length; row++) {
      const mark = frame.rank[row] ? scene.marks.get(frame.id[row]) : null;
      if (!mark) continue;
      context.moveTo(x, y);
      context.lineTo(...this.at(mark));
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  drawAsked(scene, frame) {
    const { context, theme } = this;
    for (let row = 0; row < frame.id.length; row++) {
      const mark = frame.rank[row] ? scene.marks.get(frame.id[row]) : null;
      if (mark) this.ring(mark, theme.lit, 2, 3);
    }
    const newest = scene.marks.get(frame.id[frame.id.length - 1]);
    if (!newest) return;
    const [x, y] = this.at(newest);
    diamond(context, x, y, this.radius + 2.5);
    context.fillStyle = theme.ink;
    context.strokeStyle = theme.surface;
    context.lineWidth = 1.5;
    context.stroke();
    context.fill();
    context.font = NAME_FONT;
  }

  ring(mark, colour, width, more) {
    const { context, theme, radius } = this;
    for (const [style, thickness] of [[theme.surface, width + 2], [colour, width]]) {
      this.dot(mark, radius + more);
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.stroke();
    }
  }
}

function diamond(context, x, y, arm) {
  context.beginPath();
  context.moveTo(x - arm, y);
  context.lineTo(x, y - arm);
  context.lineTo(x + arm, y);
  context.lineTo(x, y + arm);
  context.closePath();
}

/** Signs of the legend. */
export const signs = {
  dot: (colour, isFilled) => (context, theme) => {
    context.beginPath();
    context.arc(9, 9, isFilled ? 4 : 3, 0, 2 * Math.PI);
    context.fillStyle = colour(theme);
    context.strokeStyle = theme.ghost;
    if (isFilled) context.fill();
    else context.stroke();
  },

  newest: (context, theme) => {
    diamond(context, 9, 9, 6);
    context.fillStyle = theme.ink;
    context.fill();
  },

  asked: (context, theme) => {
    context.strokeStyle = theme.lit;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(6, 11, 4.5, 0, 2 * Math.PI);
    context.moveTo(9, 8);
    context.lineTo(17, 2);
    context.stroke();
  },

  sizes: (context, theme) => {
    context.fillStyle = tint(theme, theme.bar, 0.28);
    context.fillRect(1, 8, 16, 8);
    context.fillStyle = theme.bar;
    context.fillRect(1, 7, 16, 2);
  },
};
