"""Addresses of live sources: taken apart, checked, and never with a credential."""

from __future__ import annotations

import pytest
import streamlab as sl

from streamlab_live.addresses import SOURCES, checked_options, is_address, parse_address
from streamlab_live.opening import OPTIONS


@pytest.mark.parametrize(
    ("text", "host", "port", "path"),
    [
        ("kafka://one:9092,two:9092/topic?labels=a", "one:9092,two:9092", None, "/topic"),
        ("redis://localhost/rows", "localhost", None, "/rows"),
        ("http://localhost:8080/rows?labels=a,b", "localhost", 8080, "/rows"),
        ("http://[::1]:80/x", "[::1]", 80, "/x"),
        ("tail:/var/log/rows.csv", "", None, "/var/log/rows.csv"),
        ("tail:///var/log/rows.csv", "", None, "/var/log/rows.csv"),
        ("tail:my%20rows.csv", "", None, "my rows.csv"),
        ("parts:folder/of/parts", "", None, "folder/of/parts"),
    ],
)
def test_an_address_is_taken_apart(text, host, port, path):
    address = parse_address(text)
    assert (address.host, address.port, address.path) == (host, port, path)


def test_lists_are_parted_before_they_are_decoded():
    address = parse_address("tail:x.csv?labels=a%2Cb,c%26d")
    assert address.names("labels") == ["a,b", "c&d"]


@pytest.mark.parametrize(
    "text",
    [
        "kafka://somebody:hunter2@host/topic",
        "redis://:hunter2@host/0",
        "redis://lab:hunter2/w0rd@host:6379/rows?labels=a",
        "redis://lab:12345/hunter2@host:6379/rows?labels=a&columns=x",
        "redis://lab:hunt#hunter2@host/rows?labels=a",
        "redis://lab:hunt#er/hunter2@host/rows?labels=a",
        "kafka://lab:s?hunter2@broker:9092/rows?labels=a",
        "kafka://lab:s?labels=hunter2@broker:9092/rows",
        "redis:lab:hunter2@host/rows?labels=a",
        "http://lab:1?hunter2@host/rows",
        "redis://host/rows?password=hunter2",
        "http://host/rows?token=hunter2",
        "kafka://host/t?sasl.password=hunter2",
        "kafka://host/t?api_key=hunter2",
        "kafka://host/t?%70assword=hunter2",
    ],
)
def test_a_credential_is_refused_and_not_repeated(text):
    with pytest.raises(ValueError, match="environment") as found:
        sl.load(text)
    assert "hunter2" not in str(found.value)


def test_an_at_sign_that_is_written_out_belongs_to_a_name():
    address = parse_address("redis://host/rows%40home?labels=a%40b")
    assert (address.path, address.names("labels")) == ("/rows@home", ["a@b"])
    assert parse_address("tail:rows@home.csv").path == "rows@home.csv"
    assert checked_options(parse_address("redis://host/rows"), {"labels": ["a@b"]}).names("labels") == ["a@b"]


def test_a_credential_beside_the_address_is_refused_too():
    with pytest.raises(ValueError, match="environment") as found:
        sl.load("redis://host/rows", password="hunter2")
    assert "hunter2" not in str(found.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("kafak://host/topic", "did you mean 'kafka'"),
        ("tail:x.csv?lables=a", "did you mean 'labels'"),
        ("tail:x.csv?labels=a&labels=b", "occurs twice; expected it once"),
        ("tail:x.csv?labels", "expected options"),
        ("tail:x.csv?labels=a,,b", "separated by commas"),
        ("http://host:port/x", "host and port"),
        ("http://host:99999/x", "host and port"),
        ("tail:x\n.csv", "control character"),
        ("tail:x%00.csv", "control character"),
        ("tail:x.csv?most_ahead=-1", "at least 1"),
        ("tail:x.csv?most_ahead=nan", "at least 1"),
        ("tail:x.csv?extra=perhaps", "extra='perhaps': expected 'refuse' or 'ignore'"),
        ("tail:x.dat", "format=csv"),
        ("tail:" + "x" * 9000, "characters"),
    ],
)
def test_what_is_wrong_is_named(text, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("a,b\n1,0\n")
    with pytest.raises(ValueError, match=what):
        sl.load(text)


def test_paths_and_names_are_no_addresses():
    assert not any(map(is_address, ("yeast", "data/rows.csv", "C:\\rows.csv", "C:/rows.csv", "a b: c", "")))
    assert all(is_address(f"{scheme}://x") for scheme in SOURCES.names())


def test_options_are_given_once():
    address = parse_address("tail:x.csv?labels=a")
    with pytest.raises(ValueError, match="twice"):
        checked_options(address, {"labels": ["b"]})
    given = checked_options(
        address, {"columns": ["p,q", "r"], "words": {"k:l": ["x|y", "z"]}, "keep_rows": 5, "key": None}
    )
    assert given.names("columns") == ["p,q", "r"]
    assert given.options["keep_rows"] == "5"
    with pytest.raises(ValueError, match="expected a text"):
        checked_options(address, {"columns": object()})


def test_every_option_says_what_it_is():
    assert all(OPTIONS.values())
