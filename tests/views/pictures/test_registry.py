"""The registry of pictures: one that cannot be made does not take the others, or the page, along."""

from __future__ import annotations

import logging

import pytest

import streamlab as sl
from streamlab.views.kit.picture import Picture
from streamlab.views.pictures import PICTURES, pictures


class Unlicensed(Picture):
    """Cannot be made."""

    name, title, help = "unlicensed", "Unlicensed", "Nothing to read."

    def __init__(self) -> None:
        raise RuntimeError("no licence")

    def columns(self, subject, selection, budget):
        raise NotImplementedError

    view = details = columns


def test_what_cannot_be_made_is_left_out_with_one_warning(caplog, tmp_path):
    own = [picture.name for picture in pictures()]
    remove = PICTURES.add("unlicensed", Unlicensed)
    try:
        with caplog.at_level(logging.WARNING, "streamlab"):
            assert [picture.name for picture in pictures()] == [picture.name for picture in pictures()] == own
        assert caplog.text.count("the picture 'unlicensed' cannot be made: RuntimeError: no licence") == 1
        run = sl.Run("yeast", {"no-change": sl.NoChange()})
        run.advance(100)
        assert run.export_html(tmp_path / "run.html").exists()
    finally:
        remove()


def test_an_order_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match=r"the picture 'unlicensed' \(Odd\) has the order None; expected a number"):
        PICTURES.add("unlicensed", type("Odd", (Unlicensed,), {"order": None}))
