"""Tables of any library, as the package reads and returns them: pandas, polars, pyarrow, the dataframe interchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from streamlab._arrays import NoNumber, encoded, is_number, is_text, numbers_in
from streamlab._cells import written
from streamlab._checks import one_line, unmasked

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

__all__ = ["WrongCell", "arrow_of", "framed_as", "is_frame", "pandas_of", "values_in"]


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

    Cells of an array that are masked are NaN.

    Raises
    ------
    ValueError
        If the table is lazy, such as polars's LazyFrame: its rows are not there; if a column is of a type that pandas
        does not have, or two have the same name: it is named.
    """
    if type(X) is np.ndarray:
        return X
    if not is_frame(X) or _is_pandas(X):
        return unmasked(X)
    table = _table_of(X)
    if table is None:
        return X
    return _by_column(_arrow_of(table), lambda part: part.to_pandas(split_blocks=True), "pandas")


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
        return _arrow_of(table)
    columns = {}
    for name, column in X.items():
        try:
            # numbers stay where they are, NaN among them
            is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu"
            columns[str(name)] = pa.array(column.to_numpy()) if is_plain else pa.Array.from_pandas(_plain(column))
        except (pa.ArrowException, TypeError, OverflowError) as error:
            raise ValueError(
                f"the column {str(name)!r} holds values of several kinds, or too large ones ({one_line(error, 200)})"
            ) from None
    if len(columns) < X.shape[1]:
        raise ValueError("two columns have the same name; expected each once")
    return pa.table(columns)


class WrongCell(ValueError):
    """Raised for a cell that means nothing, and its row; None: no cell of the column means anything."""

    def __init__(self, row: int | None, what: str) -> None:
        super().__init__(what)
        self.row = row


def values_in(column: Any, categories: Sequence[str] | None) -> np.ndarray:
    """Return what the cells of a column of pandas mean, as in a file: numbers, or the places of their categories.

    Raises
    ------
    WrongCell
        If a cell is no number, or no category.
    """
    import pyarrow as pa
    import pyarrow.types as types

    try:
        cells = pa.Array.from_pandas(_plain(column))
    except (pa.ArrowException, TypeError, OverflowError):  # values of several kinds
        cells = pa.array([None if value is None or value != value else str(value) for value in column], pa.string())
    kind = cells.type.value_type if types.is_dictionary(cells.type) else cells.type
    if not (is_number(kind) or is_text(kind) or types.is_boolean(kind) or types.is_null(kind)):
        raise WrongCell(None, f"values of type {column.dtype}; expected numbers or words")
    if categories is None or is_number(cells.type):
        try:
            return numbers_in(cells)
        except NoNumber as error:
            raise WrongCell(error.place, f"{error.cell!r}; expected a number") from None
    # a category called NA is one
    codes, words = encoded(cells, frozenset())
    at = {written(category): float(i) for i, category in enumerate(categories)}
    places = np.array([*(at.get(word, -1.0) for word in words), np.nan])[codes]
    if (places < 0).any():
        row = int(np.argmax(places < 0))
        what = f"unknown category {words[codes[row]]!r}; expected one of {list(categories)[:8]}"
        raise WrongCell(row, what)
    return places


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

    try:
        table = nw.from_native(X, pass_through=True)
    except ValueError as error:  # two names are the same
        raise ValueError(f"the table cannot be read ({one_line(error, 200)})") from None
    if isinstance(table, nw.LazyFrame):
        raise ValueError(f"a {type(X).__name__} has no rows yet; expected a table in memory, such as collect() returns")
    if not isinstance(table, nw.DataFrame) and hasattr(X, "__dataframe__"):
        from pyarrow.interchange import from_dataframe

        table = nw.from_native(from_dataframe(X))
    return table if isinstance(table, nw.DataFrame) else None


def _arrow_of(table: nw.DataFrame[Any]) -> pa.Table:
    return _by_column(table, lambda part: part.to_arrow(), "pyarrow")


def _by_column(table: Any, turn: Callable[[Any], Any], library: str) -> Any:
    """Return what a table is turned into; a ValueError names the column that cannot be."""
    try:
        return turn(table)
    except Exception as error:  # libraries raise whatever they like
        schema = table.schema
        kinds = schema.items() if hasattr(schema, "items") else zip(schema.names, schema.types, strict=True)
        for name, kind in kinds:
            try:
                turn(table.select([name]))
            except Exception:
                raise ValueError(f"the column {name!r} is of type {kind}, which {library} does not have") from None
        raise ValueError(f"the table cannot be read ({one_line(error, 200)})") from None
