/* Round numbers on axes. */

/** The least of 1, 2, 5, 10, 20, … times a power of ten that is at least `rough`. */
export function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power;
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
