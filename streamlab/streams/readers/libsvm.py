"""Multi-label LibSVM files (``1,3 4:0.5 7:1``) as streams, read in bounded memory."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamlab._checks import checked_choice, checked_count, checked_flag, existing_file, index_in, number_in, shown
from streamlab.schema import Schema, numbered
from streamlab.streams.blocks import is_wide_and_sparse
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._text import TextRows, checked_encoding, numbered_lines, stem_of
from streamlab.streams.stream import Stream
from streamlab.streams.tables.csv_source import read_cells
from streamlab.streams.tables.source import Pairs

__all__ = ["LibsvmStream"]

BLOCK_CELLS = 1 << 18
BLOCK_ROWS = 1024
BLOCK_BYTES = 1 << 18
_LABELS = rb"[0-9]++(?:,[0-9]++)*+(?![^ \t\n])"
_NUMBER = rb"[+-]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+|[+-]?(?i:nan)"
_PAIR = rb"[0-9]++:(?:" + _NUMBER + rb")(?![^ \t\n])"
_ROW = re.compile(rb"[ \t]*+(?:" + _LABELS + rb"|" + _PAIR + rb")?+(?:[ \t]++" + _PAIR + rb")*+[ \t]*+\n")
_ROWS = re.compile(rb"(?:" + _ROW.pattern + rb")*+")
_PARTS = re.compile(rb"[ \t]*+((?:" + _LABELS + rb")?+)([^\n]*+)\n")
_COMMENT = re.compile(rb"#[^\n]*+")
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
            raise self._error(rows.lines[pairs.rows[at]], 1, message)
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
        text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        text = _COMMENT.sub(b"", text) if b"#" in text else text
        found = _ROWS.match(text)
        end = 0 if found is None else found.end()
        if end < len(text):
            self._explain(text[end : text.index(b"\n", end)].decode(), first + text.count(b"\n", 0, end))
        parts = _PARTS.findall(text)
        kept = [i for i, (labels, pairs) in enumerate(parts) if self._is_row_empty or labels or pairs.strip()]
        lines = [first + i for i in kept]
        heads, tails = [parts[i][0] for i in kept], [parts[i][1] for i in kept]
        n_labels = np.array([head.count(b",") + 1 if head else 0 for head in heads], np.int64)
        n_pairs = np.array([tail.count(b":") for tail in tails], np.int64)
        (labels,) = _numbers(b",".join(filter(None, heads)).replace(b",", b"\n"), 1)
        features, values = _numbers(b"\n".join(tails).replace(b" ", b"\n").replace(b"\t", b"\n"), 2)
        of_label, of_feature = np.repeat(np.arange(len(kept)), n_labels), np.repeat(np.arange(len(kept)), n_pairs)
        limits = self._watch.limits
        if ((np.diff(features) <= 0) & (np.diff(of_feature) == 0)).any():
            order = np.lexsort((features, of_feature))
            features, values = features[order], values[order]
        twice = (np.diff(features) == 0) & (np.diff(of_feature) == 0)
        wrong = np.zeros(len(kept), np.bool_)
        wrong[of_label[labels > limits.labels]] = True
        wrong[of_feature[(features > limits.features) | np.isinf(values)]] = True
        wrong[of_feature[1:][twice]] = True
        wrong |= (n_labels > limits.labels) | (n_pairs > limits.features)
        if wrong.any():
            place = int(np.argmax(wrong))
            self._explain((heads[place] + b" " + tails[place]).decode(), lines[place])
        n, ones = len(kept), np.ones(len(labels), np.uint8)
        features_of = Pairs(n, of_feature, features.astype(np.int64), values)
        yield _Rows(start, lines, Pairs(n, of_label, labels.astype(np.int64), ones), features_of)

    def _explain(self, text: str, line: int) -> None:
        """Raise a ValueError that says which part of a line is wrong, and why."""
        # One part more than a row may have: a line of millions of them would take hundreds of bytes for each.
        most_labels, most_features = self._watch.limits.labels, self._watch.limits.features
        parts = text.split(None, most_features + 1)
        self._watch.count(
            "features", len(parts) - 1, f"{self.path}, line {line}, column {len(parts)}", "pairs in the row"
        )
        has_labels = bool(parts) and ":" not in parts[0]
        labels = parts[0].split(",", most_labels) if has_labels else []
        self._watch.count("labels", len(labels), f"{self.path}, line {line}, column 1", "labels in the row")
        for label in labels:
            if not (label.isascii() and label.isdigit()):
                raise self._error(line, 1, f"expected labels such as '1,3', found {shown(parts[0])}")
            if index_in(label) > most_labels:
                raise self._beyond("label", label, line, 1)
        seen: set[int] = set()
        for at in range(has_labels, len(parts)):
            index, colon, cell = parts[at].partition(":")
            value = number_in(cell)
            if not colon or not (index.isascii() and index.isdigit()) or value is None:
                raise self._error(line, at + 1, f"expected 'index:value', found {shown(parts[at])}")
            if math.isinf(value):
                raise self._error(line, at + 1, f"expected a finite number, found {shown(cell)}")
            feature = index_in(index)
            if feature > most_features:
                raise self._beyond("feature", index, line, at + 1)
            if feature in seen:
                raise self._error(line, at + 1, f"the feature {feature} occurs twice; expected it once")
            seen.add(feature)
        raise self._error(line, 1, f"expected a row such as '1,3 4:0.5 7:1', found {shown(text)}")

    def _beyond(self, what: str, digits: str, line: int, part: int) -> ValueError:
        """Return the error of a label or feature whose number is above the limit of their count."""
        most = getattr(self._watch.limits, f"{what}s")
        found = f"the {what} {shown(digits)} is above the limit of {most:,} {what}s"
        return self._watch.over(f"{what}s", f"{self.path}, line {line}, column {part}", found)

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

    def _error(self, line: int, part: int, what: str) -> ValueError:
        return ValueError(f"{self.path}, line {line}, column {part}: {what}")


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


def _numbers(text: bytes, n_columns: int) -> list[np.ndarray]:
    """Return the columns of lines of numbers with a colon between, all of which are known to be numbers."""
    import pyarrow as pa

    table = read_cells(text, n_columns, {str(j): pa.float64() for j in range(n_columns)}, ":", missing=None)
    return [column.to_numpy() for column in table.columns]
