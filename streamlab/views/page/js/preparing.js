/*
 * What is being compiled, once, and about how long that takes: over the page, in a corner, so that nothing moves when it comes and
 * goes. The bar runs here; the server only says what began, how long ago.
 */
import { element, setText } from "../../kit/js/dom.js";
import { receiveFrames, renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const EVERY_MS = 250;
/** Of the bar, when the time that was expected is over. */
const NEARLY = 0.9;

const CSS = `${SHARED_CSS}
.sl-preparing{position:fixed;z-index:1200;right:16px;bottom:16px;width:min(420px,calc(100vw - 32px));padding:12px 14px;border-radius:10px;
  border:1px solid var(--sl-line);background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-preparing[hidden]{display:none}
.sl-preparing p{margin:0 0 6px;overflow-wrap:anywhere}
.sl-preparing div{display:flex;gap:12px;align-items:center}
.sl-preparing progress{flex:1 1 auto;min-width:0;accent-color:var(--sl-accent)}
.sl-preparing button{min-height:32px;padding:0 12px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap}
.sl-preparing button:hover{background:var(--sl-track)}
@media (max-width:600px){.sl-preparing{bottom:84px}}
`;

/** The share of the bar after some of the seconds that were expected: it slows down, and never says that it is done. */
export const shareAfter = (seconds, expected) =>
  seconds < expected ? (NEARLY * seconds) / expected : 1 - (1 - NEARLY) * (expected / seconds);

export function createPreparing(root, send) {
  const text = element("p", { role: "status" });
  const bar = element("progress", { max: "1", "aria-label": "Preparing" });
  const without = element("button", { type: "button", text: "Go on without it" });
  const view = element("div", { class: "sl-view sl-preparing", hidden: true }, [text, element("div", {}, [bar, without])]);
  root.append(element("style", { text: CSS }), view);
  let began = 0;
  let expected = 0;
  let timer = 0;

  const draw = () => { bar.value = shareAfter((performance.now() - began) / 1000, expected); };
  without.addEventListener("click", () => send({ kind: "without" }));

  function update(frame) {
    clearInterval(timer);
    view.classList.toggle("sl-dark", frame.dark);
    view.hidden = !frame.text;
    setText(text, frame.text);
    without.hidden = !frame.optional;
    if (!frame.text) return;
    began = performance.now() - 1000 * frame.passed;
    expected = frame.expected;
    draw();
    timer = setInterval(draw, EVERY_MS);
  }

  return { update, destroy: () => { clearInterval(timer); root.replaceChildren(); } };
}

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const preparing = createPreparing(el, (message) => model.send_msg(message));
    const stop = receiveFrames(model, view, (frame) => preparing.update(frame));
    return () => { stop(); preparing.destroy(); };
  });
}
