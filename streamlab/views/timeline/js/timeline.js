/*
 * The timeline of a run: curves, lanes of what happened, and under them the whole run with the playhead, all over one axis of rows.
 *
 * It keeps what it was sent (points, events) and draws the rows that are seen. The playhead goes back in time: while it is dragged the
 * page shows what was drawn there, and when it rests the run itself stands there.
 */
import { button, chooser, clamp, element, isChord, offer, onDrag, setText, zoomOf } from "../../kit/js/dom.js";
import { Throttled } from "../../kit/js/drawloop.js";
import { formatCount, withMinus } from "../../kit/js/format.js";
import { themeOf } from "../../kit/js/palette.js";
import { renderPart } from "../../kit/js/panel.js";
import { isFilling, isProjected } from "../../kit/js/room.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { BOLD_FONT, SMALL_FONT, onFonts } from "../../kit/js/text.js";
import { Tooltip } from "../../kit/js/tooltip.js";
import { ownFrom, placeOf, rowAt, rowTicks, startOf } from "./points.js";
import { Chart, LEAST_BESIDE } from "./chart.js";
import { asLine, asText } from "./colours.js";
import { EVENTS_CSS, EventList } from "./events.js";
import { Lanes } from "./lanes.js";
import { Overview } from "./overview.js";
import { ROW_MENU_CSS, RowMenu } from "./row_menu.js";
import { Seen } from "./seen.js";
import { LIVE_CSS, OVERVIEW_CSS, TIMELINE_CSS, WHOLE_CSS } from "./style.js";

const NARROW = 640;
/** Height of the first picture of curves and of the further ones, px. */
const HEIGHTS = { wide: [230, 150], narrow: [180, 130] };
/** px of the axis's words on the left, and of the names on the right. */
const SIDES = { wide: [46, 190], narrow: [34, 12] };
/** Beside a picture before a class, names take this part of the width at most, and more where no curve is yet. */
const MOST_OF_NAMES = 0.3;
/** px from the playhead at which a click is meant for its row. */
const ON_LINE = 5;
/** A step of the wheel, of a key, and what part of the window an arrow moves by. */
const WHEEL = 0.0016, KEY_ZOOM = 1.5, KEY_PAN = 0.1;
/** On a phone the rows so far take so much of the strip, where far more are to come. */
const SO_FAR = 0.8;
/** Curves and lanes are drawn at most this often while the run plays: what is read need not flicker. */
const DRAW_EVERY_MS = 75, LANES_EVERY_MS = 250, SMALL_EVERY_MS = 400;
const HOW = "The upright line is the row that is shown: drag it to go back. Click on the curves, or press Enter on them, to fork or to let a "
  + "drift begin at a row. A thin line is a curve before the last change, or an earlier run. A fork's curve is finely dashed while part of what "
  + "it counts is from before the fork. A dotted line is the level before a drift, the median of the last points before it, ten at most (between "
  + "two drifts of the last third). A hollow point is of few rows: the short line beside it counts them with the point before. Point at a name to see its curve alone, at a mark "
  + "to read about it; a click on a mark goes there.";
const NO_HAPPENED = { drifts: [], kinds: [], events: [], left: 0 };

class Timeline {
  /** @param {{dark: boolean, onCommand: (name: string, value: any) => void}} options */
  constructor({ dark, onCommand }) {
    Object.assign(this, { dark, onCommand, seen: new Seen(), positions: [], values: [], happened: NO_HAPPENED, choice: -1, charts: [] });
    [this.measure, this.over] = ["Measure", "Over which rows"].map((label) => (
      chooser(label, [], () => onCommand("curves", [this.measure.value, this.over.value]))));
    this.words = element("span", { class: "sl-muted sl-formula" });
    this.note = element("span", { class: "sl-muted sl-seen-note" });
    this.whole = button("See all rows", () => this.look(() => (this.seen.follows ? this.seen.all() : this.seen.release())), { class: "sl-small-button" });
    this.help = button("?", () => this.explain(this.help.getAttribute("aria-expanded") === "false"), {
      class: "sl-small-button sl-help", "aria-expanded": "false", title: "What the timeline shows, and all reports",
      "aria-label": "What the timeline shows, and all reports",
    });
    this.fork = button("Fork here", () => this.act("fork", this.position), { class: "sl-fork-here", hidden: true });
    this.line = element("div", { class: "sl-playhead", "aria-hidden": "true" });
    this.cross = element("div", { class: "sl-cross", "aria-hidden": "true", hidden: true });
    this.axis = element("div", { class: "sl-axis-rows", "aria-hidden": "true" });
    this.curves = element("div", {
      class: "sl-figures", "data-part": "curve", role: "group", tabindex: "0",
      "aria-label": "Curves: plus and minus zoom, the arrows move, 0 follows the run again, Enter says what can be done at the playhead",
    });
    this.plot = element("div", { class: "sl-plot" });
    this.tooltip = new Tooltip(this.plot);
    this.menu = new RowMenu({ host: this.plot, onAct: (command, row) => this.act(command, row) });
    this.overview = new Overview({
      onDrag: (at) => onCommand("drag", at),
      onSeek: (at) => onCommand("seek", at),
      onWindow: (from, to) => this.look(() => this.seen.show(from, to)),
    });
    this.overview.onPlace = (position) => this.stand(position);
    this.list = new EventList({ onGo: (at) => onCommand("seek", at) });
    this.foot = element("div", { class: "sl-foot" });
    this.key = element("div");
    this.box = element("section", { class: "sl-view sl-timeline sl-unmeasured", "aria-label": "Timeline" }, [
      element("div", { class: "sl-bar-row" }, [this.measure, this.over, this.words, this.note, this.whole, this.help]), this.plot, this.key, this.overview.node, this.foot,
    ]);
    this.drawing = new Throttled(() => this.draw(), DRAW_EVERY_MS);
    this.marking = new Throttled(() => this.drawLanes(), LANES_EVERY_MS);
    this.small = new Throttled(() => this.drawOverview(), SMALL_EVERY_MS);
    this.listen();
    const again = () => {
      this.widths = this.frame = null;
      this.layOut();
    };
    this.observer = new ResizeObserver(again);
    this.gone = new AbortController();
    onFonts(again, this.gone.signal);
    // the curves' height follows the window's
    for (const each of [this.plot, document.documentElement]) this.observer.observe(each);
  }

  // ------------------------------------------------------------------ what comes

  update(frame) {
    if (frame.head) this.begin(frame);
    if (frame.choice !== this.choice) return;
    const before = `${this.positions.length} ${this.run?.figures} ${this.run?.whole}`;
    this.append(frame);
    if (frame.happened) this.hear(frame.happened);
    this.run = frame.run;
    this.seen.follow(this.run);
    // figures stand on the page with those of the cards and the sentence, which came in the same message
    this.layOut(before !== `${this.positions.length} ${this.run.figures} ${this.run.whole}`);
  }

  /** Other curves are drawn from now on. */
  begin({ choice, head, run }) {
    const before = this.head;
    Object.assign(this, { choice, head, positions: [], values: head.columns.map(() => []) });
    if (JSON.stringify(before?.learners) !== JSON.stringify(head.learners)) {
      this.lanes = new Lanes({
        learners: head.learners, tooltip: this.tooltip,
        onGo: (at, marks) => {
          this.onCommand("seek", at);
          this.onCommand("mark", marks);
        },
        onPoint: (who) => this.point(who),
      });
      this.lanes.set(this.happened);
      this.list.begin(head.learners);
    }
    this.charts = head.measures.map(() => new Chart());
    for (const chart of this.charts) chart.listen((who) => this.point(who ?? this.lanes.pinned), (who) => this.lanes.pin(who));
    this.point(this.lanes.pinned);
    const headings = head.measures.map(({ title }, i) => element("div", { class: "sl-muted sl-chart-title", text: title, hidden: i === 0 }));
    this.curves.replaceChildren(...this.charts.flatMap(({ node }, i) => [headings[i], node]));
    this.plot.replaceChildren(
      this.lanes.bands, this.lanes.changes, this.curves, this.lanes.node, this.cross, this.line, this.fork, this.axis,
      this.tooltip.node, this.menu.node,
    );
    this.key.replaceChildren(this.lanes.key);
    this.foot.replaceChildren(element("p", { class: "sl-muted", text: HOW }), this.list.node);
    offer(this.measure, head.offered, head.measures[0].name);
    offer(this.over, head.overs, head.over);
    const { words, better } = head.measures[0];
    this.measure.title = `${words}. ${better ? "Higher" : "Lower"} is better.`;
    setText(this.words, this.measure.title);
    this.axis.dataset.what = `${head.measures[0].title} · ${head.over === "chunk" ? `of each ${run.chunk} rows` : this.over.selectedOptions[0]?.textContent ?? ""}`;
    this.frame = null;
  }

  append(frame) {
    const { start, position = [] } = frame;
    this.positions.length = Math.min(this.positions.length, start);
    this.positions.push(...position);
    this.head.columns.forEach((column, i) => {
      this.values[i].length = Math.min(this.values[i].length, start);
      this.values[i].push(...(frame[column] ?? []));
    });
  }

  hear({ start, events, ...rest }) {
    this.happened = { ...rest, events: [...this.happened.events.slice(0, start), ...events] };
    this.lanes.set(this.happened);
    this.list.set(this.happened);
  }

  // ------------------------------------------------------------------ what is drawn

  get theme() {
    return themeOf(this.dark);
  }

  /** The lines of a measure: those of former and earlier runs, which lie under the others, and one for each learner. */
  lines(measure) {
    const { learners, parts, under, over } = this.head;
    const { positions } = this, forks = this.lanes.forks;
    const own = learners.map((line, i) => ({ ...line, who: i, positions, band: [], ownFrom: ownFrom(positions, forks.get(i), over) }));
    parts.forEach(([of, line, part], column) => {
      if (of !== measure) return;
      // what a fork shares with its origin is drawn once
      const start = forks.has(line) ? startOf(positions, forks.get(line)) : 0;
      const values = start ? this.values[column].map((value, k) => (k < start ? NaN : value)) : this.values[column];
      if (part === 0) own[line].values = values;
      else own[line].band.push(values);
    });
    const before = under[measure].map((line, i) => ({
      ...line, who: line.of < 0 ? `under ${i}` : line.of, values: line.values.map((value) => value ?? NaN), isThin: true,
    }));
    return [...before, ...own.map((line) => (line.band.length ? line : { ...line, band: null }))];
  }

  /** Shows one learner's curves alone; null: all. */
  point(who) {
    for (const chart of this.charts) chart.dim(who);
  }

  layOut(isDue = false) {
    if (!this.run) return;
    // kept until they change: to ask for them at each frame has the browser lay out the page each time
    this.widths ??= { plot: Math.floor(this.plot.clientWidth), overview: Math.max(1, this.overview.node.clientWidth) };
    const width = this.widths.plot;
    if (!width) {
      this.widths = null;
      return;
    }
    if (this.frame?.width !== width) {
      this.isProjected = isProjected(this.box);
      const size = width < NARROW && !this.isProjected ? "narrow" : "wide";
      const [left, most] = SIDES[size], right = this.isProjected ? this.roomOfNames(most, width) : most;
      this.frame = { width, left, right, size };
      this.box.style.setProperty("--left", `${left}px`);
      this.box.style.setProperty("--right", `${right}px`);
      this.box.classList.toggle("sl-narrow", size === "narrow");
      this.box.classList.remove("sl-unmeasured");
      this.fills = isFilling(this.box);
      this.box.classList.toggle("sl-whole", this.fills);
      this.box.classList.toggle("sl-projected", this.isProjected);
      this.drawnAxis = null;
      this.overview.dock(size === "narrow" && !this.fills ? window.__streamlab_transport?.strip : null, this.foot);
      // its sides have changed
      this.widths.overview = Math.max(1, this.overview.node.clientWidth);
    }
    // before anything is drawn: the words of marks keep out of the playhead's way, and a dragged one stays where it is
    if (!this.overview.dragged) this.position = this.run.position;
    if (isDue) this.drawing.fire();
    else this.drawing.request();
    this.small.request();
    this.overview.stand(this.run);
  }

  /** px of the longest name with its value, at most so many, and a part of a narrow curve; on the whole width what is drawn is named below them. */
  roomOfNames(most, width) {
    const { texts } = this.charts[0];
    const names = 24 + Math.max(LEAST_BESIDE, ...this.head.learners.map(({ name }) => texts.width(`${name} .00`, BOLD_FONT)));
    const isWide = getComputedStyle(this.box).getPropertyValue("--sl-wide").trim() === "1";
    return Math.max(Math.min(most, names, isWide ? most : MOST_OF_NAMES * width), isWide ? 20 + texts.width(this.axis.dataset.what, SMALL_FONT) : 0);
  }

  draw() {
    if (!this.frame) return;
    const { learners, measures } = this.head;
    const axis = this.seen.axis;
    const styles = (lines) => ({ colour: (i) => asLine(this.theme, lines[i].colour), ink: (i) => asText(this.theme, lines[i].colour) });
    this.drawn = { axis, frame: this.frame, position: this.position ?? this.run.position, ...styles(learners) };
    this.charts.forEach((chart, i) => {
      const frame = { ...this.frame, height: this.fills ? chart.node.clientHeight : HEIGHTS[this.frame.size][Math.min(i, 1)] };
      const { title, range } = measures[i];
      const lines = this.lines(i).map((line) => ({ ...line, wholeEnd: line.isThin ? null : this.run.whole?.[i][line.who] ?? null }));
      chart.draw({ axis, frame, range, lines, theme: this.theme, levels: i ? [] : this.run.levels ?? [], ...styles(lines), withValues: true, isNamedBelow: !this.isProjected, label: `Curves of ${title} of ${learners.map(({ name }) => name).join(", ")}` });
    });
    const isOther = axis.join() !== this.drawnAxis;
    this.drawnAxis = axis.join();
    if (isOther) {
      this.axis.replaceChildren(...rowTicks(this.frame, axis));
      this.drawLanes();
    } else this.marking.request();
    this.writeNote(axis);
    this.stand(this.position ?? this.run.position);
  }

  drawLanes() {
    if (this.drawn) this.lanes.layOut(this.drawn);
  }

  drawOverview() {
    if (!this.frame) return;
    const width = this.widths?.overview ?? Math.max(1, this.overview.node.clientWidth);
    const lines = this.lines(0).filter(({ isThin }) => !isThin), { range } = this.head.measures[0];
    const { rows, end } = this.run, isCut = this.overview.isDocked && !(rows && rows <= this.seen.axis[1]);
    const total = isCut ? Math.max(end, 1) / SO_FAR : this.seen.total, ahead = isCut ? (rows ? `${formatCount(rows - end)} more` : "endless") : "";
    const styles = { colour: (i) => asLine(this.theme, lines[i].colour), ink: (i) => asText(this.theme, lines[i].colour) };
    this.overview.draw({ width, total, end, ahead, lines, range, ...styles, drifts: this.happened.drifts.filter(({ at }) => at <= total) });
    this.overview.frame(this.seen.axis);
    this.overview.stand(this.run);
  }

  writeNote([from, to]) {
    const isWhole = to - from >= this.seen.total - 0.5;
    const { end } = this.run;
    const rows = `${formatCount(Math.max(0, from))} to ${formatCount(to)}`;
    setText(this.note, this.seen.follows ? (isWhole || from === 0 && end <= to ? "" : `Follows the run: rows ${rows}`) : `Rows ${rows}`);
    setText(this.whole, this.seen.follows ? "See all rows" : "Follow the run");
    this.whole.hidden = this.seen.follows && isWhole;
  }

  /** The playhead stands somewhere, while it is dragged too. */
  stand(position) {
    this.position = position;
    if (!this.drawn) return;
    const { frame: { width, right }, axis: [from, to] } = this.drawn, x = placeOf(this.drawn, position);
    this.line.hidden = position < from || position > to;
    this.line.style.transform = `translateX(${x.toFixed(1)}px)`;
    const isBack = position < this.run.end && Boolean(this.run.fork);
    this.fork.hidden = this.line.hidden || !isBack;
    if (isBack) {
      this.fork.title = `Fork at row ${formatCount(position)}: ${this.run.fork}`;
      this.fork.style.transform = `translateX(${Math.min(x + 6, width - right - 76).toFixed(1)}px)`;
    }
    // the run's own figures change with those of the page; a playhead that is dragged shows those where it is
    for (const chart of this.charts) chart.move(position === this.run.position ? this.run.figures : position);
  }

  // ------------------------------------------------------------------ what people do

  /** Does something at a row: where the run has gone further, it goes back first. */
  act(command, row) {
    const { position, chunk } = this.run;
    // a drift begins amid a chunk if it is put in before the chunk is answered
    const from = command === "drift" ? row - (row % chunk) : row;
    if (command !== "drift" || from < position) this.onCommand("seek", from);
    if (command !== "seek") this.onCommand(command, row);
  }

  /** Opens the menu of a row. */
  ask(row, from = null) {
    const at = clamp(Math.round(row), 0, this.run.rows ?? Infinity);
    this.hush();
    this.menu.open({ row: at, x: placeOf(this.drawn, at), run: this.run, from });
  }

  /** Shows what the timeline shows in words, where there is no room for it under the curves. */
  explain(isOpen) {
    this.help.setAttribute("aria-expanded", String(isOpen));
    this.box.classList.toggle("sl-explained", isOpen);
  }

  /** Shows other rows. */
  look(change) {
    change();
    this.drawing.request();
    this.drawOverview();
  }

  rowAt(clientX) {
    return rowAt(this.drawn, (clientX - this.plot.getBoundingClientRect().left) / zoomOf(this.plot));
  }

  listen() {
    const { curves, line } = this;
    let begin = null, hasMoved = false;
    const hold = (event) => {
      hasMoved = false;
      return { from: event.clientX };
    };
    onDrag(line, hold, (event, { from }) => {
      hasMoved ||= Math.abs(event.clientX - from) > 3;
      if (hasMoved) this.overview.moveTo(this.rowAt(event.clientX), false);
    }, (event) => { if (hasMoved) this.overview.moveTo(this.rowAt(event.clientX), true); });
    curves.addEventListener("pointerdown", (event) => {
      hasMoved = false;
      if (event.button !== 0 || event.pointerType === "touch" || !this.drawn || event.target.closest(".sl-name")) return;
      begin = { at: this.rowAt(event.clientX), x: event.clientX };
      curves.setPointerCapture(event.pointerId);
    });
    curves.addEventListener("pointermove", (event) => {
      if (begin && curves.hasPointerCapture(event.pointerId)) {
        hasMoved ||= Math.abs(event.clientX - begin.x) > 3;
        if (hasMoved) this.look(() => this.seen.pan(begin.at - this.rowAt(event.clientX)));
      } else if (event.target.closest(".sl-name")) this.hush();
      else this.tell(event.clientX);
    });
    for (const type of ["pointerup", "pointercancel"]) curves.addEventListener(type, () => { begin = null; });
    curves.addEventListener("pointerleave", () => this.hush());
    const ask = (event) => {
      if (!this.drawn || event.target.closest("button, .sl-name") || hasMoved) return;
      event.preventDefault();
      // the playhead is easier to hit than its row
      const { left, width } = line.getBoundingClientRect(), isOn = Math.abs(event.clientX - left - width / 2) < ON_LINE;
      this.ask(event.currentTarget === line && isOn ? this.position : this.rowAt(event.clientX), curves);
    };
    for (const node of [curves, line]) for (const type of ["click", "contextmenu"]) node.addEventListener(type, ask);
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.explain(false);
    });
    curves.addEventListener("dblclick", () => this.look(() => this.seen.release()));
    // the page scrolls on over the curves, unless somebody has turned to them
    curves.addEventListener("wheel", (event) => {
      const isMeant = event.ctrlKey || event.shiftKey || curves.getRootNode().activeElement === curves;
      if (!isMeant || !this.drawn) return;
      event.preventDefault();
      const across = event.deltaX || (event.shiftKey && !event.ctrlKey ? event.deltaY : 0);
      const [from, to] = this.seen.axis;
      if (across) this.look(() => this.seen.pan((across * (to - from)) / this.frame.width));
      else this.look(() => this.seen.zoom(Math.exp(-event.deltaY * WHEEL), this.rowAt(event.clientX)));
    }, { passive: false });
    curves.addEventListener("keydown", (event) => {
      if (isChord(event) || !this.drawn) return;
      const [from, to] = this.seen.axis;
      const middle = this.position >= from && this.position <= to ? this.position : (from + to) / 2;
      const acts = {
        "+": () => this.seen.zoom(KEY_ZOOM, middle), "=": () => this.seen.zoom(KEY_ZOOM, middle), "-": () => this.seen.zoom(1 / KEY_ZOOM, middle),
        ArrowLeft: () => this.seen.pan(-KEY_PAN * (to - from)), ArrowRight: () => this.seen.pan(KEY_PAN * (to - from)),
        0: () => this.seen.release(), Home: () => this.seen.all(),
      };
      if (event.key === "Enter") {
        this.ask(middle, curves);
        event.preventDefault();
      }
      if (!acts[event.key]) return;
      this.look(acts[event.key]);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Writes the numbers of the row under the pointer. */
  tell(clientX) {
    if (!this.drawn || !this.positions.length) return;
    const [from, to] = this.drawn.axis, row = this.rowAt(clientX);
    const before = Math.max(0, lastUpTo(this.positions, row)), after = Math.min(before + 1, this.positions.length - 1);
    const k = Math.abs(this.positions[after] - row) < Math.abs(this.positions[before] - row) ? after : before;
    const at = this.positions[k];
    if (row < from || row > to || at < from || at > to) {
      this.hush();
      return;
    }
    const x = placeOf(this.drawn, at);
    this.cross.hidden = false;
    this.cross.style.transform = `translateX(${x.toFixed(1)}px)`;
    const lines = this.head.measures.flatMap(({ title }, i) => [
      ...(this.head.measures.length > 1 ? [title] : []),
      ...this.lines(i).map((line) => [line.name, line.values[line.isThin ? lastUpTo(line.positions, at) : k]])
        .filter(([, value]) => Number.isFinite(value)).map(([name, value]) => `${name}: ${withMinus(value.toFixed(3))}`),
    ]);
    const top = this.curves.offsetTop;
    this.tooltip.show({ box: { x: x - 4, y: top + 8, width: 8, height: 40 }, title: this.pointTitle(k), lines, place: "beside" });
  }

  /** Which rows a point is of. */
  pointTitle(k) {
    const at = this.positions[k], title = `Row ${formatCount(at)}`;
    if (this.head.over !== "chunk") return title;
    const n = at - (this.positions[k - 1] ?? 0);
    const isShort = this.run.whole && k === this.positions.length - 1;
    return `${title}: of ${formatCount(n)} rows${isShort ? " only, too few to conclude from" : ""}`;
  }

  hush() {
    this.cross.hidden = true;
    this.tooltip.hide();
  }

  setDark(dark) {
    this.dark = dark;
    this.drawnAxis = null;
    this.drawing.request();
  }

  /** What is drawn, for tests and for whoever looks into the page. */
  stats() {
    const { head, happened, positions, values } = this;
    return {
      position: positions, measures: head?.measures.map(({ title }) => title) ?? [], over: head?.over,
      columns: Object.fromEntries((head?.columns ?? []).map((column, i) => [column, values[i]])), axis: this.seen.axis, playhead: this.drawn?.position, ...happened,
      learners: head?.learners.map(({ name }) => name) ?? [],
    };
  }

  destroy() {
    this.observer.disconnect();
    this.gone.abort();
    this.menu.close();
    this.overview.destroy();
    for (const each of [this.drawing, this.marking, this.small, this.list]) each.stop();
  }
}

export const render = renderPart(({ model, send }) => {
  const timeline = new Timeline({ dark: model.dark, onCommand: (name, value) => send({ kind: "command", name, value }) });
  window.__streamlab_timeline = timeline;
  return {
    box: timeline.box, css: `${TIMELINE_CSS}${LIVE_CSS}${OVERVIEW_CSS}${WHOLE_CSS}${EVENTS_CSS}${ROW_MENU_CSS}`,
    update: (frame) => timeline.update(frame), setDark: (dark) => timeline.setDark(dark), destroy: () => timeline.destroy(),
  };
});
