"""Frames: what a screen needs of a run at one instant, as copies, made on the thread that owns the run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamlab.lab.class_stats import class_columns, class_story
from streamlab.lab.events import Event
from streamlab.lab.history import with_curves
from streamlab.lab.learner_run import Track
from streamlab.lab.run import Run

__all__ = ["LEVEL_MEASURES", "CurveUpdate", "Frame", "FrameMaker", "Structure"]

LEVEL_MEASURES = ("f1", "precision", "recall", "first_wrong")
"""What there is a curve of at each level of a hierarchy."""

# instances of a projection that a frame holds: more cover each other, and cost 14 bytes each, ten times a second
RECENT = 300


@dataclass(frozen=True)
class CurveUpdate:
    """Points to append to the curves; with ``reset``, all points there are, in place of those drawn.

    Parameters
    ----------
    positions
        int64 [points], the instances up to each point.
    values
        float64 [points] by (measure, learner); of the levels of a hierarchy by level, 0 at the top.
    reset
        True at first, when other measures were chosen, and when the history has been thinned.
    """

    positions: np.ndarray
    values: dict[Any, np.ndarray]
    reset: bool


@dataclass(frozen=True)
class Structure:
    """A learner's nodes as copies, with what it takes to draw them.

    Parameters
    ----------
    learner
        Its name in the run.
    kind
        ``"forest"``, ``"tree"``, ``"hierarchy"`` or ``"projection"``: which picture it is, the learner's ``structure``.
    columns
        As the learner's ``node_columns`` gives them.
    now
        Instances learned.
    story
        ``describe_node`` of the selected node, or None; of a projection ``neighbourhood_of`` the selected instance.
    half_life, n_trees, height
        Parameters of a forest at that instant; of another None, 1 and 0.
    recent
        Of a projection ``recent``, the newest instances kept; of another None.
    """

    learner: str
    kind: str
    columns: dict[str, np.ndarray]
    now: int
    story: dict[str, Any] | None
    half_life: float | None = None
    n_trees: int = 1
    height: int = 0
    recent: dict[str, np.ndarray] | None = None


@dataclass(frozen=True)
class Frame:
    """A run at one instant; nothing in it is shared with the run.

    Parameters
    ----------
    number
        Counts the frames made.
    state, message
        The player's state and what there is to say: an error, or "".
    position, n_rows
        Instances passed; the stream's length, None while unknown.
    speed, rate
        Instances a second now (wall clock), and wanted (None: flat out).
    curves
        New points of the curves.
    events
        Events new since the last frame taken.
    tracks
        By learner: ``seconds``, ``instances_per_second``, ``bytes``, ``values`` ({measure: cumulative value}).
    labels
        ``now``, ``whole`` (shape (n_labels,)) and ``together`` (n_labels, n_labels): shares of the instances.
    structure
        The chosen learner's nodes, or None.
    last
        ``truth`` and, by learner, ``predicted``: names of the labels of the latest instance.
    classes
        The classes of the labels' hierarchy as the chosen learner answers them (``class_columns``, ``class_story``);
        None without one.
    levels
        New points of the chosen learner's curves, one a level; None without a hierarchy.
    """

    number: int
    state: str
    message: str
    position: int
    n_rows: int | None
    speed: float
    rate: float | None
    curves: CurveUpdate
    events: list[Event]
    tracks: dict[str, dict[str, Any]]
    labels: dict[str, np.ndarray]
    structure: Structure | None
    last: dict[str, Any]
    classes: Structure | None = None
    levels: CurveUpdate | None = None
    cursor: tuple = field(repr=False, default=())


class FrameMaker:
    """Makes frames of a run; knows up to where the screen has drawn.

    Parameters
    ----------
    run
        The run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._number = 0
        self._measures: tuple[str, ...] = ("micro_f1",)
        self._over = "chunk"
        self._structure: str | None = None
        self._selected: int | None = None
        self._classes: str | None = None
        self._selected_class: int | None = None
        self._level_measure = LEVEL_MEASURES[0]
        self._depth = 7
        self._min_share = 0.004
        self._choice = 0
        self._cursor: tuple = (-1, 0, 0, 0)  # choice, stride, points, events

    def choose(
        self,
        *,
        measures: Iterable[str] | None = None,
        over: str | None = None,
        structure: str | None = None,
        selected: int | None = -1,
        classes: str | None = None,
        selected_class: int | None = -1,
        level_measure: str | None = None,
        redraw: bool = False,
    ) -> None:
        """Choose what the frames hold; what is left out stays.

        Parameters
        ----------
        measures
            Measures of the curves.
        over
            ``"chunk"``, ``"cumulative"`` or ``"faded"``.
        structure
            The learner whose nodes are drawn; "" for none.
        selected
            Id of the node whose story is told; None for none.
        classes
            The learner whose answers the hierarchy and its levels show; "" for none.
        selected_class
            Column of the class whose story is told; None for none.
        level_measure
            Of ``LEVEL_MEASURES``: what the curves of the levels show.
        redraw
            Whether the next frame shall hold all points and events again, for a screen that starts anew.

        Raises
        ------
        ValueError
            For an unknown measure, average or learner, one without nodes, or classes of labels that have no hierarchy;
            nothing is changed then.
        """
        # all is checked before anything changes
        hierarchy = self._run.stream.schema.hierarchy is not None
        chosen = None if measures is None else with_curves(measures, hierarchy)
        if over not in (None, "chunk", "cumulative", "faded"):
            raise ValueError(f"over={over!r} must be chunk, cumulative or faded")
        for learner in filter(None, (structure, classes)):
            if learner not in self._run.tracks:
                raise ValueError(f"no learner {learner!r} in this run; there are: {', '.join(self._run.tracks)}")
        if classes and not hierarchy:
            raise ValueError(f"classes={classes!r}: the labels of this stream have no hierarchy")
        if level_measure not in (None, *LEVEL_MEASURES):
            raise ValueError(f"level_measure={level_measure!r} must be one of {', '.join(LEVEL_MEASURES)}")
        if structure and not self._run.tracks[structure].learner.picture:
            raise ValueError(f"the learner {structure!r} has no nodes that could be drawn")
        if chosen is not None:
            self._measures = chosen
            self._choice += 1
        if over is not None:
            self._over = over
            self._choice += 1
        if structure is not None:
            self._structure = structure or None
        if selected != -1:
            self._selected = selected
        if classes is not None and (classes or None) != self._classes:
            self._classes = classes or None
            self._choice += 1
        if selected_class != -1:
            self._selected_class = selected_class
        if level_measure is not None:
            self._level_measure = level_measure
            self._choice += 1
        if redraw:
            self._choice += 1
            self._cursor = (-1, 0, 0, 0)

    def cursor(self) -> tuple:
        """Up to where the screen has drawn."""
        return self._cursor

    def taken(self, frame: Frame) -> None:
        """The screen has taken this frame."""
        self._cursor = frame.cursor

    def make(self, since: tuple, state: str, message: str, rate: float | None, speed: float) -> Frame:
        """The frame of this instant; ``since`` is the cursor of what the screen has."""
        run = self._run
        choice, stride, points, events = since
        history = next(iter(run.tracks.values())).history
        reset = choice != self._choice or stride != history.stride
        start = 0 if reset else points
        values = {
            (measure, name): track.history.curve(measure, self._over, start)
            for measure in self._measures
            for name, track in run.tracks.items()
        }
        curves = CurveUpdate(history.positions[start:].copy(), values, reset)
        self._number += 1
        return Frame(
            number=self._number,
            state=state,
            message=message,
            position=run.position,
            n_rows=run.n_rows,
            speed=speed,
            rate=rate,
            curves=curves,
            events=run.log.since(events),
            tracks={name: self._track(track) for name, track in run.tracks.items()},
            labels={
                "now": run.labels.now.copy(),
                "whole": run.labels.whole,
                "together": run.labels.together,
            },
            structure=self._nodes(),
            last=self._last(),
            classes=self._hierarchy(),
            levels=self._levels(curves.positions, start, reset),
            cursor=(self._choice, history.stride, len(history), run.log.next_number),
        )

    def _track(self, track: Track) -> dict[str, Any]:
        return {
            "seconds": track.seconds,
            "instances_per_second": track.instances_per_second,
            "bytes": track.n_bytes,
            "values": track.tracker.values("cumulative", self._measures) if track.tracker.row else {},
        }

    def _nodes(self) -> Structure | None:
        if self._structure is None:
            return None
        learner = self._run.tracks[self._structure].learner
        if learner.picture == "projection":
            return self._projection(learner)
        story = None if self._selected is None else learner.describe_node(self._selected)
        if learner.picture != "forest":
            return Structure(self._structure, learner.picture, learner.node_columns(), self._run.position, story)
        columns = learner.node_columns(self._depth, self._min_share)
        parameters = learner.half_life, learner.n_trees, learner.height
        return Structure(self._structure, "forest", columns, learner.now, story, *parameters)

    def _projection(self, learner: Any) -> Structure:
        story = None if self._selected is None else learner.neighbourhood_of(self._selected)
        return Structure(
            self._structure, "projection", learner.node_columns(), self._run.position, story,
            recent=learner.recent(RECENT),
        )  # fmt: skip

    def _hierarchy(self) -> Structure | None:
        name = self._classes
        if name is None:
            return None
        chosen = self._selected_class
        story = None if chosen is None else class_story(self._run, name, chosen)
        return Structure(name, "hierarchy", class_columns(self._run, name), self._run.position, story)

    def _levels(self, positions: np.ndarray, start: int, reset: bool) -> CurveUpdate | None:
        if self._classes is None:
            return None
        values = self._run.tracks[self._classes].history.level_curves(self._over, start)[self._level_measure]
        return CurveUpdate(positions, dict(enumerate(values.T.copy())), reset)

    def _last(self) -> dict[str, Any]:
        run = self._run
        if run.last is None:
            return {}
        names = run.stream.schema.labels
        return {
            "truth": [names[j] for j in np.flatnonzero(run.last[1])],
            "predicted": {
                name: [names[j] for j in np.flatnonzero(track.last_labels)]
                for name, track in run.tracks.items()
                if track.last_labels is not None
            },
        }
