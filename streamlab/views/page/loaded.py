"""A page of one run that is made beside it: it says what it waits for, then shows the run, or why there is none."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import Any, ClassVar

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import with_type
from streamlab.lab import Run
from streamlab.streams.limits import LoadCancelled
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.page.keep import Keep
from streamlab.views.page.run_view import RunView
from streamlab.views.page.served import ServedPage
from streamlab.views.page.window import WIDE, Notice, PageNotice, drawer


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
        try:
            if self._browser.is_served and not SEATS.take(self, LIMITS.pages):
                raise ValueError(full_message())
            show = self._made()
        except LoadCancelled:
            return
        except (ValueError, OSError, ImportError) as error:
            message = str(error)
            self._soon(lambda: self._refuse(message))
        except Exception as error:
            traceback.print_exc()
            unexpected = with_type(error)
            self._soon(lambda: self._refuse(unexpected))
        else:
            self._soon(show)

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
