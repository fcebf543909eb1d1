/* Where the lines of an ensemble stand, and what can be asked of a frame's members. Lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";

const MARGIN = 4, TOP = 17, AXIS = 17, GAP = 7, LEAST_LINE = 5, MOST_LINE = 18, FEW_LINES = 12, MOST_OF_FEW = 42, LONGEST_NAME = 150, VALUE = 44;
/** At the right for who learns and does not answer yet. */
export const NOW = 14;

/**
 * Places for a width: groups of lines under each other, names at their left, a cell for each chunk, and now at the right; then the mean of
 * each group, where there is not one whole ensemble.
 */
export function stageLayout(width, frame, tall, longestName, isWhole, shared = null) {
  const groups = [];
  for (let i = 0; i < frame.id.length; i++) {
    const group = frame.group[i];
    if (!groups.length || groups.at(-1).group !== group) groups.push({ group, lines: 0 });
    groups.at(-1).lines = Math.max(groups.at(-1).lines, frame.seat[i] + 1);
  }
  const lines = groups.reduce((sum, each) => sum + each.lines, 0);
  const line = Math.floor(clamp((tall - TOP - AXIS - (groups.length - 1) * GAP - 3) / Math.max(lines, 1), LEAST_LINE, lines > FEW_LINES ? MOST_LINE : MOST_OF_FEW));
  const right = width - MARGIN - (isWhole ? 0 : VALUE), cells = Math.max(frame.chunks, 1);
  // names at the left leave no room for the curves' axis
  const axis = longestName ? null : shared, of = (row) => axis.left + ((row - axis.from) / (axis.to - axis.from)) * (axis.right - axis.left);
  const left = axis ? of(frame.end - frame.chunks * frame.step) : !longestName ? MARGIN : MARGIN + Math.min(longestName, LONGEST_NAME, 0.3 * width) + 8;
  const cell = axis ? (of(frame.end) - left) / cells : Math.max(1, (right - NOW - left) / cells);
  let y = TOP;
  for (const each of groups) {
    // a name has room even where there is one thin line
    each.y = y;
    each.height = Math.max(each.lines * line, 13);
    y += each.height + GAP;
  }
  y -= GAP - 3;
  return { groups, byGroup: new Map(groups.map((each) => [each.group, each])), line, left, cell, now: left + cells * cell, right, axis: y, total: y + AXIS, width, shared: axis };
}

/** The box of a member: its cells, or its place at the right while it has none. */
export function boxOf(frame, places, row) {
  const { y } = places.byGroup.get(frame.group[row]);
  const top = y + frame.seat[row] * places.line;
  if (!frame.cells[row]) return { x: places.now + 2, y: top, width: NOW - 4, height: places.line };
  const x = places.left + frame.first[row] * places.cell;
  const isThere = frame.left[row] < 0;
  return { x, y: top, width: isThere ? places.now - x : frame.cells[row] * places.cell, height: places.line };
}

/** Whether another member answers in the place of one that left, at once. */
export function goesOn(frame, row) {
  const next = row + 1, end = frame.first[row] + frame.cells[row];
  return frame.group[next] === frame.group[row] && frame.seat[next] === frame.seat[row] && frame.cells[next] > 0 && frame.first[next] <= end;
}

/** Of one whole ensemble, its lines by when a member last took another's place since the mark, then the others: [each member's line, how many changed]. */
export function byChange(frame) {
  const latest = new Map(Array.from(frame.seat, (seat) => [seat, -1]));
  frame.seat.forEach((seat, i) => { if (frame.mark && frame.left[i] >= frame.mark.row && goesOn(frame, i)) latest.set(seat, Math.max(latest.get(seat), frame.left[i])); });
  const changed = [...latest.keys()].filter((seat) => latest.get(seat) >= 0).sort((a, b) => latest.get(a) - latest.get(b) || a - b);
  const order = [...changed, ...[...latest.keys()].filter((seat) => latest.get(seat) < 0)];
  return [frame.seat.map((seat) => order.indexOf(seat)), changed.length];
}

/** Where the sign of a member that left stands, or null: also where another answers in its place at once, which has a stroke. */
export function endOf(frame, { left, cell }, row) {
  if (frame.left[row] < 0 || !frame.cells[row]) return null;
  return goesOn(frame, row) ? null : left + (frame.first[row] + frame.cells[row]) * cell;
}

/** Where each member's cells begin among all cells. */
export function cellStarts(frame) {
  const starts = new Uint32Array(frame.id.length);
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1] + frame.cells[i - 1];
  return starts;
}

/** What the newest chunk says of a group: the mean of those that are there and answer, NaN without one. */
export function meanOf(frame, group) {
  let sum = 0, count = 0;
  for (let i = 0; i < frame.id.length; i++) {
    if (frame.group[i] !== group || frame.left[i] >= 0 || !(frame.value[i] >= 0)) continue;
    sum += frame.value[i];
    count++;
  }
  return sum / count;
}
