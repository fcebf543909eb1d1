/* Draws naive Bayes: the classes with their colours, strips of curves, and what decided the latest row. */
import { formatCount, formatNumber, markSign, plural, several } from "../../../kit/js/format.js";
import { PartPainter } from "../../../kit/js/marks.js";
import { hue, tint } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { answeredOf, curvesOf, density, stepsOf, stripScale, verdict } from "./scene.js";

/** What stands in a strip above and below its curves: its name; the means, and the ends of its scale. */
const NAME = 15, MEANS = 8, ENDS = 20;
const BEHIND = 0.5, PALE = 0.16, POINTS = 72;
/** Beyond so many classes colours repeat, and curves are dashed. */
const DASHES = [[], [6, 3], [2, 2]];

export class GaussiansPainter extends PartPainter {
  colour(id) {
    return hue(this.theme, id);
  }

  dashes(id) {
    return DASHES[Math.floor(id / this.theme.hues.length) % DASHES.length];
  }

  draw() {
    const { view } = this;
    const at = { chosen: view.rowOf(view.selected), rival: view.rival, pointed: view.pointed, strip: view.piece, nameOf: (row) => view.nameOf(row), isDim: (row) => view.isDim(view.idOf(row)) };
    this.drawStrips(at);
    this.drawList(at);
    this.compare(at);
  }

  /** How strongly a class is drawn: the two that are compared stand out, above all where one of them was chosen. */
  weight({ chosen, rival, isDim }, row) {
    if (isDim(row)) return PALE;
    const isCompared = rival < 0 ? chosen < 0 || row === chosen : row === rival || row === answeredOf(this.frame);
    return isCompared ? 1 : chosen < 0 ? BEHIND : PALE;
  }

  drawStrips(at) {
    const { frame, places: { area, boxes } } = this, count = boxes.length;
    const rest = frame.hidden ? ` (${count} of ${formatCount(count + frame.hidden)} features)` : "";
    const all = `Where each ${frame.noun} has its values`;
    this.title([`${all}: what tells the ${several(frame.noun)} apart best${rest}`, `${all}${rest}`, all], area);
    boxes.forEach((box, strip) => this.drawStrip(at, box, strip));
  }

  /** The scale of a strip, and where its curves stand. */
  scaleOf(strip) {
    const box = this.places.boxes[strip], curves = curvesOf(this.frame, strip), value = this.frame.value[strip];
    const scale = stripScale(curves, value), floor = box.y + box.height - MEANS - ENDS, ceiling = box.y + NAME + 3;
    const place = (x) => box.x + 4 + ((box.width - 8) * (x - scale.low)) / (scale.high - scale.low);
    const y = (height) => floor - Math.min(height / scale.top, 1.2) * (floor - ceiling);
    return { ...scale, box, curves, value, floor, ceiling, place, y };
  }

  drawStrip(at, box, strip) {
    const { theme, frame, texts } = this;
    const scale = this.scaleOf(strip), { curves, value, floor, ceiling, place } = scale;
    const name = at.strip === strip ? BOLD_FONT : NAME_FONT;
    const share = `${Math.round(100 * frame.between[strip])} % between ${several(frame.noun)}`, room = box.width - texts.width(share, SMALL_FONT) - 10;
    this.text(texts.fit(frame.names[frame.strip[strip]], name, room), box.x, box.y + 7, { font: name });
    this.note(share, box.x + box.width, box.y + 7, { align: "right" });
    // what stands out is painted last
    const order = [...curves.keys()].sort((a, b) => (a === at.chosen) - (b === at.chosen) || (a === at.pointed) - (b === at.pointed));
    this.within(box.x, ceiling, box.width, floor - ceiling + MEANS, () => order.forEach((row) => this.drawCurve(at, row, scale)));
    this.rect(box.x, floor, box.width, 1, theme.control);
    for (const row of order) this.drawMean(at, row, scale);
    const y = floor + MEANS + 6;
    const ends = [scale.low, scale.high].map(formatNumber), widths = ends.map((end) => texts.width(end, SMALL_FONT) + 8);
    const end = (side) => this.note(ends[side], box.x + side * box.width, y, { align: side ? "right" : "left" });
    if (Number.isNaN(value)) {
      [0, 1].forEach(end);
      return;
    }
    const x = scale.beyond ? (scale.beyond < 0 ? box.x + 2 : box.x + box.width - 2) : place(value);
    this.upright(x, ceiling - 2, floor + MEANS, theme.strong, 1.5);
    const words = `${scale.beyond < 0 ? "← " : ""}${formatNumber(value)}${scale.beyond > 0 ? " →" : ""}`, half = texts.width(words, SMALL_FONT) / 2;
    const middle = Math.min(Math.max(x, box.x + half), box.x + box.width - half);
    this.text(words, middle, y, { font: SMALL_FONT, align: "center" });
    // an end of the scale gives way to the value
    if (middle - half > box.x + widths[0]) end(0);
    if (middle + half < box.x + box.width - widths[1]) end(1);
  }

  traceCurve({ box, low, high, place, y }, { mean, deviation }) {
    if (!(deviation > 0)) {
      // all values were the same
      this.trace([[place(mean), y(0)], [place(mean), box.y]]);
      return;
    }
    // fine where the curve is, so that a narrow one has its peak
    const at = new Set([low, high]);
    for (let i = 0; i <= POINTS; i++) at.add(low + ((high - low) * i) / POINTS);
    for (let i = -20; i <= 20; i++) at.add(mean + (i / 5) * deviation);
    const points = [...at].filter((x) => x >= low && x <= high).sort((a, b) => a - b);
    this.trace(points.map((x) => [place(x), y(density(mean, deviation, x))]));
  }

  drawCurve(at, row, scale) {
    const { context } = this, curve = scale.curves[row], id = this.frame.id[row], colour = this.colour(id);
    if (!Number.isFinite(curve.mean)) return;
    const isOut = row === at.chosen || row === at.pointed;
    context.globalAlpha = row === at.pointed ? 1 : this.weight(at, row);
    this.traceCurve(scale, curve);
    this.stroke(colour, isOut ? 2.5 : this.weight(at, row) < 1 ? 1.25 : 2, this.dashes(id));
    if (curve.deviation > 0) {
      context.lineTo(scale.place(scale.high), scale.floor);
      context.lineTo(scale.place(scale.low), scale.floor);
      context.globalAlpha *= isOut ? 0.22 : 0.08;
      this.fill(colour);
    }
    context.globalAlpha = 1;
    if (!curve.before || !isOut) return;
    this.traceCurve(scale, curve.before);
    this.stroke(colour, 1.25, [3, 3]);
  }

  /** A dot at a mean, with a line from where it was at the mark. */
  drawMean(at, row, { curves, low, high, place, floor }) {
    const { context } = this, { mean, before } = curves[row], colour = this.colour(this.frame.id[row]), y = floor + MEANS / 2 + 1;
    if (!(mean >= low && mean <= high)) return;
    context.globalAlpha = this.weight(at, row);
    if (before) {
      const from = place(Math.min(Math.max(before.mean, low), high));
      this.rect(Math.min(from, place(mean)), y - 1, Math.abs(place(mean) - from), 2, colour);
    }
    this.dot(place(mean), y, 3, colour);
    context.globalAlpha = 1;
  }

  drawList(at) {
    const { context, theme, frame, texts, places: { list, head } } = this, { nameOf, chosen, pointed } = at;
    const isSaid = !Number.isNaN(frame.score[0] ?? NaN);
    const latest = `Row ${formatCount(frame.now)}, asked again`;
    this.title(isSaid ? [`${latest}: how likely each ${frame.noun} is`, latest] : [`The ${several(frame.noun)}`], list);
    const longest = Math.max(0, ...Array.from(frame.id, (_, row) => texts.width(nameOf(row), BOLD_FONT))), names = Math.min(longest, list.width * 0.42);
    const from = list.x + 30 + names + 8, room = list.x + list.width - 50 - from;
    frame.id.forEach((id, row) => {
      const y = list.y + head + row * list.row, middle = y + list.row / 2, font = frame.carried[row] ? BOLD_FONT : NAME_FONT;
      context.globalAlpha = at.isDim(row) ? 0.3 : 1;
      this.swatch(id, list.x + 3, middle);
      if (frame.answered[row]) this.dot(list.x + 24, middle, 2.6, theme.ink);
      this.text(texts.fit(nameOf(row), font, names), list.x + 30, middle, { font });
      this.rect(from, y + 3, Math.max(room * (isSaid ? frame.score[row] : frame.share[row]), 1), list.row - 6, tint(theme, this.colour(id), 0.35));
      this.text(percent(isSaid ? frame.score[row] : frame.share[row]), list.x + list.width, middle, { align: "right", colour: theme.muted });
      context.globalAlpha = 1;
    });
    for (const [row, colour] of [[chosen, theme.lit], [pointed, theme.accent]]) {
      if (row < 0) continue;
      this.box(list.x + 1, list.y + head + row * list.row - 0.5, list.width - 2, list.row, colour);
    }
    if (frame.more) this.note(`+ ${plural(frame.more, frame.noun)} ${isSaid ? "less likely" : "of fewer rows"}`, list.x, list.y + head + (frame.id.length + 0.5) * list.row);
  }

  swatch(id, x, y) {
    this.line([[x, y], [x + 14, y]], this.colour(id), 4, this.dashes(id));
  }

  compare({ rival, nameOf }) {
    const { frame, places: { sum, head } } = this;
    if (rival < 0) return;
    const answer = nameOf(answeredOf(frame)), other = nameOf(rival);
    this.title([`What speaks for ${answer} against ${other}, in log-likelihood`, `What speaks for ${answer} against ${other}`, `For ${answer} against ${other}`, `${answer} against ${other}`, answer], sum);
    const decided = verdict(frame, rival, nameOf), [up, down] = [answeredOf(frame), rival].map((row) => this.colour(frame.id[row]));
    this.drawSum(sum, head, stepsOf(frame, rival), { behind: " −0.00", number: 54, decided, brief: decided.replace(/, its class$/, ""), up, down });
  }
}

const percent = (share) => (share > 0.9995 ? "100 %" : share < 0.0005 ? "0 %" : `${(100 * share).toFixed(1)} %`);

export const sinceOf = ({ marked }) => (marked ? markSign(marked.number) : "");
