"""The colours of what is drawn by Matplotlib: curves, and the pictures of a study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours by their use: text and fine lines on a paper, what is marked, what is better and what is worse."""

    paper: str
    ink: str
    muted: str
    grid: str
    band: str
    mark: str
    worse: str
    low: str
    high: str


THEMES = {
    "light": Theme("#FFFFFF", "#1F2933", "#5F6B76", "#E3E7EB", "#DCEBF7", "#0072B2", "#D55E00", "#F4F8FC", "#08519C"),
    "dark": Theme("#14181D", "#E8EBEE", "#9AA5B1", "#333B44", "#1D3347", "#56B4E9", "#E88A4A", "#1B222A", "#A9D4F5"),
}
"""The themes by name, as ``theme=`` takes them."""
