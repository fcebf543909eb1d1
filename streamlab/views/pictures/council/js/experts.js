/* What experts look like: the colours of their own curves, else such as no curve has, and dashes where more than six are there. */
import { interpolateRgb } from "d3-interpolate";
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

/** The colour of a difference within ±`end`: blue above 0, orange below, and the page's quiet grey at 0. */
export function differing(theme, value, end) {
  const share = Math.min(Math.abs(value) / end, 1);
  return interpolateRgb(theme.track, value < 0 ? theme.down : theme.up)(share);
}

/** An end of the scale that is at least as far as all values: round, so that colours do not change with every frame. */
export function scaleEnd(values) {
  let most = 0.02;
  for (const value of values) most = Math.max(most, Math.abs(value));
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most * 0.9999);
}
