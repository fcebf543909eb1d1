/* Flat pictures: what is at a place, and where keys lead among marks. */
import { describe, expect, test } from "vitest";
import { MarkedView, stepMarks, yesNo } from "../../streamlab/views/kit/js/marked_view.js";

/** A view of these marks by row, and nothing on a page. */
const viewOf = (marks, more = {}) => Object.assign(Object.create(MarkedView.prototype), {
  about: { key: "id" }, frame: { id: marks.map((_, row) => 10 * row) }, places: {}, piece: null, camera: { place: (x, y) => [x, y], see: (box) => box },
  marksOf: (row) => marks[row], ...more,
});
const box = (x, y, more = {}) => ({ x, y, width: 10, height: 10, ...more });
const lead = (view, row, keys) => keys.map((key) => {
  const to = view.moves(row)[key]();
  row = to < 0 ? row : to;
  return row;
});

describe("a row is", () => {
  const marks = [[box(0, 0), box(10, 0, { piece: 0 })], [box(0, 10), box(10, 10, { piece: 0 })], []];
  test("where its box begins, and in reach beside all boxes; a piece of it is known", () => {
    const view = viewOf(marks);
    expect([view.hit(5, 10, 0), view.piece]).toEqual([{ id: 10 }, null]);
    expect([view.hit(12, 9, 0), view.piece, view.box(0)]).toEqual([{ id: 0 }, 0, marks[0][1]]);
    expect([view.hit(5, 23, 5), view.piece, view.hit(5, 23, 0), view.hit(5, 26, 5)]).toEqual([{ id: 10 }, null, null, null]);
    expect(view.box(2)).toBe(null);
  });
  test("its own box where it has no such piece", () => {
    expect(viewOf(marks, { piece: 7 }).box(1)).toEqual(marks[1][0]);
  });
});

describe("keys lead", () => {
  test("to the nearest mark of the next line and to the one beside; what is not drawn is left out", () => {
    const view = viewOf([[box(0, 0)], [box(20, 0)], [box(40, 0)], [box(18, 12)], [], [box(30, 24)]]);
    expect(lead(view, 0, ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "Home", "End"])).toEqual([1, 3, 3, 5, 5, 3, 1, 0, 5]);
  });
  test("along the pieces of a row, which the next row keeps; what only the pointer reaches ends with the first key", () => {
    const view = viewOf([[box(0, 0)], [box(0, 10)]], { pieces: () => [4, 2], piece: "step 1" });
    const at = (key) => [view.moves(0)[key](), view.piece];
    expect(["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"].map(at)).toEqual([[0, 4], [0, 2], [0, 2], [1, 2], [0, 4], [0, null], [0, null]]);
  });
});

test("steps that a value adds have marks, and what nobody knows is not said", () => {
  const marks = stepMarks([{ words: "begins" }, { words: "wing", value: 2 }, { words: "sum" }], { x: 5, y: 100, width: 50, row: 8 }, 20);
  expect(marks).toEqual([{ step: { words: "wing", value: 2 }, piece: "step 1", x: 5, y: 128, width: 50, height: 8 }]);
  expect([yesNo(true, 1, 0), yesNo(false, 1)]).toEqual([["yes", "no"], ["–"]]);
});
