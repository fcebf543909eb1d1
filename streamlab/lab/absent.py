"""What stands where an archive was opened without its data or without a learner that it cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from streamlab.learners import Learner
from streamlab.schema import Schema
from streamlab.streams import Drift, Stream


class AbsentStream(Stream):
    """A stream whose rows are not there: its columns, its drifts and its length are known.

    Parameters
    ----------
    told
        What an archive says of it: a ``StreamRecipe``.
    schema, drifts
        As of the stream that is absent.
    why
        What is said when rows are asked for.
    """

    def __init__(self, recipe: Any, schema: Schema, drifts: tuple[Drift, ...], why: str) -> None:
        self.name, self.n_rows, self.is_sparse, self.recipe = (
            recipe.name,
            recipe.n_rows,
            recipe.is_sparse,
            recipe.recipe,
        )
        self.fingerprint: Mapping[str, Any] = recipe.fingerprint
        self.schema, self.drifts, self.why = schema, drifts, why

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        """Raise a ValueError: there are no rows."""
        raise ValueError(self.why)
        yield


class AbsentLearner(Learner):
    """A learner that the archive does not hold: what it answered is known, itself it cannot be had.

    Parameters
    ----------
    kind
        The name of its class.
    recipe
        How it is made, as the archive has it.
    """

    def __init__(self, kind: str = "", recipe: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.kind, self.recipe = kind, dict(recipe)
        self._start()

    def _refuse(self) -> NoReturn:
        raise ValueError(
            f"the archive does not hold the learner {self.kind}: give Run.open a fresh one (learners=), and the data"
        )

    def _predict(self, X: Any, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self._refuse()

    def _learn(self, X: Any, Y: np.ndarray, missing: np.ndarray) -> None:
        self._refuse()


class LostDrift:
    """A drift that was put in by a Python function, which an archive does not hold.

    Parameters
    ----------
    name
        What the function was called.
    position
        Instances that had passed when it was put in.
    """

    def __init__(self, name: str, position: int) -> None:
        self.name, self.position = name, position

    def __call__(self, stream: Stream, at: int) -> Stream:
        """Raise a ValueError: it cannot be put in again."""
        raise ValueError(self.why)

    @property
    def why(self) -> str:
        """Why the run cannot be replayed from there on, in a sentence."""
        return (
            f"the drift put in after {self.position:,} instances was the Python function {self.name}, which an archive "
            "does not hold: from there on the run cannot be replayed"
        )
