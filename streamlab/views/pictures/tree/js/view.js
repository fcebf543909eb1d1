/*
 * The tree view: a growing decision tree, root on top, its alternates as ghosts beside the nodes that they compete with.
 *
 * A branch shows its test, a leaf its commonest label, its error (the dot) and how near its next split is (the ring); an edge is as wide
 * as its weight. Where nodes mix their answers, a bar at each shows its part. What a thing is it says itself. Nodes keep their identity by id: they glide to new places,
 * grow out of their parent and shrink back into it. A frame has {now, n_nodes} and the columns of TREE_NODES in streamlab.views.pictures.tree.picture, a node before all below it.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { formatCount } from "../../../kit/js/format.js";
import { FoldingView } from "../../../kit/js/families.js";
import { hue } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { nearestOf, outside } from "../../../kit/js/numbers.js";
import { TreePainter } from "./painter.js";
import { Scene, wholeTree } from "./scene.js";
import { Words } from "./words.js";

/** While a run goes on, the way of a row is drawn at so many rows a frame at most: else it is another one before it is seen. */
const FEW_ROWS = 5;
const NARROW_HEIGHT = 360;
/** On a phone a tree broader than so many nodes lies on its side, each of its leaves so high, px, up to so many of them. */
const LYING = { from: 10, row: 36, most: 16 };
const CSS = `
.sl-tree .sl-stage{cursor:grab}
.sl-tree .sl-stage.sl-over{cursor:pointer}
.sl-tree .sl-stage.sl-dragging{cursor:grabbing}
`;

/** The next node of the same row of the picture, to the left (-1) or the right (1). */
function neighbour(frame, row, direction) {
  return nearestOf(frame.id, (_, i) => {
    const away = (frame.x[i] - frame.x[row]) * direction;
    return frame.y[i] === frame.y[row] && away > 0 ? away : null;
  });
}

/** The rows of a branch: its root and all below it, with alternates, but for the one that competes with it itself. */
function branchOf(frame, root) {
  const found = new Set(root < 0 ? [] : [root]);
  for (let row = root + 1; root >= 0 && row < frame.id.length; row++) {
    const rival = frame.rival[row];
    if (found.has(frame.parent[row]) || (rival !== root && found.has(rival))) found.add(row);
  }
  return found;
}

/** px below the tree for what a framed branch is called. */
const NAME = 18;

class TreeView extends FoldingView {
  static css = CSS;

  static parameters = ["features", "categories"];

  static about = {
    name: "tree", empty: "No node yet: press play", title: "The tree", role: "tree", find: "Find a feature or label", free: true,
    keys: "Nodes of the tree. Arrow keys move to the parent, to the first child and along the row; Enter selects, C folds or unfolds.",
    table: {
      label: "Table of the nodes", caption: "One row per node drawn, each followed by what is below it.", left: [1, 5, 6], choose: true,
      heads: ["Node", "What", "Depth", "Weight", "Error", "Label", "Predicts by", "Not drawn below"],
    },
  };

  /** Further columns of the table where nodes mix two answers. */
  static mixtureHeads = ["Mixes", "Losses (1 − F1)"];

  setUp({ features = [], categories = [] }) {
    this.words = Object.assign(new Words(), { labels: this.labels, features, categories });
    this.scene = new Scene();
    this.painter = new TreePainter(this.texts);
    this.mixes = false;
    this.rows = 0;
    this.way = [];
  }

  changed(name) {
    if (name in this.words) {
      this.words[name] = this[name];
      this.words.forget();
    }
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layoutKey() {
    return `${this.lies && this.rows}`;
  }

  layOut(width) {
    Object.assign(this.painter, { lies: this.lies, isLow: Boolean(this.low) });
    if (this.low) return this.low;
    if (this.lies) return this.rows * LYING.row;
    return width < NARROW && !this.fills ? Math.min(this.tall, NARROW_HEIGHT) : this.tall;
  }

  get lies() {
    return this.rows > 0 && window.innerWidth < NARROW && !this.fills && !this.low;
  }

  /** How many leaves have room where the tree lies, 0: it stands. In steps, so that what is below it seldom moves. */
  makeRows({ x }) {
    const broad = x.reduce((most, each) => Math.max(most, each), 0) - x.reduce((least, each) => Math.min(least, each), 0) + 1;
    if (broad <= this.rows && broad >= this.rows / 2) return;
    this.rows = broad > LYING.from ? Math.min(4 * Math.ceil(broad / 4), LYING.most) : 0;
  }

  /** The table has columns for the two answers where nodes mix them. */
  makeColumns(mixes) {
    if (mixes === this.mixes) return;
    this.mixes = mixes;
    const { heads, left } = this.about.table;
    this.table.setHeads(mixes ? [...heads, ...TreeView.mixtureHeads] : heads, mixes ? [...left, heads.length] : left);
  }

  accept(frame, before, now, jump) {
    this.makeRows(frame);
    const isSeen = !frame.playing || Math.abs(frame.now - (before?.now ?? 0)) <= FEW_ROWS;
    this.way = isSeen ? (frame.way ?? []) : [];
    this.makeColumns(frame.share_first !== undefined);
    this.words.take(frame);
    this.scene.take(frame, now);
    if (jump) this.scene.finish();
    this.isFirst = !before?.id.length;
    // a tree that starts again is shown whole
    if (this.isFirst && !this.camera.fitted) this.camera.reset();
  }

  /** Follows the tree as it grows; what is on its way to the same place is left alone. */
  follow(now, jump) {
    if (!this.camera.fitted) return;
    const goal = wholeTree(this.frame, this.width, this.height - (this.branches().length && NAME), this.lies, this.low ? true : undefined);
    const { view } = this.scene;
    if (jump || this.isFirst || goal.some((value, i) => Math.abs(value - view.to[i]) > 1e-6)) view.aim(goal, now, jump || this.isFirst);
    this.isFirst = false;
  }

  gliders() {
    return [this.scene, this.scene.view];
  }

  render(context) {
    const { scene, painter, theme } = this;
    painter.alone = scene.placed.length === 1 && !this.mixes ? Math.min(this.width, this.height) * 0.4 : 0;
    painter.measure(scene.view.at, this.camera.at);
    const shown = this.cursor ?? this.hovered;
    const marked = [[scene.get(shown), theme.accent], [scene.get(this.selected), theme.ink]].filter(([node]) => node?.row >= 0);
    const trails = (ids) => new Set(ids.flatMap((id) => [...this.trail(id)])), way = trails(this.way.map(([id]) => id));
    painter.way = way;
    painter.draw(context, scene, {
      width: this.width, height: this.height, ratio: this.ratio, isFitted: this.camera.fitted, words: this.words, found: this.found, marked, branches: this.branches(),
      own: hue(theme, this.frame.hue ?? 0), trail: marked.length ? trails([marked[0][0].id]) : way, told: this.told(way),
    });
  }

  /** What nodes say below or beside themselves, [node, words, colour], what matters most first; `way`: those of the latest row. */
  told(way) {
    const { scene, theme, frame, painter } = this, own = hue(theme, frame.hue ?? 0);
    const next = this.mixes ? null : scene.get(frame.wait?.leaf);
    const mixed = scene.placed.filter((node) => painter.hasBar(node) && (way.size || node.isLeaf)).sort((a, b) => b.part - a.part), percent = ({ part }) => `${Math.round(100 * part)} %`;
    // each bar says where its part is from, that of the leaf which answers a row says the answer too
    const answer = way.size ? this.words.names(frame.answer) : "", here = (node) => `${percent(node)} from here`;
    const saysPart = (node, i) => (way.size ? [...(node.isLeaf && answer ? [`${answer}: ${here(node)}`] : []), here(node), percent(node)] : [`${percent(node)}${i ? "" : " of the answer"}`]);
    const bars = mixed.slice(0, way.size || 3).flatMap((node, i) => saysPart(node, i).map((words) => [node, words, own, i ? `part ${node.id}` : "part"]));
    // a leaf is called by its commonest label, and may answer others
    const giving = [...way].find(({ isLeaf }) => isLeaf), isOther = giving?.row >= 0 && !mixed.includes(giving) && answer && !frame.answer.includes(frame.top[giving.row]);
    const says = isOther ? [[giving, `answers ${answer}`, own, "answer"]] : [];
    const waits = frame.wait?.next ? ["waits: splits when full, in about ", "waits: splits in about ", "splits in about ", "splits in ~"].map((does) => [next, `${does}${frame.wait.next}`, own, "next"]) : [];
    const all = [[scene.placed[0], this.words.leaves(), own], ...bars, ...this.words.erring().map(([row, says]) => [scene.placed[row], says, theme.guess, "errs"]), ...waits, ...says];
    return all.filter((each) => each?.[0]?.row >= 0 && each[1]);
  }

  /** What is framed, [words, its rows]: what took another's place since a drift. */
  branches() {
    const rows = (id) => branchOf(this.frame, this.rowOf(id));
    return (this.frame.replaced ?? []).map(([id, row]) => [`new since row ${formatCount(row)}`, rows(id)]);
  }

  /** The nodes from one up to the root. */
  trail(id) {
    const found = new Set();
    for (let node = this.scene.get(id) ?? null; node && !found.has(node); node = node.above) found.add(node);
    return found;
  }

  hit(px, py, reach) {
    const { painter } = this;
    const onBadge = this.scene.placed.find((node) => node.folded && outside(painter.badge(node), px, py) === 0);
    if (onBadge) return { id: onBadge.id, onBadge: true };
    const row = nearestOf(this.scene.placed, (node) => {
      const [width, height] = painter.half(node);
      return outside({ x: painter.x(node) - width, y: painter.y(node) - height, width: 2 * width, height: 2 * height }, px, py);
    }, reach);
    return row < 0 ? null : { id: this.scene.placed[row].id, onBadge: false };
  }

  box(row) {
    const node = this.scene.placed[row];
    if (!node || !this.painter.step) return null;
    const [stepX, stepY, left, top] = this.scene.view.to;
    const { x: places, y: levels } = this.frame, [across, down] = this.lies ? [levels[row], places[row]] : [places[row], levels[row]];
    const { x, y } = this.camera.see({ x: across * stepX + left, y: down * stepY + top });
    const [width, height] = this.painter.half(node);
    return { x: x - width, y: y - height, width: 2 * width, height: 2 * height };
  }

  /** Left of an alternate its rival would be hidden. */
  describe(row) {
    return { ...this.words.describe(row), place: this.frame.rival[row] < 0 ? "beside" : "right" };
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  moves(row) {
    const { frame } = this;
    return {
      ArrowUp: () => (frame.parent[row] >= 0 ? frame.parent[row] : frame.rival[row]), ArrowDown: () => frame.parent.indexOf(row),
      ArrowLeft: () => neighbour(frame, row, -1), ArrowRight: () => neighbour(frame, row, 1), Home: () => 0,
    };
  }

  clicked(hit, event) {
    if (!hit?.onBadge) return super.clicked(hit, event);
    this.collapse(this.rowOf(hit.id));
    return true;
  }

  matches(row, query) {
    return this.words.matches(row, query);
  }

  summarise() {
    return this.words.summary();
  }

  tableRows() {
    return Array.from(this.frame.id, (id, row) => (
      { id, name: `${id}`, label: `Select node ${id}`, cells: this.words.cells(row) }));
  }

  stats() {
    const [stepX, stepY, left, top] = this.scene.view.to;
    const { x, y } = this.camera.see({ x: left, y: top });
    const { k } = this.camera.goal;
    return {
      ...super.stats(), nodes: this.ids().length, leaving: this.scene.leaving,
      mixing: this.scene.placed.filter((node) => node.mixes).length,
      transform: { x, y, step_x: k * stepX, step_y: k * stepY, following: this.camera.fitted },
    };
  }
}

export const render = renderPicture(TreeView);
