"""The one screen of a run: which area each part of it has, in one grid; no part knows its neighbours.

From 1100 x 620 px on everything is seen at once and nothing scrolls: the picture fills what the others leave. Below
that the areas stand one under the other, what happened first (story and curves), then what learners look like, what is
known of a part behind it, and the transport stays at the bottom of the window.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import panel as pn

PARTS = {"story": "story", "curves": "timeline", "pictures": "stage"}
"""Areas that can be hidden, by the name that lessons give them; heads are with the pictures."""

AT_ONCE = "(min-width:1100px) and (min-height:620px)"
"""Windows of a page that show everything at once. There ``--sl-fill`` is 1, by which pictures and timeline know it."""
WIDE_CELL = "cell (min-width:700px)"
"""Notebook cells that do, and a page that is enlarged for a class."""
HEADER = 48
"""Height of a page's header, px."""
SENTENCE, CURVE, BAR = 64, 236, 60
"""Heights of the other parts of a page that shows everything at once, px; the stage has the rest."""
AXIS = 40
"""Height of what stands over and under the curve in its part, px."""
SIDE = 28
"""Room at its sides, px."""
CELL_HEIGHT = 560
"""Height of such a cell, px."""
WHOLE_PAGE = f"calc(100vh / var(--streamlab-larger,1) - {HEADER}px)"
NARROW_PAGE = f"padding:0 16px;min-height:calc(100dvh - {HEADER}px);grid-template-rows:auto auto auto 1fr auto auto"
"""Rules of a page below that, on which Play is at the window's bottom however little is above it."""


def at_once(rules: str) -> str:
    """Return style rules that hold where everything is seen at once, on a page and in a cell."""
    return f"@media {AT_ONCE}{{@container page (min-width:1px){{{rules}}}}} @container {WIDE_CELL}{{{rules}}}"


LOW = ".MuiSelect-select{padding:4px 28px 3px 8px!important;font-size:13px!important}"
"""A list to choose from that leaves what is below it its room."""
PLAIN = ":host{height:max-content!important;max-height:none!important;min-width:0} :host>*{max-height:none!important}"
"""A column does not cut its parts down to the window: a tall picture would reach under what comes next."""
GRID = """
:host{display:grid!important;box-sizing:border-box;height:max-content!important;max-height:none!important;
  gap:8px;grid-template:"story" "changes" "time" "stage" "figures" "transport"/minmax(0,1fr)}
:host>*{max-height:none!important}
:host>.sl-story{grid-area:story} :host>.sl-changes-area{grid-area:changes}
:host>.sl-stage-area{grid-area:stage} :host>.sl-figures-area{grid-area:figures} :host>.sl-time{grid-area:time}
:host>.sl-transport-area{grid-area:transport;position:sticky;bottom:0;z-index:11}
"""
FILLED = f"""
:host{{--sl-fill:1;--sl-curve:{CURVE - AXIS}px;padding:0 {SIDE}px;gap:0;overflow-y:auto;min-height:0;
  height:{WHOLE_PAGE}!important}}
:host>.sl-transport-area{{position:static;z-index:auto}} :host>.sl-stage-area{{height:auto!important;min-height:0}}
:host>.sl-story{{align-self:center!important}}
"""
PAGE = f"""
:host{{{NARROW_PAGE}}}
@media {AT_ONCE}{{{FILLED}
:host{{grid-template:"story" {SENTENCE}px "stage" minmax(240px,1fr) "figures" auto "time" {CURVE}px
  "transport" {BAR}px/minmax(0,1fr)}}}}
"""
ROOM = "height:0!important;min-height:100%!important"
"""A part takes the room that its area has, and asks for none: what unfolds elsewhere lengthens the cell."""
CELL = f"""
:host{{--sl-tall:{CELL_HEIGHT}px}} :host>.sl-transport-area{{position:static;z-index:auto}}
@container {WIDE_CELL}{{:host{{--sl-fill:1;--sl-curve:112px;gap:4px 12px;min-height:var(--sl-tall);
  grid-template:"story" auto "stage" minmax(240px,1fr) "figures" auto "time" auto "transport" auto/minmax(0,1fr)}}
:host>.sl-stage-area{{{ROOM}}}}}
"""
BESIDE_THE_CURVE = f"""
:host{{{NARROW_PAGE};--sl-low-here:168}}
@media {AT_ONCE}{{{FILLED}
:host{{--sl-curve:calc(56vh - 214px);--sl-least-room:60;grid-template:"story" {SENTENCE}px "changes" auto "time" auto
  "stage" minmax(170px,1fr) "figures" auto "transport" {BAR}px/minmax(0,1fr)}}
:host>.sl-stage-area{{margin-top:8px!important}}}}
"""
"""The drift laboratory: changes as words, the curve is the main picture, and the learners' own are small below it."""
WHOLE_SHEET = "calc(100vh / var(--streamlab-larger,1) - var(--sl-lesson,0px))"
"""Height of a page for a class, without a lesson's text."""
STORY, PLAY = "var(--sl-story-tall,34px)", 44
"""Heights of its first and its last line, px; a lesson's text takes the story's place."""
PROJECTED = f"""
:host{{--sl-projected:1;--sl-fill:1;--sl-curve:128px;height:{WHOLE_SHEET}!important;overflow:hidden;
  padding:8px 17px 4px;gap:4px;grid-template:"story" minmax({STORY},auto) "stage" minmax(0,1fr) "time" auto
    "transport" {PLAY}px/minmax(0,1fr)}}
:host>.sl-story{{overflow:hidden;min-height:0}} :host>.sl-transport-area{{position:static;z-index:auto}}
:host>.sl-stage-area{{height:auto!important;min-height:0;overflow:hidden}} :host>.sl-time{{min-height:0!important}}
:host>.sl-figures-area{{display:none!important}}
"""
"""For a class: one sentence, one picture, one curve with names at its end, Play and the row."""
CHANGES_PROJECTED = """
:host{grid-template:"story" minmax(34px,auto) "changes" 36px "stage" minmax(0,1fr) "time" auto
  "transport" 44px/minmax(0,1fr)}
"""
"""The same on the drift laboratory, whose changes stay in reach."""
AWAY = ":host{display:none!important}"
WITHOUT_STAGE = f"""
@media {AT_ONCE}{{:host{{--sl-curve:calc(100vh - {HEADER + SENTENCE + BAR + AXIS}px);
  grid-template:"story" {SENTENCE}px "time" minmax(0,1fr) "transport" {BAR}px/minmax(0,1fr)}}}}
@container style(--streamlab-projected:1){{:host{{--sl-curve:calc({WHOLE_SHEET} - {STORY} - {PLAY + 70}px);
  grid-template:"story" {STORY} "time" minmax(0,1fr) "transport" {PLAY}px/minmax(0,1fr)}}}}
"""
STAGE = ":host{position:relative;min-width:0;box-sizing:border-box;padding:0!important}"
TIME = at_once(f":host{{min-height:calc(var(--sl-curve) + {AXIS}px)}}")
"""The timeline keeps its room while other learners come, and while it is made again for them."""
FIGURES = f"""{PLAIN} :host{{scroll-margin:56px 0 72px}}
@media {AT_ONCE}{{:host{{max-height:min(240px,34vh)!important;overflow:auto!important}}}}
:host{{border-top:1px solid rgba(128,128,128,.35);padding:6px 0!important}}"""


class Area(pn.Column):
    """A part of the screen, which stylesheets and tests know by its name, ``data-area``, or ``data-part`` in one."""

    def __init__(self, *objects: Any, area: str = "", part: str = "", **params: Any) -> None:
        super().__init__(*objects, **{"sizing_mode": "stretch_width", "margin": 0, "stylesheets": [PLAIN], **params})
        self._known_by = {name: of for name, of in (("data-area", area), ("data-part", part)) if of}

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        return {**super()._get_properties(doc), "html_attributes": self._known_by}


class Screen(Area):
    """The grid, and its areas, which whoever makes it fills.

    It fills a page of its own, or is a notebook's cell, as tall as its parts. With ``changes`` changes of the stream
    stand first, above the curve. ``figures`` is docked between picture and curve, and hidden at first.
    """

    def __init__(self, *, page: bool, changes: bool = False, **params: Any) -> None:
        self._usual = BESIDE_THE_CURVE if changes else PAGE
        self.changes = Area(css_classes=["sl-changes-area"], visible=changes)
        self.story = Area(area="story", css_classes=["sl-story"])
        self.stage = Area(area="stage", css_classes=["sl-stage-area"], stylesheets=[STAGE])
        self.figures = Area(area="figures", css_classes=["sl-figures-area"], stylesheets=[FIGURES], visible=False)
        self.transport = Area(area="transport", css_classes=["sl-transport-area"])
        self.timeline = Area(area="timeline", css_classes=["sl-time"], stylesheets=[PLAIN, TIME])
        self._has_changes = changes
        super().__init__(
            self.story, self.changes, self.stage, self.figures, self.timeline, self.transport,
            stylesheets=[GRID, self._usual if page else CELL], **params,
        )  # fmt: skip

    def project(self, on: bool) -> None:
        """Arrange a page for a class, or as before."""
        kept = [each for each in self.stylesheets if each in (AWAY, WITHOUT_STAGE)]
        more = [CHANGES_PROJECTED] * (on and self._has_changes)
        self.stylesheets = [GRID, PROJECTED if on else self._usual, *more, *kept]

    def show_only(self, hidden: Collection[str]) -> None:
        """Show all areas but those of these ``PARTS``; where the stage is hidden, the timeline takes its room."""
        for name, area in PARTS.items():
            _dress(getattr(self, area), AWAY, name in hidden)
        _dress(self, WITHOUT_STAGE, "pictures" in hidden)


def _dress(area: Area, sheet: str, is_on: bool) -> None:
    """Give an area a style sheet, or take it away."""
    if is_on != (sheet in area.stylesheets):
        area.stylesheets = [each for each in area.stylesheets if each != sheet] + [sheet] * is_on
