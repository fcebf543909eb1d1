/*
 * Draws the co-occurrence matrix: the lower triangle, names along the diagonal. Lengths are CSS pixels. Pairs of labels are numbered row by row,
 * without the diagonal: (1, 0), (2, 0), (2, 1), (3, 0), ...
 */
import { clamp } from "../../../kit/js/dom.js";
import { Painter } from "../../../kit/js/marks.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { inkOn, ramp } from "../../../kit/js/palette.js";
import { FONT, SMALL_FONT } from "../../../kit/js/text.js";

/** Number of a pair, whichever comes first. */
export const pairOf = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

/** The labels [a, b] of a pair, a > b. */
export function labelsOf(pair) {
  const a = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
  return [a, pair - (a * (a - 1)) / 2];
}

/** Share of the instances with either label that have both. */
export function jaccard(frame, a, b) {
  const joint = frame.together[pairOf(a, b)];
  const either = frame.recent[a] + frame.recent[b] - joint;
  return either > 0 ? clamp(joint / either, 0, 1) : 0;
}

/** The label that comes most often with this one, or -1. */
export const partnerOf = (frame, label) => nearestOf(frame.recent, (_, other) => {
  const together = other === label ? 0 : frame.together[pairOf(label, other)];
  return together > 0 ? -together : null;
});

const COLOURS = 33;
/** Pairs smaller than this many pixels have room for their colour only; the table has the numbers. */
const SMALL_CELL = 10;
const LONGEST_NAME = 200;
/** The smallest letters of names, and rows that are high enough for them, px. */
const LEAST_TEXT = 10, LEAST_NAMED = 11;

/** Most pairs are rare: the root of the index spreads them over the scale. */
const colourOf = (value) => Math.round((1 - Math.sqrt(value)) * (COLOURS - 1));

export class Matrix extends Painter {
  constructor(texts) {
    super(texts);
    this.small = document.createElement("canvas");
  }

  setTheme(theme) {
    super.setTheme(theme);
    this.colours = ramp(theme, COLOURS);
  }

  /** Room for these labels in `width` x `height`: whole pixels per pair, names at the diagonal if they can be read. Returns the height. */
  fit(names, width, height) {
    const count = names.length;
    // a name stands right of the diagonal: the lower it is, the less room is left for it
    const font = `${LEAST_TEXT}px ${FONT}`, most = Math.min(130, width * 0.3);
    const beside = names.map((name, a) => (width - Math.min(this.texts.width(name, font), most) - 12) / Math.max(a, 1));
    const size = Math.min(...beside, height / count, width / count);
    this.isNamed = size >= LEAST_NAMED;
    this.width = width;
    this.size = Math.max(1, Math.min(48, Math.floor(this.isNamed ? size : Math.min(width, height) / count)));
    return this.size * count + 2;
  }

  boxOf(pair) {
    const [a, b] = labelsOf(pair);
    return { x: b * this.size, y: a * this.size, width: this.size, height: this.size };
  }

  draw(frame, { lit, isDim, marked }) {
    const count = frame.names.length;
    if (this.size < SMALL_CELL) this.drawImage(frame, count, isDim);
    else {
      this.drawGrid(count);
      for (let a = 1, pair = 0; a < count; a++) for (let b = 0; b < a; b++) this.drawPair(a, b, jaccard(frame, a, b), isDim(pair++));
    }
    if (this.isNamed) this.drawNames(frame.names, lit);
    for (const [pair, colour] of marked) {
      const { x, y, width, height } = this.boxOf(pair);
      this.box(x + 0.5, y + 0.5, width, height, colour);
    }
  }

  /** Many labels: a picture with one pixel per pair, scaled up. Thousands of rectangles would take ten times as long. */
  drawImage(frame, count, isDim) {
    const { context } = this;
    this.small.width = this.small.height = count;
    const small = this.small.getContext("2d");
    const image = small.createImageData(count, count);
    for (let a = 1, pair = 0; a < count; a++) {
      for (let b = 0; b < a; b++, pair++) {
        const channels = this.colours.rgb[colourOf(jaccard(frame, a, b))], place = 4 * (a * count + b);
        for (let i = 0; i < 3; i++) image.data[place + i] = channels[i];
        image.data[place + 3] = isDim(pair) ? 60 : 255;
      }
    }
    small.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.small, 0, 0, count * this.size, count * this.size);
  }

  drawGrid(count) {
    const { size, theme: { track } } = this;
    for (let a = 1; a <= count; a++) {
      this.rect(0, a * size, Math.min(a, count - 1) * size, 1, track);
      this.rect((a - 1) * size, Math.max(a - 1, 1) * size, 1, (count - Math.max(a - 1, 1)) * size + 1, track);
    }
  }

  /** Area and colour say the same: a square whose area is the Jaccard index, with its number where that lies within the square. */
  drawPair(a, b, value, isDim) {
    const { context, size } = this;
    if (value <= 0) return;
    const colour = colourOf(value);
    const side = Math.max(1, Math.sqrt(value) * (size - 1));
    const inset = 1 + (size - 1 - side) / 2;
    context.globalAlpha = isDim ? 0.25 : 1;
    this.rect(b * size + inset, a * size + inset, side, side, this.colours.solid[colour]);
    const number = value.toFixed(2).replace(/^0/, "");
    if (side >= this.texts.width(number, SMALL_FONT) + 2) {
      this.note(number, (b + 0.5) * size + 0.5, (a + 0.5) * size + 1, { colour: inkOn(this.colours.rgb[colour]), align: "center" });
    }
    context.globalAlpha = 1;
  }

  drawNames(names, lit) {
    const { size } = this;
    const font = `${clamp(size - 2, LEAST_TEXT, 12)}px ${FONT}`;
    names.forEach((name, a) => {
      const left = a * size + clamp(size / 4, 3, 8);
      const text = this.texts.fit(name, font, Math.min(this.width - left - 2, LONGEST_NAME), 1);
      this.text(text, left, (a + 0.5) * size + 1, { font, colour: lit.has(a) ? this.theme.ink : this.theme.muted });
    });
  }
}
