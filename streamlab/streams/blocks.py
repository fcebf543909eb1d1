"""Blocks of rows: checked ones from a stream, of which no row is cut off and no value changes; and rows as CSR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from streamlab._checks import checked_count, checked_text, shown
from streamlab.schema import Schema

if TYPE_CHECKING:
    import scipy.sparse

WIDE = 10_000
"""Columns from which a source that is sparse by nature gives CSR."""
DENSE = 20
"""One value in so many other than 0, or more, and it gives arrays all the same."""


def is_csr(X: Any) -> bool:
    """Whether rows are CSR, and not an array.

    Parameters
    ----------
    X
        Rows of a chunk.

    Examples
    --------
    >>> is_csr(csr_rows([0, 1], [2], [0.5], 4)), is_csr(np.zeros((1, 4)))
    (True, False)
    """
    # without scipy.sparse, which takes its time to be imported
    return hasattr(X, "indptr")


def is_wide_and_sparse(n_values: int, n_rows: int, n_features: int) -> bool:
    """Whether data give CSR unless told otherwise: at least ``WIDE`` columns, and few values other than 0."""
    return n_features >= WIDE and n_values * DENSE <= n_rows * n_features


def csr_rows(indptr: Any, indices: Any, data: Any, n_features: int) -> scipy.sparse.csr_array:
    """Return CSR of float64 from its parts; indices rise in each row.

    Parameters
    ----------
    indptr, indices, data
        The three arrays of a CSR matrix: where each row begins, the columns of its values, the values.
    n_features
        Number of columns.

    Returns
    -------
    scipy.sparse.csr_array

    Examples
    --------
    >>> csr_rows([0, 1, 3], [2, 0, 3], [0.5, 1.0, 2.0], 4).toarray().tolist()
    [[0.0, 0.0, 0.5, 0.0], [1.0, 0.0, 0.0, 2.0]]
    """
    import scipy.sparse

    parts = np.asarray(data, np.float64), np.asarray(indices, np.int32), np.asarray(indptr, np.int32)
    return scipy.sparse.csr_array(parts, shape=(len(indptr) - 1, n_features))


def csr_of(X: np.ndarray) -> scipy.sparse.csr_array:
    """Return rows of an array as CSR; NaN is kept."""
    import scipy.sparse

    return scipy.sparse.csr_array(X)


def stacked(parts: Sequence[Any]) -> Any:
    """Return blocks of rows, one after the other: an array, or a CSR array if these are CSR.

    Parameters
    ----------
    parts
        Blocks of rows, all arrays or all CSR, of equally many columns.

    Examples
    --------
    >>> stacked([np.zeros((2, 3)), np.ones((1, 3))]).shape
    (3, 3)
    """
    if len(parts) == 1:
        return parts[0]
    if not is_csr(parts[0]):
        return np.concatenate(parts)
    import scipy.sparse

    return scipy.sparse.vstack(parts, "csr")


NUMBERS = "fiub"
"""Kinds of dtypes that become float64 without a change."""
_NUMBER = (int, float, np.integer, np.floating, np.bool_)


class Described(Protocol):
    """What a stream says of itself."""

    name: str
    schema: Schema
    drifts: Any
    is_sparse: bool

    @property
    def n_rows(self) -> int | None:
        """How many rows there are; None: endless."""


def check_contract(stream: Described) -> None:
    """Raise a ValueError unless a stream says of itself what every stream says.

    Parameters
    ----------
    stream
        Its name, schema, length and drifts are looked at.
    """
    kind = type(stream).__name__
    name = getattr(stream, "name", None)
    checked_text(f"{kind}: name", name)
    schema = getattr(stream, "schema", None)
    if not isinstance(schema, Schema):
        raise ValueError(f"{name}: schema is a {type(schema).__name__}; expected a streamlab.schema.Schema")
    checked_count(f"{name}: n_rows", stream.n_rows, optional=True)
    drifts = stream.drifts
    if not isinstance(drifts, (tuple, list)) or not all(hasattr(drift, "start") for drift in drifts):
        raise ValueError(f"{name}: drifts is {shown(drifts)}; expected a tuple of Drift, empty if none is known")


def checked_block(stream: Described, row: int, block: Any) -> tuple[Any, Any]:
    """Return a block as arrays (or CSR and an array) of the schema's widths and equally many rows.

    Parameters
    ----------
    stream
        It gave the block.
    row
        Position of the block's first row.
    block
        The pair (X, Y). Its values are not looked at: see ``numbers_of`` and ``flags_of``.

    Raises
    ------
    ValueError
        If it is something else; names the stream and the row.
    """
    if not isinstance(block, (tuple, list)) or len(block) != 2:
        raise ValueError(f"{stream.name}, row {row:,}: blocks gave a {type(block).__name__}; expected a pair (X, Y)")
    X, Y = block
    if is_csr(X) != stream.is_sparse or getattr(X, "format", "csr") != "csr":
        expected = "CSR, as the stream is_sparse" if stream.is_sparse else "an array"
        raise ValueError(f"{stream.name}, row {row:,}: X is a {type(X).__name__}; expected {expected}")
    X = X if is_csr(X) else _array(stream, row, "X", X)
    Y = _array(stream, row, "Y", Y)
    schema = stream.schema
    for what, values, width, of in (("X", X, schema.n_features, "features"), ("Y", Y, schema.n_labels, "labels")):
        if values.ndim != 2 or values.shape[1] != width:
            raise ValueError(
                f"{stream.name}, row {row:,}: {what} has the shape {values.shape}; expected (n, {width}): the schema "
                f"has {width:,} {of}"
            )
    if X.shape[0] != len(Y):
        raise ValueError(
            f"{stream.name}, row {row:,}: X has {X.shape[0]:,} rows and Y {len(Y):,}; expected equally many"
        )
    return X, Y


def _array(stream: Described, row: int, what: str, values: Any) -> np.ndarray:
    if type(values) is np.ndarray:
        return values
    try:
        return np.asarray(values)
    except ValueError:  # rows of several lengths
        kind = type(values).__name__
        raise ValueError(f"{stream.name}, row {row:,}: {what} is a {kind}; expected an array") from None


def numbers_of(stream: Described, row: int, X: Any) -> Any:
    """Return rows of X as float64, C order; CSR as CSR of float64.

    Parameters
    ----------
    stream
        The rows are its.
    row
        Position of the first.
    X
        Of a checked block.

    Raises
    ------
    ValueError
        If a value is not a number; names the stream, row and feature.
    """
    is_sparse = is_csr(X)
    values = X.data if is_sparse else X
    if values.dtype == np.float64:
        return X if is_sparse else np.ascontiguousarray(X)
    if values.dtype.kind in NUMBERS:
        return X.astype(np.float64) if is_sparse else np.ascontiguousarray(X, np.float64)
    if not is_sparse:
        for place, value in enumerate(X.ravel().tolist()):
            if value is not None and not isinstance(value, _NUMBER):
                at, column = divmod(place, X.shape[1])
                feature = stream.schema.features[column]
                expected = "a number, NaN where it is missing"
                if feature.categories is not None:
                    expected = f"the index of a category, 0 to {len(feature.categories) - 1}, or NaN"
                found = f"feature {feature.name!r}: {shown(value)}"
                raise ValueError(f"{stream.name}, row {row + at:,}, {found}; expected {expected}")
        return np.ascontiguousarray(X, np.float64)
    raise ValueError(f"{stream.name}, row {row:,}: X is CSR of {values.dtype}; expected numbers")


def flags_of(stream: Described, row: int, Y: np.ndarray) -> np.ndarray:
    """Return rows of Y as uint8 of 0 and 1, C order.

    Parameters
    ----------
    stream
        The rows are its.
    row
        Position of the first.
    Y
        Of a checked block.

    Raises
    ------
    ValueError
        If a value is neither 0 nor 1; names the stream, row and label.
    """
    if Y.dtype == np.bool_:
        return np.ascontiguousarray(Y, np.uint8)
    if Y.dtype == np.uint8 and (not Y.size or Y.max() <= 1):
        return np.ascontiguousarray(Y)
    if Y.dtype.kind in NUMBERS:
        wrong = (Y != 0) & (Y != 1)
    else:
        wrong = np.array([not (isinstance(v, _NUMBER) and v in (0, 1)) for v in Y.ravel().tolist()]).reshape(Y.shape)
    if wrong.any():
        at, column = np.argwhere(wrong)[0].tolist()
        label, value = stream.schema.labels[column], Y[at, column]
        value = value.item() if isinstance(value, np.generic) else value
        raise ValueError(f"{stream.name}, row {row + at:,}, label {label!r}: {shown(value)}; expected 0 or 1")
    return np.ascontiguousarray(Y, np.uint8)
