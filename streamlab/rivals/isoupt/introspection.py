"""An iSOUP tree as tables and words: its nodes, one node in detail, its last attempt to split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows_shown import test_in_words
from streamlab.learners.mlhat.events import test_of
from streamlab.learners.mlhat.introspection import NodeReader, about_labels, faded, numbers_of
from streamlab.rivals.hoeffding._forest import DEPTH, FEATURE, PARENT, POINT, RIGHT, SEEN, SINCE, SLOT
from streamlab.rivals.isoupt import _tree as t
from streamlab.rivals.isoupt._learn import bound_of
from streamlab.schema import Feature

MODELS = 5
"""The code of a leaf whose models answer, as the picture of trees knows it."""


class IsoupReader(NodeReader):
    """Reads an iSOUP tree."""

    tree: t.Tree
    TABLE = (
        "parent is_leaf depth feature operator threshold category weight weight_recent error label_entropy top_labels "
        "labels_by_mean best second_best merit second_merit ratio epsilon next_attempt_in active born_at last_seen_at"
    )

    def rows(self) -> np.ndarray:
        """Return the nodes, parents before their children."""
        n = int(self.tree.cursor[t.NODES])
        return np.lexsort((np.arange(n), self.tree.links[:n, DEPTH]))

    def totals(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return of nodes the weight with each label, and when they were born and came last."""
        return self.tree.came[rows], self.tree.links[rows, t.BORN], self.tree.links[rows, t.LAST]

    def columns(self) -> dict[str, np.ndarray]:
        """Return what ``ISOUPT.node_columns`` says."""
        tree, order = self.tree, self.rows()
        links, values, n = tree.links[order], tree.values[order], len(order)
        is_leaf, weight, parent = links[:, FEATURE] < 0, values[:, SEEN], links[:, PARENT]
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.where(weight > 0, values[:, t.WRONG] / weight, math.nan)
        entropy, top = about_labels(tree.came[order], weight)
        nominal = np.array([feature.categories is not None for feature in self.features], bool)
        deepest = math.inf if not len(self.settings) else self.settings[t.MAX_DEPTH]
        return {
            "id": order,
            "parent": parent.copy(),
            "competes_with": np.full(n, -1),
            "is_leaf": is_leaf,
            "background": np.zeros(n, bool),
            "depth": links[:, DEPTH].copy(),
            "feature": links[:, FEATURE].copy(),
            "is_nominal": ~is_leaf & (nominal[links[:, FEATURE]] if len(nominal) else False),
            "threshold": np.where(is_leaf, math.nan, values[:, POINT]),
            "branch": np.where(parent < 0, -1, tree.links[parent, RIGHT] == order).astype(np.int64),
            "weight": weight.copy(),
            "weight_recent": faded(values[:, t.RECENT], links[:, t.LAST], int(tree.cursor[t.POSITION])),
            "error": error,
            "entropy": entropy,
            # it does not count label sets
            "n_labelsets": np.zeros(n, np.int64),
            "regime": np.where(is_leaf & (self._totals(links) > 0), MODELS, 0),
            "top": top,
            "active": is_leaf & (links[:, DEPTH] < deepest),
        }

    def _totals(self, links: np.ndarray) -> np.ndarray:
        """Return the weight behind each leaf's answer, with the weight from the split; 0 for a branch."""
        return np.where(links[:, SLOT] >= 0, self.tree.totals[links[:, SLOT], 0], 0.0)

    def further(self, rows: np.ndarray, columns: dict[str, np.ndarray]) -> dict[str, Any]:
        """Return how many labels are answered by their mean, and the last attempts to split."""
        attempts = [self.attempt(int(s)) or {} for s in rows]
        by_mean = [self.by_mean(int(s)) if leaf else None for s, leaf in zip(rows, columns["is_leaf"], strict=True)]
        numbers = ("merit", "second_merit", "ratio", "epsilon", "next_attempt_in")
        return {
            "labels_by_mean": [math.nan if each is None else len(each) for each in by_mean],
            "best": [each.get("best") for each in attempts],
            "second_best": [each.get("second") for each in attempts],
            **{name: numbers_of(attempts, name) for name in numbers},
        }

    def further_details(self, s: int, is_leaf: bool) -> dict[str, Any]:
        """Return the last attempt to split, and the labels that are answered by their mean."""
        return {"merits": self.attempt(s), "by_mean": self.by_mean(s) if is_leaf else None}

    def by_mean(self, s: int) -> list[str] | None:
        """Return the labels that a leaf answers with their mean, as that has erred less; None: it has no choice."""
        if int(self.settings[t.KIND]) == t.LOGISTIC:
            return None
        errors = self.tree.errors[self.tree.links[s, SLOT]]
        return [self.labels[j] for j in np.flatnonzero(errors[:, t.OF_MEAN] < errors[:, t.OF_MODEL]).tolist()]

    def attempt(self, s: int) -> dict[str, Any] | None:
        """Return a leaf's last attempt to split, and the bound now; None for a branch, or where there was none."""
        links, values = self.tree.links[s], self.tree.values[s]
        if links[FEATURE] >= 0 or links[t.BEST] < 0:
            return None
        merit, second = float(values[t.BEST_MERIT]), float(values[t.SECOND_MERIT])
        return {
            "best": self.features[links[t.BEST]].name,
            "second": self.features[links[t.SECOND]].name if links[t.SECOND] >= 0 else None,
            "merit": merit,
            "second_merit": second,
            "ratio": second / merit,
            "epsilon": float(bound_of(float(self.settings[t.DELTA]), float(values[SEEN]))),
            "next_attempt_in": max(float(self.settings[t.GRACE]) - float(values[SINCE]), 0.0),
        }


SPLIT = EventKind(
    "A leaf splits",
    "A leaf compares its two best features by how much of the labels' variance each takes away. It splits if the "
    "second best takes less than 1 − ε of what the best takes, ε being the Hoeffding bound: more rows would hardly "
    "change the choice. It also splits once ε is below τ.",
    {
        "merit": "variance that the best feature takes away, mean of the labels",
        "second_merit": "the same of the second best",
        "ratio": "second by best",
        "epsilon": "Hoeffding bound ε",
        "weight": "weight seen",
    },
    colour="#009E73",
)


def split_in_words(row: Sequence[float], features: Sequence[Feature]) -> dict[str, Any]:
    """Return a row of the kernels' log as an event."""
    node, position, f, point, merit, second, epsilon, weight = row
    feature, ratio = features[int(f)], second / merit
    is_tie = not ratio < 1.0 - epsilon
    why = f"ε {epsilon:.3f} is below τ" if is_tie else f"the second best has {ratio:.2f} of that, ε is {epsilon:.3f}"
    return {
        "kind": "split",
        "message": f"node {node:.0f} split on {test_in_words(feature, point, True)} after a weight of {weight:,.0f}: "
        f"merit {merit:.4f}, {why}",
        "node": int(node),
        "position": int(position),
        **test_of(feature, point),
        "merit": merit,
        "second_merit": second,
        "ratio": ratio,
        "epsilon": epsilon,
        "weight": weight,
        "tie": is_tie,
    }
