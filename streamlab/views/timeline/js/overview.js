/* The whole run in a strip, while a part of it is seen above: its curves, its drifts, and which rows are seen. */
import { clamp, element, onDrag, setAttributes, svg } from "../../kit/js/dom.js";
import { extent } from "./chart.js";
import { pathOf, pointsOf, visiblePlaces } from "./points.js";

const HEIGHT = 28, INSET = 3;

export class Overview {
  /** @param {(from: number, to: number) => void} onWindow other rows are to be seen above */
  constructor(onWindow) {
    this.image = svg("svg", { "aria-hidden": "true", class: "sl-small-curves", preserveAspectRatio: "none" });
    this.window = element("div", { class: "sl-window", "aria-hidden": "true" });
    this.node = element("div", { class: "sl-overview", hidden: true, title: "Drag to see other rows" }, [this.image, this.window]);
    const move = (event) => {
      const wide = this.axis[1] - this.axis[0], start = clamp(this.rowAt(event.clientX) - wide / 2, 0, this.total - wide);
      onWindow(start, start + wide);
      return {};
    };
    onDrag(this.node, move, move);
  }

  rowAt(clientX) {
    const { left, width } = this.image.getBoundingClientRect();
    return clamp((clientX - left) / Math.max(1, width), 0, 1) * this.total;
  }

  /**
   * Draws the curves of the whole run, and which rows are seen above.
   * @param {{width: number, total: number, axis: [number, number], lines: object[], range: [number, number], colour: (i: number) => string, changes: number[]}} drawn
   */
  draw({ width, total, axis, lines, range, colour, changes }) {
    Object.assign(this, { total, axis });
    const [low, high] = extent(lines.map(({ values }) => values), range);
    const x = (at) => (at / total) * width;
    const y = (value) => INSET + (1 - (value - low) / (high - low)) * (HEIGHT - 2 * INSET);
    const paths = lines.map((line, i) => {
      const d = pathOf(pointsOf(line, visiblePlaces(line.positions, line.values, [0, total], width), changes), x, y);
      return svg("path", { d, fill: "none", stroke: colour(i), "stroke-width": 1.1 });
    });
    const marks = changes.map((at) => svg("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "sl-drift" }));
    setAttributes(this.image, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: "100%" });
    this.image.replaceChildren(...marks, ...paths);
    const [left, right] = axis.map((at) => Math.min(1, at / total) * width);
    this.window.style.cssText = `left:${left.toFixed(1)}px;width:${(right - left).toFixed(1)}px`;
  }
}
