"""What the study of the docs is made of: its sets, and where each comes from; its learners, each with several rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import console

__all__ = [
    "DELAY",
    "DELAYED",
    "ENSEMBLES",
    "EXPECTED",
    "FIRST",
    "LATE",
    "LEARNERS",
    "NEW",
    "ORDERS",
    "SETS",
    "THRESHOLD",
    "sources",
]

FIRST = 3000
"""Rows of each set that slow learners go over."""
ORDERS = (1, 2, 3)
"""Seeds of the orders in which the rows are shuffled."""
DELAY = 500
"""Rows after which a label comes in the second protocol."""

SETS: dict[str, dict[str, Any]] = {
    "flags": {"use": "flags.arff.gz", "labels": "flags.xml"},
    "water quality": {"use": "Water-quality.arff.gz", "labels": 14},
    "emotions": {"use": "emotions.arff.gz", "labels": "emotions.xml"},
    "birds": {"files": ["birds-train.arff.gz", "birds-test.arff.gz"], "labels": "birds.xml"},
    "yeast": {"use": "yeast.arff.gz", "labels": "yeast.xml"},
    "scene": {"files": ["scene-train.arff.gz", "scene-test.arff.gz"], "labels": "scene.xml"},
    "medical": {"use": "medical.arff.gz"},
    "enron": {"use": "enron.arff.gz", "labels": "enron.xml"},
    "slashdot": {"use": "SLASHDOT-F.arff.gz"},
    "20ng": {"use": "20NG-F.arff.gz"},
    "tmc": {"use": "tmc2007-500.arff.gz", "labels": "tmc2007-500.xml"},
    "movies": {},
}
NEW: dict[str, dict[str, Any]] = {"digits": {}, "glucose": {}, "routes": {}}
"""Sets that came when the learners of the first tables were done."""
LATE = ("water quality", "yeast", "scene", "enron", "slashdot")
"""Sets of the second protocol, and of a drift half-way: 1,000 to 4,000 rows, as late labels are learned row by row."""
FETCHED: dict[str, dict[str, Any]] = {
    "flags": {}, "enron": {}, "yeast": {},
    "birds": {"files": ["birds_training", "birds_test"]},
    "scene": {"files": ["scene_training", "scene_test"]},
}  # fmt: skip
"""Sets that the catalogue fetches, with a checksum, as the very files that the tables were made of."""
ALIKE: dict[str, dict[str, Any]] = {name: {} for name in ("emotions", "medical", "slashdot", "20ng")}
"""Sets that it fetches as another file of the same rows: in another order, so that figures in file order differ."""

EXPECTED, THRESHOLD = "by expected F1", "by threshold"
OWN: dict[str, dict[str, Any]] = {
    "Council": {},
    "MLHAT": {},
    "HedgedMLHAT": {},
    "SMART": {"warm_up": 10},
    "OnlineLogistic": {},
    "RankedKNN": {},
    "ARkNN": {},
    "MLSAMPkNN": {},
    "MLSAkNN": {},
    "MLBELS": {},
    "HoeffdingTrees": {},
    "MLHT": {},
    "PrunedSets": {},
    "MLKNN": {},
}
"""Learners with what they answer by default, and parameters that are not their defaults."""
BASELINES: dict[str, dict[str, Any]] = {"NoChange": {}, "MajorityLabels": {}}
BY_EXPECTED = ("Council", "OnlineLogistic", "RankedKNN")
"""Those that answer by expected F1 unless they are told otherwise."""


def _by(rule: str, decision: str, names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    return {f"{name}, {rule}": {"use": name, **OWN[name], "decision": decision} for name in names}


LEARNERS: dict[str, dict[str, Any]] = {
    **OWN,
    **BASELINES,
    **_by("by cardinality", "cardinality", ("MLHAT", "HedgedMLHAT")),
    **_by(EXPECTED, "expected_f1", tuple(name for name in OWN if name not in BY_EXPECTED)),
    **_by(THRESHOLD, "threshold", tuple(OWN)),
}
"""All that is run over whole sets. Two entries of one learner learn the same, and answer by another rule."""
DELAYED = (
    "Council", "OnlineLogistic", "RankedKNN",
    *(f"{name}, {EXPECTED}" for name in ("HedgedMLHAT", "SMART", "ARkNN", "MLBELS")), *BASELINES,
)  # fmt: skip
"""Learners of the second protocol: those that are ahead in the first, by expected F1, and what is the least to beat."""
ENSEMBLES: dict[str, Any] = {
    "GOOWE, chains": {"use": "GOOWE", "base": "chain"},
    "GOOWE, trees": {"use": "GOOWE", "base": "relevance"},
    "bagged trees, ADWIN": {"use": "OnlineBagging", "base": "relevance", "detector": "adwin"},
    "bagged chains, ADWIN": {"use": "OnlineBagging", "base": "chain", "detector": "adwin"},
}
"""Compiled, but of ten members each, which take minutes on sets of a thousand features."""


def sources(names: list[str] | None = None, folder: Path = SHARED) -> dict[str, dict[str, Any]]:
    """Return the sets of the study: from the folder of the published files, or else as the catalogue fetches them.

    A set that cannot be had is named on the console and left out.
    """
    found = {}
    for name, given in (SETS | NEW).items():
        if names is not None and name not in names:
            continue
        files = given.get("files", [given["use"]] if "use" in given else [])
        if all((folder / file).is_file() for file in files):
            found[name] = dict(given)
            continue
        fetched = (FETCHED | ALIKE).get(name)
        if fetched is None:
            console.print(f"{name}: {', '.join(files)} is not in {folder}, and no catalogue has it: left out")
            continue
        try:
            for part in fetched.get("files", [name]):
                sl.load(part)
        except ConnectionError as error:
            console.print(f"{error}: {name} is left out")
            continue
        if name in ALIKE:
            console.print(f"{name}: the catalogue's file has the same rows in another order")
        found[name] = dict(fetched)
    return found
