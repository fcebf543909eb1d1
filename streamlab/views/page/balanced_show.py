"""Class-balanced nearest neighbours alone, large: the stream in BLDA's plane, for a projector."""

from __future__ import annotations

from typing import Any, ClassVar

from streamlab.views.page.monitor import Monitor

__all__ = ["BalancedShow"]


class BalancedShow(Monitor):
    """The page: transport, the projection over the whole width, how to read it, and curves below.

    It opens on yeast genes whose labels rotate half-way. Points and class means are there after the first 100
    instances; from instance 1,200 on, each mean moves to where that of the next class was.
    """

    title: ClassVar[str] = "streamlab · balanced neighbours"
    view_options: ClassVar[dict[str, Any]] = {"large": True, "measures": ("micro_f1", "macro_f1")}
    learners: ClassVar[tuple[str, ...]] = ("Balanced neighbours", "ML-KNN")
