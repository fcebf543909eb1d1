/*
 * What closes the panel of why, and places it beside what was clicked: Escape, the next click elsewhere, or its own button.
 *
 * Where the last click was stands in two variables of the document, since the panel opens when the server has answered.
 */
import { button, element, isChord, isTaken, zoomOf } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";
import { AT_ONCE } from "../../kit/js/room.js";

/** The table of figures has its height so long after it was asked for, ms. */
const SOON_MS = 300;
const WIDE = 330, LEAST_HIGH = 380, APART = 16, HEADER = 56;
/** Where choices of a control in the panel open: they are no click elsewhere. */
const LISTS = "[role=listbox],[role=presentation].MuiPopover-root,.MuiModal-root,.MuiPopper-root";
const CSS = `
.sl-view.sl-why-bar{width:32px}
.sl-why-bar button{width:32px;height:32px;border:0;border-radius:16px;background:none;color:var(--sl-muted);font-size:18px;cursor:pointer}
.sl-why-bar button:hover{background:var(--sl-track)}
.sl-why-bar button:focus-visible{outline:2px solid var(--sl-accent)}
`;

/** Where the browser remembers that the figures are docked. */
const KEPT = "streamlab_figures";
const kept = (value) => {
  try {
    return value === undefined ? localStorage.getItem(KEPT) === "on" : localStorage.setItem(KEPT, value ? "on" : "off");
  } catch {
    return false; // a browser may refuse to remember
  }
};

export const render = renderPart(({ model, el, send, signal }) => {
  const figures = () => send({ kind: "command", name: "figures", value: null });
  let isRemembered = kept() && !model.figures;
  if (isRemembered) setTimeout(figures, 400);
  model.on("figures", () => {
    kept(model.figures);
    // where not all is seen at once they are below the window
    if (model.figures && !isRemembered && !window.matchMedia(AT_ONCE).matches) setTimeout(() => docked()?.scrollIntoView({ block: "nearest" }), SOON_MS);
    isRemembered = false;
  });
  /** The table, which stands in the screen beside this panel. */
  const docked = () => {
    const roots = [];
    for (let root = el.getRootNode(); root; root = root.host?.getRootNode()) roots.push(root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []));
    return roots.map((root) => root.querySelector("[data-area=figures]")).find(Boolean);
  };
  const close = () => send({ kind: "command", name: "close", value: null });
  const away = button("×", close, { "aria-label": "Close", title: "Close (Escape)" });
  const box = element("div", { class: "sl-view sl-why-bar" }, [away]);
  const panel = () => {
    let at = el;
    while (at && at.dataset?.area !== "note") at = at.parentNode ?? at.host;
    return at;
  };
  const isOpen = () => box.offsetParent !== null || panel()?.offsetParent !== null || box.getClientRects().length > 0;
  const place = (x, y) => {
    const { style } = document.documentElement, zoom = zoomOf(box) || 1;
    const [wide, high] = [innerWidth / zoom, innerHeight / zoom], [px, py] = [x / zoom, y / zoom];
    const left = px + APART + WIDE < wide ? px + APART : Math.max(8, px - APART - WIDE);
    style.setProperty("--sl-why-left", `${Math.round(left)}px`);
    style.setProperty("--sl-why-top", `${Math.round(Math.max(HEADER, Math.min(py - 40, high - LEAST_HIGH)))}px`);
  };
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath(), own = panel();
    if (own && path.includes(own)) return;
    if (path.some((node) => node.matches?.(LISTS))) return;
    if (isOpen()) close();
    place(event.clientX, event.clientY);
  }, { signal, capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) {
      close();
      event.preventDefault();
    } else if (event.key.toLowerCase() === "f" && !isTaken(event, "input,textarea,select,[contenteditable],[role=listbox],[role=combobox],[role=dialog]") && !isChord(event)) {
      figures();
    } else if (event.key === "Enter" || event.key === " ") {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      const rect = at?.getBoundingClientRect();
      // by the keyboard nothing is pointed at: at the window's edge it covers least
      if (rect && !isOpen()) place(innerWidth, rect.top + 40);
    }
  }, { signal, capture: true });
  return { box, css: CSS };
});
