/* Draws weights: the heat of labels and features, bars of one label, the sum of the latest row, and what moved most. */
import { span } from "../../../kit/js/numbers.js";
import { formatCount, formatSigned, markSign, plural, several } from "../../../kit/js/format.js";
import { PartPainter } from "../../../kit/js/marks.js";
import { differing } from "../../../kit/js/palette.js";
import { BOLD_FONT, NAME_FONT, SMALL_FONT } from "../../../kit/js/text.js";
import { stepsOf, sumAt, verdict } from "./scene.js";

export class WeightsPainter extends PartPainter {
  draw() {
    const { view, view: { label } } = this, nameOf = (row) => view.nameOf(row);
    this.drawHeat(view, label, nameOf);
    if (label < 0) return;
    this.drawBars(label, nameOf);
    this.explain(label, nameOf);
    this.drawMoved((id) => view.nameOfId(id));
  }

  drawHeat({ piece, order, end, canFind }, label, nameOf) {
    const { view, context, theme, frame, texts, places: { heat } } = this;
    const count = frame.columns.length;
    const rest = frame.hidden ? ` (${count} of ${formatCount(count + frame.hidden)} features)` : "";
    const all = `All ${several(frame.noun)}`;
    this.title([`${all}: what each stands on${rest}`, `${all}${rest}`, all], { x: 0, y: 0, width: heat.width });
    order.slice(0, heat.rows).forEach((row, line) => {
      const y = heat.y + line * heat.row, middle = y + heat.row / 2;
      context.globalAlpha = view.isDim(view.idOf(row)) ? 0.3 : 1;
      const font = frame.carried[row] ? BOLD_FONT : NAME_FONT;
      this.text(texts.fit(nameOf(row), font, heat.name - 16), heat.x - 8, middle, { font, align: "right" });
      if (frame.answered[row]) this.dot(heat.x - 4, middle, 2.6, theme.ink);
      for (let k = 0; k < count; k++) {
        this.rect(heat.x + k * heat.cell, y, heat.cell - 1, heat.row - 1, differing(theme, frame.heat[row * count + k], end));
      }
      context.globalAlpha = 1;
    });
    const bottom = heat.y + heat.rows * heat.row;
    if (heat.below > 20) frame.columns.forEach((name, k) => this.drawUpright(frame.names[name], heat.x + (k + 0.5) * heat.cell, bottom + 4, heat.below - 8, k === piece));
    const hidden = frame.id.length - heat.rows + frame.more;
    if (hidden > 0) this.note(`+ ${plural(hidden, frame.noun)}${canFind ? ": find one by its name" : ""}`, 0, heat.end - 7);
    for (const [row, colour] of [[label, theme.lit], [view.pointed, theme.accent]]) {
      const line = order.indexOf(row);
      if (line < 0 || line >= heat.rows) continue;
      // without a halo, which would lie on the names above and below
      this.box(1, heat.y + line * heat.row - 1, heat.x + count * heat.cell, heat.row + 1, colour);
    }
  }

  drawUpright(name, x, y, room, isLit) {
    this.turned(x, y, Math.PI / 2, () => this.note(this.texts.fit(name, SMALL_FONT, room), 0, 0, isLit ? { colour: this.theme.ink } : {}));
  }

  drawBars(label, nameOf) {
    const { theme, frame, texts, places: { list, head }, view: { perLabel: { most } } } = this;
    const from = label * most, rows = [];
    for (let k = from; k < from + most; k++) if (frame.bar_term[k] >= 0) rows.push(k);
    this.title([`${nameOf(label)}: its largest weights`, nameOf(label)], list);
    const { names, x } = this.scale(list, span(rows.flatMap((k) => [frame.bar[k], frame.marked ? frame.bar_before[k] : 0])), this.longest());
    rows.forEach((k, line) => {
      const y = list.y + head + line * list.row, middle = y + list.row / 2, value = frame.bar[k];
      this.text(texts.fit(frame.names[frame.bar_term[k]], NAME_FONT, names), list.x + names, middle, { align: "right" });
      this.rect(Math.min(x(0), x(value)), y + 2, Math.max(Math.abs(x(value) - x(0)), 1), list.row - 4, value < 0 ? theme.down : theme.up);
      if (frame.marked) this.upright(x(frame.bar_before[k]), y, y + list.row, theme.strong, 2);
      this.text(formatSigned(value), list.x + list.width, middle, { align: "right", colour: theme.muted });
    });
    this.upright(x(0), list.y + head - 2, list.y + head + Math.max(rows.length, 1) * list.row, theme.control);
    if (!rows.length) this.text("It was in no row yet.", list.x, list.y + head + 8, { colour: theme.muted });
  }

  explain(label, nameOf) {
    const { theme, frame, texts, places: { sum, head } } = this;
    if (Number.isNaN(frame.total[label])) return;
    const begins = `Row ${formatCount(frame.now)}, asked again: `, score = ` ${frame.score[label].toFixed(2)}`;
    const room = sum.width - texts.width(begins + score, BOLD_FONT);
    this.text(`${begins}${texts.fit(nameOf(label), BOLD_FONT, room)}${score}`, sum.x, sum.y + 8, { font: BOLD_FONT });
    const steps = stepsOf(frame, label), threshold = sumAt(frame.threshold[label]), was = frame.intercept_before[label], decided = verdict(frame, label, nameOf);
    const { x, end } = this.drawSum(sum, head, steps, { more: [threshold ?? 0, was || 0], was, behind: " × −0.00", decided, brief: decided.replace(/ by .*/, "") });
    if (threshold !== null) this.line([[x(threshold), end - sum.row - 3], [x(threshold), end + 3]], theme.ink, 1.5, [3, 2]);
  }

  drawMoved(nameOfId) {
    const { theme, frame, texts, places: { moves, head } } = this;
    if (!frame.moved_label.length) return;
    const since = frame.marked ? `since ${markSign(frame.marked.number)}` : "since the first row";
    this.title([`Moved most ${since}, of all ${several(frame.noun)}`, `Moved most ${since}`], moves);
    const longest = this.longest() + 6 + Math.max(...Array.from(frame.moved_label, (id) => texts.width(nameOfId(id), NAME_FONT)));
    const { names, x } = this.scale(moves, span([...frame.moved_from, ...frame.moved_to]), longest);
    frame.moved_label.forEach((id, i) => {
      const y = moves.y + head + i * moves.row, middle = y + moves.row / 2, [from, to] = [frame.moved_from[i], frame.moved_to[i]];
      const half = texts.fit(frame.names[frame.moved_term[i]], NAME_FONT, names * 0.6);
      const label = texts.fit(nameOfId(id), NAME_FONT, names - texts.width(half, NAME_FONT) - 6);
      this.text(half, moves.x + names, middle, { align: "right", colour: theme.muted });
      this.text(label, moves.x + names - texts.width(half, NAME_FONT) - 6, middle, { align: "right" });
      // as everywhere here: for it or against it; the dot is where the weight is now
      const colour = to < 0 ? theme.down : theme.up;
      this.line([[x(from), middle], [x(to), middle]], colour, 2);
      this.dot(x(to), middle, 3.5, colour);
      this.text(`${to < from ? "" : "+"}${formatSigned(to - from)}`, moves.x + moves.width, middle, { align: "right", colour: theme.muted });
    });
    this.upright(x(0), moves.y + head - 2, moves.y + head + frame.moved_label.length * moves.row, theme.control);
  }
}
