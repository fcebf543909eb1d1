"""The generated streams as the catalogue offers them, by the names that ``pyproject.toml`` gives them.

A generator is imported when its stream is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from streamlab.streams.generated.paper_streams import paper_stream
from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import StreamEntry, described

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


def _of_paper(base: str, how: str) -> StreamEntry:
    return described(f"syn-{base}-{how}", partial(paper_stream, base, how))


INSTRUMENTS = described("instruments", _instruments)
INSTRUMENTS_MICROPHONE = described("instruments-microphone", _instruments_microphone)
SYN_REGIONS = described("syn-regions", partial(_regions, "syn-regions", "labels", 1))
# the first branch that this seed replaces is that of the root's own child, a large change
SYN_BRANCHES = described("syn-branches", partial(_regions, "syn-branches", "branch", 6))
SYN_TREE_SUDDEN = _of_paper("tree", "sudden")
SYN_TREE_GRADUAL = _of_paper("tree", "gradual")
SYN_TREE_INCREMENTAL = _of_paper("tree", "incremental")
SYN_TREE_RECURRENT = _of_paper("tree", "recurrent")
SYN_RBF_SUDDEN = _of_paper("rbf", "sudden")
SYN_RBF_GRADUAL = _of_paper("rbf", "gradual")
SYN_RBF_INCREMENTAL = _of_paper("rbf", "incremental")
SYN_RBF_RECURRENT = _of_paper("rbf", "recurrent")
SYN_HP_SUDDEN = _of_paper("hp", "sudden")
SYN_HP_GRADUAL = _of_paper("hp", "gradual")
SYN_HP_INCREMENTAL = _of_paper("hp", "incremental")
SYN_HP_RECURRENT = _of_paper("hp", "recurrent")
