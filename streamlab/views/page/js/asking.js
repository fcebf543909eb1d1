/*
 * The one question that a page asks at the first thing worth one: the run pauses, and this stands where the sentence stood.
 *
 * Who answers is told whether it was right, and why, and where the lesson is; on rows to come when they were played. Whoever does not want to be asked says so once: a cookie keeps it.
 */
import { openAfresh } from "../../kit/js/address.js";
import { button, element } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";

const COOKIE = "streamlab_asks";
const YEAR_S = 365 * 24 * 3600;
const CSS = `
.sl-asking{padding:2px 2px 4px;font:15px/1.33 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--sl-text)}
.sl-asking:focus{outline:none}
.sl-asking:focus-visible{outline:2px solid var(--sl-accent);outline-offset:2px;border-radius:6px}
.sl-asking p{margin:0 0 5px;max-width:140ch;overflow-wrap:anywhere}
.sl-asking b{font-weight:650}
.sl-asking .sl-row{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:center}
.sl-asking :is(button,a){box-sizing:border-box;min-height:30px;padding:4px 12px;border:1px solid var(--sl-control);border-radius:8px;background:var(--sl-paper);
  color:var(--sl-text);font:inherit;font-size:13px;line-height:20px;text-align:left;text-decoration:none;cursor:pointer}
.sl-asking :is(button,a):hover{background:var(--sl-track)}
.sl-asking .sl-first{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);font-weight:600}
.sl-asking .sl-first:hover{background:var(--sl-accent);filter:brightness(1.1)}
.sl-asking .sl-quiet{border-color:transparent;background:none;color:var(--sl-muted);text-decoration:underline}
@media (pointer:coarse){.sl-asking :is(button,a){min-height:44px;line-height:34px}}
`;

/** What stands on a question and after its answer: its words, and buttons by what they do. */
export function said(frame, picked) {
  if (picked === null) return { words: frame.question, verdict: "What happened?", buttons: frame.answers.map((text, i) => ["answer", text, i]) };
  if (frame.ahead && frame.judged === null) return { words: "Play on and see.", verdict: `You said: ${frame.answers[picked]}.`, buttons: [] };
  return { words: frame.why, verdict: picked === frame.right ? "Right." : `Not quite: ${frame.answers[frame.right]}.`, buttons: [] };
}

/** What has the focus, within however many shadow roots. */
function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** Keeps whether to ask, for the next page: the server reads it when that opens. */
const keep = (asks) => { document.cookie = `${COOKIE}=${asks ? "on" : "off"};path=/;max-age=${YEAR_S};samesite=strict`; };

export const render = renderPart(({ model, send }) => {
  const box = element("section", { class: "sl-view sl-asking", "aria-label": "A question on what happened", tabindex: "-1", hidden: true });
  let frame = null;
  let picked = null;
  const pick = (i) => {
    picked = i;
    send({ kind: "answer", answer: i });
    draw();
    box.focus({ preventScroll: true });
  };
  const draw = () => {
    const { words, verdict, buttons } = said(frame, picked);
    const last = [
      button("Play on", () => send({ kind: "play" }), { class: picked === null ? "sl-quiet" : "sl-first" }),
      button("Do not ask again", () => send({ kind: "off" }), { class: "sl-quiet" }),
    ];
    const lesson = frame.lesson && element("a", { href: frame.lesson[0], text: frame.lesson[1], class: picked === null ? "sl-quiet" : "" });
    lesson?.addEventListener("click", openAfresh);
    box.replaceChildren(
      element("p", { "aria-live": "polite" }, [element("b", { text: `${verdict} ` }), element("span", { text: words })]),
      element("div", { class: "sl-row" }, [...buttons.map(([, text, i]) => button(text, () => pick(i))), ...(lesson ? [lesson] : []), ...last]),
    );
  };
  const update = (next) => {
    const isNew = next.question && !(frame && frame.question);
    frame = next;
    box.hidden = !next.question;
    if (box.hidden) box.replaceChildren();
    if (!isNew) return;
    picked = next.judged;
    draw();
    // the next Tab goes to the first answer, and Space still plays; whoever is busy elsewhere is not called away
    const at = focused();
    if (!at || at === document.body || at.closest(".sl-transport")) box.focus({ preventScroll: true });
  };
  model.on("asks", () => keep(model.asks));
  return { box, css: CSS, update };
});
