/* Where the replay stands, and how it goes on by itself. */
import { clamp, isChord } from "../../../kit/js/dom.js";
import { lastUpTo } from "../../../kit/js/search.js";

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
