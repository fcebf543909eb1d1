"""Controls for the parameters that may change while the stream runs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.learners import Learner, Tunable

INFINITE = "∞"
BESIDE_END = 12
"""From the ends of a slider to their words, px: more than half a handle."""


def main_tunable(learner: Learner) -> Tunable | None:
    """Return the parameter that a card shows at once: the first that says what it does in words, else the first."""
    tunables = learner.tunables
    return next((each for each in tunables if each.says), tunables[0] if tunables else None)


def steps(tunable: Tunable, value: float) -> dict[str, float]:
    """What a logarithmic control offers: 1, 2, 5, 10 … inside the range, the value itself, and infinity if allowed.

    Returns
    -------
    dict
        The text that people read, and the value.
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
