"""The stream monitor: choose a stream and learners, and watch them learn."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.kernels import on_compile
from streamlab.lab import Run
from streamlab.lab.seeds import groups_of
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.kit.text import shown
from streamlab.views.page.address import CHUNK, CHUNKS, LARGEST_SEED, SEEDS, Address, tuned
from streamlab.views.page.header import (
    PICKED,
    UPLOAD,
    CopyLink,
    Projector,
    brand,
    drawer_bar,
    header_bar,
    header_button,
)
from streamlab.views.page.keep import Keep
from streamlab.views.page.link_texts import put_in
from streamlab.views.page.own_data import SAVED, OwnData
from streamlab.views.page.page_link import Job, PageLink, RunStart, spec_of
from streamlab.views.page.page_part import PageParts
from streamlab.views.page.presets import (
    PRESETS,
    RIVER_CHOICE,
    Preset,
    described_learners,
    make_learners,
    offered_learners,
    offered_streams,
)
from streamlab.views.page.reloading import Reloading
from streamlab.views.page.run_view import RunView
from streamlab.views.page.served import ServedPage, attempted, guard, paint
from streamlab.views.page.wait import Joining, Wait
from streamlab.views.page.window import (
    SIDE_BY_SIDE,
    TWO_LINES,
    WIDE,
    Notice,
    PageNotice,
    drawer,
    make_window,
)

SEED = 1
MOST_ABOUT = 120
WAIT_SECONDS = 10.0


class Monitor(ServedPage):
    """The page: a run on one screen; stream, learners and all else in a drawer.

    Every page owns its run; ``close`` frees it, and is called when the browser leaves. It opens with its preset, or
    with another stream, which is what ``load`` takes.
    """

    def __init__(self, stream: Any = None, *, preset: Preset = PRESETS["stream_monitor"], **params: Any) -> None:
        # what the address asks for, from the first picture on
        super().__init__(**{"dark": pn.config.theme == "dark", **params})
        self.preset = preset
        self._source: Any = preset.stream if stream is None else stream
        self._running: Any = self._source
        self._view: RunView | None = None
        self._is_projected = False
        self._served = self._browser.is_served
        self._job: Job | None = None
        self._loading, self._lock = False, threading.Lock()
        self.reloading = Reloading(self)
        self._settings = pn.Column(sizing_mode="stretch_width")
        self._build_sidebar()
        self._main = pn.Column(sizing_mode="stretch_width")
        place = pn.Column(self._main, self.wait.screen, stylesheets=[":host{position:relative}"], **WIDE)
        self.projector = Projector(self._projected)
        self.copy_link = CopyLink(self._link)
        self.more = header_button("⋯", lambda: setattr(self.page, "sidebar_open", True), "Data, learners, settings")
        roomy = [*self.parts.all(lambda part: part.header), *self.keep.buttons(self.copy_link)]
        self.own_data.upload.param.update(sizing_mode=None, margin=0, stylesheets=[UPLOAD])
        header = header_bar(
            brand(), self.picker, self.own_data.upload, buttons=[self.projector, self.more], roomy=roomy
        )
        self.page = make_window(
            self.preset.title,
            [self.note, self.parts.beside(place), self.own_data.dialog], self._say,
            dark=self.dark, sidebar=[pn.Column(**WIDE)], header=[header], brand=True,
        )  # fmt: skip
        self.page.param.watch(self._toggled, "dark_theme")
        self.page.param.watch(self._fill_drawer, "sidebar_open")
        paint(self.page, self.dark)
        if not self.parts.first(lambda part: part.begin_page()):
            self.begin()

    # ------------------------------------------------------------------ sidebar

    def _build_sidebar(self) -> None:
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 18)}
        own = {self.preset.stream_title: self.preset.stream} if self.preset.stream_title else {}
        streams = own | offered_streams(self.preset.streams)
        preset, learners = self.preset, [*offered_learners(False).values(), *offered_learners(True).values()]
        usual = Address(
            stream=preset.stream if isinstance(preset.stream, str) else None,
            learners=preset.learners, river=preset.river, seed=SEED, seeds=1, chunk=CHUNK,
            speed=preset.view.get("rate", 250.0), over="chunk",
        )  # fmt: skip
        # the drift laboratory makes its streams: none has a name
        named = [each for each in offered_streams(preset.streams).values() if preset.has_name]
        self.link = PageLink(named, learners, RIVER_CHOICE["options"], preset.view, usual)
        asked = self.link.asked
        self._nested = not set(asked.learners) <= set(offered_learners(False).values())
        self._source = self._running = asked.stream or self._source
        known = self._source if self._source in streams.values() else next(iter(streams.values()))
        self.picker = self.stream_choice = pmui.Select(label="Stream", options=streams, value=known, **PICKED)
        self.own_data = OwnData(self._say, self.begin_with, self._in_background, self._later, self._make_room)
        self.wait = Wait(self._later, self._served, self._back, self._play)
        self.wait.screen.param.watch(self._followed, "dark")
        self.chunk = pmui.Select(
            label="Chunk (instances predicted together)", options=list(CHUNKS), value=asked.chunk or CHUNK, **wide
        )
        # not a number with small buttons: these have no name that a screen reader could say
        self._seed = SEED if asked.seed is None else asked.seed
        self.seed = pmui.TextInput(label="Seed of the learners", value=str(self._seed), **wide)
        self.seeds = pmui.Select(
            label="Seeds of each learner", options=list(SEEDS), value=asked.seeds or SEEDS[0], **wide
        )
        chosen = list(asked.learners or preset.learners)
        self.learner_choice = pmui.CheckBoxGroup(
            label="Learners", options=described_learners(self._nested), value=chosen, stylesheets=[TWO_LINES], **wide
        )
        theirs = asked.river if asked.learners else asked.river or preset.river
        self.river_choice = pmui.MultiChoice(value=list(theirs), **RIVER_CHOICE, **wide)
        self.start_button = pmui.Button(
            label="Start with these", color="primary", variant="contained", sizing_mode="stretch_width", margin=0
        )
        self.joining = Joining(
            lambda: None if self._view is None else self._view.player, self._new, self._later, self._say
        )
        self.note = PageNotice()
        self.keep = Keep(lambda: self._view, self._say)
        self.start_button.on_click(lambda _: self._start())
        self.stream_choice.param.watch(self._chosen, "value")
        self.parts = PageParts(self)

    def _fill_drawer(self, _: Any) -> None:
        """Make what stands in the drawer as that opens for the first time."""
        (place,) = self.page.sidebar
        if not place.objects:
            menus = [each.clone(current=each.param.current) for each in self.parts.all(lambda part: part.header)]
            hidden = drawer_bar(self._close_drawer, *menus, *self.keep.buttons(self.copy_link))
            made = pn.Column(hidden, self._sidebar(), **WIDE)
            guard(made, self._say)
            paint(made, self.dark)
            place.append(made)

    def _sidebar(self) -> pn.Column:
        sections = drawer(
            ("What is drawn", self._settings),
            ("Learners", [*self._learning(), self.seeds]),
            active=[1],
        )
        return pn.Column(self.own_data.section, *self.parts.all(lambda part: part.sidebar), sections, **WIDE)

    def _learning(self) -> list[Any]:
        """Return who learns and how, for a section of the drawer; the buttons first, as the list is long."""
        buttons = pn.Row(self.start_button, self.joining.button, stylesheets=[SIDE_BY_SIDE], margin=(0, 18), **WIDE)
        return [buttons, self.learner_choice, self.river_choice, self.chunk, self.seed]

    def _start(self) -> None:
        """Begin with what is chosen, and let the drawer go out of the way."""
        if not self._start_loading():
            self._close_drawer()

    def _close_drawer(self) -> None:
        self.page.sidebar_open = False

    def _chosen(self, event: Any) -> None:
        if event.new != self._running:
            self._source = event.new
            self.begin()

    def begin_with(self, source: Any) -> None:
        """Open a source that was given elsewhere than in the choice of streams, and begin with it."""
        self._source = source
        declined = self._start_loading()
        if declined:
            _ = self.own_data.refused(source, declined) or self.parts.first(lambda part: part.refused(source, declined))
            self._source = self._running

    def _make_room(self) -> None:
        # the drawer lies above the page and would keep the keyboard
        self.page.sidebar_open = False

    def _in_background(self, action: Callable[[], None]) -> None:
        if self._served:
            threading.Thread(target=action, name="streamlab file", daemon=True).start()
        else:
            action()

    # ------------------------------------------------------------------ runs

    def begin(self) -> None:
        """Load the chosen stream in the background and start again with the chosen learners."""
        self._start_loading()

    def _restart(self) -> None:
        if not self.parts.first(lambda part: part.restart()):
            self.begin()

    def _start_loading(self) -> str:
        """Do so, and return ""; or why not, which the page says."""
        names, river = list(self.learner_choice.value or ()), list(self.river_choice.value or ())
        if not names and not river:
            return self._declined("choose at least one learner")
        seed = str(self.seed.value or "").strip()
        if not (seed.isascii() and seed.isdigit() and int(seed[:12]) <= LARGEST_SEED):
            return self._declined(f"seed {shown(seed, 20)}: expected a whole number from 0 to {LARGEST_SEED:,}")
        self._seed = int(seed)
        if self._closed.is_set():
            return "the page is closed"
        left = self.reloading.left(self.link.asked)
        if left is None and self._served and not SEATS.take(self, LIMITS.pages):
            message = full_message()
            if self._view is None:
                self._main[:] = [Notice(object=message, severity="warning", margin=20)]
            return self._declined(message, "warning")
        self._say("")
        self.start_button.disabled = True
        self.link.keep()
        opens = self._view is None and (self._source == self.preset.stream or self.link.asked.stream is not None)
        opens = opens and self.link.asked.at is None and not self.parts.is_open
        is_usual = (self._source, *names, *river) == (self.preset.stream, *self.preset.learners, *self.preset.river)
        self.wait.begin(has_run=self._view is not None, preset=self.preset if is_usual else None)
        drifts = self.link.drifts if self._source == self._running else ()
        asked = replace(self._asked(), parameters=self.link.parameters, drifts=drifts)
        played = self.preset.played if opens else 0
        self._submit(Job(self._source, self.own_data.options(self._source), asked, left, played))
        return ""

    def _asked(self) -> Address:
        """Return what is chosen in the drawer: learners, seeds and chunk."""
        return Address(
            learners=tuple(self.learner_choice.value or ()), river=tuple(self.river_choice.value or ()),
            seed=self._seed, seeds=int(self.seeds.value or 1), chunk=int(self.chunk.value or CHUNK),
        )  # fmt: skip

    def _declined(self, why: str, kind: str = "error") -> str:
        self._say(why, kind)
        return why

    def _submit(self, job: Job) -> None:
        with self._lock:
            if self._job is not None:
                self._job.cancelled.set()
            self._job = job
            running, self._loading = self._loading, True
        if running:
            return
        if self._served:
            threading.Thread(target=self._load, name="streamlab loader", daemon=True).start()
        else:
            self._load()

    def _load(self) -> None:
        """Load the latest choice, one stream at a time, in one thread however often people choose."""
        done: Job | None = None
        while True:
            with self._lock:
                if self._job is done or self._job is None:
                    self._loading = False
                    return
                done = self._job
            self._load_one(done)

    def _load_one(self, job: Job) -> None:
        stop_hearing = on_compile(lambda message: self._later(lambda: self._say(message.capitalize(), "info")))

        def refuse(message: str) -> None:
            without_places = self.own_data.without_places(message)
            self._later(lambda: self._refused(without_places), job)

        made = attempted(lambda: self._made(job), refuse)
        stop_hearing()
        if made is not None:
            self._later(lambda: self._show(*made), job)

    def _made(self, job: Job) -> tuple[Run, Any, RunStart, list[str]]:
        """Return what a job asks for, as ``_show`` takes it: handed over, done again from a file, or made."""
        start, refused, source = RunStart(), list[str](), job.source
        handed = None if job.left is None else self.reloading.take(job.left)
        if handed is not None:
            run, source, start = handed.run, handed.source, handed.start
        elif job.is_saved:
            run = job.replay(self.wait.replays())
            start = RunStart(plays=run.stream.is_live)
        else:
            with self.own_data.reading(job.source):
                stream, refused = put_in(job.open(self.parts), job.asked.drifts)
            seed, river, nested = job.asked.seed or 0, list(job.asked.river), stream.schema.hierarchy is not None
            fitting = self._fitting(list(job.asked.learners), nested, bool(river))
            if self._view is None:
                lost = [name for name in self.link.asked.learners if name not in fitting]
                refused += [f"learners={name}: not for this stream" for name in lost]
            learners = make_learners(fitting, river, seed, stream.schema)
            made = {name: {t.name: getattr(each, t.name) for t in each.tunables} for name, each in learners.items()}
            refused += tuned(learners, job.asked.parameters)
            self.wait.ready(
                learners, nested, lambda: not job.cancelled.is_set(), stream=job.generated, n_rows=stream.n_rows
            )
            run = job.run(stream, learners)
            start = RunStart(made, run.stream.is_live)
            run.advance(job.played)
        return run, source, start, refused

    def _back(self) -> None:
        """Go back to the run that is on the screen: the one that was asked for is not wanted."""
        if self._job is not None:
            self._job.cancelled.set()
        self._source = self._running
        self._ended_waiting()

    def _ended_waiting(self) -> None:
        self.wait.stop()
        self.start_button.disabled = False

    def _play(self, on: bool) -> None:
        if self._view is not None:
            _ = self._view.player.play() if on else self._view.player.pause()

    def _new(self) -> dict[str, Any]:
        """Return new ones of the learners that are chosen, with the page's seed and parameters."""
        schema = None if self._view is None else self._view.run.stream.schema
        made = make_learners(self.learner_choice.value or (), self.river_choice.value or (), self._seed, schema)
        tuned(made, {name: each for name, each in self.link.parameters.items() if name in made})
        return made

    def _fitting(self, names: list[str], nested: bool, others: bool) -> list[str]:
        """The chosen learners; after labels of another kind those that are offered here, or the usual ones."""
        asked = set(self.link.asked.learners) if self._view is None else set()
        if nested == self._nested or (asked and asked <= set(offered_learners(nested).values())):
            return names
        before, now = self.preset.learners, self.preset.nested_learners
        if self._nested:
            before, now = now, before
        left = [name for name in names if name in offered_learners(nested).values()]
        return list(now) if set(names) == set(before) or not (left or others) else left

    def _later(self, action: Callable[[], None], job: Job | None = None) -> None:
        """Do it on the document's thread once the browser has the page, if it and the job are still wanted."""

        self._soon(lambda: None if job is not None and job.cancelled.is_set() else action())

    def _refused(self, message: str) -> None:
        self._ended_waiting()
        self._say("")  # first: who is told may have something to say of it at once
        source = self._source
        if not (self.own_data.refused(source, message) or self.parts.first(lambda part: part.refused(source, message))):
            self._say(message)
        # the run on the screen goes on; starting again means that one, not what could not be read
        self._source = self._running
        if self._view is None:
            self._main[:] = [
                Notice(title="This stream cannot be read", object=message, severity="error", margin=20),
                self.own_data.upload,
            ]

    def _show(self, run: Run, source: Any, start: RunStart, refused: Sequence[str]) -> None:
        self._running = source
        self.own_data.started(source)
        self.parts.every(lambda part: part.started(source, run.stream))
        nested, made = run.stream.schema.hierarchy is not None, start.made
        if nested != self._nested:
            self._nested = nested
            names = [name for name in made or groups_of(run.learner_runs) if name in offered_learners(nested).values()]
            self.learner_choice.param.update(options=described_learners(nested), value=names)
        if isinstance(source, Path) and source not in self.stream_choice.options.values():
            options = {**self.stream_choice.options, f"{shown(source.name)} (uploaded)": source}
            self.stream_choice.param.update(options=options, value=source)
        self.start_button.disabled = False
        if self._view is not None:
            self._view.close()
        look = self.link.look(run) | ({"rate": None} if run.stream.is_live else {})
        self._view = view = RunView(
            run,
            page=True,
            dark=self.dark,
            on_restart=self._restart,
            on_change=self._changed,
            add=lambda: setattr(self.page, "sidebar_open", True),
            keeps_drifts=isinstance(source, str) or (isinstance(source, Path) and source.suffix != SAVED),
            **look,
        )  # fmt: skip
        view.project(self._is_projected)
        self.link.refuse(refused)
        self.link.show(view, start)
        self._say(self.link.refused_text(), "warning")
        self.reloading.begin(view, source, start)
        self._changed()
        self._view.transport.param.watch(self._followed, "dark")
        self._settings[:] = self._view.settings
        paint(self._view.__panel__(), self.dark)
        self._main[:] = [*self.parts.all(lambda part: part.above), self._view]
        if start.plays or self.wait.play:
            view.player.play()
        self.wait.over()
        self.parts.every(lambda part: part.shown(view))

    def _changed(self) -> None:
        """Write what is shown into the page's address."""
        if self._view is not None:
            stream = self._running if self._running in self.stream_choice.options.values() else None
            spec = None if self._running == self.preset.stream else spec_of(self._running)
            base = replace(self._asked(), stream=stream if isinstance(stream, str) else None, spec=spec)
            if not (about := self.parts.first(lambda part: part.about())) and base.stream is not None:
                title = next(name for name, value in self.stream_choice.options.items() if value == base.stream)
                about = f"{title}: {', '.join([*base.learners, *base.river])}"
            query, about = self.parts.first(lambda part: part.query()), shown(about or "", MOST_ABOUT)
            is_named = base.stream or spec or self._running == self.preset.stream
            own = not is_named or self._view.run.stream.is_live
            self._view.transport.param.update(query=query or self.link.query(base), about=about, own=own)

    def _link(self) -> str:
        """Return the query of a link to what is shown; raises a ValueError, in a sentence, if there is none."""
        if self._view is None:
            raise ValueError("There is no run yet: its learners are being prepared.")
        if query := self.parts.first(lambda part: part.query()):
            return query
        if self._view.transport.own:
            raise ValueError("A link cannot name this run’s data. “Save run” keeps it whole, as a file.")
        at = self._view.player.ask(lambda run: run.position + run.finished).result(timeout=WAIT_SECONDS)
        return f"{self._view.transport.query}&at={at}".removeprefix("&")

    def _say(self, message: str, kind: str = "error") -> None:
        self.note.say(message, kind)

    # ------------------------------------------------------------------ theme and end

    def _projected(self, on: bool) -> None:
        self.page.sidebar_open = False
        self._is_projected = on
        if self._view is not None:
            self._view.project(on)

    def close(self) -> None:
        """Free the run, its thread and the uploaded files; may be called more than once."""
        super().close()
        self.reloading.end()
        self.parts.every(lambda part: part.close())
        if self._job is not None:
            self._job.cancelled.set()
        if self._view is not None:
            self._view.close()
        SEATS.leave(self)
        self.own_data.close()
        if self.own_data.folder is not None:
            shutil.rmtree(self.own_data.folder, ignore_errors=True)
