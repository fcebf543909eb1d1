"""Studies on a cluster of real worker processes: the same figures, a worker killed amid, no shared folder."""

from __future__ import annotations

import threading
import time

import dask.distributed as distributed
import pytest

from streamlab.study import Study
from streamlab.study.on_dask import cell_task, run_on_dask
from streamlab.study.progress import Expected
from streamlab.study.store import psutil
from tests.study.made import FIGURES, study


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


BEGUN, MAY_END = threading.Event(), threading.Event()


def _waits(cell, limits, folder, token):
    BEGUN.set()
    MAY_END.wait(300)
    raise RuntimeError("the cluster is gone")


def _raises(cell, limits, folder, token):
    raise RuntimeError("the learner broke")


def run(made, client, task):
    run_on_dask(made._cells, made.store, made.limits, client, Expected([]), lambda cell, about: None, task)


def one_worker():
    return distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    )


def test_a_cluster_that_is_lost_is_no_failure_of_a_cell(tmp_path):
    made, raised = study(tmp_path, learners=["NoChange"]), []

    def follow(client):
        try:
            run(made, client, _waits)
        except Exception as error:
            raised.append(error)

    with one_worker() as cluster, distributed.Client(cluster) as client:
        runner = threading.Thread(target=follow, args=(client,), daemon=True)
        runner.start()
        try:
            assert BEGUN.wait(120)
            cluster.close()
            runner.join(120)
        finally:
            MAY_END.set()
    assert [type(error) for error in raised] == [ConnectionError]
    assert "the cells without a result are open" in str(raised[0])
    assert made.cells().status.tolist() == ["open", "open"]
    assert not (made.store.folder / ".shared").exists()


def test_what_a_task_raises_is_a_failure_of_its_cell(tmp_path):
    made = study(tmp_path, learners=["NoChange"])
    with one_worker() as cluster, distributed.Client(cluster) as client:
        run(made, client, _raises)
    assert made.failures().message.tolist() == ["RuntimeError: the learner broke"] * 2
