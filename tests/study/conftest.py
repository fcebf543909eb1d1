"""Processes of studies stay for the next one: to start one takes three seconds, of which few tests ask anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from streamlab.study import local
from streamlab.study.local import Worker


class Staying(Worker):
    """A process that is idle at the end of a study waits for another; one with limits ends, as it may hold anything."""

    def __init__(self, reports: Any) -> None:
        super().__init__(reports)
        self.is_limited = False

    def begin(self, cell: Any, store: Any, limits: Any) -> None:
        self.is_limited |= limits.seconds is not None or limits.gigabytes is not None
        super().begin(cell, store, limits)

    def end(self) -> None:
        if self.is_limited or self.cell is not None or self.process.poll() is not None:
            super().end()
        else:
            IDLE.append((surroundings(), self))


IDLE: list[tuple[Any, Staying]] = []


def surroundings() -> tuple[str, dict[str, str]]:
    # pytest tells in its own variable which test runs
    return os.getcwd(), {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def taken(reports: Any) -> Staying:
    """Return an idle process that was started as one would be here, or start one."""
    here = surroundings()
    for place, (where, worker) in enumerate(IDLE):
        if where == here and worker.process.poll() is None:
            del IDLE[place]
            worker._reports = reports
            return worker
    return Staying(reports)


@pytest.fixture(scope="session")
def idle_workers() -> Iterator[list[tuple[Any, Staying]]]:
    yield IDLE
    for _, worker in IDLE:
        Worker.end(worker)


@pytest.fixture(scope="module", autouse=True)
def workers_stay(idle_workers: Any) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "Worker", taken)
        yield
