"""One of River's classifiers as it is: one model that learns the class of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from river.base import Classifier

from streamlab._checks import shown
from streamlab.learners.base.parameters import parameter
from streamlab.learners.base.registry import EventKind
from streamlab.learners.one_per_label import NOMINAL, OnePerLabel, is_river_classifier
from streamlab.learners.river_forests import EVENTS as FOREST_EVENTS
from streamlab.learners.river_forests import RiverForest
from streamlab.learners.river_linear import RiverBayes, Weights, WithWeights, class_weights, is_counting, is_linear
from streamlab.learners.river_models import Reader, first_step, is_of, last_step
from streamlab.learners.river_trees import EVENTS as TREE_EVENTS
from streamlab.learners.river_trees import RiverTree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RiverClassifier"]

READERS: tuple[type[Reader], ...] = (RiverTree, RiverForest, RiverBayes)
"""What reads models for their pictures: the first that ``reads`` one."""


class RiverClassifier(WithWeights):
    """One of River's classifiers as it is, for streams of classes: what it answers is what River's own loop gives.

    The model learns each row's class as the stream has it, a bool, an int or a text (``Schema.classes``); a row whose
    class is not known is not learned. It answers its ``predict_one``, and no class while it has none. The scores are
    its ``predict_proba_one``; of a model without probabilities 1 for its answer and 0 for the others. An answer that
    is no class of the stream, as of a model that was trained elsewhere, is a wrong one: it has no column, and its
    probability is no score. The first of each such class is an event, which names it.

    A model of two classes alone (``_multiclass`` is False), such as ``LogisticRegression``, learns True for the second
    class and False for the first.

    On a stream of label sets each set that has come is a class to it, as River's ``MultiClassEncoder`` has it, and the
    score of a label the sum over the sets with it.

    Missing values are left out of River's dictionaries, as are the zeros of sparse rows; a nominal value goes in as its
    category's name, or as indicators.

    Parameters
    ----------
    classifier
        A River classifier, or a pipeline that ends in one. It is cloned, never learned. The numbers that River lets
        change in it are tunable: ``tune(classifier__grace_period=50)``.
    nominal
        What the model is given of a nominal value: ``"words"`` (default) or ``"indicators"``, as in ``OnePerLabel``.

    Raises
    ------
    ValueError
        If ``classifier`` is not one of River's classifiers, ``nominal`` unknown, or the model is of two classes and the
        stream has more: River's ``OneVsRestClassifier`` or our ``OnePerLabel`` make one for each class of it.

    Examples
    --------
    >>> import streamlab as sl
    >>> from river import datasets, naive_bayes
    >>> stream = sl.load(datasets.ImageSegments())
    >>> model = RiverClassifier(naive_bayes.GaussianNB()).bind(stream.schema)
    >>> chunk = next(stream.chunks(300))
    >>> _, answers = model.test_then_train(chunk.X, chunk.Y)
    >>> round(float((answers == chunk.Y).all(axis=1).mean()), 2)
    0.58
    """

    answers_one_class: ClassVar[bool] = True
    inside: ClassVar[str] = "classifier"
    events: ClassVar[dict[str, EventKind]] = {
        **OnePerLabel.events, **TREE_EVENTS, **FOREST_EVENTS,
        "strange_answer": EventKind(
            "A class is answered that the stream does not have",
            "The model has a vocabulary of its own, or was trained elsewhere: the answer counts as wrong.",
        ),
    }  # fmt: skip
    classifier: Classifier = parameter()
    nominal: str = parameter(default="words", choices=NOMINAL, kw_only=True)

    def _check_parameters(self) -> None:
        if not is_river_classifier(self.classifier):
            raise ValueError(f"classifier={self.classifier!r}: expected a River classifier")
        first = first_step(self.classifier)
        if is_of(first, "feature_extraction", "BagOfWords") and first.on is None and not first.preprocessor:
            raise ValueError(
                f"classifier={type(first).__name__}() | ...: it reads bare texts, and the rows of a stream are "
                "dictionaries; expected the column of the texts, such as on='body' for ({'body': text}, y)"
            )

    @classmethod
    def _unit_test_params(cls):
        from river import naive_bayes

        yield {"classifier": naive_bayes.GaussianNB()}

    def _reset(self) -> None:
        super()._reset()
        self._model: Any = self.classifier.clone()
        self._has_lost = False
        # classes answered that the stream does not have, in order
        self._unknown_classes: dict[Any, None] = {}
        # the columns of the labels, by the model's class
        self._places: dict[Any, list[int]] = {}
        self._seen: Any = next((kind for kind in READERS if kind.reads(self.classifier)), Reader)(self)
        self._is_binary = not self._model._multiclass
        # the likeliest class is what River's own rule answers: the model need not be asked twice
        self._answers_likeliest = type(last_step(self._model)).predict_one is Classifier.predict_one

    @property
    def _reader(self) -> Any:
        self._seen._learner = self
        return self._seen

    def _read(self, duty: str, *args: Any) -> Any:
        """Let the reader do something; one that finds River's model other than it knows it reads nothing from then on.

        What the model itself raises, it raises again.
        """
        try:
            return getattr(self._reader, duty)(*args)
        except NotImplementedError:
            raise
        except Exception as error:
            self._seen = Reader(self, lacks=f"{type(error).__name__}: {error}")
            return getattr(self._seen, duty)(*args)

    def of(self, model: Any) -> Self:
        """Go on with a model like ``classifier`` as it is, with what it has learned; it is not cloned.

        ``RiverClassifier(model).of(copy.deepcopy(model))`` is a learner that begins with what a model has learned.
        """
        self._model = model
        return self

    def _check_columns(self, features: Any, labels: Any, hierarchy: Any) -> None:
        super()._check_columns(features, labels, hierarchy)
        if self._is_binary and len(labels) > 2:
            name = type(last_step(self.classifier)).__name__
            raise ValueError(
                f"{name} is a model of two classes, and the stream has {len(labels)}; expected OnePerLabel, or River's "
                "OneVsRestClassifier around it"
            )

    def _grown(self, n_features: int, n_labels: int) -> None:
        # River's model meets new columns in its dictionaries
        self._places = {}

    # ------------------------------------------------------------------ classes

    def _class_of(self, flags: list[int]) -> Any:
        """Return what the model learns of a row's labels; None: its class is not known."""
        one_class = self._intake.one_class
        if one_class is not None and 1 not in flags:
            return None
        if self._is_binary:
            return bool(flags[-1])
        if one_class is not None:
            return one_class.classes[flags.index(1)]
        return tuple(label for label, flag in zip(self._label_names, flags, strict=True) if flag)

    def _labels_of(self, target: Any) -> list[int]:
        """Return the columns of the labels that a class of the model stands for; none where it is unknown."""
        if self._is_binary:
            n = len(self._labels)
            return [n - 1] if target else [0] if n == 2 else []
        if self._intake.one_class is not None:
            place = self._intake.one_class.place.get(target)
            return [] if place is None else [place]
        labels = target if isinstance(target, tuple) else ()
        return [self._label_column[label] for label in labels if label in self._label_column]

    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        model = self._model
        try:
            known = model.predict_proba_one(x) or {}
        except NotImplementedError:
            known = None
        except ValueError:
            self._check_counts(x)
            raise
        if known is None or not self._answers_likeliest:
            answer = model.predict_one(x)
            known = ({} if answer is None else {answer: 1.0}) if known is None else known
        else:
            answer = max(known, key=known.__getitem__) if known else None
        row, places = [0.0] * len(scores), self._places
        for target, p in known.items():
            if p == p:
                for column in places.get(target) or places.setdefault(target, self._labels_of(target)):
                    row[column] += p
        scores[:] = row
        columns = () if answer is None else places.get(answer) or self._labels_of(answer)
        for column in columns:
            labels[column] = 1
        is_unknown = not (answer is None or answer == () or columns or self._is_binary)
        if is_unknown and answer not in self._unknown_classes:
            self._unknown_classes[answer] = None
            self._report("strange_answer", f"answered {shown(answer)}, which the stream does not have: such are wrong")

    def _check_counts(self, x: dict[Any, Any]) -> None:
        """Raise a ValueError if the model counts and a row holds a number below 0: its logarithm fails."""
        model = last_step(self._model)
        if not is_counting(model):
            return
        below = next((key for key, value in x.items() if not isinstance(value, str) and value < 0), None)
        if below is not None:
            raise ValueError(
                f"{type(model).__name__} counts, and {shown(below)} is {x[below]:.3g}; expected no number below 0: of "
                "hashed words (text=) those of vectorizer=HashingVectorizer(alternate_sign=False)"
            )

    @property
    def strange_answers(self) -> tuple[str, ...]:
        """The classes that it has answered and the stream does not have; rows answered so count as unanswered."""
        return tuple(map(str, self._unknown_classes))

    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        self._n_seen += 1
        target = self._class_of(flags)
        if target is None:
            return
        try:
            self._model.learn_one(x, target)
        except ZeroDivisionError:
            if not self._has_lost:
                self._has_lost = True
                self._report("row_lost", "River's model divided by zero; it lost the row and goes on")
        if type(self._seen).events is not Reader.events:
            self._events += self._read("events", self._model, self._n_seen)

    # ------------------------------------------------------------------ the picture of the model

    @property
    def picture(self) -> str:  # type: ignore[override]  # it depends on the model
        """The name of the picture of the model.

        ``"tree"`` of River's Hoeffding trees, ``"ensemble"`` of its adaptive random forests, ``"forest"`` of bagged
        trees, ``"gaussians"`` of its Gaussian naive Bayes where a row has one class, ``"weights"`` of linear models
        there, or where there is one label; else ``"text"``.
        """
        if found := self._reader.picture:
            return str(found)
        # where sets of labels are its classes, no label has weights
        has_columns = self._is_binary or self._intake.one_class is not None
        return "weights" if has_columns and is_linear(self.classifier) else super().picture

    def _label_weights(self) -> list[Weights]:
        found: list[Weights] = [({}, 0.0) for _ in self._labels]
        for target, weights in class_weights(self._model).items():
            for column in self._labels_of(target):
                found[column] = weights
        return found

    def __getattr__(self, name: str) -> Any:
        # what else a picture asks for, its reader knows
        found = None if name.startswith("_") else getattr(self._reader if "_seen" in vars(self) else None, name, None)
        return super().__getattr__(name) if found is None else found

    def mark(self) -> None:
        """Note what the model holds, if its picture shows how much of it remains later."""
        super().mark()
        self._read("mark")

    def node_columns(self, *least: float) -> dict[str, np.ndarray]:
        """Return what the picture of River's model draws, a row per node or tree.

        Parameters
        ----------
        *least
            Of a forest's cells ``max_depth`` and ``min_share``, as in ``SMART.node_columns``; else nothing.

        Returns
        -------
        dict of arrays
            Of a tree as ``MLHAT.node_columns``; ``threshold`` is NaN where a branch has a child for each value,
            ``error`` where River counts none, which it does in adaptive trees alone. Of an adaptive forest as
            ``OnlineBagging.node_columns``, of its cells as ``SMART.node_columns``.
        """
        columns: dict[str, np.ndarray] = self._reader.node_columns(*least)
        return columns

    def nodes(self) -> pd.DataFrame:
        """Return the nodes of River's tree, alternates too, in the columns of ``MLHAT.nodes``.

        What River does not keep is missing there: ``weight_recent``, ``born_at``, ``last_seen_at``. Of another model
        with a picture ``node_columns`` as a table; of one without no row.
        """
        table: pd.DataFrame = self._read("table")
        return table

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of one row of ``node_columns``, by its id; None: there is none of this id.

        Of a tree as ``MLHAT.describe_node``; what River does not keep, such as when a node began, is None.
        """
        story: dict[str, Any] | None = self._reader.describe_node(node_id)
        return story

    def node_history(self) -> dict[str, Any]:
        """Return how often each tree of a forest was right in the latest stretches, as ``OnlineBagging``'s."""
        history: dict[str, Any] = self._reader.node_history()
        return history

    # ------------------------------------------------------------------ what its reader asks

    @property
    def _feature_places(self) -> dict[Any, int]:
        return {name: place for place, name in enumerate(self._names)}

    @property
    def _class_places(self) -> dict[Any, int]:
        known = getattr(last_step(self._model), "classes", ())
        return {target: places[0] for target in known if (places := self._labels_of(target))}

    def _class_name(self, target: Any) -> str:
        places = self._class_places
        return str(self._labels[places[target]] if target in places else target)

    def _category_place(self, feature: int, value: Any) -> int | None:
        categories = self._features[feature].categories if feature >= 0 else None
        return categories.index(value) if categories is not None and value in categories else None
