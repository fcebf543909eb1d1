"""Studies: cells and keys, results, curves, limits, failures, resuming, and several processes on one folder."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow.parquet as pq
import pytest
from river import drift, metrics
from river.metrics import multioutput

import streamlab as sl
from streamlab.study.store import Store, psutil
from tests.study.made import MEASURES, csv, streams, study


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A study that has run."""
    made = study(tmp_path_factory.mktemp("study"))
    made.run(2)
    return made


def test_every_cell_has_a_row(done):
    cells, results = done.cells(), done.results()
    # two streams; no-change and Hoeffding trees once, two SMARTs twice
    assert len(cells) == len(results) == 2 * (1 + 2 * 2 + 1)
    assert set(results.status) == {"done"}
    assert results.seed.isna().sum() == 4
    assert set(results.learner) == {"NoChange", "SMART, half_life=50", "SMART, half_life=400", "HT"}
    assert (results.rows == results.stream.map({"s1": 250, "s2": 300})).all()
    assert (results.bytes > 0).all()
    assert not len(done.failures())
    assert (cells.expected_seconds >= 0).all()
    assert (done.status() == "done").to_numpy().all()


def test_figures_are_those_of_a_run_row_by_row(done):
    stream = done.sources["s1"]
    from streamlab.streams import from_recipe

    result = sl.prequential(
        from_recipe(stream.recipe, files=True),
        {"SMART": sl.SMART(half_life=50, seed=2)},
        chunk=1,
        measures=MEASURES,
        alarms=None,
    )
    mine = done.results().set_index(["stream", "learner", "seed"]).loc["s1", "SMART, half_life=50", 2]
    for measure in MEASURES:
        assert mine[measure] == result.summary.loc["SMART", measure]


def test_without_a_terminal_progress_is_told_in_lines(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("streamlab.study.progress.EVERY_S", 0.0)
    made = sl.Study({"yeast": {"rows": 60}}, ["NoChange", "MajorityLabels", "SMART"], results=tmp_path)
    made.run(1, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(",")[0] for line in lines[:2]] == ["1 of 3 cells", "2 of 3 cells"]
    assert "left" in lines[0]


def test_a_table_is_the_mean_of_the_seeds(done):
    table = done.table("micro_f1")
    assert table.index.tolist() == ["NoChange", "SMART, half_life=50", "SMART, half_life=400", "HT"]
    results = done.results()
    one = results[(results.learner == "SMART, half_life=50") & (results.stream == "s2")].micro_f1
    assert len(one) == 2
    assert table.loc["SMART, half_life=50", "s2"] == one.mean()
    with pytest.raises(ValueError, match="measure='f2'"):
        done.table("f2")


def test_curves_have_a_point_every_fifty_rows_and_end_at_the_figure(done):
    curves = done.curves("micro_f1", "cumulative")
    one = curves[(curves.learner == "HT") & (curves.stream == "s1")]
    assert one.position.tolist() == [50, 100, 150, 200, 250]
    results = done.results().set_index(["learner", "stream"])
    assert one.value.iloc[-1] == results.loc[("HT", "s1"), "micro_f1"]
    assert len(done.curves("micro_f1", "tenth").groupby(["learner", "stream", "seed"], dropna=False)) == 12
    assert (done.curves("seconds").value >= 0).all()
    for wrong in ({"measure": "f2"}, {"measure": "micro_f1", "over": "week"}, {"measure": "bytes", "over": "tenth"}):
        with pytest.raises(ValueError, match="expected"):
            done.curves(**wrong)


def test_a_result_says_how_it_came_about(done):
    key = done.results().key[0]
    about = json.loads(pq.read_metadata(done.store.path(key)).metadata[b"streamlab study"])
    assert about["key"] == key
    assert about["versions"]["numpy"] == np.__version__
    assert about["machine"]
    assert about["description"] == {"learner": "NoChange", "parameters": {}}


def test_nothing_runs_twice_and_another_study_takes_what_is_there(done, tmp_path):
    before = {path.name: path.stat().st_mtime_ns for path in done.store.cells.iterdir()}
    twin = sl.Study(
        streams(tmp_path), {"renamed": "SMART(half_life=50)"}, seeds=[2], measures=MEASURES, results=done.store.folder
    )
    assert twin.cells().status.tolist() == ["done", "done"]  # files of the same content, elsewhere
    done.run(2)
    twin.run(1)
    assert before == {path.name: path.stat().st_mtime_ns for path in done.store.cells.iterdir()}


def keys(**options):
    return set(sl.Study(**options).cells().key)


def test_keys_change_with_what_matters_and_with_nothing_else(tmp_path):
    path = csv(tmp_path / "a.csv")
    base = {
        "streams": {"a": {"use": path, "labels": ["label_p", "label_q"]}},
        "learners": {"S": {"use": "SMART", "half_life": 50, "n_trees": 4}},
        "measures": ["micro_f1"],
        "results": tmp_path / "r",
    }
    first = keys(**base)
    same = (
        {"learners": {"S": {"use": "SMART", "n_trees": 4, "half_life": 50}}},
        {"learners": {"T": sl.SMART(n_trees=4, half_life=50, seed=9)}},
        {"learners": ["SMART(n_trees=4, half_life=50)"]},
        {"limits": {"seconds": 5}},
        {"streams": {"b": {"use": csv(tmp_path / "other.csv"), "labels": ["label_p", "label_q"]}}},
    )
    for change in same:
        assert keys(**base | change) == first, change
    other = (
        {"learners": {"S": {"use": "SMART", "half_life": 51, "n_trees": 4}}},
        {"seeds": [2]},
        {"chunk": 10},
        {"measures": ["macro_f1"]},
        {"zero_division": 1.0},
        {"curves_every": 10},
        {"streams": {"a": {"use": csv(tmp_path / "b.csv", seed=1), "labels": ["label_p", "label_q"]}}},
        {"streams": {"a": {"use": path, "labels": ["label_q"]}}},
        {"streams": {"a": {"use": path, "labels": ["label_p", "label_q"], "rows": 100}}},
        {
            "streams": {
                "a": {
                    "use": path,
                    "labels": ["label_p", "label_q"],
                    "changes": [{"put": "swap_labels", "a": 0, "b": 1, "at": 100}],
                }
            }
        },
    )
    for change in other:
        assert not keys(**base | change) & first, change


def test_the_version_of_a_learners_answers_is_in_the_key(tmp_path, monkeypatch):
    def key():
        return keys(streams=["yeast"], learners=["NoChange"], measures=["micro_f1"], results=tmp_path)

    before = key()
    monkeypatch.setattr(sl.NoChange, "answers_version", 2)
    assert key() != before


@pytest.mark.nightly
def test_a_limit_of_seconds_is_a_result(tmp_path):
    made = study(tmp_path, learners={"HT": "HT one per label"}, limits={"seconds": 0.001})
    made.run(1)
    table = made.failures()
    assert table.status.tolist() == ["seconds", "seconds"]
    assert table.message[0] == "it took more than 0.001 CPU seconds"
    assert (table.rows == 50).all()
    assert made.results().micro_f1.isna().all()
    assert made.table("micro_f1").isna().to_numpy().all()
    # tried again only if asked
    with_time = study(tmp_path, learners={"HT": "HT one per label"}, limits={"seconds": 600})
    with_time.run(1)
    assert set(with_time.cells().status) == {"seconds"}
    with_time.run(1, retry="seconds")
    assert set(with_time.cells().status) == {"done"}
    assert len(list((tmp_path / "results" / "set_aside").iterdir())) == 2


def test_a_limit_of_memory_is_a_result(tmp_path):
    made = sl.Study({"yeast": {"rows": 60}}, ["NoChange"], results=tmp_path, limits={"gigabytes": 0.05})
    made.run(1)
    assert made.failures().status.tolist() == ["memory"]
    assert "GB; the study allows 0.05" in made.failures().message[0]


def test_a_stream_that_changed_meanwhile_is_a_failure_with_its_reason(tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    csv(tmp_path / "s1.csv", 250, seed=9)
    made.run(1)
    failed = made.failures()
    assert failed.stream.tolist() == ["s1"]
    assert "its files are not the same as" in failed.message.iloc[0]
    assert made.status().loc["NoChange"].tolist() == ["failed", "done"]


@pytest.mark.nightly
def test_a_worker_that_is_killed_costs_nothing_and_one_that_always_dies_is_a_failure(tmp_path, idle_workers):
    while idle_workers:
        _, worker = idle_workers.pop()
        worker.is_limited = True  # such a one does not stay
        worker.end()
    made = study(tmp_path, learners={"ARF": "ARF one per label"}, seeds=1)
    runner = threading.Thread(target=made.run, args=(1,))
    runner.start()
    killed = set()
    while runner.is_alive():
        for child in psutil().Process().children():
            try:
                ours = "streamlab.study.local" in " ".join(child.cmdline())
            except psutil().Error:
                continue
            if ours and len(killed) < 2 and child.pid not in killed:
                killed.add(child.pid)
                child.kill()
        time.sleep(0.05)
    runner.join()
    results = made.results()
    # the first cell's process was killed twice, which is how often it is tried
    assert sorted(results.status) == ["done", "failed"]
    assert "ended by SIGKILL" in made.failures().message.iloc[0]
    made.run(1, retry="failed")
    assert set(made.results().status) == {"done"}


@pytest.mark.nightly
def test_two_processes_on_one_folder_do_no_cell_twice(tmp_path):
    streams(tmp_path)
    learners = ["NoChange", "SMART", "SMART(half_life=50)", "HT one per label", "NB one per label"]
    code = f"""
import streamlab as sl
from pathlib import Path
folder = Path({str(tmp_path)!r})
labels = ["label_p", "label_q"]
given = {{f"s{{i}}": {{"use": str(folder / f"s{{i}}.csv"), "labels": labels}} for i in (1, 2)}}
study = sl.Study(given, {learners!r}, seeds=3, measures=["micro_f1"], results=folder / "shared")
study.run(1)
print(len(study.results()), set(study.results().status))
"""
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        for _ in range(2)
    ]
    said = [each.communicate(timeout=600)[0].strip() for each in both]
    assert said == ["18 {'done'}"] * 2
    cells = tmp_path / "shared" / "cells"
    assert len(list(cells.glob("*.parquet"))) == 18
    assert not list(cells.glob("*.lock"))
    assert not (tmp_path / "shared" / "set_aside").exists()


def test_what_killed_processes_have_left_is_swept_and_what_lives_is_not(tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    made.run(1)
    store, key = made.store, made.cells().key[0]
    # a worker wrote its result when its parent had just been killed: the parent could not remove its lock
    ended = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    begun = psutil().Process(ended.pid).create_time()
    ended.communicate(b"\n")
    lock = store.cells / f"{key}.lock"
    lock.write_text(json.dumps({"host": socket.gethostname(), "pid": ended.pid, "begun": begun, "token": "a"}))
    elsewhere = Store(store.folder)
    assert elsewhere.take("f" * 64)
    made.run(1)
    assert not lock.exists()
    assert store.is_taken("f" * 64)
    elsewhere.leave("f" * 64)
    assert not list(store.cells.glob("*.lock"))


def test_a_file_that_is_no_result_is_named(done, tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    key = made.cells().key[0]
    made.store.path(key).write_bytes(b"PAR1 not")
    with pytest.raises(ValueError, match=f"{key}.parquet: it is not a result"):
        made.results()
    other = done.results().key[0]
    made.store.path(key).write_bytes(done.store.path(other).read_bytes() if other != key else b"")
    if other != key:
        with pytest.raises(ValueError, match="the result of another cell"):
            made.results()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"streams": []}, "streams: expected at least one"),
        ({"streams": {"x": {"use": "yeastt"}}}, r"streams\['x'\].*did you mean"),
        ({"streams": {"x": 3}}, r"streams\['x'\]: 3: expected a name"),
        ({"streams": {"x": {"use": "yeast", "files": ["a"]}}}, "do not go together"),
        ({"streams": {"x": {"use": "yeast", "changes": [{"put": "explode"}]}}}, "put='explode'"),
        ({"streams": {"x": {"use": "syn-regions", "endless": True}}}, "no known end"),
        ({"streams": {"x": {"use": "yeast", "row": 5}}}, "no option row"),
        ({"learners": {}}, "learners: expected at least one"),
        ({"learners": {"": "SMART"}}, "learners: name=''"),
        ({"learners": {"S": {"use": "SMARTT"}}}, r"learners\['S'\].*did you mean"),
        ({"learners": {"S": {"use": "SMART", "half_live": 3}}}, "half_live"),
        ({"learners": {"S": {"use": "SMART", "half_life": -3}}}, "half_life"),
        ({"learners": {"S": 3}}, r"learners\['S'\]"),
        ({"learners": {"B": {"use": "OnePerLabel", "classifier": "os.system"}}}, "River's classes"),
        ({"learners": {"B": {"use": "OnePerLabel", "classifier": "river.tree.Nothing"}}}, "no such class"),
        ({"learners": {"B": {"use": "OnePerLabel"}}}, "needs classifier="),
        ({"learners": {"P": {"use": "StandardScaler | SMART", "half_life": 3}}}, "not with a pipeline"),
        ({"seeds": 0}, "seeds=0"),
        ({"seeds": [1, 1]}, "seeds="),
        ({"seeds": "ab"}, "seeds="),
        ({"chunk": 0}, "chunk=0"),
        ({"curves_every": 1.5}, "curves_every=1.5"),
        ({"measures": ["f2"]}, "f2"),
        ({"fading": 0}, "fading=0"),
        ({"zero_division": 0.5}, "zero_division=0.5"),
        ({"limits": {"hours": 1}}, "limits.hours is unknown"),
        ({"limits": {"seconds": 0}}, "seconds=0"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, options, said):
    given = {"streams": ["yeast"], "learners": ["NoChange"], "results": tmp_path} | options
    with pytest.raises(ValueError, match=said):
        sl.Study(given.pop("streams"), given.pop("learners"), **given)


def test_arrays_are_refused_with_what_to_do(tmp_path):
    stream = sl.load((np.zeros((3, 1)), np.ones((3, 1), np.uint8)))
    with pytest.raises(ValueError, match="no other process can make it"):
        sl.Study({"x": stream}, ["NoChange"], results=tmp_path)


def test_run_refuses_what_is_no_number_of_workers(done):
    for workers in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="workers="):
            done.run(workers)
    with pytest.raises(ValueError, match="retry='all'"):
        done.run(1, retry="all")


TOML = """
name = "small"
seeds = [1, 2]
measures = ["example_f1", "micro_f1", "hamming_loss"]
limits = { seconds = 60 }
[streams]
s1 = { use = "s1.csv", labels = ["label_p", "label_q"] }
both = { files = ["s1.csv", "s2.csv"], labels = ["label_p", "label_q"], rows = 300 }
[learners]
SMART = { half_life = [50, 400] }
"no change" = { use = "NoChange" }
HT = { use = "OnePerLabel", classifier = "river.tree.HoeffdingTreeClassifier", delta = 1e-5 }
"""


def test_a_study_of_a_file(tmp_path, done):
    streams(tmp_path)
    file = tmp_path / "small.toml"
    file.write_text(TOML)
    made = sl.Study.read(file)
    assert made.name == "small"
    assert made.seeds == (1, 2)
    assert made.sources["both"].size == (300, 4, 2)
    assert list(made.learners) == ["SMART, half_life=50", "SMART, half_life=400", "no change", "HT"]
    made.run(1)
    assert set(made.results().status) == {"done"}
    assert made.store.folder == tmp_path / "small-results"
    mine = made.results().set_index(["learner", "stream", "seed"])
    its = done.results().set_index(["learner", "stream", "seed"])
    assert (
        mine.loc[("SMART, half_life=50", "s1", 2), "micro_f1"] == its.loc[("SMART, half_life=50", "s1", 2), "micro_f1"]
    )
    # River's tree by its path is the recipe's
    assert mine.loc["HT"].loc["s1"].micro_f1.item() == its.loc["HT"].loc["s1"].micro_f1.item()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "it is not valid TOML"),
        ("colour = 3\n" + TOML, "small.toml: colour is unknown: expected streams, learners"),
        ("[streams]\nyeast = {}\n", "learners is missing: expected a table with at least one entry"),
        ("[streams]\nyeast = {}\n[learners]\nSMART = 5\n", r"small.toml: learners\['SMART'\]"),
        ("seeds = 'x'\n[streams]\nyeast = {}\n[learners]\nSMART = {}\n", "small.toml: seeds='x'"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path, text, said):
    file = tmp_path / "small.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        sl.Study.read(file)
    with pytest.raises(ValueError, match=r"nowhere.toml: it cannot be read"):
        sl.Study.read(tmp_path / "nowhere.toml")


def test_a_learner_of_several_seeds_is_known_by_its_description():
    from streamlab.lab.described import describe, is_seeded, make_described

    for text in ("SMART", "StandardScaler | MLHAT(seed=4)", "ARF one per label", "HAT one per label"):
        description = describe(text)
        assert is_seeded(description)
        json.dumps(description)
        assert isinstance(make_described(description, 3), sl.Learner)
    for text in ("NoChange", "NB one per label", "StandardScaler | MLKNN"):
        assert not is_seeded(describe(text))
    tree = describe(sl.OnePerLabel(__import__("river.tree").tree.HoeffdingTreeClassifier(grace_period=50)))
    assert make_described(tree, None).classifier.grace_period == 50


def test_rivers_detectors_and_metrics_take_part(tmp_path):
    def made(**given):
        return sl.Study(
            {"it": {"use": "yeast-rotated", "rows": 1600}}, ["SMART", "NoChange"], results=tmp_path, **given
        )

    metric = multioutput.MacroAverage(metrics.F1())
    study = made(measures=["macro_f1", metric], detectors={"mine": (drift.PageHinkley(threshold=10), "example_f1")})
    study.run(1)
    results = study.results()
    name = "river.metrics.multioutput.MacroAverage(river.metrics.F1)"
    assert results[name].to_list() == pytest.approx(results["macro_f1"].to_list())
    found = study.detections()
    run = study.run_of(study.cells().key[0])
    run.advance()
    told = [event.position for event in run.log if event.kind == "detection"]
    assert found.position[found.learner == "SMART"].to_list() == told
    assert found.rising.any()
    key = made(measures=["macro_f1"]).cells().key[0]
    assert key != made(measures=["macro_f1"], detectors={"mine": drift.ADWIN()}).cells().key[0]
    assert made(measures=["macro_f1"]).detections().empty

    class Mine(drift.ADWIN):
        pass

    with pytest.raises(ValueError, match=r"the detector 'mine' is a 'Mine', .* expected a class of River's"):
        made(detectors={"mine": Mine()})
