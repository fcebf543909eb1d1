/* The runs that were played last in this browser, for the start page; nobody else learns of them. */

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
    const address = new URL(window.location.href);
    address.searchParams.delete("theme");
    if (!address.searchParams.has("lesson")) address.searchParams.set("at", String(position));
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
