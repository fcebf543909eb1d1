/* What can be asked of a frame's rows: a class stands before all below it. */

/** Rows with a flag whose children do not have it: where a path ends. */
export function ends(frame, flag) {
  const continued = new Set();
  for (let i = 0; i < frame.id.length; i++) if (flag[i] && frame.parent[i] >= 0) continued.add(frame.parent[i]);
  return Array.from(frame.id, (_, i) => i).filter((i) => flag[i] && !continued.has(i));
}

/** The rows from the top down to one. */
export function line(frame, row) {
  const rows = [];
  for (let at = row; at >= 0; at = frame.parent[at]) rows.unshift(at);
  return rows;
}
