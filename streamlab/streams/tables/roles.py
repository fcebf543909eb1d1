"""Decide which columns are labels, by their names or by what they hold, and ask in words for what cannot be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from streamlab._cells import LABEL_NAME, flags_of
from streamlab._checks import check_unique, few, is_count, near, shown, within
from streamlab.schema import Hierarchy
from streamlab.streams.tables.kinds import LABELS, MOST_CLASSES, ColumnGuess

if TYPE_CHECKING:
    from streamlab.streams.tables.csv_source import Layout

__all__ = ["Question"]


def label_range(n: int, n_columns: int, what: str) -> list[int]:
    """MEKA's convention: the positions of the first ``n`` columns, or of the last ``-n``.

    Raises
    ------
    ValueError
        If ``n`` is 0 or leaves no column for a feature; the message begins with ``what`` and ``n``.
    """
    if n_columns < 2:
        raise ValueError(f"{what}{n}: there is only one column; expected at least one label and one feature")
    if not 0 < abs(n) < n_columns:
        raise ValueError(f"{what}{n}: expected 1 to {n_columns - 1} labels (negative: the last columns)")
    return list(range(n)) if n > 0 else list(range(n_columns + n, n_columns))


def label_positions(columns: Sequence[str], labels: int | str | Sequence[str], source: str) -> list[int]:
    """Return the positions of the labels among the named columns, in the order of the columns.

    Parameters
    ----------
    columns
        The names of all columns.
    labels
        A name, a list of names, or a number as in ``label_range``.
    source
        What the columns belong to, for messages.

    Raises
    ------
    ValueError
        If ``labels`` names no column, or one twice, or a number of them that leaves no feature.
    """
    if is_count(labels):
        return label_range(int(labels), len(columns), f"{source}: labels=")
    names: list[Any] = [labels] if isinstance(labels, str) else list(labels)  # type: ignore[arg-type]
    if not names:
        raise ValueError(f"{source}: labels=[] is empty; expected at least one column")
    check_unique(f"{source}: labels=: the column", names)
    known = {name: i for i, name in enumerate(columns)}
    return sorted(_position(known, name, source, "labels=") for name in names)


def named_positions(columns: Sequence[str], names: Sequence[str], source: str, what: str) -> set[int]:
    """Return the positions of the columns named; ``what`` is the argument that names them, for the message.

    Raises
    ------
    ValueError
        If a name is not a column.
    """
    known = {name: i for i, name in enumerate(columns)}
    return {_position(known, name, source, what) for name in ([names] if isinstance(names, str) else names)}


def title_position(columns: Sequence[str], title: Any, labels: Sequence[str], source: str, what: str = "title=") -> int:
    """Return the position of the column that ``title`` names; ``what`` is the argument.

    Raises
    ------
    ValueError
        If there is no such column, or it is a label.
    """
    if not isinstance(title, str):
        raise ValueError(f"{source}: {what}{title!r}: expected the name of a column")
    (position,) = named_positions(list(columns), [title], source, what)
    if title in labels:
        raise ValueError(f"{source}: {what} names {shown(title)}, which is a label")
    return position


def _position(columns: dict[str, int], name: str, source: str, what: str) -> int:
    try:
        return columns[name]
    except (KeyError, TypeError):
        known = list(columns)
        # a table may have numbers as names, which are texts wherever they are typed
        alike = [i for other, i in columns.items() if str(other) == name]
        if len(alike) == 1:
            return alike[0]
        hint = near(str(name), [str(c) for c in known])
        raise ValueError(f"{source}: {what} names {shown(name)}, which is not a column{hint} ({few(known)})") from None


@dataclass(frozen=True)
class Question:
    """Something about a file that is unclear, or was decided for its user.

    Parameters
    ----------
    text
        A sentence.
    column
        The column that it is about; None: the whole file.
    stops
        Whether the stream cannot begin before it is answered.

    Examples
    --------
    >>> Question("Which columns are labels?", stops=True).stops
    True
    """

    text: str
    column: str | None = None
    stops: bool = False


@dataclass(frozen=True)
class Named:
    """What is said of a table's columns; each settles what it says, and what is not said is guessed.

    The parameters are those of ``guess_table``.
    """

    labels: Any = None
    classes: Sequence[str] = ()
    tags: Sequence[str] = ()
    text: Sequence[str] = ()
    features: Sequence[str] = ()
    ignore: Sequence[str] = ()
    nominal: Sequence[str] = ()
    missing: Sequence[str] | None = None
    tag_separator: str | None = None
    title: str | None = None
    moment: str | None = None
    hierarchy: Any = None

    def __post_init__(self) -> None:
        for each in ("classes", "tags", "text", "features", "ignore", "nominal", "missing"):
            given = getattr(self, each)
            names = [given] if isinstance(given, str) else given
            if names is not None and (
                not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names)
            ):
                raise ValueError(f"{each}={shown(given)}: expected a list of texts")
            object.__setattr__(self, each, None if names is None else tuple(names))
        if self.tag_separator is not None and not isinstance(self.tag_separator, str):
            raise ValueError(f"tag_separator={self.tag_separator!r}: expected a text such as '|', or None")
        object.__setattr__(self, "hierarchy", checked_hierarchy(self.hierarchy))

    @property
    def levels(self) -> list[str]:
        """The columns of ``hierarchy=`` that hold the levels of paths."""
        given = self.hierarchy
        return given if isinstance(given, list) and isinstance(given[0], str) else []


def checked_hierarchy(given: Any) -> Any:
    """Return what ``hierarchy=`` says: a separator, a list of columns, or one of pairs [child, parent]; or None.

    Raises
    ------
    ValueError
        If it is none of these, or no hierarchy.
    """
    if given is None or (isinstance(given, str) and given.strip()):
        return given and given.strip()
    if isinstance(given, (list, tuple)) and len(given) > 1 and all(isinstance(each, str) for each in given):
        check_unique("hierarchy=: the column", given)
        return list(given)
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    if (
        not isinstance(pairs, (list, tuple))
        or not pairs
        or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs)
    ):
        raise ValueError(
            f"hierarchy={shown(given)}: expected what separates the steps of a path, such as '/', the columns of its "
            "levels, or the parent of each label, such as {'violin': 'strings'}"
        )
    pairs = [
        [child, list(above) if isinstance(above, (list, tuple, set, frozenset)) else above] for child, above in pairs
    ]
    with within("hierarchy="):
        Hierarchy.from_table(pairs, dag=True)
    return pairs


def label_role(column: ColumnGuess) -> str | None:
    """Return the role that a column has as one of labels, or None if its cells cannot be labels."""
    if column.odd is not None:
        return "label"  # its reader refuses the odd cell, and says where it is
    own = {"flags": "label", "tags": "tags", "vectors": "vector", "mixed": "class", "paths": "tags"}.get(column.kind)
    if own is not None or "label" in column.roles:
        return own or "label"
    if column.kind in ("words", "identifiers", "texts") and "class" in column.roles:
        return "class"
    if column.kind in ("numbers", "identifiers") and len(column.values) > 1:
        return "class"
    return None


def with_roles_named(columns: Sequence[ColumnGuess], named: Named, source: str) -> list[ColumnGuess]:
    """Return the columns with the roles that they are given by name; all others keep their own.

    Raises
    ------
    ValueError
        If a name is no column, or a column is given two roles, or one that it cannot have.
    """
    names = [column.name for column in columns]
    role_of: dict[str, str] = {}
    for role in ("classes", "tags", "text", "features", "ignore", "nominal", "hierarchy"):
        given = named.levels if role == "hierarchy" else getattr(named, role)
        for j in named_positions(names, given, source, f"{role}="):
            other = role_of.setdefault(names[j], role)
            if {other, role} == {"features", "nominal"}:
                role_of[names[j]] = "nominal"
            elif other != role:
                raise ValueError(f"{source}: {shown(names[j])} is named in {other}= and in {role}=; expected it in one")
    out = [_as_named(column, role_of.get(column.name), named) for column in columns]
    if named.labels is not None:
        return _with_named_labels(out, named, role_of, source)
    return out


def _as_named(column: ColumnGuess, role: str | None, named: Named) -> ColumnGuess:
    if role is None:
        return column
    own = {"classes": "class", "features": "feature", "nominal": "feature", "hierarchy": "path"}.get(role, role)
    separator = column.separator if named.tag_separator is None else named.tag_separator
    kind = {"classes": "words", "tags": "tags"}.get(role, column.kind)
    # a column of lists stays one
    kind = column.kind if role == "classes" and column.holds.startswith("lists of") else kind
    return _given(column, own, f"named in {role}=", separator, kind=kind)


def _given(column: ColumnGuess, role: str, why: str, separator: str, **more: Any) -> ColumnGuess:
    roles = (role, *(each for each in column.roles if each != role))
    return replace(column, role=role, roles=roles, why=why, separator=separator, **more)


def _with_named_labels(
    columns: Sequence[ColumnGuess], named: Named, role_of: dict[str, str], source: str
) -> list[ColumnGuess]:
    labels = named.labels
    if isinstance(labels, (list, tuple)):
        # pandas numbers columns without names
        labels = [str(name) if is_count(name) else name for name in labels]
    given = [labels] if isinstance(labels, str) else labels
    are_names = isinstance(given, (list, tuple)) and all(isinstance(name, str) for name in given)
    if not are_names and not is_count(labels):
        raise ValueError(f"{source}: labels={shown(labels)}: expected names, or a number of columns")
    # a number counts the columns that are there
    there = [column.name for column in columns if are_names or column.name not in named.ignore]
    chosen = {there[j] for j in label_positions(there, labels, source)}
    for name in sorted(chosen & role_of.keys()):
        if role_of[name] not in ("classes", "tags", "hierarchy"):
            what = f"{role_of[name]}= names {shown(name)}, which is a label"
            raise ValueError(f"{source}: {what}: it is named in {role_of[name]}= and in labels=")
    among_flags = sum(column.kind == "flags" for column in columns if column.name in chosen)
    out = []
    for column in columns:
        if column.name not in chosen:
            out.append(column)
            continue
        role = role_of.get(column.name) and column.role
        separator = column.separator
        if role is None and named.tag_separator is not None and column.kind not in ("flags", "vectors", "numbers"):
            separator = named.tag_separator
            role = "tags" if separator or column.holds.startswith("lists of") else "class"
        role = role or label_role(column)
        if isinstance(named.hierarchy, str) and role is None and column.kind != "others":
            role = "class"
        if role is None:
            raise ValueError(
                f"{source}, column {shown(column.name)}: expected labels (0 and 1, yes and no, a few words or whole "
                f"numbers, or tags), found {column.holds}; name it in classes= or tags= if each value is a label"
            )
        if role == "class" and column.kind in ("numbers", "identifiers") and among_flags and column.name not in role_of:
            other = next(value for value in column.values if flags_of([value]) != ("1", "0"))
            raise ValueError(
                f"{source}, column {shown(column.name)}: expected the label to be 0 or 1 as in the others, found "
                f"{shown(other)}; if it holds classes, name it in classes="
            )
        out.append(_given(column, role, "named in labels=", separator))
    return out


def with_paths(columns: Sequence[ColumnGuess], named: Named) -> list[ColumnGuess]:
    """Return the columns with the role of paths where ``hierarchy=`` says what separates the steps of classes."""
    separator = named.hierarchy
    if not isinstance(separator, str):
        return list(columns)
    # names of labels may have blanks in them
    tags = () if named.tag_separator is not None else (separator, " ")
    return [
        replace(c, role="path", roles=("path", *(each for each in c.roles if each != "path")), path=separator)
        if c.role == "class" or (c.role == "tags" and c.separator in tags and c.name not in named.tags)
        else c
        for c in columns
    ]


def with_guessed_labels(columns: Sequence[ColumnGuess]) -> tuple[list[ColumnGuess], list[Question]]:
    """Return the columns with the roles of those that look like labels, and what is to be said of that."""
    free = [j for j, column in enumerate(columns) if not column.why]
    places, why = _choice([columns[j] for j in free])
    chosen = {free[place] for place in places}
    out = [
        replace(column, role=label_role(column) or column.role, why=why) if j in chosen else column
        for j, column in enumerate(columns)
    ]
    names = [out[j].name for j in sorted(chosen)]
    if not names:
        return out, []
    alone = len(names) == 1 and out[min(chosen)].role == "label"
    what = f"{_list(names)} {'is' if len(names) == 1 else 'are'} taken as {'the label' if alone else 'labels'}"
    return out, [Question(f"{what}: {why}.")]


def _choice(columns: Sequence[ColumnGuess]) -> tuple[set[int], str]:
    """Return the positions of the columns that look most like labels, and why."""
    able = {j for j, column in enumerate(columns) if label_role(column) is not None and _is_likely(column)}
    named = {j for j in able if LABEL_NAME.match(columns[j].name)}
    if named:
        return named, "named as labels are" if len(named) > 1 else "its name says so"
    tags = {j for j in able if columns[j].kind in ("tags", "vectors")}
    if tags:
        return tags, "the cells hold several words each, which come again"
    n, flags = len(columns), {j for j, column in enumerate(columns) if column.kind == "flags"}
    others = [j for j in range(n) if j not in flags]
    if not others:
        return set(), ""
    if flags:
        first, last = others[0], n - 1 - others[-1]
        if not (first or last):
            return flags, "the only columns of yes and no" if len(flags) > 1 else "it is the only column of yes and no"
        at, which = (set(range(n - last, n)), "last") if last else (set(range(first)), "first")
        return at, f"the {which} {f'{len(at)} columns hold' if len(at) > 1 else 'column holds'} yes or no"
    classes = [j for j in sorted(able) if columns[j].kind == "words"]
    if n - 1 in able and (columns[n - 1].kind == "words" or not classes):
        return {n - 1}, f"it is the last column, and holds {len(columns[n - 1].values)} different values"
    if 0 in classes:
        return {0}, f"it is the first column, and holds {len(columns[0].values)} different words"
    if len(classes) == 1:
        return {classes[0]}, f"it is the only column of a few words, {len(columns[classes[0]].values)} different ones"
    return set(), ""


def _is_likely(column: ColumnGuess) -> bool:
    if column.kind in ("flags", "tags", "vectors"):
        return True
    return column.kind in ("words", "numbers") and "class" in column.roles and 2 <= len(column.values) <= MOST_CLASSES


def questions_of(columns: Sequence[ColumnGuess], layout: Layout | None) -> list[Question]:
    """Return what these roles leave open, and what was decided about the file and its columns."""
    asked: list[Question] = []
    by_role: dict[str, list[str]] = {}
    for column in columns:
        by_role.setdefault(column.role, []).append(column.name)
    labels = [name for role in LABELS for name in by_role.get(role, [])]
    if not labels:
        able = [column.name for column in columns if label_role(column) is not None]
        hint = f"; {_list(able)} could be" if able else ": none holds 0 and 1, yes and no, a few words, or tags"
        asked.append(Question(f"Which columns are the labels? Say so of at least one{hint}.", stops=True))
    texts, features = by_role.get("text", []), by_role.get("feature", [])
    if labels and not features and not texts:
        asked.append(Question("What is to be learned from? Make at least one column a feature.", stops=True))
    if texts and features:
        what = f"Words and other features do not go together: leave out {_list(features)}, or {_list(texts)}."
        asked.append(Question(what, stops=True))
    asked += [Question(_UNSURE[unsure].format(layout=layout)) for unsure in (layout.unsure if layout else ())]
    if layout is not None and not layout.header:
        asked.append(Question("The first row is taken as data, not as the names of columns."))
    if layout is not None and layout.skip_lines:
        n = layout.skip_lines
        above = (
            "first line stands above the table and is" if n == 1 else f"first {n} lines stand above the table and are"
        )
        asked.append(Question(f"The {above} passed over."))
    for column in columns:
        if column.missing and column.role == "feature":
            words = _list(column.missing)
            asked.append(Question(f"“{column.name}” holds numbers; {words} there means a missing value.", column.name))
        elif column.odd is not None and column.role == "feature" and not column.why:
            row, value = column.odd
            few_rows = f"a few rows, such as row {row:,}, which has {value}"
            text = f"“{column.name}” is 0 or 1 but for {few_rows}: it is taken as a feature."
            asked.append(Question(text, column.name))
        elif column.role == "ignore" and column.kind in _LEFT_OUT:
            asked.append(Question(f"“{column.name}” is left out: it holds {column.holds}.", column.name))
        elif column.role == "time":
            text = f"“{column.name}” says when: rows are seen in the order of the file, and it is not learned from."
            asked.append(Question(text, column.name))
        if column.path and column.role == "class":
            example = column.values[0] if column.values else f"a{column.path}b"
            text = f"“{column.name}” holds paths, such as {example}: is each step a label of a hierarchy? Say path."
            asked.append(Question(text, column.name))
    gaps = [column for column in columns if column.gaps and column.role == "feature"]
    if gaps:
        names, most = [column.name for column in gaps], max(column.gaps for column in gaps)
        rows = f"in {most:,} of the rows looked at" if len(gaps) == 1 else f"in up to {most:,} of the rows looked at"
        text = f"{_list(names)} {'has' if len(gaps) == 1 else 'have'} no value {rows}"
        asked.append(Question(f"{text}: it is missing there for the learners, and no row is left out."))
    return asked


_LEFT_OUT = ("identifiers", "empty", "others", "texts", "tags")
_UNSURE = {
    "encoding": "The letters are read as {layout.encoding}. If they look wrong below, choose another encoding.",
    "decimal": "A comma in a number is read as its decimal point: 1,234 is a little more than one.",
    "header": "It is not sure whether the first row holds the names of the columns.",
}


def _list(names: Sequence[str], most: int = 4) -> str:
    first = [f"“{name}”" for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(first)} and {len(names) - most:,} more"
    return first[0] if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
