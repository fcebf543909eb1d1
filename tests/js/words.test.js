/* What the pictures say in words. */
import { describe, expect, test } from "vitest";
import * as forest from "../../streamlab/views/pictures/forest/js/words.js";
import * as hierarchy from "../../streamlab/views/pictures/hierarchy/js/words.js";
import { foldedTo, grouped } from "../../streamlab/views/pictures/hierarchy/js/layout.js";
import { Words } from "../../streamlab/views/pictures/tree/js/words.js";
import { aboutEvent, hasMark } from "../../streamlab/views/timeline/js/marks.js";

describe("a hierarchy of classes", () => {
  // the walk went to the reeds and stopped there; the other took a clarinet for the oboe
  const NAMES = ["strings", "violin", "cello", "winds", "reeds", "oboe", "clarinet", "flute"];
  const name = (row) => NAMES[row];
  const on = (...rows) => NAMES.map((_, row) => (rows.includes(row) ? 1 : 0));
  const one = {
    id: NAMES.map((_, row) => row), parent: [-1, 0, 0, -1, 3, 4, 4, 3], depth: [0, 1, 1, 0, 1, 2, 2, 1], is_leaf: on(1, 2, 5, 6, 7),
    arrivals: [500, 200, 300, 1500, 900, 400, 500, 600], weight: [50, 20, 30, 150, 90, 40, 50, 60],
    hp: NAMES.map(() => 0.9), hr: NAMES.map(() => 0.5), hf: [0.8, 0, 1, 0.7, 0.6, 0.5, 0.4, NaN], was: NAMES.map(() => NaN),
    true: on(3, 4, 5), predicted: on(3, 4), folded: on(), collapsed: on(), now: 3000, subject: "walk",
  };
  const other = {
    other_hp: one.hp, other_hr: one.hr, other_hf: NAMES.map(() => 0.75), other_was: NAMES.map(() => 0.9), other_predicted: on(3, 4, 6),
  };
  const two = { ...one, ...other, learners: [{ name: "walk" }, { name: "flat" }] };
  const about = (row, frame = one) => hierarchy.describe(frame, hierarchy.litBy(frame), row, name);
  const said = (frame) => hierarchy.verdicts(frame, hierarchy.litBy(frame), name).map(({ learner, row, words }) => [learner, NAMES[row], words]);

  test("a class", () => {
    expect(about(5)).toEqual({
      title: "oboe",
      lines: ["winds › reeds › oboe", "F1 lately 0.50 (precision 0.90, recall 0.50); latest row: true, not predicted", "400 came in all, 40 recently"],
    });
    expect(about(3).lines[0]).toMatch(/latest row: true and predicted$/);
    expect(about(7).lines).toContain("none came or was predicted lately");
    expect(about(4, { ...one, folded: [0, 0, 0, 0, 2, 0, 0, 0], collapsed: on(4) }).lines.at(-1)).toBe("2 more below, folded");
    expect(about(6, two).lines.slice(1, 3)).toEqual([
      "walk: F1 lately 0.40 (precision 0.90, recall 0.50)",
      "flat: F1 lately 0.75 (precision 0.90, recall 0.50), 0.90 before the change; latest row: predicted, not true",
    ]);
  });
  test("all classes", () => {
    expect(hierarchy.summarise(one, name)).toBe("walk: 8 classes on 3 levels, after 3,000 rows. Lowest recent hF: violin, 0.00.");
    expect(hierarchy.summarise(two, name, hierarchy.litBy(two))).toMatch(/^walk and flat: .* Row 3,000: walk: stopped at reeds; flat: clarinet, not oboe\.$/);
  });
  test.each([
    ["the first wrong class, beside the true one", [3, 4, 6], [["clarinet", "clarinet, not oboe"]]],
    ["the highest wrong class", [0, 2], [["cello", "strings, not winds"]]],
    ["right", [3, 4, 5], [["oboe", "✓ right"]]],
    ["right as far as it goes", [3, 4], [["reeds", "stopped at reeds"]]],
    ["nothing", [], [["oboe", "no answer"]]],
    ["two ways", [3, 4, 5, 7], [["oboe", "✓ right"], ["flute", "flute, not reeds"]]],
  ])("where a way left the true one: %s", (_, predicted, expected) => {
    expect(said({ ...one, predicted: on(...predicted) })).toEqual(expected.map(([row, words]) => [0, row, words]));
  });
  test("what lies in a folded class is not called right, and what goes beyond the truth is wrong", () => {
    expect(said({ ...one, true: on(3, 4), folded: on(4) })).toEqual([[0, "reeds", "✓ so far"]]);
    expect(said({ ...one, true: on(3, 4), predicted: on(3, 4, 5) })).toEqual([[0, "oboe", "✕ oboe"]]);
  });
  test("groups of leaves have bars, leaves beside a group, and what is folded", () => {
    expect(hierarchy.unitsOf(one).map(name)).toEqual(["strings", "reeds", "flute"]);
    expect(hierarchy.unitsOf(foldedTo({ ...two, learners: [] }, 50, 11))).toEqual([0, 4, 5]);
  });
  test("who lost how much at a class since the mark, and which is highest", () => {
    const [walk, flat] = hierarchy.answersOf(two);
    expect([hierarchy.lostAt(walk, 1), hierarchy.lostAt(flat, 1)].map(Number.isNaN)).toEqual([true, false]);
    expect(hierarchy.highest([1, 2, 6, 7], [walk], ({ hf }, row) => -hf[row])).toBe(1);
    expect(hierarchy.highest([7], [walk], ({ hf }, row) => hf[row])).toBe(-1);
  });
  test("on a projector what has no room is folded to the level that has", () => {
    expect(foldedTo(two, 60, 11).id).toEqual(two.id);
    const folded = foldedTo(two, 50, 11);
    expect(folded).toMatchObject({ id: [0, 1, 2, 3, 4, 7], parent: [-1, 0, 0, -1, 3, 3], other_predicted: [0, 0, 0, 1, 1, 0], learners: two.learners });
    expect(foldedTo(two, 10, 11).id).toEqual([0, 3]);
  });
  test("on a phone the leaves of a group are there when it is open", () => {
    expect(grouped(two, -1).id.map((id) => hierarchy.unitsOf(two).includes(id) || two.parent.includes(id))).not.toContain(false);
    const [group] = hierarchy.unitsOf(two).filter((row) => two.parent.includes(row)), leaves = two.id.filter((id) => two.parent[id] === group);
    expect(leaves.length).toBeGreaterThan(0);
    expect([-1, group].map((open) => leaves.every((id) => grouped(two, open).id.includes(id)))).toEqual([false, true]);
  });
});

describe("a tree", () => {
  // root 0 (f3 ≤ 0.52) with 1 (colour = red; leaves 3 and 4) and 2 (humidity); alternate 5 beside 2
  const words = new Words();
  Object.assign(words, { labels: ["Beach", "Sunset"], features: ["f3", "colour", "humidity"], categories: [null, ["red", "green"], null] });
  words.take({
    id: [0, 1, 2, 3, 4, 5], parent: [-1, 0, 0, 1, 1, -1], rival: [-1, -1, -1, -1, -1, 2], second: [0, 0, 1, 0, 1, 0], depth: [0, 1, 1, 2, 2, 1],
    is_leaf: [0, 0, 1, 1, 1, 1], active: [0, 0, 1, 1, 0, 1], background: [0, 0, 0, 0, 0, 1], feature: [0, 1, -1, -1, -1, -1],
    is_nominal: [0, 1, 0, 0, 0, 0], threshold: [0.52, 0, 0, 0, 0, 0], error: [0, 0.05, 0.1, NaN, 0.2, 0.35], regime: [0, 0, 2, 1, 3, 1],
    weight: [1000, 500, 400, 300, 200, 50], weight_recent: [200, 0, 0, 0, 0, 0], n_labelsets: [7, 0, 0, 1, 0, 0], entropy: [1.5, 0, 0, 0, 0, 0],
    top: [-1, -1, 1, 0, 9, -1], folded: [0, 3, 0, 0, 0, 0], collapsed: [0, 1, 0, 0, 0, 0], y: [0, 1, 1, 2, 2, 1], now: 1234,
  });

  test("a branch", () => {
    expect(words.describe(0)).toEqual({
      title: "f3 ≤ 0.52 · root · node 0", lines: ["weight 1,000, 200 of it recent", "error 0.0 %", "7 label sets, entropy 1.5"],
    });
    expect(words.describe(1)).toEqual({
      title: "colour = red · depth 1 · node 1", lines: ["reached if f3 ≤ 0.52", "weight 500", "error 5.0 %", "3 more nodes below, not drawn: folded"],
    });
  });
  test("a leaf", () => {
    expect(words.describe(3)).toEqual({
      title: "Leaf · depth 2 · node 3",
      lines: [
        "reached if colour = red", "weight 300", "error not known yet", "1 label set, entropy 0", "commonest label: Beach",
        "predicts by majority or one label set",
      ],
    });
    const lines = words.describe(4).lines;
    expect(lines).toContain("reached if colour ≠ red");
    expect(lines).toContain("commonest label: label 9");
    expect(lines.at(-1)).toBe("switched off: it no longer looks for a test");
  });
  test("what part a node has in the answer to the latest row, if any", () => {
    const told = Object.assign(new Words(), { labels: [], features: ["f3"] });
    told.take({ ...words.frame, way: [[3, 0.64], [0, 0.36]] });
    expect(told.describe(3).lines).toContain("gives 64.0 % of the answer to the latest row");
    expect(told.describe(2).lines.join()).not.toContain("latest row");
  });
  test("how far a leaf is from its split, where that is known", () => {
    const told = Object.assign(new Words(), { labels: [], features: ["f3"] });
    told.take({ ...words.frame, readiness: [NaN, NaN, 0.25, NaN, NaN, NaN] });
    expect(told.describe(2).lines).toContain("has 25.0 % of the evidence that its next split takes");
    expect(told.describe(3).lines.join()).not.toContain("evidence");
  });
  test("what stands in a node: a test with two digits, a leaf's commonest label, and of leaves that err how often", () => {
    expect([words.tests(0)[0], words.tests(1)[0], words.captions(3), words.captions(0)]).toEqual(["f3 ≤ .52", "colour = red", ["Beach", "Beach"], []]);
    const told = (error) => Object.assign(new Words(), { frame: { ...words.frame, error } }).erring();
    // the alternate's own leaf is no part of the tree yet
    expect(told([0, 0.9, 0.1, 0.71, NaN, 0.95])).toEqual([[3, "errs 7 of 10 here"]]);
    expect(told([0, 0.9, 0.1, 0.14, NaN, 0.95])).toEqual([]);
  });
  test("an alternate and its rival", () => {
    expect(words.describe(5).title).toBe("Leaf · root of an alternate · node 5");
    expect(words.describe(5).lines).toContain("competes with node 2: error 35.0 % against 10.0 %");
    expect(words.describe(2).lines).toContain("an alternate competes with it: error 35.0 % against 10.0 %");
    expect(words.describe(2).lines[0]).toBe("reached if f3 > 0.52");
  });
  test("all of it, a row of the table, and what is found", () => {
    expect(words.summary()).toBe("3 leaves, 2 tests, depth 2, after 1,234 rows. Beside it 1 alternate of 1 node.");
    expect(words.cells(3)).toEqual(["leaf", "2", "300", "–", "Beach", "majority or one label set", "0"]);
    expect([words.matches(1, "col"), words.matches(3, "beach"), words.matches(5, "beach")]).toEqual([true, true, false]);
  });
});

test("a forest before and after a drift", () => {
  const mark = { row: 1000, drift: 1, since: 212 };
  expect(forest.sentence({ mark, share: 0.48 })).toBe("48 % of its evidence is from before ①");
  expect(forest.sentence({ mark: null, share: 0 })).toBe("no drift so far");
  expect(forest.because({ mark: null, alarm: 1024, half_life: 200 })).toContain("an error alarm came at row 1,024");
  expect([0.002, 0.998, 1].map(forest.percent)).toEqual(["under 1 %", "over 99 %", "100 %"]);
  expect(forest.because({ mark, half_life: 200 })).toBe("① began at row 1,000, 212 rows ago; half fades in 200 rows.");
  expect(forest.because({ mark: { ...mark, drift: 0 }, half_life: null })).toBe("Row 1,000 was marked, 212 rows ago; nothing fades.");
  expect(forest.wordsIn({ mark, share: 0.48, n_trees: 16 }, 2)).toMatchObject({ fresh: "52 % learned since ①", old: "48 % from before ①", row: "this row lands here", tree: "tree 3 of 16" });
  expect(forest.wordsIn({ mark, share: 0.48, n_trees: 16 }, 2).width(0.784)).toBe("width: 78 % of rows came here");
  expect(forest.wordsIn({ mark: null, n_trees: 2, trees: [["7"], ["9"]] }, 0)).toMatchObject({ fresh: "learned so far", old: "", tree: "" });
});

test("an event on a lane", () => {
  const head = { kinds: { split: { title: "Split" } }, learners: [{ name: "MLHAT" }] };
  expect(aboutEvent(head, [1170, 0, "split", "node 0 split", [["gain", "0.2 bits"]], 170], 0)).toEqual({
    title: "MLHAT: Split", lines: ["row 1,170: node 0 split", "170 rows after change ①", "gain: 0.2 bits"],
  });
});

test("on a line stand the first alarm of a change, one before any, what took another's place and what people did", () => {
  const alarm = { is_marked: true, shape: "inverted_triangle" }, event = (at, delay = null) => [at, 0, 0, "", [], delay];
  expect([event(500), event(1050, 50), event(1090), event(2030, 30)].map((each) => hasMark(alarm, each, [1000, 2000]))).toEqual([true, true, false, true]);
  expect(hasMark(alarm, event(1090), [])).toBe(true);
  expect(["star", "bar"].map((shape) => hasMark({ is_marked: true, shape }, event(1500), [1000]))).toEqual([true, true]);
  expect(hasMark({ is_marked: false, shape: "circle" }, event(500), [])).toBe(false);
});
