"""The monitor without a browser: which learners run on the stream that is chosen."""

from __future__ import annotations

import html
import threading
import types
from typing import Any
from urllib.parse import parse_qs, quote

import numpy as np
import pytest

import streamlab as sl
from streamlab.measures import MEASURES
from streamlab.streams import DriftRecipe
from streamlab.views.page import page_link
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.pages import make_page
from streamlab.views.page.presets import DEMONSTRATION, FOR_HIERARCHIES, PRESETS, described_learners
from streamlab.views.page.tables import drawable_measures


@pytest.fixture
def page_of():
    pages: list[Monitor] = []

    def make(*arguments, **options) -> Monitor:
        pages.append(Monitor(*arguments, **options))
        return pages[-1]

    yield make
    for page in pages:
        page.close()


def ran(page: Monitor) -> list[str]:
    return list(page._view._run.learner_runs)


def test_learners_of_a_hierarchy_come_and_go_with_it_and_a_choice_of_ones_own_stays_as_far_as_it_is_offered(page_of):
    page = page_of("segments")
    assert ran(page) == page.learner_choice.value == list(FOR_HIERARCHIES)
    assert page.learner_choice.options == described_learners(True)
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == list(DEMONSTRATION)
    assert page.learner_choice.options == described_learners(False)
    page.learner_choice.value = ["SMART", "no-change"]
    page.stream_choice.value = "segments"
    assert ran(page) == ["SMART", "no-change"]
    page.learner_choice.value = ["SMART", "FlatKNN"]
    page.begin()
    assert ran(page) == ["SMART", "FlatKNN"]
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == ["SMART"]
    page.learner_choice.value = list(DEMONSTRATION)
    page.stream_choice.value = "segments"
    page.learner_choice.value = list(DEMONSTRATION)
    page.begin()
    assert ran(page) == list(DEMONSTRATION), "chosen on purpose, they are not changed"


def test_a_preset_may_offer_some_streams_only(page_of):
    page = page_of(preset=PRESETS["label_hierarchy"])
    assert set(page.stream_choice.options.values()) == {"segments", "instruments", "instruments-microphone"}
    for name in page.stream_choice.options.values():
        assert sl.load(name).schema.hierarchy is not None
    assert page._view._stage.opened == "Hierarchy"


def test_what_cannot_be_loaded_is_said_as_text_and_the_run_goes_on(page_of, tmp_path, monkeypatch):
    page, asked = page_of("yeast"), []
    run = page._view._run
    page._source = "nowhere.csv"
    page.begin()
    assert "nowhere.csv" in page.note.object
    page._refused("the attribute '<img src=x onerror=alert(1)>' occurs twice")
    assert "<" not in html.unescape(page.note.get_root().data.object)

    # a file whose columns cannot be guessed either
    def guess(path, **_):
        raise ValueError(f"{path}: too large")

    monkeypatch.setattr("streamlab.views.page.own_data.guess_arff", guess)
    content = b"@relation r\n@attribute x numeric\n@attribute l {0,1}\n@data\n1,0\n"
    page.own_data.upload._handle_msg({"kind": "files", "upload": 1, "files": [["m.arff", len(content)]]})
    page.own_data.upload._handle_msg({"kind": "piece", "upload": 1, "data": content})
    assert (page.note.object, page.note.visible) == ("m.arff: too large", True)

    # an upload is read within limits, and a stream of ours without
    def load(source, *, limits, cancel):
        asked.append((source, limits))
        raise ValueError("enough")

    monkeypatch.setattr("streamlab.views.page.page_link.load", load)
    for source in (tmp_path / "a.csv", "yeast"):
        page._source = source
        page.begin()
    (path, bounds), (name, none) = asked
    assert (path.name, bounds.bytes, bounds.seconds) == ("a.csv", 1 << 30, 120)
    assert (name, none) == ("yeast", None)
    assert page._view._run is run


def test_of_many_choices_the_last_is_loaded_and_one_thread_does_it(page_of, monkeypatch):
    page, loaded, held = page_of("yeast"), [], threading.Event()

    def load(source, *, limits, cancel):
        loaded.append(source)
        if source == "first":
            assert held.wait(30)
        raise ValueError(f"no {source}")

    monkeypatch.setattr("streamlab.views.page.page_link.load", load)
    page._source = "first"
    thread = threading.Thread(target=page.begin)
    thread.start()
    while loaded != ["first"]:
        threading.Event().wait(0.01)
    for i in range(1_000):
        page._source = f"number {i}"
        page.begin()
    held.set()
    thread.join(60)
    assert loaded == ["first", "number 999"]
    assert page.note.object == "no number 999", "what was given up is not said"


def test_a_page_that_is_closed_begins_nothing(page_of):
    page = page_of("yeast")
    page.close()
    view = page._view
    page.begin()
    assert page._view is view
    assert not page._loading


def test_each_learner_runs_with_as_many_seeds_as_are_chosen_and_the_link_says_so(page_of):
    page = page_of("yeast")
    page.learner_choice.value = ["SMART"]
    page.seeds.value = 3
    page.begin()
    assert ran(page) == ["SMART · seed 1", "SMART · seed 2", "SMART · seed 3"]
    assert "seeds=3" in page._view.transport.query
    assert list(page._view.settings_of.groups) == ["SMART"]


@pytest.mark.costly
@pytest.mark.parametrize(
    ("name", "query", "tab", "told"),
    [
        ("mlhat_tree", "", "Tree", ""),
        ("mlhat_tree", "learners=SMART", "Trees", ""),
        ("mlhat_tree", "tab=Nowhere", "Tree", "tab=Nowhere: no such tab here"),
        (
            "mlhat_tree",
            "SMART.half_life=3&MLHAT.no=1",
            "Tree",
            "SMART.half_life=3: no such parameter here; MLHAT.no=1",
        ),
        (
            "stream_monitor",
            "stream=no&learners=no&measures=no",
            "Trees",
            "stream=no: not offered here; learners=no",
        ),
        ("stream_monitor", "learners=FlatKNN", "Trees", "learners=FlatKNN: not for this stream"),
        ("stream_monitor", "measures=hierarchical_f1", "Trees", "measures=hierarchical_f1: not of this stream"),
        ("stream_monitor", "stream=segments&learners=HierarchicalKNN", "Hierarchy", ""),
        (
            "drift_lab",
            "stream=yeast&tab=Tree",
            "Trees",
            "stream=yeast: not offered here; tab=Tree: no such tab here",
        ),
    ],
)
def test_what_a_link_names_and_is_not_there_gives_the_default_and_a_sentence(monkeypatch, name, query, tab, told):
    asked = {key: [each.encode() for each in values] for key, values in parse_qs(query).items()}
    state = types.SimpleNamespace(session_args=asked)
    monkeypatch.setattr(page_link, "pn", types.SimpleNamespace(state=state))
    page = make_page(name)
    try:
        names = [each for each in asked.get("learners", ()) if "learners" not in told]
        assert ran(page) == ([each.decode() for each in names] or list(PRESETS[name].learners))
        assert page._view.look["tab"] == tab
        assert (told in page.note.object) if told else not page.note.visible
    finally:
        page.close()


# ---------------------------------------------------------------------- a link is the run


LABORATORY = '["syn-tree","sudden",5000,3,[[50,"rotate_labels",{"width":1}]],10,[0.25,"instance"]]'


def opened(monkeypatch: pytest.MonkeyPatch, name: str, query: str) -> Monitor:
    """Open a page as its address asks."""
    asked = {key: [each.encode() for each in values] for key, values in parse_qs(query).items()}
    with monkeypatch.context() as patch:
        patch.setattr(page_link, "pn", types.SimpleNamespace(state=types.SimpleNamespace(session_args=asked)))
        return make_page(name)


def at_rest(page: Monitor) -> sl.Run:
    """Return the run of a page, once its player has done all that it was told."""
    page._view.player.ask(lambda run: None).result(timeout=120)
    return page._view.run


def seen(page: Monitor) -> dict[str, Any]:
    """Return the curves of all measures of a page's run, and where it stands."""
    run = at_rest(page)
    found: dict[str, Any] = {"rows": (run.position, run.finished)}
    for name, learner_run in run.learner_runs.items():
        past = learner_run.history
        found[name] = past.positions
        for measure in [each for each, about in MEASURES.items() if about.has_curve and each in drawable_measures(run)]:
            for over in ("chunk", "faded", "cumulative"):
                found[f"{name} {measure} {over}"] = past.curve(measure, over)
    return found


def same(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert list(first) == list(second)
    for name, value in first.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, second[name], err_msg=name)
        else:
            assert value == second[name], name


def test_a_link_keeps_the_page_its_settings_and_the_row(monkeypatch):
    page = opened(
        monkeypatch, "stream_monitor", "stream=yeast&seed=4&chunk=50&seeds=3&learners=SMART&learners=no-change"
    )
    view: Any = page._view
    view.settings_of.tune("SMART", "half_life", 70)
    view._put_drift(DriftRecipe("rotate_labels", width=1))
    view.player.step(150)
    at_rest(page)
    view._on_run(lambda run: run.fork("SMART · seed 4", "another", half_life=20.0))
    view._remove("no-change")
    view._tick()
    other = opened(monkeypatch, "stream_monitor", page._link())
    assert at_rest(other).position == at_rest(page).position == 450
    assert other._view.run.chunk == 50
    assert list(other._view.run.learner_runs) == [f"SMART · seed {seed}" for seed in (4, 5, 6)]
    assert other._view.settings_of.values()["SMART"]["half_life"] == 70
    assert other._view.drifts == page._view.drifts != ()
    assert not other.note.visible
    for each in (page, other):
        each.close()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("name", "learner", "parameter", "value"),
    [("mlhat_tree", "MLHAT", "grace_period", 77), ("label_hierarchy", "HierarchicalKNN", "n_neighbors", 3),
     ("drift_lab", "SMART", "half_life", 40),
     ("drift_lab?spec=" + quote(LABORATORY), "SMART", "half_life", 40),
     ("balanced_neighbours", "ML-KNN", "n_neighbors", 3)],
)  # fmt: skip
def test_a_link_is_the_run_on_each_page(monkeypatch, name, learner, parameter, value):
    name, _, query = name.partition("?")
    page = opened(monkeypatch, name, query)
    page._view.player.seek(0)
    page._view._tune(learner, parameter, value)
    page._view.player.step(250)
    before = seen(page)
    page._view._tick()
    link = page._link()
    assert ("spec=" in link) == ("spec=" in query)
    other = opened(monkeypatch, name, link)
    same(before, seen(other))
    for each in (page, other):
        each.close()


def test_what_no_link_can_say_offers_the_saved_run_in_one_sentence(monkeypatch, page_of, tmp_path):
    page = page_of("yeast")
    answered: list[Any] = []
    monkeypatch.setattr(page.copy_link, "_send_msg", answered.append)
    page.copy_link._handle_msg({"kind": "link"})
    path = tmp_path / "own.csv"
    path.write_text("a,b,y\n" + "\n".join(f"{i % 7},{i % 5},{i % 2}" for i in range(60)) + "\n")
    page.begin_with(path)
    page.copy_link._handle_msg({"kind": "link"})
    page.stream_choice.value = "yeast-rotated"
    page.copy_link._handle_msg({"kind": "link"})
    assert [each["kind"] for each in answered] == ["link", "refused", "link"]


@pytest.mark.costly
@pytest.mark.parametrize("with_rows", [True, False])
def test_a_saved_run_is_done_again_with_the_file_of_its_rows(page_of, tmp_path, with_rows):
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,it\n" + "".join(f"{i % 7},{i % 3},{i % 2}\n" for i in range(300)))
    run = sl.Run(sl.load(rows, labels=["it"]), {"SMART": sl.SMART(seed=1, n_trees=2, height=3)}, chunk=50)
    run.advance(150)
    run.tune("SMART", half_life=20)
    run.advance(50)
    run.save(tmp_path / "kept.slab")
    page = page_of("yeast")
    there = page.own_data._room()
    names = ["rows.csv", "kept.slab"] if with_rows else ["kept.slab"]
    page.own_data._uploaded([(tmp_path / name).rename(there / name) for name in names])
    if not with_rows:
        assert ran(page) == list(DEMONSTRATION)
        assert "the rows of the run are needed, and are not here" in page.note.object
        return
    again = page._view._run
    assert (again.position, again.branches.end.tolist()) == (200, [200])
    assert again.curves().equals(run.curves())
    assert again.events.equals(run.events)
