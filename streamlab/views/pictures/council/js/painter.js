/* Draws a council: lines of trust with names at their ends, and the votes on the latest row. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { pushApart, ticksOf } from "../../../kit/js/numbers.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";

/** How thick lines are, and the dash of the one that lost trust. */
const BOLD = 3, THIN = 1.25, LOST = [8, 4];
const END_GAP = 16, LEAST_GAP = 12;
/** How high bars are, and between them, px. */
const BAR = 12, GAP = 10;
/** What became of a label: 1, it was answered; 2, the row has it. */
const OUTCOMES = [["", ""], ["✕", "not there"], ["○", "missed"], ["✓", "right"]];

export class CouncilPainter extends Painter {
  /** The place of a row of the stream, and of a trust. */
  x(row) {
    const { lines } = this.places, [from, to] = this.rows;
    return lines.x + lines.width * (to > from ? (row - from) / (to - from) : 1);
  }

  /** Rows from left to right: those of the curves, or all that were noted. */
  get rows() {
    const { shared } = this.places, { noted } = this.frame;
    return shared ? [shared.from, shared.to] : [noted[0], noted[noted.length - 1]];
  }

  rowAt(x) {
    const { lines } = this.places, [from, to] = this.rows;
    return from + ((x - lines.x) / lines.width) * (to - from);
  }

  y(trust) {
    const { lines } = this.places, { low, high } = this.ends;
    return lines.y + lines.height * (1 - (trust - low) / (high - low));
  }

  /** Dark where it is meant, else grey: learners' colours are those of the curves below. */
  colour(row) {
    return this.loud.includes(row) ? this.theme.ink : this.theme.ghost;
  }

  draw() {
    const { pointed, matters: { ranked, gained, lost } } = this.view, selected = this.view.rowOf(this.view.selected);
    const lit = [selected, pointed].filter((row) => row >= 0), moved = [gained, lost].filter((row) => row >= 0);
    this.loud = lit.length ? lit : moved.length ? moved : ranked.slice(0, 1);
    this.drawGrid();
    this.drawMarks();
    this.drawLines();
    this.drawEnds();
    if (!this.places.isAlone && this.frame.said) this.drawVotes(selected, pointed);
  }

  drawGrid() {
    const { theme, places: { lines }, ends } = this, every = Math.ceil(LEAST_GAP * (ends.high - ends.low) / (ends.step * lines.height));
    this.text("Trust in each", 0, 9, { font: BOLD_FONT });
    for (let trust = ends.low; trust <= ends.high + 1e-9; trust += ends.step) {
      const y = this.y(trust), isZero = Math.abs(trust) < 1e-9;
      this.line([[lines.x, y], [lines.x + lines.width, y]], isZero ? theme.control : theme.line);
      if (Math.round(trust / ends.step) % every === 0) this.note(isZero ? "0" : formatSigned(trust), lines.x - 4, y, { align: "right" });
    }
    // the curves below say their rows
    if (this.places.shared) return;
    ticksOf(...this.rows, Math.max(2, lines.width / 54), 1).forEach((row) => {
      const x = this.x(row), floor = lines.y + lines.height;
      this.line([[x, floor], [x, floor + 4]], theme.control);
      const align = x > lines.x + lines.width - 24 ? "right" : x < lines.x + 12 ? "left" : "center";
      this.note(formatCount(row), x, floor + 12, { align });
    });
  }

  /** Dashed lines where the stream changed, or people set a mark, with their signs above; crosses where experts left. */
  drawMarks() {
    const { places: { lines }, frame } = this;
    const inside = ({ row }) => row >= Math.max(frame.noted[0], this.rows[0]), right = lines.x + lines.width;
    for (const mark of frame.drifts.filter(inside)) {
      this.change(this.x(mark.row), lines.y - 2, lines.y + lines.height, markSign(mark.number), [lines.x, right]);
    }
    frame.left.filter(inside).forEach((gone, i) => {
      const x = this.x(gone.row), colour = this.theme.muted;
      this.line([[x, lines.y], [x, lines.y + lines.height]], colour, 1.2);
      const words = this.texts.fit(`✕ ${gone.name} left`, NAME_FONT, lines.width);
      const isLeft = x + this.texts.width(words, NAME_FONT) + 6 > right;
      this.text(words, isLeft ? x - 5 : x + 5, lines.y + 10 + (i % 6) * 14, { colour, align: isLeft ? "right" : "left" });
    });
  }

  drawLines() {
    const { frame, loud, theme, context, view: { matters: { lost } } } = this, count = frame.id.length;
    // those that are meant come last, above the others
    const order = [...frame.id.keys()].sort((a, b) => loud.includes(a) - loud.includes(b));
    for (const row of order) {
      const isLoud = loud.includes(row);
      context.globalAlpha = isLoud ? 1 : theme.faint;
      const points = Array.from(frame.noted, (at, i) => [at, this.y(frame.values[i * count + row])]).filter(([at]) => at >= this.rows[0]).map(([at, y]) => [this.x(at), y]);
      this.line(points, this.colour(row), isLoud ? BOLD : THIN, isLoud && row === lost ? LOST : []);
    }
    context.globalAlpha = 1;
  }

  /** Names at the ends of the lines; where not all have room those that are meant, then the most trusted. */
  drawEnds() {
    const { frame, theme, texts, loud, view, places: { lines, end } } = this;
    const right = Math.min(this.x(frame.noted[frame.noted.length - 1]), lines.x + lines.width), wanted = Array.from(frame.trust, (trust) => this.y(trust)), high = lines.height + 16;
    const ranked = [...wanted.keys()].sort((a, b) => loud.includes(b) - loud.includes(a) || wanted[a] - wanted[b]);
    const named = ranked.slice(0, 1 + Math.floor(high / LEAST_GAP)), gap = Math.min(END_GAP, high / Math.max(named.length - 1, 1));
    const places = pushApart(named.map((row) => wanted[row]), gap, lines.y - 8, lines.y + lines.height + 8);
    this.namesAt = wanted.map((_, row) => (named.includes(row) ? { x: right + 12, y: places[named.indexOf(row)], width: end - right - 12 } : null));
    // of both, or of neither
    const most = Math.max(0, ...loud.map((row) => view.endWords(row).findIndex((words) => texts.width(words, BOLD_FONT) <= end - right - 12)));
    this.namesAt.forEach((place, row) => {
      if (!place) return;
      const { x, y, width } = place, isLoud = loud.includes(row), font = isLoud ? BOLD_FONT : NAME_FONT;
      this.line([[right, wanted[row]], [right + 9, y]], this.colour(row));
      this.text(texts.fit(view.endWords(row)[most], font, width), x, y, { font, colour: isLoud ? theme.ink : theme.muted });
    });
  }

  /**
   * The votes on the latest row: what became of the council's answer, and below it a line for each expert, the most trusted first, with bars
   * as long as it was sure, in the colour of errors for a label that the row has not.
   */
  drawVotes(selected, pointed) {
    const { view, frame, theme, texts, context, places: { left, top, width, names, table: { x, y, cell, row, bottom } } } = this, { matters: { ranked } } = view;
    const said = new Set(), pieces = view.pieces(), first = y + row / 2, middles = new Map(ranked.map((expert, line) => [expert, y + (line + 1.5) * row]));
    this.text(texts.first(["How sure each was of the row’s labels", "How sure each was"], BOLD_FONT, width - left) ?? "", left, top + 9, { font: BOLD_FONT });
    for (const [expert, middle] of middles) {
      const isLoud = this.loud.includes(expert), font = isLoud ? BOLD_FONT : NAME_FONT;
      this.text(texts.fit(frame.plain[expert], font, names - 8), left, middle, { font, colour: isLoud ? theme.ink : theme.muted });
    }
    this.line([[left, y + row], [x + pieces.length * cell, y + row]], theme.line);
    this.text("council", left, first, { font: BOLD_FONT });
    pieces.forEach((i, column) => {
      const begin = x + column * cell, centre = begin + cell / 2, kind = frame.answered[i] + 2 * frame.carried[i], font = frame.carried[i] ? BOLD_FONT : NAME_FONT;
      if (i === view.piece) this.rect(begin, y, cell - 1, bottom - y, theme.track);
      this.text(texts.fit(view.nameOf(i), font, cell - 4), centre, y - 12, { font, align: "center" });
      const [sign, words] = OUTCOMES[kind], colour = kind === 3 ? theme.ink : theme.guess, isNamed = row > 34 && !said.has(kind);
      this.text(sign, centre, first - (isNamed ? 7 : 0), { font: BOLD_FONT, colour, align: "center" });
      // each sign has its word once
      if (isNamed) this.text(words, centre, first + 9, { font: NAME_FONT, colour, align: "center" });
      said.add(kind);
      for (const [expert, middle] of middles) {
        const wide = cell - GAP, long = wide * clamp(frame.score[i * ranked.length + expert] || 0, 0, 1), high = Math.min(BAR, row / 2), isLoud = this.loud.includes(expert);
        const bar = [begin + GAP / 2, middle - high / 2, long, high], own = frame.carried[i] ? this.colour(expert) : theme.guess;
        this.rect(bar[0], bar[1], wide, high, theme.track);
        context.globalAlpha = isLoud ? 1 : theme.faint;
        // hollow where it is not what was scored
        if (frame.has_learned) this.rect(...bar, own);
        else this.box(bar[0] + 1, bar[1] + 1, Math.max(0, long - 2), high - 2, own);
        context.globalAlpha = 1;
      }
    });
    for (const [expert, colour] of [[selected, theme.lit], [pointed, theme.accent]]) {
      if (expert >= 0) this.frameAround({ x: left - 6, y: middles.get(expert) - row / 2, width: names + pieces.length * cell + 6, height: row }, colour, 8);
    }
  }
}
