"""Compare learners over many streams: ranks, tests, a sentence that says what they say, tables and pictures."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from streamlab._checks import checked_choice, checked_number
from streamlab._tables import result_html
from streamlab.study import pair_tests, rank_tests
from streamlab.study.paper import latex_of
from streamlab.study.pictures import plot_study
from streamlab.study.scores import CELL, Scores, is_higher_better, measure_title, scores_of

if TYPE_CHECKING:
    from streamlab.study.paper import Citations

__all__ = ["Comparison", "compare"]


def compare(
    results: pd.DataFrame,
    measure: str | None = None,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    unfinished: str = "last",
    higher_is_better: bool | None = None,
    rope: float = 0.01,
    seed: int = 1,
) -> Comparison:
    """Compare learners by one measure over many streams.

    First the mean over the seeds of each learner on each stream, then the ranks: a stream is a block of the tests, a
    seed is not. A cell that did not finish ranks last in its stream (several share the rank) and is left out of means.
    Where some seeds of a learner finished on a stream and others did not, the mean is that of those that did.

    Parameters
    ----------
    results
        A row for each cell, with columns ``learner``, ``stream``, ``seed``, ``status`` (``"done"``, or another word
        where it did not finish) and a column for each measure: what a study or ``published`` gives. Or a wide table: a
        row for each stream, a column for each learner, NaN where it did not finish.
    measure
        A column of the results, or what a wide table is of; default: the results' only measure.
    control
        The learner that the others are compared with, chosen before the figures were seen; default: all pairs.
    alpha
        Level of the tests, over all pairs together.
    unfinished
        ``"last"``, as above, or ``"drop"``: streams that not all learners finished are left out.
    higher_is_better
        Whether more is better; default: as the measure is registered; less of ``"seconds"`` and ``"bytes"`` is.
    rope
        Up to this difference two scores are practically equal, in units of the measure; for ``bayes`` alone.
    seed
        Of the draws of ``bayes``.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If a column is missing, a cell is there twice or without a figure, a learner was not run on a stream, no learner
        finished a stream, fewer than two learners or streams are left, ``control`` is not a learner, the measure
        is unknown, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> import streamlab as sl
    >>> found = sl.compare(sl.published("mlhat-paper"), "example_f1", control="MLHAT", alpha=0.01)
    >>> found.ranks.head(3).round(3).to_dict()
    {'MLHAT': 3.355, 'GOCC': 5.774, 'GORT': 5.919}
    """
    if measure is None:
        measure = _only_measure(results)
    better = is_higher_better(measure) if higher_is_better is None else bool(higher_is_better)
    scores = scores_of(results, measure, unfinished)
    checked_choice("control", control, scores.table, optional=True)
    checked_number("alpha", alpha, 0, 1, above=True, below=True)
    checked_number("rope", rope)
    return Comparison(scores, measure, better, control, float(alpha), float(rope), seed, unfinished, results)


def _only_measure(results: Any) -> str:
    figures = [each for each in results if each not in CELL] if isinstance(results, pd.DataFrame) else []
    if "learner" in results and len(figures) == 1:
        return str(figures[0])
    raise ValueError(f"measure: expected the one to compare by, of {', '.join(map(str, figures))}")


class Comparison:
    """What ``compare`` found; a table is made when it is asked for.

    Attributes
    ----------
    measure
        What is compared by.
    title
        The measure's name as people read it.
    higher_is_better
        Whether more of it is better.
    control
        The learner that the others are compared with, or None.
    alpha
        Level of the tests.
    rope
        Up to this difference two scores are practically equal.
    scores
        DataFrame: a row for each stream, a column for each learner: the mean over seeds; NaN did not finish.
    spread
        The standard deviation over seeds, likewise.
    unfinished
        How many cells did not finish.
    unfinished_rank
        How they were taken: ``"last"`` or ``"drop"``.

    Examples
    --------
    >>> import pandas as pd
    >>> import streamlab as sl
    >>> table = pd.DataFrame({"A": [0.9, 0.8, 0.7, 0.8], "B": [0.6, 0.7, 0.6, 0.5], "C": [0.3, 0.2, 0.4, 0.1]})
    >>> found = sl.compare(table, "micro_f1")
    >>> found.friedman.chi2, found.pairs.wins.tolist()
    (8.0, [4, 4, 4])
    """

    def __init__(
        self,
        scores: Scores,
        measure: str,
        higher_is_better: bool,
        control: str | None,
        alpha: float,
        rope: float,
        seed: int,
        unfinished_rank: str,
        results: pd.DataFrame,
    ) -> None:
        self.measure, self.title = measure, measure_title(measure)
        self.higher_is_better, self.control, self.alpha, self.rope = higher_is_better, control, alpha, rope
        self.scores, self.spread, self.unfinished = scores.table, scores.spread, scores.unfinished
        self._seed, self.unfinished_rank, self._results = seed, unfinished_rank, results

    @cached_property
    def ranks_by_stream(self) -> pd.DataFrame:
        """The rank of each learner in each stream: 1 is best, equals share the mean of their ranks."""
        return rank_tests.rank_streams(self.scores, higher_is_better=self.higher_is_better)

    @cached_property
    def ranks(self) -> pd.Series:
        """The average rank of each learner, the best first."""
        return self.ranks_by_stream.mean().sort_values(kind="stable").rename("rank")

    @cached_property
    def means(self) -> pd.Series:
        """The mean score of each learner over the streams that it finished, in the order of ``ranks``."""
        return self.scores.mean()[self.ranks.index].rename(self.measure)

    @cached_property
    def friedman(self) -> rank_tests.Friedman:
        """Whether the learners differ at all: Friedman's χ², with and without correction for ties, and F."""
        return rank_tests.friedman(self.ranks_by_stream)

    @cached_property
    def critical_distance(self) -> float:
        """By how many average ranks two must differ: from the control (Bonferroni and Dunn), else any two (Nemenyi)."""
        distance = rank_tests.nemenyi_distance if self.control is None else rank_tests.bonferroni_dunn_distance
        return distance(self.scores.shape[1], len(self.scores), self.alpha)

    @property
    def pair_test(self) -> str:
        """Which test sentence and diagram take for pairs: ``"wilcoxon"`` where that can find a difference at all.

        Signed ranks of few streams have no p below alpha, whatever the scores: then average ranks decide,
        ``"nemenyi"``, or with a control ``"bonferroni_dunn"``.
        """
        can = pair_tests.least_p(len(self.scores), len(self._names_of_pairs)) < self.alpha
        return "wilcoxon" if can else "nemenyi" if self.control is None else "bonferroni_dunn"

    @cached_property
    def nemenyi(self) -> pd.DataFrame:
        """p of the average ranks of all pairs (Nemenyi); takes the extra ``study``."""
        return rank_tests.nemenyi(self.ranks_by_stream[list(self.ranks.index)])

    @cached_property
    def bonferroni_dunn(self) -> pd.Series:
        """p of the average ranks of the rivals against the control's.

        Raises
        ------
        ValueError
            If there is no control.
        """
        if self.control is None:
            raise ValueError("bonferroni_dunn compares with a control: compare(…, control=NAME)")
        return rank_tests.bonferroni_dunn(self.ranks, len(self.scores), self.control)

    @property
    def _names_of_pairs(self) -> list[tuple[str, str]]:
        names = list(self.ranks.index)
        if self.control is None:
            return list(combinations(names, 2))
        return [(self.control, name) for name in names if name != self.control]

    @cached_property
    def filled(self) -> pd.DataFrame:
        """The scores, with the worst value where a cell did not finish: the measure's, or beyond every other score."""
        return self.scores.fillna(self._worst())

    def _worst(self) -> float:
        from streamlab.measures import MEASURES

        if self.measure in MEASURES:
            return MEASURES[self.measure].range[0 if self.higher_is_better else 1]
        values = self.scores.to_numpy()
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        # farther from each score than any two scores are from each other, so that its difference has the highest rank
        beyond = 2 * (high - low) + 1.0
        return low - beyond if self.higher_is_better else high + beyond

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Which learners differ: Wilcoxon's signed ranks with Holm's adjustment, of the control with each rival, or all
        pairs.

        Columns as ``wilcoxon_holm`` gives them, and ``differs``: whether p is below alpha. An unfinished cell counts as
        the worst value there is.
        """
        table = pair_tests.wilcoxon_holm(self.filled, self._names_of_pairs, higher_is_better=self.higher_is_better)
        return table.assign(differs=table.p < self.alpha)

    @cached_property
    def bayes(self) -> pd.DataFrame:
        """How sure it is, and whether it matters: the Bayesian signed-rank test of the same pairs as ``pairs``.

        Columns ``learner``, ``rival``, ``better``, ``equal``, ``worse`` (the probabilities that the learner is better
        by more than ``rope``, within, and worse; they sum to 1), and ``streams``: those that both finished; without any
        the probabilities are NaN.
        """
        sign = 1.0 if self.higher_is_better else -1.0
        rows = []
        for learner, rival in self._names_of_pairs:
            differences = (sign * (self.scores[learner] - self.scores[rival])).dropna().to_numpy()
            shares = (np.nan,) * 3
            if len(differences):
                shares = pair_tests.bayesian_signed_rank(differences, rope=self.rope, seed=self._seed)
            rows.append((learner, rival, *shares, len(differences)))
        return pd.DataFrame(rows, columns=["learner", "rival", "better", "equal", "worse", "streams"])

    def groups(self, by: str = "nemenyi") -> list[tuple[str, ...]]:
        """Return the largest groups of learners, neighbours in rank, of which no two are told apart.

        Parameters
        ----------
        by
            ``"nemenyi"``: within Nemenyi's critical distance; ``"wilcoxon"``: no pair differs by Wilcoxon with Holm,
            over all pairs. Two that do not differ, with one between them that does, are in no common group.

        Raises
        ------
        ValueError
            For another test.
        """
        if by == "nemenyi":
            k, n = self.scores.shape[1], len(self.scores)
            return rank_tests.groups_within(self.ranks, rank_tests.nemenyi_distance(k, n, self.alpha))
        checked_choice("by", by, ("nemenyi", "wilcoxon"))
        names = list(self.ranks.index)
        pairs = pair_tests.wilcoxon_holm(
            self.filled, list(combinations(names, 2)), higher_is_better=self.higher_is_better
        )
        differ = {(a, b) for a, b, p in zip(pairs.learner, pairs.rival, pairs.p, strict=True) if p < self.alpha}
        ends = []
        for i in range(len(names)):
            end = i + 1
            while end < len(names) and not any((each, names[end]) in differ for each in names[i:end]):
                end += 1
            ends.append(end)
        return rank_tests.longest_runs(names, ends)

    @cached_property
    def sentence(self) -> str:
        """What the tests say, in plain English."""
        return " ".join(say(self))

    def table(self) -> pd.DataFrame:
        """Return the scores, a row for each stream, learners by rank, with their means and average ranks below."""
        table = self.scores[list(self.ranks.index)].copy()
        table.loc["mean"] = self.means
        table.loc["average rank"] = self.ranks
        return table

    def to_latex(
        self,
        *,
        decimals: int = 3,
        spread: bool = True,
        transpose: bool = False,
        caption: str | None = None,
        label: str | None = None,
        cite: Citations | None = None,
    ) -> str:
        """Return ``table`` for a paper (booktabs): the best of each stream bold, the second underlined, as printed.

        A dash stands where a cell did not finish. The document needs the package booktabs, which a comment says.

        Parameters
        ----------
        decimals
            Of the scores.
        spread
            Whether ± the standard deviation over seeds stands behind a mean of several seeds; "< 0.001" where it would
            round to 0.
        transpose
            Whether learners are the rows, and streams, mean and average rank the columns.
        caption
            Default: what the tests say, with the family of tests that was used, and what the marks mean.
        label
            To refer to it.
        cite
            ``Study.citations``: then learners, streams and the measure have their ``\\cite``.
        """
        return latex_of(self, decimals, spread, transpose, caption, label, cite)

    def plot_ranks(self, bars: str | None = None, **options: Any) -> Any:
        """Draw the average ranks on a line, with what is not told apart: a critical distance diagram.

        With a control the names of those that are not told apart from it are bold, or an interval around it is shaded.
        Without one there is a bar for each group of ``groups``; bars that overlap lie on lines of their own.

        Parameters
        ----------
        bars
            With a control ``"rivals"`` (Wilcoxon's test of each rival) or ``"control"`` (the interval of Bonferroni and
            Dunn); ``"nemenyi"`` or ``"wilcoxon"`` (groups, of all pairs). Default: by the ``pair_test``, which the
            sentence takes too.
        options
            As in ``streamlab.study.plot_pairs``: ``theme``, ``width``, ``title``.

        Raises
        ------
        ValueError
            For other bars, or ``"control"`` and ``"rivals"`` without a control.
        ImportError
            If scikit-posthocs is not installed (the ``study`` extra has it).
        """
        return plot_study("ranks", self, bars=bars, **options)

    def plot_spread(self, mark: str | None = None, **options: Any) -> Any:
        """Draw a box of all learners' scores for each stream, with one learner marked (default: the control).

        Options as in ``streamlab.study.plot_spread``.
        """
        return plot_study("spread", self, mark=mark or self.control, **options)

    def plot_pairs(self, one: str | None = None, other: str | None = None, **options: Any) -> Any:
        """Draw the difference of two learners on each stream, sorted.

        Parameters
        ----------
        one, other
            Their names; default: the control, or the best by rank, and the best of the others.
        options
            As in ``streamlab.study.plot_pairs``.
        """
        one = one or self.control or str(self.ranks.index[0])
        other = other or next(str(name) for name in self.ranks.index if name != one)
        return plot_study("pairs", self, one=one, other=other, **options)

    def plot_heat(self, **options: Any) -> Any:
        """Draw all scores as a table of colours, learners by rank; options as in ``streamlab.study.plot_heat``."""
        return plot_study("heat", self, **options)

    def plot_tradeoff(self, cost: str = "seconds", **options: Any) -> Any:
        """Draw each learner's mean score against its cost; the results must be long, with a column of that name.

        Options as in ``streamlab.study.plot_tradeoff``; the control is marked.
        """
        from streamlab.study.scores import tradeoff_of

        mark = options.pop("mark", self.control)
        asked = tradeoff_of(self._results, self.measure, cost, mark, self.higher_is_better)
        return plot_study("tradeoff", asked.pop("table"), **asked, **options)

    def _repr_html_(self) -> str:
        """Return the table and the sentence, as a notebook shows them."""
        return result_html(f"{self.title} of {self.scores.shape[1]} learners", self.table(), notes=[self.sentence])

    def __repr__(self) -> str:
        return self.sentence


MOST_NAMES = 6


def say(found: Any) -> list[str]:
    """Return a ``Comparison`` in sentences: what of, which learner ranks best, and which differences are how sure."""
    test, k, n = found.friedman, found.scores.shape[1], len(found.scores)
    first = found.ranks.index[np.isclose(found.ranks, found.ranks.iloc[0])].tolist()
    tied = int((found.ranks_by_stream.nunique(axis=1) < k).sum())
    parts = [
        f"{found.title} of {k} learners on {n} streams.",
        f"{listed_names(first)} {'has' if len(first) == 1 else 'share'} the best average rank, "
        f"{found.ranks.iloc[0]:.2f}.",
    ]
    tells = test.p < found.alpha
    verdict = "The learners differ" if tells else "The ranks do not show that the learners differ"
    how = "Friedman, corrected for ties" if tied else "Friedman"
    parts.append(f"{verdict} ({how}: χ² = {test.chi2:.2f}, {_p(test.p)}; α = {found.alpha:g}).")
    if tied:
        equal = "with the same score, or unfinished," if found.scores.isna().any(axis=None) else "with the same score"
        parts.append(
            f"Ties are learners {equal} on one stream, here on {tied} of {n}: they share the mean of their ranks."
        )
    parts += _against(found) if found.control is not None else _among(found)
    if found.unfinished:
        cells = f"{found.unfinished} cell{'s' * (found.unfinished != 1)}"
        how = (
            "rank last in their streams, and are in no mean"
            if found.unfinished_rank == "last"
            else "cost their streams"
        )
        parts.append(f"{cells} did not finish: they {how}.")
    return parts


def _against(found: Any) -> list[str]:
    pairs, control = found.pairs, found.control
    differs, ahead, how, why = pairs.differs, pairs.rank_sum, "Wilcoxon, adjusted by Holm", _too_few(found)
    if why:
        ahead = pd.Series(found.ranks[pairs.rival].to_numpy() - found.ranks[control], index=pairs.index)
        differs, how = ahead.abs() >= found.critical_distance, "Bonferroni–Dunn, by average ranks"
    worse = pairs[differs & (ahead > 0)].rival.tolist()
    better = pairs[differs & (ahead <= 0)].rival.tolist()
    same = pairs[~differs].rival.tolist()
    counted = [f"it is better than {listed_names(worse)}"] if worse else []
    counted += [f"worse than {listed_names(better)}"] if better else []
    counted += [f"not told apart from {listed_names(same)}"] if same else []
    sentences = [*why, f"{control} against each of {len(pairs)} ({how}): {'; '.join(counted)}."]
    shown = found.bayes[found.bayes.rival.isin(same or pairs.rival)].dropna()
    if len(shown):
        least = shown.sort_values("better").iloc[0]
        sentences.append(
            f"With differences up to {found.rope:g} as equal, the probability that {control} is better than "
            f"{least.rival} is {least.better:.3f}, equal {least.equal:.3f}, worse {least.worse:.3f} "
            "(Bayesian signed ranks)."
        )
    return sentences


def _among(found: Any) -> list[str]:
    pairs, best = found.pairs, found.ranks.index[0]
    differs, how, why = pairs.differs, "Wilcoxon, adjusted by Holm", _too_few(found)
    if why:
        apart = found.ranks[pairs.learner].to_numpy() - found.ranks[pairs.rival].to_numpy()
        differs, how = abs(apart) >= found.critical_distance, "Nemenyi, by average ranks"
    same = [
        str(b if a == best else a)
        for a, b, differ in zip(pairs.learner, pairs.rival, differs, strict=True)
        if best in (a, b) and not differ
    ]
    result = f"{best} is not told apart from {listed_names(same)}" if same else f"{best} differs from all others"
    n = int(differs.sum())
    return [*why, f"Of {len(pairs)} pairs {n} {'differs' if n == 1 else 'differ'} ({how}); {result}."]


def _too_few(found: Any) -> list[str]:
    """Say that Wilcoxon's test cannot find a difference on so few streams, where that is so."""
    if found.pair_test == "wilcoxon":
        return []
    n, pairs = len(found.scores), len(found.pairs)
    least = pair_tests.least_p(n, pairs)
    of = f"{pairs} pairs, adjusted by Holm," if pairs > 1 else "one pair"
    return [f"On {n} streams Wilcoxon's test can show no difference: for {of} its p is at least {least:.2g}."]


def listed_names(names: list[str]) -> str:
    shown = [str(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMES} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _p(p: float) -> str:
    return f"p = {p:.1e}" if p < 1e-3 else f"p = {p:.3f}"
