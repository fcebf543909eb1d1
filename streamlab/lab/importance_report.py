"""What matters to a learner, as tables: now, what changed, what moved a row's answer, what would have mended it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.lab.asking import Asking, dense, values_of
from streamlab.lab.importance import Importance
from streamlab.streams import is_csr
from streamlab.streams.draws import uniform

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.lab.run import Run
    from streamlab.schema import Feature

DRAWS, VALUES, AT_ONCE = 20, 64, 64
"""Values drawn for what moved a row's answer; those of a feature that are tried to mend it, and rows asked together."""
WORDS = ("", "since", "no longer")
"""What is clear of a feature's change."""
LEAST = 0.005
"""A move of a score that is reported is at least so large."""
GONE = 3
"""What matters so many times less than before matters no longer."""
OF_ROW = 2**41
"""Key of the draws for a row; the draws of a feature follow each other."""


def foremost(importance: Importance, n: int = 3) -> list[str]:
    """Return the names of the ``n`` features that matter most now, fewer where no others matter."""
    found, features = changes(importance, None), importance.schema.features
    places = np.flatnonzero(found["value"] > 2 * found["error"])
    return [features[j].name for j in places[np.argsort(-found["value"][places], kind="stable")][:n]]


def changes(importance: Importance, since: int | None) -> dict[str, np.ndarray]:
    """Return what changed since so many rows had passed, as arrays by the feature's place; None: nothing is known.

    ``value`` and ``error`` now, ``then``, and ``of_change``, the error of their difference, NaN where not known;
    ``word``, its place in ``WORDS``; ``clear``, whether the value changed by more than two errors.
    """
    value, error, then, noise = np.full((4, importance.schema.n_features), np.nan)
    places = (importance.held >= 0) & (importance.sums[0] > 0)
    value[importance.held[places]], error[importance.held[places]] = (
        each[places] for each in values_of(importance.sums)
    )
    at, features, values, errors = importance.points()
    if since is not None and (at <= since).any():
        point = np.flatnonzero(at <= since)[-1]
        then[features[point]], noise[features[point]] = values[point], errors[point]
    more, both = value - then, np.hypot(error, noise)
    clear = np.abs(more) > 2 * both
    is_new = (value > 2 * error) & (more > value / 2)
    is_over = (then > 2 * noise) & ((value < then / GONE) | ~(value > 2 * error))
    word = np.select([clear & is_new, clear & is_over], [1, 2], 0)
    return {"value": value, "error": error, "then": then, "of_change": both, "word": word, "clear": clear}


def swapped(importance: Importance, since: int) -> tuple[list[str], list[str]]:
    """Return by which features a learner answers since a row, and by which no longer, those of most weight first.

    Each has a tenth at least of what matters most, now or then: what decides little is no cause.
    """
    found, features = changes(importance, since), importance.schema.features

    def named(word: int, weight: np.ndarray) -> list[str]:
        places = np.flatnonzero((found["word"] == word) & (weight >= np.nanmax(weight, initial=0.0) / 10))
        return [features[j].name for j in places[np.argsort(-weight[places], kind="stable")]]

    return named(1, found["value"]), named(2, found["then"])


def row_moves(importance: Importance, x: Any, n: int = 3, draws: int = DRAWS) -> pd.DataFrame:
    """Return which features moved the learner's present answer to a row most, both ways, the largest move first.

    Parameters
    ----------
    importance
        The learner's, which has been asked of rows.
    x
        The row: an array (n_features,), or CSR of one row.
    n
        How many features.
    draws
        Values of recent rows that are put in the place of each feature's own.

    Returns
    -------
    DataFrame
        By ``feature``: ``value``, the row's own (a category's index), the ``label`` whose score it moved most, and
        ``move``, by how much on average the score is higher for the row's own value; below 0: lower.
    """
    import pandas as pd

    x, (recent, flags), features = _one_row(x), importance.latest(), importance.asked
    keys, at = OF_ROW + features[None] * DRAWS, np.array([[importance.row]])
    which = np.concatenate([uniform(importance.asking.seed, keys + k, at) for k in range(draws)]) * len(flags)
    given = np.take_along_axis(dense(recent, features), which.astype(np.int64), 0)
    scores, _ = importance.answers(x, np.zeros(given.size, np.int64), np.tile(features, draws), given.ravel())
    move = scores[0] - scores[1:].reshape(draws, len(features), -1).mean(axis=0)
    label = np.abs(move).argmax(axis=1)
    most = np.take_along_axis(move, label[:, None], 1)[:, 0]
    order = np.argsort(-np.abs(most), kind="stable")[:n]
    index = pd.Index([importance.schema.features[j].name for j in features[order]], name="feature", dtype=object)
    labels = [importance.schema.labels[k] for k in label[order]]
    own = dense(x, features)[0, order]
    return pd.DataFrame({"value": own, "label": labels, "move": most[order]}, index)


def row_remedy(importance: Importance, x: Any, label: str, truth: bool) -> dict[str, Any] | None:
    """Return the smallest change of one feature that makes the learner's present answer about a label right.

    Parameters
    ----------
    importance, x
        As in ``row_moves``.
    label
        Its name.
    truth
        What would be right.

    Returns
    -------
    dict or None
        ``feature``, ``was``, ``value``: a value that a recent row has, up to 64 of each feature are tried, and the
        change is measured in standard deviations (another category, or from missing: 1).
        None: no such value makes it right.
    """
    x, column, (recent, _) = _one_row(x), importance.schema.labels.index(label), importance.latest()
    tried: list[tuple[float, int, float]] = []
    owns, known = dense(x, importance.asked)[0], dense(recent, importance.asked).T
    for j, own, values in zip(importance.asked.tolist(), owns, known, strict=True):
        others = np.unique(values[~np.isnan(values) & (values != own)])
        others = others[np.linspace(0, len(others) - 1, min(len(others), VALUES)).astype(np.int64)]
        if len(others):
            unit = np.inf if importance.schema.features[j].is_nominal else max(np.nanstd(values), 1e-300)
            step = np.ones(len(others)) if np.isinf(unit) else np.nan_to_num(np.abs(others - own) / unit, nan=1.0)
            tried += zip(step.tolist(), [j] * len(others), others.tolist(), strict=True)
    tried.sort()
    for start in range(0, len(tried), AT_ONCE):
        part = tried[start : start + AT_ONCE]
        features, values = np.array([j for _, j, _ in part]), np.array([value for *_, value in part])
        _, labels = importance.answers(x, np.zeros(len(part), np.int64), features, values)
        if (right := np.flatnonzero(labels[1:, column] == truth)).size:
            _, place, value = part[int(right[0])]
            was = float(dense(x, np.array([place]))[0, 0])
            return {"feature": importance.schema.features[place].name, "was": was, "value": value}
    return None


@dataclass(frozen=True)
class RowReasons:
    """Why a learner answers a run's latest row so.

    Parameters
    ----------
    learner
        Its name.
    moves
        Of the features that move its present answer most: the feature, the label, and by how much (``row_moves``).
    wrong
        The first label that it answered wrong, of those that the row has first; None: none.
    is_there
        Whether the row has that label.
    is_right_now
        Whether the learner answers it right by now.
    remedy
        The feature that would have made it right, what it was and what it would have had to be; None: none alone.
    """

    learner: str
    moves: tuple[tuple[str, str, float], ...]
    wrong: str | None = None
    is_there: bool = False
    is_right_now: bool = False
    remedy: tuple[Feature, float, float] | None = None


def row_reasons(run: Run, name: str) -> RowReasons:
    """Return why a learner answers the latest row so; call it on the thread that owns the run, which does not change.

    Raises
    ------
    ValueError
        If there is no such learner, or it has answered nothing.
    """
    learner_run, asked = run._learners.called(name), _asked_now(run, name)
    if run.last is None or learner_run.last_labels is None:
        raise ValueError(f"{name} has answered nothing")
    (x, truth), schema = run.last, run.stream.schema
    moves = row_moves(asked, x)
    large = tuple((feature, row.label, float(row.move)) for feature, row in moves.iterrows() if abs(row.move) >= LEAST)
    wrong = np.flatnonzero(learner_run.last_labels[: schema.n_labels] != truth[: schema.n_labels])
    if not len(wrong):
        return RowReasons(name, large)
    place = int(wrong[np.argmax(truth[wrong])])
    label, is_there = schema.labels[place], bool(truth[place])
    _, labels = asked.answers(_one_row(x), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    if bool(labels[0, place]) == is_there:
        return RowReasons(name, large, label, is_there, True)
    remedy = row_remedy(asked, x, label, is_there)
    if remedy is None:
        return RowReasons(name, large, label, is_there)
    feature = next(each for each in schema.features if each.name == remedy["feature"])
    return RowReasons(name, large, label, is_there, False, (feature, remedy["was"], remedy["value"]))


def _asked_now(run: Run, name: str) -> Importance:
    """Return what asks a learner about a row: the run's own, else one that begins here and that nobody keeps."""
    each = run._learners.called(name)
    if each.importance is not None and each.importance.batches:
        return each.importance
    made = run._learners.asked(name, each.learner, Asking())
    made.row = run.position
    if len(made.asked) < made.schema.n_features:
        made._choose(*made.latest())
    return made


def _one_row(x: Any) -> Any:
    return x if is_csr(x) else np.asarray(x, np.float64).reshape(1, -1)
