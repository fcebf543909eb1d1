/* The classes as a sunburst: a ring for each level, slices as wide as they are frequent. */
import { pushApart } from "../../../kit/js/apart.js";
import { heat, inkOn } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";
import { LEAST_SIDE, SIDE_GAP } from "./layout.js";
import { ClassPainter, DIM } from "./paint.js";

/** px of a name beside the rings, from the one above it. */
const LINE = 11;

export class SunburstPainter extends ClassPainter {
  draw(marked) {
    const { context, frame, layout, theme, rows } = this;
    context.lineJoin = "round";
    for (const row of rows) {
      const place = layout.places[row];
      this.slice(place, 0.5);
      context.globalAlpha = this.isDim(row) ? DIM : 1;
      this.fill(this.colour(row));
      context.globalAlpha = 1;
      this.stroke(theme.surface, 1);
      if (Number.isNaN(frame.hf[row])) this.outline(place, theme.outline, 1, 1.5, [2, 2]);
    }
    for (const row of rows) {
      const place = layout.places[row];
      for (const [flag, colour, inset, dash] of [["true", theme.path, 2.5, []], ["predicted", theme.guess, 6.5, [6, 4]]]) {
        if (!this.isLit(row, flag)) continue;
        this.outline(place, theme.surface, 5, inset);
        this.outline(place, colour, 3, inset, dash);
      }
    }
    const outside = rows.filter((row) => !this.write(row, layout.places[row]));
    for (const isRight of [false, true]) this.writeBeside(outside.filter((row) => layout.places[row].isOuter && Math.sin(this.middle(row)) >= 0 === isRight), isRight);
    for (const [row, colour] of marked) {
      this.outline(layout.places[row], theme.surface, 6, 0);
      this.outline(layout.places[row], colour, 3, 0);
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

  outline(place, colour, width, inset, dash = []) {
    this.slice(place, inset);
    this.stroke(colour, width, dash);
  }

  middle(row) {
    const { from, to } = this.layout.places[row];
    return (from + to) / 2;
  }

  /** Names of slices without room for them, on one side of the rings, each with a line to its slice: the most frequent, if not all fit. */
  writeBeside(rows, isRight) {
    const { layout: { cx, cy, places, height }, theme, texts, width, frame: { weight } } = this;
    const rim = Math.max(0, ...rows.map((row) => places[row].outer)), way = isRight ? 1 : -1, room = width / 2 - rim - SIDE_GAP;
    if (room < LEAST_SIDE) return;
    const most = Math.floor(height / LINE), shown = [...rows].sort((a, b) => this.isOnPath(b) - this.isOnPath(a) || weight[b] - weight[a]).slice(0, most);
    const ends = shown.map((row) => [cx + rim * Math.sin(this.middle(row)), cy - rim * Math.cos(this.middle(row))]);
    const heights = pushApart(ends.map(([, y]) => y), LINE, LINE / 2, height - LINE / 2);
    shown.forEach((row, i) => {
      const x = cx + way * (rim + 14), font = this.font(row);
      this.line([ends[i], [x, heights[i]]], theme.edge);
      this.text(texts.fit(this.label(row), font, room), x + way * 4, heights[i], { font, align: isRight ? "left" : "right" });
    });
  }

  /** The name, and a distance, along the ring or across it, whichever has room. Returns whether all of the name has. */
  write(row, { from, to, inner, outer }) {
    const { frame, layout, theme, texts } = this;
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
    if (height < 12) return false;
    const lines = [[name, this.font(row)], ...(distance && height > 34 ? [[distance, BOLD_FONT]] : [])]
      .map(([text, font]) => [texts.fit(text, font, length), font]).filter(([text]) => text);
    if (!lines.length || (lines[0][0] !== name && layout.cx - outer - SIDE_GAP >= LEAST_SIDE)) return false;
    const hf = frame.hf[row], colour = Number.isNaN(hf) || this.isDim(row) ? theme.ink : inkOn(heat(hf));
    const turn = isAlong ? middle : middle - Math.PI / 2, upright = Math.cos(turn) < -1e-9 ? turn + Math.PI : turn;
    this.turned(layout.cx + radius * Math.sin(middle), layout.cy - radius * Math.cos(middle), upright, () => (
      lines.forEach(([text, font], i) => this.text(text, 0, 14 * (i - (lines.length - 1) / 2), { font, colour, align: "center" }))));
    return true;
  }
}
