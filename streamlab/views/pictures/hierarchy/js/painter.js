/* Draws the classes as a tree from left to right, or as an outline, with a dot for each learner. All lengths are CSS pixels. */
import { formatCount, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { css, heat } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT, fontOf } from "../../../kit/js/text.js";
import { asLine, asText } from "../../../timeline/js/colours.js";
import { TRUNK, columnsOf } from "./layout.js";
import { highest, lostAt, shortScore } from "./words.js";

/** Over this share of the picture's colours a search lays the paper. */
const DIM = 0.3;
const DISC = { most: 6.5, inner: 7.5, tiny: 1.6 };
/** Names stand this far apart, px; where rows are closer the ways of the latest row have theirs first, and not all others. */
export const LEGIBLE = 11;
/** px of a row of names above the columns. */
export const HEAD = 24;
/** From such a loss on a family's is written. */
const LOSS = 0.1;

/** What it is given: {context, theme, texts, frame, answers, verdicts, mark, layout, lit, name, isDim, width}. */
export class TreePainter extends Painter {
  constructor({ context, ...given }) {
    super();
    this.on(context, given);
    this.rows = Array.from(this.frame.id, (_, row) => row);
    this.columns = columnsOf(this.width, this.answers.length);
    const leaves = this.rows.filter((row) => !this.frame.parent.includes(row)), families = this.rows.filter((row) => leaves.some((leaf) => this.frame.parent[leaf] === row));
    const [best, worst] = [1, -1].map((way) => highest(leaves, this.answers, ({ hf }, row) => way * hf[row]));
    /** One word each says what the colours are a scale of, where nothing else is said. */
    this.ends = new Map(best === worst ? [] : [[best, "best"], [worst, "worst"]].filter(([row]) => this.verdicts.every((each) => each.row !== row)));
    this.hurt = highest(families, this.answers, lostAt);
    this.withName = this.named();
    this.lines = this.answers.map(({ colour }) => asLine(this.theme, colour ?? this.theme.guess));
    this.inks = this.answers.map(({ colour }) => asText(this.theme, colour ?? this.theme.guess));
  }

  /** @param {Array<[number, number]>} extra rows of further parents; @param {Array<[number, string]>} marked rows and colours */
  draw(extra, marked) {
    const { context, theme, rows, layout, lit } = this;
    context.lineJoin = "round";
    context.beginPath();
    for (const row of rows) this.elbow(row, 0);
    // of hundreds in a small place the lines are a haze, and the discs a strip of colours
    this.stroke(theme.edge, Math.min(1.25, Math.max(layout.places[0].room / 7, 0.3)));
    if (!layout.narrow) this.drawExtra(extra);
    if (lit) {
      this.way(lit.true, theme.path, 5, 0);
      lit.predicted.forEach((ids, i) => this.way(ids, this.lines[i], 2.5, this.answers.length > 1 ? 10 * i - 5 : 5, [7, 4]));
    }
    const seen = rows.filter((row) => this.isInSight(row));
    for (const row of seen) this.drawClass(row);
    for (const [row, colour] of marked) this.outline(row, colour);
    for (const row of seen) if (this.hasName(row)) this.drawCaption(row);
    for (const row of seen) if (layout.places[row].isOuter) this.drawFigures(row);
    if (!layout.narrow) this.drawHeads();
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
    const { room, isOuter } = this.layout.places[row], font = this.isOnPath(row) ? BOLD_FONT : NAME_FONT;
    return isOuter ? fontOf(font, Math.max(room, LEGIBLE)) : font;
  }

  /** The rows whose names have room. */
  named() {
    const { rows, layout: { places } } = this, outer = rows.filter((row) => places[row].isOuter), taken = [], isFirst = (row) => this.isOnPath(row) || this.ends.has(row);
    const inner = rows.filter((row) => !places[row].isOuter && (this.isOnPath(row) || places[row].gap >= 14));
    if (places[0].room >= LEGIBLE) return new Set([...inner, ...outer]);
    for (const row of [...outer.filter(isFirst), ...outer.filter((each) => !isFirst(each))]) {
      if (this.isOnPath(row) || taken.every((other) => Math.abs(places[other].y - places[row].y) >= LEGIBLE)) taken.push(row);
    }
    return new Set([...inner, ...taken]);
  }

  hasName(row) {
    return this.withName.has(row);
  }

  isInSight(row) {
    const { y } = this.layout.places[row];
    return y > -40 && y < this.height + 40;
  }

  radius(row) {
    const { room, isOuter } = this.layout.places[row];
    return Math.max(isOuter ? Math.min(DISC.most, 0.42 * room) : Math.min(DISC.inner, 0.6 * room), DISC.tiny);
  }

  /** Half the width of a class's dots, which stand side by side. */
  reach(row) {
    return this.answers.length * this.radius(row);
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
    const { context, theme, answers } = this;
    const { x, y } = this.layout.places[row], r = this.radius(row);
    context.globalAlpha = this.isDim(row) ? DIM : 1;
    answers.forEach(({ hf }, i) => {
      const isKnown = !Number.isNaN(hf[row]);
      this.dot(x + (2 * i + 1 - answers.length) * r, y, r, isKnown ? css(heat(hf[row])) : theme.surface);
      if (r >= 3) this.stroke(isKnown ? theme.surface : theme.outline, 1, isKnown ? [] : [2, 2]);
    });
    context.globalAlpha = 1;
    if (this.isTrue(row)) this.capsule(row, 2, theme.path, 2);
  }

  /** A line around a class's dots. */
  capsule(row, away, colour, width) {
    const { x, y } = this.layout.places[row], high = this.radius(row) + away, wide = this.reach(row) + away;
    this.context.beginPath();
    this.context.roundRect(x - wide, y - high, 2 * wide, 2 * high, high);
    this.stroke(colour, width);
  }

  drawCaption(row) {
    const { texts, layout: { places } } = this, { x, y, isOuter, gap } = places[row], reach = this.reach(row), font = this.font(row);
    this.context.globalAlpha = this.isDim(row) ? DIM : 1;
    if (isOuter) {
      this.text(this.leafName(row), x + reach + 8, y + 0.5, { font });
      this.note(this.ends.get(row) ?? "", x + reach + 14 + texts.width(this.leafName(row), font), y + 0.5, { font: fontOf(NAME_FONT, parseFloat(font)) });
    } else {
      // the name of an inner class stands over the edge that leads to it, what was lost below it
      const parent = this.frame.parent[row], right = x - reach - 6, free = right - 4 - (parent >= 0 ? places[parent].x + TRUNK + 4 : TRUNK);
      const name = texts.fit(this.label(row), font, free);
      this.text(name, right, y - 7, { font, align: "right", base: "alphabetic", halo: 3 });
      // what is written there may cross lines, not the dots of the class above
      const above = places[parent], isNear = above && Math.abs(above.y - y - 10) < 22;
      if (gap >= 31) this.drawLosses(row, right, y + 4, above ? above.x + (isNear ? 1 : -1) * (this.reach(parent) + 4) : 4);
    }
    this.context.globalAlpha = 1;
  }

  leafName(row) {
    return this.texts.fit(this.label(row), this.font(row), this.nameEnd() - this.layout.places[row].x - this.reach(row) - 8);
  }

  /** px from a leaf's dots to behind its name, and the word that may stand there. */
  nameRoom(row) {
    const end = this.ends.get(row);
    return this.hasName(row) ? 8 + this.texts.width(this.leafName(row), this.font(row)) + (end ? 8 + this.texts.width(end, NAME_FONT) : 0) : 0;
  }

  nameEnd() {
    return this.columns[0].from - 8;
  }

  /** What each learner lost at a family since the mark, in its colour. */
  drawLosses(row, right, y, left) {
    let x = right;
    [...this.answers.entries()].reverse().forEach(([i, answer]) => {
      const loss = lostAt(answer, row), words = `−${shortScore(loss)}`;
      if (!(loss >= LOSS)) return;
      this.note(words, x, y, { align: "right", base: "top", colour: this.inks[i], halo: 3 });
      x -= this.texts.width(words, SMALL_FONT) + 6;
    });
    const words = row === this.hurt && x < right ? this.texts.first(["hurt most", "most"], BOLD_FONT, x - left) : null;
    if (words) this.text(words, x, y - 1, { font: BOLD_FONT, align: "right", base: "top", colour: this.theme.down, halo: 3 });
  }

  /** How well each learner answers a leaf: its bar, the end of which was lost since the mark, and its figure. */
  drawFigures(row) {
    const { theme, columns, answers } = this, { y, room } = this.layout.places[row];
    const high = Math.min(0.62 * room, 10);
    answers.forEach(({ hf, was }, i) => {
      const { from, to, bar } = columns[i], now = hf[row], before = was?.[row] ?? NaN, isKnown = !Number.isNaN(now);
      this.context.globalAlpha = this.isDim(row) ? DIM : 1;
      if (bar) {
        this.rect(from, y - high / 2, bar, high, theme.track);
        if (before > now) this.rect(from, y - high / 2, bar * before, high, theme.edge);
        if (isKnown) this.rect(from, y - high / 2, bar * now, high, this.lines[i]);
      }
      if (this.hasName(row)) this.note(shortScore(now), to, y + 0.5, { align: "right", colour: bar ? theme.muted : this.inks[i] });
      this.context.globalAlpha = 1;
    });
  }

  /** Whose columns they are, and how much each lost: their grey ends. */
  drawHeads() {
    const { columns, answers, texts, theme } = this, y = HEAD / 2 - 1;
    if (columns[0].bar) {
      this.note("F1 lately", columns[0].from - 12, y, { align: "right", font: NAME_FONT });
      const wide = columns[0].to - columns[0].from, names = answers.map(({ name }) => texts.fit(name, BOLD_FONT, wide));
      const said = answers.map(({ lost }) => (Math.abs(lost) >= 0.005 ? `${lost > 0 ? "lost" : "gained"} ${shortScore(Math.abs(lost))}` : ""));
      // for all learners in the same words
      const words = [said.map((each) => each && `${each} since ${markSign(this.mark)}`), said]
        .find((all) => all.every((each, i) => texts.width(names[i], BOLD_FONT) + 12 + texts.width(each, NAME_FONT) <= wide)) ?? [];
      columns.forEach(({ from, to }, i) => {
        this.text(names[i], from, y, { font: BOLD_FONT, colour: this.inks[i] });
        this.note(words[i] ?? "", to, y, { align: "right", font: NAME_FONT });
      });
    } else this.note("F1 lately", columns.at(-1).to, y, { align: "right", colour: theme.muted });
  }

  /** Beside the end of each way whose it is, and where it left the true one; at one place both learners in one line. */
  drawVerdicts() {
    const { texts, theme, answers, layout: { places } } = this, taken = new Map();
    const isSame = (one, other) => one.row === other.row && one.words === other.words;
    for (const each of this.verdicts.filter((one, i, all) => all.findIndex((other) => isSame(one, other)) === i)) {
      const who = this.verdicts.filter((other) => isSame(each, other)).map(({ learner }) => learner), { row } = each;
      const { x, y, isOuter } = places[row];
      const left = taken.get(row) ?? x + this.reach(row) + (isOuter ? this.nameRoom(row) + 10 : 24), room = this.nameEnd() - left;
      const name = who.length > 1 ? "both" : answers[who[0]].name, colour = who.length > 1 ? theme.ink : this.inks[who[0]];
      const parts = [[[`${name}: `, colour], [each.words, each.isRight ? theme.ink : theme.down]], ...[each.words, each.short, each.isRight ? "✓" : "✕"].map((text) => [[text, who.length > 1 && !each.isRight ? theme.down : colour]])];
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
    const { x, y } = this.layout.places[row], high = this.radius(row) + 6, wide = this.reach(row) + 6;
    this.frameAround({ x: x - wide, y: y - high, width: 2 * wide, height: 2 * high }, colour, 6);
  }
}
