"""What tests of every floor share."""

from __future__ import annotations

from pathlib import Path

import pytest

BROWSER_TESTS = Path(__file__).parent / "ui"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put all browser tests into one process, one after the other: they wait for frames that come in real time."""
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the repository, which the product does not ship."""
    folder = (Path(__file__).parents[1] / ".." / "shared" / "data").resolve()
    if not folder.is_dir():
        pytest.skip("the folder shared/data of real data sets does not stand beside the repository")
    return folder
