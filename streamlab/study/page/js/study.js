/*
 * The page of a study: how far it is, what is shown, the table, the ranks and the curves.
 *
 * What is chosen goes to Python, which sends the table that belongs to it and writes the address.
 */
import { followTheme, writeAddress } from "../../../views/kit/js/address.js";
import { button, chooser, element, offer, setText } from "../../../views/kit/js/dom.js";
import { hue, themeOf } from "../../../views/kit/js/palette.js";
import { renderPart } from "../../../views/kit/js/panel.js";
import { textHue } from "../../../views/timeline/js/colours.js";
import { StudyCurves } from "./curves.js";
import { RankDiagram } from "./diagram.js";
import { STUDY_CSS } from "./style.js";
import { StudyTable, swatch } from "./table.js";

const WHAT = "A learner sees one row after another: it answers, and only then is told the labels. A figure is of a learner (line) on "
  + "a whole stream (column), or the mean of several seeds (other random choices), with their least and greatest below.";
const HOW = "★ is the best of its stream. Average rank: 1 would be the best on every stream. Click a figure to watch that run in the monitor, or a title to sort.";
const CURVES = "A curve below tells how it went, row after row; a band goes from the least to the greatest of the seeds. Click a curve to open that run at that row.";

/** The address of a run, with what this page shows: the way back has it. */
function addressOf(query, key, at) {
  const asked = new URLSearchParams(query);
  const theme = new URL(window.location.href).searchParams.get("theme");
  asked.set("run", key);
  asked.delete("cell");
  if (at !== null) asked.set("at", String(at));
  if (theme) asked.set("theme", theme);
  return `?${asked}`;
}

/** A list to choose one thing from; it keeps the choice while frames come that do not know of it yet. */
export class Field {
  constructor(title, send) {
    this.list = chooser(title, [], (value) => {
      this.left = this.told;
      send([Number(value)]);
    });
    this.node = element("label", { class: "sl-field" }, [element("span", { class: "sl-muted", text: title }), this.list]);
  }

  /** @param {Array<[number, string]>} options */
  update(options, value) {
    if (offer(this.list, options) || value !== this.left) {
      this.left = null;
      this.list.value = String(value);
    }
    this.told = value;
  }
}

/** Boxes to tick: what is shown. One stays. */
class Chips {
  constructor(title, send) {
    this.send = send;
    this.chips = element("span", { style: "display:contents" });
    this.all = button("show all", () => this.send(this.boxes.map((_, i) => i)), { class: "sl-plain" });
    this.node = element("fieldset", {}, [element("legend", { text: title }), this.chips, this.all]);
    this.node.addEventListener("change", (event) => {
      const shown = this.boxes.flatMap((box, i) => (box.checked ? [i] : []));
      if (shown.length) this.send(shown);
      else event.target.checked = true;
    });
  }

  update(things, sign = () => []) {
    const key = JSON.stringify(things.map(({ name }) => name));
    if (key !== this.key) {
      this.boxes = things.map(() => element("input", { type: "checkbox" }));
      this.signs = things.map(() => element("span", { style: "display:contents" }));
      this.chips.replaceChildren(...things.map(({ name }, i) => element("label", { class: "sl-chip-choice" }, [this.boxes[i], this.signs[i], name])));
    }
    this.key = key;
    things.forEach(({ shown }, i) => {
      this.boxes[i].checked = shown;
      this.signs[i].replaceChildren(...sign(i));
    });
    this.all.hidden = things.every(({ shown }) => shown);
    this.node.hidden = things.length < 2;
  }
}

export const render = renderPart(({ model, send }) => {
  const queryOf = () => model.query, onChoose = (what, indices) => send({ kind: "choose", what, indices });
  const about = element("p"), counts = element("p", { class: "sl-counts", role: "status" }), command = element("code");
  const begin = element("p", {}, ["Runs that are not there yet are made by ", command, " in a terminal; this page shows them as they end."]);
  const explained = element("span", { class: "sl-muted" });
  const measure = new Field("Measure", (i) => onChoose("measure", i));
  const curvesOf = new Field("Curves on", (i) => onChoose("curves", i));
  const over = new Field("averaged over", (i) => onChoose("over", i));
  const learners = new Chips("Learners", (i) => onChoose("learners", i)), streams = new Chips("Streams", (i) => onChoose("streams", i));
  const addressTo = (key, at) => addressOf(queryOf(), key, at);
  const mark = (key) => {
    const marked = new URLSearchParams(queryOf());
    marked.set("cell", key);
    // who comes back by the browser's own button finds the entry marked
    writeAddress(String(marked));
  };
  const table = new StudyTable(addressTo, mark);
  const curves = new StudyCurves((key, at) => {
    mark(key);
    window.location.assign(addressTo(key, at));
  });
  const diagram = new RankDiagram();
  const waiting = element("p", { class: "sl-muted", text: "Reading the results …" });
  const ranked = element("p", { class: "sl-muted" });
  // the same areas as the page of a run (streamlab.views.page.screen): the table is the picture, the ranks are the curve
  const area = (name, parts, more = {}) => element("div", { class: `sl-area sl-area-${name}`, "data-area": name, ...more }, parts);
  const content = element("div", { class: "sl-areas", hidden: true }, [
    area("story", [diagram.lead, counts, about, begin]),
    area("stage", [
      element("div", { class: "sl-choices" }, [element("h2", { text: "All runs" }), measure.node, explained]),
      element("div", { class: "sl-table-room" }, [
        table.node, ranked, element("div", { class: "sl-how" }, [WHAT, HOW, CURVES].map((text) => element("p", { class: "sl-muted", text }))),
      ]),
    ], { "data-part": "picture" }),
    area("cards", [learners.node, streams.node]),
    area("timeline", [
      diagram.node,
      element("section", { "aria-label": "Curves" }, [
        element("div", { class: "sl-choices" }, [element("h2", { text: "Along a stream" }), curvesOf.node, over.node]), curves.node,
      ]),
    ]),
  ]);
  const box = element("div", { class: "sl-view sl-study" }, [waiting, content]);
  let frame = null, stopFollowing = null;

  function draw() {
    if (!frame) return;
    const theme = themeOf(model.dark);
    const colourOf = (i) => hue(theme, i), inkOf = (i) => textHue(theme, i);
    waiting.hidden = true;
    content.hidden = false;
    for (const [node, text] of [[about, frame.about], [counts, frame.counts], [command, frame.command], [explained, frame.explained]]) setText(node, text);
    about.hidden = !frame.about;
    begin.hidden = !frame.command;
    measure.update(frame.measures.map((name, i) => [i, name]), frame.measure);
    curvesOf.update(frame.columns.map((i) => [i, frame.streams[i].name]), frame.curves.stream);
    over.update(frame.overs.map((name, i) => [i, name]), frame.over);
    over.node.hidden = !frame.has_overs;
    learners.update(frame.learners, (i) => [swatch(colourOf(i), frame.learners[i].dash)]);
    streams.update(frame.streams);
    table.update(frame, colourOf);
    const of = frame.columns.length;
    setText(ranked, frame.ranked === of ? "" : `The average rank counts ${frame.ranked} of ${of} streams: those on which all learners shown have ended.`);
    curves.update(frame, colourOf, inkOf, theme);
    diagram.update(frame, colourOf);
  }

  return {
    box, css: STUDY_CSS, setDark: draw,
    update(next) {
      frame = next;
      draw();
      writeAddress(model.query);
      // not before the first frame: what is set while the page is put together does not reach the server
      stopFollowing ??= followTheme(model);
    },
    destroy() {
      stopFollowing?.();
      curves.destroy();
      diagram.destroy();
    },
  };
});
