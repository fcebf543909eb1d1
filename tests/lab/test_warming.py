"""Warming: every learner that has kernels is prepared, and what measures, watches, generates and reads with them."""

from __future__ import annotations

import logging
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from streamlab.lab import preparing, warming
from streamlab.lab.preparing import GENERATED, all_parts
from streamlab.lab.warming import warm
from streamlab.learners import LEARNERS, NoChange
from streamlab.plugins import Registry


def test_every_learner_but_a_pipeline_is_a_part():
    titles = {part.title for part in all_parts()}
    assert set(LEARNERS.names()) - titles <= {"Pipeline", "StandardScaler"}
    assert {
        "measures and alarms",
        "measures of hierarchies",
        *(f"stream {name}" for name in GENERATED),
    } <= titles


def test_unknown_names_are_refused_before_anything_is_compiled():
    with pytest.raises(ValueError, match="SMART"):
        next(warm(["SMRT"]))


@pytest.mark.nightly
def test_what_was_warmed_is_not_compiled_again():
    code = """
import streamlab.kernels as kernels
from streamlab.lab.warming import warm
print([each.part for each in warm()][:1])
said = []
kernels.on_compile(said.append)
import numpy as np, streamlab as sl
run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()}, alarms="label")
run.advance(1500)
print("compiled:", said)
"""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "compiled: []"
    assert "compiling" not in done.stderr, "the second process finds all in the cache"


class Unprepared(NoChange):
    """Cannot be prepared."""

    @classmethod
    def prepare(cls) -> None:
        raise RuntimeError("no compiler")


@pytest.mark.nightly
def test_a_broken_learner_of_another_package_does_not_keep_the_others_from_it(monkeypatch, caplog):
    monkeypatch.setattr(preparing, "GENERATED", ())
    registry = Registry("streamlab.nothing", "learner")
    for module in (preparing, warming):
        monkeypatch.setattr(module, "LEARNERS", registry)
    registry.add("Unprepared", Unprepared)
    registry.add("NoChange", NoChange)
    monkeypatch.setitem(registry._entries(), "Gone", EntryPoint("Gone", "no_such_module:Gone", "learners"))
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert {"Unprepared", "NoChange"} <= {each.part for each in warm()}
    assert "the learner 'Gone' of the package ? cannot be imported" in caplog.text
    assert "the learner 'Unprepared' of this session cannot be prepared: RuntimeError: no compiler" in (caplog.text)
    with pytest.raises(RuntimeError, match="no compiler"):
        next(warm(["Unprepared"]))
