"""How well: multi-label measures from additive counts, cumulative, faded, per chunk and per tenth of a stream."""

from __future__ import annotations

from streamlab.measures.catalogue import MEASURES, Measure, evaluate, per_label
from streamlab.measures.counts import TERMS, Batch, Counts
from streamlab.measures.detection import DEFAULT_WITHIN, Detection, match_alarms, recovery_time
from streamlab.measures.ranking import label_average_precision, macro_average_precision
from streamlab.measures.tracker import AVERAGES, DEFAULT_FADING, DEFAULT_MEASURES, Tracker

__all__ = [
    "AVERAGES",
    "DEFAULT_FADING",
    "DEFAULT_MEASURES",
    "DEFAULT_WITHIN",
    "MEASURES",
    "TERMS",
    "Batch",
    "Counts",
    "Detection",
    "Measure",
    "Tracker",
    "evaluate",
    "label_average_precision",
    "macro_average_precision",
    "match_alarms",
    "per_label",
    "recovery_time",
]
