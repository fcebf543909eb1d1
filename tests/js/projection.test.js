/* What the projection counts before it says it. */
import { describe, expect, test } from "vitest";
import { carriersOf, isRarest } from "../../streamlab/views/pictures/projection/js/scene.js";
import { placeOfLine } from "../../streamlab/views/pictures/projection/js/painter.js";
import { outcome } from "../../streamlab/views/pictures/projection/js/scores.js";

describe("the rarest class", () => {
  // of four rows three have class 0, two class 1, one class 2, none class 3
  const frame = { n_labels: 4, row: [5, 6, 7, 8], bits: [1, 3, 7, 0], window: [9, 7, 8, 0] };

  test("is that of the fewest rows drawn, not that of the fewest rows kept", () => {
    expect(carriersOf(frame)).toEqual([3, 2, 1, 0]);
    expect([0, 1, 2, 3].map((label) => isRarest(frame, label))).toEqual([false, false, true, false]);
  });
  test("is not one that shares its place, or has a kept row that is not drawn before it", () => {
    expect(isRarest({ ...frame, bits: [1, 5, 3, 0] }, 2)).toBe(false);
    expect(isRarest({ ...frame, window: [9, 7, 8, 1] }, 2)).toBe(false);
  });
});

test("what became of an answer is counted against the truth", () => {
  expect(outcome(new Set([1, 2, 6, 7, 11]), new Set([2, 3, 11, 12]))).toEqual({ right: 2, wrong: 3, missed: 2 });
});

test("the words at the foot give way to a ring", () => {
  expect([[], [[6, 394]], [[6, 300]], [[600, 394]]].map((rings) => placeOfLine(350, 680, 400, rings))).toEqual([8, 322, 8, 8]);
  expect(placeOfLine(350, 360, 400, [])).toBe(null);
});
