/* Draws a council: lines of trust with names at their ends, and the table of labels. */
import { pushApart } from "../../../kit/js/apart.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, numbered, plural } from "../../../kit/js/format.js";
import { differing } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { colourOf, dashOf } from "./experts.js";
import { rowTicks } from "./scene.js";

const TAG = 13, END_GAP = 14;

export class Painter {
  constructor(texts) {
    this.texts = texts;
  }

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

  /** Draws all of it; `at` has selected and pointed rows, the label pointed at, and the labels in order. */
  draw(context, at) {
    this.drawGrid(context);
    this.drawMarks(context);
    this.drawLines(context, at);
    this.drawEnds(context, at);
    this.drawTable(context, at);
  }

  text(context, words, x, y, { font = SMALL_FONT, colour = this.theme.muted, align = "left", base = "middle" } = {}) {
    context.font = font;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = base;
    context.fillText(words, x, y);
  }

  stroke(context, colour, thickness, dash, points) {
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    context.setLineDash(dash);
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    context.setLineDash([]);
  }

  drawGrid(context) {
    const { theme, places: { lines, ends: beyond }, ends, frame } = this;
    const titles = frame.mean_of
      ? [`Weight of each expert, mean of ${formatCount(frame.mean_of)} rows`, "Weight of each expert"]
      : ["Trust: how much each expert counts", "Trust"];
    this.text(context, this.texts.first(titles, BOLD_FONT, lines.x + lines.width + beyond), 0, 8, { font: BOLD_FONT, colour: theme.ink });
    const what = frame.combine === "hedge" ? ["shares: they add up to 1"] : ["what its scores are multiplied by in the council’s sum; below 0 they count against", "factor of its scores in a sum; below 0: against it"];
    this.text(context, this.texts.first(what, SMALL_FONT, lines.x + lines.width + beyond) ?? "", 0, 23);
    for (let trust = ends.low; trust <= ends.high + 1e-9; trust += ends.step) {
      const y = this.y(trust), isZero = Math.abs(trust) < 1e-9;
      this.stroke(context, isZero ? theme.control : theme.line, 1, [], [[lines.x, y], [lines.x + lines.width, y]]);
      this.text(context, isZero ? "0" : formatSigned(trust), lines.x - 4, y, { align: "right" });
    }
    const { noted } = frame;
    const ticks = rowTicks(noted[0], noted[noted.length - 1], Math.max(2, lines.width / 54));
    for (const row of ticks) {
      const x = this.x(row);
      this.stroke(context, theme.control, 1, [], [[x, lines.y + lines.height], [x, lines.y + lines.height + 4]]);
      const align = x > lines.x + lines.width - 24 ? "right" : x < lines.x + 12 ? "left" : "center";
      this.text(context, row === ticks[0] ? `row ${formatCount(row)}` : formatCount(row), x, lines.y + lines.height + 12, { align });
    }
  }

  /** Dashed lines where the stream changed, or people set a mark, with their signs above; crosses where experts left. */
  drawMarks(context) {
    const { theme, places: { lines }, frame } = this;
    const inside = ({ row }) => row >= frame.noted[0];
    for (const mark of frame.drifts.filter(inside)) {
      const x = this.x(mark.row);
      this.stroke(context, theme.strong, 1.2, [3, 3], [[x, lines.y - 2], [x, lines.y + lines.height]]);
      this.text(context, mark.number ? numbered(mark.number) : "▲", clamp(x, lines.x + 7, lines.x + lines.width), lines.y - 8, { font: BOLD_FONT, colour: theme.ink, align: "center" });
    }
    let taken = 0;
    for (const gone of frame.left.filter(inside)) {
      const x = this.x(gone.row), y = lines.y + 10 + (taken++ % 6) * 14, colour = colourOf(theme, gone.colour, frame.known);
      this.stroke(context, colour, 1.2, [], [[x, lines.y], [x, lines.y + lines.height]]);
      const words = this.texts.fit(`✕ ${gone.name} left`, NAME_FONT, lines.width);
      const isLeft = x + this.texts.width(words, NAME_FONT) + 6 > lines.x + lines.width;
      this.text(context, words, isLeft ? x - 5 : x + 5, y, { font: NAME_FONT, colour, align: isLeft ? "right" : "left" });
    }
  }

  drawLines(context, { selected, pointed }) {
    const { frame, theme } = this;
    const count = frame.id.length, lit = [selected, pointed].filter((row) => row >= 0);
    // those that are meant come last, above the others
    const order = [...frame.id.keys()].sort((a, b) => lit.includes(a) - lit.includes(b));
    for (const row of order) {
      context.globalAlpha = lit.length && !lit.includes(row) ? 0.4 : 1;
      const points = Array.from(frame.noted, (at, i) => [this.x(at), this.y(frame.values[i * count + row])]);
      this.stroke(context, colourOf(theme, frame.colour[row], frame.known), lit.includes(row) ? 3 : row ? 2 : 1.5, dashOf(frame.colour[row]), points);
    }
    context.globalAlpha = 1;
  }

  /** Names at the ends of the lines, with the numbers that the columns have. */
  drawEnds(context, { selected, pointed }) {
    const { frame, theme, places: { lines, ends } } = this;
    const right = lines.x + lines.width, wanted = Array.from(frame.trust, (trust) => this.y(trust));
    const gap = Math.min(END_GAP, (lines.height + 8) / Math.max(wanted.length - 1, 1));
    this.endsAt = pushApart(wanted, gap, lines.y - 4, lines.y + lines.height + 4);
    this.endsAt.forEach((y, row) => {
      const colour = colourOf(theme, frame.colour[row], frame.known), isLit = row === selected || row === pointed;
      this.stroke(context, colour, 1, [], [[right, wanted[row]], [right + 8, y]]);
      this.drawTag(context, row, right + 9 + TAG / 2, y);
      const value = formatSigned(frame.trust[row]), font = isLit ? BOLD_FONT : NAME_FONT;
      const wide = ends - TAG - 18 - this.texts.width(value, BOLD_FONT);
      const name = this.texts.fit(frame.names[row], font, wide);
      const x = right + TAG + 13;
      this.text(context, name, x, y, { font, colour: row ? theme.ink : theme.muted });
      this.text(context, value, x + this.texts.width(name, font) + 5, y, { font: BOLD_FONT, colour: row ? theme.ink : theme.muted });
    });
  }

  /** The number of an expert in its colour; the labels' shares have a dot. */
  drawTag(context, row, x, y) {
    const { theme, frame } = this;
    context.fillStyle = colourOf(theme, frame.colour[row], frame.known);
    if (!row) {
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.fill();
      return;
    }
    context.fillRect(x - TAG / 2, y - TAG / 2, TAG, TAG);
    this.text(context, `${frame.colour[row]}`, x, y + 0.5, { font: BOLD_FONT.replace("12px", frame.colour[row] > 9 ? "9px" : "10px"), colour: theme.on, align: "center" });
  }

  drawTable(context, at) {
    const { theme, frame, places, texts } = this;
    const { left, top, first, row: tall, rows, heat, said, names } = places;
    const count = frame.id.length, experts = count - 1;
    const title = (words, x, width) => this.text(context, texts.fit(words, BOLD_FONT, width), x, top + 8, { font: BOLD_FONT, colour: theme.ink });
    title(texts.first(frame.combine === "hedge" ? ["The same by label", "The same"] : ["Trust by label", "By label"], BOLD_FONT, heat.cell * count + names - 8) ?? "", left, heat.cell * count + names);
    if (frame.said) {
      const wide = places.width - said.x, row = `Row ${formatCount(frame.now)}`;
      title(texts.first([`${row}: the council’s answer as scored`, `${row}, as scored`, row], BOLD_FONT, wide) ?? "", said.x, wide);
      const { answered, carried } = frame, among = (is) => at.order.filter(is).length;
      const right = among((i) => answered[i] && carried[i]), wrong = among((i) => answered[i] && !carried[i]), missed = among((i) => !answered[i] && carried[i]);
      const when = frame.has_learned ? [...(frame.more ? [] : [`${right} right, ${wrong} false, ${missed} missed; before it learned the row`]), "what each expert said before it learned the row", "what each expert said", "experts"] : ["experts: asked now", "asked now"];
      this.text(context, texts.first(when, SMALL_FONT, wide) ?? "", said.x, top + 23);
    }
    for (let k = 0; k < count; k++) this.drawTag(context, k, heat.x + (k + 0.5) * heat.cell, first - 12);
    if (frame.said) {
      for (let k = 1; k < count; k++) this.drawTag(context, k, said.x + (k - 0.5) * said.cell, first - 12);
      const words = texts.first(["council", "all"], SMALL_FONT, said.cell + 6) ?? "Σ";
      this.text(context, words, said.end, first - 12, { colour: theme.ink, align: "right" });
    }
    at.order.slice(0, rows).forEach((i, line) => {
      const y = first + line * tall, middle = y + tall / 2, isLit = i === at.label;
      const font = frame.carried[i] ? BOLD_FONT : NAME_FONT;
      if (isLit) {
        context.fillStyle = theme.track;
        context.fillRect(left, y, (frame.said ? said.end : said.x) - left, tall - 1);
      }
      this.text(context, texts.fit(at.nameOf(i), font, names - 6), heat.x - 6, middle, { font, colour: theme.ink, align: "right" });
      for (let k = 0; k < count; k++) {
        context.fillStyle = differing(theme, frame.own[i * count + k], at.end);
        context.fillRect(heat.x + k * heat.cell, y, heat.cell - 1, tall - 1);
      }
      if (!frame.said) return;
      for (let k = 0; k < experts; k++) this.drawScore(context, k, y, frame.score[i * experts + k], colourOf(theme, frame.colour[k + 1], frame.known), !frame.has_learned);
      this.drawScore(context, experts, y, frame.probability[i], theme.accent);
      if (frame.answered[i]) {
        context.fillStyle = theme.ink;
        context.beginPath();
        context.arc(said.end + 5, middle, 3.2, 0, 2 * Math.PI);
        context.fill();
      }
    });
    const hidden = at.order.length - rows + frame.more;
    if (hidden > 0) {
      const more = `+ ${plural(hidden, "label")}`, words = [...(at.canFind ? [`${more}: find one by its name, or open the table`, `${more} (find one by name)`] : []), more];
      this.text(context, texts.first(words, SMALL_FONT, (frame.said ? said.end : said.x) - left) ?? `+ ${hidden}`, left, first + rows * tall + 7);
    }
    for (const [row, colour] of [[at.selected, theme.lit], [at.pointed, theme.accent]]) {
      if (row < 0) continue;
      const height = rows * tall + 20;
      at.frameAround({ x: heat.x + row * heat.cell - 1.5, y: first - 20, width: heat.cell + 2, height }, colour);
      if (row && frame.said) at.frameAround({ x: said.x + (row - 1) * said.cell - 1.5, y: first - 20, width: said.cell + 2, height }, colour);
    }
  }

  /** A bar of a score: hollow, where it is not the one that was scored. */
  drawScore(context, column, y, score, colour, isHollow = false) {
    const { theme, places: { said, row: tall } } = this;
    const x = said.x + column * said.cell, wide = said.cell - 4, high = Math.min(tall - 4, 12), above = y + (tall - 1 - high) / 2;
    context.fillStyle = theme.track;
    context.fillRect(x, above, wide, high);
    if (Number.isNaN(score)) return;
    const length = wide * clamp(score, 0, 1);
    context.fillStyle = context.strokeStyle = colour;
    if (!isHollow || length < 3) context.fillRect(x, above, length, high);
    else {
      context.lineWidth = 1.5;
      context.strokeRect(x + 0.75, above + 0.75, length - 1.5, high - 1.5);
    }
  }
}

/** A sign of a legend: a score. */
export function scoreSign(context, theme) {
  context.fillStyle = theme.track;
  context.fillRect(0, 4, 18, 10);
  context.fillStyle = theme.ink;
  context.fillRect(0, 4, 11, 10);
}
