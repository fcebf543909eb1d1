/*
 * The projection view: a stream in its learner's first two directions, live.
 *
 * Points are the recent instances, filled where they carry the label chosen, crosses the means of those of a class. The
 * instance under the pointer, or pinned, is linked to its balanced neighbours; bars beside the picture show its score per class. A frame has {subject, now, n_labels, target ([number, x, y] of the instance that scores and links are
 * of, or null: the newest), truth (labels of the target), scored ({answered, true} of the latest row, before it was learned, or null), counted (whether the bars are of that answer)} and the columns in streamlab.views.pictures.projection.picture: of instances,
 * classes and links. In the picture an instance's id is its number, that of label k's mean -1 - k.
 */
import { BARS_CSS } from "../../../kit/js/bars.js";
import { element, setText } from "../../../kit/js/dom.js";
import { Throttled } from "../../../kit/js/drawloop.js";
import { formatCount, formatNumber, formatSigned, fromBefore, plural } from "../../../kit/js/format.js";
import { LabelledView, labelsOf } from "../../../kit/js/families.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { ProjectionPainter, chosenColour } from "./painter.js";
import { Scene, X, Y, carriersOf, towards } from "./scene.js";
import { Scores, outcome } from "./scores.js";

const POINT_EVERY_MS = 70;

const CSS = `
.sl-projection .sl-swatch{width:11px;height:11px;border-radius:50%;flex:none}
.sl-projection .sl-halves{display:grid;grid-template-columns:minmax(0,1fr);gap:16px 24px}
@container (min-width:700px){.sl-projection .sl-halves{grid-template-columns:minmax(0,1.75fr) minmax(270px,1fr)}
  .sl-projection .sl-halves>:last-child{display:flex;flex-direction:column;height:0;min-height:100%}
  .sl-projection .sl-halves .sl-list{flex:1 1 0;min-height:0;max-height:none!important}
  .sl-projection .sl-list>:last-child{display:grid;height:calc(100% - 30px);grid-auto-rows:minmax(25px,38px)}}
@container style(--sl-projected:1){.sl-projection .sl-halves>:last-child{display:none}
  .sl-projection .sl-halves{grid-template-columns:minmax(0,1fr)!important}}
.sl-projection .sl-who{font-weight:600;min-height:1.45em}
.sl-projection :is(.sl-answer,.sl-asked){color:var(--sl-muted);font-size:13px;overflow-wrap:anywhere}
.sl-projection .sl-list{--sl-columns:minmax(48px,var(--sl-names)) minmax(60px,1fr) 52px 64px}
.sl-projection [data-label]{cursor:pointer}
.sl-projection .sl-lit{font-weight:600}
.sl-projection .sl-coloured>:first-child::before{content:"● ";color:var(--sl-chosen)}
.sl-projection .sl-meter::before{display:none}
.sl-projection .sl-tick{position:absolute;top:0;bottom:0;width:2px;margin-left:-1px;background:var(--sl-text)}
.sl-projection .sl-fill{position:absolute;inset:1px 0;transform-origin:left;background:var(--sl-muted);opacity:.55}
.sl-projection .sl-fill.sl-on{opacity:1;background:var(--sl-bar)}
.sl-projection .sl-false{color:var(--sl-down)}.sl-projection .sl-hit{color:var(--sl-up)}.sl-projection .sl-missed{color:var(--sl-muted)}
`;

const meanId = (label) => -1 - label;
const labelOfMean = (id) => (id !== null && id < 0 ? -1 - id : -1);

class ProjectionView extends LabelledView {
  static css = super.css + BARS_CSS + CSS;

  static about = {
    name: "projection", empty: "No instance yet: press play", title: "The stream in two directions", role: "projection", key: "row", noun: "instance", find: "Find a label", word: "pinned",
    free: true, reach: { pointer: 11, touch: 20 },
    keys: "Recent instances in the plane of the first two directions. Arrow keys move to the next instance in a direction, Home to the newest; "
      + "Enter pins it or lets go; Page Up and Page Down choose the label in colour.",
    table: {
      label: "Table of the classes", caption: "One row per class; scores and answers are of the instance shown.", left: [6],
      heads: ["Class", "Weight", "Kept", "Mean", "Threshold", "Score", "Answered"],
    },
  };

  setUp({ label = 0 }) {
    this.label = label;
    this.scene = new Scene();
    this.painter = new ProjectionPainter(this.texts);
    this.told = null;
    this.pointing = new Throttled(() => this.tellPointed(), POINT_EVERY_MS);
  }

  arrange() {
    this.swatch = element("span", { class: "sl-swatch", "aria-hidden": "true" });
    this.scores = new Scores((label) => this.colour(label));
    this.who = element("div", { class: "sl-who" });
    this.answer = element("div", { class: "sl-answer" });
    this.again = element("span");
    this.coloured = element("span");
    const keys = element("div", { class: "sl-asked" }, [this.again]);
    return [
      this.bar(this.chooserOf(this.coloured, "Label in colour", this.swatch)),
      element("div", { class: "sl-halves" }, [
        element("div", {}, [this.stage]), element("div", {}, [this.who, this.answer, keys, this.scores.node]),
      ]),
    ];
  }

  renamed() {
    this.scores.setNames(this.choices().map(([, name]) => name));
  }

  showLabel() {
    this.wrapper.style.setProperty("--sl-chosen", this.swatch.style.background = chosenColour(this.theme));
    super.showLabel();
    this.arrangeNames();
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layOut(width) {
    this.mustFit = true;
    this.scores.node.style.maxHeight = `${Math.max(this.tall - 40, 260)}px`;
    return super.layOut(width);
  }

  accept(frame, before, now, jump) {
    this.isOther = !before?.row.length || before.subject !== frame.subject || frame.now < before.now;
    if (this.isOther) this.scene.clear();
    this.takeNames();
    if (this.isOther || differs(before, frame)) this.scene.take(frame, now);
    if (jump || this.isOther) this.finishGlides();
    this.pointing.request();
  }

  /** Shows what there is; with the fitted view alone, another place is taken only when it is needed. */
  follow(now, jump) {
    if (this.camera.fitted || this.isOther) {
      const bounds = this.scene.bounds(this.frame);
      this.scene.aimView(bounds, this.width, this.height, now, jump || this.isOther, this.mustFit || this.isOther);
    }
    this.isOther = this.mustFit = false;
    this.arrangeNames();
  }

  /** Names follow the places where their means are going. */
  arrangeNames() {
    if (!this.frame || !this.laidOut) return;
    this.aimPainter(this.scene.view.to, this.camera.goal);
    this.painter.arrangeNames(this.scene, this.frame, { label: this.label, name: (k) => this.name(k), ringed: this.ringed() });
  }

  aimPainter(view, camera) {
    this.painter.lookThrough(view, camera, this.camera.fitted);
  }

  look(isByHand) {
    super.look(isByHand);
    this.arrangeNames();
  }

  fit() {
    this.mustFit = true;
    super.fit();
  }

  gliders() {
    const { points, means, view } = this.scene;
    return [points, means, view];
  }

  render(context) {
    if (this.isEmpty) return;
    this.aimPainter(this.scene.view.at, this.camera.at);
    this.painter.on(context).draw(this.scene, this.frame, {
      label: this.label, selected: this.selected, target: this.target(), isDim: (row) => this.isDim(row), oldTo: this.oldTo(),
    });
  }

  /** The first row that was learned after the latest drift, or mark. */
  oldTo() {
    const { before, row, now } = this.frame;
    return before && row.length ? row[row.length - 1] + 1 - (now - before.row) : -Infinity;
  }

  /** The instance that the user points at, else the pinned one, else null. */
  pointed() {
    return this.cursor ?? (this.hovered !== null && this.hovered >= 0 ? this.hovered : null);
  }

  /** The instances with a ring: what is pointed at and what is pinned; else the newest. */
  ringed() {
    const target = this.target();
    return target === null ? this.frame.row.slice(-1) : [target, this.selected];
  }

  target() {
    return this.pointed() ?? this.selected;
  }

  hit(px, py, reach) {
    let [found, nearest] = [null, reach];
    const consider = (mark, id, bonus) => {
      const [x, y] = this.painter.at(mark);
      const away = Math.hypot(x - px, y - py) - bonus;
      if (away < nearest) [found, nearest] = [{ id }, away];
    };
    this.aimPainter(this.scene.view.at, this.camera.at);
    for (const row of this.frame.row) {
      const mark = this.scene.points.get(row);
      if (mark) consider(mark, row, 0);
    }
    for (const mark of this.scene.means.items.values()) consider(mark, meanId(mark.id), 3);
    return found;
  }

  box(row) {
    return this.boxAt(this.frame.x[row], this.frame.y[row]);
  }

  boxAt(px, py) {
    this.aimPainter(this.scene.view.to, this.camera.goal);
    const [x, y] = this.painter.place(px, py);
    return { x: x - 9, y: y - 9, width: 18, height: 18 };
  }

  tip(id) {
    const label = labelOfMean(id);
    if (label < 0) return super.tip(id);
    const mark = this.scene.means.get(label);
    return mark && this.laidOut ? { box: this.boxAt(mark.to[X], mark.to[Y]), ...this.describeMean(label) } : null;
  }

  placeOfMean(label) {
    const box = this.tip(meanId(label))?.box;
    return box ? { x: box.x + 9, y: box.y + 9 } : null;
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  firstRow() {
    return this.frame.row.length - 1;
  }

  moves(row) {
    const go = (direction) => () => towards(this.frame, row, direction);
    return { ArrowUp: go([0, 1]), ArrowDown: go([0, -1]), ArrowLeft: go([-1, 0]), ArrowRight: go([1, 0]), Home: () => this.firstRow() };
  }

  hover(id) {
    super.hover(id);
    this.arrangeNames();
    this.pointing.request();
  }

  moveCursor(row) {
    super.moveCursor(row);
    this.arrangeNames();
    this.pointing.request();
  }

  tellPointed() {
    const pointed = this.frame ? this.pointed() : null;
    if (pointed === this.told) return;
    this.told = pointed;
    this.onChange("pointed", pointed);
  }

  clicked(hit, event) {
    if (event.pointerType === "touch") this.hover(null);
    const label = labelOfMean(hit?.id ?? null);
    if (label >= 0) this.colour(label);
    return label >= 0;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  /** Which instance the scores are of, and its labels: {row, truth}. */
  scored() {
    const { frame } = this;
    if (frame.target) return { row: frame.target[0], truth: new Set(frame.truth) };
    const last = frame.row.length - 1;
    return last < 0 ? { row: null, truth: null } : { row: frame.row[last], truth: new Set(labelsOf(frame, last)) };
  }

  answered() {
    const { frame } = this;
    return Array.from({ length: frame.n_labels }, (_, k) => k).filter((k) => frame.score[k] > frame.threshold[k]);
  }

  /** What became of an answer, in words; both are sets of labels. */
  became(answered, truth) {
    if (this.frame.classes) {
      const [given, true_] = [answered, truth].map((set) => this.list([...set]));
      return given === true_ ? `${given}, right` : `${given}, false: it is ${true_}`;
    }
    const { right, wrong, missed } = outcome(answered, truth);
    return `${right} right, ${wrong} false, ${missed} missed`;
  }

  writeWords() {
    const { frame } = this;
    if (this.isEmpty) return;
    setText(this.coloured, `${frame.classes ? "Class" : "Label"} in colour`);
    const { row, truth } = this.scored();
    const role = row === this.target() ? (row === this.selected ? "pinned" : "pointed at") : "the newest learned";
    // what was counted is the answer before the row was learned; other bars are of one that is asked now: words and bars are of one row
    const scored = row + 1 === frame.now ? frame.scored : null;
    const again = this.became(new Set(this.answered()), truth), of = frame.classes ? "" : ` of ${formatCount(frame.n_labels)} classes`;
    setText(this.who, scored ? `Row ${formatCount(frame.now)}` : `Row ${formatCount(row + 1)}, ${role}, asked again`);
    setText(this.answer, scored ? `Answered: ${this.became(new Set(scored.answered), new Set(scored.true))}${of}` : `${again}${of}`);
    // the marks below are of the second answer: its counts stand with them
    setText(this.again, scored && !frame.counted ? `Asked again after it was learned (${again}). ` : "");
    this.who.title = row + 1 < frame.now ? "Rows are learned in chunks" : "";
    this.scores.write(frame, truth, this.label);
  }

  summarise() {
    const { frame } = this;
    if (this.isEmpty) return "";
    const carriers = carriersOf(frame)[this.label] ?? 0;
    // there is room for one of them: after a drift it is what tells why answers are old ones
    const asks = frame.before ? "" : " Rare or common, each class has the same number of its rows asked.";
    return `${fromBefore(frame.before)}Each mark is one of the newest ${plural(frame.row.length, "row")} kept; ${formatCount(carriers)} ${carriers === 1 ? "has" : "have"} `
      + `${this.name(this.label)}.${asks}`;
  }

  describe(i) {
    const { frame } = this;
    const lines = [`true: ${this.list(labelsOf(frame, i))}`];
    if (frame.target?.[0] === frame.row[i]) lines.push(`answered: ${this.list(this.answered())}`);
    // beside the instance a tooltip would hide its links
    return { title: `Instance ${formatCount(frame.row[i] + 1)}`, lines, place: "corner" };
  }

  describeMean(k) {
    const { frame } = this;
    return {
      title: this.name(k),
      lines: ["the middle of its rows shown", `${plural(frame.window[k], "row")} kept`, ...(k === this.label ? [] : ["click: this label in colour"])],
    };
  }

  tableRows() {
    const { frame } = this;
    const { truth } = this.scored();
    const answer = (k) => (frame.score[k] > frame.threshold[k] ? (truth?.has(k) ? "yes, right" : "yes, false") : truth?.has(k) ? "no, missed" : "no");
    return Array.from({ length: frame.n_labels }, (_, k) => ({
      id: k, name: this.name(k),
      cells: [
        formatNumber(frame.weight[k]), formatCount(frame.window[k]),
        Number.isNaN(frame.mean_x[k]) ? "–" : `${formatSigned(frame.mean_x[k])}, ${formatSigned(frame.mean_y[k])}`,
        formatSigned(frame.threshold[k]), formatSigned(frame.score[k]), answer(k),
      ],
    }));
  }

  stats() {
    const { frame, scene } = this;
    const [x, y, step] = scene.view.to;
    return {
      ...super.stats(), points: frame?.row.length ?? 0, drawn_points: scene.points.items.size, means: scene.means.items.size,
      newest: frame?.row.length ? frame.row[frame.row.length - 1] : null,
      links: frame?.link_row.length ?? 0, target: frame?.target?.[0] ?? null, pinned: this.selected, label: this.label,
      camera: [x, y, step * this.camera.goal.k], names: this.painter.spots.filter(Boolean).length,
    };
  }

  destroy() {
    this.pointing.stop();
    super.destroy();
  }
}

/** Most frames bring nothing new to the plane: it changes once a chunk. */
function differs(before, frame) {
  const last = frame.row.length - 1;
  return before.row.length !== frame.row.length || before.row[last] !== frame.row[last] || before.row[0] !== frame.row[0]
    || ["x", "y", "mean_x", "mean_y"].some((name) => frame[name].some((value, i) => !Object.is(value, before[name][i])));
}

export const render = renderPicture(ProjectionView);
