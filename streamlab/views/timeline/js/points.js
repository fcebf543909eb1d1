/* Many points on few pixels: what of a curve can be seen. */
import { lastUpTo } from "../../kit/js/search.js";

/** Points a pixel from which on only the lowest and the highest of each pixel are drawn. */
const CROWDED = 2;

/**
 * The places of a curve's points to draw between two positions: those within, and one on either side. Where they crowd, for each
 * pixel the first, the lowest, the highest and the last, so that the line looks the same.
 */
export function visiblePlaces(positions, values, [from, to], pixels) {
  const first = Math.max(0, lastUpTo(positions, from)), last = Math.min(positions.length - 1, lastUpTo(positions, to) + 1);
  const all = [];
  if (last - first + 1 <= CROWDED * pixels) {
    for (let k = first; k <= last; k++) all.push(k);
    return all;
  }
  const width = (to - from) / pixels;
  let k = first;
  while (k <= last) {
    const bucket = Math.floor((positions[k] - from) / width);
    let [low, high, end] = [k, k, k];
    for (; end <= last && Math.floor((positions[end] - from) / width) === bucket; end++) {
      if (!(values[end] >= values[low])) low = end;
      if (!(values[end] <= values[high])) high = end;
    }
    all.push(...new Set([k, low, high, end - 1].sort((a, b) => a - b)));
    k = end;
  }
  return all;
}
