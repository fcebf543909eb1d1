/* The picture of a tree: the whole of it within its height. */
import { expect, test } from "vitest";
import { TreePainter } from "../../streamlab/views/pictures/tree/js/painter.js";
import { LEAST_ROW_WITH_WAY, STEP_Y, TOP, wholeTree } from "../../streamlab/views/pictures/tree/js/scene.js";

test("the bars below the leaves of the last row are within the picture, or not drawn", () => {
  const frame = { id: [0, 1], x: [0, 1], y: [0, 4] };
  for (let height = 190; height < 420; height++) {
    const view = wholeTree(frame, 980, height), last = view[TOP] + 4 * view[STEP_Y];
    // below its middle a leaf has its half, its label and the bar
    expect(last + (view[STEP_Y] < LEAST_ROW_WITH_WAY ? 26 : 40), height).toBeLessThanOrEqual(height);
  }
});

test("where rows are near, tests have lower plates, and words below a leaf give way to what stands in the next row", () => {
  const painter = new TreePainter({ width: (text) => 7 * text.length });
  const plateAt = (stepY) => {
    painter.measure([60, stepY, 0, 0], { k: 1, x: 0, y: 0 }, false);
    return painter.plate;
  };
  expect([10, 14, 20, 25, 60].map(plateAt)).toEqual([0, 11, 17, 22, 22]);
  const node = (x, y, more) => ({ to: [1, x, y], isLeaf: true, caption: null, plate: 0, ...more });
  const captions = (stepY, x) => {
    plateAt(stepY);
    const leaf = node(1, 1, { caption: "l6" });
    painter.clearCaptions([leaf, node(x, 2, { isLeaf: false, plate: 40 })]);
    return leaf.caption;
  };
  // a plate just below, one further aside, and one a row of usual height below
  expect([captions(16, 1.2), captions(16, 2), captions(60, 1.2)]).toEqual([null, "l6", "l6"]);
});

test("a test that has little room is small rather than without its threshold; words below leaves are all said or none", () => {
  const painter = new TreePainter({ width: (text, font) => text.length * (font.includes("12px") ? 7 : 5), first: (texts, font, room) => texts.find((text) => painter.texts.width(text, font) <= room) ?? null });
  const words = { tests: () => [["f5 ≤ 0.455", "f5 ≤ .46"], ["f5"]], captions: (row, isSaid) => [...(isSaid ? ["label l7"] : []), "l7"] };
  const at = (stepX, around) => {
    const node = (x, isLeaf) => ({ at: [1, x, 1], to: [1, x, 1], isLeaf, row: x, before: null, after: null });
    const [leaf, branch, other] = [node(1, true), node(2, false), node(3, true)];
    Object.assign(leaf, { after: branch });
    Object.assign(branch, { before: leaf, after: other });
    Object.assign(other, { before: branch });
    painter.measure([stepX, 60, 0, 0], { k: 1, x: 0, y: 0 }, false);
    painter.findTexts([leaf, branch, other], words, around);
    return [branch.text, branch.font?.includes("12px"), leaf.caption, other.caption];
  };
  expect(at(90)).toEqual(["f5 ≤ 0.455", true, "label l7", "label l7"]);
  expect(at(44)).toEqual(["f5 ≤ .46", false, "label l7", "label l7"]);
  // with "label" they would meet a frame around the test
  expect(at(44, 4)).toEqual(["f5 ≤ .46", false, "l7", "l7"]);
  expect(at(28)).toEqual(["f5", true, "l7", "l7"]);
});
