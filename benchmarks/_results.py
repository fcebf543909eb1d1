"""Results of long benchmarks, kept row by row in a CSV file, so that a run goes on where it was stopped."""

from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from streamlab.learners.base.decision import choose_expected
from streamlab.measures import Counts, counts_of, evaluate

__all__ = ["LOSSES", "MISSING", "Results", "figure", "figures", "markdown", "mean", "print_table"]

MISSING = "—"
LOSSES = ("hamming_loss", "log_loss", "brier_loss")


class Results:
    """Rows of measured values, told apart by some of their fields.

    Parameters
    ----------
    path
        The file, or None to keep nothing.
    key
        The fields by which a row is known, in words; ``seed`` is a whole number.
    values
        The other fields, numbers.
    """

    def __init__(self, path: Path | None, key: tuple[str, ...], values: tuple[str, ...]) -> None:
        self.path, self.key, self.fields = path, key, (*key, *values)
        self.rows: list[dict[str, Any]] = []
        if path is not None and path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                self.rows = [{k: self._read(k, row.get(k, "")) for k in self.fields} for row in csv.DictReader(file)]

    def _read(self, field: str, text: str) -> Any:
        if field == "seed":
            return int(text)
        if field in self.key:
            return text
        # a field that the file was written without, or that was not measured
        return float(text) if text else math.nan

    def holds(self, *key: Any) -> bool:
        """Whether the row of this key has been measured."""
        return any(tuple(row[k] for k in self.key) == key for row in self.rows)

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row; further values of it are left out."""
        row = {field: row[field] for field in self.fields}
        self.rows.append(row)
        if self.path is None:
            return
        # a file of other fields is written again with these
        if len(self.rows) == 1 or self._header() != list(self.fields):
            with self.path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, self.fields)
                writer.writeheader()
                writer.writerows(self.rows)
            return
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.fields).writerow(row)

    def _header(self) -> list[str] | None:
        assert self.path is not None, "asked where there is a file"
        with self.path.open(newline="", encoding="utf-8") as file:
            return next(csv.reader(file), None)


def figures(Y: np.ndarray, labels: np.ndarray, scores: np.ndarray, *, decides: bool) -> dict[str, float]:
    """The measures of a whole stream's answers, 0/0 counted as 0 but in ``f1_empty_1``.

    Parameters
    ----------
    Y, labels, scores
        What is true, what was answered before, and the scores, of shape (n, n_labels).
    decides
        Whether the learner has the parameter ``decision``: then also the figures of its rule ``"cardinality"``, which
        follow from the same scores, as the rule does not touch what is learned. Else these are NaN.
    """
    names = ("example_f1", "micro_f1", *LOSSES)
    counts = Counts.zeros(Y.shape[1], counts_of(names)).count(Y, labels, scores)
    values = evaluate(counts, names)
    found = {"f1": values.pop("example_f1"), **values}
    found["f1_empty_1"] = evaluate(counts, ["example_f1"], zero_division=1.0)["example_f1"]
    by_rule = dict.fromkeys(("example_f1", "micro_f1", "hamming_loss"), math.nan)
    if decides:
        chosen = np.zeros(Y.shape, np.uint8)
        choose_expected(scores, chosen)
        by_rule = evaluate(Counts.zeros(Y.shape[1]).count(Y, chosen), by_rule)
    return found | {f"cardinality_{name.removeprefix('example_')}": value for name, value in by_rule.items()}


def mean(rows: Iterable[dict[str, Any]], field: str) -> float:
    """The mean of a field over the rows that have it; NaN where none has."""
    values = [row[field] for row in rows if not math.isnan(row[field])]
    return statistics.fmean(values) if values else math.nan


def figure(value: float, digits: int = 3, *, sign: bool = False) -> str:
    """A number as it stands in a table, or a dash."""
    return MISSING if math.isnan(value) else f"{value:{'+' if sign else ''},.{digits}f}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, as the files in ``docs`` have it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown under its title."""
    Console(soft_wrap=True, markup=False, highlight=False).print(f"\n{title}\n\n{markdown(header, rows)}")
