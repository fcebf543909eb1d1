/* The picture of a council: whom it names, and where its parts stand. */
import { expect, test } from "vitest";
import { themeOf } from "../../streamlab/views/kit/js/palette.js";
import { CouncilPainter } from "../../streamlab/views/pictures/council/js/painter.js";
import { stageLayout, whoMatters } from "../../streamlab/views/pictures/council/js/scene.js";
import { sharedAxis } from "../../streamlab/views/kit/js/rows_axis.js";

const NOTED = Float64Array.of(10, 20, 30, 40);
/** Three experts, at four notes. */
const VALUES = Float32Array.of(0.25, 0.5, 0.125, 0.25, 0.5, 0.125, 0.25, 0.25, 0.125, 0.25, 0.375, 0.25);
const frame = (drifts, now = 40) => ({ trust: VALUES.slice(9), noted: NOTED, values: VALUES, drifts, now });

test("after a drift those are named who are trusted most, gained most and lost most since", () => {
  const { ranked, mark, gains, second, gained, lost } = whoMatters(frame([{ row: 12, number: 1 }, { row: 25, number: 2 }]));
  expect([ranked, mark.number, second, gained, lost]).toEqual([[1, 0, 2], 2, -1, 2, 1]);
  expect([...gains]).toEqual([0, -0.125, 0.125]);
});

test("without a drift, or at its very row, the second is named, and nobody gained", () => {
  for (const drifts of [[], [{ row: 40, number: 1 }], [{ row: 5, number: 1 }]]) {
    expect(whoMatters(frame(drifts))).toEqual({ ranked: [1, 0, 2], gains: null, second: 0, gained: -1, lost: -1 });
  }
});

test("a change that two decimals do not show is nobody's", () => {
  const same = Float32Array.from(VALUES, (value, i) => (i > 8 ? VALUES[i - 3] + 0.004 : value));
  expect(whoMatters({ ...frame([{ row: 30, number: 1 }]), trust: same.slice(9), values: same })).toMatchObject({ gained: -1, lost: -1 });
});

const SIZES = { tall: 400, experts: 7, labels: 14, longestEnd: 140, longestName: 90, fills: false, isAlone: false };

test("on a phone the votes stand below the lines, over the whole width", () => {
  const { table, lines, total } = stageLayout({ ...SIZES, width: 380, tall: 440 });
  expect(table.y).toBeGreaterThan(lines.y + lines.height);
  expect(total).toBeGreaterThan(table.bottom);
  // seven experts and the council
  expect(table.bottom - table.y).toBe(8 * 26);
  expect(table.columns).toBe(5);
  expect(table.x + table.columns * table.cell).toBeLessThanOrEqual(380.01);
});

test("where there is room the votes stand beside the lines and their names, as high as they; on a projector there are lines alone", () => {
  const { table, lines, end, total } = stageLayout({ ...SIZES, width: 1090, fills: true });
  expect(total).toBe(400);
  expect(table.x).toBeGreaterThan(end);
  // the longest words have room at the lines' ends
  expect(end - lines.x - lines.width).toBeGreaterThanOrEqual(140);
  expect(table.x + table.columns * table.cell).toBeLessThanOrEqual(1090.01);
  expect(table.bottom).toBeCloseTo(400);
  expect(stageLayout({ ...SIZES, width: 1090, labels: 3 }).table.columns).toBe(3);
  expect(stageLayout({ ...SIZES, width: 750, tall: 160, isAlone: true }).table.columns).toBe(0);
});

test("lines take the curves' axis in a picture as wide as they are, and leave as much free at their right", () => {
  const natural = stageLayout({ ...SIZES, width: 1344 });
  const shared = sharedAxis([0, 2400, 34, natural.beside, 1344], 1344);
  const { lines } = stageLayout({ ...SIZES, width: 1344, shared });
  expect([lines.x, Math.round(lines.x + lines.width)]).toEqual([34, 1344 - natural.beside]);
  expect([sharedAxis([0, 2400], 1344), sharedAxis([0, 2400, 34, 90, 1000], 1344), sharedAxis([], 1344)]).toEqual([null, null, null]);
});

test("where an expert left there is a line with a cross and its name", () => {
  const said = [], context = new Proxy({}, { get: (_, name) => (name === "fillText" ? (words) => said.push(words) : () => {}), set: () => true });
  const painter = Object.assign(new CouncilPainter({ width: (words) => 6 * words.length, fit: (words) => words }), { theme: themeOf(false), context });
  const lines = { x: 34, y: 40, width: 500, height: 200 };
  Object.assign(painter, { places: { lines, shared: null }, frame: { noted: NOTED, drifts: [], left: [{ row: 30, name: "tree" }, { row: 5, name: "old" }] } });
  painter.drawMarks();
  expect(said).toEqual(["✕ tree left"]);
});
