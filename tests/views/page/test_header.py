"""The projector's button: what the browser says is checked before the page follows it."""

from __future__ import annotations

import pytest

from streamlab.views.page.header import Projector


@pytest.mark.parametrize("said", [None, 1, "yes", [], {}])
def test_only_on_and_off_are_taken(said, caplog):
    heard: list[bool] = []
    button = Projector(heard.append)
    for on in (True, False):
        button._handle_msg({"kind": "projector", "on": on})
    assert heard == [True, False]
    button._handle_msg({"kind": "projector", "on": said})
    button._process_events({"dark": True})
    assert heard == [True, False]
    assert not button.dark
    assert "the projector" in caplog.text
