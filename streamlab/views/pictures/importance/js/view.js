/*
 * What matters: a line for each feature over the rows that the curve shows, the darker the more the learner answers by it.
 *
 * A frame has {subject, now, end, names, marks ([row, drift] of each), since (the sign of the change with which `then` is compared), hue, more,
 * asked} and the columns of FEATURES, POINTS and CELLS in streamlab.views.pictures.importance.picture: features in the order in which they
 * are drawn, the cells of each one after the other. `axis`: the rows seen, as the timeline has them.
 */
import { formatCount, plural } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { ImportancePainter } from "./painter.js";
import { TOP, stageLayout } from "./scene.js";

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
    this.axis = options.axis ?? [];
    this.painter = new ImportancePainter(this.texts);
  }

  layoutKey() {
    const longest = this.isEmpty ? 0 : Math.max(...Array.from(this.ids(), (_, row) => this.told(row).value.length));
    return `${this.frame?.names.join() ?? ""} ${this.frame?.since} ${longest}`;
  }

  placesFor(width) {
    const wide = (words, font) => Math.max(0, ...words.map((each) => this.texts.width(each, font)));
    const changes = ["no longer", ...(this.frame.since ? [`since ${this.frame.since}`] : [])];
    return stageLayout(width, this.ids().length, this.tall, wide(this.frame.names, NAME_FONT), wide(Array.from(this.ids(), (_, row) => this.told(row).value.replace(/\d/g, "8")).concat("+.88"), BOLD_FONT), wide(changes, NAME_FONT));
  }

  show(painter) {
    painter.draw(this.seen);
    for (const [row, colour] of this.marked(this.theme.lit)) {
      const box = this.placed(row);
      if (box) this.painter.frameAround({ x: box.x - 3, y: box.y, width: box.width + 6, height: box.height }, colour, 3);
    }
  }

  /** The rows that are seen: those of the curve, else all. */
  get seen() {
    const { end, rows = 0 } = this.frame;
    return this.axis.length ? this.axis.slice(0, 2) : [0, Math.max(end, rows, 1)];
  }

  marksOf(row) {
    const { left, right, line, lines } = this.places;
    return row < lines ? [{ x: left, y: TOP + row * line, width: right - left, height: line }] : [];
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

  describe(row) {
    const { frame } = this, lines = [];
    if (!this.matters(row)) lines.push("does not matter now");
    else lines.push(`without it the error grows by ${brief(frame.value[row])} ± ${brief(2 * frame.error[row])}`);
    if (frame.then[row] === frame.then[row] && frame.since) lines.push(`at ${frame.since}: ${brief(frame.then[row])}`);
    if (frame.asked) lines.push(`asked of ${frame.asked < 1 ? "under 1" : Math.round(frame.asked)} of 100 rows`);
    return { title: this.nameOf(row), lines };
  }

  tableRows() {
    const { frame } = this, number = (value) => (value === value ? brief(value) : "–");
    return Array.from(this.ids(), (id, row) => ({
      id, name: this.nameOf(row), label: `Select ${this.nameOf(row)}`, cells: [number(frame.value[row]), number(frame.then[row]), this.told(row).change],
    }));
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
