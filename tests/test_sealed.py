"""Sealed sets: a folder of any data sets, all learners by one rule, and what our catalogue knows of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamlab as sl
from benchmarks.__main__ import BENCHMARKS
from benchmarks.references import f1_by_row
from benchmarks.sealed import FROZEN, sets_in
from benchmarks.study_tables import EXPECTED, compared

FEW = ["--orders", "2", "--learners", "NoChange", "OnlineLogistic"]


def written(path, X, Y):
    heads = [*(f"x{j}" for j in range(X.shape[1])), *(f"label_{j}" for j in range(Y.shape[1]))]
    rows = [",".join([*map(repr, x), *map(str, y)]) for x, y in zip(X.tolist(), Y.tolist(), strict=True)]
    path.write_text("\n".join([",".join(heads), *rows]) + "\n", encoding="utf-8")


def made(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3)).round(3)
    return X, (X[:, :2] > 0.5).astype(np.uint8)


def asked(folder, *options):
    return BENCHMARKS(["sealed", str(folder), *FEW, "--results", str(folder / ".results"), *map(str, options)])


def test_a_folder_is_run_by_one_rule_and_the_table_says_what_was_known(tmp_path, capsys):
    for name, seed in (("one", 1), ("two", 2)):
        written(tmp_path / f"{name}.csv", *made(seed))
    known = next(sl.load("segments").chunks(40))
    written(tmp_path / "hidden.csv", known.X, known.Y)
    (tmp_path / "README.md").write_text("what this is")
    out = tmp_path / "table.md"
    assert asked(tmp_path, "--out", out) == 0
    text = out.read_text(encoding="utf-8")
    assert text in capsys.readouterr().out
    assert re.search(r"Commit [0-9a-f]{40}|this is no clone", text)
    lines = {line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]] for line in text.split("\n")
             if line.startswith("| ")}  # fmt: skip
    assert lines["one"][0] == "60 × 3, 2"
    assert lines["one"][-1] == "neither"
    assert "40 of 40 different rows in segments" in lines["hidden"][-1]
    # the mean of the orders, the set as block
    example = text[text.index("## Example F1") : text.index("## Micro F1")]
    row = next(line for line in example.split("\n") if line.startswith("| NoChange"))
    orders = [next(sl.shuffle_rows(sl.load(tmp_path / "one.csv"), seed=seed).chunks(60)).Y for seed in (1, 2)]
    f1 = [np.append(f1_by_row(Y[1:], Y[:-1]), 0.0).mean() for Y in orders]
    heads = next(line for line in example.split("\n") if line.startswith("|  |")).split("|")
    assert row.split("|")[[each.strip() for each in heads].index("one")].strip() == f"{np.mean(f1):.3f}"


def test_a_bad_file_is_named_in_one_line_before_anything_runs(tmp_path, capsys):
    written(tmp_path / "one.csv", *made(1))
    (tmp_path / "broken.csv").write_text('a,label_p\n1,0\n"x,1\n')
    assert asked(tmp_path) == 2
    told = capsys.readouterr().out.strip()
    assert told.startswith(str(tmp_path / "broken.csv"))
    assert "a quote opens here" in told
    assert "\n" not in told
    assert asked(tmp_path / "nowhere") == 2
    assert capsys.readouterr().out.strip() == f"{tmp_path / 'nowhere'}: there is no such folder"


@pytest.mark.parametrize(
    ("said", "told"),
    [("[two]\nlabels = 1", "'two' is no set's table"), ("[one", "sealed.toml: ")],
)
def test_options_of_what_is_no_set_are_refused(said, told, tmp_path, capsys):
    written(tmp_path / "one.csv", *made(1))
    (tmp_path / "sealed.toml").write_text(said)
    assert asked(tmp_path) == 2
    assert told in capsys.readouterr().out


def test_two_parts_are_one_set_and_the_training_rows_come_first(tmp_path):
    for file in ("a-train.csv", "a-test.csv", "b-test.csv", "c.csv", "c.xml"):
        (tmp_path / file).write_text("x")
    (tmp_path / "sealed.toml").write_text("[c]\nsparse = true")
    assert sets_in(tmp_path) == {
        "a": {"files": ["a-train.csv", "a-test.csv"]}, "b-test": {"files": ["b-test.csv"]},
        "c": {"files": ["c.csv"], "labels": "c.xml", "sparse": True},
    }  # fmt: skip


def test_the_frozen_list_are_the_learners_of_the_study_by_equal_rules():
    names = set(compared("file", "example_f1", rule=EXPECTED).ranks.index)
    assert set(FROZEN) == names - {"Vowpal Wabbit"}
