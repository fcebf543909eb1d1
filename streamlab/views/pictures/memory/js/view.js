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
import { SoloGlide, THERE, Tween } from "../../../kit/js/tween.js";
import { AGE, HIGH, MemoryPainter, roundUp } from "./painter.js";

/** The span, the rows from the right edge to the left one, shrinks when less than this share of it is needed. */
const TOO_WIDE = 0.45, SHORTEST = 50;
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
    this.marks = new Tween(3);
    this.span = new SoloGlide([SHORTEST]);
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
    const oldest = frame.id.length ? frame.age[0] : 0, [shown] = this.span.to, later = Math.max(0, frame.now - (before?.now ?? frame.now));
    if (isOther) this.marks.clear();
    this.takeNames();
    if (isOther || oldest > shown || (shown > SHORTEST && oldest < TOO_WIDE * shown)) this.span.aim([Math.max(SHORTEST, roundUp(1.05 * oldest))], now, isOther);
    this.marks.aim(frame.id, now, ({ to }, row) => to.set([frame.age[row], frame.share[row]], AGE), { leave({ to }) {
      // what is dropped goes on ageing, and falls
      if (to[THERE] === 1) to.set([to[AGE] + later, -0.12], AGE);
    } });
    if (jump || isOther) this.finishGlides();
  }

  gliders() {
    return [this.marks, this.span];
  }

  /** Whether a row is filled. */
  isFilled(row) {
    const { frame } = this;
    if (this.label === LATEST) return hasAll(frame, row, this.firstRow());
    return this.label < frame.n_labels && has(frame, row, this.label);
  }

  render(context) {
    if (this.isEmpty) return;
    this.magnify(context);
    this.painter.on(context, { frame: this.frame, view: this }).draw();
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py);
    const row = nearestOf(this.ids(), (id) => {
      const [mx, my] = this.painter.at(this.marks.get(id));
      return Math.hypot(mx - x, my - y);
    }, reach / this.camera.at.k);
    return row < 0 ? null : { id: this.idOf(row) };
  }

  box(row) {
    const [x, y] = this.painter.place(this.frame.age[row], this.frame.share[row], this.span.to[0]);
    return this.camera.see({ x: x - 8, y: y - 8, width: 16, height: 16 });
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  firstRow() {
    return this.frame.id.length - 1;
  }

  /** The rows that were asked about the latest one. */
  asked() {
    return [...this.frame.rank.keys()].filter((row) => this.frame.rank[row] > 0);
  }

  moves(row) {
    const { rank } = this.frame, last = this.firstRow(), asked = this.asked().sort((a, b) => rank[a] - rank[b]), at = asked.indexOf(row);
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
    const asked = this.asked(), right = asked.filter((row) => hasAll(frame, row, this.firstRow())).length;
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
    const { frame } = this;
    return {
      ...super.stats(), rows: frame?.id.length ?? 0, drawn: this.marks.items.size, asked: frame ? this.asked().length : 0, label: this.label,
      held: frame?.held ?? 0, sizes: frame?.sizes.length ?? 0, span: this.span.to[0],
    };
  }
}

export const render = renderPicture(MemoryView);
