"""An evaluation's curves: to hover over and zoom in a notebook, or on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import holoviews as hv
from bokeh.models import CrosshairTool
from bokeh.models.annotations import Label, Span

from streamlab._checks import checked_choice
from streamlab.evaluate import main_first
from streamlab.measures import MEASURES
from streamlab.views.hosting.notebook import in_kernel
from streamlab.views.timeline.bands import PER, dated_names, style_of

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.evaluate import PrequentialResult

MARK = "#7F7F7F"
LOW = 240
"""Height of a panel whose legend stands below another one, in pixels."""


def plot_curves(
    result: PrequentialResult,
    measure: str | Sequence[str] | None = None,
    over: str = "chunk",
    *,
    backend: str = "bokeh",
    **options: Any,
) -> Any:
    """Return measures' curves of each learner, with drifts and tunings as dated lines, each under its name.

    The legend stands outside the data. A line's name is left out where it would run into the one before.

    Parameters
    ----------
    result
        What ``prequential`` returned.
    measure
        Of the run's measures, or several of them: a panel for each. Default: ``"micro_f1"`` if it is among them, else
        the first.
    over
        ``"chunk"``, ``"cumulative"``, ``"faded"``, or ``"tenth"`` for the mean of each tenth of the stream.
    backend
        ``"bokeh"``: HoloViews, which needs JavaScript: pointing at a row tells the values of all learners, and panels
        are zoomed and pointed at together; ``"matplotlib"``: a figure that is a picture wherever it is shown.
    options
        Of each panel: ``width`` and ``height`` in pixels (Matplotlib: of the figure), ``title``, and others of
        HoloViews' ``opts`` or of Matplotlib's ``Axes.set``.

    Returns
    -------
    holoviews.Overlay (of several measures holoviews.Layout) or matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the result has no such measure, or for another backend.
    ImportError
        If Matplotlib is asked for and not installed.
    """
    checked_choice("backend", backend, ("bokeh", "matplotlib"))
    checked_choice("over", over, ("chunk", "cumulative", "faded", "tenth"))
    tenths = result.tenths.rename(columns={"stop": "position"})
    table = tenths if over == "tenth" else result.curves_over(over)
    known = [name for name in result.summary.columns if name in MEASURES]
    if measure is None:
        measure = main_first(known)[0]
    measures = [measure] if isinstance(measure, str) else list(measure)
    if not measures:
        raise ValueError("measure: expected at least one")
    for each in measures:
        checked_choice("measure", each, known)
    learners = list(result.run.learner_runs)
    dated = [(event.position, event.message) for event in result.run.log if event.is_dated]
    if backend == "matplotlib":
        try:
            from streamlab.views.on_paper import figure_of_curves
        except ModuleNotFoundError as error:
            raise ImportError(f'this takes Matplotlib ({error}): pip install "streamlab[notebook]"') from None
        return figure_of_curves(table, measures, over, learners, dated, options)
    load_bokeh()
    shapes = [{"show_legend": False, "height": LOW} for _ in measures[1:]] + [{}]
    panels = [
        _panel(table, each, over, learners, dated, shape | options)
        for each, shape in zip(measures, shapes, strict=True)
    ]
    return panels[0] if len(panels) == 1 else hv.Layout(panels).cols(1)


def _panel(
    table: pd.DataFrame,
    measure: str,
    over: str,
    learners: list[str],
    dated: list[tuple[int, str]],
    options: Mapping[str, Any],
) -> Any:
    title = MEASURES[measure].title
    value = hv.Dimension(measure, label=f"{title}, {PER.get(over, over)}")
    position = hv.Dimension("position", label="instances")
    # one note for all learners, at the first one's curve, which carries the others' values
    places = {name: f"learner {i}" for i, name in enumerate(learners)}
    wide = table.pivot(index="position", columns="learner", values=measure).rename(columns=places)
    note = [("instances", "@position{0,0}"), *((name, f"@{{{place}}}{{0.000}}") for name, place in places.items())]
    parts: list[Any] = []
    for i, name in enumerate(learners):
        own = table[table.learner == name]
        colour, dash = style_of(i)
        style: dict[str, Any] = {"color": colour, "line_dash": dash, "line_width": 2}
        values = [value]
        if i == 0:
            own = own.merge(wide, left_on="position", right_index=True)
            values += places.values()
            style |= {"tools": ["hover"], "hover_mode": "vline", "hover_tooltips": note}
        parts.append(hv.Curve(own, position, values, label=name).opts(**style, backend="bokeh"))
    for at, _ in dated:
        parts.append(hv.VLine(at).opts(color=MARK, line_dash="dashed", line_width=1, backend="bokeh"))
    shape: dict[str, Any] = {
        "width": 800,
        "height": 320,
        "legend_position": "bottom",
        "show_grid": True,
        "padding": (0, 0.2),
    }
    shape |= options
    last = max(1, int(table.position.max())) if len(table) else 1
    named = partial(_name_on_bokeh, dated_names(dated, last, shape["width"]))
    shape["hooks"] = [named, _point_together, *options.get("hooks", [])]
    return hv.Overlay(parts).opts(**shape, backend="bokeh")


def _name_on_bokeh(named: list[tuple[int, str]], plot: Any, _: Any) -> None:
    """Write the names at the foot of their lines, on the room that the padding leaves under the curves."""
    text: dict[str, Any] = {"text_font_size": "11px", "text_color": "#595959", "text_align": "center"}
    ground: dict[str, Any] = {"background_fill_color": "white", "background_fill_alpha": 0.8}
    for at, name in named:
        plot.state.add_layout(Label(x=at, y=3, y_units="screen", text=name, **text, **ground))


_pointers: WeakKeyDictionary[Any, Span] = WeakKeyDictionary()
"""The line under the mouse, by the range of x that panels have in common."""


def _point_together(plot: Any, _: Any) -> None:
    """Let the line under the mouse go through all panels that are zoomed together."""
    pointer = _pointers.setdefault(plot.state.x_range, Span(dimension="height", line_color=MARK, line_width=1))
    plot.state.add_tools(CrosshairTool(overlay=pointer))


def load_bokeh() -> None:
    """Make HoloViews ready to draw, in a notebook with Bokeh's JavaScript from this machine: no address is asked."""
    if in_kernel() and not getattr(hv.extension, "_loaded", False):
        hv.extension("bokeh", inline=True, logo=False)
    elif "bokeh" not in hv.Store.loaded_backends():
        hv.extension("bokeh")
