/* The curves of a run on paper. */
import { expect, test } from "vitest";
import { LIGHT } from "../../streamlab/views/kit/js/palette.js";

const contextOf = (found) => new Proxy({}, {
  get: (kept, name) => kept[name] ?? (name === "measureText" ? (text) => ({ width: 6 * text.length }) : (...given) => found.push([name, ...given])),
});
globalThis.document = { createElement: () => ({ getContext: () => contextOf([]) }) };
const { drawCharts } = await import("../../streamlab/views/timeline/js/paper_chart.js");

test("each curve is named where it ends, apart from the others", () => {
  const series = ["SMART", "kNN"].map((name, i) => ({ name, colour: "#000", positions: [100, 200], values: [0.5, 0.6 + i / 1000] }));
  const drawn = [];
  drawCharts(contextOf(drawn), LIGHT, { charts: [{ title: "F1", range: [0, 1], series }], end: 200, drifts: [[100, "①"]] });
  const named = drawn.filter(([what, text]) => what === "fillText" && /SMART|kNN/.test(text));
  expect(named.map(([, text]) => text)).toEqual(["SMART 0.600", "kNN 0.601"]);
  expect(Math.abs(named[0][3] - named[1][3])).toBeGreaterThan(15);
});
