/* The picture of a tree: the whole of it within its height. */
import { expect, test } from "vitest";
import { TreePainter } from "../../streamlab/views/pictures/tree/js/painter.js";
import { Words } from "../../streamlab/views/pictures/tree/js/words.js";
import { FILL, LEAST_ROW_WITH_WORDS, READY, SHARE, STEP_Y, Scene, TOP, wholeTree } from "../../streamlab/views/pictures/tree/js/scene.js";

test("the words below the leaves of the last row are within the picture", () => {
  const frame = { id: [0, 1], x: [0, 1], y: [0, 4] };
  for (let height = 190; height < 420; height++) {
    const view = wholeTree(frame, 980, height), last = view[TOP] + 4 * view[STEP_Y];
    // below its middle a leaf has its half, its label and another line
    expect(last + (view[STEP_Y] < LEAST_ROW_WITH_WORDS ? 26 : 50), height).toBeLessThanOrEqual(height);
  }
});

test("where rows are near, tests have lower plates, and words below a leaf give way to what stands in the next row", () => {
  const painter = new TreePainter({ width: (text) => 7 * text.length });
  const plateAt = (stepY) => {
    painter.measure([60, stepY, 0, 0], { k: 1, x: 0, y: 0 });
    return painter.plate;
  };
  expect([10, 14, 20, 25, 60].map(plateAt)).toEqual([0, 0, 17, 22, 26]);
  const node = (x, y, more) => ({ to: [1, x, y], isLeaf: true, caption: null, plate: 0, ...more });
  const captions = (stepY, x) => {
    plateAt(stepY);
    const leaf = node(1, 1, { caption: "l6" });
    painter.clearCaptions([leaf, node(x, 2, { isLeaf: false, plate: 40 })]);
    return leaf.caption;
  };
  // a plate just below, one further aside, and one a row of usual height below
  expect([captions(20, 1.2), captions(20, 2), captions(60, 1.2)]).toEqual([null, "l6", "l6"]);
});

test("tests are written whole, or by their feature; the leaves of a level have all a name, or none", () => {
  const painter = new TreePainter({ width: (text) => text.length * 7 });
  const words = { tests: (row) => [["loudness ≤ .45", "loudness"], ["bass ≤ .8", "bass"]][row], captions: (row) => [["tender"], ["sad"]][row - 2] };
  const at = (stepX) => {
    const nodes = [0, 1, 2, 3].map((row) => ({ at: [1, row, 1], to: [1, row, 1], isLeaf: row > 1, row }));
    nodes.forEach((node, i) => Object.assign(node, { before: nodes[i - 1] ?? null, after: nodes[i + 1] ?? null }));
    painter.measure([stepX, 60, 0, 0], { k: 1, x: 0, y: 0 });
    painter.findTexts(nodes, words);
    return nodes.map(({ text, caption }) => text ?? caption);
  };
  expect(at(130)).toEqual(["loudness ≤ .45", "bass ≤ .8", "tender", "sad"]);
  expect(at(90)).toEqual(["loudness", "bass ≤ .8", "tender", "sad"]);
  // what has no room says nothing, and the others of its level are as they were
  expect(at(50)).toEqual([null, "bass", "tender", "sad"]);
  expect(at(40)).toEqual([null, null, null, null]);
  painter.room = ({ row }) => (row === 2 ? 0 : 60);
  expect(at(90).slice(2)).toEqual([null, null]);
  painter.lies = true;
  expect(at(90).slice(2)).toEqual([null, "sad"]);
});

test("two leaves of one test that say the same say it once, between them; not those of two tests, nor one with a bar", () => {
  const painter = new TreePainter({ width: (text) => 7 * text.length });
  painter.measure([60, 60, 0, 0], { k: 1, x: 0, y: 0 });
  const captions = (parents, mixes = 0) => {
    const nodes = parents.map((above, x) => ({ at: [1, x, 1], to: [1, x, 1], isLeaf: true, above, caption: "calm", mixes: x === mixes - 1, part: 1 }));
    nodes.forEach((node, i) => (node.after = nodes[i + 1] ?? null));
    painter.shareCaptions(nodes);
    return nodes.filter(({ caption }) => caption).map((node) => painter.captionAt(node)[0]);
  };
  const [one, other] = [{}, {}];
  expect([captions([one, one, other]), captions([one, other]), captions([one, one], 2)]).toEqual([[30, 120], [0, 60], [0, 60]]);
});

test("the leaf that splits next has a ring, and leaves that err much have a dot", () => {
  const scene = new Scene(), zeros = [0, 0, 0];
  scene.take({
    id: [4, 5, 6], parent: [-1, 0, 0], rival: [-1, -1, -1], is_leaf: [0, 1, 1], background: zeros, active: zeros, folded: zeros, x: zeros, y: zeros,
    error: [0.5, 0.14, 0.3], weight: zeros, readiness: [NaN, 0.9, 0.4], wait: { leaf: 5, next: "20 rows" },
  }, 0);
  expect(scene.placed.map(({ to }) => to[READY])).toEqual([0, 0.9, 0]);
  expect(scene.placed.slice(1).map(({ to }) => to[FILL])).toEqual([0, 0.3]);
});

test("a tree that lies on its side has its levels to the right, all in view, and its words beside the leaves", () => {
  const frame = { id: [0, 1, 2, 3], x: [0, -6, 6, 9], y: [0, 1, 1, 5] };
  const painter = new TreePainter({ width: (text) => 6 * text.length });
  painter.lies = true;
  painter.measure(wholeTree(frame, 340, 576, true), { k: 1, x: 0, y: 0 });
  const nodes = frame.id.map((_, i) => ({ at: [1, frame.x[i], frame.y[i]], to: [1, frame.x[i], frame.y[i]], isLeaf: i > 0, plate: 0, caption: "l7" }));
  Object.assign(painter, { nodes, width: 340 });
  const [root, first, second, deepest] = nodes.map((node) => [painter.x(node), painter.y(node)]);
  expect(root[0] < first[0] && first[0] === second[0] && second[0] < deepest[0]).toBe(true);
  expect(first[1] < root[1] && root[1] < second[1] && second[1] < deepest[1]).toBe(true);
  for (const node of nodes.slice(1)) {
    const [left, top, right, bottom] = painter.reach(node);
    expect(left > 0 && top > 0 && right < 340 && bottom < 576).toBe(true);
    expect(painter.captionAt(node)).toEqual([right - 6, painter.y(node)]);
  }
  // up to what stands beside it at the same height
  expect(painter.roomAside(nodes[2])).toBeGreaterThan(100);
  nodes[3].to[1] = 6;
  expect(painter.roomAside(nodes[2])).toBeLessThan(painter.roomAside(nodes[1]));
});

test("the parts that the nodes of a way have in an answer are all of it; an alternate has none", () => {
  const scene = new Scene(), zeros = Array(6).fill(0);
  const frame = {
    id: [0, 1, 2, 3, 4, 5], parent: [-1, 0, 0, 1, 1, -1], rival: [-1, -1, -1, -1, -1, 2], is_leaf: [0, 0, 1, 1, 1, 1], background: [0, 0, 0, 0, 0, 1],
    share_first: [0.25, NaN, 0.5, 0.5, 0.5, 0.5], active: zeros, regime: zeros, folded: zeros, x: zeros, y: zeros, error: zeros, weight: zeros,
  };
  scene.take(frame, 0);
  expect(scene.placed.map(({ to }) => to[SHARE])).toEqual([0.25, 0, 0.75, 0.75, 0.75, 0]);
  expect(scene.placed.map(({ mixes }) => mixes)).toEqual([true, false, true, true, true, false]);
});

test("a tree says how many leaves it has where all are drawn, without those of an alternate", () => {
  const words = new Words(), told = (more) => {
    words.take({ is_leaf: [0, 1, 0, 1, 1, 1], background: [0, 0, 0, 0, 0, 1], n_nodes: 5, ...more });
    return words.leaves();
  };
  expect([told({}), told({ n_nodes: 7 }), told({ is_leaf: [1], background: [0], n_nodes: 1 })]).toEqual(["3 leaves", "", ""]);
});

test("a part of an answer has a bar where it is one, of a row that is seen on its way alone", () => {
  const painter = new TreePainter({}), [some, other, little] = [0.5, 0.25, 0.04].map((part) => ({ part, mixes: true }));
  const barsOf = (...way) => [some, other, little, { part: 1 }].map((node) => Object.assign(painter, { way: new Set(way) }).hasBar(node));
  expect(barsOf()).toEqual([true, true, false, false]);
  expect(barsOf(some, little)).toEqual([true, false, false, false]);
});
