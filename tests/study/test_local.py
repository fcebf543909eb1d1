"""What the processes of a study leave behind when something goes wrong."""

from __future__ import annotations

import queue
import threading

import pytest

from streamlab.study import local
from streamlab.study.store import Store
from tests.study.made import study


@pytest.fixture(scope="module", autouse=True)
def workers_stay():
    """None stays: these tests are of how they end."""


def test_a_result_that_cannot_be_written_leaves_no_lock(tmp_path, monkeypatch):
    made = study(tmp_path, learners=["NoChange"])
    begin = local.Worker.begin

    def killed(self, *args):
        begin(self, *args)
        self.process.kill()

    def full(self, key, content):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(local.Worker, "begin", killed)
        patched.setattr(Store, "write", full)
        with pytest.raises(OSError, match="No space left"):
            made.run(1)
    assert not list(made.store.cells.iterdir())
    assert set(made.cells().status) == {"open"}
    again = threading.Thread(target=study(tmp_path, learners=["NoChange"]).run, args=(1,), daemon=True)
    again.start()
    again.join(300)
    assert not again.is_alive()
    assert set(made.cells().status) == {"done"}


def test_a_full_disk_keeps_no_half_result(tmp_path, monkeypatch):
    store = Store(tmp_path)

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store.write("a" * 64, b"half")
    assert not list(store.cells.iterdir())


def test_a_process_that_has_gone_with_a_cell_unread_is_ended(tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    worker = local.Worker(queue.Queue())
    worker.process.kill()
    worker.process.wait()
    worker.begin(made._cells[0], made.store, made.limits)
    worker.end()
    assert worker.process.stdin.closed
    assert worker.errors.closed


def test_what_has_to_be_compiled_takes_nothing_of_a_cells_time(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "no kernels yet"))
    # importing and compiling take more CPU seconds than the limit, learning 250 rows a tenth of one
    monkeypatch.setattr(local, "GRACE", 1.0)
    monkeypatch.setattr(local, "GRACE_S", 0.0)
    monkeypatch.setattr(local, "WALL", 1000.0)
    made = study(tmp_path, learners=["NoChange"], limits={"seconds": 3})
    made.run(1)
    assert made.results()[["status", "message"]].to_numpy().tolist() == [["done", ""]] * 2
    assert (made.results().cpu_seconds < 3).all()


def test_a_cell_that_never_begins_is_stopped(tmp_path, monkeypatch):
    made = study(tmp_path, learners=["NoChange"], limits={"seconds": 1e-9})
    worker = local.Worker(queue.Queue())
    try:
        worker.begin(made._cells[0], made.store, made.limits)
        assert worker.past(made.limits) is None, "compiling takes a while"
        monkeypatch.setattr(local, "COMPILE_S", 0.0)
        status, message = worker.past(made.limits)
        assert (status, message[:27]) == ("seconds", "it did not begin to learn i")
    finally:
        worker.end()
