"""A file that grows as a stream: lines come in any pieces, some of them are no rows; and what other addresses need."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.streams.tables import growing
from streamlab.streams.tables.growing import GrowingTable
from streamlab.streams.tail import ADDRESSES, ELSEWHERE, OPTIONS_ELSEWHERE, is_address
from tests.lab.made import wait_until
from tests.streams.read import rows

ALONE = """
import importlib.metadata as metadata
found = metadata.entry_points
metadata.entry_points = lambda **of: metadata.EntryPoints(
    each for each in found(**of) if each.dist is None or each.dist.name != "streamlab-live")
import streamlab.plugins as plugins
plugins.entry_points = metadata.entry_points
import streamlab as sl
"""


def alone(code):
    return subprocess.run([sys.executable, "-c", f"{ALONE}\n{code}"], capture_output=True, text=True)


def test_the_core_alone_follows_a_file_and_says_what_servers_need(tmp_path):
    path = tmp_path / "my rows.csv"
    path.write_text("x;k;l\n" + "0.5;a;1\n" * 20)
    address = f"tail:{path}?labels=l&separator=%3B&nominal=k".replace(" ", "%20")
    done = alone(f"with sl.load({address!r}) as s: print(len(next(s.chunks(20))), s.schema.features[1].categories)")
    assert done.stdout.strip() == "20 ('a',)", done.stderr
    done = alone("sl.load('redis://host/rows?labels=a')")
    assert "redis: needs the package streamlab-live: pip install" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("scheme", ELSEWHERE)
def test_an_address_of_a_server_says_what_to_install(scheme):
    with pytest.raises(ValueError, match=f"{scheme}: needs the package streamlab-live"):
        ADDRESSES.open(f"{scheme}://host/rows", labels=["a"], limits=None, cancel=None)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        *((f"tail:rows.csv?{name}=1", f"{name}= needs the package streamlab-live") for name in OPTIONS_ELSEWHERE),
        ("tail:rows.csv?labels=a&labels=b", "each once"),
        ("tail:rows.csv?labels", "expected options such as labels=a,b"),
        ("tali://rows.csv", "the scheme 'tali' of the address is unknown; expected tail:"),
        ("tail:rows.csv", "does not exist"),
    ],
)
def test_what_is_wrong_with_an_address(address, why):
    with pytest.raises(ValueError, match=why):
        ADDRESSES.open(address, labels=None, limits=None, cancel=None)


def test_paths_and_names_are_no_addresses(monkeypatch):
    monkeypatch.setattr("streamlab.streams.tail.OPENERS", ())
    assert all(map(is_address, ("tail:rows.csv", "kafka://host/topic", "TAIL:x", "any://thing")))
    assert not any(map(is_address, ("yeast", "data/rows.csv", "C:\\rows.csv", "C:/rows.csv", "a b: c", "", "river:x")))


# ---------------------------------------------------------------------- rows


def table(n, seed=1):
    draw = random.Random(seed)
    return [(round(draw.random(), 4), draw.choice("uvw"), draw.randrange(2), draw.choice(["a", "b"])) for _ in range(n)]


NAMES = ("x", "k", "l", "c")


def written(form, cells):
    if form == "csv":
        return ",".join(map(str, cells)) + "\n"
    return json.dumps(dict(zip(NAMES, cells, strict=True))) + "\n"


def begun(folder, form, n=600):
    """A file with its first rows, and the stream that follows it."""
    path = folder / f"rows.{form}"
    path.write_text((",".join(NAMES) + "\n") * (form == "csv") + "".join(written(form, each) for each in table(n)))
    return path, GrowingTable(path, labels=["l", "c"])


BROKEN = {
    "csv": ["what is this?\n", "0.5,u,1\n", "hot,u,1,a\n", '0.5,"u,1,a\n', "0.5,u,2,a\n", "0.5,u,,a\n", "0.5,new,1,a\n",
            "0.5,u,1,new\n", "0.5,u,1,\n", "inf,u,1,a\n", "0.5,\udcff,1,a\n"],
    "jsonl": ["what is this?\n", '{"x": 0.5, "k": "u", "l": 1}\n', '{"x": "hot", "k": "u", "l": 1, "c": "a"}\n',
              '{"x": 0.5, "k": "u", "l": 1, "c": "a", "d": 1}\n', '{"x": 0.5, "k": "u", "l": 1, "c": "a"\n',
              '{"x": 0.5, "k": "u", "l": null, "c": "a"}\n', '[1]\n'],
}  # fmt: skip


@pytest.mark.whole
@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("block_bytes", [40, 300, growing.BLOCK_BYTES])
def test_lines_come_in_any_pieces_and_those_that_are_no_rows_are_left_out(tmp_path, monkeypatch, form, block_bytes):
    monkeypatch.setattr(growing, "BLOCK_BYTES", block_bytes)
    path, stream = begun(tmp_path, form)
    draw = random.Random(block_bytes)
    good = [written(form, each) for each in table(200, seed=2)]
    lines = sorted([*good, *BROKEN[form], "\n", "  \n"], key=lambda line: draw.random())
    raw, seen = "".join(lines).encode(errors="surrogateescape"), 600
    while raw:
        n = draw.randrange(1, 400)
        with path.open("ab") as file:
            file.write(raw[:n])
        raw = raw[n:]
        assert stream.has_rows(seen, 1) == (stream.available > seen)
        seen = stream.available
    assert (stream.available, stream.n_left_out) == (800, len(BROKEN[form]))
    stream.close()
    sound = tmp_path / f"sound.{form}"
    kept = [line for line in lines if line in good]
    sound.write_text(
        (",".join(NAMES) + "\n") * (form == "csv") + "".join([*(written(form, each) for each in table(600)), *kept])
    )
    X, Y = rows(sl.load(sound, labels=["l", "c"]))
    for start in (0, 1, 599, 640, 799):
        again = list(stream.blocks(start))
        np.testing.assert_array_equal(np.concatenate([part for part, _ in again]), X[start:])
        np.testing.assert_array_equal(np.concatenate([flags for _, flags in again]), Y[start:])


def test_a_line_that_is_left_out_is_named_once_in_the_log(tmp_path, caplog):
    path, stream = begun(tmp_path, "csv")
    path.open("a").write("0.5,u,1,a\nhot,u,1,a\ncold,u,1,a\n")
    assert stream.has_rows(600, 1)
    (record,) = caplog.records
    assert f"{path}, line 603, column 1 ('x'): expected a number" in record.getMessage()
    assert "line 604" in stream.why_left_out


def test_columns_are_learnt_from_the_same_lines_whatever_came_later(tmp_path):
    path, stream = begun(tmp_path, "csv", n=700)
    path.open("a").write("0.5,new,1,a\n" * 30)
    again = GrowingTable(path, labels=["l", "c"])
    assert again.schema.to_json() == stream.schema.to_json()
    assert again.schema.features[1].categories == ("u", "v", "w")
    assert (again.available, again.n_left_out) == (700, 30)


def test_texts_are_hashed_as_in_any_table(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("t,l\n" + "some words,1\nother words,0\n" * 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stream = GrowingTable(path, labels="l", text="t", n_features=64)
        whole = sl.load(path, labels="l", text="t", n_features=64)
    found, expected = next(stream.chunks(20)), next(whole.chunks(20))
    assert (found.X != expected.X).nnz == 0
    np.testing.assert_array_equal(found.Y, expected.Y)


def test_a_file_that_is_not_the_one_it_was_stops_the_stream(tmp_path):
    path, stream = begun(tmp_path, "csv")
    text = path.read_text()
    os.rename(path, tmp_path / "aside")
    assert not stream.has_rows(600, 1)
    assert "cannot be read" in stream.why_waiting()
    path.write_text(text)
    with pytest.raises(ValueError, match=r"was replaced by another file: it was read up to byte [0-9,]+"):
        stream.has_rows(600, 1)
    path, stream = begun(tmp_path, "csv")
    os.truncate(path, 1000)
    with pytest.raises(ValueError, match="was cut short"):
        next(stream.blocks())


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("rows.csv.gz", {}, "expected CSV or JSON lines, not packed"),
        ("rows.parquet", {}, "expected CSV or JSON lines"),
        ("rows.csv", {"encoding": "utf-16"}, "a line end is one byte|is not utf-16|utf-16"),
        ("rows.csv", {"title": "x"}, "there is no option title="),
        ("empty.csv", {}, "the file is empty"),
    ],
)
def test_what_cannot_be_followed(tmp_path, name, options, why):
    (tmp_path / name).write_text("" if name.startswith("empty") else "x,l\n" + "0.5,1\n0.7,0\n" * 9)
    with pytest.raises(ValueError, match=why):
        GrowingTable(tmp_path / name, labels="l", **options)


# ---------------------------------------------------------------------- runs


def learners():
    return {"majority": sl.MajorityLabels(), "SMART": sl.SMART(seed=1)}


def append(path, start, stop):
    with path.open("a") as file:
        file.writelines(written("csv", each) for each in table(stop, seed=3)[start:])


def test_a_run_waits_goes_on_goes_back_and_is_the_run_on_the_same_rows(tmp_path):
    path, stream = begun(tmp_path, "csv", n=640)
    run = Run(stream, learners(), alarms="label")
    assert (run.advance(), run.finished, run.is_waiting, run.why_waiting) == (600, False, True, "waiting for rows")
    append(path, 0, 400)
    assert run.advance() == 400
    run.seek(300)
    run.fork("SMART", "faster", half_life=20)
    assert run.advance() == 700
    stream.close()
    assert (run.advance(), run.finished) == (40, True)
    ordinary = Run(sl.load(path, labels=["l", "c"]), learners(), alarms="label")
    ordinary.advance(300)
    ordinary.fork("SMART", "faster", half_life=20)
    ordinary.advance()
    pd.testing.assert_frame_equal(run.curves(), ordinary.curves())


def test_an_archive_goes_on_live(tmp_path):
    path, _ = begun(tmp_path, "csv", n=640)
    given = {"labels": ["l", "c"], "limits": None, "cancel": None}
    run = Run(ADDRESSES.open(f"tail:{path}", **given), learners())
    run.advance()
    run.save(tmp_path / "run.slab")
    append(path, 0, 200)
    with pytest.raises(ValueError, match=r"open it with sl\.load, and give it"):
        Run.open(tmp_path / "run.slab")
    again = Run.open(tmp_path / "run.slab", ADDRESSES.open(f"tail:{path}", **given))
    assert (again.position, again.advance()) == (600, 200)


@pytest.mark.nightly
def test_the_rows_of_a_live_stream_are_waited_for(tmp_path):
    path, stream = begun(tmp_path, "csv", n=100)
    timer = threading.Timer(0.5, append, (path, 0, 200))
    timer.start()
    result = sl.prequential(stream, sl.NoChange(), n=300)
    timer.join()
    assert result.summary.instances.iloc[0] == 300
    with pytest.raises(ValueError, match="is live and has no end; expected how many instances"):
        sl.prequential(stream, sl.NoChange())
    stream.close()
    assert sl.prequential(stream, sl.NoChange()).summary.instances.iloc[0] == 300


def test_whoever_waits_for_rows_gets_them_as_they_come(tmp_path):
    path, stream = begun(tmp_path, "csv")
    found: list[int] = []
    reading = threading.Thread(target=lambda: found.extend(len(chunk) for chunk in stream.chunks(50, start=600)))
    reading.start()
    append(path, 0, 120)
    wait_until(lambda: found == [50, 50])
    stream.close()
    reading.join(10)
    assert found == [50, 50, 20]
