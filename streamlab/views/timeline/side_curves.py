"""The curves beside the timeline: the levels of a hierarchy, and how two learners differ along a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, CustomJSTickFormatter, DataRange1d, HoverTool, Range1d, SaveTool
from bokeh.models.annotations import Band, LabelSet, Legend, Span, Title
from bokeh.plotting import figure

from streamlab.lab.frame import CurveUpdate
from streamlab.views.kit.text import figure_text, numbered

if TYPE_CHECKING:
    import pandas as pd

LEVEL_TITLES = {
    "f1": "F1 of each level",
    "precision": "Precision of each level",
    "recall": "Recall of each level",
    "first_wrong": "First wrong at each level",
}
"""What people read, by the names of ``lab.frame.LEVEL_MEASURES``."""
COLOUR = "#5B5FC7"
"""Of what is no learner's own curve: no learner has it."""
MARK = "#7c838d"
"""Of the marks where the stream changes, on light and dark paper."""
LEVEL_STYLES: tuple[tuple[float, Any], ...] = ((4, "solid"), (3, [10, 3]), (2.25, [5, 3]), (1.75, [2, 3]))
"""Width and dash of a level, the top one first; the levels below these are as the last."""
HEIGHT = 230
"""The least, in pixels."""
FILLING = ":host{height:100%!important}"
"""As tall as what holds it, if that has a height: a sizing mode that stretches would change the heights around it."""
STEP, MARGIN = 0.1, 0.01


class LevelCurves(pn.viewable.Viewer):
    """Curves that grow, one a level, the top level first; points are streamed.

    Parameters
    ----------
    n_levels
        Levels of the hierarchy.
    n_rows
        The stream's length, which is the width of the axis; None: the axis grows.
    """

    def __init__(self, n_levels: int, n_rows: int | None = None) -> None:
        super().__init__()
        self._columns = [f"level{level}" for level in range(n_levels)]
        self._source = ColumnDataSource(self._empty())
        self._extent = (np.inf, -np.inf)
        x_range = Range1d(start=0, end=n_rows) if n_rows else DataRange1d(start=0)
        self._y_range = Range1d(start=0, end=1)
        fig = figure(
            height=HEIGHT,
            min_height=HEIGHT,
            sizing_mode="stretch_width",
            styles={"flex": "1 1 auto"},
            x_range=x_range,
            y_range=self._y_range,
            x_axis_label=f"row, of {n_rows:,}" if n_rows else "row",
            title=" ",
            tools="xpan,xwheel_zoom,box_zoom,reset,save",
            active_drag=None,
            active_scroll=None,
        )
        fig.toolbar.update(logo=None, autohide=True)
        for tool in fig.toolbar.tools:
            if isinstance(tool, SaveTool):
                tool.filename = "streamlab-levels"
        fig.xaxis.formatter = CustomJSTickFormatter(code="return tick.toLocaleString('en')")
        lines: list[tuple[str, list[Any]]] = []
        for level, column in enumerate(self._columns):
            wide, dash = LEVEL_STYLES[min(level, len(LEVEL_STYLES) - 1)]
            line = fig.line("position", column, source=self._source, color=COLOUR, line_dash=dash, line_width=wide)
            lines.append((_name(level, n_levels), [line]))
        legend = Legend(items=lines, orientation="horizontal", click_policy="hide", ncols=4)
        legend.update(label_text_font_size="12px", border_line_color=None, background_fill_alpha=0.0, margin=2)
        fig.add_layout(legend, "above")
        if lines:
            fig.add_tools(
                HoverTool(
                    renderers=[lines[0][1][0]],
                    mode="vline",
                    line_policy="nearest",
                    tooltips=[
                        ("instances", "@position{0,0}"),
                        *((f"level {i + 1}", f"@{column}{{0.000}}") for i, column in enumerate(self._columns)),
                    ],
                )
            )
        self._marks = ColumnDataSource({"position": [], "sign": []})
        # on their upper end: a value of the axis, which moves
        fig.ray("position", 0, 0, np.pi / 2, source=self._marks, line_color=MARK, line_dash=[3, 3])
        self._signs = LabelSet(
            x="position", y=self._y_range.end, text="sign", source=self._marks, text_color=MARK, text_align="center",
            text_baseline="top", text_font_style="bold", text_font_size="15px",
        )  # fmt: skip
        fig.add_layout(self._signs)
        self.figure = fig
        tall: dict[str, Any] = {"sizing_mode": "stretch_width", "stylesheets": [FILLING]}
        self._layout = pn.Column(pn.pane.Bokeh(fig, **tall), **tall)

    def mark(self, starts: Sequence[int]) -> None:
        """Mark where the stream changed, in order: ①, ② and so on."""
        if list(self._marks.data["position"]) != list(starts):
            signs = [numbered(number) for number in range(1, len(starts) + 1)]
            self._marks.data = {"position": list(starts), "sign": signs}

    def _empty(self) -> dict[str, list]:
        return {"position": [], **{column: [] for column in self._columns}}

    def describe(self, learner: str, measure: str, over: str) -> None:
        """Say what is drawn: whose, which of ``LEVEL_TITLES``, and averaged how."""
        lower = " (lower is better)" if measure == "first_wrong" else ""
        title = f"{figure_text(learner)}: {LEVEL_TITLES[measure]}, {over}{lower}"
        shown = self.figure.title
        assert isinstance(shown, Title), "a text becomes a title"
        if shown.text != title:
            shown.text = title

    def update(self, new: CurveUpdate) -> None:
        """Append points, or draw all of them again after a reset; on the document's thread."""
        if not len(new.positions) and not new.reset:
            return
        columns: dict[str, Any] = {
            "position": new.positions,
            **{self._columns[level]: each for level, each in new.values.items()},
        }
        if new.reset:
            # lists where there is no point: an empty array travels as an empty message, which never arrives
            self._source.data = columns if len(new.positions) else self._empty()
            self._extent = (np.inf, -np.inf)
        else:
            self._source.stream(columns)
        if len(new.positions):
            self._fit(np.concatenate(list(new.values.values())))

    def _fit(self, values: np.ndarray) -> None:
        """Fit the vertical axis in coarse steps, so that it moves seldom."""
        low, high = min(self._extent[0], float(values.min())), max(self._extent[1], float(values.max()))
        self._extent = low, high
        start = max(0.0, np.floor((low - MARGIN) / STEP) * STEP)
        end = min(1.0, np.ceil((high + MARGIN) / STEP) * STEP)
        if (start, end) != (self._y_range.start, self._y_range.end) and start < end:
            self._y_range.update(start=start, end=end)
            self._signs.y = end

    def __panel__(self):
        return self._layout


def _name(level: int, n_levels: int) -> str:
    top = " (top)" if level == 0 and n_levels > 1 else ""
    return f"level {level + 1}{top}"


DIFFERENCE_HEIGHT = 190
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
            height=DIFFERENCE_HEIGHT,
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
