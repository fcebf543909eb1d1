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

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children; a child that is text is never parsed. */
export function svg(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Writes text only where it differs: an unchanged node costs no layout. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function clamp(value, low, high) {
  return value < low ? low : value > high ? high : value;
}

export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A bitmap as large as its CSS box times devicePixelRatio. Returns the ratio. */
export function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
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
