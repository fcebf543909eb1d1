/* The picture of naive Bayes: where its parts stand, the scale of a strip, who is compared, and the steps of the sum. */
import { describe, expect, test } from "vitest";
import { curvesOf, density, render, rivalOf, stepsOf, stripScale, timesOf, verdict } from "../../streamlab/views/pictures/gaussians/js/view.js";
import { boxesOf, drawn } from "./drawn.js";

const frame = {
  noun: "class", names: ["hue", "row"], id: Uint32Array.of(2, 5, 7), answered: [false, true, false], carried: [false, true, false],
  prior: [0.5, 0, -0.25], total: [3, 0, 1.25], others: [0.25, 0, 0], n_others: [4, 0, 0], step_term: [1, 0, -1, -1, 0, -1], adds: [2, 0.25, 0, 0, 1.5, 0], step_value: [3.25, -1, 0, 0, -1, 0],
  strip: [0], mean: [1, 2, NaN], deviation: [0.5, 1, NaN], mean_before: [NaN, 1.5, NaN], deviation_before: [NaN, 2, NaN], likelihood: [-1, -2, 0],
};
const nameOf = (row) => ["sky", "path", "grass"][row];

test("the answered class is compared with the chosen one, else with the row's own, else with the next", () => {
  expect([rivalOf(frame, -1), rivalOf(frame, 0), rivalOf(frame, 1)]).toEqual([2, 0, 2]);
  expect(rivalOf({ ...frame, carried: [true, false, false] }, -1)).toBe(0);
  expect(rivalOf({ ...frame, answered: [false, false, false] }, 0)).toBe(-1);
  expect(rivalOf({ ...frame, id: [5], answered: [true], carried: [true], total: [0] }, -1)).toBe(-1);
});

test("steps go from none by how frequent the classes are, the values and the others to the sum", () => {
  expect(stepsOf(frame, 0).map(({ words, times, from, to }) => [`${words}${times}`, from, to])).toEqual([
    ["how frequent", 0, 0.5], ["row 3.25", 0.5, 2.5], ["hue −1", 2.5, 2.75], ["4 others", 2.75, 3], ["sum", 0, 3],
  ]);
  expect(stepsOf(frame, 2).map(({ words, to }) => [words, to])).toEqual([["how frequent", -0.25], ["hue", 1.25], ["sum", 1.25]]);
});

test("what decided is told in times as likely", () => {
  expect(verdict(frame, 0, nameOf)).toBe("rightly answered: 20 times as likely as sky");
  expect(verdict({ ...frame, carried: [true, false, false] }, 0, nameOf)).toBe("wrongly answered: 20 times as likely as sky, its class");
  expect(verdict({ ...frame, carried: [false, false, false] }, 2, nameOf)).toBe("3.5 times as likely as grass");
  expect([0, Math.log(2), -Math.log(2), Math.log(12345), 40].map(timesOf)).toEqual(["about", "2 times", "2 times", "12,000 times", "over a million times"]);
});

describe("a strip", () => {
  const curve = (mean, deviation) => ({ mean, deviation });
  test("has a curve for each class, and what it was at the mark", () => {
    expect(curvesOf(frame, 0)[1]).toEqual({ mean: 2, deviation: 1, before: { mean: 1.5, deviation: 2 }, likelihood: -2 });
    expect(curvesOf(frame, 0)[0].before).toBeNull();
  });
  test("reaches three deviations to both sides, and to the value", () => {
    expect(stripScale([curve(0, 1), curve(4, 1)], 2)).toMatchObject({ low: -3, high: 7, beyond: 0 });
    expect(stripScale([curve(0, 1), curve(4, 1)], 9)).toMatchObject({ low: -3, high: 9, beyond: 0 });
    expect(stripScale([curve(0, 1), curve(4, 1)], 900)).toMatchObject({ low: -3, high: 7, beyond: 1 });
    expect(stripScale([curve(0, 1), curve(4, 1)], -900).beyond).toBe(-1);
    expect(stripScale([curve(0, 1), curve(4, 1)], NaN)).toMatchObject({ low: -3, high: 7, beyond: 0 });
  });
  test("is not ruled by one curve that is very wide or narrow", () => {
    const { low, high, top } = stripScale([curve(0, 1), curve(1, 1), curve(2, 100), curve(1, 0.001)], 1);
    expect([low, high]).toEqual([-4, 8]);
    expect(top).toBeCloseTo(2.5 * density(0, 1, 0));
  });
  test("has a width and a height where all values were the same, or there are none", () => {
    for (const curves of [[curve(5, 0), curve(5, 0)], [curve(0, 0)], [curve(NaN, NaN)], []]) {
      const { low, high, top } = stripScale(curves, NaN);
      expect(high).toBeGreaterThan(low);
      expect(top).toBeGreaterThan(0);
    }
  });
});

describe("places", () => {
  const shown = (width, more = {}) => drawn(render, {
    ...frame, now: 9, more: 1, hidden: 0, count: [1, 2, 3], share: [0.2, 0.3, 0.5], score: [0.1, 0.8, 0.1], between: [0.5], value: [1.5], marked: null, ...more,
  }, { width });
  test.each([[1300, 3], [800, 2], [388, 1]])("%i px: nothing beyond the width and the height, the list above the sum or beside it", (width, columns) => {
    const { view, total, said, filled } = shown(width);
    for (const [x, y, wide, high] of filled) expect(x >= -1 && x + wide <= width + 1 && y + high <= total).toBe(true);
    // a line for each class, and for the value of the sum
    const boxes = boxesOf(view), [list, sum] = [boxes[0], boxes.at(-1)], head = said.find(([words]) => words.startsWith("Where"));
    expect(boxes.length).toBe(4);
    expect([list.y > 100, sum.x > list.x, head[2] > list.y]).toEqual([columns === 2, columns === 2, columns === 1]);
  });
  test("without a feature that tells classes apart the lists stand alone", () => {
    expect(shown(388, { strip: [], mean: [], deviation: [], mean_before: [], deviation_before: [], likelihood: [] }).total).toBeGreaterThan(100);
  });
  test("a curve is meant near it, where it stands off the floor", () => {
    const { view } = shown(1300), { away } = view.marksOf(0).find(({ piece }) => piece === 0), { x, width, y, height } = view.marksOf(0).find(({ piece }) => piece === 0);
    const found = Array.from({ length: 200 }, (_, i) => away(x + width / 2, y + (i * height) / 200)).filter((each) => each !== null);
    expect(Math.min(...found)).toBeLessThan(0);
    expect([away(-5, y), away(x + 5000, y)]).toEqual([null, null]);
  });
});
