"""What an archive holds beside the recipe of a run, so that it is had again at once: snapshots, events, views."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from streamlab.lab.recipe import Count, Table, Text, Told

Seconds = Annotated[float, Meta(ge=0)]
EventTold = tuple[Count, Text, Text, Text, Any, Count]
"""Position, learner, kind, message, packed numbers, place in the log."""
MarkTold = tuple[Count | None, Count, list[EventTold]]
"""The number of the mark before, the number of the next event, the events between."""
DTYPES = r"\|b1|[|<][iu][1248]|<f[248]"
Shape = Annotated[tuple[Annotated[int, Meta(le=2**40, ge=0)], ...], Meta(max_length=8)]
ArrayTold = tuple[Annotated[str, Meta(pattern=rf"^({DTYPES})\Z")], Shape, list[Count]]
"""The dtype of an array, its shape, and the numbers of its blocks."""
ViewTold = tuple[Count, Count, Table]
"""Position, about how many bytes, packed readings."""


class SnapshotTold(Told):
    """A snapshot: the first ``done`` deeds of a branch were done; the other numbers are places in lists."""

    position: Count
    branch: Count
    done: Count
    stream: Count
    mark: Count
    seconds: Seconds
    names: Count
    values: list[Any]


class ViewsTold(Told):
    """What pictures showed on a branch: places in the list of all views."""

    entries: list[Count]
    spacing: Annotated[int, Meta(ge=1)]


class Cache(Told):
    """``ends`` has the number of the snapshot where a branch ends, and ``views`` what was seen on it, by branch."""

    snapshots: Annotated[list[SnapshotTold], Meta(min_length=1)]
    present: SnapshotTold
    is_whole: bool
    ends: list[Count | None]
    views: list[ViewsTold]
    streams: list[list[tuple[Count, Count, Text]]]
    names: list[list[Text]]
