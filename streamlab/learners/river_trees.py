"""What River's decision trees are made of, node by node, for the picture of a tree: read, and never changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows_shown import named_tests
from streamlab.learners.river_models import Reader, is_of, last_step

if TYPE_CHECKING:
    import pandas as pd

NONE_YET, MAJORITY, NAIVE_BAYES = 0, 1, 6
"""Codes of how a leaf answers, as the picture has them."""
REGIMES = {NONE_YET: "none yet", MAJORITY: "majority class", NAIVE_BAYES: "naive Bayes"}

ERRORS = {"e": "error e of the branch", "e_alternate": "error e' of the alternate", "epsilon_alt": "bound ε"}
EVENTS: dict[str, EventKind] = {
    "split": EventKind(
        "A leaf splits",
        "River compares its best two tests from time to time, and splits when the better one leads by more than the "
        "Hoeffding bound, or when that bound is below tau. What they gained River does not keep.",
        noun="split",
        did="split",
    ),
    "merged": EventKind("A split is taken back", "River found another test, or none, better than the one it had."),
    "alternate_started": EventKind(
        "An alternate tree starts",
        "The branch's drift detector saw its error rise. A new tree, the alternate, grows beside the branch on the "
        "same rows.",
    ),
    "alternate_promoted": EventKind(
        "An alternate replaces its branch",
        "The alternate's error e′ is below the error e of the branch by more than the bound ε. Or it was a leaf and "
        "split: River then puts the new branch in the old one's place, whatever the errors.",
        {**ERRORS, "nodes_lost": "nodes removed", "nodes_gained": "nodes of the alternate"},
        is_detection=True,
        source="promotions",
        replaces=True,
        noun="branch replacement",
        did="replaced a branch",
    ),
    "alternate_pruned": EventKind(
        "An alternate is removed",
        "The alternate's error e′ is above the error e of the branch by more than the bound ε, or its branch went.",
        ERRORS,
    ),
}


def is_tree(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a Hoeffding tree, adaptive or not."""
    return is_of(model, "tree", "HoeffdingTreeClassifier")


@dataclass(frozen=True, slots=True)
class Node:
    """A node of River's where it is: ids of what it hangs on (-1: nothing), or of the branch that it competes with."""

    own: Any
    id: int
    parent: int
    rival: int
    branch: int
    depth: int
    is_alternate: bool

    @property
    def is_leaf(self) -> bool:
        return not hasattr(self.own, "children")


class RiverTree(Reader):
    """The nodes of one of River's trees, with ids of their own: a node keeps its id as long as it is in the tree.

    A leaf that splits passes its id on to the branch that takes its place; no id is given twice. Copied together with
    the tree, it knows the copy's nodes.
    """

    picture: ClassVar[str] = "tree"
    reads = staticmethod(is_tree)

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._nodes: list[Node] = []
        self._next_id = 0
        self._counts: tuple[int, ...] = ()

    # ------------------------------------------------------------------ nodes

    def nodes(self, model: Any) -> list[Node]:
        """Return the nodes of a tree as it is now, parents before their children, alternates after their branches."""
        known = {id(node.own): node.id for node in self._nodes}
        places = {node.id: (node.parent, node.rival, node.branch) for node in self._nodes}
        # River puts an alternate that is a leaf, and splits, in the place of its branch at once
        leaves = {places[node.rival]: node.id for node in self._nodes if node.is_leaf and node.rival >= 0}
        leaves |= {places[node.id]: node.id for node in self._nodes if node.is_leaf}
        found: list[Node] = []
        root = last_step(model)._root
        waiting = [] if root is None else [(root, -1, -1, 0, 0, False)]
        for own, parent, rival, branch, depth, is_alternate in waiting:
            node_id = known.get(id(own))
            if node_id is None and hasattr(own, "children"):
                # it split: the leaf that was here, or the one beside it, has gone
                node_id = leaves.get((parent, rival, branch))
            if node_id is None:
                node_id, self._next_id = self._next_id, self._next_id + 1
            found.append(Node(own, node_id, parent, rival, branch, depth, is_alternate))
            children = [child for child in getattr(own, "children", ()) if child is not None]
            waiting += [(child, node_id, -1, place, depth + 1, is_alternate) for place, child in enumerate(children)]
            alternate = getattr(own, "_alternate_tree", None)
            if alternate is not None:
                waiting.append((alternate, -1, node_id, 0, depth, True))
        self._nodes = found
        return found

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what the picture of a tree draws, a row per node."""
        owner = self._learner
        model, nodes = last_step(owner.model), self.nodes(owner.model)
        features, classes = owner._feature_places, owner._class_places
        stats = [stats_of(node.own) for node in nodes]
        tests = [_test(node.own, features, owner._category_place) for node in nodes]
        weight = np.array([float(node.own.total_weight) for node in nodes])
        return {
            "id": np.array([node.id for node in nodes], np.int64),
            "parent": np.array([node.parent for node in nodes], np.int64),
            "competes_with": np.array([node.rival for node in nodes], np.int64),
            "branch": np.array([node.branch for node in nodes], np.int64),
            "depth": np.array([node.depth for node in nodes], np.int64),
            "feature": np.array([feature for feature, _, _ in tests], np.int64),
            "threshold": np.array([threshold for _, threshold, _ in tests], np.float64),
            "is_nominal": np.array([nominal for _, _, nominal in tests], bool),
            "weight": weight,
            "weight_recent": np.zeros(len(nodes)),
            "error": np.array([_error(node.own) for node in nodes], np.float64),
            "entropy": np.array([_entropy(each) for each in stats], np.float64),
            "n_labelsets": np.array([sum(value > 0 for value in each.values()) for each in stats], np.int64),
            "regime": np.array([regime_of(node, model) for node in nodes], np.int64),
            "top": np.array(
                [classes.get(max(each, key=each.__getitem__), -1) if each else -1 for each in stats], np.int64
            ),
            "is_leaf": np.array([node.is_leaf for node in nodes], bool),
            "background": np.array([node.is_alternate for node in nodes], bool),
            "active": np.array([not node.is_leaf or bool(node.own.is_active()) for node in nodes], bool),
        }

    def table(self) -> pd.DataFrame:
        """Return the nodes as ``MLHAT.nodes`` does; what River does not keep is missing."""
        import pandas as pd

        from streamlab.learners.mlhat.introspection import TreeReader, numbers_of

        columns, nodes = self.node_columns(), self._nodes
        by_id = {node.id: node for node in nodes}
        stories = [self._story(node, by_id) for node in nodes]
        races, duels = ([story[part] or {} for story in stories] for part in ("race", "duel"))
        leaf, nominal, threshold = (columns[name] for name in ("is_leaf", "is_nominal", "threshold"))
        is_one = nominal & ~np.isnan(threshold)  # a branch for each value has none of its own
        numbers = {name: numbers_of(races, name) for name in ("gain", "second_gain", "gap")}
        known = columns | numbers | {
            **named_tests(self._learner._features, columns["feature"], is_one, threshold),
            "operator": np.where(leaf, np.array(None), np.where(nominal, "=", "≤")),
            "weight_recent": math.nan,
            "label_entropy": columns["entropy"],
            "top_labels": [[name for name, _ in story["labels"][:3]] for story in stories],
            "error_of_alternate": numbers_of(duels, "e_alternate"),
            "epsilon_alt": numbers_of(duels, "epsilon"),
            "regime": [story["regime"] for story in stories],
            "best": [race.get("best") for race in races],
            "second_best": [race.get("second") for race in races],
            "epsilon_spl": numbers_of(races, "epsilon"),
            "next_attempt_in": numbers_of(races, "instances_until_attempt"),
            "active": leaf & columns["active"],
            "born_at": math.nan, "last_seen_at": math.nan,
            "bytes": [node.own._raw_memory_usage for node in nodes],
        }  # fmt: skip
        return pd.DataFrame({name: known[name] for name in ("id", *TreeReader.TABLE.split())}).set_index("id")

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of a node, as ``MLHAT.describe_node``; None where there is none of this id.

        River keeps no gains between two attempts to split: those of a leaf are computed, which changes nothing.
        """
        by_id = {node.id: node for node in self.nodes(self._learner.model)}
        return self._story(by_id[node_id], by_id) if node_id in by_id else None

    def _story(self, node: Node, by_id: Mapping[int, Node]) -> dict[str, Any]:
        model, own = last_step(self._learner.model), node.own
        stats, weight = stats_of(own), float(own.total_weight)
        total = sum(stats.values())
        shares = [(self._learner._class_name(name), value / total) for name, value in stats.items() if value > 0]
        duel = next((_duel(node, each) for each in by_id.values() if each.rival == node.id), None)
        if node.rival >= 0:
            duel = _duel(by_id[node.rival], node)
        return {
            "id": node.id,
            "rule": _rule(node, by_id),
            "depth": node.depth,
            "is_leaf": node.is_leaf,
            "background": node.is_alternate,
            "competes_with": node.rival,
            "weight": weight,
            "entropy": _entropy(stats),
            "n_labelsets": 0,
            "error": _error(own),
            "active": not node.is_leaf or bool(own.is_active()),
            "test": None if node.is_leaf else in_words(own, 0),
            "labels": sorted(shares, key=lambda each: -each[1]),
            "regime": REGIMES[regime_of(node, model)] if node.is_leaf else None,
            "labelsets": [],
            "error_history": [],
            "last_rows": [],
            "race": _race(own, model) if node.is_leaf and own.is_active() else None,
            "duel": duel,
            "born_at": None,
            "last_seen_at": None,
        }

    # ------------------------------------------------------------------ events

    def events(self, model: Any, position: int) -> list[dict[str, Any]]:
        """Return what has changed since the last call, after a row was learned; ``position``: rows learned.

        What River counts says whether anything has; the nodes before and after say what. The evidence for an
        alternate's end is read from the nodes that it was about.
        """
        tree = last_step(model)
        counts = tuple(getattr(tree, name, 0) for name in COUNTS)
        if counts == self._counts:
            return []
        self._counts = counts
        before = {node.id: node for node in self._nodes}
        after = {node.id: node for node in self.nodes(model)}
        return [event | {"position": position} for event in _changes(before, after, tree)]


COUNTS = (
    "_n_active_leaves", "_n_inactive_leaves", "_n_alternate_trees", "_n_switch_alternate_trees",
    "_n_pruned_alternate_trees",
)  # fmt: skip


def _changes(before: Mapping[int, Node], after: Mapping[int, Node], tree: Any) -> Iterator[dict[str, Any]]:
    replaced = {before[node.id].rival for node in after.values() if _took_over(node, before)}
    for node in after.values():
        was = before.get(node.id)
        if was is None and node.rival >= 0:
            yield {
                "kind": "alternate_started", "node": node.rival, "alternate": node.id,
                "message": f"node {node.rival}: alternate {node.id} starts, as the branch's error rose",
            }  # fmt: skip
        if was is not None and was.is_leaf and not node.is_leaf:
            yield {"kind": "split", "node": node.id, "message": f"node {node.id} split on {in_words(node.own, 0)}"}
        if _took_over(node, before):
            was = before[node.id]
            old = before[was.rival]
            yield _ended("alternate_promoted", old, was, tree, has_split=was.is_leaf and not node.is_leaf) | {
                "nodes_lost": len(_below(old.id, before)), "nodes_gained": len(_below(node.id, after)),
            }  # fmt: skip
    for node in before.values():
        if node.id in after or node.id in replaced:
            continue
        if node.rival in after:
            yield _ended("alternate_pruned", before[node.rival], node, tree)
        elif node.parent in after and not after[node.parent].is_leaf and not node.is_leaf:
            what = f"node {node.id}: the split on {in_words(node.own, 0)} was taken back"
            yield {"kind": "merged", "node": node.id, "message": what}


def _took_over(node: Node, before: Mapping[int, Node]) -> bool:
    return node.rival < 0 and node.id in before and before[node.id].rival >= 0


def _ended(kind: str, branch: Node, alternate: Node, tree: Any, has_split: bool = False) -> dict[str, Any]:
    """Return how a comparison ended: River's bound, from the errors that it compared."""
    duel = _duel(branch, alternate, tree)
    e, other = duel["e"], duel["e_alternate"]
    verb = "replaces" if kind == "alternate_promoted" else "is removed from"
    if has_split:
        verb = "split, and so took the place of"
    return {
        "kind": kind, "node": branch.id, "alternate": alternate.id, "e": e, "e_alternate": other,
        "epsilon_alt": duel["epsilon"] or 0.0,
        "message": f"alternate {alternate.id} {verb} node {branch.id}: its error {other:.3f}, the branch's {e:.3f}",
    }  # fmt: skip


def _duel(branch: Node, alternate: Node, tree: Any = None) -> dict[str, Any]:
    """Return how a branch and its alternate stand, by the errors that River compares."""
    e, other = branch.own._mean_error, alternate.own._mean_error
    bound = None
    if tree is not None and e.n and other.n:
        rate, n = e.get(), 1.0 / other.n + 1.0 / e.n
        bound = math.sqrt(2.0 * rate * (1.0 - rate) * math.log(2.0 / tree.switch_significance) * n)
    return {
        "node": branch.id, "alternate": alternate.id, "e": float(e.get()), "e_alternate": float(other.get()),
        "weight": float(e.n), "weight_alternate": float(other.n), "epsilon": bound,
    }  # fmt: skip


def _below(root: int, nodes: Mapping[int, Node]) -> set[int]:
    """Return a node's id and those of all below it; parents come before their children in ``nodes``."""
    found = {root}
    for node in nodes.values():
        if node.parent in found:
            found.add(node.id)
    return found


# ------------------------------------------------------------------ one node


def stats_of(own: Any) -> dict[Any, float]:
    """Return how often each class came to a node, as River counts it; of a branch without counts, those below it."""
    given = own.stats
    return {name: float(value) for name, value in given.items()} if isinstance(given, dict) else {}


def _entropy(stats: Mapping[Any, float]) -> float:
    shares = np.array([value for value in stats.values() if value > 0])
    shares = shares / shares.sum() if len(shares) else shares
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def _error(own: Any) -> float:
    """Return the error that an adaptive tree's node has counted; NaN for others, which count none."""
    mean = getattr(own, "_mean_error", None)
    return float(mean.get()) if mean is not None and mean.n else math.nan


def regime_of(node: Node, tree: Any) -> int:
    """Return how a leaf answers now, as its ``prediction`` decides it."""
    own = node.own
    if not node.is_leaf or not own.stats:
        return NONE_YET
    way = tree.leaf_prediction
    if not own.is_active() or way == "mc":
        return MAJORITY
    if way == "nb":
        return NAIVE_BAYES if own.total_weight >= tree.nb_threshold else MAJORITY
    return NAIVE_BAYES if own._nb_correct_weight >= own._mc_correct_weight else MAJORITY


def _test(own: Any, features: Mapping[Any, int], category: Callable[[int, Any], int | None]) -> tuple[int, float, bool]:
    """Return a branch's feature, its threshold or category (NaN: a branch for each), and whether it is nominal."""
    if not hasattr(own, "children"):
        return -1, math.nan, False
    feature = features.get(own.feature, -1)
    if hasattr(own, "threshold"):
        return feature, float(own.threshold), False
    place = category(feature, own.value) if hasattr(own, "value") else None
    return feature, math.nan if place is None else float(place), True


def in_words(own: Any, branch: int) -> str:
    """Return a branch's test as it is passed to one of its children."""
    if hasattr(own, "threshold"):
        digits = ",.0f" if abs(own.threshold) >= 10_000 else ".4g"
        return f"{own.feature} {'>' if branch else '≤'} {own.threshold:{digits}}"
    return str(own.repr_branch(branch))


def _rule(node: Node, by_id: Mapping[int, Node]) -> list[str]:
    rule = []
    while node.parent >= 0:
        above = by_id[node.parent]
        rule.append(in_words(above.own, node.branch))
        node = above
    return rule[::-1]


def _race(leaf: Any, tree: Any) -> dict[str, Any] | None:
    """Return which feature a leaf may split on next, by River's own rule."""
    # an adaptive tree that bootstraps weighs each row by Poisson's k, or by 1 where that is 0
    per_row = 1.0 + math.exp(-1.0) if getattr(tree, "bootstrap_sampling", False) else 1.0
    wait = max(math.ceil((tree.grace_period - (leaf.total_weight - leaf.last_split_attempt_at)) / per_row), 0)
    unknown = dict.fromkeys(("second", "gain", "second_gain", "gap", "epsilon", "tie", "instances_until_split"))
    if leaf.observed_class_distribution_is_pure():
        return {"best": None, "instances_until_attempt": wait, **unknown}
    criterion = tree._new_split_criterion()
    found: Sequence[Any] = sorted(leaf.best_split_suggestions(criterion, tree))
    if len(found) < 2 or found[-1].feature is None:
        return {"best": None, "instances_until_attempt": wait, **unknown}
    best, second = found[-1], found[-2]
    width = criterion.range_of_merit(leaf.stats)
    # a split that leaves one side all but empty has a merit of minus infinity
    has_second = math.isfinite(second.merit)
    gap = float(best.merit - second.merit) if has_second else float(width)
    goal = max(gap, tree.tau)
    needed = width**2 * math.log(1.0 / tree.delta) / (2.0 * goal**2)
    needed_delta = math.exp(-2.0 * leaf.total_weight * goal**2 / width**2)
    return {
        "best": str(best.feature), "second": str(second.feature) if has_second and second.feature is not None else None,
        "gain": float(best.merit), "second_gain": float(second.merit) if has_second else 0.0, "gap": gap,
        "epsilon": float(tree._hoeffding_bound(width, tree.delta, leaf.total_weight)), "tie": float(tree.tau),
        "instances_until_attempt": wait, "delta_needed": needed_delta,
        "instances_until_split": max(math.ceil((needed - leaf.total_weight) / per_row), wait),
    }  # fmt: skip
