"""Tables of any library, as the package reads and returns them: pandas, polars, pyarrow, the dataframe interchange."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

__all__ = ["arrow_of", "framed_as", "is_frame", "pandas_of"]


class Frame(Protocol):
    """A table of whatever library, for type checkers: it has columns."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


Table = TypeVar("Table", bound=Frame)


def is_frame(X: Any) -> bool:
    """Return whether ``X`` is a table with names of columns, no array."""
    return type(X) is not np.ndarray and (hasattr(type(X), "columns") or hasattr(X, "__dataframe__"))


def pandas_of(X: Any) -> Any:
    """Return a table as pandas has it: columns of numbers without gaps stay in its memory. All else as it is.

    Raises
    ------
    ValueError
        If the table is lazy, such as polars's LazyFrame: its rows are not there.
    """
    if not is_frame(X) or _is_pandas(X):
        return X
    table = _table_of(X)
    return X if table is None else table.to_arrow().to_pandas(split_blocks=True)


def arrow_of(X: Any) -> pa.Table:
    """Return a table as pyarrow has it, without pandas's index.

    Raises
    ------
    ValueError
        If a column holds what has no type of pyarrow's, such as texts beside lists; it is named. As ``pandas_of``.
    """
    import pyarrow as pa

    if not _is_pandas(X):
        table = _table_of(X)
        if table is None:
            raise ValueError(f"{type(X).__name__} is no table that can be read")
        return table.to_arrow()
    columns = {}
    for position, name in enumerate(X.columns):
        try:
            columns[str(name)] = pa.Array.from_pandas(_plain(X.iloc[:, position]))
        except (pa.ArrowException, TypeError) as error:
            first = str(error).splitlines()[0]
            raise ValueError(f"the column {str(name)!r} holds values of several kinds ({first[:200]})") from None
    if len(columns) < X.shape[1]:
        raise ValueError("two columns have the same name; expected each once")
    return pa.table(columns)


def _plain(column: Any) -> Any:
    """Return a column of pandas; objects that are numbers and flags as numbers, which pyarrow does not mix."""
    if column.dtype != object:
        return column
    kinds = {type(value) for value in column.dropna()}
    is_mixed = bool in kinds and len(kinds) > 1 and kinds <= {bool, int, float, np.bool_, np.float64, np.int64}
    return column.map(float, na_action="ignore").astype(float) if is_mixed else column


def framed_as(X: Any, values: np.ndarray, names: Sequence[Any]) -> Any:
    """Return values (n, n_columns) as a table of the library that made the table ``X``; of pandas with its index."""
    if _is_pandas(X):
        import pandas as pd

        return pd.DataFrame(values, index=X.index, columns=names)
    import narwhals as nw

    table = _table_of(X)
    if table is None:
        return values
    return nw.from_numpy(values, [str(name) for name in names], backend=table.implementation).to_native()


def _is_pandas(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "pandas" or hasattr(X, "iloc")


def _table_of(X: Any) -> nw.DataFrame[Any] | None:
    import narwhals as nw

    table = nw.from_native(X, pass_through=True)
    if isinstance(table, nw.LazyFrame):
        raise ValueError(f"a {type(X).__name__} has no rows yet; expected a table in memory, such as collect() returns")
    if not isinstance(table, nw.DataFrame) and hasattr(X, "__dataframe__"):
        from pyarrow.interchange import from_dataframe

        table = nw.from_native(from_dataframe(X))
    return table if isinstance(table, nw.DataFrame) else None
