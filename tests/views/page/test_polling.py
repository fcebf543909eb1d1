"""A page's loop: where a page is served it begins with the browser's word that all of it is there."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any
from unittest.mock import MagicMock

import panel as pn
from panel.io.state import set_curdoc

from streamlab.views.page.served import Polling


def test_nothing_changes_before_the_browser_has_all_of_the_page() -> None:
    doc: Any = MagicMock()
    polling = Polling(lambda: None, nullcontext())
    with set_curdoc(doc):
        for _ in range(2):
            # a part is drawn, and drawn again
            polling.start()
            polling.soon()
        assert (doc.add_periodic_callback.call_count, doc.add_timeout_callback.call_count) == (0, 0)
        pn.state._on_load(doc)
        polling.start()
        polling.soon()
    assert (doc.add_periodic_callback.call_count, doc.add_timeout_callback.call_count) == (1, 1)
