"""Plant faults in the code, one at a time, and see whether the tests of a push find them.

``python -m tests.planted_faults --faults 40 --seed 1`` copies the repository to a temporary folder, changes one place
of it, and runs the tests of its folder; where these pass, those that all learners and runs go through, and for pages
those in a browser. A fault counts as found when a test fails. It prints a table in Markdown (docs/planted_faults.md),
and takes an hour or two.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is",
               "in": "not in", "not in": "in"}  # fmt: skip
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "//", "and": "or", "or": "and"}
OF_ALL = ("tests/test_recorded_runs.py", "tests/test_testing.py", "tests/test_evaluate.py", "tests/test_cli.py")
"""Tests that every learner and every run goes through."""
LIMIT_S = 900


class Fault(NamedTuple):
    """One place of a file, and what stands there instead."""

    file: str
    line: int
    kind: str
    start: int
    stop: int
    new: str

    def planted(self, text: bytes) -> bytes:
        return text[: self.start] + self.new.encode() + text[self.stop :]


def is_check(node: ast.AST) -> bool:
    """Return whether a statement only calls a function that checks something, ``checked_count("n", n)``."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    return ast.unparse(node.value.func).rpartition(".")[2].lstrip("_").startswith("check")


def faults_in(path: Path) -> Iterator[Fault]:
    """Yield every fault that a file can have."""
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    file = str(path.relative_to(ROOT))

    def at(line: int, column: int) -> int:
        return starts[line - 1] + column

    def between(kind: str, left: ast.expr, right: ast.expr, changes: dict[str, str]) -> Iterator[Fault]:
        start, stop = at(left.end_lineno or 0, left.end_col_offset or 0), at(right.lineno, right.col_offset)
        gap = text[start:stop].decode()
        word = gap.strip(" ()\n\\")
        if word in changes:
            start += len(gap[: gap.index(word)].encode())
            yield Fault(file, right.lineno, kind, start, start + len(word), changes[word])

    tree = ast.parse(text)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for inner in [each for statement in node.body for each in ast.walk(statement)]:
            if isinstance(inner, ast.Compare):
                yield from between("comparison", inner.left, inner.comparators[0], COMPARISONS)
            elif isinstance(inner, ast.BinOp):
                yield from between("operator", inner.left, inner.right, OPERATORS)
            elif isinstance(inner, ast.BoolOp):
                yield from between("operator", inner.values[0], inner.values[1], OPERATORS)
            elif isinstance(inner, ast.Constant) and type(inner.value) is int:
                start, stop = at(inner.lineno, inner.col_offset), at(inner.end_lineno or 0, inner.end_col_offset or 0)
                yield Fault(file, inner.lineno, "off by one", start, stop, str(inner.value + 1))
            elif isinstance(inner, ast.Raise) or is_check(inner):
                start, stop = at(inner.lineno, inner.col_offset), at(inner.end_lineno or 0, inner.end_col_offset or 0)
                yield Fault(file, inner.lineno, "dropped check", start, stop, "pass")
            elif isinstance(inner, ast.With) and len(inner.items) == 1:
                lock = inner.items[0].context_expr
                if "lock" in ast.unparse(lock) and inner.items[0].optional_vars is None:
                    start, stop = at(inner.lineno, inner.col_offset), at(lock.end_lineno or 0, lock.end_col_offset or 0)
                    yield Fault(file, inner.lineno, "lost lock", start, stop, "if True")
            elif isinstance(inner, ast.Call) and len(inner.args) > 1:
                first, second = inner.args[:2]
                if not any(isinstance(each, ast.Starred) for each in (first, second)):
                    ends = [(at(x.lineno, x.col_offset), at(x.end_lineno or 0, x.end_col_offset or 0))
                            for x in (first, second)]  # fmt: skip
                    (a, b), (c, d) = ends
                    swapped = (text[c:d] + text[b:c] + text[a:b]).decode()
                    yield Fault(file, inner.lineno, "swapped arguments", a, d, swapped)


def chosen(n: int, seed: int) -> list[Fault]:
    """Return faults of all kinds in turn, each in a place drawn among all of its kind."""
    draw = random.Random(seed)
    kinds: dict[str, list[Fault]] = {}
    for path in sorted((ROOT / "streamlab").rglob("*.py")):
        for fault in faults_in(path):
            kinds.setdefault(fault.kind, []).append(fault)
    order = sorted(kinds)
    return [draw.choice(kinds[order[i % len(order)]]) for i in range(n)]


def tests_of(file: str) -> list[list[str]]:
    """Return the tests to run for a file, the nearest first: its own, its folder's, those above, those of all."""
    parts = Path(file).with_suffix("").parts[1:]
    rounds = [
        ["tests/test_locks.py"],
        [f"tests/{'/'.join(parts[:-1])}/test_{parts[-1].strip('_')}.py".replace("//", "/")],
    ]
    rounds += [[f"tests/{'/'.join(parts[:depth])}"] for depth in range(len(parts) - 1, 0, -1)]
    rounds.append([f"tests/test_{parts[0]}.py"])
    rounds.append(["tests/ui"] if "page" in parts or parts[0] in ("views", "lessons") else list(OF_ALL))
    there = [[each for each in round if (ROOT / each).exists()] for round in rounds]
    return [each for each in there if each]


def finds(copy: Path, fault: Fault) -> str:
    """Return the first test that fails; "" if none does."""
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    for tests in tests_of(fault.file):
        options = ("-x", "-q", "-p", "no:cacheprovider")
        command = [sys.executable, "-m", "pytest", *options, *tests]
        try:
            ended = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{' '.join(tests)} did not end"
        failed = [line.split(" - ")[0] for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        if failed:
            return failed[0].partition(" ")[2]
        if "Fatal Python error" in ended.stderr:
            # an index beyond an array: with its process the summary of a worker's tests is lost
            return f"{' '.join(tests)}, where the process dies"
        if ended.returncode not in (0, 5):
            raise RuntimeError(f"{' '.join(tests)} could not run: {ended.stdout[-500:]}{ended.stderr[-500:]}")
    return ""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--faults", type=int, default=40)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--list", action="store_true", help="say which, and plant none")
    options = asked.parse_args()
    faults, n_found = chosen(options.faults, options.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        if not options.list:
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "node_modules", "build"))
            (Path(folder) / "shared").symlink_to((ROOT / ".." / "shared").resolve())
        for number, fault in enumerate(faults, 1):
            text = (ROOT / fault.file).read_bytes()
            old, begun = text[fault.start : fault.stop].decode().replace("\n", " "), time.monotonic()
            said = ""
            if not options.list:
                (copy / fault.file).write_bytes(fault.planted(text))
                said = finds(copy, fault)
                (copy / fault.file).write_bytes(text)
            n_found += bool(said)
            new = fault.new.replace("\n", " ")
            place = f"{fault.file.removeprefix('streamlab/')}:{fault.line}"
            row = (str(number), fault.kind, place, f"`{old[:40]}` → `{new[:40]}`", said or "not found")
            print(f"| {' | '.join(row)} | {time.monotonic() - begun:.0f} s |", flush=True)  # noqa: T201
    print(f"\n{n_found} of {len(faults)} found, seed {options.seed}")  # noqa: T201


if __name__ == "__main__":
    main()
