"""The figures that were published come back: χ², ranks, p, distances, groups, to every printed digit."""

from __future__ import annotations

import pytest
from scipy import stats

import streamlab as sl
from streamlab.study import bonferroni_dunn_distance, groups_within, nemenyi_distance
from tests.study.published_figures import AVERAGE_RANKS, comparison


@pytest.mark.parametrize("measure", AVERAGE_RANKS)
def test_chi2_f_and_ranks_of_the_repository(measure):
    plain, corrected, F, ranks = AVERAGE_RANKS[measure]
    found = comparison(measure)
    assert (found.friedman.learners, found.friedman.streams, found.unfinished) == (17, 41, 12)
    assert round(found.friedman.chi2_plain, 2) == plain
    assert round(found.friedman.chi2, 2) == corrected
    assert round(found.friedman.F, 3) == F
    expected = {name: float(rank) for name, rank in (each.split() for each in ranks.split(", "))}
    assert found.ranks.round(3).to_dict() == expected
    assert list(found.ranks.index) == list(expected)


def test_p_and_distances_of_example_f1():
    found = comparison("example_f1", control="MLHAT")
    test = found.friedman
    assert [f"{p:.1e}" for p in (test.p_plain, test.p, test.p_F)] == ["8.4e-42", "7.2e-42", "6.1e-53"]
    corrected = stats.friedmanchisquare(*found.ranks_by_stream.T.to_numpy())
    assert (test.chi2, test.p) == pytest.approx((corrected.statistic, corrected.pvalue))
    assert [round(bonferroni_dunn_distance(17, 41, alpha), 3) for alpha in (0.05, 0.01)] == [3.296, 3.815]
    assert [round(nemenyi_distance(17, 41, alpha), 3) for alpha in (0.05, 0.01)] == [3.857, 4.365]
    assert round(found.critical_distance, 3) == 3.815
    assert round(comparison("example_f1").critical_distance, 3) == 4.365


def test_the_groups_of_the_published_diagram():
    """Drawn with Bonferroni and Dunn's distance between all pairs, which that test does not allow."""
    found = comparison("example_f1")
    groups = groups_within(found.ranks, bonferroni_dunn_distance(17, 41, 0.01))
    assert [(group[0], group[-1]) for group in groups] == [
        ("MLHAT", "MLBELS"), ("MLBELS", "ABALR"), ("KNN", "NB"), ("HAT", "AMF"), ("HT", "MLHTPS"), ("MLHT", "MT"),
        ("AMF", "SGT"),
    ]  # fmt: skip
    subsets = comparison("subset_accuracy")
    joined = groups_within(subsets.ranks, bonferroni_dunn_distance(17, 41, 0.01))
    assert not any({"ARF", "AMF"} <= set(group) for group in joined)
    assert found.groups()[0] == ("MLHAT", "MLBELS", "KNN", "ARF", "EFDT")


def probabilities(found, rival):
    row = found.bayes.set_index("rival").loc[rival]
    return pytest.approx((row.better, row.equal, row.worse), abs=0.002)


@pytest.mark.parametrize(
    ("measure", "rival", "expected"),
    [("example_f1", "MLBELS", (0.872, 0.000, 0.128)), ("micro_f1", "MLBELS", (0.910, 0.000, 0.090)),
     ("subset_accuracy", "KNN", (0.976, 0.023, 0.001)), ("hamming_loss", "ARF", (0.001, 0.029, 0.970)),
     ("hamming_loss", "KNN", (0.069, 0.234, 0.697))],
)  # fmt: skip
def test_bayesian_signed_ranks_of_the_files(measure, rival, expected):
    """With the zeros that stand in the files for what did not finish, as scores: over all 41 streams."""
    as_written = comparison(measure).filled
    assert probabilities(sl.compare(as_written, measure, control="MLHAT"), rival) == expected


def test_bayesian_signed_ranks_leave_out_what_did_not_finish():
    found = comparison("example_f1", control="MLHAT").bayes.set_index("rival")
    assert found.streams["MLBELS"] == 38
    assert found.streams["KNN"] == 41


@pytest.fixture(scope="module")
def table_6():
    return sl.compare(sl.published("mlhat-paper"), "example_f1", control="MLHAT", alpha=0.01)


def test_friedman_of_table_6(table_6):
    test = table_6.friedman
    assert (test.learners, test.streams, table_6.unfinished) == (19, 31, 19)
    assert (round(test.chi2_plain, 2), round(test.chi2, 2), round(test.F, 3)) == (184.56, 185.24, 14.827)
    assert f"{test.p:.1e}" == "8.8e-30"
    told = {"MLHAT": 3.355, "GOCC": 5.774, "GORT": 5.919, "MLBELS": 7.177, "KNN": 8.161, "EFDT": 8.790, "SGT": 15.790}
    assert table_6.ranks[list(told)].round(3).to_dict() == told
    printed = {"MLHAT": 3.387, "GOCC": 5.806, "GORT": 5.839, "MLBELS": 7.177, "SGT": 15.823}
    for name, rank in printed.items():
        assert table_6.ranks[name] == pytest.approx(rank, abs=0.085), "rounding to three decimals makes ties"


def test_distances_and_p_of_table_6(table_6):
    assert [round(bonferroni_dunn_distance(19, 31, alpha), 3) for alpha in (0.05, 0.01)] == [4.276, 4.935]
    assert [round(nemenyi_distance(19, 31, alpha), 3) for alpha in (0.05, 0.01)] == [5.027, 5.671]
    near = table_6.ranks[table_6.ranks - table_6.ranks["MLHAT"] < table_6.critical_distance]
    assert list(near.index) == ["MLHAT", "GOCC", "GORT", "MLBELS", "KNN"], "as the paper says"
    p = table_6.bonferroni_dunn
    assert p[["KNN", "EFDT"]].round(4).to_dict() == {"KNN": 0.0139, "EFDT": 0.0026}
    assert (round(p["MLBELS"], 3), p["GOCC"], p["GORT"]) == (0.135, 1.0, 1.0)


def test_wilcoxon_holm_of_table_6(table_6):
    pairs = table_6.pairs.set_index("rival")
    close = ["MLBELS", "GOCC", "GORT"]
    assert pairs.p[close].round(4).tolist() == [0.0246] * 3
    assert pairs.p_raw[close].round(4).tolist() == [0.0115, 0.0093, 0.0082]
    others = pairs.drop(close)
    assert len(others) == 15
    assert others.p.max() <= 1.7e-4
    assert not pairs.differs[close].any()
    assert others.differs.all()


def test_bayesian_signed_ranks_of_table_6(table_6):
    assert probabilities(table_6, "GOCC") == (0.992, 0.001, 0.007)
    assert probabilities(table_6, "GORT") == (0.996, 0.000, 0.003)
    assert probabilities(table_6, "MLBELS") == (0.960, 0.000, 0.040)
    found = table_6.bayes.set_index("rival")
    assert found.streams[["GOCC", "GORT", "MLBELS"]].tolist() == [30, 31, 27]
    assert (found.drop(["GOCC", "GORT", "MLBELS"]).better > 0.998).all()
