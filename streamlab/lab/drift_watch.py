"""River's drift detectors on a measure of a learner's answers, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab._checks import checked_text, under, with_type, within
from streamlab.detectors import RecordedDetector
from streamlab.lab.events import ALARM, DETECTION, RUN_EVENTS, Reported
from streamlab.measures import MEASURES, Batch, Counts, Past, Tracker, measure_names
from streamlab.measures.classes import with_classes

WATCHED_MEASURE, WATCHED_OF_CLASSES = "hamming_loss", "accuracy"
"""What a detector watches where nothing is said: of label sets, and of classes, where each row is right or wrong."""


@dataclass(frozen=True)
class Watched:
    """A detector of a run, and the measure that it watches.

    Parameters
    ----------
    detector
        One of River's drift detectors, which is cloned for each learner.
    measure
        Of ``MEASURES``; "": that of the run's stream, where none is named.
    """

    detector: Any
    measure: str = ""


def named_detectors(detectors: Mapping[str, Any] | None, classes: bool | None = None) -> dict[str, Watched]:
    """Return the detectors of a run by name.

    Parameters
    ----------
    detectors
        River's detectors by name, each alone or with a measure, or its name: ``(drift.ADWIN(), "example_f1")``.
    classes
        Whether rows have classes: one alone watches accuracy then, else the Hamming loss. None: its run will say.

    Raises
    ------
    ValueError
        For what is not a detector, an unknown measure, one that is not defined for a row, or a name that is taken.
    """
    if not isinstance(detectors or {}, Mapping):
        raise ValueError(f"detectors={detectors!r}: expected a dictionary of River's drift detectors by name")
    found, default = {}, "" if classes is None else WATCHED_OF_CLASSES if classes else WATCHED_MEASURE
    for name, given in (detectors or {}).items():
        checked_text("detectors: name", name)
        if name == RUN_EVENTS[ALARM].source:
            raise ValueError(f"detectors: {name!r} is what the run calls its own; expected another name")
        with within(f"detectors[{name!r}]"):
            if isinstance(given, Watched):
                given = (given.detector, given.measure)
            detector, measure = given if isinstance(given, tuple) and len(given) == 2 else (given, default)
            measure = default if measure == "" else measure
            if measure != "":
                (measure,) = measure_names(measure)
                if not MEASURES[measure].has_curve:
                    raise ValueError(f"{measure} is not defined for one row; expected another measure")
            found[name] = Watched(RecordedDetector(detector).detector, measure)
    return found


def _title_of(name: str) -> str:
    measure = MEASURES[name]
    return f"{measure.range[1]:g} − {measure.title}" if measure.higher_is_better else measure.title


class DriftWatch:
    """Detectors on the errors of one learner.

    Parameters
    ----------
    detectors
        By name.
    """

    def __init__(self, detectors: Mapping[str, Watched]) -> None:
        self._watched = {name: (each.measure, RecordedDetector(each.detector)) for name, each in detectors.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """What the run calls them."""
        return tuple(self._watched)

    def errors(
        self, tracker: Tracker, Y: np.ndarray, labels: np.ndarray, scores: np.ndarray, past: Past | None
    ) -> np.ndarray:
        """Return what each detector is fed of each row, float64 (n, n_detectors); arguments are ``Tracker.batch``'s."""
        known: dict[str, np.ndarray] = {}
        for name, _ in self._watched.values():
            if name not in known:
                counts = MEASURES[name].counts
                kept = counts if past is None else tuple(with_classes(counts, tracker.n_labels))
                batch = tracker.batch(Y, labels, scores, kept, past)
                known[name] = _errors_of(name, batch, tracker)
        return np.column_stack([known[name] for name, _ in self._watched.values()])

    def update(self, errors: np.ndarray, rows: np.ndarray) -> list[Reported]:
        """Feed ``errors``, (n, n_detectors), that are known at the instances ``rows``; return what is noticed.

        ``before`` and ``after`` are the mean error since the last detection, and of the newest rows.

        Raises
        ------
        ValueError
            If a detector raises; it names it.
        """
        found: list[Reported] = []
        for column, (name, (measure, detector)) in enumerate(self._watched.items()):
            try:
                changes = detector.update_many(errors[:, column])
            except Exception as error:  # user code may raise anything
                raise ValueError(f"detector {name!r}: {with_type(error)}") from error
            for change in changes:
                rising = change.after > change.before
                message = f"{name}: {_title_of(measure)} {'rose' if rising else 'fell'}: "
                message += f"{change.before:.3g} → {change.after:.3g}"
                detail = {"detector": name, "measure": measure, "before": change.before, "after": change.after}
                found.append((int(rows[change.row]) + 1, DETECTION, message, {**detail, "rising": rising}))
        return found

    def state(self) -> dict[str, Any]:
        """Return the detectors' states, as a flat dictionary of arrays, by their places."""
        states = [detector.state() for _, detector in self._watched.values()]
        return {f"{place}.{key}": value for place, state in enumerate(states) for key, value in state.items()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``; raises a ValueError as ``RecordedDetector.set_state``."""
        for place, (name, (_, detector)) in enumerate(self._watched.items()):
            with within(f"detector {name!r}"):
                detector.set_state(under(state, f"{place}."))


def _errors_of(name: str, batch: Batch, tracker: Tracker) -> np.ndarray:
    """Return a measure of each row alone, such that more is worse, float64 (n,)."""
    if name == WATCHED_MEASURE:
        return (batch.Y != batch.Z).mean(axis=1) if batch.n_labels else np.zeros(len(batch))
    if name == WATCHED_OF_CLASSES:
        return (batch.Y != batch.Z).any(axis=1).astype(np.float64)
    measure, values = MEASURES[name], np.empty(len(batch))
    kept = measure.counts if batch.past is None else with_classes(measure.counts, batch.n_labels)
    counts = Counts.zeros(batch.n_labels, kept, n_levels=tracker.n_levels)
    for row in range(len(batch)):
        counts.clear()
        counts.add_batch(batch.rows(row, row + 1))
        values[row] = measure.of(counts, tracker.zero_division) if measure.available(counts) else np.nan
    return measure.range[1] - values if measure.higher_is_better else values
