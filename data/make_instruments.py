"""Make ``streamlab/data/instruments.npy`` again: the notes of the default stream ``instruments``.

Needed when the code that makes the sounds has changed (``streamlab/streams/generated/instruments``); takes about 15
seconds::

    python data/make_instruments.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamlab.streams.generated.instruments.stream import N_NOTES, NOTES_FILE, InstrumentGenerator


def make(path: Path = NOTES_FILE, n_notes: int = N_NOTES) -> None:
    """Synthesise the first ``n_notes`` notes and write their features: float32 of shape (n_notes, 30)."""
    np.save(path, InstrumentGenerator().synthesise(np.arange(n_notes)))


if __name__ == "__main__":
    make()
