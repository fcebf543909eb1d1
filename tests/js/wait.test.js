import { expect, test } from "vitest";
import { aboutSeconds, sentence } from "../../streamlab/views/page/js/wait.js";

test.each([[0.2, "1 second"], [3.2, "4 seconds"], [22, "25 seconds"], [95, "2 minutes"]])("%d s are %s", (seconds, words) => {
  expect(aboutSeconds(seconds)).toBe(words);
});

test("a wait says who is made ready; without learners it is what measures", () => {
  const frame = { state: "waiting", seconds: 4, names: ["A", "B", "C"] };
  expect(sentence(frame)[0]).toMatch(/^A, B and C are /);
  expect(sentence({ ...frame, names: [] })[0]).toMatch(/^What measures is /);
  expect(sentence({ state: "loading" })[1]).toBe("");
});

test("a replay says which row it is at, and how long it still takes", () => {
  const [bold] = sentence({ state: "replaying", done: 1200, of: 100000, seconds: 14, share: 0.012 });
  expect(bold).toMatch(/row 1,200 of 100,000, about 14 seconds more/);
});
