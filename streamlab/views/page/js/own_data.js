/*
 * The conversation about a file of one's own: its first rows, a role for each column, what is unclear in sentences, the line of
 * Python that does the same, and “Start with these”. Everything is decided in Python; here it is drawn, and what the user chooses is sent.
 */
import { button, chooser, copied, element, scrollTable, setText } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";

const CSS = `
dialog.sl-own{width:min(1180px,calc(100vw - 24px));max-width:none;max-height:calc(100dvh - 24px);padding:0;overflow:hidden;
  border:1px solid var(--sl-line);border-radius:10px;background:var(--sl-paper);color:var(--sl-text);margin:auto}
dialog.sl-own[open]{display:flex;flex-direction:column}
dialog.sl-own::backdrop{background:rgb(0 0 0 / 45%)}
.sl-own :is(h2,h3,p){margin:0}
.sl-own h2{font-size:17px;font-weight:600;overflow-wrap:anywhere}
.sl-own h3{font-size:13px;font-weight:600;margin:14px 0 6px}
.sl-own header,.sl-own footer{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;justify-content:space-between;padding:12px 18px}
.sl-own header{border-bottom:1px solid var(--sl-line)}
.sl-own footer{border-top:1px solid var(--sl-line)}
.sl-own .sl-talk{flex:1 1 auto;min-height:0;overflow:auto;padding:4px 18px 14px}
.sl-own .sl-written{display:flex;flex-wrap:wrap;gap:8px 18px;margin-top:10px}
.sl-own label{display:inline-flex;gap:6px;align-items:center;font-size:13px;color:var(--sl-muted)}
.sl-own select{min-height:30px;padding:2px 4px;border:1px solid var(--sl-control);border-radius:6px;background:var(--sl-paper);color:var(--sl-text);
  font-size:13px;cursor:pointer}
.sl-own .sl-asked{list-style:none;margin:8px 0 0;padding:0;display:grid;gap:4px}
.sl-own .sl-asked li{padding-left:20px;position:relative;overflow-wrap:anywhere}
.sl-own .sl-asked li::before{content:"·";position:absolute;left:6px;font-weight:700}
.sl-own .sl-asked li.sl-stops{font-weight:600}
.sl-own .sl-asked li.sl-stops::before{content:"?"}
.sl-own .sl-wrong{color:var(--sl-down);font-weight:600;overflow-wrap:anywhere;margin-top:10px}
.sl-own .sl-rows{max-height:min(46vh,480px);margin-top:0}
.sl-own .sl-rows :is(td,th){max-width:190px;overflow:hidden;text-overflow:ellipsis;text-align:left}
.sl-own .sl-rows tbody th{max-width:none;color:var(--sl-muted);text-align:right}
.sl-own .sl-rows thead th{vertical-align:bottom;color:var(--sl-text);z-index:1}
.sl-own .sl-rows thead th:first-child{color:var(--sl-muted)}
.sl-own .sl-head{display:grid;gap:3px;min-width:104px}
.sl-own .sl-head b{font-weight:600;font-size:13px;overflow:hidden;text-overflow:ellipsis}
.sl-own .sl-head small{font-size:11px;color:var(--sl-muted);overflow:hidden;min-height:2.5em;line-height:1.25;white-space:normal;
  overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.sl-own .sl-head .sl-why{font-style:italic}
.sl-own [data-role=label],.sl-own [data-role=class],.sl-own [data-role=tags],.sl-own [data-role=path],.sl-own [data-role=vector]{
  background:color-mix(in srgb,var(--sl-accent) 13%,var(--sl-paper))}
.sl-own [data-role=label] select,.sl-own [data-role=class] select,.sl-own [data-role=tags] select,.sl-own [data-role=path] select,.sl-own [data-role=vector] select{font-weight:600;border-width:2px}
.sl-own :is([data-role=ignore],[data-role=time]):is(td){opacity:.75;text-decoration:line-through}
.sl-own .sl-python{display:flex;gap:8px;align-items:center;margin-top:4px}
.sl-own code{flex:1 1 auto;min-width:0;overflow-x:auto;white-space:pre;padding:8px 10px;border:1px solid var(--sl-line);border-radius:6px;
  font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.sl-own .sl-button{min-height:34px;padding:0 14px;border:1px solid var(--sl-control);border-radius:6px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap}
.sl-own .sl-button:hover:not([disabled]){background:var(--sl-track)}
.sl-own .sl-start{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-paper);font-weight:600}
.sl-own .sl-start:hover:not([disabled]){background:var(--sl-accent);filter:brightness(1.08)}
.sl-own .sl-start[disabled]{background:none;color:var(--sl-muted);border-color:var(--sl-line);cursor:not-allowed}
.sl-own progress{width:160px;accent-color:var(--sl-accent)}
@media (max-width:600px){
  dialog.sl-own{width:100vw;max-height:100dvh;height:100dvh;border:0;border-radius:0}
  .sl-own :is(header,footer){padding:10px 12px}
  .sl-own .sl-talk{padding:2px 12px 10px}
  .sl-own .sl-python{flex-wrap:wrap}
  .sl-own code{flex-basis:100%}
}
`;

/** How a text file may be written: what is chosen, and what people read. */
const WRITTEN = {
  separator: ["Cells are separated by", { ",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar |", " ": "a blank" }],
  decimal: ["Decimals", { ".": "1.5", ",": "1,5" }],
  encoding: ["Letters", {}],
  header: ["First row", { true: "names", false: "data" }],
};
const ENCODINGS = ["utf-8", "cp1252", "iso8859-15", "cp1250", "cp1251", "utf-16", "utf-16-le", "utf-16-be", "shift_jis", "gb18030"];

export const render = renderPart(({ send: sendMessage, el }) => {
  const send = (name, value = null) => sendMessage({ kind: "command", name, value });
  const title = element("h2", { id: "sl-own-title" });
  const close = button("Close", () => send("close"), { class: "sl-button" });
  const written = element("div", { class: "sl-written" });
  const wrong = element("p", { class: "sl-wrong", role: "alert" });
  const asked = element("ul", { class: "sl-asked", "aria-live": "polite", "aria-label": "What is unclear" });
  const head = element("tr");
  const body = element("tbody");
  const rows = scrollTable("First rows", [element("thead", {}, [head]), body], "sl-rows");
  const more = element("p", { class: "sl-muted" });
  const line = element("code", { tabindex: "0", "aria-label": "The same in Python" });
  const copy = button("Copy", async () => {
    const isCopied = await copied(line.textContent);
    if (!isCopied) getSelection().selectAllChildren(line);
    setText(copy, isCopied ? "Copied" : "Selected");
    setTimeout(() => setText(copy, "Copy"), 1500);
  }, { class: "sl-button" });
  const start = button("Start with these", () => send("start"), { class: "sl-button sl-start" });
  const busy = element("span", { class: "sl-muted", role: "status" });
  const bar = element("progress", { hidden: true, max: "1", "aria-label": "Reading the file" });
  const python = element("div", {}, [
    element("h3", { text: "The same in Python" }), element("div", { class: "sl-python" }, [line, copy]),
  ]);
  const talk = element("div", { class: "sl-talk" }, [
    wrong, asked, written, element("h3", { text: "First rows: choose what each column is; what is neither a label nor left out is a feature" }), rows, more, python,
  ]);
  const box = element("dialog", { class: "sl-own", "aria-labelledby": "sl-own-title" }, [
    element("header", {}, [title, close]), talk, element("footer", {}, [element("span", {}, [busy, bar]), start]),
  ]);
  const view = element("div", { class: "sl-view" }, [box]);
  let drawn = "";
  let selects = [];
  let whys = [];

  box.addEventListener("cancel", (event) => {
    event.preventDefault();
    send("close");
  });
  // keys are the dialog's alone: behind it they would play and step
  box.addEventListener("keydown", (event) => event.stopPropagation());

  function choice(label, options, value, act) {
    const known = Object.keys(options).includes(String(value)) ? options : { [value]: String(value), ...options };
    const select = chooser(label, Object.entries(known), act);
    select.value = String(value);
    return select;
  }

  function drawLayout(layout) {
    written.hidden = !layout;
    if (!layout) return;
    written.replaceChildren(...Object.entries(WRITTEN).map(([name, [label, options]]) => {
      const all = name === "encoding" ? Object.fromEntries(ENCODINGS.map((each) => [each, each])) : options;
      return element("label", {}, [label, choice(label, all, layout[name], (value) => send("layout", [name, name === "header" ? value === "true" : value]))]);
    }));
  }

  function drawTable(columns, lines, titles) {
    selects = [];
    whys = [];
    const above = columns.map(([at, name, role, holds, roles]) => {
      const options = Object.fromEntries(roles.map((each) => [each, titles[each][0]]));
      const select = choice(`Role of ${name}`, options, role, (value) => send("role", [at, value]));
      selects.push(select);
      whys.push(element("small", { class: "sl-why" }));
      return element("th", { scope: "col", "data-role": role }, [element("div", { class: "sl-head" }, [
        element("b", { text: name, title: name }), select, element("small", { text: holds, title: holds }), whys.at(-1),
      ])]);
    });
    head.replaceChildren(element("th", { text: "row", scope: "col" }), ...above);
    body.replaceChildren(...lines.map((cells, i) => element("tr", {}, [
      element("th", { scope: "row", text: String(i + 1) }),
      ...cells.map((text, j) => element("td", { text, title: text.length > 20 ? text : null, "data-role": columns[j][2] })),
    ])));
  }

  function update(frame) {
    const key = JSON.stringify([frame.number_of_file, frame.layout, frame.columns.map(([at, name, , holds, roles]) => [at, name, holds, roles])]);
    if (key !== drawn) {
      const focused = el.getRootNode().activeElement?.getAttribute?.("aria-label");
      drawn = key;
      drawLayout(frame.layout);
      drawTable(frame.columns, frame.rows, frame.titles);
      // another separator draws the choices again: the keyboard stays at the one that was used
      if (focused) [...view.querySelectorAll("select")].find((each) => each.getAttribute("aria-label") === focused)?.focus();
    }
    frame.columns.forEach(([, , role, , , why], j) => {
      selects[j].value = role;
      setText(whys[j], why);
      whys[j].title = why;
      head.children[j + 1].dataset.role = role;
      for (const row of body.children) row.children[j + 1].dataset.role = role;
    });
    setText(title, frame.name);
    setText(wrong, frame.error);
    wrong.hidden = !frame.error;
    asked.replaceChildren(...frame.questions.map(([text, stops]) => element("li", { text, class: stops ? "sl-stops" : "" })));
    setText(more, frame.more);
    more.hidden = !frame.more;
    setText(line, frame.python);
    python.hidden = !frame.python;
    rows.hidden = !frame.columns.length;
    talk.querySelector("h3").hidden = rows.hidden;
    start.disabled = !frame.ready || Boolean(frame.busy);
    setText(busy, frame.busy || (frame.ready ? "" : frame.waits));
    bar.hidden = !frame.busy;
    if (frame.share == null) bar.removeAttribute("value");
    else bar.value = frame.share;
    for (const each of view.querySelectorAll("select")) each.disabled = Boolean(frame.busy);
    if (frame.open && !box.open) box.showModal();
    if (!frame.open && box.open) box.close();
  }

  return { box: view, css: CSS, update, destroy: () => box.open && box.close() };
});
