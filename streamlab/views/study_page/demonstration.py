"""The study that is shown where none is named: small, of streams that come along, run while one looks on."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading

from streamlab.study import Study
from streamlab.views.study_page.reader import Reader

__all__ = ["ABOUT", "LEARNERS", "STREAMS", "demonstration"]

STREAMS = {
    "yeast genes": {"use": "yeast", "rows": 1_200},
    "yeast, labels renamed": {
        "use": "yeast", "rows": 1_200, "changes": [{"put": "rotate_labels", "at": 600}],
    },
    "changing regions": {"use": "syn-regions", "n_rows": 1_200, "seed": 7},
    "films": {"use": "movies", "rows": 1_200},
}  # fmt: skip
LEARNERS = {
    "SMART": {"use": "SMART", "half_life": 100},
    "SMART, forgets nothing": {"use": "SMART", "half_life": float("inf")},
    "always the usual labels": "MajorityLabels",
    "the labels of the row before": "NoChange",
}
MEASURES = ("example_f1", "micro_f1", "hamming_loss")
ABOUT = (
    "A small demonstration: four learners on four streams. SMART forgets what is old, its twin forgets nothing. Where "
    "the labels are renamed half-way, forgetting pays; where nothing changes, it gains little. The two simple rules "
    "show what comes without any learning from the features."
)
WORKERS = 2


def demonstration() -> Reader:
    """Return the demonstration, whose runs are under way; its results go when the process ends."""
    folder = tempfile.mkdtemp(prefix="streamlab-study-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    study = Study(STREAMS, LEARNERS, seeds=2, measures=MEASURES, results=folder, name="a small demonstration")
    threading.Thread(target=study.run, args=(WORKERS,), name="streamlab demonstration", daemon=True).start()
    return Reader(study, "study: a small demonstration", ABOUT)
