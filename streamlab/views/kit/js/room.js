/* How much room a part has on a screen that shows everything at once (streamlab.views.page.screen). */
import { zoomOf } from "./dom.js";

/** Windows of a page that show everything at once, as streamlab.views.page.screen has them. */
export const AT_ONCE = "(min-width:1100px) and (min-height:620px)";
/** A picture is not squeezed below this height, px; on a projector nothing scrolls, so that it may be lower. */
const LEAST_ROOM = 180, LEAST_BEFORE_A_CLASS = 80;
/** Where pictures stand small beside something else, ``--sl-least-room`` says how small. */
const leastRoom = (node) => Number(getComputedStyle(node).getPropertyValue("--sl-least-room")) || LEAST_ROOM;

/** Whether a node is on a screen that shows everything at once: there its parts take the room that they are given. */
export const isFilling = (node) => getComputedStyle(node).getPropertyValue("--sl-fill").trim() === "1";

/** Whether a node is on a page that is arranged for a class. */
export const isProjected = (node) => getComputedStyle(node).getPropertyValue("--sl-projected").trim() === "1";

/** Gives a CanvasView its height: on such a screen what the rest of the view leaves of its part of the stage, on a phone beside another one what
 * the style says (`low`), else its usual one. */
export function fitToRoom(view) {
  view.part ??= partAround(view.root);
  if (view.part) view.observer.observe(view.part);
  view.fills = Boolean(view.part) && isFilling(view.part);
  view.wrapper.classList.toggle("sl-whole", view.fills);
  view.low = view.fills ? 0 : Number(getComputedStyle(view.wrapper).getPropertyValue("--sl-low"));
  view.tall = view.fills ? roomOf(view) : view.low || view.usual;
  view.resize();
}

/** The part of the stage around a node, through shadow roots, if there is one. */
function partAround(node) {
  let at = node;
  while (at && at.dataset?.part !== "picture") at = at.parentNode ?? at.host;
  return at;
}

/** The height that is left for a picture's stage, px. */
function roomOf({ part, wrapper, stage, table }) {
  const box = (node) => node.getBoundingClientRect(), zoom = zoomOf(part);
  const stands = (node) => node.offsetParent !== null && getComputedStyle(node).position !== "absolute";
  // a table that people opened is scrolled to, or lies over the picture
  const opened = table.open && stands(table.node) ? box(table.node).height - box(table.node.firstElementChild).height : 0;
  const last = Math.max(...[...wrapper.children].filter(stands).map((node) => box(node).bottom));
  const end = box(part).bottom - zoom - part.scrollTop;
  wrapper.style.setProperty("--sl-room", `${Math.floor((end - box(wrapper).top) / zoom)}px`);
  return Math.max(isProjected(part) ? LEAST_BEFORE_A_CLASS : leastRoom(part), Math.floor((end - box(stage).top - (last - box(stage).bottom - opened)) / zoom));
}
