/* The curves of a measure: drawn strong up to the playhead, faint beyond it, each named where it ends. */
import { clamp, element, svg } from "../../kit/js/dom.js";
import { lastUpTo } from "../../kit/js/search.js";
import { BOLD_FONT, Texts } from "../../kit/js/text.js";
import { digitsOf, ticksOf } from "./axis.js";
import { visiblePlaces } from "./points.js";

export const DASHES = { solid: "", dashed: "7 4", dotted: "2 4", dotdash: "2 4 8 4", dashdot: "8 4 2 4" };
const LEAST_APART = 26, TOP = 10, BOTTOM = 6, LABEL = 16, STEP = 0.1, MARGIN = 0.01, LEAST_BESIDE = 60;
/** Lines of the grid, at most about so many. */
export const MOST_TICKS = 6;
let charts = 0;

/** Moves places apart, in order, so that neighbours are at least `gap` away, all within [low, high] if they fit. */
export function pushApart(places, gap, low, high) {
  const order = places.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0]);
  const moved = order.map(([y]) => y);
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + gap);
  const over = moved[moved.length - 1] - high;
  if (over > 0) {
    moved[moved.length - 1] -= over;
    for (let i = moved.length - 2; i >= 0; i--) moved[i] = Math.min(moved[i], moved[i + 1] - gap);
  }
  if (moved[0] < low) moved[0] = low;
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + gap);
  const found = [];
  order.forEach(([, i], k) => { found[i] = moved[k]; });
  return found;
}

/** Ends of an axis that holds the values, on steps of a tenth, within the measure's range. */
export function extent(series, [worst, best]) {
  const [least, most] = [Math.min(worst, best), Math.max(worst, best)];
  let [low, high] = [Infinity, -Infinity];
  for (const values of series) for (const value of values) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return Number.isFinite(most - least) ? [least, most] : [0, 1];
  const start = Math.max(least, Math.floor((low - MARGIN) / STEP) * STEP), end = Math.min(most, Math.ceil((high + MARGIN) / STEP) * STEP);
  return start < end ? [start, end] : [least, most];
}

/**
 * One figure of curves.
 *
 * A line has `name`, `dash`, `positions` (ascending), `values` (NaN where there is none), and may have `band`, its [low, high].
 */
export class Chart {
  constructor() {
    const name = `sl-chart-${charts++}`;
    this.texts = new Texts(document.createElement("canvas").getContext("2d"));
    this.passed = svg("rect", { x: 0, y: 0, width: 0, height: 0 });
    this.seen = svg("rect", { x: 0, y: 0, width: 0, height: 0 });
    this.clips = svg("defs", {}, [svg("clipPath", { id: `${name}-passed` }, [this.passed]), svg("clipPath", { id: `${name}-seen` }, [this.seen])]);
    this.within = { passed: `url(#${name}-passed)`, seen: `url(#${name}-seen)` };
    this.image = svg("svg", { role: "img", class: "sl-curves" });
    this.node = element("div", { class: "sl-chart" }, [this.image]);
    this.position = 0;
  }

  /**
   * Draws the lines.
   * @param {{frame: {width, height, left, right}, axis: [number, number], lines: object[], range: [number, number], label: string,
   *   colour: (i: number) => string, ink: (i: number) => string, withValues?: boolean}} drawn `frame` in px, `axis` the rows seen,
   *   `range` the measure's; `colour` of a line and `ink` of its name
   */
  draw(drawn) {
    this.drawn = drawn;
    const { frame: { left, right, width, height }, axis, lines, range } = drawn;
    const [low, high] = extent(lines.flatMap(({ values, band }) => [values, ...(band ?? [])]), range);
    const [from, to] = axis;
    this.x = (at) => left + ((at - from) / (to - from)) * (width - left - right);
    this.y = (value) => TOP + (1 - (value - low) / (high - low)) * (height - TOP - BOTTOM);
    for (const [rect, more] of [[this.passed, 0], [this.seen, 1]]) {
      rect.setAttribute("x", left - 1);
      rect.setAttribute("height", height);
      if (more) rect.setAttribute("width", Math.max(0, width - left - right + 2));
    }
    const paths = lines.map((line) => this.path(line));
    const stroke = (d, i) => svg("path", {
      d, fill: "none", stroke: drawn.colour(i), "stroke-width": lines[i].isThin ? 1 : 2.25, "stroke-linejoin": "round",
      opacity: lines[i].isThin ? 0.6 : 1,
      "stroke-dasharray": DASHES[lines[i].dash] ?? "",
    });
    const bands = lines.map((line, i) => (line.band ? [svg("path", { d: this.area(line), fill: drawn.colour(i), opacity: 0.16 })] : [])).flat();
    const faint = svg("g", { opacity: 0.28, "clip-path": this.within.seen }, paths.map(stroke));
    const strong = svg("g", { "clip-path": this.within.passed }, paths.map(stroke));
    this.dots = lines.map((_, i) => svg("circle", { r: 4, fill: drawn.colour(i), class: "sl-dot", visibility: "hidden" }));
    this.names = svg("g");
    this.image.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.image.setAttribute("width", width);
    this.image.setAttribute("height", height);
    this.image.setAttribute("aria-label", drawn.label);
    this.image.replaceChildren(
      this.clips, ...this.grid(low, high), svg("g", { "clip-path": this.within.seen }, bands), faint, strong, ...this.dots, this.names,
    );
    this.shown = undefined;
    this.move(this.position);
  }

  grid(low, high) {
    const { frame: { left, right, width, height } } = this.drawn;
    const ticks = ticksOf(low, high, Math.max(2, Math.min(MOST_TICKS, Math.floor(height / LEAST_APART))));
    const digits = digitsOf(ticks);
    return ticks.flatMap((value) => {
      const text = svg("text", { x: left - 8, y: this.y(value) + 4, "text-anchor": "end", class: "sl-tick" });
      text.textContent = value.toFixed(digits);
      return [svg("line", { x1: left, x2: width - right, y1: this.y(value), y2: this.y(value), class: "sl-grid" }), text];
    });
  }

  places({ positions, values }) {
    const { frame: { left, right, width }, axis } = this.drawn;
    return visiblePlaces(positions, values, axis, Math.max(1, width - left - right));
  }

  path(line) {
    let text = "", isOn = false;
    for (const k of this.places(line)) {
      const value = line.values[k];
      if (Number.isFinite(value)) text += `${isOn ? "L" : "M"}${this.x(line.positions[k]).toFixed(1)} ${this.y(value).toFixed(1)}`;
      isOn = Number.isFinite(value);
    }
    return text;
  }

  /** The outline of a line's band. */
  area({ positions, band: [low, high] }) {
    const known = this.places({ positions, values: low }).filter((k) => Number.isFinite(low[k]) && Number.isFinite(high[k]));
    if (!known.length) return "";
    const point = (values) => (k) => `${this.x(positions[k]).toFixed(1)} ${this.y(values[k]).toFixed(1)}`;
    return `M${[...known.map(point(high)), ...known.reverse().map(point(low))].join("L")}Z`;
  }

  /**
   * The learners' names where their curves end, pushed apart; on a narrow page above the ends, within the picture.
   * @param {number[]} places of the last point up to the playhead, by line
   */
  writeNames(places) {
    const { frame: { left, right, width, height }, lines, axis, ink, withValues } = this.drawn;
    const isBeside = right > LEAST_BESIDE;
    const ends = lines.map(({ positions, values }, i) => {
      let k = withValues ? places[i] : values.length - 1;
      while (k >= 0 && !Number.isFinite(values[k])) k--;
      return k < 0 || positions[k] < axis[0] ? null : { x: clamp(this.x(positions[k]), left, width - right), y: this.y(values[k]), value: values[k] };
    });
    const known = ends.map((_, i) => i).filter((i) => ends[i] !== null && !lines[i].isUnnamed);
    const shift = isBeside ? 0 : -9;
    const apart = pushApart(known.map((i) => ends[i].y + shift), LABEL, TOP, height - 4);
    this.names.replaceChildren(...known.map((i, k) => {
      const at = withValues ? ends[i].x : width - right;
      const { name } = lines[i];
      const value = withValues ? ` ${ends[i].value.toFixed(2).replace(/^(-?)0\./, "$1.")}` : "";
      const room = isBeside ? right - 14 - this.texts.width(value, BOLD_FONT) : width / 2;
      const words = `${this.texts.fit(name, BOLD_FONT, room, 1)}${value}`;
      const [x, anchor] = isBeside ? [at + 10, "start"] : [Math.max(at - 4, left + this.texts.width(words, BOLD_FONT) + 2), "end"];
      const text = svg("text", { x, y: clamp(apart[k], TOP, height) + 4, "text-anchor": anchor, class: "sl-name", style: `fill:${ink(i)}` }, [words]);
      const whole = svg("title");
      whole.textContent = name;
      text.append(whole);
      return text;
    }));
  }

  /** The playhead is at a position: what is drawn strong ends at the last point up to it. */
  move(position) {
    this.position = position;
    if (!this.drawn) return;
    const { lines, frame: { left }, axis } = this.drawn;
    const places = lines.map(({ positions }) => lastUpTo(positions, position));
    const key = places.join();
    if (key === this.shown) return;
    if (this.shown === undefined || this.drawn.withValues) this.writeNames(places);
    this.shown = key;
    const last = Math.max(0, ...places.map((place, i) => (place < 0 ? 0 : lines[i].positions[place])));
    this.passed.setAttribute("width", last > axis[0] ? this.x(last) + 1.5 - left : 0);
    places.forEach((place, i) => {
      const value = place < 0 ? NaN : lines[i].values[place];
      const isSeen = Number.isFinite(value) && lines[i].positions[place] >= axis[0] && lines[i].positions[place] <= axis[1];
      this.dots[i].setAttribute("visibility", isSeen ? "visible" : "hidden");
      if (!isSeen) return;
      this.dots[i].setAttribute("cx", this.x(lines[i].positions[place]));
      this.dots[i].setAttribute("cy", this.y(value));
    });
  }
}
