/* What the forest says in words: evidence, and from before or after which mark. */
import { formatCount, numbered, plural } from "../../../kit/js/format.js";

const ROWS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** ① for the first drift; "row 1,500" for a mark that people set. */
export function signOf({ row, drift }) {
  if (drift === 0) return `row ${formatCount(row)}`;
  return numbered(drift);
}

/** A share in whole percents, as everything on the page says it. */
export function percent(share) {
  const rounded = Math.round(100 * share);
  if (rounded === 0 && share > 0) return "under 1 %";
  return rounded === 100 && share < 1 ? "over 99 %" : `${rounded} %`;
}

/** Half fades in 200 rows; nothing fades. */
export const fading = ({ half_life: halfLife }) => (halfLife ? `half fades in ${plural(halfLife, "row")}` : "nothing fades");

/** What a forest on paper says above it. */
export function sentence({ mark, share }) {
  return mark ? `${percent(share)} of its evidence is from before ${signOf(mark)}` : "no drift so far";
}

/**
 * The words in the picture: in the two parts of the first cell what is new and old there; in the widest cells of the next two levels what their
 * width and their height is, of a cell that takes a `share` of the rows; at the end of the latest row's way, or where that goes on below what is
 * drawn; before the trees' bars.
 */
export function wordsIn({ mark, share, n_trees: n, trees }, tree) {
  const [fresh, old] = mark ? [`${percent(1 - share)} learned since ${signOf(mark)}`, `${percent(share)} from before ${signOf(mark)}`] : ["learned so far", ""];
  return {
    fresh, old, width: (part) => `width: ${percent(part)} of rows came here`, height: "height: evidence still held", row: "this row lands here", way: "this row’s way",
    tree: trees?.length ? "" : `tree ${tree + 1} of ${n}`,
  };
}

/** What stands under it: when the drift began, and what becomes of old evidence. */
export function because(frame) {
  const { mark, alarm } = frame;
  // an alarm is no drift that is known, but who sees one asks
  if (!mark && alarm) return `Yet an error alarm came at row ${formatCount(alarm)}. After a drift that is known, what it knew before turns hatched; ${fading(frame)}.`;
  if (!mark) return `After a drift, what it knew before turns hatched; ${fading(frame)}.`;
  const [begun, trees] = frame.begun ?? [];
  if (begun) return `${begun} of ${trees} trees began after ${mark.drift ? `drift ${signOf(mark)}, at ` : ""}row ${formatCount(mark.row)}, ${plural(mark.since, "row")} ago; ${fading(frame)}.`;
  const what = mark.drift ? `${signOf(mark)} began at row ${formatCount(mark.row)}` : `Row ${formatCount(mark.row)} was marked`;
  return `${what}, ${plural(mark.since, "row")} ago; ${fading(frame)}.`;
}

/** Evidence as so many rows. */
export const rowsWorth = (weight) => `that of ${ROWS.format(weight)} rows`;
