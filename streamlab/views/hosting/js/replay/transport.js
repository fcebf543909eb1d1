/* Play, step, speed, and where the replay stands. */
import { CONTROLS, chooser, element, isChord, isTaken, setText } from "../../../kit/js/dom.js";
import { formatCount } from "../../../kit/js/format.js";
import { iconButton, setIcon } from "../../../kit/js/icons.js";

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
