"""The pictures of a study, for a notebook or a paper: by Matplotlib, light or dark, at any width."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from streamlab._checks import check_only, checked_choice, checked_number
from streamlab.study.pictures.by_stream import draw_heat, draw_pairs, draw_spread
from streamlab.study.pictures.evolution import draw_evolution
from streamlab.study.pictures.ranks import draw_ranks
from streamlab.study.pictures.tradeoff import draw_tradeoff
from streamlab.views.kit.themes import THEMES

DRAWN: dict[str, Callable[..., Any]] = {
    "ranks": draw_ranks,
    "spread": draw_spread,
    "pairs": draw_pairs,
    "heat": draw_heat,
    "tradeoff": draw_tradeoff,
    "evolution": draw_evolution,
}
NARROWEST = 320
"""Pixels below which no picture is readable."""


def plot_study(kind: str, subject: Any, *, theme: str = "light", width: int = 800, **asked: Any) -> Any:
    """Return a picture of a comparison, or of a table of curves (``"evolution"``), as a Matplotlib figure.

    Raises
    ------
    ValueError
        For another theme or option, or a width below 320 pixels.
    ImportError
        If Matplotlib is not installed, or for ranks scikit-posthocs.
    """
    taken = inspect.signature(DRAWN[kind]).parameters
    own = [name for name, each in taken.items() if each.kind is each.KEYWORD_ONLY]
    check_only(f"plot_{kind}", asked.keys() - taken.keys(), ["theme", "width", *own])
    checked_choice("theme", theme, THEMES)
    checked_number("width", width, NARROWEST)
    try:
        return DRAWN[kind](subject, THEMES[theme], int(width), **asked)
    except ModuleNotFoundError as error:
        extra = "study" if kind == "ranks" else "notebook"
        raise ImportError(f'plotting needs {error.name}: pip install "streamlab[{extra}]"') from None
