"""The generated streams as the catalogue offers them; a generator is imported when its stream is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from streamlab.streams.generated.paper_streams import N_PAPER_ROWS, PAPER_BASES, paper_stream
from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import StreamEntry

__all__ = [
    "INSTRUMENTS",
    "INSTRUMENTS_MICROPHONE",
    "SYN_BRANCHES",
    "SYN_HP_GRADUAL",
    "SYN_HP_INCREMENTAL",
    "SYN_HP_RECURRENT",
    "SYN_HP_SUDDEN",
    "SYN_RBF_GRADUAL",
    "SYN_RBF_INCREMENTAL",
    "SYN_RBF_RECURRENT",
    "SYN_RBF_SUDDEN",
    "SYN_REGIONS",
    "SYN_TREE_GRADUAL",
    "SYN_TREE_INCREMENTAL",
    "SYN_TREE_RECURRENT",
    "SYN_TREE_SUDDEN",
]

LICENCE = "BSD-3-Clause"  # this package's own
SOURCE = "streamlab"
N_NOTES = 9419
MICROPHONE_AT = 2500
N_REGION_ROWS = 100_000
PAPERS_OF_BASES = {"tree": ("domingos2000mining",), "rbf": (), "hp": ("hulten2001mining",)}


def _instruments(
    *,
    seed: int = 0,
    n_rows: int | None = N_NOTES,
    endless: bool = False,
    new_player: int | Sequence[int] = (),
    worse_microphone: int | Sequence[int] = (),
    width: int = 1,
) -> Stream:
    from streamlab.streams.generated.instruments.stream import InstrumentGenerator

    return InstrumentGenerator(
        seed=seed,
        n_rows=None if endless else n_rows,
        new_player=new_player,
        worse_microphone=worse_microphone,
        width=width,
    )


def _instruments_microphone(**settings: Any) -> Stream:
    stream = _instruments(worse_microphone=MICROPHONE_AT, **settings)
    stream.name = "instruments-microphone"
    return stream


def _regions(
    name: str,
    change: str,
    default_seed: int,
    /,
    *,
    seed: int | None = None,
    n_rows: int = N_REGION_ROWS,
    endless: bool = False,
) -> Stream:
    from streamlab.streams.generated.regions import RegionGenerator

    # an endless stream drifts as long as the others are, then stays
    length = N_REGION_ROWS if endless else n_rows
    at = [k * length // 10 for k in range(1, 10)] if length >= 10 else ()
    rows = None if endless else n_rows
    return RegionGenerator(at=at, change=change, n_rows=rows, seed=default_seed if seed is None else seed, name=name)


def _paper_entry(base: str, how: str) -> StreamEntry:
    what, features, labels = PAPER_BASES[base]
    return StreamEntry(
        f"syn-{base}-{how}",
        f"synthetic, from {what}; {how} drift at each quarter",
        partial(paper_stream, base, how),
        N_PAPER_ROWS,
        features,
        labels,
        LICENCE,
        SOURCE,
        papers=("read2012scalable", *PAPERS_OF_BASES[base], "esteban2024hoeffding"),
    )


INSTRUMENTS = StreamEntry(
    "instruments",
    "notes of 31 instruments, synthesised; classes of Hornbostel and Sachs",
    _instruments,
    N_NOTES,
    30,
    46,
    LICENCE,
    SOURCE,
    papers=("parmezan2019hierarchical",),
)
INSTRUMENTS_MICROPHONE = replace(
    INSTRUMENTS,
    name="instruments-microphone",
    what=f"notes of 31 instruments, synthesised; from row {MICROPHONE_AT:,} on they are recorded by a worse microphone",
    loader=_instruments_microphone,
)
SYN_REGIONS = StreamEntry(
    "syn-regions",
    "synthetic, label sets by regions of the feature space; at each tenth those of a branch change",
    partial(_regions, "syn-regions", "labels", 1),
    N_REGION_ROWS,
    10,
    8,
    LICENCE,
    SOURCE,
)
SYN_BRANCHES = replace(
    SYN_REGIONS,
    name="syn-branches",
    what="synthetic, label sets by regions of the feature space; at each tenth a branch is replaced, its tests too",
    # the first branch that this seed replaces is that of the root's own child, a large change
    loader=partial(_regions, "syn-branches", "branch", 6),
)
SYN_TREE_SUDDEN = _paper_entry("tree", "sudden")
SYN_TREE_GRADUAL = _paper_entry("tree", "gradual")
SYN_TREE_INCREMENTAL = _paper_entry("tree", "incremental")
SYN_TREE_RECURRENT = _paper_entry("tree", "recurrent")
SYN_RBF_SUDDEN = _paper_entry("rbf", "sudden")
SYN_RBF_GRADUAL = _paper_entry("rbf", "gradual")
SYN_RBF_INCREMENTAL = _paper_entry("rbf", "incremental")
SYN_RBF_RECURRENT = _paper_entry("rbf", "recurrent")
SYN_HP_SUDDEN = _paper_entry("hp", "sudden")
SYN_HP_GRADUAL = _paper_entry("hp", "gradual")
SYN_HP_INCREMENTAL = _paper_entry("hp", "incremental")
SYN_HP_RECURRENT = _paper_entry("hp", "recurrent")
