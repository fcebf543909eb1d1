/* A word that opens something below it; Escape and a click elsewhere close it. */
import { button, element } from "../../../views/kit/js/dom.js";

export class Popup {
  constructor(word, content, signal) {
    this.panel = element("div", { class: "sl-popup", hidden: true, role: "region", "aria-label": word, tabindex: "0" }, content);
    this.opener = button(word, () => this.open(this.panel.hidden), { "aria-expanded": "false" });
    this.node = element("span", {}, [this.opener, this.panel]);
    this.node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.panel.hidden) return;
      event.stopPropagation();
      this.open(false);
      this.opener.focus();
    });
    document.addEventListener("pointerdown", (event) => event.composedPath().includes(this.node) || this.open(false), { signal });
  }

  open(isOpen) {
    this.panel.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }
}
