"""Let streams say how they were made, as plain values that JSON knows."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from streamlab.streams.stream import Stream

__all__ = ["NOT_KEPT", "is_plain", "plain_value", "recorded", "with_source"]

P = ParamSpec("P")
S = TypeVar("S", bound=Stream)

NOT_KEPT = ("limits", "cancel", "mirror", "progress")
"""Options of ``load`` that say how a stream is read, not what is in it."""


def is_plain(value: Any) -> bool:
    """Return whether JSON knows the value: a finite number, a flag, a text, None, or a list of such."""
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    if isinstance(value, (float, np.floating)):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int, str, np.integer, np.bool_))


def plain_value(value: Any) -> Any:
    """Return a plain value as JSON has it: lists for tuples, Python's own numbers."""
    if isinstance(value, (list, tuple)):
        return [plain_value(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def with_source(stream: S, source: str, options: Mapping[str, Any], *, is_file: bool) -> S:
    """Let a stream that was loaded say so; options that JSON does not know leave it without a recipe."""
    kept = {key: value for key, value in options.items() if key not in NOT_KEPT and value is not None}
    if all(map(is_plain, kept.values())):
        options = {key: plain_value(value) for key, value in kept.items()}
        stream.recipe = {"file" if is_file else "source": source, "options": options}
    return stream


def recorded(change: Callable[P, S]) -> Callable[P, S]:
    """Return a function that puts something into a stream such that the stream it returns says so."""
    signature = inspect.signature(change)

    @wraps(change)
    def made(*args: P.args, **kwargs: P.kwargs) -> S:
        stream = change(*args, **kwargs)
        given = dict(signature.bind(*args, **kwargs).arguments)
        inner = given.pop("stream").recipe
        if inner is not None and all(map(is_plain, given.values())):
            parameters = {key: plain_value(value) for key, value in given.items()}
            stream.recipe = {"change": change.__name__, "parameters": parameters, "stream": inner}
        return stream

    return made
