"""A node's story in words: how an instance gets there and what the node remembers."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["NO_STORY", "STYLE", "story_html"]


NO_STORY = """
<div class="sl-story-hint"><h3>How to read the trees</h3>
<p>Each strip is one random tree, its root on top. An instance falls through one cell of each level; the wider a cell,
the more of the recent instances pass it. Where nothing has come for long, the colour moves along the scale and the
bar sinks: the tree forgets.</p>
<p>Click a cell, or focus the picture and press Enter, to read its story here.</p></div>
"""
"""What stands there while no node is selected."""


def story_html(learner: str, story: dict[str, Any] | None) -> str:
    """The story of the selected node (``SMART.describe_node``) as HTML; None: the node has gone."""
    if story is None:
        return '<p class="sl-story-hint">The selected node has faded away: nothing of it is left.</p>'
    rule = "".join(f"<li>{escape(test)}</li>" for test in story["rule"]) or "<li>every instance (the root)</li>"
    labels = "".join(
        f'<div class="sl-story-bar"><span>{escape(name)}</span><i style="width:{100 * share:.1f}%"></i>'
        f"<b>{100 * share:.0f} %</b></div>"
        for name, share in story["labels"][:6]
    )
    return (
        f"<h3>{escape(learner)}, tree {story['tree'] + 1}, depth {story['depth']}</h3>"
        f"<p><b>{story['seen']:,}</b> instances came here; what is left weighs <b>{story['weight']:.3g}</b> "
        f"({100 * story['retained']:.2g} %). The last came <b>{story['age']:,}</b> instances ago. "
        f"On average <b>{story['cardinality']:.2f}</b> labels.</p>"
        f"<div class='sl-story-parts'><div><p>An instance comes here if</p><ol>{rule}</ol></div>"
        f"<div><p>Labels remembered</p>{labels or '<p>none</p>'}</div></div>"
    )


STYLE = """
:host{font:12px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow:auto}
:host{padding-top:8px;box-sizing:border-box}
h3{font-size:13px;margin:0 0 2px}p{margin:0 0 4px}ol{margin:0;padding-left:20px}
.sl-story-parts{display:grid;grid-template-columns:1fr 1fr;gap:16px}
.sl-story-hint{opacity:.8;max-width:60em}
.sl-story-bar{display:grid;grid-template-columns:minmax(60px,35%) 1fr 44px;gap:8px;align-items:center;font-size:12px}
.sl-story-bar i{height:8px;background:#3D93C4;border-radius:2px;min-width:1px}
.sl-story-bar span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sl-story-bar b{text-align:right;font-weight:400}
"""
