/*
 * The tree view: a growing decision tree, root on top, its alternates as ghosts beside the nodes that they compete with.
 *
 * A branch shows its test, a leaf how it predicts (shape and colour) and its error (how far it is filled); an edge is as wide as
 * its weight. Where nodes mix their answers, a bar in each shows its part. Nodes keep their identity by id: they glide to new places,
 * grow out of their parent and shrink back into it. A frame has {now, n_nodes} and the columns of TREE_NODES in streamlab.views.pictures.tree.picture, a node before all below it.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { Legend } from "../../../kit/js/controls.js";
import { element, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { FoldingView } from "../../../kit/js/families.js";
import { sign } from "../../../kit/js/marks.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { nearestOf, outside } from "../../../kit/js/numbers.js";
import { REGIMES, SHORT, USUAL_REGIMES, paintLeaf } from "./leaf.js";
import { TreePainter, paintPart, paintWay } from "./painter.js";
import { Scene, wholeTree } from "./scene.js";
import { Words } from "./words.js";

/** Signs of the key, as they look in the picture. */
const WAY_SIGN = sign((painter) => paintWay(painter, 0.6, 1, 6, 22, 5), 24);
const PART_SIGN = sign((painter) => paintPart(painter, 0.6, 1, 7, 22, 5), 24);
const edge = (colour, ...points) => sign((painter, theme) => painter.line(points, theme[colour], 3));
const ROW_SIGN = edge("accent", [1, 4], [17, 14]);
const YES_SIGN = { up: edge("edge", [1, 14], [17, 4]), left: edge("edge", [17, 4], [1, 14]) };
/** While a run goes on, the way of a row is drawn at so many rows a frame at most: else it is another one before it is seen. */
const FEW_ROWS = 5;
const NARROW_HEIGHT = 360;
/** On a phone a tree broader than so many nodes lies on its side, each of its leaves so high, px, up to so many of them. */
const LYING = { from: 10, row: 36, most: 16 };
const CSS = `
.sl-tree .sl-stage{cursor:grab}
.sl-tree .sl-stage.sl-over{cursor:pointer}
.sl-tree .sl-stage.sl-dragging{cursor:grabbing}
.sl-tree.sl-exchange :is(.sl-legend,.sl-search,.sl-paper,.sl-race){display:none}
.sl-race{display:flex;flex-wrap:wrap;align-items:center;gap:2px 10px;min-height:18px;margin-bottom:6px;font-size:12px;line-height:18px}
.sl-race[hidden],.sl-race:empty{display:none}
.sl-race p{color:var(--sl-muted);margin:0;min-height:1lh}
@media (max-width:519px){.sl-race p{display:none}}
@container style(--sl-projected:1){.sl-tree .sl-summary,.sl-race p{display:none}
  .sl-tree .sl-legend{height:2lh;overflow:hidden;align-content:start;margin-bottom:2px}}
@container style(--sl-wide:1){.sl-tree .sl-legend:has(+.sl-race[hidden]){position:absolute;left:0;right:0;z-index:1;margin:0;height:1lh}
  .sl-tree .sl-legend{height:1lh;gap:0 6px}.sl-tree .sl-legend>span{gap:2px}
  .sl-tree .sl-race{display:none}}
.sl-tree.sl-whole>.sl-summary,.sl-whole .sl-race p{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.sl-tree.sl-whole .sl-search input{font-size:12px}
.sl-whole .sl-race{min-height:16px;margin-bottom:4px;font-size:11px;line-height:16px}
.sl-tree .sl-stage>canvas{box-shadow:inset 0 0 0 1px var(--sl-line)}
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
const WORDS = 14;

class TreeView extends FoldingView {
  static css = CSS;

  static parameters = ["features", "categories", "exchanged"];

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

  setUp({ features = [], categories = [], exchanged = [] }) {
    this.exchanged = exchanged;
    this.showExchange();
    this.words = Object.assign(new Words(), { labels: this.labels, features, categories });
    this.scene = new Scene();
    this.painter = new TreePainter(this.texts);
    this.mixes = false;
    this.rows = 0;
  }

  arrange() {
    this.occurred = new Set();
    this.way = [];
    this.legend = new Legend(this.keyOf(false, USUAL_REGIMES));
    this.raceNext = element("b");
    this.raceRule = element("p", { title: "Doubt: the Hoeffding bound ε, which falls with each row of the leaf." });
    this.race = element("div", { class: "sl-race", hidden: true }, [this.raceNext, this.raceRule]);
    return [this.bar(), this.legend.node, this.race, this.stage];
  }

  /** Before and after an exchange stand beside each other, where there is no room for the key and the search twice. */
  showExchange() {
    this.wrapper.classList.toggle("sl-exchange", this.exchanged.length > 0);
  }

  /** The key for leaves that predict in these ways, or for nodes that all have a part in the answer: of what the picture now holds. */
  keyOf(mixes, regimes) {
    const has = (what) => this.occurred.has(what);
    const usual = { regime: regimes.find(has) ?? 1, level: 0.4, isActive: true, isMixed: mixes, isGhost: false };
    const leaf = (look) => sign((painter) => paintLeaf(painter, { ...usual, ...look }, 9, 9, 7));
    const kinds = mixes ? [] : [...regimes, 0].filter(has), fuller = "fuller = more errors", yes = this.lies ? "up" : "left";
    return [
      ...(has("branch") ? [[YES_SIGN[yes], `yes goes ${yes}`]] : []),
      ...(mixes ? [[PART_SIGN, "part in answers"]] : []),
      ...(has("row") ? [[ROW_SIGN, has("shares") ? "latest row, % of its answer" : "latest row"]] : []),
      ...(has("ghost") ? [[leaf({ isGhost: true, level: 0 }), "alternate"]] : []),
      // one shape alone needs no name
      ...(kinds.length > 1 ? kinds.map((regime, i) => [leaf({ regime, level: 0 }), `${i ? "" : "answers "}${SHORT[regime]}`]) : []),
      [leaf({}), kinds.length > 1 ? fuller : `leaf, ${fuller}`],
      ...(has("way") && !mixes && !this.lies ? [[WAY_SIGN, "full: it splits"]] : []),
      ...(has("off") ? [[leaf({ isActive: false, level: 0 }), "no longer grows"]] : []),
    ];
  }

  changed(name) {
    if (name === "exchanged") this.showExchange();
    else if (name in this.words) {
      this.words[name] = this[name];
      this.words.forget();
    }
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  layoutKey() {
    return `${this.lies && this.rows}`;
  }

  layOut(width) {
    // where its sentence has no room, what it says of has no mark
    const isSet = (name) => getComputedStyle(this.wrapper).getPropertyValue(name).trim() === "1";
    this.tellsNext = !isSet("--sl-wide");
    const wasProjected = this.isProjected;
    this.isProjected = isSet("--sl-projected");
    if (this.frame && wasProjected !== this.isProjected) this.tellLeaves(this.frame);
    this.painter.lies = this.lies;
    if (this.lies) return this.rows * LYING.row;
    return width < NARROW && !this.fills ? Math.min(this.tall, NARROW_HEIGHT) : this.tall;
  }

  get lies() {
    return this.rows > 0 && window.innerWidth < NARROW && !this.fills;
  }

  /** How many leaves have room where the tree lies, 0: it stands. In steps, so that what is below it seldom moves. */
  makeRows({ x }) {
    const broad = x.reduce((most, each) => Math.max(most, each), 0) - x.reduce((least, each) => Math.min(least, each), 0) + 1;
    if (broad <= this.rows && broad >= this.rows / 2) return;
    this.rows = broad > LYING.from ? Math.min(4 * Math.ceil(broad / 4), LYING.most) : 0;
  }

  /** The key has entries for what leaves of this tree do; key and table for the two answers where nodes mix them. */
  tellLeaves(frame) {
    const mixes = frame.share_first !== undefined;
    this.occurred = new Set([...(frame.way ? ["row"] : []), ...(frame.way?.length > 1 ? ["shares"] : []), ...(frame.readiness?.some((ready) => ready >= 0) && !this.isProjected ? ["way"] : [])]);
    for (let i = 0; i < frame.id.length; i++) {
      if (frame.background[i]) this.occurred.add("ghost");
      if (!frame.is_leaf[i]) this.occurred.add("branch");
      else this.occurred.add(frame.active[i] ? frame.regime[i] : "off");
    }
    const regimes = frame.regimes ?? USUAL_REGIMES, told = `${mixes} ${this.lies} ${regimes} ${[...this.occurred].sort()}`;
    if (told === this.toldKey) return;
    this.toldKey = told;
    this.legend.set(this.keyOf(mixes, regimes));
    this.legend.draw(this.theme);
    if (mixes === this.mixes) return;
    this.mixes = mixes;
    const { heads, left } = this.about.table;
    this.table.setHeads(mixes ? [...heads, ...TreeView.mixtureHeads] : heads, mixes ? [...left, heads.length] : left);
  }

  /** Which leaf splits next, and by what rule; the lines keep their room while that is not known. */
  tellWait(wait) {
    this.race.hidden = wait === undefined;
    setText(this.raceNext, wait?.next ?? "");
    setText(this.raceRule, wait?.rule ?? "");
  }

  accept(frame, before, now, jump) {
    this.makeRows(frame);
    const isSeen = !frame.playing || Math.abs(frame.now - (before?.now ?? 0)) <= FEW_ROWS;
    this.way = isSeen ? (frame.way ?? []) : [];
    this.tellLeaves(frame);
    this.tellWait(frame.wait);
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
    const goal = wholeTree(this.frame, this.width, this.height - (this.branches().length && WORDS), this.lies);
    const { view } = this.scene;
    if (jump || this.isFirst || goal.some((value, i) => Math.abs(value - view.to[i]) > 1e-6)) view.aim(goal, now, jump || this.isFirst);
    this.isFirst = false;
  }

  gliders() {
    return [this.scene, this.scene.view];
  }

  render(context) {
    const { scene, painter } = this;
    painter.measure(scene.view.at, this.camera.at);
    painter.showsWays = !this.mixes && !this.isProjected;
    const shown = this.cursor ?? this.hovered;
    const marked = [[scene.get(shown), this.theme.accent], [scene.get(this.selected), this.theme.ink]].filter(([node]) => node?.row >= 0);
    painter.draw(context, scene, {
      width: this.width, height: this.height, ratio: this.ratio, isFitted: this.camera.fitted, words: this.words, found: this.found, marked,
      branches: this.branches(), ...this.told(marked),
    });
  }

  /** What has words above it: nodes that words on the page name, and those that answered the latest row, unless another way is looked at. */
  told(marked) {
    const { scene, theme } = this, next = this.tellsNext ? scene.get(this.frame.wait?.leaf) : null;
    const rivals = this.isProjected ? [] : scene.placed.filter(({ rival }) => rival).map((node) => [node, theme.muted]);
    const named = [...rivals, [next, theme.accent], ...marked].filter(([node]) => node?.row >= 0);
    const way = marked.length ? [] : this.way.map(([id, share]) => [scene.get(id), share]).filter(([node]) => node?.row >= 0);
    const say = (share) => (way.length === 1 && !this.painter.isTight ? "answers alone" : `${Math.round(100 * share)} %`);
    // less is no part that is seen
    const parts = way.filter(([, share]) => share >= 0.01).map(([node, share]) => [node, say(share)]);
    const ends = marked.length ? [marked[0][0].id] : way.map(([{ id }]) => id);
    return { named: new Map(named), parts: new Map(parts), trail: new Set(ends.flatMap((id) => [...this.trail(id)])) };
  }

  /** What is framed, [words, whether it is the new one, its rows]: both sides of an exchange, else what took another's place since a drift. */
  branches() {
    const rows = (id) => branchOf(this.frame, this.rowOf(id));
    if (this.exchanged.length) return this.exchanged.map((id, i) => [i ? "new branch" : "old branch", i > 0, rows(id)]);
    return (this.frame.replaced ?? []).map(([id, row]) => [`node ${id} replaced another at row ${formatCount(row)}`, true, rows(id)]);
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
