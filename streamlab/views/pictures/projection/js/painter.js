/* Draws a scene. All lengths are CSS pixels. */
import { clamp } from "../../../kit/js/dom.js";
import { cut } from "../../../kit/js/format.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { THERE, TRAIL, X, Y, has } from "./scene.js";

/** Places of its trail that are drawn of a class that is not chosen. */
const SHORT_TRAIL = 8;
export const LONGEST_NAME = 18;
const DIM = 0.2;
/** A ring is so much wider than its dot, px. */
const RING = 4;
/** From this one of the sides of a cross on a name is led to it by a line. */
const ASIDE = 4;
const DIRECTIONS = "across and up: the two directions that separate the classes best";
/** The colour of the label chosen, whichever it is: none that the first learners' curves have. Other classes are grey. */
export const chosenColour = (theme) => theme.hues[3];

export class Painter {
  constructor(texts) {
    this.texts = texts;
    this.spots = [];
  }

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

  /** @param {{theme, label, name, fitMeans, selected, target, isDim}} view */
  draw(context, scene, frame, view) {
    Object.assign(this, { context, theme: view.theme });
    context.lineCap = context.lineJoin = "round";
    this.drawPoints(scene, frame, view);
    if (view.target !== null) this.drawLinks(scene, frame, view);
    const means = [...scene.means.items.values()];
    for (const mark of means) this.drawTrail(scene.trails[mark.id], mark, mark.id === view.label);
    for (const mark of means) if (mark.id !== view.label) this.drawCross(mark, false);
    const chosen = scene.means.get(view.label);
    if (chosen) this.drawCross(chosen, true);
    const newest = scene.points.get(frame.row[frame.row.length - 1]);
    const rings = (view.target === null ? [newest] : [view.selected, view.target].map((row) => scene.points.get(row))).filter(Boolean);
    this.write(DIRECTIONS, rings.map((mark) => this.at(mark)));
    if (newest && view.target === null) this.ring(newest, this.theme.ink, 1.5);
    for (const [row, colour] of [[view.selected, this.theme.ink], [view.target, this.theme.accent]]) {
      const mark = scene.points.get(row);
      if (mark) this.ring(mark, colour, 2.25);
    }
    this.drawNames(scene, view.label);
  }

  /** What the axes are, below on the left, or on the right where a ring would lie on it; where there is room. */
  write(text, rings) {
    const { context, theme, height } = this, wide = this.texts.width(text, SMALL_FONT);
    const left = placeOfLine(wide, this.width, height, rings);
    if (left === null) return;
    Object.assign(context, { font: SMALL_FONT, textAlign: "left", textBaseline: "alphabetic", fillStyle: theme.muted, strokeStyle: theme.surface, lineWidth: 3 });
    context.strokeText(text, left, height - 8);
    context.fillText(text, left, height - 8);
  }

  /** Hollow and grey without the label, filled and larger with it: told apart by more than a hue. */
  drawPoints(scene, frame, { label, fitMeans, isDim }) {
    const { context, theme, radius } = this;
    const filled = [];
    context.strokeStyle = theme.ghost;
    context.lineWidth = 1;
    for (let i = 0; i < frame.row.length; i++) {
      const mark = scene.points.get(frame.row[i]);
      // of all instances the farthest few stand at the edge; beside the means, all that are outside would
      if (!mark || (fitMeans && this.at(mark)[2])) continue;
      mark.alpha = mark.at[THERE] * (isDim(frame.row[i]) ? DIM : 1);
      if (label < frame.n_labels && has(frame, i, label)) {
        filled.push(mark);
        continue;
      }
      this.dot(mark, radius * 0.8);
      context.globalAlpha = 0.8 * mark.alpha;
      context.stroke();
    }
    context.fillStyle = chosenColour(theme);
    context.strokeStyle = theme.surface;
    for (const mark of filled) {
      this.dot(mark, radius * 1.3);
      context.globalAlpha = 0.9 * mark.alpha;
      context.fill();
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  dot(mark, radius) {
    const [x, y] = this.at(mark);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  ring(mark, colour, width) {
    const { context, theme, radius } = this;
    for (const [style, thickness] of [[theme.surface, width + 2.5], [colour, width]]) {
      this.dot(mark, radius + RING);
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
    const [x0, y0] = centre ? this.at(centre) : this.place(...frame.target.slice(1));
    const ends = [[], []];
    for (let i = 0; i < frame.link_row.length; i++) {
      const mark = scene.points.get(frame.link_row[i]);
      ends[frame.link_label[i] === label ? 1 : 0].push(mark ? this.at(mark) : this.place(frame.link_x[i], frame.link_y[i]));
    }
    [[theme.link, 1], [chosenColour(theme), 2]].forEach(([colour, width], isChosen) => {
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
  drawTrail(trail, mark, isChosen) {
    const { context, theme } = this;
    const length = isChosen ? TRAIL : SHORT_TRAIL;
    const places = [...trail.slice(-length).map(([x, y]) => this.place(x, y)), this.at(mark)];
    context.strokeStyle = isChosen ? chosenColour(theme) : theme.ghost;
    context.lineWidth = isChosen ? 2.5 : 1;
    for (let i = 1; i < places.length; i++) {
      context.globalAlpha = (isChosen ? 0.95 : 0.6) * ((i + length - places.length + 1) / length) ** 1.5;
      context.beginPath();
      context.moveTo(places[i - 1][0], places[i - 1][1]);
      context.lineTo(places[i][0], places[i][1]);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawCross(mark, isChosen) {
    const { context, theme } = this;
    const [x, y] = this.at(mark);
    const arm = isChosen ? 8 : 6;
    for (const [style, width] of [[theme.surface, isChosen ? 7 : 5], [isChosen ? chosenColour(theme) : theme.outline, isChosen ? 3.5 : 2]]) {
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
    const { context } = this;
    context.strokeStyle = this.theme.ghost;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(clamp(x, x + dx, x + dx + width), y + dy - 5 * Math.sign(dy));
    context.stroke();
  }

  drawNames(scene, label) {
    const { context, theme } = this;
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.spots.forEach((spot, k) => {
      const mark = scene.means.get(k);
      if (!spot || !mark) return;
      const [x, y] = this.at(mark);
      context.font = k === label ? BOLD_FONT : NAME_FONT;
      if (spot.side >= ASIDE) this.lead(x, y, spot);
      context.strokeStyle = theme.surface;
      context.lineWidth = 4;
      context.strokeText(spot.text, x + spot.dx, y + spot.dy + 0.5);
      context.fillStyle = k === label ? theme.ink : theme.muted;
      context.fillText(spot.text, x + spot.dx, y + spot.dy + 0.5);
    });
  }
}

/** Where a line of text at the foot begins so that no ring [x, y] lies on it: on the left, else on the right; null without room. */
export function placeOfLine(wide, width, height, rings) {
  if (wide > width - 16) return null;
  const covers = (left) => rings.some(([x, y]) => y > height - 28 && x > left - 12 && x < left + wide + 12);
  return [8, width - 8 - wide].find((left) => !covers(left)) ?? 8;
}

/** Signs of the legend. */
export const signs = {
  dot: (isFilled) => (context, theme) => {
    context.beginPath();
    context.arc(9, 9, isFilled ? 4.5 : 3, 0, 2 * Math.PI);
    context.fillStyle = chosenColour(theme);
    context.strokeStyle = theme.ghost;
    if (isFilled) context.fill();
    else context.stroke();
  },

  cross: (context, theme) => {
    context.strokeStyle = theme.outline;
    context.lineWidth = 2;
    context.beginPath();
    for (const [x0, y0, x1, y1] of [[4, 9, 14, 9], [9, 4, 9, 14]]) {
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
    }
    context.stroke();
  },

  ring: (context, theme) => {
    context.strokeStyle = theme.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(9, 9, 6.5, 0, 2 * Math.PI);
    context.stroke();
  },
};
