"""What a user's package adds by one line, beside learners, pictures, streams and measures: here for the session."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import streamlab as sl
from streamlab.plugins import HOOKS
from streamlab.streams import (
    DRIFTS,
    LABEL,
    READERS,
    WIDTH,
    Amount,
    ArrayStream,
    Choice,
    DriftEntry,
    ReaderEntry,
    from_recipe,
)


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
    from streamlab.lessons.catalogue import read_lesson
    from streamlab.views.page.drift_panel import ChangeControls
    from streamlab.views.page.link_texts import drifts_of, in_words, put_in
    from tests.lessons.made import SMALL

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
        (shift_all, "is a function; expected a DriftEntry"),
        (SHIFT_ALL, "expected the same"),
        (DriftEntry(_named("odd"), "Odd", {"width": WIDTH}), "has no parameter 'width'"),
        (DriftEntry(_named("odd", at=False), "Odd"), "has a title and no parameter at"),
    ],
)
def test_what_is_no_drift_is_refused(entry, why):
    with pytest.raises(ValueError, match=why):
        DRIFTS.add("odd", entry)


# ---------------------------------------------------------------------- readers of files


def open_bits(path, *, labels=1):
    rows = [[int(bit) for bit in line.strip()] for line in path.read_text().splitlines() if line[:1] in "01"]
    return ArrayStream([row[:-labels] for row in rows], [row[-labels:] for row in rows], name=path.stem)


def test_a_reader_opens_files_by_their_ending_or_by_sniffing(tmp_path, caplog):
    for name, text in {"a.bits": "0011\n1100\n", "b.csv": "#bits\n0011\n", "c.csv": "x,y\n0.5,1\n0.7,0\n"}.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=r"the kind of file '.bits' is unknown; expected one of \.arff\[\.gz\], "):
        sl.load(tmp_path / "a.bits")
    with pytest.raises(ValueError, match="expected a tuple such as"):
        READERS.add("bits", ReaderEntry(".bits", open_bits))
    entry = ReaderEntry((".bits", ".csv"), open_bits, lambda path, options: path.read_text().startswith("#bits"))
    remove = READERS.add("bits", entry)
    try:
        stream = sl.load(tmp_path / "a.bits", labels=2)
        assert (stream.schema.n_labels, stream.n_rows) == (2, 2)
        assert from_recipe(stream.recipe, files=True).n_rows == 2
        assert isinstance(sl.load(tmp_path / "b.csv"), ArrayStream)
        assert sl.load(tmp_path / "c.csv", labels="y").schema.labels == ("y",)
        with pytest.raises(ValueError, match="there is no option lables="):
            sl.load(tmp_path / "a.bits", lables=2)
    finally:
        remove()


# ---------------------------------------------------------------------- parts of the page


def test_a_part_is_on_the_page_and_one_that_breaks_is_left_out(caplog):
    import panel

    from streamlab.views.page.monitor import Monitor
    from streamlab.views.page.page_part import PARTS, PagePart

    told = []

    class Notes(PagePart):
        def __init__(self, monitor):
            super().__init__(monitor)
            self.sidebar = [panel.pane.Markdown("Notes")]

        def started(self, source, stream):
            told.append((source, stream.name))

        def shown(self, view):
            told.append(view.run.position)

        def close(self):
            told.append("closed")

    class Broken(PagePart):
        def __init__(self, monitor):
            raise RuntimeError("no notes")

    with pytest.raises(ValueError, match="expected a subclass of PagePart"):
        PARTS.add("notes", str)
    removes = PARTS.add("notes", Notes), PARTS.add("broken", Broken)
    try:
        page = Monitor("yeast")
        try:
            page.page.sidebar_open = True
            assert page.page.select(lambda part: part is page.parts["notes"].sidebar[0])
            assert "the part 'broken' of a page cannot be shown" in caplog.text
            assert told[0] == ("yeast", "yeast")
        finally:
            page.close()
        assert told[-1] == "closed"
    finally:
        for remove in removes:
            remove()


# ---------------------------------------------------------------------- hooks


def test_what_a_floor_offers_comes_by_name(monkeypatch):
    result = sl.prequential("yeast", sl.NoChange(), n=100)
    monkeypatch.setitem(HOOKS._loaded, "plot_result", lambda result, measure, over, **options: (measure, over, options))
    assert result.plot("micro_f1", width=300)[2]["width"] == 300
    monkeypatch.setitem(HOOKS._loaded, "view_run", lambda run, **options: (run, options))
    assert result.run.view(dark=True) == (result.run, {"dark": True})
