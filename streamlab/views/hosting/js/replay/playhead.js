/* Where the replay stands, and how it goes on by itself. */
import { clamp } from "../../../kit/js/dom.js";

export const RATES = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 100_000, 1_000_000];
/** Seconds that a replay takes at the speed that it opens with, about. */
const USUAL_SECONDS = 45;

/** A position among the rows that passed; `onMove()` is called when it moves, starts or stops to play. */
export class Playhead {
  /** @param {number} end rows in all; @param {() => void} onMove */
  constructor(end, onMove) {
    const away = (rate) => Math.abs(Math.log((rate * USUAL_SECONDS) / end));
    const rate = RATES.reduce((best, each) => (away(each) < away(best) ? each : best));
    Object.assign(this, { end, onMove, rate, position: end, playing: false, handle: 0 });
  }

  seek(position) {
    this.position = clamp(position, 0, this.end);
    this.onMove();
  }

  /** Stops, and goes to a position. */
  jump(position) {
    this.pause();
    this.seek(position);
  }

  play() {
    if (this.playing) return;
    if (this.position >= this.end) this.position = 0;
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
    this.onMove();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.handle);
    this.onMove();
  }
}
