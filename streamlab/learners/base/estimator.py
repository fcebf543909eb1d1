"""What learners and transformers share: columns, parameters that may change, storage, a flat state."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from abc import ABC
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

import numpy as np
from river.base import Estimator

from streamlab._checks import one_line, shown
from streamlab._files import replacing
from streamlab._lock import Lock, serialise, serialised
from streamlab.learners.base.columns import Columns
from streamlab.learners.base.intake import Intake
from streamlab.learners.base.outlier_guard import RANGES
from streamlab.learners.base.parameters import (
    Parameter,
    Tunable,
    is_plain,
    is_same,
    kept,
    like,
    parameter,
    plain,
    take_declared,
    tunable,
)
from streamlab.learners.base.registry import EVENTS_KEPT, LEARNERS, EventKind
from streamlab.learners.base.rows import guard
from streamlab.learners.base.state import (
    FORMAT,
    State,
    as_declared,
    bytes_of,
    check_namesake,
    check_state,
    contradiction,
    json_entry,
    own_arrays,
    refusing,
    state_bytes,
)
from streamlab.learners.base.storage import Storage, declared_storage
from streamlab.learners.base.storage_rules import check_names
from streamlab.schema import NumberedFeatures, Schema

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

__all__ = ["StreamEstimator"]


@dataclass_transform(eq_default=False, field_specifiers=(tunable, parameter, like, kept))
class StreamEstimator(Columns, Estimator, ABC):
    """What learners and transformers share.

    A subclass declares each parameter once, by ``tunable`` where it may change mid-stream and else by ``parameter``:
    the constructor, checks, ``tunables`` and the parameters in a state follow from that. What it keeps it declares by
    ``kept``, with dimensions: all of that is its table ``storage``. From the table follow ``_reset``, ``_grown``, its
    state and the checks of a state; a subclass overrides these where a table cannot say it: ``_sizes`` names further
    dimensions, ``_stored_sizes`` reads the lengths from a state.

    Public methods and properties, those of a subclass too, run one at a time, whichever thread calls; an interrupt
    (Ctrl-C) waits for their end. See ``_lock``.

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
    groups: ClassVar[tuple[Storage, ...]] = (RANGES,)
    """Tables of its groups of arrays, which it keeps besides ``storage``."""
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
            If an entry of ``storage`` has a name that means something else, or a dimension is mistyped.
        """
        super().__init_subclass__(**kwargs)
        own = take_declared(cls, StreamEstimator.__init__)
        if "storage" in vars(cls) or own or len(cls.__bases__) > 1:
            cls.storage = declared_storage(cls, own)
        guard(cls)
        serialise(cls)
        if "storage" in vars(cls) and isinstance(cls.storage, Storage):
            check_names(cls, StreamEstimator, ("_intake", "_lock"))

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        """Check the parameters, then forget everything; called by the constructor once they are set."""
        for each in self.parameters.values():
            self._check_parameter(each)
        self._check_parameters()
        vars(self).pop("_events", None)
        # a learner made of others has theirs too
        for inside in self.tunables:
            if inside.name not in self.parameters:
                self._check_parameter(inside)
        self._intake = Intake()
        self._reset()

    def _check_parameter(self, declared: Parameter | Tunable) -> None:
        value = getattr(self, declared.name)
        checked = declared.checked(value)
        if isinstance(value, list) and isinstance(checked, tuple):
            # a choice that is a tuple, written as files and scripts do
            setattr(self, declared.name, checked)

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

    # ------------------------------------------------------------------ parameters and tags, for scikit-learn

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep``: also those of learners inside, as ``part__name``."""
        named = inspect.signature(type(self)).parameters.values()
        params = {each.name: getattr(self, each.name) for each in named if each.kind != each.VAR_POSITIONAL}
        return params | self._params_inside() if deep else params

    def _params_inside(self) -> dict[str, Any]:
        return {}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by the names of ``get_params``, and return this estimator.

        Tunable ones take effect with the next instance, as by ``tune``. Any other that changes starts again: what was
        learned is forgotten, as by ``fit``.

        Raises
        ------
        ValueError
            For an unknown name or a value that is not allowed; nothing is changed then.
        """
        known = self.get_params()
        for name in params:
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for {type(self).__name__}; expected one of {sorted(known)}"
                )
        changed = {name: value for name, value in params.items() if not is_same(value, known[name])}
        tunable = {each.name for each in self.tunables}
        tuned = {name: changed.pop(name) for name in list(changed) if name in tunable}
        model = self._fresh_clone(changed) if changed else self
        model.tune(**tuned)
        if changed:
            self._become(model)
        # the objects that were given, as __init__ keeps them: 10, and not the 10.0 that tune makes of it
        own = vars(self)
        own.update({n: v for n, v in params.items() if n in own and (n in changed or (is_plain(v) and own[n] == v))})
        return self

    def __sklearn_clone__(self) -> Self:
        # parts given by position, as a pipeline's, have no name that scikit-learn could clone them by
        return self.clone()

    @property
    def n_features_in_(self) -> int:
        """Number of columns; an AttributeError before any is known, which scikit-learn relies on."""
        if not self._features:
            raise AttributeError(f"this {type(self).__name__} knows no columns yet")
        return len(self._features)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of the columns, object (n_features,); an AttributeError where these came as arrays, without names."""
        names = [] if isinstance(self._features, NumberedFeatures) else [feature.name for feature in self._features]
        if not names or names == [f"x{j}" for j in range(len(names))]:
            raise AttributeError(f"this {type(self).__name__} knows no names of columns")
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags

        beside = getattr(super(), "__sklearn_tags__", None)
        tags = Tags(None, TargetTags(required=False)) if beside is None else beside()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

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
            **self._intake.state(),
            **({} if self.tuned_on is None else {"tuned_on": json.dumps(self.tuned_on)}),
            **self._intake.outliers.state(),
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
            try:
                is_held = json.loads(json.dumps(value)) == value
            except (TypeError, ValueError, RecursionError):
                is_held = False
            if not is_held:
                raise ValueError(
                    f"{owner}: the parameter {name} is {shown(value)}, which a state cannot hold; expected numbers, "
                    "texts, True, False, None, and lists, tuples and dictionaries (with texts as keys) of these"
                )
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
            self._intake.restore(cls.__name__, state)
            if "tuned_on" in state:
                self.tuned_on = json_entry(cls.__name__, state, "tuned_on", dict)
            self._intake.outliers.restore(cls.__name__, state)
            self._set_state(state)
        return self

    @classmethod
    def _of_parameters(cls, state: State) -> Self:
        """Return one that has learned nothing, with the parameters of a state."""
        return cls._made(json_entry(cls.__name__, state, "parameters", dict))

    @classmethod
    def _made(cls, parameters: dict[str, Any], *steps: Any) -> Self:
        """Return one with the parameters of a state, or raise a ValueError that names them."""
        try:
            made = cls(*steps, **as_declared(cls, parameters))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise contradiction(
                cls.__name__, f"its parameters cannot be taken ({one_line(error)}); expected those of a {cls.__name__}"
            ) from None
        lacking = [name for name, declared in cls.parameters.items() if declared.init and name not in parameters]
        if lacking:
            raise contradiction(cls.__name__, f"parameters lack {lacking[0]!r}; expected all that were written")
        return made

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

    def __getstate__(self) -> dict[str, Any]:
        # of a copy, unless who pickles has the lock: pickle writes it after this call
        return vars(self if vars(self)["_lock"]._is_owned() else self.copy())

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(own_arrays(state))

    def copy(self) -> Self:
        """Return an independent one in the same state."""
        return copy.deepcopy(self)

    @serialised
    def _pickled(self) -> bytes:
        """Return it pickled, for this process alone."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)

    def save(self, path: str | Path) -> None:
        """Write the state to a safetensors file: arrays as tensors, plain values as JSON in its header. No pickle.

        Raises
        ------
        ValueError
            If another class of the same name is registered, as which the file would be opened; or as ``state``.
        """
        content = self.to_bytes()
        with replacing(path) as file:
            file.write(content)

    def to_bytes(self) -> bytes:
        """Return what ``save`` writes, as bytes; ``load_model`` reads them. Raises a ValueError as ``save``."""
        check_namesake(type(self))
        return state_bytes(self.state())

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays it keeps, reserve included."""
        return bytes_of(vars(self).values())

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
        return list(vars(self).pop("_events", ()))

    # ------------------------------------------------------------------ for subclasses

    @cached_property
    def _events(self) -> deque[dict[str, Any]]:
        """The events that nobody has taken yet, oldest first."""
        return deque(maxlen=EVENTS_KEPT)

    def _report(self, kind: str, message: str, **numbers: Any) -> None:
        """Keep an event of the rows learned so far."""
        self._events.append({"kind": kind, "message": message, "position": self.now, **numbers})

    @classmethod
    def prepare(cls) -> None:
        """Load the kernels, or compile them, so that the first chunk is learned as quickly as the next."""
        schema, intake = Schema.anonymous(1, 1), Intake()
        intake.take(schema.features, schema.labels, schema.labels, None, True)
        intake.flags_of(np.zeros((1, 1), np.uint8), 1)
        rows = intake.rows_of(np.zeros((1, 1)))
        intake.outliers.learn(rows._replace(within=False))
        intake.outliers.ask(rows._replace(values=np.ones((1, 1)), within=False))

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
        return {entry.name: attrgetter(f"_{entry.name}")(self) for entry in self.storage}

    def _take(self, values: Mapping[str, Any]) -> None:
        """Set arrays and numbers of the storage by name: ``part.name`` is one of the part ``_part``."""
        for name, value in values.items():
            part, _, own = f"_{name}".rpartition(".")
            setattr(getattr(self, part) if part else self, own, value)

    def _get_state(self) -> State:
        return self.storage.state(self._kept(), self._sizes(), self._used())

    def _set_state(self, state: State) -> None:
        sizes, used = self._stored_sizes(state)
        self._take(self.storage.restore(type(self).__name__, state, sizes, used))


for _kind in (StreamEstimator, Columns):
    serialise(_kind)
