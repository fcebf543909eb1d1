/* Draws the memory: points by age and standing, the strip of sizes below. All lengths are CSS pixels of the fitted picture. */
import { formatCount, formatNumber } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { tint } from "../../../kit/js/palette.js";
import { SMALL_FONT } from "../../../kit/js/text.js";

/** What glides, of a row: its age and how high it is. */
export const AGE = 1, HIGH = 2;
const LEFT = 46, RIGHT = 16, TOP = 14, STRIP = 40, BETWEEN = 40, BOTTOM = 34;
const DIM = 0.15;
/** A fall of the memory's size by more than this share of it is marked. */
const CUT = 0.08;
/** A fall is marked where so many rows, at least, went. */
const LEAST_CUT = 5;
const SHARES = [0, 0.25, 0.5, 0.75, 1], ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The next round number of rows. */
export function roundUp(rows) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rows, 1)));
  return Math.ceil(power * ROUND.find((step) => step * power >= rows));
}

export class MemoryPainter extends Painter {
  fit(width, height, isNarrow) {
    Object.assign(this, { width, height, isNarrow, radius: isNarrow ? 2.6 : 3.4 });
    this.floor = height - BOTTOM - STRIP - BETWEEN;
    this.stripFloor = height - BOTTOM;
  }

  x(age, span = this.span) {
    return this.width - RIGHT - (age / span) * (this.width - LEFT - RIGHT);
  }

  place(age, share, span) {
    return [this.x(age, span), this.floor - share * (this.floor - TOP)];
  }

  at({ at }) {
    return this.place(at[AGE], at[HIGH]);
  }

  markOf(row) {
    return this.view.marks.get(this.frame.id[row]);
  }

  draw() {
    const { view, theme } = this;
    [this.span] = view.span.at;
    this.drawAxes();
    this.drawStrip();
    this.within(LEFT - 6, 0, this.width - LEFT + 6, this.floor + BETWEEN - 6, () => {
      this.drawAsked(() => this.drawPoints());
      for (const [row, colour] of view.marked(theme.strong, theme.lit)) this.around(this.markOf(row), colour, 2.25, 5);
    });
  }

  drawAxes() {
    const { theme, frame } = this, right = this.width - RIGHT;
    for (const share of SHARES) {
      const y = Math.round(this.floor - share * (this.floor - TOP)) + 0.5;
      this.rect(LEFT, y - 0.5, right - LEFT, 1, share === 0 ? theme.control : theme.line);
      this.note(formatNumber(frame.worst + share * (frame.best - frame.worst)), LEFT - 6, y, { align: "right" });
    }
    this.note(frame.measure, LEFT + 4, TOP + 9);
    this.note("forgotten below", LEFT + 4, this.floor + 10);
    const ticks = this.isNarrow ? 2 : 4;
    for (let i = 0; i <= ticks; i++) {
      const age = Math.round((this.span * i) / ticks), x = this.x(age), y = this.height - BOTTOM + 12;
      if (i === 0) this.note("now", x + 6, y, { align: "right" });
      else if (i === ticks) this.note(`${formatCount(age)} rows ago`, x - 6, y);
      else this.note(formatCount(age), x, y, { align: "center" });
    }
  }

  /** How many rows were remembered, at the same ages. */
  drawStrip() {
    const { theme, frame: { sizes } } = this, n = sizes.length, floor = this.stripFloor, wide = this.width - RIGHT - LEFT;
    if (!n) return;
    const first = Math.max(0, n - 1 - Math.ceil(this.span));
    const top = roundUp(sizes.reduce((most, size, i) => (i < first ? most : Math.max(most, size)), 1));
    const y = (size) => floor - (size / top) * STRIP;
    const points = Array.from({ length: n - first }, (_, i) => [this.x(n - 1 - first - i), y(sizes[first + i])]);
    this.trace([[points[0][0], floor], ...points, [this.x(0), floor]]);
    this.fill(tint(theme, theme.bar, 0.28));
    this.rect(LEFT, floor - STRIP, wide, 1, theme.line);
    this.rect(LEFT, floor, wide, 1, theme.control);
    this.line(points, theme.bar, 1.5);
    this.drawCuts(sizes, first, y);
    this.note(formatCount(top), LEFT - 6, floor - STRIP, { align: "right" });
    this.note("0", LEFT - 6, floor, { align: "right" });
    this.note("rows remembered", LEFT + 4, floor - STRIP - 8);
  }

  /** Where a part of the memory was dropped at once: a line down to what was left, and how many went. */
  drawCuts(sizes, first, y) {
    const colour = this.theme.down;
    let free = Infinity;
    for (let i = sizes.length - 1; i > first; i--) {
      const gone = sizes[i - 1] - sizes[i];
      if (gone < LEAST_CUT || gone < CUT * sizes[i - 1]) continue;
      const x = this.x(sizes.length - 1 - i);
      this.line([[x, y(sizes[i - 1])], [x, y(sizes[i])]], colour, 2);
      const text = `−${formatCount(gone)}`, width = this.texts.width(text, SMALL_FONT);
      // not on the name of the strip, nor on the number of a later cut
      if (x + 3 + width > Math.min(free, this.width) || x < LEFT + 110) continue;
      this.note(text, x + 3, this.stripFloor - STRIP - 8, { colour });
      free = x - 4;
    }
  }

  /** Hollow and grey, or filled and larger: told apart by more than a hue. What leaves is seen leaving. */
  drawPoints() {
    const { view, context, theme, radius } = this, colour = view.colourOf(theme), filled = [];
    for (const mark of view.marks.items.values()) {
      const alpha = mark.at[0] * (view.isDim(mark.id) ? DIM : 1), isGone = mark.row < 0;
      if (!isGone && view.isFilled(mark.row)) {
        filled.push([mark, alpha]);
        continue;
      }
      context.globalAlpha = alpha * (isGone ? 1 : 0.85);
      this.ring(...this.at(mark), radius * 0.8, isGone ? theme.down : theme.ghost, isGone ? 2 : 1);
    }
    for (const [mark, alpha] of filled) {
      context.globalAlpha = alpha;
      this.dot(...this.at(mark), radius * 1.12, colour);
      this.stroke(theme.surface);
    }
    context.globalAlpha = 1;
  }

  /** Lines to the rows that were asked about the latest one, and rings around them; `between` is painted on the lines. */
  drawAsked(between) {
    const { view, theme, context } = this, newest = this.markOf(view.firstRow()), asked = view.asked().map((row) => this.markOf(row)), [x, y] = this.at(newest);
    context.globalAlpha = 0.75;
    this.links(asked.map((mark) => [x, y, ...this.at(mark)]), theme.lit, 1.5);
    context.globalAlpha = 1;
    between();
    for (const mark of asked) this.around(mark, theme.lit, 2, 3);
    const arm = this.radius + 2.5;
    this.trace([[x - arm, y], [x, y - arm], [x + arm, y], [x, y + arm]]);
    context.closePath();
    this.stroke(theme.surface, 1.5);
    this.fill(theme.ink);
  }

  /** A ring around a mark. */
  around(mark, colour, width, more) {
    this.haloed(() => this.circle(...this.at(mark), this.radius + more), colour, width, 2);
  }
}
