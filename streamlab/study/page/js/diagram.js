/* How the learners rank: a line for each, the best first, with its average rank and its rank on each stream. */
import { element, reachIfScrolling } from "../../../views/kit/js/dom.js";

const NAME = "Average ranks, the best first";
/** Px between the small dots of one rank, at most, and how much of the way to the next rank they take. */
const APART = 11, SPREAD = 80;
/** Beyond this part of its line a rank is written on the left of its dot. */
const RIGHT = 0.85;
/** A bracket along so many lines has room for its words. */
const MOST_TICKS = 10, LEAST_WITH_WORDS = 3;

/** What stands in a line before there is a rank: a box for each run, filled when it has ended. */
const progress = ({ cells }) => element("span", { class: "sl-progress", "aria-hidden": "true" }, cells.map(({ has_ended: hasEnded, is_running: isRunning, value }) => (
  element("i", { class: hasEnded ? "sl-ended" : isRunning || Number.isFinite(value) ? "sl-begun" : null }))));

export class RankDiagram {
  /** @param {(key: string, at: number|null) => string} addressOf the address of a run; @param {(key: string) => void} onOpen called before it opens */
  constructor(addressOf, onOpen) {
    Object.assign(this, { addressOf });
    this.node = element("div", { class: "sl-ranks" });
    this.node.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (link) onOpen(link.dataset.key);
    });
    this.observer = new ResizeObserver(() => reachIfScrolling(this.node, NAME));
    this.observer.observe(this.node);
  }

  update(frame, colourOf, inkOf) {
    const rows = [...frame.rows].sort((a, b) => (a.rank - b.rank || 0));
    const last = rows.length, partOf = (rank) => (last > 1 ? (rank - 1) / (last - 1) : 0);
    const isRanked = Number.isFinite(rows[0].rank);
    const at = (rank) => `left:${(100 * partOf(rank)).toFixed(2)}%`;
    const ticks = Array.from({ length: last }, (_, i) => i + 1).filter((rank) => last <= MOST_TICKS || rank === 1 || rank === last);
    const axis = element("div", { class: "sl-rank-axis", "aria-hidden": "true", hidden: !isRanked }, [element("span", {}, ticks.map((rank) => (
      element("i", { style: at(rank), text: `${rank}${rank === 1 ? " always first" : rank === last ? " always last" : ""}` }))))]);
    const list = rows.map((row, i) => this.line(row, i, { frame, at, partOf, isRanked, colour: colourOf(row.learner), ink: inkOf(row.learner) }));
    const placeOf = (learner) => rows.findIndex((row) => row.learner === learner);
    // who is first and those it leads by more than chance, then those whose order may be chance
    const better = frame.surpassed.length ? [[frame.rows.find(({ rank }) => rank === rows[0].rank).learner, ...frame.surpassed]] : [];
    let aside = 0;
    const bars = [...better, ...frame.groups].map((group, i) => {
      const places = group.map(placeOf), first = Math.min(...places), count = Math.max(...places) - first + 1, isBetter = i < better.length;
      const words = isBetter ? "more than chance" : "may be chance", hasWords = count >= LEAST_WITH_WORDS;
      const style = `grid-row:${first + 2}/${first + count + 2};margin-left:${aside}px;--sl-joined:${count}`;
      aside += hasWords ? 36 : 16;
      const ends = places.map((place) => element("i", { style: `--at:${place - first}` }));
      return element("div", { class: `sl-alike${isBetter ? " sl-better" : ""}${hasWords ? " sl-said" : ""}`, style }, [...ends, ...(hasWords ? [element("span", { text: words })] : [])]);
    });
    const words = ["small dots: one stream each", ...(bars.length ? [frame.joined] : [])].map((text) => element("span", { text }));
    if (isRanked) bars.push(element("p", { class: "sl-key" }, words));
    this.node.classList.toggle("sl-so-far", !frame.is_over);
    this.node.style.setProperty("--sl-lines", last);
    this.node.replaceChildren(axis, ...list, ...bars);
    reachIfScrolling(this.node, NAME);
  }

  line(row, i, { frame, at, partOf, isRanked, colour, ink }) {
    const { learner, rank, cells } = row;
    const parts = [element("b", { style: `color:${ink}`, text: frame.learners[learner].name })];
    if (!isRanked) return element("div", { class: "sl-rank-line", style: `grid-row:${i + 2}` }, [...parts, progress(row)]);
    const byRank = new Map();
    cells.forEach((cell, k) => Number.isFinite(cell.rank) && byRank.set(cell.rank, [...(byRank.get(cell.rank) ?? []), { ...cell, k }]));
    const small = [...byRank].flatMap(([value, same]) => same.map((cell, j) => {
      // beside each other, within their line
      const step = `min(${APART}px, ${(SPREAD / same.length / Math.max(1, frame.rows.length - 1)).toFixed(2)}%)`;
      const left = `left:calc(${(100 * partOf(value)).toFixed(2)}% + ${(j - (same.length - 1) * partOf(value)).toFixed(2)} * ${step})`;
      const hint = `${frame.streams[frame.columns[cell.k]].name}: rank ${value}. Click to watch this run.`;
      // the same links, within reach of the keys, are the figures of the table
      return element("a", { href: this.addressOf(cell.key, cell.at), "data-key": cell.key, tabindex: "-1", "aria-hidden": "true", title: hint, style: left });
    }));
    const value = element("strong", { class: partOf(rank) > RIGHT ? "sl-leftwards" : null, style: `${at(rank)};color:${ink}`, text: rank.toFixed(2) });
    parts.push(element("span", { class: "sl-lane", style: `--own:${colour}` }, [...small, element("i", { style: at(rank) }), value]));
    return element("div", { class: "sl-rank-line", style: `grid-row:${i + 2}` }, parts);
  }

  destroy() {
    this.observer.disconnect();
  }
}
