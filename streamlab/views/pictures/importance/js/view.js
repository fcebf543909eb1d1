/*
 * What matters: a line for each feature over the rows that the curve shows, the darker the more the learner answers by it.
 *
 * A frame has {subject, now, end, names, marks ([row, drift] of each), since (the sign of the change with which `then` is compared), hue, more,
 * asked} and the columns of FEATURES, POINTS and CELLS in streamlab.views.pictures.importance.picture: features in the order in which they
 * are drawn, the cells of each one after the other. `axis`: the rows seen, as the timeline has them.
 */
import { formatCount, markSign, plural } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { channels, hue, inkOn, tint } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { TOP, placeOf, stageLayout, stretches } from "./scene.js";

/** The palest of what matters. */
const LEAST = 0.16;

/** ".45", as heads have it. */
const brief = (value) => value.toFixed(2).replace(/^0/, "");
/** What matters little is not called nothing. */
const LITTLE = 0.005, NO_LONGER = 2;

class ImportanceView extends MarkedView {
  static about = {
    name: "importance", empty: "Asked from the next rows on: press play", title: "What matters to a learner over time", role: "lines of features",
    noun: "feature", find: "Find a feature", keys: "Features. Up and down move between them, Enter selects.",
    table: {
      label: "Table of the features", caption: "One row per feature that is asked about.", choose: true,
      heads: ["Feature", "Error without it", "At the latest change", "Since then"], left: [3],
    },
  };

  static parameters = ["axis"];

  setUp(options) {
    super.setUp();
    this.axis = options.axis ?? [];
  }

  placesFor(width) {
    const wide = (words, font) => Math.max(0, ...words.map((each) => this.texts.width(each, font)));
    const changes = ["no longer", ...(this.frame.since ? [`since ${this.frame.since}`] : [])];
    return stageLayout(width, this.ids().length, this.tall, wide(this.frame.names, NAME_FONT), wide(Array.from(this.ids(), (_, row) => this.told(row).value.replace(/\d/g, "8")).concat("+.88"), BOLD_FONT), wide(changes, NAME_FONT));
  }

  picture(painter, width) {
    const { frame, theme } = this, places = this.placesFor(width), { left, right, line, axis } = this.places = places, seen = this.seen;
    const x = (row) => placeOf(places, seen, row), lines = Array.from({ length: places.lines }, (_, row) => stretches(frame.at, frame.cell, row * frame.at.length, frame.end, seen));
    lines.forEach((each, row) => {
      painter.context.globalAlpha = this.isDim(frame.id[row]) ? 0.25 : 1;
      this.drawLine(painter, row, each, x);
      painter.mark(row, { x: left, y: TOP + row * line, width: right - left, height: line });
    });
    painter.context.globalAlpha = 1;
    this.nameShades(painter, lines, x);
    for (const [row, drift] of frame.marks) if (row >= seen[0] && row <= seen[1]) painter.change(x(row), TOP - 2, axis, markSign(drift), [left, right]);
    this.drawAxis(painter, seen, x);
    this.sign(painter, theme.lit, 2);
    return places.total;
  }

  colourOf(share) {
    return tint(this.theme, hue(this.theme, this.frame.hue ?? 0), LEAST + (1 - LEAST) * share);
  }

  drawLine(painter, row, line, x) {
    const { name, value, change, isClear } = this.told(row), { places: { line: tall, left, right, value: room }, theme } = this, y = TOP + row * tall, middle = y + tall / 2;
    for (const { from, to, share } of line) {
      if (share === null) continue;
      painter.rect(x(from), y + 1, x(to) - x(from) + 0.4, tall - 2, share > 0 ? this.colourOf(share) : theme.track);
    }
    painter.text(this.texts.fit(name, NAME_FONT, left - 10), left - 8, middle, { align: "right", colour: value ? theme.ink : theme.muted });
    if (value) painter.text(value, right + 6 + room, middle, { align: "right", font: BOLD_FONT });
    if (change) painter.text(change, right + 14 + room, middle, { colour: isClear ? theme.ink : theme.muted });
  }

  /** What dark and empty stretches say, in the first ones that have room. */
  nameShades(painter, lines, x) {
    const { places: { line: tall } } = this, said = new Set();
    const say = (words, row, { from, to }, look) => {
      const [a, b] = [x(from), x(to)], wide = this.texts.width(words, NAME_FONT) + 16;
      if (said.has(words) || b - a < wide || tall < 15) return;
      said.add(words);
      painter.text(words, b - 8, TOP + (row + 0.5) * tall, { align: "right", ...look });
    };
    lines.forEach((line, row) => {
      const start = line[0], end = line.at(-1);
      if (start?.share === null && start.to < this.frame.end) say(`not asked before row ${formatCount(start.to)}`, row, start, { colour: this.theme.muted });
      if (!end || end.share === null) return;
      if (end.share === 0) say("does not matter", row, end, { colour: this.theme.muted });
      else if (row === 0) {
        const known = line.filter(({ share }) => share > 0);
        const from = known.findLast(({ to }, i) => known[i - 1]?.to !== undefined && known[i - 1].to < known[i].from) ?? known[0];
        say("matters most", row, { from: from.from, to: end.to }, { colour: inkOn(channels(this.colourOf(end.share))) });
      }
    });
  }

  drawAxis(painter, [from, to], at) {
    const { frame, places: { left, right, value, axis, lines } } = this, more = frame.more + frame.id.length - lines;
    if (more > 0) painter.note(`${formatCount(more)} more`, left - 8, axis + 3, { align: "right", base: "top" });
    for (const [row, align] of [[from, "left"], [Math.min(frame.end, to), "center"]]) {
      const x = at(row);
      if (align === "left" || x > left + 90) painter.note(`row ${formatCount(row)}`, align === "left" ? x : Math.min(x, right - 24), axis + 3, { align, base: "top" });
    }
    painter.note("error without it", right + 6 + value, 3, { align: "right", base: "top" });
  }

  /** The rows that are seen: those of the curve, else all. */
  get seen() {
    const { end, rows = 0 } = this.frame;
    return this.axis.length ? this.axis.slice(0, 2) : [0, Math.max(end, rows, 1)];
  }

  moves(row) {
    const { ArrowLeft, ArrowRight, ...moves } = super.moves(row);
    return moves;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOf(row) {
    return this.frame.names[row];
  }

  matters(row) {
    return this.frame.value[row] > 2 * this.frame.error[row];
  }

  /** What stands beside a line. */
  told(row) {
    const { value, then, word, clear, since } = this.frame, matters = this.matters(row);
    const change = word[row] === 1 ? `since ${since}` : word[row] === NO_LONGER ? "no longer" : clear[row] && matters ? `was ${brief(then[row])}` : "";
    const grows = value[row] < LITTLE ? "<.01" : `+${brief(value[row])}`;
    return { name: this.nameOf(row), value: matters && word[row] !== NO_LONGER ? grows : "", change, isClear: word[row] > 0 };
  }

  summarise() {
    const { frame } = this;
    if (this.isEmpty) return "";
    const rows = Array.from(this.ids(), (_, row) => row), named = (found) => found.slice(0, 3).map((row) => this.nameOf(row)).join(", ");
    const now = rows.filter((row) => this.matters(row)), over = rows.filter((row) => frame.word[row] === NO_LONGER);
    const gone = over.length ? ` No longer by ${named(over)}.` : "";
    return `${frame.subject} answers ${now.length ? `by ${named(now)}` : "by no feature clearly"}.${gone}`;
  }

  cells(row) {
    const { frame } = this, number = (value) => (value === value ? brief(value) : "–");
    return [this.matters(row) ? `${brief(frame.value[row])} ± ${brief(2 * frame.error[row])}` : "does not matter now", number(frame.then[row]), this.told(row).change];
  }

  paperWords() {
    return [this.summarise(), this.isEmpty ? "" : `${plural(this.places.lines, "feature")} of ${formatCount(this.ids().length + this.frame.more)}.`].filter(Boolean);
  }

  stats() {
    const told = this.isEmpty || !this.places ? [] : Array.from({ length: this.places.lines }, (_, row) => this.told(row));
    return { ...super.stats(), features: this.ids().length, told, points: this.frame?.at?.length ?? 0, axis: this.frame ? this.seen : null };
  }
}

export const render = renderPicture(ImportanceView);
