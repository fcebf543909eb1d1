"""Learners are prepared beside what runs: only what is not in the cache is compiled, once, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from streamlab import kernels
from streamlab.lab.compiling import Compiler
from streamlab.lab.preparing import Preparation, preparation
from streamlab.learners import NoChange, StandardScaler

# what the first process compiles in another process it only loads; the second finds everything there
BESIDE = """
import threading
import streamlab.kernels as kernels
from streamlab import kernels
from streamlab.lab import preparing
from streamlab.learners import NoChange
said = []
kernels.on_compile(said.append)
made = [preparing.preparation("no-change", NoChange()), preparing.preparation("another", NoChange())]
if made[0] is not None:
    assert made[0] is made[1], "two pages wait for one"
    heard = []
    made[0].when_done(heard.append)
    assert made[0].wait(300)
    made[0].when_done(heard.append)
    assert [each.title for each in heard] == ["no-change"] * 2
print("waited:", made[0] is not None)
print("again:", preparing.preparation("no-change", NoChange()))
print("compiled here:", said)
"""


@pytest.fixture(scope="module")
def beside(uncompiled, tmp_path_factory) -> list[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels"))}
    environment.pop("NUMBA_DISABLE_JIT", None)
    outputs = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", BESIDE], env=environment, cwd=uncompiled, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    return outputs


@pytest.mark.nightly
def test_what_is_not_compiled_is_compiled_in_another_process_and_loaded_here(beside):
    assert beside[0].splitlines() == ["waited: True", "again: None", "compiled here: []"]


@pytest.mark.nightly
def test_what_is_in_the_cache_is_ready_at_once(beside):
    assert beside[1].splitlines() == ["waited: False", "again: None", "compiled here: []"]


def test_a_learner_that_no_other_process_finds_is_prepared_here(monkeypatch):
    def elsewhere(compiler, parts):
        raise AssertionError(f"no process finds {parts}")

    monkeypatch.setattr(Compiler, "compile", elsewhere)
    prepared = []

    class Own(NoChange):
        """Typed at a prompt, as it were."""

        @classmethod
        def prepare(cls):
            if not prepared and getattr(kernels._limited, "only_cached", False):
                raise kernels.NotCompiled("not yet")
            prepared.append(cls)

    made = preparation("own", Own())
    assert made is not None
    assert made.wait(60)
    assert prepared[0] is Own
    assert preparation("own", Own()) is None


def test_a_pipeline_is_ready_when_its_steps_are():
    for learner in (NoChange(), StandardScaler() | NoChange()):
        made = preparation("a pipeline", learner)
        assert made is None or made.wait(300)
        assert preparation("a pipeline", learner) is None


def test_one_that_fails_is_done_and_says_so_in_the_log(monkeypatch, caplog):
    def fails() -> None:
        raise ZeroDivisionError

    made = Preparation("broken", (), fails)
    made.carry_out(Compiler())
    assert made.done
    assert "broken cannot be prepared" in caplog.text
