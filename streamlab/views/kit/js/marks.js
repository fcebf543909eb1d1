/* Marks that pictures are painted of: words, lines, dots and boxes, on one context and in the colours of one theme. */
import { NAME_FONT, SMALL_FONT } from "./text.js";

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

  /** Words at a place; `halo`: px of the ground's colour around them. */
  text(words, x, y, { font = NAME_FONT, colour = this.theme.ink, align = "left", base = "middle", halo = 0, ground = this.theme.surface } = {}) {
    const { context } = this;
    Object.assign(context, { font, textAlign: align, textBaseline: base });
    if (halo) {
      Object.assign(context, { strokeStyle: ground, lineWidth: halo, lineJoin: "round" });
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

  /** A sign around a box. */
  frameAround({ x, y, width, height }, colour, corner = 8) {
    this.haloed(() => {
      this.context.beginPath();
      this.context.roundRect(x, y, width, height, corner);
    }, colour);
  }
}

/** A sign of a legend, 18 px high and so wide: `paint(painter, theme)`. */
export const sign = (paint, wide = 18) => Object.assign((context, theme) => paint(new Painter().on(context, { theme }), theme), { wide });
