/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { cut, formatCount, markSign } from "../../../kit/js/format.js";
import { has } from "../../../kit/js/families.js";
import { Painter } from "../../../kit/js/marks.js";
import { evidenceOf } from "../../../kit/js/palette.js";
import { BOLD_FONT, HEAD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { X, Y } from "./scene.js";

/** px above the points, for words. */
export const HEAD = 36;
/** The line of the time since a drift is at most so long, px. */
const LINE = 320;
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

  /** The place of (x, y) of the plane; in the fitted view what lies outside is drawn at the edge. */
  place(x, y) {
    const px = this.look.x + x * this.look.step, py = this.look.y - y * this.look.step;
    return this.isFitted ? [clamp(px, 6, this.width - 6), clamp(py, 6, this.height - 6)] : [px, py];
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
    const { ink, accent, guess } = this.theme, { target } = frame, pinned = scene.points.get(view.selected), { said } = this;
    if (pinned) this.ring(this.at(pinned), ink);
    if (target) this.ring(this.placeOf(scene, target), view.isPointed ? accent : ink);
    this.drawNames(scene, view.label);
    if (said && !view.isPointed) this.text(said.words, said.x, said.y, { font: BOLD_FONT, colour: said.isWrong ? guess : ink, halo: 4 });
    if (frame.before) this.drawShare(frame.before, frame.now);
    else this.text("● a row that it keeps", 8, 14, { font: HEAD_FONT, colour: this.theme.muted, halo: 4 });
  }

  /** Where the row of the links is drawn, [number, x, y], or will be: it is one of the points, or was not learned yet. */
  placeOf(scene, [row, x, y], when = "at") {
    const mark = scene.points.get(row);
    return mark ? this[when](mark) : this.place(x, y);
  }

  /** Filled where they came since a drift, hollow squares where they are from before it: told apart by more than a hue. */
  drawPoints(scene, frame, { label, isDim, oldTo }) {
    const { context, theme, radius } = this, { fresh, old } = evidenceOf(theme), { before } = frame, linked = new Set(frame.link_row);
    for (let i = 0; i < frame.row.length; i++) {
      const mark = scene.points.get(frame.row[i]);
      if (!mark) continue;
      mark.alpha = mark.at[THERE] * (isDim(frame.row[i]) ? DIM : 1);
      const isOld = frame.row[i] < oldTo, isChosen = label >= 0 && label < frame.n_labels && has(frame, i, label);
      // the hues of a forest's evidence: what is from before the change, and what came since
      const colour = isChosen ? chosenColour(theme) : before ? (isOld ? old : fresh) : theme.ghost;
      // what is new and does not answer is only where it is
      context.globalAlpha = (isOld || isChosen || linked.has(frame.row[i]) ? 0.9 : 0.45) * mark.alpha;
      outlineOf(this, isOld, ...this.at(mark), radius * (isChosen ? 1.2 : 1));
      if (!isOld) this.fill(colour);
      this.stroke(isOld ? colour : theme.surface, isOld ? 1.6 : 1);
    }
    context.globalAlpha = 1;
  }

  /** How much of what it keeps is from before a drift; where most is new, a line as long as that took, of the time from the drift to now. */
  drawShare({ rows, of, row, renewed, drift }, now) {
    const part = Math.round((100 * rows) / Math.max(of, 1)), { fresh, old } = evidenceOf(this.theme), { texts } = this;
    const words = part ? `□ ${part} % old rows  ` : "", rest = `● ${100 - part} % new rows`;
    const font = texts.width(words + rest, HEAD_FONT) <= this.width - 16 ? HEAD_FONT : BOLD_FONT;
    // when all are new, how long that took says more
    const y = part || !renewed ? 34 : 14;
    if (y > 14) {
      this.text(words, 8, 14, { font, halo: 4, colour: old });
      this.text(rest, 8 + texts.width(words, font), 14, { font, halo: 4, colour: fresh });
    }
    if (!renewed) return;
    const end = 26 + Math.min(0.4 * this.width, LINE) * renewed / Math.max(now - row, renewed), time = `${formatCount(renewed)} rows until most`;
    this.text(markSign(drift), 8, y, { font: BOLD_FONT });
    this.rect(26, y - 3, end - 26, 6, old);
    this.text(texts.first([`${time} old ones were gone`, `${time} were new`], BOLD_FONT, this.width - end - 16) ?? "", end + 8, y, { font: BOLD_FONT, halo: 4, colour: old });
  }

  ring([x, y], colour) {
    this.haloed(() => this.circle(x, y, this.radius + RING), colour, 2.25, 2.5);
  }

  /** Lines to the rows that answer one, in the colour of what is from before a drift, or of what came since. */
  drawLinks(scene, { target, before, link_row, link_x, link_y }, oldTo) {
    if (!target) return;
    const { fresh, old } = evidenceOf(this.theme), [x0, y0] = this.placeOf(scene, target);
    const rows = Array.from(link_row, (row, i) => [row, [x0, y0, ...this.placeOf(scene, [row, link_x[i], link_y[i]])]]);
    // those that say another class are outvoted
    const by = this.said?.by ?? link_row, ends = (isOld, isHeard) => rows.filter(([row]) => row < oldTo === isOld && by.includes(row) === isHeard).map(([, each]) => each);
    for (const isOld of [false, true]) {
      this.links(ends(isOld, false), this.theme.line, 1);
      this.links(ends(isOld, true), before ? (isOld ? old : fresh) : this.theme.outline, 1.75);
    }
  }

  /** A name in the middle of each class's rows, or near it where there is room: the chosen one's first, then the heaviest; a name stays on its side,
   * and off the rings {x, y} and what is said of one of them. */
  arrangeNames(scene, frame, { label, name, rings, said = null }) {
    const reach = this.radius + RING + 3, means = [...scene.means.items.values()], boxes = rings.map(([x, y]) => [x - reach, y - reach, x + reach, y + reach]);
    this.said = said && this.beside(rings.at(-1), said);
    if (said) boxes.push([this.said.x - 2, this.said.y - 8, this.said.x + this.said.wide + 2, this.said.y + 8]);
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

  /** What is said of a row, on a side of its ring that has room, or below it. */
  beside([x, y], said) {
    const away = this.radius + RING + 6, short = said.words.split(", as ")[0], words = x + away + this.texts.width(said.words, BOLD_FONT) <= this.width - 4 ? said.words : short;
    const wide = this.texts.width(words, BOLD_FONT), [right, left] = [x + away, x - away - wide];
    if (right + wide <= this.width - 4) return { ...said, words, wide, x: right, y };
    return left >= 4 ? { ...said, words, wide, x: left, y } : { ...said, words, wide, x: clamp(x - wide / 2, 4, Math.max(4, this.width - wide - 4)), y: y + (y > this.height - 30 ? -18 : 18) };
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
