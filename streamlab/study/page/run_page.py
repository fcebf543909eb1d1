"""A run of a study in the monitor: made again from its learner, stream and seed, at the row that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import panel as pn

from streamlab._checks import with_type
from streamlab.lab import Run
from streamlab.streams.limits import LoadCancelled
from streamlab.study.page.choice import Choice
from streamlab.study.page.reader import COSTS, STATUS_WORDS, Reader, titled, written
from streamlab.views.hosting.limits import LIMITS
from streamlab.views.kit.text import as_html, shown
from streamlab.views.page.header import CopyLink
from streamlab.views.page.pages import LoadedPage, run_window
from streamlab.views.page.tables import drawable_measures
from streamlab.views.page.wait import Wait
from streamlab.views.page.window import WIDE, refused_text

PLAYED, PIECE = 300, 100
"""Rows that have passed where no row is asked for, and rows between two looks at whether anybody waits."""
MOST_SEEDS = 6
LINKS = """
:host{font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:3px} p{margin:0 0 4px} .here{font-weight:650}
a:focus-visible{outline:2px solid currentColor;outline-offset:2px;border-radius:2px}
"""

WAY = ":host{white-space:nowrap} p{margin:0}"


class RunPage(LoadedPage):
    """The page of one run of a study.

    Parameters
    ----------
    reader
        Of the study.
    choice
        What the link asks for; its ``run`` is a key of the study.
    refused
        What it asked for and cannot be had.
    """

    refusal = "This run cannot be made"

    def __init__(self, reader: Reader, choice: Choice, refused: list[str], **params: Any) -> None:
        super().__init__(**params)
        self._reader = reader
        self.choice = replace(choice, measure=choice.measure or reader.measures[0])
        self.cell = reader.look().cell(choice.run)
        words = pn.pane.HTML(self._words(), stylesheets=[LINKS], margin=(14, 20, 0, 20), **WIDE)
        self._lay_out(words, "Loading the stream …")
        self.note.say(refused_text(refused), "warning")
        self.wait = Wait(self._soon, self._browser.is_served, plays=self._play)
        self.copy_link = CopyLink(self._link, dark=self.dark)
        place = pn.Column(self._main, self.wait.screen, stylesheets=[":host{position:relative}"], **WIDE)
        main = pn.Column(self.note, place, **WIDE)
        self.wait.begin(has_run=False)
        self.way = pn.pane.HTML(self._way(), stylesheets=[LINKS, WAY], margin=0, sizing_mode=None)
        name = f"{shown(self.cell['learner'], 40)} on {shown(self.cell['stream'], 40)}"
        title = f"streamlab · {name}"
        self.page = run_window(self, title, [main], self._sections, self.way, shared=[self.copy_link])
        self._begin()

    # ------------------------------------------------------------------ words

    def _way(self) -> str:
        """Return the way back and the other seeds, as HTML."""
        links = [
            f"<span class='here'>{number}</span>" if key == self.choice.run else
            f'<a href="?{_escaped(replace(self.choice, run=key).query())}">{number}</a>'
            for number, key in self._reader.look().others(self.choice.run)[:MOST_SEEDS]
        ]  # fmt: skip
        back = f'<a href="?{_escaped(self.choice.back.query())}">← Table of the study</a>'
        return f"<p>{' · Seeds: '.join([back, *([' '.join(links)] if links else [])])}</p>"

    def _words(self) -> str:
        """Return what this is, as HTML."""
        cell = self.cell
        seed = "" if cell["seed"] is None or cell["seed"] != cell["seed"] else f", seed {int(cell['seed'])}"
        return (
            f"<p><span class='here'>{as_html(cell['learner'])}</span> on {as_html(cell['stream'])}{seed}: "
            f"{as_html(self._result(), 300)}</p>"
        )

    def _result(self) -> str:
        """Return what the study found of this run, in a sentence."""
        cell, measure = self.cell, self.choice.measure
        if cell["status"] == "done":
            found = f"the study’s result is {titled(measure)} {written(measure, cell[measure])} over all its rows."
            return f"{found} Here the same run is made again; play it, or drag the timeline to any row."
        ended = STATUS_WORDS[cell["status"]]
        why = f": {cell['message']}" if cell["message"] else ""
        rows = "" if cell["rows"] != cell["rows"] else f" after {int(cell['rows']):,} rows"
        return f"in the study it is {ended}{rows}{why}. Here the same run is made again; play it, or drag the timeline."

    # ------------------------------------------------------------------ the run

    def _made(self) -> Callable[[], None]:
        """Make the run and let the rows pass."""
        run = self._reader.run_of(self.choice.run, alarms="label", snapshots=LIMITS.snapshot_bytes)
        learners = {name: each.learner for name, each in run.learner_runs.items()}
        nested = run.stream.schema.hierarchy is not None
        self.wait.ready(learners, nested, lambda: not self._closed.is_set())
        self._soon(self.wait.stop)
        problem = self._pass(run)
        return lambda: self._draw(run, problem)

    def _pass(self, run: Run) -> str:
        """Let rows pass up to the one asked for; returns what the learner failed with, or ""."""
        goal = PLAYED if self.choice.at is None else self.choice.at
        while run.position < goal:
            if self._closed.is_set():
                raise LoadCancelled("the page was left")
            at = run.position
            self._soon(lambda at=at: self._wait_at(at, goal))  # type: ignore[misc]
            try:
                if not run.advance(min(PIECE, goal - run.position)):
                    break
            except Exception as error:  # what a study notes of a cell, a page shows of it
                return f"{self.cell['learner']} failed after {run.position:,} rows: {with_type(error)}"
        return ""

    def _wait_at(self, at: int, goal: int) -> None:
        self._waits.object = f"Going to row {goal:,}: {100 * at // goal} % …"
        self._bar.param.update(variant="determinate", value=100 * at // goal)

    def _draw(self, run: Run, problem: str) -> None:
        measure, over = self.choice.measure, self.choice.over
        drawable = drawable_measures(run)
        measures = (measure,) if measure in drawable and measure not in COSTS else None
        view = self._show(run, measures=measures, over="cumulative" if over == "cumulative" else "faded")
        view.transport.query = self.query
        if self.wait.play:
            view.player.play()
        self.wait.over()
        if problem:
            self.note.say(problem, "error")

    def _play(self, on: bool) -> None:
        if self.view is not None:
            _ = self.view.player.play() if on else self.view.player.pause()

    @property
    def query(self) -> str:
        """What the page's address says; the row is not in it, it moves."""
        return replace(self.choice, at=None).query()

    def _link(self) -> str:
        """Return the query of a link to the row where the run stands."""
        if self.view is None or not self.view.run.is_as_made:
            raise ValueError("A link opens the study’s own run, not what was changed in it. “Save run” keeps it whole.")
        return replace(self.choice, at=self.view.run.position).query()


def _escaped(query: str) -> str:
    """Return a query, which has no quotes in it, as an attribute's value."""
    return query.replace("&", "&amp;")
