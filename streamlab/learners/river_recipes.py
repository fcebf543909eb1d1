"""River's learners with the parameters of MLHAT's study: one for each label, or iSOUPT; and its multi-label models.

Source: A. Esteban, A. Cano, A. Zafra, S. Ventura: "Hoeffding adaptive trees for multi-label classification on data
streams", its table of rivals and the program of its authors. River is imported when a recipe is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from streamlab.learners.base.composed import Recipe
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.registry import LEARNERS

__all__ = ["RIVER_RECIPES"]

STUDY = "esteban2024hoeffding"
GROUP = "River's learners, with the study's parameters"
# of the Hoeffding bound, in every tree and rule of the study
DELTA = 1e-5
# what models that take numbers alone are given of nominal values
NUMBERS = "indicators"
MULTI_LABEL = "River's multi-label models, of Hoeffding trees"


Make = Callable[[int | None], Any]
"""What makes a model of River's for a seed."""


def _river(place: str, **parameters: Any) -> Make:
    """Return what makes a model of River's, such as ``"tree.SGTClassifier"``; a parameter may be made for the seed."""
    module, _, kind = place.partition(".")

    def make(seed: int | None) -> Any:
        given = {name: value(seed) if callable(value) else value for name, value in parameters.items()}
        return getattr(import_module(f"river.{module}"), kind)(**given)

    return make


def _seed(seed: int | None) -> int | None:
    return seed


# the study's: a classifier; River's rules and trees call only its predict_one and learn_one
REGRESSION = _river("linear_model.LogisticRegression")
ISOUP = partial(_river, "tree.ISOUPTreeRegressor", grace_period=200, delta=DELTA, tau=0.05, min_samples_split=5)
ISOUP_PAPERS = "osojnik2017multilabel osojnik2018tree"
PLAIN_TREE = _river("tree.HoeffdingTreeClassifier")
ENSEMBLE: dict[str, Any] = {"model": REGRESSION, "n_models": 10, "seed": _seed}


def _recipe(
    kind: str, name: str, about: str, group: str, make: Make, papers: tuple[str, ...] = (), nominal: str | None = None,
) -> Recipe:  # fmt: skip
    """Return the recipe of a learner of the class ``kind`` around what ``make`` returns for a seed."""

    def made(seed: int | None) -> Learner:
        more = {} if nominal is None else {"nominal": nominal}
        model: Learner = LEARNERS.load(kind)(make(seed), **more)
        return model

    # since the second version, nominal values are numbers for some
    return Recipe(name, about, group, made, answers_version=2 if nominal == NUMBERS else 1, papers=papers)


def _one_per_label(short: str, about: str, make: Make, papers: str, nominal: str = "words") -> Recipe:
    cited = (STUDY, *papers.split())
    return _recipe("OnePerLabel", f"{short} one per label", about, GROUP, make, cited, nominal)


def _all_labels(name: str, about: str, make: Make, papers: str, nominal: str = "words") -> Recipe:
    return _recipe("TargetsAsLabels", name, about, GROUP, make, (STUDY, *papers.split()), nominal)


def _multi_label(name: str, about: str, make: Make) -> Recipe:
    return _recipe("RiverMultiLabel", name, about, MULTI_LABEL, make)


RIVER_RECIPES = (
    _one_per_label("HT", "A Hoeffding tree for each label.",
                   _river("tree.HoeffdingTreeClassifier", delta=DELTA), "domingos2000mining"),
    _one_per_label("HAT", "A Hoeffding adaptive tree for each label; branches that err more are replaced.",
                   _river("tree.HoeffdingAdaptiveTreeClassifier", delta=DELTA, drift_window_threshold=50, seed=_seed),
                   "bifet2009adaptive"),
    _one_per_label("EFDT", "A tree for each label that splits early and revises its splits.",
                   _river("tree.ExtremelyFastDecisionTreeClassifier", delta=DELTA), "manapragada2018extremely"),
    _one_per_label("SGT", "A tree for each label that splits by the gradient of its loss.",
                   _river("tree.SGTClassifier", delta=DELTA), "gouk2019stochastic"),
    _one_per_label("MT", "A Mondrian tree for each label.",
                   _river("forest.AMFClassifier", n_estimators=1, step=0.1, seed=_seed), "mourtada2021amf", NUMBERS),
    _one_per_label("AMF", "A forest of ten Mondrian trees for each label.",
                   _river("forest.AMFClassifier", n_estimators=10, seed=_seed), "mourtada2021amf", NUMBERS),
    _one_per_label("ARF", "An adaptive random forest of ten trees for each label.",
                   _river("forest.ARFClassifier", n_models=10, seed=_seed), "gomes2017adaptive"),
    _one_per_label("KNN", "The five nearest neighbours among the latest 200 rows, for each label.",
                   _river("neighbors.KNNClassifier", n_neighbors=5,
                          engine=_river("neighbors.LazySearch", window_size=200)), "", NUMBERS),
    _one_per_label("NB", "Gaussian naive Bayes for each label.", _river("naive_bayes.GaussianNB"), "", NUMBERS),
    _one_per_label("ABALR", "Ten bagged logistic regressions for each label, replaced where ADWIN finds drift.",
                   _river("ensemble.ADWINBaggingClassifier", **ENSEMBLE), "bifet2009ensemble oza2001online", NUMBERS),
    _one_per_label("ABOLR", "Ten boosted logistic regressions for each label, replaced where ADWIN finds drift.",
                   _river("ensemble.ADWINBoostingClassifier", **ENSEMBLE), "bifet2009ensemble oza2001online", NUMBERS),
    _one_per_label("AMR", "Adaptive rules for each label that answer with logistic regressions.",
                   _river("rules.AMRules", n_min=200, delta=DELTA, pred_type="model", pred_model=REGRESSION,
                          drift_detector=_river("drift.ADWIN")), "almeida2013rules", NUMBERS),
    _all_labels("iSOUPT", "One tree for all labels whose leaves have a logistic regression for each.",
                ISOUP(leaf_prediction="model", leaf_model=REGRESSION), ISOUP_PAPERS, NUMBERS),
    _all_labels("iSOUPT adaptive", "One tree for all labels whose leaves answer by mean or linear regression, "
                "whichever has erred less lately.", ISOUP(), ISOUP_PAPERS, NUMBERS),
    _multi_label("HT chain", "A chain of Hoeffding trees, each of which sees the answers of those before it.",
                 _river("multioutput.ClassifierChain", model=PLAIN_TREE)),
    _multi_label("HT sampled chain", "A chain of Hoeffding trees that answers the likeliest of ten sampled label sets.",
                 _river("multioutput.MonteCarloClassifierChain", model=PLAIN_TREE, m=10, seed=_seed)),
    _multi_label("HT label sets", "A Hoeffding tree for which each label set that has come is a class.",
                 _river("multioutput.MultiClassEncoder", model=PLAIN_TREE)),
)  # fmt: skip
"""The recipes: those of the study in the order of its table, then River's multi-label models."""
