"""The events of MLHAT: what each kind means, and the words for what the kernels noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from streamlab._checks import counted
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows_shown import test_in_words
from streamlab.learners.mlhat._settings import (
    DEACTIVATED,
    DRIFT,
    KEEPS,
    MEMORY,
    PROMOTED,
    PRUNED,
    SPLIT,
    STARTED,
    WARNING,
)
from streamlab.schema import Feature

ERRORS = {"e": "error e of the branch", "e_alternate": "error e′ of the alternate", "epsilon_alt": "bound ε"}

EVENTS: dict[str, EventKind] = {
    "split": EventKind(
        "A leaf splits",
        "A leaf compares its two best features. It splits if the best one's gain is ahead by more than the Hoeffding "
        "bound ε: more instances would hardly change the choice. It also splits once ε is below τ.",
        {
            "gain": "gain of the best feature, bits",
            "second_gain": "gain of the second best, bits",
            "epsilon": "Hoeffding bound ε",
            "weight": "weight seen",
        },
        noun="split",
        did="split",
        waits="still waits to be sure",
    ),
    "warning": EventKind(
        "Warning: the error of a branch changed",
        "Each branch has two change detectors (ADWIN) on its error. The more sensitive one found that recent errors "
        "differ from older ones.",
        {"before": "error before", "after": "error after"},
    ),
    "drift": EventKind(
        "Drift: the error of a branch changed",
        "Each branch has two change detectors (ADWIN) on its error. The stricter one found that recent errors differ "
        "from older ones.",
        {"before": "error before", "after": "error after"},
        is_detection=True,
        source="own detectors",
    ),
    "alternate_started": EventKind(
        "An alternate tree starts",
        "A detector found that the error of a branch has risen. A new tree, the alternate, starts beside the branch. "
        "It learns the same instances, and the two are compared.",
        {"before": "error before", "after": "error after", "e": ERRORS["e"]},
    ),
    "alternate_promoted": EventKind(
        "An alternate replaces its branch",
        "The alternate's error e′ is below the error e of the branch by more than the bound ε. The branch and "
        "everything below it are removed.",
        {**ERRORS, "nodes_lost": "nodes removed", "nodes_gained": "nodes of the alternate"},
        is_detection=True,
        source="promotions",
        replaces=True,
        noun="branch replacement",
        did="grew a better branch",
        without="keeps its old one",
    ),
    "alternate_pruned": EventKind(
        "An alternate is removed",
        "The alternate's error e′ is above the error e of the branch by more than the bound ε. The branch stays.",
        {**ERRORS, "nodes_lost": "nodes removed"},
    ),
    "deactivated": EventKind(
        "A leaf stops growing",
        "The tree needs memory. The leaf whose errors cost least so far (error times weight) gives up its split "
        "statistics. It still learns and answers.",
        {"weight": "weight seen", "error": "error of the leaf"},
    ),
    "memory_limit": EventKind(
        "The memory bound is reached",
        "The tree would need more memory than max_bytes. From now on, the leaves whose errors cost least stop growing.",
        {"bytes": "bytes needed", "max_bytes": "bytes allowed"},
    ),
    "label_new": EventKind("A new label", "It was not in the data before. It counts as absent in earlier instances."),
    "feature_new": EventKind(
        "A new feature",
        "It was not in the data before. In earlier instances it counts as zero, or as missing if it is nominal. "
        "Leaves may now split on it.",
    ),
}


HEDGED_EVENTS: dict[str, EventKind] = EVENTS | {
    "split": replace(
        EVENTS["split"],
        rule="A leaf compares its two best features. It splits if the best one's gain is ahead by more than the "
        "Hoeffding bound ε, or once ε is below τ·R, with R = log₂ of the label sets seen. The branch keeps the leaf's "
        "logistic regressions, unless it is too far above the leaves to be asked: they go on learning every instance "
        "that passes, and their answer is mixed with the one from below by what each has lost lately.",
        numbers={**EVENTS["split"].numbers, "keeps_regressions": "keeps the leaf's regressions"},
        did="split early",
        waits="",
    )
}
"""The events of a hedged tree."""


def test_of(feature: Feature, point: float) -> dict[str, Any]:
    """Return the test of a branch by name: its feature, and threshold or category."""
    categories = feature.categories
    return {
        "feature": feature.name,
        "threshold": point if categories is None else None,
        "category": None if categories is None else categories[int(point)],
    }


# what a number of the log becomes in an event; where nothing is said, a float
FROM_LOG: dict[str, Callable[[float], Any]] = {
    "rising": lambda value: value > 0,
    "reason": lambda value: "drift" if value else "warning",
    **dict.fromkeys(("alternate", "nodes_lost", "nodes_gained", "bytes", "max_bytes"), int),
}
CHANGE = (
    "{sign}the error of the branch at node {node} (mean loss of its answers) {moved} from {before:.3f} to {after:.3f}"
)
KINDS: dict[int, tuple[str, tuple[str, ...], str]] = {
    SPLIT: ("split", (), ""),
    DEACTIVATED: (
        "deactivated", ("weight", "error"),
        "leaf {node} stops growing to save memory (error {error:.3f}, weight {weight:,.0f})",
    ),
    WARNING: ("warning", ("before", "after", "rising"), CHANGE),
    DRIFT: ("drift", ("before", "after", "rising"), CHANGE),
    STARTED: (
        "alternate_started", ("alternate", "reason", "before", "after", "e"),
        "node {node}: alternate {alternate} starts after a {reason}; the error rose from {before:.3f} to {after:.3f}",
    ),
    PROMOTED: (
        "alternate_promoted", ("alternate", "e", "e_alternate", "epsilon_alt", "nodes_lost", "nodes_gained"),
        "alternate {alternate} replaces node {node}: its error {e_alternate:.3f} is below {e:.3f} by {gap}, more "
        "than ε {bound}; {lost} removed, {nodes_gained} added",
    ),
    PRUNED: (
        "alternate_pruned", ("alternate", "e", "e_alternate", "epsilon_alt", "nodes_lost"),
        "alternate {alternate} of node {node} is removed: its error {e_alternate:.3f} is above {e:.3f} by {gap}, more "
        "than ε {bound}; {lost} removed",
    ),
    MEMORY: (
        "memory_limit", ("bytes", "max_bytes"),
        "the memory bound is reached at node {node}: {bytes:,} bytes needed, {max_bytes:,} allowed",
    ),
}  # fmt: skip
"""By the kernels' code: the kind, the names of the log's numbers in its order, and the message."""


def event_of(row: Sequence[float], features: Sequence[Feature]) -> dict[str, Any]:
    """Return a row of the kernels' log as an event: kind, message, node, position, and its numbers by name."""
    code, node, position, *values, flags = row
    kind, names, message = KINDS[int(code)]
    event: dict[str, Any] = {"kind": kind, "message": "", "node": int(node), "position": int(position)}
    if code == SPLIT:
        return event | _split(int(node), values, bool(int(flags) % KEEPS), features)
    event |= {name: FROM_LOG.get(name, float)(value) for name, value in zip(names, values, strict=False)}
    rose = event.get("rising")
    # an error that fell warns of nothing: the branch learns
    words = {
        "sign": f"{kind}: " * bool(rose),
        "moved": "rose" if rose else "fell",
        "lost": counted(event.get("nodes_lost", 0), "node"),
    }
    if "epsilon_alt" in event:
        words["gap"], words["bound"] = as_distinct_texts(abs(event["e"] - event["e_alternate"]), event["epsilon_alt"])
    return event | {"message": message.format(**event, **words)}


def as_distinct_texts(one: float, other: float) -> tuple[str, str]:
    """Return two numbers as texts of three digits after the point, of up to eight where they would read the same."""
    texts = ((f"{one:.{digits}f}", f"{other:.{digits}f}") for digits in range(3, 9))
    return next((pair for pair in texts if pair[0] != pair[1]), (f"{one:.8f}", f"{other:.8f}"))


def hedged_event_of(row: Sequence[float], features: Sequence[Feature]) -> dict[str, Any]:
    """Return a row of the log of a hedged tree as an event; a split also says what the branch keeps."""
    event = event_of(row, features)
    if event["kind"] == "split":
        event["keeps_regressions"] = int(row[-1]) >= KEEPS
        message = event["message"].replace("is below τ", "is below its τ·R")
        kept = "keeps its regressions" if event["keeps_regressions"] else "does not keep its regressions"
        event["message"] = f"{message}; the branch {kept}"
    return event


def _split(node: int, numbers: list[float], background: bool, features: Sequence[Feature]) -> dict[str, Any]:
    f, point, gain, second, epsilon, weight = numbers
    feature = features[int(f)]
    tied = gain - second <= epsilon
    why = f"ε {epsilon:.3f} is below τ" if tied else f"ahead by {gain - second:.3f} > ε {epsilon:.3f}"
    where = f"alternate node {node}" if background else f"node {node}"
    return {
        "message": f"{where} split on {test_in_words(feature, point, True)} after a weight of {weight:,.0f}: "
        f"gain {gain:.3f} bits, {why}",
        **test_of(feature, point),
        "gain": gain,
        "second_gain": second,
        "epsilon": epsilon,
        "weight": weight,
        "tie": tied,
        "background": background,
    }
