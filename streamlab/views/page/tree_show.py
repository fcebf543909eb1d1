"""The tree alone, large: MLHAT on a stream whose branches drift, for a projector."""

from __future__ import annotations

from typing import Any, ClassVar

from streamlab.views.page.monitor import Monitor

__all__ = ["TreeShow"]


class TreeShow(Monitor):
    """The page: transport, the tree over the whole width, its story and why cards; curves below.

    It opens on generated regions, a branch of which grows anew every 10,000 instances: the tree splits within the first
    seconds; after the first drift a background tree grows where a branch errs more than it used to, and takes over.
    """

    title: ClassVar[str] = "streamlab · MLHAT's tree"
    view_options: ClassVar[dict[str, Any]] = {"large": True, "measures": ("example_f1",)}
    learners: ClassVar[tuple[str, ...]] = ("MLHAT",)
    nested_learners: ClassVar[tuple[str, ...]] = learners

    def __init__(self, stream: Any = "syn-branches", **params: Any) -> None:
        super().__init__(stream, **params)
