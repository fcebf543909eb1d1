"""A small slice of the trial ``siege``."""

from __future__ import annotations

import sys

import pytest

from live_tests.siege.siege import main

LINUX = sys.platform.startswith("linux")


@pytest.mark.skipif(not LINUX, reason="what it compares is counted by Linux")
def test_a_rightful_sender_is_served_under_siege():
    assert main(["--seconds", "20"]) == 0
