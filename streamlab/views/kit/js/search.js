/* Places in ascending numbers. */
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
