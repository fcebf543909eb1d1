"""The panels of a run: one for each picture that fits a learner, or a row of them, one for each learner."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn

from streamlab.lab import Run
from streamlab.lab.seeds import groups_of
from streamlab.views.kit.picture import Picture, fitting
from streamlab.views.page.before_after import Ask
from streamlab.views.page.picture_pair import PicturePair
from streamlab.views.page.picture_panel import PanelsBeside, PicturePanel
from streamlab.views.page.window import equal_columns
from streamlab.views.pictures import pictures


class PictureRow(PanelsBeside):
    """Panels of one picture, one for each learner that fits: beside each other where there is room, else below.

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
    ask
        As ``PicturePanel`` has it.
    """

    def __init__(
        self,
        picture: Picture,
        run: Run,
        names: Sequence[str],
        *,
        changed: Callable[[PictureRow], None],
        ask: Ask | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.picture = picture
        self.panels = [
            PicturePanel(
                picture, run, [name],
                changed=lambda _: changed(self), chosen=lambda _: None, is_one_of_several=True, ask=ask,
                dark=self.dark,
            )
            for name in names
        ]  # fmt: skip
        for linked in picture.linked:
            for panel in self.panels:
                panel.view.param.watch(self._link, linked)
        for panel in self.panels:
            panel.view.param.watch(self._tell_once, "selected")
        self._tell_once()
        columns = [equal_columns(picture.least_width)]
        self._layout = pn.Column(*self.panels, stylesheets=columns, sizing_mode="stretch_width", margin=0)

    @property
    def learner(self) -> str:
        """The learner of the first panel."""
        return self.panels[0].learner

    @property
    def inspected(self) -> list[Any]:
        """What tells about the selected parts, one panel after the other."""
        return [pane for panel in self.panels for pane in panel.inspected]

    def _link(self, event: Any) -> None:
        """What was chosen in one is chosen in all."""
        for panel in self.panels:
            panel.view.param.update(**{event.name: event.new})

    def _tell_once(self, *_: Any) -> None:
        """Say how to read the picture once, and only while nothing is selected in any."""
        selected = [panel.view.selected is not None for panel in self.panels]
        for i, panel in enumerate(self.panels):
            panel.details.visible = selected[i] or (i == 0 and not any(selected))


logger = logging.getLogger("streamlab")

Panel = PicturePanel | PictureRow | PicturePair


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
    dark: bool,
    ask: Ask | None = None,
) -> list[Panel]:
    """Return a panel for each picture that fits a learner, and one in which any two of them are beside each other.

    A picture of another package that cannot be made is left out.

    Parameters
    ----------
    run
        The run, which nobody advances yet.
    compared
        As ``RunView`` has it.
    changed
        Called with the panel when it needs other data.
    chosen
        Called with the name of the learner that people choose in a panel.
    dark
        Whether colours are for a dark surface.
    ask
        As ``PicturePanel`` has it.
    """
    panels: list[Panel] = []
    shared: dict[str, Any] = {"ask": ask, "dark": dark}
    offered: list[tuple[Picture, str]] = []
    for picture in pictures():
        try:
            names = fitting(picture, run)
            together = compared if isinstance(compared, bool) else picture.name in compared
            # of several seeds the first stands for all beside other learners
            firsts = [members[0] for members in groups_of(names).values()]
            if together and picture.of_learner and len(firsts) > 1:
                panels.append(PictureRow(picture, run, firsts, changed=changed, **shared))
            elif names:
                panels.append(PicturePanel(picture, run, names, changed=changed, chosen=chosen, **shared))
            offered += [(picture, name) for name in names if picture.of_learner]
        except Exception:
            logger.warning("the picture %r cannot be shown", picture.name, exc_info=True)
    if len(offered) > 1:
        panels.append(PicturePair(run, offered, changed=changed, **shared))
    return panels
