/* Where the lines of features stand, and which stretches they have. Lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { NARROW } from "../../../kit/js/canvas_view.js";

export const TOP = 20;
const MARGIN = 4, AXIS = 18, LEAST_LINE = 16, MOST_LINE = 34, LONGEST_NAME = 160, LEAST_NAME = 56, ON_A_PHONE = 5;
/** Over this a share says that the feature was not asked. */
const ASKED = 1.1;

/** Places for a width: as many features as there is room for, on a phone the first ones; `change` is the room of the words at the right. */
export function stageLayout(width, count, tall, longestName, value, change) {
  const isNarrow = width < NARROW;
  const lines = Math.min(count, isNarrow ? ON_A_PHONE : Math.max(ON_A_PHONE, Math.floor((tall - TOP - AXIS) / LEAST_LINE)));
  const line = Math.floor(clamp((tall - TOP - AXIS - 2) / Math.max(lines, 1), LEAST_LINE, MOST_LINE));
  const left = MARGIN + Math.max(LEAST_NAME, Math.min(longestName, LONGEST_NAME, 0.3 * width)) + 8, right = width - MARGIN - change - value - 16;
  return { lines, line, left, right: Math.max(right, left + 40), value, width, axis: TOP + lines * line, total: TOP + lines * line + AXIS };
}

/** Where a row of the stream is. */
export const placeOf = ({ left, right }, [from, to], row) => left + ((row - from) / Math.max(to - from, 1)) * (right - left);

/**
 * Stretches of one value of a feature's line within the rows seen: {from, to, share}; a share of 0 does not matter, null: it was not asked.
 * @param {ArrayLike<number>} at rows from which values hold
 * @param {ArrayLike<number>} cells values, those of the feature from `start` on
 */
export function stretches(at, cells, start, end, [low, high]) {
  const found = [];
  const add = (from, to, share) => {
    const [a, b] = [Math.max(from, low), Math.min(to, high, end)], last = found.at(-1);
    if (b <= a) return;
    if (last && last.share === share && last.to === a) last.to = b;
    else found.push({ from: a, to: b, share });
  };
  add(0, at[0] ?? end, null);
  for (let k = 0; k < at.length; k++) add(at[k], at[k + 1] ?? end, cells[start + k] > ASKED ? null : cells[start + k]);
  return found;
}
