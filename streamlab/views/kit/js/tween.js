/*
 * The one engine of motion: rows of numbers that glide from where they are to where they should be, kept by id.
 */
import { easeCubicOut } from "d3-ease";

/** The first number of a row that comes and goes: how much of it is there, 0..1. */
export const THERE = 0;

/** Numbers on their way. */
class Glide {
  constructor(width) {
    [this.from, this.at, this.to] = Array.from({ length: 3 }, () => new Float64Array(width));
  }

  depart() {
    this.from.set(this.at);
  }

  go(share) {
    const { from, at, to } = this;
    for (let i = 0; i < at.length; i++) at[i] = from[i] + (to[i] - from[i]) * share;
  }

  finish() {
    this.from.set(this.to);
    this.at.set(this.to);
  }
}

/** Glides that depart together. */
export class Tween {
  /**
   * @param {number} width numbers in a row
   * @param {{duration?: number, faint?: number}} options duration in ms; a vanishing row with no more than `faint` of it there is gone
   */
  constructor(width, { duration = 300, faint = 0.12 } = {}) {
    Object.assign(this, { width, duration, faint, start: 0, moving: false });
    this.items = new Map();
  }

  /** The row of an id: {id, from, at, to, ...}, made where there is none; `isNew` until it is first aimed. */
  item(id) {
    let item = this.items.get(id);
    if (!item) {
      item = Object.assign(new Glide(this.width), { id, isNew: true });
      this.items.set(id, item);
    }
    return item;
  }

  get(id) {
    return this.items.get(id);
  }

  /**
   * Sends rows to new places; what is not among them vanishes.
   * @param {ArrayLike<number>} ids
   * @param {(item, index: number) => void} goal writes `item.to`; what is new appears there
   * @param {{leave?: (item) => void, begin?: (item) => void}} [edges] `leave` writes `item.to` of what vanishes, `begin` the `item.at` of
   *   what is new, where that comes from elsewhere
   */
  aim(ids, now, goal, { leave = () => {}, begin = () => {} } = {}) {
    // When frames come faster than a glide takes, no glide ends: what has all but vanished goes now.
    this.drop(this.faint);
    for (const item of this.items.values()) item.row = -1;
    for (let i = 0; i < ids.length; i++) {
      const item = this.item(ids[i]);
      item.row = i;
      item.to[THERE] = 1;
      goal(item, i);
      if (item.isNew) {
        item.at.set(item.to);
        item.at[THERE] = 0;
        begin(item);
      }
      item.isNew = false;
    }
    for (const item of this.items.values()) {
      if (item.row < 0) {
        leave(item);
        item.to[THERE] = 0;
      }
      item.depart();
    }
    this.depart(now);
  }

  depart(now) {
    this.start = now;
    this.moving = true;
  }

  /** Moves everything to its place at `now`. */
  advance(now) {
    if (!this.moving) return;
    const t = (now - this.start) / this.duration;
    if (t >= 1) this.finish();
    else {
      const share = easeCubicOut(Math.max(0, t));
      for (const item of this.items.values()) item.go(share);
    }
  }

  finish() {
    this.moving = false;
    for (const item of this.items.values()) item.finish();
    this.drop(0);
  }

  /** Forgets what vanishes, once no more than `there` of it is left. */
  drop(there) {
    for (const item of this.items.values()) if (item.to[THERE] === 0 && item.at[THERE] <= there) this.items.delete(item.id);
  }

  clear() {
    this.items.clear();
    this.moving = false;
  }
}

/** One row of numbers, which stays: a camera, for instance. */
export class SoloGlide extends Tween {
  constructor(values, duration) {
    super(values.length, { duration });
    const { at, to } = this.item(0);
    Object.assign(this, { at, to });
    for (const each of [at, to]) each.set(values);
  }

  aim(goal, now, jump) {
    this.to.set(goal);
    this.get(0).depart();
    this.depart(now);
    if (jump) this.finish();
  }

  drop() {}
}
