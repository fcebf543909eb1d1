"""``check_learner``: every promise, River's checks and scikit-learn's; one error names those that are broken."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any
from unittest import mock

import river.checks
from sklearn.utils.estimator_checks import check_estimator

from streamlab.learners import Learner
from streamlab.schema import Schema
from streamlab.testing.case import DEFAULT_SCHEMA, Case, failure
from streamlab.testing.promises import PROMISES

__all__ = ["SKLEARN_EXCEPTIONS", "check_learner", "sklearn_exceptions"]

BASELINES = ("MajorityLabels", "NoChange")
SKLEARN_EXCEPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "check_estimator_tags_renamed": (
        "River's `Estimator`, which all are, has a method `_more_tags` of another meaning", ()
    ),
    "check_do_not_raise_errors_in_init_or_set_params": (
        "parameters are checked as soon as they are given, not at `fit`", ()
    ),
    "check_supervised_y_2d": (
        "it hands classes over as a column; a column of y is a label here, of 0 and 1, and classes have one dimension",
        (),
    ),
    "check_classifiers_train": (
        "it asks for 83 % of 300 rows after one pass; baselines, oversampling, and learners that first fill a window "
        "have fewer",
        ("ARkNN", "MLBELS", "MLHT", "Oversampling", *BASELINES),
    ),
    "check_classifiers_multilabel_output_format_predict_proba": (
        "it refuses a probability of exactly 0 or 1, which shares of few neighbours or rows may be",
        ("ARkNN", "FlatKNN", "GOOWE", "MLBELS", "MLHAT", "MLSAMPkNN", "MLSAkNN", "NoChange", "OnlineBagging",
         "Oversampling", "TargetsAsLabels"),
    ),
    "check_classifier_multioutput": (
        "it asks that scores above one half be the labels; these choose their labels by another rule",
        ("BalancedKNN", "Council", "FlatKNN", "HierarchicalKNN", "OnlineLogistic", "Pipeline", "RankedKNN", "SMART"),
    ),
    "check_no_attributes_set_in_init": ("the learners inside are attributes", ("Council", "Pipeline")),
    "check_dont_overwrite_parameters": ("the learners inside learn, and are attributes", ("Council", "Pipeline")),
    "check_set_params": ("the learner inside is a clone of what was given, not the same object", ("Oversampling",)),
    "check_parameters_default_constructible": ("there is no pipeline without steps", ("Pipeline",)),
}  # fmt: skip
"""Reason by the name of the check, and the learners that do not pass it; (): none does, or only one without parameters.

The documentation has the same table.
"""

# characters of a line about a broken promise
LONGEST = 400
# what checks expect whose assertions have no words
MEANT = {"assert model.__doc__": "the class has no docstring; expected one"}


def check_learner(
    make: Callable[[], Learner], *, schema: Schema | None = None, except_for: Mapping[str, str] | None = None
) -> None:
    """Check that a learner keeps the promises of ``PROMISES``, on a small stream that is made up for its columns.

    Parameters
    ----------
    make
        A class of learners, or a function without arguments that returns a new one. Parameters that make it change
        within 80 rows check more. One whose ``seed`` is None is checked with the seed 1: without one no two are alike.
    schema
        Its columns. Default: three numbers, a nominal feature of three categories, three labels. Sparse rows are
        checked where the learner ``takes_sparse``. Of scikit-learn's estimator checks, those of ``SKLEARN_EXCEPTIONS``
        are left out.
    except_for
        Promises that it breaks knowingly, each with the reason: a name of ``PROMISES``, or the name of one of River's
        or scikit-learn's checks, such as ``"check_pickling"``.

    Raises
    ------
    AssertionError
        If it breaks others, or keeps one that ``except_for`` names; with a line for each cause.
    ValueError
        If ``make`` returns no ``Learner``.

    Examples
    --------
    >>> import streamlab as sl
    >>> from streamlab.testing import check_learner
    >>> check_learner(sl.MajorityLabels)
    """
    model, excepted = make(), set(except_for or ())
    if not isinstance(model, Learner):
        raise ValueError(f"make returned a {type(model).__name__}; expected a streamlab Learner")
    checks = _checks(Case(partial(_seeded, make), schema or DEFAULT_SCHEMA))
    found = [(name, failure(check, *given)) for name, check, *given in checks]
    broken = {name: error for name, error in found if error is not None}
    texts = {name: _text_of(error) for name, error in broken.items() if name not in excepted}
    kept = dict(found).keys() & excepted - broken.keys()
    texts |= dict.fromkeys(kept, "kept; expected it to be broken, as except_for says")
    if texts:
        message = f"{type(model).__name__} breaks {len(texts)} of its promises:\n{_merged(texts)}"
        raise AssertionError(message) from next((broken[name] for name in texts if name in broken), None)


def _merged(texts: Mapping[str, str]) -> str:
    """Return a line for each cause: of texts that are alike but for their numbers the first."""
    alike: dict[str, list[str]] = {}
    for name, text in texts.items():
        alike.setdefault(re.sub(r"\d+", "0", text), []).append(name)
    return "\n".join(
        f"- {first}: {texts[first]}" + f" (and {len(also)} more so: {'; '.join(also)})" * bool(also)
        for first, *also in alike.values()
    )


def _seeded(make: Callable[[], Learner]) -> Learner:
    model = make()
    return model.clone({"seed": 1}) if getattr(model, "seed", 0) is None else model


def _text_of(error: Exception) -> str:
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    # a check may say what it expects in its code alone
    text = " ".join(str(error).split())[:LONGEST] or str(traceback.extract_tb(error.__traceback__)[-1].line)
    return kind + MEANT.get(text, text)


def _checks(case: Case) -> Iterator[tuple]:
    """Yield each check's name, the check, and what it is called with: promises, River's checks, scikit-learn's."""
    for name, promise in PROMISES.items():
        yield name, promise, case

    def datasets(model: Any, scale: int = 1) -> Iterator[list[tuple[dict, dict]]]:
        # in place of River's, which fetches label sets from the web
        yield Case(case.make, case.schema, 50 * scale).rows

    with mock.patch("river.checks._yield_datasets", datasets):
        model = case.make()
        for check in river.checks.yield_checks(model):
            if check.__name__ not in model._unit_test_skips():
                yield check.__name__, check, case.make().clone()
    # such as that parameters are checked as soon as they are given
    with warnings.catch_warnings(action="ignore"):
        results = check_estimator(model, on_fail=None, on_skip=None)
    for result in results:
        if result["status"] != "skipped" and result["check_name"] not in SKLEARN_EXCEPTIONS:
            yield result["check_name"], _raise, result["exception"]


def _raise(error: Exception | None) -> None:
    if error is not None:
        raise error


def sklearn_exceptions(name: str) -> dict[str, str]:
    """Return the checks that a learner may fail, with reasons: what ``check_estimator`` takes.

    Parameters
    ----------
    name
        The learner's class.

    Examples
    --------
    >>> import streamlab as sl
    >>> from sklearn.utils.estimator_checks import check_estimator
    >>> results = check_estimator(sl.MajorityLabels(), expected_failed_checks=sklearn_exceptions("MajorityLabels"))
    >>> {result["status"] for result in results} >= {"passed", "xfail"}
    True
    """
    return {check: reason for check, (reason, names) in SKLEARN_EXCEPTIONS.items() if not names or name in names}
