"""What tests of every floor share."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# a machine that is busy is slow for seconds: neither a test nor the making of its inputs fails for that
BUSY: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("night", **BUSY)
QUICK_EXAMPLES = 25
hypothesis.settings.register_profile("quick", max_examples=QUICK_EXAMPLES, **BUSY)

ROOT = Path(__file__).parents[1]
BROWSER = "tests/ui/"
DRAWINGS, PAGES = r"tests/ui/test_(\w+_js|replay)\.py", BROWSER
FIRST = (
    *(r"tests/ui/(?!test_(\w+_js|replay)\.py)", DRAWINGS),
    *("tests/learners/", r"tests/lab/test_(archive|replay)\.py", r"tests/test_(testing|recorded_runs)\.py"),
    "tests/docs/",
)
"""What takes longest begins first: at the end no process must wait for another's long tests."""
VISITS = """
accessibility any_order balanced_neighbours hedged_tree hostile label_hierarchy links mlhat_tree note
other_hosts outside paper projector reload site study_page
"""
NIGHTLY = (
    *(f"tests/test_{name}.py" for name in ("benchmarks", "container", "notebooks")),
    *("tests/fuzz/", "tests/learners/mlhat/test_mlhat_kernels.py"),
    *(f"tests/ui/test_{name}.py" for name in VISITS.split()),
    *(f"tests/study/test_{name}.py" for name in ("local", "session_learners", "shards")),
    *(f"streamlab/study/{name}.py" for name in ("manifest", "searching", "shards")),
    *("tests/docs/test_site.py", "tests/study/test_published_figures.py"),
)
"""Whole files that run at night alone, beside tests marked so: fuzzing, kills, clusters, longer visits to pages."""
YIELDS = pytest.StashKey[bool]()
SAMPLES, COSTLY_SAMPLES = 2, 1
"""Parameter sets that the quick set has of a test, and of one that is marked ``costly``, as it takes half a second or
more, or that drives a browser; of one marked ``whole`` all."""


def beyond_the_samples(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the parameter sets that are for the night: a test finds most faults with few; a digest of names chooses.

    What a test of refusals refuses is each time another rule, and takes milliseconds: all of these are tried.
    """
    sets: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        is_refusal = re.search("refused|wrong|bad", item.name.partition("[")[0]) and not item.nodeid.startswith(BROWSER)
        if item.get_closest_marker("whole") is None and not is_refusal:
            sets[item.nodeid.partition("[")[0]].append(item)
    for name, found in sets.items():
        found.sort(key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())
        is_costly = name.startswith(BROWSER) or found[0].get_closest_marker("costly") is not None
        yield from found[COSTLY_SAMPLES if is_costly else SAMPLES :]


def draw_fewer(item: pytest.Item) -> None:
    """Bound also what a property asks for by itself: where it fails at all, it mostly does so among the first draws."""
    function = getattr(item, "obj", None)
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    if own is not None and own.max_examples > QUICK_EXAMPLES:
        function._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=QUICK_EXAMPLES)


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples for properties in the quick set; where all of it runs, compile what its processes share."""
    hypothesis.settings.load_profile("quick" if config.option.markexpr == "not nightly" else "night")
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if is_whole and getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        # hundreds of processes import the package: what Python compiles of it is kept
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        # from empty caches each of them would write the same asserts anew and compile the same kernels; what cannot be
        # collected or does not compile, a test will say
        collect = ("pytest", "--collect-only", "-q", "-n0", "-m", config.option.markexpr, "tests")
        quiet: dict[str, Any] = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        both = [subprocess.Popen([sys.executable, "-m", *each], **quiet) for each in (collect, ("streamlab", "warm"))]
        for each in both:
            each.wait()
        os.environ["STREAMLAB_WARMED"] = "1"
    if hasattr(config, "workerinput"):
        # the machine code is the same, in two thirds of the time
        from streamlab.inner_kernels import take_fewer_steps

        take_fewer_steps()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files that are for the night alone by day: each process would import them."""
    place = Path(os.path.relpath(collection_path, ROOT)).as_posix() + "/" * collection_path.is_dir()
    return True if config.option.markexpr == "not nightly" and place.startswith(NIGHTLY) else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the package alone: the tests' own modules have none, and are over a thousand."""
    found = yield
    return found if ROOT / "tests" not in file_path.parents else [each for each in found if not is_examples(each)]


def is_examples(collector: pytest.Collector) -> bool:
    return type(collector).__name__ == "DoctestModule"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is for the night; where processes share the tests, put those that take longest to the front."""
    for item in items:
        if config.option.markexpr == "not nightly":
            draw_fewer(item)
        if item.nodeid.startswith(NIGHTLY):
            item.add_marker(pytest.mark.nightly)
        if item.nodeid.startswith(BROWSER):
            item.add_marker(pytest.mark.ui)
    for item in beyond_the_samples(items):
        item.add_marker(pytest.mark.nightly)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: [re.match(begin, item.nodeid) is None for begin in FIRST])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among millions of objects that the imports make and that stay, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than there are cores: the one of the browser tests waits most of its time."""
    return 1 + (os.cpu_count() or 1)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let browser tests and their servers go first: other processes take what they leave of the cores."""
    beside = hasattr(item.config, "workerinput") and hasattr(os, "nice") and not item.nodeid.startswith(BROWSER)
    if beside and not item.config.stash.get(YIELDS, False):
        item.config.stash[YIELDS] = True
        os.nice(5)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process whole files, as their fixtures may be costly, and browser tests to two processes at most.

    One has the pages, which share a server, the other the drawings alone. Browser tests wait for frames that come in
    real time: more at once would slow each other. Marks of groups do not do for that, as pytest-xdist 3.8 writes them
    into test names where pytest 9.2 no longer reads them.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Files(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return next((group for group in (DRAWINGS, PAGES) if re.match(group, file)), file)

    config.option.loadscopereorder = False
    return Files(config, log)


@pytest.fixture(autouse=True, scope="module")
def measures_of_the_package() -> Iterator[None]:
    """Take away what a file's tests have added, by hand or as one of River's metrics: others count the measures."""
    yield
    if (measures := sys.modules.get("streamlab.measures")) is not None:
        registry = measures.MEASURES.registry
        for name in [name for name in registry.names() if not registry.package(name)]:
            del registry._loaded[name]


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
