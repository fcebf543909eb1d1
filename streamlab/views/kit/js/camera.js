/*
 * How a canvas is looked at: pan by dragging, zoom by the wheel with Ctrl, two fingers, buttons or keys.
 *
 * d3-zoom holds where the picture is going (k, x, y: a place p of the fitted picture is seen at k p + (x, y)); a glide takes the
 * eye there. The bare wheel is the page's, and so is one finger while the whole picture is shown. d3 counts in pixels of the
 * screen, which on a projector are not those of the style: `scale` is how many of the first make one of the second.
 */
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { clamp, reducedMotion, zoomOf } from "./dom.js";
import { SoloGlide } from "./tween.js";

export const ZOOM_STEP = 1.3;
const FURTHEST = 0.25;
/** Pixels that a pressed pointer may move and still click. */
const CLICK_SLACK = 4;
const K = 0, X = 1, Y = 2;

export class Camera {
  /**
   * @param {HTMLElement} stage
   * @param {object} options
   * @param {boolean} [options.free] whether the picture may be moved out of its frame; else it always fills it, and only nearer is of use
   * @param {number} [options.nearest] how many times as large it may become
   * @param {boolean} [options.jumps] whether nothing glides
   * @param {(isByHand: boolean) => void} options.onMove called whenever the goal has changed
   */
  constructor(stage, { free = false, nearest = 16, jumps = false, onMove }) {
    Object.assign(this, { stage, free, onMove, always: jumps });
    this.glide = new SoloGlide([1, 0, 0]);
    this.goal = zoomIdentity;
    this.scale = 1;
    this.raw = zoomIdentity;
    /** Whether the whole picture is shown, and followed when it grows. */
    this.fitted = true;
    this.selection = select(stage);
    this.behaviour = zoom()
      .scaleExtent([free ? FURTHEST : 1, nearest])
      .clickDistance(CLICK_SLACK)
      .filter((event) => this.hears(event))
      .wheelDelta((event) => this.turn(event))
      .on("start", (event) => { this.pressedAt = event.sourceEvent; })
      .on("zoom", (event) => this.moved(event))
      .on("end", () => this.released());
    this.selection.call(this.behaviour).on("dblclick.zoom", null);
  }

  /** The size of the fitted picture: unless the camera is free, no further than its edges. */
  setSize(width, height) {
    const before = this.scale;
    this.scale = zoomOf(this.stage);
    const whole = [[0, 0], [width * this.scale, height * this.scale]];
    this.behaviour.extent(whole);
    if (!this.free) this.behaviour.translateExtent(whole);
    if (this.scale !== before) this.reset();
  }

  hears(event) {
    if (event.type === "wheel") return event.ctrlKey;
    if (event.touches) return event.touches.length > 1 || !this.fitted;
    return event.button === 0 && (this.free || !this.fitted);
  }

  /** Wheels report lines or pixels, touchpads many small steps: all make for the same speed. */
  turn(event) {
    return -clamp(event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY, -120, 120) * 0.0036;
  }

  moved({ sourceEvent, transform }) {
    const { k } = transform, x = transform.x / this.scale, y = transform.y / this.scale;
    if (sourceEvent && ((k === this.goal.k && x === this.goal.x && y === this.goal.y) || this.trembles(sourceEvent))) return;
    this.goal = zoomIdentity.translate(x, y).scale(k);
    this.raw = transform;
    if (!this.resetting) this.setFitted(!this.free && k === 1);
    if (sourceEvent && sourceEvent.type !== "wheel") this.stage.classList.add("sl-dragging");
    this.glide.aim([k, x, y], performance.now(), Boolean(sourceEvent) || this.jumps());
    this.onMove(Boolean(sourceEvent));
  }

  /** Whether a pressed mouse has hardly moved: that is a click. */
  trembles(event) {
    if (event.type !== "mousemove" || this.stage.classList.contains("sl-dragging") || !this.pressedAt) return false;
    return Math.hypot(event.clientX - this.pressedAt.clientX, event.clientY - this.pressedAt.clientY) < CLICK_SLACK;
  }

  released() {
    this.stage.classList.remove("sl-dragging");
    // what a trembling hand has moved is taken back
    this.stage.__zoom = this.raw;
  }

  setFitted(isFitted) {
    this.fitted = isFitted;
    this.stage.classList.toggle("sl-zoomed", !isFitted);
  }

  jumps() {
    return this.always || reducedMotion();
  }

  zoomBy(factor, point = undefined) {
    this.behaviour.scaleBy(this.selection, factor, point?.map((each) => each * this.scale));
  }

  /** Moves what is seen by pixels of the stage. */
  panBy(dx, dy) {
    this.behaviour.translateBy(this.selection, this.scale * dx / this.goal.k, this.scale * dy / this.goal.k);
  }

  /** Shows everything. */
  reset() {
    this.resetting = true;
    this.setFitted(true);
    this.behaviour.transform(this.selection, zoomIdentity);
    this.resetting = false;
  }

  get moving() {
    return this.glide.moving;
  }

  advance(now) {
    this.glide.advance(now);
  }

  finish() {
    this.glide.finish();
  }

  /** Where the eye is now: {k, x, y}. */
  get at() {
    const { at } = this.glide;
    return { k: at[K], x: at[X], y: at[Y] };
  }

  /** A box of the fitted picture as it will be seen, in pixels of the stage. */
  see({ x, y, width = 0, height = 0 }) {
    const { k } = this.goal;
    return { x: k * x + this.goal.x, y: k * y + this.goal.y, width: k * width, height: k * height };
  }

  /** The place in the fitted picture that is now at a point of the stage. */
  place(px, py) {
    const { k, x, y } = this.at;
    return [(px - x) / k, (py - y) / k];
  }

  destroy() {
    this.selection.on(".zoom", null);
  }
}
