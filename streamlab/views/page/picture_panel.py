"""One panel for any picture: its learner, and what is known of what is selected."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, Reader, ReadingFailed
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.kit.picture import Drawn, Picture, subject_of
from streamlab.views.kit.text import all_shown, as_html
from streamlab.views.page.presets import who_is
from streamlab.views.page.reading import Reading, in_one, read
from streamlab.views.page.screen import LOW, PLAIN
from streamlab.views.page.window import WIDE, LateHTML, Notice, Part
from streamlab.views.pictures import PICTURES
from streamlab.views.recording import key_of

DETAILS_SECONDS = 0.5
MOST_EVENTS = 5000
VISIT = "visit"
"""Parameter of a view that says which row people want to see; only some views have it."""
WATCHED = ("selected", "pointed")
"""Parameters of a view that say what people choose in it: a row, and in some views one under the pointer."""


class PicturePanel(Part):
    """A picture with the choice of its learner, and what is known of what is selected.

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
    head
        Returns what stands above the picture of a learner by its name; None: it is no learner of the run's own.
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
        head: Callable[[str], Any] = lambda _: None,
        dark: Callable[[], bool] = bool,
    ) -> None:
        super().__init__()
        self.picture = picture
        self._schema = run.stream.schema
        self._now = run.position
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
        self.error = Notice(severity="error", visible=False, margin=(12, 0))
        self.choice.param.watch(self._choose, "value")
        self.view.param.watch(self._select, [name for name in WATCHED if name in self.view.param])
        self._visit = visit
        if VISIT in self.view.param:
            self.view.param.watch(self._go, VISIT)
        # where a run has several learners, or a member is drawn, it is said whose picture this is
        self._head_of = head
        self._head = pn.Row(stylesheets=[HEAD], margin=0, **WIDE)
        self._put_head()
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "stylesheets": [PLAIN], "margin": 0}
        self._words: Any = None
        self._layout = pn.Column(self._head, self.error, self.view, **wide)

    def _put_head(self) -> None:
        """Put the heads of the learners that are drawn above the picture, or a heading where one has none."""
        heads = [self._head_of(name) or _heading(name) for name in self.learners]
        self._head[:] = [*heads, *([self.choice] if self.choice.visible else [])]
        self._head.visible = bool(self._head.objects)

    @property
    def inspected(self) -> list[Any]:
        """What is known of the selected part; empty where nothing is selected, or the picture selected it itself."""
        selected = self.view.selected
        if selected is None or selected == self._pointed_out:
            return []
        return [self.details]

    @property
    def learners(self) -> list[str]:
        """The learners that are shown, where the picture is of any."""
        return list(self._drawn_names) if self.picture.of_learner else []

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
        self._now = frame.position
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
                self.error.visible, self.view.visible = False, True

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
        self._now = position
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

    def _choose(self, event: Any) -> None:
        self.view.selected = None
        self._put_head()
        self._details_at = 0.0
        self._chosen(event.new)
        self._changed(self)

    def _go(self, event: Any) -> None:
        if event.new is not None:
            self._visit(event.new)

    def _select(self, *events: Any) -> None:
        if any(event.name == "selected" for event in events):
            self._details_at = 0.0
        self._changed(self)


def as_member(event: Event) -> Event | None:
    """Return what a learner says that a member reported as the member's own event; None for any other event."""
    name, kind = event.detail.get("expert"), event.detail.get("told")
    if event.kind != "expert" or not isinstance(name, str) or not isinstance(kind, str):
        return None
    return replace(
        event, learner=f"{event.learner}: {name}", kind=kind, message=event.message.removeprefix(f"{name}: ")
    )


HEAD = ":host{align-items:baseline!important;min-height:40px;padding-right:var(--sl-words,0px)!important}"
HEAD += "@media (max-width:640px){:host{display:grid!important;grid-template-columns:minmax(0,1fr);min-height:32px}}"
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
