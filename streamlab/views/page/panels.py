"""The panels of a run: one for each picture that fits a learner."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from streamlab.lab import Run
from streamlab.lab.seeds import groups_of
from streamlab.views.kit.picture import fitting
from streamlab.views.page.picture_panel import PicturePanel
from streamlab.views.page.picture_row import PictureRow
from streamlab.views.pictures import pictures

__all__ = ["Panel", "panels_of"]

logger = logging.getLogger("streamlab")

Panel = PicturePanel | PictureRow


def panels_of(
    run: Run,
    *,
    large: bool,
    compared: bool | Sequence[str],
    changed: Callable[[Any], None],
    chosen: Callable[[str], None],
    dark: bool,
) -> list[Panel]:
    """Return a panel for each picture that fits a learner; one of another package that cannot be made is left out.

    Parameters
    ----------
    run
        The run, which nobody advances yet.
    large, compared
        As ``RunView`` has them.
    changed
        Called with the panel when it needs other data.
    chosen
        Called with the name of the learner that people choose in a panel.
    dark
        Whether colours are for a dark surface.
    """
    panels: list[Panel] = []
    for picture in pictures():
        try:
            names = fitting(picture, run)
            together = compared if isinstance(compared, bool) else picture.name in compared
            # of several seeds the first stands for all beside other learners
            firsts = [members[0] for members in groups_of(names).values()]
            if together and picture.of_learner and len(firsts) > 1:
                panels.append(PictureRow(picture, run, firsts, changed=changed, tells=large, dark=dark))
            elif names:
                place: Any = "page" if large else "column"
                panels.append(PicturePanel(picture, run, names, changed=changed, chosen=chosen, dark=dark, place=place))
        except Exception:
            logger.warning("the picture %r cannot be shown", picture.name, exc_info=True)
    return panels
