"""The settings in a page's address: read when it opens, kept when its run starts again, written when they change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import panel as pn

from streamlab.lab import Run
from streamlab.views.kit.text import shown
from streamlab.views.page.address import Address, parse
from streamlab.views.page.measures_shown import drawable_measures
from streamlab.views.page.page_part import lesson_names
from streamlab.views.page.run_view import RunView
from streamlab.views.page.window import told

Parameters = Mapping[str, Mapping[str, Any]]


class PageLink:
    """The settings of a page that a link has, and that stay when its run starts again.

    Parameters
    ----------
    streams, learners, river
        What the page offers.
    view
        Options of the page's ``RunView``, as its preset has them.
    usual
        What the page opens with by itself: a link does not say it.
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
        self._view, self._usual = dict(view), usual
        self._made: Parameters = {}
        self._shown: RunView | None = None

    def read(self, query: str) -> Address:
        """Return what a page with this query would be asked for."""
        return self._parse(query)[0]

    def refuse(self, lines: Sequence[str]) -> None:
        """Remember what the link asked for and cannot be had."""
        self._refused += lines

    def take(self, asked: Address) -> None:
        """Open what comes next as a link that asks for this: what is shown now is not kept."""
        self.asked, self.parameters, self.drifts, self._shown = asked, asked.parameters, asked.drifts, None

    def told(self) -> str:
        """Return what the link asked for and cannot be had, once; "" if there is nothing."""
        lines, self._refused = self._refused, []
        return told(lines)

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

    def show(self, view: RunView, made: Parameters) -> None:
        """Take a new view: open the tab of the one before, at first the page's or the link's, and go to the link's row.

        Parameters
        ----------
        view
            The view, which has just been made.
        made
            By learner the parameters with which the page makes it.
        """
        before, self._shown, self._made = self._shown, view, made
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
            self.parameters = self._changed()
            self.drifts = self._shown.drifts

    def query(self, base: Address) -> str:
        """Return the query of the page's address.

        Parameters
        ----------
        base
            The stream, learners, seed and chunk that are chosen.
        """
        if self._shown is None:
            return base.without(self._usual).query()
        look = self._shown.look
        rate = math.inf if look["rate"] is None else float(look["rate"])
        now = replace(base, speed=rate, measures=look["measures"], over=look["over"], tab=look["tab"])
        drifts = () if base.stream is None else self._shown.drifts
        return replace(now, parameters=self._changed(), drifts=drifts).without(self._usual).query()

    def _changed(self) -> dict[str, dict[str, Any]]:
        assert self._shown is not None, "a run is shown"
        changed = {}
        for name, values in self._shown.cards.values().items():
            made = self._made.get(name, {})
            other = {key: value for key, value in values.items() if made.get(key, value) != value}
            if other:
                changed[name] = other
        return changed
