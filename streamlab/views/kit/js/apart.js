/* Names that would lie upon each other. */

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
