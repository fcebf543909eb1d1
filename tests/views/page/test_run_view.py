"""A run on the page without a browser: a panel for each picture that fits, what fails in one, what people choose."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.frame import FrameMaker
from streamlab.learners.base.registry import EventKind
from streamlab.streams import Drift
from streamlab.views import pictures as registered
from streamlab.views.kit.picture import Drawn, Picture
from streamlab.views.page.presets import make_learners
from streamlab.views.page.run_view import RunView
from streamlab.views.pictures import PICTURES, pictures
from tests.lab.made import Lagging, made_stream
from tests.views.wire import unpack


class DotView(pn.pane.Str):
    """A view of another package: it keeps what it is shown."""

    _rename: ClassVar[dict[str, str | None]] = {**pn.pane.Str._rename, "dark": None, "selected": None}
    dark = param.Boolean(default=False)
    selected = param.Integer(default=None, allow_None=True)
    selection = property(lambda self: self.selected)
    fails = False

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        if self.fails:
            raise KeyError("a column")
        self.drawn = drawn


class Dots(Picture):
    name: ClassVar[str] = "dots"
    title: ClassVar[str] = "Dots"
    help: ClassVar[str] = "how to read dots"
    order: ClassVar[int] = 1

    def columns(self, subject, selection, budget):
        if getattr(subject.learner, "fails", False):
            raise RuntimeError("<no> dots")
        story = None if selection is None else {"id": selection, "name": subject.name}
        return Drawn(subject.name, subject.run.position, {"id": np.arange(3)}, {}, story)

    def view(self, schema, **options):
        return DotView(dark=options["dark"])

    def details(self, subject, story, schema):
        return f"{subject}: {story}"


class Dotted(Lagging):
    picture: ClassVar[str] = "dots"
    events: ClassVar = {"hop": EventKind("A hop", "It hops.", {"far": "how far"}, is_detection=True, source="hops")}


@pytest.fixture
def dots():
    end = PICTURES.add("dots", Dots)
    yield
    end()


@pytest.fixture
def view_of():
    views: list[RunView] = []

    def make(run: Run, **options: Any) -> RunView:
        views.append(run.view(**options))
        return views[-1]

    yield make
    for view in views:
        view.close()


def titles(view: RunView) -> list[str]:
    return view._stage.titles


def panel_of(view: RunView, name: str):
    return next(panel for panel in view.panels if panel.picture.name == name)


def drawn(view: RunView, n: int = 1) -> None:
    """Go on by some instances and draw the frame of that instant."""
    view.player.step(n).result(20)
    until = time.monotonic() + 20
    while True:
        frame = view.player.poll()
        if frame is not None:
            view._draw(frame)
            if frame.position == view._run.position:
                return
        assert time.monotonic() < until
        time.sleep(0.01)


def opened(view: RunView, title: str) -> None:
    assert view._stage.open(title)


# ---------------------------------------------------------------------- pictures


def test_the_own_pictures_are_registered_in_the_order_of_their_tabs():
    names = [picture.name for picture in pictures()]
    folders = {file.parent.name for file in Path(registered.__file__).parent.glob("*/picture.py")}
    assert set(names) == folders, "register each folder's picture, then run `pip install -e .` again"
    assert (names[0], names[-1]) == ("council", "labels")
    places = [(picture.order, picture.title) for picture in pictures()]
    assert places == sorted(set(places)), "no two at the same place"
    for picture in pictures():
        assert PICTURES.name_of(type(picture)) == picture.name
        assert picture.title
        assert "How to read" in picture.help


@pytest.mark.parametrize("thing", [3, Lagging, Picture, type("Nameless", (Dots,), {"title": None})])
def test_what_is_no_picture_is_refused(thing):
    with pytest.raises(ValueError, match="the picture 'x'"):
        PICTURES.add("x", thing)
    with pytest.raises(ValueError, match="has the name 'dots'"):
        PICTURES.add("other", Dots)


def test_a_learner_and_a_picture_of_others_show_up_by_themselves(dots, view_of):
    learner = Dotted()
    run = Run(made_stream(500), {"<mine>": learner, "no-change": sl.NoChange()})
    view = view_of(run)
    assert titles(view) == ["Dots", "What matters", "Labels", "Drift", "Forks"]
    panel = panel_of(view, "dots")
    assert panel.choice.options == {"<mine>": "<mine>"}
    learner.happened = [{"kind": "hop", "message": "it hopped", "far": 7, "position": 5}]
    drawn(view, 100)
    assert panel.view.drawn.now == 100
    assert [kind["title"] for kind in view.timeline.events.kinds] == ["A hop"]
    panel.view.selected = 2
    drawn(view)
    assert panel.details.object == "<mine>: {'id': 2, 'name': '<mine>'}"
    panel.view.selected = None
    assert view.help.object.endswith("how to read dots")


def test_a_part_s_note_tells_what_was_reported_of_it_up_to_the_row_that_is_shown(dots, view_of):
    learner = Dotted()
    view = view_of(Run(made_stream(500), {"mine": learner}))
    panel = panel_of(view, "dots")
    for position, node in ((5, 1), (150, 2)):
        hop = {"kind": "hop", "message": f"<node> {node} hopped", "node": node, "far": 7, "position": position}
        learner.happened = [hop]
        drawn(view, 100)
    panel.view.selected = 2
    drawn(view)
    assert panel.details.object.endswith("<p>Row 150: &lt;node&gt; 2 hopped.</p>")
    assert "node> 1" not in panel.details.object
    panel.view.selected = 0
    drawn(view)
    assert "Row" not in panel.details.object
    # the playhead is dragged back, then forth again
    reading = Drawn("mine", 100, {"id": np.arange(3)}, {})
    panel.look_back({"picture dots of mine": reading}, 100)
    assert panel.view.drawn.now == 100
    assert [each.position for each in panel._reported()] == [5]
    drawn(view)
    assert [each.position for each in panel._reported()] == [5, 150]


def test_who_goes_back_to_a_row_at_which_something_happened_finds_it_selected(dots, view_of):
    learner = Returning()
    view = view_of(Run(made_stream(500), {"mine": learner}))
    panel = panel_of(view, "dots")
    gone, kept = ({"kind": "hop", "message": "it hopped", "node": node, "far": 7} for node in (9, 1))
    learner.happened = [{**kept, "position": 40}, {**gone, "alternate": 2, "position": 60}, {**gone, "position": 80}]
    drawn(view, 200)

    def seek(position: int) -> None:
        view.player.seek(position).result(20)
        until = time.monotonic() + 20
        while view._run.position != position or not has_drawn(view, position):
            assert time.monotonic() < until
            time.sleep(0.01)

    for position, part in ((40, 1), (60, 2), (80, None), (81, None), (40, 1)):
        seek(position)
        assert panel.view.selected == part, position
    # a part that people selected themselves stays
    panel.view.selected = 0
    seek(60)
    assert panel.view.selected == 0


def has_drawn(view: RunView, position: int) -> bool:
    frame = view.player.poll()
    if frame is not None:
        view._draw(frame)
    return frame is not None and frame.position == position


class Returning(Dotted):
    """It may be taken back to before it knew the labels."""

    def _predict(self, X, missing):
        self._grown(0, 0)
        return super()._predict(X, missing)


def test_learners_are_compared_side_by_side(dots, view_of):
    learners = {"one": Dotted(), "<other>": Dotted()}
    view = view_of(Run(made_stream(500), learners), compared=True)
    row = panel_of(view, "dots")
    assert [panel.learner for panel in row.panels] == ["one", "<other>"]
    assert len(row.readers()) == 2
    learners["<other>"].happened = [{"kind": "hop", "message": "it hopped", "far": 7, "position": 5}]
    drawn(view, 100)
    one, other = row.panels
    assert [panel.view.drawn.subject for panel in row.panels] == ["one", "<other>"]
    assert ([each.message for each in other._reported()], one._reported()) == (["it hopped"], [])
    other.view.selected = 2
    drawn(view)
    assert other.details.object == "<other>: {'id': 2, 'name': '<other>'}"
    assert one.details.object == ""
    # one that fails says so in its own place
    learners["one"].fails = True
    drawn(view)
    assert one.error.visible
    assert not other.error.visible
    # a tab that is not open is not read
    opened(view, "Drift")
    drawn(view, 50)
    assert other.view.drawn.now == 102
    view.dark = True
    assert one.view.dark
    assert other.view.dark


def test_named_pictures_alone_are_compared(dots, view_of):
    learners = {"one": Dotted(), "other": Dotted(), "SMART": sl.SMART(n_trees=2), "still": sl.SMART(n_trees=2)}
    view = view_of(Run(made_stream(500), learners), compared=("forest",))
    assert panel_of(view, "dots").choice.value == "one"
    row = panel_of(view, "forest")
    assert [panel.learner for panel in row.panels] == ["SMART", "still"]
    # the tree that is chosen in one is shown in both
    row.panels[1].view.tree = 1
    assert row.panels[0].view.tree == 1


def test_what_cannot_be_drawn_says_so_in_its_place_and_the_run_goes_on(dots, view_of):
    learner = Dotted()
    view = view_of(Run(made_stream(500), {"mine": learner}))
    panel = panel_of(view, "dots")
    learner.fails = True
    drawn(view, 100)
    assert panel.error.visible
    assert panel.error.object == "This picture cannot be drawn: <no> dots"
    assert view.player.state == "paused"
    learner.fails, panel.view.fails = False, True
    drawn(view, 100)
    assert panel.error.object == "This picture cannot be drawn: 'a column'"
    panel.view.fails = False
    drawn(view, 100)
    assert not panel.error.visible
    assert panel.view.drawn.now == 300


def test_a_picture_that_cannot_be_made_is_left_out(view_of, caplog):
    class Broken(Dots):
        name: ClassVar[str] = "broken"

        def view(self, schema, **options):
            raise RuntimeError("no view")

    end = PICTURES.add("broken", Broken)
    try:
        learner = Dotted()
        learner.picture = "broken"
        view = view_of(Run(made_stream(100), {"mine": learner}))
    finally:
        end()
    assert titles(view) == ["What matters", "Labels", "Drift", "Forks"]
    assert "the picture 'broken' cannot be shown" in caplog.text


def test_only_the_picture_whose_tab_is_open_is_read(view_of):
    view = view_of(sl.Run("yeast", make_learners(["SMART", "MLHAT"], [], 1)))
    assert titles(view) == [
        "Trees",
        "Tree",
        "What matters",
        "Labels",
        "Drift",
        "Forks",
    ]
    for title, name in (("Trees", "forest"), ("Tree", "tree"), ("Labels", "labels")):
        opened(view, title)
        drawn(view, 50)
        frame = view.player._frame
        assert set(frame.readings) == {f"picture {name}", "Latest row"}
        assert not panel_of(view, name).error.visible
    opened(view, "Drift")
    drawn(view)
    assert set(view.player._frame.readings) == {"Latest row"}


def test_the_hierarchy_is_drawn_for_every_learner(view_of):
    run = sl.Run("segments", make_learners(["no-change", "SMART", "HierarchicalKNN"], [], 1))
    view = view_of(run, compared=False)
    assert titles(view)[0] == "Hierarchy"
    panel = panel_of(view, "hierarchy")
    assert panel.learner == "HierarchicalKNN", "whose own picture it is comes first"
    for name in ("SMART", "no-change", "HierarchicalKNN"):
        panel.choice.value = name
        drawn(view, 100)
        assert panel.view._frame["subject"] == name
    panel.view.selected = 2
    drawn(view)
    assert "<h3>HierarchicalKNN: cement</h3>" in panel.details.object


def test_very_many_labels_are_drawn_without_their_co_occurrence(view_of):
    view = view_of(Run(made_stream(200, n_features=250, n_labels=250), {"no-change": sl.NoChange()}))
    opened(view, "Labels")
    drawn(view, 100)
    panel = panel_of(view, "labels")
    assert not panel.error.visible, panel.error.object
    assert len(panel.view._frame["names"]) == 100


def test_drifts_and_tunings_are_dated(view_of):
    view = view_of(Run(made_stream(500, drifts=(Drift(150),)), {"SMART": sl.SMART(seed=1)}))
    view._tune("SMART", "half_life", 50.0)
    drawn(view, 200)
    assert [(position, text.split()[0]) for position, text in view._marks] == [(0, "half_life:"), (150, "sudden")]
    view._tune("SMART", "half_life", -1.0)
    assert view._options.note.visible
    assert "half_life=-1.0: expected" in view._options.note.object


def test_another_view_of_a_run_closes_the_first(view_of):
    run = Run(made_stream(300), {"SMART": sl.SMART(seed=1)})
    first = view_of(run)
    drawn(first, 100)
    second = view_of(run)
    assert first._closed
    assert not second._closed
    drawn(second, 100)
    assert run.position == 200


def test_rows_of_hashed_words_are_drawn_without_their_quarter_of_a_million_columns(view_of):
    rng = np.random.default_rng(0)
    columns = 1 << 18
    indices = np.sort(rng.choice(columns, (300, 5), replace=False), axis=1)
    X = scipy.sparse.csr_array((np.ones(1500), indices.ravel(), np.arange(0, 1501, 5)), shape=(300, columns))
    Y = rng.integers(0, 2, (300, 3), dtype=np.uint8)
    learners = {"SMART": sl.SMART(seed=1), "leaf": sl.MLHAT(max_depth=0, window=20, n_models=2, seed=1)}
    view = view_of(sl.Run((X, Y), learners))
    assert view._run.stream.is_sparse
    for title, name in (("Trees", "forest"), ("Tree", "tree"), ("Labels", "labels")):
        opened(view, title)
        drawn(view, 90)
        assert not panel_of(view, name).error.visible, panel_of(view, name).error.object
    tree = panel_of(view, "tree").view
    assert tree.features == tree.categories == [], "no test is drawn, so no name is needed"


def test_the_page_goes_on_without_a_learner_that_its_pictures_showed(view_of, caplog):
    view = view_of(sl.Run("segments", make_learners(["no-change", "HierarchicalKNN"], [], 1)))
    drawn(view, 200)
    view._remove("HierarchicalKNN")
    drawn(view, 100)
    assert view.player.state == "paused"
    assert view._run.position == 300
    assert not [record for record in caplog.records if "failed" in record.getMessage()]


def test_back_before_a_fork_the_page_of_the_fork_goes_on(view_of):
    view = view_of(sl.Run("segments", make_learners(["no-change", "HierarchicalKNN"], [], 1)), compared=False)
    drawn(view, 200)
    view._on_run(lambda run: run.fork("HierarchicalKNN", "copy"))
    drawn(view, 1)
    panel_of(view, "hierarchy").choice.value = "copy"
    drawn(view, 1)
    view.player.seek(100).result(20)
    drawn(view, 1)
    assert (view.player.state, view._run.position) == ("paused", 101)


def test_what_is_asked_of_a_busy_run_is_taken_back_and_said(view_of, monkeypatch):
    from streamlab.views.page import run_view

    view = view_of(sl.Run("yeast", make_learners(["SMART"], [], 1)))
    busy, free = threading.Event(), threading.Event()
    view.player.do(lambda: (busy.set(), free.wait(60)))
    assert busy.wait(20)
    monkeypatch.setattr(run_view, "WAIT_SECONDS", 0.05)
    try:
        view._tune("SMART", "half_life", 77.0)
        assert "nothing was done" in view._options.note.object
        view.drift_panel._pressed(None)
        assert "nothing was done" in view.drift_panel.note.object
        view._remove("SMART")
        assert "nothing was done" in view._options.note.object
    finally:
        free.set()
    drawn(view, 10)
    assert view._run.learner_runs["SMART"].learner.half_life != 77.0
    assert not {"tuned", "drift", "removed"} & {event.kind for event in view._run.log}


def test_while_it_plays_card_and_curve_change_at_the_same_frames(view_of):
    run = Run(made_stream(600), {"a": sl.SMART(seed=1, n_trees=2)}, chunk=20)
    view = view_of(run)
    view.player.close()
    maker = FrameMaker(run)
    seen = []
    for rows in (40, 20, 20, 20, 500):
        run.advance(rows)
        frame = maker.make(maker.cursor(), "playing", "", None, 0.0)
        maker.taken(frame)
        view._draw(frame)
        curve = unpacked(view.timeline)[-1]
        assert view._heads.made["a"][0].shown["value"] == f"{curve:.2f}".removeprefix("0")
        seen.append(curve)
    assert seen[0] == run.learner_runs["a"].history.curve("micro_f1")[1]
    view._figures_at = -math.inf
    none = np.zeros(0)
    curves = replace(frame.curves, positions=none, values={("micro_f1", "a"): none}, blocks={"a": none})
    view._draw(replace(frame, curves=curves, events=[]))
    assert unpacked(view.timeline)[-1] == run.learner_runs["a"].history.curve("micro_f1")[-1]


def unpacked(timeline):
    """The points of the first curve that the browser is sent."""
    frame = timeline._made()
    return unpack(frame["spec"], frame["buffer"])["v0"]
