/* The picture of a tree: the whole of it within its height. */
import { expect, test } from "vitest";
import { LEAST_ROW_WITH_WAY, STEP_Y, TOP, wholeTree } from "../../streamlab/views/pictures/tree/js/scene.js";

test("the bars below the leaves of the last row are within the picture, or not drawn", () => {
  const frame = { id: [0, 1], x: [0, 1], y: [0, 4] };
  for (let height = 190; height < 420; height++) {
    const view = wholeTree(frame, 980, height, false), last = view[TOP] + 4 * view[STEP_Y];
    // below its middle a leaf has its half, its label and the bar
    expect(last + (view[STEP_Y] < LEAST_ROW_WITH_WAY ? 26 : 40), height).toBeLessThanOrEqual(height);
  }
});
