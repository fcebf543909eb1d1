"""Pictures that stand still: an evaluation's curves for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import holoviews as hv

from streamlab.measures import MEASURES
from streamlab.views.palette import style_of

if TYPE_CHECKING:
    from streamlab.evaluate import PrequentialResult

__all__ = ["plot_curves"]


def plot_curves(
    result: PrequentialResult, measure: str = "micro_f1", over: str = "chunk", **options: Any
) -> hv.Overlay:
    """A measure's curve of each learner, with drifts and tunings as dated lines.

    Parameters
    ----------
    result
        What ``prequential`` returned.
    measure
        Of the run's measures.
    over
        ``"chunk"``, ``"cumulative"``, ``"faded"``, or ``"tenth"`` for the mean of each tenth of the stream.
    options
        For the overlay's ``opts``.

    Raises
    ------
    ValueError
        If the result has no such measure.
    """
    if not hv.Store.current_backend or "bokeh" not in hv.Store.loaded_backends():
        hv.extension("bokeh")
    tenths = result.tenths.rename(columns={"stop": "position"})
    table = tenths if over == "tenth" else result.curves_over(over)
    if measure not in table:
        raise ValueError(f"measure={measure!r} is not in this result; choose among {', '.join(result.summary.columns)}")
    about = MEASURES[measure]
    value = hv.Dimension(measure, label=f"{about.title}, {over}")
    parts: list[Any] = []
    for i, name in enumerate(result.run.tracks):
        colour, dash = style_of(i)
        rows = table[table.learner == name]
        curve = hv.Curve(rows, hv.Dimension("position", label="instances"), value, label=name)
        parts.append(curve.opts(color=colour, line_dash=dash, line_width=2, tools=["hover"]))
    for event in result.events.itertuples():
        if event.kind in ("drift", "tuned"):
            parts.append(hv.VLine(event.position).opts(color="#7F7F7F", line_dash="dashed", line_width=1))
    defaults = {"width": 800, "height": 320, "legend_position": "top", "show_grid": True}
    return hv.Overlay(parts).opts(**{**defaults, **options})
