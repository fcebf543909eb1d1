/*
 * The memory view: the rows that a learner remembers, by age and by what they are kept or dropped by, live.
 *
 * A point is a row: to the right the newest, high up what is safe, at the bottom what leaves next. Those that were asked about the
 * latest row have a ring, and a line to it. Filled points have the label in colour, or exactly the labels of the latest row. The
 * strip below is the number of rows remembered, at the same ages. A frame has {subject, now, n_labels, held, most, measure, leaves,
 * best, worst} and the columns in streamlab.views.pictures.memory.picture: of rows, oldest first, their labels, and sizes.
 */
import { LabelledView, NARROW_HEIGHT, has, hasAll, labelsOf } from "../../../kit/js/families.js";
import { NARROW } from "../../../kit/js/canvas_view.js";
import { formatCount, formatNumber, plural } from "../../../kit/js/format.js";
import { Marked } from "../../../kit/js/marked_view.js";
import { roundUp } from "../../../kit/js/numbers.js";
import { hue, tint } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { SMALL_FONT } from "../../../kit/js/text.js";
import { SoloGlide, THERE, Tween } from "../../../kit/js/tween.js";

/** What glides, of a row: its age and how high it is. */
const AGE = 1, HIGH = 2;
/** The span, the rows from the right edge to the left one, shrinks when less than this share of it is needed. */
const TOO_WIDE = 0.45, SHORTEST = 50;
/** The labels of the latest row, in place of a label in colour. */
const LATEST = -1;
const LEFT = 46, RIGHT = 16, TOP = 14, STRIP = 40, BETWEEN = 40, BOTTOM = 34, DIM = 0.15, SHARES = [0, 0.25, 0.5, 0.75, 1];
/** A fall of the memory's size by more than this share of it is marked, where so many rows, at least, went. */
const CUT = 0.08, LEAST_CUT = 5;

class MemoryView extends Marked(LabelledView) {
  static css = `${super.css}.sl-memory .sl-in-colour select{max-width:240px}`;

  static about = {
    name: "memory", empty: "Nothing remembered yet: press play", title: "Rows remembered, by age and standing", role: "memory", noun: "row",
    find: "Find a label", reach: { pointer: 9, touch: 18 },
    keys: "Remembered rows. Left and right arrow keys move to older and newer rows, up and down to the rows asked about the latest one, "
      + "Home to the newest; Enter selects; Page Up and Page Down choose the label in colour.",
    table: {
      label: "Table of the rows", caption: "One row per remembered row, the newest first.", left: [6], choose: true,
      heads: ["Row", "Rows ago", "Fitness or errors", "Times asked", "Times all labels right", "Neighbour of the latest", "Labels"],
    },
  };

  setUp({ label = LATEST }) {
    super.setUp();
    Object.assign(this, { label, dots: new Tween(3), span: new SoloGlide([SHORTEST]) });
  }

  arrange() {
    return [this.bar(this.chooserOf("In colour", "Labels in colour")), this.stage];
  }

  /** What rows have. */
  get own() {
    return this.frame?.noun === "class" ? "class" : "labels";
  }

  choices() {
    return [[LATEST, `the latest row’s ${this.own}`], ...super.choices()];
  }

  saysColour(label) {
    return label === LATEST ? `Rows with the latest row’s ${this.own} are in colour.` : super.saysColour(label);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  accept(frame, before, now, jump) {
    const isOther = !before?.id.length || before.subject !== frame.subject || frame.now < before.now;
    const oldest = frame.id.length ? frame.age[0] : 0, [shown] = this.span.to, later = Math.max(0, frame.now - (before?.now ?? frame.now));
    if (isOther) this.dots.clear();
    this.takeNames();
    if (isOther || oldest > shown || (shown > SHORTEST && oldest < TOO_WIDE * shown)) this.span.aim([Math.max(SHORTEST, roundUp(1.05 * oldest))], now, isOther);
    this.dots.aim(frame.id, now, ({ to }, row) => to.set([frame.age[row], frame.share[row]], AGE), { leave({ to }) {
      // what is dropped goes on ageing, and falls
      if (to[THERE] === 1) to.set([to[AGE] + later, -0.12], AGE);
    } });
    if (jump || isOther) this.finishGlides();
  }

  gliders() {
    return [this.dots, this.span];
  }

  /** Whether a row is filled. */
  isFilled(row) {
    const { frame } = this;
    if (this.label === LATEST) return hasAll(frame, row, this.firstRow());
    return this.label < frame.n_labels && has(frame, row, this.label);
  }

  picture(painter, width) {
    const { frame } = this, isNarrow = width < NARROW, height = isNarrow ? Math.min(this.tall, NARROW_HEIGHT) : this.tall, right = width - RIGHT;
    const floor = height - BOTTOM - STRIP - BETWEEN, end = height - BOTTOM, [span] = this.span.at, x = (age, of = span) => right - (age / of) * (right - LEFT);
    const y = (share) => floor - share * (floor - TOP), radius = isNarrow ? 2.6 : 3.4;
    this.drawAxes(painter, { x, y, floor, right, end, ticks: isNarrow ? 2 : 4 });
    this.drawStrip(painter, { x, floor: end, right, span });
    painter.within(LEFT - 6, 0, width - LEFT + 6, floor + BETWEEN - 6, () => this.drawRows(painter, ({ at }) => [x(at[AGE]), y(at[HIGH])], radius));
    // the rows' places, where they are going
    frame.id.forEach((_, row) => {
      const [px, py] = [x(frame.age[row], this.span.to[0]), y(frame.share[row])];
      painter.mark(row, { x: px - 8, y: py - 8, width: 16, height: 16, away: (at, high) => Math.hypot(px - at, py - high) });
    });
    return height;
  }

  drawAxes(painter, { x, y, floor, right, end, ticks }) {
    const { frame, theme } = this, [span] = this.span.at;
    for (const share of SHARES) {
      painter.rect(LEFT, Math.round(y(share)), right - LEFT, 1, share === 0 ? theme.control : theme.line);
      painter.note(formatNumber(frame.worst + share * (frame.best - frame.worst)), LEFT - 6, Math.round(y(share)) + 0.5, { align: "right" });
    }
    painter.text(frame.measure, LEFT + 4, TOP + 9, { colour: theme.muted });
    painter.text("forgotten below", LEFT + 4, floor + 10, { colour: theme.muted });
    for (let i = 0; i <= ticks; i++) {
      const age = Math.round((span * i) / ticks), isEnd = i === ticks, words = i === 0 ? "now" : `${formatCount(age)}${isEnd ? " rows ago" : ""}`;
      painter.note(words, x(age) + (i === 0 ? 6 : isEnd ? -6 : 0), end + 12, { align: i === 0 ? "right" : isEnd ? "left" : "center" });
    }
  }

  /** How many rows were remembered, at the same ages. */
  drawStrip(painter, { x, floor, right, span }) {
    const { theme, frame: { sizes } } = this, n = sizes.length, first = Math.max(0, n - 1 - Math.ceil(span));
    if (!n) return;
    const shown = [...sizes].slice(first), top = roundUp(Math.max(1, ...shown)), y = (size) => floor - (size / top) * STRIP;
    const points = shown.map((size, i) => [x(n - 1 - first - i), y(size)]);
    painter.trace([[points[0][0], floor], ...points, [x(0), floor]]);
    painter.fill(tint(theme, theme.bar, 0.28));
    painter.rect(LEFT, floor - STRIP, right - LEFT, 1, theme.line);
    painter.rect(LEFT, floor, right - LEFT, 1, theme.control);
    painter.line(points, theme.bar, 1.5);
    // where a part of the memory was dropped at once: a line down to what was left, and how many went
    let free = this.width;
    for (let i = n - 1; i > first; i--) {
      const gone = sizes[i - 1] - sizes[i], at = x(n - 1 - i), words = `−${formatCount(gone)}`;
      if (gone < LEAST_CUT || gone < CUT * sizes[i - 1]) continue;
      painter.line([[at, y(sizes[i - 1])], [at, y(sizes[i])]], theme.down, 2);
      // not on the name of the strip, nor on the number of a later cut
      if (at + 3 + this.texts.width(words, SMALL_FONT) > free || at < LEFT + 130) continue;
      painter.note(words, at + 3, floor - STRIP - 8, { colour: theme.down });
      free = at - 4;
    }
    painter.note(formatCount(top), LEFT - 6, floor - STRIP, { align: "right" });
    painter.note("0", LEFT - 6, floor, { align: "right" });
    painter.text("rows remembered", LEFT + 4, floor - STRIP - 9, { colour: theme.muted });
  }

  /** Hollow and grey, or filled and larger: told apart by more than a hue. What leaves is seen leaving; what was asked about the latest row has a line to it, and a ring. */
  drawRows(painter, at, radius) {
    const { theme } = this, { context } = painter, dotOf = (row) => this.dots.get(this.idOf(row)), asked = this.asked().map(dotOf), [x, y] = at(dotOf(this.firstRow()));
    const around = (dot, colour, width, more) => painter.haloed(() => painter.circle(...at(dot), radius + more), colour, width, 2);
    context.globalAlpha = 0.75;
    painter.links(asked.map((dot) => [x, y, ...at(dot)]), theme.lit, 1.5);
    const all = [...this.dots.items.values()], isFilled = ({ row }) => row >= 0 && this.isFilled(row), colour = this.label === LATEST ? theme.accent : hue(theme, this.label);
    for (const dot of all.sort((a, b) => isFilled(a) - isFilled(b))) {
      const isGone = dot.row < 0;
      context.globalAlpha = dot.at[THERE] * (this.isDim(dot.id) ? DIM : 1) * (isGone || isFilled(dot) ? 1 : 0.85);
      if (isFilled(dot)) {
        painter.dot(...at(dot), radius * 1.12, colour);
        painter.stroke(theme.surface);
      } else painter.ring(...at(dot), radius * 0.8, isGone ? theme.down : theme.ghost, isGone ? 2 : 1);
    }
    context.globalAlpha = 1;
    for (const dot of asked) around(dot, theme.lit, 2, 3);
    const arm = radius + 2.5;
    painter.trace([[x - arm, y], [x, y - arm], [x + arm, y], [x, y + arm]]);
    context.closePath();
    painter.stroke(theme.surface, 1.5);
    painter.fill(theme.ink);
    for (const [row, sign] of this.marked(theme.strong, theme.lit)) around(dotOf(row), sign, 2.25, 5);
  }

  /* --- what the user does --------------------------------------------------------------------------------------- */

  firstRow() {
    return this.frame.id.length - 1;
  }

  /** The rows that were asked about the latest one. */
  asked() {
    return [...this.frame.rank.keys()].filter((row) => this.frame.rank[row] > 0);
  }

  moves(row) {
    const { rank } = this.frame, last = this.firstRow(), asked = this.asked().sort((a, b) => rank[a] - rank[b]), at = asked.indexOf(row);
    const turn = (by) => (asked.length ? asked[at < 0 ? 0 : (at + by + asked.length) % asked.length] : -1);
    return {
      ArrowLeft: () => row - 1, ArrowRight: () => (row < last ? row + 1 : -1), Home: () => last, End: () => 0,
      ArrowDown: () => turn(1), ArrowUp: () => turn(-1),
    };
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  nameOf(row) {
    return formatCount(this.idOf(row) + 1);
  }

  titleOf(row) {
    return `Row ${this.nameOf(row)}`;
  }

  cells(row) {
    const { frame } = this;
    // in a loop of one's own nobody knows how often it was asked
    const asked = [frame.asked, frame.right].map((times) => (frame.answered_by ? formatCount(times[row]) : "–"));
    return [formatCount(frame.age[row]), formatNumber(frame.standing[row]), ...asked, frame.rank[row] ? String(frame.rank[row]) : "–", this.list(labelsOf(frame, row), 20)];
  }

  tableRows() {
    return super.tableRows().reverse();
  }

  summarise() {
    const { frame } = this;
    if (this.isEmpty) return "";
    const asked = this.asked(), right = asked.filter((row) => hasAll(frame, row, this.firstRow())).length;
    const words = `Remembers ${plural(frame.held, "row")} of ${formatCount(frame.most)} at most; a row is ${frame.leaves}.`;
    if (!frame.answered_by) return words;
    const gone = frame.answered_by - asked.length;
    const left = gone > 0 ? `; ${formatCount(gone)} ${gone === 1 ? "is" : "are"} forgotten since` : "";
    return `${words} ${plural(frame.answered_by, "row")} answered the latest one: ${right ? formatCount(right) : "none"} had ${this.own === "class" ? "its class" : "exactly its labels"}${left}.`;
  }

  stats() {
    return { ...super.stats(), rows: this.ids().length, asked: this.frame ? this.asked().length : 0 };
  }
}

export const render = renderPicture(MemoryView);
