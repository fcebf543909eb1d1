"""The fixtures, marks and profiles of the core's tests."""

from __future__ import annotations

import hypothesis
import pytest
from tests.conftest import measures_of_the_package, shared_data  # noqa: F401  # fixtures
from tests.lab.conftest import player_of  # noqa: F401  # fixture

NIGHTLY = ("live_tests/ui/", "live_tests/siege/", "live_tests/test_crash.py")


def pytest_configure(config: pytest.Config) -> None:
    """Draw as many examples as the core's tests do."""
    hypothesis.settings.load_profile("quick" if config.option.markexpr == "not nightly" else "night")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is for the night."""
    for item in items:
        place = item.nodeid.removeprefix("packages/streamlab-live/")
        if place.startswith(NIGHTLY):
            item.add_marker(pytest.mark.nightly)
        if place.startswith("live_tests/ui/"):
            item.add_marker(pytest.mark.ui)
