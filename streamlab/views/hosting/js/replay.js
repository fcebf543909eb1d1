/*
 * A run's replay: the page of a file that streamlab.views.hosting.replay_page wrote.
 *
 * What happened in words, the learners' pictures and scores, transport, curves with lanes: all of one position, the playhead's. Nothing is asked of any address.
 */
import { button, element, setText } from "../../kit/js/dom.js";
import { formatCount, plural } from "../../kit/js/format.js";
import { lastUpTo } from "../../kit/js/numbers.js";
import { themeOf } from "../../kit/js/palette.js";
import { Cards, sentence } from "./replay/cards.js";
import { Playhead, Transport, usualRate } from "./replay/transport.js";
import { readRecording } from "./replay/recording.js";
import { Stage } from "./replay/stage.js";
import { REPLAY_CSS } from "./replay/style.js";
import { Timeline } from "./replay/timeline.js";
import { textHue } from "../../timeline/js/colours.js";

const TOO_OLD = "This browser is too old for the replay: it cannot unpack the data. Chrome and Edge can from 111 on, Firefox from 113, Safari from 16.4.";

class Page {
  constructor(root, recording) {
    this.recording = recording;
    const { head } = recording;
    const steps = recording.steps();
    this.turns = [...steps, ...head.drifts.map(({ at }) => at), ...head.events.map(([at]) => at)].sort((a, b) => a - b);
    this.playhead = new Playhead(head.rows, steps, usualRate(head.rows));
    this.transport = new Transport(recording, this.playhead);
    this.cards = new Cards(recording);
    this.story = element("p", { class: "sl-story" });
    this.stage = new Stage(recording, this.playhead);
    this.timeline = new Timeline(recording, this.playhead, (chosen) => {
      this.chosen = chosen;
      this.writeWords();
    });
    this.theme = button("", () => this.setDark(!this.dark), { class: "sl-theme" });
    this.main = element("main", { class: "sl-view sl-replay" }, [
      element("header", { class: "sl-top" }, [
        element("div", {}, [element("h1", { text: head.title }), element("p", { class: "sl-intro", text: this.intro() })]), this.theme,
      ]),
      this.transport.node, this.story, this.stage.node, this.cards.node, this.timeline.node,
      element("p", { class: "sl-foot", text: `Recorded with ${head.made_with}. This file holds all that it shows and asks for no address.` }),
    ]);
    // the areas of streamlab.views.page.screen
    for (const name of ["story", "stage", "cards", "transport", "timeline"]) (this[name].node ?? this[name]).dataset.area = name;
    root.append(element("style", { text: REPLAY_CSS }), this.main);
    this.playhead.onMove(() => this.move());
    this.playhead.onState(() => this.move());
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => this.setDark(system.matches));
    this.setDark(system.matches);
    this.stage.open(0);
    new ResizeObserver(() => this.timeline.layOut(themeOf(this.dark))).observe(this.timeline.plot);
    this.playhead.seek(head.rows);
  }

  intro() {
    const { listed, learners, stream, rows, n_rows: all, n_features: features, n_labels: labels } = this.recording.head;
    const part = all && all > rows ? ` (of ${formatCount(all)})` : "";
    const each = learners.length > 1 ? "Each row was shown to every learner without its labels; its answer was scored, then it learned the labels."
      : "Each row was shown to the learner without its labels; its answer was scored, then it learned the labels.";
    return `A replay of how ${listed} learned the stream “${stream}”: ${plural(rows, "row")}${part} of ${plural(features, "feature")} and `
      + `${plural(labels, "label")}. ${each}`;
  }

  setDark(dark) {
    this.dark = dark;
    document.documentElement.classList.toggle("sl-dark", dark);
    this.main.classList.toggle("sl-dark", dark);
    setText(this.theme, dark ? "Light" : "Dark");
    this.theme.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    this.cards.paint(themeOf(dark));
    this.timeline.layOut(themeOf(dark));
    this.stage.setDark(dark);
    if (this.chosen) this.writeWords();
  }

  move() {
    this.timeline.move();
    this.transport.move();
    this.stage.move();
    // words change at once with curves and marks, where one of them is passed
    const { position } = this.playhead;
    const told = [position, position - 1e-9].map((at) => lastUpTo(this.turns, at)).join();
    if (told !== this.told) this.writeWords();
    this.told = told;
  }

  writeWords() {
    const { position } = this.playhead;
    const { mark, parts } = sentence({ head: this.recording.head, stories: this.recording.stories, chosen: this.chosen, position });
    this.story.replaceChildren(...mark ? [element("i", { text: mark }), " "] : [], ...parts.map(([text, learner]) => {
      const part = element(learner < 0 ? "span" : "b", { text });
      if (learner >= 0) part.style.color = textHue(themeOf(this.dark), learner);
      return part;
    }));
    this.cards.write(this.chosen, position);
  }
}

async function start() {
  const root = document.getElementById("replay");
  const held = document.getElementById("recorded");
  if (typeof DecompressionStream === "undefined") {
    root.append(element("p", { role: "alert", text: TOO_OLD }));
    return;
  }
  const text = held.textContent;
  held.remove();
  try {
    window.__streamlab_replay = new Page(root, await readRecording(text));
  } catch (error) {
    root.append(element("p", { role: "alert", text: `This replay cannot be shown: ${error.message}` }));
    throw error;
  }
}

start();
