"""Questions to the thread that owns a run: what the Drift and the Forks tab show, while the page goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from streamlab.lab import Player, Run, without_drifts
from streamlab.measures import MEASURES
from streamlab.measures.recovery import TOGETHER
from streamlab.views.page.drift_panel import DriftPanel
from streamlab.views.page.fork_panel import Comparison, ForkPanel, Lineage, lineage
from streamlab.views.timeline.side_curves import Difference

TWIN_SECONDS = 1.0
"""What a run without the drifts may take, of a processor's time, on the thread that plays."""


class Asked:
    """One kind of question: the latest one counts.

    Parameters
    ----------
    player
        The player whose thread answers.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._answer: Future | None = None

    def ask(self, question: Callable[[Run], Any]) -> None:
        """Ask; an older question that was not answered yet is dropped."""
        self._answer = self._player.ask(question)

    def take(self) -> Any:
        """Return the answer, once; None while there is none, and where it could not be had."""
        if self._answer is None or not self._answer.done():
            return None
        answer, self._answer = self._answer, None
        return None if answer.cancelled() or answer.exception() is not None else answer.result()


class SideAnswers:
    """Asks the player for what the two tabs show, and gives it to them when it has come.

    Parameters
    ----------
    player
        The run's player.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._detection, self._lineage = Asked(player), Asked(player)
        self._measure = ""
        self._twin_at = (-1, -1, -1)
        self._twin: Run | None = None

    def place(self, drifts: DriftPanel, forks: ForkPanel, difference: Difference | None) -> None:
        """Show answers in these parts from now on; ``difference`` is None where the run has no fork."""
        self._drifts, self._forks, self._difference = drifts, forks, difference

    def ask_detection(self, by: str, measure: str) -> None:
        """Ask for the table of detections of each learner or label (``by``), with what a drift did to a measure.

        And for that of the latest drift alone, with its number; and where the run rests, for what the drifts that were
        put in cost against a run without them.
        """
        self._measure = measure

        def found(run: Run) -> tuple[Any, Any, int, Any, int]:
            is_compared = by == "learner" and self._player.state != "playing"
            twin = self._twin_of(run) if is_compared else None
            begun = [drift.start for drift in run.stream.drifts if drift.start < run.position]
            latest = run.detection(measure=measure, since=begun[-1]) if begun else None
            against = None if twin is None else run.detection(measure=measure, twin=twin)
            width = run.chunk * next(iter(run.learner_runs.values())).history.stride
            judged_at = (begun[-1] // width + TOGETHER) * width if begun else 0
            return run.detection(by, measure=measure), against, len(begun), latest, judged_at - run.position

        self._detection.ask(found)

    def _twin_of(self, run: Run) -> Run | None:
        """Return the run without the drifts that were put in, where it takes little time; on the player's thread."""
        if sum(each.seconds for each in run.learner_runs.values()) > TWIN_SECONDS:
            return None
        now = (run.branch, run.position, run.log.next_number)
        if now != self._twin_at:
            self._twin_at, self._twin = now, None
            with suppress(ValueError):  # a learner of another package may not begin again
                self._twin = without_drifts(run)
        return self._twin

    def ask_lineage(self, measure: str, *, is_open: bool) -> None:
        """Ask who is in the run and how two learners differ, if that is seen: in the open tab, or as a curve."""
        if self._difference is None and not is_open:
            return
        first, second = self._forks.pair

        def found(run: Run) -> tuple[Lineage, Comparison | None]:
            comparison = None
            if first != second and {first, second} <= set(run.learner_runs):
                comparison = Comparison(first, second, measure, run.compare(first, second, measure))
            return lineage(run), comparison

        self._lineage.ask(found)

    def draw(self) -> None:
        """Show the answers that have come; on the document's thread."""
        detected = self._detection.take()
        if detected is not None:
            table, against, number, latest, more = detected
            self._drifts.show(table, self._measure, against)
            self._drifts.show_latest(number, latest, self._measure, more)
        answer = self._lineage.take()
        if answer is not None:
            known, comparison = answer
            self._forks.show(known, comparison)
            if self._difference is not None and comparison is not None:
                title = MEASURES[comparison.measure].title
                self._difference.show(comparison.first, comparison.second, title, comparison.table)
