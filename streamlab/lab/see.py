"""See a model learn, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from river.base import Estimator

from streamlab.lab.learners import named_learners
from streamlab.lab.run import Run
from streamlab.learners import LEARNERS
from streamlab.learners.river_tunables import last_step
from streamlab.plugins import DOORS
from streamlab.streams import Stream, load

__all__ = ["see"]

BASELINES = {"no change": "NoChange", "majority": "MajorityLabels"}


def see(stream: Stream | Any, models: Any, *, chunk: int = 100, baselines: bool = True, **view: Any) -> Any:
    """See models learn a stream, tested then trained: in a notebook's cell, or from a script in the browser.

    It is ``Run(stream, models).view(**view)``. A script serves the page on this machine, opens the browser and goes on
    when it is interrupted (Ctrl-C); a page that is loaded again goes on with the run.

    Parameters
    ----------
    stream
        What ``load`` takes: one of River's data sets, a name, a path, ``(X, y)``, a ``Stream``.
    models
        A learner, a model of River's, or a dictionary of these by name. They are cloned: what one of River's has
        learned before is not shown.
    chunk
        Instances that learners which answer whole chunks predict before they learn them; River's go row by row.
    baselines
        Whether learners that repeat the last class, and the most frequent one, run along where each row has one class.
    **view
        Options of the view: ``measures``, ``rate`` (instances a second; None: flat out), ``over``, ``tab``; in a
        script also ``port`` and ``show`` (whether the browser opens).

    Returns
    -------
    The view in a notebook, else the run.

    Raises
    ------
    ValueError
        As ``Run``.
    ImportError
        If Panel is not installed (the ``notebook`` and ``app`` extras have it).

    Examples
    --------
    >>> from river import datasets, tree
    >>> import streamlab as sl
    >>> sl.see(datasets.ImageSegments(), tree.HoeffdingAdaptiveTreeClassifier(seed=1))  # doctest: +SKIP
    """
    stream = stream if isinstance(stream, Stream) else load(stream)
    if isinstance(models, Estimator) or not isinstance(models, Mapping):
        models = {type(last_step(models)).__name__: models}
    learners: Mapping[str, Any] = named_learners(models, stream.schema)
    if baselines and stream.schema.classes is not None:
        learners = {**learners, **{n: LEARNERS.load(k)() for n, k in BASELINES.items() if n not in learners}}
    return DOORS.load("see_run")(Run(stream, learners, chunk=chunk), **view)
