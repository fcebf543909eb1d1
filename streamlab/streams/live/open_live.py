"""Open a live stream, with its labels or with those of another topic, from an address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamlab.streams.live.addresses import parse_address
from streamlab.streams.live.join import open_joined
from streamlab.streams.live.opening import checked_options, open_alone
from streamlab.streams.live.stream import LiveStream

__all__ = ["open_live"]


def open_live(
    text: str, options: Mapping[str, Any] | None = None, cancel: Callable[[], object] | None = None
) -> LiveStream:
    """Open the live stream of an address.

    Parameters
    ----------
    text
        The address; ``OPTIONS`` and the source's own options may stand behind a question mark.
    options
        The same as values of Python: texts, numbers, lists of names, dictionaries of lists.
    cancel
        Asked while the first messages are waited for; a true answer stops it.

    Raises
    ------
    ValueError
        If the address or an option is wrong, no message comes from which columns can be learnt, or the journal is of
        another source or columns.
    ConnectionError
        If the server cannot be reached where columns have to be learnt from it.
    ImportError
        If the source needs a package that is not installed.
    """
    address = checked_options(parse_address(text), options or {})
    return open_joined(address, cancel) if "label_topic" in address.options else open_alone(address, cancel)
