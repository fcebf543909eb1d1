"""The drift panel: put a drift into the running stream, and read which learner detected it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Player, Run
from streamlab.lab.events import Event
from streamlab.lab.ownership import Awaited
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.streams import WIDTH, Amount, Choice, DriftEntry, DriftRecipe, LabelChoice, Stream
from streamlab.streams.changes.drift_entry import running_drifts
from streamlab.views.kit.text import all_shown, as_html, shown
from streamlab.views.page.screen import PLAIN
from streamlab.views.page.window import Explanation, Heading, LateHTML, Notice, Part, fields

if TYPE_CHECKING:
    import pandas as pd

logger = logging.getLogger("streamlab")
Change = Callable[[Stream, int], Stream]
ONE_WIDTH: dict[str, Any] = {"sizing_mode": "stretch_width"}
WIDE: dict[str, Any] = {**ONE_WIDTH, "margin": (4, 8)}


WHERE = (
    "To let it begin at a row, click on the curves there. The button puts it in at the beginning of the next chunk: "
    "the rows of the present one are answered already."
)
FOOT = (
    "Detected: drifts with an alarm while they take effect or up to 2,000 instances later. An alarm is of the drift "
    "that its evidence reaches back to; two within it are too near to tell, and it counts for the first. Drifts that "
    "begin at one row count as one. After: instances from a drift's beginning to its first alarm, on average. By "
    "chance: how often as many alarms at random places would have been as soon; a detector that always fires is soon,"
    " too. An error that falls is not an alarm. Back: of the drifts after which {title} fell, by more than 5 % of its"
    " level before and more than it varies, those after which it came back to that level. Lost: how far it was below "
    "it until then, until the next drift or until now, summed over instances: 100 is .1 over 1,000 instances."
)
BEFORE_A_CLASS = "@container style(--sl-projected:1){:host{display:none!important}}"
"""Of the form where buttons stand above the curve: there the table has its room."""
SILENT = (
    "No drift has begun yet. Add one, or wait until the stream reaches its own: this table then shows which learners "
    "detected it."
)


def offered_drifts() -> dict[str, DriftEntry]:
    """Return the drifts that a page offers, by name: those with a title."""
    return {name: entry for name, entry in running_drifts().items() if entry.title}


def put_in_at(run: Run, change: Change, row: int) -> Event:
    """Put a drift into a run from exactly this row on, and return its event.

    A chunk is answered as a whole, before any of it is learned. So a run that has gone further than the beginning of
    the row's chunk goes back to there first, and a new branch begins.
    """
    start = row - row % run.chunk
    if start < run.position:
        run.seek(start)
    return run.put_drift(change, at=row)


def usable_drifts(schema: Schema) -> list[DriftEntry]:
    """Return the drifts that can be put into a stream with this schema, those that ask for least first."""
    entries = [entry for entry in offered_drifts().values() if _fits(entry, schema)]
    return sorted(entries, key=lambda entry: len(entry.controls))


def _fits(entry: DriftEntry, schema: Schema) -> bool:
    try:
        return bool(entry.fits(schema))
    except Exception as error:  # user code may raise anything; the other drifts stay
        logger.warning("the drift %r is left out: fits: %s: %s", entry.name, type(error).__name__, error)
        return False


class ChangeControls(Part):
    """What drift, of which label, how strong and how fast, of those that a stream with this schema can have."""

    def __init__(self, schema: Schema) -> None:
        super().__init__()
        self._entries = {entry.title: entry for entry in usable_drifts(schema)}
        self.kind = pmui.Select(label="Drift", options=list(self._entries), value=next(iter(self._entries)), **WIDE)
        controls = dict.fromkeys(each for entry in self._entries.values() for each in entry.controls.values())
        # how fast comes last, as drifts name it
        self._widgets = {each: _widget(each, schema) for each in sorted(controls, key=lambda each: each is WIDTH)}
        self.kind.param.watch(lambda _: self._fit(), "value")
        self._fit()
        self._layout = pn.Column(
            self.kind, *self._widgets.values(), stylesheets=[fields(200)], sizing_mode="stretch_width"
        )

    @property
    def abouts(self) -> dict[str, str]:
        """What each of the drifts does, by its title."""
        return {title: entry.about for title, entry in self._entries.items()}

    @property
    def asked(self) -> dict[str, Any]:
        """The widgets of the drift chosen, by the parameter that each gives."""
        return {name: self._widgets[control] for name, control in self._entries[self.kind.value].controls.items()}

    def _fit(self) -> None:
        asked = self.asked.values()
        for widget in self._widgets.values():
            widget.visible = widget in asked

    @property
    def title(self) -> str:
        """The drift chosen, in words."""
        asked, entry = self.asked, self._entries[self.kind.value]
        labels = [asked[name].value for name, control in entry.controls.items() if isinstance(control, LabelChoice)]
        return f"{entry.title}: {', '.join(map(shown, labels))}" if labels else entry.title

    def change(self) -> Change:
        """Return the drift chosen, as ``Run.put_drift`` takes it: what is chosen later does not alter it."""
        entry = self._entries[self.kind.value]
        return DriftRecipe(entry.name, **entry.fixed, **{name: widget.value for name, widget in self.asked.items()})


def _widget(control: LabelChoice | Choice | Amount, schema: Schema) -> Any:
    match control:
        case LabelChoice():
            options: Mapping[str, Any] = dict(zip(all_shown(schema.labels), schema.labels, strict=True))
            value = schema.labels[-1 if control.last else 0]
        case Choice():
            options = control.options
            value = next(iter(options.values())) if control.default is None else control.default
        case Amount():
            start = control.low if control.default is None else control.default
            return pmui.FloatSlider(
                label=control.title, start=control.low, end=control.high, step=control.step, value=start, **WIDE
            )
    return pmui.Select(label=control.title, options=dict(options), value=value, **WIDE)


class ChangeButtons(Part):
    """Changes as words in one line, a button for each drift: pressed, it is chosen and ``put`` is called."""

    def __init__(self, controls: ChangeControls, put: Callable[[], None], note: Any = None) -> None:
        super().__init__()
        self._kind, self._put = controls.kind, put
        # what is told on request is also what the button is called by a screen reader
        self.buttons = {
            title: pmui.Button(
                label=title, description=": ".join(filter(None, [title, about])), variant="outlined", margin=0,
                sizing_mode=None,
            )
            # of short ones first two are whole on a phone
            for title, about in sorted(controls.abouts.items(), key=lambda each: len(each[0]))
        }  # fmt: skip
        """The buttons by the drifts' titles."""
        for title, button in self.buttons.items():
            button.on_click(partial(self._press, title))
        self._kind.param.watch(lambda _: self._mark(), "value")
        self._mark()
        ask = pn.pane.HTML("Change it now:", stylesheets=[ASK, BEFORE_A_CLASS], margin=0, sizing_mode=None)
        row = pn.Row(ask, *self.buttons.values(), css_classes=["sl-scroll"], stylesheets=[CHIPS], margin=0, **ONE_WIDTH)
        self._layout = pn.Column(row, *([] if note is None else [note]), margin=0, **ONE_WIDTH)

    def _press(self, title: str, _: Any) -> None:
        self._kind.value = title
        self._put()

    def _mark(self) -> None:
        for title, button in self.buttons.items():
            button.stylesheets = [CHIP, CHOSEN] if title == self._kind.value else [CHIP]


class DriftPanel(Part):
    """Controls that put a drift into the stream, above the table of how well drifts were detected.

    ``put`` is called with the change, as ``Run.put_drift`` takes it, and with the row where people chose one; it
    returns what there is to say, and raises ValueError where it cannot be done. ``forget``: the run is to start again
    without its drifts. With ``has_buttons`` the part ``above`` stands elsewhere on the page, with what there is to say.
    """

    def __init__(
        self,
        schema: Schema,
        put: Callable[..., str],
        forget: Callable[[], None] = lambda: None,
        has_buttons: bool = False,
    ) -> None:
        super().__init__()
        self._put = put
        self.controls = ChangeControls(schema)
        self.button = pmui.Button(
            label="Put it in now", color="primary", variant="contained", margin=(10, 8), height=40, sizing_mode="fixed"
        )
        self.note = Notice(severity="info", visible=False, margin=(6, 8))
        self._kept = LateHTML("", sizing_mode="stretch_width", margin=(0, 8))
        self.forget = pmui.Button(label="Start again without them", variant="outlined", margin=(4, 8), height=36)
        self.forget.on_click(lambda _: forget())
        self.list_drifts(())
        self.table = LateHTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 8))
        self.buttons = ChangeButtons(self.controls, lambda: self._pressed(None), self.note if has_buttons else None)
        """A button for each drift."""
        self._has_buttons, self._started = has_buttons, 0
        self.button.on_click(self._pressed)
        self._answer = Awaited()
        form = pn.Column(
            self.controls, Explanation(WHERE, variant="body2", margin=(4, 8)), self.button,
            *([] if has_buttons else [self.note]), self._kept, self.forget,
            Heading("How well drifts were detected", variant="subtitle2", margin=(18, 8, 0, 8)),
            stylesheets=[PLAIN, BEFORE_A_CLASS] if has_buttons else [PLAIN], sizing_mode="stretch_width",
        )  # fmt: skip
        self._layout = pn.Column(form, self.table, sizing_mode="stretch_width", margin=(12, 0))

    @property
    def above(self) -> list[Any]:
        """What stands above the curve, where changes stand first."""
        return [self.buttons] if self._has_buttons else []

    def _pressed(self, _: Any) -> None:
        with self.note.tells():
            self.note.say(self._put(self.controls.change()), "info")

    def put_at(self, row: int) -> None:
        """Put in what is chosen now, from this row on; raises ValueError where it cannot be done."""
        self.note.say(self._put(self.controls.change(), row), "info")

    def list_drifts(self, words: Sequence[str]) -> None:
        """Show which drifts were added; they come again when the run starts again."""
        listed = "".join(f"<li>{as_html(each)}</li>" for each in words)
        html = f"<p>Put in, and there again when the run starts again:</p><ul>{listed}</ul>"
        self.forget.visible = bool(listed)
        self._kept.object = html if listed else ""

    def ask(self, player: Player, measure: str) -> None:
        """Ask a run how well its drifts were detected, and what they did to a measure.

        ``draw`` shows the answer when it has come.
        """

        def found(run: Run) -> tuple[Any, ...]:
            started = sum(drift.start < run.position for drift in run.stream.drifts)
            return run.detection(measure=measure), measure, started

        self._answer.ask(player.ask(found))

    def draw(self) -> None:
        """Show the answer if it has come; on the document's thread."""
        if (found := self._answer.take()) is not None:
            self.show(*found)

    def show(self, table: pd.DataFrame, measure: str = "micro_f1", started: int = 0) -> None:
        """Draw a table of ``Run.detection`` of a measure; what was said of a drift is over when it has started."""
        if started != self._started and self.note.severity == "info":
            self.note.visible = False
        self._started = started
        self.table.object = detection_html(table, measure)


def detection_html(table: pd.DataFrame, measure: str = "micro_f1") -> str:
    """Return a table of ``Run.detection`` of a measure as HTML."""
    if table.empty:
        return "<p>Nothing watches the errors of these learners, and none reports detections of its own.</p>"
    if not table["drifts"].any() and not table["false_alarms"].any():
        return f"<p>{SILENT}</p>"
    second = next(name for name in ("source", "label", "node") if name in table)
    recovers = "recovered" in table
    titles = ["Learner", {"source": "Detected by", "label": "Label", "node": "Node"}[second], "Detected", "After",
              "By chance", "False alarms" if table["drifts"].any() else "Alarms"]  # fmt: skip
    titles += ["Back", "Lost"] if recovers else []
    head = "".join(f"<th scope='col'>{title}</th>" for title in titles)
    rows = "".join(f"<tr>{''.join(_cells(row, second, recovers))}</tr>" for row in table.to_dict("records"))
    return (
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
        f"<td>{'–' if math.isnan(row['by_chance']) else format(100 * row['by_chance'], '.0f') + ' %'}</td>",
        f"<td>{int(row['false_alarms'])}</td>",
    ]
    if recovers:
        cells += [f"<td>{_back(row)}</td>", f"<td>{_number(row['lost']) if row['affected'] else '–'}</td>"]
    return cells


def _back(row: dict[str, Any]) -> str:
    if not row["affected"]:
        return "too early to say" if row["unjudged"] else "no clear fall" if row["judged"] else "–"
    return f"{int(row['recovered'])} of {int(row['affected'])}"


def _number(value: float) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:,.0f}"


FONT = '14px/1.3 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif'
ASK = f":host{{font:600 {FONT};white-space:nowrap}}"
CHIPS = """
:host{display:flex!important;flex-wrap:nowrap!important;align-items:center!important;gap:6px;height:44px!important;
  overflow:auto hidden!important;scrollbar-width:none}
:host>*{flex:none!important;align-self:center!important;margin:0!important} .scroll-button{display:none!important}
@media (max-width:1279px){:host{padding-right:28px!important;
  mask-image:linear-gradient(to right,#000 calc(100% - 28px),transparent)}}
@container style(--sl-projected:1){:host{height:36px!important;gap:4px}}
"""
CHIP = f"""
.MuiButtonBase-root{{min-width:0!important;min-height:34px!important;padding:0 10px!important;
  border-radius:17px!important;border-color:rgba(128,128,128,.45)!important;color:inherit!important;white-space:nowrap;text-transform:none!important;
  font:400 {FONT}!important;letter-spacing:0!important}}
:is(.MuiButton-icon,.MuiTouchRipple-root){{display:none!important}}
.MuiButtonBase-root:hover{{background:rgba(128,128,128,.14)!important}}
.MuiButtonBase-root:focus-visible{{outline:2px solid currentColor!important;outline-offset:-2px}}
@container style(--sl-projected:1){{.MuiButtonBase-root{{min-height:30px!important;padding:0 5px!important;
  font-size:13px!important}}}}
"""
CHOSEN = ".MuiButtonBase-root{border-color:currentColor!important;box-shadow:inset 0 0 0 1px currentColor}"
STYLE = """
:host{font:13px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
div{overflow:auto;max-width:100%;max-height:420px}table{border-collapse:collapse;width:100%}
th,td{padding:5px 12px 5px 0;text-align:left;white-space:nowrap;font-weight:400;
  border-bottom:1px solid color-mix(in srgb,currentColor 16%,transparent)}
thead th{opacity:.75;font-size:13px}
.foot{opacity:.75;font-size:13px;max-width:60em}
"""
