"""Rules that a saved tree's statistics must obey, so that no kernel divides by nothing.

As in ``rules``, each function takes all arrays of a state by name, and returns a flag for each row: true where the row
breaks the rule.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat import rules

Arrays = Mapping[str, np.ndarray]

# errors are sums of losses from 0 to 1, faded as their weights are, except for rounding
ROUNDING = 1e-9


def wrong_error(arrays: Arrays) -> np.ndarray:
    """The error of a living node is a mean of losses from 0 to 1."""
    values = t.records("values", arrays["values"])
    total, weight, born = values["error_sum"], values["error_weight"], values["born_error"]
    fits = (total >= 0.0) & (total <= weight * (1.0 + ROUNDING)) & (born >= 0.0) & (born <= 1.0 + ROUNDING)
    return rules.alive(arrays) & ~fits


def wrong_moments(arrays: Arrays) -> np.ndarray:
    """Of a leaf's rows some have a value other than 0 and some none; those with a label are among all."""
    owned = _owned(arrays)
    seen, stats = arrays["seen"][owned][:, None, :], t.records("stats", arrays["stats"])[owned]
    present, missing = stats["n"], stats["missing"]
    parts = np.stack([present, missing, seen - present - missing])
    fits = (parts >= 0.0).all(axis=(0, 2, 3)) & (parts[..., 1:] <= parts[..., :1]).all(axis=(0, 2, 3))
    return _flags(len(arrays["seen"]), owned[~fits])


def wrong_pool_count(arrays: Arrays) -> np.ndarray:
    """The exact counts of a numeric feature's values are above 0, and together the weight of its values."""
    owned = _owned(arrays)
    numeric = np.flatnonzero(arrays["numeric"] >= 0)
    heads = arrays["heads"][np.ix_(owned, numeric)]
    bad = np.zeros(len(arrays["pool_next"]), np.bool_)
    lists = np.flatnonzero(heads.ravel() >= 0)
    first = heads.ravel()[lists]
    stats = t.records("stats", arrays["stats"])[owned]["n"][:, arrays["numeric"][numeric], 0]
    left = stats.ravel()[lists]
    # all lists a step at a time: they have no loop
    at, rest = first.copy(), np.arange(len(first))
    while len(at):
        count = arrays["pool_counts"][at, 0]
        bad[at[~(count > 0.0)]] = True
        left[rest] -= count
        at = arrays["pool_next"][at]
        at, rest = at[at >= 0], rest[at >= 0]
    bad[first[left != 0.0]] = True
    return bad


def _owned(arrays: Arrays) -> np.ndarray:
    """Return the observers that a leaf has."""
    observers = rules.links_of(arrays)["observer"][rules.leaves(arrays)]
    return observers[observers >= 0]


def _flags(n: int, rows: np.ndarray) -> np.ndarray:
    bad = np.zeros(n, np.bool_)
    bad[rows] = True
    return bad
