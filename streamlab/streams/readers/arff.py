"""ARFF files in both multi-label dialects, MEKA's and MULAN's, and Clus's, as tables whose header says the roles."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from streamlab._checks import (
    check_only,
    check_unique,
    checked_flag,
    existing_file,
    few,
    number_in,
    shown,
    within,
)
from streamlab.schema import Feature
from streamlab.streams.blocks import WIDE
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._text import TextRows, checked_encoding
from streamlab.streams.readers.arff_header import choose_labels, declared, key_of, protected, read_header, unprotected
from streamlab.streams.tables.csv_source import Ragged, block_bytes, read_cells
from streamlab.streams.tables.guess import Guess, guess_of
from streamlab.streams.tables.kinds import LABELS, ColumnGuess
from streamlab.streams.tables.opening import WORDS, say
from streamlab.streams.tables.roles import Named
from streamlab.streams.tables.source import Batch, Pairs, Source, n_rows_of
from streamlab.streams.tables.table_stream import TableStream

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ArffStream"]

# after quotes are gone: blanks between cells, gaps with blanks around, and lines of nothing
_ROWS_ALIKE = re.compile(rb"(?:[ \t\r]*+(?:\{[^\n]*+)?\n)+|(?:[ \t\r]*+(?:[^{ \t\r\n][^\n]*+)?\n)+")
_COMMENT = re.compile(rb"[ \t]*+(?<![^ \t\n])%[^\n]*")
_BLANK_LINE = re.compile(rb"(?<![^\n])[ \t]+(?=\r?\n)")
_GAP = re.compile(rb"[ \t]*(?<![^,\s])\?[ \t]*(?=[,}\r\n])")
_LAST_COMMA = re.compile(rb"[ \t]*,[ \t]*(?=\r?\n)")
_BETWEEN = re.compile(rb"[ \t]*,[ \t]*|[ \t]+")
_AROUND = re.compile(rb"(?<![^\n])[ \t]+|[ \t,]+(?=\r?\n)")
_IN_BRACES = re.compile(rb"[ \t]*([,{}])[ \t]*|[ \t]+")
_COMMAS = bytes.maketrans(b",", b"\n")
ARFF_NAMED = ("classes", "tags", "text", "features", "title", "moment", "tag_separator", "hierarchy")
"""What may be said of attributes: the header says which are nominal, and ``?`` alone is missing."""


class WrongCell(ValueError):
    """Raised for a cell or row that is wrong: the row among those that are read, and what to say of it."""

    def __init__(self, row: int, position: int, what: str) -> None:
        super().__init__(what)
        self.row, self.position, self.what = row, position, what


class ArffSource(Source):
    """The rows of an ARFF file: numeric attributes as numbers, nominal ones as the places of their categories.

    Parameters
    ----------
    path, encoding, watch
        The file, what it is written in, and the limits that hold.
    """

    def __init__(self, path: Path, encoding: str, watch: LoadWatch) -> None:
        import pyarrow as pa

        self.path, self.watch = path, watch
        self.header = read_header(path, encoding, watch)
        self.attributes = self.header.attributes
        self.columns = [attribute.name for attribute in self.attributes]
        check_unique(f"{path}: the attribute", self.columns)
        self.as_words = set(range(len(self.columns)))
        self._text = TextRows(path, encoding, watch, block_bytes(len(self.columns)), self.header.data_line + 1)
        kinds = dict.fromkeys(attribute.categories for attribute in self.attributes)
        at = {categories: k for k, categories in enumerate(kinds)}
        self._kind = np.array([at[attribute.categories] for attribute in self.attributes])
        self._categories = list(kinds)
        self._declared = [categories and pa.array(categories) for categories in kinds]
        # as in the file, and in quotes
        self._words = [pa.array([*(c if c == c.strip() else key_of(c) for c in k), *map(key_of, k)]) if k else None
                       for k in kinds]  # fmt: skip
        self._is_loose = False
        first = self._first_row()
        cells = first.split(b",")
        n = len(self.columns)
        self.is_sparse = first.startswith(b"{")
        self._ends_in_comma = len(cells) == n + 1 and not cells[-1].strip()
        self._has_blanks = len(cells) < n and len(_BETWEEN.split(_AROUND.sub(b"", first + b"\n").strip())) == n

    def _first_row(self) -> bytes:
        for block, *_ in self._text.blocks():
            for line in _plain(block).split(b"\n"):
                if line.strip():
                    return line.strip()
        raise ValueError(f"{self.path}: no rows after @data (line {self.header.data_line}); expected at least one")

    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        return self._text.batches(start, partial(self._read, positions))

    def _read(self, positions: Sequence[int], at: int, block: bytes, line: int) -> Iterator[Batch]:
        first, most = at, n_rows_of(positions)
        for run in _ROWS_ALIKE.findall(_plain(block)):
            found, wrong = self._good_rows(run, positions)
            found = found._replace(start=at, text=block, line=line, skipped=at - first)
            for begin in range(0, found.n_rows, most):
                yield found.cut(begin, begin + most)
            at += found.n_rows
            if wrong is not None:
                where = self.place(Batch([], at, block, line, at - first), 0, max(wrong.position, 0))
                raise ValueError((where if wrong.position >= 0 else where.partition(", column")[0]) + wrong.what)

    def _good_rows(self, run: bytes, positions: Sequence[int]) -> tuple[Batch, WrongCell | None]:
        """Return the rows up to the first that is wrong: a run of learners can be followed up to there."""
        wrong: WrongCell | None = None
        while True:
            try:
                return self._rows(run, positions), wrong
            except WrongCell as error:
                wrong, rows = error, [row for row in run.split(b"\n") if row.strip()]
                run = b"\n".join([*rows[: error.row], b""])

    def place(self, batch: Batch, row: int, position: int) -> str:
        lines = enumerate(batch.text.split(b"\n"), batch.line)
        rows = (number for number, text in lines if text.strip() and not text.lstrip().startswith(b"%"))
        number = next(number for i, number in enumerate(rows) if i == batch.skipped + row)
        return f"{self.path}, line {number}, column {position + 1} ({shown(self.columns[position])})"

    def declared(self) -> list[ColumnGuess]:
        return list(map(declared, self.attributes))

    def is_of_numbers(self, position: int) -> bool:
        return not self.attributes[position].kind

    def feature_of(self, position: int) -> Feature | None:
        own = self.attributes[position]
        return None if own.kind else Feature(own.name, own.categories, own.low, own.high)

    def labels_of(self, position: int) -> Mapping[str, tuple[str, ...]] | None:
        own = self.attributes[position]
        return own.above or (dict.fromkeys(own.categories, ()) if own.categories else None)

    # ------------------------------------------------------------------ rows of one kind

    def _rows(self, run: bytes, positions: Sequence[int]) -> Batch:
        """Return rows that are all sparse or all dense; they are tidied where they cannot be read as they are."""
        import pyarrow as pa

        if not run.strip():
            return Batch([], 0)
        read = self._sparse_rows if run.lstrip()[:1] == b"{" else self._dense_rows
        if not self._is_loose:
            try:
                return read(run, positions)
            except (WrongCell, pa.ArrowInvalid):
                pass
        run = self._tidied(run)
        try:
            found = read(run, positions)
        except pa.ArrowInvalid:
            self._explain(run, positions)
        self._is_loose = True
        return found

    def _tidied(self, run: bytes) -> bytes:
        """Return rows without blanks around cells, commas at the end of a row, and lines of blanks."""
        run = _BLANK_LINE.sub(b"", run)
        if run.lstrip()[:1] == b"{":
            return _IN_BRACES.sub(lambda match: match[1] or b" ", run)
        run = _GAP.sub(b"?", run)
        if self._has_blanks:
            return _BETWEEN.sub(b",", _AROUND.sub(b"", run))
        return _LAST_COMMA.sub(b"", run) if self._ends_in_comma else run

    def _dense_rows(self, run: bytes, positions: Sequence[int]) -> Batch:
        import pyarrow as pa

        is_text = {p: self.attributes[p].kind != "" for p in positions}
        numeric = {p for p in positions if self._categories[self._kind[p]] is None and not is_text[p]}
        kinds = {str(p): pa.float64() if p in numeric else pa.string() for p in positions}
        table = self._table(run, kinds)
        columns = {p: column.chunk(0) for p, column in zip(positions, table.columns, strict=True)}
        words = [p for p in positions if not is_text[p] and p not in numeric]
        for kind in dict.fromkeys(self._kind[words].tolist()):
            own = [p for p in words if self._kind[p] == kind]
            joined = pa.concat_arrays([columns[p] for p in own])
            values = self._checked(kind, joined, np.repeat(own, len(table)), np.tile(np.arange(len(table)), len(own)))
            columns.update(zip(own, map(self._as_column, own, values.reshape(len(own), -1)), strict=True))
        for p in positions:
            if is_text[p]:
                columns[p] = pa.array([cell and unprotected(cell) for cell in columns[p].to_pylist()], pa.string())
        return Batch([columns[p] for p in positions], 0)

    def _table(self, run: bytes, kinds: Mapping[str, pa.DataType]) -> pa.Table:
        n_columns = len(self.columns)
        try:
            return read_cells(run, n_columns, kinds, ",", missing="?")
        except Ragged as error:
            what = f": expected {n_columns} values in the row, found {error.found}"
            raise WrongCell(error.row, min(error.found, n_columns - 1), what) from None

    def _as_column(self, position: int, values: np.ndarray) -> pa.Array:
        """Return numbers, or places among categories, as a column: of labels as words."""
        import pyarrow as pa

        categories = self.attributes[position].categories
        if position not in self.as_words or categories is None:
            return pa.array(values)
        gaps = np.isnan(values)
        mask = gaps if gaps.any() else None
        codes = pa.array((values if mask is None else np.where(gaps, 0, values)).astype(np.int32), mask=mask)
        return pa.DictionaryArray.from_arrays(codes, self._declared[self._kind[position]])

    def _values(self, kind: int, texts: pa.Array) -> np.ndarray:
        """Return what cells of a kind of attributes stand for: NaN where there is none, infinity for what is wrong."""
        import pyarrow as pa
        import pyarrow.compute as pc

        words = self._words[kind]
        if words is None:
            try:
                return texts.cast(pa.float64()).to_numpy(zero_copy_only=False)
            except pa.ArrowInvalid:
                found = [math.nan if text is None else number_in(text) for text in texts.to_pylist()]
                return np.array([math.inf if number is None else number for number in found])
        codes = pc.index_in(texts, words)
        if codes.null_count > texts.null_count:
            codes = pc.coalesce(codes, pc.index_in(pc.utf8_trim_whitespace(texts), words))
        wrong = codes.is_null().to_numpy(False) & texts.is_valid().to_numpy(False) if codes.null_count else None
        values = codes.to_numpy(False) % (len(words) / 2)
        return values if wrong is None else np.where(wrong, math.inf, values)

    def _checked(self, kind: int, texts: pa.Array, index: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return what cells stand for; raise a WrongCell for the first that is wrong."""
        values = self._values(kind, texts)
        if (wrong := np.flatnonzero(np.isinf(values))).size:
            place = int(wrong[np.argmin(rows[wrong])])
            raise WrongCell(int(rows[place]), int(index[place]), self._wrong(kind, texts[place].as_py()))
        return values

    def _wrong(self, kind: int, text: str) -> str:
        found, categories = shown(unprotected(text.strip())), self._categories[kind]
        if categories is not None:
            return f": unknown value {found}; expected one of {few(categories)}"
        what = "a number or '?'" if number_in(text) is None else "a finite number"
        return f": expected {what}, found {found}"

    def _sparse_rows(self, run: bytes, positions: Sequence[int]) -> Batch:
        import pyarrow as pa

        run = run.replace(b"\r", b"") if b"\r" in run else run
        at = np.frombuffer(run, np.uint8)
        ends = np.flatnonzero((at[1:] == 10) & (at[:-1] != 10)) + 1
        n_rows, n_columns = len(ends), len(self.columns)
        n_pairs = np.diff(np.searchsorted(np.flatnonzero(at == 44), ends), prepend=0) + 1
        n_pairs[np.searchsorted(ends, [match.start() for match in re.finditer(rb"\{\}", run)])] = 0
        rows = np.repeat(np.arange(n_rows), n_pairs)
        kinds = {"0": pa.int64(), "1": pa.dictionary(pa.int32(), pa.string())}
        try:
            table = read_cells(run.translate(_COMMAS, b"{}"), 2, kinds, " ", missing="?")
        except Ragged as error:
            raise pa.ArrowInvalid("no pairs") from error
        index, cells = table.column(0).to_numpy(), table.column(1).combine_chunks()
        order = rows * n_columns + index if len(rows) == len(index) else rows
        sort = np.argsort(order, kind="stable") if (np.diff(order) <= 0).any() else None
        if (
            not run.count(b"{") == run.count(b"}\n") == run.count(b"}") == n_rows
            or len(index) != len(rows)
            or index.dtype != np.int64
            or ((index < 0) | (index >= n_columns)).any()
            or (sort is not None and (np.diff(order[sort]) == 0).any())
        ):
            raise pa.ArrowInvalid("no sparse rows")
        codes, texts = cells.indices.fill_null(-1).to_numpy(), cells.dictionary
        wanted = np.zeros(n_columns, np.bool_)
        wanted[list(positions)] = True
        if sort is not None:
            rows, index, codes = rows[sort], index[sort], codes[sort]
        strings = [p for p in positions if self.attributes[p].kind]
        own_words = {}
        for p in strings:
            own = (index == p) & (codes >= 0)
            found = dict(zip(rows[own].tolist(), texts.take(pa.array(codes[own])).to_pylist(), strict=True))
            cells_of = [unprotected(found[row]) if row in found else None for row in range(n_rows)]
            own_words[p] = pa.array(cells_of, pa.string())
        wanted[strings] = False
        if not wanted.all():
            chosen = wanted[index]
            rows, index, codes = rows[chosen], index[chosen], codes[chosen]
        values = np.zeros(len(index))
        kind_of = self._kind[index]
        for kind in np.flatnonzero(np.bincount(kind_of)).tolist():
            own = kind_of == kind
            table_of = np.append(self._values(kind, texts), math.nan)
            values[own] = table_of[codes[own]]
            if (wrong := own & np.isinf(values)).any():
                self._checked(kind, texts.take(pa.array(codes[wrong])), index[wrong], rows[wrong])
        pairs = Pairs(n_rows, rows, index, values)
        words = [p for p in positions if p in self.as_words and p not in own_words]
        dense = pairs.among(words, n_columns).dense(len(words))
        own_words.update(zip(words, map(self._as_column, words, dense.T), strict=True))
        return Batch([own_words.get(p) for p in positions], 0, pairs=pairs)

    def _explain(self, run: bytes, positions: Sequence[int]) -> NoReturn:
        """Raise a WrongCell that says which row is wrong, and where."""
        import pyarrow as pa

        rows = [row for row in run.decode().split("\n") if row.strip()]
        if rows[0].lstrip()[:1] == "{":
            for number, text in enumerate(rows):
                try:
                    self._sparse_rows(f"{text}\n".encode(), positions)
                except WrongCell as error:
                    raise WrongCell(number, error.position, error.what) from None
                except pa.ArrowInvalid:
                    what = f"expected an index from 0 to {len(self.columns) - 1}, once, and a value in each pair"
                    raise WrongCell(number, -1, f": {what}, found {shown(unprotected(text))}") from None
        numeric = [p for p in positions if self._words[self._kind[p]] is None and not self.attributes[p].kind]
        table = self._table(run, {str(p): pa.string() for p in numeric})
        columns = [
            self._values(self._kind[p], column.chunk(0)) for p, column in zip(numeric, table.columns, strict=True)
        ]
        wrong = np.argwhere(np.isinf(np.column_stack(columns))).tolist()
        if not wrong:  # each cell alone is a number: what parts them is what is wrong
            row = next((i for i, text in enumerate(rows) if any(c.isspace() and c not in " \t\r" for c in text)), 0)
            raise WrongCell(row, -1, f": expected cells parted by commas and spaces alone, found {shown(rows[row])}")
        row, j = wrong[0]
        raise WrongCell(row, numeric[j], self._wrong(self._kind[numeric[j]], table.column(j)[row].as_py()))


def _plain(block: bytes) -> bytes:
    """Return lines without quotes, what they held written so that it separates nothing, and without comments."""
    if b"'" in block or b'"' in block:
        block = protected(block)
    return _COMMENT.sub(b"", block) if b"%" in block else block


class ArffStream(TableStream):
    """A multi-label ARFF file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``.
    labels
        Which attributes are the labels. None (default): those named in the XML file beside it (MULAN; nested labels
        become a hierarchy), else the attribute of type ``hierarchical`` (Clus), else as many as ``-C`` in the
        relation's name says (MEKA: the first n, or the last if n is negative). Else an integer in MEKA's sense, a name,
        a list of names, or the path of an XML file. Where it is one nominal attribute, its values are classes
        (``Schema.classes``).
    ignore
        Attributes to leave out; those of type string and date are in any case, with a warning unless they are named.
    classes, tags, text, features, title, moment, tag_separator, hierarchy
        As in ``guess_table``, of attributes; a string is learned from, a label or a title only where it is named so.
    sparse
        Whether chunks are CSR. None (default): if the first row is written as a sparse one, and there are at least
        10,000 features.
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
        Features and labels in the order of the attributes.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line and column: a wrong header, labels that cannot be found, ragged
        rows, unknown categories, a cell that is not a finite number, bytes in another encoding, a damaged gzip, a limit
        passed.

    Notes
    -----
    Opening passes over the file once, to count its rows and to look at its labels. A label is an attribute of 0 and 1,
    TRUE and FALSE, no and yes …; one of other categories has a label for each. A ``?`` there is a label that is not
    known, which ``labelling`` hides. Clus's ``hierarchical`` attributes have a label for each node.

    Rows may be dense or sparse; between the cells of dense ones stand commas, blanks or tabs, and perhaps a comma
    behind the last. What a sparse row leaves out is 0, and the first category of a nominal attribute. ``?``
    is missing, and so is ``nan``, which some programs write. Numbers are read exactly as ``float`` reads them.

    References
    ----------
    https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/, https://waikato.github.io/meka/,
    http://mulan.sourceforge.net/format.html. Departure: attributes of type string and date are left out, relational
    ones refused, and so are weights of instances.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.arff"
    ...     header = "@relation notes\\n@attribute pitch numeric\\n@attribute loud {0,1}\\n"
    ...     _ = path.write_text(header + "@data\\n60,1\\n62,0\\n")
    ...     stream = ArffStream(path, labels=["loud"])
    ...     chunk = next(stream.chunks(10))
    >>> stream.schema.labels, chunk.X.tolist(), chunk.Y.tolist()
    (('loud',), [[60.0], [62.0]], [[1], [0]])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        labels: int | str | Path | Sequence[str] | None = None,
        ignore: str | Sequence[str] = (),
        sparse: bool | None = None,
        encoding: str = "utf-8",
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
        **options: Any,
    ) -> None:
        path = existing_file(path)
        check_only(str(path), options, [*ARFF_NAMED, *WORDS])
        words = {name: options.pop(name) for name in WORDS if name in options}
        watch = LoadWatch(path, limits, cancel)
        source = ArffSource(path, checked_encoding(encoding), watch)
        with within(str(path)):
            named = Named(labels=labels, ignore=ignore, **options)
        above = None
        if labels is not None or not (named.classes or named.tags or named.levels):
            names, above = choose_labels(source.header, path, labels, watch)
            named = replace(named, labels=names)
        guess = guess_of(source, None, named)
        guess.check()
        roles = [column.role for column in guess.columns]
        source.as_words = {j for j, role in enumerate(roles) if role in LABELS}
        is_sparse = checked_flag("sparse", sparse, optional=True)
        if is_sparse is None:
            is_sparse = source.is_sparse and roles.count("feature") >= WIDE
        super().__init__(
            source, guess.columns, watch=watch, above=above, hierarchy=guess.hierarchy, sparse=is_sparse, **words
        )
        self.titles = guess.titles_of(source) or self.titles
        self.moments = guess.moments_of(source)
        say(guess, self)
        self.encoding, self.relation = encoding, source.header.relation


def guess_arff(
    path: str | Path, *, limits: LoadLimits | None = None, cancel: Callable[[], object] | None = None
) -> Guess:
    """Return the attributes of an ARFF file, those that look like labels as labels.

    Raises
    ------
    ValueError
        As ``ArffStream`` does, except for labels that are not found.
    """
    path = existing_file(path)
    source = ArffSource(path, "utf-8", LoadWatch(path, limits, cancel))
    return replace(guess_of(source, None, Named()), format="arff", _head=source.head(), _reader=ArffStream)
