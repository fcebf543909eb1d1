/* Draws an ensemble: names, lines of cells, strokes where members began, crosses and rings where they left. */
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, numbered } from "../../../kit/js/format.js";
import { css, heat } from "../../../kit/js/palette.js";
import { BOLD_FONT, FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { boxOf, endOf, meanOf } from "./scene.js";

const SIGN = 2.6;

export class Painter {
  constructor(texts) {
    this.texts = texts;
    this.low = 0;
  }

  setTheme(theme) {
    this.theme = theme;
  }

  /** The colours from the lowest value drawn to 1, for a legend. */
  scale() {
    return Array.from({ length: 9 }, (_, i) => css(heat(i / 8)));
  }

  colourOf(value) {
    return css(heat((value - this.low) / (1 - this.low)));
  }

  draw(context, frame, places, starts, { name, isDim }) {
    for (const group of places.groups) this.drawGroup(context, frame, places, group, name(group.group));
    for (let row = 0; row < frame.id.length; row++) {
      context.globalAlpha = isDim(frame.id[row]) ? 0.2 : 1;
      this.drawMember(context, frame, places, row, starts[row]);
    }
    context.globalAlpha = 1;
    this.drawAxis(context, frame, places);
    if (frame.mark) this.drawMark(context, frame, places);
  }

  /** A dashed line where the stream changed, or where people made a mark, with its sign above it. */
  drawMark(context, { mark, end, chunks, step }, { left, cell, now, axis }) {
    const x = left + (chunks - (end - mark.row) / step) * cell;
    if (x < left || x > now) return;
    context.strokeStyle = this.theme.strong;
    context.lineWidth = 1.2;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x, 16);
    context.lineTo(x, axis);
    context.stroke();
    context.setLineDash([]);
    context.font = BOLD_FONT;
    context.fillStyle = this.theme.ink;
    context.textAlign = "center";
    context.textBaseline = "top";
    const sign = mark.drift ? numbered(mark.drift) : "▲";
    context.fillText(sign, clamp(x, left + 8, now - 8), 1);
  }

  drawGroup(context, frame, places, { group, y, height, lines }, name) {
    const { line, left, now } = places;
    context.fillStyle = this.theme.track;
    for (let k = 0; k < lines; k++) context.fillRect(left, y + k * line, now - left, line - 1);
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.font = NAME_FONT;
    context.fillStyle = this.theme.ink;
    context.fillText(this.texts.fit(name, NAME_FONT, left - 10), left - 8, y + height / 2);
    const mean = meanOf(frame, group);
    context.font = SMALL_FONT;
    context.fillStyle = this.theme.muted;
    if (mean >= 0) context.fillText(`${Math.round(100 * mean)} %`, places.width - 4, y + height / 2);
  }

  drawMember(context, frame, places, row, start) {
    const { line, left, cell, now } = places;
    const { y } = boxOf(frame, places, row);
    const first = frame.first[row], count = frame.cells[row], tall = line - 1;
    for (let k = 0; k < count; k++) {
      const x = left + (first + k) * cell;
      context.fillStyle = this.colourOf(frame.cell[start + k]);
      // up to the next cell, so that no seam is seen between them
      context.fillRect(x, y, cell + 0.4, tall);
    }
    if (frame.left[row] < 0) this.drawNow(context, frame, row, now, y, tall);
    if (!count) return;
    if (first > 0 || frame.born[row] >= frame.end - frame.chunks * frame.step) {
      context.fillStyle = this.theme.strong;
      // where it began, if that is amid its first cell
      const begin = clamp(frame.chunks - (frame.end - frame.born[row]) / frame.step, first, first + 0.9);
      context.fillRect(left + begin * cell - 0.5, y - 0.5, 2, tall + 1);
    }
    // a cross for who was removed, a ring for who was set aside
    const end = endOf(frame, places, row);
    if (end !== null) endSign(context, this.theme, frame.aside[row], Math.min(end + 1 + SIGN, now - SIGN - 1), y + tall / 2);
  }

  /** Who is there now: a box in its colour, or an empty one while it learns its first chunk. */
  drawNow(context, frame, row, x, y, tall) {
    const answers = frame.value[row] >= 0;
    context.lineWidth = 1;
    context.strokeStyle = this.theme.control;
    context.fillStyle = answers ? this.colourOf(frame.value[row]) : this.theme.surface;
    context.fillRect(x + 3, y, 8, tall);
    context.strokeRect(x + 3.5, y + 0.5, 7, tall - 1);
  }

  drawAxis(context, frame, places) {
    const { left, cell, now, axis } = places;
    const begin = frame.end - frame.chunks * frame.step;
    context.font = `11px ${FONT}`;
    context.fillStyle = this.theme.muted;
    context.textBaseline = "top";
    context.textAlign = "left";
    context.fillText(`row ${formatCount(begin + 1)}`, left, axis + 4);
    context.textAlign = "right";
    context.fillText(`row ${formatCount(frame.end)}`, now, axis + 4);
    context.fillRect(left, axis - 2, now - left, 1);
    for (let k = 0; k <= frame.chunks; k += 10) context.fillRect(left + (frame.chunks - k) * cell - 1, axis - 2, 1, 4);
    context.fillText("now", places.width - 4, axis + 4);
  }
}

/** The sign of an end at a place. */
export function endSign(context, theme, isAside, x, y) {
  context.strokeStyle = theme.ink;
  context.lineWidth = 1.2;
  context.beginPath();
  if (isAside) context.arc(x, y, SIGN, 0, 2 * Math.PI);
  else {
    context.moveTo(x - SIGN, y - SIGN);
    context.lineTo(x + SIGN, y + SIGN);
    context.moveTo(x - SIGN, y + SIGN);
    context.lineTo(x + SIGN, y - SIGN);
  }
  context.stroke();
}

/** The sign of a beginning, for a legend. */
export function beginSign(context, theme) {
  context.fillStyle = theme.bar;
  context.fillRect(4, 5, 12, 8);
  context.fillStyle = theme.strong;
  context.fillRect(3, 4, 2, 10);
}

/** The sign of who does not answer yet, for a legend. */
export function learningSign(context, theme) {
  context.strokeStyle = theme.control;
  context.lineWidth = 1;
  context.strokeRect(5.5, 5.5, 7, 7);
}
