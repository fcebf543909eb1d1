/*
 * The hierarchy view: the classes of a label hierarchy as a tree or as a sunburst.
 *
 * A class's colour is its recent hF, its size how often it came of late. The true path of the latest instance is a solid line, the
 * predicted one a dashed line beside it; where a walk decided or stopped, the distances to the candidates stand at them. Wide, the
 * tree grows from left to right; narrow, it is an outline with a row for each class. Usable without Panel: see createHierarchyView.
 */
import {
  DrawLoop, SHARED_CSS, Throttled, Tooltip, clamp, element, fitCanvas, formatCount, formatNumber, inkOn, plural, receiveFrames,
  renderOnce, setText, viridis,
} from "./theme.js";

/** Bits of a frame's column `flags`, as streamlab.views.pictures.hierarchy.view sets them. */
const LEAF = 1, TRUE = 2, PREDICTED = 4, STOPPED = 8, TIED = 16, COMPARED = 32, COLLAPSED = 64;
/** Words change at most this often; a table of hundreds of rows more rarely. */
const TEXT_EVERY_MS = 300, TABLE_EVERY_MS = 1000;
/** While instances stream by, the lit path moves this often at most: it can be read, and does not flicker. */
const LIT_EVERY_MS = 600;
/** Under this width the tree is an outline. */
const NARROW = 560;
const ROW = { least: 17, most: 34, outline: 24 };
const INDENT = 17;
/** How far right of a class the trunk of its children stands; the top-level classes hang on one at the left edge. */
const TRUNK = 16, TOP_TRUNK = 16;
const DISC = { least: 4, most: 12 };
const SUNBURST_MOST = 600;
/** A class in the sunburst takes at least this part of the mean of the leaves: the rare ones can be seen too. */
const LEAST_SLICE = 0.2;
const FONT_STACK = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif';
const NAME_FONT = `12px ${FONT_STACK}`, BOLD_FONT = `600 12px ${FONT_STACK}`, SMALL_FONT = `11px ${FONT_STACK}`;
const HEADS = ["Class", "Level", "hF", "hP", "hR", "Recent", "In all", "Distance", "Latest instance"];
const SHAPES = { tree: "Tree", sunburst: "Sunburst" };
const MOST_CANDIDATES = 6;

const CSS = `${SHARED_CSS}
.sl-hierarchy{container-type:inline-size}
.sl-hierarchy .sl-summary{min-height:1.45em}
.sl-hierarchy .sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0 8px}
.sl-hierarchy .sl-shapes{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-hierarchy .sl-shapes button{font:inherit;min-height:28px;padding:0 12px;border:0;background:none;color:var(--sl-text);cursor:pointer}
.sl-hierarchy .sl-shapes button+button{border-left:1px solid var(--sl-control)}
.sl-hierarchy .sl-shapes button:hover{background:var(--sl-track)}
.sl-hierarchy .sl-shapes button:focus-visible{outline-offset:-3px}
.sl-hierarchy .sl-shapes button[aria-pressed=true]{background:var(--sl-track);font-weight:600}
.sl-hierarchy .sl-legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;line-height:20px;color:var(--sl-muted)}
.sl-hierarchy .sl-legend>span{display:inline-flex;align-items:center;gap:6px}
.sl-hierarchy .sl-legend i{display:inline-block}
.sl-hierarchy .sl-legend .sl-scale{width:84px;height:10px;border-radius:2px}
.sl-hierarchy .sl-legend .sl-none{width:11px;height:11px;border:1.5px dashed var(--sl-control);border-radius:50%}
.sl-hierarchy .sl-walk{margin:0 0 8px;padding:7px 10px;border:1px solid var(--sl-line);border-radius:6px;display:grid;
  grid-template-columns:max-content minmax(0,1fr);gap:1px 10px;align-content:start;font-size:12px;line-height:19px}
.sl-hierarchy .sl-walk>:is(dt,dd){margin:0}
.sl-hierarchy .sl-walk .sl-why{min-height:38px}
@container (max-width:560px){.sl-hierarchy .sl-walk .sl-why{min-height:57px}}
.sl-hierarchy .sl-walk dt{color:var(--sl-muted);white-space:nowrap}
.sl-hierarchy .sl-walk dt i{display:inline-block;width:22px;margin-right:6px;vertical-align:middle;border-top:3px solid var(--sl-path)}
.sl-hierarchy .sl-walk dt i.sl-guess{border-top:3px dashed var(--sl-guess)}
.sl-hierarchy{--sl-path:#1f2328;--sl-guess:#c04e00}
.sl-hierarchy.sl-dark{--sl-path:#fff;--sl-guess:#ffa45c}
.sl-hierarchy .sl-stage{overflow:hidden;border-radius:8px;min-height:120px}
.sl-hierarchy .sl-stage.sl-over{cursor:pointer}
.sl-hierarchy .sl-stage:focus-visible{outline-offset:2px}
.sl-hierarchy canvas{border-radius:8px;margin:0 auto}
.sl-hierarchy .sl-stage>canvas{box-shadow:inset 0 0 0 1px var(--sl-line)}
.sl-hierarchy td button{font:inherit;min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;
  text-decoration:underline}
.sl-hierarchy .sl-chosen>*{background:var(--sl-track)}
`;

const PAPERS = {
  light: { surface: "#fff", ink: "#1f2328", muted: "#57606a", edge: "#b3bac4", outline: "#6b7480", accent: "#1565c0", path: "#1f2328", guess: "#c04e00" },
  dark: { surface: "#121212", ink: "#e6e8eb", muted: "#a8b0ba", edge: "#525a65", outline: "#8d96a2", accent: "#90caf9", path: "#fff", guess: "#ffa45c" },
};

const channels = (rgb) => `rgb(${rgb.map(Math.round).join(",")})`;
/** hF 0..1 by colour: from dark violet to yellow, the same in both themes. */
const heat = (hf) => viridis(0.04 + 0.94 * clamp(hf, 0, 1));
const score = (value) => (Number.isNaN(value) ? "–" : value.toFixed(2));
const distanceText = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** The first of ever shorter forms of a text that is at most so wide; "" if none is. */
class TextFitter {
  constructor(context) {
    this.context = context;
    this.known = new Map();
  }

  width(text, font) {
    const key = font + text;
    let width = this.known.get(key);
    if (width === undefined) {
      if (this.known.size > 5000) this.known.clear();
      this.context.font = font;
      width = this.context.measureText(text).width;
      this.known.set(key, width);
    }
    return width;
  }

  fit(text, font, width, least = 3) {
    if (this.width(text, font) <= width) return text;
    for (let end = text.length - 1; end >= least; end--) {
      const cut = `${text.slice(0, end).trimEnd()}…`;
      if (this.width(cut, font) <= width) return cut;
    }
    return "";
  }
}

/** What can be asked of a frame's rows: a class stands before all below it. */
const Classes = {
  ofId: (frame, id) => (id === null || id === undefined ? -1 : frame.id.indexOf(id)),

  children(frame, row) {
    const found = [];
    for (let i = 0; i < frame.id.length; i++) if (frame.parent[i] === row) found.push(i);
    return found;
  },

  hasChild: (frame, row) => frame.parent.indexOf(row) >= 0,

  is: (frame, row, flag) => Boolean(frame.flags[row] & flag),

  /** Rows with a flag whose children do not have it: where a path ends. */
  ends(frame, flags, flag) {
    const continued = new Set();
    for (let i = 0; i < frame.id.length; i++) if (flags[i] & flag && frame.parent[i] >= 0) continued.add(frame.parent[i]);
    const found = [];
    for (let i = 0; i < frame.id.length; i++) if (flags[i] & flag && !continued.has(i)) found.push(i);
    return found;
  },

  line(frame, row) {
    const rows = [];
    for (let at = row; at >= 0; at = frame.parent[at]) rows.unshift(at);
    return rows;
  },
};

/** Places of the rows of a frame, in CSS pixels: {x, y, r} of each class, and the picture's height. */
function placeOutline(frame, width) {
  const places = [];
  for (let i = 0; i < frame.id.length; i++) {
    places.push({ x: 22 + frame.depth[i] * INDENT, y: 21 + i * ROW.outline, room: ROW.outline });
  }
  return { places, height: frame.id.length * ROW.outline + 18, narrow: true, width };
}

function placeTree(frame, width, wanted) {
  const count = frame.id.length;
  const children = Array.from({ length: count }, () => []);
  let leaves = 0, deepest = 0;
  for (let i = 0; i < count; i++) {
    if (frame.parent[i] >= 0) children[frame.parent[i]].push(i);
    deepest = Math.max(deepest, frame.depth[i]);
  }
  for (let i = 0; i < count; i++) if (!children[i].length) leaves++;
  const row = clamp((wanted - 24) / Math.max(leaves, 1), ROW.least, ROW.most);
  const leafRoom = clamp(width * 0.27, 165, 260);
  const step = (width - 22 - leafRoom) / (deepest + 1);
  const places = new Array(count);
  let next = 0;
  for (let i = 0; i < count; i++) {
    places[i] = { x: 22 + (frame.depth[i] + 1) * step, y: 0, room: row, step };
    if (!children[i].length) places[i].y = 12 + row * (next++ + 0.5);
  }
  for (let i = count - 1; i >= 0; i--) {
    const below = children[i];
    if (below.length) places[i].y = (places[below[0]].y + places[below[below.length - 1]].y) / 2;
  }
  // inner classes of a level that stand close have room for their name only
  const columns = new Map();
  for (let i = 0; i < count; i++) {
    if (!children[i].length) continue;
    const above = columns.get(frame.depth[i]);
    places[i].gap = above === undefined ? Infinity : places[i].y - places[above].y;
    if (above !== undefined) places[above].gap = Math.min(places[above].gap, places[i].gap);
    columns.set(frame.depth[i], i);
  }
  return { places, height: row * leaves + 24, narrow: false, width, step };
}

/** Angles from the top, clockwise, by weight; a ring for each level. */
function placeSunburst(frame, width) {
  const count = frame.id.length;
  const size = Math.min(width, SUNBURST_MOST);
  const children = Array.from({ length: count }, () => []);
  let leaves = 0, total = 0, deepest = 0;
  for (let i = 0; i < count; i++) {
    if (frame.parent[i] >= 0) children[frame.parent[i]].push(i);
    deepest = Math.max(deepest, frame.depth[i]);
  }
  for (let i = 0; i < count; i++) {
    if (children[i].length) continue;
    leaves++;
    total += frame.weight[i];
  }
  const least = total > 0 ? (LEAST_SLICE * total) / leaves : 1;
  const value = new Float64Array(count);
  for (let i = count - 1; i >= 0; i--) {
    value[i] = children[i].length ? children[i].reduce((sum, child) => sum + value[child], 0) : Math.max(frame.weight[i], least);
  }
  const places = new Array(count);
  const hole = size * 0.075, ring = (size / 2 - 6 - hole) / (deepest + 1);
  const lay = (rows, from, to) => {
    const sum = rows.reduce((all, row) => all + value[row], 0);
    let at = from;
    for (const row of rows) {
      const end = at + ((to - from) * value[row]) / sum;
      // a class without any below it reaches to the rim: its name has room
      const outer = hole + (children[row].length ? frame.depth[row] + 1 : deepest + 1) * ring;
      places[row] = { from: at, to: end, inner: hole + frame.depth[row] * ring, outer };
      at = end;
    }
  };
  const roots = [];
  for (let i = 0; i < count; i++) if (frame.parent[i] < 0) roots.push(i);
  if (roots.length) lay(roots, 0, 2 * Math.PI);
  for (let i = 0; i < count; i++) if (children[i].length) lay(children[i], places[i].from, places[i].to);
  const [cx, cy] = [width / 2, size / 2];
  for (const place of places) {
    const angle = (place.from + place.to) / 2, radius = (place.inner + place.outer) / 2;
    place.x = cx + radius * Math.sin(angle);
    place.y = cy - radius * Math.cos(angle);
  }
  return { places, height: size, width, cx, cy, hole, ring };
}

/** Draws a placed frame. All lengths are CSS pixels. */
class HierarchyPainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.texts = new TextFitter(this.context);
    this.ratio = 1;
  }

  setDark(dark) {
    this.paper = dark ? PAPERS.dark : PAPERS.light;
  }

  fit(width, height) {
    [this.width, this.height] = [width, height];
    this.ratio = fitCanvas(this.canvas, width, height);
  }

  /** `lit`: flags and distances of the instance that is lit; `extra`: pairs of rows of further parents. */
  draw({ frame, layout, shape, names, lit, extra, selected, cursor }) {
    const { context, ratio } = this;
    Object.assign(this, { frame, layout, names, lit });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineCap = "butt";
    context.lineJoin = "round";
    this.heaviest = frame.weight.reduce((most, weight) => Math.max(most, weight), 0);
    if (shape === "sunburst") this.drawSunburst(selected, cursor);
    else this.drawTree(extra, selected, cursor);
  }

  isLit(row, flag) {
    return Boolean(this.lit && this.lit.flags[row] & flag);
  }

  radius(row) {
    const share = this.heaviest > 0 ? this.frame.weight[row] / this.heaviest : 0;
    const most = Math.min(DISC.most, this.layout.places[row].room * (this.isOuter(row) ? 0.46 : 0.6));
    return DISC.least + (most - DISC.least) * Math.sqrt(share);
  }

  isOuter(row) {
    return this.layout.narrow || !Classes.hasChild(this.frame, row);
  }

  /* --- the tree --------------------------------------------------------------------------------------------- */

  drawTree(extra, selected, cursor) {
    const { frame, context, paper } = this;
    const rows = frame.id.keys();
    context.strokeStyle = paper.edge;
    context.lineWidth = 1.25;
    context.setLineDash([]);
    context.beginPath();
    for (const row of rows) this.elbow(row, 0);
    context.stroke();
    if (!this.layout.narrow) this.drawExtra(extra);
    for (const [flag, colour, dash, shift] of [[TRUE, paper.path, [], -2], [PREDICTED, paper.guess, [6, 4], 2]]) {
      context.strokeStyle = colour;
      context.lineWidth = 3;
      context.setLineDash(dash);
      for (let row = 0; row < frame.id.length; row++) {
        if (!this.isLit(row, flag)) continue;
        context.beginPath();
        this.elbow(row, shift);
        context.stroke();
      }
    }
    context.setLineDash([]);
    for (let row = 0; row < frame.id.length; row++) this.drawClass(row);
    this.outline(cursor, paper.accent);
    this.outline(selected, paper.ink);
    for (let row = 0; row < frame.id.length; row++) this.drawCaption(row);
  }

  /** From the parent's place down (or up) its trunk and along to the class; `shift` puts it beside the plain edge. */
  elbow(row, shift) {
    const { context, frame, layout } = this;
    const { x, y } = layout.places[row];
    const parent = frame.parent[row];
    const above = parent >= 0 ? layout.places[parent] : null;
    if (layout.narrow) {
      if (!above) return;
      context.moveTo(above.x + shift, above.y);
      context.lineTo(above.x + shift, y + shift);
      context.lineTo(x, y + shift);
      return;
    }
    const from = above ?? { x: 10, y: this.middle() };
    const trunk = above ? from.x + TRUNK : TOP_TRUNK;
    const corner = Math.min(6, Math.abs(y - from.y) / 2);
    context.moveTo(from.x, from.y + shift);
    context.arcTo(trunk + shift, from.y + shift, trunk + shift, y + shift, corner);
    context.arcTo(trunk + shift, y + shift, x, y + shift, corner);
    context.lineTo(x, y + shift);
  }

  /** Where the trunk of the top-level classes begins. */
  middle() {
    const tops = this.layout.places.filter((_, row) => this.frame.parent[row] < 0);
    return (tops[0].y + tops[tops.length - 1].y) / 2;
  }

  drawExtra(extra) {
    const { context, layout, paper } = this;
    context.strokeStyle = paper.outline;
    context.lineWidth = 1;
    context.setLineDash([2, 4]);
    context.beginPath();
    for (const [row, parent] of extra) {
      const to = layout.places[row], from = layout.places[parent];
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo((from.x + to.x) / 2, to.y, to.x, to.y);
    }
    context.stroke();
    context.setLineDash([]);
  }

  drawClass(row) {
    const { context, frame, layout, paper } = this;
    const { x, y } = layout.places[row];
    const r = this.radius(row);
    const hf = frame.hf[row];
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fillStyle = Number.isNaN(hf) ? paper.surface : channels(heat(hf));
    context.fill();
    context.strokeStyle = paper.outline;
    context.lineWidth = 1.5;
    context.setLineDash(Number.isNaN(hf) ? [2, 2] : []);
    context.stroke();
    context.setLineDash([]);
    this.ring(x, y, r + 3, this.isLit(row, TRUE), this.isLit(row, PREDICTED));
  }

  drawCaption(row) {
    const { x, y } = this.layout.places[row];
    const r = this.radius(row);
    if (this.isOuter(row)) this.captionBeside(row, x, y, r);
    else this.captionBefore(row, x, y, r);
  }

  /** Solid for the true path, dashed outside of it for the predicted one. */
  ring(x, y, r, isTrue, isPredicted) {
    const { context, paper } = this;
    if (isTrue) {
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.strokeStyle = paper.path;
      context.lineWidth = 2;
      context.stroke();
    }
    if (isPredicted) {
      context.beginPath();
      context.arc(x, y, r + (isTrue ? 2.5 : 0), 0, 2 * Math.PI);
      context.strokeStyle = paper.guess;
      context.setLineDash([4, 3]);
      context.lineWidth = 2;
      context.stroke();
      context.setLineDash([]);
    }
  }

  label(row) {
    const folded = this.frame.folded[row];
    return `${this.names(row)}${folded ? ` +${formatCount(folded)}` : ""}`;
  }

  font(row) {
    return this.isLit(row, TRUE | PREDICTED) ? BOLD_FONT : NAME_FONT;
  }

  distance(row) {
    return this.isLit(row, COMPARED) && !Number.isNaN(this.lit.distance[row]) ? `d ${distanceText(this.lit.distance[row])}` : "";
  }

  /** Name, hF and distance to the right of a class: numbers in columns of their own at the right edge. */
  captionBeside(row, x, y, r) {
    const { context, texts, paper, frame } = this;
    const right = this.width - 10;
    const hf = `${score(frame.hf[row])}`;
    const distance = this.distance(row);
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.font = SMALL_FONT;
    context.fillStyle = paper.muted;
    context.fillText(hf, right, y + 0.5);
    let free = right - 32;
    if (distance) {
      context.font = BOLD_FONT;
      const isClose = this.isLit(row, TIED);
      context.fillStyle = paper.guess;
      const text = `${isClose ? "≈ " : ""}${distance}`;
      context.fillText(text, free, y + 0.5);
      free -= texts.width(text, BOLD_FONT) + 8;
    }
    const left = x + r + 10;
    const font = this.font(row);
    context.font = font;
    context.textAlign = "left";
    context.fillStyle = paper.ink;
    context.fillText(texts.fit(this.label(row), font, free - left), left, y + 0.5);
  }

  /** The name of an inner class over the edge that leads to it, its numbers below, where there is room. */
  captionBefore(row, x, y, r) {
    const { context, texts, paper, frame, layout } = this;
    const parent = frame.parent[row];
    const right = x - r - 8;
    const free = right - 4 - (parent >= 0 ? layout.places[parent].x + TRUNK : TOP_TRUNK);
    const font = this.font(row);
    context.textAlign = "right";
    context.textBaseline = "alphabetic";
    context.font = font;
    context.fillStyle = paper.ink;
    context.fillText(texts.fit(this.label(row), font, free), right, y - 6);
    if (layout.places[row].gap < 32) return;
    const distance = this.distance(row);
    context.font = SMALL_FONT;
    context.fillStyle = paper.muted;
    context.textBaseline = "top";
    context.fillText(score(frame.hf[row]), right, y + 6);
    if (!distance) return;
    context.font = BOLD_FONT;
    context.fillStyle = paper.guess;
    const text = `${this.isLit(row, TIED) ? "≈ " : ""}${distance}`;
    if (texts.width(text, BOLD_FONT) + 34 <= free) context.fillText(text, right - 32, y + 6);
  }

  outline(row, colour) {
    if (row < 0) return;
    const { context, paper, layout } = this;
    const { x, y } = layout.places[row];
    const r = this.radius(row) + 6;
    for (const [style, thickness] of [[paper.surface, 5], [colour, 2.25]]) {
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.beginPath();
      context.roundRect(x - r, y - r, 2 * r, 2 * r, 6);
      context.stroke();
    }
  }

  /* --- the sunburst ----------------------------------------------------------------------------------------- */

  slice({ from, to, inner, outer }, inset = 0) {
    const { context, layout } = this;
    const [a, b] = [from - Math.PI / 2, to - Math.PI / 2];
    const [low, high] = [inner + inset, outer - inset];
    // the inset takes the same pixels from the sides, whatever the radius
    const away = (radius) => Math.min(inset / Math.max(radius, 1), (b - a) / 2.2);
    context.beginPath();
    context.arc(layout.cx, layout.cy, high, a + away(high), b - away(high));
    context.arc(layout.cx, layout.cy, low, b - away(low), a + away(low), true);
    context.closePath();
  }

  drawSunburst(selected, cursor) {
    const { context, frame, layout, paper } = this;
    for (let row = 0; row < frame.id.length; row++) {
      const place = layout.places[row], hf = frame.hf[row];
      this.slice(place, 0.5);
      context.fillStyle = Number.isNaN(hf) ? paper.surface : channels(heat(hf));
      context.fill();
      context.strokeStyle = paper.surface;
      context.lineWidth = 1;
      context.stroke();
      if (Number.isNaN(hf)) this.stroke(place, paper.outline, 1, [2, 2], 1.5);
    }
    for (let row = 0; row < frame.id.length; row++) {
      const place = layout.places[row];
      if (this.isLit(row, TRUE)) {
        this.stroke(place, paper.surface, 5, [], 2.5);
        this.stroke(place, paper.path, 3, [], 2.5);
      }
      if (this.isLit(row, PREDICTED)) {
        this.stroke(place, paper.surface, 5, [], 6.5);
        this.stroke(place, paper.guess, 3, [6, 4], 6.5);
      }
    }
    for (let row = 0; row < frame.id.length; row++) this.writeInSlice(row, layout.places[row], Number.isNaN(frame.hf[row]) ? null : heat(frame.hf[row]));
    for (const [row, colour] of [[cursor, paper.accent], [selected, paper.ink]]) {
      if (row < 0) continue;
      this.stroke(layout.places[row], paper.surface, 6, [], 0);
      this.stroke(layout.places[row], colour, 3, [], 0);
    }
  }

  stroke(place, colour, width, dash, inset) {
    const { context } = this;
    this.slice(place, inset);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /** The name, and a distance, along the ring or across it, whichever has room. */
  writeInSlice(row, { from, to, inner, outer }, rgb) {
    const { context, layout, paper, texts } = this;
    const middle = (from + to) / 2, radius = (inner + outer) / 2, thickness = outer - inner;
    // the lines of a lit slice run inside of it
    const frame = this.isLit(row, PREDICTED) ? 8 : this.isLit(row, TRUE) ? 4 : 0;
    const name = this.label(row), numbers = this.distance(row), distance = `${numbers && this.isLit(row, TIED) ? "≈ " : ""}${numbers}`;
    // straight text in a bent ring: its upper corners must stay inside
    const isHigh = distance && thickness - 2 * frame > 34;
    const corner = Math.sqrt(Math.max(0, (outer - frame - 2) ** 2 - (radius + (isHigh ? 14 : 7)) ** 2));
    const along = Math.min((to - from) * radius - 12 - 2 * frame, 2 * corner), across = thickness - 10 - 2 * frame;
    const isAlong = along >= Math.min(across, texts.width(name, NAME_FONT));
    const [length, height] = isAlong ? [along, thickness - 2 * frame] : [across, (to - from) * radius - 2 * frame];
    if (height < 12) return;
    const text = texts.fit(name, NAME_FONT, length);
    const lines = [text, ...(distance && height > 34 ? [distance] : [])].filter(Boolean);
    if (!lines.length) return;
    context.save();
    context.translate(layout.cx + radius * Math.sin(middle), layout.cy - radius * Math.cos(middle));
    let turn = isAlong ? middle : middle - Math.PI / 2;
    if (Math.cos(turn) < -1e-9) turn += Math.PI;
    context.rotate(turn);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = rgb ? inkOn(rgb) : paper.ink;
    lines.forEach((line, i) => {
      context.font = i || this.isLit(row, TRUE | PREDICTED) ? BOLD_FONT : NAME_FONT;
      context.fillText(texts.width(line, context.font) > length + 4 ? texts.fit(line, context.font, length) : line, 0, 14 * (i - (lines.length - 1) / 2));
    });
    context.restore();
  }
}

class HierarchyView {
  constructor(root, options) {
    this.root = root;
    this.labels = options.labels ?? [];
    this.moreParents = options.moreParents ?? [];
    this.shape = options.shape ?? "tree";
    this.tall = options.height ?? 440;
    this.onSelect = options.onSelect ?? (() => {});
    this.onCollapse = options.onCollapse ?? (() => {});
    this.onShape = options.onShape ?? (() => {});
    this.frame = this.pending = this.lit = this.layout = null;
    this.selected = this.cursor = this.hovered = null;
    this.extra = [];
    this.rows = new Map();
    this.count = { received: 0, drawn: 0, relit: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.tableText = new Throttled(() => this.writeTable(), TABLE_EVERY_MS);
    this.relight = new Throttled(() => this.light(), LIT_EVERY_MS);
    this.build(options.emptyText ?? "No instance yet: press play");
    this.painter = new HierarchyPainter(this.canvas);
    this.loop = new DrawLoop(this.stage, () => this.draw(), () => this.catchUp());
    this.listen();
    this.setDark(options.dark ?? false);
    this.setShape(this.shape);
    root.__hierarchy_stats = () => this.stats();
  }

  /* --- the page --------------------------------------------------------------------------------------------- */

  build(emptyText) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.empty = element("div", { class: "sl-empty", text: emptyText });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": "hierarchy",
      "aria-label": "Classes of the hierarchy. Up and down go through the classes, left to the parent, right to the first child; Enter selects, "
        + "C folds or unfolds.",
    }, [this.canvas, this.empty]);
    this.tooltip = new Tooltip(this.stage);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.summary = element("div", { class: "sl-summary sl-muted" });
    this.buttons = Object.entries(SHAPES).map(([shape, text]) => {
      const button = element("button", { type: "button", text });
      button.addEventListener("click", () => this.chooseShape(shape));
      return [shape, button];
    });
    const shapes = element("div", { class: "sl-shapes", role: "group", "aria-label": "Shape of the picture" }, this.buttons.map(([, button]) => button));
    this.scale = element("i", { class: "sl-scale" });
    this.sizes = element("span");
    const legend = element("div", { class: "sl-legend" }, [
      element("span", {}, ["recent hF 0", this.scale, "1"]), this.sizes,
      element("span", {}, [element("i", { class: "sl-none" }), "none came of late"]),
    ]);
    const term = (text, swatch) => element("dt", {}, [...(swatch ? [element("i", { class: swatch, "aria-hidden": "true" })] : []), text]);
    this.words = { what: element("dt"), verdict: element("dd"), truth: element("dd"), guess: element("dd"), why: element("dd", { class: "sl-why" }) };
    this.words.whyTerm = element("dt");
    this.walk = element("dl", { class: "sl-walk", "aria-label": "The latest instance" }, [
      this.words.what, this.words.verdict, term("true", "sl-sure"), this.words.truth, term("predicted", "sl-guess"), this.words.guess,
      this.words.whyTerm, this.words.why,
    ]);
    this.table = element("tbody");
    this.details = element("details", {}, [element("summary", { text: "Table" }), this.buildTable()]);
    this.wrapper = element("section", { class: "sl-view sl-hierarchy", "aria-label": "The hierarchy" }, [
      element("style", { text: CSS }), this.summary, element("div", { class: "sl-bar-row" }, [shapes, legend]), this.walk, this.stage, this.live,
      this.details,
    ]);
    this.root.append(this.wrapper);
  }

  buildTable() {
    const head = element("tr", {}, HEADS.map((text, i) => element("th", { scope: "col", text, class: i === HEADS.length - 1 ? "sl-left" : null })));
    const caption = element("caption", { class: "sl-hidden", text: "One row per class drawn, each followed by what is below it." });
    return element("div", { class: "sl-scroll", tabindex: "0", role: "region", "aria-label": "Table of the classes" }, [
      element("table", {}, [caption, element("thead", {}, [head]), this.table]),
    ]);
  }

  listen() {
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal });
    on(this.stage, "pointermove", (event) => event.pointerType !== "touch" && this.hover(this.hit(event)));
    on(this.stage, "pointerleave", () => this.hover(null));
    on(this.stage, "click", (event) => this.click(event));
    on(this.stage, "keydown", (event) => this.key(event));
    on(this.stage, "blur", () => this.moveCursor(null));
    on(this.details, "toggle", () => this.writeTable());
    on(this.table, "click", (event) => this.chooseInTable(event));
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
    this.text.request();
    this.loop.request();
  }

  setMoreParents(pairs) {
    this.moreParents = pairs ?? [];
    this.findExtra();
    this.loop.request();
  }

  setDark(dark) {
    this.wrapper.classList.toggle("sl-dark", Boolean(dark));
    this.painter.setDark(Boolean(dark));
    const stops = [0, 0.25, 0.5, 0.75, 1].map((hf) => channels(heat(hf)));
    this.scale.style.background = `linear-gradient(90deg,${stops.join(",")})`;
    this.loop.request();
  }

  setShape(shape) {
    this.shape = shape;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === shape));
    setText(this.sizes, shape === "tree" ? "larger: more came of late" : "wider: more came of late");
    this.layoutKey = null;
    this.resize();
  }

  chooseShape(shape) {
    if (shape === this.shape) return;
    this.setShape(shape);
    this.onShape(shape);
  }

  setHeight(height) {
    this.tall = height;
    this.layoutKey = null;
    this.resize();
  }

  take() {
    const before = this.frame;
    this.frame = this.pending;
    this.pending = null;
    const isSame = before && before.id.length === this.frame.id.length && before.id.every((id, i) => id === this.frame.id[i]);
    if (!isSame) {
      this.layoutKey = null;
      this.findExtra();
    }
    if (!this.frame.playing || !this.lit || !isSame) this.light();
    else this.relight.request();
    this.empty.hidden = this.frame.now > 0;
    if (Classes.ofId(this.frame, this.cursor) < 0) this.cursor = null;
    this.text.request();
    if (this.details.open) this.tableText.request();
  }

  /** From now on the latest instance of the newest frame is the one that is lit. */
  light() {
    const { frame } = this;
    if (!frame) return;
    const { flags, distance, normalised, now, learner } = frame;
    if (!this.lit || this.lit.now !== now) this.count.relit++;
    this.lit = { flags, distance, normalised, now, learner };
    this.text.request();
    this.loop.request();
  }

  findExtra() {
    if (!this.frame) return;
    this.extra = this.moreParents.map((pair) => pair.map((id) => Classes.ofId(this.frame, id))).filter(([a, b]) => a >= 0 && b >= 0);
  }

  /** Places for a new width, shape or set of classes; in the sunburst they follow the weights. */
  resize() {
    const width = Math.floor(this.stage.clientWidth);
    if (width === 0) return;
    const key = `${width} ${this.shape} ${this.tall} ${window.devicePixelRatio} ${this.frame?.id.length}`;
    if (key === this.layoutKey && this.shape !== "sunburst") return;
    const isNew = key !== this.layoutKey;
    this.layoutKey = key;
    if (!this.frame?.id.length) {
      this.painter.fit(width, 160);
      return;
    }
    if (this.shape === "sunburst") this.layout = placeSunburst(this.frame, width);
    else this.layout = width < NARROW ? placeOutline(this.frame, width) : placeTree(this.frame, width, this.tall);
    if (isNew) {
      this.painter.fit(width, Math.ceil(this.layout.height));
      // a canvas that changes its size is cleared
      if (!this.pending) this.paint();
    }
  }

  /* --- drawing ---------------------------------------------------------------------------------------------- */

  draw() {
    if (this.pending) this.take();
    if (!this.frame) return false;
    this.resize();
    this.paint();
    return false;
  }

  paint() {
    if (!this.frame?.id.length || !this.layout) return;
    const begun = performance.now();
    const row = (id) => Classes.ofId(this.frame, id);
    this.painter.draw({
      frame: this.frame, layout: this.layout, shape: this.shape, names: (i) => this.name(i), lit: this.frame.now > 0 ? this.lit : null,
      extra: this.extra, selected: row(this.selected), cursor: row(this.cursor ?? this.hovered),
    });
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
    const shown = this.cursor ?? this.hovered;
    if (shown !== null) this.showTip(shown);
  }

  catchUp() {
    if (this.pending) this.take();
    this.light();
  }

  /* --- words ------------------------------------------------------------------------------------------------ */

  name(row) {
    return this.labels[this.frame.id[row]] ?? `class ${this.frame.id[row]}`;
  }

  path(row) {
    return Classes.line(this.frame, row).map((each) => this.name(each)).join(" › ");
  }

  paths(flag) {
    const ends = this.lit ? Classes.ends(this.frame, this.lit.flags, flag) : [];
    return ends.map((row) => this.path(row));
  }

  writeText() {
    if (!this.frame) return;
    setText(this.summary, this.summarise());
    this.writeWalk();
  }

  summarise() {
    const { frame } = this;
    const shown = frame.id.length;
    const all = frame.n_classes > shown ? `${formatCount(shown)} of ${formatCount(frame.n_classes)} classes drawn` : `${formatCount(shown)} ${shown === 1 ? "class" : "classes"}`;
    let deepest = 0, worst = -1;
    for (let i = 0; i < shown; i++) {
      deepest = Math.max(deepest, frame.depth[i]);
      if (frame.flags[i] & LEAF && !Number.isNaN(frame.hf[i]) && (worst < 0 || frame.hf[i] < frame.hf[worst])) worst = i;
    }
    const lowest = worst < 0 ? "" : ` Lowest recent hF: ${this.name(worst)}, ${score(frame.hf[worst])}.`;
    return `${frame.learner ? `${frame.learner}: ` : ""}${all} on ${plural(deepest + 1, "level")}, after ${plural(frame.now, "instance")}.${lowest}`;
  }

  /** The latest instance in words: what was true, what was predicted, and between what the walk decided. */
  writeWalk() {
    const { words, frame, lit } = this;
    if (!lit || frame.now === 0) {
      for (const part of Object.values(words)) setText(part, "");
      setText(words.what, "No instance yet");
      return;
    }
    const truth = this.paths(TRUE), guess = this.paths(PREDICTED);
    setText(words.what, "instance");
    setText(words.verdict, `${formatCount(lit.now)}: ${this.verdict()}`);
    setText(words.truth, truth.join("; ") || "no label");
    setText(words.guess, guess.join("; ") || "nothing");
    const [term, text] = this.decision();
    setText(words.whyTerm, term);
    setText(words.why, text);
  }

  verdict() {
    const { frame, lit } = this;
    let [wrong, missed, hits, top] = [0, 0, 0, Infinity];
    for (let i = 0; i < frame.id.length; i++) {
      const isTrue = Boolean(lit.flags[i] & TRUE), isPredicted = Boolean(lit.flags[i] & PREDICTED);
      hits += isTrue && isPredicted;
      wrong += isPredicted && !isTrue;
      missed += isTrue && !isPredicted;
      if (isTrue !== isPredicted) top = Math.min(top, frame.depth[i]);
    }
    if (!wrong && !missed) return "right on every level";
    if (!wrong && hits) return "right as far as it goes";
    if (!wrong) return "nothing predicted";
    return `wrong from level ${top + 1} on`;
  }

  /** Between which classes the walk decided last: a term and its words. */
  decision() {
    const { frame, lit } = this;
    const rows = [];
    for (let i = 0; i < frame.id.length; i++) if (lit.flags[i] & COMPARED && !Number.isNaN(lit.distance[i])) rows.push(i);
    if (!rows.length) return ["", ""];
    rows.sort((a, b) => lit.distance[a] - lit.distance[b]);
    const shown = rows.slice(0, MOST_CANDIDATES).map((i) => `${this.name(i)} ${distanceText(lit.distance[i])}`);
    const more = rows.length > MOST_CANDIDATES ? `, and ${rows.length - MOST_CANDIDATES} more` : "";
    const isStopped = rows.some((i) => lit.flags[i] & STOPPED);
    const parent = frame.parent[rows[0]];
    const where = parent >= 0 ? `under ${this.name(parent)}` : "at the top";
    const tied = rows.filter((i) => lit.flags[i] & TIED).length;
    const why = isStopped ? `stopped ${where}, ${tied} about as near: ` : `last step ${where}: `;
    return ["distances", `${why}${shown.join(", ")}${more}`];
  }

  /** Title and lines that describe a row, for the tooltip and for the voice. */
  describe(row) {
    const { frame, lit } = this;
    const lines = [];
    if (frame.parent[row] >= 0) lines.push(this.path(row));
    const hf = frame.hf[row];
    lines.push(Number.isNaN(hf) ? "none came or was predicted of late" : `recent hF ${score(hf)} (hP ${score(frame.hp[row])}, hR ${score(frame.hr[row])})`);
    lines.push(`${formatCount(frame.arrivals[row])} came in all, ${formatNumber(frame.weight[row])} of late`);
    if (frame.held[row] > 0) lines.push(`${plural(frame.held[row] - 1, "example")} in its window`);
    if (lit && !Number.isNaN(lit.distance[row])) lines.push(`distance to the latest instance ${distanceText(lit.distance[row])}`);
    if (lit && this.onPath(row)) lines.push(`latest instance: ${this.onPath(row)}`);
    if (frame.folded[row]) lines.push(`${formatCount(frame.folded[row])} more below, ${frame.flags[row] & COLLAPSED ? "folded" : "not drawn"}`);
    return { title: this.name(row), lines };
  }

  onPath(row) {
    const flags = this.lit?.flags[row] ?? 0;
    if (flags & TRUE && flags & PREDICTED) return "true and predicted";
    if (flags & TRUE) return "true, not predicted";
    return flags & PREDICTED ? "predicted, not true" : flags & TIED ? "too close to call" : "";
  }

  announce(row) {
    const { title, lines } = this.describe(row);
    setText(this.live, `${title}. ${lines.join("; ")}${this.frame.id[row] === this.selected ? "; selected" : ""}.`);
  }

  writeTable() {
    if (!this.details.open || !this.frame) return;
    const { frame, lit } = this;
    const rows = [];
    const known = new Map();
    for (let i = 0; i < frame.id.length; i++) {
      const id = frame.id[i];
      const row = this.rows.get(id) ?? this.makeRow(id);
      known.set(id, row);
      rows.push(row.node);
      row.node.classList.toggle("sl-chosen", id === this.selected);
      row.button.setAttribute("aria-pressed", String(id === this.selected));
      setText(row.button, this.name(i));
      const distance = lit && !Number.isNaN(lit.distance[i]) ? distanceText(lit.distance[i]) : "–";
      [`${frame.depth[i] + 1}`, score(frame.hf[i]), score(frame.hp[i]), score(frame.hr[i]), formatNumber(frame.weight[i]), formatCount(frame.arrivals[i]),
        distance, this.onPath(i) || "–"].forEach((text, column) => setText(row.cells[column], text));
      row.button.style.marginLeft = `${10 * frame.depth[i]}px`;
    }
    this.rows = known;
    const children = this.table.children;
    if (children.length !== rows.length || rows.some((row, i) => row !== children[i])) this.table.replaceChildren(...rows);
  }

  makeRow(id) {
    const button = element("button", { type: "button", "data-id": id });
    const cells = HEADS.slice(1).map((head, i) => element("td", { class: i === HEADS.length - 2 ? "sl-left" : null }));
    return { node: element("tr", {}, [element("td", {}, [button]), ...cells]), button, cells };
  }

  chooseInTable(event) {
    const button = event.target.closest("button");
    if (!button) return;
    this.choose(Number(button.dataset.id));
    this.writeTable();
  }

  /* --- pointer and keys ------------------------------------------------------------------------------------- */

  /** The id of the class under a pointer event, or null: its disc or its name; in the sunburst its slice. */
  hit(event) {
    const { frame, layout, painter } = this;
    if (!frame?.id.length || !layout) return null;
    const bounds = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - bounds.left, event.clientY - bounds.top];
    if (this.shape === "sunburst") {
      const [dx, dy] = [px - layout.cx, py - layout.cy];
      const radius = Math.hypot(dx, dy), angle = (Math.atan2(dx, -dy) + 2 * Math.PI) % (2 * Math.PI);
      const row = layout.places.findIndex(({ from, to, inner, outer }) => radius >= inner && radius < outer && angle >= from && angle < to);
      return row < 0 ? null : frame.id[row];
    }
    let [found, nearest] = [null, event.pointerType === "touch" ? 14 : 8];
    layout.places.forEach(({ x, y, room, step }, row) => {
      const isOuter = painter.isOuter(row);
      const [left, right] = isOuter ? [x - 8, painter.width] : [x - (step ?? 0) + 26, x + 10];
      const [top, bottom] = isOuter ? [y - room / 2, y + room / 2] : [y - 18, y + 10];
      const away = Math.max(left - px, px - right, top - py, py - bottom, 0);
      if (away < nearest) [found, nearest] = [frame.id[row], away];
    });
    return found;
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.stage.classList.toggle("sl-over", id !== null);
    if (id === null) this.tooltip.hide();
    this.loop.request();
  }

  showTip(id) {
    const row = Classes.ofId(this.frame, id);
    if (row < 0 || !this.layout) {
      this.tooltip.hide();
      return;
    }
    const { x, y } = this.layout.places[row];
    const { title, lines } = this.describe(row);
    this.tooltip.show({ x: x - 10, y: y - 10, width: 20, height: 20 }, title, lines);
  }

  click(event) {
    const id = this.hit(event);
    if (event.pointerType === "touch") this.hover(id);
    if (event.detail === 2 && id !== null) {
      // the first of the two clicks has selected, or let go
      if (this.selected !== id) this.choose(id);
      this.collapse(id);
    } else this.choose(id);
  }

  collapse(id) {
    const row = Classes.ofId(this.frame, id);
    const canFold = row >= 0 && (Classes.hasChild(this.frame, row) || Classes.is(this.frame, row, COLLAPSED));
    if (canFold) this.onCollapse(id);
    return canFold;
  }

  /** The user's choice: the same class again lets go of it. */
  choose(id) {
    const before = this.selected;
    this.selected = id === this.selected ? null : id;
    if (this.selected !== before) this.onSelect(this.selected);
    const row = this.frame ? Classes.ofId(this.frame, this.selected) : -1;
    if (row >= 0) this.announce(row);
    else if (before !== null) setText(this.live, "Nothing is selected.");
    this.loop.request();
  }

  moveCursor(row) {
    this.cursor = row === null ? null : this.frame.id[row];
    if (row === null) this.tooltip.hide();
    else {
      this.keepInView(row);
      this.announce(row);
    }
    this.loop.request();
  }

  /** A tall picture may reach beyond the window. */
  keepInView(row) {
    const top = this.canvas.getBoundingClientRect().top + this.layout.places[row].y;
    if (top < 80) window.scrollBy(0, top - 160);
    else if (top > window.innerHeight - 40) window.scrollBy(0, top - window.innerHeight + 120);
  }

  key(event) {
    if (!this.frame?.id.length || !this.layout || event.ctrlKey || event.metaKey || event.altKey) return;
    const { frame } = this;
    const last = frame.id.length - 1;
    const ids = [this.cursor, this.selected].map((id) => Classes.ofId(frame, id)).filter((row) => row >= 0);
    const row = ids[0] ?? 0;
    const moves = {
      ArrowUp: () => Math.max(row - 1, 0),
      ArrowDown: () => Math.min(row + 1, last),
      ArrowLeft: () => (frame.parent[row] >= 0 ? frame.parent[row] : row),
      ArrowRight: () => Classes.children(frame, row)[0] ?? row,
      Home: () => 0,
      End: () => last,
    };
    const fold = () => {
      this.moveCursor(row);
      if (!this.collapse(frame.id[row])) setText(this.live, "Nothing to fold here.");
    };
    const select = () => {
      this.choose(frame.id[row]);
      this.moveCursor(row);
    };
    const acts = { Escape: () => this.escape(), Enter: select, " ": select, c: fold, C: fold };
    // the first key only shows where the cursor is
    if (event.key in moves) this.moveCursor(Classes.ofId(frame, this.cursor) < 0 && !event.key.startsWith("H") && event.key !== "End" ? row : moves[event.key]());
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  escape() {
    this.moveCursor(null);
    this.hover(null);
    if (this.selected !== null) this.choose(this.selected);
  }

  /* --- the rest --------------------------------------------------------------------------------------------- */

  /** Where a class is, {x, y} in pixels of the canvas, or null. */
  place(id) {
    const row = this.frame ? Classes.ofId(this.frame, id) : -1;
    if (row < 0 || !this.layout) return null;
    const { x, y } = this.layout.places[row];
    return { x, y };
  }

  stats() {
    const lit = (flag) => (this.lit ? Array.from(this.frame.id).filter((_, i) => this.lit.flags[i] & flag) : []);
    return {
      frames_received: this.count.received, waiting: this.pending !== null, frames_drawn: this.count.drawn, last_draw_ms: this.count.last, mean_draw_ms: this.count.mean,
      relit: this.count.relit, classes: this.frame?.id.length ?? 0, now: this.frame?.now ?? 0, shape: this.shape,
      outline: Boolean(this.layout?.narrow), height: this.layout?.height ?? 0, truth: lit(TRUE), predicted: lit(PREDICTED), compared: lit(COMPARED),
      stopped: lit(STOPPED), learner: this.frame?.learner ?? null,
    };
  }

  destroy() {
    this.loop.stop();
    this.text.stop();
    this.tableText.stop();
    this.relight.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.wrapper.remove();
    delete this.root.__hierarchy_stats;
  }
}

/**
 * Draws the hierarchy view into `root`.
 *
 * @param {HTMLElement} root an empty element, at least 280 px wide; the view takes its width
 * @param {object} [options]
 * @param {string[]} [options.labels] label names, by index
 * @param {Array<[number, number]>} [options.moreParents] (label, parent) beyond each label's first parent
 * @param {"tree"|"sunburst"} [options.shape] default "tree"
 * @param {boolean} [options.dark] dark surface, default false
 * @param {number} [options.height] height of the tree in px, default 440; more where the classes need it
 * @param {string} [options.emptyText] what is said while there is no instance
 * @param {(id: number|null) => void} [options.onSelect] called when the user selects a class, or lets go of it
 * @param {(id: number) => void} [options.onCollapse] called when the user wants what is below a class folded or unfolded
 * @param {(shape: string) => void} [options.onShape] called when the user chooses the other shape
 * @returns {{update, select, setLabels, setMoreParents, setDark, setShape, setHeight, resize, place, destroy, stats}} `update(frame)` takes
 *   {now (instances seen), learner, playing (more frames come soon), n_classes (in all), and a column per property, array or typed
 *   array, with a class before all below it: id (label index), parent (place in these columns, -1: top), depth, weight (recent
 *   arrivals), arrivals (in all), hp, hr, hf (0..1, NaN: not known), distance, normalised (NaN: not asked), held (examples in the
 *   window plus 1; 0: no window), folded (classes not drawn below), flags (1 leaf, 2 true, 4 predicted, 8 stopped before it,
 *   16 too near to tell, 32 compared last, 64 folded by the user)}; it keeps the frame, so give it a fresh one each time
 */
export function createHierarchyView(root, options = {}) {
  const view = new HierarchyView(root, options);
  const names = ["update", "select", "setLabels", "setMoreParents", "setDark", "setShape", "setHeight", "resize", "place", "destroy", "stats"];
  return Object.fromEntries(names.map((name) => [name, view[name].bind(view)]));
}

/** Panel: draws the component's view and ties its parameters to it. */
export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const hierarchy = createHierarchyView(el, {
      labels: model.labels, moreParents: model.more_parents, shape: model.shape, dark: model.dark, emptyText: model.empty_text,
      height: model.tree_height, onSelect: (id) => { model.selected = id; }, onShape: (shape) => { model.shape = shape; },
      onCollapse: (id) => model.send_msg({ kind: "collapse", id }),
    });
    hierarchy.select(model.selected);
    model.on("selected", () => hierarchy.select(model.selected));
    model.on("dark", () => hierarchy.setDark(model.dark));
    model.on("labels", () => hierarchy.setLabels(model.labels));
    model.on("more_parents", () => hierarchy.setMoreParents(model.more_parents));
    model.on("shape", () => hierarchy.setShape(model.shape));
    model.on("tree_height", () => hierarchy.setHeight(model.tree_height));
    const stopReceiving = receiveFrames(model, view, (frame) => hierarchy.update(frame));
    return () => {
      stopReceiving();
      hierarchy.destroy();
    };
  });
}
