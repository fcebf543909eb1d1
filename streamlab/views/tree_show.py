"""The tree alone, large: MLHAT on a stream whose branches drift, for a projector."""

from __future__ import annotations

from typing import Any, ClassVar

from streamlab.views.monitor import Monitor

__all__ = ["TreeShow"]


class TreeShow(Monitor):
    """The page: transport, the tree over the whole width, its story and why cards; curves below.

    It opens on generated regions, a branch of which changes its labels every 10,000 instances: the tree splits within
    the first seconds, and background trees grow where a branch errs more than it used to.
    """

    title: ClassVar[str] = "streamlab · MLHAT's tree"
    view_options: ClassVar[dict[str, Any]] = {"large": True, "measures": ("example_f1",)}
    learners: ClassVar[tuple[str, ...]] = ("MLHAT",)

    def __init__(self, stream: Any = "syn-regions", **params: Any) -> None:
        super().__init__(stream, **params)
