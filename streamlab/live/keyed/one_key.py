"""The learner of one key between two batches: bytes in, a batch learned, bytes out, for any engine that keeps bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab._checks import checked_count, within
from streamlab._frames import Frame
from streamlab.learners import LEARNERS, Learner, load_model
from streamlab.schema import Schema

__all__ = ["KeyLearner"]

MOST_BYTES = 16 << 20
"""Bytes that the state of a key may have, unless something else is said."""


class KeyLearner:
    """Learners of the same parameters, one for each key; each key's state is bytes that somebody else keeps.

    Parameters
    ----------
    learner
        One that has learned nothing and was not bound, with a seed if it takes one, each step of a pipeline too: a
        batch that an engine repeats then gives the same.
    schema
        Features and labels; every key has all of them.
    most_bytes
        Bytes that a state may have, at least 1. Default 16 MiB. An engine writes the whole state of a key for each
        batch with rows of it.

    Raises
    ------
    ValueError
        If the learner or a step of it has no seed, is bound or has learned something, or ``most_bytes`` is not a whole
        number above 0.

    Examples
    --------
    >>> import numpy as np, streamlab as sl
    >>> each = KeyLearner(sl.MajorityLabels(), sl.Schema.anonymous(2, 1))
    >>> X, Y = np.zeros((3, 2)), np.ones((3, 1), np.uint8)
    >>> state, scores, labels = each.learn("a", None, X, Y)
    >>> state, scores, labels = each.learn("a", state, X, Y)
    >>> labels.ravel().tolist()
    [1, 1, 1]
    """

    def __init__(self, learner: Learner, schema: Schema, *, most_bytes: int = MOST_BYTES) -> None:
        name = type(learner).__name__
        if not isinstance(learner, Learner):
            raise ValueError(f"learner={name}: expected a learner of streamlab")
        for part in (learner, *getattr(learner, "parts", ())):
            told = name if part is learner else f"{name}, {type(part).__name__}"
            if getattr(part, "seed", 0) is None:
                raise ValueError(f"{told}: seed=None: expected a seed; without it a repeated batch gives other answers")
            if part.schema.n_features or part.schema.n_labels:
                raise ValueError(f"{told} is bound to columns, or has learned; expected one that has not: its clone()")
        self.learner, self.schema = learner.clone(), schema
        self.most_bytes = checked_count("most_bytes", most_bytes, 1)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # an engine's process has classes that were added in a session, but has not registered them
        for part in (self.learner, *getattr(self.learner, "parts", ())):
            if LEARNERS.name_of(type(part)) is None:
                LEARNERS.add(type(part).__name__, type(part))

    def begun(self) -> Learner:
        """Return a learner for a key that comes for the first time."""
        learner: Learner = self.learner.clone()
        return learner.bind(self.schema)

    def learn(
        self, key: Any, state: bytes | None, X: np.ndarray | Frame, Y: np.ndarray | Frame
    ) -> tuple[bytes, np.ndarray, np.ndarray]:
        """Answer rows of a key, then learn them, each row after the one before it.

        Parameters
        ----------
        key
            For messages.
        state
            What this returned for the key's rows before; None for the first.
        X, Y
            As ``Learner.learn_many``, of n rows.

        Returns
        -------
        state : bytes
            With which the key goes on; ``load_model`` makes the learner of it.
        scores : float64 of shape (n, n_labels)
        labels : uint8 of shape (n, n_labels)

        Raises
        ------
        ValueError
            Naming the key: if a value is not allowed, the state is not whole, or would have more than
            ``most_bytes`` bytes.
        """
        with within(f"key {key!r}"):
            learner = self.begun() if state is None else load_model(bytes(state))
            scores, labels = learner.test_then_train(X, Y)
        after = learner.to_bytes()
        if len(after) > self.most_bytes:
            raise ValueError(
                f"key {key!r}: the state of {type(learner).__name__} has {len(after):,} bytes; expected at most "
                f"{self.most_bytes:,} (most_bytes=): fewer trees, a smaller window or fewer features make it smaller"
            )
        return after, scores, labels
