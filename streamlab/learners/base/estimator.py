"""What learners and transformers share: columns, parameters that may change, storage, a flat state."""

from __future__ import annotations

import copy
import json
from abc import ABC
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

import numpy as np
from river.base import Estimator

from streamlab._checks import one_line, shown
from streamlab.bundle import Bundle
from streamlab.learners.base._kernels import are_flags, examine
from streamlab.learners.base.classifier_face import ClassifierFace
from streamlab.learners.base.columns import LARGEST_BITS, SMALLEST_BITS, Columns
from streamlab.learners.base.contradictions import contradiction, entry_of, json_entry, refusing
from streamlab.learners.base.events import EventKind
from streamlab.learners.base.foreign import guard
from streamlab.learners.base.inverted_index import InvertedIndex
from streamlab.learners.base.one_at_a_time import Lock, serialise, serialised
from streamlab.learners.base.outlier_guard import RANGES, OutlierGuard, Rows
from streamlab.learners.base.parameters import (
    Parameter,
    Tunable,
    as_declared,
    check_plain,
    kept,
    like,
    parameter,
    plain,
    take_declared,
    tunable,
)
from streamlab.learners.base.registry import LEARNERS, check_declared
from streamlab.learners.base.saving import FORMAT, State, check_namesake, check_state, state_bytes, write_state
from streamlab.learners.base.sklearn_face import SklearnFace
from streamlab.learners.base.sparse_rows import SparseRows, own_arrays
from streamlab.learners.base.storage import Number, Storage
from streamlab.learners.base.storage_checks import check_names
from streamlab.schema import NumberedNames, Schema

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

__all__ = ["StreamEstimator"]


def _attributes_of_columns() -> frozenset[str]:
    columns = SklearnFace()
    columns._no_columns()
    # a learner may keep the numbers of categories too, as the columns say them
    return frozenset(vars(columns)) - {"_n_categories"} | {"_lock"}


_TAKEN = _attributes_of_columns()


@dataclass_transform(eq_default=False, field_specifiers=(tunable, parameter, like, kept))
class StreamEstimator(SklearnFace, Estimator, ABC):
    """What learners and transformers share.

    A subclass declares each parameter once, by ``tunable`` where it may change mid-stream and else by ``parameter``:
    the constructor, checks, ``tunables`` and the parameters in a state follow from that. It lists in ``storage`` what
    it keeps, each entry as the attribute ``_name``. From the table follow ``_reset``, ``_grown``, its state and the
    checks of a state; a subclass overrides these where a table cannot say it: ``_sizes`` names further dimensions,
    ``_stored_sizes`` reads the lengths from a state.

    Public methods and properties, those of a subclass too, run one at a time, whichever thread calls; an interrupt
    (Ctrl-C) waits for their end. See ``one_at_a_time``.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.SMART(seed=1)
    >>> model.tune(half_life=50)
    >>> model.half_life, sl.SMART.from_state(model.state()).half_life
    (50.0, 50.0)
    """

    parameters: ClassVar[Mapping[str, Parameter]] = {}
    """The parameters that it declares, by name; those that its own constructor takes instead are not among them."""
    tunables: ClassVar[tuple[Tunable, ...]] = ()
    """The controls of parameters that may change mid-stream."""
    storage: ClassVar[Storage] = Storage()
    """What it keeps, besides the columns."""
    events: ClassVar[dict[str, EventKind]] = {}
    """The kinds of events that ``take_events`` returns, by ``kind``."""
    compile_seconds: ClassVar[float] = 10.0
    """About how long its kernels take to be compiled, s of a processor: what a page says while people wait for them."""
    compiled_apart: ClassVar[Mapping[str, float]] = {}
    """What another process compiles beside that: ``module:name`` of what does it, and about how many seconds."""
    answers_version: ClassVar[int] = 1
    """Raised by a release in which the learner answers differently: results kept from before are not its own then."""
    papers: ClassVar[tuple[str, ...]] = ()
    """What is cited for it: keys of ``papers.bib``, or BibTeX entries."""

    tuned_on: Mapping[str, Any] | None = None
    """The rows on which its parameters were chosen, if a search did: ``stream``, ``rows``, ``first rows``."""

    _lock: Lock

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = super().__new__(cls)
        self.__dict__["_lock"] = Lock()
        return self

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let one thread at a time into the methods and properties of the subclass, and check what it declares.

        Raises
        ------
        ValueError
            If an entry of ``storage`` has a name that means something else, or a dimension is mistyped; if
            ``tunables``, ``events`` or ``picture`` are not what pages expect.
        """
        super().__init_subclass__(**kwargs)
        take_declared(cls, StreamEstimator.__init__)
        check_declared(cls)
        guard(cls)
        serialise(cls)
        if isinstance(vars(cls).get("storage"), Storage):
            check_names(cls, StreamEstimator, _TAKEN)

    @classmethod
    def tables(cls) -> tuple[Storage, ...]:
        """Return all its tables of arrays: ``storage``, and those of its groups of arrays."""
        return (cls.storage, RANGES)

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        """Check the parameters, then forget everything; called by the constructor once they are set."""
        for each in self.parameters.values():
            self._check_parameter(each)
        self._check_parameters()
        # a learner made of others has theirs too
        for inside in self.tunables:
            if inside.name not in self.parameters:
                self._check_parameter(inside)
        self._no_columns()
        self._reset()

    def _check_parameter(self, declared: Parameter | Tunable) -> None:
        name = declared.name
        try:
            value = getattr(self, name)
        except AttributeError:
            raise ValueError(
                f"{type(self).__name__} has the tunable {name!r}, but its __init__ kept no parameter of that name "
                "before it called self._start()"
            ) from None
        checked = declared.checked(value)
        if isinstance(value, list) and isinstance(checked, tuple):
            # a choice that is a tuple, written as files and scripts do
            setattr(self, name, checked)

    def _check_parameters(self) -> None:
        """Raise a ValueError if parameters do not fit together, or make what is made of them. Default: nothing."""

    # ------------------------------------------------------------------ parameters

    def tune(self, **parameters: float) -> None:
        """Change tunable parameters; takes effect with the next instance.

        Raises
        ------
        ValueError
            If a name is not tunable or a value not allowed; nothing is changed then.
        """
        known = {tunable.name: tunable for tunable in self.tunables}
        for name in parameters:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no tunable parameter {name!r}; "
                    f"tunable are: {', '.join(known) or 'none'}"
                )
        values = {name: known[name].checked(value) for name, value in parameters.items()}
        self._tune(values)
        for name, value in values.items():
            self._set_parameter(name, value)

    def _set_parameter(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def _tune(self, values: dict[str, int | float]) -> None:
        """Prepare the state for the new values; the attributes still have the old ones."""

    @property
    def _mutable_attributes(self) -> set[str]:
        return {tunable.name for tunable in self.tunables}

    def mutate(self, new_attrs: dict[str, Any]) -> None:
        """Change parameters: River's name for ``tune``."""
        self.tune(**new_attrs)

    # ------------------------------------------------------------------ state

    def state(self) -> State:
        """Return everything it is, as a flat dictionary of arrays (copies) and plain values.

        Raises
        ------
        ValueError
            Naming the parameter: if JSON cannot hold it, such as another learner. A run then keeps snapshots of
            the object, in this process alone.
        """
        return {
            "format": FORMAT,
            "learner": type(self).__name__,
            "parameters": json.dumps(self._stored_parameters()),
            "schema": Schema(self._features, tuple(self._labels), self._hierarchy).to_json(),
            # numbered columns have the names of the schema
            "names": json.dumps([_written(self._names), self._label_names], default=plain),
            "bound": self._bound,
            **({} if self.tuned_on is None else {"tuned_on": json.dumps(self.tuned_on)}),
            **self._outliers.state(),
            **self._class_state(),
            **self._get_state(),
        }

    def _stored_parameters(self) -> dict[str, Any]:
        """Return what ``from_state`` makes it with, as JSON knows it."""
        owner = type(self).__name__
        try:
            stored = {name: plain(value) for name, value in self._get_params().items()}
        except AttributeError as error:
            raise ValueError(
                f"{owner} does not keep each parameter under its own name ({one_line(error)}); expected "
                "self.name = name"
            ) from None
        for name, value in stored.items():
            check_plain(owner, name, value)
        return stored

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Return the one whose ``state()`` this is: it goes on bit for bit as the other would have.

        Raises
        ------
        ValueError
            If the state belongs to another class, has a format that is not known, lacks an entry or contradicts
            itself.
        """
        check_state(cls.__name__, state)
        with refusing(cls.__name__):
            self = cls._of_parameters(state)
            self._restore(state)
        return self

    @classmethod
    def _of_parameters(cls, state: State) -> Self:
        """Return one that has learned nothing, with the parameters of a state."""
        return cls._made(json_entry(cls.__name__, state, "parameters", dict))

    @classmethod
    def _made(cls, parameters: dict[str, Any], *steps: Any) -> Self:
        """Return one with the parameters of a state, or raise a ValueError that names them."""
        try:
            return cls(*steps, **as_declared(cls, parameters))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise contradiction(
                cls.__name__, f"its parameters cannot be taken ({one_line(error)}); expected those of a {cls.__name__}"
            ) from None

    def _restore(self, state: State) -> None:
        """Take the columns and the state, having just been made with the state's parameters."""
        owner = type(self).__name__
        try:
            schema = Schema.from_json(entry_of(owner, state, "schema"))
        except ValueError as error:
            raise contradiction(owner, f"schema: {one_line(error)}") from None
        self._take_features(schema.features)
        self._labels, self._hierarchy = list(schema.labels), schema.hierarchy
        names = json_entry(owner, state, "names", list)
        numbered = self._names if names[:1] == [None] and isinstance(self._names, NumberedNames) else None
        sides: list[Any] = names if numbered is None else [numbered, *names[1:]]
        if [len(side) if isinstance(side, (list, NumberedNames)) else -1 for side in sides] != [
            schema.n_features,
            schema.n_labels,
        ]:
            raise contradiction(
                owner,
                f"names are not its schema's; expected a list of {schema.n_features} features' names and one of "
                f"{schema.n_labels} labels'",
            )
        self._names = [_hashable(owner, name) for name in sides[0]] if numbered is None else numbered
        self._label_names = [_hashable(owner, name) for name in sides[1]]
        for what, side in (("feature", self._names), ("label", self._label_names)):
            if side is not numbered and len(set(side)) < len(side):
                raise contradiction(owner, f"names have a {what} twice; expected each once")
        self._index_schema()
        self._bound = Number("bound", bool).checked(owner, "bound", entry_of(owner, state, "bound"))
        if "tuned_on" in state:
            self.tuned_on = _tuned_on(owner, state)
        self._outliers.restore(owner, state)
        self._set_classes(owner, state)
        self._set_state(state)

    def clone(self, new_params: dict[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """Return one that has learned nothing, with the same parameters, or with ``new_params`` in place of some."""
        return self._remembering(super().clone(new_params, include_attributes))

    def _remembering(self, made: Self) -> Self:
        """Let one with the same parameters, or most of them, know on which rows they were chosen."""
        if self.tuned_on is not None:
            made.tuned_on = self.tuned_on
        return made

    def _fresh_clone(self, parameters: dict[str, Any] | None = None) -> Self:
        """Return one that has learned nothing, with other parameters or the same; if it was bound, its columns too."""
        fresh = self.clone(parameters)
        return fresh.bind(self.schema) if self._bound else fresh

    def _become(self, other: Self) -> None:
        """Take over all attributes of another of this class, except for the lock."""
        vars(self).update(vars(other) | {"_lock": self._lock})

    @serialised
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        vars(twin).update(copy.deepcopy(vars(self), memo))
        return twin

    @serialised
    def __getstate__(self) -> dict[str, Any]:
        # copies: pickle writes them after the lock is released
        return {name: _detached(value) for name, value in vars(self).items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(own_arrays(state))

    def copy(self) -> Self:
        """Return an independent one in the same state."""
        return copy.deepcopy(self)

    def save(self, path: str | Path) -> None:
        """Write the state to a safetensors file: arrays as tensors, plain values as JSON in its header. No pickle.

        Raises
        ------
        ValueError
            If another class of the same name is registered, as which the file would be opened; or as ``state``.
        """
        check_namesake(type(self))
        write_state(self.state(), path)

    def to_bytes(self) -> bytes:
        """Return what ``save`` writes, as bytes; ``load_model`` reads them. Raises a ValueError as ``save``."""
        check_namesake(type(self))
        return state_bytes(self.state())

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays it keeps, reserve included."""
        values = vars(self).values()
        groups = [v for v in values if isinstance(v, Bundle) or (isinstance(v, tuple) and hasattr(v, "_fields"))]
        kept = (np.ndarray, SparseRows, InvertedIndex, OutlierGuard)
        return sum(v.nbytes for v in [*values, *(v for g in groups for v in g)] if isinstance(v, kept))

    # ------------------------------------------------------------------ composition

    def __or__(self, other: Any) -> Any:
        """Return a ``Pipeline`` if all steps are streamlab's, ``scaler | projection | learner``; else River's."""
        if not isinstance(other, StreamEstimator):
            return super().__or__(other)
        return LEARNERS.load("Pipeline")(self, other)

    # ------------------------------------------------------------------ nodes and events

    def nodes(self) -> pd.DataFrame:
        """Return the structure, one row per node; no row for a learner without one."""
        import pandas as pd

        return pd.DataFrame()

    @property
    def now(self) -> int | None:
        """Rows learned, by which ``position`` in its events counts; None: it has no such count."""
        return getattr(self, "_n_seen", None)

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened since the last call, oldest first; each with ``kind`` and ``message``.

        One with ``position`` happened when so many rows had been learned, as ``now`` counts them; any other at the
        end of the rows that came last.
        """
        return []

    # ------------------------------------------------------------------ for subclasses

    @classmethod
    def prepare(cls) -> None:
        """Load the kernels, or compile them, so that the first chunk is learned as quickly as the next."""
        X, missing, guard = np.zeros((1, 1)), np.zeros(1, np.bool_), OutlierGuard()
        guard.widen(np.zeros(1))
        examine(X, np.zeros(1), missing, SMALLEST_BITS, LARGEST_BITS, guard.ranges)
        are_flags(np.zeros((1, 1), np.uint8))
        guard.learn(Rows(X, missing))
        guard.ask(Rows(X + 1.0, missing))

    def _reset(self) -> None:
        """Create the state of a learner that has learned nothing."""
        self._take(self.storage.allocate(self._sizes()))
        self._take({name: number.start for name, number in self.storage.numbers.items()})

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._take(self.storage.resize(self._kept(), self._sizes()))

    def _sizes(self) -> dict[str, int]:
        """Return the lengths of the storage's dimensions."""
        return {"features": len(self._features), "labels": len(self._labels)}

    def _used(self) -> dict[str, int]:
        """Return how much of the dimensions is in use, where that is not all."""
        return {}

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        """Return ``_sizes`` and ``_used`` for a state that is not yet checked."""
        return self._sizes(), {}

    def _kept(self) -> dict[str, Any]:
        """Return arrays and numbers of the storage by name."""
        return {entry.name: getattr(self, f"_{entry.name}") for entry in self.storage}

    def _take(self, values: Mapping[str, Any]) -> None:
        """Set arrays and numbers of the storage by name."""
        for name, value in values.items():
            setattr(self, f"_{name}", value)

    def _get_state(self) -> State:
        return self.storage.state(self._kept(), self._sizes(), self._used())

    def _set_state(self, state: State) -> None:
        sizes, used = self._stored_sizes(state)
        self._take(self.storage.restore(type(self).__name__, state, sizes, used))


for _kind in (StreamEstimator, ClassifierFace, SklearnFace, Columns):
    serialise(_kind)


def _detached(value: Any) -> Any:
    """Return a copy of an array, of a tuple or bundle of arrays, or of a container; anything else as it is."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_detached, value))
    if isinstance(value, OutlierGuard):
        return copy.deepcopy(value)
    if isinstance(value, Bundle):
        return type(value)(**{name: array.copy() for name, array in value.asdict().items()})
    return copy.copy(value) if isinstance(value, (np.ndarray, list, dict, set, deque)) else value


def _tuned_on(owner: str, state: State) -> dict[str, Any]:
    told = json_entry(owner, state, "tuned_on", dict)
    first = told.get("first rows")
    rows = (told.get("rows"), first.get("rows") if isinstance(first, dict) else None)
    if not isinstance(told.get("stream"), str) or not all(type(n) is int and n >= 0 for n in rows):
        raise contradiction(owner, f"tuned_on is {shown(told)}; expected a stream and its rows")
    return told


def _written(names: Any) -> Any:
    """Return the names of columns for JSON: None for numbered ones, which are those of the schema."""
    return None if isinstance(names, NumberedNames) else names


def _hashable(owner: str, name: Any) -> Any:
    """Return a column's name from JSON, which has no tuples; raise a ValueError if it is not a valid name."""
    if isinstance(name, dict):
        raise contradiction(owner, f"names have {shown(name)}; expected names of columns")
    return tuple(_hashable(owner, part) for part in name) if isinstance(name, list) else name
