/* What the views of the pictures answer without a page: where keys lead, what is folded, the rows of their tables. */
import { describe, expect, test, vi } from "vitest";
import { Playhead } from "../../streamlab/views/hosting/js/replay/playhead.js";
import { render as forest } from "../../streamlab/views/pictures/forest/js/view.js";
import { render as hierarchy } from "../../streamlab/views/pictures/hierarchy/js/view.js";
import { render as projection } from "../../streamlab/views/pictures/projection/js/view.js";
import { render as tree } from "../../streamlab/views/pictures/tree/js/view.js";
import { Words } from "../../streamlab/views/pictures/tree/js/words.js";

/** A view that has a frame, and nothing on a page. */
const viewOf = ({ View }, frame, more = {}) => (
  Object.assign(Object.create(View.prototype), { frame, labels: [], about: { key: "id", ...View.about }, ...more }));

/** Where keys lead from a row, one after the other; at an edge the cursor stays. */
function walk(view, from, keys) {
  let row = from;
  return keys.map((key) => {
    const to = view.moves(row)[key]();
    row = to < 0 ? row : to;
    return row;
  });
}

// root 0 with 1 (leaves 3 and 4) and 2 (leaves 5 and 6); alternate 7 beside 2, with the leaves 8 and 9
const TREE = {
  id: [0, 1, 3, 4, 2, 5, 6, 7, 8, 9], parent: [-1, 0, 1, 1, 0, 4, 4, -1, 7, 7], rival: [-1, -1, -1, -1, -1, -1, -1, 4, -1, -1],
  x: [2, 1, 0.5, 1.5, 3, 2.5, 3.5, 5, 4.5, 5.5], y: [0, 1, 2, 2, 1, 2, 2, 1, 2, 2], collapsed: Array(10).fill(0),
};
const NAMES = ["strings", "violin", "cello", "winds", "reeds", "oboe", "clarinet", "flute"];
const on = (...rows) => NAMES.map((_, row) => (rows.includes(row) ? 1 : 0));
const CLASSES = {
  id: NAMES.map((_, row) => row), parent: [-1, 0, 0, -1, 3, 4, 4, 3], depth: [0, 1, 1, 0, 1, 2, 2, 1], collapsed: on(),
  hf: [0.8, 0, 1, 0.7, 0.6, 0.5, 0.4, NaN], hp: NAMES.map(() => 0.9), hr: NAMES.map(() => 0.5), weight: [50, 20, 30, 150, 90, 40, 50, 60],
  arrivals: [500, 200, 300, 1500, 900, 400, 500, 600],
};

describe("keys lead", () => {
  test("in a tree to the parent, to the first child and along the row, from an alternate to its rival", () => {
    const keys = ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowLeft", "Home"];
    expect(walk(viewOf(tree, TREE), 0, keys).map((row) => TREE.id[row])).toEqual([1, 2, 7, 7, 8, 7, 2, 0, 0, 1, 3, 3, 0]);
  });

  test("in a hierarchy through the classes, to the parent and to the first child", () => {
    const keys = ["ArrowDown", "ArrowLeft", "ArrowLeft", "End", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "Home"];
    expect(walk(viewOf(hierarchy, CLASSES), 0, keys).map((row) => NAMES[row])).toEqual(
      ["violin", "strings", "strings", "flute", "flute", "winds", "reeds", "oboe", "oboe", "reeds", "strings"]);
  });

  test("in a forest between the cells of a tree, and from tree to tree", () => {
    const cells = { id: [0, 1, 2, 3, 4], tree: [0, 0, 0, 0, 2], depth: [0, 1, 1, 2, 0], x0: [0, 0, 0.5, 0, 0], x1: [1, 0.5, 1, 0.2, 1] };
    const keys = ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageDown", "PageUp", "Home"];
    expect(walk(viewOf(forest, cells), 0, keys)).toEqual([1, 2, 2, 1, 3, 1, 4, 4, 0, 0]);
  });

  test("in a projection to older and newer instances, and to the newest", () => {
    const keys = ["ArrowLeft", "Home", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
    expect(walk(viewOf(projection, { row: [3, 5, 8, 9] }), 0, keys)).toEqual([0, 3, 3, 2, 1, 2]);
  });
});

test("what is below a node is folded by a key or two clicks, and a leaf says that there is nothing", () => {
  const told = [], view = viewOf(tree, TREE, { onMessage: (message) => told.push(message), say: (words) => told.push(words), moveCursor() {}, choose() {} });
  view.acts(1).c();
  view.acts(2).C();
  expect(view.clicked({ id: 2 }, { detail: 2 })).toBe(true);
  expect(view.clicked({ id: 2 }, { detail: 1 })).toBe(false);
  // a click on "+2" is all that it is
  expect(view.clicked({ id: 1, onBadge: true }, { detail: 1 })).toBe(true);
  view.frame = { ...TREE, collapsed: TREE.id.map((id) => Number(id === 3)) };
  view.acts(2).c();
  expect(told).toEqual([
    { kind: "collapse", id: 1 }, "Nothing to fold here.", { kind: "collapse", id: 2 }, { kind: "collapse", id: 1 }, { kind: "collapse", id: 3 },
  ]);
});

describe("a table says the same", () => {
  test("of a tree, each node before all below it", () => {
    const words = Object.assign(new Words(), { labels: ["Beach"], features: ["f3"] });
    const frame = {
      id: [0, 1], parent: [-1, 0], is_leaf: [0, 1], depth: [0, 1], weight: [1000, 400], error: [NaN, 0.25], top: [-1, 0], regime: [0, 2], active: [1, 0],
      background: [0, 1], feature: [0, -1], is_nominal: [0, 0], threshold: [0.52, 0], folded: [0, 0], share_first: [NaN, 0.5], loss_first: [0, 0.413], loss_second: [0, 0.478],
    };
    words.take(frame);
    const rows = viewOf(tree, frame, { words }).tableRows();
    expect(rows.map(({ id, name, label }) => [id, name, label])).toEqual([[0, "0", "Select node 0"], [1, "1", "Select node 1"]]);
    expect(rows[0].cells).toEqual(["f3 ≤ 0.52", "0", "1,000", "–", "–", "–", "0", "keeps no regressions: passes on what is below", "–"]);
    expect(rows[1].cells.slice(-4)).toEqual(["nearest neighbours (switched off)", "0", "mixes neighbours 50 %, regressions 50 %", "0.41, 0.48"]);
    expect(words.mixture(0).losses).toBeNull();
  });

  test("of a hierarchy, with what became of the latest row", () => {
    const lit = { true: new Set([3, 4, 5]), predicted: [new Set([3, 4]), new Set([5])] };
    const rows = viewOf(hierarchy, CLASSES, { lit, name: (row) => NAMES[row] }).tableRows();
    expect(rows[5]).toEqual({ id: 5, name: "oboe", indent: 20, cells: ["3", "40", "400", "0.50", "0.90", "0.50", "true, not predicted"] });
    expect(rows[7].cells[3]).toBe("–");
    const two = { ...CLASSES, learners: [{ name: "a" }, { name: "b" }], other_hf: CLASSES.hr, other_hp: CLASSES.hr, other_hr: CLASSES.hf };
    expect(viewOf(hierarchy, two, { lit, name: (row) => NAMES[row] }).tableRows()[5].cells.slice(7)).toEqual(["0.50", "0.50", "0.50", "true and predicted"]);
  });

  test("of a projection", () => {
    const frame = { n_labels: 3, row: [5, 6], bits: [1, 5], target: null, rows: [80, 160, 1], mean_x: [-1, NaN, 0], mean_y: [0, NaN, 1] };
    const rows = viewOf(projection, frame, { labels: ["Beach", "Sunset", "Field"] }).tableRows();
    expect([rows[0].name, ...rows[0].cells]).toEqual(["Beach", "80", "−1.00, 0.00"]);
    expect(rows[1].cells[1]).toBe("–");
  });
});

test("a replay opens at a speed at which it takes about 45 seconds, and stays within its rows", () => {
  const heard = vi.fn(), playhead = new Playhead(1117, heard);
  expect([playhead.position, playhead.rate]).toEqual([1117, 25]);
  const at = (rows) => rows.map((row) => {
    playhead.jump(row);
    return playhead.position;
  });
  expect(at([-3, 500, 2000])).toEqual([0, 500, 1117]);
  expect(heard).toHaveBeenCalledTimes(3);
});
