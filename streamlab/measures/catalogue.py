"""The measures: what each is called, what it means, and its value from counts."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from streamlab.measures.counts import Counts
from streamlab.measures.hierarchical import hierarchical_f, hierarchical_precision, hierarchical_recall
from streamlab.measures.ranking import binned_average_precision
from streamlab.measures.ratios import check_zero_division, mean, ratio, ratios

__all__ = ["MEASURES", "Measure", "evaluate", "measure_names", "per_label"]


@dataclass(frozen=True)
class Measure:
    """One way to say how good the predictions are.

    Parameters
    ----------
    name
        As in tables and parameters.
    title
        As people read it, on an axis or in a menu.
    formula
        In words: Y true, Z predicted labels of an instance, L the number of labels.
    averaging
        Over what the mean is taken: ``"example"``, ``"micro"`` (all decisions pooled) or ``"macro"`` (the labels).
    higher_is_better
        False for a loss.
    needs_scores
        Whether it judges scores rather than label sets.
    needs_hierarchy
        Whether it takes a hierarchy of the labels.
    range
        Lowest and highest value.
    value
        ``value(counts, zero_division)``: the value; ``evaluate`` is for users.
    """

    name: str
    title: str
    formula: str
    averaging: str
    value: Callable[[Counts, float], float] = field(repr=False, compare=False)
    higher_is_better: bool = True
    needs_scores: bool = False
    needs_hierarchy: bool = False
    range: tuple[float, float] = (0.0, 1.0)

    def available(self, counts: Counts) -> bool:
        """Whether ``counts`` hold what it takes: scores, histograms of them, levels of a hierarchy."""
        return self._lacks(counts) is None

    def _lacks(self, counts: Counts) -> str | None:
        if self.needs_hierarchy and counts.levels is None:
            return "a hierarchy of the labels, and there is none"
        if not self.needs_scores:
            return None
        # Nothing counted yet is no error: scores may come with the first rows.
        if counts.n > 0.0 and counts.total("scored") == 0.0:
            return "scores, and none came with the rows"
        if self.name == "macro_average_precision" and counts.histograms is None:
            return "score histograms: set n_bins (1025 resolves 1/1024)"
        return None


def evaluate(counts: Counts, names: Iterable[str] | None = None, *, zero_division: float = 0.0) -> dict[str, float]:
    """Compute measures from counts.

    Parameters
    ----------
    counts
        Of any instances: a chunk, a stream, faded or not.
    names
        Of ``MEASURES``; None, the default, is all that ``counts`` hold enough for, in the registry's order.
    zero_division
        The value of 0/0 in a precision, recall, F1 or label's average precision: 0.0 (default, as in River) or 1.0,
        with which an empty prediction of an empty set is right. Also the value of any measure but a loss over no
        instance or no label at all; a loss over nothing is 0.0, whatever ``zero_division``.

    Returns
    -------
    dict
        Name to value, in the order of ``names``.

    Raises
    ------
    ValueError
        If a name is unknown, a named measure needs what ``counts`` lack, or ``zero_division`` is neither 0.0 nor 1.0.

    Examples
    --------
    >>> counts = Counts.zeros(2).count([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> evaluate(counts, ["subset_accuracy", "hamming_loss", "micro_f1"])
    {'subset_accuracy': 0.5, 'hamming_loss': 0.25, 'micro_f1': 0.8}
    """
    zero_division = check_zero_division(zero_division)
    if names is None:
        return {name: m.value(counts, zero_division) for name, m in MEASURES.items() if m.available(counts)}
    values = {}
    for name in measure_names(names):
        lacking = MEASURES[name]._lacks(counts)
        if lacking:
            raise ValueError(f"measure {name!r} needs {lacking}")
        values[name] = MEASURES[name].value(counts, zero_division)
    return values


def measure_names(names: Iterable[str] | str) -> tuple[str, ...]:
    """The names, once each, in order; one name may stand alone.

    Raises
    ------
    ValueError
        If one is not in ``MEASURES``; says which are near it.
    """
    names = tuple(dict.fromkeys((names,) if isinstance(names, str) else names))
    for name in names:
        if name not in MEASURES:
            near = difflib.get_close_matches(str(name), MEASURES, n=3, cutoff=0.5)
            known = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(MEASURES)}"
            raise ValueError(f"unknown measure {name!r}; {known}")
    return names


def per_label(
    counts: Counts, labels: Sequence[str] | None = None, *, zero_division: float = 0.0
) -> dict[str, np.ndarray | list[str]]:
    """Precision, recall, F1 and support of each label, as the columns of a table.

    Parameters
    ----------
    counts
        Of any instances.
    labels
        Names of the labels; None leaves the column ``label`` out.
    zero_division
        The value of 0/0, 0.0 or 1.0.

    Returns
    -------
    dict
        ``label`` (list), ``precision``, ``recall``, ``f1``, ``support`` (instances that have it) and ``predicted``
        (instances predicted to), arrays of shape (n_labels,), float64. ``pandas.DataFrame`` takes it as it is.

    Raises
    ------
    ValueError
        If ``labels`` are not as many as ``counts`` have, or ``zero_division`` is neither 0.0 nor 1.0.
    """
    zero_division = check_zero_division(zero_division)
    table: dict[str, np.ndarray | list[str]] = {}
    if labels is not None:
        if len(labels) != counts.n_labels:
            raise ValueError(f"labels has {len(labels)} names; the counts are of {counts.n_labels} labels")
        table["label"] = list(labels)
    table["precision"] = _label_precision(counts, zero_division)
    table["recall"] = _label_recall(counts, zero_division)
    table["f1"] = _label_f1(counts, zero_division)
    table["support"] = counts.tp + counts.fn
    table["predicted"] = counts.tp + counts.fp
    return table


def _label_precision(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(counts.tp, counts.tp + counts.fp, zero_division)


def _label_recall(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(counts.tp, counts.tp + counts.fn, zero_division)


def _label_f1(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(2.0 * counts.tp, 2.0 * counts.tp + counts.fp + counts.fn, zero_division)


def _subset_accuracy(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("exact"), counts.n, zero_division)


def _hamming_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("wrong"), counts.n * counts.n_labels, 0.0)


def _example_mean(term: str) -> Callable[[Counts, float], float]:
    def value(counts: Counts, zero_division: float) -> float:
        total = counts.total(term) + zero_division * counts.total(f"no_{term}")
        return ratio(total, counts.n, zero_division)

    return value


def _micro_precision(counts: Counts, zero_division: float) -> float:
    tp, fp, _ = counts.per_label.sum(axis=1)
    return ratio(tp, tp + fp, zero_division)


def _micro_recall(counts: Counts, zero_division: float) -> float:
    tp, _, fn = counts.per_label.sum(axis=1)
    return ratio(tp, tp + fn, zero_division)


def _micro_f1(counts: Counts, zero_division: float) -> float:
    tp, fp, fn = counts.per_label.sum(axis=1)
    return ratio(2.0 * tp, 2.0 * tp + fp + fn, zero_division)


def _macro_mean(of_labels: Callable[[Counts, float], np.ndarray]) -> Callable[[Counts, float], float]:
    def value(counts: Counts, zero_division: float) -> float:
        return mean(of_labels(counts, zero_division), zero_division)

    return value


def _macro_f1_of_means(counts: Counts, zero_division: float) -> float:
    if counts.n_labels == 0:
        return zero_division
    precision = mean(_label_precision(counts, zero_division), zero_division)
    recall = mean(_label_recall(counts, zero_division), zero_division)
    # Both 0 is no 0/0 to be filled: every label was decided wrongly.
    return ratio(2.0 * precision * recall, precision + recall, 0.0)


def _ranking_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("ranking_loss"), counts.total("ranked"), 0.0)


def _average_precision(counts: Counts, zero_division: float) -> float:
    unranked = counts.total("scored") - counts.total("ranked")
    return ratio(counts.total("average_precision") + unranked, counts.total("scored"), zero_division)


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.name: measure
        for measure in (
            Measure(
                "subset_accuracy",
                "Subset accuracy",
                "share of the instances with Z = Y",
                "example",
                _subset_accuracy,
            ),
            Measure(
                "hamming_loss",
                "Hamming loss",
                "labels wrongly predicted or missed, divided by instances * L",
                "example",
                _hamming_loss,
                higher_is_better=False,
            ),
            Measure(
                "example_precision",
                "Precision (examples)",
                "mean over the instances of |Y ∩ Z| / |Z|",
                "example",
                _example_mean("precision"),
            ),
            Measure(
                "example_recall",
                "Recall (examples)",
                "mean over the instances of |Y ∩ Z| / |Y|",
                "example",
                _example_mean("recall"),
            ),
            Measure(
                "example_f1",
                "F1 (examples)",
                "mean over the instances of 2 |Y ∩ Z| / (|Y| + |Z|)",
                "example",
                _example_mean("f1"),
            ),
            Measure(
                "micro_precision",
                "Precision (micro)",
                "tp / (tp + fp), each summed over the labels",
                "micro",
                _micro_precision,
            ),
            Measure(
                "micro_recall",
                "Recall (micro)",
                "tp / (tp + fn), each summed over the labels",
                "micro",
                _micro_recall,
            ),
            Measure(
                "micro_f1",
                "F1 (micro)",
                "2 tp / (2 tp + fp + fn), each summed over the labels",
                "micro",
                _micro_f1,
            ),
            Measure(
                "macro_precision",
                "Precision (macro)",
                "mean over the labels of tp / (tp + fp)",
                "macro",
                _macro_mean(_label_precision),
            ),
            Measure(
                "macro_recall",
                "Recall (macro)",
                "mean over the labels of tp / (tp + fn)",
                "macro",
                _macro_mean(_label_recall),
            ),
            Measure(
                "macro_f1",
                "F1 (macro)",
                "mean over the labels of 2 tp / (2 tp + fp + fn)",
                "macro",
                _macro_mean(_label_f1),
            ),
            Measure(
                "macro_f1_of_means",
                "F1 of macro precision and recall",
                "harmonic mean of macro precision and macro recall",
                "macro",
                _macro_f1_of_means,
            ),
            Measure(
                "ranking_loss",
                "Ranking loss",
                "share of the pairs of a label in Y and one not in Y whose scores are equal or the wrong way round; "
                "mean over the instances with 0 < |Y| < L",
                "example",
                _ranking_loss,
                higher_is_better=False,
                needs_scores=True,
            ),
            Measure(
                "average_precision",
                "Ranking average precision",
                "for each label of Y the share of Y among the labels scored at least as high; mean over Y, then over "
                "the instances; 1 where |Y| is 0 or L",
                "example",
                _average_precision,
                needs_scores=True,
            ),
            Measure(
                "macro_average_precision",
                "Average precision (macro)",
                "mean over the labels of the area under the label's precision-recall steps, over the instances",
                "macro",
                _macro_mean(binned_average_precision),
                needs_scores=True,
            ),
            Measure(
                "hierarchical_precision",
                "Hierarchical precision",
                "sum of |Y ∩ Z| / sum of |Z| over the instances, Y and Z with their ancestors",
                "micro",
                hierarchical_precision,
                needs_hierarchy=True,
            ),
            Measure(
                "hierarchical_recall",
                "Hierarchical recall",
                "sum of |Y ∩ Z| / sum of |Y| over the instances, Y and Z with their ancestors",
                "micro",
                hierarchical_recall,
                needs_hierarchy=True,
            ),
            Measure(
                "hierarchical_f1",
                "Hierarchical F1",
                "harmonic mean of hierarchical precision and recall",
                "micro",
                hierarchical_f,
                needs_hierarchy=True,
            ),
        )
    }
)
"""Every measure that follows from ``Counts``, by name.

Sources: equations 17-19 and section 4.1.3 of the MLHAT paper (in whose example-based measures a union is misprinted for
the intersection), section IV-A of SMART for ``micro_f1`` and ``ranking_loss``. ``macro_f1`` is River's; the MLHAT
paper's wording gives ``macro_f1_of_means``. ``average_precision`` is scikit-learn's
``label_ranking_average_precision_score``, which gives 1 to an instance with none or all of the labels; ``ranking_loss``
leaves such instances out, where scikit-learn's ``label_ranking_loss`` averages them in as 0. Hierarchical: see
``streamlab.measures.hierarchical``.
"""
