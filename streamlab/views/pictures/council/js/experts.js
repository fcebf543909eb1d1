/* What experts look like: the colours of their own curves, else such as no curve has, and dashes where more than six are there. */
import { DARK } from "../../../kit/js/palette.js";

/** Violet, crimson, olive, teal, magenta, ink: 3:1 on the page, and none of the hues of streamlab.views.timeline.bands. */
const HUES = {
  light: ["#6941c6", "#b4123c", "#6b7d00", "#00808c", "#a8209e", "#2b3440"],
  dark: ["#b39dff", "#ff7a90", "#b9d94c", "#4fd0d8", "#f08bef", "#dde3ea"],
};
const DASHES = [[], [7, 3], [2, 3]];

/** The colour of an expert, from 1; 0: the labels' shares. `known`: of those whose curves are on the page too, by their places. */
export function colourOf(theme, place, known) {
  const hues = theme === DARK ? HUES.dark : HUES.light;
  if (known?.[place]) return known[place];
  return place ? hues[(place - 1) % hues.length] : theme.ghost;
}

/** The dash of an expert's line: another one for each six. */
export const dashOf = (place) => (place ? DASHES[Math.floor((place - 1) / HUES.light.length) % DASHES.length] : [1.5, 3]);
