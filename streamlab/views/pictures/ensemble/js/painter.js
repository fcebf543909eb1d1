/* Draws an ensemble: names, lines of cells, strokes where members began, crosses and rings where they left. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { channels, inkOn, strength } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { NOW, boxOf, endOf, meanOf } from "./scene.js";

/** Usual errors stay pale: the power of their share. */
const EASE = 2.5;
/** Half of a cross or a ring; the side of a box; the least height of a line that has words in it; from one line of words to the next. */
const SIGN = 2.6, BOX = 8, LEAST_LINE = 14, LINE = 15;

export class EnsemblePainter extends Painter {
  low = 0;

  get isWeight() {
    return this.frame.measure === "weight";
  }

  /** The colour of errors, the stronger the more there are, so that what answers well recedes; of weights that of bars, the more the stronger. */
  colourOf(value) {
    return this.isWeight ? strength(this.theme, "bar", value) : strength(this.theme, "guess", ((1 - value) / (1 - this.low)) ** EASE);
  }

  /** `noun` is what a member is called where there is one whole ensemble. */
  draw(starts, noun) {
    const { places } = this;
    this.noun = noun;
    this.text(this.isWeight ? `How much each ${this.view.noun} counts` : `How often each ${this.view.noun} errs`, 0, 8, { font: BOLD_FONT });
    // not the cells of rows before those that the curves show
    this.within(places.shared?.left ?? 0, 0, places.width, places.total, () => this.drawAll(starts));
  }

  drawAll(starts) {
    const { view, frame, places } = this;
    for (const group of places.groups) this.drawGroup(group, view.nameOf(group.group));
    for (let row = 0; row < frame.id.length; row++) {
      this.context.globalAlpha = view.isDim(frame.id[row]) ? 0.2 : 1;
      this.drawMember(row, starts[row]);
    }
    this.context.globalAlpha = 1;
    this.nameColours(starts);
    this.nameStroke(starts);
    if (this.noun && frame.mark && this.places.shared) this.nameChanged();
    this.drawAxis();
    if (frame.mark) this.drawMark();
  }

  /** A dashed line where the stream changed, or where people made a mark, with its sign above it. */
  drawMark() {
    const { frame: { mark, end, chunks, step }, places: { left, cell, now, axis } } = this;
    const x = left + (chunks - (end - mark.row) / step) * cell;
    if (x >= left && x <= now) this.change(x, 16, axis, markSign(mark.drift), [left, now]);
  }

  drawGroup({ group, y, height, lines }, name) {
    const { frame, texts, places: { line, left, now, width } } = this;
    for (let k = 0; k < lines; k++) this.rect(left, y + k * line, now - left, line - 1, this.theme.track);
    this.text(texts.fit(name, NAME_FONT, left - 10), left - 8, y + height / 2, { align: "right" });
    const mean = meanOf(frame, group);
    if (mean >= 0 && !this.noun) this.note(`${Math.round(100 * mean)} %`, width - 4, y + height / 2, { align: "right" });
  }

  drawMember(row, start) {
    const { frame, places } = this, { line, left, cell, now } = places;
    const { y } = boxOf(frame, places, row);
    const first = frame.first[row], count = frame.cells[row], tall = line - 1;
    // up to the next cell, so that no seam is seen between them
    for (let k = 0; k < count; k++) this.rect(left + (first + k) * cell, y, cell + 0.4, tall, this.colourOf(frame.cell[start + k]));
    if (this.learns(row)) this.drawLearning(y, tall);
    if (!count) return;
    if (first > 0 || frame.born[row] >= frame.end - frame.chunks * frame.step) {
      // where it began, if that is amid its first cell
      const begin = clamp(frame.chunks - (frame.end - frame.born[row]) / frame.step, first, first + 0.9);
      this.rect(left + begin * cell - 1.5, y - 0.5, 4, tall + 1, this.theme.surface);
      this.rect(left + begin * cell - 0.5, y - 0.5, 2, tall + 1, this.theme.strong);
    }
    // a cross for who was removed, a ring for who was set aside
    const end = endOf(frame, places, row);
    if (end !== null) drawEnd(this, frame.aside[row], Math.min(end + 1 + SIGN, now - SIGN - 1), y + tall / 2);
  }

  /** What the worst cell is since the mark, of the lines that were replaced if some were, and the best one after it: in themselves, else framed. */
  nameColours(starts) {
    this.framed = new Set();
    if (this.places.line < LEAST_LINE) return;
    const { frame, places, texts, places: { left, cell, line, now } } = this, { cell: values } = frame, rowOf = (at) => starts.findLastIndex((start) => start <= at);
    const since = frame.mark ? frame.chunks - (frame.end - frame.mark.row) / frame.step : 0;
    // not one that two members share
    const isWhole = (at, row) => frame.first[row] + at - starts[row] >= since && (at > starts[row] || !frame.first[row]) && (frame.left[row] < 0 || at < starts[row] + frame.cells[row] - 1);
    const all = [...values.keys()], some = all.filter((at) => isWhole(at, rowOf(at)));
    const boxAt = (at) => ({ x: left + (frame.first[rowOf(at)] + at - starts[rowOf(at)]) * cell, y: boxOf(frame, places, rowOf(at)).y });
    const upTo = places.groups[0].y + this.view.replaced * line, renewed = some.filter((at) => boxAt(at).y < upTo);
    const isOfOne = renewed.length > 1, known = isOfOne ? renewed : some.length > 1 ? some : all;
    const said = (value) => (this.isWeight ? ["weight", value.toFixed(2)] : ["errs", `${Math.round(10 * (1 - value))} of 10`]);
    const isWithin = line > 2 * LINE && Math.max(...said(0.2).map((words) => texts.width(words, NAME_FONT))) < cell - 3;
    // beside it, but not over the mark, which the worst cell may have at its left
    const from = since > 0 ? left + since * cell : left, wide = texts.width(said(0.2).join(" "), NAME_FONT) + 12;
    let worst = null;
    for (const sign of [-1, 1]) {
      const goesWith = ({ x, y }) => !worst || (isOfOne ? y === worst.y && x > worst.x : y !== worst.y);
      const isFree = (x) => x + cell + wide < now || x - wide >= (sign < 0 && x < from + 1 ? left : from);
      const free = known.filter((at) => (isWithin ? goesWith(boxAt(at)) : !this.framed.has(boxAt(at).y) && isFree(boxAt(at).x)));
      const at = free.reduce((best, each) => (sign * values[each] > sign * values[best] ? each : best), free[0]);
      if (at === undefined) continue;
      const { x, y } = boxAt(at), words = said(values[at]), isRight = x + cell + wide < now, colour = inkOn(channels(this.colourOf(values[at])));
      this.framed.add(y);
      worst ??= { x, y };
      if (isWithin) {
        words.forEach((each, i) => this.text(each, x + cell / 2, y + line / 2 + (i - 0.5) * LINE, { align: "center", colour }));
        continue;
      }
      this.box(x + 0.5, y + 0.5, cell, line - 2, this.theme.strong, 1.5);
      this.text(words.join(" "), isRight ? x + cell + 7 : x - 7 - wide + 12, y + line / 2, { ground: this.theme.surface, pad: 4 });
    }
  }

  /** What a stroke is, beside the first one since the mark that has room for it. */
  nameStroke(starts) {
    const { frame, places: { left, cell, now, line } } = this, words = `new ${this.noun || "member"}`, wide = this.texts.width(words, BOLD_FONT) + 10;
    const since = frame.mark?.row ?? 0, room = (row) => Math.min(frame.cells[row] * cell, now - left - frame.first[row] * cell);
    const told = (row) => frame.first[row] > 0 && frame.born[row] >= since && !this.framed.has(boxOf(frame, this.places, row).y) && room(row) >= wide + cell;
    const row = [...frame.id.keys()].filter(told).sort((a, b) => frame.born[a] - frame.born[b])[0];
    if (row === undefined || line < LEAST_LINE) return;
    const x = left + (frame.chunks - (frame.end - frame.born[row]) / frame.step) * cell + 5;
    this.text(words, x, boxOf(frame, this.places, row).y + line / 2, { font: BOLD_FONT, halo: 3 });
  }

  learns(row) {
    return this.frame.left[row] < 0 && !(this.frame.value[row] >= 0);
  }

  /** How many lines have another member since the mark, and how many the same, beside them. */
  nameChanged() {
    const { view: { replaced }, theme, places: { groups: [{ y, lines }], line, now } } = this, x = now + NOW + 6;
    const some = (n) => `${n} ${this.noun}${n === 1 ? "" : "s"}`;
    for (const [from, to, words, colour] of [[0, replaced, `${some(replaced)} replaced`, theme.ink], [replaced, lines, `${some(lines - replaced)} kept`, theme.muted]]) {
      if (from === to || line < LEAST_LINE) continue;
      const [top, bottom] = [y + from * line + 3, y + to * line - 4];
      this.line([[x, top], [x + 5, top], [x + 5, bottom], [x, bottom]], colour, 1.5);
      this.text(words, x + 13, (top + bottom) / 2, { font: BOLD_FONT, colour });
    }
  }

  /** An empty box for who learns its first chunk. */
  drawLearning(y, tall) {
    const high = Math.min(tall, BOX);
    this.box(this.places.now + 3.5, y + (tall - high) / 2 + 0.5, BOX - 1, high - 1, this.theme.muted, 1);
  }

  drawAxis() {
    const { frame, places: { left, now, axis, width } } = this;
    // the curves below say their rows
    if (this.places.shared) return;
    const begin = frame.end - frame.chunks * frame.step;
    for (const [words, x, align] of [[`row ${formatCount(begin + 1)}`, left, "left"], [`row ${formatCount(frame.end)}`, now, "right"], [this.noun ? "" : "mean", width - 4, "right"]]) {
      this.note(words, x, axis + 1, { align, base: "top" });
    }
  }
}

/** The sign of an end at a place. */
function drawEnd(painter, isAside, x, y) {
  if (isAside) painter.ring(x, y, SIGN, painter.theme.ink, 1.2);
  else painter.links([[x - SIGN, y - SIGN, x + SIGN, y + SIGN], [x - SIGN, y + SIGN, x + SIGN, y - SIGN]], painter.theme.ink, 1.2);
}
