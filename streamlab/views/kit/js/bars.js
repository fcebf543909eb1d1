/*
 * A list of classes or labels with a bar for each, as HTML: names that can be read and copied, numbers beside the bars.
 */
import { clamp, element, reachIfScrolling } from "./dom.js";

/** Rules of such a list; a picture sets the columns' widths by `--sl-columns`. */
export const BARS_CSS = `
.sl-list{overflow-y:auto;overflow-x:hidden;scrollbar-width:thin}
.sl-row{display:grid;grid-template-columns:var(--sl-columns);column-gap:8px;align-items:center;min-height:25px;padding:0 6px;border-radius:4px;
  font-size:13px}
.sl-row:hover,.sl-row.sl-lit{background:var(--sl-track)}
.sl-row>span{white-space:nowrap}
.sl-row>:first-child{overflow:hidden;text-overflow:ellipsis}
.sl-list[data-more]::after{content:attr(data-more);position:sticky;bottom:0;display:block;height:20px;line-height:20px;padding:0 6px;font-size:11px;
  color:var(--sl-muted);background:var(--sl-surface)}
.sl-axis{position:sticky;top:0;z-index:1;color:var(--sl-muted)}
.sl-axis:hover{background:none}
.sl-ends{display:flex;justify-content:space-between}
.sl-right{text-align:right;white-space:nowrap}
.sl-meter{position:relative;height:13px;overflow:hidden}
.sl-meter::before{content:"";position:absolute;inset:6px 0;background:var(--sl-line)}

`;

/** Height of the line below a list that says how many more there are, px, as in the rules. */
const MORE = 20;

/** Such a list, with a line of heads above its rows. Who extends it makes rows by `makeRow(name, i)`: {node, …}. */
export class BarList {
  /**
   * @param {string} label what a screen reader calls the list; @param {string} title what it is called where it scrolls
   * @param {HTMLElement[]} heads; @param {[number, number, number]} wide em of a name's letter, of the least and of the most room for names
   */
  constructor(label, title, heads, wide) {
    Object.assign(this, { wide, rows: [] });
    this.list = element("div", { role: "list", "aria-label": label });
    this.node = element("div", { class: "sl-list" }, [element("div", { class: "sl-row sl-axis", "aria-hidden": "true" }, heads), this.list]);
    this.tellMore = tellMore(this.node, () => this.nodes(), () => `${title}, a list that scrolls`);
  }

  /** The rows as they stand. */
  nodes() {
    return this.rows.map(({ node }) => node);
  }

  setNames(names) {
    const longest = Math.max(...names.map((name) => name.length), 4), [letter, least, most] = this.wide;
    this.node.style.setProperty("--sl-names", `${clamp(longest * letter, least, most).toFixed(1)}em`);
    this.rows = names.map((name, i) => this.makeRow(element("span", { text: name, title: name }), i));
    this.list.replaceChildren(...this.nodes());
    this.tellMore();
  }
}

/** Says at a list's foot how many of its rows are out of sight below it, and lets the keys scroll it, by its name, while there are. */
export function tellMore(list, rowsOf, nameOf) {
  const write = () => {
    reachIfScrolling(list, nameOf());
    const seen = list.scrollTop + list.clientHeight, { offsetTop } = list;
    const below = (row, end) => row.offsetTop - offsetTop + row.offsetHeight / 2 > end;
    const rows = rowsOf(), last = rows.at(-1);
    if (!last || !below(last, seen)) delete list.dataset.more;
    else list.dataset.more = `▾ ${rows.filter((row) => below(row, seen - MORE)).length} more below`;
  };
  list.addEventListener("scroll", write, { passive: true });
  new ResizeObserver(write).observe(list);
  return write;
}

/** Right end of an axis: the next of the round ends, which does not follow every wobble: it shrinks only when much too long. */
export function axisEnd(ends, largest, before, share = 0.45) {
  const wanted = ends.find((end) => end >= largest) ?? largest;
  return before >= largest && largest > share * before ? before : wanted;
}
