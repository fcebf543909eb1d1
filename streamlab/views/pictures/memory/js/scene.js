/* What is drawn: rows by number, each gliding, and how many rows of time the picture spans. */
import { SoloGlide, THERE, Tween } from "../../../kit/js/tween.js";

/** What glides, of a row: its age and how high it is. */
export const AGE = 1, HIGH = 2;
/** The span shrinks when less than this share of it is needed. */
const TOO_WIDE = 0.45;
const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
const SHORTEST = 50;

/** The next round number of rows. */
export function roundUp(rows) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rows, 1)));
  return Math.ceil(power * ROUND.find((step) => step * power >= rows));
}

export class Scene {
  constructor() {
    this.marks = new Tween(3);
    /** [rows from the right edge to the left one]. */
    this.span = new SoloGlide([SHORTEST]);
    this.clear();
  }

  clear() {
    this.marks.clear();
    this.isNew = true;
  }

  take(frame, now) {
    const oldest = frame.id.length ? frame.age[0] : 0;
    const [shown] = this.span.to;
    if (this.isNew || oldest > shown || (shown > SHORTEST && oldest < TOO_WIDE * shown)) {
      this.span.aim([Math.max(SHORTEST, roundUp(1.05 * oldest))], now, this.isNew);
    }
    this.isNew = false;
    const later = this.now === undefined ? 0 : Math.max(0, frame.now - this.now);
    this.now = frame.now;
    this.marks.aim(frame.id, now, (mark, i) => {
      mark.to[AGE] = frame.age[i];
      mark.to[HIGH] = frame.share[i];
    }, { leave(mark) {
      // what is dropped goes on ageing, and falls
      if (mark.to[THERE] !== 1) return;
      mark.to[AGE] += later;
      mark.to[HIGH] = -0.12;
    } });
  }
}
