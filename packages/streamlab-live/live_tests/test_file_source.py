"""A file that grows: whole lines only, by byte; what was cut short or replaced is told, never read a second time."""

from __future__ import annotations

import os

import pytest
import streamlab as sl

from streamlab_live.file_source import FileSource

HEAD = "a,u\n"


def source_of(path, **options):
    source = FileSource(path, **options)
    source.seek({})
    return source


def polled(source, most=1000):
    return [message.value for message in source.poll(most, 0.0)]


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "rows.csv"
    made.write_text(HEAD + "1,0\n2,1\n")
    return made


def grow(path, text):
    with open(path, "ab") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def test_a_line_counts_when_its_end_is_there(path):
    source = source_of(path)
    assert polled(source) == [b"1,0", b"2,1"]
    grow(path, "3,")
    assert polled(source) == []
    grow(path, "1\n4,0\r\n\n5,")
    assert polled(source) + polled(source) == [b"3,1", b"4,0"]
    grow(path, "1\n")
    (message,) = source.poll(10, 0.0)
    assert (message.value, message.offset) == (b"5,1", path.stat().st_size)
    assert source.lag() == 0


def test_reading_goes_on_behind_an_offset(path):
    source = source_of(path)
    first, _ = source.poll(10, 0.0)
    again = FileSource(path)
    again.seek({first.partition: first.offset})
    assert polled(again) == [b"2,1"]
    assert polled(source_of(path), most=1) == [b"1,0"]


def test_json_lines_have_no_header(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert polled(source_of(path)) == [b'{"a": 1}', b'{"a": 2}']
    assert source_of(path).columns() is None


@pytest.mark.parametrize(
    ("line", "names", "separator"), [("a,u", ["a", "u"], ","), ("a;u", ["a", "u"], ";"), ('"x,y",u', ["x,y", "u"], ",")]
)
def test_the_header_names_the_columns(tmp_path, line, names, separator):
    path = tmp_path / "rows.csv"
    path.write_text(f"\ufeff{line}\n")
    assert FileSource(path).columns() == (names, separator)


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path):
    source = FileSource(tmp_path / "late.csv")
    for call in (lambda: source.seek({}), source.columns):
        with pytest.raises(ConnectionError, match="not there"):
            call()
    (tmp_path / "late.csv").write_text("a,")
    with pytest.raises(ConnectionError, match="first line"):
        source.seek({})
    grow(tmp_path / "late.csv", "u\n1,0\n")
    source.seek({})
    assert polled(source) == [b"1,0"]


def test_a_file_that_was_cut_short_is_told_with_the_offset(path):
    source = source_of(path)
    size = path.stat().st_size
    assert len(polled(source)) == 2
    os.truncate(path, 6)
    with pytest.raises(ValueError, match=f"cut short.* byte {size}"):
        source.poll(10, 0.0)
    other = FileSource(path)
    with pytest.raises(ValueError, match="cut short"):
        other.seek({source.partition: size})


def test_a_file_that_was_written_over_is_told(path):
    source = source_of(path)
    polled(source)
    path.write_text(HEAD + "9,0\n8,1\n7,1\n")
    with pytest.raises(ValueError, match="another file"):
        source.poll(10, 0.0)


def test_a_file_that_was_replaced_is_read_to_its_end_and_told(path):
    source = source_of(path)
    polled(source)
    with open(path, "ab") as old:
        path.rename(path.with_suffix(".1"))
        path.write_text(HEAD + "9,0\n9,0\n9,0\n")
        old.write(b"3,1\n")
    assert polled(source) == [b"3,1"], "what was still written to the old one"
    with pytest.raises(ValueError, match="another file"):
        source.poll(10, 0.0)


def test_after_a_restart_a_replaced_file_is_known_by_its_beginning(path):
    source = source_of(path)
    last = source.poll(10, 0.0)[-1]
    notes = source.notes()
    source.settled({})
    assert notes
    assert not source.notes()
    again = FileSource(path)
    again.remember(notes)
    again.seek({last.partition: last.offset})
    assert polled(again) == []
    path.write_text(HEAD + "7,0\n7,1\n7,1\n7,0\n")
    other = FileSource(path)
    other.remember(notes)
    with pytest.raises(ValueError, match="another file"):
        other.seek({last.partition: last.offset})


def test_a_file_that_goes_away_is_waited_for(path):
    source = source_of(path)
    polled(source)
    path.rename(path.with_suffix(".gone"))
    with pytest.raises(ConnectionError, match="not there any more"):
        source.poll(10, 0.0)
    path.with_suffix(".gone").rename(path)
    source.seek({"rows.csv": path.stat().st_size})
    grow(path, "3,1\n")
    assert polled(source) == [b"3,1"]


@pytest.mark.parametrize("n", [3 << 20, 10 << 20])
def test_a_line_of_megabytes_takes_no_more_memory_than_its_limit(path, n):
    source = source_of(path, most_bytes=1000)
    polled(source)
    grow(path, b"x" * n)
    found = [polled(source) for _ in range(20)]
    assert not any(found)
    grow(path, b"y\n4,1\n")
    values = [value for _ in range(20) for value in polled(source)]
    assert [len(value) for value in values] == [1001, 3]
    assert values[1] == b"4,1"


@pytest.mark.parametrize(("given", "what"), [("", "path"), ("a\0b", "path"), ("x.dat", "format=")])
def test_what_is_no_file_is_refused(given, what):
    with pytest.raises(ValueError, match=what):
        FileSource(given)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_what_is_no_regular_file_is_refused_once_it_is_there(tmp_path):
    path = tmp_path / "pipe.csv"
    source = FileSource(path)
    os.mkfifo(path)
    # whoever opened it would wait: a writer lets them go on, and the test fails
    writer = os.open(path, os.O_RDWR)
    try:
        for call in (source.columns, lambda: source.seek({}), lambda: sl.load(f"tail:{path}?labels=u")):
            with pytest.raises(ValueError, match=r"pipe\.csv is not a regular file"):
                call()
    finally:
        os.close(writer)
    with pytest.raises(ValueError, match="is not a regular file"):
        FileSource("/dev/null", format="json").seek({})


@pytest.mark.parametrize("separator", ["ab", "\n", "'"])
def test_a_separator_is_one_character(path, separator):
    with pytest.raises(ValueError, match=r"separator=.*expected one character"):
        sl.load(f"tail:{path}", labels=["u"], separator=separator)


def test_a_folder_and_a_wrong_offset_are_refused(tmp_path, path):
    with pytest.raises(ValueError, match="folder"):
        FileSource(tmp_path)
    for offset in ("x", -1, 10**9):
        with pytest.raises(ValueError, match=r"offset|cut short"):
            FileSource(path).seek({"rows.csv": offset})
    with pytest.raises(ValueError, match="another file"):
        FileSource(path).seek({"rows.csv": 6})
