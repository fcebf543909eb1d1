import { expect, test } from "vitest";
import { said } from "../../streamlab/views/page/js/asking.js";

const FRAME = { question: "Why?", answers: ["so", "not so"], right: 1, why: "Because." };

test("a question has its answers; an answer is told whether it is right, and why", () => {
  expect(said(FRAME, null)).toEqual({ words: "Why?", verdict: "What happened?", buttons: [["answer", "so", 0], ["answer", "not so", 1]] });
  expect(said(FRAME, 1)).toEqual({ words: "Because.", verdict: "Right.", buttons: [] });
  expect(said(FRAME, 0).verdict).toBe("Not quite: not so.");
});

test("of rows to come it is said that they will show it", () => {
  expect(said({ ...FRAME, ahead: true }, 1).verdict).toBe("Right, as the next rows will show.");
  expect(said({ ...FRAME, ahead: true }, 0).verdict).toBe("The next rows will show something else: not so.");
});
