/*
 * The label view: how common each label is now against the whole stream, and which labels come together.
 *
 * One row per label: a bar for now, a tick for the whole stream, and the difference in words of its own (arrow and sign).
 * Beside it the lower triangle of the co-occurrence matrix, as squares whose size and colour say the Jaccard index. Usable
 * without Panel: see createLabelView.
 */
import {
  DrawLoop, SHARED_CSS, Throttled, Tooltip, clamp, element, fitCanvas, formatPercent, inkOn, plural, ramp, receiveFrames,
  renderOnce, setText,
} from "./theme.js";

const COLOURS = 33;
/** Text in the table and the summary changes at most this often, the order of "changed most" more rarely still. */
const TEXT_EVERY_MS = 500;
const SORT_EVERY_MS = 2000;
/** The matrix is redrawn at most this often. */
const MATRIX_EVERY_MS = 250;
/** Right ends that the axis of the bars may have. */
const AXIS_ENDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
/** Differences under this many percentage points count as none. */
const NO_CHANGE = 0.05;

/** Pairs smaller than this many pixels have room for their colour only; the table has the numbers. */
const SMALL_CELL = 10;

const CSS = `${SHARED_CSS}
.sl-labels{container-type:inline-size}
.sl-labels .sl-head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin-bottom:10px}
.sl-labels .sl-sorts{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-labels button{font:inherit;font-size:12px;min-height:28px;padding:0 10px;border:0;background:none;color:var(--sl-muted);cursor:pointer}
.sl-labels button+button{border-left:1px solid var(--sl-control)}
.sl-labels button[aria-pressed=true]{background:var(--sl-track);color:var(--sl-text);font-weight:600}
.sl-labels .sl-halves{display:grid;grid-template-columns:minmax(0,1fr);gap:28px}
@container (min-width:680px){.sl-labels .sl-halves{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}}
.sl-labels .sl-list{overflow-y:auto;overflow-x:hidden;scrollbar-width:thin}
.sl-labels .sl-row{display:grid;grid-template-columns:minmax(48px,var(--sl-names)) minmax(40px,1fr) 54px 62px;column-gap:10px;align-items:center;
  min-height:26px;padding:0 6px;border-radius:4px}
@container (max-width:320px){.sl-labels .sl-row{column-gap:6px}.sl-labels .sl-ends>:first-child{display:none}}
.sl-labels .sl-list:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-labels .sl-row:hover,.sl-labels .sl-row.sl-lit{background:var(--sl-track)}
.sl-labels .sl-row>:first-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-labels .sl-axis{position:sticky;top:0;z-index:1;color:var(--sl-muted);font-size:12px}
.sl-labels .sl-axis:hover{background:none}
.sl-labels .sl-ends{display:flex;justify-content:space-between}
.sl-labels .sl-right{text-align:right;white-space:nowrap}
.sl-labels .sl-meter{position:relative;height:12px;overflow:hidden}
.sl-labels .sl-meter::before{content:"";position:absolute;inset:5px 0;background:var(--sl-line)}
.sl-labels .sl-fill{position:absolute;inset:2px 0;background:var(--sl-bar);transform-origin:left;border-radius:0 1px 1px 0}
.sl-labels .sl-whole{position:absolute;inset:0;border-left:2px solid var(--sl-text);margin-left:-1px}
.sl-labels .sl-up{color:var(--sl-up)}.sl-labels .sl-down{color:var(--sl-down)}.sl-labels .sl-same{color:var(--sl-muted)}
.sl-labels .sl-keys{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 8px;color:var(--sl-muted);font-size:12px;min-height:18px}
.sl-labels .sl-keys span{display:inline-flex;align-items:center;gap:6px}
.sl-labels .sl-keys i{display:inline-block;width:18px;height:8px;background:var(--sl-bar)}
.sl-labels .sl-keys .sl-tick{width:2px;height:12px;background:var(--sl-text)}
.sl-labels .sl-scale{width:96px!important;height:10px!important;border-radius:2px}
.sl-labels canvas{max-width:none}
`;

function axisEnd(largest, before) {
  const wanted = AXIS_ENDS.find((end) => end >= largest) ?? 1;
  // The axis does not follow every wobble: it shrinks only when it has become far too long.
  return before !== undefined && wanted < before && largest > 0.5 * before ? before : wanted;
}

/** A difference of shares in percentage points, with an arrow and a sign. */
function change(difference) {
  const value = 100 * difference;
  if (Math.abs(value) < NO_CHANGE) return { className: "sl-same", text: "= 0.0" };
  const up = value > 0;
  return { className: up ? "sl-up" : "sl-down", text: `${up ? "▲ +" : "▼ −"}${Math.abs(value).toFixed(1)}` };
}

/** Place of the pair (a, b), a > b, in a lower triangle stored row by row. */
const pair = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

function jaccard(frame, a, b) {
  const joint = frame.joint[pair(a, b)];
  const either = frame.now[a] + frame.now[b] - joint;
  return either > 0 ? clamp(joint / either, 0, 1) : 0;
}

/** The co-occurrence matrix: lower triangle, names along the diagonal. */
class Matrix {
  constructor(options) {
    this.onLight = options.onLight;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": "matrix of label pairs",
      "aria-label": "Labels that come together. Arrow keys move between pairs.",
    }, [this.canvas]);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.tooltip = new Tooltip(this.stage);
    this.context = this.canvas.getContext("2d");
    this.at = null;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.stage.addEventListener("pointermove", (event) => this.point(this.hit(event)), { signal });
    this.stage.addEventListener("click", (event) => this.point(this.hit(event)), { signal });
    this.stage.addEventListener("pointerleave", () => this.point(null), { signal });
    this.stage.addEventListener("blur", () => this.point(null), { signal });
    this.stage.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  setDark(dark) {
    this.colours = ramp(dark, COLOURS);
    this.text = dark ? "#e6e8eb" : "#1f2328";
    this.muted = dark ? "#a8b0ba" : "#57606a";
    this.line = dark ? "#3a3f47" : "#e3e6ea";
    this.accent = dark ? "#fff" : "#000";
  }

  /** Room for `count` labels in `width` x `height`: whole pixels per pair, names at the diagonal if they can be read. */
  fit(count, width, height) {
    const named = Math.min(width - Math.min(130, width * 0.3), height) / count >= 12;
    const room = named ? Math.min(130, width * 0.3) : 0;
    this.size = Math.max(1, Math.min(48, Math.floor((Math.min(width - room, height)) / count)));
    this.room = room;
    this.ratio = fitCanvas(this.canvas, Math.min(width, this.size * count + room + 2), this.size * count + 2);
  }

  draw(frame, names) {
    const { context, size, ratio } = this;
    this.frame = frame;
    this.names = names;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (size < SMALL_CELL) this.drawImage(names.length);
    else this.drawPairs(names.length);
    if (this.room) this.drawNames(names);
    if (this.at) this.drawLight();
    this.renew();
  }

  /** Many labels: a picture with one pixel per pair, scaled up. Thousands of rectangles would take ten times as long. */
  drawImage(count) {
    this.small ??= document.createElement("canvas");
    this.small.width = this.small.height = count;
    const context = this.small.getContext("2d");
    const image = context.createImageData(count, count);
    for (let a = 1; a < count; a++) {
      for (let b = 0; b < a; b++) {
        const [r, g, blue] = this.colours.rgb[this.colour(jaccard(this.frame, a, b))];
        image.data.set([r, g, blue, 255], 4 * (a * count + b));
      }
    }
    context.putImageData(image, 0, 0);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(this.small, 0, 0, count * this.size, count * this.size);
  }

  drawPairs(count) {
    this.drawGrid(count);
    for (let a = 1; a < count; a++) for (let b = 0; b < a; b++) this.drawPair(a, b, jaccard(this.frame, a, b));
  }

  /** Most pairs are rare: the root of the index spreads them over the scale. */
  colour(value) {
    return Math.round((1 - Math.sqrt(value)) * (COLOURS - 1));
  }

  drawGrid(count) {
    const { context, size } = this;
    context.fillStyle = this.line;
    for (let a = 1; a <= count; a++) {
      context.fillRect(0, a * size, Math.min(a, count - 1) * size, 1);
      context.fillRect((a - 1) * size, Math.max(a - 1, 1) * size, 1, (count - Math.max(a - 1, 1)) * size + 1);
    }
  }

  /** Area and colour say the same: a square whose area is the Jaccard index, with its number where there is room. */
  drawPair(a, b, value) {
    const { context, size } = this;
    if (value <= 0) return;
    const colour = this.colour(value);
    const side = Math.max(1, Math.sqrt(value) * (size - 1));
    const inset = 1 + (size - 1 - side) / 2;
    context.fillStyle = this.colours.solid[colour];
    context.fillRect(b * size + inset, a * size + inset, side, side);
    if (size < 30 || value < 0.35) return;
    context.fillStyle = inkOn(this.colours.rgb[colour]);
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(value.toFixed(2), (b + 0.5) * size + 0.5, (a + 0.5) * size + 1);
  }

  drawNames(names) {
    const { context, size, room } = this;
    context.font = `${clamp(size - 2, 10, 12)}px system-ui, sans-serif`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const width = this.canvas.width / this.ratio;
    names.forEach((name, a) => {
      const left = a * size + clamp(size / 4, 3, 8);
      const free = Math.max(room, width - left) - 8;
      context.fillStyle = this.at && (this.at[0] === a || this.at[1] === a) ? this.text : this.muted;
      context.fillText(this.shorten(name, Math.min(free, 200)), left, (a + 0.5) * size + 1);
    });
  }

  shorten(name, width) {
    const { context } = this;
    if (context.measureText(name).width <= width) return name;
    let end = name.length - 1;
    while (end > 1 && context.measureText(`${name.slice(0, end)}…`).width > width) end--;
    return `${name.slice(0, end)}…`;
  }

  drawLight() {
    const [a, b] = this.at;
    this.context.strokeStyle = this.accent;
    this.context.lineWidth = 2;
    this.context.strokeRect(b * this.size + 0.5, a * this.size + 0.5, this.size, this.size);
  }

  hit(event) {
    if (!this.frame) return null;
    const bounds = this.canvas.getBoundingClientRect();
    const a = Math.floor((event.clientY - bounds.top) / this.size);
    const b = Math.floor((event.clientX - bounds.left) / this.size);
    return a < this.names.length && b >= 0 && b < a ? [a, b] : null;
  }

  /** Marks a pair (or none) and says what it is. */
  point(at) {
    if (String(at) === String(this.at)) return;
    this.at = at;
    this.onLight(at);
    if (at === null) this.tooltip.hide();
  }

  /** New numbers for the pair in the tooltip. */
  renew() {
    if (!this.at || this.at[0] >= this.names.length) return;
    const [a, b] = this.at;
    const [title, line] = this.describe(a, b);
    this.tooltip.show({ x: b * this.size, y: a * this.size, width: this.size, height: this.size }, title, [line]);
  }

  describe(a, b) {
    const joint = formatPercent(this.frame.joint[pair(a, b)]);
    return [`${this.names[b]} with ${this.names[a]}: ${joint} of now`, `Jaccard index ${jaccard(this.frame, a, b).toFixed(2)}`];
  }

  key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Escape") this.point(null);
    if (!step || !this.frame || this.names.length < 2 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const a = this.at ? clamp(this.at[0] + step[0], 1, this.names.length - 1) : 1;
    const b = this.at ? clamp(this.at[1] + step[1], 0, a - 1) : 0;
    this.point([a, b]);
    setText(this.live, this.describe(a, b).join(", "));
  }

  destroy() {
    this.listeners.abort();
  }
}

class LabelView {
  constructor(root, options) {
    this.root = root;
    this.maxHeight = options.maxHeight ?? 420;
    this.names = [];
    this.frame = null;
    this.pending = null;
    this.sorted = false;
    this.order = [];
    this.rows = [];
    this.count = { received: 0, drawn: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.pairs = new Throttled(() => this.drawMatrix(), MATRIX_EVERY_MS);
    this.sortDue = 0;
    this.build(options.emptyText ?? "No label yet: press play");
    this.loop = new DrawLoop(this.wrapper, (now) => this.draw(now), () => {});
    this.listeners = new AbortController();
    this.details.addEventListener("toggle", () => this.writeTable(), { signal: this.listeners.signal });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.wrapper);
    this.setDark(options.dark ?? false);
    root.__label_stats = () => this.stats();
  }

  build(emptyText) {
    this.matrix = new Matrix({ onLight: (at) => this.light(at) });
    this.summary = element("div", { class: "sl-muted" });
    this.buttons = [["Schema order", false], ["Changed most", true]].map(([text, sorted]) => {
      const button = element("button", { type: "button", text, "aria-pressed": String(!sorted) });
      button.addEventListener("click", () => this.setSorted(sorted));
      return button;
    });
    const sorts = element("div", { class: "sl-sorts", role: "group", "aria-label": "Order of the labels" }, this.buttons);
    this.end = element("span");
    const axis = element("div", { class: "sl-row sl-axis", "aria-hidden": "true" }, [
      element("span", { text: "Label" }), element("span", { class: "sl-ends" }, [element("span", { text: "0" }), this.end]),
      element("span", { class: "sl-right", text: "now" }), element("span", { class: "sl-right", text: "± points" }),
    ]);
    this.list = element("div", { role: "list", "aria-label": "Labels" });
    this.scroller = element("div", { class: "sl-list" }, [axis, this.list]);
    this.scroller.style.maxHeight = `${this.maxHeight}px`;
    this.scale = element("div", { class: "sl-scale", "aria-hidden": "true" });
    this.left = element("div", {}, [
      element("div", { class: "sl-keys" }, [
        element("span", {}, [element("i"), "now (faded)"]), element("span", {}, [element("i", { class: "sl-tick" }), "whole stream"]),
      ]), this.scroller,
    ]);
    this.right = element("div", {}, [
      element("div", { class: "sl-keys" }, [element("span", {}, ["together, Jaccard 0", this.scale, "1"])]),
      this.matrix.stage, this.matrix.live,
    ]);
    this.halves = element("div", { class: "sl-halves" }, [this.left, this.right]);
    this.table = element("tbody");
    this.details = element("details", {}, [element("summary", { text: "Table" }), this.buildTable()]);
    this.empty = element("div", { class: "sl-empty", text: emptyText });
    this.head = element("div", { class: "sl-head" }, [this.summary, sorts]);
    this.wrapper = element("section", { class: "sl-view sl-labels", "aria-label": "Labels now and over the whole stream" }, [
      element("style", { text: CSS }), this.head, this.halves, this.details, this.empty,
    ]);
    this.showEmpty(true);
    this.root.append(this.wrapper);
  }

  buildTable() {
    const heads = ["Label", "Now", "Whole stream", "Difference, points", "Most often with", "Both, of now"];
    return element("div", { class: "sl-scroll", tabindex: "0", role: "region", "aria-label": "Table of the labels" }, [
      element("table", {}, [
        element("thead", {}, [element("tr", {}, heads.map((text, i) => element("th", { scope: "col", text, class: i === 4 ? "sl-left" : null })))]),
        this.table,
      ]),
    ]);
  }

  showEmpty(empty) {
    this.empty.hidden = !empty;
    for (const part of [this.head, this.halves, this.details]) part.style.display = empty ? "none" : "";
    this.wrapper.style.minHeight = empty ? "160px" : "";
  }

  /* --- what comes in ---------------------------------------------------------------------------------------- */

  update(frame) {
    this.count.received++;
    this.pending = frame;
    this.loop.frame();
  }

  setDark(dark) {
    this.wrapper.classList.toggle("sl-dark", Boolean(dark));
    this.matrix.setDark(Boolean(dark));
    const places = Array.from({ length: 9 }, (_, i) => this.matrix.colours.solid[this.matrix.colour(i / 8)]);
    this.scale.style.background = `linear-gradient(to right,${places.join(",")})`;
    this.drawMatrix();
  }

  setSorted(sorted) {
    this.sorted = sorted;
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(Boolean(i) === sorted)));
    this.sortDue = 0;
    this.loop.request();
  }

  resize() {
    const width = Math.floor(this.right.clientWidth);
    if (!this.names.length || width === 0) return;
    const key = `${width} ${this.names.length} ${window.devicePixelRatio}`;
    if (key === this.layoutKey) return;
    this.layoutKey = key;
    this.matrix.fit(this.names.length, width, Math.max(this.maxHeight, Math.min(width, 2 * this.maxHeight)));
    this.drawMatrix();
  }

  drawMatrix() {
    if (this.frame && this.names.length && this.layoutKey) this.matrix.draw(this.frame, this.names);
  }

  /* --- drawing ---------------------------------------------------------------------------------------------- */

  draw(now) {
    if (this.pending) this.take();
    if (!this.frame || !this.names.length) return false;
    const begun = performance.now();
    this.writeRows(now);
    this.pairs.request();
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
    return false;
  }

  take() {
    this.frame = this.pending;
    this.pending = null;
    const names = this.frame.names ?? this.names;
    this.showEmpty(names.length === 0);
    if (names.length !== this.names.length || names.some((name, i) => name !== this.names[i])) this.setNames(names);
    this.text.request();
    this.resize();
  }

  setNames(names) {
    this.names = names;
    this.matrix.point(null);
    this.order = names.map((_, i) => i);
    const longest = Math.max(...names.map((name) => name.length), 4);
    this.wrapper.style.setProperty("--sl-names", `${clamp(longest * 0.62, 5, 12).toFixed(1)}em`);
    this.rows = names.map((name, label) => this.buildRow(name, label));
    this.list.replaceChildren(...this.rows.map((row) => row.node));
    this.axis = undefined;
    // What scrolls must be within reach of the keys.
    const scrolls = this.scroller.scrollHeight > this.scroller.clientHeight;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", "Labels, a list that scrolls"]]) {
      if (scrolls) this.scroller.setAttribute(name, value);
      else this.scroller.removeAttribute(name);
    }
  }

  buildRow(name, label) {
    const fill = element("div", { class: "sl-fill" });
    const whole = element("div", { class: "sl-whole" });
    const value = element("span", { class: "sl-right" });
    const difference = element("span", { class: "sl-right" });
    const node = element("div", { class: "sl-row", role: "listitem" }, [
      element("span", { text: name, title: name }), element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, whole]), value, difference,
    ]);
    return { node, fill, whole, value, difference, label };
  }

  writeRows(now) {
    const { frame } = this;
    let largest = 0;
    for (let i = 0; i < this.names.length; i++) largest = Math.max(largest, frame.now[i], frame.whole[i]);
    this.axis = axisEnd(largest, this.axis);
    setText(this.end, `${Math.round(this.axis * 100)} %`);
    for (const row of this.rows) this.writeRow(row);
    if (now >= this.sortDue) this.sort(now);
  }

  writeRow(row) {
    const [now, whole] = [this.frame.now[row.label], this.frame.whole[row.label]];
    const { className, text } = change(now - whole);
    // Compared with what was written last, so that a label that did not change costs nothing.
    const state = `${(now / this.axis).toFixed(3)} ${(whole / this.axis).toFixed(3)}`;
    if (row.state !== state) {
      row.state = state;
      row.fill.style.transform = `scaleX(${(now / this.axis).toFixed(4)})`;
      row.whole.style.transform = `translateX(${((100 * whole) / this.axis).toFixed(2)}%)`;
    }
    setText(row.value, formatPercent(now));
    setText(row.difference, text);
    if (row.className !== className) row.difference.className = `sl-right ${className}`;
    row.className = className;
  }

  sort(now) {
    this.sortDue = now + SORT_EVERY_MS;
    const { frame } = this;
    const order = this.names.map((_, i) => i);
    if (this.sorted) order.sort((a, b) => Math.abs(frame.now[b] - frame.whole[b]) - Math.abs(frame.now[a] - frame.whole[a]) || a - b);
    if (order.every((label, i) => label === this.order[i])) return;
    this.order = order;
    this.list.append(...order.map((label) => this.rows[label].node));
  }

  light(at) {
    this.rows.forEach((row, label) => row.node.classList.toggle("sl-lit", at !== null && at.includes(label)));
    this.drawMatrix();
  }

  /* --- words ------------------------------------------------------------------------------------------------ */

  writeText() {
    if (!this.names.length) return;
    setText(this.summary, this.summarise());
    this.writeTable();
  }

  summarise() {
    const { frame, names } = this;
    const furthest = names.reduce((best, _, i) => (
      Math.abs(frame.now[i] - frame.whole[i]) > Math.abs(frame.now[best] - frame.whole[best]) ? i : best), 0);
    const commonest = names.reduce((best, _, i) => (frame.now[i] > frame.now[best] ? i : best), 0);
    const difference = frame.now[furthest] - frame.whole[furthest];
    const moved = Math.abs(100 * difference) < NO_CHANGE ? ", none has changed"
      : `${furthest === commonest ? " and" : `; ${names[furthest]}`} has changed most (${change(difference).text.slice(2)} points)`;
    return `${plural(names.length, "label")}: ${names[commonest]} is the commonest now (${formatPercent(frame.now[commonest])})${moved}.`;
  }

  writeTable() {
    if (!this.details.open || !this.frame) return;
    this.table.replaceChildren(...this.order.map((label) => this.tableRow(label)));
  }

  tableRow(label) {
    const { frame, names } = this;
    let partner = -1;
    for (let other = 0; other < names.length; other++) {
      if (other === label || !(frame.joint[pair(label, other)] > 0)) continue;
      if (partner < 0 || frame.joint[pair(label, other)] > frame.joint[pair(label, partner)]) partner = other;
    }
    return element("tr", {}, [
      element("th", { scope: "row", text: names[label] }), element("td", { text: formatPercent(frame.now[label]) }),
      element("td", { text: formatPercent(frame.whole[label]) }),
      element("td", { text: change(frame.now[label] - frame.whole[label]).text.slice(2) }),
      element("td", { class: "sl-left", text: partner < 0 ? "–" : names[partner] }),
      element("td", { text: partner < 0 ? "–" : formatPercent(frame.joint[pair(label, partner)]) }),
    ]);
  }

  stats() {
    return {
      frames_received: this.count.received, frames_drawn: this.count.drawn, last_draw_ms: this.count.last,
      mean_draw_ms: this.count.mean, labels: this.names.length,
    };
  }

  destroy() {
    this.loop.stop();
    this.text.stop();
    this.pairs.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.matrix.destroy();
    this.wrapper.remove();
    delete this.root.__label_stats;
  }
}

/**
 * Draws the label view into `root`.
 *
 * @param {HTMLElement} root an empty element, at least 280 px wide
 * @param {object} [options]
 * @param {boolean} [options.dark] dark surface, default false
 * @param {number} [options.maxHeight] pixels after which the list of labels scrolls, default 420
 * @param {string} [options.emptyText] what is said while there is no label
 * @returns {{update, setDark, setSorted, resize, destroy, stats}} `update(frame)` takes {names (at least in the
 *   first frame), now, whole (shares of instances, 0..1, by label), joint (share of instances with both labels now: the lower
 *   triangle without the diagonal, row by row)}
 */
export function createLabelView(root, options = {}) {
  const view = new LabelView(root, options);
  const api = {};
  for (const name of ["update", "setDark", "setSorted", "resize", "destroy", "stats"]) api[name] = view[name].bind(view);
  return api;
}

/** Panel: draws the component's view and ties its parameters to it. */
export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const labels = createLabelView(el, { dark: model.dark, maxHeight: model.list_height, emptyText: model.empty_text });
    model.on("dark", () => labels.setDark(model.dark));
    const stopReceiving = receiveFrames(model, view, (frame) => labels.update(frame));
    return () => {
      stopReceiving();
      labels.destroy();
    };
  });
}
