"""The monitor without a browser: which learners run on the stream that is chosen."""

from __future__ import annotations

import html
import threading
import types
from urllib.parse import parse_qs

import pytest

pytest.importorskip("panel_material_ui")

import streamlab as sl
from streamlab.streams import limits
from streamlab.views.page import monitor as module
from streamlab.views.page import page_link
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.pages import make_page
from streamlab.views.page.presets import DEMONSTRATION, NESTED_DEMONSTRATION, PRESETS, offered_learners


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


def test_it_opens_a_hierarchy_with_learners_that_know_it_and_leaves_it_without(page_of):
    page = page_of("segments")
    assert ran(page) == page.learner_choice.value == list(NESTED_DEMONSTRATION)
    assert page.learner_choice.options == offered_learners(True)
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == list(DEMONSTRATION)
    assert page.learner_choice.options == offered_learners(False)


def test_a_choice_of_ones_own_stays_as_far_as_it_is_offered(page_of):
    page = page_of("yeast")
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
    assert set(page.stream_choice.options.values()) == {"segments", "instruments"}
    for name in page.stream_choice.options.values():
        assert sl.load(name).schema.hierarchy is not None
    assert page._view._stage.opened == "Hierarchy"


def test_a_stream_that_cannot_be_loaded_is_said_and_the_run_goes_on(page_of):
    page = page_of("yeast")
    run = page._view._run
    page._source = "nowhere.csv"
    page.begin()
    assert "nowhere.csv" in page.note.object
    assert page._view._run is run


def test_what_a_refused_file_says_is_shown_as_text(page_of):
    page = page_of("yeast")
    page._refused("the attribute '<img src=x onerror=alert(1)>' occurs twice")
    assert "<" not in html.unescape(page.note.get_root().data.object)


def test_an_upload_is_read_within_limits_and_a_stream_of_ours_without(page_of, tmp_path, monkeypatch):
    page, asked = page_of("yeast"), []

    def load(source, *, limits, cancel):
        asked.append((source, limits))
        raise ValueError("enough")

    monkeypatch.setattr(module, "load", load)
    page._source = tmp_path / "a.csv"
    page.begin()
    page._source = "yeast"
    page.begin()
    (path, bounds), (name, none) = asked
    assert (path.name, bounds.bytes, bounds.seconds) == ("a.csv", 1 << 30, 120)
    assert (name, none) == ("yeast", None)


def test_a_page_that_closes_gives_up_the_file_it_opens(page_of, tmp_path, monkeypatch):
    page = page_of("yeast")
    run, path = page._view._run, tmp_path / "wide.csv"
    path.write_text("a,b\n" + "1,0\n" * 1000)
    reached, go_on, ended = threading.Event(), threading.Event(), []
    step = limits.LoadWatch.step

    def slow(watch):
        reached.set()
        assert go_on.wait(30)
        step(watch)

    monkeypatch.setattr(limits.LoadWatch, "step", slow)
    page._source = path
    page.own_data._options[path] = {"labels": -1}
    opened = page._open

    def noted(job):
        try:
            return opened(job)
        except ValueError as error:
            ended.append(type(error))
            raise

    page._open = noted
    thread = threading.Thread(target=page.begin)
    thread.start()
    assert reached.wait(30)
    page.close()
    go_on.set()
    thread.join(30)
    assert not thread.is_alive()
    assert ended == [limits.LoadCancelled]
    assert page._view._run is run
    assert page.note.object == "", "nobody is told of what nobody waits for"


def test_of_many_choices_the_last_is_loaded_and_one_thread_does_it(page_of, monkeypatch):
    page, loaded, held = page_of("yeast"), [], threading.Event()

    def load(source, *, limits, cancel):
        loaded.append(source)
        if source == "first":
            assert held.wait(30)
        raise ValueError(f"no {source}")

    monkeypatch.setattr(module, "load", load)
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
    assert [card.name_of for card in page._view.cards.cards] == ["SMART"]


def test_the_start_page_hears_of_runs_that_a_link_opens_again_alone(tmp_path):
    page = Monitor()
    title = "Yeast genes, labels rotated half-way"
    assert page._view.transport.about == f"{title}: SMART, SMART without fading, no-change"
    path = tmp_path / "own.csv"
    path.write_text("a,b,y\n" + "\n".join(f"{i % 7},{i % 5},{i % 2}" for i in range(60)) + "\n")
    page.begin_with(path)
    assert page._running == path
    assert page._view.transport.about == ""
    page.close()


@pytest.mark.parametrize(
    ("name", "query", "tab", "told"),
    [
        ("mlhat_tree", "", "Tree", ""),
        ("mlhat_tree", "learners=SMART", "Fading trees", ""),
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
            "Fading trees",
            "stream=no: not offered here; learners=no",
        ),
        ("stream_monitor", "learners=FlatKNN", "Fading trees", "learners=FlatKNN: not for this stream"),
        ("stream_monitor", "measures=hierarchical_f1", "Fading trees", "measures=hierarchical_f1: not of this stream"),
        ("stream_monitor", "stream=segments&learners=HierarchicalKNN", "Hierarchy", ""),
        ("drift_lab", "stream=yeast&tab=Tree", "Drift", "stream=yeast: not offered here; tab=Tree: no such tab here"),
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
