/* The header's “Copy link”: Python says what the link is, or in a sentence why there is none. */
import { element, setText } from "../../kit/js/dom.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const CSS = `${SHARED_CSS}
.sl-view:has(.sl-copy){width:auto;container-type:normal}
.sl-copy{position:relative}
.sl-copy button{min-height:32px;padding:0 10px;border:1px solid transparent;border-radius:8px;background:none;color:inherit;cursor:pointer;
  font:inherit;font-size:13px;white-space:nowrap}
.sl-copy button:hover{background:var(--sl-track);color:var(--sl-text)}
.sl-copy button:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-copy p{position:absolute;right:0;top:40px;z-index:1300;width:max-content;max-width:min(320px,calc(100vw - 24px));margin:0;padding:8px 12px;
  border:1px solid var(--sl-line);border-radius:8px;background:var(--sl-paper);color:var(--sl-text);font-size:13px;line-height:1.4}
.sl-copy p:empty{display:none}
@media (max-width:760px){.sl-copy p{position:fixed;left:12px;right:12px;top:50px;width:auto;max-width:none}}
`;
/** How long the button says that the link was copied, and a sentence stays, ms. */
const COPIED_MS = 2000;
const SAID_MS = 12000;

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const button = element("button", {
      type: "button", text: "Copy link", title: "Copy a link that opens this run: all that was done in it, up to this row",
    });
    const said = element("p", { role: "status" });
    const root = element("div", { class: "sl-view" }, [element("div", { class: "sl-copy" }, [button, said])]);
    el.append(element("style", { text: CSS }), root);
    const own = new AbortController();
    let clock = 0;
    const show = (words, sentence, ms) => {
      clearTimeout(clock);
      setText(button, words);
      setText(said, sentence);
      if (ms) clock = setTimeout(() => show("Copy link", "", 0), ms);
    };
    const copy = async (query) => {
      const address = new URL(window.location.href);
      address.search = query;
      try {
        await navigator.clipboard.writeText(address.href);
        show("Link copied", "", COPIED_MS);
      } catch {
        window.prompt("Copy this link", address.href);
      }
    };
    const listen = (message) => {
      if (message.kind === "link") copy(message.query);
      else if (message.kind === "refused") show("Copy link", message.text, SAID_MS);
    };
    const paint = () => root.classList.toggle("sl-dark", model.dark);
    button.addEventListener("click", () => model.send_msg({ kind: "link" }));
    const away = (event) => event.composedPath().includes(button) || said.textContent === "" || show("Copy link", "", 0);
    document.addEventListener("pointerdown", away, { signal: own.signal });
    model.on("msg:custom", listen);
    model.on("dark", paint);
    paint();
    return () => {
      clearTimeout(clock);
      own.abort();
      model.off("msg:custom", listen);
      el.replaceChildren();
    };
  });
}
