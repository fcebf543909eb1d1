/*
 * The council view: whom it trusts, since when, for which labels, and who says what of the latest row.
 *
 * Rows are experts. A frame has {subject, now, names, drifts, left, said} and the columns of the tables in streamlab.views.pictures.council.picture.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign, plural, shortly } from "../../../kit/js/format.js";
import { MarkedView, yesNo } from "../../../kit/js/marked_view.js";
import { pushApart, ticksOf } from "../../../kit/js/numbers.js";
import { hue } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { sharedAxis } from "../../../kit/js/rows_axis.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";

/** From this width the votes on the row stand beside the lines, which have so much of it, else below them. */
const BESIDE = 720, WHOLE = 0.68;
const GAP = 36, AXIS = 22, ABOVE = 40, HEAD = 108, ANSWER = 50, LEAST_LINES = 150, ON_PHONE = 168, ROW = { least: 14, small: 26, most: 56 }, CELL = { least: 54, most: 76 };
/** Labels of the latest row that have room: those that were answered, or are true, are few; so many at least, whatever it is about. */
const OF_ROW = 12, LEAST_OF_ROW = 3;
/** Of so many of the most trusted a phone shows the votes, where nobody gained or lost trust. */
const FEW = 3;
/** The ends of trust are in steps, so that lines do not move with every row. */
const STEP = 0.02;
/** A change of trust that is told: what two decimals show. */
const LEAST_MOVED = 0.005;
/** How thick lines are, and the dash of the one that lost trust; from one name at their ends to the next. */
const BOLD = 3, THIN = 1.25, LOST = [8, 4], END_GAP = 16, LEAST_GAP = 12;
/** How high bars are, and between them, px. */
const BAR = 12, BETWEEN = 10;
/** Room for names right of the last row grows in steps, so that the axis does not move with every row. */
const ROOM_STEP = 64;
/** What became of a label: 1, it was answered; 2, the row has it. */
const OUTCOMES = [["", ""], ["✕", "wrong"], ["○", "missed"], ["✓", "right"]];

/**
 * Whom the lines show: `ranked`, the experts by trust; `second`, where nothing changed the stream; else
 * `gains` since that `mark`, and who `gained` and who `lost` most. -1: nobody.
 */
export function whoMatters({ trust, noted, values, drifts, now }) {
  const count = trust.length, ranked = [...trust.keys()].sort((a, b) => trust[b] - trust[a]);
  const mark = drifts.filter(({ row }) => row >= noted[0] && row < now).at(-1);
  if (!mark || count < 2) return { ranked, gains: null, second: ranked[1] ?? -1, gained: -1, lost: -1 };
  const note = Math.max(0, noted.findLastIndex((row) => row <= mark.row)), gains = trust.map((value, row) => value - values[note * count + row]);
  const least = ranked.reduce((a, b) => (gains[b] < gains[a] ? b : a)), most = ranked.reduce((a, b) => (gains[b] > gains[a] ? b : a));
  return { ranked, mark, gains, second: -1, gained: gains[most] > LEAST_MOVED ? most : -1, lost: gains[least] < -LEAST_MOVED ? least : -1 };
}

/** A change of trust in words. */
const formatGain = (gain) => `${gain < 0 ? "" : "+"}${formatSigned(gain)}`;

class CouncilView extends MarkedView {
  static about = {
    name: "council", empty: "No trust yet: press play", title: "Whom the council trusts", role: "lines of trust and votes on a row",
    noun: "expert", find: "Find a label",
    keys: "Experts. Up and down move between them by trust, left and right between labels, Enter selects.",
    table: {
      label: "Table of the labels", caption: "One row per label, those first whose trust differs most.", left: [2, 3],
      heads: ["Label", "Trust differs by", "Trusted more", "Trusted less", "Council’s score", "Answered", "In the row"],
    },
  };

  static parameters = ["axis"];

  setUp(options) {
    super.setUp();
    Object.assign(this, { axis: options.axis ?? [], order: [] });
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.matters = whoMatters(frame);
    this.sort();
  }

  /** The labels that the latest row is about, those first that were found by name. */
  sort() {
    const { frame } = this;
    if (!frame) return;
    // a label that was missed before those that are not there
    const first = (i) => (this.found?.has(i) ? 4 : 0) + frame.answered[i] + 2 * frame.carried[i];
    const all = [...frame.label.keys()].sort((a, b) => first(b) - first(a) || frame.probability[b] - frame.probability[a] || a - b);
    this.order = frame.said ? all.filter((i, place) => place < LEAST_OF_ROW || first(i)) : [];
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** Where the lines stand, and the votes on the row: beside them, below them, or, on a projector, nowhere. */
  placesFor(painter, width) {
    const { frame, tall, fills, voters: { length: count }, isPhone } = this, isAlone = !this.canFind, isBeside = width >= BESIDE || isAlone, shared = sharedAxis(this.axis, width);
    const ends = Math.min(painter.longest([...frame.id.keys()].map((row) => this.endWords(row)[0]), BOLD_FONT) + 14, 0.34 * width);
    const whole = isBeside && !isAlone ? Math.round(width * WHOLE) : width, left = shared?.left ?? 34;
    const free = roomAtEnd(this.axis, frame.now, whole - left, ends);
    const lines = { x: left, y: ABOVE, width: (shared?.right ?? whole - free) - left, height: isBeside ? tall - ABOVE - AXIS : isPhone ? ON_PHONE : Math.max(LEAST_LINES, tall * (fills ? 0.4 : 0.5)) };
    const floor = lines.y + lines.height + AXIS, x = isBeside ? whole + GAP : 0, top = isBeside ? 0 : floor + 12, names = Math.min(Math.max(painter.longest(frame.plain, BOLD_FONT), this.texts.width(this.answersFrom(), NAME_FONT)) + 12, 0.3 * width);
    const space = width - x - names, columns = clamp(Math.floor(space / CELL.least), 1, Math.min(this.order.length || 1, OF_ROW));
    // a line for each expert, a column for each label
    const row = isBeside || fills ? clamp((tall - top - HEAD) / count, ROW.least, ROW.most) : ROW.small;
    const table = isAlone ? null : { x, top, names, cell: clamp(space / columns, CELL.least, CELL.most), columns, row, bottom: top + HEAD + row * count };
    const beside = isBeside && !isAlone ? Math.round(width - whole + free) : 0;
    return { shared, lines, end: whole, table, beside, total: Math.max(floor, isBeside ? tall : table.bottom + 4) };
  }

  picture(painter, width) {
    const { frame, pointed, matters: { ranked, gained, lost } } = this, lit = [this.rowOf(this.selected), pointed].filter((row) => row >= 0), moved = [gained, lost].filter((row) => row >= 0);
    this.isPhone = width < NARROW && !this.fills;
    // on a phone both are seen at once: of the votes those of whom it is about
    this.voters = this.isPhone ? ranked.filter((row, place) => lit.includes(row) || (moved.length ? moved.includes(row) : place < FEW)) : ranked;
    const places = this.placesFor(painter, width), { lines, shared, table } = places;
    this.columns = table?.columns ?? 0;
    // the curves below leave as much free: both have one axis
    if (places.beside !== this.beside) this.onChange("beside", (this.beside = places.beside));
    this.loud = lit.length ? lit : moved.length ? moved : ranked.slice(0, 1);
    // rows from left to right: those of the curves, or all that were noted
    const [from, to] = shared ? [shared.from, shared.to] : [frame.noted[0], frame.noted.at(-1)], x = (row) => lines.x + lines.width * (to > from ? (row - from) / (to - from) : 1);
    const low = Math.floor(Math.min(0, ...frame.values) / STEP) * STEP, high = Math.ceil(Math.max(0.1, ...frame.values) / STEP) * STEP;
    const y = (trust) => lines.y + lines.height * (1 - (trust - low) / (high - low));
    const scale = { lines, x, y, from, to, end: places.end };
    this.drawAxes(painter, scale, shared);
    this.drawMarks(painter, scale);
    this.drawEnds(painter, scale);
    this.drawLines(painter, scale);
    if (table && frame.said) this.drawVotes(painter, table, width);
    return places.total;
  }

  /** Dark where it is meant, else grey: learners' colours are those of the curves below. */
  colour(row) {
    return this.loud.includes(row) ? this.theme.ink : this.theme.ghost;
  }

  drawAxes(painter, { lines, x, y, from, to, end }, shared) {
    const { theme } = this, floor = lines.y + lines.height, right = lines.x + lines.width;
    painter.title(["How far the council trusts each learner", "Trust in each"], { x: 0, y: 1, width: end });
    // what is trusted less than nothing counts against what it says
    if (floor - y(0) > 16) painter.note("against", 0, floor - 6);
    for (const [at, words, colour] of [[lines.y, "more", theme.line], [y(0), "none", theme.control]]) {
      painter.line([[Math.max(lines.x, this.texts.width(words, SMALL_FONT) + 3), at], [right, at]], colour);
      painter.note(words, 0, at);
    }
    // the curves below say their rows
    if (shared) return;
    for (const row of ticksOf(from, to, Math.max(2, lines.width / 54), 1)) {
      painter.line([[x(row), floor], [x(row), floor + 4]], theme.control);
      painter.note(formatCount(row), x(row), floor + 12, { align: x(row) > right - 24 ? "right" : x(row) < lines.x + 12 ? "left" : "center" });
    }
  }

  /** Dashed lines where the stream changed, or people set a mark, with their signs above; crosses where experts left. */
  drawMarks(painter, { lines, x, from }) {
    const { frame, theme: { muted } } = this, inside = ({ row }) => row >= Math.max(frame.noted[0], from), right = lines.x + lines.width, floor = lines.y + lines.height;
    for (const { row, number } of frame.drifts.filter(inside)) painter.change(x(row), lines.y - 2, floor, markSign(number), [lines.x, right]);
    frame.left.filter(inside).forEach(({ row, name }, i) => {
      painter.line([[x(row), lines.y], [x(row), floor]], muted, 1.2);
      const words = this.texts.fit(`✕ ${name} left`, NAME_FONT, lines.width), isLeft = x(row) + this.texts.width(words, NAME_FONT) + 6 > right;
      painter.text(words, x(row) + (isLeft ? -5 : 5), lines.y + 10 + (i % 6) * 14, { colour: muted, align: isLeft ? "right" : "left" });
    });
  }

  drawLines(painter, { lines, x, y, from }) {
    const { frame, loud, theme, matters: { lost } } = this, count = frame.id.length, notes = [...frame.noted.keys()].filter((i) => frame.noted[i] >= from);
    // those that are meant come last, above the others
    for (const row of [...frame.id.keys()].sort((a, b) => loud.includes(a) - loud.includes(b))) {
      const isLoud = loud.includes(row), points = notes.map((i) => [x(frame.noted[i]), y(frame.values[i * count + row])]);
      painter.context.globalAlpha = isLoud ? 1 : theme.faint;
      painter.line(points, this.colour(row), isLoud ? BOLD : THIN, isLoud && row === lost ? LOST : []);
      painter.mark(row, { ...lines, away: (px, py) => awayFrom(points, px, py) });
    }
    painter.context.globalAlpha = 1;
  }

  /** Names at the ends of the lines; where not all have room those that are meant, then the most trusted. */
  drawEnds(painter, { lines, x, y, end }) {
    const { frame, theme, texts, loud } = this, wanted = Array.from(frame.trust, y), high = lines.height + 16;
    const right = Math.min(x(frame.noted.at(-1)), lines.x + lines.width), begin = right + 12;
    const ranked = [...wanted.keys()].sort((a, b) => loud.includes(b) - loud.includes(a) || wanted[a] - wanted[b]).slice(0, 1 + Math.floor(high / LEAST_GAP));
    const gap = Math.min(END_GAP, high / Math.max(ranked.length - 1, 1)), places = pushApart(ranked.map((row) => wanted[row]), gap, lines.y - 8, lines.y + lines.height + 8);
    // of both, or of neither
    const most = Math.max(0, ...loud.map((row) => this.endWords(row).findIndex((words) => texts.width(words, BOLD_FONT) <= end - begin)));
    ranked.forEach((row, i) => {
      const isLoud = loud.includes(row), font = isLoud ? BOLD_FONT : NAME_FONT, words = isLoud ? this.endWords(row) : [frame.plain[row]];
      painter.line([[right, wanted[row]], [right + 9, places[i]]], this.colour(row));
      // no grid runs through them
      painter.text(texts.fit(words[Math.min(most, words.length - 1)], font, end - begin), begin, places[i], { font, colour: isLoud ? theme.ink : theme.muted, ground: theme.surface });
      painter.mark(row, { x: begin, y: places[i] - 7, width: end - begin, height: 14 });
    });
  }

  /**
   * The votes on the latest row: how sure the council was, from where on it answers and what became of that, and below it a line for each
   * expert, the most trusted first, with bars as long as it was sure, in the colour of errors for a label that the row has not.
   */
  drawVotes(painter, { x: left, top, names, cell, row: tall, bottom }, width) {
    const { frame, theme, texts, matters: { ranked } } = this, said = new Set(), pieces = this.pieces(), x = left + names, y = top + HEAD, above = y - ANSWER;
    const font = (isBold) => ({ font: isBold ? BOLD_FONT : NAME_FONT, colour: isBold ? theme.ink : theme.muted }), right = x + pieces.length * cell, wide = cell - BETWEEN;
    const titles = [`How sure each was that row ${formatCount(frame.now)} has the label`, "How sure each was of the row’s labels", "How sure each was"];
    const own = hue(theme, frame.hue ?? 0), answer = above + 12;
    painter.title(titles, { x: left, y: top + 1, width: width - left });
    painter.line([[left, y], [right, y]], theme.line);
    painter.text("council", left, answer, { font: BOLD_FONT, colour: own });
    painter.text(texts.fit(this.answersFrom(), NAME_FONT, names - 4), left, answer + 20, { colour: theme.muted });
    pieces.forEach((i, column) => {
      const begin = x + column * cell, centre = begin + cell / 2, kind = frame.answered[i] + 2 * frame.carried[i], bar = begin + BETWEEN / 2;
      if (i === this.piece) painter.rect(begin, above, cell - 1, bottom - above, theme.track);
      painter.text(texts.fit(this.nameOf(i), BOLD_FONT, cell - 4), centre, above - 12, { ...font(frame.carried[i]), colour: theme.ink, align: "center" });
      painter.rect(bar, answer - BAR / 2, wide, BAR, theme.track);
      painter.rect(bar, answer - BAR / 2, wide * clamp(frame.probability[i] || 0, 0, 1), BAR, own);
      if (frame.threshold !== null) painter.upright(bar + wide * frame.threshold, answer - BAR / 2 - 4, answer + BAR / 2 + 4, theme.strong, 2);
      // each sign has its word once
      const [sign, word] = OUTCOMES[kind], isNamed = !said.has(kind);
      painter.text(isNamed ? `${sign} ${word}` : sign, centre, answer + 20, { font: BOLD_FONT, colour: kind === 3 ? theme.ink : theme.guess, align: "center" });
      said.add(kind);
    });
    this.voters.forEach((expert, line) => {
      const box = { y: y + line * tall, height: tall }, middle = box.y + tall / 2, high = Math.min(BAR, tall / 2), isLoud = this.loud.includes(expert);
      painter.text(texts.fit(frame.plain[expert], font(isLoud).font, names - 8), left, middle, font(isLoud));
      painter.mark(expert, { ...box, x: left, width: names });
      pieces.forEach((i, column) => {
        const begin = x + column * cell + BETWEEN / 2, long = wide * clamp(frame.score[i * ranked.length + expert] || 0, 0, 1), colour = frame.carried[i] ? this.colour(expert) : theme.guess;
        painter.rect(begin, middle - high / 2, wide, high, theme.track);
        painter.context.globalAlpha = isLoud ? 1 : theme.faint;
        // hollow where it is not what was scored
        if (frame.has_learned) painter.rect(begin, middle - high / 2, long, high, colour);
        else painter.box(begin + 1, middle - high / 2 + 1, Math.max(0, long - 2), high - 2, colour);
        painter.context.globalAlpha = 1;
        painter.mark(expert, { ...box, x: x + column * cell, width: cell }, i);
      });
    });
    for (const [expert, colour] of this.marked(theme.lit)) {
      painter.frameAround({ x: left - 6, y: y + this.voters.indexOf(expert) * tall, width: right - left + 6, height: tall }, colour, 8);
    }
  }

  /** What stands at a line's end, the longest words first: of who gained or lost trust since the last drift how well it answers now, and did before. */
  endWords(row) {
    const { frame: { plain, before, lately }, matters: { gained, lost, mark } } = this, name = plain[row];
    if (![gained, lost].includes(row) || !(before[row] >= 0)) return [name];
    const [then, now] = [before[row], lately[row]].map((value) => shortly(value)), sign = markSign(mark.number);
    const was = then === now ? "as before" : `was ${then}`;
    return [`${name}: F1 ${now}, ${then === now ? `as before ${sign}` : `before ${sign} ${then}`}`, `${name}: F1 ${now}, ${was}`, `${name} ${now}, ${was}`, name];
  }

  /** From which score on the council answers, where that is known; or that it repeats the last row's labels. */
  answersFrom() {
    const { threshold, as_last: asLast } = this.frame;
    return threshold === null ? (asLast ? "as the last row" : "answered") : `answers from ${shortly(threshold)}`;
  }

  /** Labels that have a column. */
  pieces() {
    return this.order.slice(0, this.columns);
  }

  /** By trust. */
  inOrder() {
    const { trust } = this.frame;
    return [...trust.keys()].sort((a, b) => trust[b] - trust[a]).map((row, y) => ({ row, x: 0, y, width: 0 }));
  }

  firstRow() {
    return this.matters?.ranked[0] ?? 0;
  }

  /* --- the search finds labels ---------------------------------------------------------------------------------- */

  findAgain() {
    const { query } = this.search;
    this.found = query && this.frame ? new Set([...this.frame.label.keys()].filter((i) => this.nameOf(i).toLowerCase().includes(query))) : null;
    this.sort();
  }

  foundText() {
    return `${formatCount(this.found.size)} of ${plural(this.frame.label.length, "label")}`;
  }

  goToMatch() {}

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOf(i) {
    return this.labels[this.frame.label[i]] ?? `label ${this.frame.label[i]}`;
  }

  summarise() {
    if (this.isEmpty) return "";
    const { frame, matters: { ranked, second, mark, gains, gained, lost } } = this, told = (row) => `${frame.names[row]} (${formatSigned(frame.trust[row])})`;
    const moved = [[gained, "gained"], [lost, "lost"]].filter(([row]) => row >= 0).map(([row, word]) => `${frame.names[row]} ${word} most (${formatGain(gains[row])})`);
    const gone = frame.left.map(({ name, row }) => `${name} left at row ${formatCount(row)}`);
    return [
      `Trusted most now: ${told(ranked[0])}${second < 0 ? "" : `, then ${told(second)}`}.`, moved.length ? `Since ${markSign(mark.number)} ${moved.join(", ")}.` : "",
      gone.length ? `${gone.join(", ")}.` : "",
    ].filter(Boolean).join(" ");
  }

  describe(row) {
    const { frame, piece: label } = this, count = frame.id.length;
    const words = frame.words?.[row];
    const { gains, mark } = this.matters, since = gains ? `, ${formatGain(gains[row])} since ${markSign(mark.number)}` : "";
    const lines = [...(words ? [words] : []), `trust in all labels ${formatSigned(frame.trust[row])}${since}`];
    if (!(label in frame.label)) return { title: frame.names[row], lines };
    lines.push(`for this label ${formatSigned(frame.trust[row] + frame.own[label * count + row])} (${formatSigned(frame.own[label * count + row])})`);
    if (frame.said) {
      lines.push(`${frame.has_learned ? "said of" : "asked now about"} row ${formatCount(frame.now)}: ${frame.score[label * count + row].toFixed(2)}`);
      const adds = frame.adds[label * count + row];
      lines.push(`adds ${formatSigned(adds)} now to the council’s log-odds`);
      lines.push(`the council, as scored: ${frame.probability[label].toFixed(2)}${frame.answered[label] ? ", answered" : ""}${frame.carried[label] ? "; the row has it" : ""}`);
      if (frame.threshold !== null) lines.push(`it answers from ${frame.threshold.toFixed(2)} on`);
    }
    return { title: `${frame.names[row]} · ${this.nameOf(label)}`, lines };
  }

  tableRows() {
    const { frame } = this, count = frame.id.length;
    return [...frame.label.keys()].map((i) => {
      const own = Array.from({ length: count }, (_, k) => frame.own[i * count + k]);
      const told = (value) => (value ? `${frame.names[own.indexOf(value)]} ${formatSigned(value)}` : "–");
      return {
        id: i, name: this.nameOf(i),
        cells: [
          formatSigned(frame.spread[i]), told(Math.max(0, ...own)), told(Math.min(0, ...own)), frame.said ? frame.probability[i].toFixed(2) : "–",
          ...yesNo(frame.said, frame.answered[i], frame.carried[i]),
        ],
      };
    });
  }

  stats() {
    const ends = [...this.ids().keys()].flatMap((row) => this.marksOf(row).slice(0, 1)).filter(({ piece }) => piece === null);
    return { ...super.stats(), experts: this.ids().length, names: this.frame?.names ?? [], rows: this.frame ? this.pieces().length : 0, ends: ends.map(({ x, y }) => [x, y + 7]) };
  }
}

/** px at the right of all rows that names of so many px need which stand at the row `now`: rows to come leave them room. */
export function roomAtEnd([from, to] = [], now, width, names) {
  const passed = to > from ? clamp((now - from) / (to - from), 0, 1) : 1;
  const least = passed ? width - (width - names) / passed : 0;
  return clamp(Math.ceil(least / ROOM_STEP) * ROOM_STEP, 0, names);
}

/** How far a point is above or below a line, less what is as good as on it; null beside it. */
function awayFrom(points, x, y) {
  const next = points.findIndex((point) => point[0] >= x);
  if (next < 0 || x < points[0][0] - 1) return null;
  const [[x0, y0], [x1, y1]] = [points[Math.max(next - 1, 0)], points[next]];
  return Math.max(0, Math.abs(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0 || 1) - y) - 4);
}

export const render = renderPicture(CouncilView);
