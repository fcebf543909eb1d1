"""The drift panel: put a drift into the running stream, and read which learner detected it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import counted
from streamlab.lab import Player, Run, without_drifts
from streamlab.lab.detection_report import NOT_AFFECTED, spared, verdict
from streamlab.lab.events import Event
from streamlab.lab.ownership import Awaited
from streamlab.measures import MEASURES
from streamlab.measures.recovery import TOGETHER
from streamlab.schema import Schema
from streamlab.streams import WIDTH, Amount, Choice, DriftEntry, DriftRecipe, LabelChoice, Stream
from streamlab.streams.changes.drift_entry import running_drifts
from streamlab.views.kit.text import all_shown, as_html, numbered, score_text, shown
from streamlab.views.page.screen import PLAIN
from streamlab.views.page.window import Explanation, LateHTML, Notice, Part, fields

if TYPE_CHECKING:
    import pandas as pd

logger = logging.getLogger("streamlab")
Change = Callable[[Stream, int], Stream]
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (4, 8)}


WHERE = (
    "To let it begin at a row, click on the curves there. The button puts it in at the beginning of the next chunk: "
    "the rows of the present one are answered already."
)
FOOT = (
    "Detected: drifts with an alarm while they take effect or up to 2,000 instances later. An alarm is of the drift "
    "that its evidence reaches back to; two within it are too near to tell, and it counts for the first. "
    "Drifts that begin at one row count as one. After: instances from a "
    "drift's beginning to its first alarm, on average. An error that falls is not an alarm. The other columns are of "
    "drifts after which {title} fell, by more than 5 % and more than it varied by before. Before → settled at: its "
    "level, the median of its last points before the drift, ten at most (between two drifts of the last third), and "
    "what it came to afterwards. Fell briefly: one point is far below it, three together are not, and it is back; not "
    "clear how far: it is early, or it stays lower. May be chance: a point is far below it, and the curve varies so "
    "much anyway. No clear fall: none is. Recovered: it is back at 95 % of that level, and after how many instances. "
    "Lost: how far it was below it until then, until the next drift or until now, summed over instances: 100 is .1 "
    "over 1,000 instances."
)
TWIN = (
    " Against a run without the drifts: how far it is behind what it has in a run of its own without the drifts that "
    "were put in, summed the same way; it is made while this run rests. Who came back to its old level is behind where "
    "it would have gone on rising."
)
BEFORE_A_CLASS = "@container style(--sl-projected:1){:host{display:none!important}}"
"""Of the form where buttons stand above the curve: there the table has its room."""
TWIN_SECONDS = 1.0
"""What a run without the drifts may take, of a processor's time, on the thread that plays."""
BY = {"learner": "by learner", "label": "by label"}
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
    except Exception as error:  # a stranger's function may raise anything; the other drifts stay
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
    """A button for each drift, which says what it does: pressed, it is chosen and ``put`` is called."""

    def __init__(self, controls: ChangeControls, put: Callable[[], None], note: Any = None) -> None:
        super().__init__()
        self._kind, self._put = controls.kind, put
        self.buttons = {
            title: pmui.Button(
                label=f"{title}\n{about}".strip(), variant="outlined", margin=0, stylesheets=[CHIP],
                sizing_mode="stretch_width", styles={"flex": f"{len(title) + 2} 1 0"},
            )
            for title, about in controls.abouts.items()
        }  # fmt: skip
        """The buttons by the drifts' titles."""
        for title, button in self.buttons.items():
            button.on_click(partial(self._press, title))
        self._kind.param.watch(lambda _: self._mark(), "value")
        self._mark()
        # before a class the buttons have one line each, and no room for this
        ask = pn.pane.HTML("Change the stream now:", stylesheets=[ASK, BEFORE_A_CLASS], margin=0)
        row = pn.Row(*self.buttons.values(), stylesheets=[CHIPS], sizing_mode="stretch_width", margin=0)
        self._layout = pn.Column(ask, row, *([] if note is None else [note]), sizing_mode="stretch_width", margin=0)

    def _press(self, title: str, _: Any) -> None:
        self._kind.value = title
        self._put()

    def _mark(self) -> None:
        for title, button in self.buttons.items():
            button.stylesheets = [CHIP, CHOSEN] if title == self._kind.value else [CHIP]


class DriftPanel(Part):
    """Controls that put a drift into the stream, above the table of how well drifts were detected.

    ``put`` is called with the change, as ``Run.put_drift`` takes it, and with the row where people chose one; it
    returns what there is to say, and raises ValueError where it cannot be done. ``choose``: the table is wanted
    otherwise. ``forget``: the run is to start again without its drifts. With ``has_buttons`` the parts ``above`` and
    ``beside`` stand elsewhere on the page, with what there is to say.
    """

    def __init__(
        self,
        schema: Schema,
        put: Callable[..., str],
        choose: Callable[[], None],
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
        self.by = pmui.Select(
            label="How well drifts were detected",
            options={text: key for key, text in BY.items()},
            value="learner",
            width=240,
            margin=(18, 8, 4, 8),
        )
        self.table = LateHTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 8))
        self.buttons = ChangeButtons(self.controls, lambda: self._pressed(None), self.note if has_buttons else None)
        """A button for each drift."""
        self.latest = LateHTML(f"<p>{PRESS}</p>", stylesheets=[STYLE, SHORT], sizing_mode="stretch_width", margin=0)
        """What the latest drift did."""
        self._has_buttons, self._message, self._number = has_buttons, "", 0
        self.button.on_click(self._pressed)
        self.by.param.watch(lambda _: choose(), "value")
        self._answer = Awaited()
        self._twin_at: tuple[int, ...] = ()
        self._twin: Run | None = None
        form = pn.Column(
            self.controls,
            Explanation(WHERE, variant="body2", margin=(4, 8)),
            self.button,
            *([] if has_buttons else [self.note]),
            self._kept,
            self.forget,
            self.by,
            stylesheets=[PLAIN, BEFORE_A_CLASS] if has_buttons else [PLAIN],
            sizing_mode="stretch_width",
        )
        self._layout = pn.Column(
            form,
            self.table,
            sizing_mode="stretch_width",
            margin=(12, 0),
        )

    @property
    def above(self) -> list[Any]:
        """What stands above the curve, where changes stand first."""
        return [self.buttons] if self._has_buttons else []

    @property
    def beside(self) -> list[Any]:
        """What stands beside it then."""
        return [self.latest] if self._has_buttons else []

    def _pressed(self, _: Any) -> None:
        with self.note.tells():
            self._say(self._put(self.controls.change()))

    def put_at(self, row: int) -> None:
        """Put in what is chosen now, from this row on; raises ValueError where it cannot be done."""
        self._say(self._put(self.controls.change(), row))

    def _say(self, text: str) -> None:
        """Say that it was done, above what it does."""
        if self._has_buttons:
            self.note.visible, self._message = False, text
            self.latest.object = f"<p role='status'><b>{as_html(text)}</b> Play on, and see who sees it.</p>"
        else:
            self.note.say(text, "info")

    def list_drifts(self, words: Sequence[str]) -> None:
        """Show which drifts were added; they come again when the run starts again."""
        listed = "".join(f"<li>{as_html(each)}</li>" for each in words)
        html = f"<p>Put in, and there again when the run starts again:</p><ul>{listed}</ul>"
        self.forget.visible = bool(listed)
        self._kept.object = html if listed else ""

    def ask(self, player: Player, measure: str) -> None:
        """Ask a run how well its drifts were detected, what they did to a measure, and the latest of them alone.

        Where the run rests, it is also asked what the drifts that were put in cost, against a run without them.
        ``draw`` shows the answer when it has come.
        """
        by = str(self.by.value)

        def found(run: Run) -> tuple[Any, ...]:
            twin = self._twin_of(run) if by == "learner" and player.state != "playing" else None
            starts = sorted(drift.start for drift in run.stream.drifts)
            started = [start for start in starts if start < run.position]
            ahead = None if started else next(iter(starts), None)
            latest = run.detection(measure=measure, since=started[-1]) if started else None
            if latest is not None and not latest.empty:
                # while a run plays learners keep their lines, whoever does better
                places = {name: place for place, name in enumerate(run.learner_runs)}
                latest = latest.sort_values("learner", key=lambda names: names.map(places), kind="stable")
            against = None if twin is None else run.detection(measure=measure, twin=twin)
            width = run.chunk * next(iter(run.learner_runs.values())).history.stride
            judged_at = (started[-1] // width + TOGETHER) * width if started else 0
            table = run.detection(by, measure=measure)
            return (table, measure, against), (started, latest, measure, judged_at - run.position, ahead)

        self._answer.ask(player.ask(found))

    def _twin_of(self, run: Run) -> Run | None:
        """Return the run without the drifts that were put in, where it takes little time; on the player's thread."""
        if sum(each.seconds for each in run.learner_runs.values()) > TWIN_SECONDS:
            return None
        now = (run.branch, run.position, run.log.next_number)
        if now != self._twin_at:
            self._twin_at, self._twin = now, None
            with suppress(ValueError):  # a learner of another package may not begin again
                self._twin = without_drifts(run)
        return self._twin

    def draw(self) -> None:
        """Show the answer if it has come; on the document's thread."""
        if (found := self._answer.take()) is not None:
            self.show(*found[0])
            self.show_latest(*found[1])

    def show(self, table: pd.DataFrame, measure: str = "micro_f1", against: pd.DataFrame | None = None) -> None:
        """Draw a table of ``Run.detection`` of a measure, and one against a twin; on the document's thread."""
        self.table.object = detection_html(table, measure, against)

    def show_latest(
        self, started: Sequence[int], table: pd.DataFrame | None, measure: str, more: int = 0, ahead: int | None = None
    ) -> None:
        """Draw what the latest drift did; ``begun``: the rows where those that have begun did.

        ``more``: the rows that have to pass until it may be said of a learner that it did not fall. ``ahead``: where
        the first drift begins, while none has.
        """
        if self._message and len(started) <= self._number:
            return  # what was put in has not begun yet
        if table is None:
            own = "" if ahead is None else f" The stream itself changes at row {ahead:,}."
            self.latest.object = f"<p>{PRESS}{own}</p>"
            return
        self._number, self._message = len(started), ""
        marks = "".join(numbered(n) for n, start in enumerate(started, 1) if start == started[-1])
        self.latest.object = latest_html(marks, table, measure, more)


def latest_html(marks: str, table: pd.DataFrame, measure: str, more: int) -> str:
    """Return who saw the latest drift after how many rows, what it cost, and who is back, as HTML."""
    early = f"known in {counted(more, 'row')}" if more > 0 else "too early to say"
    rows = []
    for learner, found in table.groupby("learner", sort=False):
        first, saw = found.iloc[0], found["mean_time_to_detection"].min()
        hit, falls = bool(first["affected"]), bool(first["affected"] or first["unclear"])
        other = early if first["unjudged"] else spared(first) or "–"
        back = f"after {_number(first['recovery_time'])}" if first["recovered"] else "not yet" if falls else other
        cells = (_number(saw), _number(first["lost"]) if hit else "–", back)
        rows.append(f"<tr><th scope='row'>{as_html(str(learner))}</th>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    head = "".join(f"<th scope='col'>{title}</th>" for title in ("", "seen after", "lost", "back"))
    return (
        f"<h3>After {marks}</h3><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        "<p class='foot'>Seen (by an error alarm) and back: after so many rows. Lost, by who fell: how far "
        f"{MEASURES[measure].title} was below the dotted line, its level before, added up row by row. More: tab "
        "Drift.</p>"
    )


def detection_html(table: pd.DataFrame, measure: str = "micro_f1", against: pd.DataFrame | None = None) -> str:
    """Return a table of ``Run.detection`` as HTML, by learner with a sentence above it.

    ``measure``: what it is of; ``against``: the same table with a twin.
    """
    if table.empty:
        return "<p>Nothing watches the errors of these learners, and none reports detections of its own.</p>"
    if not table["drifts"].any() and not table["false_alarms"].any():
        return f"<p>{SILENT}</p>"
    second = next(name for name in ("source", "label", "node") if name in table)
    recovers = "recovered" in table
    titles = ["Learner", {"source": "Detected by", "label": "Label", "node": "Node"}[second], "Detected", "After",
              "False alarms" if table["drifts"].any() else "Alarms"]  # fmt: skip
    titles += ["Before → settled at", "Lost", "Recovered"] if recovers else []
    twins: dict[str, str] = {}
    if recovers and against is not None:
        titles.append("Against a run without the drifts")
        twins = {row["learner"]: f"<td>{_compared(row)}</td>" for row in against.to_dict("records")}
    head = "".join(f"<th scope='col'>{title}</th>" for title in titles)
    rows = "".join(
        f"<tr>{''.join(_cells(row, second, recovers))}{twins.get(row['learner'], '')}</tr>"
        for row in table.to_dict("records")
    )
    sentence = as_html(verdict(table, measure), 600) if recovers else ""
    return (
        f"{f'<p>{sentence}</p>' if sentence else ''}"
        f"<div tabindex='0' role='region' aria-label='How well drifts were detected'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='foot'>{FOOT.format(title=MEASURES[measure].title)}{TWIN if twins else ''}</p>"
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
        affected = int(row["affected"])
        cells.append(
            f"<td>{score_text(row['level'])} → {score_text(row['plateau'])}</td>" if affected else "<td>–</td>"
        )
        cells.append(f"<td>{_number(row['lost']) if affected else '–'}</td>")
        cells.append(f"<td>{_recovered(row)}</td>")
    return cells


def _recovered(row: dict[str, Any]) -> str:
    if not row["affected"]:
        return spared(row) or "–"
    after = f"{int(row['recovered'])} of {int(row['affected'])}, after {_number(row['recovery_time'])}"
    return after if row["recovered"] else "not recovered"


def _compared(row: dict[str, Any]) -> str:
    if not row["affected"]:
        return "not behind" if spared(row) == NOT_AFFECTED else spared(row) or "–"
    again = f"caught up after {_number(row['recovery_time'])}" if row["recovered"] else "not caught up"
    return f"{_number(row['lost'])} behind, {again}"


def _number(value: float) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:,.0f}"


PRESS = "Press a change: it begins with the next 100 rows. Or click on the curve, and it begins there."
ASK = ":host{font:600 12px/1.3 Roboto,system-ui,-apple-system,'Segoe UI',sans-serif;padding-bottom:3px}"
CHIPS = """
:host{display:grid!important;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:8px}
:host>*{align-self:stretch!important;height:auto!important} .scroll-button{display:none!important}
@container style(--sl-projected:1){:host{display:flex!important;flex-wrap:nowrap!important;gap:4px}
  :host>*{width:auto!important;min-width:0!important}}
"""
CHIP = """
:host>*{height:100%}
.MuiButtonBase-root{display:block!important;width:100%;height:100%!important;min-height:46px!important;
  padding:4px 8px!important;border-radius:10px;border-color:rgba(128,128,128,.45)!important;color:inherit!important;
  text-align:left;white-space:pre-line;text-transform:none!important;
  font:400 11.5px/1.4 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif!important;letter-spacing:0!important}
.MuiButtonBase-root::first-line{font-size:12px;font-weight:650}
:is(.MuiButton-icon,.MuiTouchRipple-root){display:none!important}
.MuiButtonBase-root:hover{background:rgba(128,128,128,.14)!important}
.MuiButtonBase-root:focus-visible{outline:2px solid currentColor!important;outline-offset:1px}
@container style(--sl-projected:1){.MuiButtonBase-root{min-height:0!important;max-height:26px;padding:0 1px!important;
  overflow:hidden;line-height:24px!important;font-size:0!important;white-space:pre;text-align:center}
  .MuiButtonBase-root::first-line{font-size:10.2px;font-weight:500}}
"""
CHOSEN = ".MuiButtonBase-root{border-color:currentColor!important;box-shadow:inset 0 0 0 1px currentColor}"
SHORT = """
:host{padding:2px 0 6px} h3{font:650 14px/1.3 inherit;margin:0 0 2px} p{margin:2px 0;overflow-wrap:anywhere}
th,td{padding:3px 8px 3px 0;white-space:normal} tbody th{font-weight:600}
"""
STYLE = """
:host{font:13px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
div{overflow:auto;max-width:100%;max-height:420px}table{border-collapse:collapse;width:100%}
th,td{padding:5px 12px 5px 0;text-align:left;white-space:nowrap;font-weight:400;
  border-bottom:1px solid color-mix(in srgb,currentColor 16%,transparent)}
thead th{opacity:.75;font-size:12px}
.foot{opacity:.75;font-size:12px;max-width:60em}
"""
