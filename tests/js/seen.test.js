import { expect, test } from "vitest";
import { Seen } from "../../streamlab/views/timeline/js/seen.js";

test("a fast run is not drawn on an axis of rows that are far ahead", () => {
  const seen = new Seen();
  seen.follow({ end: 11_200, rows: 100_000, speed: 250 });
  expect(seen.axis[1] - seen.axis[0]).toBe(5000);
  seen.follow({ end: 13_000, rows: 100_000, speed: 10_000 });
  expect(seen.axis).toEqual([0, 20_000]);
  seen.follow({ end: 13_000, rows: 100_000, speed: 250 });
  expect(seen.axis).toEqual([0, 20_000]);
});
