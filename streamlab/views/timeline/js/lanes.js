/* What happened, on the curves' axis: changes of the stream as numbered bands, and for each learner a lane of marks. */
import { button, element } from "../../kit/js/dom.js";
import { formatCount, numbered } from "../../kit/js/format.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { SMALL_FONT, Texts } from "../../kit/js/text.js";
import { placeOf } from "./points.js";

export const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a mark on a lane says: {title, lines}. */
export function aboutEvent(head, [position, learner, kind, message, numbers, delay], driftBefore) {
  const { title } = head.kinds[kind];
  const who = learner < 0 ? "" : `${head.learners[learner].name}: `;
  const lines = [`row ${formatCount(position)}: ${message}`];
  if (delay !== null) lines.push(`${formatCount(delay)} rows after change ${numbered(driftBefore + 1)}`);
  return { title: `${who}${title}`, lines: [...lines, ...numbers.map(([words, number]) => `${words}: ${number}`)] };
}

const SIGNS = {
  bar: "▮", diamond: "◆", star: "★", circle: "●", square: "■", triangle: "▲", inverted_triangle: "▼", hex: "⬢", cross: "✚", x: "✖",
};
/** Marks nearer to each other than this, px, become one: those that say much, and small ones. */
const APART = { large: 13, small: 5 };
const MOST_TOLD = 5;
/** A mark that has more than this, px, says how many it stands for. */
const COUNTED = 28;
/** Marks that follow within so many px stand between a mark and its words. */
const NEAR = 120;
/** What is said of a learner without a detection since the latest change, by the kinds of its small marks. */
export function calmWords(kinds) {
  const words = [...new Set(kinds.filter(({ weight }) => weight).map(({ alone }) => alone))];
  return words.length > 1 ? "warnings only" : words[0] ?? "no alarm";
}
/** Kind of the event at the stream's end, which the axis shows. */
const ENDED = "finished";

const after = (rows) => `after ${formatCount(rows)} rows`;
/** How long a learner took to notice a change, in words. */
const wordsOf = (way) => (way ? `${way.kind.title.toLowerCase().split(":")[0]} ${after(way.event[5])}` : "");

const MARKS = "button:not(.sl-lane-name)";
const marksOf = (lane) => [...lane.querySelectorAll(MARKS)];

/** The sign of a kind: of those that say less a small one, and of those that the story does not count half of one. */
const signOf = (shape, weight) => (weight === 2 ? SIGNS[shape] ?? "◆" : SMALL[shape] ?? "|");
const SMALL = { circle: "•", stub: "ˈ" };

/** What kinds are that are not worth a name each: the mark says which. */
const OTHERS = "other reports (point at one)";
/** One word or two, or the first of more: what each is, is said at the mark. */
const anyOf = ([first, ...others]) => (others.length < 2 ? [first, ...others].join(" or ") : `${first} and ${others.length} others (point at one)`);

/** What the signs of kinds mean, those that say most first: kinds with the same sign are told together. */
export function meanings(kinds) {
  const meant = new Map();
  for (const { shape, title, weight } of [...kinds].sort((one, other) => other.weight - one.weight)) {
    const sign = signOf(shape, weight), word = title.toLowerCase().split(":")[0];
    meant.set(sign, (meant.get(sign) ?? new Set()).add(word));
  }
  return [...meant].map(([sign, kinds]) => `${sign} ${sign === SMALL.stub && kinds.size > 1 ? OTHERS : anyOf([...kinds])}`);
}

/** Items in order of place, those closer than `gap` to the first of a group together. */
function grouped(items, gap) {
  const groups = [];
  for (const item of items) {
    const last = groups[groups.length - 1];
    if (last && item.x - last.x < gap) last.items.push(item);
    else groups.push({ x: item.x, items: [item] });
  }
  return groups;
}

/** Where words so wide begin: behind the playhead, where they are of now, else as late behind one of the marks as there is room, up to `end`. */
export function placeBehind(marks, playhead, end, wide) {
  // one that stands before the marks is in nobody's way
  const head = playhead > marks[0] ? playhead : end;
  const stops = [...marks, head].sort((a, b) => a - b);
  const free = stops.filter((x, i) => (stops[i + 1] ?? end) - x >= wide + 14);
  const at = free.includes(playhead) ? playhead : free.findLast((x) => x < head) ?? free[0];
  return at === undefined ? null : at + 10;
}

export class Lanes {
  /**
   * @param {{learners: Array<{name: string}>, tooltip: Tooltip, onGo: (position: number, marks: number[]) => void,
   *   onPoint?: (who: number|null) => void}} options `onGo`: a mark was clicked, and which: [learner's place or -1, first row, last row];
   *   `onPoint`: whose name is pointed at, null: nobody's
   */
  constructor({ learners, tooltip, onGo, onPoint = () => {} }) {
    Object.assign(this, { learners, tooltip, onGo, onPoint, pinned: null });
    /** Where learners left others, by their places. */
    this.forks = new Map();
    this.head = { learners, drifts: [], kinds: [], events: [], left: 0 };
    this.starts = [];
    this.texts = new Texts(document.createElement("canvas").getContext("2d"));
    this.changes = element("div", { class: "sl-lane sl-changes", role: "group", "aria-label": "Changes of the stream" });
    this.bands = element("div", { class: "sl-bands", "aria-hidden": "true" });
    this.rows = learners.map(({ name }, who) => {
      const label = button(name, () => this.pin(who), { class: "sl-lane-name", title: name, "aria-pressed": "false" });
      for (const type of ["pointerenter", "focus"]) label.addEventListener(type, () => this.onPoint(who));
      for (const type of ["pointerleave", "blur"]) label.addEventListener(type, () => this.onPoint(this.pinned));
      const marks = element("div", { class: "sl-marks" });
      const node = element("div", { class: "sl-lane", role: "group", "aria-label": `What ${name} reported, and what was changed` }, [label, marks]);
      return { node, marks, label };
    });
    this.key = element("div", { class: "sl-muted sl-lane-key" });
    this.node = element("div", { class: "sl-lanes" }, this.rows.map(({ node }) => node));
    for (const lane of [this.changes, ...this.rows.map(({ node }) => node)]) this.listen(lane);
  }

  /**
   * What there is to draw, as streamlab.views.timeline.event_rows describes it.
   * @param {{drifts: object[], kinds: object[], events: Array[], left: number}} head `left`: how many events are left out
   */
  set(head) {
    this.head = { ...head, learners: this.learners };
    this.starts = head.drifts.map(({ at }) => at);
    this.forks = new Map(head.events.filter(([, who, kind]) => who >= 0 && head.kinds[kind].name === "forked").map(([at, who]) => [who, at]));
    this.writeKey();
    if (this.drawn) this.draw();
  }

  /** Keeps one learner's curves before the others; once more: none. */
  pin(who) {
    this.pinned = this.pinned === who ? null : who;
    this.rows.forEach(({ label }, i) => label.setAttribute("aria-pressed", String(i === this.pinned)));
    this.onPoint(this.pinned);
  }

  /** What the signs mean: of every kind that occurs in this run. */
  writeKey() {
    const { kinds, events, drifts, left } = this.head;
    const used = [...new Set(events.map(([, , kind]) => kind))].map((kind) => kinds[kind]).filter(({ name }) => name !== ENDED);
    const meant = drifts.length ? [`${numbered(1)} the stream changes`] : [];
    meant.push(...meanings(used));
    if (left) meant.push(`${formatCount(left)} older reports are left out`);
    this.key.replaceChildren(...meant.map((text) => element("span", { text })));
    this.key.title = meant.join(" ");
  }

  /** Draws all marks of the rows that are seen; `drawn` is what the chart above draws. */
  layOut(drawn) {
    this.drawn = drawn;
    this.draw();
  }

  draw() {
    const [from, to] = this.drawn.axis;
    this.x = (at) => placeOf(this.drawn, at);
    this.playhead = this.x(Math.min(this.drawn.position ?? to, to));
    this.isSeen = (at) => at >= from && at <= to;
    this.drawChanges();
    this.rows.forEach((row, learner) => this.drawLane(row, learner));
  }

  drawChanges() {
    const { drifts, events, kinds } = this.head;
    const { axis: [from, to] } = this.drawn;
    // those that begin at one row have one mark
    const places = new Map();
    drifts.forEach(({ at }, i) => { if (this.isSeen(at)) places.set(at, [...(places.get(at) ?? []), i]); });
    const numbers = [...places].map(([at, own]) => this.mark({
      x: this.x(at), sign: own.length > 1 ? `${own[0] + 1}–${own.at(-1) + 1}` : `${own[0] + 1}`, at,
      title: `${own.map((i) => numbered(i + 1)).join("")} The stream changes at row ${formatCount(at)}`,
      lines: own.flatMap((i) => [`${cap(drifts[i].what)}.`, ...(drifts[i].width > 1 ? [`It takes ${formatCount(drifts[i].width)} rows.`] : [])]),
      name: "sl-number", marks: [-1, at, at],
    }));
    const others = events.filter(([at, who, kind]) => who < 0 && kinds[kind].name !== ENDED && this.isSeen(at)).map((event) => this.mark({
      x: this.x(event[0]), sign: "▮", at: event[0], name: "sl-mark", marks: [-1, event[0], event[0]], ...aboutEvent(this.head, event, 0),
    }));
    this.fill(this.changes, this.changes, [...others, ...numbers]);
    const seen = drifts.filter(({ at, width }) => at + width > from && at <= to);
    this.bands.replaceChildren(...seen.map(({ at, width }) => {
      const begin = this.x(Math.max(at, from));
      return element("i", {
        class: [width > 1 ? "sl-wide" : "", at < from ? "sl-under-way" : ""].filter(Boolean).join(" "),
        style: `left:${begin.toFixed(1)}px;width:${Math.max(0, this.x(Math.min(at + width, to)) - begin).toFixed(1)}px`,
      });
    }));
  }

  drawLane({ node, marks }, learner) {
    node.style.setProperty("--own", this.drawn.colour(learner));
    node.style.setProperty("--own-text", this.drawn.ink(learner));
    const own = this.head.events.filter(([at, who]) => who === learner && this.isSeen(at))
      .map((event) => ({ event, x: this.x(event[0]), kind: this.head.kinds[event[2]] }));
    const large = grouped(own.filter(({ kind }) => kind.weight === 2), APART.large);
    const small = grouped(own.filter(({ kind }) => kind.weight < 2), APART.small);
    const ways = own.filter(({ event }) => event[5] !== null).sort((a, b) => a.x - b.x);
    const isNarrow = node.closest(".sl-narrow") !== null;
    let taken = isNarrow ? Infinity : this.drawn.frame.left;
    const lines = ways.map((item) => {
      const { parts, end } = this.delay(item, [...large, ...small], taken);
      taken = Math.max(taken, end);
      return parts;
    });
    const all = [...small.map((group) => this.group(group, "sl-small")), ...large.map((group, i) => this.group(group, "sl-mark", (large[i + 1]?.x ?? Infinity) - group.x))];
    all.sort((a, b) => a.at - b.at);
    const calm = this.calm(large, small);
    const told = isNarrow ? this.besideName(learner, calm?.text ?? wordsOf(ways.at(-1))) : this.behindMarks(calm);
    this.fill(node, marks, [...lines.flat(), ...told, ...all.map(({ button }) => button)]);
  }

  /** On a narrow page marks leave no room: words of the latest change stand behind the learner's name. */
  besideName(learner, text) {
    const { left, width } = this.drawn.frame, begin = left + this.texts.width(this.learners[learner].name, SMALL_FONT) + 10;
    return text && begin + this.texts.width(text, SMALL_FONT) < width ? [element("span", { class: "sl-delay sl-beside-name", text, style: `left:${begin.toFixed(1)}px` })] : [];
  }

  /**
   * The way from a change of the stream to where a learner noticed it, and how long it is: behind its mark, or behind marks that follow
   * soon, where there is room. Before the change nothing had happened yet: no words stand there.
   * Words stand left of `taken` already; `end` is up to where they stand now.
   */
  delay({ event, x, kind }, groups, taken) {
    const [position, , , , , delay] = event;
    const { frame: { width, right }, axis } = this.drawn;
    const begin = this.x(Math.max(position - delay, axis[0]));
    const line = element("i", { class: "sl-way", style: `left:${begin.toFixed(1)}px;width:${(x - begin).toFixed(1)}px` });
    const later = [...groups, { x: this.playhead }].filter((group) => group.x > x + 1).sort((one, other) => one.x - other.x);
    const free = [{ x }, ...later].map(({ x: from }, i) => ({ from, room: (later[i]?.x ?? width - right) - from - 20 }));
    // behind another mark words would be taken for that one's: they name their own, and stand behind the playhead sooner
    const title = kind.title.toLowerCase(), short = after(delay);
    const [own, ...others] = free, isLast = ({ from }) => from === this.playhead;
    const near = [own, ...others.filter(isLast), ...others.filter((place) => !isLast(place) && place.from < x + NEAR)];
    const named = [title, title.split(":")[0]].flatMap((name) => near.map((place) => ({ ...place, text: `${name} ${short}` })));
    const options = [...named, { ...own, text: short }];
    const chosen = x + 10 < taken ? undefined : options.find(({ text, room }) => this.texts.width(text, SMALL_FONT) <= room);
    if (!chosen) return { parts: [line], end: x };
    const { text, from } = chosen;
    return {
      parts: [line, element("span", { class: "sl-delay", text, style: `left:${(from + 10).toFixed(1)}px` })],
      end: from + 10 + this.texts.width(text, SMALL_FONT),
    };
  }

  /** What is said of a learner that noticed nothing since the latest change of the stream, and behind which marks; null: it did. */
  calm(large, small) {
    const { axis } = this.drawn, start = this.head.drifts.filter(({ at }) => at < axis[1]).at(-1)?.at;
    if (start === undefined || large.some(({ x }) => x >= this.x(start))) return null;
    const since = small.filter(({ x }) => x >= this.x(start)), text = calmWords(since.flatMap(({ items }) => items.map(({ kind }) => kind)));
    return { text, marks: [this.x(Math.max(start, axis[0])), ...since.map(({ x }) => x)] };
  }

  behindMarks(calm) {
    if (!calm) return [];
    const { text, marks } = calm, { frame: { width, right } } = this.drawn;
    const at = placeBehind(marks, this.playhead, width - right, this.texts.width(text, SMALL_FONT));
    return at === null ? [] : [element("span", { class: "sl-delay", text, style: `left:${at.toFixed(1)}px` })];
  }

  /** The mark of a group; the next one of its kind is so far away, px. */
  group({ x, items }, name, room = 0) {
    const says = ({ kind: { weight, shape } }) => weight + (shape === "stub" ? 0 : 0.5);
    const main = items.reduce((best, item) => (says(item) > says(best) ? item : best));
    const told = items.slice(0, MOST_TOLD).map(({ event }) => (
      aboutEvent(this.head, event, lastUpTo(this.starts, event[0] - (event[5] ?? 0)))));
    const title = items.length === 1 ? told[0].title : `${told[0].title} and ${items.length - 1} more`;
    const lines = items.length === 1 ? told[0].lines : told.map((each) => each.lines[0]);
    if (items.length > MOST_TOLD) lines.push("…");
    const rule = items.length === 1 && main.kind.rule ? [main.kind.rule] : [];
    const sign = name === "sl-small" ? (main.kind.shape === "circle" ? "•" : "") : SIGNS[main.kind.shape] ?? "◆";
    const marks = [main.event[1], items[0].event[0], items[items.length - 1].event[0]];
    const button = this.mark({ x, sign, at: main.event[0], title, lines: [...lines, ...rule], name, marks });
    if (room > COUNTED && items.length > 1) button.dataset.count = `×${items.length}`;
    if (main.kind.shape === "stub") button.classList.add("sl-stub");
    return { at: main.event[0], button };
  }

  mark({ x, sign, at, title, lines, name, marks }) {
    const button = element("button", { type: "button", class: name, text: sign, "aria-label": [title, ...lines].join(". "), style: `left:${x.toFixed(1)}px` });
    Object.assign(button, { slTip: { title, lines }, slAt: at, slMarks: marks });
    return button;
  }

  /** Puts marks into a lane, which is one stop of the Tab key; the arrows go on from there. Who stands on a mark stays on it. */
  fill(lane, box, marks) {
    const active = lane.getRootNode().activeElement;
    const stood = lane.contains(active) ? active.slAt : undefined;
    box.replaceChildren(...marks);
    const buttons = marksOf(lane);
    const kept = Math.max(0, buttons.findIndex(({ slAt }) => slAt === stood));
    buttons.forEach((button, i) => { button.tabIndex = i === kept ? 0 : -1; });
    if (stood !== undefined) buttons[kept]?.focus({ preventScroll: true });
  }

  listen(lane) {
    const buttonOf = (event) => event.target.closest?.(MARKS);
    const show = (event) => {
      const button = buttonOf(event);
      if (button) this.tell(button);
    };
    lane.addEventListener("pointerover", show);
    lane.addEventListener("focusin", show);
    for (const type of ["pointerout", "focusout"]) lane.addEventListener(type, () => this.tooltip.hide());
    lane.addEventListener("click", (event) => {
      const button = buttonOf(event);
      if (button) this.onGo(button.slAt, button.slMarks);
    });
    lane.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const buttons = marksOf(lane), place = buttons.indexOf(buttonOf(event));
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

  tell(button) {
    // beside it where there is room: under the last lane the window may end
    const isWide = button.closest(".sl-narrow") === null;
    this.tooltip.showAt(button, { ...button.slTip, place: isWide ? "beside" : "below" });
  }
}
