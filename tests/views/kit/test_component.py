"""How frames reach the browser: the newest only, and of each picture the same questions."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from bokeh.document import Document
from panel.custom import JSComponent

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, javascript, with_kit
from streamlab.views.kit.picture import Drawn
from tests.views.wire import unpack

MODULES = ("ensemble", "forest", "tree", "hierarchy", "labels", "projection", "memory", "transport")


class Dots(PictureView):
    """A picture as plain as can be."""

    table = ColumnTable("dot", Column("id", "id", ""), Column("x", "f4", ""), Column("big", "flag", ""))
    _esm = with_kit("export const render = kit.renderPicture(kit.CanvasView)")


def drawn(now: int = 5, **changes) -> Drawn:
    columns = {"id": np.array([3, 4]), "x": np.array([0.5, 1.5]), "big": np.array([True, False])}
    return Drawn("SMART", now, columns | changes, {"half_life": 7})


def test_columns_and_extras_are_sent_as_they_are():
    view = Dots()
    view.show(drawn(), playing=True)
    frame = view._frame
    assert {name: frame[name] for name in ("subject", "now", "playing", "half_life")} == {
        "subject": "SMART",
        "now": 5,
        "playing": True,
        "half_life": 7,
    }
    back = unpack(frame["spec"], frame["buffer"])
    assert (back["id"].tolist(), back["x"].tolist(), back["big"].tolist()) == ([3, 4], [0.5, 1.5], [True, False])
    with pytest.raises(ValueError, match="missing x"):
        view.show(Drawn("SMART", 5, {"id": [1], "big": [0]}, {}))


def test_newest_frame_only(monkeypatch: pytest.MonkeyPatch) -> None:
    view, sent = Dots(), []
    monkeypatch.setattr(view, "_send_msg", lambda frame: sent.append(frame["number"]))
    view.show(drawn())
    assert sent == []  # nobody looks yet
    view.get_root(Document())
    view._handle_msg({"kind": "ready"})
    view.show(drawn())
    view.show(drawn())
    assert sent == [1]  # the browser has not answered
    view._handle_msg({"kind": "received", "number": 1})
    assert sent == [1, 3]  # frame 2 is skipped
    view._handle_msg({"kind": "received", "number": 1})
    view._handle_msg({"kind": "received", "number": 3})
    assert sent == [1, 3]
    view.show(drawn())
    assert sent == [1, 3, 4]
    monkeypatch.setattr("streamlab.views.kit.component.ANSWER_TIMEOUT_S", 0.0)
    view.show(drawn())
    assert sent == [1, 3, 4, 5]  # an answer that never comes does not stop the view


def test_a_browser_that_asks_before_there_is_a_frame_is_told_that_it_was_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    view, sent = Dots(), []
    monkeypatch.setattr(view, "_send_msg", sent.append)
    view.get_root(Document())
    view._handle_msg({"kind": "ready"})
    assert sent == [{"kind": "heard"}]
    view.show(drawn())
    assert [message["kind"] for message in sent] == ["heard", "frame"]


def test_what_is_overridden_in_panel_is_still_there():
    """The component answers events without Panel's busy record: it calls what Panel would call."""
    source = inspect.getsource(JSComponent._process_bokeh_event)
    assert "self._process_event(event)" in source
    assert "set_curdoc(doc)" in source
    assert list(inspect.signature(JSComponent._process_bokeh_event).parameters) == ["self", "doc", "event"]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_needs_no_other(name: str) -> None:
    text = javascript(name)
    assert " as render" in text
    assert "import " not in text
    assert "import(" not in text
    # the only addresses are the names of document types, also within regular expressions
    plain = text.replace("\\", "")
    assert plain.count("http") == plain.count("http://www.w3.org/")


def test_the_kit_stands_in_front_of_another_packages_module():
    text = with_kit("export const render = kit.renderPicture(Dots);")
    assert text.endswith("\nexport const render = kit.renderPicture(Dots);")
    assert "var kit=" in text
    assert "export" not in javascript("kit").split("var kit=")[0]
