"""A node's story in words: how an instance gets there and what the node remembers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = [
    "HOW_TO_READ",
    "NO_STORY",
    "STYLE",
    "class_story_html",
    "projection_story_html",
    "story_html",
    "tree_story_html",
]


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
    "hierarchy": """
<div class="sl-story-hint"><h3>How to read the hierarchy</h3>
<p>Each disc is a class. Its colour is how well it and all below it were answered of late (hF, the last 200 instances or
so), its size how many came. Of the latest instance the solid line is the true path, the dashed line the predicted one.
<i>d</i> is the distance to a class where a walk stopped, or at its last step; ≈ marks those about as near.</p>
<p>Click a class, or focus the picture and press Enter, to read its story here.</p></div>
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


def class_story_html(learner: str, story: dict[str, Any] | None) -> str:
    """The story of a class of a hierarchy (``lab.classes.class_story``) as HTML; None: there is no such class."""
    if story is None:
        return '<p class="sl-story-hint">There is no such class.</p>'
    paths = "".join(f"<p>{' › '.join(map(escape, path))}</p>" for path in story["paths"])
    below = f"<p>Below it: {escape(', '.join(story['children']))}.</p>" if story["children"] else ""
    says = {
        (True, True): "The latest instance belongs to it, as predicted.",
        (True, False): "The latest instance belongs to it; that was <b>missed</b>.",
        (False, True): "It was predicted for the latest instance, <b>wrongly</b>.",
    }.get((story["true"], story["predicted"]), "The latest instance has nothing to do with it.")
    return (
        f"<h3>{escape(learner)}: {escape(story['label'])}</h3>{paths}"
        f"<div class='sl-story-parts'><div><p><b>{story['arrivals']:,}</b> came so far; of the recent ones "
        f"<b>{100 * story['share']:.1f} %</b>. hF of late <b>{_three(story['hf'])}</b> (hP {_three(story['hp'])}, hR "
        f"{_three(story['hr'])}), with all below it.</p><p>{says}</p>{below}</div>"
        f"<div>{_window(story)}{_rivals(story)}</div></div>"
    )


def _window(story: dict[str, Any]) -> str:
    """How full a class's window is, and what its detector has seen."""
    if story["window"] is None:
        return ""
    share = min(story["held"] / story["window"], 1.0)
    watched = ""
    if story["watched"]:
        watched = f"<p>Its detector: error {_three(story['error'])} over the last {story['watched']:,} decisions.</p>"
    return (
        f"<p>Its window holds {story['held']:,} of {story['window']:,} examples.</p>"
        f'<div class="sl-story-meter"><i style="width:{100 * share:.1f}%"></i></div>{watched}'
    )


def _rivals(story: dict[str, Any]) -> str:
    """The distances between which a walk that came by decided, the nearest first."""
    if not story["rivals"]:
        if story["window"] is None:
            return "<p>This learner does not walk down the hierarchy: it has no distances to show.</p>"
        return "<p>The latest walk did not come by here: no distance was asked for.</p>"
    most = max(distance for _, distance in story["rivals"]) or 1.0
    rows = "".join(
        f'<div class="sl-story-bar{" sl-own" if name == story["label"] else ""}"><span>{escape(name)}</span>'
        f'<i style="width:{100 * distance / most:.1f}%"></i><b>{distance:.3g}</b></div>'
        for name, distance in story["rivals"][:6]
    )
    return f"<p>Distance to the latest instance, the nearest first</p>{rows}"


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
.sl-story-bar.sl-own{font-weight:600}.sl-story-bar.sl-own i{background:#D55E00}
.sl-story-meter{height:8px;border:1px solid #7F7F7F;border-radius:3px;margin:0 0 6px;max-width:320px}
.sl-story-meter i{display:block;height:100%;background:#3D93C4;min-width:1px}
"""
