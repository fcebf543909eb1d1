"""What tests of every floor share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the repository, which the product does not ship."""
    folder = (Path(__file__).parents[1] / ".." / "shared" / "data").resolve()
    if not folder.is_dir():
        pytest.skip("the folder shared/data of real data sets does not stand beside the repository")
    return folder
