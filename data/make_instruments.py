"""Make ``instruments.parquet`` and ``instruments_microphone.parquet`` in ``streamlab/data`` again, in half a minute.

Each of the 9,419 notes is drawn from its position alone, synthesised by a few lines of physics
(``instruments/synthesis.py``) and described by the means of 30 mel-frequency cepstral coefficients
(``instruments/mfcc.py``)::

    python data/make_instruments.py

The first file has all notes, with the instrument's path in the tree of Hornbostel and Sachs and a title; the second the
coefficients of those from row 2,500 on, through a microphone that is dull, thin, noisier by 20 dB and soon overloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from instruments.mfcc import N_COEFFICIENTS, mean_mfcc
from instruments.orchestra import ORCHESTRA
from instruments.synthesis import Note, Player, recorded

from streamlab.streams.draws import key_base, uniform

FOLDER = Path(__file__).parents[1] / "streamlab" / "data"
N_NOTES, MICROPHONE_AT = 9419, 2500
SEMITONES = ("C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B")
LOUDNESS = ("soft", "moderate", "loud")
PATHS = tuple(ORCHESTRA)
# keys of what is drawn for a row, and for a player
_INSTRUMENT, _NOTE, _NOISE, _PLAYER = (
    key_base(f"instruments, {what}") for what in ("class", "note", "noise", "player")
)


def played(rows: np.ndarray) -> Iterator[tuple[str, Player, Note]]:
    """Yield who plays each row's note and how: the instrument's path in the tree, its one player, the note."""
    numbers = (uniform(0, _INSTRUMENT, rows) * len(PATHS)).astype(np.int64)
    traits = 2.0 * uniform(0, _PLAYER + np.arange(len(Player._fields))[None, :], numbers[:, None]) - 1.0
    shares = uniform(0, _NOTE + np.arange(len(Note._fields) - 1)[None, :], rows[:, None])
    seeds = (uniform(0, _NOISE, rows) * 2.0**53).astype(np.int64)
    for number, trait, share, seed in zip(*(each.tolist() for each in (numbers, traits, shares, seeds)), strict=True):
        yield PATHS[number], Player(*trait), Note._make((*share, seed))


def title(path: str, note: Note) -> str:
    """Return which instrument plays, how high where it has a pitch, and how loud: ``"violin, A4, soft"``."""
    parts = [path.rpartition("/")[2].replace("_", " ")]
    low, high = (getattr(ORCHESTRA[path], end, None) for end in ("low", "high"))
    if isinstance(low, int) and isinstance(high, int):
        semitone = low + int(note.pitch * (high - low + 1))
        parts.append(f"{SEMITONES[semitone % 12]}{semitone // 12 - 1}")
    return ", ".join([*parts, LOUDNESS[int(note.force * len(LOUDNESS))]])


def coefficients(rows: Sequence[int] | np.ndarray, wear: int = 0) -> np.ndarray:
    """Return the notes' coefficients, float32 of shape (n, 30); ``wear``: how often the microphone got worse."""
    X = np.empty((len(rows), N_COEFFICIENTS), np.float32)
    for i, (path, player, note) in enumerate(played(np.asarray(rows))):
        X[i] = mean_mfcc(recorded(ORCHESTRA[path], player, note, wear))
    return X


def write(path: Path, X: np.ndarray, more: dict[str, list[str]]) -> None:
    """Write rows as Parquet: numbers by their bytes, which is how they pack best, texts by a dictionary."""
    columns = {f"mfcc_{j + 1}": X[:, j] for j in range(N_COEFFICIENTS)}
    table = pa.table({**columns, **more}).replace_schema_metadata({"paths": "\n".join(PATHS)} if more else None)
    pq.write_table(
        table, path, compression="brotli", compression_level=11, use_dictionary=list(more),
        column_encoding=dict.fromkeys(columns, "BYTE_STREAM_SPLIT"), row_group_size=len(X), write_statistics=False,
    )  # fmt: skip


def make(folder: Path = FOLDER, n_notes: int = N_NOTES, microphone_at: int = MICROPHONE_AT) -> None:
    """Synthesise the first ``n_notes`` notes and write both files."""
    rows = np.arange(n_notes)
    notes = [(path, title(path, note)) for path, _, note in played(rows)]
    more = {"instrument": [path for path, _ in notes], "title": [title for _, title in notes]}
    write(folder / "instruments.parquet", coefficients(rows), more)
    write(folder / "instruments_microphone.parquet", coefficients(rows[microphone_at:], wear=1), {})


if __name__ == "__main__":
    make()
