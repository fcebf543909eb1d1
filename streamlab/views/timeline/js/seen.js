/*
 * Which rows the curves show: a window that follows the run, or one that people have set.
 *
 * Following, a short run is seen whole; a long one by its latest rows, in a window as wide as a quarter of a minute of its speed, but no
 * wider than the rows so far need; it moves on by a quarter of itself at a time, so that the eye can rest.
 */
import { clamp } from "../../kit/js/dom.js";

/** Rows that are seen at least, and seconds of the run's speed that the window holds. */
const LEAST = 2500, SECONDS = 15;
/** The window is a power of this times LEAST, with so much room ahead of the run. */
const GROWTH = 2, ROOM = 1.05, STEPS = 4;
/** The fewest rows that can be seen at once. */
const CLOSEST = 20;

export class Seen {
  constructor() {
    this.set = null;
    this.width = LEAST;
    this.total = LEAST;
    this.at = 0;
  }

  get follows() {
    return this.set === null;
  }

  /**
   * The run has come to a row.
   * @param {{end: number, rows: number|null, speed: number}} run `rows`: the stream's length, if known; `speed` in rows a second
   */
  follow({ end, rows, speed }) {
    this.end = end;
    while (this.total < end * ROOM) this.total *= GROWTH;
    if (rows) this.total = rows;
    // wider where the run is fast and has gone so far, never narrower again: what moves by itself should not also change its scale
    while (this.width < Math.min(SECONDS * speed, end * ROOM)) this.width *= GROWTH;
    if (this.set) this.set = this.within(this.set);
  }

  /** All rows there can be: [0, total]. */
  get whole() {
    return [0, this.total];
  }

  /** The rows seen now. */
  get axis() {
    if (this.set) return this.set;
    const width = Math.min(this.width, this.total);
    if (this.end * ROOM <= width || this.total <= width) return [0, width];
    const step = width / STEPS;
    const to = Math.min(this.total, step * Math.ceil((this.end * 1.0001) / step));
    return [Math.max(0, to - width), Math.max(to, width)];
  }

  within([from, to]) {
    const width = clamp(to - from, Math.min(CLOSEST, this.total), this.total);
    const start = clamp(from, 0, this.total - width);
    return [start, start + width];
  }

  /** Shows these rows from now on. */
  show(from, to) {
    this.set = this.within([Math.min(from, to), Math.max(from, to)]);
  }

  /** Zooms by a factor (above 1: fewer rows) around a row that stays where it is. */
  zoom(factor, around) {
    const [from, to] = this.axis;
    const share = (around - from) / (to - from);
    const width = clamp((to - from) / factor, Math.min(CLOSEST, this.total), this.total);
    this.show(around - share * width, around + (1 - share) * width);
  }

  /** Moves on by so many rows; at an end it stops there. */
  pan(rows) {
    const [from, to] = this.axis;
    const start = clamp(from + rows, 0, Math.max(0, this.total - (to - from)));
    this.show(start, start + (to - from));
  }

  /** Shows all rows. */
  all() {
    this.show(0, this.total);
  }

  /** Follows the run again. */
  release() {
    this.set = null;
  }
}
