"""An earlier run under the present one: chosen, drawn, taken away, refused."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.views.page.keep import charts_of
from streamlab.views.page.monitor import Monitor


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
    assert "SMART, other on yeast, 300 rows" in page.earlier.said.object
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


def test_a_run_on_other_labels_has_nothing_under_it(page, kept):
    choose(page, "run.slab", kept)
    page.stream_choice.value = "segments"
    assert under(page) == []
    choose(page, "../../etc/<b>.slab", kept)
    assert under(page) == []
    assert page.earlier.note.object.startswith("<b>.slab: the run was on 'yeast', and none of its labels")


def test_what_is_no_run_is_refused_in_a_sentence(page):
    choose(page, "x.slab", b"nothing of the kind")
    assert page.earlier.note.visible
    assert page.earlier.note.object.startswith("x.slab: ")
    assert under(page) == []


def test_an_upload_under_way_goes_with_the_page(page):
    upload = page.earlier.upload
    upload._begin(1, [["a.slab", 2000]])
    upload._take(1, b"x" * 1000)
    folder, file = upload._folder, upload._file
    assert folder.exists()
    page.close()
    assert not folder.exists()
    assert file.closed
