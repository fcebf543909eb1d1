"""Trees as tables and words: what all of them show, and MLHAT's attempts to split and comparisons with alternates."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.fading import share_left
from streamlab.learners.base.rows_shown import named_tests, test_in_words
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat._answer import LEAST_ERROR, error_of, regimes, trust
from streamlab.learners.mlhat._learn import switch_bound
from streamlab.learners.mlhat._split import split_bound, tie_bound
from streamlab.learners.mlhat.growth import columns_at
from streamlab.learners.mlhat.storage import Tree
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

REGIMES = ("none yet", "majority", "knn", "bagging", "pruned sets", "models")


LATEST = 4
AS_THEY_ARE = (
    "depth", "is_leaf", "background", "competes_with", "weight", "weight_recent", "entropy", "n_labelsets", "error",
    "active",
)  # fmt: skip
"""Columns of a node that are among its details."""


@dataclass(frozen=True)
class NodeReader(ABC):
    """Reads a tree, of any kind, and changes nothing.

    Parameters
    ----------
    tree
        The arrays of the learner.
    settings
        Its parameters, as the kernels take them.
    features, labels
        The columns' features and names.
    """

    TABLE: ClassVar[str]
    """The columns of ``table``, in their order; those of ``experts`` follow."""
    tree: Any
    settings: Any
    features: Sequence[Feature]
    labels: Sequence[str]

    @abstractmethod
    def rows(self) -> np.ndarray:
        """Return the rows of ``links`` that are nodes, parents before their children."""

    @abstractmethod
    def columns(self) -> dict[str, np.ndarray]:
        """Return what the learner's ``node_columns`` says."""

    @abstractmethod
    def totals(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return of nodes the weight with each label, and the instances learned at their birth and latest instance."""

    def experts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return further columns of nodes, about the experts that answer in them; a plain tree has none."""
        return {}

    @abstractmethod
    def further(self, rows: np.ndarray, columns: dict[str, np.ndarray]) -> dict[str, Any]:
        """Return the columns of ``table`` that only this kind of tree has."""

    @abstractmethod
    def further_details(self, s: int, is_leaf: bool) -> dict[str, Any]:
        """Return the details that only this kind of tree has."""

    def table(self) -> pd.DataFrame:
        """Return the table that the learner's ``nodes`` returns."""
        import pandas as pd

        columns, rows = self.columns(), self.rows()
        leaf, nominal, threshold = (columns[name] for name in ("is_leaf", "is_nominal", "threshold"))
        sums, born, last = self.totals(rows)
        best = np.argsort(-sums, axis=1, kind="stable")[:, :3]
        known = columns | {
            **named_tests(self.features, columns["feature"], nominal, threshold),
            "operator": np.where(leaf, np.array(None), np.where(nominal, "=", "≤")),
            "label_entropy": columns["entropy"],
            "top_labels": [[self.labels[j] for j in row if sums[i, j] > 0] for i, row in enumerate(best.tolist())],
            "regime": np.where(leaf, np.array(REGIMES, dtype=object)[columns["regime"]], None),
            "born_at": born,
            "last_seen_at": last,
            **self.further(rows, columns),
        }
        names = ("id", *self.TABLE.split(), *self.experts(rows))
        return pd.DataFrame({name: known[name] for name in names}).set_index("id")

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return what the learner's ``describe_node`` says."""
        columns, rows = self.columns(), self.rows()
        at = np.flatnonzero(columns["id"] == node_id)
        if not len(at):
            return None
        i, s = int(at[0]), int(rows[at[0]])
        own = {name: values[i].item() for name, values in columns.items()}
        is_leaf, (sums, born, last) = own["is_leaf"], self.totals(s)
        shares = sums / max(own["weight"], 1e-300)
        return {
            "id": int(node_id),
            "rule": self.rule(columns, i),
            **{name: own[name] for name in AS_THEY_ARE},
            "test": None if is_leaf else test_in_words(self.features[own["feature"]], own["threshold"], True),
            "labels": [(self.labels[j], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0],
            "regime": REGIMES[own["regime"]] if is_leaf else None,
            **{"labelsets": [], "error_history": [], "last_rows": [], "race": None, "duel": None},
            "born_at": int(born),
            "last_seen_at": int(last),
            **self.further_details(s, is_leaf),
        }

    def rule(self, columns: dict[str, np.ndarray], i: int) -> list[str]:
        """Return the tests on the way from the root to the node at a place of the columns, in words."""
        place_of = {node: place for place, node in enumerate(columns["id"].tolist())}
        rule = []
        while columns["parent"][i] >= 0:
            is_left = bool(columns["branch"][i] == 0)
            i = place_of[int(columns["parent"][i])]
            feature = self.features[int(columns["feature"][i])]
            rule.append(test_in_words(feature, float(columns["threshold"][i]), is_left))
        return rule[::-1]


def about_labels(sums: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes' label entropies (bits), and the column of each one's commonest label, -1 for none."""
    share = sums / np.maximum(weight, 1e-300)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    entropy = np.where((share > 0) & (share < 1), bits, 0.0).sum(axis=1)
    top = sums.argmax(axis=1) if sums.size else np.full(len(sums), -1)
    return entropy, np.where(sums.max(axis=1, initial=0.0) > 0, top, -1)


def faded(recent: np.ndarray, last: np.ndarray, position: int) -> np.ndarray:
    """Return the nodes' recent weights as they are now, from those at each one's latest instance."""
    now: np.ndarray = recent * share_left(np.maximum(position - 1 - last, 0), t.RECENT_HALF_LIFE)
    return now


class TreeReader(NodeReader):
    """Reads a tree of MLHAT, or of its kind."""

    tree: Tree
    TABLE = (
        "parent competes_with is_leaf background depth feature operator threshold category weight weight_recent "
        "label_entropy n_labelsets top_labels error error_of_alternate epsilon_alt regime best second_best gain "
        "second_gain gap epsilon_spl next_attempt_in active born_at last_seen_at bytes"
    )

    def rows(self) -> np.ndarray:
        """Return the rows of ``links`` that are nodes, parents before their children."""
        links = self.tree.links[: int(self.tree.cursor[0].node_top)]
        rows = np.flatnonzero(links["id"] >= 0)
        return rows[np.lexsort((links["id"][rows], links["depth"][rows]))]

    def columns(self) -> dict[str, np.ndarray]:
        """Return the columns of ``MLHAT.node_columns``."""
        tree, rows = self.tree, self.rows()
        recent = faded(tree.values["recent"][rows], tree.links["last"][rows], int(tree.cursor[0].position))
        links, values, counts = tree.links[rows], tree.values[rows], tree.counts[rows]
        is_leaf = links["leaf"] >= 0
        weight = values["weight"]
        entropy, top = about_labels(counts, weight)
        mean = values["error_sum"] / np.maximum(values["error_weight"], 1e-300)
        error = np.where(values["error_weight"] > 0, mean, values["born_error"])
        return {
            "id": links["id"].copy(), "parent": self._ids(links["parent"]), "competes_with": self._ids(links["of"]),
            "is_leaf": is_leaf, "background": links["background"] > 0, "depth": links["depth"].copy(),
            "feature": np.where(is_leaf, -1, columns_at(tree, links["feature"])),
            "is_nominal": ~is_leaf & (links["nominal"] > 0),
            "threshold": np.where(is_leaf, math.nan, values["threshold"]), "branch": self._sides(rows),
            "weight": weight.copy(), "weight_recent": recent, "error": error, "entropy": entropy,
            "error_recent": np.where(links["n_history"] > 0, self._latest(rows), error),
            "n_labelsets": links["n_sets"].copy(), "regime": self.regimes(rows), "top": top,
            "active": is_leaf & (links["observer"] >= 0), "readiness": np.divide(*self.evidence(rows)),
            **self.experts(rows),
        }  # fmt: skip

    def _latest(self, rows: np.ndarray) -> np.ndarray:
        """Return the mean of the latest errors noted, up to ``LATEST`` of 50 instances each; 0 without one."""
        history, noted = self.tree.history[rows], self.tree.links["n_history"][rows]
        back = np.arange(min(LATEST, history.shape[1]))
        latest = np.take_along_axis(history, (noted[:, None] - 1 - back) % history.shape[1], axis=1)
        return (latest * (back < noted[:, None])).sum(axis=1) / np.clip(noted, 1, len(back))

    def outcomes(self, s: int) -> int:
        """Return what the Hoeffding bound of a leaf counts: the label sets that it has seen."""
        return int(self.tree.links["n_sets"][s])

    def regimes(self, rows: np.ndarray) -> np.ndarray:
        """Return with which classifier each leaf among the nodes answers, an index of ``REGIMES``; 0 for branches."""
        regime = np.zeros(len(rows), np.int64)
        regimes(self.tree, rows, self.settings, regime)
        return regime

    def totals(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return of nodes the weight with each label, and when they were born and came last."""
        links = self.tree.links[rows]
        return self.tree.counts[rows], links["born"], links["last"]

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

    def further(self, rows: np.ndarray, columns: dict[str, np.ndarray]) -> dict[str, Any]:
        """Return the comparisons of nodes with their alternates, attempts to split, and bytes."""
        attempts, duels = [self.attempt(int(s)) for s in rows], [self.duel(int(s)) or {} for s in rows]
        numbers = {
            "gain": "gain", "second_gain": "second_gain", "gap": "gap", "epsilon_spl": "epsilon",
            "next_attempt_in": "weight_until_attempt",
        }  # fmt: skip
        return {
            "error_of_alternate": numbers_of(duels, "e_alternate"),
            "epsilon_alt": numbers_of(duels, "epsilon"),
            "best": [a["best"] for a in attempts],
            "second_best": [a["second"] for a in attempts],
            **{name: numbers_of(attempts, key) for name, key in numbers.items()},
            "bytes": self.bytes_of(rows).astype(np.int64),
            **self.experts(rows),
        }

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
            "node": int(links["id"][node]), "alternate": int(links["id"][a]), "e": e, "e_alternate": other,
            "epsilon": epsilon, "weight": weight, "weight_alternate": other_weight,
            "weight_until_compared": max(float(settings.alternate_grace_period) - min(weight, other_weight), 0.0),
        }  # fmt: skip

    def parts_of(self, x: Any) -> list[tuple[int, float]]:
        """Return what ``HoeffdingTree.answer_parts`` says: as the kernel ``combine`` has it, from the leaf up."""
        tree, settings = self.tree, self.settings
        links, values = tree.links, tree.values

        def answer(top: int, combines: bool) -> tuple[int, dict[int, float]]:
            """Return the leaf below a node, and the shares of all that answer there, by their rows of ``links``."""
            way = [top]
            while links["leaf"][way[-1]] < 0:
                way.append(self._child_of(way[-1], x))
            leaf = way.pop()
            shares, total = {leaf: 1.0}, 1 / (error_of(values, leaf) ** 2 + LEAST_ERROR)
            for height, s in enumerate(reversed(way), 1):
                is_near = height <= settings.kept_levels or links["depth"][s] == 0
                if settings.hedged and tree.kept_slots[s, 0] >= 0 and is_near:
                    own, below = tree.expert_losses[s].tolist()
                    shares = _mixed(shares, {s: 1.0}, trust(own, below, settings.eta))
                a = int(links["alternate"][s]) if combines else -1
                other, theirs = answer(a, False) if a >= 0 else (-1, {})
                if a >= 0 and values["weight"][other] > settings.alternate_grace_period:
                    vote = 1 / (error_of(values, other) ** 2 + LEAST_ERROR)
                    total += vote
                    shares = _mixed(shares, theirs, vote / total)
            return leaf, shares

        _, shares = answer(int(tree.cursor[0].root), bool(settings.combine_alternates))
        return [(int(links["id"][s]), float(share)) for s, share in shares.items()]

    def _child_of(self, s: int, x: Any) -> int:
        """Return to which child of a branch a row goes, as the kernel ``child_of`` has it."""
        links, values = self.tree.links[s], self.tree.values
        left, right, column = int(links["left"]), int(links["right"]), int(columns_at(self.tree, links["feature"]))
        value, bar = x[(0, column) if hasattr(x, "indptr") else column], values["threshold"][s]
        if math.isnan(value):
            return right if values["weight"][right] > values["weight"][left] else left
        return left if (value == bar if links["nominal"] else value <= bar) else right

    def further_details(self, s: int, is_leaf: bool) -> dict[str, Any]:
        """Return label sets, histories, the last attempt to split, and the comparison with an alternate."""
        links = self.tree.links[s]
        return {
            "labelsets": self.common_sets(int(links["id"])) if is_leaf else [],
            "error_history": _from_ring(self.tree.history[s], int(links["n_history"])),
            "last_rows": _from_ring(self.tree.rows[s], int(links["n_rows"])),
            "race": self.attempt(s) if is_leaf else None, "duel": self.duel(s),
        }  # fmt: skip

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


def numbers_of(stories: Sequence[dict[str, Any]], name: str) -> list[float]:
    """Return a number of each story, NaN where it is missing or None."""
    return [math.nan if story.get(name) is None else story[name] for story in stories]


def _mixed(shares: dict[int, float], others: dict[int, float], share: float) -> dict[int, float]:
    """Return the shares in an answer of which others have a share together."""
    return {s: (1 - share) * own for s, own in shares.items()} | {s: share * own for s, own in others.items()}


def _from_ring(values: np.ndarray, n: int) -> list:
    """Return the entries of a ring that has taken ``n`` values, oldest first."""
    size = len(values)
    return values[:n].tolist() if n <= size else np.roll(values, -(n % size)).tolist()
