"""What ``load`` opens of this package: the address of a live source, and the folder of a journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab._checks import check_only
from streamlab.streams.openers import Opener
from streamlab.streams.stream import Stream, with_source

from streamlab_live.addresses import checked_options, is_address, parse_address
from streamlab_live.journal import is_journal

__all__ = ["ADDRESSES", "JOURNALS"]


def _open_address(source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any) -> Any:
    from streamlab_live.own_process import open_address

    if limits is not None:
        raise ValueError(f"{source.partition(':')[0]}: limits= does not go with a live stream; expected most_bytes=")
    address = checked_options(parse_address(source), {"labels": labels, **options})
    return open_address(address, cancel)


def _is_folder_of_journal(source: str | os.PathLike[str]) -> bool:
    path = os.fspath(source)
    return "\0" not in path and os.path.isdir(path) and is_journal(Path(path))


def _open_journal(source: str | os.PathLike[str], **options: Any) -> Stream:
    from streamlab_live.stream import FollowedStream, JournalStream

    path = os.fspath(source)
    given = {name: value for name, value in options.items() if value is not None}
    check_only(path, given, ("follow",))
    stream = FollowedStream(Path(path)) if options.get("follow") else JournalStream(Path(path))
    return with_source(stream, path, given, is_file=True)


ADDRESSES = Opener(lambda source: isinstance(source, str) and is_address(source), _open_address)
JOURNALS = Opener(_is_folder_of_journal, _open_journal)
