"""What others have on the same sets: Vowpal Wabbit, which runs here, and figures that others printed."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmarks.data import SHARED
from benchmarks.harness import Sheet, asked, console
from benchmarks.kept import STUDY, keep, machine, versions
from benchmarks.linear import asked_first, lines_of
from benchmarks.study_measures import example_f1_empty
from benchmarks.study_sets import NEW, SETS, sources
from streamlab.learners.base._decisions import choose_expected_f1
from streamlab.measures import Counts, evaluate
from streamlab.study.definition import sources_of, stream_of

__all__ = ["IHOMER", "MLHAT_THERE", "WABBIT", "anchors"]

WABBIT = "Vowpal Wabbit, by expected F1"
PART = "peers"
IHOMER = {
    "flags": 0.642, "water quality": 0.547, "emotions": 0.463, "birds": 0.109, "yeast": 0.608, "scene": 0.991,
    "medical": 0.627, "enron": 0.395, "slashdot": 0.330, "20ng": 0.699, "tmc": 0.648,
}  # fmt: skip
"""Micro F1 of iHOMER (ECAI 2025) in results/micro_f1.csv of its repository, larasneves/iHomer."""
MLHAT_THERE = {
    "flags": 0.586, "water quality": 0.551, "emotions": 0.445, "birds": 0.133, "yeast": 0.598, "scene": 0.936,
    "medical": 0.584, "enron": 0.436, "slashdot": 0.458, "20ng": 0.662, "tmc": 0.638,
}  # fmt: skip
"""Micro F1 of MLHAT in the same file."""


def anchors(options: Sequence[str]) -> int:
    """Vowpal Wabbit (the extra ``peers``) over the sets of the study in file order, answering by expected F1."""
    given = asked("anchors", options, sets=list(SETS | NEW), keep=False)
    try:
        from vowpalwabbit import Workspace
    except ImportError:
        console.print('Vowpal Wabbit is not there: pip install ".[peers]"')
        return 1
    rows = []
    sheet = Sheet("Vowpal Wabbit, one pass", ("", "rows", "example F1", "micro F1", "macro F1", "rows/s"))
    for name, source in sources_of(sources(given.sets), SHARED).items():
        stream = stream_of(source.recipe, source.identity)
        chunks = list(stream.chunks(1000))
        X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
        # a category is a word of its own, where two are no number
        several = np.array([len(feature.categories or ()) > 2 for feature in stream.schema.features])
        model = Workspace(
            f"--multilabel_oaa {Y.shape[1]} --loss_function logistic --probabilities --bit_precision 20 --quiet"
        )
        begun = time.process_time()
        scores = asked_first(model, lines_of(X, Y, several), Y.shape)
        seconds = time.process_time() - begun
        labels = np.zeros(Y.shape, np.uint8)
        choose_expected_f1(scores, True, labels)
        counts = Counts.zeros(Y.shape[1]).count(Y, labels)
        found = evaluate(counts, ["example_f1", "micro_f1", "macro_f1", "subset_accuracy", "hamming_loss"])
        found["example_f1_empty"] = example_f1_empty.of(counts, 0.0)
        sheet.add(name, len(Y), found["example_f1"], found["micro_f1"], found["macro_f1"], f"{len(Y) / seconds:,.0f}")
        about = {"learner": WABBIT, "stream": name, "part": PART, "status": "done", "rows": float(len(Y))}
        made = {"versions": versions(), "machine": machine(), "ended": time.strftime("%Y-%m-%d"), "answers": ""}
        rows.append(about | found | made | {"seconds": seconds, "cpu_seconds": seconds})
    sheet.show()
    if given.keep:
        keep(pd.DataFrame(rows).assign(seed=pd.array([None] * len(rows), "Int64")), STUDY)
    return 0
