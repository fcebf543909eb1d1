/* The picture of an ensemble: where the sign of a learner that left stands. */
import { expect, test } from "vitest";
import { LIGHT, channels, luminance } from "../../streamlab/views/kit/js/palette.js";
import { EnsemblePainter } from "../../streamlab/views/pictures/ensemble/js/painter.js";
import { byChange, endOf } from "../../streamlab/views/pictures/ensemble/js/scene.js";

test("each learner that left has its sign, also with the newest chunk, but where another answers in its place at once", () => {
  // of five chunks: left after the second; replaced at once; there; left with the newest; left with it, and another learns in its place
  const frame = {
    group: [0, 0, 0, 1, 2, 2], seat: [0, 1, 1, 0, 0, 0], first: [0, 0, 3, 0, 1, 5], cells: [2, 3, 2, 5, 4, 0], left: [500, 750, -1, 1250, 1250, -1],
  };
  expect([0, 1, 2, 3, 4, 5].map((row) => endOf(frame, { left: 100, cell: 10 }, row))).toEqual([120, null, null, 150, 150, null]);
});

test("lines of which the member changed since the mark stand first, those that changed first above; who left for good or long ago changed none", () => {
  // replaced at 900; replaced at 800; replaced long ago; left, and nobody came; there
  const frame = {
    mark: { row: 700 }, group: Array(8).fill(-1), seat: [0, 0, 1, 2, 2, 3, 3, 4], first: [0, 4, 0, 0, 4, 0, 2, 0], cells: [4, 1, 5, 4, 1, 2, 3, 4],
    left: [900, -1, -1, 800, -1, 300, -1, 850],
  };
  expect(byChange(frame)).toEqual([[1, 1, 2, 0, 0, 3, 3, 4], 2]);
  expect(byChange({ ...frame, mark: null })).toEqual([frame.seat, 0]);
});

test("a cell is the darker the more its learner errs, usual errors hardly; of weights the darker the more it weighs", () => {
  const bright = (measure, value) => {
    const painter = Object.assign(new EnsemblePainter(), { theme: LIGHT, low: 0.2, frame: { measure } });
    return luminance(channels(painter.colourOf(value)));
  };
  const [good, usual, wrong] = [1, 0.7, 0.2].map((value) => bright("right answers", value));
  expect(good - usual).toBeLessThan(0.15 * (good - wrong));
  expect(good).toBeGreaterThan(usual);
  expect(bright("weight", 1)).toBeLessThan(bright("weight", 0.2));
});
