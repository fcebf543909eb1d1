"""Algorithm 1 of the hierarchical kNN paper, transcribed line by line, with plain lists and dictionaries."""

from __future__ import annotations

from collections import deque

import numpy as np

__all__ = ["ByHand", "random_stream", "random_tree"]


class ByHand:
    """``parents`` as a schema's hierarchy has them; a class is its number, the root is -1.

    ``eta`` examples are kept of each class, or with ``by_path`` of each complete path, which its last class names.
    """

    def __init__(self, parents, k: int, eta: int, by_path: bool) -> None:
        self.k, self.by_path = k, by_path
        self.children = {node: [c for c, p in enumerate(parents) if p == node] for node in range(-1, len(parents))}
        self.windows = {c: deque(maxlen=eta) for c in range(len(parents))}
        # average distances of the current instance, which do not depend on delta
        self.found: dict[int, float] = {}

    def local_dataset(self, c: int) -> list:
        """The inclusive heuristic: with ``by_path`` what the paths through the class keep, one path after the other."""
        if not self.by_path:
            return list(self.windows[c])
        below, waiting = [], [c]
        while waiting:
            below.append(waiting.pop())
            waiting += self.children[below[-1]]
        return [x for d in sorted(below) for x in self.windows[d]]

    def average_distance(self, x, c: int) -> float:
        if c not in self.found:
            distances = np.sort(np.sqrt(((np.array(self.local_dataset(c)) - x) ** 2).sum(axis=1)))
            self.found[c] = distances[: self.k].mean()
        return self.found[c]

    def predict(self, x, delta: float) -> list[int]:
        node, path = -1, []
        while self.children[node]:
            children = [c for c in self.children[node] if self.local_dataset(c)]
            if not children:
                break
            d = np.array([self.average_distance(x, c) for c in children])
            dists = d / d.max() if d.max() > 0 else d
            dists = dists - dists.min()
            if (dists <= delta).sum() > 1:
                break
            node = children[int(np.flatnonzero(d == d.min())[0])]
            path.append(node)
        return path

    def learn(self, x, path) -> None:
        self.found.clear()
        for c in path[-1:] if self.by_path else path:
            self.windows[c].append(x)


def random_tree(rng: np.random.Generator, n: int) -> tuple[int, ...]:
    """Parents of ``n`` classes: the first three at the top, the others mostly below an earlier one."""
    return tuple(-1 if c < 3 or rng.random() < 0.1 else int(rng.integers(c)) for c in range(n))


def random_stream(
    rng: np.random.Generator, hierarchy, n: int, n_features: int
) -> tuple[np.ndarray, np.ndarray, list[list[int]]]:
    """X, Y and paths: noisy centres, paths that end anywhere, values in eighths: distances tie, exactly."""
    n_classes = len(hierarchy)
    centres = rng.normal(size=(n_classes, n_features))
    ends = rng.integers(n_classes, size=n)
    X = np.round(8 * (centres[ends] + 0.7 * rng.normal(size=(n, n_features)))) / 8
    paths = [list(hierarchy.paths_to(int(end))[0]) for end in ends]
    Y = np.zeros((n, n_classes), np.uint8)
    for row, path in enumerate(paths):
        Y[row, path] = 1
    return X, Y, paths
