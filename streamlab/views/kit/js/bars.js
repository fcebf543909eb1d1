/*
 * A list of classes or labels with a bar for each, as HTML: names that can be read and copied, numbers beside the bars.
 */

/** Rules of such a list; a picture sets the columns' widths by `--sl-columns`. */
export const BARS_CSS = `
.sl-list{overflow-y:auto;overflow-x:hidden;scrollbar-width:thin}
.sl-row{display:grid;grid-template-columns:var(--sl-columns);column-gap:8px;align-items:center;min-height:25px;padding:0 6px;border-radius:4px;
  font-size:12px}
.sl-row:hover,.sl-row.sl-lit{background:var(--sl-track)}
.sl-row>span{white-space:nowrap}
.sl-row>:first-child{overflow:hidden;text-overflow:ellipsis}
.sl-axis{position:sticky;top:0;z-index:1;color:var(--sl-muted)}
.sl-axis:hover{background:none}
.sl-ends{display:flex;justify-content:space-between}
.sl-right{text-align:right;white-space:nowrap}
.sl-meter{position:relative;height:13px;overflow:hidden}
.sl-meter::before{content:"";position:absolute;inset:6px 0;background:var(--sl-line)}
.sl-keys i{display:inline-block;width:18px;height:8px;background:var(--sl-bar)}
.sl-keys .sl-tick{width:2px;height:13px;background:var(--sl-text)}
`;

/** Right end of an axis: the next of the round ends, which does not follow every wobble: it shrinks only when much too long. */
export function axisEnd(ends, largest, before, share = 0.45) {
  const wanted = ends.find((end) => end >= largest) ?? largest;
  return before >= largest && largest > share * before ? before : wanted;
}
