/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { cut, markSign } from "../../../kit/js/format.js";
import { has } from "../../../kit/js/families.js";
import { Painter } from "../../../kit/js/marks.js";
import { evidenceOf } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { THERE } from "../../../kit/js/tween.js";
import { X, Y } from "./scene.js";

const LONGEST_NAME = 18;
const DIM = 0.2;
/** A ring is so much wider than its dot, px. */
const RING = 4;
/** From this one of the sides of a cross on a name is led to it by a line. */
const ASIDE = 4;
/** The colour of the label chosen, whichever it is: none that the first learners' curves have. Other classes are grey. */
export const chosenColour = (theme) => theme.hues[3];

export class ProjectionPainter extends Painter {
  spots = [];

  /** Looks through the fitted view [x, y, step] and a camera {k, x, y}. */
  lookThrough([cx, cy, step], { k, x, y }, isFitted) {
    const { width, height } = this;
    this.isFitted = isFitted;
    this.look = { step: k * step, x: k * (width / 2 - cx * step) + x, y: k * (height / 2 + cy * step) + y };
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

  /** @param {{label, name, selected, target, isDim}} view */
  draw(scene, frame, view) {
    this.context.lineCap = this.context.lineJoin = "round";
    this.drawPoints(scene, frame, view);
    if (view.target !== null) this.drawLinks(scene, frame, view);
    const means = [...scene.means.items.values()];
    for (const mark of means) if (mark.id !== view.label) this.drawCross(mark, false);
    const chosen = scene.means.get(view.label);
    if (chosen) this.drawCross(chosen, true);
    const newest = scene.points.get(frame.row[frame.row.length - 1]);
    if (view.target === null) this.around(newest, this.theme.ink, 1.5);
    for (const [row, colour] of [[view.selected, this.theme.ink], [view.target, this.theme.accent]]) this.around(scene.points.get(row), colour, 2.25);
    this.drawNames(scene, view.label);
  }

  /** Hollow and grey without the label, filled and larger with it, squares from before a drift: told apart by more than a hue. */
  drawPoints(scene, frame, view) {
    const { context, theme, radius } = this, { label, isDim } = view, { fresh, old } = evidenceOf(theme), { before } = frame;
    const filled = [];
    for (let i = 0; i < frame.row.length; i++) {
      const mark = scene.points.get(frame.row[i]);
      if (!mark) continue;
      mark.alpha = mark.at[THERE] * (isDim(frame.row[i]) ? DIM : 1);
      const isOld = frame.row[i] < view.oldTo;
      if (label < frame.n_labels && has(frame, i, label)) {
        filled.push([mark, isOld]);
        continue;
      }
      context.globalAlpha = 0.8 * mark.alpha;
      outlineOf(this, isOld, ...this.spot(mark), radius * 0.8);
      // the hues of a forest's evidence: what is from before the change, and what came since
      this.stroke(before ? (isOld ? old : fresh) : theme.ghost, before ? 1.5 : 1);
    }
    for (const [mark, isOld] of filled) {
      context.globalAlpha = 0.9 * mark.alpha;
      outlineOf(this, isOld, ...this.spot(mark), radius * 1.3);
      this.fill(chosenColour(theme));
      this.stroke(theme.surface);
    }
    context.globalAlpha = 1;
    if (!before) return;
    const part = Math.round((100 * before.rows) / Math.max(before.of, 1)), sign = markSign(before.drift);
    this.text(`□ ${part} % of its rows are from before ${sign}`, 8, 14, { font: BOLD_FONT, colour: old, halo: 4 });
    this.text(`○ ${100 - part} % since ${sign}`, 8, 32, { font: BOLD_FONT, colour: fresh, halo: 4 });
  }

  /** Where a mark is drawn. */
  spot(mark) {
    return this.at(mark).slice(0, 2);
  }

  /** A ring around a mark, if it is drawn. */
  around(mark, colour, width) {
    if (mark) this.haloed(() => this.circle(...this.spot(mark), this.radius + RING), colour, width, 2.5);
  }

  /** Thin lines to all neighbours, thick ones in its colour to those of the label chosen. */
  drawLinks(scene, frame, { target, label }) {
    if (frame.target?.[0] !== target) return;
    const chosen = chosenColour(this.theme);
    const centre = scene.points.get(target);
    const [x0, y0] = centre ? this.at(centre) : this.place(...frame.target.slice(1));
    const ends = [[], []];
    for (let i = 0; i < frame.link_row.length; i++) {
      const mark = scene.points.get(frame.link_row[i]);
      ends[frame.link_label[i] === label ? 1 : 0].push(mark ? this.at(mark) : this.place(frame.link_x[i], frame.link_y[i]));
    }
    [[this.theme.link, 1], [chosen, 2]].forEach(([colour, width], isChosen) => (
      this.links(ends[isChosen].map(([x, y]) => [x0, y0, x, y]), colour, width)));
    for (const [x, y] of ends[1]) this.ring(x, y, this.radius + 3, chosen, 2);
  }

  drawCross(mark, isChosen) {
    const { theme } = this, [x, y] = this.at(mark), arm = isChosen ? 8 : 6;
    const arms = [[x - arm, y, x + arm, y], [x, y - arm, x, y + arm]];
    this.links(arms, theme.surface, isChosen ? 7 : 5);
    this.links(arms, isChosen ? chosenColour(theme) : theme.outline, isChosen ? 3.5 : 2);
  }

  /** A name beside each cross where there is room: the chosen label's first, then the heaviest; a name stays on its side, and off the rings. */
  arrangeNames(scene, frame, { label, name, ringed }) {
    const means = [...scene.means.items.values()];
    const boxes = means.map((mark) => {
      const [x, y] = this.goal(mark);
      return [x - 6, y - 6, x + 6, y + 6];
    });
    for (const row of ringed) {
      const mark = scene.points.get(row);
      if (!mark) continue;
      const [x, y] = this.goal(mark), reach = this.radius + RING + 3;
      boxes.push([x - reach, y - reach, x + reach, y + reach]);
    }
    means.sort((a, b) => (b.id === label) - (a.id === label) || frame.weight[b.id] - frame.weight[a.id] || a.id - b.id);
    const spots = [];
    for (const mark of means) {
      const text = cut(name(mark.id), LONGEST_NAME);
      const width = this.texts.width(text, mark.id === label ? BOLD_FONT : NAME_FONT);
      const [x, y] = this.goal(mark);
      const sides = [[10, 0], [-10 - width, 0], [-width / 2, -15], [-width / 2, 15], [8, -12], [8, 12], [-8 - width, -12], [-8 - width, 12],
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

  /** A thin line from a cross to a name that does not stand right beside it. */
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
      this.text(spot.text, x + spot.dx, y + spot.dy + 0.5, { font: isChosen ? BOLD_FONT : NAME_FONT, colour: isChosen ? theme.ink : theme.muted, halo: 4 });
    });
  }
}

/** The outline of a mark: a square, or a circle. */
function outlineOf(painter, isSquare, x, y, radius) {
  if (!isSquare) return painter.circle(x, y, radius);
  painter.context.beginPath();
  painter.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
}
