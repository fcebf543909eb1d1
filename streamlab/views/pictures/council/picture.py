"""The picture of a council: a line of trust for each expert, trust by label, and what each said of the latest row."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param

from streamlab.learners.base.rows_shown import plain_names
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, with_minus
from streamlab.views.timeline.bands import hue_of

if TYPE_CHECKING:
    from streamlab.lab.events import Event
    from streamlab.schema import Schema


EXPERTS = ColumnTable(
    "expert",
    Column("id", "id", "the same for an expert of this name as long as the run lasts"),
    Column("trust", "f4", "trust in it for all labels"),
    Column("before", "f4", "its F1 before the latest drift; NaN where there is none"),
    Column("lately", "f4", "its F1 lately; NaN where there was no drift"),
)
NOTES = ColumnTable("note of the trust", Column("noted", "f8", "rows that the run had passed"))
LABELS = ColumnTable(
    "label",
    Column("label", "u4", "its place in the schema"),
    Column("spread", "f4", "the largest less the smallest trust of its own in an expert"),
    Column("probability", "f4", "the council's scored answer to the latest row; NaN where there is none"),
    Column("answered", "flag", "the council answered it"),
    Column("carried", "flag", "the latest row has it"),
)
LINES = ColumnTable("note of the trust in an expert", Column("values", "f4", "those of a note together"))
OWN = ColumnTable("expert and label", Column("own", "f4", "what a label adds to the trust: those of a label together"))
VOTES = ColumnTable(
    "expert and label",
    Column("score", "u1", "what it said of the latest row, 0..1: those of a label together", scale=200),
    Column("adds", "f4", "what that adds to the answer"),
)


class CouncilView(PictureView):
    """How far a council trusts each expert, over the rows and for each label, and who said what of the latest row.

    A click or Enter selects an expert.

    ``show`` takes a row per expert (columns of ``EXPERTS``), and in ``drawn.extra``: ``notes`` and ``lines``, the trust
    along the rows; ``labels``, those with the largest spread first, ``own``, and ``votes``, empty without a row:
    columns of the tables above; ``names``; ``said``, whether there are votes; ``drifts`` (``[{"row", "number"}]``, 0
    for a mark that people set); ``left`` (``[{"row", "name"}]``); ``hue``,
    the place of the council's colour; ``has_learned``, whether the council has learned the latest row: votes are then
    what the experts said before; else they are asked now; ``words``, what each of ``names`` is, ``plain``, what it is
    called in plain words; ``threshold``, the score from which on the row's labels were answered, or None;
    ``as_last``, whether they were answered as no-change answers.
    """

    empty_text = param.String(default="No trust yet: press play", doc="Shown while no row has been learned.")

    axis = param.List(
        default=[], item_type=(int, float), doc="As the timeline's; empty: rows are drawn over the whole width."
    )

    beside = param.Number(default=0, bounds=(0, 4000), doc="Px at the right of the lines; set by the picture.")

    table = EXPERTS

    parts: ClassVar = {"notes": NOTES, "labels": LABELS, "lines": LINES, "own": OWN, "votes": VOTES}

    _bundle = bundled("council")


MOST_LABELS, LEAST_LABELS = 600, 8
"""Labels that are sent at most, and at least however small the budget: those whose trust differs most."""
MOST_MARKS = 20


@runtime_checkable
class Experts(Protocol):
    """What a learner has to be drawn as a council."""

    @property
    def members(self) -> Mapping[str, Any]:
        """The experts by name."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what is drawn, a row per expert: the columns that the picture's table declares."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if it has gone."""

    def trust_history(self) -> Any:
        """Return how much each expert was trusted over the last chunks."""

    def f1_around(self, rows: int) -> np.ndarray:
        """Return the F1 of each expert before the latest rows and lately: (2, experts)."""

    def own_trust(self) -> np.ndarray:
        """Return how much each expert is trusted for each label now."""

    def expert_answers(self, x: Any = None) -> dict[str, Any]:
        """Return what each expert says of a row, or said of the latest it learned, and what that adds to the answer."""


class CouncilPicture(Picture):
    """Whom a council trusts, since when, for which labels, and who said what of the latest row.

    The learner has ``trust_history``, ``own_trust``, ``expert_answers`` and ``describe_node``,
    as ``Council``.
    """

    contract: ClassVar[type] = Experts
    name: ClassVar[str] = "council"
    title: ClassVar[str] = "Trust"
    order: ClassVar[int] = 5
    help: ClassVar[str] = how_to_read(
        "How to read the trust",
        "Several learners, the experts, answer each row. The council adds up their scores, each multiplied by the "
        "trust in its expert, and after each row trusts those more who were right.",
        "<b>Lines</b>: the trust in each expert, row by row; bold is the one trusted most, or since the last drift "
        "those that gained most and lost most (dashed). Below 0 the council believes the opposite. Shares that add up "
        "to 1, of a council that hedges, are means.",
        "<b>Bars</b>: how sure each expert, the most trusted one first, was of the labels that the row has (dark) and "
        "of those that it has not and the council answered (purple); hollow where it is asked now, as it has not "
        "learned the row. Above them the council: it answers the labels whose bars reach the upright line.",
        act="Click a line, or focus the picture and press Enter, to read about an expert here.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run = subject.run
        learner = cast("Experts", subject.learner)
        history = learner.trust_history()
        # of experts alone: beside them stand the labels' shares
        names = history["names"][1:] if history["learned"] else []
        # the run has passed rows whose labels are not known yet, or that were there before the learner
        later = run.position - history["learned"]
        trust = learner.node_columns()["trust"][1 : 1 + len(names)]
        noted, values = _with_now(history, trust, run.position, later) if names else (np.zeros(0), np.zeros((0, 0)))
        drifts = _drifts(subject)
        since = next((each["row"] for each in reversed(drifts) if each["row"] < run.position), 0)
        known = learner.f1_around(run.position - since) if names and since else np.full((2, len(names)), np.nan)
        extra: dict[str, Any] = {
            "names": names,
            "words": _words(learner)[: len(names)],
            "plain": plain_names(learner.members)[: len(names)],
            "notes": {"noted": noted},
            "lines": {"values": values.ravel()},
            "left": _left(subject)[-MOST_MARKS:],
            "drifts": drifts[-MOST_MARKS:],
            "hue": hue_of(run.learner_runs, subject.owner),
            "has_learned": bool(names) and later == 0,
        }
        extra |= _by_label(subject, len(names), budget, values.nbytes + noted.nbytes, extra["has_learned"])
        ids = np.array([*map(id_of, names)], np.int64)
        story = None
        if selection is not None and selection in ids:
            place = int(np.flatnonzero(ids == selection)[0])
            story = dict(learner.describe_node(1 + place) or {}, words=extra["words"][place])
        columns = {"id": ids, "trust": trust, "before": known[0], "lately": known[1]}
        return Drawn(subject.name, run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> CouncilView:
        return CouncilView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return expert_details(subject, story, [])

    def note(
        self, subject: str, selected: Any, story: Mapping[str, Any] | None, schema: Schema, happened: Sequence[Event]
    ) -> str:
        return expert_details(subject, story, happened)

    def parts_of(self, event: Event) -> list[Any]:
        return [id_of(event.detail["expert"])] if isinstance(event.detail.get("expert"), str) else []


def id_of(name: str) -> int:
    """Return the id of an expert: of its name alone, so that it stays when another one leaves."""
    return zlib.crc32(name.encode())


def _words(learner: Experts) -> list[str]:
    """Return a few words on each expert, as its own class says them, not one that it is made of."""
    return [vars(type(each)).get("plain_words", ("", ""))[1] for each in learner.members.values()]


def expert_details(subject: str, story: Mapping[str, Any] | None, happened: Sequence[Event]) -> str:
    """Return what ``describe_node`` says of an expert as HTML, and since when it leads; None: it has left."""
    if story is None:
        left = next((event for event in reversed(happened) if event.kind == "left"), None)
        return hint(
            "This expert is not in the council here." if left is None else f"Row {left.position:,}: {left.message}."
        )
    entries = {"trust in all labels": _signed(story["trust"])}
    if story["place"]:
        entries["place"] = f"{story['place']} of {story['of']}"
        entries["trusted most"] = _leads(story, happened)
    for title, labels in (("more for", story["more"]), ("less for", story["less"])):
        if labels:
            entries[title] = ", ".join(f"{label} ({_signed(value, '+')})" for label, value in labels)
    if not (story["more"] or story["less"]):
        entries["by label"] = "the same for all labels"
    return f"<h3>{as_html(subject)}: {as_html(story['name'])}</h3><p>{story.get('words', '')}</p>{facts(entries)}"


def _leads(story: Mapping[str, Any], happened: Sequence[Event]) -> str:
    last = next((event for event in reversed(happened) if event.kind == "trusted most"), None)
    if story["leads"]:
        return "from the beginning" if last is None else f"since row {last.position:,}"
    if story["place"] == 1:
        return "not yet: it is ahead by less than .05"
    return "no" if last is None else f"no longer; it was from row {last.position:,} on"


def _signed(value: float, plus: str = "") -> str:
    return ("" if value < 0 else plus) + with_minus(f"{value:.2f}")


def _with_now(history: Mapping[str, Any], trust: np.ndarray, now: int, later: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, as the run counts them, and the trust that was noted then, this instant last."""
    rows, values = history["rows"] + later, history["values"][:, 1:]
    if len(rows) and rows[-1] == now:
        rows, values = rows[:-1], values[:-1]
    return np.append(rows, now).astype(np.float64), np.concatenate([values, trust[None].astype(np.float32)])


def _left(subject: Subject) -> list[dict[str, Any]]:
    """Return the experts that left, each with the row."""
    log = [event for event in subject.run.log if event.learner == subject.name and event.kind == "left"]
    return [
        {"row": event.position, "name": str(event.detail["expert"])}
        for event in log
        if "expert" in event.detail and event.position <= subject.run.position
    ]


def _drifts(subject: Subject) -> list[dict[str, int]]:
    """Return the drifts that the run has met, with their numbers, and the latest mark of people (0)."""
    run, mark = subject.run, subject.run.marked
    met = sorted(drift.start for drift in run.stream.drifts if drift.start <= run.position)
    marks = [{"row": row, "number": number} for number, row in enumerate(met, 1)]
    if mark is not None and not mark.drift:
        marks.append({"row": mark.row, "number": 0})
    return marks


def _by_label(subject: Subject, n: int, budget: Budget, taken: int, has_learned: bool) -> dict[str, Any]:
    """Return what is known label by label: trust of its own, and the latest row; of as many labels as there is room."""
    learner = cast("Experts", subject.learner)
    own = learner.own_trust()[1 : 1 + n]
    n_labels = own.shape[1] if n else 0
    spread = own.max(axis=0) - own.min(axis=0) if n_labels else np.zeros(0)
    shares, last = None, subject.run.last
    carried = np.zeros(n_labels, bool)
    if n_labels and last is not None:
        shares = learner.expert_answers(None if has_learned else last[0])
        truth = np.asarray(last[1]).ravel()[:n_labels]
        carried[: len(truth)] = truth == 1
    scores, adds = (np.zeros((0, n_labels)),) * 2 if shares is None else (shares["scores"], shares["adds"][1:-1])
    each = subject.run.learner_runs[subject.name]
    probability, answered = np.full(n_labels, np.nan), np.zeros(n_labels, bool)
    if shares is not None and each.last_labels is not None and each.last_scores is not None:
        # what was counted: the council has learned this row since, and would answer it better
        most = min(n_labels, len(each.last_labels))
        probability[:most], answered[:most] = each.last_scores[:most], each.last_labels[:most] == 1
    as_last = bool(getattr(learner, "gave_way", "")) and has_learned
    least, most_other = probability[answered].min(initial=np.inf), probability[~answered].max(initial=0.0)
    room = (budget.bytes - taken - 4_000) // (20 + 9 * max(n, 1))
    most = max(min(budget.rows or MOST_LABELS, room), LEAST_LABELS)
    # what the latest row is about is never left out, the others by how much trust differs
    order = np.lexsort((-spread, ~(carried | answered)))[:most]
    order = order[np.argsort(-spread[order], kind="stable")]
    return {
        "labels": {
            "label": order,
            "spread": spread[order],
            "probability": probability[order],
            "answered": answered[order],
            "carried": carried[order],
        },
        "own": {"own": own.T[order].ravel()},
        "votes": {"score": scores.T[order].ravel(), "adds": adds.T[order].ravel()},
        "said": shares is not None,
        # where the labels answered are those of the highest scores: half-way to the next one
        "threshold": float(least + most_other) / 2 if most_other < least < np.inf and not as_last else None,
        "as_last": as_last,
    }
