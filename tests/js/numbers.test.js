/* What the pages reckon with: texts of numbers, places in rows, ticks, windows, pairs and buffers. */
import { describe, expect, test } from "vitest";
import { digitsOf, lastUpTo, roundStep, ticksOf } from "../../streamlab/views/kit/js/numbers.js";
import { cut, formatCount, formatNumber, formatPercent, formatSigned, numbered, plural } from "../../streamlab/views/kit/js/format.js";
import { unpack } from "../../streamlab/views/kit/js/panel.js";
import { jaccard, labelsOf, pairOf, partnerOf } from "../../streamlab/views/pictures/labels/js/view.js";
import { stageLayout } from "../../streamlab/views/pictures/forest/js/scene.js";
import { seenBy } from "../../streamlab/views/pictures/hierarchy/js/layout.js";
import { arranged } from "../../streamlab/views/timeline/js/chart.js";
import { ownFrom, startOf, visiblePlaces } from "../../streamlab/views/timeline/js/points.js";
import { actsAt } from "../../streamlab/views/timeline/js/row_menu.js";
import { Seen } from "../../streamlab/views/timeline/js/seen.js";

describe("numbers as texts", () => {
  test("counts, and numbers of three digits", () => {
    expect(formatCount(1234567)).toBe("1,234,567");
    expect([99.949, 1234.5, 0.012345].map(formatNumber)).toEqual(["99.9", "1,235", "0.0123"]);
    expect([formatCount(-1200), ...[-0.5, -1234.5].map(formatNumber)]).toEqual(["−1,200", "−0.5", "−1,235"]);
  });
  test("signs, and what is not a number", () => {
    expect([-0.246, -0.001, 2, Infinity, NaN, -Infinity].map(formatSigned)).toEqual(["−0.25", "0.00", "2.00", "∞", "–", "–"]);
  });
  test("shares", () => {
    expect([0, 0.0001, 0.123, 0.9994, 0.9996].map(formatPercent)).toEqual(["0.0 %", "< 0.1 %", "12.3 %", "99.9 %", "100 %"]);
  });
  test("drifts, plurals, and names that are cut", () => {
    expect([1, 20, 21].map(numbered)).toEqual(["①", "⑳", "(21)"]);
    expect([plural(1, "row"), plural(1200, "row")]).toEqual(["1 row", "1,200 rows"]);
    expect([cut("wind speed", 10), cut("wind speed", 6)]).toEqual(["wind speed", "wind…"]);
  });
});

test("where a fork's curve begins, and from where on it is its own", () => {
  const positions = [100, 200, 300, 400];
  expect([startOf(positions, 250), startOf(positions, 200), startOf(positions, 50)]).toEqual([1, 1, 0]);
  expect([ownFrom(positions, undefined, "chunk"), ownFrom(positions, 250, "chunk"), ownFrom(positions, 200, "chunk")]).toEqual([0, 400, 300]);
  expect([ownFrom(positions, 350, "chunk"), ownFrom(positions, 250, "faded"), ownFrom(positions, 250, "cumulative")]).toEqual([Infinity, 389, 500]);
});

test("names do not lie on each other, whatever their number and the height", () => {
  for (const height of [60, 115, 230]) {
    for (const places of [[30], [30, 30, 31], [10, 20, 20, 20, 58], Array.from({ length: 14 }, (_, i) => (i * 37) % height)]) {
      const { apart, column, columns } = arranged(places, height);
      for (let c = 0; c < columns; c++) {
        const own = apart.filter((_, i) => column[i] === c).sort((a, b) => a - b);
        expect(Math.min(...own)).toBeGreaterThanOrEqual(7);
        expect(Math.max(...own)).toBeLessThanOrEqual(height - 3);
        for (let k = 1; k < own.length; k++) expect(own[k] - own[k - 1]).toBeGreaterThanOrEqual(14 - 1e-9);
      }
    }
  }
});

test("what can be done at a row", () => {
  const run = { position: 300, end: 500, rows: 1000, fork: "a copy", drift: "rotation" };
  const names = (row, more = {}) => actsAt(row, { ...run, ...more }).map(([name]) => name);
  expect([names(200), names(300), names(700)]).toEqual([["seek", "fork", "drift", "reports"], ["fork", "drift", "reports"], ["drift", "reports"]]);
  expect([names(1000), names(1000, { rows: null }), names(200, { fork: "", drift: "" })]).toEqual([["reports"], ["drift", "reports"], ["seek", "reports"]]);
});

test("the last of ascending numbers up to a value", () => {
  expect([0, 1, 4, 5, 99].map((value) => lastUpTo([1, 3, 5, 5], value))).toEqual([-1, 0, 1, 3, 3]);
  expect(lastUpTo([], 1)).toBe(-1);
});

describe("axes", () => {
  test("steps are round and not too small", () => {
    expect([0.07, 1, 1.1, 3, 7, 45].map(roundStep)).toEqual([0.1, 1, 2, 5, 10, 50]);
  });
  test("ticks stay within and have digits that tell them apart", () => {
    expect(ticksOf(0, 1, 5).map((tick) => Number(tick.toFixed(6)))).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksOf(3, 17, 3)).toEqual([5, 10, 15]);
    expect(ticksOf(0, 2, 100, 1).map((tick) => tick + 0)).toEqual([0, 1, 2]);
    expect(ticksOf(4, 4, 5)).toEqual([4]);
    expect([[0, 0.2], [0, 0.05], [0, 10], [0]].map(digitsOf)).toEqual([1, 2, 1, 1]);
  });
});

describe("the points of a curve that are drawn", () => {
  test("few points: those within, and one on either side", () => {
    expect(visiblePlaces([0, 10, 20, 30, 40], [1, 2, 3, 4, 5], [15, 25], 100)).toEqual([1, 2, 3]);
  });
  test("many points: each pixel keeps its first, lowest, highest and last", () => {
    const positions = Array.from({ length: 1000 }, (_, i) => i), values = positions.map((i) => (i === 333 ? 9 : i === 777 ? -9 : 0));
    const places = visiblePlaces(positions, values, [0, 999], 10);
    expect(places.length).toBeLessThan(50);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const place of [0, 333, 777, 999]) expect(places).toContain(place);
  });
  test("no width: it ends", () => {
    expect(visiblePlaces([0, 1, 2], [1, 2, 3], [0, 2], NaN)).toEqual([0, 1, 2]);
    expect(visiblePlaces([0, 0, 0], [1, 2, 3], [0, 0], 0)).toEqual([2]);
  });
});

describe("the rows that the curves show", () => {
  const run = (end, rows = null, speed = 10) => {
    const seen = new Seen();
    seen.follow({ end, rows, speed });
    return seen;
  };
  test("a short run is seen whole, a long one by its latest rows", () => {
    expect(run(100).axis).toEqual([0, 2500]);
    expect(run(100, 800).axis).toEqual([0, 800]);
    const [from, to] = run(50_000).axis;
    expect(to - from).toBe(2500);
    expect(to).toBeGreaterThanOrEqual(50_000);
  });
  test("a fast run is seen in a wider window", () => {
    const [from, to] = run(1_000_000, null, 5000).axis;
    expect(to - from).toBe(80_000);
  });
  test("what people set stays, within the rows, until they let go", () => {
    const seen = run(1000, 1000);
    seen.show(300, 200);
    expect(seen.axis).toEqual([200, 300]);
    seen.zoom(2, 250);
    expect(seen.axis).toEqual([225, 275]);
    seen.zoom(100, 250);
    expect(seen.axis).toEqual([240, 260]);
    seen.pan(-1000);
    expect(seen.axis).toEqual([0, 20]);
    seen.pan(5000);
    expect(seen.axis).toEqual([980, 1000]);
    seen.all();
    expect([seen.axis, seen.follows]).toEqual([[0, 1000], false]);
    seen.release();
    expect(seen.follows).toBe(true);
  });
});

describe("pairs of labels", () => {
  test("numbers and labels go over into each other", () => {
    for (let pair = 0; pair < 200; pair++) expect(pairOf(...labelsOf(pair))).toBe(pair);
    expect([pairOf(0, 1), pairOf(1, 0), pairOf(3, 0)]).toEqual([0, 0, 3]);
  });
  test("how much two labels have in common", () => {
    const frame = { recent: [0.5, 0.25, 0], together: [0.25, 0, 0] };
    expect(jaccard(frame, 0, 1)).toBe(0.5);
    expect(jaccard({ recent: [0, 0], together: [0] }, 0, 1)).toBe(0);
    expect([0, 1, 2].map((label) => partnerOf(frame, label))).toEqual([1, 0, -1]);
  });
});

test("columns come out of one buffer: numbers, shares and flags", () => {
  const buffer = new ArrayBuffer(8 + 4 + 2);
  new Float64Array(buffer, 0, 1).set([1.5]);
  new Uint16Array(buffer, 8, 2).set([0, 65535]);
  new Uint8Array(buffer, 12, 2).set([1, 2]);
  const found = unpack([["x", "f8", 1, 1], ["share", "u2", 2, 65535], ["flags", "u1", 2, ["lit", "leaf"]]], buffer);
  expect(Object.fromEntries(Object.entries(found).map(([name, values]) => [name, [...values]]))).toEqual({
    x: [1.5], share: [0, 1], lit: [1, 0], leaf: [0, 1],
  });
});

describe("a hierarchy seen nearer", () => {
  const layout = { places: [{ x: 100, y: 10, room: 0.5, gap: 4 }, { x: 900, y: 20, room: 0.5, gap: 4 }], room: 0.5, height: 300 };
  test("is itself where it is shown whole", () => {
    expect(seenBy(layout, { k: 1, x: 0, y: 0 }, 1000)).toBe(layout);
  });
  test("first its rows move apart, and all levels stay in view", () => {
    const { places, across } = seenBy(layout, { k: 20, x: -500, y: -100 }, 1000);
    expect(places.map(({ x, y, room }) => [x, y, room])).toEqual([[100, 100, 10], [900, 300, 10]]);
    expect(across.width).toBe(1000);
  });
  test("then its levels too, as far as the camera has been moved across", () => {
    // rows have all the room that they need at 68 times: at 136 times it is twice as wide
    const { places, across } = seenBy(layout, { k: 136, x: -135 * 1000, y: 0 }, 1000);
    expect(places.map(({ x }) => x)).toEqual([-800, 800]);
    expect(places[0].room).toBe(34);
    expect(across).toEqual({ from: 500, width: 500 });
  });
});

describe("a forest's room", () => {
  test("where the large tree has too little, the bars of all trees give way to it, if nothing scrolls", () => {
    const low = stageLayout(300, 20, 8, 110, true);
    expect([low.hasBars, low.total <= 110]).toEqual([false, true]);
    expect([stageLayout(300, 20, 8, 300, true), stageLayout(300, 20, 8, 110, false)].map(({ hasBars }) => hasBars)).toEqual([true, true]);
  });
});
