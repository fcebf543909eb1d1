/* What pictures are painted with that are made of titled parts with rows of bars: words, lines, and the steps of a sum. */
import { clamp } from "./dom.js";
import { formatSigned } from "./format.js";
import { BOLD_FONT, NAME_FONT } from "./text.js";

/** The least and the largest of values and 0, with some room. */
export function span(values) {
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low > 1e-9 ? [low, high] : [-1, 1];
}

/** A painter of parts: it has `theme`, and `frame` with the `names` of features. Places of parts are {x, y, width, row}. */
export class PartPainter {
  constructor(texts) {
    this.texts = texts;
  }

  text(context, words, x, y, { font = NAME_FONT, colour = this.theme.ink, align = "left" } = {}) {
    context.font = font;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(words, x, y);
  }

  title(context, choices, { x, y, width }) {
    const words = this.texts.first(choices, BOLD_FONT, width) ?? this.texts.fit(choices.at(-1), BOLD_FONT, width);
    this.text(context, words, x, y + 8, { font: BOLD_FONT });
  }

  upright(context, x, from, to, colour, thickness = 1) {
    context.fillStyle = colour;
    context.fillRect(x - thickness / 2, from, thickness, to - from);
  }

  dot(context, x, y) {
    context.fillStyle = this.theme.ink;
    context.beginPath();
    context.arc(x, y, 2.6, 0, 2 * Math.PI);
    context.fill();
  }

  dashed(context, x, from, to) {
    context.strokeStyle = this.theme.ink;
    context.lineWidth = 1.5;
    context.setLineDash([3, 2]);
    context.beginPath();
    context.moveTo(x, from);
    context.lineTo(x, to);
    context.stroke();
    context.setLineDash([]);
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

  /** The steps of a sum, {words, times, from, to, isSum}, each from where the one before ended; the first and the sum are paler. */
  drawSteps(context, part, head, steps, { names, x, up = this.theme.up, down = this.theme.down }) {
    const { theme, texts } = this;
    steps.forEach((step, line) => {
      const y = part.y + head + line * part.row, middle = y + part.row / 2, adds = step.to - step.from;
      const font = step.isSum ? BOLD_FONT : NAME_FONT;
      // a long name is cut, not what it is multiplied by
      const words = `${texts.fit(step.words, font, names - texts.width(step.times, font))}${step.times}`;
      this.text(context, words, part.x + names, middle, { font, align: "right", colour: line && !step.isSum ? theme.ink : theme.muted });
      context.fillStyle = adds < 0 ? down : up;
      context.globalAlpha = step.isSum || !line ? 0.55 : 1;
      context.fillRect(Math.min(x(step.from), x(step.to)), y + 2, Math.max(Math.abs(x(step.to) - x(step.from)), 1), part.row - 4);
      context.globalAlpha = 1;
      if (line + 1 < steps.length) this.upright(context, x(step.to), y + 2, y + part.row + (steps[line + 1].isSum ? part.row - 2 : 2), theme.control);
      this.text(context, step.isSum || !line ? formatSigned(adds) : `${adds < 0 ? "" : "+"}${formatSigned(adds)}`, part.x + part.width, middle, { font, align: "right", colour: step.isSum ? theme.ink : theme.muted });
    });
  }
}

/** A sign of a legend: what is answered. */
export function answerSign(context, theme) {
  context.fillStyle = theme.ink;
  context.beginPath();
  context.arc(9, 9, 3.2, 0, 2 * Math.PI);
  context.fill();
}
