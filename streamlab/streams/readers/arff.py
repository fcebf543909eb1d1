"""ARFF files in both multi-label dialects, MEKA's and MULAN's: compiled reading of rows, exact errors."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import caller, checked_flag, existing_file, few, index_in, number_in, shown, within
from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams._sparse import WIDE, csr_of
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._arff_header import (
    BLANKS,
    Attribute,
    choose_labels,
    read_header,
    scan_value,
    skip_blanks,
    split_cells,
)
from streamlab.streams.readers._arff_kernels import (
    END,
    FULL,
    LEFT_OUT,
    UNUSUAL,
    Columns,
    Powers,
    parse_rows,
    powers_of_five,
    skip_rows,
)
from streamlab.streams.readers._text import START, Mark, Marks, checked_encoding, line_blocks, stem_of
from streamlab.streams.stream import Stream
from streamlab.streams.tables.cells import flags_of, is_numeric, meaning_of
from streamlab.streams.tables.kinds import ColumnGuess, table_of
from streamlab.streams.tables.named import named_positions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ArffStream"]

BLOCK_CELLS = 1 << 18  # 2 MiB of float64: fits the cache, and no row is copied twice
BLOCK_ROWS = 4096

_INDEX = re.compile(r"([0-9]+)[ \t]+")


class ArffStream(Stream):
    """A multi-label ARFF file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``.
    labels
        Which attributes are the labels. None (default): those named in the XML file beside it (MULAN; nested labels
        become a hierarchy), else as many as ``-C`` in the relation's name says (MEKA: the first n, or the last if n is
        negative). Else an integer in MEKA's sense, a list of names, or the path of an XML file.
    ignore
        Attributes to leave out; those of type string and date are in any case, with a warning unless they are named.
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
        rows, unknown categories, a cell that is not a finite number, a
        missing label, bytes in another encoding, a damaged gzip, a limit passed.

    Notes
    -----
    Opening passes over the file once, to count its rows, and reads it where a ``?`` may be a label that is missing. A
    label is an attribute of 0 and 1, TRUE and FALSE, no and yes …; one of other categories has a label for each.

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
    ) -> None:
        self.path = existing_file(path)
        self._watch = LoadWatch(self.path, limits, cancel)
        self.encoding = checked_encoding(encoding)
        self.name = stem_of(self.path)
        header = read_header(self.path, self.encoding, self._watch)
        self.relation = header.relation
        self._data_line = header.data_line
        self._marks = Marks(self.path)
        self._attributes = header.attributes
        chosen, parents = choose_labels(header, self.path, labels, self._watch)
        self._left_out = self._ignored(ignore, set(chosen))
        n_features = len(header.attributes) - len(chosen) - len(self._left_out)
        self._watch.columns(n_features, len(chosen), str(self.path))
        self.schema, self._columns, self._classes = _layout(
            self.path, header.attributes, chosen, self._left_out, parents
        )
        self._room = max(1, min(BLOCK_ROWS, BLOCK_CELLS // max(1, self.schema.n_features)))
        wanted, first = checked_flag("sparse", sparse, optional=True), self._first_row()
        if first is None:
            raise ValueError(f"{self.path}: no rows after @data (line {self._data_line}); expected at least one")
        self.is_sparse = first.startswith(b"{") and self.schema.n_features >= WIDE if wanted is None else wanted
        self.n_rows = self._scan()
        self._watch.opened()

    def _ignored(self, ignore: str | Sequence[str], labels: set[int]) -> set[int]:
        """Return the positions of what is left out; warn of texts and dates that nobody has named."""
        names = [each.name for each in self._attributes]
        named = named_positions(names, ignore, str(self.path), "ignore=")
        kinds = {j: each.kind for j, each in enumerate(self._attributes) if each.kind}
        wrong = sorted((named | kinds.keys()) & labels)
        if wrong:
            what = f"it is of type {kinds[wrong[0]]}" if wrong[0] in kinds else "it is named in ignore="
            raise ValueError(
                f"{self.path}: {shown(names[wrong[0]])} is a label, and {what}; expected it to be one of both"
            )
        if len(named | kinds.keys() | labels) == len(names):
            raise ValueError(f"{self.path}: ignore= leaves no feature; expected at least one")
        said = [f"{shown(names[j])} ({kinds[j]})" for j in sorted(kinds.keys() - named)]
        if said:
            gone = [names[j] for j in sorted(named | kinds.keys())]
            warnings.warn(f"{self.path}: left out: {few(said)[1:-1]}; ignore={gone!r} says so", stacklevel=caller())
        return named | kinds.keys()

    def _scan(self) -> int:
        """Return the number of rows; raise a ValueError if a label is missing in one of them."""
        where = np.zeros(3, np.int64)
        mark, note = self._marks.before(0)
        n_rows = 0
        has_gaps = False
        for block, line, offset in self._data_blocks(mark):
            note(n_rows, line, offset)
            n_rows += skip_rows(np.frombuffer(block, np.uint8), 0, len(block), where)
            has_gaps = has_gaps or b"?" in block
        if has_gaps:
            for _ in self._dense_blocks(0):
                self._watch.step()
        return n_rows

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        n_features = self.schema.n_features
        for X, Y in self._dense_blocks(start):
            if self._classes:
                # their categories stand behind the features
                Y = self._with_classes(X[:, n_features:], Y)
                X = np.ascontiguousarray(X[:, :n_features])
            # a few rows of it are unfolded at a time, whatever their width
            yield (csr_of(X) if self.is_sparse else X), Y

    def _dense_blocks(self, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        powers = _powers()
        where = np.zeros(3, np.int64)
        shape = self.schema.n_features + len(self._classes), self._columns.default.size
        X, Y, row = np.zeros((self._room, shape[0])), np.zeros((self._room, shape[1]), np.uint8), 0
        mark, note = self._marks.before(start)
        position = mark.row  # of the first row in X
        for block, line, offset in self._data_blocks(mark):
            note(position + row, line, offset)
            text = np.frombuffer(block, np.uint8)
            at = 0
            if position < start:
                position += skip_rows(text, 0, start - position, where)
                at, line = int(where[0]), line + int(where[1])
            status = FULL
            while status != END:
                row = parse_rows(text, at, self._columns, powers, X, Y, row, where)
                at, line, status = int(where[0]), line + int(where[1]), int(where[2])
                if status == UNUSUAL:
                    stop = block.index(b"\n", at)
                    try:
                        self._read_carefully(block[at:stop].decode(), line, X[row], Y[row])
                    except ValueError:
                        # The good rows before it first: a run can be followed up to the line that is wrong.
                        if row:
                            yield X[:row], Y[:row]
                        raise
                    at, line, row = stop + 1, line + 1, row + 1
                elif status == FULL:
                    yield X, Y
                    position += row
                    X, Y, row = np.zeros((self._room, shape[0])), np.zeros((self._room, shape[1]), np.uint8), 0
        if row:
            yield X[:row], Y[:row]

    def _data_blocks(self, since: Mark = START) -> Iterator[tuple[bytes, int, int | None]]:
        """Blocks of lines after ``@data``."""
        first_line = self._data_line + 1
        return line_blocks(self.path, self.encoding, watch=self._watch, since=since, first_line=first_line)

    def _first_row(self) -> bytes | None:
        """Return the first bytes of the first row, without blanks before it; None if there is none."""
        where = np.zeros(3, np.int64)
        for block, _, _ in self._data_blocks():
            if skip_rows(np.frombuffer(block, np.uint8), 0, 1, where):
                return block[: int(where[0])].rstrip(b"\r\n").rpartition(b"\n")[2].strip()[:1]
        return None

    def _read_carefully(self, text: str, line: int, x: np.ndarray, y: np.ndarray) -> None:
        """Read one row of any legal writing into ``x`` and ``y``, or say exactly what is wrong with it."""
        text = text.strip(BLANKS)
        x[:] = 0
        y[:] = self._columns.default
        if text.startswith("{"):
            cells = self._sparse_cells(text, line)
        else:
            values = split_cells(text)
            n = len(self._attributes)
            if len(values) == n + 1 and values[-1] == ("", False):
                values.pop()  # MOA writes a comma behind the last
            if len(values) < n and len(parts := split_cells(text, blanks=True)) == n:
                values = parts
            if len(values) != n:
                short = min(len(values), len(self._attributes) - 1)
                raise self._error(
                    line, short, f"expected {len(self._attributes)} values in the row, found {len(values)}"
                )
            cells = enumerate(values)
        for index, (value, quoted) in cells:
            target = self._columns.target[index]
            if target == LEFT_OUT:
                continue
            number = self._cell(index, value, quoted, line)
            if target >= 0:
                x[target] = number
            else:
                y[-1 - target] = number

    def _sparse_cells(self, text: str, line: int) -> Iterator[tuple[int, tuple[str, bool]]]:
        seen: set[int] = set()
        at = 1
        while True:
            at = skip_blanks(text, at)
            if text[at : at + 1] == "}" and not seen:
                break
            match = _INDEX.match(text, at)
            if match is None:
                raise ValueError(
                    f"{self.path}, line {line}, character {at + 1}: expected 'index value' in a sparse row, "
                    f"found {shown(text[at : at + 20])}"
                )
            index = index_in(match[1])
            if index >= len(self._attributes):
                raise ValueError(
                    f"{self.path}, line {line}, character {at + 1}: there is no attribute "
                    f"{shown(match[1])[1:-1]}; "
                    f"expected an index from 0 to {len(self._attributes) - 1}"
                )
            if index in seen:
                raise self._error(line, index, f"the index {index} occurs twice in the sparse row; expected it once")
            seen.add(index)
            value, quoted, at = scan_value(text, match.end(), ",}")
            yield index, (value, quoted)
            if text[at : at + 1] == "}":
                break
            if text[at : at + 1] != ",":
                raise ValueError(f"{self.path}, line {line}, character {at + 1}: expected ',' or '}}' after a value")
            at += 1
        rest = text[at + 1 :].strip()
        if rest and not rest.startswith("%"):
            raise ValueError(
                f"{self.path}, line {line}, character {at + 2}: expected nothing after '}}', found {shown(rest[:20])} "
                "(weights of instances are not supported)"
            )

    def _cell(self, index: int, value: str, quoted: bool, line: int) -> float:
        attribute = self._attributes[index]
        is_label = self._columns.target[index] < 0
        if value == "?" and not quoted:
            if is_label or index in self._classes:
                expected = few(attribute.categories) if attribute.categories else "0 or 1"
                raise self._error(line, index, f"the label is missing ('?'); expected {expected}: remove the row")
            return math.nan
        if attribute.categories is not None:
            try:
                position = self._category_positions[index][value]
            except KeyError:
                known = few(attribute.categories)
                raise self._error(line, index, f"unknown value {shown(value)}; expected one of {known}") from None
            if is_label:
                return float(meaning_of(value, flags_of(attribute.categories) or ("1", "0")) or 0)
            return float(position)
        number = number_in(value)
        if number is None:
            wanted = "0 or 1" if is_label else "a number or '?'"
            raise self._error(line, index, f"expected {wanted}, found {shown(value)}")
        if math.isinf(number):
            raise self._error(line, index, f"expected a finite number, found {shown(value)}")
        if is_label and number not in (0, 1):
            raise self._error(line, index, f"expected the label to be 0 or 1, found {shown(value)}")
        return number

    @cached_property
    def _category_positions(self) -> list[dict[str, int]]:
        return [{c: i for i, c in enumerate(a.categories or ())} for a in self._attributes]

    def _with_classes(self, codes: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Return the labels with one for each category of the attributes that have several."""
        out = np.zeros((len(Y), self.schema.n_labels), np.uint8)
        plain, column, at = iter(range(Y.shape[1])), iter(range(codes.shape[1])), 0
        for position in self._label_positions:
            if position in self._classes:
                out[np.arange(len(Y)), at + codes[:, next(column)].astype(np.intp)] = 1
                at += len(self._attributes[position].categories or ())
            else:
                out[:, at] = Y[:, next(plain)]
                at += 1
        return out

    @property
    def columns(self) -> pd.DataFrame:
        """What each attribute is taken for, and why: name, role, why, examples."""
        labels = set(self._label_positions)
        columns = []
        for j, each in enumerate(self._attributes):
            role = "ignore" if j in self._left_out else "class" if j in self._classes else "feature"
            role = "label" if j in labels - self._classes.keys() else role
            holds = each.kind or (few(each.categories) if each.categories else "numbers")
            columns.append(ColumnGuess(each.name, "", role, f"declared in line {each.line}: {holds}", ()))
        return table_of(columns)

    @cached_property
    def _label_positions(self) -> list[int]:
        targets = self._columns.target.tolist()
        return [j for j, target in enumerate(targets) if j in self._classes or LEFT_OUT < target < 0]

    def _error(self, line: int, index: int, what: str) -> ValueError:
        return ValueError(
            f"{self.path}, line {line}, column {index + 1} ({shown(self._attributes[index].name)}): {what}"
        )


@cache
def _powers() -> Powers:
    return powers_of_five()


def _layout(
    path: Path,
    attributes: list[Attribute],
    chosen: list[int],
    left_out: set[int],
    parents: dict[str, str | None] | None,
) -> tuple[Schema, Columns, dict[int, int]]:
    """Return the schema, the columns as kernels have them, and the columns of X behind the features, by attribute.

    These hold the categories of labels that have several.
    """
    labels = set(chosen)
    features = [
        Feature(each.name, each.categories, each.low, each.high)
        for position, each in enumerate(attributes)
        if position not in labels | left_out
    ]
    classes: dict[int, int] = {}
    names: list[str] = []
    target: list[int] = []
    default: list[int] = []
    first, offset, text = [0], [0], bytearray()
    value: list[float] = []
    digits: list[list[float]] = []
    n_inputs = 0
    several = [j for j in chosen if attributes[j].categories and flags_of(attributes[j].categories or ()) is None]
    for position, attribute in enumerate(attributes):
        categories = () if position in left_out else attribute.categories
        meanings = [float(i) for i in range(len(categories or ()))]
        if position in left_out:
            target.append(LEFT_OUT)
        elif position in labels and position in several:
            classes[position] = len(features) + len(classes)
            target.append(classes[position])
            for each in categories or ():
                is_plain = len(several) == 1 and each not in names and not is_numeric(each)
                names.append(each if is_plain else f"{attribute.name}={each}")
        elif position in labels:
            flags = flags_of(categories or ()) or ("1", "0")
            meanings = [float(meaning_of(each, flags) or 0) for each in categories or ()]
            target.append(-1 - len(default))
            default.append(int(meanings[0]) if meanings else 0)
            names.append(attribute.name)
        else:
            target.append(n_inputs)
            n_inputs += 1
        for raw, meaning in sorted(zip((c.encode() for c in categories or ()), meanings, strict=True)):
            text += raw
            offset.append(len(text))
            value.append(meaning)
        first.append(len(value))
        if categories is None:
            digits.append([float(digit) for digit in range(10)])
        else:
            known = dict(zip(categories, meanings, strict=True))
            digits.append([known.get(d, -1.0) for d in "0123456789"])
    hierarchy = None
    if parents is not None:
        if several:
            name = shown(attributes[several[0]].name)
            raise ValueError(f"{path}: the label {name} has several categories; expected 0 and 1 in a hierarchy")
        rank = {name: i for i, name in enumerate(names)}
        above = [parents[name] for name in names]
        hierarchy = Hierarchy(tuple(-1 if name is None else rank[name] for name in above))
    with within(str(path)):
        schema = Schema(tuple(features), tuple(names), hierarchy)
    columns = Columns(
        np.array([a.categories is not None for a in attributes]),
        np.array(target, np.int64),
        np.array(first, np.int64),
        np.array(offset, np.int64),
        np.frombuffer(bytes(text), np.uint8).copy(),
        np.array(value, np.float64),
        np.array(digits, np.float64),
        np.array(default, np.uint8),
    )
    return schema, columns, classes
