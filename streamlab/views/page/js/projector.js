/*
 * The button “Projector”, and its key P: the page for a class, with larger type and thicker lines, and without what stands at its side.
 *
 * The browser enlarges the page as a whole, so that type, lines and targets grow together.
 */
import { element } from "../../kit/js/dom.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

/** The smallest type of the pages is 11 px; a class has to read 20. */
const LARGER = 20 / 11;
const CSS = `${SHARED_CSS}
.sl-view:has(.sl-projector){width:auto;container-type:normal}
.sl-projector{min-height:32px;padding:0 10px;border:1px solid transparent;border-radius:8px;background:none;color:inherit;cursor:pointer;
  font:inherit;font-size:13px}
.sl-projector:hover,.sl-projector[aria-pressed=true]{background:var(--sl-track);color:var(--sl-text)}
.sl-projector:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
@media (max-width:600px){.sl-projector{display:none}}
`;
/** Where keys are somebody's own. */
const TAKEN = "input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]";

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const button = element("button", {
      type: "button", class: "sl-projector", "aria-pressed": "false", text: "Projector", title: "Larger, for a class: nothing at the sides (P)",
    });
    const root = element("div", { class: "sl-view" }, [button]);
    el.append(element("style", { text: CSS }), root);
    const own = new AbortController();
    let isOn = false;
    const show = () => {
      const { style } = document.documentElement;
      style.zoom = isOn ? String(LARGER) : "";
      // for what is as wide or high as the window, which the browser counts without its zoom
      style.setProperty("--streamlab-larger", isOn ? String(LARGER) : "1");
      button.setAttribute("aria-pressed", String(isOn));
    };
    const turn = () => {
      isOn = !isOn;
      show();
      model.send_msg({ kind: "projector", on: isOn });
    };
    button.addEventListener("click", turn);
    document.addEventListener("keydown", (event) => {
      const target = event.composedPath()[0];
      const isTaken = target instanceof Element && target.closest(TAKEN);
      if (isTaken || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.key.toLowerCase() !== "p") return;
      event.preventDefault();
      turn();
    }, { signal: own.signal });
    const paint = () => root.classList.toggle("sl-dark", model.dark);
    model.on("dark", paint);
    paint();
    return () => {
      own.abort();
      isOn = false;
      show();
      el.replaceChildren();
    };
  });
}
