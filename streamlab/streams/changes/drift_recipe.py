"""A drift as a name with parameters: it can be written down, and put into a running stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlab._checks import few, near, shown
from streamlab.streams.changes.drift_entry import DRIFTS, running_drifts
from streamlab.streams.stream import Stream, is_plain, plain_value

__all__ = ["DriftRecipe"]


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
        said = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"DriftRecipe({self.name!r}{said})"
