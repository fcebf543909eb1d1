/* The curves of a measure: drawn strong up to the playhead, faint beyond it, each named where it ends. */
import { digitsOf, lastUpTo, pushApart, ticksOf } from "../../kit/js/numbers.js";
import { clamp, element, setAttributes, setText, svg } from "../../kit/js/dom.js";
import { formatCount, numbered, shortly } from "../../kit/js/format.js";
import { tint } from "../../kit/js/palette.js";
import { FONT, Texts } from "../../kit/js/text.js";
import { isFree, lossOf, pathOf, placeOf, pointsOf, roomsIn, sizeOf, valueAt, visiblePlaces } from "./points.js";

export const DASHES = { solid: "", dashed: "7 4", dotted: "2 4", dotdash: "2 4 8 4", dashdot: "8 4 2 4" };
export const NAME_FONT = `650 14px ${FONT}`;
const LEAST_APART = 24, TOP = 10, BOTTOM = 6, LABEL = 18, TIGHT = 14, STEP = 0.1, MARGIN = 0.01, LONGEST_NAME = 260;
/** Names stand beside the curves where they have more than this, px. */
const LEAST_BESIDE = 60;
/** From so many points on a first one may leave the axis. */
const FEW_POINTS = 4;
/** A name that stands farther from its point than this is joined to it, px. */
const LEAST_LEADER = 16;
/** How a curve is drawn while part of what it counts is another learner's; and what is left of those that nobody points at. */
const BORROWED = "3 3", DIM = 0.14;
/** Words over the line of a level: how far from the change and above it, and how far they move at a time, px. */
const LEVEL_FONT = `600 13px ${FONT}`, LEVEL_ASIDE = 12, LEVEL_ABOVE = 8, LEVEL_STEP = 16;
/** How strong the colour of what was lost is. */
const LOSS = 0.2;
/** Lines of the grid, at most about so many. */
export const MOST_TICKS = 6;
let charts = 0;

/**
 * Where names stand at these heights: {apart, column, columns}. Where there is no room for all below each other they stand closer, and where
 * that does not do neighbours stand side by side.
 */
export function arranged(places, height) {
  const isTight = (places.length - 1) * LABEL > height - TOP - 4;
  const [gap, low, high] = isTight ? [TIGHT, 8, height - 5] : [LABEL, TOP, height - 4];
  const columns = Math.max(1, Math.ceil(places.length / (Math.floor((high - low) / gap) + 1)));
  const [column, apart] = [[], []];
  places.map((_, i) => i).sort((a, b) => places[a] - places[b]).forEach((i, k) => { column[i] = k % columns; });
  for (let c = 0; c < columns; c++) {
    const own = places.map((_, i) => i).filter((i) => column[i] === c);
    pushApart(own.map((i) => places[i]), gap, low, high).forEach((y, k) => { apart[own[k]] = y; });
  }
  return { apart, column, columns };
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

const isBetween = (y, one, other) => y > Math.min(one, other) && y < Math.max(one, other);

/** The values that the axis is made for: a first chunk, answered before anything was learned, would take half of it from the others. */
const settled = (values) => (values.length > FEW_POINTS ? values.slice(1) : values);

/**
 * One figure of curves.
 *
 * A line whose last point is of few rows has `wholeEnd`: what is written of its end, the value of that point and the one before together. A
 * level line over their rows shows it.
 * A line has `name`, `dash`, `positions` (ascending), `values` (NaN where there is none), and may have `band`, its [low, high]. Lines of
 * one `who` belong together.  Up to `ownFrom` a line is
 * dashed: part of what it counts there is another learner's. Where one that `isHeaded` stands is said elsewhere: its name has no value.
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
    [this.layers, this.lost, this.leaders, this.names] = [svg("g"), svg("g"), svg("g"), svg("g")];
    /** Boxes beside the names that have words. */
    this.written = [];
    this.named = [];
    this.image = svg("svg", { role: "img", class: "sl-curves" }, [this.clips, this.layers, this.lost, this.leaders, this.names]);
    this.node = element("div", { class: "sl-chart" }, [this.image]);
    this.position = 0;
    this.only = null;
  }

  /** Hears whose name is pointed at or stood on, `onPoint(who)`, null when it is left, and whose is clicked, `onPick(who)`. */
  listen(onPoint, onPick) {
    const whoOf = ({ target }) => target.closest?.(".sl-name")?.slWho ?? null;
    const pick = (event) => {
      if (Number.isInteger(whoOf(event))) onPick(whoOf(event));
    };
    this.isPicked = true;
    this.image.setAttribute("role", "group"); // an image has no controls in it
    this.names.addEventListener("click", pick);
    this.names.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      pick(event);
      event.preventDefault();
      event.stopPropagation();
    });
    for (const type of ["pointerover", "focusin"]) this.names.addEventListener(type, (event) => onPoint(whoOf(event)));
    for (const type of ["pointerleave", "focusout"]) this.names.addEventListener(type, () => onPoint(null));
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
   *   theme: object, colour: (i: number) => string, ink: (i: number) => string, withValues?: boolean, write?: (value: number) => string,
   *   changes?: number[], levels?: [number, number, number][], losses?: [number, number, number, string][]}} drawn
   *   `frame` in px, with `top` and `bottom` where marks stand there; `axis` the rows seen, `range` the measure's, from its worst; `colour` of a
   *   line and `ink` of its name; `changes`: rows where the stream changed; `levels`: row of a drift, `who`, and the level before it, with what
   *   was lost in words: `losses`
   */
  draw(drawn) {
    this.drawn = drawn;
    const { frame: { left, right, width, height, top = TOP, bottom = BOTTOM }, axis, lines, range, theme: { faint, band } } = drawn;
    const [low, high] = extent(lines.flatMap(({ values, band }) => [values, ...(band ?? [])].map(settled)), range);
    this.x = (at) => placeOf(drawn, at);
    this.y = (value) => top + (1 - (value - low) / (high - low)) * (height - top - bottom);
    this.traces = lines.map((line) => pointsOf(line, this.places(line), drawn.changes));
    /** What words may not cross, in px. */
    this.curves = this.traces.map((points) => points.filter(([, value]) => Number.isFinite(value)).map(([at, value]) => [this.x(at), this.y(value)]));
    setAttributes(this.passed, { x: left - 1, height: height - bottom + 2 });
    setAttributes(this.seen, { x: left - 1, height: height - bottom + 2, width: Math.max(0, width - left - right + 2) });
    this.nodes = lines.map(() => []);
    const parts = lines.flatMap((line, i) => this.parts(line).map((part) => ({ ...part, i })));
    const stroke = ({ d, dash, i }) => {
      const node = svg("path", {
        d, fill: "none", stroke: drawn.colour(i), "stroke-width": dash === BORROWED ? 1.75 : 2.5, "stroke-linejoin": "round",
        "stroke-dasharray": dash,
      });
      this.nodes[i].push(node);
      return node;
    };
    const bands = lines.flatMap((line, i) => {
      if (!line.band) return [];
      this.nodes[i].push(svg("path", { d: this.area(line), fill: drawn.colour(i), opacity: band }));
      return this.nodes[i].slice(-1);
    });
    const beyond = svg("g", { opacity: faint, "clip-path": this.within.seen }, parts.map(stroke));
    const strong = svg("g", { "clip-path": this.within.passed }, parts.map(stroke));
    this.dots = lines.map((_, i) => svg("circle", {
      r: 4, fill: drawn.colour(i), class: "sl-dot", visibility: "hidden", style: `--own:${drawn.colour(i)}`,
    }));
    this.together = lines.map((line, i) => this.wholeEnd(line, drawn.colour(i)));
    lines.forEach((_, i) => this.nodes[i].push(this.dots[i], this.together[i]));
    setAttributes(this.image, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": drawn.label });
    this.layers.replaceChildren(
      ...this.grid(low, high), svg("g", { "clip-path": this.within.passed }, this.losses()), svg("g", { "clip-path": this.within.seen }, this.levels()), svg("g", { "clip-path": this.within.seen }, bands), beyond, strong,
      svg("g", { "clip-path": this.within.seen }, this.together), ...this.dots,
    );
    this.shown = undefined;
    this.move(this.position);
    this.dim(this.only);
  }

  /** The place of a learner's line. */
  lineOf(who) {
    return this.drawn.lines.findIndex((line) => line.who === who);
  }

  /** From a drift on, what each learner had before it: dotted, and two of the same height take turns. */
  levels() {
    const { lines, levels = [], colour, axis: [from, to] } = this.drawn;
    // names stand behind the last points
    const end = Math.max(...lines.map(({ positions }) => this.x(Math.min(to, positions.at(-1) ?? from))));
    const seen = levels.filter(([row]) => row < to);
    return seen.map(([row, who, level], i) => {
      const start = this.x(Math.max(row, from)), y = this.y(level), d = `M${start.toFixed(1)} ${y.toFixed(1)}H${end.toFixed(1)}`;
      this.curves.push([[start, y], [end, y]]);
      const title = svg("title", {}, [`level before: ${level.toFixed(2)}, the median of the last points before the drift, ten at most`]);
      return svg("path", { d, class: "sl-level", fill: "none", stroke: colour(this.lineOf(who)), "stroke-width": 2, "stroke-dasharray": "2 7", "stroke-dashoffset": 4.5 * i }, [title]);
    });
  }

  /** What was lost since a drift: the area between the level before and the curve. */
  losses() {
    const { losses = [], changes = [], colour, theme, range: [worst, best] } = this.drawn;
    this.areas = losses.map(([row, who, level, text]) => {
      const i = this.lineOf(who), to = changes.find((at) => at > row) ?? Infinity;
      const points = i < 0 ? [] : lossOf(this.traces[i], { from: row, to, level, sign: Math.sign(best - worst) || 1 });
      return { i, row, text, level: this.y(level), shape: points.map(([at, value]) => [this.x(at), this.y(value)]) };
    }).filter(({ shape }) => shape.length > 1);
    // the smaller one covers the larger: what two lost is seen in one of their colours, not in a mixture
    this.areas.sort((a, b) => sizeOf(b.shape, b.level) - sizeOf(a.shape, a.level));
    return this.areas.map(({ i, text, level, shape }) => {
      const ends = [shape.at(-1)[0], shape[0][0]];
      const d = `M${[...shape, ...ends.map((x) => [x, level])].map((point) => point.map((each) => each.toFixed(1)).join(" ")).join("L")}Z`;
      const node = svg("path", { d, class: "sl-loss", fill: tint(theme, colour(i), LOSS) }, [svg("title", {}, [text])]);
      this.nodes[i].push(node);
      return node;
    });
  }

  /** What the dotted line of the highest level is, where something was lost. */
  writeLevel() {
    const { changes = [], frame: { size } } = this.drawn, [top] = [...this.areas].sort((a, b) => a.level - b.level), number = changes.indexOf(top?.row) + 1;
    if (!number || size === "narrow") return [];
    const text = `level before ${numbered(number)}`, wide = this.texts.width(text, LEVEL_FONT), begin = this.x(top.row) + LEVEL_ASIDE;
    const steps = Math.max(0, Math.floor((this.x(this.position) - begin - wide) / LEVEL_STEP)), y = top.level - LEVEL_ABOVE;
    const place = Array.from({ length: steps + 1 }, (_, k) => ({ x: begin + k * LEVEL_STEP, y, wide })).find((each) => this.hasRoom(each));
    if (!place) return [];
    this.written.push(place);
    return [svg("text", { x: place.x, y, class: "sl-before" }, [text])];
  }

  /** How much was lost, in its area, where there is room when marks have their words. */
  writeLosses() {
    let all = true;
    this.lost.replaceChildren(...this.writeLevel(), ...this.areas.flatMap(({ i, text, level, shape }, k) => {
      const rooms = roomsIn(shape, level, this.texts.width(text, NAME_FONT)).filter((room) => this.hasRoom(room));
      const isCovered = ({ x, y, wide }) => this.areas.slice(k + 1).some((other) => [x, x + wide].some((at) => isBetween(y - 5, other.level, valueAt(other.shape, at))));
      const place = all && rooms.find((room) => !isCovered(room));
      // a smaller loss is not told where a larger one cannot be
      if (!(all = place)) return [];
      this.written.push(place);
      this.nodes[i].push(svg("text", { x: place.x, y: place.y, class: "sl-lost", style: `fill:${this.drawn.ink(i)}` }, [text]));
      return this.nodes[i].slice(-1);
    }));
  }

  /** Whether words {x, y, wide} cross neither a curve nor other words nor a name behind the curves nor a change nor the playhead. */
  hasRoom({ x, y, wide }) {
    const { frame: { left, right, width, height, bottom = BOTTOM }, changes = [] } = this.drawn;
    const isWithin = x >= left && x + wide <= width - right && y >= 38 && y <= height - bottom - 4;
    const isClear = [this.position, ...changes].map((at) => this.x(at)).every((at) => at < x - 4 || at > x + wide + 4);
    const names = (this.namesAt ?? []).map((box) => ({ ...box, x: box.x + (this.ahead ?? 0) }));
    return isWithin && isClear && [...this.written, ...names].every((box) => box.x > x + wide + 4 || box.x + box.wide < x - 4 || Math.abs(box.y - y) > 16) && isFree(this.curves, { x, y, wide });
  }

  /** A level line over the rows of a line's last two points, as high as both together. */
  wholeEnd({ positions, wholeEnd }, stroke) {
    if (wholeEnd == null) return svg("path");
    const [from, to] = [positions.at(-3) ?? 0, positions.at(-1)];
    const title = svg("title", {}, [`rows ${formatCount(from + 1)} to ${formatCount(to)}: ${wholeEnd.toFixed(2)}`]);
    return svg("path", { d: `M${this.x(from).toFixed(1)} ${this.y(wholeEnd).toFixed(1)}H${this.x(to).toFixed(1)}`, class: "sl-whole-end", stroke, "stroke-width": 3, opacity: 0.6 }, [title]);
  }

  grid(low, high) {
    const { frame: { left, right, width, height, size } } = this.drawn;
    const ticks = ticksOf(low, high, Math.max(2, Math.min(MOST_TICKS, Math.floor(height / LEAST_APART))));
    const digits = digitsOf(ticks);
    return ticks.flatMap((value) => [
      svg("line", { x1: left, x2: width - (size === "narrow" ? 0 : right), y1: this.y(value), y2: this.y(value), class: "sl-grid" }),
      svg("text", { x: left - 8, y: this.y(value) + 4, "text-anchor": "end", class: "sl-tick" }, [shortly(value, digits)]),
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
    return pathOf(pointsOf(line, this.places(line).filter((k) => k >= first && k <= last), this.drawn.changes), this.x, this.y);
  }

  /** The outline of a line's band. */
  area({ positions, band: [low, high] }) {
    const known = this.places({ positions, values: low }).filter((k) => Number.isFinite(low[k]) && Number.isFinite(high[k]));
    if (!known.length) return "";
    const point = (values) => (k) => `${this.x(positions[k]).toFixed(1)} ${this.y(values[k]).toFixed(1)}`;
    return `M${[...known.map(point(high)), ...known.reverse().map(point(low))].join("L")}Z`;
  }

  /**
   * The learners' names where their curves end, pushed apart; on a narrow page above the ends, within the picture. With values they stand
   * behind all that is drawn, joined to where the curves are at the playhead.
   * @param {number[]} places of the last point up to the playhead, by line
   */
  writeNames(places) {
    const { frame: { left, right, width, height }, lines, axis: [from, to], ink, colour, withValues, write = shortly } = this.drawn;
    const behind = Math.max(left, ...lines.map(({ positions }) => this.x(Math.min(to, positions[positions.length - 1] ?? from))));
    // on a narrow page, too, where nothing is drawn yet behind the curves
    const isBeside = right > LEAST_BESIDE || (withValues && width - behind > LEAST_BESIDE);
    this.behind = isBeside ? Math.min(behind, width - right) : Infinity;
    const ends = lines.map(({ positions, values, wholeEnd }, i) => {
      let k = withValues ? places[i] : values.length - 1;
      while (k >= 0 && !Number.isFinite(values[k])) k--;
      if (k < 0 || positions[k] < from) return null;
      const value = this.isShort(i, k) ? wholeEnd : values[k];
      return { x: clamp(this.x(positions[k]), left, width - right), y: this.y(value), value };
    });
    const known = ends.map((_, i) => i).filter((i) => ends[i] !== null);
    const { apart, column, columns } = arranged(known.map((i) => ends[i].y - (isBeside ? 0 : 9)), height);
    const leaders = [];
    this.namesAt = [];
    known.forEach((i, k) => {
      const { name, isHeaded, who, words: does } = lines[i];
      const at = withValues ? (isBeside ? Math.min(behind, width - right) : ends[i].x) : width - right;
      const value = withValues && !isHeaded ? ` ${write(ends[i].value)}` : "";
      const more = value && does && isBeside && at + 14 + this.texts.width(`${name}${value}, ${does}`, NAME_FONT) < width ? `, ${does}` : "";
      const wide = Math.max(right, width - at) / columns;
      // behind the curves nothing is drawn yet: a name need not end where the picture does
      const room = isBeside ? (columns > 1 ? wide : Math.min(wide, Math.max(right, LONGEST_NAME))) - 12 - this.texts.width(value + more, NAME_FONT) : width / 2;
      // "SMART without fading" beside "SMART" is "without fading", as in the sentence, where the whole name has no room
      const origin = lines.find((line) => name.startsWith(`${line.name} `))?.name ?? "";
      const isWhole = !origin || this.texts.width(name, NAME_FONT) <= room;
      const words = this.texts.fit(isWhole ? name : name.slice(origin.length + 1), NAME_FONT, room, 1);
      const [x, anchor] = isBeside ? [at + 12 + column[k] * wide, "start"] : [Math.max(at - 4, left + this.texts.width(`${words}${value}`, NAME_FONT) + 2), "end"];
      const y = clamp(apart[k], 0, height) + 5;
      const node = this.nameOf(i, { x, y, "text-anchor": anchor }, [words, value, more, name]);
      node.style.fill = ink(i);
      node.slWho = who ?? null;
      const whole = this.texts.width(`${words}${value}${more}`, NAME_FONT);
      this.namesAt.push({ x: anchor === "end" ? x - whole : x, y, wide: whole });
      if (withValues && isBeside && at - ends[i].x > LEAST_LEADER) {
        const d = `M${ends[i].x + 6} ${ends[i].y}L${at} ${ends[i].y}L${at + 10} ${y - 5}`;
        const leader = svg("path", { d, stroke: colour(i), class: "sl-leader", style: `opacity:${this.strength(who)}` });
        leader.slWho = who;
        leaders.push(leader);
      }
    });
    this.named.forEach((node, i) => { if (node && !known.includes(i)) node.remove(); });
    this.leaders.replaceChildren(...leaders);
  }

  /** Whether a point is one of few rows, from which nothing is concluded. */
  isShort(i, k) {
    const { wholeEnd, values } = this.drawn.lines[i];
    return wholeEnd != null && k === values.length - 1;
  }

  /** The node of a line's name, with these attributes, its words, its value, what it does and, as a title, the whole name. */
  nameOf(i, attributes, texts) {
    this.named[i] ??= svg("text", { class: "sl-name", ...(this.isPicked ? { tabindex: 0, role: "button" } : {}) }, [svg("tspan"), svg("tspan", { class: "sl-value" }), svg("tspan", { class: "sl-does" }), svg("title")]);
    const node = this.named[i];
    setAttributes(node, attributes);
    texts.forEach((text, part) => setText(node.children[part], text));
    if (!node.isConnected) this.names.append(node);
    return node;
  }

  /** The playhead is at a position: what is drawn strong ends at the last point up to it. */
  move(position) {
    this.position = position;
    if (!this.drawn) return;
    const { lines, frame: { left, right, width }, axis } = this.drawn;
    const places = lines.map(({ positions }) => lastUpTo(positions, position));
    const key = places.join(), isOther = key !== this.shown;
    if (this.shown === undefined || (isOther && this.drawn.withValues)) this.writeNames(places);
    // the playhead is ahead of the last point by up to a chunk: names stand behind it, not under it
    const ahead = Math.max(0, clamp(this.x(position), left, width - right) - this.behind);
    this.ahead = Number.isFinite(ahead) ? ahead : 0;
    this.names.setAttribute("transform", `translate(${this.ahead.toFixed(1)} 0)`);
    if (!isOther) return;
    this.shown = key;
    const last = Math.max(0, ...places.map((place, i) => (place < 0 ? 0 : lines[i].positions[place])));
    this.passed.setAttribute("width", last > axis[0] ? Math.max(0, this.x(last) + 1.5 - left) : 0);
    places.forEach((place, i) => {
      const value = place < 0 ? NaN : lines[i].values[place];
      const isSeen = Number.isFinite(value) && lines[i].positions[place] >= axis[0] && lines[i].positions[place] <= axis[1];
      this.dots[i].setAttribute("visibility", isSeen ? "visible" : "hidden");
      this.dots[i].classList.toggle("sl-short", this.isShort(i, place));
      this.together[i].setAttribute("visibility", isSeen && this.isShort(i, place) ? "visible" : "hidden");
      if (!isSeen) return;
      setAttributes(this.dots[i], { cx: this.x(lines[i].positions[place]), cy: this.y(value) });
    });
  }
}
