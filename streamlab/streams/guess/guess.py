"""Look at the first rows of a table and guess how it is written, what its columns hold, and which are labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from streamlab._checks import checked_choice, existing_file, few, shown
from streamlab.streams.guess.columns import LABELS, ROLES, ColumnGuess, column_of
from streamlab.streams.guess.layout import Layout, guess_layout
from streamlab.streams.guess.roles import Question, label_role, questions_of, with_guessed_labels, with_named_labels
from streamlab.streams.guess.words import written
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._arff_header import Attribute, read_header
from streamlab.streams.readers._table_columns import named_positions
from streamlab.streams.readers._table_source import CsvTable, FrameTable, ParquetTable, Table
from streamlab.streams.readers.arff import ArffStream
from streamlab.streams.readers.table import TableStream
from streamlab.streams.readers.text import TextStream
from streamlab.streams.stream import Stream
from streamlab.streams.titles import ColumnTitles, title_position

__all__ = ["Guess", "guess_table"]

PREVIEW_ROWS = 20
OF_FILES = (
    "text= goes with files: write the table with write_parquet('x.parquet') (pandas: to_parquet), and load that file"
)
"""What to do with the texts of a table in memory."""


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
    preview
        The first 20 rows, as texts.
    notes
        What was decided about the labels.
    nominal, tag_separator
        As ``load`` was given them.
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
    preview: tuple[tuple[str, ...], ...]
    notes: tuple[Question, ...] = ()
    nominal: tuple[str, ...] = ()
    tag_separator: str | None = None
    format: str = "table"
    _left_out: frozenset[str] = field(default=frozenset(), repr=False)
    _frame: Table | None = field(default=None, repr=False, compare=False)

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
        columns = tuple(replace(each, role=roles.get(each.name, each.role)) for each in self.columns)
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
        if self.format == "arff":
            return {"labels": names}
        if "title" in by_role:
            options["title"] = by_role["title"][0]
        texts = by_role.get("text", [])
        if texts:
            options["text"] = texts[0] if len(texts) == 1 else texts
            options.update(self._tag_options())
        else:
            options.update(self._other_options(by_role))
        if self.layout is not None:
            plain = Layout()
            for each in ("separator", "decimal", "encoding", "header", "skip_lines"):
                value = getattr(self.layout, each)
                if value != getattr(plain, each) and not (texts and each == "decimal"):
                    options[each] = value
        return options

    def _tag_options(self) -> dict[str, Any]:
        column = next((c for c in self.columns if c.role in ("tags", "class")), None)
        if column is None:
            names = [c.name for c in self.columns if c.role == "label"]
            return {"labels": names}
        if column.role == "tags" and column.kind == "tags" and not column.separator:
            return {}
        return {"tag_separator": column.separator if column.role == "tags" else ""}

    def _other_options(self, by_role: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        options: dict[str, Any] = {}
        ignored = [c.name for c in self.columns if c.role in ("ignore", "time")]
        if ignored or self._left_out:
            options["ignore"] = ignored
        for role, option in (("class", "classes"), ("tags", "tags")):
            named = [c.name for c in self.columns if c.role == role and label_role(c) != role]
            if named:
                options[option] = named
        missing = sorted({word for c in self.columns if c.role == "feature" for word in c.missing})
        if missing:
            options["missing"] = missing
        if self.nominal:
            options["nominal"] = list(self.nominal)
        if self.tag_separator is not None and by_role.get("tags"):
            options["tag_separator"] = self.tag_separator
        return options

    def python(self, path: str | None = None) -> str:
        """Return the line of Python that gives the same stream; ``path``: what it calls the file, default its name."""
        given = "".join(f", {name}={value!r}" for name, value in self.options().items())
        return f"sl.load({path or self.path.name!r}{given})"

    def stream(self, *, limits: LoadLimits | None = None, cancel: Callable[[], object] | None = None) -> Stream:
        """Return the stream of these roles.

        Raises
        ------
        ValueError
            If a question stops it, or the file does not hold what its first rows promised: then with line and column.
        """
        stops = [question.text for question in self.questions if question.stops]
        if not any(column.role in LABELS for column in self.columns):
            able = [column.name for column in self.columns if label_role(column) is not None]
            hint = f"; {few(able)} could be" if able else ": no column holds 0 and 1, yes and no, a few words, or tags"
            raise ValueError(
                f"{self.path}: which columns are labels? expected labels= (names, or a number: the first n){hint}"
            )
        if stops:
            raise ValueError(f"{self.path}: {stops[0]}")
        if self.format == "arff":
            from streamlab.streams.readers.arff import ArffStream

            return ArffStream(self.path, labels=self.options()["labels"], limits=limits, cancel=cancel)
        watch = LoadWatch(self.path, limits, cancel)
        table = self._frame or _table(self.path, self.layout, watch)
        stream: Stream
        if self._frame is not None and any(column.role == "text" for column in self.columns):
            raise ValueError(f"{self.path}: its only features are texts; {OF_FILES}")
        if any(column.role == "text" for column in self.columns):
            options = {**self.options(), "limits": limits, "cancel": cancel}
            options.pop("title", None)
            stream = TextStream(self.path, **options)
            watch.opened()
        else:
            decimal = "." if self.layout is None else self.layout.decimal
            stream = TableStream(table, self.columns, decimal=decimal, nominal=self.nominal, watch=watch)
        position = next((j for j, column in enumerate(self.columns) if column.role == "title"), None)
        if position is not None:
            stream.titles = ColumnTitles(table, position)
        return stream


def guess_table(
    path: str | Path,
    *,
    labels: Any = None,
    classes: Sequence[str] = (),
    tags: Sequence[str] = (),
    ignore: Sequence[str] | None = None,
    nominal: Sequence[str] = (),
    missing: Sequence[str] = (),
    tag_separator: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip_lines: int | None = None,
    title: str | None = None,
    limits: LoadLimits | None = None,
    cancel: Callable[[], object] | None = None,
) -> Guess:
    """Look at the first rows of a CSV, TSV or Parquet file and guess what is not given.

    Parameters
    ----------
    path
        The file: text, also with ``.gz``, or ``.parquet``.
    labels
        Names of the columns that are labels, or a number: the first n columns (negative: the last). None: guessed.
    classes, tags
        Columns of ``labels`` that are taken as one class for each value, or as cells of several tags, whatever they
        look like.
    ignore
        Columns to leave out. None: those that hold numbers of rows, dates, texts or nothing.
    nominal
        Features to be taken as nominal although they hold numbers.
    missing
        Words that stand for no value, beside those of ``CsvStream``.
    tag_separator
        What stands between two tags of a cell.
    separator, decimal, encoding, header, skip_lines
        How a text file is written: one character; ``"."`` or ``","``; Python's name; whether the first record holds
        names; lines above the table.
    title
        The column of what people call the rows (``Stream.title_of``): it is not a feature. None: none.
    limits, cancel
        As in ``load``.

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
    ...     _ = path.write_text("tempo,genre\\n" + "90,rock;pop\\n120,jazz\\n" * 20)
    ...     guess = guess_table(path, labels=["genre"], tags=["genre"])
    >>> [(column.name, column.role) for column in guess.columns]
    [('tempo', 'feature'), ('genre', 'tags')]
    """
    path = existing_file(path)
    watch = LoadWatch(path, limits, cancel)
    layout: Layout | None = None
    if path.suffix.lower() != ".parquet":
        layout = guess_layout(
            path,
            watch,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            header=header,
            skip_lines=skip_lines,
        )
    else:
        given = {"separator": separator, "decimal": decimal, "encoding": encoding, "header": header}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"{path}: {name}={value!r} does not go with a Parquet file")
    return guess_of(
        _table(path, layout, watch), layout, labels=labels, classes=classes, tags=tags, ignore=ignore, nominal=nominal,
        missing=missing, tag_separator=tag_separator, title=title,
    )  # fmt: skip


def guess_of(
    table: Table,
    layout: Layout | None = None,
    *,
    labels: Any,
    classes: Sequence[str] = (),
    tags: Sequence[str] = (),
    ignore: Sequence[str] | None = None,
    nominal: Sequence[str] = (),
    missing: Sequence[str] = (),
    tag_separator: str | None = None,
    title: str | None = None,
) -> Guess:
    """Look at the first rows of a table that has been opened; parameters as those of ``guess_table``."""
    source = str(table.path)
    cells = table.head()
    gone = set(missing)
    columns = [
        column_of(
            name,
            [None if isinstance(cell, str) and cell in gone else cell for cell in own] if gone else own,
            "." if layout is None else layout.decimal,
        )
        for name, own in zip(table.columns, cells, strict=True)
    ]
    if gone:
        columns = [replace(c, missing=tuple(sorted({*c.missing, *gone}))) for c in columns]
    columns = _as_told(columns, classes, tags, tag_separator, source)
    notes: list[Question] = []
    if labels is not None:
        columns = with_named_labels(columns, labels, source)
    elif classes or tags:
        columns = with_named_labels(columns, [*classes, *tags], source)
    else:
        columns, notes = with_guessed_labels(columns)
    columns = _with_features(columns, ignore, nominal, source)
    if title is not None:
        named = [column.name for column in columns if column.role in LABELS]
        place = title_position([column.name for column in columns], title, named, source)
        roles = columns[place].roles
        columns[place] = replace(columns[place], role="title", roles=roles if "title" in roles else (*roles, "title"))
    left_out = frozenset(c.name for c in columns if c.role in ("ignore", "time") and "feature" in c.roles)
    n_rows = max(map(len, cells), default=0)
    preview = tuple(
        tuple(_shown_cell(own[i]) if i < len(own) else "" for own in cells) for i in range(min(PREVIEW_ROWS, n_rows))
    )
    frame = table if isinstance(table, FrameTable) else None
    return Guess(
        table.path, tuple(columns), layout, preview, tuple(notes), tuple(nominal), tag_separator,
        _left_out=left_out, _frame=frame,
    )  # fmt: skip


def _table(path: Path, layout: Layout | None, watch: LoadWatch) -> Table:
    return ParquetTable(path, watch) if layout is None else CsvTable(path, layout, watch)


def _as_told(
    columns: Sequence[ColumnGuess],
    classes: Sequence[str],
    tags: Sequence[str],
    tag_separator: str | None,
    source: str,
) -> list[ColumnGuess]:
    """Return the columns that are to be taken as classes or tags as such ones."""
    names = [column.name for column in columns]
    as_classes, as_tags = (
        named_positions(names, classes, source, "classes="),
        named_positions(names, tags, source, "tags="),
    )
    if tag_separator is not None and (not isinstance(tag_separator, str) or not tag_separator):
        raise ValueError(f"{source}: tag_separator={tag_separator!r}: expected a text such as '|', or None")
    out = []
    for j, column in enumerate(columns):
        if j in as_classes:
            column = replace(column, kind="words", roles=("class", *(r for r in column.roles if r != "class")))
        elif j in as_tags:
            column = replace(column, kind="tags", roles=("tags", *(r for r in column.roles if r != "tags")))
        if tag_separator is not None and column.kind == "tags":
            column = replace(column, separator=tag_separator)
        out.append(column)
    return out


def _with_features(
    columns: Sequence[ColumnGuess], ignore: Sequence[str] | None, nominal: Sequence[str], source: str
) -> list[ColumnGuess]:
    """Return the columns with the roles of those that are not labels: left out, texts, or features."""
    names = [column.name for column in columns]
    labels = {column.name for column in columns if column.role in LABELS}
    ignored = {names[j] for j in named_positions(names, ignore or (), source, "ignore=")}
    forced = {names[j] for j in named_positions(names, nominal, source, "nominal=")}
    for what, named in (("ignore=", ignored), ("nominal=", forced)):
        if named & labels:
            raise ValueError(f"{source}: {what} names {shown(min(named & labels))}, which is a label")
    out = []
    for column in columns:
        role = column.role
        if column.name in labels:
            pass
        elif column.name in ignored:
            role = "ignore"
        elif column.name in forced or (ignore is not None and "feature" in column.roles):
            role = "feature"
        roles = column.roles if role in column.roles else (*column.roles, role)
        out.append(replace(column, role=role, roles=roles))
    if any(column.role == "feature" for column in out):
        # words of texts and other features do not go together
        out = [replace(column, role="ignore") if column.role == "text" else column for column in out]
    return out


def _shown_cell(cell: Any) -> str:
    if isinstance(cell, (list, tuple)):
        return ", ".join(map(str, cell[:20]))[:200]
    if not isinstance(cell, (str, int, float, bool, type(None))) and not hasattr(cell, "isoformat"):
        return "…"
    return written(cell)[:200]


FEW = 6


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
    header = read_header(path, "utf-8", LoadWatch(path, limits, cancel))
    columns, notes = with_guessed_labels([_column(each) for each in header.attributes])
    names = [column.name for column in columns]
    rows: list[tuple[str, ...]] = []
    able = [column.name for column in columns if "label" in column.roles]
    if able and len(names) > 1:
        # any one label will do to look at rows
        table = ArffStream(path, labels=able[:1], limits=limits, cancel=cancel).preview(PREVIEW_ROWS)
        cells = {name: [written(cell)[:200] for cell in table[what, name]] for what, name in table.columns}
        rows = [tuple(cells[name][i] if name in cells else "" for name in names) for i in range(len(table))]
    return Guess(path, tuple(columns), None, tuple(rows), tuple(notes), format="arff")


def _column(attribute: Attribute) -> ColumnGuess:
    categories = attribute.categories
    if categories is None:
        return ColumnGuess(attribute.name, "numbers", "feature", "numbers", ("feature",))
    if set(categories) <= {"0", "1"}:
        return ColumnGuess(attribute.name, "flags", "feature", "0 and 1", ("feature", "label"), flags=("1", "0"))
    few = ", ".join(categories[:FEW])
    return ColumnGuess(attribute.name, "nominal", "feature", f"{len(categories)} different words: {few}", ("feature",))
