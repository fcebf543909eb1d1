/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { tint } from "../../../kit/js/palette.js";
import { FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { Sprites, paintLeaf } from "./leaf.js";
import { FILL, LEAST_ROW_WITH_WAY, LEFT, READY, SHARE, STEP_X, STEP_Y, TOP, WEIGHT, X, Y } from "./scene.js";

/** Of the tests, by the height of the plate that they stand on. */
const testFont = (plate) => `500 ${plate < 14 ? 9 : plate < 17 ? 10 : 12}px ${FONT}`;
const NUMBER_FONT = `10px ${FONT}`, PART_FONT = `600 11px ${FONT}`;
const LONGEST_TEXT = 190;
/** Height of the plate that a test stands on: where rows are near it is lower, down to the least at which it is read. */
const PLATE = { most: 22, small: 14, least: 11, free: 3 };
const DIM = 0.4;
/** How far around its nodes the ground of a branch is. */
const AROUND = 4;
/** How far beside a leaf its words begin where the tree lies. */
const BESIDE = 8;
/** Sizes of a leaf; seen nearer, it is larger. */
const LEAF = { least: 4, most: 26 };
/** Of the bar for a node's part in the answer: how thick, how far its middle is above a plate's lower edge, how far from its sides, how far below a leaf. */
const BAR = { width: 5, low: 3, up: 5, side: 7, lift: 2.5, down: 2, wide: 1.3 };
/** How far above a node its name begins, and the next line of it, px: an outline has room between. */
const NAME = { up: 11, line: 11 };
/** Of the bar below a leaf: its height, how wide it is beside the leaf, how far below what stands above it. */
const WAY = { height: 5, wide: 1.5, down: 8 };

/** A leaf of at least this size has the bar below it. */
const LEAST_LEAF_WITH_WAY = 12;

/** How far a leaf is on its way to its split: full when it splits. */
export function paintWay(painter, ready, x, y, width, height) {
  const { theme } = painter;
  painter.rect(x - 1, y - 1, width + 2, height + 2, theme.surface);
  painter.rect(x, y, width * ready, height, theme.accent);
  painter.box(x - 0.5, y - 0.5, width + 1, height + 1, theme.outline, 1);
}

/** A node's part in the answer, of the whole bar. */
export function paintPart(painter, part, x, y, width, height) {
  painter.rect(x, y + height * 0.3, width, height * 0.4, painter.theme.edge);
  painter.rect(x, y, width * part, height, painter.theme.hues[3]);
}

export class TreePainter extends Painter {
  sprites = new Sprites();
  showsWays = true;
  /** Whether the tree lies on its side: levels go to the right, and what is on the left of a parent is above it. */
  lies = false;

  setTheme(theme) {
    super.setTheme(theme);
    this.sprites.clear();
  }

  /** How large things are: `step` as in scene.js, seen through a camera {k, x, y}. */
  measure(step, { k, x, y }) {
    this.step = [step[STEP_X] * k, step[STEP_Y] * k, step[LEFT] * k + x, step[TOP] * k + y];
    // from a node to the next one of its level, and to the next level
    const [stepX, stepY] = this.lies ? [this.step[STEP_Y], this.step[STEP_X]] : this.step;
    this.along = stepX;
    // where rows are too near for bars below leaves, these take their room
    const largest = Math.min(stepX * 0.66, Math.max(stepY * 0.42, Math.min(stepY * 0.52, 19)));
    this.leaf = Math.round(clamp(largest, LEAF.least, LEAF.most * clamp(k, 1, 2)));
    this.branch = clamp(stepX * 0.16, 1.6, 5);
    this.pen = clamp(stepX / 34, 0.35, 1.25);
    const plate = Math.min(this.lies ? stepX / 2 - 1 : stepY - PLATE.free, PLATE.most);
    this.plate = plate < PLATE.least ? 0 : plate;
  }

  /** Whether rows are so near that plates are lower. */
  get isLow() {
    return this.plate < PLATE.most;
  }

  /** Whether rows are so near that words between them would meet what stands there. */
  get isTight() {
    return !this.lies && this.step[STEP_Y] < LEAST_ROW_WITH_WAY;
  }

  get barTall() {
    return this.isLow ? BAR.low : BAR.width;
  }

  x(node) {
    return node.at[this.lies ? Y : X] * this.step[STEP_X] + this.step[LEFT];
  }

  y(node) {
    return node.at[this.lies ? X : Y] * this.step[STEP_Y] + this.step[TOP];
  }

  /** Free pixels to either side of a node, up to the middle of the gap to its neighbour, or to the neighbour's leaf. */
  room(node) {
    if (this.lies) return this.roomAside(node);
    const side = (other) => {
      if (!other) return LONGEST_TEXT / 2 + 8;
      const gap = Math.abs(other.to[X] - node.to[X]) * this.step[STEP_X];
      return other.isLeaf && !node.isLeaf ? gap - this.half(other)[0] : gap / 2;
    };
    const x = node.to[X] * this.step[STEP_X] + this.step[LEFT];
    // Where everything is in view, texts stay within the picture; a picture that was moved may cut them.
    const edge = this.isFitted ? Math.max(0, Math.min(x, this.width - x)) : Infinity;
    return 2 * Math.min(side(node.before), side(node.after), edge) - 6;
  }

  /** Where the tree lies: of a branch around it, of a leaf from it to what stands on its right. */
  roomAside(node) {
    const level = this.step[STEP_X], x = node.to[Y] * level + this.step[LEFT];
    if (!node.isLeaf) return Math.min(1.5 * level, 2 * x) - 2;
    const [half, height] = this.half(node), isBeside = (other) => other.to[Y] > node.to[Y] && Math.abs(other.to[X] - node.to[X]) * this.along < height + 7;
    const ends = this.nodes.filter(isBeside).map((other) => (other.to[Y] - node.to[Y]) * level - this.half(other)[0]);
    return Math.min(this.width - x, ...ends) - half - BESIDE - 4;
  }

  /** The middle of the words of a leaf: below it, or beside it where the tree lies. */
  captionAt(node) {
    const [width, height] = this.half(node), x = this.x(node), y = this.y(node);
    return this.lies ? [x + width + BESIDE + this.texts.width(node.caption, SMALL_FONT) / 2, y] : [x, y + height + (node.mixes ? 13 : 11)];
  }

  /** Half the width and half the height that a node takes. */
  half(node) {
    if (node.isLeaf) return [this.leaf / 2, this.leaf / 2];
    return node.plate ? [node.plate / 2, this.plate / 2] : [this.branch, this.branch];
  }

  /**
   * @param {{width, height, ratio, isFitted, words, trail: Set, found: Set|null, marked: Array<[node, colour]>, named: Map, parts: Map, branches}} view
   *   named: by node, the colour of its name: those that words on the page name; parts: by node, the words for its part in an answer
   *   branches: Array<[what it is called, whether it is a new one, Set of rows]> that have a ground of their own
   */
  draw(context, scene, view) {
    const { theme } = this;
    Object.assign(this, { context, width: view.width, height: view.height, ratio: view.ratio, isFitted: view.isFitted });
    context.lineCap = "round";
    this.nodes = scene.placed;
    this.findTexts(scene.placed, view.words, view.branches.length > 0);
    this.clearCaptions(scene.placed);
    const branches = view.branches.map(([name, isNew, rows]) => [name, isNew, [...rows].map((row) => scene.placed[row]).filter(Boolean)]).filter(([, , nodes]) => nodes.length);
    for (const node of scene.order) node.ground = theme.surface;
    for (const [, isNew, nodes] of branches) this.groundBranch(isNew, nodes);
    context.globalAlpha = view.found ? DIM : 1;
    this.drawEdges(scene.order, view.trail);
    this.drawDuels(scene.order);
    context.globalAlpha = 1;
    for (const node of scene.order) {
      if (!this.isInSight(node)) continue;
      const dim = view.found && !view.found.has(node.id) ? DIM : 1;
      const isLit = Boolean(view.found) && dim === 1 && node.row >= 0;
      if (isLit) this.glow(node);
      if (node.isLeaf) this.drawLeaf(node, dim, isLit, view.parts);
      else this.drawBranch(node, dim);
      if (node.row >= 0 && node.folded) this.drawBadge(node, dim);
    }
    for (const branch of branches) this.nameBranch(...branch);
    for (const [node, colour] of view.marked) this.outline(node, colour);
    for (const [node, words] of view.parts) this[this.isTight ? "beside" : "above"](node, words, theme.accent, PART_FONT);
    for (const [node, colour] of view.named) this.above(node, `${node.isLeaf ? "leaf" : "node"} ${node.id}`, colour, NUMBER_FONT, view.parts.has(node) ? NAME.line : 0);
  }

  isInSight(node) {
    const x = this.x(node), y = this.y(node);
    return x > -100 && x < this.width + 100 && y > -50 && y < this.height + 50;
  }

  /** Which text each node has room for; `isFramed`: whether branches have frames. */
  findTexts(nodes, words, isFramed = false) {
    const { texts } = this;
    for (const node of nodes) {
      node.text = node.caption = null;
      node.plate = 0;
      if (this.along >= 15 && !node.isLeaf && this.plate) {
        const room = Math.min(this.room(node), LONGEST_TEXT);
        // a small test says more than the name of its feature alone
        const [tests, names] = words.tests(node.row), usual = [testFont(this.plate), this.plate < PLATE.most ? 8 : 16];
        for (const [said, font, around] of [[tests, ...usual], [tests, testFont(Math.min(this.plate, PLATE.small)), 8], [names, ...usual]]) {
          node.text ??= texts.first(said, font, room - around - 2);
          if (node.text !== null && !node.plate) [node.font, node.plate] = [font, texts.width(node.text, font) + around];
        }
      }
    }
    const leaves = this.along < 15 ? [] : nodes.filter(({ isLeaf }) => isLeaf);
    const isSaid = leaves.every((leaf) => {
      const text = words.captions(leaf.row, true)[0] ?? "", wide = texts.width(text, SMALL_FONT);
      // the ground of a branch reaches further than the words of a leaf
      return wide <= (isFramed && !this.lies ? this.along / 2 - AROUND : this.room(leaf) + 2) && !this.isCovered(leaf, text, nodes);
    });
    for (const leaf of leaves) leaf.caption = texts.first(words.captions(leaf.row, isSaid), SMALL_FONT, Math.min(this.room(leaf), LONGEST_TEXT) + 2);
  }

  /** Whether words below a leaf would meet what stands in the next row. */
  isCovered(leaf, text, nodes) {
    const wide = this.texts.width(text, SMALL_FONT) / 2 + 2, stepY = this.step[STEP_Y], below = this.half(leaf)[1] + 14;
    return !this.lies && nodes.some((other) => {
      const away = Math.abs(other.to[X] - leaf.to[X]) * this.step[STEP_X], down = (other.to[Y] - leaf.to[Y]) * stepY;
      const [width, height] = this.half(other);
      return away < width + wide && down > 0 && down - height < below;
    });
  }

  /** Where rows are near, words below a leaf give way to what stands in the next row. */
  clearCaptions(nodes) {
    if (!this.plate || this.plate === PLATE.most) return;
    for (const node of nodes) {
      if (node.caption !== null && this.isCovered(node, node.caption, nodes)) node.caption = null;
    }
  }

  /** A curve from the parent's place to the node's, upright at both ends, or level where the tree lies. */
  curve(node) {
    const x0 = this.x(node.above), y0 = this.y(node.above), free = node.isLeaf ? this.half(node)[1] * node.at[THERE] : 0;
    const x1 = this.x(node) - (this.lies ? free : 0), y1 = this.y(node) - (this.lies ? 0 : free);
    if (Math.max(y0, y1) < 0 || Math.min(y0, y1) > this.height) return;
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > this.width) return;
    const [first, second] = this.lies ? [[(x0 + x1) / 2, y0], [(x0 + x1) / 2, y1]] : [[x0, (y0 + y1) / 2], [x1, (y0 + y1) / 2]];
    this.context.moveTo(x0, y0);
    this.context.bezierCurveTo(...first, ...second, x1, y1);
  }

  thickness(node) {
    return (1 + 6 * node.at[WEIGHT] * this.pen) * Math.max(node.at[THERE], 0.15);
  }

  /** Edges by width: one stroke for all of a width, not one for each edge. */
  drawEdges(order, trail) {
    const { context, theme } = this;
    const groups = new Map();
    for (const node of order) {
      if (!node.above) continue;
      const key = Math.round(this.thickness(node) * 2) * 4 + (node.isGhost ? 2 : 0) + (trail.has(node) ? 1 : 0);
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
    const { theme } = this;
    const ends = [], signs = [];
    for (const node of order) {
      if (!node.rival) continue;
      const y0 = this.y(node.rival), y1 = this.y(node);
      const x0 = this.x(node.rival) + this.half(node.rival)[0] + 4, x1 = this.x(node) - this.half(node)[0] - 4;
      if (this.lies) ends.push([x1 + this.half(node)[0] + 4, y0 + this.half(node.rival)[1] + 4, x1 + this.half(node)[0] + 4, y1 - this.half(node)[1] - 4]);
      if (x1 - x0 < 3) continue;
      ends.push([x0, y0, x1, y1]);
      if (x1 - x0 > 34) signs.push([(x0 + x1) / 2, (y0 + y1) / 2]);
    }
    this.links(ends, theme.outline, 1.75, [0.1, 4.5]);
    for (const [x, y] of signs) this.note("vs", x, y, { align: "center", ground: theme.surface });
  }

  drawLeaf(node, dim, isLit, parts) {
    const { context, theme, ratio } = this;
    const { at, isGhost } = node;
    const look = { regime: node.regime, level: at[FILL], isActive: node.isActive, isMixed: node.isMixed, isGhost };
    const sprite = this.sprites.get(theme, look, this.leaf, ratio);
    const size = (sprite.width / ratio) * at[THERE];
    const x = this.x(node), y = this.y(node);
    context.globalAlpha = dim * Math.min(1, at[THERE] * 1.5) * (isGhost ? 0.72 : 1);
    if (context.isVector) paintLeaf(this, look, x, y, (this.leaf / 2) * at[THERE]);
    else if (ratio === 1 && at[THERE] === 1) context.drawImage(sprite, Math.round(x - size / 2), Math.round(y - size / 2));
    else context.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    if (node.mixes) {
      const wide = BAR.wide * this.leaf * at[THERE];
      paintPart(this, at[SHARE], x - wide / 2, y + this.half(node)[1] + BAR.down, wide, this.barTall - 1);
    }
    if (node.row >= 0 && node.caption && !(this.isTight && parts.has(node))) {
      context.globalAlpha = dim * at[THERE];
      const [middle, below] = this.captionAt(node);
      this.note(node.caption, middle, below + 0.5, { colour: isGhost ? theme.muted : theme.ink, align: "center", ground: isLit ? null : node.ground });
    }
    if (node.row >= 0 && this.hasWay(node)) {
      context.globalAlpha = dim * at[THERE];
      const wide = Math.min(Math.max(WAY.wide * this.leaf, 24), this.step[STEP_X] - 6);
      paintWay(this, at[READY], x - wide / 2, y + this.half(node)[1] + (node.caption ? 11 : 0) + WAY.down, wide, WAY.height);
    }
    context.globalAlpha = 1;
  }

  hasWay(node) {
    return node.isOnItsWay && !node.isGhost && this.showsWays && !this.lies && this.leaf >= LEAST_LEAF_WITH_WAY && this.step[STEP_Y] >= LEAST_ROW_WITH_WAY;
  }

  drawBranch(node, dim) {
    const { context, theme } = this;
    const size = node.at[THERE];
    const x = this.x(node), y = this.y(node);
    context.beginPath();
    if (node.row >= 0 && node.plate) {
      const [width, height] = [node.plate * size, this.plate * size];
      context.roundRect(x - width / 2, y - height / 2, width, height, 6 * size);
    } else context.arc(x, y, this.branch * size, 0, 2 * Math.PI);
    this.fill(theme.surface);
    context.globalAlpha = dim;
    this.stroke(node.isGhost ? theme.ghost : theme.outline, this.branch < 3 ? 1 : 1.5, node.isGhost ? [4, 3] : []);
    const hasPlate = node.row >= 0 && node.plate > 0, hasBar = node.mixes && hasPlate;
    // a low plate has the bar for its lower edge
    const [lift, up] = this.isLow ? [0, 0] : [BAR.lift, BAR.up];
    if (node.row >= 0 && node.text !== null && size > 0.6) {
      const colour = node.isGhost ? theme.muted : theme.ink;
      this.text(node.text, x, y + 0.5 - (hasBar ? lift : 0), { font: node.font, colour, align: "center" });
    }
    if (hasBar && size > 0.6) {
      const half = (node.plate * size) / 2 - BAR.side;
      paintPart(this, node.at[SHARE], x - half, y + (this.plate * size) / 2 - up - this.barTall / 2, 2 * half, this.barTall);
    }
    context.globalAlpha = 1;
  }

  /** "+n" at a node that stands for n more; a small triangle where there is no room. */
  drawBadge(node, dim) {
    const { context, theme } = this;
    const box = this.badge(node);
    context.globalAlpha = dim * node.at[THERE];
    if (box.text) {
      context.beginPath();
      context.roundRect(box.x, box.y, box.width, box.height, box.height / 2);
      this.fill(theme.accent);
      this.note(box.text, box.x + box.width / 2, box.y + box.height / 2 + 0.5, { colour: theme.surface, align: "center" });
    } else {
      this.trace([[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width / 2, box.y + box.height]]);
      this.fill(theme.accent);
    }
    context.globalAlpha = 1;
  }

  badge(node) {
    const x = this.x(node), y = this.y(node);
    const [halfWidth, halfHeight] = this.half(node);
    const text = `+${formatCount(node.folded)}`;
    const width = this.texts.width(text, SMALL_FONT) + 10;
    if (node.isLeaf) return { text, width, height: 15, x: x + halfWidth - 2, y: y - halfHeight - 10 };
    if (width <= this.room(node) + 6) return { text, width, height: 15, x: x - width / 2, y: y + halfHeight + 2 };
    const side = clamp(2 * this.branch, 4, 8);
    return { text: null, width: side, height: side * 0.75, x: x - side / 2, y: y + halfHeight + 1.5 };
  }

  /** [left, top, right, bottom] of a node with its words. */
  reach(node) {
    const [width, height] = this.half(node), x = this.x(node), y = this.y(node);
    if (!node.caption) return [x - width, y - height, x + width, y + height];
    const [middle, line] = this.captionAt(node), half = this.texts.width(node.caption, SMALL_FONT) / 2;
    return [Math.min(x - width, middle - half), y - height, Math.max(x + width, middle + half), Math.max(y + height, line + 5)];
  }

  glow(node) {
    const { context, theme } = this;
    context.beginPath();
    const [left, top, right, bottom] = this.reach(node);
    context.roundRect(left - 7, top - 7, right - left + 14, bottom - top + 14, 11);
    this.fill(theme.glow);
    this.stroke(theme.lit, 2);
  }

  /** Words above a node, which cut the edge that comes there. */
  above(node, words, colour, font, up = 0) {
    const half = this.texts.width(words, font) / 2 + 2, x = this.isFitted ? clamp(this.x(node), half, this.width - half) : this.x(node);
    if (this.lies && node.isLeaf) {
      // after its label if there is room, else instead of it
      const left = this.x(node) + this.half(node)[0] + BESIDE, wide = node.caption ? this.texts.width(node.caption, SMALL_FONT) + 6 : 0;
      this.write(node, words, left + half + (left + wide + 2 * half <= this.width ? wide : 0), this.y(node) - up, colour, font);
    } else this.write(node, words, x, Math.max(7, this.y(node) - this.half(node)[1] - NAME.up - up), colour, font);
  }

  /** In tight rows: below a leaf, instead of its label, or beside a test, if there is room. */
  beside(node, words, colour, font) {
    const x = this.x(node), half = this.texts.width(words, font) / 2 + 4;
    if (node.isLeaf) {
      this.write(node, words, ...this.captionAt(node), colour, font);
      return;
    }
    const [width] = this.half(node), edge = (other, side, end) => (other ? this.x(other) - side * this.half(other)[0] : end);
    const sides = [[-1, x - width - edge(node.before, -1, 0)], [1, edge(node.after, 1, this.width) - x - width]];
    const side = sides.find(([, room]) => room > 2 * half)?.[0];
    if (side) this.write(node, words, x + side * (width + half), this.y(node), colour, font);
  }

  write(node, words, x, y, colour, font) {
    this.text(words, x, y + 0.5, { font, colour, align: "center", ground: node.ground, pad: 1 });
  }

  /** What a branch takes: [left, top, right, bottom] of each of its nodes, with its words. */
  reachOf(nodes) {
    return nodes.map((node) => {
      const [left, top, right, bottom] = this.reach(node);
      return [left - AROUND, top - AROUND, right + AROUND, bottom + AROUND + (node.isLeaf && this.hasWay(node) ? WAY.down + WAY.height : 0)];
    });
  }

  /** A ground under a branch, in its own shape: a frame around all of it would cut what stands beside it. */
  groundBranch(isNew, nodes) {
    const { context, theme } = this, edge = isNew ? theme.accent : theme.muted, own = new Set(nodes);
    const ground = tint(theme, edge, 0.12);
    for (const node of nodes) node.ground = ground;
    const joined = nodes.filter(({ above }) => own.has(above)), wide = clamp(this.along * 0.5, 8, 26);
    context.setLineDash([]);
    for (const [colour, more] of [[edge, 1.25], [ground, 0]]) {
      context.fillStyle = context.strokeStyle = colour;
      context.beginPath();
      for (const [left, top, right, bottom] of this.reachOf(nodes)) context.roundRect(left - more, top - more, right - left + 2 * more, bottom - top + 2 * more, 9);
      context.fill();
      context.beginPath();
      for (const node of joined) this.curve(node);
      context.lineWidth = wide + 2 * more;
      context.stroke();
    }
  }

  /** What a branch is called, below it. */
  nameBranch(text, isNew, nodes) {
    const edges = this.reachOf(nodes), left = Math.min(...edges.map(([edge]) => edge));
    const bottom = Math.min(this.height - 16, Math.max(...edges.map((edge) => edge[3])));
    const wide = this.texts.width(text, SMALL_FONT) + 6, at = clamp(left + 8, 2, Math.max(2, this.width - wide - 2));
    this.note(text, at + 3, bottom + 8.5, { colour: isNew ? this.theme.accent : this.theme.muted, ground: this.theme.surface, pad: 3 });
  }

  outline(node, colour) {
    const [width, height] = this.half(node);
    this.frameAround({ x: this.x(node) - width - 4, y: this.y(node) - height - 4, width: 2 * width + 8, height: 2 * height + 8 }, colour, 9);
  }
}
