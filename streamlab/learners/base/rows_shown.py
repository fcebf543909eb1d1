"""What pictures, tables and events show of nodes, of new columns, and of the rows that a learner remembers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

HISTORY = 1024
"""Rows learned for which it is known how many were remembered then."""


def table_of(columns: dict[str, np.ndarray], **first: Any) -> pd.DataFrame:
    """Return ``node_columns`` as a table indexed by ``id``, ``first`` before its other columns."""
    import pandas as pd

    table = pd.DataFrame(columns).set_index("id")
    for place, (name, values) in enumerate(first.items()):
        table.insert(place, name, values)
    return table


def named_tests(features: Any, feature: np.ndarray, is_nominal: np.ndarray, threshold: np.ndarray) -> dict[str, Any]:
    """Return the columns ``feature`` (names; None for -1), ``threshold`` and ``category`` of a table of nodes.

    Parameters
    ----------
    features
        All features.
    feature, is_nominal, threshold
        As in ``node_columns``: of each node the column that it tests, whether it is nominal, and where it splits it.
    """
    used, which = np.unique(feature, return_inverse=True)
    names = np.array([None if f < 0 else features[f].name if len(features) else "" for f in used.tolist()], object)
    category = np.full(len(feature), None, object)
    for f in np.unique(feature[is_nominal]).tolist():
        here = is_nominal & (feature == f)
        category[here] = np.array(features[f].categories, object)[threshold[here].astype(np.int64)]
    return {"feature": names[which], "threshold": np.where(is_nominal, np.nan, threshold), "category": category}


def test_in_words(feature: Feature, point: float, left: bool) -> str:
    """Return the test that leads to one side of a branch, such as ``"colour is not red"``."""
    if feature.categories is not None:
        return f"{feature.name} {'is' if left else 'is not'} {feature.categories[int(point)]}"
    return f"{feature.name} {'≤' if left else '>'} {point:.4g}"


def new_column_event(what: str, name: str, position: int, where: str = "", **more: Any) -> dict[str, Any]:
    """Return the event of a new ``"feature"`` or ``"label"``; ``where`` says where it belongs."""
    message = f"the {what} {name!r}{where} is new after {position:,} instances"
    return {"kind": f"{what}_new", "message": message, "position": position, what: name, **more}


def story_of(columns: dict[str, np.ndarray], node_id: int) -> dict[str, Any] | None:
    """Return what ``node_columns`` says of the node with this id, as plain values; None: there is none."""
    found = np.flatnonzero(columns["id"] == node_id)
    return {name: values[found[0]].item() for name, values in columns.items()} if len(found) else None


class ShownRows(NamedTuple):
    """The rows that are remembered, the oldest first.

    ``born`` int64 (n,): the row's number in the stream, from 0; ``standing`` float64 (n,): what it is kept or dropped
    by; ``asked`` and ``right`` int64 (n,): how often it was a neighbour, and had all labels right then; ``Y`` uint8
    (n, n_labels).
    """

    born: np.ndarray
    standing: np.ndarray
    asked: np.ndarray
    right: np.ndarray
    Y: np.ndarray


class RowsShown:
    """A learner whose remembered rows can be looked at: the contract of the picture "memory"."""

    now: Any
    _near: np.ndarray
    _labels: list[str]
    _label_names: Any

    @abstractmethod
    def _shown(self) -> ShownRows:
        """Return the rows that are remembered; the arrays may be its own."""

    @abstractmethod
    def _sizes_after(self) -> np.ndarray:
        """Return how many rows it held after row t, int64 (HISTORY,), at t modulo its length."""

    @abstractmethod
    def standing_words(self) -> dict[str, Any]:
        """Return how the standing is reported.

        Returns
        -------
        dict
            ``measure``: what it is called; ``leaves``: when a row is dropped for it, in words; ``best`` and ``worst``:
            its values at the top and at the bottom of a picture.
        """

    def _change_near(self, k: int) -> None:
        """Note this many neighbours of the latest row from now on."""
        near = np.full(k, -1)
        near[: len(self._near)] = self._near[:k]
        self._near = near

    @property
    def n_neighbours_asked(self) -> int:
        """Number of rows that answered the latest row; some may be forgotten since."""
        return int((self._near >= 0).sum())

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return a row per remembered row, the oldest first, as copies.

        Returns
        -------
        dict
            ``id`` int64: the row's number in the stream, from 0; ``age`` int64: rows learned after it; ``standing``
            float64: what it is kept or dropped by; ``asked`` and ``right`` int64: how often it was a neighbour, and how
            often it had all labels right then; ``rank`` int64: its place among the neighbours of the latest row, from
            1, else 0.
        """
        rows = self._shown()
        rank = np.zeros(len(rows.born), np.int64)
        near = self._near[self._near >= 0]
        at = np.searchsorted(rows.born, near)
        there = (at < len(rank)) & (rows.born[np.minimum(at, len(rank) - 1)] == near) if len(rank) else at < 0
        rank[at[there]] = np.arange(1, len(near) + 1)[there]
        return {
            "id": rows.born.copy(),
            "age": self.now - 1 - rows.born,
            "standing": rows.standing.copy(),
            "asked": rows.asked.copy(),
            "right": rows.right.copy(),
            "rank": rank,
        }

    def nodes(self) -> pd.DataFrame:
        """Return the remembered rows, one each: ``node_columns`` as a DataFrame with the labels' names."""
        import pandas as pd

        table = pd.DataFrame(self.node_columns())
        Y = self._shown().Y
        for label, name in enumerate(self._label_names):
            table[name] = Y[:, label].astype(bool)
        return table

    def labels_of_rows(self) -> np.ndarray:
        """Return the labels of the rows, uint8 (n_rows, n_labels), in the order of ``node_columns``."""
        return self._shown().Y.copy()

    def sizes_before(self) -> np.ndarray:
        """Return how many rows it held after each of the latest rows, int64, the oldest first, 1,024 at most."""
        at = np.arange(max(self.now - HISTORY, 0) + 1, self.now + 1)
        return self._sizes_after()[at % HISTORY]

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of a remembered row by its number, or None if it is not remembered any more."""
        rows, story = self._shown(), story_of(self.node_columns(), node_id)
        return None if story is None else story | {"Y": rows.Y[rows.born == node_id][0].copy()}


def plain_names(experts: Mapping[str, Any]) -> list[str]:
    """Return what each expert is in a word or two; its own name where it has none or two would be called the same."""
    plain = [vars(type(expert)).get("plain_words", ("",))[0] for expert in experts.values()]
    return [word if word and plain.count(word) == 1 else name for word, name in zip(plain, experts, strict=True)]
