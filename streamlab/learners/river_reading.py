"""What reads one of River's models for its picture, and never changes it."""

from __future__ import annotations

from typing import Any, ClassVar


class Reader:
    """Reads nothing: a model that has no picture.

    A subclass reads one kind of River's models. It has ``node_columns``, ``describe_node`` and whatever else its
    picture asks of a learner, which passes it on. The learner sets itself with each access: what was copied, or went
    back, reads its own.

    Parameters
    ----------
    learner
        The ``RiverClassifier`` around the model, which knows its columns; None for who gives them with each call.
    lacks
        What another reader missed in the model, as this version of River keeps it otherwise; ``""``: nothing.
    """

    picture: ClassVar[str] = ""
    """The name of the picture."""

    def __init__(self, learner: Any = None, lacks: str = "") -> None:
        self._learner = learner
        self.lacks = lacks

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_learner": None}

    @staticmethod
    def reads(model: Any) -> bool:
        """Whether a model, or the last step of a pipeline, is one that it reads."""
        return False

    def events(self, model: Any, position: int, row: Any = None) -> list[dict[str, Any]]:
        """Return what has changed since the last call, after ``row`` was learned; ``position``: rows learned."""
        return []

    def ask(self, model: Any, row: Any) -> Any:
        """Return the model's ``predict_proba_one`` of a row."""
        return model.predict_proba_one(row)

    def take_mark(self, other: Reader) -> None:
        """Keep what another reader of the model noted at the last mark."""
        vars(self).update({name: value for name, value in vars(other).items() if name.startswith("_marked")})

    def mark(self) -> None:
        """Note what the model holds, if the picture shows how much of it remains later. Default: nothing is noted."""
