"""Notices and headings show what they are given: neither HTML nor Markdown is read in it."""

from __future__ import annotations

import html

import pytest

from streamlab.views.page.window import Heading, Notice

HOSTILE = 'line 3: <img src=x onerror="alert(1)"> **bold** [link](https://example.org) \u202e'


def seen_by_the_browser(sent: str) -> str:
    """What is set as HTML: panel-material-ui's components take off one layer of escapes before."""
    return html.unescape(sent)


@pytest.mark.parametrize("make", [lambda: Notice(object=HOSTILE), lambda: Heading(HOSTILE)])
def test_text_is_not_read(make):
    sent = seen_by_the_browser(make().get_root().data.object)
    assert "<" not in sent
    assert html.unescape(sent) == HOSTILE.replace("\u202e", "⟨U+202E⟩")


def test_a_notice_that_changes_is_text_too():
    notice = Notice(visible=False)
    model = notice.get_root()
    notice.say(HOSTILE, "warning")
    assert notice.visible
    assert notice.severity == "warning"
    assert notice.object == HOSTILE
    assert "<" not in seen_by_the_browser(model.data.object)
    notice.say("")
    assert not notice.visible
