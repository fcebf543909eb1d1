"""Runs whose results are recorded: a refactoring must keep every learner's numbers.

On a machine whose arithmetic is recorded they are kept to the bit, on any other to 1e-9, and each answer. ``python -m
tests.recorded_runs`` records what is not recorded yet: new runs, and the bits of all runs on a machine whose arithmetic
is new. To record a run again, name it (``"MLHAT on late"``); do that only when a change of its numbers is wanted, and
say in the commit message which moved and why.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

import streamlab as sl
from streamlab.measures.ranking import BY_RANKING

RECORD = Path(__file__).with_name("recorded_runs.json")

STREAMS: dict[str, Callable[[], Any]] = {
    "yeast-rotated": lambda: sl.load("yeast-rotated"),
    "syn-tree-sudden": lambda: sl.load("syn-tree-sudden", seed=3, n_rows=2000),
    "syn-rbf-gradual": lambda: sl.load("syn-rbf-gradual", seed=3, n_rows=2000),
    "syn-branches": lambda: sl.load("syn-branches", seed=2, n_rows=6000),
    "instruments": lambda: sl.load("instruments"),
    "segments": lambda: sl.load("segments"),
    "late": lambda: sl.delay_labels(sl.rotate_labels(sl.load("yeast"), at=500), 60),
}
FLAT = ("yeast-rotated", "syn-tree-sudden", "syn-rbf-gradual", "syn-branches", "late")
NESTED = ("instruments", "segments")
ROWS = {"yeast-rotated": 1500, "instruments": 1500, "segments": 1500, "late": 1200}

LEARNERS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "SMART": (lambda: sl.SMART(seed=1), FLAT + NESTED),
    "SMART, small": (lambda: sl.SMART(n_trees=5, height=6, half_life=math.inf, seed=4), FLAT),
    "MLHAT": (lambda: sl.MLHAT(seed=1), FLAT + NESTED),
    "MLHAT, eager": (
        lambda: sl.MLHAT(tau=0.5, delta=0.05, grace_period=100, max_depth=6, leaf_start="fresh", seed=2),
        ("syn-branches", "syn-tree-sudden"),
    ),
    "MLHAT, bounded": (lambda: sl.MLHAT(tau=0.5, grace_period=100, max_bytes=600_000, seed=2), ("syn-branches",)),
    "HedgedMLHAT": (lambda: sl.HedgedMLHAT(seed=1), FLAT + NESTED),
    "HedgedMLHAT, eager": (
        lambda: sl.HedgedMLHAT(tau=0.2, delta=0.05, grace_period=100, leaf_start="fresh", kept_levels=2, seed=2),
        ("syn-branches", "syn-tree-sudden"),
    ),
    "MLHT": (lambda: sl.MLHT(delta=0.05, tau=0.1), (*FLAT, "segments")),
    "PrunedSets": (
        lambda: sl.PrunedSets(delta=0.05, grace_period=100),
        ("yeast-rotated", "syn-branches", "late", "segments"),
    ),
    "PrunedSets, by naive Bayes": (lambda: sl.PrunedSets(base="bayes", reintroduce=2), ("yeast-rotated", "segments")),
    "HoeffdingTrees": (
        lambda: sl.HoeffdingTrees(delta=0.05, grace_period=100),
        ("yeast-rotated", "syn-branches", "late", "segments"),
    ),
    "Council": (lambda: sl.Council(seed=1), ("yeast-rotated", "late")),
    "HierarchicalKNN": (lambda: sl.HierarchicalKNN(window=50, drift_delta=0.01, reliability=0.1), NESTED),
    "HierarchicalKNN, by node": (
        lambda: sl.HierarchicalKNN(window=50, drift_delta=0.01, reliability=0.1, window_of="node"),
        NESTED,
    ),
    "FlatKNN": (lambda: sl.FlatKNN(window=50), NESTED),
    "BalancedKNN": (lambda: sl.BalancedKNN(window=40), ("yeast-rotated", "syn-tree-sudden", "late")),
    "BalancedLDA": (
        lambda: sl.StandardScaler() | sl.BalancedLDA(half_life=500) | sl.BalancedKNN(window=40),
        ("yeast-rotated", "syn-tree-sudden"),
    ),
    "MLBELS": (lambda: sl.MLBELS(seed=1), ("yeast-rotated", "syn-tree-sudden", "late")),
    "GOOWE": (lambda: sl.GOOWE(grace_period=100, delta=0.05, seed=1), ("yeast-rotated", "syn-tree-sudden", "late")),
    "GOOWE, relevance": (lambda: sl.GOOWE("relevance", chunk=50, seed=1), ("segments",)),
    "GOOWE, logistic": (lambda: sl.GOOWE("logistic", seed=1), ("yeast-rotated", "syn-tree-sudden")),
    "OnlineBagging": (
        lambda: sl.OnlineBagging(n_models=5, detector="adwin", grace_period=100, delta=0.05, seed=1),
        ("yeast-rotated", "syn-tree-sudden", "late"),
    ),
    "OnlineBagging, relevance": (lambda: sl.OnlineBagging("relevance", n_models=5, seed=1), ("syn-tree-sudden",)),
    "MLKNN": (lambda: sl.MLKNN(), ("yeast-rotated", "syn-tree-sudden")),
    "OnlineLogistic": (lambda: sl.OnlineLogistic(), (*FLAT, "segments")),
    "OnlineLogistic, fading": (lambda: sl.OnlineLogistic(fading=0.99, decision="threshold"), ("yeast-rotated",)),
    "RankedKNN": (lambda: sl.RankedKNN(), (*FLAT, "segments")),
    "RankedKNN, small": (lambda: sl.RankedKNN(5, 200, decision="threshold"), ("yeast-rotated", "late")),
    "ARkNN": (lambda: sl.ARkNN(window=100), ("yeast-rotated", "late")),
    "MLSAMPkNN": (lambda: sl.MLSAMPkNN(window=200, min_window=20), ("yeast-rotated", "late")),
    "MLSAkNN": (lambda: sl.MLSAkNN(window=200, min_window=20), ("yeast-rotated", "late")),
    "OnePerLabel": (lambda: sl.OnePerLabel(_river()), ("segments",)),
    "NoChange": (lambda: sl.NoChange(), FLAT + NESTED),
    "MajorityLabels": (lambda: sl.MajorityLabels(), FLAT + NESTED),
}
CASES = [(name, stream) for name, (_, streams) in LEARNERS.items() for stream in streams]
PARTS = ("answers", "state", "curves")
"""Parts of a run of which digests are kept: they are the same to the bit, or the arithmetic is another."""
NOT_NUMBERS = {"format", "version", "parameters", "door_ranges", "door_strays", "door_rows", "f1", "noted_f1"}
"""Entries of a state that say how it is written, what it was made with, what was let in, or how well a council's
experts answered, which it tells; not what was learned."""


def _river() -> Any:
    from river.naive_bayes import GaussianNB

    return GaussianNB()


def _digest(*parts: Any) -> str:
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(repr(part).encode())
    return digest.hexdigest()[:24]


CHUNK = 100
CLOSE = 1e-9
AMPLIFIED, LESS_CLOSE = ("MLBELS", "Council"), 1e-6
"""ML-BELS, which sits in the council, solves equations close to singular: another last bit moves its sums by 3e-8."""

RANKED, ONE_RANK = {measure.name for measure in BY_RANKING}, 1e-3
"""Measures that move by a step where two labels' scores are one but for their last digit, as GOOWE's are in places."""


def answered(learner: Any, name: str, stream: str, times: float = 1.0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield what a learner answers, alone, chunk by chunk: scores and labels; numbers of the rows are multiplied."""
    source = STREAMS[stream]()
    learner.bind(source.schema)
    are_numbers = [not feature.categories for feature in source.schema.features]
    for chunk in source.chunks(CHUNK, stop=ROWS.get(stream, source.n_rows)):
        yield learner.test_then_train(np.where(are_numbers, chunk.X * times, chunk.X), chunk.Y)


def _joined(parts: Iterable[np.ndarray]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:24]


def measured(name: str, stream: str) -> dict[str, Any]:
    """Digests of a run's answers, states and curves; and, for machines with other arithmetic, its ``figures``.

    These are digests of the labels answered in each chunk, of what happened, of what is no fraction in the state, and a
    ``weighed`` sum of everything else.
    """
    learner, alone = LEARNERS[name][0](), LEARNERS[name][0]()
    source = STREAMS[stream]()
    overheard: list[tuple[np.ndarray, np.ndarray]] = []
    state = {}
    if isinstance(learner, sl.OnePerLabel):
        # it takes ten seconds and has no state: what it answers is overheard in the run
        own = learner.test_then_train
        learner.test_then_train = lambda X, Y: overheard.append(own(X, Y)) or overheard[-1]
    else:
        overheard += answered(alone, name, stream)
        state = {key: value for key, value in sorted(alone.state().items()) if _is_learned(key)}
    run = sl.Run(source, {"it": learner}, chunk=CHUNK)
    run.advance(ROWS.get(stream, source.n_rows))
    curves = run.curves()
    tables = {column: curves[column].to_numpy() for column in curves.columns if column != "learner"}
    fractions = {key: value for key, value in state.items() if np.asarray(value).dtype.kind == "f"}
    return {
        "answers": _joined(part for both in overheard for part in both),
        "state": {key: _digest(value) for key, value in state.items()},
        "curves": {column: _digest(values) for column, values in tables.items()},
        "figures": {
            "labels": " ".join(_digest(labels)[:6] for _, labels in overheard),
            "events": _digest(run.events[["position", "learner", "kind"]].to_csv())[:6],
            "whole": _digest([(key, _digest(value)) for key, value in state.items() if key not in fractions])[:6],
            "scores": weighed(np.concatenate([scores for scores, _ in overheard])),
            "state": {key: weighed(value) for key, value in fractions.items()},
            "curves": {column: weighed(values) for column, values in tables.items()},
        },
    }


def weighed(values: Any) -> float:
    """Return a sum in which places and signs matter, and nothing cancels: it is as close as its terms."""
    x = np.nan_to_num(np.ravel(values).astype(float), nan=1.0, posinf=2.0, neginf=-2.0)
    places = 1 + np.arange(len(x)) * 0.6180339887 % 1
    return float(f"{np.sum(places * (2 * np.abs(x) + x)):.13g}")


def differences(name: str, stream: str, found: dict[str, Any], known: dict[str, Any]) -> list[str]:
    """Return which figures of a run are others, beyond what another machine's arithmetic may change.

    Where scores stand so close to a threshold that rows multiplied by 1 + 1e-12 get other labels, only the chunks
    before are compared.
    """
    if found["labels"] != known["labels"]:
        shaken = [_digest(labels)[:6] for _, labels in answered(LEARNERS[name][0](), name, stream, 1 + 1e-12)]
        chunks = list(zip(found["labels"].split(), known["labels"].split(), shaken, strict=True))
        first = next(i for i, (here, there, _) in enumerate(chunks) if here != there)
        if any(here != moved for here, _, moved in chunks[: first + 1]):
            return []
    close = LESS_CLOSE if name.startswith(AMPLIFIED) else CLOSE
    sums = {"scores": (found["scores"], known["scores"])}
    for part in ("state", "curves"):
        keys = sorted(found[part].keys() | known[part].keys())
        sums |= {f"{part} {key}": (found[part].get(key, math.nan), known[part].get(key, math.nan)) for key in keys}
    parted = [part for part in ("labels", "events", "whole") if found[part] != known[part]]
    near = {key: ONE_RANK if key.removeprefix("curves ") in RANKED else close for key in sums}
    return parted + [key for key, both in sums.items() if not math.isclose(*both, rel_tol=near[key], abs_tol=1e-12)]


@numba.njit(fastmath={"reassoc", "contract"})
def _sum_of_squares(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * x[i]
    return total


def arithmetic() -> tuple[str, str]:
    """What this machine's functions and matrix products give, and that with sums in whatever order suits its processor.

    Where the first differs, so may the last bits of a learner; where the second does, those of learners that add up
    distances with ``fastmath``.
    """
    x = np.linspace(-3.0, 3.0, 997)
    a = np.outer(np.sin(x[:64]), np.cos(x[:64])) + np.diag(x[:64] ** 2 + 1.0)
    known = _digest(
        np.exp(x), np.log(x**2 + 1), np.sqrt(np.abs(x)), a @ a.T, np.linalg.eigh(a @ a.T)[0], np.__version__
    )
    sums = [_sum_of_squares(np.sin(x[:n])) for n in range(1, len(x), 7)]
    return known, f"{known} {_digest(np.array(sums))}"


def bits(record: dict[str, Any]) -> dict[str, Any]:
    """Return what is recorded for this machine's arithmetic, by run."""
    known: dict[str, Any] = record["bits"]
    return {
        run: parts | {"state": {key: value for key, value in parts["state"].items() if _is_learned(key)}}
        for machine in arithmetic()
        for run, parts in known.get(machine, {}).items()
    }


def _is_learned(entry: str) -> bool:
    return entry.rpartition(".")[2] not in NOT_NUMBERS


def recorded(again: Container[str] = ()) -> dict[str, Any]:
    """Return the record with what was missing: ``figures`` by run, and ``bits`` by arithmetic and run."""
    record: dict[str, Any] = json.loads(RECORD.read_text())
    names = {f"{name} on {stream}": (name, stream) for name, stream in CASES}
    figures = {run: record["figures"][run] for run in names if run in record["figures"] and run not in again}
    record["bits"] = {
        machine: {run: parts for run, parts in runs.items() if run in figures}
        for machine, runs in record["bits"].items()
    }
    known = bits(record)
    own = record["bits"].setdefault(arithmetic()[1], {})
    for run, case in names.items():
        if run not in known:
            found = measured(*case)
            figures.setdefault(run, found.pop("figures"))
            own[run] = {part: found[part] for part in PARTS}
    return {"figures": figures, "bits": record["bits"]}


if __name__ == "__main__":
    RECORD.write_text(json.dumps(recorded(sys.argv[1:]), indent=1, sort_keys=True) + "\n")
