"""Look at the first rows of a table and guess how it is written, what its columns hold, and which are labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from streamlab._cells import MISSING, written
from streamlab._checks import check_only, checked_choice, existing_file, few, shown, within
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.moments import checked_moments, times_in
from streamlab.streams.readers._text import checked_encoding
from streamlab.streams.tables.csv_source import LAYOUT, CsvSource, Layout
from streamlab.streams.tables.kinds import LABELS, ROLES, ColumnGuess, column_of
from streamlab.streams.tables.layout import guess_layout
from streamlab.streams.tables.roles import (
    Named,
    Question,
    label_role,
    named_positions,
    questions_of,
    title_position,
    with_guessed_labels,
    with_paths,
    with_roles_named,
)
from streamlab.streams.tables.source import FrameSource, JsonSource, ParquetSource, Source
from streamlab.streams.tables.table_stream import ColumnTitles, TableStream

__all__ = ["Guess", "guess_table"]

PREVIEW_ROWS = 20


@dataclass(frozen=True)
class Guess:
    """What is guessed of a table: how it is written, and the role of each column, which can be changed.

    Parameters
    ----------
    path
        The file.
    columns
        Its columns.
    layout
        How a text file is written; None for a Parquet file or a table in memory.
    notes
        What was decided about the labels.
    named
        What was said of the columns.
    format
        ``"table"``, or ``"arff"``: of that only labels are chosen.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "films.csv"
    ...     _ = path.write_text("id,tempo,genre\\n" + "a,90,rock\\nb,120,jazz\\n" * 20)
    ...     guess = guess_table(path).with_roles({"genre": "class", "id": "ignore"})
    >>> guess.python().partition("films.csv")[2]
    "', labels='genre', ignore=['id'])"
    """

    path: Path
    columns: tuple[ColumnGuess, ...]
    layout: Layout | None
    notes: tuple[Question, ...] = ()
    named: Named = field(default=Named(), repr=False)
    format: str = "table"
    _own_roles: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _frame: FrameSource | None = field(default=None, repr=False, compare=False)
    _head: Sequence[Any] = field(default=(), repr=False, compare=False)
    _reader: Callable[..., TableStream] | None = field(default=None, repr=False, compare=False)
    """What reads the file where it is not a table of one of this module's sources."""

    @property
    def preview(self) -> tuple[tuple[str, ...], ...]:
        """The first 20 rows, as texts."""
        texts = [[_shown_cell(cell) for cell in cells.slice(0, PREVIEW_ROWS).to_pylist()] for cells in self._head]
        return tuple(zip(*texts, strict=True))

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is unclear, and what was decided, in sentences; those that stop the stream first."""
        asked = [*questions_of(self.columns, self.layout), *self.notes]
        return tuple(sorted(asked, key=lambda each: not each.stops))

    @property
    def is_ready(self) -> bool:
        """Whether nothing stops the stream."""
        return not any(question.stops for question in self.questions)

    def with_roles(self, roles: Mapping[str, str]) -> Guess:
        """Return the guess with other roles for some columns.

        Raises
        ------
        ValueError
            If there is no such column, or its cells do not go with the role; it is said what they hold.
        """
        names = [column.name for column in self.columns]
        named_positions(names, list(roles), str(self.path), "roles")
        for name, role in roles.items():
            checked_choice(f"{self.path}: role", role, list(ROLES))
            column = self.columns[names.index(name)]
            if role not in column.roles:
                raise ValueError(
                    f"{self.path}, column {shown(name)}: it holds {column.holds}, which cannot be {shown(role)}; "
                    f"expected one of {few(column.roles)}"
                )
        columns = tuple(
            replace(each, role=roles[each.name], why="chosen") if each.name in roles else each for each in self.columns
        )
        named = [name for name, role in roles.items() if role == "title"]
        if named:
            # a row has one title
            columns = tuple(
                replace(c, role="ignore") if c.role == "title" and c.name != named[-1] else c for c in columns
            )
        changed = any(
            roles.get(c.name, c.role) != c.role and {roles[c.name], c.role} & set(LABELS) for c in self.columns
        )
        return replace(self, columns=columns, notes=() if changed else self.notes)

    def options(self) -> dict[str, Any]:
        """Return the options of ``load`` that give the same stream."""
        by_role: dict[str, list[str]] = {}
        for column in self.columns:
            by_role.setdefault(column.role, []).append(column.name)
        names = [column.name for column in self.columns if column.role in LABELS]
        options: dict[str, Any] = {"labels": names[0] if len(names) == 1 else names}
        if self.hierarchy is not None:
            options["hierarchy"] = self.hierarchy
        if self.format == "arff":
            return options | {"labels": names}
        if "title" in by_role:
            options["title"] = by_role["title"][0]
        texts = by_role.get("text", [])
        if texts:
            options["text"] = texts[0] if len(texts) == 1 else texts
        moment = next((c.name for c in self.columns if c.role == "time" and c.name == self.named.moment), None)
        if moment is not None:
            options["moment"] = moment
        ignored = [c.name for c in self.columns if c.role in ("ignore", "time") and c.name != moment]
        if ignored and not texts:  # with a text all other columns are left out
            options["ignore"] = ignored
        kept = [c.name for c in self.columns if c.role == "feature" and self._own_roles.get(c.name) != "feature"]
        if kept := [name for name in kept if name not in self.named.nominal]:
            options["features"] = kept
        for role, option in (("class", "classes"), ("tags", "tags")):
            found = [c.name for c in self.columns if c.role == role and self._label_role(c) != role]
            if found:
                options[option] = found
        missing = {word for c in self.columns if c.role == "feature" for word in c.missing} - {"None"}
        if missing or self.named.missing is not None:
            options["missing"] = sorted(missing | {*(self.named.missing or ())})
        if self.named.nominal:
            options["nominal"] = list(self.named.nominal)
        if self.named.tag_separator is not None and by_role.get("tags"):
            options["tag_separator"] = self.named.tag_separator
        if self.layout is not None:
            plain = Layout()
            for each in LAYOUT:
                if getattr(self.layout, each) != getattr(plain, each):
                    options[each] = getattr(self.layout, each)
        return options

    @property
    def hierarchy(self) -> Any:
        """What is said of the labels' hierarchy, or chosen by giving a column the role of paths; None: nothing."""
        chosen = [column.path for column in self.columns if column.role == "path" and column.path]
        return chosen[0] if self.named.hierarchy is None and chosen else self.named.hierarchy

    def _label_role(self, column: ColumnGuess) -> str | None:
        """Return the role that a column has where it is named among the labels, and nowhere else."""
        given = column.name in (*self.named.classes, *self.named.tags)
        return None if given else label_role(column)

    def python(self, path: str | None = None) -> str:
        """Return the line of Python that gives the same stream; ``path``: what it calls the file, default its name."""
        given = "".join(f", {name}={value!r}" for name, value in self.options().items())
        return f"sl.load({path or self.path.name!r}{given})"

    def check(self) -> None:
        """Raise a ValueError if a question stops the stream."""
        stops = [question.text for question in self.questions if question.stops]
        if not any(column.role in LABELS for column in self.columns):
            able = [column.name for column in self.columns if label_role(column) is not None]
            hint = f"; {few(able)} could be" if able else ": no column holds 0 and 1, yes and no, a few words, or tags"
            raise ValueError(
                f"{self.path}: which columns are labels? expected labels= (names, or a number: the first n){hint}"
            )
        if stops:
            raise ValueError(f"{self.path}: {stops[0]}")
        if len(found := {column.path for column in self.columns if column.role == "path"}) > 1:
            raise ValueError(f"{self.path}: paths with {few(sorted(found))} between their steps; expected one of these")

    def stream(
        self,
        *,
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
        watch: LoadWatch | None = None,
        **words: Any,
    ) -> TableStream:
        """Return the stream of these roles; ``words``: ``n_labels``, ``n_features``, ``vectorizer`` of ``load``.

        Raises
        ------
        ValueError
            If a question stops it, or the file does not hold what its first rows promised: then with line and column.
        """
        self.check()
        if self._reader is not None:
            return self._reader(self.path, **self.options(), limits=limits, cancel=cancel)
        watch = watch or LoadWatch(self.path, limits, cancel)
        texts = [column.name for column in self.columns if column.role == "text"]
        source = self._frame or _source(self.path, self.layout, watch, texts)
        stream = TableStream(source, self.columns, watch=watch, hierarchy=self.hierarchy, **words)
        stream.titles = self.titles_of(source) or stream.titles
        stream.moments = self.moments_of(source)
        return stream

    def titles_of(self, source: Source) -> ColumnTitles | None:
        """Return the titles of the rows, from the column that holds them; None: there is none."""
        position = next((j for j, column in enumerate(self.columns) if column.role == "title"), None)
        return None if position is None else ColumnTitles(source, position)

    def moments_of(self, source: Source) -> np.ndarray | None:
        """Return the times of the rows, from the column that ``moment=`` names; None: none does.

        Raises
        ------
        ValueError
            If a cell holds no time, or times run backwards; with line or row.
        """
        names = [column.name for column in self.columns if column.role == "time"]
        if self.named.moment not in names:
            return None
        position = source.columns.index(self.named.moment)
        found: list[np.ndarray] = []
        for batch in source.batches(0, [position]):
            times = times_in(batch.cells[0])
            last = found[-1][-1] if found else None
            place = partial(source.place, batch, position=position)
            found.append(checked_moments(times, last, place, batch.cells[0]))
        return np.concatenate(found)


def guess_table(
    path: str | Path,
    *,
    limits: LoadLimits | None = None,
    cancel: Callable[[], object] | None = None,
    watch: LoadWatch | None = None,
    **options: Any,
) -> Guess:
    """Look at the first rows of a CSV, TSV, Parquet or JSON-lines file and guess what is not given.

    Parameters
    ----------
    path
        The file: text, also with ``.gz``; ``.parquet``; or ``.jsonl``, ``.ndjson``, also with ``.gz``.
    limits, cancel, watch
        As in ``load``; or what holds them.
    options
        How it is written and what is in it, as follows.
    separator, decimal, encoding, header, skip_lines
        How a text file is written: one character; ``"."`` or ``","``; Python's name; whether the first record holds
        names; lines above the table.
    labels
        Names of the columns that are labels, or a number: the first n columns (negative: the last). None: guessed.
    classes, tags
        Columns that are labels, one for each value, or cells of several tags, whatever they look like.
    text
        Columns whose words are learned from, in place of all others.
    features, nominal
        Columns that are features, whatever they look like; and those that are nominal though they hold numbers.
    ignore
        Columns to leave out, beside those that are guessed to be numbers of rows, dates, texts or empty.
    missing
        Words that stand for no value, beside ``?``, ``NA``, ``N/A``, ``NaN`` and ``null``; empty: no word does.
    tag_separator
        What stands between two tags of a cell; "": each cell is one tag.
    title
        The column of what people call the rows (``Stream.title_of``): it is not a feature. None: none.
    moment
        The column of when rows were made, dates or times, which never fall: it is not a feature, and labels may come so
        much time later (``delay_labels``). None: none.
    hierarchy
        Of the labels. A text: what separates the steps of a path (``"/"`` in ``winds/reeds/oboe``); the names of labels
        are paths, and each step is a label. A list of columns: the levels of one path a row, from the top down, in
        which nothing ends a path; labels are called as with ``"/"``. A dictionary (or pairs): of each label its parent,
        a list of several, or None at the top. Labels above one that is set are set, too. None: there is none.

    Raises
    ------
    ValueError
        If the file cannot be read, a limit is passed, or what is given does not fit it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "films.csv"
    ...     _ = path.write_text("tempo,genre\\n" + "90,rock;pop\\n120,rock\\n" * 20)
    ...     guess = guess_table(path, labels=["genre"])
    >>> [(column.name, column.role) for column in guess.columns]
    [('tempo', 'feature'), ('genre', 'tags')]
    """
    path = existing_file(path)
    watch = watch or LoadWatch(path, limits, cancel)
    check_only(str(path), options, [*LAYOUT, *(each.name for each in fields(Named))])
    with within(str(path)):
        known = Named(**{name: value for name, value in options.items() if name not in LAYOUT})
    given = {name: value for name, value in options.items() if name in LAYOUT and value is not None}
    layout: Layout | None = None
    if kind_of(path) == "text":
        layout = guess_layout(path, watch, **given)
    else:
        for name, value in given.items():
            if name != "encoding" or kind_of(path) != "json":
                raise ValueError(f"{path}: {name}={value!r} does not go with a {kind_of(path)} file")
            layout = Layout(encoding=checked_encoding(value))
    return guess_of(_source(path, layout, watch, known.text), layout, known)


def guess_of(source: Source, layout: Layout | None, named: Named) -> Guess:
    """Look at the first rows of a source and guess what is not named.

    Raises
    ------
    ValueError
        As ``guess_table``.
    """
    name = str(source.path)
    columns, head = source.declared(), []
    if columns is None:
        head = source.head()
        if not any(map(len, head)):
            raise ValueError(f"{name}: no rows; expected at least one")
        columns = _columns_of(source, layout, named, head)
    elif named.tags and named.tag_separator is None:
        # a header does not say what is between tags
        found = {each: column_of(each, cells) for each, cells in zip(source.columns, source.head(), strict=True)}
        columns = [replace(c, separator=found[c.name].separator) if c.kind == "texts" else c for c in columns]
    own_roles = {column.name: column.role for column in columns}
    if named.missing:
        columns = [replace(c, missing=tuple(sorted({*c.missing, *named.missing}))) for c in columns]
    columns = with_roles_named(columns, named, name)
    is_said = named.labels is not None or named.classes or named.tags or named.levels
    notes: list[Question] = []
    if named.title is not None and named.title == named.moment:
        raise ValueError(f"{name}: {shown(named.title)} is named in title= and in moment=; expected it in one")
    for option, role in (("title", "title"), ("moment", "time")):
        if (given := getattr(named, option)) is not None:
            labels = [column.name for column in columns if column.role in LABELS]
            place = title_position([column.name for column in columns], given, labels, name, f"{option}=")
            roles = columns[place].roles
            roles = roles if role in roles else (*roles, role)
            columns[place] = replace(columns[place], role=role, roles=roles, why=f"named in {option}=")
    if not is_said:
        columns, notes = with_guessed_labels(columns)
    columns = with_paths(columns, named)
    if named.text:
        columns = [
            c if c.role in (*LABELS, "text", "title") or c.why else replace(c, role="ignore", why="beside a text")
            for c in columns
        ]
    elif any(column.role == "feature" for column in columns):
        # words of texts and other features do not go together
        columns = [replace(c, role="ignore") if c.role == "text" and not c.why else c for c in columns]
        own_roles = {each: "ignore" if role == "text" else role for each, role in own_roles.items()}
    if not any(column.role in ("feature", "text") for column in columns):
        # better a number of a row than nothing to learn from
        columns = [replace(c, role="feature") if _is_better_than_nothing(c) else c for c in columns]
    frame = source if isinstance(source, FrameSource) else None
    return Guess(
        source.path, tuple(columns), layout, tuple(notes), named, _own_roles=own_roles, _frame=frame, _head=head
    )


def _columns_of(source: Source, layout: Layout | None, named: Named, head: Sequence[Any]) -> list[ColumnGuess]:
    """Return the guess for each column on its own."""
    gone = frozenset({""}) if named.missing == () else MISSING | {*(named.missing or ())}
    decimal = "." if layout is None else layout.decimal
    # of a column of labels alone what is between tags is known
    return [
        column_of(name, cells, decimal, gone, named.tag_separator)
        for name, cells in zip(source.columns, head, strict=True)
    ]


def _is_better_than_nothing(column: ColumnGuess) -> bool:
    return column.kind in ("identifiers", "numbers") and not column.why and "feature" in column.roles


def kind_of(path: Path) -> str:
    """Return what a file of rows and columns is by its name: ``"text"``, ``"parquet"`` or ``"json"``."""
    name = path.name.lower().removesuffix(".gz")
    return "parquet" if name.endswith(".parquet") else "json" if name.endswith((".jsonl", ".ndjson")) else "text"


def _source(path: Path, layout: Layout | None, watch: LoadWatch, texts: Sequence[str]) -> Source:
    if kind_of(path) == "parquet":
        return ParquetSource(path, watch, texts)
    if kind_of(path) == "json":
        return JsonSource(path, "utf-8" if layout is None else layout.encoding, watch)
    assert layout is not None
    return CsvSource(path, layout, watch)


def _shown_cell(cell: Any) -> str:
    if isinstance(cell, (list, tuple)):
        return ", ".join(map(str, cell[:20]))[:200]
    if not isinstance(cell, (str, int, float, bool, type(None))) and not hasattr(cell, "isoformat"):
        return "…"
    return written(cell)[:200]
