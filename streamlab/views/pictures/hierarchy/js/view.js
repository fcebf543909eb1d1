/*
 * The hierarchy view: the classes of a label hierarchy as a tree or as a sunburst.
 *
 * A class's colour is its recent hF, its size how often it came recently. The true path of the latest instance is a solid line, the
 * predicted one a dashed line beside it; where a walk decided or stopped, the distances to the candidates stand at them. Wide, the
 * tree grows from left to right; narrow, it is an outline with a row for each class. A frame has {subject, now, playing, n_nodes}
 * and the columns of CLASSES in streamlab.views.pictures.hierarchy.picture, a class before all below it.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { segments } from "../../../kit/js/controls.js";
import { Throttled } from "../../../kit/js/drawloop.js";
import { FoldingView } from "../../../kit/js/families.js";
import { formatCount, formatNumber } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { isProjected } from "../../../kit/js/room.js";
import { nearestOf, outside } from "../../../kit/js/numbers.js";
import { placeOutline, placeSunburst, placeTree, seenBy } from "./layout.js";
import { LEGIBLE, SunburstPainter, TreePainter, distanceText, score } from "./painter.js";
import { describe, onPath, summarise } from "./words.js";

/** While instances stream by, the lit path moves this often at most: it can be read, and does not flicker. */
const LIT_EVERY_MS = 600;
const LIT = ["true", "predicted", "stopped", "tied", "compared", "distance", "now"];

const CSS = `
.sl-hierarchy .sl-stage{overflow:hidden;min-height:120px}
`;

class HierarchyView extends FoldingView {
  static css = CSS;

  static parameters = ["more_parents", "shape"];

  static about = {
    name: "hierarchy", empty: "No row yet: press play", title: "The hierarchy", role: "hierarchy", noun: "class",
    find: "Find a class", nearest: 48, reach: { pointer: 8, touch: 14 },
    keys: "Classes of the hierarchy. Up and down go through the classes, left to the parent, right to the first child; Enter selects, "
      + "C folds or unfolds.",
    table: {
      label: "Table of the classes", caption: "One row per class drawn, each followed by what is below it.", left: [8], choose: true,
      heads: ["Class", "Level", "hF", "hP", "hR", "Recent", "In all", "Distance", "Latest row"],
    },
  };

  setUp({ more_parents: moreParents = [], shape = "tree" }) {
    this.more_parents = moreParents;
    this.shape = shape;
    this.lit = this.layout = null;
    this.relit = 0;
    this.relight = new Throttled(() => this.light(), LIT_EVERY_MS);
    this.name = (row) => this.nameOf(row);
  }

  arrange() {
    this.shapes = segments("Shape of the picture", [["tree", "Tree"], ["sunburst", "Sunburst"]], (shape) => this.chooseShape(shape));
    this.showShape();
    return [this.bar(this.shapes.node), this.stage];
  }

  changed(name) {
    if (name !== "shape") return;
    this.showShape();
    this.camera.reset();
    this.resize();
  }

  showShape() {
    this.shapes.press(this.shape);
  }

  /** Before a class all classes are seen at once, which a list of them is too long for. */
  get isSunburst() {
    return this.shape === "sunburst" || Boolean(this.fills && isProjected(this.part));
  }

  chooseShape(shape) {
    if (shape === this.shape) return;
    this.set("shape", shape);
    this.onChange("shape", shape);
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame, before) {
    const isSame = before && before.id.length === frame.id.length && before.id.every((id, i) => id === frame.id[i]);
    // in the sunburst the places follow the weights
    if (!isSame || this.isSunburst) this.laidOut = null;
    if (!frame.playing || !this.lit || !isSame) this.light();
    else this.relight.request();
  }

  /** From now on the latest instance of the newest frame is the one that is lit. */
  light() {
    const { frame } = this;
    if (!frame) return;
    if (this.lit?.now !== frame.now) this.relit++;
    this.lit = Object.fromEntries(LIT.map((name) => [name, frame[name]]));
    this.text.request();
    this.loop.request();
  }

  catchUp() {
    super.catchUp();
    this.light();
  }

  /** Before the first instance the classes are known, and nothing of them. */
  get isEmpty() {
    return super.isEmpty || this.frame.now === 0;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layoutKey() {
    return `${this.isSunburst}`;
  }

  layOut(width) {
    if (!this.ids().length) return 160;
    if (this.isSunburst) this.layout = placeSunburst(this.frame, width, this.fills ? this.tall : undefined);
    else this.layout = width < NARROW ? placeOutline(this.frame) : placeTree(this.frame, width, this.tall, this.fills);
    return this.layout.height;
  }

  render(context) {
    if (!this.ids().length || !this.layout) return;
    const { frame, theme } = this;
    const row = (id) => this.rowOf(id);
    const marked = this.marked(theme.ink).reverse();
    const given = {
      context, frame, theme, texts: this.texts, layout: this.seen(this.camera.at), width: this.width, height: this.height, name: this.name,
      lit: frame.now > 0 ? this.lit : null, isDim: (each) => this.isDim(frame.id[each]),
    };
    if (this.isSunburst) {
      this.magnify(context);
      new SunburstPainter(given).draw(marked);
    } else new TreePainter(given).draw(this.more_parents.map((pair) => pair.map(row)).filter(([a, b]) => a >= 0 && b >= 0), marked);
  }

  /** The places as a camera sees them; the sunburst is magnified as a whole. */
  seen(camera) {
    return this.isSunburst ? this.layout : seenBy(this.layout, camera, this.width);
  }

  /** A disc or its name; in the sunburst a slice. */
  hit(px, py, reach) {
    const { frame } = this, layout = this.seen(this.camera.at);
    if (this.isSunburst) {
      const [x, y] = this.camera.place(px, py);
      const [dx, dy] = [x - layout.cx, y - layout.cy];
      const radius = Math.hypot(dx, dy), angle = (Math.atan2(dx, -dy) + 2 * Math.PI) % (2 * Math.PI);
      const row = layout.places.findIndex(({ from, to, inner, outer }) => radius >= inner && radius < outer && angle >= from && angle < to);
      return row < 0 ? null : { id: frame.id[row] };
    }
    const row = nearestOf(layout.places, ({ x, y, isOuter, room, step = 0 }) => (isOuter
      ? outside({ x: x - 8, y: y - room / 2, width: this.width - x + 8, height: room }, px, py)
      : outside({ x: x - step + 26, y: y - 18, width: step - 16, height: 28 }, px, py)), reach);
    return row < 0 ? null : { id: frame.id[row] };
  }

  box(row) {
    if (!this.layout?.places[row]) return null;
    if (this.isSunburst) return this.camera.see(this.fittedBox(row));
    const { x, y } = this.seen(this.camera.goal).places[row];
    return { x: x - 10, y: y - 10, width: 20, height: 20 };
  }

  fittedBox(row) {
    const { x, y } = this.layout.places[row];
    return { x: x - 10, y: y - 10, width: 20, height: 20 };
  }

  seenPart() {
    const part = super.seenPart(), { across } = this.seen(this.camera.at);
    return across ? { ...part, x: across.from, width: across.width } : part;
  }

  describe(row) {
    return describe(this.frame, this.lit, row, this.name);
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  moves(row) {
    const { frame } = this;
    const last = frame.id.length - 1;
    return {
      ArrowUp: () => Math.max(row - 1, 0), ArrowDown: () => Math.min(row + 1, last), ArrowLeft: () => frame.parent[row],
      ArrowRight: () => frame.parent.indexOf(row), Home: () => 0, End: () => last,
    };
  }

  foundText() {
    return `${formatCount(this.found.size)} of ${formatCount(this.ids().length)} classes`;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  summarise() {
    const isClose = this.layout?.room * this.camera.goal.k < LEGIBLE;
    return `${summarise(this.frame, this.name, this.lit)}${isClose ? " Names of all classes are there when you zoom in." : ""}`;
  }

  tableRows() {
    const { frame, lit } = this;
    return Array.from(frame.id, (id, i) => ({
      id, name: this.name(i), indent: 10 * frame.depth[i],
      cells: [
        `${frame.depth[i] + 1}`, score(frame.hf[i]), score(frame.hp[i]), score(frame.hr[i]), formatNumber(frame.weight[i]),
        formatCount(frame.arrivals[i]), lit && !Number.isNaN(lit.distance[i]) ? distanceText(lit.distance[i]) : "–", onPath(lit, i) || "–",
      ],
    }));
  }

  stats() {
    const lit = (flag) => (this.lit ? Array.from(this.ids()).filter((_, i) => this.lit[flag][i]) : []);
    return {
      ...super.stats(), relit: this.relit, classes: this.ids().length, shape: this.shape, outline: Boolean(this.layout?.narrow), height: this.height ?? 0,
      truth: lit("true"), predicted: lit("predicted"), compared: lit("compared"), stopped: lit("stopped"), subject: this.frame?.subject ?? null,
    };
  }

  destroy() {
    this.relight.stop();
    super.destroy();
  }
}

export const render = renderPicture(HierarchyView);
