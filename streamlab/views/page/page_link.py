"""The settings in a page's address, which are kept when its run starts again."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn

from streamlab.lab import Run
from streamlab.learners import Learner
from streamlab.streams import Stream, from_recipe, load
from streamlab.streams.catalogue import generated_names
from streamlab.streams.limits import LoadCancelled
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.limits import LIMITS, LOADING
from streamlab.views.kit.text import shown
from streamlab.views.page.address import CHUNK, Address, parse
from streamlab.views.page.link_texts import write_spec
from streamlab.views.page.own_data import SAVED
from streamlab.views.page.page_part import PageParts, lesson_names
from streamlab.views.page.presets import river_name
from streamlab.views.page.run_view import RunView
from streamlab.views.page.tables import drawable_measures
from streamlab.views.page.window import refused_text

Parameters = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class RunStart:
    """How a run began: the parameters with which the page made its learners, and whether it is to play at once."""

    made: Parameters = field(default_factory=dict)
    plays: bool = False


def spec_of(source: Any) -> str | None:
    """Return what a link says of a stream that the drift laboratory makes; None if it is no such stream."""
    with suppress(ValueError):
        return write_spec(source) if isinstance(source, StreamSpec) else None
    return None


class PageLink:
    """The settings of a page that a link has, and that stay when its run starts again.

    ``streams``, ``learners`` and ``river`` are what the page offers, ``view`` the options of its ``RunView``;
    ``usual`` is what the page opens with by itself, which a link does not say.
    """

    def __init__(
        self,
        streams: Sequence[Any],
        learners: Sequence[str],
        river: Sequence[str],
        view: Mapping[str, Any],
        usual: Address,
    ) -> None:
        arguments = {name: [each.decode(errors="replace") for each in v] for name, v in pn.state.session_args.items()}
        known = [each for each in streams if isinstance(each, str)]
        self._parse = partial(parse, streams=known, learners=learners, river=river, lessons=lesson_names())
        self.asked, self._refused = self._parse(urlencode(arguments, doseq=True))
        asked = self.asked
        self.parameters: Parameters = asked.parameters
        """By learner the parameters that the next run begins with, where they are not as the page makes them."""
        self.drifts = asked.drifts
        """Those that the next run's stream is to have."""
        self._view, self._usual, self._learners, self._river = dict(view), usual, learners, river
        self._start = RunStart()
        self._shown: RunView | None = None

    def read(self, query: str) -> Address:
        """Return what a page with this query would be asked for."""
        return self._parse(query)[0]

    def refuse(self, lines: Sequence[str]) -> None:
        """Remember what the link asked for and cannot be had."""
        self._refused += lines

    # ------------------------------------------------------------------ the address

    def take(self, asked: Address) -> None:
        """Open what comes next as a link that asks for this: what is shown now is not kept."""
        self.asked, self.parameters, self.drifts, self._shown = asked, asked.parameters, asked.drifts, None

    def refused_text(self) -> str:
        """Return what the link asked for and cannot be had, once; "" if there is nothing."""
        lines, self._refused = self._refused, []
        return refused_text(lines)

    def look(self, run: Run) -> dict[str, Any]:
        """Return the options of the next ``RunView``: those of the view before, at first those of the link."""
        look = dict(self._view)
        if self._shown is not None:
            look |= self._shown.look
        else:
            if self.asked.speed is not None:
                look["rate"] = None if math.isinf(self.asked.speed) else self.asked.speed
            look |= {name: value for name in ("measures", "over") if (value := getattr(self.asked, name))}
        # not every run has the tab: ``show`` opens it where it is
        look.pop("tab", None)
        drawable = drawable_measures(run)
        if self._shown is None:
            lost = [each for each in self.asked.measures if each not in drawable]
            self.refuse([f"measures={each}: not of this stream" for each in lost])
        look["measures"] = tuple(each for each in look.get("measures") or () if each in drawable) or None
        return look

    def show(self, view: RunView, start: RunStart) -> None:
        """Take a new view: open the tab of the one before, at first the page's or the link's; go to the link's row."""
        before, self._shown, self._start = self._shown, view, start
        if before is None:
            view.open_tab(self._view.get("tab", ""))
            self._usual = replace(self._usual, tab=view.look["tab"])
            if not self.asked.measures:
                self._usual = replace(self._usual, measures=view.look["measures"])
        tab = self.asked.tab if before is None else before.look["tab"]
        if tab and not view.open_tab(tab) and before is None:
            self.refuse([f"tab={shown(tab, 40)}: no such tab here"])
        if before is None and self.asked.at:
            view.player.step(self.asked.at)

    def keep(self) -> None:
        """Let the next run begin with the parameters that are set now, and with the drifts that were put in."""
        if self._shown is not None:
            self.parameters = _others(self._shown.settings_of.values(), self._start.made)
            self.drifts = self._shown.drifts

    def query(self, base: Address) -> str:
        """Return the query of the page's address; ``base`` has the stream, seed and chunk that are chosen."""
        view = self._shown
        if view is None:
            return base.without(self._usual).query()
        look, groups = view.look, view.settings_of.groups
        now = replace(
            base, speed=math.inf if look["rate"] is None else float(look["rate"]), measures=look["measures"],
            over=look["over"], tab=look["tab"], drifts=() if base.stream is None else view.drifts,
            learners=tuple(name for name in groups if name in self._learners),
            river=tuple(name for name in self._river if river_name(name) in groups),
            parameters=_others(view.settings_of.values(), self._start.made),
        )  # fmt: skip
        return now.without(self._usual).query()


def _others(now: Parameters, made: Parameters) -> Parameters:
    """Return by learner the parameters that are not as the page makes them."""
    others = {name: {k: v for k, v in each.items() if made.get(name, {}).get(k, v) != v} for name, each in now.items()}
    return {name: each for name, each in others.items() if each}


@dataclass(frozen=True)
class Job:
    """What is to be loaded, and whether people have chosen something else since, or left.

    ``left`` names a run that a page left, which goes on here; ``played`` rows have passed when the run shows.
    """

    source: Any
    options: dict[str, Any]
    asked: Address
    left: str | None = None
    played: int = 0
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def generated(self) -> str:
        """The name of the catalogue's stream that is made as it is read; "" for others."""
        if isinstance(self.source, StreamSpec):
            return self.source.in_catalogue
        return self.source if isinstance(self.source, str) and self.source in generated_names() else ""

    def open(self, parts: PageParts) -> Stream:
        """Return the stream of its source; not on the document's thread, so that it may take its time."""
        if isinstance(self.source, (Stream, StreamSpec)):
            return self.source if isinstance(self.source, Stream) else self.source.make()
        opened = parts.first(lambda part: part.open(self.source, self.cancelled.is_set))
        if opened is not None:
            return opened
        limits = LOADING if isinstance(self.source, Path) else None
        return load(self.source, **self.options, limits=limits, cancel=self.cancelled.is_set)

    @property
    def is_saved(self) -> bool:
        """Whether the source is the file of a saved run."""
        return isinstance(self.source, Path) and self.source.suffix == SAVED

    def replay(self, heard: Callable[[int, int], object]) -> Run:
        """Return a saved run, done again from its first row: a file from elsewhere is believed no figure.

        ``heard`` gets the rows that have passed, and how many there are.
        """
        rows: Any = self.options.get("rows")
        limits: dict[str, Any] = {"limits": LOADING, "cancel": self.cancelled.is_set}

        def of_file(recipe: Any) -> Stream:
            return load(rows, **limits) if recipe is None else from_recipe(recipe, files=rows, **limits)

        def hear(done: int, of: int) -> None:
            if self.cancelled.is_set():
                raise LoadCancelled("another run was asked for")
            heard(done, of)

        stream = None if rows is None else of_file
        return Run.open(self.source, stream, models=False, progress=hear, snapshots=LIMITS.snapshot_bytes)

    def run(self, stream: Stream, learners: Mapping[str, Learner]) -> Run:
        """Return the run of a stream that has been loaded, at its first row."""
        chunk, seeds = self.asked.chunk or CHUNK, self.asked.seeds or 1
        return Run(stream, learners, chunk=chunk, alarms="label", snapshots=LIMITS.snapshot_bytes, seeds=seeds)
