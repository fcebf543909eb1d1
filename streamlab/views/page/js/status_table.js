/*
 * The status table: every learner's numbers now, what it said of the latest instance, and the log of events. It is also the table
 * that stands for the curves where they cannot be seen.
 */
import { element, headRow, scrollTable, setText } from "../../kit/js/dom.js";
import { formatCount, formatNumber } from "../../kit/js/format.js";
import { renderPart } from "../../kit/js/panel.js";

const MOST_EVENTS = 300;

const CSS = `
.sl-board .sl-scroll{max-height:none}
.sl-board :is(th,td){padding:4px 6px}
.sl-board .sl-log{max-height:260px}
.sl-board .sl-later td{color:var(--sl-muted)}.sl-board .sl-later td:nth-child(3)::after{content:" (later)"}
.sl-board h3{font-size:13px;font-weight:600;margin:16px 0 6px}
.sl-board .sl-swatch{display:inline-block;vertical-align:middle;width:22px;height:3px;margin-right:6px}
.sl-board .sl-chips{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:baseline;margin:2px 0 6px}
.sl-board .sl-chips{padding-left:128px;text-indent:0}
.sl-board .sl-who{width:120px;margin-left:-128px;color:var(--sl-muted);font-size:13px}
.sl-board tbody th{white-space:normal;overflow-wrap:anywhere;min-width:120px}
.sl-board td.sl-words{overflow-wrap:anywhere;white-space:normal;text-align:left;min-width:180px}
`;

function bytes(n) {
  if (!n) return "–";
  if (n < 1e3) return `${n} B`;
  return n < 1e6 ? `${formatNumber(n / 1e3)} kB` : `${formatNumber(n / 1e6)} MB`;
}

export const render = renderPart(() => {
  const head = element("thead"), body = element("tbody"), latest = element("div"), log = element("tbody");
  const rows = new Map();
  const none = element("p", { class: "sl-muted", text: "Nothing has happened yet: drifts, changed parameters and structural events will stand here." });
  const titles = headRow(["Instance", "Learner", "Event", "What"], (i) => ({ class: i ? "sl-left" : "" }));
  const events = scrollTable("Events", [element("thead", {}, [titles]), log], "sl-log");
  events.hidden = true;
  const foot = element("p", { class: "sl-muted" });
  const box = element("div", { class: "sl-view sl-board" }, [
    scrollTable("Learners now", [head, body]), foot, element("h3", { text: "The latest instance" }), latest, element("h3", { text: "Events" }), none, events,
  ]);
  let columns = "";

  function setColumns(measures) {
    const key = measures.join();
    if (key === columns) return;
    columns = key;
    rows.clear();
    body.replaceChildren();
    head.replaceChildren(headRow(["Learner", ...measures, "Instances/s", "Memory"]));
  }

  function rowOf(learner) {
    if (!rows.has(learner.name)) {
      const swatch = element("span", { class: "sl-swatch", style: `${learner.line};color:${learner.colour}` });
      const name = element("th", { scope: "row" }, [swatch, element("span", { text: learner.name })]);
      const cells = [...learner.values, 0, 0].map(() => element("td"));
      body.append(element("tr", {}, [name, ...cells]));
      rows.set(learner.name, cells);
    }
    return rows.get(learner.name);
  }

  function showLatest(truth, learners) {
    const key = JSON.stringify([truth, learners.map((each) => each.predicted)]);
    if (latest.dataset.key === key) return;
    latest.dataset.key = key;
    if (!truth) {
      latest.replaceChildren(element("p", { class: "sl-muted", text: "No instance yet." }));
      return;
    }
    const line = (who, chips) => element("div", { class: "sl-chips" }, [
      element("span", { class: "sl-who", text: who }), ...(chips.length ? chips : [element("span", { class: "sl-muted", text: "no label" })]),
    ]);
    const chip = (text, kind) => element("span", { class: `sl-chip ${kind}`, text });
    latest.replaceChildren(
      line("truth", truth.map((label) => chip(label, ""))),
      ...learners.map(({ name, predicted }) => line(name, (predicted ?? []).map((label) => (
        truth.includes(label) ? chip(`✓ ${label}`, "sl-right") : chip(`✗ ${label}`, "sl-wrong"))))),
    );
  }

  function update(frame) {
    if (frame.restarted) log.replaceChildren();
    setColumns(frame.measures);
    for (const learner of frame.learners) {
      const texts = [...learner.values.map((value) => (value == null ? "–" : value.toFixed(3))), learner.rate ? formatCount(learner.rate) : "–", bytes(learner.bytes)];
      rowOf(learner).forEach((cell, i) => setText(cell, texts[i]));
    }
    setText(foot, frame.foot);
    showLatest(frame.truth, frame.learners);
    for (const [at, who, title, words] of frame.events) {
      log.prepend(element("tr", { "data-at": at }, [
        element("td", { text: formatCount(at) }), element("td", { class: "sl-left", text: who || "stream" }),
        element("td", { class: "sl-left", text: title }), element("td", { class: "sl-words", text: words }),
      ]));
    }
    while (log.childElementCount > MOST_EVENTS) log.lastElementChild.remove();
    // who looks back sees what came later as such
    for (const row of log.children) row.classList.toggle("sl-later", Number(row.dataset.at) > frame.position);
    events.hidden = log.childElementCount === 0;
    none.hidden = !events.hidden;
  }

  return { box, css: CSS, update };
});
