"""The columns of messages and their roles for a learner, declared or learnt from the first messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from streamlab._cells import is_missing, written
from streamlab._checks import check_unique, few, number_in, shown, within
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import MAX_CATEGORIES
from streamlab.streams.tables.columns import classes_of, label_names, labels_in, vector_names
from streamlab.streams.tables.kinds import LABELS, ColumnGuess, column_of
from streamlab.streams.tables.roles import Named, named_positions, with_guessed_labels, with_roles_named

Role = Literal["number", "words", "label", "class", "tags", "vector", "key", "time", "ignore"]
"""What a column may be."""
MOST_COLUMNS = 100_000
BOOLEANS = ("true", "false")


class LiveColumn(Struct, frozen=True, array_like=True):
    """One column of the messages.

    Parameters
    ----------
    name
        As in the messages.
    role
        ``"number"`` or ``"words"``: a feature; ``"label"``: yes or no; ``"class"``: a label for each of ``values``;
        ``"tags"``: cells of several of ``values``; ``"vector"``: 0 or 1 for each of ``values``; ``"key"``: what the row
        is about; ``"time"``: when it was made; ``"ignore"``: known, and left out.
    values
        Of ``words``, ``class`` and ``tags``: the words that may come; of ``vector`` the names of its places.
    flags
        What stands for yes and for no in a label; of a number ``("true", "false")`` where these are 1 and 0.
    separator
        Between tags of a text.
    missing
        Words that stand for no value in a number, beside the usual ones.
    """

    name: str
    role: Role
    values: tuple[str, ...] = ()
    flags: tuple[str, str] = ("1", "0")
    separator: str = ";"
    missing: tuple[str, ...] = ()

    @property
    def is_feature(self) -> bool:
        return self.role in ("number", "words")

    @property
    def is_label(self) -> bool:
        return self.role in LABELS


Columns = Annotated[list[LiveColumn], Meta(max_length=MOST_COLUMNS)]
"""The columns as a journal has them."""


def schema_of(columns: Sequence[LiveColumn]) -> Schema:
    """Return the schema of these columns.

    Raises
    ------
    ValueError
        If names are not unique.
    """
    check_unique("the column", [column.name for column in columns])
    features = tuple(
        Feature(column.name, column.values if column.role == "words" else None)
        for column in columns
        if column.is_feature
    )
    labels = [(c.name, c.role, (c.name,) if c.role == "label" else c.values) for c in columns if c.is_label]
    classes = classes_of(labels[0][2]) if [role for _, role, _ in labels] == ["class"] else None
    return Schema(features, tuple(label_names(labels)), classes=classes)


def declared_columns(
    names: Sequence[str],
    labels: Sequence[str],
    *,
    words: Mapping[str, Sequence[str]] | None = None,
    classes: Mapping[str, Sequence[str]] | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
    ignore: Sequence[str] = (),
    key: str | None = None,
    time: str | None = None,
    source: str = "",
) -> tuple[LiveColumn, ...]:
    """Return columns as they are declared.

    Parameters
    ----------
    names
        All columns, in the order of the features; labels and others that are not among them come behind.
    labels
        Those that are labels; of ``classes`` and ``tags`` these are told by their names there.
    words, classes, tags
        Columns of words, classes and tags, with the words that may come.
    ignore, key, time
        Columns that are left out, that say what a row is about, and when it was made.
    source
        What the columns belong to, for messages.

    Raises
    ------
    ValueError
        If a column has two roles, or there is no feature and no label.
    """
    roles: dict[str, LiveColumn] = {}

    def give(column: LiveColumn) -> None:
        if column.name in roles:
            raise ValueError(
                f"{source}: the column {shown(column.name)} is declared as {roles[column.name].role} and {column.role}"
            )
        if column.role in ("words", "class", "tags") and not 1 <= len(column.values) <= MAX_CATEGORIES:
            raise ValueError(
                f"{source}: the column {shown(column.name)} has {len(column.values)} words; expected from 1 to "
                f"{MAX_CATEGORIES:,}"
            )
        roles[column.name] = column

    several: tuple[tuple[Role, Any], ...] = (("words", words), ("class", classes), ("tags", tags))
    for role, given in several:
        for name, values in (given or {}).items():
            give(LiveColumn(name, role, tuple(values)))
    for name in labels:
        if name not in roles or not roles[name].is_label:
            give(LiveColumn(name, "label"))
    for name in ignore:
        give(LiveColumn(name, "ignore"))
    if key is not None:
        give(LiveColumn(key, "key"))
    if time is not None:
        give(LiveColumn(time, "time"))
    columns = [roles.pop(name, LiveColumn(name, "number")) for name in names]
    columns += roles.values()
    return checked_columns(columns, source)


def checked_columns(columns: Sequence[LiveColumn], source: str) -> tuple[LiveColumn, ...]:
    """Return the columns; raise a ValueError if their names are not unique or they hold nothing to learn."""
    with within(source):
        schema = schema_of(columns)
    if not schema.n_features and not schema.n_labels:
        raise ValueError(f"{source}: no column is a feature or a label")
    return tuple(columns)


def inferred_columns(
    cells: Mapping[str, Sequence[Any]],
    labels: Any,
    *,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    key: str | None = None,
    time: str | None = None,
    source: str = "",
    labelled: bool = True,
) -> tuple[LiveColumn, ...]:
    """Return columns as the first messages look.

    Parameters
    ----------
    cells
        What the first messages hold, by column.
    labels
        Names of the labels, or a number as in ``load``; None: guessed.
    ignore, nominal, key, time
        Columns that are left out, that are taken as words though they hold numbers, that say what a row is about, and
        when it was made.
    source
        What the columns belong to, for messages.
    labelled
        Whether there are labels among them; else all are features.

    Raises
    ------
    ValueError
        If a column is named that is not there or cannot be what it is to be, or no column is a label.
    """
    names = list(cells)
    for what, given in (("ignore=", ignore), ("nominal=", nominal), ("key=", [key]), ("time=", [time])):
        named_positions(names, [name for name in given if name is not None], source, what)
    own = {name: [written(cell) if not isinstance(cell, list) else cell for cell in cells[name]] for name in names}
    apart = {*ignore, key, time}
    guesses = [column_of(name, _array(own[name])) for name in names if name not in apart]
    if labelled and labels is not None:
        guesses = with_roles_named(guesses, Named(labels=labels), source)
    elif labelled:
        guesses = with_guessed_labels(guesses)[0]
    if labelled and not any(guess.role in LABELS for guess in guesses):
        raise ValueError(f"{source}: which columns are labels? expected labels= with some of {few(names)}")
    by_name = {guess.name: guess for guess in guesses}
    columns = []
    for name in names:
        if name in by_name:
            columns.append(_column(by_name[name], own[name], name in nominal, source))
        else:
            columns.append(LiveColumn(name, "key" if name == key else "time" if name == time else "ignore"))
    if not any(column.is_feature for column in columns):
        raise ValueError(f"{source}: no column can be learned from; declare them with columns= ({few(names)})")
    return checked_columns(columns, source)


def _array(cells: Sequence[Any]) -> Any:
    """Return cells as an array of texts, or of lists of texts where one is a list."""
    import pyarrow as pa

    if not any(isinstance(cell, list) for cell in cells):
        return pa.array(cells, pa.string())
    lists = [cell if isinstance(cell, list) else None if is_missing(cell) else [cell] for cell in cells]
    return pa.array([each and [written(item) for item in each] for each in lists], pa.list_(pa.string()))


def _column(guess: ColumnGuess, cells: Sequence[Any], nominal: bool, source: str) -> LiveColumn:
    texts = {cell for cell in cells if isinstance(cell, str) and not is_missing(cell)}
    if guess.role == "label":
        return LiveColumn(guess.name, "label", flags=guess.flags or ("1", "0"))
    if guess.role == "class":
        numbered = all(number_in(text) is not None for text in texts)
        return LiveColumn(guess.name, "class", tuple(sorted(texts, key=float) if numbered else sorted(texts)))
    if guess.role == "tags":
        given = [*(cell for cell in cells if isinstance(cell, list)), *texts]
        tags = {tag for cell in given for tag in labels_in(cell, guess.separator)}
        return LiveColumn(guess.name, "tags", tuple(sorted(tags)), separator=guess.separator)
    if guess.role == "vector":
        return LiveColumn(guess.name, "vector", tuple(vector_names(guess.name, guess.width)))
    if guess.role != "feature" and not nominal:
        return LiveColumn(guess.name, "ignore")
    plain = {"true", "false"} >= {text.lower() for text in texts if number_in(text) is None}
    if nominal or guess.kind in ("words", "texts") or (guess.kind == "flags" and not plain):
        if len(texts) > MAX_CATEGORIES:
            raise ValueError(
                f"{source}, column {shown(guess.name)}: more than {MAX_CATEGORIES:,} different words; leave it out "
                "with ignore="
            )
        return LiveColumn(guess.name, "words", tuple(sorted(texts)))
    is_boolean = any(isinstance(cell, bool) for cell in cells) or {"true", "false"} & {text.lower() for text in texts}
    return LiveColumn(guess.name, "number", flags=BOOLEANS if is_boolean else ("1", "0"), missing=guess.missing)
