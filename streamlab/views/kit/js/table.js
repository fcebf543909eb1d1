/* The table that says in words and numbers what a picture shows. */
import { element, headRow, scrollTable, setText } from "./dom.js";

/** A folded table with a row for each id. Rows stay as long as their id does: neither focus nor a reader's place is lost. */
export class DataTable {
  /**
   * @param {object} options
   * @param {string} options.label what the table is called
   * @param {string} options.caption what a row stands for
   * @param {Array<string>} options.heads titles of the columns
   * @param {Array<number>} [options.left] columns of words, which stand on the left; the first always does
   * @param {(id) => void} [options.onChoose] makes the first cell of each row a button that chooses its id
   * @param {() => void} options.onOpen called when the table is unfolded, or folded
   */
  constructor({ label, caption, heads, left = [], onChoose = null, onOpen }) {
    this.onChoose = onChoose;
    this.body = element("tbody");
    this.head = element("thead");
    this.setHeads(heads, left);
    const scroll = scrollTable(label, [element("caption", { class: "sl-hidden", text: caption }), this.head, this.body]);
    this.node = element("details", {}, [element("summary", { text: "Table" }), scroll]);
    this.node.addEventListener("toggle", onOpen);
    this.body.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) onChoose?.(this.ids.get(button));
    });
  }

  /** Other columns from now on; the rows are written new. */
  setHeads(heads, left = []) {
    Object.assign(this, { heads, left: new Set(left) });
    this.rows = new Map();
    this.head.replaceChildren(headRow(heads, (i) => ({ class: this.left.has(i) ? "sl-left" : null })));
    this.body.replaceChildren();
  }

  get open() {
    return this.node.open;
  }

  /** @param {Array<{id, name: string, label?: string, indent?: number, chosen?: boolean, cells: string[]}>} rows in order */
  write(rows) {
    const known = new Map();
    this.ids = new Map();
    for (const given of rows) {
      const row = this.rows.get(given.id) ?? this.makeRow();
      known.set(given.id, row);
      if (this.onChoose) this.ids.set(row.name, given.id);
      this.writeRow(row, given);
    }
    this.rows = known;
    const nodes = rows.map(({ id }) => known.get(id).node), { children } = this.body;
    if (children.length !== nodes.length || nodes.some((node, i) => node !== children[i])) this.body.replaceChildren(...nodes);
  }

  makeRow() {
    const name = this.onChoose ? element("button", { type: "button" }) : element("th", { scope: "row" });
    const first = this.onChoose ? element("td", {}, [name]) : name;
    const cells = this.heads.slice(1).map((_, i) => element("td", { class: this.left.has(i + 1) ? "sl-left" : null }));
    return { node: element("tr", {}, [first, ...cells]), name, cells };
  }

  writeRow(row, { name, label, indent = 0, chosen = false, cells }) {
    setText(row.name, name);
    cells.forEach((text, i) => setText(row.cells[i], text));
    row.node.classList.toggle("sl-chosen", chosen);
    if (!this.onChoose) return;
    row.name.setAttribute("aria-pressed", String(chosen));
    if (label) row.name.setAttribute("aria-label", label);
    row.name.style.marginLeft = indent ? `${indent}px` : "";
  }
}
