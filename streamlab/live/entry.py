"""Open what an address names: one source, or rows and labels of two; here, or in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamlab.live.addresses import Address, parse_address
from streamlab.live.join import KeyedStream, open_joined
from streamlab.live.opening import bounds_of, checked_options, open_live, temporary_journal
from streamlab.live.own_process import OwnProcess
from streamlab.live.stream import LiveStream

__all__ = ["open_address", "open_here"]


def open_address(
    text: str, options: Mapping[str, Any] | None = None, cancel: Callable[[], object] | None = None
) -> LiveStream:
    """Open the live stream of an address, as ``open_live``; with ``label_topic`` as ``open_joined``.

    Parameters
    ----------
    text
        The address; its options may stand behind a question mark.
    options
        The same as values of Python: texts, numbers, lists of names, dictionaries of lists.
    cancel
        Asked while the first messages are waited for; a true answer stops it.

    Raises
    ------
    ValueError, ConnectionError, ImportError
        As these do.
    """
    address = checked_options(parse_address(text), options or {})
    if address.choice("own_process", ("yes", "no"), "no") == "yes":
        return _open_there(address.without(["own_process"]), cancel)
    return open_here(address, cancel)


def open_here(address: Address, cancel: Callable[[], object] | None = None) -> LiveStream:
    """Open the live stream of an address; it is read in this process."""
    return open_joined(address, cancel) if "label_topic" in address.options else open_live(address, cancel)


def _open_there(address: Address, cancel: Callable[[], object] | None) -> LiveStream:
    """Open the live stream of an address; it is read in a process of its own."""
    bounds_of(address)
    folder, clean_up = temporary_journal(address)
    try:
        reader: Any = OwnProcess(address, folder.absolute(), cancel)
    except BaseException:
        if clean_up is not None:
            clean_up()
        raise
    return (LiveStream if reader.arrivals is None else KeyedStream)(reader, clean_up)
