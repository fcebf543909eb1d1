"""Arrow arrays of any type as numbers, or as places among their different values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._cells import ALWAYS_MISSING, MISSING, WITH_COMMA, value_of, written

if TYPE_CHECKING:
    import pyarrow as pa


_WHOLE = re.compile(r"([+-]?[0-9]{1,18})[.,]0+", re.ASCII)
FEW_NUMBERS = 256
"""Whole numbers in a row that are their own places."""


def is_list(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def is_number(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)


def is_plain(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_integer(kind) or types.is_floating(kind)


def is_text(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


class NoNumber(ValueError):
    """Raised for a cell that is not a number: its place in the array, and what stands there."""

    def __init__(self, place: int, cell: str) -> None:
        super().__init__(cell)
        self.place, self.cell = place, cell


def numbers_in(
    cells: pa.Array, decimal: str = ".", missing: frozenset[str] = MISSING, *, flags: bool = True
) -> np.ndarray:
    """Return the cells as float64, NaN where there is none.

    Parameters
    ----------
    cells
        Of any type whose values are numbers, flags or texts.
    decimal
        What stands in numbers of texts; with ``","`` a point stands between thousands.
    missing
        Words that stand for no value.
    flags
        Whether true and false are numbers, 1 and 0.

    Raises
    ------
    NoNumber
        For the first cell that is neither a number nor missing.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as types

    if types.is_dictionary(cells.type):
        # each text once: a small file can repeat a long one millions of times
        codes = cells.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        try:
            values = numbers_in(cells.dictionary, decimal, missing, flags=flags)
        except NoNumber as error:
            raise NoNumber(int(np.argmax(codes == error.place)), error.cell) from None
        return np.append(values, np.nan)[codes]
    if types.is_boolean(cells.type):
        cells = cells.cast(pa.uint8())
    if is_text(cells.type):
        if decimal == ".":
            try:
                return cells.cast(pa.float64()).to_numpy(zero_copy_only=False)
            except pa.ArrowInvalid:
                pass
        text = pc.utf8_trim_whitespace(cells.cast(pa.string()))
        none = pa.array([*sorted(missing | ALWAYS_MISSING), *(["None"] if missing else [])], pa.string())
        text = pc.if_else(pc.is_in(text, none), pa.scalar(None, pa.string()), text)
        lower = pc.utf8_lower(text)
        for word, number in (("true", "1"), ("false", "0")) if flags else ():
            text = pc.if_else(pc.equal(lower, word), number, text)
        plain = text
        if decimal == ",":
            plain = pc.replace_substring(pc.replace_substring(text, ".", ""), ",", ".")
            # a point that is not a mark of thousands: "1.5" among "1,5" is not understood
            plain = pc.if_else(pc.match_substring_regex(text, WITH_COMMA), plain, "no number")
        try:
            return plain.cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            found = ((i, cell) for i, cell in enumerate(cells.to_pylist()) if cell is not None)
            place, cell = next((i, c) for i, c in found if value_of(c, missing, decimal, flags=flags) is None)
            raise NoNumber(place, cell.strip()) from None
    return cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)


def encoded(
    cells: pa.Array, missing: frozenset[str] = MISSING, *, numbers: bool = False
) -> tuple[np.ndarray, list[Any]]:
    """Return the place of each cell's value among the different ones, -1 where it is missing, and those values.

    Values are texts without blanks around them, as a text file would have them; lists stay lists. In a column of
    ``numbers`` the text 3.0 is 3, as where its cells are numbers.
    """
    import pyarrow as pa
    import pyarrow.types as types

    gone = missing | {""}
    if is_list(cells.type):
        values = cells.to_pylist()
        return np.array([-1 if value is None else i for i, value in enumerate(values)], np.int64), values
    if types.is_integer(cells.type) and len(cells) and not cells.null_count:
        whole = cells.to_numpy()
        low = int(whole.min())
        if (n := int(whole.max()) - low + 1) <= FEW_NUMBERS:
            return whole.astype(np.int64) - low, [str(low + i) for i in range(n)]
    if not types.is_dictionary(cells.type):
        cells = cells.cast(pa.large_string()) if types.is_string_view(cells.type) else cells
        cells = cells.dictionary_encode()
    if not len(cells.dictionary):
        return np.full(len(cells), -1, np.int64), []
    codes = cells.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    values = [written(value) for value in cells.dictionary.to_pylist()]
    if numbers:
        values = [str(int(match[1])) if (match := _WHOLE.fullmatch(value)) else value for value in values]
    lost = [code for code, value in enumerate(values) if value in gone]
    if lost:
        codes = np.where(np.isin(codes, lost), -1, codes)
    return codes, values
