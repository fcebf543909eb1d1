/* The score of each class as a bar, its share of all of them, with a mark that it has to pass; and what became of it. */
import { BarList, axisEnd } from "../../../kit/js/bars.js";
import { clamp, element, setText } from "../../../kit/js/dom.js";

/** Right ends of the axis: shares. */
const AXIS_ENDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1];

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

export class Scores extends BarList {
  constructor(onLabel) {
    super("Decision score of each class", "Decision scores", [
      element("span", { text: "Class" }), element("span"), element("span", { class: "sl-right", text: "share" }), element("span"),
    ], [0.64, 4, 10]);
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-label]");
      if (row) onLabel(Number(row.dataset.label));
    });
  }

  makeRow(name, label) {
    const [fill, tick] = ["sl-fill", "sl-tick"].map((name) => element("div", { class: name })), score = element("span", { class: "sl-right" }), mark = element("span");
    const meter = element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, tick]);
    return { node: element("div", { class: "sl-row", role: "listitem", "data-label": label }, [name, meter, score, mark]), fill, tick, score, mark };
  }

  /** `truth`: the set of labels that the instance has. Where each row has one class, there are no marks: the highest score is answered. */
  write(frame, truth, chosen) {
    const share = (value) => (value + 1) / frame.n_labels, scores = Array.from(frame.score, share), marks = Array.from(frame.threshold, (value) => (frame.classes ? NaN : share(value)));
    this.end = axisEnd(AXIS_ENDS, Math.max(0.01, ...[...scores, ...marks].filter(Number.isFinite)), this.end, 0.4);
    this.rows.forEach((row, k) => this.writeRow(row, scores[k], marks[k], frame.score[k] > frame.threshold[k], truth?.has(k) ?? null, k === chosen));
  }

  writeRow(row, score, tick, isOn, isTrue, isChosen) {
    const length = (share) => clamp(share / this.end, 0, 1);
    row.fill.style.transform = `scaleX(${(Number.isFinite(score) ? length(score) : 0).toFixed(3)})`;
    row.fill.classList.toggle("sl-on", isOn);
    row.tick.hidden = !Number.isFinite(tick);
    row.tick.style.left = `${(100 * length(tick)).toFixed(1)}%`;
    setText(row.score, Number.isFinite(score) ? `${(100 * score).toFixed(1)} %` : "–");
    const [text, kind] = verdict(isOn, isTrue);
    setText(row.mark, text);
    row.mark.className = kind;
    row.node.classList.toggle("sl-lit", isOn);
    row.node.classList.toggle("sl-coloured", isChosen);
  }
}
