"""What a council is beside: the plain mean of three of its experts, the best expert in hindsight, and a refitted stack.

``python -m benchmarks references [--sets …] [--keep]``

Whoever combines good learners is ahead of each of them, learned trust or not. So what Council itself adds is what it
has above three references, made of the very scores that its experts gave it, row by row, and answered by the same rule:

- **fixed mean**: the mean log-odds of OnlineLogistic, RankedKNN and HedgedMLHAT, with nothing learned;
- **best expert**: of the seven, the one with the highest example F1 on this stream, known afterwards;
- **refitted stack**: scikit-learn's logistic regression with the weights that Council has, some that all labels share
  and some of each label, fitted again every 250 rows.

Each set goes in the order of its file and shuffled; five also with a drift half-way, a rotation of all labels.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
from scipy.special import expit, logit

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import Sheet, asked
from benchmarks.kept import REFERENCES, keep, machine, versions
from benchmarks.study_sets import LATE, SETS, sources
from streamlab.learners.base._decisions import choose_expected_f1
from streamlab.learners.council._stack import FARTHEST
from streamlab.study.definition import sources_of, stream_of

__all__ = ["EVERY", "ORDERS", "Heard", "answered", "f1_by_row", "heard", "references", "values_of"]

PLAIN = ("OnlineLogistic", "RankedKNN", "HedgedMLHAT")
"""Whose log-odds the fixed mean is of."""
EVERY = 250
"""Rows after which the stack is fitted again."""
LATEST = 100_000
"""Answers (rows times labels) that it is fitted to, the latest."""
OWN, PENALTY = 0.3, 0.1
"""Size of a label's own inputs, and C of the regression: the best of four pairs on streams of up to 3,800 rows."""
ORDERS = ("file", "shuffled", "drift")


@dataclass(frozen=True)
class Heard:
    """What the experts and the council said of each row before they learned it.

    Parameters
    ----------
    names
        The experts.
    Y
        What is true, uint8 (rows, labels).
    scores
        The experts' scores, float64 (experts, rows, labels).
    labels
        The council's answers, uint8 (rows, labels).
    """

    names: tuple[str, ...]
    Y: np.ndarray
    scores: np.ndarray
    labels: np.ndarray


def heard(stream: sl.Stream, model: sl.Council | None = None) -> Heard:
    """Let a council answer and learn a stream; return what it was told, and what it answered."""
    model = sl.Council(seed=1) if model is None else model
    model.bind(stream.schema)
    told, combine = [], model._combine

    def listening(scores: np.ndarray, Y: Any, start: int, stop: int, *rest: Any) -> None:
        told.append(scores[:, start:stop].copy())
        combine(scores, Y, start, stop, *rest)

    model._combine = listening  # type: ignore[method-assign]  # of this one object, which nobody keeps
    rows = [(chunk.Y, model.test_then_train(chunk.X, chunk.Y)[1]) for chunk in stream.chunks(1000)]
    Y, labels = (np.concatenate(part) for part in zip(*rows, strict=True))
    return Heard(tuple(model.experts), Y, np.concatenate(told, axis=1), labels)


def references(options: Sequence[str]) -> None:
    """Council beside the fixed mean of three experts, the best expert in hindsight and a refitted stack."""
    given = asked("references", options, sets=list(SETS), keep=False)
    heads = ("", "order", "Council", "fixed mean", "best expert", "", "refitted stack")
    sheet, rows = Sheet("example F1 by expected F1, seed 1", heads), []
    for name, source in sources_of(sources(given.sets), SHARED).items():
        for order, stream in _orders(stream_of(source.recipe, source.identity), name):
            found = values_of(heard(stream))
            rows.append({"stream": name, "order": order, **found})
            sheet.add(name, order, *(found[each] for each in ("council", "fixed", "best", "expert", "stack")))
    sheet.show()
    if given.keep:
        made = {"versions": versions(), "machine": machine(), "ended": time.strftime("%Y-%m-%d")}
        keep(pd.DataFrame(rows).assign(**made), REFERENCES)


def _orders(stream: sl.Stream, name: str) -> Iterator[tuple[str, sl.Stream]]:
    yield "file", stream
    yield "shuffled", sl.shuffle_rows(stream, seed=1)
    if name in LATE and stream.n_rows:
        yield "drift", sl.rotate_labels(stream, at=stream.n_rows // 2)


def values_of(found: Heard) -> dict[str, Any]:
    """Return the example F1 of the council and of its references, and the name of the best expert."""

    def of(labels: np.ndarray) -> float:
        return float(f1_by_row(found.Y, labels).mean())

    experts = [of(answered(scores)) for scores in found.scores]
    return {
        "council": of(found.labels), "fixed": of(answered(fixed_mean(found))), "best": max(experts),
        "expert": found.names[int(np.argmax(experts))], "stack": of(answered(refitted(found))),
    }  # fmt: skip


def f1_by_row(Y: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the F1 of each row; 0 where nothing is true or nothing is answered."""
    total = labels.sum(axis=1, dtype=np.int64) + Y.sum(axis=1, dtype=np.int64)
    return 2 * (labels & Y).sum(axis=1) / np.maximum(total, 1)


def answered(scores: np.ndarray) -> np.ndarray:
    """Return the labels of the highest expected F1, at least one, as Council answers."""
    labels = np.zeros(scores.shape, np.uint8)
    choose_expected_f1(np.ascontiguousarray(scores), True, labels)
    return labels


# ---------------------------------------------------------------------- the references


def log_odds(scores: np.ndarray) -> np.ndarray:
    """Return scores as Council's trust learns from them."""
    with np.errstate(divide="ignore"):
        return np.clip(logit(np.clip(scores, 0.0, 1.0)), -FARTHEST, FARTHEST)


def fixed_mean(found: Heard) -> np.ndarray:
    """Return the mean log-odds of three experts as probabilities, (rows, labels)."""
    return expit(log_odds(found.scores[[found.names.index(name) for name in PLAIN]]).mean(axis=0))


def refitted(found: Heard, every: int = EVERY) -> np.ndarray:
    """Return the probabilities of a stack that is fitted again every so many rows, (rows, labels).

    Its inputs are the experts' log-odds, those of the label's share so far, and 1. Until it is first fitted it is the
    mean of the experts' log-odds, as Council begins.
    """
    from sklearn.linear_model import LogisticRegression

    n, n_labels = found.Y.shape
    z = log_odds(found.scores).transpose(1, 2, 0)
    before = np.cumsum(found.Y, axis=0, dtype=np.float64) - found.Y
    share = logit((before + 0.1) / (np.arange(n)[:, None] + 1.0))
    out = expit(z.mean(axis=2))
    inputs = np.concatenate([share[:, :, None], z, np.ones((n, n_labels, 1))], axis=2)
    model = LogisticRegression(C=PENALTY, fit_intercept=False, warm_start=True, max_iter=500)
    for start in range(every, n, every):
        past, rows = slice(max(0, start - LATEST // n_labels), start), slice(start, start + every)
        true = found.Y[past].ravel()
        if true.min() < true.max():
            model.fit(_shared_and_own(inputs[past]), true)
            out[rows] = model.predict_proba(_shared_and_own(inputs[rows]))[:, 1].reshape(-1, n_labels)
    return out


def _shared_and_own(inputs: np.ndarray) -> scipy.sparse.csr_array:
    """Return (rows × labels, (1 + labels) × k): the k inputs of each answer, and again in its label's own columns."""
    n, n_labels, k = inputs.shape
    values = inputs.reshape(-1, k)
    columns = np.tile(np.arange(n_labels), n)[:, None] * k + np.arange(k, 2 * k)
    shared = np.broadcast_to(np.arange(k), columns.shape)
    return scipy.sparse.csr_array(
        (
            np.hstack([values, OWN * values]).ravel(),
            np.hstack([shared, columns]).ravel(),
            np.arange(len(values) + 1) * 2 * k,
        ),
        shape=(len(values), (1 + n_labels) * k),
    )
