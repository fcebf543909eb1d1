"""What a lesson is made of, as its file says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.page.address import Address

Tree = list[Any]
"""Text as ``[tag, {attribute: value}, *children]``, or a str: nothing in it is ever parsed as HTML."""


@dataclass(frozen=True)
class Choice:
    """Predict first: one of some answers.

    Parameters
    ----------
    question
        What is asked.
    options
        The answers, 2 to 5.
    answer
        The place of the true one, from 0.
    """

    question: str
    options: tuple[str, ...]
    answer: int


@dataclass(frozen=True)
class Drawing:
    """Predict first: how a curve goes on, drawn on a chart.

    Parameters
    ----------
    question
        What is asked.
    learner, measure
        Whose curve of what: a name of the run, and one of ``MEASURES``.
    start, stop
        Rows that the chart shows; the curve is known up to the row where the step begins, the rest is drawn.
    """

    question: str
    learner: str
    measure: str
    start: int
    stop: int


@dataclass(frozen=True)
class Ending:
    """What has to happen before the step ends; at most one of them. Without any: the button Next, or the prediction.

    Parameters
    ----------
    row
        The run has come to this row.
    learner, parameter, value
        A parameter has this value.
    tab
        This tab is open.
    """

    row: int | None = None
    learner: str = ""
    parameter: str = ""
    value: Any = None
    tab: str = ""


@dataclass(frozen=True)
class Claim:
    """A number that a step's text says, and what it is of: tests check it on the run itself.

    Parameters
    ----------
    of
        The learner's name; "" for the stream.
    is_
        The number as the text has it, such as ``"0.62"``: the run's number, rounded to as many decimals, is the same.
    kind, what
        What it is: ``"measure"``, the mean of a measure's curve over ``rows``; ``"overall"``, a measure over all rows
        so far; of a label ``"label"`` (its F1), ``"answered"``, ``"right"`` and ``"carried"`` (rows for which it was
        answered, rightly so, and that have it); of a level from 1 ``"level"`` (its F1) and ``"wrong at"`` (the share of
        rows whose answer first goes wrong there); ``"event"``, the row of the first event of a kind within ``rows``;
        ``"evidence"`` with ``"before"``, the share of the evidence that is from before the latest drift; ``"trust"``
        with an expert's name, how much a council trusts it at the end of the step.
    rows
        For a measure the rows whose chunks are averaged, and for an event where it is looked for, as (after, up to).
    """

    of: str
    is_: str
    kind: str
    what: str
    rows: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Step:
    """One step.

    Parameters
    ----------
    title, text
        What is read.
    page
        What this step sets on the page, in the words of its address; ``page.at`` is the row to stand at.
    stream
        A stream that is made for the lesson, in place of ``page.stream``.
    drifts
        Changes that are put into the running stream as the step begins: a name of ``DRIFTS`` and its parameters.
    hidden
        Parts of the page that are not shown; names of ``views.page.screen.PARTS``.
    predict
        What is asked first, or None.
    reveal
        Text that is shown when the prediction is made and the end has come.
    ending
        What has to happen first.
    claims
        Numbers that its text says.
    """

    title: str
    text: tuple[Tree, ...]
    page: Address = field(default_factory=Address)
    stream: StreamSpec | None = None
    drifts: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    hidden: tuple[str, ...] = ()
    predict: Choice | Drawing | None = None
    reveal: tuple[Tree, ...] = ()
    ending: Ending = field(default_factory=Ending)
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    name
        What an address calls it: the file's name without its ending.
    title, about
        What it is called, and what one sees in it, in a sentence.
    minutes
        How long it takes.
    steps
        At least one.
    teacher
        Markdown for the teacher: aim, questions and answers, what to watch; "" if there is none.
    path
        Its file.
    """

    name: str
    title: str
    about: str
    minutes: int
    steps: tuple[Step, ...]
    teacher: str
    path: Path
