/* The timeline: curves with what happened on them, and a slider, over one axis of rows, and the playhead through all of them. */
import { chooser, element, onDrag, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { lastUpTo } from "../../../kit/js/numbers.js";
import { hue } from "../../../kit/js/palette.js";
import { Tooltip } from "../../../kit/js/tooltip.js";
import { rowAt, rowTicks } from "../../../timeline/js/points.js";
import { Chart, NAME_FONT } from "../../../timeline/js/chart.js";
import { textHue } from "../../../timeline/js/colours.js";
import { MARGINS, Marks } from "../../../timeline/js/marks.js";

const NARROW = 640;
/** px of the axis's words on the left, and of the names on the right, at most; there they take this part of the width at most. */
const LEFT = { wide: 34, narrow: 28 }, MOST_RIGHT = 210, MOST_OF_NAMES = 0.3;
const OVERS = { chunk: (rows) => `per ${formatCount(rows)} rows`, faded: () => "recent rows count more", cumulative: () => "all rows so far" };

export class Timeline {
  /** @param {(chosen: {over: string, measure: number}) => void} onChoose called when another measure is chosen */
  constructor(recording, playhead, onChoose) {
    Object.assign(this, { recording, playhead, onChoose });
    const { head } = recording;
    this.chosen = { over: "chunk", measure: 0 };
    this.starts = head.drifts.map(({ at }) => at);
    this.place = -1;
    this.chart = new Chart();
    this.chart.node.dataset.part = "curve";
    this.measure = chooser("Measure", head.measures.map(({ title }, i) => [i, title]), (value) => this.choose({ measure: Number(value) }));
    this.over = chooser("Over which rows", Object.entries(OVERS).map(([over, words]) => [over, words(head.chunk)]), (over) => this.choose({ over }));
    this.formula = element("span", { class: "sl-muted sl-formula" });
    this.line = element("div", { class: "sl-playhead", "aria-hidden": "true" });
    this.fill = element("div", { class: "sl-fill" });
    this.thumb = element("div", { class: "sl-thumb" });
    this.track = element("div", {
      class: "sl-track", role: "slider", tabindex: "0", "aria-label": "Position on the timeline", "aria-valuemin": "0", "aria-valuemax": `${head.rows}`,
      "aria-orientation": "horizontal",
    }, [this.fill, this.thumb]);
    this.axis = element("div", { class: "sl-axis-rows", "aria-hidden": "true" });
    this.plot = element("div", { class: "sl-plot" });
    this.marks = new Marks({ learners: head.learners, tooltip: new Tooltip(this.plot), onGo: (at) => playhead.jump(at) });
    this.chart.listen((who) => {
      for (const each of [this.chart, this.marks]) each.dim(who);
    }, () => {});
    this.marks.set(head);
    this.plot.prepend(this.marks.bands, this.chart.node, this.line, this.marks.node, this.track, this.axis);
    this.node = element("section", { class: "sl-card sl-timeline", "aria-label": "Timeline" }, [
      element("div", { class: "sl-bar-row" }, [this.measure, this.over, this.formula]), this.plot,
    ]);
    this.drag(this.chart.node);
    this.drag(this.track);
    this.track.addEventListener("keydown", (event) => playhead.key(event));
    this.choose({});
  }

  choose(changed) {
    this.chosen = { ...this.chosen, ...changed };
    const { higher_is_better: higher, words, formula } = this.recording.head.measures[this.chosen.measure];
    setText(this.formula, `${words}. ${higher ? "Higher is better" : "Lower is better"}.`);
    this.formula.title = formula;
    this.drawChart();
    this.onChoose(this.chosen);
  }

  drawChart() {
    if (!this.drawn) return;
    const { recording: { head, curves }, chosen: { over, measure } } = this;
    const { title, range, higher_is_better: better } = head.measures[measure], ends = range ?? [0, 1];
    const lines = curves.map(({ positions, values, whole }, i) => ({
      ...head.learners[i], who: i, positions, values: values[over][measure], wholeEnd: over === "chunk" ? whole?.[measure] : null,
    }));
    // the level before the latest change up to the playhead, as on the live page
    const { place } = this, levels = place < 0 ? [] : curves.flatMap(({ levels: own }, i) => {
      const level = own[over][measure][place];
      return Number.isFinite(level) ? [[head.drifts[place].at, i, level]] : [];
    });
    this.chart.draw({ ...this.drawn, lines, levels, range: better ? ends : [...ends].reverse(), changes: this.starts, withValues: true, label: `Curves of ${title} of ${head.listed}` });
    this.marks.layOut({ ...this.drawn, chart: this.chart });
  }

  layOut(theme) {
    const width = Math.floor(this.plot.clientWidth);
    if (!width) return;
    const size = width < NARROW ? "narrow" : "wide", { learners } = this.recording.head;
    const names = 16 + Math.max(...learners.map(({ name }) => this.chart.texts.width(`${name} .00`, NAME_FONT)));
    const left = LEFT[size], right = Math.ceil(Math.min(MOST_RIGHT, MOST_OF_NAMES * width, names));
    this.frame = { width, left, right, size, height: this.chart.node.clientHeight, ...MARGINS };
    this.plot.style.setProperty("--left", `${left}px`);
    this.plot.style.setProperty("--right", `${right}px`);
    const { rows } = this.recording.head;
    this.drawn = { frame: this.frame, axis: [0, rows], theme, colour: (i) => hue(theme, i), ink: (i) => textHue(theme, i) };
    this.drawChart();
    this.axis.replaceChildren(...rowTicks(this.frame, [0, rows]));
    this.move();
  }

  move() {
    const { position, end } = this.playhead;
    if (!this.frame) return;
    const { width, left, right } = this.frame;
    const x = (position / end) * (width - left - right);
    this.line.style.transform = `translateX(${(left + x).toFixed(1)}px)`;
    this.fill.style.width = `${x.toFixed(1)}px`;
    this.thumb.style.transform = `translateX(${x.toFixed(1)}px)`;
    const row = Math.floor(position);
    this.track.setAttribute("aria-valuenow", `${row}`);
    this.track.setAttribute("aria-valuetext", `row ${formatCount(row)} of ${formatCount(end)}`);
    const place = this.latestDrift();
    if (place !== this.place) {
      this.place = place;
      this.drawChart();
    }
    this.chart.move(position);
  }

  /** The place of the latest drift up to the playhead; -1: none. */
  latestDrift() {
    return lastUpTo(this.starts, this.playhead.position - 1e-9);
  }

  drag(target) {
    const seek = (event) => {
      const x = event.clientX - this.plot.getBoundingClientRect().left;
      this.playhead.seek(Math.round(rowAt({ frame: this.frame, axis: [0, this.playhead.end] }, x)));
    };
    onDrag(target, (event) => {
      if (!this.frame) return null;
      this.playhead.pause();
      seek(event);
      if (target === this.track) this.track.focus();
      return {};
    }, seek);
  }
}
