"""The pages that the product serves: each a preset, and the class of page that it opens."""

from __future__ import annotations

from streamlab.views.page.drift_lab import DriftLab
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.presets import PRESETS

__all__ = ["make_page"]


def make_page(name: str) -> Monitor:
    """Return a page of ``PRESETS``.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    if name not in PRESETS:
        raise ValueError(f"unknown page {name!r}; there are: {', '.join(PRESETS)}")
    return DriftLab() if name == "drift_lab" else Monitor(preset=PRESETS[name])
