"""The study that is shown where none is named: small, of streams that come along, run while one looks on."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading

from streamlab.study import Study
from streamlab.study.page.reader import Reader

__all__ = ["ABOUT", "LEARNERS", "STREAMS", "demonstration"]

STREAMS = {
    "yeast genes": {"use": "yeast", "rows": 1_000},
    "yeast, labels renamed": {
        "use": "yeast", "rows": 1_000, "changes": [{"put": "rotate_labels", "at": 500}],
    },
    "changing regions": {"use": "syn-regions", "n_rows": 1_000, "seed": 7},
    "films": {"use": "movies", "rows": 1_000},
}  # fmt: skip
LEARNERS = {
    "SMART": {"use": "SMART", "half_life": 100},
    "SMART, forgets nothing": {"use": "SMART", "half_life": float("inf")},
    "usual labels": "MajorityLabels",
    "last row’s labels": "NoChange",
}
MEASURES = ("example_f1", "micro_f1", "hamming_loss")
ABOUT = (
    "A small demonstration, whose runs are made while you look: four learners on four streams. SMART forgets what is "
    "old; its twin forgets nothing. Where the labels are renamed half-way, the one that forgets does better. Two "
    "simple rules, the usual labels and those of the row before, show what is had without looking at the features."
)
WORKERS = 2


def demonstration() -> Reader:
    """Return the demonstration, whose runs are under way; its results go when the process ends."""
    folder = tempfile.mkdtemp(prefix="streamlab-study-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    study = Study(STREAMS, LEARNERS, seeds=2, measures=MEASURES, results=folder, name="a small demonstration")
    threading.Thread(target=study.run, args=(WORKERS,), name="streamlab demonstration", daemon=True).start()
    return Reader(study, "study: a small demonstration", ABOUT)
