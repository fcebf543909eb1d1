"""The learner GOOWE: members that start chunk by chunk, weighted by least squares."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import ChunkBuffer
from streamlab.rivals import _committee as kernels
from streamlab.rivals.committee import Committee

__all__ = ["GOOWE"]

SINGULAR = 1e12
"""From this condition number on the products of the votes count as singular."""


class GOOWE(ChunkBuffer, Committee):
    """GOOWE-ML: members started chunk by chunk, weighted so that their votes are nearest to the truth.

    A member's votes for a row, less their least and as shares of their sum, are a point. The weights are those with
    which the sum of these points is nearest to the label sets of the latest chunk, scaled to 0 for the worst member
    and 1 for the best. A label is answered where its share of the weighted votes exceeds an equal share, 1 / labels.
    After each chunk a new member is trained on it, twice, and takes the place of the one with the least weight once
    there are ``n_models``.

    Parameters
    ----------
    base
        What a member is: ``"chain"`` (default; GOCC), a chain of Hoeffding trees whose votes are 0 or 1;
        ``"relevance"`` (GOBR), a Hoeffding tree for each label whose votes are probabilities; ``"logistic"``, a chain
        of logistic regressions whose votes are probabilities; ``"pruned_sets"`` (GOPS), label sets frequent among the
        member's first 100 rows, told by naive Bayes: a vote is the probability of the sets with the label.
    n_models
        Members at most. Tunable: made smaller, those of the least weights leave.
    chunk
        Rows of a chunk. Tunable: from the next chunk on. Before the first chunk is full the first member
        learns whenever the rows have doubled.
    grace_period, delta, tau
        Of the trees, as in ``HoeffdingTrees``: the weight between two attempts to split, the confidence
        of the bound, and the bound at which a leaf splits anyway.
    step
        Of the logistic regressions: how far a step goes.
    seed
        Seed of the orders of the chains, one for each member. None: a random one.

    Raises
    ------
    ValueError
        For a parameter that is not allowed, naming it, and for columns whose members would take more than 2 GB.

    Notes
    -----
    A score is r / (1 + r), where r is a label's share of the weighted votes times the number of labels: 0.5 where it is
    an equal share. Where all labels get the same votes, none is answered. Of a single label the answer is the weighted
    mean of the votes. The newest member has the weight 1 in its first chunk. A label that comes later stands at the
    end of the chains that there are. What trees and regressions do with missing and nominal values is said in
    ``HoeffdingTrees`` and ``MLBELS``.

    Sources
    -------
    A. Büyükçakır, H. Bonab, F. Can: "A novel online stacked ensemble for multi-label stream classification", CIKM
    2018. As in its program the newest member learns its chunk twice. Departures: members learn a chunk in the order of
    its rows; each chain has an order of its own; equal votes are equal shares, where the program divides 0 by 0.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = GOOWE(n_models=3, chunk=50, seed=1)
    >>> chunk = next(sl.load("yeast").chunks(200))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.nodes()["status"].value_counts().to_dict()
    {'answers': 3, 'replaced': 1}
    """

    line: ClassVar[str] = "Members weighted by how near they come to the truth: see the weights. Slow."
    papers: ClassVar[tuple[str, ...]] = ("buyukcakir2018goowe",)
    answers_version: ClassVar[int] = 2
    predicts_whole_chunks: ClassVar[bool] = False
    picture: ClassVar[str] = "ensemble"
    measure: ClassVar[str] = "weight"
    compile_seconds: ClassVar[float] = 15.0
    _quick: ClassVar = {"n_models": 2, "chunk": 4, "seed": 0}
    events: ClassVar[dict[str, EventKind]] = {
        "started": EventKind(
            "A member was started",
            "While there are fewer members than there may be, one is trained on each chunk; it answers from the next.",
            numbers={"member": "its number", "members": "members"},
        ),
        "replaced": EventKind(
            "A member was replaced",
            "The member whose weight on the latest chunk was the least makes room for one that is trained on that "
            "chunk.",
            numbers={"member": "the one that left", "by": "the one that came", "rows": "rows it had learned"},
        ),
    }
    n_models: int = tunable(
        1, 30, default=10, limit=1000, title="Members", help="More remember more chunks; each costs the same again.",
        says="answers with up to {value} members",
    )  # fmt: skip
    chunk: int = tunable(
        2, 1000, default=100, limit=1_000_000, logarithmic=True, unit="rows", title="Rows of a chunk",
        help="After each chunk the members are weighted, and one is started. It counts from the next chunk on.",
    )  # fmt: skip
    # chunks that were full, and the rows of the present one
    _n_chunks: int = kept(low=0)
    _length: int = kept(low=2, start=2)
    _weights: np.ndarray = kept("there", finite=True)
    # over the rows of the present chunk: products of the members' votes, and of these with the truth
    _products: np.ndarray = kept("there", "there", finite=True)
    _agreement: np.ndarray = kept("there", finite=True)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._length = int(self.chunk)

    def _grown(self, n_features: int, n_labels: int) -> None:
        # the rows of the chunk lacked a new nominal feature, which the table does not know
        self._widen_chunk()
        super()._grown(n_features, n_labels)

    # ------------------------------------------------------------------ answers

    def _predict(self, X, missing):
        return self._combined(self._votes(X))

    def _votes(self, X: np.ndarray) -> np.ndarray:
        """Return the votes of all members, float64 (members, n, labels)."""
        votes = np.zeros((len(self._members), len(X), len(self._labels)))
        for place, member in enumerate(self._members):
            votes[place] = member.answer(X)[0]
        return votes

    def _combined(self, votes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros(votes.shape[1:]), np.zeros(votes.shape[1:], np.uint8)
        if len(votes) and votes.shape[2]:
            kernels.combine(votes, self._weights, scores, labels)
        return scores, labels

    # ------------------------------------------------------------------ learning

    def _learn(self, X, Y, missing) -> None:
        self._run(X, Y, answers=False)

    def _test_then_train(self, X, Y, missing):
        return self._run(X, Y, answers=True)

    def _run(self, X: np.ndarray, Y: np.ndarray, answers: bool) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        for start, stop, is_due, is_full in self._pieces(len(X)):
            rows, truth = X[start:stop], Y[start:stop]
            # a single member needs no weights
            if answers or len(self._members) > 1:
                votes = self._votes(rows)
                scores[start:stop], labels[start:stop] = self._combined(votes)
                if len(self._members) > 1 and Y.shape[1]:
                    kernels.take_in(votes, truth, self._products, self._agreement)
            self._fill_chunk(rows, truth)
            self._n_seen += stop - start
            if not is_due:
                continue
            if self._n_chunks == 0:
                self._learn_first(is_full)
            else:
                self._learn_next()
            if is_full:
                self._close_chunk()
        return scores, labels

    @property
    def _rows_of_chunk(self) -> int:
        return self._length

    def _learn_first(self, is_full: bool) -> None:
        """The first member learns the rows of the first chunk that it has not learned."""
        if not self._members:
            self._enter()
            self._weigh(np.ones(1))
        (member,) = self._members
        done = member.n_learned
        X, Y = self._chunk_X[done:], self._chunk_Y[done:]
        member.learn(X, Y, np.ones(len(X)))
        if is_full:
            # the newest member learns its chunk twice
            member.learn(self._chunk_X, self._chunk_Y, np.ones(len(self._chunk_X)))
            self._note(np.full(1, np.nan), self._length)
            self._report_start(int(self._ids[-1]))

    def _learn_next(self) -> None:
        """Weigh the members by the chunk, start one on it, and let the others learn it."""
        X, Y = self._chunk_X, self._chunk_Y
        weights, ones = self._solved(), np.ones(len(X))
        self._note(weights, self._length)
        worst = int(np.argmin(weights)) if len(self._members) >= int(self.n_models) else None
        for place, member in enumerate(self._members):
            if place != worst:
                member.learn(X, Y, ones)
        if worst is None:
            place = self._enter()
            weights = np.insert(weights, place, 1.0)
            self._report_start(int(self._ids[-1]))
        else:
            place, rows = worst, self._members[worst].n_learned
            seat = int(self._seats[self._rows_there()[place]])
            gone, by = self._replace(place, self._made_member(seat, self._n_seen), self._n_seen)
            weights[place] = 1.0
            self._report(
                "replaced",
                f"member {gone}, whose weight was the least, was replaced by member {by} after it had learned "
                f"{rows:,} rows",
                member=gone,
                by=by,
                rows=rows,
            )
        for _ in range(2):
            self._members[place].learn(X, Y, ones)
        self._weigh(weights)

    def _report_start(self, member: int) -> None:
        n = len(self._members)
        self._report("started", f"member {member} was started: {n} of {self.n_models}", member=member, members=n)

    def _weigh(self, weights: np.ndarray) -> None:
        """Set the weights of the members, and forget what the next ones follow from."""
        self._weights = weights
        self._products, self._agreement = np.zeros((len(weights), len(weights))), np.zeros(len(weights))

    def _solved(self) -> np.ndarray:
        """Return the weights that the chunk gives the members: 0 for the worst to 1 for the best."""
        n = len(self._members)
        if n < 2 or not np.linalg.cond(self._products) < SINGULAR:
            return np.ones(n)
        weights = np.linalg.solve(self._products, self._agreement)
        low, high = weights.min(), weights.max()
        return (weights - low) / (high - low) if high > low else np.ones(n)

    def _close_chunk(self) -> None:
        """The chunk has been learned: the next one begins, perhaps of another length."""
        self._empty_chunk()
        self._n_chunks += 1
        if self._length != int(self.chunk):
            self._length = int(self.chunk)
            self._forget_history()

    # ------------------------------------------------------------------ tuning

    def _tune(self, values) -> None:
        surplus = len(self._members) - values.get("n_models", len(self._members))
        if surplus > 0:
            self._remove(np.argsort(self._weights, kind="stable")[:surplus].tolist())

    def _step(self) -> int:
        return self._length
