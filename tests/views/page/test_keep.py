"""What people keep of a run: files with safe names, curves to draw, the script; and an earlier run below another."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import streamlab as sl
from streamlab.views.page.keep import Keep, charts_of, file_name
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.run_view import RunView


@pytest.fixture(scope="module")
def shown():
    run = sl.Run(sl.rotate_labels(sl.load("yeast"), at=300), {"SMART": sl.SMART(seed=1, n_trees=2)})
    view = RunView(run, measures=["micro_f1", "hamming_loss"], over="faded")
    view.player.step(450).result(timeout=60)
    yield view
    view.close()


@pytest.fixture
def keep(shown):
    said: list[str] = []
    made = Keep(lambda: shown, said.append)
    made.summary = said
    made.files(shown._run)
    return made


def of(keep: Keep, what: str, ending: str) -> io.BytesIO:
    return keep._downloads[what, ending].callback()


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("streamlab", "yeast", "curves"), "streamlab-yeast-curves.csv"),
        (("../../etc/passwd", "curves"), "etc-passwd-curves.csv"),
        (("<img onerror=x>\n\0", "curves"), "img-onerror-x-curves.csv"),
        (("日本", "curves"), "curves.csv"),
        (("Müller", "curves"), "Muller-curves.csv"),
        (("日本",), "run.csv"),
        (("x" * 500, "curves"), "x" * 73 + "-curves.csv"),
    ],
)
def test_a_files_name_is_of_letters_digits_and_hyphens(parts, name):
    assert file_name(*parts, ending="csv") == name


def test_the_tables_are_those_of_the_run(keep, shown):
    run = shown._run
    read = pd.read_csv(of(keep, "curves", "csv"))
    pd.testing.assert_frame_equal(read, run.curves("faded"), check_dtype=False)
    pd.testing.assert_frame_equal(pd.read_parquet(of(keep, "curves", "parquet")), run.curves("faded"))
    for read in (pd.read_csv(of(keep, "events", "csv")), pd.read_parquet(of(keep, "events", "parquet"))):
        assert list(read["message"]) == list(run.events["message"])
    assert keep._downloads["curves", "csv"].filename == "streamlab-yeast-labels-rotated-curves.csv"


def test_the_run_and_its_replay_are_files(keep, tmp_path):
    path = tmp_path / "kept.slab"
    path.write_bytes(of(keep, "run", "slab").getvalue())
    assert sl.Run.open(path).position == 450
    assert of(keep, "replay", "html").getvalue().startswith(b"<!doctype html>")


def test_a_chart_for_each_measure_with_the_drifts(shown):
    made = charts_of(shown._run, ("micro_f1", "hamming_loss"), "chunk")
    assert made["title"] == "yeast, labels rotated: F1 (micro) and Hamming loss"
    assert made["drifts"] == [[300, "①"]]
    assert made["end"] == 450
    first, second = made["charts"]
    assert second["title"] == "Hamming loss, per chunk (lower is better)"
    (line,) = first["series"]
    assert line["positions"] == [100, 200, 300, 400]
    assert line["values"] == pytest.approx(shown._run.curves("chunk")["micro_f1"], abs=1e-6)
    assert line["low"] is None


def test_the_browser_gets_what_it_asks_for_and_nothing_else(keep, caplog):
    sent: list[dict] = []
    keep.figures._send_msg = sent.append
    keep.figures._handle_msg({"kind": "curves", "format": "svg"})
    keep.figures._handle_msg({"kind": "python"})
    assert sent[0]["name"] == "streamlab-yeast-labels-rotated-curves.svg"
    assert len(sent[0]["charts"]) == 2
    assert "sl.rotate_labels(stream" in sent[1]["text"]
    for forged in ({"kind": "curves", "format": "../x"}, {"kind": "rm"}, {"kind": "python", "format": "svg"}, {}):
        keep.figures._handle_msg(forged)
    assert len(sent) == 2
    assert "the browser sent what the page does not" in caplog.text


def test_what_cannot_be_kept_is_said(caplog):
    said: list[str] = []
    none = Keep(lambda: None, said.append)
    assert of(none, "curves", "csv").getvalue() == b""
    assert said == ["there is no run yet"]
    sent: list[dict] = []
    none.figures._send_msg = sent.append
    none.figures._handle_msg({"kind": "python"})
    assert sent == [{"kind": "refused", "text": "there is no run yet"}]


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> bytes:
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=3, n_trees=2), "other": sl.NoChange()})
    run.advance(300)
    path = tmp_path_factory.mktemp("kept") / "earlier.slab"
    run.save(path)
    return path.read_bytes()


@pytest.fixture
def page():
    made = Monitor("yeast")
    yield made
    made.close()


def choose(page: Monitor, name: str, content: bytes) -> None:
    page.earlier.upload._handle_msg({"kind": "files", "upload": 1, "files": [[name, len(content)]]})
    page.earlier.upload._handle_msg({"kind": "piece", "upload": 1, "data": content})


def under(page: Monitor) -> list[str]:
    (lines,) = page._view.timeline._head()["under"]
    return [line["name"] for line in lines]


def test_its_curves_lie_under_those_of_the_run_until_they_are_taken_away(page, kept):
    choose(page, "my run.slab", kept)
    assert under(page) == ["earlier: SMART", "earlier: other"]
    assert "SMART, other on yeast, 300 rows" in page.earlier.summary.object
    assert not page.earlier.note.visible

    view = page._view
    view.player.step(200).result(timeout=60)
    view._options.measures.value = ["hamming_loss"]
    assert under(page) == ["earlier: SMART", "earlier: other"], "another measure of it is drawn"
    faint = charts_of(view._run, ("micro_f1",), "chunk", view.earlier)["charts"][0]["series"]
    assert [(each["name"], each["faint"]) for each in faint][:3] == [
        ("earlier: SMART", True), ("earlier: other", True), ("SMART", False)
    ]  # fmt: skip

    page.begin()
    assert len(under(page)) == 2, "it stays when the run starts again"
    page.earlier.away.clicks += 1
    assert under(page) == []
    assert not page.earlier.away.visible


def test_what_is_no_run_is_refused_in_a_sentence(page):
    choose(page, "x.slab", b"nothing of the kind")
    assert page.earlier.note.visible
    assert page.earlier.note.object.startswith("x.slab: ")
    assert under(page) == []
