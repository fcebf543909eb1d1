"""The fingerprint of a stream: a digest of its columns, and checksums of its rows up to a position."""

from __future__ import annotations

import hashlib
import zlib
from threading import Lock
from typing import Any

import numpy as np

from streamlab.streams import Stream, is_csr

__all__ = ["Fingerprint"]

CHUNK = 1000
PARTS = ("X", "Y", "indices", "lengths", "arrives", "told")


class Fingerprint:
    """Checksums of a stream's rows, which grow with the rows; how they are cut into chunks changes nothing.

    Parameters
    ----------
    stream
        The stream; what it says of late or hidden labels counts too. Of one whose rows have a mark (``rows_mark``) they
        are not read.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.schema = hashlib.sha256(stream.schema.to_json().encode()).hexdigest()
        self.rows = 0
        self._sums = dict.fromkeys(PARTS, 0)
        self._alone = Lock()

    def of(self, rows: int) -> dict[str, Any]:
        """Return it for the rows up to a position, which is read chunk by chunk from where it came to before."""
        with self._alone:
            return self._of(rows)

    def _of(self, rows: int) -> dict[str, Any]:
        if rows < self.rows:
            self.rows, self._sums = 0, dict.fromkeys(PARTS, 0)
        if self.stream.rows_mark is not None:
            return self._marked(rows)
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
                self._add("told", labelling.told(chunk.Y, at))
            self.rows = chunk.stop
        return {"schema": self.schema, "rows": self.rows, **{part: f"{n:08x}" for part, n in self._sums.items()}}

    def _marked(self, rows: int) -> dict[str, Any]:
        """Return it by the mark, which says what the rows are; that they are there is seen from the last one."""
        if rows and next(self.stream.chunks(1, start=rows - 1, stop=rows), None) is None:
            rows = 0
        return {"schema": self.schema, "rows": rows, "mark": self.stream.rows_mark}

    def _add(self, part: str, array: np.ndarray) -> None:
        self._sums[part] = zlib.crc32(np.ascontiguousarray(array).data, self._sums[part])
