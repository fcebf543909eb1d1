"""The tables of docs/drift_table.md, made of what is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pandas as pd

from benchmarks.harness import LOSSES, MISSING, figure, markdown
from benchmarks.kept import DRIFT, read
from benchmarks.trees import ANSWERS, NOTICED

__all__ = ["TABLES"]

KINDS = {"tree": "trees", "rbf": "RBF", "hp": "hyperplanes"}


@cache
def rows() -> pd.DataFrame:
    """What is kept, a row for each learner, stream and seed (of those that were printed alone: one of three seeds)."""
    found = read(DRIFT)
    return found.assign(kind=found.stream.str.split("-").str[1])


def shown(value: float, digits: int) -> str:
    return MISSING if pd.isna(value) else figure(float(value), digits)


def affected(value: float) -> str:
    """How many drifts made a learner fall, or that none did."""
    return "not affected" if value == 0 else shown(value, 2)


def chance(own: pd.DataFrame) -> str:
    """How often alarms at random places would have been as soon, where something was noticed; a dash: not all known."""
    known = own.by_chance.notna() | (own.detected == 0)
    return f"{100 * own.by_chance.mean():.1f} %" if known.all() else MISSING


def means() -> str:
    """A line for each learner that was run: its measures over the twelve streams, and what the drifts did to it."""
    found = rows()
    found = found[found.seeds == 1]
    by_kind = found.groupby(["learner", "kind"], sort=False).example_f1.mean().unstack()
    over = found.groupby("learner", sort=False)[[*ANSWERS, *NOTICED]].mean(numeric_only=True)
    lines = []
    for name, mean in over.sort_values("example_f1", ascending=False, kind="stable").iterrows():
        lines.append([
            name, shown(mean.example_f1, 3), *(shown(by_kind.loc[name, kind], 3) for kind in KINDS),
            shown(mean.cardinality_f1, 3), shown(mean.micro_f1, 3),
            *(shown(mean[loss], 4) for loss in LOSSES), shown(mean.detected, 2),
            chance(found[found.learner == name]), affected(mean.affected),
            f"{shown(mean.level, 3)} → {shown(mean.plateau, 3)}" if pd.notna(mean.level) else MISSING,
            shown(mean.settled, 2), shown(mean.settling_time, 0), shown(mean.settling_loss, 0),
        ])  # fmt: skip
    heads = ("learner", "example F1", *KINDS.values(), "by cardinality", "micro F1", "Hamming loss", "log loss",
             "Brier score", "noticed", "by chance", "affected", "before → after", "settled", "after",
             "lost until then")  # fmt: skip
    return markdown(heads, lines)


TABLES: dict[str, Callable[[], str]] = {"means": means}
"""What makes each table, by the name that stands above it."""
