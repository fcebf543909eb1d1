"""What MLHAT and HedgedMLHAT reach on real sets stays what it was measured to be, less a small margin; one seed."""

from __future__ import annotations

import pytest

from benchmarks.data import SETS
from benchmarks.trees import HEDGED, OURS, measured

# example F1 and Brier score of MLHAT, then of HedgedMLHAT, seed 1; of the first rows only where all take longer
FIGURES = {
    "emotions": (None, (0.4316, 0.2174), (0.4413, 0.2086)),
    "yeast": (None, (0.5941, 0.1539), (0.5994, 0.1499)),
    "scene": (None, (0.9540, 0.0187), (0.9577, 0.0163)),
    "water quality": (None, (0.5364, 0.2309), (0.5534, 0.2041)),
    "flags": (None, (0.6268, 0.2415), (0.6246, 0.2386)),
    "birds": (None, (0.0676, 0.0572), (0.0662, 0.0550)),
    "medical": (None, (0.5375, 0.0160), (0.5963, 0.0143)),
    "enron": (None, (0.4843, 0.0475), (0.5355, 0.0476)),
    "slashdot": (None, (0.3494, 0.0422), (0.3425, 0.0409)),
    "20ng": (6_000, (0.5140, 0.0295), (0.5344, 0.0280)),
    "tmc": (8_000, (0.6023, 0.0536), (0.6200, 0.0512)),
    "segments": (None, (0.7285, 0.0826), (0.8627, 0.0423)),
    "instruments": (None, (0.3565, 0.0803), (0.6034, 0.0374)),
    "movies": (8_000, (0.2745, 0.1062), (0.3249, 0.0852)),
    "syn-regions 1": (30_000, (0.8627, 0.0656), (0.8779, 0.0590)),
    "syn-branches 1": (30_000, (0.8538, 0.0696), (0.8747, 0.0607)),
}
MARGIN_F1 = 0.01
MARGIN_BRIER = 0.004
# where MLHAT splits late or once, chance decides when: seeds 1 to 3 differ by .05 and .03 in F1
WIDER = {"segments": 6.0, "instruments": 3.0}


def test_every_published_set_has_its_figures():
    assert set(FIGURES) >= set(SETS)


@pytest.mark.parametrize("learner", [OURS, HEDGED])
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_a_set_are_reached(name, learner, request):
    if name in SETS:
        request.getfixturevalue("shared_data")
    n_rows, *expected = FIGURES[name]
    f1, brier = expected[learner == HEDGED]
    wider = WIDER.get(name, 1.0) if learner == OURS else 1.0
    row = measured(name, learner, 1, n_rows=n_rows)
    assert row["f1"] > f1 - wider * MARGIN_F1
    assert row["brier_loss"] < brier + wider * MARGIN_BRIER
