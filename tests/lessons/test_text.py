"""Text of a lesson: nothing in it becomes anything but the few nodes that a lesson shows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamlab.lessons.lesson import TAGS, plain_text, tree_of


def test_marks_become_nodes_and_html_stays_text():
    trees = tree_of("A **b** `c<d>` <script>alert(1)</script>\n\n- [x](drift_lab)\n- *y*")
    assert trees[0] == ["p", {}, "A ", ["strong", {}, "b"], " ", ["code", {}, "c<d>"], " <script>alert(1)</script>"]
    assert trees[1][0] == "ul"
    assert ["a", {"href": "drift_lab"}, "x"] in trees[1][2][2]
    assert plain_text(trees).startswith("A b c<d>")


@pytest.mark.parametrize(
    "link",
    [
        "http://a.example",
        "//a.example",
        "ftp://a",
        "../x",
        "/etc",
        "stream_monitor?a=%3Cb;",
        "drift_lab#x",
        "mailto:a@b.c",
    ],
)
def test_a_link_leads_to_https_or_a_page_of_ours(link):
    with pytest.raises(ValueError, match="the link"):
        tree_of(f"[x](<{link}>)")


def test_a_link_that_runs_something_is_text():
    assert plain_text(tree_of("[x](javascript:alert(1))")) == "[x](javascript:alert(1))"


@given(st.text(alphabet="*_`<>[]()#!-+1. \n\\a&;\"'/:=", max_size=120))
def test_only_known_nodes_come_out(text):
    def check(node: Any) -> None:
        if isinstance(node, str):
            return
        tag, attributes, *children = node
        assert tag in TAGS | {"br", "code"}
        assert set(attributes) <= ({"href"} if tag == "a" else set())
        for child in children:
            check(child)

    told, trees = "", ()
    try:
        trees = tree_of(text)
    except ValueError as error:
        told = str(error)
    assert "\n" not in told
    for tree in trees:
        check(tree)
