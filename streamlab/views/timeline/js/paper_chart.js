/* The curves of a run for paper: a chart a measure, one below the other, drawn on any context. */
import { pushApart } from "../../kit/js/apart.js";
import { digitsOf, ticksOf } from "../../kit/js/axis.js";
import { NAME_FONT, SMALL_FONT, Texts } from "../../kit/js/text.js";
import { formatCount } from "../../kit/js/format.js";
import { DASHES, MOST_TICKS, extent } from "./chart.js";

const WIDTH = 900, TALL = 250, HEAD = 30, FOOT = 44, LEFT = 44, RIGHT = 190, LABEL = 16, MOST_ROWS = 6;
const DRIFT = { light: "#a84300", dark: "#ffa45c" };

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

function trace(context, points) {
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
}

function drawSeries(context, theme, one, x, y) {
  const runs = runsOf(one, x, y);
  context.globalAlpha = theme.band;
  context.fillStyle = one.colour;
  for (const points of one.low ? runs : []) {
    const edge = (values) => points.map(([at, , i]) => [at, y(values[i])]);
    context.beginPath();
    trace(context, [...edge(one.high), ...edge(one.low).reverse()]);
    context.closePath();
    context.fill();
  }
  context.globalAlpha = one.faint ? 0.5 : 1;
  context.strokeStyle = one.colour;
  context.lineWidth = one.faint ? 1.2 : 2;
  context.lineJoin = "round";
  context.setLineDash((DASHES[one.dash] ?? "").split(" ").filter(Boolean).map(Number));
  for (const points of runs) {
    context.beginPath();
    trace(context, points);
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawChart(context, theme, chart, { end, drifts, texts }, top) {
  const write = (text, at, height, { font = SMALL_FONT, colour = theme.muted, align = "left" } = {}) => {
    Object.assign(context, { font, fillStyle: colour, textAlign: align, textBaseline: "alphabetic" });
    context.fillText(text, at, height);
  };
  const line = (x1, y1, x2, y2, colour, width = 1) => {
    Object.assign(context, { strokeStyle: colour, lineWidth: width });
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  };
  const values = chart.series.flatMap(({ values: own, low, high }) => [own, low ?? [], high ?? []]).map((each) => each.filter((v) => v !== null));
  const [low, high] = extent(values, chart.range);
  const right = WIDTH - RIGHT, floor = top + HEAD + TALL;
  const x = (at) => LEFT + (at / end) * (right - LEFT);
  const y = (value) => floor - ((value - low) / (high - low)) * TALL;
  write(chart.title, LEFT, top + 16, { font: `600 ${NAME_FONT}`, colour: theme.ink });
  const levels = ticksOf(low, high, MOST_TICKS), digits = digitsOf(levels);
  for (const level of levels) {
    line(LEFT, y(level), right, y(level), theme.track);
    write(level.toFixed(digits), LEFT - 6, y(level) + 4, { align: "right" });
  }
  line(LEFT, floor, right, floor, theme.control);
  for (const at of ticksOf(0, end, MOST_ROWS, 1)) write(formatCount(at), x(at), floor + 16, { align: "center" });
  write("rows", (LEFT + right) / 2, floor + 33, { align: "center" });
  const colour = theme.surface === "#fff" ? DRIFT.light : DRIFT.dark;
  for (const [at, sign] of drifts) {
    context.setLineDash([4, 3]);
    line(x(at), top + HEAD, x(at), floor, colour, 1.2);
    context.setLineDash([]);
    write(sign, x(at), top + HEAD - 3, { colour, align: "center", font: NAME_FONT });
  }
  for (const one of chart.series) drawSeries(context, theme, one, x, y);
  const ends = chart.series.map((one) => [one, one.values.findLast((value) => value !== null)]).filter(([, value]) => value != null);
  const places = pushApart(ends.map(([, value]) => y(value)), LABEL, top + HEAD + 6, floor);
  ends.forEach(([one, value], i) => {
    line(right + 4, y(value), right + 20, places[i], one.colour, one.faint ? 1.2 : 2);
    write(texts.fit(`${one.name} ${value.toFixed(3)}`, NAME_FONT, RIGHT - 28, 1), right + 26, places[i] + 4, { font: NAME_FONT, colour: theme.ink });
  });
}

/** Draws charts [{title, range, series: [{name, colour, dash, faint, positions, values, low, high}]}]; null where there is no value. */
export function drawCharts(context, theme, { charts, end, drifts }) {
  const texts = new Texts(document.createElement("canvas").getContext("2d"));
  charts.forEach((chart, i) => drawChart(context, theme, chart, { end, drifts, texts }, i * (HEAD + TALL + FOOT)));
}
