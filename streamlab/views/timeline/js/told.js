/* What happened, in words. */
import { formatCount, numbered } from "../../kit/js/format.js";

export const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a mark on a lane says: {title, lines}. */
export function aboutEvent(head, [position, learner, kind, message, numbers, delay], driftBefore) {
  const { title } = head.kinds[kind];
  const who = learner < 0 ? "" : `${head.learners[learner].name}: `;
  const lines = [`row ${formatCount(position)}: ${message}`];
  if (delay !== null) lines.push(`${formatCount(delay)} rows after change ${numbered(driftBefore + 1)}`);
  return { title: `${who}${title}`, lines: [...lines, ...numbers.map(([words, number]) => `${words}: ${number}`)] };
}
