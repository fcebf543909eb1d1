/*
 * The button “Projector”, and its key P: the page for a class, one story, one picture and one curve in large type. P or Escape leaves it.
 *
 * The browser enlarges the page as a whole, so that type, lines and targets grow together: a sheet of one size fills any window, at any zoom.
 */
import { button, element, isChord, isTaken, svg } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";
import { HEADER_CSS } from "../../kit/js/style.js";

/** The sheet, px: the smallest type of the pages but axes is 13 px, and 18 where it fills a window of 1280 x 720. */
const SHEET = [(1280 * 13) / 18, (720 * 13) / 18];
const CSS = `${HEADER_CSS}
@media (max-width:600px){.sl-view .sl-projector{display:none}}
`;
/** Where keys are somebody's own. */
const TAKEN = "input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]";

export const render = renderPart(({ send, signal }) => {
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
    turner.setAttribute("aria-pressed", String(isOn));
  };
  const turn = () => {
    isOn = !isOn;
    show();
    send({ kind: "projector", on: isOn });
  };
  const turner = button(null, turn, {
    class: "sl-header-button sl-projector", "aria-pressed": "false", "aria-label": "Projector", title: "For a class: one story, one picture, one curve, large (P)",
  });
  turner.append(svg("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 2 }, [svg("path", { d: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" })]));
  document.addEventListener("keydown", (event) => {
    const isMeant = event.key.toLowerCase() === "p" || (isOn && event.key === "Escape");
    if (!isMeant || isTaken(event, TAKEN) || isChord(event) || event.defaultPrevented) return;
    event.preventDefault();
    turn();
  }, { signal });
  window.addEventListener("resize", () => isOn && show(), { signal });
  const destroy = () => {
    isOn = false;
    show();
  };
  return { box: element("div", { class: "sl-view" }, [turner]), css: CSS, destroy };
});
