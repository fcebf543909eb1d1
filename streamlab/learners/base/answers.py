"""What a learner answers, and the timestamps that it is given, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab._checks import shown

ROUNDING = 1e-9
"""By how much a score may be outside [0, 1] before it is no matter of rounding."""


def checked_answer(owner: str, answer: Any, n: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and labels as float64 and uint8; those that are so already are returned as they are.

    Flags, whole numbers and single precision are taken where nothing is lost. The values of float64 and uint8 are not
    looked at: measures do that.

    Parameters
    ----------
    owner
        Name of the learner, for messages.
    answer
        What its ``_predict`` returned: a pair of arrays, scores and labels.
    n, n_labels
        The shape that both must have.

    Raises
    ------
    ValueError
        For anything else, naming the learner, what was found and what was expected.
    """
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        found = f"{type(answer).__name__} of {len(answer)}" if isinstance(answer, (tuple, list)) else shown(answer)
        raise ValueError(f"{owner} answered {found}; expected two arrays, scores and labels")
    scores, labels = answer
    return _array(owner, "scores", scores, (n, n_labels), np.float64), _array(
        owner, "labels", labels, (n, n_labels), np.uint8
    )


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Return scores as who asks for probabilities is told them: within [0, 1], where rounding has put them outside.

    What is further outside stays, so that whoever checks the learner sees it. Learners and measures go on with what was
    computed.
    """
    low, high = (scores.min(), scores.max()) if scores.size else (0.0, 1.0)
    is_rounded = low >= -ROUNDING and high <= 1 + ROUNDING
    return np.clip(scores, 0.0, 1.0) if is_rounded and (low < 0 or high > 1) else scores


def _array(owner: str, what: str, values: Any, shape: tuple[int, int], dtype: type) -> np.ndarray:
    if type(values) is np.ndarray and values.dtype == dtype and values.shape == shape:
        return values
    try:
        array = np.asarray(values)
    except ValueError:
        # rows of several lengths
        raise ValueError(f"{owner} answered {what} that are not an array; expected an array of shape {shape}") from None
    if array.shape != shape:
        raise ValueError(f"{owner} answered {what} of shape {array.shape}; expected {shape}, a column per label")
    if np.can_cast(array.dtype, dtype, "safe"):
        return array.astype(dtype)
    if array.dtype.kind not in "iuf" or dtype is np.float64:
        raise ValueError(f"{owner} answered {what} of dtype {array.dtype}; expected {np.dtype(dtype)}")
    allowed = (array == 0) | (array == 1)
    if not allowed.all():
        row, column = np.argwhere(~allowed)[0].tolist()
        raise ValueError(
            f"{owner} answered {what} with {array[row, column]} in row {row}, column {column}; expected 0 or 1"
        )
    return array.astype(dtype)


def checked_timestamps(timestamps: Any, n: int, now: int) -> np.ndarray | None:
    """Return timestamps as int64 (n,), or None if there are none.

    Raises
    ------
    ValueError
        Unless they are whole numbers that rise and come after ``now``, naming the row.
    """
    if timestamps is None:
        return None
    timestamps = np.asarray(timestamps)
    if timestamps.shape != (n,) or (n and timestamps.dtype.kind not in "iu"):
        raise ValueError(
            f"timestamps: {timestamps.dtype} of shape {timestamps.shape}; expected whole numbers of shape ({n},)"
        )
    timestamps = timestamps.astype(np.int64)
    before = np.concatenate([[now], timestamps[:-1]])[:n]
    if (timestamps <= before).any():
        row = int(np.argmax(timestamps <= before))
        raise ValueError(f"timestamps row {row}: {timestamps[row]} does not come after {before[row]}")
    return timestamps
