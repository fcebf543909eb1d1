/*
 * The transport bar: play, pause, step, speed, and at its end the row that was answered last.
 *
 * It shows what the server reports and never guesses: a click marks its button as busy until the next frame answers it. Keys
 * work anywhere on the page but in a field or on another control: Space plays and pauses, the right arrow steps one instance,
 * Page Down one chunk, L goes back to where the run ends.
 */
import { Recent, addressAt, followTheme, writeAddress } from "../../kit/js/address.js";
import { CONTROLS, button, chooser, element, isChord, isTaken, offer, setText } from "../../kit/js/dom.js";
import { formatCount, formatNumber } from "../../kit/js/format.js";
import { iconButton, setIcon } from "../../kit/js/controls.js";
import { themeOf } from "../../kit/js/palette.js";
import { renderPart } from "../../kit/js/panel.js";
import { AT_ONCE } from "../../kit/js/room.js";
import { asText } from "../../timeline/js/colours.js";

const SAY_EVERY_MS = 5000;
/** A server that still has the run answers sooner than this; one that was started again does not know the page. */
const ANSWER_MS = 8000;
const LOST = "Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon "
  + "as the connection is back. If it was stopped, the run is gone.";
const GONE = "The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page "
  + "to begin another.";
/** A page that comes later than this after another has been left is no reload of it. */
const RELOAD_S = 20;
const STATES = { paused: "Paused", playing: "Playing", finished: "Finished", failed: "Stopped by an error", loading: "Loading…" };
/** Below this part of the chosen speed the real one is told. */
const SLOW = 0.6;
/** Labels of a row that are named, and on a narrow page. */
const MOST_LABELS = 6;
const ANSWERS = { "✓": "right", "○": "missed", "✕": "answered and not there" };
const CSS = `
.sl-transport{container:sl-transport/inline-size;font-size:14px}
.sl-transport .sl-row{display:flex;align-items:center;gap:14px;height:60px;min-width:0;white-space:nowrap}
.sl-transport button{display:inline-flex;align-items:center;justify-content:center;gap:6px;flex:none;height:36px;min-width:36px;padding:0 8px;border:1px solid var(--sl-line);
  border-radius:18px;background:none;color:var(--sl-text);font:inherit;cursor:pointer}
.sl-transport button:hover:not(:disabled){background:var(--sl-track)}
.sl-transport button:disabled{opacity:.45;cursor:default}
.sl-transport button[aria-busy=true]{border-style:dashed}
.sl-transport button svg{width:18px;height:18px;fill:currentColor;flex:none}
.sl-transport .sl-play{background:var(--sl-text);border-color:var(--sl-text);color:var(--sl-paper);padding:0 20px 0 14px;height:40px;border-radius:20px;font-size:15px;font-weight:600}
.sl-transport .sl-play:hover:not(:disabled){background:var(--sl-text);opacity:.9}
.sl-transport select{height:36px;padding:0 4px;border:0;border-radius:8px;background:none;color:var(--sl-muted);font:inherit;cursor:pointer;field-sizing:content;flex:none}
.sl-transport option{background:var(--sl-paper);color:var(--sl-text)}
.sl-transport [hidden]{display:none!important}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text);overflow-wrap:anywhere}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-said{flex:1 1 0;min-width:0;overflow:hidden;text-overflow:ellipsis;color:var(--sl-muted)}
.sl-transport details{position:relative;flex:none;margin:0}
.sl-transport summary{display:grid;place-items:center;width:36px;height:36px;min-height:0;margin:0;padding:0;border-radius:18px;font-size:18px;color:var(--sl-muted)}
.sl-transport summary::before{content:none!important}.sl-transport summary:hover{background:var(--sl-track)}
.sl-transport details>div{position:absolute;z-index:9;left:0;bottom:42px;width:max-content;display:grid;gap:2px;padding:6px;border:1px solid var(--sl-line);border-radius:12px;
  background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-transport details :is(button,select){justify-content:start;width:100%;border:0;border-radius:8px;color:var(--sl-text);padding:0 10px}
/* it begins at the right, where it stays while names to its left come and go */
.sl-transport .sl-seen{direction:rtl;flex-direction:row-reverse;gap:14px;border:0;height:48px;padding:0 0 0 8px;flex:0 1 auto;min-width:0}
.sl-transport .sl-seen>*{direction:ltr}.sl-transport .sl-seen:hover{background:none!important}.sl-transport .sl-seen:hover b{text-decoration:underline}
.sl-transport .sl-who{font-weight:600;overflow:hidden;text-overflow:ellipsis}
.sl-transport .sl-marked{font-weight:600;color:var(--sl-guess);overflow:hidden;text-overflow:ellipsis}.sl-transport .sl-marked.sl-right{color:var(--sl-text)}
.sl-transport .sl-tally{display:none;min-width:0;overflow:hidden;text-overflow:ellipsis;font-style:normal;font-weight:600}
.sl-transport .sl-seen canvas{flex:none;width:44px;height:44px;border-radius:6px;image-rendering:pixelated;background:rgb(0 0 0/.06)}
.sl-dark .sl-seen canvas{filter:invert(1)}
.sl-transport .sl-text{max-width:220px;overflow:hidden;text-overflow:ellipsis;color:var(--sl-muted)}
.sl-transport .sl-number{flex:none;color:var(--sl-muted);font-variant-numeric:tabular-nums}.sl-transport .sl-number b{color:var(--sl-text)}
@container sl-transport (max-width:1000px){.sl-transport :is(.sl-text,.sl-who){display:none}.sl-transport .sl-row{gap:10px}.sl-transport .sl-seen{gap:10px}}
@container sl-transport (max-width:640px){.sl-transport :is(.sl-marked:not(.sl-one),.sl-more-labels){display:none}.sl-transport .sl-tally{display:inline}
  .sl-transport .sl-seen canvas{width:36px;height:36px}.sl-transport .sl-seen{gap:7px;padding:0}
  .sl-transport .sl-row{height:64px;gap:8px}.sl-transport .sl-play{height:44px;border-radius:22px}}
@media not all and ${AT_ONCE}{.sl-docked{width:calc(100% + 32px);margin-left:-16px;padding:0 16px;background:var(--sl-paper);border-top:1px solid var(--sl-line)}}
@container sl-transport (max-width:400px){.sl-transport .sl-row{gap:4px}.sl-transport .sl-play{padding:0 16px 0 10px}}
@container sl-transport (max-width:340px){.sl-transport :is(.sl-tally,.sl-marked){display:none}}
@container style(--sl-projected:1){.sl-transport .sl-row>:not(.sl-play,.sl-seen,.sl-said),.sl-transport .sl-seen>:not(.sl-number){display:none}
  .sl-docked{width:100%;margin:0;padding:0;border:0}.sl-transport .sl-row{height:40px}}
`;

const reloadButton = () => button("Reload the page", () => window.location.reload(), { class: "sl-reload" });

export const render = renderPart(({ model, el, view, send: sendMessage, signal }) => {
  const command = (name, value = null) => sendMessage({ kind: "command", name, value });
  const ask = (target, name, value) => {
    target.setAttribute("aria-busy", "true");
    command(name, value);
  };
  const acting = (name, label, words, hint, act) => {
    const word = element("span", { text: words, class: "sl-wide" });
    const made = iconButton(name, () => act(made), { "aria-label": label, title: hint, class: `sl-${name}` }, [word]);
    return made;
  };
  const play = acting("play", "Play", "Play", "Play or pause (Space)", () => toggle());
  const step = acting("step", "Step one instance", "", "One instance (right arrow)", (own) => ask(own, "step", 1));
  const chunk = acting("chunk", "Step one chunk", "One chunk", "One chunk (Page Down)", (own) => ask(own, "step"));
  const restart = acting("restart", "Start again", "Start again", "Start again from the first instance", (own) => ask(own, "restart"));
  const live = acting("live", "Back to the newest row", "Live", "Go on where the run ends (L)", (own) => ask(own, "live"));
  live.hidden = true;
  const speed = chooser("Speed", model.rates.map(([name], i) => [i, name]), (value) => command("rate", Number(value)), { class: "sl-speed" });
  const menu = element("details", { class: "sl-menu" }, [
    element("summary", { text: "⋯", "aria-label": "More of playback", title: "A chunk, start again" }),
    element("div", {}, [chunk, ...(model.restart ? [restart] : [])]),
  ]);
  // on a phone the row needs the room
  const narrow = window.matchMedia("(max-width:640px)");
  const placeSpeed = () => (narrow.matches ? chunk.before(speed) : menu.before(speed));
  narrow.addEventListener("change", placeSpeed, { signal });
  const leaveMenu = (event) => {
    if (event.type === "keydown" ? event.key === "Escape" : !event.composedPath().includes(menu)) menu.open = false;
  };
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, leaveMenu, { signal, capture: true });
  const told = element("span", { class: "sl-said" });
  const number = element("b"), marked = element("span", { class: "sl-number" }, ["row ", number]);
  const seen = button(null, () => command("row"), { class: "sl-seen", title: "All of this row" });
  seen.append(marked);
  const wrong = element("span", { role: "alert" });
  const reload = reloadButton();
  reload.hidden = true;
  const banner = element("div", { class: "sl-banner", hidden: true }, [wrong, reload]);
  const said = element("div", { class: "sl-hidden", role: "status", "aria-live": "polite" });
  const box = element("div", { class: `sl-view sl-transport${model.page ? " sl-docked" : ""}`, role: "group", "aria-label": "Playback" }, [
    banner, element("div", { class: "sl-row" }, [play, step, speed, menu, live, told, seen]), said,
  ]);

  placeSpeed();
  // nothing can be asked of a run that has not shown itself yet
  for (const each of [play, step, chunk, restart]) each.disabled = true;

  let frame = null;
  /** null: connected; else why the page stands still. */
  let lost = null;
  let waiting = 0;
  let lastSaid = 0;
  let frames = 0;
  let fps = 0;
  let since = performance.now();

  const toggle = () => {
    if (frame && !play.disabled) ask(play, frame.state === "playing" ? "pause" : "play");
  };

  document.addEventListener("keydown", (event) => {
    if (isTaken(event, `${CONTROLS},.sl-stage,.jp-Notebook`) || isChord(event) || event.defaultPrevented) return;
    if (event.key === " ") toggle();
    else if (event.key === "ArrowRight" && !step.disabled) ask(step, "step", 1);
    else if (event.key === "PageDown" && !chunk.disabled) ask(chunk, "step");
    else if ((event.key === "l" || event.key === "L") && !live.hidden) ask(live, "live");
    else return;
    event.preventDefault();
  }, { signal });

  const say = (text) => {
    const now = performance.now();
    if (text === said.textContent || now - lastSaid < SAY_EVERY_MS && frame?.state === "playing") return;
    lastSaid = now;
    setText(said, text);
  };

  function show(next) {
    const before = frame?.state;
    frame = next;
    frames += 1;
    const now = performance.now();
    if (now - since > 1000) {
      fps = (1000 * frames) / (now - since);
      frames = 0;
      since = now;
    }
    for (const each of [play, step, chunk, restart]) each.removeAttribute("aria-busy");
    const playing = frame.state === "playing";
    const over = frame.state === "finished" || frame.state === "failed";
    if (before !== frame.state) {
      setIcon(play, playing ? "pause" : "play");
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      setText(play.querySelector("span"), playing ? "Pause" : "Play");
      box.classList.toggle("sl-playing", playing);
      // at the end Play begins at the first row again
      play.disabled = frame.state === "failed";
      step.disabled = chunk.disabled = over;
      restart.disabled = false;
    }
    showSpeed(playing);
    live.hidden = frame.live;
    live.title = `Looking back; go on where the run ends, at row ${formatCount(frame.end)} (L)`;
    // Play says the usual states
    const waits = playing || frame.state === "paused" ? frame.pace : STATES[frame.state] ?? frame.state;
    setText(told, waits);
    told.title = waits;
    showRow();
    showBanner();
    const place = frame.n_rows ? `${formatCount(frame.position)} of ${formatCount(frame.n_rows)} rows` : `${formatCount(frame.position)} rows`;
    const back = frame.position < frame.end ? `; looking back, the run has come to ${formatCount(frame.end)}` : "";
    const mark = frame.mark ? `; ${frame.mark[1]} at ${formatCount(frame.mark[0])}` : "";
    say(`${STATES[frame.state] ?? frame.state}. ${place}${back}${mark}`);
  }

  /** The speeds; the chosen one says how fast it really is, where that is clearly slower. */
  function showSpeed(playing) {
    const { rate, rate_index: place } = frame, names = model.rates.map(([name], i) => [String(i), name]);
    if (place < 0) names.push(["-1", `${formatNumber(rate)} rows/s`]);
    const isSlow = playing && frame.speed > 0 && (rate === null || frame.speed < SLOW * rate), chosen = names.find(([value]) => value === String(place));
    if (isSlow) chosen[1] += ` (now ${formatNumber(Number(frame.speed.toPrecision(2)))})`;
    // a list that is open keeps its words
    if (speed.matches(":open") || document.activeElement === speed) return;
    offer(speed, names, String(place));
  }

  /** What the latest row is, and what was answered of it. */
  function showRow() {
    const { labels = [], picture = null, who = "", note = "", colour = "" } = frame.row ?? {};
    setText(number, formatCount(frame.position));
    const key = JSON.stringify([labels, picture, who, note, model.dark]);
    if (key === seen.slKey) return;
    seen.slKey = key;
    const names = labels.slice(0, MOST_LABELS).map(([name, mark]) => element("span", { class: `sl-marked${mark === "✓" ? " sl-right" : ""}${labels.length === 1 ? " sl-one" : ""}`, text: `${mark} ${name}`, title: `${name}: ${ANSWERS[mark] ?? mark}` }));
    const more = labels.length > MOST_LABELS ? [element("span", { class: "sl-more-labels", text: `+${labels.length - MOST_LABELS}` })] : [];
    // where names have no room, how many are right
    const words = `${labels.filter(([, mark]) => mark === "✓").length} of ${labels.length} right`;
    const tally = labels.length > 1 ? [element("i", { class: "sl-tally", text: words })] : [];
    const whose = labels.length ? [element("span", { class: "sl-who", style: `color:${asText(themeOf(model.dark), colour)}`, text: note ? who : `${who}:` }), ...(note ? [element("span", { class: "sl-text", text: `${note}:` })] : [])] : [];
    seen.replaceChildren(...whose, ...names, ...more, ...tally, ...drawn(picture), marked);
    seen.title = `All of this row${who ? `; marks: what ${who} answered` : ""}`;
  }

  function showBanner() {
    const text = lost ?? frame?.message ?? "";
    banner.hidden = !text;
    reload.hidden = lost === null;
    setText(wrong, text);
  }

  /** Why the page stands still; null: it is connected. */
  const lose = (why) => {
    clearTimeout(waiting);
    lost = why;
    showBanner();
  };
  const stats = () => ({ frames_per_second: fps, state: frame?.state, position: frame?.position, isLost: lost !== null });
  let stops = null;
  const recent = new Recent();
  let hasPlayed = false;
  const document_ = view.model.document;
  document_?.on_event?.("connection_lost", (_document, event) => {
    const connection = event?.connection?.deref?.();
    // Bokeh takes the first message of the next connection for the rest of one that was cut off
    if (connection?._receiver) connection._receiver = new connection._receiver.constructor();
    lose(LOST);
  });
  // the socket is open again: whether the run is still there shows by its next frame
  document_?.on_event?.("client_reconnected", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => lose(GONE), ANSWER_MS);
  });
  // not before the first frame: what is set while the page is put together does not reach the server
  const begin = () => {
    if (!model.page) return [followJupyter(model)];
    writeAddress(model.query);
    model.on("query", () => writeAddress(model.query));
    beginTabsHere(box);
    // whoever waited for this run hands over to its controls
    window.dispatchEvent(new CustomEvent("streamlab:run", { detail: { play } }));
    return [followTheme(model), leaveWell(model, stats)];
  };
  const update = (next) => {
    lose(null);
    show(next);
    hasPlayed ||= next.state === "playing";
    if (model.page && hasPlayed) recent.keep(model.about, next.position, next.state !== "playing");
    stops ??= begin();
  };
  window.__streamlab_transport = { stats };
  const destroy = () => {
    clearTimeout(waiting);
    if (model.page && lost !== null) leaveWord();
    stops?.forEach((stop) => stop());
  };
  return { box, css: CSS, update, destroy };
});

/** A row as what it is: [a node], or []. */
function drawn(picture) {
  if (picture?.kind === "text") return [element("span", { class: "sl-text", text: picture.text })];
  if (picture?.kind !== "pixels") return [];
  const { shape: [height, width], values } = picture;
  const canvas = element("canvas", { width, height, role: "img", "aria-label": `the row, ${width} by ${height} pixels` });
  const pixels = new ImageData(width, height);
  values.forEach((value, i) => { pixels.data[4 * i + 3] = 255 * value; });
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return [canvas];
}

/**
 * Says that the run is gone, over a page whose parts were exchanged: a server that was started again sends, under the old page's number,
 * the parts of a new one, which never comes to life.
 */
function leaveWord() {
  // said once, however often parts are exchanged while the server comes back
  if (document.querySelector(".sl-gone")) return;
  const reload = reloadButton();
  const word = element("div", { class: "sl-gone", role: "alert" }, [element("span", { text: GONE }), reload]);
  word.style.cssText = "position:fixed;z-index:5000;top:72px;left:16px;right:16px;padding:12px 16px;border-radius:8px;"
    + "border:1px solid #b3261e;background:#fff;color:#1c1b1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere";
  reload.style.cssText = "margin-left:12px;padding:4px 12px;font:inherit";
  document.body.append(word);
}

/**
 * Says to the server which page the next one comes from, and whether a link of the header leads there, which begins afresh; what says it is
 * gone as soon as the next page is here. The address that is left says the run's row, so that the browser's Back goes there.
 * A page that the browser kept and shows again is loaded again: its run may have ended.
 */
function leaveWell(model, stats) {
  const write = (left, seconds) => { document.cookie = `streamlab_left=${left};path=/;max-age=${seconds};samesite=strict`; };
  write("", 0);
  const leave = (event) => {
    const { position, state, isLost } = stats();
    // no address leads to a run on somebody's own data: the browser asks before it is lost, and cannot tell a reload, which takes it over
    if (model.own && position && !isLost) event.preventDefault();
    const at = position + (state === "finished");
    if (!model.own) window.history.replaceState(null, "", addressAt(at));
    write(`${window.__streamlab_afresh ? "." : ""}${model.secret}:${at}`, RELOAD_S);
  };
  const again = (event) => event.persisted && window.location.reload();
  window.addEventListener("beforeunload", leave);
  window.addEventListener("pageshow", again);
  return () => {
    window.removeEventListener("beforeunload", leave);
    window.removeEventListener("pageshow", again);
  };
}

/** The theme of the JupyterLab around the cell, also when it is changed; elsewhere nothing is followed. */
function followJupyter(model) {
  const follow = () => {
    const light = document.body.dataset.jpThemeLight;
    if (light !== undefined && (light === "false") !== model.dark) model.dark = light === "false";
  };
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  follow();
  return () => observer.disconnect();
}

/** Lets the first Tab go to Play, and not through all that stands beside the run; Shift and Tab goes there. */
export function beginTabsHere(node) {
  if (document.activeElement && document.activeElement !== document.body) return;
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
  node.blur();
  node.removeAttribute("tabindex");
}
