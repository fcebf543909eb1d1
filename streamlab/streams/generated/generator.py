"""Synthetic multi-label streams with known drift: the meta-generator of Read et al. over three binary generators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streamlab._checks import checked_choice, checked_count
from streamlab.schema import Feature, Schema
from streamlab.streams.draws import count_passed, ramp, uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import (
    BASES,
    N_CATEGORIES,
    Base,
    Concept,
    RowConcepts,
    draw_combinations,
    feature_map,
    relations_of,
    seed_word,
)
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import positions, spans

__all__ = ["MultiLabelGenerator"]

ONE_CONCEPT = Concept()
KINDS = ("sudden", "gradual", "incremental")
ABOUT = {
    "sudden": "the rule that joins features and labels was exchanged for another",
    "gradual": "more and more rows follow another rule than before",
    "incremental": "the rule that joins features and labels turns into another, step by step",
    "recurrent": "a rule of earlier rows came back",
}
N_BLOCK = 1000  # a multiple of the usual chunks, which are then cut out without a copy

# Keys of what is drawn for a row from the stream's seed; 1 to 3 are the kernels', 11 to 17 those of a concept's parts.
_STRUCTURE, _CONCEPT = 21, 100


class MultiLabelGenerator(Stream):
    """Multi-label instances made from a binary generator, with drift and its ground truth.

    A label set is drawn first: one label by its prior; then the others, in random order, each switched on with the
    product of P(j|k) over the labels k that are on. Then a positive and a negative instance of the binary generator
    are drawn; each feature has a small combination of labels, and takes the positive's value where all of them are in
    the label set, else the negative's.

    Every row is drawn from the seed and its position alone: neither chunks nor the starting row matter.

    Parameters
    ----------
    base
        The binary generator: ``"tree"``, ``"rbf"`` or ``"hyperplane"``.
    concepts
        A ``Concept``, or one for each stretch of the stream; a concept may come back.
    n_features
        How many features; default 30.
    n_labels
        How many labels, at least 2 and above every concept's cardinality; default 8.
    at
        Where drifts begin, in rows counted from 0: increasing, one fewer than concepts. After the last drift the last
        concept stays.
    width
        Over how many rows a drift comes about, default 1; a drift ends before the next begins.
    how
        ``"sudden"`` (default; width 1). ``"gradual"``: each row is from the old or the new concept, the chance of the
        new growing as a logistic curve from 0.7 % to 99.3 %. ``"incremental"``: the parameters move in equal steps from
        the old to the new: priors and P(j|k), centroids (centre, spread, weight), the hyperplane's weights. What
        cannot be half-way, the tree and the feature map, is the new concept's with a chance equal to the share of
        the way gone, row by row.
    n_rows
        How many rows; default 50,000; None for an endless stream.
    n_nominal
        Tree only: how many features, the last, are nominal with 5 categories; default 0.
    seed
        Which rows are drawn; the concepts have seeds of their own. Default 0.
    name
        Default: of base and kind of drift.

    Attributes
    ----------
    drifts
        ``Drift(start, width, kind)`` with the kind ``"sudden"``, ``"gradual"``, ``"incremental"`` or, in a sudden
        stream, ``"recurrent"`` where the new concept occurred before.

    Raises
    ------
    ValueError
        If a parameter is out of range or does not go with the base.

    Notes
    -----
    *Priors and cardinality.* Priors are uniform numbers scaled to sum to the cardinality z, none above 1. As one label
    is always on, further labels switched on by such priors would make the sets larger than z (with products of several
    P(j|k), later smaller). For the further labels all P(j|k) are therefore multiplied by one factor c, and clipped to
    1; c is found by bracketing on 65,536 label sets of common random numbers such that their mean size is z. The ratio
    P(j|k) / P(j) stays the same, except where it is clipped.

    *Dependencies.* Of a dependent pair j < k, P(j|k) is max(P(j), P(k)) or min(P(j), P(k)), each half the time (drawn
    together or drawn apart), and P(k|j) follows by Bayes. Where P(j) is the one of the two that is taken, the pair
    behaves like an independent one: that is half of them on average. (MOA's code differs: it takes about the highest
    and the lowest value that P(j|k) can have.)

    *Features.* Three quarters of the features have one label each, spread evenly and in random order; a quarter, less
    where that would leave a label without a feature, have pairs or triples of labels that occur together.

    *Binary generators*, as in MOA but drawn directly from the class wanted. Tree: of 5 levels; a leaf by its volume,
    then uniform in its box; numeric features in [0, 1]. RBF: one of 50 centroids by its weight, then a uniform
    direction and a Gaussian distance; the first is negative, the second positive, and so on in turn, so that a
    centroid keeps its class when it moves. Hyperplane: uniform in [0, 1]^F on the side of w·x >= w·1/2 for positives,
    of the other class with a chance of 5 %; its first 10 weights, or all, change by .001 at each row, and reverse their
    direction with a chance of 10 %. This slow change goes on in the whole stream, through all concepts, and is **not**
    in ``drifts``; it is replayed from row 0 where reading begins elsewhere: a few hundredths of a second for a million
    rows.

    References
    ----------
    Read, Bifet, Holmes and Pfahringer, "Scalable and efficient multi-label classification for evolving data streams",
    Machine Learning 88 (2012), section 5; Hulten, Spencer and Domingos, "Mining time-changing data streams" (2001), for
    the hyperplane; Domingos and Hulten, "Mining high-speed data streams" (2000), for the tree; and MOA's
    RandomTreeGenerator, RandomRBFGenerator and HyperplaneGenerator.

    Examples
    --------
    >>> stream = MultiLabelGenerator("rbf", [Concept(seed=1), Concept(seed=2)], at=[1000], n_rows=2000)
    >>> stream.drifts
    (Drift(start=1000, width=1, kind='sudden'),)
    >>> stream.concept_of([999, 1000]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        base: str = "tree",
        concepts: Concept | Sequence[Concept] = ONE_CONCEPT,
        *,
        n_features: int = 30,
        n_labels: int = 8,
        at: int | Sequence[int] = (),
        width: int = 1,
        how: str = "sudden",
        n_rows: int | None = 50_000,
        n_nominal: int = 0,
        seed: int = 0,
        name: str | None = None,
    ) -> None:
        checked_choice("base", base, tuple(BASES))
        checked_choice("how", how, KINDS)
        n_features = checked_count("n_features", n_features, 1)
        n_labels = checked_count("n_labels", n_labels, 2)
        self.base = base
        self.how = how
        self.seed = checked_count("seed", seed, 0)
        self.n_rows = checked_count("n_rows", n_rows, optional=True)
        self.name = f"{base}, {how}" if name is None else name
        self.concepts = (concepts,) if isinstance(concepts, Concept) else tuple(concepts)
        self._check_concepts(n_labels)
        self.width = checked_count("width", width, 1)
        if how == "sudden" and width != 1:
            raise ValueError(f"width={width}: a sudden drift has the width 1; expected how='gradual' or 'incremental'")
        self.at = positions(at, self, apart=self.width, optional=True)
        n = len(self.concepts)
        if len(self.at) != n - 1:
            raise ValueError(f"at={self.at}: expected {n - 1} positions for {n} concepts, one fewer")
        n_nominal = checked_count("n_nominal", n_nominal, 0, n_features if base == "tree" else 0)
        self.schema = _schema(BASES[base], n_features, n_labels, n_nominal)
        self.drifts = tuple(self._drift(i + 1, start) for i, start in enumerate(self.at))

        self._seed_word = seed_word(seed)
        self._relations = [relations_of(concept, n_labels) for concept in self.concepts]
        self._cumulative = np.stack([np.cumsum(r.priors) for r in self._relations])
        self._conditionals = np.stack([r.conditional.T for r in self._relations])
        seeds = [concept.seed for concept in self.concepts]
        self._combinations = np.stack(
            [draw_combinations(s, n_features, r) for s, r in zip(seeds, self._relations, strict=True)]
        )
        self._features = feature_map(self._combinations, n_labels)
        self._base = BASES[base](seeds, n_features, n_nominal)

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        fill = self._base.rows_from(self._seed_word, start)
        for begin, stop in spans(start, self.n_rows, N_BLOCK):
            at = self._row_concepts(np.arange(begin, stop))
            Y = np.empty((stop - begin, self.schema.n_labels), np.uint8)
            kernels.label_sets(
                self._seed_word, kernels.LABELS, begin, at.left, at.right, at.share,
                self._cumulative, self._conditionals, Y,
            )  # fmt: skip
            X = np.empty((stop - begin, self.schema.n_features))
            fill(begin, at, Y, self._features, X)
            yield X, Y

    def share(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return how many drifts each row has behind it, a running one as the share of it that is done.

        In a gradual stream a running drift counts as the chance that the row is from its new concept; in an incremental
        one as the share of the way that the parameters have gone, 1/width at its first row and 1 at its last.

        Parameters
        ----------
        rows
            Positions in the stream, integers of any shape.

        Returns
        -------
        Array of float64 of that shape, from 0 to the number of drifts.
        """
        rows = np.asarray(rows)
        done = np.zeros(rows.shape)
        for start in self.at:
            if self.how == "incremental":
                done += np.clip((rows - start + 1) / self.width, 0.0, 1.0)
            else:
                done += ramp(rows, start, self.width)
        return done

    def concept_of(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the concept that each row comes from; in an incremental drift the nearer one, the new one half-way.

        Parameters
        ----------
        rows
            Positions in the stream, integers of any shape.

        Returns
        -------
        Array of int64 of that shape: indices into ``concepts``.
        """
        rows = np.asarray(rows)
        if self.how == "incremental":
            return np.floor(self.share(rows) + 0.5).astype(np.int64)
        return count_passed(rows, self.at, self.width, self.seed, _CONCEPT)

    def _row_concepts(self, rows: np.ndarray) -> RowConcepts:
        if self.how != "incremental":
            concept = self.concept_of(rows)
            return RowConcepts(concept, concept, np.zeros(len(rows)), concept)
        done = self.share(rows)
        left = np.floor(done).astype(np.int64)
        share = done - left
        right = np.minimum(left + 1, len(self.concepts) - 1)
        structure = np.where(uniform(self.seed, _STRUCTURE, rows) < share, right, left)
        return RowConcepts(left, right, share, structure)

    def _drift(self, k: int, start: int) -> Drift:
        comes_back = self.how == "sudden" and self.concepts[k] in self.concepts[:k]
        kind = "recurrent" if comes_back else self.how
        return Drift(start, self.width, kind, ABOUT[kind])

    def _check_concepts(self, n_labels: int) -> None:
        if not self.concepts:
            raise ValueError("concepts=() is empty; expected at least one Concept")
        for concept in self.concepts:
            if not isinstance(concept, Concept):
                raise ValueError(f"concepts: {concept!r} is not a Concept")
            if concept.cardinality >= n_labels:
                raise ValueError(f"cardinality={concept.cardinality:g} must be below n_labels={n_labels}")


def _schema(base: type[Base], n_features: int, n_labels: int, n_nominal: int) -> Schema:
    low, high = base.value_range
    categories = tuple(f"c{i}" for i in range(1, N_CATEGORIES + 1))
    features = [
        Feature(f"f{i + 1}", None, low, high) if i < n_features - n_nominal else Feature(f"f{i + 1}", categories)
        for i in range(n_features)
    ]
    return Schema(tuple(features), tuple(f"l{j + 1}" for j in range(n_labels)))
