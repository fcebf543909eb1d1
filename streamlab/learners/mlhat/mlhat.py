"""The learner MLHAT: its parameters, and the classifiers and detectors that it hands to the tree."""

from __future__ import annotations

from typing import Any, ClassVar

from streamlab.learners.base.parameters import checked_seed, parameter, random_key, tunable
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat._learn import test_then_train
from streamlab.learners.mlhat.hoeffding_tree import HoeffdingTree
from streamlab.learners.mlhat.storage import Parts, Tree

__all__ = ["MLHAT"]


class MLHAT(HoeffdingTree):
    """Multi-label Hoeffding adaptive tree: splits where labels become purer, and replaces branches that no longer fit.

    A leaf answers with one of three classifiers. While it has seen only one label set, it predicts that set. While it
    has seen little, or its labels are almost certain, it asks its nearest neighbours for their label sets. After that
    it uses bagged logistic regressions, one per label. A leaf splits by the information gain of all labels together.
    Every branch node watches its own error. When the error rises, an alternate tree starts to grow in the background;
    it replaces the branch once its error is significantly lower.

    Parameters
    ----------
    alternate_grace_period
        Weight that an alternate must have seen before it votes, and that both errors must be based on before they are
        compared (κ_alt; the paper requires it of the alternate alone).
    switch_significance
        Significance of that comparison (δ_alt).
    cardinality_threshold
        A leaf that has seen less weight (η) answers with its neighbours.
    entropy_threshold
        A leaf whose label entropy is lower (bits) keeps answering with its neighbours.
    poisson_rate
        Mean (λ) of the weight of an instance under online bootstrapping.
    bootstrap
        True: the weight of an instance is a Poisson draw, or 1 if the draw is 0. ``"strict"``: an instance whose draw
        is 0 is not learned. False: every instance has the weight 1.
    n_neighbors, window
        Number of neighbours (k), and number of rows in a leaf's window, from which they are taken.
    n_models
        Number of bags, each with a logistic regression per label.
    learning_rate, intercept_learning_rate
        Step sizes of their stochastic gradient descent.
    leaf_start
        ``"fresh"``: the leaves of a split start with empty windows and zero weights, as in the paper. ``"inherit"``:
        they start with the parent's rows that belong to their side and with a copy of its weights, and the parent's
        weight counts towards ``cardinality_threshold``. On the streams where trees split, inheriting was as good or
        better.
    drift_measure
        The loss of an instance; errors are means of it. ``"hamming"``, ``"subset"`` (1 unless the label set is
        exact), ``"micro_f1"`` (1 - F1 of the instance's labels) or ``"macro_f1"`` (1 - mean F1 of the labels that are
        true or predicted).
    alternate_on
        ``"warning"``: an alternate starts on a warning or a drift; ``"drift"``: on a drift only.
    warning_delta, drift_delta
        Confidences of the two ADWIN detectors of a branch node.
    combine_alternates
        Whether the leaves of alternates vote too.
    seed
        Seed of the Poisson draws. None: a random one.
    decision
        Which labels are answered: ``"half"`` (default, as in the paper), ``"cardinality"`` or ``"balanced"``; see
        ``Deciding``. The tree itself learns the same.

    Notes
    -----
    Rows are learned one by one, so the chunk size has no effect. Poisson draws depend on (seed, instance, leaf, bag).

    Split statistics, distances and linear models skip missing values. At a branch, an instance whose value is missing
    goes to the side that has received more weight. A nominal feature splits into one category and the rest. It adds 0
    or 1 to a squared distance. For the linear models each category has an indicator; two categories share one.

    The linear models take the paper's steps. For a row whose squared norm is above 1e4 times that of most rows in the
    leaf's memory, and above 1e4 (first row: 1e7), the step is as long as if its squared norm were that bound.

    The search for a split is spread over the instances that follow the attempt: each instance pays for as many
    features as amount to some 20,000 labels x thresholds.

    Over sparse rows of 10,000 columns or more the tree keeps only columns that had a value other than 0. A split leaves
    room for four times as many, within ``max_bytes``; when that is used up and no leaf grows, new columns count as 0.

    Sources
    -------
    A. Esteban, A. Cano, A. Zafra, S. Ventura: "Hoeffding adaptive trees for multi-label classification on data
    streams", section 3. Departures:

    - The gain: equation 15 is misprinted; both Gaussians of a label's mixture are used, so that no gain is negative. Up
      to 16 distinct values are counted exactly, with thresholds half-way between them.
    - When a leaf splits: every ``grace_period``, also while W ≤ η (``cardinality_threshold``), as in algorithm 2;
      section 3.3 asks for W > η. The range of the Hoeffding bound is log2 of the label sets that the leaf has seen,
      not of all that are known. The tie break ``tau`` and ``max_share_to_split`` are those of the authors' program.
    - What leaf classifiers learn: every instance of the leaf, both of them. In algorithm 2 they learn only while the
      leaf's entropy is above 0, and the neighbours only while W < η. Here the window goes on, as a leaf whose entropy
      is low returns to its neighbours, and as the leaves of a split inherit its rows. ``entropy_threshold`` and the
      defaults of both classifiers are those of the authors' program.
    - Detectors: branch nodes have them, leaves have not. In algorithm 1 each node on the way has an ADWIN, the leaves
      of alternates included; here a leaf, in front or in the background, has the mean of its losses alone, which
      restarts only when the leaf is promoted, and gets no alternate. A branch of an alternate has its detectors, which
      restart its error, but starts no alternate of its own.
    - The error e of a branch is that of the answer from below it, without its alternate, and e' that of the alternate
      alone; in algorithm 1 both follow the answer of the whole tree. e restarts at every drift that its detector finds,
      not only when the error falls, so that the comparison with an alternate is about what came after the drift.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = MLHAT(seed=1)
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.85
    True
    """

    line: ClassVar[str] = "One tree that replaces branches that err: see both. Fast."
    papers: ClassVar[tuple[str, ...]] = ("esteban2024hoeffding",)
    compile_seconds: ClassVar[float] = 10.0
    alternate_grace_period: int = tunable(
        1, 2000, default=200, logarithmic=True, unit="weight", title="Alternates' grace period",
        help="Weight that an alternate sees before it is compared or votes.",
    )  # fmt: skip
    switch_significance: float = tunable(
        1e-12, 0.5, default=0.05, limit=1 - 1e-9, logarithmic=True, title="Significance of a switch",
        help="Higher: an alternate is promoted or pruned on less evidence.",
    )  # fmt: skip
    cardinality_threshold: float = tunable(
        0, 10_000, default=750, infinite=True, unit="weight", title="Neighbours until",
        help="A leaf that has seen less asks its neighbours, after that its bags.",
    )  # fmt: skip
    entropy_threshold: float = tunable(
        0.0, 5.0, default=0.3, infinite=True, unit="bits", title="Neighbours under",
        help="A leaf whose labels are more certain keeps asking its neighbours.",
    )  # fmt: skip
    poisson_rate: float = tunable(
        0.0, 6.0, default=1.0, limit=100.0, title="Mean weight", help="Of an instance when bootstrapping.",
    )  # fmt: skip
    bootstrap: bool | str = tunable(
        default=True, choices=(True, False, "strict"), help="Whether weights are Poisson draws.",
    )  # fmt: skip
    n_neighbors: int = tunable(1, 20, default=4, limit=10_000, title="Neighbours")
    window: int = tunable(1, 1000, default=170, limit=1_000_000, unit="rows", help="Neighbours come from these rows.")
    n_models: int = parameter(1, 100, default=10, limit=10_000)
    learning_rate: float = tunable(0.0, 1.0, default=0.3, limit=1e6, title="Learning rate")
    intercept_learning_rate: float = tunable(0.0, 1.0, default=0.01, limit=1e6, title="Learning rate of intercepts")
    leaf_start: str = parameter(default="inherit", choices=("fresh", "inherit"))
    drift_measure: str = parameter(default="hamming", choices=codes.MEASURES)
    alternate_on: str = tunable(default="warning", choices=("warning", "drift"), title="Alternates start on")
    warning_delta: float = parameter(1e-300, 1.0, default=0.01, limit=1 - 1e-9)
    drift_delta: float = parameter(1e-300, 1.0, default=0.002, limit=1 - 1e-9)
    combine_alternates: bool = tunable(default=True, choices=(True, False), title="Alternates vote")
    seed: int | None = parameter(default=None, check=checked_seed, kw_only=True)
    _quick: ClassVar = HoeffdingTree._quick | {"seed": 0, "window": 2}

    # ------------------------------------------------------------------ what the tree's nodes have

    @property
    def _parts(self) -> Parts:
        return Parts(int(self.n_models), int(self.window))

    def _reset(self) -> None:
        super()._reset()
        self._key = random_key(self.seed)

    def _answer_rows(self, tree: Tree, X: Any, scores: Any, labels: Any) -> None:
        self._run_kernel(tree, X, labels, 0, False, scores, labels)

    def _learn_rows(self, tree: Tree, X: Any, Y: Any, row: int, scores: Any, labels: Any) -> int:
        return self._run_kernel(tree, X, Y, row, True, scores, labels)

    def _run_kernel(self, tree: Tree, X: Any, Y: Any, row: int, learning: bool, scores: Any, labels: Any) -> int:
        x, rows = self._for_kernels(X)
        settings, room = self._settings(), self._room_for(tree, x.shape[1])
        return int(test_then_train(tree, x, rows, Y, row, learning, self._key, settings, scores, labels, room))

    def _tune(self, values: dict[str, Any]) -> None:
        if self._tree is not None and values.get("window", self.window) != self.window:
            self._keep(growth.with_window(self._tree, int(values["window"])))
        super()._tune(values)
