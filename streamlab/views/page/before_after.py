"""A picture before a part of it was replaced and after it, beside each other: the run goes back there and looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param

from streamlab.lab import Run
from streamlab.lab.view_log import ViewEntry
from streamlab.views.kit.picture import Budget, Drawn, Exchange, Picture, subject_of
from streamlab.views.page.screen import LOW, PLAIN
from streamlab.views.page.window import WIDE, equal_columns
from streamlab.views.recording import key_of

NOW = "the picture of this row"
MOST_OFFERED = 50
TEXT = ":host{font:600 13px/1.4 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif} p{margin:6px 0 2px}"


Ask = Callable[[Callable[[], Any]], "Future[Any]"]
"""Carries out a question on the thread that owns the run, between two chunks; a frame follows."""


class BeforeAfter(pn.viewable.Viewer):
    """Two views of a picture, which are made when they are first asked for; they take the place of the one shown.

    Parameters
    ----------
    picture
        The picture, whose views have a parameter ``exchanged`` if it knows ``exchanges``.
    run
        The run.
    ask
        Carries out what reads the run; None: what was recorded along it is shown.
    chosen
        Called with the exchange that people choose, None for the picture of the row that is shown.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    def __init__(
        self, picture: Picture, run: Run, ask: Ask | None, chosen: Callable[[Exchange | None], None], **params: Any
    ) -> None:
        super().__init__(**params)
        self._picture, self._run, self._ask, self._chosen = picture, run, ask, chosen
        self._offered: dict[str, Exchange | None] = {NOW: None}
        self._views: list[Any] = []
        self._shown: Exchange | None = None
        self._answer: Future[Any] | None = None
        shape = {"size": "small", "margin": (8, 0, 0, 0), "stylesheets": [LOW], **WIDE}
        self.choice = pmui.Select(label="Before and after", options=[NOW], value=NOW, visible=False, **shape)
        """The choice of a part that was replaced; hidden while there is none."""
        self.choice.param.watch(self._choose, "value")
        self.told = [pn.pane.HTML("", stylesheets=[TEXT], margin=0, **WIDE) for _ in range(2)]
        """What is said above each view."""
        self._layout = pn.Column(visible=False, stylesheets=[PLAIN], margin=0, **WIDE)

    @property
    def is_open(self) -> bool:
        """Whether the two are shown."""
        return self._layout.visible

    def offer(self, exchanges: Sequence[Exchange]) -> None:
        """Offer these, in order; one that is shown and not among them is closed."""
        newest = list(exchanges)[: -MOST_OFFERED - 1 : -1]
        offered = {f"row {each.position:,}: {each.old} → {each.new}": each for each in newest}
        if [NOW, *offered] == self.choice.options:
            return
        self._offered = {NOW: None, **offered}
        if self.choice.value not in self._offered:
            self.choice.value = NOW
        self.choice.param.update(options=list(self._offered), visible=bool(offered))

    def show(self, exchange: Exchange, learner: str) -> None:
        """Draw what was before and after an exchange: at once what was recorded nearest, then what was so exactly.

        Parameters
        ----------
        exchange
            What was replaced.
        learner
            Whose picture it is.
        """
        if not self._views:
            self._views = [self._picture.view(self._run.stream.schema, dark=self.dark) for _ in range(2)]
            pairs = zip(self.told, self._views, strict=True)
            sides = [pn.Column(*pair, stylesheets=[PLAIN], margin=0, **WIDE) for pair in pairs]
            self._layout[:] = [pn.Column(*sides, stylesheets=[equal_columns(300)], margin=0, **WIDE)]
        self._shown = exchange
        self._draw(around(exchange, list(self._run.views.entries), key_of(self._picture, learner)))
        if self._ask is not None:
            self._answer = self._ask(partial(look_there, self._run, self._picture, learner, exchange))

    def take(self) -> None:
        """Draw the answer of the run if it has come; on the document's thread."""
        if self._answer is None or not self._answer.done():
            return
        answer, self._answer = self._answer, None
        if self._shown is not None and not answer.cancelled() and answer.exception() is None:
            self._draw(answer.result())

    def _draw(self, found: Sequence[Drawn | None]) -> None:
        exchange = self._shown
        assert exchange is not None, "one was chosen"
        for name, pane, view, drawn in zip(("Before", "After"), self.told, self._views, found, strict=True):
            view.visible = drawn is not None
            told = "not known" if drawn is None else f"row {drawn.now:,}"
            pane.object = f"<p>{name} the change at row {exchange.position:,}: {told}</p>"
            if drawn is not None:
                view.exchanged = [exchange.old, exchange.new]
                view.show(drawn)

    def _choose(self, event: Any) -> None:
        self._shown = self._offered.get(event.new)
        # first the other is hidden: what comes then sees how much room it has
        self._chosen(self._shown)
        self._layout.visible = self._shown is not None

    @param.depends("dark", watch=True)
    def _repaint(self) -> None:
        for view in self._views:
            view.dark = self.dark

    def __panel__(self) -> Any:
        return self._layout


def look_there(run: Run, picture: Picture, learner: str, exchange: Exchange) -> tuple[Drawn | None, Drawn | None]:
    """Return what a picture draws one row before an exchange and right after it; the run stands then where it stood.

    Called on the thread that owns the run.

    Raises
    ------
    ValueError
        If the run cannot go back.
    """
    here, found = run.position, []
    try:
        for position in (max(exchange.position - 1, 0), exchange.position):
            run.seek(position)
            subject = subject_of(learner, run)
            found.append(None if subject is None else picture.columns(subject, None, Budget()))
    finally:
        run.seek(here)
    return found[0], found[1]


def around(exchange: Exchange, entries: Sequence[ViewEntry], key: str) -> tuple[Drawn | None, Drawn | None]:
    """Return the last view with the old part, and the first one after it that has the new part alone.

    Parameters
    ----------
    exchange
        What was replaced.
    entries
        Those of the run's view log.
    key
        What the log calls the readings of the picture.
    """

    def parts(entry: ViewEntry) -> set[int]:
        drawn = _drawn(entry, key)
        return set() if drawn is None else set(drawn.columns["id"].tolist())

    place = bisect_right(entries, exchange.position, key=lambda entry: entry.position)
    before = next((each for each in reversed(entries[: place + 1]) if exchange.old in parts(each)), None)
    later = entries[max(place - 1, 0) :]
    after = next((each for each in later if exchange.new in (has := parts(each)) and exchange.old not in has), None)
    found = [None if each is None else _drawn(each, key) for each in (before, after)]
    return found[0], found[1]


def _drawn(entry: ViewEntry, key: str) -> Drawn | None:
    """Return what a picture drew, as it was recorded or as an archive gives it back; None where it failed."""
    try:
        drawn = Drawn.of(entry.readings.get(key, {}))
    except ValueError:
        return None
    return drawn if "id" in drawn.columns else None
