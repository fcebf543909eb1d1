/* The curves of one stream: a line for each learner; a click on one opens its run at that row. */
import { clamp, element, pointIn, setAttributes } from "../../../views/kit/js/dom.js";
import { formatCount, formatNumber } from "../../../views/kit/js/format.js";
import { isFilling } from "../../../views/kit/js/room.js";
import { lastUpTo } from "../../../views/kit/js/numbers.js";
import { Tooltip } from "../../../views/kit/js/tooltip.js";
import { rowAt, rowTicks } from "../../../views/timeline/js/points.js";
import { Chart, NAME_FONT } from "../../../views/timeline/js/chart.js";

const LEFT = 46, RIGHT = 230, RIGHT_SHARE = 0.5, NARROW_RIGHT = 14, NARROW = 300, NARROW_PAGE = 480, HEIGHT = 320, LEAST_HEIGHT = 90;
/** Px of the axis under the curves, and of the frame around them. */
const BELOW = 46;
const NAN = Number.NaN;
const numbers = (values) => (values ? values.map((value) => value ?? NAN) : null);

export class StudyCurves {
  /** @param {(key: string, at: number) => void} onOpen opens a run at a row */
  constructor(onOpen) {
    Object.assign(this, { onOpen, lines: [], row: null, at: 0 });
    this.chart = new Chart();
    this.plot = this.chart.node;
    this.axis = element("div", { class: "sl-axis-rows", "aria-hidden": "true" });
    this.empty = element("p", { class: "sl-muted", text: "No curve yet: no run on this stream has ended." });
    this.foot = element("p", { class: "sl-muted sl-axis-title", text: "rows of the stream that have passed" });
    this.node = element("div", { class: "sl-curve-host" }, [this.empty, this.plot, this.axis, this.foot]);
    this.tip = new Tooltip(this.node);
    this.written = (value) => {
      const { unit } = this.frame.curves;
      return Math.abs(value) < 10 && !unit ? value.toFixed(3) : `${formatNumber(value)}${unit && ` ${unit}`}`;
    };
    setAttributes(this.plot, { tabindex: 0, role: "slider", "aria-label": "Row of the curves", "aria-valuemin": 0 });
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("pointerleave", () => this.leave());
    this.plot.addEventListener("blur", () => this.leave());
    this.plot.addEventListener("click", (event) => { this.point(event); this.open(); });
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  update(frame, colourOf, inkOf, theme) {
    const { curves, learners } = frame;
    Object.assign(this, { frame, colourOf, inkOf, theme });
    this.lines = curves.lines.map((line) => {
      const { name, dash } = learners[line.learner];
      const [values, low, high] = [line.values, line.low, line.high].map(numbers);
      return { ...line, name, dash, values, band: low ? [low, high] : null };
    });
    this.at = clamp(this.at, 0, Math.max(0, this.lines.length - 1));
    this.width = 0;
    this.draw();
  }

  draw() {
    const width = this.node.clientWidth - 24, height = isFilling(this.node) ? Math.max(LEAST_HEIGHT, this.node.clientHeight - BELOW) : HEIGHT;
    if (!this.frame || width <= 0 || (width === this.width && height === this.height)) return;
    Object.assign(this, { width, height });
    for (const each of [this.plot, this.axis, this.foot]) each.hidden = !this.lines.length;
    this.empty.hidden = this.lines.length > 0;
    if (!this.lines.length) return;
    const { curves, measures, measure, streams } = this.frame;
    const names = 24 + Math.max(...this.lines.map(({ name }) => this.chart.texts.width(`${name} ${curves.unit ? `0.00 ${curves.unit}` : ".00"}`, NAME_FONT)));
    const size = { width, height, left: LEFT, right: width < (isFilling(this.node) ? NARROW : NARROW_PAGE) ? NARROW_RIGHT : Math.round(Math.min(RIGHT, names, width * RIGHT_SHARE)) };
    this.end = Math.max(1, curves.rows, ...this.lines.map(({ positions }) => positions[positions.length - 1]));
    this.chart.draw({
      frame: size, axis: [0, this.end], theme: this.theme, lines: this.lines, range: curves.range, withValues: true,
      write: curves.unit ? this.written : undefined,
      label: `Curves of ${measures[measure]} on ${streams[curves.stream].name}`,
      colour: (i) => this.colourOf(this.lines[i].learner), ink: (i) => this.inkOf(this.lines[i].learner),
    });
    this.axis.replaceChildren(...rowTicks(size, [0, this.end]));
    this.plot.setAttribute("aria-valuemax", String(this.end));
    this.leave();
  }

  /** The place of the row in a line. */
  placeOf({ positions }) {
    return Math.max(0, lastUpTo(positions, this.row));
  }

  point(event) {
    if (!this.lines.length) return;
    const [x, y] = pointIn(this.plot, event);
    const { left, right, width } = this.chart.drawn.frame;
    this.row = this.nearest(rowAt(this.chart.drawn, clamp(x, left, width - right)));
    const distance = (line) => Math.abs(this.chart.y(line.values[this.placeOf(line)]) - y);
    this.at = this.lines.reduce((best, line, i) => (distance(line) < distance(this.lines[best]) ? i : best), 0);
    this.show();
  }

  /** The row of a point of the longest line that is nearest. */
  nearest(wanted) {
    const { positions } = this.lines.reduce((one, other) => (other.positions.length > one.positions.length ? other : one));
    const k = Math.max(0, lastUpTo(positions, wanted));
    const next = Math.min(positions.length - 1, k + 1);
    return wanted - positions[k] > positions[next] - wanted ? positions[next] : positions[k];
  }

  key(event) {
    if (!this.lines.length) return;
    const { positions } = this.lines[this.at];
    const k = this.row === null ? positions.length - 1 : this.placeOf(this.lines[this.at]);
    const to = { ArrowLeft: k - 1, ArrowRight: k + 1, PageUp: k + 10, PageDown: k - 10, Home: 0, End: positions.length - 1 }[event.key];
    const turn = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter") this.open();
    else if (to !== undefined) this.row = positions[clamp(to, 0, positions.length - 1)];
    else if (turn) {
      if (this.row === null) this.row = positions[k];
      this.at = (this.at + turn + this.lines.length) % this.lines.length;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key !== "Enter") this.show();
  }

  show() {
    const line = this.lines[this.at], place = this.placeOf(line), row = line.positions[place], value = line.values[place];
    this.chart.move(this.row);
    const { written } = this;
    const spread = line.band ? [`Mean over ${line.seeds} seeds, from ${written(line.band[0][place])} to ${written(line.band[1][place])}`] : [];
    const lines = [`Row ${formatCount(row)}: ${written(value)}`, ...spread, "Click, or press Enter, to open this run at this row."];
    setAttributes(this.plot, { "aria-valuenow": row, "aria-valuetext": `${line.name}. ${lines.join(". ")}` });
    this.tip.show({ box: { x: this.chart.x(row) + 6, y: this.chart.y(value), width: 12, height: 12 }, title: line.name, lines, place: "beside" });
  }

  leave() {
    this.row = null;
    this.tip.hide();
    if (!this.chart.drawn) return;
    this.chart.move(this.end);
    setAttributes(this.plot, { "aria-valuenow": this.end, "aria-valuetext": "Left and right choose a row, up and down a learner, Enter opens its run there." });
  }

  open() {
    const line = this.lines[this.at];
    if (line && this.row !== null) this.onOpen(line.key, line.positions[this.placeOf(line)]);
  }

  destroy() {
    this.observer.disconnect();
  }
}
