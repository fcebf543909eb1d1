/*
 * The view of naive Bayes: where each class has its values, how likely each is for the latest row, and why.
 *
 * Rows are classes. A frame has {subject, now, noun, names, marked, more, hidden} and the columns of the tables in
 * streamlab.views.pictures.gaussians.picture; it holds the sums against all classes, so that a replay can show any of them.
 */
import { formatCount, formatNumber, formatPercent, formatSigned, plural } from "../../../kit/js/format.js";
import { MarkedView, isWithin, lineOf, stepMarks, yesNo } from "../../../kit/js/marked_view.js";
import { nearestOf } from "../../../kit/js/numbers.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { GaussiansPainter, sinceOf } from "./painter.js";
import { answeredOf, curvesOf, density, rivalOf, stageLayout, stepsOf, timesOf, verdict } from "./scene.js";

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

  setUp() {
    this.painter = new GaussiansPainter(this.texts);
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.about.noun = frame.noun;
  }

  layoutKey() {
    const { frame } = this;
    return frame ? `${frame.id.length} ${frame.strip.length} ${frame.more > 0}` : "";
  }

  placesFor(width) {
    const { frame } = this;
    return stageLayout({ width, tall: this.tall, strips: frame.strip.length, classes: frame.id.length, steps: frame.adds.length / frame.id.length, cut: frame.more > 0 });
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The row of the class that the answered one is compared with, or -1. */
  get rival() {
    return rivalOf(this.frame, this.rowOf(this.selected));
  }

  pieces() {
    return [...this.frame.strip.keys()];
  }

  /** Its line in the list, and the steps of the sum for the class that the answered one is compared with. */
  marksOf(row) {
    const { frame, places: { list, sum, head } } = this;
    return [lineOf(list, head, row), ...(row === this.rival ? stepMarks(stepsOf(frame, row), sum, head) : [])];
  }

  /** The class whose curve is nearest in a strip, or whose mean is. */
  near(x, y, reach) {
    const piece = this.places.boxes.findIndex((box) => isWithin(box, x, y));
    if (piece < 0) return null;
    const { curves, place, y: high, floor, low, high: end, box } = this.painter.scaleOf(piece);
    const at = low + ((x - box.x - 4) / (box.width - 8)) * (end - low);
    const row = nearestOf(curves, ({ mean, deviation }, i) => {
      const isUpright = y > floor || !(deviation > 0), top = isUpright ? y : high(density(mean, deviation, at));
      // where all lie on the floor no curve is meant; of peaks that are cut the last lies above
      return isUpright ? Math.abs(place(mean) - x) : floor - top > 2 ? Math.abs(top - y) - 1e-9 * i : null;
    }, reach + 3);
    return row < 0 ? null : { row, piece };
  }

  /** In a strip from a deviation below the mean to one above it. */
  placed(row) {
    if (!this.places?.boxes[this.piece]) return super.placed(row);
    const { place, curves, low, high, ceiling, floor } = this.painter.scaleOf(this.piece), { mean, deviation } = curves[row];
    const within = (value) => place(Math.min(Math.max(value, low), high));
    const [from, to] = Number.isFinite(mean) ? [within(mean - deviation), within(mean + deviation)] : [place(low), place(high)];
    return { x: from, y: ceiling, width: Math.max(to - from, 2), height: floor - ceiling };
  }

  firstRow() {
    return Math.max(this.rowOf(this.selected), 0);
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  summarise() {
    const { frame, rival } = this;
    if (this.isEmpty) return "";
    if (rival < 0) return `${plural(frame.id.length + frame.more, this.about.noun)} so far.`;
    const [, first] = stepsOf(frame, rival);
    const most = first && !first.isSum && first.value !== undefined ? ` Of its values ${first.words} = ${formatNumber(first.value)} says most: ${timesOf(first.to - first.from)} as likely for ${this.nameOf(first.to >= first.from ? answeredOf(frame) : rival)}.` : "";
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
      const lines = [Number.isNaN(mean) ? "no value yet" : `mean ± deviation: ${bell({ mean, deviation })}${before ? `; at ${sinceOf(frame)} ${bell(before)}` : ""}`];
      if (!Number.isNaN(frame.value[strip])) lines.push(`the latest row's ${formatNumber(frame.value[strip])}: log-likelihood ${formatSigned(likelihood)}${likelihood < LEAST ? ", the least that River counts" : ""}`);
      return { title: `${name} · ${frame.names[frame.strip[strip]]}`, lines };
    }
    const lines = [`${formatCount(frame.count[row])} rows, ${formatPercent(frame.share[row])} of all`];
    if (!Number.isNaN(frame.score[row])) lines.push(`the latest row: ${formatPercent(frame.score[row])}${frame.answered[row] ? ", answered" : ""}${frame.carried[row] ? `, its ${this.about.noun}` : ""}`);
    return { title: name, lines };
  }

  tableRows() {
    const { frame } = this, answered = answeredOf(frame);
    return [...frame.id.keys()].map((row) => {
      const isSaid = !Number.isNaN(frame.score[row]), first = isSaid && answered >= 0 && row !== answered ? stepsOf(frame, row)[1] : undefined;
      return {
        id: this.idOf(row), name: this.nameOf(row),
        cells: [
          formatCount(frame.count[row]), formatPercent(frame.share[row]), isSaid ? formatPercent(frame.score[row]) : "–",
          ...yesNo(isSaid, frame.answered[row], frame.carried[row]), first?.value === undefined ? "–" : `${first.words} (${formatSigned(first.to - first.from)})`,
        ],
      };
    });
  }

  stats() {
    return { ...super.stats(), classes: this.ids().length, strips: this.frame?.strip.length ?? 0, rival: this.frame ? this.idOf(this.rival) ?? null : null, columns: this.places?.columns ?? 0 };
  }
}

export const render = renderPicture(GaussiansView);
