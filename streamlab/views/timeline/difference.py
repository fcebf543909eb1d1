"""How two learners differ along a run: the mean of their paired differences, with a band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, CustomJSTickFormatter, DataRange1d, Range1d
from bokeh.models.annotations import Band, Span, Title
from bokeh.plotting import figure

from streamlab.views.kit.text import figure_text

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Difference"]

HEIGHT = 190
COLOUR = "#5B5FC7"
COLUMNS = ("position", "mean", "low", "high")


class Difference(pn.viewable.Viewer):
    """A curve of ``Run.compare``: above 0 the second learner has the larger value.

    Parameters
    ----------
    n_rows
        The stream's length, which is the width of the axis; None: the axis grows.
    """

    def __init__(self, n_rows: int | None = None) -> None:
        super().__init__()
        self._source = ColumnDataSource({name: [] for name in COLUMNS})
        fig = figure(
            height=HEIGHT,
            sizing_mode="stretch_width",
            x_range=Range1d(start=0, end=n_rows) if n_rows else DataRange1d(start=0),
            y_range=DataRange1d(),
            x_axis_label="instances",
            title=" ",
            tools="",
            toolbar_location=None,
            output_backend="canvas",
            name="difference",
        )
        fig.xaxis.formatter = CustomJSTickFormatter(code="return tick.toLocaleString('en')")
        band = Band(base="position", lower="low", upper="high", source=self._source, fill_color=COLOUR, fill_alpha=0.2)
        fig.add_layout(band)
        fig.add_layout(Span(location=0, dimension="width", line_color=COLOUR, line_width=1, line_dash="dotted"))
        for edge in ("low", "high"):
            # so that the axis reaches as far as the band
            fig.line("position", edge, source=self._source, line_color=COLOUR, line_alpha=0.35)
        fig.line("position", "mean", source=self._source, line_color=COLOUR, line_width=2)
        self.figure = fig
        self._layout = pn.Column(pn.pane.Bokeh(fig, sizing_mode="stretch_width"), sizing_mode="stretch_width")

    def show(self, first: str, second: str, title: str, table: pd.DataFrame) -> None:
        """Draw a table of ``Run.compare`` of two learners; ``title`` is the measure's."""
        about: Any = self.figure.title
        assert isinstance(about, Title), "a text becomes a title"
        text = f"{title}: {figure_text(second, 40)} less {figure_text(first, 40)}, mean and 95 % band"
        if about.text != text:
            about.text = text
        values = {name: table[name].to_numpy(float) for name in COLUMNS}
        # one point alone has no band
        gaps = np.isnan(values["low"])
        for edge in ("low", "high"):
            values[edge] = np.where(gaps, values["mean"], values[edge])
        self._source.data = values if len(table) else {name: [] for name in COLUMNS}

    def __panel__(self) -> Any:
        return self._layout
