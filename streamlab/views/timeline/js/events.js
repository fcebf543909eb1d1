/* Everything that was reported, in words: a list that is searched, the newest first. */
import { button, element, setText } from "../../kit/js/dom.js";
import { Throttled } from "../../kit/js/drawloop.js";
import { formatCount, numbered, plural } from "../../kit/js/format.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { cap } from "./marks.js";

/** Cards that are drawn at once, and how often at most while the run plays. */
const MOST = 200, EVERY_MS = 400;

export const EVENTS_CSS = `
.sl-events{position:absolute;z-index:8;right:0;bottom:0;width:min(760px,100%);padding:12px 16px;border:1px solid var(--sl-line);border-radius:12px;
  background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-events header{display:flex;justify-content:space-between;align-items:center}
.sl-events header button{width:32px;height:32px;border:0;border-radius:8px;background:none;color:inherit;cursor:pointer;font-size:18px}
.sl-events header button:hover{background:var(--sl-track)}
.sl-events .sl-bar-row{margin:6px 0}
.sl-events input{height:36px;padding:0 10px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-card);color:var(--sl-text);
  flex:1 1 160px;min-width:0;max-width:320px;font-size:13px}
.sl-events input::placeholder{color:var(--sl-muted);opacity:1}
.sl-events ol{list-style:none;margin:0;padding:2px;max-height:min(340px,40vh);overflow:auto;display:grid;gap:8px;align-items:start;
  grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr))}
.sl-events ol:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px;border-radius:6px}
.sl-events li{border:1px solid var(--sl-line);border-left:4px solid var(--own,var(--sl-text));border-radius:6px;padding:6px 10px;overflow-wrap:anywhere;font-size:13px}
.sl-events h4{display:flex;justify-content:space-between;gap:8px;margin:0;font-size:13px;font-weight:600}
.sl-events li button{min-height:24px;padding:0 4px;border:0;background:none;color:var(--sl-accent);cursor:pointer;text-decoration:underline;font-size:13px;
  white-space:nowrap;font-weight:400}
.sl-events li p{margin:0 0 2px}
.sl-events dl{display:grid;grid-template-columns:1fr auto;gap:0 10px;margin:2px 0}
.sl-events dd{margin:0;text-align:right}
.sl-events dt,.sl-events .sl-rule{color:var(--sl-muted)}
`;

export class EventList {
  /** @param {{onGo: (position: number) => void, onClose: () => void}} options `onGo`: what a click on a row's number asks for */
  constructor({ onGo, onClose }) {
    Object.assign(this, { onGo, onClose, learners: [], items: [], starts: [] });
    this.summary = element("b");
    this.text = element("input", { type: "search", placeholder: "Search", "aria-label": "Search what was reported" });
    this.found = element("span", { class: "sl-muted", role: "status" });
    this.list = element("ol", { tabindex: "0", "aria-label": "What was reported, the newest first" });
    this.node = element("div", { class: "sl-events", role: "dialog", "aria-label": "All reports", hidden: true }, [
      element("header", {}, [this.summary, button("×", () => this.close(), { "aria-label": "Close", title: "Close (Escape)" })]),
      element("div", { class: "sl-bar-row" }, [this.text, this.found]), this.list,
    ]);
    this.drawing = new Throttled(() => this.draw(), EVERY_MS);
    this.begin([]);
    this.set({ drifts: [], kinds: [], events: [], left: 0 });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      // keys mean something to the page, too
      event.stopPropagation();
    });
    this.text.addEventListener("input", () => this.draw());
  }

  open() {
    this.node.hidden = false;
    this.draw();
    this.text.focus({ preventScroll: true });
  }

  close() {
    this.node.hidden = true;
    this.onClose();
  }

  /** Other learners: {name, colour} each, in the order that events count them. */
  begin(learners) {
    this.learners = learners;
    this.drawing.request();
  }

  /** What there is to list, as `Marks.set` takes it. */
  set(happened) {
    this.items = [
      ...happened.events.map(([at, who, kind, message, numbers, delay], order) => ({ at, who, order, kind: happened.kinds[kind], message, numbers, delay })),
      ...happened.drifts.map(({ at, what, width }, i) => ({
        at, who: -1, order: -1, kind: { title: `${numbered(i + 1)} The stream changes`, rule: "" },
        message: `${cap(what)}${width > 1 ? `, over ${formatCount(width)} rows` : ""}.`, numbers: [], delay: null,
      })),
    ].sort((a, b) => b.at - a.at || b.order - a.order);
    this.starts = happened.drifts.map(({ at }) => at);
    const left = happened.left ? `; ${formatCount(happened.left)} older ones are left out` : "";
    setText(this.summary, this.items.length ? `${plural(this.items.length, "report")}${left}` : "Nothing has been reported yet");
    this.drawing.request();
  }

  /** Those that are looked for. */
  get chosen() {
    const text = this.text.value.trim().toLowerCase();
    return this.items.filter((item) => `${this.nameOf(item)} ${item.kind.title} ${item.message} ${item.numbers.flat().join(" ")}`.toLowerCase().includes(text));
  }

  nameOf({ who }) {
    return who < 0 ? "" : this.learners[who]?.name ?? "";
  }

  stop() {
    this.drawing.stop();
  }

  draw() {
    if (this.node.hidden) return;
    const { chosen } = this, top = this.list.scrollTop;
    const more = chosen.length > MOST ? `; the newest ${formatCount(MOST)} are shown` : "";
    setText(this.found, `${formatCount(chosen.length)} of ${formatCount(this.items.length)}${more}`);
    this.list.replaceChildren(...chosen.slice(0, MOST).map((item) => this.card(item)));
    this.list.scrollTop = top;
  }

  card({ at, who, kind, message, numbers, delay, ...item }) {
    const go = button(`row ${formatCount(at)}`, () => this.onGo(at), { title: "Go to this row" });
    const name = this.nameOf({ who, ...item });
    const change = delay === null ? "" : ` ${formatCount(delay)} rows after change ${numbered(lastUpTo(this.starts, at - delay) + 1)}.`;
    return element("li", who < 0 ? {} : { style: `--own:${this.learners[who]?.colour}` }, [
      element("h4", {}, [element("span", { text: `${name ? `${name}: ` : ""}${kind.title}` }), go]),
      element("p", { text: `${cap(message)}${/[.!?]$/.test(message) ? "" : "."}${change}` }),
      ...(numbers.length ? [element("dl", {}, numbers.flatMap(([words, number]) => [element("dt", { text: words }), element("dd", { text: number })]))] : []),
      ...(kind.rule ? [element("div", { class: "sl-rule", text: kind.rule })] : []),
    ]);
  }
}
