/* Small helpers for the document. */

/** A DOM element with attributes and children; `text` sets textContent, so nothing given here is ever parsed as HTML. */
export function element(tag, attributes = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A button with words that does something; the words are its name, unless the attributes say another. */
export function button(text, act, attributes = {}) {
  const node = element("button", { type: "button", text, ...attributes });
  node.addEventListener("click", act);
  return node;
}

/** A list to choose from: [value, words] each; `onChoose(value)` gets the value as text. */
export function chooser(label, options, onChoose, attributes = {}) {
  const node = element("select", { "aria-label": label, ...attributes });
  offer(node, options);
  node.addEventListener("change", () => onChoose(node.value));
  return node;
}

/** Choices for such a list, and which is chosen: that of before, or the first, unless it is said. Returns whether they are other ones. */
export function offer(list, options, chosen = list.value) {
  const key = JSON.stringify(options), isOther = list.slKey !== key;
  list.slKey = key;
  if (isOther) list.replaceChildren(...options.map(([value, text]) => element("option", { value: String(value), text })));
  if (list.value !== String(chosen)) list.value = String(chosen);
  if (list.selectedIndex < 0) list.selectedIndex = 0;
  return isOther;
}

/** A table that scrolls within reach of the keys: its name, its parts (caption, head, body). */
export const scrollTable = (label, parts, kind = "") => (
  element("div", { class: `sl-scroll${kind && ` ${kind}`}`, tabindex: "0", role: "region", "aria-label": label }, [element("table", {}, parts)]));

/** Cells in a row: their texts, with the attributes of each. */
export const headRow = (texts, attributesOf = () => ({})) => (
  element("tr", {}, texts.map((text, i) => element("th", { text, scope: "col", ...attributesOf(i) }))));

/** Whether a text is on the clipboard now; a page that is not served safely has none. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children; a child that is text is never parsed. */
export function svg(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Sets those attributes of a node that differ. */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Writes text only where it differs: an unchanged node costs no layout. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function clamp(value, low, high) {
  return value < low ? low : value > high ? high : value;
}

export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How many times as large as its style says the page shows this: above 1 for a projector. */
export const zoomOf = (node) => node.currentCSSZoom || 1;

/** What scrolls when a node is to come into sight: the nearest box around it that does, else the page. */
export function scrollerOf(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode()?.host) {
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return window;
}

/** Where an event of the pointer is in a node, in the pixels of the node's own style. */
export function pointIn(node, event) {
  const { left, top } = node.getBoundingClientRect(), zoom = zoomOf(node);
  return [(event.clientX - left) / zoom, (event.clientY - top) / zoom];
}

/**
 * Follows a press of the main button that is held on a node: `begin(event)` says what is known of it, null if it is not meant; `move(event, known)`
 * and `end(event, known)` come after it.
 */
export function onDrag(node, begin, move, end = () => {}) {
  let known = null;
  node.addEventListener("pointerdown", (event) => {
    known = event.button === 0 ? begin(event) : null;
    if (known === null) return;
    node.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => { if (known && node.hasPointerCapture(event.pointerId)) move(event, known); });
  node.addEventListener("pointerup", (event) => { if (known && node.hasPointerCapture(event.pointerId)) end(event, known); });
}

/** Whether a key is pressed together with one that makes it a command of the browser. */
export const isChord = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** Controls that have keys of their own. */
export const CONTROLS = "input,textarea,select,button,a,summary,[contenteditable],[role=slider],[role=tab],[role=application],[role=listbox],[role=combobox]";

/** Whether a key goes to something that has it for its own: controls, or what else is named. */
export function isTaken(event, selector = CONTROLS) {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(selector) !== null;
}

/** Pixels of the screen for each pixel of a canvas's style. */
export const pixelRatio = (canvas) => (window.devicePixelRatio || 1) * zoomOf(canvas);

/** A bitmap with a pixel for each of the screen that its CSS box takes. Returns the ratio. */
export function fitCanvas(canvas, width, height) {
  const ratio = pixelRatio(canvas);
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  return ratio;
}

/** What scrolls must be within reach of the keys: a scrolling box gets a place in the tab order and a name. */
export function reachIfScrolling(node, name) {
  const scrolls = node.scrollHeight > node.clientHeight + 1;
  for (const [attribute, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", name]]) {
    if (scrolls) node.setAttribute(attribute, value);
    else node.removeAttribute(attribute);
  }
}
