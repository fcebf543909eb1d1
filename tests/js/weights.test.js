/* The picture of weights: where its parts stand at each width, and the steps of a row's sum. */
import { describe, expect, test } from "vitest";
import { scaleEnd, span } from "../../streamlab/views/kit/js/numbers.js";
import { differing, themeOf } from "../../streamlab/views/kit/js/palette.js";
import { stageLayout, stepsOf, sumAt, verdict } from "../../streamlab/views/pictures/weights/js/scene.js";

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
  const given = { tall: 440, labels: 14, features: 24, bars: 12, steps: 5, moved: 6, longestLabel: 60, cut: false };
  test.each([[1300, 3], [800, 2], [388, 1]])("%i px: %i columns, nothing beyond the width, nothing upon another", (width, columns) => {
    const places = stageLayout({ ...given, width });
    expect(places.columns).toBe(columns);
    const { heat, list, sum, moves } = places;
    expect(heat.x + heat.cell * given.features).toBeLessThanOrEqual(width + 1e-9);
    for (const part of [list, sum, moves]) expect(part.x + part.width).toBeLessThanOrEqual(width + 1e-9);
    expect(moves.y).toBeGreaterThanOrEqual(sum.y + places.head + 9 * sum.row);
    if (columns < 3) expect(list.y).toBeGreaterThan(heat.end);
    if (columns === 1) expect(sum.y).toBeGreaterThan(list.y + 12 * list.row);
    expect(heat.rows).toBe(14);
    expect(places.total).toBeGreaterThanOrEqual(moves.y + places.head + 6 * moves.row);
  });
  test("labels for which there is no room are left to the search", () => {
    const { heat } = stageLayout({ ...given, width: 1300, labels: 60 });
    expect(heat.rows).toBeLessThan(60);
    expect(heat.row * heat.rows).toBeLessThanOrEqual(440);
  });
});

test("a difference is blue above 0, orange below, and the scale has round ends", () => {
  const theme = themeOf(false);
  expect([differing(theme, 1, 1), differing(theme, -1, 1)]).toEqual(["rgb(0, 96, 156)", "rgb(168, 67, 0)"]);
  expect([scaleEnd([0.3, -1.2]), scaleEnd([]), scaleEnd([0.5])]).toEqual([2, 0.02, 0.5]);
});
