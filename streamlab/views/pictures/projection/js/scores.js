/* Decision scores as bars around zero, thresholds as ticks, and what became of it. */
import { axisEnd } from "../../../kit/js/bars.js";
import { clamp, element, reachIfScrolling, setText } from "../../../kit/js/dom.js";
import { formatNumber, formatSigned } from "../../../kit/js/format.js";

const AXIS_ENDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A mark and a CSS class for an answer; `isTrue` null: the truth is not known. */
function verdict(isOn, isTrue) {
  if (isOn) return isTrue === false ? ["✗ false", "sl-false"] : ["✓ right", "sl-hit"];
  return isTrue ? ["○ missed", "sl-missed"] : ["", ""];
}

export class Scores {
  constructor(onLabel) {
    this.rows = [];
    this.low = element("span");
    this.high = element("span");
    const axis = element("div", { class: "sl-row sl-axis", "aria-hidden": "true" }, [
      element("span", { text: "Class" }), element("span", { class: "sl-ends" }, [this.low, element("span", { text: "0" }), this.high]),
      element("span", { class: "sl-right", text: "score" }), element("span"),
    ]);
    this.list = element("div", { role: "list", "aria-label": "Decision score of each class" });
    this.node = element("div", { class: "sl-list" }, [axis, this.list]);
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-label]");
      if (row) onLabel(Number(row.dataset.label));
    });
  }

  setNames(names) {
    const longest = Math.max(...names.map((name) => name.length), 4);
    this.node.style.setProperty("--sl-names", `${clamp(longest * 0.58, 4, 10).toFixed(1)}em`);
    this.rows = names.map((name, label) => {
      const fill = element("div", { class: "sl-fill" }), threshold = element("div", { class: "sl-threshold" });
      const score = element("span", { class: "sl-right" }), mark = element("span");
      const meter = element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, element("div", { class: "sl-zero" }), threshold]);
      const node = element("div", { class: "sl-row", role: "listitem", "data-label": label }, [
        element("span", { text: name, title: name }), meter, score, mark,
      ]);
      return { node, fill, threshold, score, mark };
    });
    this.list.replaceChildren(...this.rows.map((row) => row.node));
    reachIfScrolling(this.node, "Decision scores, a list that scrolls");
  }

  /** `truth`: the set of labels that the instance has. */
  write(frame, truth, chosen) {
    let largest = 0.1;
    // what lies far below its threshold may end at the edge: the number beside it tells
    frame.threshold.forEach((threshold, k) => {
      if (Number.isFinite(threshold)) largest = Math.max(largest, Math.abs(threshold), frame.score[k] || 0);
    });
    this.end = axisEnd(AXIS_ENDS, largest, this.end, 0.4);
    setText(this.low, `−${formatNumber(this.end)}`);
    setText(this.high, formatNumber(this.end));
    this.rows.forEach((row, k) => this.writeRow(row, frame.score[k], frame.threshold[k], truth?.has(k) ?? null, k === chosen));
  }

  writeRow(row, score, threshold, isTrue, isChosen) {
    const isOn = score > threshold;
    const at = (value) => clamp((value || 0) / this.end, -1, 1);
    row.fill.style.transform = `scaleX(${at(score).toFixed(3)})`;
    row.fill.classList.toggle("sl-on", isOn);
    row.threshold.style.transform = `translateX(${(49 * at(threshold)).toFixed(2)}%)`;
    row.threshold.style.visibility = Number.isFinite(threshold) ? "" : "hidden";
    setText(row.score, formatSigned(score));
    const [text, kind] = verdict(isOn, isTrue);
    setText(row.mark, text);
    row.mark.className = kind;
    row.node.classList.toggle("sl-lit", isChosen);
  }
}
