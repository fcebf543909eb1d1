"""The lines of a chart: a group of seeds is one."""

from __future__ import annotations

import numpy as np

from streamlab.views.timeline.bands import lines_of, style_of, styles_of

NAMES = ["A · seed 1", "A · seed 2", "B"]


def test_members_share_their_style():
    styles = styles_of(NAMES)
    assert styles == {"A · seed 1": style_of(0), "A · seed 2": style_of(0), "B": style_of(1)}


def test_a_group_is_one_line_with_a_band():
    lines = lines_of({name: np.full(3, float(i)) for i, name in enumerate(NAMES)})
    assert [line.title for line in lines] == ["A (2 seeds)", "B"]
    assert [line.is_group for line in lines] == [True, False]
    assert [each[0] for each in lines[0].band] == [0.5, 0.0, 1.0]
    assert (lines[1].colour, lines[1].dash) == style_of(1)
