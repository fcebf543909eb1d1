"""Multi-label LibSVM files (``1,3 4:0.5 7:1``) as streams, read in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamlab._checks import checked_choice, checked_count, checked_flag, existing_file, index_in, shown
from streamlab.schema import Schema, numbered
from streamlab.streams.blocks import is_wide_and_sparse
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._text import TextRows, checked_encoding, numbered_lines, stem_of
from streamlab.streams.stream import Stream
from streamlab.streams.tables.source import Pairs

__all__ = ["LibsvmStream"]

BLOCK_CELLS = 1 << 18
BLOCK_ROWS = 1024
BLOCK_BYTES = 1 << 18
_HEADER = re.compile(r"([0-9]+)\s+([0-9]+)\s+([0-9]+)")


class LibsvmStream(Stream):
    """A multi-label LibSVM file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``. Each line holds the labels, separated by commas or
        left out, then ``index:value`` pairs; what is left out is 0. A first line of three numbers (rows, features,
        labels), as the extreme-classification repository writes it, is read as such; an empty line is a row then.
    n_features, n_labels
        How many there are, for files that do not use the last of them; default: as many as the file uses.
    first_feature, first_label
        The number of the first feature and label in the file, 0 or 1. Default None: 0 if a 0 occurs or the file has a
        header of three numbers, else 1.
    sparse
        Whether chunks are CSR. None (default): if there are at least 10,000 features, at most one in twenty of the
        values other than 0.
    encoding
        What the file is written in; default UTF-8.
    limits
        What reading the file may take; default ``LoadLimits()``.
    cancel
        Called without arguments between blocks while the file is opened; opening stops with ``LoadCancelled`` if it
        returns true.

    Attributes
    ----------
    schema : Schema
        Numeric features ``x1``, ``x2`` … and labels ``1``, ``2`` …, by their numbers in the file.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file and line: no rows, a label that is not a number, an invalid pair,
        features that are not in ascending order, an infinite value, an index out of range, a limit passed.

    Notes
    -----
    scikit-learn's ``load_svmlight_file`` parses the lines, block by block.

    References
    ----------
    https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multilabel.html

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.svm"
    ...     _ = path.write_text("1,2 1:0.5\\n2 2:1\\n")
    ...     chunk = next(LibsvmStream(path).chunks(10))
    >>> chunk.X.tolist(), chunk.Y.tolist()
    ([[0.5, 0.0], [0.0, 1.0]], [[1, 1], [0, 1]])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        n_features: int | None = None,
        n_labels: int | None = None,
        first_feature: int | None = None,
        first_label: int | None = None,
        sparse: bool | None = None,
        encoding: str = "utf-8",
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
    ) -> None:
        self.path = existing_file(path)
        self._watch = LoadWatch(self.path, limits, cancel)
        self.name = stem_of(self.path)
        self.encoding = checked_encoding(encoding)
        for what, value in (("n_features", n_features), ("n_labels", n_labels)):
            checked_count(what, value, 1, optional=True)
        for what, value in (("first_feature", first_feature), ("first_label", first_label)):
            checked_choice(what, value, (0, 1), optional=True)
        wanted = checked_flag("sparse", sparse, optional=True)
        self._header: tuple[int, int, int] | None = None
        self._header_line = 0
        self._read_header()
        self._text, self._is_row_empty = self._rows_of_text(), self._header is not None
        n_rows, most = 0, self._watch.limits.rows
        n_pairs = n_empty = n_empty_last = 0
        labels: list[int] = []
        features: list[int] = []
        for rows in self._text.batches(0, self._read):
            n_own = rows.n_rows
            if n_rows + n_own > most:
                self._watch.count("rows", most + 1, f"{self.path}, line {rows.lines[most - n_rows]}", "rows")
            n_rows, n_pairs = n_rows + n_own, n_pairs + len(rows.features.values)
            full = np.union1d(rows.labels.rows, rows.features.rows)
            n_empty += n_own - len(full)
            n_empty_last = n_own - 1 - int(full[-1]) if len(full) else n_own + n_empty_last
            for ends, (_, _, numbers, _) in ((labels, rows.labels), (features, rows.features)):
                if len(numbers):
                    ends[:] = min([*ends, int(numbers.min())]), max([*ends, int(numbers.max())])
        if self._header is not None and n_rows > self._header[0]:
            # empty lines that are no rows: between rows, or at the end alone
            if n_rows - n_empty == self._header[0]:
                self._text, self._is_row_empty = self._rows_of_text(), False
                n_rows = self._header[0]
            elif n_rows - n_empty_last <= self._header[0]:
                n_rows = self._header[0]
        if n_rows == 0:
            raise ValueError(f"{self.path}: no rows; expected lines such as '1,3 4:0.5 7:1'")
        if self._header is not None:
            if self._header[0] != n_rows:
                raise ValueError(
                    f"{self.path}, line {self._header_line}, column 1: the header says {self._header[0]:,} rows, "
                    f"the file has {n_rows:,}"
                )
            n_features, n_labels = n_features or self._header[1], n_labels or self._header[2]
            first_feature = 0 if first_feature is None else first_feature
            first_label = 0 if first_label is None else first_label
        self.n_rows = n_rows
        self._first_feature, n_features = self._range("feature", features, first_feature, n_features)
        self._first_label, n_labels = self._range("label", labels, first_label, n_labels)
        place = f"{self.path}, line {self._header_line}" if self._header is not None else str(self.path)
        self._watch.columns(n_features, n_labels, place)
        self.is_sparse = is_wide_and_sparse(n_pairs, n_rows, n_features) if wanted is None else wanted
        self.schema = Schema(
            numbered(n_features, first=self._first_feature),
            tuple(str(self._first_label + j) for j in range(n_labels)),
        )
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        n_features, n_labels = self.schema.n_features, self.schema.n_labels
        widest = n_labels if self.is_sparse else max(n_features, n_labels)
        room = max(1, min(BLOCK_ROWS, BLOCK_CELLS // widest))
        for rows in self._text.batches(start, self._read):
            stop = min(rows.n_rows, (self.n_rows or 0) - rows.start)
            for at in range(0, stop, room):
                own = rows.cut(at, min(at + room, stop))
                features = self._places(own, "feature", self._first_feature, n_features)
                labels = self._places(own, "label", self._first_label, n_labels)
                X = features.csr(n_features) if self.is_sparse else features.dense(n_features)
                yield X, labels.dense(n_labels, np.empty((own.n_rows, n_labels), np.uint8))

    def _places(self, rows: _Rows, what: str, first: int, n: int) -> Pairs:
        """Return the labels or features of some rows by their numbers, counted from 0."""
        pairs = rows.labels if what == "label" else rows.features
        numbers = pairs.positions
        wrong = (numbers < first) | (numbers >= first + n)
        if wrong.any():
            at = int(np.argmax(wrong))
            why = "is out of range" if numbers[at] >= first else f"lies below first_{what}={first}"
            message = f"the {what} {numbers[at]} {why}; expected {first} to {first + n - 1}"
            raise ValueError(f"{self.path}, line {rows.lines[pairs.rows[at]]}: {message}")
        return pairs._replace(positions=numbers - first)

    def _rows_of_text(self) -> TextRows:
        return TextRows(self.path, self.encoding, self._watch, BLOCK_BYTES, self._header_line + 1)

    def _read_header(self) -> None:
        for number, line in numbered_lines(self.path, self.encoding, self._watch):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            header = _HEADER.fullmatch(text)
            if header is not None:
                self._header = (index_in(header[1]), index_in(header[2]), index_in(header[3]))
                self._header_line = number
                for part, what in enumerate(("rows", "features", "labels")):
                    where = f"{self.path}, line {number}, column {part + 1}"
                    self._watch.count(what, self._header[part], where, what)
            return

    def _read(self, start: int, block: bytes, first: int) -> Iterator[_Rows]:
        texts = [line.partition(b"#")[0].strip() for line in block.split(b"\n")[:-1]]
        kept = [i for i, text in enumerate(texts) if text or self._is_row_empty]
        filled = [i for i in kept if texts[i]]
        try:
            both = self._parsed([texts[i] for i in filled], str(self.path))
        except ValueError:
            for i in filled:
                self._parsed([texts[i]], f"{self.path}, line {first + i}")
            raise
        places = np.searchsorted(kept, filled)
        labels, features = (pairs._replace(n_rows=len(kept), rows=places[pairs.rows]) for pairs in both)
        yield _Rows(start, [first + i for i in kept], labels, features)

    def _parsed(self, texts: Sequence[bytes], where: str) -> tuple[Pairs, Pairs]:
        """Return labels and features of lines that are not empty, by their numbers in the file."""
        from sklearn.datasets import load_svmlight_file

        if not texts:
            nothing = np.zeros(0, np.int64)
            return (Pairs(0, nothing, nothing, nothing),) * 2
        try:
            X, sets = load_svmlight_file(BytesIO(b"\n".join(texts)), multilabel=True, zero_based=True)
            labels = np.array(list(chain.from_iterable(sets)), np.float64)
            if not (np.mod(labels, 1) == 0).all() or (labels < 0).any() or np.isinf(X.data).any():
                raise ValueError("a label is no whole number, or a value is infinite")
        except (ValueError, OverflowError) as error:
            expected = "expected labels and ascending indices, such as '1,3 4:0.5 7:1'"
            raise ValueError(f"{where}: {expected}, found {shown(texts[0].decode())} ({error})") from None
        sizes = np.fromiter(map(len, sets), np.int64, len(texts)), np.diff(X.indptr)
        for what, size, numbers in zip(("labels", "features"), sizes, (labels, X.indices), strict=True):
            self._watch.count(what, int(max(size.max(), numbers.max(initial=0))), where, f"{what} of a row")
        of_label, of_feature = (np.repeat(np.arange(len(texts)), size) for size in sizes)
        ones = np.ones(len(labels), np.uint8)
        features = Pairs(len(texts), of_feature, X.indices.astype(np.int64), X.data)
        return Pairs(len(texts), of_label, labels.astype(np.int64), ones), features

    def _range(self, what: str, ends: Sequence[int], first: int | None, n: int | None) -> tuple[int, int]:
        if not ends and n is None:
            raise ValueError(f"{self.path}: no {what} in any row; expected n_{what}s=")
        low, high = ends or (1, 0)
        first = min(low, 1) if first is None else first
        n = max(high - first + 1, 1) if n is None else n
        if low < first or high >= first + n:
            for rows in self._text.batches(0, self._read):
                self._places(rows, what, first, n)
        return first, n


class _Rows(NamedTuple):
    """Some rows: the position of the first, their lines, and their labels and features by the numbers in the file."""

    start: int
    lines: Sequence[int]
    labels: Pairs
    features: Pairs

    @property
    def n_rows(self) -> int:
        return len(self.lines)

    def cut(self, begin: int, end: int) -> _Rows:
        """Return the rows from ``begin`` to ``end``."""
        pairs = self.labels.cut(begin, end), self.features.cut(begin, end)
        return _Rows(self.start + begin, self.lines[begin:end], *pairs)
