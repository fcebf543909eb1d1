/* A box of words beside what it describes. */
import { clamp, element, setText, zoomOf } from "./dom.js";

const GAP = 8;

/** A tooltip inside `host` (position: relative), kept within the host's width. */
export class Tooltip {
  constructor(host) {
    this.host = host;
    this.title = element("b");
    this.body = element("span");
    this.node = element("div", { class: "sl-tip", role: "presentation", "aria-hidden": "true", hidden: true }, [this.title, this.body]);
    host.append(this.node);
  }

  /**
   * Shows words about a box of the host's pixels.
   * @param {{box: {x, y, width, height}, title: string, lines: string[], place?: "below"|"right"|"beside"|"corner"}} tip `below`
   *   it, or above; `right` of it or `beside` it where there is room, so that what hangs below is not hidden; in the `corner`
   *   farthest from it, so that nothing around it is
   */
  show({ box, title, lines, place = "below" }) {
    setText(this.title, title);
    setText(this.body, lines.join("\n"));
    this.node.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const whole = { width: this.host.clientWidth, height: this.host.clientHeight };
    const [x, y] = this.corner(place, box, width, height, whole) ?? this.side(place, box, width, height, whole) ?? this.below(box, width, height, whole);
    this.node.style.transform = `translate(${Math.round(x)}px,${Math.round(y)}px)`;
  }

  /** Shows words about a node. */
  showAt(node, tip) {
    const zoom = zoomOf(this.host), from = this.host.getBoundingClientRect(), to = node.getBoundingClientRect();
    const [x, y, width, height] = [to.left - from.left, to.top - from.top, to.width, to.height].map((each) => each / zoom);
    this.show({ box: { x, y, width, height }, ...tip });
  }

  below(box, width, height, whole) {
    const under = box.y + box.height + GAP;
    const fits = under + height <= whole.height || box.y - height - GAP < 0;
    return [clamp(box.x + box.width / 2 - width / 2, 0, Math.max(0, whole.width - width)), fits ? under : box.y - height - GAP];
  }

  side(place, box, width, height, whole) {
    if (place !== "right" && place !== "beside") return null;
    const right = box.x + box.width + GAP + 4, left = box.x - GAP - 4 - width;
    const x = right + width <= whole.width ? right : place === "beside" && left >= 0 ? left : null;
    return x === null ? null : [x, clamp(box.y + box.height / 2 - height / 2, 4, Math.max(4, whole.height - height - 4))];
  }

  corner(place, box, width, height, whole) {
    if (place !== "corner") return null;
    const isLeft = box.x + box.width / 2 < whole.width / 2, isTop = box.y + box.height / 2 < whole.height / 2;
    return [isLeft ? whole.width - width - GAP : GAP, isTop ? whole.height - height - GAP : GAP];
  }

  hide() {
    this.node.hidden = true;
  }
}
