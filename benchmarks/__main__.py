"""``python -m benchmarks NAME... [OPTIONS]`` runs the benchmarks named; without a name, or with --list, it lists them.

Options are for a single benchmark: ``python -m benchmarks smart --help``. ``python -m benchmarks all`` runs every one
with its defaults, which takes days, and writes their tables into docs/benchmarks.md.
"""

from __future__ import annotations

import sys

from benchmarks.harness import Command

BENCHMARKS = Command(
    "benchmarks",
    {
        "speed": ("smart", "mlhat", "council", "memory", "states", "arff", "tables", "generators", "startup"),
        "sparse": ("sparse",),
        "wide": ("wide",),
        "linear": ("linear",),
        "anchors": ("anchors",),
        "after_drift": ("after_drift",),
        "references": ("references",),
        "delays": ("delays",),
        "never_below": ("never_below",),
        "sealed": ("sealed",),
        "programs": (
            *("mlht", "pruned_sets", "hoeffding_trees", "remembered", "ensembles", "mlbels"),
            "river_recipes",
        ),
        "trees": ("mlhat_table", "drift"),
        "neighbours": ("balanced", "transductive", "hierarchical"),
        "page": ("monitor", "upload", "drag", "time_machine", "archive", "replay"),
        "classes": ("classes", "seen"),
        "bars": ("bars",),
        "first_minute": ("first_minute",),
        "commits": ("commits",),
        "study": ("study",),
        "study_scale": ("study_scale",),
        "study_tables": ("study_tables",),
        "growth": ("growth",),
        "house": ("house",),
        "importance": ("importance",),
        "shards": ("shards",),
        "cores": ("cores",),
    },
    page="docs/benchmarks.md",
    with_words=("sealed",),
)

if __name__ == "__main__":
    sys.exit(BENCHMARKS(sys.argv[1:]))
