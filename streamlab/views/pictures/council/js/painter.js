/* Draws a council: lines of trust with names at their ends, and the table of labels. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign, plural } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { pushApart, ticksOf } from "../../../kit/js/numbers.js";
import { DARK, differences, differing } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { columnOf, formatGain } from "./scene.js";

/** Violet, crimson, olive, teal, magenta, ink: 3:1 on the page, and none of the hues of streamlab.views.timeline.bands. */
const HUES = {
  light: ["#6941c6", "#b4123c", "#6b7d00", "#00808c", "#a8209e", "#2b3440"],
  dark: ["#b39dff", "#ff7a90", "#b9d94c", "#4fd0d8", "#f08bef", "#dde3ea"],
};
const DASHES = [[], [7, 3], [2, 3]];

/** The colour of an expert, from 1; 0: the labels' shares. `known`: of those whose curves are on the page too, by their places. */
function colourOf(theme, place, known) {
  const hues = theme === DARK ? HUES.dark : HUES.light;
  if (known?.[place]) return known[place];
  return place ? hues[(place - 1) % hues.length] : theme.ghost;
}

/** The dash of an expert's line: another one for each six. */
const dashOf = (place) => (place ? DASHES[Math.floor((place - 1) / HUES.light.length) % DASHES.length] : [1.5, 3]);

const TAG = 13, END_GAP = 14;
/** Between names that have words below them. */
const WORDS_GAP = 31;
const BASELINE = ["label frequency (baseline)", "frequency (baseline)", "baseline"];
/** What became of a label: 1, it was answered; 2, the row has it. */
const OUTCOMES = ["", "✕ false", "○ missed", "✓ right"];

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

  /** Draws all of it; `at` has selected, pointed and loud rows, who matters, the label pointed at, and the labels in order. */
  draw(at) {
    this.drawGrid();
    this.drawMarks();
    this.drawLines(at);
    this.drawEnds(at);
    if (!this.places.isAlone) this.drawTable(at);
  }

  /** No words are smaller than names: a phone shows them as they are. */
  note(words, x, y, look = {}) {
    super.note(words, x, y, { font: NAME_FONT, ...look });
  }

  /** The first of these words that has room, bold. */
  title(choices, x, y, width) {
    const words = this.texts.first(choices, BOLD_FONT, width);
    if (words) this.text(words, x, y, { font: BOLD_FONT });
  }

  drawGrid() {
    const { theme, places: { lines }, ends, frame } = this, wide = lines.x + lines.width - 4;
    const rows = `rows ${formatCount(frame.noted[0])} to ${formatCount(frame.now)}`;
    this.title(frame.mean_of
      ? [`Weight of each expert, mean of ${formatCount(frame.mean_of)} rows`, "Weight of each expert"]
      : [`Trust: how much each expert counts, ${rows}`, `Trust in experts, ${rows}`, "Trust"], 1, 8, wide);
    const what = frame.combine === "hedge" ? "shares: they add up to 1" : ends.low < 0 ? "below 0: the opposite of what it says is believed" : "";
    if (!this.places.isAlone && this.texts.width(what, NAME_FONT) <= lines.x + lines.width + 40) this.note(what, 0, 23);
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

  drawLines({ loud }) {
    const { frame, theme, context } = this, count = frame.id.length;
    // those that are meant come last, above the others
    const order = [...frame.id.keys()].sort((a, b) => loud.includes(a) - loud.includes(b));
    for (const row of order) {
      context.globalAlpha = loud.includes(row) ? 1 : theme.faint;
      const points = Array.from(frame.noted, (at, i) => [this.x(at), this.y(frame.values[i * count + row])]);
      this.line(points, this.colour(row), loud.includes(row) ? 2.75 : 1.25, dashOf(frame.colour[row]));
    }
    context.globalAlpha = 1;
  }

  /** Names at the ends of the lines, on a phone below them, with the numbers that the columns have, what the experts are, the trust, and what it gained. */
  drawEnds({ loud, matters: { ranked, mark, gains, gained, lost } }) {
    const { frame, theme, texts, places: { lines, ends, list, change, isNarrow, isAlone, isTold } } = this;
    const right = lines.x + lines.width, wanted = Array.from(frame.trust, (trust) => this.y(trust)), space = (lines.height + 8) / Math.max(wanted.length - 1, 1);
    const isTall = !isNarrow && !isTold && space >= WORDS_GAP && Boolean(frame.words), up = isTall ? 7 : 0;
    const endsAt = pushApart(wanted, isTall ? WORDS_GAP : Math.min(END_GAP, space), lines.y - 4 + up, lines.y + lines.height + 4 - up).map((y) => y - up);
    const order = [...ranked, 0], numbers = isTold ? 0 : change + 36;
    this.namesAt = endsAt.map((y, row) => (isNarrow ? list(order.indexOf(row)) : { x: right + 9, y, width: ends - 9, isFirst: !row, head: isAlone ? 8 : 23 }));
    this.namesAt.forEach(({ x, y, width, isFirst, head = y - 16 }, row) => {
      const end = x + width, look = { align: "right", colour: loud.includes(row) ? theme.ink : theme.muted, font: loud.includes(row) ? BOLD_FONT : NAME_FONT };
      this.line([[right, wanted[row]], [right + 8, endsAt[row]]], this.colour(row));
      for (const at of new Set([right + 9, x])) this.drawTag(row, at + TAG / 2, at === x ? y : endsAt[row]);
      const room = width - numbers - TAG - 5, name = texts.first(row ? [] : BASELINE, look.font, isTold ? 110 : room) ?? texts.fit(frame.names[row], look.font, room);
      this.text(name, x + TAG + 5, y, { ...look, align: "left" });
      const words = frame.words?.[row] ?? "", from = isTall ? x + TAG + 5 : x + TAG + 11 + texts.width(name, look.font);
      // whole or not at all
      if (from + texts.width(words, NAME_FONT) <= end - (isTall ? 0 : numbers)) this.note(words, from, y + 2 * up);
      if (!isTold) this.text(formatSigned(frame.trust[row]), end - change, y, look);
      if (!isTold && isFirst) this.note("now", end - change, head, { align: "right" });
      if (!change) return;
      if (isFirst) this.note(`since ${markSign(mark.number)}`, end, head, { align: "right" });
      this.text(formatGain(gains[row]), end, y, { ...look, colour: row === gained ? theme.up : row === lost ? theme.down : theme.muted });
    });
  }

  /** The number of an expert in its colour; the labels' shares, which are none, have a hollow one. */
  drawTag(row, x, y) {
    const { theme, frame, context } = this;
    if (!row) {
      context.beginPath();
      context.rect(x - 4.5, y - 4.5, 9, 9);
      this.stroke(this.colour(row), 1.5);
      return;
    }
    this.rect(x - TAG / 2, y - TAG / 2, TAG, TAG, this.colour(row));
    this.text(`${frame.colour[row]}`, x, y + 0.5, { font: BOLD_FONT.replace("12px", frame.colour[row] > 9 ? "9px" : "10px"), colour: theme.on, align: "center" });
  }

  drawTable(at) {
    const { frame, theme, places: { table, rows, row, left, right, ofRow } } = this, { x, y, cell, count } = table;
    this.drawNames(at);
    if (ofRow) this.drawSaid(at);
    else this.drawHeat(at);
    const hidden = frame.label.length - Math.min(at.order.length, rows) + frame.more;
    if (hidden > 0) {
      const more = `+ ${plural(hidden, "label")}`, isRest = ofRow && at.order.length <= rows;
      const words = [...(isRest ? [`${more}, neither answered nor in the row`] : at.canFind ? [`${more}: find one by its name, or open the table`] : []), more];
      this.note(this.texts.first(words, NAME_FONT, right - left) ?? `+ ${hidden}`, left, y + Math.min(at.order.length, rows) * row + 9);
    }
    for (const [expert, colour] of [[at.selected, theme.lit], [at.pointed, theme.accent]]) {
      const k = columnOf(expert, frame.id.length);
      if (expert >= 0 && k < count) this.frameAround({ x: x + k * cell - 1.5, y: y - 20, width: cell + 2, height: Math.min(rows, at.order.length) * row + 20 }, colour, 3);
    }
  }

  /** The labels' names left of the table. */
  drawNames(at) {
    const { frame, theme, texts, places: { left, names, rows, row, right, ofRow, table: { y } } } = this;
    at.order.slice(0, rows).forEach((i, line) => {
      const font = ofRow && frame.carried[i] ? BOLD_FONT : NAME_FONT;
      if (i === at.label) this.rect(left, y + line * row, right - left, row - 1, theme.track);
      this.text(texts.fit(at.nameOf(i), font, names - 6), left + names - 6, y + (line + 0.5) * row, { font, align: "right" });
    });
  }

  /** Trust by label: what a label adds to the trust over all, or takes from it. */
  drawHeat(at) {
    const { frame, theme, texts, places: { table: { x, y, cell, count }, rows, row, left, right } } = this, wide = right - left;
    this.title(frame.combine === "hedge" ? ["Trusted the same for each label", "The same"] : ["Trusted more, or less, for a label", "Trust by label"], left, y - 44, wide);
    if (frame.combine !== "hedge") this.drawKey(at.end, left, y - 29, wide + 8);
    for (let expert = 1; expert < count; expert++) this.drawTag(expert, x + (expert - 0.5) * cell, y - 12);
    if (texts.width("freq.", NAME_FONT) < cell + 12) this.note("freq.", x + (count - 1) * cell, y - 12);
    else this.drawTag(0, x + (count - 0.5) * cell, y - 12);
    at.order.slice(0, rows).forEach((i, line) => {
      for (let expert = 0; expert < count; expert++) this.rect(x + columnOf(expert, count) * cell, y + line * row, cell - 1, row - 1, differing(theme, frame.own[i * count + expert], at.end));
    });
  }

  /** What the colours of trust by label mean. */
  drawKey(end, x, y, wide) {
    const { theme, texts } = this, less = `${formatSigned(end)} less`, from = texts.width(less, NAME_FONT) + 6, more = `${formatSigned(end)} more`;
    this.note(less, x, y);
    differences(theme).forEach((colour, i) => this.rect(x + from + i * 5, y - 5, 5, 10, colour));
    this.note(texts.first([`${more} than over all`, more], NAME_FONT, wide - from - 51) ?? "", x + from + 51, y);
  }

  /** The council's sum of a row, from where on it answers, what became of that, and what each expert said. */
  drawSaid(at) {
    const { frame, theme, texts, places: { council, table: { x, y, cell, count }, rows, row, left, right } } = this;
    const wide = right - left, now = `Row ${formatCount(frame.now)}`, line = frame.threshold ?? null;
    const kinds = Array.from(frame.answered, (is, i) => is + 2 * frame.carried[i]), told = [3, 1, 2].map((kind) => `${kinds.filter((each) => each === kind).length} ${OUTCOMES[kind].slice(2)}`).join(", ");
    this.title([...(frame.more ? [] : [`${now}, the council’s answer: ${told}`, `${now}: ${told}`]), `${now}, the council’s answer`, now], left, y - 44, wide);
    const bars = line === null ? "Bars: scores, 0 to 1" : "Bars: scores. Past the line: answered", asked = frame.has_learned ? [] : ["experts: asked now"], bold = "Bold: true labels", own = "Trust differs by label";
    const what = [[bars, ...asked, bold, own], [bars, ...asked, own], [bars, ...asked], [...asked, bars], asked].map((parts) => `${parts.join(". ")}.`);
    this.note(texts.first(what, NAME_FONT, wide) ?? "", left, y - 29);
    this.text("council", council.x, y - 12, { font: BOLD_FONT });
    for (let expert = 1; expert <= count; expert++) this.drawTag(expert, x + (expert - 0.5) * cell - 2, y - 12);
    this.note("experts", x - 8, y - 12, { align: "right" });
    const shown = at.order.slice(0, rows), edge = council.x + council.width * (line ?? 0);
    shown.forEach((i, place) => {
      const above = y + place * row, kind = kinds[i];
      this.drawScore(council.x, council.width, above, frame.probability[i], theme.accent);
      this.text(OUTCOMES[kind], council.x + council.width + 5, above + row / 2, { font: BOLD_FONT, colour: kind === 3 ? theme.up : theme.down });
      for (let k = 0; k < count; k++) this.drawScore(x + k * cell, cell - 4, above, frame.score[i * count + k], this.colour(k + 1), !frame.has_learned);
    });
    if (line !== null) this.line([[edge, y - 4], [edge, y + shown.length * row]], theme.strong, 1.5);
  }

  /** A bar of a score: hollow, where it is not the one that was scored. */
  drawScore(x, wide, y, score, colour, isHollow = false) {
    const { context, theme, places: { row: tall } } = this, high = Math.min(tall - 4, 12), above = y + (tall - 1 - high) / 2;
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
