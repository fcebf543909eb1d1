/* The header's “Copy link”: Python says what the link is, or in a sentence why there is none. */
import { button, copied, element, setText } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";
import { HEADER_CSS } from "../../kit/js/style.js";

const CSS = `${HEADER_CSS}
.sl-copy{position:relative}
.sl-copy p{position:absolute;right:0;top:40px;z-index:1300;width:max-content;max-width:min(320px,calc(100vw - 24px));margin:0;padding:8px 12px;
  border:1px solid var(--sl-line);border-radius:8px;background:var(--sl-paper);color:var(--sl-text);font-size:13px;line-height:1.4}
.sl-copy p:empty{display:none}
@media (max-width:760px){.sl-copy p{position:fixed;left:12px;right:12px;top:50px;width:auto;max-width:none}}
`;
/** How long the button says that the link was copied, and a sentence stays, ms. */
const COPIED_MS = 2000;
const SAID_MS = 12000;

export const render = renderPart(({ send, signal }) => {
  const link = button("Copy link", () => send({ kind: "link" }), {
    class: "sl-header-button", title: "Copy a link that opens this page, as it is set, at this row",
  });
  const said = element("p", { role: "status" });
  let clock = 0;
  const show = (words, sentence, ms) => {
    clearTimeout(clock);
    setText(link, words);
    setText(said, sentence);
    if (ms) clock = setTimeout(() => show("Copy link", "", 0), ms);
  };
  const hear = async (message) => {
    if (message.kind === "refused") show("Copy link", message.text, SAID_MS);
    if (message.kind !== "link") return;
    const address = new URL(window.location.href);
    address.search = message.query;
    if (await copied(address.href)) show("Link copied", "", COPIED_MS);
    else window.prompt("Copy this link", address.href);
  };
  const away = (event) => event.composedPath().includes(link) || said.textContent === "" || show("Copy link", "", 0);
  document.addEventListener("pointerdown", away, { signal });
  const box = element("div", { class: "sl-view" }, [element("div", { class: "sl-copy" }, [link, said])]);
  return { box, css: CSS, hear, destroy: () => clearTimeout(clock) };
});
