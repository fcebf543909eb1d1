"""The checks of arguments: what passes, and what the one line says of what does not."""

from __future__ import annotations

import math
import os
import re

import numpy as np
import pytest

import streamlab as sl
from streamlab._checks import (
    checked_choice,
    checked_count,
    checked_flag,
    checked_number,
    checked_text,
    shown,
    within,
)


def test_what_is_allowed_comes_back_as_a_plain_value():
    found = [
        checked_count("n", np.int32(3), 1, 3),
        checked_number("x", np.float32(0.5), 0, 1),
        checked_number("x", 2),
        checked_choice("by", 1, (0, 1)),
        checked_flag("on", np.True_),
        checked_text("name", "a"),
    ]
    assert found == [3, 0.5, 2.0, 1, True, "a"]
    assert [type(each) for each in found] == [int, float, float, int, bool, str]
    for check in (checked_count, checked_number, checked_flag, checked_text):
        assert check("x", None, optional=True) is None
    assert checked_choice("by", None, ("a",), optional=True) is None


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: checked_count("n", -1), "n=-1: expected a whole number, at least 0"),
        (lambda: checked_count("n", 4, 1, 3), "n=4: expected a whole number from 1 to 3"),
        (lambda: checked_count("n", 0, 1, optional=True), "n=0: expected a whole number, at least 1, or None"),
        (lambda: checked_count("n", None), "n=None: expected a whole number, at least 0"),
        (lambda: checked_count("n", True), "n=True: expected a whole number, at least 0"),
        (lambda: checked_count("n", 2.0), "n=2.0: expected a whole number, at least 0"),
        (lambda: checked_count("n", "3"), "n='3': expected a whole number, at least 0"),
        (lambda: checked_number("x", math.nan), "x=nan: expected a number, at least 0"),
        (lambda: checked_number("x", math.inf), "x=inf: expected a number, at least 0"),
        (lambda: checked_number("x", 1.1, 0, 1), "x=1.1: expected a number from 0 to 1"),
        (lambda: checked_number("x", 0, above=True), "x=0: expected a number above 0"),
        (lambda: checked_number("x", 0, 0, 1, above=True), "x=0: expected a number above 0 and at most 1"),
        (lambda: checked_number("x", 1, 0, 1, above=True, below=True), "x=1: expected a number above 0 and below 1"),
        (lambda: checked_number("x", 0.5, 0, 0.5, below=True), "x=0.5: expected a number, at least 0 and below 0.5"),
        (lambda: checked_number("x", "1", optional=True), "x='1': expected a number, at least 0, or None"),
        (lambda: checked_choice("by", "rov", ("row", "all")), "by='rov': expected 'row' or 'all'; did you mean 'row'?"),
        (lambda: checked_choice("by", "z", ("a", "b"), optional=True), "by='z': expected 'a', 'b' or None"),
        (lambda: checked_choice("by", True, (0, 1)), "by=True: expected 0 or 1"),
        (lambda: checked_choice("by", ["a"], ("a",)), "by=['a']: expected 'a'"),
        (lambda: checked_choice("by", np.zeros(2), (0, 1)), "by=array([0., 0.]): expected 0 or 1"),
        (lambda: checked_flag("on", 1), "on=1: expected True or False"),
        (lambda: checked_flag("on", "no", optional=True), "on='no': expected True, False or None"),
        (lambda: checked_text("name", " "), "name=' ': expected a text that is not empty"),
        (lambda: checked_text("name", 3, optional=True), "name=3: expected a text that is not empty, or None"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(check, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check()


def test_a_value_is_shown_in_one_short_line():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in ("x" * 1000, "a\nb", np.zeros((5, 5)), [1] * 1000, deep, 10**10_000):
        assert len(shown(value)) <= 80
        assert "\n" not in shown(value)


def test_what_an_error_is_about_comes_first():
    with pytest.raises(ValueError, match=r"^a file: no such row$"), within("a file"):
        raise ValueError("no such row")
    with pytest.raises(ValueError, match=r"^a file: 'a'$"), within("a file", KeyError):
        raise KeyError("a")
    with pytest.raises(TypeError), within("a file", KeyError):
        raise TypeError("another kind")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("opened", [sl.load, sl.load_model, sl.Run.open])
def test_a_pipe_is_refused_instead_of_waited_for(opened, tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    with pytest.raises(ValueError, match=r"rows\.csv:? is a pipe, a socket or a device; expected a file"):
        opened(tmp_path / "rows.csv")
