"""Parameters: declared once by a learner's class; and as JSON and kernels know them."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import secrets
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from streamlab._checks import checked_count

# what a whole number may be at most where nothing else is said: kernels count in 64 bits, files in 53
LARGEST_WHOLE = 10**15

__all__ = ["Parameter", "Tunable", "kept", "like", "parameter", "tunable"]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Tunable:
    """A parameter that may change mid-stream, as a control of a screen needs to know it.

    Parameters
    ----------
    name
        The parameter's name.
    low, high
        The allowed range, both ends included and finite; ``high`` is what a control offers, ``limit`` what is accepted.
        A whole number may be 10¹⁵ at most.
    integer
        Whether only whole numbers are allowed.
    logarithmic
        Whether a control should step by factors.
    infinite
        Whether infinity is allowed (and means "never").
    unit, title, help
        For people; without a title they read the name.
    optional
        Whether None is allowed.
    none
        What None means, in words. Default "no bound".
    choices
        The values allowed, where they are few and need not be numbers; ``low`` and ``high`` mean nothing then. Where
        they are tuples, the parameter's default is one too.
    says, says_never
        What the learner does with this value, as a clause about it with ``{value}`` in it, and with infinity or None:
        ``"half of its evidence fades in {value} rows"``. The first parameter that says something is the one that a
        page shows at once.

    Raises
    ------
    ValueError
        For what no control can show: a range that is not finite or ends before it begins, a logarithmic one that ends
        at 0 or below.

    Examples
    --------
    >>> import streamlab as sl
    >>> [tunable.name for tunable in sl.SMART.tunables]
    ['half_life', 'n_trees', 'height', 'decision']
    """

    name: str
    low: float
    high: float
    integer: bool = False
    logarithmic: bool = False
    infinite: bool = False
    limit: float = math.inf
    unit: str = ""
    title: str = ""
    help: str = ""
    optional: bool = False
    none: str = "no bound"
    choices: tuple[Any, ...] = ()
    says: str = ""
    says_never: str = ""

    def __post_init__(self) -> None:
        if not self.choices and not (-math.inf < self.low <= self.high < math.inf):
            raise ValueError(f"Tunable({self.name!r}): {self.low!r} to {self.high!r}; expected finite ends, low first")
        if self.logarithmic and self.high <= 0:
            raise ValueError(f"Tunable({self.name!r}): high is {self.high:g}; a logarithmic control needs one above 0")

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.choices:
            return " or ".join(map(repr, self.choices))
        reach = f"{self.low:g} to {self.limit:g}" if self.limit < math.inf else f"at least {self.low:g}"
        others = ", or inf" * self.infinite + ", or None" * self.optional
        return f"{'a whole number' if self.integer else 'a number'}, {reach}{others}"

    def checked(self, value: Any) -> Any:
        """``value`` as a plain number, or a ValueError that names the parameter, the value and what is allowed."""
        if self.choices:
            for choice in self.choices:
                # files know no tuples
                is_read = isinstance(value, list) and isinstance(choice, tuple) and value == plain(choice)
                if is_read or (type(value) is type(choice) and value == choice):
                    return choice
            raise ValueError(f"{self.name}={value!r}: expected {self.allowed}")
        if value is None and self.optional:
            return None
        try:
            number = math.nan if isinstance(value, (bool, str)) or value is None else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if self.infinite and number == math.inf:
            return math.inf
        fits = math.isfinite(number) and self.low <= number <= self.limit
        if not fits or (self.integer and number % 1):
            raise ValueError(f"{self.name}={value!r}: expected {self.allowed}")
        if self.integer and number > LARGEST_WHOLE:
            raise ValueError(f"{self.name}={value!r}: expected {self.allowed}, and at most {LARGEST_WHOLE:g}")
        return int(number) if self.integer else number


@dataclass(frozen=True)
class Parameter:
    """A parameter of a learner, as its class declares it: the constructor, checks, controls and states follow from it.

    Parameters
    ----------
    name
        Its name, that of the class's attribute.
    default
        Its default; ``inspect.Parameter.empty``: it must be given.
    control
        What is allowed, and for one that may change mid-stream its control; None: ``check`` says it, or nothing does.
    check
        Called with name and value; raises a ValueError for a value that is not allowed.
    is_tunable
        Whether it may change mid-stream.
    kw_only
        Whether it is given by name alone, after all others, those of subclasses too.
    init
        Whether the constructor takes it; else it is ``default``.
    changes
        Fields of ``control`` that the declaration says; the annotation says whether it is whole or may be None.
    model
        The class whose parameter of this name it is like, if any.
    annotation
        Its type, as written.
    words
        What it is, as the docstring of the class says, or of one that declares it before.

    Examples
    --------
    >>> import streamlab as sl
    >>> declared = sl.SMART.parameters["warm_up"]
    >>> declared.default, declared.is_tunable, declared.checked(50)
    (100, False, 50)
    """

    default: Any = inspect.Parameter.empty
    is_tunable: bool = False
    control: Tunable | None = None
    check: Callable[[str, Any], Any] | None = None
    kw_only: bool = False
    init: bool = True
    changes: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    model: Any = None
    name: str = ""
    annotation: str = ""
    words: str = ""

    def named(self, name: str, annotation: str, inherited: Parameter | None) -> Parameter:
        """Return it under its name, completed by its annotation, or by what the base class declares."""
        if self.model is not None:
            known = inherited if self.model is Inherited else self.model.parameters.get(name)
            if known is None:
                raise ValueError(f"{name} is like one that is not declared; expected it in {self.model.__name__}")
            control = known.control and replace(known.control, **self.changes)
            return replace(known, default=self.default, control=control, kw_only=self.kw_only, annotation=annotation)
        words, types = dict(self.changes), {part.strip() for part in annotation.split("|")}
        if types == {"bool"}:
            words.setdefault("choices", (True, False))
        control = self.control and replace(self.control, **words)
        if control is None and words:
            words = {"low": 0, "high": LARGEST_WHOLE, "integer": "int" in types, "optional": "None" in types} | words
            control = Tunable(name, **words)
        return replace(self, name=name, control=control, changes={}, annotation=annotation)

    def checked(self, value: Any) -> Any:
        """Return a value as a plain one, or raise a ValueError that says what is allowed."""
        if self.control is not None:
            return self.control.checked(value)
        return value if self.check is None else self.check(self.name, value)

    def in_table(self) -> str:
        """Return its entry in a docstring: its words, what is allowed, its default, and whether it is tunable."""
        has_none = self.default is inspect.Parameter.empty or "efault" in self.words
        default = "" if has_none else f"Default: {self.default!r}."
        facts = "" if self.control is None or self.annotation == "bool" else f"{self.control.allowed}."
        words = self.words or (self.control.help if self.control is not None else "")
        more = (facts[:1].upper() + facts[1:], default, "Tunable." * (self.is_tunable and "Tunable" not in words))
        text = " ".join([*words.split(), *filter(None, more)])
        entry = textwrap.indent(textwrap.fill(text, 116, break_long_words=False, break_on_hyphens=False), "    ")
        return f"{self.name}\n{entry}"

    def number(self, value: Any) -> float:
        """Return a value as kernels read it: infinity for None, of words their place among the choices."""
        if value is None:
            return math.inf
        if isinstance(value, str) and self.control is not None:
            return float(self.control.choices.index(value))
        return float(value)


class Inherited:
    """Stands for the base class, where a parameter is like that."""


def tunable(
    low: float = 0, high: float = 1, *, default: Value, control: Tunable | None = None, kw_only: bool = False,
    **words: Any,
) -> Value:  # fmt: skip
    """Declare a parameter that may change mid-stream: ``half_life: float = tunable(1, 1000, default=200)``.

    Parameters
    ----------
    low, high
        The range of its control, as of ``Tunable``; with ``choices`` they mean nothing.
    default
        Its default.
    control
        A control that others have too; ``words`` say what is different.
    kw_only
        Whether it is given by name alone.
    words
        Further fields of ``Tunable``. ``integer`` and ``optional`` follow from the annotation: ``int``, ``| None``.

    Examples
    --------
    >>> import streamlab as sl
    >>> class LastLabels(sl.NoChange):
    ...     patience: int = tunable(1, 50, default=5, unit="rows")
    >>> model = LastLabels()
    >>> model.tune(patience=7)
    >>> model
    LastLabels (
      patience=7
    )
    """
    words = words if control is not None else {"low": low, "high": high} | words
    declared: Any = Parameter(default, True, control, kw_only=kw_only, changes=words)
    return declared


def parameter(
    low: float | None = None, high: float | None = None, *, default: Any = inspect.Parameter.empty,
    check: Callable[[str, Any], Any] | None = None, kw_only: bool = False, init: bool = True, **words: Any,
) -> Any:  # fmt: skip
    """Declare a parameter that stays as it is: ``n_models: int = parameter(1, 100, default=10)``.

    ``low``, ``high`` and ``words`` are as of ``tunable``. Without a range or ``choices`` anything is allowed that
    ``check``, called with name and value, returns from; a ``bool`` is True or False. Without ``init`` the constructor
    does not take it, with ``kw_only`` by its name alone.

    Examples
    --------
    >>> import streamlab as sl
    >>> class LastLabels(sl.NoChange):
    ...     patience: int = parameter(1, 50, default=5)
    >>> LastLabels(patience=0)
    Traceback (most recent call last):
    ValueError: patience=0: expected a whole number, at least 1
    """
    words |= {key: value for key, value in {"low": low, "high": high}.items() if value is not None}
    return Parameter(default, False, None, check, kw_only, init, words)


def like(model: Any = Inherited, *, default: Any, kw_only: bool = False, **words: Any) -> Any:
    """Declare a parameter as the base class, or the class ``model``, does, but for its default and these ``words``.

    ``kw_only``: the constructor takes it by its name alone.

    Examples
    --------
    >>> import streamlab as sl
    >>> class ShortMemory(sl.SMART):
    ...     half_life: float = like(default=20.0)
    >>> ShortMemory().half_life
    20.0
    """
    return Parameter(default, kw_only=kw_only, changes=words, model=model)


def kept(*shape: int | str, init: Literal[False] = False, **words: Any) -> Any:
    """Declare what a learner keeps besides its parameters; its ``storage`` gets an entry of the name without ``_``.

    Parameters
    ----------
    shape
        Dimensions of an array, as of ``Array``. Without one it is a plain value, of the kind that its annotation says.
    init
        Always False: the constructor does not take it.
    words
        Further fields of ``Array``, or of ``Number``. Without a shape and words it is an attribute that is not stored.

    Examples
    --------
    >>> import streamlab as sl
    >>> class LastLabels(sl.NoChange):
    ...     _counts: np.ndarray = kept("labels", dtype=np.int64)
    ...     _n_seen: int = kept(low=0)
    >>> list(LastLabels.storage.arrays), list(LastLabels.storage.numbers)
    (['last', 'counts'], ['n_seen'])
    """
    return Kept(shape, words)


class Kept(NamedTuple):
    """What ``kept`` returns: the attribute is the object's, not the class's."""

    shape: tuple[int | str, ...]
    words: dict[str, Any]


def take_declared(kind: Any, stop: Any) -> dict[str, Kept]:
    """Take what a class declares from its body: ``parameters``, ``tunables``, its constructor; return what it keeps.

    Parameters
    ----------
    kind
        The class.
    stop
        The base class whose constructor takes no parameter.
    """
    parameters: dict[str, Parameter] = {}
    for base in reversed(kind.__mro__[1:]):
        parameters |= vars(base).get("parameters", {})
    types = inspect.get_annotations(kind)
    own = {name: value for name, value in vars(kind).items() if isinstance(value, (Parameter, Kept))}
    for name, value in own.items():
        if isinstance(value, Parameter):
            annotation = inspect.formatannotation(types[name]) if name in types else ""
            parameters[name] = value.named(name, annotation.strip("'\""), parameters.get(name))
        # the attribute is the object's
        delattr(kind, name)
    kind.parameters = parameters = _in_order(kind, parameters, own)
    if parameters and vars(kind).get("__doc__"):
        kind.__doc__, kind.parameters = documented(kind.__doc__, parameters)
        parameters = kind.parameters
    if parameters and "tunables" not in vars(kind):
        # what a page shows at once comes first
        found = [each.control for each in parameters.values() if each.is_tunable and each.control is not None]
        at_once = next((each for each in found if each.says), None)
        tunables = tuple(sorted(found, key=lambda each: each is not at_once))
        # of a learner made of others, also where another base class comes before, they depend on the object
        known = [vars(base).get("tunables") for base in kind.__mro__]
        if depends := next((each for each in known if isinstance(each, property)), None):
            kind.tunables, kind.own_tunables = depends, tunables
        else:
            kind.tunables = tunables
    inherited = kind.__init__
    if "__init__" not in vars(kind) and (own or inherited is stop or hasattr(inherited, "declared")):
        kind.__init__ = _constructor(kind)
    return {name: value for name, value in own.items() if isinstance(value, Kept)}


def _in_order(kind: Any, parameters: Mapping[str, Parameter], own: Iterable[str]) -> dict[str, Parameter]:
    """Return parameters as the constructor takes them: last those by name alone, the class's own before the others."""
    nearest = [*own, *(name for base in kind.__mro__[1:] for name in vars(base).get("parameters", ()))]
    by_place = [name for name, each in parameters.items() if not each.kw_only]
    by_name = [name for name in nearest if name in parameters and parameters[name].kw_only]
    return {name: parameters[name] for name in (*by_place, *by_name)}


TABLE = re.compile(r"^Parameters\n-+\n((?:.*\n)*?)(?=\n\S.*\n-+\n|\Z)", re.MULTILINE)
"""The table of parameters in a docstring: entries, until the next heading or the end."""


def documented(text: str, parameters: Mapping[str, Parameter]) -> tuple[str, dict[str, Parameter]]:
    """Return a docstring with a table of the parameters as they are declared; and these, with the words of its own."""
    text, words = inspect.cleandoc(text) + "\n", dict[str, str]()
    found = TABLE.search(text)
    for entry in re.split(r"\n+(?=\S)", found.group(1)) if found else ():
        names, _, about = entry.partition("\n")
        words |= dict.fromkeys(names.split(", "), about)
    known = {name: replace(each, words=words.pop(name, each.words)) for name, each in parameters.items()}
    others = [f"{name}\n{about.rstrip()}" for name, about in words.items()]
    rows = "\n".join([*others, *(each.in_table() for each in known.values() if each.init)])
    first = found or re.search(r"^\S.*\n-+\n", text, re.MULTILINE)
    start, end = (first.start(), found.end() if found else first.start()) if first else (len(text), len(text))
    table = f"Parameters\n----------\n{rows}\n" + "\n" * (found is None)
    return f"{text[:start]}{table}{text[end:]}".rstrip(), known


def _constructor(kind: Any) -> Callable[..., None]:
    """Return the constructor of a class: it keeps each parameter under its own name, then calls ``_start``."""
    declared = [each for each in kind.parameters.values() if each.init]
    places = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature([
        inspect.Parameter("self", places[0]),
        *(inspect.Parameter(e.name, places[e.kw_only], default=e.default, annotation=e.annotation) for e in declared),
    ])  # fmt: skip
    positional = [each.name for each in declared if not each.kw_only]
    known, defaults = {each.name for each in declared}, {e.name: e.default for e in kind.parameters.values()}
    needed = {name for name in known if defaults[name] is inspect.Parameter.empty}

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        given = dict(zip(positional, args, strict=False)) | kwargs
        if len(given) < len(args) + len(kwargs) or not needed <= given.keys() <= known:
            try:
                signature.bind(self, *args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{type(self).__name__}: {error}") from None
        for name, value in (defaults | given).items():
            setattr(self, name, value)
        self._start()

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{kind.__qualname__}.__init__"
    __init__.__module__ = kind.__module__
    __init__.declared = True  # type: ignore[attr-defined]
    return __init__


def as_numbers(learner: Any, names: Sequence[str]) -> np.ndarray:
    """Return a learner's parameters of these names as kernels read them, float64."""
    return np.array([learner.parameters[name].number(getattr(learner, name)) for name in names], np.float64)


def checked_seed(name: str, seed: Any) -> Any:
    """Return a seed, or raise a ValueError unless it is a whole number, at least 0, or None."""
    return checked_count(name, seed, optional=True)


def random_key(seed: int | None) -> np.int64:
    """Return the key of counter-based draws that belongs to a seed; a random one for None."""
    return np.int64((secrets.randbits(63) if seed is None else int(seed)) & (2**63 - 1))


def plain(value: Any) -> Any:
    """Return a parameter as JSON knows it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    return value


def is_plain(value: Any) -> bool:
    """Return whether a value is a number, a text or a flag."""
    return isinstance(value, (bool, int, float, str))


def is_same(value: Any, known: Any) -> bool:
    """Return whether a parameter is the same object as another, or as plain and equal."""
    return value is known or (type(value) is type(known) and is_plain(value) and value == known)
