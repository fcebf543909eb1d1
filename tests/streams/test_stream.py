"""What every stream does: chunks, views, titles; and how far a file has been read."""

from __future__ import annotations

import gzip
import hashlib
import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import hear_reading
from streamlab.streams.stream import Stream
from streamlab.streams.tables.guess import guess_table
from tests.streams.read import rows


class Blocks(Stream):
    """Rows 0, 1, 2 … in blocks of given lengths; remembers how many blocks were asked for."""

    name = "blocks"
    schema = Schema((Feature("x"),), ("l",))

    def __init__(self, lengths):
        self.lengths = lengths
        self.n_read = 0

    def blocks(self, start=0):
        at = 0
        for length in self.lengths:
            if at + length > start:
                self.n_read += 1
                rows = np.arange(max(at, start), at + length, dtype=float)
                yield rows[:, None], (rows[:, None] % 2).astype(np.uint8)
            at += length


@settings(max_examples=200, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 9), max_size=12),
    size=st.integers(1, 20),
    start=st.integers(0, 60),
    stop=st.none() | st.integers(0, 60),
)
def test_chunks_are_the_rows_in_order(lengths, size, start, stop):
    n = sum(lengths)
    chunks = list(Blocks(lengths).chunks(size, start=start, stop=stop))
    expected = list(range(start, n if stop is None else min(n, stop)))
    assert [int(v) for c in chunks for v in c.X[:, 0]] == expected
    assert all(len(c) == size for c in chunks[:-1])
    assert all(c.X[0, 0] == c.start and c.stop == c.start + len(c) and len(c) > 0 for c in chunks)
    assert all(c.X.flags.c_contiguous and c.X.dtype == np.float64 and c.Y.dtype == np.uint8 for c in chunks)


def test_nothing_is_read_beyond_the_stop():
    stream = Blocks([10, 10, 10])
    assert [len(c) for c in stream.chunks(4, stop=10)] == [4, 4, 2]
    assert stream.n_read == 1
    assert list(stream.chunks(4, start=5, stop=5)) == []
    assert stream.n_read == 1


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 5, "start": -1}])
def test_wrong_arguments_are_refused_at_once(options):
    with pytest.raises(ValueError, match="expected a whole number, at least"):
        Blocks([3]).chunks(**options)


def test_preview_of_fewer_and_of_no_rows():
    assert len(Blocks([3]).preview(5)) == 3
    empty = Blocks([]).preview(5)
    assert len(empty) == 0
    assert list(empty.columns) == [("feature", "x"), ("label", "l")]


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


def test_notes_are_called_by_their_instrument():
    stream = sl.load("instruments")
    ((path,),) = stream.schema.paths(next(stream.chunks(1, start=11)).Y)
    assert stream.title_of(11).startswith(path[-1].replace("_", " "))
    assert sl.delay_labels(stream, 5).title_of(11) == stream.title_of(11)


# of float64 rows and their labels, as synthesis gave them when the files were made
NOTES = {"instruments": "4a53e8504c1e6355", "instruments-microphone": "2beb96c7c9df90fd"}


@pytest.mark.parametrize("name", NOTES)
def test_shipped_notes_are_equal_to_the_bit(name):
    stream = sl.load(name)
    assert (stream.n_rows, stream.schema.n_features, stream.schema.n_labels) == (9419, 30, 46)
    X, Y = rows(stream)
    assert hashlib.sha256(X.tobytes() + Y.tobytes()).hexdigest()[:16] == NOTES[name]
    drifts = () if name == "instruments" else ((2500, "worse microphone"),)
    assert tuple((drift.start, drift.kind) for drift in stream.drifts) == drifts


@pytest.mark.parametrize("option", ["seed", "worse_microphone", "endless"])
def test_shipped_notes_take_no_options(option):
    with pytest.raises(ValueError, match=option):
        sl.load("instruments", **{option: 3})


@pytest.mark.parametrize("name", ["m.csv", "m.csv.gz"])
def test_the_last_that_is_heard_is_the_whole_file(tmp_path, name):
    path = tmp_path / name
    text = "a,l\n" + "".join(f"{i}.{i % 7},{i % 2}\n" for i in range(200_000))
    data = text.encode()
    path.write_bytes(gzip.compress(data, 1) if name.endswith(".gz") else data)
    heard = []
    with hear_reading(lambda *said: heard.append(said)):
        stream = sl.load(path, labels=["l"])
    assert stream.n_rows == 200_000
    size = path.stat().st_size
    assert {(of, whole) for of, _, whole in heard} == {(path, size)}
    assert max(done for _, done, _ in heard) == size
    assert len({done for _, done, _ in heard}) > 2
    n = len(heard)
    next(stream.chunks(10))
    assert len(heard) == n, "outside of the context nobody listens"


def test_another_thread_is_not_heard(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("a,l\n1,0\n2,1\n")
    heard = []
    with hear_reading(lambda *said: heard.append(said)):
        thread = threading.Thread(target=lambda: sl.load(path, labels=["l"]))
        thread.start()
        thread.join()
    assert heard == []
