/*
 * The council view: whom it trusts, since when, for which labels, and who says what of the latest row.
 *
 * Rows are experts, the first of them the labels' shares. A frame has {subject, now, names, more, drifts, left, combine, said} and the
 * columns of the tables in streamlab.views.pictures.council.picture.
 */
import { nearestOf } from "../../../kit/js/numbers.js";
import { CanvasView } from "../../../kit/js/canvas_view.js";
import { sharedAxis } from "../../../kit/js/rows_axis.js";
import { formatCount, formatSigned, markSign, plural } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT } from "../../../kit/js/text.js";
import { CouncilPainter } from "./painter.js";
import { columnOf, formatGain, stageLayout, trustEnds, whoMatters } from "./scene.js";

/** Labels that are shown of a row at least, whatever it is about. */
const LEAST_OF_ROW = 3;

class CouncilView extends CanvasView {
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
    this.label = -1;
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
    const first = (i) => (this.found?.has(i) ? 4 : 0) + frame.answered[i] + frame.carried[i];
    const all = [...frame.label.keys()].sort((a, b) => first(b) - first(a) || frame.probability[b] - frame.probability[a] || a - b);
    this.order = frame.said ? all.filter((i, place) => place < LEAST_OF_ROW || first(i)) : [];
  }

  layoutKey() {
    return `${this.frame?.plain.join(" ")} ${this.frame?.label.length} ${this.axis}`;
  }

  layOut(width) {
    if (this.isEmpty) return 160;
    const { frame, texts } = this;
    const longest = (names) => Math.max(0, ...names.map((name) => texts.width(name, BOLD_FONT)));
    this.places = this.painter.places = stageLayout({
      width, tall: this.tall, experts: frame.names.length - 1, labels: frame.label.length, fills: this.fills, isAlone: !this.canFind,
      longestEnd: longest(["baseline", ...frame.plain.slice(1)]), longestLabel: longest([...frame.label.keys()].slice(0, 200).map((i) => this.nameOf(i))),
      shared: sharedAxis(this.axis, width),
    });
    // the curves below leave as much free: both have one axis
    if (this.places.beside !== this.beside) this.onChange("beside", (this.beside = this.places.beside));
    return this.places.total;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  render(context) {
    if (this.isEmpty || !this.places) return;
    this.magnify(context);
    const selected = this.rowOf(this.selected), pointed = this.rowOf(this.cursor ?? this.hovered), { ranked, second, gained, lost } = this.matters;
    const lit = [selected, pointed].filter((row) => row >= 0);
    this.painter.on(context, { frame: this.frame }).draw({
      selected, pointed, loud: lit.length ? lit : [ranked[0], second, gained, lost], label: this.label, order: this.order,
      nameOf: (i) => this.nameOf(i),
    });
  }

  /** Another cell of the same column has other words. */
  move(event) {
    const { label } = this;
    super.move(event);
    if (label !== this.label) this.look(false);
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py), { places: { lines, table, row, rows, isAlone } } = this;
    const column = Math.floor((x - table.x) / table.cell), line = Math.floor((y - table.y) / row);
    this.label = -1;
    if (!isAlone && column >= 0 && column < table.count && y >= table.y - 20 && line < Math.min(rows, this.order.length)) {
      this.label = line < 0 ? -1 : this.order[line];
      return { id: this.idOf(column + 1) };
    }
    const named = (this.painter.namesAt ?? []).findIndex((name) => name && x >= name.x && x < name.x + name.width && Math.abs(name.y - y) <= 7);
    const at = named < 0 && x <= lines.x + lines.width ? this.lineAt(x, y, reach) : named;
    return at < 0 ? null : { id: this.idOf(at) };
  }

  lineAt(x, y, reach) {
    const { frame, painter, places: { lines } } = this;
    if (x < lines.x || y < lines.y - 8 || y > lines.y + lines.height + 8) return -1;
    const { noted } = frame, at = painter.rowAt(x);
    const next = Math.max(1, noted.findIndex((row) => row >= at)), share = noted.length > 1 ? (at - noted[next - 1]) / (noted[next] - noted[next - 1]) : 0;
    return nearestOf(this.ids(), (_, row) => {
      const value = (i) => frame.values[i * this.ids().length + row];
      return Math.abs(painter.y(noted.length > 1 ? value(next - 1) + share * (value(next) - value(next - 1)) : value(0)) - y);
    }, reach + 4);
  }

  /** The cell that is pointed at; else the name at the line's end. */
  box(row) {
    if (!this.places) return null;
    const { table: { x, y, cell, count }, row: tall, rows } = this.places, line = this.order.indexOf(this.label), column = columnOf(row, this.ids().length);
    if (this.label >= 0 && line >= 0 && line < rows && column < count) return this.camera.see({ x: x + column * cell, y: y + line * tall, width: cell, height: tall });
    const name = this.painter.namesAt?.[row];
    return name ? this.camera.see({ x: name.x, y: name.y - 7, width: name.width, height: 14 }) : null;
  }

  moves(row) {
    const { trust } = this.frame;
    const ranked = [...trust.keys()].sort((a, b) => trust[b] - trust[a]);
    const beside = (direction) => ranked[ranked.indexOf(row) + direction] ?? -1;
    const along = (direction) => {
      const line = this.order.indexOf(this.label) + direction;
      this.label = line < 0 ? -1 : this.order[Math.min(line, this.order.length - 1, this.places.rows - 1)] ?? -1;
      return row;
    };
    return {
      ArrowUp: () => beside(-1), ArrowDown: () => beside(1), ArrowLeft: () => along(-1), ArrowRight: () => along(1),
      Home: () => ranked[0], End: () => ranked.at(-1),
    };
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
    const { frame, label } = this, count = frame.id.length;
    const words = frame.words?.[row];
    const { gains, mark } = this.matters, since = gains ? `, ${formatGain(gains[row])} since ${markSign(mark.number)}` : "";
    const lines = [...(words ? [row ? words : `a baseline, no expert: ${words}`] : []), `trust in all labels ${formatSigned(frame.trust[row])}${since}`];
    if (label < 0 || label >= frame.label.length) return { title: frame.names[row], lines };
    lines.push(`for this label ${formatSigned(frame.trust[row] + frame.own[label * count + row])} (${formatSigned(frame.own[label * count + row])})`);
    if (frame.said) {
      if (row) lines.push(`${frame.has_learned ? "said of" : "asked now about"} row ${formatCount(frame.now)}: ${frame.score[label * (count - 1) + row - 1].toFixed(2)}`);
      const adds = frame.adds[label * (count + 1) + row];
      lines.push(`adds ${formatSigned(adds)} now to the council’s ${frame.combine === "hedge" ? "score" : "log-odds"}`);
      lines.push(`the council, as scored: ${frame.probability[label].toFixed(2)}${frame.answered[label] ? ", answered" : ""}${frame.carried[label] ? "; the row has it" : ""}`);
      if (frame.threshold !== null) lines.push(`it answers from ${frame.threshold.toFixed(2)} on`);
    }
    return { title: `${frame.names[row]} · ${this.nameOf(label)}`, lines };
  }

  tableRows() {
    const { frame } = this, count = frame.id.length;
    return [...frame.label.keys()].map((i) => {
      const own = Array.from({ length: count - 1 }, (_, k) => frame.own[i * count + k + 1]);
      const told = (value) => (value ? `${frame.names[own.indexOf(value) + 1]} ${formatSigned(value)}` : "–");
      return {
        id: i, name: this.nameOf(i),
        cells: [
          formatSigned(frame.spread[i]), told(Math.max(0, ...own)), told(Math.min(0, ...own)), frame.said ? frame.probability[i].toFixed(2) : "–",
          frame.said ? (frame.answered[i] ? "yes" : "no") : "–", frame.said ? (frame.carried[i] ? "yes" : "no") : "–",
        ],
      };
    });
  }

  stats() {
    return { ...super.stats(), experts: this.ids().length, names: this.frame?.names ?? [], labels: this.frame?.label.length ?? 0, rows: Math.min(this.places?.rows ?? 0, this.order.length), ends: (this.painter.namesAt ?? []).filter(Boolean).map(({ x, y }) => [x, y]) };
  }
}

export const render = renderPicture(CouncilView);
