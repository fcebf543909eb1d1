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

test("what is seen is always a part of the stream, in any order of zooming, moving, following and learning", () => {
  let seed = 1;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const one = (values) => values[Math.floor(chance() * values.length)];
  for (let life = 0; life < 40; life++) {
    const seen = new Seen();
    let end = 0;
    seen.follow({ end, rows: null, speed: 0 });
    for (let step = 0; step < 60; step++) {
      end += one([0, 1, 100, 5000]);
      const [at, other] = [chance() * 2.1e5 - 1e4, chance() * 2.1e5 - 1e4];
      one([
        () => seen.follow({ end, rows: null, speed: one([0, 250, 30_000]) }),
        () => seen.zoom(one([1e-6, 0.5, 2, 1e6]), at),
        () => seen.pan(at),
        () => seen.show(at, other),
        () => seen.all(),
        () => seen.release(),
      ])();
      const [from, to] = seen.axis;
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeGreaterThan(from);
      expect(to).toBeLessThanOrEqual(seen.total + 1e-6);
    }
  }
});

test("following, the newest row is seen and the scale stays", () => {
  const seen = new Seen();
  for (let end = 0; end < 60_000; end += 500) {
    seen.follow({ end, rows: null, speed: 250 });
    const [from, to] = seen.axis;
    expect(from <= end && end <= to).toBe(true);
    expect(to - from === 5000 || from === 0).toBe(true);
  }
});
