"""The stage and the inspector: pictures and work benches as tabs, beside them what is known of what was selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn

from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.kit.details import hint
from streamlab.views.page.panels import Panel
from streamlab.views.page.window import INSPECTOR, INSPECTOR_CLASS, WIDE, tabs_of

DRIFT_TAB, FORK_TAB, LATEST_TAB, DETAILS_TAB = "Drift", "Forks", "Latest row", "Details"
NOTHING = hint("Open a picture and click on a part of it: what is known of that part is read here.")


class Stage:
    """The tabs of a run's view, and the inspector, which has tabs of its own.

    Parameters
    ----------
    panels
        The pictures, each with its tab; what each knows of the selected part (``inspected``) is in the inspector.
    drift, forks, latest
        The other tabs; the latest row is in the inspector.
    opened
        Title of the tab that is open at first; None: the first.
    large
        Whether the pictures have the page's whole width: then they say beside themselves what is selected, there is no
        inspector, and the latest row is a tab as the others are.
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
        drift: Any,
        forks: Any,
        latest: Any,
        *,
        opened: str | None,
        large: bool,
        switched: Callable[[], None],
    ) -> None:
        self._panels, self._switched = list(panels), switched
        self._names = [*(panel.picture.title for panel in panels), DRIFT_TAB, FORK_TAB]
        tabs = list(zip(self._names, [*panels, drift, forks], strict=True))
        self.inspector: pn.Column | None = None
        if large:
            tabs.append((LATEST_TAB, latest))
            self._names.append(LATEST_TAB)
        inspects = opened == LATEST_TAB and not large
        self.tabs = tabs_of(tabs, None if inspects else opened)
        if not large:
            self._details = pn.Column(**WIDE)
            self._aside = tabs_of([(DETAILS_TAB, self._details), (LATEST_TAB, latest)], opened if inspects else None)
            self.inspector = pn.Column(self._aside, css_classes=[INSPECTOR_CLASS], stylesheets=[INSPECTOR], **WIDE)
            self._aside.param.watch(self._turn_aside, "active")
        self.opened = LATEST_TAB if inspects else self._names[self.tabs.active]
        """Title of the tab that was opened last."""
        self._inspect()
        self.tabs.param.watch(self._turn, "active")

    @property
    def titles(self) -> list[str]:
        """The titles of all tabs that can be asked for, in order."""
        return self._names if self.inspector is None else [*self._names, LATEST_TAB]

    @property
    def shown(self) -> Panel | None:
        """The panel whose tab is open; None where that is not a picture's."""
        return self._panels[self.tabs.active] if self.tabs.active < len(self._panels) else None

    def shows(self, title: str) -> bool:
        """Whether the tab of a title is open."""
        if title == LATEST_TAB and self.inspector is not None:
            return self._aside.active == 1
        return self._names[self.tabs.active] == title

    def open(self, title: str) -> bool:
        """Open the tab of a title; returns whether there is one."""
        if title in self._names:
            self.tabs.active = self._names.index(title)
        elif title in self.titles:
            self._aside.active = 1
        else:
            return False
        return True

    def _turn(self, _: Any) -> None:
        self.opened = self._names[self.tabs.active]
        self._inspect()
        self._switched()

    def _turn_aside(self, event: Any) -> None:
        self.opened = LATEST_TAB if event.new == 1 else self._names[self.tabs.active]
        self._switched()

    def _inspect(self) -> None:
        """Put what the open picture knows into the inspector."""
        if self.inspector is not None:
            nothing = pn.pane.HTML(NOTHING, stylesheets=[DETAILS_STYLE], **WIDE)
            self._details[:] = [nothing] if self.shown is None else self.shown.inspected
