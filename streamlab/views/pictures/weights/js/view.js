/*
 * The weights view: what each label of linear models stands on, what moved most, and why the latest row is answered as it is.
 *
 * Rows are labels, or classes. A frame has {subject, now, noun, names, columns, marked, first, more, hidden} and the columns of the tables in
 * streamlab.views.pictures.weights.picture. Bars and sums of all labels come with each frame, so that a replay can show any of them.
 */
import { scaleEnd } from "../../../kit/js/numbers.js";
import { formatSigned, markSign, several } from "../../../kit/js/format.js";
import { MarkedView, stepMarks, yesNo } from "../../../kit/js/marked_view.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT } from "../../../kit/js/text.js";
import { WeightsPainter } from "./painter.js";
import { stageLayout, stepsOf, verdict } from "./scene.js";

class WeightsView extends MarkedView {
  static about = {
    name: "weights", empty: "No weights yet: press play", title: "Weights", role: "heat of labels and features, bars and a sum",
    noun: "label", find: "Find by name", reach: { pointer: 0, touch: 0 },
    keys: "Up and down move between labels or classes, left and right between features, Enter selects.",
    table: {
      label: "Table of the weights", caption: "One row for each label or class.", left: [1, 2], choose: true,
      heads: ["Name", "Speaks for it", "Against it", "Begins with", "Sum of the row", "Score", "Answered", "In the row"],
    },
  };

  setUp() {
    this.painter = new WeightsPainter(this.texts);
    this.order = [];
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.about.noun = frame.noun;
    const count = Math.max(frame.id.length, 1);
    this.perLabel = { most: frame.bar.length / count, steps: frame.adds.length / count };
    this.end = scaleEnd(frame.heat);
    this.sort();
  }

  /** The rows in the order in which they stand: what was found by name first. */
  sort() {
    if (!this.frame) return;
    const first = (row) => (this.found?.has(this.idOf(row)) ? 1 : 0);
    this.order = [...this.frame.id.keys()].sort((a, b) => first(b) - first(a) || a - b);
  }

  findAgain() {
    super.findAgain();
    this.sort();
  }

  layoutKey() {
    const { frame } = this;
    return frame ? `${frame.id.length} ${frame.columns.length} ${frame.moved_label.length} ${frame.more > 0}` : "";
  }

  placesFor(width) {
    const { frame, texts } = this;
    return stageLayout({
      width, tall: this.tall, labels: frame.id.length, features: frame.columns.length, bars: this.perLabel.most, steps: this.perLabel.steps,
      moved: frame.moved_label.length, cut: frame.more > 0,
      longestLabel: Math.max(...[...frame.id.keys()].map((row) => texts.width(this.nameOf(row), BOLD_FONT))),
    });
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The row of the label whose bars and sum are drawn. */
  get label() {
    const row = this.rowOf(this.selected);
    return row >= 0 ? row : this.rowOf(this.frame?.first);
  }

  /** The steps of the sum of the label that is drawn; its name in the heat, and a cell for each feature. */
  marksOf(row) {
    const { frame, places: { heat, sum, head } } = this, line = this.order.indexOf(row), place = { y: heat.y + line * heat.row, height: heat.row };
    const steps = row === this.label && !Number.isNaN(frame.total[row]) ? stepMarks(stepsOf(frame, row), sum, head) : [];
    if (line < 0 || line >= heat.rows) return steps;
    return [...steps, { ...place, x: 0, width: heat.x }, ...this.pieces().map((piece) => ({ ...place, piece, x: heat.x + piece * heat.cell, width: heat.cell }))];
  }

  pieces() {
    return [...this.frame.columns.keys()];
  }

  firstRow() {
    return Math.max(this.label, 0);
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOfId(id) {
    return this.labels[id] ?? `${this.about.noun} ${id}`;
  }

  /** The loudest weight of a label with this sign, in words, or "". */
  loudest(row, sign) {
    const { frame, perLabel: { most } } = this;
    for (let k = row * most; k < (row + 1) * most; k++) {
      if (frame.bar_term[k] >= 0 && frame.bar[k] * sign > 0) return `${frame.names[frame.bar_term[k]]} (${formatSigned(frame.bar[k])})`;
    }
    return "";
  }

  summarise() {
    const { frame, label } = this;
    if (this.isEmpty || label < 0) return "";
    const parts = [[this.loudest(label, 1), "speaks most for it"], [this.loudest(label, -1), "most against it"]];
    const stands = parts.filter(([name]) => name).map(([name, words]) => `${name} ${words}`).join(", ");
    const words = stands ? [`${this.nameOf(label)}: ${stands}.`] : [`${this.nameOf(label)} was in no row yet.`];
    if (frame.marked && frame.moved_label.length) {
      const since = markSign(frame.marked.number);
      const moved = `${frame.names[frame.moved_term[0]]} from ${formatSigned(frame.moved_from[0])} to ${formatSigned(frame.moved_to[0])}`;
      words.push(`Of all ${several(this.about.noun)} ${this.nameOfId(frame.moved_label[0])} moved most since ${since}: ${moved}.`);
    }
    return words.join(" ");
  }

  describe(row) {
    const { frame, piece } = this, name = this.nameOf(row), { step } = this.placed(row) ?? {};
    const product = (weight, scaled) => `weight ${formatSigned(weight)} × value ${formatSigned(scaled)} (scaled) = ${formatSigned(weight * scaled)}`;
    if (step) return { title: `${name} · ${step.words}${step.times}`, lines: [product((step.to - step.from) / step.value, step.value)] };
    if (piece in frame.columns) {
      const weight = frame.heat[row * frame.columns.length + piece], scaled = frame.values[piece];
      return { title: `${name} · ${frame.names[frame.columns[piece]]}`, lines: scaled === undefined ? [`weight ${formatSigned(weight)}`] : [`in the latest row: ${product(weight, scaled)}`] };
    }
    const lines = [`begins with ${formatSigned(frame.intercept[row])}`];
    for (const [sign, words] of [[1, "for it"], [-1, "against it"]]) if (this.loudest(row, sign)) lines.push(`${words}: ${this.loudest(row, sign)}`);
    if (!Number.isNaN(frame.score[row])) lines.push(`the latest row: ${frame.score[row].toFixed(2)}, ${verdict(frame, row, (each) => this.nameOf(each))}`);
    return { title: name, lines };
  }

  tableRows() {
    const { frame } = this;
    return this.order.map((row) => {
      const isSaid = !Number.isNaN(frame.score[row]);
      return {
        id: this.idOf(row), name: this.nameOf(row),
        cells: [
          this.loudest(row, 1) || "–", this.loudest(row, -1) || "–", formatSigned(frame.intercept[row]), isSaid ? formatSigned(frame.total[row]) : "–",
          isSaid ? frame.score[row].toFixed(2) : "–", ...yesNo(isSaid, frame.answered[row], frame.carried[row]),
        ],
      };
    });
  }

  stats() {
    return { ...super.stats(), labels: this.ids().length, features: this.frame?.columns.length ?? 0, label: this.frame ? this.idOf(this.label) ?? null : null, columns: this.places?.columns ?? 0 };
  }
}

export const render = renderPicture(WeightsView);
