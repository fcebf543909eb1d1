/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { cut, formatCount, markSign } from "../../../kit/js/format.js";
import { has } from "../../../kit/js/families.js";
import { Painter } from "../../../kit/js/marks.js";
import { evidenceOf } from "../../../kit/js/palette.js";
import { BOLD_FONT, HEAD_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { X, Y } from "./scene.js";

/** px above the points, for words. */
export const HEAD = 36;
const LONGEST_NAME = 18;
const DIM = 0.2;
/** A ring is so much wider than its dot, px. */
const RING = 4;
/** From this one of its sides on a name is led to its middle by a line. */
const ASIDE = 5;
/** The colour of the label chosen, whichever it is: none that the first learners' curves have. Other classes are grey. */
export const chosenColour = (theme) => theme.hues[3];

export class ProjectionPainter extends Painter {
  spots = [];

  /** Looks through the fitted view [x, y, step] and a camera {k, x, y}. */
  lookThrough([cx, cy, step], { k, x, y }, isFitted) {
    const { width, height } = this;
    this.isFitted = isFitted;
    this.look = { step: k * step, x: k * (width / 2 - cx * step) + x, y: k * ((height + HEAD) / 2 + cy * step) + y };
  }

  fit(width, height, isNarrow) {
    Object.assign(this, { width, height, radius: isNarrow ? 2.9 : 3.6, spots: [] });
  }

  /** The place of (x, y) of the plane, and whether it is outside; in the fitted view what lies outside is drawn at the edge. */
  place(x, y) {
    const px = this.look.x + x * this.look.step, py = this.look.y - y * this.look.step;
    const isOutside = px < 0 || py < 0 || px > this.width || py > this.height;
    return this.isFitted ? [clamp(px, 6, this.width - 6), clamp(py, 6, this.height - 6), isOutside] : [px, py, isOutside];
  }

  at(mark) {
    return this.place(mark.at[X], mark.at[Y]);
  }

  goal(mark) {
    return this.place(mark.to[X], mark.to[Y]);
  }

  /** @param {{label, selected, isPointed, isDim, oldTo}} view */
  draw(scene, frame, view) {
    this.context.lineCap = this.context.lineJoin = "round";
    this.drawLinks(scene, frame, view.oldTo);
    this.drawPoints(scene, frame, view);
    const { ink, accent } = this.theme, linked = scene.points.get(frame.target?.[0]);
    for (const [mark, colour] of [[scene.points.get(view.selected), ink], [linked, view.isPointed ? accent : ink]]) this.around(mark, colour, 2.25);
    this.drawNames(scene, view.label);
    if (linked && !view.isPointed) this.drawThis(...this.spot(linked), frame.target[0] + 1 === frame.now ? "this row" : "newest row");
    if (frame.before) this.drawShare(frame.before);
    else this.text("● a row that it keeps", 8, 14, { font: HEAD_FONT, colour: this.theme.muted, halo: 4 });
  }

  /** Filled where they came since a drift, hollow squares where they are from before it: told apart by more than a hue. */
  drawPoints(scene, frame, { label, isDim, oldTo }) {
    const { context, theme, radius } = this, { fresh, old } = evidenceOf(theme), { before } = frame;
    for (let i = 0; i < frame.row.length; i++) {
      const mark = scene.points.get(frame.row[i]);
      if (!mark) continue;
      mark.alpha = mark.at[THERE] * (isDim(frame.row[i]) ? DIM : 1);
      const isOld = frame.row[i] < oldTo, isChosen = label >= 0 && label < frame.n_labels && has(frame, i, label);
      // the hues of a forest's evidence: what is from before the change, and what came since
      const colour = isChosen ? chosenColour(theme) : before ? (isOld ? old : fresh) : theme.ghost;
      context.globalAlpha = 0.85 * mark.alpha;
      outlineOf(this, isOld, ...this.spot(mark), radius * (isChosen ? 1.2 : 1));
      if (!isOld) this.fill(colour);
      this.stroke(isOld ? colour : theme.surface, isOld ? 1.6 : 1);
    }
    context.globalAlpha = 1;
  }

  /** How much of what it keeps is from before a drift, and after how many rows most was new. */
  drawShare({ rows, of, drift, renewed }) {
    const part = Math.round((100 * rows) / Math.max(of, 1)), sign = markSign(drift), { fresh, old } = evidenceOf(this.theme);
    const was = [`□ ${part} % of its rows from before ${sign}`, old], gone = [`now all since ${sign}`, fresh];
    const lines = renewed ? [[`● old rows mostly gone after ${formatCount(renewed)} rows`, fresh], part ? was : gone] : [was, [`● ${100 - part} % since ${sign}`, fresh]];
    lines.forEach(([words, colour], i) => this.text(words, 8, 14 + 22 * i, { font: i ? BOLD_FONT : HEAD_FONT, colour, halo: 4 }));
  }

  /** Says which row it is that has a ring, on the side that has room. */
  drawThis(x, y, words) {
    const isLeft = x > this.width - 90, away = (isLeft ? -1 : 1) * (this.radius + RING + 6);
    this.text(words, x + away, y, { font: BOLD_FONT, align: isLeft ? "right" : "left", halo: 4 });
  }

  /** Where a mark is drawn. */
  spot(mark) {
    return this.at(mark).slice(0, 2);
  }

  /** A ring around a mark, if it is drawn. */
  around(mark, colour, width) {
    if (mark) this.haloed(() => this.circle(...this.spot(mark), this.radius + RING), colour, width, 2.5);
  }

  /** Lines to the rows that answer one, in the colour of what is from before a drift, or of what came since. */
  drawLinks(scene, { target, before, link_row, link_x, link_y }, oldTo) {
    if (!target) return;
    const at = (row, x, y) => (scene.points.get(row) ? this.at(scene.points.get(row)) : this.place(x, y)), { fresh, old } = evidenceOf(this.theme);
    const [x0, y0] = at(...target), rows = Array.from(link_row, (row, i) => [row, [x0, y0, ...at(row, link_x[i], link_y[i])]]);
    for (const isOld of [false, true]) {
      const ends = rows.filter(([row]) => row < oldTo === isOld).map(([, each]) => each);
      this.links(ends, before ? (isOld ? old : fresh) : this.theme.outline, 1.75);
    }
  }

  /** A name in the middle of each class's rows, or near it where there is room: the chosen one's first, then the heaviest; a name stays on its side,
   * and off the rings. */
  arrangeNames(scene, frame, { label, name, ringed }) {
    const means = [...scene.means.items.values()], boxes = [];
    for (const row of ringed) {
      const mark = scene.points.get(row);
      if (!mark) continue;
      const [x, y] = this.goal(mark), reach = this.radius + RING + 3;
      boxes.push([x - reach, y - reach, x + reach, y + reach]);
    }
    means.sort((a, b) => (b.id === label) - (a.id === label) || frame.rows[b.id] - frame.rows[a.id] || a.id - b.id);
    const spots = [];
    for (const mark of means) {
      const text = cut(name(mark.id), LONGEST_NAME);
      const width = this.texts.width(text, BOLD_FONT);
      const [x, y] = this.goal(mark);
      const sides = [[-width / 2, 0], [-width / 2, -15], [-width / 2, 15], [10, 0], [-10 - width, 0],
        [16, -22], [16, 22], [-16 - width, -22], [-16 - width, 22]];
      const before = this.spots[mark.id]?.side;
      const tried = [...sides.keys()].sort((a, b) => (b === before) - (a === before) || a - b);
      const free = (side) => {
        const box = [x + sides[side][0] - 2, y + sides[side][1] - 7, x + sides[side][0] + width + 2, y + sides[side][1] + 7];
        const isInside = box[0] >= 3 && box[2] <= this.width - 3 && box[1] >= 3 && box[3] <= this.height - 3;
        return isInside && boxes.every((b) => b[2] < box[0] || b[0] > box[2] || b[3] < box[1] || b[1] > box[3]) ? box : null;
      };
      const side = tried.find((each) => free(each));
      if (side === undefined) continue;
      boxes.push(free(side));
      spots[mark.id] = { side, text, width, dx: sides[side][0], dy: sides[side][1] };
    }
    this.spots = spots;
  }

  /** A thin line from the middle to a name that does not stand right beside it. */
  lead(x, y, { dx, dy, width }) {
    this.line([[x, y], [clamp(x, x + dx, x + dx + width), y + dy - 5 * Math.sign(dy)]], this.theme.ghost);
  }

  drawNames(scene, label) {
    const { theme } = this;
    this.spots.forEach((spot, k) => {
      const mark = scene.means.get(k);
      if (!spot || !mark) return;
      const [x, y] = this.at(mark);
      const isChosen = k === label;
      if (spot.side >= ASIDE) this.lead(x, y, spot);
      this.text(spot.text, x + spot.dx, y + spot.dy + 0.5, { font: BOLD_FONT, colour: isChosen ? chosenColour(theme) : theme.ink, halo: 4 });
    });
  }
}

/** The outline of a mark: a square, or a circle. */
function outlineOf(painter, isSquare, x, y, radius) {
  if (!isSquare) return painter.circle(x, y, radius);
  painter.context.beginPath();
  painter.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
}
