"""The attributes of an ARFF file that does not say which of them are labels, as columns to choose from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlab.streams.guess.columns import ColumnGuess
from streamlab.streams.guess.guess import PREVIEW_ROWS, Guess
from streamlab.streams.guess.roles import with_guessed_labels
from streamlab.streams.guess.words import written
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._arff_header import Attribute, read_header
from streamlab.streams.readers._text import existing_file
from streamlab.streams.readers.arff import ArffStream

__all__ = ["guess_arff"]

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
