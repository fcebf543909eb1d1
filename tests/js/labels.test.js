/* The labels: room for names, numbers in squares, and the axis of the bars. */
import { expect, test } from "vitest";
import { DARK, LIGHT, inkOn, ramp } from "../../streamlab/views/kit/js/palette.js";
import { axisEnd, cellOf, render } from "../../streamlab/views/pictures/labels/js/view.js";
import { contrast } from "../../streamlab/views/timeline/js/colours.js";
import { texts } from "./drawn.js";

test("every name has room beside the diagonal, or none is written", () => {
  const names = Array.from({ length: 46 }, (_, i) => (i === 45 ? "the_lowest_one" : `label ${i}`));
  const { isNamed, size } = cellOf(texts, names, 640, 640);
  expect(isNamed).toBe(true);
  for (const [a, name] of names.entries()) expect(a * size + 6 * name.length).toBeLessThanOrEqual(640);
  expect(cellOf(texts, names, 480, 480)).toEqual({ isNamed: false, size: 10 });
});

test("a pair's number lies within its square, or is left out, and can be read on its colour", () => {
  for (const theme of [LIGHT, DARK]) {
    const written = [], colours = ramp(theme, 33);
    let square;
    const painter = { rect: (x, y, side, _, colour) => { square = [side, colour]; }, note: (text, x, y, { colour }) => written.push([text, square[0], contrast(colour, square[1])]) };
    for (const value of [0.05, 0.2, 0.36, 0.5, 0.7, 1]) render.View.prototype.drawSquare.call({ texts }, painter, { x: 0, y: 0, width: 30 }, value, colours);
    expect(written.map(([text]) => text)).toEqual([".50", ".70", "1.00"]);
    for (const [text, side, read] of written) {
      expect(texts.width(text)).toBeLessThan(side);
      expect(read).toBeGreaterThan(4.5);
    }
    // every colour that a square may have
    for (const colour of colours.rgb) expect(contrast(inkOn(colour), `rgb(${colour.map(Math.round).join(",")})`)).toBeGreaterThan(4.5);
  }
});

test("the end of the bars' axis grows at once and shrinks late", () => {
  expect([axisEnd(0.3, 0.1), axisEnd(0.3, 0.5), axisEnd(0.05, 0.5), axisEnd(7, 1)]).toEqual([0.3, 0.5, 0.05, 7]);
});
