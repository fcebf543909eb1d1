"""Text from outside is shown as text: nothing is read in it, nothing is hidden in it, and it has a length."""

from __future__ import annotations

import html
import re

import pytest

from streamlab._checks import counted
from streamlab.views.kit.text import all_shown, as_html, in_bytes, message_html, shown, shown_within

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("Größe ≤ 日本", "Größe ≤ 日本"),
        ("a\x00b\tc\n\x7f", "a␀b␉c␊␡"),
        ("abc\u202ecba", "abc⟨U+202E⟩cba"),
        ("a\u200bb\u2066c", "a⟨U+200B⟩b⟨U+2066⟩c"),
        ("line\u2028end", "line⟨U+2028⟩end"),
        ("\ud800", "⟨U+D800⟩"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 3),
    ],
)
def test_what_cannot_be_seen_is_written(text, seen):
    assert shown(text) == seen
    shown(text).encode()


def test_a_long_name_keeps_its_ends():
    text = "a" * 2500 + "b" * 2500
    assert len(shown(text)) == 80
    assert shown(text).startswith("aaa")
    assert shown(text).endswith("bbb")
    assert "…" in shown(text)
    assert shown(text, 6000) == text


def test_shown_names_stay_different():
    names = ["x" * 5000, "x" * 4999, "y", "y\u200b", "y⟨U+200B⟩"]
    found = all_shown(names)
    assert len(set(found)) == len(names)
    assert found[2] == "y"
    assert all(len(name) <= 90 for name in found)


def test_html_has_no_tag_of_the_text_and_the_whole_in_its_title():
    assert as_html(HOSTILE) == html.escape(HOSTILE)
    long = as_html(HOSTILE + "\x00" + "x" * 5000)
    (tag,) = re.findall("<[^>]*>", long.removesuffix("</span>"))
    assert tag.startswith('<span title="&lt;img')
    assert "x" * 5000 in tag
    assert "␀" in tag


def test_a_message_keeps_its_lines():
    assert message_html("one\n<b>two</b>\r\n\n") == "one<br>&lt;b&gt;two&lt;/b&gt;"
    assert len(message_html("x" * 100_000)) <= 600


def test_a_frame_is_cleaned_at_any_depth_and_keeps_its_numbers():
    data = b"\0\1"
    frame = {"names": ["a\x00", ("b\u202e", 3)], "deep": {"text": "c\x01", "buffer": data, "none": None}}
    assert shown_within(frame) == {
        "names": ["a␀", ["b⟨U+202E⟩", 3]], "deep": {"text": "c␁", "buffer": data, "none": None}
    }  # fmt: skip


def test_a_number_and_its_thing():
    assert [counted(n, "label") for n in (0, 1, 2, 1836)] == ["0 labels", "1 label", "2 labels", "1,836 labels"]


def test_bytes_are_read_by_people():
    assert [in_bytes(n) for n in (999, 4_960, 5_380_000, 2.5e9)] == ["999 B", "4.96 kB", "5.38 MB", "2.5 GB"]
