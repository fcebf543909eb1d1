/*
 * The weights view: what each label of linear models stands on, what moved most, and why the latest row is answered as it is.
 *
 * Rows are labels, or classes. A frame has {subject, now, noun, names, columns, marked, first, more, hidden} and the columns of the tables in
 * streamlab.views.pictures.weights.picture. Bars and sums of all labels come with each frame, so that a replay can show any of them.
 */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatSigned, markSign, plural, several } from "../../../kit/js/format.js";
import { MarkedView, yesNo } from "../../../kit/js/marked_view.js";
import { stepsOfSum } from "../../../kit/js/marks.js";
import { scaleEnd, span } from "../../../kit/js/numbers.js";
import { differing } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";

/** From these widths on all three parts stand beside each other, or the first above the others, which stand beside each other. */
const WIDE = 980, MIDDLE = 620;
const GAP = 28, HEAD = 22, LEAST_ROW = 13, MOST_ROW = 26, BAR_ROW = 17, MOST_BAR = 23, MOST_NAME = 150, MOST_CELL = 22, LEAST_CELL = 5;
/** Room for the names of features, upright below the heat, where its cells are wide enough for them. */
const NAMES_BELOW = 74, NAMED_CELL = 11;
/** Rows of the heat where the lists stand below it. */
const MOST_ROWS = 24;

class WeightsView extends MarkedView {
  static about = {
    name: "weights", empty: "No weights yet: press play", title: "Weights", role: "heat of labels and features, bars and a sum",
    noun: "label", find: "Find by name", reach: { pointer: 0, touch: 0 },
    keys: "Up and down move between labels or classes, left and right between features, Enter selects.",
    table: {
      label: "Table of the weights", caption: "One row for each label or class.", left: [1, 2], choose: true,
      heads: ["Name", "Speaks for it", "Against it", "Begins with", "Sum of the row", "Score", "Answered", "In the row"],
    },
  };

  order = [];

  accept(frame) {
    this.about.noun = frame.noun;
    this.sort();
  }

  /** The rows in the order in which they stand: what was found by name first. */
  sort() {
    if (!this.frame) return;
    const first = (row) => (this.found?.has(this.idOf(row)) ? 1 : 0);
    this.order = [...this.frame.id.keys()].sort((a, b) => first(b) - first(a) || a - b);
  }

  findAgain() {
    super.findAgain();
    this.sort();
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The row of the label whose bars and sum are drawn. */
  get label() {
    const row = this.rowOf(this.selected);
    return row >= 0 ? row : this.rowOf(this.frame?.first);
  }

  /** The largest weights of a label: places among the bars of all. */
  barsOf(row) {
    const { bar_term: terms } = this.frame, most = terms.length / this.ids().length;
    return Array.from({ length: most }, (_, k) => row * most + k).filter((k) => terms[k] >= 0);
  }

  picture(painter, width) {
    const { frame, tall, label } = this, columns = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1, count = frame.id.length;
    const part = columns === 3 ? [0.4, 0.28, 0.32].map((share) => share * (width - 2 * GAP)) : columns === 2 ? [width, (width - GAP) / 2, (width - GAP) / 2] : [width, width, width];
    const bars = frame.bar.length / count, sums = frame.adds.length / count + 4, moved = frame.moved_label.length;
    // three parts beside each other share the height that there is
    const row = columns === 3 ? clamp((tall - (moved ? 2 * HEAD + 8 : HEAD)) / Math.max(bars, sums + moved), BAR_ROW, MOST_BAR) : BAR_ROW;
    const lists = HEAD + row * bars, least = columns === 3 ? Math.max(tall, lists, HEAD + row * sums + (moved ? HEAD + 8 + row * moved : 0)) : 0;
    const end = this.drawHeat(painter, part[0], least);
    if (label < 0) return end + 4;
    const list = { x: columns === 3 ? part[0] + GAP : 0, y: columns === 3 ? 0 : end + 14, width: part[1], row };
    const sum = { x: columns === 1 ? 0 : list.x + part[1] + GAP, y: columns === 1 ? list.y + lists + 14 : list.y, width: part[2], row };
    const moves = { ...sum, y: sum.y + HEAD + row * sums + 8 };
    this.drawBars(painter, list);
    this.explain(painter, sum);
    if (moved) this.drawMoved(painter, moves);
    return Math.max(end, list.y + lists, moved ? moves.y + HEAD + row * moved : moves.y - 8) + 4;
  }

  /** The heat, at least so high where it has a height to keep to; returns its end. */
  drawHeat(painter, width, least) {
    const { theme, texts, frame, order, label, piece } = this, count = frame.columns.length, all = `All ${several(frame.noun)}`;
    const rest = frame.hidden ? ` (${count} of ${formatCount(count + frame.hidden)} features)` : "";
    painter.title([`${all}: what each stands on${rest}`, `${all}${rest}`, all], { x: 0, y: 0, width });
    const left = Math.min(painter.longest(order.map((row) => this.nameOf(row)), BOLD_FONT) + 20, MOST_NAME, width * 0.36);
    const cell = count ? clamp((width - left) / count, LEAST_CELL, MOST_CELL) : MOST_CELL, below = cell >= NAMED_CELL ? NAMES_BELOW : 6;
    const high = least || Math.max(this.tall * 0.55, HEAD + below + 14 + LEAST_ROW * Math.min(order.length, MOST_ROWS));
    const room = Math.max(high - HEAD - below - (frame.more ? 14 : 0), LEAST_ROW * 3), shown = order.slice(0, Math.floor(room / LEAST_ROW));
    const tall = clamp(room / Math.max(shown.length, 1), LEAST_ROW, MOST_ROW), end = HEAD + shown.length * tall;
    const end_scale = scaleEnd(frame.heat);
    shown.forEach((row, line) => {
      const y = HEAD + line * tall, font = frame.carried[row] ? BOLD_FONT : NAME_FONT, place = { y, height: tall };
      painter.context.globalAlpha = this.isDim(this.idOf(row)) ? 0.3 : 1;
      painter.text(texts.fit(this.nameOf(row), font, left - 16), left - 8, y + tall / 2, { font, align: "right" });
      if (frame.answered[row]) painter.dot(left - 4, y + tall / 2, 2.6, theme.ink);
      painter.mark(row, { ...place, x: 0, width: left });
      for (let k = 0; k < count; k++) {
        painter.rect(left + k * cell, y, cell - 1, tall - 1, differing(theme, frame.heat[row * count + k], end_scale));
        painter.mark(row, { ...place, x: left + k * cell, width: cell }, k);
      }
      painter.context.globalAlpha = 1;
    });
    if (below > 20) {
      frame.columns.forEach((name, k) => painter.turned(left + (k + 0.5) * cell, end + 4, Math.PI / 2, () => (
        painter.note(texts.fit(frame.names[name], NAME_FONT, below - 8), 0, 0, k === piece ? { colour: theme.ink } : {}))));
    }
    const hidden = order.length - shown.length + frame.more, foot = end + below + (hidden ? 14 : 0);
    if (hidden > 0) painter.note(`+ ${plural(hidden, frame.noun)}${this.canFind ? ": find one by its name" : ""}`, 0, foot - 7);
    for (const [row, colour] of [[label, theme.lit], [this.pointed, theme.accent]]) {
      const line = shown.indexOf(row);
      // without a halo, which would lie on the names above and below
      if (line >= 0) painter.box(1, HEAD + line * tall - 1, left + count * cell, tall + 1, colour);
    }
    return foot;
  }

  drawBars(painter, part) {
    const { frame, label } = this, name = this.nameOf(label), found = this.barsOf(label), before = (k) => (frame.marked ? frame.bar_before[k] : undefined);
    painter.title([`${name}: its largest weights`, name], part);
    const rows = found.map((k) => ({ name: frame.names[frame.bar_term[k]], to: frame.bar[k], tick: before(k), value: formatSigned(frame.bar[k]) }));
    const ends = span(found.flatMap((k) => [frame.bar[k], before(k) ?? 0]));
    painter.bars({ ...part, y: part.y + HEAD }, rows, { names: painter.longest(frame.names) + 2, ends });
    if (!rows.length) painter.text("It was in no row yet.", part.x, part.y + HEAD + 8, { colour: this.theme.muted });
  }

  explain(painter, part) {
    const { frame, label, texts } = this;
    if (Number.isNaN(frame.total[label])) return;
    const begins = `Row ${formatCount(frame.now)}, asked again: `, score = ` ${frame.score[label].toFixed(2)}`;
    const room = part.width - texts.width(begins + score, BOLD_FONT);
    painter.text(`${begins}${texts.fit(this.nameOf(label), BOLD_FONT, room)}${score}`, part.x, part.y + 8, { font: BOLD_FONT });
    const threshold = sumAt(frame.threshold[label]), was = frame.intercept_before[label], decided = verdict(frame, label, (row) => this.nameOf(row));
    const names = painter.longest(frame.names) + texts.width(" × −0.00", NAME_FONT) + 2;
    const { x, end } = painter.sum({ ...part, y: part.y + HEAD }, stepsOf(frame, label), { row: label, more: [threshold ?? 0, was || 0], was, names, decided, brief: decided.replace(/ by .*/, "") });
    if (threshold !== null) painter.line([[x(threshold), end - part.row - 3], [x(threshold), end + 3]], this.theme.ink, 1.5, [3, 2]);
  }

  drawMoved(painter, part) {
    const { frame, theme } = this, since = frame.marked ? `since ${markSign(frame.marked.number)}` : "since the first row";
    painter.title([`Moved most ${since}, of all ${several(frame.noun)}`, `Moved most ${since}`], part);
    const rows = Array.from(frame.moved_label, (id, i) => {
      const from = frame.moved_from[i], to = frame.moved_to[i];
      return { name: this.nameOfId(id), tail: ` ${frame.names[frame.moved_term[i]]}`, from, to, isMove: true, value: `${to < from ? "" : "+"}${formatSigned(to - from)}`, ink: theme.ink };
    });
    painter.bars({ ...part, y: part.y + HEAD }, rows, { names: painter.longest(rows.map(({ name, tail }) => name + tail)), ends: span([...frame.moved_from, ...frame.moved_to]) });
  }

  pieces() {
    return [...this.frame.columns.keys()];
  }

  firstRow() {
    return Math.max(this.label, 0);
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOfId(id) {
    return this.labels[id] ?? `${this.about.noun} ${id}`;
  }

  /** The loudest weight of a label with this sign, in words, or "". */
  loudest(row, sign) {
    const { frame } = this, k = this.barsOf(row).find((each) => frame.bar[each] * sign > 0);
    return k === undefined ? "" : `${frame.names[frame.bar_term[k]]} (${formatSigned(frame.bar[k])})`;
  }

  summarise() {
    const { frame, label } = this;
    if (this.isEmpty || label < 0) return "";
    const parts = [[this.loudest(label, 1), "speaks most for it"], [this.loudest(label, -1), "most against it"]];
    const stands = parts.filter(([name]) => name).map(([name, words]) => `${name} ${words}`).join(", ");
    const words = stands ? [`${this.nameOf(label)}: ${stands}.`] : [`${this.nameOf(label)} was in no row yet.`];
    if (frame.marked && frame.moved_label.length) {
      const since = markSign(frame.marked.number);
      const moved = `${frame.names[frame.moved_term[0]]} from ${formatSigned(frame.moved_from[0])} to ${formatSigned(frame.moved_to[0])}`;
      words.push(`Of all ${several(this.about.noun)} ${this.nameOfId(frame.moved_label[0])} moved most since ${since}: ${moved}.`);
    }
    return words.join(" ");
  }

  describe(row) {
    const { frame, piece } = this, name = this.nameOf(row), { step } = this.placed(row) ?? {};
    const product = (weight, scaled) => `weight ${formatSigned(weight)} × value ${formatSigned(scaled)} (scaled) = ${formatSigned(weight * scaled)}`;
    if (step) return { title: `${name} · ${step.words}${step.times}`, lines: [product((step.to - step.from) / step.value, step.value)] };
    if (piece in frame.columns) {
      const weight = frame.heat[row * frame.columns.length + piece], scaled = frame.values[piece];
      return { title: `${name} · ${frame.names[frame.columns[piece]]}`, lines: scaled === undefined ? [`weight ${formatSigned(weight)}`] : [`in the latest row: ${product(weight, scaled)}`] };
    }
    return super.describe(row);
  }

  cells(row) {
    const { frame } = this, isSaid = !Number.isNaN(frame.score[row]);
    return [
      this.loudest(row, 1) || "–", this.loudest(row, -1) || "–", formatSigned(frame.intercept[row]), isSaid ? formatSigned(frame.total[row]) : "–",
      isSaid ? frame.score[row].toFixed(2) : "–", ...yesNo(isSaid, frame.answered[row], frame.carried[row]),
    ];
  }
}

/** The steps of a label's sum for the latest row: what a value adds is its weight times it. */
export const stepsOf = (frame, label) => stepsOfSum(frame, label, { words: "begins with", adds: frame.intercept[label] }, frame.scaled, (value) => ` × ${formatSigned(value)}`);

/** The sum at which a score is as high as a threshold; null where there is none. */
export const sumAt = (threshold) => (threshold > 0 && threshold < 1 ? Math.log(threshold / (1 - threshold)) : null);

/** What decided whether a label is answered. */
export function verdict(frame, label, nameOf) {
  const isAnswered = Boolean(frame.answered[label]), threshold = frame.threshold[label];
  const isRight = isAnswered === Boolean(frame.carried[label]);
  const said = `${isRight ? "rightly" : "wrongly"} ${isAnswered ? "" : "not "}answered`;
  if (frame.noun === "class" && !isAnswered) {
    const best = frame.score.indexOf(Math.max(...frame.score));
    return `${said}: ${nameOf(best)} has ${frame.score[best].toFixed(2)}`;
  }
  if (frame.best) return `${said}: ${isAnswered ? "" : "not "}${frame.best}`;
  if (Number.isNaN(threshold)) return said;
  return `${said}: ${isAnswered ? "" : "not "}above ${threshold === 0.5 ? "one half" : threshold.toFixed(2)}`;
}

export const render = renderPicture(WeightsView);
