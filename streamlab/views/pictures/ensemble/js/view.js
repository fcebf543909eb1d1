/*
 * The ensemble view: who answers, since when, and how well.
 *
 * A line is a place in the ensemble, coloured chunk by chunk by how good the member in it was; lines of one label stand together. A
 * frame has {subject, now, chunks, step (rows of a chunk), end (rows when the newest was full), measure, mark ({row, drift} or null)} and the columns of MEMBERS
 * and CELLS in streamlab.views.pictures.ensemble.picture, members by group, seat and time, their cells one after the other.
 */
import { MarkedView } from "../../../kit/js/marked_view.js";
import { sharedAxis } from "../../../kit/js/rows_axis.js";
import { formatCount, plural } from "../../../kit/js/format.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { NAME_FONT } from "../../../kit/js/text.js";
import { EnsemblePainter } from "./painter.js";
import { boxOf, byChange, cellStarts, meanOf, stageLayout } from "./scene.js";

/** The lowest value of the colours: in steps, so that they do not change with every frame. */
const LOW_STEP = 0.1;
/** The share of the cells that may be paler than the palest colour. */
const FEW = 0.02;

const percent = (share) => `${Math.round(100 * share)} %`;

class EnsembleView extends MarkedView {
  static about = {
    name: "ensemble", empty: "No learner yet: press play", title: "The learners of an ensemble over time", role: "lines of learners",
    noun: "learner", find: "Find a label or a number",
    keys: "Learners. Up and down move between lines, left and right along one, Enter selects.",
    table: {
      label: "Table of the learners", caption: "One row per learner that is there now.", choose: true,
      heads: ["Learner", "Label", "In the latest chunk", "Started at row", "Rows ago"], left: [1],
    },
  };

  static parameters = ["axis"];

  setUp(options) {
    this.axis = options.axis ?? [];
    this.painter = new EnsemblePainter(this.texts);
    this.starts = new Uint32Array(0);
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.starts = cellStarts(frame);
    // a recording from before has none
    this.noun = frame.noun ?? "learner";
    this.isWhole = frame.group.every((group) => group < 0);
    // what took another's place stands together
    if (this.isWhole) [frame.seat, this.replaced] = byChange(frame);
    this.search.input.placeholder = this.isWhole ? "Find a number" : this.about.find;
    // a few bad chunks do not take the colours from all others
    const sorted = Float32Array.from(frame.cell).sort();
    const low = sorted.length ? sorted[Math.floor(FEW * sorted.length)] : 0;
    this.painter.low = Math.min(0.9, Math.floor(low / LOW_STEP + 1e-6) * LOW_STEP);
    this.lines = `${frame.chunks}`;
    for (let i = 0; i < frame.id.length; i++) {
      const isLast = i + 1 === frame.id.length || frame.group[i + 1] !== frame.group[i];
      if (isLast) this.lines += ` ${frame.group[i]}:${frame.seat[i]}`;
    }
  }

  layoutKey() {
    return `${this.lines} ${this.axis} ${this.frame?.end}`;
  }

  placesFor(width) {
    const names = [...new Set(this.frame.group)].map((group) => this.texts.width(this.nameOf(group), NAME_FONT));
    return stageLayout(width, this.frame, this.tall, Math.max(...names), this.isWhole, sharedAxis(this.axis, width));
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  show(painter) {
    painter.draw(this.starts, this.isWhole ? this.noun : null);
    for (const [row, colour] of this.marked(this.theme.lit)) {
      const { x, y, width, height } = this.placed(row);
      painter.frameAround({ x: x - 3, y: y - 3.5, width: width + 6, height: height + 6 }, colour, 3);
    }
  }

  marksOf(row) {
    return [boxOf(this.frame, this.places, row)];
  }

  matches(row, query) {
    return this.nameOf(this.frame.group[row]).toLowerCase().includes(query) || `${this.idOf(row)}` === query;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOf(group) {
    if (this.isWhole) return "";
    return group < 0 ? "all labels" : (this.labels[group] ?? `label ${group}`);
  }

  summarise() {
    const { frame } = this;
    if (this.isEmpty) return "";
    let there = 0, learning = 0, sum = 0, fresh = 0, gone = 0;
    const lately = Math.min(10, frame.chunks), since = frame.end - lately * frame.step;
    for (let i = 0; i < frame.id.length; i++) {
      const isThere = frame.left[i] < 0;
      if (isThere) there++;
      if (isThere && !(frame.value[i] >= 0)) learning++;
      if (isThere && frame.value[i] >= 0) sum += frame.value[i];
      if (frame.cells[i] && frame.first[i] >= frame.chunks - lately) fresh++;
      if (!isThere && frame.left[i] > since) gone++;
    }
    const groups = new Set(frame.group).size;
    const answering = there - learning;
    const good = answering && frame.chunks ? ` In the latest ${formatCount(frame.step)} rows each alone was right for ${percent(sum / answering)}, on average.` : "";
    const moved = ` In the last ${formatCount(lately * frame.step)} rows ${formatCount(fresh)} began to answer and ${formatCount(gone)} left.`;
    const whose = this.isWhole ? " together" : ` for ${plural(groups, "label")}`;
    const yet = learning && answering ? `; ${formatCount(learning)} more only ${learning === 1 ? "learns" : "learn"} as yet` : "";
    return `${plural(answering || there, this.noun)} ${answering === 1 ? "answers" : answering ? "answer" : "learn"}${whose}${yet}.${frame.measure === "right answers" ? good : ""}${frame.chunks ? moved : ""}`;
  }

  describe(row) {
    const { frame } = this;
    const lines = [];
    const value = frame.value[row];
    if (value >= 0) lines.push(`${frame.measure} in the latest chunk: ${percent(value)}`);
    lines.push(`started at row ${formatCount(frame.born[row])}`);
    if (frame.left[row] >= 0) lines.push(`${frame.aside[row] ? "set aside" : "left"} at row ${formatCount(frame.left[row])}`);
    else if (!(value >= 0)) lines.push("learns, does not answer yet");
    else lines.push(`${this.isWhole ? `all ${this.noun}s` : `the ${this.noun}s of ${this.nameOf(frame.group[row])}`}, on average: ${percent(meanOf(frame, frame.group[row]))}`);
    const whose = this.nameOf(frame.group[row]);
    return { title: `${whose ? `${whose} · ` : ""}${this.noun} ${this.idOf(row)}`, lines };
  }

  tableRows() {
    const { frame } = this;
    const rows = [];
    for (let i = 0; i < frame.id.length; i++) {
      if (frame.left[i] >= 0) continue;
      const id = this.idOf(i);
      rows.push({
        id, name: `${id}`, label: `Select learner ${id}`,
        cells: [this.nameOf(frame.group[i]) || "all", frame.value[i] >= 0 ? percent(frame.value[i]) : "–", formatCount(frame.born[i]), formatCount(Math.max(0, frame.now - frame.born[i]))],
      });
    }
    return rows;
  }

  stats() {
    return { ...super.stats(), members: this.ids().length, low: this.painter.low };
  }
}

export const render = renderPicture(EnsembleView);
