"""Arrays and sparse matrices as streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from streamlab._checks import checked_flag, unmasked
from streamlab.schema import NumberedFeatures, Schema
from streamlab.streams.blocks import flags_of, is_csr, is_wide_and_sparse
from streamlab.streams.stream import Drift, Stream

__all__ = ["ArrayStream"]

BLOCK_ROWS = 1024
BLOCK_CELLS = 1 << 22  # 32 MiB of float64: a sparse matrix may have any number of columns


class ArrayStream(Stream):
    """The rows of two arrays, in order.

    Parameters
    ----------
    X
        Array, list or scipy sparse matrix of shape (n, n_features) of numbers; NaN is missing. A sparse matrix stays
        sparse: only the block being read is unfolded, and not even that where the stream is sparse.
    Y
        Array, list or sparse matrix of shape (n, n_labels), or (n,) for one label, of 0 and 1 or bool.
    schema
        Names and kinds; default ``Schema.anonymous``. The values of a nominal feature are indices of its categories.
        Where it has a hierarchy, the labels above one that is set are set, too.
    name
        What the stream is called.
    drifts
        Ground truth, where it is known.
    titles
        What people call the rows, one text for each; kept out of the features. Default: they have no titles.
    sparse
        Whether chunks are CSR. None (default): if X is a sparse matrix of at least 10,000 columns, at most one in
        twenty of its values other than 0.

    Raises
    ------
    ValueError
        If shapes do not agree, a value is infinite or not a number, a category does not exist, or a label is not 0
        or 1; row and column are named, counted from 0.

    Notes
    -----
    The arrays are not copied where they are float64 already: do not change them while the stream is in use. What the
    stream yields are copies.

    Examples
    --------
    >>> stream = ArrayStream([[0.5, 1.0], [0.1, 2.0]], [[1], [0]])
    >>> stream.n_rows, stream.schema.labels
    (2, ('y0',))
    """

    def __init__(
        self,
        X: Any,
        Y: Any,
        *,
        schema: Schema | None = None,
        name: str = "arrays",
        drifts: Sequence[Drift] = (),
        sparse: bool | None = None,
        titles: Sequence[Any] | None = None,
    ) -> None:
        self.name = name
        self.drifts = tuple(drifts)
        self._X = _matrix(X, "X", name)
        Y = np.asarray(unmasked(Y))[:, None] if not hasattr(Y, "tocsr") and np.ndim(Y) == 1 else Y
        self._Y = _matrix(Y, "Y", name)
        if self._X.shape[0] != self._Y.shape[0]:
            raise ValueError(f"{name}: X has {self._X.shape[0]:,} rows, Y {self._Y.shape[0]:,}; expected as many")
        if self._X.shape[0] == 0:
            raise ValueError(f"{name}: X and Y have no rows; expected at least one")
        self.schema = Schema.anonymous(self._X.shape[1], self._Y.shape[1]) if schema is None else schema
        widths = self.schema.n_features, self.schema.n_labels
        for what, matrix, wanted in zip("XY", (self._X, self._Y), widths, strict=True):
            if matrix.shape[1] != wanted:
                raise ValueError(f"{name}: {what} has {matrix.shape[1]} columns, its schema {wanted}")
        self.n_rows: int = self._X.shape[0]
        if titles is not None:
            if isinstance(titles, str) or len(titles) != self.n_rows:
                found = repr(titles) if isinstance(titles, str) else f"{len(titles):,} titles"
                raise ValueError(f"{name}: titles={found}: expected one for each of the {self.n_rows:,} rows")
            self.titles = partial(_title_in, list(titles))
        as_sparse = checked_flag("sparse", sparse, optional=True)
        if as_sparse is None:
            as_sparse = is_csr(self._X) and is_wide_and_sparse(self._X.nnz, *self._X.shape)
        elif as_sparse and not is_csr(self._X):
            raise ValueError(f"{name}: sparse=True, and X is an array; expected a SciPy sparse matrix")
        self.is_sparse: bool = as_sparse
        is_unfolded = is_csr(self._X) and not as_sparse
        self._room = max(1, min(BLOCK_ROWS, BLOCK_CELLS // max(self._X.shape[1], 1))) if is_unfolded else BLOCK_ROWS
        self._check()
        self._Y = self._Y.astype(np.uint8)

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        for at in range(start, self.n_rows, self._room):
            X = self._X[at : at + self._room] if self.is_sparse else _rows(self._X, at, self._room)
            Y = _rows(self._Y, at, self._room)
            yield X, Y if self.schema.hierarchy is None else self.schema.hierarchy.with_ancestors(Y)

    def _check(self) -> None:
        """Raise a ValueError for the first infinite value, index that is no category's, or label other than 0 and 1."""
        limits = np.zeros(self._X.shape[1])
        if not isinstance(self.schema.features, NumberedFeatures):
            limits[:] = [0 if f.categories is None else len(f.categories) for f in self.schema.features]
        for at in range(0, self.n_rows, BLOCK_ROWS):
            X = self._X[at : at + BLOCK_ROWS]
            values, most = (X.data, limits[X.indices]) if is_csr(X) else (X, limits)
            bad = np.isinf(values)
            if limits.any():
                wrong = (values < 0) | (values >= most) | (values != np.floor(values))
                bad |= (most > 0) & wrong & ~np.isnan(values)
            if bad.any():
                self._refuse(at, X, int(np.argmax(bad)), limits)
            flags_of(self, at, _rows(self._Y, at, BLOCK_ROWS))

    def _refuse(self, at: int, X: Any, place: int, limits: np.ndarray) -> NoReturn:
        coo = X.tocoo() if is_csr(X) else None
        row, j = divmod(place, X.shape[1]) if coo is None else (int(coo.row[place]), int(coo.col[place]))
        expected = f"the index of a category, 0 to {limits[j] - 1:g}," if limits[j] else "a finite number"
        raise ValueError(
            f"{self.name}: X[{at + row}, {j}] ({self.schema.features[j].name!r}) is {X[row, j]}; "
            f"expected {expected} or NaN"
        )


def _matrix(values: Any, what: str, name: str) -> Any:
    if hasattr(values, "tocsr"):
        from scipy.sparse import csr_array

        if values.ndim != 2:
            raise ValueError(f"{name}: {what} has the shape {values.shape}; expected two dimensions (rows, columns)")

        matrix = values.tocsr()
        if np.iscomplexobj(matrix.data):
            raise ValueError(f"{name}: {what} holds complex numbers; expected real ones")
        matrix = matrix.astype(np.float64)
        try:
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"{name}: {what} is not a valid CSR matrix ({error})") from None
        if not matrix.has_canonical_format:
            # a value that is stored twice is the sum of both
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return csr_array(matrix)
    try:
        matrix = np.asarray(unmasked(values))
        if matrix.dtype.kind in "cmM":
            raise ValueError("complex numbers" if matrix.dtype.kind == "c" else f"times, {matrix.dtype}")
        matrix = np.ascontiguousarray(matrix, np.float64) if matrix.ndim else matrix
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {what} is not a matrix of numbers ({error})") from None
    if matrix.ndim != 2:
        raise ValueError(f"{name}: {what} has the shape {matrix.shape}; expected two dimensions (rows, columns)")
    return matrix


def _rows(matrix: Any, at: int, n: int) -> np.ndarray:
    part = matrix[at : at + n]
    return part.toarray() if hasattr(part, "toarray") else part.copy()


def _title_in(titles: Sequence[Any], row: int) -> Any:
    return titles[row] if row < len(titles) else None
