"""The contract of a stream: a schema, and chunks of instances in order, in bounded memory; and how it was made."""

from __future__ import annotations

import datetime
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numpy as np

from streamlab._cells import written
from streamlab._checks import checked_count
from streamlab.schema import Feature, Schema
from streamlab.streams.blocks import check_contract, checked_block, flags_of, is_csr, numbers_of, stacked

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.streams.labelling import Labelling

__all__ = ["Chunk", "Drift", "Stream"]

MOST_TITLE = 300
"""Letters of a title."""


@dataclass(frozen=True)
class Chunk:
    """A run of consecutive instances.

    Parameters
    ----------
    start
        Position in the stream of the first row, counted from 0.
    X
        Array of shape (n, n_features), float64, C order; NaN is missing, a nominal value its category's index. From a
        stream that ``is_sparse`` a scipy CSR array of the same values, its indices rising in each row.
    Y
        Array of shape (n, n_labels), uint8 of 0 and 1.

    Examples
    --------
    >>> import streamlab as sl
    >>> chunk = next(sl.load("yeast").chunks(100))
    >>> chunk.start, chunk.stop, chunk.X.shape, chunk.Y.shape
    (0, 100, (100, 103), (100, 14))
    """

    start: int
    X: Any
    Y: np.ndarray

    def __len__(self) -> int:
        return len(self.Y)

    @property
    def stop(self) -> int:
        """Position just after the last row."""
        return self.start + len(self.Y)


@dataclass(frozen=True)
class Drift:
    """Ground truth: the stream's concept changes here.

    Parameters
    ----------
    start
        Position of the first instance that may come from the new concept.
    width
        Over how many instances it changes; 1 is sudden.
    kind
        What changes, in the field's word: ``"label rotation"``, ``"gradual"`` …
    about
        What that means for the rows, with an example, as a clause: ``"every label took the next one's name"``. Two
        drifts that differ in nothing else are equal.

    Examples
    --------
    >>> import streamlab as sl
    >>> sl.load("yeast-rotated").drifts
    (Drift(start=1200, width=1, kind='label rotation'),)
    """

    start: int
    width: int = 1
    kind: str = "sudden"
    about: str = field(default="", repr=False, compare=False)


class Stream(ABC):
    """Instances in order, as often as asked for: each call of ``chunks`` starts from the beginning.

    A subclass sets ``name``, ``schema``, ``n_rows`` (None if unknown before reading or endless) and ``drifts``, and
    implements ``blocks``; cutting into chunks, previews and River's dictionaries follow from it. ``labelling`` says
    when a learner is told the labels, and which ones; None: all of them, as soon as their instance has been predicted.
    ``is_sparse`` says that all blocks' X are CSR; else all are arrays. ``recipe`` says in plain values how to make the
    stream again (``from_recipe``): that of a stream from ``load``, and of one with drift put in or labels that come
    late; None where it cannot be told, as of arrays. ``titles`` gives the title of a row by its position, None where it
    has none; None: no row has one. ``moments`` are the times of all rows, datetime64[us] in UTC, which never fall;
    None: rows have none. ``is_live`` says that rows come as
    time goes by: who must not wait asks ``has_rows`` first. ``is_fixed`` says that nothing can be put into it, as where
    answers to its rows were given elsewhere. ``in_parts`` says that ``blocks`` of a live stream ends where no more rows
    are there, and that what a chunk lacks comes later; ``ending`` is what is said when it has ended. ``rows_mark``
    names rows that are only ever added to, such as those of a journal: streams of the same mark have the same rows;
    None: only the rows themselves tell. ``streams`` are those
    that it is made of, in which its rows may have titles (``origin_of``).

    Examples
    --------
    >>> import streamlab as sl
    >>> stream = sl.load("yeast-rotated")
    >>> stream.n_rows, stream.schema.n_labels
    (2417, 14)
    >>> [chunk.start for chunk in stream.chunks(1000)]
    [0, 1000, 2000]
    """

    name: str
    schema: Schema
    n_rows: int | None = None
    drifts: tuple[Drift, ...] = ()
    labelling: Labelling | None = None
    is_sparse: bool = False
    recipe: Mapping[str, Any] | None = None
    titles: Callable[[int], Any] | None = None
    moments: np.ndarray | None = None
    is_live: bool = False
    is_fixed: bool = False
    in_parts: bool = False
    ending: str = "the stream ended"
    rows_mark: str | None = None
    streams: Sequence[Stream] = ()

    @abstractmethod
    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        """Yield (X, Y) blocks of any length from row ``start`` on, in the types of ``Chunk``, in bounded memory."""

    def has_rows(self, start: int, n: int) -> bool:
        """Return whether ``n`` rows from ``start`` on, or the end of the stream, can be read without waiting.

        Raises
        ------
        ValueError
            If the rows of a live stream will never come: its source is wrong for good.
        """
        return True

    def why_waiting(self) -> str:
        """Return why rows do not come, in words that go on after "waiting for rows"; "" if nothing is wrong."""
        return ""

    def title_of(self, row: int) -> str:
        """Return what people call a row, such as a film's name; "" where it has no title.

        Parameters
        ----------
        row
            Its position in the stream, counted from 0.

        Raises
        ------
        ValueError
            If it is not a position.
        """
        checked_count("row", row)
        origin = self.origin_of(int(row))
        if origin is not None:
            return origin[0].title_of(origin[1])
        title = None if self.titles is None else self.titles(int(row))
        return " ".join(written(title).split())[:MOST_TITLE]

    def origin_of(self, row: int) -> tuple[Stream, int] | None:
        """Return which of ``streams`` a row comes from, and its position there; None: from none, or it is not known."""
        return None

    _pixels: tuple[int, int, float] | None = None

    @property
    def pixels(self) -> tuple[int, int, float] | None:
        """Lines and columns of the picture that a row's features are, line by line, and what white is; None: none."""
        return self._pixels or next((found for stream in self.streams if (found := stream.pixels)), None)

    def chunks(self, size: int = 100, *, start: int = 0, stop: int | None = None) -> Generator[Chunk, None, None]:
        """Yield the rows from ``start`` to ``stop`` (default: the end) in chunks of ``size``; the last may be shorter.

        Raises
        ------
        ValueError
            If ``size`` is below 1 or ``start`` below 0; if the stream's schema, length or drifts are of another type;
            for bad rows, as the reader says, or with the stream, row and feature or label.
        """
        check_contract(self)
        checked_count("size", size, 1)
        checked_count("start", start)
        return self._cut(size, start, stop)

    def _cut(self, size: int, position: int, stop: int | None) -> Generator[Chunk, None, None]:
        rows, wanted, n = Rows(self, position), size, size
        while n == wanted and (stop is None or position < stop):
            wanted = size if stop is None else min(size, stop - position)
            X, Y = rows.take(wanted)
            n = len(Y)
            if n:
                yield Chunk(position, X, Y)
            position += n

    def checked_blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        """Yield what ``blocks`` yields, each block checked: what a stream that is made of this one reads.

        Raises
        ------
        ValueError
            For a bad block, with the stream, row and feature or label.
        """
        for at, X, Y in self._shaped_blocks(start):
            yield numbers_of(self, at, X), flags_of(self, at, Y)

    def _shaped_blocks(self, at: int) -> Iterator[tuple[int, Any, Any]]:
        for block in self.blocks(at):
            X, Y = checked_block(self, at, block)
            yield at, X, Y
            at += len(Y)

    def preview(self, n: int = 5) -> pd.DataFrame:
        """Return the first ``n`` rows as a table: features with their categories' names, then the labels as 0 and 1.

        Of a sparse stream it has the features that are not 0 in all of these rows.
        """
        import pandas as pd

        chunk = next(self.chunks(n, stop=n), None)
        X: Any = np.empty((0, self.schema.n_features)) if chunk is None else chunk.X
        Y = np.empty((0, self.schema.n_labels), np.uint8) if chunk is None else chunk.Y
        columns: dict[tuple[str, str], object] = {}
        shown = np.unique(X.indices).tolist() if is_csr(X) else range(X.shape[1])
        if is_csr(X):
            X = X[:, shown].toarray()
        for place, j in enumerate(shown):
            feature, values = self.schema.features[j], X[:, place]
            if feature.categories is not None:
                columns["feature", feature.name] = [None if np.isnan(v) else feature.categories[int(v)] for v in values]
            else:
                columns["feature", feature.name] = values
        for j, label in enumerate(self.schema.labels):
            columns["label", label] = Y[:, j]
        return pd.DataFrame(columns)

    def __iter__(self) -> Iterator[tuple[dict[Any, Any], dict[Any, bool]]]:
        """River's view: ``(x, y)`` dictionaries, a missing value left out, a nominal value by its category's name.

        Those of a sparse stream hold the values that are not 0 alone, as River has it.
        """
        features, labels = self.schema.features, self.schema.labels
        for chunk in self.chunks(100):
            dense = () if is_csr(chunk.X) else chunk.X.tolist()
            rows = self._stored(chunk.X) if is_csr(chunk.X) else (zip(features, row, strict=True) for row in dense)
            for pairs, flags in zip(rows, chunk.Y.tolist(), strict=True):
                x = {f.name: v if f.categories is None else f.categories[int(v)] for f, v in pairs if v == v}
                yield x, {label: bool(flag) for label, flag in zip(labels, flags, strict=True)}

    def _stored(self, X: Any) -> Iterator[Iterable[tuple[Feature, float]]]:
        """Yield each row of CSR: the features that it holds values of, and these."""
        columns, values = X.indices.tolist(), X.data.tolist()
        for begin, end in pairwise(X.indptr.tolist()):
            yield zip((self.schema.features[j] for j in columns[begin:end]), values[begin:end], strict=True)

    def __repr__(self) -> str:
        rows = "unknown" if self.n_rows is None else f"{self.n_rows:,}"
        labels = "labels" if self.schema.classes is None else "classes"
        return (
            f"<{type(self).__name__} {self.name!r}: {rows} rows, "
            f"{self.schema.n_features} features, {self.schema.n_labels} {labels}>"
        )


class Rows:
    """The rows of a stream from one on, taken as many at a time as are asked for; no block is read before it is needed.

    Parameters
    ----------
    stream
        The rows are its.
    start
        Position of the first.
    """

    def __init__(self, stream: Stream, start: int) -> None:
        self._stream, self._blocks, self._used = stream, stream._shaped_blocks(start), 0
        self._at, self._X, self._Y = start, cast("Any", None), np.empty((0, stream.schema.n_labels), np.uint8)

    def take(self, n: int) -> tuple[Any, np.ndarray]:
        """Return the next ``n`` rows of X and Y, fewer at the end alone; X is None where there are none."""
        parts: list[tuple[Any, np.ndarray]] = []
        while n:
            if self._used == len(self._Y):
                block = next(self._blocks, None)
                if block is None:
                    break
                (self._at, self._X, self._Y), self._used = block, 0
                continue
            # what is cut and no more: a block may be a whole array
            row, own = self._at + self._used, slice(self._used, min(self._used + n, len(self._Y)))
            parts.append((numbers_of(self._stream, row, self._X[own]), flags_of(self._stream, row, self._Y[own])))
            n -= own.stop - own.start
            self._used = own.stop
        if len(parts) < 2:
            return parts[0] if parts else (None, self._Y[:0])
        X, Y = (stacked(columns) for columns in zip(*parts, strict=True))
        return X, Y


P = ParamSpec("P")
S = TypeVar("S", bound=Stream)

NOT_KEPT = ("limits", "cancel")
"""Options of ``load`` that say how a stream is read, not what is in it."""


def is_plain(value: Any) -> bool:
    """Return whether JSON knows the value: a finite number, a flag, a text, None, or a list of such; or a timedelta."""
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    if isinstance(value, (float, np.floating)):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int, str, np.integer, np.bool_, datetime.timedelta))


def plain_value(value: Any) -> Any:
    """Return a plain value as JSON has it: lists for tuples, Python's own numbers, a timedelta as a text."""
    if isinstance(value, datetime.timedelta):
        return f"{value // datetime.timedelta(microseconds=1)} us"
    if isinstance(value, (list, tuple)):
        return [plain_value(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def with_source(stream: S, source: str, options: Mapping[str, Any], *, is_file: bool) -> S:
    """Let a stream that was loaded say so; options that JSON does not know leave it without a recipe."""
    kept = {key: value for key, value in options.items() if key not in NOT_KEPT and value is not None}
    if all(map(is_plain, kept.values())):
        options = {key: plain_value(value) for key, value in kept.items()}
        stream.recipe = {"file" if is_file else "source": source, "options": options}
    return stream


def recorded(change: Callable[P, S], described: Callable[[], None] | None = None) -> Callable[P, S]:
    """Return a function that puts something into a stream such that the stream it returns says so.

    ``described`` gives the function its name and docstring, those of ``change`` without it.
    """
    signature, named = inspect.signature(change), described or change
    if isinstance(change, type):
        signature = signature.replace(return_annotation=change.__name__)

    @wraps(cast("Callable[P, S]", named))
    def made(*args: P.args, **kwargs: P.kwargs) -> S:
        stream = change(*args, **kwargs)
        given = dict(signature.bind(*args, **kwargs).arguments)
        inner = given.pop("stream").recipe
        if inner is not None and all(map(is_plain, given.values())):
            parameters = {key: plain_value(value) for key, value in given.items()}
            stream.recipe = {"change": made.__name__, "parameters": parameters, "stream": inner}
        return stream

    made.__signature__ = signature  # type: ignore[attr-defined]
    return made


def makes(kind: Callable[P, S]) -> Callable[[Callable[[], None]], Callable[P, S]]:
    """Return a decorator of a name and a docstring: the function takes what ``kind`` takes, and makes one."""
    return partial(recorded, kind)
