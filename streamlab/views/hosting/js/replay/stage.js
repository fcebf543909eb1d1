/*
 * The pictures, a tab for each: drawn by the same code as on the live page, which here is fed from the recording.
 *
 * A picture's module speaks with a component of Panel: parameters that change, and messages. Component plays that part.
 */
import { pictures as own } from "streamlab:pictures";
import { button, chooser, element, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { AT_ONCE } from "../../../kit/js/room.js";

const NONE = "none";
/** Under this width one learner is drawn at first, px. */
const BESIDE = 700;
const CALL_AGAIN = { collapse: "In a replay nothing can be folded: what is drawn was recorded." };

/** What stands in for Panel's component: parameters by name, and messages both ways. */
class Component {
  constructor(parameters, onMessage) {
    Object.assign(this, parameters);
    this.onMessage = onMessage;
    this.listeners = new Map();
  }

  on(name, act) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), act]);
  }

  off(name, act) {
    this.listeners.set(name, (this.listeners.get(name) ?? []).filter((each) => each !== act));
  }

  fire(name, value) {
    for (const act of this.listeners.get(name) ?? []) act(value);
  }

  set(name, value) {
    if (this[name] === value) return;
    this[name] = value;
    this.fire(name);
  }

  /** Tells what the picture itself sets a parameter to. */
  watch(name, tell) {
    let value = this[name];
    Object.defineProperty(this, name, {
      get: () => value,
      set: (next) => {
        if (next === value) return;
        value = next;
        tell(next);
      },
    });
  }

  send_msg(message) {
    this.onMessage(message);
  }

  receive(message) {
    this.fire("msg:custom", message);
  }
}

/** The module of a picture of another package, out of the file's own data. */
async function load(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(address)).render;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** One picture of one learner. */
class Place {
  constructor(slot, render, { name, saysName, dark, rows, say, visit }) {
    Object.assign(this, { slot, shown: -1, playing: false, parameters: slot.parameters(0) });
    this.node = element("div", { class: "sl-place-of" });
    const heading = name === null ? [] : [element("h3", { text: name, class: saysName ? "sl-hidden" : null })];
    this.when = element("p", { class: "sl-muted sl-when" });
    this.whole = element("div", { class: "sl-slot", "data-part": "picture" }, [...heading, this.when, this.node]);
    const first = { labels: [], selected: null, empty_text: "Nothing yet: press play", ...this.parameters, axis: [0, rows], picture_height: 440, dark };
    this.component = new Component(first, (message) => {
      if (CALL_AGAIN[message.kind]) say(CALL_AGAIN[message.kind]);
      if (message.kind === "visit") visit(message.row);
    });
    render({ model: this.component, el: this.node, view: {} });
  }

  /** Shows the last frame up to a position, and says of which row it is where that is another. */
  show(position, playing) {
    const place = this.slot.at(position);
    setText(this.when, this.about(place, Math.floor(position)));
    this.node.style.visibility = place < 0 ? "hidden" : "";
    if (place < 0 || (place === this.shown && playing === this.playing)) return;
    if (place !== this.shown) this.takeParameters(place);
    Object.assign(this, { shown: place, playing });
    this.component.receive({ ...this.slot.frame(place), playing });
  }

  about(place, row) {
    const { positions } = this.slot;
    const next = place + 1 < positions.length ? `; the next one is of row ${formatCount(positions[place + 1])}` : "";
    if (place < 0) return `No picture is recorded up to here${next}.`;
    return positions[place] === row ? `Picture of row ${formatCount(row)}.` : `Picture of row ${formatCount(positions[place])}${next}.`;
  }

  takeParameters(place) {
    const before = this.parameters;
    this.parameters = { ...before };
    if (place === this.shown + 1 && this.shown >= 0) this.slot.change(this.parameters, place);
    else this.parameters = this.slot.parameters(place);
    for (const [name, value] of Object.entries(this.parameters)) if (value !== before[name]) this.component.set(name, value);
  }

  remove() {
    this.component.fire("lifecycle:remove");
    this.whole.remove();
  }
}

export class Stage {
  constructor(recording, playhead) {
    Object.assign(this, { recording, playhead, dark: false, places: [], serial: 0 });
    this.chosen = new Map();
    this.tabs = recording.pictures.map(({ title }, i) => (
      button(title, () => this.open(i), { role: "tab", id: `sl-tab-${i}`, "aria-controls": "sl-stage-panel" })));
    const list = element("div", { class: "sl-tabs", role: "tablist", "aria-label": "Pictures" }, this.tabs);
    list.addEventListener("keydown", (event) => this.key(event));
    this.choice = element("div", { class: "sl-bar-row sl-choice" });
    this.pair = element("div", { class: "sl-pair" });
    this.help = element("div", { class: "sl-help" });
    this.helpRoot = this.help.attachShadow({ mode: "open" });
    this.fold = element("details", { class: "sl-fold", open: window.innerWidth >= BESIDE && !window.matchMedia(AT_ONCE).matches }, [element("summary", { text: "How to read it" }), this.help]);
    this.note = element("p", { class: "sl-muted", role: "status" });
    const panel = element("div", { role: "tabpanel", id: "sl-stage-panel" }, [this.fold, this.choice, this.pair, this.note]);
    this.panel = panel;
    this.node = element("section", { class: "sl-card sl-pictures", "aria-label": "Pictures" }, [list, panel]);
    this.node.hidden = !this.tabs.length;
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const count = this.tabs.length;
    const next = step ? (this.opened + step + count) % count : { Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    this.open(next);
    this.tabs[next].focus();
    event.preventDefault();
  }

  /** Opens a tab. */
  open(index) {
    if (!this.tabs.length || index === this.opened) return;
    this.opened = index;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
    });
    this.panel.setAttribute("aria-labelledby", `sl-tab-${index}`);
    this.writeChoice();
    this.writeHelp();
    this.draw();
  }

  get picture() {
    return this.recording.pictures[this.opened];
  }

  /** Which two slots are drawn: [first, second or -1]. */
  get shown() {
    const isWide = this.node.clientWidth >= BESIDE;
    return this.chosen.get(this.picture) ?? [0, this.picture.slots.length > 1 && isWide ? 1 : -1];
  }

  nameOf(slot) {
    return this.recording.head.learners[slot.learner]?.name ?? "";
  }

  /** Lists of learners, where there is a choice. */
  writeChoice() {
    const { slots } = this.picture;
    this.choice.hidden = slots.length < 2;
    if (slots.length < 2) return;
    const options = slots.map((slot, i) => [i, this.nameOf(slot)]);
    const choose = () => {
      this.chosen.set(this.picture, [Number(first.value), Number(second.value) === Number(first.value) ? -1 : Number(second.value)]);
      second.value = `${this.shown[1]}`;
      this.draw();
    };
    const first = chooser("Learner drawn", options, choose), second = chooser("Learner beside it", [[-1, NONE], ...options], choose);
    [first.value, second.value] = this.shown.map(String);
    this.choice.replaceChildren(element("label", {}, ["Show ", first]), element("label", {}, ["beside it ", second]));
  }

  /** How to read the picture, in the words of its package. */
  writeHelp() {
    const style = element("style", { text: `${this.recording.head.help_style}:host{display:block}:is(.sl-details-act,.sl-details-hint h3){display:none}` });
    const words = element("div");
    words.innerHTML = this.picture.help;
    this.fold.hidden = !this.picture.help && this.picture.slots.every(({ details }) => !details);
    for (const slot of this.picture.slots) {
      if (!slot.details) continue;
      const details = element("div", { class: "sl-latest" });
      details.innerHTML = slot.details;
      words.append(element("p", { text: `What was selected, as it stood at row ${formatCount(slot.positions[slot.positions.length - 1])}:` }), details);
    }
    this.helpRoot.replaceChildren(style, words);
  }

  async draw() {
    const serial = ++this.serial;
    const { picture } = this;
    const render = picture.module === null ? own[picture.name] : await load(picture.module);
    if (serial !== this.serial) return;
    for (const place of this.places) place.remove();
    setText(this.note, "");
    const slots = this.shown.filter((i) => i >= 0).map((i) => picture.slots[i]);
    const isNamed = picture.slots.length > 1 || this.recording.head.learners.length > 1;
    this.pair.classList.toggle("sl-two", slots.length > 1 && !picture.wide);
    this.places = slots.map((slot) => {
      const name = isNamed && slot.learner >= 0 ? this.nameOf(slot) : null;
      const answers = { say: (words) => setText(this.note, words), visit: (row) => this.playhead.seek(row) };
      return new Place(slot, render, { name, saysName: picture.says_learner, dark: this.dark, rows: this.recording.head.rows, ...answers });
    });
    for (const { component } of this.places) for (const linked of picture.linked ?? []) component.watch(linked, (value) => this.link(linked, value));
    this.pair.replaceChildren(...this.places.map(({ whole }) => whole));
    this.move();
  }

  /** What was chosen in one picture is chosen in those beside it. */
  link(name, value) {
    for (const { component } of this.places) {
      component[name] = value;
      component.fire(name);
    }
  }

  move() {
    const { position, playing } = this.playhead;
    for (const place of this.places) place.show(position, playing);
  }

  setDark(dark) {
    this.dark = dark;
    for (const { component } of this.places) component.set("dark", dark);
  }
}
