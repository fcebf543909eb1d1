/* The text view: what a model says of itself, as lines that scroll. A frame has {said, lines}. */
import { element, setText } from "../../../kit/js/dom.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { fitToRoom } from "../../../kit/js/room.js";
import { SHARED_CSS } from "../../../kit/js/style.js";

const CSS = `${SHARED_CSS}
.sl-text pre{margin:6px 0 0;padding:10px 12px;overflow:auto;border:1px solid var(--sl-line);border-radius:8px;
  font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;tab-size:4}
`;

class TextView {
  constructor(root, options = {}) {
    this.root = root;
    this.usual = options.picture_height ?? 440;
    this.summary = element("div", { class: "sl-summary sl-muted", text: options.empty_text });
    this.stage = element("pre", { tabindex: "0", role: "region", "aria-label": "What the model says", hidden: true });
    this.wrapper = element("section", { class: "sl-view sl-text", "aria-label": "In words" }, [element("style", { text: CSS }), this.summary, this.stage]);
    this.table = { open: false };
    root.append(this.wrapper);
    this.observer = new ResizeObserver(() => fitToRoom(this));
    this.observer.observe(this.wrapper);
    this.set("dark", options.dark);
    fitToRoom(this);
    root.__text_stats = () => ({ lines: this.frame?.lines.length ?? 0, tall: this.tall });
  }

  /** Rows cannot be chosen. */
  select() {}

  set(name, value) {
    if (name === "dark") this.wrapper.classList.toggle("sl-dark", Boolean(value));
    if (name !== "picture_height") return;
    this.usual = value;
    fitToRoom(this);
  }

  resize() {
    this.stage.style.maxHeight = `${this.tall}px`;
  }

  update(frame) {
    this.frame = frame;
    this.stage.hidden = !frame.lines.length;
    setText(this.summary, frame.said);
    setText(this.stage, frame.lines.join("\n"));
  }

  destroy() {
    this.observer.disconnect();
    this.wrapper.remove();
  }
}

export const render = renderPicture(TextView);
