"""The contract of a picture: what the page asks of it, so that the page knows none by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from streamlab.learners.base.learner import probabilities
from streamlab.views.kit.text import MOST_MESSAGE, as_html

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.lab.events import Event
    from streamlab.learners import Learner
    from streamlab.schema import Schema

__all__ = ["Budget", "Drawn", "Picture", "Subject"]

MOST_REPORTED = 2
"""Events of a part that its note tells."""
PARTS_OF_EVENTS = ("node", "alternate")
"""By which of its numbers an event names a part of a picture."""


@dataclass(frozen=True)
class Subject:
    """What a picture is of: a learner in its run. Only the thread that owns the run may look inside.

    Parameters
    ----------
    name
        What the run calls the learner; of a member of it ``"Council: SMART"``.
    learner
        The learner.
    run
        The run: for what the learner itself does not know, such as its answers to the latest row.
    """

    name: str
    learner: Learner
    run: Run

    @property
    def owner(self) -> str:
        """The learner of the run that this is, or is a member of: the one that has a curve."""
        own = self.run.learner_runs
        return self.name if self.name in own else next((each for each in own if self.name.startswith(f"{each}: ")), "")

    def asked_again(self, n_labels: int) -> dict[str, Any] | None:
        """Return what the learner says now of the latest row, of the first ``n_labels`` labels; None without a row.

        ``x`` is the row, ``scores`` are the labels' probabilities, ``answered`` is true of those that the learner
        answers, ``carried`` of those that the row has.
        """
        last = self.run.last
        if last is None or not n_labels:
            return None
        x, truth = last[0], np.asarray(last[1]).ravel()[:n_labels] == 1
        scores, labels = self.learner.answer_many(x if hasattr(x, "indptr") else np.asarray(x, np.float64)[None])
        carried = np.zeros(n_labels, bool)
        carried[: len(truth)] = truth
        return {"x": x, "scores": probabilities(scores)[0], "answered": labels[0] == 1, "carried": carried}

    @property
    def kept_from_before(self) -> dict[str, int] | None:
        """How many ``rows`` ``of`` those kept are from before the latest ``drift`` or mark, at ``row``.

        ``renewed``: after how many rows most were newer ones; 0: not yet, or it is a member of a learner. None without
        a mark, and where the learner does not know.
        """
        mark = self.run.marked
        kept = None if mark is None else self.learner.kept_within(self.run.position - mark.row)
        if mark is None or kept is None:
            return None
        own = self.run.learner_runs.get(self.name)
        renewed = 0 if own is None else own.renewed(mark, self.run.position) or 0
        return {"drift": mark.drift, "row": mark.row, "rows": kept[1] - kept[0], "of": kept[1], "renewed": renewed}

    def marked(self, at: int | None, learned: int) -> dict[str, int] | None:
        """Return the row of a learner's mark as the run counts rows, with the number of its drift (0: people set it).

        ``at`` and ``learned`` are rows that the learner had learned at the mark (None: there is none), and has now.
        """
        if at is None:
            return None
        row = at + self.run.position - learned
        starts = sorted(drift.start for drift in self.run.stream.drifts)
        return {"row": row, "number": starts.index(row) + 1 if row in starts else 0}


@dataclass(frozen=True)
class Budget:
    """How much a picture may hold.

    Parameters
    ----------
    rows
        Rows (nodes, cells, instances) that are drawn at most; 0: as many as the picture thinks right.
    bytes
        Bytes that one frame may send at most.
    """

    rows: int = 0
    bytes: int = 200_000


@dataclass(frozen=True)
class Drawn:
    """What a picture shows at one instant, as copies; nothing in it is shared with the run.

    Parameters
    ----------
    subject
        What the run calls the learner.
    now
        Rows the run has passed.
    columns
        Arrays of equal length, one entry a node (cell, class, instance), as the picture's ``columns`` made them.
    extra
        Further plain values or arrays that the picture's own ``show`` takes as keywords.
    story
        What ``details`` tells about the selected node, or None where nothing is selected or it has gone.
    """

    subject: str
    now: int
    columns: Mapping[str, Any]
    extra: Mapping[str, Any]
    story: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, reading: Drawn | Mapping[str, Any]) -> Drawn:
        """Return what a run's views hold: as it was recorded, or by its fields, as an archive gives it back.

        Raises
        ------
        ValueError
            If it is neither.
        """
        if isinstance(reading, Drawn):
            return reading
        needed = {"subject", "now", "columns", "extra"}
        if not isinstance(reading, Mapping) or not needed <= set(reading) <= needed | {"story"}:
            raise ValueError("this is not a reading of a picture; expected its subject, now, columns, extra and story")
        return cls(**reading)


class View(Protocol):
    """What the page sets and asks of the component that draws a picture; ``PictureView`` has it all.

    The component is one of Panel's. ``selected`` and ``dark`` are among its parameters, so that the page hears of a
    choice.
    """

    dark: Any
    """Whether its colours are for a dark surface."""
    selected: Any
    """What people have selected, such as a node's id; None for nothing."""
    visible: Any
    """Whether it is seen; the page hides it while it cannot be drawn."""

    @property
    def param(self) -> Any:
        """Panel's parameters, which the page watches."""

    @property
    def selection(self) -> Any:
        """What the picture's ``columns`` are to be made for."""

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state; ``playing`` says whether more will come soon."""


class Picture(ABC):
    """One kind of picture. A subclass is one folder with four duties: ``columns``, ``view``, ``details`` and ``help``.

    It is registered by one entry point in the group ``streamlab.pictures``, whose name is the class's ``name``.
    """

    name: ClassVar[str]
    """What a learner's ``picture`` says to be drawn by it."""
    contract: ClassVar[type | None] = None
    """What such a learner has: a ``Protocol`` in the picture's folder; None: nothing beyond a learner."""
    title: ClassVar[str]
    """What people read on its tab."""
    help: ClassVar[str]
    """How to read it, in HTML of its own making: what is seen where nothing is selected."""
    order: ClassVar[int] = 50
    """Where its tab stands among the others, the lowest first."""
    of_learner: ClassVar[bool] = True
    """Whether it shows one learner, which people choose where several fit; else it is the same for all of a run."""

    asks: ClassVar[bool] = False
    """Whether it is of what matters (``Run.ask_importance``): a page asks the learners only while it is open."""

    least_width: ClassVar[int] = 430
    """How wide it is at least where several stand beside each other, px; with less room they are below one another."""
    joins: ClassVar[bool] = False
    """Whether two learners are drawn in one; then it has ``joined``."""
    linked: ClassVar[tuple[str, ...]] = ()
    """Parameters of its view that are the same in all that stand beside each other, such as the tree that is shown."""

    def fits(self, subject: Subject) -> bool:
        """Whether this learner, in this run, can be drawn so. Default: its ``picture`` is this picture's name."""
        return subject.learner.picture == self.name

    @abstractmethod
    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        """Copy what is drawn out of a learner; called on the thread that owns the run, some ten times a second.

        Parameters
        ----------
        subject
            The learner and its run.
        selection
            What the view's ``selection`` says is chosen, such as a node's id; None for nothing.
        budget
            How much may be drawn.
        """

    def joined(self, first: Drawn, second: Drawn) -> Drawn:
        """Return what is drawn of two learners in one, from what ``columns`` made of each."""
        raise NotImplementedError(f"{type(self).__name__} draws one learner")

    @abstractmethod
    def view(self, schema: Schema, **options: Any) -> View:
        """Make the component that draws it: a ``PictureView`` (``streamlab.views.kit.component``).

        Parameters
        ----------
        schema
            The stream's: names of labels, features and categories, the hierarchy.
        **options
            ``dark`` and ``picture_height``, px.
        """

    @abstractmethod
    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        """Return the details of the selected node as HTML; ``story`` is None if the node is gone. Texts are escaped."""

    def note(
        self, subject: str, selected: Any, story: Mapping[str, Any] | None, schema: Schema, happened: Sequence[Event]
    ) -> str:
        """Return what the note says of the selected node, as HTML. Default: its details, and what was reported last.

        Parameters
        ----------
        subject, story, schema
            As ``details`` has them.
        selected
            The id that was selected.
        happened
            What the learner reported of it up to the row that is shown, in order: events that name it, as ``parts_of``
            says.
        """
        reported = (
            f"<p>Row {each.position:,}: {as_html(each.message.rstrip('.'), MOST_MESSAGE)}.</p>" for each in happened
        )
        return self.details(subject, story, schema) + "".join([*reported][-MOST_REPORTED:])

    def parts_of(self, event: Event) -> list[Any]:
        """Return the ids of the parts that an event names. Default: its ``node`` and its ``alternate``."""
        return [event.detail[name] for name in PARTS_OF_EVENTS if name in event.detail]


def subject_of(name: str, run: Run) -> Subject | None:
    """Return what a picture is of: a learner of a run by its name, or a member of one, ``"Council: SMART"``.

    None where there is none of this name.
    """
    if name in run.learner_runs:
        return Subject(name, run.learner_runs[name].learner, run)
    return next((each for each in _members(run) if each.name == name), None)


def _members(run: Run) -> list[Subject]:
    """Return the members of a run's learners, as subjects of their own."""
    return [
        Subject(f"{owner}: {name}", member, run)
        for owner, each in run.learner_runs.items()
        for name, member in each.learner.members.items()
        if f"{owner}: {name}" not in run.learner_runs
    ]


def fitting(picture: Picture, run: Run) -> list[str]:
    """Return the learners of a run that a picture can show, those that name it as their own first.

    After them come the members of learners, as ``subject_of`` calls them, that name it as their own.
    """
    subjects = [Subject(name, each.learner, run) for name, each in run.learner_runs.items()]
    fit = [subject for subject in subjects if picture.fits(subject)]
    fit.sort(key=lambda subject: subject.learner.picture != picture.name)
    if picture.of_learner:
        own = [subject for subject in _members(run) if subject.learner.picture == picture.name]
        fit += [subject for subject in own if picture.fits(subject)]
    return [subject.name for subject in fit]
