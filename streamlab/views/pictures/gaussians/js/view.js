/*
 * The view of naive Bayes: where each class has its values, how likely each is for the latest row, and why.
 *
 * Rows are classes. A frame has {subject, now, noun, names, marked, more, hidden} and the columns of the tables in
 * streamlab.views.pictures.gaussians.picture; it holds the sums against all classes, so that a replay can show any of them.
 */
import { CanvasView } from "../../../kit/js/canvas_view.js";
import { formatCount, formatNumber, formatPercent, formatSigned, plural } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { GaussiansPainter, sinceOf } from "./painter.js";
import { answeredOf, curvesOf, density, rivalOf, stageLayout, stepsOf, timesOf, verdict } from "./scene.js";

/** River adds 1e-9 to each density. */
const LEAST = Math.log(1e-9) + 0.01;

class GaussiansView extends CanvasView {
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
    this.strip = this.line = -1;
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.about.noun = frame.noun;
    this.strip = Math.min(this.strip, frame.strip.length - 1);
  }

  layoutKey() {
    const { frame } = this;
    return frame ? `${frame.id.length} ${frame.strip.length} ${frame.more > 0}` : "";
  }

  layOut(width) {
    if (this.isEmpty) return 160;
    const { frame } = this;
    this.places = this.painter.places = stageLayout({
      width, tall: this.tall, strips: frame.strip.length, classes: frame.id.length, steps: frame.adds.length / frame.id.length, cut: frame.more > 0,
    });
    return this.places.total;
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  /** The row of the class that the answered one is compared with, or -1. */
  get rival() {
    return rivalOf(this.frame, this.rowOf(this.selected));
  }

  render(context) {
    if (this.isEmpty || !this.places) return;
    this.magnify(context);
    this.painter.on(context, { frame: this.frame }).draw({
      chosen: this.rowOf(this.selected), rival: this.rival, pointed: this.rowOf(this.cursor ?? this.hovered), strip: this.strip,
      nameOf: (row) => this.nameOf(row), isDim: (row) => this.isDim(this.idOf(row)),
    });
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py), { list, sum, boxes, head } = this.places;
    this.strip = this.line = -1;
    const isIn = (part) => x >= part.x && x <= part.x + part.width;
    const row = isIn(list) ? Math.floor((y - list.y - head) / list.row) : -1;
    if (row >= 0 && row < this.frame.id.length) return { id: this.idOf(row) };
    const line = isIn(sum) ? Math.floor((y - sum.y - head) / sum.row) : -1;
    if (this.stepAt(line)) {
      this.line = line;
      return { id: this.idOf(this.rival) };
    }
    const strip = boxes.findIndex((box) => isIn(box) && y >= box.y && y < box.y + box.height);
    const nearest = strip < 0 ? -1 : this.curveAt(strip, x, y, reach + 3);
    if (nearest < 0) return null;
    this.strip = strip;
    return { id: this.idOf(nearest) };
  }

  /** The row of the class whose curve is nearest to a point of a strip, within a reach, or whose mean is; or -1. */
  curveAt(strip, x, y, reach) {
    const { curves, place, y: high, floor, low, high: end, box } = this.painter.scaleOf(strip);
    const at = low + ((x - box.x - 4) / (box.width - 8)) * (end - low);
    let [nearest, least] = [-1, reach];
    curves.forEach(({ mean, deviation }, row) => {
      const isUpright = y > floor || !(deviation > 0), top = isUpright ? y : high(density(mean, deviation, at));
      const away = isUpright ? Math.abs(place(mean) - x) : Math.abs(top - y);
      // where all lie on the floor no curve is meant
      if (away <= least && (isUpright || floor - top > 2)) [nearest, least] = [row, away];
    });
    return nearest;
  }

  box(row) {
    if (!this.places) return null;
    const { list, sum, head, boxes } = this.places;
    if (this.line >= 0 && row === this.rival && this.stepAt(this.line)) return this.camera.see({ x: sum.x, y: sum.y + head + this.line * sum.row, width: sum.width, height: sum.row });
    if (this.strip < 0 || this.strip >= boxes.length) return this.camera.see({ x: list.x, y: list.y + head + row * list.row, width: list.width, height: list.row });
    const { place, curves, low, high, ceiling, floor } = this.painter.scaleOf(this.strip), { mean, deviation } = curves[row];
    const within = (value) => place(Math.min(Math.max(value, low), high));
    const [from, to] = Number.isFinite(mean) ? [within(mean - deviation), within(mean + deviation)] : [place(low), place(high)];
    return this.camera.see({ x: from, y: ceiling, width: Math.max(to - from, 2), height: floor - ceiling });
  }

  /** A step of the sum that a value of the row adds, or undefined. */
  stepAt(line) {
    const step = this.rival < 0 ? undefined : stepsOf(this.frame, this.rival)[line];
    return step?.value === undefined ? undefined : step;
  }

  firstRow() {
    return Math.max(this.rowOf(this.selected), 0);
  }

  moves(row) {
    const last = this.ids().length - 1;
    this.line = -1;
    const along = (direction) => {
      this.strip = Math.max(-1, Math.min(this.strip + direction, this.frame.strip.length - 1));
      return row;
    };
    return {
      ArrowUp: () => row - 1, ArrowDown: () => (row < last ? row + 1 : -1),
      ArrowLeft: () => along(-1), ArrowRight: () => along(1), Home: () => 0, End: () => last,
    };
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
    const { frame, strip } = this, name = this.nameOf(row), step = this.line >= 0 && row === this.rival ? this.stepAt(this.line) : undefined;
    if (step) {
      const adds = step.to - step.from, whose = this.nameOf(adds >= 0 ? answeredOf(frame) : row);
      return { title: `${step.words} = ${formatNumber(step.value)}`, lines: [`${timesOf(adds)} as likely for ${whose} (log-likelihood ${formatSigned(adds)})`] };
    }
    if (strip >= 0 && strip < frame.strip.length) {
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
          isSaid ? (frame.answered[row] ? "yes" : "no") : "–", isSaid ? (frame.carried[row] ? "yes" : "no") : "–",
          first?.value === undefined ? "–" : `${first.words} (${formatSigned(first.to - first.from)})`,
        ],
      };
    });
  }

  stats() {
    return { ...super.stats(), classes: this.ids().length, strips: this.frame?.strip.length ?? 0, rival: this.frame ? this.idOf(this.rival) ?? null : null, columns: this.places?.columns ?? 0 };
  }
}

export const render = renderPicture(GaussiansView);
