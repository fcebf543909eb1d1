"""The cards of learners: who is in the run and how each does, its parameters, and what it reports of itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab.events import Event
from streamlab.lab.frame import Frame
from streamlab.lab.seeds import groups_of
from streamlab.learners import Learner, Tunable
from streamlab.learners.base.events import EventKind
from streamlab.measures import MEASURES
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, as_html, number_text
from streamlab.views.page.controls import control, main_tunable, meant
from streamlab.views.timeline.bands import style_of, title_of

CSS_LINES = {"dotdash": "dashed", "dashdot": "dashed"}
FOOT_SECONDS = 1.0
TEXT = """
:host{font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h3{font:600 15px/1.35 inherit;font-size:15px;margin:0;display:flex;gap:8px;align-items:baseline;overflow-wrap:anywhere}
h3 i{flex:none;align-self:center;width:24px;height:0;border-top:3px solid}
h3 b{margin-left:auto;font-size:20px;font-variant-numeric:tabular-nums}
p{margin:2px 0 0;overflow-wrap:anywhere} p.foot{font-size:12px;opacity:.8;font-variant-numeric:tabular-nums}
"""
CARD = """
:host{border:1px solid var(--sl-card-line,rgba(128,128,128,.35));border-left:4px solid;border-radius:10px;
  padding:10px 12px 6px!important;box-sizing:border-box;height:max-content!important}
"""
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width"}


def in_bytes(n: float) -> str:
    """Return a number of bytes for people."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:,.3g} {unit}"
    return f"{n:.0f} B"


class LearnerCard(pn.viewable.Viewer):
    """One learner: its line, its score, what it does, its controls, its speed and memory.

    Parameters
    ----------
    name, title
        What the run calls it, and what people read.
    learner
        The learner, whose parameters are offered.
    place
        Its place among the learners, which decides its colour.
    tune
        Called as ``tune(name, parameter, value)`` when somebody lets go of a control.
    fork, remove
        Called with the name.
    """

    def __init__(
        self,
        name: str,
        title: str,
        learner: Learner,
        place: int,
        *,
        tune: Callable[[str, str, Any], None],
        fork: Callable[[str], None],
        remove: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.name_of, self._title = name, title
        self._colour, line = style_of(place)
        self._line = CSS_LINES.get(line, line)
        self._is_baseline = learner.is_baseline
        self._tune = tune
        self._setting = False
        self._main = main_tunable(learner)
        self.values: dict[str, Any] = {each.name: getattr(learner, each.name) for each in learner.tunables}
        self.widgets: dict[str, Any] = {each.name: self._made(each) for each in learner.tunables}
        self.head = pn.pane.HTML(self._head("", None), stylesheets=[TEXT], margin=0, **WIDE)
        self.foot = pn.pane.HTML("", stylesheets=[TEXT], margin=(2, 0, 4, 0), **WIDE)
        rest = [widget for parameter, widget in self.widgets.items() if self._main and parameter != self._main.name]
        more: list[Any] = []
        if rest:
            column = pn.Column(*rest, **WIDE)
            more = [
                pmui.Accordion(
                    ("All settings", column),
                    active=[],
                    dynamic=True,
                    margin=(2, 0),
                    elevation=0,
                    title_variant="body2",
                    **WIDE,
                )
            ]
        self.fork_button, self.remove_button = (
            pmui.Button(label=label, variant="outlined", size="small", margin=(4, 8, 4, 0), height=34)
            for label in ("Fork", "Remove")
        )
        self.fork_button.on_click(lambda _: fork(name))
        self.remove_button.on_click(lambda _: remove(name))
        first = [] if self._main is None else [self.widgets[self._main.name]]
        buttons = pn.Row(self.fork_button, self.remove_button, margin=0)
        self._layout = pn.Column(
            self.head, *first, *more, buttons, self.foot,
            stylesheets=[CARD.replace("4px solid", f"4px solid {self._colour}")], margin=0, **WIDE,
        )  # fmt: skip

    def _made(self, tunable: Tunable) -> Any:
        widget = control(tunable, self.values[tunable.name])
        widget.margin = (2, 0)
        watched = "value" if isinstance(widget, pmui.Select) else "value_throttled"
        widget.param.watch(partial(self._let_go, tunable.name), watched)
        return widget

    def _let_go(self, parameter: str, event: Any) -> None:
        if not self._setting:
            self._tune(self.name_of, parameter, meant(event.obj, event.new))

    def show(self, numbers: Mapping[str, Any], measure: str, *, feet: bool) -> bool:
        """Draw a frame's numbers of this learner; returns whether its parameters are others than before.

        Parameters
        ----------
        numbers
            Its entry in ``Frame.learners``.
        measure
            The measure that is its score.
        feet
            Whether its speed and memory are due too: numbers that change all the time cannot be read.
        """
        changed = self._follow(numbers.get("parameters", {}))
        value = numbers["values"].get(measure)
        score = "" if value is None or math.isnan(value) else f"{value:.3f}"
        head = self._head(score, MEASURES[measure].title, numbers.get("spread", {}).get(measure))
        if head != self.head.object:
            self.head.object = head
        if feet and numbers["instances_per_second"]:
            foot = f"{numbers['instances_per_second']:,.0f} rows a second · {in_bytes(numbers['bytes'])}"
            self.foot.object = f"<p class='foot' title='Of processor time; memory of its state'>{foot}</p>"
        return changed

    def _follow(self, parameters: Mapping[str, Any]) -> bool:
        """Let the controls show what is so: at another instant of the run a parameter had another value."""
        before = dict(self.values)
        for name, value in parameters.items():
            if self.values.get(name) != value and name in self.widgets:
                self.values[name] = value
                widget = self.widgets[name]
                if isinstance(widget, (pmui.Select, pmui.DiscreteSlider)) and value not in widget.options.values():
                    # a number that was tuned in Python
                    offered = {**widget.options, f"{value:,.10g}": value}
                    widget.options = dict(sorted(offered.items(), key=lambda item: _order(item[1])))
                self._setting = True
                try:
                    widget.value = value
                finally:
                    self._setting = False
        return self.values != before

    def _head(self, score: str, measure: str | None, spread: tuple[float, float] | None = None) -> str:
        line = f"<i style='border-top-style:{self._line};border-color:{self._colour}'></i>"
        title = f" title='{as_html(measure)} over the whole stream so far'" if measure else ""
        said = "" if self._main is None else self._main.told(self.values[self._main.name])
        words = "a baseline: it looks at labels alone" if self._is_baseline else said
        sentence = f"<p>{as_html(words)}</p>" if words else ""
        seeds = "" if spread is None else f"<p>mean; the seeds reach from {spread[0]:.3f} to {spread[1]:.3f}</p>"
        return f"<h3>{line}<span>{as_html(self._title)}</span><b{title}>{score}</b></h3>{seeds}{sentence}"

    def __panel__(self) -> Any:
        return self._layout


class LearnerCards(pn.viewable.Viewer):
    """A card for each learner; they are the legend of the curves. Seeds of one learner share a card.

    Parameters
    ----------
    learners
        By name, in the order that decides colours.
    measure
        The measure that is their score.
    tune, fork, remove
        As each card's.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        measure: str,
        *,
        tune: Callable[[str, str, Any], None],
        fork: Callable[[str], None],
        remove: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._measure = measure
        self._feet_at = -math.inf
        self._groups = groups_of(learners)

        def tune_all(group: str, parameter: str, value: Any) -> None:
            for name in self._groups[group]:
                tune(name, parameter, value)

        def remove_all(group: str) -> None:
            for name in self._groups[group]:
                remove(name)

        titles = all_shown([title_of(group, members) for group, members in self._groups.items()])
        self.cards = [
            LearnerCard(
                group, title, learners[members[0]], place, tune=tune_all,
                fork=lambda group: fork(self._groups[group][0]), remove=remove_all,
            )
            for place, (title, (group, members)) in enumerate(zip(titles, self._groups.items(), strict=True))
        ]  # fmt: skip
        for card in self.cards:
            card.remove_button.visible = len(self.cards) > 1
        self._layout = pn.Column(*self.cards, stylesheets=[COLUMNS], **WIDE)

    def values(self) -> dict[str, dict[str, Any]]:
        """Return the parameters of each learner, by name, as they are set; of several seeds once, by the group's."""
        return {card.name_of: dict(card.values) for card in self.cards}

    def choose(self, measure: str) -> None:
        """Show another measure as the score."""
        self._measure = measure

    def show(self, frame: Frame, now: float) -> bool:
        """Draw a frame's numbers; ``now`` is the time, s. On the document's thread.

        Returns
        -------
        bool
            Whether parameters are others than those drawn before.
        """
        feet = now - self._feet_at >= FOOT_SECONDS or frame.state != "playing"
        if feet:
            self._feet_at = now
        changed = False
        for card in self.cards:
            members = [frame.learners[name] for name in self._groups[card.name_of] if name in frame.learners]
            if members:
                changed |= card.show(_together(members), self._measure, feet=feet)
        return changed

    def __panel__(self) -> Any:
        return self._layout


def _together(members: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the numbers of several seeds as those of one learner: means, their spread, and the bytes of all."""
    first = members[0]
    if len(members) == 1:
        return first
    values = {name: [each["values"].get(name, math.nan) for each in members] for name in first["values"]}
    speeds = [each["instances_per_second"] for each in members]
    return {
        **first,
        "values": {name: sum(found) / len(found) for name, found in values.items()},
        "spread": {name: (min(found), max(found)) for name, found in values.items()},
        "instances_per_second": sum(speeds) / len(speeds) if all(speeds) else None,
        "bytes": sum(each["bytes"] for each in members),
    }


def _order(value: Any) -> tuple[int, Any]:
    return (1, 0) if value is None else (0, value)


COLUMNS = """
:host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(min(250px,100%),1fr));gap:12px;
  align-items:start;grid-auto-rows:max-content;height:max-content!important}
.scroll-button{display:none!important}
"""


MOST_CARDS = 8


def cards_html(learner: str, events: Iterable[Event], kinds: Mapping[str, EventKind]) -> str:
    """Return cards of a learner's latest events, the newest first, as HTML.

    Parameters
    ----------
    learner
        Its name in the run.
    events
        Events in order; those of another kind than ``kinds`` has are left out.
    kinds
        The learner's ``events``.
    """
    known = [event for event in events if event.kind in kinds][-MOST_CARDS:]
    if not known:
        return (
            f'<p class="sl-card-hint">{as_html(learner)} has reported nothing yet. What it reports appears here, with '
            "the numbers that decided it.</p>"
        )
    return "".join(_event_card(event, kinds[event.kind]) for event in reversed(known))


def _event_card(event: Event, kind: EventKind) -> str:
    numbers = "".join(
        f"<div><dt>{as_html(words)}</dt><dd>{as_html(number_text(event.detail[key]))}</dd></div>"
        for key, words in kind.numbers.items()
        if event.detail.get(key) is not None
    )
    rule = f'<p class="sl-card-hint">{as_html(kind.rule, MOST_MESSAGE)}</p>' if kind.rule else ""
    return (
        f'<article style="border-left-color:{escape(kind.colour)}"><h4>{as_html(kind.title)}'
        f"<span>at {event.position:,}</span></h4><p>{as_html(event.message, MOST_MESSAGE)}</p>"
        f"{f'<dl>{numbers}</dl>' if numbers else ''}{rule}</article>"
    )


EVENT_STYLE = """
:host{font:12px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:block}
:host>div{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(270px,100%),1fr));gap:12px}
article{border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-left:4px solid #7F7F7F;
  border-radius:6px;padding:8px 12px;overflow-wrap:anywhere;min-width:0}
h4{font-size:13px;margin:0 0 2px;display:flex;justify-content:space-between;gap:8px}
h4 span{font-weight:400;opacity:.75;white-space:nowrap}p{margin:0 0 4px}
dl{display:grid;grid-template-columns:1fr;margin:4px 0;gap:1px}
dl div{display:flex;justify-content:space-between;gap:8px}
dd{margin:0;font-variant-numeric:tabular-nums}dt{opacity:.8}
.sl-card-hint{opacity:.78}
"""
