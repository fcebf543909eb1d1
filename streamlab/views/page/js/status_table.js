/*
 * The status table: every learner's numbers now, what it said of the latest instance, and the log of events. It is also the table
 * that stands for the curves where they cannot be seen.
 */
import { element, setText } from "../../kit/js/dom.js";
import { formatCount, formatNumber } from "../../kit/js/format.js";
import { receiveFrames, renderOnce } from "../../kit/js/panel.js";
import { SHARED_CSS } from "../../kit/js/style.js";

const MOST_EVENTS = 300;

const CSS = `${SHARED_CSS}
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
.sl-board .sl-later td{color:var(--sl-muted)}.sl-board .sl-later td:nth-child(3)::after{content:" (later)"}
.sl-board h3{font-size:13px;font-weight:600;margin:16px 0 6px}
.sl-board .sl-swatch{display:inline-block;vertical-align:middle;width:22px;height:0;margin-right:6px;border-top:3px solid}
.sl-board .sl-chips{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:baseline;margin:2px 0 6px}
.sl-board .sl-chip{padding:1px 8px;border-radius:10px;border:1px solid var(--sl-line);font-size:12px}
.sl-board .sl-chip.sl-right{border-color:var(--sl-up);color:var(--sl-up)}
.sl-board .sl-chip.sl-wrong{border-color:var(--sl-down);color:var(--sl-down);border-style:dashed}
.sl-board .sl-chips{padding-left:128px;text-indent:0}
.sl-board .sl-who{width:120px;margin-left:-128px;color:var(--sl-muted);font-size:12px}
.sl-board .sl-chip{overflow-wrap:anywhere}
.sl-board tbody th{white-space:normal;overflow-wrap:anywhere;min-width:120px}
.sl-board td.sl-words{overflow-wrap:anywhere;white-space:normal;text-align:left;min-width:180px}
`;

function bytes(n) {
  if (!n) return "–";
  if (n < 1e3) return `${n} B`;
  return n < 1e6 ? `${formatNumber(n / 1e3)} kB` : `${formatNumber(n / 1e6)} MB`;
}

export function createStatusTable(root) {
  const head = element("tr");
  const body = element("tbody");
  const latest = element("div");
  const rows = new Map();
  const log = element("tbody");
  const none = element("p", { class: "sl-muted", text: "Nothing has happened yet: drifts, changed parameters and structural events will stand here." });
  const events = element("div", { class: "sl-scroll sl-log", tabindex: "0", role: "region", "aria-label": "Events", hidden: true }, [
    element("table", {}, [
      element("thead", {}, [element("tr", {}, ["Instance", "Learner", "Event", "What"].map((text, i) => element("th", { text, scope: "col", class: i ? "sl-left" : "" })))]),
      log,
    ]),
  ]);
  const foot = element("p", { class: "sl-muted" });
  const box = element("div", { class: "sl-view sl-board" }, [
    element("div", { class: "sl-scroll", tabindex: "0", role: "region", "aria-label": "Learners now" }, [
      element("table", {}, [element("thead", {}, [head]), body]),
    ]),
    foot,
    element("h3", { text: "The latest instance" }), latest,
    element("h3", { text: "Events" }), none, events,
  ]);
  root.append(element("style", { text: CSS }), box);
  let columns = "";

  function setColumns(measures) {
    const key = measures.join();
    if (key === columns) return;
    columns = key;
    rows.clear();
    body.replaceChildren();
    head.replaceChildren(...["Learner", ...measures, "Instances/s", "Memory"].map((text) => element("th", { text, scope: "col" })));
  }

  function rowOf(learner) {
    if (!rows.has(learner.name)) {
      const swatch = element("span", { class: "sl-swatch", style: `border-top-style:${learner.line};border-color:${learner.colour}` });
      const name = element("th", { scope: "row" }, [swatch, element("span", { text: learner.name })]);
      const cells = [...learner.values, 0, 0].map(() => element("td"));
      body.append(element("tr", {}, [name, ...cells]));
      rows.set(learner.name, cells);
    }
    return rows.get(learner.name);
  }

  function showLatest(truth, learners) {
    const chips = (names, kind) => names.map((text) => element("span", { class: `sl-chip ${kind(text)}`, text }));
    const line = (who, children) => element("div", { class: "sl-chips" }, [element("span", { class: "sl-who", text: who }), ...children]);
    const key = JSON.stringify([truth, learners.map((each) => each.predicted)]);
    if (latest.dataset.key === key) return;
    latest.dataset.key = key;
    if (!truth) {
      latest.replaceChildren(element("p", { class: "sl-muted", text: "No instance yet." }));
      return;
    }
    const or = (list) => (list.length ? list : [element("span", { class: "sl-muted", text: "no label" })]);
    latest.replaceChildren(
      line("truth", or(chips(truth, () => ""))),
      ...learners.map(({ name, predicted }) => line(name, or(chips(
        (predicted ?? []).map((label) => `${truth.includes(label) ? "✓" : "✗"} ${label}`),
        (text) => (text.startsWith("✓") ? "sl-right" : "sl-wrong"),
      )))),
    );
  }

  function update(frame) {
    if (frame.restarted) log.replaceChildren();
    setColumns(frame.measures);
    for (const learner of frame.learners) {
      const cells = rowOf(learner);
      learner.values.forEach((value, i) => setText(cells[i], value == null ? "–" : value.toFixed(3)));
      setText(cells[learner.values.length], learner.rate ? formatCount(learner.rate) : "–");
      setText(cells[learner.values.length + 1], bytes(learner.bytes));
    }
    setText(foot, frame.foot);
    showLatest(frame.truth, frame.learners);
    for (const event of frame.events) {
      log.prepend(element("tr", { "data-at": event[0] }, [
        element("td", { text: formatCount(event[0]) }), element("td", { class: "sl-left", text: event[1] || "stream" }),
        element("td", { class: "sl-left", text: event[2] }), element("td", { class: "sl-words", text: event[3] }),
      ]));
    }
    while (log.childElementCount > MOST_EVENTS) log.lastElementChild.remove();
    // who looks back sees what came later as such
    for (const row of log.children) row.classList.toggle("sl-later", Number(row.dataset.at) > frame.position);
    events.hidden = log.childElementCount === 0;
    none.hidden = !events.hidden;
  }

  return { update, setDark: (dark) => box.classList.toggle("sl-dark", dark), destroy: () => root.replaceChildren() };
}

export function render({ model, el, view }) {
  renderOnce(model, view, () => {
    const board = createStatusTable(el);
    board.setDark(model.dark);
    model.on("dark", () => board.setDark(model.dark));
    const stopReceiving = receiveFrames(model, view, (frame) => board.update(frame));
    return () => {
      stopReceiving();
      board.destroy();
    };
  });
}
