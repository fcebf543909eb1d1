/* The latest row: what it is called, how it sounds, its labels and the answers, its values. */
import { element, reachIfScrolling, setText } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";
import { receiveFrames, renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const CSS = `${SHARED_CSS}
.sl-latest-row h3{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;margin:4px 0 8px;min-height:36px;font-size:15px;font-weight:600}
.sl-latest-row h3 b{font-weight:600;overflow-wrap:anywhere}
.sl-latest-row h3 .sl-muted{font-size:13px;font-weight:400}
.sl-latest-row .sl-hear{min-height:32px;padding:0 12px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  font-size:13px;cursor:pointer}
.sl-latest-row .sl-hear:hover{background:var(--sl-track)}
.sl-latest-row dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:6px 14px;margin:0 0 8px;align-items:baseline}
.sl-latest-row dt{color:var(--sl-muted);overflow-wrap:anywhere;max-width:180px}
.sl-latest-row dt i{display:inline-block;width:18px;height:0;margin-right:6px;vertical-align:middle;border-top:3px solid}
.sl-latest-row dd{display:flex;flex-wrap:wrap;gap:4px 6px;margin:0;min-height:22px}
.sl-latest-row .sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px;overflow-wrap:anywhere}
.sl-latest-row .sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-latest-row .sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-latest-row .sl-chip.sl-missed{color:var(--sl-muted);border-style:dotted;text-decoration:line-through}
.sl-latest-row td{white-space:normal;overflow-wrap:anywhere}
`;
const NOTHING = "nothing";

class LatestRow {
  constructor(root, hear) {
    this.number = element("b");
    this.title = element("b");
    this.hear = element("button", { type: "button", class: "sl-hear", text: "♪ Play it", hidden: true });
    this.said = element("span", { class: "sl-muted", role: "status" });
    this.labels = element("dl");
    this.told = element("p", { class: "sl-muted", text: "No row has come yet: press play." });
    this.body = element("tbody");
    this.values = element("div", { class: "sl-scroll", hidden: true }, [element("table", {}, [
      element("thead", {}, [element("tr", {}, ["Feature", "Value"].map((text) => element("th", { text, scope: "col" })))]), this.body,
    ])]);
    this.node = element("section", { class: "sl-view sl-latest-row", "aria-label": "The latest row" }, [
      element("style", { text: CSS }), element("h3", {}, [this.number, this.title, this.hear, this.said]), this.labels, this.told, this.values,
    ]);
    this.hear.addEventListener("click", () => {
      setText(this.said, "One moment …");
      hear(this.row);
    });
    root.append(this.node);
  }

  update({ error, row, title, has_sound: hasSound, heading, truth, more, answers, values, told }) {
    if (error) {
      setText(this.told, error);
      return;
    }
    this.row = row;
    setText(this.number, `Row ${formatCount(row + 1)}`);
    setText(this.title, title);
    this.hear.hidden = !hasSound;
    this.hear.setAttribute("aria-label", `Play row ${formatCount(row + 1)}${title ? `, ${title}` : ""}`);
    const chip = (text, kind = "", said = "") => element("span", { class: `sl-chip ${kind}`, text, title: said || false });
    const chips = (parts) => (parts.length ? parts : [chip(NOTHING)]);
    const rest = more ? [chip(`and ${formatCount(more)} more`)] : [];
    const lines = [[element("dt", { text: heading }), element("dd", {}, [...chips(truth.map((label) => chip(label))), ...rest])]];
    for (const { name, colour, labels, missed } of answers) {
      const sign = element("i", { style: `border-color:${colour}` });
      const said = labels === null ? [chip("has not answered yet")] : chips([
        ...labels.map(([label, isRight]) => chip(label, isRight ? "sl-right" : "sl-wrong", isRight ? "right" : "wrong")),
        ...missed.map((label) => chip(label, "sl-missed", "not answered")),
      ]);
      lines.push([element("dt", {}, [sign, name]), element("dd", {}, said)]);
    }
    this.labels.replaceChildren(...lines.flat());
    setText(this.told, told);
    this.values.hidden = values.length === 0;
    this.body.replaceChildren(...values.map(([name, value]) => (
      element("tr", {}, [element("td", { text: name }), element("td", { text: value })]))));
    reachIfScrolling(this.values, "Values of the latest row");
  }

  async play({ row, wav, error }) {
    if (error) {
      setText(this.said, `It cannot be played: ${error}`);
      return;
    }
    const address = URL.createObjectURL(new Blob([wav], { type: "audio/wav" }));
    const audio = new Audio(address);
    audio.addEventListener("ended", () => URL.revokeObjectURL(address));
    try {
      await audio.play();
      setText(this.said, `Row ${formatCount(row + 1)} is playing`);
      this.played = row;
    } catch {
      URL.revokeObjectURL(address);
      setText(this.said, "This browser does not play it");
    }
  }

  stats() {
    return { row: this.row, played: this.played ?? null };
  }
}

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const latest = new LatestRow(el, (row) => model.send_msg({ kind: "sound", row }));
    const listen = (message) => message?.kind === "sound" && latest.play(message);
    const paint = () => latest.node.classList.toggle("sl-dark", Boolean(model.dark));
    el.__latest_stats = () => latest.stats();
    model.on("msg:custom", listen);
    model.on("dark", paint);
    paint();
    const stop = receiveFrames(model, view, (frame) => latest.update(frame));
    return () => {
      stop();
      model.off("msg:custom", listen);
      latest.node.remove();
    };
  });
}
