"""The one sentence of a page: what happened, who coped, who did not, and the cause that its learner reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from streamlab.lab.detection_report import evidence_of, source_of_alarm
from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate, Frame
from streamlab.lab.seeds import Band, banded, groups_of
from streamlab.lab.verdict import FEW, Verdict, best_of, delay_of, verdict_of
from streamlab.learners.base.learner import FORGOTTEN, Learner
from streamlab.measures import MEASURES
from streamlab.streams import Drift, Stream
from streamlab.views.kit.text import numbered, shown
from streamlab.views.page.rows_told import rows_told
from streamlab.views.page.wording import Piece, fitting
from streamlab.views.timeline.event_rows import clause_of, is_of_alternate

ANSWERS = frozenset({"accuracy", "subset_accuracy", "micro_f1", "example_f1", "hierarchical_f1"})
"""Measures of which a row's worth of 1 is a right answer: rows times measure are answers."""
CHANGED = "The stream changed."

LISTS = (" and ", ", ")
"""Between the names of a list."""


class Told(NamedTuple):
    """What the sentence says: its parts, each with the place of the learner that it names, and the drift's mark."""

    parts: list[Piece]
    mark: str | None = None

    @property
    def text(self) -> str:
        """The sentence alone."""
        return "".join(text for text, _ in self.parts)


class Sentence:
    """Takes in the frames of a run and tells what happens, in at most twenty words and without figures.

    Verdicts are those of ``lab.verdict`` on one measure per chunk, whatever its curve is averaged over; learners of
    several seeds are judged by their mean, and called by their group.
    """

    def __init__(self, stream: Stream, learners: Mapping[str, Learner], measure: str, over: str = "chunk") -> None:
        self._ahead = len(stream.drifts)
        # that a stream has ended is seen; that a loop of one's own has is not
        self._ending = "" if stream.ending == Stream.ending else f"{stream.ending[:1].upper()}{stream.ending[1:]}."
        self._groups = groups_of(learners)
        self._learners = {group: learners[members[0]] for group, members in self._groups.items()}
        self._kinds = {name: each.events for name, each in learners.items()}
        self._drifts: list[Event] = []
        self._alarms: dict[str, dict[str, list[tuple[int, int | None]]]] = {}
        self._did: dict[str, list[tuple[int, str, bool]]] = {}
        self._marked_at = 0
        self._began = dict.fromkeys(self._groups, 0)
        self._judged: tuple[tuple[int, int], dict[str, Verdict]] | None = None
        self.choose(measure, over)

    @property
    def learners(self) -> Mapping[str, Learner]:
        """A learner of each group, by the group's name, in the order of the run."""
        return self._learners

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the learners by group."""
        return self._groups

    @property
    def measure(self) -> str:
        """What is told of."""
        return self._measure

    def choose(self, measure: str, over: str = "chunk") -> None:
        """Tell another measure; the next frame is expected to hold all points of its curves."""
        self._measure, self._over = measure, over
        self._higher = MEASURES[measure].higher_is_better
        self._positions = np.zeros(0, np.int64)
        self._bands: dict[str, np.ndarray] = {name: np.zeros((3, 0)) for name in self._learners}
        self._blocks: dict[str, np.ndarray] = {name: np.zeros(0) for name in self._learners}
        self._end_whole: dict[str, np.ndarray] = {}
        self._blocks_whole: dict[str, np.ndarray] = {}
        self._judged = None

    # ------------------------------------------------------------------ what is taken in

    def take(self, frame: Frame) -> None:
        """Take in the points and events of a frame."""
        self._judged = None
        self._take_points(frame.curves)
        self._began = {
            group: max(frame.learners[name]["began"] for name in members if name in frame.learners)
            for group, members in self._groups.items()
            if set(members) & set(frame.learners)
        }
        if frame.fresh:
            self._drifts, self._alarms, self._did, self._marked_at = [], {}, {}, 0
        for event in frame.events:
            self._take_event(event)

    def _take_event(self, event: Event) -> None:
        if not event.learner:
            if event.kind == "drift":
                self._drifts.append(event)
            if event.kind in ("drift", "marked"):
                self._marked_at = event.position
            return
        kinds = self._kinds.get(event.learner, {})
        if (source := source_of_alarm(event, kinds)) is not None and event.detail.get("rising") is not False:
            of = self._alarms.setdefault(event.learner, {}).setdefault(source, [])
            of.append((event.position, evidence_of(event)))
        kind = kinds.get(event.kind)
        if kind is not None and kind.did and not is_of_alternate(event) and event.detail.get("rising") is not False:
            self._did.setdefault(event.learner, []).append((event.position, kind.did, kind.is_detection))

    def _take_points(self, new: CurveUpdate) -> None:
        names = [name for members in self._groups.values() for name in members]
        if not {(self._measure, name) for name in names} <= set(new.values):
            return
        keep = not new.reset
        self._positions = np.concatenate([self._positions[: len(self._positions) * keep], new.positions])
        for group, band in banded({name: new.values[self._measure, name] for name in names}).items():
            old = self._bands[group]
            self._bands[group] = np.hstack([old[:, : old.shape[1] * keep], np.vstack(band)])
        for group, band in banded({name: new.blocks[name] for name in names}).items():
            old = self._blocks[group]
            self._blocks[group] = np.concatenate([old[: len(old) * keep], band.middle])
        whole = {name: np.array([new.end_whole.get((self._measure, name), np.nan)]) for name in names}
        self._end_whole = {group: np.vstack(band) for group, band in banded(whole).items()} if new.end_whole else {}
        whole = {name: np.array([new.blocks_whole.get(name, np.nan)]) for name in names}
        self._blocks_whole = {g: band.middle for g, band in banded(whole).items()} if new.blocks_whole else {}

    # ------------------------------------------------------------------ what follows from it

    def _points(self, position: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the rows and the bands of the points up to a row, one of few rows joined with the point before it."""
        n = int(np.searchsorted(self._positions, position, "right"))
        if self._end_whole and n == len(self._positions):
            ends = self._end_whole
            joined = {name: np.hstack([band[:, : n - 2], ends[name]]) for name, band in self._bands.items()}
            return np.delete(self._positions, n - 2), joined
        return self._positions[:n], {name: band[:, :n] for name, band in self._bands.items()}

    def _chunks(self, position: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the rows and the means per chunk of the points up to a row, as ``History.concluded`` has them."""
        n = int(np.searchsorted(self._positions, position, "right"))
        if not (self._blocks_whole and n == len(self._positions)):
            return self._positions[:n], {name: values[:n] for name, values in self._blocks.items()}
        ends = self._blocks_whole
        joined = {name: np.append(values[: n - 2], ends[name]) for name, values in self._blocks.items()}
        return np.delete(self._positions[:n], n - 2), joined

    def latest(self, position: int) -> dict[str, Band]:
        """Return the last point of each curve up to a row, by learner; NaN where there is none.

        The curve's end, the head and the table all show this one figure. Of several seeds it is their mean, with the
        least and the greatest.
        """
        found = {}
        for name, band in self._points(position)[1].items():
            known = np.flatnonzero(~np.isnan(band[0]))
            found[name] = Band(*(band[:, known[-1]] if len(known) else np.full(3, np.nan)))
        return found

    def now(self, position: int) -> dict[str, float]:
        """Return the last point per chunk of each learner up to a row, whatever curves are averaged over; else NaN."""
        known = {name: values[~np.isnan(values)] for name, values in self._chunks(position)[1].items()}
        return {name: float(values[-1]) if len(values) else np.nan for name, values in known.items()}

    def window(self, position: int, over: str = "") -> str:
        """Return in words which rows the figures of ``latest`` are of: ``"rows 801 to 900"``; or over others."""
        over, points = over or self._over, self._points(position)[0].tolist()
        if not points:
            return "no rows yet"
        first, last = [0, *points][-2:]
        if over == "cumulative":
            return f"all {last:,} rows"
        return f"recent rows, at row {last:,}" if over == "faded" else f"rows {first + 1:,} to {last:,}"

    def drifts(self, position: int) -> list[Event]:
        """Return the drifts that had begun before a row, in order."""
        return [drift for drift in self._drifts if drift.position < position]

    def mark(self, position: int) -> str | None:
        """Return the mark of the latest drift before a row, of several at one row theirs; None: there was none."""
        drifts = self.drifts(position)
        return "".join(numbered(n) for n, e in enumerate(drifts, 1) if e.position == drifts[-1].position) or None

    def verdicts(self, position: int) -> dict[str, Verdict]:
        """Return what the latest drift before a row did up to there, by learner; not to those who came since."""
        drifts = self.drifts(position)
        key = (position, len(self._positions))
        if self._judged is None or self._judged[0] != key:
            self._judged = key, self._judge(drifts[-1].position, position) if drifts else {}
        return self._judged[1]

    def _judge(self, row: int, position: int) -> dict[str, Verdict]:
        positions, curves = self._chunks(position)
        before = max((drift.position for drift in self._drifts if drift.position < row), default=None)
        return {
            name: verdict_of(positions, values, row, since=before, higher_is_better=self._higher)
            for name, values in curves.items()
            # of a fork made since, what its curve shows before is another's
            if self._began.get(name, 0) <= row
        }

    def best(self, position: int) -> list[str]:
        """Return who answers best lately, as ``lab.verdict.best_of``: since the latest drift, and since all learn."""
        drifts = self.drifts(position)
        positions, curves = self._chunks(position)
        began = max(self._began.values(), default=0)
        row = max(began, drifts[-1].position if drifts else 0)
        # in its first chunk a learner knows nothing yet: that says nothing of who answers better
        here = np.flatnonzero(positions > row)[int(row == began) :]
        return best_of({name: values[here] for name, values in curves.items()}, self._higher)

    def levels(self, position: int) -> dict[str, tuple[int, float]]:
        """Return the row of the latest drift up to a row, and each learner's level before it, where that is known.

        It is a level of the curve per chunk; over one that is averaged otherwise there is none.
        """
        if self._over != "chunk":
            return {}
        found = self.verdicts(position)
        return {name: (each.row, each.before) for name, each in found.items() if np.isfinite(each.before)}

    def losses(self, position: int) -> list[list]:
        """Return what the latest drift cost whom: ``[row, place, level, text]`` of each learner that fell.

        The area is that between the level and the curve from the row on, while the curve is below. The text counts it
        in answers, rows times measure; it is empty where the measure does not count answers.
        """
        if self._over != "chunk":
            return []
        return [
            [each.row, place, each.before, f"lost {each.lost:,.0f} answers" if self._measure in ANSWERS else ""]
            for place, each in ((self._place(name), each) for name, each in self.verdicts(position).items())
            if each.fell
        ]

    def delays(self, position: int) -> dict[str, dict[str, float]]:
        """Return by learner and source the rows from the latest drift to its first alarm, where there was one."""
        drifts = [Drift(e.position, int(e.detail.get("width", 1)), "drift") for e in self.drifts(position)]
        found: dict[str, dict[str, float]] = {}
        for group, members in self._groups.items():
            for source, alarms in self._alarms.get(members[0], {}).items():
                delay = delay_of(drifts, [each for each in alarms if each[0] <= position], position)
                if np.isfinite(delay):
                    found.setdefault(group, {})[source] = delay
        return found

    def old(self, frame: Frame) -> dict[str, float]:
        """Return by learner which share of what it answers by is from before the latest drift, where that is known."""
        drifts = self.drifts(frame.position)
        if not drifts or self._marked_at != drifts[-1].position:
            return {}
        held = {group: frame.learners.get(members[0], {}).get("old") for group, members in self._groups.items()}
        began = {group for group in self._groups if self._began.get(group, 0) <= drifts[-1].position}
        return {group: share for group, share in held.items() if share is not None and group in began}

    def _place(self, name: str) -> int:
        return list(self._groups).index(name)

    # ------------------------------------------------------------------ what is told

    def tell(self, frame: Frame) -> Told:
        """Return the sentence on this frame, which was taken in."""
        if self._ending and frame.state == "finished" and frame.live:
            return Told([(self._ending, None)])
        if frame.position == 0:
            return Told([(self._beginning(), None)])
        if not frame.live:
            return Told([("You look back. Play goes on from here.", None)])
        if self.drifts(frame.position):
            return Told(self._since(frame), self.mark(frame.position))
        return Told(self._ranking(frame))

    def _beginning(self) -> str:
        if not self._ahead:
            return "Each learner answers a row before it learns from it. Watch who answers better."
        return f"{'A change is' if self._ahead == 1 else 'Changes are'} to come: watch who falls, and who comes back."

    def _ranking(self, frame: Frame) -> list[Piece]:
        best = self.best(frame.position)
        others = [name for name in self._groups if name not in best]
        if not best:
            return [("Each learner answers a row before it learns from it.", None)]
        if len(best) > 1:
            than = [", and better than ", *self._listed(others)] if others else []
            who = [*self._listed(best), " answer equally well"]
            return fitting([*who, *than, "."], [*who, "."], ["Several learners answer equally well."])
        than = [" better than ", *self._listed(others)] if len(others) == 1 else [" best"]
        did, who, bare = self._cause(best[0], others, frame), self._listed(best), ["One learner answers best."]
        return fitting(*self._waits(best, frame), [*who, *did, " answers", *than, "."], [*who, " answers best."], bare)

    def _since(self, frame: Frame) -> list[Piece]:
        found = self.verdicts(frame.position)
        fell = [name for name, each in found.items() if each.fell]
        what = [self._what(frame.position)]
        matters = self._matters(frame, sorted(found, key=lambda name: not found[name].back))
        best = self.best(frame.position)
        better = "better" if len(self._groups) == 2 else "best"
        ahead = ["; ", *self._listed(best), f" answers {better}"] if len(best) == 1 else []
        caused = self._waits(best, frame, *what, " ") if set(fell) <= set(best) else []
        if not fell:
            held = [" No learner fell"] if found and all(each.held for each in found.values()) else []
            if ahead and not held:
                ahead[0] = " "
            if matters:
                return fitting([*what, " ", *matters, "."], [*matters, "."])
            last, held = ["."] if held or ahead else [], [*held, "."] if held else []
            return fitting(*caused, [*what, *held[:1], *ahead, *last], [*what, *held], [CHANGED, *held])
        back = [name for name in fell if found[name].back]
        near = [name for name in fell if found[name].returning]
        down = [name for name in fell if name not in back and name not in near]
        spared = [n for n, each in found.items() if each.held and not self._learners[n].is_baseline]
        up = back or near
        did = self._cause(up[0], [name for name in fell if name not in up], frame) if len(up) == 1 < len(fell) else []
        are, fall, old = (" is", " are"), " fell", self.old(frame)
        keep = did == [" forgot and"] and all(old.get(name, 0) > FORGOTTEN for name in down)
        kept = [" kept old evidence and"] if keep else []
        lacks = {self._lacks(name, up[0], did[0]) for name in down} if did else set()
        lack = lacks.pop() if len(lacks) == 1 else ""
        # of those that answer equally well the order is chance
        first = self._first(fell, found, frame) if len(back) > 1 and not down and len(best) < 2 else []
        # without names in what is said before it, a sentence about both of two need not name them
        is_both = len(fell) == len(self._groups) == 2 and not matters
        who = ["Both"] if is_both and fell in (back, down) else self._listed(back or down)
        clauses = [first or [*who, *did, are[len(back) > 1], " back"]] if back else []
        if near and not first:
            clauses.append([*self._listed(near), *(() if back else did), are[len(near) > 1], " coming back"])
        if down and up:
            clauses.append([*self._listed(down), *([f" {lack}"] if lack else [*kept, are[len(down) > 1], " not"])])
        elif down:
            # soon after a change it is no news that nobody is back
            rest = [" and", are[len(down) > 1], " not back"] if found[down[0]].recovery.points > FEW else []
            if rest and all(old.get(name, 0) > 0.5 and self._renewed(name, frame) is not None for name in down):
                fall = f" still answer{'s' * (len(down) == 1)} mostly by old rows"
            clauses.append([*(self._listed(down) if near else who), fall, *rest])
        clause = [part for n, each in enumerate(clauses) for part in (["; "] * bool(n) + each)]
        dipped = [n for n, each in found.items() if each.dipped and not self._learners[n].is_baseline]
        stayed = [part for names, did_so in ((dipped, " fell only briefly"), (spared, " held")) if names
                  for part in ("; ", *self._listed(names), did_so)]  # fmt: skip
        is_hurt = down and frame.hurt and not up and rest
        hurt = [f"; “{shown(frame.hurt)}” suffers most"] if is_hurt else []
        ahead = [] if up == best and len(up) < len(fell) else ahead  # it follows
        counts = f"Some learners are back{'; others are not' * (back != fell)}." if back else "Learners fell."
        bare = [" fell" if each == fall else each for each in clause if each not in (*did, *kept)]
        # what one did says more than the others' names
        alone = [[*clauses[0], "; the others are not."]] if did and len(self._groups) == len(fell) > 2 else []
        rows = rows_told(found, {name: self._renewed(name, frame) for name in self._groups}, self._name)
        # what it answers by is the one cause, where it is known
        n = len(matters) - 1
        goes_on = [", and", *bare[n:]] if bare[:n] == matters[:-1] and bare[n] not in LISTS else ["; ", *bare]
        if matters:
            caused = [[*what, " ", *matters, *goes_on, "."], [*matters, *goes_on, "."], [*what, " ", *matters, "."]]
        elif rows:
            caused = [[*what, " ", *rows, *more, "."] for more in (ahead, [])]
        well = best if ahead else dipped
        if len(well) == 1 and well[0] not in fell and (own := self._cause(well[0], fell, frame)):
            dip: list[Piece | str] = [*(str(each).removesuffix(" and") for each in own), ", fell only briefly and"]
            rest = ["; ", *(self._listed(fell) if len(fell) == 1 else ["the others"]), " fell"]
            all_fell = not up and len(fell) == len(self._groups) - 1
            for why in [dip] * (well[0] in dipped and bool(ahead)) + [own]:
                coped = [*what, " ", *self._listed(well), *why, f" answers {better}" if ahead else " fell only briefly"]
                caused += [[*coped, *each, "."] for each in ([rest] * all_fell + [[]] * bool(ahead))]
        return fitting(
            *caused,
            *(
                [*what, " ", *clause, *more, "."]
                for more in ((*hurt, *stayed, *ahead), (*hurt, *stayed), (*stayed, *ahead), stayed, ())
            ),
            [*what, " ", *(each for each in clause if each not in kept), "."],
            *([*told, " ", *each] for told in (what, [CHANGED]) for each in alone),
            [*what, " ", *bare, "."],
            [CHANGED, " ", *bare, "."],
            [CHANGED, " ", counts],
        )

    def _first(self, fell: Sequence[str], found: Mapping[str, Verdict], frame: Frame) -> list[Piece | str]:
        """Tell who of several came back before the others, which are back or on the way, and what it did, if any."""
        first, *then = sorted(fell, key=lambda name: found[name].back_at or np.inf)
        did = self._cause(first, then, frame)
        # those that did not fall are not meant
        are_all = did and len(fell) == len(self._groups) > 2
        if found[first].back_at == found[then[0]].back_at or not (are_all or found[then[-1]].back):
            return []
        if not found[then[-1]].back:
            return [self._name(first), *did, " came back first; the others follow"]
        others = ["the others"] if are_all else self._listed(name for name in fell if name in then)
        return [self._name(first), *did, " came back before ", *others]

    def _cause(self, name: str, others: Iterable[str], frame: Frame) -> list[Piece | str]:
        """Return what a learner reports that these others do not, as it stands in a sentence: what separates them.

        What all of them report separates them where it does so twice as often as any other, and three times at least.
        """
        mine, *elsewhere = (self._reported(each, frame) for each in (name, *others))
        own = [each for each in mine if not any(each in other for other in elsewhere)]
        most = {each: max((other.count(each) for other in elsewhere), default=0) for each in mine}
        often = [each for each in mine if mine.count(each) >= max(3, 2 * most[each])]
        did = own[:1] or [f"{each} more often" for each in often[:1]]
        return [f" {did[0]} and"] if did else []

    def _lacks(self, name: str, other: str, did: Piece | str) -> str:
        """Return what a learner does that is drawn as another one and cannot do what that one did, or nothing."""
        mine, theirs = (self._kinds[self._groups[each][0]] for each in (name, other))
        kinds = {kind: each.without for kind, each in theirs.items() if each.did and did == f" {each.did} and"}
        pictures = {getattr(self._learners[each], "picture", each) for each in (name, other)}
        return max(kinds.values(), default="") if len(pictures) == 1 and kinds.keys().isdisjoint(mine) else ""

    def _waits(self, best: Sequence[str], frame: Frame, *before: Piece | str) -> list[list[Piece | str]]:
        """Tell, after some words, that of two the better one did more often what the other waits with; or nothing."""
        others = [name for name in self._groups if name not in best]
        if not len(best) == len(others) == 1:
            return []
        one, other = (self._groups[name][0] for name in (*best, *others))
        row = frame.position
        done = Counter((name, did) for name, each in self._did.items() for at, did, _ in each if at <= row)
        for name, mine in self._kinds[one].items():
            theirs = self._kinds[other].get(name, mine)
            if theirs.waits and not mine.waits and done[one, mine.did] > done[other, theirs.did]:
                who, than = self._name(best[0]), self._name(others[0])
                return [[*before, who, f" {mine.did} and answers better; ", than, f" {theirs.waits}."]]
        return []

    def _renewed(self, name: str, frame: Frame) -> int | None:
        """Return ``LearnerRun.renewed`` of a learner since the latest drift; None: it is not known."""
        row = self.drifts(frame.position)[-1].position
        is_of_drift = self._marked_at == row and self._began.get(name, 0) <= row
        return frame.learners.get(self._groups[name][0], {}).get("renewed") if is_of_drift else None

    def _matters(self, frame: Frame, names: Iterable[str]) -> list[Piece | str]:
        """Return by which feature the first of some learners, and who did as it, answers since the latest drift."""
        drifts = self.drifts(frame.position)
        if not drifts or self._marked_at != drifts[-1].position:
            return []
        told = {name: frame.learners.get(self._groups[name][0], {}).get("matters") for name in names}
        changed = {name: (each[0][0], each[1][0]) for name, each in told.items() if each and all(each)}
        if not changed:
            return []
        new, over = next(iter(changed.values()))
        same = [name for name in self._groups if changed.get(name) == (new, over)]
        answers = f" answer{'s' * (len(same) == 1)} by {shown(new)} now, no longer by {shown(over)}"
        return [*self._listed(same), answers]

    def _reported(self, name: str, frame: Frame) -> list[str]:
        """Return what a learner reports that it did since the latest drift, what it says of a change first."""
        drifts, member = self.drifts(frame.position), self._groups[name][0]
        row = drifts[-1].position if drifts else 0
        events = [each for each in self._did.get(member, ()) if row <= each[0] <= frame.position]
        did = [did for _, did, is_detection in sorted(events, key=lambda each: not each[2])]
        held = frame.learners.get(member, {}).get("did", "")
        is_of_drift = drifts and self._marked_at == row and self._began.get(name, 0) <= row
        return [*did, held] if held and is_of_drift else did

    def _what(self, position: int) -> str:
        """Return what the latest drift was, in a sentence; of several at one row the first."""
        drifts = self.drifts(position)
        drift = next(each for each in drifts if each.position == drifts[-1].position)
        clause = clause_of(str(drift.detail.get("about") or ""))
        return f"{clause[:1].upper()}{clause[1:]}." if clause else CHANGED

    def _name(self, name: str) -> Piece:
        return name, self._place(name)

    def _listed(self, names: Iterable[str]) -> list[Piece | str]:
        """Return names as they stand in a sentence: ``a, b and c``."""
        parts: list[Piece | str] = []
        for n, name in enumerate(names := list(names)):
            parts += [*([] if not n else [" and " if n == len(names) - 1 else ", "]), self._name(name)]
        return parts
