/* A learner's colour: as a line, and as text that can be read on the page. */
import { interpolateRgb } from "d3-interpolate";
import { DARK, channels, hue, luminance } from "../../kit/js/palette.js";

/** Least contrast of text, as WCAG 2 asks for at any size. */
const READABLE = { light: 4.5, dark: 6 };
/** Least contrast of lines; on a dark page that of their names, so that a faint part of one still has 3:1. */
const SEEN = { light: 3, dark: READABLE.dark };

/** Contrast of two colours, 1 to 21. */
export function contrast(one, other) {
  const [low, high] = [one, other].map((colour) => luminance(channels(colour))).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A colour as much nearer to the ink as this contrast on the page takes. */
function nearerToInk(theme, colour, contrasts) {
  const least = contrasts[theme === DARK ? "dark" : "light"];
  const mixed = interpolateRgb(colour, theme.ink);
  for (let share = 0; share < 1; share += 0.05) if (contrast(mixed(share), theme.surface) >= least) return mixed(share);
  return theme.ink;
}

/** A colour as text. */
export const asText = (theme, colour) => nearerToInk(theme, colour, READABLE);

/** A colour as a line or a mark. */
export const asLine = (theme, colour) => nearerToInk(theme, colour, SEEN);

/** The colour of a learner's name. */
export const textHue = (theme, index) => asText(theme, hue(theme, index));
