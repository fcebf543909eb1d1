"""A folder of results is run again from its manifest: what differs is said in a line each, and nothing else is."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from streamlab.cli import app
from streamlab.study import Study, verify
from streamlab.study.cell import versions_here
from tests.study.made import csv

TOML = """
seeds = 2
measures = ["micro_f1", "hamming_loss"]
[streams]
own = { use = "own.csv", labels = ["label_p", "label_q"] }
yeast = { rows = 120 }
[learners]
"no change" = { use = "NoChange" }
SMART = { half_life = 50 }
balanced = { use = "StandardScaler | BalancedKNN" }  # its half_life is inf
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A folder with a study's file, its data and its results, none of whose cells is open."""
    folder = tmp_path_factory.mktemp("ran")
    csv(folder / "own.csv", 150)
    (folder / "paper.toml").write_text(TOML)
    Study.read(folder / "paper.toml").run(1)
    return folder


@pytest.fixture
def moved(ran, tmp_path):
    """The same folder on another machine, so to speak."""
    return shutil.copytree(ran, tmp_path / "moved")


def manifest_of(folder):
    (path,) = (folder / "paper-results").glob("manifest-*.json")
    return path


def altered(folder, change):
    said = json.loads(manifest_of(folder).read_text())
    change(said)
    manifest_of(folder).write_text(json.dumps(said))


def command(folder, *options):
    done = CliRunner().invoke(app, ["study", "--verify", str(folder / "paper-results"), "--workers", "1", *options])
    return done.exit_code, done.output.strip().splitlines()


def test_a_folder_that_was_moved_gives_the_same_to_the_bit(moved):
    name = manifest_of(moved).name
    assert command(moved) == (0, [f"{name}: 10 of 10 cells gave the figures of the study, to the bit"])
    assert command(moved, "--sample", "2") == (0, [f"{name}: 2 of 2 cells gave the figures of the study, to the bit"])


def test_the_manifest_says_what_was_run(ran):
    said = json.loads(manifest_of(ran).read_text())
    assert said["seeds"] == [1, 2]
    assert said["streams"]["own"]["recipe"]["file"] == "../own.csv"
    assert len(said["streams"]["own"]["identity"]["recipe"]["file"]) == 64
    assert said["places"][0]["versions"] == versions_here()
    results = Study.read(ran / "paper.toml").results().set_index("key")
    for cell in said["cells"]:
        assert cell["measures"]["micro_f1"] == results.micro_f1[cell["key"]]
    assert "Infinity" not in manifest_of(ran).read_text()


def test_a_study_that_has_ended_writes_its_manifest_only_where_it_says_something_else(moved):
    before = manifest_of(moved).read_bytes()
    Study.read(moved / "paper.toml").run(1)
    assert manifest_of(moved).read_bytes() == before
    # as if it had been killed after its last cell
    altered(moved, lambda said: said["cells"][0].update(status="open", measures={}))
    Study.read(moved / "paper.toml").run(1)
    altered(moved, lambda said: said.update(written=json.loads(before)["written"]))
    assert json.loads(manifest_of(moved).read_text()) == json.loads(before)


def test_what_differs_is_said_in_a_line_each(moved):
    with (moved / "own.csv").open("a") as file:
        file.write("1,1,1,1,1,1\n")

    def change(said):
        said["places"][0]["versions"]["numpy"] = "1.0"
        one, two = [cell for cell in said["cells"] if (cell["learner"], cell["stream"]) == ("SMART", "yeast")]
        one["measures"]["micro_f1"] += 1e-12
        two["seed"] = 7

    altered(moved, change)
    code, (version, data, key, *numbers, last) = command(moved)
    assert code == 1
    assert version == f"version: numpy is {versions_here()['numpy']}; the study ran with 1.0"
    assert data.startswith(f"data: own: {moved}/own.csv has SHA-256 ")
    assert key.startswith("SMART on yeast, seed 7: its key is not that of what the manifest says of it")
    assert numbers[0].partition(" is ")[0] == "number: SMART on yeast, seed 1: micro_f1"
    assert all("; the study has 0." in line for line in numbers)
    assert last == f"{manifest_of(moved).name}: 3 of 5 cells gave the figures of the study, to the bit"


def test_of_an_edited_study_the_last_manifest_counts_and_another_can_be_named(moved):
    before = manifest_of(moved).name
    altered(moved, lambda said: said["learners"].clear())
    file = moved / "paper.toml"
    file.write_text(file.read_text().replace("SMART = { half_life = 50 }", ""))
    Study.read(file).run(1)
    code, (others, last) = command(moved)
    assert code == 0
    assert others == f"1 other manifest, not run again (--manifest NAME runs one): {before}"
    assert last.endswith("6 of 6 cells gave the figures of the study, to the bit")
    code, (first, *_, last) = command(moved, "--manifest", before)
    assert code == 1
    assert "of which the manifest says nothing" in first
    assert last.startswith(f"{before}: 0 of 0 cells")
    with pytest.raises(ValueError, match=rf"manifest='other.json': expected .*'{before}'"):
        verify(moved / "paper-results", manifest="other.json")


def test_a_result_that_was_replaced_is_found(moved):
    cells = json.loads(manifest_of(moved).read_text())["cells"]
    kept = moved / "paper-results" / "cells" / f"{cells[0]['key']}.parquet"
    kept.write_bytes(kept.read_bytes()[:-100])
    found = verify(moved / "paper-results")
    assert (found.cells, found.same) == (10, 9)
    assert found.differences[0].startswith(f"{kept}: it is not a result of a study")


def test_a_learner_that_is_not_here_is_named(moved):
    altered(moved, lambda said: said["learners"]["SMART"]["description"].update(learner="Elsewhere"))
    found = verify(moved / "paper-results")
    assert (found.cells, found.same) == (6, 6)
    assert "SMART on own, seed 1: unknown learner 'Elsewhere'" in found.differences[0]


def test_what_is_no_folder_of_results_is_refused_in_a_line(moved, tmp_path):
    with pytest.raises(ValueError, match="it has no manifest of a study; streamlab study run writes it"):
        verify(tmp_path)
    altered(moved, lambda said: said.update(format=2))
    with pytest.raises(ValueError, match=r"manifest-\w+.json: it is not the manifest of a study \(format=2: "):
        verify(moved / "paper-results")


def test_the_file_of_what_is_cited(ran):
    done = CliRunner().invoke(app, ["study", "cite", str(ran / "paper.toml")])
    assert done.exit_code == 0
    assert "@inproceedings{kong2011ensemble," in done.output
