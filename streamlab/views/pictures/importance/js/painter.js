/* Draws what matters: names, lines of stretches, changes through all of them, and at the right what is now and what changed. */
import { formatCount, markSign } from "../../../kit/js/format.js";
import { Painter } from "../../../kit/js/marks.js";
import { channels, hue, inkOn, tint } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { TOP, placeOf, stretches } from "./scene.js";

/** The palest of what matters. */
const LEAST = 0.16;

export class ImportancePainter extends Painter {
  colourOf(share) {
    return tint(this.theme, hue(this.theme, this.frame.hue ?? 0), LEAST + (1 - LEAST) * share);
  }

  draw(axis) {
    const { frame, places, view } = this;
    this.axis = axis;
    const lines = Array.from({ length: places.lines }, (_, row) => stretches(frame.at, frame.cell, row * frame.at.length, frame.end, axis));
    lines.forEach((line, row) => {
      this.context.globalAlpha = view.isDim(frame.id[row]) ? 0.25 : 1;
      this.drawLine(row, line, view.told(row));
    });
    this.context.globalAlpha = 1;
    this.nameShades(lines);
    for (const [row, drift] of frame.marks) this.drawChange(row, drift);
    this.drawAxis();
  }

  x(row) {
    return placeOf(this.places, this.axis, row);
  }

  drawLine(row, line, { name, value, change, isClear }) {
    const { places: { line: tall, left, right, value: room }, theme } = this, y = TOP + row * tall, middle = y + tall / 2;
    for (const { from, to, share } of line) {
      if (share === null) continue;
      const x = this.x(from);
      this.rect(x, y + 1, this.x(to) - x + 0.4, tall - 2, share > 0 ? this.colourOf(share) : theme.track);
    }
    this.text(this.texts.fit(name, NAME_FONT, left - 10), left - 8, middle, { align: "right", colour: value ? theme.ink : theme.muted });
    if (value) this.text(value, right + 6 + room, middle, { align: "right", font: BOLD_FONT });
    if (change) this.text(change, right + 14 + room, middle, { colour: isClear ? theme.ink : theme.muted });
  }

  /** What dark and empty stretches say, in the first ones that have room. */
  nameShades(lines) {
    const { places: { line: tall } } = this, said = new Set();
    const say = (words, row, { from, to }, look) => {
      const [a, b] = [this.x(from), this.x(to)], wide = this.texts.width(words, NAME_FONT) + 16;
      if (said.has(words) || b - a < wide || tall < 15) return;
      said.add(words);
      this.text(words, b - 8, TOP + (row + 0.5) * tall, { align: "right", ...look });
    };
    lines.forEach((line, row) => {
      const start = line[0], end = line.at(-1);
      if (start?.share === null && start.to < this.frame.end) say(`not asked before row ${formatCount(start.to)}`, row, start, { colour: this.theme.muted });
      if (!end || end.share === null) return;
      if (end.share === 0) say("does not matter", row, end, { colour: this.theme.muted });
      else if (row === 0) {
        const known = line.filter(({ share }) => share > 0);
        const from = known.findLast(({ to }, i) => known[i - 1]?.to !== undefined && known[i - 1].to < known[i].from) ?? known[0];
        say("matters most", row, { from: from.from, to: end.to }, { colour: inkOn(channels(this.colourOf(end.share))) });
      }
    });
  }

  drawChange(row, drift) {
    const { places: { left, right, axis } } = this;
    if (row >= this.axis[0] && row <= this.axis[1]) this.change(this.x(row), TOP - 2, axis, markSign(drift), [left, right]);
  }

  drawAxis() {
    const { frame, axis: [from, to], places: { left, right, value, axis, lines } } = this, more = frame.more + frame.id.length - lines;
    if (more > 0) this.note(`${formatCount(more)} more`, left - 8, axis + 3, { align: "right", base: "top" });
    for (const [row, align] of [[from, "left"], [Math.min(frame.end, to), "center"]]) {
      const x = this.x(row);
      if (align === "left" || x > left + 90) this.note(`row ${formatCount(row)}`, align === "left" ? x : Math.min(x, right - 24), axis + 3, { align, base: "top" });
    }
    this.note("error without it", right + 6 + value, 3, { align: "right", base: "top" });
  }
}
