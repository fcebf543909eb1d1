/*
 * The projection view: the rows that a learner keeps, in the plane of the first two directions, live. Filled points came since the latest
 * drift, squares are from before it; each class's name is in the middle of its rows. The latest row, or the one that is pointed at or pinned, is
 * linked to those that answer it. A frame has {subject, now, n_labels, target ([number, x, y] of the row that the links are of, or null), truth
 * (its labels), before, n_old (rows from before it), bounds ([left, right, low, high] of what should be seen)} and the columns in
 * streamlab.views.pictures.projection.picture: of rows, classes and links. In the picture a row's id is its number, that of label k's mean -1 - k.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { Throttled } from "../../../kit/js/drawloop.js";
import { formatCount, formatSigned, fromBefore, plural } from "../../../kit/js/format.js";
import { LabelledView, labelsOf } from "../../../kit/js/families.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { HEAD, ProjectionPainter } from "./painter.js";
import { Scene, X, Y, saidOf } from "./scene.js";

const POINT_EVERY_MS = 70;
const NARROW_HEIGHT = 172;

const meanId = (label) => -1 - label;
const labelOfMean = (id) => (id !== null && id < 0 ? -1 - id : -1);

class ProjectionView extends LabelledView {
  static about = {
    name: "projection", empty: "No instance yet: press play", title: "The stream in two directions", role: "projection", key: "row", noun: "instance", find: "Find a label", word: "pinned",
    free: true, reach: { pointer: 11, touch: 20 },
    keys: "Recent instances in the plane of the first two directions. Arrow keys move to older and newer ones, Home to the newest; "
      + "Enter pins it or lets go; Page Up and Page Down choose the label in colour.",
    table: {
      label: "Table of the classes", caption: "One row per class.", heads: ["Class", "Rows", "Mean"],
    },
  };

  setUp({ label = -1 }) {
    this.label = label;
    this.scene = new Scene();
    this.painter = new ProjectionPainter(this.texts);
    this.told = null;
    this.pointing = new Throttled(() => this.tellPointed(), POINT_EVERY_MS);
  }

  arrange() {
    return [this.bar(), this.stage];
  }

  takeNames() {}

  showLabel() {
    this.arrangeNames();
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layOut(width) {
    this.mustFit = true;
    // on a phone two of them are seen at once
    const height = super.layOut(width), least = Math.min(height, this.low || NARROW_HEIGHT);
    if (this.fills || width >= NARROW) return height;
    this.painter.fit(width, least, true);
    return least;
  }

  accept(frame, before, now, jump) {
    this.isOther = !before?.row.length || before.subject !== frame.subject || frame.now < before.now;
    if (this.isOther) this.scene.clear();
    if (this.isOther || differs(before, frame)) this.scene.take(frame, now);
    if (jump || this.isOther) this.finishGlides();
    this.pointing.request();
  }

  /** Shows what there is; with the fitted view alone, another place is taken only when it is needed. */
  follow(now, jump) {
    if (this.camera.fitted || this.isOther) {
      this.scene.aimView(this.frame.bounds, this.width, this.height - HEAD, now, jump || this.isOther, this.mustFit || this.isOther);
    }
    this.isOther = this.mustFit = false;
    this.arrangeNames();
  }

  /** Names follow the places where their means are going. */
  arrangeNames() {
    if (!this.frame || !this.laidOut) return;
    this.aimPainter(this.scene.view.to, this.camera.goal);
    const { painter, scene, frame } = this, pinned = scene.points.get(this.selected), name = (k) => this.name(k);
    const rings = [pinned && painter.goal(pinned), frame.target && painter.placeOf(scene, frame.target, "goal")].filter(Boolean);
    painter.arrangeNames(scene, frame, { label: this.label, name, rings, said: frame.target && saidOf(frame, this.oldTo(), name) });
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
      label: this.label, selected: this.selected, isPointed: this.target() !== null, isDim: (row) => this.isDim(row), oldTo: this.oldTo(),
    });
  }

  /** The first row that came after the latest drift, or mark: the oldest of those drawn are from before it. */
  oldTo() {
    const { n_old: old, row } = this.frame;
    return old > 0 ? row[old - 1] + 1 : -Infinity;
  }

  /** The instance that the user points at, else the pinned one, else null. */
  pointed() {
    return this.cursor ?? (this.hovered !== null && this.hovered >= 0 ? this.hovered : null);
  }

  target() {
    return this.pointed() ?? this.selected;
  }

  /** A row, or a class by its name. */
  hit(px, py, reach) {
    const { points, means, view } = this.scene, rows = Array.from(this.frame.row, (row) => [row, points.get(row), 0]).filter(([, mark]) => mark);
    const marks = [...rows, ...Array.from(means.items.values(), (mark) => [meanId(mark.id), mark, 3])];
    this.aimPainter(view.at, this.camera.at);
    const found = nearestOf(marks, ([, mark, bonus]) => {
      const [x, y] = this.painter.at(mark);
      return Math.hypot(x - px, y - py) - bonus;
    }, reach);
    return found < 0 ? null : { id: marks[found][0] };
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

  /* --- what the user does --------------------------------------------------------------------------------------- */

  firstRow() {
    return this.frame.row.length - 1;
  }

  moves(row) {
    const last = this.firstRow(), older = () => Math.max(row - 1, 0), newer = () => Math.min(row + 1, last);
    return { ArrowUp: newer, ArrowDown: older, ArrowLeft: older, ArrowRight: newer, Home: () => last };
  }

  hover(id) {
    super.hover(id);
    this.pointing.request();
  }

  moveCursor(row) {
    super.moveCursor(row);
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
    if (label >= 0) this.colour(label === this.label ? -1 : label);
    return label >= 0;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  saysColour(label) {
    return label < 0 ? "No class is in colour." : super.saysColour(label);
  }

  summarise() {
    const { frame, label } = this;
    if (this.isEmpty) return "";
    const carriers = frame.rows[label] ?? 0;
    const chosen = label < 0 ? "" : `; ${formatCount(carriers)} ${carriers === 1 ? "has" : "have"} ${this.name(label)}`;
    return `${fromBefore(frame.before)}Each mark is one of the newest ${plural(frame.row.length, "row")} kept${chosen}.`;
  }

  describe(i) {
    const { frame } = this;
    const lines = [`true: ${this.list(labelsOf(frame, i))}`];
    // beside the instance a tooltip would hide its links
    return { title: `Instance ${formatCount(frame.row[i] + 1)}`, lines, place: "corner" };
  }

  describeMean(k) {
    const { frame } = this;
    return {
      title: this.name(k),
      lines: ["the middle of its rows shown", plural(frame.rows[k], "row"), ...(k === this.label ? [] : ["click: this label in colour"])],
    };
  }

  tableRows() {
    const { frame } = this;
    return Array.from({ length: frame.n_labels }, (_, k) => ({
      id: k, name: this.name(k),
      cells: [
        formatCount(frame.rows[k]),
        Number.isNaN(frame.mean_x[k]) ? "–" : `${formatSigned(frame.mean_x[k])}, ${formatSigned(frame.mean_y[k])}`,
      ],
    }));
  }

  stats() {
    const { frame, scene } = this;
    return {
      ...super.stats(), points: frame?.row.length ?? 0, drawn_points: scene.points.items.size, means: scene.means.items.size,
      newest: frame?.row.length ? frame.row[frame.row.length - 1] : null,
      links: frame?.link_row.length ?? 0, target: frame ? this.target() : null, names: this.painter.spots.filter(Boolean).length,
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
