/* What the projection counts before it says it. */
import { expect, test } from "vitest";
import { saidOf } from "../../streamlab/views/pictures/projection/js/scene.js";
import { render } from "../../streamlab/views/pictures/projection/js/view.js";
import { ProjectionPainter } from "../../streamlab/views/pictures/projection/js/painter.js";

test("the oldest of the rows drawn are from before the drift", () => {
  const oldTo = (old) => render.View.prototype.oldTo.call({ frame: { row: [3, 5, 8, 9], n_old: old } });
  expect([oldTo(2), oldTo(1), oldTo(0)]).toEqual([6, 4, -Infinity]);
});

test("what the neighbours of a row say is the class of most of them, and whether these are old", () => {
  const frame = { n_labels: 3, row: [5, 6, 7, 8, 9], bits: [1, 1, 2, 2, 4], link_row: [5, 6, 7, 99], truth: [0], target: [10, 0, 0] }, name = (k) => "abc"[k];
  expect(saidOf(frame, 7, name)).toEqual({ words: "this row: a, as its neighbours say", isWrong: false, by: [5, 6] });
  expect(saidOf({ ...frame, truth: [1] }, 7, name)).toEqual({ words: "this row: b; old neighbours say a", isWrong: true, by: [5, 6] });
  expect(saidOf({ ...frame, truth: [1] }, 6, name).words).toBe("this row: b; neighbours say a");
  expect(saidOf({ ...frame, target: [9, 0, 0] }, 7, name).words).toBe("this row: a, as its neighbours say");
  for (const other of [{ truth: [0, 1] }, { truth: [] }, { link_row: [99] }]) expect(saidOf({ ...frame, ...other }, 7, name).words).toBe("this row");
});

test("a name stays on its side of its middle, but gives way to a ring, to another name and to the edge", () => {
  const painter = new ProjectionPainter({ width: (text) => 6 * text.length });
  const mark = (id, x, y) => ({ id, at: [1, x, y], to: [1, x, y] }), point = mark(9, 0, 0);
  const scene = { means: { items: new Map([[0, mark(0, -1, 0)], [1, mark(1, -0.9, 0)], [2, mark(2, 1, 0)]]) }, points: new Map([[9, point]]) };
  painter.fit(480, 300, false);
  painter.lookThrough([0, 0, 200], { k: 1, x: 0, y: 0 }, true);
  const sides = (x, y) => {
    [point.to[1], point.to[2]] = [x, y];
    painter.arrangeNames(scene, { rows: [80, 160, 1] }, { label: -1, name: () => "a class", rings: [painter.goal(point)] });
    for (const [k, { dx, dy, width }] of painter.spots.entries()) {
      const [left, middle] = painter.goal(scene.means.items.get(k)).map((place, i) => place + [dx, dy][i]), [rx, ry] = painter.goal(point);
      expect(left >= 3 && left + width <= 477).toBe(true);
      expect(rx > left - 8 && rx < left + width + 8 && Math.abs(middle - ry) < 14).toBe(false);
    }
    return painter.spots.map(({ side }) => side);
  };
  // the second has more rows than the first, which lies near it
  expect(sides(0, 0.5).map((side) => side === 0)).toEqual([false, true, true]);
  const [, moved] = sides(-0.9 + 22 / 200, 0);
  expect(moved).not.toBe(0);
  expect(sides(0, 0.5)[1]).toBe(moved);
});
