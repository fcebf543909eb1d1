/* What pictures are painted with that are made of titled parts with rows of bars: words, lines, and the steps of a sum. */
import { clamp } from "./dom.js";
import { formatCount, formatSigned } from "./format.js";
import { Painter, sign } from "./marks.js";
import { BOLD_FONT, NAME_FONT } from "./text.js";

/** The steps of a sum of parts {words, adds, …}, each from where the one before ended, {…, times, from, to}; the last is the sum itself. */
export function stepsOfSum(parts, total) {
  let at = 0;
  const steps = parts.map(({ adds, ...part }) => ({ times: "", ...part, from: at, to: (at += adds) }));
  return [...steps, { words: "sum", times: "", from: 0, to: total, isSum: true }];
}

/** How many values of a sum are not listed. */
export const otherParts = (count, adds) => (count ? [{ words: `${formatCount(count)} other${count === 1 ? "" : "s"}`, adds }] : []);

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

/** A sign of a legend: what is answered. */
export const answerSign = sign((painter, theme) => painter.dot(9, 9, 3.2, theme.ink));
