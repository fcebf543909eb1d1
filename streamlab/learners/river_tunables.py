"""What learners around River's models share: rows as River has them, and the parameters that it lets change."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from river.base import MultiLabelClassifier, Wrapper

from streamlab._lock import serialised
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import Tunable, kept
from streamlab.learners.base.row_learner import RowLearner
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.state import State
from streamlab.learners.river_models import last_step, lines_of, pickled, source_of
from streamlab.schema import NumberedFeatures

NOMINAL = ("words", "indicators")
"""What River's models are given of nominal values."""
KNOWN = {
    each.name: each
    for each in (
        Tunable("grace_period", 1, 1000, integer=True, logarithmic=True, limit=1e9,
                help="Rows that a leaf learns between two attempts to split.",
                says="a leaf tries to split every {value} rows"),
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


def tuned_part(model: Any) -> Any:
    """Return what has the parameters: the last step, or the model that it makes one of for each label, or chains."""
    last = last_step(model)
    if not isinstance(last, MultiLabelClassifier):
        return last
    # an encoder of label sets is no wrapper to River
    inside = last._wrapped_model if isinstance(last, Wrapper) else getattr(last, "model", None)
    return last if inside is None else last_step(inside)


class TunedInside(RowLearner):
    """A learner around River's models, all clones of one, whose parameters can be tuned as River allows it.

    The tunable parameters are those numbers that River lists in ``_mutable_attributes`` of the model, of the last step
    of a pipeline, or of the model that one of River's multi-label classifiers is made of, under ``<inside>__<name>``,
    such as ``classifier__grace_period``. What a new value does to what a model holds already is up to River: an
    adaptive random forest gives it to the trees that it begins from then on.
    """

    takes_sparse: ClassVar[bool] = True
    works_in_python: ClassVar[bool] = True
    inside: ClassVar[str]
    """The parameter that holds the model that is cloned."""
    _model: Any = kept()
    own_tunables: ClassVar[tuple[Tunable, ...]] = ()
    """The tunable parameters of the learner itself."""

    def _insides(self) -> list[Any]:
        """Return the clones."""
        return [self._model]

    @abstractmethod
    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        """Write the answer to a row."""

    @abstractmethod
    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        """Learn a row."""

    def _river_rows(self, X: Any) -> Iterator[dict[Any, Any]]:
        """Yield the rows of a checked chunk as River's dictionaries, without the missing values.

        Those of ``SparseRows`` hold the values that are kept: to River, a feature that is absent is 0. A nominal value
        is its category's name; with ``nominal="indicators"`` it is a 1.0 by the name ``feature=category``, and a 0.0
        for each of the other categories.
        """
        rows = _rows_with_words(self, X)
        if getattr(self, "nominal", "words") == "words" or isinstance(self._features, NumberedFeatures):
            return rows
        known = {
            name: {category: f"{name}={category}" for category in feature.categories}
            for name, feature in zip(self._names, self._features, strict=True)
            if feature.categories is not None
        }
        return (_with_indicators(row, known) for row in rows) if known else rows

    def _river_row(self, x: Any) -> dict[Any, Any]:
        """Return one row, dense, sparse, or as River has it, as River has it."""
        return x if isinstance(x, dict) else next(self._river_rows(self._one_row(x).values))

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        flags = Y.tolist()
        for i, x in enumerate(self._river_rows(X)):
            self._answer_row(x, scores[i], labels[i])
            if flags:
                self._learn_row(x, flags[i])
        return len(X)

    @serialised
    def _pickled(self) -> bytes:
        return pickled(self)

    @property
    def model(self) -> Any:
        """River's model as it is now, to be read."""
        return self._model

    @property
    def picture(self) -> str:  # type: ignore[override]  # others depend on the model
        """``"text"``: what the model says of itself."""
        return "text"

    def _named_insides(self) -> dict[str, Any]:
        """Return the clones by what they are called; ``""`` where there is one alone."""
        return {"": self._model}

    def own_words(self, x: Any = None) -> dict[str, Any]:
        """Return what River's model says of itself, and of a row.

        Parameters
        ----------
        x
            A row: an array of its values, sparse or dense, or a dictionary as River has it. Default: none.

        Returns
        -------
        dict
            ``lines``, an iterator of its ``summary`` and its ``debug_one`` of the row, of models around others what
            these say; else how River writes it. ``source``, a text: what of the model says so; ``of_row``, whether it
            is of the row.
        """
        row = None if x is None else self._river_row(x)
        source, of_row = source_of(vars(self)[self.inside])
        return {"lines": lines_of(self._named_insides(), row), "source": source, "of_row": of_row and x is not None}

    def _make_room(self, X: Any) -> None:
        """River's models make room themselves."""

    def _learn(self, X, Y, missing) -> None:
        if self._follows:
            super()._learn(X, Y, missing)
            return
        for x, flags in zip(self._river_rows(X), Y.tolist(), strict=True):
            self._learn_row(x, flags)

    @property
    def n_bytes(self) -> int:
        """Bytes of River's objects."""
        return int(self._model._raw_memory_usage)

    def state(self) -> State:
        """Raise a ValueError: River's objects have no flat state."""
        raise ValueError(f"{type(self).__name__} holds River's objects, which have no flat state; use copy()")

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


def _with_indicators(row: dict[Any, Any], known: dict[Any, dict[str, str]]) -> dict[Any, Any]:
    for name, indicators in known.items():
        if name in row:
            value = row.pop(name)
            row |= {indicator: float(category == value) for category, indicator in indicators.items()}
    return row


def _rows_with_words(learner: Learner, X: Any) -> Iterator[dict[Any, Any]]:
    features, names = learner._features, learner._names
    if isinstance(X, SparseRows):
        for start, stop in itertools.pairwise(X.indptr.tolist()):
            pairs = zip(X.indices[start:stop].tolist(), X.data[start:stop].tolist(), strict=True)
            if isinstance(features, NumberedFeatures):
                yield {names[j]: v for j, v in pairs if v == v}
            else:
                kinds = ((names[j], features[j].categories, v) for j, v in pairs if v == v)
                yield {name: v if known is None else known[int(v)] for name, known, v in kinds}
        return
    if all(f.categories is None for f in features) and not np.isnan(X).any():
        yield from (dict(zip(names, values, strict=True)) for values in X.tolist())
        return
    for values in X.tolist():
        yield {
            name: v if f.categories is None else f.categories[int(v)]
            for name, f, v in zip(names, features, values, strict=True)
            if v == v
        }
