"""OnlineLogistic beside Vowpal Wabbit (the extra ``peers``): wide rows, one pass, in the same run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse

import streamlab as sl
from benchmarks.data import missing, read
from benchmarks.harness import CHUNK, Sheet, alternated, asked, console, figure
from streamlab.learners.base._decisions import choose_expected_f1
from streamlab.measures import Counts, evaluate

__all__ = ["linear"]


def linear(options: Sequence[str]) -> int:
    """OnlineLogistic and Vowpal Wabbit: rows a CPU second, and example F1 by the same rule, one pass."""
    given = asked("linear", options, sets=["tmc", "20ng"], repeats=3)
    if missing():
        return 1
    try:
        from vowpalwabbit import Workspace
    except ImportError:
        console.print('Vowpal Wabbit is not there: pip install ".[peers]"')
        return 1
    heads = ("", "rows", "", "rows/s", "× OnlineLogistic", "example F1")
    sheet = Sheet("one pass, medians by turns", heads)
    for name in given.sets:
        schema, X, Y = read(name)
        options_of_peer = f"--multilabel_oaa {schema.n_labels} --loss_function logistic --probabilities --quiet"
        lines = lines_of(X, Y)

        def made(options: str = options_of_peer) -> Any:
            return Workspace(options)

        ours, theirs = jobs(made, schema, X, Y, lines)
        taken = alternated({"OnlineLogistic": ours, "Vowpal Wabbit": theirs}, given.repeats)
        scores = {"OnlineLogistic": ours(), "Vowpal Wabbit": asked_first(made(), lines, Y.shape)}
        for learner, seconds in taken.items():
            labels = np.zeros(Y.shape, np.uint8)
            choose_expected_f1(scores[learner], True, labels)
            counts = Counts.zeros(schema.n_labels).count(Y, labels)
            sheet.add(
                name, len(Y), learner, f"{len(Y) / seconds:,.0f}", figure(taken["OnlineLogistic"] / seconds, 2),
                evaluate(counts, ["example_f1"])["example_f1"],
            )  # fmt: skip
    sheet.show()
    return 0


def jobs(
    made: Callable[[], Any], schema: Any, X: np.ndarray, Y: np.ndarray, lines: Sequence[str]
) -> tuple[Callable[[], np.ndarray], Callable[[], None]]:
    """Return what is timed: sparse rows scored and learned by chunks; lines parsed, scored and learned one by one."""
    rows = scipy.sparse.csr_array(X)

    def ours() -> np.ndarray:
        model = sl.OnlineLogistic(decision="half")
        model.bind(schema)
        cuts = [slice(start, start + CHUNK) for start in range(0, len(Y), CHUNK)]
        return np.concatenate([model.test_then_train(rows[cut], Y[cut])[0] for cut in cuts])

    def theirs() -> None:
        model = made()
        for line in lines:
            # what it learns it has scored
            model.learn(line)

    return ours, theirs


def lines_of(X: np.ndarray, Y: np.ndarray, nominal: np.ndarray | None = None) -> list[str]:
    """Return rows as Vowpal Wabbit reads them: the labels' numbers, then the values other than 0 and what is missing.

    Of the features that are ``nominal`` (bool, by feature) each category is a word.
    """
    words = np.zeros(X.shape[1], np.bool_) if nominal is None else nominal
    lines = []
    for x, y in zip(X, Y, strict=True):
        told = np.flatnonzero(((x != 0) | words) & (x == x))
        values = (f"{j}_{x[j]:g}" if words[j] else f"{j}:{x[j]:g}" for j in told)
        lines.append(f"{','.join(map(str, np.flatnonzero(y)))} | {' '.join(values)}")
    return lines


def asked_first(model: Any, lines: Sequence[str], shape: tuple[int, int]) -> np.ndarray:
    """Return the scores of each row before it was learned."""
    scores = np.zeros(shape)
    for row, line in enumerate(lines):
        # its examples are used again, and the scores of an earlier row may stand before those asked for
        scores[row] = model.predict(line[line.index("|") :])[-shape[1] :]
        model.learn(line)
    return scores
