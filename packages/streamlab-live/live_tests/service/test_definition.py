"""The file of a service: where its paths begin, and what it must not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamlab_live.addresses import parse_address
from streamlab_live.service.definition import Definition, read_definition

LEARNERS = '[learners]\nA = { use = "NoChange" }\n'


def defined(folder: Path, stream: str, more: str = "") -> Definition:
    (folder / "run.toml").write_text(f"stream = {stream}\n{more}{LEARNERS}", "utf-8")
    return read_definition(folder / "run.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """Return the folder of a definition, which is not the one where we are, with letters that addresses quote."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "50%41 off?").mkdir()
    return tmp_path / "50%41 off?"


@pytest.mark.parametrize("scheme", ["tail", "parts", "TAIL"])
def test_paths_of_files_begin_at_the_definition(folder, scheme):
    for text, path in [
        ("in/rows.csv", folder / "in/rows.csv"),
        ("my%20rows.csv", folder / "my rows.csv"),
        ("/var/rows.csv", Path("/var/rows.csv")),
        ("///var/rows.csv", Path("/var/rows.csv")),
        ("~/rows.csv", folder.parent / "home/rows.csv"),
    ]:
        found = defined(folder, f'"{scheme}:{text}?labels=a%2Cb,c"').stream
        assert (Path(found.path), found.names("labels")) == (path, ["a,b", "c"])


@pytest.mark.parametrize("scheme", ["tail", "parts"])
def test_labels_that_come_by_another_way_begin_at_the_definition_too(folder, scheme):
    for text, path in [("l%20s.csv", folder / "l s.csv"), ("/var/l%20s.csv", Path("/var/l s.csv"))]:
        found = defined(folder, f'"{scheme}:rows.csv?label_topic={text}&key=id&labels=a"').stream
        assert Path(found.text("label_topic")) == path
        assert (found.text("key"), found.names("labels")) == ("id", ["a"])
    for text, path in [("l s.csv", folder / "l s.csv"), ("/var/l%20s.csv", Path("/var/l%20s.csv"))]:
        found = defined(folder, f'{{ use = "{scheme}:rows.csv", label_topic = "{text}", key = "id" }}').stream
        assert (found.text("label_topic"), found.text("key")) == (str(path), "id")
        assert Path(found.path) == folder / "rows.csv"


@pytest.mark.parametrize(
    "stream",
    [
        '"tail:rows.csv?labels=a&keep_rows=1000"',
        '"redis://localhost/rows?keep%5Frows=1000&labels=a"',
        '{ use = "tail:rows.csv", keep_rows = 1000 }',
    ],
)
def test_rows_cannot_be_given_up(folder, stream):
    with pytest.raises(ValueError, match=r"run\.toml: stream: the journal deletes rows .* expected no keep_rows="):
        defined(folder, stream)


@pytest.mark.parametrize(
    "stream", ['"tail:rows.csv?journal=j"', '"tail:rows.csv?labels=a&%6Aournal=j"', '{ use = "tail:x", journal = "j" }']
)
def test_the_journal_is_the_service_s_own(folder, stream):
    with pytest.raises(ValueError, match="keeps the journal in its own folder; expected no journal="):
        defined(folder, stream)


def test_topics_of_a_server_begin_nowhere(folder):
    address = "redis://localhost/rows?label_topic=labels&key=id"
    assert defined(folder, f'"{address}"').stream.without(["journal"]) == parse_address(address)
    found = defined(folder, '{ use = "redis://localhost/rows", label_topic = "labels" }').stream
    assert found.text("label_topic") == "labels"
    assert Path(found.text("journal")) == folder / "run" / "journal"


def test_the_options_of_a_stream_without_an_address_stand_beside_it(folder):
    (folder / "rows.csv").write_text("a,u\n1,0\n", "utf-8")
    found = defined(folder, '{ use = "rows.csv", labels = "u" }')
    assert (found.stream, found.options) == (str(folder / "rows.csv"), {"labels": "u"})
