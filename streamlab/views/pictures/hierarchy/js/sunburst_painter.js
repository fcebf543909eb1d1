/* The classes as a sunburst: a ring for each level, slices as wide as they are frequent. */
import { inkOn } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { ClassPainter, DIM, heat } from "./paint.js";

export class SunburstPainter extends ClassPainter {
  draw(marked) {
    const { context, frame, layout, theme, rows } = this;
    context.lineJoin = "round";
    for (const row of rows) {
      const place = layout.places[row];
      this.slice(place, 0.5);
      context.globalAlpha = this.isDim(row) ? DIM : 1;
      context.fillStyle = this.colour(row);
      context.fill();
      context.globalAlpha = 1;
      this.strokeWith(theme.surface, 1);
      if (Number.isNaN(frame.hf[row])) this.line(place, theme.outline, 1, 1.5, [2, 2]);
    }
    for (const row of rows) {
      const place = layout.places[row];
      for (const [flag, colour, inset, dash] of [["true", theme.path, 2.5, []], ["predicted", theme.guess, 6.5, [6, 4]]]) {
        if (!this.isLit(row, flag)) continue;
        this.line(place, theme.surface, 5, inset);
        this.line(place, colour, 3, inset, dash);
      }
    }
    for (const row of rows) this.write(row, layout.places[row]);
    for (const [row, colour] of marked) {
      this.line(layout.places[row], theme.surface, 6, 0);
      this.line(layout.places[row], colour, 3, 0);
    }
  }

  slice({ from, to, inner, outer }, inset) {
    const { context, layout } = this;
    const [a, b] = [from - Math.PI / 2, to - Math.PI / 2];
    const [low, high] = [inner + inset, outer - inset];
    // the inset takes the same pixels from the sides, whatever the radius
    const away = (radius) => Math.min(inset / Math.max(radius, 1), (b - a) / 2.2);
    context.beginPath();
    context.arc(layout.cx, layout.cy, high, a + away(high), b - away(high));
    context.arc(layout.cx, layout.cy, low, b - away(low), a + away(low), true);
    context.closePath();
  }

  line(place, colour, width, inset, dash = []) {
    this.slice(place, inset);
    this.strokeWith(colour, width, dash);
  }

  /** The name, and a distance, along the ring or across it, whichever has room. */
  write(row, { from, to, inner, outer }) {
    const { context, frame, layout, theme, texts } = this;
    const middle = (from + to) / 2, radius = (inner + outer) / 2, thickness = outer - inner;
    // the lines of a lit slice run inside of it
    const edge = this.isLit(row, "predicted") ? 8 : this.isLit(row, "true") ? 4 : 0;
    const name = this.label(row), distance = this.distance(row);
    // straight text in a bent ring: its upper corners must stay inside
    const isHigh = distance && thickness - 2 * edge > 34;
    const corner = Math.sqrt(Math.max(0, (outer - edge - 2) ** 2 - (radius + (isHigh ? 14 : 7)) ** 2));
    const along = Math.min((to - from) * radius - 12 - 2 * edge, 2 * corner), across = thickness - 10 - 2 * edge;
    const isAlong = along >= Math.min(across, texts.width(name, NAME_FONT));
    const [length, height] = isAlong ? [along, thickness - 2 * edge] : [across, (to - from) * radius - 2 * edge];
    if (height < 12) return;
    const lines = [[name, this.font(row)], ...(distance && height > 34 ? [[distance, BOLD_FONT]] : [])]
      .map(([text, font]) => [texts.fit(text, font, length), font]).filter(([text]) => text);
    if (!lines.length) return;
    const hf = frame.hf[row];
    context.save();
    context.translate(layout.cx + radius * Math.sin(middle), layout.cy - radius * Math.cos(middle));
    let turn = isAlong ? middle : middle - Math.PI / 2;
    if (Math.cos(turn) < -1e-9) turn += Math.PI;
    context.rotate(turn);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = Number.isNaN(hf) || this.isDim(row) ? theme.ink : inkOn(heat(hf));
    lines.forEach(([text, font], i) => {
      context.font = font;
      context.fillText(text, 0, 14 * (i - (lines.length - 1) / 2));
    });
    context.restore();
  }
}
