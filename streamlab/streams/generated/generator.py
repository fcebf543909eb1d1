"""Synthetic multi-label streams with known drift: the meta-generator of Read et al. over three binary generators."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from streamlab.schema import Feature, Schema
from streamlab.streams._checks import is_count, near
from streamlab.streams.draws import ramp, uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.stream import Drift, Stream

__all__ = ["Concept", "MultiLabelGenerator", "paper_stream"]

BASES = ("tree", "rbf", "hyperplane")
KINDS = ("sudden", "gradual", "incremental")
N_CATEGORIES = 5
N_BLOCK = 1000  # a multiple of the usual chunks, which are then cut out without a copy

# Which options go with which base, and their defaults.
OPTIONS = {
    "tree": {"n_nominal": 0, "depth": 5},
    "rbf": {"n_centroids": 50},
    "hyperplane": {"noise": 0.05, "n_drifting": 10, "magnitude": 0.001},
}

MAX_DEPTH = 8
FIRST_LEAF_LEVEL, LEAF_SHARE = 3, 0.15  # MOA's RandomTreeGenerator

# Keys of what is drawn for a concept from its seed, and for a row from the stream's; 1 to 3 are the kernels'.
_PRIORS, _PAIRS, _SIGNS, _CALIBRATION, _COMBINATIONS, _OCCURRING, _BASE = range(11, 18)
_STRUCTURE, _TURN = 21, 100

N_CALIBRATION = 65_536
TOLERANCE = 0.001  # of the cardinality; the sample itself adds about 0.2 %


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        hint = near(value, known) if isinstance(value, str) else ""
        raise ValueError(f"{name}={value!r} is unknown; expected {', '.join(map(repr, known))}{hint}")


def _check_count(name: str, value: object, low: int, high: int | None = None) -> None:
    if not is_count(value) or value < low or (high is not None and value > high):
        span = f"of at least {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise ValueError(f"{name}={value!r} must be an integer {span}")


def _check_number(name: str, value: object, low: float, high: float) -> None:
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not low <= value <= high:
        span = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise ValueError(f"{name}={value!r} must be a number {span}")


@dataclass(frozen=True)
class Concept:
    """One set of relations between labels, and between labels and features.

    Parameters
    ----------
    cardinality
        Mean number of labels of an instance, at least 1; default 1.5. The paper's z.
    dependency
        Share of the pairs of labels that depend on each other, 0 to 1; default 0.25. The paper's u.
    seed
        Which draw of the priors, of the dependent pairs, of the feature map and of the base generator's concept. Two
        concepts of one seed use the same random numbers: they differ in no more than cardinality and dependency make
        them, and the dependent pairs of the smaller dependency are among those of the larger.

    Raises
    ------
    ValueError
        If a parameter is out of range.
    """

    cardinality: float = 1.5
    dependency: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        _check_number("cardinality", self.cardinality, 1.0, math.inf)
        _check_number("dependency", self.dependency, 0.0, 1.0)
        _check_count("seed", self.seed, 0)


class MultiLabelGenerator(Stream):
    """Multi-label instances made of a binary generator's, with drift put in and its ground truth kept.

    A label set is drawn first: one label by its prior; then the others, in random order, each switched on with the
    product of P(j|k) over the labels k that are on. Then a positive and a negative instance of the binary generator
    are drawn; each feature has a small combination of labels, and takes the positive's value where all of them are in
    the label set, else the negative's.

    Every row is drawn from the seed and its position alone: neither chunks nor the starting row have an influence.

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
        cannot stand half-way, the tree and the feature map, is the new concept's with a chance equal to the share of
        the way gone, row by row.
    n_rows
        How many rows; default 50,000; None for an endless stream.
    n_nominal
        Tree only: how many features, the last, are nominal with 5 categories; default 0.
    depth
        Tree only: of splits, 1 to 8; default 5. As in MOA, 15 % of the nodes from the third level on are leaves.
    n_centroids
        RBF only: at least 2; default 50. The first is negative, the second positive, and so on in turn, so that a
        centroid keeps its class when it moves.
    noise
        Hyperplane only: chance that the positive and, apart from it, the negative is of the other class; default 0.05.
    n_drifting
        Hyperplane only: how many weights, the first, change; default 10, or all if there are fewer.
    magnitude
        Hyperplane only: by how much a drifting weight changes at each row, turning round with a chance of 10 %; 0 to 1,
        default 0.001. This slow change goes on in the whole stream, through all concepts, and is **not** in ``drifts``;
        0 switches it off. It is replayed from row 0 where reading begins elsewhere: a few hundredths of a second for a
        million rows.
    seed
        Which rows are drawn; the concepts have seeds of their own. Default 0.
    name
        Default: of base and kind of drift.

    Attributes
    ----------
    drifts
        ``Drift(start, width, kind)`` with the kind ``"sudden"``, ``"gradual"``, ``"incremental"`` or, in a sudden
        stream, ``"recurrent"`` where the new concept has been there before.

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
    P(j|k) / P(j) stays, but where it is clipped.

    *Dependencies.* Of a dependent pair j < k, P(j|k) is max(P(j), P(k)) or min(P(j), P(k)), each half the time (drawn
    together or drawn apart), and P(k|j) follows by Bayes. Where P(j) is the one of the two that is taken, the pair
    behaves like an independent one: that is half of them on average. (MOA's code differs: it takes about the highest
    and the lowest value that P(j|k) can have.)

    *Features.* Three quarters of the features have one label each, spread evenly and in random order; a quarter, less
    where that would leave a label without a feature, have pairs or triples of labels that occur together.

    *Binary generators*, as in MOA but drawn directly from the class wanted. Tree: a leaf by its volume, then uniform
    in its box; numeric features in [0, 1]. RBF: a centroid by its weight, then a uniform direction and a Gaussian
    distance. Hyperplane: uniform in [0, 1]^F on the side of w·x >= w·1/2 for positives.

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
        concepts: Concept | Sequence[Concept] = Concept(),
        *,
        n_features: int = 30,
        n_labels: int = 8,
        at: int | Sequence[int] = (),
        width: int = 1,
        how: str = "sudden",
        n_rows: int | None = 50_000,
        n_nominal: int | None = None,
        depth: int | None = None,
        n_centroids: int | None = None,
        noise: float | None = None,
        n_drifting: int | None = None,
        magnitude: float | None = None,
        seed: int = 0,
        name: str | None = None,
    ) -> None:
        _check_choice("base", base, BASES)
        _check_choice("how", how, KINDS)
        _check_count("n_features", n_features, 1)
        _check_count("n_labels", n_labels, 2)
        _check_count("seed", seed, 0)
        if n_rows is not None:
            _check_count("n_rows", n_rows, 0)
        self.base = base
        self.how = how
        self.n_rows = None if n_rows is None else int(n_rows)
        self.seed = int(seed)
        self._word = _word(seed)
        self.name = f"{base}, {how}" if name is None else name
        self.concepts = (concepts,) if isinstance(concepts, Concept) else tuple(concepts)
        self._check_concepts(n_labels)
        self.at, self.width = self._placed(at, width)
        given = {
            "n_nominal": n_nominal,
            "depth": depth,
            "n_centroids": n_centroids,
            "noise": noise,
            "n_drifting": n_drifting,
            "magnitude": magnitude,
        }
        self.options = _options_of(base, given, n_features)
        n_numeric = n_features - self.options.get("n_nominal", 0)
        self.schema = _schema(base, n_features, n_numeric, n_labels)
        self.drifts = tuple(Drift(start, self.width, self._kind(i + 1)) for i, start in enumerate(self.at))

        self._relations = [_relations(concept, n_labels) for concept in self.concepts]
        self._cumulative = np.stack([np.cumsum(r.priors) for r in self._relations])
        self._given = np.stack([r.conditional.T for r in self._relations])
        self._combinations = np.stack(
            [_combinations(c.seed, n_features, r) for c, r in zip(self.concepts, self._relations, strict=True)]
        )
        self._map = _by_label(self._combinations, n_labels)
        seeds = [concept.seed for concept in self.concepts]
        if base == "tree":
            self._leaves = _joined_leaves([_leaves(s, n_numeric, n_features, self.options["depth"]) for s in seeds])
        elif base == "rbf":
            parts = [_centroids(s, self.options["n_centroids"], n_features) for s in seeds]
            self._cumulative_weights, self._centres, self._spreads = map(np.stack, zip(*parts, strict=True))
        else:
            self._weights = np.stack([uniform(s, _BASE, np.arange(n_features)) for s in seeds])

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        steps, direction = self._walk_to(start)
        while self.n_rows is None or start < self.n_rows:
            n = N_BLOCK if self.n_rows is None else min(N_BLOCK, self.n_rows - start)
            left, right, share, structure = self._standing(np.arange(start, start + n))
            Y = np.empty((n, self.schema.n_labels), np.uint8)
            kernels.label_sets(self._word, kernels.LABELS, start, left, right, share, self._cumulative, self._given, Y)
            X = np.empty((n, self.schema.n_features))
            if self.base == "tree":
                leaves, volumes, low, extent = self._leaves
                n_numeric = X.shape[1] - self.options["n_nominal"]
                kernels.tree_features(
                    self._word, start, structure, Y, leaves, volumes, low, extent, n_numeric, *self._map, X
                )
            elif self.base == "rbf":
                kernels.rbf_features(
                    self._word, start, left, right, share, structure, Y,
                    self._cumulative_weights, self._centres, self._spreads, *self._map, X,
                )  # fmt: skip
            else:
                walked = np.empty((n, len(steps)), np.int64)
                kernels.walk(self._word, start, n, steps, direction, walked)
                kernels.hyperplane_features(
                    self._word, start, left, right, share, structure, Y, self._weights, walked,
                    float(self.options["magnitude"]), float(self.options["noise"]), *self._map, X,
                )  # fmt: skip
            yield X, Y
            start += n

    def share(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """How many drifts each row has behind it, a running one as the share of it that is done.

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
        """From which concept each row comes; in an incremental drift the one it is nearer to, the new one at half-way.

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
        turns = np.zeros(rows.shape, np.int64)
        for i, start in enumerate(self.at):
            if self.width == 1:
                turns += rows >= start
            else:
                turns += uniform(self.seed, _TURN + i, rows) < ramp(rows, start, self.width)
        return turns

    def priors(self, k: int = 0) -> np.ndarray:
        """The priors of the labels in concept k, float64 [n_labels], that sum to the cardinality: the first label's.

        The further labels are drawn by ``conditionals(k)``; how often a label is on in the end follows from both.
        """
        return self._relations[k].priors.copy()

    def dependencies(self, k: int = 0) -> np.ndarray:
        """How pairs of labels stand in concept k: int8 [n_labels, n_labels], symmetric, 0 on the diagonal.

        0 is independent, 1 drawn together, -1 drawn apart.
        """
        return self._relations[k].dependencies.copy()

    def conditionals(self, k: int = 0) -> np.ndarray:
        """P(j|k), scaled to the cardinality and clipped, in row j and column k: float64 [n_labels, n_labels]."""
        return self._relations[k].conditional.copy()

    def combinations(self, k: int = 0) -> list[tuple[int, ...]]:
        """For each feature, the indices of the labels that must all be on for a positive value, in concept k."""
        return [tuple(sorted(set(labels))) for labels in self._combinations[k].tolist()]

    def _standing(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """For each row: the concepts it stands between, its share of the second, and whose tree and map it has."""
        if self.how != "incremental":
            concept = self.concept_of(rows)
            return concept, concept, np.zeros(len(rows)), concept
        done = self.share(rows)
        left = np.floor(done).astype(np.int64)
        share = done - left
        right = np.minimum(left + 1, len(self.concepts) - 1)
        return left, right, share, np.where(uniform(self.seed, _STRUCTURE, rows) < share, right, left)

    def _walk_to(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """The steps that the drifting weights have gone at a row, and the directions of the next: int64 [drifting]."""
        n = self.options.get("n_drifting", 0)
        steps, direction = np.zeros(n, np.int64), np.ones(n, np.int64)
        if n:
            kernels.walk(self._word, 0, row, steps, direction, np.empty((0, n), np.int64))
        return steps, direction

    def _kind(self, k: int) -> str:
        return "recurrent" if self.how == "sudden" and self.concepts[k] in self.concepts[:k] else self.how

    def _check_concepts(self, n_labels: int) -> None:
        if not self.concepts:
            raise ValueError("concepts=() is empty; expected at least one Concept")
        for concept in self.concepts:
            if not isinstance(concept, Concept):
                raise ValueError(f"concepts: {concept!r} is no Concept")
            if concept.cardinality >= n_labels:
                raise ValueError(f"cardinality={concept.cardinality:g} must be below n_labels={n_labels}")

    def _placed(self, at: int | Sequence[int], width: int) -> tuple[tuple[int, ...], int]:
        _check_count("width", width, 1)
        if self.how == "sudden" and width != 1:
            raise ValueError(f"width={width}: a sudden drift has the width 1; expected how='gradual' or 'incremental'")
        at = (at,) if is_count(at) else tuple(at)
        for position in at:
            if not is_count(position) or position < 0:
                raise ValueError(f"at={position!r}: expected positions in the stream, integers from 0 on")
        if len(at) != len(self.concepts) - 1:
            raise ValueError(
                f"at={at}: expected {len(self.concepts) - 1} positions for {len(self.concepts)} concepts, one fewer"
            )
        if any(later < earlier + width for earlier, later in pairwise(at)):
            raise ValueError(f"at={at}: expected increasing positions at least width={width} apart")
        if at and self.n_rows is not None and at[-1] >= self.n_rows:
            raise ValueError(f"at={at[-1]}: expected a position before the end of the {self.n_rows:,} rows")
        return tuple(map(int, at)), int(width)


# ---------------------------------------------------------------------------------------------------------------------
# The twelve streams of the MLHAT paper


@dataclass(frozen=True)
class _Paper:
    base: str
    n_features: int
    n_labels: int
    n_nominal: int | None = None


PAPER = {
    "tree": _Paper("tree", 30, 8, 10),
    "rbf": _Paper("rbf", 80, 25),
    "hp": _Paper("hyperplane", 30, 8),
}
PAPER_WIDTHS = {"sudden": 1, "gradual": 500, "incremental": 275, "recurrent": 1}


def paper_stream(
    base: str, how: str, *, seed: int = 1, n_rows: int = 50_000, endless: bool = False
) -> MultiLabelGenerator:
    """One of the twelve synthetic streams of the MLHAT paper; ``streamlab.load("syn-rbf-gradual")`` is this too.

    Drifts begin at a quarter, the half and three quarters of ``n_rows``, from (cardinality, dependency) (1.5, 0.25) to
    (1.5, 0.15), (3.0, 0.15) and (1.5, 0.25). Each changes the underlying concept: the four have seeds of their own,
    so that also priors, feature map and the binary generator's concept are new. Recurrent: the first and the third of
    them in turn, twice, and what comes back is the same in everything.

    Parameters
    ----------
    base
        ``"tree"`` (20 numeric and 10 nominal features, 8 labels), ``"rbf"`` (80 numeric, 25 labels) or ``"hp"``, the
        rotating hyperplane (30 numeric, 8 labels; 10 drifting weights, 5 % noise).
    how
        ``"sudden"`` (width 1), ``"gradual"`` (500), ``"incremental"`` (275) or ``"recurrent"`` (1).
    seed
        Which concepts and which rows; default 1.
    n_rows
        Length, default 50,000; at least four times the width.
    endless
        Whether the stream goes on after ``n_rows``, which then only place the drifts; the last concept stays for ever,
        also in a recurrent stream. Default no.

    Returns
    -------
    MultiLabelGenerator

    Raises
    ------
    ValueError
        If there is no such base or kind of drift, or a parameter is out of range.

    References
    ----------
    The MLHAT paper (Multi-Label Hoeffding Adaptive Tree), section 4.1.2 and Table 4. What it leaves open, the
    magnitude of the hyperplane's drift and the depths of trees, is as in ``MultiLabelGenerator``.

    Examples
    --------
    >>> paper_stream("hp", "recurrent", n_rows=400).drifts[1]
    Drift(start=200, width=1, kind='recurrent')
    """
    _check_choice("base", base, tuple(PAPER))
    _check_choice("how", how, tuple(PAPER_WIDTHS))
    _check_count("seed", seed, 0)
    width = PAPER_WIDTHS[how]
    _check_count("n_rows", n_rows, 4 * width)
    if not isinstance(endless, (bool, np.bool_)):
        raise ValueError(f"endless={endless!r} must be True or False")
    concepts = [
        Concept(cardinality, dependency, 4 * int(seed) + i)
        for i, (cardinality, dependency) in enumerate(((1.5, 0.25), (1.5, 0.15), (3.0, 0.15), (1.5, 0.25)))
    ]
    if how == "recurrent":
        concepts = [concepts[0], concepts[2]] * 2
    kind = PAPER[base]
    return MultiLabelGenerator(
        kind.base,
        concepts,
        n_features=kind.n_features,
        n_labels=kind.n_labels,
        n_nominal=kind.n_nominal,
        at=[n_rows // 4, n_rows // 2, 3 * n_rows // 4],
        width=width,
        how="sudden" if how == "recurrent" else how,
        n_rows=None if endless else n_rows,
        seed=seed,
        name=f"syn-{base}-{how}",
    )


# ---------------------------------------------------------------------------------------------------------------------
# A concept's parts, each drawn from its seed


@dataclass(frozen=True)
class _Relations:
    """Of one concept: priors [L], dependencies [L, L] of 0, 1, -1, and P(j|k), scaled, at [j, k]."""

    priors: np.ndarray
    dependencies: np.ndarray
    conditional: np.ndarray


@lru_cache(maxsize=256)
def _relations(concept: Concept, n_labels: int) -> _Relations:
    # 1 - u is above 0: every label can occur
    priors = _scaled_to(1.0 - uniform(concept.seed, _PRIORS, np.arange(n_labels)), concept.cardinality)
    dependencies = _dependencies(concept, n_labels)
    larger = np.maximum(priors[:, None], priors[None, :])
    smaller = np.minimum(priors[:, None], priors[None, :])
    first = np.where(dependencies > 0, larger, np.where(dependencies < 0, smaller, priors[:, None])) / priors[:, None]
    # P(j|k) / P(j) = P(k|j) / P(k): Bayes' rule makes the ratio of a pair, set for j < k, symmetric.
    ratio = np.triu(first, 1)
    by_priors = priors[:, None] * (ratio + ratio.T)
    c = _calibrated(concept, priors, by_priors)
    relations = _Relations(priors, dependencies, np.minimum(1.0, c * by_priors))
    for array in (relations.priors, relations.dependencies, relations.conditional):
        array.setflags(write=False)
    return relations


def _scaled_to(weights: np.ndarray, total: float) -> np.ndarray:
    """Weights times one factor such that they sum to ``total``, where none may exceed 1."""
    full = np.zeros(len(weights), bool)
    while True:
        factor = (total - full.sum()) / weights[~full].sum()
        scaled = np.where(full, 1.0, weights * factor)
        if (scaled <= 1.0).all():
            return scaled
        full = scaled >= 1.0


def _dependencies(concept: Concept, n_labels: int) -> np.ndarray:
    pairs = np.arange(n_labels * n_labels)
    is_dependent = uniform(concept.seed, _PAIRS, pairs) < concept.dependency
    sign = np.where(uniform(concept.seed, _SIGNS, pairs) < 0.5, 1, -1)
    upper = np.triu((is_dependent * sign).reshape(n_labels, n_labels), 1).astype(np.int8)
    return upper + upper.T


def _calibrated(concept: Concept, priors: np.ndarray, by_priors: np.ndarray) -> float:
    """The factor of the further labels' probabilities that gives sets of the concept's cardinality on average."""

    cumulative = np.cumsum(priors)

    def excess(c: float) -> float:
        given = np.ascontiguousarray(np.minimum(1.0, c * by_priors).T)
        return (
            kernels.mean_cardinality(_word(concept.seed), _CALIBRATION, N_CALIBRATION, cumulative, given)
            - concept.cardinality
        )

    near_enough = TOLERANCE * concept.cardinality
    low, at_low = 0.0, 1.0 - concept.cardinality
    if -at_low < near_enough:
        return 0.0
    high = 1.0
    while (at_high := excess(high)) < 0.0:
        low, at_low = high, at_high
        high *= 2.0
    # Bisection on a straight line through the ends; an end that stays is halved (the Illinois rule).
    side = 0
    c, at_c = high, at_high
    for _ in range(50):
        if abs(at_c) < near_enough:
            break
        c = (low * at_high - high * at_low) / (at_high - at_low)
        at_c = excess(c)
        if at_c < 0.0:
            low, at_low = c, at_c
            at_high *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            high, at_high = c, at_c
            at_low *= 0.5 if side > 0 else 1.0
            side = 1
    return c


def _combinations(seed: int, n_features: int, relations: _Relations) -> np.ndarray:
    """Each feature's labels, int64 [n_features, 3]; one or two labels are repeated to make three."""
    n_labels = len(relations.priors)
    n_single = min(n_features, max(n_features - n_features // 4, n_labels))
    order = _permutation(seed, 0, n_features)
    labels = _permutation(seed, 1, n_labels)
    found = np.empty((n_features, 3), np.int64)
    found[order[:n_single]] = labels[np.arange(n_single) % n_labels, None]

    sets = np.empty((1000, n_labels), np.uint8)
    here = np.zeros(len(sets), np.int64)
    kernels.label_sets(
        _word(seed), _OCCURRING, 0, here, here, np.zeros(len(sets)),
        np.cumsum(relations.priors)[None], np.ascontiguousarray(relations.conditional.T)[None], sets,
    )  # fmt: skip
    sizes = sets.sum(1)
    for i, feature in enumerate(order[n_single:].tolist()):
        wanted = min(2 + i % 2, int(sizes.max()))  # pairs and triples in turn, as far as there are any
        candidates = np.flatnonzero(sizes >= wanted)
        pick = uniform(seed, _COMBINATIONS, np.array([1_000_000 + i]))[0]
        on = np.flatnonzero(sets[candidates[int(pick * len(candidates))]])
        chosen = on[_permutation(seed, 2 + i, len(on))][:wanted]
        found[feature] = np.resize(chosen, 3)
    return found


def _by_label(combinations: np.ndarray, n_labels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The feature maps by label, as ``find_positive`` reads them.

    Bounds [concepts, n_labels + 1], members [concepts, most], sizes [concepts, n_features], all int64.
    """
    maps = [[np.flatnonzero((features == j).any(1)) for j in range(n_labels)] for features in combinations]
    members = [np.concatenate(by_label) for by_label in maps]
    padded = np.zeros((len(maps), max(map(len, members))), np.int64)
    for row, found in zip(padded, members, strict=True):
        row[: len(found)] = found
    bounds = np.array([[0, *np.cumsum([len(features) for features in by_label])] for by_label in maps])
    sizes = np.array([[len(set(labels)) for labels in features] for features in combinations.tolist()])
    return bounds, padded, sizes


def _permutation(seed: int, which: int, n: int) -> np.ndarray:
    return np.argsort(uniform(seed, _COMBINATIONS + 1000 * (which + 1), np.arange(n)), kind="stable")


@lru_cache(maxsize=8)
def _leaves(seed: int, n_numeric: int, n_features: int, depth: int) -> tuple[np.ndarray, ...]:
    """A random tree by its leaves: classes [leaves], volumes [leaves] and boxes, low and high, [leaves, n_features].

    A nominal feature's category c is the interval [c, c + 1). A feature is split by chance, a numeric one at a uniform
    place of the box, a nominal one into all categories, once on a path.
    """
    low, high = np.zeros(n_features), np.ones(n_features)
    high[n_numeric:] = N_CATEGORIES
    found: list[tuple[int, np.ndarray, np.ndarray]] = []

    def grow(node: int, level: int, low: np.ndarray, high: np.ndarray) -> None:
        # numbered by place, so that the other branches do not change with the depth
        stop, split, place, label = uniform(seed, _BASE, 4 * node + np.arange(4))
        candidates = [f for f in range(n_features) if f < n_numeric or high[f] - low[f] > 1.0]
        if level >= depth or not candidates or (level >= FIRST_LEAF_LEVEL and stop < LEAF_SHARE):
            found.append((int(label < 0.5), low, high))
            return
        f = candidates[int(split * len(candidates))]
        if f < n_numeric:
            cuts = (low[f], low[f] + place * (high[f] - low[f]), high[f])
        else:
            cuts = tuple(range(N_CATEGORIES + 1))
        for i in range(len(cuts) - 1):
            child_low, child_high = low.copy(), high.copy()
            child_low[f], child_high[f] = cuts[i], cuts[i + 1]
            grow(node * N_CATEGORIES + 1 + i, level + 1, child_low, child_high)

    grow(0, 0, low, high)
    classes = np.array([leaf[0] for leaf in found])
    if len(set(classes.tolist())) == 1:  # both classes are needed
        classes[0] = 1 - classes[0]
    lows, highs = (np.stack([leaf[i] for leaf in found]) for i in (1, 2))
    return classes, (highs - lows).prod(1), lows, highs


def _joined_leaves(trees: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
    """All trees' leaves, the negatives of each before its positives.

    Bounds int64 [trees, 3] (negatives begin, positives begin, end), volumes cumulative within each part, the boxes'
    low ends and extents [leaves, n_features].
    """
    bounds, volumes, lows, extents = [], [], [], []
    at = 0
    for classes, volume, low, high in trees:
        bounds.append((at, at + int((classes == 0).sum()), at + len(classes)))
        at += len(classes)
        for wanted in (0, 1):
            of_class = classes == wanted
            volumes.append(np.cumsum(volume[of_class]))
            lows.append(low[of_class])
            extents.append((high - low)[of_class])
    return np.array(bounds), np.concatenate(volumes), np.concatenate(lows), np.concatenate(extents)


def _centroids(seed: int, n: int, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights [n], summed within a class, centres [n, n_features] and spreads [n], all uniform in (0, 1], as in MOA."""
    numbers = 1.0 - uniform(seed, _BASE, np.arange(n * (n_features + 2)))
    cumulative = np.empty(n)
    for of_class in (slice(0, n, 2), slice(1, n, 2)):
        cumulative[of_class] = np.cumsum(numbers[:n][of_class])
    return cumulative, numbers[2 * n :].reshape(n, n_features), numbers[n : 2 * n]


# ---------------------------------------------------------------------------------------------------------------------


def _schema(base: str, n_features: int, n_numeric: int, n_labels: int) -> Schema:
    low, high = (None, None) if base == "rbf" else (0.0, 1.0)
    categories = tuple(f"c{i}" for i in range(1, N_CATEGORIES + 1))
    features = [
        Feature(f"f{i + 1}", None, low, high) if i < n_numeric else Feature(f"f{i + 1}", categories)
        for i in range(n_features)
    ]
    return Schema(tuple(features), tuple(f"l{j + 1}" for j in range(n_labels)))


def _options_of(base: str, given: dict[str, object], n_features: int) -> dict[str, float]:
    """The options of the base, checked, with its defaults for those not given."""
    for name, value in given.items():
        if value is not None and name not in OPTIONS[base]:
            owner = next(b for b in BASES if name in OPTIONS[b])
            raise ValueError(f"{name}={value!r} goes with base={owner!r}, not with {base!r}")
    options = {name: default if given[name] is None else given[name] for name, default in OPTIONS[base].items()}
    if base == "tree":
        _check_count("n_nominal", options["n_nominal"], 0, n_features)
        _check_count("depth", options["depth"], 1, MAX_DEPTH)
    elif base == "rbf":
        _check_count("n_centroids", options["n_centroids"], 2)
    else:
        if given["n_drifting"] is None:
            options["n_drifting"] = min(options["n_drifting"], n_features)
        _check_count("n_drifting", options["n_drifting"], 0, n_features)
        _check_number("noise", options["noise"], 0.0, 1.0)
        _check_number("magnitude", options["magnitude"], 0.0, 1.0)
    return options


def _word(seed: int) -> np.uint64:
    """A seed of any size as the kernels take it; as in ``uniform``."""
    return np.uint64(int(seed) % 2**64)
