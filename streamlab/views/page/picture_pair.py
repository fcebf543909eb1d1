"""Any two pictures beside each other, each of any learner: a tree of the one and a forest of the other, say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Reader
from streamlab.views.kit.picture import Picture
from streamlab.views.kit.text import all_shown
from streamlab.views.page.before_after import Ask
from streamlab.views.page.picture_panel import MOST_EVENTS, PanelsBeside, PicturePanel
from streamlab.views.page.screen import PLAIN
from streamlab.views.page.window import WIDE, equal_columns

LEAST_WIDTH = 300
"""How wide each is at least, px; with less room they stand one below the other."""


class PairTitle(NamedTuple):
    """What a page asks of the picture of a panel, where it is any two."""

    name: str = "pair"
    title: str = "Side by side"
    of_learner: bool = False


class PicturePair(PanelsBeside):
    """Two pictures that people choose.

    The panels are made when its tab is opened for the first time.

    Parameters
    ----------
    run
        The run, which nobody advances yet.
    offered
        Pictures to choose from, each with the name of the learner that it is of, at least two. On the left stands the
        first; on the right at first another picture of another learner, as far as there is one.
    changed
        Called with this when a picture needs other data.
    ask
        As ``PicturePanel`` has it.
    """

    picture = PairTitle()

    def __init__(
        self,
        run: Run,
        offered: Sequence[tuple[Picture, str]],
        *,
        changed: Callable[[Any], None],
        ask: Ask | None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._run, self._changed, self._ask = run, changed, ask
        titles = all_shown([f"{name}: {picture.title}" for picture, name in offered])
        self._offered = dict(zip(titles, offered, strict=True))
        self._events: list[Event] = []
        self._keys: set[str] = set()
        self.panels: list[PicturePanel] = []
        """The two panels, empty before the tab was opened."""
        picture, learner = offered[0]
        right = min(
            titles[1:], key=lambda title: (self._offered[title][1] == learner, self._offered[title][0] is picture)
        )
        self.choices = [
            pmui.Select(label=label, options=titles, value=value, size="small", margin=(8, 0, 4, 0), **WIDE)
            for label, value in (("On the left", titles[0]), ("On the right", right))
        ]
        """The choice of what stands on either side."""
        for place, choice in enumerate(self.choices):
            choice.param.watch(partial(self._choose, place), "value")
        self._sides = [pn.Column(choice, stylesheets=[PLAIN], margin=0, **WIDE) for choice in self.choices]
        self._told = pn.Column(stylesheets=[PLAIN], margin=0, **WIDE)
        self._layout = pn.Column(*self._sides, stylesheets=[equal_columns(LEAST_WIDTH)], margin=0, **WIDE)

    @property
    def learner(self) -> str:
        """The learner on the left."""
        return self._offered[self.choices[0].value][1]

    @property
    def inspected(self) -> list[Any]:
        """What tells about the selected parts, one panel after the other; asked for when the tab is opened."""
        if not self.panels:
            self.panels = [self._made(choice.value) for choice in self.choices]
            self._arrange()
        return [self._told]

    def readers(self) -> Mapping[str, Reader | None]:
        """Return what reads the data of both out of the run, and None for those that are no longer shown."""
        shown = dict.fromkeys(self._keys) | dict(super().readers())
        self._keys |= set(shown)
        return shown

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events, in order."""
        self._events += events
        del self._events[:-MOST_EVENTS]
        super().add(events)

    def _made(self, title: str) -> PicturePanel:
        picture, name = self._offered[title]
        panel = PicturePanel(
            picture, self._run, [name], changed=lambda _: self._changed(self), chosen=lambda _: None,
            is_one_of_several=True, is_named=True, ask=self._ask, dark=self.dark,
        )  # fmt: skip
        panel.add(self._events)
        panel.view.param.watch(self._tell_once, "selected")
        return panel

    def _choose(self, place: int, event: Any) -> None:
        if self.panels:
            self.panels[place] = self._made(event.new)
            self._arrange()
            self._changed(self)

    def _arrange(self) -> None:
        for side, choice, panel in zip(self._sides, self.choices, self.panels, strict=True):
            side[:] = [choice, panel]
        self._told[:] = [pane for panel in self.panels for pane in panel.inspected]
        self._tell_once()

    def _tell_once(self, *_: Any) -> None:
        """Say how to read the pictures only while nothing is selected in either."""
        selected = [panel.view.selected is not None for panel in self.panels]
        for panel, is_selected in zip(self.panels, selected, strict=True):
            panel.details.visible = is_selected or not any(selected)
