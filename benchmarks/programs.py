"""Learners beside their authors' programs, MEKA, River and the figures of papers, on the published sets.

All figures are example F1 over all rows in file order, test then train, 0/0 = 0; "program" is what the authors' own
program reached, "published" table 6 of MLHAT's paper. Speeds are rows a second of CPU.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlab as sl
from benchmarks.data import Data, missing, read
from benchmarks.harness import MISSING, Followed, Results, Sheet, asked, figure, followed, mean, shown
from streamlab.learners import RECIPES, Learner
from streamlab.learners.river_recipes import RIVER_RECIPES

Make = Callable[[int], Learner]
FIRST = 3000
"""Rows of the large sets that programs were measured on."""
LARGE = ("20ng", "tmc")
WHOLE = ", whole"
"""What follows the name of a large set that is taken as a whole."""
EAGER = 1.0

# expected figures of a set, in the order of the heads of a table
MLHT: dict[str, tuple[float | None, ...]] = {
    "emotions": (0.295, 0.333), "yeast": (0.521, 0.519), "water quality": (0.240, 0.239), "flags": (None, 0.615),
    "scene": (None, 0.184), "birds": (None, 0.000), "medical": (None, 0.231), "enron": (None, 0.310),
    "slashdot": (None, 0.150), "20ng, whole": (None, 0.083), "tmc, whole": (None, 0.215),
}  # fmt: skip
MEKA: dict[str, tuple[float | None, ...]] = {
    "emotions": (0.549, 0.283, 0.520), "yeast": (0.570, 0.557, 0.565), "water quality": (0.291, None, 0.352),
}  # fmt: skip
"""PSUpdateable over WEKA's Hoeffding tree, with a buffer of 100 and 1,000 rows, and a powerset that prunes nothing."""
TREES: dict[str, tuple[float | None, ...]] = {
    "emotions": (0.546, 0.544), "yeast": (0.584, 0.593), "water quality": (0.397, None), "scene": (None, None),
}  # fmt: skip
"""River's trees (delta 1e-5) and WEKA's (1e-7), one per label."""
REMEMBERED: dict[str, dict[str, tuple[float | None, ...]]] = {
    "ARkNN": {
        "emotions": (0.579,), "yeast": (0.560,), "scene": (0.879,), "water quality": (0.510,), "enron": (0.481,),
        "slashdot": (0.334,), "20ng": (0.437,), "medical": (0.511,), "tmc": (0.531,), "birds": (0.093,),
    },
    "MLSAMPkNN": {
        "emotions": (0.553,), "yeast": (0.559,), "scene": (0.889,), "water quality": (0.519,), "enron": (0.368,),
        "slashdot": (0.228,), "20ng": (0.240,), "medical": (0.537,), "tmc": (0.487,), "birds": (0.082,),
    },
    "MLSAkNN": {
        "emotions": (0.368,), "yeast": (0.489,), "scene": (0.895,), "water quality": (0.526,), "enron": (0.401,),
        "slashdot": (0.213,), "20ng": (0.246,), "medical": (0.485,), "tmc": (0.479,), "birds": (None,),
    },
}  # fmt: skip
"""The authors' programs (Java); there is no seed."""
ENSEMBLE_SETS = ("emotions", "yeast", "scene", "water quality", "birds")
GOOWE: dict[tuple[str, int], dict[str, float]] = {
    ("chain", 50): {"emotions": 0.548, "yeast": 0.614, "scene": 0.680, "water quality": 0.452, "birds": 0.098},
    ("chain", 100): {"emotions": 0.491, "yeast": 0.599},
    ("relevance", 50): {"emotions": 0.560, "yeast": 0.612},
    ("relevance", 100): {},
    ("logistic", 50): {},
    ("logistic", 100): {},
    ("pruned_sets", 50): {"emotions": 0.538, "yeast": 0.604},
    ("pruned_sets", 100): {},
}
"""GOOWE-ML's program by base and rows of a chunk; it does not answer the first chunk."""
BAGGING: dict[tuple[str, str | None], dict[str, float]] = {
    ("relevance", None): {"emotions": 0.545, "yeast": 0.606},
    ("relevance", "adwin"): {"emotions": 0.545, "yeast": 0.606},
    ("chain", None): {"emotions": 0.534, "yeast": 0.605},
    ("chain", "adwin"): {"emotions": 0.534, "yeast": 0.608},
    ("pruned_sets", None): {"emotions": 0.511, "yeast": 0.565},
    ("pruned_sets", "adwin"): {},
}
"""MOA's programs by base and detector."""
BELS: dict[int, dict[str, tuple[str | None, ...]]] = {
    3: {
        "emotions": (None, None), "yeast": (".597", ".614"), "scene": (None, None), "water quality": (None, None),
        "medical": (".618", ".671"), "enron": (".507", ".523"), "slashdot": (".398", ".407"), "20ng": (".371", ".377"),
        "tmc": (".600", ".610"),
    },
    100: {
        "emotions": (".468–.486", ".555–.576"), "yeast": (".590", ".607"), "scene": (".719", ".737"),
        "water quality": (".425", ".452"), "medical": (".621", ".675"), "enron": (".502", ".518"),
    },
}  # fmt: skip
"""ML-BELS's program by its most learners: over all rows, and without the first chunk."""
RIVERS: dict[str, tuple[tuple[float | None, ...], tuple[float | None, ...]]] = {
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
"""River 0.26.1 without this package, and published, on ``RIVER_SETS``."""
RIVER_SETS = ("emotions", "yeast", "water quality")


# ---------------------------------------------------------------------- what all of them do


def rows_of(name: str) -> Data:
    """A set as its program was measured on it: of a large one the first rows, unless the name says "whole"."""
    schema, X, Y = read(name.removesuffix(WHOLE))
    n = FIRST if name in LARGE else None
    return schema, X[:n], Y[:n]


def run(name: str, make: Make, seeds: Sequence[int] = (1,), chunk: int = 100) -> list[Followed]:
    """A learner over a set, once for each seed; its kernels are compiled before."""
    data = rows_of(name)
    followed(make(seeds[0]), (data[0], data[1][:chunk], data[2][:chunk]), chunk)
    return [followed(make(seed), data, chunk) for seed in seeds]


def f1_of(learner: str, name: str, **parameters: Any) -> float:
    """Example F1 of a learner over a set."""
    return followed(getattr(sl, learner)(**parameters), rows_of(name)).figures()["f1"]


def spread(values: Sequence[float]) -> str:
    """The mean, with the lowest and the highest where they differ."""
    low, high = min(values), max(values)
    return f"{statistics.mean(values):.3f}" + (f" ({low:.3f}–{high:.3f})" if high - low >= 0.0005 else "")


class Peer(NamedTuple):
    """One of River's recipes that is asked in the same run, on so many first rows, of which features are numbers."""

    recipe: str
    n_rows: int

    def rate(self, name: str) -> float:
        schema, X, Y = rows_of(name)
        numbers = sl.Schema(tuple(sl.Feature(feature.name) for feature in schema.features), schema.labels)
        return followed(sl.make_learner(self.recipe), (numbers, X[: self.n_rows], Y[: self.n_rows])).rate


def beside(
    title: str,
    sets: Mapping[str, Sequence[float | str | None]],
    heads: Sequence[str],
    learners: Mapping[str, Make],
    *,
    seeds: Sequence[int] = (1,),
    chunk: int = 100,
    first_chunk: bool = False,
    peer: Peer | None = None,
) -> None:
    """Show a line for each set: what was expected, the F1 of each learner, and more of the first of them.

    Parameters
    ----------
    sets, heads
        Expected figures of each set, and what they are.
    learners
        By their heads, from a seed.
    first_chunk
        Whether to show the F1 also with a first chunk that is not answered, and without that chunk.
    peer
        Whose speed is measured beside.
    """
    apart = ("first chunk unanswered", "without the first chunk") if first_chunk else ()
    rates = ("rows/s", "River's", "times") if peer else ("rows/s",)
    sheet = Sheet(title, ("", "rows", *heads, *learners, *apart, "micro F1", "splits", "replaced", *rates, "MB"))
    for name, expected in sets.items():
        found = [run(name, make, seeds, chunk) for make in learners.values()]
        own = found[0]
        f1s = [each.row_f1() for each in own]
        parts = [spread([float(f1[chunk:].sum() / len(f1)) for f1 in f1s])] if first_chunk else []
        parts += [spread([float(f1[chunk:].mean()) for f1 in f1s])] if first_chunk else []
        rate = statistics.median(each.rate for each in own)
        speeds = [f"{rate:,.0f}"]
        if peer is not None:
            slow = peer.rate(name)
            speeds += [f"{slow:,.0f}", f"{rate / slow:,.0f}"]
        sheet.add(
            name, len(own[0].Y), *map(shown, expected),
            *(spread([float(each.row_f1().mean()) for each in runs]) for runs in found), *parts,
            statistics.fmean(each.figures()["micro_f1"] for each in own), *(max(each.count(kind) for each in own)
            for kind in ("split", "replaced")), *speeds, f"{max(each.model.n_bytes for each in own) / 1e6:.2f}",
        )  # fmt: skip
    sheet.show()


def chosen(sets: Mapping[str, Sequence], names: Sequence[str]) -> dict[str, Sequence]:
    """Those of the sets that are asked for."""
    return {name: expected for name, expected in sets.items() if name in names}


# ---------------------------------------------------------------------- the benchmarks


def mlht(options: Sequence[str]) -> None:
    """MLHT beside the most frequent label set, its authors' program and published figures."""
    given = asked("mlht", options, sets=list(MLHT))
    learners = {
        "MLHT": lambda seed: sl.MLHT(),
        f"MLHT, tau={EAGER:g}": lambda seed: sl.MLHT(tau=EAGER),
        "MajorityLabels": lambda seed: sl.MajorityLabels(),
    }
    if not missing():
        beside("MLHT", chosen(MLHT, given.sets), ("program", "published"), learners)


def pruned_sets(options: Sequence[str]) -> None:
    """PrunedSets beside MEKA's pruned sets."""
    given = asked("pruned_sets", options, sets=list(MEKA))
    if missing():
        return
    learners = {
        "PrunedSets": lambda seed: sl.PrunedSets(),
        "buffer=1000": lambda seed: sl.PrunedSets(buffer=1000),
        'base="bayes"': lambda seed: sl.PrunedSets(base="bayes"),
        "reintroduce=1": lambda seed: sl.PrunedSets(reintroduce=1),
    }
    beside("PrunedSets", chosen(MEKA, given.sets), ("MEKA", "MEKA, buffer 1,000", "MEKA, nothing pruned"), learners)


def hoeffding_trees(options: Sequence[str]) -> None:
    """HoeffdingTrees beside River's and WEKA's trees, one per label, and River's speed in the same run."""
    given = asked("hoeffding_trees", options, sets=list(TREES))
    learners = {
        "delta=1e-5": lambda seed: sl.HoeffdingTrees(delta=1e-5),
        "delta=1e-7": lambda seed: sl.HoeffdingTrees(delta=1e-7),
    }
    if not missing():
        sets = chosen(TREES, given.sets)
        beside("HoeffdingTrees", sets, ("River", "WEKA"), learners, peer=Peer("HT one per label", 600))


def remembered(options: Sequence[str]) -> None:
    """ARkNN, MLSAMPkNN and MLSAkNN beside the figures of their authors' programs."""
    given = asked("remembered", options, learners=list(REMEMBERED), sets=list(REMEMBERED["ARkNN"]), repeats=3)
    for name in [] if missing() else given.learners:
        sets = chosen(REMEMBERED[name], given.sets)
        # every seed gives the same: the repeats are for the median of the speed
        beside(
            name, sets, ("program",), {name: lambda seed, name=name: getattr(sl, name)()}, seeds=range(given.repeats)
        )


def ensembles(options: Sequence[str]) -> None:
    """GOOWE and OnlineBagging beside the programs of their authors (10 minutes)."""
    every = [*ENSEMBLE_SETS, "medical", "enron"]
    families = ["GOOWE", "OnlineBagging"]
    given = asked("ensembles", options, sets=every, seeds=(0, 1, 2), families=families)
    if missing():
        return
    for (base, chunk), program in GOOWE.items() if "GOOWE" in given.families else ():
        title = f"GOOWE({base!r}, chunk={chunk})"
        make = {"F1, all rows": lambda seed, base=base, chunk=chunk: sl.GOOWE(base, chunk=chunk, seed=seed)}
        sets = {name: (program.get(name),) for name in given.sets}
        beside(title, sets, ("program",), make, seeds=given.seeds, chunk=chunk, first_chunk=True)
    for (base, detector), program in BAGGING.items() if "OnlineBagging" in given.families else ():
        title = f"OnlineBagging({base!r}, detector={detector!r})"
        make = {"F1, all rows": lambda seed, b=base, d=detector: sl.OnlineBagging(b, detector=d, seed=seed)}
        sets = {name: (program.get(name),) for name in given.sets}
        beside(title, sets, ("program",), make, seeds=given.seeds)


def mlbels(options: Sequence[str]) -> None:
    """ML-BELS beside its authors' program, with and without the first chunk (6 minutes)."""
    given = asked("mlbels", options, sets=list(BELS[3]), learners=tuple(BELS), seeds=(0, 1, 2))
    for most in [] if missing() else given.learners:
        make = {"F1, all rows": lambda seed, most=most: sl.MLBELS(max_learners=most, seed=seed)}
        sets, heads = chosen(BELS[most], given.sets), ("program", "program, without the first chunk")
        beside(f"ML-BELS, up to {most}", sets, heads, make, seeds=given.seeds, chunk=50, first_chunk=True)


def river_recipes(options: Sequence[str]) -> None:
    """River's learners with the parameters of MLHAT's study beside the figures of the study, on three of its sets."""
    names = [each.name for each in RIVER_RECIPES]
    given = asked("river_recipes", options, out=None, recipes=names, sets=list(RIVER_SETS))
    results = Results(given.out, ("stream", "learner", "seed"), ("rows", "seconds", "f1", "micro_f1"))
    keys = [(stream, name, 1) for stream in ([] if missing() else given.sets) for name in given.recipes]
    results.complete(keys, lambda stream, name, seed: costs(followed(sl.make_learner(name, seed), read(stream))))
    heads = (f"{name}: here / River alone / published" for name in RIVER_SETS)
    sheet = Sheet("River's learners", ("recipe", *heads, "mean micro F1", "yeast rows/s", "what it is"))
    for name in given.recipes:
        found = {row["stream"]: row for row in results.rows if row["learner"] == name}
        alone, published = RIVERS.get(name, ((None,) * 3, (None,) * 3))
        cells = []
        for stream, own, printed in zip(RIVER_SETS, alone, published, strict=True):
            here = figure(found[stream]["f1"]) if stream in found else MISSING
            cells.append(" / ".join([here, shown(own), shown(printed)]))
        yeast = found.get("yeast")
        speed = f"{yeast['rows'] / max(yeast['seconds'], 1e-9):,.0f}" if yeast else MISSING
        sheet.add(name, *cells, mean(found.values(), "micro_f1"), speed, RECIPES.load(name).about)
    sheet.show()


def costs(found: Followed) -> dict[str, float]:
    """A run as a row of kept results."""
    return {"rows": len(found.Y), "seconds": found.seconds, **found.figures()}
