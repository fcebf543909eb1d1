"""River's learners with the parameters of MLHAT's study: one for each label, or iSOUPT; and its multi-label models.

Source: A. Esteban, A. Cano, A. Zafra, S. Ventura: "Hoeffding adaptive trees for multi-label classification on data
streams", its table of rivals and the program of its authors. River is imported when a recipe is made.
"""

from __future__ import annotations

from collections.abc import Callable
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


def _tree(seed: int | None) -> Any:
    from river import tree

    return tree.HoeffdingTreeClassifier(delta=DELTA)


def _adaptive_tree(seed: int | None) -> Any:
    from river import tree

    return tree.HoeffdingAdaptiveTreeClassifier(delta=DELTA, drift_window_threshold=50, seed=seed)


def _fast_tree(seed: int | None) -> Any:
    from river import tree

    return tree.ExtremelyFastDecisionTreeClassifier(delta=DELTA)


def _gradient_tree(seed: int | None) -> Any:
    from river import tree

    return tree.SGTClassifier(delta=DELTA)


def _mondrian_tree(seed: int | None) -> Any:
    from river import forest

    return forest.AMFClassifier(n_estimators=1, step=0.1, seed=seed)


def _mondrian_forest(seed: int | None) -> Any:
    from river import forest

    return forest.AMFClassifier(n_estimators=10, seed=seed)


def _adaptive_forest(seed: int | None) -> Any:
    from river import forest

    return forest.ARFClassifier(n_models=10, seed=seed)


def _neighbours(seed: int | None) -> Any:
    from river import neighbors

    return neighbors.KNNClassifier(5, engine=neighbors.LazySearch(window_size=200))


def _bayes(seed: int | None) -> Any:
    from river import naive_bayes

    return naive_bayes.GaussianNB()


def _bagged_regressions(seed: int | None) -> Any:
    from river import ensemble, linear_model

    return ensemble.ADWINBaggingClassifier(linear_model.LogisticRegression(), n_models=10, seed=seed)


def _boosted_regressions(seed: int | None) -> Any:
    from river import ensemble, linear_model

    return ensemble.ADWINBoostingClassifier(linear_model.LogisticRegression(), n_models=10, seed=seed)


def _rules(seed: int | None) -> Any:
    from river import drift, linear_model, rules

    # the study's: a classifier; River's rules and trees call only its predict_one and learn_one
    model: Any = linear_model.LogisticRegression()
    return rules.AMRules(n_min=200, delta=DELTA, pred_type="model", pred_model=model, drift_detector=drift.ADWIN())


def _isoup(seed: int | None) -> Any:
    from river import linear_model, tree

    model: Any = linear_model.LogisticRegression()
    return tree.ISOUPTreeRegressor(
        grace_period=200, delta=DELTA, tau=0.05, min_samples_split=5, leaf_prediction="model", leaf_model=model
    )


def _adaptive_isoup(seed: int | None) -> Any:
    from river import tree

    return tree.ISOUPTreeRegressor(grace_period=200, delta=DELTA, tau=0.05, min_samples_split=5)


def _recipe(
    kind: str, name: str, about: str, group: str, make: Callable[[int | None], Any], papers: tuple[str, ...] = (),
    nominal: str | None = None,
) -> Recipe:  # fmt: skip
    """Return the recipe of a learner of the class ``kind`` around what ``make`` returns for a seed."""

    def made(seed: int | None) -> Learner:
        more = {} if nominal is None else {"nominal": nominal}
        model: Learner = LEARNERS.load(kind)(make(seed), **more)
        return model

    # since the second version, nominal values are numbers for some
    return Recipe(name, about, group, made, answers_version=2 if nominal == NUMBERS else 1, papers=papers)


def _one_per_label(short: str, about: str, make: Any, papers: str, nominal: str = "words") -> Recipe:
    cited = (STUDY, *papers.split())
    return _recipe("OnePerLabel", f"{short} one per label", about, GROUP, make, cited, nominal)


def _all_labels(name: str, about: str, make: Any, papers: str, nominal: str = "words") -> Recipe:
    return _recipe("TargetsAsLabels", name, about, GROUP, make, (STUDY, *papers.split()), nominal)


def _multi_label(name: str, about: str, make: Any) -> Recipe:
    return _recipe("RiverMultiLabel", name, about, MULTI_LABEL, make)


def _chain(seed: int | None) -> Any:
    from river import multioutput, tree

    return multioutput.ClassifierChain(tree.HoeffdingTreeClassifier())


def _sampled_chain(seed: int | None) -> Any:
    from river import multioutput, tree

    return multioutput.MonteCarloClassifierChain(tree.HoeffdingTreeClassifier(), m=10, seed=seed)


def _label_sets(seed: int | None) -> Any:
    from river import multioutput, tree

    return multioutput.MultiClassEncoder(tree.HoeffdingTreeClassifier())


RIVER_RECIPES = (
    _one_per_label("HT", "A Hoeffding tree for each label.", _tree, "domingos2000mining"),
    _one_per_label("HAT", "A Hoeffding adaptive tree for each label; branches that err more are replaced.",
                   _adaptive_tree, "bifet2009adaptive"),
    _one_per_label("EFDT", "A tree for each label that splits early and revises its splits.", _fast_tree,
                   "manapragada2018extremely"),
    _one_per_label("SGT", "A tree for each label that splits by the gradient of its loss.", _gradient_tree,
                   "gouk2019stochastic"),
    _one_per_label("MT", "A Mondrian tree for each label.", _mondrian_tree, "mourtada2021amf", NUMBERS),
    _one_per_label("AMF", "A forest of ten Mondrian trees for each label.", _mondrian_forest, "mourtada2021amf",
                   NUMBERS),
    _one_per_label("ARF", "An adaptive random forest of ten trees for each label.", _adaptive_forest,
                   "gomes2017adaptive"),
    _one_per_label("KNN", "The five nearest neighbours among the latest 200 rows, for each label.", _neighbours,
                   "", NUMBERS),
    _one_per_label("NB", "Gaussian naive Bayes for each label.", _bayes, "", NUMBERS),
    _one_per_label("ABALR", "Ten bagged logistic regressions for each label, replaced where ADWIN finds drift.",
                   _bagged_regressions, "bifet2009ensemble oza2001online", NUMBERS),
    _one_per_label("ABOLR", "Ten boosted logistic regressions for each label, replaced where ADWIN finds drift.",
                   _boosted_regressions, "bifet2009ensemble oza2001online", NUMBERS),
    _one_per_label("AMR", "Adaptive rules for each label that answer with logistic regressions.", _rules,
                   "almeida2013rules", NUMBERS),
    _all_labels("iSOUPT", "One tree for all labels whose leaves have a logistic regression for each.", _isoup,
                "osojnik2017multilabel osojnik2018tree", NUMBERS),
    _all_labels("iSOUPT adaptive", "One tree for all labels whose leaves answer by mean or linear regression, "
                "whichever has erred less lately.", _adaptive_isoup, "osojnik2017multilabel osojnik2018tree", NUMBERS),
    _multi_label("HT chain", "A chain of Hoeffding trees, each of which sees the answers of those before it.", _chain),
    _multi_label("HT sampled chain", "A chain of Hoeffding trees that answers the likeliest of ten sampled label sets.",
                 _sampled_chain),
    _multi_label("HT label sets", "A Hoeffding tree for which each label set that has come is a class.", _label_sets),
)  # fmt: skip
"""The recipes: those of the study in the order of its table, then River's multi-label models."""
