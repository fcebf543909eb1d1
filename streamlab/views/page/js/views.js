/* Which picture stands on the stage: a row of a few words, the rest behind "More". */
import { button, element, offer } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";

/** So many words at most, "More" among them; beside two heads of a narrow stage (px) fewer, so that these keep their own. */
const MOST = 4, FEW = 2, NARROW = 1100;
const CSS = `
.sl-view.sl-views{flex-direction:row} .sl-views{display:flex;justify-content:flex-end;gap:2px;width:max-content;font-size:13px}
.sl-views :is(button,select){white-space:nowrap;height:30px;padding:0 10px;border:0;border-radius:15px;background:none;color:var(--sl-muted);font:inherit;cursor:pointer}
.sl-views select{appearance:none;padding:0 10px;max-width:130px;field-sizing:content}
.sl-views :is(button,select):hover{background:var(--sl-track)}
.sl-views .sl-on{background:var(--sl-text);color:var(--sl-paper)}
.sl-views .sl-on:is(button,select):hover{background:var(--sl-text)}
.sl-views option{background:var(--sl-paper);color:var(--sl-text)}
.sl-views :focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-view.sl-views{flex-direction:row;gap:0;container-type:normal}
.sl-view.sl-views :is(button,select){padding:0 8px}
/* its words end where the picture does */
.sl-views>:last-child:not(.sl-on){margin-right:-8px}
@container style(--sl-projected:1){.sl-views{display:none}}
`;

export const render = renderPart(({ model }) => {
  const box = element("nav", { class: "sl-view sl-views", "aria-label": "Pictures" });
  const more = element("select", { "aria-label": "More" });
  more.addEventListener("change", () => { if (more.value !== "") model.active = Number(more.value); });
  const hostOf = () => box.getRootNode().host, stageOf = () => hostOf()?.getRootNode().host;
  const mostHere = () => (model.heads > 1 && stageOf()?.offsetWidth < NARROW && getComputedStyle(hostOf()).position === "absolute" ? FEW : MOST);
  let most = MOST;
  const resized = new ResizeObserver(() => { if (mostHere() !== most) draw(); });
  const draw = () => {
    const { titles, active } = model;
    most = mostHere();
    const first = titles.length > most ? titles.slice(0, most - 1) : titles;
    const words = first.map((title, i) => button(title, () => { model.active = i; }, { "aria-pressed": String(i === active), class: i === active ? "sl-on" : "" }));
    const rest = titles.slice(first.length).map((title, i) => [i + first.length, title]);
    offer(more, [["", "More ▾"], ...rest], active >= first.length ? active : "");
    more.classList.toggle("sl-on", active >= first.length);
    box.replaceChildren(...words, ...(rest.length ? [more] : []));
    // the heads keep this room free of their own words
    requestAnimationFrame(() => {
      const stage = stageOf();
      if (!stage) return;
      stage.style.setProperty("--sl-words-wide", `${box.offsetWidth + 16}px`);
      resized.observe(stage);
    });
  };
  return { box, css: CSS, follows: { titles: draw, active: draw, heads: draw }, destroy: () => resized.disconnect() };
});
