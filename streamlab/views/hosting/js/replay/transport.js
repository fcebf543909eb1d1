/* Where the replay stands, how it goes on by itself, and its controls: play, step, speed. */
import { iconButton, setIcon } from "../../../kit/js/controls.js";
import { CONTROLS, chooser, clamp, element, isChord, isTaken, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { lastUpTo } from "../../../kit/js/numbers.js";

/** Steps that Page Up and Page Down make. */
const LEAP = 10;

/** A position among the rows that passed; calls `onMove()` when it moves and `onState()` when it starts or stops to play. */
export class Playhead {
  /** @param {number} end rows in all; @param {number[]} steps where something changes, ascending from 0 to the end */
  constructor(end, steps, rate) {
    Object.assign(this, { end, steps, rate, position: 0, playing: false, handle: 0 });
    this.movers = [];
    this.watchers = [];
  }

  onMove(act) {
    this.movers.push(act);
  }

  onState(act) {
    this.watchers.push(act);
  }

  seek(position) {
    const next = clamp(position, 0, this.end);
    if (next === this.position) return;
    this.position = next;
    for (const act of this.movers) act();
  }

  /** Goes by so many steps; between two of them the first step back leads to the one before. */
  step(count) {
    this.pause();
    const place = lastUpTo(this.steps, this.position);
    const isBetween = this.steps[place] < this.position;
    this.seek(this.steps[clamp(place + count + (count < 0 && isBetween ? 1 : 0), 0, this.steps.length - 1)]);
  }

  /** What a key does on a slider of positions; returns whether it does anything. */
  key(event) {
    if (isChord(event)) return false;
    const acts = {
      ArrowLeft: () => this.step(-1), ArrowDown: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.step(1),
      PageDown: () => this.step(-LEAP), PageUp: () => this.step(LEAP), Home: () => this.jump(0), End: () => this.jump(this.end),
      " ": () => this.toggle(), Enter: () => this.toggle(),
    };
    if (!acts[event.key]) return false;
    acts[event.key]();
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Stops, and goes to a position. */
  jump(position) {
    this.pause();
    this.seek(position);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.playing) return;
    if (this.position >= this.end) this.seek(0);
    this.playing = true;
    let before = performance.now();
    const tick = (now) => {
      // a tab that was hidden goes on where it was
      const passed = Math.min(now - before, 250) / 1000;
      before = now;
      this.seek(this.position + passed * this.rate);
      if (this.position >= this.end) this.pause();
      else if (this.playing) this.handle = requestAnimationFrame(tick);
    };
    this.handle = requestAnimationFrame(tick);
    for (const act of this.watchers) act();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.handle);
    for (const act of [...this.watchers, ...this.movers]) act();
  }
}

const RATES = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 100_000, 1_000_000];
/** Seconds that a replay takes at the speed that it opens with, about. */
const USUAL_SECONDS = 45;
/** The speed at which all rows pass in about USUAL_SECONDS, of those offered. */
export const usualRate = (rows) => RATES.reduce((best, rate) => (
  Math.abs(Math.log((rate * USUAL_SECONDS) / rows)) < Math.abs(Math.log((best * USUAL_SECONDS) / rows)) ? rate : best));

export class Transport {
  constructor(recording, playhead) {
    Object.assign(this, { playhead, rows: recording.head.rows });
    this.word = element("span", { text: "Play" });
    this.play = iconButton("play", () => playhead.toggle(), { class: "sl-play", title: "Play or pause (Space)" }, [this.word]);
    const step = (name, by, label, title) => iconButton(name, () => playhead.step(by), { class: "sl-round", "aria-label": label, title });
    const back = step("back", -1, "Step back", "One step back (left arrow)"), forward = step("step", 1, "Step forward", "One step forward (right arrow)");
    const speed = chooser("Speed", RATES.map((rate) => [rate, `${formatCount(rate)} rows/s`]), (rate) => { playhead.rate = Number(rate); });
    speed.value = `${playhead.rate}`;
    // a second slider: the timeline's is out of sight while a tall picture is looked at
    this.slider = element("input", { type: "range", min: "0", max: `${this.rows}`, step: "1", "aria-label": "Position" });
    this.slider.addEventListener("input", () => playhead.jump(Number(this.slider.value)));
    this.slider.addEventListener("keydown", (event) => playhead.key(event));
    this.place = element("b");
    this.said = element("div", { class: "sl-hidden", role: "status", "aria-live": "polite" });
    this.node = element("div", { class: "sl-transport-row", role: "group", "aria-label": "Playback" }, [
      this.play, back, forward, speed, this.slider, element("div", { class: "sl-place" }, [this.place]), this.said,
    ]);
    playhead.onState(() => this.showState());
    document.addEventListener("keydown", (event) => this.key(event));
    this.move();
  }

  /** Space plays and the arrows step, wherever no control takes them. */
  key(event) {
    if (isTaken(event, `${CONTROLS},.sl-scroll`) || isChord(event) || event.defaultPrevented) return;
    const acts = { " ": () => this.playhead.toggle(), ArrowLeft: () => this.playhead.step(-1), ArrowRight: () => this.playhead.step(1) };
    if (!acts[event.key]) return;
    acts[event.key]();
    event.preventDefault();
  }

  showState() {
    const { playing } = this.playhead;
    setIcon(this.play, playing ? "pause" : "play");
    setText(this.word, playing ? "Pause" : "Play");
    setText(this.said, playing ? "Playing" : `Paused at row ${formatCount(Math.floor(this.playhead.position))}`);
  }

  move() {
    const row = Math.floor(this.playhead.position);
    const words = `Row ${formatCount(row)} of ${formatCount(this.rows)}`;
    setText(this.place, words);
    if (Number(this.slider.value) !== row) this.slider.value = `${row}`;
    this.slider.setAttribute("aria-valuetext", words);
  }
}
