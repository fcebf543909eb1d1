"""What a study leaves in its folder goes into a comparison and a picture as it comes."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.study import plot_evolution


@pytest.mark.nightly
def test_results_and_curves_of_a_study(tmp_path):
    study = sl.Study(
        streams={"yeast": {"rows": 200}, "segments": {"rows": 200}},
        learners={"no-change": {"use": "NoChange"}, "majority": {"use": "MajorityLabels"}},
        seeds=[1, 2],
        measures=["micro_f1"],
        results=tmp_path,
    )
    study.run(workers=1)
    found = sl.compare(study.results(), "micro_f1")
    assert found.scores.shape == (2, 2)
    table = study.table("micro_f1")
    for learner in table.index:
        assert found.scores[learner].to_dict() == pytest.approx(table.loc[learner].to_dict())
    assert found.plot_tradeoff(width=420).axes
    figure = plot_evolution(study.curves("micro_f1"), "micro_f1", over="faded")
    assert len(figure.axes) == 2
