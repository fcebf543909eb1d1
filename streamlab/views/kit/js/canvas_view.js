/*
 * A picture on a canvas, with all that pictures have in common: a stage that keys and pointers act on, selection, tooltip, spoken
 * words, search, pan and zoom, a table, an empty state, and draws that are neither late nor too many.
 *
 * A picture extends CanvasView, says in `static about` what it is called, and fills in the duties of duties.js.
 */
import { Camera, ZOOM_STEP } from "./camera.js";
import { SearchField, zoomButtons } from "./controls.js";
import { element, fitCanvas, isChord, pixelRatio, pointIn, reducedMotion, scrollerOf, setText, zoomOf } from "./dom.js";
import { DrawLoop, Throttled } from "./drawloop.js";
import { PictureDuties } from "./duties.js";
import { formatCount, plural } from "./format.js";
import { themeOf } from "./palette.js";
import { paperButtons } from "./paper.js";
import { SHARED_CSS } from "./style.js";
import { DataTable } from "./table.js";
import { fitToRoom, isProjected } from "./room.js";
import { SOON, Texts, onFonts } from "./text.js";
import { Tooltip } from "./tooltip.js";

/** Words beside the picture change at most this often; a table of hundreds of rows more rarely. */
const TEXT_EVERY_MS = 250, TABLE_EVERY_MS = 1000;
/** Under this width a picture has a phone's layout. */
export const NARROW = 560;
/** What a picture is called unless it says otherwise; `reach`: how far from a thing the pointer, or a finger, still means it. */
const USUAL = {
  empty: "Nothing yet: press play", noun: "node", word: "selected", key: "id", free: false, nearest: 16, slow: 18, reach: { pointer: 5, touch: 14 },
};
const SPOKEN_KEYS = "Plus and minus zoom, zero shows everything.";

export class CanvasView extends PictureDuties {
  /* --- what stands on the page ---------------------------------------------------------------------------------- */

  /**
   * @param {HTMLElement} root an empty element, at least 280 px wide; the view takes its width
   * @param {object} [options] the component's parameters by name (labels, dark, picture_height, empty_text, and the picture's own);
   *   animate: false to jump; onSelect(id | null), onChange(parameter, value), onMessage(message): what the user does
   */
  constructor(root, options = {}) {
    super();
    this.root = root;
    this.about = { ...USUAL, ...this.constructor.about };
    this.onSelect = options.onSelect ?? (() => {});
    this.onChange = options.onChange ?? (() => {});
    this.onMessage = options.onMessage ?? (() => {});
    this.still = options.animate === false;
    this.labels = options.labels ?? [];
    this.tall = this.usual = options.picture_height ?? 440;
    this.frame = this.pending = null;
    this.selected = this.cursor = this.hovered = null;
    this.found = null;
    this.theme = themeOf(options.dark);
    this.count = { received: 0, drawn: 0, last: 0, mean: 0 };
    this.text = new Throttled(() => this.writeText(), TEXT_EVERY_MS);
    this.tableText = new Throttled(() => this.writeTable(), TABLE_EVERY_MS);
    this.build(options.empty_text ?? this.about.empty);
    this.camera = new Camera(this.stage, { free: this.about.free, nearest: this.about.nearest, jumps: this.still, onMove: (isByHand) => this.look(isByHand) });
    this.setUp(options);
    const style = element("style", { text: SHARED_CSS + this.constructor.css });
    this.wrapper.append(style, this.summary, ...this.arrange(), this.live, this.table.node);
    this.root.append(this.wrapper);
    this.loop = new DrawLoop(this.wrapper, (now) => this.draw(now), () => this.catchUp());
    this.listen();
    this.set("dark", options.dark ?? false);
    fitToRoom(this);
    root[`__${this.about.name}_stats`] = () => this.stats();
  }

  build(emptyText) {
    const { name, title, role, keys, find, table } = this.about;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.context = this.canvas.getContext("2d");
    this.texts = new Texts(this.context);
    this.empty = element("div", { class: "sl-empty", text: SOON, "data-then": emptyText });
    this.stage = element("div", {
      class: "sl-stage", tabindex: "0", role: "application", "aria-roledescription": role, "aria-label": `${keys} ${SPOKEN_KEYS}`,
    }, [this.canvas, this.empty]);
    this.tooltip = new Tooltip(this.stage);
    this.live = element("div", { class: "sl-hidden", "aria-live": "polite" });
    this.summary = element("div", { class: "sl-summary sl-hidden" });
    const onChoose = table.choose ? (id) => this.chooseInTable(id) : null;
    this.table = new DataTable({ ...table, onChoose, onOpen: () => this.writeTable() });
    this.search = new SearchField({
      placeholder: find, label: `${find} in the picture`, onFind: () => this.find(), onNext: (direction) => this.goToMatch(direction),
    });
    this.zoom = zoomButtons((direction) => this.zoomBy(ZOOM_STEP ** direction), () => this.fit());
    this.zoom.setFitted(true);
    this.wrapper = element("section", { class: `sl-view sl-${name}`, "aria-label": title });
  }

  /** The bar above a picture: its own controls, and the tools that every picture has, which are seen while it is pointed at. */
  bar(...own) {
    return element("div", { class: "sl-bar-row" }, [...own, element("div", { class: "sl-tools" }, [this.search.node, this.zoom.node, paperButtons(this)])]);
  }

  listen() {
    this.listeners = new AbortController();
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal: this.listeners.signal });
    on(this.stage, "pointermove", (event) => this.move(event));
    on(this.stage, "pointerleave", () => this.hover(null));
    on(this.stage, "click", (event) => this.click(event));
    on(this.stage, "keydown", (event) => this.key(event));
    on(this.stage, "blur", () => this.moveCursor(-1));
    this.observer = new ResizeObserver(() => fitToRoom(this));
    this.observer.observe(this.wrapper);
    onFonts(() => this.set("picture_height", this.usual), this.listeners.signal);
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  update(frame) {
    this.count.received++;
    this.pending = frame;
    this.loop.frame();
  }

  select(id) {
    this.selected = id ?? null;
    this.renew();
  }

  /** A parameter of the component has changed. */
  set(name, value) {
    if (name === "dark") {
      this.theme = themeOf(value);
      this.wrapper.classList.toggle("sl-dark", Boolean(value));
      this.painter?.setTheme(this.theme);
    } else if (name === "picture_height") {
      this.usual = value;
      this.laidOut = null;
    } else this[name] = value ?? [];
    this.changed(name);
    if (name === "picture_height") fitToRoom(this);
    // a run that stands still brings no frame that would lay it out
    if (name === "axis" && this.laidOut) this.resize();
    this.renew();
  }

  /** Words and picture follow, if there is one. */
  renew() {
    if (!this.frame) return;
    this.text.request();
    this.loop.request();
  }

  ids() {
    return this.frame?.[this.about.key] ?? [];
  }

  rowOf(id) {
    return id === null || id === undefined ? -1 : this.ids().indexOf(id);
  }

  idOf(row) {
    return this.ids()[row];
  }

  get isEmpty() {
    return this.ids().length === 0;
  }

  /** The picture for a new width (clientWidth is rounded up, too): no glide, and at once, for a canvas that changes its size is cleared. */
  resize(width = Math.floor(Number.parseFloat(getComputedStyle(this.stage).width)) || this.stage.clientWidth) {
    if (!width) return;
    this.empty.hidden = !this.isEmpty;
    this.stage.classList.toggle("sl-empty-stage", this.isEmpty);
    const key = `${width} ${this.tall} ${this.layoutKey()} ${pixelRatio(this.canvas)}`;
    if (key === this.laidOut) return;
    this.laidOut = key;
    this.width = width;
    this.canFind = !isProjected(this.wrapper); // on a projector there is no search
    this.height = Math.max(1, Math.ceil(this.layOut(width)));
    this.ratio = fitCanvas(this.canvas, this.width, this.height);
    this.camera.setSize(this.width, this.height);
    if (!this.frame || this.pending) return;
    this.follow(performance.now(), true);
    this.paint(performance.now());
  }

  /* --- drawing -------------------------------------------------------------------------------------------------- */

  jumps() {
    return this.still || reducedMotion();
  }

  draw(now) {
    if (this.pending) this.take(now);
    if (!this.frame) return false;
    this.paint(now);
    return this.moving;
  }

  get moving() {
    return this.camera.moving || this.gliders().some(({ moving }) => moving);
  }

  take(now) {
    const before = this.frame;
    this.frame = this.pending;
    this.pending = null;
    setText(this.empty, this.empty.dataset.then);
    const jump = this.jumps() || this.count.mean > this.about.slow;
    this.accept(this.frame, before, now, jump);
    this.resize(this.width); // which is known: to ask for it would have the browser lay out the page amid a draw
    if (!this.isEmpty) this.follow(now, jump);
    this.findAgain();
    if (!this.tip(this.cursor)) this.cursor = null;
    if (!this.tip(this.hovered)) this.hovered = null;
    this.text.fire(); // its words are of the frame that is drawn
    this.text.request(); // what they say of the layout is known when it has been
    if (this.table.open) this.tableText.request();
    this.showTip();
  }

  paint(now) {
    if (!this.laidOut) return;
    this.camera.advance(now);
    for (const each of this.gliders()) each.advance(now);
    const begun = performance.now();
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.render(this.context);
    const spent = performance.now() - begun;
    this.count.drawn++;
    this.count.last = spent;
    this.count.mean += (spent - this.count.mean) * (this.count.drawn < 20 ? 1 / this.count.drawn : 0.05);
  }

  /** Draws the picture as it is now on another context, so many of whose pixels are one of CSS. */
  drawOn(context, ratio) {
    const before = this.ratio;
    this.ratio = ratio;
    try {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.render(context);
    } finally {
      this.ratio = before;
    }
  }

  /** After the tab was hidden or the view out of sight: the newest frame, no glide. */
  catchUp() {
    if (this.pending) this.take(performance.now());
    this.finishGlides();
    this.camera.finish();
  }

  finishGlides() {
    for (const each of this.gliders()) each.finish();
  }

  /** The rows that have a sign, with its colour: what is selected, then what is pointed at. */
  marked(chosen, pointed = this.theme.accent) {
    return [[this.rowOf(this.selected), chosen], [this.rowOf(this.cursor ?? this.hovered), pointed]].filter(([row]) => row >= 0);
  }

  /** Draws everything as the camera sees it, as if it were a drawing that is held nearer. */
  magnify(context) {
    const { k, x, y } = this.camera.at, { ratio } = this;
    context.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
  }

  /* --- the camera ----------------------------------------------------------------------------------------------- */

  /** The camera has another goal. */
  look(isByHand) {
    this.zoom.setFitted(this.camera.fitted);
    if (isByHand && this.hovered !== null) this.hover(null);
    this.showTip();
    this.loop.smooth();
  }

  /** Zooms about what the user is at, else about the middle. */
  zoomBy(factor) {
    const about = this.place(this.cursor ?? this.selected);
    const isSeen = about && about.x >= 0 && about.x <= this.width && about.y >= 0 && about.y <= this.height;
    if (!this.isEmpty) this.camera.zoomBy(factor, isSeen ? [about.x, about.y] : undefined);
  }

  /** Shows everything, and follows it when it grows. */
  fit() {
    this.camera.reset();
    if (!this.isEmpty && this.laidOut) this.follow(performance.now(), this.jumps());
    this.loop.smooth();
  }

  /** Moves the camera, and the page, no further than they must to have a row in view. */
  keepInView(row) {
    const box = this.box(row);
    if (!box) return;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const isIn = (place, whole) => place >= Math.min(16, whole / 4) && place <= whole - Math.min(16, whole / 4);
    if (!this.camera.fitted && !(isIn(x, this.width) && isIn(y, this.height))) {
      this.camera.panBy(isIn(x, this.width) ? 0 : this.width / 2 - x, isIn(y, this.height) ? 0 : this.height / 2 - y);
    }
    const top = this.canvas.getBoundingClientRect().top + (this.box(row)?.y ?? 0) * zoomOf(this.canvas);
    const beyond = top < 60 ? top - 160 : top > window.innerHeight - 40 ? top - window.innerHeight + 120 : 0;
    if (beyond) scrollerOf(this.canvas).scrollBy(0, beyond / zoomOf(this.canvas));
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  writeText() {
    if (!this.frame) return;
    setText(this.summary, this.summarise());
    this.showFound();
    this.writeWords();
  }

  writeTable() {
    const isChosen = (id) => Boolean(this.about.table.choose) && id === this.selected;
    if (this.table.open && this.frame) this.table.write(this.tableRows().map((row) => ({ chosen: isChosen(row.id), ...row })));
  }

  say(words) {
    setText(this.live, words);
  }

  announce(row) {
    const { title, lines } = this.describe(row);
    const words = this.idOf(row) === this.selected ? [...lines, this.about.word] : lines;
    this.say([title.replaceAll(" ·", ","), ...(words.length ? [words.join("; ")] : [])].map((part) => `${part}.`).join(" "));
  }

  /** What the tooltip says of an id, {box, title, lines, place}, or null. */
  tip(id) {
    const row = this.rowOf(id);
    const box = row < 0 || !this.laidOut ? null : this.box(row);
    return box ? { box, ...this.describe(row) } : null;
  }

  showTip() {
    const tip = this.tip(this.cursor ?? this.hovered);
    if (tip) this.tooltip.show(tip);
    else this.tooltip.hide();
  }

  /* --- search --------------------------------------------------------------------------------------------------- */

  find() {
    this.findAgain();
    this.showFound();
    // Said when the question changes, not whenever the picture does.
    if (this.found) this.say(`${this.foundText()} found.`);
    this.loop.request();
  }

  findAgain() {
    const { query } = this.search;
    this.found = query && this.frame ? new Set(Array.from(this.ids()).filter((_, row) => this.matches(row, query))) : null;
  }

  foundText() {
    return `${formatCount(this.found.size)} of ${plural(this.ids().length, this.about.noun)}`;
  }

  showFound() {
    this.search.say(this.found ? this.foundText() : "");
  }

  goToMatch(direction) {
    if (!this.found?.size) return;
    const ids = [...this.found];
    const next = ids[(ids.indexOf(this.selected) + direction + ids.length) % ids.length];
    if (next !== this.selected) this.choose(next);
    this.keepInView(this.rowOf(next));
  }

  /** Whether a search is on and has not found this. */
  isDim(id) {
    return this.found !== null && !this.found.has(id);
  }

  /* --- pointer and keys ----------------------------------------------------------------------------------------- */

  hitOf(event) {
    if (this.isEmpty || !this.laidOut) return null;
    const reach = event.pointerType === "touch" ? this.about.reach.touch : this.about.reach.pointer;
    return this.hit(...pointIn(this.canvas, event), reach);
  }

  move(event) {
    if (event.pointerType !== "touch" && !event.buttons) this.hover(this.hitOf(event)?.id ?? null);
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.stage.classList.toggle("sl-over", id !== null);
    this.showTip();
    this.loop.request();
  }

  click(event) {
    const hit = this.hitOf(event);
    const id = hit?.id ?? null;
    if (event.pointerType === "touch") this.hover(id);
    if (!this.clicked(hit, event)) this.choose(id);
  }

  /** The user's choice: the same id again lets go of it. */
  choose(id) {
    const before = this.selected;
    this.selected = id === before ? null : id;
    if (this.selected === before) return;
    this.onSelect(this.selected);
    const row = this.rowOf(this.selected);
    if (row >= 0) this.announce(row);
    else this.say(`Nothing is ${this.about.word}.`);
    this.renew();
  }

  chooseInTable(id) {
    this.choose(id);
    const row = this.rowOf(this.selected);
    if (row >= 0) this.keepInView(row);
    this.writeTable();
  }

  moveCursor(row) {
    const id = row < 0 ? null : this.idOf(row);
    if (id === null && this.cursor === null) return;
    this.cursor = id;
    this.showTip();
    this.loop.request();
    if (row >= 0) this.announce(row);
  }

  key(event) {
    if (this.isEmpty || !this.laidOut || isChord(event)) return;
    const row = this.cursorRow();
    const moves = this.moves(row);
    const choose = () => {
      this.choose(this.idOf(row));
      this.moveCursor(row);
    };
    const acts = {
      Escape: () => this.escape(), Enter: choose, " ": choose, "+": () => this.zoomBy(ZOOM_STEP), "=": () => this.zoomBy(ZOOM_STEP),
      "-": () => this.zoomBy(1 / ZOOM_STEP), 0: () => this.fit(), ...this.acts(row),
    };
    if (event.key in moves) this.step(row, event.key, moves[event.key]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where the keys act: the cursor; else what is selected; else the first row. */
  cursorRow() {
    const rows = [this.cursor, this.selected].map((id) => this.rowOf(id));
    return rows.find((row) => row >= 0) ?? this.firstRow();
  }

  firstRow() {
    return 0;
  }

  /** The first key only shows where the cursor is, unless it names a place. At an edge it stays and says so again. */
  step(row, key, move) {
    const isShown = this.rowOf(this.cursor) >= 0 || key === "Home" || key === "End";
    const target = isShown ? move() : row;
    this.keepInView(target < 0 ? row : target);
    this.moveCursor(target < 0 ? row : target);
  }

  escape() {
    this.moveCursor(-1);
    this.hover(null);
    if (this.selected !== null) this.choose(this.selected);
  }

  /* --- the rest ------------------------------------------------------------------------------------------------- */

  /** The middle of an id on its way, {x, y} in pixels of the canvas, or null. */
  place(id) {
    const box = this.tip(id)?.box;
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  }

  stats() {
    return {
      frames_received: this.count.received, frames_drawn: this.count.drawn, waiting: this.pending !== null, last_draw_ms: this.count.last,
      mean_draw_ms: this.count.mean, now: this.frame?.now ?? 0, moving: this.moving, cursor: this.cursor, selected: this.selected,
      zoom: { ...this.camera.see({ x: 0, y: 0 }), k: this.camera.goal.k, fitted: this.camera.fitted },
    };
  }

  destroy() {
    for (const part of [this.loop, this.text, this.tableText]) part.stop();
    this.observer.disconnect();
    this.listeners.abort();
    this.camera.destroy();
    this.wrapper.remove();
    delete this.root[`__${this.about.name}_stats`];
  }
}
