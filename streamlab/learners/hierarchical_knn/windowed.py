"""What both learners share: labels that come as paths, a window for each class, one copy of each example."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any, ClassVar

import numpy as np

from streamlab._frames import Frame, is_frame, pandas_of
from streamlab.bundle import Bundle
from streamlab.learners.base.intake import anonymous_or_named, is_flag
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows_shown import new_column_event
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import Array, Number, Storage, between, detector_arrays, index_into
from streamlab.learners.hierarchical_knn import _windows as kernels
from streamlab.learners.hierarchical_knn._windows import N_CURSOR
from streamlab.schema import Hierarchy, HierarchyBuilder, split_paths

# a place is a row of the store; ``slots`` and ``starts`` count places in use and ring entries, at least 1
WINDOWS = Storage(
    Array("X", ("places", "padded")),
    Array("gaps", ("places",), np.uint8),
    Array("refs", ("places",), np.int64),
    Array("rings", ("labels", "ring"), np.int64, rules=(index_into("slots"),)),
    Array("head", ("labels",), np.int64, rules=(index_into("starts"),)),
    Array("held", ("labels",), np.int64, rules=(between(0, "ring"),)),
    Array("seen", ("labels",), np.int64),
    Array("free", ("places",), np.int64, used="free_places", rules=(index_into("places"),)),
    Array("cursor", (N_CURSOR,), np.int64, rules=(between(0),)),
    Array("known", ("places", 3), fill=-1.0, saved=False),
    reserve="room",
)


class Windows(Bundle, names=WINDOWS.arrays):
    """The examples and the windows that hold them; see the kernels."""


SIGHT = Storage(
    Array("distance", ("labels",), fill=math.nan),
    Array("normalised", ("labels",), fill=math.nan),
    Array("flags", ("labels", 4), np.uint8),
    Array("path", ("labels",), np.int64, fill=-1, rules=(index_into("labels", none=-1),)),
    prefix="sight.",
)


class Sight(Bundle, names=SIGHT.arrays):
    """The last query: one row a class.

    ``distance`` float64: mean distance to the nearest, NaN where it was not asked for; ``normalised`` float64: that,
    divided by the largest of the children compared and less the smallest; ``flags`` uint8 [classes, 4]: on the
    predicted path, on the true path, compared where the descent stopped, passed (by the descent itself, without the
    ancestors that another way leads to); ``path`` int64: the nearest classes from the top down, then -1.
    """


RECORDS = Storage(
    Array("counts", ("labels", 4), finite=True),
    Array("arrivals", ("labels",), np.int64),
    *detector_arrays("watched", "window"),
    prefix="records.",
)
"""``watched`` classes have detectors: all, or none."""


class Records(Bundle, names=RECORDS.arrays):
    """How each class has done: ``counts`` float64 [classes, 4] faded true positives, false positives, false negatives,
    and the position they are faded to; ``arrivals`` int64 [classes] in the last call; then the detectors of
    ``streamlab.detectors``, one a class, without rows where there are none.
    """


DISTANCES = {"euclidean": kernels.EUCLIDEAN, "manhattan": kernels.MANHATTAN}
GROWTH = 1.5
FIRST_ROOM, FIRST_RING = 64, 8
# rows learned in one compiled call: bounds what the store keeps in reserve
PIECE = 256


class WindowedKNN(Learner):
    """Classes with windows; labels as paths, as dictionaries of booleans, or as rows over all labels."""

    compile_seconds: ClassVar[float] = 4.5
    groups: ClassVar[tuple[Storage, ...]] = (*Learner.groups, WINDOWS)
    _quick: ClassVar = {"window": 2}
    predicts_whole_chunks: ClassVar[bool] = False
    events: ClassVar[dict[str, EventKind]] = {
        "label_new": EventKind("A new label", "It was never seen before; it has a window of its own now."),
        "feature_new": EventKind("A new feature", "It was never seen before; distances count it from here on."),
    }

    n_neighbors: int = tunable(
        1, 20, default=3, limit=10_000, title="Neighbours", help="More smooth the distance to a class."
    )
    window: int = tunable(
        1, 5000, default=1000, limit=10_000_000, logarithmic=True, unit="examples", title="Window",
        help="Most recent examples kept of each path of labels; fewer forget sooner.",
        says="keeps {value} rows of each class",
    )  # fmt: skip
    distance: str = parameter(default="euclidean", choices=tuple(DISTANCES))
    dag: bool = parameter(default=False)

    # ------------------------------------------------------------------ arrays

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(window=1)

    def _reset(self) -> None:
        self._windows = Windows(**WINDOWS.allocate(self._sizes()))
        self._nominal = np.zeros(0, np.bool_)

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"padded": -(-len(self._features) // kernels.PADDING) * kernels.PADDING}

    def _resize(self, **sizes: int) -> None:
        """Give the store and the rings the room that they need, and these sizes; what they hold stays."""
        self._windows = self._windows.replaced(**WINDOWS.resize(self._windows.asdict(), self._sizes() | sizes))

    @property
    def now(self) -> int:
        """Number of instances learned."""
        return int(self._windows.cursor[kernels.POSITION])

    @property
    def n_examples(self) -> int:
        """Examples in the store: those that some window holds, each once."""
        return int(self._windows.cursor[kernels.TOP] - self._windows.cursor[kernels.N_FREE])

    def kept_within(self, rows: int) -> tuple[int, int] | None:
        # rows are not numbered: as soon as one has left its window nobody knows which are old
        return (min(rows, self.now), self.now) if self.n_examples == self.now else None

    @property
    def _tree(self) -> Hierarchy:
        return self.schema.tree

    def _grown(self, n_features: int, n_labels: int) -> None:
        features = self._features
        self._nominal = np.array([f.is_nominal for f in features], np.bool_)
        n_classes, top = len(self._labels), int(self._windows.cursor[kernels.TOP])
        self._resize()
        for f in range(n_features, len(features)):
            if features[f].is_nominal and top:
                # of a schema that was not declared, a number that is absent is zero and a category is missing
                self._windows.X[:top, f] = math.nan
                self._windows.gaps[:top] = 1
        self._hierarchy_changed()
        if self.now:
            self._events.extend(new_column_event("feature", f.name, self.now) for f in features[n_features:])
            for c in range(n_labels, n_classes):
                above = [self._labels[p] for p in self._tree.parents_of(c)]
                where = f" under {' and '.join(map(repr, above))}" if above else " at the top"
                event = new_column_event("label", self._labels[c], self.now, where, node=c, parents=above)
                self._events.append(event)

    def _hierarchy_changed(self) -> None:
        """Follow a change of labels or their hierarchy."""

    def _make_room(self, Y: np.ndarray) -> None:
        """Make a free place for every row, and a place in the rings for every label."""
        windows = self._windows
        room = self.n_examples + int(Y.any(axis=1).sum())
        if room > len(windows.X):
            self._resize(places=max(room, int(GROWTH * len(windows.X)), FIRST_ROOM))
            windows = self._windows
        most = int((windows.held + Y.sum(axis=0, dtype=np.int64)).max(initial=0))
        ring, need = windows.rings.shape[1], min(most, int(self.window))
        if need > ring:
            self._change_rings(min(max(need, int(GROWTH * ring), FIRST_RING), int(self.window)))

    def _change_rings(self, size: int) -> None:
        """Give the rings another size, in which what they hold has room; the oldest comes first then."""
        windows = self._windows
        rings = np.zeros((len(windows.held), size), np.int64)
        for c in range(len(rings)):
            places = self._places(c)
            rings[c, : len(places)] = places
        self._windows = windows.replaced(rings=rings, head=np.zeros_like(windows.head))

    def _places(self, c: int) -> np.ndarray:
        return places_of(self._windows, c)

    def examples_of(self, label: str) -> np.ndarray:
        """Return the examples that a label has, float64 (n, n_features), the oldest first; NaN is missing.

        Where windows belong to paths, those of a label with several paths come path by path.

        Raises
        ------
        ValueError
            If there is no such label.
        """
        if label not in self._label_column:
            raise ValueError(f"label {label!r} is not known; known are {list(self._label_names)[:8]}")
        return self._windows.X[self._places_of_class(self._label_column[label]), : len(self._features)]

    def _places_of_class(self, c: int) -> np.ndarray:
        """Return the places in the store of the examples of a class."""
        return self._places(c)

    def _padded(self, X: np.ndarray) -> np.ndarray:
        width = self._windows.X.shape[1]
        if X.shape[1] == width:
            return X
        wider = np.zeros((len(X), width))
        wider[:, : X.shape[1]] = X
        return wider

    def _tune(self, values) -> None:
        size = int(values.get("window", self.window))
        windows = self._windows
        if size >= windows.rings.shape[1]:
            return
        for c in np.flatnonzero(windows.held > size):
            kernels.drop_oldest(windows, c, windows.held[c] - size)
        self._change_rings(size)
        self._compact()

    def _compact(self) -> None:
        """Give back the places that no window holds."""
        windows = self._windows
        used = np.flatnonzero(windows.refs > 0)
        renamed = np.zeros(len(windows.refs), np.int64)
        renamed[used] = np.arange(len(used))
        windows.cursor[kernels.TOP], windows.cursor[kernels.N_FREE] = len(used), 0
        self._windows = windows.replaced(
            X=windows.X[used],
            gaps=windows.gaps[used],
            refs=windows.refs[used],
            free=np.zeros(len(used), np.int64),
            known=np.full((len(used), 3), -1.0),
            rings=renamed[windows.rings],
        )

    def _learn(self, X, Y, missing) -> None:
        # each row after it was answered
        self._test_then_train(X, Y, missing)

    # ------------------------------------------------------------------ labels

    def learn_many(self, X: np.ndarray | Frame, y: Any) -> None:
        """Learn a chunk; the same result as row by row.

        Parameters
        ----------
        X
            As in ``Learner.learn_many``.
        y
            As there, each label with its ancestors; or a list or Series of label paths, one row each, as
            ``Hierarchy.from_paths`` takes them. Paths may bring new labels.

        Raises
        ------
        ValueError
            As there; and for a label without its parent, an empty path, a label under two parents or a
            path that skips a level, naming row and label. Nothing of the chunk is learned then.
        """
        super().learn_many(X, y)

    def _checked(self, X, Y, timestamps=None):
        if not _are_paths(Y):
            checked = super()._checked(X, Y, timestamps)
            self._check_ancestors(checked[1])
            return checked
        X = pandas_of(X)
        if getattr(X, "ndim", 0) != 2:
            raise ValueError("expected X of shape (n, n_features)")
        rows = list(Y)
        if len(rows) != len(X):
            raise ValueError(f"Y has {len(rows)} rows of paths, X {len(X)}; expected as many")
        builder = self._builder()
        indices = [self._indices(builder, several, row) for row, several in enumerate(rows)]
        is_first = not self._features and not self._labels
        with self._as_before_if_refused() if is_first else nullcontext():
            if is_first:
                self._start_schema(anonymous_or_named(X, np.zeros((len(X), 0), np.uint8)))
            checked = self._checked_X(X)
        self._take_labels(builder)
        return checked, self._flag_rows(indices), None

    def _builder(self) -> HierarchyBuilder:
        return HierarchyBuilder(self._labels, self._hierarchy, dag=self.dag)

    @staticmethod
    def _indices(builder: HierarchyBuilder, several: Any, row: int | None) -> list[int]:
        return [i for path in split_paths(several, row) for i in builder.add_path(path, row)]

    def _flag_rows(self, indices: Iterable[list[int]]) -> np.ndarray:
        indices = list(indices)
        Y = np.zeros((len(indices), len(self._labels)), np.uint8)
        for row, labels in enumerate(indices):
            Y[row, labels] = 1
        return self._tree.with_ancestors(Y)

    def _take_labels(self, builder: HierarchyBuilder) -> None:
        """Add the labels and edges of the builder that the schema lacks."""
        n_labels = len(self._labels)
        labels, hierarchy = builder.build()
        if len(labels) == n_labels and hierarchy == self._tree:
            return
        if self._intake.one_class is not None:
            raise ValueError(f"{labels[-1]!r}: no such class; expected one of {list(self._labels)[:8]}")
        self._intake.add_labels(list(labels[n_labels:]), hierarchy)
        self._grown(len(self._features), n_labels)

    def _check_ancestors(self, flags: np.ndarray) -> None:
        """Raise a ValueError where a label comes without its ancestors."""
        gap = None if self._hierarchy is None else self._hierarchy.first_gap(flags)
        if gap is not None:
            row, label, parent = gap
            raise ValueError(
                f"Y row {row}, label {self._labels[label]!r}: its parent {self._labels[parent]!r} is not there; "
                "expected every label with its ancestors"
            )

    def learn_one(self, x: dict[Any, Any], y: dict[Any, Any] | str | tuple[str, ...] | list[str] | set[str]) -> None:
        """Learn one instance.

        Parameters
        ----------
        x
            Features ``{name: number | string | None}``.
        y
            A label path, ``'a/b/c'`` or ``('a', 'b', 'c')``; a list or set of several; or ``{label: bool}``, in which
            ancestors that are absent are taken as True. Labels that are new join the hierarchy where the path says, at
            the top if they come in a dictionary.

        Raises
        ------
        ValueError
            For a bad value, an empty path, a label under two parents, a path that skips a level, or a label that is
            True while its ancestor is False; nothing is changed then.
        """
        if isinstance(y, Mapping):
            super().learn_one(x, self._with_ancestors(y))
            return
        builder = self._builder()
        indices = self._indices(builder, y, None)
        row = self._row(x, grow=True)
        self._take_labels(builder)
        flags = self._flag_rows([indices])
        row = self._intake.learn(row, flags)
        self._learn(row.values, flags, row.missing)

    def _with_ancestors(self, y: Mapping[Any, bool]) -> dict[Any, bool]:
        complete = dict(y)
        for label, value in y.items():
            if not is_flag(value):
                raise ValueError(f"label {label!r}: {value!r}; expected True or False")
            if value and label in self._label_column and self._hierarchy is not None:
                for above in self._hierarchy.ancestors(self._label_column[label]):
                    name = self._label_names[above]
                    if not complete.setdefault(name, True):
                        raise ValueError(f"label {label!r} is True, but its ancestor {name!r} is False")
        return complete

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        windows = self._windows
        top, n_free = int(windows.cursor[kernels.TOP]), int(windows.cursor[kernels.N_FREE])
        used = {"places": top, "free_places": n_free}
        state = super()._get_state() | WINDOWS.state(windows.asdict(), self._sizes(), used)
        # the number of queries only keeps their distances apart: it is not part of what was learned
        state["cursor"][kernels.QUERY] = 0
        return state | {"room": len(windows.X)}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner = type(self).__name__
        top, n_free = (stored_length(owner, state, key) for key in ("X", "free"))
        room = Number("room", low=max(top, n_free)).read(owner, state)
        ring = stored_length(owner, state, "rings", axis=1)
        used = {"places": top, "free_places": n_free, "slots": max(top, 1), "starts": max(ring, 1)}
        windows = Windows(**WINDOWS.restore(owner, state, self._sizes() | {"places": room}, used))
        held = [places_of(windows, c) for c in range(len(self._labels))]
        refs = np.bincount(np.concatenate([*held, np.zeros(0, np.int64)]), minlength=top)
        free = windows.free[:n_free]
        for array, holds, expected in (
            ("cursor", windows.cursor[[kernels.TOP, kernels.N_FREE]], np.array([top, n_free])),
            ("refs", windows.refs[:top], refs),
            ("free", np.sort(free), np.flatnonzero(refs == 0)),
        ):
            if not np.array_equal(holds, expected):
                raise contradiction(owner, f"{array} is another; expected what the windows hold")
        self._windows = windows
        self._nominal = np.array([f.is_nominal for f in self._features], np.bool_)
        self._hierarchy_changed()


def places_of(windows: Windows, c: int) -> np.ndarray:
    """Return the places in the store of the window of class ``c``, the oldest first."""
    size = max(windows.rings.shape[1], 1)
    return windows.rings[c, (windows.head[c] + np.arange(windows.held[c])) % size]


def _are_paths(Y: Any) -> bool:
    """Whether ``Y`` is a sequence of label paths rather than rows of 0 and 1."""
    if is_frame(Y) or (isinstance(Y, np.ndarray) and Y.ndim != 1):
        return False
    if isinstance(Y, np.ndarray) or hasattr(Y, "to_numpy"):
        return getattr(Y, "dtype", None) is not None and np.asarray(Y).dtype.kind not in "biuf"
    return isinstance(Y, (list, tuple)) and any(_is_path(entry) for entry in Y)


def _is_path(entry: Any) -> bool:
    if isinstance(entry, (str, set, frozenset)):
        return True
    return isinstance(entry, (tuple, list)) and (not entry or any(isinstance(part, (str, tuple)) for part in entry))
