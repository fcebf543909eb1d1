/* The table of a study: a row for each learner, a column for each stream; every entry is a link to that run. */
import { element, scrollTable, setText, svg } from "../../../views/kit/js/dom.js";
import { Tooltip } from "../../../views/kit/js/tooltip.js";
import { DASHES } from "../../../views/timeline/js/chart.js";

/** A short piece of a learner's line. */
export function swatch(colour, dash) {
  const line = svg("line", { x1: 1, x2: 25, y1: 4, y2: 4, stroke: colour, "stroke-width": 3, "stroke-dasharray": DASHES[dash] ?? "" });
  return svg("svg", { class: "sl-swatch", width: 26, height: 8, "aria-hidden": "true" }, [line]);
}

const BY_NAME = "learner", BY_RANK = "rank";

export class StudyTable {
  /** @param {(key: string, at: number|null) => string} addressOf the address of a run; @param {(key: string) => void} onOpen called before it opens */
  constructor(addressOf, onOpen) {
    Object.assign(this, { addressOf, onOpen, by: BY_RANK, isTurned: false, tips: new Map() });
    this.head = element("tr");
    this.body = element("tbody");
    this.caption = element("caption", { class: "sl-hidden" });
    const scroll = scrollTable("Table of the study", [this.caption, element("thead", {}, [this.head]), this.body]);
    this.node = element("div", { class: "sl-table-host" }, [scroll]);
    this.tip = new Tooltip(this.node);
    this.head.addEventListener("click", (event) => this.sortBy(event.target.closest("button")?.dataset.by));
    this.body.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (link) this.onOpen(link.dataset.key);
    });
    for (const kind of ["pointerover", "focusin"]) this.body.addEventListener(kind, (event) => this.tell(event.target.closest("a")));
    for (const kind of ["pointerleave", "focusout"]) this.body.addEventListener(kind, () => this.tip.hide());
    scroll.addEventListener("scroll", () => this.tip.hide());
  }

  tell(link) {
    const tip = this.tips.get(link);
    if (tip) this.tip.showAt(link, tip);
    else this.tip.hide();
  }

  sortBy(by) {
    if (!by) return;
    // up, down, and then as the ranks are
    const isOver = by === this.by && this.isTurned;
    this.isTurned = by === this.by && !this.isTurned;
    this.by = isOver ? BY_RANK : by;
    this.draw();
    this.head.querySelector(`[data-by="${by}"]`)?.focus();
  }

  update(frame, inkOf) {
    Object.assign(this, { frame, inkOf });
    if (this.by !== BY_NAME && this.by !== BY_RANK && !frame.columns.includes(Number(this.by))) this.by = BY_RANK;
    this.draw();
  }

  /** The rows in order: the best first; who has no figure comes last, whichever way it is sorted. */
  sorted() {
    const { rows, columns, lower, learners } = this.frame;
    const turn = this.isTurned ? -1 : 1;
    if (this.by === BY_NAME) return [...rows].sort((a, b) => turn * learners[a.learner].name.localeCompare(learners[b.learner].name));
    const at = columns.indexOf(Number(this.by));
    const figure = this.by === BY_RANK ? (row) => row.rank : (row) => (lower ? 1 : -1) * row.cells[at].value;
    return [...rows].sort((a, b) => {
      const [one, other] = [figure(a), figure(b)];
      if (Number.isFinite(one) && Number.isFinite(other)) return turn * (one - other) || a.learner - b.learner;
      return Number.isFinite(other) - Number.isFinite(one) || a.learner - b.learner;
    });
  }

  draw() {
    const { frame } = this;
    const held = this.node.getRootNode().activeElement;
    const place = this.body.contains(held) ? held.dataset.place : null;
    const head = (by, text, hint) => element("th", {
      scope: "col", "aria-sort": by === this.by ? (this.isTurned ? "descending" : "ascending") : null,
    }, [element("button", { type: "button", "data-by": by, title: hint }, [
      text, ...(by === this.by ? [element("span", { "aria-hidden": "true", text: this.isTurned ? " ▾" : " ▴" })] : []),
    ])]);
    this.head.replaceChildren(
      head(BY_NAME, "Learner", "Sort by name"),
      ...frame.columns.map((i) => head(String(i), frame.streams[i].name, `Sort by ${frame.streams[i].name}`)),
    );
    setText(this.caption, `${frame.measures[frame.measure]} of each learner on each stream`);
    this.tips.clear();
    this.body.replaceChildren(...this.sorted().map((row) => this.row(row)));
    if (place) this.body.querySelector(`[data-place="${place}"]`)?.focus({ preventScroll: true });
  }

  row({ learner, cells }) {
    const { name } = this.frame.learners[learner];
    return element("tr", {}, [
      element("th", { scope: "row", style: `color:${this.inkOf(learner)}`, text: name }),
      ...cells.map((cell, i) => this.entry(cell, name, `${learner}.${this.frame.columns[i]}`, this.frame.streams[this.frame.columns[i]].name)),
    ]);
  }

  entry(cell, learner, place, stream) {
    const isFigure = Number.isFinite(cell.value);
    const words = cell.lines.join(" ");
    const link = element("a", {
      href: this.addressOf(cell.key, cell.at), "data-key": cell.key, "data-place": place, "aria-current": cell.chosen ? "true" : null,
      class: `${cell.best ? "sl-best" : ""}${isFigure && cell.has_ended ? "" : " sl-word"}`,
    }, [
      cell.text,
      element("span", { class: "sl-hidden", text: `${cell.best ? ", best of its stream" : ""}. ${words}` }),
    ]);
    this.tips.set(link, { title: `${learner} on ${stream}`, lines: [...cell.lines, `Click to watch this run, row by row${cell.seeds > 1 ? "; its page leads to the other seeds" : ""}.`] });
    return element("td", {}, [link]);
  }
}
