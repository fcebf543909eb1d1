/*
 * The page of a study: its sentence, the ranks or the curves in their place, and the table.
 *
 * What is chosen goes to Python, which sends the table that belongs to it and writes the address.
 */
import { interpolateRgb } from "d3-interpolate";
import { followTheme, writeAddress } from "../../../views/kit/js/address.js";
import { button, chooser, element, offer, setText } from "../../../views/kit/js/dom.js";
import { hue, themeOf } from "../../../views/kit/js/palette.js";
import { renderPart } from "../../../views/kit/js/panel.js";
import { textHue } from "../../../views/timeline/js/colours.js";
import { StudyCurves } from "./curves.js";
import { RankDiagram } from "./diagram.js";
import { Popup } from "./popup.js";
import { STUDY_CSS } from "./style.js";
import { StudyTable, swatch } from "./table.js";

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
    this.node = this.list;
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

export const render = renderPart(({ model, send, signal }) => {
  const queryOf = () => model.query, onChoose = (what, indices) => send({ kind: "choose", what, indices });
  const told = element("span"), command = element("code");
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
  const diagram = new RankDiagram(addressTo, mark);
  const reasons = element("div");
  const ranks = button("Ranks", () => onChoose("curves", [])), along = button("Curves", () => onChoose("curves", [frame.widest]));
  const by = element("span", { text: "Average rank by" }), on = element("span", { text: "on" });
  const waiting = element("p", { text: "Reading the results …" });
  // the same areas as the page of a run (streamlab.views.page.screen)
  const area = (name, parts, more = {}) => element("div", { class: `sl-area sl-area-${name}`, "data-area": name, ...more }, parts);
  const content = element("div", { class: "sl-areas", hidden: true }, [
    area("story", [element("p", { role: "status" }, [told, " ", command])]),
    area("stage", [
      element("div", { class: "sl-choices" }, [
        element("h2", {}, [by, measure.node, on, curvesOf.node, over.node]),
        element("div", { class: "sl-words" }, [ranks, along, new Popup("Why", [reasons], signal).node, new Popup("Choose", [learners.node, streams.node], signal).node]),
      ]),
      diagram.node, curves.node,
    ], { "data-part": "picture" }),
    area("table", [table.node]),
  ]);
  const box = element("div", { class: "sl-view sl-study" }, [waiting, content]);
  let frame = null, stopFollowing = null;

  function draw() {
    if (!frame) return;
    const theme = themeOf(model.dark), isCurve = frame.curves !== null;
    // names stand on the page's own ground, which is a little darker than a card
    const colourOf = (i) => hue(theme, i), inkOf = (i) => interpolateRgb(textHue(theme, i), theme.ink)(0.08);
    waiting.hidden = true;
    content.hidden = false;
    told.replaceChildren(...frame.sentence.map(([text, learner]) => (learner === null ? text : element("b", { style: `color:${inkOf(learner)}`, text }))));
    setText(command, frame.command);
    command.hidden = !frame.command;
    reasons.replaceChildren(...frame.why.map((text) => element("p", { text })));
    measure.update(frame.measures.map((name, i) => [i, name]), frame.measure);
    curvesOf.update(frame.columns.map((i) => [i, frame.streams[i].name]), isCurve ? frame.curves.stream : frame.widest);
    over.update(frame.overs.map((name, i) => [i, name]), frame.over);
    for (const node of [on, curvesOf.node, curves.node]) node.hidden = !isCurve;
    for (const node of [by, diagram.node]) node.hidden = isCurve;
    over.node.hidden = !isCurve || !frame.has_overs;
    ranks.setAttribute("aria-pressed", String(!isCurve));
    along.setAttribute("aria-pressed", String(isCurve));
    learners.update(frame.learners, (i) => [swatch(colourOf(i), frame.learners[i].dash)]);
    streams.update(frame.streams);
    table.update(frame, inkOf);
    if (isCurve) curves.update(frame, colourOf, inkOf, theme);
    else diagram.update(frame, colourOf, inkOf);
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
