"""The learner FlatKNN: the baseline that knows nothing of the hierarchy but the ancestors of what it predicts."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab._checks import checked_count
from streamlab.learners.base.parameters import parameter, random_key, tunable
from streamlab.learners.base.state import State
from streamlab.learners.hierarchical_knn import _vote as vote
from streamlab.learners.hierarchical_knn.windowed import DISTANCES, PIECE, WindowedKNN

__all__ = ["FlatKNN"]

TIES = {"nearest": vote.NEAREST, "smallest": vote.SMALLEST, "random": vote.RANDOM}


class FlatKNN(WindowedKNN):
    """Nearest neighbours over the classes in which label paths end; the ancestors are added to their vote.

    The ``n_neighbors`` nearest of all examples vote, each for the class in which its path ends (each of them, if it has
    several paths); most votes win. Each such class keeps its most recent ``window`` examples.

    Parameters
    ----------
    n_neighbors
        Neighbours that vote (k).
    window
        Examples kept of each class in which paths end (η). Tunable: shrinking drops the oldest.
    distance
        ``"euclidean"`` or ``"manhattan"``.
    dag
        Whether a label path may put a known label under a second parent.
    ties
        Of classes with equal votes, ``"nearest"``: that of the nearest neighbour; ``"smallest"``: the one that comes
        first in the schema, as the mode of class numbers does; ``"random"``: a draw, which depends on the seed, the
        query's features and the number of instances learned before alone.
    seed
        Seed of these draws.

    Notes
    -----
    Rows are learned one after the other, also within a chunk. Missing and nominal values as in ``HierarchicalKNN``. The
    score of a class is the share of the neighbours that belong to it or to a class below it.

    Sources
    -------
    A. R. S. Parmezan, V. M. A. Souza, G. E. A. P. A. Batista: "Towards hierarchical classification of data streams",
    CIARP 2018, section 4: "online 3NN flat classifier". How equal votes are decided is not said there: hence ``ties``.

    Examples
    --------
    >>> model = FlatKNN(n_neighbors=1)
    >>> model.learn_one({"size": 1.0}, "animal/cat")
    >>> model.predict_one({"size": 1.2})
    {'animal': True, 'cat': True}
    """

    line: ClassVar[str] = (
        "Nearest neighbours among all classes' rows: often ahead, as no turn can be wrong; curve only. Fast."
    )
    papers: ClassVar[tuple[str, ...]] = ("parmezan2019hierarchical",)
    ties: str = tunable(
        default="nearest", choices=tuple(TIES), title="Equal votes", help="Which of the classes with most votes wins.",
    )  # fmt: skip
    seed: int = parameter(default=0, check=checked_count)

    def _reset(self) -> None:
        super()._reset()
        self._member = np.zeros((0, 0), np.uint8)
        self._above: np.ndarray | None = None

    def _hierarchy_changed(self) -> None:
        self._above = None
        self._fit_members()

    def _fit_members(self) -> None:
        """Make as many rows as the store has, and as many columns as there are classes."""
        rows, columns = (
            more - have
            for more, have in zip((len(self._windows.X), len(self._labels)), self._member.shape, strict=True)
        )
        if rows > 0 or columns > 0:
            self._member = np.pad(self._member, ((0, max(rows, 0)), (0, max(columns, 0))))

    def _mark_members(self) -> None:
        """Mark all members again, from the rings."""
        self._member = np.zeros((len(self._windows.X), len(self._labels)), np.uint8)
        for c in range(len(self._labels)):
            self._member[self._places(c), c] = 1

    def _make_room(self, Y) -> None:
        super()._make_room(Y)
        self._fit_members()

    def _compact(self) -> None:
        super()._compact()
        self._mark_members()

    def _ancestors(self) -> np.ndarray:
        if self._above is None:
            self._above = self._tree.above.astype(np.uint8)
        return self._above

    def _predict(self, X, missing):
        scores, labels = np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        vote.answer(
            self._windows, self._member, self._ancestors(), self._padded(X), missing, self._nominal,
            bool(self._nominal.any()), DISTANCES[self.distance], TIES[self.ties], random_key(self.seed),
            int(self.n_neighbors), scores, labels,
        )  # fmt: skip
        return scores, labels

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        X, ends = self._padded(X), self._tree.deepest(Y)
        for start in range(0, len(X), PIECE):
            piece = slice(start, start + PIECE)
            self._make_room(ends[piece])
            vote.run(
                self._windows, self._member, self._ancestors(), X[piece], ends[piece], missing[piece], self._nominal,
                bool(self._nominal.any()), DISTANCES[self.distance], TIES[self.ties], random_key(self.seed),
                int(self.n_neighbors), int(self.window), scores[piece], labels[piece],
            )  # fmt: skip
        return scores, labels

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        self._mark_members()
