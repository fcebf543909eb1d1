"""The fork panel: let a copy of a learner go on with another parameter, and go from branch to branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import panel as pn
import panel_material_ui as pmui

from streamlab._checks import counted
from streamlab.lab import Player, Run
from streamlab.lab.ownership import Awaited
from streamlab.learners import Learner, Tunable
from streamlab.views.kit.text import all_shown
from streamlab.views.page.learner_settings import control, meant
from streamlab.views.page.served import guard
from streamlab.views.page.window import Explanation, Heading, Notice, Part, fields

SAME = "nothing: an exact copy"
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (4, 8)}
MOST_BRANCHES = 12
ABOUT = (
    "A fork is a copy of a learner that goes on beside it, over the same rows, with one parameter changed. To fork at "
    "an earlier row, click on the curves there: it is then as it is chosen here."
)


class Lineage(NamedTuple):
    """Who was removed from a run and can be put back, and which ways it went.

    Of a way: its number, its parent, where it left that, where it ended, and whether it is the present one.
    """

    removed: tuple[str, ...]
    branches: tuple[tuple[int, int, int, int, bool], ...]


def lineage(run: Run) -> Lineage:
    """Return who was removed from a run, and its ways; called on the thread that owns it."""
    branches = run.branches[["branch", "parent", "left_at", "end", "current"]].itertuples(index=False, name=None)
    return Lineage(run.removed, tuple(branches))


class ForkPanel(Part):
    """Controls that fork learners and put removed ones back, and the branches of the run.

    ``do`` carries a function of the run out on the thread that owns it, and raises what that raises.
    """

    def __init__(
        self,
        learners: dict[str, Learner],
        do: Callable[[Callable[[Run], Any]], Any],
    ) -> None:
        super().__init__()
        self._learners, self._do = learners, do
        self._answer = Awaited()
        names = dict(zip(all_shown(learners), learners, strict=True))
        self.origin = pmui.Select(label="Fork", options=names, value=next(iter(learners)), **WIDE)
        self.parameter = pmui.Select(label="Change", options=[SAME], value=SAME, **WIDE)
        self._widget: Any = None
        self._value = pn.Column(sizing_mode="stretch_width")
        self.fork_name = pmui.TextInput(label="Its name", **WIDE)
        self.button = pmui.Button(
            label="Fork here", color="primary", variant="contained", margin=(10, 8), height=40, sizing_mode="fixed"
        )
        self.note = Notice(severity="info", visible=False, margin=(6, 8))
        self.returner = pmui.Select(label="Learner that was removed", options=[], **WIDE)
        self.put_back = pmui.Button(label="Put it back", variant="outlined", margin=(10, 8), height=40)
        self._returning = pn.Column(self.returner, self.put_back, visible=False, **WIDE)
        self._branches = pn.Column(sizing_mode="stretch_width")
        self._drawn: Lineage | None = None
        self.origin.param.watch(lambda _: self._offer(), "value")
        self.parameter.param.watch(lambda _: self._fit(), "value")
        self.button.on_click(self._fork)
        self.put_back.on_click(self._take_back)
        self._offer()
        self._layout = pn.Column(
            Explanation(ABOUT, variant="body2", margin=(4, 8)),
            pn.Column(self.origin, self.parameter, self._value, self.fork_name, stylesheets=[fields(200)], **WIDE),
            self.button,
            self.note,
            self._returning,
            self._branches,
            sizing_mode="stretch_width",
            margin=(12, 0),
        )

    # ------------------------------------------------------------------ forking

    def _offer(self) -> None:
        learner = self._learners[self.origin.value]
        offered = {(t.title or t.name.replace("_", " ").capitalize()): t.name for t in learner.tunables}
        self.parameter.param.update(options={**offered, SAME: SAME}, value=next(iter(offered.values()), SAME))
        self._fit()

    def _fit(self) -> None:
        """Show the control of the parameter chosen, and propose a name."""
        learner = self._learners[self.origin.value]
        tunable = next((t for t in learner.tunables if t.name == self.parameter.value), None)
        self._widget = None if tunable is None else control(tunable, _other(tunable, getattr(learner, tunable.name)))
        if self._widget is not None:
            guard(self._widget, self.note.say)
            self._widget.param.watch(lambda _: self._propose(), "value")
        self._value[:] = [] if self._widget is None else [self._widget]
        self._propose()

    def _propose(self) -> None:
        """Propose a name that says what is other."""
        base = f"{self.origin.value}, a copy"
        if self._widget is not None:
            title = {name: words for words, name in self.parameter.options.items()}[self.parameter.value].lower()
            value = meant(self._widget, self._widget.value)
            text = f"{value:,.4g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
            base = f"{self.origin.value}, {title} {text}"
        name, number = base, 1
        while name in self._learners:
            number += 1
            name = f"{base} ({number})"
        self.fork_name.value = name

    def _forking(self) -> Callable[[Run], Any]:
        """Return what forks as it is chosen now."""
        origin, name = self.origin.value, str(self.fork_name.value or "").strip()
        parameters: dict[str, Any] = {}
        if self._widget is not None:
            parameters[self.parameter.value] = meant(self._widget, self._widget.value)
        return lambda run: run.fork(origin, name, **parameters)

    def _fork(self, _: Any) -> None:
        self._act(self._forking())

    def refuse(self, why: str) -> None:
        """Offer no fork, and say why."""
        self.button.param.update(disabled=True, label=why)
        for each in (self.origin, self.parameter, self._value, self.fork_name):
            each.visible = False

    def fork_at(self, row: int) -> None:
        """Fork at a row that the run has passed, as it is chosen now; raises as ``Run.seek`` and ``Run.fork``."""
        fork = self._forking()

        def act(run: Run) -> None:
            if run.position != row:
                run.seek(row)
            fork(run)

        self._do(act)

    def _take_back(self, _: Any) -> None:
        name = self.returner.value
        self._act(lambda run: run.put_back(name))

    def _go_to(self, number: int, _: Any) -> None:
        self._act(lambda run: run.switch_branch(number))

    def _act(self, action: Callable[[Run], Any]) -> None:
        with self.note.tells():
            self._do(action)

    # ------------------------------------------------------------------ what is so

    def ask(self, player: Player) -> None:
        """Ask a run who was removed, and its ways; ``draw`` shows the answer when it has come."""
        self._answer.ask(player.ask(lineage))

    def draw(self) -> None:
        """Show the answer if it has come; on the document's thread."""
        if (found := self._answer.take()) is not None:
            self.show(found)

    def show(self, found: Lineage) -> None:
        """Draw who was removed, and the run's branches."""
        if found != self._drawn:
            self._drawn = found
            self._returning.visible = bool(found.removed)
            gone = dict(zip(all_shown(found.removed), found.removed, strict=True))
            self.returner.param.update(options=gone, value=found.removed[0] if found.removed else None)
            self._branches[:] = self._branch_rows(found.branches)

    def _branch_rows(self, branches: Sequence[tuple[int, int, int, int, bool]]) -> list[Any]:
        if len(branches) < 2:
            return []
        rows: list[Any] = [Heading("Ways that the run went", variant="subtitle2", margin=(14, 8, 0, 8))]
        for number, parent, left_at, end, current in branches[-MOST_BRANCHES:]:
            left = "the first way" if parent < 0 else f"left way {parent + 1} after {counted(left_at, 'row')}"
            text = f"Way {number + 1}: {left}; it came to {counted(end, 'row')}" + (
                " (the present one)" if current else ""
            )
            go = pmui.Button(label=f"Go to way {number + 1}", variant="outlined", margin=(2, 8), height=40)
            go.on_click(partial(self._go_to, number))
            guard(go, self.note.say)
            line = Explanation(text, variant="body2", margin=(2, 8))
            rows += [line] if current else [line, go]
        return rows


def _other(tunable: Tunable, value: Any) -> Any:
    """Return a value to try in place of the present one: half of a number, where that is allowed."""
    if tunable.choices:
        return next((choice for choice in tunable.choices if choice != value), value)
    if value is None or isinstance(value, bool) or not np.isfinite(value):
        return value
    half = int(value) // 2 if tunable.integer else value / 2
    return half if half >= tunable.low else value
