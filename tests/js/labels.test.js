/* The matrix of labels that come together. */
import { expect, test } from "vitest";

globalThis.document ??= { createElement: () => ({}) };
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
