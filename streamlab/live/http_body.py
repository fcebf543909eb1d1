"""The body of a request: counted as it comes, before anything is built of it, then cut into the bytes of its rows."""

from __future__ import annotations

import msgspec
import numpy as np

MOST_ROWS = 10_000
MOST_CELLS = 100_000
"""Cells of a row, those of lists in it too."""
MOST_DEPTH = 16
LISTED = b"["
BLANKS = b" \t\r\n"
_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
COMMA = ord(",")


class Body:
    """Rows that come in parts: a JSON object, a list of them, or JSON lines.

    Examples
    --------
    >>> body = Body()
    >>> body.add(b'[{"x": 1}, {"x"')
    >>> body.add(b": 2}]")
    >>> body.rows(1000)
    [b'{"x": 1}', b'{"x": 2}']
    """

    def __init__(self) -> None:
        self._raw = bytearray()
        self._is_list: bool | None = None
        self._in_text = self._is_escaped = False
        self._depth = self._cells = 0
        self._n_rows = 1

    def add(self, part: bytes) -> None:
        """Take a further part.

        Raises
        ------
        ValueError
            If a list has too many rows, a row of it too many cells, or it goes too deep.
        """
        if self._is_list is None:
            part = part.lstrip(BLANKS)
            if not part:
                return
            self._is_list = part.startswith(LISTED)
        self._raw += part
        if self._is_list:
            self._count(part)

    def _count(self, part: bytes) -> None:
        if self._is_escaped:
            part = b"_" + part[1:]
        if b"\\" in part:
            part = part.replace(b"\\\\", b"__").replace(b'\\"', b"__")
        self._is_escaped = part.endswith(b"\\")
        outside = part.split(b'"')
        plain = np.frombuffer(b"".join(outside[self._in_text :: 2]), np.uint8)
        self._in_text ^= len(outside) % 2 == 0
        depths = np.cumsum(_STEPS[plain], dtype=np.int32) + self._depth
        commas = plain == COMMA
        ends = np.flatnonzero(commas & (depths <= 1))  # of rows
        cells = np.cumsum(commas & (depths > 1), dtype=np.int32)
        at_ends = cells[ends]
        last = int(cells[-1]) if len(cells) else 0
        widest = max(np.diff(at_ends, prepend=-self._cells, append=last).tolist())
        self._cells = last - int(at_ends[-1]) if len(ends) else self._cells + last
        self._n_rows += len(ends)
        self._depth = int(depths[-1]) if len(depths) else self._depth
        _check(self._n_rows, widest + 1)
        if len(depths) and depths.max() > MOST_DEPTH:
            raise ValueError(f"lists and objects within each other, more than {MOST_DEPTH}; expected flat rows")

    def rows(self, most_bytes: int) -> list[bytes]:
        """Return the rows, each as the bytes of a JSON value; of one that is longer, ``most_bytes`` and one more.

        Raises
        ------
        ValueError
            If there are none, there are too many, a row has too many cells, or a list is no JSON.
        """
        text = bytes(self._raw).rstrip(BLANKS)
        if self._is_list:
            try:
                values: list = msgspec.json.decode(text, type=list[msgspec.Raw])
            except (msgspec.DecodeError, RecursionError) as error:
                raise ValueError(f"no JSON: {str(error)[:200]}") from None
        else:
            lines = text.split(b"\n", 2 * MOST_ROWS)
            values = [line for line in lines if line.strip()]
            if len(values) > 1 and text.startswith(b"{") and not values[0].strip().endswith(b"}"):
                values = [text]  # one object, written over several lines
            elif len(lines) > 2 * MOST_ROWS:  # the rest is in the last
                _check(len(lines), 0)
            for value in values:
                _check(len(values), value.count(b",") + 1)
        if not values:
            raise ValueError("there are no rows; expected a JSON object, a list of them, or JSON lines")
        return [bytes(memoryview(value)[: most_bytes + 1]) for value in values]


def _check(n_rows: int, n_cells: int) -> None:
    if n_rows > MOST_ROWS:
        raise ValueError(f"more than {MOST_ROWS:,} rows; expected at most so many in one request")
    if n_cells > MOST_CELLS:
        raise ValueError(f"a row of more than {MOST_CELLS:,} cells; expected at most so many")
