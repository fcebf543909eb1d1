"""Notes of 31 musical instruments, synthesised one by one, described by 30 coefficients; their tree as labels.

The notes of the default stream come with the package; ``data/make_instruments.py`` of the repository makes their file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab._checks import checked_count, is_count
from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.draws import count_passed, key_base, uniform
from streamlab.streams.fetch import kept_block
from streamlab.streams.generated.instruments.mfcc import N_COEFFICIENTS, RATE, mean_mfcc
from streamlab.streams.generated.instruments.orchestra import ORCHESTRA, PARENTS
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import in_order, positions, spans

if TYPE_CHECKING:
    from streamlab.streams.generated.instruments.synthesis import Note, Player

__all__ = ["InstrumentGenerator"]

N_NOTES = 9419  # as in the paper
SEMITONES = ("C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B")
LOUDNESS = ("soft", "moderate", "loud")
CLASSES = tuple(PARENTS)
N_BLOCK = 200  # rows synthesised together and kept in one file: half a second
NOTES_FILE = Path(__file__).parents[3] / "data" / "instruments.npy"
"""Features of the default stream's notes, float32 (9419, 30)."""
NEW_PLAYER, WORSE_MICROPHONE = "new players", "worse microphone"
ABOUT = {
    NEW_PLAYER: "other players took over: the same instruments sound a little different now",
    WORSE_MICROPHONE: "the microphone got worse: notes sound duller and noisier now",
}

# keys of what is drawn for a row, and for a player
_INSTRUMENT, _NOTE, _NOISE, _PLAYER = (
    key_base(f"instruments, {what}") for what in ("class", "note", "noise", "player")
)


class InstrumentGenerator(Stream):
    """Notes of the orchestra in random order, of all pitches and forces, in larger and smaller rooms.

    Every note is drawn from the seed and its position alone and synthesised by a few lines of physics (see
    ``streamlab.streams.generated.instruments.synthesis``); its features are the means of 30 mel-frequency cepstral
    coefficients (``mfcc``).

    Parameters
    ----------
    seed
        Of all that is drawn: who plays what and how. Default 0.
    n_rows
        How many notes; default 9,419; None for an endless stream.
    new_player
        Where all instruments pass into other hands, which bring other instruments of the kind: a position in rows
        counted from 0, or several in ascending order. Default: nowhere. Each instrument has one player at a time, as in
        the usual collections of recorded notes.
    worse_microphone
        Where the microphone is replaced by a worse one (dull, thin, noisier by 20 dB, soon overloaded), each worse than
        the one before. Default: nowhere.
    width
        Over how many rows each of these comes about; default 1, at once; else rows of old and new mix, as in
        ``rotate_labels``.
    name
        Default ``"instruments"``.

    Attributes
    ----------
    schema : Schema
        Features ``mfcc_1`` to ``mfcc_30``; 46 labels: 31 instruments and 15 classes above them, after Hornbostel and
        Sachs, in a hierarchy. A row has its instrument and the classes above it.
    drifts
        ``Drift(start, width, kind)`` with the kind ``"new players"`` or ``"worse microphone"``.

    Raises
    ------
    ValueError
        If a parameter is out of range, or a position behind the end.

    Notes
    -----
    The default stream comes with the package. Other rows are synthesised when they are first asked for, some 500 in a
    second, and kept in the cache folder (``STREAMLAB_CACHE``).

    References
    ----------
    Parmezan, Souza and Batista, "Towards Hierarchical Classification of Data Streams" (CIARP 2018), section 5.3: as
    many notes, instruments and coefficients; theirs are recordings.

    Examples
    --------
    >>> stream = InstrumentGenerator(new_player=5000)
    >>> stream.drifts
    (Drift(start=5000, width=1, kind='new players'),)
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        n_rows: int | None = N_NOTES,
        new_player: int | Sequence[int] = (),
        worse_microphone: int | Sequence[int] = (),
        width: int = 1,
        name: str = "instruments",
    ) -> None:
        self.name, self.n_rows = name, checked_count("n_rows", n_rows, optional=True)
        self.seed, self.width = checked_count("seed", seed), checked_count("width", width, 1)
        self.schema = _schema()
        self.new_player = positions(new_player, self, apart=self.width, what="new_player", optional=True)
        self.worse_microphone = positions(
            worse_microphone, self, apart=self.width, what="worse_microphone", optional=True
        )
        self.drifts = in_order(
            Drift(position, self.width, kind, ABOUT[kind])
            for kind, at in ((NEW_PLAYER, self.new_player), (WORSE_MICROPHONE, self.worse_microphone))
            for position in at
        )

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        # blocks begin at multiples of their length wherever reading does: each has one file in the cache
        for first, stop in spans(start - start % N_BLOCK, self.n_rows, N_BLOCK):
            rows = np.arange(first, stop)
            own = slice(max(start - first, 0), None)
            yield self._features(rows)[own].astype(np.float64), _label_rows()[self._instruments(rows[own])]

    def instruments_of(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the label of each row's instrument, as a column of ``Y``; int64 of the shape of ``rows``."""
        return _leaves()[self._instruments(_rows(rows))]

    def conditions_of(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return how often the players and the microphone had been replaced when each row was recorded.

        Parameters
        ----------
        rows
            Positions in the stream, integers of shape (n,).

        Returns
        -------
        Array of int64 of shape (n, 2).
        """
        rows = _rows(rows)
        kinds = ((NEW_PLAYER, self.new_player), (WORSE_MICROPHONE, self.worse_microphone))
        done = [count_passed(rows, at, self.width, self.seed, key_base(kind)) for kind, at in kinds]
        return np.stack(done, axis=1)

    @property
    def has_sound(self) -> bool:
        """True: each row is a note."""
        return True

    def title_of(self, row: int) -> str:
        """Return which instrument plays, how high where it has a pitch, and how loud: ``"violin, A4, soft"``."""
        super().title_of(row)
        path, _, note = self.played(row)
        parts = [path.rpartition("/")[2].replace("_", " ")]
        instrument = ORCHESTRA[path]
        low, high = getattr(instrument, "low", None), getattr(instrument, "high", None)
        if isinstance(low, int) and isinstance(high, int):
            semitone = low + int(note.pitch * (high - low + 1))
            parts.append(f"{SEMITONES[semitone % 12]}{semitone // 12 - 1}")
        return ", ".join([*parts, LOUDNESS[int(note.force * len(LOUDNESS))]])

    def sound(self, row: int) -> tuple[np.ndarray, int]:
        """Return the recording of a note, as it was when its features were taken.

        Parameters
        ----------
        row
            The note's position in the stream, counted from 0.

        Returns
        -------
        sound
            Array of shape (n,) of float64 in [-1, 1], n from 9,600 to 16,000.
        rate
            16,000 samples per second.

        Raises
        ------
        ValueError
            If the stream has no such row.

        Examples
        --------
        In a notebook: ``sound, rate = stream.sound(7)``, then ``IPython.display.Audio(sound, rate=rate)``.
        """
        if not is_count(row) or row < 0 or (self.n_rows is not None and row >= self.n_rows):
            end = "" if self.n_rows is None else f" to {self.n_rows - 1:,}"
            raise ValueError(f"row={row!r}: expected a position in the stream, an integer from 0{end}")
        return next(self._sounds(np.array([row]))), RATE

    def played(self, row: int) -> tuple[str, Player, Note]:
        """Who plays a row's note and how: the instrument's path in the tree, the player and the note."""
        return next(self._played(np.array([row])))

    def synthesise(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the features of rows synthesised now, whatever the cache has: float32 (n, 30)."""
        X = np.empty((len(rows), N_COEFFICIENTS), np.float32)
        for i, sound in enumerate(self._sounds(_rows(rows))):
            X[i] = mean_mfcc(sound)
        return X

    def _sounds(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        from streamlab.streams.generated.instruments.synthesis import recorded

        for (path, player, note), (_, wear) in zip(self._played(rows), self.conditions_of(rows).tolist(), strict=True):
            yield recorded(ORCHESTRA[path], player, note, wear)

    def _played(self, rows: np.ndarray) -> Iterator[tuple[str, Player, Note]]:
        from streamlab.streams.generated.instruments.synthesis import Note, Player

        paths = tuple(ORCHESTRA)
        instruments = self._instruments(rows)
        # the next players have other numbers: so they are others
        players = self.conditions_of(rows)[:, 0]
        n_traits, n_shares = len(Player._fields), len(Note._fields) - 1
        traits = np.arange(n_traits)[None, :] + _PLAYER + n_traits * players[:, None]
        traits = (2.0 * uniform(self.seed, traits, instruments[:, None]) - 1.0).tolist()
        shares = uniform(self.seed, _NOTE + np.arange(n_shares)[None, :], rows[:, None]).tolist()
        seeds = (uniform(self.seed, _NOISE, rows) * 2.0**53).astype(np.int64).tolist()
        for instrument, trait, share, noise in zip(instruments.tolist(), traits, shares, seeds, strict=True):
            yield paths[instrument], Player(*trait), Note._make((*share, noise))

    def _instruments(self, rows: np.ndarray) -> np.ndarray:
        return (uniform(self.seed, _INSTRUMENT, rows) * len(ORCHESTRA)).astype(np.int64)

    def _features(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows' features, float32: shipped, from the cache, or else synthesised and put there."""
        conditions = self.conditions_of(rows)
        shipped = _shipped_notes()
        there = (rows < len(shipped)) & (conditions == 0).all(axis=1) if self.seed == 0 else np.zeros(len(rows), bool)
        X = np.empty((len(rows), N_COEFFICIENTS), np.float32)
        X[there] = shipped[rows[there]]
        rest = rows[~there]
        if len(rest):
            what = repr((_code_mark(), self.seed, rest.tolist(), conditions[~there].tolist()))
            name = f"instruments-{hashlib.sha256(what.encode()).hexdigest()[:24]}.npy"
            X[~there] = kept_block(name, (len(rest), N_COEFFICIENTS), lambda: self.synthesise(rest))
        return X


def _rows(rows: Sequence[int] | np.ndarray) -> np.ndarray:
    return np.asarray(rows, np.int64)


@cache
def _schema() -> Schema:
    return Schema(
        tuple(Feature(f"mfcc_{i}") for i in range(1, N_COEFFICIENTS + 1)),
        CLASSES,
        Hierarchy(tuple(-1 if above is None else CLASSES.index(above) for above in PARENTS.values())),
    )


@cache
def _leaves() -> np.ndarray:
    return np.array([CLASSES.index(path.rpartition("/")[2]) for path in ORCHESTRA])


@cache
def _label_rows() -> np.ndarray:
    """Return the row of ``Y`` of each instrument: itself and the classes above it."""
    table = np.zeros((len(ORCHESTRA), len(CLASSES)), np.uint8)
    for i, path in enumerate(ORCHESTRA):
        table[i, [CLASSES.index(label) for label in path.split("/")]] = 1
    return table


@cache
def _shipped_notes() -> np.ndarray:
    """Return the features that come with the package; none where the file is missing: they are synthesised then."""
    return np.load(NOTES_FILE) if NOTES_FILE.is_file() else np.empty((0, N_COEFFICIENTS), np.float32)


@cache
def _code_mark() -> str:
    """Return a mark of the code that makes the sounds: notes made by other code are not taken from the cache."""
    sources = ("../_kernels.py", "_kernels.py", "mfcc.py", "orchestra.py", "synthesis.py", "stream.py")
    return hashlib.sha256(b"".join((Path(__file__).parent / name).read_bytes() for name in sources)).hexdigest()
