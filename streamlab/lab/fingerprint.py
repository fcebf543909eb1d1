"""The fingerprint of a stream: a digest of its columns, and checksums of its rows up to a position.

A learner remembers by it on which rows its parameters were chosen; who tests it on them is warned.
"""

from __future__ import annotations

import hashlib
import re
import warnings
import zlib
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import numpy as np

from streamlab._checks import shown
from streamlab.learners import Learner
from streamlab.streams import Stream, is_csr

CHUNK = 1000
PARTS = ("X", "Y", "indices", "lengths", "arrives", "told")
_SUM = re.compile("[0-9a-f]{8}")


class Fingerprint:
    """Checksums of a stream's rows, which grow with the rows; how they are cut into chunks changes nothing.

    Parameters
    ----------
    stream
        The stream; what it says of late or hidden labels counts too.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.schema = hashlib.sha256(stream.schema.to_json().encode()).hexdigest()
        self.rows = 0
        self._sums = dict.fromkeys(PARTS, 0)
        self._alone = Lock()

    def of(self, rows: int, heard: Callable[[], object] | None = None) -> dict[str, Any]:
        """Return it for the rows up to a position, which is read chunk by chunk from where it came to before.

        ``heard`` is called after each chunk; what it raises ends the reading.
        """
        with self._alone:
            return self._of(rows, heard)

    def _of(self, rows: int, heard: Callable[[], object] | None) -> dict[str, Any]:
        if rows < self.rows:
            self.rows, self._sums = 0, dict.fromkeys(PARTS, 0)
        labelling = self.stream.labelling
        for chunk in self.stream.chunks(CHUNK, start=self.rows, stop=rows):
            X = chunk.X
            if is_csr(X):
                self._add("indices", np.asarray(X.indices, np.int64))
                self._add("lengths", np.diff(X.indptr).astype(np.int64))
                self._add("X", X.data)
            else:
                self._add("X", X)
            self._add("Y", chunk.Y)
            if labelling is not None:
                at = np.arange(chunk.start, chunk.stop)
                self._add("arrives", labelling.arrives(at))
                self._add("told", labelling.labels_known(chunk.Y, at))
            self.rows = chunk.stop
            if heard is not None:
                heard()
        mark = {} if self.stream.rows_mark is None else {"mark": self.stream.rows_mark}
        sums = {part: f"{n:08x}" for part, n in self._sums.items()}
        return {"schema": self.schema, "rows": self.rows, **sums, **mark}

    def difference(self, other: Mapping[str, Any], heard: Callable[[], object] | None = None) -> str:
        """Return what is other than in a fingerprint that ``of`` gave: "", "fewer rows" or "other rows".

        ``heard`` is that of ``of``.

        Rows of the same mark (``Stream.rows_mark``) are the same: they are not read again, only the last one of them.
        """
        rows, mark = other["rows"], self.stream.rows_mark
        if mark is not None and other.get("mark") == mark and other["schema"] == self.schema:
            if rows and next(self.stream.chunks(1, start=rows - 1, stop=rows), None) is None:
                return "fewer rows"
            if all(_SUM.fullmatch(str(other.get(part))) for part in PARTS):
                with self._alone:
                    self.rows, self._sums = rows, {part: int(other[part], 16) for part in PARTS}
                return ""
        found = self.of(rows, heard)
        if found["rows"] != rows:
            return "fewer rows"
        return "" if all(found[key] == other.get(key) for key in ("schema", *PARTS)) else "other rows"

    def _add(self, part: str, array: np.ndarray) -> None:
        self._sums[part] = zlib.crc32(np.ascontiguousarray(array).data, self._sums[part])


FIRST_ROWS = 100
"""Rows of a stream by which it is recognised: whoever begins with them comes by the rows of the search."""


def mark_as_tuned(learner: Learner, stream: Stream, rows: int) -> None:
    """Note in a learner that its parameters were chosen on the first ``rows`` rows of a stream."""
    first = Fingerprint(stream).of(min(rows, FIRST_ROWS))
    learner.tuned_on = {"stream": stream.name, "rows": rows, "first rows": first}


def warn_if_tuned_on(name: str, learner: Any, stream: Stream) -> None:
    """Warn if a learner's parameters were chosen on rows with which this stream begins."""
    names = getattr(learner, "tuned_on", None)
    if names is None or stream.is_live or Fingerprint(stream).difference(names["first rows"]):
        return
    warnings.warn(
        f"{name}: its parameters were chosen on the first {names['rows']:,} rows of {shown(names['stream'])}, and it "
        "is tested on them again: what it scores there flatters it; rows that were not searched are in search.rest",
        UserWarning,
        stacklevel=2,
    )
