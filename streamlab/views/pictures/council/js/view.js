/*
 * The council view: whom it trusts, since when, for which labels, and who says what of the latest row.
 *
 * Rows are experts. A frame has {subject, now, names, drifts, left, combine, said} and the columns of the tables in streamlab.views.pictures.council.picture.
 */
import { MarkedView, yesNo } from "../../../kit/js/marked_view.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { sharedAxis } from "../../../kit/js/rows_axis.js";
import { formatCount, formatSigned, markSign, plural, shortly } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT } from "../../../kit/js/text.js";
import { CouncilPainter } from "./painter.js";
import { formatGain, stageLayout, trustEnds, whoMatters } from "./scene.js";

/** Labels that are shown of a row at least, whatever it is about. */
const LEAST_OF_ROW = 3;

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
    this.axis = options.axis ?? [];
    this.painter = new CouncilPainter(this.texts);
    this.order = [];
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.painter.ends = trustEnds(frame.values);
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

  layoutKey() {
    return `${this.frame?.plain.join(" ")} ${this.frame?.label.length} ${this.axis}`;
  }

  placesFor(width) {
    const { frame, texts } = this;
    const longest = (names) => Math.max(0, ...names.map((name) => texts.width(name, BOLD_FONT)));
    const places = stageLayout({
      width, tall: this.tall, experts: frame.names.length, labels: frame.label.length, fills: this.fills, isAlone: !this.canFind,
      longestEnd: longest([...frame.id.keys()].map((row) => this.endWords(row)[0])), longestName: longest(frame.plain),
      shared: sharedAxis(this.axis, width),
    });
    // the curves below leave as much free: both have one axis
    if (places.beside !== this.beside) this.onChange("beside", (this.beside = places.beside));
    return places;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** Its name at the line's end; its line of the votes: its name and a cell for each label. */
  marksOf(row) {
    const { table: { x, y, cell, row: tall }, left, isAlone } = this.places, name = this.painter.namesAt?.[row], place = { y: y + (1 + this.matters.ranked.indexOf(row)) * tall, height: tall };
    const names = name ? [{ ...name, y: name.y - 7, height: 14 }] : [];
    if (isAlone) return names;
    return [...names, { ...place, x: left, width: x - left }, ...this.pieces().map((piece, k) => ({ ...place, piece, x: x + k * cell, width: cell }))];
  }

  /** What stands at a line's end, the longest words first: of who gained or lost trust since the last drift that it did, and why. */
  endWords(row) {
    const { frame: { plain, before, lately }, matters: { gained, lost } } = this, did = row === gained ? " gained trust" : row === lost ? " lost trust" : "";
    const words = `${plain[row]}${did}`, f1 = `${shortly(before[row])} → ${shortly(lately[row])}`;
    return did && before[row] >= 0 ? [`${plain[row]}: F1 ${f1},${did}`, `${plain[row]}: F1 ${f1}`, words, plain[row]] : [words, words, words, plain[row]];
  }

  /** Labels that have a column. */
  pieces() {
    return this.order.slice(0, this.places.table.columns);
  }

  /** The nearest line. */
  near(x, y, reach) {
    const { frame, painter, places: { lines } } = this;
    if (x < lines.x || x > lines.x + lines.width || y < lines.y - 8 || y > lines.y + lines.height + 8) return null;
    const { noted } = frame, at = painter.rowAt(x);
    const next = Math.max(1, noted.findIndex((row) => row >= at)), share = noted.length > 1 ? (at - noted[next - 1]) / (noted[next] - noted[next - 1]) : 0;
    const row = nearestOf(this.ids(), (_, row) => {
      const value = (i) => frame.values[i * this.ids().length + row];
      return Math.abs(painter.y(noted.length > 1 ? value(next - 1) + share * (value(next) - value(next - 1)) : value(0)) - y);
    }, reach + 4);
    return row < 0 ? null : { row };
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
    const { frame, matters: { ranked, second } } = this, told = (row) => `${frame.names[row]} (${formatSigned(frame.trust[row])})`;
    const most = `Trusted most now: ${told(ranked[0])}${second < 0 ? "" : `, then ${told(second)}`}.`;
    return [most, this.sinceDrift(), this.whoLeft()].filter(Boolean).join(" ");
  }

  /** Who gained and who lost most since the last drift, or mark. */
  sinceDrift() {
    const { frame, matters: { mark, gains, gained, lost } } = this;
    const parts = [[gained, "gained"], [lost, "lost"]].filter(([row]) => row >= 0).map(([row, word]) => `${frame.names[row]} ${word} most (${formatGain(gains[row])})`);
    return parts.length ? `Since ${markSign(mark.number)} ${parts.join(", ")}.` : "";
  }

  whoLeft() {
    const { left } = this.frame;
    return left.length ? `${left.map(({ name, row }) => `${name} left at row ${formatCount(row)}`).join(", ")}.` : "";
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
      lines.push(`adds ${formatSigned(adds)} now to the council’s ${frame.combine === "hedge" ? "score" : "log-odds"}`);
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
    return { ...super.stats(), experts: this.ids().length, names: this.frame?.names ?? [], labels: this.frame?.label.length ?? 0, rows: this.places ? this.pieces().length : 0, ends: (this.painter.namesAt ?? []).filter(Boolean).map(({ x, y }) => [x, y]) };
  }
}

export const render = renderPicture(CouncilView);
