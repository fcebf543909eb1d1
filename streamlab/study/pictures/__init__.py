"""The pictures of a study, for a notebook or a paper: by Bokeh or Matplotlib, light or dark, at any width."""

from __future__ import annotations

from typing import Any

from streamlab._checks import checked_choice, checked_number
from streamlab.study.pictures.by_stream import draw_pairs, draw_spread
from streamlab.study.pictures.drawing import THEMES, paint
from streamlab.study.pictures.evolution import draw_evolution
from streamlab.study.pictures.heat import draw_heat
from streamlab.study.pictures.ranks import draw_ranks
from streamlab.study.pictures.tradeoff import draw_tradeoff

DRAWN = {
    "ranks": draw_ranks,
    "spread": draw_spread,
    "pairs": draw_pairs,
    "heat": draw_heat,
    "tradeoff": draw_tradeoff,
}
NARROWEST = 320
"""Pixels below which no picture is readable."""


def draw_study(
    kind: str, subject: Any, *, backend: str = "bokeh", theme: str = "light", width: int = 800, **asked: Any
) -> Any:
    """Return a picture of a comparison, or of a table of curves.

    Raises
    ------
    ValueError
        For another backend or theme, or a width below 320 pixels.
    """
    checked_choice("backend", backend, ("bokeh", "matplotlib"))
    checked_choice("theme", theme, THEMES)
    checked_number("width", width, NARROWEST)
    if backend == "bokeh":
        from streamlab.views.figures import load_bokeh

        load_bokeh()
    if kind == "evolution":
        return draw_evolution(subject, asked.pop("measure"), THEMES[theme], int(width), backend, **asked)
    drawing = DRAWN[kind](subject, THEMES[theme], int(width), **asked)  # type: ignore[operator]
    return paint(drawing, backend)


def plot_study(kind: str, subject: Any, **options: Any) -> Any:
    """Return a picture of a study, as ``draw_study``: ``"ranks"``, ``"spread"``, ``"pairs"``, ``"heat"``,
    ``"tradeoff"`` or ``"evolution"``.

    Raises
    ------
    ImportError
        If the library that draws is not installed: HoloViews, or Matplotlib where ``backend="matplotlib"``.
    """
    try:
        return draw_study(kind, subject, **options)
    except ModuleNotFoundError as error:
        raise ImportError(
            f'plotting needs HoloViews or Matplotlib ({error}): pip install "streamlab[notebook]"'
        ) from None
