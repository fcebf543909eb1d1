"""The picture of a growing Hoeffding tree: its tests, its leaves, and alternates as ghosts beside their rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param
from numpy.typing import NDArray

from streamlab._checks import counted
from streamlab.schema import NumberedFeatures
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import bundled
from streamlab.views.kit.details import bars, hint, how_to_read, number, tests
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, as_html, roughly, shown
from streamlab.views.kit.tree_layout import FoldingView
from streamlab.views.pictures.tree.note import PROMOTED, why_html
from streamlab.views.timeline.bands import hue_of

if TYPE_CHECKING:
    from streamlab.lab.events import Event
    from streamlab.schema import Schema


TREE_NODES = ColumnTable(
    "node",
    Column("id", "id", "never reused"),
    Column("x", "f4", "place across, in node distances; 0 at the root", made=True),
    Column("y", "u2", "rows below the root", made=True),
    Column("parent", "i2", "place of the parent in these columns, -1 for a root", made=True),
    Column("rival", "i2", "place of the node that an alternate's root competes with, else -1", made=True),
    Column("folded", "u4", "nodes below it that are not drawn", made=True),
    Column("depth", "u2", "0 for the root"),
    Column("feature", "f4", "index of the feature tested, -1 without a test"),
    Column("threshold", "f4", "number, or index of a category; left if at most that, or equal to it"),
    Column("weight", "f4", "instances"),
    Column("weight_recent", "f4", "recent instances"),
    Column("error", "f4", "0..1, NaN while it is not known"),
    Column("entropy", "f4", "of the labels, bits"),
    Column("n_labelsets", "u4", "label sets seen"),
    Column(
        "regime",
        "u1",
        "how a leaf predicts: 0 not yet, 1 majority, 2 neighbours, 3 bagging, 4 pruned sets, 5 models, 6 naive Bayes",
    ),
    Column("top", "i2", "index of the commonest label, -1 for none"),
    Column("is_leaf", "flag", "without a test"),
    Column("background", "flag", "of an alternate"),
    Column("is_nominal", "flag", "whether its test is of a nominal feature"),
    Column("active", "flag", "whether a leaf still looks for a test"),
    Column("share_first", "f4", "0..1, share of the first of the two answers mixed; NaN for none", optional=True),
    Column("loss_first", "f4", "0..1, faded loss of the first answer", optional=True),
    Column("loss_second", "f4", "0..1, faded loss of the second answer", optional=True),
    Column("readiness", "f4", "0..1, share of the evidence that a leaf's split takes; NaN: not known", optional=True),
    Column("second", "flag", "on the right of its parent", made=True),
    Column("collapsed", "flag", "folded by the user", made=True),
)
"""52 bytes a node travel, 56 once an id exceeds 32 bits; 12 more where nodes mix two answers, 4 where leaves know
when they split."""


class TreeView(FoldingView):
    """A growing Hoeffding tree: its tests, its leaves with their error, and alternates as ghosts beside their rivals.

    Nodes keep their identity and glide to new places. A leaf's dot tells its error, if that is much, a ring how near
    the next split is; an edge is as wide as its weight. Where nodes mix their answers, a bar at each shows its part in
    the answer to a row that comes there. Hover describes a node, a click or Enter selects it, a double click or the key
    C folds what is below it. Drag moves the picture; the buttons, or the wheel with Ctrl, zoom.

    ``show`` takes a row per node with the columns of ``TREE_NODES`` and those of ``tree_layout``, and in
    ``drawn.extra`` the names of the ``features`` by index; the place of the learner's
    colour, ``hue``; in ``wait`` which ``leaf`` splits
    ``next``, and when; in ``way`` which nodes answered the latest row, [id, share]; in ``replaced`` the branches that
    took another's place, [id, row of the stream].
    """

    features = param.List(default=[], item_type=str, doc="Feature names, by index; set by show().")

    categories = param.List(
        default=[], doc="By feature index: the list of that feature's category names, or None; may be short or empty."
    )

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    table = TREE_NODES

    _bundle = bundled("tree")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the tree; see :meth:`FoldingView.show`. Feature names travel when they have changed."""
        names = all_shown(drawn.extra.get("features", self.features))
        extra = {
            name: drawn.extra[name] for name in ("hue", "wait", "replaced", "way", "answer") if name in drawn.extra
        }
        # alternates are no part of the tree yet
        n_nodes = len(drawn.columns.get("id", ())) - int(np.count_nonzero(drawn.columns.get("background", ())))
        self._keep(drawn.columns, {**self._header(drawn, playing), "n_nodes": n_nodes, **extra})
        if names != self.features:
            self.features = names

    @classmethod
    def _travelling(
        cls, columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        return super()._travelling(columns, nodes) | {"second": columns["branch"][nodes["row"]] == 1}


@runtime_checkable
class Tree(Protocol):
    """What a learner has to be drawn as a tree.

    ``answer_parts`` too if it tells which nodes answer.
    """

    @property
    def schema(self) -> Schema:
        """The columns known so far: a test names one of its features."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what is drawn, a row per node: the columns that the picture's table declares."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if it has gone."""


class TreePicture(Picture):
    """A growing Hoeffding tree. The learner has ``node_columns`` and ``describe_node``, as ``MLHAT`` has them.

    Of a learner that mixes two answers in a node, as ``HedgedMLHAT`` does, it also draws the mix.
    """

    contract: ClassVar[type] = Tree
    name: ClassVar[str] = "tree"
    title: ClassVar[str] = "Tree"
    order: ClassVar[int] = 25
    help: ClassVar[str] = how_to_read(
        "How to read the tree",
        "An instance passes the tests from the top down, to the left where one holds, to a leaf, which answers; the "
        "black way is that of the latest row. A leaf that errs much has a dot as large as its error; the more rows "
        "passed an edge the wider it is. Dashed beside a node grows an alternate: a second tree, from when the branch "
        "errs more, that takes over if it errs less. The ring of the leaf that splits next fills with the evidence for "
        "that: it splits when the ring is full, if the lead of its best test stays what it is.",
        "In a hedged tree all nodes on a row's way answer, not the leaf alone: the bar of each shows its part.",
        act="Click a node, or focus the picture and press Enter, to read about it here.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Tree", subject.learner)
        story = None if selection is None else learner.describe_node(selection)
        columns = learner.node_columns()
        # the learner's own: a stream's rows may bring features that were not known at the beginning. Up to the last
        # one that is tested: of hashed text there are a quarter of a million
        last = int(columns["feature"].max(initial=-1))
        extra: dict[str, Any] = {
            "features": [feature.name for feature in learner.schema.features[: last + 1]],
            # of an expert it is that of its council's curve
            "hue": hue_of(subject.run.learner_runs, subject.owner),
        }
        if (wait := waiting(learner, columns)) is not None:
            extra["wait"] = wait
        if subject.run.last is not None and hasattr(learner, "answer_parts"):
            extra["way"] = [[*each] for each in learner.answer_parts(subject.run.last[0])]
            answered = getattr(subject.run.learner_runs.get(subject.name), "last_labels", None)
            extra["answer"] = [] if answered is None else np.flatnonzero(answered).tolist()
        if replaced := [[*each] for each in replaced_since_drift(subject) if each[0] in columns["id"]]:
            extra["replaced"] = replaced
        return Drawn(
            subject.name, subject.run.position, columns | mixture_columns(columns) | _errors(columns), extra, story
        )

    def view(self, schema: Schema, **options: Any) -> TreeView:
        numbered = isinstance(schema.features, NumberedFeatures)
        nominal = [] if numbered else [place for place, f in enumerate(schema.features) if f.categories is not None]
        categories: list[list[str] | None] = [None] * (max(nominal, default=-1) + 1)
        for place in nominal:
            categories[place] = [shown(name) for name in schema.features[place].categories or ()]
        return TreeView(labels=list(schema.labels), categories=categories, **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return tree_details(subject, story)

    def note(
        self, subject: str, selected: Any, story: Mapping[str, Any] | None, schema: Schema, happened: Sequence[Event]
    ) -> str:
        return tree_details(subject, story, selected, happened)


def _errors(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the errors that leaves show, their recent ones where those are known; duels are judged by all."""
    if "error_recent" not in columns:
        return {}
    duels = columns["background"] | np.isin(columns["id"], columns["competes_with"])
    return {"error": np.where(columns["is_leaf"] & ~duels, columns["error_recent"], columns["error"])}


def replaced_since_drift(subject: Subject) -> list[tuple[int, int]]:
    """Return the alternates that took a branch's place since the latest drift, (id, row), of the latest events."""
    log = subject.run.log
    found: list[tuple[int, int]] = []
    for event in reversed(log.since(log.next_number - MOST_EVENTS)):
        if event.kind == "drift" and not event.learner:
            return found
        if event.kind == PROMOTED and event.learner == subject.name:
            found.append((event.detail["alternate"], event.position))
    return []


def waiting(learner: Any, columns: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return which leaf splits next, and when, as ``describe_node`` has its ``race``.

    Returns
    -------
    dict
        ``leaf``, its id, and in words ``next``; empty where that is not known yet. None for a learner that does not
        tell it.
    """
    if "readiness" not in columns:
        return None
    ready = np.where(np.asarray(columns["background"], bool), np.nan, columns["readiness"])
    if np.isnan(ready).all():
        return {}
    leaf = int(np.asarray(columns["id"])[int(np.nanargmax(ready))])
    race = learner.describe_node(leaf)["race"]
    return {"leaf": leaf, "next": counted(roughly(race["instances_until_split"]), "row")}


MOST_NAMES = 12
LATEST = 4
"""Means of 50 instances that say how often a leaf errs lately."""
MOST_EVENTS = 500
"""So many of a run's latest events are looked through for branches that were replaced."""
REGIMES = {
    "none yet": "has seen nothing yet: it answers as it did when it began",
    "majority": "has seen one label set only: that is its answer",
    "majority class": "answers with its most frequent class",
    "most frequent": "answers with its most frequent label set",
    "knn": "asks the nearest neighbours among its last instances",
    "bagging": "asks its bagged logistic regressions",
    "pruned sets": "answers with the most probable of the label sets that it keeps",
    "models": "answers by a model for each label",
    "naive Bayes": "answers by naive Bayes: the class for which the row's values are most usual",
}


def tree_details(
    subject: str, story: Mapping[str, Any] | None, selected: int = -1, happened: Sequence[Event] = ()
) -> str:
    """Return what ``describe_node`` of a tree, such as ``MLHAT``, says as HTML.

    Parameters
    ----------
    subject
        Its name.
    story
        What it says; None: the node has gone.
    selected, happened
        As ``Picture.note`` has them.
    """
    why = why_html(selected if story is None else story["id"], story, happened)
    if story is None:
        gone = hint("The selected node has gone: what was above it was replaced, or pruned.")
        return f"<h3>{as_html(subject)}, node {selected}: replaced</h3>{why}" if why else gone
    kind = "leaf" if story["is_leaf"] else f"branch on {story['test']}"
    ghost = ", in an alternate" if story["background"] else ""
    mixture = mixture_html(story)
    answers = story["regime"] and not mixture
    does = f"It {REGIMES.get(story['regime'], 'answers: ' + str(story['regime']))}. " if answers else ""
    resting = "" if story["active"] or not story["is_leaf"] else "It no longer grows. "
    # a learner that does not count label sets has none
    sets = f", with <b>{story['n_labelsets']}</b> label sets" if story["n_labelsets"] else ""
    rows = ", ".join(f"{row:,}" for row in story["last_rows"][-6:])
    latest = story["error_history"][-LATEST:]
    recent = f", lately <b>{number(float(np.mean(latest)))}</b>" if latest else ""
    # River does not keep when a node began
    began = "" if story["born_at"] is None else f"It began at {story['born_at']:,}"
    began += f"; its last rows are {rows}." if rows else "." if began else ""
    return (
        f"<h3>{as_html(subject)}, node {story['id']}: {as_html(kind)}{ghost}</h3>{why}"
        f"<p>A weight of <b>{story['weight']:,.0f}</b> came here{sets}; "
        f"entropy <b>{story['entropy']:.2f}</b> bits, error <b>{number(story['error'])}</b>{recent}. "
        f"{as_html(does, MOST_MESSAGE)}{resting}"
        f"{began}</p>{mixture}"
        f"<div class='sl-details-parts'><div><p>An instance comes here if</p><ol>{tests(story['rule'])}</ol>"
        f"{_sparkline(story['error_history'])}{_pruned_sets(story.get('pruned_sets'))}{_label_sets(story)}"
        f"{_by_mean(story)}</div><div>{_merits(story.get('merits'))}<p>Labels</p>{bars(story['labels'])}</div></div>"
    )


def _label_sets(story: Mapping[str, Any]) -> str:
    """Tell the label sets of a leaf that answers with the most frequent one."""
    if story["regime"] != "most frequent" or not story["labelsets"]:
        return ""
    sets = [(", ".join(names) or "no label", weight / story["weight"]) for names, weight in story["labelsets"]]
    return f"<p>Its label sets; the first is its answer</p>{bars(sets)}"


def _pruned_sets(own: Mapping[str, Any] | None) -> str:
    """Tell the label sets that a leaf chooses from, or how far its buffer is filled."""
    if own is None:
        return ""
    if not own["chosen"]:
        waits = f"its buffer has <b>{own['rows']:,} of {own['buffer']:,}</b> rows"
        return f"<p>It chooses its label sets when the buffer is full: {waits}.</p>"
    n, shown = own["n_sets"], len(own["sets"])
    first = f", the first {shown}" if n > shown else ""
    leaves = own["base_leaves"]
    base = f"a tree of {leaves:,} leaves chooses" if leaves > 1 else "naive Bayes or the majority chooses"
    return (
        f"<p>Label sets it chooses from: <b>{n:,}</b>{first}. Here {base}; <b>{own['left_out']:.0%}</b> of its rows "
        "had another one and were left out.</p>"
        f"{bars([(', '.join(names) or 'no label', share) for names, share in own['sets']])}"
    )


def _merits(attempt: Mapping[str, Any] | None) -> str:
    """Say which feature a leaf may split on next, where merits are compared by their ratio."""
    if attempt is None:
        return ""
    second = "no other takes any"
    if attempt["second"] and attempt["ratio"] > 0:
        second = f"the next best, <b>{as_html(attempt['second'])}</b>, {attempt['ratio']:.0%} of that"
    return (
        f"<p>Next split: <b>{as_html(attempt['best'])}</b> takes {attempt['merit']:.4f} of the labels’ variance away, "
        f"{second}; below {max(1 - attempt['epsilon'], 0):.0%} it splits. Next attempt after a weight of "
        f"{attempt['next_attempt_in']:,.0f}.</p>"
    )


def _by_mean(story: Mapping[str, Any]) -> str:
    """Tell which labels a leaf answers with their mean, where it chooses between mean and model."""
    names = story.get("by_mean")
    if names is None or story["regime"] == "none yet":
        return ""
    if not names:
        return "<p>Its models have erred less for all labels.</p>"
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    some = as_html(", ".join(names[:MOST_NAMES]) + more, MOST_MESSAGE)
    return f"<p>The mean has erred less than the model for <b>{len(names):,}</b>: {some}.</p>"


def _sparkline(values: Sequence[float]) -> str:
    """Return the error's course as a small line: 50 instances a step, the newest on the right."""
    if len(values) < 2:
        return ""
    top = max(*values, 1e-9)
    points = " ".join(f"{200 * i / (len(values) - 1):.1f},{36 - 34 * v / top:.1f}" for i, v in enumerate(values))
    return (
        f"<p>Its error, up to {top:.2f}</p><svg viewBox='0 0 200 38' width='100%' height='38' role='img' "
        f"aria-label='error over its last {50 * len(values):,} instances'><polyline points='{points}' fill='none' "
        "stroke='#3D93C4' stroke-width='1.5' vector-effect='non-scaling-stroke'/></svg>"
    )


MIXING = ("knn", "bagging")
"""How leaves answer that mix; the others have nothing to mix yet."""
MIXING_CODES = (2, 3)


def mixture_columns(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return what two answers each node mixes, out of the ``node_columns`` of a learner.

    Parameters
    ----------
    columns
        Columns of ``HedgedMLHAT``; of a learner that mixes nothing, those without ``share_own``.

    Returns
    -------
    columns
        ``share_first``, ``loss_first`` and ``loss_second`` per node: in a branch the first answer is its own and the
        second the one from below, in a leaf the first is that of its neighbours and the second that of its
        regressions. NaN where nothing is mixed. Empty for a learner that mixes nothing.
    """
    if "share_own" not in columns:
        return {}
    is_leaf = np.asarray(columns["is_leaf"])
    mixes = ~is_leaf | np.isin(columns["regime"], MIXING_CODES)

    def of(leaf: str, branch: str) -> NDArray[Any]:
        return np.where(mixes, np.where(is_leaf, columns[leaf], columns[branch]), np.nan)

    return {
        "share_first": of("share_neighbours", "share_own"),
        "loss_first": of("loss_neighbours", "loss_own"),
        "loss_second": of("loss_regressions", "loss_below"),
    }


def mixture_html(story: Mapping[str, Any]) -> str:
    """Return what ``describe_node`` of a hedged tree says of the two answers, as HTML; "" where nothing is mixed."""
    if "hedge" not in story or (story["is_leaf"] and story["regime"] not in MIXING):
        return ""
    hedge = story["hedge"]
    if hedge is None:
        return "<p>It keeps no regressions of its own: it passes on what is below.</p>"
    says, parts = "It trusts itself <b>{}</b>, what is below <b>{}</b>", ("itself", "what is below")
    if story["is_leaf"]:
        says = "It mixes its neighbours, <b>{}</b>, with its regressions, <b>{}</b>"
        parts = ("neighbours", "regressions")
    # in their order: the share of the first, its loss, that of the second
    share, *losses = hedge.values()
    first = round(100 * share)
    sentence = says.format(f"{first} %", f"{100 - first} %")
    return (
        f"<p>{sentence}; losses <b>{losses[0]:.2f}</b> and <b>{losses[1]:.2f}</b> (1 − F1 of recent instances; "
        f"the less an answer loses, the more it counts).</p>{bars([(parts[0], share), (parts[1], 1 - share)])}"
    )
