/* Places in lists. */

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
