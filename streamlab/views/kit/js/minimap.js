/*
 * An overview in a corner of a picture that is zoomed, or larger than its place: a dot for each row, and the part that is seen. A
 * press or a drag in it moves the picture there.
 */
import { clamp, element, fitCanvas, pointIn } from "./dom.js";

/** Largest size in CSS pixels; a stage that is smaller has none that takes more than this share of a side. */
const WIDE = 156, TALL = 96, SHARE = 0.4, MARGIN = 6;
/** Pixels that a row may reach beyond the picture, as rings and captions do, and count as inside. */
const SLACK = 12;
const LEAST_DOT = 1.6;

export class Minimap {
  /** @param {CanvasView} view whose `box` places its rows */
  constructor(view) {
    this.view = view;
    this.canvas = element("canvas");
    this.context = this.canvas.getContext("2d");
    this.node = element("div", { class: "sl-minimap", "aria-hidden": "true", title: "The whole picture: drag to move" }, [this.canvas]);
    // the stage's own pointer selects and drags the picture itself
    for (const type of ["mousedown", "touchstart", "pointermove", "click", "dblclick"]) {
      this.node.addEventListener(type, (event) => event.stopPropagation());
    }
    this.node.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.node.setPointerCapture(event.pointerId);
      this.moveTo(event);
    });
    this.node.addEventListener("pointermove", (event) => { if (event.buttons) this.moveTo(event); });
  }

  /** The rows' boxes in pixels of the fitted picture, where they are going; made once a frame. */
  rows() {
    const { view } = this;
    const of = `${view.laidOut} ${view.count.received} ${view.frame.id?.length}`;
    if (of === this.of) return this.boxes;
    this.boxes = Array.from(view.ids(), (_, row) => view.fittedBox(row));
    const all = this.boxes.filter(Boolean);
    const least = (name, edge) => all.reduce((found, box) => Math.min(found, box[name] + SLACK), edge);
    const most = (name, size, edge) => all.reduce((found, box) => Math.max(found, box[name] + box[size] - SLACK), edge);
    const [left, top] = [least("x", 0), least("y", 0)];
    this.whole = { left, top, width: most("x", "width", view.width) - left, height: most("y", "height", view.height) - top };
    this.isLarger = this.whole.width > view.width + 1 || this.whole.height > view.height + 1;
    this.of = of;
    return this.boxes;
  }

  /** Shows it where it is of use, as the picture is now. */
  draw() {
    const { view, node, context } = this;
    const boxes = view.isEmpty || !view.laidOut ? null : this.rows();
    if (!boxes || (view.camera.fitted && !this.isLarger)) {
      node.remove();
      return;
    }
    if (!node.isConnected) view.stage.append(node);
    const { whole } = this, { theme } = view;
    const most = Math.min(WIDE, view.width * SHARE), tall = Math.min(TALL, view.height * SHARE);
    this.scale = Math.min(most / whole.width, tall / whole.height);
    const width = Math.max(24, Math.round(whole.width * this.scale)), height = Math.max(24, Math.round(whole.height * this.scale));
    const ratio = fitCanvas(this.canvas, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.surface;
    context.fillRect(0, 0, width, height);
    boxes.forEach((box, row) => {
      if (!box) return;
      const wide = Math.max(LEAST_DOT, box.width * this.scale - 0.5), high = Math.max(LEAST_DOT, box.height * this.scale - 0.5);
      const isLit = view.idOf(row) === view.selected || view.found?.has(view.idOf(row));
      context.fillStyle = isLit ? theme.lit : theme.outline;
      context.globalAlpha = isLit ? 1 : 0.55;
      context.fillRect((box.x - whole.left) * this.scale, (box.y - whole.top) * this.scale, wide, high);
    });
    context.globalAlpha = 1;
    const seen = view.seenPart();
    const edge = (place, from, size) => clamp((place - from) * this.scale, 1, size - 1);
    const [left, top] = [edge(seen.x, whole.left, width), edge(seen.y, whole.top, height)];
    const [right, bottom] = [edge(seen.x + seen.width, whole.left, width), edge(seen.y + seen.height, whole.top, height)];
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left, top, Math.max(3, right - left), Math.max(3, bottom - top));
  }

  /** The place under the pointer comes to the middle of the stage. */
  moveTo(event) {
    event.preventDefault();
    const { view, whole } = this;
    const [px, py] = pointIn(this.canvas, event);
    const seen = view.camera.see({ x: px / this.scale + whole.left, y: py / this.scale + whole.top });
    view.camera.panBy(view.width / 2 - seen.x, view.height / 2 - seen.y);
  }

  /** What tests ask: whether it is seen, and how it was made. */
  stats() {
    return !this.node.isConnected ? null : { dots: this.boxes.filter(Boolean).length, larger: this.isLarger };
  }
}

/** Rules of the overview. */
export const MINIMAP_CSS = `
.sl-minimap{position:absolute;z-index:4;left:${MARGIN}px;bottom:${MARGIN}px;cursor:move;touch-action:none;line-height:0}
.sl-minimap>canvas{box-shadow:0 0 0 1px var(--sl-control)}
`;
