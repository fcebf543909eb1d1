"""The loss of an answer to one instance."""

from __future__ import annotations

from streamlab.kernels import kernel
from streamlab.learners.mlhat._settings import HAMMING, MICRO_F1, SUBSET
from streamlab.learners.mlhat._tree import INNER

__all__ = ["loss_of"]


@kernel(**INNER)
def loss_of(measure, scores, y):
    """Return the loss of an answer to one instance, in [0, 1]."""
    both = either = wrong = 0
    for label in range(y.shape[0]):
        predicted, true = scores[label] > 0.5, y[label] != 0
        both += predicted & true
        either += predicted | true
        wrong += predicted != true
    if wrong == 0:
        return 0.0
    if measure == HAMMING:
        return wrong / y.shape[0]
    if measure == SUBSET:
        return 1.0
    if measure == MICRO_F1:
        return 1.0 - 2.0 * both / (both + either)
    # of one instance, each label that is true or predicted has F1 1 or 0
    return 1.0 - both / either
