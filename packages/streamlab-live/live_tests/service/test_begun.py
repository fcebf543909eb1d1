"""A service goes on only with what it was begun with, whatever was tuned meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlab as sl
from streamlab.lab.described import describe, describe_whole, make_described
from streamlab.lab.script import code_of
from streamlab.learners import LEARNERS, RECIPES, Pipeline
from tests.lab.made import wait_until

from live_tests.made import HEAD, lines
from streamlab_live.service.definition import read_definition
from streamlab_live.service.service import Service

DEFINITION = """
stream = "tail:rows.csv?labels=alarm,late&columns=heat,load,alarm,late"
chunk = 20
seed = 3
[learners]
SMART = { half_life = 100, n_trees = 3 }
scaled = { use = "StandardScaler | BalancedKNN(n_neighbors=4)" }
"no-change" = { use = "NoChange" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a service that was stopped after 100 rows."""
    (tmp_path / "rows.csv").write_text(HEAD + lines(200))
    (tmp_path / "run.toml").write_text(DEFINITION)
    service = opened(tmp_path / "run.toml")
    wait_until(lambda: service.stream.available >= 200, "the rows")
    service.run.advance(100)
    service._save()
    service.close()
    return tmp_path / "run.toml"


def opened(file: Path) -> Service:
    return Service(read_definition(file), lambda line: None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("chunk = 20", "chunk = 10", r"begun with chunk=20, and the file says 10"),
        (
            "seed = 3",
            "seed = 4",
            r"learner 'SMART' was begun as sl.SMART\(.*seed=3\), and the file says .*seed=4\)",
        ),
        (
            "half_life = 100",
            "half_life = 50",
            r"'SMART' was begun as .*half_life=100.*, and .*half_life=50",
        ),
        ("n_trees = 3", "n_trees = 4", r"'SMART' was begun as .*n_trees=3.*, and the file says .*n_trees=4"),
        (", n_trees = 3", "", r"'SMART' was begun as .*n_trees=3.*, and the file says sl.SMART"),
        (
            '"NoChange"',
            '"MajorityLabels"',
            r"'no-change' was begun as sl.NoChange\(\), and .*sl.MajorityLabels",
        ),
        (
            "(n_neighbors=4)",
            "(n_neighbors=6)",
            r"'scaled' was begun as .*n_neighbors=4.*, and the file says .*n_neighbors=6",
        ),
        (
            "StandardScaler | ",
            "",
            r"'scaled' was begun as sl.StandardScaler\(.*\) \| sl.BalancedKNN.*, and the file says sl.BalancedKNN",
        ),
    ],
)
def test_another_definition_is_refused(file, old, new, said):
    file.write_text(DEFINITION.replace(old, new))
    with pytest.raises(ValueError, match=rf"run: .*{said}.*; expected the same, or another folder= to begin again"):
        opened(file)
    file.write_text(DEFINITION)
    again = opened(file)
    assert again.run.position == 100
    again.close()


def test_what_was_tuned_meanwhile_goes_on_tuned(file):
    service = opened(file)
    service.run.tune("SMART", half_life=50)
    service.run.advance(40)
    service._save()
    service.close()
    file.write_text(DEFINITION.replace("half_life = 100", "half_life = 100.0"))  # the same number
    again = opened(file)
    assert (again.run.position, again.run.learner_runs["SMART"].learner.half_life) == (140, 50)
    again.close()
    file.write_text(DEFINITION.replace("half_life = 100", "half_life = 50"))
    with pytest.raises(ValueError, match=r"half_life=100.*, and the file says .*half_life=50"):
        opened(file)


def test_what_does_not_change_what_is_learned_may_change(file):
    file.write_text(DEFINITION + "[snapshots]\nevery_seconds = 5\nkeep = 7\nlook_back_bytes = 0\n")
    again = opened(file)
    assert again.run.position == 100
    again.close()


def own_learners() -> list[str]:
    """Return learners and recipes of which there is a flat state, as a file of a service names them."""
    found = []
    for name in (*LEARNERS.names(), *RECIPES.names(), "StandardScaler | BalancedKNN"):
        try:
            made_state(name)
        except ValueError:  # made of others, a transformer, or River's
            continue
        found.append(name)
    return found


def made_state(name: str):
    base = sl.Schema.anonymous(4, 7)
    schema = sl.Schema(base.features, base.labels, sl.Hierarchy((-1, 0, 0, -1, 3, 4, 4)))
    learner = make_described(describe(name), 1).bind(schema)
    return learner, learner.state()


@pytest.mark.nightly
def test_every_learner_is_the_same_after_a_restart():
    for name in own_learners():
        learner, state = made_state(name)
        told = describe_whole(type(learner).from_state(state)), describe_whole(learner)
        assert told[0] == told[1], name
        assert code_of(told[0], name) == code_of(told[1], name), name
    assert {"SMART", "MLHAT"} <= set(own_learners())
    assert isinstance(made_state("StandardScaler | BalancedKNN")[0], Pipeline)
