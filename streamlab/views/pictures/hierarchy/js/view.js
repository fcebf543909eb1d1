/*
 * The hierarchy view: the classes of a label hierarchy as a tree, with a bar for each of one or two learners at each group of leaves.
 *
 * A bar is as long as the group's recent hF; its grey end was lost since the mark, and the group that lost most is in colour. The true way
 * of the latest row is a strong line; where a learner left it its own is a dashed one in its colour, and the class is named. Wide, the tree
 * grows from left to right; narrow, it is an outline. Where not all leaves have room for their names there is a row for each group,
 * which names them; they are there when it is selected, and all of them while something is looked for. A frame has {subject, now, playing, n_nodes, learners,
 * mark, hurt} and the columns of CLASSES in streamlab.views.pictures.hierarchy.picture, a class before all below it.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { Throttled } from "../../../kit/js/drawloop.js";
import { FoldingView } from "../../../kit/js/families.js";
import { formatCount, formatNumber } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { isProjected } from "../../../kit/js/room.js";
import { nearestOf, outside } from "../../../kit/js/numbers.js";
import { HEAD, barsOf, foldedTo, grouped, isTight, placeOutline, placeTree, seenBy } from "./layout.js";
import { LEGIBLE, TreePainter } from "./painter.js";
import { answersOf, describe, line, litBy, onPath, score, summarise, verdicts } from "./words.js";

/** While instances stream by, the lit path moves this often at most: it can be read, and does not flicker. */
const LIT_EVERY_MS = 600;
/** On a projector a row has at least this height, px. */
const LEAST_ROW = 11;
/** Of the tree's width, what names of groups take, with what is in them. */
const NAMED = 0.5;
const HEADS = ["Class", "Level", "Recent", "In all"], OF_LEARNER = ["hF", "hP", "hR", "Latest row"];

const CSS = `
.sl-hierarchy .sl-stage{overflow:hidden;min-height:120px}
`;

class HierarchyView extends FoldingView {
  static css = CSS;

  static parameters = ["more_parents"];

  static about = {
    name: "hierarchy", empty: "No row yet: press play", title: "The hierarchy", role: "hierarchy", noun: "class",
    find: "Find a class", nearest: 48, reach: { pointer: 8, touch: 14 },
    keys: "Classes of the hierarchy. Up and down go through the classes, left to the parent, right to the first child; Enter selects, "
      + "C folds or unfolds.",
    table: {
      label: "Table of the classes", caption: "One row per class drawn, each followed by what is below it.", choose: true,
      heads: [...HEADS, ...OF_LEARNER],
    },
  };

  setUp({ more_parents: moreParents = [] }) {
    this.more_parents = moreParents;
    this.lit = this.layout = null;
    this.relit = 0;
    this.relight = new Throttled(() => this.light(), LIT_EVERY_MS);
    this.name = (row) => this.nameOf(row);
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame, before) {
    this.whole = frame;
    this.fold();
    const isSame = before && this.ofIds === String(frame.id);
    this.ofIds = String(frame.id);
    this.setHeads(frame);
    if (!isSame) this.laidOut = null;
    if (!frame.playing || !this.lit || !isSame) this.light();
    else this.relight.request();
  }

  /** The table has columns for each learner. */
  setHeads(frame) {
    const names = answersOf(frame).map(({ name }) => name), of = names.join("\n");
    if (of === this.headed) return;
    this.headed = of;
    this.table.setHeads([...HEADS, ...names.flatMap((name) => OF_LEARNER.map((head) => (names.length > 1 ? `${name}: ${head}` : head)))]);
  }

  /** From now on the latest instance of the newest frame is the one that is lit. */
  light() {
    const { frame } = this;
    if (!frame) return;
    if (this.lit?.now !== frame.now) this.relit++;
    this.lit = litBy(this.whole);
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

  /** On a projector nothing scrolls: what has no room there is folded; where leaves stand too close they are, but for those of the group that is selected. */
  fold(width = this.width) {
    const { whole } = this;
    const isClose = width < NARROW || (this.fills && isTight(whole, this.tall) && !isTight(grouped(whole, -1), this.tall));
    if (this.fills && isProjected(this.part)) this.frame = foldedTo(whole, this.tall - HEAD, LEAST_ROW);
    else this.frame = isClose && !this.search.query ? grouped(whole, this.open()) : whole;
  }

  /** The group that is selected, or that of the leaf that is: its row among all classes, or -1. */
  open() {
    const row = this.whole?.id.indexOf(this.selected) ?? -1;
    return row < 0 || this.whole.parent.includes(row) ? row : this.whole.parent[row];
  }

  layoutKey() {
    return `${super.layoutKey()} ${this.open()} ${Boolean(this.search.query)}`;
  }

  renew() {
    if (this.whole && this.laidOut) this.resize();
    super.renew();
  }

  findAgain() {
    if (this.whole && this.laidOut) this.resize();
    super.findAgain();
  }

  layOut(width) {
    if (!this.ids().length) return 160;
    this.fold(width);
    this.layout = width < NARROW ? placeOutline(this.frame) : placeTree(this.frame, { right: barsOf(width).from, wanted: this.tall, isWhole: this.fills, part: this.frame === this.whole ? undefined : NAMED });
    return this.layout.height;
  }

  render(context) {
    if (!this.ids().length || !this.layout) return;
    const { frame, theme } = this, answers = answersOf(frame);
    const row = (id) => this.rowOf(id);
    const marked = this.marked(theme.ink).reverse(), lit = frame.now > 0 ? this.lit : null;
    new TreePainter({
      context, frame, theme, lit, answers, verdicts: lit ? this.verdicts() : [], mark: frame.mark, texts: this.texts,
      layout: this.seen(this.camera.at), width: this.width, height: this.height, name: this.name, inside: this.inside(), isDim: (each) => this.isDim(frame.id[each]),
    }).draw(this.more_parents.map((pair) => pair.map(row)).filter(([a, b]) => a >= 0 && b >= 0), marked);
  }

  /** What the groups that are drawn without their leaves consist of, names by row. */
  inside() {
    const { whole, frame } = this;
    if (whole === frame) return [];
    const below = (id) => Array.from(whole.id, (_, row) => row).filter((row) => whole.parent[row] >= 0 && whole.id[whole.parent[row]] === id);
    return Array.from(frame.id, (id, row) => (frame.parent.includes(row) ? "" : below(id).map((each) => this.labels[whole.id[each]]).join(", ")));
  }

  /** What became of the latest row, each where its way ends, or at what is drawn of that. */
  verdicts() {
    const { whole } = this;
    return verdicts(whole, this.lit, (row) => this.labels[whole.id[row]] ?? this.nameOf(row)).map((each) => {
      const drawn = line(whole, each.row).map((row) => this.rowOf(whole.id[row])).filter((row) => row >= 0);
      const row = drawn.at(-1), isRight = each.isRight && whole.id[each.row] !== this.frame.id[row];
      // a leaf that is not drawn is named
      return { ...each, row, ...(isRight ? { words: `✓ ${this.labels[whole.id[each.row]]}` } : {}) };
    });
  }

  /** The places as a camera sees them. */
  seen(camera) {
    return seenBy(this.layout, camera, this.width);
  }

  /** A dot or a name. */
  hit(px, py, reach) {
    const { frame } = this, layout = this.seen(this.camera.at);
    const row = nearestOf(layout.places, ({ x, y, isOuter, room, step = 0 }) => (isOuter
      ? outside({ x: x - 8, y: y - room / 2, width: this.width - x + 8, height: room }, px, py)
      : outside({ x: x - step + 26, y: y - 18, width: step - 16, height: 28 }, px, py)), reach);
    return row < 0 ? null : { id: frame.id[row] };
  }

  box(row) {
    return this.layout?.places[row] ? around(this.seen(this.camera.goal).places[row]) : null;
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
    const { frame, lit } = this, answers = answersOf(frame);
    return Array.from(frame.id, (id, i) => ({
      id, name: this.name(i), indent: 10 * frame.depth[i],
      cells: [
        `${frame.depth[i] + 1}`, formatNumber(frame.weight[i]), formatCount(frame.arrivals[i]),
        ...answers.flatMap(({ hf, hp, hr }, learner) => [score(hf[i]), score(hp[i]), score(hr[i]), onPath(frame, lit, i, learner) || "–"]),
      ],
    }));
  }

  stats() {
    const { frame, lit } = this;
    return {
      ...super.stats(), relit: this.relit, classes: this.ids().length, outline: Boolean(this.layout?.narrow),
      truth: [...(lit?.true ?? [])], predicted: (lit?.predicted ?? []).map((ids) => [...ids]), subject: frame?.subject ?? null,
      learners: frame ? answersOf(frame).map(({ name }) => name) : [], said: lit && frame ? this.verdicts().map(({ learner, words }) => [learner, words]) : [],
    };
  }

  destroy() {
    this.relight.stop();
    super.destroy();
  }
}

const around = ({ x, y }) => ({ x: x - 10, y: y - 10, width: 20, height: 20 });

export const render = renderPicture(HierarchyView);
