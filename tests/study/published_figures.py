"""Where the published figures are, and what the tests on them gave when they were recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamlab as sl

__all__ = ["AVERAGE_RANKS", "FOLDER", "comparison"]

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference" / "mlhat-published"


def comparison(measure: str, **options):
    """``compare`` over the authors' figures, at the level of the paper."""
    if not FOLDER.is_dir():
        pytest.skip(f"the published figures are not in {FOLDER}")
    return sl.compare(sl.published("mlhat", measure, folder=FOLDER), measure, **{"alpha": 0.01, **options})


AVERAGE_RANKS = {
    # measure: χ² as published, corrected for ties, F, average ranks
    "subset_accuracy": (231.48, 231.87, 21.811, "MLHAT 4.000, KNN 5.463, ARF 6.902, ABALR 7.195, ABOLR 7.366, AMR 7.549, HAT 7.720, iSOUPT 7.744, MLHT 7.756, EFDT 8.366, HT 9.220, MLBELS 9.268, AMF 10.744, MLHTPS 12.329, NB 12.512, MT 13.159, SGT 15.707"),  # noqa: E501
    "hamming_loss": (248.68, 248.83, 24.421, "ABALR 4.976, ARF 5.293, iSOUPT 5.646, ABOLR 5.756, AMR 6.037, AMF 7.524, HAT 7.622, HT 7.890, MLHAT 9.024, MT 9.037, KNN 9.439, EFDT 10.207, MLHTPS 10.390, NB 12.573, MLBELS 12.829, SGT 14.341, MLHT 14.415"),  # noqa: E501
    "example_f1": (239.21, 239.53, 22.957, "MLHAT 3.024, MLBELS 4.610, KNN 7.049, ARF 7.195, EFDT 7.305, HAT 7.805, AMR 7.817, ABOLR 8.293, ABALR 8.341, iSOUPT 8.573, HT 9.598, MLHT 10.024, NB 10.695, AMF 11.159, MLHTPS 13.354, MT 13.622, SGT 14.537"),  # noqa: E501
    "micro_f1": (238.17, 238.49, 22.801, "MLHAT 3.439, MLBELS 5.293, KNN 6.878, ARF 6.902, EFDT 7.183, AMR 7.451, HAT 7.707, ABALR 7.951, ABOLR 8.049, iSOUPT 8.110, HT 9.354, MLHT 10.854, AMF 10.866, NB 11.439, MT 13.232, MLHTPS 13.634, SGT 14.659"),  # noqa: E501
    "macro_f1": (227.82, 228.13, 21.283, "MLHAT 2.463, MLBELS 6.317, KNN 6.415, EFDT 6.439, ARF 7.122, AMR 7.524, HAT 7.805, ABOLR 8.463, ABALR 8.732, iSOUPT 8.793, HT 9.439, NB 10.683, AMF 10.695, SGT 12.780, MT 12.890, MLHT 13.049, MLHTPS 13.390"),  # noqa: E501
    "seconds": (462.72, 462.95, 95.765, "MLHT 1.000, NB 3.366, iSOUPT 4.415, ABALR 5.683, ABOLR 6.195, MLHAT 7.049, HT 7.634, MLHTPS 7.854, AMR 8.854, HAT 9.049, EFDT 10.927, ARF 11.024, MLBELS 12.195, MT 12.524, KNN 13.488, SGT 15.634, AMF 16.110"),  # noqa: E501
}  # fmt: skip
