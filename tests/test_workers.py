"""Processes beside this one: what is ordered is done and reported, and whoever ends, the other one hears of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import streamlab
from streamlab.workers import WorkerProcess

ADDED = """
import os, sys
from streamlab.workers import orders, reporter

def add():
    report = reporter()
    print("a learner may print")
    os.system("echo its parts may, too")
    for asked in orders():
        if "numbers" not in asked:
            os._exit(7)
        report(total=sum(asked["numbers"]), threads=os.environ.get("OMP_NUM_THREADS"), place=os.getcwd())
    report(over=True)
"""


@pytest.fixture
def worker(tmp_path, monkeypatch):
    (tmp_path / "added_in_a_test.py").write_text(ADDED)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "of somebody else"
    folder.mkdir()
    (folder / "json.py").write_text("raise SystemExit('a file that only has this name')")
    made = WorkerProcess("added_in_a_test:add", one_thread=True, folder=str(folder))
    yield made
    made.end()


def test_orders_are_carried_out_one_after_another_and_prints_do_not_stand_between_reports(worker, tmp_path):
    for numbers in ([1, 2], [3, 4, 5]):
        worker.order(numbers=numbers)
        assert worker.report() == {"total": sum(numbers), "threads": "1", "place": str(tmp_path / "of somebody else")}


def test_when_orders_end_the_worker_finishes(worker):
    worker.end_orders()
    assert worker.report() == {"over": True}
    assert worker.report() is None
    assert worker.process.wait(60) == 0


def test_one_that_has_ended_reports_nothing_and_takes_orders_without_an_error(worker):
    worker.order(stop=True)
    assert worker.report() is None
    assert worker.process.wait(60) == 7
    worker.order(numbers=[1])
    worker.end_orders()
    assert worker.report() is None


def test_one_that_is_ended_amid_its_work_is_gone(worker):
    worker.end()
    assert worker.process.returncode is not None
    assert worker.process.stdin.closed
    assert worker.process.stdout.closed
    worker.end()


def test_no_other_module_starts_processes():
    """Compiling, studies, searches, shards and live readers all use this one."""
    package = Path(streamlab.__file__).parent
    starting = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search("Popen|check_output|ProcessPoolExecutor|multiprocessing", text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in ("Popen", "check_output", "ProcessPoolExecutor"))
        or (isinstance(node, (ast.Import, ast.ImportFrom)) and "multiprocessing" in ast.unparse(node))
    }
    assert starting == {"workers.py"}
