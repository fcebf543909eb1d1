"""A run on the screen: transport, curves, board, structure, labels, and the controls that act mid-stream."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui
import param
import psutil

from streamlab.lab import Player, Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, Structure
from streamlab.measures import MEASURES
from streamlab.views.hosting.notebook import CellLayout, close_older_in_cell, in_kernel, load_javascript, shared_once
from streamlab.views.kit.picture import Drawn
from streamlab.views.page.controls import controls
from streamlab.views.page.drift_panel import Change, DriftPanel
from streamlab.views.page.event_cards import NO_CARDS, RULES, why_html
from streamlab.views.page.event_cards import STYLE as WHY_STYLE
from streamlab.views.page.node_details import (
    HOW_TO_READ,
    STYLE,
    class_story_html,
    projection_story_html,
    story_html,
    tree_story_html,
)
from streamlab.views.page.status_table import Board
from streamlab.views.page.transport import Transport
from streamlab.views.pictures.forest.view import ForestView
from streamlab.views.pictures.hierarchy.view import HierarchyView, more_parents
from streamlab.views.pictures.labels.view import LabelView
from streamlab.views.pictures.projection.view import ProjectionView
from streamlab.views.pictures.tree.view import TreeView
from streamlab.views.timeline.curves import OVER, Curves
from streamlab.views.timeline.level_curves import LEVEL_TITLES, LevelCurves

__all__ = ["RunView"]

POLL_MS = 90
FRAMES_PER_SECOND = 12.0
STORY_SECONDS = 0.5
# a projection has its bars beside it: lower, it fits a projector with them
PROJECTION_LESS = 100
# reserved also while no node is selected: a click must not move what was clicked
STORY_HEIGHT = 172
# numbers that change faster than this cannot be read, and cost the browser a new layout each time
NUMBERS_SECONDS = 0.3
DETECTION_SECONDS = 1.0
DRAWN_MEASURES = tuple(name for name in MEASURES if name != "macro_average_precision")
MOST_FIGURES = 4
MOST_LABELS = 100
MOST_HAPPENED = 100
LARGE_HEIGHT = 620
LARGE_HIERARCHY_HEIGHT, LARGE_STORY_HEIGHT = 560, 300
DRAWABLE = ("forest", "tree", "projection")
"""Structures that there is a picture of."""
SIDE_BY_SIDE = """
:host{display:grid!important;grid-template-columns:minmax(0,1fr) minmax(0,1.05fr);gap:28px;align-items:start;
  grid-auto-rows:max-content;height:max-content!important}
@container page (max-width:860px){:host{grid-template-columns:minmax(0,1fr)}}
"""
"""Two columns where the page is wide enough, one under the other where it is not."""
PICTURE_FIRST = SIDE_BY_SIDE.replace("minmax(0,1fr) minmax(0,1.05fr)", "minmax(0,2.2fr) minmax(0,1fr)")
NO_SCROLL_BOX = ".MuiTabsPanel > .MuiBox-root{overflow:visible!important}"
"""A tab's content scrolls with the page, so that the story can stay at its top."""
AS_TALL_AS_CONTENT = ":host{height:max-content!important}"
"""A page would squeeze its content into the window; it shall scroll instead."""
UNSQUEEZED = ":host{height:max-content!important;max-height:none!important} :host>*{max-height:none!important}"
"""Nor shall a column cut its parts down to the window: a tall picture would reach under what comes next."""
SETTINGS_COLUMNS = (
    ":host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));align-items:end}"
)
CLOSED = "This view is closed: run.view() opens another, which goes on where the run stands."
_open: weakref.WeakKeyDictionary[Run, weakref.ref[RunView]] = weakref.WeakKeyDictionary()
"""The view that owns each run."""


class RunView(pn.viewable.Viewer):
    """The monitor on one run.

    In a notebook it is a cell's result: ``run.view()``. It ends when that cell is run again, when the same
    run is viewed anew, when nothing refers to it any longer, and on ``close``.

    Parameters
    ----------
    run
        The run; the view's player owns it from now on.
    measures
        Measures drawn, one figure each; None: hierarchical F1 where the labels have a hierarchy, else micro F1, and the
        ranking loss.
    over
        ``"chunk"``, ``"faded"`` or ``"cumulative"``.
    rate
        Instances a second, or None for flat out.
    page
        Whether it is the content of a page of its own (which follows the system's light or dark, and has a place for
        ``settings``); else the settings stand in the view, and it follows JupyterLab's light or dark.
    on_restart
        Called when the user asks to start again; without it there is no such button.
    large
        Whether the learner's structure takes the whole width, above the curves: for a projector.
    tab
        The tab that is open at first: ``"Hierarchy"`` (where the labels have one), that of the structure (``"Fading
        trees"``, ``"Trees"``, ``"Projection"``, ``"Structures"``), ``"Labels"`` or ``"Drift"``; default: the first.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    def __init__(
        self,
        run: Run,
        *,
        measures: Sequence[str] | None = None,
        over: str = "chunk",
        rate: float | None = 250.0,
        page: bool = False,
        on_restart: Callable[[], None] | None = None,
        tab: str | None = None,
        large: bool = False,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._run = run
        names = list(run.tracks)
        self._labels = run.stream.schema.labels
        nested = run.stream.schema.hierarchy is not None
        if measures is None:
            measures = ("hierarchical_f1" if nested else "micro_f1", "ranking_loss")
        self._marks: list[tuple[int, str, str]] = []
        self._on_restart = on_restart
        self._closed = False
        self._callback = None
        self._wake = threading.Event()
        self._doc = None
        self._last: Frame | None = None
        self._story_at = self._class_story_at = self._numbers_at = self._detection_at = 0.0
        self._detection: Future | None = None
        self._by = "learner"
        self._told = False
        self._selected: int | None = None
        self._process = psutil.Process()
        before = _open.get(run)
        if before is not None and before() is not None:
            before().close()
        _open[run] = weakref.ref(self)
        self.player = Player(run, rate=rate, frames_per_second=FRAMES_PER_SECOND)

        drawable = [name for name, track in run.tracks.items() if track.learner.structure in DRAWABLE]
        self._structure = drawable[0] if drawable else ""
        weakref.finalize(self, self.player.close, 0)
        self.transport = Transport(self._command, page=page, restart=on_restart is not None, dark=self.dark)
        self.curves = Curves(names, measures, over, run.stream.n_rows)
        self.board = Board(dark=self.dark)
        self.label_view = LabelView(dark=self.dark)
        self.drift_panel = DriftPanel(run.stream.schema, self._put_drift, self._choose_by)
        kinds = {run.tracks[name].learner.structure for name in drawable}
        names_of_labels = list(self._labels)
        self.fading = ForestView(labels=names_of_labels, dark=self.dark) if "forest" in kinds else None
        self.tree = None
        if "tree" in kinds:
            features = run.stream.schema.features
            categories = [list(f.categories) if f.categories is not None else None for f in features]
            self.tree = TreeView(labels=names_of_labels, categories=categories, dark=self.dark)
        self.projection = None
        if "projection" in kinds:
            self.projection = ProjectionView(labels=names_of_labels, dark=self.dark)
        self.hierarchy = None
        if nested:
            self._prepare_hierarchy()
        self._happened: list[Event] = []
        self.why = pn.pane.HTML(NO_CARDS, stylesheets=[WHY_STYLE], sizing_mode="stretch_width", margin=(12, 0))
        self.story = _story(HOW_TO_READ[self._kind] if drawable else "")
        self.measure_choice = pmui.MultiChoice(
            label="Measures drawn",
            options={MEASURES[m].title: m for m in DRAWN_MEASURES if nested or not MEASURES[m].needs_hierarchy},
            value=list(measures),
            max_items=MOST_FIGURES,
            sizing_mode="stretch_width",
            margin=(4, 18),
        )
        self.over_choice = pmui.Select(
            label="Averaged",
            options={text.capitalize(): key for key, text in OVER.items()},
            value=over,
            sizing_mode="stretch_width",
            margin=(4, 18),
        )
        self.structure_choice = pmui.Select(
            label="Learner whose structure is drawn",
            options=drawable or [""],
            value=self._structure,
            width=260,
            margin=(18, 0, 8, 0),
        )
        self.tuning_note = pmui.Alert(title="", object="", severity="warning", visible=False, margin=(4, 18))
        self.controls = [
            widget for name, track in run.tracks.items() for widget in controls(name, track.learner, self._tune)
        ]
        self.measure_choice.param.watch(self._choose, "value")
        self.over_choice.param.watch(self._choose, "value")
        self.structure_choice.param.watch(self._choose_structure, "value")
        for picture in self._pictures:
            picture.param.watch(self._select, "selected")
        if self.projection is not None:
            self.projection.param.watch(self._point, "pointed")
        self._fit_structure()
        self.player.show(measures=measures, over=over, structure=self._structure)
        if nested:
            self.player.show(classes=self.class_choice.value)
        if not page:
            self.transport.param.watch(lambda event: self.param.update(dark=event.new), "dark")
        self._layout = self._lay_out(drawable, page, tab, large)

    def _prepare_hierarchy(self) -> None:
        """What the tab of the labels' hierarchy is made of."""
        schema, names = self._run.stream.schema, list(self._run.tracks)
        tree = schema.hierarchy
        self.hierarchy = HierarchyView(
            labels=list(self._labels), more_parents=more_parents(tree.parents), dark=self.dark
        )
        self.level_curves = LevelCurves(tree.n_levels, self._run.stream.n_rows)
        walkers = [name for name in names if self._run.tracks[name].learner.structure == "hierarchy"]
        self.class_choice = pmui.Select(
            label="Learner whose answers are drawn",
            options=names,
            value=(walkers or names)[0],
            width=260,
            margin=(18, 0, 8, 0),
        )
        self.level_choice = pmui.Select(
            label="Curve of each level",
            options={title: key for key, title in LEVEL_TITLES.items()},
            value="f1",
            sizing_mode="stretch_width",
            margin=(4, 18),
        )
        self.class_story = _story(HOW_TO_READ["hierarchy"])
        self.class_choice.param.watch(self._choose_classes, "value")
        self.level_choice.param.watch(self._choose_level, "value")
        self.hierarchy.param.watch(self._select_class, "selected")

    @property
    def _pictures(self) -> list[ForestView | TreeView | ProjectionView]:
        return [picture for picture in (self.fading, self.tree, self.projection) if picture is not None]

    @property
    def _kind(self) -> str:
        """The kind of picture of the learner chosen."""
        return self._run.tracks[self._structure].learner.structure if self._structure else ""

    def _fit_structure(self) -> None:
        """Show the picture that is of the chosen learner's kind."""
        if self.fading is not None:
            self.fading.visible = self._kind == "forest"
        if self.tree is not None:
            self.tree.visible = self.why.visible = self._kind == "tree"
        if self.projection is not None:
            self.projection.visible = self._kind == "projection"

    @property
    def _structure_title(self) -> str:
        """The name of the tab with the pictures."""
        if self.projection is not None:
            return "Projection" if len(self._pictures) == 1 else "Structures"
        return "Fading trees" if self.tree is None else "Trees"

    # ------------------------------------------------------------------ layout

    def _lay_out(self, drawable: list[str], page: bool, tab: str | None, large: bool) -> pn.Column:
        tabs: list[tuple[str, Any]] = []
        if self.hierarchy is not None:
            tabs.append(("Hierarchy", self._lay_out_hierarchy(large)))
        if self._pictures:
            chooser = [self.structure_choice] if len(drawable) > 1 else []
            # a projection has its bars beside it: its story stands below
            large_beside = large and self.projection is None
            cards = [self.why] if self.tree is not None else []
            if large_beside:
                beside = pn.Column(*chooser, self.story, *cards, sizing_mode="stretch_width")
                drawn = pn.Column(*self._pictures, sizing_mode="stretch_width")
                parts = [pn.Column(drawn, beside, stylesheets=[PICTURE_FIRST], sizing_mode="stretch_width")]
            elif large:
                parts = [*chooser, *self._pictures, self.story, *cards]
                self.story.styles = {}
            else:
                parts = [*chooser, self.story, *self._pictures, *cards]
            tabs.append((self._structure_title, pn.Column(*parts, sizing_mode="stretch_width")))
        tabs.append(("Labels", pn.Column(self.label_view, sizing_mode="stretch_width", margin=(16, 0))))
        tabs.append(("Drift", self.drift_panel))
        opened = [name for name, _ in tabs].index(tab) if tab is not None else 0
        settings = [] if page else [self._settings_section()]
        curves = [self.curves] if self.hierarchy is None else [self.curves, self.level_curves]
        if large:
            curves = [pn.Column(*curves, stylesheets=[SIDE_BY_SIDE] * (len(curves) > 1), sizing_mode="stretch_width")]
        numbers = pn.Column(*curves, self.board, sizing_mode="stretch_width")
        pictures = pmui.Tabs(*tabs, active=opened, sizing_mode="stretch_width", stylesheets=[NO_SCROLL_BOX])
        if large:
            parts = pn.Column(pictures, numbers, stylesheets=[UNSQUEEZED], sizing_mode="stretch_width")
            if self.tree is not None:
                self.tree.picture_height = LARGE_HEIGHT
            if self.projection is not None:
                self.projection.picture_height = LARGE_HEIGHT - PROJECTION_LESS
        else:
            parts = pn.Column(numbers, pictures, stylesheets=[SIDE_BY_SIDE], sizing_mode="stretch_width")
        return CellLayout(
            self.transport,
            *settings,
            parts,
            sizing_mode="stretch_width",
            margin=(16, 20),
            styles={"container": "page / inline-size"},
            stylesheets=[AS_TALL_AS_CONTENT],
            on_gone=None if page else self.close,
        )

    def _lay_out_hierarchy(self, large: bool) -> pn.Column:
        chooser = [self.class_choice] if len(self._run.tracks) > 1 else []
        if not large:
            return pn.Column(*chooser, self.class_story, self.hierarchy, sizing_mode="stretch_width")
        self.hierarchy.picture_height = LARGE_HIERARCHY_HEIGHT
        self.class_story.height = LARGE_STORY_HEIGHT
        beside = pn.Column(*chooser, self.class_story, sizing_mode="stretch_width")
        drawn = pn.Column(self.hierarchy, sizing_mode="stretch_width", margin=(14, 0, 0, 0))
        return pn.Column(drawn, beside, stylesheets=[PICTURE_FIRST], sizing_mode="stretch_width")

    def _settings_section(self) -> pmui.Accordion:
        content = pn.Column(*self.settings, stylesheets=[SETTINGS_COLUMNS], sizing_mode="stretch_width")
        return pmui.Accordion(("Settings", content), active=[], margin=(12, 2, 18, 2), sizing_mode="stretch_width")

    @property
    def settings(self) -> list[Any]:
        """The controls, for a sidebar: what is drawn, then the tunable parameters of each learner."""
        tuning = self.controls or [pmui.Typography("These learners have no parameter to tune.", margin=(4, 18))]
        levels = [] if self.hierarchy is None else [self.level_choice]
        return [*tuning, self.tuning_note, self.measure_choice, self.over_choice, *levels]

    def __panel__(self):
        return self._layout

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if not in_kernel():
            return {"text/plain": repr(self)}, {}
        if self._closed:
            return {"text/plain": CLOSED}, {}
        close_older_in_cell(self)
        load_javascript()
        bundle, about = super()._repr_mimebundle_(include, exclude)
        if "text/html" in bundle:
            bundle["text/html"] = shared_once(bundle["text/html"])
        return {**bundle, "text/plain": repr(self)}, about

    def __repr__(self) -> str:
        return f"<RunView of {self._run!r}>"

    # ------------------------------------------------------------------ the loop

    def _start(self) -> None:
        """Begin to poll the player, now that the browser has drawn the view: it knows what frames refer to."""
        if self._callback is None and not self._closed:
            self._doc = pn.state.curdoc
            if self._doc is not None and self._doc.session_context is not None:
                # Bokeh's own callback: Panel's marks the page busy and idle at every tick, two messages each
                self._callback = self._doc.add_periodic_callback(self._tick, POLL_MS)
            else:
                # a thread of its own: a kernel's loop stands still while another cell runs
                self._callback = threading.Thread(target=self._keep_ticking, name="streamlab cell", daemon=True)
                self._callback.start()

    def _keep_ticking(self) -> None:
        while not self._closed:
            with self._layout.lock:
                self._tick()
            self._wake.wait(POLL_MS / 1000)
            self._wake.clear()

    def _tick(self) -> None:
        frame = self.player.poll()
        if frame is not None and not self._closed:
            self._draw(frame)
        self._draw_detection()

    def _soon(self, _: Future | None = None) -> None:
        """Draw the answer to a command without waiting for the next tick."""
        if self._doc is not None and self._doc.session_context is not None:
            self._doc.add_timeout_callback(self._tick, 25)
        else:
            self._wake.set()

    def _draw(self, frame: Frame) -> None:
        self._last = frame
        if frame.events:
            self._marks += [(e.position, e.kind, e.message) for e in frame.events if e.is_dated]
            self.curves.mark(frame.events)
        self.transport.show(frame, self._marks[-100:])
        self.curves.update(frame.curves)
        now = time.monotonic()
        if now - self._numbers_at >= NUMBERS_SECONDS or frame.state != "playing" or frame.events:
            self._numbers_at = now
            self.board.show(frame, self.measure_choice.value, self._foot())
            self._draw_labels(frame.labels)
        if frame.structure is not None:
            self._draw_structure(frame)
        if frame.classes is not None:
            self._draw_hierarchy(frame)
        if frame.events or frame.state != "playing" or now - self._detection_at > DETECTION_SECONDS:
            self._detection_at = now
            self._ask_detection()

    def _ask_detection(self) -> None:
        """Ask the player's thread for the table; the page does not wait for the answer."""
        by, measure = self._by, self.measure_choice.value[0] if self.measure_choice.value else "micro_f1"
        self._detection = self.player.ask(lambda run: run.detection(by, measure=measure))

    def _draw_detection(self) -> None:
        if self._detection is None or not self._detection.done():
            return
        asked, self._detection = self._detection, None
        if not self._closed and not asked.cancelled() and asked.exception() is None:
            self.drift_panel.show(asked.result())

    def _draw_labels(self, labels: dict[str, np.ndarray]) -> None:
        """All labels; of very many the most frequent ones, without their co-occurrence."""
        now, whole, together = labels["now"], labels["whole"], labels["together"]
        if len(together) == len(now):
            self._show_labels(self._labels, now, whole, together)
            return
        shown = np.sort(np.argsort(-whole, kind="stable")[:MOST_LABELS])
        names = [self._labels[j] for j in shown]
        self._show_labels(names, now[shown], whole[shown], np.zeros((len(shown), len(shown))))

    def _show_labels(self, names: Sequence[str], now: Any, whole: Any, together: Any) -> None:
        extra = {"names": list(names), "together": together}
        self.label_view.show(Drawn("", self._last.position, {"recent": now, "whole": whole}, extra))

    def _draw_structure(self, frame: Frame) -> None:
        structure = frame.structure
        tells = story_html
        if structure.kind == "tree":
            tells = tree_story_html
            extra = {"features": self._run.stream.schema.feature_names}
            self.tree.show(Drawn(structure.learner, structure.now, structure.columns, extra))
            new = [e for e in frame.events if e.kind in RULES and e.learner in self._run.tracks]
            self._happened = [*self._happened, *new][-MOST_HAPPENED:]
            if new or not self._told:
                self._told = True
                self.why.object = why_html(e for e in self._happened if e.learner == structure.learner)
        elif structure.kind == "projection":
            self._draw_projection(structure)
            return
        else:
            extra = {name: getattr(structure, name) for name in ("half_life", "n_trees", "height")}
            self.fading.show(Drawn(structure.learner, structure.now, structure.columns, extra))
        now = time.monotonic()
        if self._selected is not None and (now - self._story_at > STORY_SECONDS or frame.state != "playing"):
            self._story_at = now
            self.story.object = tells(structure.learner, structure.story)

    def _draw_projection(self, structure: Structure) -> None:
        neighbourhood, asked = structure.story, self.projection.selection
        extra = {"recent": structure.recent, "neighbourhood": neighbourhood}
        self.projection.show(Drawn(structure.learner, structure.now, structure.columns, extra))
        now = time.monotonic()
        is_pinned = self._selected is not None and self._selected == asked
        if is_pinned and (now - self._story_at > STORY_SECONDS or self._last.state != "playing"):
            self._story_at = now
            self.story.object = projection_story_html(structure.learner, neighbourhood, self._labels)

    def _draw_hierarchy(self, frame: Frame) -> None:
        classes = frame.classes
        if classes.learner != self.class_choice.value:
            return  # of a choice that has been changed since
        playing = frame.state == "playing"
        self.hierarchy.show(Drawn(classes.learner, classes.now, classes.columns, {}), playing)
        self.level_curves.describe(classes.learner, self.level_choice.value, OVER[self.over_choice.value])
        self.level_curves.update(frame.levels)
        story, now = classes.story, time.monotonic()
        is_due = now - self._class_story_at > STORY_SECONDS or not playing
        if is_due and story is not None and story["id"] == self.hierarchy.selected:
            self._class_story_at = now
            self.class_story.object = class_story_html(classes.learner, story)

    def _foot(self) -> str:
        megabytes = self._process.memory_info().rss / 1e6
        return f"Measures over the whole stream so far (0/0 counts as 0). This page's server holds {megabytes:,.0f} MB."

    # ------------------------------------------------------------------ what the user does

    def _command(self, name: str, value: Any) -> None:
        if name == "ready":
            self._start()
        elif name == "play":
            self.player.play()
        elif name == "pause":
            self.player.pause()
        elif name == "step":
            self.player.step(value)
        elif name == "rate":
            self.player.set_rate(value)
        elif name == "restart" and self._on_restart is not None:
            self._on_restart()
            return
        self._soon()

    def _tune(self, learner: str, parameter: str, value: float) -> None:
        future = self.player.tune(learner, **{parameter: value})
        try:
            future.result(timeout=5)
        except ValueError as error:
            self.tuning_note.param.update(object=str(error), visible=True)
        else:
            self.tuning_note.visible = False
        self._soon()

    def _put_drift(self, change: Change) -> str:
        event = self.player.put_drift(change).result(timeout=5)
        self._soon()
        return f"{event.message[0].upper()}{event.message[1:]}."

    def _choose_by(self, by: str) -> None:
        self._by = by
        self._ask_detection()
        self._soon()

    def _choose(self, _: Any) -> None:
        measures = list(self.measure_choice.value)
        if not measures:
            return
        self.curves.choose(measures, self.over_choice.value)
        self.player.show(measures=measures, over=self.over_choice.value)
        self._soon()

    def _choose_structure(self, event: Any) -> None:
        self._structure = event.new
        self.player.show(structure=event.new, selected=None)
        for picture in self._pictures:
            picture.selected = None
        self._told = False
        self._fit_structure()
        self.story.object = HOW_TO_READ[self._kind]
        self._soon()

    def _select(self, event: Any) -> None:
        self._selected = event.new
        self._story_at = 0.0
        self.player.show(selected=event.new if event.obj is not self.projection else self.projection.selection)
        if event.new is None:
            self.story.object = HOW_TO_READ[self._kind]
        self._soon()

    def _point(self, _: Any) -> None:
        """Another instance is under the pointer: its neighbours are found on the player's thread."""
        self.player.show(selected=self.projection.selection)

    def _choose_classes(self, event: Any) -> None:
        self._class_story_at = 0.0
        self.player.show(classes=event.new)
        self._soon()

    def _choose_level(self, event: Any) -> None:
        self.player.show(level_measure=event.new)
        self._soon()

    def _select_class(self, event: Any) -> None:
        self._class_story_at = 0.0
        self.player.show(selected_class=event.new)
        if event.new is None:
            self.class_story.object = HOW_TO_READ["hierarchy"]
        self._soon()

    @param.depends("dark", watch=True)
    def _repaint(self) -> None:
        others = [] if self.hierarchy is None else [self.hierarchy]
        for part in (self.transport, self.board, self.label_view, *self._pictures, *others):
            part.dark = self.dark

    def close(self) -> None:
        """End the player and the polling; may be called more than once."""
        if self._closed:
            return
        self._closed = True
        self._wake.set()
        polled_by_page = self._callback is not None and not isinstance(self._callback, threading.Thread)
        if polled_by_page and self._doc.session_context is not None:
            self._doc.remove_periodic_callback(self._callback)
        self.player.close()


def _story(text: str) -> pn.pane.HTML:
    """Where a story is told; it stays in sight while a tall picture scrolls by."""
    return pn.pane.HTML(
        text,
        stylesheets=[STYLE],
        sizing_mode="stretch_width",
        height=STORY_HEIGHT,
        margin=0,
        styles={"position": "sticky", "top": "0", "z-index": "4", "background": "var(--panel-background-color)"},
    )
