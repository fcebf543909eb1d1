"""What tests of every floor share."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# a machine that is busy is slow for seconds: neither a test nor the making of its inputs fails for that
hypothesis.settings.register_profile("busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("busy")

ROOT = Path(__file__).parents[1]
FIRST = ("tests/ui/", "notebooks/")
"""What takes longest begins first: at the end no process must wait for another's long tests."""
BROWSER = FIRST[0]
REAL = (BROWSER, "tests/fuzz/", "tests/test_notebooks.py", "tests/test_read_only.py", "tests/test_kernels.py")
"""What drives browsers, kernels of notebooks, or processes that have limits of time or memory."""

LONG = (
    *REAL,
    "notebooks/",
    "tests/docs/",
    "tests/keyed/test_one_key.py",
    "tests/lab/test_archive.py",
    "tests/lab/test_ownership.py",
    "tests/lab/test_replay.py",
    "tests/lab/test_time_machine.py",
    "tests/lab/test_warming.py",
    "tests/rivals/ensembles/test_ensembles.py",
    "tests/learners/mlhat/test_hedged_description.py",
    "tests/outside/",
    "tests/peers/test_river.py",
    "tests/service/test_service.py",
    "tests/streams/live/test_join.py",
    "tests/streams/readers/test_hostile_files.py",
    "tests/study/test_on_dask.py",
    "tests/study/test_pair_tests.py",
    "tests/study/test_shards.py",
    "tests/study/test_study.py",
    "tests/test_cli.py",
    "tests/test_packaging.py",
    "tests/test_recorded_runs.py",
    "tests/views/hosting/test_serving.py",
    "tests/views/studies/test_study_pictures.py",
)
"""What takes most of the time: `pytest -m "not long"` is for between two edits, `pytest` for before a commit."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, put those that take longest to the front.

    A test of browsers or processes that fails is tried once more, and the summary names it: beside other work they are
    late now and then, while a real fault fails twice.
    """
    for item in items:
        if item.nodeid.startswith(LONG):
            item.add_marker(pytest.mark.long)
        if item.nodeid.startswith(REAL):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in FIRST])


def pytest_collection_finish() -> None:
    """Keep what the imports have made out of later garbage collections: each looks through millions of objects."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process whole files, as their fixtures may be costly, and one process all browser tests.

    Browser tests wait for frames that come in real time: two at once would slow each other. Marks of groups do not do
    for that, as pytest-xdist 3.8 writes them into test names where pytest 9.2 no longer reads them.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Files(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return BROWSER if nodeid.startswith(BROWSER) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return Files(config, log)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the repository, which the product does not ship."""
    folder = (ROOT / ".." / "shared" / "data").resolve()
    if not folder.is_dir():
        pytest.skip("the folder shared/data of real data sets does not stand beside the repository")
    return folder


@pytest.fixture(scope="session")
def uncompiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to start Python in that has the package without any kernel: pages and tests leave theirs beside it."""
    folder = tmp_path_factory.mktemp("uncompiled")
    shutil.copytree(ROOT / "streamlab", folder / "streamlab", ignore=shutil.ignore_patterns("__pycache__"))
    return folder
