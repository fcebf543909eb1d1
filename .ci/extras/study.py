"""Run a small study in processes of this machine, and compare its learners."""

import streamlab as sl
from streamlab.study import compare

if __name__ == "__main__":
    study = sl.Study(["yeast", "segments"], ["NoChange", "MajorityLabels", "SMART"], measures=["example_f1"])
    study.run(2)
    assert set(study.cells().status) == {"done"}, study.failures().message.tolist()
    found = compare(study.results(), "example_f1")
    assert 0 < found.critical_distance < 3
    assert found.nemenyi.shape == (3, 3)
    print(f"{len(study.cells())} cells are done; the critical distance is {found.critical_distance:.3f}")  # noqa: T201
