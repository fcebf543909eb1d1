/*
 * What a page keeps in its address, the theme, which the browser's side writes, and its settings, which Python does; and the runs that were
 * played last in this browser, for the start page: nobody else learns of them.
 */
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

/** The page's address with the row where its run stands; a lesson's says its step. */
export function addressAt(position) {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("lesson")) address.searchParams.set("at", String(position));
  return address;
}

/** A link that begins a run, also one to the address where the page stands, is no reload (see transport.js). */
export function openAfresh(event) {
  window.__streamlab_afresh = !(isChord(event) || event.shiftKey);
}

const KEY = "streamlab.recent", MOST = 6, EVERY_MS = 2000;

function kept() {
  try {
    const found = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export class Recent {
  constructor() {
    this.id = `${Date.now()} ${Math.random()}`;
    this.due = 0;
  }

  /**
   * Remembers where a run stands, in place of where it stood before.
   * @param {string} about the run in words; nothing is remembered of one without
   */
  keep(about, position, isLast) {
    if (!about || (performance.now() < this.due && !isLast)) return;
    this.due = performance.now() + EVERY_MS;
    const address = addressAt(position);
    address.searchParams.delete("theme");
    const page = address.pathname.slice(address.pathname.lastIndexOf("/") + 1);
    const mine = { id: this.id, page, query: address.search.slice(1), about, position, at: Date.now() };
    const others = kept().filter((each) => each?.id !== this.id);
    try {
      window.localStorage.setItem(KEY, JSON.stringify([mine, ...others].slice(0, MOST)));
    } catch {
      // a browser that keeps nothing
    }
  }
}
