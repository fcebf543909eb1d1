/* A button of the header and the list that it opens: links, each of which opens in this page's place. */
import { element } from "../../kit/js/dom.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const CSS = `${SHARED_CSS}
.sl-menu{position:relative;display:inline-block}
.sl-view:has(.sl-menu){width:auto;container-type:normal}
.sl-menu [hidden]{display:none!important}
.sl-menu>button{min-height:32px;padding:0 10px;border:1px solid transparent;border-radius:8px;background:none;color:inherit;cursor:pointer;
  font:inherit;font-size:13px;white-space:nowrap}
.sl-menu>button:hover{background:var(--sl-track);color:var(--sl-text)}
.sl-menu ul{position:absolute;left:0;top:40px;z-index:1300;width:min(400px,calc(100vw - 24px));max-height:calc(100dvh - 80px);overflow:auto;
  margin:0;padding:6px;list-style:none;border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);box-shadow:var(--sl-shadow);
  text-align:left}
.sl-menu a{display:block;padding:8px 12px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-menu a:hover{background:var(--sl-track)}
.sl-menu a:focus-visible{outline:2px solid var(--sl-accent);outline-offset:-2px}
.sl-menu a[aria-current]{box-shadow:inset 3px 0 0 var(--sl-accent)}
.sl-menu b{font-weight:600;font-size:14px}
.sl-menu small{color:var(--sl-muted);font-size:12px;margin-left:8px;white-space:nowrap}
.sl-menu span{display:block;color:var(--sl-muted);font-size:12.5px;line-height:1.4}
.sl-menu ul.sl-leftwards{left:auto;right:0}
@media (max-width:760px){.sl-menu ul,.sl-menu ul.sl-leftwards{position:fixed;left:12px;right:12px;top:50px;width:auto}}
`;

/** A link of the header begins a run, also one to the address where the page stands: it is no reload (see transport.js). */
function openAfresh(event) {
  window.__streamlab_afresh = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const button = element("button", { type: "button", "aria-expanded": "false", text: model.label });
    const list = element("ul", { hidden: true, "aria-label": model.label });
    const box = element("nav", { class: "sl-menu", "aria-label": model.label }, [button, list]);
    const root = element("div", { class: "sl-view" }, [box]);
    el.append(element("style", { text: CSS }), root);
    const own = new AbortController();
    const on = (node, type, act) => node.addEventListener(type, act, { signal: own.signal });
    const open = (isOpen) => {
      // to the side where there is room
      list.classList.toggle("sl-leftwards", button.getBoundingClientRect().left > window.innerWidth / 2);
      if (isOpen) fill();
      list.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    };
    const fill = () => {
      const theme = new URL(window.location.href).searchParams.get("theme");
      list.replaceChildren(...model.links.map(([address, title, remark, about]) => {
        const themed = theme === null ? "" : `${address.includes("?") ? "&" : "?"}theme=${encodeURIComponent(theme)}`;
        const link = element("a", { href: address + themed }, [
          element("b", { text: title }), ...(remark ? [element("small", { text: remark })] : []), element("span", { text: about }),
        ]);
        if (address === model.current) link.setAttribute("aria-current", "true");
        link.addEventListener("click", openAfresh);
        return element("li", {}, [link]);
      }));
      box.hidden = !model.links.length;
    };
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
    model.on("links", fill);
    model.on("current", fill);
    model.on("dark", paint);
    fill();
    paint();
    return () => {
      own.abort();
      el.replaceChildren();
    };
  });
}
