"""One panel for any picture: its learner, the details of what is selected, the picture before and after a change."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, Reader, ReadingFailed
from streamlab.lab.ownership import Awaited
from streamlab.lab.view_log import ViewEntry
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.kit.picture import Budget, Drawn, Exchange, Picture, subject_of
from streamlab.views.kit.text import all_shown, as_html
from streamlab.views.page.event_cards import EVENT_STYLE, MOST_CARDS, cards_html
from streamlab.views.page.presets import who_is
from streamlab.views.page.reading import Reading, in_one, read
from streamlab.views.page.screen import LOW, PLAIN
from streamlab.views.page.window import WIDE, LateHTML, Notice, Part, equal_columns
from streamlab.views.pictures import PICTURES
from streamlab.views.recording import key_of

DETAILS_SECONDS = 0.5
MOST_EVENTS = 5000
LATELY = 20
"""Among so many of its latest events a learner's replacement is told first."""
VISIT = "visit"
"""Parameter of a view that says which row people want to see; only some views have it."""
WATCHED = ("selected", "pointed")
"""Parameters of a view that say what people choose in it: a row, and in some views one under the pointer."""


class PicturePanel(Part):
    """A picture with the choice of its learner, the details of what is selected, and cards of the learner's events.

    What cannot be drawn says so in the picture's place; the run goes on.

    Parameters
    ----------
    picture, run, names
        The picture, the run, which nobody advances yet, and its learners that fit; the first is shown.
    changed
        Called when the picture needs other data: another learner was chosen, or another node.
    chosen
        Called with the learner's name when people choose it.
    visit
        Called with the number of a row that people want to see.
    in_one
        Whether the first learner is drawn along with another, which people choose.
    is_one_of_several
        Whether it stands beside those of other learners, with its learner's name as heading.
    is_named
        Whether something else above it names the learner already.
    head
        Returns what stands above the picture of a learner by its name; None: it is no learner of the run's own.
    ask
        Carries out a question to the run on the thread that owns it; None: nobody can ask it.
    dark
        Says whether a view that is made now has dark colours.
    """

    def __init__(
        self,
        picture: Picture,
        run: Run,
        names: Sequence[str],
        *,
        changed: Callable[[PicturePanel], None],
        chosen: Callable[[str], None] = lambda _: None,
        visit: Callable[[int], None] = lambda _: None,
        in_one: bool = False,
        is_one_of_several: bool = False,
        is_named: bool = False,
        head: Callable[[str], Any] = lambda _: None,
        ask: Ask | None = None,
        dark: Callable[[], bool] = bool,
    ) -> None:
        super().__init__()
        self.picture = picture
        self._schema = run.stream.schema
        self._now = run.position
        self._shown_part: Any = None
        self._pointed_out: Any = None
        self._changed, self._chosen, self._is_one_of_several = changed, chosen, is_one_of_several
        subjects = [subject for name in names if (subject := subject_of(name, run)) is not None]
        self._kinds: dict[str, Mapping[str, EventKind]] = {
            subject.name: subject.learner.events for subject in subjects if subject.learner.picture == picture.name
        }
        self._happened: dict[str, list[Event]] = defaultdict(list)
        self._details_at = 0.0
        self.view = picture.view(self._schema, dark=dark())
        self._always, offered = (names[:1], names[1:]) if in_one else ([], names)
        self.choice = pmui.Select(
            label="Learner drawn", options=dict(zip(all_shown(offered), offered, strict=True)), value=offered[0],
            size="small", stylesheets=[LOW, CHOICE], margin=0, width=170,
            visible=picture.of_learner and len(offered) > 1,
        )  # fmt: skip
        self.details = LateHTML("", stylesheets=[DETAILS_STYLE], sizing_mode="stretch_width", margin=0)
        self.cards = LateHTML("", stylesheets=[EVENT_STYLE], sizing_mode="stretch_width", margin=(12, 0))
        self.before_after = BeforeAfter(picture, run, ask, self._compare, dark)
        self.error = Notice(severity="error", visible=False, margin=(12, 0))
        self.choice.param.watch(self._choose, "value")
        self.view.param.watch(self._select, [name for name in WATCHED if name in self.view.param])
        self._visit = visit
        if VISIT in self.view.param:
            self.view.param.watch(self._go, VISIT)
        self._tell()
        # where a run has several learners, or a member is drawn, it is said whose picture this is
        self._head_of = head if picture.of_learner and not is_named else lambda _: None
        self._names_it = picture.of_learner and not is_named
        self._head = pn.Row(stylesheets=[HEAD], margin=0, **WIDE)
        self._put_head()
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "stylesheets": [PLAIN], "margin": 0}
        self._words: Any = None
        self._layout = pn.Column(self._head, self.error, self.view, self.before_after, **wide)

    def _put_head(self) -> None:
        """Put the heads of the learners that are drawn above the picture, or a heading where one has none."""
        heads = [self._head_of(name) or (self._names_it and _heading(name)) for name in self._drawn_names]
        self._head[:] = [*filter(None, heads), *([self.choice] if self.choice.visible else [])]
        self._head.visible = bool(self._head.objects)

    @property
    def inspected(self) -> list[Any]:
        """What is known of the selected part; empty where nothing is selected, or the picture selected it itself."""
        selected = self.view.selected
        if selected is None or selected == self._pointed_out:
            return []
        return [self.details, self.cards, self.before_after.choice]

    @property
    def learners(self) -> list[str]:
        """The learners that are shown, where the picture is of any."""
        return list(self._drawn_names) if self._names_it else []

    def deselect(self) -> None:
        """Select nothing."""
        self.view.selected = None

    @property
    def learner(self) -> str:
        """The learner that is shown, the first of two."""
        return self._drawn_names[0]

    @property
    def _drawn_names(self) -> tuple[str, ...]:
        return (*self._always, self.choice.value)

    @property
    def key(self) -> str:
        """What a frame calls the readings of this panel."""
        return f"picture {self.picture.name}" + (f" of {self.learner}" if self._is_one_of_several else "")

    def readers(self) -> Mapping[str, Reader]:
        """Return what reads the picture's data out of the run, for the choices as they are now."""
        return {self.key: partial(read, self.picture, self._drawn_names, self.view.selection)}

    def show(self, frame: Frame) -> None:
        """Draw what a frame has for this panel; on the document's thread."""
        has_gone_back = not frame.live and frame.state != "playing" and frame.position != self._now
        self._stand_at(frame.position)
        self.before_after.take()
        reading = frame.readings.get(self.key)
        if isinstance(reading, ReadingFailed):
            self._fail(reading.message)
        elif reading is not None and reading.subjects == self._drawn_names:  # else of a choice that has changed since
            if self._speaks(reading):
                return
            try:
                self._draw(reading, frame.state == "playing")
                if has_gone_back:
                    self._point_out(reading.drawn)
            except Exception as error:  # a picture or a learner of another package may raise anything
                self._fail(str(error) or type(error).__name__)
            else:
                self.error.visible, self.view.visible = False, not self.before_after.is_open

    def _speaks(self, reading: Reading) -> bool:
        """Show what the model says of itself where its picture could not be made; returns whether that is so."""
        if reading.failed is None and self._words is None:
            return False
        if self._words is None:
            self._words = PICTURES.load("text")().view(self._schema, dark=self.view.dark)
            self.view.param.watch(lambda event: self._words.param.update(dark=event.new), "dark")
            self._layout.append(self._words)
        self._words.visible = reading.failed is not None
        if reading.failed is not None:
            self._words.show(reading.drawn)
            self._fail(reading.failed)
            self.error.visible = bool(reading.failed)
        return self._words.visible

    def look_back(self, readings: Mapping[str, Any], position: int) -> None:
        """Draw what a view log has of this panel's learner at a row, nothing selected; on the document's thread."""
        self._stand_at(position)
        known = [readings.get(key_of(self.picture, name)) for name in self._drawn_names]
        recorded = [each for each in known if each is not None and not isinstance(each, ReadingFailed)]
        if recorded:
            try:
                self.view.show(in_one(self.picture, [Drawn.of(each) for each in recorded]), True)
            except Exception as error:  # a picture of another package may raise anything
                self._fail(str(error) or type(error).__name__)

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events, in order."""
        known = [each for event in events for each in (event, as_member(event)) if each is not None]
        new = [event for event in known if event.kind in self._kinds.get(event.learner, {})]
        for event in new:
            self._happened[event.learner].append(event)
        for events in self._happened.values():
            del events[:-MOST_EVENTS]
        if any(event.learner == self.learner for event in new):
            self._now = max(self._now, new[-1].position)
            self._tell()

    def _stand_at(self, position: int) -> None:
        """Another row is shown: what the learner reported later is not told."""
        if position != self._now:
            self._now = position
            self._tell()

    def _reported(self) -> list[Event]:
        """What the learner reported up to the row that is shown, in order."""
        events = self._happened[self.learner]
        return events[: bisect_right(events, self._now, key=lambda event: event.position)]

    def _concerning(self, part: Any) -> list[Event]:
        """What the learner reported of a part of the picture, such as a node, by its id."""
        return [event for event in self._reported() if part in self.picture.parts_of(event)]

    def _draw(self, reading: Reading, playing: bool) -> None:
        self.view.show(reading.drawn, playing)
        now, selected = time.monotonic(), self.view.selected
        is_due = now - self._details_at > DETAILS_SECONDS or not playing
        if self.picture.of_learner and selected is not None and reading.selection == selected and is_due:
            self._details_at = now
            happened, story = self._concerning(selected), reading.drawn.story
            note = self.picture.note(reading.drawn.subject, selected, story, self._schema, happened)
            # while the run plays it is written less often than the picture is drawn
            when = f"<p class='sl-details-hint'>At row {reading.drawn.now:,}.</p>" if playing else ""
            self.details.object = f"{note}{when}"

    def _point_out(self, drawn: Drawn) -> None:
        """Select what something happened to at this row, to which people went, unless they have selected a part."""
        if self.view.selected not in (None, self._pointed_out):
            return
        here = [event for event in self._reported() if event.position == self._now]
        named = [part for event in reversed(here) for part in reversed(self.picture.parts_of(event))]
        drawn_parts = set(np.asarray(drawn.columns.get("id", ())).tolist())
        part = next((each for each in named if each in drawn_parts), None)
        if part is not None or self.view.selected is not None:
            self._pointed_out = self.view.selected = part

    def _fail(self, message: str) -> None:
        self.error.say(f"This picture cannot be drawn: {message}")
        self.view.visible = False

    def _tell(self) -> None:
        """Show the cards of the learner that is drawn, or of its selected part, where the picture is its own."""
        kinds, part = self._kinds.get(self.learner), self.view.selected
        reported = self._reported()
        shown_now = (self.learner, part, len(reported), reported[-1].number if reported else -1)
        if shown_now == self._shown_part:
            return
        self._shown_part = shown_now
        exchanges = self.picture.exchanges(reported)
        events = self._concerning(part) if part is not None else _replacement_last(reported, exchanges)[-MOST_CARDS:]
        self.cards.visible = bool(events) or (bool(kinds) and part is None)
        if kinds and self.cards.visible:
            self.cards.object = cards_html(self.learner, events, kinds)
        # what is known of a selected part comes first; then what happened last, in whichever of two pictures; then how
        # to read them
        first, latest = -2_000_000_000, -reported[-1].position if reported else 0
        self.details.styles = {"order": str(int(bool(events)) if part is None else first)}
        self.cards.styles = {"order": str(latest if part is None else first + 1)}
        self.before_after.offer(exchanges)

    def _compare(self, exchange: Exchange | None) -> None:
        """Show what was before a part was replaced and after it, in the picture's place; None: the picture."""
        if exchange is not None:
            self.before_after.show(exchange, self.learner)
            self.view.selected = exchange.new
        self.view.visible = exchange is None

    def _choose(self, event: Any) -> None:
        self.view.selected = None
        self._put_head()
        self.before_after.offer([])
        self._details_at = 0.0
        self._tell()
        self._chosen(event.new)
        self._changed(self)

    def _go(self, event: Any) -> None:
        if event.new is not None:
            self._visit(event.new)

    def _select(self, *events: Any) -> None:
        if any(event.name == "selected" for event in events):
            self._details_at = 0.0
            self._tell()
        self._changed(self)


def _replacement_last(reported: Sequence[Event], exchanges: Sequence[Exchange]) -> list[Event]:
    """Return a learner's latest events with the latest of its replacements at the end: it changes the most."""
    events = list(reported[-LATELY:])
    at = exchanges[-1].position if exchanges else None
    return sorted(events, key=lambda event: event.position == at)


def as_member(event: Event) -> Event | None:
    """Return what a learner says that a member reported as the member's own event; None for any other event."""
    name, kind = event.detail.get("expert"), event.detail.get("told")
    if event.kind != "expert" or not isinstance(name, str) or not isinstance(kind, str):
        return None
    return replace(
        event, learner=f"{event.learner}: {name}", kind=kind, message=event.message.removeprefix(f"{name}: ")
    )


HEAD = ":host{align-items:baseline!important;min-height:40px;padding-right:var(--sl-words,0px)!important}"
HEAD += "@media (max-width:640px){:host{display:grid!important;grid-template-columns:minmax(0,1fr)}}"
CHOICE = ":host{align-self:center!important} .MuiFormLabel-root{display:none!important} legend{display:none!important}"
HEADING = (
    ":host{font:18px/1.3 Roboto,system-ui,-apple-system,'Segoe UI',sans-serif;container-type:inline-size}"
    "h2{display:inline;font:inherit;font-weight:600;margin:0 8px 0 0}span{font-size:14px;opacity:.8}"
    # beside each other pictures begin at one height
    "@container (min-width:400px){div{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}}"
)


def _heading(learner: str) -> LateHTML:
    """Return whose picture it is."""
    text = f"<div><h2>{as_html(learner)}</h2><span>{as_html(who_is(learner))}</span></div>"
    return LateHTML(text, stylesheets=[HEADING], sizing_mode="stretch_width", margin=0)


NOW = "the picture of this row"
MOST_OFFERED = 50
TEXT = ":host{font:600 13px/1.4 Roboto,system-ui,-apple-system,'Segoe UI',sans-serif} p{margin:6px 0 2px}"


Ask = Callable[[Callable[[], Any]], "Future[Any]"]
"""Carries out a question on the thread that owns the run, between two chunks; a frame follows."""


class BeforeAfter(Part):
    """Two views of a picture, which are made when they are first asked for; they take the place of the one shown.

    ``ask`` carries out what reads the run; None: what was recorded along it is shown. ``chosen`` is called with the
    exchange that people choose, None for the picture of the row that is shown.
    """

    def __init__(
        self,
        picture: Picture,
        run: Run,
        ask: Ask | None,
        chosen: Callable[[Exchange | None], None],
        dark: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._picture, self._run, self._ask, self._chosen, self._dark = picture, run, ask, chosen, dark
        self._offered: dict[str, Exchange | None] = {NOW: None}
        self._views: list[Any] = []
        self._shown: Exchange | None = None
        self._answer = Awaited()
        shape = {"size": "small", "margin": (8, 0, 0, 0), "stylesheets": [LOW], **WIDE}
        self.choice = pmui.Select(label="Before and after", options=[NOW], value=NOW, visible=False, **shape)
        """The choice of a part that was replaced; hidden while there is none."""
        self.choice.param.watch(self._choose, "value")
        self.notes = [LateHTML("", stylesheets=[TEXT], margin=0, **WIDE) for _ in range(2)]
        """What is said above each view."""
        self._layout = pn.Column(visible=False, stylesheets=[PLAIN], margin=0, **WIDE)

    @property
    def is_open(self) -> bool:
        """Whether the two are shown."""
        return self._layout.visible

    def offer(self, exchanges: Sequence[Exchange]) -> None:
        """Offer these, in order; one that is shown and not among them is closed."""
        newest = list(exchanges)[: -MOST_OFFERED - 1 : -1]
        offered = {f"row {each.position:,}: {each.old} → {each.new}": each for each in newest}
        if [NOW, *offered] == self.choice.options:
            return
        self._offered = {NOW: None, **offered}
        if self.choice.value not in self._offered:
            self.choice.value = NOW
        self.choice.param.update(options=list(self._offered), visible=bool(offered))

    def show(self, exchange: Exchange, learner: str) -> None:
        """Draw what was before and after an exchange: at once what was recorded nearest, then what was so exactly."""
        if not self._views:
            self._views = [self._picture.view(self._run.stream.schema, dark=self._dark()) for _ in range(2)]
            pairs = zip(self.notes, self._views, strict=True)
            sides = [pn.Column(*pair, stylesheets=[PLAIN], margin=0, **WIDE) for pair in pairs]
            self._layout[:] = [pn.Column(*sides, stylesheets=[equal_columns(300)], margin=0, **WIDE)]
        self._shown = exchange
        self._draw(around(exchange, list(self._run.views.entries), key_of(self._picture, learner)))
        if self._ask is not None:
            self._answer.ask(self._ask(partial(look_there, self._run, self._picture, learner, exchange)))

    def take(self) -> None:
        """Draw the answer of the run if it has come; on the document's thread."""
        found = self._answer.take()
        if self._shown is not None and found is not None:
            self._draw(found)

    def _draw(self, found: Sequence[Drawn | None]) -> None:
        exchange = self._shown
        assert exchange is not None, "one was chosen"
        for name, pane, view, drawn in zip(("Before", "After"), self.notes, self._views, found, strict=True):
            view.visible = drawn is not None
            moment = "not known" if drawn is None else f"row {drawn.now:,}"
            pane.object = f"<p>{name} the change at row {exchange.position:,}: {moment}</p>"
            if drawn is not None:
                view.exchanged = [exchange.old, exchange.new]
                view.show(drawn)

    def _choose(self, event: Any) -> None:
        self._shown = self._offered.get(event.new)
        # first the other is hidden: what comes then sees how much room it has
        self._chosen(self._shown)
        self._layout.visible = self._shown is not None


def look_there(run: Run, picture: Picture, learner: str, exchange: Exchange) -> tuple[Drawn | None, Drawn | None]:
    """Return what a picture draws one row before an exchange and right after it; the run stands then where it stood.

    Called on the thread that owns the run; raises a ValueError if the run cannot go back.
    """
    here, found = run.position, []
    try:
        for position in (max(exchange.position - 1, 0), exchange.position):
            run.seek(position)
            subject = subject_of(learner, run)
            found.append(None if subject is None else picture.columns(subject, None, Budget()))
    finally:
        run.seek(here)
    return found[0], found[1]


def around(exchange: Exchange, entries: Sequence[ViewEntry], key: str) -> tuple[Drawn | None, Drawn | None]:
    """Return the last view with the old part, and the first one after it that has the new part alone.

    ``entries`` are those of the run's view log, which calls the picture's readings ``key``.
    """

    def parts(entry: ViewEntry) -> set[int]:
        drawn = _drawn(entry, key)
        return set() if drawn is None else set(drawn.columns["id"].tolist())

    place = bisect_right(entries, exchange.position, key=lambda entry: entry.position)
    before = next((each for each in reversed(entries[: place + 1]) if exchange.old in parts(each)), None)
    later = entries[max(place - 1, 0) :]
    after = next((each for each in later if exchange.new in (has := parts(each)) and exchange.old not in has), None)
    found = [None if each is None else _drawn(each, key) for each in (before, after)]
    return found[0], found[1]


def _drawn(entry: ViewEntry, key: str) -> Drawn | None:
    """Return what a picture drew, as it was recorded or as an archive gives it back; None where it failed."""
    try:
        drawn = Drawn.of(entry.readings.get(key, {}))
    except ValueError:
        return None
    return drawn if "id" in drawn.columns else None
