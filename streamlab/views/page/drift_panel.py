"""The drift panel: put a drift into the running stream, and read which learner detected it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab.detection_report import verdict
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.streams import DriftRecipe, Stream
from streamlab.views.kit.text import all_shown, as_html, shown
from streamlab.views.page.notices import Notice

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "FACTORS", "KINDS", "STRENGTHS", "WIDTHS", "Change", "ChangeControls", "DriftPanel", "detection_html",
    "usable_kinds",
]  # fmt: skip

Change = Callable[[Stream, int], Stream]


@dataclass(frozen=True)
class Kind:
    """A drift that can be put in: what it asks for, and how it is made.

    Parameters
    ----------
    title
        What people read.
    drift
        Its name among ``streams.DRIFTS``.
    asks
        The controls that belong to it, each with the parameter whose value it has.
    fits
        Whether it can be put into a stream with this schema.
    fixed
        Parameters that nobody is asked for.
    """

    title: str
    drift: str
    asks: Mapping[str, str]
    fits: Callable[[Schema], bool]
    fixed: Mapping[str, Any] = field(default_factory=dict)


def _flat(schema: Schema) -> bool:
    return schema.hierarchy is None and schema.n_labels > 1


def _has_numbers(schema: Schema) -> bool:
    # two are enough: there may be 262,144
    return len(list(islice((f for f in schema.features if f.categories is None), 2))) > 1


WIDTH = {"width": "width"}
KINDS = (
    Kind("Rotate the labels", "rotate_labels", WIDTH, _flat),
    Kind("Swap two labels", "swap_labels", {"label": "a", "other": "b"} | WIDTH, _flat),
    Kind("Shift a prior", "prior_shift", {"label": "label", "factor": "factor"} | WIDTH, lambda schema: True),
    Kind("Let a label vanish", "vanish_label", {"label": "label"} | WIDTH, lambda schema: schema.hierarchy is None),
    Kind(
        "Add noise to the features",
        "feature_noise",
        {"strength": "strength"} | WIDTH,
        lambda schema: schema.n_features > 0,
    ),
    Kind("Swap half of the features", "swap_features", WIDTH, _has_numbers, {"share": 0.5}),
)
WIDTHS = {"at once": 1, "over 100 instances": 100, "over 500 instances": 500, "over 2,000 instances": 2000}
FACTORS = {
    "10 times rarer": 0.1,
    "3 times rarer": 1 / 3,
    "3 times as likely (odds)": 3.0,
    "10 times as likely (odds)": 10.0,
}
STRENGTHS = (0.25, 5.0)
"""Least and greatest noise, standard deviations of a feature."""
FOOT = (
    "Detected: drifts with an alarm while they take effect or up to 2,000 instances later. After: instances from a "
    "drift's beginning to its first alarm, on average. An error that falls is not an alarm. Lost: how far {title} was "
    "below its level before the drifts, summed over instances until it was back: 100 is .1 over 1,000 instances. "
    "It counts only if the measure fell by more than three times its spread before. Recovered: drifts with such a "
    "fall after which it came back, and after how many instances."
)
BY = {"learner": "by learner", "label": "by label"}
SILENT = (
    "No drift has begun yet. Add one, or wait until the stream reaches its own: this table then shows which learners "
    "detected it."
)


def usable_kinds(schema: Schema) -> list[Kind]:
    """The drifts that can be put into a stream with this schema."""
    return [kind for kind in KINDS if kind.fits(schema)]


class ChangeControls(pn.viewable.Viewer):
    """What drift, of which label, how strong and how fast.

    Parameters
    ----------
    schema
        Of the stream that is to drift.
    """

    def __init__(self, schema: Schema) -> None:
        super().__init__()
        self._kinds = {kind.title: kind for kind in usable_kinds(schema)}
        labels = dict(zip(all_shown(schema.labels), schema.labels, strict=True))
        first, last = schema.labels[0], schema.labels[-1]
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (4, 8)}
        self.kind = pmui.Select(label="Drift", options=list(self._kinds), value=next(iter(self._kinds)), **wide)
        self.asked = {
            "label": pmui.Select(label="Label", options=labels, value=first, **wide),
            "other": pmui.Select(label="With the label", options=labels, value=last, **wide),
            "factor": pmui.Select(label="The label becomes", options=FACTORS, value=10.0, **wide),
            "strength": pmui.FloatSlider(
                label="Noise (standard deviations)", start=STRENGTHS[0], end=STRENGTHS[1], step=0.25, value=2.0, **wide
            ),
            "width": pmui.Select(label="It takes effect", options=WIDTHS, value=1, **wide),
        }
        self.kind.param.watch(lambda _: self._fit(), "value")
        self._fit()
        self._layout = pn.Column(self.kind, *self.asked.values(), stylesheets=[COLUMNS], sizing_mode="stretch_width")

    def _fit(self) -> None:
        asks = self._kinds[self.kind.value].asks
        for name, widget in self.asked.items():
            widget.visible = name in asks

    @property
    def title(self) -> str:
        """The drift chosen, in words."""
        asks = self._kinds[self.kind.value].asks
        return f"{self.kind.value}: {shown(self.asked['label'].value)}" if "label" in asks else self.kind.value

    def change(self) -> Change:
        """Return the drift chosen, as ``Run.put_drift`` takes it: what is chosen later does not alter it."""
        kind = self._kinds[self.kind.value]
        choices = {parameter: self.asked[name].value for name, parameter in kind.asks.items()}
        return DriftRecipe(kind.drift, **kind.fixed, **choices)

    def __panel__(self) -> Any:
        return self._layout


class DriftPanel(pn.viewable.Viewer):
    """Controls that put a drift into the stream, above the table of how well drifts were detected.

    Parameters
    ----------
    schema
        Of the stream.
    put
        Called with the change (as ``Run.put_drift`` takes it) when the user presses the button; returns what there is
        to say, and raises ValueError where it cannot be done.
    by
        Called with ``"learner"`` or ``"label"`` when the user wants the table otherwise.
    forget
        Called when the run is to start again without the drifts that were put in.
    """

    def __init__(
        self,
        schema: Schema,
        put: Callable[[Change], str],
        by: Callable[[str], None],
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._put = put
        self.controls = ChangeControls(schema)
        self.button = pmui.Button(
            label="Put it in now", color="primary", variant="contained", margin=(10, 8), height=40, sizing_mode="fixed"
        )
        self.note = Notice(severity="info", visible=False, margin=(6, 8))
        self._kept = pn.pane.HTML("", sizing_mode="stretch_width", margin=(0, 8))
        self.forget = pmui.Button(label="Start again without them", variant="outlined", margin=(4, 8), height=36)
        self.forget.on_click(lambda _: forget())
        self.list_drifts(())
        self.by = pmui.Select(
            label="How well drifts were detected",
            options={text: key for key, text in BY.items()},
            value="learner",
            width=240,
            margin=(18, 8, 4, 8),
        )
        self.table = pn.pane.HTML(f"<p>{SILENT}</p>", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 8))
        self.button.on_click(self._pressed)
        self.by.param.watch(lambda event: by(event.new), "value")
        self._layout = pn.Column(
            self.controls,
            self.button,
            self.note,
            self._kept,
            self.forget,
            self.by,
            self.table,
            sizing_mode="stretch_width",
            margin=(12, 0),
        )

    def _pressed(self, _: Any) -> None:
        try:
            said = self._put(self.controls.change())
        except ValueError as error:
            self.note.say(str(error))
        else:
            self.note.say(said, "info")

    def list_drifts(self, words: Sequence[str]) -> None:
        """Show which drifts were added; they come again when the run starts again."""
        listed = "".join(f"<li>{as_html(each)}</li>" for each in words)
        told = f"<p>Put in, and there again when the run starts again:</p><ul>{listed}</ul>"
        html = told if listed else ""
        self.forget.visible = bool(html)
        if html != self._kept.object:
            self._kept.object = html

    def show(self, table: pd.DataFrame, measure: str = "micro_f1") -> None:
        """Draw a table of ``Run.detection`` of a measure; on the document's thread."""
        html = detection_html(table, measure)
        if html != self.table.object:
            self.table.object = html

    def __panel__(self) -> Any:
        return self._layout


def detection_html(table: pd.DataFrame, measure: str = "micro_f1") -> str:
    """Return a table of ``Run.detection`` as HTML, by learner with a sentence above it; ``measure``: what it is of."""
    if table.empty:
        return "<p>Nothing watches the errors of these learners, and none reports detections of its own.</p>"
    if not table["drifts"].any() and not table["false_alarms"].any():
        return f"<p>{SILENT}</p>"
    second = next(name for name in ("source", "label", "node") if name in table)
    recovers = "recovered" in table
    titles = ["Learner", {"source": "Detected by", "label": "Label", "node": "Node"}[second], "Detected", "After",
              "False alarms"]  # fmt: skip
    titles += ["Lost", "Recovered"] if recovers else []
    head = "".join(f"<th scope='col'>{title}</th>" for title in titles)
    rows = "".join(f"<tr>{''.join(_cells(row, second, recovers))}</tr>" for row in table.to_dict("records"))
    sentence = as_html(verdict(table, measure), 600) if recovers else ""
    return (
        f"{f'<p>{sentence}</p>' if sentence else ''}"
        f"<div tabindex='0' role='region' aria-label='How well drifts were detected'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='foot'>{FOOT.format(title=MEASURES[measure].title)}</p>"
    )


def _cells(row: dict[str, Any], second: str, recovers: bool) -> Sequence[str]:
    drifts = int(row["drifts"])
    cells = [
        f"<th scope='row'>{as_html(str(row['learner']))}</th>",
        f"<td>{as_html(str(row[second]))}</td>",
        f"<td>{int(row['detected'])} of {drifts}</td>",
        f"<td>{_number(row['mean_time_to_detection'])}</td>",
        f"<td>{int(row['false_alarms'])}</td>",
    ]
    if recovers:
        harmed = int(row["harmed"])
        after = f", after {_number(row['recovery_time'])}" if row["recovered"] else ""
        cells.append(f"<td>{_number(row['lost']) if harmed else '–'}</td>")
        recovered = f"{int(row['recovered'])} of {harmed}{after}"
        cells.append(f"<td>{recovered if harmed else 'not affected' if drifts else '–'}</td>")
    return cells


def _number(value: float) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:,.0f}"


COLUMNS = """
:host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));align-items:end}
"""
STYLE = """
:host{font:13px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
div{overflow:auto;max-width:100%;max-height:420px}table{border-collapse:collapse;width:100%}
th,td{padding:5px 12px 5px 0;text-align:left;white-space:nowrap;font-weight:400;
  border-bottom:1px solid color-mix(in srgb,currentColor 16%,transparent)}
thead th{opacity:.75;font-size:12px}
.foot{opacity:.75;font-size:12px;max-width:60em}
"""
