/* What stands in the bar above a picture, and buttons with signs of what plays. */
import { button, element, setText, svg } from "./dom.js";

/** Buttons that zoom and show everything: `onZoom(1 | -1)`, `onFit()`. */
export function zoomButtons(onZoom, onFit) {
  const named = (text, name, act) => button(text, act, { "aria-label": name, title: name });
  const fit = named("Fit", "Fit: show everything", onFit);
  const parts = [named("−", "Zoom out", () => onZoom(-1)), named("+", "Zoom in", () => onZoom(1)), fit];
  const node = element("div", { class: "sl-segments sl-zoom", role: "group", "aria-label": "Zoom" }, parts);
  return { node, setFitted: (isFitted) => fit.setAttribute("aria-pressed", String(isFitted)) };
}

/** A field that finds: `onFind()` on every letter, `onNext(1 | -1)` on Enter. Escape empties it. */
export class SearchField {
  constructor({ placeholder, label, onFind, onNext }) {
    this.input = element("input", { type: "search", placeholder, "aria-label": label, autocomplete: "off", spellcheck: "false" });
    this.found = element("span", { class: "sl-muted" });
    this.node = element("div", { class: "sl-search" }, [this.input, this.found]);
    this.input.addEventListener("input", () => onFind());
    this.input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && this.input.value) {
        this.input.value = "";
        onFind();
      } else if (event.key === "Enter") onNext(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
  }

  get query() {
    return this.input.value.trim().toLowerCase();
  }

  say(text) {
    setText(this.found, text);
  }
}

const PATHS = {
  play: "M8 5v14l11-7z", pause: "M6 5h4v14H6zm8 0h4v14h-4z", step: "M6 5v14l9-7zm10 0h3v14h-3z", back: "M18 5v14l-9-7zM5 5h3v14H5z",
  chunk: "M4 5v14l7.5-7zM12 5v14l7.5-7zm8 0h2v14h-2z", live: "M4 5v14l9-7zM14 5v14l7-7z", restart: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
};

/** A button with an icon, and what stands behind it. */
export function iconButton(name, act, attributes, behind = []) {
  const made = button(null, act, attributes);
  made.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, [svg("path", { d: PATHS[name] })]), ...behind);
  return made;
}

/** Gives such a button another icon. */
export const setIcon = (made, name) => made.querySelector("path").setAttribute("d", PATHS[name]);
