"""The transport bar, without a browser: what it says of a run that goes slowly."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.lab.frame import FrameMaker
from streamlab.views.page.transport import Transport


@pytest.mark.parametrize(
    ("rows", "said"), [(1, "slow: learned row by row"), (5, "slow: learned 5 rows at a time"), (None, "")]
)
def test_it_says_how_many_rows_are_learned_together_where_the_run_is_slow(rows, said):
    run = sl.Run("yeast", sl.NoChange())
    run.set_step(rows)
    run.advance(3)
    maker = FrameMaker(run)
    bar = Transport(lambda name, value: None)
    bar.show(maker.make(maker.cursor(), "paused", "", 5.0, 0.0), [])
    assert bar.packed["pace"] == said
