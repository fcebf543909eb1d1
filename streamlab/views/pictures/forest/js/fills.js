/* The two fills of evidence: solid for what came after the mark, hatched for what is from before it. The same for every learner. */
import { DARK } from "../../../kit/js/palette.js";

const COLOURS = { light: { fresh: "#2a9485", old: "#857b6f" }, dark: { fresh: "#43c2b0", old: "#8f8677" } };
const TILE = 6, THICK = 0.46;

/** Colours of a theme: what is new, what is old. */
export const fillsOf = (theme) => (theme === DARK ? COLOURS.dark : COLOURS.light);

/** Slanted lines through a square of `size`, that go on where the next square begins. */
function slants(context, size, colour) {
  context.strokeStyle = colour;
  context.lineWidth = size * THICK * Math.SQRT1_2 * 1.2;
  context.beginPath();
  for (const shift of [-1, 0, 1]) {
    context.moveTo(shift * size - size / 2, size * 1.5);
    context.lineTo(shift * size + size * 1.5, -size / 2);
  }
  context.stroke();
}

/** The hatching as a pattern in device pixels, for a context to fill with. */
export function hatching(theme, ratio, filled) {
  const tile = document.createElement("canvas");
  const size = Math.max(4, Math.round(TILE * ratio));
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, size, size);
  slants(context, size, fillsOf(theme).old);
  return filled.createPattern(tile, "repeat");
}

/** Signs of the legend, 18 x 18. */
export function solidSign(context, theme) {
  context.fillStyle = fillsOf(theme).fresh;
  context.fillRect(1, 4, 16, 10);
}

export function hatchedSign(context, theme) {
  context.save();
  context.beginPath();
  context.rect(1, 4, 16, 10);
  context.clip();
  for (let x = 0; x < 18; x += TILE) {
    for (let y = 0; y < 18; y += TILE) {
      context.save();
      context.translate(x, y);
      slants(context, TILE, fillsOf(theme).old);
      context.restore();
    }
  }
  context.restore();
}

export function waySign(context, theme) {
  context.strokeStyle = context.fillStyle = theme.strong;
  context.lineWidth = 1.75;
  context.beginPath();
  context.moveTo(6, 1);
  context.lineTo(6, 7);
  context.lineTo(11, 13);
  context.stroke();
  context.beginPath();
  context.arc(11, 13, 3.2, 0, 2 * Math.PI);
  context.fill();
}
