"""When rows were made: times from the cells of a column, and in how many rows a span of time has passed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._arrays import is_text
from streamlab._checks import number_in, shown

if TYPE_CHECKING:
    import pyarrow as pa

EXPECTED = "a time such as 2020-12-24 18:30"
MOST_YEARS = 200
"""A span of time is at most as long: sums of times and spans stay numbers of 64 bits."""


def times_in(cells: pa.Array) -> np.ndarray:
    """Return the times of a column's cells, datetime64[us]; not a time (NaT) where a cell holds none.

    Texts are those of ISO 8601. A time with a zone is that of UTC, one without stands as it is.
    """
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if types.is_timestamp(cells.type) or types.is_date(cells.type):
        zone = getattr(cells.type, "tz", None) and "UTC"
        return np.asarray(cells.cast(pa.timestamp("us", zone), safe=False).to_numpy(zero_copy_only=False))
    if not is_text(cells.type):
        return np.full(len(cells), "NaT", "datetime64[us]")
    return times_of(cells.to_pylist())


def times_of(values: Sequence[Any]) -> np.ndarray:
    """Return the times that values of Python are, as ``times_in`` does those of cells."""
    import pandas as pd

    known = (datetime.date, np.datetime64)
    given = [v.strip() if isinstance(v, str) else v if isinstance(v, known) else None for v in values]
    found = pd.to_datetime(pd.Series(given, dtype=object), format="ISO8601", errors="coerce", utc=True)
    return found.to_numpy("datetime64[us]")


def checked_moments(
    times: np.ndarray, before: np.datetime64 | None, place: Callable[[int], str], cells: Sequence[Any]
) -> np.ndarray:
    """Return times of rows that follow one another.

    Parameters
    ----------
    times
        Of some rows.
    before
        The time of the row before the first; None: there is none.
    place, cells
        Where one of the rows is, and what stands in each, for messages.

    Raises
    ------
    ValueError
        If one is no time, or comes before that of the row before.
    """
    if (lost := np.isnat(times)).any():
        row = int(lost.argmax())
        cell = cells[row].as_py() if hasattr(cells[row], "as_py") else cells[row]
        raise ValueError(f"{place(row)}: expected {EXPECTED}, found {shown(cell)}")
    earlier = times[:1] if before is None else np.array([before])
    if (back := times < np.concatenate([earlier, times[:-1]])).any():
        row = int(back.argmax())
        last = times[row - 1] if row else before
        what = f"{times[row]} comes before {last}, the time of the row before"
        raise ValueError(f"{place(row)}: {what}; expected rows in the order of their times: sort them by it")
    return times


def span_of(delay: datetime.timedelta | str) -> np.timedelta64 | None:
    """Return a span of time, given as such or as a text (``"3 days"``); None: it is none up to 200 years."""
    import pandas as pd

    if isinstance(delay, str) and number_in(delay) is not None:  # pandas takes it for nanoseconds
        return None
    try:
        span = pd.Timedelta(delay)
    except (ValueError, OverflowError):
        return None
    is_one = pd.Timedelta(0) <= span <= pd.Timedelta(days=366 * MOST_YEARS)
    return span.to_timedelta64().astype("m8[us]") if is_one else None


def rows_until(times: np.ndarray, span: np.timedelta64) -> np.ndarray:
    """Return after how many further rows a span has passed since each row, int64: right before the row behind them.

    That is the first later row whose time is at least the row's and ``span``; where there is none, the end is behind
    the last row.
    """
    n = len(times)
    rows = np.arange(n)
    reached = np.searchsorted(times, times + span)
    arrives = np.where((reached == n) & (span > np.timedelta64(0, "us")), n, np.maximum(reached - 1, rows))
    return arrives - rows
