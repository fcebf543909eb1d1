"""Multi-label LibSVM files (``1,3 4:0.5 7:1``) as streams, read in bounded memory."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.schema import Schema, numbered
from streamlab.streams._checks import LONGEST_INDEX, index_in, is_count, number_in, shown
from streamlab.streams._sparse import checked_sparse, csr_rows, is_wide_and_sparse
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._text import checked_encoding, existing_file, numbered_lines, stem_of
from streamlab.streams.stream import Stream

__all__ = ["LibsvmStream"]

BLOCK_CELLS = 1 << 18
BLOCK_ROWS = 1024
_HEADER = re.compile(r"(\d+)\s+(\d+)\s+(\d+)")


class LibsvmStream(Stream):
    """A multi-label LibSVM file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``. Each line holds the labels, separated by commas or
        left out, then ``index:value`` pairs; what is left out is 0. A first line of three numbers (rows, features,
        labels), as the extreme-classification repository writes it, is read as such.
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
        On opening and while reading, naming file, line and column (the n-th part of the line): no rows, a label that
        is not a number, an invalid pair, a feature that occurs twice, an infinite value, an index out of range,
        a limit passed.

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
            if value is not None and (not is_count(value) or value < 1):
                raise ValueError(f"{what}={value!r} must be an integer of at least 1")
        for what, value in (("first_feature", first_feature), ("first_label", first_label)):
            if value not in (None, 0, 1) or isinstance(value, bool):
                raise ValueError(f"{what}={value!r} must be 0 or 1, or None to find out")
        wanted = checked_sparse(sparse)
        self._header: tuple[int, int, int] | None = None
        self._header_line = 0
        seen = _Seen()
        n_rows = 0
        for line, labels, pairs in self._lines():
            n_rows += 1
            if n_rows > self._watch.limits.rows:
                self._watch.count("rows", n_rows, f"{self.path}, line {line}", "rows")
            seen.add(labels, pairs, line)
        if n_rows == 0:
            raise ValueError(f"{self.path}: no rows; expected lines such as '1,3 4:0.5 7:1'")
        if self._header is not None:
            if self._header[0] != n_rows:
                raise ValueError(
                    f"{self.path}, line {self._header_line}, column 1: the header says {self._header[0]:,} rows, "
                    f"the file has {n_rows:,}"
                )
            n_features, n_labels = n_features or self._header[1], n_labels or self._header[2]
        zero = None if self._header is None else 0
        self.n_rows = n_rows
        self._first_feature, n_features = self._range(
            "feature", seen.features, first_feature if first_feature is not None else zero, n_features
        )
        self._first_label, n_labels = self._range(
            "label", seen.labels, first_label if first_label is not None else zero, n_labels
        )
        place = f"{self.path}, line {self._header_line}" if self._header is not None else str(self.path)
        self._watch.columns(n_features, n_labels, place)
        self.is_sparse = is_wide_and_sparse(seen.n_pairs, n_rows, n_features) if wanted is None else wanted
        self.schema = Schema(
            numbered(n_features, first=self._first_feature),
            tuple(str(self._first_label + j) for j in range(n_labels)),
        )
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        if self.is_sparse:
            yield from self._sparse_blocks(start)
            return
        n_features, n_labels = self.schema.n_features, self.schema.n_labels
        room = max(1, min(BLOCK_ROWS, BLOCK_CELLS // max(n_features, n_labels)))
        X, Y, row = np.zeros((room, n_features)), np.zeros((room, n_labels), np.uint8), 0
        for line, labels, pairs in self._lines(start):
            try:
                for label in labels:
                    Y[row, self._place(label, self._first_label, n_labels)] = 1
                for index, value in pairs.items():
                    X[row, self._place(index, self._first_feature, n_features)] = value
            except IndexError:
                raise ValueError(f"{self.path}, line {line}: the file has changed since it was opened") from None
            row += 1
            if row == room:
                yield X, Y
                X, Y, row = np.zeros((room, n_features)), np.zeros((room, n_labels), np.uint8), 0
        if row:
            yield X[:row], Y[:row]

    def _sparse_blocks(self, start: int) -> Iterator[tuple[Any, np.ndarray]]:
        n_features, n_labels = self.schema.n_features, self.schema.n_labels
        room = max(1, min(BLOCK_ROWS, BLOCK_CELLS // n_labels))
        indptr, indices, data, Y = [0], [], [], np.zeros((room, n_labels), np.uint8)
        for line, labels, pairs in self._lines(start):
            row = len(indptr) - 1
            try:
                for label in labels:
                    Y[row, self._place(label, self._first_label, n_labels)] = 1
                for index in sorted(pairs):
                    indices.append(self._place(index, self._first_feature, n_features))
                    data.append(pairs[index])
            except IndexError:
                raise ValueError(f"{self.path}, line {line}: the file has changed since it was opened") from None
            indptr.append(len(data))
            if len(indptr) > room or len(data) > BLOCK_CELLS:
                yield csr_rows(indptr, indices, data, n_features), Y[: row + 1]
                indptr, indices, data, Y = [0], [], [], np.zeros((room, n_labels), np.uint8)
        if len(indptr) > 1:
            yield csr_rows(indptr, indices, data, n_features), Y[: len(indptr) - 1]

    @staticmethod
    def _place(index: int, first: int, n: int) -> int:
        if not first <= index < first + n:
            raise IndexError
        return index - first

    def _lines(self, start: int = 0) -> Iterator[tuple[int, list[int], dict[int, float]]]:
        """Yield each row: its line, the numbers of its labels, and its pairs."""
        begun = False
        for number, text in numbered_lines(self.path, self.encoding, self._watch):
            text = text.partition("#")[0]
            if not text.strip():
                continue
            if not begun:
                begun = True
                header = _HEADER.fullmatch(text.strip())
                if header is not None:
                    self._header = (index_in(header[1]), index_in(header[2]), index_in(header[3]))
                    self._header_line = number
                    for part, what in enumerate(("rows", "features", "labels")):
                        where = f"{self.path}, line {number}, column {part + 1}"
                        self._watch.count(what, self._header[part], where, what)
                    continue
            if start > 0:
                start -= 1
                continue
            yield number, *self._row(text, number)

    def _row(self, text: str, line: int) -> tuple[list[int], dict[int, float]]:
        # One part more than a row may have: a line of millions of them would take hundreds of bytes for each.
        most_labels, most_features = self._watch.limits.labels, self._watch.limits.features
        parts = text.split(None, most_features + 1)
        if len(parts) > most_features + 1:
            what = f"more than {most_features:,} pairs in the row"
            raise self._watch.over("features", f"{self.path}, line {line}, column {most_features + 2}", what)
        labels: list[int] = []
        first_pair = 0
        if parts and ":" not in parts[0]:
            first_pair = 1
            for n, label in enumerate(parts[0].split(",", most_labels)):
                if n == most_labels:
                    what = f"more than {most_labels:,} labels in the row"
                    raise self._watch.over("labels", f"{self.path}, line {line}, column 1", what)
                if not (label.isascii() and label.isdigit()):
                    raise self._error(line, 1, f"expected labels such as '1,3', found {shown(parts[0])}")
                number = int(label) if len(label) < LONGEST_INDEX else index_in(label)
                if number > most_labels:
                    raise self._beyond("label", label, line, 1)
                labels.append(number)
        pairs: dict[int, float] = {}
        for at in range(first_pair, len(parts)):
            index, colon, cell = parts[at].partition(":")
            value = number_in(cell)
            if not colon or not (index.isascii() and index.isdigit()) or value is None:
                raise self._error(line, at + 1, f"expected 'index:value', found {shown(parts[at])}")
            if math.isinf(value):
                raise self._error(line, at + 1, f"expected a finite number, found {shown(cell)}")
            feature = int(index) if len(index) < LONGEST_INDEX else index_in(index)
            if feature > most_features:
                raise self._beyond("feature", index, line, at + 1)
            if feature in pairs:
                raise self._error(line, at + 1, f"the feature {feature} occurs twice; expected it once")
            pairs[feature] = value
        return labels, pairs

    def _beyond(self, what: str, digits: str, line: int, part: int) -> ValueError:
        """Return the error of a label or feature whose number is above the limit of their count."""
        most = getattr(self._watch.limits, f"{what}s")
        found = f"the {what} {shown(digits)} is above the limit of {most:,} {what}s"
        return self._watch.over(f"{what}s", f"{self.path}, line {line}, column {part}", found)

    def _range(self, what: str, seen: dict[str, int], first: int | None, n: int | None) -> tuple[int, int]:
        if not seen and n is None:
            raise ValueError(f"{self.path}: no {what} in any row; expected n_{what}s=")
        low, high = seen.get("low", 1), seen.get("high", 0)
        if first is None:
            first = 0 if low == 0 else 1
        if low < first:
            raise self._error(seen["low_line"], 1, f"the {what} {low} lies below first_{what}={first}")
        if n is None:
            n = high - first + 1
        if high >= first + n:
            raise self._error(
                seen["high_line"], 1, f"the {what} {high} is out of range; expected {first} to {first + n - 1}"
            )
        return first, n

    def _error(self, line: int, part: int, what: str) -> ValueError:
        return ValueError(f"{self.path}, line {line}, column {part}: {what}")


class _Seen:
    """The lowest and highest numbers of labels and features, and their lines."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.features: dict[str, int] = {}
        self.n_pairs = 0

    def add(self, labels: list[int], pairs: dict[int, float], line: int) -> None:
        self.n_pairs += len(pairs)
        for seen, numbers in ((self.labels, labels), (self.features, pairs)):
            if not numbers:
                continue
            low, high = min(numbers), max(numbers)
            if not seen or low < seen["low"]:
                seen["low"], seen["low_line"] = low, line
            if "high" not in seen or high > seen["high"]:
                seen["high"], seen["high_line"] = high, line
