"""Addresses of live streams, ``scheme:path?options``, which the package streamlab-live opens."""

from __future__ import annotations

import re
from typing import Any

from streamlab.streams.openers import OPENERS, Opener

__all__ = ["ADDRESSES"]

ELSEWHERE = ("http", "kafka", "parts", "redis", "rediss", "tail")
"""Schemes of the package streamlab-live."""
INSTALL = "pip install ./packages/streamlab-live, in a clone of the repository"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")


def is_address(source: object) -> bool:
    """Return whether a source is an address: it begins with a scheme, known or with ``//`` behind it."""
    found = _SCHEME.match(source) if isinstance(source, str) and "live_addresses" not in OPENERS else None
    return found is not None and (found[1].lower() in ELSEWHERE or found[2] is not None)


def _open_address(source: str, **options: Any) -> Any:
    raise ValueError(f"{source.partition(':')[0]}: needs the package streamlab-live: {INSTALL}")


ADDRESSES = Opener(is_address, _open_address)
