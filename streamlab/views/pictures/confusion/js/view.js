/*
 * The confusion matrix: a row for each class, a column for each answer, lately; the last column has rows without an answer.
 *
 * A frame has {subject, now, names, rows (recent rows of each class)}, the columns of MATRIX in
 * streamlab.views.pictures.confusion.picture, class by class, and those of LATEST, a value for each of the latest rows.
 */
import { button, clamp, element } from "../../../kit/js/dom.js";
import { formatCount, formatPercent, plural } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { channels, differing, inkOn } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";

const LONGEST_NAME = 130, LONGEST_HEAD = 90, LEAST_CELL = 12, MOST_CELL = 64, GAP = 6;
const NO_ANSWER = "no answer", AXIS = "answered:";
/** From this share on a cell has its number. */
const SAID = 0.005;
/** With fewer recent rows than these a class is not named as the worst. */
const FEW = 5;
/** So many rows of a cell are named, the latest first. */
const MOST_NAMED = 24;

class ConfusionView extends MarkedView {
  static css = `.sl-of-cell{display:flex;flex-wrap:wrap;align-items:center;align-content:start;gap:4px 6px;height:52px;overflow:hidden;font-size:13px;margin-top:6px}
.sl-of-cell>button{min-height:24px;padding:0 6px;border:1px solid var(--sl-line);border-radius:12px;background:none;color:var(--sl-accent);cursor:pointer;font:inherit}
.sl-of-cell>button:hover{background:var(--sl-track)} @container style(--sl-projected:1){.sl-of-cell{display:none}}
@media (max-width:520px){.sl-of-cell{height:auto;max-height:132px;overflow:auto}}`;

  static about = {
    name: "confusion", empty: "No class yet: press play", title: "Classes and what was answered", role: "matrix of classes and answers",
    noun: "cell", find: "Find a class", reach: { pointer: 0, touch: 0 },
    keys: "Cells of the matrix: rows are classes, columns are answers. Arrow keys move, Enter selects.",
    table: {
      label: "Table of the classes", caption: "One row per class: how its recent rows were answered.", left: [3],
      heads: ["Class", "Recent rows", "Right", "Most often wrong as", "Of its rows"],
    },
  };

  arrange() {
    this.rows = element("div", { class: "sl-of-cell", role: "group", "aria-label": "Rows of the cell" });
    return [this.bar(), this.stage, this.rows];
  }

  get isEmpty() {
    return !this.frame?.names.length;
  }

  accept(frame) {
    this.nClasses = frame.names.length;
    // who always answers has no column for rows without an answer
    const misses = frame.rows.some((_, own) => frame.recent[own * (this.nClasses + 1) + this.nClasses] >= SAID);
    this.answers = this.nClasses + (misses ? 1 : 0);
  }

  picture(painter, width) {
    const { frame, frame: { names }, theme, texts, nClasses: count } = this, heads = this.answers > count ? [...names, NO_ANSWER] : names;
    const left = Math.max(Math.min(painter.longest(names), LONGEST_NAME, 0.3 * width), texts.width(AXIS, SMALL_FONT)) + GAP;
    const right = texts.width("100 %", BOLD_FONT) + GAP, cell = Math.floor(clamp((width - left - right) / this.answers, LEAST_CELL, 2 * MOST_CELL));
    // words that do not fit beside each other stand upright
    const isUpright = painter.longest(heads) > cell - 4, top = isUpright ? Math.min(painter.longest(heads), LONGEST_HEAD) + GAP : 18;
    const tall = Math.floor(clamp((this.tall - top - 4) / count, LEAST_CELL, MOST_CELL));
    heads.forEach((name, answer) => {
      const x = left + (answer + 0.5) * cell, words = () => painter.text(texts.fit(name, NAME_FONT, LONGEST_HEAD, 1), 0, 0, { colour: theme.muted, align: isUpright ? "left" : "center" });
      painter.turned(x, isUpright ? top - GAP : top / 2, isUpright ? -Math.PI / 2 : 0, words);
    });
    painter.note(AXIS, left - GAP, top - (isUpright ? GAP + 5 : 9), { align: "right" });
    for (const row of this.ids()) {
      const [own, answer] = this.cellOf(row), y = top + own * tall, middle = y + tall / 2;
      if (answer < this.answers) this.drawCell(painter, row, { x: left + answer * cell, y, width: cell, height: tall });
      if (answer) continue;
      painter.text(texts.fit(names[own], NAME_FONT, left - GAP, 1), left - GAP, middle, { align: "right" });
      if (frame.rows[own] > 0) painter.text(`${Math.round(100 * frame.recent[row + own])} %`, left + this.answers * cell + GAP, middle, { font: BOLD_FONT });
    }
    this.sign(painter, theme.strong);
    return top + tall * count + 4;
  }

  drawCell(painter, row, { x, y, width, height }) {
    const { theme } = this, share = this.frame.recent[row], [own, answer] = this.cellOf(row), number = `${Math.round(100 * share)}`;
    const colour = share > 0 ? differing(theme, answer === own ? share : -share, 1) : theme.track;
    painter.mark(row, { x, y, width, height });
    painter.context.globalAlpha = this.isDim(row) ? 0.25 : 1;
    painter.rect(x + 0.5, y + 0.5, width - 1, height - 1, colour);
    if (share >= SAID && this.texts.width(number, SMALL_FONT) <= width - 4 && height >= 12) {
      painter.note(number, x + width / 2, y + height / 2 + 0.5, { colour: inkOn(channels(colour)), align: "center" });
    }
    painter.context.globalAlpha = 1;
  }

  /** The class of a row and its answer. */
  cellOf(row) {
    return [Math.floor(row / (this.nClasses + 1)), row % (this.nClasses + 1)];
  }

  matches(row, query) {
    const [own, answer] = this.cellOf(row);
    return answer < this.answers && [own, answer].some((place) => (this.frame.names[place] ?? NO_ANSWER).toLowerCase().includes(query));
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  how(own, answer) {
    return answer === own ? "answered right" : answer < this.nClasses ? `answered as ${this.frame.names[answer]}` : "not answered";
  }

  describe(row) {
    const { names, recent, whole } = this.frame, [own, answer] = this.cellOf(row);
    return { title: `${names[own]}, ${this.how(own, answer)}`, lines: [`${formatPercent(recent[row])} of its recent rows`, `${formatPercent(whole[row])} of all its rows so far`] };
  }

  /** The wrong answer that the recent rows of a class get most often: its place, or -1. */
  worstOf(own) {
    const { recent } = this.frame, first = own * (this.nClasses + 1);
    return nearestOf(this.frame.names, (_, answer) => (answer !== own && recent[first + answer] > SAID ? -recent[first + answer] : null));
  }

  summarise() {
    if (this.isEmpty) return "";
    const { names, rows, recent } = this.frame, share = (own, answer) => recent[own * (this.nClasses + 1) + answer];
    const all = rows.reduce((sum, each) => sum + each, 0);
    if (!(all > 0)) return `${plural(this.nClasses, "class")}: no row yet.`;
    const right = rows.reduce((sum, each, own) => sum + each * share(own, own), 0) / all;
    let worst = [-1, -1, 0];
    for (let own = 0; own < this.nClasses; own++) {
      const answer = this.worstOf(own);
      // of a class with some rows, and not of one that came once
      if (answer >= 0 && rows[own] >= FEW && share(own, answer) > worst[2]) worst = [own, answer, share(own, answer)];
    }
    const [own, answer] = worst;
    const said = own < 0 ? "" : ` Most often wrong: ${names[own]} answered as ${names[answer]}, ${formatPercent(share(own, answer))} of its rows.`;
    return `Right for ${formatPercent(right)} of the recent (faded) rows.${said}`;
  }

  writeText() {
    super.writeText();
    if (this.isEmpty) return;
    const { row, own, answer, score, names } = this.frame, chosen = this.rowOf(this.selected), [of, as] = this.cellOf(chosen);
    const places = [...row.keys()].filter((i) => own[i] === of && answer[i] === (as < this.nClasses ? as : -1)).reverse();
    const key = chosen < 0 ? "" : `${chosen} ${row[places[0]]} ${places.length} ${row[0]}`;
    if (key === this.rowsKey) return;
    this.rowsKey = key;
    this.rows.replaceChildren();
    if (chosen < 0) return;
    const told = `${names[of]}, ${this.how(of, as)}: ${places.length} of the latest ${plural(row.length, "row")}`;
    const named = places.slice(0, MOST_NAMED).map((i) => {
      const given = Number.isNaN(score[i]) ? "" : ` (${score[i].toFixed(2)})`;
      return button(`${formatCount(row[i])}${given}`, () => this.onMessage({ kind: "visit", row: row[i] }), { title: `Go to row ${formatCount(row[i])}` });
    });
    this.rows.append(element("b", { text: told }), ...named);
  }

  tableRows() {
    const { names, rows, recent } = this.frame;
    return names.map((name, own) => {
      const worst = this.worstOf(own), first = own * (this.nClasses + 1);
      const wrong = worst < 0 ? ["–", "–"] : [names[worst], formatPercent(recent[first + worst])];
      return { id: own, name, cells: [formatCount(Math.round(rows[own])), rows[own] > 0 ? formatPercent(recent[first + own]) : "–", ...wrong] };
    });
  }

  stats() {
    return { ...super.stats(), classes: this.nClasses ?? 0 };
  }
}

export const render = renderPicture(ConfusionView);
