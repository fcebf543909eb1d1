"""The cards of learners: how each does, its parameters with their controls, and what it reports of itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from streamlab.lab.events import Event
from streamlab.lab.frame import Frame
from streamlab.lab.seeds import Band, groups_of
from streamlab.learners import Learner, Tunable
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, as_html, number_text, score_text
from streamlab.views.page.presets import who_is
from streamlab.views.page.screen import AT_ONCE, WIDE_CELL
from streamlab.views.page.window import WIDE, Part
from streamlab.views.timeline.bands import style_of, swatch_of, title_of
from streamlab.views.timeline.event_rows import as_it_was

FOOT_SECONDS = 1.0
TEXT = """
:host{font:13px/1.4 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
h3{font:600 13px/1.35 inherit;font-size:13px;margin:0;display:flex;gap:8px;align-items:baseline}
h3 i{flex:none;align-self:center;width:22px;height:3px} h3 span{min-width:0;overflow-wrap:anywhere}
h3 b{flex:none;margin-left:auto;font-size:17px;line-height:1.2;font-variant-numeric:tabular-nums}
p{margin:0;font-size:12px;line-height:1.3;opacity:.85;overflow-wrap:anywhere} p.foot{font-variant-numeric:tabular-nums}
"""
CARD = """
:host{border:1px solid rgba(128,128,128,.35);border-left:4px solid;border-radius:8px;
  padding:4px 10px!important;box-sizing:border-box;height:max-content!important}
"""
NAME = f"@container {WIDE_CELL}{{h3 span{{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}}}}"
ONE_LINE = f"""@container {WIDE_CELL}{{:host(:not(.sl-opened)){{display:grid!important;
  grid-template-columns:minmax(0,1fr) max-content;align-items:center;padding:2px 10px!important}}}}"""
OF = f"""
:host{{grid-column:1/-1;margin-bottom:-6px!important}} p{{font-size:11px;line-height:13px;text-align:right}}
@container {WIDE_CELL}{{:host{{display:none!important}}}}
"""
OPENED_ALONE = f"@container {WIDE_CELL}{{:host(:not(.sl-opened)){{display:none!important}}}}"
"""In a cell a card is one line until it is opened."""
TOLD_BELOW = """
.MuiFormLabel-root{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
legend{display:none!important}
.MuiSelect-select{padding:3px 28px 3px 8px!important;font-size:13px!important} fieldset{top:0!important}
.MuiInputBase-root{margin-bottom:3px}
"""
"""The label of a control whose value stands in words under it is for screen readers; one that lists values is low."""
MORE = """
.MuiButtonBase-root{min-width:0!important;min-height:24px!important;padding:0 6px!important;font-size:12px;
  text-transform:none!important}
"""
BESIDE = ":host{align-items:center}"
SLIM = f"@media {AT_ONCE}{{.MuiSlider-root{{padding:9px 0!important}}}}"
"""Where everything is seen at once, a slider is no higher than the button beside it."""
NO_SCORE = Band(*np.full((3,), math.nan))


def in_bytes(n: float) -> str:
    """Return a number of bytes for people."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:,.3g} {unit}"
    return f"{n:.0f} B"


class LearnerCard(Part):
    """One learner: its line, its score, what it does, its controls, its speed and memory.

    Its place among the learners decides its colour. ``tune(name, parameter, value)`` is called when somebody lets go
    of a control.
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
        colour, line = style_of(place)
        # on a dark page nearer to white, as the curves are, where the browser can
        self._colour = f"{{0}}:{colour};{{0}}:light-dark({colour},color-mix(in srgb,{colour} 62%,#fff))"
        self._swatch = swatch_of(line)
        self._is_baseline, self._remark = learner.is_baseline, learner.remark
        self._tune = tune
        self._setting = False
        self._main = main_tunable(learner)
        self.apart = ""
        """What tells it from another one whose card would say the same."""
        self.values: dict[str, Any] = {each.name: getattr(learner, each.name) for each in learner.tunables}
        self.widgets: dict[str, Any] = {each.name: self._made(each) for each in learner.tunables}
        self.head = pn.pane.HTML("", stylesheets=[TEXT, NAME], margin=0, **WIDE)
        self.text = pn.pane.HTML("", stylesheets=[TEXT], margin=0, **WIDE)
        self.foot = pn.pane.HTML("", stylesheets=[TEXT], margin=(2, 0, 4, 0), **WIDE)
        self._write(NO_SCORE, "")
        self.more_button, self.fork_button, self.remove_button = (
            pmui.Button(label=label, variant=variant, size="small", height=24, stylesheets=[MORE], margin=margin)
            for label, variant, margin in (
                ("More", "text", 0),
                ("Fork", "outlined", (4, 8, 4, 0)),
                ("Remove", "outlined", (4, 8, 4, 0)),
            )
        )
        self.more_button.on_click(self._open)
        self.fork_button.on_click(lambda _: fork(name))
        self.remove_button.on_click(lambda _: remove(name))
        self._more = pn.Column(margin=0, visible=False, **WIDE)
        first = [] if self._main is None else [self.widgets[self._main.name]]
        if self._main is not None and self._main.says:
            first[0].stylesheets = [*first[0].stylesheets, TOLD_BELOW]
        self._when_opened = [*first, self.text]
        for each in self._when_opened:
            each.stylesheets = [*each.stylesheets, OPENED_ALONE]
        # the button has no line of its own: the note under the cards needs the room
        beside = pn.Row(*(first or [self.text]), self.more_button, stylesheets=[BESIDE], margin=0, **WIDE)
        sheet = CARD.replace("4px solid", f"4px solid;{self._colour.format('border-left-color')}")
        self._layout = pn.Column(
            self.head, beside, *([self.text] if first else []), self._more,
            stylesheets=[sheet, ONE_LINE], margin=0, **WIDE,
        )  # fmt: skip

    def _open(self, _: Any) -> None:
        """Show what a first look does not need, or hide it: made when it is asked for."""
        if not self._more.objects:
            rest = [widget for name, widget in self.widgets.items() if self._main and name != self._main.name]
            self._more[:] = [*rest, pn.Row(self.fork_button, self.remove_button, margin=0), self.foot]
        self._more.visible = not self._more.visible
        for each in (self._layout, *self._when_opened):
            each.css_classes = ["sl-opened"] * self._more.visible
        self.more_button.label = "Less" if self._more.visible else "More"

    def _made(self, tunable: Tunable) -> Any:
        widget = control(tunable, self.values[tunable.name])
        widget.margin, widget.stylesheets = 0, [*widget.stylesheets, SLIM]
        watched = "value" if isinstance(widget, pmui.Select) else "value_throttled"
        widget.param.watch(partial(self._let_go, tunable.name), watched)
        return widget

    def _let_go(self, parameter: str, event: Any) -> None:
        if not self._setting:
            self._tune(self.name_of, parameter, meant(event.obj, event.new))

    def show(self, numbers: Mapping[str, Any], score: Band, of: str, *, feet: bool) -> bool:
        """Draw a frame's numbers of this learner; returns whether its parameters are others than before.

        With ``feet`` its speed and memory are due too: numbers that change all the time cannot be read.
        """
        changed = self._follow(numbers.get("parameters", {}))
        self._write(score, of)
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

    def _write(self, score: Band, of: str) -> None:
        line = f"<i style='{self._swatch};{self._colour.format('color')}'></i>"
        known = not math.isnan(score.middle)
        number = score_text(score.middle) if known else ""
        name = f"<span title='{escape(self._title)}'>{as_html(self._title)}</span>"
        head = f"<h3>{line}{name}<b title='{as_html(of)}'>{number}</b></h3>"
        if known and score.low < score.high:
            head += f"<p>mean; the seeds reach from {score_text(score.low)} to {score_text(score.high)}</p>"
        words = "a baseline: it does not look at the features" if self._is_baseline else self.in_words()
        html = "".join(f"<p>{as_html(text)}</p>" for text in (self.apart, words, self._remark) if text)
        self.head.object, self.text.object = head, html

    def in_words(self) -> str:
        """Return what its main parameter does, as it is set."""
        return "" if self._main is None else self._main.in_words(self.values[self._main.name])


class LearnerCards(Part):
    """A card for each learner, in the order that decides colours; they are the legend of the curves.

    Seeds of one learner share a card.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        *,
        tune: Callable[[str, str, Any], None],
        fork: Callable[[str], None],
        remove: Callable[[str], None],
    ) -> None:
        super().__init__()
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
        seen: set[str] = set()
        for card in self.cards:
            card.remove_button.visible = len(self.cards) > 1
            card.apart = who_is(card.name_of) if card.in_words() in seen else ""
            seen.add(card.in_words())
        self.of = pn.pane.HTML("", stylesheets=[TEXT, OF], margin=0, **WIDE)
        """Of which measure and which rows the figures on the cards are."""
        self._layout = pn.Column(self.of, *self.cards, stylesheets=[COLUMNS], **WIDE)

    def values(self) -> dict[str, dict[str, Any]]:
        """Return the parameters of each learner, by name, as they are set; of several seeds once, by the group's."""
        return {card.name_of: dict(card.values) for card in self.cards}

    def show(self, frame: Frame, scores: Mapping[str, Band], of: str, now: float) -> bool:
        """Draw a frame's numbers, and scores: the last point of each curve, by the learner's name without its seed.

        Returns whether parameters are others than those drawn before. On the document's thread.
        """
        feet = now - self._feet_at >= FOOT_SECONDS or frame.state != "playing"
        if feet:
            self._feet_at = now
        self.of.object = f"<p>{as_html(of)}</p>"
        changed = False
        for card in self.cards:
            members = [frame.learners[name] for name in self._groups[card.name_of] if name in frame.learners]
            if members:
                changed |= card.show(_together(members), scores.get(card.name_of, NO_SCORE), of, feet=feet)
        return changed


def _together(members: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the numbers of several seeds as those of one learner: their mean speed, and the bytes of all."""
    first = members[0]
    if len(members) == 1:
        return first
    speeds = [each["instances_per_second"] for each in members]
    return {
        **first,
        "instances_per_second": sum(speeds) / len(speeds) if all(speeds) else None,
        "bytes": sum(each["bytes"] for each in members),
    }


def _order(value: Any) -> tuple[int, Any]:
    return (1, 0) if value is None else (0, value)


COLUMNS = """
:host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(min(220px,100%),1fr));gap:8px;
  align-items:start;grid-auto-rows:max-content;height:max-content!important}
.scroll-button{display:none!important}
"""


def more_button(page: pmui.Page) -> pmui.Button:
    """Return the button under the cards that opens the drawer with what a first look does not need."""
    style = (
        ".MuiButtonBase-root{text-transform:none!important;font-size:12px;min-height:32px;padding:2px 8px!important}"
    )
    label, wide = "+ Learners, data", {"sizing_mode": "stretch_width", "margin": 0}
    button = pmui.Button(label=label, variant="outlined", size="small", stylesheets=[style], **wide)
    button.on_click(lambda _: setattr(page, "sidebar_open", True))
    return button


MOST_CARDS = 8


def cards_html(learner: str, events: Iterable[Event], kinds: Mapping[str, EventKind]) -> str:
    """Return cards of a learner's latest events of these kinds, the newest first, as HTML."""
    known = [event for event in events if event.kind in kinds][-MOST_CARDS:]
    if not known:
        return (
            f'<p class="sl-card-hint">{as_html(learner)} has reported nothing yet. What it reports appears here, with '
            "the numbers that decided it; an alarm about its error is a mark under the curves.</p>"
        )
    return "".join(_event_card(learner, event, kinds[event.kind]) for event in reversed(known))


def _event_card(learner: str, event: Event, kind: EventKind) -> str:
    kind = as_it_was(event, kind)
    numbers = "".join(
        f"<div><dt>{as_html(words)}</dt><dd>{as_html(number_text(event.detail[key]))}</dd></div>"
        for key, words in kind.numbers.items()
        if event.detail.get(key) is not None
    )
    rule = f'<p class="sl-card-hint">{as_html(kind.rule, MOST_MESSAGE)}</p>' if kind.rule else ""
    return (
        f"<article><h4>{as_html(learner)}: {as_html(kind.title)}<span>at {event.position:,}</span></h4>"
        f"<p>{as_html(event.message, MOST_MESSAGE)}</p>"
        f"{f'<dl>{numbers}</dl>' if numbers else ''}{rule}</article>"
    )


EVENT_STYLE = """
:host{font:12px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;display:block}
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


INFINITE = "∞"
BESIDE_END = 14
"""From the ends of a slider to their words, px: more than half a handle."""


def main_tunable(learner: Learner) -> Tunable | None:
    """Return the parameter that a card shows at once: the first that says what it does in words, else the first."""
    tunables = learner.tunables
    return next((each for each in tunables if each.says), tunables[0] if tunables else None)


def steps(tunable: Tunable, value: float) -> dict[str, float]:
    """Return what a logarithmic control offers, by the text that people read.

    1, 2, 5, 10 … inside the range, the value itself, and infinity if allowed.
    """
    low = max(tunable.low, 1.0) if tunable.high >= 100 else tunable.low
    # a range of many powers of ten is cut to the highest twelve: nobody moves a handle over three hundred
    low = max(low, tunable.high * 1e-12)
    values = {
        factor * 10.0**power
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(tunable.high)) + 1)
        for factor in (1.0, 2.0, 5.0)
        if low <= factor * 10.0**power <= tunable.high
    }
    if math.isfinite(value):
        values.add(float(value))
    return _offered(tunable, values)


def _offered(tunable: Tunable, values: Iterable[float]) -> dict[str, float]:
    """Return values by the text that people read, in order, with infinity at their end if that is allowed."""
    offered = {f"{value:,.10g}": value for value in sorted(values)}
    if tunable.infinite:
        offered[INFINITE] = math.inf
    return offered


def control(tunable: Tunable, value: Any) -> pn.widgets.Widget:
    """A slider for a parameter, whose ``value_throttled`` changes when the handle is let go; or a list to choose from.

    A parameter with ``choices`` is a list of them; one that may be None, a bound that need not be there, is a list of
    steps with what None means at its end.
    """
    unit = f" ({tunable.unit})" if tunable.unit else ""
    options: dict[str, Any] = {
        "label": f"{tunable.title or tunable.name.replace('_', ' ').capitalize()}{unit}",
        "sizing_mode": "stretch_width",
        "margin": (4, 18, 4, 18),
    }
    if tunable.help:
        options["description"] = tunable.help
    if tunable.choices:
        # thresholds of a user's own are none of the rules by name
        offered = tunable.choices if value in tunable.choices else (*tunable.choices, value)
        return pmui.Select(options={_words(choice): choice for choice in offered}, value=value, **options)
    if tunable.optional:
        bounds = _offered(tunable, _bounds(tunable, value))
        return pmui.Select(options={**bounds, tunable.none: None}, value=value, **options)
    if tunable.logarithmic or tunable.infinite:
        # no straight scale has a place for infinity
        choices = (
            steps(tunable, value) if tunable.logarithmic else _offered(tunable, map(float, _bounds(tunable, value)))
        )
        least, *_, most = choices
        sheets = [_ends(least, "never" if most == INFINITE and tunable.says_never else most)]
        return pmui.DiscreteSlider(options=choices, value=float(value), stylesheets=sheets, **options)
    low, high = tunable.low, max(tunable.high, value)
    options["stylesheets"] = [_ends(f"{low:,.10g}", f"{high:,.10g}")]
    if tunable.integer:
        return pmui.IntSlider(start=int(low), end=int(high), value=int(value), **options)
    # so fine that a range has some hundred steps, and written with as many digits
    digits = max(0, math.ceil(-math.log10((high - low) / 50)))
    written = f"0[.]{'0' * digits}" if digits else "0"
    return pmui.FloatSlider(start=low, end=high, value=value, step=10.0**-digits, format=written, **options)


def _ends(low: str, high: str) -> str:
    """Return rules that write the ends of a slider's range beside it."""
    before, after = (f"({len(text)}ch + {BESIDE_END}px)" for text in (low, high))
    return (
        f".MuiSlider-root{{width:calc(100% - {before} - {after})!important;margin-left:calc{before}!important;"
        "font-size:11px}"
        ".MuiSlider-root::before,.MuiSlider-root::after{position:absolute;top:50%;transform:translateY(-50%);"
        "white-space:nowrap;color:var(--mui-palette-text-secondary,inherit)}"
        f'.MuiSlider-root::before{{content:"{low}";right:calc(100% + {BESIDE_END}px)}}'
        f'.MuiSlider-root::after{{content:"{high}";left:calc(100% + {BESIDE_END}px)}}'
    )


def _words(choice: Any) -> str:
    if isinstance(choice, dict):
        return "own thresholds"
    return {True: "yes", False: "no"}.get(choice, str(choice)) if isinstance(choice, bool) else str(choice)


def _bounds(tunable: Tunable, value: float | None) -> list[float]:
    """Bounds that are offered: whole numbers of a short range, else 1, 2, 5 … of the powers; or fractions."""
    if not tunable.integer:
        offered = {tunable.low + (tunable.high - tunable.low) * step / 20 for step in range(21)}
    elif tunable.high - tunable.low <= 50:
        offered = set(range(int(tunable.low), int(tunable.high) + 1))
    else:
        offered = {int(f * tunable.high * 10.0**-p) for p in range(5) for f in (1, 0.5, 0.2)}
    if value is not None and math.isfinite(value):
        offered.add(int(value) if tunable.integer else value)
    return sorted(step for step in offered if step >= tunable.low)


def meant(widget: pn.widgets.Widget, released: float) -> float:
    """The value at which a handle was let go: panel-material-ui 0.16 gives a discrete slider's place in its list."""
    if isinstance(widget, pmui.DiscreteSlider) and isinstance(released, int):
        return widget.values[released]
    return released
