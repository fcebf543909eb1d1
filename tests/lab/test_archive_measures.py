"""An archive knows which measures it counted, whatever is installed where it is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import streamlab as sl
from streamlab.lab.replay import replay
from streamlab.measures import MEASURES, Count, Counts, Measure
from streamlab.views.page.tables import drawable_measures

HITS = Count("many_labels", lambda batch: batch.Y.sum(axis=1) > 1)


def value(counts: Counts, zero_division: float) -> float:
    return counts.total("many_labels") / counts.n if counts.n else 0.0


COVER = Measure("many", "Many", "share of the instances with two labels", "example", value, counts=(HITS,))


@pytest.fixture
def install():
    """Install a package with a measure; what it returns takes the package away again."""
    removers: list[Callable[[], None]] = []

    def installed() -> Callable[[], None]:
        removers.append(MEASURES.add(COVER))
        return removers[-1]

    yield installed
    for remove in removers:
        remove()


def saved(path: Path) -> sl.Run:
    run = sl.Run("yeast", {"it": sl.NoChange()})
    run.advance(200)
    run.save(path)
    return run


def test_a_measure_that_is_installed_later_changes_nothing(install, tmp_path):
    path = tmp_path / "x.slab"
    run = saved(path)
    install()
    again = sl.Run.open(path)
    assert list(again.summary) == list(run.summary)
    assert again.summary.micro_f1["it"] == run.summary.micro_f1["it"]
    assert "micro_f1" in drawable_measures(again)
    again.fork("it", "copy")
    again.join("new", sl.MajorityLabels())
    again.advance(100)
    again.seek(50)
    again.save(tmp_path / "y.slab")
    assert list(sl.Run.open(tmp_path / "y.slab").summary) == list(run.summary)
    assert replay(path).is_identical


def test_a_measure_that_is_not_installed_is_named_with_what_to_do(install, tmp_path):
    path = tmp_path / "x.slab"
    remove = install()
    run = saved(path)
    remove()
    with pytest.raises(ValueError, match=r"x\.slab: unknown measure 'many': install the package that registers it"):
        sl.Run.open(path)
    install()
    assert sl.Run.open(path).summary.many["it"] == run.summary.many["it"]


def test_a_fork_counts_what_the_run_does_though_a_measure_was_installed_meanwhile(install):
    run = sl.Run("yeast", {"it": sl.NoChange()})
    run.advance(200)
    install()
    run.fork("it", "copy")
    run.advance(200)
    assert run.learner_runs["copy"].tracker.measures == run.learner_runs["it"].tracker.measures
    assert run.curves().groupby("learner").size().nunique() == 1
    run.seek(100)
    assert run.position == 100
