/*
 * The wait for a run, in the run's own place: who is made ready and how far that is, what will be seen, and Play, which is remembered.
 *
 * It stays until the run's own controls are drawn, so that no click and no key is lost between the two.
 */
import { followTheme, wantsDark } from "../../kit/js/address.js";
import { button, element, isChord, isTaken, setText } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";
import { renderPart } from "../../kit/js/panel.js";

const CSS = `
.sl-wait{position:absolute;inset:0;min-height:calc(100dvh - 60px);display:grid;grid-template-rows:auto minmax(0,1fr) auto;gap:8px;padding:8px 16px;
  pointer-events:auto;background:var(--sl-surface);container-type:normal;overflow:auto}
.sl-wait[hidden]{display:none}
.sl-wait p{margin:0;font-size:16px;line-height:1.35;overflow-wrap:anywhere}
.sl-wait p span{color:var(--sl-muted)}
.sl-wait .sl-place{position:relative;overflow:hidden;display:grid;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-surface)}
.sl-wait .sl-told{position:relative;align-self:center;justify-self:center;display:grid;gap:12px;justify-items:center;width:min(560px,100%);padding:20px;
  border-radius:12px;background:var(--sl-surface);box-shadow:0 0 28px 28px var(--sl-surface)}
.sl-wait .sl-bar{width:100%;max-width:420px;height:6px;border-radius:3px;background:var(--sl-line);overflow:hidden}
.sl-wait .sl-bar i{display:block;height:100%;background:var(--sl-accent);transition:width .3s linear}
.sl-wait ul{margin:0;padding:0;list-style:none}
.sl-wait .sl-sees{font-size:15px;line-height:1.6}
.sl-wait .sl-sees li{padding-left:1.2em;text-indent:-1.2em}
.sl-wait .sl-below{position:sticky;bottom:0;display:flex;background:inherit;flex-wrap:wrap;gap:8px 14px;align-items:center}
.sl-wait .sl-below button{min-height:36px;padding:0 18px;border:1px solid var(--sl-accent);border-radius:18px;background:var(--sl-accent);color:var(--sl-on);
  font-weight:600;cursor:pointer}
.sl-wait .sl-below .sl-back{background:none;color:var(--sl-accent)}
.sl-wait .sl-below button small{font-size:inherit;font-weight:400}
@media (prefers-reduced-motion:reduce){.sl-wait .sl-bar i{transition:none}}
@media (max-width:600px){.sl-wait{min-height:calc(100dvh - 100px)}.sl-wait .sl-below button{min-height:44px}.sl-wait .sl-told{align-self:end;padding:12px}}
`;

/** "A, B and C". */
const NAMES = new Intl.ListFormat("en-GB");

/** Seconds as people read them: few, and not more exact than they are. */
export function aboutSeconds(seconds) {
  if (seconds >= 90) return `${Math.round(seconds / 60)} minutes`;
  const whole = seconds > 20 ? 5 * Math.ceil(seconds / 5) : Math.max(1, Math.ceil(seconds));
  return `${whole} second${whole === 1 ? "" : "s"}`;
}

/** The sentence of a wait. */
export function sentence(frame) {
  if (frame.state === "replaying") {
    const rows = `row ${formatCount(frame.done)} of ${formatCount(frame.of)}`;
    return [`The saved run is replayed from its first row: ${rows}, about ${aboutSeconds(frame.seconds)} more.`, "Then it stands where it was saved."];
  }
  if (frame.state !== "waiting") return ["The stream is being opened.", ""];
  const who = frame.names.length ? NAMES.format(frame.names) : "What measures";
  const are = frame.names.length > 1 ? "are" : "is";
  return [
    `${who} ${are} being made ready for this machine, once: about ${aboutSeconds(frame.seconds)} more.`,
    "Then the stream plays.",
  ];
}

export const render = renderPart(({ model, el, send, signal }) => {
  const strong = element("b");
  const then = element("span");
  const said = element("p", { role: "status" }, [strong, " ", then]);
  const filled = element("i");
  const bar = element("div", { class: "sl-bar", role: "progressbar", "aria-label": "Made ready", "aria-valuemin": "0", "aria-valuemax": "100" }, [filled]);
  const title = element("b", { text: "What you will see" });
  const sees = element("ul", { class: "sl-sees" });
  const told = element("div", { class: "sl-told" }, [bar, title, sees]);
  const place = element("div", { class: "sl-place" }, [told]);
  const later = element("small", { text: "when ready" });
  const playWord = element("span");
  const play = element("button", { type: "button", class: "sl-later", "aria-pressed": "false" }, [playWord, " ", later]);
  const back = button("Back to the run", () => send({ kind: "back" }), { class: "sl-back" });
  const rows = element("span", { class: "sl-muted" });
  const view = element("div", { class: "sl-view sl-wait", role: "region", "aria-label": "The run is made ready", hidden: true }, [
    said, place, element("div", { class: "sl-below" }, [play, back, rows]),
  ]);
  let on = false;
  let isOver = false;
  let hadFocus = false;
  /** The Play of the run that took over: it says so when it is drawn. */
  let next = null;

  function drawPlay() {
    setText(playWord, on ? "▶ Plays" : "▶ Play");
    play.setAttribute("aria-pressed", String(on));
    play.setAttribute("aria-label", on ? "Plays when ready: press to wait instead" : "Play when ready");
  }
  function toggle() {
    on = !on;
    drawPlay();
    send({ kind: "play", on });
  }
  play.addEventListener("click", toggle);
  view.addEventListener("focusin", () => { hadFocus = true; });

  // while it is here, the keys are its own: the controls of a run below it do not hear them
  const onKey = (event) => {
    if (view.hidden || event.key !== " " || isChord(event) || isTaken(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) toggle();
  };
  window.addEventListener("keydown", onKey, { capture: true, signal });
  window.addEventListener("streamlab:run", (event) => {
    next = event.detail;
    if (isOver) leave();
  }, { signal });

  function leave() {
    const focus = hadFocus && (view.contains(el.getRootNode().activeElement) || [null, document.body].includes(document.activeElement));
    view.hidden = true;
    if (focus) next?.play.focus({ preventScroll: true });
    hadFocus = false;
  }

  let stopFollowing = null;
  function update(frame) {
    // not before the first frame: what is set while the page is put together does not reach the server
    stopFollowing ??= followTheme(model);
    if (frame.state === "over") {
      isOver = true;
      if (next) leave();
      return;
    }
    if (frame.state === "hidden") {
      view.hidden = true;
      return;
    }
    if (view.hidden || isOver) {
      [on, isOver, next, hadFocus] = [false, false, null, false];
      drawPlay();
    }
    view.hidden = false;
    const [bold, plain] = sentence(frame);
    setText(strong, bold);
    setText(then, plain);
    const share = Math.round(100 * (frame.share ?? 0));
    filled.style.width = `${share}%`;
    bar.setAttribute("aria-valuenow", String(share));
    title.hidden = !frame.sees.length;
    if (sees.childElementCount !== frame.sees.length) sees.replaceChildren(...frame.sees.map((text) => element("li", { text })));
    play.hidden = frame.state === "replaying";
    setText(rows, frame.state === "replaying" ? "" : frame.n_rows ? `row 0 of ${formatCount(frame.n_rows)}` : "row 0");
    back.hidden = !frame.back;
  }

  // what the browser asks for reaches the server, and comes back, later than the first picture
  const paint = () => view.classList.toggle("sl-dark", stopFollowing ? model.dark : wantsDark());
  return { box: view, css: CSS, update, follows: { dark: paint }, destroy: () => stopFollowing?.() };
});
