"""scikit-learn's estimator checks that learners do not pass, each with the reason."""

from __future__ import annotations

__all__ = ["SKLEARN_EXCEPTIONS", "sklearn_exceptions"]

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
