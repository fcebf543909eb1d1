/* The picture of a forest: where cells are. */
import { expect, test } from "vitest";
import { Cells } from "../../streamlab/views/pictures/forest/js/scene.js";

test("a cell above which a tree has split stands a level deeper, and the way leads through it there", () => {
  const frame = (id, depth) => ({ id, depth, tree: id.map(() => 0), x0: id.map(() => 0), x1: id.map(() => 1), fill: id.map(() => 1), before: id.map(() => 0), lit: id.map(() => 1) });
  const cells = new Cells();
  cells.take(frame([7, 8], [0, 1]), 0, 0);
  cells.take(frame([7, 9, 8], [0, 1, 2]), 0, 1000);
  expect(cells.way().map(({ id, depth }) => [id, depth])).toEqual([[7, 0], [9, 1], [8, 2]]);
});
