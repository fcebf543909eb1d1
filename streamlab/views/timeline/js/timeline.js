/*
 * The timeline of a run: its curves with what happened on them, over one axis of rows.
 *
 * It keeps what it was sent (points, events) and draws the rows that are seen. The playhead goes back in time: while it is dragged the
 * page shows what was drawn there, and when it rests the run itself stands there.
 */
import { button, clamp, element, isChord, offer, chooser, onDrag, zoomOf } from "../../kit/js/dom.js";
import { Throttled } from "../../kit/js/drawloop.js";
import { formatCount, withMinus } from "../../kit/js/format.js";
import { themeOf } from "../../kit/js/palette.js";
import { renderPart } from "../../kit/js/panel.js";
import { isProjected } from "../../kit/js/room.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { onFonts } from "../../kit/js/text.js";
import { Tooltip } from "../../kit/js/tooltip.js";
import { ownFrom, placeOf, rowAt, rowTicks, startOf } from "./points.js";
import { Chart, NAME_FONT } from "./chart.js";
import { asLine, asText } from "./colours.js";
import { EVENTS_CSS, EventList } from "./events.js";
import { MARGINS, Marks } from "./marks.js";
import { Overview } from "./overview.js";
import { ROW_MENU_CSS, RowMenu } from "./row_menu.js";
import { Seen } from "./seen.js";
import { LIVE_CSS, TIMELINE_CSS } from "./style.js";

const NARROW = 640;
/** px of the axis's words on the left, and of the names on the right, at most; there they take this part of the width at most. */
const LEFT = { wide: 34, narrow: 28 }, MOST_RIGHT = 210, MOST_OF_NAMES = 0.3;
/** px from the playhead at which a click is meant for its row. */
const ON_LINE = 5;
/** A step of the wheel, of a key, and what part of the window an arrow moves by. */
const WHEEL = 0.0016, KEY_ZOOM = 1.5, KEY_PAN = 0.1;
/** Curves and marks are drawn at most this often while the run plays: what is read need not flicker. */
const DRAW_EVERY_MS = 75, MARK_EVERY_MS = 250, SMALL_EVERY_MS = 400;
/** While the playhead is dragged, its place is sent so often at most; while the run plays, assistive software is told it so often. */
const DRAG_EVERY_MS = 60, TELL_EVERY_MS = 500;
const NO_HAPPENED = { drifts: [], kinds: [], events: [], left: 0 };

class Timeline {
  /** @param {{dark: boolean, onCommand: (name: string, value: any) => void, onAxis: (axis: number[]) => void}} options */
  constructor({ dark, onCommand, onAxis = () => {} }) {
    Object.assign(this, {
      dark, onCommand, onAxis, seen: new Seen(), positions: [], values: [], happened: NO_HAPPENED, choice: -1, charts: [], dragged: false, toldAt: 0,
    });
    this.measure = chooser("Measure", [], (value) => this.choose(value), { class: "sl-measure" });
    this.line = element("div", { class: "sl-playhead", role: "slider", tabindex: "0", "aria-label": "Position in the stream: go back in time", "aria-valuemin": "0" });
    this.cross = element("div", { class: "sl-cross", "aria-hidden": "true", hidden: true });
    this.axis = element("div", { class: "sl-axis-rows", "aria-hidden": "true" });
    this.fork = button("Fork here", () => this.act("fork", this.position), { class: "sl-fork-here", hidden: true });
    this.add = button("+", () => onCommand("add", null), { class: "sl-add", "aria-label": "Add a learner", title: "Add a learner" });
    this.curves = element("div", {
      class: "sl-figures", "data-part": "curve", role: "group", tabindex: "0",
      "aria-label": "Curves: plus and minus zoom, the arrows move, 0 follows the run again, Enter says what can be done at the playhead",
    });
    this.plot = element("div", { class: "sl-plot" });
    this.tooltip = new Tooltip(this.plot);
    this.menu = new RowMenu({ host: this.plot, onAct: (command, row) => this.act(command, row) });
    this.overview = new Overview((from, to) => this.look(() => this.seen.show(from, to)));
    this.follow = button("Follow the run", () => this.look(() => this.seen.release()), { class: "sl-follow", hidden: true });
    this.list = new EventList({ onGo: (at) => onCommand("seek", at), onClose: () => this.curves.focus({ preventScroll: true }) });
    this.box = element("section", { class: "sl-view sl-timeline sl-unmeasured", "aria-label": "Timeline" }, [
      this.plot, this.overview.node, this.follow, this.list.node,
    ]);
    this.drawing = new Throttled(() => this.draw(), DRAW_EVERY_MS);
    this.marking = new Throttled(() => this.drawMarks(), MARK_EVERY_MS);
    this.beside = 0;
    this.small = new Throttled(() => this.drawOverview(), SMALL_EVERY_MS);
    this.dragging = new Throttled(() => onCommand("drag", this.position), DRAG_EVERY_MS);
    this.listen();
    const again = () => {
      this.frame = null;
      this.layOut();
    };
    this.observer = new ResizeObserver(again);
    this.gone = new AbortController();
    onFonts(again, this.gone.signal);
    this.observer.observe(this.curves);
  }

  // ------------------------------------------------------------------ what comes

  update(frame) {
    if (frame.head) this.begin(frame);
    if (frame.choice !== this.choice) return;
    const before = `${this.positions.length} ${this.run?.figures} ${this.run?.whole} ${this.run?.headed} ${this.run?.losses}`;
    this.append(frame);
    if (frame.happened) this.hear(frame.happened);
    this.run = frame.run;
    this.seen.follow(this.run);
    // figures stand on the page with those of the heads and the sentence, which came in the same message
    this.layOut(before !== `${this.positions.length} ${this.run.figures} ${this.run.whole} ${this.run.headed} ${this.run.losses}`);
  }

  /** Other curves are drawn from now on. */
  begin({ choice, head, run }) {
    const before = this.head;
    Object.assign(this, { choice, head, positions: [], values: head.columns.map(() => []) });
    if (JSON.stringify(before?.learners) !== JSON.stringify(head.learners)) {
      this.marks = new Marks({
        learners: head.learners, tooltip: this.tooltip,
        onGo: (at, marks) => {
          this.onCommand("seek", at);
          this.onCommand("mark", marks);
        },
      });
      this.marks.set(this.happened);
      this.list.begin(head.learners);
    }
    this.charts = head.measures.map(() => new Chart());
    for (const chart of this.charts) chart.listen((who) => this.point(who), (who) => this.onCommand("name", who));
    const headings = head.measures.map(({ title }, i) => element("div", { class: "sl-chart-title", text: title, hidden: i === 0 }));
    this.curves.replaceChildren(...this.charts.flatMap(({ node }, i) => [headings[i], node]));
    this.plot.replaceChildren(
      this.marks.bands, this.curves, this.cross, this.line, this.marks.node, this.measure, this.axis, this.add, this.fork,
      this.tooltip.node, this.menu.node,
    );
    this.offerMeasures(run);
    this.frame = null;
  }

  /** The measures that are offered, and under them over which rows. */
  offerMeasures(run) {
    const { measures: [{ name, words, better }], offered, over, overs } = this.head;
    const [[, whole], ...others] = overs.filter(([value]) => value === over).concat(overs.filter(([value]) => value !== over));
    const said = over === "chunk" ? "" : `, ${whole.toLowerCase()}`;
    offer(this.measure, [
      ...offered.map(([value, title]) => [value, value === name ? `${title}${said}` : title]), ...others.map(([value, title]) => [`over ${value}`, `→ ${title.toLowerCase()}`]),
    ], name);
    this.measure.title = `${words}. ${better ? "Higher" : "Lower"} is better. ${over === "chunk" ? `A point is of ${formatCount(run.chunk)} rows` : whole}.`;
  }

  /** Another measure is asked for, or the same over other rows. */
  choose(value) {
    const { measures: [{ name }], over } = this.head, isOver = value.startsWith("over ");
    this.measure.value = name;
    this.onCommand("curves", isOver ? [name, value.slice(5)] : [value, over]);
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
    this.marks.set(this.happened);
    this.list.set(this.happened);
  }

  // ------------------------------------------------------------------ what is drawn

  get theme() {
    return themeOf(this.dark);
  }

  /** The lines of a measure, one for each learner. */
  lines(measure) {
    const { learners, parts, over } = this.head;
    const { positions } = this, forks = this.marks.forks;
    const own = learners.map((line, i) => ({ ...line, who: i, positions, band: [], isHeaded: measure === 0 && this.run.headed?.includes(i), ownFrom: ownFrom(positions, forks.get(i), over) }));
    parts.forEach(([of, line, part], column) => {
      if (of !== measure) return;
      // what a fork shares with its origin is drawn once
      const start = forks.has(line) ? startOf(positions, forks.get(line)) : 0;
      const values = start ? this.values[column].map((value, k) => (k < start ? NaN : value)) : this.values[column];
      if (part === 0) own[line].values = values;
      else own[line].band.push(values);
    });
    return own.map((line) => (line.band.length ? line : { ...line, band: null }));
  }

  /** Shows one learner's curves alone; null: all. */
  point(who) {
    for (const each of [...this.charts, this.marks]) each.dim(who);
  }

  layOut(isDue = false) {
    if (!this.run) return;
    if (!this.frame) {
      // measured when something is another size: to ask at each frame has the browser lay out the page each time
      const width = Math.floor(this.plot.clientWidth);
      if (!width) return;
      const isBeforeClass = isProjected(this.box), size = width < NARROW && !isBeforeClass ? "narrow" : "wide";
      this.box.classList.toggle("sl-narrow", size === "narrow");
      this.box.classList.toggle("sl-projected", isBeforeClass);
      this.box.classList.remove("sl-unmeasured");
      const left = LEFT[size], right = Math.max(this.roomOfNames(width), size === "wide" && !isBeforeClass ? this.beside : 0);
      this.frame = { width, left, right, size };
      this.box.style.setProperty("--left", `${left}px`);
      this.box.style.setProperty("--right", `${right}px`);
      this.heights = this.charts.map(({ node }) => node.clientHeight);
      this.drawnAxis = null;
    }
    // before anything is drawn: words keep out of the playhead's way, and a dragged one stays where it is
    if (!this.dragged) this.position = this.run.position;
    if (isDue) this.drawing.fire();
    else this.drawing.request();
    this.small.request();
    this.stand(this.position);
  }

  /** What stands above the curves takes so many px at their right: they leave them free, so that both have one axis. */
  leave(beside) {
    if (beside === this.beside) return;
    this.beside = beside;
    this.frame = null;
    this.layOut();
  }

  /** px of the longest name with its value, at most so many, and a part of the curves' width. */
  roomOfNames(width) {
    const { texts } = this.charts[0];
    const names = this.head.learners.map(({ name }, i) => texts.width(this.run.headed?.includes(i) ? name : `${name} .00`, NAME_FONT));
    return Math.ceil(Math.min(MOST_RIGHT, MOST_OF_NAMES * width, 16 + Math.max(64, ...names)));
  }

  draw() {
    if (!this.frame) return;
    const { learners, measures } = this.head;
    const axis = this.seen.axis, changes = this.marks.starts;
    const styles = (lines) => ({ colour: (i) => asLine(this.theme, lines[i].colour), ink: (i) => asText(this.theme, lines[i].colour) });
    this.charts.forEach((chart, i) => {
      const frame = { ...this.frame, height: this.heights[i], ...(i ? {} : MARGINS) }, { title, range, better } = measures[i];
      const lines = this.lines(i).map((line) => ({ ...line, wholeEnd: this.run.whole?.[i][line.who] ?? null }));
      const [low, high] = [...range].sort((a, b) => a - b), { levels = [], losses = [] } = this.run;
      chart.position = this.position;
      chart.draw({
        axis, frame, range: better ? [low, high] : [high, low], lines, theme: this.theme, changes, levels: i ? [] : levels, losses: i ? [] : losses,
        ...styles(lines), withValues: true, label: `Curves of ${title} of ${learners.map(({ name }) => name).join(", ")}`,
      });
    });
    const taken = this.measure.offsetWidth + 18;
    this.drawn = { axis, frame: { ...this.frame, height: this.heights[0] }, chart: this.charts[0], taken, ...styles(learners) };
    const isOther = axis.join() !== this.drawnAxis;
    this.drawnAxis = axis.join();
    if (isOther) {
      this.onAxis([...axis, this.frame.left, this.frame.right, this.frame.width]);
      this.axis.replaceChildren(...rowTicks(this.frame, axis));
      this.drawMarks();
    } else this.marking.request();
    this.stand(this.position);
  }

  drawMarks() {
    if (this.drawn) this.marks.layOut(this.drawn);
  }

  drawOverview() {
    const isPart = !this.seen.follows;
    if (this.overview.node.hidden === isPart) for (const each of [this.overview.node, this.follow]) each.hidden = !isPart;
    if (!this.frame || !isPart) return;
    const lines = this.lines(0), { total, axis } = this.seen, { width, left, right } = this.frame;
    this.overview.draw({
      width: width - left - right, total, axis, lines, range: this.head.measures[0].range, changes: this.marks.starts, colour: (i) => asLine(this.theme, lines[i].colour),
    });
  }

  /** The playhead stands somewhere, while it is dragged too. */
  stand(position) {
    this.position = position;
    if (!this.drawn) return;
    const { frame: { width, right }, axis: [from, to] } = this.drawn, x = placeOf(this.drawn, position);
    this.line.hidden = position < from || position > to;
    this.line.style.transform = `translateX(${x.toFixed(1)}px)`;
    const { run } = this, isBack = position < run.end;
    this.fork.hidden = this.line.hidden || !isBack || !run.fork;
    if (!this.fork.hidden) {
      this.fork.title = `Fork at row ${formatCount(position)}: ${run.fork}`;
      this.fork.style.transform = `translateX(${Math.min(x + 6, width - right - 76).toFixed(1)}px)`;
    }
    // the run's own figures change with those of the page; a playhead that is dragged shows those where it is
    for (const chart of this.charts) chart.move(position === run.position ? run.figures : position);
    const now = performance.now();
    if (run.state === "playing" && !this.dragged && now - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = now;
    const back = isBack ? `; looking back, the run has come to ${formatCount(run.end)}` : "";
    const about = { "aria-valuemax": run.end, "aria-valuenow": position, "aria-valuetext": `row ${formatCount(position)} of ${formatCount(run.rows ?? run.end)}${back}` };
    for (const [name, value] of Object.entries(about)) this.line.setAttribute(name, value);
  }

  // ------------------------------------------------------------------ what people do

  /** Moves the playhead; the run goes there when it rests. */
  moveTo(position, isOver) {
    if (!this.run) return;
    this.dragged = !isOver;
    this.stand(clamp(Math.round(position), 0, this.run.end));
    if (isOver) {
      this.dragging.stop();
      this.onCommand("seek", this.position);
    } else this.dragging.request();
  }

  /** Does something at a row: where the run has gone further, it goes back first. */
  act(command, row) {
    const { position, chunk } = this.run;
    if (command === "reports") {
      this.list.open();
      return;
    }
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
      if (hasMoved) this.moveTo(this.rowAt(event.clientX), false);
    }, (event) => { if (hasMoved) this.moveTo(this.rowAt(event.clientX), true); });
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
    // all rows, and once more: those of the run again
    curves.addEventListener("dblclick", () => {
      this.menu.close();
      this.look(() => (this.seen.follows ? this.seen.all() : this.seen.release()));
    });
    line.addEventListener("keydown", (event) => {
      if (isChord(event) || !this.run) return;
      // a page of the keyboard is a chunk of the stream, as on the transport bar
      const { end, chunk } = this.run, at = this.position;
      const to = {
        ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageUp: at + chunk, PageDown: at - chunk, Home: 0, End: end,
      }[event.key];
      if (to === undefined) return;
      this.moveTo(to, true);
      event.preventDefault();
      event.stopPropagation();
    });
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
      ...this.lines(i).map((line) => [line.name, line.values[k]])
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
      columns: Object.fromEntries((head?.columns ?? []).map((column, i) => [column, values[i]])), axis: this.seen.axis, playhead: this.position, ...happened,
      learners: head?.learners.map(({ name }) => name) ?? [],
    };
  }

  destroy() {
    this.observer.disconnect();
    this.gone.abort();
    this.menu.close();
    for (const each of [this.drawing, this.marking, this.small, this.dragging, this.list]) each.stop();
  }
}

export const render = renderPart(({ model, send }) => {
  const timeline = new Timeline({ dark: model.dark, onCommand: (name, value) => send({ kind: "command", name, value }), onAxis: (axis) => { model.axis = axis; } });
  window.__streamlab_timeline = timeline;
  return {
    box: timeline.box, css: `${TIMELINE_CSS}${LIVE_CSS}${EVENTS_CSS}${ROW_MENU_CSS}`,
    update: (frame) => timeline.update(frame), setDark: (dark) => timeline.setDark(dark), follows: { beside: () => timeline.leave(model.beside) },
    destroy: () => timeline.destroy(),
  };
});
