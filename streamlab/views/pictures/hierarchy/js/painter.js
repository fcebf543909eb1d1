/* Draws the classes as a tree from left to right, or as an outline, with a bar for each learner at each group of leaves. All lengths are CSS pixels. */
import { formatCount, formatSigned, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { evidenceOf, tint } from "../../../kit/js/palette.js";
import { BOLD_FONT, HEAD_FONT, NAME_FONT, fontOf } from "../../../kit/js/text.js";
import { asLine, asText } from "../../../timeline/js/colours.js";
import { HEAD, TRUNK, barsOf, headOf } from "./layout.js";
import { highest, line, lostAt, shortScore, unitsOf } from "./words.js";

/** Over this share of the picture's colours a search lays the paper. */
const DIM = 0.3;
const DOT = { inner: 4, leaf: 2.5, tiny: 1.2 };
/** Names stand this far apart, px; where rows are closer the ways of the latest row have theirs first, and not all others. */
export const LEGIBLE = 11;
/** What the bars' lines stand for. */
const LINES = [0, 0.5, 1];

/** What it is given: {context, theme, texts, frame, answers, verdicts, mark, layout, lit, name, isDim, width}. */
export class TreePainter extends Painter {
  constructor({ context, ...given }) {
    super();
    this.on(context, given);
    this.rows = Array.from(this.frame.id, (_, row) => row);
    this.bars = barsOf(this.width);
    this.nameEnd = this.bars.from - 8;
    this.units = unitsOf(this.frame);
    /** The class that lost most since the mark, as the sentence has it, and all below it. */
    this.hurt = this.frame.id.indexOf(this.frame.hurt ?? -1);
    this.isHurt = this.rows.map((row) => this.hurt >= 0 && line(this.frame, row).includes(this.hurt));
    const [best, worst] = [1, -1].map((way) => highest(this.units, this.answers, ({ hf }, row) => way * hf[row]));
    this.ends = new Map(this.hurt >= 0 ? [[this.hurt, "suffers most"]] : best === worst ? [] : [[best, "best"], [worst, "worst"]]);
    this.withName = this.named();
    this.lines = this.answers.map(({ colour }) => asLine(this.theme, colour ?? this.theme.guess));
    this.inks = this.answers.map(({ colour }) => asText(this.theme, colour ?? this.theme.guess));
  }

  /** @param {Array<[number, number]>} extra rows of further parents; @param {Array<[number, string]>} marked rows and colours */
  draw(extra, marked) {
    const { context, theme, rows, layout, lit } = this, seen = rows.filter((row) => this.isInSight(row));
    context.lineJoin = "round";
    this.units.forEach((row, i) => this.drawBand(row, i));
    this.drawHead();
    for (const isHurt of [false, true]) {
      context.beginPath();
      for (const row of rows) if (this.isHurt[row] === isHurt) this.elbow(row, 0);
      // of hundreds in a small place the lines are a haze
      this.stroke(isHurt ? theme.guess : theme.edge, Math.min(isHurt ? 2 : 1.25, Math.max(layout.places[0].room / 7, 0.3)));
    }
    if (!layout.narrow) this.drawExtra(extra);
    if (lit) {
      this.way(lit.true, theme.path, 2, 0);
      // where all is right there is one way
      lit.predicted.forEach((ids, i) => this.way(new Set([...ids].filter((id) => !lit.true.has(id))), this.lines[i], 2.5, this.answers.length > 1 ? 6 * i - 3 : 0, [7, 4]));
    }
    for (const row of seen) this.drawClass(row);
    for (const [row, colour] of marked) this.outline(row, colour);
    for (const row of seen) if (this.withName.has(row)) this.drawCaption(row);
    for (const row of this.units) if (this.isInSight(row)) this.drawBars(row, layout.places[row].y, this.tall(row));
    this.drawVerdicts();
  }

  way(ids, colour, width, shift, dash = []) {
    for (const row of this.rows) {
      if (!ids.has(this.frame.id[row])) continue;
      this.context.beginPath();
      this.elbow(row, shift);
      this.stroke(colour, width, dash);
    }
  }

  isTrue(row) {
    return Boolean(this.lit?.true.has(this.frame.id[row]));
  }

  isOnPath(row) {
    return this.isTrue(row) || Boolean(this.lit?.predicted.some((ids) => ids.has(this.frame.id[row])));
  }

  label(row) {
    const folded = this.frame.folded[row];
    return `${this.name(row)}${folded ? ` +${formatCount(folded)}` : ""}`;
  }

  font(row) {
    const { room, isOuter } = this.layout.places[row], font = (isOuter && this.isOnPath(row)) || row === this.hurt ? BOLD_FONT : NAME_FONT;
    return isOuter ? fontOf(font, Math.max(room, LEGIBLE)) : font;
  }

  /** The rows whose names have room. */
  named() {
    const { rows, layout: { places } } = this, outer = rows.filter((row) => places[row].isOuter), taken = [], isFirst = (row) => this.isOnPath(row) || this.ends.has(row);
    const inner = rows.filter((row) => !places[row].isOuter && (this.isOnPath(row) || row === this.hurt || places[row].gap >= 14));
    if (places[0].room >= LEGIBLE) return new Set([...inner, ...outer]);
    for (const row of [...outer.filter(isFirst), ...outer.filter((each) => !isFirst(each))]) {
      if (this.isOnPath(row) || taken.every((other) => Math.abs(places[other].y - places[row].y) >= LEGIBLE)) taken.push(row);
    }
    return new Set([...inner, ...taken]);
  }

  isInSight(row) {
    const { y } = this.layout.places[row];
    return y > -40 && y < this.height + 40;
  }

  radius(row) {
    const { room, isOuter } = this.layout.places[row];
    return Math.max(Math.min(isOuter && !this.layout.narrow ? DOT.leaf : DOT.inner, 0.3 * room), DOT.tiny);
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
    const trunk = above ? from.x + TRUNK + 4 : TRUNK;
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
    const { theme } = this, { x, y } = this.layout.places[row], isTrue = this.isTrue(row);
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    this.dot(x, y, this.radius(row) + isTrue, isTrue ? theme.path : this.isHurt[row] ? theme.guess : theme.edge);
    this.context.globalAlpha = 1;
  }

  /** px of height that a group takes with its leaves. */
  tall(row) {
    const { places, narrow } = this.layout;
    return places[row].room * (narrow ? 1 : Math.max(this.frame.parent.filter((parent) => parent === row).length, 1));
  }

  /** A band leads from every other group to its bars, and from what is hurt most in its colour. */
  drawBand(row, i) {
    const { x, y, isOuter } = this.layout.places[row], { theme, bars, layout } = this, isHurt = row === this.hurt, from = layout.narrow ? 0 : x + (isOuter ? -8 : TRUNK + 8);
    if (isHurt || (i % 2 && !layout.narrow)) this.rect(from, y - this.tall(row) / 2, bars.to + 8 - from, this.tall(row), isHurt ? tint(theme, theme.guess, 0.15) : tint(theme, theme.edge, 0.09));
  }

  drawCaption(row) {
    const { texts, layout: { places } } = this, { x, y, isOuter } = places[row], reach = this.radius(row), font = this.font(row), colour = row === this.hurt ? this.theme.guess : this.theme.ink;
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    if (isOuter) {
      const left = x + reach + 8, words = this.leafName(row), next = left + texts.width(words, font) + 8;
      this.text(words, left, y + 0.5, { font, colour });
      // what is in a group gives way to what is said of the latest row
      if (this.inside?.[row] && !this.verdicts.some((each) => each.row === row)) this.note(texts.fit(this.inside[row], NAME_FONT, this.nameEnd - next), next, y + 0.5, { font: NAME_FONT });
    } else {
      // the name of an inner class stands over the edge that leads to it
      const parent = this.frame.parent[row], right = x - reach - 6, free = right - 4 - (parent >= 0 ? places[parent].x + TRUNK + 4 : TRUNK);
      const name = texts.fit(this.label(row), font, free);
      this.text(name, right, y - 7, { font, colour, align: "right", base: "alphabetic", halo: 3 });
    }
    this.context.globalAlpha = 1;
  }

  leafName(row) {
    return this.texts.fit(this.label(row), this.font(row), this.nameEnd - this.layout.places[row].x - this.radius(row) - 8);
  }

  /** px from a leaf's dot to behind its name. */
  nameRoom(row) {
    return this.withName.has(row) ? 8 + this.texts.width(this.leafName(row), this.font(row)) : 0;
  }

  /** Where a score ends on the bars' scale. */
  scoreAt(score) {
    return this.bars.from + score * (this.bars.end - this.bars.from);
  }

  /** How well each learner answers a group: a bar each, the end of which was lost since the mark; behind few of them what they are, and figures. */
  drawBars(row, y, tall) {
    const { theme, answers, bars, texts, layout: { narrow } } = this, { isHurt, ends } = this;
    const high = Math.min(0.75 * tall, 22) / answers.length;
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    answers.forEach(({ hf, was }, i) => {
      const now = hf[row], before = was?.[row] ?? NaN, top = y - (high * answers.length) / 2 + i * high;
      if (before > now) this.rect(bars.from, top, this.scoreAt(before) - bars.from, high - 1, theme.ghost);
      if (!Number.isNaN(now)) this.rect(bars.from, top, this.scoreAt(now) - bars.from, high - 1, this.lines[i]);
    });
    if (ends.has(row)) {
      if (!narrow) this.text(ends.get(row), bars.end + 8, y + 0.5, { font: isHurt[row] ? BOLD_FONT : NAME_FONT, colour: isHurt[row] ? theme.guess : theme.muted });
      let x = bars.to;
      // what suffers most does so in the mean of the learners, not with each
      const figures = answers.map((answer, i) => [isHurt[row] ? formatSigned(-lostAt(answer, row)).replace("0.", ".") : shortScore(answer.hf[row]), this.inks[i]]);
      for (const [words, colour] of figures.reverse()) {
        this.text(words, x, y + 0.5, { font: BOLD_FONT, align: "right", colour });
        x -= texts.width(words, BOLD_FONT) + 7;
      }
    }
    this.context.globalAlpha = 1;
  }

  /** How much of what the learners keep is from before the mark; what the bars measure, and lines at its ends and its middle. */
  drawHead() {
    const { bars, theme, mark, layout: { narrow, height }, answers, texts } = this, y = narrow ? 7 : HEAD / 2 - 1;
    for (const at of LINES) this.line([[this.scoreAt(at), headOf(narrow) - 2], [this.scoreAt(at), narrow ? height : this.height]], theme.line);
    const before = answers.map((each) => each.before).filter(Boolean);
    if (before.length && before.length === answers.length) {
      const parts = [...new Set(before.map(({ rows, of }) => Math.round((100 * rows) / Math.max(of, 1))))].join(" and ");
      const words = `${parts} % of ${before.length > 1 ? "their" : "its"} rows are from before ${markSign(mark)}`;
      this.text(words, narrow ? 0 : 10, y, { font: narrow ? BOLD_FONT : HEAD_FONT, colour: evidenceOf(theme).old });
    }
    const isLost = answers.some(({ was }) => was && !was.every(Number.isNaN)), lost = `lost since ${markSign(mark)}`;
    if (narrow) {
      this.note(`F1 lately${isLost ? `; grey: ${lost}` : ""}`, bars.to, y + 17, { font: NAME_FONT, align: "right" });
    } else this.note("F1 lately", bars.from, y, { font: NAME_FONT });
    for (const at of LINES.slice(narrow ? 0 : 1)) this.note(`${at}`.replace("0.", "."), this.scoreAt(at), narrow ? headOf(true) - 9 : y, { align: "center" });
    if (narrow) return;
    if (!isLost) return;
    this.rect(bars.to - texts.width(lost, NAME_FONT) - 24, y - 5, 18, 10, theme.ghost);
    this.note(lost, bars.to, y, { font: NAME_FONT, align: "right" });
  }

  /** Beside the end of each way whose it is, and where it left the true one; at one place both learners in one line. Where a group is in colour, they are not. */
  drawVerdicts() {
    const { texts, theme, answers, layout: { places } } = this, taken = new Map(), wrong = this.hurt < 0 ? theme.guess : theme.ink;
    const isSame = (one, other) => one.row === other.row && one.words === other.words;
    for (const each of this.verdicts.filter((one, i, all) => all.findIndex((other) => isSame(one, other)) === i)) {
      const who = this.verdicts.filter((other) => isSame(each, other)).map(({ learner }) => learner), { row } = each;
      const { x, y, isOuter } = places[row];
      const left = taken.get(row) ?? x + this.radius(row) + (isOuter ? this.nameRoom(row) + 10 : 24), room = this.nameEnd - left;
      const name = who.length > 1 ? "both" : answers[who[0]].name, colour = who.length > 1 ? theme.ink : this.inks[who[0]];
      const parts = [[[`${name}: `, colour], [each.words, each.isRight ? theme.ink : wrong]], ...[each.words, each.short].map((text) => [[text, who.length > 1 && !each.isRight ? wrong : colour]])];
      const chosen = (answers.length > 1 ? parts : [parts[0].slice(1), ...parts.slice(1)]).find((line) => texts.width(line.map(([text]) => text).join(""), BOLD_FONT) <= room);
      let at = left;
      for (const [text, ink] of chosen ?? []) {
        this.text(text, at, y + 0.5, { font: BOLD_FONT, colour: ink, halo: isOuter ? 0 : 4 });
        at += texts.width(text, BOLD_FONT);
      }
      taken.set(row, at + 14);
    }
  }

  outline(row, colour) {
    const { x, y } = this.layout.places[row], away = this.radius(row) + 5;
    this.frameAround({ x: x - away, y: y - away, width: 2 * away, height: 2 * away }, colour, 6);
  }
}
