/* The picture of a council: whom it names, and where its parts stand. */
import { expect, test } from "vitest";
import { render, roomAtEnd, whoMatters } from "../../streamlab/views/pictures/council/js/view.js";
import { sharedAxis } from "../../streamlab/views/kit/js/rows_axis.js";
import { drawn } from "./drawn.js";

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

/** So many experts and labels, noted at four rows. */
const shown = (width, more = {}, given = {}) => {
  const experts = 7, labels = given.labels ?? 14, some = (n, value = 0) => Array(n).fill(value);
  const names = Array.from({ length: experts }, (_, i) => `expert ${i}`);
  return drawn(render, {
    id: names.map((_, i) => i), names, plain: names, trust: names.map((_, i) => i / 10), before: some(7, NaN), lately: some(7, NaN), noted: NOTED, values: Float32Array.from(Array(4 * experts), (_, i) => (i % experts) / 10),
    drifts: [], left: [], now: 40, said: true, threshold: null, has_learned: true, label: [...Array(labels).keys()], answered: some(labels, 1), carried: some(labels, 1), probability: some(labels, 0.5),
    spread: some(labels), own: some(labels * experts), score: some(labels * experts, 0.5), adds: some(labels * experts), ...given,
  }, { width, ...more });
};
const lineOf = (view) => view.marksOf(6).find(({ away }) => away);
const boxOf = ({ view }, row, piece) => view.marksOf(row).filter((mark) => mark.piece === piece).at(-1);

test("on a phone the votes stand below the lines, over the whole width", () => {
  const picture = shown(380), line = lineOf(picture.view), votes = boxOf(picture, 6, null), last = boxOf(picture, 4, null);
  expect(votes.y).toBeGreaterThan(line.y + line.height);
  // a line for each of the three that it trusts most, or of those that gained and lost, so that both fit a screen
  expect([last.y - votes.y, picture.total > last.y + last.height]).toEqual([2 * 26, true]);
  const moved = shown(380, {}, { drifts: [{ row: 25, number: 1 }], values: Float32Array.from(Array(28), (_, i) => (i % 7 === 3 && i < 21 ? 0.9 : (i % 7) / 10)) });
  expect([moved.view.voters, moved.total]).toEqual([[3], picture.total - 2 * 26]);
  const { length } = picture.view.pieces(), cell = boxOf(picture, 6, picture.view.pieces().at(-1));
  expect([length, cell.x + cell.width <= 380.01]).toEqual([5, true]);
});

test("where there is room the votes stand beside the lines and their names, as high as they; on a projector there are lines alone", () => {
  const picture = shown(1090), [name] = picture.view.marksOf(6), votes = boxOf(picture, 6, null), last = boxOf(picture, 0, null);
  expect([picture.total, Math.round(last.y + last.height)]).toEqual([440, 440]);
  expect(votes.x).toBeGreaterThan(name.x + name.width);
  expect(shown(1090, {}, { labels: 3 }).view.pieces().length).toBe(3);
  expect(shown(750, { canFind: false }).view.pieces().length).toBe(0);
});

test("lines take the curves' axis in a picture as wide as they are, and leave as much free at their right", () => {
  const told = [], { view } = shown(1344, { onChange: (...what) => told.push(what) }), line = lineOf(view);
  const free = told.find(([name]) => name === "beside")[1];
  expect([line.x, Math.round(line.x + line.width)]).toEqual([34, 1344 - free]);
  const { view: other } = shown(1344, { axis: [0, 2400, 50, free, 1344] });
  const same = lineOf(other);
  expect([same.x, same.x + same.width]).toEqual([50, 1344 - free]);
  // the pointer means a line near it, and the tooltip stands at its name
  const [name] = view.marksOf(6);
  expect([view.hit(line.x + 50, name.y + 9, 5), view.box(6)]).toEqual([{ id: 6 }, name]);
  expect([sharedAxis([0, 2400], 1344), sharedAxis([0, 2400, 34, 90, 1000], 1344), sharedAxis([], 1344)]).toEqual([null, null, null]);
});

test("rows to come leave names their room: the axis gives way in steps as the run nears its end", () => {
  const rooms = [0, 500, 760, 900, 1000].map((now) => roomAtEnd([0, 1000], now, 900, 200) || 0);
  expect(rooms).toEqual([0, 0, 0, 128, 200]);
  expect(roomAtEnd([], 500, 900, 200)).toBe(200);
  // at no row do names reach beyond the width
  for (let now = 0; now <= 1000; now += 10) expect((900 - roomAtEnd([0, 1000], now, 900, 200)) * now / 1000 + 200).toBeLessThanOrEqual(900.01);
});

test("an expert that moved says its F1 now and before the change, and the council from where on it answers", () => {
  const trust = [0.1, 0, 0.2, 0.3, 0.4, 0.5, 0.6], given = { drifts: [{ row: 20, number: 1 }], trust, before: Array(7).fill(0.64), lately: Array(7).fill(0.644) };
  given.lately[1] = 0.4;
  const words = shown(1300, {}, { ...given, threshold: 0.3 }).said.map(([text]) => text);
  expect(words).toEqual(expect.arrayContaining(["expert 0: F1 .64, as before ①", "expert 1: F1 .40, before ① .64", "answers from .30"]));
});

test("where an expert left there is a line with a cross and its name", () => {
  const said = shown(1300, {}, { left: [{ row: 30, name: "tree" }, { row: 5, name: "old" }] }).said.map(([words]) => words);
  expect(said.filter((words) => words.includes("left"))).toEqual(["✕ tree left"]);
});
