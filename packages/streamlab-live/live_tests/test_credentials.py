"""Credentials from the environment or a file that it names; never in a message."""

from __future__ import annotations

import pytest

from streamlab_live.source import credential

NAME = "STREAMLAB_TEST_PASSWORD"


def test_it_is_the_variable_or_the_file_that_it_names(tmp_path, monkeypatch):
    assert credential(NAME) is None
    monkeypatch.setenv(NAME, " open sesame\n")
    assert credential(NAME) == " open sesame\n"
    monkeypatch.delenv(NAME)
    path = tmp_path / "password"
    for raw, text in ((b"open sesame\r\n", "open sesame"), (b"two\nlines\n\n", "two\nlines\n"), ("é".encode(), "é")):
        path.write_bytes(raw)
        monkeypatch.setenv(f"{NAME}_FILE", str(path))
        assert credential(NAME) == text


@pytest.mark.parametrize("raw", [b"\xff hush", b"hush" * 20_000, None])
def test_a_file_that_cannot_be_read_is_refused_without_its_text(tmp_path, monkeypatch, raw):
    path = tmp_path / "password"
    if raw is not None:
        path.write_bytes(raw)
    monkeypatch.setenv(f"{NAME}_FILE", str(path))
    with pytest.raises(ValueError, match=f"{NAME}_FILE: the file cannot be read") as refusal:
        credential(NAME)
    assert "hush" not in str(refusal.value)


def test_both_are_refused(monkeypatch):
    monkeypatch.setenv(NAME, "hush")
    monkeypatch.setenv(f"{NAME}_FILE", "somewhere")
    with pytest.raises(ValueError, match="both set") as refusal:
        credential(NAME)
    assert "hush" not in str(refusal.value)
