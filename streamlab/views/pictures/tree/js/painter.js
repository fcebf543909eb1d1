/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { tint } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { FILL, LEAST_ROW_WITH_WORDS, LEFT, READY, SHARE, STEP_X, STEP_Y, TOP, WEIGHT, X, Y } from "./scene.js";

const LONGEST_TEXT = 190;
/** Height of the plate that a test stands on: where rows are near it is lower, down to the least in which words fit; how far its words are from its ends. */
const PLATE = { most: 26, least: 16, free: 3, apart: 12, end: 8 };
const DIM = 0.4;
/** How far around its nodes the ground of a branch is. */
const AROUND = 5;
/** How far beside a leaf its words begin where the tree lies. */
const BESIDE = 8;
/** Of a leaf that its label stands in: how high it is at most, how far its words are from its ends, how round its corners are. */
const PILL = { most: 22, end: 4, round: 5 };
/** Sizes of a leaf; seen nearer, it is larger. */
const LEAF = { least: 4, most: 32 };
/** Of the bar for a node's part in the answer: how thick, how far below the node, how wide below a leaf. */
const BAR = { width: 5, down: 3, wide: 1.6 };
/** A smaller part in the answer has no bar. */
const LEAST_PART = 0.05;
/** From one line of words to the next, and between two on one. */
const LINE = 16, APART = 6;

export class TreePainter extends Painter {
  /** The size of a leaf that is alone. */
  alone = 0;
  /** Whether the tree lies on its side: levels go to the right, and what is on the left of a parent is above it. */
  lies = false;
  /** Whether another one is on the same phone: lines between plates are seen nevertheless. */
  isLow = false;
  /** The nodes that answer the latest row, empty: it is not shown. */
  way = new Set();

  /** How large things are: `step` as in scene.js, seen through a camera {k, x, y}. */
  measure(step, { k, x, y }) {
    this.step = [step[STEP_X] * k, step[STEP_Y] * k, step[LEFT] * k + x, step[TOP] * k + y];
    // from a node to the next one of its level, and to the next level
    const [stepX, stepY] = this.lies ? [this.step[STEP_Y], this.step[STEP_X]] : this.step;
    this.along = stepX;
    const largest = Math.min(stepX * 0.66, Math.max(stepY * 0.42, Math.min(stepY * 0.52, 19)));
    this.leaf = Math.round(this.alone || clamp(largest, LEAF.least, LEAF.most * clamp(k, 1, 2)));
    this.branch = clamp(stepX * 0.16, 1.6, 5);
    this.pen = clamp(stepX / 34, 0.35, 1.25);
    const plate = Math.min(this.lies ? stepX / 2 - 1 : stepY - (this.isLow ? PLATE.apart : PLATE.free), PLATE.most);
    this.plate = plate < PLATE.least ? 0 : plate;
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
    return 2 * Math.min(side(node.before), side(node.after), edge) - 4;
  }

  /** Where the tree lies: of a branch around it, of a leaf from it to what stands on its right. */
  roomAside(node) {
    const level = this.step[STEP_X], x = node.to[Y] * level + this.step[LEFT];
    if (!node.isLeaf) return Math.min(1.5 * level, 2 * x) - 2;
    const [half, height] = this.half(node), isBeside = (other) => other.to[Y] > node.to[Y] && Math.abs(other.to[X] - node.to[X]) * this.along < height + 7;
    const ends = this.nodes.filter(isBeside).map((other) => (other.to[Y] - node.to[Y]) * level - this.half(other)[0]);
    return Math.min(this.width - x, ...ends) - half - BESIDE - 4;
  }

  /** The middle of the words of a leaf: in it, or below it, or between it and its twin, or beside it where the tree lies. */
  captionAt(node) {
    const [width, height] = this.half(node), x = this.x(node), y = this.y(node);
    if (node.pill) return [x, y];
    return this.lies ? [x + width + BESIDE + this.texts.width(node.caption, NAME_FONT) / 2, y] : [node.twin ? (x + this.x(node.twin)) / 2 : x, y + height + (this.hasBar(node) ? 18 : 11)];
  }

  /** Half the width and half the height that a node takes. */
  half(node) {
    if (node.isLeaf) return node.pill ? [node.pill / 2, Math.min(this.plate, PILL.most) / 2] : [this.leaf / 2, this.leaf / 2];
    return node.plate ? [node.plate / 2, this.plate / 2] : [this.branch, this.branch];
  }

  /**
   * @param {{width, height, ratio, isFitted, words, own, trail: Set, found: Set|null, marked: Array<[node, colour]>, told, branches}} view
   *   own: the learner's colour; told: Array<[node, words, colour, ...what it tells]>, what matters most first: nothing is told twice
   *   branches: Array<[what it is called, whether it is a new one, Set of rows]> that have a ground of their own
   */
  draw(context, scene, view) {
    const { theme } = this;
    Object.assign(this, { context, width: view.width, height: view.height, isFitted: view.isFitted, own: view.own });
    context.lineCap = "round";
    this.nodes = scene.placed;
    this.findTexts(scene.placed, view.words);
    this.clearCaptions(scene.placed);
    this.shareCaptions(scene.placed);
    const branches = view.branches.map(([name, rows]) => [name, [...rows].map((row) => scene.placed[row]).filter(Boolean)]).filter(([, nodes]) => nodes.length);
    for (const node of scene.order) node.ground = theme.surface;
    for (const [, nodes] of branches) this.groundBranch(nodes);
    context.globalAlpha = view.found ? DIM : 1;
    this.drawEdges(scene.order, view.trail);
    this.drawDuels(scene.order);
    context.globalAlpha = 1;
    for (const node of scene.order) {
      if (!this.isInSight(node)) continue;
      const dim = view.found && !view.found.has(node.id) ? DIM : 1;
      const isLit = Boolean(view.found) && dim === 1 && node.row >= 0;
      if (isLit) this.glow(node);
      if (node.isLeaf) this.drawLeaf(node, dim, isLit);
      else this.drawBranch(node, dim);
      if (node.row >= 0 && node.folded) this.drawBadge(node, dim);
    }
    this.named = branches.map((branch) => this.nameBranch(...branch));
    for (const node of scene.placed.filter(({ rival }) => rival)) this.nameDuel(node, view.words.frame.error);
    this.tell(view.told);
    for (const [node, colour] of view.marked) this.outline(node, colour);
  }

  isInSight(node) {
    const x = this.x(node), y = this.y(node);
    return x > -100 && x < this.width + 100 && y > -50 && y < this.height + 50;
  }

  /** Which text each node has room for: where levels lie in rows all leaves of one have a name, in them or below them, or none. */
  findTexts(nodes, words) {
    for (const node of nodes) Object.assign(node, { text: null, caption: null, plate: 0, pill: 0 });
    // tests have the room that leaves leave
    this.fitTexts(nodes.filter(({ isLeaf }) => isLeaf), words);
    this.fitTexts(nodes.filter(({ isLeaf }) => !isLeaf), words);
  }

  fitTexts(nodes, words) {
    const { texts } = this, levels = new Map();
    for (const node of nodes) {
      if (this.along < 15 || this.alone || (!node.isLeaf && !this.plate)) continue;
      const room = Math.min(this.room(node), LONGEST_TEXT) - (node.isLeaf ? -2 : 2 * PLATE.end);
      const own = node.isLeaf ? words.captions(node.row) : words.tests(node.row), key = this.lies ? node : 2 * node.to[Y] + node.isLeaf;
      const fits = own.length ? own.findIndex((text) => texts.width(text, NAME_FONT) <= room) : 0;
      if (!levels.has(key)) levels.set(key, []);
      levels.get(key).push({ node, own, fits, room });
    }
    for (const level of levels.values()) {
      const isBare = level.some(({ node, fits }) => node.isLeaf && fits < 0);
      for (const { node, own, fits } of level) {
        const text = isBare ? null : (own[fits] ?? null);
        if (node.isLeaf) node.caption = text;
        else if (text !== null) Object.assign(node, { text, plate: texts.width(text, NAME_FONT) + 2 * PLATE.end });
      }
      const names = level.map(({ node: { caption }, room }) => [caption && texts.width(caption, NAME_FONT) + 2 * PILL.end, room]);
      if (!this.lies && this.plate && level[0].node.isLeaf && names.every(([wide, room]) => wide && wide <= room)) level.forEach(({ node }, i) => (node.pill = names[i][0]));
    }
  }

  /** Whether words below a leaf would meet what stands in the next row. */
  isCovered(leaf, text, nodes) {
    const wide = this.texts.width(text, NAME_FONT) / 2 + 2, stepY = this.step[STEP_Y], below = this.half(leaf)[1] + 17;
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
      if (node.caption !== null && !node.pill && this.isCovered(node, node.caption, nodes)) node.caption = null;
    }
  }

  /** Two leaves of one test that say the same say it once, between them. */
  shareCaptions(nodes) {
    for (const node of nodes) {
      const { after } = node, isTwin = !this.lies && node.caption && !node.pill && after?.above === node.above && after.caption === node.caption;
      node.twin = isTwin && !this.hasBar(node) && !this.hasBar(after) ? after : null;
      if (node.twin) after.caption = null;
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
      context.strokeStyle = key & 1 ? theme.path : key & 2 ? theme.ghost : theme.edge;
      context.setLineDash(key & 2 ? [4, 3 + context.lineWidth] : []);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Dotted lines between alternates and the nodes that they compete with. */
  drawDuels(order) {
    const { theme } = this;
    const ends = [];
    for (const node of order) {
      if (!node.rival) continue;
      const y0 = this.y(node.rival), y1 = this.y(node);
      const x0 = this.x(node.rival) + this.half(node.rival)[0] + 4, x1 = this.x(node) - this.half(node)[0] - 4;
      if (this.lies) ends.push([x1 + this.half(node)[0] + 4, y0 + this.half(node.rival)[1] + 4, x1 + this.half(node)[0] + 4, y1 - this.half(node)[1] - 4]);
      if (x1 - x0 < 3) continue;
      ends.push([x0, y0, x1, y1]);
    }
    this.links(ends, theme.outline, 1.75, [0.1, 4.5]);
  }

  /** A leaf: its dot is as large as its error, if that is much; dashed in an alternate, dotted when it no longer grows. */
  drawLeaf(node, dim, isLit) {
    const { context, theme } = this, { at, isGhost } = node, x = this.x(node), y = this.y(node);
    const r = (this.leaf / 2) * at[THERE], ring = clamp(r / 5, 1, 11), inner = Math.max(0, r - ring / 2);
    context.globalAlpha = dim * Math.min(1, at[THERE] * 1.5);
    if (node.pill) this.drawPill(node);
    else {
      this.dot(x, y, r, theme.paper);
      this.ring(x, y, inner, theme.edge, clamp(ring, 1, 2), isGhost ? [r / 3.2, r / 2.6] : node.isActive ? [] : [1, 4]);
    }
    if (this.alone) this.text("one leaf", x, y, { font: BOLD_FONT, align: "center" });
    // a small tree has no room to say what the dot is
    else if (at[FILL] > 0 && !node.pill && (node.caption || !this.isLow)) this.dot(x, y, Math.max(0, r - ring - 1.5) * Math.sqrt(at[FILL]), theme.guess);
    if (node.row >= 0 && node.caption) {
      context.globalAlpha = dim * at[THERE];
      const [middle, below] = this.captionAt(node);
      this.text(node.caption, middle, below + 0.5, { colour: isGhost ? theme.muted : theme.ink, align: "center", ground: isLit || node.pill ? null : node.ground });
    }
    context.globalAlpha = 1;
  }

  /** A leaf that its label stands in; one that errs much has the colour of errors, the more the more it errs. */
  drawPill(node) {
    const { context, theme } = this, { isGhost } = node, fill = node.at[FILL];
    this.tracePill(node);
    this.fill(isGhost ? theme.paper : fill > 0 ? tint(theme, theme.guess, 0.1 + 0.35 * fill) : theme.line);
    if (isGhost || fill > 0) this.stroke(isGhost ? theme.ghost : theme.guess, 1.25, isGhost ? [4, 3] : []);
  }

  tracePill(node, more = 0) {
    const [half, height] = this.half(node), size = node.at[THERE];
    this.context.beginPath();
    this.context.roundRect(this.x(node) - half * size - more, this.y(node) - height * size - more, 2 * (half * size + more), 2 * (height * size + more), PILL.round + more);
  }

  /** The ring of the leaf that splits next, as full as it is near. */
  drawRing(node) {
    if (node.pill) {
      const [half, height] = this.half(node), around = 4 * (half + height + 4);
      this.tracePill(node, 2);
      this.stroke(this.theme.line, 3);
      this.stroke(this.own, 3, [around * node.at[READY], around]);
      return;
    }
    const x = this.x(node), y = this.y(node), ring = clamp(this.leaf / 10, 1, 11), inner = this.leaf / 2 - ring / 2;
    this.ring(x, y, inner, this.theme.surface, ring + 1);
    this.ring(x, y, inner, this.theme.line, ring);
    this.context.beginPath();
    this.context.arc(x, y, inner, -Math.PI / 2, (2 * node.at[READY] - 0.5) * Math.PI);
    this.stroke(this.own, ring);
  }

  /** Whether a node shows its part in the answer: of a row that is seen, where it passes. */
  hasBar(node) {
    return Boolean(node.mixes) && node.part >= LEAST_PART && (!this.way.size || this.way.has(node));
  }

  /** A node's part in the answer, of the whole bar below it. */
  drawPart(node) {
    const [left, top, right] = this.barOf(node);
    this.rect(left, top, right - left, BAR.width, this.theme.line);
    this.rect(left, top, (right - left) * node.at[SHARE], BAR.width, this.own);
  }

  /** [left, top, right, bottom] of a node's bar. */
  barOf(node) {
    const x = this.x(node), top = this.y(node) + this.half(node)[1] + BAR.down, half = (node.at[THERE] * (node.isLeaf ? node.pill || BAR.wide * this.leaf : node.plate)) / 2;
    return [x - half, top, x + half, top + BAR.width];
  }

  drawBranch(node, dim) {
    const { context, theme } = this;
    const size = node.at[THERE];
    const x = this.x(node), y = this.y(node), hasPlate = node.row >= 0 && node.plate > 0;
    context.beginPath();
    if (hasPlate) {
      const [width, height] = [node.plate * size, this.plate * size];
      context.roundRect(x - width / 2, y - height / 2, width, height, height / 2);
    } else context.arc(x, y, this.branch * size, 0, 2 * Math.PI);
    this.fill(theme.paper);
    context.globalAlpha = dim;
    this.stroke(node.isGhost ? theme.ghost : theme.edge, this.branch < 3 ? 1 : 1.5, node.isGhost ? [4, 3] : []);
    if (hasPlate && size > 0.6) this.text(node.text, x, y + 0.5, { colour: node.isGhost ? theme.muted : theme.ink, align: "center" });
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
    if (!node.caption || node.pill) return [x - width, y - height, x + width, y + height];
    const [middle, line] = this.captionAt(node), half = this.texts.width(node.caption, NAME_FONT) / 2;
    return [Math.min(x - width, middle - half), y - height, Math.max(x + width, middle + half), Math.max(y + height, line + 7)];
  }

  glow(node) {
    const { context, theme } = this;
    context.beginPath();
    const [left, top, right, bottom] = this.reach(node);
    context.roundRect(left - 7, top - 7, right - left + 14, bottom - top + 14, 11);
    this.fill(theme.glow);
    this.stroke(theme.lit, 2);
  }

  /** Both errors of a duel, above the two. */
  nameDuel(node, error) {
    const say = ({ row }) => (Number.isNaN(error[row]) ? "" : `errs ${Math.round(100 * error[row])} %`);
    for (const [each, words] of [[node, ["on trial", say(node)].filter(Boolean).join(": ")], [node.rival, say(node.rival)]]) {
      const y = this.y(each) - this.half(each)[1] - 10, half = this.texts.width(words, BOLD_FONT) / 2 + 2;
      // the alternate stands on the right: its words begin there
      const x = each === node ? this.x(each) - this.half(each)[0] + half : this.x(each);
      if (words && (this.lies || this.step[STEP_Y] >= LEAST_ROW_WITH_WORDS)) this.text(words, clamp(x, half, this.width - half), Math.max(8, y), { font: BOLD_FONT, colour: each === node ? this.own : this.theme.guess, align: "center", ground: each.ground });
    }
  }

  /** What leaves say of themselves, below their labels, as far as that meets nothing; a ring that nothing explains is not drawn, nor are bars beside the leaves of a tree that lies. */
  tell(told) {
    const bars = this.nodes.filter((node) => this.hasBar(node)), taken = [...this.named, ...bars.map((node) => this.barOf(node)), ...this.nodes.map((node) => this.reach(node))];
    for (const { above, ...node } of this.nodes.filter((each) => each.above)) {
      const [x0, y0, x1, y1] = [this.x(above), this.y(above), this.x(node), this.y(node)];
      for (let t = 0; t <= 1; t += 0.1) {
        const s = t * t * (3 - 2 * t), u = t * (1.5 - 1.5 * t + t * t), [x, y] = this.lies ? [x0 + (x1 - x0) * u, y0 + (y1 - y0) * s] : [x0 + (x1 - x0) * s, y0 + (y1 - y0) * u];
        taken.push([x - 12, y - 2, x + 12, y + 2]);
      }
    }
    const said = new Set();
    for (const [node, words, colour, ...what] of told) {
      if (said.has(what[0] ?? words)) continue;
      const half = this.texts.width(words, BOLD_FONT) / 2, [left, , right, bottom] = this.reach(node), y = bottom + LINE / 2 + (this.hasBar(node) && (!node.caption || node.pill) ? BAR.down + BAR.width : 2);
      const meets = (box) => box[3] > this.height || taken.some(([l, t, r, b]) => l < box[2] && r > box[0] && t < box[3] && b > box[1]);
      // below the middle, else to its left or right, else beside it; of a test beside it first
      const within = (x) => clamp(x, half, Math.max(half, this.width - half)), beside = this.y(node) + (this.hasBar(node) && node.above && !node.isLeaf ? this.half(node)[1] + BAR.down + 6 : 0);
      const middle = this.lies ? (left + right) / 2 : this.x(node), below = [middle, right - half, left + half, middle - half].map((x) => [x, y]), aside = [right + half + 5, left - half - 5].map((x) => [x, beside]);
      const box = (node.isLeaf ? [...below, ...aside] : [...aside, ...below]).map(([x, at]) => [within(x) - half, at - 7, within(x) + half, at + 7]).find((each) => !meets(each));
      if (!box) continue;
      for (const each of [words, ...what]) said.add(each);
      taken.push([box[0] - APART, box[1], box[2] + APART, box[3]]);
      if (what[0] === "next") this.drawRing(node);
      this.text(words, box[0] + half, box[1] + 7, { font: BOLD_FONT, colour, align: "center", ground: node.ground });
    }
    if (!(this.lies || this.isLow) || said.has("part")) for (const node of bars) this.drawPart(node);
  }

  /** What a branch takes: [left, top, right, bottom] of each of its nodes, with its words. */
  reachOf(nodes) {
    return nodes.map((node) => {
      const [left, top, right, bottom] = this.reach(node);
      return [left - AROUND, top - AROUND, right + AROUND, bottom + AROUND];
    });
  }

  /** A ground under a branch, in its own shape: a frame around all of it would cut what stands beside it. */
  groundBranch(nodes) {
    const { context, theme, own: edge } = this, own = new Set(nodes);
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

  /** What a branch is called, below it; returns its box. */
  nameBranch(text, nodes) {
    const edges = this.reachOf(nodes), left = Math.min(...edges.map(([edge]) => edge));
    const bottom = Math.min(this.height - 16, Math.max(...edges.map((edge) => edge[3])));
    const wide = this.texts.width(text, BOLD_FONT) + 6, at = clamp(left + 8, 2, Math.max(2, this.width - wide - 2));
    this.text(text, at + 3, bottom + 9, { font: BOLD_FONT, colour: this.own, ground: this.theme.surface, pad: 3 });
    return [at, bottom + 1, at + wide, bottom + 17];
  }

  outline(node, colour) {
    const [width, height] = this.half(node);
    this.frameAround({ x: this.x(node) - width - 4, y: this.y(node) - height - 4, width: 2 * width + 8, height: 2 * height + 8 }, colour, 9);
  }
}
