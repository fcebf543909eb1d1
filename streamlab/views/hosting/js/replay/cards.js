/* The figures of a position, what is told there, and how each learner stands: its score, and what it reported last. */
import { element, setText, svg } from "../../../kit/js/dom.js";
import { formatCount, numbered } from "../../../kit/js/format.js";
import { lastUpTo } from "../../../kit/js/numbers.js";
import { hue } from "../../../kit/js/palette.js";
import { DASHES } from "../../../timeline/js/chart.js";

/** Two decimals, as everywhere on the page; a dash where there is no number. */
const score = (value) => (Number.isFinite(value) ? value.toFixed(2) : "–");

/** Up to a position the rows and values of a curve that one concludes from: a last point of few rows is one with the point before it. */
function pointsUpTo(curve, { over, measure }, position) {
  const last = lastUpTo(curve.positions, position), values = curve.values[over][measure];
  const [rows, found] = [Array.from(curve.positions.subarray(0, last + 1)), Array.from(values.subarray(0, last + 1))];
  const whole = over === "chunk" && last === curve.positions.length - 1 ? curve.whole?.[measure] ?? null : null;
  if (whole === null) return { positions: rows, values: found };
  return { positions: [...rows.slice(0, -2), rows[last]], values: [...found.slice(0, -2), whole] };
}

/** The figure of a curve at a position, {value, from, to}: that of its last point so far, of the rows `from` to `to`. */
export function figureAt(curve, chosen, position) {
  const { positions, values } = pointsUpTo(curve, chosen, position);
  const last = positions.length - 1;
  return last < 0 ? { value: NaN, from: 1, to: 0 } : { value: values[last], from: (positions[last - 1] ?? 0) + 1, to: positions[last] };
}

/** The sentence at a position, {mark, parts}: what the live page tells there; a part is a text and its learner's place, or -1. */
export function sentence({ head, stories, chosen, position }) {
  const { at, text } = stories[chosen.over][chosen.measure];
  const [mark, parts] = head.texts[text[Math.max(0, lastUpTo(at, position))]];
  return { mark, parts };
}

const WINDOWS = {
  chunk: ({ from, to }) => (to ? `rows ${formatCount(from)} to ${formatCount(to)}` : "no rows yet"),
  faded: ({ to }) => `recent rows, at row ${formatCount(to)}`, cumulative: ({ to }) => `all ${formatCount(to)} rows`,
};

const swatch = (dash) => svg("svg", { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" }, [
  svg("line", { x1: 0, x2: 28, y1: 4, y2: 4, "stroke-width": 3, "stroke-dasharray": DASHES[dash] ?? "" }),
]);

export class Cards {
  constructor(recording) {
    Object.assign(this, { recording });
    const { head } = recording;
    this.cards = head.learners.map(({ name, dash }, learner) => {
      const parts = { score: element("b", { class: "sl-score" }), over: element("span"), whole: element("b"), all: element("span"), last: element("p", { class: "sl-last" }) };
      const title = element("h3", {}, [swatch(dash), element("span", { text: name, title: name })]);
      const numbers = element("p", { class: "sl-numbers" }, [parts.score, " ", parts.over, element("br"), parts.whole, " ", parts.all]);
      const events = head.events.filter(([, who]) => who === learner);
      return { ...parts, events, positions: events.map(([at]) => at), node: element("article", { class: "sl-card sl-learner" }, [title, numbers, parts.last]) };
    });
    this.starts = head.drifts.map(({ at }) => at);
    this.node = element("section", { class: "sl-learners", "aria-label": "The learners at this position" }, this.cards.map(({ node }) => node));
  }

  paint(theme) {
    this.cards.forEach(({ node }, i) => node.style.setProperty("--own", hue(theme, i)));
  }

  write(chosen, position) {
    const { head, curves } = this.recording;
    const { title } = head.measures[chosen.measure];
    this.cards.forEach((card, i) => {
      const figure = figureAt(curves[i], chosen, position), whole = figureAt(curves[i], { ...chosen, over: "cumulative" }, position);
      setText(card.score, score(figure.value));
      setText(card.over, `${title}, ${WINDOWS[chosen.over](figure)}`);
      setText(card.whole, score(whole.value));
      setText(card.all, `over ${WINDOWS.cumulative(whole)}`);
      setText(card.last, this.latest(card, position));
    });
  }

  latest({ events, positions }, position) {
    const place = lastUpTo(positions, position);
    if (place < 0) return events.length ? "It has reported nothing yet." : "It reports nothing.";
    const [at, , kind, message, , delay] = events[place];
    const after = delay === null ? "" : `, ${formatCount(delay)} rows after change ${numbered(lastUpTo(this.starts, at) + 1)}`;
    return `Row ${formatCount(at)}${after}: ${this.recording.head.kinds[kind].title.toLowerCase()} (${message})`;
  }
}
