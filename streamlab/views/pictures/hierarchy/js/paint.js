/* What both shapes of the picture draw alike. All lengths are CSS pixels. */
import { formatCount } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { css, heat } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";

/** Over this share of the picture's colours a search lays the paper. */
export const DIM = 0.3;

export const score = (value) => (Number.isNaN(value) ? "–" : value.toFixed(2));
export const distanceText = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** What a painter is given: {context, theme, texts, frame, layout, lit, name, isDim, width}. */
export class ClassPainter extends Painter {
  constructor({ context, ...given }) {
    super();
    this.on(context, given);
    this.rows = Array.from(this.frame.id, (_, row) => row);
    this.heaviest = this.frame.weight.reduce((most, weight) => Math.max(most, weight), 0);
  }

  /** Whether the latest instance's path, or its walk, gives the row this flag. */
  isLit(row, flag) {
    return Boolean(this.lit?.[flag][row]);
  }

  isOnPath(row) {
    return this.isLit(row, "true") || this.isLit(row, "predicted");
  }

  colour(row) {
    const hf = this.frame.hf[row];
    return Number.isNaN(hf) ? this.theme.surface : css(heat(hf));
  }

  label(row) {
    const folded = this.frame.folded[row];
    return `${this.name(row)}${folded ? ` +${formatCount(folded)}` : ""}`;
  }

  font(row) {
    return this.isOnPath(row) ? BOLD_FONT : NAME_FONT;
  }

  /** "d 1.25" of a class that the walk compared, "≈ d 1.25" where it was too close to call. */
  distance(row) {
    if (!this.isLit(row, "compared") || Number.isNaN(this.lit.distance[row])) return "";
    return `${this.isLit(row, "tied") ? "≈ " : ""}d ${distanceText(this.lit.distance[row])}`;
  }
}
