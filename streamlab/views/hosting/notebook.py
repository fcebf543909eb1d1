"""A live view in a notebook's cell: a picture that every reader sees, and the view itself where a kernel answers.

What is kept in the notebook is the picture and a short script. The script asks the kernel for the view and, once in
each browser page, for the JavaScript of Bokeh and Panel; both come over the kernel's own connection, and no address
is asked for them.
"""

from __future__ import annotations

import io
import re
import threading
import weakref
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from html import escape
from string import Template
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.document.callbacks import DocumentCallbackManager
from bokeh.models import ImportedStyleSheet
from panel.io.notebook import EXEC_MIME, load_notebook, replace_inline_css

from streamlab.lab import Player, Run
from streamlab.lab.ownership import answered

CLOSED = "This view is closed: run.view() opens another, which continues from the run's position."
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


def prepare_cell(view: Any) -> None:
    """Load Panel's JavaScript, and close what an earlier execution of this cell has shown: its output is replaced.

    Panel hears of that from the front end, but not from every one: JupyterLab 4.6 with pyviz_comms 3.0 says nothing.
    """
    from IPython import get_ipython

    load_javascript()
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


OUTPUT = Template("""<div id="streamlab-$id"><div>$still</div><div></div></div>
<script>
(() => {
  const [still, live] = document.getElementById("streamlab-$id").children;
  const run = (code) => {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
    script.remove();
  };
  const hear = (message) => {
    const said = message.content.data;
    if (said.head) document.head.append(...new DOMParser().parseFromString(said.head, "text/html").head.childNodes);
    for (const code of said.javascript ?? []) run(code);
    if (said.view) {
      window.streamlabJavaScript = true;
      live.innerHTML = said.view;
      for (const script of live.querySelectorAll("script")) run(script.textContent);
    }
    if (said.still) {
      live.replaceChildren();
      still.innerHTML = said.still;
    }
    still.hidden = !said.still;
  };
  let comm, tries = 0;
  const ask = () => {
    comm ??= window.PyViz?.kernels?.["$id"]?.connectToComm("streamlab-$id");
    if (comm?.active) {
      comm.open();
      comm.onMsg = hear;
      comm.send({ javascript: !window.streamlabJavaScript });
    } else if ((tries += 1) < 50) {
      setTimeout(ask, 200);
    }
  };
  ask();
})();
</script>""")
"""What a cell keeps of a view. JupyterLab and Notebook 7 say through Panel's extension which kernel is the cell's."""


@cache
def load_javascript() -> dict[str, Any]:
    """Return Bokeh's and Panel's JavaScript, from the installed packages, with what goes before it into the page."""
    from IPython.utils.capture import capture_output

    with capture_output(stdout=False, stderr=False) as published:
        if getattr(pn.extension, "_loaded", False):
            pn.config.inline = True  # type: ignore[misc]  # a property to read, a parameter to set
            load_notebook(inline=True)
        else:
            pn.extension(inline=True)
    outputs = [each.data for each in published.outputs if EXEC_MIME not in each.data]
    return {
        "head": "".join(each["text/html"] for each in outputs if "text/html" in each),
        "javascript": [each[kind] for each in outputs for kind in ("application/javascript",) if kind in each],
    }


class Cell:
    """What a cell shows of a view: a picture, in whose place the view comes where a kernel answers.

    Parameters
    ----------
    view
        A ``RunView``.
    bundle, about
        The rendered view by kinds, and the metadata, in which is the root by which Panel's extension knows the cell.

    Attributes
    ----------
    bundle
        The cell's output by kinds. One without HTML is a widget's, and left as it is.
    """

    def __init__(self, view: Any, bundle: dict[str, Any], about: dict[str, Any]) -> None:
        self.bundle = bundle
        self._view = shared_once(bundle.get("text/html", ""))
        self._comms: list[Any] = []
        if not self._view:
            return
        from IPython import get_ipython

        self._draw: Callable[[], bytes | None] = partial(still_by, view.player, view.run, view.look)
        self._picture = self._draw()
        self._caption = (
            f"{view.run.stream.name} after {view.run.position:,} rows. In a running JupyterLab this cell shows it live."
        )
        (reference,) = (each["id"] for each in about.values())
        self.bundle = {**bundle, "text/html": OUTPUT.substitute(id=reference, still=self._still())}
        get_ipython().kernel.comm_manager.register_target(f"streamlab-{reference}", self._opened)
        # the kernel holds this as long as it runs, so that a browser that asks late hears what became of the view
        weakref.finalize(view, self.end).atexit = False

    def end(self) -> None:
        """Put the picture of the present moment in the view's place, wherever it is shown."""
        if not self._view:
            return
        self._view, self._caption = "", CLOSED
        if self._comms:
            self._picture = self._draw() or self._picture
        for comm in self._comms:
            comm.send({"still": self._still()})
        self._comms.clear()
        del self._draw

    def _opened(self, comm: Any, _: Any) -> None:
        comm.on_msg(lambda message: self._answer(comm, message))

    def _answer(self, comm: Any, message: Any) -> None:
        if not self._view:
            comm.send({"still": self._still()})
            return
        self._comms.append(comm)
        wanted = message["content"]["data"].get("javascript")
        comm.send({"view": self._view} | (load_javascript() if wanted else {}))

    def _still(self) -> str:
        image = ""
        if self._picture is not None:
            alt = "The learners' curves"
            data = b64encode(self._picture).decode()
            image = f'<img alt="{alt}" style="max-width:100%" src="data:image/png;base64,{data}">'
        return f"{image}<p><em>{escape(self._caption)}</em></p>"


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


class _OwnStyles(DocumentCallbackManager):
    """Has style sheets sent themselves: Panel does so at first, but names a content network when a part changes.

    Of components that are added it no longer does (holoviz/panel #8707); of one whose ``stylesheets`` change it does.
    """

    def trigger_on_change(self, event: Any) -> None:
        if getattr(event, "attr", "") == "stylesheets":
            event.new = [replace_inline_css(s) if isinstance(s, ImportedStyleSheet) else s for s in event.new]
        super().trigger_on_change(event)


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

    def _render_model(self, doc: Any = None, comm: Any = None) -> Any:
        doc = doc or Document()
        doc.callbacks = _OwnStyles(doc)
        return super()._render_model(doc, comm)

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


WAIT_SECONDS = 2.0


def still_by(player: Player, run: Run, look: Mapping[str, Any]) -> bytes | None:
    """Draw the curves of a run that a player has, as PNG; None where that is busy or closed, or there is no Matplotlib.

    ``look`` is what a view shows: its ``measures``, and what they are averaged ``over``.
    """
    measure, over = look["measures"][0], look["over"]
    with suppress(ValueError, RuntimeError, ImportError):
        from streamlab.views.on_paper import panel_of, save_curves

        asked = player.do(
            lambda: panel_of(run, run.curves(over) if run.position else None, measure, over), changes=False
        )
        content = io.BytesIO()
        save_curves([answered(asked, WAIT_SECONDS)], content, format="png")
        return content.getvalue()
    return None
