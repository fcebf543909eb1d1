"""Studies on a cluster of real worker processes: the same figures, a worker killed amid, no shared folder."""

from __future__ import annotations

import threading
import time

import pytest

from streamlab.study import Study
from streamlab.study._processes import psutil
from streamlab.study.on_dask import cell_task
from tests.study.made import FIGURES, study

distributed = pytest.importorskip("dask.distributed", reason="the extra dask is not installed")


@pytest.fixture(scope="module")
def cluster():
    """Two workers of one thread each, as processes of their own."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=40
    ) as made:
        yield made


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The results of this machine's own processes."""
    made = study(tmp_path_factory.mktemp("alone"))
    made.run(2)
    return made.results()[FIGURES]


def test_the_same_figures_and_a_worker_that_is_killed_costs_nothing(cluster, alone, tmp_path):
    made: Study = study(tmp_path)
    with distributed.Client(cluster) as client:
        runner = threading.Thread(target=made.run, kwargs={"client": client})
        runner.start()
        while not any(made.store.cells.glob("*.parquet")) and runner.is_alive():
            time.sleep(0.02)
        pids = list(client.run(lambda: __import__("os").getpid()).values())
        psutil().Process(pids[0]).kill()
        runner.join(300)
        assert not runner.is_alive()
    assert made.results()[FIGURES].equals(alone)
    assert not (made.store.folder / ".shared").exists()


def test_a_worker_that_does_not_see_the_folder_sends_the_bytes(tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    cell = made._cells[0]
    content = cell_task(cell.plain(), {}, str(tmp_path / "of another machine"), "token")
    assert content is not None
    made.store.write(cell.key, content)
    assert made.results().status.tolist() == ["done"]
    assert not (tmp_path / "of another machine").exists()
