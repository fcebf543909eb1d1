"""The one screen of a run: which area each part of it has, in one grid; no part knows its neighbours.

From 1100 x 620 px on everything is seen at once and nothing scrolls: the picture fills what the others leave. Below
that the areas stand one under the other, what happened first (story and curves), then what learners look like, what is
known of a part behind it, and the transport stays at the bottom of the window.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

import panel as pn
import param

LANE, UNDER_LANES = 12, 48
"""px of a learner's lane under the curves, and of what stands under the lanes, where everything is seen at once."""

PARTS = {"story": ("story",), "curves": ("timeline",), "cards": ("cards",), "pictures": ("stage", "note"), "table": ()}
"""Areas that can be hidden, by the name that lessons give them; the table of measures is a tab of the stage."""

AT_ONCE = "(min-width:1100px) and (min-height:620px)"
"""Windows of a page that show everything at once. There ``--sl-fill`` is 1, by which pictures and timeline know it."""
WIDE_CELL = "cell (min-width:700px)"
"""Notebook cells that do, and a page that is enlarged for a class."""
HEADER = 44
"""Height of a page's header with its line, px."""
CELL_HEIGHT = 520
"""Height of such a cell, px."""
WHOLE_PAGE = f"calc(100vh / var(--streamlab-larger,1) - {HEADER}px)"


def at_once(rules: str) -> str:
    """Return style rules that hold where everything is seen at once, on a page and in a cell."""
    return f"@media {AT_ONCE}{{@container page (min-width:1px){{{rules}}}}} @container {WIDE_CELL}{{{rules}}}"


LOW = ".MuiSelect-select{padding:4px 28px 3px 8px!important;font-size:13px!important}"
"""A list to choose from that leaves the note below it its room."""
PLAIN = ":host{height:max-content!important;max-height:none!important;min-width:0} :host>*{max-height:none!important}"
"""A column does not cut its parts down to the window: a tall picture would reach under what comes next."""
GRID = """
:host{display:grid!important;box-sizing:border-box;height:max-content!important;max-height:none!important;
  gap:10px 12px;grid-template:"story" "time" "stage" "cards" "note" "transport"/minmax(0,1fr)}
:host>*{max-height:none!important}
:host>.sl-story{grid-area:story} :host>.sl-changes-area{grid-area:changes}
:host>.sl-stage-area{grid-area:stage} :host>.sl-side{grid-area:side}
:host>.sl-transport-area{grid-area:transport;position:sticky;bottom:0;z-index:11} :host>.sl-time{grid-area:time}
"""
PAGE = f"""
:host{{padding:8px 16px 0}}
@media {AT_ONCE}{{
:host{{--sl-fill:1;--sl-curve:clamp(72px,calc(40vh - 210px),196px);padding:4px 12px 6px;gap:6px 12px;overflow-y:auto;
  height:{WHOLE_PAGE}!important;
  grid-template:"story story" auto "stage side" minmax(260px,1fr) "transport transport" auto "time time" auto
    /minmax(0,1fr) 248px}}
:host>.sl-transport-area{{position:static;z-index:auto;margin-bottom:-6px!important}}
:host>.sl-stage-area,:host>.sl-side{{height:auto!important;min-height:0}}}}
"""
ROOM = "height:0!important;min-height:100%!important"
"""A part takes the room that its area has, and asks for none: what unfolds elsewhere lengthens the cell."""
CELL = f"""
:host{{--sl-tall:{CELL_HEIGHT}px}} :host>.sl-transport-area{{position:static;z-index:auto}}
@container {WIDE_CELL}{{:host{{--sl-fill:1;--sl-curve:92px;gap:6px 12px;min-height:var(--sl-tall);
  grid-template:"story story" auto "cards cards" auto "stage time" auto "stage note" minmax(130px,1fr)
    "transport transport" auto/minmax(0,1.15fr) minmax(0,1fr)}}
:host>.sl-stage-area{{{ROOM}}}}}
"""
BESIDE_THE_CURVE = f"""
:host{{padding:8px 16px 0;grid-template:"story" "changes" "time" "stage" "cards" "note" "transport"/minmax(0,1fr)}}
@media {AT_ONCE}{{
:host{{--sl-fill:1;--sl-curve:clamp(110px,calc(46vh - 164px),366px);
  --sl-least-room:80;padding:4px 12px 6px;gap:6px 12px;overflow-y:auto;
  height:{WHOLE_PAGE}!important;
  grid-template:"story story" auto "changes changes" auto "transport side" auto "time side" auto
    "stage side" minmax(180px,1fr)/minmax(0,1fr) 264px}}
:host>.sl-transport-area{{position:static;z-index:auto;margin-bottom:-6px!important}}
:host>.sl-stage-area,:host>.sl-side{{height:auto!important;min-height:0}}}}
"""
"""The drift laboratory: changes as buttons, the curve is the main picture, and the learners' own are small below it."""
WHOLE_SHEET = "calc(100vh / var(--streamlab-larger,1) - var(--sl-lesson,0px))"
"""Height of a page for a class, without a lesson's text."""
STORY, PLAY = "var(--sl-story-tall,68px)", 40
"""Heights of its first and its last line, px; a lesson's text takes the story's place."""
SHEET_CURVE = f"--sl-curve:calc({WHOLE_SHEET} - {STORY} - {PLAY + 70}px)"
"""The curve from the story to Play."""
PROJECTED = f"""
:host{{--sl-projected:1;--sl-fill:1;--sl-story-tall:88px;--sl-story-lines:4;{SHEET_CURVE};
  height:{WHOLE_SHEET}!important;overflow:hidden;padding:8px 17px 4px;gap:6px 16px;
  grid-template:"story story" {STORY} "stage time" minmax(0,1fr) "transport transport" {PLAY}px
    /minmax(0,1fr) minmax(0,1fr)}}
:host>.sl-story{{overflow:hidden;min-height:0}} :host>.sl-transport-area{{position:static;z-index:auto}}
:host>.sl-stage-area{{height:auto!important;min-height:0;border:0;padding:0!important;overflow:hidden}}
"""
"""For a class: one story, picture and curve with names at its end, Play and the row; views leave out their tools."""
WIDE_PROJECTED = f"""
@container style(--streamlab-projected:1){{:host{{--sl-curve:var(--sl-low-curve,92px);--sl-wide:1;--sl-story-tall:68px;
  grid-template:"story" minmax({STORY},var(--sl-story-most,auto)) "stage" minmax(0,1fr) "time" auto
    "transport" {PLAY}px/minmax(0,1fr)}}
:host>.sl-time{{min-height:0!important}}}}
"""
"""The same where a picture is wide, or several stand beside each other: the curve is below them."""
CHANGES_PROJECTED = WIDE_PROJECTED.replace('"stage"', '"changes" 26px "stage"')
"""The same on the drift laboratory, whose changes stay in reach."""
CELL_SIDE = """
:host{display:contents!important} :host>*{max-height:none!important}
:host>.sl-cards-area{grid-area:cards} :host>.sl-note-area{grid-area:note}
"""
CELL_NOTE = f"""{PLAIN}
@container {WIDE_CELL}{{:host{{{ROOM};overflow-y:auto;scrollbar-width:thin}}}}
"""
"""Where a cell is wide, the cards are one line above the stage, and the note stands under the timeline."""
TIME = at_once(f":host{{min-height:calc(var(--sl-curve) + var(--sl-lanes,0) * {LANE}px + {UNDER_LANES}px)}}")
"""The timeline keeps its room while other learners come, and while it is made again for them."""
AWAY = ":host{display:none!important}"
WITHOUT_STAGE = f"""
@media {AT_ONCE}{{:host{{--sl-curve:calc(100vh - 340px);
  grid-template:"story story" auto "transport side" auto "time side" minmax(0,1fr)
  /minmax(0,1fr) auto}} :host>.sl-side{{width:248px}}}}
@container style(--streamlab-projected:1){{:host{{{SHEET_CURVE};
  grid-template:"story" {STORY} "time" minmax(0,1fr) "transport" {PLAY}px/minmax(0,1fr)}}}}
"""
STAGE = """
:host{position:relative;min-width:0;box-sizing:border-box;padding:0 8px 2px!important;
  border:1px solid rgba(128,128,128,.35);border-radius:10px}
"""
SIDE = f"""
:host{{gap:8px;min-width:0;max-height:none!important}} :host>*{{max-height:none!important}}
@media not all and {AT_ONCE}{{:host{{display:contents!important}} :host>.sl-cards-area{{grid-area:cards}}
:host>.sl-note-area{{grid-area:note}}}}
@media {AT_ONCE}{{:host{{gap:6px;height:auto!important;min-height:0;overflow-y:auto;scrollbar-width:thin}}}}
@container style(--sl-projected:1){{:host{{display:none!important}}}}
"""
SCROLLS = "height:auto!important;overflow-y:auto;scrollbar-width:thin"
CARDS = f"{PLAIN} @media {AT_ONCE}{{:host{{flex:0 1 auto;min-height:124px;{SCROLLS}}}}}"
NOTE = f"""{PLAIN} @media {AT_ONCE}{{:host{{flex:1 1 0;min-height:140px;{SCROLLS};
  padding-bottom:20px!important;mask-image:linear-gradient(#000 calc(100% - 22px),transparent)}}}}"""
"""What is known of the selected part has at least the room of two sentences and a small chart: cards give way to it. It
ends in a fade where it is scrolled: a line that is cut is not the last one."""


class Area(pn.Column):
    """A part of the screen, which stylesheets and tests know by its name, ``data-area``, or ``data-part`` in one."""

    area = param.String(default="")

    part = param.String(default="")

    _rename: ClassVar[dict[str, str | None]] = {**pn.Column._rename, "area": None, "part": None}

    def __init__(self, *objects: Any, **params: Any) -> None:
        super().__init__(*objects, **{"sizing_mode": "stretch_width", "margin": 0, "stylesheets": [PLAIN], **params})

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        names = {"data-area": self.area, "data-part": self.part}
        return {**super()._get_properties(doc), "html_attributes": {name: of for name, of in names.items() if of}}


class Screen(Area):
    """The grid, and its areas, which whoever makes it fills.

    It fills a page of its own, or is a notebook's cell, as tall as its parts. With ``changes`` changes of the stream
    stand first, above the curve.
    """

    def __init__(self, *, page: bool, changes: bool = False, **params: Any) -> None:
        self._usual = BESIDE_THE_CURVE if changes else PAGE
        self._wide = CHANGES_PROJECTED if changes else WIDE_PROJECTED
        self.changes = Area(css_classes=["sl-changes-area"], visible=changes)
        self.story = Area(area="story", css_classes=["sl-story"])
        self.stage = Area(area="stage", css_classes=["sl-stage-area"], stylesheets=[STAGE])
        self.cards = Area(area="cards", css_classes=["sl-cards-area"], stylesheets=[CARDS if page else PLAIN])
        self.note = Area(area="note", css_classes=["sl-note-area"], stylesheets=[NOTE if page else CELL_NOTE])
        self._side = Area(self.cards, self.note, css_classes=["sl-side"], stylesheets=[SIDE if page else CELL_SIDE])
        self.transport = Area(area="transport", css_classes=["sl-transport-area"])
        self.timeline = Area(area="timeline", css_classes=["sl-time"], stylesheets=[PLAIN, TIME])
        super().__init__(
            self.story, self.changes, self.stage, self._side, self.transport, self.timeline,
            stylesheets=[GRID, self._usual if page else CELL], **params,
        )  # fmt: skip

    def hold_lanes(self, n: int) -> None:
        """Keep the room of so many learners' lanes under the curves."""
        self.timeline.styles = {"--sl-lanes": str(n)}

    def project(self, on: bool) -> None:
        """Arrange a page for a class, or as before."""
        kept = [each for each in self.stylesheets if each in (AWAY, WITHOUT_STAGE, self._wide)]
        self.stylesheets = [GRID, PROJECTED if on else self._usual, *kept]
        self._side.visible = not on

    def widen(self, is_wide: bool) -> None:
        """Before a class, a wide picture or several beside each other take the whole width, above the curve."""
        _dress(self, self._wide, is_wide or self._wide is CHANGES_PROJECTED)

    def show_only(self, hidden: Collection[str]) -> None:
        """Show all areas but those of these ``PARTS``; where the stage is hidden, the timeline takes its room."""
        for name, areas in PARTS.items():
            for area in (getattr(self, each) for each in areas):
                _dress(area, AWAY, name in hidden)
        _dress(self, WITHOUT_STAGE, "pictures" in hidden)
        _dress(self._side, AWAY, {"cards", "pictures"} <= set(hidden))


def _dress(area: Area, sheet: str, is_on: bool) -> None:
    """Give an area a style sheet, or take it away."""
    if is_on != (sheet in area.stylesheets):
        area.stylesheets = [each for each in area.stylesheets if each != sheet] + [sheet] * is_on
