/* Round numbers on axes, places in lists, and names that would lie upon each other. */

/** The least of 1, 2, 5, 10, 20, … times a power of ten that is at least `rough`. */
export function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power;
}

/** The next round number of at least so many. */
export function roundUp(count) {
  const power = 10 ** Math.floor(Math.log10(Math.max(count, 1)));
  return Math.ceil(power * [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= count));
}

/** Multiples of a round step within [from, to], at most about `most` of them; with `least` no step is smaller. */
export function ticksOf(from, to, most, least = 0) {
  if (!(to > from)) return [from];
  const step = Math.max(least, roundStep((to - from) / Math.max(1, most)));
  const found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) found.push(k * step);
  return found;
}

/** Digits behind the point that tell such ticks apart. */
export const digitsOf = (ticks) => (ticks.length < 2 ? 1 : Math.max(1, Math.ceil(-Math.log10(ticks[1] - ticks[0]) - 1e-9)));

/** An end of a scale that is at least as far as all values: round, so that colours do not change with every frame. */
export const scaleEnd = (values) => roundStep(0.9999 * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0.02));

/** The least and the largest of values and 0, with some room. */
export function span(values) {
  const [low, high] = [values.reduce((least, value) => Math.min(least, value), 0), values.reduce((most, value) => Math.max(most, value), 0)];
  return high - low > 1e-9 ? [low, high] : [-1, 1];
}

/** Place of the last of ascending numbers that is at most `value`, or -1. */
export function lastUpTo(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Place of the item with the least distance, if that is below `reach`, or -1; an item whose distance is null is out. */
export function nearestOf(items, distance, reach = Infinity) {
  let [found, least] = [-1, reach];
  for (let i = 0; i < items.length; i++) {
    const away = distance(items[i], i);
    if (away !== null && away < least) [found, least] = [i, away];
  }
  return found;
}

/** How far a point is outside of a box; 0 within it. */
export const outside = ({ x, y, width, height }, px, py) => Math.max(x - px, px - x - width, y - py, py - y - height, 0);

/** Moves places apart, in order, so that neighbours are at least `gap` away, all within [low, high] if they fit. */
export function pushApart(places, gap, low, high) {
  const order = places.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0]);
  const moved = order.map(([y]) => y);
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + gap);
  const over = moved[moved.length - 1] - high;
  if (over > 0) {
    moved[moved.length - 1] -= over;
    for (let i = moved.length - 2; i >= 0; i--) moved[i] = Math.min(moved[i], moved[i + 1] - gap);
  }
  if (moved[0] < low) moved[0] = low;
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + gap);
  const found = [];
  order.forEach(([, i], k) => { found[i] = moved[k]; });
  return found;
}
