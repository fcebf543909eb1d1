/* What happened, where it happened: changes of the stream as numbers above the curves, and on each learner's line what it reported. */
import { element, setAttributes, svg } from "../../kit/js/dom.js";
import { formatCount, numbered } from "../../kit/js/format.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { FONT } from "../../kit/js/text.js";
import { grouped, placeOf, valueAt, wordsBehind } from "./points.js";

export const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a mark says: {title, lines}. */
export function aboutEvent(head, [position, learner, kind, message, numbers, delay], driftBefore) {
  const { title } = head.kinds[kind];
  const who = learner < 0 ? "" : `${head.learners[learner].name}: `;
  const lines = [`row ${formatCount(position)}: ${message}`];
  if (delay !== null) lines.push(`${formatCount(delay)} rows after change ${numbered(driftBefore + 1)}`);
  return { title: `${who}${title}`, lines: [...lines, ...numbers.map(([words, number]) => `${words}: ${number}`)] };
}

/** px that the marks above the curves take, and what is left free below them. */
export const MARGINS = { top: 34, bottom: 6 };
/** Marks nearer to each other than this, px, become one: numbers of changes, alarms, and small ones. */
const APART = { number: 21, alarm: 13, small: 8 };
/** How far above (less than 0) or below a mark its words stand, nearest first; farther away than `near` a line joins them, px. */
const ABOVE = [-8, 20, -26, 36, -42, 52, -58, 68, -74, 84, -90], BESIDE = 12, NEAR = 30;
const MOST_TOLD = 5, WORDS_FONT = `600 14px ${FONT}`, SAID_FONT = `600 13px ${FONT}`;
/** Kind of the event at the stream's end, which the axis shows. */
const ENDED = "finished";
/** Where one of some colours begins across the sign of an alarm, which is 12 of 24 px wide. */
const partOf = (i, { length }) => `${(25 + (50 * i) / length).toFixed(1)}%`;
/** A learner says with it that the concept has changed; not by hand, and nothing that took another's place. */
const isAlarm = ({ is_marked: isMarked, shape }) => isMarked && shape !== "bar" && shape !== "star";

/** Whether an event has a mark on its learner's line: what people did, what took another's place, and the first alarm of each change, or before any; others are in the list of reports. */
export const hasMark = (kind, [at, , , , , delay], starts) => kind.is_marked && (!isAlarm(kind) || delay !== null || !(starts[0] <= at));

export class Marks {
  /**
   * @param {{learners: Array<{name: string}>, tooltip: Tooltip, onGo: (position: number, marks: number[]) => void}} options `onGo`: a mark
   *   was clicked, and which: [learner's place or -1, first row, last row]
   */
  constructor({ learners, tooltip, onGo }) {
    Object.assign(this, { learners, tooltip, onGo });
    /** Where learners left others, by their places. */
    this.forks = new Map();
    this.starts = [];
    const group = (name, kind) => element("div", { class: kind, role: "group", "aria-label": name });
    this.changes = group("Changes of the stream", "sl-changes");
    this.rows = learners.map(({ name }) => group(`What ${name} reported, and what was changed`, "sl-own"));
    this.joins = learners.map(() => svg("path", { "stroke-width": 1 }));
    this.bands = element("div", { class: "sl-bands", "aria-hidden": "true" });
    this.node = element("div", { class: "sl-marks" }, [svg("svg", { class: "sl-joins", "aria-hidden": "true" }, this.joins), this.changes, ...this.rows]);
    this.set({ drifts: [], kinds: [], events: [] });
    for (const row of [this.changes, ...this.rows]) this.listen(row);
  }

  /**
   * What there is to draw, as streamlab.views.timeline.event_rows describes it.
   * @param {{drifts: object[], kinds: object[], events: Array[]}} head
   */
  set(head) {
    this.head = { ...head, learners: this.learners };
    this.starts = head.drifts.map(({ at }) => at);
    this.forks = new Map(head.events.filter(([, who, kind]) => who >= 0 && head.kinds[kind].name === "forked").map(([at, who]) => [who, at]));
    if (this.drawn) this.layOut(this.drawn);
  }

  /**
   * Draws all marks of the rows that are seen.
   * @param {{axis: [number, number], frame: object, chart: Chart, colour: (i: number) => string, ink: (i: number) => string, taken?: number}} drawn
   *   `chart` as it was drawn, on whose lines they stand; `taken`: px on the left above it that other words have
   */
  layOut(drawn) {
    this.drawn = drawn;
    const [from, to] = drawn.axis;
    this.x = (at) => placeOf(drawn, at);
    this.isSeen = (at) => at >= from && at <= to;
    this.said = drawn.chart.written = [];
    this.drawChanges();
    this.rows.forEach((row, learner) => this.drawLine(row, learner));
    drawn.chart.writeLosses();
  }

  drawChanges() {
    const { drifts, events, kinds } = this.head;
    const { axis: [from, to], frame: { width }, chart: { texts }, taken = 0 } = this.drawn;
    const groups = grouped(drifts.map(({ at }, i) => ({ x: this.x(at), at, i })).filter(({ at }) => this.isSeen(at)), APART.number);
    const named = groups.map(({ x, items }) => {
      const [{ i, at }] = items, { brief } = drifts[i], isOne = items.length === 1 && brief;
      // behind other words it needs its number
      const told = x < taken ? `${numbered(i + 1)} ${brief}` : brief, texts_ = isOne ? [`${told} at row ${formatCount(at)}`, told] : [];
      return { x: Math.max(x, taken - 15), texts: texts_.map((text) => ({ text, wide: texts.width(text, WORDS_FONT) })) };
    });
    const words = wordsBehind(named, width);
    const numbers = groups.flatMap(({ x, items }, k) => {
      const places = items.map(({ i }) => i), [first, last] = [places[0] + 1, places.at(-1) + 1], { at } = items[0];
      const mark = this.mark({
        x, y: x < taken ? 34 : 12, sign: first === last ? `${first}` : `${first}–${last}`, at,
        title: `${places.map((i) => numbered(i + 1)).join("")} The stream changes at row ${formatCount(at)}`,
        lines: places.flatMap((i) => [`${cap(drifts[i].what)}.`, ...(drifts[i].width > 1 ? [`It takes ${formatCount(drifts[i].width)} rows.`] : [])]),
        name: "sl-number", marks: [-1, at, items.at(-1).at],
      });
      return words[k] ? [mark, element("span", { class: "sl-brief", text: words[k], "aria-hidden": "true", style: `left:${(named[k].x + 15).toFixed(1)}px` })] : [mark];
    });
    const others = events.filter(([at, who, kind]) => who < 0 && kinds[kind].name !== ENDED && this.isSeen(at)).map((event) => this.mark({
      x: this.x(event[0]), y: 27, at: event[0], name: "sl-small sl-bar", marks: [-1, event[0], event[0]], ...aboutEvent(this.head, event, 0),
    }));
    this.fill(this.changes, [...others, ...numbers]);
    const seen = drifts.filter(({ at, width: wide }) => at + wide > from && at <= to);
    this.bands.replaceChildren(...seen.map(({ at, width: wide }) => {
      const begin = this.x(Math.max(at, from));
      return element("i", {
        class: [wide > 1 ? "sl-wide" : "", at < from ? "sl-under-way" : ""].filter(Boolean).join(" "),
        style: `left:${begin.toFixed(1)}px;width:${Math.max(0, this.x(Math.min(at + wide, to)) - begin).toFixed(1)}px`,
      });
    }));
  }

  drawLine(node, learner) {
    const { chart, colour, ink, frame: { height } } = this.drawn;
    node.style.setProperty("--own", colour(learner));
    node.style.setProperty("--own-text", ink(learner));
    const points = chart.traces[chart.lineOf(learner)] ?? [];
    const own = this.head.events.filter(([at, who]) => who === learner && this.isSeen(at)).map((event) => {
      const value = valueAt(points, event[0]);
      return { event, x: this.x(event[0]), y: Number.isFinite(value) ? chart.y(value) : height - MARGINS.bottom, kind: this.head.kinds[event[2]] };
    });
    const marked = own.filter(({ kind, event }) => hasMark(kind, event, this.starts));
    const alarms = marked.filter(({ kind }) => isAlarm(kind)), deeds = marked.filter(({ kind }) => !isAlarm(kind));
    const marks = [...grouped(deeds, APART.small).map((group) => this.group(group, "sl-small")), ...grouped(alarms, APART.alarm).map((group) => this.group(group, "sl-alarm"))];
    marks.sort((one, other) => one.slAt - other.slAt);
    setAttributes(this.joins[learner], { stroke: colour(learner), d: "" });
    this.fill(node, [...this.delay(own, alarms[0], learner), ...this.deed(own, learner), ...marks]);
  }

  /** How soon a learner noticed the latest change, beside its first mark since, where words cross nothing. */
  delay(own, alarm, learner) {
    const { axis: [, to] } = this.drawn, start = this.starts.filter((at) => at <= to).at(-1);
    const first = own.find(({ event: [at, , , , , delay] }) => delay !== null && at - delay === start);
    if (!first) return start === undefined && alarm ? this.beside(alarm, ["alarm"], learner) : [];
    const { kind, event: [, , , , , delay] } = first;
    // what several did at one row stands there once, in nobody's colour
    const count = this.sharing(first.event).length, isShared = count > 1;
    if (isShared && this.said.some(({ of }) => of === delay)) return [];
    const alarms = ["alarm", "both alarmed"][count - 1] ?? `${count} alarmed`, what = isAlarm(kind) ? alarms : kind.title.toLowerCase().split(":")[0];
    return this.beside(first, [`${what} after ${formatCount(delay)} rows`, what], learner, isShared ? delay : null);
  }

  /** The learners that noticed the change as soon as an event says. */
  sharing([position, , , , , delay]) {
    const { events } = this.head;
    return [...new Set(events.filter(([at, who, , , , other]) => who >= 0 && at === position && other === delay && delay !== null).map(([, who]) => who))].sort();
  }

  /** What took another's place since then, in the words of the sentence, beside the first mark of it that has room. */
  deed(own, learner) {
    const { axis: [, to] } = this.drawn, start = this.starts.filter((at) => at <= to).at(-1);
    for (const item of own.filter(({ event: [at], kind }) => kind.did && at >= start)) {
      // how soon it did so says that it did
      if (this.said.some((each) => own.includes(each.item) && each.item.kind === item.kind)) return [];
      const said = this.beside(item, [item.kind.did], learner);
      if (said.length) return said;
    }
    return [];
  }

  /** The first of some words that has room as near to a mark as may be, where it crosses nothing, not before a change that the mark is after; `of`: they are of several. */
  beside(item, texts, learner, of = null) {
    const { chart } = this.drawn, { x, y } = item, ends = [chart.position, ...this.starts].map((at) => chart.x(at) - 0.5);
    const places = texts.flatMap((text) => {
      const wide = chart.texts.width(text, SAID_FONT);
      return ABOVE.flatMap((down) => [BESIDE, -wide / 2, -wide - BESIDE, 4 * BESIDE].map((across) => ({ text, x: x + across, y: y + down, wide })));
    });
    const place = places.find((each) => ends.every((end) => (each.x < end) === (x < end)) && (each.x > x || each.x + each.wide < x || Math.abs(each.y - y) > 20) && chart.hasRoom(each));
    if (!place) return [];
    this.said.push({ ...place, of, item });
    const [to, isAbove] = [Math.min(Math.max(x, place.x), place.x + place.wide), place.y < y], end = place.y + (isAbove ? 3 : -11);
    chart.curves.push([[x - 7, y - 6], [x + 7, y - 6]], [[x, y], [to, end]].sort(([one], [other]) => one - other));
    if (of !== null) this.joins[learner].setAttribute("stroke", "var(--sl-muted)");
    if (Math.hypot(end - y, to - x) > NEAR) this.joins[learner].setAttribute("d", `${this.joins[learner].getAttribute("d")}M${x.toFixed(1)} ${(y - isAbove * 14).toFixed(1)}L${to.toFixed(1)} ${end.toFixed(1)}`);
    return [element("span", { class: of === null ? "sl-delay" : "sl-delay sl-shared", text: place.text, style: `left:${place.x.toFixed(1)}px;top:${(place.y - 13).toFixed(1)}px` })];
  }

  /** The mark of a group. */
  group({ items }, name) {
    const [main] = items;
    const told = items.slice(0, MOST_TOLD).map(({ event }) => (
      aboutEvent(this.head, event, lastUpTo(this.starts, event[0] - (event[5] ?? 0)))));
    const title = items.length === 1 ? told[0].title : `${told[0].title} and ${items.length - 1} more`;
    const lines = items.length === 1 ? told[0].lines : told.map((each) => each.lines[0]);
    if (items.length > MOST_TOLD) lines.push("…");
    const rule = items.length === 1 && main.kind.rule ? [main.kind.rule] : [];
    const marks = [main.event[1], items[0].event[0], items.at(-1).event[0]];
    const made = this.mark({ x: main.x, y: main.y, sign: name === "sl-alarm" ? "▼" : "", at: main.event[0], title, lines: [...lines, ...rule], name: main.kind.shape === "bar" ? `${name} sl-bar` : name, marks });
    // an alarm of several has the colours of them all
    const colours = name === "sl-alarm" ? this.sharing(main.event).map(this.drawn.colour) : [];
    if (colours.length > 1) {
      made.classList.add("sl-of-several");
      made.style.setProperty("--several", `linear-gradient(90deg,${colours.map((colour, i) => `${colour} ${partOf(i, colours)} ${partOf(i + 1, colours)}`).join(",")})`);
    }
    return made;
  }

  mark({ x, y, sign = "", at, title, lines, name, marks }) {
    const button = element("button", {
      type: "button", class: name, text: sign, "aria-label": [title, ...lines].join(". "), style: `left:${x.toFixed(1)}px;top:${y.toFixed(1)}px`,
    });
    return Object.assign(button, { slTip: { title, lines }, slAt: at, slMarks: marks });
  }

  /** Dims all marks but those of one learner; null: none. */
  dim(only) {
    this.rows.forEach((row, who) => { row.style.opacity = only === null || only === who ? "" : "0.14"; });
  }

  /** Puts marks into a row, which is one stop of the Tab key; the arrows go on from there. Who stands on a mark stays on it. */
  fill(row, marks) {
    const active = row.getRootNode().activeElement;
    const stood = row.contains(active) ? active.slAt : undefined;
    row.replaceChildren(...marks);
    const buttons = [...row.querySelectorAll("button")];
    const kept = Math.max(0, buttons.findIndex(({ slAt }) => slAt === stood));
    buttons.forEach((button, i) => { button.tabIndex = i === kept ? 0 : -1; });
    if (stood !== undefined) buttons[kept]?.focus({ preventScroll: true });
  }

  listen(row) {
    const buttonOf = (event) => event.target.closest?.("button");
    const show = (event) => {
      const button = buttonOf(event);
      if (button) this.tooltip.showAt(button, { ...button.slTip, place: this.drawn.frame.size === "narrow" ? "below" : "beside" });
    };
    row.addEventListener("pointerover", (event) => {
      const place = `${event.clientX} ${event.clientY}`, rests = place === this.pointer;
      this.pointer = place;
      // marks that are drawn again under a pointer at rest take nothing from the one that the keys are on
      if (!rests || !row.querySelector("button:focus-visible")) show(event);
    });
    row.addEventListener("focusin", show);
    for (const type of ["pointerout", "focusout"]) row.addEventListener(type, () => this.tooltip.hide());
    row.addEventListener("click", (event) => {
      const button = buttonOf(event);
      if (button) this.onGo(button.slAt, button.slMarks);
    });
    row.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const buttons = [...row.querySelectorAll("button")], place = buttons.indexOf(buttonOf(event));
      if (event.key === "Escape") this.tooltip.hide();
      if (!step || place < 0) return;
      const next = buttons[place + step];
      if (next) {
        for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
        next.focus();
      }
      event.preventDefault();
    });
  }
}
