/*
 * The pictures, drawn by the same code as on the live page, which here is fed from the recording: at most two learners beside each other, each
 * below its head, and the words that choose another picture.
 */
import { pictures as own } from "streamlab:pictures";
import { chooser, element, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { render as head } from "../../../page/js/head.js";
import { render as views } from "../../../page/js/views.js";

const MOST_BESIDE = 2;
const NOT_FOLDED = "In a replay nothing can be folded: what is drawn was recorded.";

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
  constructor(page, slot, render, choice) {
    Object.assign(this, { page, slot, shown: -1, playing: false, parameters: slot.parameters(0) });
    const { rows, learners } = page.recording.head, { name, colour } = learners[slot.learner] ?? {};
    this.head = name ? page.part(head, { shown: { ...NO_NUMBER, name, colour, value: "", of: "" } }) : null;
    this.when = element("p", { class: "sl-muted sl-when" });
    const given = { labels: [], selected: null, empty_text: "Nothing yet: press play", ...this.parameters, axis: page.timeline.model.axis ?? [0, rows], picture_height: 440 };
    this.picture = page.part(render, given, (message) => {
      if (message.kind === "collapse") setText(this.when, NOT_FOLDED);
      if (message.kind === "visit") page.playhead.jump(message.row);
    });
    this.picture.node.className = "sl-place-of";
    const above = element("div", { class: "sl-heads" }, [...(this.head ? [this.head.node] : []), ...choice, this.when]);
    this.whole = element("div", { class: "sl-slot", "data-part": "picture" }, [above, this.picture.node]);
  }

  /** Shows the last frame up to a position, and says of which row it is where that is another. */
  show(position, playing) {
    const place = this.slot.at(position);
    this.tell(place, Math.floor(position));
    this.picture.node.style.visibility = place < 0 ? "hidden" : "";
    if (place < 0 || (place === this.shown && playing === this.playing)) return;
    if (place !== this.shown) this.takeParameters(place);
    Object.assign(this, { shown: place, playing });
    this.picture.model.fire("msg:custom", { ...this.slot.frame(place), playing });
  }

  tell(place, row) {
    const { positions } = this.slot, next = place + 1 < positions.length ? `; the next one is of row ${formatCount(positions[place + 1])}` : "";
    setText(this.when, place < 0 ? `No picture is recorded up to here${next}.` : positions[place] === row ? "" : `Picture of row ${formatCount(positions[place])}${next}.`);
    const figure = this.page.figureOf(this.slot.learner);
    if (this.head && figure.of !== this.head.model.shown.of) this.head.model.shown = { ...this.head.model.shown, ...figure };
  }

  takeParameters(place) {
    const before = this.parameters;
    this.parameters = { ...before };
    if (place === this.shown + 1 && this.shown >= 0) this.slot.change(this.parameters, place);
    else this.parameters = this.slot.parameters(place);
    for (const [name, value] of Object.entries(this.parameters)) if (value !== before[name]) this.picture.model[name] = value;
  }

  remove() {
    for (const part of [this.head, this.picture]) part?.model.fire("lifecycle:remove");
    this.whole.remove();
  }
}

/** What a head says of the parameter that is set by it: nothing, as nothing is. */
const NO_NUMBER = { before: "", set: "", number: "", after: "", options: [], title: "" };

export class Stage {
  constructor(page) {
    Object.assign(this, { page, places: [], serial: 0, chosen: new Map() });
    const titles = page.recording.pictures.map(({ title }) => title);
    this.views = page.part(views, { titles, active: 0 });
    this.views.node.className = "sl-words";
    this.views.model.on("active", () => this.draw());
    this.pair = element("div", { class: "sl-pair" });
    this.node = element("div", { class: "sl-stage-area" }, [...(titles.length > 1 ? [this.views.node] : []), this.pair]);
  }

  get picture() {
    return this.page.recording.pictures[this.views.model.active];
  }

  /** The places of the learners whose heads are seen. */
  get headed() {
    return this.places.map(({ slot }) => slot.learner).filter((learner) => learner >= 0);
  }

  /** Lists of learners to choose from, where there are more than stand beside each other. */
  choiceOf(slots, shown, i) {
    if (slots.length <= MOST_BESIDE) return [];
    const names = slots.map(({ learner }, k) => [k, this.page.recording.head.learners[learner].name]).filter(([k]) => !shown.includes(k));
    return [chooser("Learner drawn", [["", "Another"], ...names], (value) => {
      this.chosen.set(this.picture, shown.with(i, Number(value)));
      this.draw();
    })];
  }

  async draw() {
    const serial = ++this.serial, { picture } = this;
    if (!picture) return;
    const render = picture.module === null ? own[picture.name] : await load(picture.module);
    if (serial !== this.serial) return;
    for (const place of this.places) place.remove();
    const { slots, least_width: least } = picture, shown = this.chosen.get(picture) ?? [...slots.keys()].slice(0, MOST_BESIDE);
    this.places = shown.map((k, i) => new Place(this.page, slots[k], render, this.choiceOf(slots, shown, i)));
    // what was chosen in one picture is chosen in those beside it
    for (const { picture: { model } } of this.places) {
      for (const name of picture.linked) model.on(name, () => this.places.forEach((other) => { other.picture.model[name] = model[name]; }));
    }
    this.pair.style.setProperty("--least", `${least}px`);
    this.pair.replaceChildren(...this.places.map(({ whole }) => whole));
    this.page.told(picture.help);
    this.page.move();
  }

  /** The curves show other rows: so does a picture that has their axis. */
  follow(axis) {
    for (const { picture } of this.places) picture.model.axis = axis;
  }

  move({ position, playing }) {
    for (const place of this.places) place.show(position, playing);
  }
}
