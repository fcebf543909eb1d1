/*
 * The view of naive Bayes: where each class has its values, how likely each is for the latest row, and why.
 *
 * Rows are classes. A frame has {subject, now, noun, names, marked, more, hidden} and the columns of the tables in
 * streamlab.views.pictures.gaussians.picture; it holds the sums against all classes, so that a replay can show any of them.
 */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, formatNumber, formatPercent, formatSigned, markSign, plural, several } from "../../../kit/js/format.js";
import { MarkedView, yesNo } from "../../../kit/js/marked_view.js";
import { stepsOfSum } from "../../../kit/js/marks.js";
import { hue, tint } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";

/** From these widths on strips and lists stand beside each other, or the lists do, below the strips. */
const WIDE = 980, MIDDLE = 620;
const GAP = 28, HEAD = 22, ROW = 17, LEAST_ROW = 15, MOST_ROW = 22, STRIP = 88, LEAST_STRIP = 74, MOST_STRIP = 170;
/** Rows of a sum beside its listed values: how frequent the classes are, the other values, the sum, and what decided. */
const BESIDE = 4;
/** What stands in a strip above and below its curves: its name; the means, and the ends of its scale. */
const NAME = 15, MEANS = 8, ENDS = 20;
const BEHIND = 0.5, PALE = 0.16, POINTS = 72;
/** Beyond so many classes colours repeat, and curves are dashed. */
const DASHES = [[], [6, 3], [2, 2]];
/** Deviations of a curve that are drawn, in deviations that are at most so many times the usual one. */
const REACH = 3, WIDEST = 2;
/** A curve is drawn up to so many times the usual height. */
const HIGHEST = 2.5;
/** A value that is further away than so much of a strip's width stands at its edge. */
const BEYOND = 0.5;
/** River adds 1e-9 to each density. */
const LEAST = Math.log(1e-9) + 0.01;

class GaussiansView extends MarkedView {
  static about = {
    name: "gaussians", empty: "No class yet: press play", title: "Naive Bayes", role: "curves of classes and a sum", noun: "class", find: "Find by name",
    keys: "Up and down move between classes, left and right between features, Enter selects.",
    table: {
      label: "Table of the classes", caption: "One row for each class.", left: [6], choose: true,
      heads: ["Name", "Rows", "Share", "Probability of the row", "Answered", "In the row", "Speaks most for the answer"],
    },
  };

  accept(frame) {
    this.about.noun = frame.noun;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The row of the class that the answered one is compared with, or -1. */
  get rival() {
    return rivalOf(this.frame, this.rowOf(this.selected));
  }

  get chosen() {
    return this.rowOf(this.selected);
  }

  pieces() {
    return [...this.frame.strip.keys()];
  }

  firstRow() {
    return Math.max(this.chosen, 0);
  }

  colour(row) {
    return hue(this.theme, this.idOf(row));
  }

  dashes(row) {
    return DASHES[Math.floor(this.idOf(row) / this.theme.hues.length) % DASHES.length];
  }

  /** How strongly a class is drawn: the two that are compared stand out, above all where one of them was chosen. */
  weight(row) {
    const { rival, chosen, frame } = this;
    if (this.isDim(this.idOf(row))) return PALE;
    const isCompared = rival < 0 ? chosen < 0 || row === chosen : row === rival || row === answeredOf(frame);
    return isCompared ? 1 : chosen < 0 ? BEHIND : PALE;
  }

  picture(painter, width) {
    const { frame, tall } = this, columns = width >= WIDE ? 3 : width >= MIDDLE ? 2 : 1, half = (width - GAP) / 2;
    const classes = frame.id.length, summed = frame.adds.length / classes + BESIDE, heads = 2 * HEAD + 14 + (frame.more ? ROW : 0);
    // beside the strips the lists share the height that there is
    const row = columns === 3 ? clamp((tall - heads) / (classes + summed), LEAST_ROW, MOST_ROW) : ROW;
    const strips = (width - GAP) * 0.62, listed = HEAD + row * (classes + (frame.more ? 1 : 0)), high = HEAD + row * summed;
    const list = { x: 0, y: 0, width, row }, sum = { ...list };
    if (columns === 3) Object.assign(list, { x: strips + GAP, width: width - strips - GAP });
    // on a phone the list comes first, for it says whose colours these are
    const area = { x: 0, y: columns === 1 ? listed + 10 : 0, width: columns === 3 ? strips : width };
    const end = this.drawStrips(painter, area, Math.min(columns, 2), columns === 3 ? Math.max(tall, listed + high + 14) : 0);
    if (columns === 3) Object.assign(sum, list, { y: listed + 14 });
    else sum.y = end + 10;
    if (columns === 2) [list.y, list.width, sum.x, sum.width] = [sum.y, half, half + GAP, half];
    this.drawList(painter, list);
    this.compare(painter, sum);
    return Math.max(end, list.y + listed, sum.y + high) + 4;
  }

  /** The strips side by side, with so much height to share or none; returns their end. */
  drawStrips(painter, area, beside, tall) {
    const { frame } = this, count = frame.strip.length, all = `Where each ${frame.noun} has its values`;
    const rest = frame.hidden ? ` (${count} of ${formatCount(count + frame.hidden)} features)` : "";
    painter.title([`${all}: what tells the ${several(frame.noun)} apart best${rest}`, `${all}${rest}`, all], area);
    const lines = Math.ceil(count / beside), height = tall ? clamp((tall - HEAD) / Math.max(lines, 1), LEAST_STRIP, MOST_STRIP) : STRIP;
    const width = (area.width - (beside - 1) * GAP) / beside, top = area.y + HEAD;
    for (let strip = 0; strip < count; strip++) {
      this.drawStrip(painter, { x: area.x + (strip % beside) * (width + GAP), y: top + Math.floor(strip / beside) * height, width, height }, strip);
    }
    return top + height * lines;
  }

  drawStrip(painter, box, strip) {
    const { theme, frame, texts, chosen, pointed } = this, curves = curvesOf(frame, strip), value = frame.value[strip];
    const { low, high, top, beyond } = stripScale(curves, value), floor = box.y + box.height - MEANS - ENDS, ceiling = box.y + NAME + 3;
    const place = (x) => box.x + 4 + ((box.width - 8) * (x - low)) / (high - low), y = (of) => floor - Math.min(of / top, 1.2) * (floor - ceiling);
    const share = `${Math.round(100 * frame.between[strip])} % between ${several(frame.noun)}`, font = this.piece === strip ? BOLD_FONT : NAME_FONT;
    painter.text(texts.fit(frame.names[frame.strip[strip]], font, box.width - texts.width(share, SMALL_FONT) - 10), box.x, box.y + 7, { font });
    painter.note(share, box.x + box.width, box.y + 7, { align: "right" });
    // what stands out is painted last
    const order = [...curves.keys()].sort((a, b) => (a === chosen) - (b === chosen) || (a === pointed) - (b === pointed));
    const scale = { low, high, floor, ceiling, place, y, box };
    painter.within(box.x, ceiling, box.width, floor - ceiling + MEANS, () => order.forEach((row) => this.drawCurve(painter, row, curves[row], scale)));
    painter.rect(box.x, floor, box.width, 1, theme.control);
    for (const row of order) this.drawMean(painter, row, curves[row], scale);
    for (const row of curves.keys()) this.markCurve(painter, row, curves[row], scale, strip);
    // an end of the scale gives way to the value
    let [from, to] = [Infinity, -Infinity];
    const under = floor + MEANS + 6;
    if (!Number.isNaN(value)) {
      const x = beyond ? (beyond < 0 ? box.x + 2 : box.x + box.width - 2) : place(value);
      painter.upright(x, ceiling - 2, floor + MEANS, theme.strong, 1.5);
      const words = `${beyond < 0 ? "← " : ""}${formatNumber(value)}${beyond > 0 ? " →" : ""}`, half = texts.width(words, SMALL_FONT) / 2;
      const middle = clamp(x, box.x + half, box.x + box.width - half);
      painter.text(words, middle, under, { font: SMALL_FONT, align: "center" });
      [from, to] = [middle - half, middle + half];
    }
    const [least, most] = [low, high].map(formatNumber);
    if (from > box.x + texts.width(least, SMALL_FONT) + 8) painter.note(least, box.x, under);
    if (to < box.x + box.width - texts.width(most, SMALL_FONT) - 8) painter.note(most, box.x + box.width, under, { align: "right" });
  }

  traceCurve(painter, { box, low, high, place, y }, { mean, deviation }) {
    if (!(deviation > 0)) {
      // all values were the same
      painter.trace([[place(mean), y(0)], [place(mean), box.y]]);
      return;
    }
    // fine where the curve is, so that a narrow one has its peak
    const at = new Set([low, high]);
    for (let i = 0; i <= POINTS; i++) at.add(low + ((high - low) * i) / POINTS);
    for (let i = -20; i <= 20; i++) at.add(mean + (i / 5) * deviation);
    const points = [...at].filter((x) => x >= low && x <= high).sort((a, b) => a - b);
    painter.trace(points.map((x) => [place(x), y(density(mean, deviation, x))]));
  }

  drawCurve(painter, row, curve, scale) {
    const { context } = painter, isPointed = row === this.pointed, isOut = row === this.chosen || isPointed, colour = this.colour(row), weight = this.weight(row);
    if (!Number.isFinite(curve.mean)) return;
    context.globalAlpha = isPointed ? 1 : weight;
    this.traceCurve(painter, scale, curve);
    painter.stroke(colour, isOut ? 2.5 : weight < 1 ? 1.25 : 2, this.dashes(row));
    if (curve.deviation > 0) {
      context.lineTo(scale.place(scale.high), scale.floor);
      context.lineTo(scale.place(scale.low), scale.floor);
      context.globalAlpha *= isOut ? 0.22 : 0.08;
      painter.fill(colour);
    }
    context.globalAlpha = 1;
    if (!curve.before || !isOut) return;
    this.traceCurve(painter, scale, curve.before);
    painter.stroke(colour, 1.25, [3, 3]);
  }

  /** A dot at a mean, with a line from where it was at the mark. */
  drawMean(painter, row, { mean, before }, { low, high, place, floor }) {
    const colour = this.colour(row), y = floor + MEANS / 2 + 1;
    if (!(mean >= low && mean <= high)) return;
    painter.context.globalAlpha = this.weight(row);
    if (before) painter.line([[place(clamp(before.mean, low, high)), y], [place(mean), y]], colour, 2);
    painter.dot(place(mean), y, 3, colour);
    painter.context.globalAlpha = 1;
  }

  /** A curve is meant near it, or under its mean; its place is from a deviation below the mean to one above it. */
  markCurve(painter, row, { mean, deviation }, { low, high, place, y, floor, ceiling, box }, strip) {
    const [from, to] = Number.isFinite(mean) ? [-deviation, deviation].map((by) => place(clamp(mean + by, low, high))) : [place(low), place(high)];
    const away = (px, py) => {
      if (px < box.x || px > box.x + box.width || py < box.y || py > box.y + box.height || !Number.isFinite(mean)) return null;
      if (py > floor || !(deviation > 0)) return Math.abs(place(mean) - px) - 3;
      const top = y(density(mean, deviation, low + ((px - box.x - 4) / (box.width - 8)) * (high - low)));
      // where all lie on the floor no curve is meant; of peaks that are cut the last lies above
      return floor - top > 2 ? Math.abs(top - py) - 3 - 1e-9 * row : null;
    };
    painter.mark(row, { x: from, y: ceiling, width: Math.max(to - from, 2), height: floor - ceiling, away }, strip);
  }

  drawList(painter, list) {
    const { frame, theme } = this, isSaid = !Number.isNaN(frame.score[0] ?? NaN), latest = `Row ${formatCount(frame.now)}, asked again`;
    painter.title(isSaid ? [`${latest}: how likely each ${frame.noun} is`, latest] : [`The ${several(frame.noun)}`], list);
    const y = list.y + HEAD, middle = (row) => y + (row + 0.5) * list.row, shares = isSaid ? frame.score : frame.share, all = [...frame.id.keys()];
    const names = Math.min(painter.longest(all.map((row) => this.nameOf(row)), BOLD_FONT), list.width * 0.42);
    painter.bars({ ...list, y }, all.map((row) => ({
      name: this.nameOf(row), font: frame.carried[row] ? BOLD_FONT : NAME_FONT, to: shares[row], colour: tint(theme, this.colour(row), 0.35), value: percent(shares[row]),
      faint: this.isDim(this.idOf(row)) ? 0.3 : 1, mark: [row, null],
    })), { names, indent: 30, number: 50, ends: [0, 1] });
    for (const row of all) {
      painter.line([[list.x + 3, middle(row)], [list.x + 17, middle(row)]], this.colour(row), 4, this.dashes(row));
      if (frame.answered[row]) painter.dot(list.x + 24, middle(row), 2.6, theme.ink);
    }
    for (const [row, colour] of this.marked(theme.lit)) painter.box(list.x + 1, y + row * list.row - 0.5, list.width - 2, list.row, colour);
    if (frame.more) painter.note(`+ ${plural(frame.more, frame.noun)} ${isSaid ? "less likely" : "of fewer rows"}`, list.x, middle(all.length));
  }

  compare(painter, part) {
    const { frame, rival } = this;
    if (rival < 0) return;
    const answered = answeredOf(frame), answer = this.nameOf(answered), words = `${answer} against ${this.nameOf(rival)}`, decided = verdict(frame, rival, (row) => this.nameOf(row));
    painter.title([`What speaks for ${words}, in log-likelihood`, `What speaks for ${words}`, `For ${words}`, words, answer], part);
    const names = painter.longest(frame.names) + this.texts.width(" −0.00", NAME_FONT) + 2, brief = decided.replace(/, its class$/, "");
    painter.sum({ ...part, y: part.y + HEAD }, stepsOf(frame, rival), { row: rival, names, number: 54, decided, brief, up: this.colour(answered), down: this.colour(rival) });
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  summarise() {
    const { frame, rival } = this;
    if (this.isEmpty) return "";
    if (rival < 0) return `${plural(frame.id.length + frame.more, this.about.noun)} so far.`;
    const [, first] = stepsOf(frame, rival);
    const hasValue = first && !first.isSum && first.value !== undefined, whose = hasValue && this.nameOf(first.to >= first.from ? answeredOf(frame) : rival);
    const most = hasValue ? ` Of its values ${first.words} = ${formatNumber(first.value)} says most: ${timesOf(first.to - first.from)} as likely for ${whose}.` : "";
    return `Row ${formatCount(frame.now)}, asked again: ${this.nameOf(answeredOf(frame))} is ${verdict(frame, rival, (row) => this.nameOf(row))}.${most}`;
  }

  describe(row) {
    const { frame, piece: strip } = this, name = this.nameOf(row), { step } = this.placed(row) ?? {};
    if (step) {
      const adds = step.to - step.from, whose = this.nameOf(adds >= 0 ? answeredOf(frame) : row);
      return { title: `${step.words} = ${formatNumber(step.value)}`, lines: [`${timesOf(adds)} as likely for ${whose} (log-likelihood ${formatSigned(adds)})`] };
    }
    if (strip in frame.strip) {
      const { mean, deviation, before, likelihood } = curvesOf(frame, strip)[row], bell = (of) => `${formatNumber(of.mean)} ± ${formatNumber(of.deviation)}`;
      const lines = [Number.isNaN(mean) ? "no value yet" : `mean ± deviation: ${bell({ mean, deviation })}${before ? `; at ${markSign(frame.marked.number)} ${bell(before)}` : ""}`];
      if (!Number.isNaN(frame.value[strip])) lines.push(`the latest row's ${formatNumber(frame.value[strip])}: log-likelihood ${formatSigned(likelihood)}${likelihood < LEAST ? ", the least that River counts" : ""}`);
      return { title: `${name} · ${frame.names[frame.strip[strip]]}`, lines };
    }
    return super.describe(row);
  }

  cells(row) {
    const { frame } = this, answered = answeredOf(frame), isSaid = !Number.isNaN(frame.score[row]), first = isSaid && answered >= 0 && row !== answered ? stepsOf(frame, row)[1] : undefined;
    return [
      formatCount(frame.count[row]), formatPercent(frame.share[row]), isSaid ? formatPercent(frame.score[row]) : "–", ...yesNo(isSaid, frame.answered[row], frame.carried[row]),
      first?.value === undefined ? "–" : `${first.words} (${formatSigned(first.to - first.from)})`,
    ];
  }
}

const percent = (share) => (share > 0.9995 ? "100 %" : share < 0.0005 ? "0 %" : `${(100 * share).toFixed(1)} %`);

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** The density of a Gaussian. */
export const density = (mean, deviation, x) => Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));

/** The curves of a strip, one for each class: {mean, deviation, before: {mean, deviation} | null, likelihood}. */
export function curvesOf(frame, strip) {
  const count = frame.strip.length;
  return Array.from(frame.id, (_, row) => {
    const k = row * count + strip, isMarked = !Number.isNaN(frame.mean_before[k]);
    const before = isMarked ? { mean: frame.mean_before[k], deviation: frame.deviation_before[k] } : null;
    return { mean: frame.mean[k], deviation: frame.deviation[k], before, likelihood: frame.likelihood[k] };
  });
}

/**
 * What a strip shows: {low, high} of its values, and the density at its top; `beyond` is -1 or 1 where the row's value is further out.
 * One class that is very wide, or very narrow, does not make all others unreadable: it is cut.
 */
export function stripScale(curves, value) {
  const seen = curves.filter(({ mean, deviation }) => Number.isFinite(mean) && Number.isFinite(deviation));
  if (!seen.length) return { low: 0, high: 1, top: 1, beyond: 0 };
  const wide = seen.map(({ deviation }) => deviation).filter((deviation) => deviation > 0), usual = wide.length ? middle(wide) : 0;
  let low = Math.min(...seen.map(({ mean, deviation }) => mean - REACH * Math.min(deviation, WIDEST * usual)));
  let high = Math.max(...seen.map(({ mean, deviation }) => mean + REACH * Math.min(deviation, WIDEST * usual)));
  const width = high - low || Math.abs(low) || 1;
  if (!(high > low)) [low, high] = [low - width / 2, high + width / 2];
  const beyond = value < low - BEYOND * width ? -1 : value > high + BEYOND * width ? 1 : 0;
  if (Number.isFinite(value) && !beyond) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const peaks = seen.filter(({ deviation }) => deviation > 0).map(({ mean, deviation }) => density(mean, deviation, mean));
  const top = peaks.length ? Math.min(Math.max(...peaks), HIGHEST * middle([...peaks])) : 1;
  return { low, high, top, beyond };
}

/** The row of the answered class, or -1. */
export const answeredOf = (frame) => frame.answered.findIndex(Boolean);

/** The row of the class that the answered one is compared with: the chosen one, else the true one, else the next; or -1. */
export function rivalOf(frame, chosen) {
  const answered = answeredOf(frame), carried = frame.carried.findIndex(Boolean);
  if (answered < 0) return -1;
  if (chosen >= 0 && chosen !== answered) return chosen;
  if (carried >= 0 && carried !== answered) return carried;
  let next = -1;
  frame.id.forEach((_, row) => {
    if (row !== answered && (next < 0 || frame.total[row] < frame.total[next])) next = row;
  });
  return next;
}

/** The steps from no difference to that of the answered class above another. */
export const stepsOf = (frame, rival) => stepsOfSum(frame, rival, { words: "how frequent", adds: frame.prior[rival] }, frame.step_value, (value) => ` ${formatNumber(value)}`);

/** How many times as likely a difference of logarithms is, in words. */
export function timesOf(difference) {
  const times = Math.exp(Math.abs(difference));
  if (times >= 1e6) return "over a million times";
  return times < 1.05 ? "about" : `${times < 100 ? formatNumber(Number(times.toPrecision(2))) : formatCount(Number(times.toPrecision(2)))} times`;
}

/** What decided, in words. */
export function verdict(frame, rival, nameOf) {
  const answered = answeredOf(frame), isRight = Boolean(frame.carried[answered]), isKnown = frame.carried.some(Boolean);
  const whose = frame.carried[rival] ? ", its class" : "";
  const said = isKnown ? `${isRight ? "rightly" : "wrongly"} answered: ` : "";
  return `${said}${timesOf(frame.total[rival])} as likely as ${nameOf(rival)}${whose}`;
}

export const render = renderPicture(GaussiansView);
