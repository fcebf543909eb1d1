/*
 * The label view: how common each label is now against the whole stream, and which labels come together.
 *
 * One line per label, and beside it the lower triangle of the co-occurrence matrix as squares whose size and colour say the Jaccard
 * index. Rows are pairs, numbered row by row without the diagonal: (1, 0), (2, 0), (2, 1), (3, 0), … A frame has names, recent and whole
 * (shares of instances, 0..1, by label) and together (share of instances with both labels of a pair).
 */
import { button, clamp, element } from "../../../kit/js/dom.js";
import { formatPercent, plural, several } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { inkOn, ramp } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT, FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";

/** From this width on the list and the matrix stand beside each other; from so many labels on the matrix takes the larger part. */
const BESIDE = 680, MANY = 24, GAP = 28, HEAD = 24, LEAST_LINE = 15, MOST_LINE = 25, NOW = 54, POINTS = 62;
/** Right ends that the axis of the bars may have; it shrinks only when less than this share of it is needed. */
const AXIS_ENDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1], TOO_LONG = 0.5;
/** The order "changed most" is renewed at most this often. */
const SORT_EVERY_MS = 2000;
/** Differences under this many percentage points count as none. */
const NO_CHANGE = 0.05;
/** Pairs smaller than this many pixels have room for their colour only; names and rows that are high enough for them, px. */
const COLOURS = 33, SMALL_CELL = 10, MOST_CELL = 48, LONGEST_NAME = 200, LEAST_TEXT = 10, LEAST_NAMED = 11;

/** Number of a pair, whichever comes first. */
export const pairOf = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

/** The labels [a, b] of a pair, a > b. */
export function labelsOf(pair) {
  const a = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
  return [a, pair - (a * (a - 1)) / 2];
}

/** Share of the instances with either label that have both. */
export function jaccard(frame, a, b) {
  const joint = frame.together[pairOf(a, b)], either = frame.recent[a] + frame.recent[b] - joint;
  return either > 0 ? clamp(joint / either, 0, 1) : 0;
}

/** The label that comes most often with this one, or -1. */
export const partnerOf = (frame, label) => nearestOf(frame.recent, (_, other) => {
  const together = other === label ? 0 : frame.together[pairOf(label, other)];
  return together > 0 ? -together : null;
});

/** Most pairs are rare: the root of the index spreads them over the scale. */
const colourOf = (value) => Math.round((1 - Math.sqrt(value)) * (COLOURS - 1));

/** Right end of the axis: the next of the round ends, which does not follow every wobble. */
export function axisEnd(largest, before) {
  const wanted = AXIS_ENDS.find((end) => end >= largest) ?? largest;
  return before >= largest && largest > TOO_LONG * before ? before : wanted;
}

/** Pixels of a pair in `width` x `height`: whole ones, with room for names at the diagonal if they can be read; a name is the nearer to the edge the lower it is. */
export function cellOf(texts, names, width, height) {
  const most = Math.min(130, width * 0.3), count = names.length;
  const beside = names.map((name, a) => (width - Math.min(texts.width(name, `${LEAST_TEXT}px ${FONT}`), most) - 12) / Math.max(a, 1));
  const size = Math.min(...beside, height / count, width / count), isNamed = size >= LEAST_NAMED;
  return { isNamed, size: clamp(Math.floor(isNamed ? size : Math.min(width, height) / count), 1, MOST_CELL) };
}

export class LabelView extends MarkedView {
  /** What a line is of. */
  static noun = "label";

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
    super.setUp();
    Object.assign(this, { names: [], order: [], rows: [] });
    this.sorts = button("Changed most", () => this.setSorted(!this.isSorted), { "aria-pressed": "false", title: `The ${several(this.constructor.noun)} that changed most come first` });
  }

  arrange() {
    return [this.bar(element("div", { class: "sl-segments" }, [this.sorts])), this.stage];
  }

  setSorted(isSorted) {
    this.sorts.setAttribute("aria-pressed", String(isSorted));
    Object.assign(this, { isSorted, sortDue: 0 });
    if (this.frame) this.sort(performance.now());
    this.renew();
  }

  ids() {
    return this.rows;
  }

  rowOf(id) {
    return id !== null && id < this.rows.length ? id : -1;
  }

  get isEmpty() {
    return this.names.length === 0;
  }

  /** How many rows there are of so many names. */
  countOf(names) {
    return (names * (names - 1)) / 2;
  }

  accept(frame, before, now) {
    const { names, recent, whole } = frame;
    if (names.join("\n") !== this.names.join("\n")) {
      Object.assign(this, { names, axis: 0, sortDue: 0 });
      this.rows = Array.from({ length: this.countOf(names.length) }, (_, row) => row);
    }
    this.axis = axisEnd(Math.max(0, ...recent, ...whole), this.axis);
    if (now >= this.sortDue || !this.sortDue) this.sort(now);
  }

  sort(now) {
    this.sortDue = now + SORT_EVERY_MS;
    this.order = [...this.names.keys()];
    if (this.isSorted) this.order.sort((a, b) => this.away(b) - this.away(a) || a - b);
  }

  away(label) {
    return Math.abs(this.frame.recent[label] - this.frame.whole[label]);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  picture(painter, width) {
    const isBeside = width >= BESIDE, share = this.names.length > MANY ? 1 / 2.5 : 1.15 / 2.15;
    const list = isBeside ? share * (width - GAP) : width, at = this.cursor ?? this.hovered ?? this.selected, end = this.drawList(painter, list, at === null ? [] : labelsOf(at));
    const [x, y] = isBeside ? [list + GAP, 0] : [0, end + GAP], room = isBeside ? width - x : width;
    return Math.max(end, y + this.drawMatrix(painter, x, y, room, Math.max(this.tall, Math.min(room, 2 * this.tall)))) + 2;
  }

  /** A bar for now, a tick for the whole stream, and the difference in words of its own; returns the end. */
  drawList(painter, width, lit, ...mark) {
    const { frame, theme, order, names } = this, row = clamp((this.tall - HEAD) / names.length, LEAST_LINE, MOST_LINE);
    order.forEach((label, line) => { if (lit.includes(label)) painter.rect(0, HEAD + line * row, width, row, theme.track); });
    const rows = order.map((label) => {
      const difference = change(frame.recent[label] - frame.whole[label]), colour = { "=": theme.muted, "▲": theme.up, "▼": theme.down }[difference[0]];
      return {
        name: names[label], to: frame.recent[label], tick: frame.whole[label], colour: theme.bar, value: formatPercent(frame.recent[label]), loud: NAME_FONT,
        beside: [difference, colour], mark: mark.length ? [label, null] : null,
      };
    });
    const { x, end } = painter.bars({ x: 0, y: HEAD, width, row }, rows, { names: painter.longest(names, BOLD_FONT), indent: 6, number: NOW, beside: POINTS, ends: [0, this.axis], thin: true });
    const head = (words, at, align) => painter.text(words, at, HEAD / 2 - 1, { align, colour: theme.muted });
    head("0", x(0), "left");
    head(`${Math.round(100 * this.axis)} %`, x(this.axis), "right");
    head("now", width - POINTS, "right");
    const key = this.texts.first(["bar: now, stroke: all rows", "stroke: all rows"], NAME_FONT, x(this.axis) - x(0) - 60);
    if (key) head(key, (x(0) + x(this.axis)) / 2, "center");
    head("± points", width, "right");
    return end;
  }

  /** The lower triangle, names along the diagonal; returns its height. */
  drawMatrix(painter, left, top, width, height) {
    const { frame, names, theme } = this, count = names.length, { isNamed, size } = cellOf(this.texts, names, width, height), colours = ramp(theme, COLOURS);
    const at = this.cursor ?? this.hovered ?? this.selected, lit = at === null ? [] : labelsOf(at);
    for (const pair of this.rows) {
      const [a, b] = labelsOf(pair), box = { x: left + b * size, y: top + a * size, width: size, height: size }, value = jaccard(frame, a, b);
      painter.mark(pair, box);
      painter.context.globalAlpha = this.isDim(pair) ? 0.25 : 1;
      if (size < SMALL_CELL) painter.rect(box.x, box.y, size, size, colours.solid[colourOf(value)]);
      else {
        painter.box(box.x + 0.5, box.y + 0.5, size, size, theme.track, 1);
        this.drawSquare(painter, box, value, colours);
      }
    }
    painter.context.globalAlpha = 1;
    // the triangle leaves its upper right free
    const title = this.texts.first(["The larger, the more often two come together", "Which come together"], NAME_FONT, width - Math.max(3 * size, 100));
    if (title) painter.text(title, left + width, top + 8, { align: "right", colour: theme.muted });
    const font = `${clamp(size - 2, LEAST_TEXT, 13)}px ${FONT}`;
    if (isNamed) {
      names.forEach((name, a) => {
        const x = a * size + clamp(size / 4, 3, 8), words = this.texts.fit(name, font, Math.min(width - x - 2, LONGEST_NAME), 1);
        painter.text(words, left + x, top + (a + 0.5) * size + 1, { font, colour: lit.includes(a) ? theme.ink : theme.muted });
      });
    }
    this.sign(painter, theme.strong);
    return size * count;
  }

  /** Area and colour say the same: a square whose area is the Jaccard index, with its number where that lies within the square. */
  drawSquare(painter, { x, y, width: size }, value, colours) {
    if (value <= 0) return;
    const colour = colourOf(value), side = Math.max(1, Math.sqrt(value) * (size - 1)), inset = 1 + (size - 1 - side) / 2, number = value.toFixed(2).replace(/^0/, "");
    painter.rect(x + inset, y + inset, side, side, colours.solid[colour]);
    if (side < this.texts.width(number, SMALL_FONT) + 2) return;
    painter.note(number, x + size / 2 + 0.5, y + size / 2 + 1, { colour: inkOn(colours.rgb[colour]), align: "center" });
  }

  matches(pair, query) {
    return labelsOf(pair).some((label) => this.names[label].toLowerCase().includes(query));
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  describe(pair) {
    const [a, b] = labelsOf(pair), joint = formatPercent(this.frame.together[pair]);
    return { title: `${this.names[b]} with ${this.names[a]}: ${joint} of now`, lines: [`Jaccard index ${jaccard(this.frame, a, b).toFixed(2)}`] };
  }

  summarise() {
    const { frame, names } = this, count = plural(names.length, this.constructor.noun);
    if (this.isEmpty) return "";
    if (!frame.whole.some((share) => share > 0)) return `${count}: no row has had one yet.`;
    // of two classes one falls as the other rises: the one that rises is named
    const rank = (i) => [this.away(i).toFixed(6), Number(frame.recent[i] > frame.whole[i])].join();
    const furthest = names.reduce((best, _, i) => (rank(i) > rank(best) ? i : best), 0);
    const commonest = names.reduce((best, _, i) => (frame.recent[i] > frame.recent[best] ? i : best), 0);
    const points = change(frame.recent[furthest] - frame.whole[furthest]).slice(2);
    const moved = 100 * this.away(furthest) < NO_CHANGE ? ", none has changed"
      : `${furthest === commonest ? " and" : `; ${names[furthest]}`} has changed most (${points} points)`;
    return `${count}: ${names[commonest]} is the commonest now (${formatPercent(frame.recent[commonest])})${moved}.`;
  }

  tableRows() {
    const { frame, names } = this;
    return this.order.map((label) => {
      const difference = change(frame.recent[label] - frame.whole[label]).slice(2);
      return { id: label, name: names[label], cells: [formatPercent(frame.recent[label]), formatPercent(frame.whole[label]), difference, ...this.together(label)] };
    });
  }

  /** With which label this one comes most often, as cells. */
  together(label) {
    const partner = partnerOf(this.frame, label);
    return partner < 0 ? ["–", "–"] : [this.names[partner], formatPercent(this.frame.together[pairOf(label, partner)])];
  }
}

/** A difference of shares in percentage points, with an arrow and a sign. */
function change(difference) {
  const value = 100 * difference;
  return Math.abs(value) < NO_CHANGE ? "= 0.0" : `${value > 0 ? "▲ +" : "▼ −"}${Math.abs(value).toFixed(1)}`;
}

export const render = renderPicture(LabelView);
