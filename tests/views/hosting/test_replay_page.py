"""The file of a replay: whole or not at all, bounded, without an address, and closed to what names may hold."""

from __future__ import annotations

import math
import re
import time
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Player
from streamlab.lab.frame import FrameMaker
from streamlab.lab.view_log import ViewLog
from streamlab.schema import Schema
from streamlab.streams import ArrayStream, rotate_labels
from streamlab.views.hooks import export_run
from streamlab.views.hosting import replay_page
from streamlab.views.hosting.replay_page import MAX_BYTES, export_html
from streamlab.views.hosting.replay_source import past_of, source_of, told_along
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, javascript, with_kit
from streamlab.views.kit.picture import Drawn, Picture
from streamlab.views.page.sentence import Sentence
from streamlab.views.pictures import PICTURES
from streamlab.views.recording import readers_of, record
from tests.lab.made import made_stream, nested_stream
from tests.views.hosting.test_replay_payload import decoded

DATA = re.compile(rb'<script type="application/octet-stream" id="recorded">([A-Za-z0-9+/=]*)</script>')
HOSTILE = '</script><script>window.ran=1</script><img src=x onerror="window.ran=1">\u202e'


def contents(path: Path) -> tuple[dict[str, Any], bytes, str]:
    """Head, buffers and the page without the data."""
    text = path.read_bytes()
    (data,) = DATA.findall(text)
    return *decoded(data), DATA.sub(b"", text).decode("utf-8")


def small_run(n: int = 300) -> sl.Run:
    return sl.Run(made_stream(n), {"SMART": sl.SMART(seed=1, n_trees=3), "none": sl.NoChange()}, chunk=50)


def recorded(entries: int = 7) -> tuple[sl.Run, ViewLog]:
    run = small_run()
    return run, record(run, entries=entries)


def test_the_file_holds_curves_events_and_frames(tmp_path: Path):
    run, log = recorded()
    path = export_html(run, tmp_path / "lesson.html", views=log, title="A lesson")
    head, data, page = contents(path)
    assert [head["title"], head["rows"], head["n_labels"]] == ["A lesson", 300, 3]
    assert "<title>A lesson</title>" in page
    assert [learner["name"] for learner in head["learners"]] == ["SMART", "none"]
    assert head["measures"][0]["title"] == "F1 (micro)"
    curves = run.curves("chunk", ["micro_f1"])
    for place, name in enumerate(run.learner_runs):
        kind, offset, length = head["curves"][place]["values"][0]
        expected = curves[curves.learner == name].micro_f1.to_numpy(np.float32)
        np.testing.assert_array_equal(np.frombuffer(data, f"<{kind}", length, offset), expected)
    drawn = {picture["name"]: picture for picture in head["pictures"]}
    assert list(drawn) == ["forest", "labels"]
    assert [frame[0] for frame in drawn["forest"]["slots"][0]["frames"]] == [0, 50, 100, 150, 200, 250, 300]
    assert (drawn["forest"]["slots"][0]["learner"], drawn["labels"]["slots"][0]["learner"]) == (0, -1)
    assert all(picture["module"] is None for picture in drawn.values())


def test_the_policy_lets_nothing_run_but_the_pages_own_script_and_nothing_be_asked(tmp_path: Path):
    run, log = recorded()
    page = contents(export_html(run, tmp_path / "a.html", views=log))[2]
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'unsafe-inline'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert script == javascript("replay")
    addresses = set(re.findall(r"[a-z]+://[^\s\"'`<>)]+", page))
    assert {each for each in addresses if not each.startswith("http://www.w3.org/")} == set(), (
        "but for XML's namespaces"
    )
    assert not re.search(r"\b(src|href)\s*=\s*[\"']", page.replace(script, ""))


def test_names_are_data_and_end_nothing(tmp_path: Path):
    rng = np.random.default_rng(1)
    X, Y = rng.random((120, 2)), (rng.random((120, 2)) < 0.4).astype(np.uint8)
    stream = ArrayStream(X, Y, schema=Schema(Schema.anonymous(2, 2).features, (HOSTILE, "b")), name=HOSTILE)
    run = sl.Run(stream, {HOSTILE: sl.SMART(seed=1, n_trees=2)}, chunk=20)
    path = export_html(run, tmp_path / "a.html", views=record(run, entries=3), title=HOSTILE)
    head, _, page = contents(path)
    assert "<script>window" not in page
    assert "<img" not in page
    (title,) = re.findall("<title>(.*?)</title>", page, re.DOTALL)
    assert unescape(title) == head["title"] == HOSTILE.replace("\u202e", "⟨U+202E⟩")
    assert len(re.findall("</script>", page)) == 1
    assert head["learners"][0]["name"].startswith("</script>")


@pytest.mark.nightly
def test_ten_thousand_rows_of_the_default_demonstration_stay_below_ten_megabytes(tmp_path: Path):
    (chunk,) = sl.load("yeast").chunks(5000)
    X, Y = np.concatenate([chunk.X] * 5)[:10_000], np.concatenate([chunk.Y] * 5)[:10_000]
    learners = {
        "SMART": sl.SMART(seed=1),
        "SMART without fading": sl.SMART(half_life=math.inf, seed=1),
        "no-change": sl.NoChange(),
    }
    stream = rotate_labels(ArrayStream(X, Y), at=[2000, 4000, 6000, 8000])
    run = sl.Run(stream, learners, alarms="label")
    path = export_html(run, tmp_path / "lesson.html", views=record(run))
    assert run.position == 10_000
    assert path.stat().st_size < MAX_BYTES
    frames = contents(path)[0]["pictures"][0]["slots"][0]["frames"]
    assert len(frames) > 190, "nothing had to be left out"


def test_entries_are_left_out_evenly_where_the_file_would_be_too_large(tmp_path: Path):
    run, log = recorded(entries=301)
    whole = export_html(run, tmp_path / "whole.html", views=log).stat().st_size
    bare = whole - len(DATA.search((tmp_path / "whole.html").read_bytes())[1])
    bound = bare + (whole - bare) // 3
    path = export_html(run, tmp_path / "small.html", views=log, max_bytes=bound)
    assert path.stat().st_size <= bound
    at = [frame[0] for frame in contents(path)[0]["pictures"][0]["slots"][0]["frames"]]
    assert (at[0], at[-1]) == (0, 300)
    assert 10 < len(at) < 301
    assert max(np.diff(at)) - min(np.diff(at)) <= 1
    with pytest.raises(ValueError, match=f"max_bytes={bare:,}: with 2 entries"):
        export_html(run, tmp_path / "none.html", views=log, max_bytes=bare)
    assert not (tmp_path / "none.html").exists()


def test_without_a_log_the_run_goes_through_its_past_once_more(tmp_path: Path):
    run = small_run()
    run.advance(120)
    before = run.curves()
    head = contents(export_html(run, tmp_path / "a.html"))[0]
    frames = head["pictures"][0]["slots"][0]["frames"]
    assert [(at, header["now"]) for at, header, *_ in frames] == [(at, at) for at in range(121)]
    assert head["rows"] == 120
    assert run.position == 120
    assert run.is_live
    assert run.curves().equals(before)


def test_what_the_run_itself_recorded_is_taken_unless_another_log_is_given(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("streamlab.views.hosting.replay_source.AGAIN_SECONDS", 0.0)
    run, log = recorded()
    for entry in log.entries[::3]:
        run.views.add(entry.position, entry.readings)
    found = [contents(export_html(run, tmp_path / "a.html", **given))[0] for given in ({}, {"views": log})]
    at = [[frame[0] for frame in head["pictures"][0]["slots"][0]["frames"]] for head in found]
    assert at == [[0, 150, 300], [0, 50, 100, 150, 200, 250, 300]]


def test_a_run_that_plays_is_written_and_goes_on(tmp_path: Path):
    run = small_run(300)
    player = Player(run, rate=400)
    try:
        player.play()
        until = time.monotonic() + 60
        while run.position < 50 and time.monotonic() < until:
            time.sleep(0.01)
        head = contents(export_html(run, tmp_path / "a.html"))[0]
        assert 50 <= head["rows"] <= run.position
        assert player.poll().state in ("playing", "finished")
    finally:
        player.close()


def test_each_picture_is_that_of_a_run_sought_to_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # after each step, however long that takes
    monkeypatch.setattr("streamlab.lab.player.RECORD_SECONDS", 0.0)
    monkeypatch.setattr("streamlab.lab.player.RECORD_SHARE", math.inf)
    run = small_run(290)
    run.advance(20)
    player = Player(run)
    try:
        player.record(readers_of)
        while run.position < 290:
            player.step(37).result()
        held = player.ask(lambda run: run.views.until(run.position)).result()
    finally:
        player.close()
    file = contents(export_html(run, tmp_path / "a.html", views=held))
    sought = ViewLog()
    for entry in held.entries:
        run.seek(entry.position)
        sought.add(run.position, {key: reader(run) for key, reader in readers_of(run).items()})
    run.seek(run.end)
    assert len(held) > 3
    assert contents(export_html(run, tmp_path / "b.html", views=sought))[:2] == file[:2]
    # no picture is said to be of a row before those that are held
    assert file[0]["pictures"][0]["slots"][0]["frames"][0][0] > 20
    # 290 rows: the last 40 are no point of their own
    ends = run.learner_runs["SMART"].history.end_whole(("micro_f1",), 50)
    assert file[0]["curves"][0]["whole"][0] == ends["micro_f1"]


def test_a_fork_has_its_curve_its_mark_and_its_picture(tmp_path: Path):
    run = small_run()
    log = record(run, 150, entries=4)
    run.fork("SMART", "fast", half_life=20)
    record(run, entries=4, views=log)
    head, data, _ = contents(export_html(run, tmp_path / "a.html", views=log))
    assert [learner["name"] for learner in head["learners"]] == ["SMART", "none", "fast"]
    titles = {head["kinds"][kind]["title"]: (at, who) for at, who, kind, *_ in head["events"]}
    assert titles["A fork begins"] == (150, 2)
    kind, offset, length = head["curves"][2]["positions"]
    assert np.frombuffer(data, f"<{kind}", length, offset).max() == 300
    slots = head["pictures"][0]["slots"]
    assert [slot["learner"] for slot in slots] == [0, 2]
    assert [slot["frames"][0][0] for slot in slots] == [0, 150]


def test_the_row_where_the_run_stands_has_a_picture_and_gaps_are_filled_where_that_takes_seconds(monkeypatch):
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1, n_trees=2)})
    run.advance(250)
    run.views.add(150, {})
    assert {100, 150, 200, 250} <= {entry.position for entry in source_of(run).views}
    assert run.position == 250
    monkeypatch.setattr("streamlab.views.hosting.replay_source.AGAIN_SECONDS", 0.0)
    assert [entry.position for entry in source_of(run).views] == [150, 250]


def test_at_each_point_it_tells_what_the_live_page_tells():
    def made() -> sl.Run:
        learners = {"SMART": sl.SMART(seed=1, n_trees=3), "still": sl.SMART(half_life=np.inf, seed=1, n_trees=3)}
        return sl.Run("yeast-rotated", {**learners, "no-change": sl.NoChange()}, alarms="label")

    run, live = made(), made()
    run.advance()
    at, texts = told_along(past_of(run, "micro_f1"))
    maker = FrameMaker(live)
    maker.choose(measures=["micro_f1"])
    sentence = Sentence(
        live.stream, {name: each.learner for name, each in live.learner_runs.items()}, "micro_f1", "chunk"
    )
    for row in [0, *range(100, 2401, 100), 2417]:
        live.advance(row - live.position)
        frame = maker.make(maker.cursor(), "finished" if row == 2417 else "playing", "", None, 0.0)
        maker.taken(frame)
        sentence.take(frame)
        if row < 2417:
            # of the rows between a replay does not hold what learners held
            frame = replace(frame, learners={name: {**each, "did": ""} for name, each in frame.learners.items()})
        told = sentence.tell(frame)
        place = max(place for place, each in enumerate(at) if each <= row)
        assert texts[place] == told, row


def test_entries_beyond_the_run_and_of_learners_that_left_are_not_shown(tmp_path: Path):
    log = recorded()[1]
    other = small_run()
    other.advance(100)
    log.entries[1].readings["picture forest of gone"] = log.entries[1].readings["picture forest of SMART"]
    head = contents(export_html(other, tmp_path / "a.html", views=log))[0]
    slots = [slot for picture in head["pictures"] if picture["name"] == "forest" for slot in picture["slots"]]
    assert [[frame[0] for frame in slot["frames"]] for slot in slots] == [[0, 50, 100]]


@pytest.mark.parametrize(
    ("learner", "stream", "picture"),
    [
        (lambda: sl.MLHAT(seed=1, grace_period=30), lambda: made_stream(300), "tree"),
        (lambda: sl.HierarchicalKNN(), nested_stream, "hierarchy"),
        (lambda: sl.BalancedKNN(), lambda: made_stream(300), "projection"),
        (lambda: sl.MLBELS(seed=1, chunk=20, n_windows=4), lambda: made_stream(300), "ensemble"),
        (lambda: sl.ARkNN(), lambda: made_stream(300), "memory"),
    ],
)
def test_every_picture_is_packed(tmp_path: Path, learner: Any, stream: Any, picture: str):
    run = sl.Run(stream(), {"it": learner()}, chunk=50)
    head = contents(export_html(run, tmp_path / "a.html", views=record(run, 300, entries=7)))[0]
    (found,) = [each for each in head["pictures"] if each["name"] == picture]
    assert len(found["slots"][0]["frames"]) == 7
    names = {column[0] for column in found["slots"][0]["columns"]}
    told = {
        "tree": {"parent", "threshold"}, "hierarchy": {"hf"}, "projection": {"mean_x", "bits"},
        "ensemble": {"seat", "cell"}, "memory": {"share", "sizes"},
    }  # fmt: skip
    assert names >= told[picture]


class Dots(PictureView):
    table = ColumnTable("dot", Column("id", "id", ""))
    _esm = with_kit("export const render = kit.renderPicture(kit.CanvasView)")


class DotsPicture(Picture):
    name: ClassVar[str] = "dots"
    title: ClassVar[str] = "Dots"
    help: ClassVar[str] = ""

    def fits(self, subject: Any) -> bool:
        return subject.name == "SMART"

    def columns(self, subject: Any, selection: Any, budget: Any) -> Drawn:
        return Drawn(subject.name, subject.run.position, {"id": np.arange(3)}, {})

    def view(self, schema: Any, **options: Any) -> Dots:
        return Dots(**options)

    def details(self, subject: str, story: Any, schema: Any) -> str:
        return ""


def test_a_picture_of_another_package_brings_its_module(tmp_path: Path):
    take_away = PICTURES.add("dots", DotsPicture)
    try:
        run, log = recorded(3)
        head, _, page = contents(export_html(run, tmp_path / "a.html", views=log))
    finally:
        take_away()
    (dots,) = [each for each in head["pictures"] if each["name"] == "dots"]
    assert dots["module"] == Dots._esm
    assert "' blob:;" in page


def test_a_file_is_replaced_whole_or_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run, log = recorded(3)
    path = tmp_path / "lesson.html"
    path.write_text("the old one")

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(replay_page.os, "fsync", full)
        with pytest.raises(OSError, match="no space left"):
            export_html(run, path, views=log)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]
    assert export_run(run, path, views=log) == path
    assert path.read_bytes().startswith(b"<!doctype html>")
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_replayed_is_refused(tmp_path: Path):
    run = small_run()
    with pytest.raises(ValueError, match="the run has not begun"):
        export_html(run, tmp_path / "a.html")
    run.advance(50)
    for measures, match in (["one_error"], "one_error"), ([], "measures is empty"), (["hierarchical_f1"], "hierarchy"):
        with pytest.raises(ValueError, match=match):
            export_html(run, tmp_path / "a.html", measures=measures)
    with pytest.raises(ValueError, match="max_bytes=0"):
        export_html(run, tmp_path / "a.html", max_bytes=0)
    with pytest.raises(FileNotFoundError):
        export_html(run, tmp_path / "nowhere" / "a.html")
    assert list(tmp_path.iterdir()) == []
