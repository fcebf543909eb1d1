/* The picture of what matters: where its lines stand at each width, and the stretches of one feature. */
import { expect, test } from "vitest";
import { placeOf, stageLayout, stretches } from "../../streamlab/views/pictures/importance/js/scene.js";

test("a phone has the first five features, a wide picture as many as there is room for", () => {
  expect(stageLayout(380, 12, 440, 60, 30, 60)).toMatchObject({ lines: 5, line: 34 });
  expect(stageLayout(800, 12, 440, 60, 30, 60)).toMatchObject({ lines: 12, line: 33 });
  expect(stageLayout(800, 30, 300, 60, 30, 60)).toMatchObject({ lines: 16, line: 16 });
  const narrow = stageLayout(280, 3, 300, 400, 30, 60);
  expect(narrow.right - narrow.left).toBeGreaterThanOrEqual(40);
});

test("a row of the stream stands where the curve has it", () => {
  expect(placeOf({ left: 100, right: 300 }, [1000, 2000], 1500)).toBe(200);
});

test("a value holds until the next one, equal ones are one stretch, and nothing is drawn ahead of the run or outside the rows seen", () => {
  const at = [100, 200, 300, 400], cells = [0.5, 0.5, 0, 255 / 200];
  expect(stretches(at, cells, 0, 450, [0, 2500])).toEqual([
    { from: 0, to: 100, share: null }, { from: 100, to: 300, share: 0.5 }, { from: 300, to: 400, share: 0 }, { from: 400, to: 450, share: null },
  ]);
  expect(stretches(at, cells, 0, 450, [250, 350])).toEqual([{ from: 250, to: 300, share: 0.5 }, { from: 300, to: 350, share: 0 }]);
  expect(stretches([], [], 0, 50, [0, 100])).toEqual([{ from: 0, to: 50, share: null }]);
});
