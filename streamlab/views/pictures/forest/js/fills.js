/* The two fills of evidence: solid for what came after the mark, hatched for what is from before it. The same for every learner. */
import { Painter, sign } from "../../../kit/js/marks.js";
import { DARK } from "../../../kit/js/palette.js";

const COLOURS = { light: { fresh: "#2a9485", old: "#857b6f" }, dark: { fresh: "#43c2b0", old: "#8f8677" } };
const TILE = 6, THICK = 0.46;

/** Colours of a theme: what is new, what is old. */
export const fillsOf = (theme) => (theme === DARK ? COLOURS.dark : COLOURS.light);

/** Slanted lines through a square of `size`, that go on where the next square begins. */
function slants(painter, size) {
  const ends = [-1, 0, 1].map((shift) => [shift * size - size / 2, size * 1.5, shift * size + size * 1.5, -size / 2]);
  painter.links(ends, fillsOf(painter.theme).old, size * THICK * Math.SQRT1_2 * 1.2);
}

/** The hatching as a pattern in device pixels, for a context to fill with. */
export function hatching(theme, ratio, filled) {
  const tile = document.createElement("canvas");
  const size = Math.max(4, Math.round(TILE * ratio));
  tile.width = tile.height = size;
  const painter = new Painter().on(tile.getContext("2d"), { theme });
  painter.rect(0, 0, size, size, theme.surface);
  slants(painter, size);
  return filled.createPattern(tile, "repeat");
}

/** Signs of the legend. */
export const solidSign = sign((painter, theme) => painter.rect(1, 4, 16, 10, fillsOf(theme).fresh));

export const hatchedSign = sign((painter) => painter.within(1, 4, 16, 10, () => {
  for (let x = 0; x < 18; x += TILE) {
    for (let y = 0; y < 18; y += TILE) painter.turned(x, y, 0, () => slants(painter, TILE));
  }
}));

export const waySign = sign((painter, theme) => {
  painter.line([[6, 1], [6, 7], [11, 13]], theme.strong, 1.75);
  painter.dot(11, 13, 3.2, theme.strong);
});
