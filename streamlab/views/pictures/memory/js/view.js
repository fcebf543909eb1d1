/*
 * The memory view: the rows that a learner remembers, by age and by what they are kept or dropped by, live.
 *
 * A point is a row: to the right the newest, high up what is safe, at the bottom what leaves next. Those that were asked about the
 * latest row have a ring, and a line to it. Filled points have the label in colour, or exactly the labels of the latest row. The
 * strip below is the number of rows remembered, at the same ages. A frame has {subject, now, n_labels, held, most, measure, leaves,
 * best, worst} and the columns in streamlab.views.pictures.memory.picture: of rows, oldest first, their labels, and sizes.
 */
import { formatCount, formatNumber, plural } from "../../../kit/js/format.js";
import { hue } from "../../../kit/js/palette.js";
import { LabelledView, has, hasAll, labelsOf } from "../../../kit/js/families.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { MemoryPainter } from "./painter.js";
import { Scene } from "./scene.js";

/** The labels of the latest row, in place of a label in colour. */
const LATEST = -1;

class MemoryView extends LabelledView {
  static css = `${super.css}.sl-memory .sl-in-colour select{max-width:240px}`;

  static about = {
    name: "memory", empty: "Nothing remembered yet: press play", title: "Rows remembered, by age and standing", role: "memory", noun: "row",
    find: "Find a label", reach: { pointer: 9, touch: 18 },
    keys: "Remembered rows. Left and right arrow keys move to older and newer rows, up and down to the rows asked about the latest one, "
      + "Home to the newest; Enter selects; Page Up and Page Down choose the label in colour.",
    table: {
      label: "Table of the rows", caption: "One row per remembered row, the newest first.", left: [6], choose: true,
      heads: ["Row", "Age", "Fitness or errors", "Asked", "All labels right", "Neighbour of the latest", "Labels"],
    },
  };

  setUp({ label = LATEST }) {
    this.label = label;
    this.scene = new Scene();
    this.painter = new MemoryPainter(this.texts);
  }

  arrange() {
    return [this.bar(this.chooserOf("In colour", "Labels in colour")), this.stage];
  }

  /** What rows have. */
  get own() {
    return this.frame?.noun === "class" ? "class" : "labels";
  }

  colourOf(theme) {
    return this.label === LATEST ? theme.accent : hue(theme, this.label);
  }

  choices() {
    return [[LATEST, `the latest row’s ${this.own}`], ...super.choices()];
  }

  saysColour(label) {
    return label === LATEST ? `Rows with the latest row’s ${this.own} are in colour.` : super.saysColour(label);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  accept(frame, before, now, jump) {
    const isOther = !before?.id.length || before.subject !== frame.subject || frame.now < before.now;
    if (isOther) this.scene.clear();
    this.takeNames();
    this.scene.take(frame, now);
    if (jump || isOther) this.finishGlides();
  }

  gliders() {
    return [this.scene.marks, this.scene.span];
  }

  /** Whether a row is filled. */
  isFilled(row) {
    const { frame } = this;
    if (this.label === LATEST) return hasAll(frame, row, frame.id.length - 1);
    return this.label < frame.n_labels && has(frame, row, this.label);
  }

  render(context) {
    if (this.isEmpty) return;
    this.magnify(context);
    this.painter.on(context).draw(this.scene, this.frame, {
      colour: this.colourOf(this.theme), isFilled: (row) => this.isFilled(row), isDim: (id) => this.isDim(id),
      marked: this.marked(this.theme.strong, this.theme.lit),
    });
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py);
    const marks = this.scene.marks.items, marked = Array.from(this.ids(), (id) => marks.get(id)).filter(Boolean);
    const found = nearestOf(marked, (mark) => {
      const [mx, my] = this.painter.at(mark);
      return Math.hypot(mx - x, my - y);
    }, reach / this.camera.at.k);
    return found < 0 ? null : { id: marked[found].id };
  }

  box(row) {
    const [x, y] = this.painter.place(this.scene.span.to[0], this.frame.age[row], this.frame.share[row]);
    return this.camera.see({ x: x - 8, y: y - 8, width: 16, height: 16 });
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  firstRow() {
    return this.frame.id.length - 1;
  }

  /** The rows that were asked about the latest one, the nearest first. */
  asked() {
    const { rank } = this.frame;
    return Array.from(rank.keys()).filter((row) => rank[row] > 0).sort((a, b) => rank[a] - rank[b]);
  }

  moves(row) {
    const last = this.frame.id.length - 1, asked = this.asked(), at = asked.indexOf(row);
    const turn = (by) => (asked.length ? asked[at < 0 ? 0 : (at + by + asked.length) % asked.length] : -1);
    return {
      ArrowLeft: () => row - 1, ArrowRight: () => (row < last ? row + 1 : -1), Home: () => last, End: () => 0,
      ArrowDown: () => turn(1), ArrowUp: () => turn(-1),
    };
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  standing(row) {
    return `${this.frame.measure} ${formatNumber(this.frame.standing[row])}`;
  }

  describe(row) {
    const { frame } = this;
    const lines = [`${this.own}: ${this.list(labelsOf(frame, row))}`, `${plural(frame.age[row], "row")} old, ${this.standing(row)}`];
    if (frame.asked[row]) lines.push(`asked ${plural(frame.asked[row], "time")}, ${this.own === "class" ? "right" : "all labels right"} ${formatCount(frame.right[row])}`);
    if (frame.rank[row]) lines.push(`neighbour ${frame.rank[row]} of the latest row`);
    if (frame.age[row] === 0) lines.push("the latest row");
    return { title: `Row ${formatCount(frame.id[row] + 1)}`, lines };
  }

  summarise() {
    const { frame } = this;
    if (this.isEmpty) return "";
    const asked = this.asked(), last = frame.id.length - 1;
    const right = asked.filter((row) => hasAll(frame, row, last)).length;
    const words = `Remembers ${plural(frame.held, "row")} of ${formatCount(frame.most)} at most; a row is ${frame.leaves}.`;
    if (!frame.answered_by) return words;
    const gone = frame.answered_by - asked.length;
    const left = gone > 0 ? `; ${formatCount(gone)} ${gone === 1 ? "is" : "are"} forgotten since` : "";
    return `${words} ${plural(frame.answered_by, "row")} answered the latest one: ${right ? formatCount(right) : "none"} had ${this.own === "class" ? "its class" : "exactly its labels"}${left}.`;
  }

  tableRows() {
    const { frame } = this;
    return Array.from(frame.id, (id, row) => ({
      id, name: formatCount(id + 1),
      cells: [
        formatCount(frame.age[row]), formatNumber(frame.standing[row]),
        // in a loop of one's own nobody knows
        ...[frame.asked[row], frame.right[row]].map((times) => (frame.answered_by ? formatCount(times) : "–")),
        frame.rank[row] ? String(frame.rank[row]) : "–", this.list(labelsOf(frame, row), 20),
      ],
    })).reverse();
  }

  stats() {
    const { frame, scene } = this;
    return {
      ...super.stats(), rows: frame?.id.length ?? 0, drawn: scene.marks.items.size, asked: frame ? this.asked().length : 0, label: this.label,
      held: frame?.held ?? 0, sizes: frame?.sizes.length ?? 0, span: scene.span.to[0],
    };
  }
}

export const render = renderPicture(MemoryView);
