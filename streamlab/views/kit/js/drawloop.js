/* When to draw, and how often to do what costs more. */

/**
 * Shortest time between two draws, in ms: 30 a second look smooth. While frames keep coming the picture never rests, and 20 a
 * second do: the cores are the learner's. A hand that moves the picture, or a single change, is followed by every refresh.
 */
const CALM_MS = 31, BUSY_MS = 48, SMOOTH_MS = 14, BUSY_GAP_MS = 250;
/** A refresh of a 60 Hz screen, ms. A draw that is further off is waited for by a timer: each refresh asked for costs the browser a round. */
const REFRESH_MS = 17;

/**
 * Calls `draw(now)` while asked to, no more often than smooth motion needs, and never while nobody can see it.
 *
 * `request()` asks for one draw; `draw` returns true to be called again. Hidden tab or scrolled out of sight: the loop stops;
 * on return it calls `onReturn`, so that the view can jump to the newest state instead of playing what was missed.
 */
export class DrawLoop {
  constructor(target, draw, onReturn) {
    this.draw = draw;
    this.onReturn = onReturn;
    this.handle = this.timer = 0;
    this.last = -Infinity;
    this.every = CALM_MS;
    this.frameAt = -Infinity;
    this.inSight = true;
    this.wanted = false;
    this.away = document.hidden;
    this.tick = this.tick.bind(this);
    this.visibility = () => this.reconsider();
    document.addEventListener("visibilitychange", this.visibility);
    this.observer = new IntersectionObserver((entries) => {
      this.inSight = entries[entries.length - 1].isIntersecting;
      this.reconsider();
    }, { rootMargin: "100px" });
    this.observer.observe(target);
  }

  get visible() {
    return this.inSight && !document.hidden;
  }

  /** A new frame has come: how soon after the last decides how often is drawn. */
  frame() {
    const now = performance.now();
    this.every = now - this.frameAt < BUSY_GAP_MS ? BUSY_MS : SMOOTH_MS;
    this.frameAt = now;
    this.request();
  }

  /** Draw as often as the screen does, until the next frame comes. */
  smooth() {
    this.every = SMOOTH_MS;
    this.request();
  }

  request() {
    this.wanted = true;
    if (!this.handle && this.visible) this.await();
  }

  /** The next refresh at which a draw is due. */
  await() {
    clearTimeout(this.timer);
    const wait = this.last + this.every - performance.now();
    if (wait <= REFRESH_MS) this.handle = requestAnimationFrame(this.tick);
    else this.timer = setTimeout(() => { this.handle = requestAnimationFrame(this.tick); }, wait - REFRESH_MS / 2);
  }

  reconsider() {
    if (!this.visible) {
      this.cancel();
      this.away = true;
    } else if (this.away) {
      this.away = false;
      this.onReturn();
      this.request();
    }
  }

  tick(now) {
    this.handle = 0;
    // A little slack: on a 60 Hz screen every second (third) refresh is drawn, not every third (fourth).
    if (now - this.last < this.every - 4) {
      this.await();
      return;
    }
    this.last = now;
    this.wanted = false;
    if (this.draw(now)) this.request();
  }

  cancel() {
    cancelAnimationFrame(this.handle);
    clearTimeout(this.timer);
    this.handle = 0;
  }

  stop() {
    this.cancel();
    document.removeEventListener("visibilitychange", this.visibility);
    this.observer.disconnect();
  }
}

/** Runs something at most every `every` ms, and always once after the last request. */
export class Throttled {
  constructor(run, every) {
    this.run = run;
    this.every = every;
    this.due = 0;
    this.timer = 0;
  }

  request() {
    if (this.timer) return;
    const wait = Math.max(0, this.due - performance.now());
    if (wait === 0) this.fire();
    else this.timer = setTimeout(() => this.fire(), wait);
  }

  /** Runs it now. */
  fire() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.due = performance.now() + this.every;
    this.run();
  }

  /** Runs no more of what was asked so far. */
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
