/* The picture of a council: whom it names, where its parts stand, and which column is whose. */
import { expect, test } from "vitest";
import { columnOf, stageLayout, whoMatters } from "../../streamlab/views/pictures/council/js/scene.js";

const NOTED = Float64Array.of(10, 20, 30, 40);
/** The labels' shares and three experts, at four notes. */
const VALUES = Float32Array.of(0, 0.25, 0.5, 0.125, 0, 0.25, 0.5, 0.125, 0.5, 0.25, 0.25, 0.125, 0.75, 0.25, 0.375, 0.25);
const frame = (drifts, now = 40) => ({ trust: VALUES.slice(12), noted: NOTED, values: VALUES, drifts, now });

test("after a drift those are named who are trusted most, gained most and lost most since, of the experts alone", () => {
  const { ranked, mark, gains, second, gained, lost } = whoMatters(frame([{ row: 12, number: 1 }, { row: 25, number: 2 }]));
  expect([ranked, mark.number, second, gained, lost]).toEqual([[2, 1, 3], 2, -1, 3, 2]);
  expect([...gains]).toEqual([0.75, 0, -0.125, 0.125]);
});

test("without a drift, or at its very row, the second is named, and nobody gained", () => {
  for (const drifts of [[], [{ row: 40, number: 1 }], [{ row: 5, number: 1 }]]) {
    expect(whoMatters(frame(drifts))).toEqual({ ranked: [2, 1, 3], gains: null, second: 1, gained: -1, lost: -1 });
  }
});

test("a change that two decimals do not show is nobody's", () => {
  const same = Float32Array.from(VALUES, (value, i) => (i > 11 ? VALUES[i - 4] + 0.004 : value));
  expect(whoMatters({ ...frame([{ row: 30, number: 1 }]), trust: same.slice(12), values: same })).toMatchObject({ gained: -1, lost: -1 });
});

const SIZES = { tall: 400, experts: 7, labels: 14, longestEnd: 90, longestLabel: 50, fills: false, hasChange: true, hasSaid: true, isAlone: false };

test("on a phone matrices stand below each other over its whole width, and rows are no lower than their names", () => {
  const { heat, said, rows, row, lines, list, total } = stageLayout({ ...SIZES, width: 380, tall: 440 });
  expect(said.y).toBeGreaterThan(list(7).y);
  expect(heat.y).toBeGreaterThan(said.y + rows * row);
  expect(total).toBeGreaterThan(heat.y + rows * row);
  expect([rows, heat.x]).toEqual([14, said.x]);
  expect(row).toBeGreaterThanOrEqual(12);
  expect(Math.max(said.right, heat.x + heat.cell * heat.count)).toBeLessThanOrEqual(380.01);
  expect(lines.width).toBeGreaterThan(300);
  expect([0, 3, 4, 7].map((k) => list(k).isFirst)).toEqual([true, false, true, false]);
  // with nothing said of a row the trust by label stands in its place
  expect(stageLayout({ ...SIZES, width: 380, tall: 440, hasSaid: false }).heat.y).toBe(said.y);
});

test("where there is room they stand beside each other and beside the lines", () => {
  const { heat, said, lines, ends, total } = stageLayout({ ...SIZES, width: 1090, fills: true });
  expect([heat.y, total]).toEqual([said.y, 400]);
  expect(heat.x).toBeGreaterThan(lines.x + lines.width + ends);
  expect(said.x).toBeGreaterThan(heat.x + heat.cell * heat.count);
  expect(said.right).toBeLessThanOrEqual(1090.01);
});

test("the labels' shares are the last column of eight", () => {
  expect([0, 1, 7].map((row) => columnOf(row, 8))).toEqual([7, 0, 6]);
});
