"""Learners made of others, whose state, parameters, kernels and memory are theirs too; recipes of such learners."""

from __future__ import annotations

import inspect
import json
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeGuard

import numpy as np

from streamlab._checks import is_count
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import Tunable, plain
from streamlab.learners.base.registry import LEARNERS
from streamlab.learners.base.state import State, check_namesake, class_of, contradiction, json_entry
from streamlab.plugins import Registry
from streamlab.schema import Feature, NumberedFeatures

__all__ = ["RECIPES", "Recipe"]


Own = Callable[[int], int | None]
"""What gives a part's position in the count of what it is a part of; None: there is none."""
BY_POSITION = "_POSITIONAL_ARGS"
"""What River calls parameters that are given by position."""


def is_chain(thing: Any) -> TypeGuard[Any]:
    """Whether it is a ``Pipeline`` of ours; its class, which loads scikit-learn, is not imported for that."""
    return isinstance(thing, Composed) and thing.is_chain


class Composed(StreamEstimator):
    """What learners share that are made of others; put before its other bases.

    A subclass says which they are (``_inner``), and calls ``_share_lock`` before ``_start``. A part's parameter is
    tuned by its part's name: ``tune(smart__half_life=500)``. The parts' states have the prefixes ``0.``, ``1.`` …
    """

    own_tunables: ClassVar[tuple[Tunable, ...]] = ()
    """Tunable parameters of its own."""
    is_chain: ClassVar[bool] = False
    """Whether its parts are ``steps``, each of which takes what the one before makes: a ``Pipeline``."""

    made_of: ClassVar[str] = BY_POSITION
    """The parameter by which the parts are given."""

    @property
    @abstractmethod
    def _inner(self) -> dict[str, StreamEstimator]:
        """The parts by name, in order."""

    @property
    def parts(self) -> list[StreamEstimator]:
        """The parts in order."""
        return list(self._inner.values())

    def prepare(self) -> None:  # type: ignore[override]  # of its own parts
        """Load the parts' kernels, or compile them."""
        for part in self.parts:
            part.prepare()

    def mark(self) -> None:
        """Note the present content of the parts, whose pictures show how much of it remains later."""
        for part in self.parts:
            # a transformer has no picture
            getattr(part, "mark", lambda: None)()

    @property
    def n_bytes(self) -> int:
        return super().n_bytes + sum(part.n_bytes for part in self.parts)

    def _check_size(self, features: Sequence[Feature], n_labels: int) -> None:
        for part in self._given_columns():
            part._check_size(features, n_labels)

    def _given_columns(self) -> list[StreamEstimator]:
        """Return the parts that get its own columns."""
        return self.parts

    def take_events(self) -> list[dict[str, Any]]:
        return [*super().take_events(), *(event for part in self.parts for event in part.take_events())]

    def _take_over_events(self, part: StreamEstimator, own: Own) -> None:
        """Keep what a part reports now, with its positions in this learner's count: ``own`` of the part's.

        Where that is None, as the part does not count its rows, the event has no position.
        """
        self._events.extend(translated(event, own) for event in part.take_events())

    def _answered_by(self, part: Learner, X: Any, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a part's answers, with zeros for the labels that it has not met yet."""
        shape, known = (len(X), len(self._labels)), len(part._labels)
        scores, labels = np.zeros(shape), np.zeros(shape, np.uint8)
        if known:
            scores[:, :known], labels[:, :known] = part._answered(X, missing)
        return scores, labels

    def _columns_in(self) -> Any:
        """Return the columns that its parts are given."""
        return self._features if isinstance(self._features, NumberedFeatures) else tuple(self._features)

    # ------------------------------------------------------------------ state

    def state(self) -> State:
        """Return the state, as ``Learner.state``; the parts' states have the prefixes ``0.``, ``1.`` …

        Raises
        ------
        ValueError
            If a part's class is not the one that is registered under its name: the state says of parts no more.
        """
        for part in self.parts:
            check_namesake(type(part))
            if type(part).__name__ not in LEARNERS:
                raise ValueError(f"the step {type(part).__name__} is not registered: LEARNERS.add it for its state")
        state = super().state()
        state["steps"] = json.dumps([type(part).__name__ for part in self.parts])
        for place, part in enumerate(self.parts):
            # one number says the format of all
            state |= {f"{place}.{name}": value for name, value in part.state().items() if name != "format"}
        return state

    @classmethod
    def _parts_in(cls, state: State) -> list[Any]:
        """Return the parts that a state has, or raise a ValueError that names the one that cannot be had."""
        owner, parts = cls.__name__, []
        for place, name in enumerate(json_entry(owner, state, "steps", list)):
            prefix = f"{place}."
            own = {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
            try:
                parts.append(class_of(name).from_state(own))
            except ValueError as error:
                raise contradiction(owner, f"step {place}: {error}") from None
        return parts

    @classmethod
    def _of_parameters(cls, state: State) -> Self:
        given = json_entry(cls.__name__, state, "parameters", dict) | {cls.made_of: cls._stored_parts(state)}
        return cls._made(given, *given.pop(BY_POSITION, ()))

    @classmethod
    def _stored_parts(cls, state: State) -> Any:
        """Return the parts of a state, as they are given."""
        return cls._parts_in(state)

    def _get_params(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def _stored_parameters(self) -> dict[str, Any]:
        # the parts have states of their own
        return {name: plain(value) for name, value in self._get_params().items() if name != self.made_of}

    def clone(self, new_params: dict[Any, Any] | None = None, include_attributes: bool = False) -> Self:
        """Return one that has learned nothing, of clones of the parts; ``new_params`` by the names of ``tune``."""
        if include_attributes:
            return self.copy()
        given = dict(new_params or {})
        own = {name: given.pop(name, value) for name, value in self._get_params().items()}
        own[self.made_of] = self._cloned_parts(own, given)
        return self._remembering(type(self)(*own.pop(BY_POSITION, ()), **own))

    def _cloned_parts(self, own: dict[str, Any], given: dict[str, Any]) -> Any:
        """Return clones of the parts of its ``own`` parameters, with what is ``given`` to them."""
        raise NotImplementedError

    def _share_lock(self) -> None:
        """Give the parts its lock: what they keep changes while it learns."""
        for part in self.parts:
            part._lock = self._lock

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = super().__deepcopy__(memo)
        twin._share_lock()
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._share_lock()

    def _become(self, other: Self) -> None:
        vars(self).pop("_events", None)
        super()._become(other)
        self._share_lock()

    # ------------------------------------------------------------------ parameters

    def _given_to_parts(self, given: dict[str, Any], what: str = "step") -> dict[str, dict[str, Any]]:
        """Return new parameters, by the names of ``tune``, part by part; raise a ValueError for an unknown part."""
        own: dict[str, dict[str, Any]] = {name: {} for name in self._inner}
        for key, value in given.items():
            name, _, parameter = key.partition("__")
            if name not in own:
                kind = type(self).__name__.lower()
                raise ValueError(f"the {kind} has no {what} {name!r}; there are: {', '.join(own)}")
            own[name][parameter] = value
        return own

    def _params_inside(self) -> dict[str, Any]:
        return {
            f"{name}__{key}": value for name, part in self._inner.items() for key, value in part.get_params().items()
        }

    @property
    def tunables(self) -> tuple[Tunable, ...]:  # type: ignore[override]  # of an object they depend on its parts
        """Its own tunable parameters, and those of its parts under their names; of a chain the last part first."""
        parts = list(self._inner.items())
        return *self.own_tunables, *(
            replace(tunable, name=f"{name}__{tunable.name}", title=f"{self._called(name)}: {_title(tunable)}")
            for name, part in (parts[::-1] if self.is_chain else parts)
            for tunable in part.tunables
        )

    def _called(self, name: str) -> str:
        """Return what people call a part."""
        return type(self._inner[name]).__name__

    def __getattr__(self, name: str) -> Any:
        part, _, parameter = name.partition("__")
        if part and parameter and not part.startswith("_") and part in self._inner:
            return getattr(self._inner[part], parameter)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a part's parameter, ``pipe.balancedlda__half_life = 5``, is tuned.

        Raises
        ------
        ValueError
            As ``tune``, and for a part that is not there.
        """
        part, _, parameter = name.partition("__")
        if part and parameter and not part.startswith("_"):
            self.tune(**{name: value})
        else:
            super().__setattr__(name, value)

    def _set_parameter(self, name: str, value: Any) -> None:
        # parts keep their own
        if "__" not in name:
            super()._set_parameter(name, value)

    def _tune(self, values) -> None:
        for name, value in values.items():
            part, _, parameter = name.partition("__")
            if parameter:
                self._inner[part].tune(**{parameter: value})


def translated(event: Any, own: Own) -> Any:
    """Return a part's event with its position in another count: ``own`` of it; None: the event has none then."""
    if not isinstance(event, Mapping) or not is_count(event.get("position")):
        return event  # whoever takes it refuses what is none
    position = own(event["position"])
    rest = {key: value for key, value in event.items() if key != "position"}
    return rest if position is None else rest | {"position": position}


def _title(tunable: Tunable) -> str:
    return (tunable.title or tunable.name.replace("_", " ")).lower()


@dataclass(frozen=True)
class Recipe:
    """A learner by a name, with the parameters of a study.

    Parameters
    ----------
    name
        What people type and read, such as ``"HT one per label"``.
    about
        What it is, in one sentence.
    group
        What it is offered with, such as ``"River's learners, with the study's parameters"``.
    make
        Returns a new learner for a seed; None: a random one.
    answers_version
        Raised whenever the recipe gives other answers than before, by which a study knows results that are out of date.
        Default 1.
    papers
        What is cited for it: keys of ``papers.bib``, or BibTeX entries.

    Examples
    --------
    >>> from streamlab.learners import SMART, Recipe
    >>> slow = lambda seed: SMART(half_life=5000, seed=seed)
    >>> Recipe("slow SMART", "It forgets half in 5,000 rows.", "mine", slow).make(1).half_life
    5000
    """

    name: str
    about: str
    group: str
    make: Callable[[int | None], Learner]
    answers_version: int = 1
    papers: tuple[str, ...] = ()


RECIPES: Registry[Recipe] = Registry("streamlab.recipes", "recipe", of=Recipe, several=True)
"""Every recipe by its name; an entry point gives one or a tuple of them."""
