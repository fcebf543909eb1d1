"""The form of a live stream without a browser: the addresses that it makes, and how a stream stands."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlab.views.hosting.limits import LIMITS, Limits
from streamlab.views.page.monitor import Monitor
from tests.lab.made import wait_until

from live_tests.made import HEAD, lines
from streamlab_live.page.live_form import LiveAddress, LiveForm, status_line
from streamlab_live.reader import Status


@pytest.fixture
def form():
    asked: list[LiveAddress] = []
    made = LiveForm(asked.append, lambda action: action(), lambda: None)
    made.asked = asked  # type: ignore[attr-defined]
    yield made
    made.close()


def fill(form, **values):
    for name, value in values.items():
        getattr(form, name).value = value


def test_the_fields_make_an_address(form):
    fill(form.fields, where="/data/a b?.csv", labels="slow, lost%")
    assert form.fields.address().text == "tail:/data/a b%3F.csv?labels=slow,lost%25&own_process=yes"
    fill(form.fields, kind="redis", where="localhost:6379/rows", labels="a,b", journal="kept rows", more="&time=at&")
    assert form.fields.address().text == (
        "redis://localhost:6379/rows?labels=a,b&journal=kept%20rows&own_process=yes&time=at"
    )
    fill(form.fields, apart=True, label_topic="truth", key="id", within="30", journal="", more="", kind="kafka")
    assert form.fields.address().text == (
        "kafka://localhost:6379/rows?labels=a,b&label_topic=truth&key=id&within_seconds=30&own_process=yes"
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({}, "Path of the file: expected one such as /var/log/requests.csv"),
        ({"kind": "kafka"}, "Servers and topic: expected one such as broker-1"),
        ({"where": "rows.csv", "apart": True, "key": "id"}, "expected where they come from"),
        ({"kind": "redis", "where": "lab:hush@localhost/rows"}, "give credentials in the environment"),
        ({"where": "rows.csv", "more": "password=hush"}, "give credentials in the environment"),
        ({"kind": "redis", "where": "localhost:port/rows"}, "is not a host and port"),
    ],
)
def test_what_makes_none_is_said_without_a_credential(form, values, told):
    fill(form.fields, **values)
    form.fields._clicked()
    assert told in form.fields.note.object
    assert "hush" not in form.fields.note.object
    assert not form.asked
    assert not form.fields.button.disabled


def test_the_fields_show_what_the_kind_asks_for(form):
    for kind, place in (
        ("parts", "/data/requests"),
        ("http", "localhost:8080/rows"),
        ("tail", "/var/log/requests.csv"),
    ):
        form.fields.kind.value = kind
        assert form.fields.where.placeholder == place
    assert not form.fields._labels_apart.visible
    form.fields.apart.value = True
    assert form.fields._labels_apart.visible


STATUS = Status(
    source="redis://here/rows", rows=5012, waiting=7, bad={"wrong type": 2}, lag=3, rate=498.4, connected=False,
    since=0.0, trouble="the server cannot be reached", is_full=False, failed=False, ended=False, unlabelled=4,
)  # fmt: skip


def test_how_a_stream_stands_is_a_sentence():
    assert status_line(STATUS, "at p 17: no <b>number</b>") == (
        "Live from redis://here/rows: 5,012 rows, 498 a second · 3 messages wait at the source · 7 rows wait to be "
        "learned · 4 never got labels · 2 refused, set aside (the last at p 17: no <b>number</b>) · the server cannot "
        "be reached"
    )


def test_another_run_closes_the_stream_and_one_that_is_handed_over_stays_open(form, tmp_path):
    closed = []

    def stream(name):
        return SimpleNamespace(
            close=lambda: closed.append(name), status=lambda: STATUS, journal=SimpleNamespace(folder=tmp_path)
        )

    first, second = stream("first"), stream("second")
    form.started(LiveAddress("tail:x"), first)
    form.started(LiveAddress("tail:x"), first)
    assert closed == []
    form.started(LiveAddress("tail:y"), second)
    assert closed == ["first"]
    form.forget()
    form.close()
    assert closed == ["first"]


@pytest.mark.nightly
def test_a_page_follows_a_file_and_closes_it_when_another_stream_is_chosen(tmp_path, monkeypatch):
    monkeypatch.setattr(LIMITS, "live", True)
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + lines(150))
    page = Monitor("yeast")
    try:
        fill(page.parts["live"].fields, where=str(path), labels="alarm,late")
        page.parts["live"].fields._clicked()
        stream = page._view.run.stream
        assert stream.is_live
        wait_until(lambda: page._view.run.position == 100, "whole chunks of what is there")
        assert page.parts["live"].standing.visible
        assert "Live from tail:" in page.parts["live"].standing.object
        assert not page.parts["live"].fields.button.disabled
        page._source = "yeast"
        page.begin()
        assert stream.why_waiting() == "the stream was closed"
        assert not page.parts["live"].standing.visible
        fill(page.parts["live"].fields, where=str(tmp_path / "nowhere.csv"))
        page.parts["live"].fields._clicked()
        assert "is not there" in page.parts["live"].fields.note.object
        assert not page._view.run.stream.is_live
    finally:
        page.close()


@pytest.mark.nightly
@pytest.mark.parametrize("journal", [False, True])
def test_a_live_run_starts_again_on_the_stream_that_is_open(tmp_path, monkeypatch, journal):
    monkeypatch.setattr(LIMITS, "live", True)
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + lines(150))
    page = Monitor("yeast")
    try:
        fill(
            page.parts["live"].fields,
            where=str(path),
            labels="alarm,late",
            journal=str(tmp_path / "journal") if journal else "",
        )
        page.parts["live"].fields._clicked()
        first = page._view.run
        wait_until(lambda: first.position == 100, "whole chunks of what is there")
        page.learner_choice.value = ["MajorityLabels"]
        page.begin()
        again = page._view.run
        assert again is not first
        assert again.stream is first.stream
        assert list(again.learner_runs) == ["MajorityLabels"]
        wait_until(lambda: again.position == 100, "the same rows again")
        assert page.parts["live"].standing.visible
    finally:
        page.close()


def test_what_the_page_declines_frees_the_button_again(tmp_path, monkeypatch):
    monkeypatch.setattr(LIMITS, "live", True)
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + lines(150))
    page = Monitor("yeast")
    try:
        page.learner_choice.value = []
        fill(page.parts["live"].fields, where=str(path), labels="alarm,late")
        page.parts["live"].fields._clicked()
        assert (page.parts["live"].fields.button.label, page.parts["live"].fields.button.disabled) == ("Listen", False)
        assert page.parts["live"].fields.note.object == "choose at least one learner"
        assert page._source == "yeast"
    finally:
        page.close()


@pytest.mark.parametrize("where", ["~nobody-of-that-name/x.csv", "/proc/1/root/x.csv", f"/{'x' * 300}.csv"])
def test_a_path_that_cannot_be_looked_at_is_said(form, where):
    fill(form.fields, where=where, labels="a")
    form.fields._clicked()
    assert "is not there" in form.fields.note.object
    assert not form.asked


def test_only_a_server_that_was_told_so_offers_it(monkeypatch):
    monkeypatch.setenv("STREAMLAB_LIVE", "1")
    assert Limits.of_environment().live
    monkeypatch.setenv("STREAMLAB_LIVE", "perhaps")
    with pytest.raises(ValueError, match="STREAMLAB_LIVE='perhaps': expected '0' or '1'"):
        Limits.of_environment()
    monkeypatch.delenv("STREAMLAB_LIVE")
    assert not Limits.of_environment().live
    page = Monitor("yeast")
    assert page.parts["live"].sidebar == []
    page.close()


def test_a_source_of_another_package_is_in_the_form():
    from live_tests.test_outside import SOURCES, Counting

    remove = SOURCES.add("counting", Counting)
    try:
        assert LiveForm(print, print, print).fields.kind.options["Numbers"] == "counting"
    finally:
        remove()
