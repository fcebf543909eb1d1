"""The generated streams as the catalogue offers them; a generator is imported when its stream is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from streamlab.streams.generated.paper_streams import paper_stream
from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import StreamEntry, described

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

N_NOTES = 9419
MICROPHONE_AT = 2500
N_REGION_ROWS = 100_000


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
    return described(f"syn-{base}-{how}", partial(paper_stream, base, how))


INSTRUMENTS = described("instruments", _instruments)
INSTRUMENTS_MICROPHONE = described("instruments-microphone", _instruments_microphone)
SYN_REGIONS = described("syn-regions", partial(_regions, "syn-regions", "labels", 1))
# the first branch that this seed replaces is that of the root's own child, a large change
SYN_BRANCHES = described("syn-branches", partial(_regions, "syn-branches", "branch", 6))
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
