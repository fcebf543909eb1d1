"""See a model learn, in one line."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from river.base import Estimator

from streamlab.lab.learners import named_learners
from streamlab.lab.own_loop import OwnLoop
from streamlab.lab.recipe import UNPACKABLE, pickled
from streamlab.lab.run import Run
from streamlab.learners import LEARNERS, Learner, RiverClassifier
from streamlab.learners.river_models import last_step
from streamlab.plugins import DOORS
from streamlab.streams import Stream, load

__all__ = ["see"]

BASELINES = {"no change": "NoChange", "majority": "MajorityLabels"}


def see(
    stream: Stream | Any,
    models: Any = None,
    *,
    chunk: int = 100,
    baselines: bool = True,
    first: int = 200,
    classes: Sequence[Any] = (),
    **view: Any,
) -> Any:
    """See models learn a stream, tested then trained: in a notebook's cell, or from a script in the browser.

    It is ``Run(stream, models).view(**view)``. A script serves the page on this machine, opens the browser and goes on
    when it is interrupted (Ctrl-C); a page that is loaded again goes on with the run.

    With a model alone, ``seen = see(model)``, the loop is one's own: ``seen.row(x, y, y_pred)`` after each row lets the
    page follow, and ``seen.wait()`` at the end of a script keeps it there. See ``OwnLoop``.

    Parameters
    ----------
    stream
        What ``load`` takes: one of River's data sets, a name, a path, ``(X, y)``, a ``Stream``. For a loop of one's own
        the model, one of River's classifiers, or a dictionary of these by name.
    models
        A learner, a model of River's, or a dictionary of these by name. River's are copied, and begin with what they
        have learned; a model that is taken apart into one for each label begins with nothing.
    chunk
        Instances that learners which answer whole chunks predict before they learn them; River's go row by row. Of a
        slow loop take fewer: the page goes on when so many are there.
    baselines
        Whether learners that repeat the last class, and the most frequent one, run along where each row has one class.
    first, classes
        For a loop of one's own: how many rows decide about features, categories and classes, and classes that may come
        later.
    **view
        Options of the view: ``measures``, ``rate`` (instances a second; None: flat out), ``over``, ``tab``; in a
        script also ``port`` and ``show`` (whether the browser opens).

    Returns
    -------
    The view in a notebook, else the run; for a loop of one's own an ``OwnLoop``.

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

    def begin(stream: Stream, learners: Mapping[str, Learner], **options: Any) -> tuple[Run, Any]:
        if baselines and stream.schema.classes is not None:
            learners = {**learners, **{n: LEARNERS.load(k)() for n, k in BASELINES.items() if n not in learners}}
        run = Run(stream, learners, chunk=chunk)
        return run, DOORS.load("see_run")(run, **options, **view)

    if models is None:
        return OwnLoop(_by_name(stream), partial(begin, aside=True), chunk, first, classes)
    stream = stream if isinstance(stream, Stream) else load(stream)
    given = _by_name(models)
    learners = named_learners(given, stream.schema)
    for name, learner in learners.items():
        model = given[name]
        if isinstance(learner, RiverClassifier) and learner is not model and _may_have_learned(model):
            learner.of(copy.deepcopy(model))
    return begin(stream, learners)[1]


def _may_have_learned(model: Any) -> bool:
    """Whether a model of River's is not as it was made: only one that is has a recipe."""
    try:
        return pickled(model) != pickled(model.clone())
    except UNPACKABLE:
        return True


def _by_name(models: Any) -> Mapping[str, Any]:
    is_one = isinstance(models, Estimator) or not isinstance(models, Mapping)
    return {type(last_step(models)).__name__: models} if is_one else models
