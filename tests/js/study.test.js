import { expect, test } from "vitest";

class Node extends EventTarget {
  setAttribute() {}
  append() {}
  replaceChildren() {}
}
globalThis.document ??= { createElement: () => new Node() };
const { Field } = await import("../../streamlab/study/page/js/study.js");

test("a list keeps a choice while frames come that do not know of it, and takes what the server says then", () => {
  const sent = [];
  const field = new Field("Measure", (indices) => sent.push(indices));
  const options = [[0, "F1"], [1, "Time"], [2, "Memory"]];
  const told = (value) => (field.update(options, value), field.list.value);
  expect(told(0)).toBe("0");
  field.list.value = "1";
  field.list.dispatchEvent(new Event("change"));
  expect(sent).toEqual([[1]]);
  expect([told(0), told(0), told(1), told(2)]).toEqual(["1", "1", "1", "2"]);
});
