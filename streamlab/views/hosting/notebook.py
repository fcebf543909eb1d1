"""What a live view needs in a notebook's cell: its JavaScript, from this machine, and to hear when it has gone."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Callable
from typing import Any

import panel as pn
from panel.io.notebook import load_notebook

__all__ = ["CellLayout", "close_older_in_cell", "in_kernel", "load_javascript", "shared_once"]

LONG = 50_000
"""Component code from this length on, in characters, is written once per cell instead of once per component."""

_shown: dict[str, tuple[str, list[weakref.ref[Any]]]] = {}
"""By cell: its last execution that showed a view, and the views it showed."""

_CODE = re.compile(r'"esm":("[^"\\]*(?:\\.[^"\\]*)*")')


def in_kernel() -> bool:
    """Whether the code runs in a Jupyter kernel (not in a server, a script, or IPython in a terminal)."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None


def close_older_in_cell(view: Any) -> None:
    """Close what an earlier execution of the cell under way has shown: its output is replaced.

    Panel hears of that from the front end, but not from every one: JupyterLab 4.6 with pyviz_comms 3.0 says nothing.
    """
    from IPython import get_ipython

    request: dict[str, Any] = getattr(get_ipython().kernel, "get_parent", dict)()
    cell, execution = request.get("metadata", {}).get("cellId"), request.get("header", {}).get("msg_id")
    if cell is None:
        return
    before, views = _shown.get(cell, (execution, []))
    if before != execution:
        for older in views:
            if older() is not None:
                older().close()
        views = []
    _shown[cell] = execution, [*views, weakref.ref(view)]


def load_javascript() -> None:
    """Give the cell Bokeh's and Panel's JavaScript, from the installed packages: no address is asked for it.

    Called whenever a view is shown, not once per kernel: the page may have been reloaded since.
    """
    if getattr(pn.extension, "_loaded", False):
        pn.config.inline = True  # type: ignore[misc]  # a property to read, a parameter to set
        load_notebook(inline=True)
    else:
        pn.extension(inline=True)


def shared_once(html: str) -> str:
    """A rendered view with each long component code written once.

    Panel writes the code of a component library (1.4 MB) into every component that comes from it.
    """
    codes: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) < LONG:
            return match[0]
        return f'"esm":{codes.setdefault(code, f"streamlab_code_{len(codes)}")}'

    short = _CODE.sub(name, html)
    if not codes or "var docs_json" not in short:
        return html
    declared = "".join(f"const {variable} = {code};\n  " for code, variable in codes.items())
    return short.replace("var docs_json", f"{declared}var docs_json", 1)


class CellLayout(pn.Column):
    """The root of a live view: it says when it is no longer on any screen, and streams correctly in a notebook.

    ``lock`` is held while a message from the browser is handled; hold it to send. A message travels in several parts,
    and a kernel handles those from the browser on changing threads.

    Parameters
    ----------
    on_gone
        Called when the last cell output that shows the column has been removed: the cell was run again, cleared or
        deleted, or the notebook closed.
    """

    def __init__(self, *objects: Any, on_gone: Callable[[], None] | None = None, **params: Any) -> None:
        super().__init__(*objects, **params)
        self._on_gone = on_gone
        self.lock = threading.RLock()

    def _on_msg(self, ref: str, manager: Any, msg: dict[str, Any]) -> None:
        # Panel's notebook front end sends what was streamed to it back, which would append it once more, and so on
        events = [
            event for event in msg["content"]["events"] if event["kind"] not in ("ColumnsStreamed", "ColumnsPatched")
        ]
        if not events:
            return
        with self.lock:
            super()._on_msg(ref, manager, {**msg, "content": {**msg["content"], "events": events}})

    def _cleanup(self, root: Any = None) -> None:
        shown = bool(self._models)
        super()._cleanup(root)
        if shown and not self._models and self._on_gone is not None:
            self._on_gone()
