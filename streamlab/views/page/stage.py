"""The stage and the note: pictures of one learner or several and work benches as tabs, and what is known of a part."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import panel as pn
import param

from streamlab._checks import checked_choice
from streamlab.lab import Player, Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, Reader
from streamlab.lab.seeds import groups_of
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.picture import Picture, fitting
from streamlab.views.page.picture_panel import PicturePanel
from streamlab.views.page.screen import Area, at_once
from streamlab.views.page.window import WIDE, Part, columns_of, equal_columns
from streamlab.views.pictures import pictures
from streamlab.views.timeline.timeline import Timeline


class Tab:
    """Titles of the tabs that are not pictures, and of the row's panel, which a link may ask for as one."""

    DRIFT, FORKS = "Drift", "Forks"
    LATEST = "Latest row"


FITTED = ":host{min-width:0;max-height:none!important} :host>*{max-height:none!important}" + at_once(
    ":host{flex:1 1 0;height:auto!important;min-height:0;overflow:auto}"
)
"""Where everything is seen at once, a tab is as tall as the stage; one that is longer scrolls in it."""
VIEWS = ":host{width:100%!important;margin-bottom:8px!important}"
VIEWS += ".sl-view.sl-views{width:100%;flex-wrap:wrap;justify-content:flex-start}" + at_once(
    ":host{position:absolute!important;right:0;top:4px;margin:0!important;z-index:7;width:max-content!important}"
    ".sl-view.sl-views{width:max-content;flex-wrap:nowrap;justify-content:flex-end}"
)
"""The words stand beside the heads where everything is seen at once, else above them."""
BENCH = at_once(":host{padding-top:40px!important}")
"""What has no heads begins below the words."""


class Views(FrameComponent):
    """Which picture stands on the stage: a row of a few words, the rest behind "More"."""

    titles = param.List(default=[], item_type=str, doc="Of all that can stand there.")

    active = param.Integer(default=0, bounds=(0, 1000), doc="The place of the one that does; set by the user.")

    heads = param.Integer(default=1, bounds=(1, 100), doc="Learners with a head of their own beside the words.")

    takes = ("active",)

    _bundle = bundled("views")


WORDS = (
    at_once(":host{--sl-words:var(--sl-words-wide,250px)}")
    + "@container style(--sl-projected:1){:host{--sl-words:0px}}"
)
"""Room that they take at the right of a picture's head."""
FIRST_OF_TWO = ":host>div:has(+div:not(.scroll-button)){--sl-words:0px;--sl-first:1}"
FIRST_OF_TWO += ":host>div+div:not(.scroll-button){--sl-second:1}"
LOW = "@media (max-width:560px){:host{--sl-low:var(--sl-low-here,184);row-gap:8px!important}}"
"""On a phone both pictures are on the first screen: each is so high, px."""


MOST_ASKED, ASKED_BEFORE = 6000, 2000
"""Rows that have passed of which it is asked what matters, at most; those before the latest drift."""


class Stage:
    """The tabs of a run's view: pictures of one learner or two, and work benches.

    Parameters
    ----------
    panels
        The pictures, each with its tab.
    benches
        The other tabs by title.
    player, timeline
        The run's: pictures may need that it asks what matters, and show the rows of the curves.
    opened
        Title of the tab that is open at first; None: the first. Raises a ValueError if there is none of that title.
    switched
        Called when another tab is open.

    Attributes
    ----------
    areas
        What stands in each tab; only the open one is part of the page.
    """

    def __init__(
        self,
        panels: Sequence[Panel],
        benches: Mapping[str, Any],
        player: Player,
        timeline: Timeline,
        *,
        opened: str | None,
        switched: Callable[[], None],
    ) -> None:
        self._player, self._timeline = player, timeline
        timeline.param.watch(self.attend, "axis")
        for view in (getattr(panel, "view", None) for panel in panels):
            if view is not None and "beside" in view.param:
                view.param.watch(self.attend, "beside")
        self._panels, self._switched = list(panels), switched
        rules = [[FITTED, WORDS, *[BENCH][: not panel.learners]] for panel in panels]
        tabs = [
            (panel.picture.title, Area(panel, part="picture", stylesheets=sheets))
            for panel, sheets in zip(panels, rules, strict=True)
        ]
        tabs += [(title, Area(bench, part="picture", stylesheets=[FITTED, BENCH])) for title, bench in benches.items()]
        self._names, self.areas = [title for title, _ in tabs], [area for _, area in tabs]
        checked_choice("tab", opened, [*self._names, Tab.LATEST], optional=True)
        self._active = self._names.index(opened) if opened in self._names else 0
        self._place = Area(self.areas[self._active], stylesheets=[FITTED])
        self.views = Views(titles=self._names, stylesheets=[VIEWS], sizing_mode=None, margin=0)
        self.views.param.update(active=self._active, heads=self._heads)
        self.views.param.watch(self._turn, "active")

    @property
    def content(self) -> list[Any]:
        """What stands on the stage."""
        return [self.views, self._place]

    @property
    def opened(self) -> str:
        """Title of the tab that is open."""
        return self._names[self._active]

    @property
    def titles(self) -> list[str]:
        """The titles of all tabs, in order."""
        return list(self._names)

    @property
    def shown(self) -> Panel | None:
        """The panel whose tab is open; None where that is not a picture's."""
        return self._panels[self._active] if self._active < len(self._panels) else None

    @property
    def _heads(self) -> int:
        return len(getattr(self.shown, "panels", [None]))

    def shows(self, title: str) -> bool:
        """Whether the tab of a title is open."""
        return self.opened == title

    def attend(self, *_: Any) -> None:
        """See to what the open pictures need: answers to what matters, and the rows that the curves show."""
        player, timeline = self._player, self._timeline
        panels = getattr(self.shown, "panels", [self.shown] if self.shown is not None else [])
        asks = any(getattr(panel.picture, "asks", False) for panel in panels)
        run = player.run
        is_asking = any(each.asks_at(run.position) for each in run.learner_runs.values())
        if asks and not is_asking and player.state != "playing" and run.is_live and not run.stream.is_live:
            # what it stands at is asked about, too
            drifts = [drift.start for drift in run.stream.drifts if drift.start < run.position]
            since = max(0, run.position - MOST_ASKED, min([run.position, *drifts[-1:]]) - ASKED_BEFORE)
            at = run.position
            player.do(lambda: run.ask_importance(since=since))
            player.seek(at)
        elif asks or self._is_asked:
            player.do(lambda: run.ask_importance(asks), changes=asks)
        views = [panel.view for panel in panels if "axis" in panel.view.param]
        for view in views:
            if len(timeline.axis) == 5 and view.axis != timeline.axis:
                view.axis = list(timeline.axis)
        # two pictures beside each other have no axis that could be the curves'
        timeline.beside = getattr(views[0], "beside", 0) if len(views) == 1 else 0

    @property
    def _is_asked(self) -> bool:
        return any(each.importance is not None for each in self._player.run.learner_runs.values())

    def rest(self) -> None:
        """Ask no longer: nobody sees it."""
        if self._is_asked:
            with suppress(ValueError):
                self._player.run.ask_importance(False)

    def open(self, title: str) -> bool:
        """Open the tab of a title; returns whether there is one."""
        if title not in self._names:
            return False
        self.views.active = self._names.index(title)
        return True

    def _turn(self, event: Any) -> None:
        if event.new < len(self._names):
            self._active = event.new
            self._place[:] = [self.areas[self._active]]
            self.views.heads = self._heads
            self._switched()


FEW = 6.0
"""A picture so broad, in distances of its nodes, has room in half the width."""
SHARES = {0.5: (2, 1), 0.67: (3, 2), 1: (1, 1), 1.5: (2, 3), 2: (1, 2)}
"""How two share the width, by how many times as broad the right one is: the nearest."""
KEPT = 1.35
"""They keep their shares while how many times as broad it is differs by no larger a factor."""


class PictureRow(Part):
    """Panels of one picture, one for each of some learners: beside each other where there is room, else below.

    To the view of a run they are what one ``PicturePanel`` is. ``changed`` is called with this when a picture needs
    other data; ``shared`` are options of each panel.
    """

    def __init__(
        self,
        picture: Picture,
        names: Sequence[str],
        run: Run,
        changed: Callable[[Any], None],
        shared: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self.picture, self._changed = picture, changed
        self.panels = [
            PicturePanel(picture, run, [name], changed=self._heard, is_one_of_several=True, **shared) for name in names
        ]
        self._last = self.panels[0]
        for linked in picture.linked:
            for panel in self.panels:
                panel.view.param.watch(self._link, linked)
        self._columns = [equal_columns(picture.least_width), FIRST_OF_TWO, LOW]
        self._layout = pn.Column(*self.panels, stylesheets=self._columns, margin=0, **WIDE)
        self._broader = 1.0
        for panel in self.panels if len(self.panels) == 2 else []:
            if "breadth" in panel.view.param:
                panel.view.param.watch(self._share_width, "breadth")

    @property
    def learners(self) -> list[str]:
        """The learners of the panels."""
        return [panel.learner for panel in self.panels]

    @property
    def inspected(self) -> list[Any]:
        """What tells about the part that was selected last; empty where nothing is selected."""
        return next((known for panel in [self._last, *self.panels] if (known := panel.inspected)), [])

    def deselect(self) -> None:
        """Select nothing in any of them."""
        for panel in self.panels:
            panel.deselect()

    def readers(self) -> Mapping[str, Reader | None]:
        """Return what reads the data of every panel out of the run."""
        return {key: reader for panel in self.panels for key, reader in panel.readers().items()}

    def show(self, frame: Frame) -> None:
        """Draw what a frame has for the panels; on the document's thread."""
        for panel in self.panels:
            panel.show(frame)

    def look_back(self, readings: Mapping[str, Any], position: int) -> None:
        """Draw what a view log has of the panels' learners at a row."""
        for panel in self.panels:
            panel.look_back(readings, position)

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events, in order."""
        for panel in self.panels:
            panel.add(events)

    def _heard(self, panel: PicturePanel) -> None:
        self._last = panel
        self._changed(self)

    def _share_width(self, _: Any) -> None:
        """Of two give the broader picture more of the width."""
        left, right = (max(getattr(panel.view, "breadth", FEW), FEW) for panel in self.panels)
        broader = right / left
        if not 1 / KEPT < broader / self._broader < KEPT:
            self._broader = min(SHARES, key=lambda share: abs(math.log(broader / share)))
            self._layout.stylesheets = [*self._columns, columns_of(*SHARES[self._broader])]

    def _link(self, event: Any) -> None:
        """What was chosen in one is chosen in all."""
        for panel in self.panels:
            panel.view.param.update(**{event.name: event.new})


logger = logging.getLogger("streamlab")
MOST_BESIDE = 2
"""So many columns have room for a picture each."""

Panel = PicturePanel | PictureRow


def is_behind(parts: Sequence[Any]) -> bool:
    """Whether the browser has still to confirm a frame of one of these components, or of panels' pictures."""
    parts = [each for part in parts for each in getattr(part, "panels", [part])]
    return any(getattr(getattr(part, "view", part), "is_behind", False) for part in parts)


def panels_of(
    run: Run,
    *,
    compared: bool | Sequence[str],
    changed: Callable[[Any], None],
    chosen: Callable[[str], None],
    **shared: Any,
) -> list[Panel]:
    """Return a panel for each picture that fits a learner.

    A picture of another package that cannot be made is left out. ``changed`` is called with the panel that needs other
    data, ``chosen`` with the learner that people choose in one; ``shared`` are options of each ``PicturePanel``.
    """
    panels: list[Panel] = []
    for picture in pictures():
        try:
            names = fitting(picture, run)
            together = compared if isinstance(compared, bool) else picture.name in compared
            # of several seeds the first stands for all beside other learners
            firsts = [members[0] for members in groups_of(names).values()]
            together &= picture.of_learner and len(firsts) > 1
            if together and not picture.joins:
                panels.append(PictureRow(picture, firsts[:MOST_BESIDE], run, changed, shared))
            elif names:
                drawn = firsts if together else names
                panels.append(
                    PicturePanel(picture, run, drawn, in_one=together, changed=changed, chosen=chosen, **shared)
                )
        except Exception:
            logger.warning("the picture %r cannot be shown", picture.name, exc_info=True)
    return panels
