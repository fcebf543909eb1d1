"""Dimensions of arrays in words: whole numbers, names, and sums and products of these, such as ``"1+labels"``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache


def length(dimension: int | str, sizes: Mapping[str, int]) -> int:
    """Return the length of a dimension: a whole number, a name, or sums and products of these."""
    if not isinstance(dimension, str):
        return int(dimension)
    if dimension in sizes:
        return int(sizes[dimension])
    return sum(
        math.prod(factor if isinstance(factor, int) else int(sizes[factor]) for factor in term)
        for term in _terms(dimension)
    )


@cache
def names_in(dimension: int | str) -> tuple[str, ...]:
    """Return the names in a dimension."""
    if not isinstance(dimension, str):
        return ()
    return tuple(factor for term in _terms(dimension) for factor in term if isinstance(factor, str))


@cache
def _terms(dimension: str) -> tuple[tuple[int | str, ...], ...]:
    """Return the terms of a dimension, each as its factors: numbers and names."""
    return tuple(
        tuple(int(factor) if factor.isdigit() else factor for factor in map(str.strip, term.split("*")))
        for term in dimension.split("+")
    )
