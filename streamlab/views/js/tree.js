/*
 * The tree view: a growing decision tree, root on top, its alternates as ghosts beside the nodes that they compete with.
 *
 * A branch shows its test, a leaf how it predicts (shape and colour) and its error (how far it is filled); an edge is as wide as
 * its weight. Nodes keep their identity by id: they glide to new places, grow out of their parent and shrink back into it.
 * Usable without Panel: see createTreeView.
 */
import {
  DrawLoop, SHARED_CSS, Throttled, Tooltip, clamp, element, fitCanvas, formatCount, formatNumber, formatPercent, plural, receiveFrames,
  reducedMotion, renderOnce, setText,
} from "./theme.js";

const TWEEN_MS = 300;
/** A machine that needs longer than this per draw gets jumps in place of glides. */
const SLOW_DRAW_MS = 18;
/** Shortest time between draws while the hand moves the picture, or a single change glides. */
const SMOOTH_MS = 14;
/** Frames closer than this are a stream: DrawLoop's own, calmer rhythm is enough. */
const ALONE_MS = 250;
/** A vanishing node this small or less is gone. */
const FAINT = 0.12;
/** Words beside the picture change at most this often; a table of 400 rows more rarely. */
const TEXT_EVERY_MS = 250, TABLE_EVERY_MS = 1000;
/** Bits of a frame's column `flags`, as streamlab.views.pictures.tree.view sets them. */
const LEAF = 1, BACKGROUND = 2, NOMINAL = 4, ACTIVE = 8, SECOND = 16, COLLAPSED = 32;
/** How a leaf predicts, by regime. */
const REGIMES = ["nothing learnt yet", "majority or one label set", "nearest neighbours", "bagging"];
/** Steps in which a leaf's filling is drawn: 5 % is less than two pixels. */
const LEVELS = 20;
/** Bounds of a node distance and of a row in CSS pixels: when the whole tree is shown, and for the user's zoom. */
const FIT = { x: [5, 112], y: [12, 88] }, ZOOM = { x: [4, 180], y: [12, 96] };
const ZOOM_STEP = 1.3;
/** Pixels that a pressed pointer may move and still click. */
const CLICK_SLACK = 4;
const NARROW = 560;
const LONGEST_TEXT = 190;
const FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif';
const TEST_FONT = `500 12px ${FONT}`, CAPTION_FONT = `11px ${FONT}`;
const PLATE = 22;

const CSS = `${SHARED_CSS}
.sl-tree .sl-summary{min-height:1.45em}
.sl-tree .sl-bar-row{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:8px 0 10px}
.sl-tree .sl-search{display:flex;flex:1 1 260px;gap:10px;align-items:center;min-width:0}
.sl-tree input{font:inherit;font-size:13px;color:inherit;background:transparent;flex:0 1 240px;min-width:0;height:30px;padding:0 10px;
  border:1px solid var(--sl-control);border-radius:6px}
.sl-tree .sl-search .sl-muted{white-space:nowrap}
.sl-tree input::placeholder{color:var(--sl-muted);opacity:1}
.sl-tree :is(input,button):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-tree .sl-zoom{display:inline-flex;border:1px solid var(--sl-control);border-radius:6px;overflow:hidden}
.sl-tree .sl-zoom button{font:inherit;min-width:34px;height:28px;padding:0 10px;border:0;background:none;color:var(--sl-text);cursor:pointer}
.sl-tree .sl-zoom button+button{border-left:1px solid var(--sl-control)}
.sl-tree .sl-zoom button:hover{background:var(--sl-track)}
.sl-tree .sl-zoom button:focus-visible{outline-offset:-3px}
.sl-tree .sl-zoom button[aria-pressed=true]{background:var(--sl-track);font-weight:600}
.sl-tree .sl-legend{display:flex;flex-wrap:wrap;gap:5px 18px;margin-bottom:8px;font-size:12px;line-height:20px;color:var(--sl-muted)}
.sl-tree .sl-legend>span{display:inline-flex;align-items:center;gap:6px}
.sl-tree .sl-stage{overflow:visible;cursor:grab;touch-action:pan-y;border-radius:8px}
.sl-tree .sl-stage.sl-free{touch-action:none}
.sl-tree .sl-stage.sl-dragging{cursor:grabbing}
.sl-tree .sl-stage.sl-over{cursor:pointer}
.sl-tree .sl-stage:focus-visible{outline-offset:2px}
.sl-tree canvas{border-radius:8px}
.sl-tree .sl-stage>canvas{box-shadow:inset 0 0 0 1px var(--sl-line)}
.sl-tree td button{font:inherit;min-height:24px;padding:0 6px;border:0;background:none;color:var(--sl-accent);cursor:pointer;
  text-decoration:underline}
.sl-tree .sl-chosen>*{background:var(--sl-track)}
`;

const LIGHT = {
  surface: "#fff", ink: "#1f2328", muted: "#57606a", edge: "#b3bac4", ghost: "#8a93a0", outline: "#6b7480", accent: "#1565c0", lit: "#b36b00",
  glow: "rgba(255,193,7,.42)", grey: ["#7c838d", "#eceef1"],
  regimes: [["#7c838d", "#f3f4f6"], ["#0072b2", "#dcebf5"], ["#d55e00", "#fae5d8"], ["#00875f", "#d9f0e8"]],
};
const DARK = {
  surface: "#121212", ink: "#e6e8eb", muted: "#a8b0ba", edge: "#525a65", ghost: "#7f8894", outline: "#8d96a2", accent: "#90caf9", lit: "#ffd166",
  glow: "rgba(255,209,102,.3)", grey: ["#868e99", "#272b31"],
  regimes: [["#868e99", "#1d2024"], ["#56b4e9", "#1b2d39"], ["#f0883e", "#382416"], ["#2fc394", "#14312a"]],
};

const easeOut = (t) => 1 - (1 - t) ** 3;

/** Numbers that go from where they are to where they shall be. */
class Glide {
  constructor(count) {
    this.from = new Float64Array(count);
    this.at = new Float64Array(count);
    this.to = new Float64Array(count);
  }

  depart() {
    this.from.set(this.at);
  }

  advance(share) {
    const { from, at, to } = this;
    for (let i = 0; i < at.length; i++) at[i] = from[i] + (to[i] - from[i]) * share;
  }

  finish() {
    this.from.set(this.to);
    this.at.set(this.to);
  }
}

/** What glides, of a node: its place in node distances and rows, its size 0..1, a leaf's filling, the weight that sets its edge's width. */
const X = 0, Y = 1, SIZE = 2, FILL = 3, WEIGHT = 4;
/** What glides, of the camera: pixels per node distance and per row, pixels of the origin. */
const STEP_X = 0, STEP_Y = 1, LEFT = 2, TOP = 3;

/** The nodes on screen, kept by id between frames, and the camera that looks at them. */
class Scene {
  constructor() {
    this.nodes = new Map();
    this.order = [];
    this.moving = false;
    this.start = 0;
    this.camera = new Glide(4);
    this.cameraMoves = false;
    this.cameraStart = 0;
  }

  /** Takes a frame as the new goal; parents come before their children in it. */
  aim(frame, now) {
    // When frames come faster than a glide takes, no glide ends: what has all but vanished goes now.
    this.drop(FAINT);
    for (const node of this.nodes.values()) node.row = -1;
    let heaviest = 0;
    for (let i = 0; i < frame.id.length; i++) heaviest = Math.max(heaviest, frame.weight[i]);
    const placed = [];
    for (let i = 0; i < frame.id.length; i++) {
      const above = placed[frame.parent[i]] ?? null, rival = placed[frame.rival[i]] ?? null;
      let node = this.nodes.get(frame.id[i]);
      const isNew = node === undefined;
      if (isNew) {
        node = { id: frame.id[i], glide: new Glide(5) };
        this.nodes.set(node.id, node);
      }
      Object.assign(node, { row: i, above, rival, flags: frame.flags[i], regime: frame.regime[i], folded: frame.folded[i] });
      node.knows = !Number.isNaN(frame.error[i]);
      const { at, to } = node.glide;
      to[X] = frame.x[i];
      to[Y] = frame.y[i];
      to[SIZE] = 1;
      to[FILL] = node.knows ? clamp(frame.error[i], 0, 1) : 0;
      to[WEIGHT] = heaviest > 0 ? Math.sqrt(clamp(frame.weight[i] / heaviest, 0, 1)) : 0;
      if (isNew) {
        at.set(to);
        at[SIZE] = 0;
        const origin = (above ?? rival)?.glide.at;
        if (origin) [at[X], at[Y]] = origin;
      }
      placed.push(node);
    }
    // What is gone shrinks into the nearest ancestor that is still there.
    const gone = [...this.nodes.values()].filter((node) => node.row < 0);
    for (const node of gone) {
      let refuge = node.above ?? node.rival;
      while (refuge && refuge.row < 0) refuge = refuge.above ?? refuge.rival;
      const { to } = node.glide;
      if (refuge) [to[X], to[Y]] = refuge.glide.to;
      to[SIZE] = 0;
    }
    this.order = gone.concat(placed);
    this.placed = placed;
    makeRoom(placed);
    for (const node of this.order) node.glide.depart();
    this.start = now;
    this.moving = true;
  }

  /** Sends the camera to [stepX, stepY, left, top]. */
  look(goal, now, jump) {
    this.camera.to.set(goal);
    this.camera.depart();
    this.cameraStart = now;
    this.cameraMoves = !jump;
    if (jump) this.camera.finish();
  }

  get busy() {
    return this.moving || this.cameraMoves;
  }

  /** Moves everything to its place at `now`. */
  advance(now) {
    if (this.moving) {
      const t = (now - this.start) / TWEEN_MS;
      if (t >= 1) this.finish();
      else for (const node of this.order) node.glide.advance(easeOut(Math.max(0, t)));
    }
    if (this.cameraMoves) {
      const t = (now - this.cameraStart) / TWEEN_MS;
      this.cameraMoves = t < 1;
      if (t >= 1) this.camera.finish();
      else this.camera.advance(easeOut(Math.max(0, t)));
    }
  }

  finish() {
    this.moving = false;
    for (const node of this.order) node.glide.finish();
    this.drop(0);
  }

  finishAll() {
    this.finish();
    this.cameraMoves = false;
    this.camera.finish();
  }

  drop(size) {
    const before = this.nodes.size;
    for (const node of this.nodes.values()) if (node.glide.to[SIZE] === 0 && node.glide.at[SIZE] <= size) this.nodes.delete(node.id);
    if (this.nodes.size < before) this.order = this.order.filter((node) => this.nodes.has(node.id));
  }
}

/** How far each node's neighbours in its row are, in node distances, and whether they are leaves. */
function makeRoom(nodes) {
  const rows = [];
  for (const node of nodes) (rows[node.glide.to[Y]] ??= []).push(node);
  for (const row of rows) {
    if (!row) continue;
    row.sort((a, b) => a.glide.to[X] - b.glide.to[X]);
    row.forEach((node, i) => {
      node.before = row[i - 1] ?? null;
      node.after = row[i + 1] ?? null;
    });
  }
}

/** Outline of a leaf of a regime around a point: a square, a circle, a hexagon, or a small circle. */
function trace(context, regime, x, y, r) {
  context.beginPath();
  if (regime === 1) context.roundRect(x - r, y - r, 2 * r, 2 * r, r * 0.3);
  else if (regime === 3) {
    for (let corner = 0; corner < 6; corner++) {
      const angle = (corner * Math.PI) / 3 + Math.PI / 6;
      context.lineTo(x + 1.16 * r * Math.cos(angle), y + 1.16 * r * Math.sin(angle));
    }
    context.closePath();
  } else context.arc(x, y, regime === 0 ? 0.62 * r : 1.06 * r, 0, 2 * Math.PI);
}

/** A leaf: filled from below as far as its error, hatched and grey when it is switched off, dashed in an alternate. */
function paintLeaf(context, theme, { regime, level, isActive, isGhost }, x, y, r) {
  const [solid, tint] = isActive ? theme.regimes[regime] : theme.grey;
  context.save();
  trace(context, regime, x, y, isGhost ? 0.84 * r : r);
  context.fillStyle = tint;
  context.fill();
  context.clip();
  context.fillStyle = solid;
  const height = 2.32 * r * level;
  if (level > 0) context.fillRect(x - 2 * r, y + 1.16 * r - height, 4 * r, height);
  if (!isActive) {
    context.strokeStyle = theme.grey[0];
    context.lineWidth = Math.max(0.8, r / 9);
    context.beginPath();
    for (let offset = -2 * r; offset <= 2 * r; offset += Math.max(2.5, r / 2.6)) {
      context.moveTo(x + offset - 1.2 * r, y + 1.2 * r);
      context.lineTo(x + offset + 1.2 * r, y - 1.2 * r);
    }
    context.stroke();
  }
  context.restore();
  trace(context, regime, x, y, r);
  context.strokeStyle = solid;
  context.lineWidth = clamp(r / 7, 0.8, 1.7);
  if (isGhost) context.setLineDash([r / 3.2, r / 4.2]);
  context.stroke();
  context.setLineDash([]);
}

/** Leaves painted once per look and size, then copied: much cheaper than clipping 200 of them in every draw. */
class Sprites {
  constructor() {
    this.cache = new Map();
  }

  get(theme, look, size, ratio) {
    const key = `${look.regime} ${Math.round(look.level * LEVELS)} ${look.isActive} ${look.isGhost} ${size}`;
    let sprite = this.cache.get(key);
    if (!sprite) {
      if (this.cache.size > 600) this.cache.clear();
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = Math.ceil((size * 1.3 + 4) * ratio);
      const context = sprite.getContext("2d");
      context.scale(ratio, ratio);
      const middle = sprite.width / ratio / 2;
      paintLeaf(context, theme, { ...look, level: Math.round(look.level * LEVELS) / LEVELS }, middle, middle, size / 2);
      this.cache.set(key, sprite);
    }
    return sprite;
  }
}

/** Widths of texts, asked again and again in the same fonts. */
class Ruler {
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

  /** The first of the texts that is at most so wide, or null. */
  fitting(texts, font, width) {
    return texts.find((text) => this.width(text, font) <= width) ?? null;
  }
}

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text);

/** Draws a scene. All lengths are CSS pixels. */
class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.sprites = new Sprites();
    this.ruler = new Ruler(this.context);
    this.ratio = 1;
    this.following = true;
  }

  setDark(dark) {
    this.theme = dark ? DARK : LIGHT;
    this.sprites.cache.clear();
  }

  fit(width, height) {
    [this.width, this.height] = [width, height];
    const ratio = fitCanvas(this.canvas, width, height);
    if (ratio !== this.ratio) this.sprites.cache.clear();
    this.ratio = ratio;
  }

  /** Sizes that follow from the camera. */
  measure(camera) {
    this.camera = camera;
    this.leaf = Math.round(clamp(Math.min(camera[STEP_X] * 0.66, camera[STEP_Y] * 0.42), 4, 26));
    this.dot = clamp(camera[STEP_X] * 0.16, 1.6, 5);
    this.pen = clamp(camera[STEP_X] / 34, 0.35, 1.25);
  }

  x(node) {
    return node.glide.at[X] * this.camera[STEP_X] + this.camera[LEFT];
  }

  y(node) {
    return node.glide.at[Y] * this.camera[STEP_Y] + this.camera[TOP];
  }

  /** Free pixels to either side of a node, up to the middle of the gap to its neighbour, or to the neighbour's leaf. */
  room(node) {
    const side = (other) => {
      if (!other) return LONGEST_TEXT / 2 + 8;
      const gap = Math.abs(other.glide.to[X] - node.glide.to[X]) * this.camera[STEP_X];
      return other.flags & LEAF && !(node.flags & LEAF) ? gap - this.leaf / 2 : gap / 2;
    };
    const x = node.glide.to[X] * this.camera[STEP_X] + this.camera[LEFT];
    // Where everything is in view, texts stay within the picture; a picture that was moved may cut them.
    const edge = this.following ? Math.max(0, Math.min(x, this.width - x)) : Infinity;
    return 2 * Math.min(side(node.before), side(node.after), edge) - 6;
  }

  /** Half the width and half the height that a node takes. */
  half(node) {
    if (node.flags & LEAF) return [this.leaf / 2, this.leaf / 2];
    return node.plate ? [node.plate / 2, PLATE / 2] : [this.dot, this.dot];
  }

  draw(scene, words, { selected, cursor, matches }) {
    const { context, ratio } = this;
    this.measure(scene.camera.at);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.context.lineCap = "round";
    this.findTexts(scene, words);
    const trail = this.trail(scene, cursor ?? selected);
    context.globalAlpha = matches ? 0.4 : 1;
    this.drawEdges(scene.order, trail);
    this.drawDuels(scene.order);
    context.globalAlpha = 1;
    for (const node of scene.order) {
      if (!this.inSight(node)) continue;
      const dim = matches && !matches.has(node.id) ? 0.4 : 1;
      const isLit = Boolean(matches) && dim === 1 && node.row >= 0;
      if (isLit) this.glow(node);
      if (node.flags & LEAF) this.drawLeaf(node, dim, isLit);
      else this.drawBranch(node, dim);
      if (node.row >= 0 && node.folded) this.drawBadge(node, dim);
    }
    this.outline(scene, cursor, this.theme.accent);
    this.outline(scene, selected, this.theme.ink);
  }

  inSight(node) {
    const x = this.x(node), y = this.y(node);
    return x > -100 && x < this.width + 100 && y > -50 && y < this.height + 50;
  }

  /** Which text each node has room for. */
  findTexts(scene, words) {
    const { ruler } = this;
    for (const node of scene.placed ?? []) {
      node.text = node.caption = null;
      node.plate = 0;
      if (this.camera[STEP_X] < 15) continue;
      const room = Math.min(this.room(node), LONGEST_TEXT);
      if (node.flags & LEAF) {
        node.caption = ruler.fitting(words.captions(node.row), CAPTION_FONT, room + 2);
      } else if (this.camera[STEP_Y] >= PLATE + 8) {
        node.text = ruler.fitting(words.tests(node.row), TEST_FONT, room - 14);
        node.plate = node.text === null ? 0 : ruler.width(node.text, TEST_FONT) + 16;
      }
    }
  }

  /** The nodes from one up to the root. */
  trail(scene, id) {
    const found = new Set();
    for (let node = scene.nodes.get(id) ?? null; node && !found.has(node); node = node.above) found.add(node);
    return found;
  }

  /** A curve from the parent's place to the node's, upright at both ends. */
  curve(node) {
    const x0 = this.x(node.above), y0 = this.y(node.above), x1 = this.x(node);
    const y1 = this.y(node) - (node.flags & LEAF ? (this.leaf / 2) * node.glide.at[SIZE] : 0);
    if (Math.max(y0, y1) < 0 || Math.min(y0, y1) > this.height) return;
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > this.width) return;
    const middle = (y0 + y1) / 2;
    this.context.moveTo(x0, y0);
    this.context.bezierCurveTo(x0, middle, x1, middle, x1, y1);
  }

  thickness(node) {
    const { at } = node.glide;
    return (1 + 6 * at[WEIGHT] * this.pen) * Math.max(at[SIZE], 0.15);
  }

  /** Edges by width: one stroke for all of a width, not one for each edge. */
  drawEdges(order, trail) {
    const { context, theme } = this;
    const groups = new Map();
    for (const node of order) {
      if (!node.above) continue;
      const isGhost = node.flags & BACKGROUND ? 1 : 0;
      const key = Math.round(this.thickness(node) * 2) * 4 + isGhost * 2 + (trail.has(node) ? 1 : 0);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(node);
    }
    for (const key of [...groups.keys()].sort((a, b) => (a & 1) - (b & 1) || b - a)) {
      context.beginPath();
      for (const node of groups.get(key)) this.curve(node);
      context.lineWidth = Math.max(0.75, (key >> 2) / 2);
      context.strokeStyle = key & 1 ? theme.accent : key & 2 ? theme.ghost : theme.edge;
      context.setLineDash(key & 2 ? [4, 3 + context.lineWidth] : []);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Dotted lines between alternates and the nodes that they compete with. */
  drawDuels(order) {
    const { context, theme } = this;
    context.strokeStyle = theme.outline;
    context.lineWidth = 1.75;
    context.setLineDash([0.1, 4.5]);
    const signs = [];
    context.beginPath();
    for (const node of order) {
      if (!node.rival) continue;
      const y0 = this.y(node.rival), y1 = this.y(node);
      const x0 = this.x(node.rival) + this.half(node.rival)[0] + 4, x1 = this.x(node) - this.half(node)[0] - 4;
      if (x1 - x0 < 3) continue;
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      if (x1 - x0 > 34) signs.push([(x0 + x1) / 2, (y0 + y1) / 2]);
    }
    context.stroke();
    context.setLineDash([]);
    context.font = CAPTION_FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const [x, y] of signs) {
      this.clearUnder("vs", x, y);
      context.fillStyle = theme.muted;
      context.fillText("vs", x, y);
    }
  }

  drawLeaf(node, dim, isLit) {
    const { context, theme, ratio } = this;
    const { at } = node.glide;
    const isGhost = Boolean(node.flags & BACKGROUND);
    const look = { regime: Math.min(node.regime, 3), level: at[FILL], isActive: Boolean(node.flags & ACTIVE), isGhost };
    const sprite = this.sprites.get(theme, look, this.leaf, ratio);
    const size = (sprite.width / ratio) * at[SIZE];
    const x = this.x(node), y = this.y(node);
    context.globalAlpha = dim * Math.min(1, at[SIZE] * 1.5) * (isGhost ? 0.72 : 1);
    if (ratio === 1 && at[SIZE] === 1) context.drawImage(sprite, Math.round(x - size / 2), Math.round(y - size / 2));
    else context.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    if (node.row >= 0 && node.caption) {
      context.globalAlpha = dim * at[SIZE];
      context.font = CAPTION_FONT;
      context.textAlign = "center";
      context.textBaseline = "middle";
      const below = y + this.leaf / 2 + 11;
      if (!isLit) this.clearUnder(node.caption, x, below);
      context.fillStyle = isGhost ? theme.muted : theme.ink;
      context.fillText(node.caption, x, below + 0.5);
    }
    context.globalAlpha = 1;
  }

  /** Takes away what runs behind a caption. */
  clearUnder(text, x, y) {
    const width = this.ruler.width(text, CAPTION_FONT) + 4;
    this.context.fillStyle = this.theme.surface;
    this.context.fillRect(x - width / 2, y - 6, width, 12);
  }

  drawBranch(node, dim) {
    const { context, theme } = this;
    const size = node.glide.at[SIZE];
    const isGhost = Boolean(node.flags & BACKGROUND);
    const x = this.x(node), y = this.y(node);
    context.beginPath();
    if (node.row >= 0 && node.plate) {
      const [width, height] = [node.plate * size, PLATE * size];
      context.roundRect(x - width / 2, y - height / 2, width, height, 6 * size);
    } else context.arc(x, y, this.dot * size, 0, 2 * Math.PI);
    context.fillStyle = theme.surface;
    context.fill();
    context.globalAlpha = dim;
    context.strokeStyle = isGhost ? theme.ghost : theme.outline;
    context.lineWidth = this.dot < 3 ? 1 : 1.5;
    if (isGhost) context.setLineDash([4, 3]);
    context.stroke();
    context.setLineDash([]);
    if (node.row >= 0 && node.text !== null && size > 0.6) {
      context.font = TEST_FONT;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = isGhost ? theme.muted : theme.ink;
      context.fillText(node.text, x, y + 0.5);
    }
    context.globalAlpha = 1;
  }

  /** "+n" at a node that stands for n more; a small triangle where there is no room. */
  drawBadge(node, dim) {
    const { context, theme } = this;
    const box = this.badge(node);
    context.globalAlpha = dim * node.glide.at[SIZE];
    context.beginPath();
    if (box.text) {
      context.roundRect(box.x, box.y, box.width, box.height, box.height / 2);
      context.fillStyle = theme.accent;
      context.fill();
      context.font = CAPTION_FONT;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = theme.surface;
      context.fillText(box.text, box.x + box.width / 2, box.y + box.height / 2 + 0.5);
    } else {
      context.moveTo(box.x, box.y);
      context.lineTo(box.x + box.width, box.y);
      context.lineTo(box.x + box.width / 2, box.y + box.height);
      context.fillStyle = theme.accent;
      context.fill();
    }
    context.globalAlpha = 1;
  }

  badge(node) {
    const x = this.x(node), y = this.y(node);
    const [halfWidth, halfHeight] = this.half(node);
    const text = `+${formatCount(node.folded)}`;
    const width = this.ruler.width(text, CAPTION_FONT) + 10;
    if (node.flags & LEAF) return { text, width, height: 15, x: x + halfWidth - 2, y: y - halfHeight - 10 };
    if (width <= this.room(node) + 6) return { text, width, height: 15, x: x - width / 2, y: y + halfHeight + 2 };
    const side = clamp(2 * this.dot, 4, 8);
    return { text: null, width: side, height: side * 0.75, x: x - side / 2, y: y + halfHeight + 1.5 };
  }

  glow(node) {
    const { context, theme } = this;
    const [width, height] = this.half(node);
    context.beginPath();
    const wide = Math.max(width, node.caption ? this.ruler.width(node.caption, CAPTION_FONT) / 2 : 0) + 7;
    context.roundRect(this.x(node) - wide, this.y(node) - height - 7, 2 * wide, 2 * height + (node.caption ? 28 : 14), 11);
    context.fillStyle = theme.glow;
    context.fill();
    context.strokeStyle = theme.lit;
    context.lineWidth = 2;
    context.stroke();
  }

  outline(scene, id, colour) {
    const node = id === null ? undefined : scene.nodes.get(id);
    if (!node || node.row < 0) return;
    const { context, theme } = this;
    const [width, height] = this.half(node);
    for (const [style, thickness] of [[theme.surface, 5], [colour, 2.25]]) {
      context.strokeStyle = style;
      context.lineWidth = thickness;
      context.beginPath();
      context.roundRect(this.x(node) - width - 4, this.y(node) - height - 4, 2 * width + 8, 2 * height + 8, 9);
      context.stroke();
    }
  }
}

/** What the numbers of a frame mean, in words. */
class Words {
  constructor(options) {
    this.labels = options.labels ?? [];
    this.features = options.features ?? [];
    this.categories = options.categories ?? [];
    this.frame = null;
    this.forget();
  }

  forget() {
    this.testTexts = new Map();
  }

  take(frame) {
    this.frame = frame;
    this.forget();
  }

  feature(row) {
    const index = this.frame.feature[row];
    return this.features[index] ?? `feature ${index}`;
  }

  label(row) {
    const top = this.frame.top[row];
    return top < 0 ? null : (this.labels[top] ?? `label ${top}`);
  }

  /** The end of a test, as "≤ 0.52" or "= red"; `holds` false: the opposite. */
  condition(row, holds = true) {
    const { frame } = this;
    const value = frame.threshold[row];
    if (!(frame.flags[row] & NOMINAL)) return `${holds ? "≤" : ">"} ${formatNumber(value).replace("-", "−")}`;
    const name = this.categories[frame.feature[row]]?.[value] ?? `category ${value}`;
    return `${holds ? "=" : "≠"} ${name}`;
  }

  test(row, holds = true) {
    return `${this.feature(row)} ${this.condition(row, holds)}`;
  }

  /** A branch's test, ever shorter. */
  tests(row) {
    let texts = this.testTexts.get(row);
    if (!texts) {
      const [name, rest] = [this.feature(row), this.condition(row)];
      texts = [...new Set([`${name} ${rest}`, ...[14, 9, 6].map((length) => `${cut(name, length)} ${cut(rest, 10)}`), cut(name, 9), cut(name, 5)])];
      this.testTexts.set(row, texts);
    }
    return texts;
  }

  /** A leaf's commonest label, ever shorter. */
  captions(row) {
    const name = this.label(row);
    return name === null ? [] : [...new Set([name, cut(name, 12), cut(name, 8), cut(name, 5)])];
  }

  isLeaf(row) {
    return Boolean(this.frame.flags[row] & LEAF);
  }

  kind(row) {
    const { frame } = this;
    const what = this.isLeaf(row) ? "Leaf" : this.test(row);
    if (frame.rival[row] >= 0) return `${what} · root of an alternate`;
    const whose = frame.flags[row] & BACKGROUND ? " · of an alternate" : "";
    return `${what}${whose} · ${frame.parent[row] < 0 ? "root" : `depth ${frame.depth[row]}`}`;
  }

  /** Title and lines that describe a row, for the tooltip and for the voice. */
  describe(row) {
    const { frame } = this;
    const lines = [];
    const parent = frame.parent[row];
    if (parent >= 0) lines.push(`reached if ${this.test(parent, !(frame.flags[row] & SECOND))}`);
    const recent = frame.weight_recent[row];
    lines.push(`weight ${formatNumber(frame.weight[row])}${recent > 0 ? `, ${formatNumber(recent)} of it recent` : ""}`);
    lines.push(this.error(row));
    const sets = frame.n_labelsets[row];
    if (sets > 0) lines.push(`${plural(sets, "label set")}, entropy ${formatNumber(frame.entropy[row])}`);
    if (this.label(row) !== null) lines.push(`commonest label: ${this.label(row)}`);
    if (this.isLeaf(row)) lines.push(frame.regime[row] ? `predicts by ${REGIMES[Math.min(frame.regime[row], 3)]}` : REGIMES[0]);
    if (this.isLeaf(row) && !(frame.flags[row] & ACTIVE)) lines.push("switched off: it no longer looks for a test");
    const rival = frame.rival[row];
    if (rival >= 0) lines.push(`competes with the node on its left: ${this.duel(row, rival)}`);
    const alternate = frame.rival.indexOf(row);
    if (alternate >= 0) lines.push(`an alternate competes with it: ${this.duel(alternate, row)}`);
    if (frame.folded[row]) lines.push(`${plural(frame.folded[row], "more node")} below, not drawn${frame.flags[row] & COLLAPSED ? ": folded" : ""}`);
    return { title: this.kind(row), lines };
  }

  error(row) {
    const error = this.frame.error[row];
    return Number.isNaN(error) ? "error not known yet" : `error ${formatPercent(error)}`;
  }

  duel(alternate, rival) {
    const [mine, theirs] = [this.frame.error[alternate], this.frame.error[rival]];
    if (Number.isNaN(mine) || Number.isNaN(theirs)) return "no errors to compare yet";
    return `error ${formatPercent(mine)} against ${formatPercent(theirs)}`;
  }

  /** Whether a branch's feature or a leaf's commonest label has the query in its name. */
  matches(row, query) {
    const name = this.isLeaf(row) ? this.label(row) : this.feature(row);
    return name !== null && name.toLowerCase().includes(query);
  }
}

/** What can be asked of a frame's rows: who is where, who hangs on whom. Linear scans: they run on a key only. */
const Rows = {
  ofId: (frame, id) => (id === null ? -1 : frame.id.indexOf(id)),

  parent: (frame, row) => (frame.parent[row] >= 0 ? frame.parent[row] : frame.rival[row]),

  child: (frame, row) => frame.parent.indexOf(row),

  /** The next node of the same row of the picture, to the left (-1) or the right (1). */
  neighbour(frame, row, direction) {
    let [found, nearest] = [-1, Infinity];
    for (let i = 0; i < frame.id.length; i++) {
      const away = (frame.x[i] - frame.x[row]) * direction;
      if (frame.y[i] === frame.y[row] && away > 0 && away < nearest) [found, nearest] = [i, away];
    }
    return found;
  },
};

const HEADS = ["Node", "What", "Depth", "Weight", "Error", "Label", "Predicts by", "Not drawn below"];

class TreeView {
  constructor(root, options) {
    this.root = root;
    this.words = new Words(options);
    this.onSelect = options.onSelect ?? (() => {});
    this.onCollapse = options.onCollapse ?? (() => {});
    this.jump = options.animate === false;
    this.tall = options.height ?? 440;
    this.scene = new Scene();
    this.frame = null;
    this.pending = null;
    this.selected = null;
    this.cursor = null;
    this.hovered = null;
    this.matches = null;
    this.following = true;
    this.drag = null;
    this.frameAt = -Infinity;
    this.rows = new Map();
    this.count = { received: 0, drawn: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.tableText = new Throttled(() => this.writeTable(), TABLE_EVERY_MS);
    this.build(options.emptyText ?? "No node yet: press play");
    this.painter = new Painter(this.canvas);
    this.loop = new DrawLoop(this.stage, (now) => this.draw(now), () => this.catchUp());
    this.listen();
    this.setDark(options.dark ?? false);
    this.resize();
    root.__tree_stats = () => this.stats();
  }

  /* --- the page --------------------------------------------------------------------------------------------- */

  build(emptyText) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.empty = element("div", { class: "sl-empty", text: emptyText });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": "tree",
      "aria-label": "Nodes of the tree. Arrow keys move to the parent, to the first child and along the row; Enter selects, C folds "
        + "or unfolds, plus and minus zoom, zero shows everything.",
    }, [this.canvas, this.empty]);
    this.tooltip = new Tooltip(this.stage);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.summary = element("div", { class: "sl-summary sl-muted" });
    this.table = element("tbody");
    this.details = element("details", {}, [element("summary", { text: "Table" }), this.buildTable()]);
    this.wrapper = element("section", { class: "sl-view sl-tree", "aria-label": "The tree" }, [
      element("style", { text: CSS }), this.summary, this.buildBar(), this.buildLegend(), this.stage, this.live, this.details,
    ]);
    this.root.append(this.wrapper);
  }

  buildBar() {
    this.search = element("input", {
      type: "search", placeholder: "Find a feature or label", "aria-label": "Find a feature or label in the tree", autocomplete: "off",
      spellcheck: "false",
    });
    this.found = element("span", { class: "sl-muted" });
    const button = (text, name) => element("button", { type: "button", text, "aria-label": name, title: name });
    this.less = button("−", "Zoom out");
    this.more = button("+", "Zoom in");
    this.whole = button("Fit", "Fit: show the whole tree, and follow it");
    return element("div", { class: "sl-bar-row" }, [
      element("div", { class: "sl-search" }, [this.search, this.found]),
      element("div", { class: "sl-zoom", role: "group", "aria-label": "Zoom" }, [this.less, this.more, this.whole]),
    ]);
  }

  buildLegend() {
    const usual = { regime: 1, level: 0.4, isActive: true, isGhost: false };
    const item = (text, ...looks) => {
      const canvases = looks.map((look) => element("canvas", { "aria-hidden": "true" }));
      canvases.forEach((canvas, i) => this.samples.push([canvas, { ...usual, ...looks[i] }]));
      return element("span", {}, [...canvases, text]);
    };
    this.samples = [];
    return element("div", { class: "sl-legend" }, [
      ...REGIMES.slice(1).map((text, i) => item(text, { regime: i + 1 })), item(REGIMES[0], { regime: 0, level: 0 }),
      item("filled as high as its error: 25 %, 75 %", { level: 0.25 }, { level: 0.75 }),
      item("dashed: alternate", { isGhost: true, level: 0 }), item("hatched: switched off", { isActive: false, level: 0 }),
      element("span", { text: "Left: the test holds. Wide: much weight." }),
    ]);
  }

  buildTable() {
    const head = element("tr", {}, HEADS.map((text, i) => element("th", { scope: "col", text, class: [1, 5, 6].includes(i) ? "sl-left" : null })));
    const caption = element("caption", { class: "sl-hidden", text: "One row per node drawn, each followed by what is below it." });
    return element("div", { class: "sl-scroll", tabindex: "0", role: "region", "aria-label": "Table of the nodes" }, [
      element("table", {}, [caption, element("thead", {}, [head]), this.table]),
    ]);
  }

  listen() {
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const on = (target, type, handler, options = {}) => target.addEventListener(type, handler, { signal, ...options });
    on(this.stage, "pointerdown", (event) => this.press(event));
    on(this.stage, "pointermove", (event) => this.move(event));
    on(this.stage, "pointerup", () => this.release());
    on(this.stage, "pointercancel", () => this.release());
    on(this.stage, "pointerleave", () => this.hover(null));
    on(this.stage, "click", (event) => this.click(event));
    // Ctrl and the wheel zoom (as does a pinch on a touchpad); the bare wheel is the page's.
    on(this.stage, "wheel", (event) => this.wheel(event), { passive: false });
    on(this.stage, "keydown", (event) => this.key(event));
    on(this.stage, "blur", () => this.moveCursor(null));
    on(this.search, "input", () => this.find());
    on(this.search, "keydown", (event) => this.searchKey(event));
    on(this.less, "click", () => this.zoom(1 / ZOOM_STEP));
    on(this.more, "click", () => this.zoom(ZOOM_STEP));
    on(this.whole, "click", () => this.follow());
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
    const now = performance.now();
    if (now - this.frameAt > ALONE_MS) this.loop.every = SMOOTH_MS;
    this.frameAt = now;
  }

  select(id) {
    this.selected = id ?? null;
    this.loop.request();
  }

  setLabels(labels) {
    this.rename({ labels });
  }

  setFeatures(features) {
    this.rename({ features });
  }

  setCategories(categories) {
    this.rename({ categories });
  }

  rename(names) {
    for (const [kind, list] of Object.entries(names)) this.words[kind] = list ?? [];
    this.words.forget();
    this.text.request();
    this.loop.request();
  }

  setDark(dark) {
    this.wrapper.classList.toggle("sl-dark", Boolean(dark));
    this.painter.setDark(Boolean(dark));
    this.drawSamples();
    this.loop.request();
  }

  setHeight(height) {
    this.tall = height;
    this.layoutKey = null;
    this.resize();
  }

  drawSamples() {
    for (const [canvas, look] of this.samples) {
      const ratio = fitCanvas(canvas, 18, 18);
      const context = canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, 18, 18);
      paintLeaf(context, this.painter.theme, look, 9, 9, 7);
    }
  }

  /** The picture for a new width: no glide, and at once, for a canvas that changes its size is cleared. */
  resize() {
    const width = Math.floor(this.stage.clientWidth);
    if (width === 0) return;
    const height = width < NARROW ? Math.min(this.tall, 360) : this.tall;
    const key = `${width} ${height} ${window.devicePixelRatio}`;
    if (key === this.layoutKey) return;
    this.layoutKey = key;
    this.painter.fit(width, height);
    this.drawSamples();
    if (!this.frame) return;
    if (this.following) this.scene.look(this.wholeTree(), performance.now(), true);
    this.paint(performance.now());
  }

  /* --- the camera ------------------------------------------------------------------------------------------- */

  /** Where the camera sees every node: as large as fits, in bounds; too large a tree is shown from its root on. */
  wholeTree() {
    const { frame, painter } = this;
    const { width, height } = painter;
    let left = 0, right = 0, bottom = 0;
    for (let i = 0; i < frame.id.length; i++) {
      left = Math.min(left, frame.x[i]);
      right = Math.max(right, frame.x[i]);
      bottom = Math.max(bottom, frame.y[i]);
    }
    const side = width < NARROW ? 26 : 56;
    const [above, below] = [30, 40];
    const stepX = clamp((width - 2 * side) / Math.max(right - left, 1e-6), ...FIT.x);
    const stepY = clamp((height - above - below) / Math.max(bottom, 1e-6), ...FIT.y);
    const fits = (right - left) * stepX <= width - 2 * side + 1;
    const spare = Math.max(0, height - above - below - bottom * stepY);
    return [stepX, stepY, width / 2 - (fits ? ((left + right) / 2) * stepX : 0), above + spare * 0.4];
  }

  follow() {
    this.setFollowing(true);
    if (!this.frame?.id.length) return;
    this.scene.look(this.wholeTree(), performance.now(), this.jumps());
    this.smooth();
  }

  setFollowing(following) {
    this.following = this.painter.following = following;
    this.whole.setAttribute("aria-pressed", String(following));
    this.stage.classList.toggle("sl-free", !following);
  }

  /** Draw as often as the screen does, until the next frame comes. */
  smooth() {
    this.loop.every = SMOOTH_MS;
    this.loop.request();
  }

  zoom(factor, x = this.painter.width / 2, y = this.painter.height / 2, jump = this.jumps()) {
    if (!this.frame?.id.length) return;
    this.setFollowing(false);
    const { to } = this.scene.camera;
    const stepX = clamp(to[STEP_X] * factor, ...ZOOM.x), stepY = clamp(to[STEP_Y] * factor, ...ZOOM.y);
    const left = x - ((x - to[LEFT]) * stepX) / to[STEP_X], top = y - ((y - to[TOP]) * stepY) / to[STEP_Y];
    this.scene.look([stepX, stepY, left, top], performance.now(), jump);
    this.hover(null);
    this.smooth();
  }

  pan(dx, dy, jump) {
    this.setFollowing(false);
    const { to } = this.scene.camera;
    this.scene.look([to[STEP_X], to[STEP_Y], to[LEFT] + dx, to[TOP] + dy], performance.now(), jump);
    this.smooth();
  }

  /** Moves the camera no further than it must to have the row's node well inside. */
  keepInView(row) {
    const { frame, painter } = this;
    const { to } = this.scene.camera;
    const x = frame.x[row] * to[STEP_X] + to[LEFT], y = frame.y[row] * to[STEP_Y] + to[TOP];
    const away = (place, low, high) => (place < low ? low - place : place > high ? high - place : 0);
    const dx = away(x, 24, painter.width - 24), dy = away(y, 20, painter.height - 32);
    if (dx || dy) {
      const middle = (place, delta, whole) => (delta ? whole / 2 - place : 0);
      this.pan(middle(x, dx, painter.width), middle(y, dy, painter.height), this.jumps());
    }
    this.stage.scrollIntoView({ block: "nearest", inline: "nearest" });
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
    this.frame = this.pending;
    this.pending = null;
    this.words.take(this.frame);
    const isFirst = !before?.id.length;
    const jump = this.jumps() || this.count.mean > SLOW_DRAW_MS;
    this.scene.aim(this.frame, now);
    if (jump) this.scene.finish();
    this.empty.hidden = this.frame.id.length > 0;
    this.resize();
    if (this.frame.id.length && (this.following || isFirst)) this.lookAtAll(now, jump || isFirst);
    this.updateMatches();
    this.text.request();
    if (this.details.open) this.tableText.request();
    if (Rows.ofId(this.frame, this.cursor) < 0) this.cursor = null;
    if (this.hovered !== null || this.cursor !== null) this.showTip(this.cursor ?? this.hovered);
  }

  /** Follows the tree; a camera that is on its way to the same place is left alone. */
  lookAtAll(now, jump) {
    const goal = this.wholeTree();
    if (!this.following) this.setFollowing(true);
    if (jump || goal.some((value, i) => Math.abs(value - this.scene.camera.to[i]) > 1e-6)) this.scene.look(goal, now, jump);
  }

  paint(now) {
    this.scene.advance(now);
    const begun = performance.now();
    this.painter.draw(this.scene, this.words, { selected: this.selected, cursor: this.cursor ?? this.hovered, matches: this.matches });
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
  }

  /** After the tab was hidden or the view out of sight: the newest frame, no glide. */
  catchUp() {
    if (this.pending) this.take(performance.now());
    if (this.scene.busy) this.scene.finishAll();
  }

  /* --- words ------------------------------------------------------------------------------------------------ */

  writeText() {
    if (!this.frame) return;
    setText(this.summary, this.summarise());
    this.showFound();
  }

  summarise() {
    const { frame } = this;
    let [leaves, ghosts, alternates, deepest] = [0, 0, 0, 0];
    for (let i = 0; i < frame.id.length; i++) {
      if (frame.flags[i] & BACKGROUND) ghosts++;
      else if (frame.flags[i] & LEAF) leaves++;
      if (frame.rival[i] >= 0) alternates++;
      if (!(frame.flags[i] & BACKGROUND)) deepest = Math.max(deepest, frame.y[i]);
    }
    const shown = frame.id.length;
    const all = (frame.n_nodes ?? shown) > shown ? `${formatCount(shown)} of ${plural(frame.n_nodes, "node")} drawn` : plural(shown, "node");
    const compete = alternates === 1 ? "competes" : "compete";
    const beside = alternates ? ` ${plural(alternates, "alternate")} with ${plural(ghosts, "node")} ${compete}.` : "";
    return `${all}; ${leaves === 1 ? "1 leaf" : `${formatCount(leaves)} leaves`}, depth ${deepest}, after ${plural(frame.now, "instance")}.${beside}`;
  }

  announce(row) {
    const { title, lines } = this.words.describe(row);
    setText(this.live, `${title.replaceAll(" ·", ",")}. ${lines.join("; ")}${this.frame.id[row] === this.selected ? "; selected" : ""}.`);
  }

  /** The rows of the table, by node: what stands there stays, so that neither focus nor a reader's place is lost. */
  writeTable() {
    if (!this.details.open || !this.frame) return;
    const { frame, words } = this;
    const rows = [];
    const known = new Map();
    for (let i = 0; i < frame.id.length; i++) {
      const id = frame.id[i];
      const row = this.rows.get(id) ?? this.makeRow(id);
      known.set(id, row);
      rows.push(row.node);
      row.node.classList.toggle("sl-chosen", id === this.selected);
      row.button.setAttribute("aria-pressed", String(id === this.selected));
      const isLeaf = words.isLeaf(i);
      const what = `${frame.flags[i] & BACKGROUND ? "alternate: " : ""}${isLeaf ? "leaf" : words.test(i)}`;
      const regime = isLeaf ? `${REGIMES[Math.min(frame.regime[i], 3)]}${frame.flags[i] & ACTIVE ? "" : " (switched off)"}` : "–";
      const error = Number.isNaN(frame.error[i]) ? "–" : formatPercent(frame.error[i]);
      [what, `${frame.depth[i]}`, formatNumber(frame.weight[i]), error, words.label(i) ?? "–", regime, formatCount(frame.folded[i])]
        .forEach((text, column) => setText(row.cells[column], text));
    }
    this.rows = known;
    const children = this.table.children;
    if (children.length !== rows.length || rows.some((row, i) => row !== children[i])) this.table.replaceChildren(...rows);
  }

  makeRow(id) {
    const button = element("button", { type: "button", text: `${id}`, "data-id": id, "aria-label": `Select node ${id}` });
    const cells = HEADS.slice(1).map((head, i) => element("td", { class: [0, 4, 5].includes(i) ? "sl-left" : null }));
    return { node: element("tr", {}, [element("td", {}, [button]), ...cells]), button, cells };
  }

  chooseInTable(event) {
    const button = event.target.closest("button");
    if (!button) return;
    this.choose(Number(button.dataset.id));
    const row = Rows.ofId(this.frame, this.selected);
    if (row >= 0) this.keepInView(row);
    this.writeTable();
  }

  /* --- search ----------------------------------------------------------------------------------------------- */

  find() {
    this.updateMatches();
    this.showFound();
    // Said when the question changes, not whenever the tree does.
    if (this.matches) setText(this.live, `${this.found.textContent} found.`);
    this.loop.request();
  }

  updateMatches() {
    const query = this.search.value.trim().toLowerCase();
    if (!query || !this.frame) {
      this.matches = null;
      return;
    }
    const { frame, words } = this;
    this.matches = new Set();
    for (let i = 0; i < frame.id.length; i++) if (words.matches(i, query)) this.matches.add(frame.id[i]);
  }

  showFound() {
    setText(this.found, this.matches ? `${formatCount(this.matches.size)} of ${plural(this.frame.id.length, "node")}` : "");
  }

  /** Enter goes from match to match, Escape ends the search. */
  searchKey(event) {
    event.stopPropagation();
    if (event.key === "Escape" && this.search.value) {
      this.search.value = "";
      this.find();
    } else if (event.key === "Enter" && this.matches?.size) {
      const ids = [...this.matches];
      const next = ids[(ids.indexOf(this.selected) + (event.shiftKey ? -1 : 1) + ids.length) % ids.length];
      if (next !== this.selected) this.choose(next);
      this.keepInView(Rows.ofId(this.frame, next));
    } else return;
    event.preventDefault();
  }

  /* --- pointer and keys ------------------------------------------------------------------------------------- */

  point(event) {
    const bounds = this.canvas.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  }

  /** What is under a pointer event: {node, onBadge}, or null. Small nodes are caught by 5 px around them, on touch 14. */
  hit(event) {
    if (!this.frame?.id.length) return null;
    const { painter } = this;
    const [px, py] = this.point(event);
    const outside = (x0, y0, x1, y1) => Math.max(x0 - px, px - x1, y0 - py, py - y1, 0);
    let [found, nearest] = [null, event.pointerType === "touch" ? 14 : 5];
    for (const node of this.scene.placed) {
      const x = painter.x(node), y = painter.y(node);
      const [width, height] = painter.half(node);
      const away = outside(x - width, y - height, x + width, y + height);
      if (away < nearest) [found, nearest] = [{ node, onBadge: false }, away];
      if (!node.folded) continue;
      const box = painter.badge(node);
      if (outside(box.x, box.y, box.x + box.width, box.y + box.height) === 0) return { node, onBadge: true };
    }
    return found;
  }

  press(event) {
    if (event.button !== 0 || !this.frame?.id.length) return;
    this.drag = { x: event.clientX, y: event.clientY, pointer: event.pointerId, moved: false };
  }

  move(event) {
    const { drag } = this;
    if (!drag || drag.pointer !== event.pointerId) {
      if (event.pointerType !== "touch") this.hover(this.hit(event)?.node.id ?? null);
      return;
    }
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLACK) return;
    if (!drag.moved) {
      this.hover(null);
      this.stage.classList.add("sl-dragging");
      this.stage.setPointerCapture(event.pointerId);
    }
    this.drag = { ...drag, x: event.clientX, y: event.clientY, moved: true };
    this.pan(dx, dy, true);
  }

  release() {
    this.stage.classList.remove("sl-dragging");
    this.wasDragged = Boolean(this.drag?.moved);
    this.drag = null;
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    // Wheels report lines or pixels, touchpads many small steps: all make for the same speed.
    const turn = clamp(event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY, -120, 120);
    this.zoom(Math.exp(-turn * 0.0025), ...this.point(event), true);
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.showTip(id);
    this.stage.classList.toggle("sl-over", id !== null);
    this.loop.request();
  }

  showTip(id) {
    const row = this.frame ? Rows.ofId(this.frame, id) : -1;
    const node = this.scene.nodes.get(id);
    if (row < 0 || !node) {
      this.tooltip.hide();
      return;
    }
    const { to } = this.scene.camera;
    const [width, height] = this.painter.half(node);
    const x = this.frame.x[row] * to[STEP_X] + to[LEFT], y = this.frame.y[row] * to[STEP_Y] + to[TOP];
    const { title, lines } = this.words.describe(row);
    this.tooltip.show({ x: x - width, y: y - height, width: 2 * width, height: 2 * height }, title, lines);
    this.moveTipAside(x, y, width + 12, this.frame.rival[row] < 0);
  }

  /** Puts the tooltip beside the node where there is room: below, it would hide the subtree; left of an alternate, its rival. */
  moveTipAside(x, y, away, mayBeLeft) {
    const { offsetWidth: width, offsetHeight: height } = this.tooltip.node;
    const [left, right] = [x - away - width, x + away];
    const isRight = right + width <= this.painter.width;
    if (!isRight && (!mayBeLeft || left < 0)) return;
    const top = clamp(y - height / 2, 4, Math.max(4, this.painter.height - height - 4));
    this.tooltip.node.style.transform = `translate(${Math.round(isRight ? right : left)}px,${Math.round(top)}px)`;
  }

  click(event) {
    if (this.wasDragged) {
      this.wasDragged = false;
      return;
    }
    const hit = this.hit(event);
    const id = hit?.node.id ?? null;
    if (event.pointerType === "touch") this.hover(id);
    if (hit?.onBadge) this.collapse(id);
    else if (event.detail === 2 && id !== null) {
      // The first of the two clicks has selected, or let go.
      if (this.selected !== id) this.choose(id);
      this.collapse(id);
    } else this.choose(id);
  }

  /** Folds what is below the node, or unfolds it; whoever sends the frames does it. */
  collapse(id) {
    const row = Rows.ofId(this.frame, id);
    const canFold = row >= 0 && (Rows.child(this.frame, row) >= 0 || this.frame.flags[row] & COLLAPSED);
    if (canFold) this.onCollapse(id);
    return Boolean(canFold);
  }

  /** The user's choice: the same node again lets go of it. */
  choose(id) {
    const before = this.selected;
    this.selected = id === this.selected ? null : id;
    if (this.selected !== before) this.onSelect(this.selected);
    const row = Rows.ofId(this.frame ?? { id: [] }, this.selected);
    if (row >= 0) this.announce(row);
    else if (before !== null) setText(this.live, "Nothing is selected.");
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
      Home: () => 0,
    };
    const acts = {
      Escape: () => this.escape(),
      Enter: () => this.chooseCursor(row),
      " ": () => this.chooseCursor(row),
      c: () => this.collapseCursor(row),
      C: () => this.collapseCursor(row),
      "+": () => this.zoom(ZOOM_STEP),
      "=": () => this.zoom(ZOOM_STEP),
      "-": () => this.zoom(1 / ZOOM_STEP),
      0: () => this.follow(),
    };
    if (event.key in moves) this.step(row, moves[event.key]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where the keys act: the cursor; else the selected node; else the root. */
  cursorRow() {
    for (const id of [this.cursor, this.selected]) {
      const row = Rows.ofId(this.frame, id);
      if (row >= 0) return row;
    }
    return 0;
  }

  /** The first key only shows where the cursor is. At an edge it stays and says so again. */
  step(row, move) {
    const target = Rows.ofId(this.frame, this.cursor) < 0 ? row : move();
    this.keepInView(target < 0 ? row : target);
    this.moveCursor(target < 0 ? row : target);
  }

  chooseCursor(row) {
    this.choose(this.frame.id[row]);
    this.moveCursor(row);
  }

  collapseCursor(row) {
    this.moveCursor(row);
    if (!this.collapse(this.frame.id[row])) setText(this.live, "Nothing to fold here.");
  }

  escape() {
    this.moveCursor(null);
    this.hover(null);
    if (this.selected !== null) this.choose(this.selected);
  }

  /* --- the rest --------------------------------------------------------------------------------------------- */

  /** Where a node is on its way to, {x, y} in pixels of the canvas, or null. */
  place(id) {
    const row = this.frame ? Rows.ofId(this.frame, id) : -1;
    const { to } = this.scene.camera;
    return row < 0 ? null : { x: this.frame.x[row] * to[STEP_X] + to[LEFT], y: this.frame.y[row] * to[STEP_Y] + to[TOP] };
  }

  stats() {
    const [stepX, stepY, x, y] = this.scene.camera.to;
    return {
      frames_received: this.count.received, frames_drawn: this.count.drawn, last_draw_ms: this.count.last, mean_draw_ms: this.count.mean,
      nodes: this.frame?.id.length ?? 0, leaving: this.scene.nodes.size - (this.frame?.id.length ?? 0), now: this.frame?.now ?? 0,
      moving: this.scene.busy, transform: { x, y, step_x: stepX, step_y: stepY, following: this.following },
    };
  }

  destroy() {
    this.loop.stop();
    this.text.stop();
    this.tableText.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.wrapper.remove();
    delete this.root.__tree_stats;
  }
}

/**
 * Draws the tree view into `root`.
 *
 * @param {HTMLElement} root an empty element, at least 280 px wide; the view takes its width
 * @param {object} [options]
 * @param {string[]} [options.labels] label names, by index
 * @param {string[]} [options.features] feature names, by index
 * @param {Array<string[]|null>} [options.categories] category names, by feature index
 * @param {boolean} [options.dark] dark surface, default false
 * @param {number} [options.height] height of the picture in px, default 440; at most 360 where the view is narrow
 * @param {boolean} [options.animate] false: nodes jump. Default true, unless the user prefers reduced motion
 * @param {string} [options.emptyText] what is said while there is no node
 * @param {(id: number|null) => void} [options.onSelect] called when the user selects a node, or lets go of it
 * @param {(id: number) => void} [options.onCollapse] called when the user wants a node's subtree folded or unfolded
 * @returns {{update, select, setLabels, setFeatures, setCategories, setDark, setHeight, resize, follow, zoom, place, destroy, stats}}
 *   `update(frame)` takes {now (instances seen), n_nodes (optional: nodes in all), and a column per property, array or typed
 *   array, with a node before all below it: id, x, y (node distances, rows), parent, rival (places in these columns, -1: none),
 *   folded (nodes not drawn below), depth, feature, threshold, weight, weight_recent, error (0..1, NaN: not known), entropy,
 *   n_labelsets, regime (0..3), top (label index or -1), flags (1 leaf, 2 of an alternate, 4 nominal test, 8 active, 16 second
 *   branch of its parent, 32 folded by the user)}; it keeps the frame, so give it a fresh one each time. `place(id)` gives the
 *   node's {x, y} in pixels of the picture; `zoom(factor)` and `follow()` do what the buttons do
 */
export function createTreeView(root, options = {}) {
  const view = new TreeView(root, options);
  const names = [
    "update", "select", "setLabels", "setFeatures", "setCategories", "setDark", "setHeight", "resize", "follow", "zoom", "place", "destroy", "stats",
  ];
  return Object.fromEntries(names.map((name) => [name, view[name].bind(view)]));
}

/** Panel: draws the component's view and ties its parameters to it. */
export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const tree = createTreeView(el, {
      labels: model.labels, features: model.features, categories: model.categories, dark: model.dark, emptyText: model.empty_text,
      height: model.tree_height, onSelect: (id) => { model.selected = id; }, onCollapse: (id) => model.send_msg({ kind: "collapse", id }),
    });
    tree.select(model.selected);
    model.on("selected", () => tree.select(model.selected));
    model.on("dark", () => tree.setDark(model.dark));
    model.on("labels", () => tree.setLabels(model.labels));
    model.on("features", () => tree.setFeatures(model.features));
    model.on("categories", () => tree.setCategories(model.categories));
    model.on("tree_height", () => tree.setHeight(model.tree_height));
    const stopReceiving = receiveFrames(model, view, (frame) => tree.update(frame));
    return () => {
      stopReceiving();
      tree.destroy();
    };
  });
}
