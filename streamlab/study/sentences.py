"""What the tests of a comparison say, in plain English."""

from __future__ import annotations

from typing import Any

__all__ = ["say"]

MOST_NAMES = 6


def say(found: Any) -> str:
    """Return a ``Comparison`` in sentences: which learner ranks best, and which differences are how sure."""
    test, k, n = found.friedman, found.scores.shape[1], len(found.scores)
    best = found.ranks.index[0]
    parts = [
        f"{found.title} of {k} learners on {n} streams.",
        f"{best} has the best average rank, {found.ranks.iloc[0]:.2f}.",
    ]
    tells = test.p < found.alpha
    verdict = "The learners differ" if tells else "The ranks do not show that the learners differ"
    parts.append(f"{verdict} (Friedman, corrected for ties: χ² = {test.chi2:.2f}, {_p(test.p)}; α = {found.alpha:g}).")
    parts += _against(found) if found.control is not None else _among(found)
    if found.unfinished:
        cells = f"{found.unfinished} cell{'s' * (found.unfinished != 1)}"
        how = (
            "rank last in their streams, and are in no mean"
            if found.unfinished_rank == "last"
            else "cost their streams"
        )
        parts.append(f"{cells} did not finish: they {how}.")
    return " ".join(parts)


def _against(found: Any) -> list[str]:
    pairs, control = found.pairs, found.control
    worse = pairs[pairs.differs & (pairs.rank_sum > 0)].rival.tolist()
    better = pairs[pairs.differs & (pairs.rank_sum <= 0)].rival.tolist()
    same = pairs[~pairs.differs].rival.tolist()
    counted = [f"it is better than {_names(worse)}"] if worse else []
    counted += [f"worse than {_names(better)}"] if better else []
    counted += [f"not told apart from {_names(same)}"] if same else []
    said = [f"{control} against each of {len(pairs)} (Wilcoxon, adjusted by Holm): {'; '.join(counted)}."]
    shown = found.bayes[found.bayes.rival.isin(same or pairs.rival)].dropna()
    if len(shown):
        least = shown.sort_values("better").iloc[0]
        said.append(
            f"With differences up to {found.rope:g} as equal, the probability that {control} is better than "
            f"{least.rival} is {least.better:.3f}, equal {least.equal:.3f}, worse {least.worse:.3f} "
            "(Bayesian signed ranks)."
        )
    return said


def _among(found: Any) -> list[str]:
    pairs, best = found.pairs, found.ranks.index[0]
    same = [
        str(b if a == best else a)
        for a, b, differs in zip(pairs.learner, pairs.rival, pairs.differs, strict=True)
        if best in (a, b) and not differs
    ]
    told = f"{best} is not told apart from {_names(same)}" if same else f"{best} differs from all others"
    return [f"Of {len(pairs)} pairs {int(pairs.differs.sum())} differ (Wilcoxon, adjusted by Holm); {told}."]


def _names(names: list[str]) -> str:
    shown = [str(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMES} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _p(p: float) -> str:
    return f"p = {p:.1e}" if p < 1e-3 else f"p = {p:.3f}"
