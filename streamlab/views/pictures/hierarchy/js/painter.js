/* Draws the classes as a tree from left to right, as an outline, or as a sunburst. All lengths are CSS pixels. */
import { formatCount } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { pushApart } from "../../../kit/js/numbers.js";
import { css, heat, inkOn } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT, fontOf } from "../../../kit/js/text.js";
import { LEAST_SIDE, SIDE_GAP, TRUNK } from "./layout.js";

/** Over this share of the picture's colours a search lays the paper. */
const DIM = 0.3;

export const score = (value) => (Number.isNaN(value) ? "–" : value.toFixed(2));
export const distanceText = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** What a painter is given: {context, theme, texts, frame, layout, lit, name, isDim, width}. */
class ClassPainter extends Painter {
  constructor({ context, ...given }) {
    super();
    this.on(context, given);
    this.rows = Array.from(this.frame.id, (_, row) => row);
    this.heaviest = this.frame.weight.reduce((most, weight) => Math.max(most, weight), 0);
  }

  /** Whether the latest instance's path, or its walk, gives the row this flag. */
  isLit(row, flag) {
    return Boolean(this.lit?.[flag][row]);
  }

  isOnPath(row) {
    return this.isLit(row, "true") || this.isLit(row, "predicted");
  }

  colour(row) {
    const hf = this.frame.hf[row];
    return Number.isNaN(hf) ? this.theme.surface : css(heat(hf));
  }

  label(row) {
    const folded = this.frame.folded[row];
    return `${this.name(row)}${folded ? ` +${formatCount(folded)}` : ""}`;
  }

  font(row) {
    return this.isOnPath(row) ? BOLD_FONT : NAME_FONT;
  }

  /** Whether a path of the latest instance ends here. */
  endsAt(row, flag) {
    return this.isLit(row, flag) && !this.rows.some((other) => this.frame.parent[other] === row && this.isLit(other, flag));
  }

  /** What became of the latest instance where its paths end, and "d 1.25" of a class that the walk compared, "≈ d 1.25" where it was too close to call. */
  said(row) {
    const isTrue = this.isLit(row, "true"), isEnd = this.endsAt(row, "true") || this.endsAt(row, "predicted");
    const became = isEnd ? [isTrue ? (this.isLit(row, "predicted") ? "✓ right" : "○ missed") : "✕ not it"] : [];
    const isNear = this.isLit(row, "compared") && !Number.isNaN(this.lit.distance[row]);
    return [...became, ...(isNear ? [`${this.isLit(row, "tied") ? "≈ " : ""}d ${distanceText(this.lit.distance[row])}`] : [])].join("  ");
  }
}

const DISC = { least: 4, most: 12, tiny: 2 };
/** Rows closer than this, px, have no names, but for the paths of the latest instance. */
export const LEGIBLE = 7;

export class TreePainter extends ClassPainter {
  /** @param {Array<[number, number]>} extra rows of further parents; @param {Array<[number, string]>} marked rows and colours */
  draw(extra, marked) {
    const { context, theme, rows } = this;
    context.lineJoin = "round";
    context.beginPath();
    for (const row of rows) this.elbow(row, 0);
    // of hundreds in a small place the lines are a haze, and the discs a strip of colours
    this.stroke(theme.edge, Math.min(1.25, Math.max(this.layout.places[0].room / LEGIBLE, 0.3)));
    if (!this.layout.narrow) this.drawExtra(extra);
    for (const [flag, colour, dash, shift] of [["true", theme.path, [], -2], ["predicted", theme.guess, [6, 4], 2]]) {
      for (const row of rows) {
        if (!this.isLit(row, flag)) continue;
        context.beginPath();
        this.elbow(row, shift);
        this.stroke(colour, 3, dash);
      }
    }
    const seen = rows.filter((row) => this.isInSight(row));
    for (const row of seen) this.drawClass(row);
    for (const [row, colour] of marked) this.outline(row, colour);
    for (const row of seen) if (this.hasName(row)) this.drawCaption(row);
  }

  hasName(row) {
    const { room, isOuter, gap } = this.layout.places[row];
    return room >= LEGIBLE || this.isOnPath(row) || (!isOuter && gap >= 2 * LEGIBLE);
  }

  isInSight(row) {
    const { y } = this.layout.places[row];
    return y > -40 && y < this.height + 40;
  }

  radius(row) {
    const { room, isOuter } = this.layout.places[row];
    const share = this.heaviest > 0 ? this.frame.weight[row] / this.heaviest : 0;
    const most = Math.min(DISC.most, Math.max(room * (isOuter ? 0.46 : 0.6), DISC.tiny)), least = Math.min(DISC.least, 0.4 * most);
    return least + (most - least) * Math.sqrt(share);
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
    const trunk = above ? from.x + TRUNK : TRUNK;
    const corner = Math.min(6, Math.abs(y - from.y) / 2);
    const [start, end, bend] = [from.y + shift, y + shift, Math.sign(y - from.y) * corner];
    context.moveTo(from.x, start);
    context.lineTo(trunk + shift - corner, start);
    context.quadraticCurveTo(trunk + shift, start, trunk + shift, start + bend);
    context.lineTo(trunk + shift, end - bend);
    context.quadraticCurveTo(trunk + shift, end, trunk + shift + corner, end);
    context.lineTo(x, end);
  }

  /** Where the trunk of the top-level classes begins. */
  middle() {
    const tops = this.layout.places.filter((_, row) => this.frame.parent[row] < 0);
    return (tops[0].y + tops[tops.length - 1].y) / 2;
  }

  drawExtra(extra) {
    const { context, layout } = this;
    context.beginPath();
    for (const [row, parent] of extra) {
      const to = layout.places[row], from = layout.places[parent];
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo((from.x + to.x) / 2, to.y, to.x, to.y);
    }
    this.stroke(this.theme.outline, 1, [2, 4]);
  }

  drawClass(row) {
    const { context, theme } = this;
    const { x, y } = this.layout.places[row];
    const r = this.radius(row);
    context.globalAlpha = this.isDim(row) ? DIM : 1;
    this.dot(x, y, r, this.colour(row));
    if (r >= 3) this.stroke(theme.outline, 1.5, Number.isNaN(this.frame.hf[row]) ? [2, 2] : []);
    // solid for the true path, dashed outside of it for the predicted one
    const isTrue = this.isLit(row, "true");
    if (isTrue) this.ring(x, y, r + 3, theme.path, 2);
    if (this.isLit(row, "predicted")) this.ring(x, y, r + 3 + (isTrue ? 2.5 : 0), theme.guess, 2, [4, 3]);
    context.globalAlpha = 1;
  }

  drawCaption(row) {
    const { x, y, isOuter } = this.layout.places[row];
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    if (isOuter) this.captionBeside(row, x, y, this.radius(row));
    else this.captionBefore(row, x, y, this.radius(row));
    this.context.globalAlpha = 1;
  }

  /** Name, hF and distance to the right of a class: numbers in columns of their own at the right edge. */
  captionBeside(row, x, y, r) {
    const { texts, theme } = this;
    const right = this.width - 10;
    const fitted = (font) => fontOf(font, Math.max(this.layout.places[row].room, LEGIBLE + 3));
    // the first says what they are
    const number = `${row === this.layout.places.findIndex((place) => place.isOuter) ? "F1 lately " : ""}${score(this.frame.hf[row])}`;
    this.note(number, right, y + 0.5, { font: fitted(SMALL_FONT), align: "right" });
    const distance = this.said(row), taken = distance ? texts.width(distance, BOLD_FONT) + 8 : 0;
    const left = x + r + 10, font = fitted(this.font(row));
    const text = texts.fit(this.label(row), font, right - 32 - taken - left);
    this.text(text, left, y + 0.5, { font });
    if (distance) this.text(distance, left + texts.width(text, font) + 8, y + 0.5, { font: fitted(BOLD_FONT), colour: theme.guess });
  }

  /** The name of an inner class over the edge that leads to it, its numbers below, where there is room. */
  captionBefore(row, x, y, r) {
    const { texts, theme, layout } = this;
    const parent = this.frame.parent[row];
    const right = x - r - 8;
    const free = right - 4 - (parent >= 0 ? layout.places[parent].x + TRUNK : TRUNK);
    const font = this.font(row);
    this.text(texts.fit(this.label(row), font, free), right, y - 6, { font, align: "right", base: "alphabetic" });
    if (layout.places[row].gap < 32) return;
    const distance = this.said(row);
    const hasRoom = distance && texts.width(distance, BOLD_FONT) + 34 <= free;
    this.note(score(this.frame.hf[row]), right, y + 6, { align: "right", base: "top" });
    if (hasRoom) this.text(distance, right - 32, y + 6, { font: BOLD_FONT, colour: theme.guess, align: "right", base: "top" });
  }

  outline(row, colour) {
    const { x, y } = this.layout.places[row], r = this.radius(row) + 6;
    this.frameAround({ x: x - r, y: y - r, width: 2 * r, height: 2 * r }, colour, 6);
  }
}

/** px of a name beside the rings, from the one above it. */
const LINE = 11;

export class SunburstPainter extends ClassPainter {
  draw(marked) {
    const { context, frame, layout, theme, rows } = this;
    context.lineJoin = "round";
    for (const row of rows) {
      const place = layout.places[row];
      this.slice(place, 0.5);
      context.globalAlpha = this.isDim(row) ? DIM : 1;
      this.fill(this.colour(row));
      context.globalAlpha = 1;
      this.stroke(theme.surface, 1);
      if (Number.isNaN(frame.hf[row])) this.outline(place, theme.outline, 1, 1.5, [2, 2]);
    }
    for (const row of rows) {
      const place = layout.places[row];
      for (const [flag, colour, inset, dash] of [["true", theme.path, 2.5, []], ["predicted", theme.guess, 6.5, [6, 4]]]) {
        if (!this.isLit(row, flag)) continue;
        this.outline(place, theme.surface, 5, inset);
        this.outline(place, colour, 3, inset, dash);
      }
    }
    const outside = rows.filter((row) => !this.write(row, layout.places[row]));
    for (const isRight of [false, true]) this.writeBeside(outside.filter((row) => layout.places[row].isOuter && Math.sin(this.middle(row)) >= 0 === isRight), isRight);
    for (const [row, colour] of marked) {
      this.outline(layout.places[row], theme.surface, 6, 0);
      this.outline(layout.places[row], colour, 3, 0);
    }
  }

  slice({ from, to, inner, outer }, inset) {
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

  outline(place, colour, width, inset, dash = []) {
    this.slice(place, inset);
    this.stroke(colour, width, dash);
  }

  middle(row) {
    const { from, to } = this.layout.places[row];
    return (from + to) / 2;
  }

  /** Names of slices without room for them, on one side of the rings, each with a line to its slice: the most frequent, if not all fit. */
  writeBeside(rows, isRight) {
    const { layout: { cx, cy, places, height }, theme, texts, width, frame: { weight } } = this;
    const rim = Math.max(0, ...rows.map((row) => places[row].outer)), way = isRight ? 1 : -1, room = width / 2 - rim - SIDE_GAP;
    if (room < LEAST_SIDE) return;
    const most = Math.floor(height / LINE), shown = [...rows].sort((a, b) => this.isOnPath(b) - this.isOnPath(a) || weight[b] - weight[a]).slice(0, most);
    const ends = shown.map((row) => [cx + rim * Math.sin(this.middle(row)), cy - rim * Math.cos(this.middle(row))]);
    const heights = pushApart(ends.map(([, y]) => y), LINE, LINE / 2, height - LINE / 2);
    shown.forEach((row, i) => {
      const x = cx + way * (rim + 14), font = this.font(row);
      this.line([ends[i], [x, heights[i]]], theme.edge);
      this.text(texts.fit(this.label(row), font, room), x + way * 4, heights[i], { font, align: isRight ? "left" : "right" });
    });
  }

  /** The name, and a distance, along the ring or across it, whichever has room. Returns whether all of the name has. */
  write(row, { from, to, inner, outer }) {
    const { frame, layout, theme, texts } = this;
    const middle = (from + to) / 2, radius = (inner + outer) / 2, thickness = outer - inner;
    // the lines of a lit slice run inside of it
    const edge = this.isLit(row, "predicted") ? 8 : this.isLit(row, "true") ? 4 : 0;
    const name = this.label(row), distance = this.said(row);
    // straight text in a bent ring: its upper corners must stay inside
    const isHigh = distance && thickness - 2 * edge > 34;
    const corner = Math.sqrt(Math.max(0, (outer - edge - 2) ** 2 - (radius + (isHigh ? 14 : 7)) ** 2));
    const along = Math.min((to - from) * radius - 12 - 2 * edge, 2 * corner), across = thickness - 10 - 2 * edge;
    const isAlong = along >= Math.min(across, texts.width(name, NAME_FONT));
    const [length, height] = isAlong ? [along, thickness - 2 * edge] : [across, (to - from) * radius - 2 * edge];
    if (height < 12) return false;
    const lines = [[name, this.font(row)], ...(distance && height > 34 ? [[distance, BOLD_FONT]] : [])]
      .map(([text, font]) => [texts.fit(text, font, length), font]).filter(([text]) => text);
    if (!lines.length || (lines[0][0] !== name && layout.cx - outer - SIDE_GAP >= LEAST_SIDE)) return false;
    const hf = frame.hf[row], colour = Number.isNaN(hf) || this.isDim(row) ? theme.ink : inkOn(heat(hf));
    const turn = isAlong ? middle : middle - Math.PI / 2, upright = Math.cos(turn) < -1e-9 ? turn + Math.PI : turn;
    this.turned(layout.cx + radius * Math.sin(middle), layout.cy - radius * Math.cos(middle), upright, () => (
      lines.forEach(([text, font], i) => this.text(text, 0, 14 * (i - (lines.length - 1) / 2), { font, colour, align: "center" }))));
    return true;
  }
}
