"""Titles of rows: from lists, columns of files, the notes and films that are shipped; through whatever wraps them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab.script import script_of
from streamlab.streams.tables.guess import guess_table

N = 2500


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    names = [f"row  {i}" for i in range(N)]
    names[7] = 'a, b; "c"\n<d>'
    x = np.arange(N) % 17 / 4
    return pd.DataFrame(
        {"x": x, "film": names, "z": x[::-1], "good": (x > 2).astype(int), "kind": np.where(x > 1, "a", "b")}
    )


@pytest.fixture(scope="module", params=["csv", "semicolons", "parquet"])
def path(request, frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("titles")
    if request.param == "parquet":
        frame.to_parquet(folder / "films.parquet")
        return folder / "films.parquet"
    frame.to_csv(folder / "films.csv", index=False, sep="," if request.param == "csv" else ";")
    return folder / "films.csv"


@pytest.mark.parametrize("labels", [["good"], ["kind"]])
def test_a_column_of_a_file_is_what_rows_are_called_and_no_feature(path, labels):
    stream = sl.load(path, labels=labels, title="film")
    assert "film" not in [feature.name for feature in stream.schema.features]
    assert [stream.title_of(row) for row in (0, 7, 1500, N - 1, 3)] == [
        "row 0", 'a, b; "c" <d>', "row 1500", f"row {N - 1}", "row 3"
    ]  # fmt: skip
    assert stream.title_of(N) == ""
    assert stream.title_of(5) == "row 5", "and on again"
    assert pickle.loads(pickle.dumps(stream)).title_of(9) == "row 9"
    bare = sl.load(path, labels=labels, ignore=["film"])
    for mine, theirs in zip(stream.chunks(1000), bare.chunks(1000), strict=True):
        np.testing.assert_array_equal(mine.X, theirs.X)
        np.testing.assert_array_equal(mine.Y, theirs.Y)
    assert bare.title_of(0) == ""


def test_a_guess_knows_the_role_and_writes_it(path):
    guess = guess_table(path, labels="good").with_roles({"film": "title"})
    assert "title='film'" in guess.python()
    assert guess.stream().title_of(2) == "row 2"
    again = guess.with_roles({"kind": "title"})
    assert [column.role for column in again.columns if column.name in ("film", "kind")] == ["ignore", "title"]


def test_texts_have_titles_too(tmp_path):
    pd.DataFrame({"text": ["good one", "bad one"] * 5, "tag": ["a", "b"] * 5, "name": range(10)}).to_csv(
        tmp_path / "texts.csv", index=False
    )
    stream = sl.load(tmp_path / "texts.csv", text="text", labels="tag", title="name", n_features=64)
    assert stream.title_of(9) == "9"


def test_what_is_no_column_or_a_label_is_refused(path):
    for title, words in (
        ("filn", "title= names 'filn', which is not a column"),
        ("good", "which is a label"),
        (3, "title=3"),
    ):
        with pytest.raises(ValueError, match=words):
            sl.load(path, labels=["good"], title=title)
        with pytest.raises(ValueError, match=words):
            guess_table(path, labels="good", title=title)


def test_frames_and_arrays_have_titles(frame):
    stream = sl.load(frame, labels=["good"], ignore=["kind"], title="film")
    assert (stream.title_of(4), stream.schema.n_features) == ("row 4", 2)
    stream = sl.load((np.zeros((2, 1)), np.ones((2, 1))), titles=["one", None])
    assert [stream.title_of(row) for row in range(3)] == ["one", "", ""]
    with pytest.raises(ValueError, match="3 titles: expected one for each of the 2 rows"):
        sl.load((np.zeros((2, 1)), np.ones((2, 1))), titles=list("abc"))
    for row in (-1, 1.5, True):
        with pytest.raises(ValueError, match=r"row=.*: expected a"):
            stream.title_of(row)


def test_titles_go_with_their_rows_through_whatever_is_done_to_a_stream(frame):
    first = sl.load(frame, labels=["good"], ignore=["kind"], title="film")
    second = sl.load((np.zeros((N, 2)), np.ones((N, 1))), schema=first.schema, titles=[f"second {i}" for i in range(N)])
    changed = sl.delay_labels(sl.feature_noise(first, at=10), 5)
    assert changed.title_of(20) == "row 20"
    both = sl.compose([first, second, first], at=[10, 30])
    assert [both.title_of(row) for row in (9, 10, 29, 30)] == ["row 9", "second 0", "second 19", "row 10"]
    fewer = sl.prior_shift(first, "good", 0.2, at=40)
    assert [fewer.title_of(row) for row in (39, 40)] == ["row 39", ""]


def test_a_script_loads_the_title_too(path):
    run = sl.Run(sl.load(path, labels=["good"], title="film"), sl.NoChange())
    run.advance(10)
    assert 'title="film"' in script_of(run)


def test_notes_are_called_by_their_instrument_and_heard(tmp_path):
    stream = sl.load("instruments")
    leaf = stream.schema.labels[int(stream.instruments_of([11])[0])]
    assert stream.title_of(11).startswith(leaf.replace("_", " "))
    assert stream.has_sound
    changed = sl.delay_labels(stream, 5)
    assert changed.has_sound
    np.testing.assert_array_equal(changed.sound(11)[0], stream.sound(11)[0])
    plain = sl.load("yeast")
    assert not plain.has_sound
    with pytest.raises(ValueError, match="yeast: its rows have no sound"):
        plain.sound(0)


def test_films_are_called_by_title_and_year():
    assert sl.load("movies").title_of(16_000)[-6:].strip("()").isdigit()
