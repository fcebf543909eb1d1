"""What a run is: how its stream and its learners are made, its settings, and the log of what was done.

The structs are the head of an archive. What they hold is checked as they are read, for anyone can write a file.
"""

from __future__ import annotations

import inspect
import pickle
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, field
from msgspec.structs import asdict
from river.base import BinaryDriftDetector, DriftDetector

from streamlab._checks import is_count, shown, under, within
from streamlab._packed import unpacked
from streamlab.lab.described import (
    PARAMETERS,
    RIVER,
    SEED,
    describe_whole,
    described_part,
    make_described,
    river_class,
    tables_of,
)
from streamlab.lab.drift_watch import Watched
from streamlab.lab.events import Action
from streamlab.lab.learner_run import learner_of
from streamlab.lab.learners import Count, Settings, Text
from streamlab.learners import Learner, river_models
from streamlab.measures import MEASURES
from streamlab.streams import DriftRecipe, Stream
from streamlab.validation import validated

MOST_LEARNERS = 1000
LARGEST, LARGEST_OF_RIVER = 10_000_000, 10_000
"""Of the whole numbers among parameters: they may be sizes of windows; with learners of River's numbers of models."""
STATE, LOST, MEASURE = "state", "lost", "measure"
"""What stands for a learner that cannot be described: its state, or of one without a flat state its class's name."""

Table = dict[str, Any]


class FilePart(Struct, forbid_unknown_fields=True):
    """A part of a file in which nothing else may stand."""


class StreamRecipe(FilePart):
    """The stream with which the run began: ``Stream.recipe``, and by what its rows are known."""

    name: Text
    n_rows: Count | None
    is_sparse: bool
    schema: Annotated[str, Meta(max_length=2**26)]
    recipe: Table | None
    fingerprint: Table


class ActionRecord(FilePart, tag_field="kind"):
    """Something that was done after so many rows; see ``Action``, whose details are the further fields."""

    position: Count
    after_end: bool


class Tuned(ActionRecord, tag="tune"):
    learner: Text
    parameters: Table


class PutIn(ActionRecord, tag="drift"):
    change: Table
    at: Count


class Forked(ActionRecord, tag="fork"):
    learner: Text
    name: Text
    train_on: Count | None
    parameters: Table


class Joined(ActionRecord, tag="join"):
    name: Text
    learner: Table
    train_on: Count


class Removed(ActionRecord, tag="remove"):
    name: Text


class Completed(ActionRecord, tag="complete"):
    pass


class Marked(ActionRecord, tag="mark"):
    pass


class Stepped(ActionRecord, tag="step"):
    rows: Annotated[int, Meta(ge=1, le=10**7)]


ActionRecords = Tuned | PutIn | Forked | Joined | Removed | Completed | Marked | Stepped


class BranchLog(FilePart):
    """A way that the run went: the first ``begins`` actions of its parent, and ``then`` others, by their numbers."""

    parent: int | None
    left_at: Count
    begins: Count
    then: list[Count]
    end: Count
    finished: bool


class RunRecipe(FilePart):
    """A run: what is needed to have it again, and where it stood."""

    versions: dict[str, Text]
    settings: Settings
    stream: StreamRecipe
    learners: Annotated[dict[Text, Table], Meta(min_length=1, max_length=MOST_LEARNERS)]
    actions: list[ActionRecords] = field(name="deeds")
    branches: Annotated[list[BranchLog], Meta(min_length=1)]
    current: Count
    position: Count


def versions() -> dict[str, str]:
    """Return the versions with which a run was made."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("streamlab", "numpy", "numba", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a source tree that was never installed
            found[name] = "unknown"
    return found


def check_registered(measures: Sequence[str]) -> None:
    """Raise a ValueError that says what to do unless all are registered."""
    for name in measures:
        if name not in MEASURES:
            raise ValueError(
                f"unknown measure {shown(name)}: install the package that registers it, or call "
                f"streamlab.measures.MEASURES.add(...) with the measure first"
            )


# ---------------------------------------------------------------------- learners


def first_recipes(state: Mapping[str, Any]) -> dict[str, Table]:
    """Return how the learners are made with which a run began; ``state`` is that of its beginning."""
    return {
        name: learner_recipe(learner_of(under(state, f"learner.{place}.")))
        for place, name in enumerate(state["learners"])
    }


def learner_recipe(learner: Learner) -> Table:
    """Return how a learner that has learned nothing is made; else its ``STATE``, or its class as ``LOST``."""
    try:
        found = describe_whole(learner)
        twin = make_described(found, ...)
        if is_same(learner, twin.bind(learner.schema) if learner._bound else twin):
            _check_sizes("it", found)
            return found
    except (TypeError, ValueError):
        pass
    try:
        return {STATE: learner.state()}
    except ValueError:
        return {LOST: kind_of(learner)}


@dataclass(frozen=True)
class LostLearner:
    """What stands for a learner that no file can describe: the name of its class."""

    kind: str


def make_learner(recipe: Table, name: str) -> Learner | LostLearner:
    """Return the learner of a recipe that is no ``STATE``.

    Raises
    ------
    ValueError
        If it is not the recipe of a learner.
    """
    if LOST in recipe:
        return LostLearner(str(recipe[LOST])[:200])
    _check_sizes(name, recipe)
    return make_described(recipe, ...)


def _check_sizes(name: str, recipe: Table) -> None:
    """Raise a ValueError unless all sizes among a learner's parameters are such that it can be made in little time."""
    for table in tables_of(recipe):
        given = table[PARAMETERS] if isinstance(table.get(PARAMETERS), dict) else {}
        if RIVER in table:
            usual = inspect.signature(river_class(table[RIVER])).parameters
            others = {key: value for key, value in given.items() if key in usual and usual[key].default != value}
            _check_numbers(name, others, LARGEST_OF_RIVER)
        else:
            _check_numbers(name, given, LARGEST)


def _check_numbers(name: str, parameters: Table, most: int) -> None:
    for key, value in parameters.items():
        most = min(most, LARGEST_OF_RIVER) if key.startswith(("classifier__", "regressor__")) else most
        if isinstance(value, int) and abs(value) > most and key.rpartition("__")[2] != SEED:
            raise ValueError(f"the learner {name!r}: {key} is {value:,}; expected at most {most:,}")


def is_same(one: Learner, other: Learner) -> bool:
    """Return whether two learners are the same to the bit, apart from the rows on which parameters were chosen."""
    try:
        first, second = one.state(), other.state()
    except ValueError:  # River's objects
        return one.schema == other.schema and pickled(one) == pickled(other)
    first.pop("tuned_on", None), second.pop("tuned_on", None)
    return first.keys() == second.keys() and all(comparable(first[key]) == comparable(second[key]) for key in first)


UNPACKABLE = (AttributeError, TypeError, pickle.PicklingError)
"""What pickle raises of an object with a function of one's own in it, such as a ``FuncTransformer`` of a lambda."""


def pickled(thing: Any) -> bytes:
    """Return the bytes of an object: the same of two that are equal in all that they are made of."""
    # once more: what is shared within an object differs between one that was made and one that was read
    return river_models.pickled(pickle.loads(river_models.pickled(thing)))


def comparable(value: Any) -> Any:
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def kind_of(learner: Any) -> str:
    """Return what people call a learner that no file can hold."""
    inner = getattr(learner, "classifier", None)
    return f"{type(learner).__name__} of {type(inner).__name__}" if inner is not None else type(learner).__name__


# ---------------------------------------------------------------------- what was done


def action_to_json(action: Action) -> Table:
    """Return an action as the plain values of its ``ActionRecord``; the learner that joined as ``learner_recipe``."""
    detail = dict(action.detail)
    if "change" in detail:
        detail["change"] = _drift_to_json(detail["change"])
    if isinstance(detail.get("learner"), Learner):
        detail["learner"] = learner_recipe(detail["learner"])
    return {"kind": action.kind, "position": action.position, "after_end": action.is_after_end, **detail}


def _drift_to_json(change: Any) -> Table:
    if isinstance(change, DriftRecipe):
        return {"drift": change.name, "parameters": dict(change.parameters)}
    name = change.name if isinstance(change, LostDrift) else getattr(change, "__name__", type(change).__name__)
    return {LOST: str(name)[:200]}


def made_action(record: ActionRecords, n_rows: int | None, make: Callable[[str, Table], Any]) -> Action:
    """Return the action of a record; ``make`` makes the learner that joined, of its name and recipe.

    Raises
    ------
    ValueError
        For a drift that is not known, for sizes beyond measure, or one after the end of a stream of ``n_rows``.
    """
    if record.after_end and n_rows not in (None, record.position):
        raise ValueError(f"something was done at {record.position:,}, after the stream's end")
    detail = {name: value for name, value in asdict(record).items() if name not in ("position", "after_end")}
    if isinstance(record, PutIn):
        detail["change"] = _made_drift(record)
    if isinstance(record, Tuned | Forked):
        detail["parameters"] = unpacked(record.parameters)
        _check_numbers(record.learner, detail["parameters"], LARGEST)
    if isinstance(record, Joined):
        detail["learner"] = make(record.name, record.learner)
    return Action(record.position, str(record.__struct_config__.tag), detail, record.after_end)


def _made_drift(record: PutIn) -> Any:
    change = unpacked(record.change)
    if LOST in change:
        return LostDrift(str(change[LOST])[:200], record.position)
    parameters: Mapping[str, Any] = change["parameters"]
    return DriftRecipe(change["drift"], **parameters)


class LostDrift:
    """A drift that was put in by a Python function of this name, which an archive does not hold."""

    def __init__(self, name: str, position: int) -> None:
        self.name, self.position = name, position

    def __call__(self, stream: Stream, at: int) -> Stream:
        """Raise a ValueError: it cannot be put in again."""
        raise ValueError(
            f"the drift put in after {self.position:,} instances was the Python function {self.name}, which an archive "
            "does not hold: from there on the run cannot be replayed"
        )


# ---------------------------------------------------------------------- detectors


def describe_detectors(detectors: Mapping[str, Watched]) -> dict[str, dict[str, Any]]:
    """Return the detectors of a run as plain values; of one whose class is not River's only its name, as ``lost``."""
    found: dict[str, dict[str, Any]] = {}
    for name, each in detectors.items():
        try:
            how = described_part(each.detector, name)
        except ValueError:
            how = {LOST: type(each.detector).__name__}
        found[name] = {**how, MEASURE: each.measure}
    return found


def _made(path: Any, parameters: dict[str, Any]) -> Any:
    kind = river_class(path)
    if not issubclass(kind, (DriftDetector, BinaryDriftDetector)):
        raise ValueError(f"{path}: expected one of River's drift detectors")
    for name, value in parameters.items():
        is_plain = value is None or isinstance(value, (bool, int, float, str))
        if not is_plain or (is_count(value) and abs(value) > LARGEST):
            raise ValueError(f"{name} is {shown(value)}; expected a plain value, a whole number up to {LARGEST:,}")
    return kind(**parameters)


def made_detectors(described: Any, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return detectors as ``Run`` takes them, in their order.

    Parameters
    ----------
    described
        What ``describe_detectors`` returned, perhaps from a file of somebody else's: it can name River's classes alone.
    given
        By name, for those that are lost.

    Raises
    ------
    ValueError
        If it is something else, or names what is not there; if one is neither described nor given, or is given that is
        described.
    """
    described = validated(described, dict[str, dict[str, Any]], "detectors")
    given, found = dict(given or {}), dict[str, Any]()
    for name in given:
        if LOST not in described.get(name, {}):
            raise ValueError(f"detectors={name!r}: the file holds this detector, or the run had none of that name")
    for name, recipe in described.items():
        if LOST not in recipe:
            with within(f"detectors[{name!r}]", TypeError):
                parameters = validated(recipe.get(PARAMETERS), dict[str, Any], "parameters")
                found[name] = _made(recipe.get(RIVER), parameters), recipe[MEASURE]
        elif name in given:
            detector = given[name]
            found[name] = detector if isinstance(detector, tuple) else (detector, recipe[MEASURE])
        else:
            raise ValueError(
                f"the detector {name!r} is a {shown(recipe[LOST])}, and no file can say how such a one is made; "
                "expected a class of River's, or for Run.open(detectors=) the detector itself"
            )
    return found
