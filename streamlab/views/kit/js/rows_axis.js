/* The curves' axis of rows, for pictures over time: what stands above one another is of one row. */

/**
 * Where the curves' rows are in a picture as wide as they are: {from, to, left, right}; null in another one, and before it is known.
 * @param {number[]} axis rows from and to, px at the left and at the right of the curves, and the width of it all
 */
export function sharedAxis(axis, width) {
  const [from, to, left, right, whole] = axis ?? [];
  return whole && Math.abs(whole - width) < 3 && to > from ? { from, to, left, right: width - right } : null;
}
