/*
 * The button “Projector”, and its key P: the page for a class, one story, one picture and one curve in large type. P or Escape leaves it.
 *
 * The browser enlarges the page as a whole, so that type, lines and targets grow together: a sheet of one size fills any window, at any zoom.
 */
import { element } from "../../kit/js/dom.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

/** The sheet, px: the smallest type of the pages is 11 px, and 18 where it fills a window of 1280 x 720. */
const SHEET = [(1280 * 11) / 18, (720 * 11) / 18];
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
      type: "button", class: "sl-projector", "aria-pressed": "false", text: "Projector", title: "For a class: one story, one picture, one curve, large (P)",
    });
    const root = element("div", { class: "sl-view" }, [button]);
    el.append(element("style", { text: CSS }), root);
    const own = new AbortController();
    let isOn = false;
    const show = () => {
      const { style } = document.documentElement;
      const larger = isOn ? String(Math.min(innerWidth / SHEET[0], innerHeight / SHEET[1])) : "";
      style.zoom = larger;
      // for what is as wide or high as the window, which the browser counts without its zoom; and for what is not shown to a class
      for (const [name, value] of [["larger", larger], ["projected", isOn ? "1" : ""], ["aside", isOn ? "none" : ""]]) {
        if (value) style.setProperty(`--streamlab-${name}`, value);
        else style.removeProperty(`--streamlab-${name}`);
      }
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
      const isMeant = event.key.toLowerCase() === "p" || (isOn && event.key === "Escape");
      if (isTaken || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !isMeant) return;
      event.preventDefault();
      turn();
    }, { signal: own.signal });
    window.addEventListener("resize", () => isOn && show(), { signal: own.signal });
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
