/* The picture of an ensemble: where the sign of a learner that left stands. */
import { expect, test } from "vitest";
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
