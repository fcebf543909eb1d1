/* The button “Lessons” and the list that it opens: each a link, which opens the lesson in this page's place. */
import { element, setText } from "../../kit/js/dom.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const CSS = `${SHARED_CSS}
.sl-lessons{position:relative;display:inline-block}
.sl-view:has(.sl-lessons){width:auto;container-type:normal}
.sl-lessons [hidden]{display:none!important}
.sl-lessons>button{min-height:36px;padding:0 12px;border:1px solid transparent;border-radius:18px;background:none;color:inherit;cursor:pointer;
  font-size:14px}
.sl-lessons>button:hover{background:var(--sl-track);color:var(--sl-text)}
.sl-lessons ul{position:absolute;left:0;top:42px;z-index:1300;width:min(400px,calc(100vw - 24px));max-height:calc(100dvh - 80px);overflow:auto;
  margin:0;padding:6px;list-style:none;border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);box-shadow:var(--sl-shadow);
  text-align:left}
.sl-lessons a{display:block;padding:8px 12px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-lessons a:hover{background:var(--sl-track)}
.sl-lessons a:focus-visible{outline:2px solid var(--sl-accent);outline-offset:-2px}
.sl-lessons a[aria-current]{box-shadow:inset 3px 0 0 var(--sl-accent)}
.sl-lessons b{font-weight:600;font-size:14px}
.sl-lessons small{color:var(--sl-muted);font-size:12px;margin-left:8px;white-space:nowrap}
.sl-lessons span{display:block;color:var(--sl-muted);font-size:12.5px;line-height:1.4}
.sl-lessons ul.sl-leftwards{left:auto;right:0}
@media (max-width:600px){.sl-lessons ul,.sl-lessons ul.sl-leftwards{position:fixed;left:12px;right:12px;top:56px;width:auto}}
`;

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const button = element("button", { type: "button", "aria-expanded": "false", text: "Lessons" });
    const list = element("ul", { hidden: true, "aria-label": "Lessons" });
    const box = element("nav", { class: "sl-lessons", "aria-label": "Lessons" }, [button, list]);
    const root = element("div", { class: "sl-view" }, [box]);
    el.append(element("style", { text: CSS }), root);
    const own = new AbortController();
    const on = (node, type, act) => node.addEventListener(type, act, { signal: own.signal });
    const open = (isOpen) => {
      // to the side where there is room
      list.classList.toggle("sl-leftwards", button.getBoundingClientRect().left > window.innerWidth / 2);
      list.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    };
    const fill = () => list.replaceChildren(...model.lessons.map(([name, title, about, minutes]) => {
      const link = element("a", { href: `stream_monitor?lesson=${encodeURIComponent(name)}` }, [
        element("b", { text: title }), element("small", { text: `${minutes} minutes` }), element("span", { text: about }),
      ]);
      if (name === model.open_name) link.setAttribute("aria-current", "true");
      return element("li", {}, [link]);
    }));
    const paint = () => root.classList.toggle("sl-dark", model.dark);
    on(button, "click", () => open(list.hidden));
    on(box, "keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        open(false);
        button.focus();
      }
    });
    on(document, "pointerdown", (event) => event.composedPath().includes(box) || open(false));
    model.on("lessons", fill);
    model.on("open_name", fill);
    model.on("dark", paint);
    fill();
    paint();
    setText(button, "Lessons");
    return () => {
      own.abort();
      el.replaceChildren();
    };
  });
}
