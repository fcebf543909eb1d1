/* Places of the rows of a frame, in CSS pixels, for each shape of the picture. */
import { cluster, partition, stratify } from "d3-hierarchy";
import { clamp } from "../../../kit/js/dom.js";

const ROW = { least: 17, most: 34, outline: 24, whole: 0.4 };
const INDENT = 17;
/** How far right of a class the trunk of its children stands; the top-level classes hang on one at the left edge. */
export const TRUNK = 16;
const SUNBURST_MOST = 600;
/** px between the rings of the sunburst and names beside them, and the room that names need there. */
export const SIDE_GAP = 22, LEAST_SIDE = 70;
/** Names have that room where the rings keep this part of their size. */
const LEAST_RINGS = 0.8;
/** A class in the sunburst takes at least this part of the mean of the leaves: the rare ones can be seen too. */
const LEAST_SLICE = 0.2;
const TOP = "top";

/** The classes as d3 knows hierarchies, under a top of their own; `data.row` is the place in the frame, -1 the top's. */
function rooted(frame) {
  const rows = Array.from(frame.id, (_, row) => ({ row, id: String(row), above: frame.parent[row] < 0 ? TOP : String(frame.parent[row]) }));
  return stratify().id((each) => each.id).parentId((each) => each.above)([{ row: -1, id: TOP, above: "" }, ...rows]);
}

/** Narrow: a row for each class, indented by its level. */
export function placeOutline(frame) {
  const places = Array.from(frame.id, (_, i) => ({ x: 22 + frame.depth[i] * INDENT, y: 21 + i * ROW.outline, room: ROW.outline, isOuter: true }));
  return { places, height: frame.id.length * ROW.outline + 18, narrow: true, room: ROW.outline };
}

/** From left to right, a column for each level; leaves stand as far apart as the height wanted allows, on a screen that shows everything
 * at once (`isWhole`) all within it: zooming in makes them legible. */
export function placeTree(frame, width, wanted, isWhole) {
  const root = rooted(frame);
  const leaves = root.leaves().length;
  const room = clamp((wanted - 24) / Math.max(leaves, 1), isWhole ? ROW.whole : ROW.least, ROW.most);
  const step = (width - 22 - clamp(width * 0.27, 165, 260)) / root.height;
  cluster().nodeSize([room, 1]).separation(() => 1)(root);
  const first = Math.min(...root.leaves().map((leaf) => leaf.x));
  const places = new Array(frame.id.length);
  const columns = new Map();
  root.eachBefore(({ data: { row }, depth, x, children }) => {
    if (row < 0) return;
    const place = { x: 22 + depth * step, y: 12 + room / 2 + x - first, room, step, isOuter: !children, gap: Infinity };
    places[row] = place;
    if (!children) return;
    // inner classes of a level that stand close have room for their name only
    const above = columns.get(depth);
    if (above) above.gap = Math.min(above.gap, (place.gap = place.y - above.y));
    columns.set(depth, place);
  });
  return { places, height: room * leaves + 24, narrow: false, room };
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

/** Angles from the top, clockwise, by weight; a ring for each level. */
export function placeSunburst(frame, width, tallest = SUNBURST_MOST) {
  const size = Math.min(width, tallest);
  const root = rooted(frame);
  const leaves = root.leaves();
  const total = leaves.reduce((sum, { data }) => sum + frame.weight[data.row], 0);
  const least = total > 0 ? (LEAST_SLICE * total) / leaves.length : 1;
  const isLeaf = new Set(leaves.map(({ data }) => data.row));
  root.sum(({ row }) => (isLeaf.has(row) ? Math.max(frame.weight[row], least) : 0));
  partition().size([2 * Math.PI, 1])(root);
  const most = size / 2 - 6, rim = Math.min(most, Math.max(LEAST_RINGS * most, width / 2 - SIDE_GAP - LEAST_SIDE));
  const hole = rim * 0.15, ring = (rim - hole) / root.height;
  const [cx, cy] = [width / 2, size / 2];
  const places = new Array(frame.id.length);
  root.each(({ data: { row }, depth, x0: from, x1: to, children }) => {
    if (row < 0) return;
    // a class without any below it reaches to the rim: its name has room
    const inner = hole + (depth - 1) * ring, outer = hole + (children ? depth : root.height) * ring;
    const angle = (from + to) / 2, radius = (inner + outer) / 2;
    places[row] = { from, to, inner, outer, x: cx + radius * Math.sin(angle), y: cy - radius * Math.cos(angle), room: ROW.least, isOuter: !children };
  });
  return { places, height: size, narrow: false, cx, cy };
}
