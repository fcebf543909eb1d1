"""The curves of a run: one Bokeh figure per measure over one streamed source, with dated marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, CustomJSTickFormatter, DataRange1d, HoverTool, Range1d, SaveTool
from bokeh.models.annotations import Legend
from bokeh.plotting import figure

from streamlab.lab.earlier import EarlierRun
from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate
from streamlab.measures import MEASURES
from streamlab.views.kit.text import figure_text, numbered, shown
from streamlab.views.timeline.bands import earlier_lines, lines_of
from streamlab.views.timeline.drift_ruler import DRIFT, DriftRuler, Kinds

__all__ = ["Curves"]

TUNED = "#7F7F7F"
PLAYHEAD = "#5B5FC7"
OVER = {"chunk": "per chunk", "faded": "faded", "cumulative": "cumulative"}
HEIGHT = 250
MOST_LEGEND, MOST_MARK = 40, 60
"""Characters of a learner's name in the legend, and of a mark's text."""
# the vertical axis ends on multiples of this, at least so far from the curves
STEP, MARGIN = 0.1, 0.01
LEAST_WIDTH, GROWTH, ROOM = 2_500, 2, 1.05
"""The horizontal axis of a long stream begins with so many instances, and grows by this factor while the run, with some
room, comes to its end: at least about half of it is filled."""
TURNED = -1.5707963
ENDS = ("_low", "_high")


class Curves(pn.viewable.Viewer):
    """Curves that grow: points are streamed, never sent again, except when the history has been thinned.

    New figures are made only when other measures are chosen. A learner with several seeds is one line, their mean, with
    a band from the least to the greatest.

    Parameters
    ----------
    learners
        Their names, in the order that decides colours.
    measures
        Names of ``MEASURES``, one figure each.
    over
        ``"chunk"``, ``"faded"`` or ``"cumulative"``.
    n_rows
        The stream's length, which is the width of the axis; None: the axis grows.
    kinds
        By learner the kinds of events that it reports, for the drift ruler.
    earlier
        An earlier run whose curves lie thin under those of this one; the next ``choose`` draws another.
    """

    def __init__(
        self,
        learners: Sequence[str],
        measures: Sequence[str],
        over: str = "chunk",
        n_rows: int | None = None,
        kinds: Kinds | None = None,
        earlier: EarlierRun | None = None,
    ) -> None:
        super().__init__()
        self._learners = list(learners)
        self._n_rows = n_rows
        self.earlier = earlier
        self._playhead = ColumnDataSource({"position": []})
        self._marks = ColumnDataSource(
            {name: [] for name in ("position", "text", "colour", "dash", "drawn", "angle", "size", "offset", "base")}
        )
        self._n_drifts = 0
        self.ruler = DriftRuler(self._learners, n_rows, kinds=kinds)
        self._column = pn.Column(sizing_mode="stretch_width")
        self.choose(measures, over)

    def choose(self, measures: Sequence[str], over: str) -> None:
        """Draw other measures: new, empty figures; the next update is expected to hold all points."""
        self._measures, self._over = tuple(measures), over
        self._lines = lines_of({name: np.zeros(0) for name in self._learners})
        self._columns = {
            (measure, line.group): f"m{i}_{j}"
            for i, measure in enumerate(measures)
            for j, line in enumerate(self._lines)
        }
        self._source = ColumnDataSource(self._empty())
        self._extent: dict[str, tuple[float, float]] = {}
        self._end = self._n_rows and self._width(0)
        self._x_range = x_range = Range1d(start=0, end=self._end) if self._end else DataRange1d(start=0)
        self._figures = [self._figure(measure, x_range, first=i == 0) for i, measure in enumerate(measures)]
        self._column[:] = [pn.pane.Bokeh(fig, sizing_mode="stretch_width") for fig in self._figures]

    def _empty(self) -> dict[str, list]:
        return {name: [] for name in ("position", *self._columns.values(), *self._edges())}

    def _edges(self) -> list[str]:
        """The columns of the bands' edges."""
        groups = {line.group for line in self._lines if line.is_group}
        return [f"{column}{end}" for (_, group), column in self._columns.items() if group in groups for end in ENDS]

    def _figure(self, measure: str, x_range, *, first: bool):
        about = MEASURES[measure]
        fig = figure(
            height=HEIGHT,
            sizing_mode="stretch_width",
            x_range=x_range,
            y_range=Range1d(start=about.range[0], end=about.range[1]),
            x_axis_label="instances" if measure == self._measures[-1] else None,
            title=f"{about.title}, {OVER[self._over]}" + ("" if about.higher_is_better else " (lower is better)"),
            tools="xpan,xwheel_zoom,box_zoom,reset,save",
            active_drag=None,
            active_scroll=None,
            toolbar_location="above",
            output_backend="canvas",
            name=f"curve-{measure}",
        )
        fig.toolbar.update(logo=None, autohide=True)
        for tool in fig.toolbar.tools:
            if isinstance(tool, SaveTool):
                tool.filename = f"streamlab-{measure}"
        fig.xaxis.formatter = CustomJSTickFormatter(code="return tick.toLocaleString('en')")
        fig.extra_y_ranges = {"share": Range1d(start=0, end=1)}
        self.ruler.draw(fig)
        shown_as = {line.group: figure_text(line.title, MOST_LEGEND) for line in self._lines}
        lines: list[tuple[str, list[Any]]] = []
        under = self._under(fig, measure)
        for each in self._lines:
            column, title = self._columns[measure, each.group], shown_as[each.group]
            line = fig.line(
                "position",
                column,
                source=self._source,
                color=each.colour,
                line_dash=each.dash,
                line_width=2,
                name=title,
            )
            band = []
            if each.is_group:
                low, high = (f"{column}{end}" for end in ENDS)
                band = [fig.varea("position", low, high, source=self._source, color=each.colour, alpha=0.16)]
            lines.append((title, [line, *band]))
        fig.vspan(x="position", source=self._marks, line_color="colour", line_dash="dash", line_width=1.5)
        fig.vspan(x="position", source=self._playhead, line_color=PLAYHEAD, line_width=2)
        fig.text(
            x="position",
            y=0.985,
            text="drawn",
            source=self._marks,
            y_range_name="share",
            angle="angle",
            text_font_size="size",
            text_color="colour",
            text_baseline="base",
            x_offset="offset",
        )
        if first:
            lines += under
            legend = Legend(items=lines, orientation="horizontal", click_policy="hide", ncols=_columns_of(lines))
            legend.label_text_font_size = "12px"
            legend.border_line_color = None
            legend.background_fill_alpha = 0.0
            legend.margin = 2
            fig.add_layout(legend, "above")
        fig.add_tools(
            HoverTool(
                renderers=[lines[0][1][0]],
                mode="vline",
                line_policy="nearest",
                tooltips=[
                    ("instances", "@position{0,0}"),
                    *((shown_as[x.group], f"@{self._columns[measure, x.group]}{{0.000}}") for x in self._lines),
                ],
            )
        )
        return fig

    def _under(self, fig: Any, measure: str) -> list[tuple[str, list[Any]]]:
        """Draw the curves of the earlier run; returns their entries of the legend."""
        if self.earlier is None:
            return []
        positions, lines = earlier_lines(self.earlier, measure, self._over, self._learners)
        entries = []
        for line in lines:
            title = figure_text(line.title, MOST_LEGEND)
            drawn = fig.line(
                positions, line.band.middle, color=line.colour, line_dash=line.dash, line_width=1, alpha=0.5, name=title
            )
            entries.append((title, [drawn]))
        return entries

    def update(self, new: CurveUpdate) -> None:
        """Append points, or draw all of them again after a reset; on the document's thread."""
        if not new.reset and not len(new.positions):
            return
        if not {(measure, name) for measure in self._measures for name in self._learners} <= set(new.values):
            return  # of a choice that has been changed since; the frame after it holds all
        columns: dict[str, Any] = {"position": new.positions}
        for measure in self._measures:
            for line in lines_of({name: new.values[measure, name] for name in self._learners}):
                column = self._columns[measure, line.group]
                columns[column] = line.band.middle
                if line.is_group:
                    columns |= {f"{column}{end}": edge for end, edge in zip(ENDS, line.band[1:], strict=True)}
        if new.reset:
            # lists where there is no point: an empty array travels as an empty message, which never arrives
            self._source.data = columns if len(new.positions) else self._empty()
            self._extent.clear()
        else:
            self._source.stream(columns)
        self._fit(new)
        self._follow(int(new.positions[-1]) if len(new.positions) else 0)

    def _width(self, position: int) -> int:
        """Return where the axis ends when the run has come to a position."""
        end = LEAST_WIDTH
        while end < ROOM * position:
            end *= GROWTH
        return min(end, self._n_rows or end)

    def _follow(self, position: int) -> None:
        """Let the axis grow with the run, unless people have moved it: then it is theirs until they reset it."""
        is_ours = (self._x_range.start, self._x_range.end) == (0, self._end)
        if self._end and is_ours and self._width(position) != self._end:
            self._end = self._width(position)
            self._x_range.update(end=self._end, reset_end=self._n_rows)

    def _fit(self, new: CurveUpdate) -> None:
        """Fit the vertical axes to the curves in coarse steps, so that they move seldom."""
        for measure, fig in zip(self._measures, self._figures, strict=True):
            values = [new.values[measure, name] for name in self._learners]
            if not len(values[0]):
                continue
            if measure not in self._extent and self.earlier is not None:
                values += self.earlier.curves(measure, self._over)[1].values()
            low, high = self._extent.get(measure, (np.inf, -np.inf))
            # NaN before a learner joined
            low = min(low, *(float(np.nanmin(v, initial=np.inf)) for v in values))
            high = max(high, *(float(np.nanmax(v, initial=-np.inf)) for v in values))
            self._extent[measure] = low, high
            worst, best = MEASURES[measure].range
            start = max(worst, np.floor((low - MARGIN) / STEP) * STEP)
            end = min(best, np.ceil((high + MARGIN) / STEP) * STEP)
            if not np.isfinite([low, high]).all():
                continue
            if (start, end) != (fig.y_range.start, fig.y_range.end) and start < end:
                fig.y_range.update(start=start, end=end)

    def stand(self, position: int | None) -> None:
        """Show where the run stands in its own past; None: at its end, where nothing need be shown."""
        at = [] if position is None else [position]
        if list(self._playhead.data["position"]) != at:
            self._playhead.data = {"position": at}

    def mark(self, events: Sequence[Event]) -> None:
        """Date drifts and changed parameters on every figure, and bring its ruler up to date."""
        self.ruler.add(events)
        dated = [event for event in events if event.is_dated]
        if dated:
            drawn = []
            for event in dated:
                self._n_drifts += event.kind == "drift"
                drawn.append(numbered(self._n_drifts) if event.kind == "drift" else shown(_words(event), MOST_MARK))
            drifts = [event.kind == "drift" for event in dated]
            self._marks.stream(
                {
                    "position": [e.position for e in dated],
                    "text": [shown(_words(e), MOST_MARK) for e in dated],
                    "colour": [DRIFT if is_drift else TUNED for is_drift in drifts],
                    "dash": ["dashed" if is_drift else "solid" for is_drift in drifts],
                    "drawn": drawn,
                    # a number stands upright beside its line, under the top; words run down the line
                    "angle": [0.0 if is_drift else TURNED for is_drift in drifts],
                    "size": ["17px" if is_drift else "10px" for is_drift in drifts],
                    "offset": [4 if is_drift else 6 for is_drift in drifts],
                    "base": ["top" if is_drift else "bottom" for is_drift in drifts],
                },
                rollover=200,
            )

    def __panel__(self):
        return self._column


def _words(event: Event) -> str:
    """Return the text of a mark."""
    if event.kind == "drift":
        return event.message
    return f"{event.learner} {event.message if event.kind == 'tuned' else event.kind}"


def _columns_of(lines: Sequence[tuple[str, Any]]) -> int:
    """Return how many columns of the legend have room on a phone."""
    return 3 if len(lines) <= 3 and sum(len(name) for name, _ in lines) <= MOST_LEGEND else 2
