/* What people take away from a run: its curves as a picture, and the run as a Python script. */
import { button, copied, element, setText } from "../../kit/js/dom.js";
import { themeOf } from "../../kit/js/palette.js";
import { download, onPaper } from "../../kit/js/paper.js";
import { renderPart } from "../../kit/js/panel.js";
import { chartSize, drawCharts } from "../../timeline/js/paper_chart.js";

const CSS = `
.sl-keep{font-size:13px}
.sl-keep .sl-bar-row{margin:6px 0}
.sl-keep .sl-row-name{flex:0 0 84px;color:var(--sl-muted)}
.sl-keep pre{margin:8px 0 0;padding:8px 10px;max-height:320px;overflow:auto;border:1px solid var(--sl-line);border-radius:6px;
  font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}
.sl-keep p{margin:6px 0 0;min-height:1.45em;overflow-wrap:anywhere}
`;

export const render = renderPart(({ model, send }) => {
  const said = element("p", { class: "sl-muted", role: "status" });
  const script = element("pre", { tabindex: "0", role: "region", "aria-label": "The run as Python", hidden: true });
  const asks = (text, name, question) => button(text, () => {
    setText(said, "One moment …");
    send(question);
  }, { "aria-label": name, title: name });
  const row = (name, ...buttons) => element("div", { class: "sl-bar-row" }, [
    element("span", { class: "sl-row-name", text: name }), element("div", { class: "sl-segments", role: "group", "aria-label": name }, buttons),
  ]);
  const box = element("section", { class: "sl-view sl-keep", "aria-label": "Curves and Python" }, [
    row("Curves", ...["svg", "png"].map((kind) => asks(kind.toUpperCase(), `Save the curves as ${kind.toUpperCase()}`, { kind: "curves", format: kind }))),
    row("This run", asks("Copy as Python", "Copy the run as Python", { kind: "python" })),
    said, script,
  ]);

  async function saveCurves({ format, name, title, words, ...drawn }) {
    const [width, height] = chartSize(drawn.charts), theme = themeOf(model.dark);
    const blob = await onPaper({
      title, words, entries: [], width, height, theme,
      paint: (context, ratio) => {
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        drawCharts(context, theme, drawn);
      },
    }, format);
    download(blob, name);
    setText(said, `Saved as ${name}.`);
  }

  async function showScript({ text }) {
    setText(script, text);
    script.hidden = false;
    const isCopied = await copied(text);
    if (!isCopied) getSelection().selectAllChildren(script);
    setText(said, isCopied ? "Copied: this makes the run again, bit for bit." : "Copy it from here: it makes the run again, bit for bit.");
  }

  const acts = { curves: saveCurves, python: showScript, refused: ({ text }) => setText(said, text) };
  const hear = async (message) => {
    try {
      await acts[message.kind]?.(message);
    } catch (error) {
      setText(said, `This cannot be saved: ${error.message}`);
    }
  };
  return { box, css: CSS, hear };
});
