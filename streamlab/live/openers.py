"""What ``load`` opens of this wing: the address of a live source, and the folder of a journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab._checks import check_only
from streamlab.live.addresses import INSTALL, checked_options, is_address, parse_address
from streamlab.live.journal import is_journal
from streamlab.plugins import HOOKS
from streamlab.streams.openers import Opener
from streamlab.streams.stream import Stream, with_source

__all__ = ["ADDRESSES", "JOURNALS"]

LIVE_HOOK = "open_live_address"
"""What the package streamlab-live opens addresses by: it joins two topics, and reads in a process of its own."""
ELSEWHERE_OPTIONS = {"label_topic", "own_process"}


def _open_address(source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any) -> Any:
    from streamlab.live.opening import open_live

    if limits is not None:
        raise ValueError(f"{source.partition(':')[0]}: limits= does not go with a live stream; expected most_bytes=")
    address = checked_options(parse_address(source), {"labels": labels, **options})
    for name in address.options.keys() & ELSEWHERE_OPTIONS:
        if LIVE_HOOK not in HOOKS:
            raise ValueError(f"{address.shown}: {name}= needs the package streamlab-live: {INSTALL}")
    return (HOOKS.load(LIVE_HOOK) if LIVE_HOOK in HOOKS else open_live)(address, cancel)


def _is_folder_of_journal(source: str | os.PathLike[str]) -> bool:
    path = os.fspath(source)
    return "\0" not in path and os.path.isdir(path) and is_journal(Path(path))


def _open_journal(source: str | os.PathLike[str], **options: Any) -> Stream:
    from streamlab.live.stream import FollowedStream, JournalStream

    path = os.fspath(source)
    given = {name: value for name, value in options.items() if value is not None}
    check_only(path, given, ("follow",))
    stream = FollowedStream(Path(path)) if options.get("follow") else JournalStream(Path(path))
    return with_source(stream, path, given, is_file=True)


ADDRESSES = Opener(lambda source: isinstance(source, str) and is_address(source), _open_address)
JOURNALS = Opener(_is_folder_of_journal, _open_journal)
