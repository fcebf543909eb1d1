"""What people keep of a run: files with safe names, curves to draw, the script."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pandas as pd
import pytest

import streamlab as sl
from streamlab.views.page.keep import Keep, file_name
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


def test_curves_and_script_are_files(keep):
    drawn = ElementTree.parse(of(keep, "curves", "svg")).getroot()
    assert float(drawn.attrib["height"].removesuffix("pt")) == pytest.approx(2 * 3.2 * 72)
    assert of(keep, "curves", "png").getvalue().startswith(b"\x89PNG")
    assert b"sl.rotate_labels(stream" in of(keep, "run", "py").getvalue()
    assert keep._downloads["curves", "svg"].filename == "streamlab-yeast-labels-rotated-curves.svg"


def test_what_cannot_be_kept_is_said():
    said: list[str] = []
    none = Keep(lambda: None, said.append)
    assert of(none, "curves", "csv").getvalue() == b""
    assert said == ["there is no run yet"]
