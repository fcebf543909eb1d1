/* The whole run in a strip: its curves, its drifts, which rows are seen above, and the playhead, which goes back in time. */
import { clamp, element, onDrag, setAttributes, setText, svg } from "../../kit/js/dom.js";
import { Throttled } from "../../kit/js/drawloop.js";
import { formatCount } from "../../kit/js/format.js";
import { extent } from "./chart.js";
import { pathOf, visiblePlaces } from "./points.js";

const HEIGHT = 36, INSET = 4;
/** While the playhead is dragged, its place is sent so often at most. */
const DRAG_EVERY_MS = 60;
/** While the run plays, assistive software is told the place so often at most. */
const TELL_EVERY_MS = 500;

export class Overview {
  /**
   * @param {{onDrag: (at: number) => void, onSeek: (at: number) => void, onWindow: (from: number, to: number) => void}} options
   *   `onDrag` while the playhead moves, `onSeek` when it rests; `onWindow`: other rows are to be seen above
   */
  constructor({ onDrag, onSeek, onWindow }) {
    Object.assign(this, { onDrag, onSeek, onWindow, dragged: false, toldAt: 0 });
    this.dragging = new Throttled(() => this.onDrag(Number(this.slider.value)), DRAG_EVERY_MS);
    this.image = svg("svg", { "aria-hidden": "true", class: "sl-small-curves", preserveAspectRatio: "none" });
    this.went = element("div", { class: "sl-went", "aria-hidden": "true" });
    this.slider = element("input", {
      type: "range", min: "0", max: "1", value: "0", step: "1", disabled: true, "aria-label": "Position in the stream: go back in time",
    });
    this.thumb = element("div", { class: "sl-head", "aria-hidden": "true" });
    this.window = element("div", { class: "sl-window", "aria-hidden": "true" });
    this.grips = ["from", "to", "middle"].map((part) => element("i", {
      class: `sl-grip sl-grip-${part}`, "aria-hidden": "true", title: part === "middle" ? "Drag to see other rows" : "Drag to see more or fewer rows",
    }));
    this.edge = element("span", { class: "sl-edge", "aria-hidden": "true", hidden: true });
    this.node = element("div", { class: "sl-overview" }, [this.image, this.went, this.window, this.slider, this.thumb, this.edge, ...this.grips]);
    this.key = element("div", { class: "sl-strip-key", "aria-hidden": "true" });
    this.count = element("span", { class: "sl-muted" });
    this.listen();
  }

  listen() {
    const { slider } = this;
    slider.addEventListener("input", () => {
      if (!this.run) return;
      this.dragged = true;
      if (Number(slider.value) > this.run.end) slider.value = String(this.run.end);
      this.place(Number(slider.value));
      this.dragging.request();
    });
    slider.addEventListener("change", () => this.rest());
    slider.addEventListener("keydown", (event) => {
      // a page of the keyboard is a chunk of the stream, as on the transport bar
      const step = { PageUp: 1, PageDown: -1 }[event.key];
      if (!step || !this.run) return;
      slider.value = String(clamp(Number(slider.value) + step * this.run.chunk, 0, this.run.end));
      this.rest();
      event.preventDefault();
    });
    this.grips.forEach((grip, part) => {
      const begin = (event) => ({ at: this.rowAt(event.clientX), axis: this.axis });
      onDrag(grip, begin, (event, { at, axis: [from, to] }) => {
        const moved = this.rowAt(event.clientX) - at;
        if (part === 2) {
          const start = clamp(from + moved, 0, this.total - (to - from));
          this.onWindow(start, start + (to - from));
        } else this.onWindow(from + (part === 0 ? moved : 0), to + (part === 1 ? moved : 0));
      });
    });
  }

  /**
   * On a phone, where not all is seen at once, the run stays in sight above the transport: its names, and its rows so far. Those far ahead
   * would squeeze them: how many more there are stands behind them. Else it stands before `next`.
   */
  dock(strip, next) {
    this.isDocked = Boolean(strip);
    if (strip) strip.append(this.key, this.node);
    else if (this.node.nextSibling !== next) next.before(this.node);
    if (!strip) this.key.remove();
  }

  rest() {
    this.dragging.stop();
    this.onSeek(Math.min(Number(this.slider.value), this.run?.end ?? 0));
    this.dragged = false;
  }

  /** Moves the playhead from elsewhere, by a drag in the picture above: `isOver` when it rests. */
  moveTo(position, isOver) {
    if (!this.run) return;
    this.slider.value = String(clamp(Math.round(position), 0, this.run.end));
    this.place(Number(this.slider.value));
    this.dragged = true;
    if (isOver) this.rest();
    else this.dragging.request();
  }

  rowAt(clientX) {
    const { left, width } = this.image.getBoundingClientRect();
    return clamp((clientX - left) / Math.max(1, width), 0, 1) * this.total;
  }

  /**
   * Draws the curves of the whole run.
   * @param {{width: number, total: number, end: number, ahead: string, lines: object[], range: [number, number], colour: (i: number) => string, ink: (i: number) => string, drifts: object[]}} drawn
   */
  draw({ width, total, end, ahead, lines, range, colour, ink, drifts }) {
    Object.assign(this, { width, total });
    this.edge.hidden = !ahead;
    setText(this.edge, ahead);
    this.edge.style.left = `${(100 * end) / total}%`;
    this.key.replaceChildren(...lines.map(({ name }, i) => element("span", { text: name, style: `color:${ink(i)}` })), this.count);
    const [low, high] = extent(lines.map(({ values }) => values), range);
    const x = (at) => (at / total) * width;
    const y = (value) => INSET + (1 - (value - low) / (high - low)) * (HEIGHT - 2 * INSET);
    const paths = lines.map(({ positions, values }, i) => {
      const d = pathOf({ positions, values }, visiblePlaces(positions, values, [0, total], width), x, y);
      return svg("path", { d, fill: "none", stroke: colour(i), "stroke-width": 1.1 });
    });
    const marks = drifts.map(({ at }) => svg("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "sl-drift" }));
    setAttributes(this.image, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: "100%" });
    this.image.replaceChildren(...marks, ...paths);
  }

  /** Which rows are seen above. */
  frame([from, to]) {
    this.axis = [from, to];
    const [left, right] = [from, to].map((at) => Math.min(1, at / this.total) * this.width);
    const isPart = to - from < this.total - 0.5;
    this.window.style.cssText = `left:${left.toFixed(1)}px;width:${(right - left).toFixed(1)}px`;
    this.node.classList.toggle("sl-part", isPart);
    const [first, last, middle] = this.grips;
    first.style.left = `${(left - 4).toFixed(1)}px`;
    last.style.left = `${(right - 4).toFixed(1)}px`;
    middle.style.cssText = `left:${left.toFixed(1)}px;width:${(right - left).toFixed(1)}px`;
  }

  /**
   * The run stands somewhere.
   * @param {{position: number, end: number, rows: number|null, chunk: number, state: string}} run `rows`: the stream's length, if known
   */
  stand(run) {
    this.run = run;
    const { slider } = this;
    // a control that is set is laid out again, whatever it had
    if (slider.disabled !== (run.end === 0)) slider.disabled = run.end === 0;
    if (slider.max !== String(this.total)) slider.max = String(this.total);
    this.went.style.width = `${(100 * run.end) / this.total}%`;
    if (this.dragged) return;
    if (slider.value !== String(run.position)) slider.value = String(run.position);
    this.place(run.position);
  }

  place(position) {
    // a run that plays may be some rows further than what is drawn
    this.thumb.style.transform = `translateX(${(Math.min(1, position / this.total) * this.width).toFixed(1)}px)`;
    this.onPlace?.(position);
    setText(this.count, `${formatCount(position)}${this.run.rows ? ` of ${formatCount(this.run.rows)}` : ""} rows`);
    const now = performance.now();
    if (this.run.state === "playing" && !this.dragged && now - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = now;
    const back = position < this.run.end ? `; looking back, the run has come to ${formatCount(this.run.end)}` : "";
    this.slider.setAttribute("aria-valuetext", `row ${formatCount(position)} of ${formatCount(this.total)}${back}`);
  }

  destroy() {
    this.dragging.stop();
    for (const each of [this.key, this.node]) each.remove();
  }
}
