"""The run that would have been without the drifts that were put in: what a drift cost is measured against it."""

from __future__ import annotations

from dataclasses import fields, replace

from streamlab.lab.actions import DRIFT
from streamlab.lab.ownership import owned
from streamlab.lab.run import Run
from streamlab.streams import Stream
from streamlab.streams.wrapped import WrappedStream

__all__ = ["without_drifts"]


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
    >>> run.detection(twin=twin)["recovered"].tolist()
    [0]
    """
    machine = run._machine
    first = next(iter(machine.store), None)
    if first is None or first.position or first.stream.is_live or not run.has_data:
        return None
    state, stream = first.state(), _below(first.stream)
    path = [action for action in machine.path[: machine.done] if action.kind != DRIFT]
    if stream is first.stream and len(path) == machine.done:
        return None
    known = {name: each.learner for (name, _), each in reversed(run._learners._ever.items())}
    settings = replace(run._learners.settings, snapshots=0)
    given = {each.name: getattr(settings, each.name) for each in fields(settings)}
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
