/* What the projection counts before it says it. */
import { expect, test } from "vitest";
import { carriersOf } from "../../streamlab/views/pictures/projection/js/scene.js";
import { placeOfLine } from "../../streamlab/views/pictures/projection/js/painter.js";
import { outcome } from "../../streamlab/views/pictures/projection/js/scores.js";

test("rows that have a class are counted", () => {
  // of four rows three have class 0, two class 1, one class 2, none class 3
  expect(carriersOf({ n_labels: 4, row: [5, 6, 7, 8], bits: [1, 3, 7, 0] })).toEqual([3, 2, 1, 0]);
});

test("what became of an answer is counted against the truth", () => {
  expect(outcome(new Set([1, 2, 6, 7, 11]), new Set([2, 3, 11, 12]))).toEqual({ right: 2, wrong: 3, missed: 2 });
});

test("the words at the foot give way to a ring", () => {
  expect([[], [[6, 394]], [[6, 300]], [[600, 394]]].map((rings) => placeOfLine(350, 680, 400, rings))).toEqual([8, 322, 8, 8]);
  expect(placeOfLine(350, 360, 400, [])).toBe(null);
});
