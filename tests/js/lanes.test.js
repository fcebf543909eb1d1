/* What the signs under the curves mean, and where words stand among the curves. */
import { expect, test, vi } from "vitest";
import { Lanes, calmWords, meanings, placeBehind } from "../../streamlab/views/timeline/js/lanes.js";
import { freePlace } from "../../streamlab/views/timeline/js/points.js";

test("kinds with the same sign are one entry", () => {
  const kind = (title, shape, weight) => ({ title, shape, weight });
  const meant = meanings([
    kind("Warning", "bar", 1), kind("Drift", "diamond", 2), kind("A leaf splits", "bar", 0), kind("Warning: late", "bar", 1), kind("Error alarm of a label", "circle", 0),
  ]);
  expect(meant).toEqual(["◆ drift", "| warning or a leaf splits", "• error alarm of a label"]);
  const many = ["A leaf splits", "An error fell", "Warning", "An alternate tree starts"].map((title) => kind(title, "bar", 0));
  expect(meanings(many)).toEqual(["| a leaf splits and 3 others (point at one)"]);
  const stubs = many.map((each) => ({ ...each, shape: "stub" }));
  expect(meanings([many[0], ...stubs.slice(1)])).toEqual(["| a leaf splits", "ˈ other reports (point at one)"]);
  expect(meanings(stubs.slice(1, 2))).toEqual(["ˈ an error fell"]);
  expect(new Set(meant.map((text) => text[0])).size).toBe(meant.length);
});

test("words stand where no curve crosses them", () => {
  const at = (...curves) => freePlace({ curves, wide: 60, begin: 100, end: 400, heights: [50, 80] });
  expect(at([[0, 200], [400, 200]])).toEqual({ x: 400, y: 50 });
  // a curve along the upper place, and one that ends on the lower one
  expect(at([[0, 48], [400, 48]])).toEqual({ x: 400, y: 80 });
  const { x, y } = at([[0, 48], [400, 48]], [[380, 78], [400, 78]]);
  expect([y, x < 380, x - 60 >= 100]).toEqual([80, true, true]);
  expect(at([[0, 48], [400, 48]], [[0, 78], [400, 78]])).toBeNull();
});

test("words of a lane stand between its marks, where the playhead does not cross them", () => {
  // behind the playhead; where that has no room, before it as late as may be; not beyond the end
  expect(placeBehind([100, 150, 290], 400, 500, 60)).toBe(410);
  expect(placeBehind([100, 150, 290], 440, 500, 60)).toBe(300);
  expect(placeBehind([100, 150, 200], 230, 500, 60)).toBe(240);
  expect(placeBehind([100, 150, 200], 230, 290, 60)).toBeNull();
  expect(placeBehind([100, 150, 290], 20, 500, 60)).toBe(300);
});

test("of a learner without a detection it is said which warnings it had", () => {
  const split = { weight: 0 }, single = { weight: 1, alone: "alarms of single classes only" }, warned = { weight: 1, alone: "warnings only" };
  expect([[split], [split, single], [warned, warned], [single, warned]].map(calmWords)).toEqual(["no alarm", "alarms of single classes only", "warnings only", "warnings only"]);
});

test("words beside alarms do not lie on each other", () => {
  const node = (tag) => ({ tag, setAttribute(name, value) { this[name] = value; }, append() {} });
  const written = [], lane = { ...node("div"), style: { setProperty() {} }, closest: () => null };
  const lanes = Object.assign(Object.create(Lanes.prototype), {
    texts: { width: (text) => 6 * text.length }, starts: [], isSeen: () => true, group: ({ x }) => ({ at: x, button: {} }),
    fill: (_lane, _box, parts) => written.push(parts.filter(({ class: name }) => name === "sl-delay").map((each) => [parseFloat(each.style.slice(5)), each.textContent])),
    drawn: { axis: [0, 2417], frame: { width: 900, left: 46, right: 190 }, colour: () => "", ink: () => "" }, learners: [{ name: "SMART" }], playhead: 600, x: (at) => 46 + at * 0.275,
  });
  let seed = 3;
  const chance = (most) => (seed = (seed * 16807) % 2147483647) % most;
  vi.stubGlobal("document", { createElement: node });
  for (let turn = 0; turn < 200; turn++) {
    const rows = Array.from({ length: 2 + chance(5) }, () => 50 + chance(2350)).sort((a, b) => a - b);
    lanes.head = { drifts: [{ at: 10 }], kinds: [{ title: "Error alarm", weight: 2 }], events: rows.map((at) => [at, 0, 0, "", [], 1 + chance(49)]) };
    lanes.drawLane({ node: lane, marks: null }, 0);
  }
  vi.unstubAllGlobals();
  for (const words of written) {
    words.sort(([one], [other]) => one - other);
    words.slice(1).forEach(([left], i) => expect(left).toBeGreaterThanOrEqual(words[i][0] + 6 * words[i][1].length - 0.5));
  }
  expect(written.flat().length).toBeGreaterThan(200);
});
