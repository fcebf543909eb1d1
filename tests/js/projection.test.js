/* What the projection counts before it says it. */
import { expect, test } from "vitest";
import { carriersOf } from "../../streamlab/views/pictures/projection/js/scene.js";
import { ProjectionPainter } from "../../streamlab/views/pictures/projection/js/painter.js";
import { outcome } from "../../streamlab/views/pictures/projection/js/scores.js";

test("rows that have a class are counted", () => {
  // of four rows three have class 0, two class 1, one class 2, none class 3
  expect(carriersOf({ n_labels: 4, row: [5, 6, 7, 8], bits: [1, 3, 7, 0] })).toEqual([3, 2, 1, 0]);
});

test("what became of an answer is counted against the truth", () => {
  expect(outcome(new Set([1, 2, 6, 7, 11]), new Set([2, 3, 11, 12]))).toEqual({ right: 2, wrong: 3, missed: 2 });
});

test("a name stays on its side of its cross, but gives way to a ring, to another name and to the edge", () => {
  const painter = new ProjectionPainter({ width: (text) => 6 * text.length });
  const mark = (id, x, y) => ({ id, at: [1, x, y], to: [1, x, y] }), point = mark(9, 0, 0);
  const scene = { means: { items: new Map([[0, mark(0, -1, 0)], [1, mark(1, -0.9, 0)], [2, mark(2, 1, 0)]]) }, points: new Map([[9, point]]) };
  painter.fit(480, 300, false);
  painter.lookThrough([0, 0, 200], { k: 1, x: 0, y: 0 }, true);
  const sides = (x, y) => {
    [point.to[1], point.to[2]] = [x, y];
    painter.arrangeNames(scene, { weight: [80, 160, 1] }, { label: 0, name: () => "a class", ringed: [9] });
    for (const [k, { dx, dy, width }] of painter.spots.entries()) {
      const [left, middle] = painter.goal(scene.means.items.get(k)).map((place, i) => place + [dx, dy][i]), [rx, ry] = painter.goal(point);
      expect(left >= 3 && left + width <= 477).toBe(true);
      expect(rx > left - 8 && rx < left + width + 8 && Math.abs(middle - ry) < 14).toBe(false);
    }
    return painter.spots.map(({ side }) => side);
  };
  // beside the first is the second's cross, beside the third the picture ends
  expect(sides(0, 0.5).map((side) => side === 0)).toEqual([false, true, false]);
  const [, moved] = sides(-0.9 + 22 / 200, 0);
  expect(moved).not.toBe(0);
  expect(sides(0, 0.5)[1]).toBe(moved);
});
