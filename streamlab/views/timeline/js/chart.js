/* The curves of a measure: drawn strong up to the playhead, faint beyond it, each named where it ends. */
import { clamp, element } from "../../kit/js/dom.js";
import { BOLD_FONT, Texts } from "../../kit/js/text.js";
import { hue, textHue } from "./colours.js";
import { lastUpTo } from "../../kit/js/search.js";

const SVG = "http://www.w3.org/2000/svg";
export const DASHES = { solid: "", dashed: "7 4", dotted: "2 4", dotdash: "2 4 8 4", dashdot: "8 4 2 4" };
const TOP = 10, BOTTOM = 6, LABEL = 16, STEP = 0.1, MARGIN = 0.01;

function svg(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

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
  let [low, high] = [Infinity, -Infinity];
  for (const values of series) for (const value of values) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [worst, best];
  const start = Math.max(worst, Math.floor((low - MARGIN) / STEP) * STEP), end = Math.min(best, Math.ceil((high + MARGIN) / STEP) * STEP);
  return start < end ? [start, end] : [worst, best];
}

export class Chart {
  constructor(recording) {
    this.recording = recording;
    this.texts = new Texts(document.createElement("canvas").getContext("2d"));
    this.clip = svg("rect", { x: 0, y: 0, width: 0, height: 0 });
    this.image = svg("svg", { role: "img", class: "sl-curves" });
    this.node = element("div", { class: "sl-chart" }, [this.image]);
  }

  /** @param {{over: string, measure: number}} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.draw();
  }

  layOut(frame, theme) {
    Object.assign(this, { frame, theme });
    this.draw();
  }

  draw() {
    if (!this.frame || !this.chosen) return;
    const { left, right, width, height } = this.frame;
    const { head, curves } = this.recording;
    const measure = head.measures[this.chosen.measure];
    const series = curves.map(({ values }) => values[this.chosen.over][this.chosen.measure]);
    const [low, high] = extent(series, measure.range ?? [0, 1]);
    const x = (at) => left + (at / head.rows) * (width - left - right);
    const y = (value) => TOP + (1 - (value - low) / (high - low)) * (height - TOP - BOTTOM);
    Object.assign(this, { x, y, series });
    const grid = [];
    const ticks = Math.round((high - low) / STEP);
    const every = ticks > 5 ? 2 : 1;
    for (let i = 0; i <= ticks; i += every) {
      const value = low + i * STEP;
      grid.push(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "sl-grid" }));
      const text = svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end", class: "sl-tick" });
      text.textContent = value.toFixed(1);
      grid.push(text);
    }
    const clipped = svg("clipPath", { id: "sl-passed" }, [this.clip]);
    this.clip.setAttribute("height", height);
    const paths = series.map((values, i) => this.path(curves[i].positions, values));
    const line = (d, i) => svg("path", {
      d, fill: "none", stroke: hue(this.theme, i), "stroke-width": 2.25, "stroke-linejoin": "round",
      "stroke-dasharray": DASHES[head.learners[i].dash] ?? "",
    });
    const faint = svg("g", { opacity: 0.28 }, paths.map(line));
    const strong = svg("g", { "clip-path": "url(#sl-passed)" }, paths.map(line));
    this.dots = series.map((_, i) => svg("circle", { r: 4, fill: hue(this.theme, i), class: "sl-dot" }));
    this.image.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.image.setAttribute("width", width);
    this.image.setAttribute("height", height);
    this.image.setAttribute("aria-label", `Curves of ${measure.title} of ${head.listed}`);
    this.image.replaceChildren(svg("defs", {}, [clipped]), ...grid, faint, strong, ...this.dots, ...this.names(series));
    this.shown = undefined;
    this.move(this.position ?? 0);
  }

  path(positions, values) {
    let text = "", isOn = false;
    values.forEach((value, k) => {
      if (Number.isFinite(value)) text += `${isOn ? "L" : "M"}${this.x(positions[k]).toFixed(1)} ${this.y(value).toFixed(1)}`;
      isOn = Number.isFinite(value);
    });
    return text;
  }

  /** The learners' names where their curves end; on a narrow page above the ends, within the picture. */
  names(series) {
    const { right, width, height } = this.frame;
    const { head } = this.recording;
    const isBeside = right > 60;
    const ends = series.map((values) => {
      let k = values.length - 1;
      while (k >= 0 && !Number.isFinite(values[k])) k--;
      return k < 0 ? null : this.y(values[k]);
    });
    const known = ends.map((_, i) => i).filter((i) => ends[i] !== null);
    const shift = isBeside ? 0 : -9;
    const places = pushApart(known.map((i) => ends[i] + shift), LABEL, TOP, height - 4);
    return known.map((i, k) => {
      const [at, anchor] = isBeside ? [width - right + 10, "start"] : [width - right - 4, "end"];
      const text = svg("text", { x: at, y: clamp(places[k], TOP, height) + 4, "text-anchor": anchor, class: "sl-name", style: `fill:${textHue(this.theme, i)}` });
      const { name } = head.learners[i];
      text.textContent = this.texts.fit(name, BOLD_FONT, isBeside ? right - 14 : width / 2, 1);
      const whole = svg("title");
      whole.textContent = name;
      text.append(whole);
      return text;
    });
  }

  /** The playhead is at a position: what is drawn strong ends at the last point up to it. */
  move(position) {
    this.position = position;
    if (!this.series) return;
    const { curves } = this.recording;
    const places = curves.map(({ positions }) => lastUpTo(positions, position));
    const key = places.join();
    if (key === this.shown) return;
    this.shown = key;
    const last = Math.max(0, ...places.map((place, i) => (place < 0 ? 0 : curves[i].positions[place])));
    this.clip.setAttribute("width", last ? this.x(last) + 0.5 : 0);
    places.forEach((place, i) => {
      const value = place < 0 ? NaN : this.series[i][place];
      this.dots[i].setAttribute("visibility", Number.isFinite(value) ? "visible" : "hidden");
      if (!Number.isFinite(value)) return;
      this.dots[i].setAttribute("cx", this.x(curves[i].positions[place]));
      this.dots[i].setAttribute("cy", this.y(value));
    });
  }
}
