"""Do a run again from its beginning: that of an archive, to compare the two; or one without the drifts put in.

What a drift cost is measured against the run that would have been without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import asdict

from streamlab._packed import plain_text
from streamlab.lab.archive import Members, histories_of, naming
from streamlab.lab.events import DRIFT, event_to_json
from streamlab.lab.history import POSITIONS, curves_of, read_curves
from streamlab.lab.ownership import owned
from streamlab.lab.recipe import comparable
from streamlab.lab.run import Run
from streamlab.streams import Stream
from streamlab.streams.wrapped import WrappedStream

__all__ = ["without_drifts"]


@dataclass(frozen=True)
class Difference:
    """Where a replay is not what was saved.

    Parameters
    ----------
    position
        Instances after which it is first seen.
    learner
        Whose; "" for what belongs to none.
    what
        What differs, in words.
    """

    position: int
    learner: str
    what: str

    def __str__(self) -> str:
        whose = f"{self.learner}: " if self.learner else ""
        return f"after {self.position:,} instances: {whose}{self.what}"


@dataclass(frozen=True)
class Replay:
    """What came of a replay: instances up to which the run was done again, the figures compared, the first difference.

    ``difference`` is None where there is none.
    """

    position: int
    compared: int
    difference: Difference | None

    @property
    def is_identical(self) -> bool:
        """Whether the whole of it is what was saved."""
        return self.difference is None


def replay(path: str | Path, stream: Any = None, *, learners: Mapping[str, Any] | None = None) -> Replay:
    """Do an archive's run again, from the beginning, and compare its events and curves, as they were seen, bit for bit.

    Parameters
    ----------
    path, stream, learners
        As ``Run.open`` takes them.

    Raises
    ------
    ValueError
        As ``Run.open``.
    """
    path = Path(path)
    run = Run.open(path, stream, learners=learners)
    with naming(path), Members(path) as members:
        saved, curves = members.json("events.json"), read_curves(members.read("curves.safetensors"))
    again = curves_of(histories_of(run._learners))
    # the order of events at a position may depend on how the way there was cut
    events = [sorted(map(plain_text, each)) for each in (saved, map(event_to_json, run.log))]
    found = [json.loads(each) for each in set(events[0]) ^ set(events[1])]
    differences = [Difference(at, who, f"the event {kind!r} ({text})") for at, who, kind, text, _ in found]
    if events[0] != events[1] and not found:
        differences.append(Difference(0, "", "an event came another number of times"))
    if curves.keys() != again.keys() or comparable(curves[POSITIONS]) != comparable(again[POSITIONS]):
        differences.append(Difference(0, "", "the curves are others, or have points elsewhere"))
    else:
        for key, values in curves.items():
            other = values.view(np.int64) != again[key].view(np.int64)
            if other.any():
                at = int(curves[POSITIONS][int(np.argmax(other))])
                differences.append(Difference(at, key[-1], f"{key[1]} ({key[0]}) is another"))
    first = min(differences, key=lambda each: each.position, default=None)
    return Replay(run.position, len(saved) + sum(map(len, curves.values())), first)


# ---------------------------------------------------------------------- without the drifts


@owned
def without_drifts(run: Run) -> Run | None:
    """Return a run of the same learners over the same rows without the drifts that were put in, as far as it has come.

    All else that was done to the run is done to it too: what was tuned, forked, removed. It takes about the time that
    the run took.

    Parameters
    ----------
    run
        The run; it stays where it is.

    Returns
    -------
    Run or None
        None where no drift was put in (into the stream with ``rotate_labels`` and its like, or by ``Run.put_drift``),
        or where the stream without them has other rows, or the run's beginning is not there to begin from.

    Examples
    --------
    >>> import streamlab as sl
    >>> run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=1, n_trees=3)})
    >>> run.advance(1600)
    1600
    >>> twin = without_drifts(run)
    >>> twin.stream.name, twin.position, len(twin.stream.drifts)
    ('yeast', 1600, 0)
    >>> run.detection(twin=twin)["behind"].round().tolist()
    [58.0]
    """
    machine = run._machine
    first = next(iter(machine.store), None)
    if first is None or first.position or first.stream.is_live:
        return None
    state, stream = first.state(), _below(first.stream)
    path = [action for action in machine.path[: machine.done] if action.kind != DRIFT]
    if stream is first.stream and len(path) == machine.done:
        return None
    known = {name: each.learner for (name, _), each in reversed(run._learners._ever.items())}
    given = asdict(run._learners.settings) | {"snapshots": 0}
    twin = Run(stream, {name: known[name].clone() for name in state["learners"]}, **given)
    twin._machine.begin()
    twin._lockstep.set_state(state, stream)
    twin._machine.go_the_way_of(path, run.position, run.finished)
    return twin


def _below(stream: Stream) -> Stream:
    """Return a stream without the drifts that were put in last, as long as its rows stay the same ones."""
    while isinstance(stream, WrappedStream):
        below = stream.stream
        has_own = set(stream.drifts) - set(below.drifts)
        same = below.n_rows == stream.n_rows and below.schema.labels == stream.schema.labels
        if not has_own or not same or below.schema.n_features != stream.schema.n_features:
            break
        stream = below
    return stream
