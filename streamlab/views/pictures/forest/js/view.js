/*
 * The forest view: what evidence an ensemble of trees keeps, from before a drift and from after it.
 *
 * One tree is large, a line for each level, its root on top. A cell is as wide as its share of the tree's rows, and filled as high as
 * the evidence that it keeps: hatched what is from before the mark, solid what is from after it. The way of the latest row leads
 * through it. Under it each tree is a small bar of the same two fills. A frame has {n_trees, height, drawn_depth, half_life (instances,
 * null: nothing fades), full, share, mark ({row, drift, since} or null), now, n_nodes} and the columns of FOREST_CELLS in
 * streamlab.views.pictures.forest.picture.
 */
import { CanvasView } from "../../../kit/js/canvas_view.js";
import { formatCount, formatNumber, plural } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT } from "../../../kit/js/text.js";
import { ForestPainter } from "./painter.js";
import { Cells, Fall, Rows, depthAt, fullest, levelAt, stageLayout, treeTotals } from "./scene.js";
import { because, percent, wordsIn, rowsWorth, sentence, signOf } from "./words.js";

const CSS = `
.sl-fading{display:flex;flex-direction:column}
.sl-fading>*{min-width:0}
.sl-fading:not(.sl-whole)>.sl-bar-row{order:3;margin:24px 0 0}
.sl-fading>:is(.sl-hidden,details){order:4}
`;

class ForestView extends CanvasView {
  static css = CSS;

  static parameters = ["tree"];

  static about = {
    name: "fading", empty: "No node yet: press play", title: "Evidence in the trees", role: "tree of cells", noun: "cell",
    find: "Find a label", slow: 10, reach: { pointer: 4, touch: 12 },
    keys: "Cells of a tree. Arrow keys move between cells, Page Up and Page Down between trees, Enter selects.",
    table: {
      label: "Table of the trees", caption: "One row per tree: what its root holds. Its name makes it the large one.", choose: true,
      heads: ["Tree", "Evidence kept, rows", "From before the drift", "Cells drawn"],
    },
  };

  setUp(options) {
    this.tree = options.tree ?? null;
    this.fullest = 0;
    this.cells = new Cells();
    this.fall = new Fall();
    this.painter = new ForestPainter(this.texts);
    this.totals = [];
  }

  arrange() {
    return [this.stage, this.bar()];
  }

  changed(name) {
    if (name === "tree") this.showTree(this.tree, false);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The tree that is large: the chosen one, if there is such a tree; else the one of most rows, or the first of equals. */
  get shown() {
    const tree = Math.min(Math.max(this.tree ?? this.fullest, 0), Math.max((this.frame?.n_trees ?? 1) - 1, 0));
    return this.named[tree]?.[0] === "" ? 0 : tree;
  }

  /** What each tree is called and does, where they have names of their own. */
  get named() {
    return this.frame?.trees ?? [];
  }

  callOf(tree) {
    return this.named[tree]?.[0] ?? `${tree + 1}`;
  }

  showTree(tree, byUser = true) {
    if (!this.frame || tree === this.drawnTree) return;
    this.tree = tree;
    this.takeCells(performance.now(), true);
    if (byUser) this.onChange("tree", tree);
    this.renew();
  }

  /** People turn to another tree: what is told of a cell of the one before is told no more. */
  turnTo(tree) {
    const row = this.rowOf(this.selected);
    this.showTree(tree);
    if (row >= 0 && this.frame.tree[row] !== tree) super.choose(this.selected);
  }

  takeCells(now, jump) {
    if (this.drawnTree !== this.shown) this.cells.clear();
    const isOther = this.drawnTree !== this.shown;
    this.drawnTree = this.shown;
    this.cells.take(this.frame, this.shown, now);
    if (jump || isOther) this.cells.finish();
  }

  accept(frame, last, now, jump) {
    this.totals = treeTotals(frame);
    // of those that answer: after them come those that grow since a warning
    if (this.named.length) this.fullest = fullest(this.totals.slice(0, frame.begun[1]), this.fullest);
    this.takeCells(now, jump);
    this.fall.take(frame.now, now, jump || !last);
  }

  layoutKey() {
    return `${this.frame?.n_trees} ${this.frame?.drawn_depth} ${this.named.filter(([name]) => name).length}`;
  }

  layOut(width) {
    const trees = this.frame?.n_trees ?? 0;
    // what cells are the first of two says
    this.isSecond = getComputedStyle(this.root).getPropertyValue("--sl-second").trim() === "1";
    this.places = stageLayout(width, trees, (this.frame?.drawn_depth ?? 0) + 1, this.tall, this.fills, this.captionWidth(), Boolean(this.low));
    return trees ? this.places.total : 1;
  }

  /** px of the widest words before the bars; forests whose trees have names have none. */
  captionWidth() {
    const trees = this.frame?.n_trees ?? 0;
    return trees > 1 ? this.texts.width(wordsIn(this.frame, trees - 1).tree.replace(/\d/g, "8"), BOLD_FONT) : 0;
  }

  gliders() {
    return [this.cells, this.fall];
  }

  render(context) {
    if (this.isEmpty) return;
    const pointed = this.rowOf(this.hovered);
    this.painter.on(context, { stage: this.places, ratio: this.ratio, camera: this.camera.at }).draw({
      cells: this.cells, totals: this.totals, tree: this.shown,
      selected: this.selected, cursor: this.cursor ?? this.hovered, pointed: pointed < 0 ? -1 : this.frame.tree[pointed],
      fall: this.fall.at, words: { ...wordsIn(this.frame, this.shown), ...(this.isSecond && { width: () => "", height: "" }) }, isDim: (id) => this.isDim(id),
    });
  }

  hit(px, py, reach) {
    const { frame, places } = this;
    const [x, y] = this.camera.place(px, py);
    const { top, height, step } = places.bars;
    if (this.totals.length > 1 && y >= top - 2 && y <= top + height + 4) {
      const tree = Math.floor((x - places.bars.x) / step);
      const row = this.totals[tree]?.row ?? -1;
      return row < 0 ? null : { id: frame.id[row], tree };
    }
    const depth = depthAt(places, y);
    const row = Rows.best(frame, (i) => {
      if (frame.tree[i] !== this.shown || depth !== frame.depth[i]) return null;
      const away = Math.max(places.x + frame.x0[i] * places.width - x, x - places.x - frame.x1[i] * places.width, 0);
      return away <= reach ? away : null;
    });
    return row < 0 ? null : { id: frame.id[row] };
  }

  clicked(hit) {
    if (hit?.tree === undefined) return false;
    this.turnTo(hit.tree);
    this.announce(this.rowOf(hit.id));
    return true;
  }

  box(row) {
    const { frame, places } = this;
    const tree = frame.tree[row];
    if (frame.depth[row] >= places.levels) return null;
    if (tree !== this.shown) {
      if (!places.hasBars) return null;
      const { top, height, step } = places.bars;
      return this.camera.see({ x: places.bars.x + tree * step, width: step, y: top, height });
    }
    return this.camera.see({
      x: places.x + frame.x0[row] * places.width, width: (frame.x1[row] - frame.x0[row]) * places.width,
      y: levelAt(places, frame.depth[row])[0], height: levelAt(places, frame.depth[row])[1],
    });
  }

  firstRow() {
    return Math.max(0, Rows.root(this.frame, this.shown));
  }

  moves(row) {
    const { frame, places } = this;
    return {
      ArrowUp: () => Rows.parent(frame, row), ArrowDown: () => (frame.depth[row] + 1 < (places?.levels ?? Infinity) ? Rows.child(frame, row) : -1),
      ArrowLeft: () => Rows.neighbour(frame, row, -1), ArrowRight: () => Rows.neighbour(frame, row, 1),
      PageUp: () => Rows.nextTree(frame, row, -1), PageDown: () => Rows.nextTree(frame, row, 1),
      Home: () => Rows.root(frame, frame.tree[row]),
    };
  }

  moveCursor(row) {
    if (row >= 0) this.showTree(this.frame.tree[row]);
    super.moveCursor(row);
  }

  choose(id) {
    const row = this.rowOf(id);
    if (row >= 0) this.showTree(this.frame.tree[row]);
    super.choose(id);
  }

  chooseInTable(tree) {
    this.turnTo(tree);
    this.writeTable();
  }

  matches(row, query) {
    return this.label(row)?.toLowerCase().includes(query) ?? false;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  label(row) {
    const top = this.frame.top[row];
    return top < 0 ? null : (this.labels[top] ?? `label ${top}`);
  }

  paperWords() {
    return [sentence(this.frame), because(this.frame)];
  }

  summarise() {
    const { frame } = this;
    const drawn = Math.min(frame.drawn_depth + 1, this.places?.levels ?? Infinity), levels = drawn < frame.height ? `${drawn} of ${frame.height} levels` : plural(frame.height, "level");
    const cells = this.totals[this.shown]?.cells ?? 0;
    const told = this.named[this.shown]?.[1];
    const of = told ? ` ${told};` : ` of ${formatCount(frame.n_trees)},`;
    return `Tree ${this.callOf(this.shown)}${of} ${levels}, ${plural(cells, "cell")}`;
  }

  describe(row) {
    const { frame } = this;
    const lines = [`evidence kept: ${rowsWorth(frame.weight[row])}`];
    if (frame.mark) lines.push(`of it from before ${signOf(frame.mark)}: ${percent(frame.before[row])}`);
    if (frame.age) lines.push(frame.age[row] < 1 ? "visited by the latest row" : `last visited ${plural(frame.age[row], "row")} ago`);
    if (this.label(row) !== null) lines.push(`commonest label: ${this.label(row)}`);
    if (frame.cardinality) lines.push(`${frame.cardinality[row].toFixed(2)} labels per row`);
    if (this.named[frame.tree[row]]) lines.push(this.named[frame.tree[row]][1]);
    return { title: `Tree ${this.callOf(frame.tree[row])} · level ${frame.depth[row] + 1}${frame.depth[row] ? "" : " (root)"}`, lines };
  }

  tableRows() {
    return this.totals.map(({ row, weight, before: old, cells }, tree) => ({
      id: tree, name: this.callOf(tree) || "–", label: `Show tree ${this.callOf(tree)}`, chosen: tree === this.shown,
      cells: row < 0 ? ["–", "–", "0"] : [formatNumber(weight), this.frame.mark ? percent(old) : "–", formatCount(cells)],
    }));
  }

  stats() {
    return { ...super.stats(), cells: this.cells.items.size, tree: this.shown, falling: this.fall.moving };
  }
}

export const render = renderPicture(ForestView);
