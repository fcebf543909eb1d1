/* The list of labels: a bar for now, a tick for the whole stream, and the difference in words of its own. */
import { BarList, axisEnd } from "../../../kit/js/bars.js";
import { element, setText } from "../../../kit/js/dom.js";
import { formatPercent, several } from "../../../kit/js/format.js";

/** The order "changed most" is renewed at most this often. */
const SORT_EVERY_MS = 2000;
/** Right ends that the axis of the bars may have. */
const AXIS_ENDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
/** Differences under this many percentage points count as none. */
export const NO_CHANGE = 0.05;

/** A difference of shares in percentage points, with an arrow and a sign. */
export function change(difference) {
  const value = 100 * difference;
  if (Math.abs(value) < NO_CHANGE) return { className: "sl-same", text: "= 0.0" };
  const isUp = value > 0;
  return { className: isUp ? "sl-up" : "sl-down", text: `${isUp ? "▲ +" : "▼ −"}${Math.abs(value).toFixed(1)}` };
}

export class LabelRows extends BarList {
  /** @param {string} [noun] what a row is of */
  constructor(noun = "label") {
    const title = noun[0].toUpperCase() + noun.slice(1), end = element("span");
    super(several(title), several(title), [
      element("span", { text: title }), element("span", { class: "sl-ends" }, [element("span", { text: "0" }), end]),
      element("span", { class: "sl-right", text: "now" }), element("span", { class: "sl-right", text: "± points" }),
    ], [0.62, 5, 12]);
    Object.assign(this, { end, order: [], isSorted: false, sortDue: 0 });
  }

  nodes() {
    return this.order.map((label) => this.rows[label].node);
  }

  setHeight(height) {
    this.node.style.maxHeight = `${height}px`;
  }

  setSorted(isSorted) {
    this.isSorted = isSorted;
    this.sortDue = 0;
  }

  setNames(names) {
    this.order = names.map((_, i) => i);
    this.axis = undefined;
    super.setNames(names);
  }

  makeRow(name, label) {
    const fill = element("div", { class: "sl-fill" }), whole = element("div", { class: "sl-whole" });
    const value = element("span", { class: "sl-right" }), difference = element("span", { class: "sl-right" });
    const node = element("div", { class: "sl-row", role: "listitem" }, [
      name, element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, whole]), value, difference,
    ]);
    return { node, fill, whole, value, difference, label };
  }

  write(frame, now) {
    let largest = 0;
    for (let i = 0; i < this.rows.length; i++) largest = Math.max(largest, frame.recent[i], frame.whole[i]);
    this.axis = axisEnd(AXIS_ENDS, largest, this.axis, 0.5);
    setText(this.end, `${Math.round(this.axis * 100)} %`);
    for (const row of this.rows) this.writeRow(row, frame.recent[row.label], frame.whole[row.label]);
    if (now >= this.sortDue) this.sort(frame, now);
  }

  writeRow(row, recent, whole) {
    const { className, text } = change(recent - whole);
    // Compared with what was written last, so that a label that did not change costs nothing.
    const state = `${(recent / this.axis).toFixed(3)} ${(whole / this.axis).toFixed(3)}`;
    if (row.state !== state) {
      row.state = state;
      row.fill.style.transform = `scaleX(${(recent / this.axis).toFixed(4)})`;
      row.whole.style.transform = `translateX(${((100 * whole) / this.axis).toFixed(2)}%)`;
    }
    setText(row.value, formatPercent(recent));
    setText(row.difference, text);
    if (row.className !== className) row.difference.className = `sl-right ${className}`;
    row.className = className;
  }

  sort(frame, now) {
    this.sortDue = now + SORT_EVERY_MS;
    const away = (label) => Math.abs(frame.recent[label] - frame.whole[label]);
    const order = this.rows.map((_, i) => i);
    if (this.isSorted) order.sort((a, b) => away(b) - away(a) || a - b);
    if (order.every((label, i) => label === this.order[i])) return;
    this.order = order;
    this.list.append(...order.map((label) => this.rows[label].node));
  }

  light(labels) {
    this.rows.forEach((row, label) => row.node.classList.toggle("sl-lit", labels.has(label)));
  }
}
