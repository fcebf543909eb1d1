"""Credentials of servers: from the environment or a file that it names, never from an address."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["credential"]

LONGEST = 64 * 1024


def credential(name: str) -> str | None:
    """Return the text of an environment variable, or of the file that ``<name>_FILE`` names; None if neither is set.

    One line's end behind the text of a file is not part of it.

    Raises
    ------
    ValueError
        If both are set, or the file cannot be read as text or is longer than 64 kB; the message never has the text.

    Examples
    --------
    >>> os.environ["STREAMLAB_EXAMPLE_PASSWORD"] = "open sesame"
    >>> credential("STREAMLAB_EXAMPLE_PASSWORD")
    'open sesame'
    >>> del os.environ["STREAMLAB_EXAMPLE_PASSWORD"]
    """
    text, path = os.environ.get(name), os.environ.get(f"{name}_FILE")
    if path is None:
        return text
    if text is not None:
        raise ValueError(f"{name} and {name}_FILE are both set; expected one of them")
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LONGEST + 1)
        if len(raw) > LONGEST:
            raise ValueError
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "expected a short text in UTF-8"
        raise ValueError(f"{name}_FILE: the file cannot be read: {reason}") from None
