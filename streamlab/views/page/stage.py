"""The stage and the note: pictures and work benches as tabs, beside them what is known of what was selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn

from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.kit.details import hint
from streamlab.views.page.panels import Panel
from streamlab.views.page.presets import who_is_who
from streamlab.views.page.screen import PLAIN, Area, at_once
from streamlab.views.page.window import WIDE, tabs_of

DRIFT_TAB, FORK_TAB, NUMBERS_TAB = "Drift", "Forks", "Measures"
LEVELS_TAB, DIFFERENCE_TAB = "Levels", "Difference"
LATEST_TAB, DETAILS_TAB = "Latest row", "Details"
NOTHING = hint("Open a picture and click on a part of it: what is known of that part is read here.")
FITTED_TABS = at_once(
    ":host{flex:1 1 0!important;height:auto!important;min-height:0} .tabs{height:100%}"
    ".MuiTabsPanel{height:100%;display:flex;flex-direction:column}"
    ":is(.MuiTabsPanel>.MuiBox-root,.child-wrapper){flex:1 1 0;min-height:0;display:flex;flex-direction:column}"
)
FITTED = ":host{min-width:0;max-height:none!important} :host>*{max-height:none!important}" + at_once(
    ":host{flex:1 1 0;height:auto!important;min-height:0;overflow:auto}"
)
"""Where everything is seen at once, a tab is as tall as the stage; one that is longer scrolls in it."""
OVER_TABS = at_once(":host{position:absolute!important;inset:36px 8px 6px;height:auto!important}")


class Stage:
    """The tabs of a run's view, and the note, which has tabs of its own.

    Parameters
    ----------
    panels
        The pictures, each with its tab; what each knows of the selected part (``inspected``) is in the note.
    benches
        The other tabs by title.
    figures
        Further tabs: Bokeh's figures, which are made once beside the tabs and shown by them. One that a tab makes when
        it opens is measured by Bokeh before it has a layout.
    latest
        The latest row, which is in the note.
    learners
        Names of the run's learners: where no picture is open, the note says what they are.
    opened
        Title of the tab that is open at first; None: the first.
    switched
        Called when another tab is open.

    Raises
    ------
    ValueError
        If there is no tab of that title.
    """

    def __init__(
        self,
        panels: Sequence[Panel],
        benches: Mapping[str, Any],
        figures: Mapping[str, Any],
        latest: Any,
        learners: Sequence[str],
        *,
        opened: str | None,
        switched: Callable[[], None],
    ) -> None:
        self._panels, self._switched = list(panels), switched
        self._nothing = who_is_who(list(learners)) + NOTHING
        contents = [*((panel.picture.title, panel) for panel in panels), *benches.items()]
        tabs = [(title, Area(content, part="picture", stylesheets=[FITTED])) for title, content in contents]
        tabs += [(title, Area(part="picture", stylesheets=[FITTED])) for title in figures]
        self._names = [title for title, _ in tabs]
        self._figures = {
            title: Area(figure, stylesheets=[PLAIN, OVER_TABS], visible=title == opened)
            for title, figure in figures.items()
        }
        inspects = opened == LATEST_TAB
        self.tabs = tabs_of(tabs, None if inspects else opened)
        self.tabs.stylesheets = [*self.tabs.stylesheets, FITTED_TABS]
        self._details = pn.Column(stylesheets=[PLAIN], **WIDE)
        self.note = tabs_of([(DETAILS_TAB, self._details), (LATEST_TAB, latest)], opened if inspects else None)
        self.opened = LATEST_TAB if inspects else self._names[self.tabs.active]
        """Title of the tab that was opened last."""
        self._inspect()
        self.tabs.param.watch(self._turn, "active")
        self.note.param.watch(self._turn_note, "active")

    @property
    def content(self) -> list[Any]:
        """What stands on the stage."""
        return [self.tabs, *self._figures.values()]

    @property
    def titles(self) -> list[str]:
        """The titles of all tabs that can be asked for, in order."""
        return [*self._names, LATEST_TAB]

    @property
    def shown(self) -> Panel | None:
        """The panel whose tab is open; None where that is not a picture's."""
        return self._panels[self.tabs.active] if self.tabs.active < len(self._panels) else None

    def shows(self, title: str) -> bool:
        """Whether the tab of a title is open."""
        return self.note.active == 1 if title == LATEST_TAB else self._names[self.tabs.active] == title

    def open(self, title: str) -> bool:
        """Open the tab of a title; returns whether there is one."""
        if title in self._names:
            self.tabs.active = self._names.index(title)
        elif title == LATEST_TAB:
            self.note.active = 1
        else:
            return False
        return True

    def _turn(self, _: Any) -> None:
        self.opened = self._names[self.tabs.active]
        for title, area in self._figures.items():
            area.visible = title == self.opened
        self._inspect()
        self._switched()

    def _turn_note(self, event: Any) -> None:
        self.opened = LATEST_TAB if event.new == 1 else self._names[self.tabs.active]
        self._switched()

    def _inspect(self) -> None:
        """Put what the open picture knows into the note."""
        nothing = pn.pane.HTML(self._nothing, stylesheets=[DETAILS_STYLE], **WIDE)
        self._details[:] = [nothing] if self.shown is None else self.shown.inspected
