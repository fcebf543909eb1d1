/*
 * The forest view: an ensemble of trees as strips (icicles, root on top), each cell a node.
 *
 * Width is the node's share of its tree's weight, colour its age in half-lives, and the bar inside it how much of all the weight it
 * ever received is still there: two signs, never colour alone. Cells keep their identity by id and glide to where the newest frame
 * wants them. A frame has {n_trees, height, drawn_depth, half_life (instances, null: never fades), now, n_nodes} and the columns of
 * FOREST_CELLS in streamlab.views.pictures.forest.layout.
 */
import { CanvasView } from "../../../kit/js/canvas_view.js";
import { element, setText } from "../../../kit/js/dom.js";
import { formatCount, formatNumber, formatPercent, plural } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { Rows, gridLayout } from "./grid.js";
import { Painter } from "./painter.js";
import { Cells, LEAST_KEPT, barOf, treeTotals } from "./scene.js";

const CSS = `
.sl-fading .sl-ages{display:flex;flex-wrap:wrap;gap:10px 32px;margin-bottom:14px;font-size:12px;line-height:1.2;color:var(--sl-muted)}
.sl-fading .sl-key{display:flex;flex-direction:column;gap:5px}
.sl-fading .sl-gradient{width:176px;height:14px;border-radius:2px}
.sl-fading .sl-ticks{position:relative;width:176px;height:1.2em}
.sl-fading .sl-ticks span{position:absolute;white-space:nowrap}
.sl-fading .sl-bars{display:flex;gap:8px}
.sl-fading .sl-sample{display:flex;flex-direction:column;align-items:center;gap:5px;min-width:36px}
.sl-fading .sl-sample i{display:flex;align-items:flex-end;width:36px;height:14px;background:var(--sl-track)}
.sl-fading .sl-sample i::after{content:"";width:100%;height:var(--kept);background:var(--sl-control)}
`;

class ForestView extends CanvasView {
  static css = CSS;

  static about = {
    name: "fading", empty: "No node yet: press play", title: "Fading of the trees' nodes", role: "strips of trees",
    find: "Find a label", slow: 10, reach: { pointer: 4, touch: 12 },
    keys: "Nodes of the trees. Arrow keys move between nodes, Page Up and Page Down between trees, Enter selects.",
    table: {
      label: "Table of the trees", caption: "One row per tree. Mean age and stale weight are over the deepest nodes drawn, by weight.",
      heads: ["Tree", "Nodes drawn", "Root kept", "Mean age", "Stale weight"],
    },
  };

  setUp() {
    this.cells = new Cells();
    this.painter = new Painter();
  }

  arrange() {
    this.gradient = element("div", { class: "sl-gradient" });
    this.ageTitle = element("span");
    this.ageTicks = element("div", { class: "sl-ticks" });
    const samples = [1, 0.1, 0.01, LEAST_KEPT].map((kept) => element("span", { class: "sl-sample" }, [
      element("i", { style: `--kept:${(100 * barOf(kept)).toFixed(0)}%` }), element("span", { text: `${kept * 100} %` }),
    ]));
    const ages = element("div", { class: "sl-ages" }, [
      element("div", { class: "sl-key" }, [this.ageTitle, this.gradient, this.ageTicks]),
      element("div", { class: "sl-key" }, [
        element("span", { text: "bar = share of weight kept (log)" }), element("div", { class: "sl-bars" }, samples),
      ]),
    ]);
    return [this.bar(), ages, this.stage];
  }

  changed(name) {
    if (name !== "dark") return;
    this.painter.setTheme(this.theme);
    this.gradient.style.background = `linear-gradient(to right,${this.painter.colours.solid.filter((_, i) => i % 4 === 0).join(",")})`;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  accept(frame, before, now, jump) {
    this.cells.take(frame, now);
    if (jump) this.cells.finish();
  }

  layoutKey() {
    return `${this.frame?.n_trees} ${this.frame?.drawn_depth}`;
  }

  layOut(width) {
    const trees = this.frame?.n_trees ?? 0;
    this.grid = gridLayout(width, Math.max(trees, 1), (this.frame?.drawn_depth ?? 0) + 1);
    return trees ? this.grid.total : 1;
  }

  advance(now) {
    this.cells.advance(now);
  }

  get gliding() {
    return this.cells.moving;
  }

  finishGlides() {
    this.cells.finish();
  }

  render(context) {
    this.painter.draw(context, {
      cells: this.cells, grid: this.grid, ratio: this.ratio, camera: this.camera.at, trees: this.isEmpty ? 0 : this.frame.n_trees,
      selected: this.selected, cursor: this.cursor ?? this.hovered, isDim: (id) => this.isDim(id),
    });
  }

  hit(px, py, reach) {
    const { frame, grid } = this;
    const [x, y] = this.camera.place(px, py);
    const row = Rows.best(frame, (i) => {
      const depth = Math.floor((y - grid.y(frame.tree[i]) - grid.top) / grid.row);
      if (depth !== frame.depth[i]) return null;
      const left = grid.x(frame.tree[i]);
      const away = Math.max(left + frame.x0[i] * grid.width - x, x - left - frame.x1[i] * grid.width, 0);
      return away <= reach ? away : null;
    });
    return row < 0 ? null : { id: frame.id[row] };
  }

  box(row) {
    const { frame, grid } = this;
    return this.camera.see({
      x: grid.x(frame.tree[row]) + frame.x0[row] * grid.width, width: (frame.x1[row] - frame.x0[row]) * grid.width,
      y: grid.y(frame.tree[row]) + grid.top + frame.depth[row] * grid.row, height: grid.row,
    });
  }

  firstRow() {
    return Rows.root(this.frame, this.frame.tree.reduce((a, b) => Math.min(a, b), Infinity));
  }

  moves(row) {
    const { frame } = this;
    return {
      ArrowUp: () => Rows.parent(frame, row), ArrowDown: () => Rows.child(frame, row),
      ArrowLeft: () => Rows.neighbour(frame, row, -1), ArrowRight: () => Rows.neighbour(frame, row, 1),
      PageUp: () => Rows.nextTree(frame, row, -1), PageDown: () => Rows.nextTree(frame, row, 1),
      Home: () => Rows.root(frame, frame.tree[row]),
    };
  }

  matches(row, query) {
    return this.label(row)?.toLowerCase().includes(query) ?? false;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  label(row) {
    const top = this.frame.top[row];
    return top < 0 ? null : (this.labels[top] ?? `label ${top}`);
  }

  writeWords() {
    const fades = Boolean(this.frame.half_life);
    if (this.legendFor === fades) return;
    this.legendFor = fades;
    setText(this.ageTitle, fades ? "age in half-lives" : "age, share of the stream so far");
    const ticks = fades ? [[0, "0"], [1 / 16, "¼"], [0.25, "1"], [0.5, "2"], [1, "4+"]] : [[0, "0 %"], [0.25, "25 %"], [1, "100 %"]];
    this.ageTicks.replaceChildren(...ticks.map(([share, text]) => {
      const place = 100 * Math.sqrt(share);
      return element("span", { text, style: `left:${place.toFixed(1)}%;transform:translateX(-${place.toFixed(1)}%)` });
    }));
  }

  summarise() {
    const { frame } = this;
    const shown = frame.id.length;
    const all = frame.n_nodes > shown ? `${formatCount(shown)} of ${plural(frame.n_nodes, "node")}` : plural(shown, "node");
    const depths = frame.drawn_depth < frame.height ? `depth 0–${frame.drawn_depth} of ${frame.height}` : `depth 0–${frame.drawn_depth}`;
    const life = frame.half_life ? `half-life ${formatNumber(frame.half_life)}` : "nothing fades";
    return `${plural(frame.n_trees, "tree")}, ${all}, ${depths}; ${life}. Root on top; a cell is as wide as its share of the tree’s weight.`;
  }

  ageText(age) {
    const { half_life: halfLife } = this.frame;
    if (age < 1) return "updated just now";
    const ticks = `updated ${plural(age, "instance")} ago`;
    return halfLife ? `${ticks} (${Number((age / halfLife).toPrecision(2))} half-lives)` : ticks;
  }

  describe(row) {
    const { frame } = this;
    const lines = [
      `${formatPercent(frame.x1[row] - frame.x0[row])} of the tree’s weight (${formatNumber(frame.weight[row])})`,
      `${formatPercent(frame.retained[row])} of all it received is kept`,
      this.ageText(frame.age[row]),
    ];
    if (this.label(row) !== null) lines.push(`commonest label: ${this.label(row)}`);
    if (frame.cardinality) lines.push(`${frame.cardinality[row].toFixed(2)} labels per instance`);
    return { title: `Tree ${frame.tree[row] + 1} · ${frame.depth[row] ? `depth ${frame.depth[row]}` : "root"}`, lines };
  }

  tableRows() {
    return treeTotals(this.frame).map((total, tree) => ({
      id: tree, name: `${tree + 1}`,
      cells: [
        formatCount(total.nodes), total.nodes ? formatPercent(total.kept) : "–", total.weight ? formatNumber(total.age / total.weight) : "–",
        total.weight ? formatPercent(total.stale / total.weight) : "–",
      ],
    }));
  }

  stats() {
    return { ...super.stats(), cells: this.cells.items.size };
  }
}

export const createForestView = (root, options) => new ForestView(root, options);
export const render = renderPicture(ForestView);
