"""A node's story in words: how an instance gets there and what the node remembers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = ["HOW_TO_READ", "NO_STORY", "STYLE", "projection_story_html", "story_html", "tree_story_html"]


NO_STORY = """
<div class="sl-story-hint"><h3>How to read the trees</h3>
<p>Each strip is one random tree, its root on top. An instance falls through one cell of each level; the wider a cell,
the more of the recent instances pass it. Where nothing has come for long, the colour moves along the scale and the
bar sinks: the tree forgets.</p>
<p>Click a cell, or focus the picture and press Enter, to read its story here.</p></div>
"""
"""What stands there while no node is selected."""


HOW_TO_READ = {
    "forest": NO_STORY,
    "tree": """
<div class="sl-story-hint"><h3>How to read the tree</h3>
<p>An instance falls from the top through the tests to a leaf, which answers. A leaf's colour says how it answers, its
filling how often it errs; an edge is as wide as what passed it. Dashed beside a node grows its rival: a background
tree, started on a warning, that takes over if it errs less.</p>
<p>Click a node, or focus the picture and press Enter, to read its story here.</p></div>
""",
    "projection": """
<div class="sl-story-hint"><h3>How to read the projection</h3>
<p>Points are the newest instances, in the two directions that separate the classes best; filled ones carry the label in
colour. A cross is the mean of a class, its trail where it was. The learner asks, for every class, the same number of
nearest instances <i>of that class</i>: a rare class has as many voices as a common one. A class is answered where its
score passes its threshold. Distances count in all directions, of which two are drawn: a neighbour may look far.</p>
<p>Point at an instance to see its neighbours; click it, or press Enter, to pin it.</p></div>
""",
}
"""What stands there while no node is selected, by the kind of picture."""

REGIMES = {
    "none yet": "has seen nothing yet: it answers as it was born",
    "majority": "has seen one label set only: that is its answer",
    "knn": "asks the nearest neighbours among its last instances",
    "bagging": "asks its bagged logistic regressions",
}


def tree_story_html(learner: str, story: dict[str, Any] | None) -> str:
    """The story of a node of a tree (``MLHAT.describe_node``) as HTML; None: the node has gone."""
    if story is None:
        return (
            '<p class="sl-story-hint">The selected node has gone: a background tree took its place, or was pruned.</p>'
        )
    rule = "".join(f"<li>{escape(test)}</li>" for test in story["rule"]) or "<li>every instance (the root)</li>"
    kind = "leaf" if story["is_leaf"] else f"branch on {story['test']}"
    ghost = ", in a background tree" if story["background"] else ""
    does = f"It {REGIMES[story['regime']]}. " if story["regime"] else ""
    resting = "" if story["active"] or not story["is_leaf"] else "It no longer grows. "
    rows = ", ".join(f"{row:,}" for row in story["last_rows"][-6:])
    return (
        f"<h3>{escape(learner)}, node {story['id']}: {escape(kind)}{ghost}</h3>"
        f"<p>A weight of <b>{story['weight']:,.0f}</b> came here, with <b>{story['n_labelsets']}</b> label sets; "
        f"entropy <b>{story['entropy']:.2f}</b> bits, error <b>{_three(story['error'])}</b>. {does}{resting}"
        f"Born at {story['born_at']:,}{f'; last rows {rows}' if rows else ''}.</p>"
        f"<div class='sl-story-parts'><div><p>An instance comes here if</p><ol>{rule}</ol>"
        f"{_sparkline(story['error_history'])}</div>"
        f"<div>{_race(story['race'])}{_duel(story['duel'])}<p>Labels</p>{_bars(story['labels'])}</div></div>"
    )


def projection_story_html(learner: str, neighbourhood: dict[str, Any] | None, labels: Sequence[str]) -> str:
    """The story of a pinned instance (``BalancedKNN.neighbourhood_of``) as HTML; None: it is no longer kept."""
    if neighbourhood is None:
        return '<p class="sl-story-hint">The pinned instance is no longer kept: newer ones took its place.</p>'
    true, answered = neighbourhood["Y"].astype(bool), neighbourhood["predicted"].astype(bool)

    def named(chosen: Any) -> str:
        names = [escape(name) for name, is_on in zip(labels, chosen, strict=True) if is_on]
        return f"<b>{', '.join(names)}</b>" if names else "none"

    rows = neighbourhood["row"].tolist()
    return (
        f"<h3>{escape(learner)}, instance {neighbourhood['instance'] + 1:,}</h3>"
        f"<p>Right: {named(answered & true)}. False: {named(answered & ~true)}. Missed: {named(true & ~answered)}.</p>"
        f"<p>The classes ask <b>{len(rows)}</b> neighbours, in all <b>{len(set(rows))}</b> instances: one of several "
        "labels is asked by each of its classes. The instance itself is not asked.</p>"
    )


def _race(race: dict[str, Any] | None) -> str:
    """The split race in words."""
    if race is None or race["best"] is None:
        return ""
    second = f", then <b>{escape(race['second'])}</b> with {race['second_gain']:.3f}" if race["second"] else ""
    soon = ""
    if race["instances_until_split"] is not None:
        soon = f" At this rate it splits in about <b>{race['instances_until_split']:,}</b> instances."
    bound = f", bound ε {race['epsilon']:.3f}" if race["epsilon"] is not None else ""
    return (
        f"<p>Split race: <b>{escape(race['best'])}</b> gains {race['gain']:.3f} bits{second}; "
        f"gap {race['gap']:.3f}{bound}. Next attempt in {race['instances_until_attempt']:,}.{soon}</p>"
    )


def _duel(duel: dict[str, Any] | None) -> str:
    """The duel of a node and its alternate in words."""
    if duel is None:
        return ""
    bound = "" if duel["epsilon"] is None else f"; they part at a gap of {duel['epsilon']:.3f}"
    return (
        f"<p>Duel: node {duel['node']} errs <b>{_three(duel['e'])}</b>, background node {duel['alternate']} "
        f"<b>{_three(duel['e_alternate'])}</b>{bound}. Seen by each: {duel['weight']:,.0f} and "
        f"{duel['weight_alternate']:,.0f}.</p>"
    )


def _three(value: float | None) -> str:
    return "–" if value is None or value != value else f"{value:.3f}"


def _bars(labels: list[tuple[str, float]]) -> str:
    return (
        "".join(
            f'<div class="sl-story-bar"><span>{escape(name)}</span><i style="width:{100 * share:.1f}%"></i>'
            f"<b>{100 * share:.0f} %</b></div>"
            for name, share in labels[:6]
        )
        or "<p>none</p>"
    )


def _sparkline(values: list[float]) -> str:
    """The error's course as a small line: 50 instances a step, the newest on the right."""
    if len(values) < 2:
        return ""
    top = max(*values, 1e-9)
    points = " ".join(f"{200 * i / (len(values) - 1):.1f},{36 - 34 * v / top:.1f}" for i, v in enumerate(values))
    return (
        f"<p>Its error, up to {top:.2f}</p><svg viewBox='0 0 200 38' width='100%' height='38' role='img' "
        f"aria-label='error over its last {50 * len(values):,} instances'><polyline points='{points}' fill='none' "
        "stroke='#3D93C4' stroke-width='1.5' vector-effect='non-scaling-stroke'/></svg>"
    )


def story_html(learner: str, story: dict[str, Any] | None) -> str:
    """The story of the selected node (``SMART.describe_node``) as HTML; None: the node has gone."""
    if story is None:
        return '<p class="sl-story-hint">The selected node has faded away: nothing of it is left.</p>'
    rule = "".join(f"<li>{escape(test)}</li>" for test in story["rule"]) or "<li>every instance (the root)</li>"
    return (
        f"<h3>{escape(learner)}, tree {story['tree'] + 1}, depth {story['depth']}</h3>"
        f"<p><b>{story['seen']:,}</b> instances came here; what is left weighs <b>{story['weight']:.3g}</b> "
        f"({100 * story['retained']:.2g} %). The last came <b>{story['age']:,}</b> instances ago. "
        f"On average <b>{story['cardinality']:.2f}</b> labels.</p>"
        f"<div class='sl-story-parts'><div><p>An instance comes here if</p><ol>{rule}</ol></div>"
        f"<div><p>Labels remembered</p>{_bars(story['labels'])}</div></div>"
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
