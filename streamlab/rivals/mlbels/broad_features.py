"""The features of ML-BELS: windows of random nodes, mapped back to the rows' own values, shared by all learners."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import checked_seed, kept, parameter, random_key
from streamlab.learners.base.row_learner import coordinates, widths
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.storage import moved_places
from streamlab.rivals.mlbels import _kernels as kernels

NO_RANGE = 1e250
"""The least value of a node that had none yet, and the largest below 0."""


class Scaled(NamedTuple):
    """Rows of mean 0 and deviation 1, in compressed form: see ``scale_rows``."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    shifts: np.ndarray

    def part(self, start: int, stop: int) -> Scaled:
        """Return the rows from ``start`` to before ``stop``; their arrays are shared."""
        begin, end = int(self.indptr[start]), int(self.indptr[stop])
        return Scaled(
            self.indptr[start : stop + 1] - begin, self.indices[begin:end], self.values[begin:end],
            self.shifts[start:stop],
        )  # fmt: skip


class BroadFeatures(StreamEstimator):
    """Makes features of rows."""

    n_windows: int = parameter(1, 100, default=25, kw_only=True, limit=1000)
    window_nodes: int = parameter(1, 20, default=3, kw_only=True, limit=100)
    enhancement_nodes: int = parameter(1, 20, default=1, kw_only=True, limit=1000)
    shrink: float = parameter(1e-6, 10, default=0.8, kw_only=True, limit=100)
    seed: int | None = parameter(default=None, kw_only=True, check=checked_seed)
    _random: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _random_low: np.ndarray = kept("nodes", fill=NO_RANGE, finite=True)
    _random_high: np.ndarray = kept("nodes", fill=-NO_RANGE, finite=True)
    _window_grams: np.ndarray = kept("windows", "size", "size", finite=True)
    _cross: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _mapping: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _low: np.ndarray = kept("nodes", fill=NO_RANGE, finite=True)
    _high: np.ndarray = kept("nodes", fill=-NO_RANGE, finite=True)
    _enhancement: np.ndarray = kept("nodes+1", "enhancement_nodes", finite=True)
    _factor: float = kept(low=0, high=1e3)
    _key: int = kept(start=0)
    _is_drawn = False
    """Whether the random nodes are those of the key and of the present coordinates, in their order."""

    # ------------------------------------------------------------------ sizes

    def _sizes(self) -> dict[str, int]:
        nodes = int(self.n_windows) * int(self.window_nodes)
        width = nodes + int(self.enhancement_nodes)
        return super()._sizes() | {
            "coordinates": int(self._widths.sum()), "windows": int(self.n_windows), "size": int(self.window_nodes),
            "nodes": nodes, "enhancement_nodes": int(self.enhancement_nodes), "width": width,
            "packed": width * (width + 1) // 2,
        }  # fmt: skip

    def _reset(self) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._reset()
        self._key, self._is_drawn = int(random_key(self.seed) & (2**49 - 1)), False
        self._forget_features()

    def _forget_features(self) -> None:
        """Begin with the random nodes alone."""
        for name, array in BroadFeatures.storage.arrays.items():
            if not (self._is_drawn and name in ("random", "enhancement")):
                getattr(self, f"_{name}")[:] = array.fill
        self._factor = 1.0
        if self._is_drawn:
            return
        self._draw(np.arange(len(self._random) - 2), 0)
        # the row of the constant is the first of all draws
        constant = np.empty((1, self._random.shape[1]))
        kernels.draw_rows(self._key, 0, constant)
        self._random[-2] = constant[0]
        self._random[-1] = self._random[:-2].sum(axis=0)
        columns = np.random.default_rng([self._key, 1]).standard_normal(self._enhancement.shape)
        is_wide = columns.shape[1] > columns.shape[0]
        basis = np.linalg.qr(2.0 * (columns.T if is_wide else columns) - 1.0)[0]
        self._enhancement = np.ascontiguousarray(basis.T if is_wide else basis)
        self._is_drawn = True

    def _draw(self, places: np.ndarray, n_before: int) -> None:
        rows = np.empty((len(places), self._random.shape[1]))
        kernels.draw_rows(self._key, 1 + n_before, rows)
        self._random[places] = rows

    def _grown(self, n_features: int, n_labels: int) -> None:
        # the columns' storage is widened here and by the ensembles, not by the table: coordinates come in the middle
        self._widen_features()

    def _set_state(self, state: Any) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._set_state(state)
        self._is_drawn = False

    def _widen_features(self) -> None:
        """Give what came since its coordinates: drawn in the order in which they came, without a history."""
        old, self._widths = self._widths, widths(self._n_categories, contrasts=True)
        kept = moved_places(old, self._widths)
        n_coordinates = int(self._widths.sum())
        if n_coordinates == len(kept):
            return
        new = np.setdiff1d(np.arange(n_coordinates), kept)
        places = np.concatenate([kept, [n_coordinates, n_coordinates + 1]])
        table = BroadFeatures.storage
        own = {name: getattr(self, f"_{name}") for name in table.arrays}
        self._take(table.resize(own, self._sizes(), {"coordinates+2": places}))
        self._draw(new, len(kept))
        self._is_drawn = self._is_drawn and bool(new[0] == len(kept))
        self._random[-1] = self._random[:-2].sum(axis=0)
        # the sum over all coordinates belongs to none of them
        self._cross[new] = -self._cross[-1]

    # ------------------------------------------------------------------ features

    def _scaled(self, X: Any) -> Scaled:
        """Return rows, an array or ``SparseRows``, scaled each by itself; of a nominal feature its indicators."""
        is_coded = (self._n_categories > 2).any()
        if isinstance(X, SparseRows) and not is_coded:
            indptr, indices, data = X.arrays
        else:
            X = X.dense() if isinstance(X, SparseRows) else X
            points = coordinates(X, self._n_categories, contrasts=True) if is_coded else np.ascontiguousarray(X)
            indptr, indices, data = kernels.compressed(points)
        begin, end = int(indptr[0]), int(indptr[-1])
        values, shifts = np.empty(end - begin), np.empty(len(X))
        kernels.scale_rows(indptr, data, len(self._random) - 2, values, shifts)
        return Scaled(indptr - begin, indices[begin:end], values, shifts)

    def _projected(self, rows: Scaled, matrix: np.ndarray, width: int) -> np.ndarray:
        out = np.empty((len(rows.shifts), width))
        kernels.project(*rows, matrix, out)
        return out

    def _features_of(self, rows: Scaled) -> np.ndarray:
        """Return the features Z of rows, float64 (n, width), as they are now."""
        Z = self._projected(rows, self._mapping, len(self._low) + self._enhancement.shape[1])
        kernels.to_range(Z, self._low, self._high, 0.0, 1.0)
        kernels.enhance(Z, self._enhancement, self._factor)
        return Z

    def _learn_features(self, rows: Scaled) -> np.ndarray:
        """Learn the mapping from the rows of a chunk, and return their features by it."""
        A = self._projected(rows, self._random, self._random.shape[1])
        kernels.widen(A, self._random_low, self._random_high)
        kernels.to_range(A, self._random_low, self._random_high, -1.0, 2.0)
        kernels.add_window_grams(A, self._window_grams)
        kernels.add_products(*rows, A, self._cross)
        kernels.fit_mapping(self._window_grams, self._cross, self._mapping)
        n_nodes = len(self._low)
        Z = self._projected(rows, self._mapping, n_nodes + self._enhancement.shape[1])
        kernels.widen(Z, self._low, self._high)
        kernels.to_range(Z, self._low, self._high, 0.0, 1.0)
        largest = max(float(Z[:, :n_nodes].max(initial=0.0)), kernels.CONSTANT)
        self._factor = float(self.shrink) / largest
        kernels.enhance(Z, self._enhancement, self._factor)
        return Z
