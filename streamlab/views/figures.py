"""Pictures that stand still: an evaluation's curves for a notebook or a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import holoviews as hv

from streamlab.measures import MEASURES
from streamlab.views.hosting.notebook import in_kernel
from streamlab.views.kit.palette import style_of

if TYPE_CHECKING:
    from streamlab.evaluate import PrequentialResult

__all__ = ["plot_curves"]

MARK = "#7F7F7F"


def plot_curves(
    result: PrequentialResult, measure: str = "micro_f1", over: str = "chunk", *, backend: str = "bokeh", **options: Any
) -> Any:
    """A measure's curve of each learner, with drifts and tunings as dated lines.

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
    if backend not in ("bokeh", "matplotlib"):
        raise ValueError(f"backend={backend!r}: expected 'bokeh' or 'matplotlib'")
    if over not in ("chunk", "cumulative", "faded", "tenth"):
        raise ValueError(f"over={over!r}: expected 'chunk', 'cumulative', 'faded' or 'tenth'")
    tenths = result.tenths.rename(columns={"stop": "position"})
    table = tenths if over == "tenth" else result.curves_over(over)
    if measure not in table:
        raise ValueError(f"measure={measure!r} is not in this result; choose among {', '.join(result.summary.columns)}")
    _load(backend)
    value = hv.Dimension(measure, label=f"{MEASURES[measure].title}, {PER.get(over, over)}")
    position = hv.Dimension("position", label="instances", value_format=None if backend == "bokeh" else _thousands)
    parts: list[Any] = []
    for i, name in enumerate(result.run.learner_runs):
        curve = hv.Curve(table[table.learner == name], position, value, label=name)
        parts.append(curve.opts(**_line(i, backend), backend=backend))
    for event in result.run.log:
        if event.is_dated:
            parts.append(hv.VLine(event.position).opts(**_MARK[backend], backend=backend))
    width, height = options.pop("width", 800), options.pop("height", 320)
    overlay = hv.Overlay(parts)
    if backend == "bokeh":
        shape = {"width": width, "height": height, "legend_position": "top", "show_grid": True}
        return overlay.opts(**{**shape, **options}, backend="bokeh")
    shape = {"aspect": width / height, "fig_inches": (width / 100, height / 100), "legend_position": "inner"}
    shape |= {"show_grid": True, "xlabel": position.label, "ylabel": value.label}
    return hv.render(overlay.opts(**{**shape, **options}, backend="matplotlib"), backend="matplotlib")


PER = {"chunk": "per chunk", "tenth": "per tenth"}
_MARK = {
    "bokeh": {"color": MARK, "line_dash": "dashed", "line_width": 1},
    "matplotlib": {"color": MARK, "linestyle": "--", "linewidth": 1},
}
_LINESTYLE = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-.", "dashdot": (0, (6, 2, 1, 2))}


def _thousands(number: float) -> str:
    return f"{number:,.0f}"


def _line(index: int, backend: str) -> dict[str, Any]:
    colour, dash = style_of(index)
    if backend == "bokeh":
        return {"color": colour, "line_dash": dash, "line_width": 2, "tools": ["hover"]}
    return {"color": colour, "linestyle": _LINESTYLE[dash], "linewidth": 2}


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
