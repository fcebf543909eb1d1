/*
 * The memory view: the rows that a learner remembers, by age and by what they are kept or dropped by, live.
 *
 * A point is a row: to the right the newest, high up what is safe, at the bottom what leaves next. Those that were asked about the
 * latest row have a ring, and a line to it. Filled points have the label in colour, or exactly the labels of the latest row. The
 * strip below is the number of rows remembered, at the same ages. A frame has {subject, now, n_labels, held, most, measure, leaves,
 * best, worst} and the columns in streamlab.views.pictures.memory.picture: of rows, oldest first, their labels, and sizes.
 */
import { CanvasView, NARROW } from "../../../kit/js/canvas_view.js";
import { Legend } from "../../../kit/js/controls.js";
import { element, setText } from "../../../kit/js/dom.js";
import { cut, formatCount, formatNumber, plural } from "../../../kit/js/format.js";
import { hue } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { Painter, signs } from "./painter.js";
import { Scene, has, hasAll, labelsOf } from "./scene.js";

const NARROW_HEIGHT = 340;
const LONGEST_NAME = 18;
/** Beyond so many a list of labels is cut short. */
const MOST_NAMED = 6;
/** The labels of the latest row, in place of a label in colour. */
const LATEST = -1;

const CSS = `
.sl-memory label{display:inline-flex;gap:8px;align-items:center;font-size:12px;color:var(--sl-muted);min-width:0}
.sl-memory select{font-size:13px;color:var(--sl-text);background:var(--sl-paper);height:30px;max-width:240px;padding:0 6px;
  border:1px solid var(--sl-control);border-radius:6px}
`;

class MemoryView extends CanvasView {
  static css = CSS;

  static parameters = ["label"];

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
    this.painter = new Painter(this.texts);
    this.named = null;
    this.name = (k) => this.labels[k] ?? `label ${k}`;
  }

  arrange() {
    this.chooser = element("select", { "aria-label": "Labels in colour" });
    this.chooser.addEventListener("change", () => this.colour(Number(this.chooser.value)));
    this.withLabel = element("span");
    const colour = (theme) => this.colourOf(theme);
    this.legend = new Legend([
      [signs.dot(colour, true), this.withLabel], [signs.dot(colour, false), "other rows"], [signs.newest, "the latest row"],
      [signs.asked, "its neighbours: they gave the answer"], [signs.sizes, "rows remembered"],
    ]);
    return [this.bar(element("label", {}, ["In colour", this.chooser])), this.legend.node, this.stage];
  }

  /** What rows have. */
  get own() {
    return this.frame?.noun === "class" ? "class" : "labels";
  }

  colourOf(theme) {
    return this.label === LATEST ? theme.accent : hue(theme, this.label);
  }

  changed(name) {
    if (name === "labels") this.named = null;
    this.takeNames();
    this.showLabel();
  }

  takeNames() {
    const names = Array.from({ length: this.frame?.n_labels ?? this.labels.length }, (_, k) => this.name(k));
    const key = [this.own, ...names].join("\n");
    if (key === this.named) return;
    this.named = key;
    const options = [[LATEST, `the latest row’s ${this.own}`], ...names.map((name, k) => [k, name])];
    this.chooser.replaceChildren(...options.map(([value, text]) => element("option", { value: String(value), text })));
    this.showLabel();
  }

  showLabel() {
    this.chooser.value = String(this.label);
    setText(this.withLabel, this.label === LATEST ? `same ${this.own} as the latest` : `with ${cut(this.name(this.label), LONGEST_NAME)}`);
    this.legend.draw(this.theme);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layoutKey() {
    return `${this.tall}`;
  }

  layOut(width) {
    const isNarrow = width < NARROW, height = isNarrow ? Math.min(this.tall, NARROW_HEIGHT) : this.tall;
    this.painter.fit(width, height, isNarrow);
    return height;
  }

  accept(frame, before, now, jump) {
    const isOther = !before?.id.length || before.subject !== frame.subject || frame.now < before.now;
    if (isOther) this.scene.clear();
    this.takeNames();
    this.scene.take(frame, now);
    if (jump || isOther) this.scene.finish();
  }

  advance(now) {
    this.scene.advance(now);
  }

  get gliding() {
    return this.scene.moving;
  }

  finishGlides() {
    this.scene.finish();
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
    this.painter.draw(context, this.scene, this.frame, {
      theme: this.theme, colour: this.colourOf(this.theme), isFilled: (row) => this.isFilled(row), isDim: (id) => this.isDim(id),
      marked: [[this.selected, this.theme.strong], [this.cursor ?? this.hovered, this.theme.lit]],
    });
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py);
    let [found, nearest] = [null, reach / this.camera.at.k];
    for (const mark of this.scene.marks.items.values()) {
      if (mark.row < 0) continue;
      const [mx, my] = this.painter.at(mark);
      const away = Math.hypot(mx - x, my - y);
      if (away <= nearest) [found, nearest] = [{ id: mark.id }, away];
    }
    return found;
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

  acts() {
    const n = this.frame.n_labels + 1;
    const turn = (by) => this.colour(((this.label + 1 + by + n) % n) - 1);
    return { PageDown: () => turn(1), PageUp: () => turn(-1) };
  }

  /** The user's choice of what is in colour. */
  colour(label) {
    if (label === this.label) return;
    this.set("label", label);
    this.onChange("label", label);
    this.say(label === LATEST ? `Rows with the latest row’s ${this.own} are in colour.` : `${this.name(label)} is in colour.`);
    this.showTip();
  }

  matches(row, query) {
    return labelsOf(this.frame, row).some((k) => this.name(k).toLowerCase().includes(query));
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  list(row, most = MOST_NAMED) {
    const names = labelsOf(this.frame, row).map((k) => this.name(k));
    const more = names.length > most ? ` and ${names.length - most} more` : "";
    return names.length ? `${names.slice(0, most).join(", ")}${more}` : "none";
  }

  standing(row) {
    return `${this.frame.measure} ${formatNumber(this.frame.standing[row])}`;
  }

  describe(row) {
    const { frame } = this;
    const lines = [`${this.own}: ${this.list(row)}`, `${plural(frame.age[row], "row")} old, ${this.standing(row)}`];
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
        frame.rank[row] ? String(frame.rank[row]) : "–", this.list(row, 20),
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

export const createMemoryView = (root, options) => new MemoryView(root, options);
export const render = renderPicture(MemoryView);
