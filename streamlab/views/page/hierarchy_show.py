"""The hierarchy alone, large: nearest neighbours that walk down it against such that do not, for a projector."""

from __future__ import annotations

from typing import Any, ClassVar

from streamlab.views.page.monitor import Monitor
from streamlab.views.page.presets import NESTED_STREAMS

__all__ = ["HierarchyShow"]


class HierarchyShow(Monitor):
    """The page: transport, the hierarchy over the whole width, a class's story and the levels; curves below.

    It opens on the notes of 31 instruments, whose tree has four levels; the image segments are the other choice.
    """

    title: ClassVar[str] = "streamlab · label hierarchy"
    view_options: ClassVar[dict[str, Any]] = {
        "large": True,
        "tab": "Hierarchy",
        "rate": 100.0,
        "measures": ("hierarchical_f1",),
    }
    streams: ClassVar[dict[str, str]] = NESTED_STREAMS

    def __init__(self, stream: Any = "instruments", **params: Any) -> None:
        super().__init__(stream, **params)
