"""An archive gives back the run that was saved, to the bit; whatever else a file holds is refused in one line."""

from __future__ import annotations

import io
import os
import pickle
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
from streamlab.lab import archive_file
from streamlab.lab.archive_values import Packer, Unpacker
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


@pytest.mark.parametrize("replay", [False, True])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_comes_back_to_the_bit(learner, replay, tmp_path):
    for stream in LEARNERS[learner][0]:
        run = lived(stream, learner)
        run.save(tmp_path / "x.slab")
        again = opened(tmp_path / "x.slab", stream, replay=replay)
        assert again.has_data
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


@pytest.mark.costly
@pytest.mark.parametrize("learner", ["SMART", "River's tree"])
def test_without_its_data_a_run_can_be_looked_at(learner, tmp_path):
    run = lived("late", learner)
    run.save(tmp_path / "x.slab")
    again = sl.Run.open(tmp_path / "x.slab", look_back=True)
    assert not again.has_data
    pd.testing.assert_frame_equal(again.curves("faded"), run.curves("faded"), check_exact=True)
    pd.testing.assert_frame_equal(again.events, run.events)
    of_it = ["bytes", "seconds", "instances_per_second"]
    pd.testing.assert_frame_equal(again.summary.drop(columns=of_it), run.summary.drop(columns=of_it))
    with pytest.raises(ValueError, match=r"x\.slab was opened to look back"):
        again.advance(1)
    for each in (run, again):
        each.seek(40)
    pd.testing.assert_frame_equal(again.curves(), run.curves(), check_exact=True)
    with pytest.raises(ValueError, match="look back"):
        again.seek(45)
    # and what was looked at can be saved again
    again.seek(40)
    again.save(tmp_path / "y.slab")
    run.seek(40)
    same(told(opened(tmp_path / "y.slab", "late")), told(run))


def test_a_run_on_a_catalogued_stream_needs_no_data_given(tmp_path):
    run = lived("late", "SMART")
    run.save(tmp_path / "x.slab")
    assert sl.Run.open(tmp_path / "x.slab").has_data


def test_a_run_on_arrays_goes_on_when_they_are_given(tmp_path):
    rng = np.random.default_rng(0)
    X, Y = rng.random((300, 4)), rng.integers(0, 2, (300, 3)).astype(np.uint8)
    run = sl.Run((X, Y), sl.SMART(seed=1))
    run.advance(150)
    run.save(tmp_path / "x.slab")
    assert not sl.Run.open(tmp_path / "x.slab").has_data
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
    assert sl.Run.open(tmp_path / "x.slab", (other, Y)).has_data


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
    assert not sl.Run.open(tmp_path / "x.slab").has_data
    with pytest.raises(ValueError, match=r"does not hold 'it' \(OnePerLabel of Pipeline\)"):
        sl.Run.open(tmp_path / "x.slab", STREAMS["flat"]())
    with pytest.raises(ValueError, match="learners='no'"):
        sl.Run.open(tmp_path / "x.slab", STREAMS["flat"](), learners={"no": sl.NoChange()})
    again = opened(tmp_path / "x.slab", "flat", learners={"it": Named() | tree.HoeffdingTreeClassifier()})
    same(told(again), told(run))
    with pytest.raises(ValueError, match="'it' is a OnePerLabel of Pipeline, and no file can say"):
        opened(tmp_path / "x.slab", "flat", replay=True)


def test_a_python_function_as_drift_says_from_where_on_there_is_no_replay(tmp_path):
    def noisy(stream, at):
        return feature_noise(stream, at=at, seed=5)

    run = sl.Run(STREAMS["flat"](), {"it": sl.SMART(seed=1)}, chunk=20)
    run.advance(100)
    run.put_drift(noisy)
    run.advance(60)
    run.save(tmp_path / "x.slab")
    again = sl.Run.open(tmp_path / "x.slab")
    pd.testing.assert_frame_equal(again.curves(), run.curves(), check_exact=True)
    why = "put in after 100 instances was the Python function noisy"
    with pytest.raises(ValueError, match=why):
        again.advance(20)
    assert again.seek(90) == 90
    run.seek(90)
    same(told(again), told(run))
    with pytest.raises(ValueError, match=why):
        again.seek(110)


def test_views_come_back_as_arrays_and_plain_values(tmp_path):
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=20)
    run.advance(40)
    columns = {"id": np.arange(3), "name": np.array(["a", "bc", ""]), "o": np.array(["x", None], object)}
    run.views.add(20, {"picture tree of it": {"columns": columns, 3: (1, None), "x": [1.5, float("inf")]}})
    run.views.add(40, {"picture tree of it": {"columns": columns}})
    run.save(tmp_path / "x.slab")
    views = sl.Run.open(tmp_path / "x.slab").views
    assert [entry.position for entry in views.entries] == [20, 40]
    first = views.at(39).readings["picture tree of it"]
    assert first[3] == (1, None)
    assert first["x"] == [1.5, float("inf")]
    for name, array in columns.items():
        np.testing.assert_array_equal(first["columns"][name], array)
    assert first["columns"]["id"] is views.at(40).readings["picture tree of it"]["columns"]["id"]


def test_packed_values_come_back():
    packer = Packer()
    values = {"a": np.arange(100_000), "none": np.zeros((0, 3)), "flags": np.array([True, False]), "n": np.float32(2)}
    packed = packer.pack(values)
    unpacker = Unpacker(packer.arrays(), packer.parts())
    found = unpacker.unpack(packed)
    for name, value in values.items():
        np.testing.assert_array_equal(found[name], value)
    with pytest.raises(ValueError, match="cannot be written"):
        packer.pack(object())


# ---------------------------------------------------------------------- what came from elsewhere


def test_a_replay_reads_no_figure_of_the_file(sound, tmp_path):
    tree = mutants.tree_of(sound)
    recipe = {"run.json": tree["run.json"]}
    (tmp_path / "x.slab").write_bytes(sound)
    (tmp_path / "y.slab").write_bytes(mutants.built({**dict.fromkeys(tree, b"?"), **recipe}))
    first, second = (sl.Run.open(tmp_path / name, replay=True) for name in ("x.slab", "y.slab"))
    same(told(first), told(second))
    same(told(first), told(sl.Run.open(tmp_path / "x.slab")))


def test_a_replay_tells_how_far_it_is_and_can_be_ended(sound, tmp_path):
    (tmp_path / "x.slab").write_bytes(sound)
    heard: list[tuple[int, int]] = []
    sl.Run.open(tmp_path / "x.slab", replay=True, progress=lambda rows, of: heard.append((rows, of)))
    assert heard[-1] == (80, 80)
    assert [rows for rows, _ in heard if rows] == [25, 37, 50, 75, 80]

    def enough(rows, of):
        if rows:
            raise RuntimeError("enough")

    with pytest.raises(ValueError, match="enough"):
        sl.Run.open(tmp_path / "x.slab", replay=True, progress=enough)


@pytest.mark.parametrize(
    ("learner", "why"),
    [
        (lambda: sl.SMART(n_trees=2, height=2), "'it' had learned before the run began, or has no seed"),
        (lambda: sl.NoChange().bind(STREAMS["flat"]().schema), ""),
        (lambda: sl.load_model(learned().to_bytes()), "'it' had learned before"),
    ],
)
def test_what_cannot_be_made_from_nothing_is_not_replayed(learner, why, tmp_path):
    run = sl.Run(STREAMS["flat"](), {"it": learner()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    same(told(opened(tmp_path / "x.slab", "flat")), told(run))
    if not why:
        same(told(opened(tmp_path / "x.slab", "flat", replay=True)), told(run))
        return
    with pytest.raises(ValueError, match=rf"x\.slab: the learner {why}"):
        opened(tmp_path / "x.slab", "flat", replay=True)


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
        sl.Run.open(tmp_path / "x.slab", replay=True)
    there = (tmp_path / "rows.csv").rename(tmp_path / "there.csv")
    again = sl.Run.open(tmp_path / "x.slab", lambda recipe: from_recipe(recipe, files=there), replay=True)
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
    altered[len(sound) // 2] ^= 1
    refused(bytes(altered), tmp_path, r"\.(safetensors|json)|cannot be read as an archive")
    tree = mutants.tree_of(sound)
    told_of = {"format": 3, "members": {name: {"bytes": len(c), "sha256": "0" * 64} for name, c in tree.items()}}
    refused(mutants.built(tree, told=told_of), tmp_path, "run.json is damaged: its checksum")
    refused(mutants.built(tree, format=2), tmp_path, "format 2; expected 3: another version")
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
    deep = mutants.tree_of(sound) | {"views.json": b"[" * 20_000 + b"]" * 20_000}
    refused(mutants.built(deep), tmp_path, "nested more than 64 deep")
    monkeypatch.setattr(archive_file, "MOST_VALUES", 100)
    refused(sound, tmp_path, "more than 100 values")


def test_nothing_is_unpickled_from_a_file(sound, tmp_path):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "struck"),)

    story = "a pickle among the entries"
    content = next(make for said, make in mutants.shapes() if said == story)()
    tree = mutants.tree_of(content)
    tree["blocks/0.safetensors"] += pickle.dumps(Bomb())
    refused(content, tmp_path, "an object of Python's")
    refused(mutants.built(tree), tmp_path, "object of Python's|damaged|blocks")
    assert not (tmp_path / "struck").exists()


def test_a_learner_is_looked_up_and_never_imported(sound, tmp_path):
    tree = mutants.tree_of(sound)
    content = tree["snapshots.json"].decode().replace('"NoChange"', '"os.system"')
    refused(mutants.built(tree | {"snapshots.json": content.encode()}), tmp_path, "unknown learner 'os.system'")
    assert "os.system" not in registry.LEARNERS


# ---------------------------------------------------------------------- writing


def test_the_archive_is_a_zip_of_open_formats(sound):
    with zipfile.ZipFile(io.BytesIO(sound)) as archive:
        assert archive.testzip() is None
        kinds = {name.rpartition(".")[2] for name in archive.namelist()}
        curves = load(archive.read("curves.safetensors"))
    assert kinds == {"json", "safetensors"}
    assert curves['["faded", "micro_f1", "SMART"]'].shape == curves['["positions"]'].shape


def test_what_snapshots_share_is_written_once(tmp_path):
    run = sl.Run(STREAMS["flat"](), {"it": sl.SMART(seed=1)}, chunk=20)
    run.advance(100)
    run.save(tmp_path / "x.slab")
    store = run._machine.store
    with zipfile.ZipFile(tmp_path / "x.slab") as archive:
        written = sum(info.file_size for info in archive.infolist() if info.filename.startswith("blocks/"))
    assert len(store) == 6
    assert written < 1.01 * store.n_bytes < sum(snapshot.n_bytes for snapshot in store)


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    before = (tmp_path / "x.slab").read_bytes()
    run.advance(40)

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(archive_file.os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        run.save(tmp_path / "x.slab")
    assert [each.name for each in tmp_path.iterdir()] == ["x.slab"]
    assert (tmp_path / "x.slab").read_bytes() == before


@pytest.mark.parametrize(("limit", "most"), [("MOST_VALUES", 1000), ("MOST_JSON", 5000), ("MOST_MEMBERS", 3)])
def test_what_could_not_be_read_is_not_written(limit, most, tmp_path, monkeypatch):
    run = sl.Run(STREAMS["flat"](), {"it": sl.NoChange()}, chunk=20)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    before = (tmp_path / "x.slab").read_bytes()
    for _ in range(60):
        run.advance(1)
        run.mark()
    monkeypatch.setattr(archive_file, limit, most)
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
        with zipfile.ZipFile(tmp_path / "x.slab") as archive:
            each = [archive.read(name) for name in ("run.json", "snapshots.json")]
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
