"""How well: multi-label and hierarchical measures from additive counts, cumulative, faded, by chunk and by tenth."""

from __future__ import annotations

from streamlab.measures.catalogue import MEASURES, Measure, evaluate, per_label
from streamlab.measures.counts import LEVEL_TERMS, TERMS, Batch, Counts
from streamlab.measures.detection import DEFAULT_WITHIN, Detection, match_alarms, recovery_time
from streamlab.measures.hierarchical import (
    hierarchical_f,
    hierarchical_precision,
    hierarchical_recall,
    hierarchical_scores,
    per_level,
)
from streamlab.measures.ranking import label_average_precision, macro_average_precision
from streamlab.measures.tracker import AVERAGES, DEFAULT_FADING, DEFAULT_MEASURES, HIERARCHICAL_MEASURES, Tracker

__all__ = [
    "AVERAGES",
    "DEFAULT_FADING",
    "DEFAULT_MEASURES",
    "DEFAULT_WITHIN",
    "HIERARCHICAL_MEASURES",
    "LEVEL_TERMS",
    "MEASURES",
    "TERMS",
    "Batch",
    "Counts",
    "Detection",
    "Measure",
    "Tracker",
    "evaluate",
    "hierarchical_f",
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_scores",
    "label_average_precision",
    "macro_average_precision",
    "match_alarms",
    "per_label",
    "per_level",
    "recovery_time",
]
