"""The learner Council: experts score, and it learns how far to trust each, for all labels and for each label."""

from __future__ import annotations

import inspect
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from streamlab._checks import shown, with_type
from streamlab._side_by_side import Team
from streamlab.learners.base.composed import Composed, translated
from streamlab.learners.base.decision import Choosing, Decision
from streamlab.learners.base.learner import Learner, checked_answer
from streamlab.learners.base.parameters import checked_seed, kept, like, parameter, tunable
from streamlab.learners.base.registry import LEARNERS, EventKind
from streamlab.learners.base.state import State, contradiction, json_entry
from streamlab.learners.baselines import NoChange
from streamlab.learners.council import _stack as kernels
from streamlab.learners.council.trust import Trust

if TYPE_CHECKING:
    from streamlab.schema import Hierarchy

__all__ = ["Council"]

DEFAULTS: dict[str, dict[str, Any]] = {
    "HedgedMLHAT": {}, "SMART": {"warm_up": 10}, "MLBELS": {"chunk": 250}, "ARkNN": {},
    "OnlineLogistic": {"fading": 0.999, "intercept_step": 0.1}, "RankedKNN": {}, "NoChange": {},
}  # fmt: skip
"""Registered learners that sit in it where no others are given, and their parameters."""
HALF_OF_F1 = 0.3
LEAD_FADING = 0.99
"""Per row, of the lead by which an expert no-change is told to answer better than the council."""

_teams: WeakKeyDictionary[Council, defaultdict[str, Team]] = WeakKeyDictionary()
"""How the experts of each council work side by side: in no state or copy, as their answers do not depend on it."""


class Council(Trust, Composed, Choosing, Learner):
    """Experts answer together: each scores a row, and the council learns how far to trust each of them.

    The log-odds of a label's answer are a weighted sum of those of the experts' scores and of the label's recent
    share. Weights have a part that all labels share and a part of each label; both follow AdaGrad's steps on the log
    loss, with a memory of squared gradients that fades, so that trust moves after a drift.

    Parameters
    ----------
    learners
        The experts: by name, or a list of learners or of names of registered ones. They are its own from now on.
        Default: HedgedMLHAT, SMART(warm_up=10), MLBELS(chunk=250), ARkNN, OnlineLogistic(fading=.999,
        intercept_step=.1), RankedKNN and no-change.
    fading
        Per row, of the remembered squared gradients and of the labels' shares: above .9, at most 1.
    on_failure
        What follows when an expert raises an error: it leaves the council, and the others learn the rows. ``"stop"``
        (default): then an error that names it is raised; ``"leave"``: an event tells it.
    decision
        Which labels are answered: ``"expected_f1"`` (default), ``"expected_f1_fast"``, ``"cardinality"``, or
        ``"half"``, probabilities above one half; see ``Choosing``.
    seed
        Seed of the default experts, and of those given by name.

    Raises
    ------
    ValueError
        For experts that are not learners of flat labels, for labels with a hierarchy, and when an expert refused
        something by a ValueError, naming it; see ``on_failure``.
    RuntimeError
        When an expert failed otherwise, naming it.

    Notes
    -----
    For row t, expert k and label l, z_kl = logit(score) within ±4, z_0l = logit((f_l + .1) / (n + 1)) of the faded
    counts f and n, and p_l = σ(b + b_l + Σ_k (v_k + d_kl) z_kl). At first v_k = 1/K for experts, all else is 0. With
    g_l = p_l - y_l, v and b step by .05 g / √G, d and b_l by .02; G ← max(fading · G, G₀) + g², G₀ = .01 for v, else 1.
    Each row is scored by all experts, answered, and learned by the council from these scores; then the experts learn
    it. So it is row by row within a chunk, also for experts that by themselves answer whole chunks. Where labels come
    late in a run, these are the scores of when the row was answered.

    Where an expert is no-change and rows come in runs of equal labels, little is better than to repeat the last ones.
    So the council answers as no-change while that leads, m > 0, where after each row m ← .99 m + (F1 of no-change - F1
    of the council's own answer). Where labels come late it does not: then no-change repeats what is long past.
    Nor does it with ``decision="threshold"``, which serves the macro F1.

    Labels with a hierarchy are refused: an answer that is chosen label by label would contradict it.

    An expert's parameter is tuned by the expert's name: ``tune(SMART__half_life=50)``.

    Sources
    -------
    D. Wolpert: "Stacked generalization", 1992; J. Duchi, E. Hazan, Y. Singer: "Adaptive subgradient methods", 2011;
    for the answer see ``Choosing``.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = Council([sl.SMART(seed=1), sl.ARkNN(), sl.NoChange()])
    >>> chunk = next(sl.load("yeast").chunks(300))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.nodes()["expert"].tolist()
    ['label frequency', 'SMART', 'ARkNN', 'NoChange']
    """

    line: ClassVar[str] = f"{', '.join(DEFAULTS)}: see whom it trusts. Slow."
    made_of: ClassVar[str] = "learners"
    experts: dict[str, Any] = kept()

    papers: ClassVar[tuple[str, ...]] = ("wolpert1992stacked", "duchi2011adaptive")
    answers_version: ClassVar[int] = 3
    predicts_whole_chunks: ClassVar[bool] = False
    picture: ClassVar[str] = "council"
    compile_seconds: ClassVar[float] = 3.0
    events: ClassVar[dict[str, EventKind]] = {
        "trusted most": EventKind(
            "Another expert is trusted most", "Its weight for all labels exceeds that of the one before by .05.",
            numbers={"trust": "its weight", "before": "weight of the one before"},
        ),
        "left": EventKind(
            "An expert left", "It raised an error. The others go on without it.",
        ),
        "expert": EventKind("Something happened in an expert", "The expert reports it of itself."),
    }  # fmt: skip
    learners: Mapping[str, Any] | Sequence[Any] | None = parameter(default=None)
    fading: float = tunable(
        0.9, 1.0, default=0.999, limit=1.0, title="Fading of trust",
        help="Per row. Lower: trust moves faster after a drift, and is less steady; 1: no error is forgotten.",
    )  # fmt: skip
    on_failure: str = tunable(
        default="stop", choices=("stop", "leave"), title="When an expert fails",
        help="stop: the run stops, and names it; leave: it goes on without that expert.",
    )  # fmt: skip
    seed: int | None = parameter(default=None, check=checked_seed)

    decision: Decision = like(default="expected_f1", kw_only=True)

    # ------------------------------------------------------------------ the experts

    def _check_parameters(self) -> None:
        self.experts = _made(self.learners, self.seed)
        self._share_lock()

    @property
    def _inner(self) -> dict[str, Any]:
        return vars(self).get("experts", {})

    @property
    def members(self) -> dict[str, Learner]:
        """The experts by name."""
        return dict(self.experts)

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]  # it depends on the experts
        """Whether all experts do."""
        return all(expert.takes_sparse for expert in self.experts.values())

    def _called(self, name: str) -> str:
        return name

    @classmethod
    def prepare_own(cls) -> None:
        """Load the kernels of the council itself, or compile them."""
        # what asks SMART row by row is compiled for councils alone
        smart = LEARNERS.load("SMART")
        model = cls([LEARNERS.load("NoChange")(), smart(**smart._quick)])
        X, Y = np.zeros((2, 1)), np.array([[0, 1], [1, 1]], np.uint8)
        model.test_then_train(X, Y)
        model.expert_answers(X[0])

    def prepare(self) -> None:  # type: ignore[override]  # of its own experts
        """Load the kernels of the council and of its experts, or compile them."""
        super().prepare()
        self.prepare_own()

    def _cloned_parts(self, own: dict[str, Any], given: dict[str, Any]) -> Any:
        # another seed is for experts that are made by name, too
        is_same = own["learners"] is self.learners and own["seed"] == self.seed
        experts = self.experts if is_same else _made(own["learners"], own["seed"])
        for_experts = self._given_to_parts(given, "expert")
        return {name: each.clone(for_experts.get(name, {})) for name, each in experts.items()}

    def _check_columns(self, features: Any, labels: Any, hierarchy: Hierarchy | None) -> None:
        super()._check_columns(features, labels, hierarchy)
        if hierarchy is not None:
            raise ValueError(
                "a Council chooses its answer label by label, which would contradict the labels' hierarchy; expected "
                "labels without one: take HierarchicalKNN, or one of the experts alone"
            )

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        n = len(self.experts)
        self._shared[1 : n + 1] = 1 / n
        self._shared_squares[:] = [kernels.FIRST_SHARED] * (n + 1) + [kernels.FIRST_OWN]

    def _get_state(self) -> State:
        return super()._get_state() | {"experts": json.dumps(list(self.experts))}

    @classmethod
    def _stored_parts(cls, state: State) -> Any:
        names, parts = json_entry(cls.__name__, state, "experts", list), cls._parts_in(state)
        if len(set(map(str, names))) != len(parts):
            raise contradiction(cls.__name__, f"experts are {shown(names)}; expected {len(parts)} names")
        return dict(zip(names, parts, strict=True))

    def _tune(self, values) -> None:
        super()._tune(values)
        if any("__" in name for name in values):
            # the names of experts say no more how they are
            self.learners = dict(self.experts)

    # ------------------------------------------------------------------ learning

    def _learn(self, X, Y, missing) -> None:
        # it learns from what the experts said of each row
        self._test_then_train(X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        scores = np.zeros((len(self.experts), *Y.shape))
        columns = (self._columns_in(), self._labels, self._label_names, None, self._bound)

        def learn(place: int, name: str, expert: Learner) -> None:
            expert._widen(*columns)
            scores[place] = _whole(name, expert._scores_row_by_row(X, Y, missing), Y.shape)

        failed = self._of_each(learn, len(X))
        if failed:
            scores = scores[[name not in failed for name in self.experts]]
            self._dismiss(failed)
        probabilities, judged = np.zeros(Y.shape), scores.copy()
        told = vars(self).pop("_told", None)
        if told is not None and told.size == judged.size:
            told = told.reshape(len(X), len(judged), -1).swapaxes(0, 1)
            judged[~np.isnan(told)] = told[~np.isnan(told)]
        f1 = self._f1_of(judged, Y)
        # row after row: the sum does not depend on how rows are cut
        sums = np.cumsum(np.vstack([self._f1, f1]), axis=0)
        for start, stop in self._stretches(len(X)):
            self._combine(judged, Y, start, stop, True, probabilities)
            self._f1 = sums[stop]
            self._n_seen += stop - start
            self._note_trust()
        labels = self._followed(probabilities, (probabilities > 0.5).astype(np.uint8), Y)
        if len(X):
            self._latest_scores = scores[:, -1].copy()
            self._give_way(judged, f1, Y, probabilities, labels)
        self._raise_failed(failed)
        return probabilities, labels

    def _give_way(self, scores, f1, Y, probabilities: np.ndarray, labels: np.ndarray) -> None:
        """Answer as no-change, in place, the rows before which that led, by each expert's ``f1`` (rows, experts)."""
        place = self._unchanging
        if place is None:
            return
        lead, leads = float(self._lead[1]), np.empty(len(Y) + 1)
        for row, ahead in enumerate((f1[:, place] - _f1(labels, Y)).tolist()):
            leads[row] = lead
            lead = LEAD_FADING * lead + ahead
        leads[-1] = lead
        self._lead = leads[-2:].copy()
        rows = np.flatnonzero(leads[:-1] > 0)
        probabilities[rows] = scores[place, rows]
        labels[rows] = scores[place, rows] > 0.5

    @property
    def _unchanging(self) -> int | None:
        """The place of the first expert that is no-change; None: there is none, or macro F1 is what counts."""
        if self.decision == "threshold":
            return None
        return next((place for place, each in enumerate(self.experts.values()) if type(each) is NoChange), None)

    @property
    def gave_way(self) -> str:
        """The expert no-change, by its name, if the latest row was answered as by it; else empty."""
        place = self._unchanging
        return list(self.experts)[place] if place is not None and self._lead[0] > 0 else ""

    def _answer_waiting(self, X):
        self._said = None
        answer = self.answer_many(X)
        return *answer, vars(self).pop("_said")

    def _learn_late(self, X, Y, kept) -> None:
        self._told = kept
        try:
            self.learn_many(X, Y)
        finally:
            vars(self).pop("_told", None)

    def _combine(self, scores, Y, start: int, stop: int, learns: bool, out: np.ndarray) -> None:
        kernels.stack(
            scores, Y, start, stop, learns, float(self.fading), self._shared, self._shared_squares, self._own,
            self._own_squares, self._counts, self._rows, out,
        )  # fmt: skip

    def _f1_of(self, scores, Y) -> np.ndarray:
        """Return the F1 of each row's labels that each expert would answer: float64 (rows, experts), 0/0 = 0.

        A label is answered from a score of .3 on, half of an F1 of .6, which is within .01 of the highest expected F1
        on yeast and costs the council a sixth less of its time (Lipton, Elkan and Naryanaswamy 2014: the best threshold
        is half of the best F1).
        """
        return np.ascontiguousarray(_f1(scores >= HALF_OF_F1, Y).T)

    def _predict(self, X, missing):
        scores = self._experts_scores(X, missing)
        if "_said" in vars(self):
            # before anything was learned it tells nothing of an expert
            said = scores if self._n_seen else np.full_like(scores, np.nan)
            self._said = said.swapaxes(0, 1).reshape(len(X), -1)
        # rows that wait for labels come after rows whose labels are not known yet: no-change has nothing to repeat
        return self._answer_by(scores, "_said" not in vars(self))

    def _answer_by(self, scores, gives_way=True):
        probabilities = np.zeros(scores.shape[1:])
        unknown = np.zeros((0, scores.shape[2]), np.uint8)
        self._combine(scores, unknown, 0, len(probabilities), False, probabilities)
        place = self._unchanging
        if gives_way and place is not None and self._lead[1] > 0:
            return scores[place].copy(), (scores[place] > 0.5).astype(np.uint8)
        return probabilities, self._decided(probabilities, (probabilities > 0.5).astype(np.uint8))

    def _experts_scores(self, X, missing) -> np.ndarray:
        """Return the experts' scores of rows, float64 (experts, n, n_labels); one that fails says one half."""
        scores = np.full((len(self.experts), len(X), len(self._labels)), 0.5)

        def ask(place: int, name: str, expert: Learner) -> None:
            # one without labels has learned nothing
            known = bool(expert._labels)
            scores[place] = _whole(name, expert._answered(X, missing)[0], scores.shape[1:]) if known else 0.0

        self._raise_failed(self._of_each(ask, len(X)))
        return scores

    def _of_each(self, do: Callable[[int, str, Learner], None], rows: int) -> dict[str, Exception]:
        """Let each expert do something, side by side where that pays; return what went wrong, by their names."""

        def tried(place: int, name: str) -> Exception | None:
            try:
                do(place, name, self.experts[name])
            except Exception as error:  # an expert may raise anything
                return error
            return None

        names = list(self.experts)
        calls = [partial(tried, place, name) for place, name in enumerate(names)]
        here = [name for name, expert in self.experts.items() if expert.works_in_python]
        team = _teams.setdefault(self, defaultdict(Team))[do.__name__]
        errors = zip(names, team.work(names, calls, max(rows, 1), here, self._lock), strict=True)
        return {name: error for name, error in errors if error is not None}

    # ------------------------------------------------------------------ failures and events

    def _dismiss(self, failed: Mapping[str, Exception]) -> None:
        """Let experts go that raised an error, with what was learned of them.

        Raises
        ------
        RuntimeError
            If none would remain; then none leaves.
        """
        if len(failed) == len(self.experts):
            raise RuntimeError(f"all experts of the council failed; {_in_words(failed)}")
        places = [place for place, name in enumerate(self.experts) if name in failed]
        for name in ("shared", "shared_squares", "own", "own_squares"):
            setattr(self, f"_{name}", np.delete(getattr(self, f"_{name}"), [place + 1 for place in places], axis=0))
        self._latest_scores = np.delete(self._latest_scores, places, axis=0)
        self._forget_trust_of(places)
        for name, error in failed.items():
            place = list(self.experts).index(name)
            del self.experts[name]
            message = f"{name} failed and left: {with_type(error)}"
            self._report("left", message, expert=name, place=place)

    def _raise_failed(self, failed: Mapping[str, Exception]) -> None:
        if failed and self.on_failure == "stop":
            # what an expert refuses, such as an altered state's numbers, its council refuses
            kind = ValueError if all(isinstance(each, ValueError) for each in failed.values()) else RuntimeError
            error = kind(
                f"{_in_words(failed)} (after {self._n_seen:,} rows); on_failure='leave' goes on without such an expert"
            )
            raise error from next(iter(failed.values()))

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened since the last call: who is trusted most, who left, and what the experts report.

        Returns
        -------
        list of dict
            ``kind``, ``message``, ``position`` (rows learned), ``expert`` (its name), and the numbers of its kind; of
            what an expert reports ``told``, its kind there.
        """
        events = list(vars(self).pop("_events", ()))
        for name, expert in self.experts.items():
            # one that had learned before it came here counts those rows too
            own = (lambda _: None) if expert.now is None else (self._n_seen - expert.now).__add__
            for event in expert.take_events():
                event = translated(event, own)
                said = {"kind": "expert", "told": event["kind"], "message": f"expert {name}: {event['message']}"}
                events.append(event | said | {"expert": name})
        return events


def _f1(labels: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return the F1 of each row's labels, 0/0 = 0; ``labels`` (..., rows, labels)."""
    both, either = (labels & (Y > 0)).sum(axis=-1), labels.sum(axis=-1) + Y.sum(axis=1)
    return 2.0 * both / np.maximum(either, 1)


def _made(learners: Any, seed: int | None) -> dict[str, Any]:
    """Return the experts by name.

    Raises
    ------
    ValueError
        For what is not a learner, or has no name of its own.
    """
    if learners is None:
        return {name: _named(name, seed, given) for name, given in DEFAULTS.items()}
    if isinstance(learners, Mapping):
        items = list(learners.items())
    elif isinstance(learners, Sequence) and not isinstance(learners, str):
        items = [(each if isinstance(each, str) else type(each).__name__, each) for each in learners]
    else:
        raise ValueError(f"learners={shown(learners)}: expected learners by name, or a list of learners or names")
    experts: dict[str, Any] = {}
    for name, given in items:
        expert = _named(given, seed, {}) if isinstance(given, str) else given
        if isinstance(expert, type) or not isinstance(expert, Learner):
            raise ValueError(f"learners: {shown(name)} is {shown(given)}; expected a learner of streamlab's")
        if not isinstance(name, str) or not name or "__" in name or name.startswith("_"):
            raise ValueError(f"learners: {shown(name)} is no name of an expert; expected a text without '__'")
        number, own = 1, name
        while own in experts:
            number += 1
            own = f"{name}{number}"
        experts[own] = expert
    if not experts:
        raise ValueError("learners: there is none; expected at least one")
    if len({id(each) for each in experts.values()}) < len(experts):
        raise ValueError("learners: the same object is there twice; give each a copy()")
    return experts


def _named(name: str, seed: int | None, given: Mapping[str, Any]) -> Learner:
    """Return a registered learner, with a seed if it takes one."""
    kind = LEARNERS.load(name)
    seeded = {"seed": seed} if "seed" in inspect.signature(kind).parameters else {}
    return kind(**seeded, **given)


def _whole(name: str, scores: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return an expert's scores, or raise a ValueError: a single NaN would stay in the weights for ever."""
    checked, _ = checked_answer(name, (scores, np.zeros(shape, np.uint8)), *shape)
    if not np.isfinite(checked).all():
        raise ValueError("its scores are not all numbers")
    return checked


def _in_words(failed: Mapping[str, Exception]) -> str:
    return "; ".join(f"the expert {name!r} failed: {with_type(error)}" for name, error in failed.items())
