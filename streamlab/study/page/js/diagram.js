/* The diagram of mean ranks, which Python laid out for two widths; its colours are the page's. */
import { element, setText, svg } from "../../../views/kit/js/dom.js";

const ANCHORS = { left: "start", center: "middle", right: "end" };

/** @param {{width, height, lines, boxes, dots, texts}} drawing lists of numbers, colours and texts */
function drawn({ width, height, lines, boxes, dots, texts }, label, colourOf) {
  const parts = [
    ...boxes.map(([x0, y0, x1, y1, colour]) => svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, style: `fill:${colour}` })),
    ...lines.map(([x1, y1, x2, y2, colour, thick]) => svg("line", { x1, y1, x2, y2, style: `stroke:${colour}`, "stroke-width": thick })),
    ...dots.map(([x, y, learner, size]) => svg("circle", { cx: x, cy: y, r: size / 2 + 1, fill: colourOf(learner) })),
    ...texts.map(([x, y, text, colour, align, size, isBold]) => svg("text", {
      x, y, style: `fill:${colour}`, "text-anchor": ANCHORS[align], "dominant-baseline": "central", "font-size": size, "font-weight": isBold ? 650 : 400,
    }, [text])),
  ];
  return svg("svg", { role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, width, height }, parts);
}

export class RankDiagram {
  constructor() {
    // what it says: for the page to place
    [this.lead, this.words, this.how, this.title] = [element("b"), element("div"), element("p", { class: "sl-muted" }), element("h2")];
    this.picture = element("div", { class: "sl-diagram", tabindex: "0", role: "region", "aria-label": "Diagram of the ranks", "data-part": "curve" });
    this.tests = element("div", { class: "sl-tests", role: "region", tabindex: "0", "aria-label": "What the tests say" }, [element("h2", { text: "What the tests say" }), this.words]);
    this.node = element("section", { "aria-label": "Ranks" }, [this.title, this.how, element("div", { class: "sl-ranks" }, [this.picture, this.tests])]);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  update({ diagram }, colourOf) {
    Object.assign(this, { diagram, colourOf, kept: null });
    for (const name of ["title", "how", "lead"]) setText(this[name], diagram[name]);
    this.tests.hidden = !diagram.words.length;
    this.words.replaceChildren(...diagram.words.map((text) => element("p", { text })));
    this.draw();
  }

  draw() {
    const drawings = this.diagram?.drawings ?? [];
    const room = this.picture.clientWidth;
    // the widest that fits
    const best = drawings.filter(({ width }) => width <= room).sort((a, b) => b.width - a.width)[0] ?? drawings[0];
    if (best === this.kept && best) return;
    this.kept = best;
    this.picture.replaceChildren(...(best ? [drawn(best, this.diagram.words.join(" "), this.colourOf)] : []));
  }

  destroy() {
    this.observer.disconnect();
  }
}
