/*
 * A run's replay: the page of a file that streamlab.views.hosting.replay_page wrote.
 *
 * It is the live page's screen with the live page's parts: their modules speak with components of Panel, which here are fed from the recording.
 * Nothing is asked of any address.
 */
import { button, element, isChord, isTaken, setText } from "../../kit/js/dom.js";
import { formatCount, plural } from "../../kit/js/format.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { themeOf } from "../../kit/js/palette.js";
import { beginTabsHere, render as transport } from "../../page/js/transport.js";
import { asText } from "../../timeline/js/colours.js";
import { render as timeline } from "../../timeline/js/timeline.js";
import { Playhead, RATES } from "./replay/playhead.js";
import { readRecording } from "./replay/recording.js";
import { Stage } from "./replay/stage.js";
import { REPLAY_CSS } from "./replay/style.js";

const TOO_OLD = "This browser is too old for the replay: it cannot unpack the data. Chrome and Edge can from 111 on, Firefox from 113, Safari from 16.4.";
const NOTHING = { spec: [], buffer: new ArrayBuffer(0) };

/** What stands in for Panel's component: parameters, whose changes are heard, and messages both ways. */
function component(parameters, hear) {
  const acts = new Map();
  const own = {
    ...parameters,
    on: (name, act) => acts.set(name, [...(acts.get(name) ?? []), act]),
    off: (name, act) => acts.set(name, (acts.get(name) ?? []).filter((each) => each !== act)),
    fire: (name, value) => (acts.get(name) ?? []).forEach((act) => act(value)),
    send_msg: hear,
  };
  const set = (target, name, value) => {
    const isOther = target[name] !== value;
    target[name] = value;
    if (isOther) target.fire(name);
    return true;
  };
  return new Proxy(own, { set });
}

class Page {
  constructor(root, recording) {
    const { head } = recording;
    Object.assign(this, { recording, measure: 0, choice: 0, number: 0, models: new Set() });
    this.starts = head.drifts.map(({ at }) => at);
    this.playhead = new Playhead(head.rows, () => this.move());
    this.story = element("p", { class: "sl-story" });
    const command = ({ kind, name, value }) => { if (kind === "command") this.command(name, value); };
    this.transport = this.part(transport, { page: false, restart: false, rates: RATES.map((rate) => [`${formatCount(rate)} rows/s`, rate]) }, command);
    this.transport.node.className = "sl-transport-area";
    // of the rows themselves nothing is recorded
    this.transport.node.querySelector(".sl-seen").disabled = true;
    this.timeline = this.part(timeline, { beside: 0, axis: null }, command);
    this.timeline.node.className = "sl-time";
    this.timeline.model.on("axis", () => this.stage.follow(this.timeline.model.axis));
    this.stage = new Stage(this);
    this.theme = button("", () => this.setDark(!this.dark), { class: "sl-theme" });
    this.help = element("div");
    const helped = this.help.attachShadow({ mode: "open" });
    this.told = (html) => {
      const words = element("div");
      words.innerHTML = html;
      helped.replaceChildren(element("style", { text: `${head.help_style}:host{display:block}.sl-details-act{display:none}` }), words);
    };
    for (const [name, node] of Object.entries({ story: this.story, stage: this.stage.node, transport: this.transport.node, timeline: this.timeline.node })) node.dataset.area = name;
    this.main = element("main", { class: "sl-view sl-replay" }, [
      element("header", { class: "sl-top" }, [element("h1", { text: head.title, title: head.title }), this.theme]),
      element("div", { class: "sl-screen" }, [this.story, this.stage.node, this.timeline.node, this.transport.node]),
      element("section", { class: "sl-about", "aria-label": "About this replay" }, [
        element("p", { class: "sl-intro", text: this.intro() }), this.help,
        element("p", { class: "sl-muted", text: `Recorded with ${head.made_with}. This file holds all that it shows and asks for no address.` }),
      ]),
    ]);
    root.append(element("style", { text: REPLAY_CSS }), this.main);
    document.addEventListener("keydown", (event) => this.key(event));
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => this.setDark(system.matches));
    this.setDark(system.matches);
    this.choose(0);
    this.stage.draw();
    beginTabsHere(this.transport.node);
  }

  /** A part of the live page: {model, node}; `hear(message)` gets what it says to the server. */
  part(render, parameters, hear = () => {}) {
    const model = component({ dark: this.dark, ...parameters }, hear), node = element("div");
    render({ model, el: node, view: { model: {} } });
    this.models.add(model);
    model.on("lifecycle:remove", () => this.models.delete(model));
    return { model, node };
  }

  intro() {
    const { listed, learners, stream, rows, n_rows: all, n_features: features, n_labels: labels } = this.recording.head;
    const part = all && all > rows ? ` (of ${formatCount(all)})` : "", shown = learners.length > 1 ? "every learner" : "the learner";
    return `A replay of how ${listed} learned the stream “${stream}”: ${plural(rows, "row")}${part} of ${plural(features, "feature")} and `
      + `${plural(labels, "label")}. Each row was shown to ${shown} without its labels; its answer was scored, then it learned the labels.`;
  }

  /** What the parts ask of the server. */
  command(name, value) {
    const { playhead } = this, { chunk, measures } = this.recording.head;
    const acts = {
      play: () => playhead.play(), pause: () => playhead.pause(), step: () => playhead.jump(Math.floor(playhead.position) + (value ?? chunk)),
      rate: () => { playhead.rate = RATES[value]; }, seek: () => playhead.jump(value), drag: () => playhead.jump(value),
      curves: () => this.choose(measures.findIndex((each) => each.name === value[0])),
    };
    acts[name]?.();
    this.move();
  }

  /** Back, too; forwards the transport does. */
  key(event) {
    if (isTaken(event) || isChord(event) || event.defaultPrevented) return;
    const rows = { ArrowLeft: 1, PageUp: this.recording.head.chunk }[event.key];
    if (!rows) return;
    this.playhead.jump(Math.ceil(this.playhead.position) - rows);
    event.preventDefault();
  }

  setDark(dark) {
    this.dark = dark;
    document.documentElement.classList.toggle("sl-dark", dark);
    this.main.classList.toggle("sl-dark", dark);
    setText(this.theme, dark ? "Light" : "Dark");
    this.theme.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    for (const model of this.models) model.dark = dark;
    this.at = null;
  }

  /** Another measure is drawn. */
  choose(measure) {
    this.measure = measure;
    this.choice += 1;
    const { recording: { head, curves } } = this, columns = curves.map((_, i) => `v${i}`);
    const about = { ...head.measures[measure], better: head.measures[measure].higher_is_better };
    this.draw({
      start: 0, position: [...curves[0].positions], ...Object.fromEntries(curves.map(({ values }, i) => [`v${i}`, [...values[measure]]])),
      head: {
        learners: head.learners, measures: [{ ...about, range: about.range ?? [0, 1] }], columns, parts: columns.map((_, i) => [0, i, 0]),
        offered: head.measures.map(({ name, title }) => [name, title]), over: "chunk", overs: [["chunk", "Per chunk"]],
      },
      happened: { start: 0, events: head.events, drifts: head.drifts, kinds: head.kinds, left: head.events_left_out },
    });
    this.at = null;
    this.move();
  }

  /** Sends the timeline its frame; `more`: what is new beside the position. */
  draw(more) {
    const { recording: { head, curves }, measure, playhead: { position, playing, end } } = this, { positions } = curves[0], row = Math.floor(position);
    // the level before the latest change up to the playhead
    const place = lastUpTo(this.starts, position - 1e-9);
    const levels = place < 0 ? [] : curves.flatMap(({ levels: own }, i) => (Number.isFinite(own[measure]?.[place]) ? [[this.starts[place], i, own[measure][place]]] : []));
    const whole = curves[0].whole ? [curves.map((each) => each.whole[measure])] : null;
    const run = {
      position: row, figures: positions[lastUpTo(positions, position)] ?? 0, whole, end, rows: end, state: playing ? "playing" : "paused", levels, losses: [],
      headed: this.stage.headed, speed: Infinity, chunk: head.chunk, fork: "", drift: "",
    };
    this.send(this.timeline, { choice: this.choice, start: positions.length, run, ...more });
  }

  send({ model }, frame) {
    this.number += 1;
    model.fire("msg:custom", { kind: "frame", number: this.number, ...NOTHING, ...frame });
  }

  /** The figure of a learner at the playhead, {value, of}: that of its last point so far; one of few rows counts with the point before it. */
  figureOf(learner) {
    const { measure } = this, { positions, values, whole } = this.recording.curves[learner] ?? {};
    const last = positions ? lastUpTo(positions, this.playhead.position) : -1;
    if (last < 0) return { value: "", of: "" };
    const isWhole = whole && last === positions.length - 1;
    const value = isWhole ? whole[measure] : values[measure][last], from = (positions[last - (isWhole ? 2 : 1)] ?? 0) + 1;
    const of = `${this.recording.head.measures[measure].title} of rows ${formatCount(from)} to ${formatCount(positions[last])}`;
    return { value: Number.isFinite(value) ? value.toFixed(2).replace(/^(-?)0\./, "$1.") : "", of };
  }

  move() {
    const { position, playing, rate, end } = this.playhead, row = Math.floor(position), at = `${position} ${playing} ${rate} ${this.stage.headed}`;
    if (at === this.at) return;
    this.at = at;
    const drift = this.recording.head.drifts[lastUpTo(this.starts, position - 1e-9)];
    this.send(this.transport, {
      state: playing ? "playing" : "paused", message: "", position: row, n_rows: end, end: row, live: true, speed: rate, pace: "", rate, rate_index: RATES.indexOf(rate),
      row: null, mark: drift ? [drift.at, drift.name] : null,
    });
    this.draw({});
    this.stage.move(this.playhead);
    this.writeWords();
  }

  /** The sentence of the position: what the live page tells there. */
  writeWords() {
    const { head, stories } = this.recording, { at, text } = stories[this.measure], key = `${text[Math.max(0, lastUpTo(at, this.playhead.position))]}`;
    if (key + this.dark === this.story.slKey) return;
    this.story.slKey = key + this.dark;
    const [mark, parts] = head.texts[key];
    this.story.replaceChildren(...mark ? [element("i", { text: mark }), " "] : [], ...parts.map(([words, learner]) => (
      learner < 0 ? words : element("b", { text: words, style: `color:${asText(themeOf(this.dark), head.learners[learner].colour)}` }))));
  }
}

async function start() {
  const root = document.getElementById("replay");
  const held = document.getElementById("recorded");
  if (typeof DecompressionStream === "undefined") {
    root.append(element("p", { role: "alert", text: TOO_OLD }));
    return;
  }
  const text = held.textContent;
  held.remove();
  try {
    window.__streamlab_replay = new Page(root, await readRecording(text));
  } catch (error) {
    root.append(element("p", { role: "alert", text: `This replay cannot be shown: ${error.message}` }));
    throw error;
  }
}

start();
