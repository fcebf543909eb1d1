"""The one stream of tables: columns that have been given roles, whatever their rows come from."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._arrays import is_number, is_text
from streamlab._cells import BOOLS, MISSING_WORDS, SEPARATOR, path_in
from streamlab._checks import check_unique, checked_count, few, number_in, shown, within
from streamlab.schema import MOST_NUMBERED, Feature, Hierarchy, NumberedFeatures, Schema
from streamlab.streams.blocks import csr_of, csr_rows
from streamlab.streams.labelling import Gaps, Labelling
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import stem_of
from streamlab.streams.stream import Stream
from streamlab.streams.tables.columns import Classes, Flags, Levels, Nominal, Numbers, Reader, label_names
from streamlab.streams.tables.kinds import LABELS, ColumnGuess, table_of, unreadable
from streamlab.streams.tables.source import Batch, Source

if TYPE_CHECKING:
    from sklearn.feature_extraction.text import HashingVectorizer

__all__ = ["TableStream"]


class TableStream(Stream):
    """The rows of a table whose columns have been given roles, read in bounded memory as often as asked for.

    ``load`` and ``Guess.stream`` make it of files, of tables in memory and of texts with tags.

    Parameters
    ----------
    source
        Where the rows come from.
    columns
        The role of each column of the table.
    watch
        Its limits hold while the file is opened.
    n_labels
        Keep this many labels of each column of classes or tags, those of most rows. None (default): all.
    n_features
        Columns into which the words of texts are hashed, 1 to 4,194,304; default 2^18.
    vectorizer
        A ``HashingVectorizer`` of your own, in place of ``n_features``. Default: scikit-learn's defaults (lower-case
        words of two letters or more, counts with signs, rows of length 1).
    above
        Of a hierarchy the names of those right above each label. None (default): that of the source, or none.
    hierarchy
        As in ``guess_table``, where the source has none. None (default): there is none.
    sparse
        Whether chunks are CSR; default False. Of texts they are in any case.

    Attributes
    ----------
    schema : Schema
        Features in the order of the columns: numbers, and true and false, are numeric; words nominal, their categories
        sorted, or in the order that a table in memory declares. Of texts ``h0``, ``h1`` …, the numbers of the hashes.
        A column of yes and no is one label; a class has a label for each of its values, sorted, a column of tags one
        for each tag, those of most rows first, and a vector one for each place. A label is called like its value, or
        ``column=value`` where that is a number, or another label is called so. Where one column holds classes and no
        other labels, these are ``Schema.classes``, whole numbers as such. In a hierarchy a label is called by its path,
        or as the hierarchy calls it; those above it stand before it.
    n_rows : int
    columns : pandas.DataFrame
        What each column is taken for, and why.

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line or row, and column, and what was expected there.

    Notes
    -----
    Opening reads the file once, to find categories, labels and the number of rows, and to check every cell.

    References
    ----------
    Of hashed words: Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.

    Examples
    --------
    >>> import streamlab as sl, tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "questions.csv"
    ...     _ = path.write_text("title,tags\\nhow to tune a violin,music|strings\\nhow to play a flute,music|wind\\n")
    ...     stream = sl.load(path, text="title", labels="tags")
    ...     chunk = next(stream.chunks(10))
    >>> sorted(stream.schema.labels), chunk.X.shape
    (['music', 'strings', 'wind'], (2, 262144))
    """

    def __init__(
        self,
        source: Source,
        columns: Sequence[ColumnGuess],
        *,
        watch: LoadWatch,
        n_labels: int | None = None,
        n_features: int = 1 << 18,
        vectorizer: HashingVectorizer | None = None,
        above: Mapping[str, tuple[str, ...]] | None = None,
        hierarchy: str | list[Any] | None = None,
        sparse: bool = False,
    ) -> None:
        self.source, self.watch = source, watch
        self.path, self.name = source.path, stem_of(source.path)
        self._guesses = tuple(columns)
        checked_count("n_labels", n_labels, 1, optional=True)
        by_role: dict[str, list[tuple[int, ColumnGuess]]] = {}
        for position, column in enumerate(columns):
            role = column.role
            if role == "feature":
                is_word = source.feature_of(position) is None and is_nominal(column)
                role = "nominal" if is_word else "parsed numbers" if source.is_of_numbers(position) else "numbers"
            # tags, paths and vectors name classes, too
            by_role.setdefault("class" if role in LABELS and role != "label" else role, []).append((position, column))
        self._texts = [position for position, _ in by_role.get("text", [])]
        self._vectorizer = _checked_vectorizer(vectorizer, n_features) if self._texts else None
        self.is_sparse = bool(self._texts) or sparse
        decimal = getattr(getattr(source, "layout", None), "decimal", ".")
        numbers = [Numbers(source, by_role[role], decimal) for role in ("parsed numbers", "numbers") if role in by_role]
        nominal = [Nominal(source, [each]) for each in by_role.get("nominal", [])]
        flags = [Flags(source, by_role["label"])] if "label" in by_role else []
        classes: list[Classes] = []
        if isinstance(hierarchy, list) and isinstance(hierarchy[0], str):
            at = {column.name: (position, column) for position, column in enumerate(columns)}
            classes.append(Levels(source, [at[name] for name in hierarchy], n_labels))
        in_levels = {position for each in classes for position in each.positions}
        classes += [Classes(source, [each], n_labels) for each in by_role.get("class", []) if each[0] not in in_levels]
        self._given = hierarchy
        self._readers: list[Reader] = [*numbers, *nominal, *flags, *classes]
        roles = [column.role for column in columns]
        watch.columns(
            0 if self._texts else roles.count("feature"), sum(role in LABELS for role in roles), str(self.path)
        )
        self._positions = [*dict.fromkeys([*(p for each in self._readers for p in each.positions), *self._texts])]
        self._at = {position: j for j, position in enumerate(self._positions)}
        self.n_rows = self._scan(self._readers[int("parsed numbers" in by_role) :])
        self._schema_of_columns(above)
        watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        return map(self._filled, self.source.batches(start, self._positions))

    def rows_in(self, block: bytes, at: int, line: int) -> tuple[Any, np.ndarray]:
        """Return X and Y of whole lines, as ``Source.read_lines``; a ValueError if one is no row as on opening."""
        return self._filled(self.source.read_lines(self._positions, at, block, line))

    def _filled(self, batch: Batch) -> tuple[Any, np.ndarray]:
        n_features, n_labels, nested = self.schema.n_features, self._n_named, self.schema.hierarchy
        n_rows = batch.n_rows
        X = np.empty((n_rows, 0 if self.is_sparse and batch.pairs else 0 if self._texts else n_features))
        Y = np.zeros((n_rows, n_labels), np.uint8)
        for reader in self._readers:
            out, places = Y if reader.is_label else X, reader.places
            if not out.shape[1]:
                continue
            own = out if len(places) == out.shape[1] else np.zeros((n_rows, len(places)), out.dtype)
            cells = self._cells(batch, reader)
            with self._naming(reader, cells):
                reader.fill(own, cells, batch)
            if own is not out:
                out[:, places] = own
        if nested is not None:
            named, Y = Y, np.zeros((n_rows, len(nested)), np.uint8)
            Y[:, self._nodes] = named
            Y = nested.with_ancestors(Y)
        return (self._rows_of(batch, X) if self.is_sparse else X), Y

    def _rows_of(self, batch: Batch, X: np.ndarray) -> Any:
        """Return sparse rows: hashed words, the numbers of sparse rows, or those of an array."""
        if self._texts:
            return self._hashed(batch)
        if batch.pairs is None:
            return csr_of(X)
        pairs = batch.pairs.among(self._inputs, len(self.source.columns))
        return pairs.where(pairs.values != 0).csr(len(self._inputs))

    @contextmanager
    def _naming(self, reader: Reader, cells: Sequence[Any]) -> Iterator[None]:
        """Name the column of what Arrow cannot read: the first whose type is neither of numbers nor of texts."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, TypeError, OverflowError, NotImplementedError) as error:
            plain = [is_number(each.type) or is_text(each.type) for each in cells]
            j = plain.index(False) if False in plain else 0
            with within(str(self.path)):
                raise unreadable(self._guesses[reader.positions[j]].name, cells[j], error) from None

    def _cells(self, batch: Batch, reader: Reader) -> list[Any]:
        return [batch.cells[self._at[position]] for position in reader.positions]

    def _hashed(self, batch: Batch) -> Any:
        columns = [batch.cells[self._at[position]].to_pylist() for position in self._texts]
        rows = [
            "\n".join(str(cell) for cell in cells if cell is not None and cell == cell)
            for cells in zip(*columns, strict=True)
        ]
        assert self._vectorizer is not None
        X = self._vectorizer.transform(rows)
        X.sort_indices()
        return csr_rows(X.indptr, X.indices, X.data, X.shape[1])

    def _scan(self, readers: Sequence[Reader]) -> int:
        """Learn what the readers have to know whose columns' types do not tell; return the number of rows."""
        positions = list(dict.fromkeys(position for each in readers for position in each.positions))
        n_rows = 0
        if positions or self.source.n_rows is None:
            at = {position: j for j, position in enumerate(positions)}
            for batch in self.source.batches(0, positions or self._positions[:1]):
                n_own = batch.n_rows
                n_rows += n_own
                if n_rows > self.watch.limits.rows:
                    self.watch.count("rows", n_rows, self.source.place(batch, n_own - 1, self._positions[0]), "rows")
                for reader in readers:
                    cells = [batch.cells[at[position]] for position in reader.positions]
                    with self._naming(reader, cells):
                        reader.learn(cells, batch)
        n_rows = n_rows if self.source.n_rows is None else self.source.n_rows
        for reader in readers:
            reader.decide()
        return n_rows

    def _schema_of_columns(self, above: Mapping[str, tuple[str, ...]] | None) -> None:
        outputs: dict[int, tuple[str, ...]] = {}
        categories: dict[int, tuple[str, ...] | None] = {}
        for each in self._readers:
            known: dict[int, Any] = outputs if each.is_label else categories
            known.update(zip(each.positions, each.values, strict=True))
        self._inputs = sorted(categories)
        # of a hierarchy the names say it all
        is_nested = self._given is not None
        role_of = ["vector" if is_nested or guess.kind == "paths" else guess.role for guess in self._guesses]
        columns = [(self._guesses[p].name, role_of[p], outputs[p]) for p in sorted(outputs)]
        with within(str(self.path)):
            labels = named = tuple(label_names(columns))
            hierarchy = None if above is None else self._hierarchy(labels, above)
            if self._given is not None:
                labels, hierarchy = self._nested(named, hierarchy)
        self._n_named = len(named)
        self.watch.count("labels", len(labels), str(self.path), "labels")
        ends = np.cumsum([0, *(len(values) for *_, values in columns)]).tolist()
        at = dict(zip(sorted(outputs), map(range, ends[:-1], ends[1:]), strict=True))
        at |= {position: range(j, j + 1) for j, position in enumerate(self._inputs)}
        for each in self._readers:
            each.places = [place for position in each.positions for place in at[position]]
        features: Any = tuple(
            self.source.feature_of(p) or Feature(self._guesses[p].name, categories[p]) for p in self._inputs
        )
        if self._vectorizer is not None:
            features = NumberedFeatures(self._vectorizer.n_features, "h")
        with within(str(self.path)):
            classes = self._readers[-1].classes if len(outputs) == 1 and hierarchy is None else None
            self.schema = Schema(features, labels, hierarchy, classes)
        # a class that is not known is none of its values
        gaps = {place: rows for each in self._readers for column, rows in each.gaps.items()
                for place in at[each.positions[column]]}  # fmt: skip
        if gaps and hierarchy is not None:
            gaps = self._gaps_above(gaps, hierarchy)
        if gaps:
            self.labelling = Labelling(hidings=(Gaps(gaps, len(labels)),), hierarchy=hierarchy)

    def _nested(self, named: tuple[str, ...], own: Hierarchy | None) -> tuple[tuple[str, ...], Hierarchy]:
        """Return all labels of the hierarchy that was given, and that; note where the named ones are."""
        if own is not None:
            raise ValueError("hierarchy= is given, and the file has a hierarchy of its own; expected one")
        given = self._given
        steps = {name: path for each in self._readers for name, path in each.paths.items()}
        if isinstance(given, list) and isinstance(given[0], list):
            labels, hierarchy = Hierarchy.from_table(given, dag=True)
            self._nodes = [labels.index(name) if name in labels else -1 for name in named]
            if -1 in self._nodes:
                name = named[self._nodes.index(-1)]
                raise ValueError(f"the label {shown(name)} is not in hierarchy=; expected one of {few(labels)}")
            return labels, hierarchy
        if isinstance(given, str):
            steps = {name: path_in(name, given) for name in named}
            if not any(len(path) > 1 for path in steps.values()):
                raise ValueError(
                    f"hierarchy={shown(given)}: no label has it in its name ({few(named)}); expected paths"
                )
        paths = [steps.get(name, (name,)) for name in named]
        nodes: dict[tuple[str, ...], int] = {}
        for path in paths:
            for end in range(1, len(path) + 1):
                nodes.setdefault(path[:end], len(nodes))
        names = [(given if isinstance(given, str) else SEPARATOR).join(path) for path in nodes]
        check_unique("the label", [*names, *(named if len(set(paths)) < len(paths) else ())])
        self._nodes = [nodes[path] for path in paths]
        return tuple(names), Hierarchy(tuple(nodes.get(path[:-1], -1) for path in nodes))

    def _gaps_above(self, gaps: Mapping[int, np.ndarray], hierarchy: Hierarchy) -> dict[int, np.ndarray]:
        """Return the gaps by nodes: those above one that no column holds are not known either."""
        found: dict[int, list[np.ndarray]] = {}
        for place, rows in gaps.items():
            above = set(hierarchy.ancestors(self._nodes[place])) - set(self._nodes)
            for node in (self._nodes[place], *above):
                found.setdefault(node, []).append(rows)
        return {node: np.unique(np.concatenate(several)) for node, several in found.items()}

    def _hierarchy(self, labels: Sequence[str], above: Mapping[str, tuple[str, ...]]) -> Hierarchy:
        at = {name: j for j, name in enumerate(labels)}
        if lost := [name for name in labels if name not in above]:
            raise ValueError(
                f"the label {shown(lost[0])} is not in the hierarchy; expected 0 and 1 there, or its nodes"
            )
        self._nodes = list(range(len(labels)))
        return Hierarchy(tuple(tuple(at[each] for each in above[name]) for name in labels))

    def missing_labels(self) -> str:
        """Return in how many rows labels are not known, or a word stood for none, as a sentence; "" if in none."""
        words = {each.name: each.n_named_missing for each in self._readers if each.n_named_missing}
        gaps = {self._guesses[each.positions[j]].name: len(rows)
                for each in self._readers for j, rows in each.gaps.items()}  # fmt: skip
        rows = list({**words, **gaps}.items())
        if not rows:
            return ""
        first = ", ".join(f"{n:,} of {shown(name)}" for name, n in rows[:4])
        more = f" and {len(rows) - 4:,} more" if len(rows) > 4 else ""
        hidden = "; learners are not told a label that is not known, measures count it as 0" if gaps else ""
        kept = f"{sum(words.values()):,} hold one of {', '.join(sorted(MISSING_WORDS))}: missing=[] keeps it as a label"
        return f"rows without a label: {first}{more}{hidden}{f'; {kept}' if words else ''}"

    def cells_alike(self) -> str:
        """Return which cells of labels differ from others in blanks alone, as a sentence; "" if none does."""
        found = [(each.name, word) for each in self._readers for word in each.alike]
        if not found:
            return ""
        words = ", ".join(f"{word!r}"[:40] for _, word in found[:4])
        more = f" and {len(found) - 4:,} more" if len(found) > 4 else ""
        return (
            f"blanks around a label are no part of it: in {shown(found[0][0])} {words}{more} is one with that without"
        )

    def unsplit_cells(self) -> str:
        """Return how many cells look like lists whose items cannot be told, as a sentence; "" if none does."""
        found = [each for each in self._readers if each.n_unsplit]
        if not found:
            return ""
        first = found[0].first_unsplit.removeprefix(f"{self.path}, ")
        counts = ", ".join(f"{each.n_unsplit:,} of {shown(each.name)}" for each in found[:4])
        return f"cells like lists, but cut off or nested: {counts}, first at {first}; each is one label as it stands"

    @property
    def columns(self) -> Any:
        return table_of(self._guesses)


class ColumnTitles:
    """Titles from a column of a file.

    The rows of a run come in order, and so are the titles read: what lies between two rows is passed over once, and
    going back begins again from there.

    Parameters
    ----------
    source
        The file.
    position
        The column's.
    """

    def __init__(self, source: Source, position: int) -> None:
        self._source, self._position = source, position
        self._lock = threading.Lock()
        self._blocks: Iterator[Batch] | None = None
        self._start = 0
        self._cells: list[Any] = []

    def __call__(self, row: int) -> Any:
        with self._lock:
            if self._blocks is None or row < self._start:
                self._start, self._cells = row, []
                self._blocks = self._source.batches(row, [self._position])
            while row >= self._start + len(self._cells):
                self._start += len(self._cells)
                batch = next(self._blocks, None)
                if batch is None:
                    # behind the end
                    self._blocks = None
                    return None
                self._cells = batch.cells[0].to_pylist()
            return self._cells[row - self._start]

    def __getstate__(self) -> dict[str, Any]:
        return {"_source": self._source, "_position": self._position}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_source"], state["_position"])  # type: ignore[misc]


def is_nominal(column: ColumnGuess) -> bool:
    """Return whether a feature of this kind is nominal."""
    if column.why == "named in nominal=" or column.kind in ("words", "tags", "texts"):
        return True
    if column.kind == "identifiers":
        return "text" in column.roles
    return column.kind == "flags" and any(
        number_in(value) is None and value.lower() not in BOOLS for value in column.values
    )


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
