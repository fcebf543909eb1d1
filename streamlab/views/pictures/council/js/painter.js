/* Draws a council: lines of trust with names at their ends, and the votes on the latest row. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { pushApart, ticksOf } from "../../../kit/js/numbers.js";
import { DARK } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";

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

const END_GAP = 16, LEAST_GAP = 12;
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

  /** Its own colour where it is meant, else grey: of eight colours none is seen. */
  colour(row) {
    return this.loud.includes(row) ? colourOf(this.theme, this.frame.colour[row], this.frame.known) : this.theme.ghost;
  }

  draw() {
    const { pointed, matters: { ranked, second, gained, lost } } = this.view, selected = this.view.rowOf(this.view.selected);
    const lit = [selected, pointed].filter((row) => row >= 0), loud = lit.length ? lit : [ranked[0], second, gained, lost];
    this.loud = loud;
    this.drawGrid();
    this.drawMarks();
    this.drawLines(loud);
    this.drawEnds(loud);
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
      const x = this.x(gone.row), colour = colourOf(this.theme, gone.colour, frame.known);
      this.line([[x, lines.y], [x, lines.y + lines.height]], colour, 1.2);
      const words = this.texts.fit(`✕ ${gone.name} left`, NAME_FONT, lines.width);
      const isLeft = x + this.texts.width(words, NAME_FONT) + 6 > right;
      this.text(words, isLeft ? x - 5 : x + 5, lines.y + 10 + (i % 6) * 14, { colour, align: isLeft ? "right" : "left" });
    });
  }

  drawLines(loud) {
    const { frame, theme, context } = this, count = frame.id.length;
    // those that are meant come last, above the others
    const order = [...frame.id.keys()].sort((a, b) => loud.includes(a) - loud.includes(b));
    for (const row of order) {
      context.globalAlpha = loud.includes(row) ? 1 : theme.faint;
      const points = Array.from(frame.noted, (at, i) => [at, this.y(frame.values[i * count + row])]).filter(([at]) => at >= this.rows[0]).map(([at, y]) => [this.x(at), y]);
      this.line(points, this.colour(row), loud.includes(row) ? 2.75 : 1.25, dashOf(frame.colour[row]));
    }
    context.globalAlpha = 1;
  }

  /** Names at the ends of the lines, in their colours; where not all have room those that are meant, then the most trusted. */
  drawEnds(loud) {
    const { frame, theme, texts, places: { lines, ends } } = this;
    const right = Math.min(this.x(frame.noted[frame.noted.length - 1]), lines.x + lines.width), wanted = Array.from(frame.trust, (trust) => this.y(trust)), high = lines.height + 16;
    const ranked = [...wanted.keys()].sort((a, b) => loud.includes(b) - loud.includes(a) || wanted[a] - wanted[b]);
    const named = ranked.slice(0, 1 + Math.floor(high / LEAST_GAP)), gap = Math.min(END_GAP, high / Math.max(named.length - 1, 1));
    const places = pushApart(named.map((row) => wanted[row]), gap, lines.y - 8, lines.y + lines.height + 8);
    this.namesAt = wanted.map((_, row) => (named.includes(row) ? { x: right + 12, y: places[named.indexOf(row)], width: ends - 12 } : null));
    this.namesAt.forEach((place, row) => {
      if (!place) return;
      const { x, y, width } = place;
      const font = loud.includes(row) ? BOLD_FONT : NAME_FONT;
      this.line([[right, wanted[row]], [right + 9, y]], this.colour(row));
      this.text(texts.fit(row ? frame.plain[row] : "baseline", font, width), x, y, { font, colour: row && loud.includes(row) ? this.colour(row) : theme.muted });
    });
  }

  /** The votes on the latest row: a line for each expert, the most trusted first, a dot as large as it was sure; last what became of the council's answer. */
  drawVotes(selected, pointed) {
    const { view, frame, theme, texts, places: { left, top, width, names, table: { x, y, cell, row, bottom } } } = this, most = Math.min(cell, row) / 2 - 2;
    const { matters: { ranked } } = view, said = new Set(), last = bottom - row / 2, pieces = view.pieces();
    const middles = new Map(ranked.map((expert, line) => [expert, y + (line + 0.5) * row]));
    this.text(texts.first(["How sure each was of the row’s labels", "How sure each was"], BOLD_FONT, width - left) ?? "", left, top + 9, { font: BOLD_FONT });
    for (const [expert, middle] of middles) {
      const isLoud = this.loud.includes(expert), font = isLoud ? BOLD_FONT : NAME_FONT;
      this.text(texts.fit(frame.plain[expert], font, names - 8), left, middle, { font, colour: isLoud ? this.colour(expert) : theme.muted });
    }
    this.line([[left, bottom - row], [x + pieces.length * cell, bottom - row]], theme.line);
    this.text("council", left, last, { font: BOLD_FONT });
    pieces.forEach((i, column) => {
      const centre = x + (column + 0.5) * cell, kind = frame.answered[i] + 2 * frame.carried[i], font = frame.carried[i] ? BOLD_FONT : NAME_FONT;
      if (i === view.piece) this.rect(x + column * cell, y, cell - 1, bottom - y, theme.track);
      this.text(texts.fit(view.nameOf(i), font, cell - 4), centre, y - 12, { font, align: "center" });
      for (const [expert, middle] of middles) {
        const radius = Math.max(1, most * Math.sqrt(clamp(frame.score[i * ranked.length + expert - 1] || 0, 0, 1)));
        // hollow where it is not what was scored
        this.context.globalAlpha = this.loud.includes(expert) ? 1 : theme.faint;
        if (frame.has_learned) this.dot(centre, middle, radius, this.colour(expert));
        else this.ring(centre, middle, Math.max(0.5, radius - 1), this.colour(expert), 2);
      }
      this.context.globalAlpha = 1;
      const [sign, words] = OUTCOMES[kind], colour = kind === 3 ? theme.up : theme.guess, isNamed = row > 34 && !said.has(kind);
      this.text(sign, centre, last - (isNamed ? 7 : 0), { font: BOLD_FONT, colour, align: "center" });
      // each sign has its word once
      if (isNamed) this.text(words, centre, last + 9, { font: NAME_FONT, colour, align: "center" });
      said.add(kind);
    });
    for (const [expert, colour] of [[selected, theme.lit], [pointed, theme.accent]]) {
      if (expert > 0) this.frameAround({ x: left - 6, y: middles.get(expert) - row / 2, width: names + pieces.length * cell + 6, height: row }, colour, 8);
    }
  }
}
