"""The measures by name, this package's own and those of other packages, and their values from counts."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import Any, NoReturn

import numpy as np

from streamlab._checks import shown, with_type
from streamlab.measures.batch import Count, CountFailure
from streamlab.measures.classes import BY_CLASSES
from streamlab.measures.counts import Counts
from streamlab.measures.hierarchical import BY_HIERARCHY
from streamlab.measures.label_sets import BY_LABEL_SETS
from streamlab.measures.measure import Measure, check_zero_division
from streamlab.measures.ranking import BY_RANKING
from streamlab.measures.river_metric import PREFIX, is_river_metric, measure_of, metric_of, text_of
from streamlab.plugins import Registry
from streamlab.schema import Schema

__all__ = [
    "CLASS_MEASURES",
    "DEFAULT_MEASURES",
    "HIERARCHICAL_MEASURES",
    "MEASURES",
    "counts_of",
    "default_measures",
    "evaluate",
    "main_measure",
    "measure_names",
]


GROUP = "streamlab.measures"
OWN = "streamlab"
logger = logging.getLogger("streamlab")


class MeasureCatalogue(Mapping[str, Measure]):
    """Every measure by name: those of the entry points ``streamlab.measures``, imported on first use.

    Examples
    --------
    >>> MEASURES["micro_f1"].title, "hamming_loss" in MEASURES
    ('F1 (micro)', True)
    """

    def __init__(self) -> None:
        self.registry: Registry[Measure] = Registry(GROUP, "measure", self._check, of=Measure, several=True)
        self._warned: dict[str, Measure] = {}
        self._of_own_metrics: dict[str, Callable[[], None]] = {}

    def __getitem__(self, name: str) -> Measure:
        if name not in self.registry and not str(name).startswith(PREFIX):
            raise KeyError(name)
        try:
            return self.load(name)
        except ValueError:
            if name in self.registry:
                raise
            raise KeyError(name) from None

    def load(self, name: str) -> Measure:
        """Return a measure; the name of one of River's metrics (``"river.metrics.MCC"``) makes it a measure.

        Raises
        ------
        ValueError
            If there is none; says which are near it.
        """
        if str(name).startswith(PREFIX) and name not in self.registry:
            return self[self.name_of(metric_of(name))]
        return self.registry.load(name)

    def name_of(self, metric: Any) -> str:
        """Return the name of one of River's metrics as a measure, registered for this session.

        It is a text that other processes know, such as ``"river.metrics.FBeta(beta=2)"``; of a class of a user's own
        the class's name, and a later one of that name takes its place.

        Raises
        ------
        ValueError
            As ``measure_of``; or if another measure has the name.
        """
        text = text_of(metric)
        name = type(metric).__name__ if text is None else text
        if name not in self.registry or (text is None and name in self._of_own_metrics):
            made = measure_of(metric, name)
            if name in self._of_own_metrics:
                self._of_own_metrics.pop(name)()
            take_away = self.add(made)
            if text is None:
                self._of_own_metrics[name] = take_away
        elif text is None:
            raise ValueError(f"measure {name!r}: there is another of that name; expected another name of the class")
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(self.registry.names())

    def __len__(self) -> int:
        return len(self.registry)

    def add(self, measure: Measure) -> Callable[[], None]:
        """Register a measure for this session; returns a function that takes it away again.

        Raises
        ------
        ValueError
            If its name is taken, it is not a ``Measure``, or another measure has a different count of the same name.
        """
        return self.registry.add(getattr(measure, "name", repr(measure)), measure)

    def remove(self, measure: Measure) -> None:
        """Take a measure away that was added in this session; nothing happens if it is not there."""
        self.registry.remove(measure.name, measure)

    def warn(self, name: str, why: str) -> None:
        """Log, once for each measure, that it fails and is NaN therefore."""
        measure = self[name]
        if self._warned.get(name) is not measure:
            self._warned[name] = measure
            logger.warning("%s: %s; its value is NaN", self.in_words(name), why)

    def refuse(self, failure: CountFailure, names: Iterable[str]) -> NoReturn:
        """Raise the failure of a count as a ValueError that names the measure and package, one of ``names``."""
        brought = next((name for name in names if failure.count in self[name].counts), None)
        raise ValueError(str(failure) if brought is None else f"{self.in_words(brought)}: {failure}") from failure

    def in_words(self, name: str) -> str:
        """Return a measure's name for messages, with its package if it is from another package."""
        return _in_words(name, self.registry.package(name))

    def _check(self, name: str, measure: Measure) -> None:
        # counts of one name would be added into one sum; refused here, or every run with both would break off
        own = {count.name: count for count in measure.counts}
        for other, accepted in self.items() if own else ():
            if other == name:
                continue
            for count in accepted.counts:
                if own.get(count.name, count) != count:
                    raise ValueError(
                        f"{_in_words(name, _package_of(measure))} brings a count {count.name!r}, and "
                        f"{self.in_words(other)} brings another count of that name: it is left out; expected a unique "
                        f"name, such as {f'{name}_{count.name}'!r}"
                    )


def _in_words(name: str, package: str) -> str:
    return f"the measure {name!r}" + (f" of the package {package}" if package not in ("", OWN) else "")


def _package_of(measure: Measure) -> str:
    """Return the package that a measure comes from, which may not be accepted yet; "" if it is of this session."""
    for entry in entry_points(group=GROUP):
        try:
            given = entry.load() if entry.module in sys.modules else ()
        except Exception:  # user code may raise anything, and has been named for it
            continue
        if any(measure is each for each in (given if isinstance(given, (tuple, list)) else (given,))):
            return "?" if entry.dist is None else entry.dist.name
    return ""


MEASURES = MeasureCatalogue()
"""Every measure, by name."""

HIERARCHICAL_MEASURES = tuple(measure.name for measure in BY_HIERARCHY)
"""Those of this package that need a hierarchy of the labels."""

DEFAULT_MEASURES = tuple(measure.name for measure in (*BY_LABEL_SETS, *BY_RANKING) if measure.by_default)
"""Those of this package that are given where none is named, for labels without a hierarchy."""


CLASS_MEASURES = (*(measure.name for measure in BY_CLASSES), "macro_f1")
"""Those that are given where none is named, for classes."""


def main_measure(schema: Schema) -> str:
    """Return the measure that is shown where none is chosen: accuracy of classes, else an F1, as a ``schema`` says.

    Examples
    --------
    >>> import streamlab as sl
    >>> main_measure(sl.load("image-segments").schema), main_measure(sl.load("yeast").schema)
    ('accuracy', 'micro_f1')
    """
    if schema.classes is not None:
        return "accuracy"
    return "micro_f1" if schema.hierarchy is None else "hierarchical_f1"


def default_measures(hierarchy: bool, classes: bool = False) -> tuple[str, ...]:
    """Names of the measures that are given where none is named, those of other packages included.

    Parameters
    ----------
    hierarchy
        Whether the labels have one; the measures that need it then come first.
    classes
        Whether each row has exactly one class: then they are ``CLASS_MEASURES``.

    Examples
    --------
    >>> default_measures(False)[:2], default_measures(True)[0]
    (('subset_accuracy', 'hamming_loss'), 'hierarchical_precision')
    """
    own = _own_defaults(hierarchy, classes)
    others = (
        n
        for n, m in MEASURES.items()
        if m.by_default
        and (hierarchy or not m.needs_hierarchy)
        and (classes or not m.needs_classes)
        and MEASURES.registry.package(n) != OWN
    )
    return tuple(dict.fromkeys((*own, *others)))


def _own_defaults(hierarchy: bool, classes: bool) -> tuple[str, ...]:
    if classes:
        return CLASS_MEASURES
    return (*(HIERARCHICAL_MEASURES if hierarchy else ()), *DEFAULT_MEASURES)


def unasked_measures(names: Sequence[str], hierarchy: bool, classes: bool = False) -> frozenset[str]:
    """Return which of the measures are of other packages and were not asked for: they came with the default ones.

    Where they fail, they are NaN and a warning is logged once, so that one package does not take the others along.

    Parameters
    ----------
    names
        The measures that are given. They hold unasked ones if they begin with all defaults of this package.
    hierarchy
        Whether the labels have one.
    classes
        Whether each row has exactly one class.

    Examples
    --------
    >>> unasked_measures(default_measures(False), False)
    frozenset()
    """
    own = _own_defaults(hierarchy, classes)
    if tuple(names[: len(own)]) != own:
        return frozenset()
    return frozenset(n for n in names[len(own) :] if MEASURES[n].by_default and MEASURES.registry.package(n) != OWN)


def counts_of(names: Iterable[str] | str) -> tuple[Count, ...]:
    """The counts that some measures bring, each once.

    Parameters
    ----------
    names
        Names of measures; one may stand alone.

    Returns
    -------
    tuple of Count

    Raises
    ------
    ValueError
        If one is not in ``MEASURES``.

    Examples
    --------
    >>> [count.name for count in counts_of("macro_average_precision")]
    ['histograms']
    """
    return tuple(dict.fromkeys(count for name in measure_names(names) for count in MEASURES[name].counts))


def evaluate(
    counts: Counts,
    names: Iterable[str] | None = None,
    *,
    zero_division: float = 0.0,
    unasked: Collection[str] = (),
) -> dict[str, float]:
    """Compute measures from counts.

    Parameters
    ----------
    counts
        Of any instances: a chunk, a stream, faded or not.
    names
        Of ``MEASURES``; None, the default, is all that ``counts`` hold enough for, in the order of ``MEASURES``.
    zero_division
        The value of 0/0 in a precision, recall, F1 or label's average precision: 0.0 (default, as in River) or 1.0,
        with which an empty prediction of an empty set is right. Also the value of any measure but a loss over no
        instance or no label at all; a loss over nothing is 0.0, whatever ``zero_division``.
    unasked
        Those of ``names`` that nobody named (``unasked_measures``): where one fails, it is NaN, and a warning is logged
        once. With ``names`` None, all of other packages.

    Returns
    -------
    dict
        Name to value, in the order of ``names``.

    Raises
    ------
    ValueError
        If a name is unknown, a named measure needs what ``counts`` lack or fails, or ``zero_division`` is neither 0.0
        nor 1.0.

    Examples
    --------
    >>> counts = Counts.zeros(2).count([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> evaluate(counts, ["subset_accuracy", "hamming_loss", "micro_f1"])
    {'subset_accuracy': 0.5, 'hamming_loss': 0.25, 'micro_f1': 0.8}
    """
    zero_division = check_zero_division(zero_division)
    if names is None:
        names = [name for name, measure in MEASURES.items() if measure.available(counts)]
        unasked = [name for name in names if MEASURES.registry.package(name) != OWN]
    values = {}
    for name in measure_names(names):
        measure = MEASURES[name]
        lacking = measure.lacks(counts)
        if lacking:
            raise ValueError(f"measure {name!r} needs {lacking}")
        is_unasked = name in unasked
        if is_unasked and any(np.isnan(counts.extra[count.name]).any() for count in measure.counts):
            values[name] = math.nan  # a count has failed, which was said then
        else:
            values[name] = value_of(name, partial(measure.of, counts, zero_division), is_unasked=is_unasked)
    return values


def value_of(name: str, value: Callable[[], Any], *, is_unasked: bool) -> float:
    """Return the value of a measure, a number.

    Parameters
    ----------
    name
        Of ``MEASURES``.
    value
        Returns the value.
    is_unasked
        Whether it is NaN where it fails, and a warning is logged once.

    Raises
    ------
    ValueError
        If it fails; names the measure and its package.
    """
    cause = None
    try:
        found = value()
        if isinstance(found, (int, float, np.integer, np.floating)) and not isinstance(found, bool):
            return float(found)
        why = f"its value is {shown(found)}; expected a number"
    except Exception as error:  # user code may raise anything
        why, cause = f"it raised {with_type(error)}", error
    if not is_unasked:
        raise ValueError(f"{MEASURES.in_words(name)}: {why}") from cause
    MEASURES.warn(name, why)
    return math.nan


def measure_names(names: Any) -> tuple[str, ...]:
    """Return the names, each once, in order; a single name is accepted.

    Parameters
    ----------
    names
        Names of measures, and measures and River's metrics, which are registered for this session; one may stand alone.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        If one is not in ``MEASURES``; says which are near it. If another measure has the name of one.

    Examples
    --------
    >>> measure_names(["micro_f1", "hamming_loss", "micro_f1"]), measure_names("micro_f1")
    (('micro_f1', 'hamming_loss'), ('micro_f1',))
    """
    is_alone = isinstance(names, (str, Measure)) or is_river_metric(names)
    found = []
    for each in (names,) if is_alone else names:
        if isinstance(each, Measure) and MEASURES.get(each.name) is not each:
            MEASURES.add(each)
        if not isinstance(each, str):
            each = each.name if isinstance(each, Measure) else MEASURES.name_of(each) if is_river_metric(each) else each
        found.append(MEASURES.load(each).name)
    return tuple(dict.fromkeys(found))
