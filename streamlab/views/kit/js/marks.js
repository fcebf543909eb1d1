/*
 * Marks that pictures are painted of, on one context and in the colours of one theme: words, lines, dots and boxes; titled parts with rows of
 * bars, and the steps of a sum.
 */
import { clamp } from "./dom.js";
import { formatCount, formatSigned } from "./format.js";
import { span } from "./numbers.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "./text.js";

export class Painter {
  /** @param {Texts} [texts] measures words; marks alone need none */
  constructor(texts = null) {
    this.texts = texts;
  }

  setTheme(theme) {
    this.theme = theme;
  }

  /** Paints on a context from now on, with what else the painter needs. */
  on(context, given = {}) {
    return Object.assign(this, { context }, given);
  }

  /** Words at a place; `halo`: px of the surface's colour around them; `ground`: the colour of a line of their own under them, so many px wider on both sides. */
  text(words, x, y, { font = NAME_FONT, colour = this.theme.ink, align = "left", base = "middle", halo = 0, ground = null, pad = 2 } = {}) {
    const { context } = this, wide = ground ? this.texts.width(words, font) : 0;
    if (ground) this.rect(x - pad - (align === "center" ? wide / 2 : 0), y - 6.5, wide + 2 * pad, 12, ground);
    Object.assign(context, { font, textAlign: align, textBaseline: base });
    if (halo) {
      Object.assign(context, { strokeStyle: this.theme.surface, lineWidth: halo, lineJoin: "round" });
      context.strokeText(words, x, y);
    }
    context.fillStyle = colour;
    context.fillText(words, x, y);
  }

  /** Small words in a quiet colour. */
  note(words, x, y, look = {}) {
    this.text(words, x, y, { font: SMALL_FONT, colour: this.theme.muted, ...look });
  }

  rect(x, y, width, height, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  /** The edge of a box. */
  box(x, y, width, height, colour, thickness = 2) {
    Object.assign(this.context, { strokeStyle: colour, lineWidth: thickness }).strokeRect(x, y, width, height);
  }

  /** Paints within a box alone. */
  within(x, y, width, height, paint) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    paint();
    context.restore();
  }

  /** Paints around a place as its origin, turned by an angle. */
  turned(x, y, angle, paint) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    paint();
    context.restore();
  }

  fill(colour) {
    this.context.fillStyle = colour;
    this.context.fill();
  }

  stroke(colour, width = 1, dash = []) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /** The path through points. */
  trace(points) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  }

  line(points, colour, width = 1, dash = []) {
    this.trace(points);
    this.stroke(colour, width, dash);
  }

  /** Lines of one look, from [x0, y0] to [x1, y1] each. */
  links(ends, colour, width = 1, dash = []) {
    const { context } = this;
    context.beginPath();
    for (const [x0, y0, x1, y1] of ends) {
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
    }
    this.stroke(colour, width, dash);
  }

  circle(x, y, radius) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  dot(x, y, radius, colour) {
    this.circle(x, y, radius);
    this.fill(colour);
  }

  ring(x, y, radius, colour, width = 1, dash = []) {
    this.circle(x, y, radius);
    this.stroke(colour, width, dash);
  }

  /** A line on a halo of the surface's colour, which is wider by so much; `path` traces it. */
  haloed(path, colour, width = 2.25, more = 2.75) {
    for (const [style, thickness] of [[this.theme.surface, width + more], [colour, width]]) {
      path();
      this.stroke(style, thickness);
    }
  }

  /** A dashed line where the stream changed, from `top` down, with its sign above it; between two ends of the picture. */
  change(x, top, bottom, sign, [from, to]) {
    this.line([[x, top], [x, bottom]], this.theme.strong, 1.2, [3, 3]);
    this.text(sign, clamp(x, from + 8, to - 8), top - 15, { font: BOLD_FONT, align: "center", base: "top" });
  }

  /** A sign around a box. */
  frameAround({ x, y, width, height }, colour, corner = 8) {
    this.haloed(() => {
      this.context.beginPath();
      this.context.roundRect(x, y, width, height, corner);
    }, colour);
  }
}

/**
 * The steps of a row's sum, each from where the one before ended, {words, times, from, to, value}: the first {words, adds}, one for each of its
 * listed `values`, which has a `value` and says it by `times`; how much the others add; and the sum itself, `isSum`.
 */
export function stepsOfSum(frame, row, first, values, times) {
  const most = frame.adds.length / frame.total.length, parts = [{ times: "", ...first }], count = frame.n_others[row];
  for (let k = row * most; k < (row + 1) * most; k++) {
    if (frame.step_term[k] >= 0) parts.push({ words: frame.names[frame.step_term[k]], adds: frame.adds[k], times: times(values[k]), value: values[k] });
  }
  if (count) parts.push({ words: `${formatCount(count)} other${count === 1 ? "" : "s"}`, times: "", adds: frame.others[row] });
  let at = 0;
  const steps = parts.map(({ adds, ...part }) => ({ ...part, from: at, to: (at += adds) }));
  return [...steps, { words: "sum", times: "", from: 0, to: frame.total[row], isSum: true }];
}

/** A painter of parts: it has `theme`, and `frame` with the `names` of features. Places of parts are {x, y, width, row}. */
export class PartPainter extends Painter {
  title(choices, { x, y, width }) {
    const words = this.texts.first(choices, BOLD_FONT, width) ?? this.texts.fit(choices.at(-1), BOLD_FONT, width);
    this.text(words, x, y + 8, { font: BOLD_FONT });
  }

  upright(x, from, to, colour, thickness = 1) {
    this.rect(x - thickness / 2, from, thickness, to - from, colour);
  }

  /**
   * A scale for bars within a part: its place of a value, and of the names beside it, the longest of which has this width; `number`
   * is the room for one at the right of a bar.
   */
  scale(part, [low, high], longest, number = 44) {
    const names = clamp(longest, part.width * 0.25, part.width * 0.5), room = part.width - names - number - 8;
    return { names, x: (value) => part.x + names + 8 + (room * (value - low)) / (high - low) };
  }

  /** Room for any feature's name, with what stands behind it: the same for all rows, so that bars do not jump. */
  longest(behind = "") {
    return Math.max(0, ...this.frame.names.map((each) => this.texts.width(each, NAME_FONT))) + this.texts.width(behind, NAME_FONT) + 2;
  }

  /**
   * A sum, a sign where its first step once ended, a line at 0, and below it what decided, `brief` where that is too long. Returns its scale,
   * of `more` values too, and its end.
   */
  drawSum(part, head, steps, { more = [], was = NaN, behind, number, decided, brief, ...look }) {
    const { names, x } = this.scale(part, span([...steps.flatMap(({ from, to }) => [from, to]), ...more]), this.longest(behind), number), { texts } = this;
    this.drawSteps(part, head, steps, { names, x, ...look });
    if (!Number.isNaN(was)) this.upright(x(was), part.y + head, part.y + head + part.row, this.theme.strong, 2);
    const end = part.y + head + steps.length * part.row;
    this.upright(x(0), part.y + head - 2, end, this.theme.control);
    const words = texts.first([decided, brief], NAME_FONT, part.width) ?? texts.fit(brief, NAME_FONT, part.width);
    this.text(words, part.x + part.width, end + part.row / 2 + 2, { align: "right" });
    return { x, end };
  }

  /** The steps of a sum, {words, times, from, to, isSum}, each from where the one before ended; the first and the sum are paler. */
  drawSteps(part, head, steps, { names, x, up = this.theme.up, down = this.theme.down }) {
    const { context, theme, texts } = this;
    steps.forEach((step, line) => {
      const y = part.y + head + line * part.row, middle = y + part.row / 2, adds = step.to - step.from;
      const font = step.isSum ? BOLD_FONT : NAME_FONT;
      // a long name is cut, not what it is multiplied by
      const words = `${texts.fit(step.words, font, names - texts.width(step.times, font))}${step.times}`;
      this.text(words, part.x + names, middle, { font, align: "right", colour: line && !step.isSum ? theme.ink : theme.muted });
      context.globalAlpha = step.isSum || !line ? 0.55 : 1;
      this.rect(Math.min(x(step.from), x(step.to)), y + 2, Math.max(Math.abs(x(step.to) - x(step.from)), 1), part.row - 4, adds < 0 ? down : up);
      context.globalAlpha = 1;
      if (line + 1 < steps.length) this.upright(x(step.to), y + 2, y + part.row + (steps[line + 1].isSum ? part.row - 2 : 2), theme.control);
      const value = step.isSum || !line ? formatSigned(adds) : `${adds < 0 ? "" : "+"}${formatSigned(adds)}`;
      this.text(value, part.x + part.width, middle, { font, align: "right", colour: step.isSum ? theme.ink : theme.muted });
    });
  }
}
