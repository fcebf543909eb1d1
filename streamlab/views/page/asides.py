"""What opens beside a run on request: the panel of why, and the docked table of figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlab.lab.frame import Frame
from streamlab.views.page.figures_table import FiguresTable
from streamlab.views.page.learner_settings import SettingsForm
from streamlab.views.page.screen import Screen
from streamlab.views.page.sentence import Sentence
from streamlab.views.page.served import guard, paint
from streamlab.views.page.why import Why
from streamlab.views.timeline.timeline import Timeline


class Asides:
    """The panel and the table; ``closed`` is called when the panel closes, ``refuse`` with what cannot be done."""

    def __init__(self, screen: Screen, closed: Callable[[], None], refuse: Callable[[str], None]) -> None:
        self._screen, self._closed, self._refuse = screen, closed, refuse
        self._drawn: tuple[Frame, Sentence] | None = None
        self.figures = FiguresTable()
        screen.figures[:] = [self.figures]
        self.why = Why(self._left, self.show_figures)

    def show_figures(self) -> None:
        """Dock the table of figures, or take it away."""
        on = not self._screen.figures.visible
        self._screen.figures.visible = self.why.bar.figures = on
        # of a run that stands still no further frame comes
        if on and self._drawn is not None:
            self.figures.show(*self._drawn)

    def draw(self, frame: Frame, sentence: Sentence) -> None:
        """Draw a frame's figures where they are seen."""
        self._drawn = frame, sentence
        if self._screen.figures.visible:
            self.figures.show(frame, sentence)

    def open_settings(self, form: SettingsForm, dark: bool) -> None:
        """Open the controls of a learner."""
        guard(form.__panel__(), self._refuse)
        paint(form.__panel__(), dark)
        self.why.open([form], form)

    def follow(self, timeline: Timeline) -> None:
        """Open what a mark of a timeline says when it is clicked."""
        timeline.note.param.watch(lambda *_: self._noted(timeline), ["object", "visible"])

    def _noted(self, timeline: Timeline) -> None:
        if timeline.note.visible and timeline.note.object:
            self.why.open([timeline.note], timeline)
        elif self.why.about is timeline:
            self.why.close()

    def _left(self, of: Any) -> None:
        """The panel was closed: what it was about is no longer selected."""
        if isinstance(of, Timeline):
            of.note.param.update(object="", visible=False)
        elif hasattr(of, "deselect"):
            of.deselect()
        self._closed()
