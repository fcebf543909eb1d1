"""Who touches a run: its callers, one thread at a time; or, while it has an owner, the owner's thread alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import get_ident
from typing import Any, Protocol

from streamlab.learners.base.one_at_a_time import Lock, serialised

__all__ = ["Owned", "Owner", "owned"]

# how long an owner goes on at once for another thread, before it looks at what else it was asked
SLICE_SECONDS = 0.2


class Owner(Protocol):
    """Carries out commands in a thread of its own."""

    @property
    def ident(self) -> int | None:
        """The number of the thread."""

    def carry_out(self, command: Callable[[], Any]) -> Any:
        """Return what the command returns, or raise a ValueError if it takes too long."""


class Owned:
    """What may have an owner."""

    def _no_owner(self) -> None:
        """Have no owner, at first."""
        self._lock = Lock()
        self._owner: Owner | None = None

    @property
    def _is_elsewhere(self) -> bool:
        """Whether a thread other than this one owns it."""
        owner = self._owner
        return owner is not None and owner.ident != get_ident()

    def _in_slices(self, advance: Callable[..., int], n: int | None) -> int:
        """Let the owner go on by ``n`` instances, but for no longer than a moment."""

        def a_moment() -> int:
            until = time.monotonic() + SLICE_SECONDS
            return advance(n, interrupted=lambda: time.monotonic() > until)

        owner = self._owner
        return a_moment() if owner is None else owner.carry_out(a_moment)


def owned(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that the owner's thread carries out, if there is an owner; else one thread at a time."""
    alone = serialised(method)

    @wraps(method)
    def call(self: Owned, *args: Any, **kwargs: Any) -> Any:
        owner = self._owner
        if owner is None or owner.ident == get_ident():
            return alone(self, *args, **kwargs)
        return owner.carry_out(lambda: alone(self, *args, **kwargs))

    return call
