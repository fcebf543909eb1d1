"""From results to a comparison: seeds, what did not finish, directions, tables, and what is refused."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import streamlab as sl
from streamlab.study.scores import tradeoff_of
from tests.study.score_tables import tables


def cells(**changes) -> pd.DataFrame:
    """Three learners on three streams with two seeds; C did not finish stream c with the second, nor b at all."""
    rows = [
        (learner, stream, seed, "done", 0.1 * i + 0.02 * j + 0.01 * seed, 10.0 ** (i + 1))
        for i, learner in enumerate("ABC")
        for j, stream in enumerate("abc")
        for seed in (1, 2)
    ]
    table = pd.DataFrame(rows, columns=["learner", "stream", "seed", "status", "micro_f1", "seconds"])
    never = (table.learner == "C") & ((table.stream == "b") | ((table.stream == "c") & (table.seed == 2)))
    table.loc[never, ["micro_f1", "seconds"]] = np.nan
    table.loc[never, "status"] = "memory"
    return table.assign(**changes)


def test_means_over_seeds_come_first():
    found = sl.compare(cells(), "micro_f1")
    assert found.scores.loc["a"].tolist() == pytest.approx([0.015, 0.115, 0.215])
    assert found.spread.loc["a"].tolist() == pytest.approx([0.01 / 2**0.5] * 3)
    assert found.scores.loc["c", "C"] == pytest.approx(0.2 + 0.04 + 0.01), "of the seed that finished"
    assert found.friedman.streams == 3, "a seed is not a block"
    assert found.unfinished == 3


def test_what_did_not_finish_ranks_last_and_is_in_no_mean():
    found = sl.compare(cells(), "micro_f1")
    assert found.ranks_by_stream.loc["b"].to_dict() == {"A": 2.0, "B": 1.0, "C": 3.0}
    assert found.means["C"] == pytest.approx((0.215 + 0.25) / 2)
    assert "3 cells did not finish: they rank last" in found.sentence
    assert found.bayes.set_index(["learner", "rival"]).streams.sort_values().tolist() == [2, 2, 3]


@pytest.mark.parametrize(("measure", "best"), [("micro_f1", "B"), ("seconds", "A")])
def test_which_way_is_better_comes_from_the_measure(measure, best):
    assert sl.compare(cells(), measure).ranks.index[0] == best
    turned = sl.compare(cells().assign(hamming_loss=cells().micro_f1), "hamming_loss")
    assert turned.ranks.index[0] == "A"


def test_an_unregistered_measure_needs_its_direction():
    table = cells().rename(columns={"micro_f1": "mine"})
    with pytest.raises(ValueError, match="measure='mine' is not registered"):
        sl.compare(table, "mine")
    found = sl.compare(table, "mine", higher_is_better=False)
    assert found.ranks.index[0] == "A"
    assert found.plot_tradeoff().axes
    assert not tradeoff_of(table, "mine", "seconds", None, found.higher_is_better)["higher_is_better"]


def test_unfinished_counts_as_the_worst_in_the_pairwise_test():
    seconds = sl.compare(cells(), "seconds")
    pairs = seconds.pairs.set_index(["learner", "rival"])
    assert (pairs.wins == 3).all(), "whoever did not finish needed longer than all"
    largest = (seconds.filled.max() - seconds.filled.min()).max()
    known = seconds.scores.max().max() - seconds.scores.min().min()
    assert largest > known
    assert sl.compare(cells(), "micro_f1").filled.loc["b", "C"] == 0.0


@given(tables(streams=(3, 6)))
@settings(deadline=None, max_examples=30)
def test_long_and_wide_say_the_same(table):
    long = table.stack().rename("micro_f1").rename_axis(["stream", "learner"]).reset_index()
    long = pd.DataFrame(
        [(learner, stream, 1, table.loc[stream, learner]) for stream in table.index for learner in table],
        columns=["learner", "stream", "seed", "micro_f1"],
    )
    long["status"] = np.where(long.micro_f1.isna(), "seconds", "done")
    there, here = sl.compare(long, "micro_f1"), sl.compare(table, "micro_f1")
    pd.testing.assert_frame_equal(there.scores, here.scores, check_names=False, check_dtype=False)
    pd.testing.assert_series_equal(there.ranks, here.ranks, check_names=False)
    pd.testing.assert_frame_equal(there.pairs, here.pairs)
    assert there.sentence == here.sentence


@given(tables(streams=(3, 6)))
@settings(deadline=None, max_examples=30)
def test_dropping_leaves_the_streams_that_all_finished(table):
    complete = table.dropna()
    if len(complete) < 2:
        with pytest.raises(ValueError, match="streams in the results"):
            sl.compare(table, "micro_f1", unfinished="drop")
        return
    dropped, alone = sl.compare(table, "micro_f1", unfinished="drop"), sl.compare(complete, "micro_f1")
    pd.testing.assert_series_equal(dropped.ranks, alone.ranks)
    assert dropped.friedman == alone.friedman


def test_a_control_is_compared_with_each():
    found = sl.compare(cells(), "micro_f1", control="B", alpha=0.01)
    assert found.pairs.learner.tolist() == ["B", "B"]
    assert set(found.bonferroni_dunn.index) == {"A", "C"}
    assert "B against each of 2 (Bonferroni–Dunn, by average ranks)" in found.sentence
    with pytest.raises(ValueError, match="compares with a control"):
        _ = sl.compare(cells(), "micro_f1").bonferroni_dunn


def test_the_sentence_goes_the_way_that_the_test_weighs():
    """A wins less often, but by more: its signed ranks are far larger, and p is small for that."""
    ahead = np.append(0.05 + 0.01 * np.arange(20), -(0.001 + 0.0001 * np.arange(21)))
    table = pd.DataFrame({"A": 0.5 + ahead, "B": 0.5})
    found = sl.compare(table, "micro_f1", control="A")
    pair = found.pairs.iloc[0]
    assert (pair.wins, pair.losses, pair.differs) == (20, 21, True)
    assert pair.rank_sum == sum(range(22, 42)) - sum(range(1, 22))
    assert "it is better than B." in found.sentence
    assert "worse than B" not in found.sentence
    turned = sl.compare(table, "hamming_loss", control="A")
    assert turned.pairs.rank_sum[0] == -pair.rank_sum
    assert "worse than B." in turned.sentence


def test_the_tables():
    found = sl.compare(cells(), "micro_f1")
    table = found.table()
    assert list(table.index) == ["a", "b", "c", "mean", "average rank"]
    assert list(table.columns) == list(found.ranks.index)
    text = found.to_latex(label="tab:f1")
    assert r"\label{tab:f1}" in text
    assert "b & \\textbf{0.135} & 0.035 & -- \\\\" in text.replace("  ", " ") or "--" in text
    assert text.count(r"\\") == 6
    assert r"$\chi^2$" in text
    assert "caption{Mine}" in found.to_latex(caption="Mine")


def test_the_table_of_a_paper():
    rows = [
        (learner, stream, seed, base + seed / 100)
        for learner, base in (("A_1", 0.5), ("B", 0.5001), ("C", 0.3), ("D", 0.2))
        for stream in ("x", "y")
        for seed in (1, 2, 3)
    ]
    results = pd.DataFrame(rows, columns=["learner", "stream", "seed", "micro_f1"])
    found = sl.compare(results, "micro_f1")
    text = found.to_latex()
    both = r"\textbf{0.520} $\pm$ 0.010 & \textbf{0.520} $\pm$ 0.010"
    assert rf"x & {both} & \underline{{0.320}} $\pm$ 0.010 & 0.220 $\pm$ 0.010 \\" in text
    assert r"average rank & \textbf{1.000} & \underline{2.000} & 3.000 & 4.000 \\" in text
    assert "Bold: the best as printed; underlined: the second; $\\pm$: standard deviation over seeds." in text
    assert text.startswith("% \\usepackage{booktabs}\n\\begin{table}\n\\centering\n")
    # a small spread is not none, and none is none
    small = results.assign(micro_f1=0.5 + results.seed * (results.learner == "C") / 1e5)
    assert r"\textbf{0.500} $\pm$ $<$ 0.001" in sl.compare(small, "micro_f1").to_latex()
    assert r"\textbf{0.500} $\pm$ 0.000" in sl.compare(small, "micro_f1").to_latex()
    turned = found.to_latex(transpose=True, spread=False, decimals=2)
    assert r" & x & y & mean & average rank \\" in turned
    assert r"A\_1 & \textbf{0.52} & \textbf{0.52} & \textbf{0.52} & \underline{2.00} \\" in turned
    assert "pm" not in turned
    assert "\\midrule\nB & " in turned


def test_the_sentence_says_what_ties_are():
    assert "ties" not in sl.compare(cells(), "micro_f1").sentence.lower()
    table = pd.DataFrame({"A": [0.5, 0.5, 0.6], "B": [0.5, 0.4, 0.7], "C": [0.1, 0.1, 0.2]})
    said = sl.compare(table, "micro_f1").sentence
    assert "A and B share the best average rank, 1.50." in said
    assert "(Friedman, corrected for ties: " in said
    assert "Ties are learners with the same score on one stream, here on 1 of 3: they share the mean" in said
    twice = table.assign(D=table.C).where(table.assign(D=table.C) > 0.1)
    assert "with the same score, or unfinished, on one stream, here on 3 of 3" in sl.compare(twice, "micro_f1").sentence


def test_groups_by_wilcoxon_join_only_what_does_not_differ():
    rng = np.random.default_rng(1)
    base = rng.random(20)
    table = pd.DataFrame({"A": base + 0.5, "B": base + 0.49 + 0.03 * rng.random(20), "C": base, "D": base + 0.001})
    found = sl.compare(table / 3, "micro_f1")
    names = [set(group) for group in found.groups("wilcoxon")]
    differ = {frozenset((row.learner, row.rival)) for row in found.pairs.itertuples() if row.differs}
    assert frozenset("AC") in differ
    assert not any(pair <= group for pair in differ for group in names)
    with pytest.raises(ValueError, match="by='dunn': expected 'nemenyi' or 'wilcoxon'"):
        found.groups("dunn")


@pytest.mark.parametrize(
    ("table", "options", "says"),
    [
        (cells().drop(columns="learner"), {}, "no column 'learner'"),
        (cells().drop(columns="micro_f1"), {}, "no column 'micro_f1'; there are seconds"),
        (pd.concat([cells(), cells().head(1)]), {}, "learner A, stream a, seed 1 occurs twice"),
        (cells(micro_f1=np.nan), {}, "learner 'A', stream 'a': done, but 'micro_f1' is nan"),
        (cells(micro_f1="much"), {}, "column 'micro_f1': expected numbers"),
        (cells(learner=None), {}, "column 'learner': row 0 has no name"),
        (cells().query("learner != 'B' or stream != 'b'"), {}, "learner 'B' has no row for stream 'b'"),
        (cells().query("learner == 'C'"), {}, "stream 'b': no learner finished"),
        (cells().query("learner == 'A'"), {}, "1 learners in the results: expected at least 2"),
        (cells().query("stream == 'a'"), {}, "1 streams in the results: expected at least 2"),
        (cells(), {"control": "Z"}, "control='Z': expected 'A', 'B', 'C'"),
        (cells(), {"alpha": 5}, "alpha=5: expected a number above 0 and below 1"),
        (cells(), {"rope": -1}, "rope=-1"),
        (cells(), {"unfinished": "zero"}, "unfinished='zero': expected 'last' or 'drop'"),
        ([1, 2], {}, "results is a list: expected a DataFrame"),
        (pd.DataFrame({"A": [1, 2], "B": ["x", "y"]}), {}, "column 'B': expected numbers"),
        (pd.DataFrame({"A": [1, 2], "B": [np.inf, 2]}), {}, "stream 0, learner 'B': infinite"),
        (pd.DataFrame({"A": [1, 2], "B": [1, 2]}, index=["s", "s"]), {}, "stream 's' occurs twice"),
    ],
)
def test_what_is_wrong_is_named(table, options, says):
    with pytest.raises(ValueError, match=says.replace("(", r"\(")):
        sl.compare(table, "micro_f1", **options)


@pytest.mark.parametrize("n", [4, 12])
def test_sentence_and_diagram_tell_the_same_learners_apart(n):
    rng = np.random.default_rng(1)
    scores = pd.DataFrame({name: 0.5 + 0.1 * i + 0.01 * rng.random(n) for i, name in enumerate("DCBA")})
    found = sl.study.compare(scores, "micro_f1")
    together = found.groups(found.pair_test)
    apart = sum(not any(set(pair) <= set(group) for group in together) for pair in combinations("ABCD", 2))
    assert apart > 0
    assert f"Of 6 pairs {apart} differ" in found.sentence
    assert (found.pair_test, "can show no difference" in found.sentence) == (
        ("nemenyi", True) if n == 4 else ("wilcoxon", False)
    )
    usual, same = found.plot_ranks(), found.plot_ranks(found.pair_test)
    assert [text.get_text() for text in usual.texts] == [text.get_text() for text in same.texts]
    bars = [line for line in usual.axes[0].lines if line.get_linewidth() == 3]
    assert len(bars) == len(together)


@pytest.mark.parametrize(("n", "step"), [(4, 0.04), (12, 0.02)])
def test_sentence_and_diagram_tell_the_same_rivals_apart_from_a_control(n, step):
    rng = np.random.default_rng(1)
    scores = pd.DataFrame({name: 0.5 + step * i + 0.1 * rng.random(n) for i, name in enumerate("DCBA")})
    found = sl.study.compare(scores, "micro_f1", control="A")
    assert found.pair_test == ("bonferroni_dunn" if n == 4 else "wilcoxon")
    (axes,) = found.plot_ranks(width=700).axes
    bold = {name for text in axes.texts if text.get_weight() == "bold" for name in text.get_text().split()}
    same = sorted(bold & {*"BCD"})
    assert 0 < len(same) < 3
    assert f"not told apart from {' and '.join(same)}" in found.sentence
    assert len(axes.patches) == (n == 4)
