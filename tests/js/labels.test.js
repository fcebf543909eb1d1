/* The matrix of labels that come together. */
import { expect, test } from "vitest";

globalThis.document ??= { createElement: () => ({}) };
const { DARK, LIGHT, inkOn } = await import("../../streamlab/views/kit/js/palette.js");
const { contrast } = await import("../../streamlab/views/timeline/js/colours.js");
const { Matrix } = await import("../../streamlab/views/pictures/labels/js/matrix.js");

test("every name has room beside the diagonal, or none is written", () => {
  const matrix = new Matrix({ width: (text) => 6 * text.length });
  const names = Array.from({ length: 46 }, (_, i) => (i === 45 ? "the_lowest_one" : `label ${i}`));
  const height = matrix.fit(names, 640, 640);
  expect(matrix.isNamed).toBe(true);
  expect(height).toBe(46 * matrix.size + 2);
  for (const [a, name] of names.entries()) expect(a * matrix.size + 6 * name.length).toBeLessThanOrEqual(640);
  matrix.fit(names, 480, 480);
  expect([matrix.isNamed, matrix.size]).toEqual([false, 10]);
});

test("a pair's number lies within its square, or is left out, and can be read on its colour", () => {
  const texts = { width: (text) => 6 * text.length };
  for (const theme of [LIGHT, DARK]) {
    const matrix = new Matrix(texts), written = [];
    matrix.setTheme(theme);
    const context = { fillRect: (x, y, side) => { context.side = side; context.paper = context.fillStyle; } };
    context.fillText = (text) => written.push([text, context.side, contrast(context.fillStyle, context.paper)]);
    matrix.size = 30;
    for (const value of [0.05, 0.2, 0.36, 0.5, 0.7, 1]) matrix.on(context).drawPair(1, 0, value, false);
    expect(written.map(([text]) => text)).toEqual([".50", ".70", "1.00"]);
    for (const [text, side, read] of written) {
      expect(texts.width(text)).toBeLessThan(side);
      expect(read).toBeGreaterThan(4.5);
    }
    // every colour that a square may have
    for (const colour of matrix.colours.rgb) expect(contrast(inkOn(colour), `rgb(${colour.map(Math.round).join(",")})`)).toBeGreaterThan(4.5);
  }
});
