/* The latest row: what it is called, its labels and the answers, its values. */
import { element, headRow, reachIfScrolling, scrollTable, setText } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";
import { renderPart } from "../../kit/js/panel.js";

const CSS = `
.sl-latest-row h3{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;margin:4px 0 8px;min-height:36px;font-size:15px;font-weight:600}
.sl-latest-row h3 b{font-weight:600;overflow-wrap:anywhere}
.sl-latest-row dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:6px 14px;margin:0 0 8px;align-items:baseline}
.sl-latest-row dt{color:var(--sl-muted);overflow-wrap:anywhere;max-width:180px}
.sl-latest-row dt i{display:inline-block;width:18px;height:0;margin-right:6px;vertical-align:middle;border-top:3px solid}
.sl-latest-row dd{display:flex;flex-wrap:wrap;gap:4px 6px;margin:0;min-height:22px}
.sl-latest-row .sl-chip.sl-missed{color:var(--sl-muted);border-style:dotted;text-decoration:line-through}
.sl-latest-row .sl-row-why p{margin:0 0 6px;font-size:14px;overflow-wrap:anywhere}
.sl-latest-row td{white-space:normal;overflow-wrap:anywhere}
@container (max-width:300px){.sl-latest-row dl{grid-template-columns:1fr;gap:2px}.sl-latest-row dt{max-width:none}.sl-latest-row dd{margin-bottom:4px}}
`;
const chip = (text, kind = "", said = "") => element("span", { class: `sl-chip ${kind}`, text, title: said || false });
const chips = (parts) => (parts.length ? parts : [chip("nothing")]);

export const render = renderPart(({ el }) => {
  let row;
  const number = element("b"), title = element("b");
  const labels = element("dl"), why = element("div", { class: "sl-row-why" }), told = element("p", { class: "sl-muted", text: "No row has come yet: press play." }), body = element("tbody");
  const values = scrollTable("Values of the latest row", [element("thead", {}, [headRow(["Feature", "Value"])]), body]);
  values.hidden = true;
  const box = element("section", { class: "sl-view sl-latest-row", "aria-label": "The latest row" }, [
    element("h3", {}, [number, title]), labels, why, told, values,
  ]);

  function update(frame) {
    if (frame.error) {
      setText(told, frame.error);
      return;
    }
    ({ row } = frame);
    setText(number, `Row ${formatCount(row + 1)}`);
    setText(title, frame.title);
    const rest = frame.more ? [chip(`and ${formatCount(frame.more)} more`)] : [];
    const lines = [[element("dt", { text: frame.heading }), element("dd", {}, [...chips(frame.truth.map((label) => chip(label))), ...rest])]];
    for (const { name, colour, labels: own, missed } of frame.answers) {
      const answer = own === null ? [chip("has not answered yet")] : chips([
        ...own.map(([label, isRight]) => chip(label, isRight ? "sl-right" : "sl-wrong", isRight ? "right" : "wrong")),
        ...missed.map((label) => chip(label, "sl-missed", "not answered")),
      ]);
      lines.push([element("dt", {}, [element("i", { style: `border-color:${colour}` }), name]), element("dd", {}, answer)]);
    }
    labels.replaceChildren(...lines.flat());
    why.replaceChildren(...(frame.why ?? []).map((text) => element("p", { text })));
    setText(told, frame.told);
    values.hidden = frame.values.length === 0;
    body.replaceChildren(...frame.values.map(([name, value]) => element("tr", {}, [name, value].map((text) => element("td", { text })))));
    reachIfScrolling(values, "Values of the latest row");
  }

  el.__latest_stats = () => ({ row });
  return { box, css: CSS, update };
});
