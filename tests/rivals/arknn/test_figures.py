"""ARkNN reaches what its authors' program does on real sets: there is no seed, and little room."""

from __future__ import annotations

import pytest

from benchmarks.programs import REMEMBERED, f1_of

# tmc and 20ng are read for too long here: ``python -m benchmarks remembered``
SETS = ("emotions", "yeast", "scene", "water quality", "medical", "enron")
DIFFERENT = {
    # rows of zeros, of which the program's cosine is 0 / 0
    "slashdot": 0.3410,
    # the place of a recording counts by its categories, not as a number
    "birds": 0.0867,
}


@pytest.mark.parametrize("name", SETS)
def test_the_program_s_figure_is_reached(name, shared_data):
    assert f1_of("ARkNN", name) == pytest.approx(REMEMBERED["ARkNN"][name][0], abs=0.002)


@pytest.mark.parametrize("name", DIFFERENT)
def test_where_a_decision_differs_the_figure_is_the_one_told(name, shared_data):
    assert f1_of("ARkNN", name) == pytest.approx(DIFFERENT[name], abs=0.0005)
