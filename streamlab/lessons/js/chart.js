/*
 * A chart whose curve ends where the run stands: how it goes on is drawn, by pointer or by keys, and then compared with the truth.
 *
 * The line has a handle at each of a few rows. A pointer that is dragged sets each handle that it passes; on a handle the arrow
 * keys move it.
 */
import { button, clamp, element, onDrag, setAttributes, setText, svg } from "../../views/kit/js/dom.js";
import { formatCount } from "../../views/kit/js/format.js";

const WIDTH = 340;
const HEIGHT = 200;
const LEFT = 30;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 26;
const STEPS = { ArrowUp: 0.02, ArrowDown: -0.02, ArrowRight: 0.02, ArrowLeft: -0.02, PageUp: 0.1, PageDown: -0.1 };

export function createChart(root, commit) {
  const image = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group" });
  const done = button("This is my line", () => asked && commit([...values]), { class: "sl-button sl-main sl-commit" });
  const legend = element("p", { class: "sl-muted" });
  const hint = element("p", { class: "sl-muted", text: "Drag in the empty part, or focus a point and press ↑ or ↓." });
  root.append(image, legend, hint, done);
  let now = null;
  let values = [];
  let asked = false;
  let key = "";
  let handles = [];
  let line = null;

  const x = (row) => LEFT + ((row - now.from) / (now.to - now.from)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + (1 - value) * (HEIGHT - TOP - BOTTOM);
  const points = (rows, heights) => rows.map((row, i) => `${x(row).toFixed(1)},${y(heights[i]).toFixed(1)}`).join(" ");
  const last = () => (now.values.length ? now.values[now.values.length - 1] : 0);

  function place() {
    line.setAttribute("points", points([now.now, ...now.handles], [last(), ...values]));
    handles.forEach((handle, i) => {
      const value = values[i].toFixed(2), said = `${now.measure} ${value} at row ${formatCount(now.handles[i])}`;
      setAttributes(handle, { cx: x(now.handles[i]), cy: y(values[i]), "aria-valuenow": value, "aria-valuetext": said });
    });
  }

  function set(i, value) {
    values[i] = clamp(Math.round(value * 100) / 100, 0, 1);
    place();
  }

  function draw() {
    handles = now.handles.map((row, i) => {
      const handle = svg("circle", {
        r: 6, class: "sl-handle", role: "slider", tabindex: asked ? "0" : "-1", "aria-orientation": "vertical", "aria-valuemin": "0",
        "aria-valuemax": "1", "aria-disabled": String(!asked), "aria-label": `Your line at row ${formatCount(row)}`,
      });
      handle.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (!asked) return;
        const step = event.key in STEPS ? values[i] + STEPS[event.key] : { Home: 0, End: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(i, step);
      });
      return handle;
    });
    line = svg("polyline", { class: "sl-guess" });
    const grid = [0, 0.5, 1].flatMap((value) => [
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "sl-grid" }),
      svg("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, [String(value)]),
    ]);
    const rows = [[now.from, "start"], [now.now, "middle"], [now.to, "end"]].map(([row, anchor]) =>
      svg("text", { x: x(row), y: HEIGHT - 8, "text-anchor": anchor }, [formatCount(row)]));
    image.replaceChildren(
      svg("rect", { x: x(now.now), y: TOP, width: x(now.to) - x(now.now), height: y(0) - TOP, class: "sl-open" }),
      ...grid, ...rows,
      svg("line", { x1: x(now.now), x2: x(now.now), y1: TOP, y2: y(0), class: "sl-now" }),
      svg("polyline", { points: points(now.rows, now.values), class: "sl-known" }),
      line, ...handles,
      svg("polyline", { points: points([now.now, ...now.true_rows], [last(), ...now.true_values]), class: "sl-truth" }),
    );
    image.setAttribute("aria-label", `${now.measure} of ${now.learner}, rows ${formatCount(now.from)} to ${formatCount(now.to)}`);
    place();
  }

  function under(event) {
    const box = image.getBoundingClientRect();
    const row = now.from + (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * (now.to - now.from);
    const value = 1 - (((event.clientY - box.top) / box.height) * HEIGHT - TOP) / (HEIGHT - TOP - BOTTOM);
    return [row, value];
  }

  function take(event) {
    const [row, value] = under(event);
    const gap = (now.to - now.now) / now.handles.length;
    const i = now.handles.findIndex((each) => Math.abs(each - row) <= gap / 2);
    if (i >= 0) set(i, value);
  }

  onDrag(image, (event) => {
    if (!asked) return null;
    take(event);
    return {};
  }, take);

  return {
    update(chart, isAsked) {
      root.hidden = !chart;
      if (!chart) {
        key = "";
        return;
      }
      const is = JSON.stringify([chart, isAsked]);
      if (is === key) return;
      const isOther = !now || !key || chart.learner !== now.learner || chart.now !== now.now || chart.to !== now.to;
      key = is;
      now = chart;
      asked = isAsked;
      if (chart.drawn) values = [...chart.drawn];
      else if (isOther) values = chart.handles.map(() => Math.round(last() * 100) / 100);
      draw();
      const isTold = now.true_rows.length > 0;
      image.classList.toggle("sl-asked", asked);
      image.classList.toggle("sl-unguessed", !asked && !chart.drawn);
      setText(legend, isTold ? "Solid: what happened. Dashed: your line." : `${now.measure} of ${now.learner}; the run stands at row ${formatCount(now.now)}.`);
      done.hidden = hint.hidden = !asked;
    },
  };
}
