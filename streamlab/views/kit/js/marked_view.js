/*
 * A flat picture, magnified as a whole: `picture` paints it with one painter and names its marks, which pointer, cursor, tooltip and keys act on.
 * A mark is a place of a row, or of a piece of it: a number that left and right go along, such as that of a feature, or words for what only
 * the pointer reaches.
 */
import { CanvasView } from "./canvas_view.js";
import { clamp } from "./dom.js";
import { Painter } from "./marks.js";
import { nearestOf, outside } from "./numbers.js";

const EMPTY = 160;
/** What is painted here is seen nowhere: only marks, and the height, are wanted. */
const NOWHERE = new Proxy({}, { get: () => () => {}, set: () => true });

/** Whether a place is in a box; what lies on an edge is in the box that begins there. */
export const isWithin = ({ x, y, width, height }, px, py) => px >= x && px < x + width && py >= y && py < y + height;

/** What makes any view of a canvas one of marks. */
export const Marked = (View) => class extends View {
  piece = null;

  marks = new Map();

  setUp() {
    this.painter = new Painter(this.texts);
  }

  /** Paints the picture, `width` wide, names its marks, and returns its height. */
  picture() {
    return this.tall;
  }

  /** The pieces of rows that left and right go along; without any they go to the mark beside it. */
  pieces() {
    return [];
  }

  /** What is known of a row: words for each head of the table but the first, "" or "–" where there are none. */
  cells() {
    return [];
  }

  /** What a row is called in words of its own. */
  titleOf(row) {
    return this.nameOf(row);
  }

  describe(row) {
    const { heads } = this.about.table, known = this.cells(row).map((words, i) => (words && words !== "–" ? `${heads[i + 1].toLowerCase()}: ${words}` : ""));
    return { title: this.titleOf(row), lines: known.filter(Boolean) };
  }

  tableRows() {
    return Array.from(this.ids(), (id, row) => ({ id, name: this.nameOf(row), label: `Select ${this.titleOf(row)}`, cells: this.cells(row) }));
  }

  drawTo(context) {
    this.marks = new Map();
    return this.picture(this.painter.on(context, { marks: this.marks }), this.width);
  }

  /** A sign around the marks that are selected and pointed at, so far from them. */
  sign(painter, chosen, away = 0) {
    for (const [row, colour] of this.marked(chosen)) {
      const box = this.placed(row);
      if (box) painter.frameAround({ x: box.x - away, y: box.y - away, width: box.width + 2 * away, height: box.height + 2 * away }, colour, 3);
    }
  }

  layOut() {
    return this.isEmpty ? EMPTY : this.drawTo(NOWHERE);
  }

  /** Another height calls for another layout; the marks of a new frame are known before it is painted. */
  layoutKey() {
    return `${this.width ? this.layOut() : 0}`;
  }

  render(context) {
    if (this.isEmpty) return;
    this.magnify(context);
    this.drawTo(context);
  }

  /** The row that is pointed at, or -1. */
  get pointed() {
    return this.rowOf(this.cursor ?? this.hovered);
  }

  /** The marks of a row. */
  marksOf(row) {
    return this.marks.get(row) ?? [];
  }

  /** The mark of a row that the cursor, or the pointer, is at; the row's own where it has no such piece. */
  placed(row) {
    const marks = this.marksOf(row);
    return marks.find(({ piece }) => piece === this.piece) ?? marks.find(({ piece }) => piece === null) ?? null;
  }

  box(row) {
    const mark = this.placed(row);
    return mark && this.camera.see(mark);
  }

  hit(px, py, reach) {
    const [x, y] = this.camera.place(px, py), all = [...this.marks].flatMap(([row, marks]) => marks.map((mark) => ({ row, ...mark })));
    const near = () => reach && all[nearestOf(all, ({ away, ...box }) => (away ? away(x, y) : outside(box, x, y)), reach / this.camera.at.k + 1e-9)];
    const { row, piece } = all.find((mark) => !mark.away && isWithin(mark, x, y)) ?? (near() || { row: -1, piece: null });
    this.piece = piece;
    return row < 0 ? null : { id: this.idOf(row) };
  }

  /** Another piece of the same row has other words. */
  move(event) {
    const { piece } = this;
    super.move(event);
    if (piece !== this.piece) this.look(false);
  }

  /** Rows with their boxes, from the top and from the left. */
  inOrder() {
    const boxes = [...this.marks].map(([row, marks]) => ({ row, ...marks.find(({ piece }) => piece === null) }));
    return boxes.filter(({ width }) => width !== undefined).sort((a, b) => a.y - b.y || a.x - b.x);
  }

  firstRow() {
    return this.inOrder()[0]?.row ?? 0;
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
};

export const MarkedView = Marked(CanvasView);

/** What is known of a row as a cell of a table. */
export const yesNo = (isKnown, ...flags) => flags.map((flag) => (isKnown ? (flag ? "yes" : "no") : "–"));
