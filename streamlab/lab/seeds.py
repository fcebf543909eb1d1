"""One learner with several seeds: ordinary learners of a run, which belong together by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from streamlab._checks import checked_choice, checked_count
from streamlab.learners import Learner
from streamlab.learners.base.composed import is_chain

__all__ = ["banded", "groups_of"]

MEMBER = re.compile(r"(?P<group>.+) · seed (?P<seed>\d+)", re.DOTALL)
MOST_SEEDS, FIRST = 100, 1
SPREADS = ("range", "deviation")


def with_seeds(learners: Mapping[str, Learner], n: int) -> dict[str, Learner]:
    """Return each learner that takes a seed ``n`` times, with its own seed and those that follow (None: from 1 on).

    Parameters
    ----------
    learners
        By name; they have learned nothing.
    n
        How many seeds, from 1 to 100; with 1 the learners stay as they are.

    Returns
    -------
    dict
        ``"SMART · seed 1"``, ``"SMART · seed 2"`` and so on in place of ``"SMART"``; a learner without a seed stays.

    Raises
    ------
    ValueError
        For another number, or if two learners would have one name.
    """
    checked_count("seeds", n, 1, MOST_SEEDS)
    if n == 1:
        return dict(learners)
    found: dict[str, Learner] = {}
    for name, learner in learners.items():
        seeds = _seeds(learner)
        first = next(iter(seeds.values()), None)
        for i in range(n if seeds else 1):
            member = f"{name} · seed {(FIRST if first is None else first) + i}" if seeds else name
            if member in found:
                raise ValueError(f"learners: two are called {member!r}")
            found[member] = learner
            if i or None in seeds.values():
                given = {parameter: (FIRST if seed is None else seed) + i for parameter, seed in seeds.items()}
                found[member] = learner.clone(given)
    return found


def _seeds(learner: Any) -> dict[str, int | None]:
    """Return the seeds of a learner, or of a pipeline's steps, by the name of the parameter; None: it was not set."""
    parts = {"seed": learner}
    if is_chain(learner):
        parts = {f"{name}__seed": step for name, step in learner.steps.items()}
    seeds = {name: part.seed for name, part in parts.items() if hasattr(part, "seed")}
    return {
        name: None if seed is None else int(seed)
        for name, seed in seeds.items()
        if seed is None or (isinstance(seed, (int, np.integer)) and not isinstance(seed, bool))
    }


def groups_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return which learners of a run belong together.

    Parameters
    ----------
    names
        Learners of a run.

    Returns
    -------
    dict
        The members of each group, in the order of the names. Two or more learners whose names differ only in
        ``" · seed <n>"`` are a group, named without the seed; every other learner is a group of its own.

    Examples
    --------
    >>> groups_of(["SMART · seed 1", "SMART · seed 2", "MLHAT"])
    {'SMART': ('SMART · seed 1', 'SMART · seed 2'), 'MLHAT': ('MLHAT',)}
    """
    names = list(names)
    stems = {name: match["group"] if (match := MEMBER.fullmatch(name)) else name for name in names}
    sizes = list(stems.values())
    found: dict[str, tuple[str, ...]] = {}
    for name, stem in stems.items():
        group = stem if sizes.count(stem) > 1 and stem not in stems else name
        found[group] = (*found.get(group, ()), name)
    return found


class Band(NamedTuple):
    """A group's curve: the mean of its members, and how far they are apart; float64 [points] each.

    For a learner of its own all three are its curve.
    """

    middle: np.ndarray
    low: np.ndarray
    high: np.ndarray


def banded(curves: Mapping[str, np.ndarray], spread: str = "range") -> dict[str, Band]:
    """Return the curves of a run by group.

    Parameters
    ----------
    curves
        By learner its curve, float64 [points], all at the same positions; NaN where there is no value.
    spread
        ``"range"``: from the least to the greatest of the members; ``"deviation"``: one standard deviation (of a
        sample, n - 1) below and above their mean.

    Raises
    ------
    ValueError
        For another spread.

    Examples
    --------
    >>> curves = {"SMART · seed 1": np.array([0.4, 0.6]), "SMART · seed 2": np.array([0.6, 0.6])}
    >>> band = banded(curves)["SMART"]
    >>> band.low.tolist(), band.high.tolist()
    ([0.4, 0.6], [0.6, 0.6])
    """
    checked_choice("spread", spread, SPREADS)
    found = {}
    for group, members in groups_of(curves).items():
        values = np.array([curves[name] for name in members], np.float64)
        there = ~np.isnan(values)
        n = there.sum(axis=0)
        mean = np.where(n > 0, np.where(there, values, 0.0).sum(axis=0) / np.maximum(n, 1), np.nan)
        if len(members) == 1:
            found[group] = Band(values[0], values[0], values[0])
        elif spread == "range":
            found[group] = Band(mean, np.fmin.reduce(values), np.fmax.reduce(values))
        else:
            squares = (np.where(there, values - mean, 0.0) ** 2).sum(axis=0)
            deviation = np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), 0.0)
            found[group] = Band(mean, mean - deviation, mean + deviation)
    return found
