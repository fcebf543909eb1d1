/* The picture of a forest: where cells are. */
import { expect, test } from "vitest";
import { Cells, depthAt, fullest, levelAt, stageLayout } from "../../streamlab/views/pictures/forest/js/scene.js";
import { because } from "../../streamlab/views/pictures/forest/js/words.js";

test("a cell above which a tree has split stands a level deeper, and the way leads through it there", () => {
  const frame = (id, depth) => ({ id, depth, tree: id.map(() => 0), x0: id.map(() => 0), x1: id.map(() => 1), fill: id.map(() => 1), before: id.map(() => 0), lit: id.map(() => 1) });
  const cells = new Cells();
  cells.take(frame([7, 8], [0, 1]), 0, 0);
  cells.take(frame([7, 9, 8], [0, 1, 2]), 0, 1000);
  expect(cells.way().map(({ id, depth }) => [id, depth])).toEqual([[7, 0], [9, 1], [8, 2]]);
});

test("the tree of most rows is the large one, until another has twice as many", () => {
  const of = (...weights) => weights.map((weight) => ({ weight }));
  expect(fullest(of(10, 500, 900), 0)).toBe(2);
  expect(fullest(of(10, 500, 900), 1)).toBe(1);
  expect(fullest(of(0, 0), 0)).toBe(0);
  expect(fullest([], 3)).toBe(0);
});

test("it is said how many trees began after the drift", () => {
  const mark = { row: 1200, drift: 1, since: 100 };
  expect(because({ mark, begun: [8, 10] })).toBe("8 of 10 trees began after drift ①, at row 1,200, 100 rows ago; nothing fades.");
  expect(because({ mark: { ...mark, drift: 0 }, begun: [1, 10] })).toBe("1 of 10 trees began after row 1,200, 100 rows ago; nothing fades.");
  for (const begun of [[], [0, 10], undefined]) expect(because({ mark, begun })).toBe("① began at row 1,200, 100 rows ago; nothing fades.");
});

test("the first level has room for its words also where the picture is low, and a height is that of its level", () => {
  for (const tall of [130, 200, 460]) {
    const places = stageLayout(600, 20, 8, tall, true);
    expect(places.first).toBeGreaterThanOrEqual(38);
    expect(places.bottom).toBeLessThanOrEqual(tall);
    for (let depth = 0; depth < 8; depth++) {
      const [top, high] = levelAt(places, depth);
      expect([depthAt(places, top), depthAt(places, top + high - 1)]).toEqual([depth, depth]);
    }
  }
});

test.each([[0, 0], [70, 82]])("the trees' bars begin behind words of %i px, and end where the large tree does", (caption, from) => {
  const { x, width, bars } = stageLayout(600, 20, 8, 400, true, caption);
  expect(bars.x).toBe(from);
  expect(bars.x + 20 * bars.step - bars.gap).toBeCloseTo(x + width);
});

test("where another forest is on the same phone it has a height, and the levels from the root on that can be read there", () => {
  const { total, levels, row, bars } = stageLayout(388, 20, 10, 184, false, 90, true);
  expect([total <= 184, total > 184 - row, levels, row >= 20, bars.height]).toEqual([true, true, 6, true, 24]);
  expect(stageLayout(388, 20, 3, 184, false, 90, true).levels).toBe(3);
});
