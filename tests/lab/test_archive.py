"""An archive gives back the run that was saved, to the bit; whatever else a file holds is refused in one line."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from river import compose, tree
from safetensors.numpy import load
from scipy.sparse import csr_array

import streamlab as sl
from streamlab import _files
from streamlab._packed import packed, plain_text, unpacked
from streamlab.lab import archive
from streamlab.learners.base import registry
from streamlab.streams import DriftRecipe, feature_noise, from_recipe
from streamlab.streams.readers.arrays import ArrayStream
from tests.fuzz import slab_mutants as mutants
from tests.lab.made import nested_stream
from tests.lab.test_time_machine import LEARNERS, STREAMS, TUNED, same, told

pytestmark = pytest.mark.usefixtures("a_snapshot_of_every_chunk")


def lived(stream: str, learner: str) -> sl.Run:
    """A run with two branches, in which much has happened."""
    run = sl.Run(STREAMS[stream](), {"it": LEARNERS[learner][1](), "no": sl.NoChange()}, chunk=20, alarms="label")
    run.advance(50)
    if learner in TUNED:
        run.tune("it", **TUNED[learner][0])
    run.advance(37)
    if stream != "classes":
        run.put_drift(DriftRecipe("feature_noise", strength=1.0))
        run.join("most", sl.MajorityLabels(), train_on=30)
    run.fork("it", "copy")
    run.advance(33)
    run.remove("no")
    run.seek(60)
    run.fork("it", "a", train_on=25)
    run.advance(40)
    return run


def plain(x):
    return x


class Named(compose.FuncTransformer):
    """A part of another package, which no file can name."""

    def __init__(self):
        super().__init__(plain)


def opened(path: Path, stream: str, **more: Any) -> sl.Run:
    return sl.Run.open(path, STREAMS[stream](), **more)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_comes_back_to_the_bit(learner, tmp_path):
    for stream in LEARNERS[learner][0]:
        run = lived(stream, learner)
        run.save(tmp_path / "x.slab")
        again = opened(tmp_path / "x.slab", stream)
        same(told(again), told(run))
        pd.testing.assert_frame_equal(again.branches, run.branches)
        for each in (run, again):
            each.advance(60)
        same(told(again), told(run))
        for each in (run, again):
            each.switch_branch(0)
            each.seek(70)
            each.advance()
        same(told(again), told(run))


def test_without_its_data_other_programs_read_its_curves_and_events(tmp_path):
    rng = np.random.default_rng(0)
    run = sl.Run((rng.random((300, 4)), rng.integers(0, 2, (300, 3)).astype(np.uint8)), {"it": sl.SMART(seed=1)})
    run.advance(150)
    run.tune("it", half_life=9)
    run.advance(50)
    run.save(tmp_path / "x.slab")
    with pytest.raises(ValueError, match=r"are needed.*Run.open\(path, stream\)"):
        sl.Run.open(tmp_path / "x.slab")
    with zipfile.ZipFile(tmp_path / "x.slab") as archive:
        curves, events = load(archive.read("curves.safetensors")), json.loads(archive.read("events.json"))
    assert [each[3] for each in events] == run.events["message"].tolist()
    for over in ("chunk", "faded"):
        np.testing.assert_array_equal(curves[json.dumps([over, "micro_f1", "it"])], run.curves(over).micro_f1)


def test_a_run_on_arrays_goes_on_when_they_are_given(tmp_path):
    rng = np.random.default_rng(0)
    X, Y = rng.random((300, 4)), rng.integers(0, 2, (300, 3)).astype(np.uint8)
    run = sl.Run((X, Y), sl.SMART(seed=1))
    run.advance(150)
    run.save(tmp_path / "x.slab")
    again = sl.Run.open(tmp_path / "x.slab", (X, Y))
    for each in (run, again):
        each.advance()
    pd.testing.assert_frame_equal(again.curves(), run.curves(), check_exact=True)
    other = X.copy()
    other[100, 2] += 1e-9
    with pytest.raises(ValueError, match=r"x\.slab: the run was on another stream: .* has other rows"):
        sl.Run.open(tmp_path / "x.slab", (other, Y))
    with pytest.raises(ValueError, match="fewer rows"):
        sl.Run.open(tmp_path / "x.slab", (X[:100], Y[:100]))
    with pytest.raises(ValueError, match="another stream than"):
        sl.Run.open(tmp_path / "x.slab", (X[:, :3], Y))
    # rows behind those that passed may be others
    other = X.copy()
    other[200] = 0.0
    sl.Run.open(tmp_path / "x.slab", (other, Y))


@pytest.mark.nightly
def test_sparse_rows_and_classes_come_back(tmp_path):
    rng = np.random.default_rng(0)
    X, Y = rng.random((120, 30)) * (rng.random((120, 30)) < 0.2), rng.integers(0, 2, (120, 3)).astype(np.uint8)
    for stream, learner in (
        (ArrayStream(csr_array(X), Y, sparse=True), sl.SMART(seed=1)),
        (nested_stream(120), sl.FlatKNN()),
    ):
        run = sl.Run(stream, {"it": learner}, chunk=20)
        run.advance(60)
        run.save(tmp_path / "x.slab")
        again = sl.Run.open(tmp_path / "x.slab", stream)
        for each in (run, again):
            each.advance()
        pd.testing.assert_frame_equal(again.curves(), run.curves(), check_exact=True)


def test_learners_that_it_does_not_hold_are_asked_for(tmp_path):
    run = sl.Run(STREAMS["flat"](), {"it": Named() | tree.HoeffdingTreeClassifier(), "no": sl.NoChange()}, chunk=20)
    run.advance(60)
    run.save(tmp_path / "x.slab")
    with pytest.raises(ValueError, match=r"does not hold 'it' \(OnePerLabel of Pipeline\)"):
        sl.Run.open(tmp_path / "x.slab", STREAMS["flat"]())
    with pytest.raises(ValueError, match="learners='no'"):
        sl.Run.open(tmp_path / "x.slab", STREAMS["flat"](), learners={"no": sl.NoChange()})
    again = opened(tmp_path / "x.slab", "flat", learners={"it": Named() | tree.HoeffdingTreeClassifier()})
    same(told(again), told(run))


def test_a_python_function_as_drift_says_from_where_on_there_is_no_replay(tmp_path):
    def noisy(stream, at):
        return feature_noise(stream, at=at, seed=5)

    run = sl.Run(STREAMS["flat"](), {"it": sl.SMART(seed=1)}, chunk=20)
    run.advance(100)
    run.put_drift(noisy)
    run.advance(60)
    run.save(tmp_path / "x.slab")
    why = r"x\.slab: the drift put in after 100 instances was the Python function noisy"
    with pytest.raises(ValueError, match=why):
        sl.Run.open(tmp_path / "x.slab")


def test_packed_values_come_back():
    values = {"a": np.arange(4).reshape(2, 2), "flags": np.array([True]), "t": (1, [None]), "x": {3: float("nan")}}
    found = unpacked(json.loads(plain_text(packed(values))))
    assert repr(found) == repr(values)
    assert found["a"].dtype == np.int64
    for wrong in (object(), {"o": {object(): 1}}, np.array([None])):
        with pytest.raises(ValueError, match="cannot be written"):
            packed(wrong)
    for wrong in ({"!array": ["|O", [1], [1]]}, {"!array": ["<f8", [2**40], [1]]}, {"!float": "1"}, {"!code": "x"}):
        with pytest.raises(ValueError, match=r"."):
            unpacked(wrong)


# ---------------------------------------------------------------------- what came from elsewhere


def test_opening_reads_no_figure_of_the_file(sound, tmp_path):
    tree = mutants.tree_of(sound)
    recipe = {"run.json": tree["run.json"]}
    (tmp_path / "x.slab").write_bytes(sound)
    (tmp_path / "y.slab").write_bytes(mutants.built({**dict.fromkeys(tree, b"?"), **recipe}))
    first, second = (sl.Run.open(tmp_path / name) for name in ("x.slab", "y.slab"))
    same(told(first), told(second))


def test_a_replay_tells_how_far_it_is_and_can_be_ended(sound, tmp_path):
    (tmp_path / "x.slab").write_bytes(sound)
    heard: list[tuple[int, int]] = []
    sl.Run.open(tmp_path / "x.slab", progress=lambda rows, of: heard.append((rows, of)))
    assert heard[-1] == (80, 80)
    assert [rows for rows, _ in heard if rows] == [25, 37, 50, 75, 80]

    def enough(rows, of):
        if rows:
            raise RuntimeError("enough")

    with pytest.raises(ValueError, match="enough"):
        sl.Run.open(tmp_path / "x.slab", progress=enough)


@pytest.mark.parametrize(
    ("learner", "why"),
    [
        (lambda: sl.SMART(n_trees=2, height=2), "'it' had learned before the run began, or has no seed"),
        (lambda: sl.NoChange().bind(STREAMS["flat"]().schema), ""),
        (lambda: sl.load_model(learned().to_bytes()), "'it' had learned before"),
    ],
)
def test_what_cannot_be_made_from_nothing_is_in_it_as_a_model(learner, why, tmp_path):
    run = sl.Run(STREAMS["flat"](), {"it": learner()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    same(told(opened(tmp_path / "x.slab", "flat")), told(run))
    if not why:
        same(told(opened(tmp_path / "x.slab", "flat", models=False)), told(run))
        return
    with pytest.raises(ValueError, match=rf"x\.slab: the learner {why}"):
        opened(tmp_path / "x.slab", "flat", models=False)


def learned() -> sl.Learner:
    model, stream = sl.MajorityLabels(), STREAMS["flat"]()
    chunk = next(stream.chunks(10))
    model.bind(stream.schema).learn_many(chunk.X, chunk.Y)
    return model


def test_rows_of_a_file_are_found_by_the_recipe(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((200, 3)).round(3), columns=list("abc"))
    table["it"] = (table.a > 0.5).astype(int)
    table.to_csv(tmp_path / "rows.csv", index=False)
    run = sl.Run(sl.load(tmp_path / "rows.csv", labels=["it"]), {"most": sl.MajorityLabels()}, chunk=20)
    run.advance(100)
    run.save(tmp_path / "x.slab")
    with pytest.raises(ValueError, match=r"the rows of the run are needed, and are not here: the stream is the file"):
        sl.Run.open(tmp_path / "x.slab")
    there = (tmp_path / "rows.csv").rename(tmp_path / "there.csv")
    again = sl.Run.open(tmp_path / "x.slab", lambda recipe: from_recipe(recipe, files=there))
    pd.testing.assert_frame_equal(again.curves(), run.curves(), check_exact=True)


# ---------------------------------------------------------------------- what is refused


@pytest.fixture(scope="module")
def sound() -> bytes:
    return mutants.sound()


def refused(content: bytes, folder: Path, match: str) -> None:
    path = folder / "x.slab"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=match) as error:
        sl.Run.open(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert len(said.splitlines()) == 1


def test_a_file_that_was_cut_or_altered_is_refused(sound, tmp_path):
    refused(sound[:-100], tmp_path, "cut short")
    refused(b"", tmp_path, "cut short")
    altered = bytearray(sound)
    altered[100] ^= 1
    refused(bytes(altered), tmp_path, r"run\.json|cannot be read as an archive")
    other = mutants.built(mutants.tree_of(sound), told={"format": 2})
    refused(other, tmp_path, "format 2; expected 4: another version")
    with pytest.raises(ValueError, match=r"none\.slab: does not exist; expected a file"):
        sl.Run.open(tmp_path / "none.slab")


@pytest.mark.parametrize("name", mutants.ESCAPES)
def test_a_member_that_would_escape_is_refused(name, sound, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    refused(mutants.built(mutants.tree_of(sound) | {name: b"{}"}), folder, "it has a member")
    assert [each.name for each in tmp_path.rglob("*")] == ["folder", "x.slab"]


def test_bombs_are_refused_by_their_sizes(sound, tmp_path, monkeypatch):
    path = tmp_path / "x.slab"
    path.write_bytes(sound)
    with pytest.raises(ValueError, match="bytes unpacked; expected at most 1,000"):
        sl.Run.open(path, most_bytes=1000)
    deep = mutants.tree_of(sound) | {"run.json": b"[" * 20_000 + b"]" * 20_000}
    refused(mutants.built(deep), tmp_path, "nested more than 64 deep")
    monkeypatch.setattr(archive, "MOST_VALUES", 100)
    refused(sound, tmp_path, "more than 100 values")


def test_a_learner_is_looked_up_and_never_imported(sound, tmp_path):
    content = mutants.tree_of(sound)["run.json"].decode().replace('"NoChange"', '"os.system"')
    refused(mutants.built({"run.json": content.encode()}), tmp_path, r"os\.system")
    assert "os.system" not in registry.LEARNERS


# ---------------------------------------------------------------------- writing


def test_the_archive_is_a_zip_of_open_formats(sound):
    with zipfile.ZipFile(io.BytesIO(sound)) as file:
        assert file.testzip() is None
        kinds = {name.rpartition(".")[2] for name in file.namelist()}
        curves = load(file.read("curves.safetensors"))
    assert kinds == {"json", "safetensors"}
    assert curves['["faded", "micro_f1", "SMART"]'].shape == curves['["positions"]'].shape


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    before = (tmp_path / "x.slab").read_bytes()
    run.advance(40)

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(_files.os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        run.save(tmp_path / "x.slab")
    assert [each.name for each in tmp_path.iterdir()] == ["x.slab"]
    assert (tmp_path / "x.slab").read_bytes() == before


@pytest.mark.parametrize(("limit", "most"), [("MOST_VALUES", 300), ("MOST_JSON", 5000), ("MOST_MEMBERS", 3)])
def test_what_could_not_be_read_is_not_written(limit, most, tmp_path, monkeypatch):
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    before = (tmp_path / "x.slab").read_bytes()
    for _ in range(60):
        run.advance(1)
        run.mark()
    monkeypatch.setattr(archive, limit, most)
    with pytest.raises(ValueError, match="which no archive may have"):
        run.save(tmp_path / "x.slab")
    assert [each.name for each in tmp_path.iterdir()] == ["x.slab"]
    assert (tmp_path / "x.slab").read_bytes() == before


def test_what_was_done_is_written_once(tmp_path):
    def values(n: int) -> int:
        run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=1)
        for at in range(n):
            run.advance(1)
            run.mark()
            if at == n // 2:
                run.advance(1)
                run.seek(at)
                run.mark()  # a branch of its own
        run.save(tmp_path / "x.slab")
        assert len(run._machine.store) > n
        with zipfile.ZipFile(tmp_path / "x.slab") as file:
            each = [file.read(name) for name in ("run.json", "events.json")]
        same(told(sl.Run.open(tmp_path / "x.slab", STREAMS["flat"]())), told(run))
        return sum(text.count(b",") for text in each)

    few, many = values(40), values(160)
    assert many < 4.5 * few, "not with the square"


def test_a_run_that_is_played_is_saved_and_goes_on(tmp_path):
    run = sl.Run(sl.load("syn-tree-sudden", seed=3, n_rows=20_000), {"it": sl.NoChange()}, chunk=20)
    player = sl.Player(run)
    try:
        player.play()
        run.save(tmp_path / "x.slab")
        at = sl.Run.open(tmp_path / "x.slab")
    finally:
        player.close()
    run.advance(20)
    assert run.position > at.position or at.finished
    again = sl.Run(sl.load("syn-tree-sudden", seed=3, n_rows=20_000), {"it": sl.NoChange()}, chunk=20)
    again.advance(at.position)
    pd.testing.assert_frame_equal(at.events, again.events)
    for each in (at, again):
        each.advance(1000)
    pd.testing.assert_frame_equal(at.curves(), again.curves(), check_exact=True)


def test_an_opened_run_keeps_to_another_budget(tmp_path):
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    run.advance(300)
    run.save(tmp_path / "run.slab")
    again = sl.Run.open(tmp_path / "run.slab", snapshots=2**20)
    assert again._machine.store.budget == 2**20
    assert again.seek(100) == 100
    with pytest.raises(ValueError, match="snapshots=-1"):
        sl.Run.open(tmp_path / "run.slab", snapshots=-1)


def test_settings_of_numpy_are_written(tmp_path):
    settings = {"history": np.int64(50), "chunk": np.int32(20), "fading": np.float32(0.5), "zero_division": np.int64(1)}
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, snapshots=np.int64(2**26), **settings)
    run.advance(60)
    run.save(tmp_path / "x.slab")
    again = sl.Run.open(tmp_path / "x.slab")
    for each in (run, again):
        each.advance(60)
    pd.testing.assert_frame_equal(again.curves("faded"), run.curves("faded"), check_exact=True)
    for history in (True, 2000.0, "2000", 3, 0):
        with pytest.raises(ValueError, match="history="):
            sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, history=history)
