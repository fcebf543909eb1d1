/* Fonts of the canvases, and how much text fits. */
export const FONT = 'Roboto,system-ui,-apple-system,"Segoe UI","Helvetica Neue",sans-serif';
export const NAME_FONT = `13px ${FONT}`;
export const BOLD_FONT = `600 13px ${FONT}`;
export const HEAD_FONT = `600 18px ${FONT}`;
export const SMALL_FONT = `11px ${FONT}`;

const MOST_KNOWN = 5000;

/** How many times typefaces have come: what was measured before is of another one. */
let timesLoaded = 0;
const fonts = typeof document === "undefined" ? undefined : document.fonts;
fonts?.addEventListener?.("loadingdone", () => timesLoaded++);

/** Calls `again` whenever a typeface has come, until the signal. */
export const onFonts = (again, signal) => fonts?.addEventListener?.("loadingdone", again, { signal });

/** A font no larger than the room of a line, px. */
export const fontOf = (font, room) => font.replace(/[\d.]+px/, (size) => `${Math.min(parseFloat(size), room).toFixed(1)}px`);

/** What a picture says until its first frame has come: only a frame knows that there is nothing to draw. */
export const SOON = "The picture is being drawn …";

/** Widths of texts, asked again and again in the same fonts, and what fits into a width. */
export class Texts {
  constructor(context) {
    this.context = context;
    this.known = new Map();
    this.of = timesLoaded;
  }

  width(text, font) {
    if (this.of !== timesLoaded) {
      this.of = timesLoaded;
      this.known.clear();
    }
    const key = font + text;
    let width = this.known.get(key);
    if (width === undefined) {
      if (this.known.size > MOST_KNOWN) this.known.clear();
      this.context.font = font;
      width = this.context.measureText(text).width;
      this.known.set(key, width);
    }
    return width;
  }

  /** The first of the texts that is at most so wide, or null. */
  first(texts, font, width) {
    return texts.find((text) => this.width(text, font) <= width) ?? null;
  }

  /** The text cut until it is at most so wide; "" if not even `least` characters of it fit. */
  fit(text, font, width, least = 3) {
    if (this.width(text, font) <= width) return text;
    for (let end = text.length - 1; end >= least; end--) {
      const shorter = `${text.slice(0, end).trimEnd()}…`;
      if (this.width(shorter, font) <= width) return shorter;
    }
    return "";
  }
}
