"""Where a step of a lesson begins: which run, what was done in it so far, and how the page looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from streamlab.lab import Run
from streamlab.learners import Learner
from streamlab.lessons.catalogue import begins_run
from streamlab.lessons.lesson import Lesson, Step
from streamlab.streams import DriftRecipe, Stream, load
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.page.address import Address, tuned, value_of
from streamlab.views.page.presets import make_learners

CHUNK, SEED = 100, 1


@dataclass(frozen=True)
class Action:
    """One thing done in a run: go to a row, tune a learner there, or put a change into its stream.

    Parameters
    ----------
    row
        The row to go to.
    learner, parameter, value
        What is tuned there.
    drift, options
        The change that is put in there.
    """

    row: int
    learner: str = ""
    parameter: str = ""
    value: Any = None
    drift: str = ""
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Look:
    """How the page looks; None: as it is."""

    speed: float | None = None
    measures: tuple[str, ...] = ()
    over: str | None = None
    tab: str | None = None
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arrival:
    """Where a step begins.

    Parameters
    ----------
    page
        The settings with which the run begins: stream, learners, river, seed, chunk and parameters.
    stream
        The stream that is made for it, in place of the page's; or None.
    actions
        What is done in the run until the step begins, in order.
    row
        Where the run stands then.
    look
        How the page looks.
    """

    page: Address
    stream: StreamSpec | None
    actions: tuple[Action, ...]
    row: int
    look: Look

    def same_run(self, other: Arrival) -> bool:
        """Whether both are of runs that begin alike."""
        return (self.page, self.stream) == (other.page, other.stream)


def arrive(lesson: Lesson, number: int) -> Arrival:
    """Return where a step, counted from 0, begins: all steps before it have been gone through."""
    found = _arrival(lesson.steps[0], None)
    for before, step in zip(lesson.steps[:number], lesson.steps[1 : number + 1], strict=True):
        found = _arrival(step, leave(before, found))
    return found


def leave(step: Step, before: Arrival) -> Arrival:
    """Return where a step ends that began so: what its end asks for has been done."""
    ending, actions, row = step.ending, before.actions, before.row
    if ending.row is not None:
        row = ending.row
        actions = (*actions, Action(row))
    if ending.learner:
        actions = (*actions, Action(row, ending.learner, ending.parameter, ending.value))
    look = before.look if not ending.tab else replace(before.look, tab=ending.tab)
    return replace(before, actions=actions, row=row, look=look)


def _arrival(step: Step, before: Arrival | None) -> Arrival:
    """Return where a step begins after another ended."""
    page = step.page
    settings = {
        name: value for name in ("speed", "measures", "over", "tab") if (value := getattr(page, name)) is not None
    }
    look = Look() if before is None else before.look
    look = replace(look, **{name: value for name, value in settings.items() if value != ()}, hidden=step.hidden)
    actions: tuple[Action, ...]
    if before is None or begins_run(page, step.stream):
        old = Address() if before is None else before.page
        opening = Address(
            # a stream that was made is taken over, unless the step names another
            stream=page.stream or (None if step.stream else old.stream),
            learners=page.learners or (() if page.river else old.learners),
            river=page.river or (() if page.learners else old.river),
            seed=page.seed if page.seed is not None else old.seed if old.seed is not None else SEED,
            chunk=page.chunk or old.chunk or CHUNK,
            parameters=page.parameters,
        )
        stream = step.stream or (None if page.stream or before is None else before.stream)
        actions, row = (), 0
    else:
        opening, stream, actions, row = before.page, before.stream, before.actions, before.row
    if page.at is not None and page.at != row:
        row = page.at
        actions = (*actions, Action(row))
    if opening.parameters is not page.parameters:
        actions += tuple(
            Action(row, learner, name, value)
            for learner, values in page.parameters.items() for name, value in values.items()
        )  # fmt: skip
    actions += tuple(Action(row, drift=name, options=tuple(options.items())) for name, options in step.drifts)
    return Arrival(opening, stream, actions, row, look)


def opened(arrival: Arrival) -> Run:
    """Return a new run as the step's page would begin it.

    Raises
    ------
    ValueError
        As ``load`` and the learners do.
    """
    page = arrival.page
    stream: Stream = arrival.stream.make() if arrival.stream is not None else load(page.stream)
    learners = make_learners(page.learners, page.river, page.seed or 0, stream.schema)
    if refused := tuned(learners, page.parameters):
        raise ValueError(refused[0])
    return Run(stream, learners, chunk=page.chunk or CHUNK, alarms="label")


def perform(run: Run, actions: Sequence[Action]) -> None:
    """Do what the actions say, flat out.

    Raises
    ------
    ValueError
        As ``Run.tune`` and ``Run.put_drift`` do, and if the stream ends before a row.
    """
    for action in actions:
        if action.row < run.position:
            run.seek(action.row)
        while run.position < action.row and run.advance(action.row - run.position):
            pass
        if run.position != action.row:
            raise ValueError(f"row {action.row:,}: the stream ends after {run.position:,} rows")
        if action.learner:
            learner = run.learner_runs[action.learner].learner
            refused = _tuned(run, learner, action)
            if refused:
                raise ValueError(refused)
        elif action.drift:
            run.put_drift(DriftRecipe(action.drift, **dict(action.options)))


def _tuned(run: Run, learner: Learner, action: Action) -> str:
    """Tune a learner of a run if it is not so already; return what prevents it."""
    known = {each.name: each for each in learner.tunables}
    value = value_of(known[action.parameter], action.value) if action.parameter in known else action.value
    if getattr(learner, action.parameter, None) != value:
        try:
            run.tune(action.learner, **{action.parameter: value})
        except ValueError as error:
            return str(error)
    return ""
