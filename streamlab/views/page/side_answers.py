"""Questions to the thread that owns a run: what the Drift and the Forks tab show, while the page goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from streamlab.lab import Player, Run
from streamlab.measures import MEASURES
from streamlab.views.page.drift_panel import DriftPanel
from streamlab.views.page.fork_panel import Comparison, ForkPanel, Lineage, lineage
from streamlab.views.timeline.side_curves import Difference


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
        self._detection, self._lineage = Asked(player), Asked(player)
        self._measure = ""

    def place(self, drifts: DriftPanel, forks: ForkPanel, difference: Difference | None) -> None:
        """Show answers in these parts from now on; ``difference`` is None where the run has no fork."""
        self._drifts, self._forks, self._difference = drifts, forks, difference

    def ask_detection(self, by: str, measure: str) -> None:
        """Ask for the table of detections of each learner or label (``by``), with what a drift did to a measure."""
        self._measure = measure
        self._detection.ask(lambda run: run.detection(by, measure=measure))

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
        table = self._detection.take()
        if table is not None:
            self._drifts.show(table, self._measure)
        answer = self._lineage.take()
        if answer is not None:
            known, comparison = answer
            self._forks.show(known, comparison)
            if self._difference is not None and comparison is not None:
                title = MEASURES[comparison.measure].title
                self._difference.show(comparison.first, comparison.second, title, comparison.table)
