"""A reading of a picture, as it was recorded and as an archive gives it back."""

from __future__ import annotations

import dataclasses

import pytest

from streamlab.views.kit.picture import Drawn


def test_a_reading_is_had_again_by_its_fields():
    drawn = Drawn("SMART", 100, {"id": [1, 2]}, {"title": "x"})
    assert Drawn.of(drawn) is drawn
    assert Drawn.of(dataclasses.asdict(drawn)) == drawn


@pytest.mark.parametrize("reading", [None, {}, {"subject": "a"}, {"subject": "a", "now": 1, "columns": {}, "other": 1}])
def test_what_is_no_reading_is_refused(reading):
    with pytest.raises(ValueError, match="not a reading of a picture"):
        Drawn.of(reading)
