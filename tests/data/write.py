"""Write the models, the run and the study of a version, with what it says of them; see README.md beside this file.

Run it with the package of that version: ``python write.py 0.2.0.zip``. Only public names are used, so that it goes on
working with the next version.
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from streamlab.streams import ArrayStream

SEEN, ROWS, ASKED = 160, 240, slice(160, 184)
"""Rows that a saved model has learned, rows of each stream, and those that a model is asked about."""
LEARNERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "SMART": ("flat", lambda: sl.SMART(n_trees=4, height=4, half_life=60, warm_up=40, seed=1)),
    "MLHAT": ("flat", lambda: sl.MLHAT(grace_period=40, tau=0.5, seed=1)),
    "HedgedMLHAT": ("flat", lambda: sl.HedgedMLHAT(grace_period=40, tau=0.5, seed=1)),
    "MLKNN": ("flat", lambda: sl.MLKNN(n_neighbors=5, chunk=40)),
    "BalancedKNN": ("flat", lambda: sl.BalancedKNN(window=30)),
    "BalancedLDA": ("flat", lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=30)),
    "HierarchicalKNN": ("nested", lambda: sl.HierarchicalKNN(window=30)),
    "FlatKNN": ("nested", lambda: sl.FlatKNN(window=30)),
    "MajorityLabels": ("flat", sl.MajorityLabels),
    "NoChange": ("flat", sl.NoChange),
}
TUNED = {"smart": "half_life", "tree": "tau", "copy": "half_life"}
PARENTS = (-1, 0, 0, -1, 3)


def write_streams(folder: Path) -> None:
    """Write the rows of two streams: three labels that follow from four features, and five labels in a hierarchy."""
    rng = np.random.default_rng(1)
    X = rng.random((ROWS, 4)).round(3)
    # what a label depends on changes in the middle
    of = np.where(np.arange(ROWS)[:, None] < ROWS // 2, X[:, :3], X[:, 1:])
    table = pd.DataFrame(X, columns=list("abcd"))
    table[["p", "q", "r"]] = (of > 0.55).astype(int)
    table.to_csv(folder / "flat.csv", index=False)
    leaf = rng.choice([1, 2, 4], ROWS)
    X = (np.stack([leaf % 3, leaf // 3], axis=1) + rng.normal(0, 0.4, (ROWS, 2))).round(3)
    table = pd.DataFrame(X, columns=["a", "b"])
    for label, parent in enumerate(PARENTS):
        below = [label, *(child for child, above in enumerate(PARENTS) if above == label)]
        table[f"c{label}" if parent < 0 else f"c{label}_of_{parent}"] = np.isin(leaf, below).astype(int)
    table.to_csv(folder / "nested.csv", index=False)


def streams(folder: Path) -> dict[str, Any]:
    """Return the two streams of a folder."""
    table = pd.read_csv(folder / "nested.csv")
    schema = sl.Schema.anonymous(2, len(PARENTS))
    nested = ArrayStream(
        table.to_numpy(float)[:, :2],
        table.to_numpy(np.uint8)[:, 2:],
        schema=sl.Schema(schema.features, schema.labels, sl.Hierarchy(PARENTS)),
    )
    return {"flat": sl.load(folder / "flat.csv", labels=["p", "q", "r"]), "nested": nested}


def arrays(stream: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return a stream's rows, and their labels."""
    chunk = next(stream.chunks(ROWS))
    return chunk.X, chunk.Y


def answers(model: Any, X: np.ndarray) -> list[list[list[float]]]:
    """Return what a model answers to rows, as plain values: labels, then scores."""
    return [np.asarray(each, dtype=float).tolist() for each in model.answer_many(X)]


def lived(stream: Any) -> sl.Run:
    """Return a run with a tuning, a drift that was put in, a fork and a second branch."""
    run = sl.Run(stream, {"smart": LEARNERS["SMART"][1](), "tree": LEARNERS["MLHAT"][1]()}, chunk=20)
    run.advance(60)
    run.tune("smart", half_life=20)
    run.put_drift(sl.DriftRecipe("feature_noise", strength=1.0))
    run.advance(40)
    run.fork("smart", "copy")
    run.tune("copy", half_life=500)
    run.advance(60)
    run.seek(140)
    run.tune("tree", tau=0.9)
    run.advance(60)
    return run


def told(run: sl.Run) -> dict[str, Any]:
    """Return what can be seen of a run as plain values."""
    return {
        "position": run.position,
        "curves": run.curves("faded").to_dict("split"),
        "events": run.events.to_dict("split"),
        "branches": run.branches.to_dict("split"),
        "tuned": {name: getattr(run.learner_runs[name].learner, parameter) for name, parameter in TUNED.items()},
    }


def study(folder: Path) -> sl.Study:
    """Return a study of three learners on one stream, with two seeds."""
    learners = {"most": sl.MajorityLabels(), "smart": LEARNERS["SMART"][1](), "tree": LEARNERS["MLHAT"][1]()}
    sources = {"flat": {"use": "flat.csv", "labels": ["p", "q", "r"]}}
    measures = ("example_f1", "micro_f1", "hamming_loss")
    return sl.Study(
        sources, learners, seeds=2, curves_every=80, measures=measures, results=folder / "study", folder=folder
    )


def figures(of: sl.Study) -> dict[str, Any]:
    """Return the figures of a study in which no time stands, and a curve, as plain values."""
    columns = ["learner", "stream", "seed", "status", "rows", "key", *of.settings.measures]
    # a learner without a seed has a missing one, which JSON cannot write
    results = of.results()[columns].astype({"seed": float})
    curves = of.curves("micro_f1").astype({"seed": float})
    return {"results": results.to_dict("split"), "curves": curves.to_dict("split")}


def main(target: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_streams(folder)
        recorded: dict[str, Any] = {"version": sl.__version__, "models": {}}
        for learner, (stream, make) in LEARNERS.items():
            X, Y = arrays(streams(folder)[stream])
            model = make()
            sl.prequential(streams(folder)[stream], model, chunk=40, n=SEEN)
            model.save(folder / f"{learner}.safetensors")
            recorded["models"][learner] = {"seen": answers(model, X[ASKED])}
            model.learn_many(X[SEEN:], Y[SEEN:])
            recorded["models"][learner]["all"] = answers(model, X[ASKED])
        run = lived(streams(folder)["flat"])
        run.save(folder / "run.slab")
        recorded["run"] = told(run)
        run.advance(40)
        recorded["run to its end"] = told(run)
        if hasattr(sl, "Study"):
            made = study(folder)
            made.run(workers=1)
            recorded["study"] = figures(made)
        (folder / "recorded.json").write_text(json.dumps(recorded))
        with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as into:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                into.write(path, path.relative_to(folder).as_posix())


if __name__ == "__main__":
    main(sys.argv[1])
