"""How learners are asked what matters to them: what is chosen, and rows with other values of a feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import scipy.sparse
from msgspec import Meta, Struct, field
from msgspec.structs import replace
from scipy.special import stdtrit

from streamlab.schema import Schema
from streamlab.streams import is_csr
from streamlab.validation import validated

if TYPE_CHECKING:
    import pandas as pd

TRIED = 3
"""Features that are tried by turns where there are many."""
Share = Annotated[float, Meta(gt=0, lt=1)]
Row = Annotated[int, Meta(ge=0)]


class Asking(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How learners are asked, as ``Importance`` takes it.

    ``paces`` has by learner what was decided: from which row on, how many of 100 rows, how many at a time at least.
    ``spans`` are the rows at which it is asked, from one up to another (None: no end); None: at all rows.
    """

    rows: Annotated[int, Meta(ge=5, le=100)] = 20
    alpha: Share = 0.05
    window: Annotated[int, Meta(ge=1, le=10**6)] = 500
    most: Annotated[int, Meta(ge=2 * TRIED, le=1000)] = 30
    share: Share | None = 0.1
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 0
    paces: dict[str, list[tuple[int, float, int]]] = field(default_factory=dict)
    spans: list[tuple[Row, Row | None]] | None = None

    @classmethod
    def of(cls, given: bool | Mapping[str, Any] | Asking | None) -> Asking | None:
        """Return what ``Run(importance=)`` means, None for not at all; its lists are shared with nobody."""
        if isinstance(given, (bool, np.bool_)) or given is None:
            return cls() if given else None
        asking = given if isinstance(given, Asking) else validated(dict(given), Asking, "importance")
        spans = None if asking.spans is None else list(asking.spans)
        return replace(asking, paces={name: list(each) for name, each in asking.paces.items()}, spans=spans)

    def asks_at(self, row: int) -> bool:
        """Whether a chunk that begins at a row is asked about."""
        if self.spans is None:
            return True
        return any(start <= row and (stop is None or row < stop) for start, stop in self.spans)

    def switch(self, on: bool, row: int) -> bool:
        """Ask from a row on, or no longer; returns whether that changes anything: not where it asks always."""
        if self.spans is None or on == bool(self.spans and self.spans[-1][1] is None):
            return False
        if on:
            # what ended where this begins, or behind it, goes on
            while self.spans and (self.spans[-1][1] or 0) >= row:
                row = min(row, self.spans.pop()[0])
            self.spans.append((row, None))
        else:
            start, _ = self.spans.pop()
            if start < row:
                self.spans.append((start, row))
        return True


def dense(X: Any, features: np.ndarray) -> np.ndarray:
    """Return these columns of rows, an array or CSR, as an array."""
    return X[:, features].toarray() if is_csr(X) else X[:, features]


def values_at(X: Any, rows: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return what rows have, int64 (m, features), of each of these columns, float64 (m, features)."""
    return X[:, features].toarray()[rows, np.arange(len(features))] if is_csr(X) else X[rows, features]


def values_of(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean growth of the loss and its standard error; 0 and NaN of a feature that was not asked.

    Of few batches the error is larger, by Student's t, so that two errors are the reach of 95 % in any case.

    Parameters
    ----------
    sums
        float64 (5, ...): weights, weighted growth of the loss; of batches squared weights, and these times their mean
        and times its square.
    """
    weight, grown, squares, once, twice = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, left = np.where(weight > 0, grown / weight, 0.0), 1 - squares / weight**2
        left = np.where(left > 1e-9, left, np.nan)
        spread = np.maximum(twice - 2 * mean * once + mean**2 * squares, 0.0) / left
        return mean, np.sqrt(spread) / weight * stdtrit(left / (1 - left), 0.97725) / 2


def table_of(schema: Schema, at: np.ndarray, features: np.ndarray, *columns: np.ndarray) -> pd.DataFrame:
    """Return points, as ``Importance.points`` has them, as a table: a row for each point and feature."""
    import pandas as pd

    names = np.array([feature.name for feature in schema.features], object)[features]
    keys = {"position": np.repeat(at, features.shape[1]), "feature": names.ravel()}
    return pd.DataFrame(keys | {name: each.ravel() for name, each in zip(("value", "error"), columns, strict=True)})


def with_values(X: Any, features: np.ndarray, values: np.ndarray) -> Any:
    """Return rows, which are the caller's to change, with another value of one feature each."""
    places = np.arange(len(features))
    if not is_csr(X):
        X[places, features] = values
        return X
    X.data[X.indices == np.repeat(features, np.diff(X.indptr))] = 0.0
    changed = X + scipy.sparse.csr_array((values, (places, features)), X.shape)
    changed.eliminate_zeros()
    return changed


def named_in(nodes: Any, schema: Schema) -> np.ndarray:
    """Return how often a learner's table of nodes names each feature, float64 (n_features,)."""
    named = np.zeros(schema.n_features)
    place = {feature.name: j for j, feature in enumerate(schema.features)}
    for name in nodes.get("feature", ()):
        if name in place:
            named[place[name]] += 1
    return named


def chosen_features(X: Any, Y: np.ndarray, named: np.ndarray, matters: np.ndarray, most: int, turn: int) -> np.ndarray:
    """Return which of many features are asked.

    Parameters
    ----------
    X, Y
        Recent rows.
    named, matters
        Of each feature how often the learner names it, and whether it is known to matter: these come first, then those
        that go with a label, by the largest covariance for a feature of deviation 1.
    most
        How many are chosen; the last three are others than these.
    turn
        Whose turn it is among the others.
    """
    X = scipy.sparse.csr_array(X)
    X.data = np.nan_to_num(X.data)
    deviation = np.sqrt(np.maximum(len(Y) * X.power(2).sum(axis=0) - X.sum(axis=0) ** 2, 0.0))
    together = np.abs(X.T @ (Y - Y.mean(axis=0))).max(axis=1, initial=0.0) / np.where(deviation > 0, deviation, 1.0)
    main, rest = np.split(np.lexsort((-together, -named, -matters)), [most - TRIED])
    varied = np.sort(rest[deviation[rest] > 0])
    others = varied if len(varied) >= TRIED else rest
    return np.sort(np.append(main, others[(turn * TRIED + np.arange(TRIED)) % len(others)]))
