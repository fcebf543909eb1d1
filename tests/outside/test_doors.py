"""What a stranger's package adds by one line, beside learners, pictures, streams and measures: here for the session."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import DRIFTS, LABEL, WIDTH, Amount, Choice, DriftEntry, from_recipe


class Shifted(sl.streams.WrappedStream):
    def __init__(self, stream, amount, at):
        super().__init__(stream, "shifted")
        self.amount, self.at = amount, at
        self._own = (sl.streams.Drift(at, 1, "shift"),)

    def _change(self, X, Y, rows):
        return X + self.amount * (rows >= self.at)[:, None], Y


def shift_all(stream: sl.Stream, at: int, amount: float = 1.0, label: str = "", way: str = "up") -> Shifted:
    return Shifted(stream, amount if way == "up" else -amount, at)


SHIFT_ALL = DriftEntry(
    shift_all,
    "Shift every feature",
    {"label": LABEL, "amount": Amount("By", 0.0, 4.0, 0.5), "way": Choice("To", {"more": "up", "less": "down"})},
)


@pytest.fixture
def drift():
    remove = DRIFTS.add("shift_all", SHIFT_ALL)
    yield
    remove()


def test_a_drift_is_in_recipes_studies_and_a_run(drift):
    stream = DRIFTS.load("shift_all").put(sl.load("yeast"), at=100, amount=2.0)
    again = from_recipe(stream.recipe)
    assert again.drifts == stream.drifts
    np.testing.assert_array_equal(next(again.chunks(200)).X, next(stream.chunks(200)).X)
    named = {"use": "yeast", "changes": [{"put": "shift_all", "at": 100, "amount": 2.0}]}
    assert sl.Study({"shifted": named}, ["NoChange"]).cells().stream[0] == "shifted"
    run = sl.Run("yeast", sl.NoChange())
    run.advance(100)
    assert "shift, from 100 on" in run.put_drift(sl.DriftRecipe("shift_all", amount=2.0)).message.lower()
    with pytest.raises(ValueError, match=r"shift_all: .*unexpected"):
        SHIFT_ALL.put(sl.load("yeast"), at=3, size=2)


def test_a_drift_is_on_the_panel_in_links_and_in_lessons(drift, tmp_path):
    pytest.importorskip("panel_material_ui")
    from streamlab.views.lessons.reading import read_lesson
    from streamlab.views.page.drift_links import drifts_of, in_words, put_in
    from streamlab.views.page.drift_panel import ChangeControls
    from tests.views.lessons.made import SMALL

    stream = sl.load("yeast")
    controls = ChangeControls(stream.schema)
    controls.kind.value = "Shift every feature"
    assert [widget.label for widget in controls.__panel__() if widget.visible] == ["Drift", "Label", "By", "To"]
    controls.asked["amount"].value, controls.asked["way"].value = 1.5, "down"
    assert controls.title == "Shift every feature: Class1"
    changed = controls.change()(stream, 300)
    (text,) = drifts_of(changed)
    assert text == '["shift_all",300,{"label":"Class1","amount":1.5,"way":"down"}]'
    again, refused = put_in(stream, [text, text.replace("1.5", "9")])
    assert (again.recipe, len(refused)) == (changed.recipe, 1)
    assert in_words(text) == "Shift every feature (Class1) at row 300"
    path = tmp_path / "lesson.md"
    path.write_text(SMALL.replace("{drift: swap_labels, a: Class1, b: Class2}", "{drift: shift_all, amount: 2}"))
    assert read_lesson(path).steps[3].drifts == (("shift_all", {"amount": 2}),)


def test_a_drift_that_breaks_is_left_out_and_the_others_stay(drift, caplog):
    pytest.importorskip("panel_material_ui")
    from streamlab.views.page.drift_panel import usable_drifts

    schema = sl.load("yeast").schema
    before = usable_drifts(schema)
    remove = DRIFTS.add("broken", DriftEntry(_named("broken"), "Broken", {}, fits=lambda schema: schema.nothing))
    try:
        with caplog.at_level(logging.WARNING, "streamlab"):
            assert usable_drifts(schema) == before
    finally:
        remove()
    assert "the drift 'broken' is left out: fits: AttributeError" in caplog.text


def _named(name: str, at: bool = True):
    def made(stream, at):
        return stream

    def without(stream):
        return stream

    function = made if at else without
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (shift_all, "is a function; expected a streamlab.streams.DriftEntry"),
        (SHIFT_ALL, "expected one of the same name"),
        (DriftEntry(_named("odd"), "Odd", {"width": WIDTH}), "has no parameter 'width'"),
        (DriftEntry(_named("odd", at=False), "Odd"), "has a title and no parameter at"),
    ],
)
def test_what_is_no_drift_is_refused(entry, why):
    with pytest.raises(ValueError, match=why):
        DRIFTS.add("odd", entry)
