"""The pages that are served: the presets of the product, and that of one run, which a script or the page makes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.preparing import part_of_run, parts_of
from streamlab.lab.view_options import check_view
from streamlab.plugins import Registry
from streamlab.streams.stream_spec import DELAYS, HIDDEN, HOW, LENGTHS, SOURCES, StreamSpec
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.hosting.notebook import in_kernel
from streamlab.views.hosting.serving import serve_pages
from streamlab.views.kit.text import shown
from streamlab.views.page.header import PICKED, Projector, brand, drawer_bar, header_bar, header_button
from streamlab.views.page.keep import Keep
from streamlab.views.page.link_texts import parse_spec
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.presets import PRESETS
from streamlab.views.page.run_view import RunView
from streamlab.views.page.served import ServedPage, attempted
from streamlab.views.page.window import OPENING, WIDE, Notice, PageNotice, drawer, make_window

__all__ = ["PAGES", "make_page"]


class DriftLab(Monitor):
    """The page: the parts of a stream on the left, the run with its timeline in the middle."""

    def __init__(self, stream: StreamSpec | None = None, **params: Any) -> None:
        self._spec = stream or PRESETS["drift_lab"].stream
        super().__init__(self._spec, preset=PRESETS["drift_lab"], **params)

    # ------------------------------------------------------------------ sidebar

    def _build_sidebar(self) -> None:
        super()._build_sidebar()
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 18)}
        if self.link.asked.spec is not None:
            self._spec = self._source = self._running = parse_spec(self.link.asked.spec)
        spec = self._spec
        self.picker = self.source_choice = pmui.Select(label="Stream", options=SOURCES, value=spec.source, **PICKED)
        self.how_choice = pmui.Select(label="Its concept changes", options=HOW, value=spec.how, **wide)
        self.length_choice = pmui.Select(label="Instances", options=LENGTHS, value=spec.n_rows, **wide)
        self.seed_choice = pmui.IntInput(label="Seed", value=spec.seed, start=0, end=2**31 - 1, **wide)
        self.delay_choice = pmui.Select(label="Labels become known", options=DELAYS, value=spec.delay, **wide)
        self.hidden_choice = pmui.Select(label="Labels that never do", options=HIDDEN, value=spec.hidden, **wide)
        self._generated = [self.how_choice, self.length_choice, self.seed_choice]
        for widget in (self.source_choice, *self._generated, self.delay_choice, self.hidden_choice):
            widget.param.watch(lambda _: self._remake(), "value")
        self._fit()

    def _fit(self) -> None:
        """Show the controls that the stream has."""
        for widget in self._generated:
            widget.visible = self._spec.generated
        self.how_choice.visible = self._spec.has_kinds

    def _sidebar(self) -> pn.Column:
        sections = drawer(
            ("When labels become known", [self.delay_choice, self.hidden_choice]),
            ("What is drawn", self._settings),
            ("Learners", self._learning()),
        )
        return pn.Column(*self._generated, sections, **WIDE)

    # ------------------------------------------------------------------ the stream

    def _remake(self) -> None:
        """Start again with the stream that is asked for now."""
        source = self.source_choice.value
        self._spec = replace(
            self._spec,
            source=source,
            how=self.how_choice.value,
            n_rows=self.length_choice.value,
            seed=int(self.seed_choice.value or 0),
            # those of a link name the labels of its stream
            changes=self._spec.changes if source == self._spec.source else (),
            delay=self.delay_choice.value,
            hidden=self.hidden_choice.value,
        )
        self._fit()
        self._source = self._spec
        self.begin()

    def _refused(self, message: str) -> None:
        super()._refused(message)
        if isinstance(self._running, StreamSpec):
            self._spec = self._running


PAGES: Registry[Callable[[], Any]] = Registry("streamlab.pages", "page")
"""Further pages by the last part of their address: functions that return, for each session, what has ``served``."""


class FullPage:
    """Served in place of a page when the server is full: one sentence, without a session."""

    def served(self) -> pmui.Page:
        """Return the page for the session under way."""
        notice = Notice(object=full_message(), severity="warning", margin=20)
        return pmui.Page(title="streamlab", template=OPENING, main=[notice], busy_indicator=None)


def make_page(name: str) -> Monitor | FullPage:
    """Return a page of ``PRESETS``; for a session whose server has no place left, the page that says so.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    if name not in PRESETS:
        raise ValueError(f"unknown page {name!r}; there are: {', '.join(PRESETS)}")
    is_served = pn.state.curdoc is not None and pn.state.curdoc.session_context is not None
    if is_served and SEATS.full(LIMITS.pages):
        return FullPage()
    return DriftLab() if name == "drift_lab" else Monitor(preset=PRESETS[name])


def run_window(
    page: Any, title: str, main: Sequence[Any], sections: Any, *parts: Any, shared: Sequence[Any] = ()
) -> pmui.Page:
    """Return the window of a page of one run, which has its ``keep``, ``note`` and ``projector``.

    In the header stand the title without the product's name, ``parts``, and its buttons; ``shared`` is given away too.
    """
    more = header_button("⋯", lambda: setattr(page.page, "sidebar_open", True), "Data, learners, settings")
    header = header_bar(
        brand(title.removeprefix("streamlab · ")), *parts, buttons=[page.projector, more],
        roomy=page.keep.buttons(*shared),
    )  # fmt: skip
    hidden = drawer_bar(lambda: setattr(page.page, "sidebar_open", False), *page.keep.buttons(*shared))
    return make_window(
        title, main, lambda line: page.note.say(line, "warning"), dark=page.dark, brand=True,
        header=[header], sidebar=[hidden, sections],
    )  # fmt: skip


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
        self._sections = drawer(("What is drawn", self._settings), active=[0])
        self.projector = Projector(self._projected, dark=self.dark)

    def _projected(self, on: bool) -> None:
        self.words.visible = not on
        if self.view is not None:
            self.view.project(on)

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
        self.view = RunView(run, page=True, **{"dark": self.dark, **options})
        self.view.transport.param.watch(self._followed, "dark")
        self._settings[:] = [self.words, *self.view.settings]
        self._main[:] = [self.view]
        return self.view

    def close(self) -> None:
        """Free the run and its thread; may be called more than once."""
        super().close()
        if self.view is not None:
            self.view.close()
        SEATS.leave(self)


class SeenPage(LoadedPage):
    """The page of a run that there is, which goes on when the page is loaded again.

    Parameters
    ----------
    run
        The run.
    view
        Options of ``RunView``.
    """

    def __init__(self, run: Run, view: Mapping[str, Any], **params: Any) -> None:
        super().__init__(**{"dark": pn.config.theme == "dark", **params})
        self._lay_out(pn.Column(), "")
        shown = self._show(run, **view)
        if run.stream.is_live:
            shown.player.play(None)
        self.page = run_window(self, title_of(run), [self.note, self._main], self._sections)
        self.page.param.watch(self._toggled, "dark_theme")


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

    Raises
    ------
    ValueError
        For options that have no sense.

    Returns
    -------
    RunView, Run or Thread
        The view; or, when its page is no longer served, the run; aside, the thread that serves it, with ``stop()``.
    """
    check_view(run.stream.schema, **view)
    # on a new machine it takes some seconds, which the terminal explains: the first Play would stand still for them
    parts = [part_of_run(run.stream.schema.hierarchy is not None)]
    parts += [part for each in run.learner_runs.values() for part in parts_of(each.learner)]
    for part in parts:
        part.prepare()
    if not aside and (in_kernel() or pn.state.served):
        return RunView(run, **view)
    if view.get("tab") is not None:
        RunView(run, page=True, **view).close()  # which tabs there are it says itself
    pages = {"see": lambda: SeenPage(run, view).served()}
    server = serve_pages(pages, title_of(run), port=port, show=show, threaded=aside)
    return server if aside else run
