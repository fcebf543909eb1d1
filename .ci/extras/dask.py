"""Run a small study on the workers of a cluster, and compare its learners."""

from dask.distributed import Client, LocalCluster

import streamlab as sl
from streamlab.study import compare

if __name__ == "__main__":
    study = sl.Study(["yeast", "segments"], ["NoChange", "MajorityLabels", "SMART"], measures=["example_f1"])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        study.run(client=client)
    assert set(study.cells().status) == {"done"}, study.failures().message.tolist()
    found = compare(study.results(), "example_f1")
    assert 0 < found.critical_distance < 3
    assert found.nemenyi.shape == (3, 3)
    print(f"{len(study.cells())} cells are done; the critical distance is {found.critical_distance:.3f}")  # noqa: T201
