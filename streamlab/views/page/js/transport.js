/*
 * The transport bar: play, pause, step, speed, where the stream stands, and what the run has to say.
 *
 * It shows what the server reports and never guesses: a click marks its button as busy until the next frame answers it. Keys
 * work anywhere on the page but in a field or on another control: Space plays and pauses, the right arrow steps one instance,
 * Page Down one chunk, L goes back to where the run ends.
 */
import { Recent, followTheme, writeAddress } from "../../kit/js/address.js";
import { CONTROLS, button, chooser, element, isChord, isTaken, setText } from "../../kit/js/dom.js";
import { formatCount, formatNumber } from "../../kit/js/format.js";
import { iconButton, setIcon } from "../../kit/js/controls.js";
import { renderPart } from "../../kit/js/panel.js";
import { AT_ONCE } from "../../kit/js/room.js";
import { OVERVIEW_CSS } from "../../timeline/js/style.js";

const SAY_EVERY_MS = 5000;
/** A server that still has the run answers sooner than this; one that was started again does not know the page. */
const ANSWER_MS = 8000;
const LOST = "Connection lost; trying to reach the server again. If it still runs, the run goes on there, and this page shows it as soon "
  + "as the connection is back. If it was stopped, the run is gone.";
const GONE = "The connection is back, but the server does not know this run: it was started again, or it has ended the run. Reload the page "
  + "to begin another.";
/** A page that comes later than this after another has been left is no reload of it. */
const RELOAD_S = 20;
/** How many rows before the playhead are played again and again; 0: none. */
const LOOPS = [[0, "No loop"], [200, "Loop: last 200 rows"], [1000, "Loop: last 1,000 rows"], [5000, "Loop: last 5,000 rows"]];
const STATES = { paused: "Paused", playing: "Playing", finished: "Finished", failed: "Stopped by an error", loading: "Loading…" };
const CSS = `${OVERVIEW_CSS}
.sl-transport .sl-overview{--sl-card:var(--sl-paper);margin:0}.sl-transport .sl-overview path{stroke-width:1.8}.sl-strip:empty,.sl-transport :is(.sl-window,.sl-grip){display:none!important}
.sl-strip-key{display:flex;flex-wrap:wrap;gap:0 10px;max-height:32px;overflow:hidden;white-space:nowrap;font-size:11px;line-height:16px;font-weight:600}
.sl-strip-key span{min-width:0;overflow:hidden;text-overflow:ellipsis}.sl-strip-key .sl-muted{flex:none;margin-left:auto;font-size:11px;font-weight:400}
.sl-transport{--sl-tall:32px;container:sl-transport/inline-size;display:flex;flex-direction:column;gap:6px}
.sl-transport .sl-row{display:flex;flex-wrap:wrap;align-items:center;gap:8px 10px}
.sl-transport button{display:inline-flex;align-items:center;justify-content:center;gap:6px;height:var(--sl-tall);min-width:var(--sl-tall);padding:0 6px;
  border:1px solid var(--sl-line);border-radius:22px;background:transparent;color:var(--sl-text);font:inherit;cursor:pointer}
.sl-transport button:hover:not(:disabled){background:var(--sl-track)}
.sl-transport button:disabled{opacity:.45;cursor:default}
.sl-transport button[aria-busy=true]{border-style:dashed}
.sl-transport button svg{width:18px;height:18px;fill:currentColor;flex:none}
.sl-transport .sl-play{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);padding:0 16px 0 10px;font-weight:600;min-width:94px}
.sl-transport .sl-play:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.1)}
.sl-transport select{height:var(--sl-tall);padding:0 10px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit}
.sl-transport .sl-state{display:flex;gap:8px;align-items:baseline;font-size:12px;color:var(--sl-muted);white-space:nowrap}
.sl-transport .sl-state b{color:var(--sl-text);font-weight:600}
.sl-transport .sl-live[hidden]{display:none}
.sl-transport .sl-banner{padding:10px 12px;border-radius:8px;border:1px solid var(--sl-down);color:var(--sl-text)}
.sl-transport .sl-banner{overflow-wrap:anywhere}
.sl-transport .sl-banner[hidden],.sl-transport .sl-banner button[hidden]{display:none}
.sl-transport .sl-banner button{margin-left:12px}
.sl-transport .sl-place{flex:1 1 auto;display:flex;white-space:nowrap}
.sl-transport .sl-besides{flex:1 1 0;min-width:0;contain:inline-size;display:flex;flex-wrap:wrap;height:1.45em;overflow:hidden}
.sl-transport .sl-besides::before{content:"";width:1px;height:1.45em}
.sl-transport .sl-besides span{white-space:pre}
.sl-transport button:not(.sl-play,.sl-live) .sl-wide{display:none}
@container page (min-width:1060px){.sl-transport .sl-row{flex-wrap:nowrap;margin-right:492px}.sl-transport .sl-row select{max-width:152px}
  .sl-transport .sl-row .sl-loop{width:98px}
  @container sl-transport (max-width:1030px){.sl-transport .sl-row .sl-loop{display:none}}}
.sl-transport .sl-keys{display:none}
@media (pointer:coarse){.sl-transport{--sl-tall:44px}}
@media not all and ${AT_ONCE}{.sl-docked{width:calc(100% + 32px);margin-left:-16px;gap:4px;padding:8px 12px 6px;background:var(--sl-paper);
    border-top:1px solid var(--sl-line);box-shadow:0 -4px 12px rgb(0 0 0/.12)}}
@media (max-width:1099px) and (max-height:619px){.sl-docked .sl-loop{display:none}}
@media (max-width:520px){.sl-transport{--sl-tall:44px}
  /* the strip says the row: beside it stands only why the run waits, or that one looks back */
  .sl-strip:not(:empty)~.sl-row :is(.sl-state,.sl-place>span:first-child,.sl-besides>span:last-child){display:none}
  .sl-strip:not(:empty)~.sl-row .sl-place{flex-basis:100%}
  .sl-strip:not(:empty)~.sl-row .sl-place:not(:has(.sl-besides>span:not(:last-child,:empty))){display:none}
  .sl-transport .sl-row{gap:6px 8px}
  .sl-transport .sl-wide,.sl-transport .sl-loop,.sl-transport:not(.sl-playing) .sl-state span{display:none}
  .sl-transport .sl-play{min-width:56px;padding:0 12px}.sl-transport select{padding:0 4px;max-width:124px}}
@container style(--sl-projected:1){.sl-transport .sl-row>:is(button:not(.sl-play),select,.sl-state){display:none}
  .sl-transport{--sl-tall:32px}.sl-docked{width:100%;margin:0;padding:0;border:0;box-shadow:none;background:none}
  .sl-transport .sl-row{flex-wrap:nowrap;margin:0}.sl-transport .sl-keys{display:inline;font-size:12px}
  .sl-transport .sl-place{flex-basis:auto;font-size:13px}
  .sl-transport .sl-play{min-width:94px;padding:0 16px 0 10px}.sl-transport .sl-play .sl-wide{display:inline}}
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
  const step = acting("step", "Step one instance", "One instance", "One instance (right arrow)", (own) => ask(own, "step", 1));
  const chunk = acting("chunk", "Step one chunk", "One chunk", "One chunk (Page Down)", (own) => ask(own, "step"));
  const restart = acting("restart", "Start again", "Start again", "Start again from the first instance", (own) => ask(own, "restart"));
  const live = acting("live", "Back to the newest row", "Live", "Go on where the run ends (L)", (own) => ask(own, "live"));
  live.hidden = true;
  const again = chooser("Play rows again and again", LOOPS, (value) => command("loop", Number(value)), { class: "sl-loop" });
  const speed = chooser("Speed", model.rates.map(([name], i) => [i, name]), (value) => command("rate", Number(value)));
  const state = element("b", { text: STATES.loading });
  const pace = element("span");
  const at = element("span");
  const remarks = [element("span"), element("span"), element("span")];
  const besides = element("span", { class: "sl-besides" }, remarks);
  const place = element("div", { class: "sl-muted sl-place" }, [at, besides]);
  const wrong = element("span", { role: "alert" });
  const reload = reloadButton();
  reload.hidden = true;
  const keys = element("span", { class: "sl-muted sl-keys", "aria-hidden": "true", text: "← → steps · Space plays · Esc leaves" });
  const banner = element("div", { class: "sl-banner", hidden: true }, [wrong, reload]);
  const strip = model.page ? element("div", { class: "sl-strip" }) : null;
  const said = element("div", { class: "sl-hidden", role: "status", "aria-live": "polite" });
  const box = element("div", { class: `sl-view sl-transport${model.page ? " sl-docked" : ""}`, role: "group", "aria-label": "Playback" }, [
    // above the row, in whose line the timeline has its own controls
    banner,
    ...(strip ? [strip] : []),
    element("div", { class: "sl-row" }, [
      play, step, chunk, live, ...(model.restart ? [restart] : []), speed, again, place, element("div", { class: "sl-state" }, [state, pace]), keys,
    ]),
    said,
  ]);

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
      again.disabled = frame.state === "failed";
      restart.disabled = false;
    }
    if (frame.rate_index < 0) {
      // one that is not offered: it was asked for
      if (!speed.querySelector("[value='-1']")) speed.append(element("option", { value: "-1", hidden: true }));
      setText(speed.lastElementChild, `${formatNumber(frame.rate)} a second`);
    }
    if (document.activeElement !== speed) speed.value = String(frame.rate_index);
    setText(state, STATES[frame.state] ?? frame.state);
    // the button says these two
    state.classList.toggle("sl-hidden", playing || frame.state === "paused");
    live.hidden = frame.live;
    drawPlace(frame.position);
    setText(pace, playing ? `${formatNumber(frame.speed)} rows/s` : "");
    showBanner();
    say(`${STATES[frame.state] ?? frame.state}. ${place.textContent}`);
  }

  const rowsAt = (position) => (frame.n_rows ? `${formatCount(position)} of ${formatCount(frame.n_rows)} rows` : `${formatCount(position)} rows`);

  function drawPlace(position) {
    const mark = frame.mark ? ` · ${frame.mark[1]} at ${formatCount(frame.mark[0])}` : "";
    const back = position < frame.end ? ` · looking back; the run has come to ${formatCount(frame.end)}` : "";
    setText(at, `${rowsAt(position)}${frame.n_rows ? ` · ${((100 * position) / frame.n_rows).toFixed(0)} %` : ""}`);
    // what has no room wraps, and is left out whole
    [back, frame.pace ? ` · ${frame.pace}` : "", mark].forEach((text, i) => setText(remarks[i], text));
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
  // `strip`: where the timeline puts the whole run on a phone; null in a notebook's cell
  window.__streamlab_transport = { strip, stats };
  const destroy = () => {
    clearTimeout(waiting);
    if (model.page && lost !== null) leaveWord();
    stops?.forEach((stop) => stop());
  };
  return { box, css: CSS, update, destroy };
});

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
 * gone as soon as the next page is here. The address that is left is a link to the run at its row, so that the browser's Back finds it there.
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
    if (model.way !== "") writeAddress(`${model.way}&at=${at}`.replace(/^&/, ""));
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
function beginTabsHere(node) {
  if (document.activeElement && document.activeElement !== document.body) return;
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
  node.blur();
  node.removeAttribute("tabindex");
}
