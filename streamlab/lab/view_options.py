"""What a view of a run is told: checked where it is given, before a page is made of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamlab._checks import checked_choice, checked_count, checked_flag, checked_text, within
from streamlab.lab.history import with_curves
from streamlab.lab.pace import checked_rate
from streamlab.schema import Schema

OVER = ("chunk", "faded", "cumulative")


def check_view(
    schema: Schema | None = None,
    *,
    measures: Iterable[Any] | str | None = None,
    over: str = "chunk",
    rate: float | None = None,
    tab: str | None = None,
    compared: bool | Iterable[str] = False,
    dark: bool = False,
    port: int = 0,
    show: bool = True,
) -> tuple[str, ...] | None:
    """Check options of ``sl.see`` and ``Run.view``; return the names of the measures.

    Raises
    ------
    ValueError
        For one that no view has, or that has no sense where rows have the columns of ``schema``.
    """
    with within("measures", TypeError):
        names = None if measures is None else with_curves(measures, schema)
        if names == ():
            raise ValueError("expected at least one, or None")
    checked_choice("over", over, OVER)
    checked_rate(rate)
    checked_text("tab", tab, optional=True)
    if not isinstance(compared, bool):
        if isinstance(compared, str) or not isinstance(compared, Iterable):
            raise ValueError(f"compared={compared!r}: expected True, False or names of pictures")
        for name in compared:
            checked_text("compared: name", name)
    checked_flag("dark", dark)
    checked_count("port", port, 0, 65_535)
    checked_flag("show", show)
    return names
