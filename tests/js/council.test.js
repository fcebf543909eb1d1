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

const SIZES = { tall: 400, experts: 7, labels: 14, longestEnd: 90, longestWords: 130, longestLabel: 50, fills: false, hasChange: true, ofRow: true, isAlone: false };

test("on a phone the table stands below the names over its whole width, and rows are no lower than their names", () => {
  for (const ofRow of [true, false]) {
    const { table, council, rows, row, lines, list, total, right } = stageLayout({ ...SIZES, width: 380, tall: 440, ofRow });
    expect(table.y).toBeGreaterThan(list(7).y);
    expect(total).toBeGreaterThan(table.y + rows * row);
    // of a row only some labels are told; what the council says of them comes before its experts
    expect([rows, table.count]).toEqual(ofRow ? [12, 7] : [14, 8]);
    expect(table.x - council.x).toBeCloseTo(ofRow ? council.width + council.outcome : 0);
    expect(row).toBeGreaterThanOrEqual(12);
    expect(right).toBeLessThanOrEqual(380.01);
    expect(lines.width).toBeGreaterThan(300);
    expect([0, 1, 7].map((k) => list(k).isFirst)).toEqual([true, false, false]);
  }
});

test("where there is room the table stands beside the lines and their names", () => {
  const { table, council, lines, ends, total, right } = stageLayout({ ...SIZES, width: 1090, fills: true });
  expect(total).toBe(400);
  expect(council.x).toBeGreaterThan(lines.x + lines.width + ends);
  expect(table.x).toBeGreaterThan(council.x + council.width);
  expect(right).toBeLessThanOrEqual(1090.01);
});

test("before a class names stand with what the experts are, or, where nothing is said of them, with numbers", () => {
  const alone = { ...SIZES, width: 750, tall: 160, isAlone: true };
  expect(stageLayout(alone)).toMatchObject({ isTold: true, change: 0, rows: 0, ends: 90 + 28 + 130 });
  expect(stageLayout({ ...alone, longestWords: 0 })).toMatchObject({ isTold: false, change: 48 });
});

test("the labels' shares are the last column of eight", () => {
  expect([0, 1, 7].map((row) => columnOf(row, 8))).toEqual([7, 0, 6]);
});
