"""Models, runs and studies that an earlier version wrote open, and say what that version said."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest

import streamlab as sl
from tests.data import write

FOLDER = Path(__file__).with_name("data")
VERSIONS = sorted(path.stem for path in FOLDER.glob("*.zip"))


def same(found: Any, recorded: Any, at: str = "") -> None:
    """Assert that plain values are equal; numbers up to the last bits, which differ between machines."""
    if isinstance(recorded, dict):
        assert list(found) == list(recorded), at
        for name, value in recorded.items():
            same(found[name], value, f"{at} {name}")
    elif isinstance(recorded, list):
        assert len(found) == len(recorded), at
        for place, value in enumerate(recorded):
            same(found[place], value, f"{at} {place}")
    elif isinstance(recorded, float) and math.isnan(recorded):
        assert found != found, at
    else:
        assert found == (pytest.approx(recorded, rel=1e-9) if isinstance(recorded, float) else recorded), at


@pytest.fixture(scope="module", params=VERSIONS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of one version, unpacked."""
    target = tmp_path_factory.mktemp("old")
    with zipfile.ZipFile(FOLDER / f"{request.param}.zip") as packed:
        packed.extractall(target)
    return target


@pytest.fixture
def recorded(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "recorded.json").read_text(encoding="utf-8"))


def test_models_answer_as_before_and_go_on_learning(folder: Path, recorded: dict[str, Any]) -> None:
    assert list(recorded["models"]) == list(write.LEARNERS)
    streams = {name: write.arrays(stream) for name, stream in write.streams(folder).items()}
    for name, said in recorded["models"].items():
        X, Y = streams[write.LEARNERS[name][0]]
        model = sl.load_model(folder / f"{name}.safetensors")
        same(write.answers(model, X[write.ASKED]), said["seen"], name)
        model.learn_many(X[write.SEEN :], Y[write.SEEN :])
        same(write.answers(model, X[write.ASKED]), said["all"], name)


def test_a_run_of_another_format_is_refused_in_a_sentence(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"run\.slab: it has the format 2; expected 4: another version of streamlab"):
        sl.Run.open(folder / "run.slab", write.streams(folder)["flat"])


def test_a_study_knows_its_results(folder: Path, recorded: dict[str, Any]) -> None:
    if "study" not in recorded:  # its cells are known by other keys now: they are run again
        assert not (folder / "study").exists()
        return
    study = write.study(folder)
    same(write.figures(study), recorded["study"])
    assert set(study.cells().status) == {"done"}
