/* Places of the rows of a frame, in CSS pixels. */
import { cluster, stratify } from "d3-hierarchy";
import { NARROW } from "../../../kit/js/canvas_view.js";
import { clamp } from "../../../kit/js/dom.js";
import { unitsOf } from "./words.js";

const ROW = { least: 17, most: 34, outline: 20, whole: 0.4, named: 16 };
const INDENT = 17;
/** How far right of a class the trunk of its children stands; the top-level classes hang on one at the left edge. */
export const TRUNK = 16;
const LEFT = 22, BOTTOM = 12;
/** A level takes this part of the tree's width at most: what is said of a row has the rest. */
const MOST_STEP = 0.27;
const ROOT = "top";

/** The classes as d3 knows hierarchies, under a top of their own; `data.row` is the place in the frame, -1 the top's. */
function rooted(frame) {
  const rows = Array.from(frame.id, (_, row) => ({ row, id: String(row), above: frame.parent[row] < 0 ? ROOT : String(frame.parent[row]) }));
  return stratify().id((each) => each.id).parentId((each) => each.above)([{ row: -1, id: ROOT, above: "" }, ...rows]);
}

/** Narrow: a row for each class, indented by its level. */
export function placeOutline(frame) {
  const places = Array.from(frame.id, (_, i) => ({ x: LEFT + frame.depth[i] * INDENT, y: headOf(true) + 15 + i * ROW.outline, room: ROW.outline, isOuter: true }));
  return { places, height: headOf(true) + frame.id.length * ROW.outline + 12, narrow: true, room: ROW.outline };
}

/** px of a row of words above the bars; narrow there are two, and the scale. */
export const HEAD = 24;
export const headOf = (isNarrow) => HEAD * (isNarrow ? 2 : 1);

/** The bars at the right, {from, end, to}: where they begin, a score of 1 ends, and the words behind few end. */
export function barsOf(width) {
  const from = Math.round(width * 0.58), to = width - 10;
  return { from, end: to - (width < NARROW ? 74 : 220), to };
}

/** Whether the leaves of a frame stand too close for their names in a height in which nothing scrolls. */
export const isTight = (frame, wanted) => frame.id.filter((_, row) => !frame.parent.includes(row)).length * ROW.named > wanted - HEAD - BOTTOM;

/** From left to right, a column for each level; leaves stand as far apart as the height wanted allows, on a screen that shows everything
 * at once (`isWhole`) all within it: zooming in makes them legible. `right`: where the names of leaves end, of which they take this `part`. */
export function placeTree(frame, { right, wanted, isWhole, part = 0.3 }) {
  const root = rooted(frame);
  const leaves = root.leaves().length;
  const room = clamp((wanted - HEAD - BOTTOM) / Math.max(leaves, 1), isWhole ? ROW.whole : ROW.least, ROW.most);
  const step = Math.min((right - LEFT - clamp(right * part, 150, 420)) / root.height, MOST_STEP * right);
  cluster().nodeSize([room, 1]).separation(() => 1)(root);
  const first = Math.min(...root.leaves().map((leaf) => leaf.x));
  const places = new Array(frame.id.length);
  const columns = new Map();
  root.eachBefore(({ data: { row }, depth, x, children }) => {
    if (row < 0) return;
    const place = { x: LEFT + depth * step, y: HEAD + room / 2 + x - first, room, step, isOuter: !children, gap: Infinity };
    places[row] = place;
    if (!children) return;
    // inner classes of a level that stand close have room for their name only
    const above = columns.get(depth);
    if (above) above.gap = Math.min(above.gap, (place.gap = place.y - above.y));
    columns.set(depth, place);
  });
  return { places, height: room * leaves + HEAD + BOTTOM, narrow: false, room };
}

/** The frame with these of its rows alone, a class before all below it. */
function only(frame, rows) {
  const place = new Map(rows.map((row, i) => [row, i])), isColumn = (value) => value?.length === frame.id.length && typeof value !== "string";
  const columns = Object.entries(frame).map(([name, value]) => [name, name !== "learners" && isColumn(value) ? rows.map((row) => value[row]) : value]);
  return { ...Object.fromEntries(columns), parent: rows.map((row) => place.get(frame.parent[row]) ?? -1) };
}

/** The frame without what is below the deepest level whose rows have so many px of a height, if any has: on a projector nothing scrolls. */
export function foldedTo(frame, height, least) {
  const deepest = Math.max(0, ...frame.depth);
  const isOuter = (cut) => (_, i) => frame.depth[i] === cut || (frame.depth[i] < cut && !frame.parent.includes(i));
  let cut = deepest;
  while (cut > 0 && Array.from(frame.id).filter(isOuter(cut)).length * least > height) cut--;
  return only(frame, Array.from(frame.id, (_, i) => i).filter((i) => frame.depth[i] <= cut));
}

/** The frame without the leaves of its groups, but for one group that is `open` (a row, or -1): the groups fit a screen. */
export function grouped(frame, open) {
  const units = new Set(unitsOf(frame)), isInner = (row) => frame.parent.includes(row);
  return only(frame, Array.from(frame.id, (_, i) => i).filter((i) => units.has(i) || isInner(i) || frame.parent[i] === open));
}

/**
 * The same places as a camera {k, x, y} sees them on a picture of this width. Rows move apart at once; across, a tree whose rows are
 * closer than they need to be keeps its width, so that all levels stay in view. Lines, discs and letters keep their size.
 */
export function seenBy(layout, { k, x, y }, width) {
  if (k === 1) return layout;
  const wider = clamp((k * layout.room) / ROW.most, 1, k);
  const shift = x * ((1 - wider) / (1 - k));
  const places = layout.places.map((place) => ({
    ...place, x: wider * place.x + shift, y: k * place.y + y, room: Math.min(k * place.room, ROW.most), step: wider * (place.step ?? 0),
    gap: k * place.gap,
  }));
  return { ...layout, places, across: { from: -shift / wider, width: width / wider } };
}
