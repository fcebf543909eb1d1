"""Posts with tags as streams: texts hashed into sparse rows, tags split into labels, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_count, existing_file, few, near, shown, within
from streamlab.schema import MOST_NUMBERED, NumberedFeatures, Schema
from streamlab.streams._sparse import csr_rows
from streamlab.streams.guess.layout import Layout
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._table_source import CsvTable, ParquetTexts, Table
from streamlab.streams.readers._text import checked_encoding, stem_of
from streamlab.streams.stream import Stream

if TYPE_CHECKING:
    from sklearn.feature_extraction.text import HashingVectorizer

__all__ = ["TextStream"]

SEPARATORS = ("|", ";", ",")
_FLAGS = {
    "0": 0,
    "1": 1,
    "0.0": 0,
    "1.0": 1,
    "-1": 0,
    "+1": 1,
    "false": 0,
    "true": 1,
    "no": 0,
    "yes": 1,
    "nein": 0,
    "ja": 1,
}


class TextStream(Stream):
    """Texts of a CSV or Parquet file as hashed words, with their tags as labels; sparse, and read in bounded memory.

    Words become columns by scikit-learn's ``HashingVectorizer``, which has no vocabulary: nothing has to be learned
    before the stream begins, and words that come later have their place already.

    Parameters
    ----------
    path
        The file: ``.csv``, also with ``.gz``, or ``.parquet``.
    text
        The column of the texts, or several, which are put one behind the other. A text that is missing has no words.
    labels
        The column of tags, split at ``tag_separator`` (in Parquet it may hold lists of texts too). Or a list of
        columns of 0 and 1, or true and false.
    tag_separator
        What stands between two tags. None (default): ``<a><b>`` where the first tags look like that; else ``|``, ``;``
        or a comma, the first of these that they contain; else each cell is one tag. "": each cell is one tag.
    n_labels
        Keep this many tags, those that most rows have. None (default): all.
    n_features
        Columns into which words are hashed, 1 to 4,194,304; default 2^18.
    vectorizer
        A ``HashingVectorizer`` of your own, in place of ``n_features``. Default: scikit-learn's defaults (lower-case
        words of two letters or more, counts with signs, rows of length 1).
    separator, encoding
        Of a CSV file, as in ``CsvStream``.
    header, skip_lines
        Whether the first row of a CSV file holds names (default; else they are ``column 1`` and so on), and how many
        lines stand above it.
    limits, cancel
        As in ``CsvStream``; the number of features is not limited here.

    Attributes
    ----------
    schema : Schema
        Numeric features ``h0``, ``h1`` …, the numbers of the hashes; the labels, those of most rows first.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line or row, and column: no such column, no tags, a label that is not
        0 or 1, a limit passed; as ``CsvStream`` and ``ParquetStream`` for files that cannot be read.

    Notes
    -----
    Opening reads the file once, to find the tags and the number of rows.

    References
    ----------
    Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "questions.csv"
    ...     _ = path.write_text("title,tags\\nhow to tune a violin,music|strings\\nhow to bake bread,food\\n")
    ...     stream = TextStream(path, text="title", labels="tags")
    ...     chunk = next(stream.chunks(10))
    >>> sorted(stream.schema.labels), chunk.X.shape
    (['food', 'music', 'strings'], (2, 262144))
    """

    is_sparse = True

    def __init__(
        self,
        path: str | Path,
        *,
        text: str | Sequence[str],
        labels: str | Sequence[str],
        tag_separator: str | None = None,
        n_labels: int | None = None,
        n_features: int = 1 << 18,
        vectorizer: HashingVectorizer | None = None,
        separator: str = ",",
        encoding: str = "utf-8",
        header: bool = True,
        skip_lines: int = 0,
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
    ) -> None:
        self.path = existing_file(path)
        self._watch = LoadWatch(self.path, limits, cancel)
        self.name = stem_of(self.path)
        self._vectorizer = _checked_vectorizer(vectorizer, n_features)
        checked_count("n_labels", n_labels, 1, optional=True)
        if tag_separator is not None and not isinstance(tag_separator, str):
            raise ValueError(f"tag_separator={tag_separator!r}: expected a text such as '|', or None")
        self._table: Table
        if self.path.suffix.lower() == ".parquet":
            if separator != "," or encoding != "utf-8" or not header or skip_lines:
                raise ValueError(
                    f"{self.path}: separator=, encoding=, header= and skip_lines= do not go with a Parquet file"
                )
            self._table = ParquetTexts(self.path, self._watch)
        else:
            layout = Layout(separator, ".", checked_encoding(encoding), header, skip_lines)
            self._table = CsvTable(self.path, layout, self._watch, rename=False)
        self._text = self._columns("text=", [text] if isinstance(text, str) else text)
        self._tags = labels if isinstance(labels, str) else None
        self._flags = self._columns("labels=", [labels] if isinstance(labels, str) else labels)
        both = set(self._text) & set(self._flags)
        if both:
            raise ValueError(f"{self.path}: {shown(min(both))} is named in text= and in labels=; expected it in one")
        if self._tags is None and (n_labels is not None or tag_separator is not None):
            raise ValueError("n_labels= and tag_separator= go with labels= of one column of tags, not with a list")
        self._separator = tag_separator
        self.n_rows, names = self._scan(n_labels)
        self._watch.count("labels", len(names), str(self.path), "labels")
        self._places = {name: j for j, name in enumerate(names)}
        with within(str(self.path)):
            self.schema = Schema(NumberedFeatures(self._vectorizer.n_features, "h"), names)
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        for places, cells in self._cells(start, [*self._text, *self._flags]):
            X = self._vectorizer.transform(_joined([cells[name] for name in self._text]))
            X.sort_indices()
            yield csr_rows(X.indptr, X.indices, X.data, X.shape[1]), self._labels_of(places, cells)

    def _cells(self, start: int, names: list[str]) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
        """Yield the lines or numbers of rows from ``start`` on, and their cells by column: texts, lists or None."""
        for places, cells in self._table.blocks(start, [self._table.columns.index(name) for name in names]):
            yield places, dict(zip(names, cells, strict=True))

    def _labels_of(self, places: Sequence[int], cells: dict[str, list[Any]]) -> np.ndarray:
        Y = np.zeros((len(places), len(self._places)), np.uint8)
        if self._tags is not None:
            for row, cell in enumerate(cells[self._tags]):
                for tag in self._split(cell):
                    label = self._places.get(tag)
                    # a rare one that is not kept
                    if label is not None:
                        Y[row, label] = 1
            return Y
        for j, name in enumerate(self._flags):
            for row, cell in enumerate(cells[name]):
                flag = _FLAGS.get(str(cell).strip().lower())
                if flag is None:
                    where = self._table.place(places[row], self._table.columns.index(name))
                    raise ValueError(f"{where}: expected the label to be 0 or 1, found {shown(cell)}")
                Y[row, j] = flag
        return Y

    def _columns(self, argument: str, names: Any) -> list[str]:
        """Return the columns that are named; raise a ValueError if one is not there, or twice."""
        known = self._table.columns
        wanted = list(names) if isinstance(names, (list, tuple)) else []
        if not wanted or len({str(name) for name in wanted}) < len(wanted):
            raise ValueError(
                f"{self.path}: {argument}{names!r}: expected the name of a column, or a list of different ones"
            )
        for name in wanted:
            if name not in known:
                hint = near(str(name), known)
                raise ValueError(
                    f"{self.path}: {argument} names {shown(name)}, which is not a column{hint} ({few(known)})"
                )
        return wanted

    def _scan(self, n_labels: int | None) -> tuple[int, tuple[str, ...]]:
        """Return the number of rows and the labels."""
        n_rows = 0
        found: Counter[str] = Counter()
        place = self._table.columns.index(self._flags[0])
        for places, cells in self._cells(0, self._flags):
            n_rows += len(places)
            where = self._table.place(places[-1], place)
            self._watch.count("rows", n_rows, where, "rows")
            if self._tags is None:
                continue
            if self._separator is None and not found:
                self._separator = _separator_of(cells[self._tags])
            tags = Counter(tag for cell in cells[self._tags] for tag in dict.fromkeys(self._split(cell)))
            new = [tag for tag in tags if tag not in found]
            self._watch.names(sum(map(len, new)), where, len(new))
            found.update(tags)
            if n_labels is None:
                self._watch.count("labels", len(found), where, "different tags (n_labels= keeps the most frequent)")
        if n_rows == 0:
            raise ValueError(f"{self.path}: no rows; expected at least one")
        if self._tags is None:
            return n_rows, tuple(self._flags)
        if not found:
            raise ValueError(f"{self.path}, column {shown(self._tags)}: no tag in any row; expected at least one")
        order = sorted(found, key=lambda tag: (-found[tag], tag))
        return n_rows, tuple(order[:n_labels])

    def _split(self, cell: Any) -> list[str]:
        """Return the tags of a cell: a text, a list of texts, or None."""
        if cell is None:
            return []
        if isinstance(cell, list):
            parts = [str(part) for part in cell if part is not None]
        elif self._separator == "><":
            parts = cell.strip().removeprefix("<").removesuffix(">").split("><")
        else:
            parts = [cell] if not self._separator else cell.split(self._separator)
        return [tag for part in parts if (tag := part.strip())]


def _checked_vectorizer(vectorizer: Any, n_features: int) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    if vectorizer is None:
        return HashingVectorizer(n_features=checked_count("n_features", n_features, 1, MOST_NUMBERED))
    if not isinstance(vectorizer, HashingVectorizer):
        raise ValueError(
            f"vectorizer={type(vectorizer).__name__}: expected scikit-learn's HashingVectorizer, which needs no fit"
        )
    if n_features not in (1 << 18, vectorizer.n_features):
        raise ValueError(f"n_features={n_features!r}: the vectorizer has {vectorizer.n_features}; expected one of both")
    checked_count("vectorizer.n_features", vectorizer.n_features, 1, MOST_NUMBERED)
    if np.dtype(vectorizer.dtype) != np.float64:
        raise ValueError(f"vectorizer.dtype={np.dtype(vectorizer.dtype)}: expected float64")
    return vectorizer


def _joined(columns: list[list[Any]]) -> list[str]:
    """Return one text for each row."""
    if len(columns) == 1:
        return ["" if cell is None else str(cell) for cell in columns[0]]
    return ["\n".join(str(cell) for cell in cells if cell is not None) for cells in zip(*columns, strict=True)]


def _separator_of(cells: list[Any]) -> str | None:
    """Return the separator between the tags of these cells; "" if each is one tag; None if all are empty."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    if not texts:
        return None
    if all(text.startswith("<") and text.endswith(">") for text in texts):
        return "><"
    return next((each for each in SEPARATORS if any(each in text for text in texts)), "")
