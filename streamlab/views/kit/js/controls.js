/* What stands in the bar above a picture, and its legend. */
import { element, fitCanvas, setText } from "./dom.js";

/**
 * A row of buttons of which one is pressed.
 * @param {string} label what is chosen
 * @param {Array<[value, text: string, title?: string]>} choices
 * @param {(value) => void} onChoose
 * @returns {{node: HTMLElement, press: (value) => void}}
 */
export function segments(label, choices, onChoose) {
  const buttons = choices.map(([value, text, title]) => {
    const button = element("button", { type: "button", text, title });
    button.addEventListener("click", () => onChoose(value));
    return [value, button];
  });
  const node = element("div", { class: "sl-segments", role: "group", "aria-label": label }, buttons.map(([, button]) => button));
  const press = (chosen) => buttons.forEach(([value, button]) => button.setAttribute("aria-pressed", String(value === chosen)));
  return { node, press };
}

/** Buttons that zoom and show everything: `onZoom(1 | -1)`, `onFit()`. */
export function zoomButtons(onZoom, onFit) {
  const button = (text, name, act) => {
    const made = element("button", { type: "button", text, "aria-label": name, title: name });
    made.addEventListener("click", act);
    return made;
  };
  const fit = button("Fit", "Fit: show everything", onFit);
  const parts = [button("−", "Zoom out", () => onZoom(-1)), button("+", "Zoom in", () => onZoom(1)), fit];
  const node = element("div", { class: "sl-segments sl-zoom", role: "group", "aria-label": "Zoom" }, parts);
  return { node, setFitted: (isFitted) => fit.setAttribute("aria-pressed", String(isFitted)) };
}

/** A field that finds: `onFind(query)` on every letter, `onNext(1 | -1)` on Enter. Escape empties it. */
export class SearchField {
  constructor({ placeholder, label, onFind, onNext }) {
    this.input = element("input", { type: "search", placeholder, "aria-label": label, autocomplete: "off", spellcheck: "false" });
    this.found = element("span", { class: "sl-muted" });
    this.node = element("div", { class: "sl-search" }, [this.input, this.found]);
    this.input.addEventListener("input", () => onFind(this.query));
    this.input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && this.input.value) {
        this.input.value = "";
        onFind("");
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

/**
 * Signs and what they mean. Each entry is a text, or a list of texts, elements, and functions `(context, theme)` that draw a sign
 * of 18 x 18 pixels.
 */
export class Legend {
  constructor(entries) {
    this.samples = [];
    this.node = element("div", { class: "sl-legend" }, entries.map((entry) => (
      element("span", {}, [entry].flat().map((part) => (typeof part === "function" ? this.sample(part) : part))))));
  }

  sample(draw) {
    const canvas = element("canvas", { "aria-hidden": "true" });
    this.samples.push([canvas, draw]);
    return canvas;
  }

  draw(theme) {
    for (const [canvas, draw] of this.samples) {
      const ratio = fitCanvas(canvas, 18, 18);
      const context = canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, 18, 18);
      draw(context, theme);
    }
  }
}
