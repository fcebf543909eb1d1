/* The picture of weights: where its parts stand at each width, and the steps of a row's sum. */
import { describe, expect, test } from "vitest";
import { scaleEnd, span } from "../../streamlab/views/kit/js/numbers.js";
import { differing, themeOf } from "../../streamlab/views/kit/js/palette.js";
import { render, stepsOf, sumAt, verdict } from "../../streamlab/views/pictures/weights/js/view.js";
import { boxesOf, drawn } from "./drawn.js";

const frame = {
  names: ["wing", "beak"], intercept: [-2, 1], total: [-0.5, 1.25], others: [0.25, 0], n_others: [3, 0],
  step_term: [0, 1, 1, -1], adds: [2, -0.75, 0.25, 0], scaled: [0.5, 3, 1, 0],
};

test("steps go from the intercept by the listed values and the others to the sum", () => {
  expect(stepsOf(frame, 0, 2).map(({ words, times, from, to }) => [`${words}${times}`, from, to])).toEqual([
    ["begins with", 0, -2], ["wing × 0.50", -2, 0], ["beak × 3.00", 0, -0.75], ["3 others", -0.75, -0.5], ["sum", 0, -0.5],
  ]);
  expect(stepsOf(frame, 1, 2).map(({ words, times, to }) => [`${words}${times}`, to])).toEqual([["begins with", 1], ["beak × 1.00", 1.25], ["sum", 1.25]]);
});

test("what decided is told: the best of a row, or a threshold that stands in the sum where the score is as high", () => {
  const row = { answered: [1, 0], carried: [1, 1], threshold: [NaN, NaN], best: "among the 3 best by expected F1" };
  expect([0, 1].map((label) => verdict(row, label))).toEqual(["rightly answered: among the 3 best by expected F1", "wrongly not answered: not among the 3 best by expected F1"]);
  expect(verdict({ ...row, best: "", threshold: [0.31, 0.5] }, 0)).toBe("rightly answered: above 0.31");
  const classes = { ...row, best: "the highest score", noun: "class", score: Float32Array.of(0.7, 0.3), carried: [1, 0] };
  expect([0, 1].map((each) => verdict(classes, each, (place) => ["sky", "path"][place]))).toEqual(["rightly answered: the highest score", "rightly not answered: sky has 0.70"]);
  expect(1 / (1 + Math.exp(-sumAt(0.31)))).toBeCloseTo(0.31);
  expect([sumAt(0.5), sumAt(NaN), sumAt(0)]).toEqual([0, null, null]);
});

test("the ends of bars have 0 between them", () => {
  expect([span([0.5, 2]), span([-1, -3]), span([])]).toEqual([[0, 2], [-3, 0], [-1, 1]]);
});

describe("places", () => {
  const many = (n, value = 0) => Array(n).fill(value);
  const shown = (width, labels = 14) => drawn(render, {
    noun: "label", now: 9, names: ["wing"], columns: many(24), hidden: 0, more: 0, marked: null, first: 0, id: [...Array(labels).keys()], heat: many(24 * labels, 0.1),
    answered: many(labels), carried: many(labels), bar_term: many(12 * labels), bar: many(12 * labels, 0.5), bar_before: many(12 * labels), intercept: many(labels), intercept_before: many(labels, NaN),
    total: many(labels), score: many(labels, 0.5), threshold: many(labels, 0.5), step_term: many(5 * labels), adds: many(5 * labels), scaled: many(5 * labels, 1), others: many(labels), n_others: many(labels),
    moved_label: many(6), moved_term: many(6), moved_from: many(6), moved_to: many(6, 0.25), values: [],
  }, { width });
  test.each([1300, 800, 388])("%i px: nothing beyond the width and the height; each label has its name and a cell for each feature", (width) => {
    const { view, total, filled } = shown(width);
    for (const [x, y, wide, high] of filled) expect(x >= 0 && x + wide <= width + 1 && y + high <= total).toBe(true);
    expect(view.marks.size).toBe(14);
    expect(boxesOf(view).length).toBe(14 * 25 + 5);
    const steps = view.marksOf(0).filter(({ step }) => step), heat = view.marksOf(13).at(-1);
    expect(steps[0].y > heat.y).toBe(width < 980);
  });
  test("labels for which there is no room are left to the search", () => {
    const { view, said } = shown(1300, 60);
    expect(view.marks.size).toBeLessThan(60);
    expect(said.map(([words]) => words)).toContain(`+ ${60 - view.marks.size} labels: find one by its name`);
  });
});

test("a difference is blue above 0, orange below, and the scale has round ends", () => {
  const theme = themeOf(false);
  expect([differing(theme, 1, 1), differing(theme, -1, 1)]).toEqual(["rgb(0, 96, 156)", "rgb(168, 67, 0)"]);
  expect([scaleEnd([0.3, -1.2]), scaleEnd([]), scaleEnd([0.5])]).toEqual([2, 0.02, 0.5]);
});
