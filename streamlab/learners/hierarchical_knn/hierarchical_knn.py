"""The learner HierarchicalKNN: parameters, detectors, events in words, its classes as a table."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab._checks import caller, counted
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows_shown import table_of
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Storage
from streamlab.learners.hierarchical_knn import _descent as kernels
from streamlab.learners.hierarchical_knn._descent import Hierarchies
from streamlab.learners.hierarchical_knn._windows import numbers_of_examples
from streamlab.learners.hierarchical_knn.windowed import (
    DISTANCES,
    PIECE,
    RECORDS,
    SIGHT,
    Records,
    Sight,
    WindowedKNN,
)
from streamlab.schema import Hierarchy, Schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HierarchicalKNN"]

WINDOW_OF = ("path", "node")
FLAT = "the labels have no hierarchy: it is a flat kNN here, which answers the nearest class"


class HierarchicalKNN(WindowedKNN):
    """Nearest neighbours from the top of a label hierarchy down: at each class on to the child that is nearest.

    The most recent examples of each complete path are kept; a class has those of all paths that end at it or below it.
    A query starts above the top-level classes; of the children of where it is it takes the average distance to the
    ``n_neighbors`` nearest examples of each, and goes on to the child with the smallest. Where the children's
    distances, divided by the largest, lie within ``reliability`` of the smallest, it stops: a label set that is general
    but right.

    Parameters
    ----------
    n_neighbors
        Neighbours asked of each class (k).
    reliability
        Threshold δ from 0 to 1: more stops higher up, 0 only at an exact tie.
    window
        Examples kept of each path, or of each class (η). Tunable: shrinking drops the oldest.
    window_of
        Of what ``window`` examples are kept. ``"path"``: of each class in which paths end, by the examples that end
        there; a class above has all that those below it keep, each once. ``"node"``: of each class by itself, so that a
        large family forgets its members early.
    distance
        ``"euclidean"`` or ``"manhattan"``.
    multi_path
        None: one path is followed. A number from 0 to 1: each child whose normalised distance (divided by the largest,
        less the smallest) is at most this is followed, and ``reliability`` has no effect.
    drift_delta
        Confidence of an ADWIN detector at each class; None: no detectors. A detector is fed 1 for
        a wrong and 0 for a right decision, of each instance that belongs to the class or was predicted to, where the
        descent came as far as to compare the class at all. If its mean rises, the oldest half of the class's window is
        dropped, by paths that of each path through it, with an event of the kind ``"drift"``.
    dag
        Whether a label path may put a known label under a second parent. The schema's hierarchy may be a directed
        acyclic graph in any case; the labels predicted are then those passed, with all their ancestors.

    Attributes
    ----------
    now
        Instances learned.
    n_examples
        Examples in the store, each of which is there once, however many windows hold it.

    Notes
    -----
    Rows are learned one after the other, also within a chunk: how calls are cut has no effect. Learning predicts first,
    so that the records of each class and the detectors see an instance before its labels; what ``nodes`` says of the
    last query is about the last instance learned.

    A missing value is left out of a distance, which is scaled up by features / features present in both; an example
    that shares no feature with the query is passed over. A nominal feature adds 0 or 1 to a distance (squared, where
    the distance is euclidean). Features are taken as they are: scaling them is up to the caller.

    The score of a class is the score of its parent (1 above the top) times its share of the inverse average distances
    of the children compared; of several ways to it the best. Classes that were not compared have 0.

    An instance without labels is learned by no class. Where the labels have no hierarchy there is nothing to go down,
    and the nearest class is the answer, as of a flat kNN: a UserWarning says so when it is bound.

    Sources
    -------
    A. R. S. Parmezan, V. M. A. Souza, G. E. A. P. A. Batista: "Towards hierarchical classification of data streams",
    CIARP 2018, algorithm 1, section 3; section 4: "the class is a set of labels that represents a complete path". What
    has several paths enters the window of each. Beyond it, two of them named in its section 6: delayed labels,
    detectors, several paths, acyclic graphs, missing values and scores. Fewer than k examples: the average of those
    there are.

    Examples
    --------
    >>> model = HierarchicalKNN(n_neighbors=1)
    >>> for size, path in ((1.0, "animal/cat"), (2.0, "animal/dog"), (9.0, "plant/tree")):
    ...     model.learn_one({"size": size}, path)
    >>> model.predict_path_one({"size": 1.2})
    ('animal', 'cat')
    """

    line: ClassVar[str] = "Nearest neighbours from the top class down: see the way. Fast."
    papers: ClassVar[tuple[str, ...]] = ("parmezan2019hierarchical",)
    picture: ClassVar[str] = "hierarchy"
    groups: ClassVar[tuple[Storage, ...]] = (*WindowedKNN.groups, SIGHT, RECORDS)
    _quick: ClassVar = {"window": 2, "drift_delta": 0.5}
    events: ClassVar[dict[str, EventKind]] = WindowedKNN.events | {
        "drift": EventKind(
            "A drift at a class",
            "The detector (ADWIN) of this class saw its error rise: the oldest half of its examples is dropped.",
            {
                "before": "error before",
                "after": "error since",
                "dropped": "examples dropped",
                "kept": "examples kept",
            },
            is_detection=True,
            source="own detectors",
            did="dropped old examples",
        )
    }
    reliability: float = tunable(
        0.0, 1.0, default=0.0, limit=1.0, help="More: stop higher up where the children are about as near.",
    )  # fmt: skip
    multi_path: float | None = tunable(
        0.0, 1.0, default=None, limit=1.0, none="one path", title="Several paths",
        help="Follow each child that is so near to the nearest, rather than one.",
    )  # fmt: skip
    drift_delta: float | None = parameter(1e-300, 1.0, default=None, limit=1 - 1e-9)
    window_of: str = parameter(default="path", choices=WINDOW_OF)

    @property
    def remark(self) -> str:
        """That there is no hierarchy to go down, where its labels have none; else ""."""
        return FLAT if self._labels and self._hierarchy is None else ""

    def _take_columns(self, features: Any, labels: Any, names: Any, hierarchy: Hierarchy | None, bound: bool) -> None:
        had_labels = bool(self._labels)
        super()._take_columns(features, labels, names, hierarchy, bound)
        if self.remark and not had_labels:
            warnings.warn(f"HierarchicalKNN: {FLAT}; sl.load(..., hierarchy='/') says of one", stacklevel=caller())

    @staticmethod
    def _try_out(model: Learner) -> None:
        model.bind(replace(Schema.anonymous(2, 2), hierarchy=Hierarchy((-1, -1))))
        Learner._try_out(model)

    def _try_further(self, X: np.ndarray) -> None:
        self.node_columns()
        super()._try_further(X)

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        super()._reset()
        self._sight = Sight(**SIGHT.allocate(self._sizes()))
        self._records = Records(**RECORDS.allocate(self._sizes()))
        self._hierarchies: Hierarchies | None = None

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"watched": 0 if self.drift_delta is None else len(self._labels)}

    def _hierarchy_changed(self) -> None:
        self._hierarchies = None
        self._records = self._records.replaced(**RECORDS.resize(self._records.asdict(), self._sizes()))
        self._sight = self._sight.replaced(**SIGHT.resize(self._sight.asdict(), self._sizes()))

    def _arrays(self) -> Hierarchies:
        if self._hierarchies is None:
            tree = self._tree
            n = len(tree)
            below = [tree.children(c) for c in (*range(n), -1)]
            first = np.concatenate([[0], np.cumsum([len(children) for children in below])]).astype(np.int64)
            flat = np.array([c for children in below for c in children], np.int64)
            # by paths a class has what those below it hold, itself included
            holders = tree.above.T if self.window_of == "path" else np.eye(n, dtype=np.bool_)
            bounds = np.concatenate([[0], np.cumsum(holders.sum(axis=1))]).astype(np.int64)
            self._hierarchies = Hierarchies(
                first=first, below=flat, above=tree.above.astype(np.uint8),
                order=np.array([n, *tree.order], np.int64),
                first_holder=bounds, holders=np.nonzero(holders)[1].astype(np.int64),
            )  # fmt: skip
            # what is only predicted leaves no trace in the sight of what was learned
            self._asked = Sight(**SIGHT.allocate(self._sizes()))
        return self._hierarchies

    def _places_of_class(self, c: int) -> np.ndarray:
        tree = self._arrays()
        windows = [self._places(w) for w in tree.holders[tree.first_holder[c] : tree.first_holder[c + 1]].tolist()]
        places = np.concatenate(windows)
        # one that several of them hold is there once, where it is met first
        return places[np.sort(np.unique(places, return_index=True)[1])]

    def _settings(self) -> np.ndarray:
        follow = -1.0 if self.multi_path is None else float(self.multi_path)
        return np.array([self.n_neighbors, self.reliability, follow, DISTANCES[self.distance]], np.float64)

    # ------------------------------------------------------------------ predicting and learning

    def _answers(self, X, missing):
        n_classes = len(self._labels)
        scores, labels = np.zeros((len(X), n_classes)), np.zeros((len(X), n_classes), np.uint8)
        paths = np.full((len(X), n_classes), -1, np.int64)
        kernels.answer(
            self._windows, self._arrays(), self._asked, self._padded(X), missing, self._nominal,
            bool(self._nominal.any()), self._settings(), scores, labels, paths,
        )  # fmt: skip
        return scores, labels, paths

    def _predict(self, X, missing):
        return self._answers(X, missing)[:2]

    def predict_path_one(self, x: dict[Any, Any]) -> tuple[Any, ...]:
        """Return the labels passed, from the top down; with several paths the nearest child at each step.

        Empty where nothing is known, or the descent stopped before its first step.
        """
        if not self._labels:
            return ()
        row = self._intake.outliers.ask(self._row(x, grow=False))
        path = self._answers(row.values, row.missing)[2][0]
        return tuple(self._label_names[c] for c in path[path >= 0])

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        self._records.arrivals[:] = 0
        X, ends = self._padded(X), self._tree.deepest(Y) if self.window_of == "path" else Y
        any_nominal, settings = bool(self._nominal.any()), self._settings()
        for start in range(0, len(X), PIECE):
            piece = slice(start, start + PIECE)
            self._make_room(ends[piece])
            n = len(X[piece])
            # a detector notices at most one change in its clock's time
            alarms = 0 if self.drift_delta is None else (n // int(kernels.CLOCK) + 1) * len(self._labels)
            found = np.empty((alarms, 6))
            before = self.now
            n_found = kernels.run(
                self._windows, self._arrays(), self._sight, self._records, X[piece], Y[piece], ends[piece],
                missing[piece], self._nominal, any_nominal, settings, int(self.window),
                0.0 if self.drift_delta is None else float(self.drift_delta), scores[piece], labels[piece], found,
            )  # fmt: skip
            for numbers in found[:n_found].tolist():
                self._note_drift(before, *numbers)
        return scores, labels

    def _note_drift(self, position, row, c, before, after, dropped, kept) -> None:
        label = self._labels[int(c)]
        self._events.append(
            {
                "kind": "drift",
                "message": f"{label}: the error rose from {before:.3f} to {after:.3f}; the oldest {int(dropped):,} of "
                f"its {counted(int(dropped + kept), 'example')} are dropped",
                "position": position + int(row) + 1,
                "node": int(c),
                "label": label,
                "before": before,
                "after": after,
                "dropped": int(dropped),
                "kept": int(kept),
            }
        )

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        return super()._get_state() | SIGHT.state(self._sight.asdict()) | RECORDS.state(self._records.asdict())

    def _set_state(self, state: State) -> None:
        self._sight = Sight(**SIGHT.restore(type(self).__name__, state, self._sizes()))
        self._records = Records(**RECORDS.restore(type(self).__name__, state, self._sizes()))
        super()._set_state(state)

    # ------------------------------------------------------------------ structure

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the classes as arrays, one entry a class, for pictures: ``nodes`` without names.

        ``id`` (int64, the label's column, never given to another), ``parent`` (int64, -1 at the top; of several the
        first), ``depth`` (int64), ``is_leaf`` (bool), ``held`` (examples that it has: in its window, or in those of the
        paths through it, each once), ``seen`` (instances of it, ever), ``arrivals`` (in the last call that learned),
        ``weight`` (instances of the class, faded), ``hp``, ``hr``, ``hf`` (hierarchical precision, recall and F of the
        class and all below it, each instance weighing 0.995 of the next; NaN where none came), and of the last instance
        learned: ``distance`` (average to the nearest of the class; NaN
        where the descent did not compare it), ``normalised`` (divided by the largest of the children compared, less the
        smallest), ``predicted``, ``true`` (bool, on the predicted, on the true path), ``stopped`` (bool, one of the
        children that the descent compared where it stopped short), ``tied`` (bool, one of those for which it stopped:
        within ``reliability``).
        """
        tree, sight, records, windows = self._tree, self._sight, self._records, self._windows
        n = len(tree)
        counts = records.counts[:, :3] * (kernels.FADING ** (self.now - records.counts[:, 3]))[:, None]
        below = tree.above.T.astype(np.float64) @ counts if n else np.zeros((0, 3))
        hits, false, missed = below.T
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall, f = hits / (hits + false), hits / (hits + missed), 2 * hits / (2 * hits + false + missed)
        stopped = sight.flags[:, kernels.STOPPED] > 0
        return {
            "id": np.arange(n, dtype=np.int64),
            "parent": np.array([(tree.parents_of(c) or (-1,))[0] for c in range(n)], np.int64),
            "depth": np.array(tree.depths, np.int64),
            "is_leaf": np.isin(np.arange(n), tree.leaves),
            "held": numbers_of_examples(windows, self._arrays()),
            "seen": windows.seen.copy(),
            "arrivals": records.arrivals.copy(),
            "weight": counts[:, [0, 2]].sum(axis=1),
            "hp": precision,
            "hr": recall,
            "hf": f,
            "distance": sight.distance.copy(),
            "normalised": sight.normalised.copy(),
            "predicted": sight.flags[:, kernels.PREDICTED] > 0,
            "true": sight.flags[:, kernels.TRUE] > 0,
            "stopped": stopped,
            "tied": stopped & (sight.normalised <= self.reliability),
        }

    def nodes(self) -> pd.DataFrame:
        """Return one row per class, indexed by ``id``.

        Columns: ``label``, ``parent`` (its name, None at the top), then those of ``node_columns``.
        """
        columns, names = self.node_columns(), list(self._label_names)
        parents = [None if place < 0 else names[place] for place in columns.pop("parent").tolist()]
        return table_of(columns, label=names, parent=parents)

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of one class, or None if there is none.

        Returns
        -------
        dict
            ``id``, ``label``, ``parents`` and ``children`` (names), ``paths`` (from the top down, as names), what
            ``node_columns`` says of it, ``windows`` (how many hold its examples: by paths one each; 1 without any), and
            of its detector ``error`` and ``watched`` (mean and number of the decisions
            in its window), None without one.
        """
        if not 0 <= node_id < len(self._labels):
            return None
        tree, names = self._tree, self._label_names
        columns = self.node_columns()
        hierarchies, windows = self._arrays(), self._windows
        holders = hierarchies.holders[slice(*hierarchies.first_holder[node_id : node_id + 2])]
        width = self._records.window[node_id, 0] if self.drift_delta is not None else 0.0
        return {
            "id": int(node_id),
            "label": names[node_id],
            "parents": [names[c] for c in tree.parents_of(node_id)],
            "children": [names[c] for c in tree.children(node_id)],
            "paths": [tuple(names[c] for c in path) for path in tree.paths_to(node_id)],
            **{name: values[node_id].item() for name, values in columns.items() if name not in ("id", "parent")},
            "windows": max(int((windows.held[holders] > 0).sum()), 1),
            "error": float(self._records.window[node_id, 1] / width) if width else None,
            "watched": int(width) if self.drift_delta is not None else None,
        }

    @property
    def last_path(self) -> tuple[Any, ...]:
        """The path predicted for the last instance learned, before it was."""
        return tuple(self._label_names[c] for c in self._sight.path.tolist() if c >= 0)
