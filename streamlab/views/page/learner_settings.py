"""The settings of learners: all their parameters with their controls, fork and remove; made when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab.frame import Frame
from streamlab.lab.seeds import groups_of
from streamlab.learners import Learner, Tunable
from streamlab.views.kit.text import all_shown, as_html, in_bytes
from streamlab.views.page.presets import who_is
from streamlab.views.page.window import WIDE, Part
from streamlab.views.timeline.bands import title_of

TEXT = """
:host{font:14px/1.4 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
h3{font-size:15px;font-weight:600;margin:0 0 4px;overflow-wrap:anywhere} p{margin:0 0 4px;font-size:13px;opacity:.85}
"""


class LearnerSettings:
    """The parameters of each learner as they are set, and on request a part with a control for each.

    Seeds of one learner share their settings.

    Parameters
    ----------
    learners
        The run's learners by name.
    tune
        Called as ``tune(name, parameter, value)`` when somebody lets go of a control.
    fork, remove
        Called with a name; without ``fork`` there is no button for it.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        *,
        tune: Callable[[str, str, Any], None],
        fork: Callable[[str], None] | None,
        remove: Callable[[str], None],
    ) -> None:
        self.groups = groups_of(learners)
        titles = all_shown([title_of(group, members) for group, members in self.groups.items()])
        self.titles = dict(zip(self.groups, titles, strict=True))
        self._learners = {group: learners[members[0]] for group, members in self.groups.items()}
        self._values: dict[str, dict[str, Any]] = {
            group: {each.name: getattr(learner, each.name) for each in learner.tunables}
            for group, learner in self._learners.items()
        }
        self._tune, self._fork, self._remove = tune, fork, remove
        self._open: dict[str, SettingsForm] = {}

    def values(self) -> dict[str, dict[str, Any]]:
        """Return the parameters of each learner, by name, as they are set; of several seeds once, by the group's."""
        return {group: dict(values) for group, values in self._values.items()}

    def tune(self, group: str, parameter: str, value: Any) -> None:
        """Set a parameter of a learner, or of all its seeds."""
        for name in self.groups[group]:
            self._tune(name, parameter, value)

    def _remove_all(self, group: str) -> None:
        for name in self.groups[group]:
            self._remove(name)

    def form(self, group: str) -> SettingsForm:
        """Return the controls of a learner, which are made when they are asked for first."""
        if group not in self._open:
            self._open[group] = SettingsForm(
                self.titles[group], group, self._learners[group], self._values[group],
                tune=partial(self.tune, group),
                fork=None if self._fork is None else partial(self._fork, self.groups[group][0]),
                remove=partial(self._remove_all, group) if len(self.groups) > 1 else None,
            )  # fmt: skip
        return self._open[group]

    def follow(self, frame: Frame) -> bool:
        """Take the parameters that a frame has; returns whether they are others than before.

        At another instant of the run a parameter had another value.
        """
        changed = False
        for group, members in self.groups.items():
            numbers = [frame.learners[name] for name in members if name in frame.learners]
            if not numbers:
                continue
            now, held = numbers[0].get("parameters", {}), self._values[group]
            changed |= any(held.get(name) != value for name, value in now.items())
            held |= now
            if group in self._open:
                self._open[group].show(held, numbers)
        return changed


class SettingsForm(Part):
    """A control for each parameter of a learner, its speed and memory, and what can be done with it."""

    def __init__(
        self,
        title: str,
        name: str,
        learner: Learner,
        values: Mapping[str, Any],
        *,
        tune: Callable[[str, Any], None],
        fork: Callable[[], None] | None,
        remove: Callable[[], None] | None,
    ) -> None:
        super().__init__()
        self._tune, self._setting = tune, False
        self._values = dict(values)
        self.widgets: dict[str, Any] = {each.name: self._made(each) for each in learner.tunables}
        about = [text for text in (who_is(name), learner.remark) if text]
        head = f"<h3>{as_html(title)}</h3>{''.join(f'<p>{as_html(text)}</p>' for text in about)}"
        self.foot = pn.pane.HTML("", stylesheets=[TEXT], margin=(6, 0, 0, 0), **WIDE)
        self.fork_button = pmui.Button(
            label="Fork", variant="outlined", size="small", margin=(6, 8, 0, 0), visible=fork is not None
        )
        self.remove_button = pmui.Button(
            label="Remove", variant="outlined", size="small", margin=(6, 0, 0, 0), visible=remove is not None
        )
        self.fork_button.on_click(lambda _: fork() if fork is not None else None)
        self.remove_button.on_click(lambda _: remove() if remove is not None else None)
        self._layout = pn.Column(
            pn.pane.HTML(head, stylesheets=[TEXT], margin=0, **WIDE), *self.widgets.values(), self.foot,
            pn.Row(self.fork_button, self.remove_button, margin=0), margin=0, **WIDE,
        )  # fmt: skip

    def _made(self, tunable: Tunable) -> Any:
        widget = control(tunable, self._values[tunable.name])
        widget.margin = (4, 0)
        watched = "value" if isinstance(widget, pmui.Select) else "value_throttled"
        widget.param.watch(partial(self._let_go, tunable.name), watched)
        return widget

    def _let_go(self, parameter: str, event: Any) -> None:
        if not self._setting:
            self._tune(parameter, meant(event.obj, event.new))

    def show(self, values: Mapping[str, Any], numbers: Sequence[Mapping[str, Any]]) -> None:
        """Let the controls show what is so, and say how fast the learner is and how much memory its state takes."""
        for name, value in values.items():
            if self._values.get(name) != value and name in self.widgets:
                self._values[name] = value
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
        speeds = [each["instances_per_second"] for each in numbers]
        if all(speeds):
            memory = in_bytes(sum(each["bytes"] for each in numbers))
            self.foot.object = f"<p>{sum(speeds) / len(speeds):,.0f} rows a second · {memory}</p>"


def _order(value: Any) -> tuple[int, Any]:
    return (1, 0) if value is None else (0, value)


INFINITE = "∞"
BESIDE_END = 14
"""From the ends of a slider to their words, px: more than half a handle."""


def main_tunable(learner: Learner) -> Tunable | None:
    """Return the parameter that a card shows at once: the first that says what it does in words, else the first."""
    # what is made of several is none of them
    is_group = getattr(learner, "made_of", "") == "learners"
    tunables = [each for each in learner.tunables if not (is_group and "__" in each.name)]
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


def offered_values(tunable: Tunable, value: Any) -> dict[str, Any]:
    """Return the values that a parameter is stepped through, with the present one, by the text that people read."""
    if tunable.choices:
        offered = tunable.choices if value in tunable.choices else (*tunable.choices, value)
        return {_words(choice): choice for choice in offered}
    if tunable.optional:
        return {**_offered(tunable, _bounds(tunable, value)), tunable.none: None}
    return steps(tunable, value) if tunable.logarithmic else _offered(tunable, _bounds(tunable, value))


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
    if tunable.choices or tunable.optional:
        # thresholds of a user's own are none of the rules by name
        return pmui.Select(options=offered_values(tunable, value), value=value, **options)
    if tunable.logarithmic or tunable.infinite:
        # no straight scale has a place for infinity
        choices = {text: float(each) for text, each in offered_values(tunable, value).items()}
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
