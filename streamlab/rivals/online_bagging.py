"""The learner OnlineBagging: members that learn each row as often as a Poisson draw says."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from streamlab.detectors._adwin import CLOCK, GRACE, SHORTEST, feed
from streamlab.learners.base.decision import Choosing
from streamlab.learners.base.parameters import kept, parameter, random_key, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.storage import Storage, detector_arrays
from streamlab.rivals import _committee as kernels
from streamlab.rivals.committee import Committee

__all__ = ["OnlineBagging"]

CONFIDENCE = 0.002
STRETCH = 100
"""Rows over which it is counted how many labels the members had right: for their picture."""
WATCH = ("totals", "spreads", "filled", "window", "changed")


class Replaced(NamedTuple):
    """A member was replaced: at which row, in which place, after how many rows; its errors before and after."""

    row: int
    place: int
    rows: int
    before: float
    after: float


class OnlineBagging(Choosing, Committee):
    """Online bagging: ``n_models`` members, each of which learns each row as often as a Poisson draw says.

    The draws make the members differ; the answer is the mean of their votes. With a detector each member has an ADWIN
    that is fed whether the member's answer to a row was the row's label set; when these errors rise, the member is
    replaced by one that knows nothing.

    Parameters
    ----------
    base
        What a member is, as in ``GOOWE``: ``"chain"`` (default; ECC, with the detector EaCC), ``"relevance"`` (EBR,
        EaBR), ``"pruned_sets"`` (EPS, EaPS) or ``"logistic"``.
    n_models
        Members. Tunable: made smaller, those that had the fewest recent labels right leave.
    poisson_rate
        Mean of the draws.
    detector
        None (default), or ``"adwin"``: an ADWIN(0.002) for each member.
    grace_period, delta, tau, step
        Of the members, as in ``GOOWE``.
    seed
        Seed of the draws, and of the orders of the chains. None: a random one.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), ``"cardinality"``, ``"expected_f1"`` or
        ``"expected_f1_fast"``; see ``Choosing``.

    Raises
    ------
    ValueError
        For a parameter that is not allowed, naming it, and for columns whose members would take more than 2 GB.

    Notes
    -----
    A score is the mean of the votes of the members that have learned a row; a label is answered where it exceeds one
    half. Rows are learned one after the other, within a chunk too. A detector sees the answer to a row before the row
    is learned. The member that comes in place of another learns the row at which this happened, as often as was drawn.

    Sources
    -------
    N. Oza, S. Russell: "Online bagging and boosting", AISTATS 2001; J. Read, A. Bifet, G. Holmes, B. Pfahringer:
    "Scalable and efficient multi-label classification for evolving data streams", Machine Learning 88, 2012; MOA's
    ``OzaBagML`` and ``OzaBagAdwinML``. Departures from these: the error is taken before the row is learned; there is
    one detector for each member and no other rule of replacement; each chain has an order of its own.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = OnlineBagging("relevance", n_models=3, detector="adwin", seed=1)
    >>> chunk = next(sl.load("yeast").chunks(200))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.nodes()["status"].tolist()
    ['answers', 'answers', 'answers']
    """

    line: ClassVar[str] = "Trees that each draw their rows, with a drift detector: see them. Slow."
    papers: ClassVar[tuple[str, ...]] = ("oza2001online", "read2012scalable")
    predicts_whole_chunks: ClassVar[bool] = False
    picture: ClassVar[str] = "ensemble"
    measure: ClassVar[str] = "right labels"
    compile_seconds: ClassVar[float] = 15.0
    _quick: ClassVar = {"n_models": 2, "detector": "adwin", "seed": 0}
    events: ClassVar[dict[str, EventKind]] = {
        "replaced": EventKind(
            "A member was replaced",
            "The detector (ADWIN) of this member saw its errors rise: a member that knows nothing takes its place.",
            numbers={
                "before": "errors before", "after": "errors after", "member": "the one that left",
                "by": "the one that came", "rows": "rows it had learned",
            },
            is_detection=True,
            source="own detectors",
            did="replaced erring members",
        ),
    }  # fmt: skip
    n_models: int = tunable(
        1, 30, default=10, limit=1000, title="Members", help="More vary less together; each costs the same again.",
        says="answers with {value} members",
    )  # fmt: skip
    poisson_rate: float = tunable(
        0.0, 6.0, default=1.0, limit=100.0, title="Times a row is learned (mean)",
        help="How often each member learns each row on average; 0: never.",
    )  # fmt: skip
    detector: str | None = parameter(default=None, choices=(None, "adwin"))
    # the detectors, where there are any
    storage: ClassVar[Storage] = Choosing.storage + Committee.storage + Storage(*detector_arrays("watched", "window"))
    _key: int = kept(low=0, high=2**63 - 1)
    # labels of the present stretch that each member had right, and how many it was asked for
    _right: np.ndarray = kept("there", dtype=np.int64)
    _asked: np.ndarray = kept("there", dtype=np.int64)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._key = int(random_key(self.seed))

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._start_members(int(self.n_models))

    def _start_members(self, n: int) -> None:
        """Start members until there are ``n``."""
        for _ in range(len(self._members), n):
            self._enter()

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | ({"watched": 0} if self.detector is None else {})

    @property
    def _of_members(self) -> tuple[str, ...]:
        return super()._of_members + ("watched",) * (self.detector is not None)

    # ------------------------------------------------------------------ answers and learning

    def _predict(self, X, missing):
        total, n = np.zeros((len(X), len(self._labels))), 0
        for member in self._members:
            if member.n_learned:
                total += member.answer(X)[0]
                n += 1
        scores = total / max(n, 1)
        return scores, self._decided(scores, (scores > 0.5).astype(np.uint8))

    def _learn(self, X, Y, missing) -> None:
        # the detectors need the answers
        self._test_then_train(X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        start = 0
        while start < len(X):
            stop = min(start + STRETCH - self._n_seen % STRETCH, len(X))
            scores[start:stop], labels[start:stop] = self._run(X[start:stop], Y[start:stop])
            start = stop
        return scores, labels

    def _run(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Test, then train all members on rows of one stretch, one member after the other."""
        total, counts, weights = np.zeros(Y.shape), np.zeros(len(X)), np.empty(len(X))
        replaced: list[Replaced] = []
        for place, seat in enumerate(self._seats[self._rows_there()].tolist()):
            kernels.draw(self._key, seat, self._n_seen, float(self.poisson_rate), weights)
            replaced += self._run_member(place, seat, X, Y, weights, total, counts)
        # as if row by row
        for each in sorted(replaced, key=lambda each: (each.row, each.place)):
            self._report_replaced(each)
        self._n_seen += len(X)
        if self._n_seen % STRETCH == 0:
            self._note(np.where(self._asked > 0, self._right / np.maximum(self._asked, 1), np.nan), STRETCH)
            self._right[:], self._asked[:] = 0, 0
        scores = total / np.maximum(counts, 1.0)[:, None]
        return scores, self._followed(scores, (scores > 0.5).astype(np.uint8), Y)

    def _run_member(
        self,
        place: int,
        seat: int,
        X: np.ndarray,
        Y: np.ndarray,
        weights: np.ndarray,
        total: np.ndarray,
        counts: np.ndarray,
    ) -> list[Replaced]:
        """Test, then train one member; add its votes to ``total``, and 1 to ``counts`` where it knew something.

        A member answers and learns the rows to the end. If its detector then says that it had to go at an earlier row,
        what it did behind that row is forgotten with it, and its successor goes on from there.
        """
        start, replaced = 0, []
        while start < len(X):
            member = self._members[place]
            before = member.n_learned
            votes, labels = member.test_then_train(X[start:], Y[start:], weights[start:])
            wrong = labels != Y[start:]
            change = self._watch(place, wrong)
            n = len(wrong) if change is None else change[0] + 1
            rows = slice(start, start + n)
            learned = before + np.concatenate([[0], np.cumsum(weights[rows] > 0)])
            knew = learned[:-1] > 0
            total[rows] += np.where(knew[:, None], votes[:n], 0.0)
            counts[rows] += knew
            self._right[place] += np.count_nonzero(~wrong[:n])
            self._asked[place] += wrong[:n].size
            start += n
            if change is not None:
                last = start - 1
                new = self._made_member(seat, self._n_seen + last)
                new.learn(X[last:start], Y[last:start], weights[last:start])
                self._members[place] = new
                self._right[place], self._asked[place] = 0, 0
                replaced.append(Replaced(last, place, int(learned[-2]), change[1], change[2]))
        return replaced

    def _watch(self, place: int, wrong: np.ndarray) -> tuple[int, float, float] | None:
        """Feed a member's detector; return the row of the first rise of its errors, with the means before and after.

        The detector is a new one then.
        """
        if self.detector is None:
            return None
        totals, spreads, filled, window, changed = own = tuple(
            getattr(self, f"_{name}")[place : place + 1] for name in WATCH
        )
        errors = np.asarray(wrong.any(axis=1), np.float64).reshape(-1, 1)
        found, means = np.zeros((len(errors), 2), np.int64), np.zeros((len(errors), 2))
        n = feed(errors, totals, spreads, filled, window, changed, CONFIDENCE, CLOCK, SHORTEST, GRACE, found, means)
        for (row, _), (low, high) in zip(found[:n].tolist(), means[:n].tolist(), strict=True):
            if high > low:
                for array in own:
                    array[:] = 0
                return row, low, high
        return None

    def _report_replaced(self, each: Replaced) -> None:
        now = self._n_seen + each.row
        gone, by = self._replace(each.place, self._members[each.place], now)
        self._events.append({
            "kind": "replaced",
            "message": f"member {gone} was replaced by member {by}: its errors rose from {100 * each.before:.0f} to "
            f"{100 * each.after:.0f} %",
            "position": now + 1,
            "before": each.before,
            "after": each.after,
            "member": gone,
            "by": by,
            "rows": each.rows,
        })  # fmt: skip

    # ------------------------------------------------------------------ tuning

    def _tune(self, values) -> None:
        wanted = int(values.get("n_models", self.n_models))
        surplus = len(self._members) - wanted
        if surplus > 0:
            latest = np.nan_to_num(self._history[self._rows_there(), -1].astype(np.float64), nan=-1.0)
            self._remove(np.argsort(latest, kind="stable")[:surplus].tolist())
        elif self._features or self._labels:
            self._start_members(wanted)

    def _step(self) -> int:
        return STRETCH
