"""A learner that a session has added, by no entry point, works in other processes too, or is refused in a sentence."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest

import streamlab as sl
from streamlab.learners import LEARNERS
from streamlab.study import learn_in_shards
from tests.study.made import streams, study

MODULE = """
import streamlab as sl


class Opposite(sl.SMART):
    \"\"\"Answers the opposite of what it has learned.\"\"\"

    def _test_then_train(self, X, Y, missing):
        scores, labels = super()._test_then_train(X, Y, missing)
        return 1 - scores, 1 - labels
"""


@pytest.fixture
def opposite(monkeypatch, tmp_path):
    """A class in a file that only this process's search path leads to, added as a notebook's cell would add it."""
    (tmp_path / "own_learner.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    kind = importlib.import_module("own_learner").Opposite
    remove = LEARNERS.add("Opposite", kind)
    yield kind
    remove()
    del sys.modules["own_learner"]


def test_a_study_runs_it_in_processes(opposite, tmp_path):
    learners = {
        "Opposite": opposite(half_life=50),
        "SMART": sl.SMART(half_life=50),
        "scaled": "StandardScaler | Opposite",
    }
    here = study(tmp_path / "a", learners=learners, streams=dict(list(streams(tmp_path).items())[:1]))
    here.run(1)
    results = here.results()
    assert set(results.status) == {"done"}, results.message.tolist()
    losses = results.groupby("learner").hamming_loss.mean()
    assert losses["Opposite"] == pytest.approx(1 - losses["SMART"])


def test_shards_are_learned_by_it(opposite):
    stream = sl.load("syn-tree-recurrent", n_rows=600, seed=5)
    assert type(learn_in_shards(stream, opposite(n_trees=3, seed=3), 2, workers=1)) is opposite


def with_path():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_a_script_of_a_run_adds_it(opposite, tmp_path):
    run = sl.Run("yeast", {"it": opposite(n_trees=3, seed=2)})
    run.advance(300)
    run.to_script(tmp_path / "again.py")
    with open(tmp_path / "again.py", "a") as script:
        script.write('print(float(run.summary.loc["it", "hamming_loss"]))\n')
    done = subprocess.run([sys.executable, tmp_path / "again.py"], capture_output=True, text=True, env=with_path())
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[-1]) == run.summary.loc["it", "hamming_loss"] > 0.5


def test_what_no_other_process_can_import_is_refused_at_once(opposite, monkeypatch):
    for module in ("__main__", "made_by_hand"):
        kind = type("Unseen", (opposite,), {"__module__": module})
        monkeypatch.setattr(sys.modules.setdefault(module, type(sys)(module)), "Unseen", kind, raising=False)
        remove = LEARNERS.add("Unseen", kind)
        try:
            said = f"'Unseen' was added in this session and is {module}:Unseen, which no other process can import: move"
            with pytest.raises(ValueError, match=said):
                sl.Study(["yeast"], {"mine": kind()})
            run = sl.Run("yeast", {"it": kind(n_trees=3, seed=2)})
            run.advance(200)
            with pytest.raises(ValueError, match=said):
                run.to_script("nowhere.py")
        finally:
            remove()
            sys.modules.pop("made_by_hand", None)
