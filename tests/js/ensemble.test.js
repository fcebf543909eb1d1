/* The picture of an ensemble: where the sign of a learner that left stands. */
import { expect, test } from "vitest";
import { LIGHT, channels, luminance } from "../../streamlab/views/kit/js/palette.js";
import { byChange, endOf, render } from "../../streamlab/views/pictures/ensemble/js/view.js";
import { drawn } from "./drawn.js";

test("each learner that left has its sign, also with the newest chunk, but where another answers in its place at once", () => {
  // of five chunks: left after the second; replaced at once; there; left with the newest; left with it, and another learns in its place
  const frame = {
    group: [0, 0, 0, 1, 2, 2], seat: [0, 1, 1, 0, 0, 0], first: [0, 0, 3, 0, 1, 5], cells: [2, 3, 2, 5, 4, 0], left: [500, 750, -1, 1250, 1250, -1],
  };
  expect([0, 1, 2, 3, 4, 5].map((row) => endOf(frame, { left: 100, cell: 10 }, row))).toEqual([120, null, null, 150, 150, null]);
});

test("lines of which the member changed since the mark stand first, those that changed first above, within two chunks apart from later; who left for good or long ago changed none", () => {
  // replaced at 900; replaced at 800; replaced long ago; left, and nobody came; there
  const frame = {
    mark: { row: 700 }, step: 80, group: Array(8).fill(-1), seat: [0, 0, 1, 2, 2, 3, 3, 4], first: [0, 4, 0, 0, 4, 0, 2, 0], cells: [4, 1, 5, 4, 1, 2, 3, 4],
    left: [900, -1, -1, 800, -1, 300, -1, 850],
  };
  expect(byChange(frame)).toEqual([[1, 1, 2, 0, 0, 3, 3, 4], 1, 2]);
  expect(byChange({ ...frame, mark: null })).toEqual([frame.seat, 0, 0]);
});

test("a cell is the darker the more its learner errs, usual errors hardly; of weights the darker the more it weighs", () => {
  const bright = (measure, value) => {
    const view = Object.assign(Object.create(render.View.prototype), { theme: LIGHT, low: 0.2, frame: { measure } });
    return luminance(channels(view.colourOf(value)));
  };
  const [good, usual, wrong] = [1, 0.7, 0.2].map((value) => bright("right answers", value));
  expect(good - usual).toBeLessThan(0.15 * (good - wrong));
  expect(good).toBeGreaterThan(usual);
  expect(bright("weight", 1)).toBeLessThan(bright("weight", 0.2));
});

test("at any width the head says what the shades and a stroke are; who only learns as yet has no mark", () => {
  const frame = {
    id: [3, 4, 5], group: [-1, -1, -1], seat: [0, 1, 1], first: [0, 0, 2], cells: [2, 2, 0], born: [0, 0, 150], left: [-1, -1, -1], value: [0.9, 0.5, NaN], aside: [0, 0, 0],
    cell: [0.9, 0.8, 0.4, 0.3], chunks: 2, step: 100, end: 200, now: 200, measure: "right answers", noun: "tree", mark: { row: 100, drift: 1 },
  };
  for (const width of [1300, 380]) {
    const { view, said, total } = drawn(render, { ...frame, seat: [...frame.seat] }, { width }), words = said.map(([text]) => text);
    for (const each of ["How often each tree errs", "never", "7 of 10 rows", "new tree", "①"]) expect(words).toContain(each);
    for (const [text, x, y] of said) expect([text, x <= width && y <= total]).toEqual([text, true]);
    expect([...view.marks.keys()]).toEqual([0, 1]);
  }
});
