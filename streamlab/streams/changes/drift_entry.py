"""Drifts by name: the function that puts one into a stream, what a page asks for, its parameters as plain values."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from streamlab._checks import few, is_number, near, shown
from streamlab.plugins import Registry
from streamlab.schema import Schema
from streamlab.streams.stream import Stream, is_plain, plain_value, recorded

__all__ = ["DRIFTS", "LABEL", "WIDTH", "Amount", "Choice", "DriftEntry", "DriftRecipe", "LabelChoice"]

MOST_NAME = 200


# compared by identity: drifts that ask for the same object share its control on the page
@dataclass(frozen=True, eq=False)
class LabelChoice:
    """A control for a parameter that is the name of a label.

    Parameters
    ----------
    title
        What stands above it.
    last
        Whether the last label is chosen at first; default: the first label.

    Examples
    --------
    >>> LabelChoice("With the label").offers("news"), LabelChoice().offers(3)
    (True, False)
    """

    title: str = "Label"
    last: bool = False

    def offers(self, value: Any) -> bool:
        """Return whether a page can give this value; a link may hold another."""
        return isinstance(value, str) and len(value) <= MOST_NAME


@dataclass(frozen=True, eq=False)
class Choice:
    """A control for a parameter that has one of a few values.

    Parameters
    ----------
    title
        What stands above it.
    options
        The values, by the words that people read.
    default
        The value that is chosen at first; default: the first one.

    Examples
    --------
    >>> speed = Choice("It takes effect", {"at once": 1, "over 100 instances": 100})
    >>> speed.offers(100), speed.offers(50)
    (True, False)
    """

    title: str
    options: Mapping[str, Any]
    default: Any = None

    def offers(self, value: Any) -> bool:
        """Return whether a page can give this value; a link may hold another."""
        # True is equal to 1, and nobody chose it
        return any(
            value == each and isinstance(value, bool) == isinstance(each, bool) for each in self.options.values()
        )


@dataclass(frozen=True, eq=False)
class Amount:
    """A control for a parameter that is a number in a range: a slider.

    Parameters
    ----------
    title
        What stands above it, with the unit.
    low, high, step
        Of the slider; both ends are included.
    default
        The value at first; default: ``low``.

    Examples
    --------
    >>> noise = Amount("Noise (standard deviations)", low=0.5, high=5.0, step=0.5)
    >>> noise.offers(2.0), noise.offers(9.0)
    (True, False)
    """

    title: str
    low: float
    high: float
    step: float
    default: float | None = None

    def offers(self, value: Any) -> bool:
        """Return whether a page can give this value; a link may hold another."""
        return is_number(value) and math.isfinite(value) and self.low <= value <= self.high


Control = LabelChoice | Choice | Amount

LABEL = LabelChoice()
"""The control for the label that a drift is about."""
WIDTH = Choice(
    "It takes effect",
    {"at once": 1, "over 100 instances": 100, "over 500 instances": 500, "over 2,000 instances": 2000},
)
"""The control for ``width``: over how many instances a drift comes about."""


@dataclass(frozen=True)
class DriftEntry:
    """A drift: a function that puts it into a stream, and what the page's drift panel asks for.

    A package adds a drift by one line of its ``pyproject.toml``, with the function's name on the left and the entry on
    the right::

        [project.entry-points."streamlab.drifts"]
        drop_readings = "my_package.drifts:DROP_READINGS"

    It is then in recipes, archives, links, lessons and studies; with a title it is on the drift panel, too.

    Parameters
    ----------
    function
        Takes ``stream`` and its own parameters, which are plain values or lists of them, and returns a stream. With a
        parameter ``at``, the row from which on the drift holds, it can be put into a running stream; with ``seed``, two
        drifts that are put in differ.
    title
        What people read on the drift panel; "" (default): the panel does not offer it.
    controls
        The parameters that the panel asks for, each with its control; default: none.
    fits
        Called with a schema: whether the drift can be put into a stream that has it; default: into any.
    fixed
        Parameters that the panel sets and does not ask for; default: none.
    about
        What it does, in a few words, for the button that puts it in; default: none.

    Examples
    --------
    >>> from streamlab.streams import DRIFTS
    >>> entry = DRIFTS.load("swap_labels")
    >>> entry.title, [control.title for control in entry.controls.values()]
    ('Swap two labels', ['Label', 'With the label', 'It takes effect'])
    """

    function: Callable[..., Stream]
    title: str = ""
    controls: Mapping[str, Control] = field(default_factory=dict)
    fits: Callable[[Schema], bool] = lambda schema: True
    fixed: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""

    @property
    def name(self) -> str:
        """Its name: the function's."""
        return getattr(self.function, "__name__", "")

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters, but for ``stream``."""
        return tuple(name for name in inspect.signature(self.function).parameters if name != "stream")

    def put(self, stream: Stream, **parameters: Any) -> Stream:
        """Return the stream with the drift in it, and with a recipe that says so.

        Raises
        ------
        ValueError
            If a parameter is missing or unknown; or as the function does.
        """
        try:
            return recorded(self.function)(stream, **parameters)
        except TypeError as error:
            raise ValueError(f"{self.name}: {error}") from None


def running_drifts() -> dict[str, DriftEntry]:
    """Return the drifts that can be put into a running stream, by name: those with a parameter ``at``."""
    return {name: entry for name, entry in DRIFTS.items() if "at" in entry.parameters}


def has_flat_labels(schema: Schema) -> bool:
    """Return whether there are several labels and no hierarchy of them."""
    return schema.hierarchy is None and schema.n_labels > 1


def _check(name: str, entry: DriftEntry) -> None:
    try:
        has_stream = "stream" in inspect.signature(entry.function).parameters
    except (TypeError, ValueError):
        has_stream = False
    if not has_stream:
        raise ValueError(f"the drift {name!r}: its function has no parameter stream; expected it and the drift's own")
    for parameter in (*entry.controls, *entry.fixed):
        if parameter not in entry.parameters or parameter == "at":
            raise ValueError(f"the drift {name!r} has no parameter {parameter!r} to ask for or to set")
    for parameter, control in entry.controls.items():
        if not isinstance(control, Control):
            raise ValueError(
                f"the drift {name!r}: {parameter}={shown(control)}; expected LabelChoice, Choice or Amount"
            )
    if not all(map(is_plain, entry.fixed.values())):
        raise ValueError(f"the drift {name!r}: fixed={shown(entry.fixed)}; expected numbers, texts or lists of them")
    if entry.title and "at" not in entry.parameters:
        raise ValueError(f"the drift {name!r} has a title and no parameter at; expected both, or no title")


DRIFTS: Registry[DriftEntry] = Registry("streamlab.drifts", "drift", _check, of=DriftEntry)
"""Drifts, and ways in which labels come late, by name: of the entry points ``streamlab.drifts`` and of this session."""


@dataclass(frozen=True, init=False, repr=False)
class DriftRecipe:
    """A drift that ``Run.put_drift`` takes, and that an archive of the run holds: a name with parameters.

    Parameters
    ----------
    name
        Of one of ``DRIFTS`` with a parameter ``at``, such as ``"rotate_labels"``.
    **parameters
        Those of the function of that name, except for the stream and ``at``: plain values, and lists of them. Where no
        ``seed`` is given it is the position at which the drift is put in, so that two of them differ.

    Raises
    ------
    ValueError
        For an unknown name or parameter, or a value that is not plain.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> drift = DriftRecipe("swap_labels", a=0, b=1)
    >>> drift
    DriftRecipe('swap_labels', a=0, b=1)
    >>> drift(ArrayStream([[0.0]] * 3, [[1, 0]] * 3), 2).drifts
    (Drift(start=2, width=1, kind='label swap'),)
    """

    name: str
    parameters: Mapping[str, Any] = field(hash=False)

    def __init__(self, name: str, /, **parameters: Any) -> None:
        entries = running_drifts()
        if not isinstance(name, str) or name not in entries:
            hint = near(name, list(entries)) if isinstance(name, str) else ""
            raise ValueError(f"there is no drift {shown(name)}{hint}; there are: {', '.join(entries)}")
        known = [each for each in entries[name].parameters if each != "at"]
        for parameter, value in parameters.items():
            if parameter not in known:
                raise ValueError(f"{name} has no parameter {shown(parameter)}; expected {few(known)}")
            if not is_plain(value):
                raise ValueError(f"{name}: {parameter}={shown(value)}: expected a number, a text, or a list of them")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parameters", {key: plain_value(value) for key, value in parameters.items()})

    def __call__(self, stream: Stream, at: int) -> Stream:
        """Return the stream with the drift from the row ``at`` on.

        Raises
        ------
        ValueError
            As the function of that name does.
        """
        entry = DRIFTS.load(self.name)
        seed = {"seed": at} if "seed" in entry.parameters else {}
        return entry.put(stream, at=at, **(seed | dict(self.parameters)))

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"DriftRecipe({self.name!r}{given})"
