/*
 * The projection view: a stream in its learner's first two directions, live.
 *
 * Crosses are class means with the trail that they left, points the recent instances, filled where they carry the label chosen.
 * The instance under the pointer, or pinned, is linked to its balanced neighbours; bars beside the picture show its decision score
 * per class against the threshold. Usable without Panel: see createProjectionView.
 */
import {
  DrawLoop, SHARED_CSS, Throttled, Tooltip, clamp, element, fitCanvas, formatCount, formatNumber, plural, receiveFrames, reducedMotion,
  renderOnce, setText,
} from "./theme.js";

const TWEEN_MS = 300;
/** Shortest time between draws while something glides and no stream of frames comes. */
const SMOOTH_MS = 14, ALONE_MS = 250;
const TEXT_EVERY_MS = 250, POINT_EVERY_MS = 70;
/** Places of a class mean that its trail remembers, one a chunk, and how many are drawn of a class that is not chosen. */
const TRAIL = 24, SHORT_TRAIL = 8;
/** A trail begins with so many instances: of fewer the directions are mostly chance, and turn with each. */
const YOUNG = 200;
const NARROW = 560;
/** How far from a point the pointer still means it, px. */
const REACH = 11, TOUCH_REACH = 20;
/** The camera moves when what it shall show leaves the picture, or fills less than this share of it. */
const TOO_SMALL = 0.72;
const PADDING = 26;
const FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif';
const NAME_FONT = `12px ${FONT}`, BOLD_FONT = `600 12px ${FONT}`;
const LONGEST_NAME = 18;
const NUMBER = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Hues of the classes, after Okabe and Ito: at least 3:1 on their surface. With many classes they come again. */
const LIGHT = {
  hues: ["#0072b2", "#d55e00", "#00875f", "#b8578f", "#a67000", "#3d93c4", "#a0522d"],
  surface: "#fff", ink: "#1f2328", muted: "#57606a", point: "#8a93a0", link: "rgba(87,96,106,.32)", accent: "#1565c0",
};
const DARK = {
  hues: ["#4ba3e3", "#f0883e", "#2fc394", "#e08fbf", "#e0b040", "#8fd0f5", "#cf9368"],
  surface: "#121212", ink: "#e6e8eb", muted: "#a8b0ba", point: "#7f8894", link: "rgba(168,176,186,.3)", accent: "#90caf9",
};

const CSS = `${SHARED_CSS}
.sl-projection{container-type:inline-size}
.sl-projection .sl-summary{min-height:1.45em}
.sl-projection .sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin:8px 0 10px}
.sl-projection label{display:inline-flex;gap:8px;align-items:center;font-size:12px;color:var(--sl-muted);min-width:0}
.sl-projection select{font:inherit;font-size:13px;color:var(--sl-text);background:var(--sl-paper);height:30px;max-width:200px;padding:0 6px;
  border:1px solid var(--sl-control);border-radius:6px}
.sl-projection :is(select,button):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-projection .sl-swatch{width:11px;height:11px;border-radius:50%;flex:none}
.sl-projection .sl-frames{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-projection .sl-frames button{font:inherit;font-size:12px;min-height:28px;padding:0 10px;border:0;background:none;color:var(--sl-muted);
  cursor:pointer}
.sl-projection .sl-frames button+button{border-left:1px solid var(--sl-control)}
.sl-projection .sl-frames button[aria-pressed=true]{background:var(--sl-track);color:var(--sl-text);font-weight:600}
.sl-projection .sl-legend{display:flex;flex-wrap:wrap;gap:3px 16px;margin-bottom:8px;font-size:12px;line-height:20px;color:var(--sl-muted)}
.sl-projection .sl-legend>span{display:inline-flex;align-items:center;gap:6px}
.sl-projection .sl-halves{display:grid;grid-template-columns:minmax(0,1fr);gap:16px 24px}
@container (min-width:700px){.sl-projection .sl-halves{grid-template-columns:minmax(0,1.75fr) minmax(270px,1fr)}}
.sl-projection .sl-stage{overflow:visible;border-radius:8px;touch-action:pan-y}
.sl-projection .sl-stage:focus-visible{outline-offset:2px}
.sl-projection canvas{border-radius:8px}
.sl-projection .sl-stage>canvas{box-shadow:inset 0 0 0 1px var(--sl-line)}
.sl-projection .sl-stage.sl-over{cursor:pointer}
.sl-projection .sl-who{font-weight:600;min-height:1.45em}
.sl-projection .sl-answer{color:var(--sl-muted);font-size:12px;overflow-wrap:anywhere}
.sl-projection .sl-list{overflow-y:auto;overflow-x:hidden;scrollbar-width:thin}
.sl-projection .sl-row{display:grid;grid-template-columns:minmax(48px,var(--sl-names)) minmax(60px,1fr) 44px 64px;column-gap:8px;align-items:center;
  min-height:24px;padding:0 6px;border-radius:4px;cursor:pointer;font-size:12px}
.sl-projection .sl-row:hover{background:var(--sl-track)}
.sl-projection .sl-row.sl-chosen{background:var(--sl-track);font-weight:600}
.sl-projection .sl-row>span{white-space:nowrap}
.sl-projection .sl-row>:first-child{overflow:hidden;text-overflow:ellipsis}
.sl-projection .sl-axis{position:sticky;top:0;z-index:1;color:var(--sl-muted);cursor:default}
.sl-projection .sl-axis:hover{background:none}
.sl-projection .sl-ends{display:flex;justify-content:space-between}
.sl-projection .sl-right{text-align:right;white-space:nowrap}
.sl-projection .sl-meter{position:relative;height:14px;overflow:hidden}
.sl-projection .sl-meter::before{content:"";position:absolute;inset:6px 0;background:var(--sl-line)}
.sl-projection .sl-zero{position:absolute;top:1px;bottom:1px;left:50%;border-left:1px solid var(--sl-control)}
.sl-projection .sl-fill{position:absolute;top:3px;bottom:3px;left:50%;width:50%;transform-origin:left;background:var(--sl-muted);opacity:.55}
.sl-projection .sl-fill.sl-on{opacity:1;background:var(--sl-bar)}
.sl-projection .sl-threshold{position:absolute;top:0;bottom:0;left:0;width:100%}
.sl-projection .sl-threshold::before{content:"";position:absolute;top:0;bottom:0;left:50%;border-left:2px solid var(--sl-text);margin-left:-1px}
.sl-projection .sl-false{color:var(--sl-down)}.sl-projection .sl-hit{color:var(--sl-up)}.sl-projection .sl-missed{color:var(--sl-muted)}
.sl-projection .sl-list:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-projection .sl-keys i{display:inline-block;width:18px;height:8px;background:var(--sl-bar)}
.sl-projection .sl-keys .sl-tick{width:2px;height:13px;background:var(--sl-text)}
`;

const easeOut = (t) => 1 - (1 - t) ** 3;
const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text);
const signed = (value) => (Number.isFinite(value) ? NUMBER.format(Math.round(100 * value) / 100 || 0).replace("-", "−") : value > 0 ? "∞" : "–");
const hue = (theme, label) => theme.hues[label % theme.hues.length];

/** Something drawn at a place that it glides to: x, y in the plane, and how much of it is there (0..1). */
class Mark {
  constructor(x, y, there = 0) {
    this.from = [x, y, there];
    this.at = [x, y, there];
    this.to = [x, y, 1];
  }

  aim(x, y, there) {
    this.to = [x, y, there];
    this.from = [...this.at];
  }

  advance(share) {
    for (let i = 0; i < 3; i++) this.at[i] = this.from[i] + (this.to[i] - this.from[i]) * share;
  }
}

/** What is drawn: instances by number, class means by label, each gliding; and the camera {x, y, step}. */
class Scene {
  constructor() {
    this.camera = new Mark(0, 0);
    this.camera.at = this.camera.to = [0, 0, 1];
    this.start = this.cameraStart = -Infinity;
    this.moving = this.cameraMoves = false;
    this.clear();
  }

  clear() {
    this.points = new Map();
    this.means = [];
    this.trails = [];
  }

  aim(frame, now) {
    // when frames come faster than a glide takes, no glide ends: what was leaving has gone
    for (const [row, mark] of this.points) if (mark.to[2] === 0) this.points.delete(row);
    const old = new Set(this.points.keys());
    for (let i = 0; i < frame.row.length; i++) {
      const row = frame.row[i];
      const mark = this.points.get(row);
      if (mark) mark.aim(frame.x[i], frame.y[i], 1);
      else this.points.set(row, new Mark(frame.x[i], frame.y[i]));
      old.delete(row);
    }
    for (const row of old) {
      const mark = this.points.get(row);
      mark.aim(mark.to[0], mark.to[1], 0);
    }
    for (let k = 0; k < frame.mean_x.length; k++) this.aimMean(k, frame.mean_x[k], frame.mean_y[k], frame.row.length >= YOUNG);
    this.start = now;
    this.moving = true;
  }

  aimMean(k, x, y, leavesTrail) {
    this.trails[k] ??= [];
    if (Number.isNaN(x) || Number.isNaN(y)) {
      this.means[k] = null;
      return;
    }
    const mark = this.means[k];
    if (!mark) this.means[k] = new Mark(x, y);
    else {
      if (leavesTrail && (mark.to[0] !== x || mark.to[1] !== y)) {
        this.trails[k].push([mark.to[0], mark.to[1]]);
        if (this.trails[k].length > TRAIL) this.trails[k].shift();
      }
      mark.aim(x, y, 1);
    }
  }

  look(goal, now, jump) {
    this.camera.aim(...goal);
    this.cameraStart = now;
    this.cameraMoves = !jump;
    if (jump) this.camera.at = [...goal];
  }

  get busy() {
    return this.moving || this.cameraMoves;
  }

  advance(now) {
    if (this.moving) {
      const t = clamp((now - this.start) / TWEEN_MS, 0, 1);
      for (const mark of this.points.values()) mark.advance(easeOut(t));
      for (const mark of this.means) mark?.advance(easeOut(t));
      if (t === 1) this.finish();
    }
    if (this.cameraMoves) {
      const t = clamp((now - this.cameraStart) / TWEEN_MS, 0, 1);
      this.camera.advance(easeOut(t));
      this.cameraMoves = t < 1;
    }
  }

  finish() {
    this.moving = false;
    for (const [row, mark] of this.points) {
      mark.advance(1);
      if (mark.to[2] === 0) this.points.delete(row);
    }
    for (const mark of this.means) mark?.advance(1);
  }

  finishAll() {
    this.finish();
    this.cameraMoves = false;
    this.camera.advance(1);
  }
}

/** What can be asked of a frame. */
const Rows = {
  of: (frame, row) => (row === null ? -1 : frame.row.indexOf(row)),

  has(frame, i, label) {
    const bytes = Math.ceil(frame.n_labels / 8);
    return Boolean(frame.bits[i * bytes + (label >> 3)] & (1 << (label & 7)));
  },

  labels(frame, i) {
    return Array.from({ length: frame.n_labels }, (_, k) => k).filter((k) => Rows.has(frame, i, k));
  },

  /** The nearest instance in a direction [dx, dy] of the plane, within 45 degrees of it if there is one. */
  towards(frame, i, [dx, dy]) {
    let [best, nearest] = [-1, Infinity];
    for (let j = 0; j < frame.row.length; j++) {
      const x = frame.x[j] - frame.x[i], y = frame.y[j] - frame.y[i];
      const along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
      if (j === i || along <= 0) continue;
      const away = Math.hypot(along, across) * (across <= along ? 1 : 8);
      if (away < nearest) [best, nearest] = [j, away];
    }
    return best;
  },
};

/** Draws a scene. All lengths are CSS pixels. */
class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.widths = new Map();
    this.spots = [];
  }

  setDark(dark) {
    this.theme = dark ? DARK : LIGHT;
  }

  fit(width, height) {
    [this.width, this.height] = [width, height];
    this.ratio = fitCanvas(this.canvas, width, height);
    this.radius = width < NARROW ? 2.9 : 3.6;
    this.spots = [];
  }

  /** The place of (x, y) of the plane; what lies outside is drawn at the edge. */
  place(x, y, camera = this.camera) {
    const [cx, cy, step] = camera;
    const px = this.width / 2 + (x - cx) * step, py = this.height / 2 - (y - cy) * step;
    return [clamp(px, 6, this.width - 6), clamp(py, 6, this.height - 6), px < 0 || py < 0 || px > this.width || py > this.height];
  }

  measure(text, font) {
    const key = font + text;
    if (!this.widths.has(key)) {
      if (this.widths.size > 3000) this.widths.clear();
      this.context.font = font;
      this.widths.set(key, this.context.measureText(text).width);
    }
    return this.widths.get(key);
  }

  draw(scene, frame, view) {
    const { context, ratio, theme } = this;
    this.camera = scene.camera.at;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineCap = context.lineJoin = "round";
    this.drawPoints(scene, frame, view);
    if (view.target !== null) this.drawLinks(scene, frame, view);
    scene.means.forEach((mark, k) => mark && this.drawTrail(scene.trails[k], mark, k, k === view.label));
    scene.means.forEach((mark, k) => mark && k !== view.label && this.drawCross(mark, k, false));
    if (scene.means[view.label]) this.drawCross(scene.means[view.label], view.label, true);
    this.drawNames(scene, view);
    const newest = scene.points.get(frame.row[frame.row.length - 1]);
    if (newest && view.target === null) this.ring(newest, theme.ink, 1.5);
    for (const [row, colour] of [[view.pinned, theme.ink], [view.target, theme.accent]]) {
      const mark = scene.points.get(row);
      if (mark) this.ring(mark, colour, 2.25);
    }
  }

  /** Hollow and grey without the label, filled and larger with it: told apart by more than a hue. */
  drawPoints(scene, frame, { label, fitMeans }) {
    const { context, theme, radius } = this;
    const filled = [];
    context.strokeStyle = theme.point;
    context.lineWidth = 1;
    for (let i = 0; i < frame.row.length; i++) {
      const mark = scene.points.get(frame.row[i]);
      // of all instances the farthest few stand at the edge; beside the means, all that are outside would
      if (!mark || (fitMeans && this.place(mark.at[0], mark.at[1])[2])) continue;
      if (label < frame.n_labels && Rows.has(frame, i, label)) {
        filled.push(mark);
        continue;
      }
      this.dot(mark, radius * 0.8);
      context.globalAlpha = 0.8 * mark.at[2];
      context.stroke();
    }
    context.fillStyle = hue(theme, label);
    context.strokeStyle = theme.surface;
    for (const mark of filled) {
      this.dot(mark, radius * 1.12);
      context.globalAlpha = 0.9 * mark.at[2];
      context.fill();
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  dot(mark, radius) {
    const [x, y] = this.place(mark.at[0], mark.at[1]);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  ring(mark, colour, width) {
    const { context, theme, radius } = this;
    for (const [style, thickness] of [[theme.surface, width + 2.5], [colour, width]]) {
      this.dot(mark, radius + 4);
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.stroke();
    }
  }

  /** Thin lines to all neighbours, thick ones in its colour to those of the label chosen. */
  drawLinks(scene, frame, { target, label }) {
    if (frame.target?.[0] !== target) return;
    const { context, theme } = this;
    const centre = scene.points.get(target);
    const [cx, cy] = centre ? centre.at : frame.target.slice(1);
    const [x0, y0] = this.place(cx, cy);
    const ends = [[], []];
    for (let i = 0; i < frame.link_row.length; i++) {
      const mark = scene.points.get(frame.link_row[i]);
      const [x, y] = mark ? mark.at : [frame.link_x[i], frame.link_y[i]];
      ends[frame.link_label[i] === label ? 1 : 0].push(this.place(x, y));
    }
    [[theme.link, 1], [hue(theme, label), 2]].forEach(([colour, width], isChosen) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      for (const [x, y] of ends[isChosen]) {
        context.moveTo(x0, y0);
        context.lineTo(x, y);
      }
      context.stroke();
    });
    context.lineWidth = 2;
    for (const [x, y] of ends[1]) {
      context.beginPath();
      context.arc(x, y, this.radius + 3, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** Where the mean was, the older the fainter. */
  drawTrail(trail, mark, k, isChosen) {
    const { context, theme } = this;
    const length = isChosen ? TRAIL : SHORT_TRAIL;
    const places = [...trail.slice(-length), mark.at].map(([x, y]) => this.place(x, y));
    context.strokeStyle = hue(theme, k);
    context.lineWidth = isChosen ? 2.5 : 1.25;
    for (let i = 1; i < places.length; i++) {
      context.globalAlpha = (isChosen ? 0.95 : 0.6) * ((i + length - places.length + 1) / length) ** 1.5;
      context.beginPath();
      context.moveTo(places[i - 1][0], places[i - 1][1]);
      context.lineTo(places[i][0], places[i][1]);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawCross(mark, k, isChosen) {
    const { context, theme } = this;
    const [x, y] = this.place(mark.at[0], mark.at[1]);
    const arm = isChosen ? 8 : 6;
    for (const [style, width] of [[theme.surface, isChosen ? 7 : 5], [hue(theme, k), isChosen ? 3.5 : 2.25]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x - arm, y);
      context.lineTo(x + arm, y);
      context.moveTo(x, y - arm);
      context.lineTo(x, y + arm);
      context.stroke();
    }
  }

  /** A name beside each cross where there is room: the chosen label's first, then the heaviest; a name stays on its side. */
  arrangeNames(scene, frame, view) {
    const boxes = [];
    for (const mark of scene.means) {
      if (!mark) continue;
      const [x, y] = this.place(mark.to[0], mark.to[1], scene.camera.to);
      boxes.push([x - 6, y - 6, x + 6, y + 6]);
    }
    const order = scene.means.map((_, k) => k).filter((k) => scene.means[k]);
    order.sort((a, b) => (b === view.label) - (a === view.label) || frame.weight[b] - frame.weight[a] || a - b);
    const spots = [];
    for (const k of order) {
      const font = k === view.label ? BOLD_FONT : NAME_FONT;
      const text = cut(view.name(k), LONGEST_NAME);
      const width = this.measure(text, font);
      const [x, y] = this.place(scene.means[k].to[0], scene.means[k].to[1], scene.camera.to);
      const sides = [[10, 0], [-10 - width, 0], [-width / 2, -15], [-width / 2, 15], [8, -12], [8, 12], [-8 - width, -12], [-8 - width, 12],
        [16, -22], [16, 22], [-16 - width, -22], [-16 - width, 22]];
      const before = this.spots[k]?.side;
      const tried = [...sides.keys()].sort((a, b) => (b === before) - (a === before) || a - b);
      const free = (side) => {
        const box = [x + sides[side][0] - 2, y + sides[side][1] - 7, x + sides[side][0] + width + 2, y + sides[side][1] + 7];
        const inside = box[0] >= 3 && box[2] <= this.width - 3 && box[1] >= 3 && box[3] <= this.height - 3;
        return inside && boxes.every((b) => b[2] < box[0] || b[0] > box[2] || b[3] < box[1] || b[1] > box[3]) ? box : null;
      };
      const side = tried.find((each) => free(each));
      if (side === undefined) continue;
      boxes.push(free(side));
      spots[k] = { side, text, dx: sides[side][0], dy: sides[side][1] };
    }
    this.spots = spots;
  }

  drawNames(scene, view) {
    const { context, theme } = this;
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.spots.forEach((spot, k) => {
      const mark = scene.means[k];
      if (!spot || !mark) return;
      const [x, y] = this.place(mark.at[0], mark.at[1]);
      context.font = k === view.label ? BOLD_FONT : NAME_FONT;
      context.strokeStyle = theme.surface;
      context.lineWidth = 4;
      context.strokeText(spot.text, x + spot.dx, y + spot.dy + 0.5);
      context.fillStyle = theme.ink;
      context.fillText(spot.text, x + spot.dx, y + spot.dy + 0.5);
    });
  }
}

/** Decision scores as bars around zero, thresholds as ticks, and what became of it. */
class Bars {
  constructor(onLabel) {
    this.onLabel = onLabel;
    this.rows = [];
    this.low = element("span");
    this.high = element("span");
    const axis = element("div", { class: "sl-row sl-axis", "aria-hidden": "true" }, [
      element("span", { text: "Class" }), element("span", { class: "sl-ends" }, [this.low, element("span", { text: "0" }), this.high]),
      element("span", { class: "sl-right", text: "score" }), element("span"),
    ]);
    this.list = element("div", { role: "list", "aria-label": "Decision score of each class" });
    this.node = element("div", { class: "sl-list" }, [axis, this.list]);
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-label]");
      if (row) this.onLabel(Number(row.dataset.label));
    });
  }

  setNames(names) {
    const longest = Math.max(...names.map((name) => name.length), 4);
    this.node.style.setProperty("--sl-names", `${clamp(longest * 0.58, 4, 10).toFixed(1)}em`);
    this.rows = names.map((name, label) => {
      const fill = element("div", { class: "sl-fill" }), threshold = element("div", { class: "sl-threshold" });
      const score = element("span", { class: "sl-right" }), mark = element("span");
      const meter = element("div", { class: "sl-meter", "aria-hidden": "true" }, [fill, element("div", { class: "sl-zero" }), threshold]);
      const node = element("div", { class: "sl-row", role: "listitem", "data-label": label }, [
        element("span", { text: name, title: name }), meter, score, mark,
      ]);
      return { node, fill, threshold, score, mark };
    });
    this.list.replaceChildren(...this.rows.map((row) => row.node));
    const scrolls = this.node.scrollHeight > this.node.clientHeight + 1;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", "Decision scores, a list that scrolls"]]) {
      if (scrolls) this.node.setAttribute(name, value);
      else this.node.removeAttribute(name);
    }
  }

  /** `truth`: the set of labels that the instance has. */
  write(frame, truth, chosen) {
    let largest = 0.1;
    // what lies far below its threshold may end at the edge: the number beside it tells
    frame.threshold.forEach((threshold, k) => {
      if (Number.isFinite(threshold)) largest = Math.max(largest, Math.abs(threshold), frame.score[k] || 0);
    });
    // the axis does not follow every wobble
    if (!(this.end >= largest && largest > 0.4 * this.end)) this.end = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((e) => e >= largest) ?? largest;
    setText(this.low, `−${formatNumber(this.end)}`);
    setText(this.high, formatNumber(this.end));
    this.rows.forEach((row, k) => this.writeRow(row, frame.score[k], frame.threshold[k], truth?.has(k) ?? null, k === chosen));
  }

  writeRow(row, score, threshold, isTrue, isChosen) {
    const isOn = score > threshold;
    const at = (value) => clamp((value || 0) / this.end, -1, 1);
    row.fill.style.transform = `scaleX(${at(score).toFixed(3)})`;
    row.fill.classList.toggle("sl-on", isOn);
    row.threshold.style.transform = `translateX(${(49 * at(threshold)).toFixed(2)}%)`;
    row.threshold.style.visibility = Number.isFinite(threshold) ? "" : "hidden";
    setText(row.score, signed(score));
    const [text, kind] = isOn ? (isTrue === false ? ["✗ false", "sl-false"] : ["✓ right", "sl-hit"]) : isTrue ? ["○ missed", "sl-missed"] : ["", ""];
    setText(row.mark, text);
    row.mark.className = kind;
    row.node.classList.toggle("sl-chosen", isChosen);
  }
}

const HEADS = ["Class", "Weight", "Kept", "Mean", "Threshold", "Score", "Answer"];

class ProjectionView {
  constructor(root, options) {
    this.root = root;
    this.labels = options.labels ?? [];
    this.onSelect = options.onSelect ?? (() => {});
    this.onPoint = options.onPoint ?? (() => {});
    this.onLabel = options.onLabel ?? (() => {});
    this.jump = options.animate === false;
    this.tall = options.height ?? 440;
    this.label = options.label ?? 0;
    this.scene = new Scene();
    this.frame = this.pending = null;
    this.pinned = this.hovered = this.cursor = this.told = null;
    this.overMean = null;
    this.fitMeans = false;
    this.frameAt = -Infinity;
    this.named = "";
    this.count = { received: 0, drawn: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.pointing = new Throttled(() => this.tellPointed(), POINT_EVERY_MS);
    this.build(options.emptyText ?? "No instance yet: press play");
    this.painter = new Painter(this.canvas);
    this.loop = new DrawLoop(this.stage, (now) => this.draw(now), () => this.catchUp());
    this.listen();
    this.setDark(options.dark ?? false);
    this.resize();
    root.__projection_stats = () => this.stats();
  }

  /* --- the page --------------------------------------------------------------------------------------------- */

  build(emptyText) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.empty = element("div", { class: "sl-empty", text: emptyText });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": "projection",
      "aria-label": "Recent instances in the plane of the first two directions. Arrow keys move to the next instance in a direction, Home "
        + "to the newest; Enter pins it or lets go; Page Up and Page Down choose the label in colour.",
    }, [this.canvas, this.empty]);
    this.tooltip = new Tooltip(this.stage);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.summary = element("div", { class: "sl-summary sl-muted" });
    this.chooser = element("select", { "aria-label": "Label in colour" });
    this.swatch = element("span", { class: "sl-swatch", "aria-hidden": "true" });
    this.frames = [["All", false, "Show all instances"], ["Means", true, "Show the class means, larger"]].map(([text, means, title]) => {
      const button = element("button", { type: "button", text, title, "aria-pressed": String(!means) });
      button.addEventListener("click", () => this.setFit(means));
      return button;
    });
    const bar = element("div", { class: "sl-bar-row" }, [
      element("label", {}, ["Label in colour", this.swatch, this.chooser]),
      element("div", { class: "sl-frames", role: "group", "aria-label": "What the picture shows" }, this.frames),
    ]);
    this.bars = new Bars((label) => this.choose(label));
    this.who = element("div", { class: "sl-who" });
    this.answer = element("div", { class: "sl-answer" });
    this.side = element("div", {}, [
      this.who, this.answer,
      element("div", { class: "sl-legend sl-keys" }, [
        element("span", {}, [element("i"), "decision score"]), element("span", {}, [element("i", { class: "sl-tick" }), "threshold"]),
      ]), this.bars.node,
    ]);
    this.halves = element("div", { class: "sl-halves" }, [element("div", {}, [this.buildLegend(), this.stage, this.live]), this.side]);
    this.table = element("tbody");
    this.details = element("details", {}, [element("summary", { text: "Table" }), this.buildTable()]);
    this.wrapper = element("section", { class: "sl-view sl-projection", "aria-label": "The stream in two directions" }, [
      element("style", { text: CSS }), this.summary, bar, this.halves, this.details,
    ]);
    this.root.append(this.wrapper);
  }

  buildLegend() {
    const item = (text, draw) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      this.samples.push([canvas, draw]);
      return element("span", {}, [canvas, text]);
    };
    this.samples = [];
    const dot = (isFilled) => (context, theme, label) => {
      context.beginPath();
      context.arc(9, 9, isFilled ? 4 : 3, 0, 2 * Math.PI);
      context.fillStyle = hue(theme, label);
      context.strokeStyle = theme.point;
      if (isFilled) context.fill();
      else context.stroke();
    };
    const cross = (context, theme, label) => {
      context.strokeStyle = hue(theme, label);
      context.lineWidth = 1.25;
      context.beginPath();
      context.moveTo(1, 14);
      context.lineTo(11, 8);
      context.stroke();
      context.lineWidth = 2.5;
      context.beginPath();
      context.moveTo(6, 8);
      context.lineTo(16, 8);
      context.moveTo(11, 3);
      context.lineTo(11, 13);
      context.stroke();
    };
    this.withLabel = element("span");
    const filled = item("", dot(true));
    filled.append(this.withLabel);
    const link = (context, theme, label) => {
      context.strokeStyle = hue(theme, label);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(0, 13);
      context.lineTo(9, 9);
      context.stroke();
      context.beginPath();
      context.arc(12, 8, 4, 0, 2 * Math.PI);
      context.stroke();
    };
    return element("div", { class: "sl-legend" }, [
      filled, item("without it", dot(false)), item("class mean, with its trail", cross), item("its neighbour with the label; thin: with others", link),
    ]);
  }

  buildTable() {
    const head = element("tr", {}, HEADS.map((text, i) => element("th", { scope: "col", text, class: i === 6 ? "sl-left" : null })));
    const caption = element("caption", { class: "sl-hidden", text: "One row per class; scores and answers are of the instance shown." });
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
    on(this.chooser, "change", () => this.choose(Number(this.chooser.value)));
    on(this.details, "toggle", () => this.writeTable());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.wrapper);
  }

  /* --- what comes in ---------------------------------------------------------------------------------------- */

  update(frame) {
    this.count.received++;
    this.pending = frame;
    this.loop.frame();
    const now = performance.now();
    if (now - this.frameAt > ALONE_MS) this.loop.every = SMOOTH_MS;
    this.frameAt = now;
  }

  select(row) {
    this.pinned = row ?? null;
    this.text.request();
    this.loop.request();
  }

  setLabel(label) {
    this.label = label ?? 0;
    this.chooser.value = String(this.label);
    this.swatch.style.background = hue(this.painter.theme, this.label);
    setText(this.withLabel, `with ${cut(this.name(this.label), LONGEST_NAME)}`);
    this.drawSamples();
    if (this.frame) this.painter.arrangeNames(this.scene, this.frame, this.look());
    this.text.request();
    this.loop.request();
  }

  setLabels(labels) {
    this.labels = labels ?? [];
    this.named = "";
    this.takeNames();
  }

  setDark(dark) {
    this.wrapper.classList.toggle("sl-dark", Boolean(dark));
    this.painter.setDark(Boolean(dark));
    this.setLabel(this.label);
  }

  setHeight(height) {
    this.tall = height;
    this.layoutKey = null;
    this.resize();
  }

  setFit(means) {
    this.fitMeans = means;
    this.frames.forEach((button, i) => button.setAttribute("aria-pressed", String(Boolean(i) === means)));
    if (!this.frame) return;
    this.aimCamera(performance.now(), this.jumps(), true);
    this.smooth();
  }

  name(label) {
    return this.labels[label] ?? `label ${label}`;
  }

  takeNames() {
    const count = this.frame?.n_labels ?? this.labels.length;
    const names = Array.from({ length: count }, (_, k) => this.name(k));
    const key = names.join("\n");
    if (key === this.named) return;
    this.named = key;
    this.bars.setNames(names);
    this.chooser.replaceChildren(...names.map((text, k) => element("option", { value: String(k), text })));
    this.setLabel(this.label);
  }

  drawSamples() {
    for (const [canvas, draw] of this.samples) {
      const ratio = fitCanvas(canvas, 18, 18);
      const context = canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, 18, 18);
      draw(context, this.painter.theme, this.label);
    }
  }

  resize() {
    const width = Math.floor(this.stage.clientWidth);
    if (width === 0) return;
    const height = width < NARROW ? Math.min(this.tall, 340) : this.tall;
    const key = `${width} ${height} ${window.devicePixelRatio}`;
    if (key === this.layoutKey) return;
    this.layoutKey = key;
    this.painter.fit(width, height);
    this.bars.node.style.maxHeight = `${Math.max(this.tall - 40, 260)}px`;
    this.drawSamples();
    if (!this.frame) return;
    this.aimCamera(performance.now(), true, true);
    this.paint(performance.now());
  }

  /* --- the camera ------------------------------------------------------------------------------------------- */

  /** [left, right, low, high] of what shall be seen: the means and their trails, or also all instances but the farthest few. */
  bounds() {
    const { frame, scene } = this;
    const xs = [], ys = [];
    scene.means.forEach((mark, k) => {
      if (!mark) return;
      for (const [x, y] of [mark.to, ...(this.fitMeans ? scene.trails[k] : [])]) {
        xs.push(x);
        ys.push(y);
      }
    });
    if (!this.fitMeans && frame.row.length) {
      const drop = Math.floor(frame.row.length / 150);
      for (const [values, found] of [[frame.x, xs], [frame.y, ys]]) {
        const sorted = Float64Array.from(values).sort();
        found.push(sorted[drop], sorted[sorted.length - 1 - drop]);
      }
    }
    if (!xs.length) return [-1, 1, -1, 1];
    return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  }

  aimCamera(now, jump, must = false) {
    const [left, right, low, high] = this.bounds();
    const { width, height } = this.painter;
    const [roomX, roomY] = [width - 2 * PADDING, height - 2 * PADDING];
    const fit = Math.min(roomX / Math.max(right - left, 1e-9), roomY / Math.max(high - low, 1e-9));
    const step = Number.isFinite(fit) && fit < 1e8 ? fit : 1;
    const [cx, cy, now_step] = this.scene.camera.to;
    const inside = (x, y) => Math.abs(x - cx) * now_step <= width / 2 - 8 && Math.abs(y - cy) * now_step <= height / 2 - 8;
    const stays = !must && inside(left, low) && inside(right, high) && now_step > TOO_SMALL * step;
    if (stays) return;
    // a little smaller than it could be: then it need not move again at once
    this.scene.look([(left + right) / 2, (low + high) / 2, step * (must ? 0.97 : 0.9)], now, jump);
  }

  smooth() {
    this.painter.arrangeNames(this.scene, this.frame, this.look());
    this.loop.every = SMOOTH_MS;
    this.loop.request();
  }

  jumps() {
    return this.jump || reducedMotion();
  }

  /* --- drawing ---------------------------------------------------------------------------------------------- */

  draw(now) {
    if (this.pending) this.take(now);
    if (this.frame === null) return false;
    this.paint(now);
    return this.scene.busy;
  }

  take(now) {
    const before = this.frame;
    const frame = (this.frame = this.pending);
    this.pending = null;
    const isAnew = !before?.row.length || before.learner !== frame.learner || frame.now < before.now;
    if (isAnew) this.scene.clear();
    this.takeNames();
    if (isAnew || this.differs(before, frame)) this.scene.aim(frame, now);
    const jump = this.jumps() || isAnew;
    if (jump) this.scene.finish();
    this.empty.hidden = frame.row.length > 0;
    this.resize();
    if (frame.row.length) this.aimCamera(now, jump, isAnew);
    if (isAnew || this.scene.moving) this.painter.arrangeNames(this.scene, frame, this.look());
    if (Rows.of(frame, this.cursor) < 0) this.cursor = null;
    if (Rows.of(frame, this.hovered) < 0) this.hovered = null;
    this.pointing.request();
    this.showTip();
    this.text.request();
  }

  /** Most frames bring nothing new to the plane: it changes once a chunk. */
  differs(before, frame) {
    const last = frame.row.length - 1;
    return before.row.length !== frame.row.length || before.row[last] !== frame.row[last] || before.row[0] !== frame.row[0]
      || ["x", "y", "mean_x", "mean_y"].some((name) => frame[name].some((value, i) => !Object.is(value, before[name][i])));
  }

  look() {
    return { label: this.label, fitMeans: this.fitMeans, pinned: this.pinned, target: this.target(), name: (k) => this.name(k) };
  }

  target() {
    return this.cursor ?? this.hovered ?? this.pinned;
  }

  paint(now) {
    this.scene.advance(now);
    const begun = performance.now();
    this.painter.draw(this.scene, this.frame, this.look());
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
  }

  catchUp() {
    if (this.pending) this.take(performance.now());
    if (this.frame && this.scene.busy) this.scene.finishAll();
  }

  /* --- words ------------------------------------------------------------------------------------------------ */

  list(labels) {
    const names = [...labels].map((k) => this.name(k));
    return names.length ? `${names.slice(0, 6).join(", ")}${names.length > 6 ? ` and ${names.length - 6} more` : ""}` : "none";
  }

  /** Which instance the scores are of, and its labels: {row, truth}. */
  scored() {
    const { frame } = this;
    if (frame.target) return { row: frame.target[0], truth: new Set(frame.truth) };
    const last = frame.row.length - 1;
    return last < 0 ? { row: null, truth: null } : { row: frame.row[last], truth: new Set(Rows.labels(frame, last)) };
  }

  answered() {
    const { frame } = this;
    return Array.from({ length: frame.n_labels }, (_, k) => k).filter((k) => frame.score[k] > frame.threshold[k]);
  }

  writeText() {
    const { frame } = this;
    if (!frame?.row.length) return;
    const { row, truth } = this.scored();
    setText(this.summary, this.summarise());
    const role = row === this.target() ? (row === this.pinned ? "pinned" : "pointed at") : "the newest learned";
    setText(this.who, `Instance ${formatCount(row + 1)}, ${role}`);
    const answered = this.answered(), right = answered.filter((k) => truth.has(k)).length;
    setText(this.answer, `${formatCount(right)} right, `
      + `${answered.length - right} false, ${truth.size - right} missed of ${formatCount(frame.n_labels)} classes`);
    this.bars.write(frame, truth, this.label);
    this.writeTable();
  }

  summarise() {
    const { frame } = this;
    let carriers = 0;
    for (let i = 0; i < frame.row.length; i++) carriers += this.label < frame.n_labels && Rows.has(frame, i, this.label);
    return `The ${plural(frame.row.length, "newest instance")} kept after ${formatCount(frame.now)}; `
      + `${formatCount(carriers)} ${carriers === 1 ? "has" : "have"} ${this.name(this.label)}.`;
  }

  describe(i) {
    const { frame } = this;
    const lines = [`true: ${this.list(Rows.labels(frame, i))}`];
    if (frame.target?.[0] === frame.row[i]) lines.push(`answered: ${this.list(this.answered())}`);
    return { title: `Instance ${formatCount(frame.row[i] + 1)}`, lines };
  }

  describeMean(k) {
    const { frame } = this;
    return {
      title: this.name(k),
      lines: [`class mean, weight ${formatNumber(frame.weight[k])}`, `${plural(frame.kept[k], "instance")} kept`,
        `threshold ${signed(frame.threshold[k])}`, ...(k === this.label ? [] : ["click: this label in colour"])],
    };
  }

  announce(i) {
    const { title, lines } = this.describe(i);
    setText(this.live, `${title}. ${lines.join("; ")}${this.frame.row[i] === this.pinned ? "; pinned" : ""}.`);
  }

  writeTable() {
    if (!this.details.open || !this.frame) return;
    const { frame } = this;
    const { truth } = this.scored();
    this.table.replaceChildren(...Array.from({ length: frame.n_labels }, (_, k) => element("tr", {}, [
      element("th", { scope: "row", text: this.name(k) }), element("td", { text: formatNumber(frame.weight[k]) }),
      element("td", { text: formatCount(frame.kept[k]) }),
      element("td", { text: Number.isNaN(frame.mean_x[k]) ? "–" : `${signed(frame.mean_x[k])}, ${signed(frame.mean_y[k])}` }),
      element("td", { text: signed(frame.threshold[k]) }), element("td", { text: signed(frame.score[k]) }),
      element("td", { class: "sl-left", text: frame.score[k] > frame.threshold[k] ? (truth?.has(k) ? "yes, right" : "yes, false") : truth?.has(k) ? "no, missed" : "no" }),
    ])));
  }

  /* --- pointer and keys ------------------------------------------------------------------------------------- */

  /** What is under a pointer event: {row} of an instance or {mean} of a class, or null. */
  hit(event) {
    if (!this.frame?.row.length) return null;
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let [found, nearest] = [null, event.pointerType === "touch" ? TOUCH_REACH : REACH];
    const consider = (mark, what, bonus) => {
      const [x, y, isOutside] = this.painter.place(mark.at[0], mark.at[1]);
      if (isOutside && this.fitMeans) return;
      const away = Math.hypot(x - px, y - py) - bonus;
      if (away < nearest) [found, nearest] = [what, away];
    };
    this.painter.camera ??= this.scene.camera.at;
    for (const row of this.frame.row) {
      const mark = this.scene.points.get(row);
      if (mark) consider(mark, { row }, 0);
    }
    this.scene.means.forEach((mark, k) => mark && consider(mark, { mean: k }, 3));
    return found;
  }

  hover(hit) {
    const row = hit?.row ?? null, mean = hit?.mean ?? null;
    if (row === this.hovered && mean === this.overMean) return;
    [this.hovered, this.overMean] = [row, mean];
    this.stage.classList.toggle("sl-over", hit !== null);
    this.pointing.request();
    this.showTip();
    this.loop.request();
  }

  tellPointed() {
    const pointed = this.cursor ?? this.hovered;
    if (pointed === this.told) return;
    this.told = pointed;
    this.onPoint(pointed);
  }

  showTip() {
    const { frame, painter, scene } = this;
    const row = this.cursor ?? this.hovered;
    if (!frame) return;
    const i = row === null ? -1 : Rows.of(frame, row);
    const mean = i < 0 && this.overMean !== null ? scene.means[this.overMean] : null;
    if (i < 0 && !mean) {
      this.tooltip.hide();
      return;
    }
    const [x, y] = mean ? painter.place(mean.to[0], mean.to[1], scene.camera.to) : painter.place(frame.x[i], frame.y[i], scene.camera.to);
    const { title, lines } = mean ? this.describeMean(this.overMean) : this.describe(i);
    this.tooltip.show({ x: x - 9, y: y - 9, width: 18, height: 18 }, title, lines);
    if (!mean) this.moveTipAway(x, y);
  }

  /** Into the corner farthest from the instance: beside it, it would hide the links. */
  moveTipAway(x, y) {
    const { painter, tooltip } = this;
    const { offsetWidth: width, offsetHeight: height } = tooltip.node;
    const left = x < painter.width / 2 ? painter.width - width - 8 : 8, top = y < painter.height / 2 ? painter.height - height - 8 : 8;
    tooltip.node.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  }

  click(event) {
    const hit = this.hit(event);
    if (event.pointerType === "touch") this.hover(null);
    if (hit?.mean !== undefined) this.choose(hit.mean);
    else this.pin(hit?.row ?? null);
  }

  /** The same instance again lets go of it. */
  pin(row) {
    const before = this.pinned;
    this.pinned = row === before ? null : row;
    if (this.pinned === before) return;
    this.onSelect(this.pinned);
    const i = this.pinned === null ? -1 : Rows.of(this.frame, this.pinned);
    if (i >= 0) this.announce(i);
    else setText(this.live, "Nothing is pinned.");
    this.text.request();
    this.loop.request();
  }

  choose(label) {
    if (label === this.label) return;
    this.setLabel(label);
    this.onLabel(label);
    setText(this.live, `${this.name(label)} is in colour.`);
    this.showTip();
  }

  moveCursor(row) {
    if (row === this.cursor) return;
    this.cursor = row;
    this.pointing.request();
    this.showTip();
    this.loop.request();
    if (row !== null) this.announce(Rows.of(this.frame, row));
  }

  key(event) {
    if (!this.frame?.row.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const { frame } = this;
    const here = [this.cursor, this.pinned].map((row) => Rows.of(frame, row)).find((i) => i >= 0) ?? frame.row.length - 1;
    const directions = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const turn = (by) => this.choose((this.label + by + frame.n_labels) % frame.n_labels);
    const acts = {
      Home: () => this.moveCursor(frame.row[frame.row.length - 1]),
      Enter: () => this.pin(frame.row[here]),
      " ": () => this.pin(frame.row[here]),
      PageDown: () => turn(1),
      PageUp: () => turn(-1),
      Escape: () => {
        this.moveCursor(null);
        this.hover(null);
        if (this.pinned !== null) this.pin(this.pinned);
      },
    };
    if (event.key in directions) {
      // the first key only shows where the cursor is; at an edge it stays and says so again
      const next = this.cursor === null ? here : Rows.towards(frame, here, directions[event.key]);
      if (next >= 0 && frame.row[next] !== this.cursor) this.moveCursor(frame.row[next]);
      else this.announce(here);
    } else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* --- the rest --------------------------------------------------------------------------------------------- */

  /** Where an instance is on its way to, {x, y} in pixels of the picture, or null. */
  place(row) {
    const i = this.frame ? Rows.of(this.frame, row) : -1;
    if (i < 0) return null;
    const [x, y] = this.painter.place(this.frame.x[i], this.frame.y[i], this.scene.camera.to);
    return { x, y };
  }

  placeOfMean(label) {
    const mark = this.scene.means[label];
    if (!mark) return null;
    const [x, y] = this.painter.place(mark.to[0], mark.to[1], this.scene.camera.to);
    return { x, y };
  }

  stats() {
    const { frame, scene } = this;
    return {
      frames_received: this.count.received, frames_drawn: this.count.drawn, last_draw_ms: this.count.last, mean_draw_ms: this.count.mean,
      points: frame?.row.length ?? 0, drawn_points: scene.points.size, means: scene.means.filter(Boolean).length,
      newest: frame?.row.length ? frame.row[frame.row.length - 1] : null,
      trail: Math.max(0, ...scene.trails.map((trail) => trail.length)), links: frame?.link_row.length ?? 0, target: frame?.target?.[0] ?? null,
      pinned: this.pinned, cursor: this.cursor, label: this.label, now: frame?.now ?? 0, moving: scene.busy, camera: [...scene.camera.to],
      names: this.painter.spots.filter(Boolean).length,
    };
  }

  destroy() {
    this.loop.stop();
    this.text.stop();
    this.pointing.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.wrapper.remove();
    delete this.root.__projection_stats;
  }
}

/**
 * Draws the projection view into `root`.
 *
 * @param {HTMLElement} root an empty element, at least 280 px wide; the view takes its width
 * @param {object} [options]
 * @param {string[]} [options.labels] label names, by index
 * @param {number} [options.label] index of the label in colour, default 0
 * @param {boolean} [options.dark] dark surface, default false
 * @param {number} [options.height] height of the picture in px, default 440; at most 340 where the view is narrow
 * @param {boolean} [options.animate] false: everything jumps. Default true, unless the user prefers reduced motion
 * @param {string} [options.emptyText] what is said while there is no instance
 * @param {(row: number|null) => void} [options.onPoint] called when another instance, or none, is under the pointer or the cursor
 * @param {(row: number|null) => void} [options.onSelect] called when the user pins an instance, or lets go of it
 * @param {(label: number) => void} [options.onLabel] called when the user chooses the label in colour
 * @returns {{update, select, setLabel, setLabels, setDark, setHeight, setFit, resize, place, placeOfMean, destroy, stats}}
 *   `update(frame)` takes {now (instances seen), n_labels, learner (another one begins anew), target ([number, x, y] of the instance
 *   that scores and links are of, or null: the newest), truth (labels of the target), and columns, arrays or typed arrays: per instance,
 *   oldest first, row (its number), x, y, and in bits its labels, ceil(n_labels / 8) bytes each, lowest first; per class mean_x, mean_y
 *   (NaN: none), weight, kept, threshold, score; per link link_label, link_row, link_x, link_y}; it keeps the frame, so give it a fresh
 *   one each time. `setFit(true)` shows the class means larger; `place(row)` gives an instance's {x, y} in pixels of the picture
 */
export function createProjectionView(root, options = {}) {
  const view = new ProjectionView(root, options);
  const names = [
    "update", "select", "setLabel", "setLabels", "setDark", "setHeight", "setFit", "resize", "place", "placeOfMean", "destroy", "stats",
  ];
  return Object.fromEntries(names.map((name) => [name, view[name].bind(view)]));
}

/** Panel: draws the component's view and ties its parameters to it. */
export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const picture = createProjectionView(el, {
      labels: model.labels, label: model.label, dark: model.dark, emptyText: model.empty_text, height: model.picture_height,
      onSelect: (row) => { model.selected = row; }, onPoint: (row) => { model.pointed = row; }, onLabel: (label) => { model.label = label; },
    });
    picture.select(model.selected);
    model.on("selected", () => picture.select(model.selected));
    model.on("label", () => picture.setLabel(model.label));
    model.on("labels", () => picture.setLabels(model.labels));
    model.on("dark", () => picture.setDark(model.dark));
    model.on("picture_height", () => picture.setHeight(model.picture_height));
    const stopReceiving = receiveFrames(model, view, (frame) => picture.update(frame));
    return () => {
      stopReceiving();
      picture.destroy();
    };
  });
}
