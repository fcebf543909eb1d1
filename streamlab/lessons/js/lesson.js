/*
 * The panel of a lesson: which step it is, its text, what is asked first, and the buttons. Everything is decided in Python; here
 * it is drawn, and what people press is sent. A text is trees of a few tags: nothing is parsed as HTML.
 */
import { CSS } from "./look.js";
import { button, element, setText } from "../../views/kit/js/dom.js";
import { renderPart } from "../../views/kit/js/panel.js";

const TAGS = new Set(["p", "ul", "ol", "li", "strong", "em", "a", "br", "code", "blockquote"]);
const SAFE = /^(https:\/\/|[a-z_]+(\?|$))/;

function build(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, { href }, ...children] = tree;
  if (!TAGS.has(tag)) return document.createTextNode("");
  const node = element(tag, {}, children.map(build));
  if (tag === "a" && SAFE.test(href ?? "")) {
    node.setAttribute("href", href);
    if (href.startsWith("https:")) for (const [name, value] of [["target", "_blank"], ["rel", "noopener noreferrer"]]) node.setAttribute(name, value);
  }
  return node;
}

/** Puts a text into a node, in place of what it has. */
function fill(node, trees) {
  node.replaceChildren(...trees.map(build));
}

/** Keys that go a step on or back on a projector, and where they are somebody's own. */
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const TAKEN = "input,textarea,select,[role=listbox],[role=dialog]";

export const render = renderPart(({ model, send: sendMessage, signal }) => {
  const send = (name, value) => sendMessage({ kind: "command", name, value });
  const sender = (name, text, kind = "") => button(text, () => send(name, null), { class: `sl-button ${kind}` });
  const lesson = element("p", { class: "sl-lesson-name" });
  const count = element("p", { class: "sl-count" });
  const done = element("i");
  const bar = element("div", { class: "sl-progress", "aria-hidden": "true" }, [done]);
  const fold = button("Hide the text", () => {
    const folded = box.classList.toggle("sl-folded");
    fold.setAttribute("aria-expanded", String(!folded));
    setText(fold, folded ? "Show the text" : "Hide the text");
  }, { class: "sl-fold", "aria-expanded": "true" });
  const title = element("h2", { tabindex: "-1" });
  const body = element("div", { class: "sl-prose" });
  const question = element("p", { class: "sl-question", id: "sl-question" });
  const options = element("div", { class: "sl-options", role: "group", "aria-labelledby": "sl-question" });
  const pass = sender("pass", "Show me without a guess", "sl-quiet");
  const verdict = element("p", { class: "sl-verdict" });
  const reveal = element("div", { class: "sl-prose" });
  const answer = element("div", { class: "sl-answer", "aria-live": "polite" }, [verdict, reveal]);
  const busy = element("p", { class: "sl-busy", role: "status" });
  const error = element("p", { class: "sl-wrong", role: "alert" });
  const recap = element("div", { class: "sl-prose sl-recap" });
  const following = element("p", { class: "sl-following" });
  const scroll = element("div", { class: "sl-read", tabindex: "0", role: "group", "aria-label": "What this step says" }, [
    title, body, question, options, pass, answer, busy, error, recap, following,
  ]);
  const back = sender("back", "Back");
  const play = sender("play", "", "sl-main");
  const skip = sender("skip", "Skip ahead");
  const act = sender("do", "");
  const next = sender("next", "Next", "sl-main");
  const again = sender("again", "Begin this step again", "sl-quiet");
  const leave = sender("leave", "Leave the lesson", "sl-quiet");
  const head = element("header", {}, [element("div", { class: "sl-where" }, [lesson, count, fold]), bar]);
  const foot = element("footer", {}, [
    element("div", { class: "sl-acts" }, [back, act, skip, play, next]), element("div", { class: "sl-rest" }, [again, leave]),
  ]);
  const box = element("section", { class: "sl-lesson" }, [head, scroll, foot]);
  const view = element("div", { class: "sl-view" }, [box]);
  let shown = {};
  let drawn = "";
  let wasOver = false;

  // keys are the panel's alone where they move something in it: behind it they would play and step
  scroll.addEventListener("keydown", (event) => {
    if (["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", " "].includes(event.key)) event.stopPropagation();
  });
  box.addEventListener("keydown", (event) => {
    if (event.target.closest("button")) event.stopPropagation();
  });
  // on a projector, by arrows or a clicker's keys: back, or on by what the step waits for
  const clicked = (event) => {
    const by = STEPS[event.key], isProjected = document.documentElement.style.getPropertyValue("--streamlab-projected") === "1";
    if (!by || !isProjected || !box.checkVisibility() || event.composedPath()[0].closest?.(TAKEN)) return;
    event.preventDefault();
    event.stopPropagation();
    const { over, asked, playing, number } = shown;
    const ways = by < 0 ? [[number > 1, "back"]] : [[over, "next"], [shown.do, "do"], [shown.play && !playing, "play"], [asked, "pass"]];
    const [, way] = ways.find(([isOpen]) => isOpen) ?? [];
    if (way) send(way, null);
  };
  document.addEventListener("keydown", clicked, { capture: true, signal });

  const hide = (node, hidden) => {
    if (node.hidden !== hidden) node.hidden = hidden;
  };

  function choose(step) {
    // drawn again only when the answers are others: a button that has the focus must not go
    const key = JSON.stringify([step.lesson, step.number, step.options]);
    if (key !== drawn) {
      drawn = key;
      options.replaceChildren(...step.options.map((text, i) => {
        const made = button(null, () => shown.asked && send("pick", i), { class: "sl-option" });
        made.append(
          element("span", { class: "sl-letter", "aria-hidden": "true", text: String.fromCharCode(65 + i) }), element("span", { text }),
          element("span", { class: "sl-mark" }),
        );
        return made;
      }));
    }
    [...options.children].forEach((node, i) => {
      const isTrue = step.answer === i;
      const isPicked = step.picked === i;
      node.setAttribute("aria-pressed", String(isPicked));
      node.setAttribute("aria-disabled", String(!step.asked));
      node.classList.toggle("sl-true", isTrue);
      node.classList.toggle("sl-false", isPicked && step.answer !== null && !isTrue);
      setText(node.lastChild, isTrue ? "✓ true" : isPicked ? (step.answer === null ? "your guess" : "✗ your guess") : "");
    });
  }

  function update() {
    const { step } = model;
    if (!step || !step.total) return;
    const isNew = step.number !== shown.number || step.lesson !== shown.lesson;
    const isFirst = shown.number === undefined;
    shown = step;
    box.setAttribute("aria-label", `Lesson: ${step.lesson}`);
    setText(lesson, step.lesson);
    setText(count, `Step ${step.number} of ${step.total}`);
    done.style.width = `${(100 * step.number) / step.total}%`;
    if (isNew) {
      setText(title, step.title);
      fill(body, step.body);
      scroll.scrollTop = 0;
      wasOver = false;
    }
    setText(question, step.question);
    hide(question, !step.question);
    choose(step);
    hide(pass, !step.asked || !step.question);
    setText(verdict, step.verdict);
    hide(verdict, !step.verdict);
    const key = JSON.stringify(step.reveal);
    if (reveal.dataset.key !== key) {
      reveal.dataset.key = key;
      fill(reveal, step.reveal);
    }
    setText(busy, step.busy);
    setText(error, step.error);
    hide(error, !step.error);
    const isLast = step.number === step.total;
    hide(recap, !step.recap.length);
    if (step.recap.length) {
      recap.replaceChildren(element("b", { text: "What you predicted, and what happened" }), ...step.recap.map(([asked, said, was]) =>
        element("p", {}, [element("span", { text: asked }), element("br"), `${said}. `, element("span", { class: "sl-was", text: was })])));
    }
    hide(following, !(isLast && step.following.length));
    if (isLast && step.following.length) {
      following.replaceChildren("Next lesson: ", element("a", { href: `?lesson=${encodeURIComponent(step.following[0])}`, text: step.following[1] }));
    }
    back.disabled = step.number === 1;
    setText(play, step.play);
    hide(play, !step.play);
    play.disabled = step.playing;
    if (step.playing && step.play) setText(play, "Playing …");
    hide(skip, !step.play);
    setText(act, step.do);
    hide(act, !step.do);
    setText(next, isLast ? "Finish" : "Next");
    // in one row with Back: what is to be done next takes its place
    hide(next, Boolean(step.play));
    // a disabled button would lose the focus that it has
    next.setAttribute("aria-disabled", String(!step.over));
    next.classList.toggle("sl-main", step.over);
    next.title = step.over ? "" : "This step is not over yet";
    if (isNew && !isFirst) title.focus({ preventScroll: true });
    if (step.over && !wasOver && (step.verdict || step.reveal.length)) answer.scrollIntoView({ block: "nearest" });
    wasOver = step.over;
  }

  window.__streamlab_lesson = { stats: () => ({ ...shown }) };
  return { box: view, css: CSS, follows: { step: update } };
});
