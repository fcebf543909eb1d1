import { expect, test } from "vitest";
import { said } from "../../streamlab/views/page/js/asking.js";

const FRAME = { question: "Why?", answers: ["so", "not so"], right: 1, why: "Because.", judged: null };

test("a question has its answers; an answer is told whether it is right, and why", () => {
  expect(said(FRAME, null)).toEqual({ words: "Why?", verdict: "What happened?", buttons: [["answer", "so", 0], ["answer", "not so", 1]] });
  expect(said(FRAME, 1)).toEqual({ words: "Because.", verdict: "Right.", buttons: [] });
  expect(said(FRAME, 0).verdict).toBe("Not quite: not so.");
});

test("on rows to come an answer is judged when they were played", () => {
  expect(said({ ...FRAME, ahead: true }, 1)).toEqual({ words: "Play on and see.", verdict: "You said: not so.", buttons: [] });
  expect(said({ ...FRAME, ahead: true, judged: 1 }, 1).verdict).toBe("Right.");
  expect(said({ ...FRAME, ahead: true, judged: 0 }, 0).verdict).toBe("Not quite: not so.");
});
