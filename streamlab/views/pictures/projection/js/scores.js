/* How far each class's decision score is above its threshold, as bars to the right, or below, to the left; and what became of it. */
import { BarList, axisEnd } from "../../../kit/js/bars.js";
import { clamp, element, setText } from "../../../kit/js/dom.js";
import { formatSigned, withMinus } from "../../../kit/js/format.js";

const AXIS_ENDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A mark and a CSS class for an answer; `isTrue` null: the truth is not known. */
function verdict(isOn, isTrue) {
  if (isOn) return isTrue === false ? ["✗ false", "sl-false"] : ["✓ right", "sl-hit"];
  return isTrue ? ["○ missed", "sl-missed"] : ["", ""];
}

/** What became of an answer, `answered` and `truth` sets of labels: how many were right, false and missed. */
export function outcome(answered, truth) {
  const right = [...answered].filter((k) => truth.has(k)).length;
  return { right, wrong: answered.size - right, missed: truth.size - right };
}

/** With its sign, and of a near miss the first digit; "–" where there is no threshold, or no score. */
function withSign(ahead) {
  if (!Number.isFinite(ahead)) return "–";
  const size = Math.abs(ahead);
  return `${ahead > 0 ? "+" : ""}${size && size < 0.005 ? withMinus(`${Number(ahead.toPrecision(1))}`) : formatSigned(ahead)}`;
}

export class Scores extends BarList {
  constructor(onLabel) {
    super("Decision score of each class", "Decision scores", [
      element("span", { text: "Class" }), element("span", { class: "sl-ends" }, ["not answered", "answered"].map((text) => element("span", { text }))),
      element("span", { class: "sl-right", text: "by" }), element("span"),
    ], [0.64, 4, 10]);
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-label]");
      if (row) onLabel(Number(row.dataset.label));
    });
  }

  makeRow(name, label) {
    const fill = element("div", { class: "sl-fill" }), score = element("span", { class: "sl-right" }), mark = element("span");
    const meter = element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, element("div", { class: "sl-zero" })]);
    return { node: element("div", { class: "sl-row", role: "listitem", "data-label": label }, [name, meter, score, mark]), meter, fill, score, mark };
  }

  /** `truth`: the set of labels that the instance has. */
  write(frame, truth, chosen) {
    const ahead = Array.from(frame.score, (score, k) => score - frame.threshold[k]);
    // what is far below its threshold may end at the edge, marked: the number beside it tells; half of them have their length
    const known = ahead.filter(Number.isFinite), lengths = known.map(Math.abs).sort((a, b) => a - b);
    const largest = Math.max(0.1, lengths[lengths.length >> 1] ?? 0, ...known);
    this.end = axisEnd(AXIS_ENDS, largest, this.end, 0.4);
    this.rows.forEach((row, k) => this.writeRow(row, ahead[k], truth?.has(k) ?? null, k === chosen));
  }

  writeRow(row, ahead, isTrue, isChosen) {
    const isOn = ahead > 0, length = Number.isFinite(ahead) ? ahead / this.end : 0;
    row.fill.style.transform = `scaleX(${clamp(length, -1, 1).toFixed(3)})`;
    row.fill.classList.toggle("sl-on", isOn);
    row.meter.classList.toggle("sl-cut", length < -1);
    setText(row.score, withSign(ahead));
    const [text, kind] = verdict(isOn, isTrue);
    setText(row.mark, text);
    row.mark.className = kind;
    row.node.classList.toggle("sl-lit", isChosen);
  }
}
