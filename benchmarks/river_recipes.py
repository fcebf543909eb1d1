"""River's learners with the study's parameters beside the figures of the study, on three of its sets."""

from __future__ import annotations

import argparse
from pathlib import Path

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import MISSING, Results, figure, mean, print_table
from benchmarks.mlhat_table import measured
from streamlab.learners import RECIPES
from streamlab.learners.river_recipes import RIVER_RECIPES

SETS = ("emotions", "yeast", "water quality")
VALUES = ("rows", "seconds", "f1", "micro_f1")
# example F1 by set: measured with River 0.26.1 without this package, then published (Table 6 of MLHAT's paper)
EXPECTED: dict[str, tuple[tuple[float | None, ...], tuple[float, ...]]] = {
    "HT one per label": ((0.546, 0.584, 0.397), (0.544, 0.582, 0.394)),
    "HAT one per label": ((0.547, 0.576, 0.387), (0.542, 0.575, 0.406)),
    "EFDT one per label": ((0.496, 0.573, 0.433), (0.492, 0.570, 0.430)),
    "SGT one per label": ((0.171, None, 0.164), (0.318, 0.422, 0.259)),
    "MT one per label": ((0.043, None, 0.359), (0.019, 0.454, 0.330)),
    "AMF one per label": ((0.458, None, 0.507), (0.338, 0.461, 0.480)),
    "ARF one per label": ((0.453, None, 0.503), (0.461, 0.548, 0.503)),
    "KNN one per label": ((0.429, 0.564, 0.523), (0.445, 0.562, 0.524)),
    "NB one per label": ((0.601, 0.535, 0.528), (0.601, 0.533, 0.525)),
    "ABALR one per label": ((0.268, 0.465, 0.536), (0.273, 0.463, 0.524)),
    "ABOLR one per label": ((0.280, 0.464, 0.532), (0.283, 0.465, 0.528)),
    "AMR one per label": ((0.292, None, 0.530), (0.291, 0.464, 0.528)),
    "iSOUPT": ((0.292, 0.478, 0.524), (0.291, 0.476, 0.522)),
}


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.river_recipes", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--recipes", nargs="+", choices=[each.name for each in RIVER_RECIPES])
    arguments.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    # as ``python -m benchmarks river_recipes`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    results = Results(choices.out, ("stream", "learner", "seed"), VALUES)
    names = choices.recipes or [each.name for each in RIVER_RECIPES]
    for stream in choices.sets if SHARED.is_dir() else ():
        for name in names:
            if not results.holds(stream, name, 1):
                results.add(measured(stream, name, 1, sl.make_learner(name, 1)))
    lines = []
    for name in names:
        own, published = EXPECTED.get(name, ((None,) * 3, (None,) * 3))
        found = {row["stream"]: row for row in results.rows if row["learner"] == name}
        cells = []
        for at, stream in enumerate(SETS):
            here = [found[stream]] if stream in found else []
            sheet = (MISSING if value[at] is None else f"{value[at]:.3f}" for value in (own, published))
            cells.append(" / ".join([figure(mean(here, "f1")), *sheet]))
        speed = MISSING
        if "yeast" in found:
            speed = f"{found['yeast']['rows'] / max(found['yeast']['seconds'], 1e-9):,.0f}"
        about = RECIPES.load(name).about
        lines.append([name, *cells, figure(mean(found.values(), "micro_f1")), speed, about])
    header = ("recipe", *(f"{name}: here / River alone / published" for name in SETS), "mean micro F1",
              "yeast rows/s (CPU)", "what it is")  # fmt: skip
    print_table("River's learners with the study's parameters: example F1 of the whole stream, 0/0 = 0", header, lines)


if __name__ == "__main__":
    main()
