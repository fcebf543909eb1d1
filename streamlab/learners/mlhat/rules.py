"""Rules that several of MLHAT's arrays must obey together: links that agree, lists that end, slots with one owner.

Each function that a rule is made of takes all arrays of a state by name, and returns a flag for each row: true where
the row breaks the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from streamlab.learners.base.storage_rules import Arrays, repeated
from streamlab.learners.mlhat import _tree as t


def links_of(arrays: Arrays) -> Any:
    return t.records("links", arrays["links"])


def cursor_of(arrays: Arrays, name: str = "cursor") -> Any:
    return t.records(name, arrays[name])[0]


# ---------------------------------------------------------------------- which nodes a rule is about


def alive(arrays: Arrays) -> np.ndarray:
    return links_of(arrays)["id"] >= 0


def leaves(arrays: Arrays) -> np.ndarray:
    return alive(arrays) & (links_of(arrays)["leaf"] >= 0)


def branches(arrays: Arrays) -> np.ndarray:
    return alive(arrays) & (links_of(arrays)["leaf"] < 0)


def numeric_features(arrays: Arrays) -> np.ndarray:
    return arrays["numeric"] >= 0


# ---------------------------------------------------------------------- rules about several arrays


def _flags(n: int, rows: np.ndarray) -> np.ndarray:
    bad = np.zeros(n, np.bool_)
    bad[rows] = True
    return bad


def wrong_child(column: str) -> Callable[[Arrays], np.ndarray]:
    """Return the rule's function: children are alive, name their parent, and lie one level below it.

    As the depth rises with every step, a way down the tree has no loop and ends within ``DEEPEST`` steps.
    """

    def finds_bad(arrays: Arrays) -> np.ndarray:
        links = links_of(arrays)
        rows = np.flatnonzero(branches(arrays))
        below = links[links[column][rows]]
        good = (
            (below["id"] >= 0)
            & (below["parent"] == rows)
            & (below["of"] < 0)
            & (below["depth"] == links["depth"][rows] + 1)
            & (below["background"] == links["background"][rows])
        )
        if column == "right":
            good &= links["left"][rows] != links["right"][rows]
        return _flags(len(links), rows[~good])

    return finds_bad


def wrong_alternate(arrays: Arrays) -> np.ndarray:
    """An alternate is alive, names its node, and stands beside it; leaves and background nodes have none."""
    links = links_of(arrays)
    bad = alive(arrays) & (links["alternate"] >= 0)
    rows = np.flatnonzero(bad & branches(arrays) & (links["background"] == 0))
    beside = links[links["alternate"][rows]]
    good = (
        (beside["id"] >= 0)
        & (beside["of"] == rows)
        & (beside["parent"] == links["parent"][rows])
        & (beside["depth"] == links["depth"][rows])
        & (beside["background"] == 1)
    )
    bad[rows[good]] = False
    return bad


def wrong_place(arrays: Arrays) -> np.ndarray:
    """Every node is the root, a child of its parent, or the alternate of the node that it names."""
    links, root, living = links_of(arrays), int(cursor_of(arrays).root), alive(arrays)
    parent, of = np.where(living, links["parent"], -1), np.where(living, links["of"], -1)
    own = np.arange(len(links))
    is_child = (parent >= 0) & ((links["left"][parent] == own) | (links["right"][parent] == own))
    is_child &= branches(arrays)[parent]
    is_alternate = (of >= 0) & (links["alternate"][of] == own) & branches(arrays)[of]
    is_root = (own == root) & (parent < 0) & (of < 0) & (links["depth"] == 0) & (links["background"] == 0)
    return living & ~np.where(of >= 0, is_alternate, is_child | is_root)


def wrong_category(feature_column: str, point_column: str, chosen: Callable[[Arrays], np.ndarray]):
    """Return the rule's function: the point of a nominal feature is one of its categories."""

    def finds_bad(arrays: Arrays) -> np.ndarray:
        links, values = links_of(arrays), t.records("values", arrays["values"])
        rows = np.flatnonzero(chosen(arrays) & (links[feature_column] >= 0))
        features = links[feature_column][rows]
        rows, features = rows[arrays["numeric"][features] < 0], features[arrays["numeric"][features] < 0]
        return _flags(len(links), rows[~_is_category(values[point_column][rows], arrays["n_categories"][features])])

    return finds_bad


def _is_category(values: np.ndarray, n_categories: np.ndarray) -> np.ndarray:
    return (values >= 0) & (values < n_categories) & (values == np.floor(values))


def _outside_free_list(following: np.ndarray, head: int, used: np.ndarray) -> np.ndarray:
    """Which rows break the free list: it holds every row that is not in use, once, and no other."""
    bad, steps = ~used, following.tolist()
    while 0 <= head < len(steps):
        if not bad[head]:
            # in use, or for the second time
            return _flags(len(steps), np.array([head]))
        bad[head] = False
        head = steps[head]
    return bad


def broken_free_nodes(arrays: Arrays) -> np.ndarray:
    return _outside_free_list(links_of(arrays)["left"], int(cursor_of(arrays).node_free), alive(arrays))


def broken_free_slots(following: str, column: str, head: str) -> Callable[[Arrays], np.ndarray]:
    def finds_bad(arrays: Arrays) -> np.ndarray:
        slots = links_of(arrays)[column][leaves(arrays)]
        used = _flags(len(arrays[following]), slots[slots >= 0])
        return _outside_free_list(arrays[following], int(cursor_of(arrays)[head]), used)

    return finds_bad


def _features_of_pool(arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """The feature in whose list each row of the pool is, -1 for none; and which rows are in two lists or in a loop."""
    heads, following = arrays["heads"], arrays["pool_next"]
    feature = np.full(len(following), -1, np.int64)
    twice = np.zeros(len(following), np.bool_)
    _, features = np.nonzero(heads >= 0)
    at = heads[heads >= 0]
    while len(at):
        again = (feature[at] >= 0) | repeated(at, np.ones(len(at), np.bool_))
        twice[at[again]] = True
        at, features = at[~again], features[~again]
        feature[at] = features
        at = following[at]
        at, features = at[at >= 0], features[at >= 0]
    return feature, twice


def broken_pool_lists(arrays: Arrays) -> np.ndarray:
    feature, twice = _features_of_pool(arrays)
    if twice.any():
        return twice
    if int((feature >= 0).sum()) != int(cursor_of(arrays).pool_used):
        # the cursor counts others
        return np.ones(len(feature), np.bool_)
    return _outside_free_list(arrays["pool_next"], int(cursor_of(arrays).pool_free), feature >= 0)


def wrong_pool_value(arrays: Arrays) -> np.ndarray:
    """In the list of a nominal feature a value is a category, or stands for "missing"."""
    feature, _ = _features_of_pool(arrays)
    rows = np.flatnonzero(feature >= 0)
    rows = rows[arrays["numeric"][feature[rows]] < 0]
    values = arrays["pool_value"][rows]
    good = (values == t.GONE) | _is_category(values, arrays["n_categories"][feature[rows]])
    return _flags(len(feature), rows[~good])


def wrong_offset(arrays: Arrays) -> np.ndarray:
    """The categories of nominal features lie in ``category_column`` one behind the other."""
    nominal, sizes = arrays["numeric"] < 0, arrays["n_categories"]
    ends = np.cumsum(np.where(nominal, sizes, 0))
    fits = len(arrays["category_column"]) == (ends[-1] if len(ends) else 0)
    return nominal & ((arrays["category_first"] != ends - sizes) | (not fits))


def without_column(arrays: Arrays) -> np.ndarray:
    """Of a feature of three categories or more the first has a column too."""
    return arrays["category_column"][arrays["category_first"][arrays["wide"]]] < 0


def unknown_set(arrays: Arrays) -> np.ndarray:
    keys, cursor = arrays["pair_keys"], cursor_of(arrays)
    return (keys >= 0) & (((keys & 0xFFFFFFFF) >= cursor.sets_used) | (keys >> 32 >= cursor.next_id))


def wrong_count(entry: str, count: Callable[[Arrays], int]) -> Callable[[Arrays], np.ndarray]:
    """Return the rule's function: an entry of the cursor is what can be counted."""

    def finds_bad(arrays: Arrays) -> np.ndarray:
        wrong = int(cursor_of(arrays)[entry]) != count(arrays)
        return _flags(len(arrays["cursor"]), np.array([t.column("cursor", entry)] if wrong else [], np.int64))

    return finds_bad


def n_observers(arrays: Arrays) -> int:
    return int((leaves(arrays) & (links_of(arrays)["observer"] >= 0)).sum())


def wrong_moments(arrays: Arrays) -> np.ndarray:
    """Of a leaf's rows some have a value other than 0 and some none: kernels divide by how many these are."""
    owned = links_of(arrays)["observer"][leaves(arrays)]
    owned = owned[owned >= 0]
    seen, stats = arrays["seen"][owned][:, None, :], t.records("stats", arrays["stats"])[owned]
    parts = np.stack([stats["n"], stats["missing"], seen - stats["n"] - stats["missing"]])
    return _flags(len(arrays["seen"]), owned[~(parts >= 0.0).all(axis=(0, 2, 3))])


# ---------------------------------------------------------------------- the regressions that branches keep


def _keeping(arrays: Arrays) -> np.ndarray:
    return branches(arrays) & (arrays["kept_slots"][:, 0] >= 0)


def broken_free_kept(arrays: Arrays) -> np.ndarray:
    used = _flags(len(arrays["kept_next"]), arrays["kept_slots"][_keeping(arrays), 0])
    return _outside_free_list(arrays["kept_next"], int(cursor_of(arrays, "kept_cursor").kept_free), used)


def wrong_count_of_kept(arrays: Arrays) -> np.ndarray:
    wrong = int(cursor_of(arrays, "kept_cursor").kept_used) != int(_keeping(arrays).sum())
    return _flags(
        len(arrays["kept_cursor"]), np.array([t.column("kept_cursor", "kept_used")] if wrong else [], np.int64)
    )
