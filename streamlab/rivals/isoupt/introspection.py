"""An iSOUP tree as tables and words: its nodes, one node in detail, its last attempt to split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.learners.base.registry import EventKind
from streamlab.learners.mlhat._tree import RECENT_HALF_LIFE
from streamlab.learners.mlhat.events import test_in_words
from streamlab.rivals.hoeffding._forest import DEPTH, FEATURE, LEFT, PARENT, POINT, RIGHT, SEEN, SINCE, SLOT
from streamlab.rivals.isoupt import _tree as t
from streamlab.rivals.isoupt._learn import bound_of
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

MODELS = 5
"""The code of a leaf whose models answer, as the picture of trees knows it."""


@dataclass(frozen=True)
class TreeReader:
    """Reads a tree and changes nothing.

    Parameters
    ----------
    tree
        The arrays of the learner.
    settings
        Its parameters, as the kernels take them.
    features, labels
        The columns' features and names.
    """

    tree: t.Tree
    settings: np.ndarray
    features: Sequence[Feature]
    labels: Sequence[str]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.tree.cursor[t.NODES])

    def columns(self) -> dict[str, np.ndarray]:
        """Return what ``ISOUPT.node_columns`` says."""
        tree, n = self.tree, self.n_nodes
        order = np.lexsort((np.arange(n), tree.links[:n, DEPTH]))
        links, values, came = tree.links[order], tree.values[order], tree.came[order]
        is_leaf, weight = links[:, FEATURE] < 0, values[:, SEEN]
        share = came / np.maximum(weight, 1e-300)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
            error = np.where(weight > 0, values[:, t.WRONG] / weight, math.nan)
        top = came.argmax(axis=1) if came.size else np.full(n, -1)
        parent = links[:, PARENT]
        age = np.minimum(links[:, t.LAST] + 1 - int(tree.cursor[t.POSITION]), 0)
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
            "weight_recent": values[:, t.RECENT] * 2.0 ** (age / RECENT_HALF_LIFE),
            "error": error,
            "entropy": np.where((share > 0) & (share < 1), bits, 0.0).sum(axis=1),
            # it does not count label sets
            "n_labelsets": np.zeros(n, np.int64),
            "regime": np.where(is_leaf & (self._totals(links) > 0), MODELS, 0),
            "top": np.where(came.max(axis=1, initial=0.0) > 0, top, -1),
            "active": is_leaf & (links[:, DEPTH] < deepest),
        }

    def _totals(self, links: np.ndarray) -> np.ndarray:
        """Return the weight behind each leaf's answer, with the weight from the split; 0 for a branch."""
        return np.where(links[:, SLOT] >= 0, self.tree.totals[links[:, SLOT], 0], 0.0)

    def table(self) -> pd.DataFrame:
        """Return the table of ``ISOUPT.nodes``."""
        import pandas as pd

        columns, kind = self.columns(), int(self.settings[t.KIND])
        order, leaf, nominal = columns["id"], columns["is_leaf"], columns["is_nominal"]
        names = np.array([*(feature.name for feature in self.features), None], dtype=object)
        came = self.tree.came[order]
        best = np.argsort(-came, axis=1, kind="stable")[:, :3]
        attempts = [self.attempt(int(s)) or {} for s in order]
        by_mean = [
            self.by_mean(int(s)) if is_leaf and kind != t.LOGISTIC else None
            for s, is_leaf in zip(order, leaf, strict=True)
        ]
        return pd.DataFrame(
            {
                "id": order,
                **{name: columns[name] for name in ("parent", "is_leaf", "depth")},
                "feature": names[columns["feature"]],
                "operator": np.where(leaf, np.array(None), np.where(nominal, "=", "≤")),
                "threshold": np.where(nominal, math.nan, columns["threshold"]),
                "category": np.array(
                    [
                        (self.features[f].categories or ())[int(c)] if n else None
                        for f, c, n in zip(columns["feature"], columns["threshold"], nominal, strict=True)
                    ],
                    dtype=object,
                ),
                "weight": columns["weight"],
                "weight_recent": columns["weight_recent"],
                "error": columns["error"],
                "label_entropy": columns["entropy"],
                "top_labels": [
                    [self.labels[j] for j in row if came[i, j] > 0] for i, row in enumerate(best.tolist())
                ],
                "labels_by_mean": [math.nan if each is None else len(each) for each in by_mean],
                "best": [each.get("best") for each in attempts],
                "second_best": [each.get("second") for each in attempts],
                **{
                    name: [math.nan if each.get(name) is None else each[name] for each in attempts]
                    for name in ("merit", "second_merit", "ratio", "epsilon", "next_attempt_in")
                },
                "active": columns["active"],
                "born_at": self.tree.links[order, t.BORN],
                "last_seen_at": self.tree.links[order, t.LAST],
            }
        ).set_index("id")  # fmt: skip

    def by_mean(self, s: int) -> list[str]:
        """Return the labels that a leaf answers with their mean, as that has erred less."""
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

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return what ``ISOUPT.describe_node`` says."""
        if not 0 <= node_id < self.n_nodes:
            return None
        columns, s = self.columns(), int(node_id)
        (i,) = np.flatnonzero(columns["id"] == s).tolist()
        tree, is_leaf = self.tree, bool(columns["is_leaf"][i])
        shares = tree.came[s] / max(float(tree.values[s, SEEN]), 1e-300)
        feature = int(columns["feature"][i])
        regime = None
        if is_leaf:
            regime = "models" if columns["regime"][i] else "none yet"
        adapts = is_leaf and int(self.settings[t.KIND]) != t.LOGISTIC
        return {
            "id": s,
            "rule": self.rule(s),
            "depth": int(columns["depth"][i]),
            "is_leaf": is_leaf,
            "background": False,
            "competes_with": -1,
            "test": None if is_leaf else test_in_words(self.features[feature], float(columns["threshold"][i]), True),
            "weight": float(columns["weight"][i]),
            "weight_recent": float(columns["weight_recent"][i]),
            "labels": [(self.labels[j], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0],
            "entropy": float(columns["entropy"][i]),
            "n_labelsets": 0,
            "labelsets": [],
            "error": float(columns["error"][i]),
            "error_history": [],
            "last_rows": [],
            "race": None,
            "merits": self.attempt(s),
            "by_mean": self.by_mean(s) if adapts else None,
            "duel": None,
            "regime": regime,
            "active": bool(columns["active"][i]),
            "born_at": int(tree.links[s, t.BORN]),
            "last_seen_at": int(tree.links[s, t.LAST]),
        }

    def rule(self, s: int) -> list[str]:
        """Return the tests on the way from the root to a node, in words."""
        links, rule = self.tree.links, []
        parent = int(links[s, PARENT])
        while parent >= 0:
            feature, point = self.features[links[parent, FEATURE]], float(self.tree.values[parent, POINT])
            rule.append(test_in_words(feature, point, bool(links[parent, LEFT] == s)))
            s, parent = parent, int(links[parent, PARENT])
        return rule[::-1]


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
        "feature": feature.name,
        "threshold": point if feature.categories is None else None,
        "category": None if feature.categories is None else feature.categories[int(point)],
        "merit": merit,
        "second_merit": second,
        "ratio": ratio,
        "epsilon": epsilon,
        "weight": weight,
        "tie": is_tie,
    }
