/* The curves of a run for paper: a chart a measure, one below the other, drawn on any context. */
import { digitsOf, pushApart, ticksOf } from "../../kit/js/numbers.js";
import { Painter } from "../../kit/js/marks.js";
import { NAME_FONT, Texts } from "../../kit/js/text.js";
import { formatCount } from "../../kit/js/format.js";
import { DASHES, MOST_TICKS, extent } from "./chart.js";

const WIDTH = 900, TALL = 250, HEAD = 30, FOOT = 44, LEFT = 44, RIGHT = 190, LABEL = 16, MOST_ROWS = 6;

export const chartSize = (charts) => [WIDTH, charts.length * (HEAD + TALL + FOOT)];

/** Runs of points that have a value, as [[x, y, i], ...]. */
function runsOf({ positions, values }, x, y) {
  const runs = [];
  let isOn = false;
  values.forEach((value, i) => {
    if (value === null) isOn = false;
    else {
      if (!isOn) runs.push([]);
      isOn = true;
      runs[runs.length - 1].push([x(positions[i]), y(value), i]);
    }
  });
  return runs;
}

class ChartPainter extends Painter {
  series(one, x, y) {
    const { context, theme } = this, runs = runsOf(one, x, y);
    context.globalAlpha = theme.band;
    for (const points of one.low ? runs : []) {
      const edge = (values) => points.map(([at, , i]) => [at, y(values[i])]);
      this.trace([...edge(one.high), ...edge(one.low).reverse()]);
      context.closePath();
      this.fill(one.colour);
    }
    context.lineJoin = "round";
    const dash = (DASHES[one.dash] ?? "").split(" ").filter(Boolean).map(Number);
    for (const points of runs) this.line(points, one.colour, 2, dash);
    context.globalAlpha = 1;
  }

  chart(chart, { end, drifts }, top) {
    const { theme, texts } = this, write = (words, at, height, look) => this.note(words, at, height, { base: "alphabetic", ...look });
    const values = chart.series.flatMap(({ values: own, low, high }) => [own, low ?? [], high ?? []]).map((each) => each.filter((v) => v !== null));
    const [low, high] = extent(values, chart.range);
    const right = WIDTH - RIGHT, floor = top + HEAD + TALL;
    const x = (at) => LEFT + (at / end) * (right - LEFT);
    const y = (value) => floor - ((value - low) / (high - low)) * TALL;
    write(chart.title, LEFT, top + 16, { font: `600 ${NAME_FONT}`, colour: theme.ink });
    const levels = ticksOf(low, high, MOST_TICKS), digits = digitsOf(levels);
    for (const level of levels) {
      this.line([[LEFT, y(level)], [right, y(level)]], theme.track);
      write(level.toFixed(digits), LEFT - 6, y(level) + 4, { align: "right" });
    }
    this.line([[LEFT, floor], [right, floor]], theme.control);
    for (const at of ticksOf(0, end, MOST_ROWS, 1)) write(formatCount(at), x(at), floor + 16, { align: "center" });
    write("rows", (LEFT + right) / 2, floor + 33, { align: "center" });
    for (const [at, sign] of drifts) {
      this.line([[x(at), top + HEAD], [x(at), floor]], theme.down, 1.2, [4, 3]);
      write(sign, x(at), top + HEAD - 3, { colour: theme.down, align: "center", font: NAME_FONT });
    }
    for (const one of chart.series) this.series(one, x, y);
    const ends = chart.series.map((one) => [one, one.values.findLast((value) => value !== null)]).filter(([, value]) => value != null);
    const places = pushApart(ends.map(([, value]) => y(value)), LABEL, top + HEAD + 6, floor);
    ends.forEach(([one, value], i) => {
      this.line([[right + 4, y(value)], [right + 20, places[i]]], one.colour, 2);
      write(texts.fit(`${one.name} ${value.toFixed(3)}`, NAME_FONT, RIGHT - 28, 1), right + 26, places[i] + 4, { font: NAME_FONT, colour: theme.ink });
    });
  }
}

/** Draws charts [{title, range, series: [{name, colour, dash, positions, values, low, high}]}]; null where there is no value. */
export function drawCharts(context, theme, { charts, ...axis }) {
  const painter = new ChartPainter(new Texts(document.createElement("canvas").getContext("2d"))).on(context, { theme });
  charts.forEach((chart, i) => painter.chart(chart, axis, i * (HEAD + TALL + FOOT)));
}
