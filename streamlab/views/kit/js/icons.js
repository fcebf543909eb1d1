/* Signs of what plays, and buttons with one. */
import { button, svg } from "./dom.js";

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
