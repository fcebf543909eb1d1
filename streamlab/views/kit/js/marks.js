/*
 * Marks that pictures are painted of, on one context and in the colours of one theme: words, lines, dots and boxes; titled parts with rows of
 * bars, and the steps of a sum.
 */
import { clamp } from "./dom.js";
import { formatCount, formatSigned } from "./format.js";
import { span } from "./numbers.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "./text.js";

/** Height of a dark plate with words, and their room at its ends, px. */
const PLATE = 20, PLATE_INSET = 10;

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

  /** Words on a dark plate, `tall` px high at most, that begins at a point; it ends there where it would go over `most`. */
  plate(words, x, y, { most, tall = PLATE }) {
    const { context, theme } = this, wide = this.texts.width(words, BOLD_FONT) + 2 * PLATE_INSET, from = x + wide - PLATE_INSET < most ? x - PLATE_INSET : x + PLATE_INSET - wide;
    if (!words || from < 0) return;
    const high = Math.min(PLATE, tall);
    context.beginPath();
    context.roundRect(from, y - high / 2, wide, high, high / 2);
    this.fill(theme.strong);
    this.text(words, from + PLATE_INSET, y, { font: BOLD_FONT, colour: theme.surface });
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

  /**
   * Names a place of a row, or of a `piece` of it: a box {x, y, width, height} that contains what is meant, or, with `away(x, y)`, what is
   * meant in reach: px from it, null where it is out.
   */
  mark(row, box, piece = null) {
    if (!this.marks.has(row)) this.marks.set(row, []);
    this.marks.get(row).push({ piece, ...box });
  }

  /** A sign around a box. */
  frameAround({ x, y, width, height }, colour, corner = 8) {
    this.haloed(() => {
      this.context.beginPath();
      this.context.roundRect(x, y, width, height, corner);
    }, colour);
  }

  /** The head of a part {x, y, width}: the first words that fit. */
  title(choices, { x, y, width }) {
    const words = this.texts.first(choices, BOLD_FONT, width) ?? this.texts.fit(choices.at(-1), BOLD_FONT, width);
    this.text(words, x, y + 8, { font: BOLD_FONT });
  }

  upright(x, from, to, colour, thickness = 1) {
    this.rect(x - thickness / 2, from, thickness, to - from, colour);
  }

  /** The width of the longest of names. */
  longest(names, font = NAME_FONT) {
    return names.reduce((most, name) => Math.max(most, this.texts.width(name, font)), 0);
  }

  /**
   * Lines of a part {x, y, width, row}, each a name and a bar from one value to another: {name, tail (behind the name, never cut), font, ink,
   * from (0), to, colour, alpha, tick (another value), value (words at the right), font and ink of its words, beside ([words, colour] at the
   * right of it), mark: [row, piece], more of the mark}. `names`: their room, at most half of the part; `indent`: they stand at the left,
   * so far in; `number`: the room at the right; `ends`: of the scale.
   * @returns {x: the place of a value, end, names}
   */
  bars({ x: left, y: top, width, row: tall }, rows, { names, indent = null, number = 44, beside = 0, ends, thin = false }) {
    const { theme, texts, context } = this, right = left + width, isLeft = indent !== null, at = isLeft ? left + indent : left;
    const room = clamp(names, 0.2 * width, 0.5 * width), begin = at + room + 8, wide = right - beside - number - begin;
    const x = (value) => begin + (wide * (value - ends[0])) / (ends[1] - ends[0]), end = top + Math.max(rows.length, 1) * tall;
    rows.forEach(({ name, tail = "", font = NAME_FONT, ink = theme.ink, from = 0, to, alpha = 1, faint = 1, ...row }, line) => {
      const y = top + line * tall, middle = y + tall / 2, colour = row.colour ?? (to < from ? theme.down : theme.up), valued = { font: row.loud ?? NAME_FONT, align: "right" };
      context.globalAlpha = faint;
      const words = `${texts.fit(name, font, room - texts.width(tail, font))}${tail}`;
      this.text(words, isLeft ? at : at + room, middle, { font, colour: ink, align: isLeft ? "left" : "right" });
      if (thin) this.rect(begin, middle, wide, 1, theme.line);
      context.globalAlpha = alpha * faint;
      if (row.isMove) {
        this.line([[x(from), middle], [x(to), middle]], colour, 2);
        this.dot(x(to), middle, 3.5, colour);
      } else this.rect(Math.min(x(from), x(to)), y + 2, Math.max(Math.abs(x(to) - x(from)), 1), tall - 4, colour);
      context.globalAlpha = faint;
      if (row.tick !== undefined) this.upright(x(row.tick), y, y + tall, theme.strong, 2);
      if (row.isLinked) this.upright(x(to), y + 2, y + tall + (line + 2 === rows.length ? tall - 2 : 2), theme.control);
      this.text(row.value, right - beside, middle, { ...valued, colour: row.loud ? theme.ink : theme.muted });
      if (row.beside) this.text(row.beside[0], right, middle, { ...valued, colour: row.beside[1] });
      if (row.mark) this.mark(row.mark[0], { x: left, y, width, height: tall, ...row.more }, row.mark[1]);
    });
    context.globalAlpha = 1;
    this.upright(x(0), top - 2, end, theme.control);
    return { x, end };
  }

  /**
   * A sum as lines, a sign where its first step once ended (`was`), and below what decided, `brief` where that is too long; what a value adds
   * is a mark of `row`. Returns as `bars` does.
   */
  sum(part, steps, { row, was = NaN, more = [], names, number, decided, brief, up = this.theme.up, down = this.theme.down }) {
    const ends = span([...steps.flatMap(({ from, to }) => [from, to]), ...more]), { theme, texts } = this;
    const lines = steps.map((step, line) => {
      const { words, times, from, to, isSum } = step, adds = to - from, isPale = isSum || !line, said = formatSigned(adds);
      return {
        name: words, tail: times, from, to, font: isSum ? BOLD_FONT : NAME_FONT, ink: isPale ? theme.muted : theme.ink, colour: adds < 0 ? down : up, alpha: isPale ? 0.55 : 1,
        tick: line || Number.isNaN(was) ? undefined : was, isLinked: line + 1 < steps.length, value: isPale || adds < 0 ? said : `+${said}`, loud: isSum && BOLD_FONT,
        mark: step.value === undefined ? null : [row, `step ${line}`], more: { step },
      };
    });
    const { x, end } = this.bars(part, lines, { names, number, ends }), words = texts.first([decided, brief], NAME_FONT, part.width) ?? texts.fit(brief, NAME_FONT, part.width);
    this.text(words, part.x + part.width, end + part.row / 2 + 2, { align: "right" });
    return { x, end };
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
