"""The learner HoeffdingTrees: a compiled Hoeffding tree for each label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.parameters import kept, like
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import RowLearner, category_counts, check_categories
from streamlab.learners.base.rows_shown import test_in_words
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import Array, Rule, Storage, between, consistent, index_into, moved_places
from streamlab.learners.mlhat.events import EVENTS
from streamlab.learners.mlhat.mlhat import MLHAT
from streamlab.rivals import _hoeffding as kernels
from streamlab.rivals import _hoeffding_rows as rows
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["HoeffdingTrees"]

CLASSES = 2
GROWTH = 1.5

Arrays = Mapping[str, np.ndarray]


def branches(arrays: Arrays) -> np.ndarray:
    return arrays["links"][:, kernels.FEATURE] >= 0


def leaves(arrays: Arrays) -> np.ndarray:
    return ~branches(arrays)


def wrong_children(arrays: Arrays) -> np.ndarray:
    """Flag branches whose children do not come later, name another parent, or are one node."""
    links = arrays["links"]
    own, wrong = np.arange(len(links)), np.zeros(len(links), bool)
    for side in (kernels.LEFT, kernels.RIGHT):
        child = links[:, side]
        inside = (child > own) & (child < len(links))
        wrong |= ~inside | (links[np.where(inside, child, 0), kernels.PARENT] != own)
    return branches(arrays) & (wrong | (links[:, kernels.LEFT] == links[:, kernels.RIGHT]))


def wrong_points(arrays: Arrays) -> np.ndarray:
    """Flag branches on a nominal feature whose point is not a category."""
    links, point = arrays["links"], arrays["values"][:, kernels.POINT]
    if not len(arrays["kinds"]):
        return np.zeros(len(links), bool)
    n = arrays["kinds"][np.where(branches(arrays), links[:, kernels.FEATURE], 0)]
    return branches(arrays) & (n > 0) & ((point < 0) | (point >= n) | (point != np.floor(point)))


def check_points(owner: str, table: Storage, arrays: Arrays, n_categories: np.ndarray) -> None:
    """Raise a ValueError where the test of a branch on a nominal feature asks for no category."""
    wrong = wrong_points({**arrays, "kinds": n_categories})
    if wrong.any():
        s = int(np.argmax(wrong))
        n, point = n_categories[arrays["links"][s, kernels.FEATURE]], arrays["values"][s, kernels.POINT]
        where = table.key_of(table.arrays["values"])
        raise contradiction(owner, f"{where} row {s} is {point}; expected the index of a category, 0 to {n - 1}")


def node_rules(features: str) -> tuple[Rule, ...]:
    """Return the rules of ``links`` whose first columns are a forest's: trees that a kernel can follow."""
    return (
        index_into(features, none=-1, columns=kernels.FEATURE),
        index_into("nodes", none=-1, columns=(kernels.LEFT, kernels.RIGHT, kernels.PARENT)),
        between(0, columns=kernels.DEPTH),
        index_into("slots", columns=kernels.SLOT, where=leaves, once=True),
        consistent(wrong_children, "two later nodes that name this one", kernels.LEFT),
    )


def forest_arrays(
    trees: str, roots: Rule, classes: int | str, features: str = "features", numeric: str = "features",
    values: tuple[Rule, ...] = (),
) -> tuple[Array, ...]:  # fmt: skip
    """Return the table of a ``Forest``'s arrays with these names of its dimensions.

    ``roots`` and ``values`` are the rules of these arrays, and ``numeric`` are the features that have moments.
    """
    return (
        Array("roots", (trees,), np.int64, fill=-1, rules=(roots,)),
        Array("links", ("nodes", kernels.N_LINKS), np.int64, rules=(
            *node_rules(features), index_into(trees, columns=kernels.TREE),
        )),
        Array("values", ("nodes", kernels.N_VALUES), finite=True, rules=values),
        Array("weights", ("slots", classes), finite=True),
        Array("right", ("slots", 2), finite=True),
        Array("moments", ("slots", numeric, classes, kernels.N_MOMENTS), finite=True),
        Array("bells", ("slots", numeric, classes, 2), saved=False),
        Array("tallies", ("slots", "categories", classes), finite=True),
    )  # fmt: skip


def forest_of(arrays: Arrays, cursor: np.ndarray, events: np.ndarray) -> kernels.Forest:
    """Return what kernels take, of the arrays of a table whose ``kinds`` are the categories of each feature."""
    kinds = arrays["kinds"]
    return kernels.Forest(
        **{name: arrays[name] for name in kernels.KEPT},
        n_categories=kinds, first_category=np.cumsum(kinds) - kinds, cursor=cursor, events=events,
    )  # fmt: skip


def used_of(cursor: np.ndarray) -> dict[str, int]:
    """Return how many nodes and slots are in use."""
    return {"nodes": int(cursor[kernels.NODES]), "slots": int(cursor[kernels.SLOTS])}


def stored_room(owner: str, state: State, prefix: str = "") -> dict[str, int]:
    """Return how many nodes and slots a state has that is not yet checked."""
    return {name: stored_length(owner, state, prefix + key) for name, key in (("nodes", "links"), ("slots", "weights"))}


def longer(sizes: Mapping[str, int], needed: Mapping[str, int]) -> dict[str, int]:
    """Return new lengths of the dimensions that are not as long as is needed, with a reserve."""
    return {name: max(n, int(GROWTH * sizes[name])) for name, n in needed.items() if n > sizes[name]}


def needed_of(cursor: np.ndarray, n_trees: int) -> dict[str, int]:
    """Return how many nodes and slots there have to be for the next row: each tree may split."""
    return {"nodes": int(cursor[kernels.NODES]) + 2 * n_trees, "slots": int(cursor[kernels.SLOTS]) + n_trees}


POINTS_OF_CATEGORIES = (consistent(wrong_points, "a category's index", kernels.POINT),)
"""The rule of ``values`` where ``kinds`` is in the same table."""


class HoeffdingTrees(Deciding, RowLearner):
    """A Hoeffding tree for each label (binary relevance), compiled; leaves answer by naive Bayes or by majority.

    What ``"HT one per label"`` does with River's trees, a hundred times as fast, and with a flat state.

    Parameters
    ----------
    tau
        A leaf also splits when the bound is below ``tau`` (bits) and there is any gain.
    min_branch_fraction
        Share of the weight that each side of a split must exceed.
    max_share_to_split
        A leaf does not try to split while one class has more than this share of it.
    decision
        Which labels are answered: ``"half"`` (default: those likelier than not), ``"cardinality"`` or ``"balanced"``;
        see ``Deciding``.

    Notes
    -----
    Rows are learned one after the other, within a chunk too, so the chunk size has no effect. A leaf answers by naive
    Bayes or by its majority, whichever has been right for more rows of this leaf. Missing values are left out of all
    statistics; at a branch they take the side that has seen more. A nominal feature splits into one category and the
    rest. A label that appears later gets a tree without a history.

    Sources
    -------
    P. Domingos, G. Hulten: "Mining high-speed data streams", 2000; River's ``HoeffdingTreeClassifier``. Departures from
    River: not to split counts as a test with a gain of 0; a leaf of one class waits, where River's stops for good;
    nominal features have tests of equality and Laplace's estimate; of equal classes "absent" comes first.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> scores, labels = HoeffdingTrees().test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.9
    True
    """

    line: ClassVar[str] = "A tree for each label; curve only. Medium."
    papers: ClassVar[tuple[str, ...]] = ("domingos2000mining",)
    compile_seconds: ClassVar[float] = 9.0
    _quick: ClassVar = {}
    events: ClassVar[dict[str, EventKind]] = {"split": EVENTS["split"]}
    grace_period: int = like(MLHAT, default=200)
    delta: float = like(MLHAT, default=1e-7)
    tau: float = like(MLHAT, default=0.05)
    n_split_points: int = like(MLHAT, default=10, kw_only=True)
    min_branch_fraction: float = like(MLHAT, default=0.01, kw_only=True)
    max_share_to_split: float = like(MLHAT, default=0.99, kw_only=True)
    max_depth: int | None = like(MLHAT, default=None, kw_only=True)
    storage: ClassVar[Storage] = Deciding.storage + Storage(
        *forest_arrays("labels", index_into("nodes"), CLASSES, values=POINTS_OF_CATEGORIES)
    )

    _n_seen: int = kept(low=0)
    _kinds: np.ndarray = kept("features", dtype=np.int64, key="n_categories")

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        self._cursor = np.zeros(kernels.N_CURSOR, np.int64)
        self._noted = np.zeros((0, kernels.N_EVENT))
        self._room = {"nodes": 0, "slots": 0}
        super()._reset()

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"categories": int(category_counts(self._features).sum())} | self._room

    def _used(self) -> dict[str, int]:
        return used_of(self._cursor)

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        self._room = stored_room(type(self).__name__, state)
        return self._sizes(), {}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        check_categories(type(self).__name__, "n_categories", self._kinds, category_counts(self._features))
        self._noted = np.zeros((2 * len(self._labels), kernels.N_EVENT))
        forest = self._forest()
        self._cursor[:] = len(forest.links), len(forest.weights), self._n_seen, 0
        kernels.set_bells(forest.moments, forest.bells)

    def _grown(self, n_features: int, n_labels: int) -> None:
        categories = category_counts(self._features)
        more, used = len(self._labels) - n_labels, self._used()
        self._room = {name: max(n, used[name] + more) for name, n in self._room.items()}
        places = {"categories": moved_places(self._kinds, categories)}
        self._take(self.storage.resize(self._kept(), self._sizes(), places))
        self._kinds = categories
        self._noted = np.zeros((2 * len(self._labels), kernels.N_EVENT))
        forest = self._forest()
        for tree in range(n_labels, len(self._labels)):
            kernels.new_root(forest, tree)

    def _forest(self) -> kernels.Forest:
        return forest_of(self._kept(), self._cursor, self._noted)

    def _settings(self) -> np.ndarray:
        return settings_of(self)

    # ------------------------------------------------------------------ learning

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        # each tree by itself, of the features as they come
        own = self._forest(), np.arange(len(self._labels)), np.arange(len(self._features))
        if not len(Y):
            rows.answer(*own, X, scores, labels)
            return len(X)
        row = int(rows.run(*own, X, Y, np.ones(len(X)), start, True, self._settings(), scores, labels))
        self._describe()
        self._n_seen = int(self._cursor[kernels.POSITION])
        return row

    def _make_room(self, X: Any) -> None:
        self._room |= longer(self._room, needed_of(self._cursor, len(self._labels)))
        self._take(self.storage.resize(self._kept(), self._sizes()))

    # ------------------------------------------------------------------ events and nodes

    def _describe(self) -> None:
        for row in self._noted[: int(self._cursor[kernels.N_EVENTS])].tolist():
            label = self._labels[int(row[0])]
            self._events.append(split_in_words(row, self._features, f"{label}: node {row[1]:.0f}", label=label))
        self._cursor[kernels.N_EVENTS] = 0

    def nodes(self) -> pd.DataFrame:
        """Return a table with one row per node of all trees.

        Columns: ``id`` (index), ``label``, ``parent`` (id, -1 for a root), ``is_leaf``, ``depth``, ``feature``,
        ``threshold`` (or the category's index), ``weight`` (rows that came), ``share`` (of class 1 in a leaf) and
        ``answers_by`` (``"naive Bayes"`` or ``"majority"``).
        """
        import pandas as pd

        n, forest = int(self._cursor[kernels.NODES]), self._forest()
        links, values = forest.links[:n], forest.values[:n]
        is_leaf = links[:, kernels.FEATURE] < 0
        slots = np.where(is_leaf, links[:, kernels.SLOT], 0)
        weights, right = forest.weights[slots], forest.right[slots]
        share = weights[:, 1] / np.maximum(weights.sum(axis=1), 1e-300)
        names = np.array([*(feature.name for feature in self._features), None], dtype=object)
        by_bayes = right[:, kernels.BY_BAYES] >= right[:, kernels.BY_MAJORITY]
        labels = np.array([*self._labels, None], dtype=object)
        return pd.DataFrame(
            {
                "id": np.arange(n),
                "label": labels[links[:, kernels.TREE]],
                "parent": links[:, kernels.PARENT],
                "is_leaf": is_leaf,
                "depth": links[:, kernels.DEPTH],
                "feature": names[links[:, kernels.FEATURE]],
                "threshold": np.where(is_leaf, math.nan, values[:, kernels.POINT]),
                "weight": values[:, kernels.SEEN],
                "share": np.where(is_leaf, share, math.nan),
                "answers_by": np.where(is_leaf, np.where(by_bayes, "naive Bayes", "majority"), np.array(None)),
            }
        ).set_index("id")


def split_in_words(row: Sequence[float], features: Sequence[Feature], where: str, **more: Any) -> dict[str, Any]:
    """Return a row of the forest's log as an event with ``more`` in it; ``where`` begins its message."""
    _, node, position, f, point, gain, second, epsilon, weight = row
    feature = features[int(f)]
    return {
        "kind": "split",
        "message": f"{where} split on {test_in_words(feature, point, True)} after a weight of {weight:,.0f}",
        **more,
        "node": int(node),
        "position": int(position),
        "feature": feature.name,
        "gain": gain,
        "second_gain": second,
        "epsilon": epsilon,
        "weight": weight,
    }


def settings_of(own: Any, **others: Any) -> np.ndarray:
    """Return the parameters of trees as kernels take them: ``others``, or those of ``own``, or HoeffdingTrees' own."""
    declared = HoeffdingTrees.parameters
    values = {name: getattr(own, name, declared[name].default) for name in kernels.SETTINGS} | others
    return np.array([declared[name].number(values[name]) for name in kernels.SETTINGS], np.float64)
