"""How well: multi-label and hierarchical measures from additive counts, cumulative, faded, by chunk and by tenth."""

from __future__ import annotations

from streamlab.measures.batch import TERMS, Batch, Count, Past
from streamlab.measures.catalogue import (
    CLASS_MEASURES,
    DEFAULT_MEASURES,
    HIERARCHICAL_MEASURES,
    MEASURES,
    counts_of,
    default_measures,
    evaluate,
    main_measure,
    measure_names,
)
from streamlab.measures.counts import Counts
from streamlab.measures.detection import DEFAULT_WITHIN, Detection, match_alarms
from streamlab.measures.hierarchical import (
    LEVEL_TERMS,
    LEVELS,
    hierarchical_f,
    hierarchical_precision,
    hierarchical_recall,
    hierarchical_scores,
    per_level,
)
from streamlab.measures.label_sets import per_label
from streamlab.measures.lead import Difference, difference_of
from streamlab.measures.measure import Measure
from streamlab.measures.ranking import HISTOGRAMS, label_average_precision, macro_average_precision
from streamlab.measures.recovery import Recovery, recovery_of
from streamlab.measures.tracker import AVERAGES, DEFAULT_FADING, Tracker

__all__ = [
    "AVERAGES",
    "CLASS_MEASURES",
    "DEFAULT_FADING",
    "DEFAULT_MEASURES",
    "DEFAULT_WITHIN",
    "HIERARCHICAL_MEASURES",
    "HISTOGRAMS",
    "LEVELS",
    "LEVEL_TERMS",
    "MEASURES",
    "TERMS",
    "Batch",
    "Count",
    "Counts",
    "Detection",
    "Difference",
    "Measure",
    "Past",
    "Recovery",
    "Tracker",
    "counts_of",
    "default_measures",
    "difference_of",
    "evaluate",
    "hierarchical_f",
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_scores",
    "label_average_precision",
    "macro_average_precision",
    "main_measure",
    "match_alarms",
    "measure_names",
    "per_label",
    "per_level",
    "recovery_of",
]
