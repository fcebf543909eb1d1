/* What a page keeps in its address: the theme, which the browser's side writes, and its settings, which Python does. */
import { isChord } from "./dom.js";

/** Whether the address, or else the browser, asks for dark colours. */
export function wantsDark() {
  const asked = new URL(window.location.href).searchParams.get("theme");
  return asked === "dark" || (asked !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}

/** The page's theme: the system's at the first visit, then the user's choice, kept in the address. */
export function followTheme(model) {
  const system = window.matchMedia("(prefers-color-scheme: dark)"), wanted = wantsDark();
  if (wanted !== model.dark) model.dark = wanted;
  const keep = () => {
    const address = new URL(window.location.href);
    if (model.dark === system.matches) address.searchParams.delete("theme");
    else address.searchParams.set("theme", model.dark ? "dark" : "light");
    window.history.replaceState(null, "", address);
  };
  model.on("dark", keep);
  return () => model.off("dark", keep);
}

/** The page's settings in its address; the theme, which the browser's side keeps there, stays. */
export function writeAddress(query) {
  const address = new URL(window.location.href);
  const theme = address.searchParams.get("theme");
  address.search = query;
  if (theme) address.searchParams.set("theme", theme);
  if (address.href !== window.location.href) window.history.replaceState(null, "", address);
}

/** A link that begins a run, also one to the address where the page stands, is no reload (see transport.js). */
export function openAfresh(event) {
  window.__streamlab_afresh = !(isChord(event) || event.shiftKey);
}
