"""The same picture of several learners, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn
import param

from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, Reader
from streamlab.views.kit.picture import Picture
from streamlab.views.page.layout import equal_columns
from streamlab.views.page.picture_panel import PicturePanel

__all__ = ["PictureRow"]


class PictureRow(pn.viewable.Viewer):
    """Panels of one picture, one for each learner that fits: beside each other where there is room, else below.

    To the view of a run it is what a ``PicturePanel`` is.

    Parameters
    ----------
    picture
        The picture.
    run
        The run, which nobody advances yet.
    names
        Its learners that are drawn, in order.
    changed
        Called when a picture needs other data.
    tells
        Whether each says itself what is selected in it, because no inspector does.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    def __init__(
        self,
        picture: Picture,
        run: Run,
        names: Sequence[str],
        *,
        changed: Callable[[PictureRow], None],
        tells: bool = False,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.picture = picture
        self.panels = [
            PicturePanel(
                picture, run, [name],
                changed=lambda _: changed(self), chosen=lambda _: None, place="row", tells=tells,
                dark=self.dark,
            )
            for name in names
        ]  # fmt: skip
        for linked in picture.linked:
            for panel in self.panels:
                panel.view.param.watch(self._link, linked)
        if not tells:
            for panel in self.panels:
                panel.view.param.watch(self._tell_once, "selected")
            self._tell_once()
        columns = equal_columns(picture.least_width)
        self._layout = pn.Column(*self.panels, stylesheets=[columns], sizing_mode="stretch_width", margin=(14, 0, 0, 0))

    @property
    def learner(self) -> str:
        """The first of those shown."""
        return self.panels[0].learner

    @property
    def inspected(self) -> list[Any]:
        """What tells about the selected parts, one panel after the other."""
        return [pane for panel in self.panels for pane in panel.inspected]

    def readers(self) -> Mapping[str, Reader]:
        """Return what reads the data of every panel out of the run."""
        return {key: reader for panel in self.panels for key, reader in panel.readers().items()}

    def show(self, frame: Frame) -> None:
        """Draw what a frame has for the panels; on the document's thread."""
        for panel in self.panels:
            panel.show(frame)

    def look_back(self, readings: Mapping[str, Any]) -> None:
        """Draw what a view log has of the panels' learners."""
        for panel in self.panels:
            panel.look_back(readings)

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events, in order."""
        for panel in self.panels:
            panel.add(events)

    def _link(self, event: Any) -> None:
        """What was chosen in one is chosen in all."""
        for panel in self.panels:
            panel.view.param.update(**{event.name: event.new})

    def _tell_once(self, *_: Any) -> None:
        """Say how to read the picture once, and only while nothing is selected in any."""
        selected = [panel.view.selected is not None for panel in self.panels]
        for i, panel in enumerate(self.panels):
            panel.details.visible = selected[i] or (i == 0 and not any(selected))

    @param.depends("dark", watch=True)
    def _repaint(self) -> None:
        for panel in self.panels:
            panel.dark = self.dark

    def __panel__(self) -> Any:
        return self._layout
