"""What River lets change in a model that learns, as tunable parameters of the learner around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from river.base import MultiLabelClassifier, Wrapper
from river.compose import Pipeline

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import Tunable

KNOWN = {
    each.name: each
    for each in (
        Tunable("grace_period", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows that a leaf learns between two attempts to split."),
        Tunable("delta", 1e-12, 0.5, logarithmic=True, limit=1.0,
                help="Confidence of the Hoeffding bound: smaller waits longer before a split."),
        Tunable("tau", 0.0, 1.0, limit=1.0, help="Ties below this are split."),
        Tunable("drift_window_threshold", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows before a background tree is compared with its branch."),
        Tunable("switch_significance", 1e-6, 0.5, logarithmic=True, limit=1.0,
                help="Significance at which a background tree takes over."),
        Tunable("min_samples_reevaluate", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows of a node between two looks at its split."),
        Tunable("lambda_value", 0.1, 20.0, limit=1e6, help="Mean of the Poisson weights that rows come in with."),
        Tunable("fading_factor", 0.0, 1.0, limit=1.0, help="Weight of an error relative to the next."),
        Tunable("n_min", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows that a rule learns between two attempts to expand."),
        Tunable("m_min", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows that a rule has learned before it looks for outliers."),
        Tunable("anomaly_threshold", -1.0, 0.0, limit=0.0, help="Rows whose score is below this are outliers."),
        Tunable("l2", 0.0, 1.0, limit=1e6, help="Strength of the quadratic penalty of weights."),
    )
}  # fmt: skip
"""Numbers that River's classifiers and regressors list in ``_mutable_attributes``, with what is allowed."""


def _inside(inside: str, known: Tunable, value: float) -> Tunable:
    """Return a parameter of a model as one of the learner around it; River takes 59.5 where whole numbers are usual."""
    integer = known.integer and float(value).is_integer()
    title = known.name.replace("_", " ").capitalize()
    return replace(known, name=f"{inside}__{known.name}", title=title, integer=integer)


def last_step(model: Any) -> Any:
    """Return the last step of a River pipeline, or the model itself."""
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model


def tuned_part(model: Any) -> Any:
    """Return what has the parameters: the last step, or the model that it makes one of for each label, or chains."""
    last = last_step(model)
    if not isinstance(last, MultiLabelClassifier):
        return last
    # an encoder of label sets is no wrapper to River
    inside = last._wrapped_model if isinstance(last, Wrapper) else getattr(last, "model", None)
    return last if inside is None else last_step(inside)


class TunedInside(Learner):
    """A learner around River's models, all clones of one, whose parameters can be tuned as River allows it.

    The tunable parameters are those numbers that River lists in ``_mutable_attributes`` of the model, of the last step
    of a pipeline, or of the model that one of River's multi-label classifiers is made of, under ``<inside>__<name>``,
    such as ``classifier__grace_period``. What a new value does to what a model holds already is up to River: an
    adaptive random forest gives it to the trees that it begins from then on.
    """

    inside: ClassVar[str]
    """The parameter that holds the model that is cloned."""
    own_tunables: ClassVar[tuple[Tunable, ...]] = ()
    """The tunable parameters of the learner itself."""

    def _insides(self) -> list[Any]:
        """Return the clones."""
        raise NotImplementedError

    @property
    def tunables(self) -> tuple[Tunable, ...]:  # type: ignore[override]  # known for an object, not for the class
        """The learner's own tunable parameters, and those of the model inside."""
        model = tuned_part(vars(self)[self.inside])
        listed = sorted(model._mutable_attributes & KNOWN.keys(), key=list(KNOWN).index)
        return *self.own_tunables, *(
            _inside(self.inside, KNOWN[name], getattr(model, name))
            for name in listed
            if isinstance(getattr(model, name), (int, float))
        )

    def _params_inside(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in self.tunables if "__" in each.name}

    def __getattr__(self, name: str) -> Any:
        inside, _, parameter = name.partition("__")
        if inside == type(self).inside and parameter in KNOWN and inside in vars(self):
            return getattr(tuned_part(vars(self)[inside]), parameter)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _set_parameter(self, name: str, value: Any) -> None:
        inside, _, parameter = name.partition("__")
        if not parameter:
            super()._set_parameter(name, value)
            return
        # the model that was given is its owner's; a label that comes later has the new value too
        model = vars(self)[inside].clone()
        for each in (model, *self._insides()):
            tuned_part(each).mutate({parameter: value})
        setattr(self, inside, model)
