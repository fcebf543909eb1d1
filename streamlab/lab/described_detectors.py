"""The detectors of a run as plain values that JSON knows, and made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from river.base import BinaryDriftDetector, DriftDetector

from streamlab._checks import is_count, shown, within
from streamlab.lab.described import PARAMETERS, RIVER, described_part, river_class
from streamlab.lab.drift_watch import Watched, named_detectors
from streamlab.validation import validated

LOST, MEASURE = "lost", "measure"
LARGEST = 10_000_000
"""Of the whole numbers in a description: they may be the sizes of windows."""


def describe_detectors(detectors: Mapping[str, Watched]) -> dict[str, dict[str, Any]]:
    """Return the detectors of a run as plain values; of one whose class is not River's only its name, as ``lost``."""
    found: dict[str, dict[str, Any]] = {}
    for name, each in detectors.items():
        try:
            how = described_part(each.detector, name)
        except ValueError:
            how = {LOST: type(each.detector).__name__}
        found[name] = {**how, MEASURE: each.measure}
    return found


def _made(path: Any, parameters: dict[str, Any]) -> Any:
    kind = river_class(path)
    if not issubclass(kind, (DriftDetector, BinaryDriftDetector)):
        raise ValueError(f"{path}: expected one of River's drift detectors")
    for name, value in parameters.items():
        is_plain = value is None or isinstance(value, (bool, int, float, str))
        if not is_plain or (is_count(value) and abs(value) > LARGEST):
            raise ValueError(f"{name} is {shown(value)}; expected a plain value, a whole number up to {LARGEST:,}")
    return kind(**parameters)


class DescribedDetectors:
    """What ``describe_detectors`` returned, perhaps from a file of somebody else's: it can name River's classes alone.

    Parameters
    ----------
    described
        The plain values.

    Raises
    ------
    ValueError
        If it is something else, or names what is not there.
    """

    def __init__(self, described: Any) -> None:
        self._described = validated(described, dict[str, dict[str, Any]], "detectors")
        made = {}
        for name, each in self._described.items():
            if LOST in each:
                continue
            with within(f"detectors[{name!r}]", TypeError):
                made[name] = (
                    _made(each.get(RIVER), validated(each.get(PARAMETERS), dict[str, Any], "parameters")),
                    each[MEASURE],
                )
        self._made = named_detectors(made)

    @property
    def are_all_made(self) -> bool:
        """Whether none is lost."""
        return len(self._made) == len(self._described)

    def completed(self, given: Mapping[str, Any] | None = None, *, may_lack: bool = False) -> dict[str, Any]:
        """Return the detectors as ``Run`` takes them, in their order.

        Parameters
        ----------
        given
            By name, for those that are lost.
        may_lack
            Whether one that notices nothing may stand for a lost one that is not given.

        Raises
        ------
        ValueError
            If one is neither described nor given, or is given that is described.
        """
        # River's drift module loads its data sets, scikit-learn and pandas: 1.5 s of every process
        from river.drift import NoDrift

        given = dict(given or {})
        found: dict[str, Any] = {}
        for name in given:
            if name not in self._described or name in self._made:
                raise ValueError(f"detectors={name!r}: the file holds this detector, or the run had none of that name")
        for name, told in self._described.items():
            if name in self._made:
                found[name] = self._made[name]
                continue
            if name not in given and not may_lack:
                raise ValueError(
                    f"the detector {name!r} is a {shown(told[LOST])}, and no file can say how such a one is made; "
                    "expected a class of River's, or for Run.open(detectors=) the detector itself"
                )
            detector = given.get(name, NoDrift())
            found[name] = detector if isinstance(detector, tuple) else (detector, told[MEASURE])
        return found
