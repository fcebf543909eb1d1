"""What benchmarks share: the command, options, a run test then train, clocks, alternated repeats, results, tables.

A benchmark is a function of its options. It makes its subjects and peers, runs them by turns (``alternated``) or one
after the other over a set (``followed``), and shows a ``Sheet``. A ``Command`` runs it by its name.
"""

from __future__ import annotations

import argparse
import ast
import csv
import math
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.console import Console

from streamlab.learners import Learner
from streamlab.learners.base.decision import choose_expected
from streamlab.measures import Counts, counts_of, evaluate

__all__ = [
    "CHUNK", "LOSSES", "MISSING", "ROOT", "Command", "Followed", "NoBrowser", "Results", "Sheet", "alternated", "asked",
    "console", "figure", "figures", "followed", "markdown", "mean", "show_rates", "shown", "with_tables",
]  # fmt: skip

ROOT = Path(__file__).resolve().parents[1]
CHUNK = 100
MACHINE_MADE = "<!-- Made by `python -m benchmarks all`: do not edit below. -->"
MISSING = "—"
console = Console(soft_wrap=True, markup=False, highlight=False)
progress = Console(stderr=True, soft_wrap=True, markup=False, highlight=False)
LOSSES = ("hamming_loss", "log_loss", "brier_loss")


# ---------------------------------------------------------------------- the command


class NoBrowser(RuntimeError):
    """There is no browser to drive; the message says what is missing."""


@dataclass(frozen=True)
class Command:
    """``python -m PACKAGE NAME... [OPTIONS]``: what a package runs by name; without a name, it lists them.

    Parameters
    ----------
    package
        With dots.
    files
        Names by the file that has them, or by the module of another package; a file's function is ``main``, else there
        is one of each name.
    page
        The page of the docs that ``all`` writes tables into; "": there is no ``all``.
    with_words
        Names whose function also takes words, such as a folder; ``all`` leaves them out.
    """

    package: str
    files: Mapping[str, Sequence[str]]
    page: str = ""
    with_words: Sequence[str] = ()

    def available(self) -> dict[str, str]:
        """The names, each with the first line of the docstring of its function, or of its file."""
        found = {}
        for file, names in self.files.items():
            path = ROOT.joinpath(*self._module(file).split(".")).with_suffix(".py")
            tree = ast.parse(path.read_text(encoding="utf-8"))
            functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
            for name in names:
                told = ast.get_docstring(tree if "main" in functions else functions[name]) or ""
                found[name] = told.partition("\n")[0]
        return found

    def loaded(self, name: str) -> Callable[[Sequence[str]], int | None]:
        """Import the file of a name, and return its function."""
        file = next(file for file, names in self.files.items() if name in names)
        module = import_module(self._module(file))
        return getattr(module, "main", None) or getattr(module, name)

    def _module(self, file: str) -> str:
        return file if "." in file else f"{self.package}.{file}"

    def __call__(self, arguments: list[str]) -> int:
        if arguments and arguments[0] in self.with_words:
            return self.run(arguments[0], arguments[1:])
        at = next((i for i, each in enumerate(arguments) if each.startswith("-")), len(arguments))
        names, options = arguments[:at], arguments[at:]
        known = self.available()
        every = names == ["all"] and bool(self.page)
        if unknown := [name for name in names if name not in known and not every]:
            console.print(f"no {', '.join(map(repr, unknown))}; there are: {', '.join(known)}")
            return 2
        if not names and options in ([], ["--list"]):
            for name, purpose in known.items():
                console.print(f"{name:15} {purpose}")
            return 0
        if options and (len(names) != 1 or every):
            console.print(f"{' '.join(options)}: expected one name before them")
            return 2
        names = [name for name in known if name not in self.with_words] if every else names
        return max(self.run(name, options, every) for name in names)

    def run(self, name: str, options: Sequence[str], write: bool = False) -> int:
        """Run one, and write its tables into the page if asked to; returns its exit code."""
        Sheet.shown_so_far.clear()
        try:
            code = self.loaded(name)(options) or 0
        except NoBrowser as missing:
            console.print(str(missing))
            return 1
        if write and Sheet.shown_so_far:
            page = ROOT / self.page
            tables = [sheet.text() for sheet in Sheet.shown_so_far]
            page.write_text(with_tables(page.read_text(encoding="utf-8"), name, tables), encoding="utf-8")
        return code


def with_tables(page: str, name: str, tables: Sequence[str]) -> str:
    """Return a page with the tables of a benchmark in its machine-made part, in place of its former ones."""
    written, _, made = page.partition(MACHINE_MADE)
    parts = dict(re.findall(r"^## (\w+)\n\n(.*?)\n*(?=^## |\Z)", made, re.MULTILINE | re.DOTALL))
    parts[name] = "\n\n".join(tables)
    sections = (f"## {each}\n\n{parts[each]}" for each in sorted(parts))
    return "\n\n".join([written.rstrip(), MACHINE_MADE, *sections]) + "\n"


# ---------------------------------------------------------------------- options


def asked(name: str, options: Sequence[str] | None, **defaults: Any) -> argparse.Namespace:
    """Return the options of a benchmark, or of another package's program ("docs.figures book"), told by their defaults.

    A list takes some of its own members, a tuple any values of its first member's type, False is a switch, None a path,
    and a number or a word another one. ``Path`` itself is a path that must be given, without the option's name.
    """
    parser = argparse.ArgumentParser(f"python -m {name if ' ' in name else f'benchmarks {name}'}")
    for option, default in defaults.items():
        told = "default: %(default)s"
        flag = f"--{option.replace('_', '-')}"
        if default is Path:
            parser.add_argument(option, type=Path)
        elif isinstance(default, list):
            parser.add_argument(flag, nargs="*", choices=default, default=default, metavar=option.upper(), help=told)
        elif isinstance(default, tuple):
            parser.add_argument(flag, nargs="+", type=type(default[0]), default=list(default), help=told)
        elif default is False:
            parser.add_argument(flag, action="store_true")
        else:
            parser.add_argument(flag, type=Path if default is None else type(default), default=default, help=told)
    return parser.parse_args(list(options or ()))


# ---------------------------------------------------------------------- runs and clocks


@dataclass
class Followed:
    """A run, test then train: the learner after it, its answers, CPU seconds of each chunk, and its events."""

    model: Learner
    Y: np.ndarray
    scores: np.ndarray
    labels: np.ndarray
    chunk_seconds: list[float]
    events: list[dict[str, Any]]

    @property
    def seconds(self) -> float:
        """CPU seconds inside the learner."""
        return sum(self.chunk_seconds)

    @property
    def rate(self) -> float:
        """Rows a CPU second."""
        return len(self.Y) / max(self.seconds, 1e-9)

    def count(self, kind: str) -> int:
        """How many events of a kind there were."""
        return sum(event["kind"] == kind for event in self.events)

    def row_f1(self) -> np.ndarray:
        """Example F1 of each row, 0/0 = 0."""
        sums = self.labels.sum(axis=1, dtype=int) + self.Y.sum(axis=1, dtype=int)
        return 2.0 * (self.labels & self.Y).sum(axis=1) / np.maximum(sums, 1)

    def figures(self) -> dict[str, float]:
        """The measures of the whole stream."""
        return figures(self.Y, self.labels, self.scores, decides=hasattr(self.model, "decision"))


def followed(model: Learner, data: tuple[Any, Any, np.ndarray], chunk: int = CHUNK) -> Followed:
    """Let a learner answer and then learn a data set (schema, X, Y), chunk by chunk."""
    schema, X, Y = data
    model.bind(schema)
    answers, seconds, events = [], [], []
    for start in range(0, len(Y), chunk):
        begun = time.thread_time()
        answers.append(model.test_then_train(X[start : start + chunk], Y[start : start + chunk]))
        seconds.append(time.thread_time() - begun)
        events += model.take_events()
    scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    return Followed(model, Y, scores, labels, seconds, events)


def alternated(
    jobs: Mapping[str, Callable[[], object]], repeats: int = 5, clock: Callable[[], float] = time.process_time
) -> dict[str, float]:
    """Return the median seconds of each job, run by turns, so that what else the machine does meets all of them.

    Each runs once before: kernels are compiled and files read.
    """
    for job in jobs.values():
        job()
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            begun = clock()
            job()
            taken[name].append(clock() - begun)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


# ---------------------------------------------------------------------- results that are kept


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

    def complete(self, keys: Iterable[tuple[Any, ...]], measure: Callable[..., dict[str, Any]]) -> None:
        """Measure, and keep, what is not there yet: ``measure`` takes the fields of a key."""
        for key in keys:
            if not self.holds(*key):
                self.add({**dict(zip(self.key, key, strict=True)), **measure(*key)})

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row; further values of it are left out."""
        self.rows.append({field: row[field] for field in self.fields})
        if self.path is not None:
            with self.path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, self.fields)
                writer.writeheader()
                writer.writerows(self.rows)


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


def shown(value: float | str | None, digits: int = 3) -> str:
    """What somebody else measured, as it stands in a table, or a dash."""
    return MISSING if value is None else value if isinstance(value, str) else figure(value, digits)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, as the files in ``docs`` have it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@dataclass
class Sheet:
    """A table under its title; ``shown_so_far`` has those that this process showed."""

    title: str
    header: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)

    shown_so_far: ClassVar[list[Sheet]] = []

    def add(self, *cells: Any) -> None:
        """Add a line: words as they are, whole numbers with commas, other numbers with three digits."""
        self.rows.append([self._cell(cell) for cell in cells])
        # the table comes at the end, which may be hours away
        progress.print(" | ".join(self.rows[-1]))

    @staticmethod
    def _cell(cell: Any) -> str:
        if isinstance(cell, (bool, str)) or cell is None:
            return MISSING if cell is None else str(cell)
        return f"{cell:,}" if isinstance(cell, (int, np.integer)) else figure(float(cell))

    def text(self) -> str:
        """The title and the table in Markdown."""
        return f"{self.title}\n\n{markdown(self.header, self.rows)}"

    def show(self) -> None:
        """Print it, and remember it."""
        Sheet.shown_so_far.append(self)
        console.print(f"\n{self.text()}")


def show_rates(title: str, rates: Mapping[str, float], of: str) -> None:
    """Show instances a second, and how much faster than each the one named ``of`` is."""
    sheet = Sheet(title, ("", "instances/s", f"{of} is faster by"))
    for name, rate in rates.items():
        sheet.add(name, f"{rate:,.0f}", f"{rates[of] / rate:,.2f}")
    sheet.show()
