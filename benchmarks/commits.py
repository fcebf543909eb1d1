"""Learners of this checkout beside their own of a former commit, by turns, in two processes.

``python -m benchmarks commits [--before COMMIT] [--learners SMART …] [--streams tmc …] [--chunks 100 2000]``

Both learn the same rows, all features as numbers, by default settings and seed 1, test then train. The former commit
is checked out into a temporary folder, where its kernels are compiled once.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import missing, read
from benchmarks.harness import ROOT, Sheet, asked, console

__all__ = ["main"]

WORKER = Path(__file__).with_name("commit_worker.py")


def main(options: Sequence[str]) -> int:
    """Learners beside their own of a former commit, by turns: their speed, and whether they answer the same."""
    given = asked(
        "commits",
        options,
        before="HEAD~1",
        learners=("SMART",),
        streams=("yeast", "tmc"),
        chunks=(100,),
        rows=5000,
        rounds=9,
    )
    if missing():
        return 1
    sheet = Sheet(
        f"rows/s by CPU time, medians of {given.rounds} turns; this checkout beside {given.before}",
        ("learner", "stream", "chunk", given.before, "now", "now / before", "answers"),
    )
    with tempfile.TemporaryDirectory() as folder, checkout(given.before, Path(folder) / "before") as before:
        data = Path(folder) / "data.npz"
        for stream in given.streams:
            _, X, Y = read(stream)
            np.savez(data, X=X[: given.rows], Y=Y[: given.rows])
            for learner in given.learners:
                for chunk in given.chunks:
                    compare(sheet, (before, ROOT), learner, stream, data, chunk, given.rounds)
    sheet.show()
    return 0


@contextmanager
def checkout(commit: str, path: Path) -> Iterator[Path]:
    """A worktree of a commit, for as long as it is needed."""
    git = ("git", "-C", str(ROOT), "worktree")
    subprocess.run([*git, "add", "--quiet", "--detach", str(path), commit], check=True)
    try:
        yield path
    finally:
        subprocess.run([*git, "remove", "--force", str(path)], check=True)


def compare(
    sheet: Sheet, roots: tuple[Path, Path], learner: str, stream: str, data: Path, chunk: int, rounds: int
) -> None:
    """Run a learner of both checkouts by turns over a stream, and add a line."""
    with ExitStack() as stack:
        workers = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-P", WORKER, learner, str(data), str(chunk)],
                    cwd=data.parent,
                    env=os.environ | {"PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(data.parent / root.name)},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for root in roots
        ]
        answers = [_said(worker) for worker in workers]
        if "" in answers:
            console.print(f"{learner} on {stream}: {roots[answers.index('')].name} failed, as it says above")
            return
        rates: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            for worker, found in zip(workers, rates, strict=True):
                found.append(float(_said(worker, "again\n")))
    old, new = map(statistics.median, rates)
    ratio = f"{new / old:.2f} ({min(_ratios(rates)):.2f} to {max(_ratios(rates)):.2f})"
    equal = "equal" if answers[0] == answers[1] else "others"
    sheet.add(learner, stream, chunk, round(old), round(new), ratio, equal)


def _ratios(rates: tuple[list[float], list[float]]) -> list[float]:
    return [new / old for old, new in zip(*rates, strict=True)]


def _said(worker: Any, word: str = "") -> str:
    worker.stdin.write(word)
    worker.stdin.flush()
    return str(worker.stdout.readline().strip())
