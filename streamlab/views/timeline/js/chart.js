/* The curves of a measure: drawn strong up to the playhead, faint beyond it, each named where it ends. */
import { digitsOf, lastUpTo, pushApart, ticksOf } from "../../kit/js/numbers.js";
import { clamp, element, setAttributes, setText, svg } from "../../kit/js/dom.js";
import { formatCount, withMinus } from "../../kit/js/format.js";
import { BOLD_FONT, SMALL_FONT, Texts } from "../../kit/js/text.js";
import { freePlace, pathOf, placeOf, visiblePlaces } from "./points.js";

export const DASHES = { solid: "", dashed: "7 4", dotted: "2 4", dotdash: "2 4 8 4", dashdot: "8 4 2 4" };
const LEAST_APART = 20, TOP = 10, BOTTOM = 6, LABEL = 16, TIGHT = 11.5, STEP = 0.1, MARGIN = 0.01;
/** Px of a level that say what it is. */
const LONGEST_NAME = 260, LEAST_NAMED = 80, LEVEL_NAME = "level before";
/** Names stand beside the curves where they have more than this, px. */
export const LEAST_BESIDE = 60;
/** A name that stands farther from its point than this is joined to it, px. */
const LEAST_LEADER = 16;
/** How a curve is drawn while part of what it counts is another learner's; and what is left of those that nobody points at. */
const BORROWED = "3 3", DIM = 0.14;
/** Lines of the grid, at most about so many. */
export const MOST_TICKS = 6;
let charts = 0;

/**
 * Where names stand at these heights: {apart, column, columns, isTight}. Where there is no room for all below each other they are small, and
 * where that does not do neighbours stand side by side.
 */
export function arranged(places, height) {
  const isTight = (places.length - 1) * LABEL > height - TOP - 4;
  const [gap, low, high] = isTight ? [TIGHT, 7, height - 6] : [LABEL, TOP, height - 4];
  const columns = Math.max(1, Math.ceil(places.length / (Math.floor((high - low) / gap) + 1)));
  const [column, apart] = [[], []];
  places.map((_, i) => i).sort((a, b) => places[a] - places[b]).forEach((i, k) => { column[i] = k % columns; });
  for (let c = 0; c < columns; c++) {
    const own = places.map((_, i) => i).filter((i) => column[i] === c);
    pushApart(own.map((i) => places[i]), gap, low, high).forEach((y, k) => { apart[own[k]] = y; });
  }
  return { apart, column, columns, isTight };
}

/** A value of a measure as it stands behind a name: two decimals, without the 0 before them. */
const shortly = (value) => withMinus(value.toFixed(2).replace(/^(-?)0\./, "$1."));

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
 * A line whose last point is of few rows has `wholeEnd`: what is written of its end, the value of that point and the one before together. A
 * level line over their rows shows it.
 * A line has `name`, `dash`, `positions` (ascending), `values` (NaN where there is none), and may have `band`, its [low, high]. Lines of
 * one `who` belong together. One that `isThin` is of another run: it is drawn whole, wherever the playhead is. Up to `ownFrom` a line is
 * dashed: part of what it counts there is another learner's.
 */
export class Chart {
  constructor() {
    const name = `sl-chart-${charts++}`;
    this.texts = new Texts(document.createElement("canvas").getContext("2d"));
    this.passed = svg("rect", { x: 0, y: 0, width: 0, height: 0 });
    this.seen = svg("rect", { x: 0, y: 0, width: 0, height: 0 });
    this.clips = svg("defs", {}, [svg("clipPath", { id: `${name}-passed` }, [this.passed]), svg("clipPath", { id: `${name}-seen` }, [this.seen])]);
    this.within = { passed: `url(#${name}-passed)`, seen: `url(#${name}-seen)` };
    // names stay the same nodes, so that what is pointed at stays under the pointer while the run plays
    [this.layers, this.levelWords, this.leaders, this.names] = [svg("g"), svg("g"), svg("g"), svg("g")];
    this.named = [];
    this.image = svg("svg", { role: "img", class: "sl-curves" }, [this.clips, this.layers, this.leaders, this.names]);
    this.node = element("div", { class: "sl-chart" }, [this.image]);
    this.position = 0;
    this.only = null;
  }

  /** Hears whose name is pointed at, `onPoint(who)`, null when it is left, and whose is clicked, `onPick(who)`. */
  listen(onPoint, onPick) {
    const whoOf = ({ target }) => target.closest?.(".sl-name")?.slWho ?? null;
    this.names.addEventListener("click", (event) => {
      if (Number.isInteger(whoOf(event))) onPick(whoOf(event));
    });
    this.names.addEventListener("pointerover", (event) => onPoint(whoOf(event)));
    this.names.addEventListener("pointerleave", () => onPoint(null));
  }

  /** Dims all lines but those of one; null: none. */
  dim(only) {
    this.only = only;
    this.drawn?.lines.forEach(({ who }, i) => {
      for (const node of [...this.nodes[i], this.named[i]]) if (node) node.style.opacity = this.strength(who);
    });
    for (const leader of this.leaders.children) leader.style.opacity = this.strength(leader.slWho);
  }

  strength(who) {
    return this.only === null || who === this.only ? "" : String(DIM);
  }

  /**
   * Draws the lines.
   * @param {{frame: {width, height, left, right}, axis: [number, number], lines: object[], range: [number, number], label: string,
   *   theme: object, colour: (i: number) => string, ink: (i: number) => string, withValues?: boolean, write?: (value: number) => string, isNamedBelow?: boolean, levels?: [number, number, number][]}} drawn
   *   `frame` in px, `axis` the rows seen, `range` the measure's; `colour` of a line and `ink` of its name; `levels`: row of a drift, `who`,
   *   and the level before it
   */
  draw(drawn) {
    this.drawn = drawn;
    const { frame: { left, right, width, height }, axis, lines, range, theme: { faint, band } } = drawn;
    const [low, high] = extent(lines.flatMap(({ values, band }) => [values, ...(band ?? [])]), range);
    this.x = (at) => placeOf(drawn, at);
    this.y = (value) => TOP + (1 - (value - low) / (high - low)) * (height - TOP - BOTTOM);
    setAttributes(this.passed, { x: left - 1, height });
    setAttributes(this.seen, { x: left - 1, height, width: Math.max(0, width - left - right + 2) });
    this.nodes = lines.map(() => []);
    const parts = lines.flatMap((line, i) => this.parts(line).map((part) => ({ ...part, i })));
    const stroke = ({ d, dash, i }) => {
      const { isThin } = lines[i];
      const node = svg("path", {
        d, fill: "none", stroke: drawn.colour(i), "stroke-width": isThin ? 1.25 : dash === BORROWED ? 1.75 : 2.25, "stroke-linejoin": "round",
        "stroke-dasharray": dash, opacity: isThin ? Math.max(0.7, faint) : 1,
      });
      this.nodes[i].push(node);
      return node;
    };
    const bands = lines.flatMap((line, i) => {
      if (!line.band) return [];
      this.nodes[i].push(svg("path", { d: this.area(line), fill: drawn.colour(i), opacity: band }));
      return this.nodes[i].slice(-1);
    });
    const [thin, own] = [parts.filter(({ i }) => lines[i].isThin), parts.filter(({ i }) => !lines[i].isThin)];
    const others = svg("g", { "clip-path": this.within.seen }, thin.map(stroke));
    const beyond = svg("g", { opacity: faint, "clip-path": this.within.seen }, own.map(stroke));
    const strong = svg("g", { "clip-path": this.within.passed }, own.map(stroke));
    this.dots = lines.map((_, i) => svg("circle", {
      r: 4, fill: drawn.colour(i), class: "sl-dot", visibility: "hidden", style: `--own:${drawn.colour(i)}`,
    }));
    this.together = lines.map((line, i) => this.wholeEnd(line, drawn.colour(i)));
    lines.forEach((_, i) => this.nodes[i].push(this.dots[i], this.together[i]));
    setAttributes(this.image, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": drawn.label });
    this.layers.replaceChildren(
      ...this.grid(low, high), svg("g", { "clip-path": this.within.seen }, this.levels()), svg("g", { "clip-path": this.within.seen }, bands), others, beyond, strong, this.levelWords,
      svg("g", { "clip-path": this.within.seen }, this.together), ...this.dots,
    );
    this.shown = undefined;
    this.move(this.position);
    this.dim(this.only);
  }

  /** From a drift on, what each learner had before it: dotted, and two of the same height take turns. */
  levels() {
    const { frame: { right, width }, lines, levels = [], colour, axis: [from, to] } = this.drawn;
    const seen = levels.filter(([row]) => row < to);
    return seen.map(([row, who, level], i) => {
      const d = `M${this.x(Math.max(row, from)).toFixed(1)} ${this.y(level).toFixed(1)}H${width - right}`;
      const title = svg("title", {}, [`level before: ${level.toFixed(2)}, the median of the last points before the drift, ten at most`]);
      return svg("path", { d, class: "sl-level", fill: "none", stroke: colour(lines.findIndex((line) => line.who === who)), "stroke-width": 2, "stroke-dasharray": "3 6", "stroke-dashoffset": 4.5 * i }, [title]);
    });
  }

  /** What the dotted lines are, beside the first of them: where no curve is and none of these lines, as far to the right as may be. */
  levelName(written) {
    const { frame: { right, width, height }, lines, levels = [], axis: [from, to] } = this.drawn;
    const first = levels.find(([row]) => row < to), end = width - right;
    if (!first || end - this.x(first[0]) < LEAST_NAMED) return [];
    const y = this.y(first[2]), wide = this.texts.width(LEVEL_NAME, SMALL_FONT);
    const curves = lines.map((line) => this.places(line).filter((k) => Number.isFinite(line.values[k])).map((k) => [this.x(line.positions[k]), this.y(line.values[k])]));
    for (const { positions, wholeEnd } of lines) if (wholeEnd != null) curves.push([positions.at(-3) ?? 0, positions.at(-1)].map((at) => [this.x(at), this.y(wholeEnd)]));
    curves.push(...written);
    for (const [row, , level] of levels) if (row < to && Math.abs(this.y(level) - y) > 2) curves.push([[this.x(Math.max(row, from)), this.y(level)], [end, this.y(level)]]);
    const heights = [y - 5, y + 13, y - 19, y + 27, y + 41].filter((at) => at > TOP && at < height);
    // the playhead's line, too, goes through no word
    curves.push(heights.map((at) => [this.x(this.position), at]));
    const place = freePlace({ curves, wide, end, begin: this.x(Math.max(first[0], from)), heights });
    return place ? [svg("text", { ...place, "text-anchor": "end", class: "sl-level-name" }, [LEVEL_NAME])] : [];
  }

  /** A level line over the rows of a line's last two points, as high as both together. */
  wholeEnd({ positions, wholeEnd }, stroke) {
    if (wholeEnd == null) return svg("path");
    const [from, to] = [positions.at(-3) ?? 0, positions.at(-1)];
    const title = svg("title", {}, [`rows ${formatCount(from + 1)} to ${formatCount(to)}: ${wholeEnd.toFixed(2)}`]);
    return svg("path", { d: `M${this.x(from).toFixed(1)} ${this.y(wholeEnd).toFixed(1)}H${this.x(to).toFixed(1)}`, class: "sl-whole-end", stroke, "stroke-width": 4 }, [title]);
  }

  grid(low, high) {
    const { frame: { left, right, width, height } } = this.drawn;
    const ticks = ticksOf(low, high, Math.max(2, Math.min(MOST_TICKS, Math.floor(height / LEAST_APART))));
    const digits = digitsOf(ticks);
    return ticks.flatMap((value) => [
      svg("line", { x1: left, x2: width - right, y1: this.y(value), y2: this.y(value), class: "sl-grid" }),
      svg("text", { x: left - 8, y: this.y(value) + 4, "text-anchor": "end", class: "sl-tick" }, [withMinus(value.toFixed(digits))]),
    ]);
  }

  places({ positions, values }) {
    const { frame: { left, right, width }, axis } = this.drawn;
    return visiblePlaces(positions, values, axis, Math.max(1, width - left - right));
  }

  /** What a line is drawn of: [{d, dash}], the part before it has a window of its own, and the rest. */
  parts(line) {
    const dash = DASHES[line.dash] ?? "";
    if (!(line.ownFrom > line.positions[0])) return [{ d: this.path(line), dash }];
    const last = lastUpTo(line.positions, line.ownFrom);
    return [{ d: this.path(line, 0, last), dash: BORROWED }, { d: this.path(line, last), dash }];
  }

  path(line, first = 0, last = Infinity) {
    return pathOf(line, this.places(line).filter((k) => k >= first && k <= last), this.x, this.y);
  }

  /** The outline of a line's band. */
  area({ positions, band: [low, high] }) {
    const known = this.places({ positions, values: low }).filter((k) => Number.isFinite(low[k]) && Number.isFinite(high[k]));
    if (!known.length) return "";
    const point = (values) => (k) => `${this.x(positions[k]).toFixed(1)} ${this.y(values[k]).toFixed(1)}`;
    return `M${[...known.map(point(high)), ...known.reverse().map(point(low))].join("L")}Z`;
  }

  /**
   * The learners' names where their curves end, pushed apart; on a narrow page above the ends, within the picture. With values they say
   * those at the playhead, on a narrow page these alone where lanes below have the names (`isNamedBelow`): then they stand behind all that
   * is drawn, joined to where the curves are there.
   * @param {number[]} places of the last point up to the playhead, by line
   */
  writeNames(places) {
    const { frame: { left, right, width, height }, lines, axis: [from, to], ink, colour, withValues, isNamedBelow, write = shortly } = this.drawn;
    const behind = Math.max(left, ...lines.map(({ positions }) => this.x(Math.min(to, positions[positions.length - 1] ?? from))));
    // on a narrow page, too, where nothing is drawn yet behind the curves
    const isBeside = right > LEAST_BESIDE || (withValues && width - behind > LEAST_BESIDE);
    const ends = lines.map(({ positions, values, isThin, wholeEnd }, i) => {
      let k = isThin ? lastUpTo(positions, to) : withValues ? places[i] : values.length - 1;
      while (k >= 0 && !Number.isFinite(values[k])) k--;
      if (k < 0 || positions[k] < from) return null;
      const value = this.isShort(i, k) ? wholeEnd : values[k];
      return { x: clamp(this.x(positions[k]), left, width - right), y: this.y(value), value };
    });
    const known = ends.map((_, i) => i).filter((i) => ends[i] !== null && !lines[i].isUnnamed);
    const shift = isBeside ? 0 : -9;
    const { apart, column, columns, isTight } = arranged(known.map((i) => ends[i].y + shift), height);
    this.names.classList.toggle("sl-tight", isTight);
    const leaders = [], written = [];
    known.forEach((i, k) => {
      const { name, isThin, who } = lines[i];
      const at = withValues ? (isBeside ? Math.min(behind, width - right) : ends[i].x) : width - right;
      const value = withValues && !isThin ? ` ${write(ends[i].value)}` : "";
      const wide = Math.max(right, width - at) / columns;
      // behind the curves nothing is drawn yet: a name need not end where the picture does
      const room = isBeside ? (columns > 1 ? wide : Math.min(wide, Math.max(right, LONGEST_NAME))) - 14 - this.texts.width(value, BOLD_FONT) : width / 2;
      // names would hide the curves that they stand on, and lanes have them whole
      const words = isNamedBelow && value && (!isBeside || room < this.texts.width(name, BOLD_FONT)) ? value.trim() : `${this.texts.fit(name, BOLD_FONT, room, 1)}${value}`;
      const [x, anchor] = isBeside ? [at + 10 + column[k] * wide, "start"] : [Math.max(at - 4, left + this.texts.width(words, BOLD_FONT) + 2), "end"];
      const y = clamp(apart[k], 0, height) + 4;
      const long = this.texts.width(words, BOLD_FONT), begin = anchor === "end" ? x - long : x;
      for (const edge of [y - 9, y + 2]) written.push([[begin, edge], [begin + long, edge]]);
      const node = this.nameOf(i, { x, y, "text-anchor": anchor }, words, name);
      node.style.fill = ink(i);
      node.slWho = who ?? null;
      if (withValues && isBeside && !isThin && at - ends[i].x > LEAST_LEADER) {
        const d = `M${ends[i].x + 6} ${ends[i].y}L${at} ${ends[i].y}L${at + 8} ${y - 4}`;
        const leader = svg("path", { d, stroke: colour(i), class: "sl-leader", style: `opacity:${this.strength(who)}` });
        leader.slWho = who;
        leaders.push(leader);
      }
    });
    this.named.forEach((node, i) => { if (node && !known.includes(i)) node.remove(); });
    this.leaders.replaceChildren(...leaders);
    this.levelWords.replaceChildren(...this.levelName(written));
  }

  /** Whether a point is one of few rows, from which nothing is concluded. */
  isShort(i, k) {
    const { wholeEnd, values } = this.drawn.lines[i];
    return wholeEnd != null && k === values.length - 1;
  }

  /** The node of a line's name, with these attributes, words and, as a title, the whole name. */
  nameOf(i, attributes, words, name) {
    this.named[i] ??= svg("text", { class: "sl-name" }, [svg("tspan"), svg("title")]);
    const node = this.named[i];
    setAttributes(node, attributes);
    setText(node.firstChild, words);
    setText(node.lastChild, name);
    if (!node.isConnected) this.names.append(node);
    return node;
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
    const last = Math.max(0, ...places.map((place, i) => (place < 0 || lines[i].isThin ? 0 : lines[i].positions[place])));
    this.passed.setAttribute("width", last > axis[0] ? Math.max(0, this.x(last) + 1.5 - left) : 0);
    places.forEach((place, i) => {
      const value = place < 0 ? NaN : lines[i].values[place];
      const isSeen = Number.isFinite(value) && !lines[i].isThin && lines[i].positions[place] >= axis[0] && lines[i].positions[place] <= axis[1];
      this.dots[i].setAttribute("visibility", isSeen ? "visible" : "hidden");
      this.dots[i].classList.toggle("sl-short", this.isShort(i, place));
      this.together[i].setAttribute("visibility", isSeen && this.isShort(i, place) ? "visible" : "hidden");
      if (!isSeen) return;
      setAttributes(this.dots[i], { cx: this.x(lines[i].positions[place]), cy: this.y(value) });
    });
  }
}
