/*
 * The fading view: an ensemble of trees as strips (icicles, root on top), each cell a node.
 *
 * Width is the node's share of its tree's weight, colour its age in half-lives, and the bar inside it how much of all the
 * weight it ever received is still there: two signs, never colour alone. Cells keep their identity by node id and glide to
 * where the newest frame wants them. Usable without Panel: see createFadingView.
 */
import {
  DrawLoop, SHARED_CSS, Throttled, Tooltip, clamp, element, fitCanvas, formatCount, formatNumber, formatPercent, plural, ramp, receiveFrames,
  reducedMotion, renderOnce, setText,
} from "./theme.js";

const TWEEN_MS = 200;
const COLOURS = 48;
/** The age, in half-lives, at which a cell has the last colour: 1/16 of the weight it had is left. */
const OLDEST = 4;
/** Bars are logarithmic, so that a node left alone shrinks by equal steps per half-life; under this share the bar is empty. */
const LEAST_KEPT = 0.001;
/** Room around the strips, in CSS pixels, for the outline of a cell at the edge. */
const MARGIN = 3;
/** A machine that needs longer than this per draw gets jumps in place of glides. */
const SLOW_DRAW_MS = 10;
/** A vanishing cell this opaque or less is gone. */
const FAINT = 0.15;
/** Text beside the picture changes at most this often. */
const TEXT_EVERY_MS = 250;

const CSS = `${SHARED_CSS}
.sl-fading .sl-summary{margin-bottom:10px}
.sl-fading .sl-legend{display:flex;flex-wrap:wrap;gap:10px 32px;margin-bottom:14px;font-size:12px;line-height:1.2;color:var(--sl-muted)}
.sl-fading .sl-key{display:flex;flex-direction:column;gap:5px}
.sl-fading .sl-gradient{width:176px;height:14px;border-radius:2px}
.sl-fading .sl-ticks{position:relative;width:176px;height:1.2em}
.sl-fading .sl-ticks span{position:absolute}
.sl-fading .sl-bars{display:flex;gap:8px}
.sl-fading .sl-sample{display:flex;flex-direction:column;align-items:center;gap:5px;min-width:36px}
.sl-fading .sl-sample i{display:flex;align-items:flex-end;width:36px;height:14px;background:var(--sl-track)}
.sl-fading .sl-sample i::after{content:"";width:100%;height:var(--kept);background:var(--sl-control)}
.sl-fading .sl-name{position:absolute;left:0;top:0;font-size:12px;line-height:18px;height:18px;color:var(--sl-muted);white-space:nowrap;
  pointer-events:none}
`;

const easeOut = (t) => 1 - (1 - t) ** 3;

/**
 * Place on the colour scale, 0 fresh to 1 stale: the root of the age in half-lives, for most ages are small. A learner that
 * never fades has no half-life, so there the age counts as a share of the stream so far.
 */
function heatOf(age, frame) {
  const oldest = frame.half_life ? OLDEST * frame.half_life : Math.max(frame.now, 1);
  return Math.sqrt(clamp(age / oldest, 0, 1));
}

function barOf(kept) {
  return kept <= LEAST_KEPT ? 0 : Math.min(1, 1 - Math.log(kept) / Math.log(LEAST_KEPT));
}

/**
 * Places of the strips for a width in CSS pixels: as many columns as fit, evened out so that the last row is not ragged.
 * @returns {{columns, width, height, x: (tree) => number, y: (tree) => number, row: number, top: number, total: number}}
 */
export function gridLayout(width, trees, depths) {
  const small = width < 640;
  const gap = small ? 14 : 24;
  const fitting = Math.max(1, Math.floor((width + gap) / ((small ? 150 : 230) + gap)));
  const rows = Math.ceil(trees / Math.min(fitting, trees));
  const columns = Math.ceil(trees / rows);
  const strip = Math.max(1, Math.floor((width - 2 * MARGIN - gap * (columns - 1)) / columns));
  const row = small ? 11 : 14;
  const top = 20;
  const block = top + row * depths;
  const step = block + (small ? 14 : 18);
  return {
    columns, row, top, width: strip, height: block, total: rows * step - (step - block) + MARGIN,
    x: (tree) => MARGIN + (tree % columns) * (strip + gap),
    y: (tree) => Math.floor(tree / columns) * step,
  };
}

/** Values that glide, per cell: left, right, heat, bar, opacity. */
const LEFT = 0, RIGHT = 1, HEAT = 2, BAR = 3, OPACITY = 4, VALUES = 5;

/** The cells on screen, kept by node id between frames, with where each comes from, is now, and goes. */
class Cells {
  constructor() {
    this.count = 0;
    this.slots = new Map();
    this.moving = false;
    this.start = 0;
    this.allocate(512);
  }

  allocate(capacity) {
    const grow = (Type, old, width) => {
      const array = new Type(capacity * width);
      if (old) array.set(old);
      return array;
    };
    this.capacity = capacity;
    this.id = grow(Float64Array, this.id, 1);
    this.tree = grow(Uint16Array, this.tree, 1);
    this.depth = grow(Uint8Array, this.depth, 1);
    this.seen = grow(Uint8Array, this.seen, 1);
    this.from = grow(Float32Array, this.from, VALUES);
    this.at = grow(Float32Array, this.at, VALUES);
    this.to = grow(Float32Array, this.to, VALUES);
  }

  add(id, tree, depth) {
    if (this.count === this.capacity) this.allocate(this.capacity * 2);
    const slot = this.count++;
    this.slots.set(id, slot);
    this.id[slot] = id;
    this.tree[slot] = tree;
    this.depth[slot] = depth;
    return slot;
  }

  /** Takes a frame as the new goal. With `jump` the goal is reached at once. */
  aim(frame, now, jump) {
    // When frames come faster than a glide takes, no glide ends: what has all but vanished goes now.
    this.drop(FAINT);
    this.seen.fill(0, 0, this.count);
    for (let i = 0; i < frame.id.length; i++) {
      const known = this.slots.get(frame.id[i]);
      const slot = known ?? this.add(frame.id[i], frame.tree[i], frame.depth[i]);
      const base = slot * VALUES;
      this.seen[slot] = 1;
      this.to[base + LEFT] = frame.x0[i];
      this.to[base + RIGHT] = frame.x1[i];
      this.to[base + HEAT] = heatOf(frame.age[i], frame);
      this.to[base + BAR] = barOf(frame.retained[i]);
      this.to[base + OPACITY] = 1;
      if (known === undefined) {
        this.at.set(this.to.subarray(base, base + VALUES), base);
        this.at[base + OPACITY] = 0;
      }
    }
    for (let slot = 0; slot < this.count; slot++) if (!this.seen[slot]) this.to[slot * VALUES + OPACITY] = 0;
    this.from.set(this.at.subarray(0, this.count * VALUES));
    this.start = now;
    this.moving = true;
    if (jump) this.finish();
  }

  /** Moves every cell to its place at `now`. */
  advance(now) {
    if (!this.moving) return;
    const t = (now - this.start) / TWEEN_MS;
    if (t >= 1) {
      this.finish();
      return;
    }
    const share = easeOut(Math.max(0, t));
    const { from, at, to } = this;
    for (let i = 0, end = this.count * VALUES; i < end; i++) at[i] = from[i] + (to[i] - from[i]) * share;
  }

  finish() {
    this.moving = false;
    this.at.set(this.to.subarray(0, this.count * VALUES));
    this.drop(0);
  }

  /** Removes what vanishes, once it is no more than this opaque. */
  drop(opacity) {
    for (let slot = this.count - 1; slot >= 0; slot--) {
      const at = slot * VALUES + OPACITY;
      if (this.to[at] === 0 && this.at[at] <= opacity) this.remove(slot);
    }
  }

  /** The last cell takes the place of the removed one. */
  remove(slot) {
    const last = --this.count;
    this.slots.delete(this.id[slot]);
    if (slot === last) return;
    for (const column of [this.id, this.tree, this.depth, this.seen]) column[slot] = column[last];
    for (const values of [this.from, this.at, this.to]) values.copyWithin(slot * VALUES, last * VALUES, (last + 1) * VALUES);
    this.slots.set(this.id[slot], slot);
  }
}

/** Draws cells by colour, not by place: one style change per colour rather than two per cell. */
class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.starts = new Int32Array(COLOURS + 1);
    this.order = new Int32Array(0);
    this.boxes = new Int32Array(0);
  }

  setDark(dark) {
    this.colours = ramp(dark, COLOURS);
    this.line = dark ? "#fff" : "#000";
    this.halo = dark ? "rgba(0,0,0,.75)" : "rgba(255,255,255,.9)";
    this.accent = dark ? "#90caf9" : "#1565c0";
  }

  /** Counting sort of the cells by colour. */
  sort(cells) {
    if (this.order.length < cells.count) this.order = new Int32Array(cells.capacity);
    const { starts, order } = this;
    const colour = (slot) => Math.round(cells.at[slot * VALUES + HEAT] * (COLOURS - 1));
    starts.fill(0);
    for (let slot = 0; slot < cells.count; slot++) starts[colour(slot) + 1]++;
    for (let c = 0; c < COLOURS; c++) starts[c + 1] += starts[c];
    const next = starts.slice();
    for (let slot = 0; slot < cells.count; slot++) order[next[colour(slot)]++] = slot;
  }

  /** Every cell's box in whole device pixels: x, y, width, height; width 0 where it is too thin to see. */
  measure(cells, grid, ratio) {
    if (this.boxes.length < 4 * cells.count) this.boxes = new Int32Array(4 * cells.capacity);
    const line = Math.max(1, Math.round(ratio));
    const height = Math.round(grid.row * ratio) - line;
    for (let slot = 0; slot < cells.count; slot++) {
      const tree = cells.tree[slot];
      const start = grid.x(tree);
      const left = Math.round((start + cells.at[slot * VALUES + LEFT] * grid.width) * ratio);
      const width = Math.round((start + cells.at[slot * VALUES + RIGHT] * grid.width) * ratio) - left;
      this.boxes[4 * slot] = left;
      this.boxes[4 * slot + 1] = Math.round((grid.y(tree) + grid.top + cells.depth[slot] * grid.row) * ratio);
      // A gap between neighbours, but never at the price of the cell itself.
      this.boxes[4 * slot + 2] = Math.max(0, width > 3 * line ? width - line : width);
      this.boxes[4 * slot + 3] = height;
    }
  }

  draw(cells, grid, ratio, selected, cursor) {
    const { context, starts } = this;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.measure(cells, grid, ratio);
    this.sort(cells);
    for (let c = 0; c < COLOURS; c++) {
      if (starts[c] === starts[c + 1]) continue;
      context.fillStyle = this.colours.tint[c];
      for (let i = starts[c]; i < starts[c + 1]; i++) this.fill(cells, this.order[i], 1);
      context.fillStyle = this.colours.solid[c];
      for (let i = starts[c]; i < starts[c + 1]; i++) this.fill(cells, this.order[i], cells.at[this.order[i] * VALUES + BAR]);
    }
    context.globalAlpha = 1;
    this.outline(cells, cursor, ratio, this.accent);
    this.outline(cells, selected, ratio, this.line);
  }

  /** Fills the cell from its bottom up to a share of its height. */
  fill(cells, slot, share) {
    const box = 4 * slot;
    const height = Math.round(this.boxes[box + 3] * share);
    if (height === 0 || this.boxes[box + 2] === 0) return;
    this.context.globalAlpha = cells.at[slot * VALUES + OPACITY];
    this.context.fillRect(this.boxes[box], this.boxes[box + 1] + this.boxes[box + 3] - height, this.boxes[box + 2], height);
  }

  outline(cells, id, ratio, colour) {
    const slot = id === null ? undefined : cells.slots.get(id);
    if (slot === undefined) return;
    const [x, y, width, height] = this.boxes.subarray(4 * slot, 4 * slot + 4);
    const pen = Math.max(1, Math.round(ratio));
    const { context } = this;
    for (const [style, thickness] of [[this.halo, 4 * pen], [colour, 2 * pen]]) {
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.strokeRect(x - pen, y - pen, width + 2 * pen, height + 2 * pen);
    }
  }
}

/** What can be asked of a frame's rows: who is where, whose parent is whom. Linear scans: they run on a key or a pointer only. */
const Rows = {
  ofId: (frame, id) => (id === null ? -1 : frame.id.indexOf(id)),

  /** The best row for which `score` is lowest; rows scored null are out. */
  best(frame, score) {
    let [found, lowest] = [-1, Infinity];
    for (let i = 0; i < frame.id.length; i++) {
      const value = score(i);
      if (value !== null && value < lowest) [found, lowest] = [i, value];
    }
    return found;
  },

  middle: (frame, i) => (frame.x0[i] + frame.x1[i]) / 2,

  root: (frame, tree) => Rows.best(frame, (i) => (frame.tree[i] === tree ? frame.depth[i] : null)),

  parent(frame, row) {
    const x = Rows.middle(frame, row);
    return Rows.best(frame, (i) => (
      frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] - 1 && frame.x0[i] <= x && x <= frame.x1[i] ? 0 : null));
  },

  child(frame, row) {
    return Rows.best(frame, (i) => {
      const x = Rows.middle(frame, i);
      const below = frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] + 1;
      return below && frame.x0[row] <= x && x <= frame.x1[row] ? x : null;
    });
  },

  neighbour(frame, row, direction) {
    const here = Rows.middle(frame, row);
    return Rows.best(frame, (i) => {
      const away = (Rows.middle(frame, i) - here) * direction;
      return i !== row && frame.tree[i] === frame.tree[row] && frame.depth[i] === frame.depth[row] && away > 0 ? away : null;
    });
  },

  /** The nearest tree before or after that has a cell at all. */
  nextTree(frame, row, direction) {
    const tree = Rows.best(frame, (i) => {
      const away = (frame.tree[i] - frame.tree[row]) * direction;
      return away > 0 ? away : null;
    });
    return tree < 0 ? -1 : Rows.root(frame, frame.tree[tree]);
  },
};

class FadingView {
  constructor(root, options) {
    this.root = root;
    this.labels = options.labels ?? [];
    this.onSelect = options.onSelect ?? (() => {});
    this.jump = options.animate === false;
    this.cells = new Cells();
    this.frame = null;
    this.pending = null;
    this.selected = null;
    this.cursor = null;
    this.hovered = null;
    this.count = { received: 0, drawn: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.build(options.emptyText ?? "No node yet: press play");
    this.painter = new Painter(this.canvas);
    this.loop = new DrawLoop(this.stage, (now) => this.draw(now), () => this.catchUp());
    this.listen();
    this.setDark(options.dark ?? false);
    this.resize();
    root.__fading_stats = () => this.stats();
  }

  build(emptyText) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.names = element("div", { "aria-hidden": "true" });
    this.empty = element("div", { class: "sl-empty", text: emptyText });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": "fading view of trees",
      "aria-label": "Nodes of the trees. Arrow keys move between nodes, Page Up and Page Down between trees, Enter selects.",
    }, [this.canvas, this.names, this.empty]);
    this.tooltip = new Tooltip(this.stage);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.summary = element("div", { class: "sl-summary sl-muted" });
    this.table = element("tbody");
    this.details = element("details", {}, [element("summary", { text: "Table" }), this.buildTable()]);
    this.wrapper = element("section", { class: "sl-view sl-fading", "aria-label": "Fading of the trees' nodes" }, [
      element("style", { text: CSS }), this.summary, this.buildLegend(), this.stage, this.live, this.details,
    ]);
    this.root.append(this.wrapper);
  }

  buildLegend() {
    this.gradient = element("div", { class: "sl-gradient" });
    this.ageTitle = element("span");
    this.ageTicks = element("div", { class: "sl-ticks" });
    const samples = [1, 0.1, 0.01, LEAST_KEPT].map((kept) => element("span", { class: "sl-sample" }, [
      element("i", { style: `--kept:${(100 * barOf(kept)).toFixed(0)}%` }), element("span", { text: `${kept * 100} %` }),
    ]));
    return element("div", { class: "sl-legend" }, [
      element("div", { class: "sl-key" }, [this.ageTitle, this.gradient, this.ageTicks]),
      element("div", { class: "sl-key" }, [
        element("span", { text: "bar = share of weight kept (log)" }), element("div", { class: "sl-bars" }, samples),
      ]),
    ]);
  }

  buildTable() {
    const heads = ["Tree", "Nodes drawn", "Root kept", "Mean age", "Stale weight"];
    const head = element("tr", {}, heads.map((text) => element("th", { scope: "col", text })));
    const caption = element("caption", {
      class: "sl-hidden", text: "One row per tree. Mean age and stale weight are over the deepest nodes drawn, by weight.",
    });
    return element("div", { class: "sl-scroll", tabindex: "0", role: "region", "aria-label": "Table of the trees" }, [
      element("table", {}, [caption, element("thead", {}, [head]), this.table]),
    ]);
  }

  listen() {
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal });
    on(this.stage, "pointermove", (event) => event.pointerType === "touch" || this.hover(this.hit(event)));
    on(this.stage, "pointerleave", () => this.hover(null));
    on(this.stage, "click", (event) => this.click(event));
    on(this.stage, "keydown", (event) => this.key(event));
    on(this.stage, "blur", () => this.moveCursor(null));
    on(this.details, "toggle", () => this.writeTable());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.wrapper);
  }

  /* --- what comes in ---------------------------------------------------------------------------------------- */

  update(frame) {
    this.count.received++;
    this.pending = frame;
    this.loop.frame();
  }

  select(id) {
    this.selected = id ?? null;
    this.loop.request();
  }

  setLabels(labels) {
    this.labels = labels ?? [];
  }

  setDark(dark) {
    this.wrapper.classList.toggle("sl-dark", Boolean(dark));
    this.painter.setDark(Boolean(dark));
    this.gradient.style.background = `linear-gradient(to right,${this.painter.colours.solid.filter((_, i) => i % 4 === 0).join(",")})`;
    this.loop.request();
  }

  /** The picture for a new width: no glide, and at once, for a canvas that changes its size is cleared. */
  resize() {
    const width = Math.floor(this.stage.clientWidth);
    const trees = this.frame?.n_trees ?? 0;
    if (width === 0) return;
    this.empty.hidden = Boolean(this.frame && this.frame.id.length);
    if (!this.empty.hidden) this.stage.style.minHeight = "160px";
    else this.stage.style.minHeight = "";
    const depths = (this.frame?.drawn_depth ?? 0) + 1;
    const key = `${width} ${trees} ${depths} ${window.devicePixelRatio}`;
    if (key === this.layoutKey) return;
    this.layoutKey = key;
    this.grid = gridLayout(width, Math.max(trees, 1), depths);
    this.ratio = fitCanvas(this.canvas, width, trees ? this.grid.total : 1);
    this.nameStrips(trees);
    if (this.frame) this.paint(performance.now());
  }

  nameStrips(trees) {
    this.names.replaceChildren(...Array.from({ length: trees }, (_, tree) => element("span", {
      class: "sl-name", text: `Tree ${tree + 1}`, style: `transform:translate(${this.grid.x(tree)}px,${this.grid.y(tree)}px)`,
    })));
  }

  /* --- drawing ---------------------------------------------------------------------------------------------- */

  draw(now) {
    if (this.pending) this.take(now);
    if (this.frame === null) return false;
    this.paint(now);
    return this.cells.moving;
  }

  take(now) {
    this.frame = this.pending;
    this.pending = null;
    const slow = this.count.mean > SLOW_DRAW_MS;
    this.cells.aim(this.frame, now, this.jump || slow || reducedMotion());
    this.text.request();
    this.resize();
    if (this.hovered !== null) this.showTip(this.hovered);
  }

  paint(now) {
    this.cells.advance(now);
    const begun = performance.now();
    this.painter.draw(this.cells, this.grid, this.ratio, this.selected, this.cursor ?? this.hovered);
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
  }

  /** After the tab was hidden or the view out of sight: the newest frame, no glide. */
  catchUp() {
    if (this.pending) this.take(performance.now());
    if (this.cells.moving) this.cells.finish();
  }

  /* --- words ------------------------------------------------------------------------------------------------ */

  writeText() {
    this.writeLegend();
    setText(this.summary, this.summarise());
    if (this.details.open) this.writeTable();
  }

  writeLegend() {
    const fading = Boolean(this.frame.half_life);
    if (this.legendFor === fading) return;
    this.legendFor = fading;
    setText(this.ageTitle, fading ? "age in half-lives" : "age, share of the stream so far");
    const ticks = fading ? [[0, "0"], [1 / 16, "¼"], [0.25, "1"], [0.5, "2"], [1, "4+"]] : [[0, "0 %"], [0.25, "25 %"], [1, "100 %"]];
    this.ageTicks.replaceChildren(...ticks.map(([share, text]) => {
      const place = 100 * Math.sqrt(share);
      return element("span", { text, style: `left:${place.toFixed(1)}%;transform:translateX(-${place.toFixed(1)}%)` });
    }));
  }

  summarise() {
    const { frame } = this;
    const all = frame.n_nodes > frame.id.length ? `${formatCount(frame.id.length)} of ${plural(frame.n_nodes, "node")}` : plural(frame.id.length, "node");
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

  /** Title and lines that describe a row of the frame, for the tooltip and for the voice. */
  describe(row) {
    const { frame } = this;
    const lines = [
      `${formatPercent(frame.x1[row] - frame.x0[row])} of the tree’s weight (${formatNumber(frame.weight[row])})`,
      `${formatPercent(frame.retained[row])} of all it received is kept`,
      this.ageText(frame.age[row]),
    ];
    const top = frame.top[row];
    if (top >= 0) lines.push(`commonest label: ${this.labels[top] ?? `#${top}`}`);
    if (frame.cardinality) lines.push(`${frame.cardinality[row].toFixed(2)} labels per instance`);
    return { title: `Tree ${frame.tree[row] + 1} · ${frame.depth[row] ? `depth ${frame.depth[row]}` : "root"}`, lines };
  }

  announce(row) {
    const { title, lines } = this.describe(row);
    setText(this.live, `${title.replace(" ·", ",")}. ${lines.join(", ")}${this.frame.id[row] === this.selected ? ", selected" : ""}.`);
  }

  writeTable() {
    if (!this.details.open || !this.frame) return;
    const rows = treeTotals(this.frame);
    this.table.replaceChildren(...rows.map((total, tree) => element("tr", {}, [
      element("th", { scope: "row", text: `${tree + 1}` }), element("td", { text: formatCount(total.nodes) }),
      element("td", { text: total.nodes ? formatPercent(total.kept) : "–" }),
      element("td", { text: total.weight ? formatNumber(total.age / total.weight) : "–" }),
      element("td", { text: total.weight ? formatPercent(total.stale / total.weight) : "–" }),
    ])));
  }

  /* --- pointer and keys ------------------------------------------------------------------------------------- */

  /** The id of the node under a pointer event, or null. Thin cells are caught by up to 4 px around them, on touch 12. */
  hit(event) {
    if (!this.frame || !this.grid) return null;
    const { frame, grid } = this;
    const bounds = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const reach = event.pointerType === "touch" ? 12 : 4;
    const row = Rows.best(frame, (i) => {
      const depth = Math.floor((py - grid.y(frame.tree[i]) - grid.top) / grid.row);
      if (depth !== frame.depth[i]) return null;
      const x = grid.x(frame.tree[i]);
      const away = Math.max(x + frame.x0[i] * grid.width - px, px - x - frame.x1[i] * grid.width, 0);
      return away <= reach ? away : null;
    });
    return row < 0 ? null : frame.id[row];
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.showTip(id);
    this.stage.style.cursor = id === null ? "" : "pointer";
    this.loop.request();
  }

  showTip(id) {
    const row = this.frame ? Rows.ofId(this.frame, id) : -1;
    if (row < 0) {
      this.tooltip.hide();
      return;
    }
    const { frame, grid } = this;
    const box = {
      x: grid.x(frame.tree[row]) + frame.x0[row] * grid.width, width: (frame.x1[row] - frame.x0[row]) * grid.width,
      y: grid.y(frame.tree[row]) + grid.top + frame.depth[row] * grid.row, height: grid.row,
    };
    const { title, lines } = this.describe(row);
    this.tooltip.show(box, title, lines);
  }

  click(event) {
    const id = this.hit(event);
    if (event.pointerType === "touch") this.hover(id);
    this.choose(id);
  }

  /** The user's choice: the same cell again lets go of it. */
  choose(id) {
    this.selected = id === this.selected ? null : id;
    this.onSelect(this.selected);
    this.loop.request();
  }

  moveCursor(row) {
    this.cursor = row === null ? null : this.frame.id[row];
    this.showTip(this.cursor);
    this.loop.request();
    if (row !== null) this.announce(row);
  }

  key(event) {
    if (!this.frame?.id.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.cursorRow();
    const moves = {
      ArrowUp: () => Rows.parent(this.frame, row),
      ArrowDown: () => Rows.child(this.frame, row),
      ArrowLeft: () => Rows.neighbour(this.frame, row, -1),
      ArrowRight: () => Rows.neighbour(this.frame, row, 1),
      PageUp: () => Rows.nextTree(this.frame, row, -1),
      PageDown: () => Rows.nextTree(this.frame, row, 1),
      Home: () => Rows.root(this.frame, this.frame.tree[row]),
    };
    if (event.key === "Escape") this.escape();
    else if (event.key === "Enter" || event.key === " ") this.chooseCursor(row);
    else if (event.key in moves) this.step(row, moves[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where the keys act: the cursor; else the selected cell; else the root of the first tree there is. */
  cursorRow() {
    const { frame } = this;
    for (const id of [this.cursor, this.selected]) {
      const row = Rows.ofId(frame, id);
      if (row >= 0) return row;
    }
    return Rows.root(frame, frame.tree.reduce((a, b) => Math.min(a, b), Infinity));
  }

  /** The first key only shows where the cursor is. At an edge it stays and says so again. */
  step(row, move) {
    const target = Rows.ofId(this.frame, this.cursor) < 0 ? row : move();
    this.moveCursor(target < 0 ? row : target);
    this.keepInView(target < 0 ? row : target);
  }

  chooseCursor(row) {
    this.choose(this.frame.id[row]);
    this.moveCursor(row);
  }

  escape() {
    this.moveCursor(null);
    this.hover(null);
    if (this.selected !== null) this.choose(this.selected);
  }

  keepInView(row) {
    const top = this.canvas.getBoundingClientRect().top + this.grid.y(this.frame.tree[row]);
    const bottom = top + this.grid.height;
    if (top < 0 || bottom > window.innerHeight) this.names.children[this.frame.tree[row]]?.scrollIntoView({ block: "center" });
  }

  /* --- the rest --------------------------------------------------------------------------------------------- */

  stats() {
    return {
      frames_received: this.count.received, frames_drawn: this.count.drawn, last_draw_ms: this.count.last,
      mean_draw_ms: this.count.mean, cells: this.cells.count, moving: this.cells.moving,
    };
  }

  destroy() {
    this.loop.stop();
    this.text.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.wrapper.remove();
    delete this.root.__fading_stats;
  }
}

/** Per tree: nodes drawn, the root's share kept, and over the nodes without a drawn child the weighted age and stale weight. */
export function treeTotals(frame) {
  const totals = Array.from({ length: frame.n_trees }, () => ({ nodes: 0, kept: 0, weight: 0, age: 0, stale: 0 }));
  const level = (i, below) => frame.tree[i] * 256 + frame.depth[i] + below;
  const middles = new Map();
  for (let i = 0; i < frame.id.length; i++) {
    if (!middles.has(level(i, 0))) middles.set(level(i, 0), []);
    middles.get(level(i, 0)).push(Rows.middle(frame, i));
  }
  for (let i = 0; i < frame.id.length; i++) {
    const total = totals[frame.tree[i]];
    total.nodes++;
    if (frame.depth[i] === 0) total.kept = frame.retained[i];
    if (middles.get(level(i, 1))?.some((x) => frame.x0[i] <= x && x <= frame.x1[i])) continue;
    total.weight += frame.weight[i];
    total.age += frame.weight[i] * frame.age[i];
    if (heatOf(frame.age[i], frame) >= 1) total.stale += frame.weight[i];
  }
  return totals;
}

/**
 * Draws the fading view into `root`.
 *
 * @param {HTMLElement} root an empty element, at least 280 px wide; the view takes its width and the height it needs
 * @param {object} [options]
 * @param {string[]} [options.labels] label names, by index
 * @param {boolean} [options.dark] dark surface, default false
 * @param {boolean} [options.animate] false: cells jump. Default true, unless the user prefers reduced motion
 * @param {string} [options.emptyText] what is said while there is no node
 * @param {(id: number|null) => void} [options.onSelect] called when the user selects a node, or lets go of it
 * @returns {{update, select, setLabels, setDark, resize, destroy, stats}} `update(frame)` takes
 *   {n_trees, height, drawn_depth, half_life (instances, null: never fades), now (instances seen), n_nodes (optional: nodes in
 *   all), and a column per property, array or typed array: id, tree, depth, x0, x1 (0..1 in the strip), retained (0..1), age
 *   (instances), weight, top (label index or -1), cardinality (optional)}; it keeps the frame, so give it a fresh one each time
 */
export function createFadingView(root, options = {}) {
  const view = new FadingView(root, options);
  const api = {};
  for (const name of ["update", "select", "setLabels", "setDark", "resize", "destroy", "stats"]) api[name] = view[name].bind(view);
  return api;
}

/** Panel: draws the component's view and ties its parameters to it. */
export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const fading = createFadingView(el, {
      labels: model.labels, dark: model.dark, emptyText: model.empty_text, onSelect: (id) => { model.selected = id; },
    });
    fading.select(model.selected);
    model.on("selected", () => fading.select(model.selected));
    model.on("dark", () => fading.setDark(model.dark));
    model.on("labels", () => fading.setLabels(model.labels));
    const stopReceiving = receiveFrames(model, view, (frame) => fading.update(frame));
    return () => {
      stopReceiving();
      fading.destroy();
    };
  });
}
