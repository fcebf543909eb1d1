/* What people take away from a run: its curves as a picture, and the run as a Python script. */
import { element, setText } from "../../kit/js/dom.js";
import { themeOf } from "../../kit/js/palette.js";
import { download, onPaper } from "../../kit/js/paper.js";
import { renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";
import { chartSize, drawCharts } from "../../timeline/js/paper_chart.js";

const CSS = `${SHARED_CSS}
.sl-keep{font-size:13px}
.sl-keep .sl-bar-row{margin:6px 0}
.sl-keep .sl-row-name{flex:0 0 84px;color:var(--sl-muted)}
.sl-keep pre{margin:8px 0 0;padding:8px 10px;max-height:320px;overflow:auto;border:1px solid var(--sl-line);border-radius:6px;
  font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}
.sl-keep pre:focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-keep p{margin:6px 0 0;min-height:1.45em;overflow-wrap:anywhere}
`;

/** Whether a text is on the clipboard now; a page that is not served safely has none. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

class Keep {
  constructor(root, ask) {
    this.said = element("p", { class: "sl-muted", role: "status" });
    this.script = element("pre", { tabindex: "0", role: "region", "aria-label": "The run as Python", hidden: true });
    const button = (text, name, question) => {
      const made = element("button", { type: "button", text, "aria-label": name, title: name });
      made.addEventListener("click", () => {
        setText(this.said, "One moment …");
        ask(question);
      });
      return made;
    };
    const row = (name, ...buttons) => element("div", { class: "sl-bar-row" }, [
      element("span", { class: "sl-row-name", text: name }), element("div", { class: "sl-segments", role: "group", "aria-label": name }, buttons),
    ]);
    this.node = element("section", { class: "sl-view sl-keep", "aria-label": "Curves and Python" }, [
      element("style", { text: CSS }),
      row("Curves", ...["svg", "png"].map((kind) => (
        button(kind.toUpperCase(), `Save the curves as ${kind.toUpperCase()}`, { kind: "curves", format: kind })))),
      row("This run", button("Copy as Python", "Copy the run as Python", { kind: "python" })),
      this.said, this.script,
    ]);
    root.append(this.node);
  }

  setDark(dark) {
    this.theme = themeOf(dark);
    this.node.classList.toggle("sl-dark", Boolean(dark));
  }

  async receive(message) {
    try {
      if (message.kind === "curves") await this.saveCurves(message);
      else if (message.kind === "python") await this.showScript(message.text);
      else if (message.kind === "refused") setText(this.said, message.text);
    } catch (error) {
      setText(this.said, `This cannot be saved: ${error.message}`);
    }
  }

  async saveCurves({ format, name, title, words, ...drawn }) {
    const [width, height] = chartSize(drawn.charts);
    const { theme } = this;
    const blob = await onPaper({
      title, words, entries: [], width, height, theme,
      paint: (context, ratio) => {
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        drawCharts(context, theme, drawn);
      },
    }, format);
    download(blob, name);
    setText(this.said, `Saved as ${name}.`);
  }

  async showScript(text) {
    setText(this.script, text);
    this.script.hidden = false;
    const isCopied = await copied(text);
    if (!isCopied) getSelection().selectAllChildren(this.script);
    setText(this.said, isCopied ? "Copied: this makes the run again, bit for bit." : "Copy it from here: it makes the run again, bit for bit.");
  }
}

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const keep = new Keep(el, (question) => model.send_msg(question));
    const listen = (message) => keep.receive(message);
    const paint = () => keep.setDark(model.dark);
    model.on("msg:custom", listen);
    model.on("dark", paint);
    paint();
    return () => {
      model.off("msg:custom", listen);
      keep.node.remove();
    };
  });
}
