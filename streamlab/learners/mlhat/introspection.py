"""MLHAT's tree as tables and words: its nodes, one node in detail, attempts to split, comparisons with alternates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat._answer import error_of, regimes
from streamlab.learners.mlhat._learn import switch_bound
from streamlab.learners.mlhat._split import split_bound, tie_bound
from streamlab.learners.mlhat.events import test_in_words
from streamlab.learners.mlhat.growth import columns_at
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

REGIMES = ("none yet", "majority", "knn", "bagging", "pruned sets")


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
    settings: np.record
    features: Sequence[Feature]
    labels: Sequence[str]

    def rows(self) -> np.ndarray:
        """Return the rows of ``links`` that are nodes, parents before their children."""
        links = self.tree.links[: int(self.tree.cursor[0].node_top)]
        rows = np.flatnonzero(links["id"] >= 0)
        return rows[np.lexsort((links["id"][rows], links["depth"][rows]))]

    def columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return the columns of ``MLHAT.node_columns``."""
        tree, rows = self.tree, self.rows()
        age = np.minimum(tree.links["last"][rows] + 1 - int(tree.cursor[0].position), 0)
        recent = tree.values["recent"][rows] * 2.0 ** (age / t.RECENT_HALF_LIFE)
        if max_depth is not None or min_share > 0:
            keep = np.ones(len(rows), bool) if max_depth is None else tree.links["depth"][rows] <= max_depth
            keep &= recent >= min_share * recent[rows == tree.cursor[0].root].sum()
            rows, recent = rows[keep], recent[keep]
        links, values, counts = tree.links[rows], tree.values[rows], tree.counts[rows]
        regime = self.regimes(rows)
        is_leaf = links["leaf"] >= 0
        weight = values["weight"]
        share = counts / np.maximum(weight, 1e-300)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
        entropy = np.where((share > 0) & (share < 1), bits, 0.0).sum(axis=1)
        top = counts.argmax(axis=1) if counts.size else np.full(len(rows), -1)
        if counts.size:
            top = np.where(counts[np.arange(len(rows)), top] > 0, top, -1)
        error = np.where(
            values["error_weight"] > 0,
            values["error_sum"] / np.maximum(values["error_weight"], 1e-300),
            values["born_error"],
        )
        columns = {
            "id": links["id"].copy(),
            "parent": self._ids(links["parent"]),
            "competes_with": self._ids(links["of"]),
            "is_leaf": is_leaf,
            "background": links["background"] > 0,
            "depth": links["depth"].copy(),
            "feature": np.where(is_leaf, -1, columns_at(tree, links["feature"])),
            "is_nominal": ~is_leaf & (links["nominal"] > 0),
            "threshold": np.where(is_leaf, math.nan, values["threshold"]),
            "branch": self._sides(rows),
            "weight": weight.copy(),
            "weight_recent": recent,
            "error": error,
            "entropy": entropy,
            "n_labelsets": links["n_sets"].copy(),
            "regime": regime,
            "top": top,
            "active": is_leaf & (links["observer"] >= 0),
            "readiness": np.divide(*self.evidence(rows)),
        }
        return columns | self.experts(rows)

    def outcomes(self, s: int) -> int:
        """Return what the Hoeffding bound of a leaf counts: the label sets that it has seen."""
        return int(self.tree.links["n_sets"][s])

    def regimes(self, rows: np.ndarray) -> np.ndarray:
        """Return with which classifier each leaf among the nodes answers, an index of ``REGIMES``; 0 for branches."""
        regime = np.zeros(len(rows), np.int64)
        regimes(self.tree, rows, self.settings, regime)
        return regime

    def experts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return further columns of nodes, about the experts that answer in them; a plain tree has none."""
        return {}

    def bytes_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the bytes that nodes take."""
        links = self.tree.links[rows]
        node_bytes, leaf_bytes, observer_bytes = (self.settings[name] for name in codes.SIZES[:3])
        return node_bytes + (links["leaf"] >= 0) * leaf_bytes + (links["observer"] >= 0) * observer_bytes

    def _ids(self, rows: np.ndarray) -> np.ndarray:
        """Return the ids of nodes, -1 where the row is -1."""
        return np.where(rows < 0, -1, self.tree.links["id"][rows])

    def _name(self, feature: int) -> str:
        """Return the name of a feature, as nodes tell it: where the tree is compact, by its place."""
        return self.features[int(columns_at(self.tree, feature))].name

    def _sides(self, rows: np.ndarray) -> np.ndarray:
        """Return the side of its parent that each node is on; an alternate is on the side of the node it rivals."""
        links = self.tree.links
        places = np.where(links["of"][rows] >= 0, links["of"][rows], rows)
        parent = links["parent"][rows]
        return np.where(parent < 0, -1, (links["right"][parent] == places).astype(np.int64))

    def table(self) -> pd.DataFrame:
        """Return the table of ``MLHAT.nodes``."""
        import pandas as pd

        columns, rows = self.columns(), self.rows()
        feature, nominal, threshold = columns["feature"], columns["is_nominal"], columns["threshold"]
        names = np.array([*(f.name for f in self.features), None], dtype=object)
        attempts = [self.attempt(int(s)) for s in rows]
        duels = [self.duel(int(s)) for s in rows]
        leaf = columns["is_leaf"]
        links, counts = self.tree.links[rows], self.tree.counts[rows]
        best = np.argsort(-counts, axis=1, kind="stable")[:, :3]
        return pd.DataFrame(
            {
                "id": columns["id"],
                **{n: columns[n] for n in ("parent", "competes_with", "is_leaf", "background", "depth")},
                "feature": names[feature],
                "operator": np.where(leaf, np.array(None), np.where(nominal, "=", "≤")),
                "threshold": np.where(nominal, math.nan, threshold),
                "category": np.array(
                    [
                        (self.features[f].categories or ())[int(c)] if n else None
                        for f, c, n in zip(feature, threshold, nominal, strict=True)
                    ],
                    dtype=object,
                ),
                "weight": columns["weight"],
                "weight_recent": columns["weight_recent"],
                "label_entropy": columns["entropy"],
                "n_labelsets": columns["n_labelsets"],
                "top_labels": [
                    [self.labels[j] for j in row if counts[i, j] > 0] for i, row in enumerate(best.tolist())
                ],
                "error": columns["error"],
                "error_of_alternate": [math.nan if d is None else d["e_alternate"] for d in duels],
                "epsilon_alt": [math.nan if d is None or d["epsilon"] is None else d["epsilon"] for d in duels],
                "regime": np.where(leaf, np.array(REGIMES, dtype=object)[columns["regime"]], None),
                "best": [a["best"] for a in attempts],
                "second_best": [a["second"] for a in attempts],
                **{
                    name: [math.nan if a[key] is None else a[key] for a in attempts]
                    for name, key in (
                        ("gain", "gain"),
                        ("second_gain", "second_gain"),
                        ("gap", "gap"),
                        ("epsilon_spl", "epsilon"),
                        ("next_attempt_in", "weight_until_attempt"),
                    )
                },
                "active": columns["active"],
                "born_at": links["born"],
                "last_seen_at": links["last"],
                "bytes": self.bytes_of(rows).astype(np.int64),
                **self.experts(rows),
            }
        ).set_index("id")

    def evidence(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight that leaves compare their features by, and the weight at which they will split.

        A leaf splits when it compares its features, every grace period, and its bound ε is below its lead (taken to
        stay what it was the last time) or below the tie bound. NaN for branches, for leaves that have not compared
        yet or no longer grow, and for those with one label set, or with a label that nearly all their rows have.
        """
        tree, settings = self.tree, self.settings
        have, split_at = np.full(len(rows), math.nan), np.full(len(rows), math.nan)
        links = tree.links[rows]
        observer = links["observer"]
        grows = np.flatnonzero((links["last_best"] >= 0) & (observer >= 0) & (links["n_sets"] > 1))
        seen = tree.seen[observer[grows]]
        mixed = (seen[:, 0] > 0) & (seen[:, 1:] <= settings.max_share_to_split * seen[:, :1]).all(axis=1)
        grows, weight = grows[mixed], seen[mixed, 0]
        values, links = tree.values[rows[grows]], links[grows]
        outcomes = [max(self.outcomes(int(s)), 1) for s in rows[grows]]
        ties = np.array([tie_bound(n, settings) for n in outcomes])
        target = np.maximum(values["last_gain"] - values["last_second_gain"], ties)
        bound = np.array([split_bound(n, w, settings.delta) for n, w in zip(outcomes, weight, strict=True)])
        grace = float(settings.grace_period)
        at = weight + np.where(links["search"] >= 0, 0.0, np.maximum(grace - values["since"], 0.0))
        with np.errstate(divide="ignore"):
            # ε falls as the square root of the weight grows
            needed = weight * (bound / target) ** 2
        more = np.where(needed >= at, np.floor((needed - at) / grace) + 1.0, 0.0)
        have[grows], split_at[grows] = weight, np.where(np.isfinite(needed), at + grace * more, math.nan)
        return have, split_at

    def attempt(self, s: int) -> dict[str, Any]:
        """Return a leaf's last attempt to split and when the next one comes; None for all that is unknown."""
        links, values, settings = self.tree.links[s], self.tree.values[s], self.settings
        attempt: dict[str, Any] = dict.fromkeys(
            ("best", "second", "gain", "second_gain", "gap", "epsilon", "tie", "weight_until_attempt",
             "instances_until_attempt", "instances_until_split")
        )  # fmt: skip
        if links["leaf"] < 0 or links["observer"] < 0:
            return attempt
        per_instance = values["weight"] / max(int(links["n_rows"]), 1) or 1.0
        waits = max(float(settings.grace_period) - float(values["since"]), 0.0)
        attempt["weight_until_attempt"] = 0.0 if links["search"] >= 0 else waits
        attempt["instances_until_attempt"] = math.ceil(attempt["weight_until_attempt"] / per_instance)
        weight = float(self.tree.seen[links["observer"], 0])
        outcomes = max(self.outcomes(s), 1)
        if weight > 0 and links["n_sets"] > 1:
            attempt["epsilon"] = float(split_bound(outcomes, weight, float(settings.delta)))
            attempt["tie"] = float(tie_bound(outcomes, settings))
        if links["last_best"] >= 0:
            gain, second = float(values["last_gain"]), float(values["last_second_gain"])
            attempt |= {"best": self._name(links["last_best"]), "gain": gain, "second_gain": second}
            attempt["gap"] = gain - second
            if links["last_second"] >= 0:
                attempt["second"] = self._name(links["last_second"])
            have, split_at = (float(each[0]) for each in self.evidence(np.array([s])))
            if not math.isnan(split_at):
                attempt["instances_until_split"] = math.ceil((split_at - have) / per_instance)
        return attempt

    def duel(self, s: int) -> dict[str, Any] | None:
        """Return the comparison of a node with its alternate, for either of the two; None if there is none."""
        links, values, settings = self.tree.links, self.tree.values, self.settings
        a = int(links["alternate"][s]) if links["leaf"][s] < 0 else -1
        node = s if a >= 0 else int(links["of"][s])
        a = a if a >= 0 else s
        if node < 0:
            return None
        weight, other_weight = float(values["error_weight"][node]), float(values["error_weight"][a])
        e, other = float(error_of(values, node)), float(error_of(values, a))
        epsilon = None
        if weight > 0 and other_weight > 0:
            epsilon = float(switch_bound(e, other, weight, other_weight, float(settings.switch_significance)))
        return {
            "node": int(links["id"][node]),
            "alternate": int(links["id"][a]),
            "e": e,
            "e_alternate": other,
            "epsilon": epsilon,
            "weight": weight,
            "weight_alternate": other_weight,
            "weight_until_compared": max(float(settings.alternate_grace_period) - min(weight, other_weight), 0.0),
        }

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return the details of ``MLHAT.describe_node``."""
        columns, rows = self.columns(), self.rows()
        at = np.flatnonzero(columns["id"] == node_id)
        if not len(at):
            return None
        i, s = int(at[0]), int(rows[at[0]])
        tree = self.tree
        links = tree.links[s]
        is_leaf = bool(columns["is_leaf"][i])
        weight = float(columns["weight"][i])
        shares = tree.counts[s] / max(weight, 1e-300)
        feature = int(columns["feature"][i])
        return {
            "id": int(node_id),
            "rule": self.rule(s),
            "depth": int(columns["depth"][i]),
            "is_leaf": is_leaf,
            "background": bool(columns["background"][i]),
            "competes_with": int(columns["competes_with"][i]),
            "test": None if is_leaf else test_in_words(self.features[feature], float(columns["threshold"][i]), True),
            "weight": weight,
            "weight_recent": float(columns["weight_recent"][i]),
            "labels": [(self.labels[j], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0],
            "entropy": float(columns["entropy"][i]),
            "n_labelsets": int(columns["n_labelsets"][i]),
            "labelsets": self.common_sets(int(node_id)) if is_leaf else [],
            "error": float(columns["error"][i]),
            "error_history": _from_ring(tree.history[s], int(links["n_history"])),
            "last_rows": _from_ring(tree.rows[s], int(links["n_rows"])),
            "race": self.attempt(s) if is_leaf else None,
            "duel": self.duel(s),
            "regime": REGIMES[int(columns["regime"][i])] if is_leaf else None,
            "active": bool(columns["active"][i]),
            "born_at": int(links["born"]),
            "last_seen_at": int(links["last"]),
        }

    def rule(self, s: int) -> list[str]:
        """Return the tests on the way from the root to a node, in words."""
        links, values = self.tree.links, self.tree.values
        rule = []
        place = int(links["of"][s]) if links["of"][s] >= 0 else s
        parent = int(links["parent"][s])
        while parent >= 0:
            feature = self.features[int(columns_at(self.tree, links["feature"][parent]))]
            point = float(values["threshold"][parent])
            rule.append(test_in_words(feature, point, bool(links["left"][parent] == place)))
            place = int(links["of"][parent]) if links["of"][parent] >= 0 else parent
            parent = int(links["parent"][parent])
        return rule[::-1]

    def common_sets(self, node_id: int) -> list[tuple[list[str], float]]:
        """Return the five most frequent label sets of a leaf, of equals the first seen, with their weights."""
        tree = self.tree
        own = np.flatnonzero((tree.pair_keys >= 0) & (tree.pair_keys >> 32 == node_id))
        own = own[np.lexsort((tree.pair_keys[own], -tree.pair_counts[own]))][:5]
        sets = []
        for at in own.tolist():
            bits = tree.set_words[int(tree.pair_keys[at]) & 0xFFFFFFFF]
            names = [label for j, label in enumerate(self.labels) if int(bits[j // 64]) >> (j % 64) & 1]
            sets.append((names, float(tree.pair_counts[at])))
        return sets


def _from_ring(values: np.ndarray, n: int) -> list:
    """Return the entries of a ring that has taken ``n`` values, oldest first."""
    size = len(values)
    return values[:n].tolist() if n <= size else np.roll(values, -(n % size)).tolist()
