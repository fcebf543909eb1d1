"""How often each label comes, now and over the whole stream, and which labels come together."""

from __future__ import annotations

import numpy as np

__all__ = ["LabelStatistics"]

MOST_TOGETHER = 200
"""Co-occurrence is a square of the labels: with more of them than this it is neither counted nor drawn."""


class LabelStatistics:
    """Prevalence and co-occurrence of labels from additive sums, whole and faded.

    Parameters
    ----------
    n_labels
        Number of labels.
    fading
        Each older instance weighs so much of the next; 0.995, the measures' default, remembers some 200 instances.
    """

    def __init__(self, n_labels: int, fading: float = 0.995) -> None:
        self.fading = fading
        self.n = 0
        self._n_faded = 0.0
        self._whole = np.zeros(n_labels)
        self._faded = np.zeros(n_labels)
        self._together = np.zeros((n_labels, n_labels)) if n_labels <= MOST_TOGETHER else np.zeros((0, 0))

    def add(self, Y: np.ndarray) -> None:
        """Count a chunk of label rows, uint8 of shape (n, n_labels)."""
        n = len(Y)
        if n == 0:
            return
        flags = Y.astype(np.float64)
        if flags.shape[1] > len(self._whole):
            more = flags.shape[1] - len(self._whole)
            self._whole, self._faded = np.pad(self._whole, (0, more)), np.pad(self._faded, (0, more))
            if len(self._whole) > MOST_TOGETHER:
                self._together = np.zeros((0, 0))
            else:
                self._together = np.pad(self._together, (0, more))
        weights = self.fading ** np.arange(n - 1, -1, -1.0)
        old = self.fading**n
        self._n_faded = old * self._n_faded + weights.sum()
        self._faded = old * self._faded + weights @ flags
        if len(self._together):
            self._together *= old
            self._together += (flags * weights[:, None]).T @ flags
        self._whole += flags.sum(axis=0)
        self.n += n

    @property
    def now(self) -> np.ndarray:
        """Faded share of the instances that carry each label, shape (n_labels,)."""
        return self._faded / max(self._n_faded, 1e-300)

    @property
    def whole(self) -> np.ndarray:
        """Share over the whole stream so far, shape (n_labels,)."""
        return self._whole / max(self.n, 1)

    @property
    def together(self) -> np.ndarray:
        """Faded share of the instances that carry both labels, (n_labels, n_labels); (0, 0) with over 200 labels."""
        return self._together / max(self._n_faded, 1e-300)
