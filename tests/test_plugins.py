"""A registry takes this package's parts and others' by the same entry points, and says what is wrong with the rest."""

from __future__ import annotations

import logging
import threading
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import streamlab.plugins as plugins
from streamlab.learners import LEARNERS, Array, Learner, NoChange, Number, Storage, load_model
from streamlab.plugins import Registry
from tests.test_floors import run_fresh


class Distribution:
    def __init__(self, name):
        self.name = name


def entry(name, value, package):
    made = EntryPoint(name, value, "things")
    object.__setattr__(made, "dist", Distribution(package))
    return made


@pytest.fixture
def installed(monkeypatch):
    """A function that makes a registry of entry points."""

    def make(*entries, check=None):
        monkeypatch.setattr(plugins, "entry_points", lambda group: list(entries))
        return Registry("things", "thing", check)

    return make


def test_own_names_come_first_and_win(installed, caplog):
    registry = installed(
        entry("dumps", "pickle:dumps", "another"), entry("zeros", "numpy:zeros", "another"),
        entry("dumps", "json:dumps", "streamlab"),
    )  # fmt: skip
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert registry.names() == ["dumps", "zeros"]
    assert "the thing 'dumps' of the package another is hidden by that of streamlab" in caplog.text
    assert registry.load("dumps").__module__ == "json"
    assert registry.package("zeros") == "another"
    assert registry.name_of(np.zeros) == "zeros"
    assert "ones" not in registry
    assert len(registry) == 2


def test_what_is_unknown_or_broken_is_said(installed, caplog):
    registry = installed(entry("zeros", "numpy:zeros", "streamlab"), entry("gone", "no_such_module:x", "another"))
    with pytest.raises(ValueError, match="unknown thing 'zeroes'; did you mean zeros"):
        registry.load("zeroes")
    with pytest.raises(ValueError, match="unknown thing 'xyw'; there are: zeros, gone"):
        registry.load("xyw")
    with pytest.raises(ValueError, match="the thing 'gone' of the package another cannot be imported: ModuleNotFound"):
        registry.load("gone")
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert [name for name, _ in registry.items()] == [name for name, _ in registry.items()] == ["zeros"]
    assert caplog.text.count("cannot be imported") == 1


def test_things_of_a_session_are_checked_added_and_taken_away(installed):
    def check(name, thing):
        if not callable(thing):
            raise ValueError(f"{name} cannot be called")

    registry = installed(entry("zeros", "numpy:zeros", "streamlab"), check=check)
    remove = registry.add("ones", np.ones)
    assert registry.load("ones") is np.ones
    assert registry.package("ones") == ""
    with pytest.raises(ValueError, match="there is a thing 'ones' already"):
        registry.add("ones", np.zeros)
    with pytest.raises(ValueError, match="five cannot be called"):
        registry.add("five", 5)
    remove()
    assert "ones" not in registry


# ---------------------------------------------------------------------- learners


class Stranger(Learner):
    """A learner of another package: it predicts the labels that are true in more than a share of the instances."""

    storage = Storage(Array("counts", ("labels",)), Number("n_seen", low=0))

    def __init__(self, share: float = 0.5) -> None:
        self.share = share
        self._start()

    def _predict(self, X, missing):
        scores = np.tile(self._counts / max(self._n_seen, 1), (len(X), 1))
        return scores, (scores > self.share).astype(np.uint8)

    def _learn(self, X, Y, missing) -> None:
        self._counts = self._counts + Y.sum(axis=0)
        self._n_seen += len(Y)


X = np.random.default_rng(0).random((30, 2))
Y = (X > [0.2, 0.7]).astype(np.uint8)


def test_every_learner_of_the_package_is_registered_under_its_class_s_name():
    assert {"SMART", "MLHAT", "Pipeline", "StandardScaler"} <= set(LEARNERS.names())
    assert all(LEARNERS.load(name).__name__ == name for name in LEARNERS.names())


def test_a_stranger_s_learner_is_saved_and_loaded(tmp_path):
    model = Stranger(share=0.6)
    for start in range(0, 30, 10):
        model.learn_many(X[start : start + 10], Y[start : start + 10])
    model.learn_one({"x0": 0.5, "more": 1.0}, {"y0": True, "new": True})
    model.save(tmp_path / "m")
    with pytest.raises(ValueError, match=r"m: unknown learner 'Stranger': install .*LEARNERS\.add\('Stranger', "):
        load_model(tmp_path / "m")
    remove = LEARNERS.add("Stranger", Stranger)
    try:
        twin = load_model(tmp_path / "m")
    finally:
        remove()
    assert type(twin) is Stranger
    assert twin.share == 0.6
    more = np.column_stack([X, X[:, 0]])
    np.testing.assert_array_equal(twin.predict_proba_many(more), model.predict_proba_many(more))
    with pytest.raises(ValueError, match="the state of Stranger contradicts itself: n_seen is -1"):
        Stranger.from_state(model.state() | {"n_seen": -1})


def test_what_is_no_learner_is_refused():
    with pytest.raises(ValueError, match="the learner 'dict' is <class 'dict'>; expected a subclass"):
        LEARNERS.add("dict", dict)
    with pytest.raises(ValueError, match="the learner 'Abstract' does not implement _learn"):
        LEARNERS.add("Abstract", type("Abstract", (Learner,), {"_predict": None}))
    with pytest.raises(ValueError, match="the learner 'Other' is the class 'Stranger'; expected it under its own name"):
        LEARNERS.add("Other", Stranger)
    with pytest.raises(ValueError, match="there is a learner 'NoChange' already"):
        LEARNERS.add("NoChange", NoChange)


SLOW_FAMILY = """
import time
from types import SimpleNamespace

time.sleep(0.3)
FAMILY = tuple(SimpleNamespace(name=name) for name in "abc")
"""


def test_threads_that_ask_while_a_family_is_imported_wait_for_all_of_it(monkeypatch, tmp_path):
    (tmp_path / "slow_family.py").write_text(SLOW_FAMILY)
    monkeypatch.syspath_prepend(tmp_path)
    entries = [entry("first", "slow_family:FAMILY", "own"), entry("second", "string:digits", "own")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: entries)
    registry = Registry("things", "thing", several=True)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(registry.names())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert answers == [["a", "b", "c", "second"]] * 4
    assert registry.load("b").name == "b"


BESIDE = """
import importlib.abc, sys, threading, time
from streamlab.learners.base.registry import LEARNERS

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith("streamlab.learners.mlhat."):
            time.sleep(0.02)

sys.meta_path.insert(0, Slow())
begin, got = threading.Barrier(2), []

def load(name):
    begin.wait()
    got.append(LEARNERS.load(name).__name__)

threads = [threading.Thread(target=load, args=(name,)) for name in ("MLHAT", "GOOWE")]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sorted(got) == ["GOOWE", "MLHAT"], got
"""


def test_two_threads_get_learners_of_which_one_imports_a_part_of_the_other():
    run_fresh(BESIDE)


def test_the_first_question_to_families_may_be_for_one_thing(monkeypatch, tmp_path):
    (tmp_path / "quick_family.py").write_text(SLOW_FAMILY.replace("0.3", "0"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "entry_points", lambda group: [entry("first", "quick_family:FAMILY", "own")])
    assert Registry("things", "thing", several=True).load("c").name == "c"


# ---------------------------------------------------------------------- one broken package


def installed_as_files(folder, name: str, entry_points: str, metadata: str | None = "") -> None:
    """Write what is left of an installed package: its entry points, and METADATA unless that is None."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(entry_points)
    if metadata is not None:
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")


def test_a_package_without_metadata_is_not_in_the_way(monkeypatch, tmp_path):
    installed_as_files(tmp_path, "left_over", "[streamlab.made_up]\nzeros = numpy:zeros\n", None)
    installed_as_files(tmp_path, "whole", "[streamlab.made_up]\nones = numpy:ones\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("streamlab.made_up", "thing")
    assert registry.names() == ["zeros", "ones"]
    assert registry.package("zeros") == "?"
    assert registry.load("zeros") is np.zeros


@pytest.mark.parametrize("several", [False, True])
def test_a_module_that_ends_the_process_is_left_out(monkeypatch, tmp_path, caplog, several):
    (tmp_path / "a_script.py").write_text("import sys\nsys.exit('usage: a_script FILE')\n")
    monkeypatch.syspath_prepend(tmp_path)
    entries = [entry("script", "a_script:THING", "another"), entry("zeros", "numpy:zeros", "another")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: entries)
    registry = Registry("things", "thing", several=several)
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert [name for name, _ in registry.items()] == ["zeros"]
    assert "of the package another cannot be imported: SystemExit: usage: a_script FILE" in caplog.text
