/*
 * The head of a picture: whose it is, how it does now, and its main parameter as a sentence whose number is the control.
 *
 * The number is dragged sideways, stepped by the arrow keys, or typed. A click on the name opens all else that can be set.
 */
import { button, element, setText } from "../../kit/js/dom.js";
import { themeOf } from "../../kit/js/palette.js";
import { renderPart } from "../../kit/js/panel.js";
import { asText } from "../../timeline/js/colours.js";

/** px of a drag from one value offered to the next. */
const STEP = 12;
const CSS = `
/* what has no room is wrapped out of sight */
.sl-view.sl-pane-head{display:flex;flex-flow:row wrap;align-items:baseline;gap:20px 12px;min-height:40px;max-height:40px;white-space:nowrap;overflow:hidden;color:var(--sl-text)}
.sl-pane-head>*{flex:none}
.sl-pane-head .sl-head-name{padding:0;border:0;background:none;color:var(--own);font-size:18px;font-weight:600;line-height:1.3;cursor:pointer;
  max-width:calc(100% - 60px);overflow:hidden;text-overflow:ellipsis}
.sl-head-name:hover{text-decoration:underline;text-underline-offset:4px}
.sl-head-value{font-size:24px;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums;color:var(--own);min-width:2.1ch}
.sl-head-says{font-size:14px;color:var(--sl-muted);min-width:0;flex:0 1 auto!important;overflow:hidden}
.sl-head-set{border:0;border-bottom:2px solid currentColor;padding:0 1px;background:none;color:var(--sl-text);font:inherit;font-weight:600;cursor:ew-resize;touch-action:none}
.sl-head-set:not(input)::after{content:"↔";font-size:11px;opacity:.55;margin-left:4px;font-weight:400}
input.sl-head-set{width:9ch;cursor:text;outline:none}
.sl-pane-head :is(button,.sl-head-set):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px;border-radius:3px}
.sl-pane-head [hidden]{display:none}
@media (max-width:560px){.sl-view.sl-pane-head{gap:0 8px;min-height:32px;max-height:none;padding-bottom:4px}.sl-pane-head .sl-head-name{font-size:16px}
  .sl-head-value{font-size:18px}.sl-head-says{font-size:13px}}
@container style(--sl-projected:1){.sl-head-set:not(input)::after{display:none}.sl-view.sl-pane-head{min-height:32px}}
`;

export const render = renderPart(({ model, send }) => {
  const command = (name, value = null) => send({ kind: "command", name, value });
  const name = button("", () => command("settings"), { class: "sl-head-name" });
  const value = element("span", { class: "sl-head-value" });
  const before = element("span"), after = element("span");
  const set = element("span", { class: "sl-head-set", role: "spinbutton", tabindex: "0" });
  const says = element("span", { class: "sl-head-says" }, [before, set, after]);
  const box = element("div", { class: "sl-view sl-pane-head" }, [name, value, says]);
  let frame = null, dragged = null, isTyped = false;

  const write = (text) => {
    setText(set, text);
    set.setAttribute("aria-valuetext", text);
  };
  const tune = (text) => {
    if (text !== undefined && text !== frame.set) command("tune", text);
  };
  const offered = (steps) => {
    const { options, set: now } = frame, at = options.indexOf(now);
    return options[Math.min(Math.max((at < 0 ? 0 : at) + steps, 0), options.length - 1)];
  };
  const type = () => {
    const field = element("input", { class: "sl-head-set", value: frame.number, "aria-label": frame.title, inputmode: "decimal", maxlength: "20" });
    isTyped = true;
    set.replaceWith(field);
    field.select();
    field.focus();
    const end = (isMeant) => {
      if (!isTyped) return;
      isTyped = false;
      const text = field.value.trim();
      field.replaceWith(set);
      if (isMeant && text) tune(text);
      set.focus();
    };
    field.addEventListener("blur", () => end(true));
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter");
    });
  };
  set.addEventListener("pointerdown", (event) => {
    if (!frame.options.length) return;
    set.setPointerCapture(event.pointerId);
    dragged = { x: event.clientX, to: frame.set, moved: false };
  });
  set.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const away = event.clientX - dragged.x;
    dragged.moved ||= Math.abs(away) > 4;
    dragged.to = offered(Math.round(away / STEP));
    if (dragged.moved) write(dragged.to);
  });
  set.addEventListener("pointerup", () => {
    const was = dragged;
    dragged = null;
    if (was?.moved) tune(was.to);
    else if (was) type();
  });
  set.addEventListener("pointercancel", () => { dragged = null; });
  set.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 3, PageDown: -3 }[event.key];
    if (steps) tune(offered(steps));
    else if (event.key === "Home") tune(frame.options[0]);
    else if (event.key === "End") tune(frame.options.at(-1));
    else if (event.key === "Enter") type();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const paint = () => { if (frame) box.style.setProperty("--own", asText(themeOf(model.dark), frame.colour)); };
  const update = (next) => {
    frame = next;
    setText(name, frame.name);
    name.title = `${frame.name}: settings`;
    setText(value, frame.value);
    value.title = frame.of;
    says.hidden = !frame.set;
    setText(before, frame.before);
    setText(after, frame.after);
    set.setAttribute("aria-label", frame.title);
    if (!dragged) write(frame.set);
    paint();
  };
  return { box, css: CSS, setDark: paint, follows: { shown: () => update(model.shown) } };
});
