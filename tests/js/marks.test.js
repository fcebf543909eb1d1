/* Where words and marks stand among the curves, and what is drawn of a curve around a change. */
import { describe, expect, test } from "vitest";
import { grouped, isFree, lossOf, pointsOf, roomsIn, sizeOf, valueAt, wordsBehind } from "../../streamlab/views/timeline/js/points.js";

const all = ({ positions }) => positions.map((_, k) => k);

describe("a change amid the rows of a point", () => {
  const line = { positions: [100, 200, 300, 400], values: [0.6, 0.62, 0.3, 0.5] };
  test("the value before is held up to it", () => {
    expect(pointsOf(line, all(line), [250])).toEqual([[100, 0.6], [200, 0.62], [250, 0.62], [300, 0.3], [400, 0.5]]);
  });
  test("at a point's row the curve falls from the mark on by itself; of two changes the first counts", () => {
    const plain = [[100, 0.6], [200, 0.62], [300, 0.3], [400, 0.5]];
    for (const changes of [[], [200], [300], [50], [450]]) expect(pointsOf(line, all(line), changes)).toEqual(plain);
    expect(pointsOf(line, all(line), [220, 260, 390]).map(([at]) => at)).toEqual([100, 200, 220, 300, 390, 400]);
  });
  test("no point before, or none with a value: nothing is made up", () => {
    expect(pointsOf({ positions: [100, 200], values: [NaN, 0.5] }, [0, 1], [50, 150])).toEqual([[100, NaN], [200, 0.5]]);
  });
  test("whatever the changes, between a point and a change after it no curve moves", () => {
    for (let at = 101; at < 400; at++) {
      const points = pointsOf(line, all(line), [at]), before = line.values[line.positions.findLastIndex((row) => row < at)];
      expect(valueAt(points, at)).toBeCloseTo(line.positions.includes(at) ? line.values[line.positions.indexOf(at)] : before, 12);
    }
  });
});

test("the value of a curve between its points, beyond them, and where nothing is known", () => {
  const points = [[100, 0.2], [200, NaN], [300, 0.6]];
  expect([0, 100, 200, 250, 300, 999].map((at) => Number(valueAt(points, at).toFixed(6)))).toEqual([0.2, 0.2, 0.4, 0.5, 0.6, 0.6]);
  expect(valueAt([], 5)).toBeNaN();
});

describe("what was lost", () => {
  const points = [[100, 0.6], [200, 0.62], [300, 0.3], [400, 0.5], [500, 0.7], [600, 0.2]];
  test("is under the level until the curve is back", () => {
    const found = lossOf(points, { from: 200, to: Infinity, level: 0.6, sign: 1 });
    expect(found.slice(0, 3)).toEqual([[200, 0.6], [300, 0.3], [400, 0.5]]);
    expect(found[3][0]).toBeCloseTo(450, 9);
    expect(found[3][1]).toBe(0.6);
  });
  test("ends with the next change; where less is better it lies above", () => {
    expect(lossOf(points, { from: 200, to: 400, level: 0.6, sign: 1 })).toEqual([[200, 0.6], [300, 0.3], [400, 0.5]]);
    expect(lossOf(points, { from: 500, to: 600, level: 0.4, sign: -1 })[0]).toEqual([500, 0.7]);
    expect(lossOf(points, { from: 100, to: 200, level: 0.6, sign: 1 })).toEqual([]);
  });
  test("is as large as the area between the curve and the level, above or below", () => {
    expect([sizeOf([[0, 100], [10, 180], [20, 100]], 100), sizeOf([[0, 100], [10, 20], [20, 100]], 100), sizeOf([], 100)]).toEqual([800, 800, 0]);
  });
  test("says how much where its area is high and wide enough, deepest first", () => {
    const shape = [[0, 100], [10, 180], [200, 180], [240, 100]];
    const [first] = roomsIn(shape, 100, 60);
    expect([first.high, first.y]).toEqual([80, 145]);
    expect(roomsIn(shape, 100, 60).every(({ x, wide }) => x >= 0 && x + wide <= 240)).toBe(true);
    expect([roomsIn(shape, 100, 400), roomsIn([[0, 100], [200, 110]], 100, 50), roomsIn([], 100, 50)]).toEqual([[], [], []]);
  });
});

test("words are free where no curve crosses them", () => {
  const words = { x: 100, y: 50, wide: 60 };
  expect(isFree([[[0, 200], [400, 200]]], words)).toBe(true);
  expect(isFree([[[0, 48], [400, 48]]], words)).toBe(false);
  expect(isFree([[[0, 48], [80, 48]], [[180, 48], [400, 48]]], words)).toBe(true);
  expect(isFree([[[0, 0], [400, 160]]], words)).toBe(false);
});

test("words stand behind a change's number where there is room up to the next one, else the number alone", () => {
  const at = (x) => ({ x, texts: [{ text: "long", wide: 160 }, { text: "short", wide: 90 }] });
  expect(wordsBehind([at(100), at(300), at(420), at(470)], 600)).toEqual(["long", "short", null, "short"]);
  expect(wordsBehind([{ x: 0, texts: [] }], 600)).toEqual([null]);
});

test("marks nearer to each other than a gap are one, in order of place", () => {
  const groups = grouped([9, 0, 7, 30, 12].map((x) => ({ x })), 8);
  expect(groups.map(({ x, items }) => [x, items.map((item) => item.x)])).toEqual([[0, [0, 7]], [9, [9, 12]], [30, [30]]]);
});
