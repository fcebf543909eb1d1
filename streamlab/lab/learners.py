"""The learners of a run: taken in by name, known again when the run goes back, forked from others, and trained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

import numpy as np
from msgspec import Meta, Struct, field
from msgspec.structs import asdict, force_setattr, replace
from river.base import Estimator

from streamlab._checks import checked_choice, checked_count, checked_text, shown, under, within
from streamlab.lab.asking import Asking
from streamlab.lab.course import Course
from streamlab.lab.drift_watch import DriftWatch
from streamlab.lab.events import LONGEST_TEXT
from streamlab.lab.fingerprint import warn_if_tuned_on
from streamlab.lab.history import History
from streamlab.lab.importance import Importance
from streamlab.lab.label_stats import ClassRecords
from streamlab.lab.learner_run import WATCHED, ErrorWatch, LearnerRun, learner_of, raise_named
from streamlab.lab.snapshots import DEFAULT_BUDGET
from streamlab.learners import Learner, OnePerLabel, RiverClassifier, RiverMultiLabel, TargetsAsLabels
from streamlab.learners.base.state import check_namesake
from streamlab.learners.one_per_label import is_river_classifier, is_river_regressor
from streamlab.learners.river_models import last_step
from streamlab.learners.river_multi_label import is_river_multi_label
from streamlab.learners.targets_as_labels import is_river_multi_target
from streamlab.measures import MEASURES, Tracker
from streamlab.schema import Schema

Count = Annotated[int, Meta(ge=0, le=10**15)]
Share = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]


def named_learners(learners: Any, schema: Schema | None = None) -> dict[str, Learner]:
    """Return learners by name: of a dictionary, or of one learner by its class's name.

    Parameters
    ----------
    learners
        Learners and River's models. A River classifier is one for each label; where the schema has classes it is
        taken as it is, unless it is a model of two classes and there are more.
    schema
        That of the stream, where it is known.

    Raises
    ------
    ValueError
        If there is none, a name is empty, something is not a learner, or one object has two names.
    """
    # some of River's multi-label classifiers are dictionaries of their parts
    if isinstance(learners, Estimator) or not isinstance(learners, Mapping):
        learners = {type(learners).__name__: learners}
    if not learners:
        raise ValueError("learners: expected at least one")
    named = {}
    for name, learner in learners.items():
        checked_text("learners: name", name)
        if not isinstance(learner, Learner):
            if is_river_multi_label(learner):
                learner = RiverMultiLabel(learner)
            elif is_river_classifier(learner):
                classes = None if schema is None else schema.classes
                is_whole = classes is not None and (learner._multiclass or len(classes) <= 2)
                learner = RiverClassifier(learner) if is_whole else OnePerLabel(learner)
            elif is_river_multi_target(learner):
                learner = TargetsAsLabels(learner)
            else:
                _refuse(name, learner)
        named[name] = learner
    if len({id(learner) for learner in named.values()}) < len(named):
        raise ValueError("learners: the same object has two names; give each a copy()")
    return named


def _refuse(name: str, learner: Any) -> NoReturn:
    last = last_step(learner)
    kind = type(last)
    if is_river_regressor(learner):
        advice = f"a regressor is taken as OnePerLabel({kind.__name__}(...)), which answers a label above one half"
    elif not isinstance(last, Estimator) and hasattr(last, "learn_one") and hasattr(last, "predict_one"):
        advice = f"derive {kind.__name__} from river.base.Classifier"
    else:
        advice = (
            "clusterers, anomaly detectors, transformers, recommenders and time series models answer no class, and are "
            "not served; a model of your own derives from river.base.Classifier or sl.Learner"
        )
    what = f"River's {kind.__name__}" if kind.__module__.startswith("river.") else shown(learner)
    raise ValueError(f"learners[{name!r}] is {what}; expected a learner or a River classifier: {advice}")


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How the learners of a run are counted, watched and kept; parameters are those of ``Run``.

    Those of an archive are checked here, too; its ``detectors`` are descriptions, else ``Watched``.
    """

    chunk: int = 100
    measures: tuple[Text, ...] | None = None
    fading: Share = 0.995
    zero_division: Share = 0.0
    history: int = 2000
    alarms: str | None = "learner"
    alarm_delta: Share = 0.002
    snapshots: int = DEFAULT_BUDGET
    detectors: dict[str, Any] = field(default_factory=dict)
    importance: Asking | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, np.generic):
                force_setattr(self, name, value.item())
        checked_choice("alarms", self.alarms, WATCHED, optional=True)
        # no more than an archive may say: what can be saved can be opened
        checked_count("chunk", self.chunk, 1, 10**7)
        checked_count("history", self.history, 2, 10**6)
        checked_count("snapshots", self.snapshots, 0, 10**15)


class Learners:
    """The learners of a run, each with its counts and history.

    Parameters
    ----------
    course
        Where the run stands.
    settings
        How they are counted and watched.

    Attributes
    ----------
    runs
        Those that are in the run now, by name; replaced whenever one comes or goes.
    """

    def __init__(self, course: Course, settings: Settings) -> None:
        self.course, self.settings = course, settings
        self.runs: dict[str, LearnerRun] = {}
        self._ever: dict[tuple[str, type], LearnerRun] = {}
        self._per_row = 0.0

    # ------------------------------------------------------------------ who is in the run

    def take_in(self, name: str, learner_run: LearnerRun) -> None:
        """Let a learner that ``new``, ``forked`` or ``newcomer`` made be in the run."""
        self.runs = {**self.runs, name: learner_run}

    def remove(self, name: str) -> None:
        """Take a learner out; a ValueError if there is none of the name, or no other."""
        self.called(name)
        if len(self.runs) == 1:
            raise ValueError(f"{name} is the run's only learner")
        self.runs = {other: each for other, each in self.runs.items() if other != name}

    def called(self, name: str) -> LearnerRun:
        """Return the learner of a name; a ValueError names those that there are."""
        if name not in self.runs:
            raise ValueError(f"no learner {name!r} in this run; there are: {', '.join(self.runs)}")
        return self.runs[name]

    def learner(self, name: str) -> Learner:
        """Return the learner of a name, to be read: it goes on with the run.

        River's model in it is ``run["HAT"].model``; of ``OnePerLabel`` there is one for each label, ``models``.

        Raises
        ------
        ValueError
            If there is no learner of the name; it says which there are.
        """
        return self.called(name).learner

    def check_free(self, name: Any) -> None:
        """Raise a ValueError unless a newcomer can have this name."""
        checked_text("name", name)
        if name in self.runs:
            raise ValueError(f"there is a learner {name!r} in this run already; expected another name")

    def check_namesakes(self) -> None:
        """Raise a ValueError if a file of the run would name another class than one of its learners is of."""
        for (name, kind), learner_run in self._ever.items():
            try:
                for each in (kind, *map(type, getattr(learner_run.learner, "parts", ()))):
                    check_namesake(each)
            except ValueError as error:
                raise_named(name, error)

    @property
    def measures(self) -> tuple[str, ...] | None:
        """What is counted of each; which measures are the default depends on the packages that are installed."""
        return next((each.tracker.measures for each in self._ever.values()), self.settings.measures)

    # ------------------------------------------------------------------ who comes

    def new(self, name: str, learner: Learner) -> LearnerRun:
        """Return a learner with its counts and history, bound to the stream's columns."""
        settings, schema = self.settings, self.course.schema
        if self.course.stream.is_sparse:
            learner.check_dense(settings.chunk, schema.n_features)
        warn_if_tuned_on(name, learner, self.course.stream)
        try:
            learner.bind(schema)
            learner.prepare()
            learner.take_events()  # of rows before the run
        except Exception as error:
            raise_named(name, error)
        # one that joins later counts what the others do, whatever was registered meanwhile
        tracker = Tracker(
            schema.labels, self.measures, zero_division=settings.zero_division, fading=settings.fading,
            n_rows=self.course.n_rows, hierarchy=schema.hierarchy, classes=schema.classes or False,
        )  # fmt: skip
        watch = None
        if settings.alarms is not None:
            watch = ErrorWatch(schema.labels, per_label=settings.alarms == "label", delta=settings.alarm_delta)
        past = History(schema.n_labels, settings.history, settings.zero_division, tracker.kept_along, tracker.n_levels)
        classes = None if schema.hierarchy is None else ClassRecords(schema.hierarchy, settings.fading)
        for each in settings.detectors.values():
            with within("detectors"):
                MEASURES[each.measure].refuse(schema)
        detectors = DriftWatch(settings.detectors) if settings.detectors else None
        asked = None if settings.importance is None else self.asked(name, learner, settings.importance)
        made = LearnerRun(name, learner, tracker, past, watch, classes, detectors, asked)
        self._ever[name, type(learner)] = made
        return made

    def asked(self, name: str, learner: Learner, asking: Asking) -> Importance:
        """Return what asks a learner what matters to it; it has asked nothing yet."""
        made = Importance(learner, name=name, before=self._rows_before, asking=asking)
        made.per_row = self._per_row
        return made

    def at_rate(self, rate: float | None) -> None:
        """Rows pass at this rate a second, None for flat out: asking may take its share of the time that passes."""
        per_row = 0.0 if rate is None else 1 / (rate * len(self.runs))
        if per_row == self._per_row:
            return
        self._per_row = per_row
        for each in self._ever.values():
            if each.importance is not None:
                # it is decided again, and what was used at another rate is not made up for
                asked = each.importance
                asked.per_row, asked.due = per_row, min(asked.due, asked.chunks + 1)
                asked._total[:] = 0.0

    def switch_asking(self, on: bool, row: int) -> bool:
        """Ask every learner what matters to it from a row on, or no longer; returns whether that changes anything."""
        if self.settings.importance is None:
            if not on:
                return False
            asking = Asking(spans=[])
            self.settings = replace(self.settings, importance=asking)
            for (name, _), each in self._ever.items():
                each.importance = self.asked(name, each.learner, asking)
        assert self.settings.importance is not None, "it was made"
        return self.settings.importance.switch(on, row)

    def _rows_before(self, position: int) -> list[tuple[Any, np.ndarray]]:
        """Return the latest rows before a position from which ``Importance`` draws values, chunk by chunk."""
        course, asking = self.course, self.settings.importance or Asking()
        start = max(0, position - asking.window)
        return [(part.X, part.Y) for part in course.stream.chunks(course.chunk, start=start, stop=position)]

    def forked(self, origin: str, name: str, train_on: int | None, parameters: dict[str, Any]) -> LearnerRun:
        """Return a copy of a learner with other parameters: one with its past, or a newcomer where ``train_on``."""
        parent = self.called(origin)
        self.check_free(name)
        learner = parent.learner
        structural = sorted(set(parameters) - {each.name for each in learner.tunables})
        if train_on is None:
            if structural:
                raise ValueError(
                    f"{', '.join(structural)} cannot change mid-stream: give train_on=, the newest rows on which a new "
                    "learner is trained (0: none)"
                )
            copy = learner.copy()
            if parameters:
                copy.tune(**parameters)
            made = self.new(name, copy)
            made.take_past(parent)
        else:
            known = learner._get_params()
            for parameter in structural:
                if parameter.partition("__")[0] not in known and not hasattr(learner, "steps"):
                    raise ValueError(f"{origin} has no parameter {parameter!r}; it has: {', '.join(known)}")
            made = self.newcomer(name, learner.clone(parameters), train_on)
        made.forked_at = self.course.position
        return made

    def newcomer(self, name: str, learner: Learner, train_on: int) -> LearnerRun:
        """Return a learner that begins here, trained on the newest rows whose labels are known."""
        self.check_free(name)
        train_on = checked_count("train_on", train_on)
        course = self.course
        newcomer = self.new(name, learner)
        labelling = course.stream.labelling
        for part in course.stream.chunks(course.chunk, start=max(0, course.position - train_on), stop=course.position):
            X, Y, rows = part.X, part.Y, np.arange(part.start, part.stop)
            if labelling is not None:
                known = labelling.arrives(rows) < course.position
                X, Y, rows = X[known], labelling.labels_known(Y, rows)[known], rows[known]
            if len(Y):
                self._train(learner, rows, X, Y)
        learner.take_events()
        first, last = course.part
        amid = course.current is not None and first < course.used < last
        asked = course.current.X[first:last] if amid and course.current is not None else None
        newcomer.begin_at(course.position, next(iter(self.runs.values())).history, asked)
        return newcomer

    def _train(self, learner: Learner, rows: np.ndarray, X: Any, Y: np.ndarray) -> None:
        """Let a newcomer learn earlier rows, in ascending order, and mark the latest instant among them."""
        mark = self.course.marked
        cut = -1 if mark is None else int(np.searchsorted(rows, mark.row))
        if 0 < cut < len(rows):
            learner.learn_many(X[:cut], Y[:cut])
            learner.mark()
            learner.learn_many(X[cut:], Y[cut:])
        else:
            learner.learn_many(X, Y)
            if cut == len(rows):
                learner.mark()

    # ------------------------------------------------------------------ state, between two chunks

    def state(self) -> dict[str, Any]:
        """Return their names and states, as a flat dictionary; arrays of the learners are copies, others their own."""
        state: dict[str, Any] = {"learners": list(self.runs)}
        for place, learner_run in enumerate(self.runs.values()):
            state |= {f"learner.{place}.{name}": value for name, value in learner_run.state().items()}
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Have the learners of a ``state()``: those that were in the run before are the same objects again."""
        own = {name: under(state, f"learner.{place}.") for place, name in enumerate(state["learners"])}
        runs = {name: self._known(name, each) for name, each in own.items()}
        for name, learner_run in runs.items():
            learner_run.set_state(own[name])
        self.runs = runs

    def _known(self, name: str, state: Mapping[str, Any]) -> LearnerRun:
        """Return the learner of a state, as the object that it was, or a new one."""
        if (name, state["kind"]) not in self._ever:
            self.new(name, learner_of(state))
        return self._ever[name, state["kind"]]
