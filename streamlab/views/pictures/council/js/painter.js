/* Draws a council: lines of trust with names at their ends, and the table of labels. */
import { pushApart } from "../../../kit/js/apart.js";
import { ticksOf } from "../../../kit/js/axis.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign, plural } from "../../../kit/js/format.js";
import { Painter, sign } from "../../../kit/js/marks.js";
import { differing } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { colourOf, dashOf } from "./experts.js";

const TAG = 13, END_GAP = 14;

export class CouncilPainter extends Painter {
  /** The place of a row of the stream, and of a trust. */
  x(row) {
    const { lines } = this.places, { noted } = this.frame;
    const from = noted[0], to = noted[noted.length - 1];
    return lines.x + lines.width * (to > from ? (row - from) / (to - from) : 1);
  }

  y(trust) {
    const { lines } = this.places, { low, high } = this.ends;
    return lines.y + lines.height * (1 - (trust - low) / (high - low));
  }

  colour(row) {
    return colourOf(this.theme, this.frame.colour[row], this.frame.known);
  }

  /** Draws all of it; `at` has selected and pointed rows, the label pointed at, and the labels in order. */
  draw(at) {
    this.drawGrid();
    this.drawMarks();
    this.drawLines(at);
    this.drawEnds(at);
    if (!this.places.isAlone) this.drawTable(at);
  }

  /** The first of these words that has room, bold. */
  title(choices, x, y, width) {
    const words = this.texts.first(choices, BOLD_FONT, width);
    if (words) this.text(words, x, y, { font: BOLD_FONT });
  }

  drawGrid() {
    const { theme, places: { lines, ends: beyond }, ends, frame } = this, wide = lines.x + lines.width + beyond;
    this.title(frame.mean_of
      ? [`Weight of each expert, mean of ${formatCount(frame.mean_of)} rows`, "Weight of each expert"]
      : ["Trust: how much each expert counts", "Trust"], 1, 8, wide);
    const what = frame.combine === "hedge" ? ["shares: they add up to 1"] : ["what its scores are multiplied by in the council’s sum; below 0 they count against", "factor of its scores in a sum; below 0: against it"];
    if (!this.places.isAlone) this.note(this.texts.first(what, SMALL_FONT, wide) ?? "", 0, 23);
    for (let trust = ends.low; trust <= ends.high + 1e-9; trust += ends.step) {
      const y = this.y(trust), isZero = Math.abs(trust) < 1e-9;
      this.line([[lines.x, y], [lines.x + lines.width, y]], isZero ? theme.control : theme.line);
      this.note(isZero ? "0" : formatSigned(trust), lines.x - 4, y, { align: "right" });
    }
    const { noted } = frame;
    ticksOf(noted[0], noted[noted.length - 1], Math.max(2, lines.width / 54), 1).forEach((row, i) => {
      const x = this.x(row), floor = lines.y + lines.height;
      this.line([[x, floor], [x, floor + 4]], theme.control);
      const align = x > lines.x + lines.width - 24 ? "right" : x < lines.x + 12 ? "left" : "center";
      this.note(i ? formatCount(row) : `row ${formatCount(row)}`, x, floor + 12, { align });
    });
  }

  /** Dashed lines where the stream changed, or people set a mark, with their signs above; crosses where experts left. */
  drawMarks() {
    const { theme, places: { lines }, frame } = this;
    const inside = ({ row }) => row >= frame.noted[0], right = lines.x + lines.width;
    for (const mark of frame.drifts.filter(inside)) {
      const x = this.x(mark.row);
      this.line([[x, lines.y - 2], [x, lines.y + lines.height]], theme.strong, 1.2, [3, 3]);
      this.text(markSign(mark.number), clamp(x, lines.x + 7, right), lines.y - 8, { font: BOLD_FONT, align: "center" });
    }
    frame.left.filter(inside).forEach((gone, i) => {
      const x = this.x(gone.row), colour = colourOf(theme, gone.colour, frame.known);
      this.line([[x, lines.y], [x, lines.y + lines.height]], colour, 1.2);
      const words = this.texts.fit(`✕ ${gone.name} left`, NAME_FONT, lines.width);
      const isLeft = x + this.texts.width(words, NAME_FONT) + 6 > right;
      this.text(words, isLeft ? x - 5 : x + 5, lines.y + 10 + (i % 6) * 14, { colour, align: isLeft ? "right" : "left" });
    });
  }

  drawLines({ selected, pointed }) {
    const { frame, context } = this;
    const count = frame.id.length, lit = [selected, pointed].filter((row) => row >= 0);
    // those that are meant come last, above the others
    const order = [...frame.id.keys()].sort((a, b) => lit.includes(a) - lit.includes(b));
    for (const row of order) {
      context.globalAlpha = lit.length && !lit.includes(row) ? 0.4 : 1;
      const points = Array.from(frame.noted, (at, i) => [this.x(at), this.y(frame.values[i * count + row])]);
      this.line(points, this.colour(row), lit.includes(row) ? 3 : row ? 2 : 1.5, dashOf(frame.colour[row]));
    }
    context.globalAlpha = 1;
  }

  /** Names at the ends of the lines, with the numbers that the columns have. */
  drawEnds({ selected, pointed }) {
    const { frame, theme, places: { lines, ends } } = this;
    const right = lines.x + lines.width, wanted = Array.from(frame.trust, (trust) => this.y(trust));
    const gap = Math.min(END_GAP, (lines.height + 8) / Math.max(wanted.length - 1, 1));
    this.endsAt = pushApart(wanted, gap, lines.y - 4, lines.y + lines.height + 4);
    this.endsAt.forEach((y, row) => {
      this.line([[right, wanted[row]], [right + 8, y]], this.colour(row));
      this.drawTag(row, right + 9 + TAG / 2, y);
      const value = formatSigned(frame.trust[row]), font = row === selected || row === pointed ? BOLD_FONT : NAME_FONT;
      const name = this.texts.fit(frame.names[row], font, ends - TAG - 18 - this.texts.width(value, BOLD_FONT));
      const x = right + TAG + 13, colour = row ? theme.ink : theme.muted;
      this.text(name, x, y, { font, colour });
      this.text(value, x + this.texts.width(name, font) + 5, y, { font: BOLD_FONT, colour });
    });
  }

  /** The number of an expert in its colour; the labels' shares have a dot. */
  drawTag(row, x, y) {
    const { theme, frame } = this;
    if (!row) {
      this.dot(x, y, 3, this.colour(row));
      return;
    }
    this.rect(x - TAG / 2, y - TAG / 2, TAG, TAG, this.colour(row));
    this.text(`${frame.colour[row]}`, x, y + 0.5, { font: BOLD_FONT.replace("12px", frame.colour[row] > 9 ? "9px" : "10px"), colour: theme.on, align: "center" });
  }

  drawTable(at) {
    const { theme, frame, places, texts } = this;
    const { left, top, first, row: tall, rows, heat, said, names } = places;
    const count = frame.id.length, experts = count - 1;
    this.title(frame.combine === "hedge" ? ["The same by label", "The same"] : ["Trust by label", "By label"], left, top + 8, heat.cell * count + names - 8);
    if (frame.said) {
      const wide = places.width - said.x, row = `Row ${formatCount(frame.now)}`;
      this.title([`${row}: the council’s answer as scored`, `${row}, as scored`, row], said.x, top + 8, wide);
      const { answered, carried } = frame, among = (is) => at.order.filter(is).length;
      const right = among((i) => answered[i] && carried[i]), wrong = among((i) => answered[i] && !carried[i]), missed = among((i) => !answered[i] && carried[i]);
      const when = frame.has_learned ? [...(frame.more ? [] : [`${right} right, ${wrong} false, ${missed} missed; before it learned the row`]), "what each expert said before it learned the row", "what each expert said", "experts"] : ["experts: asked now", "asked now"];
      this.note(texts.first(when, SMALL_FONT, wide) ?? "", said.x, top + 23);
    }
    for (let k = 0; k < count; k++) this.drawTag(k, heat.x + (k + 0.5) * heat.cell, first - 12);
    if (frame.said) {
      for (let k = 1; k < count; k++) this.drawTag(k, said.x + (k - 0.5) * said.cell, first - 12);
      this.note(texts.first(["council", "all"], SMALL_FONT, said.cell + 6) ?? "Σ", said.end, first - 12, { colour: theme.ink, align: "right" });
    }
    at.order.slice(0, rows).forEach((i, line) => {
      const y = first + line * tall, middle = y + tall / 2;
      const font = frame.carried[i] ? BOLD_FONT : NAME_FONT;
      if (i === at.label) this.rect(left, y, (frame.said ? said.end : said.x) - left, tall - 1, theme.track);
      this.text(texts.fit(at.nameOf(i), font, names - 6), heat.x - 6, middle, { font, align: "right" });
      for (let k = 0; k < count; k++) this.rect(heat.x + k * heat.cell, y, heat.cell - 1, tall - 1, differing(theme, frame.own[i * count + k], at.end));
      if (!frame.said) return;
      for (let k = 0; k < experts; k++) this.drawScore(k, y, frame.score[i * experts + k], this.colour(k + 1), !frame.has_learned);
      this.drawScore(experts, y, frame.probability[i], theme.accent);
      if (frame.answered[i]) this.dot(said.end + 5, middle, 3.2, theme.ink);
    });
    const hidden = at.order.length - rows + frame.more;
    if (hidden > 0) {
      const more = `+ ${plural(hidden, "label")}`, words = [...(at.canFind ? [`${more}: find one by its name, or open the table`, `${more} (find one by name)`] : []), more];
      this.note(texts.first(words, SMALL_FONT, (frame.said ? said.end : said.x) - left) ?? `+ ${hidden}`, left, first + rows * tall + 7);
    }
    for (const [row, colour] of [[at.selected, theme.lit], [at.pointed, theme.accent]]) {
      if (row < 0) continue;
      const height = rows * tall + 20;
      this.frameAround({ x: heat.x + row * heat.cell - 1.5, y: first - 20, width: heat.cell + 2, height }, colour, 3);
      if (row && frame.said) this.frameAround({ x: said.x + (row - 1) * said.cell - 1.5, y: first - 20, width: said.cell + 2, height }, colour, 3);
    }
  }

  /** A bar of a score: hollow, where it is not the one that was scored. */
  drawScore(column, y, score, colour, isHollow = false) {
    const { context, theme, places: { said, row: tall } } = this;
    const x = said.x + column * said.cell, wide = said.cell - 4, high = Math.min(tall - 4, 12), above = y + (tall - 1 - high) / 2;
    this.rect(x, above, wide, high, theme.track);
    if (Number.isNaN(score)) return;
    const length = wide * clamp(score, 0, 1);
    if (!isHollow || length < 3) this.rect(x, above, length, high, colour);
    else {
      context.beginPath();
      context.rect(x + 0.75, above + 0.75, length - 1.5, high - 1.5);
      this.stroke(colour, 1.5);
    }
  }
}

/** A sign of a legend: a score. */
export const scoreSign = sign((painter, theme) => {
  painter.rect(0, 4, 18, 10, theme.track);
  painter.rect(0, 4, 11, 10, theme.ink);
});
