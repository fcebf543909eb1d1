"""The trials of what seldom happens, at a small size."""

from __future__ import annotations

import pytest

from tests.fuzz.unusual import TRIED
from tests.fuzz.unusual_pages import uploads


@pytest.mark.nightly
@pytest.mark.parametrize("what", TRIED)
def test_nothing_is_wrong(what):
    assert [each for each in TRIED[what](20, 2) if each] == []


@pytest.mark.nightly
def test_two_uploads_at_once_and_bombs_do_not_disturb_each_other():
    assert [each for each in uploads(4, 2) if each] == []
