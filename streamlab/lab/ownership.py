"""Who touches a run: its callers, one thread at a time; or, while it has an owner, the owner's thread alone.

Who asks the owner's thread hears that the run is busy, and does not stand still.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import wraps
from threading import get_ident
from typing import Any, Concatenate, NoReturn, ParamSpec, Protocol, SupportsIndex, TypeVar

from streamlab._lock import Lock, serialised

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

# how long an owner goes on at once for another thread, before it looks at what else it was asked
SLICE_SECONDS = 0.2


class Owner(Protocol):
    """Carries out commands in a thread of its own."""

    @property
    def ident(self) -> int | None:
        """The number of the thread."""

    def carry_out(self, command: Callable[[], Returned]) -> Returned:
        """Return what the command returns, or raise a ValueError if it takes too long."""


class Owned:
    """What may have an owner; at first it has none."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: Owner | None = None

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        kind = type(self).__name__
        raise TypeError(f"a {kind} is not pickled or copied: save() keeps it in a file, {kind}.open() opens that")

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


def owned(method: Callable[Concatenate[Any, Given], Returned]) -> Callable[Concatenate[Any, Given], Returned]:
    """Return a method that the owner's thread carries out, if there is an owner; else one thread at a time."""
    alone = serialised(method)

    @wraps(method)
    def call(self: Any, *args: Given.args, **kwargs: Given.kwargs) -> Returned:
        owner: Owner | None = self._owner
        if owner is None or owner.ident == get_ident():
            return alone(self, *args, **kwargs)
        return owner.carry_out(lambda: alone(self, *args, **kwargs))

    return call


def offered(
    part: str, method: Callable[Concatenate[Any, Given], Returned]
) -> Callable[Concatenate[Any, Given], Returned]:
    """Return a method that does what a method of one of its parts does, as ``owned`` says.

    Parameters
    ----------
    part
        The attribute with the part.
    method
        The part's method; its docstring and its parameters are those of the method returned.
    """

    @wraps(method)
    def call(self: Owned, *args: Given.args, **kwargs: Given.kwargs) -> Returned:
        return method(getattr(self, part), *args, **kwargs)

    return owned(call)


def offered_in_slices(
    part: str, method: Callable[Concatenate[Any, Given], Returned]
) -> Callable[Concatenate[Any, Given], Returned]:
    """Return a method as ``offered`` does, of one that takes its time: an owner carries it out a moment at a time.

    Parameters
    ----------
    part
        The attribute with the part.
    method
        The part's method: it goes to its first argument, returns how far it came, and takes ``interrupted``.
    """
    whole: Callable[..., Any] = offered(part, method)

    @wraps(method)
    def call(self: Owned, *args: Given.args, **kwargs: Given.kwargs) -> Any:
        if not self._is_elsewhere:
            return whole(self, *args, **kwargs)
        before: Any = None
        while True:
            at = self._in_slices(
                lambda _, interrupted: whole(self, *args, **kwargs | {"interrupted": interrupted}), None
            )
            if at == before or at in args:
                return at
            before = at

    return call


def answered(answer: Future[Returned], seconds: float) -> Returned:
    """Return what the player's thread answers within this many seconds.

    Raises
    ------
    ValueError
        If it does not: then the command is taken back, unless it has begun. Or what the command raises.
    """
    try:
        return answer.result(seconds)
    except TimeoutError:
        if answer.done():
            raise
        if answer.cancel():
            raise ValueError(
                f"the player of this run is busy with a chunk for {seconds:g} s now: nothing was done, try again later"
            ) from None
        raise ValueError(
            f"the player of this run has not finished this in {seconds:g} s, and goes on with it"
        ) from None


class Awaited:
    """The answer to one kind of question to an owner's thread: that to the latest one counts."""

    def __init__(self) -> None:
        self._answer: Future[Any] | None = None

    def ask(self, answer: Future[Any]) -> None:
        """Wait for this answer, and no longer for one before."""
        self._answer = answer

    def take(self) -> Any:
        """Return the answer, once; None while there is none, and where it could not be had."""
        if self._answer is None or not self._answer.done():
            return None
        answer, self._answer = self._answer, None
        return None if answer.cancelled() or answer.exception() is not None else answer.result()


class PlayerClosed(RuntimeError):
    """A command came after the player was closed."""


def error_text(error: BaseException) -> str:
    """Return an error's message, and its type if it has no message or is not an ``Exception``."""
    text, kind = str(error), type(error).__name__
    return text if text and isinstance(error, Exception) else f"{kind}: {text}" if text else kind
