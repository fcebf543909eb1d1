"""A member of an ensemble: a multi-label learner without columns of its own, whose whole state is a table of arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.learners.base.state import Part
from streamlab.learners.base.storage import Array, Number, Storage, index_into
from streamlab.schema import Feature

Features = Sequence[Feature]


class Settings(NamedTuple):
    """The parameters of an ensemble that are its members'; see ``GOOWE``."""

    grace_period: int
    delta: float
    tau: float
    step: float


class Rows(NamedTuple):
    """Checked rows with their weights, and where their answers go: zeros at first."""

    X: np.ndarray
    Y: np.ndarray
    weights: np.ndarray
    votes: np.ndarray
    labels: np.ndarray


class Member(Part, ABC):
    """One of an ensemble. A kind of member is a subclass; what it keeps is in ``arrays``, as its ``storage`` lists it.

    ``storage`` has the number ``n_learned``.

    Parameters
    ----------
    features, n_labels
        The columns.
    settings
        Parameters; each kind takes what concerns it.
    rng
        What is drawn for it, such as the order of a chain.
    """

    storage: ClassVar[Storage]

    def __init__(self, features: Features, n_labels: int, settings: Settings, rng: np.random.Generator) -> None:
        self.settings = settings
        self.features: Features = ()
        self.n_labels = 0
        self._begin(rng)
        self.arrays: dict[str, Any] = self.storage.allocate(self.sizes()) | {"n_learned": 0}
        self.widen(features, n_labels)

    def _begin(self, rng: np.random.Generator) -> None:
        """Set what it has besides its arrays; there are none yet, and no columns."""
        self._rng = rng

    # ------------------------------------------------------------------ what a kind does

    @classmethod
    @abstractmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of one that has learned nothing."""

    @abstractmethod
    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added; of those that were there it keeps what it knows."""

    @abstractmethod
    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        """Write the answers to checked rows, which are zeros so far; changes nothing."""

    @abstractmethod
    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        """Learn rows from ``first`` on, with ``answers`` each after its answer; return that for which room lacks."""

    def _make_room(self) -> None:
        """Have room for what the next row may need."""
        raise NotImplementedError

    def answer(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return votes, float64 [n, labels] in [0, 1], and labels, uint8, for checked rows; changes nothing."""
        votes, labels = np.zeros((len(X), self.n_labels)), np.zeros((len(X), self.n_labels), np.uint8)
        self._answer(X, votes, labels)
        return votes, labels

    def learn(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> None:
        """Learn checked rows one after the other, each with its weight (float64 [n], whole numbers; 0: not at all)."""
        self.test_then_train(X, Y, weights, answers=False)

    def test_then_train(
        self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray, answers: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """Answer each row, then learn it with its weight; returns what ``answer`` does."""
        votes, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        rows = Rows(X, Y, weights, votes, labels)
        row = self._run(rows, 0, answers)
        while row < len(X):
            self._make_room()
            row = self._run(rows, row, answers)
        self.arrays["n_learned"] += int(np.count_nonzero(weights))
        return votes, labels

    @property
    def n_learned(self) -> int:
        """Rows that it has learned, those of weight 0 left out."""
        return int(self.arrays["n_learned"])

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        return {"labels": self.n_labels}

    def used(self) -> dict[str, int]:
        """Return how much of them is in use, where that is not all."""
        return {}

    # ------------------------------------------------------------------ state

    @classmethod
    def table(cls, prefix: str) -> Storage:
        """Return its table, with a prefix."""
        return Storage(*cls.storage.entries, prefix=prefix)

    def state(self, prefix: str) -> dict[str, Any]:
        """Return its part of the ensemble's state."""
        return self.table(prefix).state(self.arrays, self.sizes(), self.used())

    def restore(self, owner: str, state: Mapping[str, Any], prefix: str) -> None:
        """Take its part of a state, checked; it has been made with the right columns.

        Raises
        ------
        ValueError
            If the state contradicts itself, naming the entry.
        """
        sizes = self.stored_sizes(owner, state, prefix)
        self.arrays = self.table(prefix).restore(owner, state, sizes)
        self.restored(owner, prefix)

    def stored_sizes(self, owner: str, state: Mapping[str, Any], prefix: str) -> dict[str, int]:
        """Return ``sizes`` for a state that is not yet checked."""
        return self.sizes()

    def restored(self, owner: str, prefix: str) -> None:
        """Check what rules cannot say, and fill what is not part of a state."""

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays, reserve included."""
        return sum(value.nbytes for value in self.arrays.values() if isinstance(value, np.ndarray))


COUNTED = Storage(Number("n_learned", low=0))


class GrowingMember(Member):
    """A member whose arrays are those of another learner's ``growth``, which makes, widens, saves and restores them.

    ``storage`` is the other's table; how many rows were learned stands beside it.
    """

    def __init__(self, features: Features, n_labels: int, settings: Settings, rng: np.random.Generator) -> None:
        self.settings, self._rng = settings, rng
        self.features, self.n_labels = tuple(features), n_labels
        self.arrays = {"n_learned": 0}
        self._grow()

    @abstractmethod
    def _grow(self) -> None:
        """Make the arrays of its columns, or widen those that there are."""

    @abstractmethod
    def _saved(self, table: Storage) -> dict[str, Any]:
        """Return the arrays of a state, by the keys of a table."""

    @abstractmethod
    def _restored(self, owner: str, state: Mapping[str, Any], table: Storage) -> None:
        """Take the arrays of a state, checked."""

    @abstractmethod
    def _groups(self) -> tuple[Any, ...]:
        """Return the named tuples that have its arrays."""

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays, reserve included."""
        return self.storage.n_bytes(self.storage.of(*self._groups()))

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added."""
        self.features, self.n_labels = tuple(features), n_labels
        self._grow()

    def state(self, prefix: str) -> dict[str, Any]:
        """Return its part of the ensemble's state."""
        counted = Storage(*COUNTED, prefix=prefix)
        return counted.state(self.arrays, {}, {}) | self._saved(self.table(prefix))

    def restore(self, owner: str, state: Mapping[str, Any], prefix: str) -> None:
        """Take its part of a state, checked."""
        self.arrays = Storage(*COUNTED, prefix=prefix).restore(owner, state, {})
        self._restored(owner, state, self.table(prefix))


ORDER = Array("order", ("labels",), np.int64, rules=(index_into("labels", once=True),))


def lengthened_order(order: np.ndarray, n_labels: int, rng: np.random.Generator | None) -> np.ndarray:
    """Return an order of ``n_labels``: the first ones drawn, or as they come without ``rng``, later ones at its end."""
    added = np.arange(len(order), n_labels)
    if not len(order) and n_labels and rng is not None:
        return rng.permutation(n_labels)
    return np.concatenate([order, added])
