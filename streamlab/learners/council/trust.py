"""What a council is asked about its trust: whom it trusts, since when, for which labels, and who said what of a row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.rows_shown import plain_names, story_of, table_of
from streamlab.learners.council import _stack as kernels

if TYPE_CHECKING:
    import pandas as pd

SHARES = "label frequency"
"""What stands beside the experts: how often each label came lately."""
FIRST_STRETCH, MOST_NOTED = 10, 512
LEAST_MOVED = 0.005
"""A change of trust that is told: what two decimals show."""
RECENT, FELL = 200, 0.05
"""Rows of which the F1 of an expert is told, and how much lower it is where it still errs."""
LEAD = 0.05
"""How much more than the one before an expert must be trusted, to be said to be trusted most."""


class Trust(Learner):
    """What is noted and told of the trust in the experts.

    Trust is noted every ten rows; when 512 notes are full, every second one goes, and notes are twice as far apart.
    """

    experts: dict[str, Any] = kept()
    _shared: np.ndarray = kept("experts+2", finite=True)
    _shared_squares: np.ndarray = kept("experts+2", finite=True)
    _own: np.ndarray = kept("experts+2", "labels", finite=True)
    _own_squares: np.ndarray = kept("experts+2", "labels", fill=kernels.FIRST_OWN, finite=True)
    _counts: np.ndarray = kept("labels", finite=True)
    _rows: np.ndarray = kept(1, finite=True)
    # what each said of the latest row, before it learned that
    _latest_scores: np.ndarray = kept("experts", "labels", finite=True)
    # rows that had been learned, and the trust in the labels' shares and in each expert then
    _noted_at: np.ndarray = kept("noted", dtype=np.int64, rising=True)
    _noted: np.ndarray = kept("noted", "experts+1", dtype=np.float32, finite=True)
    # the sum of each expert's F1 over all rows, and what it was at each note
    _f1: np.ndarray = kept("experts", finite=True)
    _noted_f1: np.ndarray = kept("noted", "experts", finite=True)
    # how far no-change led before the latest row, and leads now
    _lead: np.ndarray = kept(2, finite=True)
    _stretch: int = kept(low=1, start=FIRST_STRETCH)
    # the expert that was said to be trusted most; -1: none
    _leader: int = kept(low=-1, start=-1)
    _n_seen: int = kept(low=0)

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"experts": len(self.experts)}

    def _stretches(self, n: int) -> Iterator[tuple[int, int]]:
        """Cut new rows where trust is noted."""
        start = 0
        while start < n:
            stop = min(start + self._stretch - self._n_seen % self._stretch, n)
            yield start, stop
            start = stop

    def _note_trust(self) -> None:
        """Note the trust if it is time, and tell whether another expert is trusted most."""
        if self._n_seen % self._stretch:
            return
        trust = self._trust()
        self._noted_at = np.append(self._noted_at, self._n_seen)
        self._noted = np.concatenate([self._noted, trust[None].astype(np.float32)])
        self._noted_f1 = np.vstack([self._noted_f1, self._f1])
        best = int(np.argmax(trust[1:]))
        if self._leader < 0:
            self._leader = best
        elif best != self._leader and trust[best + 1] > trust[self._leader + 1] + LEAD:
            names = list(self.experts)
            before, self._leader = self._leader, best
            now, old = float(trust[best + 1]), float(trust[before + 1])
            message = f"{names[best]} is trusted most now ({now:.2f}; {names[before]} {old:.2f})"
            self._report("trusted most", message, expert=names[best], trust=now, before=old)
        if len(self._noted_at) >= MOST_NOTED:
            self._stretch *= 2
            kept = self._noted_at % self._stretch == 0
            self._noted_at, self._noted, self._noted_f1 = self._noted_at[kept], self._noted[kept], self._noted_f1[kept]

    def _forget_trust_of(self, places: Sequence[int]) -> None:
        """Forget what was noted of experts that leave."""
        self._noted = np.delete(self._noted, [place + 1 for place in places], axis=1)
        self._f1, self._noted_f1 = np.delete(self._f1, places), np.delete(self._noted_f1, places, axis=1)
        if self._leader in places:
            self._leader = -1
        elif self._leader >= 0:
            self._leader -= sum(place < self._leader for place in places)

    def _trust(self) -> np.ndarray:
        """Return the trust in the labels' shares, then in each expert, float64 (1 + experts,)."""
        return self._shared[:-1].copy()

    # ------------------------------------------------------------------ what people and pictures are told

    def did_within(self, rows: int) -> str:
        """Tell which expert lost most trust, and which gained most.

        Where the one is trusted more than the other by now, its F1 is what it was and the other's is not, that is why.
        """
        notes = np.flatnonzero(self._noted_at <= self._n_seen - rows)
        if not len(notes):
            return ""
        names, trust = plain_names(self.experts), self._trust()[1:]
        gain, fell = trust - self._noted[notes[-1], 1:], -np.diff(self.f1_around(rows), axis=0)[0]
        lost, won = int(np.argmin(gain)), int(np.argmax(gain))
        if trust[won] > trust[lost] and fell[won] <= FELL < fell[lost]:
            return f"moved trust from erring “{names[lost]}” to its “{names[won]}”"
        moves = [f"“{names[lost]}” less"] if gain[lost] <= -LEAST_MOVED else []
        moves += [f"“{names[won]}” more"] if gain[won] >= LEAST_MOVED else []
        return f"trusts {', '.join(moves)}" if moves else ""

    def f1_around(self, rows: int) -> np.ndarray:
        """Return how well each expert answered before the latest ``rows`` rows and lately: float64 (2, experts).

        Both are mean F1, of 200 rows before, and of the latest 200 of these ``rows``, or as many as are known; NaN
        where there are none. Labels are answered from a score of 0.3 on.
        """
        at = np.array([0, *self._noted_at, self._n_seen])
        sums = np.vstack([np.zeros_like(self._f1), self._noted_f1, self._f1])
        mark, end = self._n_seen - rows, self._n_seen
        spans = (max(mark - RECENT, 0), mark), (max(mark, end - RECENT), end)
        first, last = np.searchsorted(at, spans, "right").T - 1
        with np.errstate(invalid="ignore"):
            return (sums[last] - sums[first]) / (at[last] - at[first])[:, None]

    def trust_history(self) -> dict[str, Any]:
        """Return whom it trusted when.

        Returns
        -------
        dict
            ``names`` (the labels' shares, then the experts), ``rows`` int64 (notes,): rows that had been learned, and
            ``values`` float32 (notes, names); ``learned``, rows learned so far. A value is the weight
            v_k of the log-odds in all labels.
        """
        rows, values = self._noted_at.copy(), self._noted.copy()
        return {"names": [SHARES, *self.experts], "rows": rows, "values": values, "learned": self._n_seen}

    def own_trust(self) -> np.ndarray:
        """Return what each label adds to the trust, d_kl: float64 (1 + experts, labels)."""
        return self._own[:-1].copy()

    def expert_answers(self, x: Any = None) -> dict[str, Any]:
        """Return what each expert says of one row, and how it is answered by the trust in them now.

        Parameters
        ----------
        x
            The row: an array of shape (n_features,), a sparse matrix of one row, or a dictionary. None, the default:
            the latest row that was learned, of which the experts are not asked again: they have learned it since.

        Returns
        -------
        dict
            ``names`` (the labels' shares, the experts, the bias); ``scores`` float64 (experts, labels); ``adds``
            float64 (names, labels): what each adds to the log-odds of the answer;
            ``probabilities`` and ``labels`` (labels,): the answer.

        Raises
        ------
        ValueError
            Without a row, if none was learned.
        """
        if x is None:
            if not self._n_seen:
                raise ValueError("x=None: no row has been learned; expected a row")
            scores = self._latest_scores[:, None]
        else:
            rows = self._one_row(x)
            scores = self._experts_scores(rows.values, rows.missing)
        probabilities, labels = self._answer_by(scores)
        adds = np.zeros((len(self.experts) + 2, len(self._labels)))
        kernels.contributions(scores, 0, self._shared, self._own, self._counts, self._rows, adds)
        return {
            "names": [SHARES, *self.experts, "bias"],
            "scores": scores[:, 0],
            "adds": adds,
            "probabilities": probabilities[0],
            "labels": labels[0],
        }

    @abstractmethod
    def _answer_by(self, scores: np.ndarray, gives_way: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Return probabilities and answer, (n, n_labels) each, by the experts' scores (experts, n, n_labels).

        ``gives_way``: it answers as no-change, if that leads.
        """

    @abstractmethod
    def _experts_scores(self, X: Any, missing: np.ndarray) -> np.ndarray:
        """Return the experts' scores of rows, float64 (experts, n, n_labels)."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the experts as arrays, the labels' shares first.

        Returns
        -------
        dict
            ``id`` (0: the labels' shares; experts from 1, in order), ``trust`` (v_k, or the weight), ``low`` and
            ``high`` (the least and the largest trust of a label).
        """
        trust, own = self._trust(), self.own_trust()
        low, high = (own.min(axis=1), own.max(axis=1)) if own.shape[1] else (np.zeros(len(trust)),) * 2
        return {"id": np.arange(len(trust)), "trust": trust, "low": trust + low, "high": trust + high}

    def nodes(self) -> pd.DataFrame:
        """Return ``node_columns`` as a table with the experts' names, indexed by ``id``."""
        return table_of(self.node_columns(), expert=[SHARES, *self.experts])

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of one expert (0: the labels' shares); None where there is none of this number.

        Returns
        -------
        dict or None
            ``node_columns`` of it; ``name``; ``place`` (1: trusted most of the experts; 0 for the shares) and ``of``
            how many; ``leads``, whether it is the one that was said last to be trusted most; ``more`` and ``less``: up
            to three labels for which it is trusted most above and below its trust in all, with how much.
        """
        columns = self.node_columns()
        story = story_of(columns, node_id)
        if story is None:
            return None
        own = self.own_trust()[node_id]
        order = np.argsort(own, kind="stable")
        trust = columns["trust"][1:]
        return story | {
            "name": [SHARES, *self.experts][node_id],
            "place": 0 if node_id == 0 else 1 + int((trust > trust[node_id - 1]).sum()),
            "of": len(self.experts),
            "leads": node_id > 0 and node_id - 1 == self._leader,
            "more": [(self._labels[j], float(own[j])) for j in order[::-1][:3] if own[j] > 0],
            "less": [(self._labels[j], float(own[j])) for j in order[:3] if own[j] < 0],
        }
