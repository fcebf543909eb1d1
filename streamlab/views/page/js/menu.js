/* A button of the header and the list that it opens: links, each of which opens in this page's place. */
import { openAfresh } from "../../kit/js/address.js";
import { button, element } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";
import { HEADER_CSS } from "../../kit/js/style.js";

const CSS = `${HEADER_CSS}
.sl-menu{position:relative;display:inline-block}
.sl-menu [hidden]{display:none!important}
.sl-menu ul{position:absolute;left:0;top:40px;z-index:1300;width:min(400px,calc(100vw - 24px));max-height:calc(100dvh - 80px);overflow:auto;
  margin:0;padding:6px;list-style:none;border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);box-shadow:var(--sl-shadow);
  text-align:left}
.sl-menu a{display:block;padding:8px 12px;border-radius:6px;color:var(--sl-text);text-decoration:none}
.sl-menu a:hover{background:var(--sl-track)}
.sl-view .sl-menu a:focus-visible{outline-offset:-2px}
.sl-menu a[aria-current]{box-shadow:inset 3px 0 0 var(--sl-accent)}
.sl-menu b{font-weight:600;font-size:14px}
.sl-menu small{color:var(--sl-muted);font-size:13px;margin-left:8px;white-space:nowrap}
.sl-menu span{display:block;color:var(--sl-muted);font-size:13px;line-height:1.4}
.sl-menu ul.sl-leftwards{left:auto;right:0}
@media (max-width:760px){.sl-menu ul,.sl-menu ul.sl-leftwards{position:fixed;left:12px;right:12px;top:50px;width:auto}}
`;

export const render = renderPart(({ model, signal }) => {
  const list = element("ul", { hidden: true, "aria-label": model.label });
  const opener = button(model.label, () => open(list.hidden), { class: "sl-header-button", "aria-expanded": "false" });
  const nav = element("nav", { class: "sl-menu", "aria-label": model.label }, [opener, list]);
  const open = (isOpen) => {
    // to the side where there is room
    list.classList.toggle("sl-leftwards", opener.getBoundingClientRect().left > window.innerWidth / 2);
    if (isOpen) fill();
    list.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
  };
  const fill = () => {
    const theme = new URL(window.location.href).searchParams.get("theme");
    list.replaceChildren(...model.links.map(([address, title, remark, about]) => {
      const themed = theme === null ? "" : `${address.includes("?") ? "&" : "?"}theme=${encodeURIComponent(theme)}`;
      const link = element("a", { href: address + themed, "aria-current": address === model.current ? "true" : null }, [
        element("b", { text: title }), ...(remark ? [element("small", { text: remark })] : []), element("span", { text: about }),
      ]);
      link.addEventListener("click", openAfresh);
      return element("li", {}, [link]);
    }));
    nav.hidden = !model.links.length;
  };
  nav.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      open(false);
      opener.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => event.composedPath().includes(nav) || open(false), { signal });
  return { box: element("div", { class: "sl-view" }, [nav]), css: CSS, follows: { links: fill, current: fill } };
});
