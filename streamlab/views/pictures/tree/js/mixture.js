/*
 * The two answers that a node mixes: the first as a thick stroke, the second as a thin one of another colour, each as long as its
 * share. Under a branch's test they are a bar, around a leaf, or a branch too small for its test, a ring.
 */

/** How wide the thin stroke is beside the thick one. */
const THIN = 0.42;
/** A ring leaves this much free (radians) between the two answers, a bar so many pixels. */
const GAP = 0.16, BAR_GAP = 1.5;

/** Colours of the two answers: of a test's own and a leaf's nearest rows, which are few; branches and regressions are the grey rest. */
function coloursOf(theme, isLeaf) {
  return [theme.hues[isLeaf ? 4 : 3], theme.control];
}

function stroke(context, colour, width, trace) {
  context.beginPath();
  trace();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** A ring that begins on top and runs with the clock: first the one answer, then the other. */
export function paintRing(context, theme, isLeaf, share, x, y, r, width) {
  const colours = coloursOf(theme, isLeaf);
  const top = -Math.PI / 2, end = top + 2 * Math.PI * share;
  const free = Math.min(GAP, Math.PI * share, Math.PI * (1 - share)) / 2;
  context.lineCap = "butt";
  if (share > 0.004) stroke(context, colours[0], width, () => context.arc(x, y, r, top + free, end - free));
  if (share < 0.996) stroke(context, colours[1], width * THIN, () => context.arc(x, y, r, end + free, top + 2 * Math.PI - free));
  context.lineCap = "round";
}

/** A bar from `left` to `right`: on the left the one answer, on the right the other. */
export function paintBar(context, theme, isLeaf, share, left, right, y, width) {
  const colours = coloursOf(theme, isLeaf);
  const end = left + (right - left) * share;
  const free = Math.min(BAR_GAP, end - left, right - end) / 2;
  const line = (from, to) => () => {
    context.moveTo(from, y);
    context.lineTo(to, y);
  };
  context.lineCap = "butt";
  if (end - left > 0.25) stroke(context, colours[0], width, line(left, end - free));
  if (right - end > 0.25) stroke(context, colours[1], width * THIN, line(end + free, right));
  context.lineCap = "round";
}

const alone = (isLeaf, share) => Object.assign((context, theme) => paintBar(context, theme, isLeaf, share, 1, 12, 9, 6), { wide: 13 });

/** Entries of the legend, in one line: whose answer counts, in a test's bar, then in a leaf's ring. */
export const MIXTURE_LEGEND = [[alone(false, 1), "test"], [alone(true, 1), "nearest rows"], [alone(true, 0), "rest: branch, regression"]];
