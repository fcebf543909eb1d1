"""A run on the screen: transport, curves, table, pictures, and the controls that act while it plays."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import panel as pn
import param

from streamlab.lab import Player, Run
from streamlab.lab.frame import Frame, Reader
from streamlab.lab.ownership import answered
from streamlab.lab.seeds import groups_of
from streamlab.lab.view_options import check_view
from streamlab.measures import MEASURES, main_measure
from streamlab.views.hosting.notebook import CLOSED, Cell, CellLayout, in_kernel, prepare_cell
from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.page.asides import Asides
from streamlab.views.page.drift_panel import Change, DriftPanel, put_in_at
from streamlab.views.page.fork_panel import ForkPanel
from streamlab.views.page.heads import Heads
from streamlab.views.page.learner_settings import LearnerSettings
from streamlab.views.page.link_texts import drifts_of, in_words
from streamlab.views.page.row_seen import row_seen
from streamlab.views.page.row_why import RowWhy
from streamlab.views.page.screen import PLAIN, Screen
from streamlab.views.page.sentence import Sentence
from streamlab.views.page.sentence_bar import SentenceBar
from streamlab.views.page.served import Polling, guard, paint
from streamlab.views.page.stage import Panel, Stage, Tab, is_behind, panels_of
from streamlab.views.page.tables import (
    LatestRowPane,
    RunSettings,
    drawable_measures,
    read_latest,
)
from streamlab.views.page.transport import Transport
from streamlab.views.page.window import LateHTML, Part, settings_section
from streamlab.views.recording import readers_of
from streamlab.views.timeline.timeline import Timeline

FRAMES_PER_SECOND, MOST_MARKS = 12.0, 100
# figures that change faster cannot be read: those of sentence, heads, table and curves change together
FIGURES_SECONDS, DETECTION_SECONDS = 0.4, 1.0
RENDER_SECONDS, WAIT_SECONDS = 5.0, 5.0  # for new parts in the browser; for what is asked of a busy run
_open: weakref.WeakKeyDictionary[Run, weakref.ref[RunView]] = weakref.WeakKeyDictionary()
"""The view that owns each run."""


class RunView(Part):
    """The monitor on one run.

    In a notebook it is a cell's result: ``run.view()``. It ends when that cell is run again, when another view of the
    same run opens, when nothing refers to it any longer, and on ``close``. Each picture that fits a learner has a tab.

    Parameters
    ----------
    run
        The run; the view's player owns it from now on.
    measures
        Measures drawn, one figure each; None: hierarchical F1 where the labels have a hierarchy, else micro F1.
    over
        ``"chunk"``, ``"faded"`` or ``"cumulative"``.
    rate
        Instances a second, or None for flat out.
    page
        Whether it is a page's content, in the system's light or dark and with a place for ``settings``; else the
        settings are in the view, in JupyterLab's light or dark.
    on_restart, add
        Called when people start again, without it there is no such button; and when they want another learner.
    on_change
        Called when what the page's address says has changed: parameters, speed, measures, the tab.
    keeps_drifts
        Whether the run that starts again has the drifts that were put into this one; the drift panel says so.
    compared
        Whether a picture shows all learners that it fits side by side, or names of pictures that do.
    tab
        Title of the tab that is open at first, such as ``"Labels"`` or ``"Drift"``; default: the first.
    changes
        Whether changes of the stream stand first.

    Raises
    ------
    ValueError
        If there is no tab of that title, or for another option that has no sense.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    def __init__(
        self,
        run: Run,
        *,
        measures: Sequence[str] | None = None,
        over: str = "chunk",
        rate: float | None = 250.0,
        page: bool = False,
        on_restart: Callable[[], None] | None = None,
        on_change: Callable[[], None] | None = None,
        keeps_drifts: bool = False,
        tab: str | None = None,
        compared: bool | Sequence[str] = True,
        changes: bool = False,
        add: Callable[[], None] | None = None,
        **params: Any,
    ) -> None:
        named = check_view(run.stream.schema, measures=measures, over=over, rate=rate, tab=tab, compared=compared)
        super().__init__(**params)
        self._run = run
        measures = named or (main_measure(run.stream.schema),)
        self._marks = list[tuple[int, str]]()
        self._on_restart, self._on_change, self._add = on_restart, on_change or (lambda: None), add
        self._rate, self._closed, self._figures_at, self._detection_at = rate, False, 0.0, 0.0
        self._cell: Cell | None = None
        self._rebuilt_at: float | None = None
        self._branch, self._keeps_drifts, self._has_changes = run.branch, keeps_drifts, changes
        older = _open.get(run, lambda: None)()
        if older is not None:
            older.close()
        _open[run] = weakref.ref(self)
        self.player = Player(run, rate=rate, frames_per_second=FRAMES_PER_SECOND, short_steps=True)
        weakref.finalize(self, self.player.close, 0)
        self.transport = Transport(self._command, page=page, restart=on_restart is not None, dark=self.dark)
        self.transport.param.watch(lambda event: self.param.update(dark=event.new), "dark")
        self._look: dict[str, Any] = {"measures": tuple(measures), "over": over, "tab": tab, "compared": compared}
        self.story_bar = SentenceBar()
        self._settings = pn.Column(sizing_mode="stretch_width")
        self.screen = Screen(page=page, changes=changes)
        self.screen.transport[:] = [self.transport]
        self._row_why = RowWhy(self.player)
        self._asides = Asides(self.screen, lambda: self._read_shown(), self._refuse)
        self.why = self._asides.why
        """The one panel that says why."""
        self.show_figures = self._asides.show_figures
        self._build()
        self._layout = CellLayout(
            self.screen, self.why, *([] if page else [settings_section([self._settings])]),
            sizing_mode="stretch_width", margin=0 if page else (16, 20), stylesheets=[PLAIN],
            styles={"container": f"{'page' if page else 'cell'} / inline-size"},
            on_gone=None if page else self.close,
        )  # fmt: skip
        guard(self._layout, self._refuse)
        self._polling = Polling(self._tick, self._layout.lock)
        self.player.record(readers_of)
        self._ask()
        if tab == Tab.LATEST:
            self.open_tab(tab)

    def _build(self, again: bool = False) -> None:
        """Make all but the transport bar: at first, and again when learners come or go."""
        run, look = self._run, self._look
        learners = {name: each.learner for name, each in run.learner_runs.items()}
        self._names, schema = tuple(learners), run.stream.schema
        self._story = Sentence(run.stream, learners, look["measures"][0], look["over"])
        self._marks.clear()
        self.timeline = Timeline(
            {name: each.events for name, each in learners.items()}, look["measures"], look["over"],
            words={name: each.plain_words[1] for name, each in learners.items() if each.is_baseline},
            offered=drawable_measures(run), on_command=self._command,
            noun=schema.noun, dark=self.dark,
        )  # fmt: skip
        self.latest = LatestRowPane(sizing_mode="stretch_width", margin=(14, 0))
        self.drift_panel = DriftPanel(schema, self._put_drift, self._forget_drifts, self._has_changes)
        self.fork_panel = ForkPanel(learners, self._on_run)
        if run.stream.is_fixed:
            self.drift_panel.button.param.update(disabled=True, label="Nothing can be put into these rows")
            # a copy of a model that learns elsewhere learns nothing
            self.fork_panel.refuse("Your loop alone lets its models learn: they cannot be forked here")
        else:
            self.timeline.offer(fork=self.fork_panel.fork_name, drift=self.drift_panel.controls.kind)
        self._options = RunSettings(run, look["measures"])
        self.settings_of = LearnerSettings(
            learners, tune=self._tune, fork=None if run.stream.is_fixed else self._fork_of, remove=self._remove
        )
        self._heads = Heads(self.settings_of, learners, self._options.note, self.open_settings, lambda: self.dark)
        self.panels = panels_of(
            run, compared=look["compared"], changed=self._read, chosen=lambda _: self._switch(),
            dark=lambda: self.dark, visit=self._visit, head=self._heads.of,
        )  # fmt: skip
        self._options.measures.param.watch(self._choose, "value")
        benches = {Tab.DRIFT: self.drift_panel, Tab.FORKS: self.fork_panel}
        titles = {*(panel.picture.title for panel in self.panels), *benches, Tab.LATEST}
        if again and look["tab"] not in titles:
            look["tab"] = None
        self._stage = Stage(self.panels, benches, self.player, self.timeline, opened=look["tab"], switched=self._switch)
        self._asides.follow(self.timeline)
        self.help = LateHTML("", stylesheets=[DETAILS_STYLE], sizing_mode="stretch_width", margin=(0, 18))
        self._settings[:] = [*self._options.widgets, self.help]
        self.screen.story[:] = [self._options.note, self.story_bar]
        self.screen.stage[:] = self._stage.content
        self.screen.changes[:], self.screen.timeline[:] = self.drift_panel.above, [self.timeline]
        for part in (self.screen, *self._stage.areas, self._settings):
            guard(part, self._refuse)

    def open_settings(self, group: str) -> None:
        """Open all that can be set of a learner, beside its name."""
        self._asides.open_settings(self.settings_of.form(group), self.dark)

    def _ask(self) -> None:
        """Say what frames have to hold."""
        self.player.show(measures=self._look["measures"], over=self._look["over"])
        self._read_shown()

    def _rebuild(self) -> None:
        """Learners came or went, or another branch began: what was drawn is of another run, in a way."""
        self._look["tab"] = self.look["tab"]
        self.player.show(readers={key: None for panel in self.panels for key in panel.readers()})
        self.why.close()
        self._build(again=True)
        self._rebuilt_at = time.monotonic()
        # waited for: a frame that was made before would bring points that the new figures lack the beginning of
        with suppress(ValueError):
            answered(self.player.show(redraw=True), WAIT_SECONDS)
        self._ask()
        self._on_change()

    @property
    def run(self) -> Run:
        """The run that it shows."""
        return self._run

    @property
    def look(self) -> dict[str, Any]:
        """What is shown, and how: ``measures``, ``over``, ``tab`` (its title) and ``rate``."""
        return {**{n: self._look[n] for n in ("measures", "over")}, "tab": self._stage.opened, "rate": self._rate}

    @property
    def drifts(self) -> tuple[str, ...]:
        """The drifts that were put in, and that the run is to have when it starts again, as texts of a link."""
        return drifts_of(self._run.stream) if self._keeps_drifts else ()

    def open_tab(self, title: str) -> bool:
        """Open the tab of a title, or the row's panel; returns whether there is one."""
        if title == Tab.LATEST:
            self.why.open([self.latest], self.latest)
            self._read_shown()
            return True
        return self._stage.open(title)

    def project(self, on: bool) -> None:
        """Arrange a page for a class, or as before."""
        self._layout.styles = {"container": f"{'cell' if on else 'page'} / inline-size"}
        self.screen.project(on)

    @property
    def settings(self) -> list[Any]:
        """What is drawn, for a drawer."""
        return [self._settings]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if not in_kernel() or self._closed:
            return {"text/plain": CLOSED if in_kernel() else repr(self)}, {}
        prepare_cell(self)
        bundle, about = super()._repr_mimebundle_(include, exclude)
        self._cell = Cell(self, bundle, about)
        return {**self._cell.bundle, "text/plain": repr(self)}, about

    def __repr__(self) -> str:
        return f"<RunView of {self._run!r}>"

    # ------------------------------------------------------------------ frames

    def _tick(self) -> None:
        if self._rebuilt_at is not None:
            # the browser must know the new parts before it hears of changes in them
            if not self.timeline.rendered and time.monotonic() - self._rebuilt_at < RENDER_SECONDS:
                return
            self._rebuilt_at = None
        self._options.offer_new(self.timeline)
        # drawn whole: no part of a frame while another still draws the one before
        frame = None if is_behind([self.timeline, self._stage.shown]) else self.player.poll()
        if frame is not None and not self._closed:
            if self._names != tuple(frame.learners) or (frame.fresh and frame.branch != self._branch):
                self._branch = frame.branch
                self._rebuild()
                self.transport.show(frame, self._marks)
                return
            self._draw(frame)
        if not self._closed:
            self.drift_panel.draw()
            self.fork_panel.draw()

    def _soon(self) -> None:
        self._polling.soon()

    def _draw(self, frame: Frame) -> None:
        if frame.events:
            # of classes a change is called so, too
            own = f"{self._run.stream.schema.noun} "
            kinds = {e.number: e.message.replace("label ", own) for e in frame.events if e.kind == "drift"}
            self._marks += [(e.position, kinds.get(e.number, e.message)) for e in frame.events if e.is_dated]
            del self._marks[:-MOST_MARKS]
            for panel in self.panels:
                panel.add(frame.events)
        shown = self._stage.shown
        who = [] if shown is None else shown.learners
        # a fork that is drawn may be of another branch
        of = next((name for name in who if name in self._names), self._names[0])
        place = next(i for i, members in enumerate(groups_of(self._names).values()) if of in members)
        self.transport.show(frame, self._marks, row_seen(frame.readings.get(Tab.LATEST), of, place))
        self._story.take(frame)
        self._drawn = frame
        since = (now := time.monotonic()) - self._figures_at
        is_read = since >= FIGURES_SECONDS or frame.state != "playing" or frame.curves.reset
        headed = set(groups_of(who))
        story, at = self._story, frame.position
        self.timeline.show(frame, is_read, story.levels(at), headed=headed, losses=story.losses(at))
        if is_read:
            self._figures_at = now
            self.story_bar.show(self._story, frame)
            of = f"{MEASURES[self._look['measures'][0]].title} of {self._story.window(frame.position)}"
            self._heads.show(frame, self._story.latest(frame.position), of)
            self._asides.draw(frame, self._story)
            if self.settings_of.follow(frame):
                self._on_change()
        if shown is not None:
            shown.show(frame)
        if Tab.LATEST in frame.readings and self.why.about is self.latest:
            self.latest.show(frame.readings[Tab.LATEST], self._row_why.of(frame, [*who, self._names[0]][0]))
        if frame.events or frame.state != "playing" or now - self._detection_at > DETECTION_SECONDS:
            self._detection_at = now
            self._on_change()
            self._ask_tables()
            self.drift_panel.list_drifts([in_words(each) for each in self.drifts])

    def _ask_tables(self) -> None:
        if self._stage.shows(Tab.FORKS):
            self.fork_panel.ask(self.player)
        if self._has_changes or self._stage.shows(Tab.DRIFT):
            self.drift_panel.ask(self.player, self._look["measures"][0])

    # ------------------------------------------------------------------ what the user does

    def _command(self, name: str, value: Any) -> None:
        looks: dict[str, Callable[[], object] | None] = {
            "drag": lambda: self._look_back(value), "row": lambda: self.open_tab(Tab.LATEST),
            "name": lambda: self.open_settings(self.timeline.lines[value].group), "add": self._add,
            "restart": self._on_restart,
        }  # fmt: skip
        if name in looks:
            if (act := looks[name]) is not None:
                act()
            return
        if name == "ready":
            self._polling.start()
        elif name == "play":
            if self.player.state == "finished":
                self.player.seek(0)
            self.player.play()
        elif name == "pause":
            self.player.pause()
        elif name == "step":
            self.player.step(value)
        elif name == "rate":
            self._rate = value
            self.player.set_rate(value)
            self._on_change()
        elif name == "curves":
            self._choose_curves(*value)
        elif name in ("seek", "live"):
            self.player.seek(min(value, self._run.end) if name == "seek" else self._run.end)
        elif name in ("fork", "drift"):
            with self._options.note.tells("warning"):
                (self.fork_panel.fork_at if name == "fork" else self.drift_panel.put_at)(value)
        self._soon()

    def _visit(self, row: int) -> None:
        self.open_tab(Tab.LATEST)
        self._command("seek", row)

    def _look_back(self, position: int) -> None:
        """The playhead is being moved: draw what was drawn there; the run itself comes when it rests."""
        if self.player.state == "playing":
            self.player.pause()
        if (entry := self._run.views.at(position)) is not None and self._stage.shown is not None:
            self._stage.shown.look_back(entry.readings, entry.position)
            self.story_bar.look_back(position, entry.position)

    def _on_run(self, action: Callable[[Run], Any]) -> Any:
        result = answered(self.player.do(lambda: action(self._run)), WAIT_SECONDS)
        self._soon()
        return result

    def _refuse(self, line: str) -> None:
        self._options.note.say(line, "warning")

    def _tune(self, learner: str, parameter: str, value: Any) -> None:
        with self._options.note.tells("warning"):
            answered(self.player.tune(learner, **{parameter: value}), WAIT_SECONDS)
        self._soon()

    def _fork_of(self, learner: str) -> None:
        self.fork_panel.origin.value = learner
        self._stage.open(Tab.FORKS)

    def _remove(self, learner: str) -> None:
        with self._options.note.tells("warning"):
            self._on_run(lambda run: run.remove(learner))

    def _put_drift(self, change: Change, row: int | None = None) -> str:
        event = self._on_run(lambda run: run.put_drift(change) if row is None else put_in_at(run, change, row))
        self._on_change()
        return f"{event.message[0].upper()}{event.message[1:]}."

    def _forget_drifts(self) -> None:
        self._keeps_drifts = False
        self._command("restart", None)

    def _choose(self, _: Any) -> None:
        measures, over = list(self._options.measures.value or ()), self._look["over"]
        if not measures:
            return
        self._look["measures"] = tuple(measures)
        self.timeline.choose(measures, over)
        self._story.choose(measures[0], over)
        self._on_change()
        self.player.show(measures=measures, over=over)
        self._soon()

    def _choose_curves(self, measure: str, over: str) -> None:
        """Draw this measure large, instead of the one that was."""
        others = [name for name in list(self._options.measures.value or ())[1:] if name != measure]
        if measure in self._options.measures.options.values():
            self.draw_curves([measure, *others], over)

    def draw_curves(self, measures: Sequence[str], over: str | None = None) -> None:
        """Draw these measures, averaged ``over`` ``"chunk"``, ``"faded"`` or ``"cumulative"``; None: as before."""
        self._look["over"] = over or self._look["over"]
        if list(measures) != list(self._options.measures.value or ()):
            self._options.measures.value = list(measures)
        else:
            self._choose(None)

    def _switch(self) -> None:
        """Another tab is open: only what is seen is read out of the run."""
        if self.why.about in self.panels:
            self.why.close()
        self._read_shown()
        self._ask_tables()
        self._on_change()
        self._soon()

    def _read_shown(self) -> None:
        shown = self._stage.shown
        self.help.object = getattr(shown.picture, "help", "") if shown is not None else ""
        readers: dict[str, Reader | None] = {key: None for panel in self.panels for key in panel.readers()}
        readers[Tab.LATEST] = read_latest
        self.player.show(readers=readers if shown is None else readers | dict(shown.readers()))
        self._stage.attend()

    def _read(self, panel: Panel) -> None:
        """A panel needs other data than before: another part was selected, or another learner chosen."""
        if panel is not self._stage.shown:
            return
        if (known := panel.inspected) or self.why.about is panel:
            (partial(self.why.open, known, panel) if known else self.why.close)()
        self.player.show(readers=panel.readers())
        self._stage.attend()
        self._soon()

    @param.depends("dark", watch=True)
    def _repaint(self) -> None:
        for part in (self._layout, *self._stage.areas):
            paint(part, self.dark)

    def close(self) -> None:
        """End the player and the polling; may be called more than once."""
        if self._closed:
            return
        if self._cell is not None:
            self._cell.end()
        self._closed = True
        self._polling.end()
        self.player.close()
        self._stage.rest()
