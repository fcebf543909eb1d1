"""A drift as a name with parameters: it can be written down, and put into a running stream."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from streamlab.streams._checks import few, near, shown
from streamlab.streams.changes.feature_noise import feature_noise
from streamlab.streams.changes.feature_swap import swap_features
from streamlab.streams.changes.label_presence import new_label, vanish_label
from streamlab.streams.changes.label_rotation import rotate_labels
from streamlab.streams.changes.label_swap import swap_labels
from streamlab.streams.changes.prior_shift import prior_shift
from streamlab.streams.recording import is_plain, plain_value
from streamlab.streams.stream import Stream

__all__ = ["DRIFTS", "DriftRecipe"]

DRIFTS: dict[str, Callable[..., Stream]] = {
    made.__name__: made
    for made in (feature_noise, new_label, prior_shift, rotate_labels, swap_features, swap_labels, vanish_label)
}
"""The drifts that can be put into a running stream, by name."""


class DriftRecipe:
    """A drift that ``Run.put_drift`` takes, and that an archive of the run holds: a name with parameters.

    Parameters
    ----------
    name
        Of ``DRIFTS``: ``"rotate_labels"``, ``"swap_labels"``, ``"prior_shift"``, ``"vanish_label"``, ``"new_label"``,
        ``"feature_noise"`` or ``"swap_features"``.
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

    __slots__ = ("name", "parameters")

    name: str
    parameters: Mapping[str, Any]

    def __init__(self, name: str, /, **parameters: Any) -> None:
        if not isinstance(name, str) or name not in DRIFTS:
            hint = near(name, list(DRIFTS)) if isinstance(name, str) else ""
            raise ValueError(f"there is no drift {shown(name)}{hint}; there are: {', '.join(DRIFTS)}")
        known = [each for each in inspect.signature(DRIFTS[name]).parameters if each not in ("stream", "at")]
        for parameter, value in parameters.items():
            if parameter not in known:
                raise ValueError(f"{name} has no parameter {shown(parameter)}; expected {few(known)}")
            if not is_plain(value):
                raise ValueError(f"{name}: {parameter}={shown(value)}: expected a number, a text, or a list of them")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parameters", {key: plain_value(value) for key, value in parameters.items()})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a DriftRecipe does not change; make another for another {name}")

    def __call__(self, stream: Stream, at: int) -> Stream:
        """Return the stream with the drift from the row ``at`` on.

        Raises
        ------
        ValueError
            As the function of that name does.
        """
        given = dict(self.parameters)
        if "seed" in inspect.signature(DRIFTS[self.name]).parameters:
            given.setdefault("seed", at)
        try:
            return DRIFTS[self.name](stream, at=at, **given)
        except TypeError as error:
            raise ValueError(f"{self.name}: {error}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DriftRecipe):
            return NotImplemented
        return (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters)))

    def __repr__(self) -> str:
        said = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"DriftRecipe({self.name!r}{said})"
