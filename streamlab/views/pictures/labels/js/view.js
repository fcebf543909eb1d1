/*
 * The label view: how common each label is now against the whole stream, and which labels come together.
 *
 * One row per label, and beside it the lower triangle of the co-occurrence matrix as squares whose size and colour say the Jaccard
 * index. The rows of the canvas are pairs. A frame has names, recent and whole (shares of instances, 0..1, by label) and together
 * (share of instances with both labels: the lower triangle without the diagonal, row by row).
 */
import { BARS_CSS } from "../../../kit/js/bars.js";
import { segments } from "../../../kit/js/controls.js";
import { element } from "../../../kit/js/dom.js";
import { formatPercent, plural } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { Matrix, jaccard, labelsOf, pairOf, partnerOf } from "./matrix.js";
import { LabelRows, NO_CHANGE, change } from "./rows.js";

const CSS = `${BARS_CSS}
.sl-labels .sl-halves{display:grid;grid-template-columns:minmax(0,1fr);gap:28px}
@container (min-width:680px){.sl-labels .sl-halves{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}}
@container (min-width:680px){.sl-labels .sl-halves.sl-many{grid-template-columns:minmax(0,1fr) minmax(0,1.5fr)}}
.sl-labels .sl-list{--sl-columns:minmax(48px,var(--sl-names)) minmax(40px,1fr) 54px 62px}
@container (max-width:320px){.sl-labels .sl-ends>:first-child{display:none}}
.sl-labels .sl-fill{position:absolute;inset:2px 0;background:var(--sl-bar);transform-origin:left;border-radius:0 1px 1px 0}
.sl-labels .sl-whole{position:absolute;inset:0;border-left:2px solid var(--sl-text);margin-left:-1px}
.sl-labels .sl-up{color:var(--sl-up)}.sl-labels .sl-down{color:var(--sl-down)}.sl-labels .sl-same{color:var(--sl-muted)}
`;

/** Labels from which on the matrix takes the larger half. */
const MANY = 24;

export class LabelView extends MarkedView {
  /** What a row is of. */
  static noun = "label";

  static css = CSS;

  static about = {
    name: "labels", empty: "No label yet: press play", title: "Labels now and over the whole stream", role: "matrix of label pairs", noun: "pair", find: "Find a label",
    reach: { pointer: 0, touch: 0 },
    keys: "Labels that come together. Arrow keys move between pairs, Enter selects.",
    table: {
      label: "Table of the labels", caption: "One row per label.", left: [4],
      heads: ["Label", "Now", "Whole stream", "Difference, points", "Most often with", "Both, of now"],
    },
  };

  setUp() {
    this.names = [];
    this.pairs = [];
    this.painter = new Matrix(this.texts);
    this.list = new LabelRows(this.constructor.noun);
    this.sorts = segments(`Order of the ${plural(2, this.constructor.noun).slice(2)}`, [[false, "Schema order"], [true, "Changed most"]], (isSorted) => this.setSorted(isSorted));
    this.sorts.press(false);
  }

  arrange() {
    this.halves = element("div", { class: "sl-halves" }, [this.list.node, element("div", {}, [this.stage])]);
    return [this.bar(this.sorts.node), this.halves];
  }

  setSorted(isSorted) {
    this.sorts.press(isSorted);
    this.list.setSorted(isSorted);
    if (this.frame) this.list.write(this.frame, performance.now());
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  ids() {
    return this.pairs;
  }

  rowOf(id) {
    return id !== null && id < this.pairs.length ? id : -1;
  }

  get isEmpty() {
    return this.names.length === 0;
  }

  accept(frame, before, now) {
    const { names } = frame;
    if (names.length !== this.names.length || names.some((name, i) => name !== this.names[i])) {
      this.names = names;
      this.pairs = Array.from({ length: (names.length * (names.length - 1)) / 2 }, (_, pair) => pair);
      this.list.setNames(names);
      // so that the rows of a large matrix are high enough for names
      this.halves.classList.toggle("sl-many", names.length > MANY);
    }
    this.list.write(frame, now);
  }

  layoutKey() {
    return this.names.join("\n");
  }

  placesFor(width) {
    this.list.setHeight(this.tall - 12);
    return { total: this.painter.fit(this.names, width, Math.max(this.tall, Math.min(width, 2 * this.tall))) };
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  show(painter) {
    const at = this.cursor ?? this.hovered ?? this.selected;
    const lit = new Set(at === null ? [] : labelsOf(at));
    this.list.light(lit);
    painter.draw(this.frame, { lit, marked: this.marked(this.theme.strong), isDim: (pair) => this.isDim(pair) });
  }

  marksOf(pair) {
    return [this.painter.boxOf(pair)];
  }

  matches(pair, query) {
    return labelsOf(pair).some((label) => this.names[label].toLowerCase().includes(query));
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  describe(pair) {
    const [a, b] = labelsOf(pair);
    const joint = formatPercent(this.frame.together[pair]);
    return { title: `${this.names[b]} with ${this.names[a]}: ${joint} of now`, lines: [`Jaccard index ${jaccard(this.frame, a, b).toFixed(2)}`] };
  }

  summarise() {
    const { frame, names } = this;
    if (this.isEmpty) return "";
    if (!frame.whole.some((share) => share > 0)) return `${plural(names.length, this.constructor.noun)}: no row has had one yet.`;
    const away = (i) => Math.abs(frame.recent[i] - frame.whole[i]);
    // of two classes one falls as the other rises: the one that rises is named
    const rank = (i) => [away(i).toFixed(6), Number(frame.recent[i] > frame.whole[i])].join();
    const furthest = names.reduce((best, _, i) => (rank(i) > rank(best) ? i : best), 0);
    const commonest = names.reduce((best, _, i) => (frame.recent[i] > frame.recent[best] ? i : best), 0);
    const points = change(frame.recent[furthest] - frame.whole[furthest]).text.slice(2);
    const moved = 100 * away(furthest) < NO_CHANGE ? ", none has changed"
      : `${furthest === commonest ? " and" : `; ${names[furthest]}`} has changed most (${points} points)`;
    return `${plural(names.length, this.constructor.noun)}: ${names[commonest]} is the commonest now (${formatPercent(frame.recent[commonest])})${moved}.`;
  }

  tableRows() {
    const { frame, names } = this;
    return this.list.order.map((label) => {
      const partner = partnerOf(frame, label);
      const both = partner < 0 ? ["–", "–"] : [names[partner], formatPercent(frame.together[pairOf(label, partner)])];
      const difference = change(frame.recent[label] - frame.whole[label]).text.slice(2);
      return { id: label, name: names[label], cells: [formatPercent(frame.recent[label]), formatPercent(frame.whole[label]), difference, ...both] };
    });
  }

  stats() {
    return { ...super.stats(), labels: this.names.length };
  }
}

export const render = renderPicture(LabelView);
