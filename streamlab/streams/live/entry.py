"""Open what an address names: one source, or rows and labels of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamlab.streams.live.addresses import parse_address
from streamlab.streams.live.join import open_joined
from streamlab.streams.live.opening import checked_options, open_live
from streamlab.streams.live.stream import LiveStream

__all__ = ["open_address"]


def open_address(
    text: str, options: Mapping[str, Any] | None = None, cancel: Callable[[], object] | None = None
) -> LiveStream:
    """Open the live stream of an address, as ``open_live``; with ``label_topic`` as ``open_joined``.

    Raises
    ------
    ValueError, ConnectionError, ImportError
        As these do.
    """
    address = checked_options(parse_address(text), options or {})
    return open_joined(address, cancel) if "label_topic" in address.options else open_live(text, options, cancel)
