/* Flat pictures: what is at a place, and where keys lead among marks. */
import { describe, expect, test } from "vitest";
import { MarkedView, yesNo } from "../../streamlab/views/kit/js/marked_view.js";
import { Painter, stepsOfSum } from "../../streamlab/views/kit/js/marks.js";
import { LIGHT } from "../../streamlab/views/kit/js/palette.js";
import { texts } from "./drawn.js";

/** A view of these marks by row, and nothing on a page. */
const viewOf = (marks, more = {}) => Object.assign(Object.create(MarkedView.prototype), {
  about: { key: "id" }, frame: { id: marks.map((_, row) => 10 * row) }, piece: null, camera: { place: (x, y) => [x, y], see: (box) => box, at: { k: 1 } },
  marks: new Map(marks.map((each, row) => [row, each])), ...more,
});
const box = (x, y, more = {}) => ({ x, y, width: 10, height: 10, piece: null, ...more });
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
  test("near its line, not in the box around it; of two the nearer one, and nearer where the picture is magnified", () => {
    const line = (high) => [{ ...box(0, 0), height: 90, piece: "line", away: (x, y) => (x > 10 ? null : Math.abs(y - high)) }], view = viewOf([line(10), line(30)]);
    expect([view.hit(5, 14, 5), view.hit(5, 27, 5), view.hit(5, 20, 5), view.hit(12, 10, 5)]).toEqual([{ id: 0 }, { id: 10 }, null, null]);
    view.camera.at.k = 2;
    expect([view.hit(5, 12, 5), view.hit(5, 14, 5)]).toEqual([{ id: 0 }, null]);
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
  test("first to what stands at the top, where the first row is not drawn", () => {
    expect([viewOf([[], [box(0, 10)], [box(0, 0)]]).firstRow(), viewOf([[]]).firstRow()]).toEqual([2, 0]);
  });
});

test("a sum has a mark for each value that adds to it, and ends where its steps do", () => {
  const context = new Proxy({}, { get: () => () => {}, set: () => true }), marks = new Map(), painter = Object.assign(new Painter(texts), { theme: LIGHT, context, marks });
  const frame = { names: ["wing"], total: [1.5], adds: [2], step_term: [0], others: [0], n_others: [0] };
  const steps = stepsOfSum(frame, 0, { words: "begins", adds: -0.5 }, [4], (value) => ` × ${value}`);
  const { x, end } = painter.sum({ x: 5, y: 100, width: 300, row: 8 }, steps, { row: 3, names: 60, decided: "so", brief: "so" });
  expect(marks.get(3)).toEqual([{ step: steps[1], piece: "step 1", x: 5, y: 108, width: 300, height: 8 }]);
  expect([end, x(-0.5) < x(0), x(1.5) <= 305]).toEqual([124, true, true]);
});

test("what nobody knows is not said", () => {
  expect([yesNo(true, 1, 0), yesNo(false, 1)]).toEqual([["yes", "no"], ["–"]]);
});
