"""The order of the labels in a chain: drawn, and lengthened by labels that come later."""

from __future__ import annotations

import numpy as np

from streamlab.learners.base.contradictions import contradiction
from streamlab.learners.base.storage import Array, index_into

__all__ = ["ORDER", "check_order", "lengthened_order"]

ORDER = Array("order", ("labels",), np.int64, rules=(index_into("labels"),))


def lengthened_order(order: np.ndarray, n_labels: int, rng: np.random.Generator | None) -> np.ndarray:
    """Return an order of ``n_labels``: the first ones drawn, or as they come without ``rng``, later ones at its end."""
    added = np.arange(len(order), n_labels)
    if not len(order) and n_labels and rng is not None:
        return rng.permutation(n_labels)
    return np.concatenate([order, added])


def check_order(owner: str, key: str, order: np.ndarray) -> None:
    """Raise a ValueError unless each label is there once."""
    if len(np.unique(order)) < len(order):
        raise contradiction(owner, f"{key} has a label twice; expected each once")
