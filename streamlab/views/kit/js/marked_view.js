/*
 * A flat picture, magnified as a whole. Each row of its frame has marks: boxes {x, y, width, height, piece}, of which the one without a piece
 * is the row itself; a piece is a number that left and right go along, such as that of a feature, or words for what only the pointer reaches.
 * Pointer, cursor, tooltip and keys are at a row and its `piece`. A picture fills in `marksOf` and `placesFor`, and has a painter with `draw`.
 */
import { CanvasView } from "./canvas_view.js";
import { clamp } from "./dom.js";
import { nearestOf, outside } from "./numbers.js";

const EMPTY = 160;

/** Whether a place is in a box; what lies on an edge is in the box that begins there. */
export const isWithin = ({ x, y, width, height }, px, py) => px >= x && px < x + width && py >= y && py < y + height;

export class MarkedView extends CanvasView {
  piece = null;

  /** Where everything stands for a width: {total, …}, `total` its height. */
  placesFor() {
    return { total: this.tall };
  }

  /** The marks of a row, where it is going. */
  marksOf() {
    return [];
  }

  /** The pieces of rows that left and right go along; without any they go to the mark beside it. */
  pieces() {
    return [];
  }

  layOut(width) {
    if (this.isEmpty) return EMPTY;
    this.places = this.placesFor(width);
    return this.places.total;
  }

  render(context) {
    if (this.isEmpty || !this.places) return;
    this.magnify(context);
    this.show(this.painter.on(context, { frame: this.frame, places: this.places, view: this }));
  }

  /** Paints the picture. */
  show(painter) {
    painter.draw();
  }

  /** The row that is pointed at, or -1. */
  get pointed() {
    return this.rowOf(this.cursor ?? this.hovered);
  }

  /** The mark of a row that the cursor, or the pointer, is at; the row's own where it has no such piece. */
  placed(row) {
    const marks = this.places ? this.marksOf(row) : [];
    return marks.find(({ piece = null }) => piece === this.piece) ?? marks.find(({ piece = null }) => piece === null) ?? null;
  }

  box(row) {
    const mark = this.placed(row);
    return mark && this.camera.see(mark);
  }

  /** What is meant beside all marks: {row, piece} or null. */
  near(x, y, reach) {
    if (!reach) return null;
    const row = nearestOf(this.ids(), (_, at) => {
      const box = this.placed(at), away = box && outside(box, x, y);
      return away !== null && away <= reach ? away : null;
    });
    return row < 0 ? null : { row };
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py), { piece = null, row = -1 } = this.within(x, y) ?? this.near(x, y, reach) ?? {};
    this.piece = piece;
    return row < 0 ? null : { id: this.idOf(row) };
  }

  within(x, y) {
    for (const row of this.ids().keys()) {
      const mark = this.marksOf(row).find((each) => isWithin(each, x, y));
      if (mark) return { row, piece: mark.piece };
    }
    return null;
  }

  /** Another piece of the same row has other words. */
  move(event) {
    const { piece } = this;
    super.move(event);
    if (piece !== this.piece) this.look(false);
  }

  /** Rows with their boxes, from the top and from the left. */
  inOrder() {
    const boxes = Array.from(this.ids().keys(), (row) => ({ row, ...this.marksOf(row).find(({ piece = null }) => piece === null) }));
    return boxes.filter(({ width }) => width !== undefined).sort((a, b) => a.y - b.y || a.x - b.x);
  }

  moves(row) {
    const marks = this.inOrder(), pieces = [null, ...this.pieces()], at = marks.findIndex((each) => each.row === row), own = marks[at];
    if (!pieces.includes(this.piece)) this.piece = null;
    const isBeside = (mark) => own !== undefined && mark?.y === own.y, middle = ({ x, width }) => x + width / 2;
    const along = (direction) => {
      if (pieces.length === 1) return isBeside(marks[at + direction]) ? marks[at + direction].row : -1;
      this.piece = pieces[clamp(pieces.indexOf(this.piece) + direction, 0, pieces.length - 1)];
      return row;
    };
    const across = (direction) => {
      let next = at + direction;
      while (isBeside(marks[next])) next += direction;
      const line = marks.filter((each) => each.y === marks[next]?.y).sort((a, b) => direction * (a.x - b.x));
      return line[nearestOf(line, (each) => Math.abs(middle(each) - middle(own ?? each)))]?.row ?? -1;
    };
    return {
      ArrowUp: () => across(-1), ArrowDown: () => across(1), ArrowLeft: () => along(-1), ArrowRight: () => along(1),
      Home: () => marks[0]?.row ?? -1, End: () => marks.at(-1)?.row ?? -1,
    };
  }
}

/** What is known of a row as a cell of a table. */
export const yesNo = (isKnown, ...flags) => flags.map((flag) => (isKnown ? (flag ? "yes" : "no") : "–"));

/** The box of a line of a part {x, y, width, row} below its head. */
export const lineOf = ({ x, y, width, row }, head, line) => ({ x, y: y + head + line * row, width, height: row });

/** Marks of those steps of a sum that a value of the row adds. */
export const stepMarks = (steps, part, head) => (
  steps.flatMap((step, line) => (step.value === undefined ? [] : [{ step, piece: `step ${line}`, ...lineOf(part, head, line) }])));
