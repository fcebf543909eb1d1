"""Pictures that stand still: an evaluation's curves for a notebook or a paper."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import holoviews as hv
from bokeh.models.annotations import Label

from streamlab._checks import checked_choice
from streamlab.measures import MEASURES
from streamlab.views.hosting.notebook import in_kernel
from streamlab.views.still import PER, dated_names
from streamlab.views.timeline.bands import LINESTYLES, style_of

if TYPE_CHECKING:
    from streamlab.evaluate import PrequentialResult

MARK = "#7F7F7F"


def plot_curves(
    result: PrequentialResult, measure: str = "micro_f1", over: str = "chunk", *, backend: str = "bokeh", **options: Any
) -> Any:
    """A measure's curve of each learner, with drifts and tunings as dated lines, each under its name.

    The legend stands outside the data. A line's name is left out where it would run into the one before.

    Parameters
    ----------
    result
        What ``prequential`` returned.
    measure
        Of the run's measures.
    over
        ``"chunk"``, ``"cumulative"``, ``"faded"``, or ``"tenth"`` for the mean of each tenth of the stream.
    backend
        ``"bokeh"``: a HoloViews overlay to hover over and zoom, which needs JavaScript; ``"matplotlib"``: a figure that
        is a picture wherever it is shown.
    options
        For the overlay's ``opts``: ``width`` and ``height`` in pixels, ``title`` and others of the backend.

    Returns
    -------
    holoviews.Overlay or matplotlib.figure.Figure

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
    checked_choice("measure", measure, result.summary.columns)
    _load(backend)
    value = hv.Dimension(measure, label=f"{MEASURES[measure].title}, {PER.get(over, over)}")
    position = hv.Dimension("position", label="instances", value_format=None if backend == "bokeh" else _thousands)
    parts: list[Any] = []
    for i, name in enumerate(result.run.learner_runs):
        curve = hv.Curve(table[table.learner == name], position, value, label=name)
        parts.append(curve.opts(**_line(i, backend), backend=backend))
    marks = [(event.position, event.message) for event in result.run.log if event.is_dated]
    parts += [hv.VLine(at).opts(**_MARK[backend], backend=backend) for at, _ in marks]
    width, height = options.pop("width", 800), options.pop("height", 320)
    last = max(1, int(table.position.max())) if len(table) else 1
    named = dated_names(marks, last, width)
    overlay = hv.Overlay(parts)
    if backend == "bokeh":
        shape = {"width": width, "height": height, "legend_position": "bottom", "show_grid": True, "padding": (0, 0.2)}
        shape["hooks"] = [partial(_name_on_bokeh, named), *options.pop("hooks", [])]
        return overlay.opts(**{**shape, **options}, backend="bokeh")
    title = options.pop("title", "")
    shape = {"fig_inches": (width / 100, height / 100), "show_legend": False, "show_grid": True}
    shape |= {"xlabel": position.label, "ylabel": value.label, "aspect": width / height}
    figure = hv.render(overlay.opts(**{**shape, **options}, backend="matplotlib"), backend="matplotlib")
    _finish(figure, title, named, list(result.run.learner_runs), last)
    return figure


def _name_on_bokeh(named: list[tuple[int, str]], plot: Any, _: Any) -> None:
    """Write the names at the foot of their lines, on the room that the padding leaves under the curves."""
    text: dict[str, Any] = {"text_font_size": "11px", "text_color": "#595959", "text_align": "center"}
    ground: dict[str, Any] = {"background_fill_color": "white", "background_fill_alpha": 0.8}
    for at, name in named:
        plot.state.add_layout(Label(x=at, y=3, y_units="screen", text=name, **text, **ground))


def _finish(figure: Any, title: str, named: list[tuple[int, str]], learners: list[str], last: int) -> None:
    """Write the names above their lines, the title above these, and the legend below the axes, clear of the data."""
    (axes,) = figure.axes
    figure.set_layout_engine("constrained")
    axes.set_aspect("auto")
    axes.set_xlim(0, 1.01 * last)
    for at, name in named:
        axes.annotate(
            name, (at, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points", ha="center",
            fontsize=9, color="#595959",
        )  # fmt: skip
    axes.set_title(title, pad=18 if named else 6, fontsize=12)
    axes.tick_params(labelsize=9)
    axes.xaxis.label.set_size(10)
    axes.yaxis.label.set_size(10)
    lines = [line for line in axes.get_lines() if line.get_label() in learners]
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "ncols": 4, "frameon": False, "fontsize": 9}
    axes.legend(lines, learners, handlelength=3, **place)


_MARK = {
    "bokeh": {"color": MARK, "line_dash": "dashed", "line_width": 1},
    "matplotlib": {"color": MARK, "linestyle": "--", "linewidth": 1},
}


def _thousands(number: float) -> str:
    return f"{number:,.0f}"


def _line(index: int, backend: str) -> dict[str, Any]:
    colour, dash = style_of(index)
    if backend == "bokeh":
        return {"color": colour, "line_dash": dash, "line_width": 2, "tools": ["hover"]}
    return {"color": colour, "linestyle": LINESTYLES[dash], "linewidth": 2}


def _load(backend: str) -> None:
    """Make HoloViews ready to draw, in a notebook with Bokeh's JavaScript from this machine: no address is asked."""
    if backend == "matplotlib":
        try:
            import holoviews.plotting.mpl  # noqa: F401
        except ModuleNotFoundError as error:
            raise ImportError(f'this takes Matplotlib ({error}): pip install "streamlab[notebook]"') from None
    elif in_kernel() and not getattr(hv.extension, "_loaded", False):
        hv.extension("bokeh", inline=True, logo=False)
    elif "bokeh" not in hv.Store.loaded_backends():
        hv.extension("bokeh")
