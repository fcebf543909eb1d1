"""The page of one run: one that a script has made and serves itself, or one that is made beside its page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.preparing import part_of_run, parts_of
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.hosting.notebook import in_kernel
from streamlab.views.hosting.serving import serve_pages
from streamlab.views.kit.text import shown
from streamlab.views.page.header import Projector, header_bar
from streamlab.views.page.keep import Keep
from streamlab.views.page.run_view import RunView
from streamlab.views.page.served import ServedPage, attempted
from streamlab.views.page.window import WIDE, Notice, PageNotice, drawer, make_window


class SeenPage(ServedPage):
    """The page of one run, which goes on when the page is loaded again.

    Parameters
    ----------
    run
        The run.
    view
        Options of ``RunView``.
    """

    def __init__(self, run: Run, view: Mapping[str, Any], **params: Any) -> None:
        super().__init__(**{"dark": pn.config.theme == "dark", **params})
        self.view = RunView(run, page=True, **{"dark": self.dark, **view})
        self.note = PageNotice()
        self.keep = Keep(lambda: self.view, lambda line: self.note.say(line))
        self.keep.begin(run)
        if run.stream.is_live:
            self.view.player.play(None)
        self.projector = Projector(self.view.project, dark=self.dark)
        settings = pn.Column(*self.view.settings, sizing_mode="stretch_width")
        sections = drawer(("What is drawn", settings), ("Keep this run", self.keep.pane), active=[0])
        self.page = make_window(
            title_of(run), [self.note, self.view], lambda line: self.note.say(line, "warning"), dark=self.dark,
            header=[header_bar(buttons=[self.keep.save, self.projector])], sidebar=[sections],
        )  # fmt: skip
        self.page.param.watch(self._toggled, "dark_theme")
        self.view.transport.param.watch(self._followed, "dark")

    def close(self) -> None:
        """Free the view; the run stays, for the page that is loaded next."""
        super().close()
        self.view.close()


def title_of(run: Run) -> str:
    """Return the title of the window of a run."""
    return f"streamlab · {shown(', '.join(run.learner_runs), 40)} on {shown(run.stream.name, 40)}"


def see_run(run: Run, *, port: int = 0, show: bool = True, aside: bool = False, **view: Any) -> Any:
    """Return the view of a run in a notebook or an app that is served; else serve its page until Ctrl-C.

    Parameters
    ----------
    run
        The run.
    port
        Where its page is served; 0: a free one.
    show
        Whether the browser opens it.
    aside
        Whether the page is served by a thread beside this one, which goes on: in a notebook, too, whose kernel hears
        nothing from a cell's page while it is busy.
    **view
        Options of ``RunView``.

    Returns
    -------
    RunView, Run or Thread
        The view; or, when its page is no longer served, the run; aside, the thread that serves it, with ``stop()``.
    """
    # on a new machine it takes some seconds, which the terminal explains: the first Play would stand still for them
    parts = [part_of_run(run.stream.schema.hierarchy is not None)]
    parts += [part for each in run.learner_runs.values() for part in parts_of(each.learner)]
    for part in parts:
        part.prepare()
    if not aside and (in_kernel() or pn.state.served):
        return RunView(run, **view)
    pages = {"see": lambda: SeenPage(run, view).served()}
    server = serve_pages(pages, title_of(run), port=port, show=show, threaded=aside)
    return server if aside else run


class LoadedPage(ServedPage):
    """The page of one run.

    A subclass calls ``_lay_out`` and, when its ``page`` is made, ``_begin``; its ``_made`` returns what shows the run.
    """

    refusal: ClassVar[str]
    """What is said where there is no run, above the reason."""

    def _lay_out(self, words: Any, waits: str) -> None:
        """Make what the page shows until the run is there: words, which stay with the run, and what is waited for."""
        self.view: RunView | None = None
        self.note = PageNotice()
        self.keep = Keep(lambda: self.view, lambda line: self.note.say(line))
        self.words = words
        self._settings = pn.Column(sizing_mode="stretch_width")
        self._waits = pmui.Typography(waits, margin=(30, 20, 0, 20))
        self._bar = pmui.LinearProgress(sizing_mode="stretch_width", margin=20)
        self._main = pn.Column(words, self._waits, self._bar, **WIDE)
        self._sections = drawer(("What is drawn", self._settings), ("Keep this run", self.keep.pane), active=[0])

    def _begin(self) -> None:
        """Make the run; not on the document's thread where a browser has the page."""
        self.page.param.watch(self._toggled, "dark_theme")
        if self._browser.is_served:
            threading.Thread(target=self._load, name="streamlab page of a run", daemon=True).start()
        else:
            self._load()

    def _load(self) -> None:
        show = attempted(self._seated, lambda message: self._soon(lambda: self._refuse(message)))
        if show is not None:
            self._soon(show)

    def _seated(self) -> Callable[[], None]:
        if self._browser.is_served and not SEATS.take(self, LIMITS.pages):
            raise ValueError(full_message())
        return self._made()

    def _made(self) -> Callable[[], None]:
        """Make the run, and return what shows it on the document's thread; a ``LoadCancelled`` shows nothing."""
        raise NotImplementedError

    def _refuse(self, message: str) -> None:
        self._main[:] = [self.words, Notice(title=self.refusal, object=message, severity="error", margin=20)]

    def _show(self, run: Run, **options: Any) -> RunView:
        """Show a run, with further options of ``RunView``."""
        self.words.margin = 0
        self.view = RunView(run, page=True, dark=self.dark, more=[self.words], **options)
        self.view.transport.param.watch(self._followed, "dark")
        self.keep.begin(run)
        self._settings[:] = self.view.settings
        self._main[:] = [self.view]
        return self.view

    def close(self) -> None:
        """Free the run and its thread; may be called more than once."""
        super().close()
        if self.view is not None:
            self.view.close()
        SEATS.leave(self)
