"""The packages that docs/contributing shows: built, installed outside the repository and driven."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.outside.packages import ROOT, TEXT, install, write_out

CLI = "from streamlab.cli import main; main()"
NAMES = ("FadingCentroids", "fading_centroids", "one_error")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return install(tmp_path_factory)


def outside(site: Path, *command: str) -> subprocess.CompletedProcess:
    """Run Python where the packages are installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [sys.executable, *command], cwd=site, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done


def test_nothing_of_them_is_in_the_repository():
    for path in (*(ROOT / "streamlab").rglob("*.py"), *(ROOT / "streamlab").rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        assert not any(re.search(rf"\b{name}\b", text) for name in NAMES), path


def test_each_takes_one_line_of_registration():
    tables = re.findall(r'\[project\.entry-points\."streamlab\.(\w+)"\]\n((?:[^`\n]+\n)*)', TEXT)
    assert sorted(group for group, _ in tables) == ["learners", "measures", "pictures", "streams"]
    assert all(len(lines.splitlines()) == 1 for _, lines in tables)


LEARNS = """
import json, sys
import numpy as np
import streamlab as sl
from streamlab.learners import LEARNERS

model = LEARNERS.load("FadingCentroids")(half_life=50)
stream = sl.load("seasons", days=700, warmer_from=400)
result = sl.prequential(stream, {"centroids": model, "still": type(model)(half_life=float("inf"))}, measures=[
    "micro_f1", "one_error"])
model.tune(half_life=80)
model.save("model.safetensors")
again = sl.load_model("model.safetensors")
more = next(sl.load("seasons", days=900, seed=2).chunks(300))
same = all(np.array_equal(a, b) for a, b in zip(model.test_then_train(more.X, more.Y),
    again.test_then_train(more.X, more.Y)))
state = model.state()
state["sums"] = state["sums"][:, :, :1].copy()
try:
    type(model).from_state(state)
    refused = ""
except ValueError as error:
    refused = str(error)
grown = type(model)()
grown.learn_one({"a": 1.0}, {"x": True})
grown.learn_one({"a": 3.0, "b": 2.0}, {"x": False, "y": True})
print(json.dumps({
    "class": type(again).__module__, "half_life": again.half_life, "same": same, "refused": refused,
    "events": sorted(set(result.events.kind)), "f1": result.summary.micro_f1.to_dict(),
    "one_error": result.summary.one_error.to_dict(), "curve": list(result.curves.columns),
    "grown": [list(grown._sums.shape), grown.predict_one({"a": 1.0})],
    "catalogue": sl.catalogue().query("name == 'seasons'").iloc[0][["rows", "labels"]].tolist(),
}, default=int))
"""


@pytest.fixture(scope="module")
def learned(site) -> dict:
    return json.loads(outside(site, "-c", LEARNS).stdout.splitlines()[-1])


def test_the_learner_learns_is_tuned_saved_and_loaded(learned):
    assert learned["class"] == "fading_centroids.learner"
    assert learned["half_life"] == 80
    assert learned["same"]
    assert learned["f1"]["centroids"] > 0.7
    assert learned["f1"]["centroids"] > learned["f1"]["still"], "on a stream that drifts, forgetting helps"


def test_an_altered_state_is_refused_by_its_table(learned):
    assert "FadingCentroids" in learned["refused"]
    assert "sums" in learned["refused"]


def test_columns_may_join(learned):
    assert learned["grown"] == [[2, 2, 2], {"x": True, "y": True}]


@pytest.mark.nightly
def test_the_learner_keeps_the_promises_of_learners(site):
    code = "from fading_centroids.learner import FadingCentroids\nfrom streamlab.testing import check_learner\n"
    outside(site, "-c", code + "check_learner(lambda: FadingCentroids(half_life=20))")


def test_its_events_are_in_the_log(learned):
    assert "first seen" in learned["events"]
    assert "drift" in learned["events"], "the stream's truth"


def test_the_stream_is_in_the_catalogue(learned):
    assert learned["catalogue"] == [3600, 3]


def test_the_measure_is_in_tables_and_curves(learned):
    assert "one_error" in learned["curve"]
    assert 0.0 < learned["one_error"]["centroids"] < 0.5


def test_the_measure_equals_its_definition(site):
    code = (
        "import numpy as np, json\nfrom streamlab.measures import MEASURES, Counts, evaluate, counts_of\n"
        "rng = np.random.default_rng(0); Y = (rng.random((50, 4)) < .4).astype('u1'); S = rng.random((50, 4))\n"
        "counts = Counts.zeros(4, counts_of(['one_error'])).count(Y, S > .5, S)\n"
        "print(json.dumps([evaluate(counts, ['one_error'])['one_error'], Y.tolist(), S.tolist()]))"
    )
    value, Y, scores = json.loads(outside(site, "-c", code).stdout)
    Y, scores = np.array(Y), np.array(scores)
    assert value == pytest.approx(np.mean([row[top] == 0 for row, top in zip(Y, scores.argmax(axis=1), strict=True)]))


@pytest.mark.nightly
def test_the_command_line_takes_them(site):
    done = outside(
        site, "-c", CLI, "run", "seasons", "--learner", "FadingCentroids(half_life=60)", "-q", "-m", "one_error"
    )
    assert "FadingCentroids" in done.stdout
    assert "One-error" in done.stdout
    assert "FadingCentroids" in outside(site, "-c", CLI, "learners").stdout


@pytest.mark.nightly
def test_the_lesson_can_be_gone_through_and_its_numbers_are_so(tmp_path):
    write_out(tmp_path)
    done = outside(tmp_path, "-c", CLI, "lesson", "lessons/waiting.md")
    assert done.stdout == "Waiting for the truth: 3 steps, 2 of 2 numbers are as the run has them\n"


@pytest.mark.nightly
def test_a_lesson_with_a_wrong_number_is_told(tmp_path):
    write_out(tmp_path)
    path = tmp_path / "lessons" / "waiting.md"
    path.write_text(path.read_text(encoding="utf-8").replace("0.64", "0.99"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CLI, "lesson", str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 1
    assert (
        "waiting.md, step 2 (How will it go on?): measure micro_f1 of SMART in rows 800 to 1,000 is 0.64" in done.stdout
    )
