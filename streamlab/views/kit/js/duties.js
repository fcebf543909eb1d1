/*
 * What a picture on a canvas may say and do of its own, with what is done where it says nothing. CanvasView does the rest.
 *
 * Rows are places in the columns of the newest frame, ids what stays the same between frames. Lengths are CSS pixels.
 */
export class PictureDuties {
  /**
   * @type {object} what a picture is called:
   *   name: its CSS class `sl-<name>` and `__<name>_stats`; title: of the section; role and keys: what is said of the stage, and which
   *   keys act on it; noun: what is found ("node"); find: placeholder of the search; word: "selected" unless it is called otherwise;
   *   empty: what is said while there is nothing to draw; key: the column of ids ("id"); free: whether the picture may be moved out of
   *   its frame; nearest: how many times as large it may become; slow: ms per draw from which nothing glides; reach: {pointer, touch}; table: {label, caption, heads, left, choose (whether its rows are ids that can be chosen)}
   */
  static about = {};

  /** Rules of the picture's own. */
  static css = "";

  /** Parameters of its component beside labels, dark and picture_height. */
  static parameters = [];

  /** Makes what the picture needs; `this.canvas`, `this.context` and `this.texts` are there. */
  setUp() {}

  /** What stands between the summary and the table, `this.stage` among it. */
  arrange() {
    return [this.bar(), this.stage];
  }

  /** Places everything for a width, and returns the height of the canvas. */
  layOut() {
    return this.tall;
  }

  /** What, beside the width, calls for new places, as text. */
  layoutKey() {
    return "";
  }

  /** Takes a new frame as the goal; with `jump` it is reached at once. */
  accept() {}

  /** Follows a new frame after it has been laid out, for pictures whose fit changes with the data. */
  follow() {}

  /** What glides: parts that have `moving`, `advance(now)` and `finish()`, as a Tween does. */
  gliders() {
    return [];
  }

  /** Draws, with `this.painter` if there is one; the transform of the context is one unit per CSS pixel. */
  render() {}

  /** What is at a point of the stage: {id, ...} or null; `reach` pixels beside it count. */
  hit() {
    return null;
  }

  /** The box of a row on the stage, where it is going: {x, y, width, height}, or null. */
  box() {
    return null;
  }

  /** {title, lines} about a row, for the tooltip and for the voice. */
  describe() {
    return { title: "", lines: [] };
  }

  /** By key: a function that gives the row to go to, or -1. */
  moves() {
    return {};
  }

  /** By key: a function that does something with the row. */
  acts() {
    return {};
  }

  /** What a row is called: the label that its id counts. */
  nameOf(row) {
    return this.labels[this.idOf(row)] ?? `${this.about.noun} ${this.idOf(row)}`;
  }

  /** Whether a row is what the query (in small letters) asks for. */
  matches(row, query) {
    return this.nameOf(row).toLowerCase().includes(query);
  }

  /** A sentence about the whole picture. */
  summarise() {
    return "";
  }

  /** Further words beside the picture. */
  writeWords() {}

  /** Sentences that stand under the title of the picture on paper. */
  paperWords() {
    return [this.summarise()].filter(Boolean);
  }

  /** Rows for DataTable.write; which is chosen is known. */
  tableRows() {
    return [];
  }

  /** Does what a click on this means beyond a choice, and returns whether that was all. */
  clicked() {
    return false;
  }

  /** Is called after the theme, or a parameter, has changed. */
  changed() {}
}
