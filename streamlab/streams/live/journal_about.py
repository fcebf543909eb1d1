"""What a journal says of itself: a small file beside its rows, with the schema and how messages are read."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlab.schema import Schema
from streamlab.streams._checks import shown

__all__ = ["ABOUT", "is_journal", "read_about", "write_about"]

ABOUT = "journal.json"
FORMAT = 1


def is_journal(path: Path) -> bool:
    """Return whether there is a journal in this folder."""
    return (path / ABOUT).is_file()


def write_about(
    folder: Path, schema: Schema, is_sparse: bool, source: str, decoding: Mapping[str, Any]
) -> dict[str, Any]:
    """Write the file, whole or not at all, and return what it says."""
    about = {
        "format": FORMAT,
        "id": secrets.token_hex(8),
        "schema": schema.to_json(),
        "is_sparse": bool(is_sparse),
        "source": source,
        "decoding": dict(decoding),
    }
    part = folder / f"{ABOUT}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(about, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, folder / ABOUT)
    return about


def read_about(folder: Path) -> dict[str, Any]:
    """Return what the file says, checked.

    Raises
    ------
    ValueError
        If there is none, or it is of another format or altered.
    """
    if "\0" in str(folder) or not is_journal(folder):
        raise ValueError(f"{shown(str(folder))}: there is no journal of a live stream; expected a folder with {ABOUT}")
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise ValueError(f"{folder / ABOUT}: it cannot be read; expected JSON") from None
    kinds = {"id": str, "schema": str, "is_sparse": bool, "source": str, "decoding": dict}
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        found = about.get("format") if isinstance(about, dict) else about
        raise ValueError(f"{folder / ABOUT}: the format {shown(found)} is unknown; expected {FORMAT}")
    for name, kind in kinds.items():
        if not isinstance(about.get(name), kind):
            raise ValueError(f"{folder / ABOUT}: {name} is {shown(about.get(name))}; expected a {kind.__name__}")
    try:
        Schema.from_json(about["schema"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{folder / ABOUT}: its schema cannot be read: {error}") from None
    return about
