"""A live stream as people load it: columns, journals, what goes wrong on the way, and the same rows ever after."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.made import altered, csv_lines, made_rows, told
from streamlab_live.journal import Journal


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "rows.csv"
    made.write_text("a,b,c,u,v\n" + "".join(csv_lines(*made_rows(250))))
    return made


@pytest.fixture
def watch(path):
    """Loads the file, with options, and closes what was loaded at the end."""
    made = []

    def make(address=None, **options):
        made.append(sl.load(address or f"tail:{path}", **options))
        return made[-1]

    yield make
    for stream in made:
        stream.close()


def grow(path, lines):
    with open(path, "a") as file:
        file.write("".join(lines))


def rows(stream, n):
    chunks = list(stream.chunks(100, stop=n))
    return np.concatenate([chunk.X for chunk in chunks]), np.concatenate([chunk.Y for chunk in chunks])


def same(stream, n, seed=0):
    for got, wanted in zip(rows(stream, n), made_rows(n, seed), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_a_file_is_followed(watch, path):
    stream = watch(labels=["u", "v"])
    assert stream.is_live
    assert stream.n_rows is None
    assert stream.schema.labels == ("u", "v")
    same(stream, 250)
    lines = csv_lines(*made_rows(600))
    thread = threading.Timer(0.05, grow, (path, lines[250:]))
    thread.start()
    same(stream, 600)  # waits for what comes
    thread.join()
    assert stream.has_rows(0, 600)
    assert not stream.has_rows(500, 101)
    assert stream.why_waiting() == ""


def test_the_end_is_the_streams_end(watch):
    stream = watch(labels=["u", "v"])
    wait_until(lambda: stream.available == 250)
    thread = threading.Timer(0.05, stream.end)
    thread.start()
    assert sum(map(len, stream.chunks(100))) == 250, "the loop ends with the stream"
    thread.join()
    assert stream.ended
    assert stream.has_rows(240, 100)


def test_with_a_journal_reading_goes_on(watch, path, tmp_path):
    options = {"labels": ["u", "v"], "journal": str(tmp_path / "j")}
    first = watch(**options)
    same(first, 250)
    with pytest.raises(ValueError, match="another process writes"):
        watch(**options)
    first.close()
    grow(path, csv_lines(*made_rows(400))[250:])
    again = watch(f"tail:{path}?journal={tmp_path / 'j'}")
    same(again, 400)
    assert again.schema == first.schema
    assert again.recipe == {"file": str(tmp_path / "j"), "options": {}}


def test_a_journal_is_an_ordinary_stream(watch, path, tmp_path):
    stream = watch(labels=["u", "v"], journal=str(tmp_path / "j"))
    wait_until(lambda: stream.available == 250)
    copy = sl.load(str(tmp_path / "j"))
    assert not copy.is_live
    assert (copy.most_rows, copy.schema, copy.name) == (250, stream.schema, stream.name)
    same(copy, 250)
    grow(path, csv_lines(*made_rows(300))[250:])
    wait_until(lambda: stream.available == 300)
    assert sum(map(len, copy.chunks(100))) == 250, "what was there when it was opened"
    with pytest.raises(ValueError, match="no option labels"):
        sl.load(tmp_path / "j", labels=["u"])


def test_a_file_where_the_journal_is_to_be_is_told(watch, tmp_path):
    (tmp_path / "j").write_text("mine")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    for place, named in (("j", "j"), ("j/deeper/still", "j"), ("gone", "gone")):
        with pytest.raises(ValueError, match=f"journal=.*{tmp_path / named} is a file; expected a folder"):
            watch(labels=["u", "v"], journal=str(tmp_path / place))
    assert (tmp_path / "j").read_text() == "mine"


def test_without_a_journal_nothing_is_left_behind(watch):
    stream = watch(labels=["u", "v"])
    folder = stream.journal.folder
    assert folder.exists()
    assert stream.recipe is None
    stream.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"labels": ["u"]}, "labels of the journal are 'u', 'v'"),
        ({"extra": "ignore"}, "begun with extra=refuse"),
        ({"columns": ["zzz"], "labels": ["u", "v"]}, "no column 'zzz'"),
    ],
)
def test_a_journal_keeps_its_columns(watch, tmp_path, options, what):
    watch(labels=["u", "v"], journal=str(tmp_path / "j")).close()
    with pytest.raises(ValueError, match=what):
        watch(journal=str(tmp_path / "j"), **options)


def test_a_journal_of_another_source_is_refused(watch, tmp_path):
    watch(labels=["u", "v"], journal=str(tmp_path / "j")).close()
    (tmp_path / "other.csv").write_text("a,u\n1,0\n")
    with pytest.raises(ValueError, match="the journal is of"):
        watch(f"tail:{tmp_path / 'other.csv'}", journal=str(tmp_path / "j"))


def test_columns_are_declared(watch, path):
    stream = watch(columns=["a", "c", "u"], labels=["u"])
    assert (stream.schema.feature_names, stream.schema.labels) == (("a", "c"), ("u",))
    np.testing.assert_array_equal(rows(stream, 250)[0], made_rows(250)[0][:, [0, 2]])
    counted = watch(columns=["a", "c", "u"], labels=-1)  # of those that are named
    assert (counted.schema.feature_names, counted.schema.labels) == (("a", "c"), ("u",))
    with pytest.raises(ValueError, match="'d' is not a column"):
        watch(columns=["a", "d"], labels=["u"])
    with pytest.raises(ValueError, match="which columns are labels"):
        watch(columns=["a", "b"])
    with pytest.raises(ValueError, match=r"'w' is not a column \(the header has"):
        watch(columns=["a"], labels=["w"])


def test_csv_without_a_header(watch, tmp_path):
    path = tmp_path / "bare.csv"
    path.write_text("1;2;0\n3;4;1\n")
    with pytest.raises(ValueError, match="columns= with all names"):
        watch(f"tail:{path}?header=no", labels=["u"])
    stream = watch(f"tail:{path}?header=no&columns=a,b,u&labels=u&separator=;")
    assert rows(stream, 2)[0].tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_where_nothing_comes_columns_cannot_be_learnt(watch, tmp_path):
    (tmp_path / "empty.csv").write_text("a,u\n")
    with pytest.raises(ValueError, match=r"no message came.*columns="):
        watch(f"tail:{tmp_path / 'empty.csv'}?labels=u&learn_seconds=0.1")
    (tmp_path / "odd.jsonl").write_text("no\n" * 5)
    with pytest.raises(ValueError, match="5 messages came, and none is JSON"):
        watch(f"tail:{tmp_path / 'odd.jsonl'}?labels=u&learn_seconds=0.1")
    with pytest.raises(ValueError, match="no message came"):
        watch(f"tail:{tmp_path / 'empty.csv'}?labels=u", cancel=lambda: True)


def test_a_source_that_is_wrong_for_good_is_told_after_its_last_row(watch, path):
    stream = watch(labels=["u", "v"])
    same(stream, 250)
    path.write_text("a,b,c,u,v\n")
    wait_until(lambda: stream.status().failed, "the failure")
    same(stream, 250)
    # as it is read between emptying and writing, or after
    told = "cut short|another file"
    with pytest.raises(ValueError, match=told):
        list(stream.chunks(100))
    with pytest.raises(ValueError, match=told):
        stream.has_rows(200, 100)


def damaged(i, line):
    """One of the ways in which a message can be broken."""
    ways = (
        lambda: line.replace(",", ";"),
        lambda: line.rpartition(",")[0] + "\n",
        lambda: "nan-ish," + line.partition(",")[2],
        lambda: line.rstrip("\n")[:-1] + "7\n",
        lambda: '{"not": "csv"}\n',
        lambda: '"' + line,
        lambda: "1e400" + line[line.index(",") :],
        lambda: line.rstrip("\n") + ",9\n",
        lambda: "\udcff" + line,
    )
    return "x" * (10 << 20) + "\n" if i == 5000 else ways[i // 100 % len(ways)]()


def test_one_in_a_hundred_of_ten_thousand_messages_is_broken(watch, path, tmp_path):
    X, Y = made_rows(10_000)
    lines = csv_lines(X, Y)
    bad = list(range(300, 10_000, 100))
    for i in bad:
        lines[i] = damaged(i, lines[i])
    stream = watch(labels=["u", "v"])

    def write():
        with open(path, "a", errors="surrogateescape") as file:
            for i in range(250, 10_000, 250):
                file.write("".join(lines[i : i + 250]))
                file.flush()

    thread = threading.Thread(target=write)
    thread.start()
    run = sl.Run(stream, {"majority": sl.MajorityLabels()})
    n = 10_000 - len(bad)
    wait_until(lambda: (run.advance(), run.position >= n // 100 * 100)[1], "the run's end")
    thread.join()
    wait_until(lambda: stream.available == n, "the last rows")
    kept = np.delete(X, bad, axis=0)
    np.testing.assert_array_equal(rows(stream, n)[0], kept)
    dead = [json.loads(line) for line in stream.dead_letters.read_text().splitlines()]
    assert len(dead) == len(bad) == sum(stream.status().bad.values())
    assert len(set(stream.status().bad)) >= 5
    raw = path.read_bytes()
    for letter, i in zip(dead, bad, strict=True):
        whole = lines[i].encode(errors="surrogateescape")
        assert raw[: letter["offset"]].endswith(whole), "its place in the file"
        assert len(letter["text"]) <= 8200
    assert [letter["kind"] for letter, i in zip(dead, bad, strict=True) if i == 5000] == ["too long"]
    stream.end()
    assert run.advance() == n % 100
    ordinary = sl.Run((kept, np.delete(Y, bad, axis=0)), {"majority": sl.MajorityLabels()})
    ordinary.advance()
    state, other = (r.learner_runs["majority"].learner.state() for r in (run, ordinary))
    assert state.keys() == other.keys()


def test_streams_that_need_rows_ahead_refuse_a_live_one(watch):
    stream = watch(labels=["u", "v"])
    plain = sl.load(made_rows(10))
    for make in (
        lambda: sl.prior_shift(stream, "u", 2.0, at=10),
        lambda: sl.join([stream]),
        lambda: sl.compose([stream, plain], at=5),
    ):
        with pytest.raises(ValueError, match="live"):
            make()
    swapped = sl.swap_labels(stream, 0, 1, at=100)
    assert swapped.is_live
    assert wait_until(lambda: swapped.has_rows(0, 250))
    assert not swapped.has_rows(0, 251)


def test_a_journal_whose_description_was_altered_is_refused(watch, path, tmp_path):
    watch(labels=["u", "v"], journal=str(tmp_path / "j")).close()
    about = told(tmp_path / "j")
    for decoding in ({}, {"columns": [["a"]]}, {**about["decoding"], "columns": about["decoding"]["columns"][:2]}):
        altered(tmp_path / "j", {**about, "decoding": decoding})
        with pytest.raises(ValueError, match=r"column|list|schema"):
            watch(journal=str(tmp_path / "j"))
    Journal.open(tmp_path / "j", write=True).close()  # nobody holds it after a refusal


def test_the_format_is_told_where_the_name_does_not_say_it(watch, tmp_path):
    (tmp_path / "app.log").write_text('{"a": 1, "u": 0}\n' * 20)
    with pytest.raises(ValueError, match="format=csv or format=json"):
        watch(f"tail:{tmp_path / 'app.log'}?columns=a&labels=u")
    stream = watch(f"tail:{tmp_path / 'app.log'}?columns=a&labels=u", format="json")
    assert rows(stream, 20)[0].tolist() == [[1.0]] * 20
    (tmp_path / "app.txt").write_text("a,u\n1,0\n")
    assert rows(watch(f"tail:{tmp_path / 'app.txt'}?format=csv&labels=u&columns=a"), 1)[0].tolist() == [[1.0]]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_file_may_have_long_messages_also_after_a_restart(watch, tmp_path, kind):
    path, journal, names = tmp_path / f"rows.{kind}", tmp_path / "j", [f"n{i}" for i in range(30)]

    def line(n):
        if kind == "csv":
            return ",".join(["1", "0", *["n" * n for _ in names]]) + "\n"
        return json.dumps({"a": 1, "u": 0, **dict.fromkeys(names, "n" * n)}) + "\n"

    path.write_text((",".join(["a", "u", *names]) + "\n" if kind == "csv" else "") + line(100_000) + line(1))
    ignored = "" if kind == "csv" else f"&ignore={','.join(names)}"
    stream = watch(f"tail:{path}?labels=u&columns=a{ignored}&most_bytes=8000000", journal=str(journal))
    wait_until(lambda: stream.available == 2, "the rows")
    stream.close()
    grow(path, [line(100_000), line(300_000)])
    stream = watch(f"tail:{path}", journal=str(journal))
    wait_until(lambda: stream.available == 3 and stream.status().bad == {"too long": 1}, "the row, and the refusal")
